#!/usr/bin/env python3
"""`matchpoint step` for those who know gdb: its words, its habits, and what it says where these differ."""

import re
import unittest

from step_session import CIRCLE, FIGURE1, Session, session
from support import BAD_INPUT, program


class Help(Session):
    def test_examples_can_be_run(self):
        """All of them in some session with Figure 1."""
        commands = re.findall(r"^  ([a-z-]+) ", self.says("help"), re.M)
        described = self.says(*(f"help {c}" for c in commands), *(f"help info {s}" for s in ("variables", "sends", "line")),
                              *(f"help set {s}" for s in ("timeout", "memory", "variable")))
        examples = re.findall(r"^  For example: (.*)$", described, re.M)
        self.assertGreater(len(examples), 15)
        for example in examples:
            with self.subTest(example=example):
                before = ["thread 2"] if example.startswith("deliver") else ["break 09"] if example.startswith("condition") else []
                before += ["jump 14"] if "set variable" in example or example.startswith("last") else []
                after = [] if example.startswith("help") else ["info status"]
                arguments = ["--choose"] if example.startswith("deliver") else []
                if example == "msc 30..60 thread 0 2":
                    example = "msc 3..6 thread 0 2"  # Figure 1 is shorter
                self.says(*before, example, *after, arguments=arguments)

    def test_conditions_have_one(self):
        for command, example in (("break", "break 09 if (> a 1)"), ("condition", "condition 1 (and (> a 1) (= b 0))"),
                                 ("print", "print/x (* a 16)")):
            self.assertIn(f"\n  For example: {example}\n", self.says(f"help {command}"))

    def test_subcommands(self):
        self.assertIn("set variable X = EXPR\n", self.says("help set variable"))
        self.assertIn("set variable X = EXPR\n", self.says("help set var"))
        self.assertIn("info variables [PATTERN]\n", self.says("help info variables"))
        listed = re.findall(r"^  info ([a-z]+) +[A-Z]", self.says("help info"), re.M)
        self.assertEqual(listed, re.findall(r"([a-z]+)(?: \[[^|]*)?(?: \||$)", self.says("help info").split("\n")[0][5:]))
        for name in listed:
            self.assertIn(f"info {name}", self.says(f"help info {name}"))
            self.says(f"info {name}")
        self.refuses("help info nothing", saying="there is no `info nothing`; usage: info state")
        self.refuses("help step 3", saying="`step` has no further help: help step")
        self.assertIn("what is before a step and after it is compared", self.says("help watch").lower())

    def test_usage(self):
        """A command without what it needs says what that is, as `help` does."""
        for command in ("print", "set variable", "set variable a", "set var zz", "set timeout", "break", "watch", "condition", "ignore",
                        "jump", "last", "restart", "choose", "deliver 0", "save", "source", "search", "apropos"):
            name = " ".join(w for w in command.split() if w not in ("a", "zz", "0", "R2")).replace("set var ", "set variable ")
            name = "set variable" if name == "set var" else name
            usage = self.says(f"help {name}").split("\n")[0]
            self.refuses(command, saying=f"error: usage: {usage}\n")

    def test_bare_info(self):
        """As in gdb: what can be asked for, one a line, as `help info` has it."""
        self.assertTrue(self.says("help info").endswith(self.says("info")))
        self.assertRegex(self.says("info"), r"\A  info state +The whole state")
        self.refuses("explain", saying="there is no command `explain`: `why` explains the status")

    def test_expressions_without_blanks(self):
        for typed in ("a==4", "a=4"):
            self.refuses(f"break {typed}", saying=f"there is no location `{typed}`; `{typed}` is read as a name; write `(= a 4)`")

    def test_search_where_nothing_is_asserted(self):
        path = self.write("( ( [a (rcvi R 0 x)] [b (wait R)] ) ( [c (sndi S 1 0 7)] [d (wait S)] ) )", "asserts_nothing.ctp")
        self.assertEqual(self.says("search failure", file=path), "there is none: the program asserts nothing, so no run fails; "
                         "`search deadlock` and `search fault` look for what else can go wrong\n")

    def test_set(self):
        self.assertIn("timeout 5 s\n", self.says("set timeout 5"))
        self.assertIn("pager off\n", self.says("set pager off"))
        for assignment in ("set variable a = 5", "set var a = 5", "set a = 5", "set a=5", "set a := 5", "set variable a:=5"):
            self.assertIn("a = 5, not 4\n", self.says("jump 7", assignment), assignment)
        file = self.write(program([("0", "(p := 1)"), ("1", "(m := p)"), ("2", "(x: := p)")]))
        self.assertIn("p = 2, not 1\n", self.says("auto", "undo", "thread 0", "set p = 2", file=file, arguments=["--choose"]))
        self.assertIn("x: = 2\n", self.says("set x: = 2", "info status", "display x:", file=file))

    def test_an_argument_order_and_its_words(self):
        self.assertIn("deliver BETA ALPHA [TAG]\n  Deliver to BETA the next message from ALPHA.\n", self.says("help deliver"))
        self.refuses("deliver 0 2", saying="nothing is in transit to 0 from 2")
        self.refuses("print Pnd_s(2,0)", saying="nothing is ever sent to 2 from 0")


class Ends(Session):
    """Why a run does not go on."""

    def test_complete(self):
        for command in ("continue", "step", "next", "stepi", "until"):
            for arguments, status in ((["--trace", "1"], "success"), (["--trace", "2"], "failure")):
                self.refuses("continue", command, arguments=arguments,
                             saying=f"error: the run is complete: {status} (well-formed); `why` explains it, `reverse-step` goes back\n")
        self.refuses("set variable a = 3", "continue", "continue", saying="complete: success (modified by hand); `why` explains it")

    def test_in_error(self):
        used_up = self.write("( ( [1 (x := 1)] [2 (x := 2)] bot) ) ( (1 bot) )", "early.ctp")
        self.refuses("continue", "continue", file=used_up,
                     saying="error: the run ended in error: rule MACHINE STEP: the trace is used up, but 1 command has not run")
        fault = self.write("( ( [1 (x := (div 1 0))] bot) ) ( (1 bot) )")
        self.refuses("continue", "continue", file=fault,
                     saying="error: the run ended in error: rule BINARY OPERATION: (div 1 0) has no value; `reverse-step` goes back\n")

    def test_blocked(self):
        self.refuses("auto", "continue", file=CIRCLE, arguments=["--choose"], saying="error: nothing can come next: a deadlock (`why`)\n")

    def test_the_end_of_what_is_planned(self):
        self.refuses("continue", arguments=["--choose"], saying="error: nothing is planned: `choices`, ")
        self.refuses("thread 2", "continue", arguments=["--choose"], saying="error: this is the end of what is planned: `choices`, ")


class Breakpoints(Session):
    def test_lines(self):
        """A location's name comes first, then the number of a line; a line without a command stands for the next one that has one."""
        file = self.write("; a comment\n( ( [a (x := 1)] [b (x := 2)]\n    [c (x := 3)] bot )\n\n  ( [5 (y := 1)]\n    [e (y := 2)] bot ) )\n")
        for name, rho, line in (("1", "a", 2), ("2", "a", 2), ("3", "c", 3), ("4", "5", 5), ("6", "e", 6), ("program.ctp:5", "5", 5),
                                (f"{file}:3", "c", 3)):
            for command in ("break", "tbreak"):
                self.assertEqual(self.says(f"{command} {name}", file=file), f"breakpoint 1: {rho}, in line {line}\n")
        self.assertEqual(self.says("break 5", file=file), "breakpoint 1: 5\n")
        self.assertIn("  1  break a if (> x 0)\n", self.says("break 1 if (> x 0)", "info breakpoints", file=file))
        self.assertIn("breakpoint 1: c\nat step 2", self.says("break 3", "auto", file=file))
        self.refuses("break 7", saying="there is no location `7`, and no command from line 7 on\n", file=file)
        self.refuses("break other.ctp:3", saying=f"`other.ctp:3`: the program is in {file}\n", file=file)
        self.refuses("break 99999999999999999999", saying="is not a line", file=file)

    def test_what_is_no_location(self):
        """The right form is named, and it works."""
        for name, *right in (("R2", "break receive R2", "break 02"), ("S4", "break 24", "watch Q_s(0)"), ("a", "watch a")):
            text, errors, _ = session(f"break {name}", *right, "info breakpoints")
            for form in right:
                self.assertIn(f"`{form}`", errors)
                self.assertIn(f"  {form}\n", text)
        self.refuses("break d0.1", saying="there is no location `d0.1`; `watch X` and `watch Q_s(BETA)` stop at changes")
        self.refuses("break 0x", saying="did you mean `02`?")


class WhyNot(Session):
    def test_without_an_oracle(self):
        """Some programs with selectors have none; then the executions are explored."""
        file = self.write("( ( [a1 (rcvi R1 0 x)] [a2 (wait R1)] [a3 (rcvi R2 0 y (from 1))] [a4 (wait R2)] bot )\n"
                          "  ( [b1 (sndi S1 1 0 1)] bot ) ( [c1 (sndi S2 2 0 2)] bot ) )\n")
        options = {"file": file, "arguments": ["--choose"]}
        can = "it can, from here: `search {}` finds the way\n"
        for pair, told in (("R1=S2", can.format("R1=S2")), ("R2=S1", can.format("R2=S1")),
                           ("R1=S1", "from here, no complete run has R1 = S1\nno complete run has R1 = S1; `search R1=S1` also looks at runs that do not complete\n"),
                           ("R2=S2", "never: R2 admits messages from 1, and S2 comes from 2 with tag 0\n")):
            self.assertEqual(session(f"whynot {pair}", **options)[0], told)
        text = session("thread 0", "thread 1", "thread 2", "deliver 0 1", "thread 0", "whynot R2=S1", **options)[0]
        self.assertTrue(text.endswith("from here, no complete run has R2 = S1\n"
                                      "in another run it can: R1 = S2, R2 = S1\n"), text)


class Expressions(Session):
    def test_infix(self):
        for text in ("a = 4", "a == 4"):
            self.refuses(f"print {text}", saying="; operators come first: `(= a 4)`\n")
            self.refuses(f"break {text}", saying="; operators come first: `(= a 4)`\n")
        self.refuses("print a==4", saying="there is no variable `a==4`; `a==4` is read as a name; write `(= a 4)`\n")
        self.refuses("print nope", saying="there is no variable `nope`")


class Words(Session):
    def test_commands_of_gdb(self):
        for word, ours in (("finish", "`end`"), ("advance", "`until LOC`"), ("commands", "`display X`"), ("up", "`info threads`"),
                           ("x", "`print/x EXPR`"), ("show", "`info`"), ("nexti", "`stepi`"), ("clear", "`delete N`")):
            self.refuses(word, saying=f"there is no command `{word}`: ")
            self.refuses(f"{word} 5", saying=ours)

    def test_list_ends(self):
        end = "this is the end of what `list` shows: `list .` shows what comes next\n"
        first = self.says("list")
        self.assertEqual(self.refuses("list", "list", "list", "list", saying=end), self.says("list", "list"))
        self.assertEqual(self.says("list", "list", "list ."), self.says("list", "list") + first)
        self.assertEqual(self.says("list", "list", "step", "list").count("thread 2\n"), 2)  # a move begins anew


class Values(Session):
    def test_without_one(self):
        """A variable has none, and that is said once."""
        for command, said in (("print a", "no value\n"), ("display a", "a has no value\n"), ("watch a", "watchpoint 1: now a has no value\n"),
                              ("last a", "no step has written it: a has no value\n"), ("print (+ a 1)", "no value: a has no value\n"),
                              ("display (+ a 1)", "(+ a 1) has no value: a has no value\n")):
            self.assertEqual(self.says(command), said)
        self.refuses("set b = a", saying="error: a has no value\n")

    def test_last_names_the_send(self):
        """As `info variables` does."""
        for trace in ("1", "2", "3"):
            arguments = ["--trace", trace, "--buffering", "zero" if trace == "3" else "infinite"]
            for x, by in re.findall(r"^(\w+) +\d+  \((.*)\)$", self.says("end", "info variables", arguments=arguments), re.M):
                self.assertIn(f"\n{x}, changed by {by}\n  was no value\n", self.says("end", f"last {x}", arguments=arguments))
        self.assertIn("A, changed by step 3, thread 0: 03 (wait R2), R2 = S4\n", self.says("end", "last A"))
        self.assertIn("Pnd_r(0), changed by step 3, thread 0: 03 (wait R2)\n", self.says("jump 4", "last Pnd_r(0)"))


if __name__ == "__main__":
    unittest.main()
