#!/usr/bin/env python3
"""Each program of examples/threads/ says in its first comment what is true of it. An ordinary run goes well. Where the flaw is on the path
of that run, `check` predicts it, and a replay confirms it, at the lines that the comment names. Flaws on other paths are found by `verify`,
which also runs all paths of the programs without a flaw, and finds nothing there.

    examples.py [--only NAME]       print what came of each, too
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path
from typing import NamedTuple

from threads import compiler
from support import DEADLOCK, FAILURE, HOLDS, InFolder, run

EXAMPLES = Path("examples/threads")
TRUTH = re.compile(r"^// truth(?: (-D\w+))?: (?:(nothing)|(fails|deadlocks) at (\d+(?:, \d+)*))(, data race)?( \(second path\))?$", re.MULTILINE)
ONLY = ""


class Truth(NamedTuple):
    """What is true of a program."""
    option: str     # with which it is compiled
    kind: str       # "fails", "deadlocks" or "nothing"
    lines: list     # of the assertion that fails, or where threads wait for each other
    has_race: bool
    is_elsewhere: bool  # on a path that an ordinary run does not take, so that one recording is not enough


def truths(source):
    return [Truth(option, nothing or kind, lines.split(", ") if lines else [], bool(race), bool(second))
            for option, nothing, kind, lines, race, second in TRUTH.findall(source.read_text())]


def examples():
    return [(source, truth) for source in sorted(EXAMPLES.iterdir()) for truth in truths(source)]


class Examples(InFolder):
    def compiled(self, source, truth):
        program = self.folder / (source.stem + truth.option)
        standard = "-std=c++20" if source.suffix == ".cpp" else "-std=gnu11"
        options = [truth.option] if truth.option else []
        if "#pragma omp" in source.read_text():
            options.append("-fopenmp")
        subprocess.run([compiler(source), standard, "-O1", "-Wall", "-Wextra", "-Werror", *options, str(source), "-o", str(program), "-pthread"], check=True)
        return str(program)

    def difference(self, source, truth, program):
        """What differs from what is said; nothing if it is right."""
        if truth.is_elsewhere or truth.kind == "nothing":
            return self.differs_in_verification(source, truth, program)
        file, witness = str(self.folder / "run.ctp"), str(self.folder / "bad.ctp")
        recorded = run("threads", "record", "--timeout", "60", "-o", file, "--", program)
        if recorded.code != HOLDS or "\nmatchpoint: complete" not in recorded.err.decode():
            return f"recorded: {recorded}"
        checked = run("check", "--timeout", "20", "-o", witness, file)
        race = "yes" if truth.has_race else "no"
        if ONLY:
            print(f"{source.name} {truth.option}: {truth.kind}\n{recorded.err.decode()}{checked.text}")
        is_right = f"  data race: {race}\n" in checked.text
        if truth.kind == "fails":
            is_right &= checked.code == FAILURE and re.search(rf"^  assertion at (.* \()?{source}:{truth.lines[0]}\b", checked.text, re.MULTILINE) is not None
        else:
            is_right &= checked.code in (HOLDS, DEADLOCK) and "  deadlock: yes\n" in checked.text
        return self.differs_in_replay(source, truth, program, witness) if is_right else f"checked: {checked.code} {checked.text}{checked.error_text}"

    def differs_in_verification(self, source, truth, program):
        kept = Path(program + ".runs")
        shutil.rmtree(kept, ignore_errors=True)
        verified = run("threads", "verify", "--timeout", "60", "--keep", str(kept), "--", program)
        said = verified.text
        if ONLY:
            print(said)
        code = {"fails": FAILURE, "deadlocks": DEADLOCK, "nothing": HOLDS}[truth.kind]
        is_right = verified.code == code and ("data race on" in said) == truth.has_race
        is_right &= re.search(r"^(\d+) of \1 paths? in \d+ runs?; nothing left that the schedule decides\b.*\n\Z", said, re.MULTILINE) is not None
        confirmed = re.findall(r"^confirmed by runs? (\d+)", said, re.MULTILINE)
        is_right &= bool(confirmed) == (truth.kind != "nothing")
        if truth.kind == "deadlocks":
            is_right &= all(f"{source}:{line}: thread " in said for line in truth.lines)
        elif truth.kind == "fails":
            is_right &= all(f"{source}:{truth.lines[0]}: " in (kept / f"run-{int(number):04}" / "errors").read_text() for number in confirmed)
        return "" if is_right else f"verified: {verified.code} {said}{verified.error_text}"

    def differs_in_replay(self, source, truth, program, witness):
        replayed = run("threads", "replay", "--timeout", "60", witness, "--", program)
        said = replayed.err.decode()
        if ONLY:
            print(said)
        confirmed, code = ("confirmed: the run failed", FAILURE) if truth.kind == "fails" else ("confirmed: the run deadlocked\n", DEADLOCK)
        places = [f"{source}:{line}: " for line in truth.lines] if truth.kind == "fails" else [f"{source.name}:{line}" for line in truth.lines]
        is_right = replayed.code == code and confirmed in said and "not confirmed" not in said and all(place in said for place in places)
        return "" if is_right else f"replayed: {replayed.code} {said}"

    def test_truths(self):
        self.assertGreater(len(examples()), 30)
        for source, truth in examples():
            if ONLY not in source.name + truth.option:
                continue
            with self.subTest(source.name, option=truth.option):
                program = self.compiled(source, truth)
                # A busy machine can delay a thread for so long that the run takes another path.
                differences = [self.difference(source, truth, program)]
                if differences[0]:
                    differences.append(self.difference(source, truth, program))
                self.assertFalse(differences[-1], "\n".join(differences))

    def test_each_says_the_truth(self):
        """Each program has a flaw, and a form without one."""
        for source in EXAMPLES.iterdir():
            kinds = {truth.kind for truth in truths(source)}
            self.assertEqual(len(kinds), 2, source)
            self.assertIn("nothing", kinds)


if __name__ == "__main__":
    PARSER = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    PARSER.add_argument("--only", default="")
    OPTIONS, REST = PARSER.parse_known_args()
    ONLY = OPTIONS.only
    unittest.main(argv=[sys.argv[0], *REST])
