#!/usr/bin/env python3
"""Arguments, files, streams, colors and exit codes."""

import itertools
import json
import os
import pty
import re
import signal
import subprocess
import unittest
from pathlib import Path

from support import (BAD_INPUT, ERROR, FAILURE, HOLDS, INFEASIBLE, OUTPUT_FAILED, STATUS_CODE, STATUSES, UNKNOWN, InFolder,
                     program, reports_closed_standard_output, run)

FIGURE1 = "traces/figure1.ctp"
WARNED = "traces/stuck_not_on_integer.ctp"
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


class Arguments(InFolder):
    def test_version(self):
        """The first line has the version that CMakeLists.txt sets, and nothing else."""
        result = run("--version")
        self.assertEqual((result.code, result.err), (HOLDS, b""))
        version = re.search(r"^project\(matchpoint VERSION (\S+)", Path("CMakeLists.txt").read_text(), re.MULTILINE)[1]
        self.assertEqual(result.text.splitlines()[0], f"matchpoint {version}")
        self.assertRegex(result.text, r"\ncommit     (unknown|\S{7,}, \d{4}-\d\d-\d\d)\n")
        self.assertEqual(run("version").text, result.text)
        self.assertEqual(run("--version", "--format", "json").out, run("version", "--format", "json").out)
        self.refused("--version", FIGURE1, saying=FIGURE1)

    def test_no_command(self):
        self.refused(saying="--help")

    def test_unknown_command(self):
        self.refused("frobnicate", saying="there is no command `frobnicate` (see `matchpoint --help`)")
        self.refused("chek", FIGURE1, saying="there is no command `chek`; did you mean `check`?")
        self.refused(
            "verify", "--", "./a.out", saying="there is no command `verify`; did you mean `mpi verify` or `mcapi verify` or `threads verify`?"
        )
        self.refused("--hlep", saying="there is no option `--hlep`; did you mean `--help`?")

    def test_unknown_option(self):
        for command in ("run", "lint", "fmt"):
            self.refused(command, FIGURE1, "--frobnicate", saying="there is no option `--frobnicate` (see "
                                                                  f"`matchpoint {command} --help`)")
            self.refused(command, FIGURE1, "--frobnicate=3", "-Z", saying="there is no option `--frobnicate` (see")
            self.refused(command, FIGURE1, "--colour", "never", saying="there is no option `--colour`; did you mean `--color`?")
        for command in ("check", "run", "lint", "explore", "pairs"):
            self.refused(command, FIGURE1, "--json", saying="there is no option `--json`; did you mean `--format json`? (see")
        self.refused("run", FIGURE1, "-json", saying="there is no option `-json`; did you mean `--format json`? (see")
        self.refused("fmt", FIGURE1, "--json", saying="there is no option `--json` (see")
        self.refused("run", "-Z", FIGURE1, saying="there is no option `-Z`")

    def test_unknown_family(self):
        self.refused("gen", "scalling", "5", saying="there is no family `scalling`; did you mean `scaling`? (see `matchpoint gen --help`)")
        self.refused("gen", "scaling", "5", "--saef", saying="there is no option `--saef`; did you mean `--safe`?")
        self.refused("gen", "scaling", "5", "--tracee", saying="there is no option `--tracee`; did you mean `--trace`?")
        self.refused("gen", "scaling", "5", "6", saying="`6` is one argument too many: `matchpoint gen scaling N`")
        self.refused("gen", "scaling", "many", saying="`many` is not a number")

    def test_missing_value(self):
        self.refused("run", FIGURE1, "--trace", saying="option `--trace` needs a value: `--trace N`")
        self.refused("run", FIGURE1, "--trace", "--steps", saying="option `--trace` needs a value: `--trace N`")
        self.refused("check", FIGURE1, "-o", saying="option `-o` needs a value: `-o OUT`")
        self.refused("run", FIGURE1, "--steps=many", saying="option `--steps` takes no value")

    def test_nearest_choice(self):
        self.refused("check", FIGURE1, "--engine", "smtt", saying="`smtt` is not one of auto|explore|sat|smt; did you mean `smt`?")
        self.refused("run", FIGURE1, "--format=jsn", saying="did you mean `json`?")

    def test_what_looks_like_an_option(self):
        self.refused("gen", "scaling", "-3", saying="`-3` is negative: no argument of `matchpoint gen scaling` can be")
        self.refused("check", FIGURE1, "-format", "json", saying="there is no option `-format`; did you mean `--format`?")
        for word in ("-v", "-V"):
            self.refused(word, saying=f"there is no option `{word}`; did you mean `--version`?")
        self.assertNotIn("did you mean", self.refused("--completion", "tcsh", saying="`tcsh` is not one of bash|fish|zsh"))

    def test_a_file_for_a_command(self):
        self.refused(FIGURE1, saying=f"there is no command `{FIGURE1}`; a file comes after one: `matchpoint check {FIGURE1}`")

    def test_entries_that_are_none(self):
        self.refused("draw", FIGURE1, "--trace", "1", "--entries", "9999", saying="--entries: there is no entry 9999: there are ")

    def test_a_file_that_is_none(self):
        for command in (["run"], ["check"], ["explore"], ["pairs"], ["encode"], ["draw"], ["lint"], ["fmt"], ["step"], ["smt"],
                        ["gen", "vamp"]):
            with self.subTest(command=command):
                result = run(*command, self.folder / "missing")
                self.assertEqual(result.code, BAD_INPUT)
                self.assertIn("matchpoint: error[file]: ", result.error_text)

    def test_no_file(self):
        for command in ("run", "lint", "fmt"):
            self.refused(command, saying=f"FILE is missing: `matchpoint {command} FILE`" if command != "lint" else
                         "FILE is missing: `matchpoint lint FILE ...`")

    def test_too_many_files(self):
        for command in ("run", "fmt"):
            self.refused(command, FIGURE1, WARNED,
                         saying=f"`{WARNED}` is one argument too many: `matchpoint {command} FILE`")

    def test_choices(self):
        for command, option, words in (("run", "--buffering", "infinite|zero"), ("run", "--format", "json|latex|text"),
                                       ("lint", "--format", "json|text"), ("fmt", "--color", "always|auto|never")):
            for word in ("some", "", "Zero", "json "):
                self.refused(command, FIGURE1, option, word, saying=f"`{word}` is not one of {words}")

    def test_trace_numbers(self):
        for word in ("0", "-1", "abc", "", "1.5", "1e3", "99999999999999999999999"):
            self.refused("run", FIGURE1, "--trace", word, saying="--trace")
        self.refused("run", FIGURE1, "--trace", "99", saying=f"{FIGURE1} has no trace 99: it has 3")
        self.assertEqual(run("run", FIGURE1, "--trace", "2").code, FAILURE)

    def test_an_option_twice(self):
        self.refused("run", FIGURE1, "--trace", "1", "--trace", "2", saying="option `--trace` is given twice")

    def test_steps_are_text(self):
        self.refused("run", FIGURE1, "--steps", "--format", "json", saying="--steps")

    def test_control_characters_in_arguments(self):
        evil = "\x1b[31m"
        for arguments in (["run", evil], ["run", FIGURE1, "--trace", evil], ["run", FIGURE1, "--format", evil],
                          ["run", FIGURE1, evil], ["run", FIGURE1, "--" + evil], [evil]):
            with self.subTest(arguments=arguments):
                self.refused(*arguments)


class Files(InFolder):
    def test_what_cannot_be_read(self):
        dangling = self.folder / "dangling"
        dangling.symlink_to("nowhere")
        circle = self.folder / "circle"
        circle.symlink_to("circle")
        file = self.write("(())")
        for path, reason in ((self.folder / "missing.ctp", "No such file or directory"),
                             (self.folder, "Is a directory"),
                             (file / "below.ctp", "Not a directory"),
                             ("/proc/self/mem", "Input/output error"),
                             (dangling, "No such file or directory"),
                             (circle, "Too many levels of symbolic links"),
                             (self.folder / ("x" * 256), "File name too long"),
                             ("", "No such file or directory")):
            for command in (["run"], ["lint"], ["fmt"], ["fmt", "-i"], ["run", "--format", "json"]):
                with self.subTest(path=path, command=command):
                    self.refused(*command, path, saying=f"matchpoint: error[file]: cannot read {path}: {reason}")

    def test_control_characters_in_file_names(self):
        path = self.write("(([00 (x := )]))", "\x1b[31m\n.ctp")
        for command in (["run"], ["fmt"], ["run", "--format", "json"]):
            result = run(*command, path)
            self.assertEqual(result.code, BAD_INPUT)
            self.assertIn(r"/\x1b[31m\x0a.ctp:1:", result.error_text)
            self.assertNotIn("\x1b", result.text + result.error_text)

    def test_standard_input(self):
        text = Path(FIGURE1).read_bytes()
        for command in (["run"], ["run", "--format", "json"], ["lint"], ["fmt"]):
            from_file = run(*command, FIGURE1)
            given = run(*command, "-", stdin=text)
            self.assertEqual((given.code, given.err), (from_file.code, from_file.err))
            self.assertEqual(given.text.replace("<stdin>", FIGURE1), from_file.text)
        self.refused("run", "-", stdin=b"(", saying="<stdin>:1:2: error[syntax]")
        self.refused("fmt", "-i", "-", stdin=text, saying="standard input")

    def test_standard_input_from_a_pipe(self):
        path = self.write(program([(f"l{i}", f"(x{i} := {i})") for i in range(100_000)]))
        with subprocess.Popen(["cat", path], stdout=subprocess.PIPE) as cat:
            given = run("fmt", "-", stdin=cat.stdout)
        self.assertEqual((given.code, given.out), (HOLDS, run("fmt", path).out))

    def test_standard_input_closed(self):
        self.refused("run", "-", saying="cannot read <stdin>: Bad file descriptor", preexec_fn=lambda: os.close(0))

    def test_empty_file(self):
        for command in ("run", "fmt"):
            self.refused(command, "/dev/null", saying="/dev/null:1:1: error[syntax]")

    def test_no_traces(self):
        path = self.write("(([00 (x := 1)]))")
        for command in ("run", "draw", "smt"):
            said = self.refused(command, path, saying=f"matchpoint: error[trace]: {path} has no trace")
            self.assertEqual(re.findall(r"^  = hint: `matchpoint (\w+) ", said, re.MULTILINE), ["check", "step", "explore"])
        self.assertEqual(run("lint", path).code, HOLDS)
        # `check` and `explore` refuse a program that breaks D1 to D6.
        path = self.write("(([00 (sndi S 0 1 true)]) ([10 (sndi T 1 1 5)]) ([20 (rcvi R 1 x)] [21 (wait R)]))")
        said = self.refused("run", path, saying=f"matchpoint: error[trace]: {path} has no trace")
        self.assertEqual(re.findall(r"^  = hint: `matchpoint (\w+) ", said, re.MULTILINE), ["step"])
        self.assertEqual(run("check", path).code, BAD_INPUT)


class ExitCodes(InFolder):
    # The first message decides: 1 is infeasible, 2 a failure, 3 a success; an empty trace does not complete.
    RACE = program([("00", "(rcvi r1 0 x)"), ("01", "(rcvi r2 0 y)"), ("02", "(rcvi r3 0 z)"), ("03", "(wait r3)"),
                    ("04", "(assume (!= x 1))"), ("05", "(assert (!= x 2))")],
                   *([(f"{k}0", f"(sndi s{k} {k} 0 {k})")] for k in (1, 2, 3)))
    BEGINNING = "(00 bot) (01 bot) (02 bot) (10 bot) (20 bot) (30 bot) "
    TRACES = {"success": f"({BEGINNING} (03 ((0 3) (0 1) (0 2) bot)) (04 bot) (05 bot))",
              "failure": f"({BEGINNING} (03 ((0 2) (0 1) (0 3) bot)) (04 bot) (05 bot))",
              "infeasible": f"({BEGINNING} (03 ((0 1) (0 2) (0 3) bot)) (04 bot) (05 bot))",
              "error": "()"}

    def test_the_worst_trace_counts(self):
        for count in (1, 2, 3, 4):
            for chosen in itertools.permutations(STATUSES, count):
                path = self.write(self.RACE + "\n".join(self.TRACES[status] for status in chosen))
                result = run("run", path)
                self.assertEqual(re.findall(r"^trace \d+: (\w+)", result.text, re.MULTILINE), list(chosen))
                self.assertEqual(result.code, max(STATUS_CODE[status] for status in chosen))

    def test_prefix(self):
        """A trace may stop early, but not get stuck. A whole one is what it is without the option."""
        beginning = f"({self.BEGINNING} (03 ((0 2) (0 1) (0 3) bot)) (04 bot)"
        for trace, status, completes, prefix in (
                ("()", "success", False, True), (f"{beginning})", "success", False, True),
                (f"{beginning} (05 bot))", "failure", True, True), (f"{beginning} (04 bot))", "error", False, True),
                ("()", "error", False, False), (f"{beginning} (05 bot))", "failure", True, False)):
            with self.subTest(trace=trace, prefix=prefix):
                path, options = self.write(self.RACE + trace), ["--prefix"] * prefix
                result = run("run", path, *options)
                self.assertEqual(result.code, STATUS_CODE[status])
                early = status != "error" and not completes
                self.assertEqual("(the trace stops early)" in result.text, early)
                [found] = json.loads(run("run", path, *options, "--format", "json").text)["traces"]
                self.assertEqual((found["status"], found["completes"]), (status, completes))
        path = self.write(self.RACE + f"{beginning})")
        self.assertEqual(run("run", path, "--prefix").text.splitlines()[-1], "  thread 0 is at 05 (assert (!= x 2))")
        self.assertIn("s = success", run("run", path, "--prefix", "--steps").text)

    def test_limit(self):
        """A trace of unknown outcome could be anything but better than an error."""
        commands = [("00", "(rcvi r 0 x)"), ("01", "(wait r)"), ("02", "(assert (!= x 0))")]
        commands += [(f"q{i}", "(x := (* x x))") for i in range(40)]
        text = program(commands, *([(f"{k}0", f"(sndi s{k} {k} 0 {k - 1})")] for k in (1, 2, 3)))
        rest = "".join(f" ({rho} bot)" for rho, _ in commands[2:])
        traces = {k: f"((00 bot) (10 bot) (20 bot) (30 bot) (01 ((0 {k}) bot)) {rest})" for k in (1, 2, 3)}
        failure, success, limit, error = traces[1], traces[2], traces[3], "()"
        for chosen, code in (([limit], UNKNOWN), ([success, limit], UNKNOWN), ([limit, failure], UNKNOWN),
                             ([limit, error], ERROR), ([success, failure], FAILURE)):
            result = run("run", self.write(text + "\n".join(chosen)))
            self.assertEqual(result.code, code)
            self.assertEqual("unknown (limit reached)" in result.text, limit in chosen)

    def test_lint(self):
        bad = self.write("(([00 (wait a)]))")
        for arguments, code in (([FIGURE1], HOLDS), (["--strict", FIGURE1], HOLDS), ([WARNED], HOLDS),
                                (["--strict", WARNED], BAD_INPUT), ([bad], BAD_INPUT), ([FIGURE1, bad], BAD_INPUT),
                                ([bad, FIGURE1], BAD_INPUT), ([FIGURE1, WARNED], HOLDS),
                                (["missing.ctp", WARNED], BAD_INPUT)):
            result = run("lint", *arguments)
            self.assertEqual(result.code, code, arguments)
            for path in (WARNED, bad):  # every file is looked at, whatever is wrong with the others
                self.assertEqual(f"{path}:" in result.text, path in arguments)

    def test_lint_writes_one_document_for_each_file(self):
        result = run("lint", FIGURE1, WARNED, "--format", "json")
        decoder, rest, files = json.JSONDecoder(), result.text, []
        while rest:
            document, end = decoder.raw_decode(rest)
            files.append(document["file"])
            rest = rest[end:].lstrip()
        self.assertEqual(files, [FIGURE1, WARNED])


class Streams(InFolder):
    COMMANDS = (["run", FIGURE1], ["run", FIGURE1, "--format", "json"], ["run", FIGURE1, "--steps"], ["lint", WARNED],
                ["fmt", FIGURE1])

    def test_warnings_go_to_standard_error(self):
        result = run("run", WARNED)
        self.assertEqual(result.code, ERROR)
        self.assertIn("warning[D6]", result.error_text)
        self.assertTrue(result.text.startswith("trace 1: error"))
        self.assertNotIn("warning", result.text)
        report = run("run", WARNED, "--format", "json")
        self.assertEqual(report.err, result.err)
        self.assertEqual(len(json.loads(report.text)["diagnostics"]), 3)

    def test_full_disk(self):
        large = self.write(program([(f"l{i}", f"(x{i} := {i})") for i in range(50_000)], traces=[[]]))
        for arguments in (*self.COMMANDS, ["fmt", large], ["run", large, "--format", "json"]):
            with self.subTest(arguments=arguments), open("/dev/full", "wb") as full:
                result = run(*arguments, stdout=full)
                self.assertEqual(result.code, OUTPUT_FAILED)
                self.assertEqual(result.error_text.splitlines()[-1],
                                 "matchpoint: error[file]: cannot write standard output: No space left on device")

    def test_full_disk_between_messages(self):
        """What was written before a complaint about another file is not forgotten."""
        with open("/dev/full", "wb") as full:
            self.assertEqual(run("lint", WARNED, "missing.ctp", stdout=full).code, OUTPUT_FAILED)

    def test_full_disk_for_help(self):
        for arguments in (["--version"], ["--help"], ["run", "--help"]):
            with self.subTest(arguments=arguments), open("/dev/full", "wb") as full:
                self.assertEqual(run(*arguments, stdout=full).code, OUTPUT_FAILED)

    def test_closed_standard_output(self):
        reports_closed_standard_output(self, self.COMMANDS)

    def test_closed_standard_error(self):
        result = run("run", WARNED, stderr=None, preexec_fn=lambda: os.close(2))
        self.assertEqual((result.code, result.out), (ERROR, run("run", WARNED).out))

    def test_reader_gone(self):
        large = self.write(program([(f"l{i}", f"(x{i} := {i})") for i in range(50_000)]))
        for ignored, code in ((False, -signal.SIGPIPE), (True, OUTPUT_FAILED)):  # Python itself ignores SIGPIPE
            reader, writer = os.pipe()
            os.close(reader)
            self.assertEqual(run("fmt", large, stdout=writer, restore_signals=not ignored).code, code)
            os.close(writer)


class Colors(InFolder):
    def on_terminal(self, stream, *arguments, **environment):
        """The output on a stream that is a terminal."""
        env = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "TERM")} | environment
        master, slave = pty.openpty()
        run(*arguments, **{stream: slave}, env=env)
        os.close(slave)
        text = b""
        try:
            while block := os.read(master, 1 << 16):
                text += block
        except OSError:  # that is how a terminal ends
            pass
        os.close(master)
        return text.decode().replace("\r\n", "\n")

    def test_not_on_a_terminal(self):
        for color, wanted in (([], False), (["--color", "auto"], False), (["--color", "always"], True),
                              (["--color", "never"], False)):
            for arguments in (["run", FIGURE1], ["lint", WARNED], ["fmt", "missing.ctp"]):
                result = run(*arguments, *color)
                # Complaints and canonical form have no colors at all.
                self.assertEqual("\x1b" in result.text + result.error_text, wanted and arguments[0] != "fmt")

    def test_on_a_terminal(self):
        for arguments, environment, wanted in (
                ([], {"TERM": "xterm"}, True),
                (["--color", "auto"], {"TERM": "xterm"}, True),
                ([], {"TERM": "xterm", "NO_COLOR": ""}, True),
                ([], {"TERM": "xterm", "NO_COLOR": "1"}, False),
                ([], {"TERM": "dumb"}, False),
                ([], {}, False),
                (["--color", "never"], {"TERM": "xterm"}, False),
                (["--color", "always"], {"TERM": "dumb", "NO_COLOR": "1"}, True)):
            with self.subTest(arguments=arguments, environment=environment):
                text = self.on_terminal("stdout", "run", FIGURE1, *arguments, **environment)
                self.assertEqual("\x1b" in text, wanted)
                self.assertEqual(ESCAPE.sub("", text), run("run", FIGURE1).text)

    def test_streams_are_looked_at_one_by_one(self):
        text = self.on_terminal("stderr", "run", WARNED, TERM="xterm")
        self.assertIn("\x1b", text)
        self.assertEqual(ESCAPE.sub("", text).split(), run("run", WARNED).error_text.split())  # lines are wrapped there

    def test_json_has_no_colors(self):
        result = run("run", FIGURE1, "--format", "json", "--color", "always")
        self.assertNotIn("\x1b", result.text)
        json.loads(result.text)


if __name__ == "__main__":
    unittest.main()
