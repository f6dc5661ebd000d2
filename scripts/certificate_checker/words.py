"""The words of the trace language, and the numbers that some of them are."""

import re

# White space is ASCII's, whatever else Unicode calls a space.
TOKEN = re.compile(r"""[ \t\n\v\f\r]+|;[^\n]*|("[^"\n]*"|[()\[\]"{}]|[^ \t\n\v\f\r()\[\];"{}]+)""")
CLOSING = {"(": ")", "[": "]"}
NO_ATOM = set('()[]"{}') | {""}  # what begins another token; "" is the end of the file
BOT = {"bot", "⊥"}
INTEGER = re.compile(r"[+-]?[0-9]+")
NATURAL = re.compile(r"\+?[0-9]+|-0+")  # an endpoint, a tag or a line
COMPARISONS = {"=", "!="}
OF_INTEGERS = {"+", "-", "*", "div", "mod", "<", "<=", ">", ">="}
OF_BOOLEANS = {"and", "or", "xor", "=>", "not"}
OPERATORS = COMPARISONS | OF_INTEGERS | OF_BOOLEANS | {"ite"}
GIVE_INTEGERS = {"+", "-", "*", "div", "mod"}
OPERANDS = {"not": 1, "ite": 3}  # how many; others have two
RESERVED = OPERATORS | BOT | {"true", "false", "assume", "assert", ":=", "sndi", "rcvi", "wait"}
MOST_BITS = 1 << 24  # of an integer
MOST_DIGITS = 5_050_445
MOST_LINES = (1 << 32) - 1  # the same of the root of a collective
MOST_COUNT = (1 << 64) - 1
MOST_TIMES = (1 << 64) - 1  # that a test failed


def number(digits):
    """What int() would say of decimal digits, but that takes quadratic time, and some versions refuse long ones."""
    if len(digits) <= 4000:
        return int(digits)
    half = len(digits) // 2
    return number(digits[:-half]) * 10 ** half + number(digits[-half:])


def value(word):
    """What `true`, `false` or a plain number stands for."""
    if word in ("true", "false"):
        return word == "true"
    absolute = number(word.lstrip("-"))
    return -absolute if word[0] == "-" else absolute


def plain_number(word):
    """Decimal digits without `+` and leading zeros; no `-0`."""
    digits = word.lstrip("+-").lstrip("0") or "0"
    return "-" + digits if word[0] == "-" and digits != "0" else digits


def is_atom(word):
    return word[:1] not in NO_ATOM


def is_variable(word):
    return is_atom(word) and word not in RESERVED and not INTEGER.fullmatch(word)
