"""Why a clause about a program with shared variables holds: one function for each reason that other programs do not have, or not
with this meaning (docs/certificates.md, "Shared variables").

A command *uses* a variable in its expressions, and *defines* those that it gives values to: an assignment, guarded or not, or a
wait that completes receives into them. As in reasons.py, a clause holds if what `false` says implies something in `true`, or
cannot be. These meanings are new; each of them says that the command at RHO has been executed:

    read RHO x RHO2   it uses the shared variable x, and the last definition of x before it was the command at RHO2
    read RHO x        ... and no definition of x was before it
    in RHO x V        it uses the shared variable x, which was V before it
    out RHO x V       it defines x, as V
    payload S V       (here RHO is where S is sent) the message of S carries V"""

from .words import INTEGER, plain_number, value
from .reasons import OF_MESSAGES, OF_PROGRESS, Reasons
from .program import used
from .values import divides_by_zero, evaluate


class ReasonsOfShared(Reasons):
    # ---- variables of clauses ----

    def is_meaning(self, words):
        kind, *names = words
        if kind == "read" and len(names) in (2, 3):
            return self.is_use(*names[:2]) and tuple(words) in self.reads_of(*names[:2])
        if kind == "in" and len(names) == 3:
            rho, x, v = names
            return self.is_use(rho, x) and is_value(v, self.program.sorts.of_shared(x))
        if kind == "out" and len(names) == 3:
            rho, x, v = names
            given = self.program.gives.get(rho, {})
            return x in given and is_value(v, self.sort_of(x, given[x]))
        if kind == "payload" and len(names) == 2:
            s, v = names
            return s in self.program.send and is_value(v, self.sort_to(self.program.send[s].destination))
        return super().is_meaning(words)

    def is_use(self, rho, x):
        return x in self.program.shared and rho in self.program.command and x in used(self.program.command[rho])

    def sort_of(self, x, definition):
        return self.program.sorts.find(self.program.sorts.given(x, *definition))

    def sort_to(self, endpoint):
        return self.program.sorts.find(("sent to", endpoint))

    def reads_of(self, rho, x):
        """All that the command at rho can read x from: the last definition before it in its thread, those of other threads and,
        if there is none before it in its thread, what x is in the beginning."""
        thread, place = self.program.place[rho]
        own, others = None, []
        for other in self.program.definitions[x]:
            t, i = self.program.place[other]
            if t != thread:
                others.append(other)
            elif i < place:
                own = other
        first = ("read", rho, x) if own is None else ("read", rho, x, own)
        return {first, *(("read", rho, x, other) for other in others)}

    # ---- what a clause is about: the opposite of each literal is taken to be so ----

    def ran(self, clause, rho):
        return self.complete or any(rho in self.executed(m) for m in clause.false)

    def executed(self, m):
        """Commands that have been executed if the meaning is so."""
        if m[0] in ("executed", "fails", "in", "out"):
            return m[1:2]
        if m[0] == "read":
            return m[1], *m[3:]
        return (self.program.issued[m[1]],) if m[0] == "payload" else ()

    def is_not_before(self, clause, a, b):
        """The command at a is not before the one at b: these are other commands, and a literal says so, or the program."""
        (t, i), (u, k) = self.program.place[a], self.program.place[b]
        return (("before", "command", a, "command", b) in clause.true or ("before", "command", b, "command", a) in clause.false or
                (t == u and i > k))

    def all_values(self, clause, rho, e):
        """The values of all nodes of the expression e at rho, as far as they follow from `in` and `out`."""
        known = {m[:3]: value(m[3]) for m in sorted(clause.false) if m[0] in ("in", "out")}
        return evaluate(e, lambda x: known.get(self.origin(rho, x)))

    def origin(self, rho, x):
        """What says the value of x where the command at rho uses it, without the value."""
        if x in self.program.shared:
            return "in", rho, x
        kind, what = self.program.definition[rho, x]
        return "out", self.program.nw[what] if kind == "receive" else what, x

    def value_of(self, clause, rho, e):
        return self.all_values(clause, rho, e)[-1]

    def divides(self, clause, rho):
        """If the command at rho has been executed, all its expressions have been evaluated (the guard of an assumption
        or a `when` was true), and one of them divides by zero, which cannot be."""
        return any(divides_by_zero(e, self.all_values(clause, rho, e)) for e in self.program.command[rho].expressions())

    @staticmethod
    def says(clause, words, v):
        """The clause says that this is v, whose value is known."""
        return v is not None and any(m[:-1] == words and is_same(value(m[-1]), v) for m in clause.true)

    # ---- what is read ----

    def reads(self, clause, rho, x):
        return self.ran(clause, rho) and self.is_use(rho, x) and self.reads_of(rho, x) <= clause.true

    def written(self, clause, rho, x, other):
        return ("read", rho, x, other) in clause.false and ("executed", other) in clause.true

    def reader(self, clause, rho, x):
        return any(m[:3] == ("read", rho, x) for m in clause.false) and ("executed", rho) in clause.true

    def between(self, clause, rho, x, *names):
        """rho reads x from the first of two names, or the initial value if there is only one. The last name is another
        definition of x, which is not between the two commands, or not before rho if the initial value is read."""
        *written, other = names
        if ("read", rho, x, *written) not in clause.false or other not in self.program.definitions[x] or other in (rho, *written):
            return False
        return self.is_not_before(clause, rho, other) and all(self.is_not_before(clause, other, w) for w in written)

    def edges(self, clause):
        return super().edges(clause) | {(m[3], m[1]) for m in clause.false if m[0] == "read" and len(m) == 4}

    # ---- values ----

    def input(self, clause, rho, x):
        if ("read", rho, x) in clause.false and self.says(clause, ("in", rho, x), self.program.shared[x]):
            return True
        written = {m[3] for m in clause.false if m[:3] == ("read", rho, x) and len(m) == 4}
        return any(("out", w, x, m[3]) in clause.false for w in written for m in clause.true if m[:3] == ("in", rho, x))

    def output(self, clause, rho, x):
        e = dict(self.program.command[rho].assignments())[x]
        return self.ran(clause, rho) and self.says(clause, ("out", rho, x), self.value_of(clause, rho, e))

    def payload(self, clause, s):
        c = self.program.send[s]
        return self.ran(clause, c.location) and self.says(clause, ("payload", s), self.value_of(clause, c.location, c.expression))

    def delivery(self, clause, rho, x, r, s):
        """The last of the receives into x that the wait completes counts; `gives` has no other."""
        if self.program.gives[rho][x] != ("receive", r) or ("match", r, s) not in clause.false or not self.ran(clause, rho):
            return False
        return any(m[:3] == ("out", rho, x) and ("payload", s, m[3]) in clause.false for m in clause.true)

    def guard(self, clause, rho):
        c = self.program.command[rho]
        return (c.kind in ("assume", "when") and self.ran(clause, rho) and
                (self.value_of(clause, rho, c.expression) is False or self.divides(clause, rho)))

    def divisor(self, clause, rho):
        return self.ran(clause, rho) and self.divides(clause, rho)

    def holds(self, clause, rho):
        return ("fails", rho) in clause.false and self.value_of(clause, rho, self.condition("assert", rho)) is True

    def single(self, clause, rho, x):
        return any(len({m for m in clause.false if m[:3] == (kind, rho, x)}) > 1 for kind in ("in", "out"))


def is_value(word, sort):
    """Whether it stands for a value of this sort, as it is written (a sort that is no word can be either)."""
    if word in ("true", "false"):
        return sort != "Int"
    return sort != "Bool" and INTEGER.fullmatch(word) is not None and plain_number(word) == word


def is_same(a, b):
    return isinstance(a, bool) == isinstance(b, bool) and a == b


ReasonsOfShared.judges_of_complete_runs = {
    **OF_MESSAGES, "cycle": ReasonsOfShared.cycle, "some": ReasonsOfShared.some, "reads": ReasonsOfShared.reads,
    "between": ReasonsOfShared.between, "input": ReasonsOfShared.input, "output": ReasonsOfShared.output,
    "payload": ReasonsOfShared.payload, "delivery": ReasonsOfShared.delivery, "guard": ReasonsOfShared.guard,
    "divisor": ReasonsOfShared.divisor, "holds": ReasonsOfShared.holds, "single": ReasonsOfShared.single}
ReasonsOfShared.judges_of_executions = {
    **ReasonsOfShared.judges_of_complete_runs, **OF_PROGRESS, "written": ReasonsOfShared.written, "reader": ReasonsOfShared.reader}
