#!/usr/bin/env python3
"""`matchpoint validate` on encoders with one fault or two (tests/encoders/faulty.py): the explanation that it lists first is the
true one, or says the same of every program that was asked.

    faults.py                       the test: single faults and some double ones
    faults.py --all [JOBS] [FILE]   all single and double faults; each result goes to FILE, and its sum into docs/validate.md
"""

import collections
import itertools
import json
import multiprocessing
import os
import re
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

from support import MATCHPOINT

sys.path.insert(0, "tests/encoders")
import ctp  # noqa: E402
import faulty  # noqa: E402

NAMES = {named: fault for fault, named in faulty.FAULTS.items()}
# What each encoder is asked about. The last finding is judged: it has all observations.
CAMPAIGN = ["--level", "3", "--cases", "40", "--corpus", "traces/errata", "--findings", "4"]
# The rules of executions cannot be changed one by one, so validate has no name for these with another fault.
ALONE = {"executions"}
# Asks the server in a folder, with the words behind it.
CLIENT = ["sh", "-c", 'echo "$1 $2 $3" > "$0/in"; exec cat "$0/out"']
ARGUMENTS = ["{buffering}", "{ctp}", "{pairs}"]
RESULTS = {
    "first": "the first explanation is the true one",
    "or": "the true one is listed with \"or\"",
    "equal": "the first explanation says the same of every program asked",
    "unnoticed": "no program asked shows the faults",
    "wrong": "something else",
}


class Server(threading.Thread):
    """Answers for an encoder, so that Python need not start for every program."""

    def __init__(self, folder, faults):
        super().__init__(daemon=True)
        self.folder, self.faults, self.asked = folder, faults, []
        for name in ("in", "out"):
            os.mkfifo(folder / name)

    def run(self):
        while True:
            buffering, program, pairs = (self.folder / "in").read_text().split()
            if buffering == "stop":
                return
            case = (ctp.read(program), buffering, faulty.read_pairs(pairs))
            self.asked.append(case)
            (self.folder / "out").write_text(faulty.answer(*case, self.faults))

    def stop(self):
        (self.folder / "in").write_text("stop - -\n")
        self.join()


def say_the_same(asked, one, other):
    """Whether two encoders give the same answers."""
    problems = []
    for case in asked:
        for faults in (one, other):
            text = faulty.answer(*case, faults)
            problems.append(text if text.startswith("(") else f"(assert {str(text.startswith('sat')).lower()})(check-sat)")
    script = re.sub(r"\(set-logic \w+\)", "", "".join(f"(push 1)\n{p}\n(pop 1)\n" for p in problems))
    done = subprocess.run(["z3", "-in", "-t:5000"], input=script, capture_output=True, text=True, check=False)
    answers = [line for line in done.stdout.splitlines() if line in ("sat", "unsat", "unknown")]
    return len(answers) == len(problems) and answers[::2] == answers[1::2]


def options(faults):
    if "complete_runs" in faults:
        return ["--runs", "executions", "--buffering", "zero" if faulty.ONLY_ZERO & faults else "infinite"]
    buffering = {(True, True): "both", (True, False): "zero"}.get(
        (bool(faulty.ONLY_ZERO & faults), bool(faulty.ONLY_INFINITE & faults)), "infinite")
    return ["--buffering", buffering]


def faults_of(explanation):
    return frozenset(NAMES[c["rule"], c["change"]] for c in explanation["changes"] + explanation["beside"])


def validated(faults):
    """Which of RESULTS it is, and what `validate` lists first."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        server = Server(folder, faults)
        server.start()
        done = subprocess.run([MATCHPOINT, "validate", "--format", "json", "-o", "-", *CAMPAIGN, *options(faults), "--",
                               *CLIENT, folder, *ARGUMENTS], capture_output=True, text=True, check=False)
        server.stop()
        if not done.stdout:
            return "wrong", done.stderr
        document = json.loads(done.stdout)
        if not document["findings"]:
            return "unnoticed", ""
        why = document["findings"][-1]["why"]
        if not why:
            return "wrong", "nothing"
        first = faults_of(why[0])
        tied = [faults_of(e) for e in why if e["agrees"] == why[0]["agrees"]]
        told = f"{' '.join(sorted(first))} ({why[0]['agrees']} of {why[0]['of']})"
        if first == faults:
            return "first", told
        if faults in tied:
            return "or", told
        return "equal" if say_the_same(server.asked, first, faults) else "wrong", told


def single_faults():
    return [frozenset([fault]) for fault in faulty.FAULTS]


def double_faults():
    return [frozenset(pair) for pair in itertools.combinations(faulty.FAULTS, 2) if not ALONE & set(pair)]


def one_line(faults):
    result, told = validated(faults)
    return faults, result, told


def all_of_them(jobs, path):
    """Prints each result as it comes, the double faults in an order that does not depend on their names."""
    doubles = sorted(double_faults(), key=lambda f: hash_of(" ".join(sorted(f))))
    counts = {1: collections.Counter(), 2: collections.Counter()}
    with multiprocessing.Pool(jobs) as pool, open(path, "w", encoding="utf-8") as file:
        for faults, result, told in pool.imap(one_line, single_faults() + doubles):
            counts[len(faults)][result] += 1
            print(f"{result}: {' '.join(sorted(faults))}: {told}", file=file, flush=True)
    return counts


def hash_of(text):
    import zlib
    return zlib.crc32(text.encode())


if __name__ == "__main__":
    if "--all" in sys.argv:
        words = sys.argv[sys.argv.index("--all") + 1:]
        print(all_of_them(int((words or ["1"])[0]), (words[1:] or ["faults.txt"])[0]))
    else:
        unittest.main()
