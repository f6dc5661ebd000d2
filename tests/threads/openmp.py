#!/usr/bin/env python3
"""Programs with OpenMP: they do what they do with GCC's runtime, are recorded completely, and a replay does the same again. `verify` finds what
depends on the order of their threads."""

import os
import re
import subprocess
import unittest

from threads import compiled, compiler, plainly
from support import FAILURE, HOLDS, InFolder, run

SOURCE = "tests/threads/programs/openmp.c"
PROGRAMS = ("loops", "together", "tasks", "dependences", "locks", "twice", "first come")


class OpenMP(InFolder):
    def test_as_another_runtime(self):
        other = str(self.folder / "other")
        subprocess.run(["gcc", "-O1", "-fopenmp", SOURCE, "-o", other], check=True)
        for level in ("-O0", "-O2"):
            program = compiled("openmp.c", self.folder, level, "-fopenmp")
            for name in PROGRAMS:
                with self.subTest(name, level=level):
                    expected = plainly([other, name]).stdout
                    self.assertTrue(expected)
                    self.assertEqual(plainly([program, name]).stdout, expected)
                    file = str(self.folder / "run.ctp")
                    result = run("threads", "record", "--timeout", "60", "-o", file, "--", program, name)
                    self.assertEqual((result.code, result.out), (HOLDS, expected), result)
                    self.assertIn("\nmatchpoint: complete", result.error_text)
                    again = run("threads", "replay", file, "--", program, name)
                    self.assertEqual((again.code, again.out), (HOLDS, expected), again)
                    self.assertRegex(again.error_text, r"(\d+) of \1 events done as in the trace\n$")

    def verified(self, *command):
        return run("threads", "verify", "--timeout", "30", "--", *command, env=dict(os.environ)).text.rstrip("\n").rsplit("\n", 1)[-1]

    def test_paths(self):
        """A reduction has one path, in whatever order the threads add; of a `single`, either thread can do it."""
        program = compiled("openmp.c", self.folder, "-O1", "-fopenmp")
        self.assertRegex(self.verified(program, "twice"), "^1 of 1 path in 1 run; nothing left that the schedule decides$")
        self.assertRegex(self.verified(program, "first come"), r"^(\d+) of \1 paths in \d+ runs; nothing left that the schedule decides$")

    def test_names_of_locals(self):
        program = str(self.folder / "sum")
        subprocess.run([compiler(".c"), "-O1", "-fopenmp", "examples/threads/openmp_sum.c", "-o", program], check=True)
        result = run("threads", "verify", "--timeout", "30", "--", program, env=dict(os.environ))
        self.assertEqual(result.code, FAILURE, result)
        self.assertRegex(result.text, r"\ndata race on sum: thread \d writes it at ")

    def test_what_is_not_there(self):
        """A program that needs more is not linked."""
        source = self.write("int main(void) {\n    int a[9];\n#pragma omp taskloop\n    for (int i = 0; i < 9; ++i) a[i] = i;\n    return a[0];\n}\n", "loop.c")
        result = subprocess.run([compiler(".c"), "-fopenmp", str(source), "-o", str(self.folder / "loop")], capture_output=True, text=True)
        self.assertNotEqual(result.returncode, 0)
        self.assertTrue(re.search(r"undefined reference to `__kmpc_taskloop", result.stderr), result.stderr)


if __name__ == "__main__":
    unittest.main()
