#!/usr/bin/env python3
"""The JSON of `run` and `lint` is what docs/schema/ says, for good programs, bad ones and odd ones."""

import copy
import hashlib
import json
import os
import tempfile
import unittest
from pathlib import Path

import jsonschema

from support import BAD_INPUT, BUFFERINGS, FAILURE, HOLDS, STATUS_CODE, UNKNOWN, program, programs, run

SCHEMAS = {command: json.loads(Path(f"docs/schema/{command}.schema.json").read_text()) for command in ("run", "lint")}
VALIDATORS = {command: jsonschema.Draft202012Validator(schema) for command, schema in SCHEMAS.items()}


def without_duplicates(pairs):
    keys = [key for key, _ in pairs]
    assert len(keys) == len(set(keys)), f"a key twice: {keys}"
    return dict(pairs)


class JsonSchema(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def output(self, command, path, *options, stdin=b""):
        """The checked JSON of a command, and its exit code."""
        result = run(command, path, "--format", "json", *options, stdin=stdin)
        self.assertTrue(result.out, f"no JSON; standard error says {result.err}")
        document = json.loads(result.text, object_pairs_hook=without_duplicates)
        problems = [f"{error.json_path}: {error.message[:300]}" for error in VALIDATORS[command].iter_errors(document)]
        self.assertEqual(problems, [], f"{command} {path} {options}")
        data = stdin if path == "-" else Path(os.fsdecode(path)).read_bytes()
        self.assertEqual(document["sha256"], hashlib.sha256(data).hexdigest())
        return document, result.code

    def write(self, text, name="program.ctp"):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

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
        stores = [v for v in accepted if v["traces"] and (v["traces"][0]["store"] or
                                                          v["traces"][0]["failed_assertions"][0]["values"])]
        self.assertEqual(accepted, stores)

    def test_programs(self):
        for path in programs():
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

    def test_one_trace(self):
        every, _ = self.output("run", "traces/figure1.ctp")
        for n in (1, 2, 3):
            one, code = self.output("run", "traces/figure1.ctp", "--trace", str(n))
            self.assertEqual(one["traces"], [every["traces"][n - 1]])
            self.assertEqual(code, STATUS_CODE[one["traces"][0]["status"]])

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
