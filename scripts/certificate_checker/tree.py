"""Programs and traces as trees, as the reader makes them (language.py)."""

from dataclasses import dataclass, field

from .collectives import Call

SELECTORS = {"from": "sources", "tag": "tags", "source": "source", "tagged": "tagged"}  # where they are kept


class Node:
    """A value, a variable or an operation. The nodes of an expression are in a list, operands before their operation,
    so that nothing has to recurse into an expression."""
    __slots__ = ("word", "value", "is_variable", "operands", "all", "first", "at")

    def __init__(self, nodes, first, word, operands=(), value=None, is_variable=False):
        self.word, self.operands, self.value, self.is_variable = word, operands, value, is_variable
        self.all, self.first, self.at = nodes, first, len(nodes)
        nodes.append(self)

    def part(self):
        """The nodes of this subexpression; this one is the last."""
        return self.all[self.first:self.at + 1]


class Way:
    """How the machine gets to the second or third operand of an `ite`: it gets to the `ite` by `outer` (always, if that is
    None), and then its condition is `chosen`."""
    __slots__ = ("outer", "condition", "chosen")

    def __init__(self, outer, condition, chosen):
        self.outer, self.condition, self.chosen = outer, condition, chosen

    @staticmethod
    def of(way):
        """All that a way consists of, the outermost first."""
        result = []
        while way is not None:
            result.append(way)
            way = way.outer
        return result[::-1]


def ways(e):
    """The Way to each node of an expression, or None; the node of an `ite` comes before its operands."""
    result = {e: None}
    for node in reversed(e.part()):
        result.update((operand, result[node]) for operand in node.operands)
        if node.operands and node.word == "ite":
            condition, *operands = node.operands
            result.update((operand, Way(result[node], condition, i == 0)) for i, operand in enumerate(operands))
    return result


def is_division(node):
    return bool(node.operands) and node.word in ("div", "mod")


def may_divide_by_zero(node):
    """A division by anything but a number other than zero."""
    return is_division(node) and not node.operands[1].value


def has_conditional_divisor(e):
    """A division that may be by zero is in an operand of an `ite` that it may not choose."""
    if not any(node.word == "ite" and node.operands for node in e.part()):
        return False
    way = ways(e)
    return any(way[node] is not None and may_divide_by_zero(node) for node in e.part())


@dataclass
class Selectors:
    """What a receive says after its variable. A list that is None is not there."""
    sources: list = None  # (from ...)
    tags: list = None     # (tag ...)
    source: str = ""      # the variable of (source y)
    tagged: str = ""      # of (tagged z)

    def restrict(self):
        return self.sources is not None or self.tags is not None

    def admit(self, source, tag):
        """A message from this endpoint, with this tag."""
        return (self.sources is None or source in self.sources) and (self.tags is None or tag in self.tags)

    def admit_all_of(self, other):
        """All messages that the other one admits. There are always more sources and tags than a list names."""
        if other.sources == [] or other.tags == []:
            return True
        return (contains(self.sources, other.sources)) and contains(self.tags, other.tags)


def contains(names, others):
    """None has all names."""
    return names is None or (others is not None and set(others) <= set(names))


@dataclass
class Command:
    kind: str           # assume, when, assert, :=, sndi (for its other modes, too), rcvi, wait, barrier, probe, mprobe, start or
                        # collective (an icollective, too)
    location: str = ""
    action: str = ""
    source: str = ""       # endpoints are numbers without sign and leading zeros
    destination: str = ""
    variable: str = ""
    expression: Node = None
    extra: str = ""        # the location at the end of sndi and rcvi
    mode: str = ""         # of sndi: sndi, ssndi, bsndi or rsndi
    tag: str = ""          # of sndi; "" is not there, which means 0
    selectors: Selectors = None  # of rcvi, probe and mprobe
    barrier: str = ""
    call: Call = None      # of collective
    assigned: list = field(default_factory=list)  # of assume and when: (variable, expression), ...
    place: tuple = None    # (file, line)
    choice: str = ""       # of time, as text; with it, `assume` is a `test`

    def expressions(self):
        """In the order in which they are evaluated."""
        return ([] if self.expression is None else [self.expression]) + [e for _, e in self.assigned]

    def assignments(self):
        """(variable, expression), ... of an assignment, guarded or not."""
        return [(self.variable, self.expression)] if self.kind == ":=" else self.assigned


@dataclass
class File:
    threads: list = field(default_factory=list)  # lists of commands
    traces: list = field(default_factory=list)   # lists of (location, [(destination, source, tag), ...]); "" is no tag. A peek is
                                                 # the last one of these: ("peek", destination, source, tag)
    shared: list = None    # (variable, word of its value), ...; None if there is no `(shared ...)`
    atomic: set = field(default_factory=set)     # those of these variables that are declared atomic
    communicators: dict = None  # communicator -> its members, threads; None if there is no `(communicators ...)`
