"""What expressions evaluate to, as far as it follows from some of the matches; and bounds that hold whatever is matched."""

from collections import defaultdict

from .words import MOST_BITS
from .tree import is_division, ways


def divide(a, b):
    """SMT-LIB's (Euclidean) quotient and rest: 0 <= rest < |b|."""
    rest = a % abs(b)
    return (a - rest) // b, rest


def apply(op, a, b=None, c=None):
    """The value of an operation; None if unknown or without a value. One operand may decide `and`, `or` and `=>`: if
    the other one has no value, no run gets past this expression. An `ite` only needs the operand that it chooses."""
    if op == "ite":
        return (b if b == c else None) if a is None else b if a else c
    if op == "and":
        return False if a is False or b is False else None if a is None or b is None else True
    if op == "or":
        return True if a is True or b is True else None if a is None or b is None else False
    if op == "=>":
        return True if a is False or b is True else None if a is None or b is None else False
    if a is None or (b is None and op != "not"):
        return None
    if op in ("div", "mod"):
        return None if b == 0 else divide(a, b)[op == "mod"]
    if op == "*" and a.bit_length() + b.bit_length() > MOST_BITS:
        return None  # longer than Matchpoint's integers
    return OPERATIONS[op](a, b)


OPERATIONS = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "=": lambda a, b: a == b,
              "!=": lambda a, b: a != b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b,
              ">=": lambda a, b: a >= b, "xor": lambda a, b: a != b, "not": lambda a, _: not a}


def evaluate(e, variable):
    """The values of all nodes of an expression, in their order; variable(x) has the values of variables."""
    values, stack = [], []
    for node in e.part():
        if not node.operands:
            v = variable(node.word) if node.is_variable else node.value
        else:
            v = apply(node.word, *[stack.pop() for _ in node.operands][::-1])
        stack.append(v)
        values.append(v)
    return values


def divides_by_zero(e, values):
    """Some divisor in an expression is zero, and the machine gets there; `values` are those of all its nodes. No run gets past
    it: operands are always evaluated, those of `and`, `or` and `=>`, too, but only the chosen one of an `ite`."""
    zero = [node for node in e.part() if is_division(node) and values[node.operands[1].at] == 0]
    if not zero:
        return False
    way, passed = ways(e), {None: True}  # a way -> whether it is known that the machine goes it
    for w in way.values():
        if w not in passed:
            passed[w] = passed[w.outer] and values[w.condition.at] is w.chosen
    return any(passed[way[node]] for node in zero)


class Values:
    """The values that follow if some receives get certain sends and nothing is known about the others."""

    def __init__(self, program, matches, received=None):
        self.program, self.matches = program, matches
        self.received = dict(received or {})
        self.known = {}

    def all(self, rho, e):
        """The values of all nodes of the expression e at rho."""
        return evaluate(e, lambda x: self.variable(rho, x))

    def of(self, rho, e):
        return self.all(rho, e)[-1]

    def variable(self, rho, name):
        what = self.program.definition[rho, name]
        if what not in self.known:
            self.known[what] = None  # a value that depends on itself is unknown
            self.known[what] = self.defined(*what)
        return self.known[what]

    def defined(self, kind, what):
        if kind == "assigned":
            return self.of(what, self.program.command[what].expression)
        if what in self.received:
            return self.received[what]
        return self.sent(self.matches[what]) if what in self.matches else None

    def sent(self, s):
        c = self.program.send[s]
        return self.of(c.location, c.expression)

    def some_divisor_is_zero(self, rho):
        e = self.program.command[rho].expression
        if e is None:
            return False
        return divides_by_zero(e, self.all(rho, e))


def is_not(v, value):
    """The value v is known, and as a condition it is not `value`."""
    return v is not None and (v is not False) != value


class Bounds:
    """Shows that no match set makes an expression false, by looking at constants, sums and single receives. It uses two facts:
    a receive whose value is used got one of the messages to its endpoint, and no two receives got the same one."""

    def __init__(self, program):
        self.program = program
        self.nothing = Values(program, {})
        self.values = {}  # location -> what its nodes evaluate to if nothing is known

    def known(self, rho, e):
        if rho not in self.values:
            self.values[rho] = self.nothing.all(rho, self.program.command[rho].expression)
        return self.values[rho][e.at]

    def resolve(self, rho, e):
        """Follows a variable to the expression that it was assigned."""
        while e.is_variable:
            kind, what = self.program.definition[rho, e.word]
            if kind != "assigned":
                break
            rho, e = what, self.program.command[what].expression
        return rho, e

    def received(self, rho, e):
        """The receive that a resolved variable comes from."""
        return self.program.definition[rho, e.word][1]

    def single(self, r):
        """The only send that r can get, if all messages to its endpoint come from one other."""
        beta = self.program.receive[r].destination
        sends = self.program.sends_to[beta]
        channels = {self.program.send[s].source for s in sends}
        n = self.program.ordinal[r]
        return sends[n] if len(channels) == 1 and n < len(sends) else None

    def constants(self, r):
        """The values that are sent to a receive's endpoint, if all of them are constants."""
        values = [self.nothing.sent(s) for s in self.program.sends_for(r)]
        return None if None in values else values

    def excludes(self, rho, e, value):
        """The expression has this truth value here in no run. Collects what else would have the value that it needs, and looks
        for something that cannot have it, or that would need both values."""
        needed, todo = {}, [(rho, e, value)]
        while todo:
            rho, e, value = todo.pop()
            rho, e = self.resolve(rho, e)
            if e in needed and needed[e] == value:
                continue
            if e in needed or self.cannot_be(rho, e, value):
                return True
            needed[e] = value
            todo += self.implied(rho, e, value)
        return False

    def implied(self, rho, e, value):
        """What has which value if a resolved expression has this one."""
        if e.is_variable:
            s = self.single(self.received(rho, e))
            return [] if s is None else [(self.program.issued[s], self.program.send[s].expression, value)]
        if e.word == "not":
            return [(rho, e.operands[0], not value)]
        if (e.word, value) in (("and", True), ("or", False)):
            return [(rho, operand, value) for operand in e.operands]
        if (e.word, value) == ("=>", False):
            return [(rho, e.operands[0], True), (rho, e.operands[1], False)]
        return []

    def cannot_be(self, rho, e, value):
        """A resolved expression cannot have this value, whatever the others have."""
        known = self.known(rho, e)
        if known is not None:
            return is_not(known, value)
        if e.is_variable:
            return self.cannot_receive(self.received(rho, e), value)
        return self.by_sum(rho, e, value) or self.by_one_receive(rho, e, value)

    def cannot_receive(self, r, value):
        values = self.constants(r)
        return (self.program.ordinal[r] >= len(self.program.sends_for(r)) or  # no message is left for it
                values is not None and all(is_not(v, value) for v in values))

    def linear(self, rho, e, factor, parts):
        """Adds an expression's coefficients to parts, by receive (the constant has None). False: it is not linear."""
        rho, e = self.resolve(rho, e)
        known = self.known(rho, e)
        if known is not None:
            parts[None] += factor * known
            return not isinstance(known, bool)
        if e.is_variable:
            parts[self.received(rho, e)] += factor
            return True
        left, right = e.operands if len(e.operands) == 2 else (None, None)
        if e.word in ("+", "-"):
            return (self.linear(rho, left, factor, parts) and
                    self.linear(rho, right, factor if e.word == "+" else -factor, parts))
        if e.word == "*":
            for one, other in ((left, right), (right, left)):
                known = self.known(rho, one)
                if known is not None:
                    return self.linear(rho, other, factor * known, parts)
        return False

    def by_sum(self, rho, e, value):
        """A comparison of sums cannot have this value."""
        op = e.word if value else {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}.get(e.word)
        parts = defaultdict(int)
        if op not in ("=", "!=", "<", "<=", ">", ">="):
            return False
        if not self.linear(rho, e.operands[0], 1, parts) or not self.linear(rho, e.operands[1], -1, parts):
            return False
        least = greatest = parts.pop(None, 0)
        at = defaultdict(list)
        for r, a in parts.items():
            if a != 0:
                at[self.program.receive[r].destination].append((a, r))
        for of_endpoint in at.values():
            values = self.constants(of_endpoint[0][1])
            if values is None or any(isinstance(v, bool) for v in values):
                return False
            if len(values) < len(of_endpoint):
                return True
            least += extreme(of_endpoint, sorted(values))
            greatest += extreme(of_endpoint, sorted(values, reverse=True))
        if op == "=" and least == -greatest and self.is_difference_of_two(at):
            return True
        return {"=": least > 0 or greatest < 0, "!=": least == greatest == 0, "<": least >= 0, "<=": least > 0,
                ">": greatest <= 0, ">=": greatest < 0}[op]

    def is_difference_of_two(self, at):
        """Whether these are two receives at an endpoint that gets no value twice: they differ. (`at` as in by_sum.)"""
        if len(at) != 1:
            return False
        (of_endpoint,) = at.values()
        if len(of_endpoint) != 2 or of_endpoint[0][0] != -of_endpoint[1][0]:
            return False
        values = self.constants(of_endpoint[0][1])
        return len(set(values)) == len(values)

    def by_one_receive(self, rho, e, value):
        """If the expression depends on one receive only, all that it can get can be tried."""
        receives, seen, todo = set(), set(), [(rho, e)]
        while todo:
            rho_e, part = todo.pop()
            for node in part.part():
                if not node.is_variable or (what := self.program.definition[rho_e, node.word]) in seen:
                    continue
                seen.add(what)
                if what[0] == "receive":
                    receives.add(what[1])
                else:
                    todo.append((what[1], self.program.command[what[1]].expression))
        if len(receives) != 1:
            return False
        (r,) = receives
        values = self.constants(r)
        return values is not None and all(
            is_not(Values(self.program, {}, {r: v}).of(rho, e), value) for v in set(values))


def extreme(parts, values):
    """The least that the sum of coefficient times value can be, if the values ascend; the greatest, if they descend. Each
    receive gets another message, so this is the rearrangement inequality."""
    up = sorted((a for a, _ in parts if a > 0), reverse=True)
    down = sorted(a for a, _ in parts if a < 0)
    return sum(a * v for a, v in zip(up, values)) + sum(a * v for a, v in zip(down, reversed(values)))
