#!/usr/bin/env python3
"""The terminal of `matchpoint step`, and colors: lines that fit, the pager, ranges, completion, suggestions, Ctrl-Z."""

import json
import os
import re
import time
import unittest

from pseudo_terminal import PseudoTerminal, shown_on_terminal, without_colors
from support import BAD_INPUT, HOLDS, MATCHPOINT, InFolder, program, run

FIGURE1 = "traces/figure1.ctp"
# Every command that shows something.
LOOKS = ["help break", "help info", "apropos state", "choices -a", "stepi 3", "step 2", "info state", "info threads",
         "info queues", "info requests", "info trace", "info matches", "info status", "info breakpoints", "list", "list 0",
         "bt", "diff", "why", "display", "break thread 0", "watch Q_s(0)", "info breakpoints", "jump 9", "undo", "redo",
         "checkpoint", "info checkpoints", "end", "why", "info state", "info matches", "set", "reverse-step", "verbose on",
         "bt 2", "trace 1", "random 4", "msc", "msc 3..9", "msc thread 0 2", "info state thread 0 2"]


def session(*commands, file=FIGURE1, arguments=()):
    result = run("step", file, *arguments, stdin="".join(c + "\n" for c in commands).encode())
    return result.text, result.error_text, result.code


class Wrapped(InFolder):
    """Lines on a terminal of 80 and of 60 columns."""

    def programs(self):
        for name, *arguments in (("router", "5"), ("pktuse", "20", "5")):
            yield name, self.write(run("gen", name, *arguments).text, f"{name}.ctp"), ("--choose",)
        long_names = [("a_location_with_a_long_name", "(rcvi a_receive_with_a_long_name 0 a_variable_with_a_long_name)"),
                      ("another_location", "(wait a_receive_with_a_long_name)"),
                      ("third", "(assert (and (> a_variable_with_a_long_name 1) (< (+ a_variable_with_a_long_name 1) "
                                "(* a_variable_with_a_long_name 3))))")]
        sender = [("sender", "(sndi a_send_with_a_long_name 1 0 1)")]
        yield "long names", self.write(program(long_names, sender), "long.ctp"), ("--choose",)
        yield "figure 1", FIGURE1, ()

    def test_lines_fit_and_words_stay_whole(self):
        for name, file, arguments in self.programs():
            commands = "".join(f"{c}\n" for c in [*LOOKS, "auto", "why", "info state", "diff"] if not c.startswith("msc"))
            in_a_pipe = run("step", file, *arguments, stdin=commands.encode()).text
            self.assertGreater(max(map(len, in_a_pipe.splitlines())), 80, name)
            for columns in (80, 60):
                with self.subTest(name, columns=columns):
                    shown = shown_on_terminal([MATCHPOINT, "step", file, *arguments], commands, columns)
                    shown = without_colors(shown)
                    for line in shown.splitlines():
                        if len(line) > columns:
                            self.assertEqual(len(line.split()), 1, line)
                    for word in set(in_a_pipe.split()):
                        self.assertIn(word, shown)

    def test_the_same_words_in_the_same_order(self):
        commands = "step 4\ninfo state\ninfo threads\nwhynot R2 S5\nend\nwhy\nhelp search\nlist\ninfo trace\n"
        in_a_pipe = run("step", FIGURE1, stdin=commands.encode()).text
        for columns in (80, 60, 30):
            shown = without_colors(shown_on_terminal([MATCHPOINT, "step", FIGURE1], commands, columns))
            self.assertEqual(shown.split(), in_a_pipe.split())
        wide = without_colors(shown_on_terminal([MATCHPOINT, "step", FIGURE1], commands, 500))
        self.assertEqual(wide, in_a_pipe)

    def test_help_has_a_line_for_each_command(self):
        commands = re.findall(r"^  ([a-z-]+) ", session("help")[0], re.M)
        for columns in (80, 60, 40):
            shown = shown_on_terminal([MATCHPOINT, "step", FIGURE1], "help\n", columns, environment={"NO_COLOR": "1"})
            self.assertLessEqual(max(map(len, shown.splitlines())), columns)
            self.assertEqual(re.findall(r"^  ([a-z-]+) +[A-Z].*[^ ]$", shown, re.M), commands)

    def test_tables_go_on_in_their_last_column(self):
        shown = without_colors(shown_on_terminal([MATCHPOINT, "step", FIGURE1], "step 4\n", 80))
        self.assertIn("      WAIT (RCVI) COMMAND            R2 gets S4: h(eta(A)) = 4; R2 and S4 leave\n"
                      "                                     A; Pnd_r(0) = (), Q_s(0) = ()\n", shown)
        shown = without_colors(shown_on_terminal([MATCHPOINT, "step", FIGURE1], "step 4\n", 60))
        self.assertIn("      WAIT (RCVI) COMMAND            R2 gets S4: h(eta(A)) =\n        4; R2 and S4", shown)

    def test_the_window_at_each_moment(self):
        with PseudoTerminal(MATCHPOINT, "step", FIGURE1, columns=80, environment={"PAGER": "cat"}) as terminal:
            terminal.wait_for("> ")
            widths = []
            for columns in (60, 100, 70):
                terminal.resize(columns, 24)
                terminal.wait_for("] > ") # drawn anew
                terminal.type("help search\r")
                shown = terminal.wait_for("] > ").splitlines()
                widths.append(max(len(line) for line in shown if line.startswith("  ")))
            self.assertLessEqual(widths[0], 60)
            self.assertGreater(widths[1], 80)
            self.assertLessEqual(widths[2], 70)


class OtherCommands(InFolder):
    """Words stay whole there, too."""

    def test_words_stay_whole(self):
        wrong = self.write("( ( [a (wait a_request_that_nobody_has_issued)] [b (assert (some_function_of_another_language a b c d))] ) )",
                           "wrong.ctp")
        for arguments in (["check", FIGURE1], ["explore", FIGURE1], ["pairs", FIGURE1], ["run", FIGURE1], ["run", FIGURE1, "--steps"],
                          ["lint", wrong], ["check", wrong], ["run", "nowhere.ctp"], ["chekc"], ["--help"], ["check", "--help"],
                          ["draw", "--help"], ["step", "--help"]):
            in_a_pipe = run(*arguments)
            for columns in (60, 46):
                with self.subTest(arguments=arguments, columns=columns):
                    shown = shown_on_terminal([MATCHPOINT, *arguments], "", columns, environment={"NO_COLOR": "1"})
                    self.assertEqual(shown.split(), (in_a_pipe.text + in_a_pipe.error_text).split())
                    for line in shown.splitlines():
                        if not re.match(r" *\d* \|", line):  # a line of the source
                            self.assertTrue(len(line) <= columns or len(line.split()) == 1, line)

    def test_diagnostics_of_reload(self):
        file = self.write("( ( [a (x := 1)] bot ) )")
        with PseudoTerminal(MATCHPOINT, "step", file, columns=50, environment={"XDG_STATE_HOME": self.folder, "PAGER": "cat"}) as terminal:
            terminal.wait_for("] > ")
            file.write_text("( ( [a (wait a_request_that_nobody_has_issued)] bot ) )")
            terminal.type("reload\r")
            shown = terminal.wait_for("] > ")
            self.assertIn("error[S3]", shown)
            for line in shown.splitlines()[1:]:
                self.assertTrue(len(line) <= 50 or len(line.split()) == 1 or re.match(r" *\d* \|", line), line)

    def test_very_narrow(self):
        """One column is enough to go on."""
        for columns in (1, 2, 3, 7):
            for arguments in (["check", FIGURE1], ["--help"], ["draw", FIGURE1]):
                self.assertNotEqual(shown_on_terminal([MATCHPOINT, *arguments], "", columns), "")
            self.assertIn("quit", shown_on_terminal([MATCHPOINT, "step", FIGURE1], "help\n", columns))


class Paged(InFolder):
    def terminal(self, file=FIGURE1, arguments=(), rows=12, columns=80, **environment):
        return PseudoTerminal(MATCHPOINT, "step", file, *arguments, rows=rows, columns=columns,
                              environment={"XDG_STATE_HOME": self.folder, "HOME": self.folder, **environment})

    def ask(self, terminal, command):
        terminal.type(command + "\r")
        return terminal.wait_for(" > ")

    def test_only_what_is_longer_than_the_screen(self):
        paged = self.folder / "paged"
        with self.terminal(PAGER=f"cat > {paged}") as terminal:
            terminal.wait_for("] > ")
            self.assertIn("s = success", self.ask(terminal, "info status"))
            self.assertFalse(paged.exists())
            self.assertNotIn("reverse-stepi", self.ask(terminal, "help"))
            self.assertEqual(without_colors(paged.read_text()), session("help")[0])
            paged.unlink()
            self.ask(terminal, "set pager off")
            self.assertIn("reverse-stepi", self.ask(terminal, "help"))
            self.assertFalse(paged.exists())
            self.ask(terminal, "set pager on")
            self.ask(terminal, "help")
            self.assertTrue(paged.exists())

    def test_quitting_early_is_no_error(self):
        file = self.write("((" + "".join(f"[{i} (x := {i})]" for i in range(20_000)) + "))\n(" +
                          "".join(f"({i} bot)" for i in range(20_000)) + ")\n")
        with self.terminal(file, PAGER="head -n 1 > /dev/null") as terminal:
            terminal.wait_for("] > ")
            self.assertNotIn("rror", self.ask(terminal, "step 20000"))
            terminal.type("print x\r")
            self.assertIn("19999", terminal.wait_for(" > "))
            terminal.type("quit\r")
            self.assertEqual(terminal.code(), HOLDS)

    def test_a_pager_that_cannot_be_run(self):
        for pager in ("/nowhere/at/all", "not_a_program --option"):
            with self.subTest(pager), self.terminal(PAGER=pager) as terminal:
                terminal.wait_for("] > ")
                first = self.ask(terminal, "help")
                self.assertIn("cannot run the pager", first)
                self.assertIn("reverse-stepi", first)
                second = self.ask(terminal, "help")
                self.assertNotIn("cannot run", second)
                self.assertIn("reverse-stepi", second)

    def test_control_c_in_the_pager(self):
        pager = self.write("trap '' INT\ncat > /dev/null\necho it waits > /dev/tty\nread line < /dev/tty\n", "pager.sh")
        with self.terminal(PAGER=f"sh {pager}") as terminal:
            terminal.wait_for("] > ")
            terminal.type("help\r")
            terminal.wait_for("it waits")
            terminal.send("\x03")
            terminal.send("\n")
            terminal.wait_for("0/16 > ")
            self.assertIn("s = success", self.ask(terminal, "info status"))

    def test_no_pager_where_there_is_no_screen(self):
        paged = self.folder / "paged"
        for environment in ({"TERM": "dumb"}, {"PAGER": ""}, {"PAGER": "cat"}):
            with self.terminal(**{"PAGER": f"cat > {paged}", **environment}) as terminal:
                terminal.wait_for("] > ")
                self.assertIn("reverse-stepi", self.ask(terminal, "help"))
        os.environ["PAGER"] = f"cat > {paged}"
        self.addCleanup(os.environ.pop, "PAGER")
        self.assertIn("reverse-stepi", session("help")[0])
        self.assertFalse(paged.exists())

    def test_quitting_with_enter_runs_nothing(self):
        """The Enter after `q` is often typed when the pager has already ended."""
        pager = self.write("cat > /dev/null\necho it waits > /dev/tty\nread line < /dev/tty\n", "pager.sh")
        with self.terminal(PAGER=f"sh {pager}") as terminal:
            terminal.wait_for("0/16 [step] > ")
            terminal.type("help\r")
            terminal.wait_for("it waits")
            terminal.send("q\n")
            terminal.wait_for("0/16 > ")
            terminal.type("\r")
            self.assertNotIn("thread", terminal.wait_for("0/16 [step] > "))
            terminal.type("\r")
            self.assertIn("thread 2: (sndi S4 2 0 4)", terminal.wait_for("1/16 [step] > "))

    def test_less(self):
        """The pager that is used if there is no $PAGER is `less -FRX`, here one of our own."""
        less = self.write("#!/bin/sh\necho \"less $*, LESS=$LESS\" > /dev/tty\ncat > /dev/null\nread line < /dev/tty\n", "less")
        less.chmod(0o755)
        with self.terminal(PAGER=None, LESS=None, PATH=f"{self.folder}:{os.environ['PATH']}") as terminal:
            terminal.wait_for("] > ")
            terminal.type("help\r")
            terminal.wait_for("less -FRX, LESS=FRX")
            terminal.send("q\n")
            terminal.wait_for(" > ")
            self.assertIn("s = success", self.ask(terminal, "info status"))

    def failing_script(self, *commands):
        return self.write("".join(c + "\n" for c in [*commands, "frobnicate"]), "failing.step")

    def test_what_a_failing_script_printed_comes_before_its_error(self):
        script = self.failing_script("info status")
        with self.terminal(PAGER="cat > /dev/null") as terminal:
            terminal.wait_for("] > ")
            shown = self.ask(terminal, f"source {script}")
            self.assertRegex(shown, r"(?s)s = success.*failing.step:2: error: there is no\s+command `frobnicate`")
            self.assertNotIn("success", self.ask(terminal, "print 1"))

    def test_a_failing_script_ends_the_pager(self):
        script = self.failing_script("help")
        paged = self.folder / "paged"
        with self.terminal(PAGER=f"cat > {paged}") as terminal:
            terminal.wait_for("] > ")
            self.assertIn("frobnicate", self.ask(terminal, f"source {script}"))
            self.assertEqual(without_colors(paged.read_text()), session("help")[0])
            self.assertIn("s = success", self.ask(terminal, "info status"))


class AtALimit(InFolder):
    def test_the_session_goes_on_where_the_next_command_exceeds_a_limit(self):
        """The prompt says whether anything can come next."""
        commands = [("i", "(x := 2)")] + [(f"s{i}", "(x := (* x x))") for i in range(25)]
        for traces, end, prompt in (([[c for c, _ in commands]], "end", "24/26 [step] > "), ([], "auto", "24 [choose 1] > ")):
            file = self.write(program(commands, traces=traces))
            with PseudoTerminal(MATCHPOINT, "step", file,
                                environment={"XDG_STATE_HOME": self.folder, "PAGER": "cat"}) as terminal:
                terminal.wait_for("] > ")
                terminal.type(f"{end}\r")
                terminal.wait_for("limit reached: a product of more than")
                terminal.wait_for(prompt)
                terminal.type("info threads\r")
                terminal.wait_for("thread 0: at s23")
                terminal.wait_for(prompt)
                terminal.type("quit\r")
                self.assertEqual(terminal.code(), HOLDS)


class Ranges(InFolder):
    def test_steps(self):
        whole = session("end", "msc")[0].splitlines()
        part = session("end", "msc 4..6")[0]
        rows = [line for line in whole if re.match(r" +[456] \d\d ", line)]
        self.assertEqual(len(rows), 3)
        for row in rows:
            self.assertIn(row + "\n", part)
        self.assertEqual(len(re.findall(r"^ +\d+ \d\d  ", part, re.M)), 3)
        self.assertIn("... 4 before\n", part)
        self.assertIn("... 9 more\n", part)
        self.assertEqual(len(re.findall(r"^ +\d+ \d\d  ", session("end", "msc ..6")[0], re.M)), 7)
        self.assertEqual(len(re.findall(r"^ +\d+ \d\d  ", session("end", "msc 14..")[0], re.M)), 2)
        self.assertEqual(len(re.findall(r"^ +\d+ \d\d  ", session("end", "msc 5")[0], re.M)), 1)

    def test_threads(self):
        part = session("end", "msc thread 0 2")[0]
        self.assertIn("thread 0", part)
        self.assertNotIn("thread 1  ", part)
        self.assertNotIn("wait R3", part)
        self.assertIn("► thread 1", part)  # S6 goes to thread 1
        self.assertRegex(part, r"◄─ S5 = 1 from 1")
        both = session("end", "msc 3..9 thread 0")[0]
        self.assertEqual(both, session("end", "msc thread 0 3..9")[0])
        self.assertEqual(set(re.findall(r"^ +(\d+) ", both, re.M)) & {"0", "1", "2"}, set())
        for wrong in ("msc 9..3", "msc thread", "msc thread 9", "msc x", "msc ..", "msc 1..2 3..4", "msc 1...2", "msc -1"):
            self.assertEqual(session("end", wrong)[2], BAD_INPUT, wrong)

    def test_state(self):
        text = session("step 3", "info state thread 1 2")[0].split("\n")
        whole = session("step 3", "info state")[0].split("\n")
        self.assertEqual([line for line in whole if line not in text],
                         ["thread 0 is at 03", "A(R2) = 0", "Pnd_r(0) = ([R2 A])"])
        self.assertIn("s = success", text)
        for wrong in ("info state 3..4", "info state thread", "info state thread 9", "info state x"):
            self.assertEqual(session(wrong)[2], BAD_INPUT, wrong)

    def test_draw(self):
        text = run("draw", FIGURE1, "--trace", "1", "--entries", "3..9", "--threads", "0,2").text
        drawn = session("jump 16", "msc 3..9 thread 0 2")[0].split("\n")
        self.assertEqual(text.split("\n")[1:], drawn[-len(text.split("\n")) + 1:])
        self.assertIn("... 3 before", text)
        self.assertNotIn("thread 1", text.split("\n")[1])
        for wrong in (("--entries", "9..3"), ("--threads", "0,x"), ("--threads", "3"),
                      ("--entries", "1..2", "--format", "svg"), ("--threads", "1", "-o", "x.html")):
            self.assertEqual(run("draw", FIGURE1, *wrong).code, BAD_INPUT, wrong)

    def test_values_before_commands(self):
        """Where a column is short of space, the command is cut and the value stays."""
        name = "a_variable_with_a_long_name"
        file = self.write(program([("0", f"(rcvi a_receive_with_a_long_name 0 {name})"), ("1", "(wait a_receive_with_a_long_name)"),
                                   ("2", f"({name} := (+ {name} (* 2 3)))")],
                                  [("3", "(sndi a_send_with_a_long_name 1 0 (* 6 7))")],
                                  *([(str(i), f"(y{i} := {i})")] for i in range(4, 7))))
        for columns in (80, 63):
            shown = shown_on_terminal([MATCHPOINT, "step", file, "--choose"], "auto\nmsc\n", columns,
                                      environment={"NO_COLOR": "1"})
            diagram = shown[shown.index("        thread 0"):]
            self.assertLessEqual(max(map(len, diagram.splitlines())), columns)
            self.assertRegex(diagram, r"◄.* 42 ")
            self.assertRegex(diagram, r"● a.*… = 42\n")
            self.assertRegex(diagram, r"● a.*… = 48\n")


class Colors(InFolder):
    COMMANDS = [("run", FIGURE1), ("run", FIGURE1, "--steps"), ("check", FIGURE1), ("explore", FIGURE1),
                ("pairs", FIGURE1, "--why"), ("draw", FIGURE1)]
    SESSION = b"end\nwhy\ninfo status\nlist\ninfo trace\njump 3\ndiff\nmsc\nhelp\nwatch A\nstep 2\n"

    def test_colors_change_no_text(self):
        for command in self.COMMANDS:
            with self.subTest(command):
                always = run(*command, "--color", "always")
                never = run(*command, "--color", "never")
                self.assertIn("\x1b[", always.text)
                self.assertNotIn("\x1b", never.text)
                self.assertEqual(without_colors(always.text), never.text)
                self.assertEqual(run(*command).text, never.text)
                self.assertEqual(always.code, never.code)
        always = run("step", FIGURE1, "--color", "always", stdin=self.SESSION).text
        self.assertEqual(without_colors(always), run("step", FIGURE1, stdin=self.SESSION).text)

    def test_statuses(self):
        bad, good = "\x1b[1;31m", "\x1b[1;32m"
        text = run("step", FIGURE1, "--color", "always", stdin=b"info status\nsearch failure\nend\ninfo status\n").text
        self.assertIn(f"s = {good}success\x1b[0m\n", text)
        self.assertIn(f"s = {bad}failure\x1b[0m\n", text)
        self.assertIn(f"\n{bad}failure\x1b[0m: R2 = S5", run("explore", FIGURE1, "--color", "always").text)
        drawn = run("draw", FIGURE1, "--trace", "2", "--color", "always").text
        self.assertIn(f"{bad}✗\x1b[0m", drawn)
        self.assertIn(f"s = {bad}failure\x1b[0m", drawn)
        self.assertIn(f"verdict: {bad}violated\x1b[0m", run("explore", FIGURE1, "--color", "always").text)

    def test_where_the_run_stands_and_what_changed(self):
        text = run("step", FIGURE1, "--color", "always", stdin=b"jump 7\ndiff\nlist\ninfo trace\n").text
        self.assertIn("\x1b[32m+ h(eta(a)) = 4\x1b[0m\n", text)
        self.assertIn("\x1b[31m- thread 0 is at 04\x1b[0m\n", text)
        self.assertRegex(text, r"\x1b\[1m  > 05 .*\x1b\[0m\n")
        self.assertRegex(text, r"\x1b\[1m>    7 .*\x1b\[0m\n")

    def test_no_color(self):
        for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            for command in [*self.COMMANDS, ("step", FIGURE1)]:
                shown = shown_on_terminal([MATCHPOINT, *command], "info status\n", 80, environment=environment)
                self.assertNotIn("\x1b", shown)
                always = shown_on_terminal([MATCHPOINT, *command, "--color", "always"], "info status\n", 80,
                                           environment=environment)
                self.assertIn("\x1b[", always)
        self.assertIn("\x1b[", shown_on_terminal([MATCHPOINT, "step", FIGURE1], "info status\n", 80))

    def test_json_has_none(self):
        for command in ("run", "check", "explore", "pairs"):
            text = run(command, FIGURE1, "--format", "json", "--color", "always").text
            self.assertNotIn("\x1b", text)
            json.loads(text)

    def test_files_have_none(self):
        file = self.folder / "drawn.txt"
        run("draw", FIGURE1, "-o", file, "--color", "always")
        self.assertNotIn("\x1b", file.read_text())

    def test_wrapping_counts_what_is_visible(self):
        for columns in (80, 60):
            plain = shown_on_terminal([MATCHPOINT, "step", FIGURE1, "--color", "never"], self.SESSION.decode(), columns)
            color = shown_on_terminal([MATCHPOINT, "step", FIGURE1, "--color", "always"], self.SESSION.decode(), columns)
            self.assertEqual(without_colors(color), plain)


class Suggestions(InFolder):
    def test_suggestions(self):
        race = self.write(program([("first", "(rcvi Receive 10 total)"), ("second", "(wait Receive)")],
                                  [("third", "(sndi Send 11 10 1)")]))
        for typed, meant in (("stpe", "step"), ("chioces", "choices"), ("help braek", "break"),
                             ("info quues", "queues"), ("break frist", "first"),
                             ("until secnod", "second"), ("break receive Recieve", "Receive"), ("print totla", "total"),
                             ("watch ttal", "total"), ("watch Q_s(100)", "10"), ("deliver 10 111", "11"),
                             ("whynot Recieve Send", "Receive"), ("whynot Receive Snd", "Send"), ("search failre", "failure"),
                             ("search Receive=Sned", "Send"), ("break status sucess", "success"), ("set timout 3", "timeout"),
                             ("set pgaer on", "pager")):
            text, errors, code = session(typed, file=race, arguments=["--choose"])
            self.assertEqual((text, code), ("", BAD_INPUT), typed)
            self.assertIn(f"did you mean `{meant}`?", errors, typed)
        for unknown in ("help frobnicate", "frobnicate", "break q", "info xyzzy"):
            text, errors, code = session(unknown, file=race)
            self.assertEqual((text, code), ("", BAD_INPUT), unknown)
            self.assertNotIn("did you mean", errors)

    def test_hostile_names_are_not_suggested(self):
        file = self.write(program([("na\x1bme", "(x\x1bxx := 1)")]))
        for typed in ("break name", "print xxx"):
            self.assertNotIn("\x1b", session(typed, file=file)[1])


class Completed(InFolder):
    maxDiff = None

    def test_completion(self):
        (self.folder / "session.step").write_text("")
        (self.folder / "sub").mkdir()
        (self.folder / "sub" / "other.step").write_text("")
        file = self.write(program([("alpha", "(rcvi Receive 0 total)"), ("beta", "(wait Receive)")],
                                  [("gamma", "(sndi Send 11 0 1)")], traces=[]))
        cases = [
            ("choo", "choose "), ("rev", "reverse-"), ("until al", "until alpha "), ("break ga", "break gamma "),
            ("break thr", "break thread "), ("break thread 1", "break thread 1 "), ("tbreak rec", "tbreak receive "),
            ("break receive ", "break receive Receive "), ("break status suc", "break status success "),
            ("break status i", "break status infeasible "), ("break (= to", "break (= total "),
            ("break (= (+ 1 to", "break (= (+ 1 total "), ("print to", "print total "), ("print (di", "print (div "),
            ("print Q_", "print Q_s("), ("print Q_s(1", "print Q_s(11 "), ("watch Pnd_s(0,1", "watch Pnd_s(0,11 "),
            ("display (> to", "display (> total "), ("whynot Rec", "whynot Receive "),
            ("whynot Receive ", "whynot Receive Send "), ("search dea", "search deadlock "), ("search Rec", "search Receive="),
            ("search Receive=", "search Receive=Send "), ("info st", "info stat"),
            ("info que", "info queues "), ("info state thr", "info state thread "), ("msc thr", "msc thread "),
            ("set p", "set pager "), ("set pager of", "set pager off "), ("verbose of", "verbose off "),
            ("help stepi", "help stepi "), ("deliver 1", "deliver 11 "), ("deliver 0 1", "deliver 0 11 "),
            ("save tr", "save trace "), (f"source {self.folder}/ses", f"source {self.folder}/session.step "),
            (f"source {self.folder}/su", f"source {self.folder}/sub/"),
            (f"save session {self.folder}/sub/o", f"save session {self.folder}/sub/other.step "), ("choices -", "choices -a "),
            ("condition 1 (= to", "condition 1 (= total "), ("list thr", "list thread "), ("list ga", "list gamma "),
            ("info line be", "info line beta "), ("info receives Rec", "info receives Receive "),
            ("set variable to", "set variable total "), ("print/x to", "print/x total "), ("last Q", "last Q_s("),
        ]
        # A mark after the completed text shows what is there. The lines are comments, so they enter the history.
        with PseudoTerminal(MATCHPOINT, "step", file, columns=200, environment={"XDG_STATE_HOME": self.folder}) as terminal:
            for typed, _ in cases:
                terminal.wait_for("0 [choose 1] > ")
                terminal.type(f"{typed}\t%\x01#\r")
            terminal.wait_for("0 [choose 1] > ")
            terminal.type("quit\r")
            self.assertEqual(terminal.code(), HOLDS)
        history = (self.folder / "matchpoint" / "history").read_text().replace("\\040", " ").splitlines()
        completed = [line[1:-1] for line in history if line.startswith("#")]
        self.assertEqual(completed, [completed for _, completed in cases])

    def test_lists_fit_into_the_window(self):
        names = [f"a_location_{i:02}" for i in range(20)]
        file = self.write(program([(name, "(x := 1)") for name in names]))
        with PseudoTerminal(MATCHPOINT, "step", file, columns=60, environment={"XDG_STATE_HOME": self.folder}) as terminal:
            terminal.wait_for("> ")
            terminal.type("until a_location_\t")
            terminal.wait_for("a_location_00")
            listed = "a_location_00" + terminal.wait_for("> until")
            self.assertEqual(listed.split()[:20], names)
            self.assertLessEqual(max(map(len, listed.splitlines())), 60)


class Stopped(InFolder):
    def test_control_z_and_fg(self):
        environment = {"XDG_STATE_HOME": self.folder, "PS1": "SHELL ", "INPUTRC": "/dev/null"}
        with PseudoTerminal("bash", "--norc", "--noprofile", "-i", environment=environment) as terminal:
            terminal.wait_for("SHELL ")
            terminal.send(f"{MATCHPOINT} step {FIGURE1}\r")
            terminal.wait_for("0/16 [step] > ")
            terminal.type("jump 1")
            terminal.wait_for("jump 1")
            terminal.send("\x1a")
            terminal.wait_for("Stopped")
            terminal.wait_for("SHELL ")
            terminal.send("echo mode $((6*7))\r")
            terminal.wait_for("mode 42")
            terminal.wait_for("SHELL ")
            terminal.send("fg\r")
            terminal.wait_for("0/16 [step] > jump 1")
            terminal.send("2\r")
            terminal.wait_for("at step 12/16")
            terminal.wait_for("] > ")
            # Twice, and with an empty line.
            terminal.type("\x1a")
            terminal.wait_for("SHELL ")
            terminal.send("fg\r")
            terminal.wait_for("12/16 [step] > ")
            terminal.send("quit\r")
            terminal.wait_for("SHELL ")
            terminal.send("echo code $?\r")
            terminal.wait_for("code 0")

    def test_resize_while_editing(self):
        with PseudoTerminal(MATCHPOINT, "step", FIGURE1, environment={"XDG_STATE_HOME": self.folder}) as terminal:
            terminal.wait_for("0/16 [step] > ")
            terminal.type("jump 1")
            terminal.wait_for("jump 1")
            for columns in (60, 100):
                terminal.resize(columns, 20)
                terminal.wait_for("0/16 [step] > jump 1")
            terminal.type("2\r")
            terminal.wait_for("at step 12/16")


if __name__ == "__main__":
    unittest.main()
