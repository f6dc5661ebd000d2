"""Mutants of the tables over operators: an entry is exchanged with another operator's. Each has a program that shows it.

A table is a switch or a visitor over the meanings of grammar/operators.cpp, or one of the columns there. What should be
answered is computed here, by nothing of Matchpoint's. tests/mutants/mutants.py runs the program with the mutant and without.
"""

import re
from dataclasses import dataclass
from itertools import permutations

from table import Edit, Mutant

ARITHMETIC = {"plus": "+", "minus": "-", "times": "*", "div": "div", "mod": "mod"}
RELATIONS = {"equal": "=", "not_equal": "!=", "less": "<", "less_equal": "<=", "greater": ">", "greater_equal": ">="}
CONNECTIVES = {"and_": "and", "or_": "or", "implies": "=>", "xor_": "xor"}
NAMES = {**ARITHMETIC, **RELATIONS, **CONNECTIVES, "not_": "not", "ite": "ite"}
# With which other one an entry is exchanged, if a table does not say otherwise.
OTHER = {"plus": "minus", "minus": "plus", "times": "plus", "div": "mod", "mod": "div", "equal": "not_equal",
         "not_equal": "equal", "less": "less_equal", "less_equal": "less", "greater": "greater_equal",
         "greater_equal": "greater", "and_": "or_", "or_": "and_", "implies": "xor_", "xor_": "implies", "not_": "ite",
         "ite": "not_"}
HOLDS, BAD_INPUT, FAILURE = 0, 2, 10  # exit codes


@dataclass(frozen=True)
class Exchange:
    table: str
    entry: str
    other: str
    edits: tuple
    program: str
    arguments: tuple  # of the binary; the file comes last
    code: int  # that is right
    text: str = ""  # what is right to say

    @property
    def name(self):
        return f"{self.table}-{self.entry.strip('_')}".replace("_", "-").replace(" ", "-")

    @property
    def mutant(self):
        return Mutant(self.name, None, self.table, f"{self.entry} is {self.other}", self.edits)


def value(op, *operands):
    """By the definitions of docs/language.md."""
    if op == "ite":
        return operands[1] if operands[0] else operands[2]
    l, r = operands[0], operands[-1]
    if op in ("div", "mod"):
        remainder = l % abs(r)
        return remainder if op == "mod" else (l - remainder) // r
    return {"plus": lambda: l + r, "minus": lambda: l - r, "times": lambda: l * r, "equal": lambda: l == r,
            "not_equal": lambda: l != r, "less": lambda: l < r, "less_equal": lambda: l <= r, "greater": lambda: l > r,
            "greater_equal": lambda: l >= r, "and_": lambda: l and r, "or_": lambda: l or r,
            "implies": lambda: not l or r, "xor_": lambda: l != r, "not_": lambda: not l}[op]()


def written(v):
    return str(v).lower()


def threads(*all_of_them, shared=""):
    """A program: each thread a list of commands; labels are given in order."""
    number = iter(range(10_000))
    return shared + "(" + "\n".join("( " + " ".join(f"[c{next(number)} {c}]" for c in t) + " )" for t in all_of_them) + ")\n"


BOOLEANS = (False, True)
ROWS = [(a, b) for a in BOOLEANS for b in BOOLEANS]
CHOICES = [(c, a, b) for c in BOOLEANS for a in BOOLEANS for b in BOOLEANS]
INTEGERS = [(7, 3), (-7, 3), (7, -3), (2, 2), (2, 1), (1, 2)]


def facts(op):
    """Assertions that hold, one for each choice of some operands."""
    if op in ARITHMETIC:
        operands = INTEGERS
    elif op in RELATIONS:
        operands = INTEGERS + (ROWS if op in ("equal", "not_equal") else [])
    else:
        operands = {"not_": [(False,), (True,)], "ite": CHOICES}.get(op, ROWS)
    result = []
    for chosen in operands:
        term = f"({NAMES[op]} {' '.join(map(written, chosen))})"
        is_value = value(op, *chosen)
        if not isinstance(is_value, bool):
            result.append(f"(assert (= {term} {is_value}))")
        elif is_value:
            result.append(f"(assert {term})")
        elif op == "not_":
            result.append(f"(assert (= {term} false))")
        else:
            result.append(f"(assert (not {term}))")
    return result


def ran(program):
    """With the trace of a program of one thread."""
    labels = [word[1:] for word in program.split() if word.startswith("[")]
    return f"{program}( {' '.join(f'({label} bot)' for label in labels)} )\n"


EXPLORE = ("check", "--engine", "explore")
SAT = ("check", "--engine", "sat", "--without", "samples")


def where(op):
    return f"at(Op::{op})"


# ---- grammar/operators.cpp: the columns of op_rows, and the sorts ----

ROW_FILE = "grammar/operators.cpp"
# In the copy the rows are computed once, as the binary starts (generate.py).
ROW_SITE = "«return rows;»"


def meanings():
    """The machine takes an operation for another one."""
    tables = {"not_": "Connective{1, 0b10}", "ite": "Connective{3, 0b1001'0110}"}
    for op in NAMES:
        to = tables.get(op, f"constant_rows[{where(OTHER[op])}].meaning")
        told = {"not_": "what it is given", "ite": "a xor of three"}.get(op, OTHER[op])
        yield Exchange("meaning", op, told, (Edit(ROW_FILE, ROW_SITE, f"rows[{where(op)}].meaning = {to}; return rows;"),),
                       threads(facts(op)), EXPLORE, HOLDS)


def smt_names():
    """Solver and machine disagree about a trace."""
    others = {**OTHER, "not_": "and_", "ite": "or_"}
    for op in NAMES:
        to = f"rows[{where(op)}].smt_name = constant_rows[{where(others[op])}].smt_name; return rows;"
        yield Exchange("smt name", op, others[op], (Edit(ROW_FILE, ROW_SITE, to),), ran(threads(facts(op))),
                       ("smt", "--check"), HOLDS)


def names():
    """A program is read as another one."""
    seen = set()
    for op in NAMES:
        if frozenset((op, OTHER[op])) in seen:
            continue
        seen.add(frozenset((op, OTHER[op])))
        to = f"std::swap(rows[{where(op)}].name, rows[{where(OTHER[op])}].name); return rows;"
        yield Exchange("name", op, OTHER[op], (Edit(ROW_FILE, ROW_SITE, to),), threads(facts(op)), EXPLORE, HOLDS)


def sorts():
    """A right program is refused."""
    ints = ["(assert (= (ite true 1 2) 1))"]
    entries = [
        ("operands of arithmetic", "boolean", "[](Arithmetic) { return «OperandSort::integer»; }, [](Relation const& r)",
         facts("plus")),
        ("operands of = and !=", "integer", "r.is_symmetric() ? «OperandSort::common» :", facts("equal")),
        ("operands of < to >=", "boolean", "r.is_symmetric() ? OperandSort::common : «OperandSort::integer»;", facts("less")),
        ("operands of connectives", "integer", "[](Connective const&) { return «OperandSort::boolean»; }, [&](Choice)",
         facts("and_")),
        ("the condition of ite", "common", "k == 0 ? «OperandSort::boolean» :", ints),
        ("the values of ite", "boolean", "k == 0 ? OperandSort::boolean : «OperandSort::common»;", ints),
        ("result of arithmetic", "boolean", "[](Arithmetic) { return «OperandSort::integer»; }, [](Relation const&) {",
         facts("plus")),
        ("result of relations", "integer", "[](Relation const&) { return «OperandSort::boolean»; },", facts("less")),
        ("result of connectives", "integer", "[](Connective const&) { return «OperandSort::boolean»; }, [](Choice)",
         facts("and_")),
        ("result of ite", "boolean", "[](Choice) { return «OperandSort::common»; }", ints),
    ]
    for entry, other, site, commands in entries:
        yield Exchange("sorts", entry.replace("= and !=", "symmetric").replace("< to >=", "ordered"), other,
                       (Edit(ROW_FILE, site, f"OperandSort::{other}"),), threads(commands), EXPLORE, HOLDS)


def operand_counts():
    """A right program is refused."""
    for entry, other, site, op in (
            ("arithmetic", "3U", "[](Arithmetic) { return «2U»; }", "plus"),
            ("relation", "3U", "[](Relation const&) { return «2U»; }", "less"),
            ("connective", "return 2U;", "[](Connective const& c) { «return unsigned{c.operands};» }", "not_"),
            ("choice", "2U", "[](Choice) { return «3U»; }", "ite")):
        yield Exchange("operands", entry, re.search(r"\d", other)[0], (Edit(ROW_FILE, site, other),), threads(facts(op)), EXPLORE, HOLDS)


def divisors():
    """A zero operand counts as a divisor."""
    for op, other in (("div", "times"), ("mod", "plus")):
        yield Exchange("divides", op, other, (Edit(ROW_FILE, f"*f == «Arithmetic::{op}»", f"Arithmetic::{other}"),),
                       threads([f"(assert (= ({NAMES[other]} 1 0) {value(other, 1, 0)}))"]), EXPLORE, HOLDS)


# ---- machine/operation.cpp ----


def values():
    for op in ARITHMETIC:
        yield Exchange("value", op, OTHER[op], (
            Edit("machine/operation.cpp", "switch («op») {\n    case Arithmetic::plus: return value(",
                 exchanged(op, OTHER[op], "op")),), threads(facts(op)), EXPLORE, HOLDS)


def exchanged(op, other, expression):
    return f"({expression} == Arithmetic::{op} ? Arithmetic::{other} : {expression})"


# ---- check/sat/: what a wrong entry leaves out is a run that fails ----


def one_receive(op, received, wanted, right=3):
    """x is what is received, one of two values. The assertion fails with `wanted`."""
    return threads(["(rcvi R 0 x)", "(wait R)", f"(assert (not (= ({NAMES[op]} x {right}) {value(op, wanted, right)})))"],
                   [f"(sndi S 1 0 {received[0]})"], [f"(sndi T 2 0 {received[1]})"])


def linear():
    """Sums of messages."""
    for op, other, received in (("plus", "minus", (5, 6)), ("minus", "plus", (5, 6)), ("times", "plus", (5, 7)),
                                ("div", "times", (20, 25)), ("mod", "minus", (7, 6))):
        file = "check/sat/linear.cpp"
        yield Exchange("linear", op, other, (
            Edit(file, "switch («*op») {", exchanged(op, other, "*op")),
            Edit(file, "work_.emplace_back(operands.back(), «*op» == Arithmetic::plus ? a : -a);", exchanged(op, other, "*op"))),
            one_receive(op, received, received[0]), SAT, FAILURE)


def relayed(op, low, wanted, right):
    """The same of a message that is no constant: p + low, of two values p of a thread between."""
    return threads(["(rcvi R 0 x)", "(wait R)", f"(assert (not (= ({NAMES[op]} x {right}) {value(op, wanted, right)})))"],
                   ["(rcvi P 1 p)", "(rcvi Q 1 q)", "(wait Q)", f"(sndi S 1 0 (+ p {low}))"],
                   ["(sndi T 2 1 1)"], ["(sndi U 3 1 2)"])


def bounds():
    """Intervals of what is received."""
    file = "check/sat/value_bounds.cpp"
    for op, other, low, wanted in (("plus", "minus", 4, 5), ("minus", "plus", 4, 5), ("times", "plus", 4, 5),
                                   ("div", "mod", 20, 21), ("mod", "div", -2, -1)):
        yield Exchange("interval", op, other, (Edit(file, "switch («op») {", exchanged(op, other, "op")),),
                       relayed(op, low, wanted, 3), SAT, FAILURE)


# ---- check/sat/channel_cases.cpp ----


def remainders():
    """Two messages of one channel have the same remainder."""
    for op, other, term, wanted in (
            ("plus", "minus", "(+ x y)", 5), ("minus", "plus", "(- x y)", -3), ("times", "plus", "(* x y)", 4),
            ("div", "plus", "(div y x)", 4), ("mod", "minus", "(mod (+ x y) 2)", 1)):
        yield Exchange("remainder", op, other, (
            Edit("check/sat/channel_cases.cpp", "narrow(«*f», values.front(), values.back(), result);",
                 exchanged(op, other, "*f")),),
            threads(["(rcvi R 0 x)", "(rcvi Q 0 y)", "(wait Q)", f"(assert (not (= {term} {wanted})))"],
                    ["(sndi S 1 0 1)", "(sndi T 1 0 4)"]), SAT, FAILURE)


# ---- matching/partial_value.cpp ----


def known():
    """What an operation is before all its operands are received. Where that settles an assertion, one run is enough."""
    file = "matching/partial_value.cpp"
    for op, other, operands in (
            ("and_", "or_", (True, "p")), ("or_", "and_", (False, "p")), ("implies", "or_", (True, "p")),
            ("xor_", "and_", (False, "p")), ("equal", "and_", (False, "p")), ("not_equal", "and_", (False, "p")),
            ("ite", "or_", (False, True, "p"))):
        yield known_exchange(op, other, Edit(file, "}, «row(op)».meaning);", f"row(op == Op::{op} ? Op::{other} : op)"),
                             op, operands, BOOLEANS)
    for entry, other, site, to, op, operands, received in (
            ("arithmetic", "0", "[](Arithmetic) { return «Value()»; }", "Value::integer(0)", "plus", (3, "p"), (1, 2)),
            ("relation", "true", "[](Relation const&) { return «Value()»; }", "Value::boolean(true)", "less", (2, "p"), (1, 3)),
            ("choice", "its first value", "return «operands[1] == operands[2] ? operands[1] : Value()»;", "operands[1]",
             "ite", ("p", 1, 2), (True, False))):
        yield known_exchange(entry, other, Edit(file, site, to), op, operands, received)


def known_exchange(entry, other, edit, op, operands, received):
    """The assertion fails with the second message."""
    term = f"({NAMES[op]} {' '.join(map(written, operands))})"
    right = value(op, *(received[0] if operand == "p" else operand for operand in operands))
    program = threads(["(rcvi P 0 p)", "(wait P)", f"(assert (= {term} {written(right)}))"],
                      [f"(sndi T 1 0 {written(received[0])})"], [f"(sndi U 2 0 {written(received[1])})"])
    return Exchange("known of some operands", entry, other, (edit,), program, EXPLORE, FAILURE)


# ---- counting/sums.cpp ----

COUNT = ("check",)
SUMS = "counting/sums.cpp"


def counted(before, after, commands):
    """What a thread reads before or after another one has written x."""
    return threads(["(t := x)", *commands], [f"(x := {written(after)})"], shared=f"(shared [x {written(before)}])\n")


def sums():
    """Sums of shared variables."""
    for op, other, before in (("plus", "minus", 5), ("minus", "plus", 5), ("times", "plus", 5), ("div", "times", 5),
                              ("mod", "plus", 5)):
        yield Exchange("sum", op, other, (Edit(SUMS, "switch («op») {", exchanged(op, other, "op")),),
                       counted(before, before + 1, [f"(assert (not (= ({NAMES[op]} t 3) {value(op, before + 1, 3)})))"]),
                       COUNT, FAILURE)
    for op, left, before, assertion in (("and_", "true", False, "(not {})"), ("or_", "false", True, "{}"),
                                        ("implies", "true", False, "(not {})"), ("xor_", "true", True, "(not {})")):
        yield Exchange("sum", op, "not_", (Edit(SUMS, "return «op == Op::not_» && a", f"op == Op::not_ || op == Op::{op}"),),
                       counted(before, not before, [f"(assert {assertion.format(f'({NAMES[op]} {left} t)')})"]), COUNT, FAILURE)
    none = "std::optional<Sum>(Sum{})"
    yield Exchange("sum", "relation", "0", (
        Edit(SUMS, "[](Relation const&) -> std::optional<Sum> { return «std::nullopt»; }", none),),
        counted(5, 6, ["(u := (= t 6))", "(assert (not u))"]), COUNT, FAILURE)
    yield Exchange("sum", "choice", "0", (
        Edit(SUMS, "[](Choice) -> std::optional<Sum> { return «std::nullopt»; }", none),),
        counted(5, 6, ["(u := (ite (> t 5) t 0))", "(assert (not (= u 6)))"]), COUNT, FAILURE)


# ---- check/sat/value_literals.cpp, check/sat/fields.cpp: operators that are recognised ----


def recognised():
    # Three receives in one atom, so that it has no table. It says 5 - x <= y * z of the numbers 1, 2 and 3, in any order.
    file = "check/sat/value_literals.cpp"
    for op, other, edit, left, right in (
            ("plus", "minus", Edit(file, "return «op == Op::plus» && values", "op == Op::minus"), "(- 5 x)", "(* y z)"),
            ("minus", "times", Edit(file, "if (op != Op::plus && op != «Op::minus») return", "Op::times"),
             "(* x -1)", "(- (* y z) 5)")):
        holds = all(5 - x <= y * z for x, y, z in permutations((1, 2, 3)))
        yield Exchange("same order", op, other, (edit,), threads(
            ["(rcvi R 0 x)", "(rcvi Q 0 y)", "(rcvi P 0 z)", "(wait P)", f"(assert (<= {left} {right}))"],
            ["(sndi S 1 0 1)"], ["(sndi T 2 0 2)"], ["(sndi U 3 0 3)"]), SAT, HOLDS if holds else FAILURE)
    file = "check/sat/fields.cpp"
    for op, other, edit, sent, term, wanted in (
            ("plus", "minus", Edit(file, "flow_.operation(node) == «Op::plus») {", "Op::minus"),
             "(- (* {} 10) 3)", "(mod x 10)", 7),
            ("times", "plus", Edit(file, "if (flow_.operation(sum.front()) != «Op::times») break;", "Op::plus"),
             "(+ (+ {} 10) 3)", "(mod x 10)", 4),
            ("mod", "div", Edit(file, "if (flow_.operation(node) == «Op::mod») {", "Op::div"),
             "(+ (* {} 10) 3)", "(div x 10)", 1),
            ("div", "mod", Edit(file, "flow_.operation(node) == «Op::div») {", "Op::mod"),
             "(+ (* (+ (* {} 10) 3) 7) 2)", "(mod (mod x 7) 10)", 2)):
        yield Exchange("packed", op, other, (edit,), threads(
            ["(rcvi R 0 x)", "(wait R)", f"(assert (not (= {term} {wanted})))"],
            [f"(sndi S 1 0 {sent.format(1)})"], [f"(sndi T 2 0 {sent.format(2)})"]), SAT, FAILURE)


# ---- Where rooms read the truth tables of relations and connectives: they take another operator's ----

# An operator whose answer is the same of every number below or above the boundary; at it, it is another one.
LOOSE = {**OTHER, "equal": "greater", "not_equal": "less_equal"}
TRUE, FALSE = "(> {} 0)", "(> (* {0} {0}) 1000)"  # of small numbers


def failing(op, left, right, *operands):
    """An assertion about the operation that fails with these operands."""
    term = f"({NAMES[op]} {left} {right})"
    return f"(assert (not {term}))" if value(op, *operands) else f"(assert {term})"


def beside(op, other, numbers, than):
    """A number of which both operators say what `op` does not say of `than`; `than` if there is none."""
    return next((n for n in numbers if value(op, n, than) == value(other, n, than) != value(op, than, than)), than)


def differ(op):
    """Two booleans of which the operator it is exchanged with says something else."""
    return (True, False) if op in ("and_", "or_") else (True, True)


def truth_tables():
    """What the machine computes."""
    file = "machine/operation.cpp"
    for op in RELATIONS:
        yield Exchange("value of relations", op, OTHER[op], (
            Edit(file, "Relation const* const relation = as_relation(«op»))", f"op == Op::{op} ? Op::{OTHER[op]} : op"),),
            threads(facts(op)), EXPLORE, HOLDS)
    for op in (*CONNECTIVES, "equal", "not_equal"):
        yield Exchange("value of connectives", op, OTHER[op], (
            Edit(file, "as_connective(«op»); connective && connective->operands == 2)", f"op == Op::{op} ? Op::{OTHER[op]} : op"),),
            threads(facts(op)), EXPLORE, HOLDS)


def truth_tables_of_sat():
    """What clauses and inferences say."""
    for op in RELATIONS:
        other = OTHER[op]
        yield Exchange("linear relations", op, other, (
            Edit("check/sat/linear.cpp", "as_relation(«root.op») : nullptr", f"root.op == Op::{op} ? Op::{other} : root.op"),),
            threads(["(rcvi R 0 x)", "(wait R)", failing(op, "x", 5, 5, 5)], ["(sndi S 1 0 5)"],
                    [f"(sndi T 2 0 {beside(op, other, (4, 6), 5)})"]), SAT, FAILURE)
        # y * z + x of the numbers 1, 2 and 3 is 7 or 5.
        than = 5 if beside(op, other, (7,), 5) == 7 else 7
        yield Exchange("literals of relations", op, other, (
            Edit("check/sat/value_literals.cpp", "op ? as_relation(«*op») : nullptr", f"*op == Op::{op} ? Op::{other} : *op"),),
            threads(["(rcvi R 0 x)", "(rcvi Q 0 y)", "(rcvi P 0 z)", "(wait P)", failing(op, "(+ (* y z) x)", than, than, than)],
                    ["(sndi S 1 0 1)"], ["(sndi T 2 0 2)"], ["(sndi U 3 0 3)"]), SAT, FAILURE)
        # In a channel whose messages ascend, only `less` counts.
        other = {"less": "greater", "greater": "less", "less_equal": "greater_equal", "greater_equal": "less_equal"}.get(op, other)
        yield Exchange("relations in a channel", op, other, (
            Edit("check/sat/channel_cases.cpp", "relation = as_relation(«op»)) {", f"op == Op::{op} ? Op::{other} : op"),),
            threads(["(rcvi R 0 x)", "(rcvi Q 0 y)", "(wait Q)", failing(op, "x", "y", 1, 4)],
                    ["(sndi S 1 0 1)", "(sndi T 1 0 4)"]), SAT, FAILURE)
    for op in (*CONNECTIVES, "equal", "not_equal"):
        # p and (xor q r) are equal if two messages are true, and differ if one is. Three receives have no table.
        messages = (True, True, False) if differ(op) == (True, True) else (True, False, False)
        yield Exchange("gate", op, OTHER[op], (
            Edit("check/sat/gates.cpp", "= clauses(«o»);", f"o == Op::{op} ? Op::{OTHER[op]} : o"),),
            threads(["(rcvi R 0 p)", "(rcvi Q 0 q)", "(rcvi P 0 r)", "(wait P)", failing(op, "p", "(xor q r)", *differ(op))],
                    *([f"(sndi {a} {n} 0 {written(v)})"] for a, n, v in zip("STU", (1, 2, 3), messages))), SAT, FAILURE)


def truth_tables_of_bounds():
    """What intervals and sums say."""
    bounds_file = "check/sat/value_bounds.cpp"
    for op in RELATIONS:
        other = LOOSE[op]
        edit = f"row(op == Op::{op} ? Op::{other} : op)"
        first = beside(op, other, (4, 6), 5)
        yield Exchange("interval of relations", op, other, (
            Edit(bounds_file, "[&](Choice) { return choice(operands); }, }, «row(op)».meaning);", edit),), threads(
                ["(rcvi R 0 x)", "(wait R)", failing(op, "x", 5, 5, 5)],
                ["(rcvi P 1 p)", "(rcvi Q 1 q)", "(wait Q)", f"(sndi S 1 0 (+ p {min(first, 5) - 1}))"], ["(sndi T 2 1 1)"],
                ["(sndi U 3 1 2)"]), SAT, FAILURE)
        yield Exchange("known of relations", op, other, (
            Edit(SUMS, "overloaded{arithmetic, compared, connected, choice}, «row(op)».meaning);", edit),),
            counted(first, 5, [failing(op, "t", 5, 5, 5)]), COUNT, FAILURE)
    for op in CONNECTIVES:
        other = OTHER[op]
        edit = f"row(op == Op::{op} ? Op::{other} : op)"
        left, right = differ(op)
        terms = [TRUE if v else FALSE for v in (left, right)]
        yield Exchange("interval of connectives", op, other, (
            Edit(bounds_file, "[&](Choice) { return choice(operands); }, }, «row(op)».meaning);", edit),), threads(
                ["(rcvi R 0 x)", "(wait R)", failing(op, *(term.format("x") for term in terms), left, right)],
                ["(rcvi P 1 p)", "(rcvi Q 1 q)", "(wait Q)", "(sndi S 1 0 (+ p 4))"], ["(sndi T 2 1 1)"], ["(sndi U 3 1 2)"]),
            SAT, FAILURE)
        yield Exchange("known of connectives", op, other, (
            Edit(SUMS, "overloaded{arithmetic, compared, connected, choice}, «row(op)».meaning);", edit),),
            counted(4, 5, [failing(op, "(> t 0)", "(> t 0)" if right else "(< t 0)", left, right)]), COUNT, FAILURE)


# ---- grammar/messages/operator_hints.cpp ----

LEVELS = [["implies"], ["or_", "xor_"], ["and_"], ["not_"], list(RELATIONS), ["plus", "minus"], ["times", "div", "mod"]]


def binding():
    """How tightly an operator binds in infix notation: the hint says what is meant."""
    for level, ops in enumerate(LEVELS):
        for op in ops:
            is_last = level + 1 == len(LEVELS)
            other = LEVELS[level - 1 if is_last else level + 2 if LEVELS[level + 1] == ["not_"] else level + 1][0]
            first, second = (NAMES[other], NAMES[op]) if is_last else (NAMES[op], NAMES[other])
            infix = f"a {first} b {second} c" if op != "not_" else f"not a {second} b"
            prefix = f"({first} a ({second} b c))" if op != "not_" else f"(not ({second} a b))"
            yield Exchange("binding", op, other, (
                Edit("grammar/messages/operator_hints.cpp", "switch («op») {\n    case Op::implies: return 0;",
                     f"(op == Op::{op} ? Op::{other} : op)"),),
                threads(["(a := 1)", f"(assert ({infix}))"]), ("lint",), BAD_INPUT, f"`(assert {prefix})`")


# ---- check/sat/value_bounds.cpp: the kinds of meanings ----


def kinds():
    """A meaning of one kind is taken for one of another."""
    file = "check/sat/value_bounds.cpp"
    entries = (
        ("arithmetic", "relation", "return «arithmetic(f, operands.front(), operands.back())»;",
         "relation(Relation{false, true, false}, operands.front(), operands.back())", "(not (= (+ x 3) 8))"),
        ("relation", "connective", "return «relation(r, operands.front(), operands.back())»;",
         "connective(Connective{2, 0b1000}, operands)", "(not (= (* x 0) 0))"),
        ("connective", "relation", "return «connective(c, operands)»;",
         "relation(Relation{true, false, false}, operands.front(), operands.back())", "(not (xor (> x 0) (> (* x x) 100)))"),
        ("choice", "arithmetic", "return «choice(operands)»;",
         "arithmetic(Arithmetic::plus, operands[1], operands[2])", "(not (= (ite (> x 0) 10 x) 10))"),
    )
    for entry, other, site, to, assertion in entries:
        yield Exchange("interval", entry, other, (Edit(file, site, to),), threads(
            ["(rcvi R 0 x)", "(wait R)", f"(assert {assertion})"],
            ["(rcvi P 1 p)", "(rcvi Q 1 q)", "(wait Q)", "(sndi S 1 0 (+ p 4))"], ["(sndi T 2 1 1)"], ["(sndi U 3 1 2)"]),
            SAT, FAILURE)


TABLES = [meanings, smt_names, names, sorts, operand_counts, divisors, values, linear, bounds, kinds, remainders, known, sums,
          recognised, truth_tables, truth_tables_of_sat, truth_tables_of_bounds, binding]
EXCHANGES = [exchange for table in TABLES for exchange in table()]
