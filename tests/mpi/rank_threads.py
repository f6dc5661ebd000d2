#!/usr/bin/env python3
"""Threads of a rank that call MPI at once: tests/mpi/rank_threads.c has the programs."""

import unittest

from mpi import LIBRARIES, compiled, launcher
from support import DEADLOCK, HOLDS, UNKNOWN, InFolder, run

SOURCE = "tests/mpi/rank_threads.c"
POSSIBLE = "  possible: of what orders the threads of a rank, their creation and pthread_join are recorded, and locks are not\n"


class RankThreads(InFolder):
    def record(self, library, ranks, what, code):
        program = compiled(library, SOURCE, self.folder, "-pthread")
        result = run("mpi", "record", "-o", self.folder / "run.ctp", "--timeout", "60", "--", *launcher(library, ranks), program, what)
        self.assertEqual(result.code, code, result.error_text)
        return result.error_text, (self.folder / "run.ctp").read_text()

    def test_probes(self):
        """Both threads can see one message, unless one has ended before, or a probe takes what it sees."""
        for library in LIBRARIES:
            for what, leaves in (("by turns", True), ("joined", False), ("matched", False)):
                with self.subTest(library=library, what=what):
                    said, text = self.record(library, 3, what, HOLDS)
                    self.assertRegex(said, r"Thread 3 is one of rank 0, and calls MPI first at tests/mpi/rank_threads\.c:\d+\n")
                    self.assertEqual(said.count("[probe-race, predicted]\n"), 1 if leaves else 0, said)
                    self.assertEqual(text.count("(probe " if what != "matched" else "(mprobe "), 2)
                    checked = run("check", self.folder / "run.ctp")
                    self.assertEqual(checked.code, HOLDS, checked.text)
                    self.assertEqual(checked.text.count("  deadlock: no\n"), 2, checked.text)  # with and without buffers
                    self.assertEqual(POSSIBLE in checked.text, "leaves the path: yes" in checked.text)
                    if what != "joined":
                        self.assertEqual("leaves the path: yes" in checked.text, leaves, checked.text)

    def test_both_have_seen_it(self):
        """The run hangs: one thread waits for a message that the other one has, and is told as a deadlock, also by `verify`."""
        for library in LIBRARIES:
            with self.subTest(library=library):
                said, text = self.record(library, 3, "together", DEADLOCK)
                self.assertIn("the run deadlocked: nobody can go on, so it was ended\n", said)
                self.assertRegex(said, r"rank 0(, thread 3)? waits for a receive from rank 1, tag 0\n")
                self.assertRegex(said, r"it has seen the message of rank 1 that another thread's probe has seen as well, .* \[probe-race\]\n")
                self.assertIn("; This run deadlocked.\n", text)
                checked = run("check", self.folder / "run.ctp")
                self.assertEqual(checked.code, DEADLOCK, checked.text)
                self.assertIn("  deadlock: yes\n", checked.text)
                command = (*launcher(library, 3), self.folder / f"rank_threads.{library}", "together")
                verified = run("mpi", "verify", "--timeout", "60", "--runs", "1", "--", *command)
                self.assertEqual(verified.code, DEADLOCK, verified.text + verified.error_text)
                self.assertRegex(verified.text, r"the program deadlocks\n(  .*\n)*  .*waits for a receive from rank 1, tag 0\n")
                replayed = run("mpi", "replay", self.folder / "run.ctp", "--", *command)
                self.assertEqual(replayed.code, UNKNOWN, replayed.text + replayed.error_text)
                self.assertIn("cannot be replayed: a rank has several threads that call MPI", replayed.error_text)

    def test_what_orders_and_what_is_shared(self):
        for library in LIBRARIES:
            for what, code, there in (("own communicator", HOLDS, "(communicators [MPI_COMM_WORLD.1:0 2 1])"), ("same communicator", HOLDS, "/2 barrier)"),
                                      ("handed on", HOLDS, "(sndi S0_"), ("request", UNKNOWN, "; Incomplete: rank 0: tests/mpi/rank_threads.c:"), ("stuck", DEADLOCK, "(when (= ended_0_1 1))")):
                with self.subTest(library=library, what=what):
                    said, text = self.record(library, 2, what, code)
                    self.assertIn(there, text)
                    self.assertEqual("a call for a request of another thread; what this rank does from here on is not recorded\n" in said, what == "request", said)


if __name__ == "__main__":
    unittest.main()
