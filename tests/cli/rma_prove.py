#!/usr/bin/env python3
"""`matchpoint rma prove`, `rma predicates`, `rma abstract`: what is verified is safe, and what is said of predicates and solvers."""

import json
import os
import re
import shutil
import unittest
from pathlib import Path

from checker import RMA_COMMAND, check
from support import BAD_INPUT, FAILURE, HOLDS, OUTPUT_FAILED, SOLVER_FAILED, UNKNOWN, InFolder, long_test, run, s_expressions

TRACES = Path("traces/rma")

COUNTER = """(rma
  (process 1 (shared (Y 0)) (local (y 0) (z 0)) (while true (load y Y) (assert (<= z y)) (z := y)))
  (process 2 (shared (X 0)) (local (x 0)) (while true (x := (+ x 1)) (store X x) (put Y 1 X) (flush 1))))"""
MODULO = "(rma (process 1 (local (u 4)) (u := (+ u 2)) (assert (= (mod u 2) 0))))"
SQUARE = "(rma (process 1 (local (u 4)) (while true (u := (* u u)) (assert (= (mod u 2) 0)))))"
# z3 sees at once that both are even; there are always more predicates that do not say it.
EVEN = """(rma (process 1 (local (a 0) (b 0) (c 0))
  (while true (choose c 0 1) (a := (+ a 2)) (b := (+ b (* 2 c))) (assert (!= (- a b) 1)))))"""
SUM = """(rma (process 1 (local (a 0) (b 90))
  (while true (a := (+ a 1)) (b := (- b 1)) (if (= a 90) ((assert (= b 0)))))))"""
# Without the flush the reduced program executes the put three times; the program does not.
TWICE = """(rma
  (process 1 (shared (Y 0)) (local (a 0) (b 0) (c 0))
    (load a Y) (store Y 0) (load b Y) (store Y 0) (load c Y) (assert (not (and (= a 1) (= b 1) (= c 1)))))
  (process 2 (shared (X 1)) (local (n 0)) (while (< n 2) (n := (+ n 1)) (put Y 1 X) (flush 1))))"""
# Many puts are pending, all of 1 and 2, or all of 2 and 3; no variable knows which.
HIDDEN = """(rma
  (process 1 (shared (Y 2)) (local (y 2)) (load y Y) (assert (<= y 3)))
  (process 2 (shared (X 2)) (local (c 2) (n 0))
    (choose c 1 3) (store X c) (c := 2)
    (while (< n 2) (n := (+ n 1)) (put Y 1 X))
    (store X 2))
  (invariant (>= Y 1)))"""
HIDDEN_PREDICATES = "".join(f"(<= {x} {k})\n" for x in "XYcn" for k in (0, 1, 2))


def conjuncts(formula):
    """The comparisons that are conjuncts of all of its cases: `x <= y`, or `x < y` for `x <= y - 1`."""
    if formula[0] in ("and", "or"):
        sets = [conjuncts(part) for part in formula[1:]]
        return set.union(*sets) if formula[0] == "and" else set.intersection(*sets)
    negated = formula[0] == "not"
    _, x, y = formula[1] if negated else formula
    less = isinstance(y, list)  # (+ y (- 1))
    if less:
        y = y[1]
    return {(f"{y} <= {x}" if less else f"{y} < {x}") if negated else f"{x} < {y}" if less else f"{x} <= {y}"}


class Prove(InFolder):
    def test_programs(self):
        """All whose predicates need no solver, with every flush."""
        for name in ("dekker", "dekker_third", "peterson", "szymanski", "kessel", "ticket", "abp", "pc1", "loop2", "pgsql", "qw", "queue", "sober",
                     "rma_lock", "figure2_flushed", "late_get_flushed"):
            with self.subTest(name):
                result = run("rma", "prove", TRACES / f"{name}.rma")
                self.assertEqual(result.code, HOLDS, result.text)
                self.assertTrue(result.text.startswith(f"{TRACES}/{name}.rma: verified\n"), result.text)

    def test_refined(self):
        """The predicates found at first are too weak; those of a path that they leave possible are enough."""
        for name in ("lost_update_atomic", "ticket_fetch", "mcs_lock"):
            with self.subTest(name):
                result = run("rma", "prove", TRACES / f"{name}.rma")
                self.assertEqual(result.code, HOLDS, result.text)
                self.assertRegex(result.text, r"\n  predicates: \d+, found in the program, refined \d times?, and ")
                report = json.loads(run("rma", "prove", TRACES / f"{name}.rma", "--format", "json").text)
                self.assertGreater(report["refinements"], 0)
                self.assertIsNone(report["reason"])
                # With these predicates at once, there is nothing to refine.
                given = self.write("\n".join(report["predicates"]) + "\n", "predicates")
                self.assertEqual(run("rma", "prove", TRACES / f"{name}.rma", "--predicates", given).code, HOLDS)

    def path_of(self, *arguments):
        """What is printed of the path that the predicates leave possible."""
        result = run("rma", "prove", "--engine", "abstraction", *arguments)
        self.assertEqual(result.code, UNKNOWN, result.text)
        return result.text[result.text.index("  a path that the predicates leave possible"):].splitlines()

    def test_counterexample(self):
        """The machine divides by zero where the abstraction takes any value."""
        head, legend, *steps, end = self.path_of(TRACES / "discarded_and_faulted.rma")
        self.assertEqual(head, "  a path that the predicates leave possible (sequential consistency, mode S), beside a run of the machine:")
        self.assertEqual(legend, "  * is a step of both, p one of the path only, m one of the machine only")
        self.assertEqual([line.split(", ")[0] for line in steps if line.startswith("        known: ")],
                         ["        known: (<= u 1)", "        known: (<= v 1)", "        known: (<= u 1)"])
        steps = [line for line in steps if not line.startswith("        known: ")]
        self.assertEqual(steps, ["    * line 7  choose  process 1: (choose u 0 1 2); u = 0",
                                 "    * line 8  assume  process 1: (assume (!= u 1))",
                                 "    p line 9  process 1: (v := (div 10 u))",
                                 "    p line 10 process 1: (u := v)",
                                 "        not known then: [end (assert (= u 5))] at line 11"])
        self.assertEqual(end, "  no run of the machine follows further. In this one, process 1: (v := (div 10 u)); "
                              "divides by zero: the run ends here, with u = 0")

    def test_counterexample_of_operations(self):
        """The reduced program executes one put three times. The machine follows up to the last time."""
        path = self.write(TWICE.replace(" (flush 1)", ""), "twice.rma")
        head, _, *lines = self.path_of(path)
        self.assertIn("(RMA, mode S)", head)
        steps = [line for line in lines if line.startswith("    ") and "known" not in line]
        self.assertEqual(sum(line.startswith("    p ") and "2#1 is executed: (put Y 1 X)" in line for line in steps), 3, steps)
        self.assertEqual(sum(line.startswith("    m ") and " nic_w " in line for line in steps), 2, steps)
        self.assertEqual(steps[-1], "    p line 3 process 1: (load c Y)")
        self.assertEqual(lines[-1], "  no run of the machine follows further. In this one, no operation of 2#1 is pending that could be executed next")
        found = json.loads(run("rma", "prove", path, "--engine", "abstraction", "--format", "json").text)["counterexample"]
        self.assertEqual((found["model"], found["mode"], found["property"], found["assertion"]["line"]), ("rma", "S", None, 3))
        processes = [step for step in found["path"] if step["process"] is not None]
        self.assertEqual(found["machine"]["follows"], len(found["path"]) - 2)
        self.assertEqual([step["operation"] for step in found["path"] if step["process"] is None], ["2#1"] * 3)
        self.assertEqual(processes[-1]["known"], [{"predicate": "(<= c 0)", "set": None, "value": False}])
        # What is printed of the machine is a run of it.
        again = run("rma", "run", path, "--schedule", found["machine"]["run"], "--format", "json")
        self.assertEqual(json.loads(again.text)["memory"], found["machine"]["memory"])

    def test_side_by_side(self):
        """Whichever has a proof first ends the other one."""
        path = self.write(EVEN, "even.rma")
        result = run("rma", "prove", path, "--engine", "abstraction", "--timeout", "1")
        self.assertEqual((result.code, result.text.partition("\n")[0]), (UNKNOWN, f"{path}: unknown: out of time"))
        result = run("rma", "prove", path)
        self.assertEqual(result.code, HOLDS, result.text)
        self.assertIn("\n  Horn clauses: proved; ", result.text)
        self.assertNotIn("a path that", result.text)
        report = json.loads(run("rma", "prove", path, "--format", "json").text)
        self.assertEqual((report["engine"], report["proved_by"], report["counterexample"]), ("both", "chc", None))
        report = json.loads(run("rma", "prove", TRACES / "peterson.rma", "--format", "json").text)
        self.assertEqual((report["engine"], report["proved_by"], report["clauses"]), ("both", "abstraction", None))
        # Of remote atomics there are no Horn clauses, and predicates of the user are about the abstraction.
        for arguments in ((TRACES / "ticket_fetch.rma",), (path, "--predicates", self.write("(<= a 3)", "predicates"))):
            self.assertEqual(json.loads(run("rma", "prove", *arguments, "--format", "json").text)["engine"], "abstraction")

    def test_without_z3(self):
        """Where the abstraction needs no solver, nobody misses it; where Horn clauses would have decided, it is said."""
        without = {"env": {**os.environ, "PATH": str(self.folder)}}
        self.assertEqual(run("rma", "prove", TRACES / "peterson.rma", **without).code, HOLDS)
        result = run("rma", "prove", self.write(SUM, "sum.rma"), "--solver", shutil.which("z3"), **without)
        self.assertEqual(result.code, UNKNOWN, result.text)
        self.assertIn("\n  Horn clauses: cannot start z3: ", result.text)

    def test_without_end(self):
        """No search of all states ends; without the flush the counter can go back."""
        self.assertEqual(run("rma", "prove", self.write(COUNTER, "counter.rma")).code, HOLDS)
        result = run("rma", "prove", self.write(COUNTER.replace(" (flush 1)", ""), "counter.rma"))
        self.assertEqual(result.code, FAILURE, result.text)
        self.assertIn(" (assert (<= z y)); does not hold\n", result.text)
        [schedule] = [line.removeprefix("  run: ") for line in result.text.splitlines() if line.startswith("  run: ")]
        again = run("rma", "run", self.folder / "counter.rma", "--schedule", schedule)
        self.assertEqual(again.code, FAILURE, again.text)

    def test_programs_without_end(self):
        """Without flushes they go wrong."""
        for name in ("counter", "queue", "ticket"):
            with self.subTest(name):
                path = TRACES / "unbounded" / f"{name}.rma"
                self.assertEqual(run("rma", "prove", path).code, HOLDS)
                bare = self.write(re.sub(r"\(flush [12]\)", "", path.read_text()), "bare.rma")
                self.assertEqual(run("rma", "prove", bare).code, FAILURE)

    def test_line_by_line(self):
        """What the page says that holds at each statement of the ticket lock holds in all states of the certificate."""
        program, folder = TRACES / "unbounded/ticket.rma", self.folder / "ticket"
        result = run("rma", "prove", program, "--predicates", program.with_suffix(".predicates"), "--certificate", folder)
        self.assertEqual(result.code, HOLDS, result.text)
        known, places = {}, set()
        for state in s_expressions((folder / "proof.smt").read_text())[0][1:]:
            holds = conjuncts(state[3])
            places.add(tuple(state[1][1:]))
            for at in state[1][1:]:
                known[at] = known.get(at, holds) & holds
        page = Path("docs/rma.md").read_text()
        rows = re.findall(r"^\| (\d+) \| `.*` \| (`.*`) \|$", page[page.index("### A proof, line by line"):page.index("## Horn clauses")], re.MULTILINE)
        self.assertGreater(len(rows), 8)
        for statement, claims in rows:
            for claim in re.findall("`(.*?)`", claims):
                self.assertIn(claim, known[statement], statement)
        together = [conjuncts(state[3]) for state in s_expressions((folder / "proof.smt").read_text())[0][1:]
                    if state[1][1] == "7" and 18 <= int(state[1][2]) <= 24]
        self.assertTrue(together and all({"m1 < m2", "S <= m1"} <= holds for holds in together))
        self.assertNotIn(("7", "25"), places)

    def test_remainders(self):
        """Without the last two flushes, a pending `get` may read 3 or 0, but not 1 or 2: the predicates have to say so."""
        head, *parts = (TRACES / "ticket.rma").read_text().split("(flush 1)")
        text = head + "".join(("(flush 1)" if i < 4 else "skip") + part for i, part in enumerate(parts))
        result = run("rma", "prove", self.write(text, "four.rma"))
        self.assertEqual(result.code, HOLDS, result.text)

    def test_atomics_without_end(self):
        """What the first comments of programs with remote atomics promise; without flushes, the lock fails, and the sum does not need any."""
        for name, bare_code in (("spin_lock", FAILURE), ("spin_lock_unflushed", FAILURE), ("tickets", FAILURE), ("accumulated", HOLDS)):
            with self.subTest(name):
                text = (TRACES / "unbounded" / f"{name}.rma").read_text()
                verified = "; prove: verified\n" in text
                self.assertNotEqual(verified, "; prove: violated\n" in text)
                self.assertEqual(run("rma", "prove", TRACES / "unbounded" / f"{name}.rma").code, HOLDS if verified else FAILURE)
                bare = self.write(re.sub(r"\(flush 1\)", "", text), "bare.rma")
                self.assertEqual(run("rma", "prove", bare).code, bare_code)

    def test_what_goes_wrong_is_not_verified(self):
        checked = 0
        for path in [*TRACES.glob("*.rma"), *(TRACES / "errata").glob("*.rma")]:
            text = path.read_text()
            if "; check rma: violated" not in text or len(text) > 1500:
                continue
            with self.subTest(path=path):
                self.assertEqual(run("rma", "prove", path).code, FAILURE)
            checked += 1
        self.assertGreater(checked, 10)

    def test_predicates_of_the_user(self):
        path = self.write(COUNTER, "counter.rma")
        found = run("rma", "predicates", path).text
        predicates = self.write("; those that were found\n" + found, "predicates")
        by_default, given = run("rma", "prove", path), run("rma", "prove", path, "--predicates", predicates)
        self.assertEqual(given.text, by_default.text.replace(", found in the program", ""))
        none = run("rma", "prove", path, "--predicates", self.write("", "predicates"), "--pending", "1")
        self.assertEqual(none.code, UNKNOWN, none.text)
        self.assertIn(": unknown: the predicates do not prove it under sequential consistency\n", none.text)

    def test_literal(self):
        for entry, name, predicates in (("R9", "R9_element_is_not_x", "(= Y X)"),
                                        ("R10", "R10_other_variable_changes", "(< Z Y)\n(< X Y)\n(< X 1)\n(> Y 0)")):
            with self.subTest(entry):
                command = ("rma", "prove", TRACES / "errata" / f"{name}.rma", "--predicates", self.write(predicates, "predicates"))
                self.assertEqual(run(*command).code, FAILURE)
                literal = run(*command, "--literal", entry)
                self.assertEqual(literal.code, HOLDS, literal.text)
                self.assertIn(f": verified (literal {entry})\n", literal.text)

    def test_regressions(self):
        """What their first comments promise, such as `; prove --plain with (= X 0), (= X 1): verified, RMA, mode K`."""
        promise = re.compile(r"; prove((?: [-\w]+)*?)(?: with (.*))?: (verified|violated|unknown)(?:, (RMA), mode (.))?")
        kept = 0
        for path in sorted(Path("tests/regressions").glob("*.rma")):
            for line in path.read_text().splitlines():
                if not line.startswith("; prove"):
                    continue
                with self.subTest(path=path, line=line):
                    options, predicates, verdict, model, mode = promise.fullmatch(line).groups()
                    arguments = options.split()
                    if predicates:
                        arguments += ["--predicates", self.write(predicates.replace(", ", "\n"), "predicates")]
                    report = json.loads(run("rma", "prove", path, "--engine", "abstraction", "--format", "json", *arguments).text)
                    self.assertEqual(report["verdict"], verdict, report)
                    if model:
                        last = report["attempts"][-1]
                        self.assertEqual((last["model"], last["mode"]), (model.lower(), mode))
                    kept += 1
        self.assertEqual(kept, 16)

    def test_bad_predicates(self):
        path = self.write(COUNTER.replace("(assert", "[here (assert").replace("z y))", "z y))]"), "counter.rma")
        for text, *places in (("(<= z y)\n(<= z q)\n  (= q 1) ; and", "2:7: error[RS2]: `q` is not declared", "3:6: error[RS2]: `q` is not declared"),
                              ("\n(+ z 1)", "2:2: error[RS6]: a predicate is Bool, not Int"),
                              ("(<= z", "1:6: error[syntax]: expected `)`, found the end of the line"),
                              ("(<= z y))", "1:9: error[syntax]: expected the end of the line, found `)`"),
                              ("(<= z y) (= z 1)", "1:10: error[syntax]: expected the end of the line, found `(`"),
                              ("z <= y", "1:3: error[syntax]: expected the end of the line, found `<`"),
                              ("(foo z y)", "1:2: error[syntax]: expected an operator, found `foo`"),
                              ("; places\n(at 1 here)", "2:1: error[syntax]: a predicate is about variables, without `(at pid rho)`"),
                              ("true) (invariant true", "1:5: error[syntax]: expected the end of the line, found `)`")):
            with self.subTest(text):
                result = run("rma", "prove", path, "--predicates", self.write(text, "predicates"))
                self.assertEqual((result.code, result.text), (BAD_INPUT, ""), result.error_text)
                for place in places:
                    self.assertIn(f"{self.folder}/predicates:{place}\n", result.error_text)
        self.assertEqual(run("rma", "prove", path, "--predicates", self.folder / "missing").code, BAD_INPUT)

    def test_options(self):
        path = TRACES / "figure2.rma"
        for options in (("--literal", "R2"), ("--literal", "R9,R9"), ("--cube", "65"), ("--hops", "0"), ("--solver", "'")):
            self.assertEqual(run("rma", "prove", path, *options).code, BAD_INPUT, options)
        atomics = run("rma", "prove", TRACES / "counter_fetch.rma", "--certificate", self.folder / "proof")
        self.assertEqual((atomics.code, atomics.text), (BAD_INPUT, ""))
        self.assertIn(" is a remote atomic, and there are no Horn clauses and no certificates of programs with remote atomics\n", atomics.error_text)
        self.assertIn("hint: `matchpoint rma check` ", atomics.error_text)

    def test_solvers(self):
        path = self.write(MODULO, "modulo.rma")
        for solver in ("z3", "cvc5"):
            document = json.loads(run("rma", "prove", path, "--solver", solver, "--format", "json").text)
            self.assertGreater(document["questions"], 0)
        missing = run("rma", "prove", path, "--solver", "./no-such-solver")
        self.assertEqual((missing.code, missing.text), (SOLVER_FAILED, ""))
        self.assertIn("cannot start ./no-such-solver", missing.error_text)
        self.assertEqual(run("rma", "prove", path, "--solver", "sh -c 'echo nonsense'").code, SOLVER_FAILED)

    def test_time(self):
        """Each question to the solver has a limit: about squares it may never answer."""
        for program, limit in ((TRACES / "unbounded/abp.rma", "0.02"), (self.write(SQUARE, "square.rma"), "0.3")):
            result = run("rma", "prove", program, "--timeout", limit)
            self.assertEqual(result.code, UNKNOWN, result.text + result.error_text)

    def abstract(self, *arguments):
        """The text of each Boolean program, without its first line, and the numbers in that."""
        result = run("rma", "abstract", *arguments)
        self.assertEqual(result.code, HOLDS, result.error_text)
        found = {}
        for part in result.text.split("\n\n"):
            head, _, text = part.partition("\n")
            name, _, sizes = head.removeprefix("; ").partition(": ")
            found[name] = (text.splitlines(), [int(n) for n in re.findall(r"\d+", sizes)])
        return found

    def test_boolean_programs(self):
        for name in ("dekker", "szymanski", "figure2_flushed"):
            with self.subTest(name):
                path = TRACES / f"{name}.rma"
                proof = json.loads(run("rma", "prove", path, "--format", "json").text)
                programs = self.abstract(path)
                self.assertEqual(list(programs), ["BP(P, V)", "EBP"])
                n, m = len(proof["predicates"]), proof["set_predicates"]
                (sc, sizes), (rma, extrapolated) = programs.values()
                counts = len(re.findall(r"^execute ", "\n".join(rma), re.M))
                self.assertEqual(sizes[0], n)
                self.assertEqual(extrapolated[:4], [n + m + counts, n, m, counts])
                for lines, size in ((sc, sizes[-1]), (rma, extrapolated[-1])):
                    self.assertEqual(size, sum(not line.lstrip().startswith(";") for line in lines))
                    self.assertEqual([line.split("; ")[1] for line in lines[:n]], proof["predicates"])
                self.assertEqual(self.abstract(path, "--sc"), {"BP(P, V)": programs["BP(P, V)"]})

    def test_boolean_statements(self):
        """One line of each kind, and that a predicate with both variables is unknown (R9) unless that is read literally."""
        path = self.write("(rma (process 1 (shared (Y 0))) (process 2 (shared (X 1)) (local (u 0)) (atomic (load u X) (put Y 1 X))"
                          " [a (if (= u 1) ((choose u 2 1)) ((goto b)))] (store X 2) [b (assume (= u 1))] (assert (= u 1)) (flush 1))"
                          " (assert final (= Y X)) (invariant (or (at 2 a) (= Y X))))")
        predicates = self.write("(= Y X)\n(= u 1)\n(= X 1)", "predicates")
        programs = self.abstract(path, "--predicates", predicates, "--plain")
        sc, rma = ("\n".join(lines) for lines, _ in programs.values())
        for line in ("p1 = false  ; (= Y X)", "  1: p2 := p3", "  0: begin atomic", "     end atomic", "  3: if p2\n       if p2 = *: p2 := true\n       goto 4\n     else\n       if p2 = *: p2 := false\n       goto 5", "  5: goto 7",
                     "  4: either\n       p2 := false\n     or\n       p2 := true\n     goto 6",
                     "  2: p1 := true", "  6: p1 := *\n     p3 := false", "  7: assume p2\n     if p2 = *: p2 := true",
                     "  8: assert p2", "  9: skip", "assert final p1", "if not (at 2 a): invariant p1"):
            self.assertIn(line + "\n", sc + "\n")
        for line in ("p1[set(2#1)] = *", "active(2#1) = 0", "     assume active(2#1) > 0\n     p1 := *\n     if active(2#1) > 0: p1[set(2#1)] := *\n     if active(2#1) = 1\n       active(2#1) := 0",
                     "  2: if active(2#1) = 0\n       active(2#1) := 1\n       p1[set(2#1)] := p1\n       p3[set(2#1)] := p3\n     else",
                     "     if active(2#1) > 0: p3[set(2#1)] := choose(p3[set(2#1)] and p3, not p3[set(2#1)] and not p3)",
                     "  9: execute-until active(2#1) = 0: 2#1", "finally execute-until active(2#1) = 0: 2#1", "always execute-one 2#1"):
            self.assertIn(line + "\n", rma + "\n")
        literal = self.abstract(path, "--predicates", predicates, "--plain", "--literal", "R9")
        self.assertIn("     assume active(2#1) > 0\n     p1 := true\n", "\n".join(literal["EBP"][0]))

    def test_boolean_atomics(self):
        """Both steps of an atomic; what is fetched second joins what was fetched first, unless Y is beside it."""
        path = self.write("(rma (process 1 (shared (Y 0))) (process 2 (shared (X 0) (Z 1)) (fetch-and-op X Y 1 + Z) (flush 1)))")
        programs = self.abstract(path, "--predicates", self.write("(<= X 0)\n(<= Y 0)\n(<= X Y)", "predicates"), "--plain")
        sc, rma = ("\n".join(lines) for lines, _ in programs.values())
        self.assertIn("  0: p1 := p2\n     p2 := choose(false, not p2)\n     p3 := true\n", sc)
        for line in ("     if active(2#1-fetched) > 0: p3[set(2#1-fetched)] := *\n     if active(2#1-fetched) = 0: p1[set(2#1-fetched)] := p2\n",
                     "     else: p1[set(2#1-fetched)] := choose(p1[set(2#1-fetched)] and (p2), not p1[set(2#1-fetched)] and (not p2))\n",
                     "     if active(2#1-fetched) = 0: p3[set(2#1-fetched)] := true\n     if active(2#1-fetched) = 0: active(2#1-fetched) := 1 else:",
                     "     assume active(2#1-fetched) > 0\n     p1 := p1[set(2#1-fetched)]\n     p3 := p3[set(2#1-fetched)]\n",
                     "  0: if active(2#1) = 0: active(2#1) := 1 else: active(2#1) := 2\n",
                     "  1: execute-until active(2#1) = 0 and active(2#1-fetched) = 0: 2#1 2#1-fetched\n"):
            self.assertIn(line, rma + "\n")

    def test_boolean_programs_that_are_not_printed(self):
        path = self.write(MODULO, "modulo.rma")
        self.assertEqual(run("rma", "abstract", path, "--predicates", self.write("(<= u", "predicates")).code, BAD_INPUT)
        self.assertEqual(run("rma", "abstract", path, "--solver", "./no-such-solver").code, SOLVER_FAILED)


class Certificates(InFolder):
    def certified(self, path, *options):
        folder = self.folder / "proof"
        result = run("rma", "prove", path, "--certificate", folder, *options)
        return result, folder

    def checked(self, folder, program):
        return check(folder, program, command=RMA_COMMAND)

    def accepts(self, path, *options):
        result, folder = self.certified(path, *options)
        self.assertEqual((result.code, result.error_text), (HOLDS, ""), result.text)
        code, said = self.checked(folder, path)
        self.assertEqual(code, 0, said)
        self.assertIn("say each of z3 and cvc5", said)
        return folder

    @long_test
    def test_certified_with_three_flushes(self):
        """The unbounded ticket lock with three flushes of six: 40,000 abstract states, where many operations are pending."""
        head, *parts = (TRACES / "unbounded/ticket.rma").read_text().split("(flush 1)")
        text = head + "".join(("(flush 1)" if i in (0, 1, 5) else "skip") + part for i, part in enumerate(parts))
        program = self.write(text, "three.rma")
        result, folder = self.certified(program)
        self.assertEqual(result.code, HOLDS, result.text)
        code, said = self.checked(folder, program)
        self.assertEqual(code, 0, said)

    def test_accepted(self):
        for name in ("late_get_flushed", "errata/R8_executes_twice"):  # the second in mode S
            with self.subTest(name):
                self.folder = Path(self.folder) / name.replace("/", "_")
                self.folder.mkdir()
                self.accepts(TRACES / f"{name}.rma")

    def test_changed(self):
        """Each state is needed, and what is said of it, but for what nobody asks about."""
        path = TRACES / "figure2_flushed.rma"
        folder = self.accepts(path)
        states = re.findall(r"^  (\(state .*\))$", (folder / "proof.smt").read_text().removesuffix(")\n"), re.M)
        weaker = [re.sub(r"(\(active[^)]*\)) .*", r"\1 true)", state) for state in states]
        refused = 0
        for i in range(len(states)):
            for changed, must in ((states[:i] + states[i + 1:], True), ([*states[:i], weaker[i], *states[i + 1:]], False)):
                (folder / "proof.smt").write_text("(rma-proof " + "\n".join(changed) + ")")
                code, said = check(folder, path, "--solver", "z3", command=RMA_COMMAND)
                self.assertTrue(code == 1 or not must, said)
                refused += code == 1
        self.assertGreater(refused, len(states) + len(states) // 2)

    def test_two_elements_of_a_set(self):
        """A rule takes both from one set, also where two states of the abstraction have other sets."""
        self.accepts(self.write(HIDDEN, "hidden.rma"), "--predicates", self.write(HIDDEN_PREDICATES, "predicates"))

    def test_without_end(self):
        self.accepts(self.write(COUNTER, "counter.rma"))

    def test_of_horn_clauses(self):
        self.accepts(self.write(EVEN, "even.rma"))

    def test_no_certificate(self):
        """A proof that is wrong has none, and what is violated has none."""
        predicates = self.write("(= Y X)", "predicates")
        result, folder = self.certified(TRACES / "errata/R9_element_is_not_x.rma", "--predicates", predicates, "--literal", "R9")
        self.assertEqual(result.code, UNKNOWN, result.text)
        self.assertIn("verified", result.text)
        self.assertIn("no certificate: z3 says that its formulas are not inductive", result.error_text)
        self.assertFalse(folder.exists())
        result, folder = self.certified(TRACES / "figure2.rma")
        self.assertEqual((result.code, result.error_text), (FAILURE, ""))
        self.assertFalse(folder.exists())

    def test_a_folder_that_is_not_empty(self):
        (self.folder / "proof").mkdir()
        (self.folder / "proof/file").write_text("")
        result, folder = self.certified(TRACES / "figure2_flushed.rma")
        self.assertEqual((result.code, result.text), (OUTPUT_FAILED, ""))
        self.assertFalse((folder / "proof.smt").exists())


class Flushes(InFolder):
    def flushes(self, path, *options):
        return run("rma", "flushes", path, *options)

    def test_the_least_number(self):
        """That of exploration."""
        for engine, name in (("abstraction", "peterson"), ("abstraction", "qw"), ("chc", "figure2_two_flushes")):
            with self.subTest(name):
                path = TRACES / f"{name}.rma"
                first = self.flushes(path).text.splitlines()[:2]
                result = self.flushes(path, "--engine", engine)
                self.assertEqual((result.code, result.text.splitlines()[:2]), (HOLDS, first))

    def test_without_end(self):
        text = (TRACES / "queue.rma").read_text().replace("(< n 3)", "true").replace("(< h 3)", "true")
        path, flushed = self.write(text, "queue.rma"), self.folder / "flushed.rma"
        result = self.flushes(path, "--engine", "abstraction", "-o", flushed)
        self.assertEqual(result.code, HOLDS, result.text)
        self.assertIn(": 1 of 2 flushes are enough, and no fewer\n", result.text)
        self.assertIn("does not hold\n", result.text)
        self.assertEqual(run("rma", "prove", flushed).code, HOLDS)

    def test_the_least_found(self):
        """Nothing goes wrong without flushes, but that is not proved."""
        path = self.write(TWICE, "twice.rma")
        self.assertIn(": 0 of 1 flush is enough, and no fewer\n", self.flushes(path).text)
        result = self.flushes(path, "--engine", "abstraction")
        self.assertEqual(result.code, HOLDS, result.error_text)
        self.assertIn(": 1 of 1 flush is enough, the least found\n", result.text)
        self.assertIn("  needed, as runs show: none\n", result.text)
        self.assertIn("  undecided: 1 placement of at most this size: the predicates do not prove it under RMA\n", result.text)
        document = json.loads(self.flushes(path, "--engine", "abstraction", "--format", "json").text)
        self.assertEqual((document["engine"], document["least"], document["fewer_may_suffice"]), ("abstraction", 1, True))

    def test_not_proved(self):
        program = SQUARE.replace("(process 1", "(process 2 (shared (X 0)) (put Y 1 X) (flush 1)) (process 1 (shared (Y 0))")
        path = self.write(program, "square.rma")
        result = self.flushes(path, "--engine", "abstraction", "--timeout", "0.5")
        self.assertEqual(result.code, UNKNOWN, result.error_text)
        self.assertIn(": unknown: with 1 flush it is neither proved nor refuted\n  undecided: 1 placement: ", result.text)
        document = json.loads(self.flushes(path, "--engine", "abstraction", "--timeout", "0.3", "--format", "json").text)
        self.assertEqual((document["answer"], document["least"]), ("open", None))

    def test_goes_wrong(self):
        for engine in ("abstraction", "chc"):
            result = self.flushes(TRACES / "store_buffering_one_flush.rma", "--engine", engine)
            self.assertEqual(result.code, FAILURE, result.text)

    def test_atomics(self):
        result = self.flushes(TRACES / "unbounded/tickets.rma", "--engine", "abstraction")
        self.assertEqual(result.code, HOLDS, result.error_text)
        self.assertIn("tickets.rma: 1 of 1 flush is enough, and no fewer\n", result.text)

    def test_state(self):
        """An engine does not read the answers of another one."""
        path, state = TRACES / "figure2_two_flushes.rma", self.folder / "state.json"
        command = (path, "--engine", "abstraction", "--state", state)
        first = self.flushes(*command)
        self.assertEqual((first.code, self.flushes(*command, "--jobs", "2").text), (HOLDS, first.text))
        for other in ("exploration", "chc"):
            self.assertEqual(self.flushes(path, "--engine", other, "--state", state).code, BAD_INPUT)

    def test_arguments(self):
        for arguments, says in (((TRACES / "counter_fetch.rma", "--engine", "chc"), "there are no Horn clauses and no certificates"),
                                ((TRACES / "figure2.rma", "--values", "0..3", "--engine", "abstraction"), "--values needs --engine exploration")):
            result = self.flushes(*arguments)
            self.assertEqual((result.code, result.text), (BAD_INPUT, ""))
            self.assertIn(says, result.error_text)
        without = run("rma", "flushes", TRACES / "figure2_flushed.rma", "--engine", "chc", env={"PATH": str(self.folder)})
        self.assertEqual((without.code, without.text), (SOLVER_FAILED, ""), without.error_text)


if __name__ == "__main__":
    unittest.main()
