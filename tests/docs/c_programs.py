#!/usr/bin/env python3
"""The C programs of pages compile without a warning, run, and match the lines that their trace programs name."""

import re
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs/shared_memory.md"
BLOCK = re.compile(r"^```c\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LOCATED = re.compile(r'\[(\w+) (\(.*?\)) \(at "account\.c" (\d+)\)\]')
# What a command of account.ctp looks like -> the C on its line.
STATEMENTS = ((r"\(when \(> lock 0\)", r"pthread_mutex_lock\(&lock\);"), (r"\(lock := ", r"pthread_mutex_unlock\(&lock\);"),
              (r"\(\w := balance\)", r"int b = balance;"), (r"\(balance := ", r"balance = b \+ "),
              (r"\(go := 1\)|\(when \(= go 1\)\)", r"pthread_create\("), (r"\(when \(= done 1\)\)", r"pthread_join\("),
              (r"\(done := 1\)", r"return NULL;"), (r"\(assert ", r"assert\(balance == 180\);"))


def programs():
    """The C blocks of all pages that are whole programs, by their page."""
    return [(page, code) for page in sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
            for code in BLOCK.findall(page.read_text()) if "int main(" in code]


class Programs(unittest.TestCase):
    def test_they_compile_and_run(self):
        self.assertIn(PAGE, [page for page, _ in programs()])
        for page, code in programs():
            with self.subTest(page=page), tempfile.TemporaryDirectory() as folder:
                source = Path(folder) / "account.c"
                source.write_text(code)
                built = subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-pthread", "-o", source.with_suffix(""), source],
                                       capture_output=True, text=True)
                self.assertEqual((built.returncode, built.stderr), (0, ""))
                # A failing run is rare, but there is one: that is the point of the page.
                runs = [subprocess.run([source.with_suffix("")], capture_output=True, text=True) for _ in range(5)]
                self.assertIn((0, "the balance is 180\n"), [(r.returncode, r.stdout) for r in runs])

    def test_lines(self):
        [code] = [code for page, code in programs() if page == PAGE]
        lines = code.splitlines()
        located = LOCATED.findall((ROOT / "traces/shared_memory/account.ctp").read_text())
        self.assertEqual(len(located), 17)
        for name, command, line in located:
            with self.subTest(command=name):
                [statement] = {c for pattern, c in STATEMENTS if re.match(pattern, command)}
                self.assertRegex(lines[int(line) - 1], statement)


if __name__ == "__main__":
    unittest.main()
