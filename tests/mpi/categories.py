#!/usr/bin/env python3
"""Mistakes in MPI programs, by kind: `matchpoint mpi verify` names each one at its line, and raises no alarm where there is none.

  tests/mpi/categories.py                       a part of the programs, each with one MPI library
  tests/mpi/categories.py --all --jobs 2        every program with each library, and a table: how many were named, by category
  tests/mpi/categories.py --list                their names
  tests/mpi/categories.py --all --only Invalid  those whose category begins so

The programs are made here, over the calls of MPI: ways to send and to receive, collective calls, blocking and not, and what makes
communicators, groups, types and operations, ways to begin and end epochs of windows, and accesses of them. The categories are those of
the MPI Bugs Initiative (Laurent, Saillard, Quinson, Correctness 2021). Its programs are others."""

import argparse
import os
import re
import subprocess
import sys
import unittest
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from mpi import LIBRARIES, launcher
from support import InFolder, run

HERE = "// here"  # at the end of a line that the report has to name
HEAD = """#include <mpi.h>
#include <stdlib.h>
#define WORLD MPI_COMM_WORLD
#define IGNORED MPI_STATUS_IGNORE
static int rank, size, a[64], b[64], n;
static float f[64];
static MPI_Request q, p, r;
static MPI_Message m;
static MPI_Status s;
static MPI_Comm comm;
static MPI_Group group;
static MPI_Datatype type;
static MPI_Op op;
static MPI_Win w;
static int memory[4] = {10, 11, 12, 13};
static void sum(void *in, void *out, int *count, MPI_Datatype *of) { (void)of; for (int i = 0; i < *count; ++i) ((int *)out)[i] += ((int *)in)[i]; }
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &size);
"""
TAIL = """
    MPI_Finalize();
    return 0;
}
"""


@dataclass(frozen=True)
class Program:
    category: str
    name: str
    body: str
    says: str  # what the report matches; LINES stands for the marked lines. Empty for a program that is right
    codes: tuple = (13,)
    ranks: int = 2

    @property
    def text(self):
        return HEAD + self.body + TAIL

    @property
    def wanted(self):
        lines = [str(i) for i, line in enumerate(self.text.splitlines(), 1) if line.endswith(HERE)]
        return self.says.replace("LINES", "(" + "|".join(lines) + ")")


def found(kind):
    return rf"finding: .*prog\.c:LINES: .*\[{kind}[\],]"


MISMATCH = r"collective calls do not match, a fault: .*prog\.c:LINES"
STUCK = r"(?s)confirmed by runs? .*the program (deadlocks|gets stuck).*prog\.c:LINES"
FAILS = r"confirmed by runs? .*: the program fails"
GOES_WRONG = (10, 11, 13)  # what libraries make of it differs

# ---- calls --------------------------------------------------------------------------------------------------------------------

# What issues a send or receive, what completes it, and what frees its request.
SENDS = {"Send": ("MPI_Send(BUFFER, COUNT, TYPE, PEER, TAG, COMM);", "", ""), "Ssend": ("MPI_Ssend(BUFFER, COUNT, TYPE, PEER, TAG, COMM);", "", ""),
         "Isend": ("MPI_Isend(BUFFER, COUNT, TYPE, PEER, TAG, COMM, &q);", "MPI_Wait(&q, IGNORED);", ""),
         "Issend": ("MPI_Issend(BUFFER, COUNT, TYPE, PEER, TAG, COMM, &q);", "MPI_Wait(&q, IGNORED);", ""),
         "Send_init": ("MPI_Send_init(BUFFER, COUNT, TYPE, PEER, TAG, COMM, &q);", "MPI_Start(&q); MPI_Wait(&q, IGNORED);", "MPI_Request_free(&q);"),
         "Ssend_init": ("MPI_Ssend_init(BUFFER, COUNT, TYPE, PEER, TAG, COMM, &q);", "MPI_Start(&q); MPI_Wait(&q, IGNORED);", "MPI_Request_free(&q);")}
RECEIVES = {"Recv": ("MPI_Recv(BUFFER, COUNT, TYPE, PEER, TAG, COMM, IGNORED);", "", ""),
            "Irecv": ("MPI_Irecv(BUFFER, COUNT, TYPE, PEER, TAG, COMM, &q);", "MPI_Wait(&q, IGNORED);", ""),
            "Recv_init": ("MPI_Recv_init(BUFFER, COUNT, TYPE, PEER, TAG, COMM, &q);", "MPI_Start(&q); MPI_Wait(&q, IGNORED);", "MPI_Request_free(&q);"),
            "Probe_Recv": ("MPI_Probe(PEER, TAG, COMM, IGNORED); MPI_Recv(BUFFER, COUNT, TYPE, PEER, TAG, COMM, IGNORED);", "", ""),
            "Mprobe_Mrecv": ("MPI_Mprobe(PEER, TAG, COMM, &m, IGNORED); MPI_Mrecv(BUFFER, COUNT, TYPE, &m, IGNORED);", "", "")}
COLLECTIVES = {"Barrier": "COMM", "Bcast": "a, 1, TYPE, ROOT, COMM", "Reduce": "a, b, 1, TYPE, OP, ROOT, COMM", "Allreduce": "a, b, 1, TYPE, OP, COMM",
               "Gather": "a, 1, TYPE, b, 1, TYPE, ROOT, COMM", "Scatter": "a, 1, TYPE, b, 1, TYPE, ROOT, COMM", "Allgather": "a, 1, TYPE, b, 1, TYPE, COMM",
               "Alltoall": "a, 1, TYPE, b, 1, TYPE, COMM", "Scan": "a, b, 1, TYPE, OP, COMM", "Exscan": "a, b, 1, TYPE, OP, COMM",
               "Reduce_scatter_block": "a, b, 1, TYPE, OP, COMM"}
MAKES = {"Comm_dup": ("communicator", "MPI_Comm_dup(WORLD, &comm);", "MPI_Comm_free(&comm);"),
         "Comm_split": ("communicator", "MPI_Comm_split(WORLD, 0, rank, &comm);", "MPI_Comm_free(&comm);"),
         "Comm_create": ("communicator", "MPI_Comm_group(WORLD, &group); MPI_Comm_create(WORLD, group, &comm);", "MPI_Comm_free(&comm); MPI_Group_free(&group);"),
         "Cart_create": ("communicator", "MPI_Cart_create(WORLD, 1, &size, (int[]){0}, 0, &comm);", "MPI_Comm_free(&comm);"),
         "Comm_group": ("group", "MPI_Comm_group(WORLD, &group);", "MPI_Group_free(&group);"),
         "Group_incl": ("group", "MPI_Comm_group(WORLD, &group); MPI_Group_free(&group); MPI_Comm_group(MPI_COMM_SELF, &group);", "MPI_Group_free(&group);"),
         "Type_contiguous": ("type", "MPI_Type_contiguous(2, MPI_INT, &type);", "MPI_Type_free(&type);"),
         "Type_vector": ("type", "MPI_Type_vector(2, 1, 2, MPI_INT, &type);", "MPI_Type_free(&type);"),
         "Type_indexed": ("type", "MPI_Type_indexed(1, (int[]){1}, (int[]){0}, MPI_INT, &type);", "MPI_Type_free(&type);"),
         "Type_dup": ("type", "MPI_Type_dup(MPI_INT, &type);", "MPI_Type_free(&type);"),
         "Op_create": ("operation", "MPI_Op_create(sum, 1, &op);", "MPI_Op_free(&op);")}
MAY_RETURN_ALONE = {"Bcast", "Scatter", "Scan", "Exscan"}  # in rank 0
LEAKS = {"communicator": "CommunicatorLeak", "group": "GroupLeak", "type": "TypeLeak", "operation": "OperatorLeak"}


def filled(call, peer="PEER", **words):
    values = {"BUFFER": "a", "COUNT": "1", "TYPE": "MPI_INT", "PEER": peer, "TAG": "0", "COMM": "WORLD", "ROOT": "0", "OP": "MPI_SUM"} | words
    for word, value in values.items():
        call = re.sub(rf"\b{word}\b", value, call)
    return call


def lines(*calls):
    return "".join(f"        {call}\n" for call in calls if call)


def ranks(zero, one):
    return f"    if (rank == 0) {{\n{zero}    }} else {{\n{one}    }}\n"


def here(call):
    return f"{call} {HERE}"


def whole(call, peer, mark=False, **words):
    """A send or receive, complete and freed. A report names the line that begins it, or starts it."""
    issue, complete, free = (filled(c, peer, **words) for c in call)
    return lines(*(here(c) if mark and c else c for c in (issue, complete)), free)


def collective(name, nonblocking=False, **words):
    arguments = filled(COLLECTIVES[name], **words)
    return f"MPI_I{name.lower()}({arguments}, &q);" if nonblocking else f"MPI_{name}({arguments});"


def completed(name, nonblocking, mark=False, **words):
    call = collective(name, nonblocking, **words)
    return lines(here(call) if mark else call, "MPI_Wait(&q, IGNORED);" if nonblocking else "")


def label(name, nonblocking):
    return f"I{name.lower()}" if nonblocking else name


# ---- programs -----------------------------------------------------------------------------------------------------------------


def in_duplicate(body):
    return "    MPI_Comm_dup(WORLD, &comm);\n" + body + "    MPI_Comm_free(&comm);\n"


def pairs():
    """Each way to send with each way to receive."""
    for s, send in SENDS.items():
        for r, receive in RECEIVES.items():
            pair = f"{s}_{r}"
            yield Program("Correct", pair, ranks(whole(send, "1"), whole(receive, "0")), "", (0,))
            floats = whole(receive, "0", True, TYPE="MPI_FLOAT", BUFFER="f")
            yield Program("DatatypeMatching", pair, ranks(whole(send, "1", True), floats), found("type-mismatch"))
            yield Program("TagMatching", pair, ranks(whole(send, "1", True), whole(receive, "0", True, TAG="1")), STUCK, GOES_WRONG)


def head_to_head():
    """Two ranks that wait for each other, or one that waits for nobody."""
    for r, receive in RECEIVES.items():
        send = SENDS["Send"]
        both = ranks(whole(receive, "1", True) + whole(send, "1"), whole(receive, "0", True) + whole(send, "0"))
        yield Program("CallMatching", f"{r}_{r}", both, STUCK, (11,))
        yield Program("CallMatching", f"{r}_alone", ranks("", whole(receive, "0", True)), STUCK, (11,))
        body = ranks(whole(send, "1", True), whole(receive, "0", True, COMM="comm"))
        yield Program("CommunicatorMatching", f"Send_{r}", in_duplicate(body), STUCK, GOES_WRONG)
    for s in ("Send", "Ssend", "Send_init", "Ssend_init"):
        send, receive = SENDS[s], RECEIVES["Recv"]
        both = ranks(whole(send, "1", True) + whole(receive, "1"), whole(send, "0", True) + whole(receive, "0"))
        category, says = ("CallMatching", STUCK) if s.startswith("Ss") else ("BufferingHazard", rf"{STUCK}.*it depends on the library")
        yield Program(category, f"{s}_{s}", both, says, (11,))


def requests():
    """Requests that nobody waits for, starts or frees, and their buffers."""
    send, receive = whole(SENDS["Send"], "0"), whole(RECEIVES["Recv"], "0")
    for call in ("Isend", "Issend"):
        issue = here(filled(SENDS[call][0], "1"))
        yield Program("MissingWait", call, ranks(lines(issue), receive), found("unfinished-request"), GOES_WRONG)
        stored = lines("a[0] = 1;", issue, here("a[0] = 7;"), here("MPI_Wait(&q, IGNORED);"))
        yield Program("LocalConcurrency", f"{call}_store", ranks(stored, receive), found("buffer-changed"))
        received = lines(issue, here("MPI_Recv(a, 1, MPI_INT, 1, 0, WORLD, IGNORED);"), "MPI_Wait(&q, IGNORED);")
        first_sent = lines("MPI_Isend(b, 1, MPI_INT, 0, 0, WORLD, &p);")
        body = ranks(received, first_sent + receive + lines("MPI_Wait(&p, IGNORED);"))
        yield Program("LocalConcurrency", f"{call}_Recv", body, found("buffer-overlap"))
    issue = here(filled(RECEIVES["Irecv"][0], "1"))
    yield Program("MissingWait", "Irecv", ranks(lines(issue), send), found("unfinished-request"), GOES_WRONG)
    for other, sent in (("MPI_Irecv(a, 1, MPI_INT, 1, 0, WORLD, &p);", send + send), ("MPI_Isend(a, 1, MPI_INT, 1, 0, WORLD, &p);", receive + send)):
        both = lines(issue, here(other), "MPI_Wait(&q, IGNORED);", "MPI_Wait(&p, IGNORED);")
        yield Program("LocalConcurrency", f"Irecv_{other[4:9]}", ranks(both, sent), found("buffer-overlap"))
    for call in ("Send_init", "Ssend_init", "Recv_init"):
        make, use, free = (filled(c, "1") for c in {**SENDS, **RECEIVES}[call])
        other = send if call == "Recv_init" else receive
        yield Program("MissingStart", call, ranks(lines(here(make), free), ""), found("never-started"))
        started = lines(here(make), here("MPI_Start(&q);"))
        yield Program("MissingWait", call, ranks(started, other), found("unfinished-request"), GOES_WRONG)
        yield Program("RequestLeak", call, ranks(lines(here(make), use), other), found("persistent-leak"))


def races():
    """Rank 0 receives from anybody, and fails if one of the others comes first."""
    send = whole(SENDS["Send"], "0")
    for r in ("Recv", "Irecv", "Recv_init"):
        both = "".join(whole(RECEIVES[r], "MPI_ANY_SOURCE", BUFFER=buffer) for buffer in ("a", "b"))
        for condition, says, code in (("a[0] == 1", FAILS, 10), ("a[0] == 2", FAILS, 10), ("a[0] + b[0] != 3", "", 0)):
            body = ranks(both + lines(f"if ({condition}) MPI_Abort(WORLD, 3);"), "        a[0] = rank;\n" + send)
            yield Program("MessageRace" if says else "Correct", f"{r}, {condition}", body, says, (code,), 3)


def collectives():
    names = list(COLLECTIVES)
    for i, name in enumerate(names):
        for nonblocking in (False, True):
            of, other, former = (label(n, nonblocking) for n in (name, names[(i + 1) % len(names)], names[i - 1]))

            def marked(of_name=name, nonblocking=nonblocking, **words):
                return completed(of_name, nonblocking, True, **words)

            yield Program("Correct", of, completed(name, nonblocking), "", (0,))
            yield Program("CallMatching", f"{of}_{other}", ranks(marked(), marked(names[(i + 1) % len(names)])), MISMATCH, GOES_WRONG)
            crossed = ranks(marked() + marked(names[i - 1]), marked(names[i - 1]) + marked())
            yield Program("CallMatching", f"{of}_{former}_crossed", crossed, MISMATCH, GOES_WRONG)
            if name not in MAY_RETURN_ALONE:
                yield Program("CallMatching", f"{of}_alone", ranks(marked(), ""), STUCK, GOES_WRONG)
            if "TYPE" in COLLECTIVES[name]:
                yield Program("DatatypeMatching", of, ranks(marked(), marked(TYPE="MPI_FLOAT")), MISMATCH, GOES_WRONG)
                yield Program("InvalidDatatype", of, marked(TYPE="MPI_DATATYPE_NULL"), found("argument"), GOES_WRONG)
            if "ROOT" in COLLECTIVES[name]:
                yield Program("RootMatching", of, ranks(marked(), marked(ROOT="1")), MISMATCH, GOES_WRONG)
                for root in ("-1", "size"):
                    yield Program("InvalidRoot", f"{of}_{root}", marked(ROOT=root), found("argument"), GOES_WRONG)
            if "OP" in COLLECTIVES[name]:
                yield Program("OperatorMatching", of, ranks(marked(), marked(OP="MPI_MAX")), MISMATCH, GOES_WRONG)
                yield Program("InvalidOperator", of, marked(OP="MPI_OP_NULL"), found("argument"), GOES_WRONG)
            yield Program("InvalidCommunicator", of, marked(COMM="MPI_COMM_NULL"), found("argument"), GOES_WRONG)
            if nonblocking:
                yield Program("MissingWait", of, lines(here(collective(name, True))), found("unfinished-request"))
                if name != "Barrier":
                    call, wait = collective(name, True), "MPI_Wait(&q, IGNORED);"
                    yield Program("LocalConcurrency", f"{of}_store", lines(here(call), "a[0] = 7 + rank;", wait), found("buffer-changed"))
                    yield Program("Correct", f"{of}_store", lines(call, wait, "a[0] = 7 + rank;"), "", (0,))
            if name != "Barrier":
                for buffer, other, says in (("b", "a", found("buffer-overlap")), ("b + 32", "a + 32", "")):
                    receives = [f"MPI_Irecv({at}, 1, MPI_INT, rank, 0, WORLD, &{r});" for at, r in ((buffer, "p"), (other, "r"))]
                    body = lines(*receives) + marked() + lines("MPI_Send(f, 1, MPI_INT, rank, 0, WORLD);" * 2, "MPI_Wait(&p, IGNORED);", "MPI_Wait(&r, IGNORED);")
                    yield Program("LocalConcurrency" if says else "Correct", f"{of}_Irecv", body, says, (13 if says else 0,))
            if name in ("Barrier", "Allreduce", "Allgather", "Alltoall"):
                body = in_duplicate(ranks(marked(), marked(COMM="comm")))
                yield Program("CommunicatorMatching", of, body, STUCK, GOES_WRONG)


# What each rank sends and receives: COUNT elements of SENT, two of GOT.
CARRIED = {"Gather": "a, COUNT, SENT, b, 2, GOT, 0, WORLD", "Gatherv": "a, COUNT, SENT, b, two, starts, GOT, 0, WORLD",
           "Scatter": "a, COUNT, SENT, b, 2, GOT, 0, WORLD", "Scatterv": "a, (int[]){COUNT, COUNT}, starts, SENT, b, 2, GOT, 0, WORLD",
           "Allgather": "a, COUNT, SENT, b, 2, GOT, WORLD", "Allgatherv": "a, COUNT, SENT, b, two, starts, GOT, WORLD",
           "Alltoall": "a, COUNT, SENT, b, 2, GOT, WORLD", "Alltoallv": "a, (int[]){COUNT, COUNT}, starts, SENT, b, two, starts, GOT, WORLD",
           "Alltoallw": "a, (int[]){COUNT, COUNT}, bytes, (MPI_Datatype[]){SENT, SENT}, b, two, bytes, (MPI_Datatype[]){GOT, GOT}, WORLD",
           "Bcast": "a, COUNT, SENT, 0, WORLD", "Allreduce": "a, b, COUNT, SENT, op, WORLD", "Reduce": "a, b, COUNT, SENT, op, 0, WORLD",
           "Scan": "a, b, COUNT, SENT, op, WORLD", "Reduce_scatter": "a, b, (int[]){COUNT, COUNT}, SENT, op, WORLD"}
IN_PLACE = {"Allgather": "MPI_IN_PLACE, 9, MPI_FLOAT, b, 2, GOT, WORLD", "Allgatherv": "MPI_IN_PLACE, 9, MPI_FLOAT, b, two, starts, GOT, WORLD",
            "Alltoall": "MPI_IN_PLACE, 9, MPI_FLOAT, b, 2, GOT, WORLD", "Alltoallv": "MPI_IN_PLACE, NULL, NULL, MPI_FLOAT, b, two, starts, GOT, WORLD"}
TYPES = """    static int two[2] = {2, 2}, starts[2] = {0, 2}, bytes[2] = {0, 32};
    MPI_Datatype there, turned, both;
    MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 4}, (MPI_Datatype[]){MPI_INT, MPI_FLOAT}, &there);
    MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 4}, (MPI_Datatype[]){MPI_FLOAT, MPI_INT}, &turned);
    MPI_Type_vector(2, 1, 2, MPI_INT, &both);
    MPI_Type_commit(&there);
    MPI_Type_commit(&turned);
    MPI_Type_commit(&both);
    MPI_Op_create(sum, 1, &op);
"""
TYPES_END = """    MPI_Type_free(&there);
    MPI_Type_free(&turned);
    MPI_Type_free(&both);
    MPI_Op_free(&op);
"""


def carried():
    """Types and counts within one collective call: what one rank sends, and another one expects."""
    def call(table, name, nonblocking, mark=True, **words):
        values = {"COUNT": "2", "SENT": "MPI_INT", "GOT": "MPI_INT"} | words
        text = re.sub(r"\b(COUNT|SENT|GOT)\b", lambda m: values[m[0]], table[name])
        text = f"MPI_I{name.lower()}({text}, &q);" if nonblocking else f"MPI_{name}({text});"
        return lines(here(text) if mark else text, "MPI_Wait(&q, IGNORED);" if nonblocking else "")

    def program(category, name, zero, one, kind=None):
        says = rf"(prog\.c:LINES.*\[{kind}|collective calls do not match, a fault: .*prog\.c:LINES)" if kind else ""
        return Program(category, name, TYPES + ranks(zero, one) + TYPES_END, says, GOES_WRONG if kind else (0,))

    for nonblocking in (False, True):
        for table, suffix in ((CARRIED, ""), (IN_PLACE, "_in_place")):
            for name in table:
                of = label(name, nonblocking) + suffix

                def marked(name=name, nonblocking=nonblocking, table=table, **words):
                    return call(table, name, nonblocking, **words)

                has_got = "GOT" in table[name]
                there, turned = ({"SENT": t, "GOT": t} for t in ("there", "turned"))
                yield program("DatatypeMatching", f"{of}_turned", marked(**there), marked(**turned), "type-mismatch")
                yield program("Correct", f"{of}_there", marked(**there), marked(**there))
                if "SENT" not in table[name]:
                    continue
                if has_got:
                    yield program("DatatypeMatching", f"{of}_got", marked(GOT="MPI_FLOAT"), marked(GOT="MPI_FLOAT"), "type-mismatch")
                    yield program("DatatypeMatching", f"{of}_byte", *[marked(SENT="MPI_BYTE", COUNT="8")] * 2, "type-mismatch")
                    yield program("CountMatching", f"{of}_short", *[marked(COUNT="1")] * 2, "count-mismatch")
                    yield program("Correct", f"{of}_packed", *[marked(SENT="MPI_PACKED", COUNT="8")] * 2)
                if name not in ("Allreduce", "Reduce", "Scan", "Reduce_scatter"):
                    yield program("Correct", f"{of}_vector", marked(SENT="both", COUNT="1"), marked())
                    if has_got:
                        yield program("CountMatching", f"{of}_vector", *[marked(SENT="both")] * 2, "count-mismatch")


def arguments():
    wrong = (("InvalidSrcDest", "PEER", "size"), ("InvalidSrcDest", "PEER", "-9"), ("InvalidTag", "TAG", "-9"), ("InvalidOtherArg", "COUNT", "-1"),
             ("InvalidDatatype", "TYPE", "MPI_DATATYPE_NULL"), ("InvalidCommunicator", "COMM", "MPI_COMM_NULL"))
    for calls, peer in ((SENDS, "1"), (RECEIVES, "0")):
        for name, (issue, _, _) in calls.items():
            for category, word, value in wrong:
                if name in ("Probe_Recv", "Mprobe_Mrecv") and word in ("COUNT", "TYPE"):
                    continue  # the probe would wait
                call = lines(here(filled(issue, **{"peer": peer, word: value})))
                body = ranks(call, "") if calls is SENDS else ranks("", call)
                yield Program(category, f"{name}_{value}", body, found("argument"), GOES_WRONG)


def grids():
    make, ask = "MPI_Cart_create(WORLD, 1, (int[]){{{}}}, (int[]){{0}}, 0, &comm);", "MPI_Cart_get(COMM, 1, a, b, a + 1);"
    for size in ("0", "-2", "size + 1"):
        yield Program("InvalidOtherArg", f"Cart_create_{size}", lines(here(make.format(size))), found("argument"), GOES_WRONG)
    yield Program("InvalidOtherArg", "Comm_split_-10", lines(here("MPI_Comm_split(WORLD, -10, 0, &comm);")), found("argument"), GOES_WRONG)
    for name, call in (("Cart_get", ask), ("Cart_shift", "MPI_Cart_shift(COMM, 0, 1, a, b);"), ("Cart_coords", "MPI_Cart_coords(COMM, 0, 1, a);"),
                       ("Cart_rank", "MPI_Cart_rank(COMM, (int[]){0}, a);"), ("Cartdim_get", "MPI_Cartdim_get(COMM, a);")):
        for of in ("WORLD", "MPI_COMM_NULL"):
            yield Program("InvalidCommunicator", f"{name}_{of}", lines(here(filled(call, COMM=of))), found("argument"), GOES_WRONG)
        yield Program("Correct", name, lines(make.format("size"), filled(call, COMM="comm"), "MPI_Comm_free(&comm);"), "", (0,))


def objects():
    def split(calls):
        return [call if call.endswith(";") else call + ";" for call in calls.split("; ")]

    for name, (kind, make, free) in MAKES.items():
        *before, last = split(make)
        yield Program("Correct", name, lines(*before, last, *split(free)), "", (0,))
        yield Program(LEAKS[kind], name, lines(*before, here(last), *split(free)[1:]), found(f"{kind}-leak"))


# ---- windows ------------------------------------------------------------------------------------------------------------------

# What accesses element 0 of rank 1.
PLACE = "1, 0, 1, MPI_INT, w"
ACCESSES = {"Put": f"MPI_Put(a, 1, MPI_INT, {PLACE});", "Get": f"MPI_Get(b, 1, MPI_INT, {PLACE});",
            "Accumulate": "MPI_Accumulate(a, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, w);",
            "Get_accumulate": "MPI_Get_accumulate(a, 1, MPI_INT, b, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, w);",
            "Fetch_and_op": "MPI_Fetch_and_op(a, b, MPI_INT, 1, 0, MPI_SUM, w);",
            "Compare_and_swap": "MPI_Compare_and_swap(a, a + 1, b, MPI_INT, 1, 0, w);"}
BY_REQUEST = {"Rput": f"MPI_Rput(a, 1, MPI_INT, {PLACE}, &q); MPI_Wait(&q, IGNORED);", "Rget": f"MPI_Rget(b, 1, MPI_INT, {PLACE}, &q); MPI_Wait(&q, IGNORED);"}
CREATE = "MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, WORLD, &w);"
WINDOWS = {"Win_create": CREATE, "Win_allocate": "MPI_Win_allocate(16, 4, MPI_INFO_NULL, WORLD, &p, &w);",
           "Win_allocate_shared": "MPI_Win_allocate_shared(16, 4, MPI_INFO_NULL, WORLD, &p, &w);",
           "Win_create_dynamic": "MPI_Win_create_dynamic(MPI_INFO_NULL, WORLD, &w);"}
FREE = "MPI_Win_free(&w);"
# What all ranks but 1 do before and after their accesses, and what rank 1 does around its own.
FENCE, ALL = ("MPI_Win_fence(0, w);", "MPI_Win_fence(0, w);"), ("MPI_Win_lock_all(0, w);", "MPI_Win_unlock_all(w);")
SHARED, ALONE = (("MPI_Win_lock(MPI_LOCK_%s, 1, 0, w);" % kind, "MPI_Win_unlock(1, w);") for kind in ("SHARED", "EXCLUSIVE"))
GROUPS = ("MPI_Comm_group(WORLD, &all); MPI_Group_incl(all, 1, (int[]){1}, &group);", "MPI_Group_free(&group); MPI_Group_free(&all);")
OTHERS = ("MPI_Comm_group(WORLD, &all); MPI_Group_excl(all, 1, (int[]){1}, &group);", GROUPS[1])
START, POST = ("MPI_Win_start(group, 0, w);", "MPI_Win_complete(w);"), ("MPI_Win_post(group, 0, w);", "MPI_Win_wait(w);")
EPOCHS = {"fence": (FENCE, FENCE), "lock_all": (ALL, ALL), "lock": (SHARED, ("", "")), "start": (START, POST)}


def with_window(zero, one, two=None, create=CREATE, free=FREE):
    """What each rank does between making the window and freeing it. Groups are there for all."""
    groups = "    MPI_Group all;\n    if (rank == 1) { " + OTHERS[0] + " } else { " + GROUPS[0] + " }\n    (void)all;\n"
    third = "" if two is None else f"    if (rank == 2) {{\n{two}    }}\n"
    both = f"    if (rank == 0) {{\n{zero}    }}\n    if (rank == 1) {{\n{one}    }}\n{third}"
    return f"    a[0] = rank + 20;\n    {create}\n{groups}{both}    {free}\n    {GROUPS[1]}\n"


def within(epoch, zero, one="", two=None, after=""):
    """Ranks access rank 1 in an epoch; rank 1 stores itself."""
    ours, target = EPOCHS[epoch]
    others = None if two is None else lines(ours[0], *two, ours[1], after)
    return with_window(lines(ours[0], *zero, ours[1], after), lines(target[0], one, target[1], after), others)


def epochs():
    for e, (ours, target) in EPOCHS.items():
        for name, call in ACCESSES.items():
            yield Program("Correct", f"{name} in {e}", within(e, [call]), "", (0,))
        for name, call in (ACCESSES | BY_REQUEST).items():
            behind = with_window(lines(*ours, here(call)), lines(*target))
            if e in ("lock", "lock_all"):  # after the last fence, accesses may follow
                yield Program("MissingEpoch", f"{name} after {e}", behind, found("missing-epoch"), GOES_WRONG)
        if e != "fence":
            never = with_window(lines(here(ours[0]), ACCESSES["Put"]), lines(*target)) if e != "lock_all" else None
            never = never or with_window(*[lines(here(ours[0]), ACCESSES["Put"] if r == 0 else "") for r in (0, 1)])
            if e != "start":  # the others would wait
                yield Program("EpochNeverEnded", e, never, found("unended-epoch"), (1, 10, 11, 13))
    fenced = with_window(lines(here(FENCE[0]), ACCESSES["Put"]), lines(FENCE[0]))
    yield Program("EpochNeverEnded", "fence", fenced, found("unended-epoch"), GOES_WRONG)
    posted = with_window(lines(START[0], START[1]), lines(here(POST[0])))
    yield Program("EpochNeverEnded", "post", posted, found("unended-epoch"), (1, 10, 11, 13))
    for name, call in (ACCESSES | BY_REQUEST).items():
        yield Program("MissingEpoch", name, with_window(lines(here(call)), ""), found("missing-epoch"), GOES_WRONG)
    last = with_window(lines(FENCE[0], "MPI_Win_fence(MPI_MODE_NOSUCCEED, w);", here(ACCESSES["Put"])), lines(FENCE[0], "MPI_Win_fence(MPI_MODE_NOSUCCEED, w);"))
    yield Program("MissingEpoch", "Put after the last fence", last, found("missing-epoch"), GOES_WRONG)
    for call in ("MPI_Win_flush(1, w);", "MPI_Win_flush_all(w);", "MPI_Win_flush_local(1, w);", "MPI_Win_flush_local_all(w);"):
        yield Program("MissingEpoch", call[8:-5], with_window(lines(here(call)), ""), found("missing-epoch"), GOES_WRONG)
    for name, begin, begun in (("lock, lock", SHARED[0], ""), ("lock_all, lock_all", ALL[0], ""), ("lock_all, lock", ALL[0], SHARED[0]), ("lock, lock_all", SHARED[0], ALL[0]),
                               ("fence, lock", FENCE[0] + ACCESSES["Put"], SHARED[0])):
        ours = lines(begin, here(begun or begin), ALL[1] if "MPI_Win_lock_all" in (begun or begin) else SHARED[1])
        one = lines(FENCE[0]) if name.startswith("fence") else ""
        yield Program("DoubleEpoch", name, with_window(ours + one, one * 2), found("double-epoch"), (1, 10, 11, 13))
    posts = with_window(lines(START[0], START[1]), lines(POST[0], here(POST[0]), POST[1]))
    yield Program("DoubleEpoch", "post, post", posts, found("double-epoch"), (1, 10, 11, 13))
    for name, call in (("unlock", SHARED[1]), ("unlock_all", ALL[1]), ("complete", START[1]), ("wait", POST[1])):
        yield Program("EpochNeverBegun", name, with_window(lines(here(call)), ""), found("unbegun-epoch"), (1, 10, 11, 13))
    for name, call in WINDOWS.items():
        yield Program("WindowLeak", name, lines(here(call)), found("window-leak"), GOES_WRONG)
        yield Program("Correct", name, lines(call, FREE), "", (0,) if name in ("Win_create", "Win_allocate") else (1,))


def local_concurrency():
    for e in EPOCHS:
        get, put = here(ACCESSES["Get"]), here("MPI_Put(a, 1, MPI_INT, 1, 0, 1, MPI_INT, w);")
        yield Program("LocalConcurrency", f"{e}, Put and store", within(e, [put, here("a[0] = 5;")]), found("buffer-changed"))
        yield Program("LocalConcurrency", f"{e}, Get and store", within(e, [get, here("b[0] = 99;")]), found("buffer-changed"))
        yield Program("LocalConcurrency", f"{e}, Get and Get", within(e, [get, here("MPI_Get(b, 1, MPI_INT, 1, 1, 1, MPI_INT, w);")]), found("buffer-overlap"))
        yield Program("LocalConcurrency", f"{e}, Get and Put", within(e, [get, here("MPI_Put(b, 1, MPI_INT, 1, 1, 1, MPI_INT, w);")]), found("buffer-overlap"))
        two = ["MPI_Get(b, 1, MPI_INT, 1, 0, 1, MPI_INT, w);", "MPI_Get(b + 1, 1, MPI_INT, 1, 1, 1, MPI_INT, w);", "MPI_Put(a, 1, MPI_INT, 1, 2, 1, MPI_INT, w);", "MPI_Put(a, 1, MPI_INT, 1, 3, 1, MPI_INT, w);"]
        yield Program("Correct", f"{e}, buffers", within(e, two, after="a[0] = 4; b[0] = 3;"), "", (0,))


def global_concurrency():
    """Two ranks access the same element of rank 1, or one of them does and rank 1 stores there."""
    conflicts = [(x, y) for x in sorted(ACCESSES) for y in sorted(ACCESSES) if x <= y and not (x == y == "Get")]
    apart = "MPI_Put(a, 1, MPI_INT, 1, 2, 1, MPI_INT, w);"
    for e in EPOCHS:
        for x, y in conflicts:
            # Accumulate operations are atomic among each other.
            is_race = x in ("Put", "Get") or y in ("Put", "Get")
            call = here if is_race else str
            body = within(e, [call(ACCESSES[x])], "", [call(ACCESSES[y])])
            codes = (13,) if is_race else (0, 1)
            yield Program("GlobalConcurrency" if is_race else "Correct", f"{e}, {x} and {y}", body, found("window-race") if is_race else "", codes, 3)
        yield Program("Correct", f"{e}, apart", within(e, [ACCESSES["Put"]], "memory[1] = 7;", [apart]), "", (0,), 3)
        if e != "lock":
            for x in ("Put", "Get", "Accumulate", "Fetch_and_op"):
                yield Program("GlobalConcurrency", f"{e}, {x} and store", within(e, [here(ACCESSES[x])], "memory[0] = 7;"), found("window-race"))
    ordered = {"barrier": (lines(ALL[0], ACCESSES["Put"], "MPI_Win_flush(1, w);", "MPI_Barrier(WORLD);", ALL[1]), lines("MPI_Barrier(WORLD);"),
                           lines("MPI_Barrier(WORLD);", ALL[0], ACCESSES["Put"], ALL[1])),
               "message": (lines(SHARED[0], ACCESSES["Put"], SHARED[1], "MPI_Send(a, 1, MPI_INT, 2, 0, WORLD);"), "",
                           lines("MPI_Recv(b, 1, MPI_INT, 0, 0, WORLD, IGNORED);", SHARED[0], ACCESSES["Get"], SHARED[1])),
               "Ssend": (lines("MPI_Recv(b, 1, MPI_INT, 2, 0, WORLD, IGNORED);", SHARED[0], ACCESSES["Put"], SHARED[1], "MPI_Barrier(WORLD);"), lines("MPI_Barrier(WORLD);"),
                         lines(SHARED[0], ACCESSES["Put"], SHARED[1], "MPI_Ssend(a, 1, MPI_INT, 0, 0, WORLD);", "MPI_Barrier(WORLD);")),
               "Bcast": (lines(SHARED[0], ACCESSES["Put"], SHARED[1], "MPI_Bcast(a, 1, MPI_INT, 0, WORLD);"), lines("MPI_Bcast(a, 1, MPI_INT, 0, WORLD);"),
                         lines("MPI_Bcast(a, 1, MPI_INT, 0, WORLD);", SHARED[0], ACCESSES["Get"], SHARED[1])),
               "Iallreduce": (lines(SHARED[0], ACCESSES["Put"], SHARED[1], "MPI_Iallreduce(a, b, 1, MPI_INT, MPI_SUM, WORLD, &q); MPI_Wait(&q, IGNORED);"),
                              lines("MPI_Iallreduce(a, b, 1, MPI_INT, MPI_SUM, WORLD, &q); MPI_Wait(&q, IGNORED);"),
                              lines("MPI_Iallreduce(a, b, 1, MPI_INT, MPI_SUM, WORLD, &q); MPI_Wait(&q, IGNORED);", SHARED[0], ACCESSES["Get"], SHARED[1])),
               "locks": (lines(ALONE[0], ACCESSES["Put"], ALONE[1]), lines(ALONE[0], "memory[0] = 7;", ALONE[1]), lines(SHARED[0], ACCESSES["Get"], SHARED[1]))}
    for name, ranks_do in ordered.items():
        yield Program("Correct", f"ordered by {name}", with_window(*ranks_do), "", (1,) if name == "locks" else (0,), 3)
    add, store, (begin, end) = ACCESSES["Accumulate"], "memory[0] = 7;", SHARED
    send, receive = "MPI_{}(a, 1, MPI_INT, 1, 0, WORLD);", "MPI_Recv(b, 1, MPI_INT, 0, 0, WORLD, IGNORED);"
    sums = {"fence": (lines(FENCE[0], add, FENCE[0], FENCE[0], add, FENCE[0]), lines(FENCE[0], FENCE[0], store, FENCE[0], FENCE[0])),
            "start": (lines(*(START[0], add, START[1]) * 2), lines(store, *POST, "memory[0] = 9;", *POST, store)),
            "locks": (lines(ALONE[0], add, ALONE[1]), lines(ALONE[0], store, ALONE[1])),
            "message": (lines(begin, add, end, send.format("Send")), lines(receive, store)),
            "Ssend": (lines(send.format("Ssend"), begin, add, end), lines(store, receive))}
    for name, ranks_do in sums.items():
        yield Program("Correct", f"sum and store ordered by {name}", with_window(*ranks_do), "", (1,) if name == "locks" else (0,))
    wrong_flush = (lines(ALL[0], here(ACCESSES["Put"]), "MPI_Win_flush(0, w);", "MPI_Barrier(WORLD);", ALL[1]), lines("MPI_Barrier(WORLD);"),
                   lines("MPI_Barrier(WORLD);", ALL[0], ACCESSES["Get"], ALL[1]))
    for kind in ("missed-flush", "window-race"):
        yield Program("GlobalConcurrency", f"flush of another rank, {kind}", with_window(*wrong_flush), found(kind), (13,), 3)


def window_arguments():
    wrong = (("InvalidSrcDest", "1, 0, 1", "size, 0, 1"), ("InvalidSrcDest", "1, 0, 1", "-9, 0, 1"), ("InvalidOtherArg", "1, 0, 1", "1, -1, 1"),
             ("InvalidOtherArg", "1, 0, 1", "1, 4, 1"), ("InvalidOtherArg", "1, 0, 1", "1, 0, 2"), ("InvalidOtherArg", "1, 0, 1", "1, 0, -1"), ("InvalidOtherArg", "MPI_INT, w", "MPI_INT, MPI_WIN_NULL"),
             ("InvalidDatatype", "MPI_INT, w", "MPI_DATATYPE_NULL, w"))
    for name in ("Put", "Get", "Accumulate"):
        for category, right, value in wrong:
            if name == "Accumulate" and right.endswith("w"):
                continue
            call = ACCESSES[name].replace(right, value)
            yield Program(category, f"{name}_{value}", with_window(lines(ALL[0], here(call), ALL[1]), lines(*ALL)), found("argument"), GOES_WRONG)
    for name, call in (("lock of no rank", "MPI_Win_lock(MPI_LOCK_SHARED, size, 0, w);"), ("kind of lock", "MPI_Win_lock(99, 1, 0, w);"), ("assertion", "MPI_Win_lock(MPI_LOCK_SHARED, 1, MPI_MODE_NOPUT, w);")):
        yield Program("InvalidOtherArg", name, with_window(lines(here(call)), ""), found("argument"), (1, 10, 11, 13))
    null = within("lock_all", [ACCESSES["Put"].replace("1, 0, 1", "MPI_PROC_NULL, 0, 1")])
    yield Program("Correct", "Put to MPI_PROC_NULL", null, "", (0,))
    empty = CREATE.replace("sizeof memory", "rank == 1 ? sizeof memory : 0")
    yield Program("Correct", "window without memory", with_window(lines(ALL[0], ACCESSES["Put"], ALL[1]), lines(*ALL), create=empty), "", (0,))


def all_programs():
    programs = [*pairs(), *head_to_head(), *requests(), *races(), *collectives(), *carried(), *arguments(), *grids(), *objects(), *epochs(), *local_concurrency(),
                *global_concurrency(), *window_arguments()]
    assert len({(p.category, p.name) for p in programs}) == len(programs)
    return programs


# ---- the test -----------------------------------------------------------------------------------------------------------------


def built(library, program, folder):
    source = folder / "prog.c"
    source.write_text(program.text)
    executable = folder / f"prog.{library}"
    subprocess.run([f"mpicc.{library}", "-g", "-w", str(source), "-o", str(executable)], check=True)
    return executable


def verified(library, program, folder):
    """What is wrong with the report; none if it is right."""
    folder.mkdir()
    executable = built(library, program, folder)
    result = run("mpi", "verify", "--strict", "--timeout", "20", "--runs", "20", "--", *launcher(library, program.ranks), executable)
    if program.category == "Correct":
        is_right = result.code in program.codes and "finding:" not in result.text
    else:
        is_right = result.code in program.codes and re.search(program.wanted, result.text) is not None
    return None if is_right else f"{program.category}, {program.name}, {library}: exit code {result.code}\n{program.text[len(HEAD):]}{result.text}{result.error_text}"


class Categories(InFolder):
    def test_part(self):
        """A program of each category, with one library; MATCHPOINT_SEED chooses. Half a minute: nothing else goes through all ways to send
        and receive and all collective calls, and has every kind of mistake at each of them."""
        of_category = defaultdict(list)
        for program in all_programs():
            of_category[program.category].append(program)
        self.assertGreater(sum(map(len, of_category.values())), 300)
        seed = int(os.environ.get("MATCHPOINT_SEED", "1"))
        for i, (category, programs) in enumerate(sorted(of_category.items())):
            program, library = programs[seed % len(programs)], LIBRARIES[(i + seed) % len(LIBRARIES)]
            with self.subTest(category=category, program=program.name, library=library):
                wrong = verified(library, program, self.folder / f"{category}-{program.name}")
                self.assertIsNone(wrong, wrong)

    def test_a_mistake_that_is_not_named(self):
        """The test can fail: a program that is right is not reported as if it were wrong, nor the other way round."""
        right, wrong = (next(p for p in objects() if p.category == category) for category in ("Correct", "CommunicatorLeak"))
        exchanged = (Program("Correct", "leak", wrong.body, "", (0,)), Program("CommunicatorLeak", "none", right.body, wrong.says))
        for program in exchanged:
            self.assertIsNotNone(verified(LIBRARIES[0], program, self.folder / program.name))


def print_all(only, jobs):
    import tempfile
    programs = [p for p in all_programs() if p.category.startswith(only)]
    counts, right, failures = Counter(), Counter(), []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        cases = [(library, p) for library in LIBRARIES for p in programs]
        for (library, p), wrong in zip(cases, pool.map(lambda case: verified(case[0], case[1], Path(folder) / f"{case[0]}-{case[1].category}-{case[1].name}"), cases)):
            counts[p.category, library] += 1
            right[p.category, library] += wrong is None
            if wrong is not None:
                failures.append(wrong)
                print(wrong, file=sys.stderr, flush=True)
    print(f"{'category':<24}" + "".join(f"{library:>14}" for library in LIBRARIES))
    for category in sorted({c for c, _ in counts}):
        print(f"{category:<24}" + "".join(f"{right[category, library]:>7} of {counts[category, library]:>3}" for library in LIBRARIES))
    return 1 if failures else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=1)
    options, rest = parser.parse_known_args()
    if options.list:
        for p in all_programs():
            print(p.category, p.name)
    elif options.all:
        sys.exit(print_all(options.only, options.jobs))
    else:
        unittest.main(argv=[sys.argv[0], *rest])
