#!/usr/bin/env python3
"""`explore --outcomes`: the table against runs of the reference machine along all traces that `explore` finds. `check
--deterministic` against that table."""

import json
import re
import unittest
from collections import Counter
from pathlib import Path

from support import BAD_INPUT, BUFFERINGS, FAILURE, HOLDS, INFEASIBLE, InFolder, run

PROGRAMS = ["traces/figure1.ctp", "traces/figure16.ctp", "traces/rule_assume.ctp", "traces/deadlock_of_some_executions.ctp",
            "traces/selectors_master_and_workers.ctp", "traces/shared_memory/lost_update.ctp", "traces/shared_memory/account.ctp",
            "traces/shared_memory/hybrid_counter.ctp", "traces/shared_memory/check_then_act.ctp", "traces/errata/f11_figure_1.ctp"]


def shown(value):
    return "-" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


class Outcomes(InFolder):
    def explored(self, *arguments):
        return json.loads(run("explore", *arguments, "--format", "json").text)

    def stores(self, path, buffering, traces):
        """Status and store after each trace."""
        text = re.sub(r";.*", "", path.read_text())
        file = self.write(text + "\n" + "\n".join(traces) + "\n")
        own = len(json.loads(run("run", path, "--format", "json").text)["traces"])
        document = json.loads(run("run", file, "--buffering", buffering, "--format", "json").text)
        return [(t["status"], t["store"]) for t in document["traces"][own:]]

    def test_against_the_machine(self):
        """All runs, grouped by the values of all variables, of each one, and of two."""
        several = 0
        for path in map(Path, PROGRAMS):
            for buffering in BUFFERINGS:
                document = self.explored(path, "--buffering", buffering)
                runs = [e["trace"] for e in document["executions"] if e.get("end", "complete") == "complete" and e["status"] in ("success", "failure", "infeasible")]
                ends = [(status, store) for status, store in self.stores(path, buffering, runs) if status != "infeasible"]
                variables = sorted({x for _, store in ends for x in store})
                if not variables:
                    continue
                for chosen in (variables, *([x] for x in variables), variables[-2:]):
                    counts = Counter((status, *(store.get(x) for x in chosen)) for status, store in ends)
                    wanted = {values: [counts["success", *values], counts["failure", *values]] for _, *rest in counts for values in [tuple(rest)]}
                    options = (path, "--buffering", buffering, "--outcomes", ",".join(chosen))
                    outcomes = self.explored(*options)["outcomes"]
                    with self.subTest(path=path, buffering=buffering, chosen=chosen):
                        self.assertEqual({tuple(o["values"].values()): [o["success"], o["failure"]] for o in outcomes}, wanted)
                        self.assertEqual(len(outcomes), len(wanted))
                        for outcome, (_, store) in zip(outcomes, self.stores(path, buffering, [o["trace"] for o in outcomes]), strict=True):
                            self.assertEqual({x: store.get(x) for x in chosen}, outcome["values"])
                        self.check_text(run("explore", *options).text, outcomes)
                    several += len(wanted) > 1
        self.assertGreater(several, 20)

    def check_text(self, text, outcomes):
        _, head, *lines = text.split("\ncomplete: ")[0].splitlines()
        self.assertEqual(head, f"outcomes: {len(outcomes)}")
        told = [line for line in lines if re.match(r"  [^( ]", line)]
        self.assertEqual(told, ["  " + ", ".join(f"{x} = {shown(v)}" for x, v in o["values"].items()) + ": " +
                                ", ".join(f"{o[s]} {s}" for s in ("success", "failure") if o[s]) for o in outcomes])

    def test_order(self):
        """By length, then by digits."""
        path = self.write("( " + " ".join(f"( [{i} (sndi s{i} {i} 9 {v})] )" for i, v in enumerate((100, 9, -1, 10))) +
                          " ( [a (rcvi R 9 x)] [b (wait R)] ) )\n")
        self.assertEqual([o["values"]["x"] for o in self.explored(path, "--outcomes", "x")["outcomes"]], [9, -1, 10, 100])

    def test_what_is_refused(self):
        for arguments, saying in ((("--outcomes", "a,B,zz"), "--outcomes: there is no variable `zz`"), (("--outcomes", ""), "names of variables are missing"),
                                  (("--outcomes", "a,"), "there is no variable ``"), (("--outcomes", "a", "--verdicts"), "not with --outcomes"),
                                  (("--outcomes", "bb"), "did you mean")):
            result = run("explore", "traces/figure1.ctp", *arguments)
            self.assertEqual((result.code, result.out), (BAD_INPUT, b""))
            self.assertIn(saying, result.error_text)

    def determinism(self, *arguments):
        return json.loads(run("check", "--deterministic", *arguments, "--format", "json").text)["determinism"]

    def test_deterministic(self):
        """Two runs with different values are shown if and only if the table has two rows."""
        answers = Counter()
        for path in (*map(Path, PROGRAMS), *map(Path, ("traces/barrier_straight.ctp", "traces/deadlock_circular_wait.ctp"))):
            for buffering in BUFFERINGS:
                with self.subTest(path=path, buffering=buffering):
                    found, = self.determinism(path, "--buffering", buffering)
                    answers[found["answer"]] += 1
                    if found["run"] is None:
                        self.assertEqual(found["answer"], "no run")
                        continue
                    variables = ",".join(found["run"]["values"])
                    table = self.explored(path, "--buffering", buffering, "--outcomes", variables)["outcomes"]
                    self.assertEqual(found["answer"], "same" if len(table) == 1 else "differs")
                    ends = [end for end in (found["run"], found["other_run"]) if end is not None]
                    self.assertEqual([store for _, store in self.stores(path, buffering, [end["trace"] for end in ends])], [end["values"] for end in ends])
                    for end in ends:
                        self.assertIn(end["values"], [row["values"] for row in table])
        self.assertEqual(set(answers), {"same", "differs", "no run"})

    def test_deterministic_text(self):
        result = run("check", "--deterministic", "traces/figure1.ctp", "--outcomes", "B", "--engine", "explore")
        self.assertEqual(result.code, FAILURE)
        head, values, one, *_ = result.text.splitlines()
        self.assertEqual(head, "traces/figure1.ctp, infinite buffering: the outcome depends on the schedule")
        self.assertIn(values, ("  B = 1 or 4", "  B = 4 or 1"))
        self.assertEqual(one, "  one run:")
        same = run("check", "--deterministic", "traces/barrier_straight.ctp", "--buffering", "both")
        self.assertEqual((same.code, same.text.count("  every complete run ends with x = 1, y = 2\n")), (HOLDS, 2))
        self.assertEqual(run("check", "--deterministic", "traces/deadlock_circular_wait.ctp").code, INFEASIBLE)

    def test_every_engine_says_the_same(self):
        for engine in ("explore", "sat", "smt"):
            for path, answer in (("traces/figure1.ctp", "differs"), ("traces/barrier_straight.ctp", "same"), ("traces/shared_memory/lost_update.ctp", "differs")):
                with self.subTest(engine=engine, path=path):
                    self.assertEqual([found["answer"] for found in self.determinism(path, "--engine", engine)], [answer])

    def test_what_deterministic_refuses(self):
        for arguments, saying in ((("--outcomes", "a"), "--outcomes is for --deterministic"), (("--deterministic", "--outcomes", "zz"), "there is no variable `zz`"),
                                  (("--deterministic", "--runs", "complete"), "--runs says nothing"), (("--deterministic", "--model", "hb"), "not about those of a model"),
                                  (("--deterministic", "--format", "sarif"), "has no SARIF"), (("--deterministic", "-o", "x"), "writes no file"),
                                  (("--deterministic", "--certificate", "x"), "has no certificate")):
            result = run("check", "traces/figure1.ctp", *arguments)
            self.assertEqual((result.code, result.out), (BAD_INPUT, b""), arguments)
            self.assertIn(saying, result.error_text)


if __name__ == "__main__":
    unittest.main()
