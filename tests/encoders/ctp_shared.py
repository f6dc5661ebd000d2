"""Reads programs with shared variables (docs/shared_memory.md) that obey the rules and have no messages.

A program is its shared variables with their initial values, a dictionary, and a list of threads. A thread is a list of events:

    Event("assume" | "when" | "assert", guard, [(x, e), ...])

An assignment (x := e) is an assume whose guard is True. Expressions are as in ctp.py.
"""

import sys
from collections import namedtuple

import ctp

Event = namedtuple("Event", "kind condition assigned")
Program = namedtuple("Program", "shared threads")

ARITHMETIC = ("+", "-", "*", "div", "mod")


def event(command):
    head, *rest = command
    if rest[0] == ":=":
        return Event("assume", True, [(head, ctp.expression(rest[1]))])
    if head in ("assume", "when", "assert"):
        return Event(head, ctp.expression(rest[0]), [(x, ctp.expression(e)) for x, _, e in rest[1:]])
    raise ValueError(f"{head} is not known here")


def parse(text):
    found = ctp.lists(ctp.tokens(text))
    is_declared = found[0][:1] == ["shared"]
    shared = {v[0]: ctp.expression(v[1]) for v in found[0] if isinstance(v, list)} if is_declared else {}
    threads = found[1 if is_declared else 0]
    return Program(shared, [[event(located[1]) for located in thread if isinstance(located, list)] for thread in threads])


def parse_with_trace(text):
    """The program, and its first trace: the thread of each entry."""
    found = ctp.lists(ctp.tokens(text))
    at = 1 if found[0][:1] == ["shared"] else 0
    thread_of = {located[0]: t for t, thread in enumerate(found[at]) for located in thread if isinstance(located, list)}
    return parse(text), [thread_of[entry[0]] for entry in found[at + 1]]


def value(e, store):
    """The value of an expression, as SMT-LIB has it; no divisor is zero."""
    if not isinstance(e, tuple):
        return store[e] if isinstance(e, str) else e
    if e[0] == "ite":
        return value(e[2 if value(e[1], store) else 3], store)
    of = [value(part, store) for part in e[1:]]
    if e[0] in ("div", "mod"):
        remainder = of[0] % abs(of[1])
        return remainder if e[0] == "mod" else (of[0] - remainder) // of[1]
    return {"+": lambda: of[0] + of[1], "-": lambda: of[0] - of[1], "*": lambda: of[0] * of[1], "not": lambda: not of[0],
            "and": lambda: of[0] and of[1], "or": lambda: of[0] or of[1], "=": lambda: of[0] == of[1],
            "!=": lambda: of[0] != of[1], "<": lambda: of[0] < of[1], "<=": lambda: of[0] <= of[1],
            ">": lambda: of[0] > of[1], ">=": lambda: of[0] >= of[1], "=>": lambda: not of[0] or of[1]}[e[0]]()


def read(path=None):
    """The program in a file, or else on standard input."""
    if path is None:
        return parse(sys.stdin.buffer.read())
    with open(path, "rb") as file:
        return parse(file.read())


def variables(e):
    """As often as they occur, in the order of the text."""
    if isinstance(e, str):
        yield e
    elif isinstance(e, tuple):
        for part in e[1:]:
            yield from variables(part)


def divisors(e):
    """All that must not be zero. What an `ite` may not choose is 1 then."""
    if isinstance(e, tuple) and e[0] == "ite":
        _, condition, left, right = e
        yield from divisors(condition)
        yield from (("ite", condition, d, 1) for d in divisors(left))
        yield from (("ite", condition, 1, d) for d in divisors(right))
    elif isinstance(e, tuple):
        for part in e[1:]:
            yield from divisors(part)
        if e[0] in ("div", "mod"):
            yield e[2]


def sort_of(e, sorts):
    """`sorts` has those of the variables."""
    if isinstance(e, bool):
        return "Bool"
    if isinstance(e, int):
        return "Int"
    if isinstance(e, str):
        return sorts[e]
    if e[0] == "ite":
        return sort_of(e[2], sorts)
    return "Int" if e[0] in ARITHMETIC else "Bool"


def term(e, names):
    """In SMT-LIB; `names` has what stands for the variables."""
    if isinstance(e, bool):
        return "true" if e else "false"
    if isinstance(e, int):
        return str(e) if e >= 0 else f"(- {-e})"
    if isinstance(e, str):
        return names[e]
    op = "distinct" if e[0] == "!=" else e[0]
    return f"({op} {' '.join(term(part, names) for part in e[1:])})"
