#!/usr/bin/env python3
"""Recordings are told by the lines of their source; --names and JSON have the names that the recorder made up."""

import json
import os
import subprocess
import sys
import unittest

from support import DEADLOCK, ERROR, FAILURE, HOLDS, MATCHPOINT, UNKNOWN, InFolder, run

# A master that takes the answers of two workers in one loop: a run of `mpi verify -o`, and one that ended well.
RECORDED = """\
; Run 2 of: mpirun -n 3 ./mw
; This run failed: exit code 6
; Trace 1 is this run.
; Trace 2 is a run that ended well.
( ( [t0.c0 (rcvi R0_0 0 x0_0 (tag 2)) (at "src/mw.c" 19)] [t0.c1 (wait R0_0) (at "src/mw.c" 19)]
    [t0.c2 (rcvi R0_1 0 x0_1 (tag 2)) (at "src/mw.c" 19)] [t0.c3 (wait R0_1) (at "src/mw.c" 19)]
    [t0.c4 (assert (= x0_0 100)) (at "src/mw.c" 23)] bot )
  ( [t1.c0 (sndi S1_0 1 0 100 (tag 2)) (at "src/mw.c" 28)] [t1.c1 (wait S1_0) (at "src/mw.c" 28)] bot )
  ( [t2.c0 (sndi S2_0 2 0 400 (tag 2)) (at "src/mw.c" 28)] [t2.c1 (wait S2_0) (at "src/mw.c" 28)] bot ) )

( (t1.c0 bot) (t1.c1 bot) (t2.c0 bot) (t2.c1 bot) (t0.c0 bot) (t0.c1 ((0 2) bot)) (t0.c2 bot) (t0.c3 ((0 1) bot)) (t0.c4 bot) )
( (t1.c0 bot) (t1.c1 bot) (t2.c0 bot) (t2.c1 bot) (t0.c0 bot) (t0.c1 ((0 1) bot)) (t0.c2 bot) (t0.c3 ((0 2) bot)) (t0.c4 bot) )
"""

# The same without the claim: C's `assert` ended the run, after the last call or in front of the last wait.
ABORTED = RECORDED.replace('[t0.c4 (assert (= x0_0 100)) (at "src/mw.c" 23)] ', "").replace(" (t0.c4 bot)", "").replace(
    "exit code 6\n", "exit code 134\n; It said: mw: mw.c:23: main: Assertion `r == 100' failed.\n")
CRASHED = ABORTED.replace(" (t0.c3 ((0 1) bot)) )", " )")


class Recorded(InFolder):
    def setUp(self):
        super().setUp()
        self.path = self.write(RECORDED)

    def test_run(self):
        text = run("run", self.path, "--trace", "1").text
        self.assertIn("matches: mw.c:19 gets mw.c:28 of rank 2, mw.c:19 (2nd) gets mw.c:28 of rank 1\n", text)
        self.assertIn("assertion at src/mw.c:23, entry 8, does not hold", text)
        for name in ("R0_0", "S1_0", "thread"):
            self.assertNotIn(name, text)
        steps = run("run", self.path, "--trace", "1", "--steps").text
        self.assertIn("rank 1: (send 100 to rank 0, tag 2)", steps)
        named = run("run", self.path, "--trace", "1", "--names").text
        self.assertIn("matches: R0_0 = S2_0, R0_1 = S1_0\n", named)
        self.assertIn("assertion at t0.c4 (src/mw.c:23), entry 8", named)

    def test_check(self):
        result = run("check", self.path)
        self.assertEqual(result.code, FAILURE)
        self.assertIn("matches: mw.c:19 gets mw.c:28 of rank 2, ", result.text)
        self.assertIn("here mw.c:19 gets mw.c:28 of rank 2 instead of mw.c:28 of rank 1", result.text)
        self.assertIn("matches: R0_0 = S2_0, R0_1 = S1_0", run("check", self.path, "--names").text)

    def test_what_was_only_evaluated(self):
        """Whether an assertion that was only evaluated can be false in another run is not known to `explore` either."""
        path = self.write("; A recorded run of: mpirun -n 2 ./a\n; 2 ranks; Open MPI v4\n"
                          '( ( [a (rcvi R0_0 0 x) (at "a.c" 5)] [b (wait R0_0) (at "a.c" 5)] [c (assert true) (at "a.c" 6)] bot )\n'
                          '  ( [d (sndi S1_0 1 0 7) (at "a.c" 8)] [e (wait S1_0) (at "a.c" 8)] bot ) )\n')
        for command in ("check", "explore"):
            result = run(command, path)
            self.assertEqual(result.code, UNKNOWN, command)
            self.assertIn("unknown", result.text)
            self.assertNotIn("safe", result.text)
        words = "1 assertion was only evaluated in the recorded run: whether it can be false in another run is not known"
        for options in ([], ["--max-switches", "9"]):
            told = json.loads(run("explore", path, "--format", "json", *options).text)
            self.assertEqual((told["verdict"], told["not_known"]), ("unknown", words))
            result = run("explore", path, *options)
            self.assertEqual((result.code, result.text.splitlines().count(words)), (UNKNOWN, 1), result.text)
        path.write_text(path.read_text().replace("; 2 ranks", "; This run failed: exit code 6\n; 2 ranks"))
        failed = "the recorded run failed: exit code 6. No command of the program says why, and the verdict is not about it"
        self.assertIn(f"\n{words}. {failed[0].upper()}{failed[1:]}\n", run("explore", path).text)
        path.write_text(path.read_text().replace("; This run failed: exit code 6\n", ""))
        # The other commands that can say that no run fails say so, too.
        path.write_text(path.read_text() + "( (a bot) (d bot) (e bot) (b ((0 1) bot)) (c bot) )\n")
        for command in (["encode", path], ["smt", path, "--check"]):
            self.assertIn(words, run(*command).error_text)
        path.write_text(path.read_text().replace("; 2 ranks", "; This run failed: exit code 134\n; 2 ranks", 1))
        for command in (["encode", path], ["smt", path, "--check"]):
            self.assertIn(words + ". The recorded run failed: exit code 134. No command", run(*command).error_text)
        path.write_text(path.read_text().replace("; This run failed: exit code 134\n", "", 1))
        found = run("step", path, stdin=b"search failure\nsearch failure 100\nsearch deadlock\n").text
        self.assertEqual(found.count(words), 2, found)
        cegar = subprocess.run([sys.executable, "docs/cegar.py", str(path)], env={**os.environ, "MATCHPOINT": str(MATCHPOINT)}, capture_output=True)
        self.assertEqual((cegar.stdout, cegar.returncode), (f"unknown: {words}; 0 guesses refused\n".encode(), UNKNOWN))

    EVALUATED = ("; A recorded run of: mpirun -n 2 ./a\n; 2 ranks; Open MPI v4\n{}"
                 '( ( [a (rcvi R0_0 0 x) (at "a.c" 5)] [b (wait R0_0) (at "a.c" 5)] [c {} (at "a.c" 6)] bot )\n'
                 '  ( [d (sndi S1_0 1 0 7) (at "a.c" 8)] [e (wait S1_0) (at "a.c" 8)] bot ) )\n'
                 "( (a bot) (d bot) (e bot) (b ((0 1) bot)) (c bot) )\n")

    def test_explore(self):
        """It names matches by lines, and says which run is the recorded one, where no command says why it failed."""
        first, second = "mw.c:19 gets mw.c:28 of rank", "mw.c:19 (2nd) gets mw.c:28 of rank"
        self.assertIn(f"\nfailure: {first} 2, ", run("explore", self.path).text)  # a command says why
        aborted = self.write(ABORTED)
        how = "exit code 134: mw: mw.c:23: main: Assertion `r == 100' failed."
        result = run("explore", aborted)
        self.assertIn(f"\nfailed: {first} 2, {second} 1\n  this is the recorded run, which failed: {how}\n", result.text)
        self.assertIn(f"\nsuccess: {first} 1, {second} 2\n  (", result.text)
        self.assertIn("complete: 2 complete runs (1 success, 0 failure, 0 infeasible, 1 failed when recorded), 0 dead", result.text)
        self.assertIn("  mw.c:19 of rank 0: mw.c:28 of rank 1, mw.c:28 of rank 2\n", result.text)
        self.assertEqual(result.code, UNKNOWN)
        self.assertIn("\nfailed: R0_0 = S2_0, R0_1 = S1_0\n", run("explore", aborted, "--names").text)
        told = json.loads(run("explore", aborted, "--format", "json").text)["executions"]
        self.assertEqual([(e["status"], e.get("recorded_run_failed")) for e in told], [("success", None), ("failed", how)])
        self.assertIn("unlike the recorded run; ", run("check", aborted).text)

    def test_pairs(self):
        """Receives and sends by lines, and reasons as well."""
        self.assertIn("  mw.c:19 of rank 0: mw.c:28 of rank 1, mw.c:28 of rank 2\n", run("pairs", self.path).text)
        self.assertIn("  R0_0: S1_0, S2_0\n", run("pairs", self.path, "--names").text)
        twice = self.write(RECORDED.partition("( (")[0] + '( ( [a (rcvi R0_0 0 x) (at "a.c" 1)] [b (rcvi R0_1 0 y) (at "a.c" 2)] [c (wait R0_1) (at "a.c" 2)] bot )\n'
                           '  ( [d (sndi S1_0 1 0 1) (at "a.c" 3)] [e (sndi S1_1 1 0 2) (at "a.c" 4)] bot ) )\n')
        why = run("pairs", twice, "--why", "--method", "overapprox").text
        self.assertIn("a.c:1", why)
        self.assertNotRegex(why, r"[RS]\d_\d")

    def test_explore_a_run_that_broke_off(self):
        crashed = self.write(CRASHED)
        result = run("explore", crashed)
        self.assertIn("success: mw.c:19 gets mw.c:28 of rank 2, mw.c:19 (2nd) gets mw.c:28 of rank 1\n"
                      "  begins as the recorded run, which failed: exit code 134: mw: ", result.text)
        self.assertIn("(2 success, 0 failure, 0 infeasible), 0 dead", result.text)
        told = json.loads(run("explore", crashed, "--format", "json").text)["executions"]
        self.assertEqual([(e["status"], "recorded_run_failed" in e) for e in told], [("success", False), ("success", True)])

    def test_values_of_one_run_in_explore(self):
        for claim, said in (("(= x0_0 100)", True), ("(> x0_0 0)", False)):
            path = self.write(RECORDED.replace("; This run failed: exit code 6", "; 3 ranks; MPICH. Values are those of this run.").replace("(= x0_0 100)", claim))
            self.assertEqual("values are those of the recorded run: " in run("explore", path).text, said)
            self.assertEqual(json.loads(run("explore", path, "--format", "json").text).get("values_of_one_run", False), said)

    def test_step_begins_with_the_failure(self):
        end = "this run was recorded, and failed: exit code 134: mw: mw.c:23: main: Assertion `r == 100' failed.\n"
        for text in (ABORTED, CRASHED):
            path = self.write(text)
            for command in (b"info status", b"why"):
                said = run("step", path, "--trace", "1", stdin=b"run\n" + command + b"\n").text
                self.assertEqual(said.count(end), 2)  # of `step`, then of the command
                self.assertIn(end + "s = success so far\n", said)
        self.assertIn("\ns = success\n", run("step", path, "--trace", "2", stdin=b"run\ninfo status\n").text)

    def test_models(self):
        """The verdict of a model is about the same assertions as that of the program, and about no other run."""
        failed, cut, stuck = "; This run failed: exit code 6\n", "; This run was ended: it was interrupted\n", "; This run deadlocked.\n"
        for head, claim, verdict, line, code in (
                ("", "(assert true)", "unknown", "1 assertion was evaluated in the recorded run, and true there: a.c:6", UNKNOWN),
                ("", "(y := x)", "no assertion", "the program asserts nothing, so no execution of the model can fail", HOLDS),
                ("", "(assert (= x 7))", "safe", "no execution of the model fails", HOLDS),
                (failed, "(assert (= x 7))", "safe", "the recorded run failed: exit code 6. ", UNKNOWN),
                (cut, "(assert (= x 7))", "safe", "the recorded run was ended: it was interrupted. ", UNKNOWN),
                (stuck, "(assert (= x 7))", "safe", "the recorded run deadlocked, and the verdict is not about that", UNKNOWN)):
            path = self.write(self.EVALUATED.format(head, claim))
            for model in ("ctp", "mcm", "hb"):
                result = run("check", path, "--model", model)
                self.assertEqual(result.code, code, result.text)
                first, second = result.text.splitlines()[:2]
                self.assertEqual(first, f"{path}: {verdict} (infinite buffering, {model} of trace 1)")
                self.assertTrue(second.startswith("  " + line), result.text)
                [told] = json.loads(run("check", path, "--model", model, "--format", "json").text)["results"]
                self.assertEqual(told["verdict"], verdict)
                self.assertEqual(told.get("recorded_run_failed"), "exit code 6" if head == failed else None)

    def test_a_failure_in_a_picture(self):
        run("draw", self.path, "--trace", "1", "-o", self.folder / "run.dot")
        self.assertIn("failed: exit code 6", (self.folder / "run.dot").read_text())

    def test_a_deadlock(self):
        path = self.write("; A recorded run of: mpirun -n 2 ./wild\n; 2 ranks; Open MPI v4\n"
                          '( ( [a (rcvi R0_0 0 x) (at "wild.c" 5)] [b (wait R0_0) (at "wild.c" 6)] bot )\n'
                          '  ( [c (rcvi R1_0 1 y) (at "wild.c" 8)] [d (wait R1_0) (at "wild.c" 8)] bot ) )\n')
        text = run("check", path).text
        self.assertIn("rank 0 at wild.c:6 (wait): wild.c:5 of rank 0: its message has not arrived", text)
        self.assertIn("rank 1 at wild.c:8 (wait)", text)
        # The request of rank 1 and its wait have one place, which is said once.
        path.write_text(path.read_text().replace("; 2 ranks; Open MPI v4\n", "; 2 ranks; Open MPI v4\n; This run deadlocked.\n") + "( (a bot) (c bot) )\n")
        text = run("run", path).text
        self.assertIn("in the recording, nobody will send what rank 0 waits for at wild.c:6\n", text)
        self.assertIn("in the recording, nobody will send what rank 1 waits for at wild.c:8\n", text)

    def test_threads_of_mcapi(self):
        path = self.write(RECORDED.replace("mpirun -n 3 ./mw", "./mw").replace("Trace 1 is", "3 threads; MCAPI\n; Trace 1 is"))
        self.assertIn("mw.c:19 gets mw.c:28 of thread 2", run("run", path, "--trace", "1").text)

    def test_draw(self):
        text = run("draw", self.path, "--trace", "1").text
        self.assertRegex(text, r"\n +rank 0 +rank 1 +rank 2\n")
        self.assertRegex(text, r"\n  0 mw\.c:28  ")
        self.assertNotRegex(text, r"[RS]\d_\d")
        named = run("draw", self.path, "--trace", "1", "--names").text
        self.assertRegex(named, r"\n  0 t1\.c0 \(mw\.c:28\)  ")
        self.assertRegex(named, r"[RS]\d_\d")

    def test_how_it_ended_is_the_last_line(self):
        """Not the status of the machine, which knows nothing of an exit code."""
        last = run("draw", self.path, "--trace", "1").text.splitlines()[-1]
        self.assertEqual(last, "failed: exit code 6")
        self.assertEqual(run("draw", self.path, "--trace", "2").text.splitlines()[-1], "s = success")
        self.assertIn("(infinite buffering): failed: exit code 6</text>", run("draw", self.path, "--trace", "1", "--format", "svg").text)

    def test_step(self):
        failed = "this run was recorded, and failed: exit code 6\n"
        for commands, is_told in (("end\n", True), ("end\nwhy\n", True), ("step 3\n", False), ("trace 2\nend\n", False)):
            text = run("step", self.path, "--trace", "1", stdin=commands.encode()).text
            self.assertEqual(failed in text, is_told, text)

    def test_step_tells_ranks_and_lines(self):
        def says(*commands, options=()):
            return run("step", self.path, "--trace", "1", *options, stdin="\n".join(commands).encode()).text
        everything = ("step 6", "info threads", "choices -a", "last x0_0", "info variables", "info requests", "watch Q_s(0)", "end", "why",
                      "whynot R0_0 S1_0", "rs", "bt", "msc")
        text = says(*everything)
        self.assertIn("src/mw.c:19  rank 0: (receive, tag 2)\n", text)
        self.assertIn("rank 0: at src/mw.c:19 (receive, tag 2)\n", text)
        self.assertIn("x0_0, changed by step 5, rank 0: src/mw.c:19 (wait), mw.c:19 of rank 0 = mw.c:28 of rank 2\n", text)
        self.assertIn("matches: mw.c:19 gets mw.c:28 of rank 2, ", text)
        self.assertIn("next is src/mw.c:23, rank 0: (assert (= x0_0 100))", text)
        self.assertNotRegex(text, r"thread|[RS]\d_\d|t\d\.c\d")
        named = says(*everything, options=["--names"])
        self.assertIn("thread 0: at t0.c2 (src/mw.c:19) (rcvi R0_1 0 x0_1 (tag 2))\n", named)
        self.assertNotRegex(named, r"rank|of thread")

    def test_step_shows_names_to_type(self):
        """`list` and `info` have the names of what they show, and other commands take names, lines and ranks."""
        def step(*commands):
            return run("step", self.path, "--trace", "1", stdin="\n".join(commands).encode())
        self.assertIn("rank 0\n  > t0.c0 (src/mw.c:19) (receive, tag 2)\n    t0.c1 (src/mw.c:19) (wait)\n", step("list rank 0").text)
        self.assertIn("S1_0  rank 1: src/mw.c:28, from 1 to 0: not issued\n", step("info sends").text)
        self.assertIn("R0_0  rank 0: src/mw.c:19, at 0, into x0_0, of messages with tag 2: not issued\n", step("info receives").text)
        self.assertIn("rank 0 is at t0.c0 (src/mw.c:19)\n", step("info state").text)
        self.assertIn("- rank 1 is at t1.c0 (src/mw.c:28)\n", step("step", "diff").text)
        self.assertIn("`break receive R0_0` stops", step("break R0_0").error_text)
        self.assertEqual(step("until t0.c0").text, step("until mw.c:19").text)
        self.assertIn("at step 6/9; next is src/mw.c:19", step("jump 6", "until mw.c:19").text)
        self.assertIn("`mw.c:28` is the place of t1.c0 of rank 1, t2.c0 of rank 2: name one", step("until mw.c:28").error_text)
        self.assertIn("no command came from `mw.c:29`", step("until mw.c:29").error_text)
        self.assertIn("next is src/mw.c:28, rank 2: ", step("break rank 2", "continue").text)
        self.assertEqual(step("msc rank 1").text, step("msc thread 1").text)
        self.assertEqual(step("jump 4", "rank 0").text, step("jump 4", "thread 0").text)
        self.assertIn("there is no rank 3: there are 3, from 0", step("rank 3").error_text)
        self.assertIn("3 ranks, 2 traces", step("reload").text)
        self.assertIn("rank 0: at src/mw.c:19", step("reload", "info threads").text)
        search = step("jump 4", "whynot R0_0 S1_0").text
        self.assertIn("`search R0_0=S1_0` finds the way", search)

    def test_break_on_a_line_of_its_source(self):
        """As in gdb: every call of the line stops, and a line without a file is one of the source."""
        def says(*commands):
            return run("step", self.path, "--trace", "1", stdin="\n".join(commands).encode()).text
        for name in ("src/mw.c:19", "mw.c:19", "19"):
            self.assertIn("breakpoint 1: mw.c:19, 2 commands of rank 0\n", says(f"break {name}"))
        self.assertIn("breakpoint 1: mw.c:28 (line 24 has no command), 2 commands of ranks 1, 2\n", says("break mw.c:24"))
        text = says("break mw.c:19", "continue", "continue", "continue")
        self.assertRegex(text, r"at step 4/9; next is src/mw\.c:19, [\s\S]*at step 6/9; next is src/mw\.c:19, [\s\S]*the run is complete")
        self.assertIn(" B  t0.c2 ", says("break mw.c:19", "list t0.c2"))
        self.assertIn("breakpoint 1: t0.c0, in line 5\n", says("break program.ctp:5"))
        for name, why in (("mw.c:29", "no command came from line 29 of src/mw.c or a later one"), ("other.c:1", "the program is in")):
            self.assertIn(why, run("step", self.path, stdin=f"break {name}".encode()).error_text)

    def test_whynot_by_lines(self):
        def says(command):
            return run("step", self.path, "--trace", "1", stdin=command.encode())
        self.assertIn("`mw.c:28` is the place of S1_0 of rank 1, S2_0 of rank 2: name one", says("whynot R0_0 mw.c:28").error_text)
        self.assertIn("no send or receive came from `mw.c:23`", says("whynot mw.c:23 S1_0").error_text)
        apart = self.write(RECORDED.replace('(at "src/mw.c" 28)', '(at "src/mw.c" 29)', 2).replace('(at "src/mw.c" 19)', '(at "src/mw.c" 20)', 2))
        for command in ("whynot mw.c:20 mw.c:29", "whynot R0_0 S1_0"):
            self.assertEqual(run("step", apart, stdin=command.encode()).text, run("step", apart, stdin=b"whynot R0_0 S1_0").text)

    def test_a_saved_trace_failed_as_well(self):
        saved = self.folder / "saved.ctp"
        self.assertEqual(run("step", self.path, "--trace", "1", stdin=f"end\nsave trace {saved}\n".encode()).code, HOLDS)
        self.assertIn("; This run failed: exit code 6\n", saved.read_text())
        self.assertEqual(run("draw", saved, "--trace", "1").text.splitlines()[-1], "failed: exit code 6")
        part = self.folder / "part.ctp"
        run("step", self.path, "--trace", "1", stdin=f"step 3\nsave trace {part}\n".encode())
        self.assertTrue(part.read_text().startswith(RECORDED.partition("( (")[0] + "; trace 3, infinite buffering: success so far\n"))
        self.assertEqual(saved.read_text(), RECORDED)
        for file, trace, code in ((saved, "1", FAILURE), (part, "1", FAILURE), (part, "3", HOLDS)):
            self.assertEqual(run("run", file, "--trace", trace).code, code)

    def test_msc_is_the_picture(self):
        self.assertIn("wait  got 400\n", run("step", self.path, "--trace", "1", stdin=b"run\nmsc\n").text)
        self.assertTrue(run("step", self.path, "--trace", "1", stdin=b"end\nmsc\n").text.endswith("\nfailed: exit code 6\n"))

    def test_a_recorded_deadlock(self):
        """The trace of such a run is all that happened, and no error."""
        path = self.write("; A recorded run of: mpirun -n 2 ./dl\n; 2 ranks; Open MPI v4\n; This run deadlocked.\n"
                          '( ( [a (rcvi R0_0 0 x) (at "dl.c" 5)] [b (wait R0_0) (at "dl.c" 5)] bot )\n'
                          '  ( [c (rcvi R1_0 1 y) (at "dl.c" 5)] [d (wait R1_0) (at "dl.c" 5)] bot ) )\n( (a bot) (c bot) )\n')
        result = run("run", path)
        self.assertEqual(result.code, DEADLOCK)
        self.assertTrue(result.text.startswith("trace 1: deadlock (the trace stops early)\n"), result.text)
        [told] = json.loads(run("run", path, "--format", "json").text)["traces"]
        self.assertEqual((told["status"], told["completes"], [t["location"] for t in told["deadlock"]["blocked"]]), ("deadlock", False, ["b", "d"]))
        self.assertRegex(run("draw", path).text, r"\n +■ wait +■ wait\ndeadlock\nrank 0 at dl.c:5 \(wait\)")
        for ending, said in ((".log", "=== trace 1: deadlock ==="), (".json", "run.ctp, trace 1: deadlock"), (".itf.json", "trace 1 (infinite buffering): deadlock")):
            run("draw", path, "-o", self.folder / f"run{ending}")
            self.assertIn(said.replace("run.ctp", str(path)), (self.folder / f"run{ending}").read_text())
        run("draw", path, "-o", self.folder / "run.svg")
        self.assertEqual((self.folder / "run.svg").read_text().count('<rect class="stuck"'), 2)
        self.assertRegex(run("step", path, "--trace", "1", stdin=b"run\nmsc\n").text, r"\n +■ wait +■ wait\ndeadlock\n")
        self.assertIn("; deadlock; s = success so far\n", run("step", path, "--trace", "1", stdin=b"run\n").text)
        unmarked = self.write(path.read_text().replace("; This run deadlocked.\n", ""))
        self.assertEqual(run("run", unmarked).code, ERROR)

    def test_the_buffering_of_a_trace(self):
        """What a trace was found with is what it is run with, if nobody says otherwise."""
        path = self.write("; Run 2 of: mpirun -n 2 ./buf\n; This run deadlocked.\n; trace 1, zero buffering: leads to a deadlock\n"
                          '( ( [a (sndi S0_0 0 1 7)] [b (wait S0_0)] [c (rcvi R0_1 0 x)] [d (wait R0_1)] bot )\n'
                          '  ( [e (sndi S1_0 1 0 8)] [f (wait S1_0)] [g (rcvi R1_1 1 y)] [h (wait R1_1)] bot ) )\n( (a bot) (e bot) )\n'
                          '( (a bot) (b bot) (c bot) (e bot) (f bot) (g bot) (d ((0 1) bot)) (h ((1 0) bot)) )\n')
        result = run("run", path)
        self.assertEqual(result.code, DEADLOCK)
        self.assertTrue(result.text.startswith("trace 1, zero buffering: deadlock (the trace stops early)\n"), result.text)
        self.assertIn("\ntrace 2: success (well-formed)\n", result.text)
        traces = json.loads(run("run", path, "--format", "json").text)["traces"]
        self.assertEqual([t.get("buffering") for t in traces], ["zero", None])
        self.assertEqual(run("run", path, "--trace", "1", "--buffering", "infinite").code, HOLDS)
        self.assertIn("\ndeadlock\n", run("draw", path, "--trace", "1").text)
        self.assertIn("(zero buffering): deadlock</text>", run("draw", path, "--trace", "1", "--format", "svg").text)
        self.assertIn("; deadlock; s = success so far\n", run("step", path, stdin=b"run\n").text)
        other = run("step", path, stdin=b"trace 2\n")
        self.assertIn(f"trace 2 is for infinite buffering, and this session has zero: `matchpoint step {path} --trace 2` follows it", other.error_text)
        self.assertIn("the run is complete", run("step", path, "--trace", "2", stdin=b"run\n").text)
        self.assertEqual(run("step", path, "--buffering", "zero", stdin=b"trace 2\n").error_text, "")
        self.assertIn("deadlock by the machine", run("smt", path, "--trace", "1", "--solve").text)

    def test_a_run_that_failed_midway(self):
        """What the others would have done was not recorded: the trace is no error."""
        path = self.write(RECORDED.replace("(assert (= x0_0 100))", "(assert true)").replace("(t0.c2 bot) (t0.c3 ((0 1) bot)) (t0.c4 bot)", "", 1))
        result = run("run", path, "--trace", "1")
        self.assertEqual(result.code, FAILURE)
        self.assertTrue(result.text.startswith("trace 1: failed: exit code 6\n"), result.text)
        [told] = json.loads(run("run", path, "--trace", "1", "--format", "json").text)["traces"]
        self.assertEqual((told["status"], told["recorded_run_failed"]), ("failed", "exit code 6"))
        picture = run("draw", path, "--trace", "1").text
        self.assertTrue(picture.endswith("\nfailed: exit code 6\n"), picture)
        self.assertNotIn("used up", picture)
        self.assertIn("this run was recorded, and failed: exit code 6\n", run("step", path, "--trace", "1", stdin=b"run\n").text)
        self.assertEqual(run("smt", path, "--trace", "1", "--solve").code, FAILURE)

    def test_stuck_behind_deliveries(self):
        """A message can still be delivered, but it is for nobody."""
        path = self.write("; A recorded run of: mpirun -n 3 ./wild\n; This run deadlocked.\n"
                          '( ( [a (rcvi R0_0 0 x)] [b (wait R0_0)] [c (rcvi R0_1 0 y (from 1))] [d (wait R0_1)] bot )\n'
                          "  ( [e (sndi S1_0 1 0 1)] bot ) ( [f (sndi S2_0 2 0 2)] bot ) )\n( (a bot) (e bot) (f bot) (b ((0 1) bot)) (c bot) )\n")
        for command in (b"run\n", b"run\nwhy\n"):
            self.assertIn("nothing can come next: a deadlock\n  thread 0: at d (wait R0_1)\n", run("step", path, stdin=command).text)
        self.assertNotIn("deadlock", run("step", path, stdin=b"step 3\nwhy\n").text)

    def test_verify_is_named(self):
        """What `check` cannot know, a run can."""
        verify = "`matchpoint mpi verify -- mpirun -n 3 ./mw`"
        no_claim = RECORDED.replace('[t0.c4 (assert (= x0_0 100)) (at "src/mw.c" 23)] ', "").replace(" (t0.c4 bot)", "")
        self.assertIn(f"whether another run of the program fails is not known; {verify} finds out\n", run("check", self.write(no_claim)).text)
        branch = self.write(RECORDED.replace('(assert (= x0_0 100)) (at', '(assume (= x0_0 100))] [t0.c5 (assert (= x0_1 400)) (at'))
        self.assertIn(f"these answers cover this path only; {verify} runs the others\n", run("check", branch).text)
        threads = self.write(no_claim.replace("mpirun -n 3 ./mw", "./mw"))
        self.assertIn("; `matchpoint mcapi verify -- ./mw` finds out\n", run("check", threads).text)
        shared = self.write("; A recorded run of: ./p\n; 2 threads that share memory\n(shared [x 0])\n( ( [a (x := 1)] bot ) ( [b (x := 2)] bot ) )\n( (a bot) (b bot) )\n")
        self.assertIn("; `matchpoint threads verify -- ./p` finds out\n", run("check", shared).text)

    def test_values(self):
        """Arrows and waits have room for values, and none for half a place."""
        text = run("draw", self.path, "--trace", "1").text
        self.assertIn("─ 400 tag 2 ─", text)
        self.assertIn("wait  got 400\n", text)
        self.assertNotIn("wait  x0_0", text)

    def test_json_has_names(self):
        for command in ("run", "check", "explore", "pairs"):
            text = run(command, self.path, "--format", "json").text
            self.assertEqual(text, run(command, self.path, "--format", "json", "--names").text)
            self.assertIn('"receive": "R0_0"', text)
            self.assertNotIn("rank 2", text)
        report = json.loads(run("run", self.path, "--format", "json").text)
        self.assertEqual(report["traces"][0]["matches"][0], {"receive": "R0_0", "send": "S2_0"})

    def test_other_programs(self):
        """If a program says places and is no recording, names are what users know."""
        for path in ("traces/places.ctp", "traces/figure1.ctp", "traces/shared_memory/account.ctp"):
            for command in ("run", "draw", "check", "explore", "pairs"):
                self.assertEqual(run(command, path).text, run(command, path, "--names").text, (command, path))


# Rank 2 computes while rank 0 waits for a second message.
ENDED = """\
; A recorded run of: mpirun -n 3 ./hang
; 3 ranks; Open MPI v4
; This run was ended: the time limit of 3 s was reached
; hang.c:10: rank 0 waits for a receive
; rank 2 had not come to MPI_Finalize; its last recorded call is at hang.c:2
( ( [00 (rcvi R0_0 0 x0_0) (at "hang.c" 9)] [01 (wait R0_0) (at "hang.c" 9)]
    [02 (rcvi R0_1 0 x0_1) (at "hang.c" 10)] [03 (wait R0_1) (at "hang.c" 10)] bot )
  ( [10 (sndi S1_0 1 0 1) (at "hang.c" 13)] [11 (wait S1_0) (at "hang.c" 13)] bot )
  ( bot ) )
( (00 bot) (10 bot) (11 bot) (01 ((0 1) bot)) (02 bot) )
"""
RUNNING = "rank 2 was still running"
LIMIT = "the time limit of 3 s was reached"
OPEN = f"{RUNNING} when the recorded run was ended: what it would have done next is not recorded"
WAITS = "hang.c:10 of rank 0 waits for message 2 to rank 0; 1 is delivered; no send to it is left in the recording"


class Ended(InFolder):
    """A recorded run that we ended while a rank was still running: what the others wait for may be what it did not do yet."""

    def setUp(self):
        super().setUp()
        self.path = self.write(ENDED)

    def other(self, ranks, running=""):
        """The exit codes of run, check and explore, and the deadlock of check, of another such recording."""
        head = "".join(ENDED.splitlines(keepends=True)[:3])
        lines = "".join(f"; rank {i} had not come to MPI_Finalize\n" for i in running)
        threads = [" ".join(f"[{t}{i} {c}]" for i, c in enumerate(commands)) for t, commands in enumerate(ranks)]
        steps = [f"({t}{i} bot)" for t, commands in enumerate(ranks) for i, c in enumerate(commands) if not c.startswith(("(wait", "(barrier"))]
        path = self.write(f"{head}{lines}( {' '.join(f'( {t} bot )' for t in threads)} )\n( {' '.join(steps)} )\n", "other.ctp")
        [told] = json.loads(run("check", path, "--format", "json").text)["results"]
        codes = [run(command, path).code for command in ("run", "check", "explore")]
        return codes, told["deadlock"]["answer"]

    def test_run(self):
        result = run("run", self.path)
        self.assertEqual((result.code, result.text), (UNKNOWN, f"trace 1: ended: {LIMIT}; {RUNNING}\n"
                         f"  matches: hang.c:9 gets hang.c:13 of rank 1\n  rank 0: at hang.c:10 (wait)\n            {WAITS}\n"))
        [told] = json.loads(run("run", self.path, "--format", "json").text)["traces"]
        self.assertEqual((told["status"], told["recorded_run_ended"], told["still_running"]), ("ended", LIMIT, [2]))
        self.assertEqual([(w["thread"], w["location"]) for w in told["waiting"]], [(0, "03")])
        self.assertNotIn("deadlock", told)

    def test_another_trace(self):
        """A trace that is not the recorded run ends openly where it does."""
        self.path.write_text(ENDED.replace("( (00", "( (00 bot) (10 bot) (11 bot) (01 ((0 1) bot)) (02 bot) )\n( (00")
                             .replace("; hang.c:10", "; trace 2, infinite buffering: success so far\n; hang.c:10"))
        result = run("run", self.path, "--trace", "2")
        self.assertEqual((result.code, result.text.splitlines()[0]), (UNKNOWN, f"trace 2: ended: the recording ends here; {RUNNING}"))
        self.assertIn(f"\nthe recording ends here; {RUNNING}\n", run("draw", self.path, "--trace", "2").text)

    def test_step(self):
        said = run("step", self.path, stdin=b"run\ninfo status\n").text
        self.assertIn("at step 5; ended; s = success so far\n", said)
        self.assertIn(f"the recording ends here; {RUNNING}\n  rank 0: at hang.c:10 (wait)\n            {WAITS}\n"
                      f"this run was recorded, and was ended: {LIMIT}; {RUNNING}\n", said)
        self.assertNotIn("deadlock", said)
        self.assertIn(f"whether it is one is not known: {OPEN}\n", run("step", self.path, stdin=b"search deadlock\n").text)
        self.assertIn(f"whether it is one is not known: {OPEN}\n", run("step", self.path, stdin=b"search deadlock 100\n").text)

    def test_draw(self):
        said = f"the run was ended: {LIMIT}; {RUNNING}"
        for picture in ("text", "svg", "html", "dot", "itf", "shiviz", "perfetto"):
            drawn = run("draw", self.path, "--format", picture)
            self.assertEqual(drawn.code, HOLDS)
            if picture in ("text", "svg", "html", "dot", "itf"):
                self.assertIn(said, drawn.text, picture)
            if picture != "html":  # whose script names deadlocks
                self.assertNotIn("deadlock", drawn.text, picture)
            if picture in ("text", "svg", "html"):
                self.assertIn("rank 0 at hang.c:10 (wait): ", drawn.text, picture)
        self.assertNotIn("■", run("draw", self.path).text)

    def test_check(self):
        result = run("check", self.path)
        self.assertEqual(result.code, UNKNOWN, result.text)
        self.assertEqual(result.text.splitlines()[:4], [
            f"{self.path}: unknown (any buffering)", f"  the recorded run was ended: {LIMIT}; {RUNNING}. What it would have done next is not known",
            "  deadlock: unknown", f"    {OPEN}"])
        [told] = json.loads(run("check", self.path, "--format", "json").text)["results"]
        self.assertEqual((told["verdict"], told["deadlock"]["answer"], told["deadlock"]["why"]), ("unknown", "unknown", [OPEN]))
        [sarif] = json.loads(run("check", self.path, "--format", "sarif").text)["runs"]
        self.assertEqual(sarif["results"], [])
        self.assertIn("there is no execution to write", run("check", self.path, "-o", self.folder / "w.ctp").error_text)

    def test_explore(self):
        for options in ((), ("--max-switches", "9")):
            result = run("explore", self.path, *options)
            self.assertEqual(result.code, UNKNOWN, result.text)
            self.assertIn("0 deadlocks, 0 faults", result.text)
            self.assertIn("1 ended with the recorded run", result.text)
            self.assertIn(f"{RUNNING}. What it would have done next is not known", result.text)
            told = json.loads(run("explore", self.path, "--format", "json", *options).text)
            self.assertEqual((told["verdict"], told["deadlock"]), ("unknown", "unknown"))
            self.assertIn(RUNNING, told["not_known"])
            self.assertEqual(told["executions"][0]["end" if options else "status"], "ended")

    def test_smt(self):
        result = run("smt", self.path)
        self.assertEqual(result.code, UNKNOWN, result.error_text)
        self.assertNotIn("deadlock", result.error_text)

    def test_predictions_keep_it(self):
        """A witness says who was still running, so that it is not a deadlock there either."""
        self.path.write_text(ENDED.replace(' [02 (rcvi', ' [04 (assert (= x0_0 2)) (at "hang.c" 9)] [02 (rcvi')
                             .replace("(02 bot)", "(04 bot) (02 bot)"))
        witness = self.folder / "witness.ctp"
        self.assertEqual(run("check", self.path, "-o", witness).code, FAILURE)
        self.assertIn(f"\n; That run was ended: {LIMIT}\n; rank 2 had not come to MPI_Finalize\n", witness.read_text())
        [told] = json.loads(run("check", witness, "--format", "json").text)["results"]
        self.assertEqual(told["deadlock"]["answer"], "unknown")

    def test_real_deadlocks(self):
        """If nobody was running, or those who wait need nobody who was, it is a deadlock."""
        any0, any1 = ["(rcvi R0_0 0 x0)", "(wait R0_0)"], ["(rcvi R1_0 1 x1)", "(wait R1_0)"]
        from1, from0 = ["(rcvi R0_0 0 x0 (from 1))", "(wait R0_0)"], ["(rcvi R1_0 1 x1 (from 0))", "(wait R1_0)"]
        sends = ["(sndi S2_0 2 0 1 (tag 7))"]
        real, is_open = ([DEADLOCK] * 3, "yes"), ([UNKNOWN] * 3, "unknown")
        self.assertEqual(self.other((any0, any1)), real)
        self.assertEqual(self.other((any0, any1, ()), running="2"), is_open)
        self.assertEqual(self.other((from1, from0, ()), running="2"), real)
        self.assertEqual(self.other((from1, any1, ()), running="2"), is_open)  # rank 2 could help rank 1, and that rank 0
        self.assertEqual(self.other((any0, any1, ["(rcvi R2_0 2 x2)", "(wait R2_0)"]), running="2"), real)  # it waits itself
        # Nothing that is recorded says whose endpoint 0 is, so rank 2 could help.
        self.assertEqual(self.other((["(barrier b)"], [*from0, "(barrier b)"], sends), running="2"), is_open)
        self.assertEqual(self.other((["(barrier b)"], [*any1, "(barrier b)"], sends), running="2"), is_open)
        synchronous = ["(ssndi S0_0 0 1 1)", "(wait S0_0)"]
        self.assertEqual(self.other((synchronous, ())), real)
        self.assertEqual(self.other((synchronous, ()), running="1"), is_open)

    def test_a_real_deadlock_was_ended(self):
        """The time limit ended it, and those who wait are named where their receives say who would send."""
        self.path.write_text("""\
; A recorded run of: mpirun -n 3 ./lock
; 3 ranks; Open MPI v4
; This run was ended: the time limit of 3 s was reached
; rank 2 had not come to MPI_Finalize
( ( [00 (rcvi R0_0 0 x0_0 (from 1)) (at "lock.c" 4)] [01 (wait R0_0) (at "lock.c" 4)] bot )
  ( [10 (rcvi R1_0 1 x1_0 (from 0)) (at "lock.c" 5)] [11 (wait R1_0) (at "lock.c" 5)] bot )
  ( bot ) )
( (00 bot) (10 bot) )
""")
        ended, cycle = f"; the run was ended: {LIMIT}; {RUNNING}\n", "a cycle: rank 0 waits for rank 1, rank 1 waits for rank 0\n"
        result = run("run", self.path)
        self.assertEqual(result.code, DEADLOCK)
        self.assertTrue(result.text.startswith("trace 1: deadlock (the trace stops early)" + ended), result.text)
        drawn = run("draw", self.path).text
        self.assertIn("\ndeadlock" + ended, drawn)
        for text in (result.text, drawn, run("step", self.path, stdin=b"run\n").text):
            self.assertIn(cycle, text)
            self.assertNotIn("nobody will send", text)
        self.assertNotIn("a cycle", run("run", self.path, "--names").text)  # as no command of the program sends
        self.assertEqual(run("check", self.path).code, DEADLOCK)

    def test_list_and_info_of_step(self):
        """A rank whose recording ended is not finished."""
        words = "was still running when the recording ended"
        said = run("step", self.path, stdin=b"run\nlist\ninfo threads\ninfo state\nthread 2\n")
        for line in ("rank 1, finished", f"rank 2, {words}", "rank 1: finished", f"rank 2: {words}", "rank 1 is finished", f"rank 2 {words}"):
            self.assertIn(f"\n{line}\n", said.text)
        self.assertIn(f"error: rank 2 {words}\n", said.error_text)


# Rank 0 computes for ever if it hears from rank 2 first; a run that ended well shows what it does otherwise.
HUNG = """\
; Run 2 of: mpirun -n 3 ./some
; This run was ended: the time limit of 3 s was reached
; rank 0 had not come to MPI_Finalize; its last recorded call is at some.c:5
; some.c:7: rank 1 waits for a receive
; Trace 1 is this run.
; Trace 2 is a run that ended well.
( ( [00 (rcvi R0_0 0 x0_0) (at "some.c" 4)] [01 (wait R0_0) (at "some.c" 4)] [02 (rcvi R0_1 0 x0_1) (at "some.c" 5)]
    [03 (wait R0_1) (at "some.c" 5)] [04 (sndi S0_2 0 1 1) (at "some.c" 6)] [05 (wait S0_2) (at "some.c" 6)] bot )
  ( [10 (sndi S1_0 1 0 1) (at "some.c" 7)] [12 (rcvi R1_1 1 x1_1 (from 0)) (at "some.c" 7)] [13 (wait R1_1) (at "some.c" 7)] bot )
  ( [20 (sndi S2_0 2 0 2) (at "some.c" 7)] bot ) )
( (00 bot) (10 bot) (12 bot) (20 bot) (01 ((0 2) bot)) (02 bot) (03 ((0 1) bot)) )
( (00 bot) (10 bot) (12 bot) (20 bot) (01 ((0 1) bot)) (02 bot) (03 ((0 2) bot)) (04 bot) (05 bot) (13 ((1 0) bot)) )
"""
HUNG_OPEN = OPEN.replace("rank 2", "rank 0")


class Hung(InFolder):
    """A recorded run that hung, in a program that has the commands after that from another run."""

    def setUp(self):
        super().setUp()
        self.path = self.write(HUNG)

    def test_check(self):
        for options in ((), ("--buffering", "zero")):
            result = run("check", self.path, *options)
            self.assertEqual(result.code, UNKNOWN)
            self.assertIn(f"\n  deadlock: unknown\n    {HUNG_OPEN}\n", result.text)
            self.assertNotIn("all others end as it does;", result.text)

    def test_explore(self):
        """The matches that hung are not a success, and no other run is known to be free of deadlocks."""
        how = f"{LIMIT}; rank 0 was still running"
        result = run("explore", self.path)
        self.assertEqual(result.code, UNKNOWN)
        self.assertIn("\nended: some.c:4 gets some.c:7 of rank 2, some.c:5 gets some.c:7 of rank 1, some.c:7 gets some.c:6 of rank 0\n"
                      f"  begins as the recorded run, which was ended: {how}\n", result.text)
        self.assertIn("(1 success, 0 failure, 0 infeasible, 1 ended when recorded)", result.text)
        self.assertIn("; deadlock: unknown; ", result.text)
        self.assertEqual(json.loads(run("explore", self.path, "--max-switches", "9", "--format", "json").text)["deadlock"], "unknown")
        told = json.loads(run("explore", self.path, "--format", "json").text)["executions"]
        self.assertEqual([(e["status"], e.get("recorded_run_ended")) for e in told], [("success", None), ("ended", how)])

    def test_step(self):
        """Rank 0 ends well in the other run."""
        said = run("step", self.path, "--trace", "2", stdin=b"run\ninfo threads\n").text
        self.assertIn("rank 0: finished\n", said)


# Rank 0 dies, and the others wait for it at a barrier.
DIED = """\
; A recorded run of: mpirun -n 3 ./crash
; 3 ranks; Open MPI v4
; This run failed: exit code 134
; crash.c:3: rank 0 ended before MPI_Finalize
; crash.c:4: rank 1 waits in MPI_Barrier
; crash.c:4: rank 2 waits in MPI_Barrier
( ( bot )
  ( [10 (rcvi B1.0 25 b1.0 (from 24)) (at "crash.c" 4)] [11 (wait B1.0) (at "crash.c" 4)] bot )
  ( [20 (rcvi B2.0 26 b2.0 (from 24)) (at "crash.c" 4)] [21 (wait B2.0) (at "crash.c" 4)] bot ) )
( (10 bot) (20 bot) )
"""
DEAD = "rank 0 ended before MPI_Finalize"
DEAD_OPEN = f"{DEAD}: what it would have done next is not recorded"


class Died(InFolder):
    """A recorded run in which a rank died: what the others wait for may be what it would have done next."""

    def setUp(self):
        super().setUp()
        self.path = self.write(DIED)

    def test_check(self):
        for head in (DIED, DIED.replace("crash.c:3: rank 0 ended before MPI_Finalize", "rank 0 called MPI_Abort with code 3")):
            self.path.write_text(head)
            result = run("check", self.path)
            self.assertEqual(result.code, UNKNOWN, result.text)
            self.assertEqual(result.text.splitlines()[:4], [
                f"{self.path}: unknown (any buffering)",
                f"  the recorded run failed: exit code 134; {DEAD}. No command of the program says why",
                "  deadlock: unknown", f"    {DEAD_OPEN}"])

    def test_run(self):
        result = run("run", self.path)
        self.assertEqual(result.code, FAILURE)
        self.assertTrue(result.text.startswith(f"trace 1: failed: exit code 134; {DEAD}\n  rank 1: at crash.c:4 (wait)\n"), result.text)
        self.assertNotIn("deadlock", result.text)
        [told] = json.loads(run("run", self.path, "--format", "json").text)["traces"]
        self.assertEqual((told["status"], told["died"], [w["thread"] for w in told["waiting"]], "deadlock" in told), ("failed", [0], [1, 2], False))
        self.assertEqual(run("draw", self.path).text.splitlines()[-1], f"failed: exit code 134; {DEAD}")

    def test_explore(self):
        result = run("explore", self.path)
        self.assertEqual(result.code, UNKNOWN)
        self.assertTrue(result.text.startswith(f"{self.path}: infinite buffering, no run completes with what is recorded\nended\n"), result.text)
        self.assertIn("verdict: unknown; deadlock: unknown; ", result.text)
        self.assertIn("\n  crash.c:4 of rank 1: gets no message\n", result.text)
        self.assertNotIn("the verdict is not about it", result.text)

    def test_step(self):
        said = run("step", self.path, stdin=b"run\nlist\ninfo threads\ninfo state\n").text
        self.assertIn("at step 2; failed; s = success so far\n", said)
        for line in (f"the recording ends here; {DEAD}", "rank 0, ended before MPI_Finalize", "rank 0: ended before MPI_Finalize", DEAD):
            self.assertIn(f"\n{line}\n", said)
        self.assertNotIn("deadlock", said)

    def test_predictions_keep_it(self):
        self.path.write_text(DIED.replace("( ( bot )", '( ( [00 (rcvi R0_0 0 x)] [01 (wait R0_0)] [02 (assert (= x 1))] bot )')
                             .replace("[10 (rcvi", '[12 (sndi S1_0 1 0 2)] [10 (rcvi'))
        witness = self.folder / "witness.ctp"
        self.assertEqual(run("check", self.path, "-o", witness).code, FAILURE)
        self.assertIn(f"\n; That run failed: exit code 134\n; {DEAD}\n", witness.read_text())

    def test_real_deadlocks(self):
        """The dead rank could not help those who wait only for each other; and one that ended in a run that did not fail has ended."""
        cycle = DIED.replace("(rcvi B1.0 25 b1.0 (from 24))", "(rcvi B1.0 25 b1.0 (from 26))").replace(
            "(rcvi B2.0 26 b2.0 (from 24))", "(rcvi B2.0 26 b2.0 (from 25))")
        for text in (cycle, DIED.replace("This run failed: exit code 134", "This run deadlocked.")):
            self.path.write_text(text)
            self.assertEqual(run("check", self.path).code, DEADLOCK)
            self.assertEqual(run("explore", self.path).code, DEADLOCK)


class Libraries(InFolder):
    """A recording of MPI is checked under any buffering, whatever wrote it; other programs, and with options that `any` does not go
    with, under infinite buffering."""
    RECORDED = "; A recorded run of: mpirun -n 3 ./archive\n; 3 ranks; Open MPI v4\n"
    # traces/buffering_mixed.ctp, as the recorder writes it.
    PROGRAM = ('( ( [a (sndi S0_0 0 1 1) (at "a.c" 1)] [b (wait S0_0) (at "a.c" 1)] [c (sndi S0_1 0 2 2) (at "a.c" 2)] [d (wait S0_1) (at "a.c" 2)] )\n'
               '  ( [e (sndi S1_0 1 2 3) (at "a.c" 3)] [f (wait S1_0) (at "a.c" 3)] [g (sndi S1_1 1 2 4 (tag 9)) (at "a.c" 4)] [h (wait S1_1) (at "a.c" 4)]\n'
               '    [i (rcvi R1_2 1 x1_2 (from 0)) (at "a.c" 5)] [j (wait R1_2) (at "a.c" 5)] )\n'
               '  ( [k (rcvi R2_0 2 x2_0 (tag 0)) (at "a.c" 6)] [l (wait R2_0) (at "a.c" 6)] [m (rcvi R2_1 2 x2_1 (from 1) (tag 9)) (at "a.c" 7)]\n'
               '    [n (wait R2_1) (at "a.c" 7)] [o (rcvi R2_2 2 x2_2 (tag 0)) (at "a.c" 8)] [p (wait R2_2) (at "a.c" 8)] ) )\n')
    REFUSED = "; trace 1, any buffering, refusing S1_0: leads to a deadlock\n"
    STUCK = "( (a bot) (b bot) (e bot) (k bot) (c bot) (d bot) (l ((2 0) bot)) (m bot) )\n"

    def buffering(self, path, *options):
        result = run("check", path, *options)
        return result.text.splitlines()[0].split("(")[1].rstrip(")"), result.code

    def test_default(self):
        for head in (self.RECORDED, self.RECORDED.replace("A recorded run of", "From a recorded run of"), "; A recorded run.\n; 3 ranks; MPICH\n",
                     self.RECORDED.replace("A recorded run of", "Run 3 of"), "; A recorded run of: /opt/mpiexec -n 3 ./x\n"):
            path = self.write(head + self.PROGRAM)
            self.assertEqual(self.buffering(path), ("any buffering", DEADLOCK), head)
            self.assertEqual(self.buffering(path, "--buffering", "infinite"), ("infinite buffering", HOLDS), head)
        self.assertEqual(self.buffering(path, "--buffering", "zero"), ("zero buffering", HOLDS))
        for head in ("", "; A program.\n; 3 ranks; MPICH\n", "; A recorded run of: ./x\n; 3 threads; MCAPI\n", "; A recorded run.\n; 3 threads; MCAPI\n"):
            self.assertEqual(self.buffering(self.write(head + self.PROGRAM)), ("infinite buffering", HOLDS), head)
        both = run("check", self.write(self.RECORDED + self.PROGRAM), "traces/buffering_mixed.ctp")
        self.assertEqual([line.split("(")[-1] for line in both.text.splitlines() if line.endswith("buffering)")], ["any buffering)", "infinite buffering)"])

    def test_options(self):
        path = self.write(self.RECORDED + self.PROGRAM)
        for options in (["--engine", "smt"], ["--model", "hb"], ["--switches"]):
            with_trace = self.write(path.read_text() + self.STUCK, "trace.ctp") if "--model" in options else path
            first = run("check", with_trace, *options).text.splitlines()[0]
            self.assertIn("(infinite buffering", first, options)
        self.assertIn(", infinite buffering: ", run("check", path, "--deterministic").text)
        for options in ([], ["--engine", "explore"], ["--runs", "complete"], ["--timeout", "20"], ["--names"], ["--statistics"]):
            self.assertEqual(self.buffering(path, *options), ("any buffering", DEADLOCK), options)

    def test_reports(self):
        path = self.write(self.RECORDED + self.PROGRAM)
        [told] = json.loads(run("check", path, "--format", "json").text)["results"]
        self.assertEqual((told["buffering"], told["deadlock"]["depends_on_library"]), ("any", True))
        self.assertEqual(told["deadlock"]["refusing"], [{"send": "S1_0", "location": "e", "place": "a.c:3"}])
        sarif = json.loads(run("check", path, "--format", "sarif").text)["runs"][0]["results"]
        self.assertEqual([(r["ruleId"], r["properties"]["buffering"]) for r in sarif], [("deadlock", "any")])
        text = run("check", path).text
        self.assertIn("\n  deadlock: possible; depends on the library\n    if the library does not buffer a.c:3 of rank 1\n", text)

    def test_certificates(self):
        """The verdict is that of infinite buffering, and has its certificate; the deadlock decides the exit code all the same."""
        for options in ([], ["--buffering", "any"]):
            folder = self.folder / f"certificate-{len(options)}"
            path = self.write(self.RECORDED + self.PROGRAM.replace('[j (wait R1_2) (at "a.c" 5)]', '[j (wait R1_2) (at "a.c" 5)] [q (assert (= x1_2 1))]'))
            result = run("check", path, *options, "--certificate", folder)
            self.assertEqual(result.code, DEADLOCK, result.text + result.error_text)
            self.assertEqual(json.loads((folder / "certificate.json").read_text())["buffering"], "infinite")
            checked = subprocess.run(["scripts/check_certificate", str(folder), str(path)], capture_output=True, text=True, check=False)
            self.assertEqual(checked.returncode, HOLDS, checked.stdout + checked.stderr)

    def test_witness(self):
        """Its line names the sends that refuse, and who waits for whom is told of it."""
        witness = self.folder / "witness.ctp"
        self.assertEqual(run("check", self.write(self.RECORDED + self.PROGRAM), "-o", witness).code, DEADLOCK)
        lines = witness.read_text().splitlines()
        self.assertEqual(lines[:3], ["; From a recorded run of: mpirun -n 3 ./archive", "; trace 1, infinite buffering: success",
                                     "; trace 2, any buffering, refusing S1_0: leads to a deadlock"])
        self.assertEqual(run("run", witness, "--trace", "1").code, HOLDS)
        told = run("run", witness, "--trace", "2")
        self.assertEqual(told.code, DEADLOCK)
        self.assertTrue(told.text.startswith("trace 2: deadlock, if the library does not buffer a.c:3 of rank 1 (the trace stops early)\n"), told.text)
        drawn = run("draw", witness, "--trace", "2").text
        self.assertIn("\ndeadlock, if the library does not buffer a.c:3 of rank 1\n", drawn)
        self.assertRegex(drawn, r"rank 1 at a\.c:3 \(wait\): a\.c:3 of rank 1 waits for a receive at rank 2 ")
        self.assertNotIn("zero buffering", drawn)

    def test_a_run_that_deadlocked(self):
        head = self.RECORDED + "; This run deadlocked.\n" + self.REFUSED
        path = self.write(head + self.PROGRAM + self.STUCK)
        text = run("check", path).text
        self.assertIn("\n  the recorded run deadlocked\n", text)
        self.assertNotIn("the verdict is not about that", text)
        result = run("check", path, "--buffering", "infinite")
        self.assertEqual(result.code, UNKNOWN)
        self.assertIn("\n  the recorded run deadlocked, as its sends waited: --buffering any is about that\n", result.text)
        zero = self.write(head.replace(self.REFUSED, "; trace 1, zero buffering: leads to a deadlock\n") + self.PROGRAM + self.STUCK)
        self.assertIn("--buffering zero is about that\n", run("check", zero, "--buffering", "infinite").text)

    def test_what_a_run_has_shown_is_a_deadlock(self):
        """Others go on to where the recording ends, and what comes then is not known. No complete run is known, and the code is that of the
        deadlock all the same."""
        collective = ("; A recorded run of: mpirun -n 3 ./x\n; 3 ranks; MPICH\n; This run deadlocked.\n; trace 1, any buffering, refusing C2_0: leads to a deadlock\n"
                      "; a.c:1: rank 1 waits for a receive from rank 2, tag 0\n; rank 2 waits in MPI_Bcast\n(communicators [w 0 1 2])"
                      "(([00 (collective C0_0 w bcast (root 0))]) ([10 (rcvi R1_0 1 x (from 2))] [11 (wait R1_0)]) ([20 (collective C2_0 w bcast (root 0))]))"
                      "((00 bot) (10 bot))\n")
        result = run("check", self.write(collective))
        self.assertEqual(result.code, DEADLOCK, result.text)
        self.assertRegex(result.text, r"unknown \(any buffering\)\n  the recorded run deadlocked\n  deadlock: possible; depends on the library\n")
        threads = ("; A recorded run of: ./x\n; 3 threads that share memory\n; This run deadlocked.\n; x.c:9: thread 1 waits for other\n; x.c:9: thread 2 waits for lock\n"
                   "(shared [lock 1] [other 1])(()([t1.1 (when (> lock 0) (lock := (- lock 1)))] [t1.2 (when (> other 0) (other := (- other 1)))])"
                   "([t2.1 (when (> other 0) (other := (- other 1)))] [t2.2 (when (> lock 0) (lock := (- lock 1)))]))((t1.1 bot) (t2.1 bot))\n")
        result = run("check", self.write(threads))
        self.assertEqual(result.code, DEADLOCK, result.text)
        self.assertRegex(result.text, r"unknown \(infinite buffering\)\n  the recorded run deadlocked\n  deadlock: yes\n")
        ended = threads.replace("; This run deadlocked.\n", "; This run was ended: it was interrupted\n")
        self.assertEqual(run("check", self.write(ended)).code, DEADLOCK)
        # A thread that was running could have given the lock back.
        result = run("check", self.write(ended.replace("; x.c:9: thread 1", "; thread 0 had not come to its end\n; x.c:9: thread 1")))
        self.assertEqual(result.code, UNKNOWN, result.text)
        self.assertIn("\n  deadlock: unknown\n    thread 0 was still running when the recorded run was ended: ", result.text)

    def test_a_failed_assertion_ends_threads(self):
        """What gets stuck only after an assertion has failed is a deadlock of a program, and not of a recording of threads: the process has ended."""
        for head, found in (("", "yes"), ("; A recorded run of: ./x\n; 2 threads that share memory\n", "no")):
            text = run("check", self.write(head + "(shared [x 0] [y 0])(([t0.1 (a := x)] [t0.2 (assert (= a 1))] [t0.3 (when (= y a))])([t1.1 (x := 1)] [t1.2 (y := 1)]))"
                                           "((t1.1 bot) (t1.2 bot) (t0.1 bot) (t0.2 bot) (t0.3 bot))\n")).text
            self.assertIn(f"\n  deadlock: {found}\n", text)
            self.assertIn(": violated ", text)

    def test_a_run_that_was_cut_short(self):
        """What a rank would have done that was still running may be the receive."""
        cut = "; This run was ended: it was interrupted\n; a.c:8: rank 2 had not come to MPI_Finalize\n"
        result = run("check", self.write(self.RECORDED + cut + self.PROGRAM.replace('[o (rcvi R2_2 2 x2_2 (tag 0)) (at "a.c" 8)] [p (wait R2_2) (at "a.c" 8)] ', "")))
        self.assertEqual(result.code, UNKNOWN, result.text)
        self.assertIn(" (any buffering)\n", result.text)
        self.assertIn("\n  deadlock: unknown\n    rank 2 was still running when the recorded run was ended: ", result.text)


class Cegar(InFolder):
    """docs/cegar.py does not say that no run completes, or that none fails, if the recording ends too early to tell."""

    def cegar(self, text):
        result = subprocess.run([sys.executable, "docs/cegar.py", str(self.write(text))], env={**os.environ, "MATCHPOINT": str(MATCHPOINT)},
                                capture_output=True, text=True, check=False)
        self.assertEqual(result.stderr, "")
        return result.returncode, result.stdout

    def test_no_run_completes(self):
        for text, why in ((ENDED, f"the recorded run was ended: {LIMIT}; {RUNNING}. "), (DIED, f"the recorded run failed: exit code 134; {DEAD}. ")):
            code, said = self.cegar(text)
            self.assertEqual(code, UNKNOWN)
            self.assertTrue(said.startswith("unknown: " + why), said)

    def test_a_recorded_deadlock(self):
        """Some run completes, and what others do after the deadlock is not recorded."""
        head = "; A recorded run of: mpirun -n 2 ./buf\n; This run deadlocked.\n; trace 1, zero buffering: leads to a deadlock\n"
        text = ("( ( [a (sndi S0_0 0 1 7)] [b (wait S0_0)] [c (rcvi R0_1 0 x)] [d (wait R0_1)] bot )\n"
                "  ( [e (sndi S1_0 1 0 8)] [f (wait S1_0)] [g (rcvi R1_1 1 y)] [h (wait R1_1)] bot ) )\n( (a bot) (e bot) )\n")
        code, said = self.cegar(head + text)
        self.assertEqual(code, UNKNOWN)
        self.assertTrue(said.startswith("unknown: the recorded run deadlocked: what its ranks would have done next is not known"), said)
        self.assertEqual(self.cegar(text)[0], HOLDS)


if __name__ == "__main__":
    unittest.main()
