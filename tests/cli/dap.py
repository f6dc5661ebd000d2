#!/usr/bin/env python3
"""`matchpoint dap`: the messages of the protocol, the launch, and whatever a client may send."""

import json
import os
import random
import unittest
from pathlib import Path

from dap_client import ARGUMENT, BUG, CIRCLE, FIGURE1, MALFORMED, ORDER, PROGRAM, REFUSED, UNKNOWN, Client, Dap, line_of
from support import FAILURE, HOLDS, OUTPUT_FAILED, program, run
from support import UNKNOWN as NOT_KNOWN


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
        for data, saying in ((b"Content-Length: x\r\n\r\n", "`x` is not a Content-Length"),
                             (b"Content-Length: -1\r\n\r\n", "not a Content-Length"),
                             (b"Content-Length:\r\n\r\n", "not a Content-Length"),
                             (b"Content-Length: 99999999999999999999\r\n\r\n", "not a Content-Length"),
                             (b"Content-Type: text\r\n\r\n", "without Content-Length"),
                             (b"Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", "two Content-Lengths"),
                             (b"what is this?\r\n\r\n", "is not a header field"),
                             (b"Content-Length: 4\r\n\r\nnull", "without `seq`"),
                             (b"Content-Length: 3\r\n\r\n{]}", "not JSON"),
                             (b"Content-Length: 2\r\n\r\n\xff\xfe", "not JSON"),
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
                                     ({"seq": 7, "type": "event", "command": "x"}, "not a request", 7),
                                     ({"seq": 7, "command": "threads"}, "not a request", 7),
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
        client.refused(ARGUMENT, "setExceptionBreakpoints", filters=["nothing"], saying="is not one of failure")
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
        self.refused(ARGUMENT, "`program` is empty", program="")
        self.refused(ARGUMENT, "standard input has the protocol", program="-")
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
        self.assertIn("with zero buffering the wait for S4 needs the message to be taken", body["text"])

    def test_buffering_of_a_trace(self):
        """What the file says of the trace, if the client says nothing."""
        text = "; trace 1, zero buffering: success so far\n" + Path("traces/figure1.ctp").read_text()
        file = str(self.write(text))
        body = self.client(file, stopOnEntry=False).stopped("exception")
        self.assertIn("with zero buffering the wait for S4 needs the message to be taken", body["text"])
        for launch in ({"trace": 2}, {"buffering": "infinite"}):
            client = self.client(file, noDebug=True, **launch)
            client.event("exited")
            self.assertIn("the run is complete", client.said)

    def test_a_recording_that_was_ended(self):
        """What others wait for may be what a rank had not done yet: it is not a deadlock."""
        file = str(self.write("; A recorded run of: mpirun -n 2 ./a\n; This run was ended: it was interrupted\n; rank 1 had not come to MPI_Finalize\n"
                              "( ( [0 (rcvi R 0 x)] [1 (wait R)] bot ) ( bot ) )\n( (0 bot) )\n"))
        client = self.client(file, stopOnEntry=False)
        body = client.stopped("end")
        self.assertEqual(body["description"], "the recording ends here; rank 1 was still running")
        [frame] = client.ask("stackTrace", threadId=2)["stackFrames"]
        self.assertEqual(frame["name"], "was still running when the recording ended")
        self.assertEqual(self.client(file, noDebug=True).event("exited")["exitCode"], NOT_KNOWN)

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


class Hostile(Dap):
    COMMANDS = ["setBreakpoints", "setFunctionBreakpoints", "setDataBreakpoints", "setExceptionBreakpoints",
                "breakpointLocations", "dataBreakpointInfo", "threads", "stackTrace", "scopes", "variables", "evaluate",
                "completions", "loadedSources", "source", "continue", "next", "stepIn", "stepInTargets", "stepOut",
                "stepBack", "reverseContinue", "gotoTargets", "goto", "pause", "exceptionInfo", "restart", "cancel"]
    KEYS = ["threadId", "frameId", "variablesReference", "expression", "context", "text", "column", "line", "endLine", "name",
            "source", "breakpoints", "filters", "filterOptions", "targetId", "granularity", "start", "count", "startFrame",
            "arguments", "requestId"]
    VALUES = [None, True, -1, 0, 1, 2, 3, 7, 1 << 31, 1 << 53, 1 << 70, 1.5, "", "a", "hover", "instruction", "(= a 1)",
              "choose 1", "follow 1;1;99", "deliver 0 2", "jump 5", "undo", "info state", "thread 1", "\x00\U0001F600", [], [None], [[]],
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
                    self.assertNotIn(response["body"]["error"]["id"], (MALFORMED, UNKNOWN, BUG), (request, response))
                # What follows a response has happened before the next response.
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
