#!/usr/bin/env python3
"""`matchpoint mpi verify` lets calls find what another time would have given them: Waitany, Waitsome, tests and probes. The run
that finds it is made to happen, whatever the first run found, and nothing is left for a program that none of it harms."""

import re
import unittest

from mpi import compiled, launcher, libraries
from support import FAILURE, HOLDS, UNKNOWN, InFolder, run

# What each call can find; times.c says what the numbers are.
OUTCOMES = {"waitany": (0, 1), "waitsome": (1, 2, 3), "test": (0, 1), "testall": (0, 1), "testany": (0, 1, 2), "testsome": (0, 1, 2, 3),
            "loop": (0, 1), "patience": (0, 1, 2), "iprobe": (0, 1), "improbe": (0, 1)}


class Times(InFolder):
    def verify(self, library, program, *arguments, options=()):
        return run("mpi", "verify", "--timeout", "60", *options, "--", *launcher(library, 3), program, *arguments)

    def test_each_outcome_happens(self):
        """Finds outcomes that no run without a schedule may ever have, and calls that a schedule does not force."""
        for library in libraries(self._testMethodName):
            program = compiled(library, "tests/mpi/times.c", self.folder)
            for what, outcomes in OUTCOMES.items():
                for wrong in outcomes:
                    with self.subTest(library=library, what=what, wrong=wrong):
                        result = self.verify(library, program, what, str(wrong))
                        self.assertEqual(result.code, FAILURE, result.text + result.error_text)
                        self.assertIn(f"  | {what} found {wrong}\n", result.text)

    def test_nothing_is_left(self):
        """The same programs, which no outcome harms."""
        for library in libraries(self._testMethodName):
            program = compiled(library, "tests/mpi/times.c", self.folder)
            for what in OUTCOMES:
                with self.subTest(library=library, what=what):
                    result = self.verify(library, program, what, "-1")
                    self.assertEqual(result.code, HOLDS, result.text + result.error_text)
                    self.assertRegex(result.text, "; nothing left\n")

    def test_recorded(self):
        """What could have been is in the recording, and the language keeps it."""
        choice = {"waitany": r"\(wait R0_[01] \(among R0_0 R0_1\)\)", "waitsome": r"\(wait R0_[01] \(some R0_0 R0_1\)\)",
                  "test": r"\(test R0_0 (true|false)\)", "testall": r"\(test \(all R0_0 R0_1\) (true|false)\)",
                  "testany": r"\(test \(among R0_0 R0_1\) (true|false)\)", "testsome": r"\(test \(some R0_0 R0_1\) (true|false)\)",
                  "loop": r"\(test R0_0 true( \d+)?\)", "iprobe": r"\(iprobe I0_0 0 \(from 1\) (true|false)\)",
                  "improbe": r"\(iprobe I0_0 0 \(from 1\) (true|false)\)"}
        for library in libraries(self._testMethodName):
            program = compiled(library, "tests/mpi/times.c", self.folder)
            for what, wanted in choice.items():
                with self.subTest(library=library, what=what):
                    file = self.folder / "run.ctp"
                    self.assertEqual(run("mpi", "record", "-o", file, "--", *launcher(library, 3), program, what, "-1").code, HOLDS)
                    self.assertEqual(len(re.findall(wanted, file.read_text())) > 0, True, file.read_text())
                    self.assertRegex(run("fmt", file).text, wanted)
                    self.assertEqual(run("run", file).code, HOLDS)

    def test_many_tests(self):
        """A loop that tests many times is one line. What a limit of runs leaves is counted."""
        for library in libraries(self._testMethodName):
            program = compiled(library, "tests/mpi/times.c", self.folder)
            kept = self.folder / f"kept-{library}"
            result = self.verify(library, program, "loop", "-1", options=("--keep", kept, "--runs", "1"))
            self.assertEqual(result.code, UNKNOWN, result.text)
            self.assertRegex(result.text, r"in 1 run; stopped: the limit of 1 run was reached; \d+ choices? of time not tried\n")
            tests = [line for line in (kept / "run-0001/ranks/rank-00000.mpirec").read_text().splitlines() if line.startswith("poll ")]
            self.assertEqual(len(tests), 1, tests)
            self.assertGreater(int(tests[0].split()[4]), 5)
            resumed = self.verify(library, program, "loop", "-1", options=("--keep", kept, "--resume"))
            self.assertEqual(resumed.code, HOLDS, resumed.text)


if __name__ == "__main__":
    unittest.main()
