#!/usr/bin/env python3
"""Inputs that are too large, too deep or broken: each ends with the right answer or a clear message, in good time and
with memory to spare; never with a signal, an internal error or a screenful of text.

    torture.py [--part N] [CASE ...]     --part: an N-th of everything, half of that with MATCHPOINT_EVERY=2 or more; CASE: parts of names
"""

import argparse
import json
import os
import random
import re
import sys
import tempfile
from pathlib import Path

from support import BAD_INPUT, BUFFERINGS, FAILURE, HOLDS, INTERNAL, UNKNOWN, ERROR, program, programs, run

MAX_SECONDS = 60
MAX_MB = 6 * 1024
MAX_MESSAGE = 20_000  # bytes of text that anybody wants to see
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")

cases = []


def case(function):
    cases.append(function)
    return function


class Torture:
    def __init__(self, part, folder):
        self.part = part
        self.small = part > 10
        self.path = folder / "torture.ctp"
        self.failures = []
        self.name = ""

    def n(self, count):
        return count // self.part

    def write(self, *chunks):
        """Chunks: text, or iterables of text. Never all of it in memory, which would count as the child's."""
        with open(self.path, "w", encoding="utf-8", newline="") as file:
            for chunk in chunks:
                if isinstance(chunk, str):
                    file.write(chunk)
                else:
                    file.writelines(chunk)

    def repeated(self, text, count):
        """`text` so many times."""
        block = max(1, 100_000 // len(text))
        for _ in range(count // block):
            yield text * block
        yield text * (count % block)

    def numbered(self, text, count):
        """`text` with # replaced by 0, 1, ..."""
        for i in range(count):
            yield text.replace("#", str(i))

    def check(self, good, what):
        if not good:
            self.failures.append(f"{self.name}: {what}")
            print(f"    FAILED: {what}", flush=True)

    def judge(self, result, codes, says, large):
        codes = codes if isinstance(codes, tuple) else (codes,)
        self.check(not result.timed_out, f"no end after {MAX_SECONDS} s")
        self.check(result.code >= 0 or result.timed_out, f"ended by signal {-result.code}")
        self.check(result.code != INTERNAL, f"internal error: {result.err[:300]}")
        self.check(result.code in codes, f"exit code {result.code} instead of {codes}: {result.err[:300]}")
        self.check(result.peak_mb <= MAX_MB, f"{result.peak_mb:.0f} MB")
        text = (result.out + result.err).decode(errors="replace")
        self.check(says in text, f"does not say `{says}` but {text[:300]!r}")
        if not large:
            self.check(len(text) < MAX_MESSAGE, "too much text")
            self.check(not CONTROL.search(text), f"control characters: {text[:300]!r}")
            self.check(result.code == HOLDS or text, "no message")

    def run(self, codes, *command, says="", large=False):
        """Runs a command (default `run`) on the file, judges it, and prints a line of the table."""
        command = command or ("run",)
        result = run(*command, self.path, timeout=MAX_SECONDS, limit_output=None if large == "all" else MAX_MESSAGE)
        what = f"{self.name} ({' '.join(command)})"
        print(f"{what:<70} {result.code:>4} {result.seconds:8.2f} {result.peak_mb:8.0f}", flush=True)
        self.judge(result, codes, says, large)
        return result

    def many(self, texts, codes, *command, compare=None):
        """A crowd of small inputs, on standard input; one line of the table for all."""
        command = command or ("run",)
        seconds = peak = 0
        seen = set()
        for text in texts:
            text = text if isinstance(text, bytes) else text.encode()
            result = run(*command, "-", stdin=text, timeout=MAX_SECONDS, limit_output=MAX_MESSAGE)
            self.judge(result, codes, "", large=False)
            if compare:
                compare(text, result)
            seconds, peak = seconds + result.seconds, max(peak, result.peak_mb)
            seen.add(result.code)
        what = f"{self.name} ({' '.join(command)}, {len(texts)} times)"
        print(f"{what:<70} {'/'.join(map(str, sorted(seen))):>4} {seconds:8.2f} {peak:8.0f}", flush=True)


# ----------------------------------------------------------------------------------------------------------------------
# Depth


@case
def deep_not(t):
    n = t.n(1_000_000)
    t.write("(([00 (assert ", t.repeated("(not ", n), "true", t.repeated(")", n), ")])) ((00 bot))")
    for command in ("run", "lint"):
        t.run(HOLDS, command)
    t.run(HOLDS, "fmt", large=True)
    t.run(HOLDS, "run", "--format", "json", large=True)
    t.run(HOLDS, "run", "--steps", large=True)


@case
def deep_left(t):
    n = t.n(1_000_000)
    t.write("(([00 (x := ", t.repeated("(+ ", n), "1", t.repeated(" 1)", n), ")])) ((00 bot))")
    t.run(HOLDS, "run", "--format", "json", says=f'"x": {n + 1}', large=True)


@case
def deep_right(t):
    n = t.n(1_000_000)
    t.write("(([00 (x := ", t.repeated("(- 1 ", n), "1", t.repeated(")", n), ")])) ((00 bot))")
    t.run(HOLDS, "run", "--format", "json", says=f'"x": {(n + 1) % 2}', large=True)


@case
def deep_and_failing(t):
    n = t.n(1_000_000)
    t.write("(([00 (x := true)] [01 (assert ", t.repeated("(not [not ", n // 2), "(not x)", t.repeated("])", n // 2),
            ")])) ((00 bot) (01 bot))")
    t.run(FAILURE, says="with x = true")
    t.run(FAILURE, "run", "--format", "json", large=True)


@case
def deep_unclosed(t):
    n = t.n(1_000_000)
    t.write("(([00 (assert ", t.repeated("(not ", n))
    t.run(BAD_INPUT, says="expected an operand: an expression, found the end of the file")
    t.write("(([00 (assert ", t.repeated("(+ 1 ", n), "1", t.repeated(")", n - 1))
    t.run(BAD_INPUT, says="opened here")
    t.write("(([00 (assert ", t.repeated("(not ", n), "true", t.repeated(")", n - 1), "]")
    t.run(BAD_INPUT, says="expected `)` to close `(not`")


@case
def deep_brackets(t):
    n = t.n(1_000_000)
    for text in ("(", "[", "([", ")", "]", "(()", "[00 (", "((())"):
        t.write(t.repeated(text, n))
        t.run(BAD_INPUT, says="error[syntax]")


# ----------------------------------------------------------------------------------------------------------------------
# Length


@case
def large_program(t):
    n = t.n(2_500_000)
    t.write("((", t.numbered("[l# (x := (+ x #))]\n", n), "))\n(", t.numbered("(l# bot)\n", n), ")")
    print(f"    {t.path.stat().st_size / 1e6:.0f} MB")
    t.run(ERROR, says="x has no value")
    t.run(HOLDS, "lint", says="warning[D5]")
    t.run(HOLDS, "fmt", large=True)
    t.run(ERROR, "run", "--format", "json", says='"no value"', large=True)


@case
def large_run(t):
    n = t.n(1_000_000)
    t.write("(([0 (x := 0)]", t.numbered("[l# (x := (+ x #))]\n", n), "))\n((0 bot)", t.numbered("(l# bot)\n", n), ")")
    t.run(HOLDS)
    t.run(HOLDS, "run", "--steps", large=True)
    t.run(HOLDS, "run", "--format", "json", says=f'"x": {n * (n - 1) // 2}')


@case
def large_brackets(t):
    for text in ("(", "(not "):
        t.write("(([00 (assert ", t.repeated(text, t.n(100_000_000) // len(text)))
        t.run(BAD_INPUT, says="error[syntax]")


@case
def large_comments(t):
    n = t.n(100_000_000)
    t.write("()\n", t.repeated("; 67890\n", n // 8), "()")
    t.run(HOLDS)
    t.run(HOLDS, "fmt", large=True)
    t.write("() ; ", t.repeated("comment", n // 7), "\n()")
    t.run(HOLDS)
    t.run(HOLDS, "fmt", large=True)


@case
def large_spaces(t):
    n = t.n(100_000_000)
    for space in (" ", "\n", "\r\n", "\t\v\f"):
        t.write(t.repeated(space, n // 2 // len(space)), "()", t.repeated(space, n // 2 // len(space)), "()")
        t.run(HOLDS)
    t.write(t.repeated(" ", n), ")")
    t.run(BAD_INPUT, says=f":1:{n + 1}: error[syntax]")


@case
def large_atom(t):
    n = t.n(100_000_000)
    t.write(t.repeated("x", n))
    t.run(BAD_INPUT, says="found `xxxx")
    t.write("(([", t.repeated("ü", n // 2), " (assert false)]))", "((", t.repeated("ü", n // 2), " bot))")
    t.run(FAILURE, says="…")
    t.run(FAILURE, "run", "--format", "json", large=True)
    t.write("(([00 (", t.repeated("x", n), " := 1)])) ((00 bot))")
    t.run(HOLDS)


@case
def long_line(t):
    n = t.n(500_000)
    t.write("((", t.numbered("[l# (x := (+ 1 #))] ", n), "[e (x := ]))")
    result = t.run(BAD_INPUT, says=f":1:{t.path.stat().st_size - 2}: error[syntax]: expected an expression")
    t.check(len(result.err) < 600, "a long message for a long line")
    t.write("((", t.repeated("[same (x := 1)]", n), "))")
    t.run(BAD_INPUT, "lint", says="more not shown")


@case
def errors_far_down(t):
    t.write(t.repeated("; 67890\n", t.n(50_000_000) // 8), "((", t.repeated("[same (x := 1)]\n", 2000), "))")
    t.run(BAD_INPUT, "lint", says="more not shown")
    t.run(BAD_INPUT, "lint", "--format", "json", large=True)


# ----------------------------------------------------------------------------------------------------------------------
# Broken text


@case
def nothing(t):
    t.many(["", "\ufeff", " ", ";", "; comment", "\r", "bot"], BAD_INPUT)
    t.many(["\ufeff() ()", "()()", "[][]", ";\n()()", "()();"], HOLDS)


@case
def nul_bytes(t):
    t.write(t.repeated("\0", t.n(1_000_000)))
    t.run(BAD_INPUT, says=r"found `\x00\x00")
    t.write("(([a\0b (assert (= \0 1))]) ([\0 (\0 := 2)]))\n((\0 bot) (a\0b bot))")
    t.run(FAILURE, says=r"assertion at a\x00b, entry 1, does not hold: (assert (= \x00 1)) with \x00 = 2")


@case
def broken_utf8(t):
    good = Path("traces/syntax_unicode_names.ctp").read_bytes()
    middle = good.index("κ".encode(), good.index(b"( ("))
    texts = [good[:at] + bad + good[at:]
             for bad in (b"\xff", b"\x80", b"\xc3", b"\xc0\x80", b"\xe2\x8a", b"\xed\xa0\x80", b"\xf0\x9f\x98",
                         b"\xf4\x90\x80\x80", b"\xfe\xff")
             for at in (0, 2, middle, middle + 1, good.index(b"\n"), len(good))]

    def compare(text, result):
        try:
            text.decode()
        except UnicodeDecodeError as error:
            line = text.count(b"\n", 0, error.start) + 1
            column = len(text[text.rfind(b"\n", 0, error.start) + 1:error.start].decode()) + 1
            said = f"<stdin>:{line}:{column}: error[syntax]: byte 0x{text[error.start]:02X} is not UTF-8"
            t.check(said in result.error_text, f"{said}: {result.err[:200]}")
        else:
            t.check(False, "the test is wrong")

    t.many(texts, BAD_INPUT, compare=compare)


@case
def line_ends(t):
    # Each program with each end; under sanitizers each program with one of them.
    ends = ("\r\n", "\r", "\v", "\f")
    for number, path in enumerate(programs()):
        references = {}
        for end in ends[number % len(ends)::len(ends)] if t.small else ends:
            # A comment ends with its line, and only "\n" ends lines.
            text = re.sub(";.*", "", path.read_text()) if end != "\r\n" else path.read_text()
            if text not in references:
                references[text] = run("run", "-", stdin=text.encode())
            reference = references[text]
            result = run("run", "-", stdin=text.replace("\n", end).encode())
            t.check((result.code, result.out) == (reference.code, reference.out), f"{path} with {end!r} differs")
            if end == "\r\n":
                t.check(result.err == reference.err, f"{path}: other messages")
    print(f"{t.name:<70} {'-':>4} {'-':>8} {'-':>8}")


@case
def truncated(t):
    randomness = random.Random(2)
    whole = [path.read_bytes() for path in programs(shared=True)[:: 4 if t.small else 1]]
    texts = [text[:randomness.randrange(len(text))] for text in whole for _ in range(1 if t.small else 3)]
    t.many(texts, (BAD_INPUT, 0, 10, 12, 13))


@case
def one_bracket_wrong(t):
    for path in ("traces/syntax_brackets.ctp", "traces/figure11.ctp"):
        text = re.sub(";.*", "", Path(path).read_text())
        places = [i for i, c in enumerate(text) if c in "()[]"][:: 10 if t.small else 1]
        turned = {"(": "[", "[": "(", ")": "]", "]": ")"}
        opposite = {"(": ")", "[": "]", ")": "(", "]": "["}
        for change in (turned.get, opposite.get, lambda c: ""):
            t.many([text[:i] + change(text[i]) + text[i + 1:] for i in places], BAD_INPUT)


@case
def odd_characters(t):
    names = ["|", "\\", "'", "`", "\x1b", "\x07", "\x7f", "\x9b31m", "\u202egnp", "\u2028", "\u200b", "\ufeff", "$HOME",
             "%s%n", "\\x1b", "..", "-", "a" * 1000][:: 3 if t.small else 1]
    texts = []
    for a in names:
        texts.append(program(
            [("l" + a, f"(rcvi r{a} 0 x{a})"), ("w" + a, f"(wait r{a})"), ("a" + a, f"(assert (= x{a} 2))"),
             (a, f"(assume (= x{a} 3))"), ("d" + a, f"(x{a} := (div x{a} 0))")],
            [("s" + a, f"(sndi s{a} 1 0 1)"), ("u" + a, f"(sndi u{a} 1 0 u{a})")],
            traces=[["l" + a, "s" + a, ("w" + a, "((0 1) bot)"), "a" + a, a, "d" + a], [a], ["z" + a], ["u" + a]]))
    t.many(texts, ERROR)
    t.many(texts, ERROR, "run", "--steps")
    t.many(texts, HOLDS, "lint")
    t.many([text for a in names for text in (
        f"() {a}", f"({a}", f"(([{a} (x := {a}{{)]))", f"(([00 (sndi {a} {a} 0 1)]))", f"(([00 (wait {a})]))",
        f"(([{a} (wait {a})] [{a} (sndi {a} 0 0 (+ {a})) ] [1 (rcvi {a} 0 x {a}a)] ))", f"() ; {a}\n{a}")], BAD_INPUT)
    red = "\x1b[31m"
    t.many([red, f"({red}", f"(([{red} (x := 1)]))", f"(([00 (x := {red})])) ; {red}", f"() ; {red}\n ) ; {red}"], BAD_INPUT)
    t.many([f"() ; {red}\n ()"], HOLDS)
    t.many(['(([00 (x := "a")]))', "(([00 (x := {1})]))", "({})", '"'], BAD_INPUT)


# ----------------------------------------------------------------------------------------------------------------------
# Numbers


@case
def digits(t):
    sys.set_int_max_str_digits(0)
    randomness = random.Random(3)
    n = t.n(100_000)
    a, b = randomness.randrange(10**(n - 1), 10**n), randomness.randrange(10**(n // 2 - 1), 10**(n // 2))
    for x, y in ((a, b), (-a, b), (a, -b), (-a, -b)):
        remainder = x % abs(y)
        results = {"sum": x + y, "difference": x - y, "product": x * y, "quotient": (x - remainder) // y,
                   "remainder": remainder}
        commands = [("x", f"(x := {x})"), ("y", f"(y := {y})")]
        commands += [(name, f"({name} := ({op} x y))") for name, op in zip(results, ("+", "-", "*", "div", "mod"))]
        commands += [("is" + name, f"(assert (= {name} {value}))") for name, value in results.items()]
        commands += [("less", "(less := (< x y))")]
        t.write(program(commands, traces=[[rho for rho, _ in commands]]))
        t.run(HOLDS)
        store = json.loads(t.run(HOLDS, "run", "--format", "json", large="all").text)["traces"][0]["store"]
        t.check(store["less"] == (x < y), "<")
        for name, value in results.items():
            t.check(store[name] == str(value), name)


@case
def digits_limit(t):
    t.write("(([00 (x := ", t.repeated("9", 10_000_000), ")])) ((00 bot))")
    t.run(UNKNOWN, says="error[limit]: an integer of more than 16777216 bits")
    t.write("(([00 (x := 1", t.repeated("0", 5_000_000), ")] [01 (assert (= 0 (mod x 7)))])) ((00 bot) (01 bot))")
    t.run(FAILURE, says="with x = (an integer of 16609641 bits)")
    t.write("(([00 (x := ", t.repeated("0", t.n(100_000_000)), "7)])) ((00 bot))")
    t.run(HOLDS, "run", "--format", "json", says='"x": 7')


@case
def squaring(t):
    for value in ("2", "-3", "7")[: 1 if t.small else 3]:
        commands = [("b", f"(x := {value})")] + [(f"l{i}", "(x := (* x x))") for i in range(100)]
        t.write(program(commands, traces=[[rho for rho, _ in commands], []]))
        t.run(UNKNOWN, "run", "--trace", "1", says="limit reached")
        t.run(ERROR, says="limit reached")
    squares = 15 if t.small else 23
    shown = [("b", "(x := 2)")] + [(f"l{i}", "(x := (* x x))") for i in range(squares)]
    shown += [(f"a{i}", "(assert (= x 0))") for i in range(10)]
    t.write(program(shown, traces=[[rho for rho, _ in shown]]))
    t.run(FAILURE, says=f"with x = (an integer of {2**squares + 1} bits)")
    t.run(FAILURE, "run", "--format", "json", large=True)


@case
def many_large_numbers(t):
    if t.small:
        return
    commands = [("b", "(x := 2)")] + [(f"l{i}", "(x := (* x x))") for i in range(23)]
    commands += [(f"v{i}", f"(v{i} := (+ x {i}))") for i in range(3000)]
    t.write(program(commands, traces=[[rho for rho, _ in commands]]))
    t.run(UNKNOWN, says="limit reached")


# ----------------------------------------------------------------------------------------------------------------------
# Numbers of things


@case
def threads(t):
    n = t.n(100_000)
    t.write("(", t.numbered("([r# (rcvi r# # x#)] [w# (wait r#)] [s# (sndi s# # # #)])\n", n), ")\n",
            "(", t.numbered("(r# bot)", n), t.numbered("(w# bot)", n), t.numbered("(s# bot)", n), ")")
    t.run(ERROR, says="message not there")
    t.write("(", t.numbered("([r# (rcvi r# # x#)] [s# (sndi s# # # #)] [w# (wait r#)])\n", n), ")\n",
            "(", t.numbered("(r# bot)", n), t.numbered("(s# bot)", n), t.numbered("(w# ((# #)))", n), ")")
    for buffering in BUFFERINGS:
        t.run(HOLDS, "run", "--buffering", buffering, says="success (well-formed)")
    t.run(HOLDS, "lint")
    t.write("(", t.repeated("()", n * 10), ") ()")
    t.run(HOLDS)


@case
def endpoints(t):
    n = t.n(1_000_000)
    t.write("((", t.numbered("[s# (sndi a# # # 1)]\n", n), "))\n(", t.numbered("(s# bot)", n), ")")
    t.run(HOLDS, says=f"({n - 20} more)")
    t.run(HOLDS, "run", "--format", "json", large=True)


@case
def traces(t):
    for n in (t.n(100_000), t.n(1_000_000)):
        t.write("(([00 (x := 1)]))\n", t.repeated("((00 bot))\n", n))
        t.run(HOLDS, says="trace 1: success", large=True)
        t.run(HOLDS, "run", "--format", "json", large=True)
        t.run(HOLDS, "run", "--trace", str(n), says=f"trace {n}: success")
        t.run(BAD_INPUT, "run", "--trace", str(n + 1), says=f"has no trace {n + 1}: it has {n}")


@case
def one_wait_for_all(t):
    n = t.n(100_000)
    t.write("((", t.numbered("[r# (rcvi r# 0 x#)]\n", n), f"[w (wait r{n - 1})])\n",
            "(", t.numbered("[s# (sndi s# 1 0 #)]\n", n), "))\n",
            "(", t.numbered("(r# bot)", n), t.numbered("(s# bot)", n), "(w (", t.repeated("(0 1)", n), ")))")
    t.run(HOLDS, says=f"({n - 20} more)")
    t.run(HOLDS, "run", "--steps", large=True)
    t.run(HOLDS, "run", "--format", "json", large=True)


@case
def waits_out_of_order(t):
    """A machine that looked for each wait's place in a list would need a trillion steps."""
    n = t.n(1_000_000)
    for order in (range(n - 1, -1, -1), [n - 1, *range(1, n - 1), 0]):
        write_waits(t, n, order)
        t.run(HOLDS, says="success (well-formed)")


@case
def waits_out_of_order_step_by_step(t):
    n = t.n(100_000)
    for order in (range(n - 1, -1, -1), [n - 1, *range(1, n - 1), 0]):
        write_waits(t, n, order)
        t.run(HOLDS, "run", "--steps", large=True)


def write_waits(t, n, order):
    """n receives at one endpoint, all completed by the first wait, and the waits in that order."""
    t.write("((", t.numbered("[r# (rcvi r# 0 x)]\n", n), (f"[w{i} (wait r{i})]\n" for i in order), ")\n",
            "(", t.numbered("[s# (sndi s# 1 0 #)]\n", n), "))\n",
            "(", t.numbered("(r# bot)", n), t.numbered("(s# bot)", n), f"(w{order[0]} (", t.repeated("(0 1)", n), "))",
            (f"(w{i} bot)" for i in order[1:]), ")")


@case
def unused_variables(t):
    n = t.n(1_000_000)
    t.write("((", t.numbered("[l# (v# := #)]\n", n), "))\n(", t.numbered("(l# bot)", n), ")")
    t.run(HOLDS)
    t.run(HOLDS, "run", "--format", "json", large=True)
    t.write("((", t.numbered("[l# (rcvi r# 0 v#)]\n", n), "))\n(", t.numbered("(l# bot)", n), ")")
    t.run(HOLDS, says="not well-formed")


@case
def faults(t):
    n = t.n(1_000_000)
    for rule, text in (("S1", "[same (x := 1)]\n"), ("S2", "[l# (sndi a 0 0 1)]\n"), ("S3", "[l# (wait a#)]\n"),
                       ("S4", "[l# (x := (not))]\n"), ("S5", "[l# (rcvi r# 0 x nowhere#)]\n")):
        t.write("((", t.numbered(text, n), "))")
        t.run(BAD_INPUT, says=f"error[{rule}]")
        t.run(BAD_INPUT, "lint", "--format", "json", large=True)
    t.write("(([00 (x := (+", t.repeated(" 1", n), "))]))")
    t.run(BAD_INPUT, says=f"here it has {n}")


@case
def warnings(t):
    n = t.n(1_000_000)
    for rule, text in (("D1", "([l# (rcvi r# 0 x#)] [w# (wait r#)])\n"), ("D2", "[l# (wait a)]\n"),
                       ("D3", "[l# (rcvi r# 0 x)]\n"), ("D4", "([l# (x := 1)])\n"), ("D5", "[l# (assert v#)]\n"),
                       ("D6", "[l# (x := (+ 1 true))]\n")):
        is_thread = text.startswith("(")
        t.write("(" if is_thread else "((", t.numbered(text, n), ")" if is_thread else "[s (sndi a 0 0 1)]))")
        t.run(HOLDS, "lint", says=f"warning[{rule}]")
        t.run(BAD_INPUT, "lint", "--strict", "--format", "json", large=True)
    t.write("(([00 (assert ", t.repeated("(and 1 ", n), "1", t.repeated(")", n), ")]))")
    t.run(HOLDS, "lint", says="warning[D6]")


@case
def findings(t):
    n = t.n(1_000_000)
    t.write("(([x (x := 1)]", t.numbered("[l# (assert (= x #))]\n", n), "))\n((x bot)", t.numbered("(l# bot)", n), ")")
    t.run(FAILURE, says=f"... and {n - 101} more")
    t.run(FAILURE, "run", "--format", "json", large=True)
    n = t.n(300_000)
    t.write("((", t.numbered("[l# (x# := false)]\n", n),
            "[a (assert ", t.numbered("(or x# ", n - 1), "x0",
            t.repeated(")", n - 1), ")]))\n(", t.numbered("(l# bot)", n), "(a bot))")
    t.run(FAILURE, says="x19 = false, ... ")
    t.run(FAILURE, "run", "--format", "json", large=True)


@case
def movements(t):
    n = t.n(1_000_000)
    for moved, code, says in ((n, HOLDS, "orphans, delivered but never received"), (n + 1, ERROR, "nothing in transit")):
        t.write("((", t.numbered("[s# (sndi s# 1 0 #)]\n", n), "[l (x := 1)]))\n",
                "(", t.numbered("(s# bot)", n), "(l (", t.repeated("(0 1)", moved), ")))")
        t.run(code, says=says)
    t.write("(([l (x := 1)]))\n((l (", t.numbered("(# #)", n), ")))")
    t.run(ERROR, says="nothing in transit")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", type=int, default=1, metavar="N")
    parser.add_argument("names", nargs="*", metavar="CASE")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        is_all = os.environ.get("MATCHPOINT_EVERY", "1") == "1"
        torture = Torture(options.part if is_all else 2 * options.part, Path(folder))
        print(f"{'case':<70} {'exit':>4} {'seconds':>8} {'peak MB':>8}")
        for function in cases:
            if options.names and not any(name in function.__name__ for name in options.names):
                continue
            torture.name = function.__name__
            function(torture)
    print("\n".join(["", *torture.failures]) if torture.failures else "all as they should be")
    return 1 if torture.failures else 0


if __name__ == "__main__":
    sys.exit(main())
