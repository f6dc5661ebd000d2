#!/usr/bin/env python3
"""`matchpoint rma draw`: what the pictures say is what the run does, by the schedule's own account of it."""

import json
import re
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from support import BAD_INPUT, ERROR, HOLDS, OUTPUT_FAILED, UNKNOWN, InFolder, run

FIGURE2 = "traces/rma/figure2.rma"
FIGURE2_RUN = "2 2 2 rw:2#1 rw:2#2 2"
SVG = "{http://www.w3.org/2000/svg}"
# The pictures of docs/rma.md, and what draws them.
PICTURES = {"rma_figure2.svg": [FIGURE2], "rma_lost_update.svg": ["traces/rma/lost_update_atomic_unflushed.rma"],
            "rma_flush_waits.svg": ["traces/rma/figure2_two_flushes.rma", "--schedule", "2 r:2#1 w:2#1 2 2 2 rw:2#2 2 2"]}


def programs_that_go_wrong():
    """Programs with a counterexample of at most 60 steps, and it."""
    found = []
    for path in sorted(Path("traces/rma").rglob("*.rma")):
        promise = re.search(r"^; check rma: (\w+)$", path.read_text(), re.M)
        if promise and promise[1] == "violated":
            document = json.loads(run("rma", "check", path, "--engine", "search", "--timeout", "5", "--format", "json").text)
            if document["violation"] and document["violation"]["steps"] <= 60:
                found.append((path, document["violation"]))
    return found


class Draw(InFolder):
    def svg(self, *arguments):
        result = run("rma", "draw", *arguments, "--format", "svg")
        self.assertEqual(result.code, HOLDS, result.error_text)
        self.assertNotRegex(result.text, r"[\x00-\x08\x0b-\x1f]")
        root = ElementTree.fromstring(result.text)
        for element in root.iter():
            self.assertFalse([a for a in element.attrib if a.startswith("on") or "href" in a])
        return root

    def test_figure_2(self):
        self.assertEqual(run("rma", "draw", FIGURE2).text, """\
            process 1    process 2             card
 1 2        │            ● (put Y 1 X)         ○   2#1
 2 2        │            ● (store X 3)  X = 3  ┊
 3 2        │            ● (get R Y 1)         ┊ ○ 2#2
 4 r:2#1    │            ├ X = 3 ──────────────◆ ┊
 5 w:2#1=3  ◄ Y = 3 ─────┼─────────────────────● ┊
 6 r:2#2    ├ Y = 3 ─────┼───────────────────────◆
 7 w:2#2=3  │            ◄ R = 3 ────────────────●
 8 2        │            ✗ (load r R)  r = 3
after 8 steps: (assert final (!= r 3)) does not hold
memory: Y = 3, R = 3, X = 3, r = 3
""")

    def test_the_default_is_the_counterexample(self):
        self.assertEqual(run("rma", "draw", FIGURE2).text, run("rma", "draw", FIGURE2, "--schedule", FIGURE2_RUN).text)

    def test_every_counterexample(self):
        """A row for each step, with the word of the schedule; bars and arrows for each half of each operation."""
        programs = programs_that_go_wrong()
        self.assertGreater(len(programs), 10)
        for path, violation in programs:
            with self.subTest(path=path):
                document = json.loads(run("rma", "run", path, "--schedule", violation["run"], "--format", "json").text)
                root = self.svg(path, "--schedule", violation["run"])
                rows = list(root.iter(SVG + "g"))
                self.assertEqual([re.fullmatch(r"\s*\d+  (\S+)", row.find(SVG + "text").text)[1] for row in rows],
                                 [step["word"] for step in document["steps"]])
                rules = [step["rule"] for step in document["steps"]]
                classes = [(e.get("class") or "").split(" ")[0] for e in root.iter()]
                ends = [step for step in document["steps"] if step["rule"] == "nic_a" and "(accumulate " in step["text"]]
                self.assertEqual(classes.count("pending"), rules.count("put") + rules.count("get") + rules.count("rmw"))
                self.assertEqual(classes.count("carried"), rules.count("nic_r") + rules.count("nic_a") - len(ends))
                self.assertEqual(classes.count("value"), sum(rule.startswith("nic") for rule in rules))
                self.assertGreaterEqual(classes.count("cross"), 1)
                # What cards read and wrote.
                told = [" → ".join(filter(None, re.search(r"; (?:reads )?(\S+ = [^\s;]+)(?:; \S+ = (\S+))?$", step["text"]).groups()))
                        for step in document["steps"] if step["rule"].startswith("nic")]
                self.assertEqual([e.text for e in root.iter(SVG + "text") if e.get("class") == "value halo"], told)

    def test_bars(self):
        """From the issue to the reading, and from there to the landing."""
        root = self.svg(FIGURE2)
        at = {row.get("id"): float(row.find(SVG + "text").get("y")) - 4 for row in root.iter(SVG + "g")}
        bars = [(e.get("class"), float(e.get("y")), float(e.get("y")) + float(e.get("height")))
                for e in root.iter(SVG + "rect") if e.get("class") in ("pending", "carried")]
        steps = {round(y, 1): int(name.removeprefix("step")) for name, y in at.items()}
        self.assertEqual([(kind, steps[round(a, 1)], steps[round(b, 1)]) for kind, a, b in bars],
                         [("pending", 1, 4), ("pending", 3, 6), ("carried", 4, 5), ("carried", 6, 7)])

    def test_flush_that_waits(self):
        """The bar of the process ends when what it waits for has landed; a flush that waits for nothing has none."""
        flushed = "traces/rma/figure2_two_flushes.rma"
        waits = lambda root: [e.find(SVG + "title").text for e in root.iter(SVG + "rect") if e.get("class") == "wait"]
        self.assertEqual(waits(self.svg(flushed, "--schedule", "2 r:2#1 w:2#1 2")), ["its flush waits for 2#1, (put Y 1 X)"])
        self.assertEqual(waits(self.svg(FIGURE2)), [])
        self.assertIn("process 2: its flush waits for 2#1, (put Y 1 X)\n",
                      run("rma", "draw", flushed, "--schedule", "2 r:2#1").text)

    def test_sc_has_no_cards(self):
        root = self.svg(FIGURE2, "--sc", "--schedule", "2 2 2 2")
        self.assertEqual([e for e in root.iter() if e.get("class") in ("card", "pending", "value halo")], [])

    def test_runs_that_end(self):
        program = self.write("(rma (process 1 (local (u 1)) (u := (div 1 u)) (u := (- u 1)) (u := (div 1 u)) bot)"
                             " (process 2 (local (v 0)) (assume (= v 1)) bot) (assert final true))", "program.rma")
        self.assertIn("■ (assume (= v 1))\n", run("rma", "draw", program, "--schedule", "2").text)
        self.assertIn(" 3 1  ■ (u := (div 1 u))  ", run("rma", "draw", program, "--schedule", "1 1 1").text)

    def test_narrow(self):
        """Many processes are a list."""
        processes = " ".join(f"(process {i} (shared (X{i} 0)) (store X{i} {i}) bot)" for i in range(9))
        text = run("rma", "draw", self.write(f"(rma {processes} (assert final true))", "p.rma"), "--schedule", "3 8").text
        self.assertEqual(text.split("\n")[0], " 1 3  store process 3: (store X3 3); X3 = 3")
        self.assertLessEqual(max(map(len, text.split("\n"))), 80)

    def test_long_runs(self):
        """Headers are repeated, and slots are taken again."""
        program = self.write("(rma (process 1 (shared (X 0)) bot) (process 2 (shared (Y 1)) (while true (put X 1 Y)) bot))", "p.rma")
        root = self.svg(program, "--schedule", "2 2 rw:2#1 " * 400)
        heads = [e.text for e in root.iter(SVG + "text") if e.get("class") == "title halo"]
        self.assertEqual(heads.count("process 2"), 40)
        self.assertEqual(len([e for e in root.iter(SVG + "path") if e.get("class") == "card"]), 1)

    def test_hostile_names(self):
        name = "<x>&'"
        program = self.write(f"(rma (process 1 (shared ({name} 0)) (store {name} 1) bot) (assert final (= {name} 0)))", "p.rma")
        self.assertIn(f"{name} = 1", [e.text.split("  ")[-1] for e in self.svg(program).iter(SVG + "text")])

    def test_what_does_not_apply(self):
        result = run("rma", "draw", FIGURE2, "--schedule", "2 w:2#1 2")
        self.assertEqual(result.code, ERROR)
        self.assertIn("word 2, `w:2#1`, does not apply: no write is pending", result.error_text)
        self.assertIn(" 1 2  ", result.text)
        for arguments, why in (([FIGURE2, "--schedule", "x"], "a word is a process"), ([FIGURE2, "-o", "a.png"], "say --format"),
                               (["traces/rma/figure2_flushed.rma"], "no run goes wrong: say with --schedule")):
            self.refused("rma", "draw", *arguments, saying=why)
        self.assertEqual(run("rma", "draw", FIGURE2, "-o", self.folder / "no/f.svg").code, OUTPUT_FAILED)

    def test_documentation(self):
        for name, arguments in PICTURES.items():
            drawn = run("rma", "draw", *arguments, "--format", "svg").text
            self.assertEqual(Path("docs", name).read_text(), drawn, f"matchpoint rma draw {arguments} -o docs/{name}")


if __name__ == "__main__":
    unittest.main()
