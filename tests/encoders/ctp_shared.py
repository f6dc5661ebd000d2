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
    shared = {x: ctp.expression(v) for x, v in found[0][1:]} if is_declared else {}
    threads = found[1 if is_declared else 0]
    return Program(shared, [[event(located[1]) for located in thread if isinstance(located, list)] for thread in threads])


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
    if isinstance(e, tuple):
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
