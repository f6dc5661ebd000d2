#!/usr/bin/env python3
"""`matchpoint step`: values and messages, values set by hand, typed expressions, limits, reload."""

import re
import subprocess
import unittest
from pathlib import Path

from step_session import FIGURE1, Session, counting, session
from support import BAD_INPUT, HOLDS, MATCHPOINT, program, run


class Looking(Session):
    def test_variables(self):
        text = self.says("jump 7", "info variables")
        self.assertEqual(text.splitlines()[1:], ["A  4  (step 3, thread 0: 03 (wait R2), R2 = S4)",
                                                 "a  4  (step 6, thread 0: 04 (a := A))", "B  no value", "b  no value", "C  no value"])
        self.assertEqual(self.says("info variables [ab]"), "a  no value\nb  no value\n")
        self.assertEqual(self.says("info variables zz"), "no variable fits `zz`\n")
        self.assertIn("a  4  (step 6, thread 0: 04 (a := A))\n", self.says("jump 6", "stepi 3", "info variables a"))

    def test_last_writers_of_shared_variables(self):
        file = "traces/shared_memory/account.ctp"
        says = lambda *commands: self.says("trace 2", *commands, file=file)
        self.assertIn("\n150, written by b5 (account.c:16)\n", says("jump 10", "print balance"))
        self.assertIn("100, initial value\n", says("print balance"))
        self.assertIn("\n100\n", says("jump 10", "print a"))
        self.assertIn("\n160\n", says("jump 10", "print (+ balance 10)"))
        text = says("jump 10", "info state")
        self.assertIn("h(eta(balance)) = 150, written by b5 (account.c:16)\n", text)
        self.assertIn("h(eta(done)) = 0, initial value\n", text)
        self.assertIn("h(eta(a)) = 100\n", text)
        text = says("jump 9", "display balance", "step")
        self.assertIn("balance = 100, initial value\n", text)
        self.assertIn("balance = 150, written by b5 (account.c:16)\n", text)
        text = says("jump 10", "info variables")
        self.assertIn("balance  150  (step 9, thread 1: b5 (account.c:16) (balance := (+ b 50)))\n", text)
        self.assertIn("done     0  (initial value)\n", text)
        self.assertIn("\n7, set by hand\n", says("jump 10", "set balance = 7", "print balance"))
        # Behind the rule that writes, in front of the end of the step.
        self.assertIn("150, written by b5 (account.c:16)\n", says("jump 9", "stepi 6", "print balance"))

    def test_whynot_names_who_could_make_a_guard_true(self):
        text = "(shared [m 0]) (([a (when (> m 0) (m := (- m 1)))]) ([b (m := 1)]) ([c (when false (m := 7))]))"
        said, _, _ = session("whynot a", "whynot c", file=self.write(text))
        self.assertEqual(said, "not now: the guard (> m 0) is false: m = 0; thread 1 would write m at b, thread 2 would write m at c\n"
                               "not now: the guard false is never true\n")

    def test_why_nothing_comes_behind_a_trace_that_is_used_up(self):
        text = """(shared [a 1] [b 1])
            (([0 (when (> a 0) (a := (- a 1)))] [1 (when (> b 0) (b := (- b 1)))] [2 (a := 1)] [3 (b := 1)])
             ([4 (when (> b 0) (b := (- b 1)))] [5 (when (> a 0) (a := (- a 1)))] [6 (b := 1)] [7 (a := 1)])) {}"""
        why, _, _ = session("continue", "why", file=self.write(text.format("([0 ()] [4 ()])")))
        self.assertIn("the trace is used up", why)
        self.assertIn("nothing can come next: a deadlock", why)
        self.assertIn("the guard (> b 0) is false: b = 0", why)
        why, _, _ = session("continue", "why", file=self.write(text.format("([0 ()])")))
        self.assertIn("the trace is used up", why)
        self.assertNotIn("nothing can come next", why)

    def test_sends_and_receives(self):
        text = self.says("info sends", "info receives")
        self.assertEqual(text, "S5  thread 1: 15, from 1 to 0: not issued\nS4  thread 2: 24, from 2 to 0: not issued\n"
                               "S6  thread 2: 26, from 2 to 1: not issued\nR2  thread 0: 02, at 0, into A: not issued\n"
                               "R5  thread 0: 05, at 0, into B: not issued\nR3  thread 1: 13, at 1, into C: not issued\n")
        text = self.says("jump 1", "info sends S4", "deliver 0 2", "info sends S4", "thread 0", "info sends S4", "info receives R2",
                         "thread 0", "info sends S4", "info receives R2")
        for line in ("S4  thread 2: 24, from 2 to 0: in transit, value 4",
                     "S4  thread 2: 24, from 2 to 0: delivered, no receive is issued for it yet, value 4",
                     "S4  thread 2: 24, from 2 to 0: delivered for R2, value 4",
                     "R2  thread 0: 02, at 0, into A: issued, S4 = 4 is delivered for it",
                     "S4  thread 2: 24, from 2 to 0: received by R2, value 4",
                     "R2  thread 0: 02, at 0, into A: got S4 = 4, by step 2: 03 (wait R2)"):
            self.assertIn(line + "\n", text)
        self.assertIn("R2  thread 0: 02, at 0, into A: issued, no message is delivered for it yet\n",
                      self.says("jump 3", "info receives R*"))

    def test_a_receive_that_a_later_wait_completes(self):
        file = self.write(program([("a", "(rcvi R 0 x)"), ("b", "(rcvi Q 0 y)"), ("c", "(wait Q)")],
                                  [("d", "(sndi S 1 0 5)"), ("e", "(sndi T 1 0 6)")]))
        text = self.says("auto", "info receives", "info variables", file=file)
        self.assertRegex(text, r"R  thread 0: a, at 0, into x: got S = 5, by step 4: c \(wait Q\)\n")
        self.assertRegex(text, r"x  5  \(step 4, thread 0: c \(wait Q\), R = S\)\n")

    def test_line(self):
        text = self.says("jump 7", "info line 04", "info line 09", "info line")
        line = 1 + Path(FIGURE1).read_text().splitlines().index(next(s for s in Path(FIGURE1).read_text().splitlines() if "[04" in s))
        self.assertRegex(text, rf"traces/figure1.ctp:{line}:\d+: 04 \(a := A\)\n  command 3 of 8 of thread 0; ran as step 6\n")
        self.assertIn("; has not run\n", text)
        self.assertIn("13 (rcvi R3 1 C)\n  command 1 of 4 of thread 1; comes next in its thread\n", text)
        self.refuses("end", "info line", saying="no command comes next")

    def test_info_words(self):
        self.refuses("info sendz", saying="did you mean `sends`?")
        self.assertIn("  1  a\n", self.says("display a", "info display"))
        self.assertEqual(self.says("break 09", "info watchpoints"), "breakpoint 1: 09\nthere are none\n")
        self.refuses("info status now", saying="takes no arguments")

    def test_print_in_a_format(self):
        text = self.says("jump 7", "print/x (* a 64)", "p/b a", "p/t a", "p/o (* a 4)", "print /d a", "print/x (- 0 31)", "p/x (> a 1)",
                         "p/x b", "display/x (* a 8)", "step")
        self.assertEqual(text.splitlines()[1:10], ["0x100", "0b100", "0b100", "020", "4", "-0x1f", "true", "no value",
                                                   "/x (* a 8) = 0x20"])
        self.assertTrue(text.endswith("/x (* a 8) = 0x20\n"))
        for wrong, why in (("print/q a", "there is no format `/q`"), ("print/xx a", "there is no format `/xx`"), ("print/ a", "format `/`"),
                           ("print/x", "/x needs an expression"), ("print/x Q_s(0)", "not for queues"), ("print/x zz", "no variable")):
            self.refuses(wrong, saying=why)

    def test_print_what_rules_show(self):
        """`A(R2) = 0` and `h(eta(A)) = 4`."""
        text = self.says("jump 2", "display A(R2)", "step", "print A(R2)", "jump 7", "print A(R2)", "print h(eta(A))")
        self.assertEqual(text.count("\nA(R2) = 0"), 2)
        self.assertEqual(text.splitlines()[1], "A(R2) has no value: the request is not open")
        self.assertTrue(text.endswith("\nA(R2) has no value: the request is not open\n4\n"))
        self.refuses("print A(R22)", saying="there is no send or receive `R22`; did you mean `R2`?")

    def test_where(self):
        self.assertEqual(self.says("step 3", "where 1"), self.says("step 3", "backtrace 1"))

    def test_list(self):
        file = self.write(counting(40))
        text = self.says("jump 3", "break c10", "list c12", "list", "list -", "list -", file=file)
        names = re.findall(r"^ [ Bb][ >] (\w+) ", text, re.M)
        self.assertEqual(names, [f"c{i}" for i in [*range(7, 17), *range(17, 27), *range(7, 17)]] + ["i"] + [f"c{i}" for i in range(1, 7)])
        self.assertIn(" B  c10 ", text)
        self.assertIn("  > c3 ", text)
        self.assertEqual(re.findall(r"^ .. (\w+) ", self.says("list c5,c8", file=file), re.M), ["c5", "c6", "c7", "c8"])
        self.assertEqual(re.findall(r"^ .. (\w+) ", self.says("list c37,", file=file), re.M), ["c37", "c38", "c39"])
        self.assertEqual(len(re.findall(r"^ .. (\w+) ", self.says("list ,c20", file=file), re.M)), 10)
        self.assertEqual(len(re.findall(r"^ .. (\w+) ", self.says("list thread 0", file=file), re.M)), 40)
        self.assertEqual(self.says("list 0", file=file), self.says("list thread 0", file=file))
        # Around every thread's next command; what follows; from anew after a move.
        text = self.says("list", "list", "step", "list")
        self.assertEqual(text.count("thread 2\n"), 2)
        self.assertEqual(re.findall(r"^ .. (\w+) ", self.says("list 06,14"), re.M), ["06", "07", "08", "09", "13", "14"])
        for wrong, why in (("list 09,06", "comes after"), ("list zz", "no location"), ("list ,", "usage"), ("list 7", "no thread 7"),
                           ("list 1 2 3", "usage"), ("list 04,zz", "no location")):
            self.refuses(wrong, saying=why)
        self.refuses("list c30,c39", "list -", "list c1", "list -", saying="beginning of what `list` shows", file=file)


class ByHand(Session):
    def test_another_value(self):
        text = self.says("jump 7", "set variable a = (+ a 1)", "info status", "why", "end", "info status")
        self.assertIn("a = 5, not 4\nfrom here on this is not a run of the program; `undo` goes back to it\n", text)
        self.assertEqual(text.count("s = success\nset by hand: a = 5 after step 7, and no step has followed; this is not a run of the program\n"), 2)
        self.assertIn("s = failure\nset by hand: a = 5 after step 7; this is not a run of the program\n", text)
        self.assertIn("; s = failure; modified by hand\nthe run is complete: failure (modified by hand)\n", text)
        self.assertIn("(assert (= a 4)) with a = 5", self.says("jump 7", "set a = 5", "end", "why"))

    def test_undone(self):
        for back in ("undo", "reverse-step", "restart 1", "jump 3", "reverse-stepi"):
            text = self.says("jump 7", "checkpoint", "set a=9", back, "info status")
            self.assertTrue(text.endswith("s = success\n"), back)
            self.assertNotIn("modified by hand", text.split("not 4")[1], back)
        self.assertIn("at step 7/16; next is a value set by hand, a = 9;", self.says("jump 7", "set a = 9", "reverse-step"))
        self.assertIn("(set by hand)                  h(eta(a)) = 9, not 4\n", self.says("jump 7", "set a = 9", "reverse-step", "step"))
        self.assertIn("s = failure; modified by hand", self.says("jump 7", "set a = 9", "jump 3", "end"))
        # Another trace, or choices, are runs of the program again.
        self.assertIn("the run is complete: success", self.says("jump 7", "set a = 9", "run"))
        self.assertTrue(self.says("jump 7", "set a = 9", "jump 6", "thread 1", "info status").endswith("s = success\n"))

    def test_what_needs_a_run_of_the_program(self):
        saved = str(Path(self.folder) / "saved.ctp")
        for command in (f"save trace {saved}", "search failure", "whynot R5 S5"):
            self.refuses("jump 7", "set a = 9", command, saying="values set by hand: a = 9 after step 7")
        self.assertFalse(Path(saved).exists())
        self.says("jump 7", "set a = 9", "undo", f"save trace {saved}")

    def test_seen_by_watchpoints(self):
        text = self.says("watch a", "jump 7", "set a = 9", "end", "rc", "last a")
        self.assertIn("watchpoint 1: a, changed by hand, after step 7: a = 9\n  was 4\n  is  9\n", text)
        self.assertIn("a  9  (by hand, after step 7)\n", self.says("jump 7", "set a = 9", "info variables a"))
        self.assertEqual(self.says("jump 7", "set a = 9", "last a").splitlines()[-3:], ["a, changed by hand, after step 7: a = 9", "  was 4", "  is  9"])

    def test_refused(self):
        for wrong, why in (("set zz = 1", "no variable `zz`"), ("set a = b", "b has no value"), ("set a =", "usage"), ("set a = (", "not an expression"),
                           ("set = 3", "usage"), ("set variable", "usage"), ("set variable aa = 1", "did you mean `A`?")):
            self.refuses("jump 7", wrong, saying=why)
        self.refuses("jump 6", "stepi 2", "set a = 1", saying="the next command has begun")
        self.assertIn("a = 4 already", self.says("jump 7", "set a = 4", "set timeout 5", "set memory 100"))
        # Deliveries can come before it.
        text = self.says("jump 1", "deliver 0 2", "set A = 3", "thread 0", "thread 0", "print A")
        self.assertTrue(text.endswith("\n4\n"))
        variables = self.write(program([("0", "(timeout := 1)"), ("1", "(x=y := 2)")]))
        self.assertIn("timeout = 7, not 1\n", self.says("auto", "set timeout = 7", file=variables))
        self.assertIn("x=y = 7, not 2\n", self.says("auto", "set x=y = 7", file=variables))

    def test_told_in_pictures_and_traces(self):
        text = self.says("jump 7", "set a = 9", "msc", "info trace", "end", "backtrace 20")
        self.assertIn("set by hand: a = 9 after step 7\n", text)
        self.assertIn("chosen by hand\nset by hand: a = 9 after step 7\n", text)
        self.assertIn("(set by hand)                  h(eta(a)) = 9, not 4\n", text)


class Hostile(Session):
    def test_names(self):
        """Nothing that a file or a command says reaches the terminal raw."""
        x, r, s, c = (f"{n}\x1b[31m\u202e" for n in "xrsc")
        file = self.write(program([(c, f"(rcvi {r} 0 {x})"), ("w", f"(wait {r})"), ("v", f"(wait {r})")], [("d", f"(sndi {s} 1 0 4)")]))
        text, errors, _ = session(f"watch {x} if (> {x} 1)", f"break {c} if (< {x} 1)", f"watch {x} if {x}", "info b", "auto", "auto", "info b",
                                  "info variables", "info variables \x1b*", "info sends", "info receives", f"info line {c}", "info \x1b",
                                  f"list {c}", "list \x1b,\x07", f"last {x}", f"set {x} = 7", "set \x1b = 3", "info status", "why", "msc",
                                  "print/\x1b 3", "condition \x1b", "condition 1 \x1b", "enable \x1b-\x07", "ignore \x1b 1", "rc", "rc", "reload",
                                  "break \x1b if \x07", "break \x1b if", "until \x1b", file=file)
        for control in "\x1b\x07\u202e":
            self.assertNotIn(control, text + errors)

    def test_any_line_is_survived(self):
        """Each is refused, and the session goes on."""
        lines = ["break 09 if", "break 09 if (", "break  if true", "break if", "watch if true if", "condition", "condition 1", "ignore", "ignore 0 0",
                 "enable 1", "enable 1-", "disable -1", "delete 99999999999999999999", "last (", "last " + "(" * 5000, "info variables x y z" + "[" * 9 + "=",
                 "info line x", "list a b c", "list ,", "list 04,,09", "list 99999999999", "print/", "print/x/x a", "print/" + "x" * 100_000 + " a",
                 "set =", "set = =", "set variable =", "set a ==", "set a = = 1", "set a=(div 1 0)", "set " + "=" * 5000, "reload now", "until 99",
                 "step/3", "/", "info sends " + "*" * 5 + "]\\"]
        text, errors, code = session(*lines, "info status")
        self.assertTrue(text.endswith("s = success\n"))
        self.assertGreaterEqual(errors.count("error:"), len(lines) - 2)
        self.assertLess(len(errors), 30_000)
        self.assertEqual(code, BAD_INPUT)


def squaring(n):
    """x is squared n times: more than 23 of them exceed the limit of integers."""
    return [("i", "(x := 2)")] + [(f"s{k}", "(x := (* x x))") for k in range(n)]


class Typed(Session):
    """Malformed expressions. The messages are about what was typed, and nothing else."""

    def test_messages(self):
        for typed, why in (("1)", "it closes a bracket that it does not open"), ("a]", "it closes a bracket that it does not open"),
                           ("(+ 1 2", "`)` is missing at its end"), ("(not", "`)` is missing at its end"),
                           ("(+ 1 2]", "expected `)` to close `(+`, found `]`"), ("1 2", "it ends before `2`"),
                           ("(+ 1 2) (not true)", "it ends before `(`"), ("; c", "it is not complete"),
                           ("1)]) ([1 (x := 2", "it closes a bracket that it does not open"),
                           ("(+ 1)", "`+` takes 2 operands, here it has 1; `+` is written `(+ e e)`")):
            text, errors, code = session(f"print {typed}")
            self.assertEqual((text, errors, code), ("", f"<stdin>:1: error: `{typed}` is not an expression: {why}\n", BAD_INPUT))

    def test_hints(self):
        self.refuses("print (A + 1)", saying="expected an operator, found `A`; operators come first: `(+ A 1)`")
        self.refuses("print (== A 4)", saying="`==` is written `=`")

    def test_goto_is_jump(self):
        self.assertIn("at step 3/16", self.says("goto 3"))
        self.assertIn("Also: j, goto\n", self.says("help jump"))

    def test_a_comment(self):
        self.assertEqual(self.says("print (+ 1 2) ; c)"), "3\n")

    def test_a_condition_of_nothing(self):
        for command in ("break", "tbreak", "watch"):
            for condition in ("if (= a 1)", "if(= a 1)"):
                self.refuses(f"{command} {condition}", saying="usage: " + command[-5:])


class Limits(Session):
    """Integers that are too large."""

    def file(self, commands):
        return self.write(program(commands, traces=[[c for c, _ in commands]]))

    def test_a_look_at_another_place_comes_back(self):
        file = self.file(squaring(23) + [("small", "(x := 1)"), ("last", "(y := 1)")])
        text = self.says("end", "last (* x x)", "diff", "bt 2", "info status", "print y", "reverse-step", file=file)
        self.assertIn("(* x x), changed by step 24, thread 0: small (x := 1)\n"
                      "  was no value: limit reached: a product of more than", text)
        self.assertTrue(text.endswith("1\nat step 25/26; next is last, thread 0: (y := 1); s = success\n"), text)

    def test_displays_and_conditions_have_no_value_there(self):
        file = self.file(squaring(23) + [("small", "(x := 1)")])
        text = self.says("display (* x x)", "break small if (= (* x x) 1)", "display x", "end", "reverse-step", file=file)
        self.assertIn("(* x x) has no value: limit reached: a product of more than", text)


class SharedVariables(Session):
    """What can still come where threads share variables."""

    def test_search(self):
        account = "traces/shared_memory/account.ctp"
        text = self.says("search failure", "end", file=account)
        self.assertRegex(text, r"found by exploration: \d+ steps planned")
        self.assertIn("s = failure", text)
        # Once one thread is done, all that follows succeeds.
        self.assertIn("there is none from here: decided by exploration\n", self.says("end", "search failure", file=account))
        self.assertIn("there is none from here: no divisor can be zero\n", self.says("search fault", file=account))
        locks = "traces/shared_memory/lock_order.ctp"
        self.assertIn("deadlock", self.says("search deadlock", "continue", "info status", file=locks))
        self.assertIn("found by exploration", self.says("search success", file=locks))

    def test_search_of_messages(self):
        counter = "traces/shared_memory/hybrid_counter.ctp"
        for wanted in ("R=A", "R=B"):
            self.assertIn("found by exploration: ", self.says(f"search {wanted}", file=counter))
            self.assertIn(f"{wanted[0]} = {wanted[2]}", self.says(f"search {wanted}", "end", "why", "info matches", file=counter))
        gone = self.says("end", "search R=B", file=counter)
        self.assertIn("there is none from here: R = A, it was delivered", gone)
        self.refuses("search failure 100", saying="with shared variables there is no nearest state", file=counter)

    # Thread 1 sends only if x is still 0. Once x is 1, the run with that message has left the path.
    BRANCH = """(shared [x 0])
        (([a (x := 1)] [b (sndi A 0 2 1)] [c (wait A)])
         ([d (assume (= x 0))] [e (sndi B 1 2 2)] [f (wait B)])
         ([g (rcvi R 2 y)] [h (wait R)] [i (rcvi Q 2 z)] [j (wait Q)]))
        ((d bot) (e bot) (f bot) (a bot) (b bot) (c bot) (g bot) (h ((2 1) bot)) (i bot) (j ((2 0) bot)))
        ((a bot) (b bot) (c bot) (g bot) (h ((2 0) bot)))"""

    def test_whynot(self):
        branch = self.write(self.BRANCH)
        text = self.says("whynot R A", "whynot R B", file=branch)
        self.assertIn("it can, from here: `search R=A` finds the way\n", text)
        self.assertIn("it can, from here: `search R=B` finds the way\n", text)
        # What x is excludes the message, not what was delivered.
        text = self.says("trace 2", "step", "whynot R B", file=branch)
        self.assertIn("from here, no complete run has R = B\nin another run it can: R = B, Q = A\n", text)
        text = self.says("trace 2", "step", "search R=B", "search success", file=branch)
        self.assertEqual(text.count("there is none from here: decided by exploration\n"), 2)
        text = self.says("end", "whynot R A", file=branch)
        self.assertIn("not from here: R = B, it was delivered\nin another run it can: R = A, Q = B\n", text)
        # Q comes second, and both need the first one.
        single = self.write("(shared [x 0]) (([a (when (= x 1))] [b (sndi A 0 1 1)] [c (wait A)])"
                            " ([g (rcvi R 1 y)] [h (wait R)] [i (x := 1)]))")
        self.assertIn("from here, no complete run has R = A\nno complete run has R = A; `search R=A` also looks at runs that do not complete\n",
                      self.says("whynot R A", file=single, arguments=["--choose"]))


class Reload(Session):
    """An edit in the middle of a session."""

    def edit(self, before, after, old, new):
        """What a session prints after `reload`, its errors and its exit code."""
        file = self.write(old)
        process = subprocess.Popen([MATCHPOINT, "step", file, "--echo"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        for command in before:
            process.stdin.write(command + "\n")
        process.stdin.write("print 424242\n")
        process.stdin.flush()
        while process.stdout.readline() != "424242\n":
            pass
        if new is None:
            file.unlink()
        else:
            file.write_text(new)
        text, errors = process.communicate("reload\n" + "".join(c + "\n" for c in after))
        return text.split("> reload\n", 1)[1], errors, process.returncode

    def test_breakpoints_displays_and_the_run_stay(self):
        old = Path(FIGURE1).read_text()
        text, errors, code = self.edit(["jump 7", "break 09 if (= a 4)", "watch A", "disable 2", "display a", "break 06"],
                                       ["info breakpoints", "continue", "continue", "info matches"], old, old.replace("(a := A)", "(a := (- A 0))"))
        self.assertEqual((errors, code), ("", HOLDS))
        self.assertIn(": 3 threads, 3 traces\ncheckpoints, undo and redo start anew\nat step 7/16; next is 13, thread 1: (rcvi R3 1 C); s = success\na = 4\n", text)
        self.assertIn("  1  break 09 if (= a 4)\n  2  watch A, disabled\n  3  break 06\n", text)
        self.assertIn("breakpoint 1: 09 if (= a 4)\n", text)
        self.assertIn("R2 = S4\n", text)

    def test_what_vanished_is_told(self):
        old = Path(FIGURE1).read_text()
        text, errors, code = self.edit(["jump 7", "break 07", "break 09", "watch b", "display b", "break 06 if (> b 1)"], ["info b", "info display"],
                                       old, re.sub(r"\[0[789] \([^]]*\)\]", "", old).replace("(07 bot)", "").replace("(08 bot)", "").replace("(09 bot)", ""))
        self.assertEqual((errors, code), ("", HOLDS))
        for line in ("breakpoint 1 is gone (07): there is no location `07`", "breakpoint 2 is gone (09): there is no location `09`",
                     "watchpoint 3 is gone (b): there is no variable `b`", "display b is gone: there is no variable `b`",
                     "breakpoint 4 is gone (06): there is no variable `b`"):
            self.assertIn(line, text)
        self.assertIn("at step 7/13", text)

    def test_the_run_as_far_as_it_goes(self):
        old = program([("a", "(x := 1)"), ("b", "(x := (+ x 1))"), ("c", "(y := x)")], [("d", "(z := 1)")])
        before = ["thread 0", "thread 1", "thread 0", "thread 0"]
        text, errors, code = self.edit(before, ["info trace", "print y"], old, old.replace("(x := 1)", "(x := 5)"))
        self.assertEqual((errors, code), ("", HOLDS))
        self.assertIn("at step 4; s = success", text)
        self.assertTrue(text.endswith("\n6\n"))
        text, errors, code = self.edit(before, ["info trace"], old, old.replace("[b ", "[bb "))
        self.assertIn("the run gets no further than step 2: there is no location `b`\ncheckpoints, undo and redo start anew\nat step 2; s = success\n", text)
        text, errors, code = self.edit(before + ["set y = 8", "reverse-step 2"], ["print x"], old, old.replace("(x := 1)", "(x := 5)"))
        self.assertIn("at step 3/4", text)
        text, errors, code = self.edit(["thread 0", "set x = 8", "thread 0"], ["print x", "info status"], old, old)
        self.assertIn("; modified by hand\n", text)
        self.assertIn("\n9\n", text)

    def test_a_faulty_text_changes_nothing(self):
        old = Path(FIGURE1).read_text()
        for new, why in ((old[:-20], "error[syntax]"), (None, "cannot read"), (old.replace("(wait R5)", "(wait R9)"), "error[S3]")):
            text, errors, code = self.edit(["jump 7", "break 09"], ["info threads", "continue", "undo", "info status"], old, new)
            self.assertIn("the old program stays", errors)
            self.assertIn(why, errors)
            self.assertEqual(code, BAD_INPUT)
            self.assertIn("thread 0: at 05 (rcvi R5 0 B)", text)
            self.assertIn("breakpoint 1: 09\n", text)

    def test_why_it_gets_no_further(self):
        text = "( ( [a (x := 1)] [b (y := (div 4 x))] [c (z := 1)] bot ) )"
        for new, why in ((text.replace("[b (y := (div 4 x))]", ""), "there is no location `b`"),
                         (text.replace("(x := 1)", "(x := 0)"), "b does not run: (div 4 0) has no value")):
            said = self.edit(["auto"], [], text, new)[0]
            self.assertIn(f"the run gets no further than step 1: {why}\n", said)
        traced = text + " ( (a bot) (b bot) (c bot) )"
        said = self.edit(["step 3"], [], traced, traced.replace("(x := 1)", "(x := 0)"))[0]
        self.assertIn("the run gets no further than step 1: rule BINARY OPERATION: (div 4 0) has no value\n", said)

    def test_what_came_next_is_gone(self):
        text = "( ( [a (x := 1)] [b (y := 2)] [c (z := 1)] bot ) ) ( (a bot) (b bot) (c bot) )"
        said = self.edit(["step"], [], text, text.replace("[b (y := 2)]", "").replace("(b bot)", ""))[0]
        self.assertIn("`b`, which came next, is gone\ncheckpoints, undo and redo start anew\nat step 1/2; next is c", said)

    def test_undo_says_that_reload_dropped_it(self):
        file = self.write(Path(FIGURE1).read_text())
        self.refuses("step", "reload", "undo", file=file, saying="there is nothing to undo since `reload`\n")

    def test_marks_of_the_old_text_are_dropped(self):
        old = Path(FIGURE1).read_text()
        text, errors, code = self.edit(["jump 7", "checkpoint", "jump 3"], ["undo", "restart 1", "jump 2", "undo"], old, old)
        self.assertIn("checkpoints, undo and redo start anew\n", text)
        self.assertIn("there is nothing to undo", errors)
        self.assertIn("there is no checkpoint 1", errors)
        self.assertTrue(text.endswith("at step 3/16; next is 03, thread 0: (wait R2); s = success\n"))

    def test_in_a_script(self):
        """The place before the script is one of the old text, and cannot be gone back to."""
        script = self.write("jump 3\nreload\njump 5\n", "x.step")
        text, errors, code = session(f"source {script}", "undo", "undo")
        self.assertIn("at step 3/16", text.rsplit("at step 5/16", 1)[1])
        self.assertIn("nothing to undo", errors)

    def test_a_limit_on_the_way(self):
        """Breakpoints and displays look at the new program, wherever its run ends."""
        padding = [(f"p{i}", f"(v{i} := {i})") for i in range(25)]
        squares = squaring(25)
        old = program([*padding, ("e", "(x := 5)")], traces=[[*(c for c, _ in padding), "e"]])
        new = program(squares, traces=[[c for c, _ in squares]])
        text, errors, code = self.edit(["end", "display x", "watch v9", "watch x"], ["jump 2", "info breakpoints"], old, new)
        self.assertEqual((errors, code), ("", HOLDS))
        self.assertIn("watchpoint 1 is gone (v9): there is no variable `v9`", text)
        self.assertIn("the run gets no further than step 24: limit reached: a product of more than", text)
        self.assertIn("at step 24/26; next is s23", text)
        self.assertIn("x = 4\n", text)
        self.assertTrue(text.endswith("  2  watch x\n"), text)

    def test_standard_input_cannot_be_read_again(self):
        script = self.write("reload\n", "x.step")
        result = run("step", "-", "-x", script, stdin=b"()")
        self.assertIn("cannot be read again", result.error_text)
        self.assertEqual(result.code, BAD_INPUT)

    def test_breaches_of_the_discipline(self):
        good = program([("a", "(sndi S 0 1 1)")], [("b", "(rcvi R 1 x)"), ("c", "(wait R)")])
        bad = good.replace("(sndi S 0 1 1)", "(sndi S 1 1 1)")
        text, errors, code = self.edit([], ["search success"], good, bad)
        self.assertIn("breaks rules D1 to D6", errors)
        text, errors, code = self.edit([], ["search success"], bad, good)
        self.assertIn("planned", text)


if __name__ == "__main__":
    unittest.main()
