#!/usr/bin/env python3
"""`explore --outcomes`: the table against runs of the reference machine along all traces that `explore` finds."""

import json
import re
import unittest
from collections import Counter
from pathlib import Path

from support import BAD_INPUT, BUFFERINGS, InFolder, run

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


if __name__ == "__main__":
    unittest.main()
