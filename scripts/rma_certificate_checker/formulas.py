"""Reads proof.smt: for each state, of program counters and counts, a formula. A formula is read as an SMT-LIB term over
known symbols and operators, with their sorts, and written again under names of our own, so that no text of a
certificate reaches a solver."""

import re
from dataclasses import dataclass

from certificate_checker import Refused, shown

from .control import END

TOKEN = re.compile(r'[ \t\r\n]+|;[^\n]*|([()]|[^ \t\r\n()|";]+)')
NUMERAL = re.compile(r"0|[1-9][0-9]*")
STAYS = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789~!@$^&*_-+=<>.?/")
# operator -> how many operands at least and at most, their sort (None if any, but the same), and what it gives
OPERATORS = {"+": (2, None, "Int", "Int"), "*": (2, None, "Int", "Int"), "-": (1, None, "Int", "Int"),
             "div": (2, 2, "Int", "Int"), "mod": (2, 2, "Int", "Int"),
             "<": (2, 2, "Int", "Bool"), "<=": (2, 2, "Int", "Bool"),
             ">": (2, 2, "Int", "Bool"), ">=": (2, 2, "Int", "Bool"),
             "=": (2, 2, None, "Bool"), "distinct": (2, 2, None, "Bool"),
             "and": (2, None, "Bool", "Bool"), "or": (2, None, "Bool", "Bool"), "=>": (2, 2, "Bool", "Bool"),
             "xor": (2, 2, "Bool", "Bool"), "not": (1, 1, "Bool", "Bool")}


@dataclass
class Entry:
    pcs: tuple     # of each process
    active: tuple  # of each remote statement 0, 1, or 2 for many
    symbols: list  # that occur in the formula: ours, sorted
    formula: str


def mangled(name):
    """A name as an SMT-LIB symbol."""
    return "".join(chr(b) if b in STAYS and not (i == 0 and b in b"@.") else f"%{b:02X}"
                   for i, b in enumerate(name.encode()))


def symbols_of(program):
    """What variables and elements of sets are called for solvers: (symbol of the certificate, ours, sort), ..."""
    for i, x in enumerate(program.variables.values()):
        yield mangled(x.name), f"v{i}", x.sort
    for s, remote in enumerate(program.remotes):
        yield f"e%%{s}", f"e{s}", program.variables[remote.source].sort


def expressions(text):
    """The S-expressions of a text: a list of some, or a word with its line."""
    result, opened, at, line = [], [], 0, 1
    while at < len(text):
        token = TOKEN.match(text, at)
        if token is None:
            raise Refused(f"proof.smt, line {line}: this character is in no term: {shown(text[at])}")
        if token[1] == "(":
            opened.append((result, line))
            result = []
        elif token[1] == ")":
            if not opened:
                raise Refused(f"proof.smt, line {line}: this bracket closes nothing")
            inner, (result, _) = result, opened.pop()
            result.append(inner)
        elif token[1] is not None:
            result.append((token[1], line))
        line += token[0].count("\n")
        at = token.end()
    if opened:
        raise Refused(f"proof.smt, line {opened[-1][1]}: this bracket is not closed")
    return result


def line_of(e):
    """None if there is no word in it."""
    todo = [e]
    while todo:
        e = todo.pop()
        if isinstance(e, tuple):
            return e[1]
        todo += reversed(e)
    return None


def refused(e, what):
    line = line_of(e)
    return Refused(f"proof.smt{'' if line is None else f', line {line}'}: {what}")


def is_list(e, head):
    return isinstance(e, list) and e and isinstance(e[0], tuple) and e[0][0] == head


def read(text, program):
    """The entries by their states."""
    root = expressions(text)
    if len(root) != 1 or not is_list(root[0], "rma-proof"):
        raise Refused("proof.smt is not one (rma-proof ...)")
    symbols = list(symbols_of(program))
    result = {}
    for e in root[0][1:]:
        if not is_list(e, "state") or len(e) != 4:
            raise refused(e, "this is not a (state (pc ...) (active ...) FORMULA)")
        pcs, active = read_pcs(e[1], program), read_active(e[2], program)
        if (pcs, active) in result:
            raise refused(e, "this state is listed twice")
        known = {name: (ours, sort) for name, ours, sort in symbols if ours[0] != "e" or active[int(ours[1:])]}
        result[pcs, active] = Entry(pcs, active, *Term(known).formula(e[3]))
    return result


def words(e, head, count):
    if not is_list(e, head) or len(e) != 1 + count or not all(isinstance(word, tuple) for word in e):
        raise refused(e, f"expected ({head} ...) with {count} words")
    return [word for word, _ in e[1:]]


def read_pcs(e, program):
    result = []
    for p, word in enumerate(words(e, "pc", len(program.pids))):
        is_number = NUMERAL.fullmatch(word) and len(word) < 10 and int(word) < len(program.statements)
        if word != END and not (is_number and program.statements[int(word)].process == p):
            raise refused(e, f"this is not a statement of process {program.pids[p]}: {shown(word)}")
        result.append(END if word == END else int(word))
    return tuple(result)


def read_active(e, program):
    counts = words(e, "active", len(program.remotes))
    if not set(counts) <= {"0", "1", "2"}:
        raise refused(e, "a count is 0, 1 or 2")
    return tuple(map(int, counts))


class Term:
    def __init__(self, known):
        self.scope = dict(known)  # symbol -> ours, and its sort
        self.out = []
        self.used = set()
        self.bound = 0  # how many names

    def formula(self, e):
        """The symbols in it, and the formula, both under our names."""
        if self.term(e) != "Bool":
            raise refused(e, "this formula is an integer")
        return sorted(self.used), " ".join(self.out)

    def term(self, e):
        """Writes a term and returns its sort."""
        if isinstance(e, tuple):
            return self.word(e)
        if not e or not isinstance(e[0], tuple):
            raise refused(e, "this is not a term")
        op, operands = e[0][0], e[1:]
        if op in FORMS:
            return FORMS[op](self, e)
        if op not in OPERATORS:
            raise refused(e, f"this is not a known operator: {shown(op, 40)}")
        least, most, wanted, result = OPERATORS[op]
        self.out.append(f"({op}")
        for operand in alike(op, operands) if op in ("and", "or") else operands:
            sort = self.term(operand)
            wanted = wanted or sort
            if sort != wanted:
                raise refused(e, f"an operand of {op} has the wrong sort")
        if len(operands) < least or len(operands) > (most or len(operands)):
            raise refused(e, f"{op} has {len(operands)} operands")
        self.out.append(")")
        return result

    def word(self, e):
        word = e[0]
        if word in ("true", "false") or NUMERAL.fullmatch(word):
            self.out.append(word)
            return "Bool" if word in ("true", "false") else "Int"
        if word not in self.scope:
            raise refused(e, f"this is not a symbol of this state: {shown(word, 40)}")
        ours, sort = self.scope[word]
        if ours[0] != "l":
            self.used.add(ours)
        self.out.append(ours)
        return sort

    def choice(self, e):
        if len(e) != 4:
            raise refused(e, "ite has three operands")
        self.out.append("(ite")
        condition, chosen, other = [self.term(operand) for operand in e[1:]]
        if condition != "Bool" or chosen != other:
            raise refused(e, "an operand of ite has the wrong sort")
        self.out.append(")")
        return chosen

    def let(self, e):
        """(let ((x t) ...) t)"""
        bound = {}
        self.out.append("(let (")
        for name, value in self.bindings(e):
            ours = self.new_name(e, name, bound)
            self.out.append(f"({ours}")
            bound[name] = ours, self.term(value)
            self.out.append(")")
        self.out.append(")")
        return self.body(e, bound)

    def quantified(self, e):
        """(exists ((x Int) ...) t), as Spacer writes them. Solvers may have no answer."""
        bound = {}
        self.out.append(f"({e[0][0]} (")
        for name, sort in self.bindings(e):
            if sort[0] not in ("Int", "Bool"):
                raise refused(e, "this sort is neither Int nor Bool")
            bound[name] = self.new_name(e, name, bound), sort[0]
            self.out.append(f"({bound[name][0]} {sort[0]})")
        self.out.append(")")
        if self.body(e, bound) != "Bool":
            raise refused(e, "a quantified term is an integer")
        return "Bool"

    def annotated(self, e):
        """(! t :weight 0), which means t"""
        if len(e) < 2:
            raise refused(e, "this is not a term")
        return self.term(e[1])

    @staticmethod
    def bindings(e):
        """The (name, S-expression), ... of a term that binds names."""
        if len(e) != 3 or not isinstance(e[1], list) or not e[1]:
            raise refused(e, f"{e[0][0]} takes ((x ...) ...) and a term")
        for binding in e[1]:
            is_pair = isinstance(binding, list) and len(binding) == 2
            if not is_pair or not isinstance(binding[0], tuple) or not binding[1]:
                raise refused(e, f"{e[0][0]} takes ((x ...) ...) and a term")
            yield binding[0][0], binding[1]

    def new_name(self, e, name, bound):
        if name in bound or name in ("true", "false") or NUMERAL.fullmatch(name):
            raise refused(e, f"{e[0][0]} does not bind {shown(name, 40)}")
        self.bound += 1
        return f"l{self.bound}"

    def body(self, e, bound):
        """The term in which these names are bound, and the bracket after it. Returns its sort."""
        before = {name: self.scope.get(name) for name in bound}
        self.scope.update(bound)
        sort = self.term(e[2])
        self.out.append(")")
        self.scope.update(before)
        for name in [name for name, known in before.items() if known is None]:
            del self.scope[name]
        return sort


def alike(op, operands):
    """The operands of nested `and`s, or of nested `or`s."""
    todo = list(reversed(operands))
    while todo:
        e = todo.pop()
        if is_list(e, op) and len(e) > 2:
            todo += reversed(e[1:])
        else:
            yield e


FORMS = {"ite": Term.choice, "let": Term.let, "exists": Term.quantified, "forall": Term.quantified,
         "!": Term.annotated}
