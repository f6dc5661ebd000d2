#!/usr/bin/env python3
"""The commands about all executions, from outside: arguments, files, witnesses, limits, and solvers that misbehave."""

import itertools
import json
import os
import re
import signal
import stat
import subprocess
import time
import unittest
from pathlib import Path

from support import (BAD_INPUT, DEADLOCK, DISAGREES, ERROR, FAILURE, HOLDS, INFEASIBLE, MATCHPOINT, OUTPUT_FAILED,
                     SOLVER_FAILED, UNKNOWN, InFolder, is_running, long_test, program, reports_closed_standard_output,
                     run, unwrapped, within)

FIGURE1 = "traces/figure1.ctp"
FAKE = Path(os.environ.get("MATCHPOINT_FAKE_SOLVER", Path(MATCHPOINT).parents[1] / "tests/fake_solver")).resolve()

SAFE = program([("00", "(assert true)")])
VIOLATED = program([("00", "(assert false)")])
VACUOUS = program([("00", "(assume false)")])
STUCK = program([("00", "(rcvi r 0 x)"), ("01", "(wait r)")])
FAULT = program([("00", "(x := (div 1 0))")])
# The race decides between a run that breaks the assumption and one that waits forever.
VACUOUS_AND_STUCK = program([("00", "(rcvi r1 0 x)"), ("01", "(wait r1)"), ("02", "(assume (= x 1))"), ("03", "(rcvi r2 0 y)"),
                             ("04", "(rcvi r3 0 z)"), ("05", "(wait r3)")],
                            *([(f"{k}0", f"(sndi s{k} {k} 0 {k})")] for k in (1, 2)))
# The race decides between a failure, a run that breaks the assumption, and a success.
THREE = program([("00", "(rcvi r1 0 x)"), ("01", "(rcvi r2 0 y)"), ("02", "(rcvi r3 0 z)"), ("03", "(wait r3)"),
                 ("04", "(assume (!= x 1))"), ("05", "(assert (!= x 2))")],
                *([(f"{k}0", f"(sndi s{k} {k} 0 {k})")] for k in (1, 2, 3)))

# One program for each rule of the discipline, and the place it is broken at.
UNDISCIPLINED = {
    "D1": ("( ( [0 (sndi s 1 2 5)] )\n  ( [1 (sndi t 1 2 5)] ) )", 2),
    "D2": ("( ( [0 (rcvi r 0 x)] [1 (wait r)]\n    [2 (wait r)] ) ( [3 (sndi s 1 0 5)] ) )", 2),
    "D3": ("( ( [0 (x := 1)]\n\n  [1 (rcvi r 0 x)] ) )", 3),
    "D4": ("( ( [0 (x := 1)] )\n  ( [1 (x := 2)] ) )", 2),
    "D5": ("( (\n [0 (assert x)] ) )", 2),
    "D6": ("( ( [0 (x := 1)]\n [1 (assert (+ x 1))] ) )", 2),
}


def race(n, bound):
    """n messages of as many threads; the first one received has to be at most `bound`."""
    receives = [(f"r{i}", f"(rcvi R{i} 0 x{i})") for i in range(n)]
    return program(receives + [("w", f"(wait R{n - 1})"), ("a", f"(assert (<= x0 {bound}))")],
                   *([(f"s{i}", f"(sndi S{i} {i} 0 {i})")] for i in range(1, n + 1)))


def last_first(n, *others):
    """n messages, received in all orders; only the descending one fails. There is a divisor, which is never zero. The others
    are more threads."""
    receives = [(f"r{i}", f"(rcvi R{i} 0 x{i})") for i in range(n)]
    condition = f"(= x0 {n})"
    for i in range(1, n):
        condition = f"(and {condition} (= x{i} {n - i}))"
    return program(receives + [("w", f"(wait R{n - 1})"), ("d", "(q := (div 1 x0))"), ("a", f"(assert (not {condition}))")],
                   *([(f"s{i}", f"(sndi S{i} {i} 0 {i})")] for i in range(1, n + 1)), *others)


def hard(n):
    """Sums of n values, each of which may come in any order: no engine decides it soon."""
    receives = [(f"r{i}", f"(rcvi R{i} 0 x{i})") for i in range(n)]
    weighted = "0"
    for i in range(n):
        weighted = f"(+ {weighted} (* {2 * i + 1} (* x{i} x{i})))"
    return program(receives + [("w", f"(wait R{n - 1})"), ("a", f"(assert (!= {weighted} {7 ** n + 2}))")],
                   *([(f"s{i}", f"(sndi S{i} {i} 0 {3 * i * i})")] for i in range(1, n + 1)))


class Arguments(InFolder):
    def test_files(self):
        for command in ("check", "explore", "pairs", "encode"):
            self.refused(command, saying="FILE")
            self.refused(command, FIGURE1, "--frobnicate", saying="--frobnicate")
            self.refused(command, "missing.ctp", saying="cannot read missing.ctp: No such file or directory")
        for command in ("explore", "pairs", "encode"):
            self.refused(command, FIGURE1, FIGURE1)

    def test_choices(self):
        for command, option, words in (("check", "--buffering", "any|both|infinite|zero"),
                                       ("check", "--engine", "auto|explore|sat|smt"), ("check", "--format", "json|sarif|text"),
                                       ("explore", "--buffering", "infinite|zero"),
                                       ("pairs", "--method", "exact|overapprox|overapprox-all-sends|tight"),
                                       ("encode", "--encoding", "exact|fusion|fusion-bounded|fusion-mcm|order-based|schedule|section5|section5-zero|short-paper"),
                                       ("encode", "--asked", "any|failure|success")):
            for word in ("some", "", "Zero"):
                self.refused(command, FIGURE1, option, word, saying=f"`{word}` is not one of {words}")

    def test_numbers(self):
        for command in ("check", "explore", "pairs", "encode"):
            for word in ("0", "-1", "abc", "", "1.5", "1e3", "9" * 30):
                self.refused(command, FIGURE1, "--limit", word, saying="--limit")
        self.refused("check", FIGURE1, "--memory", "0", saying="--memory")
        for word in ("0", "-1", "abc", "", "nan", "inf", "1e10"):
            self.refused("check", FIGURE1, "--timeout", word, saying="--timeout")

    def test_solvers(self):
        for solver, why in (("", "a command without words"), ("  ", "a command without words"),
                            ("'z3", "the quote ' is not closed")):
            self.refused("check", FIGURE1, "--solver", solver, saying=f"--solver: {why}")

    def test_what_does_not_go_together(self):
        out = self.folder / "out"
        self.refused("check", FIGURE1, FIGURE1, "-o", out, saying="-o is for one program under one buffering")
        self.refused("check", FIGURE1, "--buffering", "both", "-o", out, saying="-o is for one program")
        for option in (["--refine"], ["--solver", "z3"], ["--solver", ""], ["--refine", "--solver", "cvc5"]):
            for engine in ("explore", "sat"):
                self.refused("check", FIGURE1, "--engine", engine, *option,
                             saying=f"{option[0]} is for an SMT solver, and --engine {engine} asks none")
        for encoding, buffering, other in (("section5", "infinite", "zero"), ("section5-zero", "zero", "infinite"),
                                           ("short-paper", "infinite", "zero"), ("order-based", "zero", "infinite")):
            arguments = ("encode", FIGURE1, "--encoding", encoding, "--buffering")
            self.refused(*arguments, other, saying=f"--encoding {encoding} is for {buffering} buffering")
            self.refused(*arguments, buffering, "--asked", "any", saying="asks for a failure")
            self.refused(*arguments, buffering, "--no-order", saying="with the order")
        self.assertEqual(os.listdir(self.folder), [])

    def test_control_characters_in_arguments(self):
        evil = "\x1b[31m\u202e"
        for arguments in (["check", evil], ["check", FIGURE1, "--engine", evil], ["check", FIGURE1, "--limit", evil],
                          ["pairs", FIGURE1, "--method", evil], ["encode", evil]):
            self.refused(*arguments)


class Files(InFolder):
    def test_discipline(self):
        for rule, (text, line) in UNDISCIPLINED.items():
            path = self.write(text)
            for command in ("check", "explore", "pairs", "encode"):
                with self.subTest(rule=rule, command=command):
                    result = run(command, path)
                    self.assertEqual((result.code, result.out), (BAD_INPUT, b""))
                    self.assertRegex(result.error_text, rf"\A{re.escape(str(path))}:{line}:\d+: error\[{rule}\]: ")

    def test_bad_programs(self):
        for text, rule in (("", "syntax"), ("(", "syntax"), ("(([0 (wait a)]))", "S3"), (b"\xff", "syntax")):
            path = self.write(text)
            for command in ("check", "explore", "pairs", "encode"):
                result = run(command, path)
                self.assertEqual((result.code, result.out), (BAD_INPUT, b""))
                self.assertIn(f"error[{rule}]", result.error_text)

    def test_standard_input(self):
        text = Path(FIGURE1).read_bytes()
        for command in (["check"], ["explore"], ["pairs", "--why"], ["encode"], ["check", "--format", "json"]):
            from_file, given = run(*command, FIGURE1), run(*command, "-", stdin=text)
            self.assertEqual((given.code, given.err), (from_file.code, from_file.err))
            self.assertEqual(given.text.replace("<stdin>", FIGURE1), from_file.text)

    def test_standard_input_closed(self):
        self.refused("check", "-", saying="cannot read <stdin>: Bad file descriptor", preexec_fn=lambda: os.close(0))

    def test_hostile_names(self):
        """Nothing that could disturb a terminal gets there raw; JSON has it whole."""
        text = ("( ( [l\x1bc (rcvi r\x00 0 x\x85)] [w\u202e (wait r\x00)] [a\x07 (assert (= x\x85 1))] )"
                "  ( [\ufeffs (sndi \x1bS 1 0 1)] [t\u2028 (sndi T\x9b 2 0 2)] ) )")
        path = self.write(text, "p\x1bc.ctp")
        for command, code in ((["check"], FAILURE), (["check", "--engine", "smt"], FAILURE), (["explore"], FAILURE),
                              (["check", "--buffering", "zero"], FAILURE), (["pairs"], HOLDS), (["encode"], HOLDS),
                              (["pairs", "--why", "--method", "overapprox"], HOLDS)):
            result = run(*command, path)
            self.assertEqual(result.code, code)
            self.assertNotRegex(result.text + result.error_text, "[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u202e\ufeff]")
        report = json.loads(run("check", path, "--format", "json").text)["results"][0]
        self.assertEqual({match["receive"] for match in report["run"]["matches"]}, {"r\x00"})
        self.assertIn("(l\x1bc bot)", report["run"]["trace"])
        self.assertEqual(report["file"], str(path))

    def test_long_names(self):
        name = "n" * 100_000
        path = self.write(program([("00", f"(rcvi {name} 0 x)"), ("01", f"(wait {name})"), ("02", "(assert (= x 1))")],
                                  [("10", "(sndi s 1 0 2)")]))
        result = run("pairs", path)
        self.assertEqual(result.code, HOLDS)
        self.assertLess(len(result.out), 1000)
        self.assertEqual(run("check", path, "--engine", "smt").code, FAILURE)

    def test_several_files(self):
        """Every file is looked at, whatever is wrong with the others, and the worst exit code counts."""
        paths = {code: self.write(text, f"{code}.ctp")
                 for text, code in ((SAFE, HOLDS), (VIOLATED, FAILURE), (VACUOUS, INFEASIBLE), (STUCK, DEADLOCK),
                                    (FAULT, ERROR), ("(", BAD_INPUT))}
        from_worst_to_best = [FAILURE, BAD_INPUT, DEADLOCK, ERROR, INFEASIBLE, HOLDS]
        for code, path in paths.items():
            self.assertEqual(run("check", path).code, code)
        for i, worse in enumerate(from_worst_to_best):
            for better in from_worst_to_best[i:]:
                for pair in ((worse, better), (better, worse)):
                    result = run("check", *(paths[code] for code in pair))
                    self.assertEqual(result.code, worse, pair)
                    for code in pair:
                        out = result.text if code != BAD_INPUT else result.error_text
                        self.assertIn(f"{paths[code]}:", out)
        report = run("check", *paths.values(), "--format", "json")
        self.assertEqual(report.code, FAILURE)
        self.assertEqual([r["verdict"] for r in json.loads(report.text)["results"]],
                         ["safe", "violated", "vacuous", "vacuous", "vacuous"])

    def test_both_bufferings(self):
        result = run("check", FIGURE1, "--buffering", "both")
        self.assertEqual(result.code, FAILURE)
        self.assertEqual(re.findall(r"^traces/figure1.ctp: (\w+) \((\w+) buffering\)", result.text, re.MULTILINE),
                         [("violated", "infinite"), ("safe", "zero")])


class AnyBuffering(InFolder):
    MIXED = "traces/buffering_mixed.ctp"
    HEAD_TO_HEAD = "traces/buffering_head_to_head.ctp"

    def deadlock(self, path, *options):
        result = run("check", path, "--buffering", "any", "--format", "json", *options)
        [told] = json.loads(result.text)["results"]
        self.assertEqual(told["buffering"], "any")
        return told["deadlock"], result.code

    def test_who_refuses(self):
        """One library deadlocks; the send that it has to refuse is named, with its command."""
        for buffering in ("infinite", "zero"):
            self.assertEqual(run("check", self.MIXED, "--buffering", buffering).code, HOLDS)
        deadlock, code = self.deadlock(self.MIXED)
        self.assertEqual((deadlock["answer"], deadlock["depends_on_library"], code), ("yes", True, DEADLOCK))
        self.assertEqual(deadlock["refusing"], [{"send": "C", "location": "b1", "place": ""}])
        result = run("check", self.MIXED, "--buffering", "any")
        self.assertEqual(result.code, DEADLOCK)
        lines = result.text.splitlines()
        self.assertEqual(lines[0], f"{self.MIXED}: no assertion, but a deadlock is possible (any buffering)")
        at = lines.index("  deadlock: possible; depends on the library")
        self.assertEqual(lines[at + 1:at + 3], [
            "    if the library does not buffer C at b1",
            "    thread 1 at b2 (wait C): C may wait for a receive, and the message is still in Pnd_s(2)(1)"])
        self.assertIn("thread 2 at c4 (wait RD): ", lines[at + 3])
        self.assertEqual(unwrapped(result.text).count(f"    trace: {deadlock['trace']}\n"), 1)
        deadlock, _ = self.deadlock(self.HEAD_TO_HEAD)
        self.assertEqual([r["send"] for r in deadlock["refusing"]], ["s1", "s2"])
        self.assertIn("    if the library does not buffer s1 at 00 and s2 at 10\n",
                      run("check", self.HEAD_TO_HEAD, "--buffering", "any").text)

    def test_places(self):
        text = Path(self.MIXED).read_text().replace("[b1 (sndi C 1 2 3)]", '[b1 (sndi C 1 2 3) (at "main.c" 12)]')
        deadlock, _ = self.deadlock(self.write(text))
        self.assertEqual(deadlock["refusing"], [{"send": "C", "location": "b1", "place": "main.c:12"}])

    def test_recordings(self):
        """They are told by places. What a rank would have done that was still running may be the receive."""
        recorded = "; A recorded run of: mpirun -n 2 ./x\n"
        cut = "; This run was ended: it was interrupted\n; x.c:3: rank 1 had not come to MPI_Finalize\n"
        text = '(([0 (sndi S0_1 0 1 1) (at "x.c" 2)] [1 (wait S0_1) (at "x.c" 2)]) ([2 (x := 1)]))\n( (0 bot) (1 bot) (2 bot) )\n'
        told = run("check", self.write(recorded + text), "--buffering", "any")
        self.assertEqual(told.code, DEADLOCK, told.text)
        self.assertIn("\n    if the library does not buffer x.c:2 of rank 0\n"
                      "    rank 0 at x.c:2 (wait): x.c:2 of rank 0 may wait for a receive, and the message is still on its way\n", told.text)
        told = run("check", self.write(recorded + cut + text), "--buffering", "any")
        self.assertIn("\n  deadlock: unknown\n    rank 1 was still running ", told.text)

    def test_every_library_deadlocks(self):
        for path in ("traces/deadlock_circular_wait.ctp", "traces/modes_synchronous_head_to_head.ctp"):
            deadlock, code = self.deadlock(path)
            self.assertEqual((deadlock["answer"], deadlock["depends_on_library"], deadlock["refusing"], code),
                             ("yes", False, [], DEADLOCK))
            self.assertIn("\n  deadlock: yes\n", run("check", path, "--buffering", "any").text)

    def test_no_library_deadlocks(self):
        for path in ("traces/buffering_head_to_head_repaired.ctp", "traces/modes_buffered_head_to_head.ctp"):
            deadlock, code = self.deadlock(path)
            self.assertEqual((deadlock["answer"], deadlock["depends_on_library"], deadlock["refusing"], code), ("no", False, [], HOLDS))

    def test_verdicts_are_those_of_infinite_buffering(self):
        for path in (FIGURE1, "traces/figure16.ctp", "traces/stuck_mod_by_zero.ctp", "traces/rule_assume.ctp"):
            results = [json.loads(run("check", path, "--buffering", b, "--format", "json").text)["results"][0] for b in ("any", "infinite")]
            for key in ("verdict", "run", "fault", "leaves_path"):
                self.assertEqual(results[0][key], results[1][key], path)

    def test_witness(self):
        """A trace of infinite buffering. Its line has the sends that refuse."""
        out = self.folder / "witness.ctp"
        self.assertEqual(run("check", self.MIXED, "--buffering", "any", "-o", out).code, DEADLOCK)
        self.assertEqual(out.read_text().splitlines()[1:3],
                         ["; trace 1, infinite buffering: success",
                          "; trace 2, any buffering, refusing C: leads to a deadlock"])
        deadlock, _ = self.deadlock(self.MIXED)
        self.assertIn(deadlock["trace"], " ".join(out.read_text().split()))
        replayed = run("run", out, "--trace", "2")
        self.assertEqual((replayed.code, replayed.err), (DEADLOCK, b""), replayed.text)
        self.assertTrue(replayed.text.startswith("trace 2: deadlock, if the library does not buffer C at b1 (the trace stops early)\n"), replayed.text)
        self.assertIn("C waits for a receive at endpoint 2; thread 2 would post R2 at c5", replayed.text)
        [told] = json.loads(run("run", out, "--trace", "2", "--format", "json").text)["traces"]
        self.assertEqual((told["status"], told["refusing"], len(told["deadlock"]["blocked"])), ("deadlock", ["C"], 2))
        self.assertIn("\nnothing can come next: a deadlock\n", run("step", out, "--trace", "2", stdin=b"end\n").text)
        # The library that the report names, as a program.
        changed = self.write(out.read_text().replace("(sndi C", "(ssndi C").replace("(sndi A", "(bsndi A")
                             .replace("any buffering, refusing C:", "infinite buffering:"))
        self.assertEqual(run("run", changed, "--trace", "2").code, DEADLOCK)

    def test_collectives(self):
        """A gather that returns early, and one that waits for all: the report names the second one only."""
        path = "traces/buffering_mixed_collective.ctp"
        for engine in ("auto", "explore", "sat"):
            deadlock, code = self.deadlock(path, "--engine", engine)
            self.assertEqual((deadlock["answer"], deadlock["depends_on_library"], deadlock["fewer_possible"], code), ("yes", True, False, DEADLOCK))
            self.assertEqual(deadlock["refusing"], [{"collective": "K0", "location": "02", "place": ""}], engine)
            self.assertEqual(deadlock["engine"], "sat" if engine == "sat" else "explore")
        self.assertIn("\n    if the library waits for all members in K0 at 02\n"
                      "    thread 0 at 02 (collective K0 w gather (root 2)): gather K0 (02) of w may wait for thread 2, and thread 2 is at 21\n",
                      run("check", path, "--buffering", "any").text)
        out = self.folder / "witness.ctp"
        self.assertEqual(run("check", path, "--buffering", "any", "-o", out).code, DEADLOCK)
        self.assertEqual(out.read_text().splitlines()[2], "; trace 2, any buffering, refusing K0: leads to a deadlock")
        replayed = run("run", out, "--trace", "2")
        self.assertEqual((replayed.code, replayed.err), (DEADLOCK, b""), replayed.text)
        self.assertTrue(replayed.text.startswith("trace 2: deadlock, if the library waits for all members in K0 at 02 (the trace stops early)\n"), replayed.text)
        self.assertIn("\n            gather K0 (02) of w may wait for thread 2, and thread 2 is at 21\n", replayed.text)
        [told] = json.loads(run("run", out, "--trace", "2", "--format", "json").text)["traces"]
        self.assertEqual((told["status"], told["refusing"], len(told["deadlock"]["blocked"])), ("deadlock", ["K0"], 2))
        self.assertIn("\nnothing can come next: a deadlock\n", run("step", out, "--trace", "2", stdin=b"end\n").text)

    def test_sends_and_collectives(self):
        """Both have to refuse: the wait for the one is in front of the call that the other waits for, and so on in a circle."""
        path = self.write("(([00 (sndi A 0 1 1)] [01 (wait A)] [02 (collective K0 w bcast (root 1))])"
                          " ([10 (collective K1 w bcast (root 1))] [11 (rcvi R 1 x)] [12 (wait R)]))")
        self.assertEqual([(r.get("send"), r.get("collective")) for r in self.deadlock(path)[0]["refusing"]], [("A", None), (None, "K1")])
        self.assertIn("\n    if the library does not buffer A at 00, and waits for all members in K1 at 10\n",
                      run("check", path, "--buffering", "any").text)
        # All members call a barrier before one of them returns: under every library the same.
        path = self.write("(([00 (collective K0 w barrier)] [01 (bsndi A 0 1 1)]) ([10 (rcvi R 1 x)] [11 (wait R)] [12 (collective K1 w barrier)]))")
        deadlock, _ = self.deadlock(path)
        self.assertEqual((deadlock["answer"], deadlock["refusing"], deadlock["engine"]), ("yes", [], "infinite buffering"))

    def test_a_root_that_returns_early(self):
        """With barriers, S0 comes after R, and counting closely settles it. The root of a bcast may send S0 first; then S2 waits for
        Q, which is posted after D, which is sent after S2."""
        text = ("(([00 (collective K0 w {0})] [01 (sndi S0 0 1 1)] [02 (wait S0)])"
                " ([10 (rcvi R 1 x)] [11 (wait R)] [12 (rcvi D 11 y)] [13 (wait D)] [14 (collective K1 w {0})] [15 (rcvi Q 1 z)] [16 (wait Q)])"
                " ([20 (sndi S2 2 1 2)] [21 (wait S2)] [22 (sndi SD 2 11 3)] [23 (wait SD)] [24 (collective K2 w {0})]))")
        deadlock, _ = self.deadlock(self.write(text.format("barrier")))
        self.assertEqual((deadlock["answer"], deadlock["engine"]), ("no", "counting"))
        for options in ([], ["--engine", "explore"], ["--engine", "sat"]):
            path = self.write(text.format("bcast (root 0)"))
            deadlock, _ = self.deadlock(path, *options)
            self.assertEqual((deadlock["answer"], [r["send"] for r in deadlock["refusing"]]), ("yes", ["S2"]), options)
            for buffering in ("infinite", "zero"):
                self.assertEqual(run("check", path, "--buffering", buffering).code, HOLDS)

    def test_shared_variables(self):
        path = self.write("(shared [m 0]) (([0 (sndi a 0 1 1)] [1 (wait a)] [2 (m := 1)]) ([3 (rcvi r 1 x)] [4 (wait r)]))")
        result = run("check", path, "--buffering", "any")
        self.assertEqual(result.code, UNKNOWN, result.text)
        self.assertIn("  limit: any buffering: of programs with shared variables, ", result.text)
        path = self.write("(shared [m 0]) (([0 (m := 1)]) ([1 (x := m)]))")
        self.assertEqual(run("check", path, "--buffering", "any").code, HOLDS)  # nobody sends

    def test_no_send_can_be_left_out(self):
        """Two pairs of threads, and all of their sends refuse in the first deadlock. One pair is enough."""
        pair = ("([{0}0 (sndi {0}A {1} {2} 1)] [{0}1 (wait {0}A)] [{0}2 (rcvi {0}R {1} {0}x)] [{0}3 (wait {0}R)])"
                "([{0}4 (sndi {0}B {2} {1} 1)] [{0}5 (wait {0}B)] [{0}6 (rcvi {0}Q {2} {0}y)] [{0}7 (wait {0}Q)])")
        path = self.write("(" + pair.format("p", 0, 1) + pair.format("q", 2, 3) + ")")
        for options in ([], ["--engine", "explore"], ["--engine", "sat"], ["--without", "short-exploration", "--without", "sat"]):
            deadlock, code = self.deadlock(path, *options)
            self.assertEqual((code, deadlock["fewer_possible"]), (DEADLOCK, False))
            self.assertEqual(deadlock["engine"], "sat" if "--engine" in options and options[1] == "sat" else "explore")
            self.assertEqual({r["send"][0] for r in deadlock["refusing"]}, {deadlock["refusing"][0]["send"][0]}, deadlock)
            self.assertEqual(len(deadlock["refusing"]), 2)
        deadlock, _ = self.deadlock(path, "--without", "sat", "--limit", "4")  # enough for the first deadlock only
        self.assertEqual((len(deadlock["refusing"]), deadlock["fewer_possible"]), (4, True))
        self.assertIn("pA at p0, pB at p4, qA at q0 and qB at q4; perhaps some of these are enough (more: --timeout)",
                      unwrapped(run("check", path, "--buffering", "any", "--without", "sat", "--limit", "4").text))

    def test_who_decides(self):
        told = lambda path, *options: self.deadlock(path, *options)[0]["engine"]
        self.assertEqual(told("traces/deadlock_circular_wait.ctp"), "infinite buffering")
        self.assertEqual(told("traces/figure1.ctp"), "counting")
        self.assertEqual(told("traces/figure1.ctp", "--without", "counting"), "explore")
        self.assertEqual(told("traces/figure1.ctp", "--without", "counting", "--without", "short-exploration"), "sat")
        self.assertEqual(told(self.MIXED, "--engine", "sat"), "sat")
        self.assertEqual(told(self.MIXED, "--engine", "explore"), "explore")
        self.assertIn(" under infinite buffering, deadlocks by sat; ", run("check", self.MIXED, "--buffering", "any", "--engine", "sat").text)
        everything = [o for step in ("counting", "short-exploration", "sat", "exploration") for o in ("--without", step)]
        result = run("check", self.MIXED, "--buffering", "any", *everything, "--format", "json")
        [told] = json.loads(result.text)["results"]
        self.assertEqual((told["deadlock"]["answer"], told["deadlock"]["engine"], result.code), ("unknown", None, UNKNOWN))
        self.assertIn("any buffering: left out: counting, short-exploration, sat, exploration", str(told["trouble"]))

    def test_limit(self):
        self.assertEqual(self.deadlock(self.MIXED, "--limit", "5")[0]["engine"], "sat")
        result = run("check", self.MIXED, "--buffering", "any", "--limit", "5", "--without", "sat")
        self.assertEqual(result.code, UNKNOWN, result.text)
        self.assertTrue(result.text.startswith(f"{self.MIXED}: no assertion (any buffering)\n"), result.text)
        self.assertIn("  limit: any buffering: the search for calls that refuse stopped after ", result.text)
        self.assertIn("\n  deadlock: unknown\n", result.text)

    def test_what_does_not_go_together(self):
        for options, why in ((["--engine", "smt"], "it needs --engine auto, explore or sat"), (["--bound", "1"], "--bound is for programs"),
                             (["--switches"], "--switches is for programs"), (["--model", "all"], "--model does not ask about deadlocks"),
                             (["--pairs", "p"], "--pairs FILE does not ask about deadlocks"),
                             (["--deterministic"], "--deterministic does not ask about deadlocks")):
            self.refused("check", FIGURE1, "--buffering", "any", *options, saying=why)
        for command in ("run", "explore", "encode", "pairs"):
            self.refused(command, FIGURE1, "--buffering", "any", saying="`any` is not one of infinite|zero")


class Streams(InFolder):
    COMMANDS = (["check", FIGURE1], ["check", FIGURE1, "--format", "json"], ["explore", FIGURE1],
                ["explore", FIGURE1, "--format", "json"], ["pairs", FIGURE1], ["pairs", FIGURE1, "--format", "json"],
                ["encode", FIGURE1])

    def test_full_disk(self):
        for arguments in self.COMMANDS:
            with self.subTest(arguments=arguments), open("/dev/full", "wb") as full:
                result = run(*arguments, stdout=full)
                self.assertEqual((result.code, result.error_text.splitlines()[-1]),
                                 (OUTPUT_FAILED, "matchpoint: error[file]: cannot write standard output: "
                                                 "No space left on device"))

    def test_closed_standard_output(self):
        reports_closed_standard_output(self, self.COMMANDS)

    def test_closed_standard_streams_do_not_reach_the_solver(self):
        """A solver's pipes must not get the numbers of streams that are closed."""
        result = run("check", FIGURE1, "--engine", "smt", "--buffering", "zero", stderr=None,
                     preexec_fn=lambda: (os.close(0), os.close(2)))
        self.assertEqual((result.code, result.text.splitlines()[0]), (HOLDS, f"{FIGURE1}: safe (zero buffering)"))

    def test_reader_gone(self):
        large = self.write(program([(f"l{i}", f"(x{i} := {i})") for i in range(50_000)]))
        reader, writer = os.pipe()
        os.close(reader)
        self.assertEqual(run("encode", large, stdout=writer).code, -signal.SIGPIPE)
        os.close(writer)


class Witnesses(InFolder):
    def witness(self, *arguments, name="witness.ctp"):
        out = self.folder / name
        return run("check", *arguments, "-o", out), out

    def test_figure_1(self):
        """Violated with a = 1, and the witness shows it to anybody."""
        result, out = self.witness(FIGURE1)
        self.assertEqual(result.code, FAILURE)
        self.assertIn("assertion at 09, entry 15, does not hold: (assert (= a 4)) with a = 1", result.text)
        self.assertEqual(out.read_text().splitlines()[1:3],
                         ["; trace 1, infinite buffering: failure", "; trace 2, infinite buffering: success"])
        first, second = (run("run", out, "--trace", str(n)) for n in (1, 2))
        self.assertEqual((first.code, second.code), (FAILURE, HOLDS))
        self.assertIn("does not hold: (assert (= a 4)) with a = 1", first.text)
        self.assertEqual(run("fmt", out).text, out.read_text())
        self.assertEqual(run("check", FIGURE1, "--buffering", "zero").code, HOLDS)
        self.assertIn("R04 = S21: ", run("pairs", "traces/figure16.ctp", "--why").text)

    def test_run_exits_as_check_did(self):
        """A fault counts if nothing fails, as in `check`."""
        for path, code in ((Path("traces/stuck_mod_by_zero.ctp"), FAILURE), (self.write(FAULT, "fault.ctp"), ERROR),
                           (self.write(STUCK, "stuck.ctp"), DEADLOCK), (self.write(VACUOUS_AND_STUCK, "vacuous.ctp"), DEADLOCK)):
            result, out = self.witness(path)
            self.assertEqual((result.code, run("run", out).code), (code, code), path)

    def test_each_kind(self):
        for text, kinds, codes in ((SAFE, ["success"], [HOLDS]), (VIOLATED, ["failure"], [FAILURE]),
                                   (VACUOUS, ["infeasible, as far as it is on the path"], [INFEASIBLE]),
                                   (VACUOUS_AND_STUCK, ["leads to a deadlock", "infeasible, as far as it is on the path"], [DEADLOCK, INFEASIBLE]),
                                   (STUCK, ["leads to a deadlock"], [DEADLOCK]), (FAULT, ["leads to a fault"], [ERROR]),
                                   (THREE, ["failure", "success", "leaves the path"], [FAILURE, HOLDS, INFEASIBLE])):
            for buffering in ("infinite", "zero"):
                result, out = self.witness(self.write(text), "--buffering", buffering)
                self.assertEqual(result.err, b"")
                self.assertEqual(re.findall(rf"^; trace \d, {buffering} buffering: (.*)$", out.read_text(),
                                            re.MULTILINE), kinds)
                for n, code in enumerate(codes, 1):
                    replayed = run("run", out, "--trace", str(n), "--buffering", buffering)
                    self.assertEqual(replayed.code, code, replayed.text)

    def test_lines_of_a_trace(self):
        """No longer than 80 columns, or one entry that is; the entries are those of JSON."""
        long = "n" * 70
        for name in ("02", "é" * 26, long):
            path = self.write(Path(FIGURE1).read_text().replace("02", name))
            for command in ("check", "explore"):
                with self.subTest(name=name, command=command):
                    text = run(command, path).text
                    of_traces = re.findall(r"^ +(?:trace: )?\(.*$", text, re.MULTILINE)
                    self.assertGreaterEqual(len(of_traces), 3)
                    for line in of_traces:
                        self.assertTrue(len(line) <= 80 or line.strip() in (f"({long} bot)", "trace: ("), line)
                    # Each line holds as much as fits.
                    for line, next_line in itertools.pairwise(of_traces):
                        if not line.endswith(" )"):
                            self.assertGreater(len(line) + len(re.match(r" +(\(.*?\)(?= \(|$))", next_line)[0]) - 3, 80)
                    document = json.loads(run(command, path, "--format", "json").text)
                    executions = [document["results"][0]["run"]] if command == "check" else document["executions"]
                    for execution in executions:
                        self.assertIn(f"{execution['trace']}\n", unwrapped(text))

    def test_nothing_to_receive(self):
        """No table without rows, and no count of nothing."""
        text = run("explore", self.write("(([1 (x := 1)]))", "alone.ctp")).text
        self.assertTrue(text.startswith(f"{self.folder / 'alone.ctp'}: infinite buffering, nothing to receive\nsuccess\n"), text)
        self.assertNotIn("match pairs", text)
        text = run("explore", self.write("(([1 (rcvi R 0 x)] [2 (wait R)]))", "stuck.ctp")).text
        self.assertTrue(text.startswith(f"{self.folder / 'stuck.ctp'}: infinite buffering, no run completes\ndeadlock\n"), text)

    def test_every_engine(self):
        for engine in ("auto", "explore", "sat", "smt"):
            result, out = self.witness(FIGURE1, "--engine", engine)
            self.assertEqual((result.code, run("run", out, "--trace", "1").code), (FAILURE, FAILURE))

    def test_nothing_to_write(self):
        """What is not settled has no execution; the file that is there stays."""
        _, out = self.witness(FIGURE1)
        old = out.read_text()
        path = self.write(hard(14), "hard.ctp")
        result, _ = self.witness(path, "--engine", "explore", "--limit", "1")
        self.assertEqual((result.code, out.read_text()), (UNKNOWN, old))
        self.assertIn(f"there is no execution to write to {out}; the file there is from an earlier run\n", result.error_text)

    def test_as_a_whole_or_not_at_all(self):
        out = self.folder / "witness.ctp"
        out.write_text("; Written by matchpoint check\n")
        out.chmod(0o640)
        before = out.stat().st_ino
        link = self.folder / "link"
        link.symlink_to("witness.ctp")
        self.assertEqual(run("check", FIGURE1, "-o", link).code, FAILURE)
        self.assertEqual(stat.S_IMODE(out.stat().st_mode), 0o640)
        self.assertNotEqual(out.stat().st_ino, before)
        self.assertTrue(link.is_symlink())
        self.assertEqual(run("run", out).code, FAILURE)
        self.assertEqual(sorted(os.listdir(self.folder)), ["link", "witness.ctp"])
        # A new file is as open as the user wants files to be.
        new = self.folder / "new.ctp"
        mask = os.umask(0o027)
        self.addCleanup(os.umask, mask)
        self.assertEqual(run("check", FIGURE1, "-o", new).code, FAILURE)
        self.assertEqual(stat.S_IMODE(new.stat().st_mode), 0o640)

    def test_what_cannot_be_written(self):
        for path, why in ((self.folder / "no" / "such", "No such file or directory"), ("/dev/full", "not a regular file"),
                          (self.folder, "not a regular file"), ("/proc/version", "")):
            for command in ("check", "encode"):
                with self.subTest(path=path, command=command):
                    result = run(command, FIGURE1, "-o", path)
                    self.assertEqual(result.code, OUTPUT_FAILED)
                    self.assertIn(f"{path}", result.error_text)
                    self.assertIn(why, result.error_text)
        self.assertEqual(os.listdir(self.folder), [])


class Readings(InFolder):
    """Executions on the path, and complete runs."""

    ENGINES = ("auto", "explore", "sat", "smt")
    # The assertion fails if t overtakes s. What comes then, what is said of it, and the verdicts of the two readings.
    RACE = [("a", "(rcvi r 0 x)"), ("b", "(wait r)"), ("c", "(assert (= x 1))")]
    SENDERS = [("e", "(sndi s 1 0 1)")], [("f", "(sndi t 2 0 2)")]
    AFTER = (([("d", "(assume (= x 1))")], "thread 0 leaves the path at d (assume (= x 1)): x = 2", "safe"),
             ([("d", "(rcvi q 0 y)"), ("g", "(rcvi p 0 z)"), ("h", "(wait p)")],
              "thread 0 is stuck at h (wait p): no message has arrived for p", "vacuous"),
             ([("d", "(y := (div 6 (- x 2)))")], "thread 0 has a fault at d (y := (div 6 (- x 2))): (div 6 0) has no value",
              "safe"))

    def result(self, path, *options):
        document = run("check", path, "--format", "json", *options)
        return json.loads(document.text)["results"][0]

    def test_a_rendezvous_needs_its_receive(self):
        """Zero buffering: thread 1 passes the wait for s only if r is posted, and that follows a false assumption."""
        path = self.write(program([("a", "(assume false)"), ("b", "(rcvi r 0 x)"), ("c", "(wait r)")],
                                  [("d", "(sndi s 1 0 1)"), ("e", "(wait s)"), ("f", "(assert false)")]))
        for engine in self.ENGINES:
            with self.subTest(engine=engine):
                self.assertEqual(self.result(path, "--engine", engine, "--buffering", "zero")["verdict"], "vacuous")
                self.assertEqual(self.result(path, "--engine", engine)["verdict"], "violated")

    def test_a_witness_goes_on_as_far_as_it_can(self):
        """s is still in transit when the assertion fails; no thread is stuck."""
        path = self.write(program(self.RACE + [("d", "(rcvi q 0 y)"), ("h", "(wait q)"), ("k", "(z := (div 1 (- y 7)))")],
                                  *self.SENDERS))
        for engine, buffering in itertools.product(self.ENGINES, ("infinite", "zero")):
            with self.subTest(engine=engine, buffering=buffering):
                result = self.result(path, "--engine", engine, "--buffering", buffering)
                self.assertEqual((result["run"]["completes"], result["deadlock"]["answer"]), (True, "no"))

    def test_what_comes_after_a_failure(self):
        for after, why, complete in self.AFTER:
            path = self.write(program(self.RACE + after, *self.SENDERS))
            for engine, buffering in itertools.product(self.ENGINES, ("infinite", "zero")):
                with self.subTest(engine=engine, buffering=buffering, why=why):
                    options = ["--engine", engine, "--buffering", buffering]
                    result = self.result(path, *options)
                    self.assertEqual((result["runs"], result["verdict"]), ("executions", "violated"))
                    failing = result["run"]
                    self.assertEqual((failing["status"], failing["completes"]), ("failure", False))
                    self.assertEqual(failing["matches"][0], {"receive": "r", "send": "t"})
                    self.assertEqual(len(failing["then"]), 1)
                    self.assertTrue(failing["then"][0].startswith(why), failing["then"])
                    text = run("check", path, *options)
                    self.assertEqual(text.code, FAILURE)
                    self.assertIn("does not hold: (assert (= x 1)) with x = 2\n  after that " + why, text.text)
                    result = self.result(path, *options, "--runs", "complete")
                    self.assertEqual((result["runs"], result["verdict"]), ("complete", complete))
                    self.assertTrue(result["run"] is None or (result["run"]["completes"] and not result["run"]["then"]))

    def test_witness_that_does_not_complete(self):
        path, out = self.write(program(self.RACE + self.AFTER[0][0], *self.SENDERS)), self.folder / "witness.ctp"
        self.assertEqual(run("check", path, "-o", out).code, FAILURE)
        self.assertEqual(out.read_text().splitlines()[1:3],
                         ["; trace 1, infinite buffering: failure, as far as it is on the path",
                          "; trace 2, infinite buffering: success"])
        replayed = run("run", out, "--trace", "1", "--prefix")
        self.assertEqual((replayed.code, replayed.text.splitlines()[0]), (FAILURE, "trace 1: failure (the trace stops early)"))
        self.assertIn("\n  thread 0 is at d (assume (= x 1))\n", replayed.text)
        self.assertEqual(run("run", out, "--trace", "1").text, replayed.text)  # the file says that it stops early
        out.write_text(out.read_text().replace(", as far as it is on the path", ""))
        self.assertEqual(run("run", out, "--trace", "1").code, ERROR)
        self.assertEqual(run("run", out, "--trace", "2", "--prefix").text, run("run", out, "--trace", "2").text)

    def test_order_of_threads(self):
        """The assumption of another thread, which may come later; and one that comes first in every execution."""
        path = self.write(program([("a", "(assert false)")], [("b", "(assume false)")]))
        first = self.write(program([("a", "(rcvi r 0 x)"), ("b", "(wait r)"), ("c", "(assert false)")],
                                   [("d", "(assume false)"), ("e", "(sndi s 1 0 1)")]), "first.ctp")
        for engine, buffering in itertools.product(self.ENGINES, ("infinite", "zero")):
            with self.subTest(engine=engine, buffering=buffering):
                options = ["--engine", engine, "--buffering", buffering]
                self.assertEqual(self.result(path, *options)["verdict"], "violated")
                result = self.result(first, *options)
                self.assertEqual((result["verdict"], result["deadlock"]["answer"]), ("vacuous", "no"))

    def test_off_the_path(self):
        """Deadlocks and faults after a false assumption."""
        receive = [("01", "(rcvi r 0 x)"), ("02", "(wait r)")]
        divide = [("01", "(x := (div 1 0))")]
        for what, behind in (("deadlock", receive), ("fault", divide)):
            path = self.write(program([("00", "(assume false)")] + behind))
            for engine, buffering in itertools.product(self.ENGINES, ("infinite", "zero")):
                with self.subTest(what=what, engine=engine, buffering=buffering):
                    options = ["--engine", engine, "--buffering", buffering]
                    result = self.result(path, *options)
                    self.assertEqual((result["verdict"], result["deadlock"]["answer"], result["fault"]["answer"]),
                                     ("vacuous", "no", "no"))
                    result = self.result(path, *options, "--runs", "complete")
                    self.assertEqual((result["verdict"], result[what]["answer"]), ("vacuous", "yes"))

    def test_a_vacuous_program_that_asserts_nothing(self):
        """As of a safe one: nobody should wonder which assertion could have failed."""
        line = "  the program asserts nothing: this is about deadlocks and faults"
        for claims, count in (([], 1), ([("1", "(assert (= x 0))")], 0)):
            path = self.write(program([("0", "(x := 1)"), ("2", "(assume (= x 0))"), *claims]))
            result = run("check", path)
            self.assertEqual(result.code, INFEASIBLE, result.text)
            self.assertEqual(result.text.splitlines().count(line), count, result.text)
            self.assertTrue(result.text.startswith(f"{path}: vacuous "), result.text)

    def test_a_deadlock_of_some_executions(self):
        """Thread 1 hangs if thread 0 takes t; but then its assumption is false."""
        on_path = [("a", "(rcvi r 0 x)"), ("b", "(wait r)")]
        for first, answer in ((on_path, "yes"), (on_path + [("c", "(assume (= x 1))")], "no")):
            path = self.write(program(first, [("e", "(sndi s 1 0 1)"), ("f", "(wait s)")], [("g", "(sndi t 2 0 2)")]))
            for engine in self.ENGINES:
                options = ["--engine", engine, "--buffering", "zero"]
                self.assertEqual(self.result(path, *options)["deadlock"]["answer"], answer, engine)
                self.assertEqual(self.result(path, *options, "--runs", "complete")["deadlock"]["answer"], "yes", engine)

    def test_deliveries_behind_the_last_command(self):
        """A message that fills a receive and releases nobody."""
        path = self.write(program([("a", "(rcvi r 0 x)"), ("b", "(rcvi q 0 y)"), ("c", "(wait q)")],
                                  [("d", "(sndi s 1 0 1)")]))
        deadlock = self.result(path, "--buffering", "zero")["deadlock"]
        self.assertEqual((deadlock["trace"], deadlock["then_delivered"]), ("( (a bot) (b bot) (d bot) )", "((0 1) bot)"))
        self.assertIn("\n    then these messages are delivered: ((0 1) bot)\n",
                      run("check", path, "--buffering", "zero").text)
        self.assertEqual(self.result(path)["deadlock"]["then_delivered"], "bot")
        self.assertNotIn("then these messages", run("check", path).text)

    def test_encode_and_pairs(self):
        def answer(*options):
            problem = run("encode", *options)
            self.assertEqual(problem.code, HOLDS, problem.error_text)
            return subprocess.run(["z3", "-in"], input=problem.out, capture_output=True, check=True).stdout.decode()

        for after, _, _ in self.AFTER:
            path = self.write(program(self.RACE + after, *self.SENDERS))
            for buffering in ("infinite", "zero"):
                self.assertEqual(answer(path, "--buffering", buffering), "unsat\n")
                self.assertEqual(answer(path, "--buffering", buffering, "--runs", "executions"), "sat\n")
        path = self.write(program(self.RACE + self.AFTER[1][0], *self.SENDERS))
        pairs = {reading: json.loads(run("pairs", path, "--method", "exact", "--runs", reading, "--format", "json").text)
                 for reading in ("complete", "executions")}
        self.assertEqual([len(p["pairs"]) for p in pairs.values()], [0, 2])
        self.assertEqual([p["runs"] for p in pairs.values()], list(pairs))

    def test_what_does_not_go_together(self):
        for options, saying in ((["--pairs", "exact"], "--runs executions needs the pairs of all executions"),
                                (["--encoding", "section5"], "section5 is about complete runs")):
            result = run("encode", FIGURE1, "--runs", "executions", *options)
            self.assertEqual((result.code, result.out), (BAD_INPUT, b""))
            self.assertIn(saying, result.error_text)


class EncodeSharing(InFolder):
    """`encode` and `check --engine smt` of programs with shared variables."""

    FUSION_1 = "traces/errata/f11_figure_1.ctp"
    FUSION_5 = "traces/errata/f11b_figure_5.ctp"

    def answer(self, *options):
        problem = run("encode", *options)
        self.assertEqual(problem.code, HOLDS, problem.error_text)
        return subprocess.run(["z3", "-in"], input=problem.out, capture_output=True, check=True).stdout.decode().strip()

    def test_switches(self):
        for reading, least in (("executions", 1), ("complete", 2)):
            for writes in ("clock", "pairs"):
                options = (self.FUSION_1, "--runs", reading, "--order-of-writes", writes)
                self.assertEqual(self.answer(*options), "sat")
                for form in ([], ["--switches-by", "segments"], ["--switches-by", "owner"]):
                    self.assertEqual(self.answer(*options, "--switches", str(least), *form), "sat")
                    self.assertEqual(self.answer(*options, "--switches", str(least - 1), *form), "unsat")

    def test_switches_by_owner_is_refused(self):
        for options, why in ((("--switches-by", "owner"), "add --switches N"),
                             (("--switches", "1", "--switches-by", "owner", "--buffering", "zero"), "with infinite buffering only"),
                             (("--switches", "1", "--switches-by", "owner", "--encoding", "fusion-bounded"), "its own form")):
            result = run("encode", self.FUSION_1, *options)
            self.assertEqual((result.code, result.out), (BAD_INPUT, b""))
            self.assertIn(why, result.error_text)

    def test_models(self):
        for file, answers in ((self.FUSION_1, ("sat", "unsat", "unsat")), (self.FUSION_5, ("sat", "sat", "unsat"))):
            for model, answer in zip(("ctp", "mcm", "hb"), answers):
                self.assertEqual(self.answer(file, "--runs", "executions", "--model", model), answer)
            self.assertEqual(self.answer(file, "--encoding", "fusion-mcm"), answers[1])
        # The second trace of the first program fails.
        self.assertEqual(self.answer(self.FUSION_1, "--runs", "executions", "--model", "hb", "--trace", "2"), "sat")

    def test_to_the_letter(self):
        unexecuted = "traces/errata/f03_unexecuted_use.ctp"
        self.assertEqual(self.answer(unexecuted, "--encoding", "fusion"), "unsat")
        self.assertEqual(self.answer(unexecuted, "--runs", "executions"), "sat")
        self.assertEqual(self.answer(self.FUSION_1, "--encoding", "fusion-bounded", "--switches", "1"), "unsat")
        self.assertEqual(self.answer(self.FUSION_1, "--encoding", "fusion-bounded", "--switches", "2"), "sat")

    def test_schedule(self):
        """Another way to the answers of `exact`."""
        for reading, least in (("executions", 1), ("complete", 2)):
            options = (self.FUSION_1, "--encoding", "schedule", "--runs", reading)
            self.assertEqual(self.answer(*options), "sat")
            self.assertEqual(self.answer(*options, "--switches", str(least)), "sat")
            self.assertEqual(self.answer(*options, "--switches", str(least - 1)), "unsat")
        self.assertEqual(self.answer("traces/shared_memory/mutex.ctp", "--encoding", "schedule"), "unsat")

    def test_refusals(self):
        for arguments, saying in (((self.FUSION_1, "--no-order"), "exact cannot leave out the order"),
                                  ((self.FUSION_1, "--trace", "1"), "--trace is for --model and fusion-mcm"),
                                  ((self.FUSION_1, "--model", "mcm"), "add --runs executions"),
                                  ((self.FUSION_1, "--asked", "any", "--switches", "1"), "few context switches"),
                                  ((self.FUSION_1, "--encoding", "section5"), "section5 knows no shared variables"),
                                  ((self.FUSION_1, "--encoding", "fusion-bounded"), "needs a bound"),
                                  ((FIGURE1, "--encoding", "fusion"), "fusion knows no messages"),
                                  ((FIGURE1, "--encoding", "schedule"), "schedule knows no messages"),
                                  ((self.FUSION_1, "--encoding", "schedule", "--asked", "any"), "schedule asks for a failure"),
                                  ((self.FUSION_1, "--encoding", "schedule", "--runs", "executions", "--model", "mcm"),
                                   "schedule knows no causal models"),
                                  ((self.FUSION_1, "--encoding", "schedule", "--pairs", "-"), "--pairs FILE is for programs of"),
                                  (("traces/errata/f15_assert_local.ctp", "--encoding", "fusion-mcm"),
                                   "Section 6 leaves out the definition"),
                                  ((self.FUSION_1, "--encoding", "fusion-mcm", "--trace", "9"), "trace")):
            result = run("encode", *arguments)
            self.assertEqual((result.code, result.out), (BAD_INPUT, b""), arguments)
            self.assertIn(saying, result.error_text)

    def test_engine(self):
        for file, code, verdict in ((self.FUSION_1, FAILURE, "violated"), ("traces/shared_memory/mutex.ctp", HOLDS, "safe")):
            result = run("check", file, "--engine", "smt")
            self.assertEqual(result.code, code, result.text)
            self.assertIn(f": {verdict} (", result.text)
            self.assertIn("decided by smt (z3)", result.text)
        # Without the solver nothing is known.
        result = run("check", self.FUSION_1, "--engine", "smt", "--solver", "/nowhere/z3", "--format", "json")
        found = json.loads(result.text)["results"][0]
        self.assertEqual((found["verdict"], found["data_race"]["answer"]), ("unknown", "unknown"))

    def test_invariants(self):
        """Where threads are too many to explore, and what they compute depends on their order."""
        safe = run("gen", "interest", "30", "--safe").out
        result = run("check", "-", stdin=safe)
        self.assertEqual(result.code, HOLDS, result.text)
        self.assertIn("decided by invariants (z3)", result.text)
        self.assertIn("decided by invariants (cvc5)", run("check", "-", "--solver", "cvc5", stdin=safe).text)
        # Without a solver nothing is proved, and that is said.
        result = run("check", "-", "--solver", "/nowhere/z3", "--timeout", "5", stdin=safe)
        self.assertEqual(result.code, SOLVER_FAILED, result.text)
        self.assertIn("solver failed: cannot start /nowhere/z3", result.text)
        # Samples find what exploration takes too long for.
        result = run("check", "-", stdin=run("gen", "interest", "100").out)
        self.assertEqual(result.code, FAILURE, result.text)
        self.assertIn("decided by samples", result.text)


class Recorded(InFolder):
    def test_what_a_prediction_rests_on(self):
        """A failure, a deadlock and a fault; but not that nothing is wrong."""
        comment = "; A recording. Values are those of this run.\n"
        receive = [("0", "(rcvi R 0 x)"), ("1", "(wait R)")]
        send = [("2", "(sndi S 1 0 0)")]
        for last, sends, code in (("(assert (= x 1))", send, FAILURE), ("(y := (div 1 x))", send, ERROR),
                                  ("(y := x)", [], DEADLOCK), ("(assert (= x 0))", send, HOLDS)):
            text = program([*receive, ("3", last)], sends)
            for head in (comment, ""):
                result = run("check", self.write(head + text))
                self.assertIn(result.code, {code, INFEASIBLE} if code in (DEADLOCK, ERROR) else {code}, result.text)
                self.assertEqual("values are those of the recorded run" in result.text, bool(head) and code != HOLDS,
                                 result.text)
                [told] = json.loads(run("check", self.write(head + text), "--format", "json").text)["results"]
                self.assertEqual(told.get("values_of_one_run"), True if head and code != HOLDS else None)


    def test_a_run_that_deadlocked(self):
        """If `check` finds the deadlock that happened, nothing has to show that it can. Another one is a prediction."""
        receive = [("0", "(rcvi R 0 x)"), ("1", "(wait R)"), ("2", "(rcvi Q 0 y (from 1))"), ("3", "(wait Q)")]
        text = program(receive, [("4", "(sndi S 1 0 0)")], [("5", "(sndi T 2 0 0)")])
        head = "; A recorded run of: x\n; 3 ranks; Open MPI\n; This run deadlocked.\n; Values are those of this run.\n"
        stuck = "( (0 bot) (4 bot) (5 bot) (1 ((0 1) bot)) (2 bot) )\n"
        for recorded, happened in ((head + text + stuck, True), (head + text + "( (0 bot) (4 bot) )\n", False),
                                   (head + text, False), (head.replace("; This run deadlocked.\n", "") + text, False)):
            path = self.write(recorded)
            result = run("check", path)
            self.assertEqual(result.code, DEADLOCK, result.text)
            self.assertEqual(result.text.splitlines()[1] == "  the recorded run deadlocked", "This run deadlocked" in recorded, result.text)
            self.assertEqual("shows whether it happens" in result.text, not happened, result.text)
            [told] = json.loads(run("check", path, "--format", "json").text)["results"]
            self.assertEqual(told.get("values_of_one_run"), None if happened else True)

    def test_the_command_goes_with_the_witness(self):
        text = program([("0", "(rcvi R 0 x)"), ("1", "(wait R)"), ("3", "(assert (= x 1))")], [("2", "(sndi S 1 0 0)")])
        for command in ("mpirun -n 2 ./x", None):
            path = self.write((f"; A recorded run of: {command}\n" if command else "; A run\n") + text)
            run("check", path, "-o", self.folder / "witness.ctp")
            first = (self.folder / "witness.ctp").read_text().splitlines()[0]
            self.assertEqual(first, f"; From a recorded run of: {command}" if command else "; Written by matchpoint check")

    def test_a_run_that_failed(self):
        """What is said of the program is not about the failure of the run that was recorded, unless it is a failure itself."""
        text = program([("0", "(rcvi R 0 x)"), ("1", "(wait R)"), ("3", "{}")], [("2", "(sndi S 1 0 0)")])
        for value, code in ((0, HOLDS), (1, FAILURE)):
            for head in ("; A recorded run of: x\n; This run failed: exit code 134\n", "; This run\n", ""):
                path = self.write(head + text.replace("{}", f"(assert (= x {value}))"))
                result = run("check", path)
                is_said = "failed" in head and code == HOLDS
                self.assertEqual(result.code, UNKNOWN if is_said else code, result.error_text)
                self.assertEqual(result.text.splitlines()[1].startswith("  the recorded run failed: exit code 134. "), is_said, result.text)
                [told] = json.loads(run("check", path, "--format", "json").text)["results"]
                self.assertEqual(told.get("recorded_run_failed"), "exit code 134" if is_said else None)

    def test_a_run_that_was_ended(self):
        """Nobody knows what it would have done next, whatever the program has so far."""
        text = program([("0", "(rcvi R 0 x)"), ("1", "(wait R)"), ("3", "(assert (= x 0))")], [("2", "(sndi S 1 0 0)")])
        why = "the time limit of 5 s was reached"
        path = self.write(f"; A recorded run of: x\n; This run was ended: {why}\n{text}( (0 bot) (2 bot) (1 ((0 1) bot)) (3 bot) )\n")
        result = run("check", path)
        self.assertEqual(result.code, UNKNOWN)
        self.assertEqual(result.text.splitlines()[1], f"  the recorded run was ended: {why}. What it would have done next is not known")
        [told] = json.loads(run("check", path, "--format", "json").text)["results"]
        self.assertEqual(told["recorded_run_ended"], why)
        self.assertEqual(told["verdict"], "safe")
        result = run("run", path)
        self.assertEqual((result.code, result.text.splitlines()[0]), (UNKNOWN, f"trace 1: ended: {why}"))
        [told] = json.loads(run("run", path, "--format", "json").text)["traces"]
        self.assertEqual((told["status"], told["recorded_run_ended"]), ("ended", why))
        self.assertTrue(run("draw", path).text.endswith(f"\nthe run was ended: {why}\n"))
        self.assertIn(f"\nthis run was recorded, and was ended: {why}\n", run("step", path, "--trace", "1", stdin=b"end\n").text)
        self.assertIn(f"the recorded run was ended: {why}\n", run("smt", path, "--solve").text)
        # What is predicted from it keeps that.
        self.assertEqual(run("check", path, "-o", self.folder / "w.ctp").code, UNKNOWN)
        self.assertEqual((self.folder / "w.ctp").read_text().splitlines()[:2], ["; From a recorded run of: x", f"; That run was ended: {why}"])
        self.assertEqual(run("run", self.folder / "w.ctp").code, HOLDS)
        self.assertEqual(run("check", self.folder / "w.ctp").code, UNKNOWN)


class Limits(InFolder):
    def test_timeout(self):
        path = self.write(hard(14))
        for engine in ("auto", "explore", "sat", "smt"):
            for buffering in ("infinite", "zero"):
                with self.subTest(engine=engine, buffering=buffering):
                    result = run("check", path, "--engine", engine, "--buffering", buffering, "--timeout", "0.5")
                    self.assertEqual(result.code, UNKNOWN, result.text)
                    self.assertIn("unknown", result.text.splitlines()[0])
                    self.assertIn("\n  limit: ", result.text)
                    self.assertLess(result.seconds, 30)

    def test_interrupted(self):
        """Ctrl-C: what is known of the programs before stays, and the solver goes."""
        first, second = self.write(VIOLATED, "first.ctp"), self.write(hard(14), "second.ctp")
        pids, out = self.folder / "pids", self.folder / "out"
        for arguments in ([first, second], [first, second, "--format", "json"], [second, "-o", self.folder / "witness"]):
            with self.subTest(arguments=arguments), out.open("wb") as file:
                process = subprocess.Popen([MATCHPOINT, "check", *arguments, "--solver", f"'{FAKE}' hang-with-pid '{pids}'"],
                                           stdout=file)
                self.assertTrue(within(60, lambda: pids.exists() and pids.read_text().endswith("\n")))
                process.send_signal(signal.SIGINT)
                self.assertEqual(process.wait(10), -signal.SIGINT)
                self.assertTrue(within(10, lambda: not any(map(is_running, pids.read_text().split()))))
                text = out.read_text()
                self.assertEqual(text.startswith(f"{first}: violated (infinite buffering)\n"), "--format" not in arguments
                                 and "-o" not in arguments)
                self.assertNotIn(str(second), text)
                pids.unlink()
        self.assertEqual(sorted(os.listdir(self.folder)), ["first.ctp", "out", "second.ctp"])

    def test_limit(self):
        path = self.write(hard(14))
        result = run("check", path, "--engine", "explore", "--limit", "1000")
        self.assertEqual(result.code, UNKNOWN)
        self.assertRegex(result.text, r"\n  limit: exploration stopped after \d{4} machine steps")
        # A limit that is large enough is none.
        self.assertEqual(run("check", FIGURE1, "--engine", "explore", "--limit", "1000").code, FAILURE)

    @long_test
    def test_memory(self):
        """The limit is kept, and the answer is `unknown`, with whichever engine."""
        families = {"hall": ["hall", "1000", "--safe"], "sums": ["pktuse", "128", "--safe", "order"]}
        for name, arguments in families.items():
            path = self.folder / f"{name}.ctp"
            path.write_bytes(run("gen", *arguments).out)
            for engine, mebibytes in (("sat", "60"), ("sat", "300"), ("explore", "30"), ("auto", "120")):
                with self.subTest(program=name, engine=engine, mebibytes=mebibytes):
                    result = run("check", path, "--engine", engine, "--memory", mebibytes, "--timeout", "20")
                    self.assertIn(result.code, (HOLDS, UNKNOWN), result.text + result.error_text)
                    if result.code == UNKNOWN:
                        self.assertRegex(result.text, r"\n  limit: ")
        result = run("check", self.folder / "hall.ctp", "--engine", "sat", "--memory", "120")
        self.assertEqual(result.code, UNKNOWN)
        self.assertIn("\n  limit: sat: ", result.text)
        # Not even the program can be read.
        result = run("check", self.folder / "hall.ctp", "--memory", "1")
        self.assertEqual((result.code, result.error_text), (UNKNOWN, ""))
        self.assertIn(": unknown (infinite buffering)\n", result.text)
        self.assertIn("  limit: out of memory\n", result.text)
        # A program that cannot even be read takes nobody's result away.
        small = self.write(program([("0", "(assert true)")]), "small.ctp")
        arguments = (small, self.folder / "hall.ctp", small, "--buffering", "both", "--memory", "1")
        result = run("check", *arguments)
        self.assertEqual((result.code, result.text.count(": safe ("), result.text.count(": unknown (")), (UNKNOWN, 4, 2))
        results = json.loads(run("check", *arguments, "--format", "json").text)["results"]
        self.assertEqual([r["verdict"] for r in results], ["safe"] * 2 + ["unknown"] * 2 + ["safe"] * 2)
        self.assertEqual((results[2]["sha256"], results[2]["trouble"][0]["what"]), (None, "out of memory"))

    def test_explore_limit(self):
        path = self.write(race(6, 6))
        result = run("explore", path, "--limit", "3")
        self.assertEqual((result.code, result.text.count("\nsuccess: ")), (UNKNOWN, 3))
        self.assertIn("\nbounded: 3 complete runs ", result.text)
        self.assertIn("\nverdict: unknown; deadlock: unknown; fault: unknown\n", result.text)
        whole = run("explore", path)
        self.assertEqual((whole.code, whole.text.count("\nsuccess: ")), (HOLDS, 720))

    def test_explore_knows_a_failure_from_a_part(self):
        result = run("explore", self.write(race(6, 0)), "--limit", "3")
        self.assertEqual(result.code, FAILURE)
        self.assertIn("\nverdict: violated; ", result.text)

    def test_explore_leaves_the_path_beside_a_fault(self):
        """An execution ends at its fault, where another thread could have left the path before."""
        path = self.write(program([("a", "(x := (div 1 0))")], [("b", "(assume false)")]))
        for options in ((), ("--verdicts",)):
            result = run("explore", path, *options)
            self.assertIn("\nverdict: vacuous; deadlock: no; fault: yes; leaves the path: yes\n", result.text)
            self.assertEqual(result.code, ERROR)
        self.assertEqual(json.loads(run("explore", path, "--format", "json").text)["leaves_path"], "yes")
        kept = self.write(program([("a", "(x := (div 1 0))")], [("b", "(assume true)")]))
        self.assertIn("; fault: yes; leaves the path: no\n", run("explore", kept).text)

    def test_explore_without_receives(self):
        result = run("explore", self.write(program([("a", "(assert true)")])))
        self.assertNotIn("match pairs", result.text)
        self.assertIn("\nsuccess\n", result.text)

    def test_first_words(self):
        """They are no all-clear if there is a deadlock or a fault."""
        one_or_two = "(([a (rcvi r 0 x)] [b (wait r)] %s) ([c (sndi s 1 0 0)]) ([d (sndi t 2 0 1)]))"
        stuck = "(([a (rcvi r 0 x)] [b (wait r)]))"
        faulty = one_or_two % "[e (y := (div 1 x))] [f (assert (= y 1))]"
        for text, words, code in (
                (faulty, "safe, but a fault is possible", ERROR),
                (faulty.replace(" [f (assert (= y 1))]", ""), "no assertion, but a fault is possible", ERROR),
                (faulty.replace("(= y 1)", "(= y 0)"), "violated", FAILURE),
                (one_or_two.replace("%s", "[e (assume (= x 0))] [f (assert true)]"), "safe on this path", HOLDS),
                (stuck, "deadlock", DEADLOCK),
                ("(([a (x := (div 1 0))]))", "fault", ERROR),
                ("(([a (x := (div 1 0))]) ([b (rcvi r 0 y)] [c (wait r)]))", "fault", ERROR),
                ("(([a (assume false)]))", "vacuous", INFEASIBLE)):
            result = run("check", self.write(text))
            self.assertEqual((result.text.splitlines()[0].split(": ", 1)[1], result.code), (f"{words} (infinite buffering)", code))
        self.assertIn(": safe, but a deadlock is possible (zero buffering)\n",
                      run("check", "traces/deadlock_of_some_executions.ctp", "--buffering", "zero").text)

    def test_pairs_limit(self):
        path = self.write(hard(12))
        for arguments in (["pairs", "--method", "exact"], ["pairs", "--why"], ["encode", "--pairs", "exact"]):
            result = run(*arguments, path, "--limit", "10")
            self.assertEqual(result.code, UNKNOWN)
            self.assertIn("within the limit", result.error_text)
            # What is known without the exact pairs is said.
            self.assertEqual("--why" in arguments, ", and perhaps others\n" in result.text)
            self.assertEqual("--why" in arguments, result.out != b"")

    def test_integers_beyond_the_limit(self):
        commands = [("i", "(x := 2)")] + [(f"q{i}", "(x := (* x x))") for i in range(40)]
        for engine in ("auto", "explore", "sat", "smt"):
            result = run("check", self.write(program(commands)), "--engine", engine, "--timeout", "60")
            self.assertEqual((result.code, result.text.splitlines()[0].split(": ")[1]),
                             (UNKNOWN, "unknown (infinite buffering)"))

    def test_a_large_program(self):
        """100,000 commands, one channel: there is nothing to choose."""
        def stream(messages):
            sender, receiver = [("a", "(x := 0)")], [("b", "(y := 0)")]
            for i in range(messages):
                sender += [(f"s{i}", f"(sndi S{i} 1 0 (+ x {i}))"), (f"t{i}", f"(wait S{i})")]
                receiver += [(f"r{i}", f"(rcvi R{i} 0 y)"), (f"w{i}", f"(wait R{i})")]
            return self.write(program(receiver + [("z", f"(assert (= y {messages - 1}))")], sender))

        for messages, options in ((25_000, []), (25_000, ["--engine", "smt"]), (5_000, ["--buffering", "zero"])):
            with self.subTest(messages=messages, options=options):
                result = run("check", stream(messages), *options, "--timeout", "300")
                self.assertEqual((result.code, result.text.splitlines()[0].split(": ")[1].split()[0]), (HOLDS, "safe"))
        path = stream(25_000)
        pairs = run("pairs", path)
        self.assertEqual((pairs.code, len(pairs.text.splitlines())), (HOLDS, 25_001))
        self.assertEqual(run("encode", path).code, HOLDS)


class Solvers(InFolder):
    """A solver is not trusted: what it says is checked where it can be, and a fault of its own is told as such."""

    def ask(self, path, *mode, code, verdict, saying, options=()):
        """The check of a program with the fake solver, as text; and the same as JSON."""
        solver = " ".join(f"'{word}'" for word in (FAKE, *mode))
        arguments = ["check", path, "--engine", "smt", "--solver", solver, *options]
        result = run(*arguments, timeout=60)
        self.assertFalse(result.timed_out)
        self.assertEqual((result.code, result.err), (code, b""), (mode, result.text))
        self.assertRegex(result.text.splitlines()[0], rf": ({verdict}) \(", (mode, result.text))
        self.assertRegex(result.text, rf"\n  {saying}", mode)
        self.assertNotRegex(result.text, "[\x00-\x09\x0b-\x1f\x7f]")
        return result.text

    # Without exploration nothing is known of this but what the solver says.
    UNSETTLED = ("--limit", "1", "--buffering", "zero")

    def model(self, **values):
        path = self.folder / "model"
        path.write_text("(\n" + "".join(f"  (define-fun M_{r} () Int {s})\n" for r, s in values.items()) + ")\n")
        return path

    def test_that_does_not_answer_beside_a_verdict(self):
        """What has selectors and is not lowered: its deadlocks and faults may not take for ever, once it is known to fail."""
        receives = [part for i in range(6) for part in
                    ((f"r{i}", f"(rcvi R{i} 0 x{i}{' (from 1)' if i % 3 == 0 else ''})"), (f"w{i}", f"(wait R{i})"))]
        senders = [[(f"s{s}{i}", f"(sndi S{s}{i} {s} 0 {s})") for i in range(6)] for s in (1, 2, 3)]
        path = self.write(program([*receives, ("as", "(assert (= x1 9))")], *senders))
        result = run("check", path, "--solver", f"'{FAKE}' hang", timeout=60)
        self.assertFalse(result.timed_out)
        self.assertEqual(result.code, FAILURE)
        self.assertIn("decided by samples", result.text)

    def test_missing(self):
        for options in (self.UNSETTLED, (*self.UNSETTLED, "--refine")):
            result = run("check", FIGURE1, "--engine", "smt", "--solver", "/no/such/solver", *options)
            self.assertEqual(result.code, SOLVER_FAILED)
            self.assertIn("\n  solver failed: cannot start /no/such/solver: No such file or directory\n", result.text)

    def test_auto_does_without(self):
        """Other engines decide, and the solver is not even started."""
        result = run("check", FIGURE1, "--buffering", "zero", "--solver", "/no/such/solver")
        self.assertEqual((result.code, result.text.count("solver")), (HOLDS, 0))

    def test_faults(self):
        for mode, saying in (("exit-0", "exited with code 0"), ("exit-3", "exited with code 3"),
                             ("crash-before-reading", r"killed by signal 11 \(SIGSEGV\)"),
                             ("crash-after-reading", r"killed by signal 6 \(SIGABRT\)"),
                             ("crash-after-sat", r"killed by signal 7 \(SIGBUS\) after printing sat"),
                             ("exit-after-sat", "exited with code 0 after printing sat"),
                             ("flood-lines", "printed more than 67108864 bytes"),
                             ("garbage", r"answered \\x00\\xff\\xfe\\x1b\[2J"),
                             ("maybe", r"answered maybe to \(check-sat\)"),
                             ("unsupported", "answered unsupported sat"),
                             ("error-before", r'answered \(error "first"\) sat'),
                             ("error-after", r'answered sat \(error "second"\)'),
                             ("error-only", r'exited with code 0 after printing \(error "no such logic"\)'),
                             ("stderr-only", r"exited with code 2; its standard error: license \\x1b\[31mexpired"),
                             ("close-output", "closed its standard output"),
                             ("bad-model", r"answered \(define-fun x \(\) Int to \(get-model\)"),
                             ("error-model", r'answered \(   \(error "no model"\)\) to \(get-model\)'),
                             ("no-model", r"answered unsupported to \(get-model\)"),
                             ("crash-in-model", r"killed by signal 11 \(SIGSEGV\) after printing")):
            with self.subTest(mode=mode):
                self.ask(FIGURE1, mode, options=self.UNSETTLED, code=SOLVER_FAILED, verdict="unknown",
                         saying=f"solver failed: fake_solver failed: {saying}")

    def test_out_of_memory(self):
        solver = f"sh -c 'ulimit -v 200000; exec \"{FAKE}\" allocate'"
        result = run("check", FIGURE1, "--engine", "smt", "--solver", solver, *self.UNSETTLED)
        self.assertEqual(result.code, SOLVER_FAILED)
        self.assertRegex(result.text, r"\n  solver failed: sh failed: killed by signal 6 \(SIGABRT\); its standard error: ")

    def test_gives_up(self):
        self.ask(FIGURE1, "unknown", options=self.UNSETTLED, code=UNKNOWN, verdict="unknown",
                 saying=r"limit: fake_solver: unknown \(no idea\)")

    def test_hangs(self):
        for mode in ("hang", "hang-ignoring-signals", "hang-in-answer", "hang-in-model", "never-echo"):
            with self.subTest(mode=mode):
                self.ask(FIGURE1, mode, options=(*self.UNSETTLED, "--timeout", "0.5"), code=UNKNOWN,
                         verdict="unknown", saying=r"limit: fake_solver: timeout after \d+ ms")

    def test_a_fault_is_no_verdict(self):
        """A failing run that we have decides the verdict, whatever the solver does."""
        for mode in ("exit-0", "garbage", "unknown"):
            self.ask(self.write(VIOLATED), mode, code=FAILURE, verdict="violated", saying="(solver failed|limit): ")

    def test_models_that_are_none(self):
        cases = (({}, "the model has no value for M_R2"), ({"R2": 2, "R5": 1}, "the model has no value for M_R3"),
                 ({"R2": 99, "R3": 3, "R5": 1}, "M_R2 is `99` in the model, which is not the number of a send"),
                 # 0 stands for a receive without a message; R5 has one, and comes after R2 at its endpoint.
                 ({"R2": 0, "R3": 3, "R5": 1}, "the execution with the matches of its model does not fail"),
                 ({"R2": "true", "R3": 3, "R5": 1}, "M_R2 is `true` in the model"),
                 ({"R2": 2 ** 32 + 2, "R3": 3, "R5": 1}, "M_R2 is `4294967298` in the model"),
                 # A send to another endpoint, one that is received twice, one before its predecessor.
                 ({"R2": 3, "R3": 3, "R5": 1}, "no execution has the matches of its model: R2 = S6: the send goes to "
                                               "another endpoint"),
                 ({"R2": 2, "R3": 3, "R5": 2}, "no execution has the matches of its model: R2 = S4, R5 = S4: a send is "
                                               "received once"),
                 # With zero buffering S5 waits for R3, that for S6, and S6 for R2.
                 ({"R2": 1, "R3": 3, "R5": 2}, "no execution has the matches of its model: "),
                 # The only run there is, and it succeeds.
                 ({"R2": 2, "R3": 3, "R5": 1}, "the execution with the matches of its model does not fail"))
        for values, saying in cases:
            with self.subTest(values=values):
                self.ask(FIGURE1, "model", self.model(**values), options=self.UNSETTLED, code=DISAGREES,
                         verdict="unknown", saying=f"wrong answer: fake_solver says sat, but {saying}")

    def test_a_model_that_is_right(self):
        # Without its assumption: the solver is not asked whether it can be false.
        path = self.write(Path(FIGURE1).read_text().replace("(assume (> b 0))", "(u := (> b 0))"))
        text = self.ask(path, "model", self.model(R2=1, R3=3, R5=2), code=FAILURE, verdict="violated",
                        saying="matches: R2 = S5, R5 = S4, R3 = S6")
        self.assertIn(r"decided by smt (fake_solver)", text)

    def test_unsat_against_a_sample(self):
        """Our own run fails; what the solver says then does not matter."""
        self.ask(FIGURE1, "unsat", code=DISAGREES, verdict="violated",
                 saying="wrong answer: fake_solver says that no execution fails, and here is one that does")

    def test_unsat_against_the_exploration(self):
        """No sample fails, but the search for a deadlock, after the solver's other answers were of no use, comes across an
        execution that does. Counting does not rule a deadlock out, as a message is missing, and every sample leaves the
        path."""
        path = self.write(last_first(6, [("o", "(assume false)")], [("p", "(rcvi Z 9 z)"), ("q", "(wait Z)")]))
        self.ask(path, "second-model", self.model(), code=DISAGREES, verdict="violated",
                 saying="wrong answer: fake_solver says that no execution fails, and here is one that does")

    def test_the_second_answer_is_checked_too(self):
        """Nothing fails, that is right; but no run succeeds either."""
        path = "traces/status_infeasible_keeps_running.ctp"
        self.ask(path, "second-model", self.model(r=1), options=["--limit", "1"], code=DISAGREES, verdict="unknown",
                 saying="wrong answer: fake_solver says sat, but the execution with the matches of its model ends as")

    def test_refinement_ends(self):
        """A solver that gives the same answer for ever, although a clause excludes it."""
        self.ask(FIGURE1, "model", self.model(R2=1, R3=3, R5=2), options=["--refine", *self.UNSETTLED],
                 code=DISAGREES, verdict="unknown",
                 saying="wrong answer: fake_solver says sat, but its model has matches that a clause of the problem "
                        "excludes")

    def test_json(self):
        solver = f"'{FAKE}' exit-3"
        result = run("check", FIGURE1, "--engine", "smt", "--solver", solver, "--format", "json", *self.UNSETTLED)
        self.assertEqual(result.code, SOLVER_FAILED)
        report = json.loads(result.text)["results"][0]
        self.assertEqual(report["verdict"], "unknown")
        self.assertIn({"kind": "solver failed", "what": "fake_solver failed: exited with code 3"}, report["trouble"])

    def test_nothing_is_left_behind(self):
        state = self.folder / "pids"
        for mode in ("grandchild", "hang-with-pid"):
            run("check", FIGURE1, "--engine", "smt", "--solver", f"'{FAKE}' {mode} '{state}'", "--timeout", "0.5",
                *self.UNSETTLED)
            self.assertTrue(within(10, lambda: not any(map(is_running, state.read_text().split()))))
            state.unlink()


if __name__ == "__main__":
    unittest.main()
