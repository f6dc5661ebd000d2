"""Collective calls, as docs/semantics.md has them: the kinds, what a call needs, and which calls disagree."""

from dataclasses import dataclass, field

ALL, ROOT, ALL_AT_ROOT, CONTRIBUTORS, LOWER = "all", "root", "all at the root", "contributors", "lower"
NO_DATA, ONE, OF_MEMBERS, OF_RECEIVERS, OF_BLOCKS = "no data", "one", "of members", "of receivers", "of blocks"

# A kind says what it needs, what its counts are of, and what else it may say: a root, an operation. `alltoallv` and `alltoallw`
# move data whose types are not compared: each pair of members has its own.
KINDS = {
    "barrier": (ALL, NO_DATA), "construct": (ALL, NO_DATA),
    "bcast": (ROOT, ONE, "root"), "scatter": (ROOT, ONE, "root"), "scatterv": (ROOT, OF_MEMBERS, "root"),
    "gather": (ALL_AT_ROOT, ONE, "root"), "gatherv": (ALL_AT_ROOT, OF_MEMBERS, "root"), "reduce": (ALL_AT_ROOT, ONE, "root", "op"),
    "allgather": (CONTRIBUTORS, ONE), "allgatherv": (CONTRIBUTORS, OF_MEMBERS),
    "alltoall": (CONTRIBUTORS, ONE), "alltoallv": (CONTRIBUTORS, OF_RECEIVERS), "alltoallw": (CONTRIBUTORS, OF_RECEIVERS),
    "allreduce": (ALL, ONE, "op"),
    "reduce_scatter": (CONTRIBUTORS, OF_BLOCKS, "op"), "reduce_scatter_block": (CONTRIBUTORS, ONE, "op"),
    "scan": (LOWER, ONE, "op"), "exscan": (LOWER, ONE, "op"),
}
PARTS = ("root", "op", "type", "count")


@dataclass
class Call:
    """What a collective says. A part that is "", and counts that are [], are not there."""
    communicator: str
    kind: str
    blocks: bool
    root: str = ""  # numbers are plain
    op: str = ""
    type: str = ""
    count: list = field(default_factory=list)

    def needs(self):
        return KINDS[self.kind][0]

    def counts(self):
        return KINDS[self.kind][1]

    def fault(self, members):
        """What breaks rule S10, of the call and the members of its communicator, or None."""
        may = KINDS[self.kind][2:]
        if ("root" in may) != (self.root != ""):
            return "a root belongs to kinds that have one"
        if self.root and int(self.root) not in members:
            return "the root is not a member of the communicator"
        if self.op and "op" not in may:
            return "this kind reduces nothing"
        if (self.type or self.count) and self.counts() == NO_DATA:
            return "this kind moves no data"
        if len(self.count) > 1 and (self.counts() == ONE or len(self.count) != len(members)):
            return "there is one count, or one for each member"
        return None

    def contributes(self, own, other):
        """Whether the member at place `own` contributes to the one at place `other`, as far as its call says."""
        if len(self.count) < 2:
            return self.count != ["0"]
        return self.count[own if self.counts() == OF_MEMBERS else other] != "0"

    def supposes(self, own, other):
        """The same of a member at place `own` that makes no call: what this call says of it, if both would have to say the same."""
        if self.counts() == OF_RECEIVERS or (self.counts() == OF_MEMBERS and len(self.count) < 2):
            return True
        return self.contributes(own, other)

    def said_counts(self, own, members):
        """{what is counted: how much}, where two calls have to say the same of the same."""
        if not self.count or self.counts() == OF_RECEIVERS:
            return {}
        if self.counts() == ONE:
            return {"all": self.count[0]}
        if len(self.count) > 1:
            return dict(enumerate(self.count))
        return {own: self.count[0]} if self.counts() == OF_MEMBERS else dict.fromkeys(range(members), self.count[0])


def agree(call, own, other, others, members):
    """Whether two calls that belong together agree; `own` and `others` are the places of their members, of so many."""
    if (call.kind, call.blocks, call.root) != (other.kind, other.blocks, other.root):
        return False
    pairs = [(call.op, other.op)] + [(call.type, other.type)] * (call.kind not in ("alltoallv", "alltoallw"))
    counts, of_other = call.said_counts(own, members), other.said_counts(others, members)
    pairs += [(counts[what], of_other[what]) for what in counts.keys() & of_other.keys()]
    return all(a == b for a, b in pairs if a and b)


class Meeting:
    """The i-th calls of a communicator, one for each of its members that has so many."""

    def __init__(self, members):
        self.members = members  # threads, in their order
        self.call = {}          # thread -> the location of its call
        self.said = {}          # thread -> its Call

    def needs(self, thread, other, zero):
        """Whether the call of a member needs another one's."""
        if thread == other:
            return False
        call, root = self.said[thread], self.said[thread].root
        if zero or call.needs() == ALL:
            return True
        if call.needs() == ROOT:
            return str(other) == root
        if call.needs() == ALL_AT_ROOT:
            return str(thread) == root
        if call.needs() == LOWER:
            return self.members.index(other) < self.members.index(thread)
        place = self.members.index
        contributes = self.said[other].contributes if other in self.said else call.supposes
        return contributes(place(other), place(thread))

    def needed(self, thread, zero):
        """The members that the call of one of them needs."""
        return [other for other in self.members if self.needs(thread, other, zero)]

    def disagree(self, thread, other):
        place = self.members.index
        return not agree(self.said[thread], place(thread), self.said[other], place(other), len(self.members))

    def agrees(self):
        threads = list(self.said)
        return not any(self.disagree(a, b) for i, a in enumerate(threads) for b in threads[:i])
