#!/usr/bin/env python3
"""`explore` where threads share variables, and causal models: classes of executions, `--max-switches`, `--model`, `--trace`."""

import json
import re
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from support import BAD_INPUT, DEADLOCK, FAILURE, HOLDS, UNKNOWN, InFolder, run  # noqa: E402

LOST_UPDATE = "traces/shared_memory/lost_update.ctp"
ACCOUNT = "traces/shared_memory/account.ctp"
FIGURE_1 = "traces/errata/f11_figure_1.ctp"
FIGURE_5 = "traces/errata/f11b_figure_5.ctp"


def explored(*arguments):
    result = run("explore", *arguments, "--format", "json")
    return json.loads(result.text), result.code


class Classes(InFolder):
    def test_text_and_json_agree(self):
        for path in (LOST_UPDATE, ACCOUNT, "traces/shared_memory/lock_order.ctp", "traces/shared_memory/hybrid_counter.ctp"):
            document, code = explored(path)
            result = run("explore", path)
            heads = [line for line in result.text.splitlines() if re.match("(success|failure)", line)]
            told = []
            for c in document["executions"]:
                end = "" if c["end"] == "complete" else f", {c['end']}"
                matches = ", ".join(f"{m['receive']} = {m['send']}" for m in c["matches"])
                told.append(c["status"] + end + (f": {matches}" if matches else ""))
            self.assertEqual(heads, told)
            self.assertEqual(result.code, code)
            self.assertIn(f"verdict: {document['verdict']}; complete runs: {document['verdict_of_complete_runs']}; "
                          f"deadlock: {document['deadlock']}; fault: {document['fault']}\n", result.text)

    def test_every_trace_is_an_execution(self):
        document, code = explored(LOST_UPDATE)
        self.assertEqual((document["complete"], code), (True, FAILURE))
        program = Path(LOST_UPDATE).read_text()
        traces = [c["trace"] for c in document["executions"]]
        self.assertEqual(len(set(traces)), len(traces))
        path = self.write(program[:program.rindex("\n( (a1")] + "\n" + "\n".join(traces))
        statuses = [t["status"] for t in json.loads(run("run", path, "--format", "json").text)["traces"]]
        self.assertEqual(statuses, [c["status"] for c in document["executions"]])

    def test_reads_tell_complete_runs_apart(self):
        """A complete run's status is a function of its matches and reads."""
        for path in (LOST_UPDATE, "traces/shared_memory/hybrid_counter.ctp", "traces/shared_memory/check_then_act.ctp"):
            seen = {}
            for c in explored(path)[0]["executions"]:
                if c["end"] == "complete":
                    key = json.dumps([c["matches"], sorted(c["reads"], key=str)])
                    self.assertEqual(seen.setdefault(key, c["status"]), c["status"])
            self.assertGreater(len(seen), 1)

    def test_max_switches(self):
        counts = [len(explored(ACCOUNT, "--max-switches", str(n))[0]["executions"]) for n in (0, 1, 2, 3, 100)]
        self.assertEqual(counts[0], 0)  # each thread waits for the other one
        self.assertEqual(counts, sorted(counts))
        self.assertEqual(counts[-1], len(explored(ACCOUNT)[0]["executions"]))
        failing = [any(c["status"] == "failure" for c in explored(ACCOUNT, "--max-switches", n)[0]["executions"]) for n in "12"]
        self.assertEqual(failing, [False, True])  # as `check --switches` says

    def test_failures_that_end_an_execution(self):
        """What follows a failure needs no switches: an execution fails with just as many as `check --switches` says."""
        lost = self.write("(shared [x 0]) (([a1 (a := x)] [a2 (x := (+ a 1))])"
                          " ([b1 (b := x)] [b2 (x := (+ b 1))] [b3 (assert (= x 2))]))")
        for path in (lost, FIGURE_1, "traces/errata/f08_overcount_prefix.ctp", LOST_UPDATE, ACCOUNT):
            least = json.loads(run("check", "--switches", "--format", "json", path).text)["results"][0]["context_switches"]["least"]
            for n in range(least + 2):
                with self.subTest(path=path, switches=n):
                    document, code = explored(path, "--max-switches", str(n))
                    text = run("explore", path, "--max-switches", str(n)).text
                    self.assertEqual(code == FAILURE, n >= least)
                    self.assertEqual(document["verdict"] == "violated", n >= least)
                    self.assertIn("some execution fails" if n >= least else "no execution fails", text)
                    if document["failing_prefix"]:
                        program = self.write(Path(path).read_text() + document["failing_prefix"], "failing.ctp")
                        self.assertRegex(run("run", "--prefix", program).text, r"trace \d+: failure[^\n]*\n(?:  .*\n)*\Z")

    def test_switches_that_check_does_not_count(self):
        """`check --switches` says why it prints none."""
        for file, saying in (("traces/figure1.ctp", "--switches: of this program they are not counted, since its threads share"),
                             ("traces/shared_memory/mutex.ctp", "--switches: no execution fails")):
            self.assertIn(saying, run("check", "--switches", file).text)
            self.assertNotIn("--switches", run("check", file).text)

    def test_message_passing_in_classes(self):
        """--max-switches also shows programs without shared variables in classes."""
        document, code = explored("traces/figure1.ctp", "--max-switches", "100")
        self.assertEqual(sorted(c["status"] for c in document["executions"]), ["failure", "success"])
        self.assertEqual(code, FAILURE)

    def test_limit(self):
        document, code = explored(LOST_UPDATE, "--limit", "1")
        self.assertEqual((document["complete"], document["verdict"], code), (False, "unknown", UNKNOWN))

    def test_deadlock(self):
        document, code = explored("traces/shared_memory/lock_order.ctp")
        self.assertEqual(code, DEADLOCK)
        stuck, = [c for c in document["executions"] if c["end"] == "deadlock"]
        self.assertIn("a cycle: thread 0 waits for thread 1, thread 1 waits for thread 0", stuck["why"])

    def test_data_races(self):
        """`explore` and `check` find the same, and a race replays: its trace ends in front of both commands."""
        there = 0
        for path in sorted(Path("traces/shared_memory").glob("*.ctp")):
            with self.subTest(path=path):
                document, _ = explored(path)
                text = run("explore", path).text
                checked = json.loads(run("check", path, "--format", "json").text)["results"][0]
                race = document["data_race"]
                self.assertEqual(race["answer"], checked["data_race"]["answer"])
                self.assertEqual(document["leaves_path"], checked["leaves_path"]["answer"])
                is_left = document["verdict"] in ("safe", "no assertion") and document["leaves_path"] == "yes"
                self.assertEqual(f"\nverdict: {document['verdict']} on this path; " in text, is_left)
                self.assertEqual(f"; leaves the path: {document['leaves_path']}\n" in text, "(assume" in path.read_text())
                self.assertIn(f"data race: {race['answer']}\n", text)
                if race["answer"] != "yes":
                    continue
                there += 1
                self.assertIn(f"  both access {race['variable']}, and nothing orders them\n", text)
                stopped = self.write(path.read_text() + race["trace"], "race.ctp")
                said = run("run", "--prefix", stopped).text.split("\ntrace ")[-1]
                for command in race["commands"]:
                    self.assertRegex(said, rf"thread \d+ is at {command}(?: \(\S+:\d+\))? ")
        self.assertGreater(there, 3)

    def test_leaves_the_path(self):
        """Also in an execution in which another thread has a fault; a model does not say."""
        path = self.write("(shared [x 0]) (([a (y := (div 1 x))]) ([b (assume (= x 1))]))")
        document, _ = explored(path)
        self.assertEqual((document["leaves_path"], document["fault"]), ("yes", "yes"))
        self.assertEqual(explored(path, "--limit", "1")[0]["leaves_path"], "yes")
        self.assertEqual(explored(self.write("(shared [x 0]) (([a (x := 1)]) ([b (x := 2)]))"), "--limit", "1")[0]["leaves_path"], "no")
        self.assertNotIn("leaves_path", explored(FIGURE_5, "--model", "mcm")[0])

    def test_data_races_of_would_be_locks(self):
        """A lock that is taken as a count and given back by a constant is no lock."""
        for back, is_lock in (("1", False), ("(+ l 1)", True)):
            thread = "([{0}0 (assume (> l 0) (l := (- l 1)))] [{0}1 (x := (+ x 1))] [{0}2 (l := %s)])" % back
            path = self.write(f"(shared [l 1] [x 0]) ({thread.format('a')} {thread.format('b')})")
            told = "  l is no lock: a2 (l := 1) does not give back one, as (l := (+ l 1)) does\n"
            for command in ("check", "explore"):
                self.assertEqual(told in run(command, path).text, not is_lock, command)

    def test_data_races_of_atomic_commands(self):
        """A counter: no warning, and the race is said to be one of atomic commands."""
        note = "if both are atomic in the program, as a fetch-and-add or a compare-and-swap is, this is not a data race\n"
        thread = "[{0}1 (assume true (n := (+ n 1)))] bot"
        counted = self.write("(shared [n 1])\n( ( " + thread.format("a") + " ) ( " + thread.format("b") + " ) )\n", "counted.ctp")
        for command in ("check", "explore"):
            result = run(command, counted)
            self.assertIn("  both access n, and nothing orders them\n", result.text)
            self.assertIn(note, result.text)
            self.assertNotIn(note, run(command, "traces/shared_memory/lost_update.ctp").text)
            self.assertEqual(result.error_text, "")

    def test_locks_that_threads_try_to_take_do_not_race(self):
        """A try that succeeds, one that fails, and what the lock does not protect."""
        thread = "[{0}1 (assume (> m 0) (m := (- m 1)))] [{0}2 (x := (+ x 1))] [{0}3 (m := (+ m 1))] bot"
        program = "(shared [m 1] [x 0])\n( ( " + thread.format("a") + " ) ( {} " + thread.format("b") + " ) )\n"
        tried = self.write(program.format("[b0 (assume (= m 0))]"), "tried.ctp")
        read = self.write(program.format("[b0 (t := m)]"), "read.ctp")
        forgotten = self.write(program.format("[b0 (t := x)]"), "forgotten.ctp")
        for command in ("check", "explore"):
            for path, answer in ((tried, "no"), (read, "yes"), (forgotten, "yes")):
                result = run(command, path)
                self.assertIn(f"data race: {answer}\n", result.text)
                self.assertEqual(result.error_text, "")

    def test_data_races_that_are_not_known(self):
        document, code = explored("traces/shared_memory/mutex.ctp", "--limit", "1")
        self.assertEqual((document["data_race"], code),
                         ({"answer": "unknown", "variable": None, "commands": [], "trace": None}, UNKNOWN))
        self.assertIn("\ndata race: unknown\n", run("explore", "traces/shared_memory/mutex.ctp", "--limit", "1").text)
        # Not asked for: no variables are shared, or only what a model predicts counts.
        for arguments in (["traces/figure1.ctp", "--max-switches", "100"], [LOST_UPDATE, "--model", "mcm"]):
            self.assertNotIn("data_race", explored(*arguments)[0])
            self.assertNotIn("data race", run("explore", *arguments).text)
        # One step of a thread leads to it: no context switch.
        self.assertEqual(explored(LOST_UPDATE, "--max-switches", "0")[0]["data_race"]["answer"], "yes")

    def test_verdicts_only(self):
        result = run("explore", LOST_UPDATE, "--verdicts")
        self.assertEqual((result.code, result.out), (BAD_INPUT, b""))
        self.assertIn("`matchpoint check` merges states", result.error_text)


class Models(InFolder):
    def test_all(self):
        result = run("check", FIGURE_5, "--model", "all")
        self.assertEqual(result.code, FAILURE)
        self.assertEqual(re.findall(r": (\w+) \(infinite buffering, (\w+) of trace 1\)", result.text),
                         [("violated", "ctp"), ("violated", "mcm"), ("safe", "hb")])
        self.assertTrue(result.text.endswith("  hb would have missed this failure, which ctp predicts\n"))
        self.assertTrue(run("check", FIGURE_1, "--model", "all").text.endswith(
            "  mcm and hb would have missed this failure, which ctp predicts\n"))

    def test_a_trace_that_fails(self):
        result = run("check", FIGURE_1, "--model", "all", "--trace", "2")
        self.assertEqual(result.code, FAILURE)
        self.assertTrue(result.text.endswith("  the trace itself fails\n"), result.text)

    def test_witness(self):
        """-o writes what a model predicts; it runs."""
        out = self.folder / "predicted.ctp"
        self.assertEqual(run("check", FIGURE_5, "--model", "mcm", "-o", out).code, FAILURE)
        self.assertEqual(run("run", out, "--prefix").code, FAILURE)

    def test_of_messages(self):
        """Figure 1 of the first paper: the values that were received tell the models apart."""
        codes = [run("check", "traces/figure1.ctp", "--model", model).code for model in ("ctp", "mcm", "hb")]
        self.assertEqual(codes, [FAILURE, HOLDS, HOLDS])

    def test_explore(self):
        document, code = explored(FIGURE_5, "--model", "mcm")
        self.assertEqual((document["model"], code), ("mcm of trace 1", FAILURE))
        alone, code = explored(FIGURE_5, "--model", "hb")
        self.assertEqual(([c["status"] for c in alone["executions"]], code), (["success"], HOLDS))

    def test_no_model(self):
        for arguments, message in [
                (("check", FIGURE_1, "--trace", "1"), "--trace is for --model"),
                (("explore", FIGURE_1, "--trace", "1"), "--trace is for --model"),
                (("check", FIGURE_1, "--model", "hb", "--runs", "complete"), "not about complete runs"),
                (("check", FIGURE_1, "--model", "hb", "--engine", "smt"), "models are explored"),
                (("check", FIGURE_1, "--model", "hb", "--format", "sarif"), "--model has no SARIF"),
                (("check", FIGURE_1, "--model", "all", "-o", "x.ctp"), "-o is for one model"),
                (("check", FIGURE_1, "--model", "hb", "--certificate", "x"), "not for a model"),
                (("check", FIGURE_1, "--model", "hb", "--trace", "9"), "has no trace 9: it has 4"),
                (("explore", FIGURE_1, "--model", "hb", "--trace", "9"), "has no trace 9: it has 4"),
                (("check", FIGURE_1, "--model", "hb", "--trace", "3"), "nothing can be predicted from trace 3: its assumption at"),
                (("check", FIGURE_1, "--model", "hb", "--trace", "4"), "nothing can be predicted from trace 4: entry 4 of it"),
        ]:
            with self.subTest(arguments=arguments):
                result = run(*arguments)
                self.assertEqual((result.code, result.out), (BAD_INPUT, b""))
                self.assertIn(message, result.error_text)


if __name__ == "__main__":
    unittest.main()
