"""What the commands of a program compute, in SMT-LIB, over what its receives get.

Every assignment makes a new constant, so a term always refers to the value that a variable has at its place.
"""


class Sort:
    """Int or Bool, or not known yet; unified with what it has to be the same as."""

    def __init__(self, name=None):
        self.name, self.same_as = name, None

    def root(self):
        return self if self.same_as is None else self.same_as.root()

    def unify(self, other):
        one, another = self.root(), other.root()
        if one is another:
            return
        if another.name is None:
            another.same_as = one
        else:
            one.same_as = another

    def __str__(self):
        return self.root().name or "Int"  # where nothing tells


INT, BOOL = Sort("Int"), Sort("Bool")

# Operator of the language -> that of SMT-LIB, the sort of its operands (None if any, but the same), and of the result.
OPERATORS = {op: (op, Sort("Int"), Sort("Int")) for op in ("+", "-", "*", "div", "mod")}
OPERATORS |= {op: (op, Sort("Int"), Sort("Bool")) for op in ("<", "<=", ">", ">=")}
OPERATORS |= {op: (op, Sort("Bool"), Sort("Bool")) for op in ("and", "or", "xor", "=>")}
OPERATORS |= {"=": ("=", None, Sort("Bool")), "!=": ("distinct", None, Sort("Bool"))}


class Request:
    """A send or a receive. Commands are numbered through the program."""

    def __init__(self, name, beta, issued):
        self.name = name  # its action
        self.beta = beta  # destination
        self.issued = issued  # the command
        self.wait = None  # the one that names it, if there is one
        self.alpha = None  # source, of a send
        self.completed = None  # the wait that completes it, of a receive: its nearest-enclosing one
        self.term = None  # what is sent, what is received


class Meaning:
    def __init__(self, program):
        self.threads = []  # the numbers of its commands, thread by thread
        self.sends, self.receives = [], []
        self.assumptions, self.assertions, self.divisors = [], [], []
        self.constants = []  # (symbol, sort, its term; None for a receive's)
        self.endpoints = {}
        first = 0
        for thread in program:
            self.threads.append(range(first, first + len(thread)))
            self.run(thread, first)
            first += len(thread)

    def endpoint(self, beta):
        """The sort of the messages to it."""
        return self.endpoints.setdefault(beta, Sort())

    def run(self, thread, first):
        values, requests, pending = {}, {}, []
        for n, command in enumerate(thread, first):
            match command:
                case ("assume", e):
                    self.assumptions.append(self.term(e, values, BOOL))
                case ("assert", e):
                    self.assertions.append(self.term(e, values, BOOL))
                case ("assign", x, e):
                    sort = Sort()
                    term = self.term(e, values, sort)
                    self.constants.append((f"x_{n}", sort, term))
                    values[x] = (f"x_{n}", sort)
                case ("sndi", a, alpha, beta, e):
                    send = requests[a] = Request(a, beta, n)
                    send.alpha = alpha
                    send.term = self.term(e, values, self.endpoint(beta))
                    self.sends.append(send)
                case ("rcvi", a, beta, x):
                    receive = requests[a] = Request(a, beta, n)
                    receive.term = f"got_{n}"
                    self.constants.append((receive.term, self.endpoint(beta), None))
                    self.receives.append(receive)
                    pending.append((receive, x))
                case ("wait", a):
                    request = requests[a]
                    request.wait = n
                    if request.alpha is not None or request.completed is not None:
                        continue
                    # It completes what was issued before, at its endpoint, in that order.
                    for receive, x in pending:
                        if receive.beta == request.beta and receive.issued <= request.issued:
                            receive.completed = n
                            values[x] = (receive.term, self.endpoint(receive.beta))
                    pending = [p for p in pending if p[0].completed is None]

    def term(self, e, values, wanted):
        """The term of an expression, of the sort that is wanted."""
        if isinstance(e, bool):
            BOOL.unify(wanted)
            return "true" if e else "false"
        if isinstance(e, int):
            INT.unify(wanted)
            return str(e) if e >= 0 else f"(- {-e})"
        if isinstance(e, str):
            symbol, sort = values[e]
            sort.unify(wanted)
            return symbol
        if e[0] == "not":
            BOOL.unify(wanted)
            return f"(not {self.term(e[1], values, BOOL)})"
        if e[0] == "ite":
            condition = self.term(e[1], values, BOOL)
            left = self.chosen(e[2], values, wanted, f"(ite {condition} {{}} 1)")
            right = self.chosen(e[3], values, wanted, f"(ite {condition} 1 {{}})")
            return f"(ite {condition} {left} {right})"
        symbol, operands, result = OPERATORS[e[0]]
        result.unify(wanted)
        operands = operands or Sort()
        left, right = (self.term(operand, values, operands) for operand in e[1:])
        if e[0] in ("div", "mod"):
            self.divisors.append(right)
        return f"({symbol} {left} {right})"

    def chosen(self, e, values, wanted, divisor):
        """The term of an operand that an `ite` may not choose. Its divisors are 1 then."""
        before = len(self.divisors)
        term = self.term(e, values, wanted)
        self.divisors[before:] = [divisor.format(d) for d in self.divisors[before:]]
        return term

    def declarations(self):
        """Assignments are defined, what is received is free."""
        for symbol, sort, term in self.constants:
            yield f"(declare-const {symbol} {sort})" if term is None else f"(define-fun {symbol} () {sort} {term})"
