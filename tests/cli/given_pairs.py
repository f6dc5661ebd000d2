#!/usr/bin/env python3
"""Match pairs that a user gives: `--pairs FILE`. That the problem has the right answer for any pairs, random tests say
(tests/support/verdicts.cpp); here is how the pairs are read, and that `check` says what the solver says."""

import json
import subprocess
import unittest

from support import BAD_INPUT, FAILURE, HOLDS, INFEASIBLE, InFolder, run

FIGURE1, FIGURE16 = "traces/figure1.ctp", "traces/figure16.ctp"


class GivenPairs(InFolder):
    def problem(self, file, pairs, *options, stdin=b""):
        result = run("encode", file, "--pairs", pairs, *options, stdin=stdin)
        self.assertEqual(result.code, HOLDS, result.error_text)
        return result.out

    def answer(self, file, text, *options):
        problem = self.problem(file, "-", *options, stdin=text.encode())
        return subprocess.run(["z3", "-in"], input=problem, capture_output=True, check=True).stdout.decode().strip()

    def refused(self, file, text, *messages):
        result = run("encode", file, "--pairs", "-", stdin=text if isinstance(text, bytes) else text.encode())
        self.assertEqual((result.code, result.out), (BAD_INPUT, b""))
        said = [line.removeprefix("<stdin>") for line in result.error_text.splitlines() if line.startswith("<stdin>")]
        self.assertEqual(len(said), len(messages), result.error_text)
        for line, message in zip(said, messages):
            self.assertIn(message, line)

    def test_reads_what_pairs_prints(self):
        for file in (FIGURE1, FIGURE16, "traces/orphans_in_transit.ctp"):
            for method in ("exact", "tight", "overapprox", "overapprox-all-sends"):
                wanted = self.problem(file, method)
                for options in ([], ["--format", "json"]):
                    printed = run("pairs", file, "--method", method, *options).text
                    self.assertEqual(self.problem(file, self.write(printed, "pairs")), wanted, (file, method, options))
                    self.assertEqual(self.problem(file, "-", stdin=printed.encode()), wanted)

    def test_fewer_and_more(self):
        """Figure 1 fails if R2 gets S5."""
        for text, failure, success in (("R2: S4, S5\nR5: S4, S5\nR3: S6", "sat", "sat"), ("R2: S5\nR5: S4\nR3: S6", "sat", "unsat"),
                                       ("R2: S4\nR5: S4, S5\nR3: S6", "unsat", "sat"), ("R2: S4, S5\nR5: S4\nR3: S6", "sat", "unsat"), ("R2: S4, S5\nR5: S4, S5", "unsat", "unsat"),
                                       ("R2: S4\nR5: S4\nR3: S6", "unsat", "unsat"), ("", "unsat", "unsat")):
            self.assertEqual((self.answer(FIGURE1, text), self.answer(FIGURE1, text, "--asked", "success")), (failure, success), text)
        # The lists of a receive add up; order, comments and blank lines do not count.
        self.assertEqual(self.problem(FIGURE1, "-", stdin="\ufeff; mine\r\n\r\n  R5:  S5 ,S4\r\nR3: S6\r\nR2: S5\r\nR2: S4, S5".encode()),
                         self.problem(FIGURE1, "tight"))
        # Other encodings take the pairs, too.
        self.assertEqual(self.answer(FIGURE1, "R2: S4\nR5: S4, S5\nR3: S6", "--encoding", "section5"), "unsat")
        self.assertEqual(self.answer(FIGURE1, "R2: S4, S5\nR5: S4, S5\nR3: S6", "--encoding", "section5"), "sat")

    def check(self, file, text, *options):
        return run("check", file, "--pairs", "-", *options, stdin=text.encode())

    def test_check(self):
        """A subset, all pairs, a superset, no pairs: what fails is a run with these matches and no others."""
        for text, code in (("R2: S4, S5\nR5: S4, S5\nR3: S6", FAILURE), ("R2: S5\nR5: S4\nR3: S6", FAILURE), ("R2: S4\nR5: S4, S5\nR3: S6", HOLDS),
                           ("R2: S4, S5\nR5: S4\nR3: S6", FAILURE), ("R2: S4\nR5: S4\nR3: S6", INFEASIBLE), ("R2: S4, S5\nR5: S4, S5", INFEASIBLE), ("", INFEASIBLE)):
            for solver in ("z3", "cvc5"):
                result = self.check(FIGURE1, text, "--format", "json", "--solver", solver)
                self.assertEqual(result.code, code, text)
                found, = json.loads(result.text)["results"]
                self.assertEqual(found["runs"], "complete")
                self.assertEqual(found["given_pairs"], sum(line.count("S") for line in text.splitlines()))
                self.assertEqual(self.answer(FIGURE1, text) == "sat", code == FAILURE)
                if code != INFEASIBLE:
                    given = {(line.split(":")[0], send.strip()) for line in text.splitlines() for send in line.split(":")[1].split(",")}
                    self.assertLessEqual({(m["receive"], m["send"]) for m in found["run"]["matches"]}, given)
        # With all pairs of the program, it says what `check --runs complete` says.
        for file in (FIGURE16, "traces/orphans_in_transit.ctp", "traces/channel_overtaking.ctp"):
            for buffering in ("infinite", "zero"):
                pairs = run("pairs", file, "--method", "exact", "--buffering", buffering).text
                wanted = json.loads(run("check", file, "--runs", "complete", "--buffering", buffering, "--format", "json").text)
                found = json.loads(self.check(file, pairs, "--buffering", buffering, "--format", "json").text)
                self.assertEqual(found["results"][0]["verdict"], wanted["results"][0]["verdict"], (file, buffering))

    def test_check_text(self):
        result = self.check(FIGURE1, "R2: S4\nR5: S5\nR3: S6", "--buffering", "both")
        self.assertEqual(result.code, HOLDS)
        for buffering in ("infinite", "zero"):
            self.assertIn(f"{FIGURE1}: safe ({buffering} buffering, only 3 match pairs)\n  no complete run with these matches fails, and some succeed\n", result.text)
        self.assertNotIn("deadlock", result.text)

    def test_what_check_refuses(self):
        pairs = self.write("R2: S4\n", "pairs")
        for options, says in (("--engine explore", "it needs --engine smt or auto"), ("--engine sat", "it needs --engine smt or auto"), ("--model hb", "goes with no other question"),
                              ("--deterministic", "goes with no other question"), ("--format sarif", "has no SARIF"), ("--certificate x", "not for some match pairs"), (FIGURE16, "is for one program")):
            result = run("check", FIGURE1, "--pairs", pairs, *options.split())
            self.assertEqual((result.code, result.out), (BAD_INPUT, b""), options)
            self.assertIn(says, result.error_text)
        self.assertIn("for programs of plain messages", run("check", "traces/shared_memory/account.ctp", "--pairs", pairs).error_text)
        self.assertIn("there is no send `S9`", self.check(FIGURE1, "R2: S9\n").error_text)

    def test_what_is_wrong_with_pairs(self):
        self.refused(FIGURE1, "R2: S4\nR3: S4\n", ":2:5: error[pairs]: `S4` goes to endpoint 0, and `R3` receives at endpoint 1")
        self.refused(FIGURE1, "R9: S4\nR2: S9, S5\nS4: R2", ":1:1: error[pairs]: there is no receive `R9`",
                     ":2:5: error[pairs]: there is no send `S9`", ":3:1: error[pairs]: there is no receive `S4`")
        self.refused(FIGURE1, "R2", ":1:1: error[syntax]: expected a receive, `: `, and its sends")
        self.refused(FIGURE1, "R2: S4,", ":1:1: error[syntax]: expected a send before and after each comma")
        self.refused(FIGURE1, "R2: ", ":1:1: error[syntax]: expected a")
        self.refused(FIGURE1, "R2: gets no message, S4", "there is no send `gets no message`")
        self.refused(FIGURE1, b"R2: S\xff\n", ":1:5: error")
        json_pairs = [{"receive": "R2", "send": "S6"}, 3, {"receive": "R2"}, {"receive": "R2", "send": 4}, {"receive": "R2", "send": "S"}]
        form = 'expected {"receive": NAME, "send": NAME}'
        self.refused(FIGURE1, json.dumps({"pairs": json_pairs}), "pairs[0]: `S6` goes to endpoint 1", "pairs[1]: " + form, "pairs[2]: " + form,
                     "pairs[3]: " + form, "pairs[4]: there is no send `S`")
        self.refused(FIGURE1, '{"pairs": [', ":1:11: error[syntax]: this is not JSON")
        self.refused(FIGURE1, '{"pairs": 1}', "expected a list `pairs`")
        self.refused(FIGURE1, "{}", "expected a list `pairs`")
        self.assertIn("<stdin>: 480 more not shown", run("encode", FIGURE1, "--pairs", "-", stdin=b"R9: S4\n" * 500).error_text)

    def test_what_pairs_do_not_go_with(self):
        pairs = self.write("R2: S4\n", "pairs")
        for arguments, saying in (((FIGURE1, "--pairs", pairs, "--runs", "executions"), "--pairs FILE is about complete runs"),
                                  (("-", "--pairs", "-"), "cannot both be `-`"),
                                  ((FIGURE1, "--pairs", "tigt"), "is neither a file nor one of exact|overapprox|overapprox-all-sends|tight; did you mean `tight`?"),
                                  ((FIGURE1, "--pairs", ""), "is neither a file nor one of"),
                                  ((FIGURE1, "--pairs", self.folder), "cannot read"),
                                  ((FIGURE1, "--pairs", pairs, "--switches", "1"), "without a bound on context switches"),
                                  (("traces/selectors_master_and_workers.ctp", "--pairs", pairs), "for programs of plain messages"),
                                  (("traces/shared_memory/account.ctp", "--pairs", pairs), "for programs of plain messages")):
            result = run("encode", *arguments)
            self.assertEqual((result.code, result.out), (BAD_INPUT, b""), arguments)
            self.assertIn(saying, result.error_text)
        # A file is never taken for a method, and never replaced.
        self.assertIn("would replace the input", run("encode", FIGURE1, "--pairs", pairs, "-o", pairs).error_text)


if __name__ == "__main__":
    unittest.main()
