#!/usr/bin/env python3
"""docs/seeds.md: no numbered item of the papers is missing, the files exist, the commands run, and the tests are tests.

The commands take two seconds in all; nothing else runs all that the page names.
"""

import re
import shlex
import sys
import unittest
from pathlib import Path

sys.path.insert(0, "tests/cli")
from support import DEADLOCK, FAILURE, HOLDS, INFEASIBLE, run  # noqa: E402

PAGE = Path("docs/seeds.md")
NUMBERED = re.compile(r"(Definition|Lemma|Theorem|Figure|Table|Equation) (\d+)\b")
# How many items of each kind each paper has.
ITEMS = {"Proving MCAPI Executions are Correct": {"Definition": 17, "Lemma": 4, "Theorem": 5, "Figure": 16, "Table": 2, "Equation": 4},
         "The draft on match pairs, and the short paper": {"Figure": 4, "Equation": 2},
         "Symbolic Predictive Analysis for Concurrent Programs": {"Definition": 2, "Theorem": 2, "Figure": 6, "Table": 1},
         "Automatic Verification of RMA Programs via Abstraction Extrapolation": {"Figure": 3, "Table": 3}}


def tables():
    """Paper -> its rows: the item, its files, its command, its test."""
    found = {}
    for section in re.split(r"^## ", PAGE.read_text(), flags=re.MULTILINE)[1:]:
        paper, *lines = section.splitlines()
        rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("| ")][1:]
        found[paper] = [(item, re.findall(r"`([^`]+)`", code), command.strip("`"), test.strip("`")) for item, code, command, test in rows]
    return found


class Seeds(unittest.TestCase):
    def test_every_item_once(self):
        for paper, rows in tables().items():
            wanted = [f"{kind} {n + 1}" for kind, count in ITEMS[paper].items() for n in range(count)]
            self.assertCountEqual([m[0] for item, *_ in rows if (m := NUMBERED.match(item))], wanted)
        self.assertEqual(list(tables()), list(ITEMS))

    def test_files_and_tests(self):
        scripts = Path("tests/scripts.cmake").read_text()
        for rows in tables().values():
            for item, files, _, test in rows:
                self.assertTrue(files, item)
                for file in [*files, test]:
                    self.assertTrue(Path(file).is_file(), f"{item}: {file}")
                self.assertTrue(test.startswith("tests/"), item)
                self.assertTrue(test.endswith(("_test.cpp", "_properties.cpp")) or f" {test})" in scripts, f"{item}: {test} does not run")

    def test_commands(self):
        for command in {command for rows in tables().values() for *_, command, _ in rows}:
            program, *words = shlex.split(command)
            result = run(*words)
            self.assertEqual(program, "matchpoint")
            self.assertIn(result.code, (HOLDS, FAILURE, DEADLOCK, INFEASIBLE), f"{command}: {result.error_text}")
            self.assertTrue(result.out, command)


if __name__ == "__main__":
    unittest.main()
