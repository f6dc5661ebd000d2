#!/usr/bin/env python3
"""Programs with damaged tokens: what the parser says of them.

damage.py [--seed N] [--cases N] [--baseline BINARY]

Tokens of valid programs are deleted, inserted, replaced, exchanged or cut off. The messages have to be about the text: their
positions increase, and the first one is where the text stops to be the beginning of a program. One damaged bracket must not
produce a row of errors. With --baseline, another build of matchpoint has to refuse the same texts at the same place.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import unittest

from support import BAD_INPUT, HOLDS, MATCHPOINT, UNKNOWN, InFolder, programs, run

TOKEN = re.compile(r";[^\n]*|[()\[\]{}\"]|[^\s()\[\];\"{}]+")
OTHERS = ["(", ")", "[", "]", "bot", "sndi", "rcvi", "wait", "assert", "assume", ":=", "send", "==", "+", "=", "not", "0", "1",
          "-1", "1.5", "x", "00", "true", "\"", "{", ",", "((0 1) bot)", "[77 (x := 1)]", "(00 bot)", "; a comment\n"]
BRACKETS = "()[]"

OPTIONS = argparse.Namespace(seed=1, cases=600, baseline=None)


def damaged(text, number, times, only=None):
    """The text with some tokens damaged: all of them, or those in `only`."""
    for _ in range(times):
        spans = [m.span() for m in TOKEN.finditer(text) if not m[0].startswith(";") and (only is None or m[0] in only)]
        if not spans:
            return text
        begin, end = number.choice(spans)
        kind = number.randrange(5)
        others = only or OTHERS
        if kind == 0:
            text = text[:begin] + text[end:]
        elif kind == 1:
            text = text[:begin] + number.choice(others) + " " + text[begin:]
        elif kind == 2:
            text = text[:begin] + number.choice(others) + text[end:]
        elif kind == 3:
            first, last = number.choice(spans)
            if last <= begin:
                text = text[:first] + text[begin:end] + text[last:begin] + text[first:last] + text[end:]
            else:
                text = text[:begin] + text[begin:end] + " " + text[begin:]
        elif number.randrange(10) == 0:
            text = text[:end]
        else:
            text = text[:begin] + number.choice(others) + text[end:]
    return text


def documents(text):
    decoder, result = json.JSONDecoder(), []
    while text:
        document, end = decoder.raw_decode(text)
        result.append(document["diagnostics"])
        text = text[end:].lstrip()
    return result


def place(diagnostic):
    return diagnostic["line"], diagnostic["column"]


def offset(text, at):
    """The offset of a line and a column, in code points."""
    line, column = at
    return sum(len(row) + 1 for row in text.split("\n")[:line - 1]) + column - 1


class Damage(InFolder):
    def lint(self, texts, binary=MATCHPOINT):
        """The diagnostics of each text."""
        paths = [self.write(text, f"{i}.ctp") for i, text in enumerate(texts)]
        if binary == MATCHPOINT:
            result = run("lint", "--format", "json", *paths)
            self.assertIn(result.code, (HOLDS, UNKNOWN, BAD_INPUT))
            self.assertEqual(result.err, b"")
            return documents(result.text)
        return documents(subprocess.run([binary, "lint", "--format", "json", *paths], stdout=subprocess.PIPE, check=False)
                         .stdout.decode())

    def cases(self, times, only=None):
        number = random.Random(OPTIONS.seed)
        texts = [path.read_text() for path in programs() if path.stat().st_size < 4000]
        return [damaged(number.choice(texts), number, number.randint(1, times), only) for _ in range(OPTIONS.cases)]

    def test_messages_are_about_the_text(self):
        texts = self.cases(times=5)
        told = self.lint(texts)
        self.assertEqual(len(told), len(texts))
        several, beginnings = 0, []
        for text, faults in zip(texts, told):
            errors = [d for d in faults if d["rule"] == "syntax"]
            if not errors:
                continue
            with self.subTest(text=text):
                self.assertEqual(errors, faults, "rules are checked of what the syntax accepts")
                places = [place(d) for d in errors]
                self.assertEqual(places, sorted(set(places)), "the positions increase")
                several += len(errors) > 1
                beginnings.append((text[:offset(text, places[0])], places[0]))
        self.assertGreater(len(beginnings), OPTIONS.cases / 2)
        self.assertGreater(several, OPTIONS.cases / 10)
        # The text before the first error can be the beginning of a program: nothing is wrong with it as far as it goes.
        for (text, at), faults in zip(beginnings, self.lint([text for text, _ in beginnings])):
            if faults and faults[0]["rule"] == "syntax":
                with self.subTest(text=text):
                    self.assertEqual([place(d) for d in faults], [at])
                    self.assertIn("found the end of the file", faults[0]["message"])

    def test_one_bracket(self):
        """It spoils no more than what it is in, and perhaps what follows."""
        texts = self.cases(times=1, only=BRACKETS)
        counts = [len([d for d in faults if d["rule"] == "syntax"]) for faults in self.lint(texts)]
        for text, count in zip(texts, counts):
            self.assertLessEqual(count, 5, text)
        self.assertGreater(counts.count(1), 0.75 * sum(1 for count in counts if count > 0))  # 0.81 of many

    def test_several_mistakes(self):
        """Each of several commands with a mistake inside is reported, at its place."""
        number = random.Random(OPTIONS.seed)
        for _ in range(20):
            size = number.randint(1, 60)
            wrong = sorted(number.sample(range(size), number.randint(1, min(size, 15))))
            mistakes = ["(send s{0} 0 1 5)", "(x := )", "(x := (1 + 2))", "(assert true true)", "(wait)", "(x = 1)", "(rcvi r{0} 0)"]
            lines = [f"[{i} {number.choice(mistakes).format(i) if i in wrong else f'(v{i} := {i})'}]" for i in range(size)]
            [faults] = self.lint(["( (\n" + "\n".join(lines) + "\nbot ) )\n"])
            self.assertEqual([d["line"] - 2 for d in faults], wrong)

    def test_many(self):
        """No more than 1000 are kept, and 20 are shown."""
        path = self.write("( (\n" + "\n".join(f"[{i} (x = {i})]" for i in range(3000)) + "\nbot ) )\n")
        result = run("lint", path)
        self.assertEqual(result.code, BAD_INPUT)
        self.assertEqual(result.text.count("error[syntax]"), 20)
        self.assertTrue(result.text.endswith(f"{path}: at least 980 more not shown\n"))
        self.assertEqual(len(documents(run("lint", path, "--format", "json").text)[0]), 1000)

    def test_baseline(self):
        if OPTIONS.baseline is None:
            self.skipTest("there is no --baseline")
        texts = self.cases(times=5) + self.cases(times=1, only=BRACKETS)
        for text, now, before in zip(texts, self.lint(texts), self.lint(texts, OPTIONS.baseline)):
            with self.subTest(text=text):
                self.assertEqual([(d["rule"], place(d)) for d in before][:1], [(d["rule"], place(d)) for d in now][:1])
                if not before or before[0]["rule"] != "syntax":
                    self.assertEqual([(d["rule"], d["message"]) for d in before], [(d["rule"], d["message"]) for d in now])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=OPTIONS.seed)
    parser.add_argument("--cases", type=int, default=OPTIONS.cases)
    parser.add_argument("--baseline", type=os.path.abspath)
    OPTIONS, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
