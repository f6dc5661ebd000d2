"""The rules that the formulas of a certificate have to obey (docs/rma.md, "Certificates").

Let F be the formula of a state. It holds for the values of the variables, and e0, e1, ...: some element of set(s) for
each active s. n0, n1, ... are elements after a step, if there are several: the one before, or what joined the set."""

from dataclasses import dataclass

from .control import END, Control
from .formulas import symbols_of
from .language import smt, smt_value


@dataclass
class Rule:
    what: str
    before: tuple      # a state; None of the first rule
    after: tuple       # None if it is about the state before
    assumptions: list  # beside the formula of the state before
    conclusion: str


class Rules:
    def __init__(self, program, entries):
        self.program, self.entries = program, entries
        self.control = Control(program)
        symbols = list(symbols_of(program))
        self.name = {x: ours for x, (_, ours, _) in zip(program.variables, symbols)}
        self.sorts = {ours: sort for _, ours, sort in symbols}
        self.number = {state: i for i, state in enumerate(entries)}

    def all(self):
        control, program = self.control, self.program
        start = control.initial, (0,) * len(program.remotes)
        values = {self.name[x.name]: smt_value(x.initial) for x in program.variables.values()}
        yield Rule("the initial values", None, start, [], self.holds(start, values))
        for state in self.entries:
            yield from self.of_state(state)

    def of_state(self, state):
        """All rules whose premise is the formula of this state."""
        pcs, active = state
        yield from self.properties(state)
        for p, s in self.control.steps(pcs):
            yield from self.step(state, p, s)
        for s, when in self.control.executions(pcs, active).items():
            yield from self.execute(state, s, when)

    # ---- formulas ----

    def holds(self, state, changed):
        """The formula of a state, for other values of these symbols. What is not listed cannot be reached."""
        if state not in self.entries:
            return "false"
        values = [changed.get(symbol, symbol) for symbol in self.entries[state].symbols]
        return f"(F{self.number[state]} {' '.join(values)})" if values else f"F{self.number[state]}"

    def expression(self, e, pcs=()):
        def place(pid, rho):
            p = self.program.pids.index(pid)
            return "true" if self.control.is_before(pcs[p], self.program.locations[p, rho]) else "false"
        return smt(e, self.name.get, place)

    def joins(self, x, value, active):
        """`value` joins set(q) of each active reader q of x: the elements after that, and what is known of them."""
        readers = [q for q in self.control.readers[x] if active[q]]
        return {f"e{q}": f"n{q}" for q in readers}, [f"(or (= n{q} e{q}) (= n{q} {value}))" for q in readers]

    # ---- rules ----

    def properties(self, state):
        pcs, active = state
        is_final = all(pc == END for pc in pcs) and not any(active)
        for p in self.program.properties:
            if is_final or not p.is_final:
                yield Rule(f"line {p.line}, {p}", state, None, [], self.expression(p.expression, pcs))

    def step(self, state, p, s):
        pcs, active = state
        what = f"process {self.program.pids[p]}, line {s.line}, {s}"
        following, e = self.control.next(s), s.expression and self.expression(s.expression)

        def moved(changed=None, assumptions=(), to=following, now=active):
            after = pcs[:p] + (to,) + pcs[p + 1:], now
            return Rule(what, state, after, list(assumptions), self.holds(after, changed or {}))

        if s.kind in ("if", "while"):
            for condition, to in zip((e, f"(not {e})"), following):
                yield moved(assumptions=[condition], to=to)
        elif s.kind in ("put", "get"):
            yield self.issue(s, active, moved)
        elif s.kind == "load":
            yield moved({self.name[s.variable]: self.name[s.source]})
        elif s.kind == "store":
            elements, known = self.joins(s.variable, e, active)
            yield moved({self.name[s.variable]: e, **elements}, known)
        elif s.kind == ":=":
            yield moved({self.name[s.variable]: e})
        elif s.kind == "choose":
            for value in s.values:
                yield moved({self.name[s.variable]: smt_value(value)})
        elif s.kind == "assert":
            yield Rule(what, state, None, [], e)
            yield moved()
        elif s.kind == "assume":
            yield moved(assumptions=[e])
        elif s.kind != "flush":
            assert s.kind in ("skip", "goto", "atomic")
            yield moved()
        elif not any(active[r] for r in self.control.awaited(s)):
            yield moved()

    def issue(self, s, active, moved):
        """The value of the variable that is read becomes the only element, or joins the others."""
        r, value = s.remote, self.name[s.source]
        if not active[r]:
            return moved({f"e{r}": value}, now=with_count(active, r, 1))
        return moved({f"e{r}": f"n{r}"}, [f"(or (= n{r} e{r}) (= n{r} {value}))"], now=with_count(active, r, 2))

    def execute(self, state, r, when):
        """Some element is written. If many are pending, it is any other one, for which the formula holds, too."""
        pcs, active = state
        remote = self.program.remotes[r]
        is_many = active[r] == 2
        value = f"n{r}" if is_many else f"e{r}"
        elements, known = self.joins(remote.target, value, active)
        if is_many:
            known.append(self.holds(state, {f"e{r}": value}))
        s = remote.statement
        for count in (2, 1) if is_many else (0,):
            after = pcs, with_count(active, r, count)
            yield Rule(f"{when}: {s}, line {s.line}, is executed", state, after, known,
                       self.holds(after, {self.name[remote.target]: value, **elements}))


def with_count(active, r, count):
    return active[:r] + (count,) + active[r + 1:]


def shown_state(state):
    pcs, active = state
    return f"{' '.join(['(pc', *map(str, pcs)])}) {' '.join(['(active', *map(str, active)])})"
