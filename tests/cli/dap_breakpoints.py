#!/usr/bin/env python3
"""`matchpoint dap`: breakpoints, and what a client looks at when the run has stopped."""

import unittest
from pathlib import Path

from dap_client import ARGUMENT, FIGURE1, LINES, POWER, REFUSED, Client, Dap, line_of


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

    def test_limit_in_a_condition(self):
        """Beyond a limit, an expression has no value, and the run goes on."""
        file = self.write(POWER)
        product = "(* (* x x) (* x x))"
        line = next(n for n, text in enumerate(file.read_text().splitlines(), 1) if "p23" in text)
        column = file.read_text().splitlines()[line - 1].index("p23") + 1
        place = {"line": line, "column": column}
        client = self.client(file)
        client.stopped("entry")
        for more, reason in (({"condition": f"(> {product} 0)"}, "exception"),
                             ({"logMessage": f"it is {{(> {product} 0)}}"}, "exception"),
                             ({"condition": "(> (* x 1) 0)"}, "breakpoint")):
            [answer] = client.breakpoints([{**place, **more}], file)
            self.assertTrue(answer["verified"], answer)
            client.move("continue", reason)
            if "logMessage" in more:
                self.assertIn("it is no value: limit reached: a product of more than", client.said)
            client.move("reverseContinue", "entry")
        client.breakpoints([], file)
        client.ask("setDataBreakpoints", breakpoints=[{"dataId": f"(> {product} 0)"}])
        self.assertTrue(client.move("continue", "data breakpoint")["text"].endswith("is true"))
        self.assertIn("was true, is no value: limit reached: a product of more", client.move("continue", "data breakpoint")["text"])

    def test_bad_condition(self):
        client = self.client()
        answers = client.breakpoints([{"line": 1, "condition": "(= a"}, {"line": 1, "condition": "(= nothing 1)"},
                                      {"line": 1, "hitCondition": "often"}, {"line": 1, "logMessage": "a {a"},
                                      {"line": 1, "hitCondition": "% 0"}, {"line": 1, "condition": "(+ a 1)"}])
        self.assertEqual([a["verified"] for a in answers], [False] * 6)
        self.assertEqual(answers[5]["message"], "`(+ a 1)` is an integer, and a condition is true or false")
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
                         ("A was no value, is 4", [answers[0]["id"]]))
        body = client.move("continue", "data breakpoint")
        self.assertIn("Pnd_s(1)(2) = ([S6 7])", body["text"])
        body = client.move("reverseContinue", "data breakpoint")
        self.assertIn("is Pnd_s(1)(2) = ()", body["text"])

    def test_conditions_both_ways(self):
        """The same moves stop a run on its way forward and back."""
        client = self.client(self.write("(([a (x := 0)] [b (x := 1)] [c (x := 2)] [d (x := 3)] bot)) ((a bot) (b bot) (c bot) (d bot))"))
        client.stopped("entry")
        client.ask("setDataBreakpoints", breakpoints=[{"dataId": "x", "condition": "(= x 1)"}])
        self.assertEqual(client.move("continue", "data breakpoint")["text"], "x was 0, is 1")
        client.move("continue", "end")
        self.assertEqual(client.move("reverseContinue", "data breakpoint")["text"], "x was 1, is 0")

    def test_variables_of_a_thread(self):
        """Also those that a selector or a guarded assignment writes."""
        client = self.client(self.write("(shared [l 1]) (([a (rcvi R 0 x (source y))] [b (wait R)] [c (when (> l 0) (z := l))] bot) ([d (sndi S 1 0 1)] bot))"))
        client.stopped("entry")
        self.assertEqual(sorted(client.values(client.scope(0, "Variables"))), ["l", "x", "y", "z"])

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
        client.refused(REFUSED, "setVariable", variablesReference=1, name="R2", value="1", saying="not a variable")
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


if __name__ == "__main__":
    unittest.main()
