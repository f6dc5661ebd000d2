#!/usr/bin/env python3
"""Containerfile keeps to what README.md and scripts/bootstrap say. Nothing here builds an image."""

import os
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


class Container(unittest.TestCase):
    def setUp(self):
        text = re.sub(r"^#.*\n", "", (ROOT / "Containerfile").read_text(), flags=re.MULTILINE)
        self.lines = text.replace("\\\n", " ").splitlines()
        self.commands = [command.strip() for line in self.lines if line.startswith("RUN ") for command in line[4:].split("&&")]

    def test_debian(self):
        """The one that scripts/bootstrap knows the packages of."""
        self.assertEqual(self.lines[0], "FROM debian:12")
        self.assertIn("On Debian 12, ", (ROOT / "README.md").read_text())

    def test_packages(self):
        """Those that it installs by itself are in scripts/bootstrap, too, with the recorders' libraries among them."""
        known = set((ROOT / "scripts/bootstrap").read_text().split())
        installed = [word for command in self.commands if command.startswith("apt-get install")
                     for word in command.split()[2:] if not word.startswith("-")]
        self.assertEqual([package for package in installed if package not in known], [])
        self.assertLessEqual({"libopenmpi-dev", "openmpi-bin", "libmpich-dev", "mpich"}, set(installed))

    def test_commands(self):
        """They are README.md's, and the prefix is in PATH."""
        readme = (ROOT / "README.md").read_text()
        self.assertIn("scripts/demo", self.commands)
        self.assertTrue(os.access(ROOT / "scripts/demo", os.X_OK))
        install, prefix = next(c for c in self.commands if c.startswith("cmake --install")).rsplit(" ", 1)
        self.assertIn(install + " ", readme)
        self.assertEqual(prefix, "/usr/local")
        self.assertLess(self.commands.index("scripts/demo"), self.commands.index(f"{install} {prefix}"))

    def test_no_build_is_copied(self):
        """CMake refuses a build folder of another place."""
        self.assertIn("build", (ROOT / ".dockerignore").read_text().splitlines())
        self.assertTrue(any(line.startswith("COPY . ") for line in self.lines))


if __name__ == "__main__":
    unittest.main()
