#!/usr/bin/env python3
"""`--help`, docs/cli.md and cli/exit_code.hpp say the same of commands, options and exit codes."""

import re
import unittest
from pathlib import Path

from support import HOLDS, run

OPTION = re.compile(r"(?<![\w-])--?[a-zA-Z][\w-]*")
COMMON = {"-h", "--help", "--color"}  # documented once for all commands


def help_of(*command):
    result = run(*command, "--help")
    assert (result.code, result.err) == (HOLDS, b""), result
    return result.text


def section(text, heading):
    """The indented lines below a heading."""
    return re.search(rf"^{heading}:\n((?:  .*\n)*)", text, re.MULTILINE)[1]


def entries(text):
    """The first column of such lines; lines that go on with the second are not counted."""
    return [line for line in text.splitlines() if re.match(r"  \S", line)]


def options_in_help(*command):
    return {option for line in entries(section(help_of(*command), "Options"))
            for option in OPTION.findall(re.split(r"\s{2,}", line.strip())[0])}


def options_in(rows):
    return {option for row in rows for option in OPTION.findall(row[0])}


def commands_in_help():
    return {line.split()[0] for line in entries(section(help_of(), "Subcommands"))}


def documented(page="docs/cli.md", level="## "):
    """heading -> the rows of the tables below it, as cells"""
    sections, heading = {}, None
    for line in Path(page).read_text().splitlines():
        if line.startswith(level):
            heading = line.removeprefix(level)
            sections[heading] = []
        elif heading and line.startswith("|"):
            sections[heading].append([cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
    return {heading: rows[2:] for heading, rows in sections.items()}


class Help(unittest.TestCase):
    def test_commands(self):
        self.assertEqual({heading.removeprefix("matchpoint ") for heading in documented()
                          if heading.startswith("matchpoint ")}, commands_in_help())
        for command in commands_in_help():
            self.assertIn(f"Usage: matchpoint {command} ", help_of(command))

    def test_options(self):
        for command in ([], *([command] for command in commands_in_help())):
            in_docs = options_in(documented()[" ".join(["matchpoint", *command])])
            self.assertEqual(in_docs - COMMON, options_in_help(*command) - COMMON, command)

    def test_common_options(self):
        rows = {cell: meaning for cell, meaning in documented()["Common behaviour"] if COMMON & set(OPTION.findall(cell))}
        self.assertEqual(options_in((cell,) for cell in rows), COMMON)
        without_color = {command for command in commands_in_help() if "--color" not in options_in_help(command)}
        (color,) = (meaning for cell, meaning in rows.items() if "--color" in cell)
        self.assertEqual(set(re.findall(r"`([a-z]+)`", color.partition(".")[0])), without_color)
        for command in commands_in_help():
            self.assertIn("--help", options_in_help(command))

    def test_commands_of_mpi(self):
        """They have a page of their own."""
        pages = {heading: rows for heading, rows in documented("docs/record.md", "### ").items() if heading.startswith("matchpoint ")}
        commands = {line.split()[0] for line in entries(section(help_of("mpi"), "Subcommands"))}
        self.assertEqual({heading.removeprefix("matchpoint mpi ") for heading in pages}, commands)
        for heading, rows in pages.items():
            command = heading.split()[2]
            for api in ("mpi", "mcapi"):
                of_mpi = {"--rounds", "--findings", "--strict"} if api == "mcapi" else set()
                self.assertEqual(options_in(rows) - of_mpi, options_in_help(api, command) - COMMON, heading)

    def test_commands_of_rma(self):
        """They have a page of their own, too."""
        pages = {heading: rows for heading, rows in documented("docs/rma.md", "### ").items() if heading.startswith("matchpoint ")}
        commands = {line.split()[0] for line in entries(section(help_of("rma"), "Subcommands"))}
        self.assertEqual({heading.removeprefix("matchpoint rma ") for heading in pages}, commands)
        for heading, rows in pages.items():
            self.assertEqual(options_in(rows), options_in_help("rma", heading.split()[2]) - COMMON, heading)

    def test_commands_of_threads(self):
        """And so have these."""
        pages = {heading: rows for heading, rows in documented("docs/threads.md", "### ").items() if heading.startswith("matchpoint ")}
        commands = {line.split()[0] for line in entries(section(help_of("threads"), "Subcommands"))}
        self.assertEqual({heading.removeprefix("matchpoint threads ") for heading in pages}, commands)
        for heading, rows in pages.items():
            self.assertEqual(options_in(rows), options_in_help("threads", heading.split()[2]) - COMMON, heading)

    def test_choices(self):
        """`a|b` is written the same way in both."""
        for command in commands_in_help():
            text = help_of(command)
            for option, *_ in documented()[f"matchpoint {command}"]:
                if "\\|" in option:
                    self.assertIn(option.strip("`").replace("\\|", "|"), text)

    def test_short_help(self):
        for command in ([], *([command] for command in commands_in_help())):
            self.assertEqual(run(*command, "-h").text, help_of(*command))

    def test_exit_codes(self):
        in_docs = [(int(code), name, meaning) for code, name, meaning in documented()["Exit codes"]]
        in_header = [(int(code), name) for name, code in
                     re.findall(r"^    (\w+) = (\d+)", Path("cli/exit_code.hpp").read_text(), re.MULTILINE)]
        self.assertEqual([(code, name) for code, name, _ in in_docs], in_header)
        for command in ([], ["run"], ["smt"], ["check"], ["explore"]):
            in_help = re.findall(r"^  (\d+) +(.*)$", section(help_of(*command), "Exit codes"), re.MULTILINE)
            self.assertEqual([(code, meaning) for code, _, meaning in in_docs],
                             [(int(code), meaning) for code, meaning in in_help])

    def test_several_programs(self):
        """The order of exit codes in the help, the documentation and the code."""
        in_help = re.search(r"^With several programs, .*:\n(.*)\.$", help_of("check"), re.MULTILINE)[1]
        in_docs = re.search(r"For several programs the code is the first of (.*?) that", Path("docs/cli.md").read_text(),
                            re.DOTALL)[1]
        in_code = re.search(r"severity\[\] = \{(.*?)\}", Path("cli/commands/check.cpp").read_text(), re.DOTALL)[1]
        codes = {name: code for name, code in
                 re.findall(r"^    (\w+) = (\d+)", Path("cli/exit_code.hpp").read_text(), re.MULTILINE)}
        self.assertEqual(in_help.split(", "), [codes[name.strip()] for name in in_code.split(",")])
        self.assertEqual(re.split(r",\s", in_docs), in_help.split(", "))
        self.assertEqual(set(in_help.split(", ")), set(codes.values()))

    def test_width(self):
        """Lines of a help fit into 80 columns."""
        for command in ([], *([command] for command in commands_in_help())):
            self.assertEqual([line for line in help_of(*command).splitlines() if len(line) > 80], [])

    def test_exit_codes_of_a_command(self):
        """Those that a command's help names are in the table."""
        known = {code for code, *_ in documented()["Exit codes"]}
        for command in commands_in_help() - {"run", "smt", "check", "explore"}:
            codes = re.findall(r"\b\d+\b", re.search(r"^Exit codes: (.*(?:\n.+)*)", help_of(command), re.MULTILINE)[1])
            self.assertTrue(codes)
            self.assertLessEqual(set(codes), known)


if __name__ == "__main__":
    unittest.main()
