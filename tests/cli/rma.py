#!/usr/bin/env python3
"""`matchpoint rma flushes`: the programs of traces/rma need as many flushes as their first comment says."""

import json
import re
import shlex
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

    def test_the_command_below_each_run_takes_it(self):
        """With the flushes that were left, also if the file has a name that a shell would read otherwise."""
        odd = self.folder / "it's $a program.rma"
        odd.write_bytes((TRACES / "lost_update_atomic.rma").read_bytes())
        commands = 0
        for path, *options in ((odd,), (TRACES / "peterson.rma",), (TRACES / "figure2.rma", "--everywhere"), (TRACES / "figure2.rma",)):
            text = run("rma", "flushes", path, *options).text
            for command in re.findall(r"(?m)^    run: (.*)$", text):
                matchpoint, *words = shlex.split(command)
                self.assertEqual((matchpoint, words[:3]), ("matchpoint", ["rma", "run", str(path)]))
                result = run(*words)
                self.assertEqual(result.code, FAILURE, command + result.text + result.error_text)
                memory = re.search(r"  memory: .*", result.text)[0]
                self.assertIn(f"  {memory}\n    run: {command}\n", text)
                commands += 1
        self.assertGreater(commands, 8)
        command = re.search(r"(?m)^    run: (.*)$", run("rma", "flushes", "-", stdin=(TRACES / "figure2_flushed.rma").read_bytes()).text)[1]
        self.assertEqual(shlex.split(command)[:6], ["matchpoint", "rma", "run", "-", "--flushes", "none"])

    def test_other_commands_leave_out_flushes(self):
        program = TRACES / "figure2_two_flushes.rma"
        places = re.findall(r"(?m)^  flushes: (.*)$", run("rma", "flushes", program).text)[0]
        first = re.match(r"[0-9]+:[0-9]+", places)[0]
        self.assertIn("no run goes wrong", run("rma", "draw", program).error_text)
        self.assertEqual(run("rma", "draw", program, "--flushes", first).code, HOLDS)
        self.assertIn("(assert final (= r 2)) does not hold", run("rma", "draw", program, "--flushes", "none").text)
        step = run("rma", "step", program, "--flushes", "none", stdin=b"search\n")
        self.assertIn("planned: 8 steps", step.text)
        self.assertIn("process 2: its flush waits for 2#1", run("rma", "run", TRACES / "figure2.rma", "--everywhere", "--schedule", "2").text)
        for places, says in (("1:1", f"no flush is at `1:1`; expected `none` or some of {first},"), (f"{first},", "no flush is at ``"), ("all", "no flush is at `all`")):
            result = run("rma", "run", program, "--flushes", places)
            self.assertEqual((result.code, result.text), (BAD_INPUT, ""))
            self.assertIn(says, result.error_text)

    def test_all_flushes_are_not_enough(self):
        program = self.folder / "program.rma"
        program.write_text("(rma (process 1 (shared (X 1)) bot) (process 2 (shared (Y 0)) (put X 1 Y) (flush 1) bot) (assert final (= X 1)))")
        result = run("rma", "flushes", program, "-o", self.folder / "none.rma")
        self.assertEqual(result.code, FAILURE)
        self.assertIn(": goes wrong with its flush\n  with it:\n", result.text)
        self.assertIn(f"warning[file]: {self.folder}/none.rma is not written: no placement was found\n", result.error_text)
        self.assertFalse((self.folder / "none.rma").exists())

    def test_without_flushes_it_says_what_to_try(self):
        result = run("rma", "flushes", TRACES / "figure2.rma")
        self.assertEqual(result.code, FAILURE)
        self.assertIn("goes wrong and has no flush; --everywhere tries one after every remote statement", result.text)
        program = self.write("(rma (process 1 (local (u 0)) (while true (u := (+ u 1))) bot) (invariant true))", "program.rma")
        twice = self.write("(rma (process 1 (local (u 0)) (while true (u := (+ u 1))) bot) (process 2 (shared (X 0)) (put Y 3 X) (flush 3))"
                           " (process 3 (shared (Y 0))) (invariant true))", "twice.rma")
        self.assertIn(": unknown: 0 of 1 flush may be enough\n", run("rma", "flushes", "--values", "0..3", twice).text)
        self.assertIn(": unknown: has no flush, and it is open whether it needs one\n", run("rma", "flushes", "--values", "0..3", program).text)
        self.assertIn(": needs no flush, and has none\n", run("rma", "flushes", self.write("(rma (process 1))", "program.rma")).text)

    def test_what_is_not_known(self):
        program = self.folder / "program.rma"
        program.write_text("(rma (process 1 (shared (X 0)) (local (u 0)) (while true (load u X) (store X (+ u 1))) bot)"
                           " (process 2 (shared (Y 0)) (put X 1 Y) (flush 1) bot) (invariant (>= X 0)))")
        result = run("rma", "flushes", "--values", "0..3", program)
        self.assertEqual(result.code, UNKNOWN)
        self.assertIn(": unknown: ", result.text)

    def test_why_it_is_not_known(self):
        """The reduced program forgets the order of atomics, and goes wrong; the search ends where operations have no end."""
        program = self.write("(rma (process 1 (shared (one 1) (two 2)) (accumulate Y 2 replace one) (accumulate Y 2 replace two) (flush 2)\n"
                             "  [a skip] (while true (accumulate Z 2 replace one)))\n(process 2 (shared (Y 0) (Z 0)))\n"
                             "(invariant (or (not (at 1 a)) (= Y 2))))", "atomics.rma")
        state = self.folder / "state.json"
        for _ in range(2):
            result = run("rma", "flushes", "--pending", "2", "--state", state, program)
            self.assertEqual(result.code, UNKNOWN)
            self.assertIn("  undecided: 1 placement of this size: ", result.text)
        self.assertIn("1 placement of this size: more than 1 operation of one statement can be pending, and the reduced program does not decide\n",
                      run("rma", "flushes", "--pending", "1", program).text)
        self.assertEqual(json.loads(run("rma", "flushes", "--pending", "1", program, "--format", "json").text)["reason"],
                         "more than 1 operation of one statement can be pending, and the reduced program does not decide")

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
