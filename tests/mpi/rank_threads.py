#!/usr/bin/env python3
"""Threads of a rank that call MPI (rank_threads.c), with both libraries: what is recorded is what the run did, `check` finds what another order
of them would do, and nothing that MPI forbids."""

import unittest

from mpi import LIBRARIES, compiled, launcher
from support import DEADLOCK, HOLDS, UNKNOWN, InFolder, run

SOURCE = "tests/mpi/rank_threads.c"
POSSIBLE = "possible: of what orders the threads of a rank, their creation and pthread_join are recorded, and locks are not\n"
#: program -> ranks, exit code, how the trace ends, whether there is a probe-race, whether another order leads elsewhere or to a deadlock
PROGRAMS = {"by turns": (3, HOLDS, "success", True, True, False),
            "together": (3, DEADLOCK, "deadlock", True, True, True),
            "joined": (3, HOLDS, "success", False, True, False),
            "matched": (3, HOLDS, "success", False, False, False),
            "own communicator": (2, HOLDS, "success", False, False, False),
            "same communicator": (2, HOLDS, "success", False, False, False),
            "handed on": (2, HOLDS, "success", False, False, False),
            "stuck": (2, DEADLOCK, "deadlock", False, False, True)}


class RankThreads(InFolder):
    def recorded(self, library, name, ranks):
        program = compiled(library, SOURCE, self.folder, "-pthread")
        command = (*launcher(library, ranks), program, name)
        return run("mpi", "record", "--timeout", "60", "-o", self.folder / "run.ctp", "--", *command), command

    def test_recordings(self):
        for library in LIBRARIES:
            for name, (ranks, code, ending, is_race, leaves, deadlocks) in PROGRAMS.items():
                with self.subTest(name, library=library):
                    result, command = self.recorded(library, name, ranks)
                    said = result.error_text
                    self.assertEqual(result.code, code, said)
                    self.assertRegex(said, rf"\nmatchpoint: Thread {ranks} is one of rank 0, and calls MPI first at {SOURCE}:\d+\n")
                    self.assertEqual("[probe-race" in said, is_race, said)
                    self.assertNotIn("incomplete", said)
                    file = self.folder / "run.ctp"
                    self.assertIn(f"trace 1: {ending}", run("run", file).text)
                    checked = run("check", "--timeout", "30", file).text
                    self.assertEqual("\n  leaves the path: yes\n" in checked, leaves, checked)
                    self.assertEqual("\n  deadlock: yes\n" in checked, deadlocks, checked)
                    self.assertNotIn("unknown", checked)
                    self.assertEqual(POSSIBLE in checked, leaves or deadlocks, checked)
                    replayed = run("mpi", "replay", file, "--", *command)
                    self.assertEqual(replayed.code, UNKNOWN, replayed.error_text)
                    self.assertIn("cannot be replayed: a rank has several threads that call MPI", replayed.error_text)

    def test_verify(self):
        """What runs show is true; what is not forced is said."""
        for library in LIBRARIES:
            for name, code in (("together", DEADLOCK), ("stuck", DEADLOCK), ("matched", UNKNOWN)):
                with self.subTest(name, library=library):
                    program = compiled(library, SOURCE, self.folder, "-pthread")
                    result = run("mpi", "verify", "--timeout", "60", "--", *launcher(library, PROGRAMS[name][0]), program, name)
                    self.assertEqual(result.code, code, result.text + result.error_text)
                    self.assertIn("calls from several threads are recorded, and not replayed: what this rank does from here on is left out\n", result.error_text)
                    self.assertEqual("the program deadlocks\n" in result.text, code == DEADLOCK, result.text)
                    if code == DEADLOCK:
                        self.assertRegex(result.text, rf"  {SOURCE}:\d+: rank 0 waits for the end of thread \d\n")

    def test_request_of_another_thread(self):
        for library in LIBRARIES:
            with self.subTest(library=library):
                result, _ = self.recorded(library, "request", 2)
                self.assertEqual(result.code, UNKNOWN, result.error_text)
                self.assertIn("a call for a request of another thread; what this rank does from here on is not recorded\n", result.error_text)
                self.assertIn("trace 1: ended", run("run", self.folder / "run.ctp").text)

    def test_threads_from_one_place(self):
        """They share a line of what is said."""
        text = ["matchpoint-mpi 1", "rank 0 1", "comm 0 0 0", f"source 1 12 {SOURCE}"]
        for thread in range(1, 4):
            text += [f"started {thread} 0 {len(text)}", f"thread {thread} 1", "others 0", f"ended {thread}", "thread 0 0"]
        (self.folder / "rank-00000.mpirec").write_text("\n".join(text) + "\nend\n")
        result = run("mpi", "merge", self.folder, "-o", self.folder / "run.ctp")
        self.assertIn(f"\nmatchpoint: Threads 1 to 3 are of rank 0, and call MPI first at {SOURCE}:12\n", result.error_text)


if __name__ == "__main__":
    unittest.main()
