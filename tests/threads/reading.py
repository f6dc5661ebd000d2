#!/usr/bin/env python3
"""`matchpoint threads`: recorded programs of C are programs of the language. The machine runs the recorded trace to the end of the real
run, and `check` finds the failures that the run did not have."""

import os
import random
import subprocess
import unittest

from random_programs import Generator
from support import BAD_INPUT, DEADLOCK, FAILURE, HOLDS, InFolder, run
from threads import compiled, compiler

#: name -> exit codes of the run and of `check`, what the report of `check` says
PREDICTED = {"lost update": (HOLDS, FAILURE, ("violated", "deadlock: no", "data race: yes")),
             "update": (HOLDS, HOLDS, (": safe", "deadlock: no", "data race: no")),
             "account": (HOLDS, FAILURE, ("violated", "balance_0.", "data race: no")),
             "lock order": (HOLDS, None, ("deadlock: yes", "data race: no")),
             "semaphores": (HOLDS, HOLDS, (": safe", "deadlock: no", "data race: no")),
             "condition variables": (HOLDS, None, ("deadlock: no", "data race: no")),
             "missed signal": (HOLDS, None, ("deadlock: yes", "data race: yes")),
             "list": (HOLDS, None, ("deadlock: no", "data race: no")),
             "bytes": (HOLDS, HOLDS, (": safe", "data race: no")),
             "halves": (HOLDS, FAILURE, ("violated", "data race: no")),
             "stuck": (DEADLOCK, DEADLOCK, ("deadlock: yes",)),
             "fails": (FAILURE, FAILURE, ("violated",))}


class Reading(InFolder):
    def recorded(self, *command, code=HOLDS):
        """The recording of a run, as a file."""
        file = str(self.folder / "run.ctp")
        result = run("threads", "record", "--timeout", "60", "-o", file, *(command if "--" in command else ("--", *command)))
        self.assertEqual(result.code, code, result)
        self.assertIn("complete", result.err.decode())
        return file, result

    def check_trace(self, file, ending="success"):
        self.assertIn(f"trace 1: {ending}", run("run", file).text)

    def test_predicted(self):
        for option in ("-O0", "-O2"):
            program = compiled("predicted.c", self.folder, option)
            for name, (code, verdict, words) in PREDICTED.items():
                with self.subTest(name, option=option):
                    file, _ = self.recorded(program, name, code=code)
                    if code != DEADLOCK:
                        self.check_trace(file, "failure" if code == FAILURE else "success")
                    result = run("check", "--timeout", "20", file)
                    for part in words:
                        self.assertIn(part, result.text)
                    if verdict is not None:
                        self.assertEqual(result.code, verdict, result.text)

    def test_synchronisation(self):
        """All objects of POSIX and C11: the machine does what they did."""
        program = compiled("synchronisation.c", self.folder, "-O2")
        for name in ("rwlocks", "spins", "conditions", "timed conditions", "semaphores", "barriers", "once", "atomics", "c11"):
            with self.subTest(name):
                self.check_trace(self.recorded(program, name)[0])

    def test_overflow(self):
        """An overflow in another order is predicted with `--ub`, also of files that are there. UBSan shows it."""
        program, kept = compiled("predicted.c", self.folder, "-O1"), str(self.folder / "kept")
        file, result = self.recorded("--keep", kept, "--", program, "overflow")
        self.assertIn("note: 2 signed operations assumed not to overflow\n", result.err.decode())
        self.assertEqual(run("check", file).code, HOLDS)
        result = run("threads", "read", "--ub", kept, "-o", file)
        self.assertIn("note: 2 signed operations asserted not to overflow\n", result.err.decode())
        self.check_trace(file)
        result = run("check", file)
        self.assertEqual(result.code, FAILURE, result)
        self.assertRegex(result.text, r"\n  assertion at .*predicted\.c:\d+\), .* does not hold: \(assert \(<= \(\+ nearly_most_\d\.1 40\) 2147483647\)\)")
        with_sanitizer = compiled("predicted.c", self.folder, "-O2", "-fsanitize=signed-integer-overflow", "-fno-sanitize-recover=all")
        result = run("threads", "verify", "--first", "--", with_sanitizer, "overflow", env=dict(os.environ))
        self.assertEqual(result.code, FAILURE, result)
        self.assertIn("confirmed by run 2: the run failed", result.text)

    def test_random_programs(self):
        """Arithmetic of 8 to 64 bits, arrays and structures: every value that was recorded is what the terms give, and the machine agrees."""
        for number in range(4):
            source = self.write(Generator(random.Random(f"reading {number}")).program(), f"random{number}.c")
            program = str(self.folder / f"random{number}")
            subprocess.run([compiler(".c"), "-w", f"-O{number}", str(source), "-o", program, "-pthread"], check=True)
            self.check_trace(self.recorded(program)[0])

    def test_read(self):
        program = compiled("predicted.c", self.folder, "-O2")
        kept, file = self.folder / "kept", str(self.folder / "run.ctp")
        recorded = run("threads", "record", "--keep", str(kept), "--", program, "update")
        self.assertEqual(run("threads", "read", str(kept), "-o", file).code, HOLDS)
        again = (self.folder / "run.ctp").read_text()
        self.assertEqual(again.partition("\n")[2], recorded.text.partition("\n")[2])
        thread = kept / "thread-00001.threads"
        thread.write_bytes(b"x" + thread.read_bytes()[1:])
        damaged = run("threads", "read", str(kept))
        self.assertEqual(damaged.code, BAD_INPUT)
        self.assertIn("thread-00001.threads: at byte 0, rule T1", damaged.err.decode())

    def test_programs_without_threads(self):
        result = run("threads", "record", "--", "true")
        self.assertEqual(result.code, BAD_INPUT)
        self.assertIn("no thread was recorded", result.err.decode())
        self.assertEqual(run("threads", "record", "--", str(self.folder / "nothing")).code, 3)
        self.assertEqual(run("threads", "read", str(self.folder)).code, BAD_INPUT)
        self.assertEqual(run("threads").code, BAD_INPUT)

    def test_time_limit(self):
        source = self.write("#include <unistd.h>\nint main(void) { sleep(60); }\n", "sleeps.c")
        program = str(self.folder / "sleeps")
        subprocess.run([compiler(".c"), str(source), "-o", program], check=True)
        result = run("threads", "record", "--timeout", "0.5", "--", program)
        self.assertEqual(result.code, 1)
        self.assertIn("; This run was ended: a time limit was reached", result.text)


if __name__ == "__main__":
    unittest.main()
