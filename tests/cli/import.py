#!/usr/bin/env python3
"""`import`: formats that are guessed and named, several files, exit codes, and what the programs mean.

What becomes of each file is in tests/golden/import_*.md; damaged files are in tests/importers/import_test.cpp.
"""

import json
import unittest
from pathlib import Path

from support import BAD_INPUT, FAILURE, HOLDS, OUTPUT_FAILED, UNKNOWN, InFolder, run

FILES = Path("tests/importers")
FORMATS = ["isp", "mercury", "mp"]


def files(format):
    found = sorted((FILES / format).iterdir())
    assert len(found) >= 12, format
    return found


class Formats(InFolder):
    def test_guessed_as_named(self):
        for format in FORMATS:
            for path in files(format):
                named = run("import", format, path)
                if named.code == HOLDS:
                    guessed = run("import", path)
                    self.assertEqual((guessed.code, guessed.out, guessed.err), (named.code, named.out, named.err), path)

    def test_what_is_written_is_canonical_enough_to_be_read(self):
        for format in FORMATS:
            for path in files(format):
                made = run("import", format, path, "--undefined", "0")
                if made.code != HOLDS:
                    self.assertEqual((made.code, made.out), (BAD_INPUT, b""), path)
                    self.assertIn("error[", made.error_text)
                    continue
                formatted = run("fmt", "-", stdin=made.out)
                self.assertEqual((formatted.code, formatted.err), (HOLDS, b""), path)
                self.assertEqual(formatted.text.count("(at "), made.text.count("(at "))
                self.assertEqual(run("fmt", "-", stdin=formatted.out).out, formatted.out)

    def test_standard_input_and_output(self):
        text = (FILES / "mp/race.txt").read_bytes()
        through = run("import", "mp", "-", stdin=text)
        self.assertEqual(through.code, HOLDS)
        self.assertIn('(at "<stdin>" 1)', through.text)
        made = self.folder / "made.ctp"
        done = run("import", FILES / "mp/race.txt", "-o", made)
        self.assertEqual((done.code, done.out, done.err), (HOLDS, b"", b""))
        self.assertEqual(made.read_bytes(), run("import", FILES / "mp/race.txt").out)
        self.assertEqual(run("check", made).code, HOLDS)

    def test_a_file_for_each_process(self):
        parts = [FILES / f"mp/race_rank{i}.txt" for i in range(3)]
        made = run("import", *parts)
        self.assertEqual((made.code, made.err), (HOLDS, b""))
        self.assertEqual(made.text.count("rcvi"), 2)
        self.assertIn(f'(at "{parts[1]}" 1)', made.text)
        self.assertEqual(run("check", "-", stdin=made.out).code, FAILURE)  # the first message can be 7
        self.assertEqual(run("import", "mp", *reversed(parts)).text.split("\n", 1)[1], made.text.split("\n", 1)[1])
        self.refused("import", parts[0], parts[0], saying="process 0 is there already, from line 1 of another file on")
        self.refused("import", FILES / "mp/race.txt", FILES / "mercury/race.ctp", saying="import one run at a time")

    def test_a_file_named_like_a_format(self):
        path = self.folder / "mp"
        path.write_bytes((FILES / "mercury/race.ctp").read_bytes())
        self.assertEqual(run("import", "mp", cwd=self.folder).code, HOLDS)
        self.assertEqual(run("import", "mercury", "mp", cwd=self.folder).code, HOLDS)

    def refused(self, *arguments, saying):
        done = run(*arguments)
        self.assertEqual((done.code, done.out), (BAD_INPUT, b""))
        self.assertIn(saying, done.error_text)

    def test_refused(self):
        self.refused("import", saying="INPUT")
        self.refused("import", "traces/figure1.ctp", saying="seems to be a program of the language already")
        self.refused("import", "README.md", saying="is of no format that can be guessed")
        self.refused("import", self.folder / "none", saying="No such file")
        self.refused("import", "mp", "traces/figure1.ctp", saying="error[syntax]")
        self.refused("import", FILES / "mp/race.txt", "--undefined", "x", saying="not a value for --undefined")
        self.assertEqual(run("import", FILES / "mp/race.txt", "-o", self.folder / "no/such/folder").code, OUTPUT_FAILED)
        large = self.folder / "large.txt"
        large.write_text("T0_0: snd(9999999, 1)\n")
        self.assertEqual(run("import", large).code, UNKNOWN)

    def test_other_commands_notice_foreign_files(self):
        names = {"mp": "an MP trace", "mercury": "a trace of Mercury", "isp": "a transition list of ISP"}
        for format, name in names.items():
            for path in files(format):
                if run("import", path).code != HOLDS:
                    continue
                for command in (["check"], ["lint"], ["fmt"], ["run"]):
                    said = run(*command, path)
                    self.assertEqual(said.code, BAD_INPUT)
                    self.assertIn(f"this looks like {name}: `matchpoint import {format} FILE`",
                                  said.error_text + said.text)


class Meaning(InFolder):
    def made(self, text, *options):
        made = run("import", "-", *options, stdin=text.encode())
        self.assertEqual(made.code, HOLDS, made.error_text)
        return made

    def test_from_any_process_and_from_one(self):
        threads = "Thread 1\nSend 0 0\nThread 2\nSend 0 0\n"
        for source, feasible in (("-1", 2), ("1", 1)):
            made = self.made(f"Thread 0\nRecv {source} 0\nRecv -1 1\n{threads}")
            report = json.loads(run("explore", "-", "--format", "json", stdin=made.out).out)
            self.assertEqual(len(report["executions"]), feasible)

    def test_blocking_receives_in_the_wrong_order_deadlock(self):
        both = "Thread {}\nRecv {} 0\nSend {} 1\n"
        made = self.made(both.format(0, 1, 1) + both.format(1, 0, 0))
        self.assertEqual(run("check", "-", stdin=made.out).code, 11)

    def test_synchronous_sends_wait_for_their_receive(self):
        lists = "".join(f"Transition list for {i}\n0 o=0 i=0 rank={i} {{0}} a.c:1 dest={1 - i} stag=0{{{{}}}}{{{{}}}}\n"
                        f"1 o=1 i=1 rank={i} Recv a.c:2 src={1 - i} rtag=0{{{{}}}}{{{{}}}}\n" for i in range(2))
        for call, infinite, zero in (("Ssend", 11, 11), ("Send", 0, 11), ("Bsend", 0, 0)):
            made = self.made(lists.format(call))
            for buffering, code in (("infinite", infinite), ("zero", zero)):
                checked = run("check", "-", "--buffering", buffering, stdin=made.out)
                self.assertEqual(checked.code, code, (call, buffering))

    def test_undefined(self):
        path = FILES / "mp/undefined.txt"
        for value, code in (("4", HOLDS), ("-4", HOLDS)):
            made = run("import", path, "--undefined", value)
            self.assertEqual(made.code, HOLDS)
            self.assertEqual(made.text.count(f":= {value})"), 2)
            self.assertEqual(run("check", "-", stdin=made.out).code, code)

    def test_breaches_of_the_discipline_are_warnings(self):
        made = self.made("Thread 0\nRecv -1 0\nWait 0\nRecv -1 1\nThread 1\nSend 0 0\nSend 0 1\nWait 1\n")
        self.assertIn("<imported>:", made.error_text)
        self.assertIn("warning[D3]", made.error_text)


if __name__ == "__main__":
    unittest.main()
