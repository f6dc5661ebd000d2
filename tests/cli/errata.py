#!/usr/bin/env python3
"""`matchpoint validate` on the paper's encoders to the letter, with no help: it finds each erratum that docs/errata.md says
they show, names it, and makes the program no larger than the smallest one that is known. What it prints is in docs/measured/errata.md.

    errata.py            as many cases as that takes
    errata.py --long     the default campaign, which has to find as much and to end within a minute of one processor
    errata.py --update   writes what is printed now into docs/measured/errata.md
"""

import re
import resource
import shlex
import sys
import tempfile
import unittest
from pathlib import Path

from support import DISAGREES, FAILURE, HOLDS, MATCHPOINT, long_test, part, run
from validation import Validation, commands, likeliest

DOCUMENT = Path("docs/errata.md")
PRINTED = Path("docs/measured/errata.md")
LONG = "--long" in sys.argv
ROW = re.compile(r"\| `([a-z0-9-]+)` \|.*\| ([^|]+) \|")
LINK = re.compile(r"\[(E\d+)\]\(\.\./(traces/errata/[a-z0-9_]+\.ctp)\)")
BLOCK = re.compile(r"^```text\n\$ matchpoint (validate [^\n]* -- ([a-z0-9-]+))\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def subjects():
    """The errata that each built-in encoder shows, each with the smallest program that is known."""
    found = {}
    for line in DOCUMENT.read_text().splitlines():
        if row := ROW.fullmatch(line):
            found[row[1]] = LINK.findall(row[2])
    return found


def campaigns():
    """Encoder -> its command in docs/measured/errata.md, as words, and the block below it."""
    return {block[2]: (shlex.split(block[1]), block[3]) for block in BLOCK.finditer(PRINTED.read_text())}


def in_short(text):
    """What `validate` prints of its findings, without their folders and what it says of all of them."""
    findings = re.split(r"\n(?=\d+ of \d+ programs? asked: )", text)[0].strip()
    return "\n".join(line for line in findings.split("\n") if not re.match(r"  /|  \S+/\d{3}-", line)) + "\n"


def printed(words, folder):
    """The block of a command."""
    *options, _, name = words
    result = run(*options, "-o", folder, "--", name)
    if result.code != DISAGREES:
        raise SystemExit(f"{' '.join(words)}: exit code {result.code}\n{result.error_text}")
    return in_short(result.text)


class Planted(Validation):
    """Faults in an encoder that has errors of its own: it loses a class of its constraints."""

    FAULTS = ((" UNIQUE ", "one receive per send: none",
               "( ( [1 (rcvi A 0 x)] [2 (rcvi B 0 y)] [3 (wait B)] [4 (assert (!= x y))] ) ( [5 (sndi S 1 0 1)] ) ( [6 (sndi T 2 0 2)] ) )"),
              (" DIVISOR ", "divisors: may be zero", "( ( [1 (x := (div 1 0))] [2 (assert (= x 0))] ) )"),
              (" ASSUMPTION|", "assumptions: none", "( ( [1 (assume false)] [2 (assert false)] ) )"))

    def changes(self, left_out, *options):
        """What the findings say is wrong, rule by rule."""
        command = '"$0" encode --encoding order-based --buffering zero "$1" | grep -v "$2"'
        document, code = self.validate(*options, "--buffering", "zero", "--cases", "0", "--findings", "9",
                                       encoder=["sh", "-c", command, MATCHPOINT, "{ctp}", left_out])
        self.assertEqual(code, DISAGREES if document["findings"] else HOLDS)
        return {f"{change['rule']}: {change['change']}" for finding in document["findings"] for change in finding["why"][0]["changes"]}

    def test_in_a_corpus(self):
        """20 s for each. Nothing else names a fault of an encoder that has others."""
        for left_out, planted, text in part(self.FAULTS, len(self.FAULTS)):
            with self.subTest(left_out):
                corpus = ["--level", "0", "--corpus", self.write(text)]
                self.assertEqual(self.changes("no such class", *corpus), set())
                self.assertEqual(self.changes(left_out, *corpus), {planted})

    @long_test
    def test_in_a_campaign(self):
        """With the programs that there are for each rule."""
        of_its_own = self.changes("no such class", "--rules", "--level", "1")
        self.assertLessEqual({"rendezvous: sends may stay", "orphans: none"}, of_its_own)
        for left_out, planted, _ in self.FAULTS:
            with self.subTest(left_out):
                self.assertNotIn(planted, of_its_own)
                self.assertIn(planted, self.changes(left_out, "--rules", "--level", "1"))


def update():
    text = PRINTED.read_text()
    for name, (words, block) in campaigns().items():
        with tempfile.TemporaryDirectory() as folder:
            command = f"$ matchpoint {' '.join(words)}\n"
            text = text.replace(f"{command}{block}```", f"{command}{printed(words, folder)}```")
    PRINTED.write_text(text)


class Literal(Validation):
    def fails(self, program, buffering, of_trace):
        asked = ["run"] if of_trace else ["check", "--runs", "complete"]
        return run(*asked, program, "--buffering", buffering).code == FAILURE

    def subject(self, name):
        words, block = campaigns()[name]
        # What the small and random programs find of `order-based`, they find slowly, and the programs for each rule at once.
        by_rules = "--skip-rules" not in words
        options = ["--rules", *words[1:-2]] if by_rules else ["--findings", "30"] if LONG else words[1:-2]
        buffering = "zero" if name in ("section5-zero", "order-based") else "infinite"
        before = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
        output, state = self.folder / name, self.folder / f"{name}.json"
        document, code = self.validate(*options, "--state", state, encoder=[name], output=output)
        seconds = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]) - before
        if LONG:
            self.assertLess(seconds, 60)
        self.assertEqual((code, document["bufferings"], document["complete"]), (DISAGREES, [buffering], True))
        known = subjects()[name]
        for finding in document["findings"]:
            with self.subTest(finding["folder"]):
                self.assertTrue(likeliest(finding) & {erratum for erratum, _ in known}, finding)
                self.finding_is_whole(finding, buffering)
        for erratum, program in known:
            with self.subTest(erratum, program=program):
                kind = "incomplete" if self.fails(program, buffering, name == "figures-9-10") else "unsound"
                found = [commands(f["smallest"]) for f in document["findings"]
                         if f["kind"] == kind and erratum in likeliest(f)]
                self.assertTrue(found, f"{name} is not found to be {kind} for {erratum}")
                self.assertLessEqual(min(found), commands(Path(program).read_text()))
        if not LONG:
            # Its state says that there is nothing left to ask.
            text = run("validate", *words[1:-2], "--state", state, "-o", output, "--", name).text
            self.assertEqual(in_short(text), block, f"tests/cli/errata.py --update writes {PRINTED} anew")

    def test_section5(self):
        self.subject("section5")

    @long_test
    def test_section5_zero(self):
        self.subject("section5-zero")

    @long_test
    def test_short_paper(self):
        self.subject("short-paper")

    @long_test
    def test_order_based(self):
        self.subject("order-based")

    def test_figures_9_and_10(self):
        self.subject("figures-9-10")

    def test_all_of_them(self):
        """Every built-in encoder but our own is asked, and has a test."""
        help_text = re.sub(r"\s+", " ", run("validate", "--help").text)
        names = set(re.search(r"a built-in encoder: ([a-z0-9, -]+)", help_text)[1].split(", ")) - {"exact"}
        names = {name.split(" ")[0] for name in names}
        names = {name for name in names if not name.startswith("fusion")}  # tests/cli/validate_shared.py
        asked = {name for name in subjects() if not name.startswith("fusion")}
        self.assertEqual((asked, set(campaigns())), (names, names))
        tests = {name.removeprefix("test_").replace("_and_", "-").replace("_", "-")
                 for name in dir(self) if name.startswith("test_") and name != self._testMethodName}
        self.assertEqual(tests, names)


if __name__ == "__main__":
    if "--update" in sys.argv:
        update()
    else:
        unittest.main(argv=[word for word in sys.argv if word != "--long"])
