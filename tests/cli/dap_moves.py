#!/usr/bin/env python3
"""`matchpoint dap`: moves along a trace and by choice, the console, and where nothing can come next."""

import unittest
from pathlib import Path

from dap_client import ARGUMENT, CIRCLE, DIVISION, FIGURE1, LIMIT, LINES, POWER, PROGRAM, REFUSED, Dap, line_of
from support import DEADLOCK, ERROR, FAILURE, HOLDS, UNKNOWN


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
        self.assertEqual((client.location(0), client.evaluate("a")), ("04", "no value"))
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
        for program in ("", "-"):
            client.refused(ARGUMENT, "restart", arguments={"program": program}, saying="`program`")

    def test_restart_shows_warnings(self):
        shared = str(Path("traces/variables_shared_between_threads.ctp").resolve())
        client = self.client()
        client.stopped("entry")
        client.ask("restart", arguments={"program": shared})
        client.stopped("entry")
        self.assertIn("D4", client.said)

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
        """A request to pause that comes while nothing moves tells again where the run is, and why."""
        client = self.client(trace=2, breakpoints=[{"line": line_of("08")[0]}])
        client.stopped("entry")
        client.move("pause", "entry")
        body = client.move("continue", "breakpoint")
        self.assertEqual(client.move("pause", "breakpoint"), body)
        body = client.move("continue", "exception")
        self.assertEqual(client.move("pause", "exception"), body)
        self.assertEqual(client.ask("exceptionInfo", threadId=1)["exceptionId"], "failure")

    def test_narrate(self):
        for narrate in (True, False):
            client = self.client(trace=2, narrate=narrate)
            client.stopped("entry")
            client.move("next", "step", 2)
            self.assertEqual("24  thread 2: (sndi S4 2 0 4)" in client.said, narrate, client.said)
            self.assertIn("25  thread 2: (wait S4)", client.evaluate("step", "repl"))  # the console is asked for it


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
        client.refused(REFUSED, "evaluate", expression="reload", context="repl", saying="Restart")
        client.refused(REFUSED, "evaluate", expression="quit", context="repl", saying="Stop")
        client.evaluate("thread 2", "repl")
        client.stopped("step")
        client.evaluate("thread 2", "repl")
        client.stopped("step")
        self.assertEqual(client.evaluate("print/x (+ 10 16)", "repl"), "0x1a")

    def test_console_runs_no_scripts(self):
        """A script could reload the program under the breakpoints of the client."""
        file = self.write(Path(FIGURE1).read_text())
        client = self.client(file, breakpoints=[{"line": line_of("08")[0]}])
        client.stopped("entry")
        self.write("()")
        for command in ("reload", "break 06", "continue", "step"):
            script = self.write(command + "\n", "script")
            client.refused(REFUSED, "evaluate", expression=f"source {script}", context="repl", saying="`source`")
        client.move("continue", "breakpoint")
        self.assertEqual(client.location(0), "08")

    def test_console_command_that_fails_midway(self):
        """The client is told where it has led."""
        client = self.client(schedule="choose")
        client.stopped("entry")
        reference = client.scope(0, "Variables")
        client.refused(REFUSED, "evaluate", expression="follow 3;1;99", context="repl", saying="there is no choice 99")
        client.event("continued")
        self.assertIn("24", client.said)
        client.stopped("step")
        self.assertEqual([client.location(t) for t in range(3)], ["03", "13", "25"])
        client.refused(ARGUMENT, "variables", variablesReference=reference)
        client.refused(REFUSED, "evaluate", expression="follow 99", context="repl", saying="there is no choice 99")
        client.move("next", "step", 1)
        self.assertNotIn("continued", [e["event"] for e in client.events])

    def test_console_command_that_reaches_a_limit(self):
        client = self.client(self.write(POWER))
        client.stopped("entry")
        client.refused(LIMIT, "evaluate", expression="step 40", context="repl")
        client.event("continued")
        client.event("stopped")
        self.assertEqual(client.location(0), "p23")

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
        client = self.client(self.write(POWER))
        client.stopped("entry")
        body = client.move("continue", "exception")
        self.assertEqual(client.ask("exceptionInfo", threadId=1)["exceptionId"], "limit")
        client.move("stepBack")

    def test_limit_without_stops(self):
        """The session ends, and says why."""
        client = self.client(self.write(POWER), noDebug=True)
        self.assertEqual(client.event("exited")["exitCode"], UNKNOWN)
        self.assertIn("a limit of this implementation was reached\na product of more than", client.said)
        client.event("terminated")
        client.ask("disconnect")

    def test_limit_where_the_client_chooses(self):
        """Each request has one response, whatever the limit keeps from being known."""
        client = self.client(self.write(POWER), schedule="choose", stopOnEntry=False)
        self.assertIn("limit", client.stopped("exception")["description"])
        for command in ("next", "stepIn", "stepOut", "continue"):
            request = client.request(command, {"threadId": 1})
            client.send(request)
            response = client.response(request)
            if response["success"]:
                client.stopped("exception")
            else:
                self.assertEqual(response["body"]["error"]["id"], LIMIT)
        client.move("stepBack")


if __name__ == "__main__":
    unittest.main()
