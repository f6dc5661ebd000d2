#!/usr/bin/env python3
"""`matchpoint oracle`: the protocol, what is wrong with requests, cancelling, hostile input, and docs/cegar.py."""

import contextlib
import json
import os
import re
import select
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import jsonschema

from support import BUFFERINGS, HOLDS, MATCHPOINT, OUTPUT_FAILED, program, programs, run

SCHEMA = json.loads(Path("docs/schema/oracle.schema.json").read_text())
MESSAGES = jsonschema.Draft202012Validator(SCHEMA)
RESULTS = {method: jsonschema.Draft202012Validator({**SCHEMA, "oneOf": [{"$ref": f"#/$defs/result/{method}"}]})
           for method in SCHEMA["$defs"]["result"]}

PARSE, REQUEST, METHOD, PARAMETERS = -32700, -32600, -32601, -32602
NO_PROGRAM, REFUSED, LIMIT, CANCELLED, UNREADABLE = -32000, -32001, -32002, -32003, -32004

FIGURE1 = "traces/figure1.ctp"
SUCCESS = {"R2": "S4", "R5": "S5", "R3": "S6"}
FAILURE = {"R2": "S5", "R5": "S4", "R3": "S6"}


def racing(n, last="(assert true)"):
    """n senders and one receiver of their messages."""
    receiver = [c for i in range(n) for c in ((f"p{i}", f"(rcvi r{i} 0 x{i})"), (f"w{i}", f"(wait r{i})"))]
    return program([*receiver, ("last", last)], *([(f"q{i}", f"(sndi s{i} {i + 1} 0 {i})")] for i in range(n)))


def hopeless(n):
    """The same, but no run completes, which takes long to find out: the divisor is zero whichever receive gets what."""
    total = "0"
    for i in range(n):
        total = f"(+ (* {i + 1} x{i}) {total})"
    return racing(n, f"(z := (div 1 (- {total} {total})))")


def validate(validator, value):
    problems = [f"{error.json_path}: {error.message[:300]}" for error in validator.iter_errors(value)]
    assert not problems, problems


class Session:
    """A running `matchpoint oracle`. Every message either way is checked against the schema."""

    def __init__(self, test, **popen):
        self.test = test
        self.process = subprocess.Popen([MATCHPOINT, "oracle"],
                                        **{"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, **popen})
        test.addCleanup(self.end)
        self.buffer = b""
        self.count = 0

    def end(self):
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(BrokenPipeError):
                stream.close()

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        validate(MESSAGES, message)
        self.write(json.dumps(message).encode() + b"\n")

    def line(self, timeout=120):
        deadline = time.monotonic() + timeout
        while b"\n" not in self.buffer:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, deadline - time.monotonic()))
            self.test.assertTrue(ready, "no answer")
            data = os.read(self.process.stdout.fileno(), 1 << 16)
            self.test.assertTrue(data, "the session ended")
            self.buffer += data
        line, self.buffer = self.buffer.split(b"\n", 1)
        return line

    def receive(self):
        answer = json.loads(self.line())
        validate(MESSAGES, answer)
        return answer

    def is_silent(self):
        """Nothing comes, and it is still there."""
        return not self.buffer and not select.select([self.process.stdout], [], [], 0.1)[0]

    def request(self, method, /, **params):
        self.count += 1
        message = {"jsonrpc": "2.0", "id": self.count, "method": method}
        return {**message, "params": params} if params else message

    def checked(self, request, answer):
        self.test.assertEqual(answer["id"], request["id"])
        if "result" in answer:
            validate(RESULTS[request["method"]], answer["result"])
        return answer

    def ask(self, method, /, **params):
        request = self.request(method, **params)
        self.send(request)
        answer = self.checked(request, self.receive())
        self.test.assertIn("result", answer, answer)
        return answer["result"]

    def error(self, method, /, **params):
        """The error to a request that need not follow the schema."""
        self.write(json.dumps(self.request(method, **params)).encode() + b"\n")
        answer = self.receive()
        self.test.assertEqual(answer.get("id"), self.count)
        self.test.assertIn("error", answer, answer)
        return answer["error"]

    def say(self, line):
        """The answer to a line as it is."""
        self.write(line.encode() + b"\n")
        return self.receive()

    def is_well(self):
        """It answers, with the program that was loaded."""
        self.test.assertEqual(self.ask("feasible", matches=FAILURE, trace=False), {"answer": "feasible"})


class Oracle(unittest.TestCase):
    def session(self, file=FIGURE1, **options):
        session = Session(self)
        if file:
            session.ask("load", file=str(file), **options)
        return session

    def with_text(self, text, **options):
        session = Session(self)
        session.ask("load", text=text, **options)
        return session


class Schema(unittest.TestCase):
    def test_is_a_schema(self):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)

    def test_is_strict(self):
        good = {"jsonrpc": "2.0", "id": 1, "method": "feasible", "params": {"matches": {"R2": "S4"}}}
        MESSAGES.validate(good)
        for bad in ({**good, "more": 1}, {**good, "method": "feasable"}, {**good, "params": {}}, {**good, "id": []},
                    {**good, "params": {"matches": {"R2": "S4"}, "more": 1}}, {**good, "jsonrpc": "1.0"}, [],
                    {"jsonrpc": "2.0", "id": 1}, {"jsonrpc": "2.0", "id": 1, "error": {"code": 7, "message": "x"}}):
            self.assertFalse(MESSAGES.is_valid(bad), bad)
        run_ = {"answer": "feasible", "status": "success", "matches": {}}
        RESULTS["check"].validate(run_)
        for bad in ({"answer": "yes"}, {"answer": "no", "matches": {}}, {"answer": "yes", "matches": {}}, run_):
            self.assertFalse(RESULTS["can_fail"].is_valid(bad), bad)
        for bad in ({**run_, "more": 1}, {"answer": "feasible", "status": "success"}, {**run_, "status": "error"}, None):
            self.assertFalse(RESULTS["check"].is_valid(bad), bad)


class Methods(Oracle):
    def test_load(self):
        session = Session(self)
        figure1 = {"buffering": "infinite", "threads": 3, "commands": 16, "receives": 3, "sends": 3}
        self.assertEqual(session.ask("load", file=FIGURE1), figure1)
        self.assertEqual(session.ask("load", text=Path(FIGURE1).read_text(), buffering="zero"),
                         {**figure1, "buffering": "zero"})

    def test_program(self):
        answer = self.session().ask("program")
        self.assertEqual([len(t) for t in answer["threads"]], [8, 4, 4])
        self.assertEqual(answer["receives"][0],
                         {"receive": "R2", "location": "02", "endpoint": 0, "completed_at": "03"})
        self.assertEqual(answer["sends"][1], {"send": "S4", "location": "24", "from": 2, "to": 0, "wait": "25"})

    def test_feasible(self):
        session = self.session()
        for matches, status in ((SUCCESS, "success"), (FAILURE, "failure")):
            answer = session.ask("feasible", matches=matches)
            self.assertEqual((answer["answer"], answer["status"], answer["matches"]), ("feasible", status, matches))
            replay = session.ask("trace", trace=answer["trace"])
            self.assertEqual((replay["status"], replay["matches"]), (status, matches))
            self.assertEqual(session.ask("feasible", matches=matches, trace=False), {"answer": "feasible"})
            part = {"R2": matches["R2"]}
            answer = session.ask("feasible", matches=part, trace=False)
            self.assertEqual((answer["answer"], answer["matches"]), ("feasible", matches))

    def test_ways_to_name_matches(self):
        session = self.session()
        names = session.ask("program")
        receives = [r["receive"] for r in names["receives"]]
        sends = [s["send"] for s in names["sends"]]
        for matches in (FAILURE, list(map(list, FAILURE.items())),
                        [[receives.index(r), sends.index(s)] for r, s in FAILURE.items()],
                        {r: sends.index(s) for r, s in FAILURE.items()}):
            self.assertEqual(session.ask("feasible", matches=matches)["matches"], FAILURE)

    def test_refusals(self):
        zero = self.session(buffering="zero")
        answer = zero.ask("feasible", matches=FAILURE)
        self.assertEqual((answer["why"], answer["core"], answer["minimal"], answer["clause"]),
                         ("cycle", list(map(list, FAILURE.items())), "rules", list(map(list, FAILURE.items()))))
        for edge, following in zip(answer["cycle"], answer["cycle"][1:] + answer["cycle"][:1]):
            self.assertEqual(edge["to"], following["from"])
        self.assertEqual({tuple(e["match"]) for e in answer["cycle"] if "match" in e}, set(FAILURE.items()))
        answer = zero.ask("feasible", matches=FAILURE, minimize="search")
        self.assertEqual((answer["why"], answer["core"], answer["minimal"]), ("search", [["R2", "S5"]], "search"))
        self.assertEqual(answer["smt"], "(assert (or (not (and true true (= M_R2 1))) false))")

        session = self.session()
        for matches, why, core in (({"R2": "S6"}, "endpoints", [["R2", "S6"]]),
                                   ({"R2": "S4", "R5": "S4"}, "send_twice", [["R2", "S4"], ["R5", "S4"]]),
                                   ([["R2", "S4"], ["R2", "S5"]], "two_sends", [["R2", "S5"], ["R2", "S4"]])):
            answer = session.ask("feasible", matches=matches)
            self.assertEqual((answer["why"], answer["core"], answer["minimal"]), (why, core, "rules"))

        two = program([("a", "(rcvi r 0 x)"), ("b", "(rcvi t 0 y)"), ("c", "(wait t)")],
                      [("d", "(sndi s 1 0 1)"), ("e", "(sndi u 1 0 2)")])
        session = self.with_text(two)
        answer = session.ask("feasible", matches={"r": "u", "t": "s"})
        self.assertEqual((answer["why"], answer["core"]), ("left_out", [["r", "u"]]))
        self.assertEqual(answer["left_out"], "s")

    def test_fault(self):
        text = program([("a", "(rcvi r 0 x)"), ("b", "(wait r)"), ("f", "(rcvi t 0 w)"), ("g", "(wait t)"),
                        ("c", "(y := (* x 2))"), ("d", "(z := (div 7 y))")],
                       [("s", "(sndi s 1 0 0)")], [("u", "(sndi u 2 0 5)")])
        session = self.with_text(text)
        self.assertEqual(session.ask("feasible", matches={"r": "u", "t": "s"}, trace=False), {"answer": "feasible"})
        answer = session.ask("feasible", matches={"r": "s", "t": "u"}, trace=False)
        self.assertEqual((answer["why"], answer["location"], answer["core"], answer["minimal"]),
                         ("fault", "d", [["r", "s"]], None))

    def test_model(self):
        session = self.session()
        model = "(\n  (define-fun M_R2 () Int\n    1)\n  (define-fun M_R5 () Int 2)\n (define-fun |M_R3| () Int 3))"
        answer = session.ask("model", model=model)
        self.assertEqual((answer["status"], answer["matches"]), ("failure", FAILURE))
        for bad in ("", "(", "(define-fun M_R2 () Int 99)", model.replace("1", "(- 1)"), '"' * 1000, "|" * 999):
            self.assertEqual(session.error("model", model=bad)["code"], PARAMETERS, bad)

    def test_models_of_programs_without_receives(self):
        session = self.with_text(program([("a", "(assert true)")]))
        for model in ("()", "(model)", "( ; a comment\n (define-fun x () Int 1) )\n"):
            self.assertEqual(session.ask("model", model=model)["answer"], "feasible", model)
        for bad in ("", "unknown", "(", "() ()", "() more", '(error "line 1: model is not available")', "(define-fun x () Int 1)", "(model model)"):
            error = session.error("model", model=bad)
            self.assertEqual(error["code"], PARAMETERS, bad)
            self.assertIn("is not a model", error["message"], bad)

    def test_models_of_solvers(self):
        """What z3 and cvc5 guess with the order that they are told is a failing run."""
        session = self.session()
        smt = session.ask("encode", models=True)["smt"] + "(get-model)\n"
        for solver in (["z3", "-in"], ["cvc5", "--produce-models", "--lang=smt2"]):
            answer = subprocess.run(solver, input=smt, capture_output=True, text=True, check=True).stdout
            self.assertTrue(answer.startswith("sat\n"), answer)
            self.assertEqual(session.ask("model", model=answer.removeprefix("sat\n"), trace=False)["status"], "failure")

    def test_assumptions(self):
        session = self.session()
        self.assertEqual(session.ask("push"), {"levels": 1, "required": 0, "forbidden": 0})
        self.assertEqual(session.ask("assume", forbidden={"R2": "S5"}), {"levels": 1, "required": 0, "forbidden": 1})
        self.assertEqual(session.ask("check", trace=False)["matches"], SUCCESS)
        session.ask("push")
        session.ask("assume", required={"R5": "S4"})
        answer = session.ask("check", minimize="search")
        self.assertEqual((answer["core"], answer["forbidden"], answer["minimal"]),
                         ([["R5", "S4"]], [["R2", "S5"]], "search"))
        self.assertEqual(answer["because"], "every complete run with R5 = S4 has R2 = S5")
        self.assertNotIn("clause", answer)  # which would be wrong once this level is gone
        self.assertEqual(session.ask("next"), {"answer": "done"})
        session.ask("assume", required={"R2": "S5"})
        self.assertEqual(session.ask("check")["why"], "contradiction")
        self.assertEqual(session.ask("pop"), {"levels": 1, "required": 0, "forbidden": 1})
        self.assertEqual(session.ask("next", trace=False)["matches"], SUCCESS)
        self.assertEqual(session.ask("next"), {"answer": "done"})
        session.ask("pop")
        outcomes = [session.ask("next", trace=False) for _ in range(2)]
        self.assertCountEqual([(o["status"], o["matches"]) for o in outcomes],
                              [("success", SUCCESS), ("failure", FAILURE)])
        self.assertEqual(session.ask("next"), {"answer": "done"})
        self.assertEqual(session.error("pop")["code"], PARAMETERS)

    def test_order(self):
        session = self.session()
        answer = session.ask("order", locations=["15", "24"])
        order = [entry[0] for entry in answer["trace"]] if answer["answer"] == "feasible" else answer
        self.assertEqual(order, {**order, "answer": "infeasible"} if isinstance(order, dict) else order)
        self.assertEqual((order["why"], order["core"], order["minimal"]), ("counting", [["15", "24"]], "rules"))
        answer = session.ask("order", locations=["27", "13", "02", "25"][::-1])
        places = [entry[0] for entry in answer["trace"]]
        self.assertLess(places.index("25"), places.index("02"))
        answer = session.ask("order", locations=["03", "24", "15"])
        self.assertEqual((answer["core"], answer["why"]), ([["03", "24"]], "counting"))
        self.assertIn({"at": "24", "before": "03", "because": "03 has to come before it"}, answer["standstill"])
        self.assertIn({"at": "03", "endpoint": 0, "needed": 1, "there": 0,
                       "because": "(wait R2) needs 1 message to endpoint 0, and 0 can come before it"},
                      answer["standstill"])
        self.assertEqual(session.ask("order", locations=["09", "02"])["core"], [["09", "02"]])
        whole = [entry[0] for entry in session.ask("feasible", matches=FAILURE)["trace"]]
        self.assertEqual([entry[0] for entry in session.ask("order", locations=whole)["trace"]], whole)

    def test_trace(self):
        session = self.session()
        answer = session.ask("trace", trace=[["24"], ["25"], ["02"], ["03", [0, 2]]])
        self.assertEqual(answer["error"], {"entry": 4, "location": None, "rule": "MACHINE STEP",
                                           "reason": "trace used up", "message": answer["error"]["message"]})
        answer = session.ask("trace", trace=[["24"], ["25"], ["02"], ["03", [0, 77], ["00", "002"]]])
        self.assertEqual((answer["status"], answer["error"]["entry"], answer["error"]["reason"]),
                         ("error", 3, "nothing in transit"))
        for trace, said in (([["24"], ["\x1b"]], "there is no location `\\x1b`"),
                            ([["24"], ["99"]], "there is no location `99`; did you mean `09`?")):
            self.assertEqual(session.error("trace", trace=trace), {"code": PARAMETERS, "message": said})

    def test_traces_of_the_programs(self):
        """Every trace of every program under D1 to D6 ends as `run` says."""
        seen = 0
        for buffering in BUFFERINGS:
            session = Session(self)
            for path in programs():
                session.send(session.request("load", file=str(path), buffering=buffering))
                answer = session.receive()
                if "error" in answer:
                    self.assertEqual(answer["error"]["code"], REFUSED)
                    continue
                told = json.loads(run("run", path, "--buffering", buffering, "--format", "json").out)
                for number, (trace, expected) in enumerate(zip(traces_of(path), told["traces"], strict=True)):
                    session.send(session.request("trace", trace=trace))
                    answer = session.receive()
                    if "error" in answer:
                        self.assertRegex(answer["error"]["message"], "^there is no location ")
                        self.assertRegex(expected["error"]["message"], " is not a location of the program$")
                        continue
                    got = answer["result"]
                    self.assertEqual((got["status"], got["steps"], got["well_formed"]),
                                     (expected["status"], expected["steps"], expected["well_formed"]), (path, number))
                    self.assertEqual(got["matches"], {m["receive"]: m["send"] for m in expected["matches"]})
                    wanted = expected["error"] and {k: v for k, v in expected["error"].items() if k != "place"}
                    self.assertEqual(got.get("error"), wanted)
                    seen += 1
        self.assertGreater(seen, 100)

    def test_pairs(self):
        session = self.session(buffering="zero")
        both = {"R2": ["S5", "S4"], "R5": ["S5", "S4"], "R3": ["S6"]}
        self.assertEqual(session.ask("pairs"), {"count": 5, "pairs": both})
        self.assertEqual(session.ask("pairs", method="overapprox")["count"], 5)
        self.assertEqual(session.ask("pairs", method="exact"), {"count": 3, "pairs": {r: [s] for r, s in SUCCESS.items()}})

    def test_encode(self):
        session = self.session()
        zero = self.session(buffering="zero")
        self.assertIn("order_03", zero.ask("encode")["smt"])
        self.assertNotIn("order_", zero.ask("encode", order=False)["smt"])
        self.assertNotIn("(check-sat)", session.ask("encode", check_sat=False)["smt"])
        for asked, answer in (("failure", "sat"), ("success", "sat"), ("any", "sat")):
            smt = session.ask("encode", asked=asked, pairs="exact")["smt"]
            told = subprocess.run(["z3", "-in"], input=smt, capture_output=True, text=True, check=True).stdout
            self.assertEqual(told, answer + "\n")

        # A program that is lowered; within the limit, with exact pairs.
        file = "traces/selectors_master_and_workers.ctp"
        lowered = self.session(file)
        smt = lowered.ask("encode", pairs="exact")["smt"]
        told = subprocess.run(["z3", "-in"], input=smt, capture_output=True, text=True, check=True).stdout
        self.assertEqual(told.strip() == "sat", run("check", file, "--runs", "complete").code == FAILURE)
        lowered.ask("limits", steps=1)
        self.assertEqual(lowered.ask("encode", pairs="exact"), {"answer": "unknown", "why": "steps", "steps": 1})

        race = self.session("traces/path_failure_before_deadlock.ctp")
        for runs, answer in (("complete", "unsat"), ("executions", "sat")):
            smt = race.ask("encode", runs=runs)["smt"]
            told = subprocess.run(["z3", "-in"], input=smt, capture_output=True, text=True, check=True).stdout
            self.assertEqual(told, answer + "\n")

    def test_encode_given_pairs(self):
        """Subsets and supersets of the pairs, and pairs to leave out: whose failures are there."""
        def answer(session, **parameters):
            smt = session.ask("encode", **parameters)["smt"]
            return subprocess.run(["z3", "-in"], input=smt, capture_output=True, text=True, check=True).stdout.strip()

        session = self.session()
        both = session.ask("pairs")["pairs"]
        self.assertEqual(session.ask("encode", pairs=both), session.ask("encode", pairs="overapprox"))
        for encoding in ("exact", "section5"):
            for pairs, failure, success in ((both, "sat", "sat"), (FAILURE, "sat", "unsat"), (SUCCESS, "unsat", "sat"), ({}, "unsat", "unsat")):
                if encoding == "section5" and not pairs:
                    continue  # Definition 11 says nothing of a receive without pairs
                pairs = {r: s if isinstance(s, list) else [s] for r, s in pairs.items()}
                self.assertEqual(answer(session, pairs=pairs, encoding=encoding), failure)
                if encoding == "exact":  # the other one asks for failures only
                    self.assertEqual(answer(session, pairs=pairs, asked="success"), success)
            for forbidden, failure in (({}, "sat"), ({"R2": "S4"}, "sat"), ({"R2": "S5"}, "unsat"), ([[0, 1], ["R5", "S5"]], "sat")):
                for more in ({}, {"pairs": "exact"}, {"pairs": both}):
                    self.assertEqual(answer(session, forbidden=forbidden, encoding=encoding, **more), failure, (forbidden, more))
        # By number, and one pair twice.
        self.assertEqual(session.ask("encode", pairs={"R2": [0, "S4", 0]}), session.ask("encode", pairs={"R2": ["S5", "S4"]}))

        for parameters, saying in (({"pairs": {"R9": ["S4"]}}, "there is no receive `R9`"), ({"pairs": {"R2": ["S9"]}}, "there is no send `S9`"),
                                   ({"pairs": {"R2": ["R2"]}}, "there is no send `R2`"), ({"pairs": {"R2": [9]}}, "there is no send 9"),
                                   ({"pairs": {"R2": "S4"}}, "{receive: [send, ..], ..}"), ({"pairs": {"R2": [None]}}, "a send is named by"),
                                   ({"pairs": {"R2": ["S6"]}}, '`S6` goes to endpoint 1, and `R2` receives at endpoint 0'),
                                   ({"pairs": []}, "`pairs`"), ({"forbidden": {"R9": "S4"}}, "there is no receive `R9`"),
                                   ({"pairs": {}, "runs": "executions"}, "are for complete runs"),
                                   ({"forbidden": {}, "runs": "executions"}, "are for complete runs"),
                                   ({"encoding": "magic"}, "there is no encoder `magic`"), ({"encoding": "fusion-mcm"}, "there is no encoder `fusion-mcm`"),
                                   ({"encoding": "section5", "asked": "success"}, "`encoding`: section5"), ({"encoding": 1}, "`encoding`")):
            error = session.error("encode", **parameters)
            self.assertEqual(error["code"], PARAMETERS, parameters)
            self.assertIn(saying, error["message"])
        lowered = self.session("traces/selectors_master_and_workers.ctp")
        self.assertIn("without shared variables, selectors", lowered.error("encode", pairs={})["message"])
        session.is_well()

    def test_selectors(self):
        """Receives from one source only, a barrier, a synchronous send."""
        text = """( ( [1 (rcvi R1 0 x (from 2))] [2 (wait R1)] [3 (barrier B)] [4 (rcvi R2 0 y (source who))] [5 (wait R2)]
                     [6 (assert (= who 1))] )
                   ( [7 (barrier B)] [8 (ssndi S1 1 0 7)] [9 (wait S1)] )
                   ( [10 (sndi S2 2 0 8)] [11 (wait S2)] [12 (barrier B)] ) )"""
        answer = Session(self).error("load", text=text)
        self.assertEqual(answer["code"], REFUSED)
        self.assertIn("the oracle cannot answer for this program: two receives at endpoint 0 admit the same message",
                      answer["message"])
        session = self.with_text(text.replace("(source who)", "(from 1) (source who)"))
        self.assertEqual(session.ask("program")["receives"][0]["completed_at"], "2")
        run = session.ask("feasible", matches={})
        self.assertEqual((run["answer"], run["status"], run["matches"]), ("feasible", "success", {"R1": "S2", "R2": "S1"}))
        self.assertEqual(session.ask("trace", trace=run["trace"])["status"], "success")
        wrong = session.ask("feasible", matches={"R1": "S1"})
        self.assertEqual((wrong["why"], wrong["core"], wrong["minimal"]), ("endpoints", [["R1", "S1"]], "rules"))
        self.assertEqual(wrong["because"], "R1 = S1: the receive does not admit the message")
        self.assertEqual(session.ask("pairs", method="exact"), {"count": 2, "pairs": {"R1": ["S2"], "R2": ["S1"]}})
        self.assertEqual(session.ask("can_fail"), {"answer": "no", "assertions": 1, "leaves_path": "no"})
        self.assertEqual(session.ask("next")["matches"], {"R1": "S2", "R2": "S1"})
        self.assertEqual(session.ask("next"), {"answer": "done"})
        # The barrier separates R1's wait from S1; a thread can pass it late.
        self.assertEqual(session.ask("order", locations=["8", "2"])["answer"], "infeasible")
        late = session.ask("order", locations=["8", "3"])
        order = [entry[0] for entry in late["trace"]]
        self.assertLess(order.index("8"), order.index("3"))
        self.assertEqual(session.ask("trace", trace=late["trace"])["status"], "success")

    def test_cycle_through_a_barrier(self):
        session = self.with_text("""( ( [1 (rcvi R 0 x)] [2 (wait R)] [3 (barrier B)] )
                                      ( [4 (sndi S 1 0 1)] [5 (barrier B)] [6 (sndi T 2 0 2)] ) )""")
        wrong = session.ask("feasible", matches={"R": "T"})
        self.assertEqual((wrong["why"], wrong["core"]), ("cycle", [["R", "T"]]))
        self.assertEqual([(e["from"], e["to"], e["why"]) for e in wrong["cycle"]],
                         [("2", "3", "program order"), ("3", "5", "a thread passes a barrier when all have come"),
                          ("5", "6", "program order"), ("6", "2", "a send precedes the wait that completes its receive")])

    def test_cycle_through_a_collective(self):
        """The root goes on early, and what it broadcasts does not come before its call."""
        text = """( ( [1 (rcvi R 0 x)] [2 (wait R)] [3 (collective K C %s (root 0))] )
                     ( [4 (sndi S 1 0 1)] [5 (collective L C %s (root 0))] [6 (sndi T 2 0 2)] ) )"""
        session = self.with_text(text % ("bcast", "bcast"))
        wrong = session.ask("feasible", matches={"R": "T"})
        self.assertEqual((wrong["why"], wrong["core"]), ("cycle", [["R", "T"]]))
        self.assertEqual([(e["from"], e["to"], e["why"]) for e in wrong["cycle"]],
                         [("2", "3", "program order"), ("3", "5", "a thread passes a collective when those that it needs have called"),
                          ("5", "6", "program order"), ("6", "2", "a send precedes the wait that completes its receive")])
        self.assertEqual(session.ask("order", locations=["5", "2"])["answer"], "infeasible")
        session = self.with_text(text % ("reduce", "reduce"))
        self.assertEqual(session.ask("feasible", matches={"R": "T"})["answer"], "feasible")
        late = session.ask("order", locations=["6", "2"])
        self.assertEqual(session.ask("trace", trace=late["trace"])["status"], "success")
        # A thread that is held up at its call has called.
        held = session.ask("order", locations=["3", "5"])
        self.assertEqual((held["answer"], [entry[0] for entry in held["trace"]][-2:]), ("feasible", ["5", "6"]))

    def test_collectives_that_are_missing_or_disagree(self):
        missing = self.with_text("( ( [1 (collective K C bcast (root 0))] ) ( [2 (collective L C bcast (root 0))] [3 (collective M C bcast (root 0))] ) )")
        self.assertEqual((missing.ask("next"), missing.ask("can_fail")["answer"]), ({"answer": "done"}, "no"))
        wrong = json.loads(run("oracle", stdin=json.dumps({"jsonrpc": "2.0", "id": 1, "method": "load", "params": {
            "text": "( ( [1 (collective K C barrier)] ) ( [2 (collective L C scan)] ) )"}}).encode() + b"\n").text)
        self.assertIn("collectives disagree", wrong["error"]["message"])

    def test_models_of_lowered_programs(self):
        """Clauses speak of the problem that `encode` prints: a loop that blocks them ends."""
        session = self.with_text("""( ( [1 (rcvi R1 0 x (source v))] [2 (wait R1)] [3 (rcvi R2 0 y)] [4 (wait R2)] [5 (barrier B)] )
                                      ( [6 (sndi S1 1 0 1)] [7 (barrier B)] ) ( [8 (sndi S2 2 0 2)] [9 (barrier B)] ) )""")
        smt = session.ask("encode", asked="any", order=False, check_sat=False, models=True)["smt"]
        found = 0
        while True:
            done = subprocess.run(["z3", "-in"], input=smt + "(check-sat)(get-model)", capture_output=True, text=True)
            if done.stdout.startswith("unsat"):
                break
            answer = session.ask("model", model=done.stdout.partition("\n")[2])
            self.assertEqual(answer["answer"], "feasible")
            found += 1
            self.assertLessEqual(found, 2)
            again = [[r, s] for r, s in answer["matches"].items()]
            session.ask("assume", forbidden=again[:1])
            refusal = session.ask("feasible", matches=again[:1] + again[:1], trace=False)
            self.assertEqual(refusal["answer"], "feasible")
            # Blocked by hand, with the terms that refusals use.
            r, s = again[0]
            other = next(t for t in ("S1", "S2") if t != s)
            both = session.ask("feasible", matches=[[r, s], [r, other]])
            terms = re.findall(r"\(= M_\S+ \d+\)", both["smt"])
            self.assertEqual(len(terms), 2)
            mine = terms[both["core"].index([r, s])]
            smt += f"(assert (not {mine}))"
        self.assertEqual(found, 2)

    def test_can_fail(self):
        session = self.session()
        for params in ({}, {"runs": "executions"}, {"runs": "complete"}):
            answer = session.ask("can_fail", **params)
            self.assertEqual((answer["answer"], answer["completes"], answer["matches"]), ("yes", True, FAILURE))
            self.assertEqual(session.ask("trace", trace=answer["trace"])["status"], "failure")
        self.assertEqual(session.ask("can_fail", trace=False), {"answer": "yes", "completes": True, "matches": FAILURE})
        session.ask("assume", forbidden={"R2": "S5"})
        self.assertEqual(session.ask("can_fail", trace=False)["answer"], "yes")  # what is assumed does not count
        session.ask("limits", steps=1)
        self.assertEqual(session.ask("can_fail", trace=False)["answer"], "yes")  # nor does this limit
        self.assertEqual(self.session(buffering="zero").ask("can_fail"),
                         {"answer": "no", "assertions": 1, "leaves_path": "no"})

    def test_can_fail_of_a_recording(self):
        """Nobody knows of an assertion that was only evaluated."""
        text = "( ( [a (assert true)] [b (assert (= 1 1))] bot ) )"
        because = "1 assertion was only evaluated in the recorded run: whether it can be false in another run is not known"
        failed = "the recorded run failed: exit code 3. No command of the program says why, and the verdict is not about it"
        session = self.with_text("; A recorded run of: x\n; This run failed: exit code 3\n( ( [a (assert (= 1 1))] bot ) )")
        self.assertEqual(session.ask("can_fail"), {"answer": "unknown", "why": "recording", "because": failed})
        for head, evaluated in (("; A recorded run of: x\n", True), ("", False)):
            session = self.session(file=None)
            loaded = session.ask("load", text=head + text)
            self.assertEqual(loaded.get("not_known"), because if evaluated else None)
            self.assertEqual(session.ask("can_fail"), {"answer": "unknown", "why": "recording", "because": because} if evaluated else
                             {"answer": "no", "assertions": 2, "leaves_path": "no"})

    def test_a_recorded_run_that_failed(self):
        """No command says why it failed; who asks about its matches is told."""
        text = ("; A recorded run of: x\n; This run failed: exit code 3\n( ( [a (rcvi R 0 x)] [b (wait R)] [c (rcvi Q 0 y)] [d (wait Q)] bot )\n"
                "  ( [e (sndi S 1 0 1)] bot ) ( [f (sndi T 2 0 2)] bot ) )\n( (a bot) (e bot) (f bot) (b ((0 2) bot)) (c bot)%s )\n")
        failed = {"recorded_run_failed": "exit code 3"}
        for rest, told in ((" (d ((0 1) bot))", {"status": "failed", **failed}), ("", {"status": "success", **failed})):
            session = self.with_text(text % rest)
            answer = session.ask("feasible", matches={"R": "T", "Q": "S"})
            self.assertEqual({key: answer[key] for key in ("status", "recorded_run_failed")}, told)
            self.assertEqual(session.ask("feasible", matches={"R": "S"}, trace=False),
                             {"answer": "feasible", "status": "success", "matches": {"R": "S", "Q": "T"}})

    def test_a_recorded_run_that_was_ended(self):
        """Its matches are no success, and that no recorded run completes is no refusal."""
        head = "; A recorded run of: mpirun -n 3 ./a\n; This run was ended: it was interrupted\n; rank 2 had not come to MPI_Finalize\n"
        how = "it was interrupted; rank 2 was still running"
        text = head + ("( ( [a (rcvi R 0 x)] [b (wait R)] [c (rcvi Q 0 y)] [d (wait Q)] bot )\n"
                       "  ( [e (sndi S 1 0 1)] bot ) ( [f (sndi T 2 0 2)] bot ) )\n( (a bot) (e bot) (f bot) (b ((0 2) bot)) (c bot)%s )\n")
        for rest in (" (d ((0 1) bot))", ""):
            answer = self.with_text(text % rest).ask("feasible", matches={"R": "T", "Q": "S"})
            self.assertEqual((answer["status"], answer["recorded_run_ended"]), ("ended", how))
        session = self.with_text(head + "( ( [a (rcvi R 0 x)] [b (wait R)] [c (rcvi Q 0 y)] [d (wait Q)] bot ) ( [e (sndi S 1 0 1)] bot ) ( bot ) )\n")
        open_end = "rank 2 was still running when the recorded run was ended: what it would have done next is not recorded"
        for method, params in (("feasible", {"matches": {}}), ("check", {})):
            answer = session.ask(method, **params)
            self.assertEqual((answer["answer"], answer["why"], answer["because"], answer["core"]),
                             ("unknown", "recording", f"no run is complete; {open_end}", []))
        answer = session.ask("feasible", matches={"R": "S", "Q": "S"})  # whatever the rank would have done
        self.assertEqual((answer["answer"], answer["why"]), ("infeasible", "send_twice"))

    def test_can_fail_and_does_not_complete(self):
        for before in ("false_assumption", "deadlock"):
            for buffering in BUFFERINGS:
                session = self.session(f"traces/path_failure_before_{before}.ctp", buffering=buffering)
                answer = session.ask("can_fail")
                self.assertEqual((answer["answer"], answer["completes"]), ("yes", False))
                self.assertEqual(answer["matches"]["R"], "T")
                replay = session.ask("trace", trace=answer["trace"])
                self.assertEqual((replay["error"]["reason"], replay["matches"]["R"]), ("trace used up", "T"))
                self.assertEqual(session.ask("can_fail", runs="complete")["answer"], "no")

    def test_version(self):
        """It needs no program."""
        told = json.loads(run("version", "--format", "json").text)
        self.assertEqual(Session(self).ask("version"),
                         {"version": told["version"], "commit": told["commit"], "protocol": 1})

    def test_limits(self):
        session = self.with_text(hopeless(10))
        self.assertEqual(session.ask("limits"), {"steps": 10_000_000})
        self.assertEqual(session.ask("limits", steps=1000), {"steps": 1000})
        for method in ("check", "next"):
            self.assertEqual(session.ask(method), {"answer": "unknown", "why": "steps", "steps": 1000})
        self.assertEqual(session.ask("pairs", method="exact")["answer"], "unknown")
        session.ask("load", file=FIGURE1)
        self.assertEqual(session.ask("limits"), {"steps": 1000})
        session.is_well()

    def test_shutdown(self):
        session = self.session()
        self.assertIsNone(session.ask("shutdown"))
        self.assertEqual(session.process.wait(10), HOLDS)  # its standard input is still open

    def test_large_integers_are_a_limit(self):
        squares = [("a", "(rcvi r 0 x)"), ("b", "(wait r)")] + [(f"q{i}", "(x := (* x x))") for i in range(40)]
        session = self.with_text(program(squares, [("s", "(sndi s 1 0 3)")]))
        self.assertEqual(session.error("feasible", matches={"r": "s"})["code"], LIMIT)
        self.assertEqual(session.ask("feasible", matches={"r": "s"}, trace=False), {"answer": "feasible"})


def traces_of(path):
    """The traces of a file, as `trace` wants them."""
    text = "\n".join(line.split(";")[0] for line in path.read_text().splitlines())
    text = text.replace("[", "(").replace("]", ")").replace("⊥", "bot")
    stack = [[]]
    for token in text.replace("(", " ( ").replace(")", " ) ").split():
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)

    def endpoints(movement):
        return [end.lstrip("+") for end in movement]

    return [[[rho, *([] if m == "bot" else [endpoints(p) for p in m if p != "bot"])] for rho, m in trace]
            for trace in [group for group in stack[0] if group[:1] != ["communicators"]][1:]]


class Errors(Oracle):
    def test_no_program(self):
        session = Session(self)
        for method, params in (("feasible", {"matches": {}}), ("order", {"locations": []}), ("trace", {"trace": []}),
                               ("model", {"model": ""}), ("push", {}), ("pop", {}), ("assume", {}), ("check", {}),
                               ("next", {}), ("pairs", {}), ("encode", {}), ("program", {}), ("limits", {}),
                               ("can_fail", {})):
            self.assertEqual(session.error(method, **params)["code"], NO_PROGRAM, method)

    def test_refused_programs(self):
        session = self.session()
        for text, rule, line, column in (("(", "syntax", 1, 2), ("( ( [00 (wait a)] ) )", "S3", 1, 15),
                                         ("\n( ([00 (x := y)]) )", "D5", 2, 14), ("( ([0 (x := é)]) (", "syntax", 1, 19),
                                         ("( ([0 (x := " + "9" * 6_000_000 + ")]) )", "limit", 1, 13)):
            error = session.error("load", text=text)
            self.assertEqual(error["code"], REFUSED)
            first = error["data"]["diagnostics"][0]
            self.assertEqual((first["severity"], first["rule"], first["line"], first["column"]),
                             ("error", rule, line, column))
            session.is_well()  # what was loaded stays

    def test_unreadable_files(self):
        session = self.session()
        for path in ("nowhere.ctp", "", "/", "traces/figure1.ctp/x", "x" * 5000, "a\u0000b"):
            self.assertEqual(session.error("load", file=path)["code"], UNREADABLE, path)
        session.is_well()

    def test_parameters(self):
        session = self.session()
        for method, params in (
                ("load", {}), ("load", {"file": FIGURE1, "text": ""}), ("load", {"file": 7}), ("load", {"file": "-"}),
                ("load", {"file": FIGURE1, "buffering": "some"}), ("load", {"file": FIGURE1, "more": 1}),
                ("feasible", {"trace": True}), ("feasible", {"matches": 1}), ("feasible", {"matches": {"R9": "S4"}}),
                ("feasible", {"matches": {"R2": "R3"}}), ("feasible", {"matches": {"S4": "S4"}}),
                ("feasible", {"matches": {"R2": None}}), ("feasible", {"matches": [["R2"]]}),
                ("feasible", {"matches": [["R2", "S4", "S5"]]}), ("feasible", {"matches": ["R2"]}),
                ("feasible", {"matches": [[3, 0]]}), ("feasible", {"matches": [[0, 3]]}),
                ("feasible", {"matches": [[-1, 0]]}), ("feasible", {"matches": [[0.5, 0]]}),
                ("feasible", {"matches": {}, "trace": 1}), ("feasible", {"matches": {}, "minimize": "all"}),
                ("feasible", {"matches": {}, "minimize": None}), ("order", {"locations": "02"}),
                ("order", {"locations": ["99"]}), ("order", {"locations": [2]}), ("order", {"locations": ["02", "02"]}),
                ("trace", {"trace": {}}), ("trace", {"trace": [[]]}), ("trace", {"trace": ["02"]}),
                ("trace", {"trace": [[2]]}), ("trace", {"trace": [["02", [0]]]}), ("trace", {"trace": [["02", [0, -1]]]}),
                ("trace", {"trace": [["02", [0, "x"]]]}), ("trace", {"trace": [["02", [0, ""]]]}),
                ("model", {"model": 1}), ("pop", {}), ("push", {"n": 1}), ("assume", {"required": 1}),
                ("assume", {"forbidden": {"R9": "S4"}}), ("check", {"minimize": "x"}), ("next", {"trace": "no"}),
                ("pairs", {"method": "some"}), ("encode", {"asked": "x"}), ("encode", {"runs": "x"}),
                ("can_fail", {"runs": "some"}), ("can_fail", {"runs": None}), ("can_fail", {"trace": 1}),
                ("can_fail", {"matches": {}}), ("limits", {"steps": 0}), ("limits", {"steps": 1e300}), ("limits", {"steps": 1.5}),
                ("limits", {"steps": -1}), ("limits", {"steps": "1"}), ("cancel", {}), ("wait", {}), ("wait", {"seconds": "1"}),
                ("wait", {"seconds": 0}), ("wait", {"seconds": -1}), ("wait", {"seconds": 3601}), ("wait", {"seconds": True}),
                ("cancel", {"id": []}),
                ("shutdown", {"now": True})):
            self.assertEqual(session.error(method, **params)["code"], PARAMETERS, (method, params))
        session.is_well()
        self.assertEqual(session.ask("check", trace=False)["answer"], "feasible")  # nothing was assumed by halves

    def test_whole_numbers(self):
        """JSON has one kind of numbers: 1e6 and 3.0 are integers."""
        session = self.session()
        for written, n in (("1e6", 1_000_000), ("3.0", 3), ("25E1", 250), ("7", 7)):
            answer = session.say(f'{{"jsonrpc":"2.0","id":1,"method":"limits","params":{{"steps":{written}}}}}')
            self.assertEqual(answer["result"], {"steps": n})
        session.ask("limits", steps=1e6)
        self.assertEqual(session.ask("feasible", matches=[[0.0, 1e0], [1, 0], [2, 2.0]], trace=False), {"answer": "feasible"})
        self.assertEqual(session.ask("trace", trace=[["24"], ["25"], ["02"], ["03", [0.0, 2e0]]])["matches"], {"R2": "S4"})
        self.assertEqual(session.error("limits", steps=1.5)["message"], "`steps` has to be an integer from 1 on")

    def test_keys_that_are_there_twice(self):
        """JSON leaves open what that means. The last one must not win in silence."""
        session = self.session()
        for params, key in (('{"matches":{"R2":"S4","R2":"S5"}}', "R2"), ('{"matches":{"R2":"S4","R5":"S5","R\\u0032":"S4"}}', "R2"),
                            ('{"matches":{},"trace":true,"trace":false}', "trace")):
            answer = session.say(f'{{"jsonrpc":"2.0","id":4,"method":"feasible","params":{params}}}')
            self.assertEqual((answer["id"], answer["error"]), (4, {"code": REQUEST, "message": f"`{key}` is twice in one object"}))
        batch = session.say('[{"jsonrpc":"2.0","id":1,"method":"push"},{"jsonrpc":"2.0","id":2,"method":"push","id":3}]')
        self.assertEqual((batch["id"], batch["error"]["code"]), (None, REQUEST))
        self.assertEqual(session.ask("push")["levels"], 1)  # the batch had no effect
        self.assertEqual(session.ask("feasible", matches={"R2": "S4"}, trace=False)["answer"], "feasible")

    def test_lines(self):
        session = self.session()
        good = '{"jsonrpc":"2.0","id":"x","method":"push"}'
        for line, code, id_ in (
                ("nonsense", PARSE, None), ("{", PARSE, None), (good[:-1], PARSE, None), (good + good, PARSE, None),
                ("'x'", PARSE, None), ('{"jsonrpc":"2.0","id":1,"method":"push",}', PARSE, None),
                ("\x00", PARSE, None), ('"\\ud800"', PARSE, None), ("1e999", PARSE, None), ("NaN", PARSE, None),
                ("7", REQUEST, None), ("null", REQUEST, None), ('"push"', REQUEST, None), ("{}", REQUEST, None),
                ("[]", REQUEST, None), ('{"id":5,"method":"push"}', REQUEST, 5),
                ('{"jsonrpc":"1.0","id":5,"method":"push"}', REQUEST, 5), ('{"jsonrpc":2.0,"id":5,"method":"push"}', REQUEST, 5),
                ('{"jsonrpc":"2.0","id":5,"method":7}', REQUEST, 5), ('{"jsonrpc":"2.0","id":5}', REQUEST, 5),
                ('{"jsonrpc":"2.0","id":[],"method":"push"}', REQUEST, None),
                ('{"jsonrpc":"2.0","id":{},"method":"push"}', REQUEST, None),
                ('{"jsonrpc":"2.0","id":true,"method":"push"}', REQUEST, None),
                ('{"jsonrpc":"2.0","id":5,"method":"push","params":7}', REQUEST, 5),
                ('{"jsonrpc":"2.0","id":5,"method":"push","params":[1]}', PARAMETERS, 5),
                ('{"jsonrpc":"2.0","id":5,"method":"pusch"}', METHOD, 5),
                ('{"jsonrpc":"2.0","id":null,"method":""}', METHOD, None),
                ('{"jsonrpc":"2.0","id":"\\u0000é","method":"rpc.x"}', METHOD, "\x00é"),
                ('{"jsonrpc":"2.0","id":1.5,"method":"\\u001b[31m"}', METHOD, 1.5)):
            with self.subTest(line=line):
                session.write(line.encode() + b"\n")
                answer = session.receive()
                self.assertEqual((answer["error"]["code"], answer["id"]), (code, id_))
                self.assertNotRegex(answer["error"]["message"], r"[\x00-\x1f]")
        self.assertEqual(session.ask("push")["levels"], 1)

    def test_what_is_wrong_with_a_line(self):
        session = self.session()
        for line, said in (('{"jsonrpc": "2.0", "id": 29,', r"this is not JSON, at column 30: .*each line is one request"),
                           ('{"é": x}', r"this is not JSON, at column 7: "),
                           ('{"jsonrpc": "2.0", "id": 1, "method": "laod"}', "`laod`; did you mean `load`\\?"),
                           ('{"jsonrpc": "2.0", "id": 1, "method": "help"}', "no method `help`; there are load, program, pairs, "),
                           ('{"jsonrpc": "2.0", "id": 1, "method": "load", "params": {"where": ""}}', "`where`; there are file, text, buffering"),
                           ('{"jsonrpc": "2.0", "id": 1, "method": "load", "params": {"fil": ""}}', "`fil`; did you mean `file`\\?")):
            session.write(line.encode() + b"\n")
            self.assertRegex(session.receive()["error"]["message"], said)

    def test_bytes(self):
        """What is not UTF-8, and what is hardly JSON."""
        session = self.session()
        for line in (b"\xff\xfe", b'{"jsonrpc":"2.0","id":"\xc3","method":"push"}', b"\xed\xa0\x80", bytes(range(128, 256)),
                     b'{"jsonrpc":"2.0","id":1,"method":"\xf8\x88\x80\x80\x80"}', b"\x00" * 1000, b"\\" * 1000, b'"' * 999):
            session.write(line + b"\n")
            self.assertEqual(session.receive()["error"]["code"], PARSE, line)
        session.write(b"\r\n\n   \t \n")  # blank lines are nothing
        session.is_well()

    def test_depth(self):
        session = self.session()
        for opening in (b"[", b'{"a":', b'[{"a":['):
            session.write(opening * 1_000_000 + b"\n")
            self.assertEqual(session.receive()["error"]["code"], LIMIT)
        session.write(b"[" * 60 + b"]" * 60 + b"\n")
        self.assertEqual(session.receive()[0]["error"]["code"], REQUEST)
        session.write(b'{"jsonrpc":"2.0","id":1,"method":"' + b"[" * 1000 + b'"}\n')
        self.assertEqual(session.receive()["error"]["code"], METHOD)
        session.is_well()

    def test_long_lines(self):
        session = self.session()
        session.write(b" " * 3_000_000 + json.dumps(session.request("push")).encode() + b" " * 3_000_000 + b"\n")
        self.assertEqual(session.receive()["result"]["levels"], 1)
        session.write(json.dumps(session.request("x" * 5_000_000)).encode() + b"\n")
        answer = session.line()
        self.assertLess(len(answer), 1000)
        many = {f"R{i}": "S4" for i in range(200_000)}
        self.assertEqual(session.error("feasible", matches=many)["code"], PARAMETERS)
        session.is_well()

    def test_a_line_beyond_the_limit(self):
        with tempfile.TemporaryFile() as given:
            for _ in range(300):
                given.write(b"x" * (1 << 20))
            given.write(b'\n{"jsonrpc":"2.0","id":1,"method":"shutdown"}\n')
            given.seek(0)
            result = run("oracle", stdin=given)
        answers = [json.loads(line) for line in result.out.splitlines()]
        self.assertEqual((answers[0]["error"]["code"], answers[1]), (LIMIT, {"jsonrpc": "2.0", "id": 1, "result": None}))
        self.assertEqual(result.code, HOLDS)


class Batches(Oracle):
    def test_batch(self):
        session = self.session()
        requests = [session.request("push"), session.request("check", trace=False), session.request("pop")]
        session.send(requests)
        answers = session.receive()
        self.assertEqual(len(answers), 3)
        for request, answer in zip(requests, answers):
            session.checked(request, answer)

    def test_mixed(self):
        session = self.session()
        session.write(b'[7,{"jsonrpc":"2.0","method":"push"},{"jsonrpc":"2.0","id":1,"method":"none"},[],'
                      b'{"jsonrpc":"2.0","id":2,"method":"push"}]\n')
        answers = session.receive()
        self.assertEqual([(a["id"], a.get("error", {}).get("code")) for a in answers],
                         [(None, REQUEST), (1, METHOD), (None, REQUEST), (2, None)])
        self.assertEqual(answers[3]["result"]["levels"], 2)

    def test_notifications(self):
        session = self.session()
        for line in (b'{"jsonrpc":"2.0","method":"push"}', b'{"jsonrpc":"2.0","method":"none"}',
                     b'{"jsonrpc":"2.0","method":"load","params":{"text":"("}}',
                     b'[{"jsonrpc":"2.0","method":"push"},{"jsonrpc":"2.0","method":"push"}]'):
            session.write(line + b"\n")
        self.assertTrue(session.is_silent())
        self.assertEqual(session.ask("push")["levels"], 4)

    def test_large_batch(self):
        session = self.session()
        requests = [session.request("feasible", matches=FAILURE if i % 2 else {"R2": "S6"}, trace=False)
                    for i in range(20_000)]
        session.write(json.dumps(requests).encode() + b"\n")
        answers = json.loads(session.line())
        self.assertEqual([a["result"]["answer"] for a in answers], ["infeasible", "feasible"] * 10_000)


class Cancel(Oracle):
    def busy(self):
        session = self.with_text(hopeless(30))
        session.ask("limits", steps=2**62)
        return session

    def test_running(self):
        session = self.busy()
        for method, params in (("check", {}), ("feasible", {"matches": {"r0": "s7"}}), ("next", {}),
                               ("pairs", {"method": "exact"}), ("order", {"locations": ["q7", "p0"]}), ("can_fail", {})):
            with self.subTest(method=method):
                request = session.request(method, **params)
                session.send(request)
                self.assertTrue(session.is_silent())
                cancel = session.request("cancel", id=request["id"])
                session.send(cancel)
                answer = session.receive()
                self.assertEqual((answer["id"], answer["error"]["code"]), (request["id"], CANCELLED))
                self.assertEqual(session.checked(cancel, session.receive())["result"], {"cancelled": True})
        session.ask("load", file=FIGURE1)
        session.is_well()

    def test_wait(self):
        """It needs no program, lasts as long as it should, and can be cancelled."""
        session = self.session()
        begin = time.monotonic()
        self.assertEqual(session.ask("wait", seconds=0.3), {"waited": 0.3})
        self.assertGreaterEqual(time.monotonic() - begin, 0.3)
        request = session.request("wait", seconds=3600)
        session.send(request)
        self.assertTrue(session.is_silent())
        cancel = session.request("cancel", id=request["id"])
        session.send(cancel)
        self.assertEqual(session.receive()["error"]["code"], CANCELLED)
        self.assertEqual(session.checked(cancel, session.receive())["result"], {"cancelled": True})
        self.assertEqual(session.ask("wait", seconds=1e-9), {"waited": 1e-9})

    def test_waiting(self):
        """One that has not begun yet, named by a string; the one before it goes on."""
        session = self.busy()
        first = session.request("check")
        second = {**session.request("load", file=FIGURE1), "id": "später"}
        session.send(first)
        session.send(second)
        session.send(session.request("cancel", id="später"))
        self.assertTrue(session.is_silent())
        session.send(session.request("cancel", id=first["id"]))
        answers = [session.receive() for _ in range(4)]
        self.assertEqual([(a["id"], a.get("error", {}).get("code")) for a in answers[:2]],
                         [(first["id"], CANCELLED), ("später", CANCELLED)])
        self.assertEqual([a["result"] for a in answers[2:]], [{"cancelled": True}] * 2)

    def test_escaped(self):
        session = self.busy()
        request = session.request("check")
        session.send(request)
        session.write(b'{"jsonrpc":"2.0","method":"c\\u0061ncel","params":{"id":%d}}\n' % request["id"])
        self.assertEqual(session.receive()["error"]["code"], CANCELLED)

    def test_too_late(self):
        session = self.session()
        session.is_well()
        self.assertEqual(session.ask("cancel", id=session.count - 1), {"cancelled": False})
        self.assertEqual(session.ask("cancel", id="never"), {"cancelled": False})
        session.is_well()

    def test_in_a_batch(self):
        session = self.busy()
        session.send([session.request("check"), session.request("cancel", id=session.count)])
        answers = session.receive()
        self.assertEqual(answers[0]["error"]["code"], CANCELLED)
        self.assertEqual(answers[1]["result"], {"cancelled": True})

    def test_answers_are_not_held_back(self):
        session = self.busy()
        session.write(b"".join(json.dumps(session.request(m)).encode() + b"\n" for m in ("limits", "check")))
        self.assertEqual(session.receive()["result"], {"steps": 2**62})
        session.send(session.request("cancel", id=session.count - 1 + 1))
        self.assertEqual(session.receive()["error"]["code"], CANCELLED)


class Streams(Oracle):
    def test_end_of_input(self):
        whole = b'{"jsonrpc":"2.0","id":1,"method":"limits"}'
        for given, codes in ((b"", []), (whole, [NO_PROGRAM]), (whole + b"\n", [NO_PROGRAM]),
                             (whole + b"\n" + whole[:20], [NO_PROGRAM, PARSE])):
            result = run("oracle", stdin=given, timeout=20)
            self.assertEqual((result.code, result.err), (HOLDS, b""))
            self.assertEqual([json.loads(line)["error"]["code"] for line in result.out.splitlines()], codes)

    def test_input_is_closed(self):
        result = run("oracle", stdin=None, preexec_fn=lambda: os.close(0), timeout=20)
        self.assertEqual((result.code, result.out), (HOLDS, b""))

    def test_nobody_reads(self):
        """Ended by SIGPIPE, or 74 where that is ignored."""
        for ignored, codes in ((False, (-13,)), (True, (OUTPUT_FAILED,))):
            session = Session(self, restore_signals=not ignored, stderr=subprocess.DEVNULL)
            session.process.stdout.close()
            try:
                for _ in range(100):
                    session.write(b'{"jsonrpc":"2.0","id":1,"method":"limits"}\n')
                    time.sleep(0.01)
            except BrokenPipeError:
                pass
            self.assertIn(session.process.wait(10), codes)

    def test_output_is_closed(self):
        result = run("oracle", stdin=b'{"jsonrpc":"2.0","id":1,"method":"limits"}\n', preexec_fn=lambda: os.close(1))
        self.assertEqual(result.code, OUTPUT_FAILED)

    def test_output_is_full(self):
        with open("/dev/full", "wb") as full:
            result = run("oracle", stdin=b'{"jsonrpc":"2.0","id":1,"method":"limits"}\n', stdout=full)
        self.assertEqual(result.code, OUTPUT_FAILED)

    def test_byte_by_byte(self):
        session = self.session()
        for byte in json.dumps(session.request("push")).encode() + b"\n":
            session.write(bytes([byte]))
        self.assertEqual(session.receive()["result"]["levels"], 1)

    def test_every_prefix(self):
        """A session cut off anywhere ends well."""
        lines = (b'{"jsonrpc":"2.0","id":1,"method":"load","params":{"file":"traces/figure1.ctp"}}\n'
                 b'[{"jsonrpc":"2.0","id":2,"method":"check","params":{"trace":false}}]\n')
        for end in range(0, len(lines), 5):
            self.assertEqual(run("oracle", stdin=lines[:end]).code, HOLDS)


def blocks(count, violated):
    """Five messages a block. S hears from A, then wakes B, which answers: so S's first message is A's. Both send to D."""
    threads = []
    for i in range(count):
        s, a, b, d = (10 * i + k for k in range(4))
        first = "(= x%d 1)" % i if violated and i == count - 1 else "(= (+ x%d y%d) 3)" % (i, i)
        threads += [
            [(f"s{i}.1", f"(rcvi R{i} {s} p{i})"), (f"s{i}.2", f"(wait R{i})"), (f"s{i}.3", f"(sndi G{i} {s} {b} 7)"),
             (f"s{i}.4", f"(rcvi Q{i} {s} q{i})"), (f"s{i}.5", f"(wait Q{i})"), (f"s{i}.6", f"(assert (< p{i} q{i}))")],
            [(f"a{i}.1", f"(sndi A{i} {a} {s} 1)"), (f"a{i}.2", f"(sndi C{i} {a} {d} 1)")],
            [(f"b{i}.1", f"(rcvi H{i} {b} h{i})"), (f"b{i}.2", f"(wait H{i})"), (f"b{i}.3", f"(sndi B{i} {b} {s} 2)"),
             (f"b{i}.4", f"(sndi E{i} {b} {d} 2)")],
            [(f"d{i}.1", f"(rcvi X{i} {d} x{i})"), (f"d{i}.2", f"(rcvi Y{i} {d} y{i})"), (f"d{i}.3", f"(wait Y{i})"),
             (f"d{i}.4", f"(assert {first})")]]
    return program(*threads)


class Cegar(Oracle):
    def decide(self, path, *words):
        result = subprocess.run(["docs/cegar.py", path, *words], capture_output=True, text=True, timeout=300,
                                env={**os.environ, "MATCHPOINT": MATCHPOINT})
        code = 10 if result.stdout.startswith("violated") else 12 if result.stdout.startswith("no run completes") else 0
        self.assertEqual((result.stderr, result.returncode), ("", code))
        return result.stdout

    def test_shared_variables(self):
        result = subprocess.run(["docs/cegar.py", "traces/shared_memory/lost_update.ctp"], capture_output=True, text=True, timeout=60,
                                env={**os.environ, "MATCHPOINT": MATCHPOINT})
        self.assertEqual((result.stdout, result.returncode), ("", 2))
        self.assertEqual(result.stderr, "this loop is about messages: for shared variables use `matchpoint check`\n")

    def test_usage(self):
        for words, said in (([], "docs/cegar.py [--anew] FILE"), (["--anew"], "docs/cegar.py [--anew] FILE"), (["nowhere.ctp"], "cannot read nowhere.ctp"), ([FIGURE1, "some"], "infinite|zero")):
            result = subprocess.run(["docs/cegar.py", *words], capture_output=True, text=True, timeout=60, env={**os.environ, "MATCHPOINT": MATCHPOINT})
            self.assertEqual((result.stdout, result.returncode), ("", 2))
            self.assertIn(said, result.stderr)

    def test_no_run_completes(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "stuck.ctp"
            path.write_text(program([("1", "(rcvi R 0 x)"), ("2", "(wait R)")]))
            self.assertEqual(self.decide(path), "no run completes; 0 guesses refused\n")
            session = Session(self)
            session.ask("load", file=str(path))
            self.assertEqual(session.ask("feasible", matches={})["because"], "no run is complete")

    def test_figure_1(self):
        self.assertEqual(self.decide(FIGURE1),
                         "violated; 0 guesses refused\nfailure: R2 = S5, R5 = S4, R3 = S6\n")
        self.assertEqual(self.decide(FIGURE1, "zero"), "no complete run fails; 1 guess refused\n")

    def test_anew(self):
        """A pair to blame is left out of the next encoding. Here two matches exclude each other, each of which some run has."""
        self.assertEqual(self.decide(FIGURE1, "zero", "--anew"), "no complete run fails; 1 guess refused\n")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "cycle.ctp"
            path.write_text(program([("a", "(rcvi R 0 x)"), ("b", "(wait R)"), ("c", "(sndi T2 0 1 2)"), ("d", "(rcvi Z 2 z)"), ("e", "(wait Z)"),
                                     ("f", "(assert (not (and (= x 2) (= z 2))))")],
                                    [("g", "(rcvi Q 1 y)"), ("h", "(wait Q)"), ("i", "(sndi S2 1 0 2)"), ("j", "(sndi Y 1 2 y)")],
                                    [("k", "(sndi S1 3 0 1)"), ("l", "(sndi T1 3 1 1)")]))
            for words in ((), ("--anew",)):
                self.assertEqual(self.decide(path, *words), "no complete run fails; 1 guess refused\n")
            pairs = self.session(path).ask("pairs", method="exact")["pairs"]
            self.assertEqual((sorted(pairs["R"]), sorted(pairs["Q"])), (["S1", "S2"], ["T1", "T2"]))

    def test_two_hundred_messages(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "blocks.ctp"
            for violated in (False, True):
                path.write_text(blocks(40, violated))
                session = Session(self)
                self.assertEqual(session.ask("load", file=str(path))["sends"], 200)
                told = self.decide(path)
                verdict, status, *_ = told.splitlines() + [""]
                if violated:
                    self.assertRegex(verdict, r"\Aviolated; \d+ guess(es)? refused\Z")
                    matches = dict(pair.split(" = ") for pair in status.removeprefix("failure: ").split(", "))
                    self.assertEqual(matches["X39"], "E39")
                    self.assertEqual(session.ask("feasible", matches=matches)["status"], "failure")
                else:
                    # The solver is told once in each block that S does not hear from B first.
                    self.assertEqual(told, "no complete run fails; 40 guesses refused\n")

    def test_what_is_missing_is_said(self):
        python = [sys.executable, "docs/cegar.py", FIGURE1]
        with tempfile.TemporaryDirectory() as empty:
            for missing, environment in (("/no/such/matchpoint", {"MATCHPOINT": "/no/such/matchpoint"}), ("matchpoint", {}),
                                         ("z3", {"MATCHPOINT": str(Path(MATCHPOINT).resolve())})):
                done = subprocess.run(python, capture_output=True, text=True, timeout=60, env={"PATH": empty, **environment})
                self.assertEqual((done.returncode, done.stdout), (3, ""))
                self.assertEqual(done.stderr, f"cannot run {missing} (No such file or directory): "
                                              "z3 has to be in PATH, and matchpoint, or MATCHPOINT is its path\n")

    def test_is_short(self):
        self.assertLessEqual(len(Path("docs/cegar.py").read_text().splitlines()), 71)


if __name__ == "__main__":
    unittest.main()
