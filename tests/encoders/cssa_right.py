"""An encoder of programs with shared variables that is right, of executions and of complete runs.

    cssa_right.py executions|complete [SWITCHES] < PROGRAM

x_T_N says that command N of thread T is executed, and o_T_N when; with a bound on context switches, in which segment of the run,
where each segment belongs to one thread.
"""

import itertools
import sys

import ctp_shared as ctp


class Encoding:
    def __init__(self, program, runs, bound):
        self.program, self.complete, self.bound = program, runs == "complete", bound
        self.lines = ["(set-logic ALL)"]
        self.fresh = itertools.count()
        self.writes = {x: [] for x in program.shared}  # variable -> (thread, place, term)
        self.failures = []
        self.unknown = {}  # constants that may occur in expressions, with their sorts

    def ask(self, term):
        self.lines.append(f"(assert {term})")

    def constant(self, name, sort):
        self.lines.append(f"(declare-const {name} {sort})")
        return name

    @staticmethod
    def x(event):
        return "x_{}_{}".format(*event)

    @staticmethod
    def before(one, other):
        if one[0] == other[0]:
            return "true" if one[1] < other[1] else "false"
        return "(< o_{}_{} o_{}_{})".format(*one, *other)

    def order(self):
        if self.bound is not None:
            for segment in range(self.bound + 1):
                self.constant(f"owner_{segment}", "Int")
        for t, thread in enumerate(self.program.threads):
            for n in range(len(thread)):
                self.constant(f"x_{t}_{n}", "Bool")
                self.constant(f"o_{t}_{n}", "Int")
                if self.complete:
                    self.ask(f"x_{t}_{n}")
                if n > 0:
                    self.ask(f"({'<' if self.bound is None else '<='} o_{t}_{n - 1} o_{t}_{n})")
                    self.ask(f"(=> x_{t}_{n} x_{t}_{n - 1})")
                if self.bound is not None:
                    segments = (f"(and (= o_{t}_{n} {s}) (= owner_{s} {t}))" for s in range(self.bound + 1))
                    self.ask(f"(=> x_{t}_{n} (or {' '.join(segments)}))")

    def initial(self, v):
        return ctp.term(self.program.shared[v], {})

    def read(self, v, event):
        """A constant for what the event reads in v."""
        name = self.constant(f"r_{next(self.fresh)}", ctp.sort_of(self.program.shared[v], {}))
        own = [w for w in self.writes[v] if w[0] == event[0] and w[1] < event[1]][-1:]
        others = [w for w in self.writes[v] if w[0] != event[0]]
        ways = []
        for source in others + own:
            way = [f"(= {name} {source[2]})", self.x(source[:2]), self.before(source[:2], event)]
            way += [f"(or (not {self.x(w[:2])}) {self.before(w[:2], source[:2])} {self.before(event, w[:2])})"
                    for w in others + own if w is not source]
            ways.append(f"(and {' '.join(way)})")
        if not own:
            way = [f"(= {name} {self.initial(v)})"]
            way += [f"(or (not {self.x(w[:2])}) {self.before(event, w[:2])})" for w in others]
            ways.append(f"(and {' '.join(way)})")
        self.ask(f"(=> {self.x(event)} (or {' '.join(ways)}))")
        return name

    def encode_thread(self, t, thread):
        names = {name: name for name in self.unknown}
        sorts = {**self.unknown, **{x: ctp.sort_of(v, {}) for x, v in self.program.shared.items()}}
        for n, command in enumerate(thread):
            event = (t, n)
            expressions = [command.condition, *(e for _, e in command.assigned)]
            read = {v: self.read(v, event) for e in expressions for v in ctp.variables(e) if v in self.program.shared}
            now = {**names, **read}
            for e in expressions:
                for divisor in ctp.divisors(e):
                    self.ask(f"(=> {self.x(event)} (distinct {ctp.term(divisor, now)} 0))")
            condition = ctp.term(command.condition, now)
            if command.kind == "assert":
                self.failures.append(f"(and {self.x(event)} (not {condition}))")
            else:
                self.ask(f"(=> {self.x(event)} {condition})")
            assigned = {}
            for v, e in command.assigned:
                if v in self.program.shared:
                    self.ask(f"(= w_{t}_{n}_{v} {ctp.term(e, now)})")
                else:
                    sorts[v] = ctp.sort_of(e, sorts)
                    assigned[v] = self.constant(f"l_{t}_{n}_{v}", sorts[v])
                    self.ask(f"(= {assigned[v]} {ctp.term(e, now)})")
            names.update(assigned)

    def problem(self):
        self.order()
        for t, thread in enumerate(self.program.threads):
            for n, command in enumerate(thread):
                for v, _ in command.assigned:
                    if v in self.program.shared:
                        sort = ctp.sort_of(self.program.shared[v], {})
                        self.writes[v].append((t, n, self.constant(f"w_{t}_{n}_{v}", sort)))
        for t, thread in enumerate(self.program.threads):
            self.encode_thread(t, thread)
        self.ask(f"(or false {' '.join(self.failures)})")
        return "\n".join([*self.lines, "(check-sat)", ""])


def answer(text, runs, switches=None):
    return Encoding(ctp.parse(text), runs, None if switches is None else int(switches)).problem()


if __name__ == "__main__":
    sys.stdout.write(answer(sys.stdin.buffer.read(), *sys.argv[1:]))
