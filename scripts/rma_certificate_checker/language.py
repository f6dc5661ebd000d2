"""Reads `.rma` programs, as docs/rma.md has their language: the text of a file becomes a Program, or NotAProgram says
where it is not one. All static rules are checked."""

from dataclasses import dataclass, field

from certificate_checker import Refused
from certificate_checker.language import NotAProgram, Parser
from certificate_checker.tree import Node
from certificate_checker.words import (CLOSING, COMPARISONS, GIVE_INTEGERS, INTEGER, OF_INTEGERS, OPERANDS, OPERATORS,
                                       is_atom, is_variable, plain_number)

REMOTE_ATOMICS = {"fetch-and-op", "compare-and-swap", "accumulate"}
BEFORE_BRACKETS = {"if", "while", "assume", "assert", "atomic"}  # these are not locations in `(if (...) ...)`
BEFORE_ATOMS = {"load", "store", "put", "get", "choose", "goto"} | REMOTE_ATOMICS  # nor these in `(goto skip)`


@dataclass
class Variable:
    name: str
    shared: bool
    process: int  # the index of the process that declares it
    initial: str  # a plain number, `true` or `false`

    @property
    def sort(self):
        return sort_of_value(self.initial)


@dataclass(eq=False)
class Statement:
    number: int   # in the order of the text, a compound statement before its parts
    process: int  # index
    line: int
    kind: str = "skip"  # `:=` and the words of the language
    rho: str = ""
    variable: str = ""  # that load, store, `:=` and choose assign to, and put and get later
    source: str = ""    # that load reads, and put and get later
    pid: str = ""       # that put, get and flush name
    remote: int = None  # of put and get: which one it is, in the order of the text
    expression: Node = None
    values: list = field(default_factory=list)  # of choose
    target: str = ""                            # of goto
    body: list = field(default_factory=list)    # of if, while and atomic
    otherwise: list = field(default_factory=list)

    def __str__(self):
        parts = {"load": [self.variable, self.source], "put": [self.variable, self.pid, self.source],
                 "get": [self.variable, self.source, self.pid], "flush": [self.pid], "goto": [self.target],
                 "choose": [self.variable, *self.values]}.get(self.kind)
        if parts is None:
            parts = [self.variable] * (self.kind == "store")
            parts += [smt(self.expression)] if self.expression else []
        if self.kind == ":=":
            return f"({self.variable} := {parts[0]})"
        return self.kind if self.kind == "skip" else f"({' '.join([self.kind, *parts, *['...'] * bool(self.body)])})"


@dataclass
class Remote:
    """A put or a get: a transfer between two variables."""
    statement: Statement
    to: int  # the index of the process that it names
    source: str
    target: str


@dataclass
class Property:
    is_final: bool
    expression: Node
    line: int

    def __str__(self):
        return f"({'assert final' if self.is_final else 'invariant'} {smt(self.expression)})"


@dataclass
class Program:
    pids: list = field(default_factory=list)
    blocks: list = field(default_factory=list)      # of each process its statements, those outside of others
    variables: dict = field(default_factory=dict)   # name -> Variable
    statements: list = field(default_factory=list)  # all, by number
    remotes: list = field(default_factory=list)
    properties: list = field(default_factory=list)
    locations: dict = field(default_factory=dict)   # (process, rho) -> Statement

    def meaning(self):
        """Two programs with the same meaning, up to names, have equal ones."""
        def nested(block):
            return [(s.kind, s.rho, str(s), nested(s.body), nested(s.otherwise)) for s in block]
        return (self.pids, [nested(block) for block in self.blocks], [vars(x) for x in self.variables.values()],
                [str(p) for p in self.properties])


def read(data):
    """The Program of these bytes. Raises NotAProgram."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as e:
        before = data[:e.start].decode("utf-8")
        raise NotAProgram(before, len(before), "syntax", "this is not UTF-8") from None
    return Reader(text).program()


def is_value(word):
    return word in ("true", "false") or INTEGER.fullmatch(word) is not None


def sort_of_value(word):
    return "Bool" if word in ("true", "false") else "Int"


def smt(e, name=str, place=lambda pid, rho: f"(at {pid} {rho})"):
    """An expression as an SMT-LIB term; `name` says what its variables are called, `place` whether a process is at some
    location."""
    stack = []
    for node in e.part():
        if not node.operands:
            if node.word == "at" and not node.is_variable:
                stack.append(place(*node.value))
            else:
                stack.append(name(node.word) if node.is_variable else smt_value(node.word))
            continue
        operands = [stack.pop() for _ in node.operands][::-1]
        while len(operands) > 2 and node.word in ("and", "or"):
            operands[:2] = [f"({node.word} {operands[0]} {operands[1]})"]
        stack.append(f"({'distinct' if node.word == '!=' else node.word} {' '.join(operands)})")
    return stack.pop()


def smt_value(word):
    return f"(- {word[1:]})" if word[0] == "-" else word


class Reader(Parser):
    def __init__(self, text):
        super().__init__(text)
        self.result = Program()
        self.process = None   # the index of the one that is read; None in properties
        self.later = []       # checks that need all declarations
        self.enclosing = {}   # statement -> the `atomic` that it is inside of, or None
        self.atomic = None    # that is being read

    def program(self):
        self.open("a program `(rma ...)`")
        self.keyword("rma")
        while self.word in CLOSING and self.ahead(1) == "process":
            self.one_process()
        self.process = None
        while self.word in CLOSING:
            self.one_property()
        self.close()
        if self.word != "":
            self.fail("expected the end of the file")
        for check in self.later:
            check()
        if self.faults:
            raise NotAProgram(self.text, *min(self.faults))
        return self.result

    def one_process(self):
        self.open("a process")
        self.keyword("process")
        at, pid = self.at, self.natural("the number of a process")
        if pid in self.result.pids:
            self.fault(at, "RS1", "there are two processes with this number")
        self.process = len(self.result.pids)
        self.result.pids.append(pid)
        while self.word in CLOSING and self.ahead(1) in ("shared", "local") and self.ahead(2) != ":=":
            self.declarations()
        block = []
        self.result.blocks.append(block)
        self.statements(block)
        self.optional_bot()
        self.close()

    def declarations(self):
        self.open("declarations")
        shared = self.atom("`shared` or `local`") == "shared"
        while self.word in CLOSING:
            self.open("a declaration")
            at, name = self.at, self.atom("a variable", is_variable)
            value = self.value()
            self.close()
            if name in self.result.variables:
                self.fault(at, "RS1", "this variable is declared twice")
            self.result.variables.setdefault(name, Variable(name, shared, self.process, value))
        self.close()

    def value(self):
        word = self.atom("a value", is_value)
        return word if word in ("true", "false") else plain_number(word)

    def one_property(self):
        line = self.line()
        self.open("a property")
        kind = self.atom("`assert` or `invariant`", lambda word: word in ("assert", "invariant"))
        if kind == "assert":
            self.keyword("final")
        self.result.properties.append(Property(kind == "assert", self.condition_of(None), line))
        self.close()

    def line(self):
        return self.text.count("\n", 0, self.at) + 1

    # ---- statements ----

    def statements(self, block):
        while self.word in CLOSING or self.word == "skip":
            block.append(self.statement())

    def statement(self):
        """stmt ::= c | [rho c]"""
        s = Statement(len(self.result.statements), self.process, self.line())
        self.result.statements.append(s)
        self.enclosing[s] = self.atomic
        if self.begins_located():
            self.open("a statement")
            at, s.rho = self.at, self.atom("a location")
            if (self.process, s.rho) in self.result.locations:
                self.fault(at, "RS1", "this location is used twice")
            self.result.locations[self.process, s.rho] = s
            self.unlocated(s)
            self.close()
        else:
            self.unlocated(s)
        return s

    def begins_located(self):
        word, following = self.ahead(1), self.ahead(2)
        if self.word not in CLOSING or not is_atom(word) or word in BEFORE_BRACKETS:
            return False
        is_skip = following == "skip" and self.ahead(3) in (")", "]")
        return following in CLOSING or (is_skip and word not in BEFORE_ATOMS)

    def unlocated(self, s):
        if self.word not in CLOSING:
            self.keyword("skip")
            return
        self.open("a statement")
        if self.ahead(1) == ":=":
            s.kind = ":="
            s.variable = self.own("local")
            self.keyword(":=")
            s.expression = self.assigned(s.variable)
        else:
            at, kind = self.at, self.atom("a statement")
            if kind in REMOTE_ATOMICS:
                raise Refused(f"line {s.line}: there are no certificates of programs with remote atomics")
            if kind not in STATEMENTS:
                raise NotAProgram(self.text, at, "syntax", "expected a statement")
            s.kind = kind
            STATEMENTS[kind](self, s)
        self.close()

    def load(self, s):
        at = self.at
        s.variable, s.source = self.own("local"), self.own("shared")
        self.same_sort(at, s.variable, s.source)

    def store(self, s):
        s.variable = self.own("shared")
        s.expression = self.assigned(s.variable)

    def put(self, s):
        at, s.variable = self.at, self.atom("a variable", is_variable)
        s.pid = self.other_process()
        s.source = self.own("shared")
        self.remote(s, at, s.variable)

    def get(self, s):
        s.variable = self.own("shared")
        at, s.source = self.at, self.atom("a variable", is_variable)
        s.pid = self.other_process()
        self.remote(s, at, s.source)

    def remote(self, s, at, far):
        """`far` is the variable of the other process."""
        s.remote = len(self.result.remotes)
        remote = Remote(s, None, s.source, s.variable)
        self.result.remotes.append(remote)

        def check():
            x = self.result.variables.get(far)
            remote.to = self.result.pids.index(s.pid) if s.pid in self.result.pids else None
            if x is None or not x.shared or x.process != remote.to:
                self.fault(at, "RS3", "the remote side is a shared variable of the process that is named")
        self.later.append(check)
        self.same_sort(at, s.variable, s.source)

    def flush(self, s):
        s.pid = self.other_process()

    def choose(self, s):
        at = self.at
        s.variable = self.own("local")
        s.values.append(self.value())
        while is_value(self.word):
            s.values.append(self.value())
        self.later.append(lambda: self.expect(at, self.sort(s.variable), *map(sort_of_value, s.values)))

    def conditional(self, s):
        s.expression = self.condition_of(self.process)

    def if_statement(self, s):
        self.conditional(s)
        self.branch(s.body)
        if self.word in CLOSING:
            self.branch(s.otherwise)

    def branch(self, block):
        self.open("a list of statements")
        self.statements(block)
        self.close()

    def while_statement(self, s):
        self.conditional(s)
        self.statements(s.body)

    def goto(self, s):
        at, process = self.at, self.process
        s.target = self.atom("a location")

        def check():
            target = self.result.locations.get((process, s.target))
            if target is None:
                self.fault(at, "RS4", "this is not a location of the process")
            elif self.enclosing[target] is not self.enclosing[s]:
                self.fault(at, "RS5", "this `goto` crosses the border of an `atomic`")
        self.later.append(check)

    def atomic_statement(self, s):
        if self.atomic is not None:
            self.fault(self.at, "RS5", "an `atomic` inside of another one")
        before, self.atomic = self.atomic, s
        self.statements(s.body)
        self.atomic = before

    # ---- names and sorts ----

    def own(self, kind):
        """A variable of the process itself; `kind` is `shared` or `local`."""
        at, process, name = self.at, self.process, self.atom("a variable", is_variable)

        def check():
            x = self.result.variables.get(name)
            if x is None or x.process != process or x.shared != (kind == "shared"):
                self.fault(at, "RS2", f"this is not a {kind} variable of the process")
        self.later.append(check)
        return name

    def other_process(self):
        at, process, pid = self.at, self.process, self.natural("the number of a process")

        def check():
            if pid not in self.result.pids or self.result.pids.index(pid) == process:
                self.fault(at, "RS3", "this is not the number of another process")
        self.later.append(check)
        return pid

    def sort(self, name):
        """None if it is not declared, which is a fault of its own."""
        x = self.result.variables.get(name)
        return x and x.sort

    def same_sort(self, at, name, other):
        self.later.append(lambda: self.expect(at, self.sort(name), self.sort(other)))

    def expect(self, at, wanted, *sorts):
        """Where the wanted sort is None, they have to be alike."""
        known = {sort for sort in (wanted, *sorts) if sort is not None}
        if len(known) > 1:
            self.fault(at, "RS6", "this has another sort than is needed")

    def condition_of(self, process):
        at = self.at
        e = self.expression()
        self.later.append(lambda: self.expect(at, "Bool", self.sort_of(e, at, process)))
        return e

    def assigned(self, variable):
        at, process = self.at, self.process
        e = self.expression()
        self.later.append(lambda: self.expect(at, self.sort(variable), self.sort_of(e, at, process)))
        return e

    def sort_of(self, e, at, process):
        """`process` is None if the expression is of a property."""
        stack = []
        for node in e.part():
            operands = [stack.pop() for _ in node.operands][::-1]
            if not operands:
                stack.append(self.sort_of_leaf(node, at, process))
            elif node.word == "ite":
                self.expect(at, "Bool", operands[0])
                self.expect(at, *operands[1:])
                stack.append(operands[1] or operands[2])
            else:
                of_any = node.word in COMPARISONS
                wanted = None if of_any else "Int" if node.word in OF_INTEGERS else "Bool"
                self.expect(at, wanted, *operands)
                stack.append("Int" if node.word in GIVE_INTEGERS else "Bool")
        return stack.pop()

    def sort_of_leaf(self, node, at, process):
        if not node.is_variable:
            return "Bool" if node.word == "at" else sort_of_value(node.word)
        x = self.result.variables.get(node.word)
        if x is None or (process is not None and (x.process != process or x.shared)):
            self.fault(at, "RS2", "expressions of a process range over its local variables, properties over all")
        return x and x.sort

    # ---- expressions: as in the trace language, but for `at`, and for `and` and `or` of more than two ----

    def expression(self):
        nodes, opened = [], []
        while True:
            if self.word in CLOSING:
                self.open("an expression")
                at = self.at
                if self.word == "at" and self.process is None:
                    self.add_operand(opened, self.place(nodes))
                else:
                    opened.append((self.atom("an operator", OPERATORS.__contains__), at, len(nodes), []))
            else:
                self.add_operand(opened, self.leaf(nodes))
            while opened and self.word in (")", "]"):
                self.close()
                self.add_operand(opened, self.operation(nodes, *opened.pop()))
            if not opened:
                return nodes[-1]

    def place(self, nodes):
        """at pid rho), after its bracket"""
        self.keyword("at")
        at = self.at
        pid, rho = self.natural("the number of a process"), self.atom("a location")
        self.close()

        def check():
            if pid not in self.result.pids or (self.result.pids.index(pid), rho) not in self.result.locations:
                self.fault(at, "RS4", "this is not a location of a process")
        self.later.append(check)
        return Node(nodes, len(nodes), "at", value=(pid, rho))

    def operation(self, nodes, op, at, first, operands):
        if len(operands) < 2 if op in ("and", "or") else len(operands) != OPERANDS.get(op, 2):
            raise NotAProgram(self.text, at, "S4", f"`{op}` has {len(operands)} operands")
        return Node(nodes, first, op, tuple(operands))


STATEMENTS = {"load": Reader.load, "store": Reader.store, "put": Reader.put, "get": Reader.get, "flush": Reader.flush,
              "choose": Reader.choose, "assume": Reader.conditional, "assert": Reader.conditional,
              "if": Reader.if_statement, "while": Reader.while_statement, "goto": Reader.goto,
              "atomic": Reader.atomic_statement}
