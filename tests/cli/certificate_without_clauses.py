#!/usr/bin/env python3
"""Certificates by counting and by invariants: what the checker proves by itself, and what it refuses."""

import hashlib
import json
import os
import random
import unittest
from pathlib import Path

import jsonschema

from checker import check as checked  # it finds certificate_checker, too
from certificate_checker import Refused, language
from certificate_checker.counting import Counting
from certificate_checker.program import Program
from extreme_numbers import Programs
from support import FAILURE, HOLDS, InFolder, run

ROOT = Path(__file__).resolve().parents[2]
ABOUT = jsonschema.Draft202012Validator(json.loads((ROOT / "docs/schema/certificate.schema.json").read_text()))
RANDOM = int(os.environ.get("MATCHPOINT_CERTIFICATES", "150"))
LOCKED = "[{0}a (when (> l 0) (l := (- l 1)))] {1} [{0}z (l := (+ l 1))]"


def counts(text):
    """Whether the checker proves by counting that no execution fails."""
    try:
        Counting(Program(language.read(text.encode() if isinstance(text, str) else text))).check()
        return True
    except Refused:
        return False


class ByCounting(InFolder):
    def test_what_is_proved(self):
        twice = " ".join(f"({LOCKED.format(t, f'[{t}b (t{t} := x)] [{t}c (x := (+ t{t} 1))]')} [{t}d (n := (+ n 1))])" for t in "pq")
        join = "[j (when (= n 2))]"
        for shared, threads, is_proved in (
                # what each write adds, and who comes first
                ("[x 0]", "([a (x := (+ x 1))]) ([b (x := (+ x 2))]) ([c (assert (<= x 3))])", True),
                ("[x 0]", "([a (x := (+ x 1))]) ([b (x := (+ x 2))]) ([c (assert (<= x 2))])", False),
                ("[x 0]", "([a (x := (+ x 1))]) ([b (x := (* x 2))]) ([c (assert (<= x 3))])", False),
                ("[x 0]", "([a (x := 1)] [b (x := 5)]) ([c (assert (<= x 5))] [d (assert (!= x 2))])", False),
                ("[x 0]", "([a (x := 1)] [b (x := 5)]) ([c (assert (and (>= x 0) (<= x 5)))])", True),
                ("[x 0]", "([a (x := 1)]) ([b (x := 5)]) ([c (assert (<= x 5))])", False),  # two threads write constants
                ("[x 0]", "([a (t := x)] [b (x := (+ t 1))]) ([c (assert (<= x 1))])", True),
                ("[x 0]", "([a (t := x)] [b (x := (+ t 1))]) ([c (x := (+ x 1))] [d (assert (<= x 2))])", False),
                ("[x 0] [y 0]", "([a (t := y)] [b (x := (+ t 1))]) ([c (assert (<= x 1))])", False),
                # locals
                ("[x 1]", "([a (t := x)] [b (u := (+ t 1))] [c (assert (= u 2))])", True),
                ("[x 1]", "([a (t := x)] [b (u := (+ t 1))] [c (assert (= u 2))]) ([d (x := (+ x 1))])", False),
                ("[x 0]", "([a (t := x)] [b (assert (<= t x))]) ([c (x := (+ x 1))])", False),  # two moments
                # regions and joins
                ("[x 0] [l 1] [n 0]", f"{twice} ({join} [k (assert (= x 2))])", True),
                ("[x 0] [l 1] [n 0]", f"{twice} ([k (assert (= x 2))])", False),
                ("[x 0] [l 2] [n 0]", f"{twice} ({join} [k (assert (= x 2))])", False),  # both enter
                ("[x 0] [l 1] [n 0]", f"{twice} ({join.replace('2', '1')} [k (assert (= x 2))])", False),
                ("[x 0] [l 1] [n 0]", f"{twice.replace('(> l 0)', '(> l -1)')} ({join} [k (assert (= x 2))])", False),
                ("[x 0] [l 1] [n 0]", f"{twice.replace('(> l 0)', '(>= l 1)')} ({join} [k (assert (= x 2))])", True),
                ("[x 0] [l 1] [n 0]", f"{twice.replace('(> l 0)', '(< 0 l)')} ({join} [k (assert (= x 2))])", True),
                ("[x 0] [l 1] [n 0]", f"{twice.replace('(> l 0)', '(or (> l 0) (> n 0))')} ({join} [k (assert (= x 2))])", False),
                ("[x 0] [l 1] [n 0]", f"{twice.replace('when', 'assume', 1)} ({join} [k (assert (= x 2))])", True),
                # what semaphores leave: never negative
                ("[s 1]", "([a (when (> s 0) (s := (- s 1)))]) ([b (when (> s 0) (s := (- s 1)))]) ([c (assert (>= s 0))])", True),
                ("[s 1]", "([a (s := (- s 1))]) ([b (when (> s 0) (s := (- s 1)))]) ([c (assert (>= s 0))])", False),
                ("[s 2]", "([a (when (> s 0) (s := (- s 2)))]) ([c (assert (>= s 0))])", True),  # of one thread
                ("[s 2]", "([a (when (> s 0) (s := (- s 2)))]) ([b (when (> s 0) (s := (- s 2)))]) ([c (assert (>= s 0))])", False),
                ("[s 2]", "([a (when (> s 1) (s := (- s 2)))]) ([b (when (> s 1) (s := (- s 2)))]) ([c (assert (>= s 0))])", True),
                ("[s -1]", "([a (when (> s 0) (s := (- s 1)))]) ([b (s := (+ s 1))]) ([c (assert (>= s 0))])", False),
                # flags, booleans, messages
                ("[go false]", "([a (go := true)]) ([b (when go)] [c (assert go)])", True),
                ("[go false]", "([a (go := true)] [d (go := false)]) ([b (when go)] [c (assert go)])", False),
                ("[x 0]", "([r (rcvi R 0 x)] [w (wait R)] [c (assert (= x 0))]) ([s (sndi S 1 0 0)])", False),
                ("[x 0]", "([r (rcvi R 0 y)] [w (wait R)] [c (assert (= x 0))]) ([s (sndi S 1 0 5)])", True),
                ("[x 0]", "([c (assert (=> (= x 1) (= x 2)))])", True),
                ("[x 0]", "([c (assert (or (= x 1) (not (= x 2))))])", True)):
            with self.subTest(shared=shared, threads=threads):
                text = f"(shared {shared}) ({threads})"
                self.assertEqual(counts(text), is_proved)
                if not is_proved:
                    continue
                self.assertNotEqual(run("check", "-", "--engine", "explore", stdin=text.encode()).code, FAILURE)

    def test_random_programs(self):
        """It proves what `check` decides by counting, and nothing of a program that fails."""
        proved = violated = 0
        for number in range(1, RANDOM + 1):
            text = run("gen", "random", str(number), "3", "3", "--shared", ("50", "80", "100")[number % 3]).out
            found = json.loads(run("check", "-", "--format", "json", stdin=text).text)["results"][0]
            with self.subTest(number=number):
                if found["engine"] == "counting":
                    self.assertTrue(counts(text), text)
                    proved += 1
                elif found["verdict"] == "violated":
                    self.assertFalse(counts(text), text)
                    violated += 1
        self.assertGreater(min(proved, violated), RANDOM // 50)

    def test_long_numbers(self):
        """Sums and differences beyond 64 bits: a comparison of integers that is not known is not one of Booleans."""
        n = 1 << 64
        for condition, is_proved in (
                (f"(= (+ y {n - 1}) {2 - n})", False), (f"(!= (+ y {n - 1}) {2 - n})", False), (f"(<= (+ y {n - 1}) {3 - n})", True),
                (f"(not (= (- 0 {n - 1}) (+ y {n - 1})))", True), (f"(= (* {n} y) (- (* y {n}) {n}))", False),
                (f"(= (= y {n}) (!= {n - 1} (+ y {n - 1})))", False), (f"(=> (= y {-n}) (= (* y {-n}) {n * n}))", True),
                (f"(xor (= y {3 - 2 * n}) (= (+ y {n}) (- {3 - n} 0)))", False), (f"(< (* y {n * n}) (* {n} (+ y {n * n})))", True)):
            with self.subTest(condition=condition):
                text = f"(shared [y {3 - 2 * n}]) (([a (assert {condition})]) ([b (y := (+ y 1))]))"
                self.assertEqual(counts(text), is_proved)
        for text, is_proved in (
                # A semaphore makes a long sum no other case, and no traceback; squares of squares are no sum.
                (f"(shared [x 0]) (([a (assert (!= (- x {n - 1}) {n - 1}))]))", True),
                (f"(shared [x 0] [s 0]) (([a (assert (!= (* s {n - 1}) 1))]) ([b (when (> s 0) (s := (- s 1)))]) ([c (s := (+ s 1))]))", False),
                (f"(shared [x {-n}] [f true]) (([a (assert (=> f (< x {n})))]) ([b (x := (- x {n}))]))", True),
                ("(shared [x 3]) (([a (t := 3)] " + " ".join(f"[a{i} (t := (* t t))]" for i in range(60)) + " [c (assert (= x t))]))", False)):
            with self.subTest(text=text):
                self.assertEqual(counts(text), is_proved)

    def test_extreme_numbers(self):
        """Numbers about powers of two of 40 to 65 bits, for `check`, each engine that needs no process, and the checker."""
        programs = Programs(random.Random(int(os.environ.get("MATCHPOINT_SEED", "1"))))
        texts = {self.folder / f"{i}.ctp": programs.next(with_messages=i % 3 == 0) for i in range(RANDOM)}
        for path, text in texts.items():
            path.write_text(text)

        def verdicts(*options):
            found = json.loads(run("check", *texts, "--format", "json", *options).text)["results"]
            return {Path(result["file"]): result["verdict"] for result in found}
        by_machine, proved = verdicts("--engine", "explore"), 0
        self.assertGreaterEqual(set(by_machine.values()), {"safe", "violated"})
        for options in ([], ["--limit", "1"], ["--engine", "sat"]):
            for path, verdict in verdicts(*options).items():
                with self.subTest(options=options, text=texts[path]):
                    self.assertIn(verdict, (by_machine[path], "unknown"))
        for path, text in texts.items():
            with self.subTest(text=text):
                is_proved = counts(text)
                self.assertFalse(is_proved and by_machine[path] == "violated")
                proved += is_proved
        self.assertGreater(proved, RANDOM // 20)

    def test_families(self):
        for arguments in ("banking 4 2 --safe", "counter 3 2 --safe", "indexer 13 --safe", "bounded-buffer 2 2 2 --safe"):
            self.assertTrue(counts(run("gen", *arguments.split()).out), arguments)

    def test_certificate(self):
        """The certificate of a program that has too many clauses."""
        path, folder = self.folder / "banking.ctp", self.folder / "certificate"
        path.write_bytes(run("gen", "banking", "20", "3", "--safe").out)
        result = run("check", path, "--certificate", folder)
        self.assertEqual((result.code, result.error_text), (HOLDS, ""))
        about = json.loads((folder / "certificate.json").read_text())
        ABOUT.validate(about)
        self.assertEqual(about["kind"], "counting")
        self.assertEqual(checked(folder), (0, f"{folder}: good: safe (infinite buffering, executions): counting proves that no assertion "
                                              f"fails; so {about['proves']}; program.ctp has SHA-256 {about['program_sha256']}\n"))
        self.assertEqual(about["proves"], "no execution on this path fails, and one completes; assertions of the program: 1")
        self.assertEqual(run("run", folder / "witness.ctp", "--trace", "1").code, HOLDS)
        # One thread does not take the lock.
        program, witness = ((folder / name).read_text() for name in ("program.ctp", "witness.ctp"))
        for change in (lambda text: text.replace("(when (> lock 0) (lock := (- lock 1)))", "(assume true)", 1),
                       lambda text: text.replace("[lock 1]", "[lock 2]")):
            for name in ("program.ctp", "witness.ctp"):
                (folder / name).write_text(change((folder / name).read_text()))
            about["program_sha256"] = hashlib.sha256((folder / "program.ctp").read_bytes()).hexdigest()
            (folder / "certificate.json").write_text(json.dumps(about))
            code, text = checked(folder)
            self.assertEqual((code, "counting does not prove that the assertion at" in text), (1, True), text)
            for name in ("program.ctp", "witness.ctp"):
                (folder / name).write_text(program if name == "program.ctp" else witness)
        self.assertIn("is another program", checked(folder)[1])

    def test_beside_selectors(self):
        """Such a program has no clauses."""
        path = self.write("(shared [x 0]) (([a (rcvi R 0 y (from 1))] [b (wait R)] [c (assert (= x 0))]) ([d (sndi S 1 0 x)]))\n")
        result = run("check", path, "--certificate", self.folder / "certificate")
        self.assertEqual((result.code, result.error_text), (HOLDS, ""))
        self.assertIn("counting proves", checked(self.folder / "certificate")[1])

    def test_it_is_safe_or_nothing(self):
        folder = self.folder / "certificate"
        path = self.write("(shared [x 0]) (([a (rcvi R 0 y (from 1))] [b (wait R)] [c (assert (= x 0))]) ([d (sndi S 1 0 x)]))\n")
        run("check", path, "--certificate", folder)
        about = json.loads((folder / "certificate.json").read_text())
        (folder / "certificate.json").write_text(json.dumps({**about, "verdict": "vacuous"}))
        self.assertIn("refused: it is about the verdict safe", checked(folder)[1])
        (folder / "certificate.json").write_text(json.dumps({**about, "clauses": 3}))
        self.assertEqual(checked(folder)[0], 2)
        (folder / "certificate.json").write_text(json.dumps(about))
        (folder / "witness.ctp").unlink()
        self.assertIn("without which it would be vacuous", checked(folder)[1])


class ByInvariants(InFolder):
    def test_certificate(self):
        path, folder = self.folder / "interest.ctp", self.folder / "certificate"
        path.write_bytes(run("gen", "interest", "12", "--safe").out)
        result = run("check", path, "--certificate", folder)
        self.assertEqual((result.code, result.error_text), (HOLDS, ""), result.text)
        about = json.loads((folder / "certificate.json").read_text())
        ABOUT.validate(about)
        self.assertEqual(about["kind"], "invariants")
        code, text = checked(folder)
        self.assertEqual(code, 0, text)
        self.assertIn("good: safe (infinite buffering, executions): no assertion fails, by ", text)
        # What is asserted there holds at first.
        self.assertEqual(run("lint", folder / "invariants.ctp").code, HOLDS)
        self.attack(folder)

    def attack(self, folder):
        good = (folder / "invariants.ctp").read_text()
        shared = "(shared [balance 1000] [paid 0])"
        self.assertTrue(good.startswith(shared), good)
        asserted = "(>= balance (+ 1000 (* 10 paid)))"

        def said(conditions, head=shared):
            body = " ".join(f"[i{i} (assert {condition})]" for i, condition in enumerate(conditions))
            (folder / "invariants.ctp").write_text(f"{head} (({body}))")
            return checked(folder)

        enough = [asserted, "(>= paid 0)"]
        self.assertEqual(said(enough)[0], 0)
        self.assertEqual(said(enough, "(shared [paid 0] [balance 1000])")[0], 0)
        for conditions, head, saying in (
                ([], shared, "breaks an invariant, or an assertion there does not follow"),
                ([asserted], shared, "breaks an invariant"),  # the interest of a negative balance is negative
                ([*enough, "(= paid 0)"], shared, "breaks an invariant"),
                ([*enough, "(<= balance 1010)"], shared, "breaks an invariant"),
                ([*enough, "false"], shared, "the initial values do not have an invariant"),
                ([*enough, "(> paid 0)"], shared, "the initial values do not have an invariant"),
                ([*enough, "(> balance (div 1 paid))"], shared, "the initial values do not have an invariant"),
                (enough, "(shared [balance 1001] [paid 0])", "that the program does not begin with: balance"),
                (enough, "(shared [balance 1000] [paid 0] [other 0])", "that the program does not begin with: other"),
                (["(>= paid 0)"], "(shared [paid 0])", "breaks an invariant, or an assertion there does not follow")):
            with self.subTest(conditions=conditions, head=head):
                code, text = said(conditions, head)
                self.assertEqual((code, saying in text), (1, True), text)
        for text in (f"{shared} (([a (assert {asserted})]) ([b (assert (>= paid 0))]))", f"{shared} (([a (balance := 1000)]))"):
            (folder / "invariants.ctp").write_text(text)
            self.assertIn("refused: invariants.ctp is not one thread of assertions", checked(folder)[1])
        (folder / "invariants.ctp").write_text(f"{shared} (([a (assert (+ paid 1))]))")
        self.assertEqual(checked(folder)[0], 1)
        (folder / "invariants.ctp").write_text(f"{shared} (([a (assert")
        self.assertEqual(checked(folder)[0], 2)
        # The lock is what makes a block of each thread.
        (folder / "invariants.ctp").write_text(good)
        for name in ("program.ctp", "witness.ctp"):
            text = (folder / name).read_text()
            (folder / name).write_text(text.replace("(when (> lock 0) (lock := (- lock 1)))", "(assume true)", 1))
        about = json.loads((folder / "certificate.json").read_text())
        about["program_sha256"] = hashlib.sha256((folder / "program.ctp").read_bytes()).hexdigest()
        (folder / "certificate.json").write_text(json.dumps(about))
        code, text = checked(folder)
        self.assertEqual((code, "breaks an invariant" in text), (1, True), text)
        # Without a solver nothing is said.
        before = os.environ["PATH"]
        try:
            os.environ["PATH"] = str(self.folder)
            code, text = checked(folder)
        finally:
            os.environ["PATH"] = before
        self.assertEqual((code, "it takes z3 or cvc5 to check it" in text), (2, True), text)


if __name__ == "__main__":
    unittest.main()
