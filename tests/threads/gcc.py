#!/usr/bin/env python3
"""matchpoint-gcc and matchpoint-g++: programs that GCC has compiled are recorded with the values that they had. What the recordings say is
consistent, the machine runs them, `check` finds what other orders of the same values do, and what has no words is named."""

import random
import subprocess
import unittest
from pathlib import Path

from random_programs import Generator
from records import Run, problems
from support import DEADLOCK, FAILURE, HOLDS, InFolder, run
from threads import BUILT, PROGRAMS, plainly


class OfGcc(InFolder):
    def compiled(self, source, *options):
        source = PROGRAMS / source
        compiler, standard = ("g++", "c++17") if source.suffix == ".cpp" else ("gcc", "gnu11")
        program = str(self.folder / f"{source.stem}{options[0]}")
        subprocess.run([BUILT / f"matchpoint-{compiler}", f"-std={standard}", "-Wall", "-Wextra", *options, str(source), "-o", program, "-pthread"],
                       check=True, capture_output=True)
        return program

    def recorded(self, program, *arguments, code=HOLDS):
        """The recording, and what `record` said."""
        kept, file = self.folder / f"{Path(program).name} {' '.join(arguments)}", str(self.folder / "run.ctp")
        result = run("threads", "record", "--timeout", "60", "--keep", str(kept), "-o", file, "--", program, *arguments)
        self.assertEqual(result.code, code, result)
        recording = Run(kept)
        found = problems(recording)
        self.assertFalse(found, "\n".join(found[:5]))
        ending = {HOLDS: "success", FAILURE: "failure", DEADLOCK: "deadlock", 1: "success"}[code]
        self.assertIn(f"trace 1: {ending}", run("run", file).text)
        return recording, result.err.decode()

    def test_synchronisation(self):
        program = self.compiled("synchronisation.c", "-O2")
        for name in ("rwlocks", "conditions", "semaphores", "barriers", "once", "atomics", "c11"):
            with self.subTest(name):
                recording, said = self.recorded(program, name)
                self.assertIn("complete", said)
                self.assertFalse([record for record in recording.all("lock", "create") if record.place == 0])

    def test_predicted(self):
        """Values are as in the run: another order of the same values is predicted, other values are not."""
        program = self.compiled("predicted.c", "-O1")
        for name, code, words in (("lost update", HOLDS, ("data race: yes",)), ("account", HOLDS, ("no assertion on this path", "data race: no")),
                                  ("lock order", HOLDS, ("deadlock: yes",)), ("stuck", DEADLOCK, ("deadlock: yes",)), ("fails", FAILURE, ("violated",))):
            with self.subTest(name):
                recording, said = self.recorded(program, name, code=code)
                self.assertFalse(recording.all("operation", "branch"))
                if name in ("lost update", "account"):
                    self.assertIn("what code reads that GCC has compiled", said)
                text = run("check", "--timeout", "20", str(self.folder / "run.ctp")).text
                for part in words:
                    self.assertIn(part, text)

    def test_replay(self):
        """A predicted deadlock happens."""
        program = self.compiled("predicted.c", "-O1")
        self.recorded(program, "lock order")
        bad = str(self.folder / "bad.ctp")
        run("check", "--timeout", "20", str(self.folder / "run.ctp"), "-o", bad)
        result = run("threads", "replay", "--timeout", "60", bad, "--", program, "lock order")
        self.assertEqual(result.code, DEADLOCK, result)
        self.assertIn("confirmed", result.err.decode())

    def test_verify(self):
        """What a thread reads is part of its path: others are found by trying them."""
        program = self.compiled("predicted.c", "-O1")
        for name, code, words in (("account", FAILURE, "confirmed by run"), ("update", HOLDS, "nothing left that the schedule decides")):
            result = run("threads", "verify", "--time", "60", "--", program, name)
            self.assertEqual(result.code, code, result)
            self.assertIn(words, result.text + result.err.decode())

    def test_races(self):
        """Structures that two threads copy to and fro, and a number that they add to without a lock: each value is the one that was there."""
        for option in ("-O0", "-O2"):
            program = self.compiled("copies.c", option)
            for name in ("copies", "adds", "spins"):
                with self.subTest(name, option=option):
                    recording, _ = self.recorded(program, name)
                    if name == "adds" and option == "-O0":  # with others the sum is in a register
                        self.check_additions(recording)

    def check_additions(self, recording):
        """What a thread has read is what it has computed with: each store is one more than the load before it."""
        added = 0
        for thread in recording.threads[1:]:
            read = {}
            for record in thread:
                if record.kind == "load":
                    read[record.address] = record.value
                elif record.kind == "store" and read.get(record.address) is not None and record.size == 4 and len(read) == 1:
                    self.assertEqual(record.value, read[record.address] + 1)
                    added += 1
        self.assertGreater(added, 0)

    def test_random_programs(self):
        for number in range(3):
            source = self.write(Generator(random.Random(f"gcc {number}")).program(), f"random{number}.c")
            program = str(self.folder / f"random{number}")
            subprocess.run([BUILT / "matchpoint-gcc", "-w", f"-O{number}", str(source), "-o", program, "-pthread"], check=True)
            self.recorded(program)

    def test_waiting_outside(self):
        """A thread that waits in a system call lets others go on; the pipe is named."""
        _, said = self.recorded(self.compiled("copies.c", "-O2"), "waits", code=1)
        self.assertIn("pipe: what goes through it orders threads, which is not recorded", said)

    def test_cxx(self):
        program = self.compiled("cxx.cpp", "-O1")
        plain = plainly([program])
        self.assertEqual(plain.returncode, 0, plain)
        recording, _ = self.recorded(program)
        self.assertEqual(len(recording.threads), 6)

    def test_openmp(self):
        """What GCC's runtime of OpenMP does is not recorded, and named."""
        source = self.write("int sum;\nint main(void) {\n#pragma omp parallel num_threads(2)\n#pragma omp atomic\n    sum += 1;\n    return sum != 2;\n}\n", "omp.c")
        program = str(self.folder / "omp")
        subprocess.run([BUILT / "matchpoint-gcc", "-fopenmp", str(source), "-o", program], check=True)
        result = run("threads", "record", "--timeout", "60", "--", program)
        self.assertEqual(result.code, 1, result)
        self.assertIn("GOMP_parallel: synchronisation within the runtime of OpenMP is not recorded", result.err.decode())


if __name__ == "__main__":
    unittest.main()
