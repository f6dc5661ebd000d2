#!/usr/bin/env python3
"""Certificates of programs with shared variables that somebody has changed: a literal less, another value, another name, another
program. Whether a change matters is decided without the checker: by the moments of all executions (shared_moments.py), and by
minisat. Where it matters, the checker has to refuse. The certificates are made here (certificate_maker.py) and, where the binary
makes some, by Matchpoint.

MATCHPOINT_CERTIFICATES=10000 tries more, MATCHPOINT_SEED others."""

import copy
import hashlib
import itertools
import json
import os
import random
import re
import subprocess
import sys
import unittest
from collections import Counter, defaultdict
from pathlib import Path

from support import DEADLOCK, ERROR, HOLDS, INFEASIBLE, InFolder, run

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from certificate_checker import Refused, Unreadable, language, printing  # noqa: E402
from certificate_checker.folder import Certificate  # noqa: E402
from certificate_checker.program import Program  # noqa: E402
from certificate_maker import Maker  # noqa: E402
from certificate_shared import small_program  # noqa: E402
from shared_moments import Moments  # noqa: E402

CERTIFICATES = 3 if int(os.environ.get("MATCHPOINT_CERTIFICATES", "0")) < 10000 else 400
SEED = int(os.environ.get("MATCHPOINT_SEED", "1"))
CHANGES = 1 if CERTIFICATES < 10 else 5  # of each kind, of each certificate


# Safe or vacuous, and all of a program matters.
PROGRAMS = [
    # Two threads count under a lock, and one of them waits for the other.
    "(shared [x 0] [l 1] [d false]) ( ( [a1 (when (> l 0) (l := (- l 1)))] [a2 (u := x)] [a3 (x := (+ u 1))] [a4 (l := (+ l 1))]"
    " [a5 (when d)] [a6 (assert (= x 2))] ) ( [b1 (when (> l 0) (l := (- l 1)))] [b2 (v := x)] [b3 (x := (+ v 1))]"
    " [b4 (assume true (l := (+ l 1)) (d := true))] ) )",
    # A flag set after what it announces; a message with what was read; a guard that protects a division.
    "(shared [x 0] [y 1] [f false]) ( ( [a1 (x := 5)] [a2 (f := true)] [a3 (assume (> y 0) (z := (div x y)))] [a4 (assert (> z 0))] )"
    " ( [b1 (when f (u := x))] [b2 (sndi s 1 0 (+ u 1))] [b3 (y := 2)] ) ( [c1 (rcvi r 0 m)] [c2 (wait r)] [c3 (assert (= m 6))] ) )",
    # Received into a shared variable: the last of two receives counts.
    "(shared [x 1]) ( ( [a1 (rcvi r 0 x)] [a2 (rcvi q 0 x)] [a3 (wait q)] [a4 (assert (= x 3))] ) ( [b1 (sndi s 1 0 2)] [b2 (sndi t 1 0 (+ x 2))] )"
    " ( [c1 (assert (!= x 2))] ) )",
    # Atomic increments, of which none can be lost, and an assumption that nothing makes true.
    "(shared [x 0]) ( ( [a1 (x := (+ x 1))] [a2 (x := (+ x 1))] [a3 (assert (>= x 2))] ) ( [b1 (x := (+ x 1))] [b2 (assume (= x 4))] ) )",
    # With zero buffering, the wait for t comes after the read.
    "(shared [x 0]) ( ( [a1 (rcvi r 0 u)] [a2 (wait r)] [a3 (x := u)] [a4 (rcvi q 0 v)] [a5 (wait q)] [a6 (assert (= v 7))] )"
    " ( [b1 (sndi s 1 0 7)] [b2 (wait s)] [b3 (when (> x 0) (w := x))] [b4 (sndi t 1 0 w)] [b5 (wait t)] ) )"]


class Content:
    """What a certificate's folder says, in pieces that can be changed."""

    def __init__(self, folder):
        lines = (folder / "clauses.cnf").read_text().split("\n")[:-1]
        self.about = json.loads((folder / "certificate.json").read_text())
        self.text = (folder / "program.ctp").read_text()
        self.witness = (folder / "witness.ctp").read_text() if (folder / "witness.ctp").exists() else None
        self.meaning = {int(words[2]): words[3:] for words in (line.split(" ") for line in lines if line.startswith("c var "))}
        literals = [[int(l) for l in line.split(" ")[:-1]] for line in lines if line[0] not in "cp"]
        self.clauses = [[c, r.split(" ")] for c, r in zip(literals, (folder / "clauses.reasons").read_text().split("\n"))]
        self.proof = (folder / "clauses.drat").read_text().split("\n")[:-1]

    def write(self, folder):
        folder.mkdir(exist_ok=True)
        for name, content in {
                "certificate.json": json.dumps({**self.about, "clauses": len(self.clauses), "program_sha256": hashlib.sha256(self.text.encode()).hexdigest()}),
                "program.ctp": self.text, "clauses.cnf": "".join(line + "\n" for line in self.cnf()), "witness.ctp": self.witness,
                "clauses.reasons": "".join(" ".join(r) + "\n" for _, r in self.clauses), "clauses.drat": "".join(line + "\n" for line in self.proof)}.items():
            if content is not None:
                (folder / name).write_text(content)

    def cnf(self):
        yield from (f"c var {i} {' '.join(m)}" for i, m in self.meaning.items())
        yield f"p cnf {len(self.meaning)} {len(self.clauses)}"
        yield from (" ".join(map(str, [*c, 0])) for c, _ in self.clauses)


class Changes:
    """One function for each kind of change; False: there is nothing to change."""

    def __init__(self, content, rng):
        self.c, self.rng = content, rng

    def clause(self, *kinds):
        """One of some kinds of reasons, if there is one of these. Most clauses are cycles."""
        of_kinds = [c for c in self.c.clauses if c[0] and (c[1][0] in kinds if kinds else c[1][0] != "cycle" or self.rng.random() < 0.05)]
        return self.rng.choice(of_kinds or [c for c in self.c.clauses if c[0]])

    def a_literal_less(self):
        c = self.clause()[0]
        c.remove(self.rng.choice(c))

    def a_literal_less_about_values(self):
        self.a_literal_less_of("guard", "holds", "output", "payload", "delivery", "input", "divisor")

    def a_literal_less_about_reads(self):
        self.a_literal_less_of("reads", "between", "written", "reader")

    def a_literal_less_of(self, *kinds):
        c = self.clause(*kinds)[0]
        c.remove(self.rng.choice(c))

    def a_literal_the_other_way_round(self):
        c = self.clause()[0]
        i = self.rng.randrange(len(c))
        c[i] = -c[i]

    def another_variable(self):
        c = self.clause()[0]
        i = self.rng.randrange(len(c))
        c[i] = self.rng.choice((1, -1)) * self.rng.choice(list(self.c.meaning))

    def a_clause_less(self):
        self.c.clauses.remove(self.clause())

    def the_empty_clause(self):
        self.c.clauses.append([[], self.rng.choice(self.c.clauses)[1]])
        self.c.proof = ["0"]

    def a_unit_clause(self):
        self.c.clauses.append([[self.rng.choice((1, -1)) * self.rng.choice(list(self.c.meaning))], self.rng.choice(self.c.clauses)[1]])

    def another_reason(self):
        self.clause()[1] = list(self.clause()[1])

    def another_name_in_a_reason(self):
        c = self.clause()
        if len(c[1]) == 1:
            return False
        c[1] = [*c[1]]
        c[1][self.rng.randrange(1, len(c[1]))] = self.rng.choice(self.rng.choice(self.c.clauses)[1])

    def another_value(self):
        valued = [m for m in self.c.meaning.values() if m[0] in ("in", "out", "payload")]
        if not valued:
            return False
        m = self.rng.choice(valued)
        m[-1] = {"true": "false", "false": "true"}.get(m[-1]) or str(int(m[-1]) + self.rng.choice((1, -1)))

    def another_name(self):
        m, other = self.rng.choice(list(self.c.meaning.values())), self.rng.choice(list(self.c.meaning.values()))
        if len(m) == 1 or len(other) == 1:
            return False
        m[self.rng.randrange(1, len(m))] = other[self.rng.randrange(1, len(other))]

    def two_variables_exchanged(self):
        i, k = self.rng.choice(list(self.c.meaning)), self.rng.choice(list(self.c.meaning))
        self.c.meaning[i], self.c.meaning[k] = self.c.meaning[k], self.c.meaning[i]

    def a_step_of_the_proof_less(self):
        if not self.c.proof:
            return False
        self.c.proof.pop(self.rng.randrange(len(self.c.proof)))

    def the_last_step_less(self):
        if not self.c.proof:
            return False
        self.c.proof.pop()

    def another_verdict(self):
        self.c.about["verdict"] = "vacuous" if self.c.about["verdict"] == "safe" else "safe"
        self.c.witness = self.c.witness or self.c.text

    def another_buffering(self):
        self.c.about["buffering"] = "zero" if self.c.about["buffering"] == "infinite" else "infinite"

    def other_runs(self):
        self.c.about["runs"] = "complete" if self.c.about["runs"] == "executions" else "executions"

    def program(self, pattern, with_what):
        """Another program, with the same trace."""
        places = list(re.finditer(pattern, self.c.text))
        if not places:
            return False
        m = self.rng.choice(places)
        changed = self.c.text[:m.start()] + with_what(m) + self.c.text[m.end():]
        if self.c.witness is not None:
            assert self.c.witness.startswith(self.c.text) or self.c.about["kind"] == "clauses"
            self.c.witness = changed + self.c.witness[len(self.c.text):] if self.c.witness.startswith(self.c.text) else self.c.witness
        self.c.text = changed

    def another_initial_value(self):
        def other(m):
            return f"[{m[1]} " + ({"true": "false", "false": "true"}.get(m[2]) or str(int(m[2]) + self.rng.choice((1, -1)))) + "]"
        return self.program(r"(?<=[\s(\]])\[(\w+) (-?\d+|true|false)\]", other)

    def another_number(self):
        return self.program(r"(?<= )\d+(?=\))", lambda m: str(self.rng.randrange(4)))

    def another_operator(self):
        return self.program(r"\((=|!=|>|<=|and|or) ", lambda m: "(" + self.rng.choice({"and": ["or"], "or": ["and"]}.get(m[1], ["=", "!=", ">", "<="])) + " ")

    def a_when_in_place_of_an_assumption(self):
        return self.program(r"\((assume|when)(?= )", lambda m: "(when" if m[1] == "assume" else "(assume")

    def no_guard(self):
        return self.program(r"\((?:assume|when) \(.*?\)(?= \((\w+) :=)", lambda m: "(assume true")

    def another_shared_variable(self):
        return self.program(r"\b[xy]\b", lambda m: "y" if m[0] == "x" else "x")


    def an_assignment_less(self):
        return self.program(r" \(\w+ := (?:\w+|\([^()]*\))\)(?=\)|\()", lambda m: "")


# Nobody fails then who did not before; and the empty clause may follow from the steps before it, which the checker
# notices.
MAY_ALL_BE_GOOD = {"a_when_in_place_of_an_assumption", "the_last_step_less"}
KINDS = [name for name in vars(Changes) if not name.startswith("_") and name not in ("clause", "program", "a_literal_less_of")]


class Truth:
    """What is so, without the checker."""

    def __init__(self):
        self.known = {}
        self.when_so = {}  # moments, which runs -> When

    def moments(self, text, zero):
        """None if it is not a program that keeps the rules, or has too many executions."""
        if (text, zero) not in self.known:
            try:
                file = language.read(text.encode())
                Program(file)
                moments = Moments(file, zero)
            except (Refused, language.NotAProgram):
                moments = None
            self.known[text, zero] = moments if moments and moments.is_complete() else None
        return self.known[text, zero]

    def matters(self, content):
        """Why the certificate has to be refused; "" if nothing is known that is wrong with it."""
        safe, complete = content.about["verdict"] == "safe", content.about["runs"] == "complete"
        if by_minisat(content) != "UNSATISFIABLE":
            return "satisfiable"
        moments = self.moments(content.text, content.about["buffering"] == "zero")
        if moments is None:
            return ""
        if moments.verdict(complete) != content.about["verdict"]:
            return "verdict"
        if (moments, complete) not in self.when_so:
            self.when_so[moments, complete] = When(m for m in moments.sets if not complete or ("complete",) in m)
        when = self.when_so[moments, complete]
        if not all(kind == "some" or when.is_always(content, literals) for literals, (kind, *_) in content.clauses):
            return "clause"
        return "" if not moments.found(safe, complete) else "run"


class When:
    """For each meaning, the moments at which it is so, as the bits of a number: a clause is looked at at all moments at once."""

    def __init__(self, moments):
        self.all, self.at = 0, defaultdict(int)
        for number, moment in enumerate(moments):
            self.all |= 1 << number
            for meaning in moment:
                self.at[meaning] |= 1 << number

    def is_always(self, content, literals):
        found = 0
        for l in literals:
            at = self.at.get(tuple(content.meaning[abs(l)]), 0)
            found |= at if l > 0 else self.all ^ at
        return found == self.all


def by_minisat(content):
    result = subprocess.run(["minisat", "-verb=0", "/dev/stdin"], input="".join(line + "\n" for line in content.cnf()), capture_output=True, text=True, timeout=600)
    return result.stdout.split()[-1]


def refusal(folder):
    """What the checker finds wrong with a certificate; None if it is good."""
    try:
        Certificate(folder).check()
        return None
    except (Refused, Unreadable) as e:
        return str(e)


class Attacks(InFolder):
    def setUp(self):
        super().setUp()
        self.rng, self.truth, self.number = random.Random(SEED), Truth(), 0
        self.refused, self.accepted, self.why = Counter(), Counter(), Counter()

    def attack(self, folder):
        """A good certificate, and all kinds of changes of it."""
        self.assertIsNone(refusal(folder))
        good = Content(folder)
        self.assertEqual(self.truth.matters(good), "")
        for kind in KINDS:
            for _ in range(CHANGES):
                content = copy.deepcopy(good)
                if getattr(Changes(content, self.rng), kind)() is False:
                    continue
                self.number += 1
                other = self.folder / f"changed{self.number}"
                content.write(other)
                self.judge(kind, content, other)

    def judge(self, kind, content, folder):
        said = refusal(folder)
        matters = self.truth.matters(content)
        with self.subTest(kind=kind, matters=matters, said=said, folder=folder):
            if matters:
                self.assertIsNotNone(said)
        self.why[matters] += 1
        (self.accepted if said is None else self.refused)[kind] += 1

    def report(self):
        print(f"seed {SEED}: {self.number} changed certificates; they matter: {dict(self.why)}")
        for kind in KINDS:
            print(f"  {kind:<40}refused {self.refused[kind]:5}   good {self.accepted[kind]:5}")

    def made(self, file, zero, complete):
        """The folder of a certificate that is made here; None if there is none."""
        text = "\n".join(printing.printed(file)) + "\n"
        moments = self.truth.moments(text, zero)
        if moments is None or moments.verdict(complete) == "violated":
            return None
        safe = moments.verdict(complete) == "safe"
        maker = Maker(Program(file), zero, safe, complete)
        self.assertTrue(maker.is_proved(), text)
        folder = self.folder / f"made{self.number}"
        trace = safe and "(" + " ".join("({} ({} bot))".format(rho, " ".join("({} {})".format(*m) for m in moved)) for rho, moved in moments.success) + ")\n"
        maker.write(folder, text, trace)
        return folder

    def test_made_here(self):
        for text, (zero, complete) in itertools.product(PROGRAMS, ((False, False), (True, True))):
            folder = self.made(language.read(text.encode()), zero, complete)
            self.assertIsNotNone(folder, text)
            self.attack(folder)
        made = 0
        while made < CERTIFICATES:
            folder = self.made(small_program(self.rng)[0], self.rng.random() < 0.5, self.rng.random() < 0.5)
            if folder is not None:
                made += 1
                self.attack(folder)
        self.report()
        for kind in {*KINDS} - MAY_ALL_BE_GOOD:
            self.assertGreater(self.refused[kind], 0, kind)
        for why in ("satisfiable", "verdict", "clause"):
            self.assertGreater(self.why[why], 0, why)

    def test_those_of_matchpoint(self):
        """Of programs made here, and of small ones of traces/."""
        programs = ["\n".join(printing.printed(small_program(self.rng)[0])) + "\n" for _ in range(3 * CERTIFICATES)]
        programs += [path.read_text() for path in sorted(ROOT.glob("traces/shared_memory/*.ctp")) if path.stat().st_size < 900]
        attacked = 0
        for i, text in enumerate(programs):
            buffering, runs = self.rng.choice(("infinite", "zero")), self.rng.choice(("executions", "complete"))
            folder = self.folder / f"certificate{i}"
            result = run("check", self.write(text), "--buffering", buffering, "--runs", runs, "--certificate", folder)
            if result.code in (HOLDS, DEADLOCK, ERROR, INFEASIBLE):
                self.assertTrue(folder.exists(), result.error_text)
                attacked += 1
                self.attack(folder)
        self.report()
        self.assertGreater(attacked, CERTIFICATES // 2)


if __name__ == "__main__":
    unittest.main()
