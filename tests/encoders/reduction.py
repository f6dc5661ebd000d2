"""A reduction of programs with remote memory access to sequentially consistent ones, written from docs/rma.md alone.

    reduction.py [FAULT] < PROGRAM
    reduction.py [FAULT] FILE

Without a fault it is right. Faults:
    no-joins-in-flush   what lands during a flush joins no sets
    bare-load           nothing is executed before a load
    nothing-at-end      what is pending at the end never lands
    flag                active or not, instead of none, one or many
    plain               the program as it is
    crash, garbage, hang, forgets-a-variable
"""

import re
import sys
import time

FAULTS = ("no-joins-in-flush", "bare-load", "nothing-at-end", "flag", "plain", "crash", "garbage", "hang", "forgets-a-variable")


def read(text):
    """The list that a text is: nested tuples of atoms. `[rho c]` is a tuple that begins with `[`."""
    stack = [[]]
    for token in re.findall(r"[()\[\]]|[^\s()\[\];]+", re.sub(r";[^\n]*", "", text)):
        if token in "([":
            stack.append(["["] if token == "[" else [])
        elif token in ")]":
            done = tuple(stack.pop())
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    return stack[0][0]


def show(form):
    if isinstance(form, str):
        return form
    if form[:1] == ("[",):
        return "[" + " ".join(map(show, form[1:])) + "]"
    return "(" + " ".join(map(show, form)) + ")"


class Remote:
    """A put or get: it copies src to trg."""

    def __init__(self, number, process, statement):
        self.name, self.process = f"s{number}", process
        if statement[0] == "put":
            _, self.trg, self.to, self.src = statement
        else:
            _, self.trg, self.src, self.to = statement
        self.active, self.values = f"active_s{number}", f"values_s{number}"


class Reduction:
    def __init__(self, program, fault):
        self.program, self.fault = program, fault
        self.remotes = {}  # by the place of the statement in the text
        self.processes = [form for form in program[1:] if form[0] == "process"]
        for process in self.processes:
            self.collect(process[2:], process[1])
        self.all = list(self.remotes.values())

    def collect(self, forms, process):
        for form in forms:
            if isinstance(form, str):
                continue
            if form[:1] in (("put",), ("get",)) and len(form) == 4 and form[1] != ":=":
                self.remotes[id(form)] = Remote(len(self.remotes) + 1, process, form)
            else:
                self.collect(form, process)

    # What executes what.

    def writers(self, variable):
        return [s for s in self.all if s.trg == variable]

    def readers(self, variable):
        return [s for s in self.all if s.src == variable]

    def chain(self, some):
        found = list(some)
        for s in found:
            found += [q for q in self.all if q.trg in (s.src, s.trg) and q not in found]
        return [s.name for s in self.all if s in found]

    # Text.

    def joins(self, variable):
        return [("if", (">", s.active, "0"), (("join", s.values, variable),)) for s in self.readers(variable)]

    def execute(self, s, name, joins):
        done = (("choose", s.active, "0", "1"),) if self.fault == "flag" else (
            ("if", ("=", s.active, "1"), ((s.active, ":=", "0"),), (("choose", s.active, "1", "2"),)),)
        return ("define", ("execute", name), ("assume", (">", s.active, "0")), ("draw", s.trg, s.values),
                *(self.joins(s.trg) if joins else ()), *done)

    def remote_ops(self, variable, then):
        names = self.chain(self.writers(variable))
        return ("remote-ops", *names, then) if names else then

    def until_none(self, awaited, executed):
        if not awaited:
            return "skip"
        none = [("=", s.active, "0") for s in awaited]
        return ("execute-until", none[0] if len(none) == 1 else ("and", *none), *executed)

    def statement(self, form, process):
        if form == "skip":
            return form
        if form[0] == "[":
            return ("[", form[1], self.statement(form[2], process))
        if len(form) > 1 and form[1] == ":=":
            return form
        match form[0]:
            case "put" | "get":
                s = self.remotes[id(form)]
                more = "1" if self.fault == "flag" else "2"
                return ("step", ("if", ("=", s.active, "0"), ((s.active, ":=", "1"), ("reset", s.values, s.src)),
                                 ((s.active, ":=", more), ("join", s.values, s.src))))
            case "load":
                return form if self.fault == "bare-load" else self.remote_ops(form[2], form)
            case "store":
                joins = self.joins(form[1])
                return self.remote_ops(form[1], ("step", form, *joins) if joins else form)
            case "flush":
                awaited = [s for s in self.all if s.process == process and s.to == form[1]]
                names = self.chain(awaited)
                return self.until_none(awaited, [n + "_bare" for n in names] if self.fault == "no-joins-in-flush" else names)
            case "if":
                return (*form[:2], *(tuple(self.statement(c, process) for c in part) for part in form[2:]))
            case "while":
                return (*form[:2], *(self.statement(c, process) for c in form[2:]))
            case "atomic":
                return ("atomic", *(self.statement(c, process) for c in form[1:]))
        return form

    def process(self, form):
        yield f"(process {form[1]}"
        own = [s for s in self.all if s.process == form[1]]
        rest = [part for part in form[2:] if part != "bot"]
        while rest and rest[0][0] in ("shared", "local") and ":=" not in rest[0][1:2]:
            declarations = rest.pop(0)
            yield show(declarations[:-1] if self.fault == "forgets-a-variable" else declarations)
        if own:
            yield show(("shared", *((s.active, "0") for s in own)))
            yield show(("sets", *(s.values for s in own)))
        for c in rest:
            yield show(self.statement(c, form[1]))
        yield "bot)"

    def observed(self, form, found):
        """The remote statements that write what an expression reads."""
        for part in form:
            if isinstance(part, str):
                found += self.writers(part)
            else:
                self.observed(part, found)
        return found

    def text(self):
        lines = ["(reduced"]
        for s in self.all:
            lines.append(show(self.execute(s, s.name, True)))
            if self.fault == "no-joins-in-flush":
                lines.append(show(self.execute(s, s.name + "_bare", False)))
        for process in self.processes:
            lines += self.process(process)
        if self.all and self.fault != "nothing-at-end":
            lines.append(show(("finally", self.until_none(self.all, [s.name for s in self.all]))))
        properties = [form for form in self.program[1:] if form[0] != "process"]
        observed = self.chain([s for form in properties if form[0] == "invariant" for s in self.observed(form, [])])
        if observed:
            lines.append(show(("always", ("execute-one", *observed))))
        lines += [show(form) for form in properties]
        return "\n".join([*lines, ")"]) + "\n"


def main():
    words = sys.argv[1:]
    fault = words.pop(0) if words and words[0] in FAULTS else None
    if words:
        with open(words[0]) as file:
            text = file.read()
    else:
        text = sys.stdin.read()
    if fault == "crash":
        sys.exit("it knows no such statement")
    if fault == "hang":
        time.sleep(1000)
    if fault == "garbage":
        print("(reduced (process 1 (sometimes X)))")
    elif fault == "plain":
        print(text)
    else:
        print(Reduction(read(text), fault).text(), end="")


if __name__ == "__main__":
    main()
