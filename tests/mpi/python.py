#!/usr/bin/env python3
"""Programs in Python, with Debian's mpi4py: they are recorded, replayed and verified at their lines, and see the same as without the recorder."""

import re
import unittest
from pathlib import Path

from mpi import launcher, plainly
from support import DEADLOCK, FAILURE, HOLDS, UNKNOWN, InFolder, run

SOURCE = Path("tests/mpi/program.py")
PYTHON = "/usr/bin/python3"  # the one that mpi4py is installed for


def line_of(text):
    return next(n for n, line in enumerate(SOURCE.read_text().splitlines(), 1) if text in line)


def command(ranks, *arguments):
    return [*launcher("openmpi", ranks), PYTHON, "-B", SOURCE, *arguments]


class Python(InFolder):
    def seen(self, name):
        return [(self.folder / f"{name}-{rank}").read_text() for rank in (0, 1)]

    def test_programs_see_the_same(self):
        """Objects, buffers, callbacks, exceptions, and a thread that computes meanwhile: the recorder asks for the interpreter's lock."""
        file = self.folder / "run.ctp"
        self.assertEqual(plainly([str(c) for c in command(2, "all", self.folder / "plain")], self.folder).returncode, 0)
        expected = self.seen("plain")
        self.assertGreater(len(expected[0].splitlines()), 7)
        result = run("mpi", "record", "--strict", "--timeout", "60", "-o", file, "--", *command(2, "all", self.folder / "recorded"))
        self.assertEqual(result.code, HOLDS, result.error_text)
        self.assertEqual(self.seen("recorded"), expected)
        text = file.read_text()
        self.assertRegex(text, rf'\(ssndi S\S+ 0 1 \d+ \(tag 2\)\) \(at "{SOURCE}" {line_of("world.ssend")}\)')
        self.assertRegex(text, rf'\(mprobe R\S+ 1 \(from 0\) \(tag 3\)\) \(at "{SOURCE}" {line_of("world.mprobe")}\)')
        places = re.findall(r'\(at "([^"]*)"', text)
        self.assertLessEqual(len(places) - places.count(str(SOURCE)), 4)  # of exec(), and of the end, which is not of Python
        self.assertIn("<string>", places)
        result = run("mpi", "replay", "--timeout", "60", file, "--", *command(2, "all", self.folder / "replayed"))
        self.assertEqual(result.code, HOLDS, result.error_text)
        self.assertRegex(result.error_text, r"(\d+) of \1 receives took what they take in trace 1\n")
        self.assertEqual(self.seen("replayed"), expected)

    def test_objects(self):
        """`recv` is a matched probe and a receive. The race is confirmed at its lines."""
        first, second, send = (line_of(f"objects: {what}") for what in ("the first", "the second", "sends"))
        result = run("mpi", "verify", "--timeout", "60", "--keep", self.folder / "runs", "--", *command(3, "objects"))
        self.assertEqual(result.code, DEADLOCK, result.text + result.error_text)
        self.assertIn("2 of 2 match sets tried, on 1 path, in 2 runs; nothing left\n", result.text)
        self.assertRegex(result.text, rf"path 1, as in program\.py:{first} gets program\.py:{send} of rank \d")
        self.assertIn(f"  rank 0: at {SOURCE}:{second} (matched probe from rank 2)\n", result.text)
        sent = {re.search("^send (?:[^ ]+ ){6}([^ ]+)", (self.folder / f"runs/run-0001/ranks/rank-0000{rank}.mpirec").read_text(), re.MULTILINE)[1]
                for rank in (1, 2)}
        self.assertEqual(len(sent), 2, "different objects have different values")

    def test_threads(self):
        """Several threads call. None waits for ever for the interpreter or for the recorder."""
        result = run("mpi", "record", "--timeout", "60", "-o", self.folder / "run.ctp", "--", *command(2, "several"))
        self.assertEqual(result.code, HOLDS, result.error_text)
        self.assertRegex(result.error_text, r"\nmatchpoint: Thread 2 is one of rank 0, and calls MPI first at tests/mpi/program\.py:\d+\n")
        self.assertNotIn("time limit", result.error_text)

    def test_fortran_in_python(self):
        """Its calls are recorded if it is loaded before MPI_Init, and else the recording is incomplete."""
        for what, code, said in (("fortran first", HOLDS, "recorded 2 ranks: 2 commands\n"),
                                 ("fortran later", UNKNOWN, "incomplete: MPI_Init: MPI's bindings for Fortran were loaded after it; ")):
            result = run("mpi", "record", "--timeout", "60", "-o", self.folder / "run.ctp", "--", *command(2, what))
            self.assertEqual(result.code, code, result.error_text)
            self.assertIn(said, result.error_text)
            is_there = f'(at "{SOURCE}" {line_of("# Fortran from")})' in (self.folder / "run.ctp").read_text()
            self.assertEqual(is_there, what == "fortran first")

    def test_exceptions(self):
        """An exception of a rank is a failure of the run, and quoted."""
        result = run("mpi", "verify", "--timeout", "60", "--", *command(3, "buffers"))
        self.assertEqual(result.code, FAILURE, result.text + result.error_text)
        self.assertRegex(result.text, r"confirmed by run \d: the program fails\n  \| AssertionError: rank 2 was first\n")
        result = run("mpi", "record", "--timeout", "60", "-o", self.folder / "run.ctp", "--", *command(2, "raises"))
        self.assertEqual(result.code, FAILURE, result.error_text)


if __name__ == "__main__":
    unittest.main()
