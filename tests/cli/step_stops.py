#!/usr/bin/env python3
"""`matchpoint step`: breakpoints and their conditions, forward and back; deadlocks."""

import random
import re
import unittest

from step_session import CIRCLE, Session, counting, session
from support import program


class Conditions(Session):
    def test_every_kind_of_breakpoint_has_them(self):
        for what, condition, step in (("09", "(= a 4)", 15), ("thread 0", "(= A 4)", 6), ("receive R5", "(= a 4)", 13),
                                      ("(> b 0)", "(= a 4)", 14)):
            for command in ("break", "tbreak"):
                text = self.says(f"{command} {what} if {condition}", "continue")
                self.assertIn(f"breakpoint 1: {what} if {condition}", text)
                self.assertIn(f"\nat step {step}/16", text, what)
                text = self.says(f"{command} {what} if (not {condition})", "continue")
                self.assertIn("the run is complete", text, what)
        self.assertIn("at step 7/16", self.says("watch a if (> a 3)", "continue"))
        self.assertIn("the run is complete", self.says("watch a if (> a 4)", "continue"))
        self.assertIn("at step 15", self.says("break 09 if(= a 4)", "continue"))

    def test_status(self):
        text = self.says("break status failure if (= a 1)", "search failure", "continue", "info breakpoints", arguments=["--choose"])
        self.assertRegex(text, r"breakpoint 1: status failure if \(= a 1\), by step \d+, thread 0: 09 \(assert \(= a 4\)\)\n")

    def test_refused_at_once(self):
        for condition, why in (("(> q 1)", "no variable `q`"), ("(> a", "not an expression"), ("(+ a 1)", "is an integer"),
                               ("7", "is an integer")):
            for command in ("break 09 if ", "tbreak thread 0 if ", "watch a if "):
                self.refuses(command + condition, saying=why)
            self.assertIn("  1  break 09 if (= a 4)\n",
                          self.refuses("break 09 if (= a 4)", "condition 1 " + condition, "info breakpoints", saying=why))
        self.refuses("break 09 if", saying="`if` needs a condition")
        self.assertIn("there are none", session("break 09 if (> q 1)", "info b")[0])

    def test_without_a_value_it_does_not_stop(self):
        """That is told the first time."""
        text = self.says("break 04 if (> b 1)", "continue", "info breakpoints")
        self.assertIn("breakpoint 1 does not stop at step 6/16: b has no value; `info breakpoints` counts this\nat step 16;", text)
        self.assertIn("  1  break 04 if (> b 1)\n     its condition was neither true nor false 1 time: b has no value\n", text)
        file = self.write(program([*((f"c{i}", f"(x := {i})") for i in range(9)), ("z", "(z := x)")]))
        text = self.says("watch x if (> z 1)", "auto", "info breakpoints", file=file, arguments=["--choose"])
        self.assertEqual(text.count("watchpoint 1 does not stop at step 1: z has no value"), 1)
        self.assertIn("neither true nor false 9 times: z has no value\n", text)

    def test_a_condition_that_can_never_hold_stops_the_run(self):
        """The run does not wait for an integer to become true."""
        stop = "breakpoint 1: 09 if a\n  its condition is neither true nor false: it is 4\nat step 15/16; "
        text = self.says("break 09 if a", "ignore 1 5", "continue", "info breakpoints")
        self.assertIn(stop, text)
        self.assertIn("     its condition was neither true nor false 1 time: it is 4\n", text)
        text = self.says("break 09 if a", "end", "reverse-continue", "condition 1 (= a 4)", "end", "reverse-continue")
        self.assertIn(stop, text)
        self.assertEqual(text.count("neither true nor false"), 1)
        self.assertIn("  is  4\n  its condition is neither true nor false: it is 4\n", self.says("watch a if A", "continue"))

    def test_condition(self):
        text = self.says("break 09", "condition 1 (= a 5)", "continue", "undo", "condition 1", "continue")
        self.assertIn("  1  break 09 if (= a 5)\n", text)
        self.assertTrue(text.endswith("breakpoint 1: 09\nat step 15/16; next is 09, thread 0: (assert (= a 4)); s = success\n"), text)
        for wrong in ("condition", "condition 2 true", "condition x"):
            self.refuses("break 09", wrong, saying="")

    def test_enable_and_disable(self):
        text = self.says("break 06", "break 09", "disable 1", "info breakpoints", "list 06", "continue")
        self.assertIn("  1  break 06, disabled\n  2  break 09\n", text)
        self.assertIn(" b  06     (wait R5)\n", text)
        self.assertIn(" B  09 ", text)
        self.assertIn("at step 15/16", text)
        self.assertIn("at step 12/16", self.says("break 06", "break 09", "disable", "enable 1-2", "continue"))
        self.assertIn("the run is complete", self.says("break 06", "break 09", "disable 1-2", "continue"))
        self.assertIn("  2  break 09\n", self.says("break 06", "break 09", "break 04", "delete 1 3", "info breakpoints"))
        for wrong in ("enable 7", "disable x", "delete 4-9"):
            self.refuses("break 06", wrong, saying="breakpoint")

    def test_ignore(self):
        file = self.write(counting(20))
        text = self.says("watch x", "ignore 1 3", "continue", "info breakpoints", "continue", file=file)
        self.assertIn("  1  watch x, the next 3 stops ignored\n", text)
        self.assertIn("at step 4/20", text)
        self.assertIn("  1  watch x, met 4 times\n", text)
        self.assertIn("at step 5/20", text)
        for wrong in ("ignore 1", "ignore 2 3", "ignore 1 x"):
            self.refuses("watch x", wrong, saying="", file=file)

    def test_one_for_one_stop(self):
        """A breakpoint for one stop stays as long as it does not stop the run."""
        file = self.write(counting(20))
        text = self.says("tbreak (= (mod x 5) 4) if (> x 9)", "ignore 1 1", "continue", "info b", file=file)
        self.assertIn("at step 20", text)
        self.assertIn("there are none", text)
        self.assertIn("x = 19", self.says("tbreak (= (mod x 5) 4) if (> x 9)", "ignore 1 1", "display x", "continue", file=file))

    def test_stops_at_one_place_are_told_together(self):
        text = self.says("watch a", "break 05", "break thread 0", "jump 6", "continue", "info b")
        self.assertIn("watchpoint 1: a, changed by step 6, thread 0: 04 (a := A)\n  was no value\n  is  4\n", text)
        text = self.says("break 05", "break thread 0", "jump 7", "continue", "info b")
        self.assertIn("breakpoint 1: 05\nbreakpoint 2: thread 0\nat step 11/16", text)
        self.assertIn("met 1 time\n  2  break thread 0, met 1 time\n", text)

    def test_where_runs_are_chosen(self):
        """Breakpoints on locations and threads stop `auto` and `random`, too."""
        for command in ("auto", "random 3"):
            text = self.says("break 09", command, "info threads", command, arguments=["--choose"])
            self.assertIn("breakpoint 1: 09\n", text)
            self.assertIn("thread 0: at 09 ", text)
            self.assertIn("the run is complete", text)
        text = self.says("watch C", "thread 2", "thread 2", "thread 2", "thread 1", "deliver 1 2", "thread 1", arguments=["--choose"])
        self.assertIn("watchpoint 1: C, changed by step 4, thread 1: 14 (wait R3)\n", text)

    def test_step_and_next_stop_there(self):
        self.assertIn("breakpoint 1: 03\n", self.says("break 03", "step 9"))
        self.assertNotIn("\n    3 03", self.says("break 03", "step 9"))
        self.assertIn("watchpoint 1: a", self.says("watch a", "stepi 200"))

    def test_until(self):
        self.assertEqual(self.says("jump 6", "until"), self.says("jump 6", "next"))
        self.assertIn("at step 12/16", self.says("until 06"))
        self.refuses("until 06", "until 02", saying="02 has run: `tbreak 02` and `reverse-continue` go back to it")
        self.assertIn("breakpoint 1: 04\nat step 6/16", self.says("break 04", "until 06"))


class Backwards(Session):
    def test_who_changed_it(self):
        text = self.says("watch a", "end", "rc", "print a", "step")
        self.assertIn("watchpoint 1: a, changed by step 6, thread 0: 04 (a := A)\n  was no value\n  is  4\n"
                      "at step 6/16; next is 04, thread 0: (a := A); s = success\nno value\n", text)
        self.assertIn("watchpoint 1: Pnd_r(0), changed by step 12, thread 0: 06 (wait R5)\n  was Pnd_r(0) = ([R5 B])\n  is  Pnd_r(0) = ()\n",
                      self.says("watch Pnd_r(0)", "end", "rc"))

    def test_last_finds_a_write_of_the_same_value(self):
        """`watch` stops at changes only, as in gdb."""
        file = self.write("( ( [a (x := 5)] [b (x := 5)] [c (y := 1)] [d (x := 6)] bot ) )\n( (a bot) (b bot) (c bot) (d bot) )\n")
        same = "x, written by step 1, thread 0: b (x := 5)\n  was 5\n  is  5, the same\n"
        for place in ("jump 2", "jump 3"):
            self.assertTrue(self.says(place, "last x", file=file).endswith(same), place)
        self.assertIn("x, changed by step 0, thread 0: a (x := 5)\n  was no value\n  is  5\n", self.says("jump 1", "last x", file=file))
        self.assertIn("x, changed by step 3, thread 0: d (x := 6)\n  was 5\n  is  6\n", self.says("end", "last x", file=file))
        self.assertIn("x, changed by step 3, thread 0: d", self.says("jump 3", "stepi 2", "last x", file=file))
        self.assertIn("x, changed by hand, after step 3: x = 7", self.says("jump 3", "set x = 7", "last x", file=file))
        self.assertIn("changed by step 3", self.says("jump 1", "watch x", "continue", file=file))
        self.assertNotIn("step 1,", self.says("jump 1", "watch x", "continue", file=file))

    def test_last(self):
        text = self.says("end", "last a", "info status")
        self.assertEqual(text.split("(well-formed)\n")[1], "a, changed by step 6, thread 0: 04 (a := A)\n"
                         "  was no value\n  is  4\ns = success\n")
        self.assertEqual(self.says("step 2", "who Pnd_s(0,2)").splitlines()[-3:],
                         ["Pnd_s(0,2), changed by step 0, thread 2: 24 (sndi S4 2 0 4)", "  was Pnd_s(0)(2) = ()",
                          "  is  Pnd_s(0)(2) = ([S4 4])"])
        self.assertEqual(self.says("last a"), "no step has written it: a has no value\n")
        self.assertEqual(self.says("last Q_s(0)"), "no step has changed it: Q_s(0) = ()\n")
        self.assertIn("step 6, thread 0: 04", self.says("jump 6", "stepi 3", "last a"))
        self.assertEqual(self.says("jump 1", "deliver 0 2", "last Q_s(0)").splitlines()[-3:],
                         ["Q_s(0), changed by step 1, a delivery", "  was Q_s(0) = ()", "  is  Q_s(0) = ([S4 4])"])
        self.assertIn("watchpoint 1: Q_s(0), changed by step 1, a delivery\n",
                      self.says("jump 1", "deliver 0 2", "watch Q_s(0)", "rc"))
        for wrong in ("last", "last zz", "last Q_s(9)"):
            self.refuses(wrong, saying="")
        self.assertIn("last: ", self.says("apropos change"))

    def test_expressions_and_receives(self):
        text = self.says("break (= a 4)", "break receive R5", "end", "rc", "rc", "rc")
        self.assertIn("breakpoint 2: receive R5, by step 12, thread 0: 06 (wait R5)\nat step 12/16", text)
        self.assertIn("breakpoint 1: (= a 4), by step 6, thread 0: 04 (a := A)\nat step 6/16", text)
        self.assertTrue(text.endswith("at step 0/16; next is 24, thread 2: (sndi S4 2 0 4); s = success\n"))

    def test_the_same_steps_stop_it(self):
        """Whatever the breakpoints: going back stops at the steps that stop a run forward, in the opposite order."""
        file = self.write(counting(30))
        chance = random.Random(1)
        kinds = ["watch x", "watch (mod x 3)", "break c7", "break c20", "break thread 0", "break (> x 9)", "break (= (mod x 4) 2)",
                 "watch (div 6 (- x 8))"]
        conditions = ["", " if (> x 11)", " if (= (mod x 2) 1)", " if (< x 17)", " if (= 1 (div 6 (- x 5)))"]
        for _ in range(25):
            stops = [chance.choice(kinds) + chance.choice(conditions) for _ in range(3)] + ["disable " + chance.choice("123")]
            # Until nothing more comes: more commands are refused then.
            forward = session(*stops, "info status", *["continue"] * 31, file=file)[0]
            back = session(*stops, "info status", "end", *["reverse-continue"] * 31, file=file)[0]
            changes = re.compile(r"^\w+point (\d): .*by step (\d+),", re.M)
            self.assertEqual(sorted(changes.findall(forward)), sorted(changes.findall(back)), stops)
            places = re.compile(r"^breakpoint (\d): [^,\n]*(?:\n\w+point .*)*\nat step (\d+)", re.M)
            there = set(places.findall(forward))
            self.assertEqual(there, {p for p in places.findall(back) if p[1] != "0"}, stops)

    def test_locations_are_counted_alike(self):
        file = self.write(counting(30))
        def met(*commands):
            return re.findall(r"met (\d+) times?", self.says("break thread 0 if (> x 4)", *commands, "info b", file=file))
        # Forward the run does not stop where it begins.
        self.assertEqual(met("ignore 1 99", "continue"), ["24"])
        self.assertEqual(met("ignore 1 99", "end", "reverse-continue"), ["24"])

    def test_ignored_and_disabled(self):
        file = self.write(counting(30))
        self.assertIn("at step 26/30", self.says("watch x", "ignore 1 3", "end", "rc", file=file))
        self.assertIn("at step 0/30", self.says("watch x", "disable", "end", "rc", file=file))
        text = self.says("tbreak (= x 7)", "end", "rc", "info b", file=file)
        self.assertIn("at step 7/30", text)
        self.assertIn("there are none", text)

    def test_reverse_step_and_next(self):
        self.assertIn("breakpoint 1: 04\nat step 6/16", self.says("break 04", "jump 10", "reverse-step 9"))
        self.assertIn("breakpoint 1: 04\nat step 6/16", self.says("break 04", "jump 13", "reverse-next", "reverse-next", "reverse-next"))

    def test_a_long_run(self):
        """A hundred thousand steps: a copy or a run from the beginning for each step takes hours."""
        n = 100_000
        file = self.write(counting(n))
        text = self.says("watch (> x 3)", "break c9 if (> x 100)", "end", "last (> x 3)", "rc", "print x", "rc", file=file)
        self.assertIn("watchpoint 1: (> x 3), changed by step 4, thread 0: c4 (x := (+ x 1))\n  was false\n  is  true\n", text)
        self.assertIn("\n3\n", text)
        chosen = self.says("auto", "watch (> x 3)", "rc", "info trace", file=file, arguments=["--choose"])
        self.assertIn("changed by step 4", chosen)


class Blocked(Session):
    def test_a_cycle(self):
        text = self.says("trace 2", "end", "undo", "jump 2", "info status", "why", file=CIRCLE)
        for line in ("at step 2; deadlock; s = success so far\n", "nothing can come next: a deadlock\n",
                     "  thread 0: at 01 (wait r1)\n            r1 waits for message 1 to endpoint 0; 0 are delivered; "
                     "thread 1 would send s2 at 12\n", "  a cycle: thread 0 waits for thread 1, thread 1 waits for thread 0\n"):
            self.assertGreaterEqual(text.count(line), 1, line)
        self.assertGreaterEqual(text.count("a cycle: "), 3)
        self.refuses("auto", "step", saying="nothing can come next: a deadlock", file=CIRCLE, arguments=["--choose"])

    def test_a_message_that_nobody_sends(self):
        file = self.write(program([("0", "(rcvi R 0 x)"), ("1", "(wait R)")], [("2", "(sndi S 1 3 1)")]))
        text = self.says("auto", "info status", file=file)
        self.assertIn("; deadlock; s = success so far\n", text)
        self.assertEqual(text.count("no send to it is left\n  nobody will send what R waits for: thread 0 at 1\n"), 2)

    def test_a_fault(self):
        file = self.write(program([("0", "(x := 0)"), ("1", "(y := (div 1 x))")]))
        text = self.says("auto", "info status", file=file)
        self.assertIn("; fault; s = success so far\nnothing can come next: a fault\n", text)
        self.assertEqual(text.count("  a fault: thread 0 at 1\n"), 2)
        traced = self.write(program([("0", "(x := 0)"), ("1", "(y := (div 1 x))")], traces=[["0", "1"]]))
        text = self.says("end", "info status", file=traced)
        self.assertTrue(text.endswith("s = error\nstuck: rule BINARY OPERATION: (div 1 0) has no value\n"), text)

    def test_zero_buffering(self):
        text = self.says("auto", file="traces/buffering_ring_of_three.ctp", arguments=["--choose", "--buffering", "zero"])
        self.assertIn("with zero buffering s0 waits for a receive at endpoint 1; thread 1 would post r1 at 12\n", text)
        self.assertIn("a cycle: thread 0 waits for thread 1, thread 1 waits for thread 2, thread 2 waits for thread 0\n", text)


if __name__ == "__main__":
    unittest.main()
