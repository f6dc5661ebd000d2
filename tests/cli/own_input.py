#!/usr/bin/env python3
"""No command replaces what it reads. Every command with an input and -o is in a table here."""

import json
import os
import re
import unittest
from pathlib import Path

from support import BAD_INPUT, HOLDS, MATCHPOINT, OUTPUT_FAILED, InFolder, run

FIGURE1 = Path("traces/figure1.ctp")
RMA = sorted(Path("traces/rma").glob("*.rma"))[0]
# Commands, with FILE for their input; what the input is; whether -o needs an ending.
COMMANDS = [("check FILE", FIGURE1), ("draw FILE --format svg", FIGURE1), ("encode FILE", FIGURE1), ("smt FILE --trace 1", FIGURE1),
            ("import isp FILE", FIGURE1), ("rma draw FILE --format svg", RMA), ("rma flushes FILE", RMA), ("mpi replay FILE -- true", FIGURE1),
            ("gen vamp FILE", FIGURE1), ("mpi record -- true FILE", FIGURE1), ("mpi verify -- true FILE", FIGURE1),
            ("mcapi replay FILE -- true", FIGURE1), ("mcapi record -- true FILE", FIGURE1)]
# What writes files, and their names.
OUTPUTS = [(f"check {FIGURE1}", "a.ctp"), ("gen hall 3", "b.ctp"), ("import tests/importers/mp/race.txt", "c.ctp"),
           ("rma flushes --everywhere traces/rma/figure2.rma", "d.rma"), (f"encode {FIGURE1}", "e.smt2"), (f"smt {FIGURE1} --trace 1", "f.smt2"),
           ("rma draw traces/rma/lost_update.rma", "g.svg"), ("rma draw traces/rma/lost_update.rma", "h.txt"),
           *((f"draw {FIGURE1}", f"i{ending}") for ending in (".txt", ".svg", ".html", ".dot", ".log", ".json", ".itf.json"))]


class OwnInput(InFolder):
    def test_table_is_complete(self):
        """Each command whose help has -o and an input is in the table."""
        names = {re.split(" FILE| --", command)[0].replace("import isp", "import").replace(" vamp", "") for command, _ in COMMANDS}
        for name in ("check", "draw", "encode", "smt", "import", "rma draw", "mpi replay", "explore", "pairs", "run", "lint", "rma run", "rma check",
                     "rma flushes", "mcapi replay", "gen", "mpi record", "mpi verify", "fmt", "step", "suite", "oracle", "rma step", "rma lint"):
            text = run(*name.split(), "--help").text
            self.assertEqual("-o,--output" in text, name in names, name)

    def test_input_stays(self):
        for command, source in COMMANDS:
            for link in (False, True):
                with self.subTest(command, link=link):
                    file = self.write(source.read_text(), "input" + source.suffix)
                    output = file
                    if link:
                        output = self.folder / "link"
                        output.unlink(missing_ok=True)
                        os.link(file, output)
                    result = self.onto(command, source, output)
                    self.assertEqual((result.code, result.text), (BAD_INPUT, ""), result.error_text)
                    self.assertIn(f"-o {output} would replace the input", result.error_text)
                    self.assertEqual(file.read_text(), source.read_text())

    def onto(self, command, source, output):
        """Runs a command of the table with -o."""
        file = self.write(source.read_text(), "input" + source.suffix)
        words = [file if w == "FILE" else w for w in command.split()]
        at = words.index("--") if "--" in words else len(words)  # options go in front of it
        return run(*words[:at], "-o", output, *words[at:])

    def test_what_is_no_output_stays(self):
        """To name a file by somebody else is a mistake, and so is a read-only one."""
        program = FIGURE1.read_text()
        others = [("Makefile", "all:\n", 0o644), ("mw.c", "int main() {}\n", 0o644), ("mw", "#!/bin/sh\n", 0o755), ("README.md", "# Notes\n", 0o644),
                  ("times.csv", "trace,steps\n", 0o644), ("notes", "1. run it\n", 0o644), ("page.html", "<!DOCTYPE html>\n<title>Mine</title>\n", 0o644),
                  ("drawn.svg", "<?xml version='1.0'?>\n<svg/>\n", 0o644), ("blank", "\n", 0o644), ("hand.ctp", program, 0o644),
                  ("bare.ctp", program[program.index("("):], 0o644), ("edited.ctp", "; mine now\n; A recorded run of: ./mw\n" + program, 0o644),
                  ("read_only.ctp", "", 0o444)]
        every_kind = [c for c in COMMANDS if c[0].split()[0] in ("check", "encode", "draw")]
        for (name, text, mode), commands in zip(others, (COMMANDS, *len(others) * (every_kind,))):
            for command, source in commands:
                with self.subTest(command, name=name):
                    output = self.write(text, name)
                    output.chmod(mode)
                    result = self.onto(command, source, output)
                    self.assertEqual((result.code, result.text), (OUTPUT_FAILED, ""), result.error_text)
                    self.assertIn(f"cannot replace {output}: it", result.error_text)
                    self.assertIn("\n  = hint: remove it first, or choose another name\n", result.error_text)
                    self.assertEqual((output.read_text(), output.stat().st_mode & 0o777), (text, mode))
                    output.unlink()

    def test_own_output_is_replaced(self):
        for command, name in OUTPUTS:
            with self.subTest(command, name=name):
                words = [*command.split(), "-o", self.write("", name)]  # an empty file is nobody's
                run(*words)
                text = (self.folder / name).read_text()
                self.assertNotEqual(text, "")
                self.assertNotIn("cannot replace", run(*words).error_text)
                self.assertEqual((self.folder / name).read_text(), text)

    def test_only_the_same_kind_is_replaced(self):
        kinds = [f"check {FIGURE1}", f"encode {FIGURE1}", f"draw {FIGURE1} --format svg"]
        for there in kinds:
            for command in kinds:
                with self.subTest(there=there, command=command):
                    file = self.write("", "output")
                    run(*there.split(), "-o", file)
                    before = file.read_text()
                    self.assertEqual("cannot replace" in run(*command.split(), "-o", file).error_text, command != there)
                    self.assertEqual(file.read_text(), before)

    def test_only_reports_for_junit_are_replaced(self):
        """Before anything is asked, and also if the report is named by another option than -o."""
        words = ["validate", "--level", "0", "--cases", "0", "--corpus", FIGURE1, "-o", "-", "--junit"]
        for text in ("all:\n", "<?xml version='1.0'?>\n<svg/>\n"):
            other = self.write(text, "other")
            result = run(*words, other, "--", "exact")
            self.assertEqual((result.code, result.text, other.read_text()), (OUTPUT_FAILED, "", text))
            self.assertIn(f"cannot replace {other}: it does not begin as a JUnit report does", result.error_text)
        report = self.write("", "report.xml")
        for _ in range(2):
            self.assertEqual(run(*words, report, "--", "exact").code, HOLDS)
            self.assertIn("<testsuite ", report.read_text())

    def test_recordings_are_replaced(self):
        for comment in ("A recorded run of: ./mw", "A recorded run.", "From a recorded run of: ./mw", "Run 3 of: ./mw"):
            recorded = self.write(f"; {comment}\n" + FIGURE1.read_text(), "run.ctp")
            self.assertEqual(run("gen", "hall", "3", "-o", recorded).code, HOLDS, comment)
            self.assertNotIn(comment, recorded.read_text())

    def test_part_of_the_input_stays(self):
        """A file in a folder that is read is an input, too; one beside them may be replaced."""
        folder = self.folder / "ranks"
        folder.mkdir()
        rank, other = folder / "0.mpirec", folder / "run.ctp"
        for file in (rank, other):
            file.write_text("no recording")
        result = run("mpi", "merge", folder, "-o", rank)
        self.assertEqual((result.code, f"-o {rank} would replace the input" in result.error_text), (BAD_INPUT, True), result.error_text)
        self.assertNotIn("would replace", run("mpi", "merge", folder, "-o", other).error_text)
        self.assertEqual((rank.read_text(), other.read_text()), ("no recording", "no recording"))

    def test_no_page_is_the_input(self):
        """A picture of several pages has names of its own, which -o does not say."""
        file = self.write(run("gen", "scaling", "60", "--trace").text, "run-1.svg")
        before = file.read_text()
        result = run("draw", file, "--paper", "a4", "-o", self.folder / "run.svg")
        self.assertEqual((result.code, os.listdir(self.folder)), (BAD_INPUT, ["run-1.svg"]), result.error_text)
        self.assertIn(f"page 1 would replace the input: it is {file}", result.error_text)
        self.assertEqual(file.read_text(), before)

    def test_corpus_stays(self):
        """What `validate` asks about is no report, no state, and none of the findings that it removes."""
        finding = self.folder / "findings/001-unsound-infinite"
        finding.mkdir(parents=True)
        program = finding / "smallest.ctp"
        program.write_text(FIGURE1.read_text())
        elsewhere = self.folder / "other"
        asked = ["validate", "--level", "0", "--cases", "0", "--corpus"]
        for corpus, options, saying in (
                (program, ["-o", self.folder / "findings"], "would replace the input"), (finding, ["-o", self.folder / "findings"], "would replace"),
                (self.folder / "findings", ["-o", self.folder / "findings"], "would replace the input"),
                (program, ["-o", elsewhere, "--junit", program], f"--junit {program} would replace the input"),
                (finding, ["-o", elsewhere, "--junit", program], f"--junit {program} would replace the input"),
                (program, ["-o", elsewhere, "--state", program], "is not the state of this campaign")):
            with self.subTest(options=options, corpus=corpus):
                result = run(*asked, corpus, *options, "--", "exact")
                self.assertEqual((result.code, result.text), (BAD_INPUT, ""), result.error_text)
                self.assertIn(saying, result.error_text)
                self.assertEqual(program.read_text(), FIGURE1.read_text())
        result = run(*asked, program, "-o", "-", "--junit", finding / "report.xml", "--", "exact")
        self.assertEqual((result.code, (finding / "report.xml").exists()), (HOLDS, True), result.error_text)


class OtherFiles(InFolder):
    """An option that names no output in the first place replaces nothing that it has not written."""

    def test_states(self):
        for command in (["rma", "flushes", RMA], ["validate", "--level", "0", "--cases", "1", "-o", "-"]):
            for text in ("notes", "", "{}", json.dumps({"identity": {}, "result": {}})):
                with self.subTest(command, text=text):
                    file = self.write(text, "state.json")
                    result = run(*command, "--state", file, *(["--", "exact"] if "validate" in command else []))
                    self.assertEqual((result.code, result.text), (BAD_INPUT, ""), result.error_text)
                    self.assertIn(f"{file} is not the state of this", result.error_text)
                    self.assertEqual(file.read_text(), text)

    def below(self, folder):
        """A file with notes in a new folder."""
        (self.folder / folder).mkdir(parents=True)
        return self.write("notes", folder + "/notes.txt")

    def test_folders(self):
        """A folder with other files in it, and a file in the place of a folder."""
        file = self.below("folder")
        for command in (["check", FIGURE1, "--certificate"], ["suite"], ["mcapi", "record", "--keep"]):
            for path in (file.parent, file):
                with self.subTest(command, path=path):
                    result = run(*command, path, *(["--", "true"] if "--keep" in command else []))
                    self.assertEqual((result.code, result.text), (BAD_INPUT, ""), result.error_text)
                    self.assertRegex(result.error_text, "exists already, and is not an empty folder|has to be an empty folder")
                    self.assertEqual((file.read_text(), os.listdir(file.parent)), ("notes", ["notes.txt"]))

    def test_findings_of_somebody_else_stay(self):
        file = self.below("findings")
        ours = self.below("findings/001-unsound-infinite")
        result = run("validate", "--level", "0", "--cases", "2", "-o", self.folder / "findings", "--", "exact")
        self.assertEqual((result.code, file.read_text(), ours.read_text()), (HOLDS, "notes", "notes"), result.error_text)

    def test_sessions(self):
        """`save` adds a trace to the program's own file, and replaces nothing else."""
        file, rma, other = self.write(FIGURE1.read_text(), "own.ctp"), self.write(RMA.read_text(), "own.rma"), self.write("notes", "other")
        for command, saved in ((["step", file], ("trace", "session")), (["rma", "step", rma], ("schedule", "session"))):
            for what in saved:
                for name in (other, command[-1]):
                    with self.subTest(command, what=what, name=name):
                        if (what, name) == ("trace", file):
                            continue
                        before = name.read_text()
                        result = run(*command, stdin=f"save {what} {name}\nquit\n".encode())
                        self.assertIn("exists: choose another name", result.text + result.error_text)
                        self.assertEqual(name.read_text(), before)


if __name__ == "__main__":
    unittest.main()
