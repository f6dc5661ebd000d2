#!/usr/bin/env python3
"""`matchpoint dap`: a client that speaks the Debug Adapter Protocol, message by message."""

import contextlib
import json
import os
import random
import select
import subprocess
import time
import unittest
from pathlib import Path

from support import DEADLOCK, ERROR, FAILURE, HOLDS, MATCHPOINT, OUTPUT_FAILED, InFolder, program, run

FIGURE1 = str(Path("traces/figure1.ctp").resolve())
LINES = Path(FIGURE1).read_text().splitlines()
MALFORMED, UNKNOWN, ORDER, ARGUMENT, REFUSED, PROGRAM = range(1, 7)

# Each thread receives from the other one before it sends.
CIRCLE = program([("a1", "(rcvi RA 0 x)"), ("a2", "(wait RA)"), ("a3", "(sndi SA 0 1 1)")],
                 [("b1", "(rcvi RB 1 y)"), ("b2", "(wait RB)"), ("b3", "(sndi SB 1 0 2)")])
# The divisor is what the receive gets.
DIVISION = program([("r", "(rcvi R 0 x)"), ("w", "(wait R)"), ("d", "(y := (div 1 x))")],
                   [("s", "(sndi S 1 0 0)")], traces=(["s", "r", ("w", "((0 1) bot)"), "d"],))


def line_of(location):
    """The line and column of a command of Figure 1, from 1."""
    for number, line in enumerate(LINES, 1):
        if f"[{location} " in line:
            return number, line.index(f"[{location} ") + 2
    raise KeyError(location)


class Client:
    """A running `matchpoint dap`."""

    def __init__(self, test, **popen):
        self.test = test
        self.process = subprocess.Popen([MATCHPOINT, "dap"],
                                        **{"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, **popen})
        test.addCleanup(self.end)
        self.buffer = b""
        self.seq = 0
        self.last_seq = 0
        self.events = []  # those that were not looked at yet

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
        body = json.dumps(message).encode()
        self.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def request(self, command, arguments=None):
        self.seq += 1
        message = {"seq": self.seq, "type": "request", "command": command}
        return message if arguments is None else {**message, "arguments": arguments}

    def fill(self):
        deadline = time.monotonic() + 120
        ready, _, _ = select.select([self.process.stdout], [], [], max(0, deadline - time.monotonic()))
        self.test.assertTrue(ready, "no answer")
        data = os.read(self.process.stdout.fileno(), 1 << 16)
        self.buffer += data
        return data

    def receive(self):
        """The next message; its frame is checked byte by byte."""
        while b"\r\n\r\n" not in self.buffer:
            self.test.assertTrue(self.fill(), "the session ended")
        header, rest = self.buffer.split(b"\r\n\r\n", 1)
        self.test.assertRegex(header, rb"\AContent-Length: \d+\Z")
        length = int(header.split(b": ")[1])
        while len(rest) < length:
            self.test.assertTrue(self.fill(), "the session ended")
            rest = self.buffer.split(b"\r\n\r\n", 1)[1]
        self.buffer = rest[length:]
        message = json.loads(rest[:length])
        self.test.assertEqual(message["seq"], self.last_seq + 1)
        self.last_seq = message["seq"]
        return message

    def response(self, request):
        """The response to a request; events before it are kept."""
        while (message := self.receive())["type"] == "event":
            self.events.append(message)
        self.test.assertEqual((message["type"], message["request_seq"], message["command"]),
                              ("response", request["seq"], request["command"]), message)
        return message

    def ask(self, command, /, **arguments):
        request = self.request(command, arguments)
        self.send(request)
        response = self.response(request)
        self.test.assertTrue(response["success"], response)
        return response.get("body")

    def refused(self, error, command, /, saying="", **arguments):
        request = self.request(command, arguments)
        self.send(request)
        response = self.response(request)
        self.test.assertFalse(response["success"], response)
        self.test.assertEqual(response["body"]["error"]["id"], error, response)
        self.test.assertEqual(response["body"]["error"]["variables"]["message"], response["message"])
        self.test.assertIn(saying, response["message"])
        return response["message"]

    def event(self, name):
        """The next event of a name. Output and others before it are dropped, and returned as text in `said`."""
        self.said = ""
        while True:
            message = self.events.pop(0) if self.events else self.receive()
            self.test.assertEqual(message["type"], "event", message)
            if message["event"] == name:
                return message.get("body")
            if message["event"] == "output":
                self.said += message["body"]["output"]
            self.test.assertNotEqual(message["event"], "terminated", f"no event `{name}`")

    def stopped(self, reason):
        body = self.event("stopped")
        self.test.assertEqual(body["reason"], reason, body)
        self.test.assertTrue(body["allThreadsStopped"])
        return body

    def move(self, command, reason="step", thread=None, /, **arguments):
        self.ask(command, threadId=self.id(thread or 0), **arguments)
        return self.stopped(reason)

    @staticmethod
    def id(thread):
        return thread + 1

    def start(self, file=FIGURE1, breakpoints=(), initialize=None, **launch):
        """A session at its first stop; `breakpoints` are those of its file."""
        self.ask("initialize", adapterID="matchpoint", **initialize or {})
        self.ask("launch", program=str(file), **launch)
        self.event("initialized")
        if breakpoints:
            self.answers = self.breakpoints(breakpoints, file)
        self.ask("configurationDone")

    def breakpoints(self, breakpoints, file=FIGURE1):
        return self.ask("setBreakpoints", source={"path": str(file)}, breakpoints=list(breakpoints))["breakpoints"]

    def at(self, thread):
        """The command that a thread is at: its location, and the place of its frame."""
        frames = self.ask("stackTrace", threadId=self.id(thread))["stackFrames"]
        self.test.assertEqual(len(frames), 1)
        return frames[0]

    def location(self, thread):
        return self.at(thread)["name"].split()[0]

    def scope(self, thread, begins):
        scopes = self.ask("scopes", frameId=self.at(thread)["id"])["scopes"]
        return next(s["variablesReference"] for s in scopes if s["name"].startswith(begins))

    def children(self, reference, **more):
        return self.ask("variables", variablesReference=reference, **more)["variables"]

    def values(self, reference):
        return {v["name"]: v["value"] for v in self.children(reference)}

    def local_values(self, thread):
        return self.values(self.scope(thread, "Variables"))

    def evaluate(self, expression, context="watch"):
        return self.ask("evaluate", expression=expression, context=context)["result"]


class Dap(InFolder):
    def client(self, *args, **launch):
        client = Client(self)
        client.start(*args, **launch)
        return client


class Protocol(Dap):
    """Frames, forms of messages, and the order of requests."""

    def is_well(self, client):
        self.assertTrue(client.ask("initialize", adapterID="x")["supportsStepBack"])

    def malformed(self, client, saying, seq=0):
        answer = client.receive()
        self.assertEqual((answer["type"], answer["success"], answer["request_seq"]), ("response", False, seq), answer)
        self.assertEqual(answer["body"]["error"]["id"], MALFORMED)
        self.assertIn(saying, answer["message"])

    def test_frames(self):
        request = {"seq": 1, "type": "request", "command": "nothing"}
        body = json.dumps(request).encode()
        for frame in (b"Content-Length: %d\r\n\r\n%s", b"content-length:%d\n\n%s", b"\r\nContent-Length:  %d \r\n\r\n%s",
                      b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"):
            client = Client(self)
            client.write(frame % (len(body), body))
            self.assertEqual(client.receive()["message"], "there is no request `nothing`")

    def test_byte_by_byte(self):
        client = Client(self)
        body = json.dumps(client.request("initialize", {"adapterID": "\u2295"})).encode()
        for byte in b"Content-Length: %d\r\n\r\n%s" % (len(body), body):
            client.write(bytes([byte]))
        self.assertTrue(client.receive()["success"])

    def test_two_at_once(self):
        client = Client(self)
        bodies = [json.dumps(client.request("nothing")).encode() for _ in range(3)]
        client.write(b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(b), b) for b in bodies))
        self.assertEqual([client.receive()["request_seq"] for _ in bodies], [1, 2, 3])

    def test_bad_frames(self):
        for data, saying in ((b"Content-Length: x\r\n\r\n", "`x` is no Content-Length"),
                             (b"Content-Length: -1\r\n\r\n", "no Content-Length"),
                             (b"Content-Length:\r\n\r\n", "no Content-Length"),
                             (b"Content-Length: 99999999999999999999\r\n\r\n", "no Content-Length"),
                             (b"Content-Type: text\r\n\r\n", "without Content-Length"),
                             (b"Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", "two Content-Lengths"),
                             (b"what is this?\r\n\r\n", "is no header field"),
                             (b"Content-Length: 4\r\n\r\nnull", "without `seq`"),
                             (b"Content-Length: 3\r\n\r\n{]}", "no JSON"),
                             (b"Content-Length: 2\r\n\r\n\xff\xfe", "no JSON"),
                             (b"Content-Length: 200\r\n\r\n" + b"[" * 200, "too deeply")):
            with self.subTest(data=data[:60]):
                client = Client(self)
                client.write(data)
                self.malformed(client, saying)
                if saying == "two Content-Lengths":  # and its content could be read
                    self.malformed(client, "without `seq`")
                self.is_well(client)

    def test_header_that_does_not_end(self):
        client = Client(self)
        client.write(b"x" * 10000)
        client.write(b"Content-Length: 2\r\n\r\n{}")
        while (answer := client.receive())["message"] != "a message without `seq`, a whole number":
            self.assertIn("header", answer["message"])
        self.is_well(client)

    def test_too_long(self):
        """The content is skipped, and what follows is read."""
        client = Client(self)
        length = (1 << 26) + 1
        client.write(b"Content-Length: %d\r\n\r\n" % length)
        self.malformed(client, "the longest has")
        for _ in range(64):
            client.write(b" " * (1 << 20))
        client.write(b" ")
        self.is_well(client)

    def test_bad_messages(self):
        for message, saying, seq in (({}, "`seq`", 0), ([], "`seq`", 0), ({"seq": "1"}, "`seq`", 0),
                                     ({"seq": 1.5, "type": "request", "command": "threads"}, "`seq`", 0),
                                     ({"seq": 7, "type": "request"}, "`command`", 7),
                                     ({"seq": 7, "type": "request", "command": 3}, "`command`", 7),
                                     ({"seq": 7, "type": "event", "command": "x"}, "no request", 7),
                                     ({"seq": 7, "command": "threads"}, "no request", 7),
                                     ({"seq": 7, "type": "request", "command": "threads", "arguments": [1]},
                                      "`arguments` has to be an object", 7)):
            with self.subTest(message=message):
                client = Client(self)
                client.send(message)
                self.malformed(client, saying, seq)
                self.is_well(client)

    def test_a_response_is_ignored(self):
        client = Client(self)
        client.send({"seq": 1, "type": "response", "request_seq": 1, "command": "runInTerminal", "success": True})
        self.is_well(client)

    def test_unknown_request(self):
        client = Client(self)
        client.refused(UNKNOWN, "stackTracce", saying="did you mean `stackTrace`")
        client.refused(UNKNOWN, "setExpression")
        self.is_well(client)

    def test_order(self):
        client = Client(self)
        for command in ("launch", "threads", "setBreakpoints", "continue", "evaluate", "terminate"):
            client.refused(ORDER, command, saying="first comes `initialize`")
        client.ask("initialize", adapterID="x")
        client.refused(ORDER, "initialize")
        client.refused(ORDER, "configurationDone", saying="first comes `launch`")
        client.refused(REFUSED, "attach", saying="launch")
        client.ask("launch", program=FIGURE1)
        client.event("initialized")
        client.refused(ORDER, "launch", program=FIGURE1, saying="has been done")
        client.refused(ORDER, "next", threadId=1, saying="first comes `configurationDone`")
        client.ask("configurationDone")
        client.stopped("entry")
        client.refused(ORDER, "configurationDone", saying="has been done")
        client.ask("terminate")
        client.event("terminated")
        client.refused(ORDER, "next", threadId=1, saying="has ended")
        client.ask("disconnect")

    def test_arguments(self):
        client = self.client()
        client.stopped("entry")
        client.refused(ARGUMENT, "next", saying="`threadId` is missing")
        for wrong in (0, 4, 10**6):
            client.refused(ARGUMENT, "stackTrace", threadId=wrong, saying="there is no thread")
        for wrong in (-1, 1.5, "1", [], 1 << 60):
            client.refused(ARGUMENT, "stackTrace", threadId=wrong, saying="a whole number")
        client.refused(ARGUMENT, "scopes", frameId=9)
        client.refused(ARGUMENT, "variables", variablesReference=999)
        client.refused(ARGUMENT, "setBreakpoints", saying="`source` is missing")
        client.refused(ARGUMENT, "setBreakpoints", source={"path": FIGURE1}, breakpoints=[3])
        client.refused(ARGUMENT, "setBreakpoints", source={"path": FIGURE1}, breakpoints=[{"line": "x"}])
        client.refused(ARGUMENT, "setExceptionBreakpoints", filters=["nothing"], saying="none of failure")
        client.refused(ARGUMENT, "evaluate", saying="`expression` is missing")
        client.refused(ARGUMENT, "stepIn", threadId=1, targetId=5)
        client.refused(ORDER, "exceptionInfo", threadId=1)

    def test_end_of_input(self):
        for data in (b"", b"Content-Length: 100\r\n\r\n{"):
            result = run("dap", stdin=data)
            self.assertEqual(result.code, HOLDS)
            self.assertEqual(b"the input ended inside a message" in result.out, data != b"")

    def test_closed_input(self):
        self.assertEqual(run("dap", preexec_fn=lambda: os.close(0)).code, HOLDS)

    def test_closed_output(self):
        body = b'{"seq": 1, "type": "request", "command": "initialize"}'
        result = run("dap", stdin=b"Content-Length: %d\r\n\r\n%s" % (len(body), body), stdout=None,
                     preexec_fn=lambda: os.close(1))
        self.assertEqual(result.code, OUTPUT_FAILED)

    def test_disconnect_ends_it(self):
        client = self.client()
        client.stopped("entry")
        client.ask("disconnect")
        self.assertEqual(client.process.wait(timeout=60), HOLDS)

    def test_capabilities(self):
        client = Client(self)
        capabilities = client.ask("initialize", adapterID="x")
        self.assertEqual([f["filter"] for f in capabilities["exceptionBreakpointFilters"]],
                         ["failure", "infeasible", "fault", "deadlock"])

    def test_counting_from_0(self):
        client = self.client(initialize={"linesStartAt1": False, "columnsStartAt1": False})
        client.stopped("entry")
        line, column = line_of("24")
        frame = client.at(2)
        self.assertEqual((frame["line"], frame["column"]), (line - 1, column - 1))
        [answer] = client.breakpoints([{"line": line_of("06")[0] - 1}])
        self.assertEqual((answer["line"], answer["column"]), (line_of("05")[0] - 1, line_of("05")[1] - 1))


class Launch(Dap):
    def refused(self, error, saying, **launch):
        client = Client(self)
        client.ask("initialize", adapterID="x")
        client.refused(error, "launch", saying=saying, **launch)
        client.ask("launch", program=FIGURE1)  # it can be tried again

    def test_refused(self):
        broken = str(self.write("(((("))
        without_trace = str(self.write(CIRCLE, "circle.ctp"))
        safe = str(Path("traces/rule_assign.ctp").resolve())
        self.refused(ARGUMENT, "`program` is missing")
        self.refused(ARGUMENT, "`program` has to be a string", program=3)
        self.refused(PROGRAM, "No such file", program="/nowhere.ctp")
        self.refused(PROGRAM, "error[syntax]", program=broken)
        self.refused(PROGRAM, "there is no trace 4", program=FIGURE1, trace=4)
        self.refused(PROGRAM, "the file has no trace", program=without_trace, schedule="trace")
        self.refused(ARGUMENT, "counts from 1", program=FIGURE1, trace=0)
        self.refused(ARGUMENT, "`schedule`", program=FIGURE1, schedule="any")
        self.refused(ARGUMENT, "`buffering`", program=FIGURE1, buffering="some")
        self.refused(ARGUMENT, "`trace` goes with", program=FIGURE1, schedule="choose", trace=1)
        self.refused(ARGUMENT, "`stopOnEntry`", program=FIGURE1, stopOnEntry="yes")
        self.refused(PROGRAM, "search for a failure", program=safe, schedule="first-failure")

    def test_zero_buffering(self):
        client = self.client(buffering="zero", stopOnEntry=False)
        body = client.stopped("exception")
        self.assertIn("with zero buffering the wait for S4 needs it to be taken", body["text"])

    def test_trace_number(self):
        client = self.client(trace=3)
        client.stopped("entry")
        self.assertEqual(client.evaluate("info status", "repl"), "s = success")
        self.assertIn("trace 3 of the file", client.values(client.scope(0, "Status")).values())

    def test_no_debug(self):
        client = self.client(trace=2, noDebug=True, breakpoints=[{"line": line_of("02")[0]}])
        self.assertEqual(client.event("exited")["exitCode"], FAILURE)
        self.assertIn("the run is complete: failure", client.said)
        client.event("terminated")

    def test_warnings_are_shown(self):
        shared = str(Path("traces/variables_shared_between_threads.ctp").resolve())
        client = Client(self)
        client.ask("initialize", adapterID="x")
        client.ask("launch", program=shared)
        client.event("initialized")
        self.assertIn("D4", client.said)

    def test_first_failure(self):
        client = self.client(schedule="first-failure", stopOnEntry=False)
        body = client.stopped("exception")
        self.assertEqual(body["text"].split(",")[0], "assertion at 09")
        self.assertEqual(client.evaluate("a"), "1")

    def test_first_deadlock(self):
        some = str(Path("traces/deadlock_of_some_executions.ctp").resolve())
        client = self.client(some, schedule="first-deadlock", buffering="zero", stopOnEntry=False)
        body = client.stopped("exception")
        self.assertIn("deadlock", body["description"])

    def test_search_ends_with_the_session(self):
        """A search that takes long does not hold back the end."""
        receives = [(f"r{i}", f"(rcvi R{i} 0 x{i})") for i in range(12)]
        waits = [(f"w{i}", f"(wait R{i})") for i in range(12)]
        total = "0"
        for i in range(12):
            total = f"(+ (* x{i} x{i}) {total})"
        file = self.write(program([*receives, *waits, ("a", f"(assert (!= {total} 1000003))")],
                                  *([(f"s{i}", f"(sndi S{i} {i + 1} 0 {i * i * i + 1})")] for i in range(12))))
        client = Client(self)
        client.ask("initialize", adapterID="x")
        client.send(client.request("launch", {"program": str(file), "schedule": "first-failure", "timeout": 3600}))
        client.send(client.request("disconnect"))
        self.assertEqual(client.process.wait(timeout=100), HOLDS)


class Figure1(Dap):
    """A whole session along a trace, and back."""

    def test_session(self):
        client = self.client(trace=2, breakpoints=[{"line": line_of("04")[0], "column": line_of("04")[1]}])
        [answer] = client.answers
        line, column = line_of("04")
        self.assertTrue(answer["verified"])
        self.assertEqual((answer["line"], answer["column"], answer["source"]["path"]), (line, column, FIGURE1))
        self.assertEqual(client.stopped("entry")["threadId"], client.id(2))
        self.assertEqual([t["name"] for t in client.ask("threads")["threads"]], ["thread 0", "thread 1", "thread 2"])
        self.assertEqual([client.at(t)["name"] for t in range(3)],
                         ["02 (rcvi R2 0 A)", "13 (rcvi R3 1 C)", "24 (sndi S4 2 0 4)"])

        body = client.move("continue", "breakpoint")
        self.assertEqual((body["hitBreakpointIds"], body["threadId"]), ([answer["id"]], client.id(0)))
        frame = client.at(0)
        self.assertEqual((frame["line"], frame["column"], frame["source"]["path"]), (line, column, FIGURE1))
        self.assertEqual(LINES[frame["endLine"] - 1][frame["column"] - 1:frame["endColumn"] - 1], "04 (a := A)]")
        self.assertEqual(client.local_values(0), {"A": "1", "a": "no value", "B": "no value", "b": "no value"})
        self.assertEqual(client.values(client.scope(0, "Queues")),
                         {"Pnd_s(0)(1)": "()", "Pnd_s(0)(2)": "([S4 4])", "Pnd_s(1)(2)": "()", "Pnd_r(0)": "()",
                          "Q_s(0)": "()", "Pnd_r(1)": "()", "Q_s(1)": "()"})
        queue = next(v for v in client.children(client.scope(0, "Queues")) if v["name"] == "Pnd_s(0)(2)")
        self.assertEqual(client.values(queue["variablesReference"]), {"[0]": "S4 = 4"})
        self.assertEqual(client.evaluate(queue["evaluateName"]), "Pnd_s(0)(2) = ([S4 4])")
        self.assertEqual(client.values(client.scope(0, "Requests")), {"A(S4)": "2"})
        self.assertEqual(client.values(client.scope(0, "Changed"))["A"], "nothing -> 1")

        # Thread 0's next step: nobody else comes in between.
        self.assertEqual(client.move("next", "step", 0)["threadId"], client.id(0))
        self.assertIn("ASSIGN COMMAND", client.said)
        self.assertEqual((client.location(0), client.local_values(0)["a"]), ("05", "1"))
        client.move("stepBack", "step", 0)
        self.assertEqual((client.location(0), client.local_values(0)["a"]), ("04", "no value"))

        # Rule by rule.
        client.move("stepIn", "step", 0)
        self.assertEqual(client.at(0)["name"], "04 (a := A), 1 rule done")
        client.move("next", "step", 0, granularity="instruction")
        self.assertIn("2 rules", client.at(0)["name"])
        client.move("stepBack", "step", 0, granularity="instruction")
        self.assertIn("1 rule done", client.at(0)["name"])
        client.move("stepOut", "step", 0)
        self.assertEqual((client.location(0), client.evaluate("(+ a 41)")), ("05", "42"))

        # To the failure.
        body = client.move("continue", "exception")
        self.assertEqual(body["threadId"], client.id(0))
        sentence = "assertion at 09, entry 15, does not hold: (assert (= a 4)) with a = 1"
        self.assertEqual(body["text"], sentence)
        info = client.ask("exceptionInfo", threadId=body["threadId"])
        self.assertEqual((info["exceptionId"], info["details"]["message"]), ("failure", sentence))
        self.assertEqual(client.values(client.scope(0, "Status"))["s"], "failure")
        self.assertEqual(client.at(0)["name"], "finished")

        # Back: past the breakpoint, to the beginning; and forth again.
        body = client.move("reverseContinue", "breakpoint")
        self.assertEqual((client.location(0), client.evaluate("a")), ("04", "no value: a has no value"))
        client.move("reverseContinue", "entry")
        self.assertEqual(client.location(2), "24")
        client.refused(REFUSED, "stepBack", threadId=1, saying="this is the beginning")
        client.breakpoints([])
        client.move("continue", "exception")

        # At the end a move ends the session.
        client.ask("continue", threadId=1)
        self.assertEqual(client.event("exited")["exitCode"], FAILURE)
        client.event("terminated")
        client.ask("disconnect")
        self.assertEqual(client.process.wait(timeout=60), HOLDS)

    def test_next_lets_others_run(self):
        """Trace 1: 24 25 02 03 ...: the next step of thread 1 is 13, after ten others."""
        client = self.client()
        client.stopped("entry")
        client.move("next", "step", 1)
        self.assertEqual([client.location(t) for t in range(3)], ["05", "14", "finished"])
        client.move("stepBack", "step", 1)
        self.assertEqual(client.location(1), "13")
        client.move("stepBack", "step", 2)
        self.assertEqual([client.location(t) for t in range(3)], ["04", "13", "27"])

    def test_next_of_a_finished_thread(self):
        client = self.client(breakpoints=[{"line": line_of("13")[0]}], stopOnEntry=False)
        client.stopped("breakpoint")
        self.assertEqual(client.location(2), "finished")
        body = client.move("next", "step", 2)  # one step of the trace
        self.assertEqual((client.location(1), body["threadId"]), ("14", client.id(1)))

    def test_step_out_is_an_entry(self):
        client = self.client()
        client.stopped("entry")
        for focus, locations in ((2, ["02", "13", "25"]), (0, ["02", "13", "26"]), (0, ["03", "13", "26"])):
            self.assertEqual(client.move("stepOut")["threadId"], client.id(focus))
            self.assertEqual([client.location(t) for t in range(3)], locations)

    def test_success_ends(self):
        client = self.client()
        client.stopped("entry")
        body = client.move("continue", "end")
        self.assertEqual(body["description"], "the run is complete: success (well-formed)")
        client.move("stepBack")
        client.move("next", "end")
        client.ask("next", threadId=1)
        self.assertEqual(client.event("exited")["exitCode"], HOLDS)

    def test_no_stop_at_end(self):
        client = self.client(stopAtEnd=False)
        client.stopped("entry")
        client.ask("continue", threadId=1)
        self.assertEqual(client.event("exited")["exitCode"], HOLDS)
        client.event("terminated")

    def test_restart(self):
        text = Path(FIGURE1).read_text()
        file = self.write(text)
        line = line_of("04")[0]
        client = self.client(file, trace=2, breakpoints=[{"line": line_of("08")[0]}])
        client.stopped("entry")
        client.move("continue", "breakpoint")
        self.write("\n" + text.replace("(a := A)", "(a := (+ A 3))"))
        client.ask("restart")
        changed = client.event("breakpoint")["breakpoint"]
        self.assertEqual((changed["id"], changed["line"]), (client.answers[0]["id"], line_of("08")[0]))
        client.stopped("entry")
        self.assertEqual(client.at(0)["line"], line + 1)
        client.breakpoints([], file)
        self.assertEqual(client.move("continue", "end")["description"], "the run is complete: success (well-formed)")

    def test_restart_with_other_arguments(self):
        client = self.client()
        client.stopped("entry")
        client.ask("restart", arguments={"program": FIGURE1, "trace": 2, "stopOnEntry": False})
        client.stopped("exception")
        client.refused(PROGRAM, "restart", arguments={"program": "/nowhere.ctp"}, saying="No such file")
        self.assertEqual(client.evaluate("a"), "1")  # what was there stays

    def test_sources(self):
        client = self.client()
        client.stopped("entry")
        self.assertEqual(client.ask("loadedSources")["sources"], [{"name": "figure1.ctp", "path": FIGURE1}])
        self.assertEqual(client.ask("source", sourceReference=0, source={"path": FIGURE1})["content"],
                         Path(FIGURE1).read_text())

    def test_goto(self):
        """To a step of the plan that runs the command of a line, either way."""
        client = self.client(trace=2)
        client.stopped("entry")
        line, column = line_of("06")
        [target] = client.ask("gotoTargets", source={"path": FIGURE1}, line=line, column=column)["targets"]
        self.assertEqual((target["label"], target["line"], target["column"]), ("step 12, before 06", line, column))
        self.assertEqual(client.move("goto", "goto", targetId=target["id"])["threadId"], client.id(0))
        self.assertEqual((client.location(0), client.evaluate("a")), ("06", "1"))
        [target] = client.ask("gotoTargets", source={"path": FIGURE1}, line=line_of("24")[0])["targets"]
        client.move("goto", "goto", targetId=target["id"])
        self.assertEqual(client.location(2), "24")
        self.assertEqual(client.ask("gotoTargets", source={"path": FIGURE1}, line=10**6)["targets"], [])
        client.refused(ARGUMENT, "goto", threadId=1, targetId=99, saying="there is no target 99")

    def test_pause(self):
        """A request to pause that comes while nothing moves tells where the run is."""
        client = self.client()
        client.stopped("entry")
        client.move("pause", "pause")


class Breakpoints(Dap):
    def test_places(self):
        """The first command of each thread on the line; a line without a command stands for the next one with one."""
        client = self.client()
        line, column = line_of("02")
        answers = client.breakpoints([{"line": 1}, {"line": line}, {"line": line, "column": line_of("03")[1]},
                                      {"line": line_of("15")[0]}, {"line": len(LINES)}, {"line": 10**6}])
        self.assertEqual([(a["verified"], a.get("line"), a.get("column")) for a in answers],
                         [(True, line, column), (True, line, column), (True, *line_of("03")), (True, *line_of("15")),
                          (False, len(LINES), None), (False, 10**6, None)])
        self.assertEqual(len({a["id"] for a in answers}), len(answers))
        self.assertIn("no command follows", answers[4]["message"])

    def test_locations_of_a_line(self):
        client = self.client()
        line = line_of("02")[0]
        places = client.ask("breakpointLocations", source={"path": FIGURE1}, line=line)["breakpoints"]
        self.assertEqual([p["column"] for p in places], [line_of(rho)[1] for rho in ("02", "03", "04")])

    def test_columns_are_utf16(self):
        file = self.write("(([\U0001F600 (x := 1)] [b (y := 2)] bot)) ((\U0001F600 bot) (b bot))")
        client = self.client(file)
        client.stopped("entry")
        client.move("stepOut")
        self.assertEqual(client.at(0)["column"], len("(([xx (x := 1)] [b"))
        [answer] = client.breakpoints([{"line": 1, "column": len("(([xx (x := 1)] [b")}], file)
        self.assertEqual(answer["column"], len("(([xx (x := 1)] [b"))

    def test_other_file(self):
        client = self.client()
        [answer] = client.breakpoints([{"line": 1}], "traces/figure11.ctp")
        self.assertFalse(answer["verified"])

    def test_condition(self):
        where = {"line": line_of("08")[0]}
        for condition, stops in (("(= a 1)", True), ("(= a 4)", False), ("(= C 7)", True)):
            client = self.client(trace=2, stopOnEntry=False, breakpoints=[{**where, "condition": condition}])
            self.assertTrue(client.answers[0]["verified"])
            client.stopped("breakpoint" if stops else "exception")

    def test_bad_condition(self):
        client = self.client()
        answers = client.breakpoints([{"line": 1, "condition": "(= a"}, {"line": 1, "condition": "(= nothing 1)"},
                                      {"line": 1, "hitCondition": "often"}, {"line": 1, "logMessage": "a {a"},
                                      {"line": 1, "hitCondition": "% 0"}])
        self.assertEqual([a["verified"] for a in answers], [False] * 5)
        self.assertIn("there is no variable `nothing`", answers[1]["message"])

    def test_hits(self):
        """The name `thread 0` is met eight times in trace 1."""
        for hits, locations in (("3", ["04"]), (">= 7", ["08", "09"]), ("% 4", ["05", "09"]), ("> 7", ["09"]),
                                ("< 2", ["02"]), ("<= 2", ["02", "03"])):
            client = self.client()
            client.stopped("entry")
            [answer] = client.ask("setFunctionBreakpoints",
                                  breakpoints=[{"name": "thread 0", "hitCondition": hits}])["breakpoints"]
            self.assertTrue(answer["verified"])
            for location in locations:
                client.move("continue", "function breakpoint")
                self.assertEqual(client.location(0), location, hits)
            client.move("continue", "end")

    def test_names(self):
        client = self.client()
        client.stopped("entry")
        answers = client.ask("setFunctionBreakpoints",
                             breakpoints=[{"name": "27"}, {"name": "thread 9"}, {"name": "nowhere"}])["breakpoints"]
        self.assertEqual([a["verified"] for a in answers], [True, False, False])
        self.assertEqual(client.move("continue", "function breakpoint")["hitBreakpointIds"], [answers[0]["id"]])
        self.assertEqual(client.location(2), "27")

    def test_log(self):
        client = self.client(trace=2, breakpoints=[{"line": line_of("08")[0], "logMessage": "a is {a}, b is {(+ b 0)}"}])
        client.stopped("entry")
        client.ask("continue", threadId=1)
        output = client.event("output")
        self.assertEqual((output["output"], output["line"]), ("a is 1, b is 4\n", line_of("08")[0]))
        client.stopped("exception")

    def test_data(self):
        client = self.client()
        client.stopped("entry")
        reference = client.scope(0, "Variables")
        info = client.ask("dataBreakpointInfo", variablesReference=reference, name="A")
        self.assertEqual(info["dataId"], "A")
        queue = client.ask("dataBreakpointInfo", variablesReference=client.scope(0, "Queues"), name="Pnd_s(1)(2)")
        self.assertIsNone(client.ask("dataBreakpointInfo", name="nothing")["dataId"])
        answers = client.ask("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"]}, {"dataId": queue["dataId"]},
                                                               {"dataId": "nothing"}])["breakpoints"]
        self.assertEqual([a["verified"] for a in answers], [True, True, False])
        body = client.move("continue", "data breakpoint")
        self.assertEqual((body["text"], body["hitBreakpointIds"]),
                         ("A was no value: A has no value, is 4", [answers[0]["id"]]))
        body = client.move("continue", "data breakpoint")
        self.assertIn("Pnd_s(1)(2) = ([S6 7])", body["text"])
        body = client.move("reverseContinue", "data breakpoint")
        self.assertIn("is Pnd_s(1)(2) = ()", body["text"])

    def test_exceptions_off(self):
        client = Client(self)
        client.ask("initialize", adapterID="x")
        client.ask("launch", program=FIGURE1, trace=2)
        client.event("initialized")
        client.ask("setExceptionBreakpoints", filters=["deadlock"])
        client.ask("configurationDone")
        client.stopped("entry")
        self.assertIn("failure", client.move("continue", "end")["description"])

    def test_assumption(self):
        client = Client(self)
        client.ask("initialize", adapterID="x")
        client.ask("launch", program=str(Path("traces/status_infeasible_keeps_running.ctp").resolve()))
        client.event("initialized")
        client.ask("setExceptionBreakpoints", filters=[], filterOptions=[{"filterId": "infeasible"}])
        client.ask("configurationDone")
        client.stopped("entry")
        self.assertIn("assumption at", client.move("continue", "exception")["text"])


class Choose(Dap):
    """The client chooses what comes next."""

    def test_session(self):
        client = self.client(schedule="choose")
        client.stopped("entry")
        self.assertEqual(client.move("next", "step", 2)["threadId"], client.id(2))  # 24
        client.move("next", "step", 0)  # 02
        self.assertEqual([client.location(t) for t in range(3)], ["03", "13", "25"])
        # Thread 0 waits for a message that has to be delivered first.
        client.refused(REFUSED, "next", threadId=client.id(0), saying="R2")
        targets = client.ask("stepInTargets", frameId=client.id(0))["targets"]
        self.assertEqual([t["label"] for t in targets],
                         ["thread 1: 13 (rcvi R3 1 C)", "thread 2: 25 (wait S4)", "deliver (0 2): S4 = 4"])
        self.assertEqual((targets[1]["line"], targets[1]["column"]), line_of("25"))
        client.move("stepIn", "step", 0, targetId=targets[2]["id"])
        self.assertIn("PROCESS QUEUE MOVEMENT", client.said)
        client.move("next", "step", 0)
        self.assertEqual(client.local_values(0)["A"], "4")
        # Rule by rule, back, and another way.
        client.move("stepIn", "step", 0)
        self.assertIn("1 rule done", client.at(0)["name"])
        client.move("next", "step", 0)
        self.assertEqual(client.evaluate("a"), "4")
        client.move("stepBack")
        self.assertEqual(client.location(0), "04")
        client.move("next", "step", 1)
        self.assertEqual([client.location(t) for t in range(3)], ["04", "14", "25"])
        # The thread as far as it goes; then the rest.
        client.move("stepOut", "step", 2)
        self.assertEqual(client.at(2)["name"], "finished")
        client.refused(REFUSED, "next", threadId=client.id(2), saying="thread 2 is finished")
        client.move("continue", "end")
        self.assertEqual(client.evaluate("(and (= a 4) (= b 1))"), "true")

    def test_console(self):
        client = self.client(schedule="choose")
        client.stopped("entry")
        self.assertEqual(client.evaluate("choices", "repl"),
                         "  1  thread 0: 02 (rcvi R2 0 A)\n  2  thread 1: 13 (rcvi R3 1 C)\n  3  thread 2: 24 (sndi S4 2 0 4)")
        client.evaluate("choose 3", "repl")
        client.event("continued")
        client.stopped("step")
        self.assertEqual(client.location(2), "25")
        client.evaluate("thread 0", "repl")
        client.stopped("step")
        self.assertIn("PROCESS QUEUE MOVEMENT", client.evaluate("deliver 0 2", "repl"))
        client.stopped("step")
        self.assertEqual(client.evaluate("Q_s(0)", "repl"), "Q_s(0) = ([S4 4])")
        client.evaluate("undo", "repl")
        client.stopped("step")
        self.assertEqual(client.evaluate("Q_s(0)", "repl"), "Q_s(0) = ()")
        client.refused(REFUSED, "evaluate", expression="choose 99", context="repl", saying="there is no choice 99")
        client.refused(REFUSED, "evaluate", expression="frobnicate", context="repl", saying="no command")
        client.refused(REFUSED, "evaluate", expression="break 06", context="repl", saying="in the editor")
        client.refused(REFUSED, "evaluate", expression="c", context="repl", saying="button")
        client.refused(REFUSED, "evaluate", expression="quit", context="repl", saying="Stop")

    def test_console_finds_a_failure(self):
        """`search` plans a way, which is followed from then on."""
        client = self.client(schedule="choose")
        client.stopped("entry")
        self.assertIn("planned", client.evaluate("search failure", "repl"))
        client.stopped("step")
        client.move("continue", "exception")
        self.assertEqual(client.evaluate("a"), "1")

    def test_console_meets_a_failure(self):
        client = self.client(trace=2)
        client.stopped("entry")
        client.evaluate("jump 15", "repl")
        client.stopped("step")
        client.evaluate("step", "repl")
        self.assertIn("assertion at 09, entry 15", client.stopped("exception")["text"])

    def test_leaving_the_trace(self):
        """A choice beside the trace: from then on the client chooses."""
        client = self.client()
        client.stopped("entry")
        [first, *_] = client.ask("stepInTargets", frameId=1)["targets"]
        client.move("stepIn", "step", 0, targetId=first["id"])
        self.assertEqual([client.location(t) for t in range(3)], ["03", "13", "24"])
        self.assertEqual(client.values(client.scope(0, "Status"))["schedule"], "by choice")
        client.move("next", "step", 1)
        self.assertEqual([client.location(t) for t in range(3)], ["03", "14", "24"])

    def test_choices_are_shown(self):
        client = self.client(schedule="choose")
        client.stopped("entry")
        self.assertEqual(client.values(client.scope(0, "What can")),
                         {"1": "thread 0: 02 (rcvi R2 0 A)", "2": "thread 1: 13 (rcvi R3 1 C)",
                          "3": "thread 2: 24 (sndi S4 2 0 4)"})

    def test_seed(self):
        ends = set()
        for seed in range(8):
            client = self.client(schedule="choose", seed=seed, stopOnEntry=False)
            body = client.event("stopped")
            ends.add(body["reason"])
            client.end()
        self.assertEqual(ends, {"end", "exception"})

    def test_breakpoint(self):
        client = self.client(schedule="choose", stopOnEntry=False, breakpoints=[{"line": line_of("05")[0]}])
        client.stopped("breakpoint")
        self.assertEqual(client.location(0), "05")
        client.move("continue", "end")


class Stuck(Dap):
    def test_deadlock(self):
        client = self.client(self.write(CIRCLE), stopOnEntry=False)
        body = client.stopped("exception")
        self.assertEqual(body["description"], "nothing can come next: a deadlock")
        for thread, (location, receive) in enumerate((("a2", "RA"), ("b2", "RB"))):
            self.assertRegex(body["text"], rf"thread {thread}: at {location} \(wait {receive}\)\s+{receive} waits for")
        info = client.ask("exceptionInfo", threadId=body["threadId"])
        self.assertEqual(info["exceptionId"], "deadlock")
        self.assertIn("RB", info["description"])
        client.move("stepBack")
        client.move("next", "exception", 1)
        client.ask("next", threadId=1)
        self.assertEqual(client.event("exited")["exitCode"], DEADLOCK)

    def test_fault_along_a_trace(self):
        client = self.client(self.write(DIVISION), stopOnEntry=False)
        body = client.stopped("exception")
        self.assertIn("rule BINARY OPERATION", body["text"])
        self.assertIn("thread 0", body["text"])
        self.assertEqual(client.ask("exceptionInfo", threadId=body["threadId"])["exceptionId"], "fault")
        self.assertEqual(client.location(0), "d")
        client.move("stepBack")
        client.move("next", "exception", 0)
        client.ask("continue", threadId=1)
        self.assertEqual(client.event("exited")["exitCode"], ERROR)

    def test_fault_by_choice(self):
        client = self.client(self.write(DIVISION), schedule="choose", stopOnEntry=False)
        body = client.stopped("exception")
        self.assertEqual(body["description"], "nothing can come next: a fault")
        self.assertEqual(client.ask("exceptionInfo", threadId=body["threadId"])["exceptionId"], "fault")

    def test_trace_used_up(self):
        client = self.client(self.write("(([a (x := 1)] [b (x := 2)] bot)) ((a bot))"), stopOnEntry=False)
        body = client.stopped("exception")
        self.assertIn("1 command", body["text"])

    def test_empty_program(self):
        client = self.client(self.write("()"))
        self.assertEqual(client.event("exited")["exitCode"], HOLDS)
        client.event("terminated")

    def test_empty_thread(self):
        client = self.client(self.write("((bot) ([a (x := 1)] bot)) ((a bot))"))
        self.assertEqual(client.stopped("entry")["threadId"], 2)
        self.assertEqual(client.at(0)["name"], "finished")
        client.move("next", "end", 1)

    def test_limit(self):
        """A number that is too large stops the run; the state stays."""
        power = [("a", "(x := 2)"), *((f"p{i}", "(x := (* x x))") for i in range(30))]
        trace = [rho for rho, _ in power]
        client = self.client(self.write(program(power, traces=(trace,))))
        client.stopped("entry")
        body = client.move("continue", "exception")
        self.assertEqual(client.ask("exceptionInfo", threadId=1)["exceptionId"], "limit")
        client.move("stepBack")


class Looking(Dap):
    def test_set_variable(self):
        client = self.client(trace=2)
        client.stopped("entry")
        client.evaluate("jump 15", "repl")
        client.stopped("step")
        reference = client.scope(0, "Variables")
        self.assertEqual(client.ask("setVariable", variablesReference=reference, name="a", value="(+ 2 2)"), {"value": "4"})
        client.stopped("step")
        self.assertEqual(client.local_values(0)["a"], "4")
        client.refused(REFUSED, "setVariable", variablesReference=1, name="R2", value="1", saying="no variable")
        client.move("next", "end", 0)
        client.move("reverseContinue", "entry")

    def test_hover(self):
        client = self.client(trace=1)
        client.stopped("entry")
        self.assertEqual(client.evaluate("R2", "hover"), "(rcvi R2 0 A): not issued yet")
        client.evaluate("jump 4", "repl")
        client.stopped("step")
        self.assertEqual(client.evaluate("R2", "hover"), "(rcvi R2 0 A): got S4")
        self.assertEqual(client.evaluate("S4", "hover"), "(sndi S4 2 0 4): went to R2")
        self.assertEqual(client.evaluate("A", "hover"), "4")
        self.assertEqual(client.evaluate("06", "hover"), "thread 0: (wait R5)")
        client.refused(REFUSED, "evaluate", expression="rcvi", context="hover")
        client.refused(REFUSED, "evaluate", expression="(+ A", context="watch")

    def test_threads_of_the_status(self):
        client = self.client(schedule="choose")
        client.stopped("entry")
        client.move("next", "step", 0)
        status = client.children(client.scope(0, "Status"))
        threads = next(v for v in status if v["name"] == "threads")
        self.assertRegex(client.values(threads["variablesReference"])["thread 0"], r"at 03 \(wait R2\): .*R2")

    def test_pages_of_variables(self):
        client = self.client()
        client.stopped("entry")
        names = [v["name"] for v in client.children(client.scope(0, "Variables"))]
        page = client.children(client.scope(0, "Variables"), start=1, count=2)
        self.assertEqual([v["name"] for v in page], names[1:3])

    def test_references_end_with_a_move(self):
        client = self.client()
        client.stopped("entry")
        reference = client.scope(0, "Variables")
        client.move("next", "step", 2)
        client.refused(ARGUMENT, "variables", variablesReference=reference)

    def test_cancel(self):
        """Whatever it is about, it is answered; the session goes on."""
        client = self.client()
        client.stopped("entry")
        client.ask("cancel", requestId=1)
        self.assertEqual(client.evaluate("7"), "7")

    def test_completions(self):
        client = self.client()
        client.stopped("entry")
        targets = client.ask("completions", text="deliver 0", column=9)["targets"]
        self.assertEqual([(t["label"], t["start"], t["length"]) for t in targets],
                         [("0", 9, 0), ("1", 9, 0), ("2", 9, 0)])
        targets = client.ask("completions", text="choi", column=5)["targets"]
        self.assertEqual([t["label"] for t in targets], ["choices"])


class Hostile(Dap):
    COMMANDS = ["setBreakpoints", "setFunctionBreakpoints", "setDataBreakpoints", "setExceptionBreakpoints",
                "breakpointLocations", "dataBreakpointInfo", "threads", "stackTrace", "scopes", "variables", "evaluate",
                "completions", "loadedSources", "source", "continue", "next", "stepIn", "stepInTargets", "stepOut",
                "stepBack", "reverseContinue", "gotoTargets", "goto", "pause", "exceptionInfo", "restart", "cancel"]
    KEYS = ["threadId", "frameId", "variablesReference", "expression", "context", "text", "column", "line", "endLine", "name",
            "source", "breakpoints", "filters", "filterOptions", "targetId", "granularity", "start", "count", "startFrame",
            "arguments", "requestId"]
    VALUES = [None, True, -1, 0, 1, 2, 3, 7, 1 << 31, 1 << 53, 1 << 70, 1.5, "", "a", "hover", "instruction", "(= a 1)",
              "choose 1", "deliver 0 2", "jump 5", "undo", "info state", "thread 1", "\x00\U0001F600", [], [None], [[]],
              ["failure"], {}, {"path": FIGURE1}, {"program": FIGURE1, "schedule": "choose"},
              [{"line": 14, "column": 3, "condition": "(> b 0)", "hitCondition": "2", "logMessage": "{a}"}],
              [{"line": 1 << 40}, {"name": "06"}, {"dataId": "Q_s(0)"}], [{"name": "thread 1"}], [{"dataId": "A"}]]

    def test_random_requests(self):
        """Every request gets one response, whatever it is, and the session goes on."""
        for seed in range(20):
            numbers = random.Random(seed)
            client = self.client(trace=numbers.choice([1, 2, 3]), buffering=numbers.choice(["infinite", "zero"]))
            for _ in range(60):
                keys = numbers.sample(self.KEYS, numbers.randrange(6))
                arguments = {key: numbers.choice(self.VALUES) for key in keys}
                if numbers.random() < 0.7:
                    arguments |= {"threadId": numbers.randrange(1, 4), "frameId": 1}
                request = client.request(numbers.choice(self.COMMANDS), arguments)
                client.send(request)
                response = client.response(request)
                if not response["success"]:
                    self.assertNotIn(response["body"]["error"]["id"], (MALFORMED, UNKNOWN, 8), (request, response))
                # What happens behind the response has happened before the next one.
                if any(e["event"] == "terminated" for e in client.events):
                    client.ask("restart", arguments={"program": FIGURE1, "trace": 2})
                client.events.clear()
            client.ask("disconnect")
            self.assertEqual(client.process.wait(timeout=60), HOLDS)

    def test_random_bytes(self):
        for seed in range(30):
            numbers = random.Random(seed)
            pieces = [b"Content-Length: ", b"%d" % numbers.randrange(40), b"\r\n", b"\r\n\r\n", b"{", b"}", b"\n",
                      b'{"seq": 1, "type": "request", "command": "threads"}', bytes([numbers.randrange(256)]), b"x" * 3000]
            data = b"".join(numbers.choice(pieces) for _ in range(200))
            self.assertEqual(run("dap", stdin=data).code, HOLDS, seed)


if __name__ == "__main__":
    unittest.main()
