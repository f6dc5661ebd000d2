#!/usr/bin/env python3
"""Tests that every mutant of table.py fails on the conformance suite, as docs/measured/mutants.md says, and that `validate` finds it.

    mutants.py                        the tests: each mutant on the program that docs/measured/mutants.md names; `validate` on some
    mutants.py --update [MUTANT...]   search for these programs again, and write docs/measured/mutants.md
    mutants.py --lemma3 [MUTANT...]   run Lemma 3's property on each mutant of the SMT machine, and write docs/measured/mutants.md
    mutants.py --operators            write the table of exchanged operators into docs/measured/mutants.md
    mutants.py --validate [MUTANT...] run `validate` on each mutant, and write docs/measured/mutants.md

MATCHPOINT is the binary, MATCHPOINT_MUTANTS the tool of these tests (tests/mutants/tool.cpp).
"""

import os
import re
import resource
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "cli"))
from support import BAD_INPUT, DISAGREES, ERROR, FAILURE, HOLDS, INFEASIBLE, INTERNAL, part, run  # noqa: E402
from emitter import PROGRAMS  # noqa: E402
from operators import EXCHANGES  # noqa: E402
from table import MUTANTS  # noqa: E402

TOOL = str(Path(os.environ.get("MATCHPOINT_MUTANTS", "build/release/tests/mutants/mutants")).resolve())
# The binary and the property tests as a mutant.
BINARY = str(Path(TOOL).with_name("matchpoint_mutants"))
PROPERTIES = str(Path(TOOL).with_name("property_mutants"))
PAGE = Path("docs/measured/mutants.md")
SECONDS = 60
# The cases for `validate`; it finishes them within a minute. The faults are those of plain programs.
CASES = ["--skip-rules", "--level", "4", "--cases", "300", "--corpus", "traces", "--corpus", "suite/programs", "--mcapi"]
OF_TRACES = ("run", "smt")
ASKED = {m.name: m for m in MUTANTS if m.ask and m.ask != "emitter"}
EMITTER = {m.name: m for m in MUTANTS if m.ask == "emitter"}
NOT_ASKED = {m.name: m for m in MUTANTS if not m.ask}
ENCODERS = ["section5", "section5-zero", "short-paper", "order-based", "figures-9-10"]
# `validate` finds all of these within a few seconds; the others were run by hand.
QUICKLY = ["newest-message-first", "last-assertion-only"]
# How a binary ends whose operators are exchanged: with another answer, or it notices a contradiction.
WRONGLY = (HOLDS, BAD_INPUT, FAILURE, ERROR, DISAGREES, INTERNAL)
HEADS = {"asked": "| mutant | it does | against | in | fails on | `validate` asks to | and finds |",
         "not asked": "| mutant | it does | against | in | fails on |",
         "emitter": "| mutant | it does | against | in | Lemma 3 is broken after |",
         "operators": "| table | in | entry: exchanged with | found by |",
         "encoders": "| encoder | fails on |"}


def tool(*arguments, lines=()):
    """The lines that it answers."""
    done = subprocess.run([TOOL, *arguments], input="".join(f"{line}\n" for line in lines), capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def kills(lines, *arguments):
    """Of mutants, or encoders: name -> where it fails, as the page says it; "-": nowhere."""
    result = {}
    for answer in lines:
        name, program, *rest = answer.split(" ", 3)
        result[name] = program if program == "-" else f"`{program}`, {rest[0]}: {rest[1]}"
    return result


def rows(page, kind, collect=dict):
    """The rows of a table of the page: name -> the other cells."""
    table = page.partition(HEADS[kind] + "\n")[2].partition("\n\n")[0].splitlines()[1:]
    cells = ([cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in table)
    return collect((name.strip("`"), rest) for name, *rest in cells)


def row(mutant):
    """What table.py says of it."""
    return [mutant.what.replace("|", "\\|"), mutant.rule.replace("|", "\\|"),
            ", ".join(f"`{file}`" for file in dict.fromkeys(edit.file for edit in mutant.edits))]


def rows_of_operators():
    """The tables of operators.py, as the page says it: table -> the other cells."""
    result = {}
    for exchange in EXCHANGES:
        files = ", ".join(f"`{file}`" for file in dict.fromkeys(edit.file for edit in exchange.edits))
        result.setdefault((exchange.table, files, f"`{' '.join(exchange.arguments)}`"), []).append(
            f"{exchange.entry.strip('_')}: {exchange.other.strip('_')}")
    return [[table, files, "; ".join(entries), found_by] for (table, files, found_by), entries in result.items()]


def answer_of(mutant, exchange):
    """Exit code and output of the binary as a mutant."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "program.ctp"
        program.write_text(exchange.program)
        done = subprocess.run([BINARY, *exchange.arguments, program], capture_output=True, text=True, check=False, timeout=60,
                              env={**os.environ, "MATCHPOINT_MUTANT": mutant})
    return done.returncode, done.stdout + done.stderr


def validated(name):
    """What `validate` finds of a mutant, as the page says it, and its exit code."""
    mutant = ASKED[name]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = run("validate", *CASES, "--findings", "1", "--output", "-", *(["--traces"] if mutant.ask in OF_TRACES else []),
               "--", TOOL, "answer", name, mutant.ask, "{buffering}", "{ctp}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    # Processor time, whatever else the machine does.
    seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    found = re.match(r"your encoder says (sat|unsat) .*, (infinite|zero) buffering\n(?:.*\n)*?  found on (.*)\n", done.text)
    kind = "unsound" if found and found[1] == "sat" else "incomplete"
    return f"{found[3]}, {found[2]}: {kind}; {seconds:.1f} s" if found else "-", done


def by_lemma3(name):
    """After how many cases of the property solver and machine disagree; or what else becomes of it."""
    done = subprocess.run([PROPERTIES, "--gtest_filter=Lemma3_SatIffFailure.Z3"], capture_output=True, text=True, check=False,
                          env={**os.environ, "MATCHPOINT_MUTANT": name, "MATCHPOINT_SEED": "1", "RC_PARAMS": "seed=1 noshrink=1 max_success=2000"})
    found = re.search(r"Falsifiable after (\d+) test", done.stdout)
    if not found:
        return "no case" if done.returncode == 0 else f"exit code {done.returncode}"
    is_broken = re.search(r"^(un)?sat by z3, \w+ by the machine$", done.stdout, re.MULTILINE)
    return f"{found[1]} cases" if is_broken else "no answer"


def write_emitter(found):
    """The table of the mutants that Lemma 3 finds; what is not given stays."""
    page = PAGE.read_text()
    before = rows(page, "emitter")
    lines = [HEADS["emitter"], "|---|---|---|---|---|"]
    for name, mutant in {**{n: m for n, m in ASKED.items() if m.ask == "smt"}, **EMITTER}.items():
        cells = [f"`{name}`", *row(mutant), found.get(name, before.get(name, [""] * 4)[3])]
        lines.append("| " + " | ".join(cells) + " |")
    PAGE.write_text(replaced(page, HEADS["emitter"], lines))


def write_operators():
    lines = [HEADS["operators"], "|---|---|---|---|", *(f"| {' | '.join(cells)} |" for cells in rows_of_operators())]
    PAGE.write_text(replaced(PAGE.read_text(), HEADS["operators"], lines))


def write(suite, by_validate, encoders):
    """The tables of the page anew; what is not given stays."""
    page = PAGE.read_text()
    for kind, mutants in (("asked", ASKED), ("not asked", NOT_ASKED)):
        before = rows(page, kind)
        lines = [HEADS[kind], "|" + "---|" * (HEADS[kind].count("|") - 1)]
        for name, mutant in mutants.items():
            old = before.get(name, [""] * 6)
            cells = [f"`{name}`", *row(mutant), suite.get(name, old[3])]
            if kind == "asked":
                cells += [mutant.ask, by_validate.get(name, old[5])]
            lines.append("| " + " | ".join(cells) + " |")
        page = replaced(page, HEADS[kind], lines)
    if encoders:
        lines = [HEADS["encoders"], "|---|---|", *(f"| `{e}` | {encoders[e]} |" for e in ENCODERS)]
        page = replaced(page, HEADS["encoders"], lines)
    PAGE.write_text(page)


def replaced(page, head, lines):
    before, _, after = page.partition(head + "\n")
    return before + "\n".join(lines) + "\n\n" + after.partition("\n\n")[2]


class Mutants(unittest.TestCase):
    page = PAGE.read_text()

    def test_page(self):
        """It has what table.py has; and there are enough."""
        self.assertGreaterEqual(len(ASKED), 40)
        self.assertEqual(tool("list"), [m.name for m in MUTANTS] + [e.name for e in EXCHANGES])
        self.assertEqual([[name, *cells] for name, cells in rows(self.page, "operators", list)], rows_of_operators())
        for kind, mutants in (("asked", ASKED), ("not asked", NOT_ASKED)):
            found = rows(self.page, kind)
            self.assertEqual({name: cells[:3] for name, cells in found.items()},
                             {name: row(m) for name, m in mutants.items()})
        for name, cells in rows(self.page, "asked").items():
            self.assertEqual(cells[4], ASKED[name].ask)
            found = re.fullmatch(r".+, (infinite|zero): (unsound|incomplete); (\d+\.\d) s", cells[5])
            self.assertTrue(found, (name, cells[5]))
            self.assertLessEqual(float(found[3]), SECONDS)

    def test_the_suite_kills(self):
        """Each on the program that the page names, where it says so, and how it says so."""
        told = {name: cells[3] for kind in ("asked", "not asked") for name, cells in rows(self.page, kind).items()}
        lines = [f"{name} {re.match(r'`(.*?)`', told[name])[1]}" for name in told]
        self.assertEqual(kills(tool("kill", lines=lines)), told)

    def test_lemma_3_kills(self):
        """Each mutant of the SMT machine: `smt --check` says that solver and machine disagree, and not that a solver fails."""
        of_one_trace = {m.name for m in MUTANTS if m.ask in ("smt", "emitter")}
        self.assertEqual(set(PROGRAMS), of_one_trace)
        told = rows(self.page, "emitter")
        self.assertEqual(set(told), of_one_trace)
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "program.ctp"
            for name, text in PROGRAMS.items():
                with self.subTest(mutant=name):
                    program.write_text(text)
                    for mutant, codes in ((name, (DISAGREES,)), ("none", (HOLDS, FAILURE, INFEASIBLE))):
                        done = subprocess.run([BINARY, "smt", program, "--check"], capture_output=True, text=True, check=False,
                                              env={**os.environ, "MATCHPOINT_MUTANT": mutant})
                        self.assertIn(done.returncode, codes, done)
                        self.assertEqual("THEY DISAGREE" in done.stdout, mutant == name)
                    self.assertRegex(told[name][3], r"\A\d+ cases\Z")

    def test_operators(self):
        """An entry of a room's table that is another operator's makes an answer wrong. The suite asks few operators of few rooms."""
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            right = pool.map(lambda e: answer_of("none", e), EXCHANGES)
            mutated = pool.map(lambda e: answer_of(e.name, e), EXCHANGES)
            for exchange, (code, text), (code_of_mutant, text_of_mutant) in zip(EXCHANGES, right, mutated):
                with self.subTest(mutant=exchange.name):
                    self.assertEqual(code, exchange.code, text)
                    self.assertIn(exchange.text, text)
                    is_found = code_of_mutant != exchange.code or exchange.text not in text_of_mutant
                    self.assertTrue(is_found and code_of_mutant in WRONGLY, (code_of_mutant, text_of_mutant))

    def test_lemma_3_as_a_property(self):
        """Some of them; all with MATCHPOINT_EVERY=1."""
        for name in part(PROGRAMS, 10):
            with self.subTest(mutant=name):
                self.assertEqual(by_lemma3(name), rows(self.page, "emitter")[name][3])

    def test_no_mutant(self):
        """Without one, machine, explorations, rules and encodings all agree with what is expected."""
        self.assertEqual(tool("kill", "9", lines=["none"]), ["none -"])

    def test_encoders(self):
        """Those of the papers fail, and ours does not."""
        found = kills(tool("encoders"))
        self.assertEqual(found.pop("exact"), "-")
        self.assertEqual(found, {name: cells[0] for name, cells in rows(self.page, "encoders").items()})
        self.assertEqual(list(found), ENCODERS)

    def test_validate(self):
        for name in part(QUICKLY, 2):
            with self.subTest(mutant=name):
                found, done = validated(name)
                self.assertEqual(done.code, DISAGREES, done)
                told = rows(self.page, "asked")[name][5]
                self.assertEqual(found.rpartition(";")[0], told.rpartition(";")[0])

    def test_validate_agrees_with_no_mutant(self):
        for way in part(("explore", "check", "encode", "feasible", "run", "smt"), 1):
            with self.subTest(way=way):
                done = run("validate", "--output", "-", "--level", "2", "--cases", "10",
                           *(["--traces"] if way in OF_TRACES else []), "--", TOOL, "answer", "none", way, "{buffering}",
                           "{ctp}")
                self.assertEqual(done.code, 0, done)


def main():
    if sys.argv[1:] == ["--operators"]:
        write_operators()
        return 0
    if len(sys.argv) > 1 and sys.argv[1] in ("--update", "--validate", "--lemma3"):
        names = sys.argv[2:]
        if sys.argv[1] == "--lemma3":
            found = {name: by_lemma3(name) for name in names or PROGRAMS}
            write_emitter(found)
            survivors = [name for name, what in found.items() if not what.endswith(" cases")]
        elif sys.argv[1] == "--update":
            answers = kills(tool("kill", lines=names or [m.name for m in MUTANTS]))
            write(answers, {}, kills(tool("encoders")))
            survivors = [name for name, where in answers.items() if where == "-"]
        else:
            survivors = []
            for name in names or ASKED:
                found, done = validated(name)
                print(f"{name}: {found} [exit {done.code}]", flush=True)
                if done.code != DISAGREES:
                    survivors.append(name)
                write({}, {name: found}, {})
        print("all are found" if not survivors else f"not found: {' '.join(survivors)}")
        return 1 if survivors else 0
    return unittest.main()


if __name__ == "__main__":
    sys.exit(main())
