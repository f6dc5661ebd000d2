#!/usr/bin/env python3
"""The reasons for clauses about programs with shared variables: by hand, one clause that holds and some that do not for each; and
what the checker accepts is so: clauses over random literals, for every reason, are made as short as the checker lets them be, and
then have to hold at every moment of every execution of the program, or in every complete run. The moments are those of
shared_moments.py, which walks through all orders. For small random programs, both bufferings and both readings of runs.

MATCHPOINT_CERTIFICATES=10000 tries more programs, MATCHPOINT_SEED others."""

import os
import random
import sys
import unittest
from collections import Counter, defaultdict
from itertools import product
from pathlib import Path

from shared_moments import Moments

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from certificate_checker import Refused, language, printing, reasons  # noqa: E402
from certificate_checker.program import Program  # noqa: E402
from certificate_checker.shared import ReasonsOfShared  # noqa: E402

PROGRAMS = 24 if int(os.environ.get("MATCHPOINT_CERTIFICATES", "0")) < 10000 else 2000
SEED = int(os.environ.get("MATCHPOINT_SEED", "1"))
TRIES = 20  # clauses for each kind of reason

# Two increments that can be lost, one of them atomic, under a lock that a third thread waits for; and a message with
# what is read.
BY_HAND = ("(shared [x 0] [l 1] [f false])"
           "( ( [a1 (u := x)] [a2 (x := (+ u 1))] [a3 (assume (> x 0) (f := true) (l := (- l 1)))] [a4 (sndi s 1 0 (+ x 5))] )"
           "  ( [b1 (x := (+ x 1))] [b2 (x := 7)] [b3 (v := (div 6 x))] )"
           "  ( [c1 (when f (w := x))] [c2 (rcvi r 0 x)] [c3 (rcvi q 0 x)] [c4 (wait q)] [c5 (assert (and f (= x w)))]"
           "    [c6 (rcvi p 0 z)] [c7 (wait p)] [c8 (assume (= z 5))] )"
           "  ( [d1 (sndi t 2 0 x)] [d2 (sndi g 2 0 9)] ) )")

# Reason -> clauses that hold for it, and clauses that do not. A literal is a meaning; a leading `-` negates it.
CLAUSES = {
    "reads b1 x": (["-executed b1; read b1 x; read b1 x a2; read b1 x c4", "-in b1 x 3; read b1 x; read b1 x a2; read b1 x c4",
                    "-out b1 x 3; read b1 x; read b1 x a2; read b1 x c4"],
                   ["read b1 x; read b1 x a2; read b1 x c4", "-executed b1; read b1 x; read b1 x a2", "-executed b1; read b1 x a2; read b1 x c4",
                    "executed b1; read b1 x; read b1 x a2; read b1 x c4", "-executed b2; read b1 x; read b1 x a2; read b1 x c4",
                    "-in b1 x 3; -read b1 x; read b1 x a2; read b1 x c4"]),
    "reads b3 x": (["-executed b3; read b3 x b2; read b3 x a2; read b3 x c4"], ["-executed b3; read b3 x a2; read b3 x c4"]),
    "reads a2 x": ([], ["-executed a2; read a1 x; read a1 x b1; read a1 x b2; read a1 x c4", "-executed a2"]),
    "reads a1 z": ([], ["-executed a1"]), "reads c4 x": ([], ["-executed c4"]), "reads a2 u": ([], ["-executed a2"]),
    "reads c1 f": (["-executed c1; read c1 f; read c1 f a3"], ["-executed c1; read c1 f a3", "-executed c1; read c1 f"]),
    "written b1 x a2": (["-read b1 x a2; executed a2"], ["-read b1 x a2; executed b1", "-read b1 x; executed a2", "-read b1 x c4; executed a2",
                                                         "read b1 x a2; executed a2", "-read b1 x a2", "executed a2", "-read b1 x a2; -executed a2"]),
    "reader b1 x": (["-read b1 x a2; executed b1", "-read b1 x; executed b1"],
                    ["-read b1 x a2; executed a2", "-read b3 x a2; executed b1", "read b1 x; executed b1", "executed b1", "-read b1 x; -executed b1"]),
    "between b1 x a2 c4": (["-read b1 x a2; before command c4 command a2; before command b1 command c4",
                            "-read b1 x a2; -before command a2 command c4; before command b1 command c4",
                            "-read b1 x a2; -before command a2 command c4; -before command c4 command b1"],
                           ["-read b1 x a2; before command c4 command a2", "-read b1 x a2; before command b1 command c4", "-read b1 x a2",
                            "before command c4 command a2; before command b1 command c4",
                            "-read b1 x c4; before command c4 command a2; before command b1 command c4",
                            "-read b1 x; before command c4 command a2; before command b1 command c4",
                            "-read b1 x a2; before command a2 command c4; before command b1 command c4",
                            "-read b1 x a2; before command c4 command a2; before command c4 command b1",
                            "-read b1 x a2; before command c4 command a2; -before command b1 command c4",
                            "-read b1 x a2; -before command c4 command a2; before command b1 command c4",
                            "read b1 x a2; before command c4 command a2; before command b1 command c4"]),
    "between b1 x a2 b1": ([], ["-read b1 x a2; before command b1 command a2; before command b1 command b1", "-read b1 x a2",
                                "-read b1 x a2; before command b1 command a2"]),
    "between b1 x a2 a2": ([], ["-read b1 x a2; before command b1 command a2; before command a2 command a2", "-read b1 x a2; before command b1 command a2"]),
    "between b1 x a2 a1": ([], ["-read b1 x a2; before command a1 command a2; before command b1 command a1"]),
    "between b1 x a2 b2": (["-read b1 x a2; before command b2 command a2; before command b1 command b2"],
                           ["-read b1 x a2; before command b2 command a2", "-read b1 x a2"]),
    "between b3 x a2 b2": (["-read b3 x a2; before command b2 command a2"], ["-read b3 x a2; -before command b2 command a2", "-read b3 x a2"]),
    "between b3 x b2 b1": ([], ["-read b3 x b2"]), "between b3 x b2 a2": (["-read b3 x b2; before command a2 command b2; before command b3 command a2"], []),
    "between b1 x c4": (["-read b1 x; before command b1 command c4", "-read b1 x; -before command c4 command b1"],
                        ["-read b1 x; before command c4 command b1", "-read b1 x", "-read b1 x a2; before command b1 command c4",
                         "-read b3 x a2; before command b1 command c4", "read b1 x; before command b1 command c4"]),
    "between b1 x b1": ([], ["-read b1 x; before command b1 command b1", "-read b1 x"]),
    "between b1 x b2": (["-read b1 x; before command b1 command b2"], ["-read b1 x"]),
    "between c1 f c4": ([], ["-read c1 f; before command c1 command c4"]),
    "between": ([], ["-read b1 x"]), "between b1": ([], ["-read b1 x"]), "between b1 x": ([], ["-read b1 x"]),
    "cycle": (["-read b1 x a2; -read a1 x b2", "-read b1 x a2; -read a1 x b1", "-read b1 x a2; before command a1 command b1",
               "-read b1 x a2; before command a2 command b2", "-read b1 x c4; -before command b3 command c2", "-read c1 f a3; -read a1 x c4",
               "-match r s; -before command c4 command a4"],
              ["-read b1 x a2", "-read b1 x; -read a1 x b1", "-read b1 x a2; read a1 x b2", "-read b1 x a2; -before command a1 command b1",
               "-match r s; before command c4 command a4", ""]),
    "input b1 x": (["-read b1 x; in b1 x 0", "-read b1 x a2; -out a2 x 3; in b1 x 3", "-read b1 x a2; -out a2 x 3; -out a2 x 4; in b1 x 3",
                    "-read b1 x c4; -out c4 x -12; in b1 x -12"],
                   ["-read b1 x; in b1 x 1", "-read b1 x a2; in b1 x 0", "in b1 x 0", "-read b1 x a2; -out a2 x 3; in b1 x 4", "-read b1 x; in b3 x 0",
                    "-read b1 x a2; -out c4 x 3; in b1 x 3", "-read b1 x; -out a2 x 3; in b1 x 3", "-out a2 x 3; in b1 x 3", "-read b1 x; -in b1 x 0",
                    "-read b1 x a2; out a2 x 3; in b1 x 3", "-read b1 x; -executed b1", "read b1 x; in b1 x 0", "-read a1 x; in b1 x 0"]),
    "input c1 f": (["-read c1 f; in c1 f false", "-read c1 f a3; -out a3 f true; in c1 f true"],
                   ["-read c1 f; in c1 f true", "-read c1 f a3; in c1 f true", "-read c1 f a3; -out a3 f true; in c1 f false"]),
    "output b1 x": (["-in b1 x 0; out b1 x 1", "-executed b1; -in b1 x 0; out b1 x 1", "-in b1 x -1; out b1 x 0"],
                    ["-in b1 x 0; out b1 x 2", "-executed b1; out b1 x 1", "out b1 x 1", "in b1 x 0; out b1 x 1", "-in b3 x 0; out b1 x 1",
                     "-in b1 x 0; -out b1 x 1", "-in b1 x 0; out b2 x 1", "-executed b1; -out b2 x 0; out b1 x 1"]),
    "output b2 x": (["-executed b2; out b2 x 7"], ["out b2 x 7", "-executed b1; out b2 x 7", "-executed b2; out b2 x 8", "executed b2; out b2 x 7"]),
    "output a2 x": (["-executed a2; -out a1 u 3; out a2 x 4"], ["-out a1 u 3; out a2 x 4", "-executed a2; out a2 x 4", "-executed a2; -out a1 u 3; out a2 x 3"]),
    "output a2 u": ([], ["-executed a2; -out a1 u 3; out a1 u 3", "-executed a2; -out a1 u 3; out a2 x 4"]),
    "output a3 f": (["-executed a3; out a3 f true", "-in a3 x 5; out a3 f true"], ["-executed a3; out a3 f false", "out a3 f true", "-executed a3; out a3 l 0"]),
    "output a3 l": (["-in a3 l 1; out a3 l 0"], ["-in a3 x 1; out a3 l 0", "-executed a3; out a3 l 0", "-in a3 l 1; out a3 l 1"]),
    "output c1 w": (["-in c1 x 4; out c1 w 4"], ["-executed c1; out c1 w 0", "-in c1 x 4; out c1 w 5"]),
    "output c4 x": ([], ["-executed c4; out c4 x 5"]), "output c1 x": ([], ["-in c1 x 4; out c1 w 4"]),
    "payload s": (["-in a4 x 2; payload s 7"], ["-executed a4; payload s 7", "-in a4 x 2; payload s 8", "payload s 7", "-in a4 x 2; payload t 7"]),
    "payload t": (["-in d1 x 2; payload t 2"], ["-in a4 x 2; payload t 2"]),
    "payload g": (["-executed d2; payload g 9"], ["payload g 9", "-executed d1; payload g 9", "-executed d2; payload g 8", "-executed d2; -payload g 9"]),
    "payload r": ([], ["-executed d2; payload g 9"]),
    "delivery c4 x q s": (["-match q s; -payload s 7; -executed c4; out c4 x 7"],
                          ["-match q s; -payload s 7; out c4 x 7", "-match q s; -executed c4; out c4 x 7", "-payload s 7; -executed c4; out c4 x 7",
                           "-match q s; -payload s 7; -executed c4; out c4 x 8", "-match q t; -payload s 7; -executed c4; out c4 x 7",
                           "-match q s; -payload t 7; -executed c4; out c4 x 7", "-match r s; -payload s 7; -executed c4; out c4 x 7",
                           "-match q s; -payload s 7; -executed c2; out c4 x 7", "-match q s; payload s 7; -executed c4; out c4 x 7"]),
    "delivery c4 x r s": ([], ["-match r s; -payload s 7; -executed c4; out c4 x 7", "-match q s; -payload s 7; -executed c4; out c4 x 7"]),
    "delivery c2 x r s": ([], ["-match r s; -payload s 7; -executed c2; out c4 x 7"]),
    "delivery c7 z p g": (["-match p g; -payload g 9; -executed c7; out c7 z 9"], ["-match p g; -executed c7; out c7 z 9"]),
    "delivery c4 x q p": ([], ["-match q s; -payload s 7; -executed c4; out c4 x 7"]),
    "guard a3": (["-in a3 x 0", "-executed a3; -in a3 x -3", "-in a3 x 0; in a3 l 1"],
                 ["-in a3 x 1", "-executed a3", "in a3 x 0", "-in a3 l 1", "-in b1 x 0", ""]),
    "guard c1": (["-in c1 f false", "-in c1 f false; -in c1 x 0"], ["-in c1 f true", "-in c1 x 0", "-executed c1", "in c1 f false"]),
    "guard c8": (["-executed c8; -out c7 z 6"], ["-executed c8; -out c7 z 5", "-out c7 z 6", "-executed c8"]),
    "guard b3": ([], ["-in b3 x 0"]), "guard c5": ([], ["-in c5 f false"]), "guard z": ([], ["-in c5 f false"]),
    "divisor b3": (["-in b3 x 0", "-executed b3; -in b3 x 0"], ["-in b3 x 1", "-executed b3", "in b3 x 0", "-in b1 x 0", ""]),
    "divisor b1": ([], ["-in b1 x 0", "-executed b1"]),
    "holds c5": (["-fails c5; -in c5 f true; -in c5 x 3; -out c1 w 3"],
                 ["-fails c5; -in c5 f true; -in c5 x 3; -out c1 w 4", "-fails c5; -in c5 f true", "-fails c5; -in c5 f false; -in c5 x 3; -out c1 w 3",
                  "-in c5 f true; -in c5 x 3; -out c1 w 3", "-fails c5; -in c5 x 3; -out c1 w 3", "fails c5; -in c5 f true; -in c5 x 3; -out c1 w 3", "-fails c5"]),
    "holds a3": ([], ["-in a3 x 1", "-fails c5; -in a3 x 1"]),
    "single b1 x": (["-in b1 x 0; -in b1 x 1", "-out b1 x 0; -out b1 x 1"],
                    ["-in b1 x 0; -out b1 x 1", "-in b1 x 0", "-in b1 x 0; in b1 x 1", "-in b1 x 0; -in b3 x 1", "in b1 x 0; in b1 x 1", ""]),
    "some": (["fails c5"], ["-fails c5", "executed c5", ""]),
    "get q": (["-executed c4; match q s; match q t; match q g"], ["match q s; match q t; match q g", "-executed c4; match q s; match q t"]),
    "assumption c8": ([], ["-executed c8; -out c7 z 6"]), "bounds c5": ([], ["-fails c5", "-fails c5; -in c5 f true; -in c5 x 3; -out c1 w 3"])}

# Of complete runs, where every command has been executed.
OF_COMPLETE_RUNS = {
    "reads b1 x": (["read b1 x; read b1 x a2; read b1 x c4"], ["read b1 x; read b1 x a2"]),
    "output b2 x": (["out b2 x 7"], ["out b2 x 8", "-out b2 x 7"]), "output a2 x": (["-out a1 u 3; out a2 x 4"], ["out a2 x 4"]),
    "payload g": (["payload g 9"], ["payload g 8"]), "delivery c4 x q s": (["-match q s; -payload s 7; out c4 x 7"], ["-match q s; out c4 x 7"]),
    "guard c8": (["-out c7 z 6"], ["-out c7 z 5", ""]), "some": (["fails c5"], [""]), "divisor b3": (["-in b3 x 0"], [""]),
    "written b1 x a2": ([], ["-read b1 x a2"]), "reader b1 x": ([], ["-read b1 x a2"]), "order b1 b2": ([], [""])}

MEANINGS = {True: ["read b1 x", "read b1 x a2", "read b1 x c4", "read b3 x b2", "read b3 x a2", "read a3 x a2", "read c1 f", "in c1 f true", "in b1 x -3",
                   "in b1 x 0", "out a3 f false", "out c4 x 5", "out c7 z 5", "out a1 u 0", "out c1 w 9", "payload s 1", "executed d2", "complete",
                   "fails c5", "match q t", "before command a1 command d2", "before instant q command d2"],
            False: ["read b1 x b1", "read b1 x b2", "read b3 x b1", "read b3 x", "read b2 x a2", "read a2 u a1", "read a2 x", "read b1 x a1", "read b1 z",
                    "read b1", "read", "read b1 x a2 a2", "read z x", "read c1 f c4", "in c1 f 1", "in c1 f True", "in b1 x true", "in b1 x 01", "in b1 x +1",
                    "in b1 x -0", "in b1 x", "in b1 x 1 2", "in b1 x x", "in b2 x 0", "in a2 u 0", "in a2 x 0", "in c4 x 0", "in z x 0", "in b1 x ٣",
                    "out b1 f true", "out a3 f 1", "out c2 x 5", "out c5 x 5", "out c4 x true", "out c7 z +5", "out z x 1", "out a1 x 1", "out b3 u 1",
                    "payload r 1", "payload s true", "payload s", "payload s -0", "payload z 1", "out c4 x", "input b1 x 1", "executed z", "fails a1"]}


class ByHand(unittest.TestCase):
    def judge(self, complete, clauses):
        program = Program(language.read(BY_HAND.encode()))
        judged = ReasonsOfShared(program, False, True, complete)
        for reason, (good, bad) in clauses.items():
            for text, expected in [*((t, True) for t in good), *((t, False) for t in bad)]:
                literals, meaning = [], {}
                for i, literal in enumerate((l for l in text.split("; ") if l), 1):
                    meaning[i] = tuple(literal.lstrip("-").split(" "))
                    self.assertTrue(judged.is_meaning(meaning[i]), literal)
                    literals.append(-i if literal.startswith("-") else i)
                with self.subTest(reason=reason, clause=text, complete=complete):
                    self.assertIs(judged.justify(reasons.Clause(literals, meaning), reason.split(" ")), expected)

    def test_executions(self):
        self.judge(False, CLAUSES)

    def test_complete_runs(self):
        self.judge(True, OF_COMPLETE_RUNS)

    def test_meanings(self):
        judged = ReasonsOfShared(Program(language.read(BY_HAND.encode())), True, True, False)
        for expected, meanings in MEANINGS.items():
            for text in meanings:
                with self.subTest(meaning=text):
                    self.assertIs(judged.is_meaning(text.split(" ")), expected)


class Generator:
    """Small programs with all that the reasons are about. Not all keep the rules."""

    def __init__(self, rng):
        self.rng, self.number = rng, 0
        self.threads = rng.choice((2, 2, 3))
        self.most = {2: 4, 3: 3}[self.threads]
        self.messages = rng.random() < 0.6

    def text(self):
        shared = "(shared [x %d] [y %d] [f %s])" % (self.rng.randrange(2), self.rng.randrange(2), self.rng.choice(("true", "false")))
        threads = [self.thread(t) for t in range(self.threads)]
        return (shared + " (" + "".join("(" + "".join(f"[{t}{i} {c}]" for i, c in enumerate(thread)) + ")"
                                        for t, thread in enumerate(threads)) + ")").encode()

    def thread(self, t):
        commands, self.locals = [], []
        receives = []
        while len(commands) < self.most - len(receives):
            if self.messages and t == 0 and len(commands) < 2 and self.rng.random() < 0.7:
                self.number += 1
                r = f"r{self.number}"
                commands.append(f"(rcvi {r} 0 {self.rng.choice(('x', 'y', 'm'))})")
                receives.append(r)
                if self.rng.random() < 0.6:
                    commands.append(f"(wait {receives.pop()})")
            else:
                commands.append(self.command(t))
                if commands[-1].startswith("(sndi") and self.rng.random() < 0.4:
                    commands.append(f"(wait s{self.number})")
        return commands + [f"(wait {r})" for r in receives]

    def command(self, t):
        kind = self.rng.choice(("share", "share", "local", "guarded", "guarded", "when", "assert", "assume", *["send"] * (3 if t and self.messages else 0)))
        if kind == "send":
            self.number += 1
            return f"(sndi s{self.number} {t} 0 {self.integer()})"
        if kind in ("share", "local"):
            x, e = self.assignment(t, kind == "share")
            return f"({x} := {e})"
        if kind in ("assert", "assume"):
            return f"({kind} {self.condition()})"
        condition = self.condition()
        made = dict(self.assignment(t, self.rng.random() < 0.7) for _ in range(self.rng.randrange(1, 3)))
        return f"({'when' if kind == 'when' else 'assume'} {condition} {' '.join(f'({x} := {e})' for x, e in made.items())})"

    def assignment(self, t, shared):
        if not shared:
            self.locals.append(f"u{t}")
            return f"u{t}", self.integer(locals_=self.locals[:-1])
        x = self.rng.choice("xxyf")
        return x, self.condition() if x == "f" else self.integer()

    def integer(self, locals_=None):
        operand = lambda: self.rng.choice(["x", "x", "y", "1", "0", "2", *(self.locals if locals_ is None else locals_) * 2])
        return self.rng.choice((operand(), operand(), f"(+ {operand()} {operand()})", f"(div 4 {operand()})", f"(- {operand()} 1)"))

    def condition(self):
        compared = f"({self.rng.choice(('=', '>', '!=', '<='))} {self.integer()} {self.rng.randrange(3)})"
        return self.rng.choice((compared, compared, "f", f"(or f {compared})", f"(and f {compared})", "(not f)", f"(=> {compared} f)"))


def small_program(rng):
    """A file and its Program, which keeps the rules."""
    while True:
        try:
            file = language.read(Generator(rng).text())
            return file, Program(file)
        except Refused:
            pass


# The first names of a reason are mostly those of a variable of this kind.
KNOWN = {"written": "read", "reader": "read", "between": "read", "input": "read", "reads": "read", "fifo": "match", "queue": "match", "sent": "match",
         "posted": "match"}


class Judged:
    """The checker's reasons for one program under one buffering and one reading, against its moments."""

    def __init__(self, program, zero, safe, complete, moments, rng):
        self.rng, self.p, self.safe, self.complete = rng, program, safe, complete
        self.reasons = ReasonsOfShared(program, zero, safe, complete)
        seen = [m for m in moments.sets if not complete or ("complete",) in m]
        meanings = sorted({a for m in seen for a in m if not complete or a[0] not in ("executed", "complete")})
        assert all(self.reasons.is_meaning(list(a)) for a in meanings), meanings
        meanings += [a for a in self.others(meanings) if self.reasons.is_meaning(list(a))]
        self.meaning = dict(enumerate(meanings, 1))
        self.of = {"r": list(program.receive), "s": list(program.send), "c": list(program.command), "x": [*program.shared, "m"],
                   "a": [c.location for c in program.commands("assert")], "w": [c.location for c in program.commands("wait")],
                   "u": [rho for rho in program.command if any(self.reasons.is_use(rho, x) for x in program.shared)],
                   "d": [rho for rho, given in program.gives.items() if given]}
        self.about = defaultdict(set)  # name -> the meanings that have it
        for i, meaning in self.meaning.items():
            for name in meaning[1:]:
                self.about[name].add(i)
        number = {a: i for i, a in self.meaning.items()}
        self.moments = {sum(1 << number[a] for a in m if a in number) for m in seen}
        self.goal = sum(1 << i for i, a in self.meaning.items() if a[0] == "fails" or (not safe and a == ("complete",)))

    def others(self, meanings):
        """Meanings that may never be so."""
        others = {(*a[:-1], v) for a in meanings if a[0] in ("in", "out", "payload") for v in ("0", "1", "5", "true", "false")}
        others |= {("match", r, s) for r in self.p.receive for s in self.p.sends_for(r)}
        others |= {("fails", c.location) for c in self.p.commands("assert")} | {("complete",)} | {("executed", rho) for rho in self.p.command}
        others |= {read for rho, c in self.p.command.items() for x in self.p.shared if self.reasons.is_use(rho, x) for read in self.reasons.reads_of(rho, x)}
        return sorted(others - set(meanings))

    def named(self, kind):
        """What a reason of this kind can name."""
        of = self.of
        if kind == "crowd":
            some = [r for r in of["r"] if self.rng.random() < 0.6]
            return [str(len(some)), *some, *(s for s in of["s"] if self.rng.random() < 0.4)]
        sorts = {"get": "r", "one": "r", "once": "s", "taken": "s", "fifo": "rs", "cycle": "", "some": "", "sent": "rs", "posted": "rs", "queue": "rs", "order": "cc",
                 "failed": "a", "finish": "c", "reads": "ux", "written": "uxd", "reader": "ux", "between": self.rng.choice(("uxdd", "uxd")), "input": "ux",
                 "output": "dx", "payload": "s", "delivery": "wxrs", "guard": "c", "divisor": "c", "holds": "a", "single": "cx"}[kind]
        if not all(of[sort] for sort in sorts):
            return None
        result = [self.rng.choice(of[sort]) for sort in sorts]
        if kind == "output":  # something that is defined there
            result[1] = self.rng.choice(list(self.p.gives[result[0]]))
        known = [m[1:1 + len(result)] for m in self.meaning.values() if m[0] == KNOWN.get(kind) and len(m) > min(len(result), 3)]
        if known and self.rng.random() < 0.9:
            result[:len(known[0])] = self.rng.choice(known)
        return result

    def accepts(self, literals, reason):
        return self.reasons.justify(reasons.Clause(literals, self.meaning), reason)

    def literals(self, kind, names):
        """Those about what the reason names, and some others."""
        positive = {"get": ("match",), "taken": ("match",), "crowd": ("match",), "fifo": ("match",), "queue": ("match",), "some": ("fails", "complete"), "reads": ("read",)}
        chosen = {i for name in names for i in self.about[name] if self.meaning[i][0] != "before" or kind in ("between", "cycle")}
        chosen |= set(self.rng.sample(sorted(self.meaning), min(len(self.meaning), 40 if kind == "cycle" else 10)))
        if kind in ("some", "crowd", "cycle", "guard", "holds", "output", "payload", "divisor"):
            chosen |= {i for i, m in self.meaning.items() if m[0] in ("fails", "complete", "match", "in", "out", "read") and self.rng.random() < 0.8}
        for i in sorted(chosen):
            kind_of = self.meaning[i][0]
            sign = 1 if kind_of in positive.get(kind, ()) else -1 if kind_of in ("read", "executed") else 0
            yield i * (sign if sign and self.rng.random() < 0.85 else self.rng.choice((1, -1)))

    def shortest(self, kind):
        """A clause that the checker accepts for a reason, and no longer with a literal less; or None."""
        names = self.named(kind)
        if names is None:
            return None
        reason, literals = [kind, *names], list(self.literals(kind, names))
        if not self.accepts(literals, reason):
            return None
        self.rng.shuffle(literals)
        size = len(literals)
        while size:  # leaves out many at once, then fewer
            for begin in range(0, len(literals), size):
                shorter = literals[:begin] + literals[begin + size:]
                if len(shorter) < len(literals) and self.accepts(shorter, reason):
                    literals = shorter
            size //= 2
        return tuple(sorted(literals)), tuple(reason)

    def is_so(self, literals, reason):
        true, false = (sum(1 << abs(l) for l in literals if (l > 0) == sign) for sign in (True, False))
        moments = (m for m in self.moments if m & self.goal) if reason[0] == "some" else self.moments
        return all(m & true or m & false != false for m in moments)


class AcceptedClauses(unittest.TestCase):
    def test_they_hold(self):
        rng, accepted, moments, done, number = random.Random(SEED), Counter(), 0, 0, 0
        while done < PROGRAMS:
            number += 1
            file, program = small_program(rng)
            for zero in (False, True):
                all_moments = Moments(file, zero)
                if not all_moments.is_complete():
                    continue
                done += 1
                moments += len(all_moments.sets)
                for safe, complete in product((True, False), (True, False)):
                    judged = Judged(program, zero, safe, complete, all_moments, rng)
                    for kind in judged.reasons.judges if judged.moments else ():
                        accepted[kind] += self.tried(judged, kind, file, zero)
        print(f"seed {SEED}: {done} of programs 1 to {number}, {moments} moments")
        for kind, count in sorted(accepted.items()):
            print(f"  {kind:<20}{count:9}")
        self.assertEqual(set(accepted), set(ReasonsOfShared.judges_of_executions))
        self.assertGreater(min(accepted.values()), 0)

    def tried(self, judged, kind, file, zero):
        accepted = {judged.shortest(kind) for _ in range(TRIES)} - {None}
        for literals, reason in accepted:
            if not judged.is_so(literals, reason):
                self.fail(f"{[(l > 0, judged.meaning[abs(l)]) for l in literals]} {reason} zero: {zero}, safe: {judged.safe}, "
                          f"complete: {judged.complete} " + "\n".join(printing.printed(file)))
        return len(accepted)


if __name__ == "__main__":
    unittest.main()
