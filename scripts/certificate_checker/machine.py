"""Runs one trace of a program, as docs/semantics.md has it, and refuses every run but a complete one without a failure. Messages
are matched event by event. Where no receive selects, one that arrives goes to the oldest receive without a message, and a receive
that is posted gets the oldest message without a receive. Where some receive selects, or there is a probe, a movement matches a
posted receive and a message in transit: no receive posted before it admits the message, and it admits no message sent before it in
the channel. A probe sees what a receive like it, posted now, could match, and an mprobe takes that."""

from collections import defaultdict, deque

from . import Refused, shown
from .words import MOST_BITS, number
from .values import OPERATIONS, divide


def stuck(entry, why):
    raise Refused(f"the run of witness.ctp cannot go on at entry {entry}: {why}")


class Machine:
    def __init__(self, program, zero):
        self.program, self.zero = program, zero
        self.next = [0] * len(program.threads)  # thread -> how many of its commands have run
        self.store = dict(program.shared)
        self.transit = defaultdict(deque)    # (destination, source) -> (send, value), the oldest first
        self.posted = defaultdict(list)      # endpoint -> receives without a message, the oldest first
        self.unexpected = defaultdict(list)  # endpoint -> (send, value) that arrived, and no receive has, the oldest first
        self.received = {}                   # receive -> (send, value)
        self.taken = set()                   # sends that receives have
        self.completed = set()               # receives
        self.held = set()                    # sends whose messages are matched to mprobes that have not started
        self.started = set()                 # mprobes
        self.selecting = {c.destination for c in program.receive.values() if c.selectors.restrict()}
        self.selecting |= {c.destination for c in program.probe.values()}
        self.entry = 0
        self.peek = None                     # (destination, source, tag) of the entry; None if it has none

    def run(self, trace):
        """To the end of the trace; all commands have to have run then, with every condition true."""
        for self.entry, (location, movements) in enumerate(trace):
            self.check_is_next(location)
            c, self.peek = self.program.command[location], None
            for *is_peek, destination, source, tag in movements:
                if is_peek:
                    self.peek = destination, source, tag
                elif destination in self.selecting:
                    self.select(destination, source, tag)
                else:
                    self.move(destination, source, tag)
            if self.peek is not None and c.kind not in ("probe", "mprobe"):
                stuck(self.entry, f"there is no probe at {shown(location, 40)}")
            getattr(self, RULES[c.kind])(c)
            self.next[self.program.place[location][0]] += 1
        if self.next != [len(thread) for thread in self.program.threads]:
            stuck(len(trace), "the trace ends before the program does")

    def check_is_next(self, location):
        if location not in self.program.place:
            stuck(self.entry, f"the program has no location {shown(location, 40)}")
        thread, place = self.program.place[location]
        if self.next[thread] != place:
            stuck(self.entry, f"{shown(location, 40)} is not the next command of its thread")

    def move(self, destination, source, tag):
        """The oldest message of a channel arrives where no receive selects. If the movement names a tag, it has that one."""
        transit, posted = self.transit[destination, source], self.posted[destination]
        if not transit or (tag and self.tag(transit[0][0]) != tag):
            self.nothing(destination, source)
        action, value = transit.popleft()
        if posted:
            self.match(posted.pop(0), action, value)
        elif self.zero or self.program.send[action].mode == "ssndi":
            self.no_receive(destination)
        else:
            self.unexpected[destination].append((action, value))

    def select(self, destination, source, tag):
        """A match where some receive selects: of the oldest message with the tag, or of any that can be matched."""
        transit, posted = self.transit[destination, source], self.posted[destination]
        wanted = transit
        if tag:
            oldest = next((message for message in transit if self.tag(message[0]) == tag), None)
            wanted = [] if oldest is None else [oldest]
        if not wanted:
            self.nothing(destination, source)
        receive = next((r for r in posted if any(self.admits(r, action) for action, _ in wanted)), None)
        if receive is None:
            self.no_receive(destination)
        message = next(message for message in transit if self.admits(receive, message[0]))
        if message not in wanted:
            self.no_receive(destination)
        transit.remove(message)
        posted.remove(receive)
        self.match(receive, *message)

    def nothing(self, destination, source):
        stuck(self.entry, f"nothing that could move is in transit from {source} to {destination}"[:200])

    def no_receive(self, destination):
        stuck(self.entry, f"no receive waits at {destination}"[:200])

    def tag(self, action):
        return self.program.send[action].tag or "0"

    def admits(self, asked, action):
        """Whether a receive or a probe does."""
        return self.program.asked(asked).selectors.admit(self.program.send[action].source, self.tag(action))

    def match(self, receive, action, value):
        self.received[receive] = action, value
        self.taken.add(action)

    def value(self, e):
        """Operands from left to right; of an `ite` only the condition, and then the operand that it chooses."""
        values, left = {}, [e]  # node -> its value; what is to be evaluated, the next one last
        while left:
            node = left[-1]
            needed = node.operands
            if needed and node.word == "ite":
                condition, a, b = needed
                needed = (condition, a if values[condition] else b) if condition in values else (condition,)
            missing = [operand for operand in needed if operand not in values]
            if missing:
                left += reversed(missing)
                continue
            left.pop()
            if node.is_variable:
                values[node] = self.store[node.word]
            elif not needed:
                values[node] = node.value
            elif node.word == "ite":
                values[node] = values[needed[-1]]
            else:
                values[node] = self.operation(node.word, *(values[operand] for operand in needed))
        return values[e]

    def operation(self, op, a, b=None):
        if op in ("div", "mod"):
            if b == 0:
                stuck(self.entry, "division by zero")
            return divide(a, b)[op == "mod"]
        if op == "*" and a.bit_length() + b.bit_length() > MOST_BITS:
            stuck(self.entry, "an integer becomes too long")
        return LOGIC[op](a, b) if op in LOGIC else OPERATIONS[op](a, b)

    # ---- a rule for each command ----

    def assign(self, c):
        """All values are those in the store before the command."""
        self.store.update([(x, self.value(e)) for x, e in c.assignments()])

    def condition(self, c):
        if self.value(c.expression) is not True:
            raise Refused(f"the run of witness.ctp does not succeed: at {shown(c.location, 40)} the {c.kind} is false")
        self.assign(c)

    def when(self, c):
        if self.value(c.expression) is not True:
            stuck(self.entry, f"at {shown(c.location, 40)} the guard is false")
        self.assign(c)

    def sndi(self, c):
        if c.mode == "rsndi" and not self.has_receive_for(c):
            stuck(self.entry, f"no posted receive can get the message of the ready send {shown(c.action, 40)}")
        self.transit[c.destination, c.source].append((c.action, self.value(c.expression)))

    def has_receive_for(self, c):
        """Whether a posted receive is left for a message once the earlier ones of its channel have theirs."""
        free = list(self.posted[c.destination])
        for action in [action for action, _ in self.transit[c.destination, c.source]] + [c.action]:
            receive = next((r for r in free if self.admits(r, action)), None)
            if receive is not None:
                free.remove(receive)
        return receive is not None

    def rcvi(self, c):
        if self.unexpected[c.destination]:
            self.match(c.action, *self.unexpected[c.destination].pop(0))
        else:
            self.posted[c.destination].append(c.action)

    def probe(self, c):
        """The message that the peek says is the first one in its channel that the probe admits, and no posted receive admits it."""
        if self.peek is None or self.peek[0] != c.destination:
            stuck(self.entry, f"no peek says what {shown(c.action, 40)} sees")
        _, source, tag = self.peek
        transit = self.transit[c.destination, source]
        message = next((m for m in transit if self.admits(c.action, m[0])), None)
        if message is None or any(self.admits(r, message[0]) for r in self.posted[c.destination]) or tag not in ("", self.tag(message[0])):
            stuck(self.entry, f"{shown(c.action, 40)} cannot see what the peek says")
        if c.kind == "mprobe":
            transit.remove(message)
            self.match(c.action, *message)
            self.held.add(message[0])
        self.store_selected(c.selectors, message[0])

    def start(self, c):
        if c.action not in self.received or c.action in self.started:
            stuck(self.entry, f"no message is matched to {shown(c.action, 40)}, or it has started")
        self.started.add(c.action)
        self.held.remove(self.received[c.action][0])

    def wait(self, c):
        if c.action in self.program.send:
            mode = self.program.send[c.action].mode
            if (mode == "ssndi" or (self.zero and mode != "bsndi")) and (c.action not in self.taken or c.action in self.held):
                stuck(self.entry, f"the message of {shown(c.action, 40)} is not taken")
        elif c.action in self.program.calls:
            self.pass_call(c)
        elif c.action in self.program.probe:
            if c.action not in self.started:
                stuck(self.entry, f"the receive of {shown(c.action, 40)} has not started")
            self.store[self.program.start[c.action].variable] = self.received[c.action][1]
        else:
            self.complete(c.action)

    def complete(self, waited):
        """A wait needs the message of its receive. It completes this one and, in order, those before it at the endpoint that
        admit everything that it admits, and have their messages, too. Each is completed once, by the first such wait."""
        if waited not in self.received:
            stuck(self.entry, f"the message of {shown(waited, 40)} is not there")
        selectors = self.program.receive[waited].selectors
        for r in self.program.receives_at[self.program.receive[waited].destination][:self.program.ordinal[waited] + 1]:
            c = self.program.receive[r]
            if r in self.completed or not c.selectors.admit_all_of(selectors):
                continue
            self.completed.add(r)
            action, value = self.received[r]
            self.store[c.variable] = value
            self.store_selected(c.selectors, action)

    def store_selected(self, selectors, action):
        if selectors.source:
            self.store[selectors.source] = number(self.program.send[action].source)
        if selectors.tagged:
            self.store[selectors.tagged] = number(self.tag(action))

    def barrier(self, c):
        for rho in self.program.meeting[c.location]:
            thread, place = self.program.place[rho]
            if self.next[thread] < place:
                stuck(self.entry, f"another thread has not reached the barrier at {shown(c.location, 40)}")

    def has_called(self, meeting, thread):
        return thread in meeting.call and self.next[thread] >= self.program.place[meeting.call[thread]][1]

    def collective(self, c):
        if c.call.blocks:
            self.pass_call(c)
        else:
            self.check_agrees(c)

    def check_agrees(self, c):
        """No member has made a call that disagrees with the one that this command makes or waits for."""
        meeting, own = self.program.calls[c.action], self.program.place[c.location][0]
        if any(self.has_called(meeting, other) and meeting.disagree(own, other) for other in meeting.said if other != own):
            stuck(self.entry, f"another thread has called a collective that disagrees with {shown(c.action, 40)}")

    def pass_call(self, c):
        self.check_agrees(c)
        meeting, own = self.program.calls[c.action], self.program.place[c.location][0]
        if not all(self.has_called(meeting, other) for other in meeting.needed(own, self.zero)):
            stuck(self.entry, f"a thread that {shown(c.action, 40)} needs has not called")


RULES = {"assume": "condition", "when": "when", "assert": "condition", ":=": "assign", "sndi": "sndi", "rcvi": "rcvi",
         "wait": "wait", "barrier": "barrier", "probe": "probe", "mprobe": "probe", "start": "start", "collective": "collective"}
LOGIC = {"and": lambda a, b: a and b, "or": lambda a, b: a or b, "=>": lambda a, b: b or not a}
