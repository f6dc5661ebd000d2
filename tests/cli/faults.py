#!/usr/bin/env python3
"""`matchpoint validate` on encoders with one fault or two (tests/encoders/faulty.py): the explanation that it lists first is the
true one, or one that says the same of every program asked.

    faults.py                   the test: some single faults and some double ones; with MATCHPOINT_EVERY=1, all that are named here
    faults.py --all JOBS FILE   all of them. Each result is a line of FILE; those that are there already are not asked again
    faults.py --update FILE     write the numbers in FILE into docs/validate.md
"""

import collections
import itertools
import json
import multiprocessing
import re
import subprocess
import sys
import traceback
import unittest
import zlib
from pathlib import Path

from served import Served
from support import MATCHPOINT, part

sys.path.insert(0, "tests/encoders")
import ctp  # noqa: E402
import faulty  # noqa: E402

NAMES = {named: fault for fault, named in faulty.FAULTS.items()}
# What each encoder is asked about. The last finding is judged: it has all observations.
# The encoders know no selectors, modes and barriers.
CAMPAIGN = ["--skip-rules", "--level", "3", "--cases", "40", "--corpus", "traces/errata", "--mcapi", "--findings", "4"]
# The rules of executions cannot be changed one by one, so validate has no name for these with another fault.
ALONE = {"executions"}
ARGUMENTS = ["{buffering}", "{ctp}", "{pairs}"]
RESULTS = ["first", "or", "equal", "unnoticed", "wrong"]
PAGE = Path("docs/validate.md")
HEAD = ("| faults | encoders | the first is the true one | the true one is listed with \"or\" "
        "| the first says the same of every program asked | no program asked shows them | wrong |\n|---|---|---|---|---|---|---|\n")
# For the test, a third at a time; each takes several seconds. What is found beside another fault need not be found
# alone as well.
SINGLE = ["receive_without_message", "no_send_before_wait", "not_taken", "executions", "order_of_task", "send_before_receive",
          "one_version", "last_assertion_fails"]
DOUBLE = ["no_channel_order all_pairs", "sends_twice all_pairs", "own_wait posted_late", "divisor_zero order_of_waits",
          "complete_runs no_assumptions", "completed_before_dependent overtaken_orphans"]


class Encoder:
    """With some faults; keeps what it was asked."""

    def __init__(self, faults):
        self.faults, self.asked, self.failed = faults, [], ""

    def __call__(self, _, buffering, program, pairs):
        try:
            case = (ctp.read(program), buffering, faulty.read_pairs(pairs))
            answer = faulty.answer(*case, self.faults)
        except Exception:
            self.failed = f"{program}: {traceback.format_exc()}"
            raise
        self.asked.append(case)
        return answer


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
    encoder = Encoder(faults)
    done = subprocess.run([MATCHPOINT, "validate", "--format", "json", "-o", "-", *CAMPAIGN, *options(faults), "--",
                           *Served(encoder)(*ARGUMENTS)], capture_output=True, text=True, check=False)
    if encoder.failed:
        return "wrong", encoder.failed
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
    return "equal" if say_the_same(encoder.asked, first, faults) else "wrong", told


def single_faults():
    return [frozenset([fault]) for fault in faulty.FAULTS]


def double_faults():
    return [frozenset(pair) for pair in itertools.combinations(faulty.FAULTS, 2) if not ALONE & set(pair)]


def result_of(faults):
    result, told = validated(faults)
    return f"{result}: {' '.join(sorted(faults))}: {told}"


def all_of_them(jobs, path):
    """The single faults, and then the double ones in a random order, so that those that are done are a fair sample."""
    doubles = sorted(double_faults(), key=lambda f: zlib.crc32(" ".join(sorted(f)).encode()))
    done = {line.split(": ")[1] for line in path.read_text().splitlines()} if path.exists() else set()
    left = [f for f in single_faults() + doubles if " ".join(sorted(f)) not in done]
    with multiprocessing.Pool(jobs) as pool, path.open("a") as file:
        for line in pool.imap(result_of, left):
            print(line, file=file, flush=True)


def update(path):
    counts = {1: collections.Counter(), 2: collections.Counter()}
    for line in path.read_text().splitlines():
        result, faults, _ = line.split(": ", 2)
        counts[len(faults.split())][result] += 1
    rows = "".join(f"| {name} | {' | '.join(str(n) for n in (sum(c.values()), *(c[r] for r in RESULTS)))} |\n"
                   for name, c in zip(("one", "two"), counts.values()))
    before, _, after = PAGE.read_text().partition(HEAD)
    PAGE.write_text(before + HEAD + rows + after[after.index("\n\n") + 1:])


class Faults(unittest.TestCase):
    def test_every_change_has_its_encoder(self):
        source = Path("validate/change_table.cpp").read_text()
        rules = dict(re.findall(r'case Rule::(\w+): return "([^"]+)";', source))
        table = re.findall(r'\{(\w+), Rule::(\w+),\s+(?:weaker|stronger),\s+"([^"]+)",([^{}]*)\}', source)
        of_messages = {change: (rules[rule], name) for change, rule, name, rest in table if not rest.endswith("shared")}
        self.assertLess(len(of_messages), len(table))  # the others: tests/validate/shared_rules_test.cpp
        self.assertEqual(of_messages, faulty.FAULTS)

    def test_some_of_them(self):
        wanted = [frozenset(faults.split()) for faults in SINGLE + DOUBLE]
        self.assertLessEqual(set(wanted), set(single_faults() + double_faults()))
        with multiprocessing.Pool(2) as pool:
            for line in pool.imap(result_of, part(wanted, 3)):
                with self.subTest(line):
                    self.assertIn(line.split(": ")[0], ("first", "or"))


if __name__ == "__main__":
    if "--all" in sys.argv:
        all_of_them(int(sys.argv[2]), Path(sys.argv[3]))
    elif "--update" in sys.argv:
        update(Path(sys.argv[2]))
    else:
        unittest.main()
