#!/usr/bin/env python3
"""`matchpoint gen`: families, variants, sizes, errors, and what the first comment of a program promises."""

import re
import shlex
import unittest
from pathlib import Path

from support import (BUFFERINGS, FAILURE, HOLDS, INFEASIBLE, OUTPUT_FAILED, STATUS_CODE, UNKNOWN, InFolder, meaning,
                     part, run)

VERDICT_CODE = {"violated": FAILURE, "safe": HOLDS, "vacuous": INFEASIBLE}
FORMULA = "c u1 or u2, and not both\np cnf 2 2\n1 2 0\n-1 -2 0\n"
# Without numbers as far as they have defaults; the others small.
SMALL = {"scaling": ["4"], "leader-election": ["20"], "router": ["3"], "multi-m": ["2"], "pktuse": ["10", "3"],
         "permutation-sum": ["4"], "hall": ["4"], "ring-dependencies": ["4"], "dense-cycles": ["3"], "ping-pong": ["4"],
         "master-workers": ["2", "1"], "halo": ["2", "2"], "monte-carlo": ["2", "2"], "random": ["5"],
         "banking": ["2"], "counter": ["2"], "philosophers": ["3"], "lock-order": ["2", "2"], "ticket-lock": ["2"], "interest": ["2"], "bounded-buffer": ["2", "2", "1"],
         "recorded-buffer": ["2", "1", "1", "2"], "indexer": ["3"], "hybrid-ring": ["2"]}
# About 100,000 messages.
LARGE = {"scaling": ["100000"], "leader-election": ["100000"], "router": ["223"], "multi-m": ["25000"],
         "pktuse": ["100000"], "permutation-sum": ["100000"], "hall": ["100000"], "ring-dependencies": ["33333"],
         "dense-cycles": ["316"], "ping-pong": ["50000"], "halo": ["20", "66"], "monte-carlo": ["316", "315"],
         "hybrid-ring": ["100", "1000"]}


def families():
    """family -> its variants, as `--list` has them: lists of words, the empty one first."""
    result, family = {}, None
    for line in run("gen", "--list").text.splitlines():
        if match := re.fullmatch(r"([a-z]\S*)(?: \S.*)?", line):
            family = match[1]
            result[family] = []
        elif match := re.fullmatch(r"    (--\S+(?: \S+)?|by default) +\S.*", line):
            result[family].append([] if match[1] == "by default" else match[1].split())
    return result


def comment(text):
    return [line[2:] for line in text.splitlines() if line.startswith("; ")]


class Families(InFolder):
    def small(self):
        """Arguments of each variant of each family."""
        for family, variants in families().items():
            if family != "vamp":
                for variant in variants or [[]]:
                    yield [family, *SMALL[family], *variant]
        yield ["vamp", str(self.write(FORMULA, "formula.cnf"))]

    def test_list(self):
        self.assertEqual(set(families()), {"vamp", *SMALL})
        self.assertEqual(families()["scaling"], [[], ["--comparisons"], ["--safe"], ["--distinct"]])
        self.assertEqual(families()["pktuse"], [[], ["--safe", "sums"], ["--safe", "order"]])
        for line in run("gen", "--list").text.splitlines():
            self.assertLessEqual(len(line), 100)

    def test_help(self):
        self.assertEqual(run("help", "gen").out, run("gen", "--help").out)
        for family, variants in families().items():
            help_text = run("gen", family, "--help").text
            self.assertEqual(run("help", "gen", family).text, help_text)
            self.assertIn(f"Usage: matchpoint gen {family} ", help_text)
            for variant in variants:
                for word in variant:
                    self.assertIn(word, help_text)
            self.assertEqual([line for line in help_text.splitlines() if len(line) > 80], [])
            self.assertEqual("--seed" in help_text, run("gen", *self.one(family), "--seed", "2").code == HOLDS, family)

    def one(self, family):
        return next(arguments for arguments in self.small() if arguments[0] == family)

    def test_documented(self):
        """docs/families.md has a section for each family, with its options, and no other."""
        sections = dict(re.findall(r"^## `([\w-]+)`\n(.*?)(?=^## |\Z)", Path("docs/families.md").read_text(),
                                   re.MULTILINE | re.DOTALL))
        self.assertEqual(set(sections), set(families()))
        for family, variants in families().items():
            for variant in variants:
                if variant:
                    self.assertIn(f"`{' '.join(variant)}`", sections[family], family)
            self.assertIn(f"$ matchpoint gen {family}", sections[family])

    def test_rules_and_promises(self):
        """Every variant keeps the rules; `check` says what the comment promises, and `run` what it says of the trace."""
        for arguments in self.small():
            with self.subTest(arguments=arguments):
                path = self.folder / "small.ctp"
                done = run("gen", *arguments, "--trace", "-o", path)
                self.assertEqual((done.code, done.out, done.err), (HOLDS, b"", b""))
                lint = run("lint", "--strict", path)
                self.assertEqual((lint.code, lint.out), (HOLDS, b""))
                lines = comment(path.read_text())
                if arguments[0] == "random":  # whatever it is
                    self.assertFalse([line for line in lines if line.startswith("check")])
                    continue
                for buffering in BUFFERINGS:
                    found = [line for line in lines if line.startswith(f"check {buffering}: ")]
                    if not found and arguments[0] == "halo":
                        continue  # with zero buffering, whether wildcards get stuck depends on the numbers
                    promised = found[0].partition(": ")[2] if arguments[0] != "vamp" else "violated"
                    verdict, _, deadlock = promised.partition(", ")
                    checked = run("check", "--buffering", buffering, path)
                    self.assertEqual(checked.code, 11 if deadlock and verdict != "violated" else VERDICT_CODE[verdict])
                    self.assertEqual(meaning(re.search(rf": (\w[\w ,]*) \({buffering} buffering\)$", checked.text, re.MULTILINE)[1]), verdict)
                    self.assertIn(f"deadlock: {'yes' if deadlock else 'no'}", checked.text)
                status = next(line for line in lines if line.startswith("trace 1")).partition(": ")[2]
                self.assertEqual(run("run", path).code, STATUS_CODE[status])

    def test_unsatisfiable(self):
        path = self.write("p cnf 1 2\n1 0 -1 0\n", "formula.cnf")
        program = run("gen", "vamp", path).out
        for buffering in BUFFERINGS:
            self.assertEqual(run("check", "--buffering", buffering, "-", stdin=program).code, HOLDS)

    def test_command_makes_it_again(self):
        for arguments in self.small():
            for more in ([], ["--trace"]):
                made = run("gen", *arguments, *more)
                command = shlex.split(comment(made.text)[-1])
                self.assertEqual(command[:2], ["matchpoint", "gen"])
                self.assertEqual(run(*command[1:]).out, made.out)

    def test_defaults(self):
        """Without numbers: those of Table 2."""
        for family, messages, numbers in (("leader-election", 620, "620"), ("router", 200, "10"), ("multi-m", 100, "25"),
                                          ("pktuse", 512, "512 5")):
            for variant in families()[family]:
                text = run("gen", family, *variant).text
                self.assertEqual(text.count("(sndi "), messages)
                self.assertIn(f"matchpoint gen {' '.join([family, numbers, *variant])}", text)

    def test_seeds(self):
        first = run("gen", "pktuse", "20", "3").out
        self.assertEqual(run("gen", "pktuse", "20", "3", "--seed", "1").out, first)
        self.assertNotEqual(run("gen", "pktuse", "20", "3", "--seed", "2").text.replace("seed 2", "seed 1"), first.decode())

    def test_random(self):
        """Whatever the knobs: the rules are kept, `check` has a verdict, and `run` says what the comment says of the trace."""
        listed = re.findall(r"^      \[(--\S+) (\d+)\] +(\S.*)", run("gen", "--list").text, re.MULTILINE)
        self.assertEqual(len(listed), 24)
        self.assertEqual(re.findall(r"^\| `(--\S+) P` \| (\d+) \| (.*) \|$", Path("docs/families.md").read_text(), re.MULTILINE),
                         listed)
        knobs = [(option, default) for option, default, _ in listed]
        help_text = run("gen", "random", "--help").text
        path, seen = self.folder / "random.ctp", set()
        for number, (option, default) in enumerate(knobs, 1):
            self.assertRegex(help_text, rf"{option} P[^-]*Default:\s+{default}")
            self.assertEqual(run("gen", "random", option, default).text.replace(f" {option} {default}", ""),
                             run("gen", "random").text)
            for percent in ("0", "100"):
                arguments = ["gen", "random", str(number), "8", "3", option, percent, "--trace"]
                made = run(*arguments, "-o", path)
                self.assertEqual((made.code, made.out, made.err), (HOLDS, b"", b""))
                lines = comment(path.read_text())
                self.assertEqual(lines[0], f"Random program {number} of seed 1.")
                self.assertEqual(run(*shlex.split(lines[-1])[1:]).out, path.read_bytes())
                self.assertEqual(run("lint", "--strict", path).code, HOLDS)
                self.assertIn(meaning(re.search(r": (\w[\w ,]*) \(", run("check", path).text)[1]), ("violated", "safe", "vacuous"))
                status = next(line for line in lines if line.startswith("trace 1")).split(": ")[1]
                self.assertEqual(run("run", path).code, STATUS_CODE[status])
                seen.add(status)
        self.assertEqual(seen, set(STATUS_CODE))
        # The knobs: together, in any order, and what they do.
        text = run("gen", "random", "--orphans", "100", "--lone-receives=0", "--no-assertion", "100").text
        self.assertEqual(text, run("gen", "random", "--no-assertion", "100", "--orphans", "100", "--lone-receives", "0").text)
        self.assertGreater(text.count("(sndi "), text.count("(rcvi "))
        self.assertNotIn("assert", text.partition("\n(")[2])

    def test_large(self):
        """100,000 messages, written and read back; each with the last of its variants."""
        for family, numbers in part(LARGE.items(), 2):
            path = self.folder / "large.ctp"
            done = run("gen", family, *numbers, *([] if family == "scaling" else families()[family][-1]), "-o", path)
            self.assertEqual((done.code, done.err), (HOLDS, b""))
            messages = path.read_bytes().count(b"(sndi ")
            self.assertGreater(messages, 99_000, family)
            self.assertEqual(run("lint", "--strict", path).code, HOLDS)
            print(f"{family}: {messages} messages, {path.stat().st_size / 1e6:.0f} MB in {done.seconds:.2f} s, "
                  f"{done.peak_mb:.0f} MB of memory")

    def test_large_formula(self):
        variables = 25_000
        clauses = "".join(f"{i} -{i % variables + 1} {variables + 1 - i} 0\n" for i in range(1, variables + 1))
        path = self.write(f"p cnf {variables} {variables}\n{clauses}", "large.cnf")
        made = run("gen", "vamp", path, "--trace", "-o", self.folder / "large.ctp")
        self.assertEqual((made.code, made.err), (HOLDS, b""))
        self.assertIn(run("run", self.folder / "large.ctp", limit_output=1000).code, (HOLDS, FAILURE))


class Errors(InFolder):
    def test_no_family(self):
        self.refused("gen", saying="--list")
        self.refused("gen", "--trace", saying="a family is missing")
        self.refused("gen", "frobnicate", saying="frobnicate")
        self.refused("gen", "--list", "scaling", "4", saying="--list is of all families")

    def test_numbers(self):
        for word in ("0", "-1", "x", "", "1.5", "1e3", "+3", "1000001", "9" * 30):
            self.refused("gen", "scaling", word, saying="is not a number from 1 to 1000000" if word[:1] != "-" else "")
        self.refused("gen", "scaling", saying="N is missing: `matchpoint gen scaling N`")
        self.refused("gen", "scaling", "4", "5", saying="5")
        self.refused("gen", "pktuse", "4", "5", saying="4 messages are too few for 5 tasks")
        self.refused("gen", "scaling", "1", "--safe", saying="it is about two messages")
        self.refused("gen", "scaling", "2001", "--distinct", saying="from 2 to 2000")

    def test_options(self):
        self.refused("gen", "scaling", "4", "--frobnicate", saying="there is no option `--frobnicate`")
        self.refused("gen", "ping-pong", "4", "--distinct", saying="there is no option `--distinct`")
        self.refused("gen", "pktuse", "--safe", saying="--safe")
        self.refused("gen", "pktuse", "--safe", "always", saying="`always` is not one of order|sums")
        self.refused("gen", "scaling", "4", "--safe", "--distinct", saying="--safe and --distinct exclude each other")
        self.refused("gen", "router", "--seed", "2", saying="router has no --seed: nothing in it is random")
        for seed in ("0", "-1", "x", ""):
            self.refused("gen", "scaling", "4", "--seed", seed, saying="--seed")
        self.refused("gen", "\x1b[31m", saying="\\x1b")
        self.refused("gen", "scaling", "\x1b[31m", saying="\\x1b")

    def test_knobs(self):
        for percent in ("101", "x", "", "1.5", "+3", "9" * 30):
            self.refused("gen", "random", "--orphans", percent, saying="is not a number from 0 to 100")
        self.refused("gen", "random", "--orphans", "-1", saying="--orphans")
        self.refused("gen", "random", "--orphans", saying="--orphans")
        self.refused("gen", "random", "--orphan", "5", saying="there is no option `--orphan`")
        self.refused("gen", "scaling", "4", "--orphans", "5", saying="there is no option `--orphans`")
        self.refused("gen", "random", "0", saying="is not a number from 1 to")
        self.refused("gen", "random", "1", "1001", saying="is not a number from 1 to 1000")
        self.refused("gen", "random", "1", "6", "4", "2", "7", saying="7")

    def test_options_anywhere(self):
        plain = run("gen", "scaling", "4", "--safe", "--seed", "3").out
        self.assertEqual(run("gen", "--seed", "3", "scaling", "--safe", "4").out, plain)
        self.assertEqual(run("gen", "scaling", "--seed=3", "4", "--safe", "--color", "never").out, plain)

    def test_formulas(self):
        """A formula that cannot be read, breaks a rule, or is beyond a limit: nothing is written."""
        out = self.folder / "out.ctp"
        self.refused("gen", "vamp", saying="FILE is missing: `matchpoint gen vamp FILE`")
        self.refused("gen", "vamp", self.folder / "missing.cnf", "-o", out, saying="missing.cnf: No such file or directory")
        self.refused("gen", "vamp", self.folder, saying="Is a directory")
        path = self.write("p cnf 2 1\n1 3 0\n", "x.cnf")
        self.assertEqual(self.refused("gen", "vamp", path, "-o", out),
                         f"{path}:2:3: error[C3]: literal 3: the header says that the variables are 1 to 2\n"
                         "     2 | 1 3 0\n"
                         "       |   ^\n")
        for text in ("", "1 0\n", "p cnf 1 1\n1\n", "p cnf 1 2\n1 0\n", "p cnf 1 1\n\x1b 0\n", "\x00\xff"):
            self.refused("gen", "vamp", "-", "-o", out, stdin=text.encode("latin-1"), saying="<stdin>:")
        for variables in (250001, 999999999):
            beyond = run("gen", "vamp", self.write(f"p cnf {variables} 0\n", "x.cnf"), "-o", out)
            self.assertEqual((beyond.code, beyond.out), (UNKNOWN, b""))
            self.assertIn(f"error[limit]: {variables} variables; no more than 250000 are possible here", beyond.error_text)
        self.assertFalse(out.exists())

    def test_file_names(self):
        """In the comment a name is on one line, whatever it is, and the program can be read."""
        for name in ("a b.cnf", "it's.cnf", ") ( [.cnf", "new\nline.cnf", "\x1b[31m.cnf", "-x.cnf", "check", "scaling"):
            path = self.write(FORMULA, name)
            made = run("gen", "vamp", path) if name != "-x.cnf" else run("gen", "vamp", "--", "-x.cnf", cwd=self.folder)
            self.assertEqual((made.code, made.err), (HOLDS, b""), name)
            self.assertEqual(run("lint", "--strict", "-", stdin=made.out).code, HOLDS)
            self.assertNotIn("\x1b", made.text)
        made = run("gen", "vamp", "check", cwd=self.folder)
        self.assertEqual((made.code, comment(made.text)[-1]), (HOLDS, "matchpoint gen vamp check"))
        self.assertEqual(run("gen", "vamp", "-", stdin=FORMULA.encode()).out.replace(b"vamp -", b"vamp check"), made.out)

    def test_output(self):
        out = self.folder / "out.ctp"
        plain = run("gen", "hall", "3")
        self.assertEqual(run("gen", "hall", "3", "-o", "-").out, plain.out)
        self.assertEqual(run("gen", "hall", "3", "-o", out).code, HOLDS)
        self.assertEqual(out.read_bytes(), plain.out)
        self.refused("gen", "hall", "0", "-o", out)
        self.assertEqual(out.read_bytes(), plain.out)
        for where in (self.folder / "no" / "folder.ctp", self.folder):
            failed = run("gen", "hall", "3", "-o", where)
            self.assertEqual((failed.code, failed.out), (OUTPUT_FAILED, b""))
            self.assertIn("matchpoint: error[file]: cannot", failed.error_text)
        with open("/dev/full", "wb") as full:
            self.assertEqual(run("gen", "hall", "3", stdout=full).code, OUTPUT_FAILED)


if __name__ == "__main__":
    unittest.main()
