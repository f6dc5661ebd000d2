#!/usr/bin/env python3
"""`run --format latex` and `draw --format tikz`: LaTeX takes them, and prints what the other formats say."""

import json
import re
import subprocess
import unittest
from pathlib import Path

from support import BAD_INPUT, ERROR, FAILURE, HOLDS, UNKNOWN, InFolder, program, run

FIGURES = ["traces/figure1.ctp", "traces/figure11.ctp", "traces/figure12.ctp", "traces/figure16.ctp"]
OTHERS = ["traces/figure4_small.ctp", "traces/stuck_division_by_zero.ctp", "traces/stuck_trace_used_up.ctp", "traces/stuck_unknown_location.ctp",
          "traces/status_failure_keeps_running.ctp", "traces/orphans_in_transit.ctp", "traces/orphans_delivered.ctp",
          "traces/endpoints_message_to_oneself.ctp", "traces/barrier_straight.ctp", "traces/places.ctp", "traces/syntax_odd_names.ctp",
          "traces/syntax_empty_program.ctp", "traces/shared_memory/account.ctp", "traces/shared_memory/lost_update.ctp",
          "traces/selectors_master_and_workers.ctp", "traces/movement_half_done.ctp"]
# What LaTeX does not print as it is, in names.
SPECIAL = ["a#b", "50%", "x_1", "y^2", "~z", "back\\slash", "$m$", "a&b", "<<o>>", "|v|", "it's", "`t`", "--d---", "??q!`"]

PREAMBLE = r"""\documentclass{article}
\usepackage[paperwidth=300cm,paperheight=550cm,margin=1cm]{geometry}
\usepackage{tikz,booktabs,longtable}
\usetikzlibrary{arrows.meta}
\pagestyle{empty}
\begin{document}
"""


class Latex(InFolder):
    def pages(self, *bodies):
        """The text of each page that pdflatex makes."""
        (self.folder / "paper.tex").write_text(PREAMBLE + "\n\\clearpage\n".join("\\noindent\n" + b for b in bodies) + "\\end{document}\n")
        made = subprocess.run(["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "paper.tex"], cwd=self.folder,
                              capture_output=True, text=True, errors="replace", check=False)
        self.assertEqual(made.returncode, 0, made.stdout[-2000:])
        self.assertNotIn("Missing character", made.stdout)
        text = subprocess.run(["pdftotext", "-raw", "paper.pdf", "-"], cwd=self.folder, capture_output=True, text=True, check=True).stdout
        pages = text.split("\f")[:-1]
        self.assertEqual(len(pages), len(bodies))
        return pages

    def tables(self, file, *options):
        return run("run", file, "--format", "latex", *options).text

    def picture(self, file, *options):
        return run("draw", file, "--format", "tikz", *options).text

    def test_figures(self):
        """Each entry of the trace is a row: its location, its command, its movements and its rules."""
        runs = [(file, t) for file in FIGURES for t in json.loads(run("run", file, "--format", "json").text)["traces"]]
        bodies = [make(file, "--trace", str(t["trace"])) for file, t in runs for make in (self.tables, self.picture)]
        pages = self.pages(*bodies)
        for (file, trace), page, drawn in zip(runs, pages[::2], pages[1::2]):
            with self.subTest(file=file, trace=trace["trace"]):
                steps = run("run", file, "--trace", str(trace["trace"]), "--steps").text
                commands = re.findall(r"^ +(\d+) (\S+)  thread (\d+): \((.*)\)$", steps, re.MULTILINE)
                told = re.split(r"^ +\d+ \S+  thread .*$", steps, flags=re.MULTILINE)[1:]
                rows = [row.replace("\n", " ") for row in re.split(r"^(?=\d+ \S+ \d+ )", page, flags=re.MULTILINE)[1:]]
                self.assertTrue(commands)
                self.assertEqual(len(rows), len(commands))
                for row, (entry, rho, thread, command), rules in zip(rows, commands, told):
                    self.assertTrue(row.startswith(f"{entry} {rho} {thread} {command}"), (row, command))
                    self.assertIn(command, drawn)
                    if "stuck" in row:
                        self.assertIn(re.search(r"rule ([A-Z() -]+):", steps)[1].lower() + " stuck", row.lower())
                        continue
                    for name in re.findall(r"[A-Z][A-Z() -]+COMMAND|PROCESS QUEUE MOVEMENT", rules):
                        self.assertIn(name.lower(), row.lower())
                    moved = re.findall(r"PROCESS QUEUE MOVEMENT +(\(\d+ \d+\))", rules)
                    self.assertIn("".join(moved) if moved else "⊥", row)
                for said in (page, drawn):
                    self.assertIn(f"s = {trace['status']}", said)

    def test_every_way_to_end(self):
        """False assertions, stuck runs, messages that nobody receives, locks, waits, places, no commands at all."""
        drawn = [self.picture(file, "--buffering", buffering) for file in OTHERS for buffering in ("infinite", "zero")]
        tables = []
        for file in OTHERS:
            text = self.tables(file)
            tables += re.findall(r"\\begin\{tabular\}.*?\\end\{tabular\}", text, re.DOTALL)
            traces = json.loads(run("run", file, "--format", "json").text)["traces"]
            self.assertEqual(re.findall(r"s = \\mathrm\{(\w+)\}", text),
                             ["success" if t["status"] == "deadlock" else t["status"] for t in traces], file)
        self.pages(*drawn, *tables)

    def test_special_characters(self):
        """Names are printed as they are."""
        file = self.write(program([(f"r{i}", f"(x{name} := {i})") for i, name in enumerate(SPECIAL)],
                                  traces=[[f"r{i}" for i in range(len(SPECIAL))]]))
        for page in self.pages(self.tables(file), self.picture(file)):
            said = page.replace("’", "'").replace("‘", "`")
            for i, name in enumerate(SPECIAL):
                self.assertIn(f"x{name} := {i}", said)

    def test_long_runs(self):
        """A table over several pages, and a picture of 10,000 rows: TeX has no longer lengths than 5.7 m."""
        def counted(n):
            return self.write(program([(f"r{i}", f"(x := {i})") for i in range(n)], traces=[[f"r{i}" for i in range(n)]]), f"{n}.ctp")
        self.assertIn("\\begin{longtable}", self.tables(counted(51)))
        self.assertIn("\\begin{tabular}", self.tables(counted(50)))
        self.assertIn("199 r199 0 x := 199", self.pages(self.tables(counted(200)))[0])
        drawn = self.picture(counted(10_000))
        height = float(re.search(r"y=-([\d.]+)mm", drawn)[1])
        self.assertLess(height * max(float(y) for y in re.findall(r",([\d.]+)\)", drawn)), 5700)

    def test_limit(self):
        squares = [("00", "(x := 2)")] + [(f"q{i}", "(x := (* x x))") for i in range(30)]
        result = run("run", self.write(program(squares, traces=[[rho for rho, _ in squares]])), "--format", "latex")
        self.assertEqual(result.code, UNKNOWN)
        self.assertIn("\\emph{unfinished}", result.text)
        self.pages(result.text)

    def test_page(self):
        """Each command of docs/from_the_papers.md that has a file of ours prints something."""
        commands = re.findall(r"`matchpoint (.*? traces/.*?)`", Path("docs/from_the_papers.md").read_text())
        self.assertGreater(len(commands), 10)
        for words in commands:
            result = run(*words.split())
            self.assertIn(result.code, (HOLDS, FAILURE, ERROR, UNKNOWN), words)
            self.assertTrue(result.text and not result.error_text, words)

    def test_usage(self):
        self.assertEqual(run("run", FIGURES[0], "--format", "latex", "--steps").code, BAD_INPUT)
        self.assertEqual(run("draw", FIGURES[0], "--format", "tikz", "--beside", "2").code, BAD_INPUT)
        out = self.folder / "figure.tex"
        self.assertEqual(run("draw", FIGURES[0], "--trace", "2", "-o", out).code, HOLDS)
        self.assertEqual(out.read_text(), self.picture(FIGURES[0], "--trace", "2"))


if __name__ == "__main__":
    unittest.main()
