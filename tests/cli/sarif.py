#!/usr/bin/env python3
"""`check --format sarif`: documents are SARIF 2.1.0 as docs/schema/sarif.schema.json has it, point at the right places, and say
what the JSON says."""

import hashlib
import json
import os
import unittest
from pathlib import Path
from urllib.parse import unquote

import jsonschema

from support import BAD_INPUT, BUFFERINGS, DEADLOCK, FAILURE, HOLDS, SOLVER_FAILED, UNKNOWN, InFolder, programs, run

SCHEMA = json.loads(Path("docs/schema/sarif.schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def text_at(path, region):
    """The characters of a region; columns count code points."""
    lines = Path(path).read_text().split("\n")
    first, last = region["startLine"] - 1, region["endLine"] - 1
    if first == last:
        return lines[first][region["startColumn"] - 1:region["endColumn"] - 1]
    return "\n".join([lines[first][region["startColumn"] - 1:], *lines[first + 1:last], lines[last][:region["endColumn"] - 1]])


class Sarif(InFolder):
    def check(self, *arguments, **popen):
        """The run of a checked document, and the exit code."""
        result = run("check", *arguments, "--format", "sarif", **popen)
        document = json.loads(result.text)
        problems = [f"{error.json_path}: {error.message[:300]}" for error in VALIDATOR.iter_errors(document)]
        self.assertEqual(problems, [], arguments)
        [only] = document["runs"]
        rules = only["tool"]["driver"]["rules"]
        for r in only["results"]:
            self.assertEqual(rules[r["ruleIndex"]]["id"], r["ruleId"])
        self.assertEqual(len({rule["id"] for rule in rules}), len(rules))
        self.assertEqual(only["invocations"][0]["exitCode"], result.code)
        for artifact in only["artifacts"]:
            uri = artifact["location"]["uri"]
            if uri != "%3Cstdin%3E":
                data = Path(os.fsdecode(unquote(uri.removeprefix("file://"), errors="surrogateescape"))).read_bytes()
                self.assertEqual(artifact["hashes"]["sha-256"], hashlib.sha256(data).hexdigest())
        return only, result.code

    def notes(self, run_):
        return [n["message"]["text"] for n in run_["invocations"][0]["toolExecutionNotifications"]]

    def test_schema(self):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)

    def test_figure1(self):
        run_, code = self.check("traces/figure1.ctp")
        self.assertEqual(code, FAILURE)
        [r] = run_["results"]
        self.assertEqual((r["ruleId"], r["level"]), ("assertion", "error"))
        self.assertEqual(r["message"]["text"], "(assert (= a 4)) does not hold: a = 1 (infinite buffering)")
        [where] = r["locations"]
        place = where["physicalLocation"]
        self.assertEqual(place["artifactLocation"], {"uri": "traces/figure1.ctp"})
        self.assertEqual(text_at("traces/figure1.ctp", place["region"]), "09 (assert (= a 4))")
        self.assertEqual(where["logicalLocations"], [{"name": "09", "fullyQualifiedName": "thread 0::09"}])
        self.assertEqual(r["properties"]["matches"], "R2 = S5, R5 = S4, R3 = S6")
        steps = r["codeFlows"][0]["threadFlows"][0]["locations"]
        self.assertEqual([s["executionOrder"] for s in steps], list(range(1, 17)))
        self.assertIn("a message from 1 to 0 is delivered; thread 0: 03 (wait R2)",
                      [s["location"]["message"]["text"] for s in steps])
        self.assertEqual([s.get("importance") for s in steps], [None] * 15 + ["essential"])
        self.assertEqual(run_["invocations"][0]["executionSuccessful"], True)

    def test_programs(self):
        """The findings are those of the JSON; each step of a flow is the command at that place of the file."""
        for path in programs():
            if json.loads(run("lint", path, "--format", "json").text)["diagnostics"]:
                continue
            run_, code = self.check(path, "--buffering", "both")
            result = run("check", path, "--buffering", "both", "--format", "json")
            self.assertEqual(code, result.code)
            for buffering, told in zip(BUFFERINGS, json.loads(result.text)["results"], strict=True):
                found = {r["ruleId"]: r for r in run_["results"] if r["properties"]["buffering"] == buffering}
                wanted = {"assertion"} if told["verdict"] == "violated" else set()
                wanted |= {"vacuous"} if told["verdict"] == "vacuous" else set()
                wanted |= {"deadlock"} if told["deadlock"]["answer"] == "yes" else set()
                fault = "mismatch" if told["fault"].get("reason") == "mismatch" else "fault"
                wanted |= {fault} if told["fault"]["answer"] == "yes" else set()
                wanted |= {"orphan"} if told["orphans"] else set()
                self.assertEqual(set(found), wanted, f"{path} {buffering}")
                for rule, what in (("deadlock", "deadlock"), (fault, "fault")):
                    if rule in found:
                        self.assertEqual(found[rule]["properties"]["trace"], told[what]["trace"])
                for what in ("assertion", "vacuous"):
                    if what in found and told["run"]:
                        self.assertEqual(found[what]["properties"]["trace"], told["run"]["trace"])
            for r in run_["results"]:
                for step in [s["location"] for f in r.get("codeFlows", []) for s in f["threadFlows"][0]["locations"]]:
                    region = step["physicalLocation"]["region"]
                    self.assertTrue(text_at(path, region).startswith(step["logicalLocations"][0]["name"]))

    def test_safe(self):
        run_, code = self.check("traces/figure1.ctp", "--buffering", "zero")
        self.assertEqual((run_["results"], self.notes(run_), code), ([], [], HOLDS))

    def test_deadlock(self):
        path = "traces/deadlock_of_some_executions.ctp"
        run_, code = self.check(path, "--buffering", "zero")
        self.assertEqual(code, DEADLOCK)
        [deadlock] = [r for r in run_["results"] if r["ruleId"] == "deadlock"]
        self.assertIn("thread 1: 11 (wait s): with zero buffering", deadlock["message"]["text"])
        self.assertEqual(text_at(path, deadlock["locations"][0]["physicalLocation"]["region"]), "11 (wait s)")

    def test_deadlock_of_some_library(self):
        path = "traces/buffering_mixed.ctp"
        run_, code = self.check(path, "--buffering", "any")
        self.assertEqual(code, DEADLOCK)
        [deadlock] = run_["results"]
        self.assertEqual((deadlock["ruleId"], deadlock["properties"]["buffering"]), ("deadlock", "any"))
        self.assertTrue(deadlock["message"]["text"].startswith(
            "threads can get stuck, depending on the library: thread 1: b2 (wait C): C may wait for a receive, "))
        self.assertTrue(deadlock["message"]["text"].endswith(" (any buffering)"))

    def test_data_race(self):
        path = "traces/shared_memory/lost_update.ctp"
        run_, code = self.check(path)
        self.assertEqual((sorted(r["ruleId"] for r in run_["results"]), code), (["assertion", "data-race"], FAILURE))
        [race] = [r for r in run_["results"] if r["ruleId"] == "data-race"]
        told = json.loads(run("check", path, "--format", "json").text)["results"][0]["data_race"]
        places = [race["locations"][0], *race["relatedLocations"]]
        self.assertEqual([p["logicalLocations"][0]["name"] for p in places], told["commands"])
        self.assertEqual(race["properties"]["trace"], told["trace"])

    def test_places(self):
        """Brackets in comments, several lines, wide characters in front."""
        path = self.write("; ünïcode ))\n( ( [é (x := 1)] [02 (assert ; a ) and a ]\n   (= x 2)) ] bot ) )\n", "ü %.ctp")
        run_, code = self.check(path)
        self.assertEqual(code, FAILURE)
        [r] = run_["results"]
        place = r["locations"][0]["physicalLocation"]
        self.assertEqual(text_at(path, place["region"]), "02 (assert ; a ) and a ]\n   (= x 2)) ")
        self.assertEqual(place["artifactLocation"]["uri"], f"file://{self.folder}/%C3%BC%20%25.ctp")

    def test_rules_of_the_language(self):
        bad = self.write("( ( [0 (sndi s 1 2 5)] ) ( [1 (sndi t 1 2 5)] ) )")
        syntax = self.write("((", "syntax.ctp")
        run_, code = self.check(bad, syntax, "traces/figure1.ctp")
        lint = json.loads(run("lint", "--strict", bad, "--format", "json").text)["diagnostics"]
        self.assertEqual([(r["ruleId"], r["message"]["text"]) for r in run_["results"][:len(lint)]],
                         [(d["rule"], d["message"]) for d in lint])
        region = run_["results"][0]["locations"][0]["physicalLocation"]["region"]
        self.assertEqual((region["startLine"], region["startColumn"]), (lint[0]["line"], lint[0]["column"]))
        self.assertEqual([r["ruleId"] for r in run_["results"]], [d["rule"] for d in lint] + ["syntax", "assertion"])
        self.assertEqual(code, FAILURE)

    def test_what_is_not_settled(self):
        run_, code = self.check("traces/figure1.ctp", "--buffering", "zero", "--engine", "explore", "--limit", "1")
        self.assertEqual((run_["results"], code), ([], UNKNOWN))
        self.assertIn("not settled, zero buffering: whether an assertion can fail", self.notes(run_))
        run_, code = self.check("traces/figure1.ctp", "--buffering", "zero", "--engine", "smt", "--limit", "1", "--solver",
                                "/no/such/solver")
        self.assertEqual((code, run_["invocations"][0]["executionSuccessful"]), (SOLVER_FAILED, False))
        self.assertIn("cannot start /no/such/solver: No such file or directory", self.notes(run_))

    def test_a_recorded_run_that_went_wrong(self):
        """The exit code is not 0, and a note says why."""
        failed = "the recorded run failed: exit code 6. No command of the program says why, and the verdict is not about it"
        ended = "the recorded run was ended: it was interrupted. What it would have done next is not known"
        stuck = "the recorded run deadlocked, and the verdict is not about that"
        for line, note in (("This run failed: exit code 6", failed), ("This run was ended: it was interrupted", ended),
                           ("This run deadlocked.", stuck), ("2 ranks; Open MPI", None)):
            for claim, fails in (("(= x 7)", False), ("(= x 8)", True)):
                path = self.write(f"; A recorded run of: x\n; {line}\n"
                                  f"( ( [a (rcvi R 0 x)] [b (wait R)] [c (assert {claim})] ) ( [d (sndi S 1 0 7)] [e (wait S)] ) )\n")
                run_, code = self.check(path)
                self.assertEqual(code, FAILURE if fails else HOLDS if note is None else UNKNOWN)
                self.assertEqual(self.notes(run_), [] if fails or note is None else [note])

    def test_what_cannot_be_read(self):
        run_, code = self.check(self.folder / "nowhere.ctp")
        self.assertEqual((run_["results"], code), ([], BAD_INPUT))
        self.assertIn("No such file or directory", self.notes(run_)[0])

    def test_standard_input(self):
        run_, _ = self.check("-", stdin=Path("traces/figure1.ctp").read_bytes())
        self.assertEqual([r["ruleId"] for r in run_["results"]], ["assertion"])

    def test_fingerprints(self):
        """They stay when lines move, and differ between findings."""
        before, _ = self.check("traces/figure1.ctp")
        after, _ = self.check(self.write("\n\n" + Path("traces/figure1.ctp").read_text()))
        self.assertEqual([r["partialFingerprints"] for r in before["results"]],
                         [r["partialFingerprints"] for r in after["results"]])
        both, _ = self.check("traces/deadlock_of_some_executions.ctp", "--buffering", "both")
        self.assertEqual(len({r["partialFingerprints"]["matchpoint/v1"] for r in both["results"]}), len(both["results"]))

    def test_a_long_witness(self):
        """The last entries of a trace that has more of them than code-scanning pages take."""
        n = 12_000
        path = self.write("( ( " + " ".join(f"[c{i} (x{i} := {i})]" for i in range(n)) + " [z (assert (= x0 1))] bot ) )")
        run_, code = self.check(path)
        steps = run_["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"]
        self.assertEqual((len(steps), steps[-1]["executionOrder"], code), (10_000, n + 1, FAILURE))


if __name__ == "__main__":
    unittest.main()
