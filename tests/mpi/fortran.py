#!/usr/bin/env python3
"""Programs in Fortran are recorded, replayed and verified as those in C are: with mpif.h, `use mpi` and `use mpi_f08`, at their lines."""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from mpi import LIBRARIES, launcher, plainly
from support import FAILURE, HOLDS, UNKNOWN, InFolder, run

SOURCE = Path("tests/mpi/fortran.F90")
INTERFACES = {"mpif.h": ["-DWITH_MPIF_H"], "mpi": [], "mpi_f08": ["-DWITH_F08"]}
EVERY = [(library, interface) for library in LIBRARIES for interface in INTERFACES]


def some(test):
    """Each interface with one of the libraries; all with MATCHPOINT_EVERY=1."""
    turn = test % len(LIBRARIES)
    some_of_them = [(LIBRARIES[(turn + i) % len(LIBRARIES)], interface) for i, interface in enumerate(INTERFACES)]
    return EVERY if os.environ.get("MATCHPOINT_EVERY") == "1" else some_of_them


def line_of(text):
    return next(n for n, line in enumerate(SOURCE.read_text().splitlines(), 1) if text in line)


def marked():
    """(kind, line, rank) of the mistakes in `mistakes`."""
    found = set()
    for number, line in enumerate(SOURCE.read_text().splitlines(), 1):
        if mark := re.search(r"ierror\) ! ([a-z-]+-[a-z]+|truncation)((?: \d)+)$", line):
            found |= {(mark[1], number, rank) for rank in mark[2].split()}
    return found


class Fortran(InFolder):
    programs = {}

    @classmethod
    def setUpClass(cls):
        """Compiles all of them once."""
        super().setUpClass()
        built = tempfile.TemporaryDirectory()
        cls.addClassCleanup(built.cleanup)
        for library, interface in EVERY:
            folder = Path(built.name) / f"{library}-{interface}"
            folder.mkdir()
            # MPICH's f08 counts the results of MPI_Testsome from 0. In mpif.h, procedures have arguments of several types.
            quirks = ["-DFIRST_OF_TESTSOME=0"] if (library, interface) == ("mpich", "mpi_f08") else []
            subprocess.run([f"mpif90.{library}", "-g", "-O1", "-cpp", "-w", "-fallow-argument-mismatch", "-J", str(folder),
                            *INTERFACES[interface], *quirks, str(SOURCE), "-o", str(folder / "fortran")], check=True)
            cls.programs[library, interface] = str(folder / "fortran")

    def seen(self, name):
        return [(self.folder / f"{name}-{rank}").read_text() for rank in (0, 1)]

    def test_programs_see_the_same(self):
        """Statuses, indices, logicals, MPI_IN_PLACE, MPI_BOTTOM, sections, requests, handles; and every call has its line."""
        for (library, interface), program in self.programs.items():
            with self.subTest(library=library, interface=interface):
                file = self.folder / "run.ctp"
                command = [*launcher(library, 2), program, "all"]
                self.assertEqual(plainly([*command, self.folder / "plain"], self.folder).returncode, 0)
                expected = self.seen("plain")
                self.assertGreater(len(expected[1].splitlines()), 40)
                self.assertNotIn("wrong status", expected[1])
                result = run("mpi", "record", "--strict", "--timeout", "60", "-o", file, "--", *command, self.folder / "recorded")
                self.assertEqual(result.code, HOLDS, result.error_text)
                self.assertNotIn("incomplete", result.error_text)
                self.assertEqual(self.seen("recorded"), expected)
                places = set(re.findall(r'\(at "([^"]*)" (\d+)\)', file.read_text()))
                self.assertEqual({name for name, _ in places}, {str(SOURCE)})
                self.assertLess({line_of("call MPI_Sendrecv_replace(row"), line_of("call MPI_Startall"), line_of("call MPI_Improbe")},
                                {int(line) for _, line in places})
                result = run("mpi", "replay", "--timeout", "60", file, "--", *command, self.folder / "replayed")
                self.assertEqual(result.code, HOLDS, result.error_text)
                self.assertRegex(result.error_text, r"\n.*(\d+) of \1 receives took what they take in trace 1\n")
                self.assertEqual(self.seen("replayed"), expected)

    def test_a_race_is_predicted_and_confirmed(self):
        send, first, second = (line_of(f"the race: {what}") for what in ("sends", "the first", "the second"))
        for library, interface in some(0):
            with self.subTest(library=library, interface=interface):
                result = run("mpi", "verify", "--timeout", "60", "--", *launcher(library, 3), self.programs[library, interface], "race")
                self.assertEqual(result.code, FAILURE, result.text + result.error_text)
                self.assertIn("2 of 2 match sets tried, on 1 path, in 2 runs; nothing left\n", result.text)
                self.assertRegex(result.text, rf"path 1, as in fortran\.F90:{first} gets fortran\.F90:{send} of rank \d, "
                                              rf"fortran\.F90:{second} gets fortran\.F90:{send} of rank \d: ")
                self.assertRegex(result.text, r"confirmed by run \d: the program fails\n  \| ERROR STOP the message of rank 2 was first\n")

    def test_receives_that_are_posted_anew(self):
        """A rank leaves the schedule of a replay while receives of another one wait for it: those keep their handles."""
        for library, interface in some(1):
            with self.subTest(library=library, interface=interface):
                file, command = self.folder / "run.ctp", [*launcher(library, 3), self.programs[library, interface], "leaves"]
                self.assertEqual(run("mpi", "record", "--timeout", "60", "-o", file, "--", *command, "1").code, HOLDS)
                result = run("mpi", "replay", "--timeout", "60", file, "--", *command, "2")
                self.assertRegex(result.error_text, rf"{SOURCE}:\d+: rank [12] does something else than in the recorded run: a new path\n")
                self.assertEqual(result.error_text.count(" took a message of rank "), 3, result.error_text)
                self.assertEqual(result.code, UNKNOWN, result.error_text)

    def test_findings_have_lines(self):
        for library, interface in some(1):
            with self.subTest(library=library, interface=interface):
                result = run("mpi", "record", "--strict", "--timeout", "60", "-o", self.folder / "run.ctp", "--",
                             *launcher(library, 2), self.programs[library, interface], "mistakes")
                found = set()
                for line, ranks, kind in re.findall(rf"finding: {SOURCE}:(\d+): ranks? ([\d, ]+): .* \[([a-z-]+)\]\n", result.error_text):
                    found |= {(kind, int(line), rank) for rank in ranks.split(", ")}
                self.assertEqual(found, marked(), result.error_text)

    def test_failures(self):
        """`stop 3`, and an error of MPI, whose line is that of the call."""
        at = rf"{SOURCE}:{line_of('! dies')}"
        for library, interface in some(0):
            with self.subTest(library=library, interface=interface):
                for what, said in (("stops", r"rank 1 ended before MPI_Finalize\n"),
                                   ("dies", rf"MPI_ERR_RANK: [Ii]nvalid rank.* at {at}, in MPI_Send of ranks? "),
                                   ("dies", rf"finding: {at}: ranks? .*: MPI_Send: its destination is 9, .* \[argument\]\n")):
                    result = run("mpi", "record", "--timeout", "60", "-o", self.folder / "run.ctp", "--", *launcher(library, 2),
                                 self.programs[library, interface], what)
                    self.assertEqual(result.code, FAILURE, result.error_text)
                    self.assertRegex(result.error_text, said)

    def test_the_other_launcher(self):
        """The library of a program is known by its bindings, although it needs nothing else of MPI."""
        program = self.programs[LIBRARIES[0], "mpi_f08"]
        result = run("mpi", "record", "-o", self.folder / "run.ctp", "--", *launcher(LIBRARIES[-1], 2), program, "race")
        self.assertIn("fortran is a program of Open MPI, and `mpirun.mpich` is the launcher of MPICH\n", result.error_text)


if __name__ == "__main__":
    unittest.main()
