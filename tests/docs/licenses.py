#!/usr/bin/env python3
"""Every file has a license and a copyright by the REUSE specification (.reuse/dep5), and all copies of the license agree."""

import re
import shutil
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def words(text):
    """The license without its heading and its copyright line, on one line."""
    return " ".join(text[text.index("Permission is hereby"):].split())


class Licenses(unittest.TestCase):
    def test_reuse(self):
        self.assertTrue(shutil.which("reuse"), "scripts/bootstrap installs it")
        result = subprocess.run(["reuse", "--root", ROOT, "lint"], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_texts(self):
        license_ = words((ROOT / "LICENSE").read_text())
        self.assertEqual(words((ROOT / "LICENSES/MIT.txt").read_text()), license_)
        in_dep5 = re.sub(r"^ \.?", "", (ROOT / ".reuse/dep5").read_text(), flags=re.MULTILINE)
        self.assertEqual(words(in_dep5), license_)

    def test_holders(self):
        """LICENSE and .reuse/dep5 name the same ones."""
        holders = re.search(r"^Copyright \(c\) (.*)$", (ROOT / "LICENSE").read_text(), re.MULTILINE)[1]
        self.assertIn(f"\nCopyright: {holders}\n", (ROOT / ".reuse/dep5").read_text())


if __name__ == "__main__":
    unittest.main()
