"""All moments of all executions of a small program with shared variables and messages, and what is so at each of them:
a naive interpreter. It walks every order of steps and movements on its own, by docs/semantics.md and
docs/shared_memory.md, and keeps no more than the variables that clauses of certificates have (docs/certificates.md).
It uses nothing of the project but the reader."""

from itertools import combinations


class Stuck(Exception):
    """The command cannot be executed here, or execution ends here."""


def evaluate(e, store):
    if e.is_variable:
        return store[e.word]
    if not e.operands:
        return e.value
    if e.word == "ite":
        condition, left, right = e.operands
        return evaluate(left if evaluate(condition, store) else right, store)
    a, *rest = [evaluate(operand, store) for operand in e.operands]
    b = rest[0] if rest else None
    if e.word in ("div", "mod"):
        if b == 0:
            raise Stuck
        rest = a % abs(b)
        return rest if e.word == "mod" else (a - rest) // b
    return {"not": lambda: not a, "and": lambda: a and b, "or": lambda: a or b, "=>": lambda: b or not a, "xor": lambda: a != b,
            "=": lambda: a == b, "!=": lambda: a != b, "<": lambda: a < b, "<=": lambda: a <= b, ">": lambda: a > b,
            ">=": lambda: a >= b, "+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b}[e.word]()


def word(value):
    return str(value).lower()


def names(e):
    """The variables of an expression."""
    return {e.word} if e.is_variable else {x for operand in e.operands for x in names(operand)}


class Moment:
    """A state, and what has happened until then."""

    def __init__(self, threads, shared):
        self.next = [0] * threads
        self.store = dict(shared)
        self.written = {x: None for x in shared}  # shared variable -> the last definition that was executed
        self.transit = {}    # (source, destination) -> [(send, value), ...]
        self.posted = {}     # endpoint -> receives
        self.arrived = {}    # endpoint -> (send, value), ...
        self.completed = ()  # receives
        self.atoms = frozenset()
        self.history = ()    # commands, and with zero buffering the rendezvous of receives
        self.trace = ()      # (location, movements), ...
        self.moved = ()      # movements since the last command

    def copy(self):
        new = Moment.__new__(Moment)
        new.next, new.store, new.written = list(self.next), dict(self.store), dict(self.written)
        new.transit, new.posted, new.arrived = dict(self.transit), dict(self.posted), dict(self.arrived)
        new.completed, new.atoms, new.history, new.trace, new.moved = self.completed, self.atoms, self.history, self.trace, self.moved
        return new


class Moments:
    """`sets` has the atoms of each moment, without repetition; is_complete() says whether these are all moments."""

    def __init__(self, file, zero, most=5000):
        self.file, self.zero = file, zero
        self.threads = file.threads
        self.receives_at = {}  # endpoint -> receives, in the order of issue
        self.commands = {c.location: c for thread in file.threads for c in thread}
        self.of_action = {c.action: c for c in self.commands.values() if c.kind in ("sndi", "rcvi")}
        for c in self.commands.values():
            if c.kind == "rcvi":
                self.receives_at.setdefault(c.destination, []).append(c.action)
        self.shared = {x: v == "true" if v in ("true", "false") else int(v) for x, v in file.shared or ()}
        self.sets, self.count, self.most = set(), 0, most
        self.success = None  # the trace of a complete run without a failure
        self.walk()

    def is_complete(self):
        return self.count <= self.most

    def found(self, safe, complete):
        """Whether there is a run that a certificate says there is none of: one that fails, or, if it says vacuous, one that does not fail
        and is complete. About complete runs, each is complete."""
        return any((any(a[0] == "fails" for a in m) and (safe or not complete)) or (not safe and ("complete",) in m)
                   for m in self.sets if not complete or ("complete",) in m)

    def verdict(self, complete):
        """What a certificate can say."""
        if self.found(True, complete):
            return "violated"
        return "safe" if self.success is not None else "vacuous"

    def walk(self):
        todo = [Moment(len(self.threads), self.shared)]
        while todo and self.is_complete():
            m = todo.pop()
            self.count += 1
            self.sets.add(self.all_atoms(m))
            todo += self.following(m)

    def all_atoms(self, m):
        """The atoms of m, with the order of all commands, and with zero buffering of all rendezvous: what has happened
        comes first."""
        order = [*m.history, *self.rest(m)]
        atoms = {("before", *a, *b) for a, b in combinations(order, 2)}
        if all(n == len(thread) for n, thread in zip(m.next, self.threads)):
            atoms.add(("complete",))
            if not any(a[0] == "fails" for a in m.atoms):
                self.success = m.trace
        return m.atoms | atoms

    def rest(self, m):
        done = set(m.history)
        if self.zero:
            for receives in m.posted.values():
                for r in receives:
                    if ("instant", r) not in done:
                        yield "instant", r
        for n, thread in zip(m.next, self.threads):
            for c in thread[n:]:
                yield "command", c.location
                if self.zero and c.kind == "rcvi":
                    yield "instant", c.action

    def following(self, m):
        for t, thread in enumerate(self.threads):
            if m.next[t] < len(thread):
                c, new = thread[m.next[t]], m.copy()
                try:
                    self.step(c, new)
                except Stuck:
                    continue
                new.next[t] += 1
                new.atoms |= {("executed", c.location)}
                new.history += (("command", c.location),)
                new.trace, new.moved = (*new.trace, (c.location, new.moved)), ()
                yield new
        for channel, messages in m.transit.items():
            new = m.copy()
            if messages and self.move(channel, messages, new):
                yield new

    def move(self, channel, messages, m):
        beta = channel[1]
        arrived = m.arrived.get(beta, ())
        if self.zero and len(arrived) >= len(m.posted.get(beta, ())):
            return False
        m.transit[channel] = messages[1:]
        m.arrived[beta] = (*arrived, messages[0])
        m.moved += ((beta, channel[0]),)
        if len(arrived) < len(self.receives_at.get(beta, ())):
            r = self.receives_at[beta][len(arrived)]
            m.atoms |= {("match", r, messages[0][0])}
            if self.zero:
                m.history += (("instant", r),)
        return True

    def step(self, c, m):
        expressions = ([c.expression] if c.expression else []) + [e for _, e in c.assigned]
        used = {x for e in expressions for x in names(e)} & set(self.shared)
        before = dict(m.store)
        written = dict(m.written)
        {"assume": self.guarded, "when": self.guarded, "assert": self.checked, ":=": self.assigned, "sndi": self.sent,
         "rcvi": self.received, "wait": self.waited}[c.kind](c, m)
        for x in used:
            m.atoms |= {("in", c.location, x, word(before[x])),
                        ("read", c.location, x) if written[x] is None else ("read", c.location, x, written[x])}

    def define(self, c, m, values):
        m.store.update(values)
        for x, v in values.items():
            m.atoms |= {("out", c.location, x, word(v))}
            if x in self.shared:
                m.written[x] = c.location

    def guarded(self, c, m):
        """A false assumption leaves the path, a `when` waits."""
        if not evaluate(c.expression, m.store):
            raise Stuck
        self.define(c, m, {x: evaluate(e, m.store) for x, e in c.assigned})

    def checked(self, c, m):
        if not evaluate(c.expression, m.store):
            m.atoms |= {("fails", c.location)}

    def assigned(self, c, m):
        self.define(c, m, {c.variable: evaluate(c.expression, m.store)})

    def sent(self, c, m):
        value = evaluate(c.expression, m.store)
        m.atoms |= {("payload", c.action, word(value))}
        channel = c.source, c.destination
        m.transit[channel] = (*m.transit.get(channel, ()), (c.action, value))

    def received(self, c, m):
        m.posted[c.destination] = (*m.posted.get(c.destination, ()), c.action)

    def waited(self, c, m):
        of = self.of_action[c.action]
        if of.kind == "sndi":
            if self.zero and any(s == c.action for messages in m.transit.values() for s, _ in messages):
                raise Stuck
            return
        beta, values = of.destination, {}
        place, arrived = m.posted[beta].index(c.action), m.arrived.get(beta, ())
        if len(arrived) <= place:
            raise Stuck
        for r, (_, value) in zip(m.posted[beta][:place + 1], arrived):
            if r not in m.completed:
                m.completed += (r,)
                values[self.of_action[r].variable] = value
        self.define(c, m, values)
