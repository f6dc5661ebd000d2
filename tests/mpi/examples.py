#!/usr/bin/env python3
"""`matchpoint mpi verify` finds out the truth about every program in examples/mpi/: one with one MPI library, the next with the
other; with MATCHPOINT_EVERY=1, each with both."""

import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

from mpi import LIBRARIES, compiled, launcher
from support import DEADLOCK, FAILURE, HOLDS, SOLVER_FAILED, InFolder, run

# Those with windows are for tests/mpi/windows.py.
EXAMPLES = sorted(path for path in Path("examples/mpi").iterdir() if path.suffix in (".c", ".cpp") and "// windows -n" not in path.read_text())
TRUTH = re.compile(r"^// verify -n (\d+)(?: (.*))?: (failure|deadlock|buffering|nothing)$", re.MULTILINE)
CODES = {"failure": FAILURE, "deadlock": DEADLOCK, "buffering": DEADLOCK, "nothing": HOLDS}


def examples_for(library):
    """Launching takes the time: Open MPI's three times as long as MPICH's, which therefore gets master_workers.c."""
    is_all = len(LIBRARIES) == 1 or os.environ.get("MATCHPOINT_EVERY") == "1"
    return [source for i, source in enumerate(EXAMPLES) if is_all or (i + LIBRARIES.index(library)) % 2 == 1]


class Examples(InFolder):
    def test_truths(self):
        self.assertGreaterEqual(len(EXAMPLES), 12)
        for library in LIBRARIES:
            for source in examples_for(library):
                truths = TRUTH.findall(source.read_text())
                self.assertTrue(truths, f"{source} does not say what is true of it")
                program = compiled(library, source, self.folder)
                for ranks, arguments, truth in truths:
                    with self.subTest(library=library, example=source.name, arguments=arguments):
                        command = ["mpi", "verify", "--timeout", "60", "--", *launcher(library, ranks), program, *arguments.split()]
                        result = run(*command)
                        # A launcher can fail or hang on a busy machine: verify says so, and that is no verdict.
                        if result.code == SOLVER_FAILED or "the time limit of 60 s ended" in result.text:
                            print(result.text, result.error_text, file=sys.stderr)
                            result = run(*command)
                        self.assertEqual(result.code, CODES[truth], result.text + result.error_text)
                        self.assertIn("; nothing left\n", result.text)
                        without = re.search("^confirmed by .*: the program (fails|deadlocks)$", result.text, re.MULTILINE)
                        self.assertEqual(without is not None, truth in ("failure", "deadlock"), result.text)
                        self.assertTrue("it depends on the library" in result.text or truth != "buffering", result.text)
                        self.assertEqual("confirmed by run" in result.text, truth != "nothing", result.text)


if __name__ == "__main__":
    unittest.main()
