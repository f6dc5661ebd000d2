#!/usr/bin/env python3
"""How runs end, said by `matchpoint mpi`: the error of MPI, the ranks that left, and where each rank waits in a run that is stuck."""

import json
import re
import unittest

from mpi import LIBRARIES, compiled, launcher, libraries, plainly
from support import DEADLOCK, ERROR, FAILURE, HOLDS, UNKNOWN, InFolder, run

SOURCE = r"\S*tests/mpi/ends\.c"


def line_of(text):
    """The first line of ends.c that has this."""
    with open("tests/mpi/ends.c", encoding="utf-8") as file:
        return next(n for n, line in enumerate(file, 1) if text in line)


# Each error, where it is made, and what Open MPI and MPICH say of it.
ERRORS = {"truncate": ("MPI_Recv", "MPI_Recv(&a, 1, MPI_INT, 1, 0, WORLD, s)", "MPI_ERR_TRUNCATE: [Mm]essage truncated"),
          "waitall": ("MPI_Waitall", "MPI_Waitall(2, q, MPI_STATUSES_IGNORE)", "MPI_ERR_TRUNCATE: [Mm]essage truncated"),
          "rank": ("MPI_Send", "99, 0, WORLD", "MPI_ERR_RANK: [Ii]nvalid rank.*"),
          "root": ("MPI_Bcast", "MPI_Bcast(", "MPI_ERR_ROOT: [Ii]nvalid root.*"),
          "type": ("MPI_Type_size", "MPI_Type_size(", "MPI_ERR_TYPE: [Ii]nvalid datatype.*"),
          "copy": ("MPI_Send", "99, 0, copy", "MPI_ERR_RANK: [Ii]nvalid rank.*")}


class Ends(InFolder):
    def program(self, library):
        return compiled(library, "tests/mpi/ends.c", self.folder)

    def test_errors(self):
        """Class, text and place; the library ends the run as it would."""
        for library in LIBRARIES:
            program = self.program(library)
            for what, (function, call, said) in ERRORS.items():
                with self.subTest(library=library, what=what):
                    command = [*launcher(library, 2), program, what]
                    quoted = rf"{said} at {SOURCE}:{line_of(call)}, in {function} of rank 0"
                    file = self.folder / "run.ctp"
                    result = run("mpi", "record", "--timeout", "60", "-o", file, "--", *command)
                    self.assertEqual(result.code, FAILURE, result.error_text)
                    self.assertRegex(result.error_text, rf"matchpoint: {quoted}\n")
                    self.assertRegex(file.read_text(), rf"\n; This run failed: exit code \d+\n; It said: {quoted}\n")
                    if what in ("truncate", "type"):
                        self.assertEqual(plainly(command, self.folder).returncode,
                                         int(re.search(r"the run failed: exit code (\d+)\n", result.error_text)[1]))
                    if what == "truncate":
                        self.assertRegex(run("run", file).text, rf"^trace 1: failed: exit code \d+: {quoted}; rank 0 ended before MPI_Finalize\n")
                        self.assertRegex(run("check", file).text, rf"the recorded run failed: exit code \d+: {quoted}; rank 0 ended before MPI_Finalize\n")
                        told = json.loads(run("check", "--format", "json", file).text)
                        self.assertRegex(json.dumps(told), rf'"recorded_run_failed": "exit code \d+: {quoted}"')
                        self.assertRegex(run("check", "--format", "sarif", file).text, quoted)

    def test_verify_tells_one_deadlock_once(self):
        """All wait at the same places in each of these runs, which the machine explains for some only."""
        library = libraries(self._testMethodName)[0]
        result = run("mpi", "verify", "--timeout", "60", "--", *launcher(library, 3), self.program(library), "takes")
        self.assertEqual(result.code, DEADLOCK, result.text)
        self.assertGreater(result.text.count(": deadlocked\n"), 1, result.text)
        self.assertEqual(result.text.count("confirmed by run"), 1, result.text)

    def test_verify_tells_first_what_needs_no_library(self):
        """Though it was found later, it is what -o writes."""
        library = libraries(self._testMethodName)[0]
        file = self.folder / "bug.ctp"
        result = run("mpi", "verify", "--timeout", "60", "-o", file, "--", *launcher(library, 3), self.program(library), "both")
        self.assertEqual(result.code, DEADLOCK, result.text)
        told = re.search(rf"\nconfirmed by run (\d+): the program deadlocks\n  rank 0: at {SOURCE}:{line_of('// nobody sends')} (.*\n)*?"
                         rf"  draw it: matchpoint draw {re.escape(str(file))} --trace 1.*\nconfirmed by runs? ([\d, ]+): the program deadlocks, if the send", result.text)
        self.assertTrue(told, result.text)
        self.assertGreater(int(told[1]), int(told[3].split(",")[0]))
        self.assertEqual(result.text.count("draw it: "), 1, result.text)
        self.assertTrue(file.read_text().startswith(f"; Run {told[1]} of: "))

    def test_verify_names_no_choice_that_is_none(self):
        library = libraries(self._testMethodName)[0]
        result = run("mpi", "verify", "--timeout", "60", "--", *launcher(library, 2), self.program(library), "looks")
        self.assertEqual(result.code, DEADLOCK, result.text)
        self.assertRegex(result.text, rf"\nrun 2: path 1, if the send at {SOURCE.replace('tests/mpi/', '')}:\d+ of rank 0 waits for its receive: deadlocked\n")

    @unittest.skipUnless("mpich" in LIBRARIES, "an assertion of UCX, which MPICH uses")
    def test_verify_quotes_assertions_of_the_library(self):
        result = run("mpi", "verify", "--timeout", "60", "--", *launcher("mpich", 2), self.program("mpich"), "lock")
        self.assertEqual(result.code, FAILURE, result.text)
        self.assertRegex(result.text, r"the program fails\n  \| rcache\.c:\d+ +Assertion `region->refcount == 0' failed")

    def test_verify_quotes_errors(self):
        for library in libraries(self._testMethodName):
            program = self.program(library)
            result = run("mpi", "verify", "--timeout", "60", "--", *launcher(library, 2), program, "truncate")
            self.assertEqual(result.code, FAILURE, result.text)
            self.assertRegex(result.text, rf"confirmed by runs? [\d, ]+: the program fails\n  \| MPI_ERR_TRUNCATE: [Mm]essage truncated at {SOURCE}:\d+, in MPI_Recv of rank 0\n")

    def test_errors_that_end_nothing(self):
        """They are returned, or the program handles them: it goes on, and the error is noted once."""
        for library in LIBRARIES:
            program = self.program(library)
            for what in ("returned", "handled"):
                with self.subTest(library=library, what=what):
                    result = run("mpi", "verify", "--timeout", "60", "--", *launcher(library, 2), program, what)
                    self.assertEqual(result.code, HOLDS, result.text + result.error_text)
                    self.assertEqual(len(re.findall(rf"note: {SOURCE}:\d+: MPI_Recv: it returned MPI_ERR_TRUNCATE: [Mm]essage truncated\n", result.error_text)), 1)

    def test_who_left(self):
        """Whatever the launcher makes of it."""
        for library in LIBRARIES:
            program = self.program(library)
            result = run("mpi", "verify", "--timeout", "60", "--", *launcher(library, 2), program, "leaves")
            self.assertEqual(result.code, FAILURE, result.text)
            self.assertRegex(result.text, r"run 1: new path 1: failed, exit code (1|0, before MPI_Finalize)\n")
            self.assertRegex(result.text, rf"the program fails\n  rank 0 ended before MPI_Finalize\n  {SOURCE}:\d+: rank 1 waits for a receive from rank 0, tag 0\n")
        for what, said in (("exits", r"\| no input\n  rank 0 ended before MPI_Finalize\n"), ("aborts", rf"{SOURCE}:\d+: rank 0 called MPI_Abort with code 3\n")):
            for library in libraries(what):
                result = run("mpi", "verify", "--timeout", "60", "--", *launcher(library, 2), self.program(library), what)
                self.assertEqual(result.code, FAILURE, result.text)
                self.assertRegex(result.text, rf"the program fails\n  {said}")

    def test_a_call_before_the_first(self):
        """The library dies by a signal in it, so that nothing says so at the end of the process."""
        for library in LIBRARIES:
            program = compiled(library, "tests/mpi/crashes.c", self.folder, "-rdynamic", "-ldl")
            for command in (["record", "-o", self.folder / "run.ctp"], ["verify"]):
                with self.subTest(library=library, command=command[0]):
                    result = run("mpi", *command, "--timeout", "60", "--", *launcher(library, 2), program, "early")
                    self.assertEqual(result.code, FAILURE, result.text + result.error_text)
                    self.assertIn("MPI_Recv was called before MPI_Init\n", result.text + result.error_text)

    def test_a_launcher_that_does_not_end(self):
        """Open MPI's hangs now and then after MPI_Abort. The run has failed all the same, before its time limit. Three seconds: it is waited for."""
        for library in libraries(self._testMethodName):
            script = self.folder / f"mpirun.{library}"
            script.write_text(f'#!/bin/sh\n[ "$1" = --version ] && exec mpirun.{library} --version\nmpirun.{library} "$@"\nexec sleep 50\n')
            script.chmod(0o755)
            result = run("mpi", "verify", "--timeout", "40", "--", script, "-n", "2", self.program(library), "aborts")
            self.assertEqual(result.code, FAILURE, result.text)
            self.assertIn("run 1: new path 1: failed, exit code 3\n", result.text)
            self.assertRegex(result.text, rf"the program fails\n  {SOURCE}:\d+: rank 0 called MPI_Abort with code 3\n")


class Stuck(InFolder):
    def program(self, library):
        return compiled(library, "tests/mpi/ends.c", self.folder)

    def test_any_source(self):
        """A nonblocking receive from anybody has what the blocking one waits for; the rank has not looked. The prediction is confirmed."""
        for library in LIBRARIES:
            command = [*launcher(library, 3), self.program(library), "any"]
            file, witness = self.folder / "run.ctp", self.folder / "witness.ctp"
            result = run("mpi", "record", "--timeout", "60", "-o", file, "--", *command)
            self.assertEqual(result.code, HOLDS, result.error_text)
            self.assertEqual(run("check", file, "-o", witness).code, DEADLOCK)
            result = run("mpi", "replay", "--timeout", "60", witness, "--", *command)
            self.assertEqual(result.code, DEADLOCK, result.error_text)
            self.assertIn("confirmed: the deadlock happened\n", result.error_text)
            self.assertNotIn("0 of ", result.error_text)  # nobody sees what the nonblocking receive has
            result = run("mpi", "verify", "-o", file, "--", *command)
            self.assertEqual(result.code, DEADLOCK, result.text)
            self.assertNotIn("not confirmed", result.text)
            result = run("mpi", "replay", "--timeout", "60", file, "--", *command)
            # What the nonblocking receive had is not recorded, so it is not forced.
            self.assertEqual("confirmed: the " in result.error_text and "not confirmed" not in result.error_text, result.code == DEADLOCK, result.error_text)
            self.assertEqual("not confirmed: the " in result.error_text, result.code == UNKNOWN, result.error_text)

    def test_faults(self):
        """A replay does at collectives that do not match what the program does: it gets stuck in their blocking calls. A ready send may come early."""
        file, witness = self.folder / "run.ctp", self.folder / "witness.ctp"
        for library in LIBRARIES:
            command = ["--timeout", "60", "--", *launcher(library, 2), self.program(library)]
            self.assertEqual(run("mpi", "record", "-o", file, *command, "mismatch").code, DEADLOCK)
            checked = run("check", file, "-o", witness)
            self.assertEqual(checked.code, ERROR)
            self.assertIn("\n  the recorded run deadlocked; the fault may be why\n", checked.text)
            self.assertRegex(checked.text, r"\n  deadlock: unknown, beside that of the recorded run\n"
                                           r"    ranks? [01, ]+ (was|were) blocked when the recorded run deadlocked: what (it|they) would have done next is not recorded\n")
            self.assertRegex(witness.read_text(), r"\n; That run deadlocked\.\n; rank [01] waits in a call of that run\n")
            fault = r"collective calls do not match, a fault: collective 1 of MPI_COMM_WORLD: MPI_Bcast \(ends\.c:\d+\) in rank 0, MPI_Reduce \(ends\.c:\d+\) in rank 1"
            for trace in (file, witness):
                with self.subTest(library=library, trace=trace.name):
                    result = run("mpi", "replay", trace, *command, "mismatch")
                    self.assertEqual(result.code, DEADLOCK, result.error_text)
                    self.assertIn("matchpoint: trace 1, which leads to a fault\n", result.error_text)
                    self.assertRegex(result.error_text, rf"matchpoint: confirmed: {fault}; the run then deadlocked\n")
        result = run("mpi", "replay", witness, *command, "ready")
        self.assertEqual(result.code, UNKNOWN, result.error_text)
        self.assertRegex(result.error_text, rf"matchpoint: not confirmed: in the trace {fault}; the run did not make both\n")
        self.assertEqual(run("mpi", "record", "-o", file, *command, "ready").code, HOLDS)
        self.assertEqual(run("check", file, "-o", witness).code, ERROR)
        result = run("mpi", "replay", witness, *command, "ready")
        self.assertEqual(result.code, UNKNOWN, result.error_text)
        self.assertIn("matchpoint: trace 2, which leads to a fault\n", result.error_text)
        self.assertRegex(result.error_text, r"matchpoint: not confirmed: in the trace a ready send comes before its receive, a fault: ends\.c:\d+ of rank 0 .*")

    def test_ranks_that_would_go_on(self):
        """What ranks would do after the calls that they are in may end a wait: only both sends together are a deadlock for sure."""
        file, witness = self.folder / "run.ctp", self.folder / "witness.ctp"
        for library in LIBRARIES:
            command = ["--timeout", "60", "--", *launcher(library, 2), self.program(library), "heads"]
            self.assertEqual(run("mpi", "record", "-o", file, *command).code, DEADLOCK)
            result = run("check", file, "-o", witness)
            self.assertEqual(result.code, DEADLOCK, result.text)
            line = line_of("// head to head")
            self.assertIn(f"    if the library does not buffer ends.c:{line} of rank 0 and ends.c:{line} of rank 1\n", result.text)
            self.assertEqual(run("check", "--buffering", "infinite", file).code, UNKNOWN)
            result = run("mpi", "replay", witness, *command)
            self.assertEqual(result.code, DEADLOCK, result.error_text)
            self.assertIn("matchpoint: confirmed: the deadlock happened\n", result.error_text)

    def test_loops_of_tests(self):
        """Who only tests, and nobody moves, waits."""
        said = {"test": r"for a receive from rank 1, tag 0, begun at {at} in a loop of tests",
                "testany": r"for several requests: a receive from rank 1, tag 0, begun at {at}; a receive from rank 1, tag 1, begun at {at} in a loop of tests",
                "iprobe": r"for a message from any rank, tag 0 in a loop of probes",
                "waitsome": r"for several requests: a receive from rank 1, tag 0, begun at {at}; a receive from rank 1, tag 1, begun at {at}"}
        for what, words in said.items():
            for library in libraries(what):
                with self.subTest(library=library, what=what):
                    file = self.folder / "run.ctp"
                    command = [*launcher(library, 2), self.program(library), what]
                    result = run("mpi", "record", "--timeout", "60", "-o", file, "--", *command)
                    self.assertEqual(result.code, DEADLOCK, result.error_text)
                    words = words.format(at=rf"{SOURCE}:\d+")
                    self.assertRegex(result.error_text, rf"matchpoint: {SOURCE}:\d+: rank 0 waits {words}\n")
                    self.assertRegex(file.read_text(), rf"\n; This run deadlocked\.\n; {SOURCE}:\d+: rank 0 waits {words}\n; {SOURCE}:\d+: rank 1 waits for a receive from rank 0, tag 0\n")
                    self.assertTrue(run("run", file).text.startswith("trace 1: deadlock (the trace stops early)\n"))
                    result = run("mpi", "replay", "--timeout", "60", file, "--", *command)
                    self.assertIn("confirmed: the deadlock happened\n", result.error_text)

    def test_detach(self):
        """A library may need the receives of buffered messages before it gives their buffer back."""
        for library in LIBRARIES:
            command = ["mpi", "verify", "--timeout", "60", "--", *launcher(library, 2), self.program(library)]
            line = line_of("// buffered")
            result = run(*command, "detach")
            self.assertEqual(result.code, DEADLOCK, result.text + result.error_text)
            self.assertIn(f"run 2: path 1, if the send at ends.c:{line} of rank 0 waits for its receive: deadlocked\n", result.text)
            self.assertRegex(result.text, rf"  rank 0: at {SOURCE}:{line_of('MPI_Buffer_detach(')} \(wait\)\n")
            result = run(*command, "detach, first")
            self.assertEqual(result.code, HOLDS, result.text + result.error_text)

    def test_notes_in_a_call(self):
        """A rank that waits in a call with a finding is in that call, and the run is ended when nobody has moved, not at its time limit."""
        for library in LIBRARIES:
            result = run("mpi", "verify", "--timeout", "60", "--", *launcher(library, 2), self.program(library), "overlap")
            self.assertEqual(result.code, DEADLOCK, result.text + result.error_text)
            self.assertIn("run 1: new path 1: deadlocked\n", result.text)
            self.assertRegex(result.text, rf"finding: {SOURCE}:{line_of('// overlaps')}: rank 0: MPI_Allreduce: .* \[buffer-overlap\]\n")

    def test_disconnect(self):
        """Whether MPI_Comm_disconnect waits for the others is up to the library."""
        for library in libraries(self._testMethodName):
            result = run("mpi", "record", "--patience", "0.2", "--timeout", "60", "--", *launcher(library, 2), self.program(library), "disconnect")
            if library == "openmpi":
                self.assertEqual(result.code, DEADLOCK, result.error_text)
                self.assertRegex(result.error_text, rf"matchpoint: {SOURCE}:{line_of('MPI_Comm_disconnect(')}: rank 0 waits in MPI_Comm_disconnect\n"
                                                    rf"matchpoint: {SOURCE}:\d+: rank 1 waits for a receive from rank 0, tag 0\n")
            else:
                self.assertEqual(result.code, HOLDS, result.error_text)

    def test_windows(self):
        """Nobody posts, completes, unlocks, or calls with the others: each rank is named with its call. What was found before is said, too."""
        waits = {"create": (("in MPI_Win_create", "MPI_Win_create("), ("for a receive from rank 0, tag 0", "MPI_Recv(&one")),
                 "start": (("in MPI_Win_start", "if (rank == 0) MPI_Win_start("), ("in MPI_Barrier", "// posted")),
                 "complete": (("in MPI_Barrier", "// posted"), ("in MPI_Win_wait", "MPI_Win_wait(")),
                 "unlock": (("in MPI_Barrier", "// unlocked"), ("in MPI_Win_(un)?lock", "?")),
                 "fence": (("in MPI_Win_fence", "// alone"), ("in MPI_Barrier", "// all"))}
        for what, ranks in waits.items():
            for library in libraries(what):
                with self.subTest(library=library, what=what):
                    said = [rf"{SOURCE}:{line_of(call) if '?' not in call else '[0-9]+'}: rank {rank} waits {words}\n" for rank, (words, call) in enumerate(ranks)]
                    file = self.folder / "run.ctp"
                    command = ["--patience", "0.2", "--timeout", "60", "--", *launcher(library, 2), self.program(library), what]
                    if what == "start":
                        result = run("mpi", "record", "-o", file, *command)
                        self.assertEqual(result.code, DEADLOCK, result.error_text)
                        self.assertRegex(result.error_text, "matchpoint: " + "matchpoint: ".join(said))
                    result = run("mpi", "verify", "-o", file, *command)
                    self.assertEqual(result.code, DEADLOCK, result.text)
                    self.assertRegex(file.read_text(), r"\n; This run deadlocked\.\n" + "".join("; " + line for line in said))
                    self.assertRegex(result.text, r"confirmed by run 1: the program deadlocks\n" + "".join("  " + line for line in said))
        for library in libraries("twice"):
            result = run("mpi", "verify", "--patience", "0.2", "--timeout", "60", "--", *launcher(library, 2), self.program(library), "twice")
            self.assertIn(result.code, (DEADLOCK, FAILURE), result.text)
            self.assertRegex(result.text, rf"{SOURCE}:{line_of('// again')}: rank 0: MPI_Win_start: the epoch of an earlier MPI_Win_start is open .*\[double-epoch\]")

    def test_a_lock_that_is_held(self):
        """Who waits for a lock is not stuck while the other rank is at work."""
        for library in libraries(self._testMethodName):
            result = run("mpi", "verify", "--patience", "0.1", "--timeout", "60", "--", *launcher(library, 2), self.program(library), "holds")
            self.assertEqual(result.code, UNKNOWN, result.text)  # which rank gets the lock first is not tried
            self.assertIn("run 1: new path 1: ended well", result.text)

    def test_whatever_the_machine_finds(self):
        """The library does not return from a receive whose message was sent: the program is stuck all the same."""
        for library in libraries(self._testMethodName):
            program = compiled(library, "tests/mpi/crashes.c", self.folder, "-rdynamic", "-ldl")
            command = ["--patience", "0.1", "--timeout", "60", "--", *launcher(library, 2), program, "never returns"]
            result = run("mpi", "record", "-o", self.folder / "run.ctp", *command)
            self.assertEqual(result.code, DEADLOCK, result.error_text)
            self.assertIn("matchpoint: the run got stuck: nobody has moved for long, so it was ended, although by the recording somebody can go on\n", result.error_text)
            result = run("mpi", "verify", "--runs", "1", *command)
            self.assertEqual(result.code, DEADLOCK, result.text)
            self.assertRegex(result.text, r"run 1: new path 1: got stuck\n(.*\n)*confirmed by run 1: the program gets stuck: .*\n  \S*crashes\.c:\d+: rank 0 waits for a receive from rank 1, tag 0\n")

    def test_a_replay_that_is_held(self):
        """A replay that gets stuck although somebody can go on: perhaps by what it forces, so that nothing is confirmed."""
        for library in libraries(self._testMethodName):
            program = compiled(library, "tests/mpi/crashes.c", self.folder, "-rdynamic", "-ldl")
            result = run("mpi", "verify", "--patience", "0.1", "--timeout", "60", "--", *launcher(library, 3), program, "another order")
            self.assertEqual(result.code, UNKNOWN, result.text)
            self.assertRegex(result.text, r"\nrun 2: path 1, as in .*: got stuck\n1 of 2 match sets tried, on at least 1 path, in 2 runs; stopped: 1 replay got stuck\n"
                                          r"not confirmed: run 2 got stuck, although by the recording somebody can go on; what the replay forces may be what holds it:\n"
                                          r"  \S*crashes\.c:\d+: rank 0 waits for a receive from any rank, tag 0\n")

    def test_a_replay_that_ranks_leave(self):
        """Receives that were to take another message let the run go on, whatever their rank is doing meanwhile. Ten seconds: a record and a
        replay for each call that a rank can be in."""
        for library in libraries(self._testMethodName):
            program, file = compiled(library, "tests/mpi/leaves.c", self.folder), self.folder / "run.ctp"
            for how in ("wait", "test", "testany", "iprobe", "probe", "send", "exchange", "barrier"):
                with self.subTest(library=library, how=how):
                    command = ["--timeout", "60", "--", *launcher(library, 3), program, how]
                    result = run("mpi", "record", "-o", file, *command)
                    self.assertEqual(result.code, HOLDS, result.error_text)
                    result = run("mpi", "replay", file, *command)
                    self.assertEqual(result.code, UNKNOWN, result.error_text)
                    self.assertIn("does something else than in the recorded run: a new path\n", result.error_text)
                    self.assertRegex(result.error_text, r"R0_0 took a message of rank 1 with tag 0 instead of S2_\d\n")
                    self.assertNotIn("stuck", result.error_text)

    def test_a_loop_that_ends(self):
        """Who tests now and then while it works is not stuck."""
        for library in libraries(self._testMethodName):
            result = run("mpi", "record", "--timeout", "60", "-o", self.folder / "run.ctp", "--", *launcher(library, 2), self.program(library), "busy")
            self.assertEqual(result.code, HOLDS, result.error_text)


if __name__ == "__main__":
    unittest.main()
