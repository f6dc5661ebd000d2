"""Reads the trace language (docs/language.md), for programs that obey its rules. Ignores the traces after a program.

A program is a list of threads, a thread a list of commands, a command a tuple:

    ("assume", e)  ("assert", e)  ("assign", x, e)  ("sndi", a, alpha, beta, e)  ("rcvi", a, beta, x)  ("wait", a)

Programs with selectors, modes or barriers are refused.

An expression is True, False, an integer, a variable (a string), or a tuple (op, left, right), ("not", e) or
("ite", c, a, b).
"""

import sys

KEYWORDS = ("assume", "assert", "sndi", "rcvi", "wait")


def tokens(text):
    """Brackets and atoms; `text` is bytes, whose split() knows ASCII's white space only, as the language does."""
    text = b"\n".join(line.split(b";", 1)[0] for line in text.removeprefix(b"\xef\xbb\xbf").split(b"\n"))
    for bracket in b"(", b")", b"[", b"]":
        text = text.replace(bracket, b" " + bracket + b" ")
    return [word.decode() for word in text.split()]


def lists(words):
    """The lists of a file, nested as their brackets are."""
    stack = [[]]
    for word in words:
        if word in ("(", "["):
            stack.append([])
        elif word in (")", "]"):
            last = stack.pop()
            stack[-1].append(last)
        else:
            stack[-1].append(word)
    return stack[0]


def is_integer(word):
    digits = word[1:] if word[0] in "+-" else word
    return digits.isascii() and digits.isdigit()


def expression(e):
    if isinstance(e, list):
        return (e[0], *map(expression, e[1:]))
    if e in ("true", "false"):
        return e == "true"
    return int(e) if is_integer(e) else e


def command(c):
    if any(isinstance(part, list) and part[0] in ("from", "tag", "source", "tagged") for part in c[5 if c[0] == "sndi" else 4:]):
        raise ValueError(f"the selectors of {c[1]} are not known here")
    if c[0] == "sndi":
        return ("sndi", c[1], int(c[2]), int(c[3]), expression(c[4]))
    if c[0] == "rcvi":
        return ("rcvi", c[1], int(c[2]), c[3])
    if c[0] == "wait":
        return ("wait", c[1])
    if c[0] in KEYWORDS:
        return (c[0], expression(c[1]))
    if c[0] in ("ssndi", "bsndi", "rsndi", "barrier"):
        raise ValueError(f"{c[0]} is not known here")
    return ("assign", c[0], expression(c[2]))


def parse(text):
    program = lists(tokens(text))[0]
    return [[command(located[1]) for located in thread if isinstance(located, list)] for thread in program]


def read(path=None):
    """The program in a file, or else on standard input."""
    if path is None:
        return parse(sys.stdin.buffer.read())
    with open(path, "rb") as file:
        return parse(file.read())
