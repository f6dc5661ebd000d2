#!/usr/bin/env python3
"""`matchpoint threads replay`: a run that went well is recorded, `check` predicts that it could have failed or hung, and the real program
then does: its own assertion fails, or its threads wait for each other."""

import os
import re
import subprocess
import unittest
from pathlib import Path

from threads import compiled, compiler
from support import BAD_INPUT, DEADLOCK, FAILURE, HOLDS, InFolder, run

UNKNOWN = 1

#: source -> program -> exit code of the replay, what is said
CONFIRMED = {"predicted.c": {"lost update": (FAILURE, "counter == 2"), "account": (FAILURE, "balance == 160"),
                             "lock order": (DEADLOCK, "thread 2 waits for lock\n"), "missed signal": (DEADLOCK, "thread 1 waits for condition\n")},
             "replayed.c": {"signals": (FAILURE, "order == 12"), "late slot": (FAILURE, "value == 7"), "barrier": (FAILURE, "seen == 1"),
                            "timed": (FAILURE, "seen == 0"), "spin": (FAILURE, "under_spin == 12"), "atomics": (FAILURE, "digits == 13")}}


class Replay(InFolder):
    def witness(self, *command):
        """A recorded run that went well, with the traces that `check` finds."""
        recorded, witness = str(self.folder / "run.ctp"), str(self.folder / "witness.ctp")
        result = run("threads", "record", "--timeout", "60", "-o", recorded, "--", *command)
        self.assertEqual(result.code, HOLDS, result)
        result = run("check", "--timeout", "20", recorded, "-o", witness)
        self.assertIn(result.code, (HOLDS, UNKNOWN, FAILURE, DEADLOCK), result)
        return witness

    def replayed(self, witness, *command, options=(), variables=None):
        return run("threads", "replay", "--timeout", "60", *options, witness, "--", *command, env={**os.environ, **(variables or {})})

    def test_confirmed(self):
        for option in ("-O0", "-O2"):
            for source, names in CONFIRMED.items():
                program = compiled(source, self.folder, option)
                for name, (code, words) in names.items():
                    with self.subTest(name, option=option):
                        result = self.replayed(self.witness(program, name), program, name)
                        said = result.err.decode()
                        self.assertEqual(result.code, code, said)
                        self.assertRegex(said, r"(\d+) of \1 events done as in the trace")
                        if code == FAILURE:  # the C library says it, too
                            self.assertIn(f"Assertion `{words}' failed.", said)
                            self.assertIn(f"confirmed: the run failed: {words}\n", said)
                        else:
                            self.assertIn(words, said)
                            self.assertIn("confirmed: the run deadlocked\n", said)
                        self.assertNotIn("not confirmed", said)

    def test_account(self):
        """The program of docs/shared_memory.md."""
        text = Path("docs/shared_memory.md").read_text().partition("```c\n")[2].partition("```")[0]
        program = str(self.folder / "account")
        subprocess.run([compiler(".c"), str(self.write(text, "account.c")), "-o", program, "-pthread"], check=True)
        result = self.replayed(self.witness(program), program)
        self.assertEqual(result.code, FAILURE, result)
        self.assertIn("confirmed: the run failed: balance == 180\n", result.err.decode())

    def test_recorded_run(self):
        """The first trace of a recording is the run itself. The repaired program has no other."""
        program = compiled("replayed.c", self.folder, "-O2")
        witness = self.witness(program, "slot")
        result = self.replayed(witness, program, "slot", options=("--trace", "1"))
        self.assertEqual(result.code, HOLDS, result)
        self.assertRegex(result.err.decode(), r"(\d+) of \1 events done as in the trace\n$")
        self.assertEqual(run("check", str(self.folder / "run.ctp")).code, HOLDS)
        self.assertEqual(self.replayed(witness, program, "slot", options=("--trace", "2")).code, BAD_INPUT)

    def test_same_run(self):
        """The same schedule, the same run: 20 recordings of it are one."""
        program = compiled("replayed.c", self.folder, "-O2")
        witness, output = self.witness(program, "signals"), self.folder / "again.ctp"
        runs = set()
        for _ in range(20):
            self.assertEqual(self.replayed(witness, program, "signals", options=("-o", str(output))).code, FAILURE)
            runs.add(output.read_text())
        self.assertEqual(len(runs), 1)
        self.assertEqual(run("run", str(output)).code, FAILURE)  # the machine fails where the program did

    def test_diverged(self):
        program = compiled("replayed.c", self.folder, "-O1")
        witness = self.witness(program, "environment")
        self.assertEqual(self.replayed(witness, program, "environment").code, FAILURE)
        other = self.replayed(witness, program, "environment", variables={"DIFFERS": "1"})
        self.assertEqual(other.code, UNKNOWN)
        self.assertRegex(other.err.decode(), r"not confirmed: diverged at .*replayed\.c:\d+: thread \d does an atomic update; the trace has t\d\.\d \(order := ")
        late = self.replayed(witness, program, "environment", options=("--patience", "0.02"), variables={"SLEEPS": "1"})
        self.assertEqual(late.code, UNKNOWN)
        self.assertRegex(late.err.decode(), r"not confirmed: diverged: nobody moves, and thread \d does not do t\d\.\d \(order_")
        self.assertIn("then it went on freely: the run ", late.err.decode())

    def test_impossible(self):
        """An order that no execution has is refused before anything runs."""
        program = compiled("replayed.c", self.folder, "-O1")
        self.witness(program, "slot")
        text = (self.folder / "run.ctp").read_text()
        head, trace = text.rstrip().rstrip(")").rsplit("\n(", 1)
        first, rest = re.findall(r"\(t0\.\d+ bot\)", trace)[0], re.findall(r"\(t\d+\.\w+ bot\)", trace)[1:]
        file = self.write(f"{head}\n({' '.join([*rest, first])})\n", "impossible.ctp")
        result = self.replayed(str(file), program, "slot")
        self.assertEqual(result.code, 13, result)
        self.assertIn("trace 1 is not a run of the program", result.err.decode())

    def test_other_programs(self):
        program = compiled("predicted.c", self.folder, "-O1")
        witness = self.witness(program, "lost update")
        result = self.replayed(witness, program, "account")
        self.assertEqual(result.code, UNKNOWN)
        self.assertRegex(result.err.decode(), r"is a recording of another command: \S+ lost update(.|\n)*not confirmed: diverged")
        self.assertEqual(self.replayed(witness, "true").code, BAD_INPUT)
        # A program that somebody wrote, and a recording of another kind.
        for name in ("traces/shared_memory/account.ctp", self.write("(shared [x 0])\n(([1 (x := 1)]))\n((1 bot))\n", "other.ctp")):
            result = self.replayed(str(name), program, "account", options=("--trace", "1"))
            self.assertEqual(result.code, BAD_INPUT, result)
            self.assertIn("is not a program that `matchpoint threads record` wrote: `", result.err.decode())


if __name__ == "__main__":
    unittest.main()
