"""Why a clause holds in every run in question: one function for each reason of docs/certificates.md.

A clause is judged as a whole: `true` has the meanings of its positive literals, `false` those of its negative ones, and
`matches` the matches among the latter. It holds if what `false` says implies something in `true`, or cannot be."""

from .order import happens_before, is_cyclic, two_moments
from .values import Bounds, Values


class Clause:
    def __init__(self, literals, meaning):
        self.true = {meaning[l] for l in literals if l > 0}
        self.false = {meaning[-l] for l in literals if l < 0}
        self.matches = {}  # of a receive with two sends the first one counts, except for the reason `one`
        for m in (meaning[-l] for l in literals if l < 0):
            if m[0] == "match":
                self.matches.setdefault(m[1], m[2])


class Reasons:
    def __init__(self, program, zero, safe):
        self.program, self.zero, self.safe = program, zero, safe
        self.bounds = Bounds(program)

    def is_meaning(self, words):
        """Whether a variable can say this of the program."""
        p = self.program
        if words[0] == "match" and len(words) == 3:
            return words[1] in p.receive and words[2] in p.sends_for(words[1])
        if words[0] == "fails" and len(words) == 2:
            return words[1] in p.command and p.command[words[1]].kind == "assert"
        if words[0] == "before" and len(words) == 5:
            names = {"command": p.command, "instant": p.receive}
            return all(kind in names and name in names[kind] for kind, name in (words[1:3], words[3:5]))
        return False

    def justify(self, clause, reason):
        kind, *names = reason
        judge = REASONS.get(kind)
        try:
            # What a reason names may not be there, or may be of another kind.
            return judge is not None and judge(self, clause, *names)
        except (KeyError, IndexError, ValueError, TypeError):
            return False

    # ---- messages ----

    def matches_of(self, r):
        """r gets one of the sends to its endpoint."""
        return {("match", r, s) for s in self.program.sends_for(r)}

    def get(self, clause, r):
        return self.matches_of(r) <= clause.true

    def one(self, clause, r):
        return sum(m[0] == "match" and m[1] == r for m in clause.false) >= 2

    def once(self, clause, s):
        return sum(m[0] == "match" and m[2] == s for m in clause.false) >= 2

    def fifo(self, clause, r, s):
        p = self.program
        send, place = p.send[s], p.ordinal[s]
        if place == 0 or ("match", r, s) not in clause.false:
            return False
        before = p.channel[send.source, send.destination][place - 1]
        earlier = p.receives_at[send.destination][:p.ordinal[r]]
        return {("match", other, before) for other in earlier} <= clause.true

    def taken(self, clause, s):
        p = self.program
        return (self.zero and s in p.send and s in p.wait and
                {("match", r, s) for r in p.receives_at[p.send[s].destination]} <= clause.true)

    def crowd(self, clause, count, *names):
        p, count = self.program, int(count)
        receives, sends = set(names[:count]), set(names[count:])
        if len({p.receive[r].destination for r in receives}) != 1 or not len(receives) == count > len(sends):
            return False
        return {("match", r, s) for r in receives for s in p.sends_for(r) if s not in sends} <= clause.true

    def cycle(self, clause):
        edges = set(happens_before(self.program, clause.matches, self.zero))
        # A run is a total order: of two moments that are not before each other, one is after.
        edges |= {(a, b) for a, b in map(two_moments, clause.false) if a != b}
        edges |= {(b, a) for a, b in map(two_moments, clause.true) if a != b}
        return is_cyclic(edges)

    # ---- values ----

    def condition(self, kind, rho):
        c = self.program.command[rho]
        if c.kind != kind:
            raise ValueError("another kind of command")
        return c.expression

    def assumption(self, clause, rho):
        return self.values(clause).of(rho, self.condition("assume", rho)) is False

    def divisor(self, clause, rho):
        return self.values(clause).some_divisor_is_zero(rho)

    def holds(self, clause, rho):
        value = self.values(clause).of(rho, self.condition("assert", rho))
        return ("fails", rho) in clause.false and value is True

    def bound(self, clause, rho):
        return ("fails", rho) in clause.false and self.bounds.excludes(rho, self.condition("assert", rho), False)

    def some(self, clause):
        return self.safe and {("fails", c.location) for c in self.program.commands("assert")} <= clause.true

    def values(self, clause):
        return Values(self.program, clause.matches)


REASONS = {"get": Reasons.get, "one": Reasons.one, "once": Reasons.once, "fifo": Reasons.fifo, "taken": Reasons.taken,
           "crowd": Reasons.crowd, "cycle": Reasons.cycle, "assumption": Reasons.assumption, "divisor": Reasons.divisor,
           "holds": Reasons.holds, "bounds": Reasons.bound, "some": Reasons.some}
