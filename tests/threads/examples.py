#!/usr/bin/env python3
"""Each program of examples/threads/ says in its first comment what is true of it. An ordinary run goes well; where the flaw is on the path
of that run, `check` predicts it, and a replay confirms it, at the lines that the comment names. Nothing is found in a program without a
flaw, or on a path without one.

    examples.py [--only NAME]       print what came of each, too
"""

import argparse
import os
import re
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

    def found_on_path(self):
        return "nothing" if self.is_elsewhere else self.kind


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
        subprocess.run([compiler(source), standard, "-O1", "-Wall", "-Wextra", "-Werror", *options, str(source), "-o", str(program), "-pthread"], check=True)
        return str(program)

    def difference(self, source, truth, program):
        """What differs from what is said; nothing if it is right."""
        file, witness = str(self.folder / "run.ctp"), str(self.folder / "bad.ctp")
        recorded = run("threads", "record", "--timeout", "60", "-o", file, "--", program)
        if recorded.code != HOLDS or "\nmatchpoint: complete" not in recorded.err.decode():
            return f"recorded: {recorded}"
        checked = run("check", "--timeout", "20", "-o", witness, file)
        found, race = truth.found_on_path(), "yes" if truth.has_race else "no"
        if ONLY:
            print(f"{source.name} {truth.option}: {truth.kind}\n{recorded.err.decode()}{checked.text}")
        codes = {"fails": (FAILURE,), "deadlocks": (HOLDS, DEADLOCK), "nothing": (HOLDS,)}
        says_all = checked.code in codes[found] and f"  data race: {race}\n" in checked.text
        if found == "fails":
            says_all = says_all and re.search(rf"^  assertion at (.* \()?{source}:{truth.lines[0]}\b", checked.text, re.MULTILINE)
        else:
            says_all = says_all and f"  deadlock: {'yes' if found == 'deadlocks' else 'no'}\n" in checked.text
        if not says_all:
            return f"checked: {checked.code} {checked.text}{checked.error_text}"
        return "" if found == "nothing" else self.differs_in_replay(source, truth, program, witness)

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
