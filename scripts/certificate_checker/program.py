"""A program that keeps rules D1 to D6 (docs/language.md): what its messages are, and where its variables come from."""

from collections import defaultdict

from . import Refused, shown
from .collectives import Meeting
from .words import COMPARISONS, GIVE_INTEGERS, OF_INTEGERS, value
from .tree import Selectors, has_conditional_divisor


def broken(rule, what, *names):
    raise Refused(f"the program breaks {rule}: " + what.format(*(shown(name, 40) for name in names)))


class Program:
    def __init__(self, file):
        self.shared = {x: value(word) for x, word in file.shared or ()}  # variable -> its initial value
        self.members = file.communicators or {}  # those that are declared: communicator -> its threads, in their order
        self.threads = [[c.location for c in thread] for thread in file.threads]
        self.command = {c.location: c for thread in file.threads for c in thread}
        self.place = {rho: (t, i) for t, thread in enumerate(self.threads) for i, rho in enumerate(thread)}
        self.receives_at = defaultdict(list)  # endpoint -> receives, in the order of issue
        self.sends_to = defaultdict(list)     # endpoint -> sends
        self.channel = defaultdict(list)      # (source, destination) -> sends, in order
        self.send, self.receive = {}, {}      # action -> its command
        self.probe = {}                       # action of a probe or an mprobe -> its command
        self.start = {}                       # action of an mprobe -> the command that starts its receive
        self.asks_at = defaultdict(list)      # endpoint -> receives and mprobes, in the order of issue
        self.ordinal = {}                     # action -> its place among the receives at its endpoint, or in its channel
        for c in self.command.values():
            self.add_message(c)
        self.issued = {c.action: c.location for c in self.command.values() if c.kind not in ("wait", "start") and c.action}
        self.wait = {}                        # action -> the location of its wait
        self.common = set()                   # endpoints that several threads use
        self.check_endpoints()
        self.check_starts()
        self.check_waits()
        self.nw = {}                          # receive -> the location of its nearest-enclosing wait
        self.find_nearest_enclosing_waits()
        self.completes = defaultdict(list)    # wait -> the receives that it completes, in order
        for receives in self.receives_at.values():
            for r in receives:
                self.completes[self.nw[r]].append(r)
        self.check_variables()
        self.definition = {}                  # (location, variable) -> ("receive", r), ("selected", r), its source or
                                              # tag, or ("assigned", location); of variables that are not shared
        self.gives = {}                       # location -> {variable that gets a value there: what from, as in definition}
        self.definitions = defaultdict(list)  # shared variable -> the locations that give it a value
        self.find_definitions()
        self.meeting = {}                     # barrier's location -> those that meet there, by thread
        self.find_meetings()
        self.calls = {}                       # action of a collective -> the Meeting of its calls
        self.find_calls()
        self.sorts = Sorts(self)
        self.sorts.check()

    def is_plain(self):
        """Whether there are no selectors, modes, barriers, probes, collectives and conditional divisors. (Without selectors, tags
        mean nothing. With shared variables, divisors may be conditional.)"""
        return (all(c.mode == "sndi" for c in self.send.values()) and not self.meeting and not self.probe and not self.calls and
                all(c.selectors == Selectors() for c in self.receive.values()) and
                (self.shares() or not any(has_conditional_divisor(e) for c in self.command.values() for e in c.expressions())))

    def shares(self):
        """Whether there are shared variables or guarded assignments."""
        return bool(self.shared) or any(c.kind == "when" or c.assigned for c in self.command.values())

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
        elif c.kind in ("probe", "mprobe"):
            self.probe[c.action] = c
        if c.kind in ("rcvi", "mprobe"):
            self.asks_at[c.destination].append(c.action)

    def asked(self, r):
        """The command that issues a receive, or an mprobe."""
        return self.receive[r] if r in self.receive else self.probe[r]

    def sends_for(self, r):
        return self.sends_to[self.receive[r].destination]

    def commands(self, kind):
        return [c for c in self.command.values() if c.kind == kind]

    def find_meetings(self):
        """The k-th occurrences of a barrier meet."""
        meetings = defaultdict(list)
        for thread in self.threads:
            seen = defaultdict(int)
            for rho in thread:
                c = self.command[rho]
                if c.kind == "barrier":
                    self.meeting[rho] = meetings[c.barrier, seen[c.barrier]]
                    self.meeting[rho].append(rho)
                    seen[c.barrier] += 1

    def find_calls(self):
        """The i-th calls of a communicator belong together."""
        members, meetings = defaultdict(list, {name: list(threads) for name, threads in self.members.items()}), {}
        for t, thread in enumerate(self.threads):
            seen = defaultdict(int)
            for c in map(self.command.get, thread):
                if c.kind != "collective":
                    continue
                communicator = c.call.communicator
                if not seen[communicator] and communicator not in self.members:
                    members[communicator].append(t)
                i = communicator, seen[communicator]
                seen[communicator] += 1
                self.calls[c.action] = meetings.setdefault(i, Meeting(members[communicator]))
                self.calls[c.action].call[t], self.calls[c.action].said[t] = c.location, c.call

    # ---- the rules ----

    def check_endpoints(self):
        """D1, or which endpoints several threads use where threads share variables."""
        owner = {}
        for c in self.command.values():
            endpoint = {"sndi": c.source, "rcvi": c.destination, "probe": c.destination, "mprobe": c.destination}.get(c.kind)
            if endpoint is not None and owner.setdefault(endpoint, self.place[c.location][0]) != self.place[c.location][0]:
                if not self.shared:
                    broken("D1", "two threads use endpoint {}", endpoint)
                self.common.add(endpoint)

    def check_starts(self):
        """D2 and D3 of what mprobes take."""
        for c in self.commands("start"):
            if c.action in self.start:
                broken("D2", "{} is started twice", c.action)
            self.start[c.action] = c
            if c.action not in self.probe or self.probe[c.action].kind != "mprobe":
                broken("D2", "{} is started, and no mprobe issues it", c.action)
            self.check_is_after(c)
        waited = {c.action for c in self.commands("wait")}
        for p, c in self.probe.items():
            if c.kind == "mprobe" and (p not in self.start or p not in waited):
                broken("D3", "what {} takes is not started, or not waited for", p)

    def check_is_after(self, c):
        """Whether a wait or a start is in the thread of its action, and after it."""
        issued, here = self.place[self.issued[c.action]], self.place[c.location]
        if issued[0] != here[0] or issued[1] > here[1]:
            broken("D2", "the {} of {} is not behind it, in its thread", c.kind, c.action)

    def check_waits(self):
        """D2"""
        for c in self.commands("wait"):
            if c.action in self.wait:
                broken("D2", "{} is waited for twice", c.action)
            self.wait[c.action] = c.location
            self.check_is_after(c)
            if c.action in self.probe:
                if self.probe[c.action].kind == "probe":
                    broken("D2", "{} is waited for, and receives nothing", c.action)
                if self.place[self.start[c.action].location] > self.place[c.location]:
                    broken("D2", "{} is waited for before it starts", c.action)

    def find_nearest_enclosing_waits(self):
        """D3: the first wait after a receive that is for it, or for a later one at its endpoint that admits no more."""
        for receives in self.receives_at.values():
            thread = None
            for r in reversed(receives):
                if thread != self.place[self.issued[r]][0]:
                    thread = self.place[self.issued[r]][0]
                    first = {}  # what later receives of the thread admit -> their selectors, the first wait for one of them
                selectors, own = self.receive[r].selectors, self.wait.get(r)
                if own is not None:
                    key = tuple(None if names is None else tuple(names) for names in (selectors.sources, selectors.tags))
                    first[key] = selectors, self.first(own, first[key][1]) if key in first else own
                waits = [wait for other, wait in first.values() if selectors.admit_all_of(other)]
                if not waits:
                    broken("D3", "no wait completes {}", r)
                self.nw[r] = self.first(*waits)

    def first(self, *locations):
        return min(locations, key=self.place.__getitem__)

    def check_variables(self):
        """D4"""
        owner = {}
        for c in self.command.values():
            thread = self.place[c.location][0]
            for x in [*defined(c), *used(c)]:
                if x not in self.shared and owner.setdefault(x, thread) != thread:
                    broken("D4", "two threads use variable {}", x)

    def find_definitions(self):
        """D5: what defines a variable where it is used."""
        for thread in self.threads:
            last = {}
            for rho in thread:
                for x in used(self.command[rho]):
                    if x in self.shared:
                        continue
                    if x not in last:
                        broken("D5", "at {} variable {} has no value yet", rho, x)
                    self.definition[rho, x] = last[x]
                self.gives[rho] = self.given(rho)
                last.update(self.gives[rho])
                for x in self.gives[rho]:
                    if x in self.shared:
                        self.definitions[x].append(rho)

    def given(self, rho):
        result = {x: ("assigned", rho) for x, _ in self.command[rho].assignments()}
        for r in self.completes.get(rho, ()):
            x, *selected = defined(self.receive[r])
            result[x] = ("receive", r)
            result.update((y, ("selected", r)) for y in selected)
        c = self.command[rho]
        if c.kind in ("probe", "mprobe"):
            result.update((y, ("selected", c.action)) for y in defined(c))
        if c.kind == "wait" and c.action in self.start:
            result[self.start[c.action].variable] = ("receive", c.action)
        return result


def defined(c):
    """The variables that an assignment, guarded or not, or a receive defines, in order."""
    selected = [c.selectors.source, c.selectors.tagged] if c.selectors else []
    return [x for x in (c.variable, *selected, *(x for x, _ in c.assigned)) if x]


def used(c):
    """The variables in the expressions of a command."""
    return {node.word: None for e in c.expressions() for node in e.part() if node.is_variable}


class Sorts:
    """D6. A sort is "Int", "Bool", or ("sent to", endpoint), which has to turn out to be one of the two, or may be either."""

    def __init__(self, program):
        self.program = program
        self.same = {}      # a sort -> one that it has to be the same as
        self.assigned = {}  # (location, a variable that is assigned there) -> sort

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
        rho = c.location
        if c.kind == "rcvi":
            self.received(c, *defined(c))
        elif c.kind in ("probe", "mprobe"):
            self.received(c, None, *defined(c))
        elif c.kind == "start":
            self.received(self.program.probe[c.action], c.variable)
        elif c.kind == "sndi":
            self.unite(self.expression(rho, c.expression), ("sent to", c.destination), rho)
        elif c.kind in ("assume", "when", "assert"):
            self.unite(self.expression(rho, c.expression), "Bool", rho)
        for x, e in c.assignments():
            self.assigned[rho, x] = self.expression(rho, e)
            if x in self.program.shared:
                self.unite(self.assigned[rho, x], self.of_shared(x), rho)

    def received(self, c, x, *selected):
        """A shared variable has its sort already, whatever is received into it."""
        for y, sort in [(x, ("sent to", c.destination)), *((y, "Int") for y in selected)]:
            if y in self.program.shared:
                self.unite(sort, self.of_shared(y), c.location)

    def of_shared(self, x):
        return "Bool" if isinstance(self.program.shared[x], bool) else "Int"

    def expression(self, rho, e):
        stack = []
        for node in e.part():
            if node.is_variable:
                stack.append(self.variable(rho, node.word))
            elif not node.operands:
                stack.append("Bool" if isinstance(node.value, bool) else "Int")
            else:
                operands = [stack.pop() for _ in node.operands][::-1]
                stack.append(self.operation(rho, node.word, operands))
        return stack.pop()

    def variable(self, rho, x):
        return self.of_shared(x) if x in self.program.shared else self.given(x, *self.program.definition[rho, x])

    def given(self, x, kind, what):
        """The sort of a definition."""
        if kind == "selected":
            return "Int"
        return self.assigned[what, x] if kind == "assigned" else ("sent to", self.program.asked(what).destination)

    def operation(self, rho, op, operands):
        if op == "ite":
            condition, a, b = operands
            self.unite(condition, "Bool", rho)
            self.unite(a, b, rho)
            return a
        if op in COMPARISONS:
            self.unite(*operands, rho)
        else:
            for sort in operands:
                self.unite(sort, "Int" if op in OF_INTEGERS else "Bool", rho)
        return "Int" if op in GIVE_INTEGERS else "Bool"
