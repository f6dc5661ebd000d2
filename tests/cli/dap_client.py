"""A client that speaks the Debug Adapter Protocol to `matchpoint dap`, message by message."""

import contextlib
import json
import os
import select
import subprocess
import time
from pathlib import Path

from support import MATCHPOINT, InFolder, program

FIGURE1 = str(Path("traces/figure1.ctp").resolve())
LINES = Path(FIGURE1).read_text().splitlines()
MALFORMED, UNKNOWN, ORDER, ARGUMENT, REFUSED, PROGRAM, LIMIT, BUG = range(1, 9)  # ids of errors

# Each thread receives from the other one before it sends.
CIRCLE = program([("a1", "(rcvi RA 0 x)"), ("a2", "(wait RA)"), ("a3", "(sndi SA 0 1 1)")],
                 [("b1", "(rcvi RB 1 y)"), ("b2", "(wait RB)"), ("b3", "(sndi SB 1 0 2)")])
# The divisor is what the receive gets.
DIVISION = program([("r", "(rcvi R 0 x)"), ("w", "(wait R)"), ("d", "(y := (div 1 x))")],
                   [("s", "(sndi S 1 0 0)")], traces=(["s", "r", ("w", "((0 1) bot)"), "d"],))


# It squares x up to 2^(2^24), which is beyond the limit of numbers.
POWER = program([("a", "(x := 2)"), *((f"p{i}", "(x := (* x x))") for i in range(30))],
                traces=(["a", *(f"p{i}" for i in range(30))],))


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
