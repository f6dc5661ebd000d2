#!/usr/bin/python3
"""A program with remote memory access (docs/rma.md) as a Promela model, for Spin.

  bench/rma_promela.py FILE [K]     writes the model to standard output; `-` is standard input

FILE is a program that `matchpoint rma lint` accepts. At most K operations of each remote statement are pending, 1
unless given: a put or get waits until there is room. The model has the states of the machine one to one: the position
of each process is a variable, and each rule is one step. Pending reads are counted, and pending writes are a sorted
list of values, for each remote statement; a process `cards` executes them. All assertions are checked after each step,
so not in the initial state.

Integers have 32 bits in Promela. Larger numbers in the text are refused; values that grow larger in a run are not noticed. `div` is
refused, and so are `mod` by something else than a positive number, and remote atomics. Exit codes: 0 done, 2 usage, or a program that cannot be translated.
"""

import argparse
import pathlib
import sys
from dataclasses import dataclass

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import promela  # noqa: E402
from promela import INTEGER, Atom, Refused  # noqa: E402


@dataclass
class Model:
    """A program in Promela, and what its size is."""

    text: str
    state_bytes: int  # at least what a state takes


@dataclass
class Remote:
    """A put or get."""

    process: int
    to: str  # the number of the process that it names
    source: str
    target: str


@dataclass
class Step:
    """What a process does at a position: some steps, each with its guard, and where it goes on."""

    ways: list  # pairs of guard ("" if there is none) and what is done, "" for nothing; with where the process goes
    is_inside: bool  # of an atomic


class Translation:
    """The translation of one program."""

    def __init__(self, program, pending):
        self.pending = pending
        self.names = promela.Names()
        self.initial = {}  # variable -> its first value
        self.remotes = []
        self.numbers = {}  # process number -> index
        self.steps = []  # by process: list of Steps; the last one is the end
        self.locations = {}  # (process index, location) -> the position of the process then
        self.first = {}  # (process index, place of an atomic) -> place of its first statement
        if len(program) != 1 or program[0][0] != "rma":
            raise Refused(0, "this is not a program with remote memory access")
        processes = [form for form in program[0][1:] if form[0] == "process"]
        self.properties = [form for form in program[0][1:] if form[0] != "process"]
        self.numbers = {str(int(process[1])): i for i, process in enumerate(processes)}
        for process in processes:
            self.declare(process)
        for i, process in enumerate(processes):
            self.process(i, [s for s in process[2:] if not is_declaration(s) and s != "bot"])

    # ---- statements

    def declare(self, process):
        for form in filter(is_declaration, process[2:]):
            for name, value in form[1:]:
                self.initial[str(name)] = promela.value(value)
                self.names.declare(str(name), "v", name)

    def process(self, index, statements):
        self.index, self.targets, self.jumps = index, {}, []
        self.steps.append([])
        begins = self.place_all(statements)
        self.block(statements, begins, len(self.steps[index]), False)
        for place, first in sorted(((p, f) for (i, p), f in self.first.items() if i == index), reverse=True):
            self.steps[index][place] = Step(self.steps[index][first].ways, False)
        self.steps[index].append(Step([], False))

    def place_all(self, statements):
        """The position of a process before each of them and those inside, in the order of the text."""
        begins = []
        for statement in statements:
            place = len(self.steps[self.index])
            self.steps[self.index].append(None)
            c = statement
            if is_located(statement):
                self.locations[self.index, str(statement[0])] = place
                c = statement[1]
            begins.append((place, [self.place_all(inner) for inner in inside(c)]))
        return begins

    def block(self, statements, begins, behind, is_inside):
        for i, statement in enumerate(statements):
            place, inner = begins[i]
            following = begins[i + 1][0] if i + 1 < len(begins) else behind
            c = statement[1] if is_located(statement) else statement
            self.steps[self.index][place] = Step(self.ways(c, place, inner, following), is_inside)
            parts = inside(c)
            for part, part_begins in zip(parts, inner):
                self.block(part, part_begins, place if c[0] == "while" else following, is_inside or c[0] == "atomic")

    def ways(self, c, place, inner, following):
        """What can happen at a statement."""
        if c == "skip":
            return [("", "", following)]
        head = c[0]
        entry = [begins[0][0] if begins else following for begins in inner]
        if len(c) == 3 and c[1] == ":=":
            return [("", f"{self.variable(c[0])} = {self.expression(c[2])}", following)]
        if head == "load":
            return [("", f"{self.variable(c[1])} = {self.variable(c[2])}", following)]
        if head == "store":
            return [("", f"{self.variable(c[1])} = {self.expression(c[2])}", following)]
        if head in ("put", "get"):
            return self.remote(c, following)
        if head == "flush":
            return [(("flush", str(int(c[1]))), "", following)]
        if head == "choose":
            return [("", f"{self.variable(c[1])} = {promela.value(v)}", following) for v in c[2:]]
        if head == "assume":
            return [(self.expression(c[1]), "", following)]
        if head == "assert":
            return [("", f"assert({self.expression(c[1])})", following)]
        if head == "goto":
            return [("", "", ("location", str(c[1])))]
        if head == "if":
            return self.branches(c[1], entry[0], entry[1] if len(entry) > 1 else following)
        if head == "while":
            return self.branches(c[1], inner[0][0][0] if inner[0] else place, following)
        if head == "atomic":
            if inner[0]:
                self.first[self.index, place] = inner[0][0][0]
            return [("", "", following)]  # an empty one; others take the step of their first statement
        raise Refused(head.offset, f"`{head}` is not translated")

    def branches(self, condition, yes, no):
        e = self.expression(condition)
        return [(e, "", yes), (f"!{e}", "", no)]

    def remote(self, c, following):
        number = len(self.remotes)
        source, target = (c[3], c[1]) if c[0] == "put" else (c[2], c[1])
        to = c[2] if c[0] == "put" else c[3]
        self.remotes.append(Remote(self.index, str(int(to)), self.variable(source), self.variable(target)))
        return [(f"r_{number} + n_{number} < {self.pending}", f"r_{number}++", following)]

    # ---- expressions

    def variable(self, x):
        if str(x) not in self.names.known:
            raise Refused(x.offset, f"`{x}` is not declared")
        return self.names.known[str(x)]

    def expression(self, e):
        """Of Promela, in brackets."""
        if isinstance(e, Atom):
            return promela.value(e) if promela.is_value(e) else self.variable(e)
        op, *operands = e
        if op == "at":
            return self.stands(self.numbers[str(int(operands[0]))], str(operands[1]))
        parts = [self.expression(o) for o in operands]
        if op == "-" and len(parts) == 1:
            return f"(-{parts[0]})"
        if op == "mod" and isinstance(operands[1], Atom) and INTEGER.fullmatch(operands[1]) and int(operands[1]) > 0:
            return f"((({parts[0]} % {parts[1]}) + {parts[1]}) % {parts[1]})"
        return promela.operation(op, parts)

    def stands(self, process, location):
        place = self.locations[process, location]
        places = [place] + [p for (i, p), first in self.first.items() if i == process and first == place]
        return "(" + " || ".join(f"pc_{process} == {p}" for p in places) + ")"

    # ---- the model

    def model(self):
        pending = self.pending
        lines = [f"{'bool' if v in ('true', 'false') else 'int'} {self.names.known[x]} = {v};" for x, v in self.initial.items()]
        lines += [f"{'byte' if len(steps) <= 256 else 'int'} pc_{i} = 0;" for i, steps in enumerate(self.steps)]
        for s in range(len(self.remotes)):
            lines += [f"byte r_{s} = 0;", f"byte n_{s} = 0;", f"int w_{s}[{pending}] = 0;"]
        lines += ["hidden int at;", "", *self.checks(), ""]
        for i, steps in enumerate(self.steps):
            options = [o for place, step in enumerate(steps) for o in self.options(i, place, step)]
            lines += process(f"process_{i}", options)
        lines += process("cards", [o for s, remote in enumerate(self.remotes) for o in self.card(s, remote)])
        size = 4 * len(self.initial) + 4 * len(self.steps) + (2 + 4 * pending) * len(self.remotes) + 16 * len(self.steps) + 64
        return Model("\n".join(lines), size)

    def checks(self):
        """What is looked at after each step."""
        ends = [f"pc_{i} == {len(steps) - 1}" for i, steps in enumerate(self.steps)]
        ends += [f"r_{s} + n_{s} == 0" for s in range(len(self.remotes))]
        found = []
        for form in self.properties:
            if form[0] == "invariant":
                found.append(f"assert({self.expression(form[1])})")
            else:
                found.append(f"assert(!({' && '.join(ends)}) || {self.expression(form[2])})")
        return [f"#define CHECK {'; '.join(found) or 'skip'}"]

    def options(self, index, place, step):
        others = [f"pc_{i} == {p}" for i, steps in enumerate(self.steps) if i != index for p, s in enumerate(steps) if s.is_inside]
        for guard, act, following in step.ways:
            if isinstance(guard, tuple):
                waits = [f"r_{s} + n_{s} == 0" for s, r in enumerate(self.remotes) if r.process == index and r.to == guard[1]]
                guard = " && ".join(waits)
            if isinstance(following, tuple):
                following = self.locations[index, following[1]]
            guards = [f"pc_{index} == {place}", *([guard] if guard else []), *([f"!({' || '.join(others)})"] if others else [])]
            # The assertion of a statement is checked in its place.
            yield f"{' && '.join(guards)} -> {act + '; ' if act else ''}pc_{index} = {following}; CHECK"

    def card(self, s, remote):
        """The rules nic_r and nic_w."""
        if self.pending == 1:
            into = f"w_{s}[0] = {remote.source}"
        else:
            into = (f"at = n_{s}; do :: (at > 0 && w_{s}[at - 1] > {remote.source}) -> w_{s}[at] = w_{s}[at - 1]; at-- "
                    f":: else -> break od; w_{s}[at] = {remote.source}; at = 0")
        yield f"r_{s} > 0 -> r_{s}--; {into}; n_{s}++; CHECK"
        for i in range(self.pending):
            guard = f"n_{s} > {i}" + (f" && w_{s}[{i}] != w_{s}[{i - 1}]" if i > 0 else "")
            moved = "".join(f"w_{s}[{k}] = w_{s}[{k + 1}]; " for k in range(i, self.pending - 1))
            yield f"{guard} -> {remote.target} = w_{s}[{i}]; {moved}w_{s}[{self.pending - 1}] = 0; n_{s}--; CHECK"


def is_declaration(form):
    return not isinstance(form, Atom) and form.bracket == "(" and form[0] in ("shared", "local") and form[1:2] != [":="]


def is_located(statement):
    return not isinstance(statement, Atom) and statement.bracket == "["


def inside(c):
    """The lists of statements in a statement."""
    if isinstance(c, Atom) or c[1:2] == [":="]:
        return []
    return {"if": c[2:4], "while": [c[2:]], "atomic": [c[1:]]}.get(str(c[0]), [])


def process(name, options):
    """The lines of a process that does one of these again and again."""
    if not options:
        return []
    return [f"active proctype {name}() {{", "    do", *(f"    :: d_step {{ {o} }}" for o in options), "    od", "}", ""]


def translate(text, pending=1):
    """The Model of a program. Raises Refused."""
    return Translation(promela.parse(text), pending).model()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("pending", metavar="K", nargs="?", type=int, choices=range(1, 9), default=1)
    given = parser.parse_args()
    return promela.write_model("rma_promela", given.file, lambda text: translate(text, given.pending))


if __name__ == "__main__":
    sys.exit(main())
