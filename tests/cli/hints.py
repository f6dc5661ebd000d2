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

    def of(self, command):
        """What is said of a command."""
        return run("lint", self.write(program([("00", "(x := 1)"), ("01", command)]))).text

    def test_statements_of_other_languages(self):
        for statement in ("(if (= x 1))", "(if x)", "(while x)", "(print x)", "(skip)", "(for i 0 3)"):
            with self.subTest(statement=statement):
                name = statement[1:].split()[0].rstrip(")")
                self.assertIn(f"= hint: there is no `{name}`: ", self.of(statement))
        self.assertIn("a program is one path; the branch taken is an `assume`", self.of("(if x)"))
        for theirs, ours in (("MPI_Wait", "wait"), ("MPI_Irecv", "rcvi"), ("mcapi_msg_send_i", "sndi")):
            self.assertIn(f"= hint: did you mean `{ours}`? ", self.of(f"({theirs} R)"))

    def test_assignments_of_other_languages(self):
        for theirs, ours in (("(x++)", "(x := (+ x 1))"), ("(x --)", "(x := (- x 1))"), ("(x += 2)", "(x := (+ x 2))"),
                             ("(x %= 2)", "(x := (mod x 2))")):
            with self.subTest(theirs=theirs):
                self.assertIn(f"= hint: an assignment is written `{ours}`\n", self.of(theirs))
                self.assertEqual(self.of(ours), "")

    def test_expressions_as_names(self):
        for theirs, ours in (("x=1", "(= x 1)"), ("!x", "(not x)"), ("-x", "(- 0 x)"), ("x+1", "(+ x 1)"), ("x-1", "(- x 1)"),
                             ("0x10", "16"), ("1_000", "1000"), ("x==1", "(= x 1)")):
            with self.subTest(theirs=theirs):
                self.assertIn(f"= hint: `{theirs}` is read as a name; write `{ours}`\n", self.of(f"(y := {theirs})"))

    def test_comments_of_other_languages(self):
        for sign in ("//", "#", "/*", "--"):
            for comment in (f"{sign} first", f"{sign}first"):
                for text in (f"( ( [00 (x := 1)] {comment}\n bot ) )", f"{comment}\n( ( [00 (x := 1)] bot ) )",
                             f"( {comment}\n( [00 (x := 1)] bot ) )", f"( ( [00 (x := 1) {comment}\n ] bot ) )",
                             f"( ( [00 (x := 1)] bot ) )\n{comment}\n( (00 bot) )"):
                    with self.subTest(text=text):
                        said = run("lint", self.write(text)).text
                        self.assertEqual(said.count("error["), 1, said)
                        self.assertIn("= hint: a comment begins with `;`\n", said)

    def test_look_alikes(self):
        for character, name in (("\u00a0", "a no-break space (U+00A0)"), ("\u2013", "an en dash (U+2013)"),
                                ("\u200b", "a zero-width space (U+200B)")):
            with self.subTest(name=name):
                self.assertIn(f"= hint: there is {name} in it: write ", self.of(f"(x :={character}1)"))
                self.assertIn(f"= hint: there is {name} in it: write ", self.of(f"(x := {character}1)"))

    def test_encodings(self):
        self.assertIn("= hint: this looks like UTF-16: save the file as UTF-8\n", self.said_of("( )".encode("utf-16")))
        self.assertIn("= hint: save the file as UTF-8\n", self.said_of("; é\n( )".encode("latin-1")))

    def said_of(self, data):
        path = self.folder / "encoded.ctp"
        path.write_bytes(data)
        return run("lint", path).text

    def test_punctuation(self):
        for name in ("R,", "R:"):
            said = run("lint", self.write(f"( ( [1 (rcvi {name} 0 x)] [2 (wait R)] bot ) )")).text
            self.assertIn(f"= hint: the name `{name}` has a ", said)
            self.assertNotIn("did you mean", said)

    def test_one_bracket_is_one_error(self):
        thread = "( [3 (sndi S 1 0 4)] [4 (wait S)] bot ) )"
        for text, said_so, opened in (
                (f"( ( [1 (rcvi R 0 x)] [2 (wait R) bot )\n {thread}", "expected `]` to close `[2`, found `bot`", "1:22"),
                (f"( ( [1 (rcvi R 0 x) [2 (wait R)] bot )\n {thread}", "expected `]` to close `[1`, found `[`", "1:5"),
                (f"( ( [1 (rcvi R 0 x)] [2 (wait R)]\n {thread}",
                 "a thread begins here, but the thread before it is not closed", "1:3")):
            with self.subTest(text=text):
                said = run("lint", self.write(text)).text
                self.assertEqual(said.count("error["), 1, said)
                self.assertIn(f": error[syntax]: {said_so}\n", said)
                self.assertIn(f":{opened}: note: opened here\n", said)
                self.assertNotIn("a location has one command", said)

    def test_what_decided_a_sort(self):
        said = run("lint", "tests/golden/wrong/sorts.ctp").text
        self.assertIn(":1:46: note: Bool because `x`, received at 1:18, is used as a Bool here\n", said)


if __name__ == "__main__":
    unittest.main()
