"""Reads the trace language, as docs/language.md has it: the text of a file becomes a File, or NotAProgram says where it is
none. The static rules are checked here, D1 to D6 in program.py."""

from .collectives import KINDS, PARTS, Call
from .tree import SELECTORS, Command, File, Node, Selectors
from .words import (BOT, CLOSING, INTEGER, MOST_BITS, MOST_COUNT, MOST_DIGITS, MOST_LINES, MOST_TIMES, NATURAL,
                    OPERANDS, OPERATORS, RESERVED, TOKEN, is_atom, is_variable, number, plain_number, value)


class NotAProgram(Exception):
    """What is wrong, by which rule, and where: a line and a column, in code points, from 1."""

    def __init__(self, text, at, rule, message):
        line = text.count("\n", 0, at) + 1
        column = at - (text.rfind("\n", 0, at) + 1) + 1
        super().__init__(f"{line}:{column}: {rule}: {message}")


def read(data):
    """The File of these bytes. Raises NotAProgram."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as e:
        before = data[:e.start].decode("utf-8")
        raise NotAProgram(before, len(before), "syntax", "this is not UTF-8") from None
    return Parser(text).file()


class Parser:
    def __init__(self, text):
        self.text = text
        start = 1 if text.startswith("\ufeff") else 0
        self.tokens = [(m[1], m.start(1)) for m in TOKEN.finditer(text, start) if m[1] is not None]
        self.tokens += [("", len(text))] * 3  # as far as one looks ahead
        self.i = 0
        self.brackets = []
        self.faults = []  # of static rules: (where, rule, message)
        self.locations, self.actions = set(), set()
        self.waits = []   # and starts: (where, action, whether it is a wait)
        self.extras = []  # (where, location)
        self.barriers = {}  # name -> for each thread that has it [thread, how often, where the last time]
        self.calls = []     # (where its kind is, thread, Call)
        self.members, self.declared = {}, []  # of communicators: name -> threads; (where, name)
        self.blocking = set()  # actions of collectives that block

    # ---- tokens ----

    @property
    def word(self):
        return self.tokens[self.i][0]

    @property
    def at(self):
        return self.tokens[self.i][1]

    def ahead(self, n):
        return self.tokens[self.i + n][0]

    def fail(self, wanted, rule="syntax"):
        raise NotAProgram(self.text, self.at, rule, wanted)

    def open(self, wanted):
        if self.word not in CLOSING:
            self.fail(f"expected {wanted}")
        self.brackets.append(CLOSING[self.word])
        self.i += 1

    def close(self):
        if self.word != self.brackets[-1]:
            self.fail(f"expected `{self.brackets[-1]}`")
        self.brackets.pop()
        self.i += 1

    def atom(self, wanted, accepts=lambda word: True):
        word = self.word
        if not is_atom(word) or not accepts(word):
            self.fail(f"expected {wanted}")
        self.i += 1
        return word

    def fault(self, at, rule, message):
        self.faults.append((at, rule, message))

    # ---- the grammar, production by production ----

    def file(self):
        file = File()
        if self.word in CLOSING and self.ahead(1) == "shared":
            file.shared = self.shared(file.atomic)
        if self.word in CLOSING and self.ahead(1) == "communicators":
            file.communicators = self.communicators()
        self.open("a program")
        while self.word in CLOSING:
            file.threads.append(self.thread(len(file.threads)))
        self.close()
        self.check_uses(len(file.threads))
        while self.word in CLOSING:
            file.traces.append(self.trace())
        if self.word != "":
            self.fail("expected the end of the file")
        if self.faults:
            raise NotAProgram(self.text, *min(self.faults))
        return file

    def shared(self, atomic):
        self.open("shared variables")
        self.keyword("shared")
        result, names = [], set()
        while self.word in CLOSING or self.word == "atomic":
            is_atomic = self.word == "atomic"
            if is_atomic:
                self.i += 1
            self.open("a shared variable")
            at, name = self.at, self.atom("a variable", is_variable)
            if name in names:
                self.fault(at, "S6", "this shared variable is declared twice")
            names.add(name)
            if is_atomic:
                atomic.add(name)
            result.append((name, self.leaf([]).word if self.is_value() else self.fail("expected a value")))
            self.close()
        self.close()
        return result

    def communicators(self):
        self.open("communicators")
        self.keyword("communicators")
        while self.word in CLOSING:
            self.open("a communicator")
            at, name = self.at, self.atom("a communicator")
            if name in self.members:
                self.fault(at, "S10", "this communicator is declared twice")
            self.members[name] = []
            self.declared.append((at, name))
            while self.word not in CLOSING.values():
                self.members[name].append(int(self.natural_up_to(MOST_LINES, "a thread")))
            self.close()
        self.close()
        return self.members

    def is_value(self):
        return self.word in ("true", "false") or INTEGER.fullmatch(self.word) is not None

    def thread(self, number):
        self.open("a thread")
        commands = []
        while self.word in CLOSING:
            commands.append(self.located_command(number))
        self.optional_bot()
        self.close()
        return commands

    def optional_bot(self):
        if self.word in BOT:
            self.i += 1

    def located_command(self, thread):
        self.open("a located command")
        at = self.at
        location = self.atom("a location")
        if location in self.locations:
            self.fault(at, "S1", "this location is used twice")
        self.locations.add(location)
        self.open("a command")
        command = self.body(thread)
        self.close()
        command.place = self.optional_place()
        self.close()
        command.location = location
        return command

    def body(self, thread):
        # The names of some commands are variables, too.
        if self.word in BODIES and (self.word in RESERVED or self.ahead(1) != ":="):
            kind = self.atom("a command")
            return BODIES[kind](self, Command(kind))
        if self.word in ("test", "iprobe") and self.ahead(1) != ":=":
            return self.test()
        if self.word == "barrier" and self.ahead(1) != ":=":
            return self.barrier(thread)
        if self.word in ("collective", "icollective") and self.ahead(1) != ":=":
            return self.collective(thread)
        if self.word == "when" and self.ahead(1) != ":=":
            return self.guarded(Command(self.atom("a command")))
        c = Command(":=", variable=self.atom("a command, or a variable to assign to", is_variable))
        self.atom("`:=`", lambda word: word == ":=")
        c.expression = self.expression()
        return c

    def condition(self, c):
        c.expression = self.expression()
        return c

    def guarded(self, c):
        c.expression, names = self.expression(), set()
        while self.word in CLOSING:
            self.open("an assignment")
            at, name = self.at, self.atom("a variable to assign to", is_variable)
            if name in names:
                self.fault(at, "S7", "this variable is assigned twice in one command")
            names.add(name)
            self.atom("`:=`", lambda word: word == ":=")
            c.assigned.append((name, self.expression()))
            self.close()
        return c

    def sndi(self, c):
        c.kind, c.mode = "sndi", c.kind
        c.action = self.issued_action()
        c.source = self.endpoint()
        c.destination = self.endpoint()
        c.expression = self.expression()
        c.extra = self.optional_location()
        if self.begins_selector():
            self.open("a tag")
            self.keyword("tag")
            c.tag = self.natural("a tag")
            self.close()
        return c

    def rcvi(self, c):
        c.action = self.issued_action()
        c.destination = self.endpoint()
        c.variable = self.atom("a variable", is_variable)
        c.extra = self.optional_location()
        return self.selecting(c)

    def selecting(self, c):
        c.selectors = Selectors()
        while self.begins_selector():
            self.selector(c.selectors)
        return c

    def probe(self, c):
        c.action = self.issued_action()
        c.destination = self.endpoint()
        return self.selecting(c)

    def start(self, c):
        self.wait(c)
        c.variable = self.atom("a variable", is_variable)
        return c

    def begins_selector(self):
        """Behind `(a (` there is a located command, and a bracket is missing in front of it."""
        return self.word in CLOSING and not (is_atom(self.ahead(1)) and self.ahead(2) in CLOSING)

    def selector(self, selectors):
        at = self.at
        self.open("a selector")
        kind = self.atom("`from`, `tag`, `source` or `tagged`", SELECTORS.__contains__)
        name = SELECTORS[kind]
        if getattr(selectors, name) not in (None, ""):
            self.fault(at, "S8", "this selector is there twice")
        if kind in ("source", "tagged"):
            setattr(selectors, name, self.atom("a variable", is_variable))
        else:
            setattr(selectors, name, self.naturals())
        self.close()

    def naturals(self):
        result = []
        while is_atom(self.word):
            result.append(self.natural("a number"))
        return result

    def barrier(self, thread):
        self.keyword("barrier")
        at, name = self.at, self.atom("a barrier")
        threads = self.barriers.setdefault(name, [])
        if not threads or threads[-1][0] != thread:
            threads.append([thread, 0, at])
        threads[-1] = [thread, threads[-1][1] + 1, at]
        return Command("barrier", barrier=name)

    def collective(self, thread):
        blocks = self.atom("a collective") == "collective"
        c = Command("collective", action=self.issued_action())
        if blocks:
            self.blocking.add(c.action)
        communicator, at = self.atom("a communicator"), self.at
        c.call = Call(communicator, self.atom("a kind of collective", KINDS.__contains__), blocks)
        self.calls.append((at, thread, c.call))
        while self.begins_selector():
            self.part(c.call)
        return c

    def part(self, call):
        at = self.at
        self.open("a part of a collective")
        name = self.atom("`root`, `op`, `type` or `count`", PARTS.__contains__)
        if getattr(call, name):
            self.fault(at, "S10", "this part is there twice")
        if name == "root":
            call.root = self.natural_up_to(MOST_LINES, "a thread")
        elif name == "count":
            call.count = [self.natural_up_to(MOST_COUNT, "a count")]
            while is_atom(self.word):
                call.count.append(self.natural_up_to(MOST_COUNT, "a count"))
        else:
            setattr(call, name, self.atom("a name"))
        self.close()

    def optional_place(self):
        if self.word not in CLOSING or self.ahead(1) != "at":
            return None
        self.open("a place")
        self.keyword("at")
        if self.word[:1] != '"' or len(self.word) == 1:
            self.fail("expected the name of a file")
        file = self.word[1:-1]
        self.i += 1
        line = self.natural_up_to(MOST_LINES, "a line")
        self.close()
        return file, line

    def natural_up_to(self, most, wanted):
        return plain_number(self.atom(wanted, lambda word: NATURAL.fullmatch(word) and len(plain_number(word)) < 21
                                      and int(plain_number(word)) <= most))

    def keyword(self, word):
        self.atom(f"`{word}`", lambda other: other == word)

    def wait(self, c):
        self.waits.append((self.at, self.word, c.kind == "wait"))
        c.action = self.atom("an action")
        if self.begins_choice():
            c.choice = self.choice()
        return c

    def test(self):
        """A choice of time that came out so: it has no meaning."""
        word = self.atom("a test", lambda other: other in ("test", "iprobe"))
        choice = self.seen() if word == "iprobe" else self.choice() if self.begins_choice() else self.atom("an action")
        result = self.atom("`true` or `false`", lambda word: word in ("true", "false"))
        times = "0" if result == "true" else "1"
        if is_atom(self.word):
            times = plain_number(self.atom("a count", lambda word: NATURAL.fullmatch(word) and len(plain_number(word)) < 21
                                           and int(plain_number(word)) <= MOST_TIMES))
        c = Command("assume", expression=Node([], 0, "true", value=True))
        c.choice = " ".join([word, choice, result, *([] if times == ("0" if result == "true" else "1") else [times])])
        return c

    def seen(self):
        parts, said = [self.atom("an action"), self.endpoint()], {}
        while self.begins_selector():
            self.open("a selector")
            kind = self.atom("`from` or `tag`", lambda word: word in ("from", "tag"))
            said[kind] = f"({' '.join([kind, *self.naturals()])})"  # the last one of each kind
            self.close()
        return " ".join([*parts, *(said[kind] for kind in ("from", "tag") if kind in said)])

    def begins_choice(self):
        return self.word in CLOSING and self.ahead(1) in CHOICES

    def choice(self):
        self.open("a choice")
        parts = [self.atom("`among`, `some` or `all`", CHOICES.__contains__), self.atom("an action")]
        while is_atom(self.word):
            parts.append(self.atom("an action"))
        self.close()
        return f"({' '.join(parts)})"

    def issued_action(self):
        at = self.at
        action = self.atom("an action")
        if action in self.actions:
            self.fault(at, "S2", "this action is issued twice")
        self.actions.add(action)
        return action

    def endpoint(self):
        return self.natural("an endpoint")

    def natural(self, wanted):
        return plain_number(self.atom(wanted, NATURAL.fullmatch))

    def optional_location(self):
        if not is_atom(self.word):
            return ""
        self.extras.append((self.at, self.word))
        return self.atom("a location")

    def check_uses(self, thread_count):
        for at, action, is_wait in self.waits:
            if action not in self.actions:
                self.fault(at, "S3", "this is not an action of the program")
            if action in self.blocking and is_wait:
                self.fault(at, "S3", "a collective that blocks has no wait")
        for at, location in self.extras:
            if location not in self.locations:
                self.fault(at, "S5", "this is not a location of the program")
        for threads in self.barriers.values():
            for _, count, at in threads:
                if count != threads[0][1]:
                    self.fault(at, "S9", "this barrier does not occur as often as in another thread that has it")
                    break
        for at, name in self.declared:
            if len(set(self.members[name])) != len(self.members[name]) or any(t >= thread_count for t in self.members[name]):
                self.fault(at, "S10", "members are threads of the program, each named once")
        members = {name: set(threads) for name, threads in self.members.items()}
        for at, thread, call in self.calls:
            if call.communicator not in self.members:
                members.setdefault(call.communicator, set()).add(thread)
            elif thread not in members[call.communicator]:
                self.fault(at, "S10", "the thread is not a member of the communicator")
        for at, _, call in self.calls:
            why = call.fault(members[call.communicator])
            if why is not None:
                self.fault(at, "S10", why)

    def trace(self):
        self.open("a trace")
        entries = []
        while self.word in CLOSING:
            self.open("a trace entry")
            location = self.atom("a location")
            entries.append((location, self.movements()))
            self.close()
        self.close()
        return entries

    def movements(self):
        if self.word in BOT:
            self.i += 1
            return []
        self.open("movements")
        result = []
        while self.word in CLOSING and not (result and result[-1][0] == "peek"):
            self.open("a movement")
            is_peek = [self.atom("`peek`")] if self.word == "peek" else []
            result.append((*is_peek, self.endpoint(), self.endpoint(), self.natural("a tag") if is_atom(self.word) else ""))
            self.close()
        self.optional_bot()
        self.close()
        return result

    # ---- expressions ----

    def expression(self):
        nodes, opened = [], []  # opened: (operator, where, the first of its nodes, operands)
        while True:
            if self.word in CLOSING:
                self.open("an expression")
                at = self.at
                opened.append((self.atom("an operator", OPERATORS.__contains__), at, len(nodes), []))
            else:
                self.add_operand(opened, self.leaf(nodes))
            while opened and self.word in (")", "]"):
                self.close()
                self.add_operand(opened, self.operation(nodes, *opened.pop()))
            if not opened:
                return nodes[-1]

    @staticmethod
    def add_operand(opened, node):
        if opened:
            opened[-1][3].append(node)

    def operation(self, nodes, op, at, first, operands):
        if len(operands) != OPERANDS.get(op, 2):
            self.fault(at, "S4", f"`{op}` has {len(operands)} operands")
        return Node(nodes, first, op, tuple(operands))

    def leaf(self, nodes):
        word = self.word
        if word in ("true", "false"):
            node = Node(nodes, len(nodes), word, value=word == "true")
        elif INTEGER.fullmatch(word):
            node = Node(nodes, len(nodes), plain_number(word), value=self.integer(plain_number(word)))
        elif is_variable(word):
            node = Node(nodes, len(nodes), word, is_variable=True)
        else:
            self.fail("expected an expression")
        self.i += 1
        return node

    def integer(self, word):
        digits = word.lstrip("-")
        value = number(digits) if len(digits) <= MOST_DIGITS else 1 << MOST_BITS
        if value.bit_length() > MOST_BITS:
            self.fail("this integer is too long", "limit")
        return -value if word[0] == "-" else value


BODIES = {"assume": Parser.guarded, "assert": Parser.condition, "sndi": Parser.sndi, "ssndi": Parser.sndi,
          "bsndi": Parser.sndi, "rsndi": Parser.sndi, "rcvi": Parser.rcvi, "wait": Parser.wait, "probe": Parser.probe,
          "mprobe": Parser.probe, "start": Parser.start}
CHOICES = ("among", "some", "all")  # of time
