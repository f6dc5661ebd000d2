#!/usr/bin/env python3
"""The manual pages: they render without warnings, and have what `--help` has."""

import re
import shutil
import subprocess
import unittest
from pathlib import Path

from help import commands_in_help, help_of, options_in_help, section
from support import BAD_INPUT, HOLDS, OUTPUT_FAILED, InFolder, run


def rendered(page):
    """The page as man(1) shows it, on lines that are long enough for everything."""
    command = ["man", "--warnings=w", "-l", page]
    result = subprocess.run(command, capture_output=True, text=True,
                            env={"MANWIDTH": "400", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin", "MANPAGER": "cat"})
    assert (result.returncode, result.stderr) == (0, ""), f"{page.name}: {result.stderr}"
    return result.stdout.replace("\u2010", "-")


def headings(text):
    return re.findall(r"^([A-Z][A-Z ]+)$", text, re.MULTILINE)


def part(text, heading):
    return re.search(rf"^{heading}\n(.*?)(?=^\S|\Z)", text, re.MULTILINE | re.DOTALL)[1]


class Manual(InFolder):
    def setUp(self):
        super().setUp()
        result = run("--man-pages", self.folder)
        self.assertEqual((result.code, result.out, result.err), (HOLDS, b"", b""))
        self.pages = {path.name.removesuffix(".1"): path for path in self.folder.iterdir()}

    def test_a_page_for_each_command(self):
        self.assertEqual(set(self.pages), {"matchpoint"} | {f"matchpoint-{command}" for command in commands_in_help()})

    def test_lint(self):
        for tool in ("man", "mandoc"):
            self.assertTrue(shutil.which(tool), "scripts/bootstrap installs it")
        result = subprocess.run(["mandoc", "-Tlint", "-W", "warning", *self.pages.values()], capture_output=True, text=True)
        self.assertEqual((result.returncode, result.stdout), (0, ""))

    def test_content(self):
        for name, path in self.pages.items():
            with self.subTest(page=name):
                text = rendered(path)
                command = name.split("-", 1)[1:]
                for heading in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "EXIT STATUS", "SEE ALSO"):
                    self.assertIn(heading, headings(text))
                self.assertRegex(part(text, "NAME"), rf"^ +{name} - [a-z]")
                self.assertRegex(part(text, "SYNOPSIS"), rf"^ +matchpoint{''.join(' ' + c for c in command)} ")
                options = set(re.findall(r"(?<![\w-])--?[a-zA-Z][\w-]*", part(text, "OPTIONS")))
                self.assertLessEqual(options_in_help(*command), options)
                # Every example and exit code of the help.
                shown = " ".join(part(text, "EXAMPLES").split())
                for line in section(help_of(*command), "Examples").splitlines():
                    self.assertIn(" ".join(re.split(r" {2,}", line.strip())[0].split()), shown)
                in_help = help_of(*command)[help_of(*command).rindex("Exit codes:"):].split("\n\n")[0]
                codes = (re.findall(r"^  (\d+) ", in_help, re.MULTILINE) or
                         re.findall(r"[:,] (\d+) ", " ".join(in_help.split())))
                self.assertTrue(codes)
                self.assertEqual(re.findall(r"^ +(\d+)  ", part(text, "EXIT STATUS"), re.MULTILINE), codes)

    def test_commands_are_listed(self):
        self.assertEqual(set(re.findall(r"^ +matchpoint-(\S+)\(1\)", part(rendered(self.pages["matchpoint"]), "COMMANDS"),
                                        re.MULTILINE)), commands_in_help())

    def test_references(self):
        """SEE ALSO names pages that there are."""
        for name, path in self.pages.items():
            for page in re.findall(r"([\w-]+)\(1\)", part(rendered(path), "SEE ALSO")):
                self.assertIn(page, self.pages)
                self.assertNotEqual(page, name if name != "matchpoint" else None)

    def test_families(self):
        text = rendered(self.pages["matchpoint-gen"])
        for family in re.findall(r"^  (\S+)", section(help_of("gen"), "Subcommands"), re.MULTILINE):
            self.assertRegex(text, rf"(?m)^   {family}\b")
        self.assertIn("--orphans P", text)

    def test_hyphens_and_quotes_can_be_copied(self):
        """In roff a bare hyphen or quote may come out as another character."""
        for path in self.pages.values():
            for line in path.read_text().splitlines():
                if not line.startswith("."):
                    self.assertNotRegex(line, r"(?<!\\)-|(?<!\\)\(ga|['`^~]", path.name)

    def test_bad_folders(self):
        result = run("--man-pages", self.folder / "nowhere")
        self.assertEqual((result.code, result.out), (OUTPUT_FAILED, b""))
        self.assertIn("nowhere/matchpoint.1: No such file or directory", result.error_text)
        self.assertEqual(run("--man-pages").code, BAD_INPUT)


if __name__ == "__main__":
    unittest.main()
