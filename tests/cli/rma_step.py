#!/usr/bin/env python3
"""`matchpoint rma step`: its commands through a pipe, scripts, a terminal, and what can go wrong."""

import re
import unittest
from pathlib import Path

from pseudo_terminal import PseudoTerminal
from support import BAD_INPUT, ERROR, HOLDS, MATCHPOINT, InFolder, run

FIGURE2 = "traces/rma/figure2.rma"
FLUSHED = "traces/rma/figure2_two_flushes.rma"
ATOMIC = "traces/rma/lost_update_atomic.rma"
RUN = "2 2 2 rw:2#1 rw:2#2 2"


def session(*commands, file=FIGURE2, arguments=(), echo=False):
    """What a session prints, its errors, its exit code."""
    given = "".join(command + "\n" for command in commands).encode()
    result = run("rma", "step", file, *arguments, *(["--echo"] if echo else []), stdin=given)
    return result.text, result.error_text, result.code


class Commands(InFolder):
    def says(self, *commands, last, **options):
        """The last command of a session prints these lines, and nothing goes wrong."""
        text, errors, code = session(*commands, echo=True, **options)
        self.assertEqual((errors, code), ("", HOLDS))
        self.assertEqual(text.split("\n> ")[-1].split("\n", 1)[-1], last)

    def refuses(self, *commands, saying, **options):
        text, errors, code = session(*commands, **options)
        self.assertIn(saying, errors)
        self.assertEqual(code, BAD_INPUT)

    def test_choices(self):
        self.says("choices", last="  1  2  process 2: (put Y 1 X)\n")
        self.says("take 2 2 2 r:2#2", "choices", last=
                  "  1  2        process 2: (load r R)\n"
                  "  2  rw:2#1   (put Y 1 X); reads X = 3; then Y = 3\n"
                  "  3  r:2#1    (put Y 1 X); reads X = 3\n"
                  "  4  w:2#2=1  (get R Y 1); R = 1\n")
        self.says("choose 1", "choices -a", file=FLUSHED, last="  1  rw:2#1  (put Y 1 X); reads X = 2; then Y = 2\n"
                  "  2  r:2#1   (put Y 1 X); reads X = 2\n  -  process 1: it has finished\n"
                  "  -  process 2: its flush waits for 2#1, (put Y 1 X)\n")
        for refused, why in (("choose 9", "there is no choice 9"), ("choose 0", "there is no choice 0"), ("choose x", "is not a choice"),
                             ("choose", "usage: choose N"), ("choices x", "usage: choices"), ("process 7", "there is no process `7`: there are 1, 2"),
                             ("take r:2#1", "`r:2#1` does not apply: no read is pending of 2#1"), ("take 1", "it has finished"),
                             ("take q", "a word is a process")):
            self.refuses(refused, saying=why)

    def test_every_choice_is_a_word_that_run_takes(self):
        """Whatever is chosen at random, `history` is its schedule, and `run` gets to the same memory by it."""
        for path in (FIGURE2, FLUSHED, ATOMIC, "traces/rma/crossed_puts.rma", "traces/rma/late_get.rma"):
            for seed in range(5):
                with self.subTest(path=path, seed=seed):
                    text, errors, code = session(f"random {seed}", "history", "back", "jump 0", "end", file=path)
                    self.assertEqual((errors, code), ("", HOLDS))
                    history = [line for line in text.split("\n") if re.fullmatch(r"[\drw:#= -]+", line) and line][-1]
                    memory = re.findall(r"memory: (.*)", text)[-1]
                    ran = run("rma", "run", path, "--schedule", history)
                    self.assertIn("final state", ran.text)
                    self.assertIn(f"memory: {memory}\n", ran.text)
        self.assertEqual(len({session("random 7")[0] for _ in range(3)}), 1)
        self.assertGreater(len({session(f"random {i}")[0] for i in range(20)}), 1)

    def test_choosing_all_ways_finds_every_final_valuation(self):
        """By `choices` and `choose` alone, the session gets to the final values that Figure 2 has, and to no others."""
        finals = set()
        for seed in range(60):
            finals.add(session(f"random {seed}", "print r")[0].split("\n")[-2])
        self.assertEqual(finals, {"0", "1", "2", "3"})

    def test_along_a_schedule(self):
        options = {"arguments": ["--schedule", RUN]}
        self.says("step", last="    1 put     process 2: (put Y 1 X); R(2) gets 2#1\n", **options)
        self.says("s 3", "next", last="    4 nic_r   2#1: (put Y 1 X); reads X = 3\n    5 nic_w   2#1: (put Y 1 X); Y = 3\n    6 nic_r   2#2: (get R Y 1); reads Y = 3\n"
                  "    7 nic_w   2#2: (get R Y 1); R = 3\n    8 load    process 2: (load r R); r = 3\n"
                  "  (assert final (!= r 3)) does not hold\n  final state\n", **options)
        self.says("continue", last="at step 8; final; memory: Y = 3, R = 3, X = 3, r = 3\n"
                  "  (assert final (!= r 3)) does not hold\n", **options)
        self.says("until (= Y 3)", last="at step 5/8; memory: Y = 3, R = 0, X = 3, r = 0\n", **options)
        self.says("until 13", last="at step 3/8; memory: Y = 1, R = 0, X = 3, r = 0\n", **options)
        self.says("until (= Y 7)", last="at step 8; final; memory: Y = 3, R = 3, X = 3, r = 3\n"
                  "  (assert final (!= r 3)) does not hold\n(= Y 7) did not come\n", **options)
        self.says("jump 5", "jump 2", last="at step 2/8; memory: Y = 1, R = 0, X = 3, r = 0\n", **options)
        self.says("end", "run", last="at step 8; final; memory: Y = 3, R = 3, X = 3, r = 3\n"
                  "  (assert final (!= r 3)) does not hold\n", **options)
        self.refuses("end", "step", saying="this is a final state; `back` goes back", **options)
        self.refuses("jump 9", saying="there is no step 9: 8 are planned", **options)
        # Another choice drops the plan, the same one keeps it.
        self.says("take 2", "step", last="    2 store   process 2: (store X 3); X = 3\n", **options)
        self.refuses("step", "take rw:2#1", "step", saying="this is the end of what is planned", **options)

    def test_back_and_forth(self):
        options = {"arguments": ["--schedule", RUN]}
        for there, back in (("step 5", "back 5"), ("step 5", "rs 9"), ("jump 8", "jump 0"), ("end", "undo"), ("continue", "reverse-continue")):
            self.says(there, back, "state", last="process 1 has finished\n  Y = 1\nprocess 2 is at line 10: (put Y 1 X)\n"
                      "  R = 0, X = 2, r = 0\n", **options)
        self.says("end", "reverse-next", last="at step 7/8; memory: Y = 3, R = 3, X = 3, r = 0\n", **options)
        self.says("jump 7", "rn", last="at step 2/8; memory: Y = 1, R = 0, X = 3, r = 0\n", **options)
        self.says("take 2", "take 2", "undo", "undo", "redo", last="at step 1; memory: Y = 1, R = 0, X = 2, r = 0\n")
        for command in ("back", "rn", "rc", "undo", "redo"):
            self.assertEqual(session(command)[2], BAD_INPUT, command)

    def test_a_long_run(self):
        """States are kept now and then only; in between they are made anew."""
        program = self.write("(rma (process 1 (local (u 0)) (while true (u := (+ u 1))) bot))", "p.rma")
        schedule = " ".join(["1"] * 1000)
        text = session("end", *(f"jump {n}" for n in (999, 1, 640, 639, 65, 64, 63, 0, 1000)), file=program,
                       arguments=["--schedule", schedule])[0]
        self.assertEqual(re.findall(r"at step (\d+)(?:/1000)?; memory: u = (\d+)", text),
                         [(str(n), str(n // 2)) for n in (1000, 999, 1, 640, 639, 65, 64, 63, 0, 1000)])

    def test_search(self):
        self.says("search", "end", "history", last=RUN + "\n")
        self.says("search", file="traces/rma/figure2_flushed.rma", last="no run goes wrong; 10 states\n")
        self.says("search", arguments=["--sc"], last="no run goes wrong; 5 states\n")
        self.says("take 2 2", "search", "undo", "history", last="2 2\n")

    def test_breakpoints(self):
        options = {"arguments": ["--schedule", RUN]}
        for at, where in (("12", "at step 2/8"), ("(= R 3)", "at step 7/8"), ("(at 2 there)", "at step 1/4")):
            if "there" in at:
                file = self.write(Path(FIGURE2).read_text().replace("(store X 3)", "[there (store X 3)]"), "located.rma")
                text = session(f"break {at}", "break 2.there", "continue", "breakpoints", file=file, arguments=["--schedule", "2 2 2 2"])[0]
                self.assertIn("breakpoint 2: 2.there\nat step", text)
            else:
                text = session(f"break {at}", "continue", "breakpoints", **options)[0]
            self.assertIn(where, text, at)
            self.assertIn("; met 1 time\n", text)
        self.assertIn("watchpoint 1: Y\n  was 1\n  is  3\nat step 5/8", session("watch Y", "continue", **options)[0])
        self.assertIn("watchpoint 1: X\n  was 2\n  is  3\n", session("watch X", "auto")[0])
        self.says("watch Y", "end", "rc", last="watchpoint 1: Y\n  was 1\n  is  3\nat step 5/8; memory: Y = 3, R = 0, X = 3, r = 0\n", **options)
        self.says("break 12", "watch Y", "delete 1", "breakpoints", last="  2  watch Y; met 0 times\n")
        self.says("break 12", "delete", "breakpoints", last="there are none\n")
        for wrong in ("break", "break 99", "break 3.x", "break 2.nowhere", "break (= q 1)", "break (=", "watch", "watch q", "delete 4"):
            self.assertEqual(session(wrong)[2], BAD_INPUT, wrong)

    def test_going_back_counts_one_stop(self):
        """What a run met on its way to the last stop does not count."""
        text = session(f"take {RUN}", "watch X", "watch Y", "watch R", "reverse-continue", "breakpoints")[0]
        stops = re.findall(r"^watchpoint (\d): \w\n  was", text, re.MULTILINE)
        counts = re.findall(r"^ +(\d)  watch \w; met (\d+) time", text, re.MULTILINE)
        self.assertGreater(len(stops), 0, text)
        self.assertEqual(counts, [(n, str(stops.count(n))) for n in "123"], text)

    def test_print_and_display(self):
        self.says("print (+ (* 2 X) Y)", last="5\n")
        self.says("print (and (= X 2) (= Y 1) (= r 0))", last="true\n")
        self.says("print (div X r)", last="no value: it divides by zero\n")
        self.says("display X", "display (< X 3)", "take 2", "undisplay 1", "take 2",
                  last="    2 store   process 2: (store X 3); X = 3\n1: (< X 3) = false\n")
        self.says("display X", "display Y", "display (+ X Y)", "undisplay 1 2", "take 2", last="    1 put     process 2: (put Y 1 X); R(2) gets 2#1\n1: (+ X Y) = 3\n")
        for wrong, why in (("print (+ X true)", "is not an expression"), ("print (", "`)` is missing at its end"), ("print Z", "there is no variable `Z`"),
                           ("print X)", "it closes a bracket that it does not open"), ("print", "usage: print EXPR; for example: print (+ X 1)"),
                           ("print X Y", "is not an expression"), ("print (at 2 nowhere)", "is not an expression")):
            self.refuses(wrong, saying=why)

    def test_pending_and_whynot(self):
        self.says("pending", last="nothing is pending\n")
        self.says("take 2 r:2#1", "pending", file=FLUSHED, last="  2#1: (put Y 1 X), line 9: its write Y := 2 is pending\n")
        self.says("take 2", "whynot 2", file=FLUSHED, last="process 2 does not step: its flush waits for 2#1, (put Y 1 X)\n"
                  "  2#1: (put Y 1 X), line 9: its read of X is pending\n")
        self.says("take 2 rw:2#1", "whynot 2", file=FLUSHED, last="process 2 can step: (flush 1)\n")
        self.says("whynot rw:2#1", last="no read is pending of 2#1, (put Y 1 X)\n")
        self.says("take 2", "whynot rw:2#1", last="`rw:2#1` can come next\n")
        text = session("take 2", "whynot 3", file=ATOMIC)[0]
        self.assertIn("process 3 does not step: process 2 is inside of an `atomic`, so no other one steps\n  process 2 is at line", text)
        assume = self.write("(rma (process 1 (local (u 0) (v 1)) (assume (= u v)) bot))", "assume.rma")
        self.says("whynot 1", file=assume, last="process 1 can step: (assume (= u v))\n"
                  "  it is false here (u = 0, v = 1): the run would end, and not count\n")
        self.assertIn("the run has ended: discarded; `back` goes back", session("take 1", "step", file=assume)[1])
        self.says("take 1", "back", "choices", file=assume, last="  1  1  process 1: (assume (= u v))\n")
        for wrong in ("whynot 7", "whynot 1 2", "whynot q"):
            self.assertEqual(session(wrong)[2], BAD_INPUT, wrong)

    def test_equal_operations_are_counted(self):
        program = self.write("(rma (process 1 (shared (X 0)) bot) (process 2 (shared (Y 1)) (while true (put X 1 Y)) bot))", "p.rma")
        self.says("take 2 2 2 2 2 2 r:2#1 r:2#1", "pending", file=program,
                  last="  2#1: (put X 1 Y), line 1: its read of Y is pending\n"
                       "  2#1: (put X 1 Y), line 1: its write X := 1 is pending, 2 times\n")

    def test_remote_atomics(self):
        """They are executed in the order of their issue: only the first of a variable can come next."""
        program = self.write("(rma (process 1 (shared (Y 5)) bot) (process 2 (shared (X 0) (Z 1))"
                             " (fetch-and-op X Y 1 + Z) (accumulate Y 1 * Z) (flush 1) bot))", "p.rma")
        self.says("take 2 2", "choices", file=program, last="  1  aw:2#1  (fetch-and-op X Y 1 + Z); reads Y = 5; Y = 6; then X = 5\n"
                  "  2  a:2#1   (fetch-and-op X Y 1 + Z); reads Y = 5; Y = 6\n")
        self.says("take 2 2", "pending", file=program, last="  2#1: (fetch-and-op X Y 1 + Z), line 1: its step on Y is pending\n"
                  "  2#2: (accumulate Y 1 * Z), line 1: its step on Y is pending after another one\n")
        self.says("take 2 2 aw:2#1", "choices", file=program, last="  1  a:2#2  (accumulate Y 1 * Z); reads Y = 6; Y = 6\n")
        self.says("take 2 2 aw:2#1 a:2#2 2", "history", file=program, last="2 2 aw:2#1 a:2#2 2\n")

    def test_invariants(self):
        program = self.write("(rma (process 1 (shared (X 0)) (store X 1) (store X 2) bot) (invariant (< X 1)))", "p.rma")
        self.says("auto", file=program, last="    1 store   process 1: (store X 1); X = 1\n  (invariant (< X 1)) does not hold\n"
                  "    2 store   process 1: (store X 2); X = 2\n  final state\n")

    def test_sc(self):
        self.says("take 2", arguments=["--sc"], last="    1 put     process 2: (put Y 1 X); Y = 2\n")

    def test_list(self):
        text = session("take 2 2", "list", "list 1,3", "list", "list process 1", "list 15")[0]
        self.assertIn(" 2>   12      (get R Y 1)\n", text)
        self.assertIn(" 1>    8    (process 1 (shared (Y 1)) bot)\n", text)
        self.assertIn("       1  ; Figure 2", text)
        for wrong in ("list x", "list process 9", "list 1 2 3"):
            self.assertEqual(session(wrong)[2], BAD_INPUT, wrong)

    def test_draw(self):
        self.assertEqual(session("take " + RUN, "draw")[0].split("final state\n")[1], run("rma", "draw", FIGURE2).text)

    def test_habits(self):
        for word, why in (("un", "`un` can be until, undo, undisplay"), ("frob", "there is no command `frob`"), ("chose 1", "did you mean `choose`?"),
                          ("info", "`state`, `pending`, `history` and `breakpoints`"), ("state x", "`state` takes no arguments")):
            self.refuses(word, saying=why)
        self.says("# a comment", "hist", last="\n")
        self.assertIn("Choosing\n  choices ", session("help")[0])
        self.assertIn("take WORDS\n  Do what the words of a schedule say.\n  For example: take 2 2 rw:2#1\n  Also: t\n", session("help take")[0])
        self.assertIn("whynot: Explain why", session("apropos explain")[0])
        # Errors go on.
        text, errors, code = session("frob", "take 2", "choose 9", "history")
        self.assertEqual((text.split("\n")[-2], errors.count("error: "), code), ("2", 2, BAD_INPUT))
        self.assertTrue(errors.startswith("<stdin>:1: error: "))

    def test_what_has_to_do_with_a_flush(self):
        text, errors, code = session("apropos flush")
        self.assertEqual((errors, code), ("", HOLDS))
        self.assertEqual([line.split(":")[0] for line in text.splitlines() if ": " in line], ["choices", "pending", "whynot", "draw"])

    def test_files(self):
        schedule, script = self.folder / "schedule", self.folder / "script"
        text, errors, code = session("take " + RUN, "back 2", f"save schedule {schedule}", f"save session {script}")
        self.assertEqual((errors, code), ("", HOLDS))
        self.assertEqual(schedule.read_text(), "2 2 2 rw:2#1 r:2#2\n")
        self.assertEqual(script.read_text(), f"take {RUN}\nback 2\n")
        self.says(f"source {script}", "history", last="2 2 2 rw:2#1 r:2#2\n")
        self.says("history", arguments=["-x", script], last="2 2 2 rw:2#1 r:2#2\n")
        script.write_text("take 2\nfrob\n")
        self.refuses(f"source {script}", saying=f"{script}:2: error: there is no command `frob`")
        self.assertEqual(run("rma", "step", FIGURE2, "-x", script).code, BAD_INPUT)
        for wrong in ("save", "save schedule", "save x y", "save schedule /nowhere/x", "source", "source /nowhere"):
            self.assertEqual(session(wrong)[2], BAD_INPUT, wrong)

    def test_usage(self):
        self.refused("rma", "step", "-", saying="standard input has the commands")
        self.refused("rma", "step", "nowhere.rma", saying="nowhere.rma")
        self.refused("rma", "step", FIGURE2, "--schedule", "q", saying="a word is a process")
        self.assertEqual(run("rma", "step", FIGURE2, "--schedule", "w:2#1").code, ERROR)

    def test_a_terminal(self):
        """Enter repeats a command or does what the brackets say; Tab completes; Ctrl-C ends a search."""
        with PseudoTerminal(MATCHPOINT, "rma", "step", FIGURE2) as terminal:
            self.assertIn("figure2.rma: 2 processes\r\nNothing is planned", terminal.wait_for("0 [choose 1] > "))
            terminal.type("\r")
            terminal.wait_for("1 [choose 1] > ")
            terminal.type("hist\t\r")
            terminal.wait_for("1 [choose 1] > ")
            terminal.type("search\r")
            terminal.wait_for("0/8 [step] > ")
            terminal.type("continue\r")
            terminal.wait_for("8 violated final [continue] > ")
            terminal.type("frob\r")
            terminal.wait_for("there is no command `frob`")
            terminal.wait_for(" > ")
            terminal.type("back 3\r")
            terminal.wait_for("5/8 [back 3] > ")
            terminal.type("quit\r")


if __name__ == "__main__":
    unittest.main()
