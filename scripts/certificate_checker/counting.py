"""Proves by counting that no execution of a program with shared variables fails (docs/shared_memory.md, "By counting").

Everything is about executions in which no assumption was false yet: an assumption, a guarded assignment or a `when` that has been
executed had a guard that was true. A thread is at the place of the command that it is about to execute; at its end it
is after the last one.

    sum        constant + factor * x, for shared variables x, each as some command of the thread reads it; locals are replaced
               by what they were assigned. `true` is 1, and `false` is 0
    count      a variable to which each write adds a constant, so its value follows from the places of all threads
    semaphore  a count that is never negative: what subtracts d has a guard in the same step by which it is d or more
    before     what each other thread has executed whenever a command is executed: program order, and what guards need"""

from collections import defaultdict

from . import Refused, shown
from .words import COMPARISONS, GIVE_INTEGERS, OF_INTEGERS
from .program import used

MOST_BITS = 1 << 12  # of the factors of a product: squares of squares grow beyond every memory
OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def holds(low, high, op):
    """Whether `n op 0` for all n from low to high: True or False; None if for some only."""
    if op == "!=":
        is_equal = holds(low, high, "=")
        return None if is_equal is None else not is_equal
    always, never = {"=": (low == high == 0, low > 0 or high < 0), "<": (high < 0, low >= 0), "<=": (high <= 0, low > 0),
                     ">": (low > 0, high <= 0), ">=": (low >= 0, high < 0)}[op]
    return True if always else False if never else None


class Sum:
    def __init__(self, constant=0, parts=None):
        self.constant = constant
        self.parts = parts or {}  # (location, variable) -> factor, not 0

    def plus(self, other, factor=1):
        parts = dict(self.parts)
        for key, n in other.parts.items():
            parts[key] = parts.get(key, 0) + factor * n
        return Sum(self.constant + factor * other.constant, {key: n for key, n in parts.items() if n})

    def bits(self):
        return max(n.bit_length() for n in (self.constant, *self.parts.values()))


def combined(op, a, b):
    """The sum that an operation on integers gives; None if it is not known to be one."""
    if a is None or b is None:
        return None
    if op in ("+", "-"):
        return a.plus(b, 1 if op == "+" else -1)
    if op == "*" and not a.parts:
        a, b = b, a
    is_sum = op == "*" and not b.parts and a.bits() + b.bits() <= MOST_BITS
    return Sum().plus(a, b.constant) if is_sum else None


class Additions:
    """What the commands of a thread add to something: by their places, in their order."""

    def __init__(self):
        self.places, self.after = [], []

    def add(self, place, n):
        self.places.append(place)
        self.after.append((self.after[-1] if self.after else 0) + n)

    def at(self, place):
        """What has been added when the thread is at this place."""
        done = [n for p, n in zip(self.places, self.after) if p < place]
        return done[-1] if done else 0

    def between(self, first, last):
        """The least and the greatest over all places from first to last."""
        values = [self.at(first), *(n for p, n in zip(self.places, self.after) if first <= p < last)]
        return min(values), max(values)


class Counting:
    def __init__(self, program):
        self.program = program
        self.thread = {rho: t for rho, (t, _) in program.place.items()}
        self.local = {}  # (location, local variable) -> the sum that it is where the command uses it
        self.find_locals()
        self.writes = defaultdict(list)  # shared variable -> (location, expression), in the order of the program
        for thread in program.threads:
            for rho in thread:
                for x, e in program.command[rho].assignments():
                    if x in program.shared:
                        self.writes[x].append((rho, e))
        received = {x for rho, given in program.gives.items() for x, what in given.items() if what[0] != "assigned"}
        self.open = [x for x in program.shared if x not in received]
        self.count = {}      # variable -> thread -> Additions
        self.semaphores = []
        self.before = {rho: {} for rho in program.command}  # location -> thread -> how many commands of it come first
        self.guards = defaultdict(list)  # location -> comparisons of what it reads itself
        for rho, c in program.command.items():
            if c.kind in ("assume", "when"):
                self.guards[rho] = [k for k in self.conjuncts(rho, c.expression)
                                    if k and k[0].parts and all(at == rho for at, _ in k[0].parts)]
        while self.find_counts():
            self.find_order()

    # ---- expressions ----

    def find_locals(self):
        program = self.program
        for thread in program.threads:
            now = {}
            for rho in thread:
                c = program.command[rho]
                for x in used(c):
                    if x not in program.shared:
                        self.local[rho, x] = now[x]
                values = {x: self.sum(rho, e) for x, e in c.assignments()}
                now.update((x, values.get(x)) for x in program.gives[rho])

    def leaf(self, rho, node):
        if not node.is_variable:
            return Sum(int(node.value))
        if node.word in self.program.shared:
            return Sum(0, {(rho, node.word): 1})
        return self.local[rho, node.word]

    def sum(self, rho, e):
        stack = []
        for node in e.part():
            if not node.operands:
                stack.append(self.leaf(rho, node))
            elif node.word == "not":
                stack[-1] = combined("-", Sum(1), stack[-1])
            elif node.word == "ite":
                stack[-3:] = [None]
            else:
                right = stack.pop()
                stack[-1] = combined(node.word, stack[-1], right)
        return stack[-1]

    def comparison(self, rho, node, is_true):
        """What a comparison, a boolean variable or a value says: (sum, op) for `sum op 0`; None if that is no sum."""
        if not node.operands:
            s = self.leaf(rho, node)
            return s and (s.plus(Sum(1), -1), "=" if is_true else "!=")
        if node.word not in OPPOSITE:
            return None
        s = combined("-", *(self.sum(rho, operand) for operand in node.operands))
        return s and (s, node.word if is_true else OPPOSITE[node.word])

    def conjuncts(self, rho, e):
        """All that has to hold if a condition does: comparisons; None for each part that is not one."""
        result, left = [], [(e, True)]
        while left:
            node, is_true = left.pop()
            a, *rest = node.operands or (None,)
            if node.operands and node.word == "not":
                left.append((a, not is_true))
            elif node.operands and node.word == ("and" if is_true else "or"):
                left += [(rest[0], is_true), (a, is_true)]
            elif node.operands and node.word == "=>" and not is_true:
                left += [(rest[0], False), (a, True)]
            else:
                result.append(self.comparison(rho, node, is_true))
        return result

    # ---- counts ----

    def find_counts(self):
        found = [x for x in self.open if self.is_count(x)]
        self.open = [x for x in self.open if x not in found]
        return bool(found)

    def is_count(self, x):
        additions = defaultdict(Additions)
        initial, threads = int(self.program.shared[x]), {self.thread[rho] for rho, _ in self.writes[x]}
        for rho, e in self.writes[x]:
            t, place = self.program.place[rho]
            s = self.sum(rho, e)
            if s is None:
                return False
            if not s.parts and len(threads) == 1:  # only this thread writes x: a constant
                n = s.constant - initial - additions[t].at(place)
            elif len(s.parts) == 1 and self.adds(x, rho, *s.parts.items()):
                n = s.constant
            else:
                return False
            additions[t].add(place, n)
        self.count[x] = dict(additions)
        if initial >= 0 and all(self.is_semaphore_write(x, rho, n) for rho, n in self.added(x)):
            self.semaphores.append(x)
        return True

    def added(self, x):
        for t, additions in self.count[x].items():
            total = 0
            for place, after in zip(additions.places, additions.after):
                yield self.program.threads[t][place], after - total
                total = after

    def adds(self, x, rho, part):
        """A write at rho of `x, as a command of the thread read it, + a constant` adds the constant: no other write comes between."""
        (read, y), factor = part
        if y != x or factor != 1:
            return False
        t, place = self.program.place[rho]
        first = self.program.place[read][1]
        for other, _ in self.writes[x]:
            u, i = self.program.place[other]
            if (first <= i < place if u == t else self.comes_between(other, read, rho)):
                return False
        return True

    def comes_between(self, other, first, second):
        """As far as is known, a command of another thread can be executed when `first` has been, and `second` of the same thread
        has not."""
        if first == second or self.comes_first(other, first) or self.comes_first(second, other):
            return False
        t, place = self.program.place[first]
        return not self.exclude(t, place + 1, self.program.place[second][1], *self.program.place[other])

    def is_semaphore_write(self, x, rho, n):
        """A write that subtracts has a guard in its step by which x is large enough."""
        if n >= 0:
            return True
        return any(k and list(k[0].parts) == [(rho, x)] and
                   holds(*self.least_and_most(k, (rho, x), n), "<=") is True for k in self.guards[rho])

    @staticmethod
    def least_and_most(comparison, part, n):
        """-n - x, for the least x with which the comparison can hold; two numbers above 0 if there is none."""
        (s, op), factor = comparison, comparison[0].parts[part]
        if abs(factor) != 1:
            return 1, 1
        bound = -s.constant * factor  # x op' bound
        op = op if factor == 1 else {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(op, op)
        least = {"=": bound, ">=": bound, ">": bound + 1}.get(op)
        return (1, 1) if least is None else (-n - least, -n - least)

    def exclude(self, t, first, last, u, place):
        """Thread t is nowhere from first to last while thread u is at a place: some semaphore would be negative."""
        for s in self.semaphores:
            additions = self.count[s]
            if t in additions and u in additions:
                others = sum(max(0, *a.after) for v, a in additions.items() if v not in (t, u))
                most = additions[t].between(first, last)[1] + additions[u].at(place)
                if int(self.program.shared[s]) + others + most < 0:
                    return True
        return False

    # ---- what comes first ----

    def comes_first(self, a, b):
        """Each execution that executes b has executed a before."""
        (t, i), (u, k) = self.program.place[a], self.program.place[b]
        return i < k if t == u else self.before[b].get(t, 0) > i

    def first_place(self, rho, u):
        """Thread u is there or after it whenever rho is executed."""
        t, i = self.program.place[rho]
        return i if u == t else self.before[rho].get(u, 0)

    def last_place(self, rho, u):
        """Thread u is there or before it whenever rho is executed: what needs rho is not executed yet."""
        t, i = self.program.place[rho]
        thread = self.program.threads[u]
        if u == t:
            return i
        low, high = 0, len(thread)  # if a command needs rho, so do the later ones: bisect
        while low < high:
            middle = (low + high) // 2
            if self.before[thread[middle]].get(t, 0) > i:
                high = middle
            else:
                low = middle + 1
        return low

    def places(self, rho, u, is_executed):
        """First and last of the places where thread u can be when rho is executed, or when its thread is at rho."""
        t, i = self.program.place[rho]
        last = self.last_place(rho, u)
        if not is_executed and u != t:
            first = self.before[self.program.threads[t][i - 1]].get(u, 0) if i > 0 else 0
        else:
            first = self.first_place(rho, u)
        return first, max(first, last)

    def find_order(self):
        changed = True
        while changed:
            changed = False
            for thread in self.program.threads:
                for i, rho in enumerate(thread):
                    known = dict(self.before[rho])
                    if i > 0:
                        self.inherit(rho, self.before[thread[i - 1]])
                    for s, op in self.guards[rho]:
                        self.find_needs(rho, s, op)
                    for u, n in list(self.before[rho].items()):
                        self.inherit(rho, self.before[self.program.threads[u][n - 1]])
                    changed |= self.before[rho] != known

    def inherit(self, rho, others):
        for u, n in others.items():
            if u != self.thread[rho]:
                self.raise_to(rho, u, n)

    def raise_to(self, rho, u, n):
        if n > self.before[rho].get(u, 0):
            self.before[rho][u] = n

    def additions(self, parts):
        """What threads add to a sum of variables that are read by one command; None if one of them does not count."""
        if any(x not in self.count for _, x in parts):
            return None
        if len(parts) == 1 and list(parts.values()) == [1]:
            return self.count[next(iter(parts))[1]]
        by_thread = defaultdict(dict)
        for (_, x), factor in parts.items():
            for rho, n in self.added(x):
                t, place = self.program.place[rho]
                by_thread[t][place] = by_thread[t].get(place, 0) + factor * n
        result = defaultdict(Additions)
        for t, all_of_it in by_thread.items():
            for place in sorted(all_of_it):
                result[t].add(place, all_of_it[place])
        return dict(result)

    def initial(self, s):
        return s.constant + sum(factor * int(self.program.shared[x]) for (_, x), factor in s.parts.items())

    def find_needs(self, rho, s, op):
        """If the guard at rho is false wherever another thread is up to some place, that thread has to be after it."""
        additions = self.additions(s.parts)
        if additions is None:
            return
        ranges = {u: a.between(*self.places(rho, u, True)) for u, a in additions.items()}
        low, high = (self.initial(s) + sum(r[i] for r in ranges.values()) for i in (0, 1))
        for u, a in additions.items():
            if u == self.thread[rho]:
                continue
            first, last = self.places(rho, u, True)
            rest = low - ranges[u][0], high - ranges[u][1]
            # It can be at `first`, and after each command that adds something.
            for place in [first, *(p + 1 for p in a.places if first <= p < last)]:
                if holds(rest[0] + a.at(place), rest[1] + a.at(place), op) is not False:
                    break
            else:
                continue  # the guard is never true; rho is never executed
            self.raise_to(rho, u, place)

    # ---- assertions ----

    def bounds(self, rho, s):
        """The least and the greatest value of a sum at the assertion rho; None if something does not count."""
        low = high = s.constant
        by_read = defaultdict(dict)
        for (at, x), factor in s.parts.items():
            by_read[at][at, x] = factor
        for at, parts in by_read.items():
            additions = self.additions(parts)
            if additions is None:
                return None
            ranges = [a.between(*self.places(at, u, at != rho)) for u, a in additions.items()]
            initial = self.initial(Sum(0, parts))
            low, high = (n + initial + sum(r[i] for r in ranges) for i, n in ((0, low), (1, high)))
        return low, high

    def compares(self, rho, s, op):
        """Whether `s op 0` where rho is executed; None if that is unknown, or s is None."""
        bounds = None if s is None else self.bounds(rho, s)
        if bounds is None:
            return None
        low, high = bounds
        # No semaphore is negative: s is at most s + x, and at least s - x.
        for x in [None, *self.semaphores]:
            if x is not None:
                high = min(high, self.bounds(rho, s.plus(Sum(0, {(rho, x): 1})))[1])
                low = max(low, self.bounds(rho, s.plus(Sum(0, {(rho, x): -1})))[0])
            known = holds(low, high, op)
            if known is not None:
                return known
        return None

    def is_true(self, rho, e):
        """Whether a condition holds where rho is executed; None if that is unknown."""
        stack = []  # (sum or None, True, False or None); the second is None for an integer
        for node in e.part():
            operands = [stack.pop() for _ in node.operands][::-1]
            stack.append(self.judged(rho, node, *operands))
        return stack[-1][1]

    def judged(self, rho, node, left=None, right=None, third=None):
        if not node.operands:
            s = self.leaf(rho, node)
            is_condition = s is not None and self.is_boolean(rho, node)
            return s, self.compares(rho, s.plus(Sum(1), -1), "=") if is_condition else None
        if node.word == "not":
            s, is_true = left
            return combined("-", Sum(1), s), None if is_true is None else not is_true
        if node.word == "ite":
            if left[1] is None:
                return None, right[1] if right[1] == third[1] else None
            return right if left[1] else third
        if node.word in GIVE_INTEGERS:
            return combined(node.word, left[0], right[0]), None
        are_sums = left[0] is not None and right[0] is not None
        if node.word in OF_INTEGERS or (node.word in COMPARISONS and are_sums):
            return None, self.compares(rho, combined("-", left[0], right[0]), node.word)
        return None, of_booleans(node.word, left[1], right[1])

    def is_boolean(self, rho, leaf):
        return self.program.sorts.find(self.program.sorts.expression(rho, leaf)) == "Bool"

    def check(self):
        """Refuses a program unless it proves that no execution fails."""
        for c in self.program.commands("assert"):
            if self.is_true(c.location, c.expression) is not True:
                raise Refused(f"counting does not prove that the assertion at {shown(c.location, 40)} holds")


def of_booleans(op, a, b):
    """By Kleene; None is unknown. Comparisons of integers that are no sums come here, too, with both unknown."""
    if op == "and":
        return False if a is False or b is False else None if a is None or b is None else True
    if op in ("or", "=>"):
        a = a if op == "or" or a is None else not a
        return True if a is True or b is True else None if a is None or b is None else False
    if a is None or b is None:
        return None
    return a == b if op == "=" else a != b
