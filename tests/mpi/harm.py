#!/usr/bin/env python3
"""The recorder does no harm: programs see the same with it as without it; and if it does, that is not a failure of the program."""

import os
import re
import subprocess
import unittest
from pathlib import Path

from mpi import LIBRARIES, compiled, launcher, plainly
from support import BAD_INPUT, DEADLOCK, FAILURE, HOLDS, SOLVER_FAILED, UNKNOWN, InFolder, run


class Regressions(InFolder):
    """tests/mpi/regressions.c says what was wrong of each program."""

    def test_programs_that_are_right(self):
        for library in LIBRARIES:
            program = compiled(library, "tests/mpi/regressions.c", self.folder)
            for what, code, said in (("messages", HOLDS, "1 of 1 match set tried, on 1 path, in 1 run; nothing left\n"),
                                     ("cancelled", HOLDS, "1 of 1 match set tried, on 1 path, in 1 run; nothing left\n"),
                                     ("cancelled too late", HOLDS, "1 of 1 match set tried, on 1 path, in 1 run; nothing left\n"),
                                     ("cancelled in front", UNKNOWN, "nothing left, as far as the recordings go: they are incomplete\n"),
                                     ("cancelled send", UNKNOWN, "nothing left, as far as the recordings go: they are incomplete\n")):
                with self.subTest(library=library, what=what):
                    result = run("mpi", "verify", "--timeout", "60", "--", *launcher(library, 2), program, what)
                    self.assertEqual(result.code, code, result.text + result.error_text)
                    self.assertIn("run 1: new path 1: ended well\n", result.text)
                    self.assertIn(said, result.text)
                    self.assertEqual("incomplete: tests/mpi/regressions.c:" in result.error_text, code == UNKNOWN, result.error_text)
                    self.assertNotIn("finding: ", result.text)

    def test_cancelled_or_not(self):
        """A message comes before its receive is cancelled, or after that: both are run, whatever the first run did."""
        for library in LIBRARIES:
            program = compiled(library, "tests/mpi/regressions.c", self.folder)
            for what, code in (("cancelled or not", FAILURE), ("cancelled either way", HOLDS)):
                with self.subTest(library=library, what=what):
                    witness = self.folder / "witness.ctp"
                    command = (*launcher(library, 2), program, what)
                    result = run("mpi", "verify", "--timeout", "60", "-o", witness, "--", *command)
                    self.assertEqual(result.code, code, result.text + result.error_text)
                    self.assertRegex(result.text, r"run 2: new path 2, if the cancel at regressions.c:\d+ of rank 0 comes (in time|too late): ")
                    self.assertIn("2 of 2 match sets tried, on 2 paths, in 2 runs; nothing left\n", result.text)
                    self.assertNotIn("incomplete: ", result.error_text)
                    if code == FAILURE:
                        again = run("mpi", "replay", witness, "--", *command)
                        self.assertEqual(again.code, FAILURE, again.error_text)
                        self.assertRegex(again.error_text, r"\nmatchpoint: confirmed: the run failed( as the recorded one did\n|, exit code )")


class Arguments(InFolder):
    """tests/mpi/arguments/ has the cases: one program of several files."""

    SOURCES = sorted(str(file) for file in Path("tests/mpi/arguments").glob("*.c") if file.name != "main.c")
    WARNINGS = ("-Wno-stringop-overread", "-Wno-nonnull")  # MPI_UNWEIGHTED is an address
    LEFT_OUT = {"openmpi": {"MPI_Comm_join"}, "mpich": set()}  # the library itself waits for ever for a socket that is not there

    def seen(self, name):
        return {rank: (self.folder / f"{name}-{rank}").read_text().splitlines() for rank in (0, 1)}

    def test_unusual_arguments(self):
        """Null, empty, inactive, MPI_PROC_NULL, ignored, in place, freed, cancelled, refused: the same without the recorder, recorded and replayed."""
        schedule = self.write("; A recorded run of nothing\n( ( bot ) ( bot ) ) ( )", "nothing.ctp")
        for library in LIBRARIES:
            with self.subTest(library=library):
                program = compiled(library, "tests/mpi/arguments/main.c", self.folder, *self.SOURCES, *self.WARNINGS)
                self.assertEqual(self.functions_that_are_not_called(library, program), self.LEFT_OUT[library])
                plain = self.folder / "plain"
                self.assertEqual(plainly([*launcher(library, 2), program, plain], self.folder).returncode, 3)
                expected = self.seen("plain")
                self.assertGreater(len(expected[0]), 320)
                for name, command in (("recorded", ["record", "-o", self.folder / "run.ctp"]), ("replayed", ["replay", schedule])):
                    result = run("mpi", *command, "--timeout", "60", "--", *launcher(library, 2), program, self.folder / name)
                    self.assertEqual(result.code, FAILURE, result.error_text)
                    self.assertIn("the run failed: exit code 3\n", result.error_text)
                    self.assertNotIn("ended before MPI_Finalize", result.error_text)
                    for rank, lines in self.seen(name).items():
                        self.assertEqual(lines, expected[rank], f"{library}, {name}, rank {rank}")
                self.assertEqual(run("rma", "lint", self.folder / "run.ctp").code, HOLDS)

    def functions_that_are_not_called(self, library, program):
        """Those of mpi.h that the recorder has."""
        declared = set(re.findall(r"\b(MPI_[A-Z]\w+)\s*\(", self.header(library)))
        recorder = Path(os.environ["MATCHPOINT"]).resolve().parent.parent / "record" / f"libmatchpoint_{library}.so"
        wrapped = set(re.findall(r" T (MPI_\w+)", self.symbols("--defined-only", recorder))) & declared
        self.assertGreater(len(wrapped), 150)
        return wrapped - set(re.findall(r" U (MPI_\w+)", self.symbols("--undefined-only", program)))

    @staticmethod
    def symbols(option, file):
        return subprocess.run(["nm", "-D", option, file], capture_output=True, text=True, check=True).stdout

    @staticmethod
    def header(library):
        """mpi.h, with what it includes, as the compiler sees it."""
        return subprocess.run([f"mpicc.{library}", "-E", "-x", "c", "-"], input="#include <mpi.h>\n", capture_output=True, text=True, check=True).stdout


class Threads(InFolder):
    """tests/mpi/threads.c has the programs."""

    SEVERAL = r"\nmatchpoint: Threads? 2 (is one|to \d+ are) of rank 0, and calls? MPI first at tests/mpi/threads\.c:\d+\n"
    FORBIDDEN = "calls from several threads, which the level of threads does not allow; what this rank does from here on is not recorded\n"
    TURNS = r"incomplete: tests/mpi/threads\.c:\d+: MPI_Init_thread: several threads call MPI by turns; another run may have another order of the turns\n"
    NOT_REPLAYED = (r"incomplete: tests/mpi/threads\.c:\d+: recorder: calls from several threads are recorded, and not replayed: "
                    r"what this rank does from here on is left out\n")

    def test_what_is_recorded(self):
        for library in LIBRARIES:
            program = compiled(library, "tests/mpi/threads.c", self.folder, "-pthread")
            for what, code, said, collectives in (("one", HOLDS, None, 1), ("funneled", HOLDS, None, 1), ("turns", UNKNOWN, self.TURNS, 3),
                                                  ("at once", HOLDS, self.SEVERAL, 1), ("helped", HOLDS, self.SEVERAL, 0), ("errors", HOLDS, self.SEVERAL, 0),
                                                  ("forbidden", UNKNOWN, self.FORBIDDEN, 1), ("stuck", DEADLOCK, None, 0)):
                with self.subTest(library=library, what=what):
                    result = run("mpi", "record", "-o", self.folder / "run.ctp", "--patience", "0.1" if what == "helped" else "0.5", "--timeout", "60",
                                 "--", *launcher(library, 2), program, what)
                    self.assertEqual(result.code, code, result.error_text)
                    self.assertRegex(result.error_text, said or "recorded 2 ranks")
                    self.assertEqual("incomplete" in result.error_text, code == UNKNOWN, result.error_text)
                    self.assertEqual((self.folder / "run.ctp").read_text().count(" barrier)"), 2 * collectives)  # up to there, all is recorded
                    if said == self.SEVERAL:
                        self.assertIn("trace 1: success", run("run", self.folder / "run.ctp").text)
                    if said == self.FORBIDDEN:
                        checked = run("check", self.folder / "run.ctp")
                        self.assertEqual(checked.code, UNKNOWN, checked.text)
                        self.assertRegex(checked.text, r"was ended: the recording of rank \d ends early; ranks 0, 1 were still running")

    def test_what_is_verified(self):
        """Match sets are tried up to the first call of a second thread, and nothing is said of what follows."""
        for library in LIBRARIES:
            program = compiled(library, "tests/mpi/threads.c", self.folder, "-pthread")
            for what, ranks in (("orders", 3), ("at once", 2)):
                with self.subTest(library=library, what=what):
                    result = run("mpi", "verify", "--timeout", "60", "--", *launcher(library, ranks), program, what)
                    self.assertEqual(result.code, UNKNOWN, result.text + result.error_text)
                    self.assertIn("nothing left, as far as the recordings go: they are incomplete\n", result.text)
                    self.assertEqual(result.text.count("ended well"), 1 if what == "at once" else 2, result.text)
                    self.assertRegex(result.error_text, self.NOT_REPLAYED)


class Crashes(InFolder):
    """tests/mpi/crashes.c has the programs."""

    OWN = {"own crash": "died inside the recorder, in MPI_Recv: signal 11 (SEGV)",
           "own abort": "died inside the recorder, in MPI_Recv: signal 6 (ABRT)",
           "own error": "died inside the recorder, in MPI_Recv: a call of the MPI library that it made ended the process"}
    PROGRAMS = ["killed in the recorder", "crash of the library", "error of the program", "bad buffer", "program"]

    def test_whose_fault_it_is(self):
        # Libraries differ in how they end a process. The rest is found out once.
        first, last = LIBRARIES[0], LIBRARIES[-1]
        programs = {library: compiled(library, "tests/mpi/crashes.c", self.folder, "-rdynamic", "-ldl") for library in {first, last}}
        folder, file = self.folder / "ranks", self.folder / "run.ctp"
        for library, what in ((first, "own crash"), (first, "own error"), (last, "own error"), (last, "own abort")):
            with self.subTest(library=library, what=what):
                result = run("mpi", "record", "-o", file, "--", *launcher(library, 2), programs[library], what)
                self.assertEqual(result.code, SOLVER_FAILED, result.error_text)
                self.assertIn(f"{self.OWN[what]}; this is not a failure of the program\n", result.error_text)
                self.assertNotIn("the run failed:", result.error_text)
                self.assertFalse(file.exists())
        result = run("mpi", "verify", "--keep", folder, "--", *launcher(first, 2), programs[first], "own crash")
        self.assertEqual(result.code, SOLVER_FAILED, result.text + result.error_text)
        self.assertEqual(result.text, f"run 1: rank 0 {self.OWN['own crash']}\n"
                                      "nothing recorded in 1 run; stopped: the recorder had a part in how run 1 ended\n")
        self.assertIn("this is not a failure of the program\n", result.error_text)
        self.assertEqual(run("mpi", "merge", folder / "run-0001" / "ranks").code, SOLVER_FAILED)
        for i, what in enumerate(self.PROGRAMS):
            library = LIBRARIES[i % len(LIBRARIES)]
            with self.subTest(library=library, what=what):
                result = run("mpi", "record", "-o", file, "--", *launcher(library, 2), programs[library], what)
                self.assertEqual(result.code, FAILURE, result.error_text)
                self.assertIn("the run failed: ", result.error_text)

    def test_what_the_files_say(self):
        folder = self.folder / "ranks"
        folder.mkdir()
        for line, code, said in (("crash MPI_Test signal 8", SOLVER_FAILED, "rank 1 died inside the recorder, in MPI_Test: signal 8 (FPE)"),
                                 ("crash MPI_Test what 8", BAD_INPUT, "`signal` or `exit` is missing"),
                                 ("dropped 3", BAD_INPUT, "3 is not a call of this rank"),
                                 # The receive of what a probe has seen is cancelled: the probe stays.
                                 ("probe 0 0 0 0\nseen 0 0\nrecv 0 0 0 0 0\nwait 0 0\ndropped 0\nend", UNKNOWN, "recorded 2 ranks: 3 commands"),
                                 ("recv 0 0 0 0 *\nwait 0 0\ndropped 0\nend", HOLDS, "recorded 2 ranks: 2 commands")):
            for rank, text in enumerate(("send 0 0 s 0 1 0 5\nwait 0 0\nsent 0\nend", line)):
                (folder / f"rank-{rank}.mpirec").write_text(f"matchpoint-mpi 1\nrank {rank} 2\ncomm 0 0 0 1\n{text}\n")
            result = run("mpi", "merge", folder, "-o", self.folder / "run.ctp")
            self.assertEqual(result.code, code, result.error_text)
            self.assertIn(said, result.error_text)


class Handles(InFolder):
    """tests/mpi/handles.c has the programs."""

    def test_handles_of_nothing(self):
        """The recorder asks the library about handles before the library has looked at them: an error of that is not the program's."""
        for library in LIBRARIES:
            program = compiled(library, "tests/mpi/handles.c", self.folder, "-Wno-maybe-uninitialized")
            plain = plainly([*launcher(library, 1), program, "refused"], self.folder)
            self.assertEqual(plain.returncode, 0, plain.stderr)
            said = plain.stdout.decode()
            self.assertIn("the handler is there\n", said)
            self.assertGreaterEqual(said.count(" errors, the last of class "), 10)
            result = run("mpi", "record", "-o", self.folder / "run.ctp", "--timeout", "20", "--", *launcher(library, 1), program, "refused")
            self.assertEqual(result.code, UNKNOWN, result.error_text)
            self.assertEqual(result.text, said)
            self.assertIn("MPI_Send: it returned an error; what it has done is not recorded\n", result.error_text)  # of the type that is not committed
            for call, what in (("Send", "communicator is not valid"), ("Send", "type is not valid"), ("Send", "type is not committed"),
                               ("Isend", "type is not valid"), ("Isend", "type is not committed"), ("Recv", "communicator is not valid"),
                               ("Irecv", "type is not valid"), ("Barrier", "communicator is not valid"), ("Gather", "communicator is not valid"),
                               ("Win_create", "memory is not there")):
                self.assertRegex(result.error_text, rf"finding: tests/mpi/handles\.c:\d+: rank 0: MPI_{call}: its {what} \[argument\]\n")

    def test_a_call_before_the_first(self):
        """The library ends the program, and says of its call what is wrong: the recorder makes none before. That is a failure."""
        for library in LIBRARIES:
            program = compiled(library, "tests/mpi/handles.c", self.folder, "-Wno-maybe-uninitialized")
            for command in (["record", "-o", self.folder / "run.ctp"], ["verify"]):
                with self.subTest(library=library, command=command[0]):
                    result = run("mpi", *command, "--", *launcher(library, 1), program, "early")
                    self.assertEqual(result.code, FAILURE, result.text + result.error_text)
                    self.assertIn("MPI_Send was called before MPI_Init\n", result.text + result.error_text)
                    self.assertRegex(result.text + result.error_text, r"(MPI|internal)_Send\(?\)")
                    self.assertNotIn("Type_size", result.text + result.error_text)

    def test_no_alarm(self):
        library = LIBRARIES[0]
        program = compiled(library, "tests/mpi/handles.c", self.folder, "-Wno-maybe-uninitialized")
        result = run("mpi", "record", "--strict", "-o", self.folder / "run.ctp", "--", *launcher(library, 1), program, "unknown")
        self.assertEqual(result.code, UNKNOWN, result.error_text)
        self.assertIn("MPI_Gather: its communicator was made by a call that is not modelled\n", result.error_text)
        self.assertNotIn("finding", result.error_text)

    def test_freed_and_garbage(self):
        """What comes of them is up to the library, and not the recorder's fault."""
        for library in LIBRARIES:
            program = compiled(library, "tests/mpi/handles.c", self.folder, "-Wno-maybe-uninitialized")
            for what in ("freed", "garbage"):
                with self.subTest(library=library, what=what):
                    result = run("mpi", "record", "-o", self.folder / "run.ctp", "--timeout", "20", "--", *launcher(library, 1), program, what)
                    self.assertIn(result.code, (HOLDS, UNKNOWN, FAILURE) if what == "freed" else (FAILURE,), result.error_text)
                    self.assertRegex(result.error_text, r"finding: tests/mpi/handles\.c:\d+: rank 0: MPI_Send: its type is not valid \[argument\]\n")


if __name__ == "__main__":
    unittest.main()
