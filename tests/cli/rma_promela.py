#!/usr/bin/env python3
"""bench/rma_promela.py and bench/rma: what models look like, what is refused, and that Spin has the states of the search."""

import importlib.machinery
import importlib.util
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from support import BAD_INPUT, HOLDS, MATCHPOINT, InFolder, run

sys.path.insert(0, "bench")
import rma_promela  # noqa: E402
from measure import ANSWERED  # noqa: E402

loader = importlib.machinery.SourceFileLoader("rma_bench", "bench/rma")
bench = importlib.util.module_from_spec(importlib.util.spec_from_loader("rma_bench", loader))
sys.modules["rma_bench"] = bench
loader.exec_module(bench)

SMALL = """(rma (process 7 (shared (Y 1)) (local (b true)) (atomic (assume b) [in (b := (not b))]) bot)
  (process 2 (shared (X 2)) [put-it (put Y 7 X)] (while (> 3 2) (flush 7) (goto put-it)))
  (assert final (= Y 2)) (invariant (=> (at 7 in) b)))
"""
MODEL = """int v_Y = 1;
bool v_b = true;
int v_X = 2;
byte pc_0 = 0;
byte pc_1 = 0;
byte r_0 = 0;
byte n_0 = 0;
int w_0[1] = 0;
hidden int at;

#define CHECK assert(!(pc_0 == 3 && pc_1 == 4 && r_0 + n_0 == 0) || (v_Y == 2)); assert((!(pc_0 == 2) || v_b))

active proctype process_0() {
    do
    :: d_step { pc_0 == 0 && v_b -> pc_0 = 2; CHECK }
    :: d_step { pc_0 == 1 && v_b -> pc_0 = 2; CHECK }
    :: d_step { pc_0 == 2 -> v_b = (!v_b); pc_0 = 3; CHECK }
    od
}

active proctype process_1() {
    do
    :: d_step { pc_1 == 0 && r_0 + n_0 < 1 && !(pc_0 == 1 || pc_0 == 2) -> r_0++; pc_1 = 1; CHECK }
    :: d_step { pc_1 == 1 && (3 > 2) && !(pc_0 == 1 || pc_0 == 2) -> pc_1 = 2; CHECK }
    :: d_step { pc_1 == 1 && !(3 > 2) && !(pc_0 == 1 || pc_0 == 2) -> pc_1 = 4; CHECK }
    :: d_step { pc_1 == 2 && r_0 + n_0 == 0 && !(pc_0 == 1 || pc_0 == 2) -> pc_1 = 3; CHECK }
    :: d_step { pc_1 == 3 && !(pc_0 == 1 || pc_0 == 2) -> pc_1 = 0; CHECK }
    od
}

active proctype cards() {
    do
    :: d_step { r_0 > 0 -> r_0--; w_0[0] = v_X; n_0++; CHECK }
    :: d_step { n_0 > 0 -> v_Y = w_0[0]; w_0[0] = 0; n_0--; CHECK }
    od
}
"""


class Models(InFolder):
    def translated(self, text):
        return subprocess.run(["bench/rma_promela.py", "-"], input=text, capture_output=True, text=True, check=False)

    def test_a_model(self):
        """One step a rule; an atomic is entered with its first statement, and holds up the others."""
        done = self.translated(SMALL)
        self.assertEqual((done.returncode, done.stderr, done.stdout), (HOLDS, "", MODEL))
        path = self.write(SMALL, "small.rma")
        self.assertEqual(run("rma", "lint", path).code, HOLDS)

    def test_refused(self):
        for statement, column, saying in (("(store X (div 1 2))", 11, "`div`"), ("(store X (mod 1 X))", 11, "`mod`"),
                                          ("(store X 2147483648)", 10, "does not fit"), ("(store Z 1)", 8, "not declared")):
            done = self.translated(f"(rma (process 1 (shared (X 0))\n{statement} bot))")
            self.assertEqual((done.returncode, done.stdout), (BAD_INPUT, ""), statement)
            self.assertTrue(done.stderr.startswith(f"<stdin>:2:{column}: error: "), done.stderr)
            self.assertIn(saying, done.stderr)


class States(unittest.TestCase):
    def test_spin_has_the_same_states(self):
        """And the same verdicts as `rma check`, where K leaves nothing out."""
        seen = set()
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for program, pending, is_bare in bench.QUICK:
                text = bench.program_text(program, is_bare)
                path = folder / "program.rma"
                path.write_text(text)
                theirs = bench.by_spin(text, pending, folder, "-O0")
                self.assertEqual(theirs.outcome.status, ANSWERED)
                said = run("rma", "check", "--engine", "search", path).text
                verdict = "violated" if theirs.is_violated else "safe"
                self.assertIn(f": {verdict}\n", said, program)
                seen.add(verdict)
                explore = Path(MATCHPOINT).parents[1] / "bench/rma_explore"
                if not explore.exists():
                    continue
                ours = bench.by_search(explore, path, pending, "all", folder)
                self.assertEqual(bench.disagreement(ours, theirs), "", program)
        self.assertEqual(seen, {"violated", "safe"})


if __name__ == "__main__":
    unittest.main()
