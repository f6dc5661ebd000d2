#!/usr/bin/env python3
"""`matchpoint validate` with programs that have selectors, modes and barriers: --mpi and --mcapi."""

import functools
import re
import subprocess
import unittest

from served import Served
from support import DISAGREES, MATCHPOINT, is_shared, part
from validation import Validation

SMALL = 154 + 5 + 12 + 30 + 2  # programs of level 4: plain ones, with selectors, with modes, with a barrier, with all of it


def saying(text):
    """An encoder that always says the same."""
    return ["sh", "-c", 'cat > /dev/null; printf "%s\\n" "$0"', text]


@functools.cache
def encoded(text, buffering):
    """Our problem; without some of its commands, one program is often another."""
    done = subprocess.run([MATCHPOINT, "encode", "--buffering", buffering, "-"], input=text, capture_output=True, check=True)
    return done.stdout.decode()


class Mpi(Validation):
    """Programs with selectors, modes and barriers."""
    # What our encoder does not get to see, and the commands of the smallest program that shows it.
    IGNORING = {"modes": (rb"\([sb]sndi", b"(sndi", 3), "selectors": (rb"(?<=\(rcvi )(.*?) \((?:from|tag)(?: [0-9]+)+\)", rb"\1", 4),
                "barriers": (rb"\[[^ ]+ \(barrier [^ ]+\)\]", b"", 7)}

    def test_ours(self):
        document, code = self.validate("--mpi", "--level", "4", "--cases", "50", encoder=["exact"])
        self.is_right(document, code, SMALL + 2 * 50)
        for trait in ("selectors", "synchronous or buffered sends", "barriers"):
            self.assertGreater(document["traits"][trait], 20)

    def test_who_ignores_them(self):
        """Each is found with a smallest program, and named."""
        for rule, (what, instead, most) in part(self.IGNORING.items(), 3):
            with self.subTest(rule):
                def answer(text, buffering):
                    while (less := re.sub(what, instead, text)) != text:
                        text = less
                    return encoded(text, buffering)
                document, code = self.validate("--mpi", "--level", "1", "--cases", "30", "--findings", "1",
                                               encoder=Served(answer)("{buffering}"))
                self.assertEqual(code, DISAGREES)
                finding, = document["findings"]
                self.assertRegex(finding["smallest"], {"selectors": r"\((from|tag) ", "modes": r"\([sb]sndi ", "barriers": "barrier"}[rule])
                self.assertLessEqual(finding["smallest"].count("["), most)
                first = finding["why"][0]
                self.assertEqual([(c["rule"], c["change"], c["direction"]) for c in first["changes"] + first["beside"]],
                                 [(rule, "none", "missing")])
                self.assertEqual(first["agrees"], first["of"])

    def test_shards(self):
        options = ["--mpi", "--level", "4", "--cases", "4", "--findings", "0"]
        whole, _ = self.validate(*options, encoder=saying("unsat"))
        parts = [self.validate(*options, "--shard", f"{i}/3", encoder=saying("unsat"))[0] for i in (1, 2, 3)]
        for key in ("sources", "sizes", "traits", "infinite", "zero"):
            for name, value in whole[key].items():
                if isinstance(value, int):
                    self.assertEqual(sum(p[key].get(name, 0) for p in parts), value, (key, name))

    def test_corpus(self):
        """Of `traces`, those with selectors, modes and barriers, and all but those."""
        options = ["--level", "0", "--cases", "0", "--corpus", "traces", "--findings", "0"]
        every, code = self.validate(*options, encoder=["exact"])
        plain, plain_code = self.validate(*options, "--mcapi", encoder=["exact"])
        broken = [file for file in every["unreadable"] if not is_shared(file)]  # those are for --shared
        self.assertEqual(broken, plain["unreadable"])
        self.assertLess(len(broken), len(every["unreadable"]))
        self.assertGreaterEqual(every["programs"] - plain["programs"], 10)
        self.assertIn("selectors", every["traits"])
        self.assertFalse({"selectors", "synchronous or buffered sends", "barriers"} & set(plain["traits"]))


if __name__ == "__main__":
    unittest.main()
