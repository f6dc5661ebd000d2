#!/usr/bin/env python3
"""`matchpoint mpi record`, `replay` and `merge`: what is recorded, how runs end, and what is refused."""

import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path

from mpi import LIBRARIES, compiled, launcher, libraries, plainly
from support import (BAD_INPUT, DEADLOCK, ERROR, FAILURE, HOLDS, MATCHPOINT, OUTPUT_FAILED, SOLVER_FAILED, UNKNOWN, InFolder, long_test,
                     run)

HEAD = """
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#define WORLD MPI_COMM_WORLD
#define IGNORED MPI_STATUS_IGNORE
static int rank, size, a, b, c; static MPI_Status s; static MPI_Request q[8];
static void begin(int *argc, char ***argv) { MPI_Init(argc, argv); MPI_Comm_rank(WORLD, &rank); MPI_Comm_size(WORLD, &size); }
static void first(void *in, void *out, int *n, MPI_Datatype *type) { (void)in, (void)out, (void)n, (void)type; } // an operation
static void use(void) { (void)first; (void)a; (void)b; (void)c; (void)s; (void)q; (void)begin; }
"""


LIMITS = ("1", "4", "16", "64")  # seconds, for a run that is to reach its limit: the later ones if a busy machine kept the ranks from beginning
CALLS = int(os.environ.get("MATCHPOINT_CALLS", "100000"))  # of the large run


def with_in_environment(variable):
    """The processes that have this in their environment."""
    found = []
    for file in Path("/proc").glob("[0-9]*/environ"):
        try:
            if f"{variable}\0".encode() in file.read_bytes():
                found.append(file)
        except OSError:  # another's, or it has ended
            continue
    return found


class Recording(InFolder):
    def program(self, library, body):
        source = self.folder / "program.c"
        source.write_text(f"{HEAD}int main(int argc, char** argv) {{ use(); begin(&argc, &argv);\n{body}\nMPI_Finalize(); return 0; }}\n")
        return compiled(library, source, self.folder)

    def record(self, library, ranks, program, *options):
        return run("mpi", "record", "-o", self.folder / "run.ctp", *options, "--", *launcher(library, ranks), program)

    def record_well(self, library, ranks, program):
        """A run in which the late message comes late. It nearly always does; a busy machine may need another run."""
        for _ in range(10):
            if self.record(library, ranks, program).code == HOLDS:
                return
        self.fail("the message that should come late never does")

    def interrupted(self, words, command, numbers, pause=0.0, begins="MPI_Barrier"):
        """What a command does that gets signals once both ranks have called this, or at once. It must leave no process and no folder."""
        scratch = self.folder / f"scratch-{len(list(self.folder.iterdir()))}"
        scratch.mkdir()
        process = subprocess.Popen([MATCHPOINT, "mpi", *words, "--", *command], env={**os.environ, "TMPDIR": str(scratch)},
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while not list(scratch.glob("matchpoint.*")) or (
                begins and sum(begins in file.read_text() for file in scratch.rglob("*.mpirec")) < 2):
            time.sleep(0.02)
        for number in numbers:
            process.send_signal(number)
            time.sleep(pause)
        out, err = process.communicate(timeout=60)
        self.assertEqual(list(scratch.glob("matchpoint.*")), [])
        self.ends(lambda: with_in_environment(f"TMPDIR={scratch}"))
        return process.returncode, out, err

    def ends(self, processes):
        """A process that was killed may need a moment to go."""
        end = time.monotonic() + 30
        while processes() and time.monotonic() < end:
            time.sleep(0.1)
        self.assertFalse(processes())

    def threads(self):
        """The commands of each rank, without locations and places, and without tests, which depend on time."""
        text = run("fmt", self.folder / "run.ctp").text
        threads = re.findall(r"^  \(\n(.*?)^  \)", text, re.MULTILINE | re.DOTALL)
        return [[re.sub(r' \(at "[^"]*" \d+\)\]|\]', "", line.split(" ", 1)[1]) for line in thread.strip().splitlines()
                 if line.strip() != "bot" for line in [line.strip()] if not re.match(r"\S+ \((test|iprobe) ", line)] for thread in threads]

    def each(self, ranks, body, code=HOLDS, options=()):
        """The threads, recorded with each MPI library: the same."""
        found = []
        for library in libraries(self._testMethodName):
            with self.subTest(library=library):
                result = self.record(library, ranks, self.program(library, body), *options)
                self.assertEqual(result.code, code, result.error_text)
                found.append(self.threads())
        self.assertTrue(all(threads == found[0] for threads in found), found)
        return found[0]


class WhatIsRecorded(Recording):
    def test_sends(self):
        """Each kind of send, blocking and not."""
        zero, one = self.each(2, """
            char space[1000]; MPI_Buffer_attach(space, sizeof space); a = 7;
            if (rank == 0) {
                MPI_Send(&a, 1, MPI_INT, 1, 0, WORLD); MPI_Ssend(&a, 1, MPI_INT, 1, 3, WORLD); MPI_Bsend(&a, 1, MPI_INT, 1, 0, WORLD);
                MPI_Issend(&a, 1, MPI_INT, 1, 0, WORLD, q); MPI_Ibsend(&a, 1, MPI_INT, 1, 0, WORLD, q + 1); MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
                MPI_Send(&a, 1, MPI_INT, MPI_PROC_NULL, 0, WORLD);
            } else for (int i = 0; i < 5; ++i) MPI_Recv(&b, 1, MPI_INT, 0, MPI_ANY_TAG, WORLD, IGNORED);""")
        self.assertEqual(zero, ["(sndi S0_0 0 1 7)", "(wait S0_0)", "(ssndi S0_1 0 1 7 (tag 3))", "(wait S0_1)", "(bsndi S0_2 0 1 7)",
                                "(ssndi S0_3 0 1 7)", "(bsndi S0_4 0 1 7)", "(wait S0_3)"])
        self.assertEqual(one[:2], ["(rcvi R1_0 1 x1_0 (from 0))", "(wait R1_0)"])

    def test_requests_of_no_rank(self):
        """A request of MPI_PROC_NULL may be returned first: a program that this harms is not called right."""
        for library in libraries(self._testMethodName):
            for call in ("MPI_Waitany(2, q, &n, IGNORED);", "MPI_Waitsome(2, q, &n, at, MPI_STATUSES_IGNORE);",
                         "while (MPI_Testany(2, q, &n, &b, IGNORED), !b);", "do MPI_Testsome(2, q, &n, at, MPI_STATUSES_IGNORE); while (n == 0);"):
                with self.subTest(library=library, call=call):
                    program = self.program(library, f"""
                        int n, at[2]; (void)n; (void)at;
                        if (rank == 0) {{
                            MPI_Irecv(&a, 1, MPI_INT, 1, 0, WORLD, q); MPI_Irecv(&b, 1, MPI_INT, MPI_PROC_NULL, 0, WORLD, q + 1);
                            {call} MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
                        }} else MPI_Send(&a, 1, MPI_INT, 0, 0, WORLD);""")
                    result = self.record(library, 2, program)
                    self.assertEqual(result.code, UNKNOWN, result.error_text)
                    self.assertRegex(result.error_text, r"incomplete: \S*program\.c:\d+: MPI_\w+: a request that is not recorded, as one of MPI_PROC_NULL, may be complete first")

    def test_ready_sends(self):
        """One that comes in time only by chance is a fault of another run, and `verify` says so, and tries everything else; one that a
        barrier holds back is not."""
        for library in libraries(self._testMethodName):
            with self.subTest(library=library):
                early = self.program(library, """
                    if (rank == 0) { usleep(200000); MPI_Rsend(&a, 1, MPI_INT, 1, 0, WORLD); }
                    else MPI_Recv(&b, 1, MPI_INT, 0, 0, WORLD, IGNORED);""")
                self.assertEqual(self.record(library, 2, early).code, HOLDS)
                self.assertEqual(self.threads(), [["(rsndi S0_0 0 1 0)", "(wait S0_0)"], ["(rcvi R1_0 1 x1_0 (from 0))", "(wait R1_0)"]])
                checked = run("check", self.folder / "run.ctp")
                self.assertIn("\n  fault: yes\n", checked.text)
                self.assertIn("program.c:", checked.text)
                self.assertIn(" is a ready send, and no posted receive can get its message\n", checked.text)
                verified = run("mpi", "verify", "--timeout", "60", "--", *launcher(library, 2), early)
                self.assertEqual(verified.code, ERROR, verified.text)
                self.assertIn("; nothing left\n", verified.text)
                self.assertRegex(verified.text, r"\npath 1: a ready send can come before its receive, a fault: program\.c:\d+ of rank 0 is a "
                                 "ready send, and no posted receive can get its message\n")
                held = self.program(library, """
                    if (rank == 0) { MPI_Barrier(WORLD); MPI_Rsend(&a, 1, MPI_INT, 1, 0, WORLD); }
                    else { MPI_Irecv(&b, 1, MPI_INT, 0, 0, WORLD, q); MPI_Barrier(WORLD); MPI_Wait(q, IGNORED); }""")
                self.assertEqual(self.record(library, 2, held).code, HOLDS)
                checked = run("check", self.folder / "run.ctp")
                self.assertEqual(checked.code, HOLDS, checked.text)
                self.assertIn("\n  fault: no\n", checked.text)

    def test_receives(self):
        zero, _ = self.each(2, """
            if (rank == 1) for (int i = 0; i < 4; ++i) MPI_Send(&i, 1, MPI_INT, 0, i, WORLD);
            else {
                MPI_Recv(&b, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, &s); MPI_Irecv(&b, 1, MPI_INT, 1, MPI_ANY_TAG, WORLD, q);
                MPI_Irecv(&c, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, q + 1); MPI_Wait(q, &s); MPI_Wait(q + 1, &s);
                MPI_Recv_init(&a, 1, MPI_INT, 1, 3, WORLD, q); MPI_Start(q); MPI_Wait(q, &s); MPI_Request_free(q);
                if (a != 3) abort();
            }""")
        self.assertEqual(zero, ["(rcvi R0_0 0 x0_0 (tag 0))", "(wait R0_0)", "(rcvi R0_1 0 x0_1 (from 1))", "(rcvi R0_2 0 x0_2)",
                                "(wait R0_1)", "(wait R0_2)", "(rcvi R0_3 0 x0_3 (from 1) (tag 3))", "(wait R0_3)"])

    def test_exchange(self):
        zero, _ = self.each(2, "a = rank; MPI_Sendrecv(&a, 1, MPI_INT, 1 - rank, 0, &b, 1, MPI_INT, 1 - rank, 0, WORLD, IGNORED);"
                               "MPI_Sendrecv_replace(&a, 1, MPI_INT, 1 - rank, 0, 1 - rank, 0, WORLD, IGNORED); if (a != 1 - rank) abort();")
        self.assertEqual(zero, ["(rcvi R0_0 0 x0_0 (from 1))", "(sndi S0_1 0 1 0)", "(wait R0_0)", "(wait S0_1)",
                                "(rcvi R0_2 0 x0_2 (from 1))", "(sndi S0_3 0 1 0)", "(wait R0_2)", "(wait S0_3)"])

    def test_probes(self):
        """A receive of what a probe saw takes that."""
        zero, _ = self.each(2, """
            if (rank == 1) { for (int i = 1; i < 4; ++i) MPI_Send(&i, 1, MPI_INT, 0, i, WORLD); }
            else {
                MPI_Message m; int flag = 0;
                MPI_Probe(MPI_ANY_SOURCE, 1, WORLD, &s); MPI_Recv(&a, 1, MPI_INT, s.MPI_SOURCE, s.MPI_TAG, WORLD, IGNORED);
                MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &m, &s); MPI_Mrecv(&a, 1, MPI_INT, &m, IGNORED);
                while (!flag) MPI_Iprobe(1, MPI_ANY_TAG, WORLD, &flag, &s);
                MPI_Recv(&a, 1, MPI_INT, s.MPI_SOURCE, s.MPI_TAG, WORLD, IGNORED); if (a != 3) abort();
            }""")
        self.assertEqual(zero, ["(mprobe R0_0.P0 0 (tag 1))", "(start R0_0.P0 x0_0)", "(wait R0_0.P0)", "(mprobe R0_1 0)", "(start R0_1 x0_1)",
                                "(wait R0_1)", "(mprobe R0_2.P1 0 (from 1))", "(start R0_2.P1 x0_2)", "(wait R0_2.P1)"])

    def test_probes_that_take_nothing(self):
        """The first receive may take another message than the probe saw; another receive can take what the second probe saw."""
        zero, _ = self.each(2, """
            if (rank == 1) { for (int i = 0; i < 3; ++i) MPI_Send(&i, 1, MPI_INT, 0, 1, WORLD); }
            else {
                MPI_Probe(1, 1, WORLD, &s); MPI_Recv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 1, WORLD, IGNORED);
                MPI_Probe(MPI_ANY_SOURCE, 1, WORLD, &s); MPI_Probe(s.MPI_SOURCE, s.MPI_TAG, WORLD, &s); MPI_Irecv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 1, WORLD, q);
                MPI_Recv(&b, 1, MPI_INT, s.MPI_SOURCE, s.MPI_TAG, WORLD, IGNORED); MPI_Wait(q, IGNORED);
            }""")
        self.assertEqual(zero, ["(probe P0_0 0 (from 1) (tag 1))", "(rcvi R0_0 0 x0_0 (tag 1))", "(wait R0_0)", "(probe P0_1 0 (tag 1))",
                                "(rcvi R0_1 0 x0_1 (tag 1))", "(rcvi R0_2 0 x0_2 (from 1) (tag 1))", "(wait R0_2)", "(wait R0_1)"])
        self.assertEqual((self.folder / "run.ctp").read_text().count("(peek 0 1)"), 2)

    def test_collectives(self):
        zero, one, two = self.each(3, """
            int all[3]; a = rank;
            MPI_Bcast(&a, 1, MPI_INT, 1, WORLD); MPI_Reduce(&a, &b, 1, MPI_INT, MPI_SUM, 0, WORLD); MPI_Barrier(WORLD);
            MPI_Allgather(&a, 1, MPI_INT, all, 1, MPI_INT, WORLD); MPI_Scan(&rank, &b, 1, MPI_INT, MPI_SUM, WORLD);
            MPI_Ibarrier(WORLD, q); MPI_Wait(q, IGNORED);""")
        world = "MPI_COMM_WORLD"
        for rank, calls in enumerate((zero, one, two)):
            self.assertEqual(calls, [f"(collective C{rank}_0 {world} bcast (root 1) (type MPI_INT) (count 1))",
                                     f"(collective C{rank}_1 {world} reduce (root 0) (op MPI_SUM) (type MPI_INT) (count 1))",
                                     f"(collective C{rank}_2 {world} barrier)", f"(collective C{rank}_3 {world} allgather (type MPI_INT) (count 1))",
                                     f"(collective C{rank}_4 {world} scan (op MPI_SUM) (type MPI_INT) (count 1))",
                                     f"(icollective C{rank}_5 {world} barrier)", f"(wait C{rank}_5)"])

    def test_what_collectives_say(self):
        """Counts are those of elements of a basic type, whatever types the ranks use; with MPI_IN_PLACE those of what comes in."""
        threads = self.each(2, """
            int all[16] = {0}, counts[2] = {1, 2}, starts[2] = {0, 1}, own = 1 + rank; double d = 0, e; char packed[8];
            struct { int i; double d; } mixed = {0, 0}; MPI_Datatype pair, vector, of_both; MPI_Op op;
            MPI_Type_contiguous(2, MPI_INT, &pair); MPI_Type_commit(&pair); MPI_Type_vector(3, 1, 2, pair, &vector); MPI_Type_commit(&vector);
            MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 8}, (MPI_Datatype[]){MPI_INT, MPI_DOUBLE}, &of_both); MPI_Type_commit(&of_both);
            MPI_Op_create(first, 1, &op);
            if (rank == 0) MPI_Bcast(all, 1, vector, 0, WORLD); else MPI_Bcast(all, 6, MPI_INT, 0, WORLD);
            MPI_Bcast(&mixed, 1, of_both, 0, WORLD); MPI_Bcast(packed, 4, MPI_PACKED, 0, WORLD); MPI_Bcast(all, 0, MPI_INT, 0, WORLD);
            MPI_Allreduce(&d, &e, 1, MPI_DOUBLE, op, WORLD); MPI_Allreduce(MPI_IN_PLACE, all, 2, MPI_INT, MPI_MAX, WORLD);
            MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 3, MPI_INT, WORLD);
            MPI_Gatherv(&a, own, MPI_INT, all, counts, starts, MPI_INT, 0, WORLD); MPI_Alltoallv(all, counts, starts, MPI_INT, all + 8, (int[]){own, own}, starts, MPI_INT, WORLD);
            MPI_Reduce_scatter(all, all + 8, counts, MPI_INT, MPI_SUM, WORLD); MPI_Exscan(&a, &b, 1, MPI_INT, MPI_BAND, WORLD);
            MPI_Op_free(&op); MPI_Type_free(&of_both); MPI_Type_free(&vector); MPI_Type_free(&pair);""")
        said = [" ".join(command.split()[3:])[:-1] for command in threads[0]]
        bcast = "bcast (root 0)"
        self.assertEqual(said, [f"{bcast} (type MPI_INT) (count 6)", bcast, bcast, f"{bcast} (count 0)", "allreduce (op user) (type MPI_DOUBLE) (count 1)",
                                "allreduce (op MPI_MAX) (type MPI_INT) (count 2)", "allgather (type MPI_INT) (count 3)", "gatherv (root 0) (type MPI_INT) (count 1 2)",
                                "alltoallv (type MPI_INT) (count 1 2)", "reduce_scatter (op MPI_SUM) (type MPI_INT) (count 1 2)",
                                "exscan (op MPI_BAND) (type MPI_INT) (count 1)"])
        self.assertEqual([" ".join(command.split()[3:])[:-1] for command in threads[1] if "gatherv" in command], ["gatherv (root 0) (type MPI_INT) (count 2)"])
        self.assertEqual(run("check", self.folder / "run.ctp").code, HOLDS)

    def test_members(self):
        """They are declared where their order is another one, or where one of them does not call."""
        self.each(3, """
            MPI_Comm back; MPI_Comm_split(WORLD, 0, -rank, &back); MPI_Scan(&rank, &b, 1, MPI_INT, MPI_SUM, back); MPI_Comm_free(&back);""")
        self.assertIn("\n(communicators [MPI_COMM_WORLD.1:0 2 1 0])\n", (self.folder / "run.ctp").read_text())
        program = self.program(LIBRARIES[0], "if (rank != 2) MPI_Barrier(WORLD);")
        self.assertEqual(self.record(LIBRARIES[0], 3, program).code, DEADLOCK)
        self.assertIn("\n(communicators [MPI_COMM_WORLD 0 1 2])\n", (self.folder / "run.ctp").read_text())

    def test_what_mpi_allows(self):
        """Requests that complete out of order, persistent ones, messages to oneself, to nobody, and ANY_TAG beside the negative tags that
        libraries use for collectives: what is recorded has no deadlock."""
        for what, body, expected in (
            ("out of order", """
                if (rank == 0) { MPI_Irecv(&a, 1, MPI_INT, 1, 1, WORLD, q); MPI_Irecv(&b, 1, MPI_INT, 1, 2, WORLD, q + 1); MPI_Wait(q + 1, IGNORED);
                                 MPI_Ssend(&c, 1, MPI_INT, 1, 3, WORLD); MPI_Wait(q, IGNORED); }
                else { MPI_Send(&a, 1, MPI_INT, 0, 2, WORLD); MPI_Recv(&b, 1, MPI_INT, 0, 3, WORLD, IGNORED); MPI_Send(&a, 1, MPI_INT, 0, 1, WORLD); }""",
             ["(rcvi R0_0 0 x0_0 (from 1) (tag 1))", "(rcvi R0_1 0 x0_1 (from 1) (tag 2))", "(wait R0_1)", "(ssndi S0_2 0 1 0 (tag 3))", "(wait S0_2)", "(wait R0_0)"]),
            ("persistent", """
                if (rank == 0) { MPI_Recv_init(&a, 1, MPI_INT, MPI_ANY_SOURCE, 4, WORLD, q); MPI_Ssend_init(&b, 1, MPI_INT, 1, 5, WORLD, q + 1);
                                 for (int i = 0; i < 2; ++i) { MPI_Startall(2, q); MPI_Waitall(2, q, MPI_STATUSES_IGNORE); } MPI_Request_free(q); MPI_Request_free(q + 1); }
                else for (int i = 0; i < 2; ++i) { MPI_Bsend_init(&i, 0, MPI_INT, 0, 4, WORLD, q); MPI_Start(q); MPI_Wait(q, IGNORED); MPI_Request_free(q);
                                                   MPI_Recv(&c, 1, MPI_INT, 0, 5, WORLD, IGNORED); }""",
             [f"({word}" for i in (0, 2) for word in (f"rcvi R0_{i} 0 x0_{i} (tag 4))", f"ssndi S0_{i + 1} 0 1 0 (tag 5))", f"wait R0_{i})", f"wait S0_{i + 1})")]),
            ("to oneself", """
                MPI_Isend(&rank, 1, MPI_INT, rank, 6, WORLD, q); MPI_Recv(&a, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, IGNORED); MPI_Wait(q, IGNORED);
                MPI_Sendrecv(&a, 1, MPI_INT, 0, 0, &b, 1, MPI_INT, 0, 0, MPI_COMM_SELF, IGNORED); if (a != rank || b != rank) abort();""",
             ["(sndi S0_0 0 0 0 (tag 6))", "(rcvi R0_1 0 x0_1)", "(wait R0_1)", "(wait S0_0)",
              "(rcvi R0_2 2 x0_2 (from 2) (tag 0))", "(sndi S0_3 2 2 0)", "(wait R0_2)", "(wait S0_3)"]),
            ("to nobody", """
                int flag = 0; MPI_Message m; int none = MPI_PROC_NULL;
                MPI_Send(&a, 1, MPI_INT, none, 0, WORLD); MPI_Recv(&a, 1, MPI_INT, none, 0, WORLD, &s); if (s.MPI_SOURCE != none) abort();
                MPI_Probe(none, 0, WORLD, &s); MPI_Iprobe(none, 0, WORLD, &flag, &s); if (!flag) abort();
                MPI_Mprobe(none, 0, WORLD, &m, &s); MPI_Mrecv(&a, 1, MPI_INT, &m, &s); if (s.MPI_SOURCE != none) abort();
                MPI_Irecv(&a, 1, MPI_INT, none, 0, WORLD, q); MPI_Wait(q, IGNORED); MPI_Sendrecv(&a, 1, MPI_INT, none, 0, &b, 1, MPI_INT, none, 0, WORLD, &s);""", []),
            ("any tag beside collectives", """
                int all[2];
                if (rank == 0) MPI_Irecv(&a, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, q);
                MPI_Bcast(&b, 1, MPI_INT, 1, WORLD); MPI_Gather(&b, 1, MPI_INT, all, 1, MPI_INT, 0, WORLD); MPI_Barrier(WORLD);
                if (rank == 1) MPI_Send(&rank, 1, MPI_INT, 0, 7, WORLD); else { MPI_Wait(q, &s); if (a != 1 || s.MPI_TAG != 7) abort(); }""",
             ["(rcvi R0_0 0 x0_0)", "(collective C0_1 MPI_COMM_WORLD bcast (root 1) (type MPI_INT) (count 1))",
              "(collective C0_2 MPI_COMM_WORLD gather (root 0) (type MPI_INT) (count 1))", "(collective C0_3 MPI_COMM_WORLD barrier)", "(wait R0_0)"])):
            with self.subTest(what=what):
                zero, _ = self.each(2, body)
                self.assertEqual(zero, expected)
                checked = run("check", self.folder / "run.ctp")
                self.assertEqual(checked.code, HOLDS, checked.text)
                self.assertIn("\n  deadlock: no\n", checked.text)

    def test_linked(self):
        """The recorder can be linked instead of loaded: a program without the tool's launcher writes the same files."""
        source = self.folder / "linked.c"
        source.write_text(HEAD + "int main(int argc, char** argv) { use(); begin(&argc, &argv); if (rank == 0) MPI_Send(&a, 1, MPI_INT, 1, 4, WORLD);"
                                 "else MPI_Recv(&a, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, IGNORED); MPI_Finalize(); return 0; }\n")
        for library in libraries(self._testMethodName):
            archive = Path(MATCHPOINT).parent.parent / "record" / f"libmatchpoint_{library}.a"
            program = compiled(library, source, self.folder, str(archive))
            folder = self.folder / f"files-{library}"
            folder.mkdir()
            self.assertEqual(plainly([*launcher(library, 2), program], self.folder, MATCHPOINT_RECORD=str(folder)).returncode, 0)
            self.assertEqual(run("mpi", "merge", folder, "-o", self.folder / "run.ctp").code, HOLDS)
            self.assertEqual(self.threads(), [["(sndi S0_0 0 1 0 (tag 4))", "(wait S0_0)"], ["(rcvi R1_0 1 x1_0)", "(wait R1_0)"]])

    def test_communicators(self):
        """Each has endpoints of its own; its ranks are those of MPI_COMM_WORLD."""
        threads = self.each(4, """
            MPI_Comm half; int at; MPI_Comm_split(WORLD, rank % 2, -rank, &half); MPI_Comm_rank(half, &at); a = rank;
            if (at == 0) MPI_Send(&a, 1, MPI_INT, 1, 0, half); else { MPI_Recv(&b, 1, MPI_INT, 0, 0, half, IGNORED); if (b != rank + 2) abort(); }
            MPI_Comm_free(&half);""")
        self.assertEqual([thread[0] for thread in threads], [f"(collective C{rank}_0 MPI_COMM_WORLD construct)" for rank in range(4)])
        sends = [command.split() for thread in threads[2:] for command in thread if command.startswith("(sndi")]
        self.assertEqual([(int(alpha) % 4, int(beta) % 4) for _, _, alpha, beta, _ in sends], [(2, 0), (3, 1)])
        self.assertTrue(all(int(alpha) >= 4 for _, _, alpha, _, _ in sends))
        self.assertNotEqual(int(sends[0][2]) // 4, int(sends[1][2]) // 4)

    def test_page(self):
        """The examples of docs/mpi.md."""
        examples = re.findall(r"^```c\n(.*?)^```\n\n```text\n(.*?)^```", Path("docs/mpi.md").read_text(), re.MULTILINE | re.DOTALL)
        self.assertEqual(len(examples), 4)
        for body, recorded in examples:
            with self.subTest(body=body):
                threads = [f"( {' '.join(thread)} )" for thread in self.each(2, body)]
                self.assertEqual(" ".join(threads), " ".join(recorded.split()))

    def test_values(self):
        """The first integer, or a hash of 32 bits; the same bytes have the same one."""
        zero, _ = self.each(2, """
            long many[3] = {-5, 6, 7}; double d = 2.5;
            if (rank == 0) { MPI_Send(many, 3, MPI_LONG, 1, 0, WORLD); MPI_Send(&d, 1, MPI_DOUBLE, 1, 0, WORLD); MPI_Send(&d, 1, MPI_DOUBLE, 1, 0, WORLD); MPI_Send(NULL, 0, MPI_INT, 1, 0, WORLD); }
            else { MPI_Recv(many, 3, MPI_LONG, 0, 0, WORLD, IGNORED); for (int i = 0; i < 2; ++i) MPI_Recv(&d, 1, MPI_DOUBLE, 0, 0, WORLD, IGNORED); MPI_Recv(NULL, 0, MPI_INT, 0, 0, WORLD, IGNORED); }""")
        payloads = [int(c.split()[-1].rstrip(")")) for c in zero if c.startswith("(sndi")]
        self.assertEqual((payloads[0], payloads[3]), (-5, 0))
        self.assertEqual(payloads[1], payloads[2])
        self.assertIn("; Values are those of this run.\n", (self.folder / "run.ctp").read_text())

    def test_places(self):
        for library in libraries(self._testMethodName):
            self.record(library, 2, self.program(library, "if (rank == 0)\nMPI_Send(&a, 1, MPI_INT, 1, 0, WORLD); else\nMPI_Recv(&a, 1, MPI_INT, 0, 0, WORLD, IGNORED);"))
            line = HEAD.count("\n") + 3
            text = (self.folder / "run.ctp").read_text()
            self.assertIn(f'program.c" {line})', text)
            self.assertIn(f'program.c" {line + 1})', text)


class HowRunsEnd(Recording):
    def test_deadlock(self):
        for library in libraries(self._testMethodName):
            program = self.program(library, "MPI_Recv(&a, 1, MPI_INT, 1 - rank, 0, WORLD, IGNORED);")
            result = self.record(library, 2, program)
            self.assertEqual(result.code, DEADLOCK, result.error_text)
            self.assertIn("the run deadlocked", result.error_text)
            self.assertRegex(result.error_text, r"program.c:\d+: rank 1 waits for a receive")
            self.assertTrue(run("run", self.folder / "run.ctp").text.startswith("trace 1: deadlock (the trace stops early)\n"))
            self.assertEqual(run("check", self.folder / "run.ctp").code, DEADLOCK)
            self.assertNotIn("values are those", run("check", self.folder / "run.ctp").text)  # nothing was sent

    def test_deadlock_of_one_request_of_several(self):
        for library in libraries(self._testMethodName):
            program = self.program(library, "for (int i = 0; i < 2 && rank == 0; ++i) MPI_Irecv(&a, 1, MPI_INT, 1, i, WORLD, q + i);"
                                            "if (rank == 0) MPI_Waitall(2, q, MPI_STATUSES_IGNORE); else MPI_Send(&a, 1, MPI_INT, 0, 0, WORLD);")
            result = self.record(library, 2, program, "--timeout", "30")
            self.assertEqual(result.code, DEADLOCK, result.error_text)
            self.assertIn("the run deadlocked", result.error_text)

    def test_predictions_from_values(self):
        """check says what a prediction rests on."""
        for library in libraries(self._testMethodName):
            program = self.program(library, "if (rank == 0) { MPI_Recv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORED); MPI_Recv(&a, 1, MPI_INT, 1, 0, WORLD, IGNORED); }"
                                            "else { if (rank == 1) usleep(300000); MPI_Send(&rank, 1, MPI_INT, 0, 0, WORLD); }")
            self.record_well(library, 3, program)
            result = run("check", self.folder / "run.ctp")
            self.assertEqual(result.code, DEADLOCK)
            self.assertIn("values are those of the recorded run: this holds if", result.text)

    def test_slow_is_not_stuck(self):
        """One rank waits for another one that computes; and both wait, while the message is on its way."""
        body = "if (rank == 0) { sleep(2); MPI_Send(&a, 1, MPI_INT, 1, 0, WORLD); } else MPI_Recv(&a, 1, MPI_INT, 0, 0, WORLD, IGNORED);"
        self.each(2, body, options=("--patience", "0.1"))

    def test_killed_rank(self):
        for library in libraries(self._testMethodName):
            program = self.program(library, "MPI_Barrier(WORLD); if (rank == 1) raise(SIGKILL); MPI_Barrier(WORLD);")
            result = self.record(library, 2, program)
            self.assertEqual(result.code, FAILURE, result.error_text)
            self.assertIn("rank 1 ended before MPI_Finalize", result.error_text)
            self.assertEqual(self.threads()[1], ["(collective C1_0 MPI_COMM_WORLD barrier)"])
            self.assertRegex((self.folder / "run.ctp").read_text(), r"\n; This run failed: exit code \d+\n")

    def test_killed_launcher(self):
        for library in libraries(self._testMethodName):
            program = self.program(library, "if (rank == 0) { MPI_Barrier(MPI_COMM_SELF); sleep(100); } MPI_Barrier(WORLD);")
            folder = self.folder / f"ranks-{library}"

            def kill_when_it_runs():
                while sum(file.stat().st_size for file in folder.glob("*.mpirec")) < 2 * 2**20:  # both ranks are there
                    time.sleep(0.1)
                time.sleep(0.5)
                subprocess.run(["pkill", "-KILL", "-f", f"^mpirun.{library} -n 2 {program}"], check=True)

            killing = threading.Thread(target=kill_when_it_runs)
            killing.start()
            result = self.record(library, 2, program, "--keep", folder)
            killing.join()
            self.assertEqual(result.code, FAILURE, result.error_text)
            self.assertIn("killed by signal 9 (KILL)", result.error_text)
            self.ends(lambda program=program: subprocess.run(["pgrep", "-f", f"^{program}"], capture_output=True, check=False).stdout)

    def test_no_finalize(self):
        for library in libraries(self._testMethodName):
            result = self.record(library, 2, self.program(library, "MPI_Barrier(WORLD); _exit(0);"))
            self.assertIn("rank 0 ended before MPI_Finalize", result.error_text)
            self.assertEqual(self.threads(), [["(collective C0_0 MPI_COMM_WORLD barrier)"], ["(collective C1_0 MPI_COMM_WORLD barrier)"]])

    def test_abort(self):
        for library in libraries(self._testMethodName):
            result = self.record(library, 2, self.program(library, "MPI_Barrier(WORLD); if (rank == 1) MPI_Abort(WORLD, 3); MPI_Barrier(WORLD);"))
            self.assertEqual(result.code, FAILURE)
            self.assertIn("rank 1 called MPI_Abort with code 3", result.error_text)

    def test_time(self):
        for library in libraries(self._testMethodName):
            program = self.program(library, "MPI_Barrier(WORLD); for (;;) pause();")
            for limit in LIMITS:
                kept = self.folder / f"kept-{library}-{limit}" / "ranks"
                kept.parent.mkdir()
                result = self.record(library, 2, program, "--timeout", limit, "--keep", kept)
                self.assertEqual(result.code, UNKNOWN)
                self.assertIn("the time limit was reached", result.error_text)
                if result.error_text.count("its last recorded call is at") == 2:
                    break
            self.assertRegex(result.error_text, r"rank 0 had not come to MPI_Finalize; its last recorded call is at \S*program.c:\d+\n")
            self.assertIn(f"\n; This run was ended: the time limit of {limit} s was reached\n", (self.folder / "run.ctp").read_text())
            self.assertIn("\n; This run was ended: the files of its ranks do not say why\n", run("mpi", "merge", kept).text)
            self.assertIn(f"= hint: a run of `verify --keep` has them in {kept}\n", run("mpi", "merge", kept.parent).error_text)

    def test_some_deadlock(self):
        """Two ranks wait for each other, and one computes until the time limit: `check` calls the recording a deadlock, and so do all."""
        for library in libraries(self._testMethodName):
            program = self.program(library, "if (rank < 2) MPI_Recv(&a, 1, MPI_INT, 1 - rank, 0, WORLD, IGNORED); else for (;;) pause();")
            for limit in LIMITS:
                result = self.record(library, 3, program, "--timeout", limit)
                if result.code == DEADLOCK:
                    break
            self.assertEqual(result.code, DEADLOCK, result.error_text)
            self.assertIn("matchpoint: some ranks had deadlocked by then\n", result.error_text)
            file = self.folder / "bug.ctp"
            for limit in LIMITS:
                result = run("mpi", "verify", "--timeout", limit, "-o", file, "--", *launcher(library, 3), program)
                if result.code == DEADLOCK:
                    break
            self.assertEqual(result.code, DEADLOCK, result.text)
            self.assertTrue(result.text.startswith("run 1: new path 1: deadlocked when the time limit was reached\n"), result.text)
            self.assertRegex(result.text, r"\nconfirmed by run 1: the program deadlocks\n(.*\n)+  rank 2 had not come to MPI_Finalize\n  draw it: ")
            self.assertEqual(run("check", file).code, DEADLOCK)
            for limit in LIMITS:
                result = run("mpi", "replay", file, "--timeout", limit, "--", *launcher(library, 3), program)
                if result.code == DEADLOCK:
                    break
            self.assertEqual(result.code, DEADLOCK, result.error_text)
            self.assertIn("matchpoint: confirmed: the deadlock happened\n", result.error_text)

    def test_two_signals(self):
        """Ctrl-C pressed twice leaves no process and no folder."""
        for library in libraries(self._testMethodName):
            command = [*launcher(library, 2), self.program(library, "MPI_Barrier(WORLD); for (;;) pause();")]
            file = self.folder / "run.ctp"
            for words, number, pause in ((["record", "-o", file], signal.SIGINT, 0.05), (["record", "-o", file], signal.SIGTERM, 1),
                                         (["replay", file], signal.SIGINT, 0.05)):
                code, _, err = self.interrupted(words, command, [number, number], pause)
                self.assertEqual(code, UNKNOWN, err)
                self.assertIn("matchpoint: interrupted; the run was ended\n", err)
                self.assertIn("\n; This run was ended: it was interrupted\n; rank 0 had not come to MPI_Finalize", file.read_text())
            code, _, err = self.interrupted(["record"], [*launcher(library, 2), "sleep", "100"], [signal.SIGINT], begins="")
            # The launcher may say first that it was interrupted while it began.
            self.assertEqual(code, UNKNOWN)
            self.assertTrue(err.endswith("matchpoint: interrupted; the run was ended\nmatchpoint: nothing was recorded\n"), err)

    def test_fork(self):
        """A child is not a rank: what it does is not recorded."""
        threads = self.each(2, "if (fork() == 0) _exit(0); wait(NULL); MPI_Barrier(WORLD);")
        self.assertEqual(threads, [["(collective C0_0 MPI_COMM_WORLD barrier)"], ["(collective C1_0 MPI_COMM_WORLD barrier)"]])

    def test_incomplete(self):
        """What is not modelled is said once, with its place."""
        for library in libraries(self._testMethodName):
            result = self.record(library, 2, self.program(library, "MPI_Win w; MPI_Win_create_dynamic(MPI_INFO_NULL, WORLD, &w); MPI_Win_free(&w);"))
            self.assertEqual(result.code, UNKNOWN)
            self.assertEqual(len(re.findall(r"incomplete: .*program.c:\d+: MPI_Win_create_dynamic: windows that grow are not modelled", result.error_text)), 1)
            self.assertIn("; Incomplete: rank 0: ", (self.folder / "run.ctp").read_text())

    # Calls that communicate in a way that is not modelled, and a function of the library's mpi.h without which it does not have them.
    NAMED = (("MPI_Neighbor_alltoallw", "", "MPI_Comm g; int dims[1] = {2}, periods[1] = {1}, n[2] = {1, 1}; MPI_Aint at[2] = {0, 0}; MPI_Datatype t[2] = {MPI_INT, MPI_INT};"
              "MPI_Cart_create(WORLD, 1, dims, periods, 0, &g); MPI_Neighbor_alltoallw(&a, n, at, t, &b, n, at, t, g);"),
             ("MPI_Ineighbor_allgather", "", "MPI_Comm g; int dims[1] = {2}, periods[1] = {1}, all[2]; a = rank + 1;"
              "MPI_Cart_create(WORLD, 1, dims, periods, 0, &g); MPI_Ineighbor_allgather(&a, 1, MPI_INT, all, 1, MPI_INT, g, q); MPI_Wait(q, IGNORED); if (all[0] != 2 - rank) abort();"),
             ("MPI_File_open", "", 'MPI_File f; MPI_File_open(MPI_COMM_SELF, "/dev/null", MPI_MODE_WRONLY, MPI_INFO_NULL, &f); MPI_File_close(&f);'),
             ("MPI_Grequest_start", "", "MPI_Grequest_start(query, nothing, cancel, NULL, q); MPI_Grequest_complete(q[0]); MPI_Wait(q, IGNORED);"),
             ("MPI_Isendrecv", "MPI_Isendrecv", "a = rank; MPI_Isendrecv(&a, 1, MPI_INT, 1 - rank, 0, &b, 1, MPI_INT, 1 - rank, 0, WORLD, q); MPI_Wait(q, IGNORED); if (b != 1 - rank) abort();"),
             ("MPI_Send_c", "MPI_Send_c", "a = 5; if (rank == 0) MPI_Send_c(&a, 1, MPI_INT, 1, 0, WORLD); else { MPI_Recv_c(&b, 1, MPI_INT, 0, 0, WORLD, &s); if (b != 5) abort(); }"),
             ("MPI_Bcast_init", "MPI_Bcast_init", "a = rank; MPI_Bcast_init(&a, 1, MPI_INT, 1, WORLD, MPI_INFO_NULL, q); MPI_Start(q); MPI_Wait(q, IGNORED); MPI_Request_free(q); if (a != 1) abort();"),
             ("MPI_Psend_init", "MPI_Psend_init", "if (rank == 0) { a = 3; MPI_Psend_init(&a, 1, 1, MPI_INT, 1, 0, WORLD, MPI_INFO_NULL, q); MPI_Start(q); MPI_Pready(0, q[0]); }"
              "else { MPI_Precv_init(&a, 1, 1, MPI_INT, 0, 0, WORLD, MPI_INFO_NULL, q); MPI_Start(q); } MPI_Wait(q, IGNORED); MPI_Request_free(q); if (a != 3) abort();"))
    CALLBACKS = """
        static int query(void* x, MPI_Status* st) { (void)x; MPI_Status_set_elements(st, MPI_INT, 0); MPI_Status_set_cancelled(st, 0); st->MPI_SOURCE = MPI_UNDEFINED; st->MPI_TAG = MPI_UNDEFINED; return MPI_SUCCESS; }
        static int nothing(void* x) { (void)x; return MPI_SUCCESS; }
        static int cancel(void* x, int done) { (void)x; (void)done; return MPI_SUCCESS; }
        static void use_too(void) { (void)query; (void)nothing; (void)cancel; }
        """

    def test_named(self):
        """Functions that not every library has, too: the program runs as it would, and the recording says at which call it is incomplete."""
        for library in LIBRARIES:
            text = subprocess.run([f"mpicc.{library}", "-E", "-include", "mpi.h", "-x", "c", "/dev/null"], capture_output=True, text=True, check=True).stdout
            for name, needs, body in self.NAMED:
                if needs and f" {needs}(" not in text:
                    continue
                with self.subTest(library=library, name=name):
                    source = self.folder / "named.c"
                    source.write_text(f"{HEAD}{self.CALLBACKS}\nint main(int argc, char** argv) {{ use(); use_too(); begin(&argc, &argv);\n{body}\nMPI_Finalize(); return 0; }}\n")
                    result = self.record(library, 2, compiled(library, source, self.folder))
                    self.assertEqual(result.code, UNKNOWN, result.error_text)
                    self.assertRegex(result.error_text, rf"matchpoint: incomplete: \S*named\.c:\d+: {name}: ")

    def test_open_mpi_folder(self):
        """Each run has a folder of its own for Open MPI's files, or the user's; else runs side by side remove each other's."""
        program = self.program(LIBRARIES[0], 'if (rank == 0) puts(getenv("OMPI_MCA_orte_tmpdir_base"));')
        command = ["mpi", "record", "-o", self.folder / "run.ctp", "--", *launcher(LIBRARIES[0], 2), program]
        unset = {name: value for name, value in os.environ.items() if name != "OMPI_MCA_orte_tmpdir_base"}
        folders = [Path(run(*command, env=unset).text.splitlines()[0]) for _ in range(2)]
        self.assertNotEqual(*folders)
        for folder in folders:
            self.assertEqual((folder.parent, folder.exists()), (Path(tempfile.gettempdir()), False))
        given = run(*command, env={**unset, "OMPI_MCA_orte_tmpdir_base": str(self.folder)})
        self.assertEqual(given.text.splitlines()[0], str(self.folder))

    def test_no_temporary_folder(self):
        missing = self.folder / "missing"
        result = run("mpi", "record", "-o", self.folder / "run.ctp", "--", "mpirun", "-n", "1", "true", env={**os.environ, "TMPDIR": str(missing)})
        said = f"matchpoint: error[file]: cannot make a temporary folder in {missing}: No such file or directory\n"
        self.assertEqual((result.code, result.error_text), (OUTPUT_FAILED, said))


class FullDisks(Recording):
    """The program runs on. The recording ends with the last line that had room, and says so."""
    FLOOD = "for (int i = 0; i < 60000; ++i) { if (rank == 0) MPI_Send(&i, 1, MPI_INT, 1, 0, WORLD);" \
            "else { MPI_Recv(&a, 1, MPI_INT, 0, 0, WORLD, IGNORED); if (a != i) abort(); } } MPI_Barrier(WORLD);"

    def ends_early(self, result, ranks, why):
        self.assertEqual(result.returncode, UNKNOWN, result.stderr)
        text = (self.folder / "run.ctp").read_text()
        for rank in (0, 1):
            with self.subTest(rank=rank):
                said = f"rank {rank} is not recorded from here on: {why}"
                self.assertEqual(result.stderr.count(f"matchpoint: incomplete: recorder: {said}\n"), rank in ranks, result.stderr)
                self.assertEqual(text.count(f"; Incomplete: rank {rank}: recorder: {said}\n"), rank in ranks)
                calls = [int(n) for n in re.findall(rf" [RS]{rank}_(\d+) ", text)]
                self.assertEqual(calls, list(range(len(calls))))  # none is left out
                self.assertTrue(1000 < len(calls) < 60000 if rank in ranks else len(calls) == 60000, len(calls))
                self.assertNotIn("ended before MPI_Finalize", result.stderr)
        self.assertEqual(run("lint", self.folder / "run.ctp").code, HOLDS)

    def record_with(self, prefix, library, program, *options):
        command = [*prefix, MATCHPOINT, "mpi", "record", "-o", self.folder / "run.ctp", *options, "--", *launcher(library, 2), program]
        return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)

    def test_limit_on_a_file(self):
        for library in libraries(self._testMethodName):
            for ranks in ((1,), (0,)):
                limit = f"if (rank == {ranks[0]}) {{ struct rlimit l = {{2 << 20, 2 << 20}}; setrlimit(RLIMIT_FSIZE, &l); }}"
                self.ends_early(self.record_with([], library, self.program(library, limit + self.FLOOD)), ranks, "File too large")

    def full_disk(self, size):
        """What makes a small disk in front of a command, in a folder that is there for this command alone."""
        disk = self.folder / "disk"
        disk.mkdir(exist_ok=True)
        unshare = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--mount", "--map-root-user"]
        prefix = [*unshare, "sh", "-c", f'mount -t tmpfs -o size={size} none {disk} && exec "$@"', "sh"]
        if subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("no disk can be mounted here")
        return prefix, disk

    def test_full_disk(self):
        prefix, disk = self.full_disk("3m")
        for library in libraries(self._testMethodName):
            result = self.record_with(prefix, library, self.program(library, self.FLOOD), "--keep", disk / "ranks")
            self.ends_early(result, (0, 1), "No space left on device")

    def test_disk_that_is_full_already(self):
        prefix, disk = self.full_disk("16k")
        for library in libraries(self._testMethodName):
            program = self.program(library, 'MPI_Barrier(WORLD); if (rank == 0) puts("done");')
            result = self.record_with(prefix, library, program, "--keep", disk / "ranks")
            self.assertEqual((result.returncode, result.stdout), (BAD_INPUT, "done\n"), result.stderr)
            self.assertIn("rank-00000.mpirec: No space left on device; rank 0 is not recorded\n", result.stderr)

    @long_test
    def test_full_disk_in_a_replay(self):
        """The receives take what they are to take all the same."""
        body = 'if (rank == 0 && getenv("LIMITED")) { struct rlimit l = {1 << 20, 1 << 20}; setrlimit(RLIMIT_FSIZE, &l); }' \
               "for (int i = 0; i < 30000 && rank < 2; ++i) if (rank == 0) MPI_Send(&i, 1, MPI_INT, 1, 0, WORLD);" \
               "else MPI_Recv(&a, 1, MPI_INT, 0, 0, WORLD, IGNORED);" + Replay.RACE.replace("200000", "900000")
        for library in libraries(self._testMethodName):
            program = self.program(library, body)
            self.record_well(library, 3, program)
            text = (self.folder / "run.ctp").read_text()
            at = {rank: re.findall(rf"\[(\S+) \((?:sndi|rcvi|wait) [RS]{rank}_", text) for rank in (0, 1, 2)}
            flood = "".join(f"({at[0][2 * i]} bot)({at[0][2 * i + 1]} bot)({at[1][2 * i]} bot)({at[1][2 * i + 1]} ((1 0)))" for i in range(30000))
            sends = "".join(f"({location} bot)" for location in at[1][60000:] + at[2])
            for first, code in ((1, UNKNOWN), (2, FAILURE)):
                a, b, c, d = at[0][60000:]
                trace = f"({flood}{sends}({a} bot)({b} ((0 {first})))({c} bot)({d} ((0 {3 - first}))))"
                file = self.write(text + trace, "wanted.ctp")
                result = run("mpi", "replay", file, "--trace", "2", "--", *launcher(library, 3), program, env={**os.environ, "LIMITED": "1"})
                self.assertEqual(result.code, code, result.error_text)
                self.assertIn("rank 0 is not recorded from here on: File too large", result.error_text)


class LargeRuns(Recording):
    @long_test
    def test_64_ranks(self):
        """A minute is enough on two cores."""
        body = "MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 1, WORLD); MPI_Recv(&a, 1, MPI_INT, (rank + size - 1) % size, 1, WORLD, IGNORED);" \
               "if (rank != 0) MPI_Send(&rank, 1, MPI_INT, 0, 2, WORLD);" \
               "else for (int i = 1; i < size; ++i) MPI_Recv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 2, WORLD, IGNORED); MPI_Barrier(WORLD);"
        begin = time.monotonic()
        threads = self.each(64, body, options=("--timeout", "60"))
        print(f"64 ranks: {time.monotonic() - begin:.1f} s with {' and '.join(LIBRARIES)}")
        self.assertEqual(len(threads), 64)
        self.assertEqual({len(thread) for thread in threads[1:]}, {7})
        self.assertEqual(len(threads[0]), 5 + 2 * 63)

    def test_many_calls(self):
        """Files of 55 bytes a call; a million of them (MATCHPOINT_CALLS) are merged in less than 3 GB and a minute."""
        # Now and then the sender waits for the receiver.
        body = f"for (int i = 0; i < {CALLS // 2}; ++i) if (rank == 1) MPI_Recv(&a, 1, MPI_INT, 0, 0, WORLD, IGNORED);" \
               "else if (i % 1000 == 0) MPI_Ssend(&i, 1, MPI_INT, 1, 0, WORLD); else MPI_Send(&i, 1, MPI_INT, 1, 0, WORLD);"
        for library in LIBRARIES[:1]:
            folder = self.folder / f"ranks-{library}"
            result = self.record(library, 2, self.program(library, body), "--keep", folder, "--memory", "8192")
            self.assertEqual(result.code, HOLDS, result.error_text)
            self.assertIn(f"recorded 2 ranks: {2 * CALLS} commands", result.error_text)
            merged = run("mpi", "merge", folder, "-o", self.folder / "merged.ctp", "--memory", "8192")
            self.assertEqual(merged.code, HOLDS, merged.error_text)
            ranks = sum(file.stat().st_size for file in folder.iterdir()) / 1e6
            whole = (self.folder / "merged.ctp").stat().st_size / 1e6
            print(f"{library}, {CALLS} calls: recorded in {result.seconds:.1f} s, {ranks:.0f} MB of files; merged in {merged.seconds:.1f} s "
                  f"with {merged.peak_mb:.0f} MiB of memory to {whole:.0f} MB")
            self.assertLess(ranks, 2.1 + 60e-6 * CALLS)
            part = run("mpi", "merge", folder, "-o", self.folder / "part.ctp", "--memory", "20")
            self.assertEqual(part.code, UNKNOWN, part.error_text)
            self.assertIn("recorder: the file of this rank is too large, and was not read to its end\n", part.error_text)
            self.assertLess((self.folder / "part.ctp").stat().st_size, whole * 1e6 / 2)
            self.assertLess(part.peak_mb, merged.peak_mb / 2)
            self.assertLess(merged.peak_mb, 100 + 3e-3 * CALLS)
            self.assertLess(merged.seconds, 60)

    def test_receives_that_nothing_waits_for(self):
        """Each is left out, or completed by the wait for a later one; the time for 100,000 is that of reading them."""
        n = 100_000
        lines = [f"recv {i} 0 0 {('*', 1)[i % 2]} {('*', 0, 3)[i % 3]}" for i in range(n)]
        lines += [f"recv {n} 0 0 1 0", f"wait 0 {n}", f"got {n} 1 0 5", f"recv {n + 1} 0 0 * *"]
        folder = self.folder / "ranks"
        folder.mkdir()
        for rank, text in enumerate(("\n".join(lines), "send 0 0 s 0 0 0 5\nwait 0 0\nsent 0")):
            (folder / f"rank-{rank}.mpirec").write_text(f"matchpoint-mpi 1\nrank {rank} 2\ncomm 0 0 0 1\n{text}\nend\n")
        result = run("mpi", "merge", folder, "-o", self.folder / "run.ctp")
        self.assertEqual(result.code, UNKNOWN, result.error_text)
        self.assertIn("incomplete: MPI_Irecv: nothing waits for this receive; it is left out", result.error_text)
        self.assertIn("note: MPI_Irecv: nothing waits for this receive; it is left out", result.error_text)
        kept = [int(i) for i in re.findall(r"rcvi R0_(\d+) ", (self.folder / "run.ctp").read_text())]
        self.assertEqual(kept, [i for i in range(n) if i % 3 != 2] + [n])
        self.assertLess(result.seconds, 10)


class WhereRecordersAre(Recording):
    """The binary in another folder, with its recorders and without."""

    def copied(self, binary, recorders=None):
        binary = self.folder / binary
        binary.parent.mkdir(parents=True)
        shutil.copy(MATCHPOINT, binary)
        if recorders:
            folder = self.folder / recorders
            folder.mkdir(parents=True, exist_ok=True)
            for library in LIBRARIES:
                shutil.copy(Path(MATCHPOINT).parent.parent / f"record/libmatchpoint_{library}.so", folder)
        return binary

    def record_with(self, binary, library, program):
        return subprocess.run([binary, "mpi", "record", "-o", self.folder / "run.ctp", "--", *launcher(library, 2), program],
                              capture_output=True, text=True, check=False, timeout=120)

    def test_beside_the_binary(self):
        cases = ("beside/matchpoint", "beside"), ("whole/matchpoint", "whole/lib/matchpoint"), ("usr/bin/matchpoint", "usr/lib/matchpoint")
        for library, (binary, recorders) in zip(LIBRARIES * 2, cases):
            with self.subTest(recorders):
                result = self.record_with(self.copied(binary, recorders), library, self.program(library, "MPI_Barrier(WORLD);"))
                self.assertEqual((result.returncode, result.stderr), (HOLDS, "matchpoint: recorded 2 ranks: 2 commands\n"))

    def test_nowhere(self):
        """The message has the places, one a line, and what to do."""
        binary = self.copied("alone/bin/matchpoint")
        for library, package in (("openmpi", "libopenmpi-dev"), ("mpich", "libmpich-dev")):
            if library not in LIBRARIES:
                continue
            name = f"libmatchpoint_{library}.so"
            result = self.record_with(binary, library, "/bin/true")
            if "no rank was recorded" in result.stderr:
                self.skipTest("a recorder is installed below the prefix of the build")
            self.assertEqual(result.returncode, SOLVER_FAILED)
            headline, *lines = result.stderr.splitlines()
            self.assertIn(f": {name} is in none of these folders", headline)
            alone = self.folder.resolve() / "alone"
            places = [line.strip() for line in lines if not line.startswith("  = hint: ")]
            self.assertEqual(places[:3], [str(alone / "bin"), str(alone / "bin/lib/matchpoint"), str(alone / "lib/matchpoint")])
            self.assertIn(str(alone / "record"), places)
            self.assertIn(f"copy {name} with it", result.stderr)
            self.assertIn(f"install {package} and build it again: `apt-get install {package}`, then `scripts/demo`", result.stderr)


class WhatIsRefused(Recording):
    def test_launchers(self):
        for command, said in (("true", "`true` is not the mpirun"), ("/nowhere/mpirun", "is not the mpirun")):
            result = run("mpi", "record", "--", command, "-n", "2", "x")
            self.assertEqual(result.code, SOLVER_FAILED)
            self.assertIn(said, result.error_text)
            self.assertIn("libopenmpi-dev and libmpich-dev are", result.error_text)

    def test_nothing_to_merge(self):
        """No program ran, so nothing is said of one."""
        for command, said in (("mpi", "has no file of a rank: they are called rank-00000.mpirec, ...\n"),
                              ("mcapi", "has no file of a thread: they are called thread-00000.mcapirec, ...\n")):
            result = run(command, "merge", self.folder)
            self.assertEqual((result.code, result.text), (BAD_INPUT, ""))
            self.assertIn(f"{self.folder} {said}", result.error_text)
            self.assertNotIn("PROGRAM", result.error_text)
            self.assertIn("none is not a folder\n", run(command, "merge", self.folder / "none").error_text)

    def test_no_mpi(self):
        result = self.record(LIBRARIES[0], 1, "/bin/true")
        self.assertEqual(result.code, BAD_INPUT)
        self.assertIn("no rank was recorded", result.error_text)

    def test_another_library(self):
        """A launcher of Open MPI and a program of MPICH, and the reverse: the program would crash in MPI_Init."""
        if len(LIBRARIES) < 2:
            self.skipTest("one MPI library only")
        names = {"openmpi": "Open MPI", "mpich": "MPICH"}
        for library, other in zip(LIBRARIES, reversed(LIBRARIES)):
            program = self.program(library, "")
            result = self.record(other, 2, program)
            self.assertEqual(result.code, SOLVER_FAILED)
            self.assertIn(f"{program} is a program of {names[library]}, and `mpirun.{other}` is the launcher of {names[other]}\n", result.error_text)

    def test_merge(self):
        folder = self.folder / "ranks"
        program = self.program(LIBRARIES[0], "if (rank == 0) MPI_Send(&a, 1, MPI_INT, 1, 0, WORLD); else MPI_Recv(&a, 1, MPI_INT, 0, 0, WORLD, IGNORED);")
        self.assertEqual(self.record(LIBRARIES[0], 2, program, "--keep", folder).code, HOLDS)
        direct = [c for thread in self.threads() for c in thread]
        self.assertEqual(run("mpi", "merge", folder, "-o", self.folder / "run.ctp").code, HOLDS)
        self.assertEqual([c for thread in self.threads() for c in thread], direct)
        self.assertEqual(self.record(LIBRARIES[0], 2, program, "--keep", folder).code, BAD_INPUT)  # not empty
        first, second = sorted(folder.iterdir())
        text = first.read_text()
        for damage, said in ((text.replace("send", "sned"), "`sned` is not a line of a recording"), (text.replace("rank 0", "rank 1", 1), "rank 1 is there already"),
                             ("\0", "the recording of a rank begins with two lines"), (re.sub(r"(?m)^place.*\n", "", text), "place 1 is not known")):
            first.write_text(damage)
            result = run("mpi", "merge", folder)
            self.assertEqual((result.code, result.text), (BAD_INPUT, ""))
            self.assertIn(said, result.error_text)
        # A prefix of a recording is a recording: of a rank that was killed, zeros follow. Else the file was cut.
        self.assertEqual(text[-5:], "\nend\n")
        lines = [i + 1 for i, c in enumerate(text) if c == "\n"]
        for end in sorted({0, *lines[:-1], *range(3, len(text), 23), len(text) - 1}):
            first.write_text(text[:end])
            result = run("mpi", "merge", folder, "-o", self.folder / "run.ctp")
            self.assertEqual(result.code, UNKNOWN, result.error_text)
            self.assertEqual(result.error_text.count("the file of this rank breaks off\n"), 1, result.error_text)
            self.assertIn("rank 0 had not come to MPI_Finalize where its recording ends", result.error_text)
            sender, receiver = self.threads()
            self.assertEqual(sender + receiver, direct[:len(sender)] + direct[-len(receiver):])
            self.assertEqual(run("check", self.folder / "run.ctp").code, UNKNOWN)
            first.write_text(text[:end] + "\0" * 100)
            if end >= lines[1]:
                self.assertIn(run("mpi", "merge", folder, "-o", self.folder / "run.ctp").code, (HOLDS, UNKNOWN))
                self.assertEqual(run("lint", self.folder / "run.ctp").code, HOLDS)

    def test_replay(self):
        """What the machine refuses is not run; programs that were not recorded are refused."""
        result = run("mpi", "replay", "traces/figure1.ctp", "--", *launcher(LIBRARIES[0], 3), "./x")
        self.assertEqual(result.code, BAD_INPUT)
        self.assertIn("is not a program that `matchpoint mpi` recorded", result.error_text)
        result = run("mpi", "replay", "traces/shared_memory/aba.ctp", "--", *launcher(LIBRARIES[0], 2), "./x")
        self.assertEqual(result.code, BAD_INPUT)
        self.assertIn("error[usage]: traces/shared_memory/aba.ctp has shared variables or guarded assignments, which this command does not know\n", result.error_text)
        file = self.write('( ( [00 (rcvi R0_0 0 x0_0)] [01 (wait R0_0)] bot ) ( [10 (sndi S1_0 1 0 4)] [11 (wait S1_0)] bot ) ) ( (00 bot) (01 bot) (10 bot) (11 bot) )')
        result = run("mpi", "replay", file, "--trace", "1", "--", *launcher(LIBRARIES[0], 2), "./x")
        self.assertEqual(result.code, ERROR)
        self.assertIn("trace 1 is not a run of the program", result.error_text)
        self.assertEqual(run("mpi", "replay", file, "--trace", "2", "--", *launcher(LIBRARIES[0], 2), "./x").code, BAD_INPUT)
        text = '( ( [00 (rcvi R0_0 0 x0_0)] [01 (wait R0_0)] bot ) ( [10 (sndi S1_0 1 0 4)] [11 (wait S1_0)] bot ) ) ( (10 bot) (11 bot) (00 bot) (01 ((0 1) bot)) )'
        file = self.write(text)
        for words in (["-n", "3"], ["--oversubscribe", "-np", "1"], ["-host", "localhost", "-c", "4"]):
            result = run("mpi", "replay", file, "--", launcher(LIBRARIES[0], 2)[0], *words, "./x")
            self.assertEqual(result.code, BAD_INPUT)
            self.assertIn(f"has 2 ranks, and `mpirun.{LIBRARIES[0]} {' '.join(words)} ./x` starts {words[-1]}\n", result.error_text)
        # No launcher: only the warning is of interest.
        recorded = "true -n 2 ./x"
        for head, other in ((f"; A recorded run of: {recorded}\n", False), (f"; Run 3 of: {recorded}\n", False), ("", False),
                            (f"; From a recorded run of: {recorded}\n", False), ("; A recorded run of: true -n 2 ./y\n", True)):
            result = run("mpi", "replay", self.write(head + text), "--", *recorded.split())
            self.assertEqual(result.code, SOLVER_FAILED)
            self.assertEqual("is a recording of another command: true -n 2 ./y\n" in result.error_text, other, result.error_text)
            self.assertEqual("warning" in result.error_text, other, result.error_text)


class Replay(Recording):
    RACE = "if (rank == 0) { for (int i = 1; i < size; ++i) { MPI_Recv(&a, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &s); if (i == 1) b = a; } if (b == 2) abort(); }" \
           "else { if (rank == 2) usleep(200000); MPI_Send(&rank, 1, MPI_INT, 0, rank, WORLD); }"

    def test_every_match_set(self):
        """Each order of two messages, by its trace; what was taken is what was wanted."""
        for library in libraries(self._testMethodName):
            program = self.program(library, self.RACE)
            self.record_well(library, 3, program)
            text = (self.folder / "run.ctp").read_text()
            sends = "(10 bot) (11 bot) (20 bot) (21 bot)"
            for first, code in ((1, HOLDS), (2, FAILURE)):
                trace = f"( {sends} (00 bot) (01 ((0 {first}) bot)) (02 bot) (03 ((0 {3 - first}) bot)) )"
                file = self.write(text + trace, f"{first}.ctp")
                result = run("mpi", "replay", file, "--trace", "2", "--", *launcher(library, 3), program)
                self.assertEqual(result.code, code, result.error_text)
                self.assertIn("2 of 2 receives took what they take in trace 2", result.error_text)

    def test_the_run_itself(self):
        """The first trace of a recording is the run. It ends as the run did."""
        for library in libraries(self._testMethodName):
            self.record_well(library, 3, self.program(library, self.RACE))
            for command in ("run", "draw"):
                result = run(command, self.folder / "run.ctp", "--trace", "1")
                self.assertEqual(result.code, HOLDS, result.error_text)
            self.assertRegex(result.text, r"\n +6 program.c:\d+ +● receive\n")

    def test_another_path(self):
        """A program that has changed since is noticed, and runs to its end."""
        for library in libraries(self._testMethodName):
            self.record_well(library, 3, self.program(library, self.RACE))
            text = (self.folder / "run.ctp").read_text()
            file = self.write(text + "( (10 bot) (11 bot) (20 bot) (21 bot) (00 bot) (01 ((0 2) bot)) (02 bot) (03 ((0 1) bot)) )", "2.ctp")
            other = self.program(library, self.RACE.replace("MPI_Send(&rank, 1, MPI_INT, 0, rank, WORLD)", "MPI_Send(&rank, 1, MPI_INT, 0, 7, WORLD)"))
            result = run("mpi", "replay", file, "--trace", "2", "--timeout", "60", "--", *launcher(library, 3), other)
            self.assertEqual(result.code, UNKNOWN, result.error_text)
            self.assertRegex(result.error_text, r"program.c:\d+: rank 1 does something else than in the recorded run: a new path")


    def test_another_failure(self):
        """A run that fails is not the recorded one if it goes another way, or ends before it receives anything."""
        race = self.RACE.replace("abort()", "_exit(3)")
        for library in libraries(self._testMethodName):
            program = self.program(library, race)
            self.assertEqual(run("mpi", "verify", "-o", self.folder / "bug.ctp", "--", *launcher(library, 3), program).code, FAILURE)
            # A program in the same file, so that the command is the same.
            for other, code, said in ((race, FAILURE, "confirmed: the run failed"),
                                      ("_exit(3);", UNKNOWN, "and this one failed before it received anything"),
                                      (race.replace("0, rank, WORLD", "0, 7, WORLD").replace("if (b == 2)", ""), UNKNOWN,
                                       "and this one failed on another path")):
                program = self.program(library, other)
                result = run("mpi", "replay", self.folder / "bug.ctp", "--timeout", "60", "--", *launcher(library, 3), program)
                self.assertEqual(result.code, code, result.error_text)
                self.assertIn(said, result.error_text)
                self.assertEqual("matchpoint: confirmed" in result.error_text, code == FAILURE, result.error_text)


class Verify(Recording):
    def verify(self, library, ranks, program, *options):
        return run("mpi", "verify", "--timeout", "60", *options, "--", *launcher(library, ranks), program)

    @long_test
    def test_resume(self):
        """A verification that reached its limit goes on where it stopped, and makes no run again."""
        for library in libraries(self._testMethodName):
            program = self.program(library, Replay.RACE.replace("abort()", "_exit(3)"))
            folder = self.folder / f"runs-{library}"
            result = self.verify(library, 4, program, "--keep", folder, "--runs", "2")
            self.assertIn("\n2 of 6 match sets tried, on at least 1 path, in 2 runs; stopped: the limit of 2 runs was reached\n", result.text)
            made = (folder / "run-0002" / "output").stat().st_mtime_ns
            (folder / "run-0003").mkdir()  # of a run that was interrupted
            result = self.verify(library, 4, program, "--keep", folder, "--resume", "--jobs", "2")
            self.assertEqual(result.code, FAILURE, result.error_text)
            self.assertTrue(result.text.startswith("run 3: "), result.text)
            self.assertNotIn("  | ", result.text)  # the launcher has something to say, the program has not
            self.assertIn("2 of the runs were made before\n6 of 6 match sets tried, on 1 path, in 6 runs; nothing left\n", result.text)
            self.assertEqual((folder / "run-0002" / "output").stat().st_mtime_ns, made)
            self.assertEqual(self.verify(library, 3, program, "--keep", folder, "--resume").code, BAD_INPUT)  # another command
            self.assertEqual(self.verify(library, 4, program, "--keep", folder).code, BAD_INPUT)
            self.assertEqual(self.verify(library, 4, program, "--resume").code, BAD_INPUT)

    def test_limits(self):
        """Without a limit it takes 6 runs."""
        library = libraries(self._testMethodName)[0]
        program = self.program(library, Replay.RACE.replace("abort()", "_exit(3)"))
        result = self.verify(library, 4, program, "--first")
        self.assertEqual(result.code, FAILURE, result.error_text)
        self.assertRegex(result.text, r"\nconfirmed by run (\d): the program fails\n")
        self.assertRegex(result.text, r"run (\d): .*: failed, exit code \d+\n\d of 6 match sets tried, on at least 1 path, in \1 runs?; stopped: run \1 went wrong\n")
        result = self.verify(library, 4, program, "--time", "0.001")
        self.assertRegex(result.text, r"of 6 match sets tried, on at least 1 path, in 1 run; stopped: the limit of time was reached\n")

    def test_beside(self):
        """The run that fails and one that does not are traces of one program. What the program said last is shown."""
        for library in libraries(self._testMethodName):
            program = self.program(library, Replay.RACE.replace("abort()", 'puts("out"), fputs("first\\n2 came first\\n", stderr), abort()'))
            file = self.folder / f"{library}.ctp"
            result = self.verify(library, 3, program, "-o", file)
            self.assertEqual(result.code, FAILURE, result.error_text)
            self.assertIn(f"  draw it: matchpoint draw {file} --trace 1 --beside 2\n", result.text)
            self.assertEqual(re.findall(r"^  \| .*", result.text, re.MULTILINE), ["  | 2 came first"])
            drawn = run("draw", file, "--trace", "1", "--beside", "2")
            self.assertEqual(drawn.code, HOLDS, drawn.error_text)
            self.assertRegex(drawn.text, r"\n  \S+ gets \S+ of rank 2 here, \S+ of rank 1 there\n")
            self.assertIn("  R0_0 gets S2_0 here, S1_0 there\n", run("draw", file, "--trace", "1", "--beside", "2", "--names").text)
            replayed = run("mpi", "replay", file, "--trace", "1", "--", *launcher(library, 3), program)
            self.assertEqual(replayed.code, FAILURE, replayed.error_text)

    def test_a_failure_that_ends_others(self):
        """What a rank would have sent that was killed before is not known: `nothing left` would be wrong."""
        program = self.program(LIBRARIES[-1], "if (rank == 0) { MPI_Recv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORED); if (a == 2) _exit(7); }"
                               "else { if (rank == 1) sleep(50); MPI_Send(&rank, 1, MPI_INT, 0, 0, WORLD); }")
        result = self.verify(LIBRARIES[-1], 3, program)
        self.assertEqual(result.code, FAILURE, result.error_text)
        self.assertIn("1 of at least 1 match set tried, on at least 1 path, in 1 run; nothing left, as far as the runs came: a failure ended others before "
                      "they were done\n", result.text)

    # Rank 2 takes a message of anybody first. If that is not rank 1's, rank 1 has to get on to its second send all the same. That of rank 0 is
    # first only if rank 0's first send does not wait. All rank 1 sends first is N integers.
    MIXED = """
        static int big[1 << 18];
        if (rank == 0) { MPI_Send(&a, 1, MPI_INT, 1, 0, WORLD); usleep(200000); MPI_Send(&a, 1, MPI_INT, 2, 0, WORLD); }
        if (rank == 1) {
            MPI_Send(big, N, MPI_INT, 2, 0, WORLD);
            MPI_Send(&a, 1, MPI_INT, 2, 9, WORLD); MPI_Recv(&a, 1, MPI_INT, 0, 0, WORLD, IGNORED);
        }
        if (rank == 2) {
            MPI_Recv(big, 1 << 18, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORED);
            MPI_Recv(&a, 1, MPI_INT, 1, 9, WORLD, IGNORED);
            MPI_Recv(big, 1 << 18, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORED);
        }"""
    WAITS = HEAD.count("\n") + 6  # the line of that send

    def test_some_sends_wait(self):
        """A deadlock that needs one send to wait, and another one not to: it is predicted, and happens with exactly that send, whether or not
        the library would have buffered it. Under zero buffering there is none. Trace 1 is the run, for `check` and `replay`."""
        waits = f"the send at program.c:{self.WAITS} of rank 1 waits for its receive"
        for library, size in ((library, size) for library in libraries(self._testMethodName) for size in ("1", "1 << 18")):
            with self.subTest(library=library, size=size):
                program = self.program(library, self.MIXED.replace("N,", f"{size},"))
                file, kept = self.folder / "stuck.ctp", self.folder / f"{library}-{len(size)}"
                result = self.verify(library, 3, program, "-o", file, "--keep", kept)
                self.assertEqual(result.code, DEADLOCK, result.text + result.error_text)
                forced = re.findall(rf"^run (\d+): path \d+, as in .*, if {waits}: deadlocked$", result.text, re.MULTILINE)
                self.assertEqual(len(forced), 1, result.text)
                self.assertRegex(result.text, rf"\nconfirmed by runs? [0-9, ]*: the program deadlocks, if {waits}: it depends on the library\n")
                self.assertEqual(len(re.findall("^confirmed by", result.text, re.MULTILINE)), 1, result.text)
                self.assertNotIn("not confirmed", result.text)
                self.assertIn("; nothing left\n", result.text)
                schedule = (kept / f"run-{int(forced[0]):04}" / "schedule").read_text()
                self.assertEqual(re.findall("^(?:refuse|synchronous).*", schedule, re.MULTILINE), ["refuse 1 0"])
                self.assertIn("\n; trace 1, any buffering, refusing S1_0: leads to a deadlock\n", file.read_text())
                checked = run("check", file)
                self.assertEqual(checked.code, DEADLOCK, checked.text)
                self.assertIn(f"\n    if the library does not buffer program.c:{self.WAITS} of rank 1\n", checked.text)
                resumed = self.verify(library, 3, program, "--keep", kept, "--resume")
                self.assertRegex(resumed.text, r"^\d of the runs were made before\n")
                self.assertEqual(resumed.code, DEADLOCK, resumed.text)
                self.assertIn(f": the program deadlocks, if {waits}: it depends on the library\n", resumed.text)
                again = self.verify(library, 3, program, "--buffering", "infinite") if size == "1" else None
                self.assertTrue(again is None or (again.code == HOLDS and "the send at" not in again.text), again and again.text)

    def test_sends_wait_in_a_replay(self):
        """What `check -o` predicts of a recording, `replay` makes happen: with the sends that the witness names."""
        for library in libraries(self._testMethodName):
            program = self.program(library, self.MIXED.replace("N,", "1,"))
            self.assertEqual(self.record(library, 3, program).code, HOLDS)
            witness = self.folder / "witness.ctp"
            self.assertEqual(run("check", self.folder / "run.ctp", "-o", witness).code, DEADLOCK)
            self.assertIn("\n; trace 2, any buffering, refusing S1_0: leads to a deadlock\n", witness.read_text())
            result = run("mpi", "replay", witness, "--", *launcher(library, 3), program)
            self.assertEqual(result.code, DEADLOCK, result.error_text)
            for said in ("trace 2, which gets stuck", f"in this run the send at program.c:{self.WAITS} of rank 1 waits for its receive",
                         "confirmed: the deadlock happened", f"it depends on the library: the send at program.c:{self.WAITS} of rank 1 waits for its receive"):
                self.assertIn(f"matchpoint: {said}\n", result.error_text)
            result = run("mpi", "replay", witness, "--trace", "2", "--buffering", "infinite", "--", *launcher(library, 3), program)
            self.assertEqual(result.code, HOLDS, result.error_text)
            self.assertNotIn("waits for its receive", result.error_text)
            result = run("mpi", "replay", witness, "--trace", "2", "--buffering", "zero", "--", *launcher(library, 3), program)
            self.assertEqual(result.code, ERROR, result.error_text)

    def test_each_way_to_send(self):
        """Each is made synchronous if it is to wait: the first start of a persistent request need not wait, and the second does."""
        receives = "else { MPI_Recv(&b, 1, MPI_INT, 0, 5, WORLD, IGNORED); MPI_Recv(&b, 1, MPI_INT, 0, 0, WORLD, IGNORED); }"
        for library in libraries(self._testMethodName):
            for way, first in (("MPI_Isend(&a, 1, MPI_INT, 1, 0, WORLD, q); MPI_Wait(q, IGNORED);", ""),
                               ("MPI_Sendrecv(&a, 1, MPI_INT, 1, 0, &b, 1, MPI_INT, MPI_PROC_NULL, 0, WORLD, &s); if (s.MPI_SOURCE != MPI_PROC_NULL) abort();", ""),
                               ("MPI_Sendrecv_replace(&a, 1, MPI_INT, 1, 0, MPI_PROC_NULL, 0, WORLD, IGNORED);", ""),
                               ("MPI_Send_init(&a, 1, MPI_INT, 1, 0, WORLD, q); for (int i = 0; i < 2; ++i) { MPI_Start(q); MPI_Wait(q, IGNORED); } MPI_Request_free(q);",
                                "MPI_Recv(&b, 1, MPI_INT, 0, 0, WORLD, IGNORED);")):
                with self.subTest(library=library, way=way):
                    body = f"if (rank == 0) {{ a = 7; {way} MPI_Send(&a, 1, MPI_INT, 1, 5, WORLD); }} {receives.replace('{ ', '{ ' + first, 1)} if (rank == 1 && b != 7) abort();"
                    result = self.verify(library, 2, self.program(library, body))
                    self.assertEqual(result.code, DEADLOCK, result.text + result.error_text)
                    self.assertRegex(result.text, r"\nconfirmed by run 2: the program deadlocks, if the send at program\.c:\d+( \(2nd\))? of rank 0 waits for its receive: "
                                                  "it depends on the library\n")

    def test_collective_calls_that_wait(self):
        """A rank may wait in a collective call for one that has not made the call, as MPI allows; in this replay it does."""
        first = "MPI_Recv(&b, 1, MPI_INT, 1 - rank, 0, WORLD, IGNORED);"
        for library in libraries(self._testMethodName):
            for call, begins in (("MPI_Bcast(&a, 1, MPI_INT, 0, WORLD);", 0), ("MPI_Reduce(&a, &c, 1, MPI_INT, MPI_SUM, 0, WORLD);", 1),
                                 ("MPI_Scan(&a, &c, 1, MPI_INT, MPI_SUM, WORLD);", 0),
                                 ("MPI_Ibcast(&a, 1, MPI_INT, 0, WORLD, q); MPI_Wait(q, IGNORED);", 0),
                                 ("MPI_Ireduce(&a, &c, 1, MPI_INT, MPI_SUM, 0, WORLD, q); MPI_Waitall(1, q, &s);", 1)):
                with self.subTest(library=library, call=call):
                    result = self.verify(library, 2, self.program(library, f"if (rank == {begins}) {{\n{call}\n MPI_Send(&a, 1, MPI_INT, 1 - rank, 0, WORLD); }} else {{ {first} {call} }}"))
                    self.assertEqual(result.code, DEADLOCK, result.text + result.error_text)
                    line = HEAD.count("\n") + 3
                    # MPICH waits in MPI_Scan by itself.
                    self.assertRegex(result.text, rf"\nconfirmed by run [12]: the program deadlocks, if the collective call at program\.c:{line} of rank {begins} waits for "
                                                  "other ranks: it depends on the library\n")
            later = f"if (rank == 0) {{ MPI_Ibcast(&a, 1, MPI_INT, 0, WORLD, q); MPI_Waitany(1, q, &b, IGNORED); MPI_Send(&a, 1, MPI_INT, 1, 0, WORLD); }} else {{ {first} MPI_Ibcast(&a, 1, MPI_INT, 0, WORLD, q); MPI_Wait(q, IGNORED); }}"
            result = self.verify(library, 2, self.program(library, later))
            self.assertEqual(result.code, UNKNOWN, result.text)
            self.assertNotIn("no failure", result.text)
            self.assertRegex(result.text, r"\nnot confirmed by run 2: path 1 gets stuck, if the collective call at program\.c:\d+ of rank 0 waits for other ranks; "
                                          "the run took these messages and ended well\n")

    def test_a_call_that_is_missing(self):
        """A run that got stuck lacks the call of a rank that never came there: who waits for it waits for this rank."""
        for library in libraries(self._testMethodName):
            body = """
                if (rank == 0) MPI_Recv(&a, 1, MPI_INT, 1, 0, WORLD, IGNORED);
                if (rank == 1) MPI_Send(&a, 1, MPI_INT, 0, 0, WORLD);
                if (rank == 2) MPI_Recv(&a, 1, MPI_INT, 1, 0, WORLD, IGNORED);
                MPI_Allreduce(&a, &b, 1, MPI_INT, MPI_SUM, WORLD);
                if (rank == 1) MPI_Send(&a, 1, MPI_INT, 2, 0, WORLD);"""
            result = self.verify(library, 3, self.program(library, body))
            self.assertEqual(result.code, DEADLOCK, result.text + result.error_text)
            self.assertIn("needs rank 2, and rank 2 had come to no such call when it got stuck\n", result.text)
            self.assertIn("\n  a cycle: rank 1 waits for rank 2, rank 2 waits for rank 1\n", result.text)
            self.assertNotIn("nobody makes", result.text)

    def test_probes_and_sends_that_wait(self):
        """Both messages are probed before one is received: a deadlock if the first send waits for its receive. In the twin each is received
        at once."""
        for library in libraries(self._testMethodName):
            for probe, receive in (("MPI_Probe(0, TAG, WORLD, IGNORED);", "MPI_Recv(&b, 1, MPI_INT, 0, TAG, WORLD, IGNORED);"),
                                   ("MPI_Probe(MPI_ANY_SOURCE, TAG, WORLD, &t[TAG]);", "MPI_Recv(&b, 1, MPI_INT, t[TAG].MPI_SOURCE, TAG, WORLD, IGNORED);"),
                                   ("MPI_Mprobe(0, TAG, WORLD, &m[TAG], IGNORED);", "MPI_Mrecv(&b, 1, MPI_INT, &m[TAG], IGNORED);")):
                calls = [call.replace("TAG", tag) for call in (probe, receive) for tag in "12"]
                for order, code in (((0, 1, 2, 3), DEADLOCK), ((0, 2, 1, 3), HOLDS)):
                    with self.subTest(library=library, probe=probe, order=order):
                        program = self.program(library, f"""MPI_Message m[3]; MPI_Status t[3]; (void)m; (void)t;
                            if (rank == 0) {{ MPI_Send(&a, 1, MPI_INT, 1, 1, WORLD); MPI_Send(&a, 1, MPI_INT, 1, 2, WORLD); }}
                            else {{ {' '.join(calls[i] for i in order)} }}""")
                        result = self.verify(library, 2, program)
                        self.assertEqual(result.code, code, result.text + result.error_text)
                        self.assertIn("; nothing left\n", result.text)
                        if code == DEADLOCK:
                            self.assertRegex(result.text, r"\nconfirmed by run 2: the program deadlocks, if the send at program\.c:\d+ of rank 0 waits for its receive: it depends on the library\n")

    def test_broadcasts_that_wait(self):
        """Rank 2 broadcasts before it sends to rank 1, which receives before it broadcasts: that works if no rank waits in MPI_Bcast for others
        than the root. In the twin all broadcast first."""
        for library in libraries(self._testMethodName):
            bcast, receive, send = "MPI_Bcast(&a, 1, MPI_INT, 0, WORLD);", "MPI_Recv(&b, 1, MPI_INT, 2, 0, WORLD, IGNORED);", "MPI_Send(&b, 1, MPI_INT, 1, 0, WORLD);"
            for first, code in ((receive + bcast, DEADLOCK), (bcast + receive, HOLDS)):
                with self.subTest(library=library, first=first):
                    result = self.verify(library, 3, self.program(library, f"if (rank == 0) {{ {bcast} }} if (rank == 1) {{ {first} }} if (rank == 2) {{ {bcast} {send} }}"))
                    self.assertEqual(result.code, code, result.text + result.error_text)
                    if code == DEADLOCK:
                        self.assertRegex(result.text, r"\nconfirmed by run \d: the program deadlocks, if the collective calls? at program\.c:\d+ of rank \d .*"
                                                      "for other ranks: it depends on the library\n")
                    else:
                        self.assertIn("\nno failure and no deadlock: ", result.text)

    def test_every_library_deadlocks(self):
        """Ranks that wait at sends depend on a library only if they could go on otherwise."""
        for library in libraries(self._testMethodName):
            result = self.verify(library, 2, self.program(library, "MPI_Ssend(&a, 1, MPI_INT, 1 - rank, 0, WORLD); MPI_Recv(&a, 1, MPI_INT, 1 - rank, 0, WORLD, IGNORED);"))
            self.assertEqual(result.code, DEADLOCK, result.text)
            self.assertIn("confirmed by run 1: the program deadlocks\n", result.text)
            large = "static int big[1 << 18]; MPI_Send(big, 1 << 18, MPI_INT, 1 - rank, 0, WORLD); MPI_Recv(big, 1 << 18, MPI_INT, 1 - rank, 0, WORLD, IGNORED);"
            program = self.program(library, large)
            self.assertEqual(self.record(library, 2, program).code, DEADLOCK)
            self.assertIn("\n; This run deadlocked.\n; trace 1, any buffering, refusing S0_0 S1_0: leads to a deadlock\n", (self.folder / "run.ctp").read_text())
            self.assertEqual(run("check", self.folder / "run.ctp").code, DEADLOCK)
            told = run("run", self.folder / "run.ctp")
            self.assertEqual(told.code, DEADLOCK)
            self.assertRegex(told.text, r"^trace 1: deadlock, if the library does not buffer \S+ of rank 0 and \S+ of rank 1 \(the trace stops early\)\n")
            result = self.verify(library, 2, program)
            self.assertRegex(result.text, r"\nconfirmed by runs? [0-9, ]+: the program deadlocks, if the sends at \S+ of rank [01] and at \S+ of rank [01] wait for their receives: "
                                          "it depends on the library\n")

    def test_a_run_whose_sends_waited(self):
        """It is a trace in which a send refuses, also if messages were taken before it got stuck."""
        program = self.program(LIBRARIES[0], """
            if (rank == 0) for (int i = 0; i < 2; ++i) { MPI_Recv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORED); if (a == 2) MPI_Send(&a, 1, MPI_INT, 1, 5, WORLD); }
            else { MPI_Send(&rank, 1, MPI_INT, 0, 0, WORLD); if (rank == 1) MPI_Recv(&a, 1, MPI_INT, 0, 5, WORLD, IGNORED); }""")
        file = self.folder / "stuck.ctp"
        result = self.verify(LIBRARIES[0], 3, program, "-o", file)
        self.assertEqual(result.code, DEADLOCK, result.text)
        self.assertEqual(run("check", file).code, DEADLOCK)
        self.assertIn("\n  the recorded run deadlocked\n", run("check", file).text)
        infinite = run("check", file, "--buffering", "infinite")
        self.assertEqual(infinite.code, UNKNOWN)
        self.assertIn("\n  the recorded run deadlocked, as its sends waited: --buffering any is about that\n", infinite.text)
        result = run("mpi", "replay", file, "--trace", "1", "--", *launcher(LIBRARIES[0], 3), program)
        self.assertEqual(result.code, DEADLOCK, result.error_text)
        self.assertIn("confirmed: the deadlock happened\n", result.error_text)

    def test_not_confirmed(self):
        """A program that depends on more than its messages: the recording predicts a failure that does not happen."""
        for library in libraries(self._testMethodName):
            source = self.folder / "moody.cpp"
            source.write_text("""
                #include <mpi.h>
                #include <unistd.h>
                #include <matchpoint/mpi.h>
                int main(int argc, char** argv) {
                    MPI_Init(&argc, &argv);
                    int rank; MPI_Comm_rank(MPI_COMM_WORLD, &rank);
                    matchpoint::value<int> a, b;
                    if (rank == 0) {
                        MPI_Recv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                        MPI_Recv(&b, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                        MATCHPOINT_ASSERT(a != 7);
                    } else {
                        bool const is_first_run = access(argv[1], F_OK) != 0;
                        if (rank == 2 && is_first_run) { usleep(300000); FILE* f = fopen(argv[1], "w"); fclose(f); }
                        int const carried = rank == 2 && is_first_run ? 7 : 3;
                        MPI_Send(&carried, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
                    }
                    MPI_Finalize();
                }""")
            program = compiled(library, source, self.folder)
            for _ in range(10):
                mood = self.folder / "mood"
                mood.unlink(missing_ok=True)
                result = run("mpi", "verify", "--names", "--timeout", "60", "--", *launcher(library, 3), program, mood)
                if result.text.startswith("run 1: new path 1: ended well\n"):
                    break
            self.assertEqual(result.code, UNKNOWN, result.text)
            self.assertIn("not confirmed by run 2: path 1 fails as in R0_0 = S2_0, R0_1 = S1_0; the run took these messages and ended well\n", result.text)

    def test_incomplete(self):
        """Nothing is left only as far as the recordings go."""
        for library in libraries(self._testMethodName):
            program = self.program(library, "MPI_Win w; MPI_Win_create_dynamic(MPI_INFO_NULL, WORLD, &w); MPI_Win_free(&w);")
            result = self.verify(library, 2, program)
            self.assertEqual(result.code, UNKNOWN)
            self.assertIn("; nothing left, as far as the recordings go: they are incomplete\n", result.text)
            self.assertIn("MPI_Win_create_dynamic: windows that grow are not modelled", result.error_text)

    def test_time(self):
        """A run that timed out shows nothing; what is known of it is written. --resume repeats it, with more time."""
        program = self.program(LIBRARIES[-1], 'MPI_Barrier(WORLD); while (getenv("SLOW")) pause(); ' + Replay.RACE.replace("abort()", "_exit(3)"))
        written = self.folder / "timed-out.ctp"
        for limit in LIMITS:
            folder = self.folder / f"runs-{limit}"
            result = run("mpi", "verify", "--timeout", limit, "--keep", folder, "-o", written, "--", *launcher(LIBRARIES[-1], 3), program,
                         env={**os.environ, "SLOW": "1"})
            self.assertEqual(result.code, UNKNOWN, result.text)
            if "its last recorded call" in result.text:
                break
        self.assertRegex(result.text, r"0 of at least 1 match set tried, on at least 1 path, in \d runs?; stopped: \d runs? timed out\n"
                                      rf"the time limit of {limit} s ended runs? 1(, 2)?:\n  rank 0 had not come to MPI_Finalize; its last")
        self.assertRegex(result.text, rf"\n  draw it: matchpoint draw {re.escape(str(written))} --trace 1\n")
        self.assertNotIn("was not written", result.text)
        self.assertRegex(written.read_text(), rf"^; Run 1 of: .*\n; 3 ranks; .*\n; This run was ended: the time limit of {limit} s was reached\n; rank 0 had not come to")
        self.assertEqual(written.read_text(), (folder / "run-0001" / "run.ctp").read_text())
        told = run("run", written)
        self.assertIn(f"ended: the time limit of {limit} s was reached", told.text + told.error_text)
        result = self.verify(LIBRARIES[-1], 3, program, "--keep", folder, "--resume")
        self.assertEqual(result.code, FAILURE, result.text)
        self.assertIn("; nothing left\n", result.text)

    def test_a_path_goes_on(self):
        """A rank that does more in one order than in another is on two paths, and nothing is predicted of the one from the other."""
        body = "if (rank == 0) { for (int i = 1; i < size; ++i) { MPI_Recv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORED); if (i == 1) b = a; }" \
               "if (b == 2) MPI_Recv(&a, 1, MPI_INT, 2, 1, WORLD, IGNORED); }" \
               "else { MPI_Send(&rank, 1, MPI_INT, 0, 0, WORLD); if (rank == 2) MPI_Send(&rank, 1, MPI_INT, 0, 1, WORLD); }"
        for library in libraries(self._testMethodName):
            result = self.verify(library, 3, self.program(library, body))
            self.assertRegex(result.text, r"on 2 paths, in \d+ runs; nothing left\n")
            self.assertNotIn("not confirmed", result.text)

    def test_messages_passed_over(self):
        """If the receive of tag 1 takes a message past the one with tag 2, the next receive can get the message of rank 1."""
        body = "for (int i = 0; rank == 0 && i < 3; ++i) MPI_Recv(&a, 1, MPI_INT, MPI_ANY_SOURCE, i == 0 ? 1 : MPI_ANY_TAG, WORLD, IGNORED);" \
               "if (rank == 2) MPI_Send(&rank, 1, MPI_INT, 0, 2, WORLD); if (rank != 0) MPI_Send(&rank, 1, MPI_INT, 0, 1, WORLD);"
        for library in libraries(self._testMethodName):
            result = self.verify(library, 3, self.program(library, body))
            self.assertEqual(result.code, HOLDS, result.text + result.error_text)
            self.assertIn("3 of 3 match sets tried, on 1 path, in 3 runs; nothing left\n", result.text)

    def test_nothing_recorded(self):
        """What is no MPI program is no failure of one."""
        for program in ("/bin/true", "/nowhere/program"):
            result = run("mpi", "verify", "--", *launcher(LIBRARIES[0], 2), program)
            self.assertEqual(result.code, BAD_INPUT, result.text)
            self.assertIn("run 1: nothing that can be read was recorded", result.text)
            self.assertIn("; stopped: a run recorded no rank\n", result.text)
            self.assertNotIn("confirmed", result.text)

    def test_interrupted(self):
        """Ctrl-C ends the run, and what was found so far is said and written; so does a terminal that is closed."""
        command = [*launcher(LIBRARIES[0], 2), self.program(LIBRARIES[0], "MPI_Barrier(WORLD); for (;;) pause();")]
        for numbers, pause in (([signal.SIGINT, signal.SIGINT], 0.05), ([signal.SIGTERM, signal.SIGINT], 1), ([signal.SIGHUP], 0)):
            file = self.folder / "found.ctp"
            code, out, err = self.interrupted(["verify", "-o", file], command, numbers, pause)
            self.assertEqual(code, UNKNOWN, err)
            self.assertRegex(out, r"^run 1: new path 1: interrupted\nthe interruption ended run 1:\n  rank 0 had not come to MPI_Finalize; .*\n"
                                  rf"  rank 1 .*\n  draw it: matchpoint draw {re.escape(str(file))} --trace 1\n"
                                  r"0 of at least 1 match set tried, on at least 1 path, in 1 run; stopped: interrupted\n$")
            self.assertRegex(file.read_text(), r"^; Run 1 of: .*\n; 2 ranks; .*\n; This run was ended: it was interrupted\n; rank 0 had not come")
            file.unlink()

    def test_a_path_that_ends_where_a_run_timed_out(self):
        """Nothing is predicted of a rank that was still running, and the run is not made again: verify and replay say what is known."""
        program = self.program(LIBRARIES[-1], """
            if (rank == 0) { for (int i = 0; i < 2; ++i) { MPI_Recv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORED); if (i == 0) b = a; }
                             if (b == 2) for (;;) pause(); MPI_Send(&a, 1, MPI_INT, 1, 0, WORLD); }
            else { if (rank == 1) usleep(200000); MPI_Send(&rank, 1, MPI_INT, 0, 0, WORLD); if (rank == 1) MPI_Recv(&a, 1, MPI_INT, 0, 0, WORLD, IGNORED); }""")
        file = self.folder / "some.ctp"
        for limit in ("2", "2", "2", *LIMITS):
            result = run("mpi", "verify", "--timeout", limit, "-o", file, "--", *launcher(LIBRARIES[-1], 3), program)
            if result.text.startswith("run 1: new path 1: the time limit was reached\n"):
                break
        self.assertEqual(result.code, UNKNOWN, result.text)
        self.assertNotIn("not confirmed", result.text)
        self.assertIn("\n1 of 2 match sets tried, on at least 1 path, in 2 runs; stopped: 1 run timed out\n", result.text)
        for again in LIMITS:
            result = run("mpi", "replay", file, "--timeout", again, "--", *launcher(LIBRARIES[-1], 3), program)
            if result.error_text.endswith("as the recorded one was\n"):
                break
        self.assertEqual(result.code, UNKNOWN, result.error_text)
        self.assertIn(f"matchpoint: trace 1, the recorded run, which was ended: the time limit of {limit} s was reached; rank 0 was still running\n",
                      result.error_text)
        self.assertTrue(result.error_text.endswith("matchpoint: the run was ended, as the recorded one was\n"), result.error_text)
        result = run("mpi", "replay", file, "--trace", "1", "--", *launcher(LIBRARIES[-1], 3),
                     self.program(LIBRARIES[-1], Replay.RACE.replace("rank, WORLD", "0, WORLD").replace("abort()", "_exit(3)")))
        self.assertEqual(result.code, FAILURE, result.error_text)
        self.assertTrue(result.error_text.endswith("matchpoint: the recorded run was ended, and this one failed\n"), result.error_text)

    def test_a_path_that_ends_where_a_run_failed(self):
        """What the rank that failed would have done next is not known: other orders are not predicted to get stuck for that."""
        program = self.program(LIBRARIES[-1], Replay.RACE.replace("rank == 2) usleep", "rank == 1) usleep").replace("abort()", "_exit(3)")
                               + "if (rank == 0) MPI_Send(&a, 1, MPI_INT, 1, 7, WORLD); if (rank == 1) MPI_Recv(&a, 1, MPI_INT, 0, 7, WORLD, IGNORED);")
        for _ in range(10):
            result = self.verify(LIBRARIES[-1], 3, program)
            if result.text.startswith("run 1: new path 1: failed"):
                break
        self.assertRegex(result.text, r"\nrun 2: path 1, as in .*: ended well\n")
        self.assertNotIn("not confirmed", result.text)

    def test_collectives_that_do_not_match(self):
        """It is a fault, whether the run hangs, fails or ends well; if it hangs, that is the reason."""
        for library in libraries(self._testMethodName):
            for first, second, words in (
                ("MPI_Barrier(WORLD);", "MPI_Allreduce(&rank, &a, 1, MPI_INT, MPI_SUM, WORLD);", "MPI_Barrier (program.c:{}) in rank 0, MPI_Allreduce (program.c:{}) in rank 1"),
                ("MPI_Ibarrier(WORLD, q); MPI_Wait(q, IGNORED);", "MPI_Igather(&a, 1, MPI_INT, all, 1, MPI_INT, 1, WORLD, q); MPI_Wait(q, IGNORED);",
                 "MPI_Ibarrier (program.c:{}) in rank 0, MPI_Igather (program.c:{}) in rank 1"),
                ("MPI_Bcast(&a, 1, MPI_INT, 0, WORLD);", "MPI_Bcast(&a, 1, MPI_INT, 1, WORLD);",
                 "MPI_Bcast (root 0) (type MPI_INT) (count 1) (program.c:{}) in rank 0, MPI_Bcast (root 1) (type MPI_INT) (count 1) (program.c:{}) in rank 1")):
                with self.subTest(library=library, first=first):
                    program = self.program(library, f"int all[4]; (void)all;\nif (rank == 0) {{ {first} }}\nelse {{ {second} }}")
                    result = run("mpi", "verify", "--timeout", "30", "--runs", "1", "--", *launcher(library, 2), program)
                    self.assertIn(result.code, (DEADLOCK, FAILURE, ERROR), result.text + result.error_text)
                    line = HEAD.count("\n") + 3
                    said = f"collective 1 of MPI_COMM_WORLD: {words.format(line, line + 1)}\n"
                    self.assertIn(f"path 1: collective calls do not match, a fault: {said}", result.text)
                    if result.code == DEADLOCK:
                        self.assertIn("confirmed by run 1: the program deadlocks\n", result.text)
                    self.assertEqual(self.record(library, 2, program).code in (HOLDS, DEADLOCK, FAILURE), True)
                    checked = run("check", self.folder / "run.ctp")
                    self.assertIn("\n  fault: yes\n", checked.text)
                    self.assertIn(said, checked.text)

    def test_a_claim_that_was_false(self):
        """It says nothing of other orders: `check` predicts no failure, and a good run beside the bad one looks good."""
        source = self.folder / "claim.c"
        source.write_text("""#include <mpi.h>
            #include <matchpoint/mpi.h>
            int main(int n, char** v) { int rank, x; MPI_Init(&n, &v); MPI_Comm_rank(MPI_COMM_WORLD, &rank);
                if (rank == 0) { MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); MATCHPOINT_ASSERT(x == 1);
                    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
                else MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
                MPI_Finalize(); }""")
        for library in libraries(self._testMethodName):
            bug = self.folder / f"bug.{library}.ctp"
            program = compiled(library, source, self.folder)
            for _ in range(10):
                result = self.verify(library, 3, program, "-o", bug)
                if "; nothing left\n" in result.text:
                    break  # otherwise the failure has ended rank 1 before it sent, which can happen on a busy machine
            self.assertEqual(result.code, FAILURE, result.text)
            self.assertNotIn("not confirmed", result.text)
            traces = run("run", bug).text
            self.assertTrue(traces.startswith("trace 1: failed: exit code "), traces)
            self.assertIn("\ntrace 2: success", traces)
            checked = run("check", bug)
            self.assertIn(": unknown (any buffering)\n", checked.text)
            self.assertIn(" evaluated in the recorded run, which failed: ", checked.text)
            self.assertNotIn("orphans", checked.text)
            self.assertNotIn("assert true", run("draw", bug, "--trace", "1").text)


if __name__ == "__main__":
    unittest.main()
