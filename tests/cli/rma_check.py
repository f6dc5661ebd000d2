#!/usr/bin/env python3
"""What `matchpoint rma check` and `rma reduce` say beside the verdict: readings, faults, races."""

import json
import re
import unittest
from pathlib import Path

from support import BAD_INPUT, ERROR, FAILURE, HOLDS, UNKNOWN, InFolder, run

TRACES = Path("traces/rma")
ERRATA = TRACES / "errata"


class Literal(InFolder):
    UNSOUND = ERRATA / "R3_no_row_for_load.rma"

    def check(self, *options):
        return run("rma", "check", self.UNSOUND, *options)

    def refused(self, *arguments, saying):
        result = run("rma", *arguments)
        self.assertEqual((result.code, result.text), (BAD_INPUT, ""), arguments)
        self.assertIn(saying, result.error_text)

    def test_a_verdict_of_the_papers_reading_is_marked(self):
        result = self.check("--engine", "reduced", "--literal", "R3")
        self.assertEqual(result.code, HOLDS)
        self.assertTrue(result.text.startswith(f"{self.UNSOUND}: safe (literal R3)\n"), result.text)
        result = self.check("--engine", "reduced")
        self.assertEqual(result.code, UNKNOWN)
        self.assertTrue(result.text.startswith(f"{self.UNSOUND}: unknown: "), result.text)
        self.assertEqual([json.loads(self.check("--engine", "reduced", "--format", "json", *options).text)["literal"]
                          for options in ([], ["--literal", "R8,R3"])], [[], ["R3", "R8"]])

    def test_lists(self):
        readings = [self.check("--engine", "reduced", *options) for options in
                    (["--literal", "R2,R3"], ["--literal", "R3,R2"])]
        self.assertEqual(len({(r.code, r.text) for r in readings}), 1)
        self.assertIn(" (literal R2, R3)", readings[0].text)
        texts = [run("rma", "reduce", self.UNSOUND, *options).text for options in
                 ([], ["--literal", "R3"], ["--literal", "R5"], ["--literal", "R3,R5"])]
        self.assertEqual(len(set(texts)), 4)

    def test_only_the_reduction_has_readings(self):
        for options in ([], ["--engine", "auto"], ["--engine", "search"], ["--sc"]):
            self.refused("check", self.UNSOUND, "--literal", "R3", *options, saying="it needs --engine reduced")

    def test_entries_that_the_reduction_does_not_have(self):
        for entry in ("R1", "R6", "R9", "R10"):
            for command in (["reduce"], ["check", "--engine", "reduced"]):
                self.refused(*command, self.UNSOUND, "--literal", f"R2,{entry}", saying=f"`{entry}` changes nothing in the reduction: ")
        self.refused("reduce", self.UNSOUND, "--literal", "R2,,R3", saying="`` is not one of R2|R3|R4|R5|R7|R8|R11")
        self.refused("reduce", self.UNSOUND, "--literal", "r2", saying="did you mean `R2`?")
        for command in (["reduce"], ["check", "--engine", "reduced"]):
            self.refused(*command, "traces/rma/counter_fetch.rma", "--literal", "R2", saying="the paper has no remote atomics")


class Reasons(InFolder):
    MANY_STATES = f"(rma (process 1 (local {' '.join(f'(u{i} 0)' for i in range(24))}) {' '.join(f'(choose u{i} 0 1)' for i in range(24))}) (invariant true))"

    def test_the_memory_limit_is_the_users(self):
        program = self.write(self.MANY_STATES, "many.rma")
        for command, says in ((("check",), ": unknown: "), (("flushes", "--jobs", "2"), " of this size: ")):
            result = run("rma", *command, "--memory", "100", program)
            self.assertEqual(result.code, UNKNOWN, result.error_text)
            self.assertIn(f"{says}the memory limit of 100 MiB is reached\n", result.text)

    def test_what_is_never_evaluated(self):
        final, both = "no run reaches the end: the final assertion was never evaluated", "(assert final (= u 1)) (assert final (= u 2))"
        for text, sentences in (
                ("(rma (process 1 (local (u 0)) (while (= u 0) skip)) (assert final (= u 1)))", [final]),
                ("(rma (process 1 (local (u 0)) (assume (= u 1))) (assert final (= u 1)))", [final]),
                (f"(rma (process 1 (local (u 0)) (assume (= u 1))) {both})", [final.replace("assertion was", "assertions were")]),
                ("(rma (process 1 (local (u 0)) (if (= u 1) ((assert (= u 2)) (assert false)))))", ["no run reaches any of the 2 statements `assert`"]),
                ("(rma (process 1 (local (u 0)) (if (= u 1) ((assert (= u 2)))) (assert (= u 0))))", []),
                ("(rma (process 1 (local (u 0)) (while true skip)) (invariant (= u 0)))", []),
                ("(rma (process 1))", ["the program asserts nothing"])):
            with self.subTest(text):
                program = self.write(text, "program.rma")
                for command in (("check",), ("check", "--engine", "reduced"), ("check", "--sc"), ("prove",)):
                    result = run("rma", *command, program)
                    self.assertEqual(result.code, HOLDS)
                    shown = [line.strip() for line in result.text.splitlines()[1:] if "no run" in line or "nothing" in line]
                    self.assertEqual(shown, sentences, command)
        reduced = self.write(run("rma", "reduce", self.write(f"(rma (process 1 (local (u 0)) (assume (= u 1))) {both})", "program.rma")).text, "reduced.rma")
        self.assertIn("\n  no run reaches the end: the final assertions were never evaluated\n", run("rma", "check", reduced).text)


class Faults(InFolder):
    def fault_of(self, text, *options):
        """The text of a check, and the fault of the JSON. Its run leads to a fault, or to a property that divides by zero."""
        path = self.write(text, "program.rma")
        shown, document = run("rma", "check", path, *options).text, json.loads(run("rma", "check", path, "--format", "json", *options).text)
        fault = document["fault_run"]
        self.assertIn(f"  fault: yes\n", shown)
        self.assertIn(f"    run: {fault['run']}\n", shown)
        sc = [option for option in options if option == "--sc"]
        replayed = json.loads(run("rma", "run", path, *sc, "--schedule", fault["run"], "--format", "json").text)
        self.assertEqual((replayed["memory"], len(replayed["steps"])), (fault["memory"], fault["steps"]))
        if fault["property"] is None:
            self.assertEqual(replayed["end"], "fault")
        else:
            self.assertIn({"after": fault["steps"], "what": f"{fault['property']} divides by zero"}, replayed["failures"])
        return shown, fault

    def test_a_statement(self):
        text = "(rma (process 1 (local (u 0))\n  (choose u 1 0)\n  (u := (div 4 u))\n  bot))"
        for options in ([], ["--sc"]):
            shown, fault = self.fault_of(text, *options)
            self.assertIn("    3:3 (u := (div 4 u)) divides by zero\n", shown)
            self.assertEqual((fault["statement"], fault["run"]), ({"line": 3, "column": 3, "statement": "(u := (div 4 u))"}, "1=0 1"))

    def test_what_lands_late(self):
        """The zero is on its way when process 1 looks: a card's steps belong to the run."""
        shown, fault = self.fault_of("(rma (process 1 (shared (Y 1)) (local (y 1)) (load y Y) (if (> (div 1 y) 0) ()))\n"
                                     "(process 2 (shared (X 0)) (put Y 1 X)))")
        self.assertIn("1:57 (if (> (div 1 y) 0) ...) divides by zero", shown)
        self.assertEqual(fault["run"].split(), ["2", "rw:2#1", "1", "1"])

    def test_properties(self):
        for kind in ("invariant", "assert final"):
            shown, fault = self.fault_of(f"(rma (process 1 (shared (X 1)) (store X 0))\n ({kind} (= (div 1 X) 1)))")
            self.assertIn(f"    2:2 ({kind} (= (div 1 X) 1)) divides by zero\n", shown)
            self.assertEqual((fault["statement"], fault["run"]), (None, "1"))

    def test_states_without_end(self):
        shown, fault = self.fault_of("(rma (process 1 (local (u 3) (v 0)) (while true (u := (- u 1)) (v := (div 9 u)))))", "--values", "-9..9")
        self.assertEqual(fault["run"], "1 1 1 1 1 1 1 1 1")

    def test_no_fault(self):
        document = json.loads(run("rma", "check", "traces/rma/figure2.rma", "--format", "json").text)
        self.assertIsNone(document["fault_run"])


class Witnesses(InFolder):
    """What is shown of a run that goes wrong."""
    STEP = re.compile(r"^ +(\d+) (line \d+|\S+:\d+) +(\S+ +.*)$")
    BLAME = re.compile(r"^ +(\(.*\)) at line (\d+) was pending when process (\d+) (?:went on at line (\d+)|left its `atomic`): no flush (\d+) between(.*)$", re.M)

    def steps(self, text):
        return {int(m[1]): (m[2], m[3]) for m in map(self.STEP.match, text.splitlines()) if m}

    def blamed(self, program, *options):
        """The operations that are named, and what follows them."""
        text = run("rma", "check", self.write(program, "program.rma"), *options).text
        lines = text[:text.index("\n  memory: ")].splitlines()
        last = max([i for i, line in enumerate(lines) if self.STEP.match(line) or "left out: " in line], default=1)
        return [line.strip() for line in lines[last + 1:]]

    def assigned(self, words):
        """What a step writes: "..; reads Y = 1; Y = 2"."""
        return [part.split(" = ") for piece in words.split("; ")[1:] if not piece.startswith("reads ") for part in piece.split(", ") if " = " in part]

    def test_the_steps_that_matter(self):
        """They are steps of the run, and write what the property reads."""
        left_out = 0
        for name in ("figure2", "crossed_puts", "late_get", "lost_update", "lost_update_atomic_unflushed", "mcs_lock_unflushed", "store_buffering",
                     "message_passing", "flush_to_the_wrong_process", "buffer_used_again", "counter_fetch_unflushed"):
            with self.subTest(name=name):
                path = TRACES / f"{name}.rma"
                source = path.read_text().splitlines()
                text = run("rma", "check", path).text
                shown = self.steps(text)
                words = re.search(r"(?m)^  run: (.*)$", text)[1]
                all_steps = {int(m[1]): m[2] for m in re.finditer(r"(?m)^ +(\d+) (\S+ +.*)$", run("rma", "run", path, "--schedule", words, "--steps").text)}
                self.assertEqual({number: all_steps[number] for number in shown}, {number: step for number, (_, step) in shown.items()})
                hidden = int((re.search(r"left out: (\d+) step", text) or [0, 0])[1])
                left_out += hidden
                self.assertEqual(len(shown) + hidden, len(all_steps))
                for place, step in shown.values():
                    statement = re.search(r": \[?(?:\w+ )?(\([^;]*?)(?: \.\.\.\))?\]?(?:;|$)", step)[1]
                    self.assertIn(statement, source[int(place.split()[1]) - 1])
                memory = dict(part.split(" = ") for part in re.search(r"(?m)^  memory: (.*)$", text)[1].split(", "))
                for x in set(re.findall(r"\w+", text.splitlines()[1])) & set(memory):
                    kept = [v for _, step in sorted(shown.items()) for y, v in self.assigned(step[1]) if y == x]
                    whole = [v for step in all_steps.values() for y, v in self.assigned(step) if y == x]
                    self.assertEqual(kept[-1:], whole[-1:], x)
                    self.assertIn(memory[x], kept[-1:] or [memory[x]])
        self.assertGreater(left_out, 10)

    def test_the_flush_that_is_missing(self):
        program = "(rma (process 1 (shared (Y 1))) (process 3 (shared (Z 1)))\n(process 2 (shared (X 2))\n(put Y 1 X){}\n(store X 3))\n(assert final (= Y 2)))"
        words = "(put Y 1 X) at line 3 was pending when process 2 went on at line 4: no flush 1 between"
        self.assertEqual(self.blamed(program.format("")), [words])
        self.assertEqual(self.blamed(program.format(" (put Z 3 X) (flush 3)")), [words + ", only (flush 3) at line 3"])
        self.assertEqual(run("rma", "check", self.write(program.format(" (flush 1)"))).code, HOLDS)

    def test_several(self):
        both = ("(rma (process 1 (shared (Y 1) (Z 1)))\n(process 2 (shared (X 2))\n(put Y 1 X)\n(put Z 1 X)\n(store X 3))\n(assert final (and (= Y 2) (= Z 2))))")
        self.assertEqual(self.blamed(both)[2:], ["had all of these operations been executed by then, this run would not go wrong"])
        both = both.replace("(and (= Y 2) (= Z 2))", "(or (= Y 2) (= Z 2))")
        lines = self.blamed(both)
        self.assertEqual([line[:11] for line in lines[:-1]], ["(put Y 1 X)", "(put Z 1 X)"])
        self.assertEqual(lines[-1], "had any one of these operations been executed by then, this run would not go wrong")

    def test_no_flush_is_missing(self):
        self.assertEqual(self.blamed("(rma (process 1 (shared (Y 1))) (process 2 (shared (X 2)) (put Y 1 X)) (assert final (= Y 3)))"),
                         ["no flush is missing in this run: it also goes wrong if each operation is executed at once"])
        self.assertEqual(self.blamed((TRACES / "crossed_puts_flushed.rma").read_text()),
                         ["no flush is missing in this run: other steps come before an operation has read and written"])

    def test_sc(self):
        """There is nothing to flush."""
        self.assertEqual(self.blamed("(rma (process 1 (shared (Y 1))) (process 2 (shared (X 2)) (put Y 1 X)) (assert final (= Y 3)))", "--sc"), [])

    def test_a_flush_of_a_placement(self):
        """The operations are named that the flush would have waited for which a placement lacks."""
        for name in ("figure2_flushed", "lost_update_atomic", "dekker_once", "store_buffering_flushed"):
            path = TRACES / f"{name}.rma"
            with self.subTest(name=name):
                parts = run("rma", "flushes", path).text.split("\n  without ")[1:]
                self.assertGreater(len(parts), 0)
                for part in parts:
                    line, target = re.match(r"(\d+):\d+ \(flush (\d+)\):", part).groups()
                    named = [(int(m[2]), int(m[4] or line), m[5]) for m in self.BLAME.finditer(part)]
                    self.assertTrue(any(first <= int(line) <= last and to == target for first, last, to in named), part)

    def test_a_long_run(self):
        program = "(rma (process 1 (local (u 0))\n(while (< u 120)\n(u := (+ u 1)))) (assert final (= u 0)))"
        text = run("rma", "check", self.write(program, "program.rma")).text
        self.assertIn("  the last 100 of 240 steps that matter:\n", text)
        self.assertEqual(list(self.steps(text)), list(range(141, 241)))

    def test_a_recording(self):
        """Statements have the places of their calls; a store is seen at the next call."""
        path = self.write("; A recorded run of: mpirun -n 2 ./x\n; 2 ranks\n(rma\n  (process 0\n    (shared (W 0))\n  )\n"
                          "  (process 1\n    (shared (B 1)) (local (x 0))\n    (put W 0 B) ; src/x.c:7\n    (store B 2)\n    (get B W 0) ; src/x.c:9\n"
                          "    (flush 0) ; src/x.c:10\n    (load x B)\n    (assert (= x 1)) ; src/x.c:11\n  ))\n", "run.rma")
        text = run("rma", "check", path).text
        self.assertEqual({step.split("; ")[0]: place for place, step in self.steps(text).values()}["load    process 1: (load x B)"], "x.c:10")
        self.assertIn("  (put W 0 B) at x.c:7 was pending when process 1 went on at ", text)


class Races(InFolder):
    TWO = ("(rma (process 1 (shared (Y 1) (F 0)) (local (f 0) (y 0))\n"
           "  (while (= f 0)\n    (load f F))\n  (load y Y))\n"
           "(process 2 (shared (X 2) (one 1))\n  (put Y 1 X)\n  (put F 1 one)\n  (flush 1)))")

    def test_all_races(self):
        """Beside the wait for the flag, which is no fault, the data is read before its put must have landed."""
        path = self.write(self.TWO, "program.rma")
        text, document = run("rma", "check", "--races", path).text, json.loads(run("rma", "check", "--races", path, "--format", "json").text)
        self.assertIn("  races: 2, all there are\n", text)
        races = document["races"]
        self.assertEqual((races["answer"], races["all"]), ("yes", True))
        self.assertEqual(sorted((race["variable"], [(a["by"], a["line"], a["column"], a["writes"]) for a in race["accesses"]]) for race in races["found"]),
                         [("F", [("process 1", 3, 5, False), ("2#2", 7, 3, True)]), ("Y", [("process 1", 4, 3, False), ("2#1", 6, 3, True)])])
        for race in races["found"]:
            self.assertIn(f"    {race['what']}\n      at {race['accesses'][0]['line']}:{race['accesses'][0]['column']} and "
                          f"{race['accesses'][1]['line']}:{race['accesses'][1]['column']}\n      run: {race['run']}\n", text)
            self.assertTrue(race["shortest"])
            self.assertEqual(run("rma", "run", path, "--schedule", race["run"]).code, ERROR)

    def test_at_most(self):
        path = self.write(self.TWO, "program.rma")
        result = run("rma", "check", "--races", "--most-races", "1", path)
        self.assertIn("  races: 1, there may be more\n", result.text)

    def test_none(self):
        self.assertIn("  races: none\n", run("rma", "check", "--races", "traces/rma/counter_fetch.rma").text)
        self.assertIsNone(json.loads(run("rma", "check", "traces/rma/counter_fetch.rma", "--format", "json").text)["races"])

    def test_cut(self):
        path = self.write("(rma (process 1 (shared (Y 1))) (process 2 (shared (X 0)) (while true (get X Y 1))))", "program.rma")
        self.assertIn("  races: 1, there may be more\n", run("rma", "check", "--races", path).text)


class ReducedPrograms(InFolder):
    def reduced(self, name, *options):
        return self.write(run("rma", "reduce", f"traces/rma/{name}.rma", *options).text, "reduced.rma")

    def test_remote_atomics(self):
        """Operations have no end, so the search is cut, and the reduced program decides; its text does, too."""
        program = self.write("(rma (process 1 (shared (X 0) (one 1)) (while true (accumulate Y 2 replace one)))\n"
                             "(process 2 (shared (Y 0) (Z 0)) (put X 1 Z) (flush 1))\n(invariant (= X 0)))", "atomics.rma")
        result = run("rma", "check", program)
        self.assertEqual(result.code, HOLDS, result.text)
        self.assertIn("  decided by the reduced program, ", result.text)
        reduced = self.write(run("rma", "reduce", program).text, "reduced.rma")
        self.assertEqual(run("rma", "check", reduced).code, HOLDS)

    def test_the_verdict_is_that_of_the_engine(self):
        """A text that is checked says what `--engine reduced` says of the program that it was made from."""
        programs = 0
        for path in [*(path for kind in ("figure2", "late_get", "crossed_puts", "message_passing", "own_put") for path in sorted(TRACES.glob(f"{kind}*.rma"))),
                     TRACES / "discarded_and_faulted.rma", *sorted(ERRATA.glob("*.rma"))]:
            programs += 1
            with self.subTest(path=path):
                ours = run("rma", "check", "--engine", "reduced", path)
                result = run("rma", "check", "-", stdin=run("rma", "reduce", path).out)
                if "the reduced program goes wrong" in ours.text:
                    self.assertTrue(result.text.startswith("<stdin>: violated (reduced)\n"), result.text)
                    self.assertEqual(result.code, FAILURE)
                else:
                    self.assertEqual(ours.code, HOLDS)
                    self.assertTrue(result.text.startswith("<stdin>: safe (reduced)\n"), result.text)
                    self.assertEqual(result.code, ERROR if "  fault: yes\n" in result.text else HOLDS)
        self.assertGreater(programs, 20)

    def test_an_edited_reduction(self):
        """A load that begins with no remote operations misses what has landed: safe becomes what it should not be."""
        path = self.reduced("figure2")
        text = path.read_text()
        self.assertEqual(run("rma", "check", path).code, FAILURE)
        self.assertIn("(remote-ops 2#1 2#2 (load r R))", text)
        path.write_text(text.replace("(remote-ops 2#1 2#2 (load r R))", "(load r R)"))
        result = run("rma", "check", path)
        self.assertEqual(result.code, HOLDS)
        self.assertTrue(result.text.startswith(f"{path}: safe (reduced)\n"), result.text)

    def test_a_counterexample(self):
        path = self.reduced("figure2")
        lines = run("rma", "check", path).text.splitlines()
        document = json.loads(run("rma", "check", path, "--format", "json").text)
        self.assertEqual((document["model"], document["violation"]["property"], document["violation"]["run"]),
                         ("reduced", "(assert final (!= r 3))", None))
        self.assertEqual(document["violation"]["memory"]["r"], 3)
        first = lines.index(f"  its {document['violation']['steps']} steps, and what they change:") + 1
        memory = {}
        for number, line in enumerate(lines[first:first + document["violation"]["steps"]], 1):
            self.assertEqual(line.split()[0], str(number))
            memory.update(change.split(" = ") for change in line[7:].split(", ") if change != "no variable")
        self.assertEqual(memory["r"], "3")

    def test_finals(self):
        path = self.reduced("figure2_flushed")
        result = run("rma", "check", "--finals", path)
        self.assertIn("  final valuations: 2, all there are\n    Y = 2, R = 2, X = 3, r = 0, active_2#1 = 0, active_2#2 = 0\n", result.text)

    def test_what_a_reduced_program_does_not_have(self):
        path = self.reduced("figure2")
        for options in (["--sc"], ["--races"], ["--engine", "search"], ["--engine", "reduced", "--literal", "R3"]):
            result = run("rma", "check", *options, path)
            self.assertEqual((result.code, result.text), (BAD_INPUT, ""))
            self.assertIn(f"this is a reduced program, which has no {options[-2] + ' search' if options[-1] == 'search' else [o for o in options if o.startswith('--')][-1]}", result.error_text)

    def test_commands_that_do_not_read_them(self):
        path = self.reduced("figure2")
        for command in ("fmt", "run", "step", "draw", "flushes", "reduce"):
            result = run("rma", command, path)
            self.assertEqual((result.code, result.text), (BAD_INPUT, ""), command)
            self.assertIn("is a reduced program, which this command does not read", result.error_text)
            self.assertIn("`matchpoint rma check`", result.error_text)

    def test_errors(self):
        path = self.write("(reduced (process 1 (shared (X 0)) (join S X) bot))", "reduced.rma")
        self.assertEqual(run("rma", "lint", self.reduced("figure2")).code, HOLDS)
        path = self.write("(reduced (process 1 (shared (X 0)) (join S X) bot))", "reduced.rma")
        for command in ("lint", "check"):
            result = run("rma", command, path)
            self.assertEqual(result.code, BAD_INPUT)
            self.assertIn(f"{path}:1:42: error[RS2]: no set `S` is declared", result.text + result.error_text)


class Hints(InFolder):
    def hints(self, text):
        """The errors of a program: their lines, columns and hints."""
        path = self.write(text, "program.rma")
        return [(d["line"], d["column"], [note["message"].removeprefix("hint: ") for note in d["notes"] if note["message"].startswith("hint: ")])
                for d in json.loads(run("rma", "lint", path, "--format", "json").text)["diagnostics"]]

    def statement(self, text):
        return f"(rma (process 1 (shared (X 0)) (local (u 0)) skip\n{text}\nbot) (process 2 (shared (Y 0))))"

    def test_branches(self):
        [branch] = {hint for _, _, hints in self.hints(self.statement("(if true (u := 1))")) for hint in hints}
        self.assertIn("a list of statements", branch)
        for text, column in (("(if true (u := 1))", 11), ("(if true ((u := 1)) (u := 2))", 22), ("(if true skip)", 10),
                             ("(if true (skip) skip)", 17), ("[a (if true (u := 1))]", 14)):
            self.assertEqual(self.hints(self.statement(text)), [(2, column, [branch])], text)
        for right in ("(if true (skip))", "(if true () ())", "(if true ((u := 1)) (skip (u := 2)))", "(if true ((if true () (skip))))"):
            self.assertEqual(self.hints(self.statement(right)), [], right)
        self.assertNotIn(branch, self.hints(self.statement("(if true (skip x))"))[0][2])

    def test_declarations(self):
        for text in ("(shared (Z 0))", "(local (v 0) (w 1))", "(shared)"):
            self.assertEqual([hints for _, _, hints in self.hints(self.statement(text))],
                             [["declarations come before the first statement of their process"]], text)
        self.assertEqual(self.hints(self.statement("[shared (u := 1)]")), [])

    def test_operations(self):
        for wrong, hints in (("add", ["did you mean `+`?"]), ("sum", ["did you mean `+`?"]), ("mim", ["did you mean `min`?"]), ("-", []), ("gota", []), ("replce", ["did you mean `replace`?"])):
            self.assertEqual(self.hints(self.statement(f"(accumulate Y 2 {wrong} X)")), [(2, 17, hints)], wrong)

    def test_files_of_the_other_language(self):
        for command in (["check"], ["run"], ["lint"], ["fmt"], ["explore"]):
            result = run(*command, "traces/rma/figure2.rma")
            text = result.text + result.error_text
            self.assertEqual(result.code, BAD_INPUT)
            self.assertEqual(text.count("error[syntax]"), 1, text)
            self.assertIn("`matchpoint rma` reads it, as in `matchpoint rma check FILE`", text)
        for command in ("check", "run", "lint"):
            result = run("rma", command, "traces/figure1.ctp")
            self.assertEqual(result.code, BAD_INPUT)
            self.assertIn("`matchpoint check` and others read it, without `rma`", result.text + result.error_text)

    def test_commands(self):
        for words, saying in ((["rma", "chek"], "there is no command `chek`; did you mean `check`?"),
                              (["mpi", "recor"], "there is no command `recor`; did you mean `record`?"),
                              (["gen", "scalin"], "there is no family `scalin`; did you mean `scaling`?"),
                              (["rma", "traces/rma/figure2.rma"], "`matchpoint rma check traces/rma/figure2.rma`"),
                              (["traces/rma/figure2.rma"], "`matchpoint rma check traces/rma/figure2.rma`")):
            self.refused(*words, saying=saying)


class Recordings(InFolder):
    def test_a_run_that_failed(self):
        """What is said of the program is not about the failure of the run that was recorded, unless it is a failure itself."""
        text = "(rma (process 1 (shared (X 0)) (local (r 0)) (load r X) (assert (= r {})) bot))\n"
        for value, code in ((0, HOLDS), (1, FAILURE)):
            for head in ("; A recorded run of: mpirun -n 2 ./x\n; This run failed: exit code 134\n; It said: abort\n", "; This run\n", ""):
                path = self.write(head + text.format(value))
                result = run("rma", "check", path)
                self.assertEqual(result.code, code, result.error_text)
                is_said = "failed" in head and code == HOLDS
                last = "  the recorded run failed: exit code 134. No command of the program says why, and the verdict is not about it\n"
                self.assertEqual(result.text.endswith(last), is_said, result.text)
                told = json.loads(run("rma", "check", path, "--format", "json").text)
                self.assertEqual(told.get("recorded_run_failed"), "exit code 134" if is_said else None)


class Words(InFolder):
    def test_one_and_many(self):
        """One of a thing is not several."""
        program = self.write("(rma (process 1 (shared (X 0)) (store X 1)) (assert final (= X 0)))", "program.rma")
        text = run("rma", "check", program).text
        self.assertIn("  its 1 step: ", text)
        self.assertIn("final state after 1 step\n", run("rma", "run", program, "--schedule", "1").text)
        self.assertIn("after 1 step (assert final", run("rma", "run", program, "--schedule", "1").text)
        self.assertIn("stopped after 0 steps\n", run("rma", "run", program).text)
        self.assertIn("after 1 step: (assert final", run("rma", "draw", program).text)
        self.assertIn("; 1 state\n", run("rma", "check", self.write("(rma (process 1))", "nothing.rma")).text)

    def test_a_word_that_does_not_apply(self):
        """It is followed by what is there, what can come next, and what the others wait for."""
        result = run("rma", "run", "traces/rma/figure2_flushed.rma", "--schedule", "2 2")
        self.assertEqual(result.code, ERROR)
        self.assertEqual(result.text.splitlines()[1:], [
            "  word 2, `2`, does not apply: its flush waits for 2#1, (put Y 1 X)", "  stopped after 1 step", "  memory: Y = 1, R = 0, X = 2, r = 0",
            "  pending: R(2) = {2#1}", "  process 1: it has finished", "  process 2: its flush waits for 2#1, (put Y 1 X)"])

    def test_a_line_of_a_picture_ends_between_two_variables(self):
        names = [f"variable_{i}" for i in range(12)]
        program = self.write(f"(rma (process 1 (shared {' '.join(f'({x} {i})' for i, x in enumerate(names))})))", "program.rma")
        text = run("rma", "draw", program, "--schedule", "").text
        lines = text[text.index("memory: "):].splitlines()
        self.assertGreater(len(lines), 2)
        self.assertEqual([x.strip() for x in " ".join(lines).removeprefix("memory: ").split(",")], [f"{x} = {i}" for i, x in enumerate(names)])
        for line in lines[:-1]:
            self.assertTrue(line.endswith(","), line)
        self.assertTrue(text.isascii() or "\u00a0" not in text)


if __name__ == "__main__":
    unittest.main()
