#!/usr/bin/env python3
"""How to mend what is wrong: hints are there, and are right."""

import itertools
import json
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

    def test_a_choice(self):
        said = self.lint("(= (if (< a b) a b) 1)")
        self.assertIn("a choice of values is `(ite c a b)`", said.split("= hint: ")[1])
        self.assertNotIn("error", self.lint("(= (ite (< a b) a b) 1)"))

    def test_rewritten_infix(self):
        """What the hint says can be written."""
        for wrong, right in (("(a < b)", "(< a b)"), ("a < b", "(< a b)"), ("< a b", "(< a b)"), ("(a != b)", "(!= a b)"),
                             ("(a == b)", "(= a b)"), ("(a <> b)", "(!= a b)"), ("a && b", "(and a b)")):
            with self.subTest(wrong=wrong):
                said = self.lint(wrong)
                self.assertIn(f"`(assert {right})`", said.split("= hint: ")[1])

    def test_rewritten_commands(self):
        """The prefix form of the whole command. It is accepted as it is shown."""
        for wrong, right in (("assert a = 4", "(assert (= a 4))"), ("(assert a > 3)", "(assert (> a 3))"),
                             ("(assert (a = 4))", "(assert (= a 4))"), ("(assert a + 1 = b)", "(assert (= (+ a 1) b))"),
                             ("(assert (a + 1) = b)", "(assert (= (+ a 1) b))"), ("(a == 4)", "(assert (= a 4))"),
                             ("a = 4", "(assert (= a 4))"), ("(a = 4)", "(a := 4)"), ("(a = b + 1)", "(a := (+ b 1))"),
                             ("(assume a = 4 && b < 3 || ! (a = b))", "(assume (or (and (= a 4) (< b 3)) (not (= a b))))"),
                             ("(assert not a = 4)", "(assert (not (= a 4)))"), ("(assert (not a = 4))", "(assert (not (= a 4)))"),
                             ("(assert a = 1 + 2 * b - 3)", "(assert (= a (- (+ 1 (* 2 b)) 3)))"),
                             ("(a > 3)", "(assert (> a 3))"), ("(a + 3)", "(x := (+ a 3))")):
            with self.subTest(wrong=wrong):
                def lint(command):
                    return run("lint", self.write(program([("00", "(a := 1)"), ("01", "(b := 2)"), ("02", command)])))
                said = lint(wrong)
                self.assertEqual(said.code, BAD_INPUT)
                self.assertIn(right, said.text.split("= hint: ")[1].splitlines()[0])
                self.assertEqual(lint(right).code, HOLDS)

    def test_rewritten_values(self):
        for wrong, right in (("(b := a - 1)", "(b := (- a 1))"), ("(b := a -1)", "(b := (- a 1))"), ("(b := - a 1)", "(b := (- a 1))"),
                             ("(b := (a + 1) * 2)", "(b := (* (+ a 1) 2))"), ("b := a + 1", "[01 (b := (+ a 1))]"),
                             ("b := (a + 1) * 2", "[01 (b := (* (+ a 1) 2))]"), ("b := a", "[01 (b := a)]"),
                             ("(when (> a 0) (b := b - 1))", "(b := (- b 1))"), ("(when (> a 0) (b := b -1))", "(b := (- b 1))"),
                             ("(b := (+ a -1) + 1)", "(b := (+ (+ a -1) 1))")):
            with self.subTest(wrong=wrong):
                self.assertIn(f"`{right}`", run("lint", self.write(program([("00", "(a := 1)"), ("01", wrong)]))).text.split("= hint: ")[1])

    def test_choice_as_a_command(self):
        """The assignment that it means, which is accepted; the form of one if it means none."""
        for wrong, right in (("(ite (= a 1) (b := 1) (b := 2))", "(b := (ite (= a 1) 1 2))"),
                             ("(ite (a == 1) (b := a + 1) (b := 2))", "(b := (ite (= a 1) (+ a 1) 2))"),
                             ("ite (= a 1) (b := 1) (b := 2)", "(b := (ite (= a 1) 1 2))"),
                             ("(ite (= a 1) (a := 3))", "(a := (ite (= a 1) 3 a))"),
                             ("(ite (= a 1) (b := 1) (c := 2))", None), ("(ite (= a 1) (assert (= a 1)))", None), ("(ite)", None)):
            with self.subTest(wrong=wrong):
                def lint(command):
                    return run("lint", self.write(program([("00", "(a := 1)"), ("01", command)])))
                said = f"= hint: `ite` is an expression, not a command: write `[01 {right or '(x := (ite e e e))'}]`\n"
                self.assertIn(said, lint(wrong).text)
                if right:
                    self.assertEqual(lint(right).code, HOLDS)

    def test_commands_alone(self):
        """A command is no file."""
        for text in ("a = 4", "a == 4;\n", "(assert a = 4)", "assert(a == 4);", "(assert (= a 4))"):
            with self.subTest(text=text):
                said = run("lint", self.write(text)).text
                self.assertIn("= hint: a command belongs in a thread, after its location: `( ( [00 (assert (= a 4))] bot ) )`\n", said)

    def test_infix_with_remote_memory(self):
        for wrong, right in (("(assert u = 4)", "(assert (= u 4))"), ("(assume (u > 3))", "(assume (> u 3))"),
                             ("(u = u + 1)", "(u := (+ u 1))")):
            with self.subTest(wrong=wrong):
                def lint(statement):
                    path = self.folder / "program.rma"
                    path.write_text(f"(rma (process 1 (local (u 0)) {statement} bot))\n")
                    return run("rma", "lint", path)
                self.assertIn(right, lint(wrong).text.split("= hint: ")[1].splitlines()[0])
                self.assertEqual(lint(right).code, HOLDS)

    def test_other_files(self):
        """What to do with a file of another kind, whichever command gets it."""
        cases = {"#include <mpi.h>\nint main(void) { return 0; }\n": "C or C++: compile it, and `matchpoint mpi verify",
                 "/* Ours. */\nint main(void) { return 0; }\n": "C or C++",
                 "int main(int argc, char** argv) {\n}\n": "C or C++",
                 "// Ours.\n#include <vector>\n": "C or C++",
                 "import sys\n": "Python: `matchpoint validate -- python3 FILE`",
                 "#!/usr/bin/env python3\nprint(1)\n": "Python", "def f():\n    return 1\n": "Python",
                 '\"\"\"Ours.\"\"\"\nimport sys\n': "Python",
                 "; ours\n(set-logic QF_LIA)\n(check-sat)\n": "SMT-LIB problem: `matchpoint encode FILE`",
                 "matchpoint-mpi 1\nrank 0 2\n": "`matchpoint mpi merge FOLDER`"}
        for text, said in cases.items():
            with self.subTest(text=text):
                path = self.folder / "file"
                path.write_text(text)
                for command in (["check"], ["lint"], ["rma", "check"]):
                    if command[0] != "rma" or not text.startswith(";"):
                        self.assertIn(said, run(*command, path).text + run(*command, path).error_text, command)
        for command in (["check"], ["rma", "check"]):
            result = run(*command, "/bin/true")
            self.assertIn("= hint: this is a program of the machine without MPI: docs/shared_memory.md shows how ", result.text + result.error_text)
            program = self.folder / "a.out"
            program.write_bytes(b"\x7fELF\x02\xff libmpi.so.40")
            result = run(*command, program)
            self.assertIn(f"= hint: this is a program of the machine: `matchpoint mpi verify -- mpirun -n 4 {program}` ", result.text + result.error_text)

    def test_misspelt_variables(self):
        read = self.write("( ( [a (balance := 4)] [b (assert (= balence 4))] ) )")
        for command in ("lint", "check"):
            result = run(command, read)
            self.assertIn("= hint: did you mean `balance`?\n", result.text + result.error_text)
        assigned = self.write("(shared [items 3]) ( ( [a (itmes := 2)] ) ( [b (assert (= items 3))] ) )")
        said = "warning[unread]: `itmes` is assigned and never read; did you mean shared variable `items`?\n"
        self.assertIn(f"{assigned}:1:28: {said}", run("lint", assigned).text)
        result = run("check", assigned)
        self.assertEqual((result.code, said in result.error_text), (HOLDS, True), result.error_text)
        self.assertEqual(json.loads(run("lint", assigned, "--format", "json").text)["diagnostics"][0]["rule"], "unread")

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
        self.assertIn("= hint: `a=4` is read as a name; write `(= a 4)`\n", self.of("(assert (a=4))"))

    def test_updates_of_shared_variables(self):
        """C does them in two steps."""
        two = "; of a shared variable this is one step, and in C most often two: `(t := n)`, `(n := (+ t 1))`\n"
        for head, more in (("(shared [n 0]) ", two), ("", "\n")):
            said = run("lint", self.write(f"{head}( ( [a (n++)] ) )")).text
            self.assertIn(f"= hint: an assignment is written `(n := (+ n 1))`{more}", said)

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

    def test_sources(self):
        for source, said in (("#include <mpi.h>\nint main(void) {}\n", "`matchpoint mpi verify -- mpirun -n 4 ./PROGRAM`"),
                             ("#include <pthread.h>\nint main(void) {}\n", "docs/shared_memory.md"),
                             ("#include <thread>\n#include <mpi.h>\nint main() {}\n", "`matchpoint mpi verify")):
            self.assertIn(said, self.said_of(source.encode()))

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
