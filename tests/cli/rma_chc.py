#!/usr/bin/env python3
"""`matchpoint rma chc`: its clauses are those of the reduced program. `rma prove --engine chc`: what z3 proves with them is true."""

import json
import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path

from support import BAD_INPUT, FAILURE, HOLDS, OUTPUT_FAILED, SOLVER_FAILED, UNKNOWN, InFolder, run

TRACES = Path("traces/rma")
SMALL = 1500  # bytes; larger programs take z3 long

COUNTER = """(rma (process 1 (shared (C 0)) bot)
  (process 2 (shared (X 0)) (local (n 0)) (while true (n := (+ n 1)) (store X n) (put C 1 X)) bot)
  (invariant (>= C 0)))"""
MANY = """(rma (process 1 (shared (Y 0)) bot)
  (process 2 (shared (X 0)) (local (n 0)) (while (< n 3) (n := (+ n 1)) (store X n) (put Y 1 X)) bot)
  (assert final (<= 0 Y)))"""
# The reduced program executes the put three times; the program does not, and is safe.
TWICE = """(rma
  (process 1 (shared (Y 0)) (local (a 0) (b 0) (c 0))
    (load a Y) (store Y 0) (load b Y) (store Y 0) (load c Y) (assert (not (and (= a 1) (= b 1) (= c 1)))))
  (process 2 (shared (X 1)) (local (n 0)) (while (< n 2) (n := (+ n 1)) (put Y 1 X))))"""
BOOLEANS = """(rma (process 1 (shared (Y false) (x!0 true)) bot)
  (process 2 (shared (x!1 true) (a!1 false)) (local (u false))
    (atomic (store a!1 true) (put Y 1 x!1) (flush 1)) [here (get a!1 x!0 1)] (flush 1) (load u a!1) (assert u) bot)
  (invariant (or (not (at 2 here)) Y)) (assert final (and Y a!1)))"""


def z3(text):
    return subprocess.run(["z3", "-in", "-T:20"], input=text, capture_output=True, text=True).stdout.split()


class Clauses(InFolder):
    def solve(self, program, *options):
        return run("rma", "prove", "--engine", "chc", program, *options)

    def test_the_printed_clauses(self):
        for name, answer in (("figure2_flushed", ["sat"]), ("figure2", ["unsat"])):
            self.assertEqual(z3(run("rma", "chc", TRACES / f"{name}.rma").text), answer)
        out = self.folder / "clauses.smt2"
        self.assertEqual(run("rma", "chc", TRACES / "figure2.rma", "-o", out).text, "")
        self.assertEqual(out.read_text(), run("rma", "chc", TRACES / "figure2.rma").text)

    def test_verified(self):
        for name in ("figure2_flushed", "store_buffering_flushed", "lost_update_atomic", "late_get_flushed"):
            result = self.solve(TRACES / f"{name}.rma")
            self.assertEqual(result.code, HOLDS, result.error_text)
            self.assertRegex(result.text, r": verified\n  Horn clauses: proved; [0-9]+ control states, [0-9]+ clauses\n$")

    def test_integers_without_end(self):
        program = self.write(COUNTER, "counter.rma")
        self.assertEqual(self.solve(program).code, HOLDS)
        self.assertEqual(run("rma", "check", "--timeout", "0.2", program).code, UNKNOWN)
        less = self.write(COUNTER.replace(">= C 0", "<= C 3"), "less.rma")
        result = self.solve(less)
        self.assertEqual(result.code, FAILURE, result.text)
        self.assertIn("(invariant (<= C 3)) does not hold\n", result.text)

    def test_a_bad_state_of_the_reduced_program_is_no_violation(self):
        result = self.solve(self.write(TWICE, "twice.rma"))
        self.assertEqual(result.code, UNKNOWN, result.text)
        self.assertIn(": unknown: a bad state of the reduced program is reachable\n", result.text)
        self.assertEqual(json.loads(self.solve(self.folder / "twice.rma", "--format", "json").text)["clauses"]["outcome"],
                         "a bad state of the reduced program is reachable")

    def test_nothing_that_is_violated_is_verified(self):
        asked = 0
        for path in sorted(TRACES.rglob("*.rma")):
            text = path.read_text()
            has_atomics = re.search("accumulate|fetch-and-op|compare-and", text)
            if "; check rma: violated" in text and len(text) < SMALL and not has_atomics:
                asked += 1
                result = self.solve(path)
                self.assertEqual(result.code, FAILURE, f"{path}: {result.text}{result.error_text}")
        self.assertGreater(asked, 12)

    def test_certificates(self):
        """Every clause is true with the formulas of the certificate."""
        flushed = (TRACES / "figure2_flushed.rma").read_text()
        for name, text in (("many", MANY), ("booleans", BOOLEANS), ("flushed", flushed)):
            program, folder = self.write(text, f"{name}.rma"), self.folder / name
            self.assertEqual(self.solve(program, "--certificate", folder).code, HOLDS, name)
            self.assertEqual((folder / "program.rma").read_text(), text)
            self.assertIn("scripts/check_rma_certificate . PROGRAM", (folder / "README").read_text())
            proof = (folder / "proof.smt").read_text()
            self.assertRegex(proof, r"^\(rma-proof\n")
            entries = re.findall(r"^  \(state (\(pc [^)]*\) \(active[^)]*\)) (.*)\)$", proof.removesuffix(")\n"), re.M)
            clauses = run("rma", "chc", program).text
            self.assertEqual(set(self.answers(clauses, dict(entries))), {"unsat"}, name)

    def answers(self, clauses, formulas):
        """For each clause, whether it can be false."""
        definitions, questions = "", []
        declaration = r"^; (.*):(.*)\n\(declare-fun (\S+) \((.*)\) Bool\)$"
        for state, names, relation, sorts in re.findall(declaration, clauses, re.M):
            parameters = " ".join(f"({x} {sort})" for x, sort in zip(names.split(), sorts.split(), strict=True))
            definitions += f"(define-fun {relation} ({parameters}) Bool {formulas.pop(state)})\n"
        self.assertEqual(formulas, {})
        for clause in re.findall(r"^\(assert (.*)\)$", clauses, re.M):
            questions.append(f"(push)(assert (not {clause}))(check-sat)(pop)\n")
        answers = z3(definitions + "".join(questions))
        self.assertEqual(len(answers), len(questions), answers)
        return answers

    def test_a_certificate_that_cannot_be_written(self):
        (self.folder / "full").mkdir()
        (self.folder / "full/file").write_text("")
        result = self.solve(TRACES / "figure2_flushed.rma", "--certificate", self.folder / "full")
        self.assertEqual((result.code, result.text), (OUTPUT_FAILED, ""))
        self.assertFalse((self.folder / "full/README").exists())

    def test_no_answer(self):
        result = self.solve(TRACES / "bakery.rma", "--timeout", "0.5")
        self.assertEqual(result.code, UNKNOWN, result.error_text)
        self.assertLess(result.seconds, 5)
        without = {"env": {**os.environ, "PATH": str(self.folder)}}
        program = TRACES / "figure2_flushed.rma"
        result = run("rma", "prove", "--engine", "chc", program, **without)
        self.assertEqual((result.code, result.text), (SOLVER_FAILED, ""))
        self.assertIn("cannot start z3", result.error_text)
        for script, says in (("exit 1", "z3 failed: exited with code 1"), ("echo sat; exit 0", "z3 failed: "),
                             ("read x; echo nonsense; exit", "z3 failed: ")):
            fake = self.folder / "z3"
            fake.write_text(f"#!/bin/sh\n{script}\n")
            fake.chmod(0o755)
            result = run("rma", "prove", "--engine", "chc", program, **without)
            self.assertEqual((result.code, result.text), (SOLVER_FAILED, ""), script)
            self.assertIn(says, result.error_text)

    def test_a_wrong_model(self):
        """z3 does not get to see that `false` follows; the check of its model does. A limit of time comes first."""
        fake = self.folder / "z3"
        environment = {"env": {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"}}
        for slow, options, says in ((":", (), "unknown: z3 says sat, but its model is wrong"),
                                    ("exec sleep 60", ("--timeout", "1"), "unknown: out of time")):
            fake.write_text(f"#!/bin/sh\ncase $* in *inline_eager*) {slow};; esac\n"
                            f"case $* in *slice*) sed -u 's/ false)))$/ true)))/' | {shutil.which('z3')} $*;; *) exec {shutil.which('z3')} $*;; esac\n")
            fake.chmod(0o755)
            result = run("rma", "prove", "--engine", "chc", self.write(TWICE, "twice.rma"), *options, **environment)
            self.assertEqual(result.code, UNKNOWN, result.text + result.error_text)
            self.assertIn(f": {says}\n", result.text)

    def test_wrong_arguments(self):
        for arguments, says in (((TRACES / "mcs_lock.rma",), "mcs_lock.rma:9:5: (fetch-and-op "),
                                ((TRACES / "figure2.rma", "--solve"), "there is no option `--solve`")):
            result = run("rma", "chc", *arguments)
            self.assertEqual((result.code, result.text), (BAD_INPUT, ""))
            self.assertIn(says, result.error_text)
        result = self.solve(TRACES / "mcs_lock.rma")
        self.assertEqual((result.code, result.text), (BAD_INPUT, ""))
        self.assertIn("mcs_lock.rma:9:5: (fetch-and-op ", result.error_text)
        for options in (("--predicates", self.write("", "predicates")), ("--literal", "R9")):
            result = self.solve(TRACES / "figure2.rma", *options)
            self.assertEqual((result.code, result.text), (BAD_INPUT, ""))
            self.assertIn("Horn clauses have no predicates", result.error_text)


if __name__ == "__main__":
    unittest.main()
