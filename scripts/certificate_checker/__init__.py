"""The parts of scripts/check_certificate. None of them shares code with Matchpoint."""

import sys

if hasattr(sys, "set_int_max_str_digits"):
    sys.set_int_max_str_digits(0)  # lowering writes numbers that are as long as those of endpoints


class Refused(Exception):
    """The certificate is not good, for this reason."""


class Unreadable(Exception):
    """A file is not what it has to be."""


def shown(text, most=200):
    """A piece of a file on one line of a message."""
    cut = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text[:most])
    return cut + ("..." if len(text) > most else "")
