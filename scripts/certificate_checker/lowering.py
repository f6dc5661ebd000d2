"""Makes a plain program, without selectors, modes, barriers and conditional divisors, of one that has some: section by section
as docs/lowering.md defines it."""

from . import Refused, shown
from .language import Command, File, Node, Selectors, Way, has_conditional_divisor, may_divide_by_zero, number, ways

MOST_NODES = 1_000_000  # of an expression in which divisors were conditional


def lowered(program, zero):
    """The plain program as a File, and whether it runs with zero buffering. Refused: the program is not lowered."""
    if program.shares():
        not_lowered("it has shared variables or guarded assignments")
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
        self.waits = {s for s, c in program.send.items() if c.mode == "ssndi" or (zero and c.mode != "bsndi")}
        self.zero = any(s in program.wait for s in self.waits)
        self.classes = {}     # endpoint -> its classes, in the order of their first receives
        self.class_of = {}    # receive or send -> its class; a send that no receive admits has none
        self.endpoint_of = {} # class -> its endpoint
        for beta in {**program.receives_at, **program.sends_to}:
            self.find_classes(beta)
            self.find_kinds(beta)
            self.find_packings(beta)
        self.check_waits()

    # ---- Classes ----

    def find_classes(self, beta):
        classes = self.classes[beta] = []
        for r in self.program.receives_at.get(beta, ()):
            selectors = self.program.receive[r].selectors
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
        together = [self.program.receive[other].selectors for other in self.program.completes[self.program.nw[r]]]
        return self.class_of[r].carries() or (len(together) > 1 and any(s.source or s.tagged for s in together))

    def unpacked(self, r):
        """The assignments after the wait that completes r: (variable, expression)."""
        c, k, message = self.class_of[r], self.program.receive[r], f"message{{{r}}}"
        if self.is_taken_apart(r):
            yield k.variable, divided(divided(variable(message), c.tags), c.sources)
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
        made = list({"sndi": self.sndi, "rcvi": self.rcvi, "wait": self.wait, "barrier": self.barrier}.get(c.kind, self.same)(c))
        keeps = len(made) - 1 if c.kind == "barrier" else 0
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

    def wait(self, c):
        if c.action in self.program.send and c.action not in self.waits and self.zero:
            return
        yield Command("wait", action=c.action)
        for r in self.program.completes.get(c.location, ()):
            for x, e in self.unpacked(r):
                yield Command(":=", variable=x, expression=e)

    def barrier(self, c):
        first, *others = self.program.meeting[c.location]
        if c.location != first:
            yield from ends("gather", c.location)[0]
            yield from ends("scatter", c.location)[1]
            return
        for rho in others:
            yield from ends("gather", rho)[1]
        for rho in others:
            yield from ends("scatter", rho)[0]
        if not others:
            yield Command(":=", variable=f"alone{{{c.location}}}", expression=constant(0))


def send(action, source, destination, e):
    return Command("sndi", action=action, source=source, destination=destination, expression=e, mode="sndi")


def receive(action, destination, x):
    return Command("rcvi", action=action, destination=destination, variable=x, selectors=Selectors())


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
