#!/usr/bin/env python3
"""The line on a terminal that says what a long command is doing: it is rewritten, and gone in the end."""

import os
import pty
import re
import signal
import subprocess
import threading
import unittest

from support import DISAGREES, MATCHPOINT, UNKNOWN, InFolder, run

ERASE = "\r\x1b[K"


class OnTerminal(InFolder):
    def start(self, *arguments):
        """With standard error on a terminal."""
        master, slave = pty.openpty()
        process = subprocess.Popen([MATCHPOINT, *map(str, arguments)], stdout=subprocess.PIPE, stderr=slave, stdin=subprocess.DEVNULL)
        os.close(slave)
        self.addCleanup(os.close, master)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        return process, master

    def read(self, master, until=None):
        """What is shown up to the end, or until there is a match."""
        text = ""
        try:
            while block := os.read(master, 1 << 16):
                text += block.decode()
                if until and re.search(until, text):
                    break
        except OSError:  # that is how a terminal ends
            pass
        return text

    def large(self):
        """A program with too many executions to explore."""
        path = self.folder / "large.ctp"
        self.assertEqual(run("gen", "pktuse", "--safe", "sums", "-o", path).code, 0)
        return path

    def test_check(self):
        process, master = self.start("check", self.large(), "--engine", "explore", "--timeout", "2")
        out = []
        reader = threading.Thread(target=lambda: out.append(process.stdout.read().decode()))
        reader.start()
        shown = self.read(master)
        reader.join()
        self.assertEqual(process.wait(), UNKNOWN)
        lines = shown.split(ERASE)
        self.assertEqual((lines[0], lines[-1]), ("", ""))
        self.assertGreater(len(lines), 3)
        for line in lines[1:-1]:
            self.assertRegex(line, r"\Aexploring: \d+ executions, \d+ machine steps; \d\.\d s of 2; /")
            self.assertLess(len(line), 80)
        self.assertNotIn("\r", out[0])
        self.assertIn("unknown", out[0])

    def test_validate(self):
        """How much time is left."""
        slow = ["sh", "-c", 'sleep 0.1; exec "$@"', "sh", MATCHPOINT, "encode", "{ctp}", "--buffering", "{buffering}"]
        process, master = self.start("validate", "--level", "6", "--cases", "0", "-o", "-", "--", *slow)
        shown = self.read(master, until=r"left")
        self.assertRegex(shown, r"\d+ of 37\d\d programs, 0 wrong, \d+ s, about \d+ (min|h) left")
        process.send_signal(signal.SIGINT)
        process.stdout.read()
        self.assertEqual(process.wait(), UNKNOWN)

    def test_validate_with_a_wrong_answer(self):
        """What is done about it can take long."""
        slow = ["sh", "-c", 'sleep 0.1; echo "(assert true)"']
        process, master = self.start("validate", "--level", "6", "--cases", "0", "-o", "-", "--", *slow)
        shown = self.read(master, until=r"answer, \d+ of \d+ programs, about .* left; \d")
        self.assertRegex(shown, r"asking more about a wrong answer, \d+ of \d+ programs, about \d+ (s|min) left; \d")
        process.send_signal(signal.SIGINT)
        process.stdout.read()
        self.assertIn(process.wait(), (UNKNOWN, DISAGREES))  # whether it was counted before

    def test_solver(self):
        """Also while nothing is computed here."""
        process, master = self.start("check", "traces/figure1.ctp", "--engine", "smt", "--solver", "sleep 600")
        self.assertRegex(self.read(master, until="smt: "), r"smt: \d+ match pairs, call 1; \d")
        process.send_signal(signal.SIGINT)
        self.assertTrue(self.read(master).endswith(ERASE))
        self.assertEqual(process.wait(), -signal.SIGINT)

    def test_interrupt(self):
        for arguments in (["check", "--engine", "explore"], ["explore", "--format", "json"]):
            with self.subTest(arguments=arguments):
                process, master = self.start(arguments[0], self.large(), *arguments[1:])
                self.read(master, until="execution")
                process.send_signal(signal.SIGINT)
                rest = self.read(master)
                self.assertEqual(process.wait(), -signal.SIGINT)
                self.assertTrue(rest.endswith(ERASE), rest)

    def test_no_memory_for_a_thread(self):
        """The stack of the thread that shows progress counts as memory. Then there is no line."""
        wanted = run("check", "traces/figure1.ctp")
        for memory in ("4", "8", "16", "20"):
            with self.subTest(memory=memory):
                process, master = self.start("check", "traces/figure1.ctp", "--memory", memory)
                out = process.stdout.read()
                self.assertEqual(self.read(master), "")
                self.assertEqual((process.wait(), out), (wanted.code, wanted.out))

    def test_quiet_in_a_pipe(self):
        result = run("check", self.large(), "--engine", "explore", "--timeout", "1")
        self.assertEqual((result.code, result.err), (UNKNOWN, b""))

    def test_nothing_for_what_ends_soon(self):
        process, master = self.start("check", "traces/figure1.ctp")
        process.stdout.read()
        self.assertEqual(self.read(master), "")


if __name__ == "__main__":
    unittest.main()
