#!/usr/bin/env python3
"""The certificate checker's machine against Matchpoint's: it accepts a trace exactly if the trace is a complete run with status
success, with the same matches and values. For the programs of traces/ that keep D1 to D6, and for programs with selectors, modes,
barriers, probes and collectives that are made here, under both bufferings: their traces, executions that `check` shows, and random mutations of these.

MATCHPOINT_CERTIFICATES=10000 tries more mutations, MATCHPOINT_SEED others."""

import json
import os
import random
import re
import sys
import unittest
from collections import Counter
from pathlib import Path

from support import BUFFERINGS, InFolder, part, run

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from certificate_checker import Refused, language, printing  # noqa: E402
from certificate_checker.machine import Machine  # noqa: E402
from certificate_checker.program import Program  # noqa: E402

MUTATIONS = 25 if int(os.environ.get("MATCHPOINT_CERTIFICATES", "0")) < 10000 else 3000  # of each program
SEED = int(os.environ.get("MATCHPOINT_SEED", "1"))
if hasattr(sys, "set_int_max_str_digits"):
    sys.set_int_max_str_digits(0)
PROGRAMS = 60  # that are made here
FAMILIES = (["master-workers", "2"], ["master-workers", "3", "--safe"], ["halo", "2", "2"], ["monte-carlo", "2", "2", "--safe"])


def made(rng):
    """A program with selectors, modes, barriers, probes and collectives that keeps the rules. Each receive admits some message, so
    that many complete."""
    threads, kinds = [[] for _ in range(3)], []
    for t in (1, 2):
        for _ in range(rng.randrange(1, 4)):
            tag, mode = rng.randrange(3), rng.choice(("sndi", "sndi", "ssndi", "bsndi", "rsndi"))
            threads[t].append(f"({mode} s{len(kinds)} {t} 0 {len(kinds) + 10}" + (f" (tag {tag}))" if tag else ")"))
            if rng.random() < 0.4:
                threads[t].append(f"(wait s{len(kinds)})")
            kinds.append((t, tag))
    pending, selects = [], rng.random() < 0.5
    for r, (source, tag) in enumerate(rng.sample(kinds, len(kinds))):
        selectors = rng.choice(("", f" (from {source})", f" (tag {tag})", " (from 1 2)", f" (from {source}) (tag 0 {tag})")) * selects
        selectors += rng.choice(("", f" (source y{r})", f" (tagged z{r})", f" (source y{r}) (tagged z{r})"))
        if rng.random() < 0.15:
            threads[0].append(f"(probe p{r} 0{selectors.replace('y', 'u').replace('z', 'v')})")
        if rng.random() < 0.2:
            threads[0] += [f"(mprobe r{r} 0{selectors})", f"(start r{r} x{r})"]
        else:
            threads[0].append(f"(rcvi r{r} 0 x{r}{selectors})")
        pending.append(r)
        while pending and rng.random() < 0.3:
            threads[0].append(f"(wait r{pending.pop(rng.randrange(len(pending)))})")
    rng.shuffle(pending)
    threads[0] += [f"(wait r{r})" for r in pending]
    threads[0].append(f"(assert (!= x0 {rng.randrange(10, 13)}))")
    if rng.random() < 0.3:
        for thread in threads:
            thread.insert(rng.randrange(len(thread) + 1), "(barrier b)")
    if rng.random() < 0.3:
        add_collective(rng, threads)
    return "(" + "".join("(" + "".join(f"[{t}.{i} {c}]" for i, c in enumerate(thread)) + ")" for t, thread in enumerate(threads)) + ")"


def add_collective(rng, threads):
    """Calls that belong together. Now and then one is not there, or disagrees."""
    kind = rng.choice(("barrier", "bcast (root 0)", "reduce (root 2) (op sum)", "allreduce", "scan", "alltoallv (count 1 0 2)",
                       "allgatherv (count 0 1 1)", "gatherv (root 1) (count 2)", "reduce_scatter (count 1 1 0)"))
    blocks = rng.random() < 0.6
    for t, thread in enumerate(threads):
        if rng.random() < 0.1:
            continue
        said = "barrier" if rng.random() < 0.1 else kind
        if "count" in said and rng.random() < 0.3:
            said = said[:said.index(" (count")]
        at = rng.randrange(len(thread) + 1)
        thread.insert(at, f"({'' if blocks else 'i'}collective K{t} C {said})")
        if not blocks and rng.random() < 0.8:
            thread.insert(rng.randrange(at + 1, len(thread) + 1), f"(wait K{t})")
    members = sum(any("collective" in c for c in thread) for thread in threads)
    if members < 3:  # S10: a root that is a member, and a count for each
        for thread in threads:
            thread[:] = [re.sub(r"(collective \S+ C) .*", r"\1 barrier)", c) for c in thread]


class Machines(InFolder):
    def executions(self, path, data):
        """The traces of a file, and those that `check` finds."""
        traces = language.read(data).traces
        for buffering in BUFFERINGS:
            for runs in ("executions", "complete"):
                witnesses = self.folder / "witnesses.ctp"
                run("check", path, "--buffering", buffering, "--runs", runs, "-o", witnesses)
                if witnesses.exists():
                    traces += language.read(witnesses.read_bytes()).traces
                    witnesses.unlink()
        return traces

    def mutated(self, rng, trace):
        trace = [(location, list(movements)) for location, movements in trace]
        for _ in range(rng.choice((0, 1, 1, 1, 2, 3, 8))):
            i, j = rng.randrange(len(trace)), rng.randrange(len(trace))
            kind = rng.randrange(7)
            if kind == 0:  # a command at another moment
                trace.insert(j, trace.pop(i))
            elif kind == 1:
                k = min(i + 1, len(trace) - 1)
                trace[i], trace[k] = trace[k], trace[i]
            elif kind == 2 and trace[i][1]:  # a movement at another moment
                trace[j][1].insert(rng.randrange(len(trace[j][1]) + 1), trace[i][1].pop(rng.randrange(len(trace[i][1]))))
            elif kind == 3 and trace[i][1]:
                trace[i][1].pop()
            elif kind == 4:
                rng.shuffle(trace[i][1])
            elif kind == 5:  # messages move one command earlier
                k = max(i - 1, 0)
                trace[k][1].extend(trace[i][1][:1])
                del trace[i][1][:1]
            elif kind == 6 and trace[i][1]:  # a movement names another tag, or none
                k = rng.randrange(len(trace[i][1]))
                trace[i][1][k] = *trace[i][1][k][:-1], rng.choice(("", "0", "1", "2"))
            if kind == 6 and rng.random() < 0.3:  # a peek more
                trace[i][1].append(("peek", "0", rng.choice("12"), ""))
        for _, movements in trace:  # a peek is the last one, and there are no two
            peeks = [m for m in movements if m[0] == "peek"]
            movements[:] = [m for m in movements if m[0] != "peek"] + peeks[:1]
        return trace

    def success(self, program, zero, trace):
        """Who got what, and all values at the end, if it is a run with status success; otherwise None."""
        machine = Machine(program, zero)
        try:
            machine.run(trace)
        except Refused:
            return None
        return {r: s for r, (s, _) in machine.received.items()}, {x: str(value) for x, value in machine.store.items()}

    def compare(self, rng, path, data, counts):
        try:
            file = language.read(data)
            program = Program(file)
        except (language.NotAProgram, Refused):
            return
        known = [trace for trace in self.executions(path, data) if trace]
        if not known:
            return
        file.traces = known + [self.mutated(rng, rng.choice(known)) for _ in range(MUTATIONS)]
        mutants = self.write("\n".join(printing.printed(file)), "mutants.ctp")
        for buffering in BUFFERINGS:
            said = json.loads(run("run", mutants, "--buffering", buffering, "--format", "json").text)["traces"]
            self.assertEqual(len(said), len(file.traces))
            for trace, outcome in zip(file.traces, said):
                counts[outcome["status"], buffering] += 1
                expected = None if outcome["status"] != "success" else (
                    {m["receive"]: m["send"] for m in outcome["matches"]},
                    {x: str(value) for x, value in outcome["store"].items()})  # long integers are strings
                self.assertEqual(self.success(program, buffering == "zero", trace), expected,
                                 (path, buffering, trace, outcome["error"], data))

    def judge(self, programs):
        rng, counts = random.Random(SEED), Counter()
        for path, data in programs:
            self.compare(rng, path, data, counts)
        for (status, buffering), count in sorted(counts.items()):
            print(f"  {status + ', ' + buffering:<20}{count:9}")
        self.assertGreater(min(counts["success", b] for b in BUFFERINGS), sum(counts.values()) // 50)
        self.assertGreater(min(counts["error", b] for b in BUFFERINGS), sum(counts.values()) // 50)

    def test_traces(self):
        # Without those that are long.
        self.judge((path, path.read_bytes()) for path in part(sorted(ROOT.glob("traces/**/*.ctp")), 3) if path.stat().st_size < 20_000)

    def test_families(self):
        made_here = []
        for arguments in FAMILIES:
            path = self.write(run("gen", *arguments).text, re.sub(r"\W+", "_", " ".join(arguments)) + ".ctp")
            made_here.append((path, path.read_bytes()))
        self.judge(made_here)

    def test_programs_made_here(self):
        rng = random.Random(SEED)
        texts = [made(rng).encode() for _ in range(PROGRAMS)]
        self.judge((self.write(text.decode(), f"made{i}.ctp"), text) for i, text in enumerate(texts))


if __name__ == "__main__":
    unittest.main()
