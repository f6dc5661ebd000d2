"""Makes a plain program, without selectors, modes, barriers, mprobes, collectives and conditional divisors, of one that has some:
section by section as docs/lowering.md defines it."""

from . import Refused, shown
from .collectives import ALL
from .words import number
from .tree import Command, File, Node, Selectors, Way, has_conditional_divisor, may_divide_by_zero, ways

MOST_NODES = 1_000_000  # of an expression in which divisors were conditional


def lowered(program, zero):
    """The plain program as a File, and whether it runs with zero buffering. Refused: the program is not lowered."""
    if program.shares():
        not_lowered("it has shared variables or guarded assignments")
    if any(c.kind == "probe" for c in program.probe.values()):
        not_lowered("it has probes that take nothing")
    if not all(meeting.agrees() for meeting in program.calls.values()):
        not_lowered("two collectives that belong together disagree")
    lowering = Lowering(program, zero)
    return File([lowering.thread(thread) for thread in program.threads]), lowering.zero


def not_lowered(why, *names):
    raise Refused("the program is not lowered: " + why.format(*(shown(name, 40) for name in names)))


def tag(send):
    return send.tag or "0"


class Class:
    """Receives of one endpoint that admit the same messages."""

    def __init__(self, selectors):
        self.selectors = selectors  # of the first of them
        self.kinds = set()          # (source, tag) of the messages that they admit
        self.wants_source = self.wants_tag = False
        self.sources = self.tags = None  # K and L; None if messages do not carry their source, their tag

    def is_of(self, selectors):
        return self.selectors.admit_all_of(selectors) and selectors.admit_all_of(self.selectors)

    def all_sources(self):
        return {number(source) for source, _ in self.kinds}

    def all_tags(self):
        return {number(tag) for _, tag in self.kinds}

    def carries(self):
        return self.sources is not None or self.tags is not None


class Lowering:
    def __init__(self, program, zero):
        self.program = program
        self.zero_for_calls = zero  # every call needs all members then
        self.waits = {s for s, c in program.send.items() if c.mode == "ssndi" or (zero and c.mode != "bsndi")}
        self.zero = any(s in program.wait for s in self.waits)
        self.classes = {}     # endpoint -> its classes, in the order of their first receives
        self.class_of = {}    # receive or send -> its class; a send that no receive admits has none
        self.endpoint_of = {} # class -> its endpoint
        self.completes = {wait: rs for wait, rs in program.completes.items() if rs}  # and the wait for an mprobe completes it
        self.completes.update((program.wait[p], [p]) for p in program.start)
        self.behind = {wait for wait, rs in self.completes.items() if len(rs) > 1 and any(self.assigns_more(r) for r in rs)}
        for beta in {**program.asks_at, **program.sends_to}:
            self.find_classes(beta)
            self.find_kinds(beta)
            self.find_packings(beta)
        self.check_waits()
        self.check_starts()
        self.find_completed_at_mprobes()

    # ---- Classes ----

    def find_classes(self, beta):
        classes = self.classes[beta] = []
        for r in self.program.asks_at.get(beta, ()):
            selectors = self.program.asked(r).selectors
            of = next((c for c in classes if c.is_of(selectors)), None)
            if of is None:
                of = Class(selectors)
                self.endpoint_of[of] = f"{beta}{{{len(classes)}}}" if classes else beta
                classes.append(of)
            of.wants_source |= selectors.source != ""
            of.wants_tag |= selectors.tagged != ""
            self.class_of[r] = of

    def find_kinds(self, beta):
        for s in self.program.sends_to.get(beta, ()):
            send = self.program.send[s]
            of = [c for c in self.classes[beta] if c.selectors.admit(send.source, tag(send))]
            if len(of) > 1:
                not_lowered("receives at endpoint {} that admit different messages admit {}", beta, s)
            if of:
                of[0].kinds.add((send.source, tag(send)))
                self.class_of[s] = of[0]

    def check_waits(self):
        for r, wait in self.program.nw.items():
            by = self.program.command[wait].action
            if self.class_of[by] is not self.class_of[r]:
                not_lowered("the wait for {} completes {}, which admits other messages", by, r)

    # ---- Mprobes ----

    def check_starts(self):
        """Where a wait for a send waits for the start of an mprobe, the start is the next command."""
        late = {self.class_of[p]: p for p, start in self.program.start.items() if self.at(start.location) != self.at(self.program.issued[p], 1)}
        for s in self.waits & self.program.wait.keys():
            if self.class_of.get(s) in late:
                not_lowered("{} can take the message of {}, and does not start at once", late[self.class_of[s]], s)

    def at(self, rho, more=0):
        thread, place = self.program.place[rho]
        return thread, place + more

    def find_completed_at_mprobes(self):
        """The wait for an mprobe completes the earlier receives of its class. Their variables get their values after their waits."""
        self.behind |= {self.program.wait[p] for p in self.program.start}
        for r, wait in self.program.nw.items():
            between = range(self.at(self.program.issued[r])[1], self.at(wait)[1])
            if any(self.class_of[p] is self.class_of[r] and self.at(self.program.issued[p])[1] in between for p in self.program.start):
                self.behind.add(wait)

    # ---- Source and tag ----

    def find_packings(self, beta):
        for c in self.classes[beta]:
            if c.wants_source and len(c.all_sources()) > 1:
                c.sources = max(c.all_sources()) + 1
            if c.wants_tag and len(c.all_tags()) > 1:
                c.tags = max(c.all_tags()) + 1
            if c.carries() and self.program.sorts.find(("sent to", beta)) == "Bool":
                not_lowered("receives at endpoint {} ask for the source or tag of messages that are Bool", beta)

    def packed(self, send):
        """What a message carries."""
        c = self.class_of.get(send.action)
        e = rewritten(send.expression)
        if c is not None and c.sources is not None:
            e = operation("+", operation("*", e, c.sources), number(send.source))
        if c is not None and c.tags is not None:
            e = operation("+", operation("*", e, c.tags), number(tag(send)))
        return e

    def is_taken_apart(self, r):
        """Whether the message is received into a variable of its own."""
        return self.class_of[r].carries() or self.completed_at(r) in self.behind

    def completed_at(self, r):
        return self.program.nw[r] if r in self.program.nw else self.program.wait[r]

    def assigns_more(self, r):
        selectors = self.program.asked(r).selectors
        return selectors.source != "" or selectors.tagged != ""

    def unpacked(self, r):
        """The assignments after the wait that completes r: (variable, expression)."""
        if self.is_taken_apart(r):
            yield self.program.receive[r].variable, self.message(r)
        yield from self.selected(r)

    def message(self, r):
        c = self.class_of[r]
        return divided(divided(variable(f"message{{{r}}}"), c.tags), c.sources)

    def selected(self, r):
        c, k, message = self.class_of[r], self.program.asked(r), f"message{{{r}}}"
        if k.selectors.source:
            yield k.selectors.source, (constant(min(c.all_sources(), default=0)) if c.sources is None else
                                       operation("mod", divided(variable(message), c.tags), c.sources))
        if k.selectors.tagged:
            yield k.selectors.tagged, (constant(min(c.all_tags(), default=0)) if c.tags is None else
                                       operation("mod", variable(message), c.tags))

    # ---- Commands ----

    def thread(self, locations):
        return [c for rho in locations for c in self.commands(self.program.command[rho])]

    def commands(self, c):
        """What a command becomes. The one that is there instead of it has its location, the k-th other one `RHO{k}`."""
        made = list({"sndi": self.sndi, "rcvi": self.rcvi, "wait": self.wait, "barrier": self.barrier, "mprobe": self.mprobe,
                     "start": self.nothing, "collective": self.collective}.get(c.kind, self.same)(c))
        is_about_call = c.kind in ("barrier", "collective") or c.action in self.program.calls
        keeps = len(made) - 1 if is_about_call else 1 if c.kind == "mprobe" else 0
        others = 0
        for i, new in enumerate(made):
            others += i != keeps
            new.location = c.location if i == keeps else f"{c.location}{{{others}}}"
        return made

    def same(self, c):
        yield Command(c.kind, variable=c.variable, expression=rewritten(c.expression))

    def sndi(self, c):
        beta, of = c.destination, self.class_of.get(c.action)
        if of is not None:
            beta = self.endpoint_of[of]
        elif self.classes[beta]:
            beta += "{none}"
        yield send(c.action, c.source, beta, self.packed(c))

    def rcvi(self, c):
        x = f"message{{{c.action}}}" if self.is_taken_apart(c.action) else c.variable
        yield receive(c.action, self.endpoint_of[self.class_of[c.action]], x)

    def mprobe(self, c):
        """It receives the message at once. Its wait assigns it."""
        yield receive(c.action, self.endpoint_of[self.class_of[c.action]], f"message{{{c.action}}}")
        yield Command("wait", action=c.action)
        for x, e in self.selected(c.action):
            yield Command(":=", variable=x, expression=e)

    def nothing(self, _):
        return ()

    def wait(self, c):
        if c.action in self.program.calls:
            yield from self.awaited(c, self.program.calls[c.action])
            return
        if c.action in self.program.start:
            yield Command(":=", variable=self.program.start[c.action].variable, expression=self.message(c.action))
            return
        if c.action in self.program.send and c.action not in self.waits and self.zero:
            return
        yield Command("wait", action=c.action)
        for r in self.completes.get(c.location, ()):
            for x, e in self.unpacked(r):
                yield Command(":=", variable=x, expression=e)

    def barrier(self, c):
        yield from self.meet(c, self.program.meeting[c.location])

    def meet(self, c, meeting):
        first, *others = meeting
        if c.location != first:
            yield from ends("gather", c.location)[0]
            yield from ends("scatter", c.location)[1]
            return
        for rho in others:
            yield from ends("gather", rho)[1]
        for rho in others:
            yield from ends("scatter", rho)[0]
        if not others:
            yield self.alone(c)

    def alone(self, c):
        return Command(":=", variable=f"alone{{{c.location}}}", expression=constant(0))

    def collective(self, c):
        meeting, own = self.program.calls[c.action], self.program.place[c.location][0]
        if c.call.blocks and meeting.call.keys() == set(meeting.members) and (self.zero_for_calls or c.call.needs() == ALL):
            yield from self.meet(c, [meeting.call[t] for t in meeting.members])
            return
        made = []
        for other in meeting.members:
            if other in meeting.call and meeting.needs(other, own, self.zero_for_calls):
                made.append(send(*(call_name(what, own, meeting.call[other]) for what in ("send", "from", "to")), constant(0)))
        if c.call.blocks or c.action in self.program.wait:
            made += [receive(*(call_name(what, other, c.location) for what in ("receive", "to", "value")))
                     for other in meeting.needed(own, self.zero_for_calls)]
        yield from made
        if c.call.blocks:
            yield from self.awaited(c, meeting, made)
        elif not made:
            yield self.alone(c)

    def awaited(self, c, meeting, made=()):
        """The waits for what a call needs, at the call if it blocks, and otherwise at the wait for it."""
        own = self.program.place[c.location][0]
        waits = [Command("wait", action=call_name("receive", other, meeting.call[own])) for other in meeting.needed(own, self.zero_for_calls)]
        yield from waits if waits or made else [self.alone(c)]


def send(action, source, destination, e):
    return Command("sndi", action=action, source=source, destination=destination, expression=e, mode="sndi")


def receive(action, destination, x):
    return Command("rcvi", action=action, destination=destination, variable=x, selectors=Selectors())


def call_name(what, thread, rho):
    """A name for the message from a thread to the call at rho, which needs it."""
    return f"call-{what}{{{thread},{rho}}}"


def ends(way, rho):
    """Both ends of a message between the thread that comes first and that of the barrier at rho."""
    def name(what):
        return f"{way}-{what}{{{rho}}}"
    return ([send(name("send"), name("from"), name("to"), constant(0))],
            [receive(name("receive"), name("to"), name("value")), Command("wait", action=name("receive"))])


# ---- Conditional divisors ----

class Divisor:
    """The divisor of a division to which there is only this way."""

    def __init__(self, e, way):
        self.e, self.way = e, way


def rewritten(e):
    """The expression with the divisor (ite p d 1) in place of each conditional divisor d. p says that the machine gets there."""
    way = ways(e) if has_conditional_divisor(e) else None
    nodes, done, left = [], [], [e]  # done: operands that wait for their operation; left: the next one last
    while left:
        what = left.pop()
        if isinstance(what, tuple):  # an operation whose operands are done
            op, count = what
            operands = tuple(done[-count:])
            done[-count:] = [Node(nodes, operands[0].first, op, operands)]
        elif isinstance(what, Divisor):
            left += [("ite", 3), ONE, what.e, *reversed(list(passed(what.way)))]
        elif what.operands:
            operands = list(what.operands)
            if way and may_divide_by_zero(what) and way[what] is not None:
                operands[1] = Divisor(operands[1], way[what])
            left += [(what.word, len(operands)), *reversed(operands)]
        else:
            done.append(Node(nodes, len(nodes), what.word, (), what.value, what.is_variable))
        if way and len(nodes) > MOST_NODES:
            not_lowered("an expression with conditional divisors becomes too large")
    return done.pop()


def passed(way):
    """The conditions on a way, joined to the left: each with what is done then."""
    for i, w in enumerate(Way.of(way)):
        yield w.condition
        if not w.chosen:
            yield "not", 1
        if i > 0:
            yield "and", 2


# ---- Expressions. An operation takes over the nodes of its first operand. ----


def constant(value):
    return Node([], 0, str(value), value=value)


def variable(x):
    return Node([], 0, x, is_variable=True)


def operation(op, e, value):
    operand = Node(e.all, len(e.all), str(value), value=value)
    return Node(e.all, e.first, op, (e, operand))


ONE = constant(1)


def divided(e, value):
    return e if value is None else operation("div", e, value)
