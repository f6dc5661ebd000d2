#!/usr/bin/env python3
"""Everything that knows operators by itself knows those of `matchpoint language`, with the same sorts and values: the reader of
certificates, the page, the editor's grammar, the machine, and SMT solvers. The naive oracle is compared in
tests/properties/operators_test.cpp."""

import itertools
import json
import re
import subprocess
import sys
import unittest
from pathlib import Path

import jsonschema

sys.path.insert(0, "scripts")
sys.path.insert(0, "tests/editors")
from certificate_checker import Refused  # noqa: E402
from certificate_checker import language as reader  # noqa: E402
from certificate_checker.machine import Machine  # noqa: E402
from certificate_checker.program import Program  # noqa: E402
from certificate_checker.values import apply, divides_by_zero, evaluate  # noqa: E402
from support import HOLDS, InFolder, run  # noqa: E402
from vscode import words  # noqa: E402

LANGUAGE = json.loads(run("language", "--format", "json").text)
ROWS = {row["name"]: row for row in LANGUAGE["operators"]}
MOST_OPERANDS = max(len(row["operands"]) for row in ROWS.values())
SAMPLE = {"Int": "1", "Bool": "true"}
VALUES = {"Int": (-7, -2, -1, 0, 1, 3, 12345678901234567890123), "Bool": (False, True)}


def fits(row, sorts):
    """Whether operands of these sorts are those of the row."""
    if len(sorts) != len(row["operands"]):
        return False
    common = {s for s, wanted in zip(sorts, row["operands"]) if wanted == "A"}
    return len(common) <= 1 and all(wanted in ("A", s) for s, wanted in zip(sorts, row["operands"]))


def result_of(row, sorts):
    """The sort of the result for operands of these sorts, which fit."""
    return sorts[row["operands"].index("A")] if row["result"] == "A" else row["result"]


def applications(row):
    """All operands with the row's sorts, of small and large values."""
    for sorts in itertools.product(SAMPLE, repeat=len(row["operands"])):
        if fits(row, sorts):
            for operands in itertools.product(*(VALUES[s] for s in sorts)):
                yield operands


def text(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


def smt(value):
    return f"(- {-value})" if not isinstance(value, bool) and value < 0 else text(value)


class Language(InFolder):
    def test_schema(self):
        schema = json.loads(Path("docs/schema/language.schema.json").read_text())
        jsonschema.Draft202012Validator.check_schema(schema)
        jsonschema.validate(LANGUAGE, schema)
        self.assertGreater(len(ROWS), 10)

    def test_text_has_the_same(self):
        lines = run("language").text.splitlines()
        table = [re.split(r"  +", line.partition(";")[0].strip()) for line in lines[1:1 + len(ROWS)]]
        self.assertEqual(table, [[row["name"], row["smt_lib"], " ".join(row["operands"]), row["result"]] for row in ROWS.values()])

    def test_reader_of_certificates(self):
        self.assertEqual(reader.OPERATORS, set(ROWS))
        self.assertEqual(reader.RESERVED - reader.BOT - {"true", "false"}, set(LANGUAGE["reserved"]) | set(ROWS))
        for name, row in ROWS.items():
            for count in range(MOST_OPERANDS + 2):
                for sorts in itertools.product(SAMPLE, repeat=count):
                    e = f"({' '.join([name, *(SAMPLE[s] for s in sorts)])})"
                    # Its sort is the one of 1, or of true.
                    with self.subTest(expression=e):
                        for result in SAMPLE:
                            is_right = fits(row, sorts) and result_of(row, sorts) == result
                            self.assertEqual(self.is_read(f"(([a (assert (= {SAMPLE[result]} {e}))]))"), is_right, result)

    @staticmethod
    def is_read(program):
        try:
            Program(reader.read(program.encode()))
        except (reader.NotAProgram, Refused):
            return False
        return True

    def test_values(self):
        """The values of the reader are those of the machine and of an SMT solver."""
        commands, problem = [], ["(set-logic ALL)"]
        for name, row in ROWS.items():
            for operands in applications(row):
                value = apply(name, *operands)
                if row["divides"] and operands[-1] == 0:
                    self.assertIsNone(value)
                    continue
                e = " ".join([name, *map(text, operands)])
                commands.append(f"[{len(commands)} (assert (= ({e}) {text(value)}))]")
                e = " ".join([row["smt_lib"], *map(smt, operands)])
                problem.append(f"(assert (= ({e}) {smt(value)}))")
        self.assertGreater(len(commands), 500)
        for way in ([], ["--engine", "sat"], ["--engine", "explore"]):
            result = run("check", "-", *way, stdin=f"(({' '.join(commands)}))".encode())
            self.assertEqual(result.code, HOLDS, result.text)
            self.assertIn(": safe", result.text)
        for solver in (["z3", "-in"], ["cvc5", "--lang=smt2"]):
            answer = subprocess.run(solver, input="\n".join([*problem, "(check-sat)\n"]), capture_output=True, text=True, check=True)
            self.assertEqual(answer.stdout, "sat\n", solver)

    def test_only_the_chosen_operand_is_evaluated(self):
        """The reader, its machine, and Matchpoint: a zero divisor counts only where the machine gets to it."""
        for e, value in (("(ite true 1 (div 1 0))", 1), ("(ite false (mod 1 0) 2)", 2), ("(ite true (div 1 0) 1)", None),
                         ("(ite false 1 (div 1 0))", None), ("(ite (= 1 (div 1 0)) 1 2)", None), ("(ite t 1 (div 1 0))", 1),
                         ("(ite (not t) (ite t (div 1 0) 1) (ite t 3 (mod 1 0)))", 3), ("(+ (ite t 1 2) (ite t (div 1 0) 2))", None),
                         ("(ite (ite t false true) (div 1 0) (div 7 (ite t 2 0)))", 3), ("(ite t (ite t (ite t (div 1 0) 1) 1) 1)", None)):
            with self.subTest(expression=e):
                program = f"(([a (t := true)] [b (x := {e})] [c (assert (= x {value or 0}))]))"
                file = reader.read(program.encode())
                parsed = file.threads[0][1].expression
                values = evaluate(parsed, {"t": True}.get)
                self.assertEqual(divides_by_zero(parsed, values), value is None)
                trace = [("a", []), ("b", []), ("c", [])]
                if value is None:
                    self.assertRaisesRegex(Refused, "division by zero", Machine(Program(file), False).run, trace)
                else:
                    self.assertEqual(values[-1], value)
                    Machine(Program(file), False).run(trace)
                result = run("check", "-", stdin=program.encode())
                self.assertEqual(result.code == HOLDS, value is not None, result.text)
                self.assertEqual("fault: yes" in result.text, value is None, result.text)
                if re.search(r"\bt\b", e):  # whatever t is, as far as is known
                    self.assertFalse(divides_by_zero(parsed, evaluate(parsed, {}.get)))

    def test_operand_that_is_unknown(self):
        self.assertEqual(apply("ite", True, 1, None), 1)
        self.assertEqual(apply("ite", False, None, 2), 2)
        self.assertEqual(apply("ite", None, 2, 2), 2)
        for operands in ((None, 1, 2), (True, None, 2), (False, 1, None), (None, 1, None), (None, None, None)):
            self.assertIsNone(apply("ite", *operands))

    def test_page(self):
        """The table of docs/language.md."""
        page = re.search(r"\| operators \| operands \| result \|\n\|-.*\n((?:\|.*\n)+)", Path("docs/language.md").read_text())[1]
        said = {}
        for names, operands, result in re.findall(r"^\| (.+) \| (.+) \| (.+) \|$", page, re.MULTILINE):
            for name in re.findall(r"`(\S+)`", names):
                said[name] = (operands, result)
        numbers = {"one": 1, "two": 2}
        sort_of_common = "the sort of the two"
        self.assertEqual(set(said), set(ROWS))
        for name, (operands, result) in said.items():
            row = ROWS[name]
            self.assertEqual(result, sort_of_common if row["result"] == "A" else row["result"], name)
            self.assertEqual("not zero" in operands, row["divides"], name)
            choices = [sum((numbers[n] * (sort,) for n, sort in re.findall(r"(one|two) (Int|Bool)", choice)), ())
                       for choice in operands.split(", or ")]
            fitting = [sorts for sorts in itertools.product(SAMPLE, repeat=len(row["operands"])) if fits(row, sorts)]
            self.assertEqual(sorted(choices), sorted(fitting), name)

    def test_grammar_of_the_editor(self):
        for name in ROWS:
            self.assertEqual(words(f"({name} x 1)")[0], (name, "keyword.operator"))
        for name in set(LANGUAGE["reserved"]) - {":="}:
            self.assertEqual(words(f"({name} x)")[0], (name, "keyword.control"))


if __name__ == "__main__":
    unittest.main()
