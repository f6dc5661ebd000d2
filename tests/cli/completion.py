#!/usr/bin/env python3
"""Completions in bash, zsh and fish, each started in a terminal of its own and typed at; and, by asking bash and fish for lists,
that everything in `--help` is completed."""

import contextlib
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import time
import unittest

from help import commands_in_help, options_in_help
from support import BAD_INPUT, HOLDS, InFolder, run

# Instead of the binary: prints its arguments.
STUB = {"bash": 'matchpoint() { printf "<%s>" "$@"; echo .; }',
        "zsh": 'matchpoint() { printf "<%s>" "$@"; echo . }',
        "fish": "function matchpoint; printf '<%s>' $argv; echo .; end"}
START = {"bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-f", "-i"],
         "fish": ["fish", "--no-config", "-i"]}
READY = "ready-%d-to-type"


class Typed:
    """A shell in a terminal, in a folder, with the completion loaded."""

    def __init__(self, test, shell, folder, load):
        self.test, self.seen, self.count = test, "", 0
        test.assertTrue(shutil.which(shell), f"scripts/bootstrap installs {shell}")
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execvpe(shell, START[shell], {"TERM": "dumb", "HOME": str(folder), "PATH": os.environ["PATH"],
                                             "LC_ALL": "C.UTF-8", "fish_greeting": "", "XDG_CONFIG_HOME": str(folder),
                                             "XDG_DATA_HOME": str(folder)})
        test.addCleanup(self.end)
        for line in (*load, STUB[shell]):
            self.write(line + "\r")
        self.wait_until_ready()

    def end(self):
        os.close(self.terminal)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)

    def write(self, text):
        os.write(self.terminal, text.encode())

    def wait_for(self, pattern, seconds=60):
        end = time.monotonic() + seconds
        while not (found := re.search(pattern, self.seen)):
            ready, _, _ = select.select([self.terminal], [], [], max(0, end - time.monotonic()))
            self.test.assertTrue(ready, f"no {pattern} in {self.seen!r}")
            with contextlib.suppress(OSError):
                self.seen += os.read(self.terminal, 65536).decode(errors="replace")
        self.seen = self.seen[found.end():]
        return found

    def wait_until_ready(self):
        """The shell has run all lines so far. (The echo of the line does not count: its words are apart.)"""
        self.count += 1
        mark = READY % self.count
        self.write(f"echo {mark[:5]}''{mark[5:]}\r")
        self.wait_for(mark)

    def completed(self, line):
        """The arguments of the line after TAB was pressed."""
        self.seen = ""
        self.write(line + "\t\r")
        arguments = re.findall(r"<([^>]*)>", self.wait_for(r"(?:<[^>\r\n]*>)+\.")[0])
        self.wait_until_ready()
        return arguments


class Completion(InFolder):
    def setUp(self):
        super().setUp()
        for name in ("alpha.ctp", "alphabet.txt", "beta gamma.ctp", "formula.cnf", "formulary.txt"):
            self.write("", name)
        (self.folder / "sub").mkdir()
        self.scripts = {}
        for shell in START:
            result = run("--completion", shell)
            self.assertEqual((result.code, result.err), (HOLDS, b""))
            self.scripts[shell] = self.write(result.out, f".{shell}_completion")

    def try_all(self, shell, *load):
        typed = Typed(self, shell, self.folder, load)
        for line, arguments in (("gen sca", ["gen", "scaling"]),
                                ("check --buff", ["check", "--buffering"]),
                                ("check --buffering ze", ["check", "--buffering", "zero"]),
                                ("check --buffering zero --engine sm", ["check", "--buffering", "zero", "--engine", "smt"]),
                                ("expl", ["explore"]),
                                ("help fm", ["help", "fmt"]),
                                ("check al", ["check", "alpha.ctp"]),
                                ("check alpha.ctp be", ["check", "alpha.ctp", "beta gamma.ctp"]),
                                ("gen vamp form", ["gen", "vamp", "formula.cnf"]),
                                ("gen random --orph", ["gen", "random", "--orphans"]),
                                ("gen scaling 3 --tra", ["gen", "scaling", "3", "--trace"]),
                                ("encode alpha.ctp -o alphab", ["encode", "alpha.ctp", "-o", "alphabet.txt"]),
                                ("check --solver cvc5 al", ["check", "--solver", "cvc5", "alpha.ctp"]),
                                ("--comp", ["--completion"]),
                                ("--completion fi", ["--completion", "fish"])):
            with self.subTest(shell=shell, line=line):
                got = typed.completed("matchpoint " + line)
                self.assertEqual([word.removesuffix("=") for word in got], arguments)

    def test_bash(self):
        self.try_all("bash", f"source {self.scripts['bash']}")

    def test_bash_with_its_library(self):
        """Debian's bash-completion has better completions of files."""
        self.try_all("bash", "source /usr/share/bash-completion/bash_completion", f"source {self.scripts['bash']}")

    def test_zsh(self):
        self.try_all("zsh", "autoload -Uz compinit && compinit -u -D", f"source {self.scripts['zsh']}")

    def test_zsh_from_its_path(self):
        """As it is installed."""
        folder = self.folder / "sub"
        (folder / "_matchpoint").write_bytes(self.scripts["zsh"].read_bytes())
        self.try_all("zsh", f"fpath=({folder} $fpath)", "autoload -Uz compinit && compinit -u -D")

    def test_fish(self):
        self.try_all("fish", f"source {self.scripts['fish']}")

    def in_bash(self, line):
        words = line.split(" ")
        script = (f"source {self.scripts['bash']}; COMP_WORDS=({' '.join(repr(w) for w in words)}); "
                  f"COMP_CWORD={len(words) - 1}; _matchpoint; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
        return set(subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True,
                                  cwd=self.folder).stdout.split("\n")) - {""}

    def in_fish(self, line):
        script = f"source {self.scripts['fish']}; complete -C '{line}'"
        listed = subprocess.run(["fish", "--no-config", "-c", script], capture_output=True, text=True, check=True,
                                cwd=self.folder).stdout
        return {entry.split("\t")[0] for entry in listed.splitlines()}

    def test_everything_in_the_help(self):
        for shell in (self.in_bash, self.in_fish):
            self.assertEqual(shell("matchpoint "), commands_in_help() | {"help"})
            self.assertEqual(shell("matchpoint help ") - {"help"}, commands_in_help())
        for command in commands_in_help():
            options = options_in_help(command)
            self.assertEqual(self.in_bash(f"matchpoint {command} -"), options, command)
            self.assertEqual(self.in_fish(f"matchpoint {command} -") | self.in_fish(f"matchpoint {command} --"), options, command)

    def test_families(self):
        families = {line.split()[0] for line in run("gen", "--list").text.splitlines() if re.match(r"\S", line)}
        self.assertEqual(self.in_bash("matchpoint gen "), families)
        self.assertEqual(self.in_fish("matchpoint gen "), families)

    def test_choices(self):
        for shell in (self.in_bash, self.in_fish):
            self.assertEqual(shell("matchpoint check --format "), {"json", "sarif", "text"})
            self.assertEqual(shell("matchpoint gen pktuse --safe "), {"order", "sums"})
        self.assertEqual(self.in_bash("matchpoint check --format = s"), {"sarif"})  # `--format=s`, as bash splits it
        self.assertEqual(self.in_bash("matchpoint check --limit "), set())

    def test_files(self):
        for shell in (self.in_bash, self.in_fish):
            self.assertEqual({name.rstrip("/").replace("\\", "") for name in shell("matchpoint check ")},
                             {"alpha.ctp", "beta gamma.ctp", "sub"})
            self.assertEqual({name.rstrip("/") for name in shell("matchpoint check --certificate s")}, {"sub"})
            self.assertIn("alphabet.txt", shell("matchpoint check -o al"))

    def test_other_shells(self):
        self.refused("--completion", "csh", saying="`csh` is not one of bash|fish|zsh")
        self.assertEqual(run("--completion").code, BAD_INPUT)


if __name__ == "__main__":
    unittest.main()
