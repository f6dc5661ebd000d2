"""Runs one trace of a program, as docs/semantics.md has it, and refuses every run but a complete one without a failure."""

from collections import defaultdict, deque

from . import Refused, shown
from .language import MOST_BITS
from .values import OPERATIONS, divide


def stuck(entry, why):
    raise Refused(f"the run of witness.ctp cannot go on at entry {entry}: {why}")


class Machine:
    def __init__(self, program, zero):
        self.program, self.zero = program, zero
        self.next = [0] * len(program.threads)  # thread -> how many of its commands have run
        self.store = {}
        self.transit = defaultdict(deque)  # (destination, source) -> [action, value], the oldest first
        self.posted = defaultdict(list)    # endpoint -> [action, variable]
        self.delivered = defaultdict(list) # endpoint -> [action, value, whether its receive has it already]
        self.taken = set()                 # sends that have been delivered
        self.entry = 0

    def run(self, trace):
        """To the end of the trace; all commands have to have run then, with every condition true."""
        for self.entry, (location, movements) in enumerate(trace):
            self.check_is_next(location)
            for destination, source in movements:
                self.move(destination, source)
            getattr(self, RULES[self.program.command[location].kind])(self.program.command[location])
            self.next[self.program.place[location][0]] += 1
        if self.next != [len(thread) for thread in self.program.threads]:
            stuck(len(trace), "the trace ends before the program does")

    def check_is_next(self, location):
        if location not in self.program.place:
            stuck(self.entry, f"the program has no location {shown(location, 40)}")
        thread, place = self.program.place[location]
        if self.next[thread] != place:
            stuck(self.entry, f"{shown(location, 40)} is not the next command of its thread")

    def move(self, destination, source):
        if not self.transit[destination, source]:
            stuck(self.entry, f"nothing is in transit from {source} to {destination}"[:200])
        if self.zero and len(self.delivered[destination]) >= len(self.posted[destination]):
            stuck(self.entry, f"no receive waits at {destination}"[:200])
        action, value = self.transit[destination, source].popleft()
        self.delivered[destination].append([action, value, False])
        self.taken.add(action)

    def value(self, e):
        stack = []
        for node in e.part():
            if node.is_variable:
                stack.append(self.store[node.word])
            elif not node.operands:
                stack.append(node.value)
            else:
                right = stack.pop() if len(node.operands) == 2 else None
                stack.append(self.operation(node.word, stack.pop(), right))
        return stack.pop()

    def operation(self, op, a, b):
        if op in ("div", "mod"):
            if b == 0:
                stuck(self.entry, "division by zero")
            return divide(a, b)[op == "mod"]
        if op == "*" and a.bit_length() + b.bit_length() > MOST_BITS:
            stuck(self.entry, "an integer becomes too long")
        return LOGIC[op](a, b) if op in LOGIC else OPERATIONS[op](a, b)

    # ---- a rule for each command ----

    def assign(self, c):
        self.store[c.variable] = self.value(c.expression)

    def condition(self, c):
        if self.value(c.expression) is not True:
            raise Refused(f"the run of witness.ctp does not succeed: at {shown(c.location, 40)} the {c.kind} is false")

    def sndi(self, c):
        self.transit[c.destination, c.source].append((c.action, self.value(c.expression)))

    def rcvi(self, c):
        self.posted[c.destination].append((c.action, c.variable))

    def wait(self, c):
        if c.action in self.program.receive:
            self.get_mark_remove(self.program.receive[c.action].destination, c.action)
        elif self.zero and c.action not in self.taken:
            stuck(self.entry, f"the message of {shown(c.action, 40)} is not taken")

    def get_mark_remove(self, beta, a_r):
        """The k-th receive at an endpoint gets the k-th message there. A wait completes its receive and those before it."""
        posted, delivered = self.posted[beta], self.delivered[beta]
        i = next(k for k, (action, _) in enumerate(posted) if action == a_r)
        if len(delivered) <= i:
            stuck(self.entry, f"the message of {shown(a_r, 40)} is not there")
        for (_, variable), message in zip(posted[:i + 1], delivered):
            if not message[2]:
                self.store[variable] = message[1]
                message[2] = True
        del posted[i], delivered[i]


RULES = {"assume": "condition", "assert": "condition", ":=": "assign", "sndi": "sndi", "rcvi": "rcvi", "wait": "wait"}
LOGIC = {"and": lambda a, b: a and b, "or": lambda a, b: a or b, "=>": lambda a, b: b or not a}
