"""An encoder that goes wrong in one of many ways.

    misbehaving.py MODE infinite|zero < PROGRAM
"""

import contextlib
import io
import os
import signal
import sys
import time
import zlib

import ctp
from explorer import Explorer

MODES = {}


def mode(function):
    MODES[function.__name__] = function
    return function


def out(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def is_odd(text):
    """True for about every other program; always the same for one text."""
    return zlib.crc32(text) % 2 == 1


# ---- It ends without an answer ----


@mode
def fails(text, buffering):
    sys.exit("it has no licence for this machine")  # on standard error, with exit code 1


@mode
def crashes(text, buffering):
    out("(declare-const x Int)\n")
    os.kill(os.getpid(), signal.SIGSEGV)


@mode
def wants_memory(text, buffering):
    bytearray(2 << 30)
    out("sat\n")


@mode
def says_nothing(text, buffering):
    pass


# ---- It does not end ----


@mode
def hangs(text, buffering):
    time.sleep(1000)


@mode
def will_not_die(text, buffering):
    for number in range(1, signal.NSIG):
        if number not in (signal.SIGKILL, signal.SIGSTOP):
            try:
                signal.signal(number, signal.SIG_IGN)
            except OSError:  # some are not for us
                pass
    time.sleep(1000)


@mode
def prints_without_end(text, buffering):
    while True:
        out("(assert true)\n" * 100_000)


@mode
def complains_without_end(text, buffering):
    while True:
        sys.stderr.write("trouble\n" * 100_000)


# ---- What it prints is no answer ----


@mode
def rambles(text, buffering):
    out("perhaps \x1b[31m\x07\n")


@mode
def is_not_text(text, buffering):
    sys.stdout.buffer.write(bytes(range(256)))


@mode
def is_unsure(text, buffering):
    out("unknown\n")


@mode
def has_no_verdict(text, buffering):
    out('{"matches": []}\n')


@mode
def has_another_verdict(text, buffering):
    out('{"verdict": "maybe"}\n')


@mode
def is_half_a_problem(text, buffering):
    out("(declare-const x Int)\n(assert (= x 1)\n")


@mode
def uses_an_unknown_symbol(text, buffering):
    out("(declare-const x Int)\n(assert (= x y))\n(check-sat)\n")


@mode
def asks_twice(text, buffering):
    out("(assert true)\n(check-sat)\n(assert false)\n(check-sat)\n")


@mode
def asks_in_a_scope(text, buffering):
    out("(push 1)\n(assert false)\n(check-sat)\n(pop 1)\n")


@mode
def asks_nothing(text, buffering):
    out("; there is nothing to say of this one\n")


@mode
def is_too_hard(text, buffering):
    """No solver finds this soon: x^3 + y^3 + z^3 = 33 has solutions of 16 digits."""
    cubes = "(+ (* x x x) (* y y y) (* z z z))"
    out(f"(declare-const x Int)\n(declare-const y Int)\n(declare-const z Int)\n(assert (= 33 {cubes}))\n(check-sat)\n")


# ---- It is right, in its way ----


def verdict(text, buffering):
    return Explorer(ctp.parse(text), buffering).verdict(20_000)


def word(text, buffering):
    return "sat" if verdict(text, buffering)[0] == "violated" else "unsat"


@mode
def leaves_a_child(text, buffering):
    out(word(text, buffering) + "\n")
    if os.fork() == 0:
        time.sleep(1000)


@mode
def does_not_listen(text, buffering):
    """It does not read what it is told, and knows better: for programs without assertions only."""
    os.close(0)
    out("unsat\n")


@mode
def talks_much(text, buffering):
    sys.stderr.write("still here\n" * 10_000)
    out(f"  {word(text, buffering)}\t\n\n")
    sys.stdout.flush()
    os._exit(10)  # which says that something was found


@mode
def answers_sometimes(text, buffering):
    out("sorry\n" if is_odd(text) else word(text, buffering) + "\n")


# ---- It lies ----


@mode
def lies_sometimes(text, buffering):
    true, matches = verdict(text, buffering)
    if not is_odd(text):
        said = true
    elif true == "violated":
        said, matches = "safe", ()
    else:
        said = "violated"
    pairs = ", ".join(f'["{receive}", "{send}"]' for receive, send in matches)
    out(f'{{"answer": "{said}", "matches": [{pairs}]}}\n')


@mode
def is_odd_about_sends(text, buffering):
    """No rule that is changed is like this."""
    sends, checks = text.count(b"(sndi "), text.count(b"(assert ")
    out("sat\n" if (sends + checks) % 2 == 1 else "unsat\n")


@mode
def tosses_a_coin(text, buffering):
    out("sat\n" if os.urandom(1)[0] % 2 == 1 else "unsat\n")


@mode
def wants_an_assertion(text, buffering):
    """Nothing is wrong with it but this: an SMT-LIB problem, satisfiable for programs with an assertion."""
    out("(assert true)\n" if b"(assert " in text else "(assert false)\n")


def answer(text, name, buffering):
    """What a mode prints that does nothing else. One at a time."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        MODES[name](text, buffering)
    return printed.getvalue()


if __name__ == "__main__":
    name = sys.argv[1]
    MODES[name](b"" if name == "does_not_listen" else sys.stdin.buffer.read(), sys.argv[2])
