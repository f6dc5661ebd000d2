#!/usr/bin/env python3
"""`check --bound`: what it prints, which other questions it goes with, and which programs it is for. That its answers are
right, tests/properties/context_bound_test.cpp says."""

import json
import unittest

from support import BAD_INPUT, DISAGREES, FAILURE, HOLDS, SOLVER_FAILED, UNKNOWN, InFolder, run

MUTEX, BROKEN = "traces/shared_memory/mutex.ctp", "traces/shared_memory/check_then_act.ctp"
FIGURE1 = "traces/figure1.ctp"
SHARED = "(shared [x 0]) (([c1 (x := 1)]) ([c2 (assert (= x 0))]))"


def answer(file, bound, *options):
    result = run("check", file, "--bound", str(bound), "--format", "json", *options)
    [found] = json.loads(result.text)["results"]
    return result.code, found


class ContextBound(InFolder):
    def test_lifted(self):
        """Some bound is large enough, and all larger ones say the same."""
        for solver in ("z3", "cvc5"):
            lifted = [answer(MUTEX, bound, "--solver", solver)[1].get("bound_lifted_at") for bound in range(5)]
            known = [at for at in lifted if at is not None]
            self.assertTrue(known, solver)
            for bound, at in enumerate(lifted):
                self.assertEqual(at, known[0] if bound >= known[0] else None, (solver, bound))
        code, found = answer(MUTEX, 4)
        self.assertEqual((code, found["verdict"], found["engine"]), (HOLDS, "safe", "smt (z3)"))
        self.assertIn(f"bound: lifted, since the proof for at most {found['bound_lifted_at']} context switch",
                      run("check", MUTEX, "--bound", "4").text)

    def test_not_lifted(self):
        code, found = answer(MUTEX, 0)
        self.assertEqual((code, found["verdict"], found["run"], found["engine"]), (UNKNOWN, "unknown", None, None))
        self.assertEqual([t["what"] for t in found["trouble"] if t["what"].startswith("smt")],
                         ["smt: no execution with at most 0 context switches fails; whether one with more does is not known"])

    def test_violated(self):
        """The fewest context switches, by the solver; the run is one of the machine."""
        code, found = answer(BROKEN, 9)
        self.assertEqual((code, found["verdict"]), (FAILURE, "violated"))
        switches = found["context_switches"]
        self.assertEqual(switches["least"], switches["most"])
        self.assertEqual(answer(BROKEN, switches["least"])[0], FAILURE)
        self.assertEqual(answer(BROKEN, switches["least"] - 1)[1]["verdict"], "unknown")
        self.assertEqual(run("check", BROKEN, "--bound", "9", "-o", self.folder / "witness.ctp").code, FAILURE)
        self.assertEqual(run("run", self.folder / "witness.ctp", "--trace", "1").code, FAILURE)

    def test_many(self):
        """A bound beyond 32 bits is one that is never reached."""
        self.assertEqual(answer(self.write(SHARED, "shared.ctp"), 2**63)[0], FAILURE)

    def test_no_solver(self):
        code, found = answer(MUTEX, 4, "--solver", "/nonexistent")
        self.assertEqual((code, found["verdict"], [t["kind"] for t in found["trouble"]]), (SOLVER_FAILED, "unknown", ["solver failed"]))

    def test_a_solver_that_is_wrong(self):
        """It says that no execution fails. If its core needs no bound, that is contradicted, and no bound is lifted. An empty
        core proves nothing."""
        solver = self.folder / "liar"
        for core, expected in (("(|a1 SEGMENT|)", (UNKNOWN, "unknown")), ("()", (UNKNOWN, "unknown")), ("(property)", (DISAGREES, "violated"))):
            solver.write_text("#!/bin/sh\nwhile read -r line; do case $line in\n*check-sat*) echo unsat ;;\n"
                              f"*get-unsat-core*) echo '{core}' ;;\n"
                              '*echo*) line=${line#*\\"}; echo "${line%%\\"*}" ;;\nesac; done\n')
            solver.chmod(0o755)
            with self.subTest(core):
                code, found = answer("traces/shared_memory/lost_update.ctp", 0, "--solver", solver)
                self.assertEqual((code, found["verdict"], found.get("bound_lifted_at")), (*expected, None))
                self.assertEqual("wrong answer" in [t["kind"] for t in found["trouble"]], code == DISAGREES, found["trouble"])

    def test_goes_with(self):
        for options, message in ((["--engine", "sat"], "--bound is for an SMT solver"), (["--engine", "explore"], "--bound is for an SMT solver"),
                                 (["--model", "mcm"], "--bound does not go with --model"), (["--deterministic"], "--bound does not go with --deterministic"),
                                 (["--pairs", FIGURE1], "--bound does not go with --pairs"),
                                 (["--certificate", self.folder / "c"], "--bound does not go with --certificate")):
            result = run("check", MUTEX, "--bound", "2", *options)
            self.assertEqual((result.code, result.out), (BAD_INPUT, b""), options)
            self.assertIn(message, result.error_text)
        for file in (FIGURE1, self.write("(shared [x 0]) (([c1 (barrier b)] [c2 (x := 1)]) ([c3 (barrier b)] [c4 (assert (= x 0))]))", "b.ctp")):
            result = run("check", file, "--bound", "2")
            self.assertEqual(result.code, BAD_INPUT, file)
            self.assertIn(f"{file}: --bound is for programs with shared variables", result.error_text)


if __name__ == "__main__":
    unittest.main()
