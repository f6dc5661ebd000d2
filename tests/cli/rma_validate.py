#!/usr/bin/env python3
"""`matchpoint validate --rma`: a reduction that is right, wrong ones, and ones that misbehave."""

import json
import subprocess
import sys
import unittest
from pathlib import Path

import jsonschema

from support import BAD_INPUT, DISAGREES, FAILURE, HOLDS, MATCHPOINT, SOLVER_FAILED, UNKNOWN, InFolder, run, without_progress

REDUCTION = str(Path("tests/encoders/reduction.py").resolve())
VALIDATOR = jsonschema.Draft202012Validator(json.loads(Path("docs/schema/validate-rma.schema.json").read_text()))
SMALL = {1: 6, 2: 81, 3: 1219}  # programs of up to so many statements


def reduction(*words):
    return [sys.executable, "-S", "-E", REDUCTION, *words]


def statements(program):
    return sum(line.strip().startswith(("(put ", "(get ", "(load ", "(store ", "(flush ")) for line in program.splitlines())


class Validation(InFolder):
    def validate(self, *options, reducer, output="-"):
        result = run("validate", "--rma", "--format", "json", "-o", output, *options, "--", *reducer)
        self.assertTrue(result.out, f"no JSON; standard error says {result.err}")
        self.assertEqual(without_progress(result.error_text), "")
        document = json.loads(result.text)
        self.assertEqual([f"{e.json_path}: {e.message[:300]}" for e in VALIDATOR.iter_errors(document)], [])
        counts = document["counts"]
        answered = counts["sound"] + counts["unsound"] + counts["unsettled"]
        self.assertEqual(answered + sum(counts["trouble"].values()), counts["cases"])
        self.assertEqual(sum(document["sources"].values()), document["programs"])
        return document, result.code

    def is_right(self, document, code, programs):
        self.assertEqual((code, document["programs"], document["complete"]), (HOLDS, programs, True))
        self.assertEqual(document["counts"]["sound"], programs)
        self.assertEqual((document["findings"], document["troubles"], document["stopped"]), ([], [], ""))


class Right(Validation):
    def test_written_from_the_page(self):
        document, code = self.validate("--level", "1", "--cases", "25", "--jobs", "2", reducer=reduction())
        self.assertEqual(document["counts"]["unsound"], 0)
        self.assertEqual((document["findings"], document["troubles"]), ([], []))
        self.assertEqual(code, HOLDS if document["counts"]["unsettled"] == 0 else UNKNOWN)
        self.assertGreater(document["counts"]["violated"], 3)
        best = document["readings"][0]
        self.assertEqual((best["literal"], best["same"]), ([], best["of"]))

    def test_exact(self):
        self.is_right(*self.validate("--level", "3", "--cases", "0", reducer=["exact"]), SMALL[3])

    def test_in_a_file(self):
        self.is_right(*self.validate("--level", "1", "--cases", "0", reducer=reduction("{rma}")), SMALL[1])

    def test_imprecise_is_not_wrong(self):
        document, code = self.validate("--level", "2", "--cases", "0", reducer=["literal-R7"])
        self.is_right(document, code, SMALL[2])
        self.assertGreater(document["counts"]["more"], 0)
        self.assertEqual(document["readings"][0]["literal"], ["R7"])
        document, _ = self.validate("--level", "0", "--cases", "0", "--corpus", "traces/rma/errata/R8_executes_twice.rma", reducer=["literal-R8"])
        self.assertEqual((document["counts"]["imprecise"], document["counts"]["more"]), (1, 1))


class Wrong(Validation):
    def test_no_joins_in_a_flush(self):
        """R2, found, shrunk to the smallest program that there is, and explained."""
        output = self.folder / "findings"
        document, code = self.validate("--level", "1", "--cases", "0", "--corpus", "traces/rma/errata/R2_flush_adds_nothing.rma",
                                       reducer=reduction("no-joins-in-flush"), output=output)
        self.assertEqual((code, document["counts"]["sound"], document["counts"]["unsound"]), (DISAGREES, SMALL[1], 1))
        [finding] = document["findings"]
        self.assertTrue(finding["explained"])
        self.assertEqual(finding["readings"][0]["literal"], ["R2"])
        self.assertEqual(statements(finding["smallest"]), 3)
        self.finding_is_whole(finding)

    def finding_is_whole(self, finding):
        folder = Path(finding["folder"])
        smallest = folder / "smallest.rma"
        self.assertEqual(smallest.read_text(), finding["smallest"])
        self.assertIn("as with R2 read literally", (folder / "why.txt").read_text())
        self.assertEqual((folder / "reduced.rma").read_text(), finding["reduced"])
        again = subprocess.run([folder / "again.sh"], env={"MATCHPOINT": MATCHPOINT}, capture_output=True, check=False)
        self.assertEqual(again.returncode, DISAGREES, again.stderr)
        # The run comes to what is missing.
        result = run("rma", "run", smallest, "--schedule", finding["run"])
        if finding["missing"] == "a violation":
            self.assertEqual(result.code, FAILURE)
        else:
            self.assertIn(finding["missing"].removeprefix("the final valuation "), result.text)

    def test_built_in_readings(self):
        for entry, size in (("R2", 3), ("R3", 2), ("R4", 3), ("R5", 1), ("R11", 3)):
            with self.subTest(entry):
                document, code = self.validate("--level", "3", "--cases", "0", "--findings", "1", reducer=["literal-" + entry])
                self.assertEqual(code, DISAGREES)
                finding = document["findings"][0]
                self.assertEqual((finding["readings"][0]["literal"], statements(finding["smallest"])), ([entry], size))

    def test_two_faults(self):
        """What is explained is not found again; what is not is."""
        document, code = self.validate("--level", "3", "--cases", "0", reducer=["literal-R2-R3"])
        self.assertEqual(code, DISAGREES)
        self.assertEqual(document["readings"][0]["literal"], ["R2", "R3"])
        self.assertGreater(document["counts"]["known"], 0)

    def test_a_program_that_is_not_reduced(self):
        """Sequential consistency is not enough. A program of the language is read, too."""
        document, code = self.validate("--level", "1", "--cases", "0", "--corpus", "traces/rma/figure2_two_flushes.rma", "--corpus",
                                       "traces/rma/figure2.rma", reducer=reduction("plain"))
        self.assertEqual((code, document["counts"]["sound"], document["counts"]["unsound"]), (DISAGREES, SMALL[1] + 1, 1))

    def test_they_are_only_counted(self):
        document, code = self.validate("--level", "1", "--cases", "0", "--findings", "0", reducer=reduction("nothing-at-end"))
        self.assertEqual((code, document["findings"], document["complete"]), (DISAGREES, [], True))
        self.assertGreater(document["counts"]["unsound"], 0)

    def test_levels(self):
        for level in ("6", "9"):
            result = run("validate", "--rma", "--level", level, "--", "exact")
            self.assertEqual((result.code, result.text), (BAD_INPUT, ""))
            self.assertIn("with --rma, --level is at most 5", result.error_text)

    def test_in_words(self):
        result = run("validate", "--rma", "-o", "-", "--level", "1", "--cases", "0", "--", "literal-R5")
        self.assertEqual(result.code, DISAGREES)
        self.assertIn("unsound: small program ", result.text)
        self.assertIn("as with R5 read literally", result.text)


class Misbehaving(Validation):
    def test_trouble_is_no_verdict(self):
        for fault, trouble, what in (
                ("crash", "crashed", "exited with code 1; its standard error ends: it knows no such statement"),
                ("garbage", "nonsense", "it printed no program: its output:1:21: error[syntax]: `sometimes` begins no statement"),
                ("hang", "out of time", "no answer within 0.5 s")):
            with self.subTest(fault):
                document, code = self.validate("--level", "1", "--cases", "0", "--encoder-time", "0.5", reducer=reduction(fault))
                self.assertEqual((code, document["counts"]["trouble"]), (SOLVER_FAILED, {trouble: SMALL[1]}))
                self.assertEqual(document["troubles"][0]["what"], f"small program 0: {what}")

    def test_never_answers(self):
        document, code = self.validate("--level", "2", "--cases", "0", reducer=reduction("crash"))
        self.assertEqual((code, document["programs"], document["complete"]), (SOLVER_FAILED, 20, False))
        self.assertEqual(document["stopped"], "no answer about any of the first 20 programs")

    def test_forgets_a_variable(self):
        document, code = self.validate("--level", "1", "--cases", "0", reducer=reduction("forgets-a-variable"))
        self.assertEqual((code, document["counts"]["unsound"]), (SOLVER_FAILED, 0))
        self.assertIn("no variable `B`", document["troubles"][0]["what"])

    def test_cannot_be_started(self):
        result = run("validate", "--rma", "-o", "-", "--", "./there-is-none")
        self.assertEqual(result.code, SOLVER_FAILED)
        self.assertIn("cannot start ./there-is-none", result.error_text)

    def test_what_does_not_go_together(self):
        for options in (("--shared",), ("--level", "6"), ("--traces",), ("--level", "0", "--cases", "0"), ("--corpus", "nowhere.rma")):
            with self.subTest(options):
                self.assertEqual(run("validate", "--rma", *options, "--", "exact").code, BAD_INPUT)


if __name__ == "__main__":
    unittest.main()
