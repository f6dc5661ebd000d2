"""Why a clause holds in every run in question: one function for each reason of docs/certificates.md.

A clause is judged as a whole: `true` has the meanings of its positive literals, `false` those of its negative ones, and
`matches` the matches among the latter. It holds if what `false` says implies something in `true`, or cannot be.

With runs "complete" a clause is about complete runs. With runs "executions" it is about a moment of an execution, at which
all assumptions that were executed are true: `match R S` says that S has been delivered as the partner of R, `executed RHO`
that the command at RHO has run, `fails RHO` that this assertion has run and is false, and `complete` that all commands have
run."""

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
    judges_of_complete_runs, judges_of_executions = {}, {}  # kind of reason -> its judge

    def __init__(self, program, zero, safe, complete):
        self.program, self.zero, self.safe, self.complete = program, zero, safe, complete
        self.judges = self.judges_of_complete_runs if complete else self.judges_of_executions
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
        if words[0] == "executed" and len(words) == 2:
            return not self.complete and words[1] in p.command
        return words == ["complete"] and not self.complete

    def justify(self, clause, reason):
        kind, *names = reason
        judge = self.judges.get(kind)
        try:
            # What a reason names may not be there, or may be of another kind.
            return judge is not None and judge(self, clause, *names)
        except (KeyError, IndexError, ValueError, TypeError):
            return False

    def ran(self, clause, rho):
        """The clause is only about runs in which the command at rho has run."""
        return self.complete or ("executed", rho) in clause.false

    # ---- messages ----

    def matches_of(self, r):
        """r gets one of the sends to its endpoint."""
        return {("match", r, s) for s in self.program.sends_for(r)}

    def get(self, clause, r):
        return self.ran(clause, self.program.nw[r]) and self.matches_of(r) <= clause.true

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
        return (self.zero and s in p.send and self.ran(clause, p.wait[s]) and
                {("match", r, s) for r in p.receives_at[p.send[s].destination]} <= clause.true)

    def crowd(self, clause, count, *names):
        p, count = self.program, int(count)
        receives, sends = set(names[:count]), set(names[count:])
        if len({p.receive[r].destination for r in receives}) != 1 or not len(receives) == count > len(sends):
            return False
        if not all(self.ran(clause, p.nw[r]) for r in receives):
            return False
        return {("match", r, s) for r in receives for s in p.sends_for(r) if s not in sends} <= clause.true

    def cycle(self, clause):
        edges = self.edges(clause)
        # A run is a total order: if one moment is not before another, it is after it. (An execution is continued by
        # the commands that it lacks, in program order, each unmatched rendezvous after its receive.)
        edges |= {(a, b) for a, b in map(two_moments, clause.false) if a != b}
        edges |= {(b, a) for a, b in map(two_moments, clause.true) if a != b}
        return is_cyclic(edges)

    def edges(self, clause):
        """What is before what if none of the clause's literals is true."""
        return set(happens_before(self.program, clause.matches, self.zero))

    # ---- values ----

    def condition(self, kind, rho):
        c = self.program.command[rho]
        if c.kind != kind:
            raise ValueError("another kind of command")
        return c.expression

    def assumption(self, clause, rho):
        return self.ran(clause, rho) and self.values(clause).of(rho, self.condition("assume", rho)) is False

    def divisor(self, clause, rho):
        return self.ran(clause, rho) and self.values(clause).some_divisor_is_zero(rho)

    def holds(self, clause, rho):
        value = self.values(clause).of(rho, self.condition("assert", rho))
        return ("fails", rho) in clause.false and value is True

    def bound(self, clause, rho):
        return ("fails", rho) in clause.false and self.bounds.excludes(rho, self.condition("assert", rho), False)

    def some(self, clause):
        fails = {("fails", c.location) for c in self.program.commands("assert")}
        if self.safe:
            return fails <= clause.true
        return not self.complete and fails | {("complete",)} <= clause.true

    def values(self, clause):
        return Values(self.program, clause.matches)

    # ---- how far an execution is ----

    def order(self, clause, first, then):
        (t, i), (u, k) = self.program.place[first], self.program.place[then]
        return t == u and i < k and ("executed", then) in clause.false and ("executed", first) in clause.true

    def sent(self, clause, r, s):
        return ("match", r, s) in clause.false and ("executed", self.program.issued[s]) in clause.true

    def posted(self, clause, r, s):
        return self.zero and ("match", r, s) in clause.false and ("executed", self.program.issued[r]) in clause.true

    def queue(self, clause, r, s):
        p = self.program
        if p.ordinal[r] == 0 or ("match", r, s) not in clause.false:
            return False
        return self.matches_of(p.receives_at[p.receive[r].destination][p.ordinal[r] - 1]) <= clause.true

    def failed(self, clause, rho):
        return ("fails", rho) in clause.false and ("executed", rho) in clause.true

    def finish(self, clause, rho):
        return ("complete",) in clause.false and ("executed", rho) in clause.true


OF_MESSAGES = {"get": Reasons.get, "one": Reasons.one, "once": Reasons.once, "fifo": Reasons.fifo, "taken": Reasons.taken,
               "crowd": Reasons.crowd}
OF_PROGRESS = {"order": Reasons.order, "sent": Reasons.sent, "posted": Reasons.posted, "queue": Reasons.queue,
               "failed": Reasons.failed, "finish": Reasons.finish}
Reasons.judges_of_complete_runs = {**OF_MESSAGES, "cycle": Reasons.cycle, "assumption": Reasons.assumption,
                                   "divisor": Reasons.divisor, "holds": Reasons.holds, "bounds": Reasons.bound, "some": Reasons.some}
Reasons.judges_of_executions = {**Reasons.judges_of_complete_runs, **OF_PROGRESS}
