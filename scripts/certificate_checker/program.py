"""A program that keeps rules D1 to D6 (docs/language.md): what its messages are, and where its variables come from."""

from collections import defaultdict

from . import Refused, shown
from .language import COMPARISONS, GIVE_INTEGERS, OF_INTEGERS


def broken(rule, what, *names):
    raise Refused(f"the program breaks {rule}: " + what.format(*(shown(name, 40) for name in names)))


class Program:
    def __init__(self, file):
        self.threads = [[c.location for c in thread] for thread in file.threads]
        self.command = {c.location: c for thread in file.threads for c in thread}
        self.place = {rho: (t, i) for t, thread in enumerate(self.threads) for i, rho in enumerate(thread)}
        self.receives_at = defaultdict(list)  # endpoint -> receives, in the order of issue
        self.sends_to = defaultdict(list)     # endpoint -> sends
        self.channel = defaultdict(list)      # (source, destination) -> sends, in order
        self.send, self.receive = {}, {}      # action -> its command
        self.ordinal = {}                     # action -> its place among the receives at its endpoint, or in its channel
        for c in self.command.values():
            self.add_message(c)
        self.issued = {a: c.location for a, c in (*self.send.items(), *self.receive.items())}
        self.wait = {}                        # action -> the location of its wait
        self.check_endpoints()
        self.check_waits()
        self.nw = {}                          # receive -> the location of its nearest-enclosing wait
        self.find_nearest_enclosing_waits()
        self.completes = defaultdict(list)    # wait -> the receives that it completes, in order
        for receives in self.receives_at.values():
            for r in receives:
                self.completes[self.nw[r]].append(r)
        self.check_variables()
        self.definition = {}                  # (location, variable) -> ("receive", r) or ("assigned", location)
        self.find_definitions()
        Sorts(self).check()

    def add_message(self, c):
        if c.kind == "sndi":
            self.send[c.action] = c
            self.sends_to[c.destination].append(c.action)
            of_channel = self.channel[c.source, c.destination]
            self.ordinal[c.action] = len(of_channel)
            of_channel.append(c.action)
        elif c.kind == "rcvi":
            self.receive[c.action] = c
            at_endpoint = self.receives_at[c.destination]
            self.ordinal[c.action] = len(at_endpoint)
            at_endpoint.append(c.action)

    def sends_for(self, r):
        return self.sends_to[self.receive[r].destination]

    def commands(self, kind):
        return [c for c in self.command.values() if c.kind == kind]

    # ---- the rules ----

    def check_endpoints(self):
        """D1"""
        owner = {}
        for c in self.command.values():
            endpoint = {"sndi": c.source, "rcvi": c.destination}.get(c.kind)
            if endpoint is not None and owner.setdefault(endpoint, self.place[c.location][0]) != self.place[c.location][0]:
                broken("D1", "two threads use endpoint {}", endpoint)

    def check_waits(self):
        """D2"""
        for c in self.commands("wait"):
            if c.action in self.wait:
                broken("D2", "{} is waited for twice", c.action)
            self.wait[c.action] = c.location
            issued, here = self.place[self.issued[c.action]], self.place[c.location]
            if issued[0] != here[0] or issued[1] > here[1]:
                broken("D2", "the wait for {} is not behind it, in its thread", c.action)

    def find_nearest_enclosing_waits(self):
        """D3: the first wait behind a receive that is for it or for a later one at its endpoint."""
        for receives in self.receives_at.values():
            first = None
            for r in reversed(receives):
                own = self.wait.get(r)
                if own is not None and (first is None or self.place[own] < self.place[first]):
                    first = own
                if first is None:
                    broken("D3", "no wait completes {}", r)
                self.nw[r] = first

    def check_variables(self):
        """D4"""
        owner = {}
        for c in self.command.values():
            thread = self.place[c.location][0]
            for x in [*([c.variable] if c.variable else []), *variables(c.expression)]:
                if owner.setdefault(x, thread) != thread:
                    broken("D4", "two threads use variable {}", x)

    def find_definitions(self):
        """D5: what defines a variable where it is used."""
        for thread in self.threads:
            last = {}
            for rho in thread:
                c = self.command[rho]
                for x in variables(c.expression):
                    if x not in last:
                        broken("D5", "at {} variable {} has no value yet", rho, x)
                    self.definition[rho, x] = last[x]
                if c.kind == ":=":
                    last[c.variable] = ("assigned", rho)
                for r in self.completes.get(rho, ()):
                    last[self.receive[r].variable] = ("receive", r)


def variables(e):
    """The variables of an expression, or of no expression."""
    return {} if e is None else {node.word: None for node in e.part() if node.is_variable}


class Sorts:
    """D6. A sort is "Int", "Bool", or ("sent to", endpoint), which has to turn out to be one of the two, or may be either."""

    def __init__(self, program):
        self.program = program
        self.same = {}      # a sort -> one that it has to be the same as
        self.assigned = {}  # location of an assignment -> sort

    def find(self, sort):
        while sort in self.same:
            sort = self.same[sort]
        return sort

    def unite(self, a, b, rho):
        a, b = self.find(a), self.find(b)
        if a == b:
            return
        if isinstance(a, str) and isinstance(b, str):
            broken("D6", "at {} there is Int where Bool has to be, or the other way round", rho)
        if isinstance(a, str):
            a, b = b, a
        self.same[a] = b

    def check(self):
        for thread in self.program.threads:
            for rho in thread:
                self.command(self.program.command[rho])

    def command(self, c):
        if c.expression is None:
            return
        sort = self.expression(c.location, c.expression)
        if c.kind == ":=":
            self.assigned[c.location] = sort
        elif c.kind == "sndi":
            self.unite(sort, ("sent to", c.destination), c.location)
        else:
            self.unite(sort, "Bool", c.location)

    def expression(self, rho, e):
        stack = []
        for node in e.part():
            if node.is_variable:
                stack.append(self.variable(rho, node.word))
            elif not node.operands:
                stack.append("Bool" if isinstance(node.value, bool) else "Int")
            else:
                operands = [stack.pop() for _ in node.operands]
                stack.append(self.operation(rho, node.word, operands))
        return stack.pop()

    def variable(self, rho, x):
        kind, what = self.program.definition[rho, x]
        return self.assigned[what] if kind == "assigned" else ("sent to", self.program.receive[what].destination)

    def operation(self, rho, op, operands):
        if op in COMPARISONS:
            self.unite(*operands, rho)
        else:
            for sort in operands:
                self.unite(sort, "Int" if op in OF_INTEGERS else "Bool", rho)
        return "Int" if op in GIVE_INTEGERS else "Bool"
