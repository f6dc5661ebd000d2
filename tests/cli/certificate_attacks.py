#!/usr/bin/env python3
"""Wrong certificates, made by hand: the checker refuses each of them, or says that it cannot read it. Honest ones of odd
programs are good."""

import hashlib
import itertools
import json
import os
import random
import re
import shutil
import unittest
import unittest.mock
from collections import Counter

from checker import check
from support import DEADLOCK, ERROR, FAILURE, HOLDS, INFEASIBLE, InFolder, run

# The reading of "outcome", where the binary has both.
COMPLETE = ["--runs", "complete"] if b"--runs" in run("check", "--help").out else []

# r can get s or t, and with t the assertion fails.
VIOLATED = ("( ( [a (rcvi r 0 x)] [b (wait r)] [c (assert (= x 1))] )\n"
            "  ( [d (sndi s 1 0 1)] ) ( [e (sndi t 2 0 2)] [f (wait t)] ) )\n")
SUCCEEDS = "( (a bot) (d bot) (e bot) (f bot) (b ((0 1) bot)) (c bot) )\n"
MEANINGS = ["match r s", "match r t", "fails c"]
HONEST = [("1 2", "get r"), ("-1 -2", "one r"), ("3", "some"), ("-3 -1", "holds c")]  # they leave 2 and 3
PROOF = ["-1 0", "2 0", "0"]

# The same, but both messages are 1.
SAFE = VIOLATED.replace("(sndi t 2 0 2)", "(sndi t 2 0 1)")
SAFE_CLAUSES = [*HONEST, ("-3 -2", "holds c")]


def about(text, **changes):
    return {"schema": {"name": "matchpoint.certificate", "version": 1}, "verdict": "safe", "buffering": "infinite",
            "runs": "complete", "program_sha256": hashlib.sha256(text if isinstance(text, bytes) else text.encode()).hexdigest(), "kind": "clauses",
            "clauses": 1, "solver": "me", **changes}


# Programs with selectors, modes, barriers, mprobes and collectives, and changes that make other programs of them: a text and its replacement.
TAGS = ("( ( [a (rcvi r 0 x (tag 1) (source u) (tagged n))] [b (wait r)] [c (assert (= x 5))] [d (assert (= n 1))] [e (assert (= u 4))] )"
        "  ( [f (sndi s 4 0 5 (tag 1))] [g (sndi t 4 0 6 (tag 2))] ) )")
FROM = ("( ( [a (rcvi r 0 x (from 1))] [b (rcvi q 0 y (from 2))] [c (wait q)] [d (wait r)] [e (assert (= x 1))] [f (assert (= y 2))] )"
        "  ( [g (sndi s 1 0 1)] ) ( [h (sndi t 2 0 2)] ) )")
WHO = ("( ( [a (rcvi r 0 x (source u) (tagged n))] [b (rcvi q 0 y (source v))] [c (wait q)] [d (assert (= (= u 1) (= x -5)))]"
       "    [e (assert (= (= u 2) (= n 7)))] [f (assert (=> (= v 1) (= y -5)))] )"
       "  ( [g (sndi s 1 0 -5)] ) ( [h (sndi t 2 0 6 (tag 7))] ) )")
MODES = ("( ( [a (rcvi r 0 x)] [b (wait r)] [c (assert (= x 1))] [d (rcvi q 0 y)] [e (wait q)] )"
         "  ( [h (ssndi s 1 0 1)] [i (wait s)] [j (sndi k 1 3 1)] )"
         "  ( [l (rcvi m 3 z)] [n (wait m)] [o (sndi t 2 0 2)] ) )")
BARRIER = ("( ( [a (rcvi r 0 x)] [b (wait r)] [c (barrier B)] [d (rcvi q 0 y)] [e (wait q)] [f (assert (= x 1))] )"
           "  ( [g (sndi s 1 0 1)] [h (barrier B)] [i (u := 0)] ) ( [j (barrier B)] [k (sndi t 2 0 2)] ) )")
MPROBE = ("( ( [a (rcvi r 0 x)] [b (mprobe p 0 (source u))] [c (start p y)] [d (assert (>= u 1))] [e (wait p)] [f (assert (=> (= u 2) (= y 2)))] [i (wait r)]"
          "    [j (assert (=> (= u 2) (= x 1)))] )"
          "  ( [g (sndi s 1 0 1)] ) ( [h (sndi t 2 0 2)] ) )")
CALLS = ("( ( [a (rcvi r 0 x)] [b (wait r)] [c (collective K C bcast (root 0))] [d (rcvi q 0 y)] [e (wait q)] [f (assert (= x 1))] )"
         "  ( [g (sndi s 1 0 1)] [h (collective L C bcast (root 0))] [i (u := 0)] ) ( [j (collective M C bcast (root 0))] [k (sndi t 2 0 2)] ) )")
CHANGES = {
    MPROBE: [("(source u)", "(tagged u)"), ("t 2 0 2", "t 2 0 3"), ("s 1 0 1", "s 1 0 2"), ("0 x)", "0 x (from 2))"), ("[d (assert (>= u 1))]", "[d (assert (>= u 2))]"),
             ("[b (mprobe p 0 (source u))] [c (start p y)]", "[b (mprobe p 0 (source u))] [c2 (barrier B)] [c (start p y)]"), ("t 2 0 2", "t 3 0 2"),
             ("[b (mprobe p 0 (source u))] [c (start p y)]", "[b (probe p2 0 (source u))] [b2 (mprobe p 0)] [c (start p y)]")],
    CALLS: [("[j (collective M C bcast (root 0))]", "[j (w := 0)]"), ("[j (collective M C bcast (root 0))]", "[j (collective M C barrier)]"),
            ("[j (collective M C bcast (root 0))]", "[j (icollective M C bcast (root 0))]"), ("M C bcast (root 0)", "M C bcast (root 2)"),
            ("[j (collective M C bcast (root 0))] [k (sndi t 2 0 2)]", "[j (sndi t 2 0 2)] [k (collective M C bcast (root 0))]"),
            ("[b (wait r)] [c (collective K C bcast (root 0))]", "[b (collective K C bcast (root 0))] [c (wait r)]"),
            ("[h (collective L C bcast (root 0))]", "[h (v := 0)]"), ("K C bcast (root 0)", "K D barrier"), ("M C bcast (root 0)", "M D barrier")],
    TAGS: [("(tag 1) (source", "(tag 2) (source"), ("5 (tag 1)", "5 (tag 2)"), ("6 (tag 2)", "5 (tag 1)"), ("5 (tag 1)", "5"),
           ("(source u) (tagged n)", "(source n) (tagged u)"), ("(tag 1) (source", "(source"), ("(tag 1) (source", "(tag 1 2) (source"),
           ("(tag 1) (source", "(tag) (source"), ("(tag 1) (source", "(from 5) (source"), ("(tag 1) (source", "(from 4) (source")],
    FROM: [("x (from 1)", "x (from 2)"), ("y (from 2)", "y (from 1)"), ("x (from 1)", "x"), ("y (from 2)", "y (from 1 2)"),
           ("x (from 1)", "x (from)"), ("x (from 1)", "x (tag 1)"), (" (from 1)", " (from 3)"), ("s 1 0 1", "s 1 0 2"),
           ("x (from 1))] [b (rcvi q 0 y (from 2)", "x (from 2))] [b (rcvi q 0 y (from 1)"),
           ("x (from 1))] [b (rcvi q 0 y (from 2)", "x (from 1 2))] [b (rcvi q 0 y (from 2 1)"),
           ("x (from 1))] [b (rcvi q 0 y (from 2)", "x)] [b (rcvi q 0 y")],
    WHO: [("(source u) (tagged n)", "(source n) (tagged u)"), ("(source u)", "(tagged u)"), ("(source u)", "(source n)"), ("6 (tag 7)", "6 (tag 8)"),
          ("6 (tag 7)", "6"), ("s 1 0 -5", "s 3 0 -5"), ("s 1 0 -5", "s 1 0 -6"), ("s 1 0 -5", "s 1 0 -5 (tag 7)"), ("(source v)", "(from 1) (source v)"),
          ("y (source v)", "y (tag 0) (source v)")],
    MODES: [("(ssndi s", "(sndi s"), ("(ssndi s", "(bsndi s"), ("[i (wait s)]", "[i (w := 0)]"), ("0 y)", "0 y (from 1))"), ("0 x)", "0 x (from 2))")],
    BARRIER: [("[g (sndi s 1 0 1)] [h (barrier B)]", "[g (barrier B)] [h (sndi s 1 0 1)]"), ("[b (wait r)] [c (barrier B)]", "[b (barrier B)] [c (wait r)]"),
              ("[j (barrier B)] [k (sndi t 2 0 2)]", "[j (sndi t 2 0 2)] [k (barrier B)]"), ("[j (barrier B)]", "[j (barrier C)]"),
              ("[j (barrier B)]", "[j (w := 0)]"), ("[a (rcvi r 0 x)] [b (wait r)] [c (barrier B)]", "[a (barrier B)] [b (rcvi r 0 x)] [c (wait r)]")]}


class Attacks(InFolder):
    made = 0
    kinds = Counter()

    @classmethod
    def tearDownClass(cls):
        print(f"{sum(cls.kinds.values())} wrong certificates of {len(cls.kinds)} kinds")

    def forged(self, text, clauses=(), meanings=MEANINGS, proof=PROOF, witness=SUCCEEDS, other=None, **changes):
        """A certificate's folder; `other` has files to add or replace, or None to leave one out."""
        self.made += 1
        folder = self.folder / f"forged{self.made}"
        folder.mkdir()
        cnf = [*(f"c var {i} {m}" for i, m in enumerate(meanings, 1)), f"p cnf {len(meanings)} {len(clauses)}",
               *(" ".join([*literals.split(), "0"]) for literals, _ in clauses)]
        files = {"program.ctp": text, "witness.ctp": text + witness, "clauses.cnf": "\n".join(cnf) + "\n",
                 "clauses.reasons": "".join(reason + "\n" for _, reason in clauses), "clauses.drat": "".join(p + "\n" for p in proof),
                 "certificate.json": json.dumps(about(text, **{"clauses": len(clauses), **changes})), **(other or {})}
        for name, content in files.items():
            if content is not None:
                (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return folder

    def checked(self, folder):
        code, text = check(folder)
        self.assertNotIn("Traceback", text)
        self.assertEqual(len(text.splitlines()), 1, text)
        return code, text

    def bad(self, kind, folder, saying=""):
        with self.subTest(kind=kind, files={p.name: p.read_bytes()[:300] for p in folder.iterdir() if p.is_file()}):
            code, text = self.checked(folder)
            self.assertIn(code, (1, 2), text)
            self.assertNotIn(": good: ", text)
            self.assertIn(saying, text)
        self.kinds[kind] += 1
        return text

    def test_honest_by_hand(self):
        """What the attacks start from is good."""
        self.assertEqual(self.checked(self.forged(SAFE, SAFE_CLAUSES))[0], 0)

    def test_reasons(self):
        """A clause that is not so, whatever is said for it."""
        for literals, reasons in {
                "-2": ["one r", "one s", "once t", "once r", "fifo r t", "fifo t r", "fifo r s", "taken t", "taken s", "cycle",
                       "crowd 1 r", "crowd 2 r r s", "crowd 2 r r", "crowd -1 r s", "crowd 1 r s", "crowd 0", "crowd 1 r t s",
                       "assumption c", "assumption a", "divisor c", "divisor b", "holds c", "bounds c", "some", "get r", "get t", "get",
                       "get r r", "one", "fifo r", "hall_violator 1 r", "", " ", "true", "axiom", "is_meaning", "__init__"],
                "-3": ["bounds c", "bounds a", "bounds z", "holds c", "holds a", "some", "assumption c"],
                "-3 -2": ["holds c", "holds b", "bounds c", "cycle", "one r", "once t", "divisor c"],
                "1": ["get r", "crowd 1 r", "some", "taken s", "fifo r s"],
                "": ["get r", "get x", "some", "cycle", "crowd 1 r", "crowd 0", "taken t"]}.items():
            for reason in reasons:
                saying = "clause 5 is not so" if reason != "bounds c" else ""
                self.bad("reason", self.forged(VIOLATED, [*HONEST, (literals, reason)]), saying)
        for reason in ("sent r s", "posted r s", "queue r s", "order a b", "failed c", "finish c"):  # of the other reading of runs
            self.bad("reason of executions", self.forged(VIOLATED, [*HONEST, ("-2", reason)]))
        for meaning in ("executed b", "executed c"):
            self.bad("reason of executions", self.forged(SAFE, SAFE_CLAUSES, [*MEANINGS, meaning]), "says nothing of this program")
        self.bad("unsatisfied", self.forged(VIOLATED, HONEST), "does not follow")
        self.bad("no clauses", self.forged(VIOLATED, []))
        self.bad("vacuous with `some`", self.forged(SAFE, SAFE_CLAUSES, verdict="vacuous"))

    def test_executions(self):
        """The same program, about executions; and what holds of complete runs only."""
        meanings = [*MEANINGS, *(f"executed {rho}" for rho in "abcdef")]
        a, b, c, d, e, f = map(str, range(4, 10))
        honest = [(f"-{b} 1 2", "get r"), ("-1 -2", "one r"), ("3", "some"), ("-3 -1", "holds c"), (f"-3 {c}", "failed c"),
                  (f"-{c} {b}", "order b c"), (f"-{b} {a}", "order a b"), (f"-1 {d}", "sent r s"), (f"-2 {e}", "sent r t"),
                  (f"-{f} {e}", "order e f")]

        def forged(text, literals, reason, buffering="infinite", witness=SUCCEEDS):
            return self.forged(text, [*honest, (literals, reason)], meanings, runs="executions", buffering=buffering, witness=witness)
        rendezvous = "( (a bot) (d bot) (e bot) (f bot) (b ((0 1) bot)) (c bot) )"
        with self.subTest("honest"):
            self.assertEqual(self.checked(forged(SAFE, "-3 -2", "holds c"))[0], 0)
            unwaited = SAFE.replace("[f (wait t)]", "[f (z := 1)]")
            self.assertEqual(self.checked(forged(unwaited, "-3 -2", "holds c", "zero", rendezvous))[0], 0)
        for literals, reason in (
                ("1 2", "get r"), (f"-{b} 1", "get r"), (f"-{a} 1 2", "get r"), (f"-{c} 1 2", "get r"), (f"{b} 1 2", "get r"),
                ("1", "crowd 1 r"), ("1 2", "crowd 1 r"), (f"-{b} 1", "crowd 1 r"), (f"-{f} 2", "taken t"), ("2", "taken t"),
                ("-2", "sent r t"), (f"-2 {d}", "sent r t"), (f"-2 {d}", "sent r s"), (f"2 {e}", "sent r t"), (f"-2 -{e}", "sent r t"),
                (f"-2 {a}", "posted r t"), ("-2", "posted r t"), ("-2 1", "queue r t"), ("-2", "queue r t"), ("-2", "queue r s"),
                (f"-{b}", "order a b"), (f"-{b} {c}", "order b c"), (f"-{b} {b}", "order b b"), (f"-{e} {d}", "order d e"),
                (f"-{c} {a}", "order b c"), (f"{c}", "order b c"), (f"-{b} {c}", "order c b"), (f"-{c} {b}", "order b"),
                ("-3", "failed c"), (f"-3 {b}", "failed c"), (f"-3 {c}", "failed b"), (f"3 {c}", "failed c"), (f"{c}", "finish c"),
                (f"-{b}", "finish b"), ("-2", "assumption c"), (f"-{c} -2", "assumption c"), (f"-{c} -2", "divisor c"), ("-3 -2", "holds c"),
                ("-3", "bounds c"), ("", "some"), ("1", "some"), (f"{c}", "some"), (f"-{e} -2", "cycle"), (f"-2 -{b}", "cycle")):
            for buffering in ("infinite", "zero"):
                self.bad(f"executions: {reason.split(' ')[0]}", forged(VIOLATED, literals, reason, buffering))
        # An assertion fails before the assumption that it depends on, or before a deadlock, or beside an assumption.
        late = VIOLATED.replace("(assert (= x 1))]", "(assert (= x 1))] [g (assume (= x 1))]")
        stuck = VIOLATED.replace("(assert (= x 1))]", "(assert (= x 1))] [g (rcvi q 0 y)] [h (wait q)] [i (rcvi p 0 z)] [j (wait p)]")
        for text in (late, stuck, "( ( [c (assert false)] ) ( [b (assume false)] ) )"):
            for buffering in ("infinite", "zero"):
                folder = self.folder / f"complete{self.made}{buffering}"
                run("check", *COMPLETE, self.write(text), "--buffering", buffering, "--certificate", folder)
                if not folder.exists():
                    continue
                self.made += 1
                said = json.loads((folder / "certificate.json").read_text())
                self.assertEqual(self.checked(folder)[0], 0)
                (folder / "certificate.json").write_text(json.dumps({**said, "runs": "executions"}))
                self.bad("complete for executions", folder)
        text = "( ( [a (assert false)] ) ( [b (assume false)] ) )"
        for clauses in ([("4", "some")], [("-1", "holds a")], [("-1", "bounds a")], [("-1", "assumption b")], [("-1 -3", "assumption b")],
                        [("1", "some")], [("-2", "failed a")], [("-2", "cycle")], [("3", "some")], [("3", "finish b")], [("-1", "finish a")]):
            self.bad("vacuous of executions", self.forged(
                text, [("1 4", "some"), ("-4 3", "finish b"), ("-3", "assumption b"), ("-1 2", "failed a"), *clauses],
                ["fails a", "executed a", "executed b", "complete"], ["0"], verdict="vacuous", runs="executions"))

    def test_variables(self):
        clauses = [*HONEST, ("-2", "cycle")]
        for meanings in (["match r s", "match r s", "fails c"], ["match r s", "match r t", "fails b"], ["match s r", "match t r", "fails c"],
                         ["match r s", "match r", "fails c"], ["match r s", "match r t s", "fails c"], ["match r s", "", "fails c"],
                         ["match r s", "match q t", "fails c"], ["match r s", "before command e command b", "fails c"],
                         ["match r s", "not match r t", "fails c"], ["match r s", "match r t", "fails  c"],
                         ["match r s", "before", "fails c"], ["match r s", "before command a command z", "fails c"],
                         ["match r s", "before instant a command b", "fails c"], ["match r s", "before time a command b", "fails c"],
                         ["match r s", "before command a command b d", "fails c"]):
            self.bad("meaning", self.forged(VIOLATED, clauses, meanings))
        for literals in ("4", "-4", "-4 -3", "99999999999999999999", "1 0 2", "-1 --2", "+1", "1_0", "١", "1\u00a02", "1 2 x", "0", "-0"):
            self.bad("literal", self.forged(VIOLATED, [*HONEST, (literals, "cycle")]))
        for meaning, literal in (("before command a command a", "4"), ("before command a command b", "-4"), ("before command b command a", "4"),
                                 ("before command d command b", "4"), ("before command d command b", "-4"),
                                 ("before instant r command a", "4"), ("before instant r instant r", "4"), ("before command a command a", "-4")):
            self.bad("before", self.forged(VIOLATED, [*HONEST, (literal, "cycle")], [*MEANINGS, meaning]), "clause 5 is not so")

    def test_first_line_and_shape(self):
        def cnf(text):
            return self.forged(SAFE, SAFE_CLAUSES, other={"clauses.cnf": text})
        good = (self.forged(SAFE, SAFE_CLAUSES) / "clauses.cnf").read_text()
        for line in ("p cnf 3 4", "p cnf 3 6", "p cnf 2 5", "p cnf 4 5", "p cnf 3 -5", "p cnf -3 5", "p cnf 3", "p cnf 3 5 1", "p sat 3 5", "p",
                     "", "p cnf 3 5\np cnf 3 5", "p cnf ３ 5", "p cnf 3 5\r", "pcnf 3 5", "P cnf 3 5", "c var 3 fails c", "c var 4 fails c",
                     "c var x fails c", "c var", "c var 1", "c var "):
            self.bad("first line", cnf(good.replace("p cnf 3 5", line)))
        self.bad("order", cnf("\n".join(reversed(good.splitlines())) + "\n"))
        for separator in ("\u2028", "\u2029", "\u0085", "\x1c", "\x1d", "\x1e", "\v", "\f", "\r"):
            self.bad("ends of lines", cnf(good.replace("1 2 0\n-1", f"1 2 0{separator}-1")))
            self.bad("ends of lines", self.forged(SAFE, [*SAFE_CLAUSES[:3], ("-3 -1", f"holds c{separator}holds c")]))
            self.bad("ends of lines", self.forged(SAFE, SAFE_CLAUSES, proof=[f"-1 0{separator}2 0{separator}0"]))
        self.bad("two clauses on a line", cnf(good.replace("0\n-1 -2", "0 -1 -2")))
        self.bad("a clause on two lines", cnf(good.replace("-1 -2", "-1\n-2")))
        for text in ("", "\n", "\0", "\xff", good[:-1], good[:-3], good.replace("0\n", "\n"), good.replace("\n", ""), "1 2 0\n" + good):
            self.bad("shape", cnf(text))
        self.bad("shape", cnf(b"\xff" + good.encode()))
        for count in (0, 4, 6):
            self.bad("number of reasons", self.forged(SAFE, SAFE_CLAUSES, other={
                "clauses.reasons": "".join(r + "\n" for _, r in [*SAFE_CLAUSES, ("", "some")][:count])}), "reasons")

    def test_proofs(self):
        follow = [*HONEST, ("-3 -2", "holds c")]
        for proof in ([], ["0 0"], ["0", "x"], ["-1 0"], ["1 0"], ["-1 0", "2"], ["-1 0", "2 0 0"], ["-1", "0"], ["d 0"], ["-1 0", "d 2 0"],
                      ["٠"], ["-1 0 2 0 0"], ["-1_0 0"], ["a"], ["-1  0"], [" 0"], ["-9 0"], ["-9 0", "9 0", "0"], ["c 1", "0"], [""],
                      ["d d 0"], ["d -1 0", "d 2 0"], ["0\r"], ["p cnf 1 1", "1 0"]):
            self.bad("proof", self.forged(SAFE, SAFE_CLAUSES[:4], proof=proof))
        for extra in ("1 0", "2 0", "-2 0", "-3 0", "3 2 1 -1 0", "-2 -3 0"):  # in the middle
            self.bad("step", self.forged(VIOLATED, HONEST, proof=["-1 0", extra, "0"]))
        self.bad("step", self.forged(VIOLATED, [*HONEST, ("2 3", "get r")], proof=["0"]))
        self.bad("no end", self.forged(SAFE, follow, other={"clauses.drat": "0"}))

    def test_witnesses(self):
        def witness(text=None, **options):
            return self.forged(SAFE, SAFE_CLAUSES, **options) if text is None else self.forged(
                SAFE, SAFE_CLAUSES, other={"witness.ctp": text}, **options)
        for trace in ("", "()", "( (a bot) )", SUCCEEDS.replace("(c bot)", ""), SUCCEEDS.replace("((0 1) bot)", "bot"),
                      SUCCEEDS.replace("((0 1) bot)", "((1 0) bot)"), SUCCEEDS.replace("((0 1) bot)", "((0 1) (0 1) bot)"),
                      SUCCEEDS.replace("(a bot)", ""), SUCCEEDS.replace("(a bot) ", "(a bot) (a bot) "), SUCCEEDS.replace("(f bot)", ""),
                      SUCCEEDS.replace("(e bot) (f bot)", "(f bot) (e bot)"), SUCCEEDS.replace("(c bot)", "(z bot)"),
                      SUCCEEDS.replace("(c bot)", "(c bot) (c bot)"), SUCCEEDS.replace("(c bot)", "(c ((7 7) bot))"),
                      SUCCEEDS.replace("(a bot) (d bot)", "(a ((0 1) bot)) (d bot)"), "( (a bot) )" + SUCCEEDS, "nonsense", SUCCEEDS[:-4]):
            self.bad("run", witness(SAFE + trace))
        fails = SAFE.replace("(sndi s 1 0 1)", "(sndi s 1 0 3)")
        for program in ("()", "(())", fails, VIOLATED, SAFE.replace("x", "y"), SAFE.replace("[f (wait t)]", ""), SAFE.replace(" 0 ", " 7 "),
                        SAFE.replace("[c (", "[c0 (x := 1)] [c ("), SAFE.replace("(= x 1)", "(= 1 x)"), SAFE.replace("(= x 1)", "true"),
                        SAFE.replace("r 0 x", "r 0 x a"), SAFE.replace("( [d", "( ) ( [d"), SAFE + SAFE, ""):
            self.bad("run of another program", witness(program + SUCCEEDS))
        self.bad("no witness", witness(other={"witness.ctp": None}), "without which it would be vacuous")
        self.bad("no witness", witness(other={"witness.ctp": ""}))
        self.bad("no witness", witness(other={"witness.ctp": b"\xff"}))
        # It fails, breaks an assumption, divides by zero, or what it needs is not there: these programs are not safe.
        for text, trace in (("( ( [a (assert false)] ) )", "( (a bot) )"), ("( ( [a (assume false)] ) )", "( (a bot) )"),
                            ("( ( [a (x := (div 1 0))] ) )", "( (a bot) )"), ("( ( [a (x := (mod 1 0))] ) )", "( (a bot) )"),
                            ("( ( [a (rcvi r 0 x)] [b (wait r)] ) )", "( (a bot) (b bot) )")):
            clauses = [("", "some")] if "assert" not in text else [("1", "some")]
            meanings = ["fails a"] if "assert" in text else []
            self.bad("run does not succeed", self.forged(text, clauses, meanings, ["0"], trace), "witness.ctp")
        # Zero buffering: the wait for t ends when its message has moved, and that needs a receive.
        self.bad("buffering of the run", witness(buffering="zero"), "is not taken")
        self.bad("buffering of the run", witness(SAFE + SUCCEEDS.replace("(f bot)", "(f ((0 2) bot))"), buffering="zero"))
        # Other receives get other messages: the second one in the order of posting, whatever is waited for first.
        two = ("( ( [a (rcvi r 0 x)] [b (rcvi q 0 y)] [c (wait q)] [d (wait r)] [e (assert (= x 2))] )"
               "  ( [f (sndi s 1 0 1)] [g (sndi t 1 0 2)] ) )")
        trace = "( (a bot) (b bot) (f bot) (g bot) (c ((0 1) (0 1) bot)) (d bot) (e bot) )"
        self.bad("run does not succeed", self.forged(two, [("1", "some")], ["fails e"], ["0"], trace), "the assert is false")
        trace = "( (a bot) (b bot) (f bot) (g bot) (c ((0 1) bot)) (d ((0 1) bot)) (e bot) )"
        self.bad("run does not succeed", self.forged(two, [("1", "some")], ["fails e"], ["0"], trace), "is not there")

    def test_programs(self):
        """Violated programs that a careless reader takes for others, and what is not a program."""
        nothing = {"clauses": [("", "some")], "meanings": [], "proof": ["0"]}
        one = "( ( [a (assert false)] ) )"
        trace = "( (a bot) )"
        for kind, text in (("mark", "\ufeff" + one), ("name", "( ( [a (assert false)] [a\u00a0 (x := 1)] ) )"),
                           ("name", "( ( [a (assert false)] [a\u2003 (x := 1)] ) )"), ("name", "( ( [a (assert false)] [a\u0085 (x := 1)] ) )"),
                           ("name", "( ( [a (assert false)] [a\x1f (x := 1)] ) )"), ("comment", "( ( ; \u2028 )\n [a (assert false)] ) )"),
                           ("comment", "( ( ; \r )\n [a (assert false)] ) )"), ("S1", "( ( [a (assert false)] [a (x := 1)] ) )"),
                           ("syntax", "( ( [a (x := 1)] ) ) (("), ("syntax", "()\0"), ("syntax", "( ( [a (assert false)] }"), ("syntax", "((])"),
                           ("syntax", ""), ("syntax", one + one), ("syntax", "( ( [a (assert ٣ false)] ) )"), ("syntax", "( ( [a (asert false)] ) )")):
            for verdict in ("safe", "vacuous"):
                self.bad(kind, self.forged(text, witness=trace, verdict=verdict, **nothing))
        self.bad("not UTF-8", self.forged(b"( ( [a\xff (x := 1)] ) )", witness=b"", **nothing))
        # No message at endpoint 00, says a reader who compares endpoints as written; so no run completes.
        zeros = VIOLATED.replace("(rcvi r 0 x)", "(rcvi r 00 x)")
        for text in (zeros, VIOLATED.replace(" 0 ", " +0 ", 1), VIOLATED.replace(" 0 ", " -0 ", 1)):
            self.bad("endpoints", self.forged(text, [("", "get r")], [], ["0"], verdict="vacuous"), "clause 1 is not so")
        channels = VIOLATED.replace("[e (sndi t 2 0 2)] [f (wait t)]", "[e (sndi t 2 0 2)] [e2 (sndi u 02 0 1)]")
        self.bad("endpoints", self.forged(channels, [("-1", "cycle")], ["match r u"], ["0"], verdict="vacuous"), "clause 1 is not so")
        for rule, text in (("D1", "( ( [a (rcvi r 0 x)] [b (wait r)] ) ( [c (rcvi q 0 y)] [d (wait q)] ) )"),
                           ("D1", "( ( [a (rcvi r 0 x)] [b (wait r)] ) ( [c (sndi q 00 5 1)] ) )"),
                           ("D2", "( ( [a (sndi s 0 1 1)] [b (wait s)] [c (wait s)] ) )"), ("D2", "( ( [b (wait s)] [a (sndi s 0 1 1)] ) )"),
                           ("D2", "( ( [a (sndi s 0 1 1)] ) ( [b (wait s)] ) )"), ("D3", "( ( [a (rcvi r 0 x)] ) )"),
                           ("D3", "( ( [a (rcvi r 0 x)] [b (rcvi q 1 y)] [c (wait q)] ) )"), ("D4", "( ( [a (x := 1)] ) ( [b (x := 1)] ) )"),
                           ("D5", "( ( [a (y := x)] ) )"), ("D5", "( ( [a (rcvi r 0 x)] [c (y := x)] [b (wait r)] ) )"),
                           ("D6", "( ( [a (y := (+ 1 true))] ) )"), ("D6", "( ( [a (assume 1)] ) )"), ("D6", "( ( [a (y := (= 1 true))] ) )"),
                           ("D6", "( ( [a (sndi s 0 1 1)] [b (sndi t 0 1 true)] ) )")):
            self.bad(rule, self.forged(text, verdict="vacuous", **nothing), f"the program breaks {rule}")
        common = "(shared [v 0]) ( ( [a (rcvi r 0 x)] [b (wait r)] ) ( [c (rcvi q 0 y)] [d (wait q)] ) )"
        self.bad("endpoints", self.forged(common, verdict="vacuous", **nothing), "several threads use one endpoint")
        for rule, text in (("S2", "( ( [a (sndi s 0 1 1)] [b (sndi s 0 1 1)] ) )"), ("S3", "( ( [a (wait s)] ) )"),
                           ("S4", "( ( [a (x := (+ 1))] ) )"), ("S4", "( ( [a (x := (not true true))] ) )"),
                           ("S5", "( ( [a (sndi s 0 1 1 z)] ) )"), ("limit", "( ( [a (x := 1" + "0" * 5_050_445 + ")] ) )")):
            self.bad(rule, self.forged(text, **nothing), f"{rule}: ")
        self.bad("another program", self.forged(VIOLATED, SAFE_CLAUSES, other={"program.ctp": SAFE}), "is another program")
        self.bad("another program", self.forged(SAFE, SAFE_CLAUSES, other={"program.ctp": SAFE + " "}), "is another program")
        self.bad("another program", self.forged(SAFE, SAFE_CLAUSES, other={"program.ctp": SAFE.replace("\n", "\r\n")}), "is another program")
        for name in ("program.ctp", "certificate.json", "clauses.cnf", "clauses.reasons", "clauses.drat"):
            self.bad("a file is missing", self.forged(SAFE, SAFE_CLAUSES, other={name: None}), f"cannot be read: {name}: ")
            folder = self.forged(SAFE, SAFE_CLAUSES, other={name: None})
            (folder / name).mkdir()
            self.bad("a file is a folder", folder, f"cannot be read: {name}: ")
            shutil.rmtree(folder / name)
            (folder / name).symlink_to(folder / name)
            self.bad("a file is itself", folder, f"cannot be read: {name}: ")
            (folder / name).unlink()
            os.mkfifo(folder / name)  # it could say something else each time; nobody writes into this one
            self.bad("a file is a FIFO", folder, f"cannot be read: {name}: it is not a regular file")
            (folder / name).unlink()
            (folder / name).symlink_to("/dev/zero")
            self.bad("a file is a device", folder, f"cannot be read: {name}: it is not a regular file")

    def test_files_that_change(self):
        """An attacker replaces a file whenever it is read, but each file is read only once."""
        folder, opened, really_open = self.forged(SAFE, SAFE_CLAUSES), Counter(), os.open

        def changing(path, *arguments, **more):
            handle = really_open(path, *arguments, **more)
            name = os.path.basename(path)
            opened[name] += 1
            if name == "program.ctp":
                (folder / "other").write_text(VIOLATED)
                os.replace(folder / "other", path)
            return handle
        with unittest.mock.patch("os.open", changing):
            code, text = self.checked(folder)
        self.assertEqual((code, hashlib.sha256(SAFE.encode()).hexdigest() in text), (0, True), text)
        self.assertEqual(opened, dict.fromkeys(("certificate.json", "program.ctp", "witness.ctp", "clauses.cnf", "clauses.reasons", "clauses.drat"), 1))
        self.bad("another program", folder, "is another program than certificate.json says")

    def test_own_program(self):
        """What the reader has, not what the folder says."""
        folder, path = self.forged(SAFE, SAFE_CLAUSES), self.folder / "mine.ctp"
        path.write_text(SAFE)
        code, text = check(folder, path)
        self.assertEqual((code, text.endswith(f"; {path} has SHA-256 {hashlib.sha256(SAFE.encode()).hexdigest()}\n")), (0, True), text)
        for content in (VIOLATED, SAFE + "\n", "\ufeff" + SAFE, SAFE.replace("\n", "\r\n"), "; a comment\n" + SAFE, SAFE + SUCCEEDS, ""):
            path.write_bytes(content.encode())
            code, text = check(folder, path)
            self.assertEqual((code, f"program.ctp is another program than {path}: their bytes differ" in text), (1, True), text)
            self.kinds["the reader has another program"] += 1
        for name, why in (("none", "No such file"), (".", "Is a directory"), ("a\0b", "null")):
            code, text = check(folder, self.folder / name)
            self.assertEqual((code, why in text, len(text.splitlines())), (2, True, 1), text)
        pipe, end = os.pipe()
        os.write(end, SAFE.encode())
        os.close(end)
        self.assertEqual(check(folder, f"/dev/fd/{pipe}")[0], 0)
        os.close(pipe)
        for arguments in ((folder, folder, folder), ("--all",), ("--other", folder), (folder, path, "--all")):
            self.assertEqual(check(*arguments)[0], 2, arguments)
        for option in (["--parse"], ["--lower", "zero"]):
            code, text = check(*option, self.folder / "none")
            self.assertEqual((code, len(text.splitlines())), (2, 1), text)

    def test_damage(self):
        """Bytes that are changed, left out or put in, anywhere: it says something about it, in one line."""
        rng, said = random.Random(1), Counter()
        good = {path.name: path.read_bytes() for path in self.forged(SAFE, SAFE_CLAUSES).iterdir()}
        folder = self.forged(SAFE, SAFE_CLAUSES)
        for _ in range(600):
            name = rng.choice(sorted(good))
            content = bytearray(good[name])
            for _ in range(rng.randrange(1, 4)):
                at = rng.randrange(len(content) + 1)
                piece = rng.choice((b"", b"(", b"]", b"\0", b"\xff", b"0", b"-1 ", b"\n", b'"', b"9" * 5000, b"t", b"{}"))
                content[at:at + rng.randrange(3)] = piece
            (folder / name).write_bytes(content)
            if name == "program.ctp":
                about_it = good["certificate.json"].replace(hashlib.sha256(good[name]).hexdigest().encode(), hashlib.sha256(content).hexdigest().encode())
                (folder / "certificate.json").write_bytes(about_it)
            said[self.checked(folder)[0]] += 1
            for file in (name, "certificate.json"):
                (folder / file).write_bytes(good[file])
        self.assertEqual(set(said), {0, 1, 2})
        self.assertGreater(said[1] + said[2], 400)

    def test_certificate_json(self):
        good = about(SAFE, clauses=5)

        def bad(text, saying="cannot be read: certificate.json: "):
            self.bad("json", self.forged(SAFE, SAFE_CLAUSES, other={"certificate.json": text}), saying)
        for key in good:
            bad(json.dumps({k: v for k, v in good.items() if k != key}))
            for value in (None, 7, True, "other", [], {}, 1.0, ""):
                if (key, value) not in (("solver", "other"), ("solver", ""), ("program_sha256", "other"), ("program_sha256", ""), ("clauses", 7)):
                    bad(json.dumps({**good, key: value}))
        for changes in ({"verdict": "violated"}, {"verdict": "unknown"}, {"verdict": "Safe"}, {"buffering": "none"}, {"buffering": "Zero"},
                        {"buffering": "zero "}, {"runs": "all"}, {"kind": "clause"}, {"extra": 1}, {"schema": {"name": "matchpoint.certificate", "version": True}},
                        {"schema": {"name": "matchpoint.certificate", "version": 2}}, {"schema": {"name": "matchpoint.check", "version": 1}},
                        {"schema": {"name": "matchpoint.certificate", "version": 1, "x": 1}}, {"kind": "smt"}):
            bad(json.dumps({**good, **changes}))
        for key, values in (("leaves_path", ("maybe", "", True, None)), ("proves", (7, None, ["nothing"]))):
            for value in values:
                bad(json.dumps({**good, key: value}))
        for proves in ("", "nothing", "no deadlock"):
            bad(json.dumps({**good, "proves": proves}), "certificate.json says that it proves")
        for clauses in (-1, -5, 0, 4, 6, 10**30):
            bad(json.dumps({**good, "clauses": clauses}), f"certificate.json says {clauses} clauses")
        for sha in ("", "0" * 64, good["program_sha256"].upper(), good["program_sha256"] + "0", good["program_sha256"][:-1]):
            bad(json.dumps({**good, "program_sha256": sha}), "is another program")
        del good["clauses"], good["solver"]
        bad(json.dumps({**good, "kind": "smt"}), "it has no clauses")
        text = json.dumps(about(SAFE, clauses=5))
        for other in ("", "{", "[]", "null", "1", '"x"', text[:-1], text + text, "[" * 200_000, '{"a":' * 200_000, "NaN", "1" * 10_000,
                      text.replace("{", '{"verdict": "safe", ', 1), "\ufeff" + text, text.replace('"', "'"), "\0", text + "\0"):
            bad(other)
        bad(b"\xff" + text.encode())
        bad(text.encode("utf-16"))

    def test_other_buffering(self):
        """Safe with zero buffering only: t can come before the receive only if a message can wait."""
        text = ("( ( [a (rcvi r 0 x)] [b (wait r)] [c (assert (= x 1))] [d (rcvi q 0 y)] [e (wait q)] [f (sndi g 0 2 1)] )"
                "  ( [h (sndi s 1 0 1)] [i (wait s)] [j (sndi k 1 3 1)] [k (wait k)] )"
                "  ( [l (rcvi m 3 z)] [n (wait m)] [o (sndi t 2 0 2)] ) )")
        path = self.write(text)
        folder = self.folder / "zero"
        self.assertIn(run("check", path, "--buffering", "zero", "--certificate", folder).code, (HOLDS, DEADLOCK))
        self.assertEqual(self.checked(folder)[0], 0)
        self.assertEqual(run("check", path).code, FAILURE)
        said = json.loads((folder / "certificate.json").read_text())
        (folder / "certificate.json").write_text(json.dumps({**said, "buffering": "infinite"}))
        self.bad("wrong buffering", folder)

    def certified(self, text, buffering, runs):
        self.made += 1
        folder = self.folder / f"mpi{self.made}"
        result = run("check", self.write(text), "--buffering", buffering, *(["--runs", runs] if COMPLETE else []), "--certificate", folder)
        self.assertIn(result.code, (HOLDS, INFEASIBLE, DEADLOCK, ERROR), result.error_text)
        self.assertEqual(self.checked(folder)[0], 0, self.checked(folder))
        return folder

    def success(self, text, buffering):
        """The program with a run that succeeds, if it has some; or None."""
        path = self.folder / "found.ctp"
        path.unlink(missing_ok=True)
        run("check", self.write(text), "--buffering", buffering, "--runs", "complete", "-o", path)
        found = path.read_text() if path.exists() else ""
        at = re.search(r"(?m)^; trace (\d), .*: success$", found)
        program, *traces = re.split(r"(?m)^\)\n", found)
        return at and f"{program})\n{traces[int(at[1]) - 1]})\n"

    def lowered_buffering(self, text, buffering):
        """The buffering that the checker expects; None if the program is plain or not lowered."""
        _, said = check("--lower", buffering, self.write(text))
        return next((b for b in ("infinite", "zero") if said.startswith(f"; {b} buffering")), None)

    def test_selectors_modes_and_barriers(self):
        """The certificate of a program with another program, whose clauses would be others, and the best witness that there is."""
        refused_for = Counter()
        for (text, changes), (buffering, runs) in itertools.product(CHANGES.items(), (("infinite", "executions"), ("zero", "complete"))):
            folder = self.certified(text, buffering, runs)
            said = json.loads((folder / "certificate.json").read_text())
            for old, new in changes:
                self.assertEqual(text.count(old), 1, old)
                other = text.replace(old, new)
                verdict = run("check", self.write(other), "--buffering", buffering, "--runs", runs, "--format", "json").text
                (folder / "program.ctp").write_text(other)
                (folder / "witness.ctp").write_text(self.success(other, buffering) or other)
                about_other = {**said, "lowered_buffering": self.lowered_buffering(other, buffering),
                               "program_sha256": hashlib.sha256(other.encode()).hexdigest()}
                (folder / "certificate.json").write_text(json.dumps({k: v for k, v in about_other.items() if v}))
                if f'"verdict": "{said["verdict"]}"' in verdict.replace('"no assertion"', '"safe"'):
                    self.checked(folder)  # whatever it says
                    continue
                text_of_refusal = self.bad("other selectors, modes or barriers", folder)
                refused_for[re.sub("[0-9]+", "N", text_of_refusal.split(": ")[2])[:20]] += 1
        for reason in ("clause N is not so f", "variable N says noth", "witness.ctp has no r", "the program is not l"):
            self.assertGreater(refused_for[reason], 2, refused_for)

    def test_lowered_buffering(self):
        for text in (FROM, MODES):
            folder = self.certified(text, "infinite", "executions")
            said = json.loads((folder / "certificate.json").read_text())
            self.assertEqual(said["lowered_buffering"], "zero" if text == MODES else "infinite")
            other = "infinite" if text == MODES else "zero"
            for value, saying in ((None, "and is left out"), (other, f"and is {other}"), ("none", "certificate.json"), ("", "certificate.json"),
                                  (7, "certificate.json"), (True, "certificate.json")):
                changed = {**said, "lowered_buffering": value}
                (folder / "certificate.json").write_text(json.dumps(said | changed if value is not None else {
                    k: v for k, v in said.items() if k != "lowered_buffering"}))
                self.bad("lowered_buffering", folder, saying)
            (folder / "certificate.json").write_text(json.dumps({**said, "buffering": "zero"}))
            self.checked(folder)  # safe as well
        for value in ("zero", "infinite"):
            self.bad("lowered_buffering of a plain program", self.forged(SAFE, SAFE_CLAUSES, lowered_buffering=value), "should be left out")
        smt = {**about(SAFE), "kind": "smt", "lowered_buffering": "zero"}
        del smt["clauses"], smt["solver"]
        self.bad("json", self.forged(SAFE, SAFE_CLAUSES, other={"certificate.json": json.dumps(smt)}), "cannot be read: certificate.json")

    def test_long_endpoints(self):
        """An endpoint whose number has 5,000 digits becomes a factor of what messages carry."""
        text = WHO.replace("(sndi s 1 0", f"(sndi s {'1' * 5000} 0").replace("(= u 1)", f"(= u {'1' * 5000})").replace("(= v 1)", "(= v 3)")
        self.certified(text, "infinite", "executions")

    def test_witnesses_with_selectors(self):
        """Witnesses of safe programs that are not runs."""
        def witness(text, trace, saying, buffering="infinite"):
            self.bad("run", self.forged(text, [("1", "some")], ["fails c"], ["0"], trace, buffering=buffering,
                                        lowered_buffering=self.lowered_buffering(text, buffering)), saying)
        witness(TAGS, "( (a bot) (f bot) (g bot) (b bot) (c bot) (d bot) (e bot) )", "is not there")
        later = TAGS.replace("s 4 0 5 (tag 1)", "s 4 0 6 (tag 2)").replace("t 4 0 6 (tag 2)", "t 4 0 5 (tag 1)")
        witness(later, "( (a bot) (f bot) (g bot) (b ((0 4 2) bot)) (c bot) (d bot) (e bot) )", "no receive")
        witness(FROM, "( (a bot) (b bot) (g bot) (h bot) (c ((0 1) bot)) (d bot) (e bot) (f bot) )", "is not there")
        witness(FROM.replace("(= x 1)", "(= x 2)"), "( (a bot) (b bot) (g bot) (h bot) (c ((0 2) bot)) (d ((0 1) bot)) (e bot) (f bot) )",
                "the assert is false")
        who = "( (a bot) (b bot) (g bot) (h bot) (c ((0 1) (0 2) bot)) (d bot) (e bot) (f bot) )"
        for old, new in (("(= u 1)", "(= u 2)"), ("(= n 7)", "(= n 0)")):
            witness(WHO.replace(old, new), who, "the assert is false")
        sends = "( (l bot) (a bot) (h bot) %s (j bot) (n ((3 1) bot)) (o bot) (d bot) (e ((0 2) bot)) )"
        witness(MODES, sends % "(i bot) (b ((0 1) bot)) (c bot)", "the message of s is not taken")
        witness(MODES, sends.replace("(a bot) (h bot)", "(h bot)") % "(i ((0 1) bot)) (a bot) (b bot) (c bot)", "no receive waits")
        buffered = MODES.replace("(ssndi", "(bsndi")
        witness(buffered, sends.replace("(a bot) (h bot)", "(h bot)") % "(i ((0 1) bot)) (a bot) (b bot) (c bot)", "no receive waits", "zero")
        witness(BARRIER, "( (a bot) (j bot) (k bot) (g bot) (b ((0 1) bot)) )", "has not reached the barrier")
        witness(BARRIER, "( (a bot) (b bot) )", "is not there")
        twice = BARRIER.replace("[f (", "[z (barrier B)] [f (").replace("[i (u := 0)]", "[i (barrier B)]").replace("t 2 0 2)]", "t 2 0 2)] [y (barrier B)]")
        witness(twice, "( (a bot) (g bot) (h bot) (i bot) )", "has not reached the barrier")
        witness(twice, "( (a bot) (g bot) (b ((0 1) bot)) (h bot) (j bot) (i bot) )", "has not reached the barrier")

        probed = "( (g bot) (a bot) (h bot) %s (c bot) (d bot) (e bot) (f bot) (i bot) (j bot) )"
        for entry, saying in (("(b ((0 1) bot))", "no peek says"), ("(b ((peek 0 1) bot))", "cannot see"), ("(b ((0 1) (peek 0 1) bot))", "cannot see"),
                              ("(b ((0 1) (peek 0 2 1) bot))", "cannot see"), ("(b ((0 1) (peek 1 2) bot))", "no peek says"),
                              ("(b ((0 1) (peek 0 2) bot)) (e bot)", "not the next"), ("(b ((0 1) (peek 0 2) bot)) (c ((peek 0 2) bot))", "there is no probe")):
            witness(MPROBE, probed % entry, saying)
        held = "( ( [b (mprobe p 0)] [c (start p y)] [e (wait p)] ) ( [g (ssndi s 1 0 1)] [h (wait s)] [i (assert true)] ) )"
        witness(held.replace("[i ", "[c2 "), "( (g bot) (b ((peek 0 1) bot)) (h bot) (c2 bot) (c bot) (e bot) )", "is not taken")
        called = "( (a bot) (g bot) (b ((0 1) bot)) %s (i bot) (d bot) (k bot) (e ((0 2) bot)) (f bot) )"
        witness(CALLS, (called % "(c bot) (h bot) (j bot)").replace("(b ((0 1) bot)) (c bot)", "").replace("(h bot)", "(h bot) (b ((0 1) bot)) (c bot)"),
                "needs has not called")
        late = CALLS.replace("[j (collective M C bcast (root 0))] [k (sndi t 2 0 2)]", "[j (sndi t 2 0 2)] [k (collective M C bcast (root 0))]")
        witness(late, called % "(c bot) (h bot) (j bot)", "needs has not called", "zero")

    def test_honest_and_odd(self):
        """Good certificates whose names and numbers are odd."""
        long = "7" * 5000
        program = VIOLATED.replace("(= x 1)", "(> x 0)")
        renamed = {"r": "ré", "s": "s'", "t": "t.1", "x": "x\u00a0y", "a": "\u2028", "b": "b\u0085", "c": "c\x1c", "d": "⊥", "e": "bot",
                   "f": "\ufeff"}
        odd = program
        for old, new in renamed.items():
            odd = odd.replace(f"[{old} ", f"[{new} ").replace(f"i {old} ", f"i {new} ").replace(f"wait {old})", f"wait {new})")
        odd = odd.replace("0 x)", "0 x\u00a0y)").replace("> x 0", "> x\u00a0y 0")
        programs = [program, odd, "\ufeff" + odd, odd.replace("\n", "\r\n").replace(" ", "\t"), program.replace(" ", " ; é ) \u2028 (\r\n "),
                    program.replace("0 x", "00 x").replace("s 1 0", "s +1 -0"), program.replace("(> x 0)", f"(< (* x -{long}) (- x +00{long}))"),
                    program.replace("0 1)", f"0 {long})").replace("0 2)", f"0 {long}1)"),
                    program.replace("(> x 0)", f"(= (mod {long} 9) (mod (* 7 5000) 9))"),
                    program.replace("assert (> x 0)", "assume (> x 5)"), odd.replace("assert (> x", "assume (< x"),
                    program.replace("(assert (> x 0))", "(z := (= (mod x 3) (* x x)))] [g (assert (or z (not z)))"),
                    "()", "( ( ) )", "( ( bot ) [⊥] )", "( ( [a (assume false)] ) )", "( ( [a (x := (div 1 0))] ) )",
                    "( ( [a (assert " + "(not " * 20_000 + "true" + ")" * 20_000 + ")] ) )",
                    "( ( " + "".join(f"[{i} (x := {'(+ x 1)' if i else '0'})] " for i in range(20_000)) + "[a (assert (= x 19999))] ) )",
                    program + SUCCEEDS]
        for number, text in enumerate(programs):
            for buffering in ("infinite", "zero"):
                with self.subTest(text=text[:200], buffering=buffering):
                    folder = self.folder / f"{number}.{buffering}"
                    result = run("check", self.write(text), "--buffering", buffering, "--certificate", folder)
                    self.assertIn(result.code, (HOLDS, INFEASIBLE, DEADLOCK, ERROR), result.error_text[:500])
                    code, said = self.checked(folder)
                    self.assertEqual(code, 0, said)


if __name__ == "__main__":
    unittest.main()
