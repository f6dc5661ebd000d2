#!/usr/bin/env python3
"""`matchpoint step`: its commands through a pipe, scripts, a terminal with its keys, and what can go wrong."""

import os
import pty
import re
import select
import signal
import subprocess
import tempfile
import termios
import time
import unittest
from pathlib import Path

from support import BAD_INPUT, HOLDS, MATCHPOINT, FAILURE, InFolder, is_running, program, ran_trace, run

FIGURE1 = "traces/figure1.ctp"


def session(*commands, file=FIGURE1, arguments=(), echo=False):
    """What a session prints, its errors, its exit code."""
    result = run("step", file, *arguments, *(["--echo"] if echo else []), stdin="".join(c + "\n" for c in commands).encode())
    return result.text, result.error_text, result.code


class Commands(InFolder):
    def gen(self, *family):
        return self.write(run("gen", *family).text)

    def says(self, *commands, last, **options):
        """The last command of a session prints these lines, and nothing goes wrong."""
        text, errors, code = session(*commands, echo=True, **options)
        self.assertEqual((errors, code), ("", HOLDS))
        self.assertEqual(text.split("\n> ")[-1].split("\n", 1)[-1], last)

    def test_step(self):
        self.says("step", last="    0 24  thread 2: (sndi S4 2 0 4)\n"
                               "      SNDI COMMAND                   A(S4) = 2; Pnd_s(0)(2) = ([S4 4])\n")

    def test_prefixes_and_aliases(self):
        for word in ("st", "s"):
            text, errors, code = session(word)
            if word == "st":
                self.assertIn("`st` can be step, stepi", errors)
                self.assertEqual(code, BAD_INPUT)
            else:
                self.assertIn("SNDI COMMAND", text)
        self.assertIn("there is no command `frobnicate`", session("frobnicate")[1])
        self.assertIn("s = success", session("info stat")[0])

    def test_next(self):
        """Thread 2 moves twice; what others do in between is done too."""
        self.says("jump 1", "next", "info threads", last="thread 0: at 04 (a := A)\nthread 1: at 13 (rcvi R3 1 C)\n"
                                                         "thread 2: at 26 (sndi S6 2 1 7)\n")

    def test_back_and_forth(self):
        for there, back in (("step 5", "reverse-step 5"), ("jump 16", "jump 0"), ("end", "undo"), ("stepi 7", "rsi 7")):
            self.says("info state", there, back, "info state",
                      last="thread 0 is at 02\nthread 1 is at 13\nthread 2 is at 24\ns = success\n")
        self.says("step", "undo", "redo", "info status", last="s = success\n")
        for command in ("rs", "rsi", "rn", "rc", "undo", "redo", "restart 1", "diff", "bt"):
            self.assertEqual(session(command)[2], BAD_INPUT, command)

    def test_checkpoint(self):
        self.says("step 3", "checkpoint", "thread 1", "thread 2", "end", "restart 1", "info threads",
                  last="thread 0: at 03 (wait R2)\n            no message has arrived for R2 at endpoint 0 (Q_s(0) "
                  "is empty)\nthread 1: at 13 (rcvi R3 1 C)\nthread 2: at 26 (sndi S6 2 1 7)\n")

    def test_reverse_next(self):
        self.says("jump 5", "reverse-next", last="at step 4/16; next is 26, thread 2: (sndi S6 2 1 7); s = success\n")

    def test_choices(self):
        self.says("choices", arguments=["--choose"], last="  1  thread 0: 02 (rcvi R2 0 A)\n"
                  "  2  thread 1: 13 (rcvi R3 1 C)\n  3  thread 2: 24 (sndi S4 2 0 4)\n")
        self.says("follow \"1;1;1\"", "info threads", arguments=["--choose"], last=
                  "thread 0: at 03 (wait R2)\n            no message has arrived for R2 at endpoint 0 (Q_s(0) "
                  "is empty)\nthread 1: at 14 (wait R3)\n            no message has arrived for R3 at "
                  "endpoint 1 (Q_s(1) is empty)\nthread 2: at 25 (wait S4)\n")
        for refused, why in (("choose 9", "there is no choice 9"), ("choose x", "is not a choice"), ("choose 0", "no choice 0"),
                             ("deliver 0 1", "nothing is in transit"), ("thread 7", "there is no thread 7"),
                             ("deliver 0", "usage"), ("deliver 0 9", "no endpoint `9`")):
            text, errors, code = session(refused, arguments=["--choose"])
            self.assertIn(why, errors)
            self.assertEqual(code, BAD_INPUT)

    def test_random_is_repeated_by_its_seed(self):
        texts = {session("random 7", "info trace", arguments=["--choose"])[0] for _ in range(3)}
        self.assertEqual(len(texts), 1)
        self.assertGreater(len({session(f"random {i}", "info matches", arguments=["--choose"])[0] for i in range(20)}), 1)

    def test_deadlock_is_told(self):
        file = self.write(program([("0", "(rcvi R 0 x)"), ("1", "(wait R)")]))
        text, errors, code = session("auto", file=file)
        self.assertIn("nothing can come next: a deadlock\n  thread 0: at 1 (wait R)\n", text)
        self.assertEqual(code, HOLDS)

    def test_breakpoints(self):
        for at, where in (("06", "at step 12/16"), ("thread 1", "at step 7/16"), ("receive R3", "at step 9/16"),
                          ("(= a 4)", "at step 7/16")):
            text = session(f"break {at}", "continue", "info breakpoints")[0]
            self.assertIn(where, text, at)
            self.assertIn("met 1 time\n", text)
        self.assertIn("at step 15/16", session("tbreak 09", "continue", "info breakpoints")[0])
        self.assertIn("there are none", session("tbreak 09", "continue", "info breakpoints")[0])
        self.assertIn("there are none", session("break 09", "watch a", "delete", "info b")[0])
        text = session("watch Pnd_s(0,2)", "continue")[0]
        self.assertIn("  was Pnd_s(0)(2) = ()\n  is  Pnd_s(0)(2) = ([S4 4])\n", text)
        self.assertIn("breakpoint 1: status failure", session("break status failure", "search failure", "continue",
                                                              arguments=["--choose"])[0])
        for wrong in ("break", "break 99", "break thread 9", "break receive S4", "break status odd", "break (= q 1)",
                      "break (=", "watch Q_s(9)", "watch Pnd_s(0)", "delete 4"):
            self.assertEqual(session(wrong)[2], BAD_INPUT, wrong)

    def test_print_and_display(self):
        text = session("display a", "jump 7", "print (> a 3)", "print (div a 0)", "print b", "display")[0]
        self.assertIn("a has no value\n", text)
        self.assertIn("a = 4\ntrue\nno value: ", text)
        self.assertIn("  1  a\n", text)
        for wrong in ("print", "print (+ a", "print a) (", "print zz", "print 1)]))((([2 (x := 1"):
            self.assertEqual(session("end", wrong)[2], BAD_INPUT, wrong)

    def test_stepi_tells_every_rule_once(self):
        def rules(text):
            return re.findall(r"^      ([A-Z(][A-Z ()]+[A-Z)])  ", text, re.M)
        by_one = session(*["stepi"] * 200)[0]
        self.assertEqual(rules(by_one), rules(run("run", FIGURE1, "--trace", "1", "--steps").text))
        self.assertEqual(rules(session("stepi 200")[0]), rules(by_one))

    def test_a_location_instead_of_an_action(self):
        """What is suggested can be typed: no place follows it."""
        for action, instead in (("r", "`break post` before it is issued"), ("s", "`break send` stops before it")):
            self.assertIn(instead, session(f"break {action}", file="traces/places.ctp")[1])

    def test_whynot_of_selectors_and_locations(self):
        file = "traces/selectors_wildcard_deadlock.ctp"
        self.says("whynot r1 t0", last="never: r1 admits messages from 1, and t0 comes from 2 with tag 0\n", file=file)
        self.says("whynot 00", last="00 (rcvi r0 0 x) can run\n", file=file)
        self.says("whynot 01", last="not now: 01 is no thread's next command: thread 0 is at 00\n", file=file)
        self.says("step", "whynot 10", last="10 (sndi s0 1 0 10) has run\n", file=file)
        self.says("whynot 20", last="not now: the barrier B needs all its threads, and thread 0 is at 00\n",
                  file="traces/barrier_straight.ctp")

    def test_whynot(self):
        self.assertIn("it can, from here", session("whynot R2 S5")[0])
        self.assertIn("R2 = S4 already", session("jump 4", "whynot R2 S4")[0])
        text = session("whynot R2 S5", arguments=["--buffering", "zero", "--choose"])[0]
        self.assertIn("no complete run has R2 = S5; `search R2=S5` also looks at runs that do not complete\n", text)
        for wrong in ("whynot R2", "whynot S4 S5", "whynot R2 R5", "whynot R2 S9"):
            self.assertEqual(session(wrong)[2], BAD_INPUT, wrong)

    def test_search(self):
        self.assertIn("there is none from here", session("search deadlock")[0])
        self.assertIn("not found in 1 state", session("search failure 1")[0])
        self.assertIn("R2 = S5", session("search R2=S5", "end", "info matches")[0])
        race = self.write(program([("0", "(rcvi R 0 x)"), ("1", "(wait R)")], [("2", "(sndi S 1 0 1)")],
                                  [("3", "(sndi T 2 0 2)")]))
        self.assertIn("run is complete: success (not well-formed)", session("search orphan", "end", file=race)[0])
        self.assertTrue(session("thread 2", "jump 0", "until 06", arguments=["--choose"])[0].endswith("\n06 did not come\n"))
        self.assertEqual(run("step", FIGURE1, "--choose", "--trace", "1").code, BAD_INPUT)
        divides = self.write(program([("0", "(rcvi R 0 x)"), ("1", "(wait R)"), ("2", "(y := (div 1 x))")],
                                     [("3", "(sndi S 1 0 0)")]))
        self.assertIn("stuck: rule", session("search fault", "end", file=divides)[0])
        self.assertIn("nothing can come next: a fault\n", session("auto", file=divides)[0])
        self.assertIn("it is here: an assertion has failed", session("search failure", "end", "search failure")[0])
        stuck = self.write(program([("0", "(rcvi R 0 x)"), ("1", "(wait R)")]))
        self.assertIn("it is here: no step leads there", session("search deadlock", "continue", "search deadlock", file=stuck)[0])
        two = self.write(program([("0", "(rcvi R 0 x)"), ("1", "(rcvi Q 0 y)"), ("2", "(wait Q)")],
                                 [("3", "(sndi S 1 0 1)")], [("4", "(sndi T 2 0 2)")]))
        steps = ("thread 0", "thread 0", "thread 1", "thread 2")
        self.assertIn("0 steps, then `deliver 0 2`\n", session(*steps, "search R=T", file=two)[0])
        self.assertIn("it is here: R = T, it was delivered", session(*steps, "deliver 0 2", "search R=T", file=two)[0])
        self.assertIn("there is none from here: R = T, it was delivered",
                      session(*steps, "deliver 0 2", "search R=S", file=two)[0])
        dropped = "what was planned before is dropped: `undo` goes back to it\n"
        self.assertIn(dropped, session("step 2", "search failure")[0])
        self.assertNotIn(dropped, session("search failure", arguments=["--choose"])[0])
        left = "the trace is left: `undo` goes back to it\n"
        self.assertIn(left, session("step", "thread 0", "undo", "info trace")[0])
        self.assertNotIn(left, session("thread 2")[0])  # as the trace has it
        broken = self.write(program([("0", "(sndi S 1 0 0)")], [("1", "(sndi T 1 0 0)")]))
        self.assertIn("breaks rules D1 to D6", session("search failure", file=broken)[1])
        text, errors, _ = session("search success", file="tests/golden/selector_admits_nothing.ctp")
        self.assertIn("warning[selector]", errors)
        self.assertNotIn("breaks rules", errors)
        self.assertIn("there is none from here", text)

    def test_search_goes_on_from_here(self):
        """From every place of the two traces, within an entry as well: a failure if R2 can still get S5."""
        for at in range(200):
            text, errors, code = session(*([f"stepi {at}"] if at else []), "info matches", "whynot R2 S5", "search failure", "end",
                                         "info status")
            self.assertEqual((errors, code), ("", HOLDS), at)
            can = "it can, from here" in text
            self.assertEqual("planned;" in text, can, text)
            self.assertEqual(text.endswith("s = failure\n"), can, text)
        # A command that has only begun does not count: S4 is sent once.
        text = session("stepi 2", "info queues", "search R2=S4", "info queues", "end", "info matches")[0]
        self.assertEqual(text.count("Pnd_s(0)(2) = ([S4 4])\n"), 2) # told, and shown before the search alone
        self.assertIn("every queue is empty", text)
        self.assertIn("R2 = S4", text)

    def test_search_for_what_needs_a_solver(self):
        """The nearest failure is beyond a hundred thousand states."""
        file = self.gen("scaling", "20")
        self.assertIn("not found in 2000 states", session("search failure 2000", file=file)[0])
        for buffering in ("infinite", "zero"):
            text, errors, code = session("search failure", "end", "info status", file=file,
                                         arguments=["--buffering", buffering])
            self.assertEqual((errors, code), ("", HOLDS))
            self.assertTrue(text.endswith("s = failure\n"), text)

    def test_search_for_orphans(self):
        race = self.write(program([("0", "(rcvi R 0 x)"), ("1", "(wait R)")], [("2", "(sndi S 1 0 1)")],
                                  [("3", "(sndi T 2 0 2)")]))
        text = session("search orphan", "deliver 0 2", "search orphan", "thread 0", "search orphan", file=race)[0]
        self.assertIn("planned; `continue` or `step` goes there\n  orphans, sent but never delivered: ", text)
        text = session("thread 2", "deliver 0 2", "search orphan", file=race)[0]
        self.assertIn("  orphans, sent but never delivered: S\n", text)
        self.assertIn("there is none from here: every complete run has a receive for each message",
                      session("search orphan")[0])
        stuck = self.write(program([("0", "(rcvi R 0 x)"), ("1", "(wait R)")], [("2", "(sndi S 1 3 1)")]))
        self.assertIn("there is none from here: by counting, some thread never gets what it waits for",
                      session("search orphan", file=stuck)[0])

    def test_search_within_limits(self):
        self.assertEqual(session("set")[0], "timeout 60 s\nmemory 4096 MiB\npager on\n")
        self.assertEqual(session("set timeout 5", "set memory 100")[0],
                         "timeout 5 s\nmemory 4096 MiB\npager on\ntimeout 5 s\nmemory 100 MiB\npager on\n")
        for wrong in ("set timeout", "set memory x", "set timeout 0", "set memory 0", "set timeout -1", "set colour 1",
                      "set timeout 99999999999"):
            self.assertEqual(session(wrong)[2], BAD_INPUT, wrong)
        file = self.gen("scaling", "20")
        text, errors, code = session("set memory 10", "search failure 100000000", "info status", file=file)
        self.assertIn("unknown: no answer within 10 MiB (`set memory` allows more)\n", text)
        text, errors, code = session("set timeout 1", "search failure 100000000", "info status", file=file)
        self.assertIn("unknown: no answer within 1 s (`set timeout` allows more)\n", text)
        self.assertTrue(text.endswith("s = success\n"))
        self.assertEqual((errors, code), ("", HOLDS))

    def test_save_and_source(self):
        saved = str(Path(self.folder) / "saved.ctp")
        log = str(Path(self.folder) / "session.txt")
        text, errors, code = session("search failure", "end", f"save trace {saved}", f"save session {log}")
        self.assertEqual((errors, code), ("", HOLDS))
        self.assertEqual(run("run", saved).code, FAILURE)
        self.assertEqual(Path(log).read_text(), "search failure\nend\n")
        again = str(Path(self.folder) / "again.ctp")
        self.assertEqual(session(f"source {log}", f"save trace {again}")[2], HOLDS)
        self.assertEqual(Path(again).read_bytes(), Path(saved).read_bytes())
        result = run("step", FIGURE1, "-x", log, stdin=b"info status\n")
        self.assertEqual((result.text.splitlines()[-1], result.code), ("s = failure", HOLDS))
        # A script ends at its first error, and the message says where that is.
        bad = self.write("step\n\nfrobnicate\nstep\n", "bad.step")
        result = run("step", FIGURE1, "-x", bad)
        self.assertEqual(result.code, BAD_INPUT)
        self.assertIn("bad.step:3: error: there is no command `frobnicate`", result.error_text)
        self.assertEqual(result.text.count("SNDI COMMAND"), 1)
        loop = self.write("", "loop.step")
        Path(loop).write_text(f"source {loop}\n")
        self.assertIn("too deeply", session(f"source {loop}")[1])
        # An existing file is not replaced.
        before = Path(saved).read_bytes()
        for command in (f"save trace {saved}", f"save session {saved}"):
            text, errors, code = session(command)
            self.assertEqual((text, code), ("", BAD_INPUT))
            self.assertIn(f"{saved} exists: choose another name", errors)
        self.assertEqual(Path(saved).read_bytes(), before)
        # What cannot be written leaves what is there.
        self.assertEqual(session("save trace /nowhere/at/all.ctp")[2], BAD_INPUT)
        self.assertEqual(session(f"stepi", f"save trace {saved}")[2], BAD_INPUT)
        self.assertEqual(run("run", saved).code, FAILURE)

    def test_save_into_the_program_adds_a_trace(self):
        """Comments, layout and the other traces stay."""
        text = "; a comment\n( ([a  (x := 1)] ; another\n  bot) )\n((a bot))"
        file = self.write(text, "own.ctp")
        written = run("step", file, stdin=f"end\nsave trace {file}\n".encode())
        self.assertEqual((written.code, written.error_text), (HOLDS, ""))
        self.assertIn(f"written: {file}, as trace 2; `reload` reads it\n", written.text)
        self.assertEqual(file.read_text(), text + "\n\n(\n  (a bot)\n)\n")
        self.assertEqual(run("run", file).text.count("success"), 2)
        # So they do in a copy; a run that is a trace of the file is in it already.
        copy, whole = Path(self.folder) / "copy.ctp", Path(self.folder) / "whole.ctp"
        file.write_text(text)
        copied = run("step", file, "--choose", stdin=f"save trace {copy}\n".encode())
        self.assertIn(f"written: {copy}, as trace 2\n", copied.text)
        early = "; trace 2, infinite buffering: success so far\n"
        self.assertEqual(copy.read_text(), f"; a comment\n{early}{text.partition(chr(10))[2]}\n\n(\n)\n")
        self.assertEqual((run("run", copy).code, run("run", copy).text.count("(the trace stops early)")), (HOLDS, 1))
        copied = run("step", file, stdin=f"end\nsave trace {whole}\n".encode())
        self.assertIn(f"written: {whole}; the run is its trace 1\n", copied.text)
        self.assertEqual(whole.read_text(), text)
        # A trace that stops early, and one for zero buffering, say so in the own file, too.
        run("step", file, "--buffering", "zero", stdin=f"end\nsave trace {file}\n".encode())
        self.assertEqual(file.read_text().splitlines()[1], "; trace 2, zero buffering: success")
        file.write_text(text + "\n\n(\n  (a bot)\n)\n")
        # The second time the file is not what the session has read.
        twice = run("step", file, stdin=f"end\nsave trace {file}\nsave trace {file}\n".encode())
        self.assertEqual(twice.code, BAD_INPUT)
        self.assertIn("the file has changed since it was read: `reload` first", twice.error_text)
        self.assertEqual(run("run", file).text.count("success"), 3)
        # Nor does it know the trace before it has read it.
        for number, said in (("4", "the file has changed since it was read: `reload` first"), ("3\nreload\ntrace 9", "there is no trace 9: there are 5, from 1")):
            told = run("step", file, stdin=f"end\nsave trace {file}\ntrace {number}\n".encode())
            self.assertIn(f"{said}\n", told.error_text)

    def test_help_has_every_command(self):
        text = session("help")[0]
        names = re.findall(r"^  ([a-z-]+) ", text, re.M)
        self.assertGreater(len(names), 40)
        for name in names:
            self.assertTrue(session(f"help {name}")[0].startswith(name), name)
        for line in text.splitlines():
            self.assertLessEqual(len(line), 80, line)
        for names in ("reverse-step: rs, back", "backtrace: bt, where", "msc: draw"):
            self.assertIn(f" {names};", text.replace("\n", " "))
        self.assertIn("diff", session("apropos changed")[0])
        self.assertIn("watch", session("apropos changes")[0])
        self.assertEqual(session("apropos xyzzy")[2], BAD_INPUT)


class Input(InFolder):
    def test_end_in_mid_command(self):
        result = run("step", FIGURE1, stdin=b"step 3\ninfo thr")
        self.assertIn("thread 0: at 03", result.text)
        self.assertEqual(result.code, HOLDS)

    def test_errors_have_their_line(self):
        result = run("step", FIGURE1, stdin=b"step\n\nstep x\nstep\n")
        self.assertEqual(result.error_text, "<stdin>:3: error: `x` is not a number of steps\n")
        self.assertEqual(result.text.count("thread 2"), 2)
        self.assertEqual(result.code, BAD_INPUT)

    def test_standard_input_is_for_commands(self):
        result = run("step", "-", stdin=b"()")
        self.assertEqual(result.code, BAD_INPUT)
        self.assertIn("standard input has the commands", result.error_text)
        script = self.write("info status\n", "x.step")
        self.assertEqual(run("step", "-", "-x", script, stdin=b"()").text, "s = success\n")

    def test_bad_files(self):
        for file in ("/nowhere.ctp", self.write("((")):
            self.assertEqual(run("step", file).code, BAD_INPUT)
        self.assertEqual(run("step", FIGURE1, "--trace", "9").code, BAD_INPUT)
        self.assertIn("has no trace", session("trace", file=self.write("()"))[1])

    def test_hostile_names(self):
        """Nothing that a file or a command says reaches the terminal raw."""
        name = "R\x1b[31m\u202e"
        file = self.write(program([("0", f"(rcvi {name} 0 x\x07)"), ("1", f"(wait {name})")], [("\x1b]0;", "(sndi S 1 0 4)")]))
        text, errors, _ = session("choices -a", "auto", "info state", "info trace", "list", "msc", "why", "bt", "print \x1b[1m",
                                  "break \x1b[1m", "\x1b[1m", "diff", "search \x1b=\x07", "info matches", file=file)
        for control in "\x1b\x07\u202e":
            self.assertNotIn(control, text + errors)

    def test_any_line_is_survived(self):
        lines = ["step -1", "step 99999999999999999999", "jump 1e9", "choose", "follow", "follow \"", "break (((", "p " + "(" * 5000,
                 "watch Q_s(", "Q_s(0)", "list 9", "info x", "verbose maybe", "trace 0", "run 7", "until xx",
                 "search", "search a=b=c", "save", "save trace", "source", "\x00", "é", "help xx", "x" * 100_000]
        text, errors, code = session(*lines, "info status")
        self.assertTrue(text.endswith("s = success\n"))
        self.assertEqual(errors.count("error:"), len(lines))
        self.assertEqual(code, BAD_INPUT)

    def test_the_file_is_read_once(self):
        file = self.write(Path(FIGURE1).read_text())
        process = subprocess.Popen([MATCHPOINT, "step", file], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        process.stdin.write("step\n")
        process.stdin.flush()
        self.assertIn("sndi S4", process.stdout.readline())
        Path(file).write_text("()")
        text, _ = process.communicate("end\ninfo matches\n")
        self.assertIn("R2 = S4", text)

    def test_a_long_run(self):
        """A million steps: back and forth, without a copy of the state for each."""
        count = 1_000_000
        file = self.write("((" + "".join(f"[{i} (x := {i})]" for i in range(count)) + "))\n(" +
                          "".join(f"({i} bot)" for i in range(count)) + ")\n")
        places = (count, 10, 999_990, 500_000, 500_001, 3)
        process = subprocess.Popen([MATCHPOINT, "step", file], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        process.stdin.write("info status\n")
        process.stdin.flush()
        process.stdout.readline()
        seconds = []
        for place in places:
            start = time.monotonic()
            process.stdin.write(f"jump {place}\nprint x\n")
            process.stdin.flush()
            line = process.stdout.readline()
            while not line.strip().isdigit():
                line = process.stdout.readline()
            seconds.append(time.monotonic() - start)
            self.assertEqual(int(line), place - 1)
        peak = int(re.search(r"VmHWM:\s*(\d+)", Path(f"/proc/{process.pid}/status").read_text())[1]) / 1024
        process.communicate("quit\n")
        print("jumps in a run of 1,000,000 steps: " +
              ", ".join(f"to {p} in {s:.2f} s" for p, s in zip(places, seconds)) + f"; {peak:.0f} MB")
        self.assertLess(peak, 2500)


class Typed(InFolder):
    """In a terminal: what is typed, key by key."""

    def setUp(self):
        super().setUp()
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.environ.update({"TERM": "xterm", "XDG_STATE_HOME": str(self.folder), "HOME": str(self.folder),
                               "NO_COLOR": "1"})
            os.execv(MATCHPOINT, [MATCHPOINT, "step", FIGURE1])
        self.before = None
        self.seen = ""

    def tearDown(self):
        os.close(self.terminal)
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        super().tearDown()

    def wait_for(self, text, seconds=20):
        end = time.monotonic() + seconds
        while text not in self.seen:
            ready, _, _ = select.select([self.terminal], [], [], max(0, end - time.monotonic()))
            self.assertTrue(ready, f"no `{text}` in {self.seen!r}")
            try:
                self.seen += os.read(self.terminal, 65536).decode(errors="replace")
            except OSError:
                self.assertIn(text, self.seen)
        before, _, self.seen = self.seen.partition(text)
        return before

    def wait_for_keys(self):
        """Waits until keys are read one by one, a moment after the prompt appears."""
        self.wait_for_mode(0)

    def wait_for_mode(self, lines):
        end = time.monotonic() + 20
        while termios.tcgetattr(self.terminal)[3] & termios.ICANON != lines:
            self.assertLess(time.monotonic(), end, "the terminal stays in its mode")
            time.sleep(0.01)

    def type(self, text):
        self.wait_for_keys()
        os.write(self.terminal, text.encode())

    def ended(self):
        self.wait_until_gone()
        return self.status

    def wait_until_gone(self):
        end = time.monotonic() + 20
        while True:
            try:
                if select.select([self.terminal], [], [], 0.05)[0]:
                    os.read(self.terminal, 65536)
            except OSError:
                pass
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.pid, self.status = 0, os.waitstatus_to_exitcode(status)
                return
            self.assertLess(time.monotonic(), end, "it does not end")

    def test_enter_repeats_and_takes_the_default(self):
        self.wait_for("0/16 [step] > ")
        self.type("\r")
        self.wait_for("1/16 [step] > ")
        self.type("step 2\r")
        self.wait_for("3/16 [step 2] > ")
        self.type("\r")
        self.wait_for("5/16 [step 2] > ")
        self.type("quit\r")
        self.assertEqual(self.ended(), HOLDS)

    def test_tab(self):
        self.wait_for("> ")
        self.type("unt\t06\r")
        self.wait_for("at step 12/16")
        self.wait_for("] > ")
        self.type("info mat\t\r")
        self.wait_for("R2 = S4")
        self.wait_for("] > ")
        self.type("whynot R\t")
        self.wait_for("R2  R3  R5")
        self.type("5 S\t4\r")
        self.wait_for("a send is received once")
        self.wait_for("] > ")
        self.type("print Q\t0)\r")
        self.wait_for("Q_s(0) = ")

    def test_arrows_and_history_across_runs(self):
        self.wait_for("> ")
        self.type("info status\r")
        self.wait_for("s = success")
        self.wait_for("] > ")
        self.type("\x1b[A")  # up
        self.wait_for("info status")
        self.type("\x7f" * 6 + "threads\r")
        self.wait_for("thread 0: at 02")
        self.wait_for("] > ")
        self.type("\x04")  # Ctrl-D
        self.assertEqual(self.ended(), HOLDS)
        history = Path(self.folder) / "matchpoint" / "history"
        self.assertIn("info", history.read_text())

    def test_control_c_keeps_the_state(self):
        self.wait_for("> ")
        self.type("step 3\r")
        self.wait_for("3/16 [step 3] > ")
        self.type("jump 1")
        self.wait_for("jump 1")
        self.type("\x03")
        self.wait_for("3/16 ")
        self.wait_for("] > ")
        self.type("info status\r")
        self.wait_for("s = success")
        self.wait_for("] > ")

    def start_again(self, file):
        """With another program."""
        self.wait_for("> ")
        self.type("quit\r")
        self.ended()
        os.close(self.terminal)
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.environ.update({"TERM": "xterm", "XDG_STATE_HOME": str(self.folder)})
            os.execv(MATCHPOINT, [MATCHPOINT, "step", file])
        self.seen = ""

    def test_enter_goes_on_listing(self):
        names = [f"c{i}" for i in range(40)]
        self.start_again(self.write(program([(c, "(x := 0)") for c in names], traces=[names])))
        self.wait_for("0/40 [step] > ")
        self.type("list c12\r")
        self.wait_for("c16 ")
        for last in (26, 36, 39):
            self.wait_for("[list] > ")
            self.type("\r")
            self.wait_for(f"c{last} ")
        self.wait_for("0/40 [step] > ")

    def test_the_prompt_says_that_a_value_was_set_by_hand(self):
        self.wait_for("0/16 [step] > ")
        self.type("jump 7\r")
        self.wait_for("7/16 [step] > ")
        self.type("set a = 9\r")
        self.wait_for("7/16 modified [step] > ")
        self.type("undo\r")
        self.wait_for("7/16 [undo] > ")

    def test_the_prompt_says_that_it_is_a_deadlock(self):
        self.start_again("traces/deadlock_circular_wait.ctp")
        self.wait_for("0/3 [step] > ")
        self.type("trace 2\r")
        self.wait_for("0/2 [step] > ")
        self.type("jump 2\r")
        self.wait_for("2 deadlock [step] > ")

    def descendants(self):
        """The processes that the session has started, and theirs."""
        result, work = [], [self.pid]
        while work:
            pid = work.pop()
            try:
                found = [int(p) for p in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
            except OSError:
                found = [] # it has ended
            result += found
            work += found
        return result

    # Each order of twelve messages gives another sum of products, and SAT gives up after some.
    HARD = ("( ( " + " ".join(f"[r{i} (rcvi R{i} 0 x{i})] [w{i} (wait R{i})]" for i in range(12)) +
            " [a (assert (!= (mod (+ (+ (* x0 (* x1 x2)) (* x3 (* x4 x5))) (+ (* x6 (* x7 x8)) (* x9 (* x10 x11)))) "
            "1000000007) 12345))] bot )" +
            "".join(f" ( [s{i} (sndi S{i} {i + 1} 0 {7919 * (i + 3) ** 3})] bot )" for i in range(12)) + " )")

    def test_control_c_ends_the_solver_of_a_search(self):
        self.start_again(self.write(self.HARD))
        self.wait_for("> ")
        self.type("search failure\r")
        self.wait_for("smt (z3);", seconds=300)
        started = self.descendants()
        os.write(self.terminal, b"\x03")
        self.wait_for("interrupted")
        self.wait_for("0 [choose 1] > ")
        self.assertTrue(started)
        end = time.monotonic() + 60
        while any(is_running(pid) for pid in started):
            self.assertLess(time.monotonic(), end, "a process stays")
            time.sleep(0.05)
        self.type("search success 1\r")
        self.wait_for("not found in 1 state")

    def test_a_search_that_is_killed(self):
        """As the system does when memory runs out: the session stays."""
        self.start_again(self.write(run("gen", "scaling", "20").text))
        self.wait_for("> ")
        self.type("thread 1\r")
        self.wait_for("1 [thread 1] > ")
        self.type("search failure 100000000\r")
        self.wait_for("breadth first, ")
        for pid in self.descendants():
            os.kill(pid, signal.SIGKILL)
        self.wait_for("its process ended without a result")
        self.wait_for("1 [choose 1] > ")

    def test_control_c_ends_a_search(self):
        n = 9  # 9! orders
        receiver = [c for i in range(n) for c in ((f"p{i}", f"(rcvi r{i} 0 x{i})"), (f"w{i}", f"(wait r{i})"))]
        file = self.write(program([*receiver, ("last", "(assert true)")],
                                  *([(f"q{i}", f"(sndi s{i} {i + 1} 0 {i})")] for i in range(n))))
        self.start_again(file)
        self.wait_for("> ")
        self.type("thread 1\r")
        self.wait_for("1 [thread 1] > ")
        self.type("search failure 100000000\r")
        self.wait_for("breadth first, ")  # its progress
        os.write(self.terminal, b"\x03")
        self.wait_for("interrupted")
        self.wait_for("1 [choose 1] > ")

    def test_the_terminal_is_restored(self):
        self.wait_for("[step] > ")
        self.type("info")
        self.wait_for("info")
        raw = termios.tcgetattr(self.terminal)[3]
        self.assertFalse(raw & termios.ICANON)
        self.type("\x15quit\r")
        self.ended()
        self.assertTrue(termios.tcgetattr(self.terminal)[3] & termios.ICANON)
        self.assertTrue(termios.tcgetattr(self.terminal)[3] & termios.ECHO)


if __name__ == "__main__":
    unittest.main()
