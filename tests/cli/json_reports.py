#!/usr/bin/env python3
"""The JSON of smt, encode, gen and version is what docs/schema/ says, and says what the text says. (json_schema.py has that of
the other commands.)"""

import hashlib
import json
import os
import re
import stat
import subprocess
import tempfile
import unittest
from pathlib import Path

import jsonschema

from support import (BAD_INPUT, BUFFERINGS, DEADLOCK, DISAGREES, ERROR, FAILURE, HOLDS, SOLVER_FAILED, STATUS_CODE, InFolder, program,
                     programs, run, s_expressions)

FIGURE1 = "traces/figure1.ctp"
SCHEMAS = {command: json.loads(Path(f"docs/schema/{command}.schema.json").read_text())
           for command in ("smt", "encode", "gen", "version")}
VALIDATORS = {command: jsonschema.Draft202012Validator(schema) for command, schema in SCHEMAS.items()}


class Reports(InFolder):
    def document(self, command, *arguments, **popen):
        """The checked JSON of a command, and its exit code."""
        result = run(command, *arguments, "--format", "json", **popen)
        self.assertTrue(result.out, f"no JSON; standard error says {result.err}")
        document = json.loads(result.text)
        problems = [f"{error.json_path}: {error.message[:300]}" for error in VALIDATORS[command].iter_errors(document)]
        self.assertEqual(problems, [], f"{command} {arguments}")
        if "sha256" in document:
            self.assertEqual(document["sha256"], hashlib.sha256(Path(arguments[0]).read_bytes()).hexdigest())
        return document, result.code


class Schemas(Reports):
    def test_are_schemas(self):
        for schema in SCHEMAS.values():
            jsonschema.Draft202012Validator.check_schema(schema)

    def test_are_strict(self):
        """No field can be left out or added, at the top and one level below."""
        for command, arguments in (("smt", [FIGURE1, "--solve"]), ("smt", [FIGURE1]), ("encode", [FIGURE1, "--statistics"]),
                                   ("gen", ["--list"]), ("version", [])):
            document, _ = self.document(command, *arguments)
            parts = [document, *(v for v in document.values() if isinstance(v, dict)),
                     *(v[0] for v in document.values() if isinstance(v, list))]
            for part in parts:
                for key in list(part):
                    value = part.pop(key)
                    self.assertFalse(VALIDATORS[command].is_valid(document), f"{command} without {key}")
                    part[key] = value
                part["more"] = 1
                self.assertFalse(VALIDATORS[command].is_valid(document), command)
                del part["more"]
            VALIDATORS[command].validate(document)


class Smt(Reports):
    def test_problems(self):
        """The text that smt prints without --format."""
        for path in programs()[::5]:
            for buffering in BUFFERINGS:
                document, code = self.document("smt", path, "--buffering", buffering)
                self.assertEqual((document["buffering"], document["solver"], document["combined"]), (buffering, None, False))
                self.assertEqual([r["traces"] for r in document["results"]],
                                 [[n + 1] for n in range(len(document["results"]))])
                for r in document["results"]:
                    text = run("smt", path, "--buffering", buffering, "--trace", str(r["traces"][0]))
                    self.assertEqual(r["problem"], text.text or None)
                    if r["error"]:
                        self.assertIn(r["error"]["message"], text.error_text)
                if all(r["problem"] for r in document["results"]):
                    self.assertEqual(code, HOLDS)

    def test_answers(self):
        document, code = self.document("smt", FIGURE1, "--solve")
        text = run("smt", FIGURE1, "--check")
        self.assertEqual((code, document["solver"]), (FAILURE, "z3"))
        self.assertEqual([(r["answer"], r["statuses"], r["agrees"]) for r in document["results"]],
                         [("unsat", ["success"], True), ("sat", ["failure"], True), ("unsat", ["success"], True)])
        for r in document["results"]:
            self.assertIn(f"trace {r['traces'][0]}: {r['answer']} by z3, {r['statuses'][0]} by the machine\n", text.text)
            for name in r["core"]:
                self.assertIn(f"    {name}\n", text.text)
            self.assertEqual(bool(r["core"]), r["answer"] == "unsat")

    def test_no_problem(self):
        document, code = self.document("smt", FIGURE1, "--solve", "--buffering", "zero", "--trace", "2")
        [r] = document["results"]
        [told] = json.loads(run("run", FIGURE1, "--buffering", "zero", "--trace", "2", "--format", "json").text)["traces"]
        self.assertEqual((r["error"], r["statuses"], r["answer"], code), (told["error"], ["error"], None, ERROR))
        document, code = self.document("smt", "traces/orphans_in_transit.ctp", "--trace", "1")
        [r] = document["results"]
        self.assertEqual((r["error"], r["statuses"], r["problem"], code), (None, ["success"], None, BAD_INPUT))

    def test_deadlock(self):
        """A trace that stops early, as the file's first comment says, leads to a deadlock, as `run` reports it."""
        region = ("[{0}1 (when (> {1} 0) ({1} := (- {1} 1)))] [{0}2 (when (> {2} 0) ({2} := (- {2} 1)))]"
                  " [{0}3 ({2} := (+ {2} 1))] [{0}4 ({1} := (+ {1} 1))]")
        path = self.write(f"(shared [l 1] [m 1]) (({region.format('a', 'l', 'm')}) ({region.format('b', 'm', 'l')}))")
        traced = self.folder / "traced.ctp"
        self.assertEqual(run("check", path, "-o", traced).code, DEADLOCK)
        number = re.search("; trace ([0-9]+), infinite buffering: leads to a deadlock", traced.read_text())[1]
        [told] = json.loads(run("run", traced, "--trace", number, "--format", "json").text)["traces"]
        for options in ([], ["--solve"]):
            document, code = self.document("smt", traced, "--trace", number, *options)
            [r] = document["results"]
            self.assertEqual((r["deadlock"], r["statuses"], r["error"], r["answer"], code), (told["deadlock"], ["success"], None, None, DEADLOCK))
        self.assertEqual([b["location"] for b in r["deadlock"]["blocked"]], ["a2", "b2"])
        text = run("smt", traced, "--trace", number, "--solve").text
        self.assertEqual(text.splitlines()[:2], [f"trace {number}: no SMT problem, deadlock by the machine (the trace stops early)",
                                                 "  nothing can come next: a deadlock"])
        self.assertIn("  thread 1: at b2 ", text)
        # Without that comment it is a trace that has to be complete.
        bare = self.write(re.sub("(?m)^;.*\n", "", traced.read_text()), "bare.ctp")
        self.assertEqual(self.document("smt", bare, "--trace", number)[1], ERROR)

    def test_recorded_run_that_failed(self):
        """Beside the answer, which is not about it: the machine knows no such failure."""
        text = program([("0", "(x := 1)"), ("1", "(assert (= x 1))")], traces=[["0", "1"], ["0", "1"]])
        path = self.write("; A recorded run of: x\n; This run failed: exit code 134\n; It said: no \x1b[31m way\n" + text)
        said = "exit code 134: no \\x1b[31m way"
        document, code = self.document("smt", path, "--solve")
        self.assertEqual([(r["answer"], r["agrees"], r.get("recorded_run_failed")) for r in document["results"]],
                         [("unsat", True, said), ("unsat", True, None)])
        self.assertEqual(code, FAILURE)
        self.assertEqual(run("smt", path, "--solve", "--trace", "2").code, HOLDS)
        lines = run("smt", path, "--check").text.splitlines()
        self.assertEqual(lines[:2], ["trace 1: unsat by z3, success by the machine", f"  the recorded run failed: {said}"])
        problem = run("smt", path, "--trace", "1")
        self.assertEqual((problem.text.splitlines()[0], problem.code), (f"; the recorded run failed: {said}", HOLDS))
        self.assertIn(f"\n  the recorded run failed: {said}\n", run("smt", path, "--comb", "--solve").text)

    def test_comb(self):
        document, code = self.document("smt", FIGURE1, "--comb", "--solve")
        [r] = document["results"]
        self.assertEqual((document["combined"], r["traces"], r["statuses"], r["answer"], r["agrees"], code),
                         (True, [1, 2, 3], ["success", "failure", "success"], "sat", True, FAILURE))
        document, code = self.document("smt", FIGURE1, "--comb")
        self.assertEqual((document["results"][0]["problem"], code), (run("smt", FIGURE1, "--comb").text, HOLDS))

    def test_encode_takes_the_pairs_of_what_is_lowered(self):
        texts = {run("encode", "traces/barrier_nobody_comes.ctp", "--pairs", pairs).text
                 for pairs in ("overapprox", "tight", "exact")}
        self.assertEqual(len(texts), 3)
        self.assertTrue(all(texts))

    def test_comb_minds_only_the_discipline(self):
        none_admitted = self.write(program([("0", "(rcvi R 0 x (from 2))"), ("1", "(wait R)")], [("2", "(sndi S 1 0 1)")],
                                           traces=[["2"]]))
        broken = self.write(program([("0", "(rcvi R 0 x)")], [("2", "(sndi S 1 0 1)")], traces=[["2"]]), "broken.ctp")
        needs = "--comb needs a program that obeys rules D1 to D6"
        said = run("smt", none_admitted, "--comb").error_text
        self.assertIn("warning[selector]", said)
        self.assertNotIn(needs, said)
        self.assertIn(needs, run("smt", broken, "--comb").error_text)

    def liar(self, answer, core="()"):
        path = self.folder / "liar"
        path.write_text("#!/bin/sh\nwhile read -r line; do case $line in\n"
                        f"*check-sat*) echo {answer} ;;\n"
                        '*echo*) line=${line#*\\"}; echo "${line%%\\"*}" ;;\n'
                        f"*get-unsat-core*) echo '{core}' ;;\nesac; done\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)

    def test_a_solver_that_is_wrong(self):
        document, code = self.document("smt", FIGURE1, "--trace", "2", "--solve", "--solver", self.liar("unsat"))
        [r] = document["results"]
        self.assertEqual((r["answer"], r["agrees"], code), ("unsat", False, DISAGREES))
        document, code = self.document("smt", FIGURE1, "--comb", "--solve", "--solver", self.liar("unsat"))
        self.assertEqual((document["results"][0]["agrees"], code), (False, DISAGREES))

    def test_names_are_unique(self):
        """A solver takes no name twice: of the divisors of a guard and an assignment, of what a receive selects."""
        for text in ("(shared [x 2] [y 1])\n( ( [a (when (> (div 4 x) 0) (y := (div 6 x)) (x := (mod 5 x)))] [b (assert (= y 4))] ) )\n"
                     "( (a bot) (b bot) )\n",
                     "( ( [a (rcvi R 0 x (source y) (tagged z))] [b (rcvi Q 0 x (source y))] [c (wait Q)] [d (assert (= (+ y z) 4))] )\n"
                     "  ( [e (sndi S 1 0 7 (tag 2))] [f (sndi T 1 0 8)] ) )\n"
                     "( (a bot) (b bot) (e bot) (f bot) (c ((0 1) (0 1) bot)) (d bot) )\n"):
            for solver in ("z3", "cvc5"):
                with self.subTest(text, solver=solver):
                    result = run("smt", self.write(text), "--check", "--solver", solver)
                    self.assertEqual((result.code, result.error_text), (FAILURE, ""), result.text)

    def test_a_disagreement_needs_no_core(self):
        for core in ('(error "no cores")', "unsupported", "((x) y)", "(|100%zz|)"):
            with self.subTest(core):
                result = run("smt", FIGURE1, "--trace", "2", "--check", "--solver", self.liar("unsat", core))
                self.assertIn("THEY DISAGREE\n", result.text)
                self.assertEqual((result.code, result.error_text), (DISAGREES, ""))

    def test_a_solver_that_fails(self):
        document, code = self.document("smt", FIGURE1, "--trace", "2", "--solve", "--solver", "/no/such/solver")
        [r] = document["results"]
        self.assertEqual((r["answer"], r["agrees"], code), ("missing", None, SOLVER_FAILED))
        self.assertIn("No such file", r["reason"])

    def test_refused(self):
        for arguments in (["nowhere.ctp"], [FIGURE1, "-o", self.folder / "x"], [FIGURE1, "--trace", "9"],
                          [FIGURE1, "--comb", "--buffering", "zero"]):
            self.refused("smt", *arguments, "--format", "json")
        self.assertFalse((self.folder / "x").exists())


class Encode(Reports):
    def counts(self, commands):
        """Of SMT-LIB without comments and quoted symbols."""
        counts = dict.fromkeys(("declarations", "definitions", "assertions", "clauses", "atoms", "terms"), 0)

        def clauses(term):
            if term[0] == "!":
                return clauses(term[1])
            return sum(map(clauses, term[1:])) if term[0] == "and" else 1

        def count(term):
            if isinstance(term, str):
                return
            if term[0] != "!":
                counts["terms"] += 1
                counts["atoms"] += term[0] in ("=", "<", "<=", ">", ">=", "distinct")
            for part in term[1:]:
                count(part)

        for command in s_expressions(commands):
            counts["declarations"] += command[0] in ("declare-const", "declare-fun")
            counts["definitions"] += command[0] == "define-fun"
            if command[0] == "assert":
                counts["assertions"] += 1
                counts["clauses"] += clauses(command[1])
                count(command[1])
        return counts

    def test_compared(self):
        for path, options in ((FIGURE1, []), (FIGURE1, ["--buffering", "zero"]), ("traces/shared_memory/account.ctp", [])):
            document, code = self.document("encode", path, "--compare", *options)
            self.assertEqual(code, HOLDS)
            text = run("encode", path, "--compare", *options).text
            rows = [row.split(",") for row in run("encode", path, "--compare", "--format", "csv", *options).text.splitlines()]
            latex = run("encode", path, "--compare", "--format", "latex", *options).text
            self.assertEqual(rows[0], ["encoding", "declarations", "definitions", "assertions", "clauses", "atoms", "terms"])
            known = {}
            for one in document["compared"]:
                alone = run("encode", path, "--statistics", "--encoding", one["encoding"], "--format", "json", *options)
                if one["refused"]:
                    self.assertEqual(alone.code, BAD_INPUT)
                    self.assertIn(f"  {one['refused']}\n", text)
                    continue
                problem = json.loads(alone.text)["problem"]
                self.assertEqual(problem, {key: n for key, n in one.items() if key not in ("encoding", "refused")})
                known[one["encoding"]] = [str(problem[column]) for column in rows[0][1:]]
            self.assertGreater(len(known), 1)
            self.assertEqual({row[0]: row[1:] for row in rows[1:]}, known)
            for name, numbers in known.items():
                self.assertIn(f"\\texttt{{{name}}} & {' & '.join(numbers)} \\\\\n", latex)
                self.assertRegex(text, rf"\n  {name} +{' +'.join(numbers)}\n")

    def test_counts(self):
        for path in (FIGURE1, "traces/figure16.ctp", "traces/figure4_small.ctp"):
            for options in ([], ["--encoding", "section5"], ["--buffering", "zero"], ["--no-order"], ["--pairs", "overapprox"]):
                with self.subTest(path=path, options=options):
                    problem = run("encode", path, *options).text
                    document, code = self.document("encode", path, "--statistics", *options)
                    commands = re.sub(r"\|[^|]*\|", "x", re.sub(r";.*", "", problem))
                    self.assertEqual(document["problem"], {"bytes": len(problem.encode()), **self.counts(commands)})
                    parts = re.split(r"^;(.*)$", "; (unnamed)\n" + problem, flags=re.MULTILINE)[1:]
                    classes = {}
                    for name, part in zip(parts[::2], parts[1::2], strict=True):
                        classes[name.strip()] = classes.get(name.strip(), "") + re.sub(r"\|[^|]*\|", "x", part)
                    self.assertEqual([c for c in ({"name": name, **self.counts(part)} for name, part in classes.items())
                                      if any(n for key, n in c.items() if key != "name")],
                                     [{"name": c.pop("name"), **c} for c in document["classes"]])
                    self.assertEqual(code, HOLDS)
                    method = options[1] if options[:1] == ["--pairs"] else "tight"
                    buffering = options[1] if options[:1] == ["--buffering"] else "infinite"
                    pairs = json.loads(run("pairs", path, "--method", method, "--buffering", buffering, "--format",
                                           "json").text)["pairs"]
                    self.assertEqual(document["match_pairs"], len(pairs))
                    text = run("encode", path, "--statistics", *options).text
                    for number in (*document["program"].values(), document["match_pairs"], *document["problem"].values()):
                        self.assertRegex(text, rf"\b{number}\b")

    def test_program(self):
        document, _ = self.document("encode", FIGURE1, "--statistics")
        self.assertEqual(document["program"], {"threads": 3, "commands": 16, "receives": 3, "sends": 3})

    def test_file(self):
        """With -o the problem goes to the file as ever."""
        path = self.folder / "problem.smt2"
        document, _ = self.document("encode", FIGURE1, "--statistics", "-o", path)
        self.assertEqual(path.read_bytes(), run("encode", FIGURE1).out)
        self.assertEqual(document["problem"]["bytes"], path.stat().st_size)

    def test_only_statistics_are_json(self):
        self.refused("encode", FIGURE1, "--format", "json", saying="--statistics")
        self.refused("encode", FIGURE1, "--compare", "--statistics", saying="leave out one")
        self.refused("encode", FIGURE1, "--compare", "-o", self.folder / "x", saying="leave out -o")


class Gen(Reports):
    def test_list(self):
        document, code = self.document("gen", "--list")
        self.assertEqual(code, HOLDS)
        text = run("gen", "--list").text
        self.assertEqual([family["name"] for family in document["families"]],
                         [line.split()[0] for line in text.splitlines() if re.match(r"\S", line)])
        for family in document["families"]:
            help_ = " ".join(run("gen", family["name"], "--help").text.split())
            for p in family["parameters"]:
                self.assertIn(f"{p['meaning']}, {p['least']} to {p['most']}", help_)
            for item in (*family["variants"], *family["percentages"]):
                self.assertIn((item["option"] or "").split(" ")[0], help_)

    def test_what_it_says_can_be_made(self):
        for family in json.loads(run("gen", "--list", "--format", "json").text)["families"]:
            if family["reads_formula"]:
                continue
            numbers = [str(p["least"]) for p in family["parameters"]]
            for variant in family["variants"] or [{"option": None}]:
                arguments = [family["name"], *numbers, *(variant["option"] or "").split()]
                if family["has_seed"]:
                    arguments += ["--seed", "3"]
                result = run("gen", *arguments)
                if result.code != HOLDS:  # some variants want larger numbers
                    self.assertRegex(result.error_text, r"N is \d+ at least", arguments)

    def test_only_the_list_is_json(self):
        self.refused("gen", "scaling", "3", "--format", "json", saying="--list")


class Version(Reports):
    def test_version(self):
        document, code = self.document("version")
        self.assertEqual(code, HOLDS)
        text = run("version").text
        for word in (document["version"], document["commit"] or "unknown", document["libraries"]["CaDiCaL"],
                     document["libraries"]["GMP"], document["compiler"]):
            self.assertIn(word, text)

    def test_solvers(self):
        """Where PATH has them; nothing is started."""
        with tempfile.TemporaryDirectory() as folder:
            for name in ("z3", "cvc4"):
                (Path(folder) / name).write_text("#!/bin/sh\ntouch started\n")
            (Path(folder) / "z3").chmod(0o755)
            document, _ = self.document("version", env={**os.environ, "PATH": f"/nowhere:{folder}"}, cwd=folder)
            self.assertEqual(document["solvers"], [{"name": "z3", "path": f"{folder}/z3"}, {"name": "cvc5", "path": None},
                                                   {"name": "cvc4", "path": None}])
            self.assertFalse((Path(folder) / "started").exists())

    def test_commit(self):
        """The one that git knows, unless the sources are not in a repository."""
        document, _ = self.document("version")
        head = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True)
        if head.returncode == 0 and document["commit"]:
            known = subprocess.run(["git", "cat-file", "-t", document["commit"].rpartition("-g")[2]], capture_output=True)
            self.assertEqual(known.stdout, b"commit\n")


if __name__ == "__main__":
    unittest.main()
