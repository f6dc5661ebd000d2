#!/usr/bin/env python3
"""A limit of time or memory that strikes: every command says so and exits with 1, and nothing is taken for a verdict.

How long that takes is measured by bench/limits.
"""

import unittest

from support import UNKNOWN, InFolder, part, run

FAMILIES = [  # one for each difficulty
    ("scaling", "2000", "--comparisons"), ("router", "40", "--safe"), ("multi-m", "4000"), ("hall", "20000", "--safe"),
    ("pktuse", "4000", "5", "--safe", "order"), ("permutation-sum", "5000", "--violated"), ("ring-dependencies", "10000"),
    ("dense-cycles", "60", "--safe"), ("leader-election", "100000"), ("ping-pong", "100000"),
]
COMMANDS = [("check",), ("check", "--buffering", "zero"), ("check", "--engine", "explore"), ("check", "--engine", "sat"),
            ("check", "--engine", "smt"), ("pairs",), ("pairs", "--why"), ("encode",), ("explore", "--verdicts")]
KILLED_AFTER = 120  # seconds


class Limits(InFolder):
    def programs(self):
        for family in FAMILIES:
            generated = run("gen", *family)
            self.assertEqual(generated.code, 0, generated.error_text)
            yield " ".join(family), self.write(generated.text)

    def is_answer_or_limit(self, result, limit, what):
        """Returns whether the limit struck."""
        self.assertFalse(result.timed_out, what)
        text = result.text + result.error_text
        self.assertNotIn("error[internal]", text, what)
        if result.code != UNKNOWN:
            self.assertIn(result.code, (0, 10, 11, 12), (what, text[-300:]))
            return False
        self.assertRegex(text, limit, what)
        return True

    def test_time(self):
        asked = struck = 0
        for i, (family, file) in enumerate(self.programs()):
            for command in part(COMMANDS[i % 3:], 3):
                words = (command[0], file, *command[1:], "--timeout", "0.05")
                result = run(*words, timeout=KILLED_AFTER)
                struck += self.is_answer_or_limit(result, "out of time|timeout after|more than [0-9]+ match pairs|limit",
                                                  (family, command))
                asked += 1
        self.assertGreater(struck, asked / 2)

    def test_memory(self):
        asked = struck = 0
        for i, (family, file) in enumerate(self.programs()):
            for command in part(COMMANDS[i % 3:], 3):
                words = (command[0], file, *command[1:], "--memory", "40", "--timeout", "0.2")
                result = run(*words, timeout=KILLED_AFTER)
                struck += self.is_answer_or_limit(result, "out of memory|out of time|timeout after|limit", (family, command))
                asked += 1
        self.assertGreater(struck, asked / 2)


if __name__ == "__main__":
    unittest.main()
