#!/usr/bin/env python3
"""How to mend what is wrong: hints are there, and are right."""

import itertools
import re
import unittest
from pathlib import Path

from support import BAD_INPUT, FAILURE, HOLDS, InFolder, program, run

WRONG = sorted(Path("tests/golden/wrong").glob("*.ctp"))


class Hints(InFolder):
    def test_each_wrong_program_has_one(self):
        self.assertGreater(len(WRONG), 25)
        for path in WRONG:
            with self.subTest(path=path):
                if path.stem == "no_trace":
                    continue
                result = run("lint", "--strict", path)
                self.assertEqual(result.code, BAD_INPUT)
                for told in re.split(r"^(?=\S+: error\[)", result.text, flags=re.MULTILINE)[1:]:
                    self.assertRegex(told, r"= hint: |: note: ")

    def lint(self, condition):
        return run("lint", self.write(program([("00", "(a := 1)"), ("01", "(b := 2)"), ("02", f"(assert {condition})")]))).text

    def test_values_of_functions(self):
        """The expressions for the functions that the language does not have."""
        facts = {"max": "(and (and (>= {0} a) (>= {0} b)) (or (= {0} a) (= {0} b)))",
                 "min": "(and (and (<= {0} a) (<= {0} b)) (or (= {0} a) (= {0} b)))",
                 "abs": "(and (>= {0} 0) (or (= {0} a) (= {0} (- 0 a))))"}
        numbers = (-1000000007, -3, -2, -1, 0, 1, 2, 3, 10**30)
        for function, fact in facts.items():
            said = self.lint(f"(= ({function} a b) 2)")
            self.assertIn(f"the language has no `{function}`", said)
            expression = re.findall(r"`([^`]*)`", said.split("= hint: ")[1])[-1]
            self.assertTrue(expression.startswith("("), expression)
            commands = []
            for i, (a, b) in enumerate(itertools.product(numbers, numbers)):
                commands += [(f"a{i}", f"(a := {a})"), (f"b{i}", f"(b := {b})"), (f"d{i}", "(d := (- a b))"),
                             (f"m{i}", f"(m := {expression})"), (f"t{i}", f"(assert {fact.format('m')})")]
            trace = [rho for rho, _ in commands]
            result = run("run", self.write(program(commands, traces=[trace])))
            self.assertEqual(result.code, HOLDS, result.text)
            wrong = run("run", self.write(program([*commands, ("x", f"(assert (not {fact.format('m')}))")], traces=[[*trace, "x"]])))
            self.assertEqual(wrong.code, FAILURE)

    def test_rewritten_infix(self):
        """What the hint says can be written."""
        for wrong, right in (("(a < b)", "(< a b)"), ("a < b", "(< a b)"), ("< a b", "(< a b)"), ("(a != b)", "(!= a b)"),
                             ("(a == b)", "(= a b)"), ("(a <> b)", "(!= a b)"), ("a && b", "(and a b)")):
            with self.subTest(wrong=wrong):
                said = self.lint(wrong)
                self.assertIn(f"`{right}`", said.split("= hint: ")[1])

    def test_operators_of_other_languages(self):
        for theirs, ours in (("==", "="), ("<>", "!="), ("/=", "!="), ("&&", "and"), ("||", "or"), ("!", "not"), ("%", "mod"),
                             ("/", "div"), ("->", "=>"), ("implies", "=>"), ("^", "xor"), ("≤", "<="), ("¬", "not")):
            with self.subTest(theirs=theirs):
                operands = "a" if ours == "not" else "a b"
                self.assertIn(f"= hint: `{theirs}` is written `{ours}`: ", self.lint(f"({theirs} {operands})"))
        self.assertEqual(self.lint("(!= a b)"), "")

    def test_commands_of_other_languages(self):
        for theirs, ours in (("send", "sndi"), ("isend", "sndi"), ("snd", "sndi"), ("sendi", "sndi"), ("recv", "rcvi"),
                             ("receive", "rcvi"), ("irecv", "rcvi"), ("rcv", "rcvi"), ("asert", "assert"), ("assrt", "assert"),
                             ("asume", "assume"), ("wiat", "wait"), ("Wait", "wait")):
            with self.subTest(theirs=theirs):
                said = run("lint", self.write(program([("00", f"({theirs} a 0 1 2)")]))).text
                self.assertIn(f"= hint: did you mean `{ours}`? `{ours}` is written `({ours} ", said)


if __name__ == "__main__":
    unittest.main()
