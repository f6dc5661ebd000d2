#!/usr/bin/env python3
"""The JSON of every command is what docs/schema/ says, for good programs, bad ones and odd ones, and says what the text says."""

import copy
import hashlib
import json
import os
import re
import unittest
from pathlib import Path

import jsonschema

from recorded import DIED, ENDED, HUNG
from support import (BAD_INPUT, BUFFERINGS, DEADLOCK, FAILURE, HOLDS, STATUS_CODE, UNKNOWN, InFolder, has_probes, part, program, programs, run,
                     unwrapped)

COMMANDS = ("run", "lint", "check", "explore", "pairs")
METHODS = ("exact", "tight", "overapprox", "overapprox-all-sends")
SCHEMAS = {command: json.loads(Path(f"docs/schema/{command}.schema.json").read_text()) for command in COMMANDS}
VALIDATORS = {command: jsonschema.Draft202012Validator(schema) for command, schema in SCHEMAS.items()}


def without_duplicates(pairs):
    keys = [key for key, _ in pairs]
    assert len(keys) == len(set(keys)), f"a key twice: {keys}"
    return dict(pairs)


class JsonSchema(InFolder):
    def output(self, command, path, *options, stdin=b""):
        """The checked JSON of a command, and its exit code."""
        result = run(command, path, "--format", "json", *options, stdin=stdin)
        self.assertTrue(result.out, f"no JSON; standard error says {result.err}")
        document = json.loads(result.text, object_pairs_hook=without_duplicates)
        problems = [f"{error.json_path}: {error.message[:300]}" for error in VALIDATORS[command].iter_errors(document)]
        self.assertEqual(problems, [], f"{command} {path} {options}")
        data = stdin if path == "-" else Path(os.fsdecode(path)).read_bytes()
        for part in document["results"] if command == "check" else [document]:
            self.assertEqual(part["sha256"], hashlib.sha256(data).hexdigest())
        return document, result.code

    def both(self, command, path, *options):
        """The checked JSON, the text, and the exit code, which is the same for both."""
        document, code = self.output(command, path, *options)
        text = run(command, path, *options)
        self.assertEqual(text.code, code)
        return document, text.text, code

    def replayed(self, path, buffering, traces, *options):
        """What `run` says of further traces of a program, in their order."""
        own = len(json.loads(run("run", path, "--format", "json").text)["traces"])
        longer = self.write(path.read_text() + "\n".join(["", *traces, ""]))
        return self.output("run", longer, "--buffering", buffering, *options)[0]["traces"][own:]

    def test_schemas_are_schemas(self):
        for schema in SCHEMAS.values():
            jsonschema.Draft202012Validator.check_schema(schema)

    def test_schemas_are_strict(self):
        def variants(value):
            """The document with one key too many, or one too few, somewhere."""
            if isinstance(value, dict) and "fixed" not in value:
                for key in list(value):
                    for changed in variants(value[key]):
                        yield {**value, key: changed}
                    yield {k: v for k, v in value.items() if k != key}
                yield {**value, "more": 1}
            elif isinstance(value, list):
                for i, item in enumerate(value):
                    for changed in variants(item):
                        yield value[:i] + [changed] + value[i + 1:]

        document, _ = self.output("run", "traces/stuck_mod_by_zero.ctp")
        document["traces"][0]["store"] = {}  # any names will do in these
        document["traces"][0]["failed_assertions"][0]["values"] = {}
        accepted = [v for v in variants(copy.deepcopy(document)) if VALIDATORS["run"].is_valid(v)]
        self.everything_counts("check", "traces/errata/e14h_zero_admits_with_exact_pairs.ctp", "--buffering", "zero")
        self.everything_counts("check", "traces/figure1.ctp")
        self.everything_counts("explore", "traces/errata/e14h_zero_admits_with_exact_pairs.ctp", "--buffering", "zero")
        self.everything_counts("pairs", "traces/figure16.ctp", "--why")
        stores = [v for v in accepted if v["traces"] and (v["traces"][0]["store"] or
                                                          v["traces"][0]["failed_assertions"][0]["values"])]
        self.assertEqual(accepted, stores)

    def test_programs(self):
        for path in part(programs(), 3):
            for buffering in BUFFERINGS:
                with self.subTest(path=path, buffering=buffering):
                    document, code = self.output("run", path, "--buffering", buffering)
                    self.assertEqual(document["file"], str(path))
                    self.assertEqual(document["buffering"], buffering)
                    self.assertEqual(code, max(STATUS_CODE[trace["status"]] for trace in document["traces"]))
            with self.subTest(path=path):
                warnings, code = self.output("lint", path)
                self.assertEqual(code, HOLDS)
                self.assertEqual(warnings["diagnostics"], document["diagnostics"])
                errors, code = self.output("lint", path, "--strict")
                self.assertEqual(code, BAD_INPUT if warnings["diagnostics"] else HOLDS)
                for diagnostic in warnings["diagnostics"]:
                    self.assertEqual(diagnostic["severity"], "warning")
                    diagnostic["severity"] = "error"
                self.assertEqual(warnings, errors)

    def test_any_buffering(self):
        for path in ("traces/buffering_mixed.ctp", "traces/buffering_mixed_collective.ctp", "traces/deadlock_circular_wait.ctp",
                     "traces/figure1.ctp"):
            document, _ = self.output("check", path, "--buffering", "any")
            [result] = document["results"]
            self.assertEqual(result["buffering"], "any")
            self.assertNotIn("refusing", result["fault"])
            document["results"][0]["buffering"] = "infinite"  # which has nothing that depends on a library
            self.assertNotEqual(list(VALIDATORS["check"].iter_errors(document)), [])
        self.everything_counts("check", "traces/buffering_mixed.ctp", "--buffering", "any")
        witness = self.folder / "witness.ctp"
        run("check", "traces/buffering_mixed.ctp", "--buffering", "any", "-o", witness)
        document, code = self.output("run", witness)
        self.assertEqual(([t.get("refusing") for t in document["traces"]], code), ([None, ["C"]], DEADLOCK))
        document["traces"][1]["refusing"] = []
        self.assertFalse(VALIDATORS["run"].is_valid(document))

    def test_a_recorded_run_that_failed(self):
        """The status is not `success`, unless the trace is another run."""
        text = "( ( [a (x := 1)] [b (assert (= x {}))] ) )\n( (a bot) (b bot) )\n( (a bot) (b bot) )\n"
        for value, statuses in ((1, ["failed", "success"]), (2, ["failure", "failure"])):
            path = self.write("; A recorded run of: x\n; This run failed: exit code 6\n" + text.format(value))
            document, code = self.output("run", path)
            self.assertEqual(([t["status"] for t in document["traces"]], code), (statuses, FAILURE))
            document["traces"][0]["status"] = "success"
            self.assertFalse(VALIDATORS["run"].is_valid(document))

    def test_a_recorded_run_that_deadlocked(self):
        text = "; A recorded run of: x\n; This run deadlocked.\n( ( [a (x := 1)] [b (assert (= x {}))] [c (rcvi R 0 y)] [d (wait R)] ) )\n( (a bot) (b bot) (c bot) )\n"
        for value, status, exit_code in ((1, "deadlock", DEADLOCK), (2, "failure", FAILURE)):
            document, code = self.output("run", self.write(text.format(value)))
            [trace] = document["traces"]
            self.assertEqual((trace["status"], code), (status, exit_code))
            self.assertEqual([t["location"] for t in trace["deadlock"]["blocked"]], ["d"])
            if status == "deadlock":
                trace["status"] = "success"
                self.assertFalse(VALIDATORS["run"].is_valid(document))

    def test_a_recorded_run_that_broke_off(self):
        """Ranks were still running, or died."""
        for text, status, field in ((ENDED, "ended", "still_running"), (HUNG, "ended", "still_running"), (DIED, "failed", "died")):
            path = self.write(text)
            document, _ = self.output("run", path)
            trace = document["traces"][0]
            self.assertEqual((trace["status"], field in trace), (status, True))
            trace["status"] = "success"
            self.assertFalse(VALIDATORS["run"].is_valid(document))
            for command in ("check", "explore"):
                document, code = self.output(command, path)
                [result] = document["results"] if command == "check" else [{**document, "deadlock": {"answer": document["deadlock"]}}]
                self.assertEqual((code, result["deadlock"]["answer"]), (UNKNOWN, "unknown"))

    def test_check(self):
        for path, buffering in self.disciplined():
            with self.subTest(path=path, buffering=buffering):
                document, text, _ = self.both("check", path, "--buffering", buffering)
                [result] = document["results"]
                self.assertEqual((result["file"], result["buffering"]), (str(path), buffering))
                lines = unwrapped(text).splitlines()
                is_left = result["verdict"] in ("safe", "no assertion") and result["leaves_path"]["answer"] == "yes"
                verdict = result["verdict"] + (" on this path" if is_left else "")
                stuck = [what for what in ("deadlock", "fault") if result[what]["answer"] == "yes"]
                if result["verdict"] in ("safe", "no assertion") and stuck:
                    verdict += f", but {' and '.join('a ' + what for what in stuck)} {'is' if len(stuck) == 1 else 'are'} possible"
                if result["verdict"] == "vacuous" and stuck:
                    verdict = stuck[0]
                self.assertEqual(lines[0], f"{path}: {verdict} ({buffering} buffering)")
                for key in ("deadlock", "fault", "leaves_path"):
                    what = key.replace("leaves_path", "leaves the path")
                    if key == "leaves_path" and "(assume" not in path.read_text():
                        self.assertEqual(result[key]["answer"], "no")
                        continue
                    at = lines.index(f"  {what}: {result[key]['answer']}")
                    why = result[key]["why"]
                    self.assertEqual(lines[at + 1:at + 1 + len(why)], [f"    {line}" for line in why])
                    if why:
                        self.assertEqual(lines[at + 1 + len(why)], f"    trace: {result[key]['trace']}")
                if result["verdict"] in ("violated", "vacuous") and result["run"]:
                    self.assertIn(f"  trace: {result['run']['trace']}", lines)
                    matches = ", ".join(f"{m['receive']} = {m['send']}" for m in result["run"]["matches"])
                    if matches:
                        self.assertIn(f"  matches: {matches}", lines)
                for orphan in result["orphans"]:
                    self.assertIn(f"  orphans: every complete run leaves {orphan['messages']} message", text)
                self.assertEqual(text.count("  orphans: "), len(result["orphans"]))
                work = lines[-1]
                self.assertTrue(work.startswith(f"  decided by {result['engine']}; {result['work']['samples']} sample"))
                # Every execution is one.
                runs = [r for r in (result["run"], result["run_that_succeeds"]) if r]
                stuck = [r for r in (result["deadlock"], result["fault"]) if r["trace"]]
                told = self.replayed(path, buffering, [r["trace"] for r in runs], "--prefix")
                self.assertEqual([(t["status"], t["completes"]) for t in told],
                                 [(r["status"], r["completes"]) for r in runs])
                for r, t in zip(runs, told):
                    # A receive may have got a message that no wait has completed.
                    self.assertEqual([m for m in r["matches"] if r["completes"] or m in t["matches"]], t["matches"])
                    self.assertEqual([line for line in lines if line.startswith("  after that ")
                                      and r is result["run"]], [f"  after that {why}" for why in r["then"]])
                told = self.replayed(path, buffering, [r["trace"] for r in stuck])
                self.assertEqual([t["status"] for t in told], ["error"] * len(stuck))
                delivered = [f"    then these messages are delivered: {r['then_delivered']}"
                             for r in stuck if r["then_delivered"] != "bot"]
                self.assertEqual([line for line in lines if line.startswith("    then ")], delivered)

    def test_explore(self):
        for path, buffering in self.disciplined():
            with self.subTest(path=path, buffering=buffering):
                document, text, code = self.both("explore", path, "--buffering", buffering)
                self.assertEqual((document["file"], document["buffering"], document["complete"]),
                                 (str(path), buffering, True))
                if document["at_most"] is None:
                    continue # the order of commands matters to its ready sends, so it has classes: tests/cli/classes.py
                lines = unwrapped(text).splitlines()
                receives = re.search(r"[(\[](rcvi|mprobe) ", re.sub(";.*", "", path.read_text())) is not None
                most = {"0": "no run completes", "1": "at most 1 match set" if receives else "nothing to receive"}
                self.assertEqual(lines[0], f"{path}: {buffering} buffering, "
                                           f"{most.get(document['at_most'], 'at most {} match sets'.format(document['at_most']))}")
                told = iter(lines[1:])
                for execution in document["executions"]:
                    if "matches" in execution:
                        matches = ", ".join(f"{m['receive']} = {m['send']}" for m in execution["matches"])
                        if seen := ", ".join(f"{s['probe']} sees {s['send']}" for s in execution.get("sees", [])):
                            matches += f"; {seen}"
                        self.assertEqual(next(told), f"{execution['status']}{': ' if matches else ''}{matches}")
                    else:
                        self.assertEqual(next(told), execution["status"])
                        for why in execution["why"]:
                            self.assertEqual(next(told), f"  {why}")
                    self.assertEqual(next(told), f"  {execution['trace']}")
                self.assertTrue(next(told).startswith("complete: "))
                self.assertEqual("match pairs of these runs:" in lines, receives)
                is_left = document["verdict"] in ("safe", "no assertion") and document["leaves_path"] == "yes"
                leaves = f"; leaves the path: {document['leaves_path']}" if "(assume" in path.read_text() else ""
                self.assertEqual(lines[-2], f"verdict: {document['verdict']}{' on this path' if is_left else ''}; "
                                            f"deadlock: {document['deadlock']}; fault: {document['fault']}{leaves}")
                # The same as check's of complete runs; every execution is one; no two complete runs have the same
                # matches.
                checked, code_of_check = self.output("check", path, "--buffering", buffering, "--runs", "complete")
                [result] = checked["results"]
                self.assertEqual([result["verdict"], *(result[what]["answer"] for what in ("deadlock", "fault", "leaves_path"))],
                                 [document[what] for what in ("verdict", "deadlock", "fault", "leaves_path")])
                self.assertEqual(code, code_of_check)
                complete = [e for e in document["executions"] if "matches" in e]
                self.assertEqual(len({json.dumps(e["matches"]) for e in complete}), len(complete))
                for execution, trace in zip(document["executions"],
                                            self.replayed(path, buffering, [e["trace"] for e in document["executions"]]),
                                            strict=True):
                    if "matches" in execution:
                        self.assertEqual((trace["status"], trace["matches"]),
                                         (execution["status"], execution["matches"]))
                    else:
                        self.assertEqual(trace["status"], "error")
                # Match pairs and orphans are those of the runs.
                self.assertEqual({tuple(p.values()) for p in document["pairs"]},
                                 {tuple(m.values()) for e in complete for m in e["matches"]})
                exact, _ = self.output("pairs", path, "--buffering", buffering, "--method", "exact")
                self.assertEqual(document["pairs"], exact["pairs"])

    def test_pairs(self):
        for path, buffering in self.disciplined():
            smaller = set()
            for method in METHODS:
                with self.subTest(path=path, buffering=buffering, method=method):
                    why = ["--why"] if method in ("exact", "overapprox") else []
                    document, code = self.output("pairs", path, "--buffering", buffering, "--method", method, *why)
                    self.assertEqual(code, HOLDS)
                    self.assertEqual((document["file"], document["buffering"], document["method"]),
                                     (str(path), buffering, method))
                    found = {tuple(pair.values()) for pair in document["pairs"]}
                    self.assertEqual(len(found), len(document["pairs"]))
                    self.assertLessEqual(smaller, found)
                    smaller = found
                    if method == "exact":
                        exact = found
                    if method == "overapprox":
                        self.assertEqual({(w["receive"], w["send"]) for w in document["why"]}, found - exact)
                    if not why:
                        continue
                    text = run("pairs", path, "--buffering", buffering, "--method", method, *why).text
                    listed, _, why = text.partition("in overapprox, but in no complete run: ")
                    told = {(receive, send) for receive, sends in re.findall(r"^  (\S+): (.*)$", listed, re.MULTILINE)
                            for send in sends.split(", ") if send != "gets no message"}
                    self.assertEqual(told, found)
                    reasons = "".join("  " + w["reason"] + "\n" for w in document["why"])
                    self.assertEqual(why.split("\n", 1)[1], reasons)

    def test_lists_of_figure_15(self):
        """Its three criteria give its pairs; the text has the same lists."""
        for path, buffering in self.disciplined():
            if buffering == "zero" or has_probes(path) or "plain messages" in run("encode", path, "--pairs", "-").error_text:
                continue  # Figure 15 knows nothing of selectors
            with self.subTest(path=path):
                document, _ = self.output("pairs", path, "--method", "overapprox", "--lists")
                receives, sends = document["lists"]["receives"], document["lists"]["sends"]
                pairs = set()
                for endpoint, sources in sends.items():
                    count = sum(map(len, sources.values()))
                    for of_source in sources.values():
                        pairs |= {(r, s) for i, r in enumerate(receives.get(endpoint, [])) for j, s in enumerate(of_source)
                                  if j <= i <= j + count - len(of_source)}
                self.assertEqual({tuple(pair.values()) for pair in document["pairs"]}, pairs)
                text = run("pairs", path, "--method", "overapprox", "--lists").text
                list_r, _, list_s = text.partition("list_s, ")
                of_list = [re.findall(r"\(\d+, ([^()]+)\)", part) for part in (list_r, list_s.split("\noverapprox, ")[0])]
                self.assertEqual([sorted(l) for l in of_list],
                                 [sorted(r for rs in receives.values() for r in rs),
                                  sorted(s for sources in sends.values() for ss in sources.values() for s in ss)])

    def test_what_is_refused_has_no_result(self):
        bad = self.write("( ( [0 (sndi s 1 2 5)] ) ( [1 (sndi t 1 2 5)] ) )")
        document, code = self.output("check", bad)
        self.assertEqual((document["results"], code), ([], BAD_INPUT))
        for command in ("explore", "pairs"):
            result = run(command, bad, "--format", "json")
            self.assertEqual((result.code, result.out), (BAD_INPUT, b""))

    def test_check_unsettled(self):
        document, code = self.output("check", "traces/figure1.ctp", "--buffering", "zero", "--engine", "explore", "--limit",
                                     "1")
        [result] = document["results"]
        self.assertEqual((result["verdict"], result["engine"], result["run"], code), ("unknown", None, None, UNKNOWN))
        self.assertEqual([t["kind"] for t in result["trouble"]], ["limit"])

    def test_deadlocks_of_locks(self):
        """Who holds what, and the cycles, as data that say what the sentences say."""
        stuck = 0
        for path in sorted(Path("traces/shared_memory").glob("*.ctp")):
            with self.subTest(path=path):
                document, _ = self.output("check", path)
                deadlock = document["results"][0]["deadlock"]
                self.assertEqual("blocked" in deadlock, deadlock["answer"] == "yes")
                if deadlock["answer"] != "yes":
                    continue
                stuck += 1
                self.matches_sentences(deadlock, deadlock["why"])
                [told] = self.replayed_prefix(path, deadlock["trace"])
                self.assertEqual(told["deadlock"], {key: deadlock[key] for key in ("blocked", "cycles")})
                explored, _ = self.output("explore", path)
                for execution in explored["executions"]:
                    if execution["end"] == "deadlock":
                        self.matches_sentences(execution, execution["why"])
        self.assertGreater(stuck, 3)
        [result] = self.output("check", "traces/shared_memory/lock_order.ctp")[0]["results"]
        waits = {t["thread"]: t for t in result["deadlock"]["blocked"]}
        self.assertEqual((waits[0]["location"], waits[0]["guard"], waits[0]["waits_for"]), ("a2", "(> m 0)", 1))
        self.assertEqual(waits[0]["variables"],
                         [{"name": "m", "value": 0, "shared": True, "last_writer": {"thread": 1, "location": "b1"},
                           "lock": True, "held_by": [{"thread": 1, "since": "b1"}]}])
        self.assertEqual(result["deadlock"]["cycles"], [[{"thread": 0, "waits_for": 1, "variable": "m", "holder": 1},
                                                         {"thread": 1, "waits_for": 0, "variable": "l", "holder": 0}]])

    def replayed_prefix(self, path, trace):
        own = len(json.loads(run("run", path, "--prefix", "--format", "json").text)["traces"])
        longer = self.write(path.read_text() + "\n" + trace + "\n")
        return self.output("run", longer, "--prefix")[0]["traces"][own:]

    def matches_sentences(self, data, sentences):
        for thread in data["blocked"]:
            self.assertTrue([s for s in sentences if s.startswith(f"thread {thread['thread']} at {thread['location']}")
                             and s.endswith(": " + thread["why"])], sentences)
            for variable in thread["variables"]:
                self.assertIn(f"{variable['name']} = {str(variable['value']).lower()}", thread["why"])
                for holder in variable["held_by"]:
                    # What no command gives back was taken once.
                    self.assertRegex(thread["why"], f"thread {holder['thread']} (has held {variable['name']} since {holder['since']} "
                                                    f"|took {variable['name']} at {holder['since']}, and no command )")
        told = ["a cycle: " + ", ".join(f"thread {step['thread']} waits for " +
                                        ("itself" if len(cycle) == 1 else f"thread {step['waits_for']}")
                                        for step in cycle) for cycle in data["cycles"]]
        self.assertEqual([s for s in sentences if s.startswith("a cycle: ")], told)

    def test_explore_bounded(self):
        document, _, code = self.both("explore", "traces/races_independent.ctp", "--limit", "1", "--verdicts")
        self.assertEqual((document["complete"], len(document["executions"]), document["verdicts_only"]), (False, 1, True))

    def test_one_trace(self):
        every, _ = self.output("run", "traces/figure1.ctp")
        for n in (1, 2, 3):
            one, code = self.output("run", "traces/figure1.ctp", "--trace", str(n))
            self.assertEqual(one["traces"], [every["traces"][n - 1]])
            self.assertEqual(code, STATUS_CODE[one["traces"][0]["status"]])

    def disciplined(self):
        """Programs that obey D1 to D6, with each buffering."""
        paths = [path for path in part(programs(), 4) if run("lint", "--strict", path).code == HOLDS]
        self.assertTrue(paths)
        return [(path, buffering) for path in paths for buffering in BUFFERINGS]

    def everything_counts(self, command, *arguments):
        """No field can be missing, and none be added."""
        def changed(value):
            if isinstance(value, dict):
                for key in list(value):
                    yield from ({**value, key: item} for item in changed(value[key]))
                    yield {k: v for k, v in value.items() if k != key}
                yield {**value, "more": 1}
            elif isinstance(value, list):
                for i, item in enumerate(value):
                    yield from (value[:i] + [other] + value[i + 1:] for other in changed(item))

        document, _ = self.output(command, *arguments)
        self.assertEqual([v for v in changed(document) if VALIDATORS[command].is_valid(v)], [])

    def test_bad_input(self):
        cases = {
            "": "syntax",
            "(": "syntax",
            b"( ( [00 (x := \xff)] ) )": "syntax",
            "( ( [00 (x := 1)] [00 (y := 2)] ) )": "S1",
            "( ( [00 (rcvi a 0 x)] [01 (sndi a 0 0 1)] ) )": "S2",
            "( ( [00 (wait a)] ) )": "S3",
            "( ( [00 (x := (+ 1))] ) )": "S4",
            "( ( [00 (rcvi a 0 x 99)] ) )": "S5",
            "( ( [00 (x := " + "9" * 6_000_000 + ")] ) )": "limit",
        }
        for text, rule in cases.items():
            with self.subTest(text=text[:50]):
                path = self.write(text)
                for command in ("run", "lint"):
                    document, code = self.output(command, path)
                    self.assertEqual(code, UNKNOWN if rule == "limit" else BAD_INPUT)
                    self.assertEqual([(d["severity"], d["rule"]) for d in document["diagnostics"]], [("error", rule)])

    def test_names_survive(self):
        names = ["|", "\\", "'", "\\u0041", "\x1b", "\x00", "\x1f", "\x7f", "\x85", "\u00a0", "\u2028", "\u202e", "\ufeff",
                 "𝔸", "e\u0301", "&<>", "`$x`", "x" * 100_000]
        commands = [(f"l{name}", f"({name} := {i})") for i, name in enumerate(names)]
        commands += [(f"a{name}", f"(assert (< {name} 0))") for name in names]
        path = self.write(program(commands, traces=[[rho for rho, _ in commands]]))
        document, code = self.output("run", path)
        self.assertEqual(code, FAILURE)
        trace = document["traces"][0]
        self.assertEqual(trace["store"], {name: i for i, name in enumerate(names)})
        self.assertEqual([finding["values"] for finding in trace["failed_assertions"]],
                         [{name: i} for i, name in enumerate(names)])
        self.assertEqual([finding["location"] for finding in trace["failed_assertions"]], [f"a{name}" for name in names])

    def test_file_names(self):
        text = program([("00", "(assert false)")], traces=[["00"]])
        for name in ("ü 𝔸.ctp", "a\nb\x1b[31m\"\\.ctp", "-.ctp"):
            document, code = self.output("run", self.write(text, name))
            self.assertEqual((document["file"], code), (str(self.folder / name), FAILURE))
        document, code = self.output("run", "-", stdin=text.encode())
        self.assertEqual((document["file"], code), ("<stdin>", FAILURE))

    def test_shared_variables(self):
        for text, rules in (("(shared [x 0] [x 1]) (([a (x := 1)]))", ["S6"]), ("(shared [x 0]) (([a (x := (+ x 1))]))", []),
                            ("(shared [x 0]) (([a (x := (+ x 1))] [b (x := (* x 2))]) ([c (x := 1)]))", ["atomic"]),
                            # A join comes in between; one that is left out; a message; one of two messages.
                            ("(shared [x 0] [n 0]) (([a (x := (+ x 1))] [b (n := 1)]) ([c (when (= n 1))] [d (x := (* 2 x))]))", []),
                            ("(shared [x 0] [n 0]) (([a (x := (+ x 1))] [b (n := 1)]) ([c (assume true)] [d (x := 1)]))", ["atomic"]),
                            ("(shared [x 0]) (([a (x := (+ x 1))] [b (sndi S 0 1 x)]) ([c (rcvi R 1 y)] [d (wait R)] [e (x := 1)]))", []),
                            ("(shared [x 0]) (([a (x := (+ x 1))] [b (sndi S 0 1 x)]) ([c (rcvi R 1 y)] [d (wait R)] [e (x := 1)])"
                             " ([f (sndi T 2 1 1)]))", ["atomic"]),
                            ("(shared [x 0]) (([a (rcvi R 0 x)] [b (wait R)] [c (x := (+ x 1))]) ([d (sndi S 1 0 1)]))", []),
                            ("(shared [x 0]) (([a (rcvi R 0 x)] [c (x := (+ x 1))] [b (wait R)]) ([d (sndi S 1 0 1)]))", ["atomic"]),
                            ("(shared [x 0]) (([a (assume true (x := 1) (x := 2))]))", ["S7"])):
            document, _ = self.output("lint", "-", stdin=text.encode())
            self.assertEqual([d["rule"] for d in document["diagnostics"]], rules)
            for d in document["diagnostics"]:
                if d["rule"] == "atomic" and "(* x 2)" in text:
                    self.assertEqual([(note["line"], note["column"]) for note in d["notes"]], [(1, 41)])

    def test_file_name_that_is_not_utf8(self):
        path = os.path.join(os.fsencode(self.folder), b"\xff.ctp")
        Path(os.fsdecode(path)).write_text(program([("00", "(assert false)")], traces=[["00"]]))
        _, code = self.output("run", path)
        self.assertEqual(code, FAILURE)
        _, code = self.output("lint", path)
        self.assertEqual(code, HOLDS)

    def test_integers(self):
        largest = 2**53 - 1
        values = [0, -1, largest, -largest, largest + 1, -largest - 1, 2**63, -2**63, 10**400, -10**400]
        commands = [(f"l{i}", f"(x{i} := {v})") for i, v in enumerate(values)]
        path = self.write(program(commands, traces=[[rho for rho, _ in commands]]))
        document, _ = self.output("run", path)
        self.assertEqual(document["traces"][0]["store"],
                         {f"x{i}": v if abs(v) <= largest else str(v) for i, v in enumerate(values)})

    def test_limit(self):
        squarings = [("i", "(x := 2)")] + [(f"q{i}", "(x := (* x x))") for i in range(40)]
        path = self.write(program(squarings, traces=[[rho for rho, _ in squarings], []]))
        document, code = self.output("run", path, "--trace", "1")
        self.assertEqual((document["traces"][0]["status"], code), ("unknown", UNKNOWN))

    def test_many_findings(self):
        asserts = [(f"a{i}", "(assert false)") for i in range(250)]
        path = self.write(program(asserts, traces=[[rho for rho, _ in asserts]]))
        document, code = self.output("run", path)
        self.assertEqual((len(document["traces"][0]["failed_assertions"]), code), (100, FAILURE))

    def test_nothing_to_report(self):
        """What cannot be read, and traces that are not there, leave standard output empty."""
        path = self.write(program([("00", "(x := 1)")]))
        for arguments in (["run", path], ["run", "traces/figure1.ctp", "--trace", "9"], ["run", "nowhere.ctp"],
                          ["lint", "nowhere.ctp"]):
            result = run(*arguments, "--format", "json")
            self.assertEqual((result.code, result.out), (BAD_INPUT, b""))
            self.assertTrue(result.err)


if __name__ == "__main__":
    unittest.main()
