#!/usr/bin/env python3
"""What `matchpoint rma check` and `rma reduce` say beside the verdict: readings, faults, races."""

import json
import unittest
from pathlib import Path

from support import BAD_INPUT, HOLDS, UNKNOWN, InFolder, run

ERRATA = Path("traces/rma/errata")


class Literal(InFolder):
    UNSOUND = ERRATA / "R3_no_row_for_load.rma"

    def check(self, *options):
        return run("rma", "check", self.UNSOUND, *options)

    def refused(self, *arguments, saying):
        result = run("rma", *arguments)
        self.assertEqual((result.code, result.text), (BAD_INPUT, ""), arguments)
        self.assertIn(saying, result.error_text)

    def test_a_verdict_of_the_papers_reading_is_marked(self):
        result = self.check("--engine", "reduced", "--literal", "R3")
        self.assertEqual(result.code, HOLDS)
        self.assertTrue(result.text.startswith(f"{self.UNSOUND}: safe (literal R3)\n"), result.text)
        result = self.check("--engine", "reduced")
        self.assertEqual(result.code, UNKNOWN)
        self.assertTrue(result.text.startswith(f"{self.UNSOUND}: unknown: "), result.text)
        self.assertEqual([json.loads(self.check("--engine", "reduced", "--format", "json", *options).text)["literal"]
                          for options in ([], ["--literal", "R8,R3"])], [[], ["R3", "R8"]])

    def test_lists(self):
        readings = [self.check("--engine", "reduced", *options) for options in
                    (["--literal", "R2,R3"], ["--literal", "R3,R2"])]
        self.assertEqual(len({(r.code, r.text) for r in readings}), 1)
        self.assertIn(" (literal R2, R3)", readings[0].text)
        texts = [run("rma", "reduce", self.UNSOUND, *options).text for options in
                 ([], ["--literal", "R3"], ["--literal", "R5"], ["--literal", "R3,R5"])]
        self.assertEqual(len(set(texts)), 4)

    def test_only_the_reduction_has_readings(self):
        for options in ([], ["--engine", "auto"], ["--engine", "search"], ["--sc"]):
            self.refused("check", self.UNSOUND, "--literal", "R3", *options, saying="it needs --engine reduced")

    def test_entries_that_the_reduction_does_not_have(self):
        for entry in ("R1", "R6", "R9", "R10"):
            for command in (["reduce"], ["check", "--engine", "reduced"]):
                self.refused(*command, self.UNSOUND, "--literal", f"R2,{entry}", saying=f"`{entry}` changes nothing in the reduction: ")
        self.refused("reduce", self.UNSOUND, "--literal", "R2,,R3", saying="`` is none of R2|R3|R4|R5|R7|R8|R11")
        self.refused("reduce", self.UNSOUND, "--literal", "r2", saying="did you mean `R2`?")


if __name__ == "__main__":
    unittest.main()
