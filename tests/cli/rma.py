#!/usr/bin/env python3
"""`matchpoint rma flushes`: the programs of traces/rma need as many flushes as their first comment says."""

import json
import re
import unittest
from pathlib import Path

from support import BAD_INPUT, FAILURE, HOLDS, OUTPUT_FAILED, UNKNOWN, InFolder, run

TRACES = Path(__file__).resolve().parents[2] / "traces/rma"
PROMISE = re.compile(r"^; flushes: ([0-9]+) of ([0-9]+)$", re.M)


class Flushes(InFolder):
    def test_as_many_as_the_programs_say(self):
        asked = 0
        for path in sorted(TRACES.glob("*.rma")):
            if promise := PROMISE.search(path.read_text()):
                asked += 1
                with self.subTest(path=path.name):
                    result = run("rma", "flushes", path)
                    self.assertEqual(result.code, HOLDS)
                    self.assertIn(f": {promise[1]} of {promise[2]} flushes are enough, and no fewer\n", result.text)
        self.assertGreater(asked, 10)

    def test_the_program_with_the_first_placement(self):
        flushed = self.folder / "flushed.rma"
        self.assertEqual(run("rma", "flushes", "--everywhere", TRACES / "figure2.rma", "-o", flushed).code, HOLDS)
        self.assertEqual(flushed.read_text().count("(flush "), 1)
        self.assertEqual(run("rma", "check", flushed).code, HOLDS)

    def test_a_run_without_a_flush_is_one_of_the_program_without_it(self):
        flushed, less = self.folder / "flushed.rma", self.folder / "less.rma"
        text = run("rma", "flushes", "--everywhere", TRACES / "figure2.rma", "-o", flushed).text
        less.write_text("\n".join(line for line in flushed.read_text().split("\n") if "(flush " not in line))
        result = run("rma", "run", less, "--schedule", re.search(r"(?m)^    run: (.*)$", text)[1])
        self.assertEqual(result.code, FAILURE, result.text + result.error_text)

    def test_all_flushes_are_not_enough(self):
        program = self.folder / "program.rma"
        program.write_text("(rma (process 1 (shared (X 1)) bot) (process 2 (shared (Y 0)) (put X 1 Y) (flush 1) bot) (assert final (= X 1)))")
        result = run("rma", "flushes", program, "-o", self.folder / "none.rma")
        self.assertEqual(result.code, FAILURE)
        self.assertIn(": goes wrong with its flush\n  with it:\n", result.text)
        self.assertFalse((self.folder / "none.rma").exists())

    def test_without_flushes_it_says_what_to_try(self):
        result = run("rma", "flushes", TRACES / "figure2.rma")
        self.assertEqual(result.code, FAILURE)
        self.assertIn("goes wrong and has no flush; --everywhere tries one after every remote statement", result.text)

    def test_what_is_not_known(self):
        program = self.folder / "program.rma"
        program.write_text("(rma (process 1 (shared (X 0)) (local (u 0)) (while true (load u X) (store X (+ u 1))) bot)"
                           " (process 2 (shared (Y 0)) (put X 1 Y) (flush 1) bot) (invariant (>= X 0)))")
        result = run("rma", "flushes", "--values", "0..3", program)
        self.assertEqual(result.code, UNKNOWN)
        self.assertIn(": unknown: ", result.text)

    def test_why_it_is_not_known(self):
        """Without a reduced program, nothing decides what is without end."""
        program = self.write("(rma (process 1 (shared (X 0) (one 1)) (local (u 0))\n"
                             "  (while true (accumulate Y 2 replace one)) bot)\n(process 2 (shared (Y 0) (Z 0)) (put X 1 Z) (flush 1) bot)\n(invariant (= X 0)))", "atomics.rma")
        state = self.folder / "state.json"
        for _ in range(2):
            result = run("rma", "flushes", "--pending", "2", "--state", state, program)
            self.assertEqual(result.code, UNKNOWN)
            self.assertIn("  undecided: 1 placement of this size: ", result.text)
        self.assertIn("1 placement of this size: more than 1 operation of one statement can be pending, and the reduction has no remote atomics\n",
                      run("rma", "flushes", "--pending", "1", program).text)
        self.assertEqual(json.loads(run("rma", "flushes", "--pending", "1", program, "--format", "json").text)["reason"],
                         "more than 1 operation of one statement can be pending, and the reduction has no remote atomics")

    def test_no_placement_is_asked_twice(self):
        """What is decided is in the state, once for each placement."""
        for name in ("peterson", "figure2_flushed", "lost_update_atomic", "abp"):
            state = self.folder / f"{name}.json"
            asked = int(re.search(r"  ([0-9]+) placements? asked", run("rma", "flushes", "--state", state, TRACES / f"{name}.rma").text)[1])
            self.assertEqual(asked, len(json.loads(state.read_text())["decided"]), name)

    def test_jobs_and_a_state(self):
        """The same output with any number of jobs, and from a state; a state of something else is refused."""
        program, state = TRACES / "peterson.rma", self.folder / "state.json"
        expected = run("rma", "flushes", program).text
        self.assertEqual(run("rma", "flushes", "--jobs", "3", program).text, expected)
        self.assertEqual(run("rma", "flushes", "--state", state, program).text, expected)
        decided = json.loads(state.read_text())
        for answer in decided["decided"]:
            answer["states"] = 0
        state.write_text(json.dumps(decided))
        again = run("rma", "flushes", "--jobs", "2", "--state", state, program).text
        self.assertEqual(again, re.sub("; [0-9]+ states", "; 0 states", expected), "nothing is asked again")
        for options in (["--pending", "2", program], ["--values", "0..3", program], [TRACES / "dekker.rma"]):
            refused = run("rma", "flushes", "--state", state, *options)
            self.assertEqual((refused.code, refused.text), (BAD_INPUT, ""))
            self.assertIn("is not the state of this search", refused.error_text)
        decided["decided"][-1]["run"] = "1 1 w:2#1"
        decided["decided"][-1]["verdict"] = "violated"
        state.write_text(json.dumps(decided))
        self.assertEqual(run("rma", "flushes", "--state", state, program).code, BAD_INPUT, "a run that cannot be")

    def test_a_state_that_cannot_be_written(self):
        result = run("rma", "flushes", "--state", self.folder / "no/state.json", TRACES / "pgsql.rma")
        self.assertEqual(result.code, OUTPUT_FAILED)

    def test_out_of_time_and_resumed(self):
        state = self.folder / "state.json"
        first = run("rma", "flushes", "--timeout", "0.3", "--jobs", "2", "--state", state, TRACES / "kessel.rma")
        self.assertIn(first.code, (HOLDS, UNKNOWN))
        self.assertEqual(run("rma", "flushes", "--state", state, TRACES / "kessel.rma").text, run("rma", "flushes", TRACES / "kessel.rma").text)

    def test_wrong_arguments(self):
        result = run("rma", "flushes", "--values", "1", TRACES / "figure2.rma")
        self.assertEqual((result.code, result.text), (BAD_INPUT, ""))
        self.assertIn("--values 1: expected a range such as 0..7", result.error_text)
        self.assertEqual(run("rma", "flushes", "--everywhere", TRACES / "figure2.rma", "-o", self.folder / "no/f.rma").code, OUTPUT_FAILED)


if __name__ == "__main__":
    unittest.main()
