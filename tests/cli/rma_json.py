#!/usr/bin/env python3
"""The JSON of `matchpoint rma` is what docs/schema/ says, and says what the text says."""

import copy
import hashlib
import json
import re
import unittest
from pathlib import Path

import jsonschema

from support import BAD_INPUT, ERROR, FAILURE, HOLDS, INFEASIBLE, UNKNOWN, InFolder, run

TRACES = Path("traces/rma")
COMMANDS = ("rma-check", "rma-run", "rma-flushes", "rma-prove", "lint")
SCHEMAS = {command: json.loads(Path(f"docs/schema/{command}.schema.json").read_text()) for command in COMMANDS}
VALIDATORS = {command: jsonschema.Draft202012Validator(schema) for command, schema in SCHEMAS.items()}


def without_duplicates(pairs):
    keys = [key for key, _ in pairs]
    assert len(keys) == len(set(keys)), f"a key twice: {keys}"
    return dict(pairs)


def memory_text(memory):
    return ", ".join(f"{x} = {str(v).lower() if isinstance(v, bool) else v}" for x, v in memory.items())


class RmaJson(InFolder):
    def output(self, command, path, *options):
        result = run("rma", command, path, "--format", "json", *options)
        self.assertTrue(result.out, result.error_text)
        document = json.loads(result.text, object_pairs_hook=without_duplicates)
        validator = VALIDATORS["lint" if command == "lint" else f"rma-{command}"]
        self.assertEqual([f"{e.json_path}: {e.message[:300]}" for e in validator.iter_errors(document)], [], (command, path))
        self.assertEqual(document["sha256"], hashlib.sha256(Path(path).read_bytes()).hexdigest())
        self.assertEqual(document["file"], str(path))
        return document, result.code

    def strict(self, command, document):
        """No field can be missing, and none be added, except variables of a memory."""
        def changed(value, is_memory=False):
            if isinstance(value, dict):
                for key in list(value):
                    yield from ({**value, key: item} for item in changed(value[key], key == "memory"))
                    if not is_memory:
                        yield {k: v for k, v in value.items() if k != key}
                if not is_memory:
                    yield {**value, "more": 1}
            elif isinstance(value, list):
                for i, item in enumerate(value):
                    yield from (value[:i] + [other] + value[i + 1:] for other in changed(item))

        document = copy.deepcopy(document)
        if document.get("finals"):
            document["finals"]["valuations"] = []
        self.assertEqual([v for v in changed(document) if VALIDATORS[command].is_valid(v)], [])

    def test_schemas_are_schemas(self):
        for schema in SCHEMAS.values():
            jsonschema.Draft202012Validator.check_schema(schema)

    def test_check(self):
        programs = 0
        for path in sorted(TRACES.glob("*.rma")):
            if not re.search(r"^; finals ", path.read_text(), re.M):
                continue
            programs += 1
            for options in ([], ["--sc"]):
                with self.subTest(path=path, options=options):
                    document, code = self.output("check", path, "--finals", *options)
                    text = run("rma", "check", path, "--finals", *options)
                    self.assertEqual(text.code, code)
                    self.assertTrue(text.text.startswith(f"{path}: {document['verdict']}"))
                    for line in (f"discarded: {document['discarded']}", f"fault: {document['fault']}", f"final state: {document['final_state']}",
                                 f"final valuations: {len(document['finals']['valuations'])}, all there are",
                                 *map(memory_text, document["finals"]["valuations"])):
                        self.assertIn(f"  {line}\n", text.text)
                    if violation := document["violation"]:
                        self.assertIn(f"  memory: {memory_text(violation['memory'])}\n  run: {violation['run']}\n", text.text)
        self.assertGreater(programs, 10)
        self.strict("rma-check", self.output("check", TRACES / "figure2.rma", "--finals", "--races")[0])
        self.strict("rma-check", self.output("check", TRACES / "discarded_and_faulted.rma")[0])

    def test_what_nobody_looked_for(self):
        """After a violation, unless --finals lets the search go on; a search that was cut does not know it."""
        def answers(*arguments):
            document = self.output("check", *arguments)[0]
            told = run("rma", "check", *arguments).text
            for name, field in (("discarded", "discarded"), ("fault", "fault"), ("final state", "final_state")):
                lines = re.findall(f"(?m)^  {name}: (.*)$", told)
                self.assertEqual(lines, [] if document[field] is None else [document[field]])
            return document["discarded"], document["fault"], document["final_state"]

        figure2 = TRACES / "figure2.rma"
        self.assertEqual(answers(figure2), (None, None, "yes"))
        self.assertEqual(answers(figure2, "--finals"), ("no", "no", "yes"))
        reduced = self.write(run("rma", "reduce", figure2).out, "reduced.rma")
        self.assertEqual(answers(reduced), (None, None, "yes"))
        counts = self.write("(rma (process 1 (local (u 0)) (while true (u := (+ u 1)))))", "counts.rma")
        self.assertEqual(answers(counts, "--values", "0..3"), ("unknown",) * 3)

    def test_never_evaluated(self):
        program = self.write("(rma (process 1 (local (u 0)) (assume (= u 1)) (assert (= u 2)) bot) (assert final (= u 3)))", "p.rma")
        for command in ("check", "prove"):
            document, code = self.output(command, program)
            self.assertEqual(code, HOLDS)
            self.assertEqual(document["never_evaluated"], ["no run reaches the end: the final assertion was never evaluated", "no run reaches the `assert`"])
            told = run("rma", command, program).text.splitlines()
            self.assertEqual(told[1:3], ["  " + sentence for sentence in document["never_evaluated"]])
            self.strict(f"rma-{command}", document)

    def test_check_of_a_reduced_program(self):
        program = self.write(run("rma", "reduce", TRACES / "figure2.rma").out, "reduced.rma")
        document, code = self.output("check", program, "--finals")
        self.assertEqual((document["model"], document["verdict"], code), ("reduced", "violated", FAILURE))
        self.strict("rma-check", document)

    def test_run(self):
        """Every run that `check` finds, and what is left of it without its last word."""
        for name in ("figure2", "crossed_puts", "late_get", "lost_update", "lost_update_atomic_unflushed"):
            path = TRACES / f"{name}.rma"
            violation = self.output("check", path)[0]["violation"]
            document, code = self.output("run", path, "--schedule", violation["run"])
            self.assertEqual((document["end"], document["memory"], code), ("final", violation["memory"], FAILURE))
            self.assertEqual([f["what"] for f in document["failures"]], [f"{violation['property']} does not hold"])
            told = run("rma", "run", path, "--schedule", violation["run"], "--steps").text
            for i, step in enumerate(document["steps"], 1):
                self.assertIn(f"  {i:>3} {step['rule']:<7} {step['text']}\n", told)
            self.assertEqual((document["everywhere"], len(document["flushes"])), (False, path.read_text().count("(flush ")))
            again = " ".join(step["word"] for step in document["steps"])
            self.assertEqual(self.output("run", path, "--schedule", again)[0], document)
            self.strict("rma-run", document)

    def test_run_with_other_flushes(self):
        """Those that are left, as `rma flushes` has them."""
        path = TRACES / "figure2.rma"
        [missing] = self.output("flushes", path, "--everywhere")[0]["missing"]
        document, code = self.output("run", path, "--everywhere", "--flushes", "none", "--schedule", missing["run"])
        self.assertEqual((document["everywhere"], document["flushes"], document["memory"], code), (True, missing["left"], missing["memory"], FAILURE))
        document, _ = self.output("run", path, "--everywhere")
        self.assertEqual([f["statement"] for f in document["flushes"]], ["(flush 1)", "(flush 1)"])
        self.strict("rma-run", document)

    def test_ends(self):
        figure2 = TRACES / "figure2_two_flushes.rma"
        document, code = self.output("run", figure2, "--schedule", "2 r:2#1")
        self.assertEqual((document["end"], code), ("stopped", ERROR))
        self.assertEqual(document["pending"], [{"statement": "2#1", "half": "write", "value": 2, "count": 1}])
        self.assertEqual(document["processes"], [{"process": "1", "next": None, "waits": None},
                                                 {"process": "2", "next": "(flush 1)", "waits": "its flush waits for 2#1, (put Y 1 X)"}])
        self.strict("rma-run", document)
        document, code = self.output("run", figure2, "--schedule", "2 2")
        self.assertEqual((document["end"], code), ("inapplicable", ERROR))
        self.assertIn("word 2, `2`, does not apply: its flush waits", document["why"])
        program = self.write("(rma (process 1 (local (u 0)) (if (= u 0) ((assume false))) bot) (process 2 (local (v 0)) (v := (div 1 v)) bot))", "p.rma")
        self.assertEqual([(d["end"], code) for d, code in (self.output("run", program, "--schedule", "1 1"),
                                                           self.output("run", program, "--schedule", "2"))],
                         [("discarded", INFEASIBLE), ("fault", ERROR)])

    def test_flushes(self):
        for name, *options in (("figure2_flushed",), ("lost_update_atomic",), ("figure2", "--everywhere"), ("figure2",), ("dekker_once",)):
            path = TRACES / f"{name}.rma"
            with self.subTest(name=name):
                document, code = self.output("flushes", path, *options)
                told = run("rma", "flushes", path, *options)
                self.assertEqual(told.code, code)
                if document["answer"] == "found":
                    self.assertIn(f": {document['least']} of {document['flushes']} {'flush is' if document['flushes'] == 1 else 'flushes are'} enough, and no fewer\n", told.text)
                    self.assertEqual({len(p) for p in document["placements"]}, {document["least"]})
                for missing in document["missing"]:
                    self.assertIn(f"    memory: {memory_text(missing['memory'])}\n    run: matchpoint rma run {path} ", told.text)
                    self.assertIn(f" --schedule \"{missing['run']}\"\n", told.text)
                self.strict("rma-flushes", document)
        self.assertEqual(self.output("flushes", TRACES / "figure2.rma")[0]["answer"], "none")

    def test_prove(self):
        for name in ("figure2", "figure2_flushed", "queue"):
            path = TRACES / f"{name}.rma"
            with self.subTest(name=name):
                document, code = self.output("prove", path)
                told = run("rma", "prove", path)
                self.assertEqual(told.code, code)
                self.assertTrue(told.text.startswith(f"{path}: {document['verdict']}\n"))
                for attempt in document["attempts"]:
                    model = {"sc": "sequential consistency", "rma": "RMA"}[attempt["model"]]
                    self.assertIn(f"  {model}, mode {attempt['mode']}: {attempt['outcome']}; {attempt['states']} states\n", told.text)
                self.assertEqual(run("rma", "predicates", path).text.splitlines(), document["predicates"])
                if violation := document["violation"]:
                    self.assertIn(f"  memory: {memory_text(violation['memory'])}\n  run: {violation['run']}\n", told.text)
                self.strict("rma-prove", document)

    def test_unproved(self):
        """With a path that the predicates leave possible: to an assertion, and to a property."""
        for name, claim in (("discarded_and_faulted", "assertion"), ("counter_fetch", "property")):
            document, code = self.output("prove", TRACES / f"{name}.rma", "--engine", "abstraction")
            self.assertEqual(code, UNKNOWN)
            found = document["counterexample"]
            self.assertEqual([found[what] is not None for what in ("assertion", "property")], [claim == what for what in ("assertion", "property")])
            self.assertTrue(all((step["process"] is None) != (step["operation"] is None) for step in found["path"]))
            self.strict("rma-prove", document)

    def test_lint(self):
        self.assertEqual(self.output("lint", TRACES / "figure2.rma")[0]["diagnostics"], [])
        for text, rule in (("(rma", "syntax"), ("(rma (process 1 bot) (process 1 bot))", "RS1"),
                           ("(rma (process 1 (local (u 0)) (load u X) bot))", "RS2"), ("(rma (process 1 (flush 1) bot))", "RS3"),
                           ("(rma (process 1 (goto x) bot))", "RS4"), ("(rma (process 1 (atomic (atomic skip)) bot))", "RS5"),
                           ("(rma (process 1 (assert 3) bot))", "RS6"), ("(rma (process 1 (assert (not true true)) bot))", "S4")):
            document, code = self.output("lint", self.write(text, "p.rma"))
            self.assertEqual(([d["rule"] for d in document["diagnostics"]], code), ([rule], BAD_INPUT), text)

    def test_several_syntax_errors(self):
        """Each statement, process or property with an error has one, and what is right has none."""
        for text, places in (
                ("(rma\n (process 1 (shared (X 0))\n  (load)\n  (store X 1)\n  (store X)\n  (flsh 2)\n  [a (put X)]\n  bot)\n (assert final (= X 1)))",
                 [(3, 8), (5, 11), (6, 4), (7, 12)]),
                ("(rma\n (process 1 (local (u 0))\n  (while (= u) (u := 1)\n   (u := ))\n  (if (= u 1)\n   ((u := )\n    (bad)))\n  bot)\n (invariant)\n (assert fnal true)\n (assert final (= u 1)))",
                 [(4, 10), (6, 11), (7, 6), (9, 12), (10, 10)]),
                # Only this bracket is missing.
                ("(rma\n (process 1 (local (u 0))\n  (u := 1\n  (u := 2)\n  (u :=)\n  bot))", [(4, 3), (5, 8)]),
                # An atom that does not belong there.
                ("(rma\n (process 1 (local (u 0))\n  (u := 1) x\n  (u :=)\n  bot))", [(3, 12), (4, 8)]),
                # A process that has no number, and one that is right.
                ("(rma\n (process (shared (X 0)) bot)\n (process 2 (shared (Y 0)) (store Y) bot))", [(2, 11), (3, 36)]),
                # The brackets do not say where it ends.
                ("(rma\n (process 1 (local (u 0))\n  (u := (+ u 1]\n  (u :=)\n  bot)", [(3, 15)]),
                ("(rma\n (process 1 (local (u 0) (assert (\n (process 2 (flsh 1) bot))", [(2, 27)]),
                # A character that begins no token.
                ('(rma\n (process 1 (local (u 0))\n  (u := "a")\n  (u :=)\n  bot))', [(3, 9), (4, 8)])):
            with self.subTest(text=text):
                document, code = self.output("lint", self.write(text, "p.rma"))
                self.assertEqual([(d["line"], d["column"]) for d in document["diagnostics"]], places,
                                 [d["message"] for d in document["diagnostics"]])
                self.assertEqual({d["rule"] for d in document["diagnostics"]}, {"syntax"})
                self.assertEqual(code, BAD_INPUT)
        many = "(rma (process 1 (local (u 0)) " + "(u :=) " * 1000 + "bot))"
        self.assertEqual(len(self.output("lint", self.write(many, "p.rma"))[0]["diagnostics"]), 100)

    def test_integers(self):
        program = self.write(f"(rma (process 1 (shared (X {2**53 - 1}) (Y {2**53}) (Z -{10**30}) (b true)) bot))", "p.rma")
        self.assertEqual(self.output("run", program)[0]["memory"], {"X": 2**53 - 1, "Y": str(2**53), "Z": str(-10**30), "b": True})


if __name__ == "__main__":
    unittest.main()
