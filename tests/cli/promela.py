#!/usr/bin/env python3
"""bench/promela.py and bench/spin: what models look like, what is refused, and that Spin says of them what `check` says."""

import importlib.machinery
import importlib.util
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from support import BAD_INPUT, HOLDS, MATCHPOINT, InFolder, run

sys.path.insert(0, "bench")
import promela  # noqa: E402
from measure import ANSWERED  # noqa: E402

loader = importlib.machinery.SourceFileLoader("spin", "bench/spin")
spin = importlib.util.module_from_spec(importlib.util.spec_from_loader("spin", loader))
sys.modules["spin"] = spin
loader.exec_module(spin)

SWAP = """(shared [x 1] [y true] [z 2])
( ( [00 (assume (> x 0) (x := z) (z := x))] [01 (when (and y (!= x z)) (t := x))] [02 (assert (=> y (= t 2)))] bot )
  ( [10 (y := (xor y true))] [11 (x := 3)] bot )
  ( ) )
"""
MODEL = """int s_x = 1;
bool s_y = true;
hidden int tmp_0;
hidden int tmp_1;

active proctype thread_0() {
    int l_z = 2;
    int l_t = 0;
    d_step { (s_x > 0); tmp_0 = l_z; tmp_1 = s_x; s_x = tmp_0; l_z = tmp_1 };
    d_step { (s_y && (s_x != l_z)); l_t = s_x };
    assert((!s_y || (l_t == 2)));
}

active proctype thread_1() {
    s_y = (s_y != true);
    s_x = 3;
}
"""


class Models(InFolder):
    def translated(self, text):
        return subprocess.run(["bench/promela.py", "-"], input=text, capture_output=True, text=True, check=False)

    def test_a_model(self):
        """One process a thread, one step a command, all right-hand sides of a step in the state before."""
        done = self.translated(SWAP)
        self.assertEqual((done.returncode, done.stderr, done.stdout), (HOLDS, "", MODEL))
        path = self.write(SWAP, "swap.ctp")
        self.assertEqual(run("lint", "--strict", path).code, HOLDS)
        self.assertEqual(subprocess.run(["bench/promela.py", path], capture_output=True, text=True, check=True).stdout, MODEL)

    def test_messages(self):
        """A wait completes what earlier waits have left; messages come from any channel."""
        model = promela.translate("""
            (([0 (rcvi R0 0 x)] [1 (rcvi R1 0 y)] [2 (rcvi R2 0 z)] [3 (wait R1)] [4 (wait R0)] [5 (wait R2)])
             ([6 (sndi S0 1 0 (+ 1 2))] [7 (sndi S1 1 0 4)]) ([8 (sndi S2 2 0 5)] [9 (wait S2)]) ([a (rcvi R3 3 x)] [b (wait R3)]))
            """).text
        self.assertIn("chan c_1_to_0 = [2] of { int };\nchan c_2_to_0 = [1] of { int };\n", model)
        either = "if :: c_1_to_0?l_{0} :: c_2_to_0?l_{0} fi"
        self.assertIn(f"    atomic {{ (len(c_1_to_0) + len(c_2_to_0) >= 2); {either.format('x')}; {either.format('y')} }};\n"
                      f"    true;\n    {either.format('z')};\n", model)
        self.assertIn("    c_1_to_0!(1 + 2);\n    c_1_to_0!4;\n", model)
        self.assertIn("    true;\n    false;\n", model)  # nobody sends to endpoint 3

    def test_names(self):
        """Names that Promela cannot have stay different."""
        model = promela.translate("(shared [a.b 0] [a-b 0]) (([0 (a.b := a-b)]) ([1 (a-b := a.b)] [2 (active := 1)]))")
        self.assertIn("s_a_b = s_a_b_2;", model.text)
        self.assertIn("int l_active = 0;", model.text)

    def test_refused(self):
        for text, place, saying in (
            ("(([0 (rcvi R 0 x (tag 1))] [1 (wait R)]))", "1:6", "`rcvi`: models have no selectors"),
            ("(([0 (sndi R 0 1 (+ 1 2) (tag 1))]))", "1:6", "`sndi`: models have no selectors"),
            ("(([0 (ssndi R 0 1 2)]))", "1:6", "`ssndi`: models have no selectors"),
            ("(([0 (barrier b)]))", "1:6", "`barrier`: models have no selectors"),
            ("(shared [x 0])\n(([0 (x := (+ 1 (div x 2)))]))", "2:18", "`div`"),
            ("(shared [x 2147483648]) ()", "1:12", "2147483648 does not fit"),
            ("(([0 (assert true)])", "1:1", "not closed"),
            ("(([0 (assert true)])))", "1:22", "closes nothing"),
            ("; {\n{", "2:1", "no part of the language"),
        ):
            done = self.translated(text)
            self.assertEqual((done.returncode, done.stdout), (BAD_INPUT, ""))
            self.assertTrue(done.stderr.startswith(f"<stdin>:{place}: error: "), done.stderr)
            self.assertIn(saying, done.stderr)
        missing = subprocess.run(["bench/promela.py", self.folder / "no.ctp"], capture_output=True, text=True, check=False)
        self.assertEqual(missing.returncode, BAD_INPUT)
        self.assertIn("no.ctp", missing.stderr)


class Verdicts(unittest.TestCase):
    def agree(self, gen):
        """Whether something is violated, and deadlocks as far as the model shows them. Returns what there is."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            program = folder / "program.ctp"
            self.assertEqual(run("gen", *gen.split(), "-o", program).code, HOLDS)
            theirs, ours = spin.by_spin(program, folder, "-O0"), spin.by_check(MATCHPOINT, program, folder)
            self.assertEqual((theirs.outcome.status, ours.outcome.status), (ANSWERED, ANSWERED), gen)
            self.assertEqual(spin.disagreement(theirs, ours), "", gen)
            return {"violated" if theirs.is_violated else "not violated"} | ({"deadlock"} if theirs.has_deadlock else set())

    def test_families(self):
        seen = set().union(*map(self.agree, spin.QUICK))
        self.assertEqual(seen, {"violated", "not violated", "deadlock"})

    def test_random_programs(self):
        knobs = "--divisions 0 --booleans 50 --assumptions 40"
        seen = set().union(*(self.agree(f"random {i} 6 3 {knobs} --shared {50 + 50 * (i % 2)}") for i in range(1, 7)))
        self.assertLessEqual({"violated", "not violated"}, seen)


if __name__ == "__main__":
    unittest.main()
