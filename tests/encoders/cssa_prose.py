"""An encoder as one writes it who has read the prose of Sections 3 to 5 of Symbolic Predictive Analysis and nothing else. It is wrong
as they are: the first guard of a thread is dropped (F2), and every use has to read, executed or not (F3, F4).

    cssa_prose.py [SWITCHES] < PROGRAM

Where the prose says nothing, it does what is right: there may be several assertions, one of which has to fail, and divisors of
executed events are not zero.
"""

import sys

import ctp_shared as ctp


class Encoding:
    def __init__(self, program, bound):
        self.program, self.bound = program, bound
        self.lines = ["(set-logic ALL)"]
        self.times = [[f"O_{t}_{n}" for n in range(len(thread))] for t, thread in enumerate(program.threads)]
        self.executed = []  # g(t), thread by thread
        self.uses = 0
        self.definitions = {x: [] for x in program.shared}  # variable -> (thread, place, name)

    def constrain(self, text):
        self.lines.append(f"(assert {text})")

    def declare(self, name, sort):
        self.lines.append(f"(declare-const {name} {sort})")
        return name

    def before(self, one, other):
        """HB of two events, each a thread and a place; None is t_first, and its time is 0."""
        if one is None:
            return "true"
        if one[0] == other[0]:  # a constant (footnote 3)
            return "true" if one[1] < other[1] else "false"
        return f"(< {self.times[one[0]][one[1]]} {self.times[other[0]][other[1]]})"

    def name_definitions(self):
        for t, thread in enumerate(self.program.threads):
            for n, event in enumerate(thread):
                for x, _ in event.assigned:
                    if x in self.program.shared:
                        sort = ctp.sort_of(self.program.shared[x], {})
                        self.definitions[x].append((t, n, self.declare(f"{x}_{t}_{n}", sort)))

    def pi(self, x, t, n):
        """A use of a shared variable: the new name, and its part of Phi_PI."""
        name = self.declare(f"pi_{self.uses}", ctp.sort_of(self.program.shared[x], {}))
        self.uses += 1
        own = [d for d in self.definitions[x] if d[0] == t and d[1] < n]
        choices = [d for d in self.definitions[x] if d[0] != t] + own[-1:]
        initial = [] if own else [None]
        use, cases = (t, n), []
        for choice in choices + initial:
            at = choice and choice[:2]
            value = choice[2] if choice else ctp.term(self.program.shared[x], {})
            case = [f"(= {name} {value})", self.before(at, use)]
            case += [f"g_{choice[0]}_{choice[1]}"] if choice else []
            for other in choices:
                if other is not choice:
                    earlier = self.before(other[:2], at) if choice else "false"
                    case.append(f"(or {earlier} {self.before(use, other[:2])})")
            cases.append(f"(and {' '.join(case)})")
        self.constrain(f"(or false {' '.join(cases)})")
        return name

    def thread(self, t, thread):
        names, sorts, violations = {}, {x: ctp.sort_of(v, {}) for x, v in self.program.shared.items()}, []
        for n, event in enumerate(thread):
            def resolved(e):
                now = dict(names)
                renamed = self.renamed(e, t, n, now)
                return ctp.term(renamed, now)
            path = "true" if n == 0 else f"g_{t}_{n - 1}"
            condition = resolved(event.condition)
            if event.kind != "assert" and n > 0:
                path = f"(and {path} {condition})"
            self.lines.append(f"(define-fun g_{t}_{n} () Bool {path})")
            if event.kind == "assert":
                violations.append(f"(and g_{t}_{n} (not {condition}))")
            for divisor in ctp.divisors(event.condition):
                self.constrain(f"(=> {'true' if n == 0 else f'g_{t}_{n - 1}'} (distinct {resolved(divisor)} 0))")
            for _, e in event.assigned:
                for divisor in ctp.divisors(e):
                    self.constrain(f"(=> g_{t}_{n} (distinct {resolved(divisor)} 0))")
            new = {}
            for x, e in event.assigned:
                if x in self.program.shared:
                    self.constrain(f"(= {x}_{t}_{n} {resolved(e)})")
                else:
                    new[x] = self.declare(f"{x}_{t}_{n}", ctp.sort_of(e, sorts))
                    sorts[x] = ctp.sort_of(e, sorts)
                    self.constrain(f"(= {new[x]} {resolved(e)})")
            names.update(new)
        return violations

    def renamed(self, e, t, n, names):
        """Each use of a shared variable gets a name of its own."""
        if isinstance(e, str) and e in self.program.shared:
            name = self.pi(e, t, n)
            names[name] = name
            return name
        if isinstance(e, tuple):
            return (e[0], *(self.renamed(part, t, n, names) for part in e[1:]))
        return e

    def problem(self):
        for thread in self.times:
            for time in thread:
                self.declare(time, "Int")
                self.constrain(f"(<= 0 {time})")
                if self.bound is not None:
                    self.constrain(f"(<= {time} {self.bound})")
            less = "<" if self.bound is None else "<="
            for one, other in zip(thread, thread[1:]):
                self.constrain(f"({less} {one} {other})")
        self.name_definitions()
        declared, self.lines = self.lines, []
        violations = []
        # g(t) of all events comes before Phi_PI, which speaks of it.
        for t, thread in enumerate(self.program.threads):
            violations += self.thread(t, thread)
        guards = [f"(declare-const g_{t}_{n} Bool)" for t, thread in enumerate(self.program.threads) for n in range(len(thread))]
        body = [self.equation(line) for line in self.lines]
        return "\n".join([*declared, *guards, *body, f"(assert (or false {' '.join(violations)}))", "(check-sat)", ""])

    @staticmethod
    def equation(line):
        """A definition of g(t) as an equation."""
        if not line.startswith("(define-fun"):
            return line
        name, definition = line[len("(define-fun "):-1].split(" () Bool ", 1)
        return f"(assert (= {name} {definition}))"


def answer(text, switches=None):
    return Encoding(ctp.parse(text), None if switches is None else int(switches)).problem()


if __name__ == "__main__":
    sys.stdout.write(answer(sys.stdin.buffer.read(), *sys.argv[1:]))
