#!/usr/bin/env python3
"""The checker of proofs of RMA programs, scripts/check_rma_certificate. It accepts proofs made by hand, and refuses
each with an entry less, a weaker formula, another count, or a program that it does not prove. It refuses what is not
such a proof, too."""

import hashlib
import os
import subprocess
import unittest
from pathlib import Path

from checker import RMA_COMMAND, check  # it finds rma_certificate_checker, too
from rma_certificate_checker import formulas, language
from rma_certificate_checker.rules import Rules
from rma_certificate_checker.solvers import command, problem
from support import InFolder

ROOT = Path(__file__).resolve().parents[2]
ACCEPTED, REFUSED, UNREADABLE, NO_ANSWER = 0, 1, 2, 3


class Example:
    def __init__(self, program, entries, changes):
        """`changes` of the program, (text, what is there instead), keep the numbers of its statements, but break the
        proof."""
        self.program, self.entries, self.changes = program, entries, changes


FIGURE2 = Example(
    (ROOT / "traces/rma/figure2_flushed.rma").read_text(),
    [("end 0", "0 0", "(and (distinct Y 3) (= X 2) (distinct R 3))"),
     ("end 1", "1 0", "(and (distinct Y 3) (distinct R 3) (= e%%0 2))"),
     ("end 1", "0 0", "(and (distinct Y 3) (distinct R 3))"),
     ("end 2", "0 0", "(let ((three 3)) (and (distinct Y three) (distinct R three)))"),
     ("end 3", "0 0", "(not (or (= Y 3) (= R 3)))"),
     ("end 4", "0 1", "(and (distinct e%%1 3) (distinct R 3))"),
     ("end 4", "0 0", "(! (exists ((Y Int) (b Bool)) (and b (distinct R Y) (= Y 3))) :weight 0)"),
     ("end end", "0 1", "(distinct r 3)"),
     ("end end", "0 0", "(distinct r 3)")],
    [("(flush 1)", "skip"), ("(Y 1)", "(Y 3)"), ("(R 0)", "(R 3)"), ("(X 2)", "(X 3)"), ("(!= r 3)", "(!= r 0)"),
     ("(get R Y 1)", "(put Y 1 X)"), ("(load r R)", "(load r X)")])

# Operations without end. That Y is at most n needs the formula twice where many are pending.
COUNTER = Example(
    """(rma (process 1 (shared (Y 0)) bot)
            (process 2 (shared (X 0)) (local (n 0)) (while true (put Y 1 X) (n := (+ n 1)) (store X n)))
            (invariant (<= Y n)))""",
    [(f"end {pc}", f"{count}", f"(and (<= Y n) (<= X n){' (<= e%%0 n)' if count else ''})")
     for pc in range(4) for count in range(3)],
    [("(+ n 1)", "(- n 1)"), ("(store X n)", "(store X (+ n 1))"), ("(Y 0)", "(Y 1)"), ("(X 0)", "(X 1)"),
     ("(n 0)", "(n -1)"), ("(<= Y n)", "(< Y n)"), ("while true", "while (< n 2)")])

ATOMIC = Example(
    """(rma (process 1 (shared (C 0)) (local (c 0)) (atomic (load c C) (store C (+ c 1))))
            (process 2 (shared (A 0)) (local (a 0))
              (atomic (get A C 1) (flush 1) (load a A) (store A (+ a 1)) (put C 1 A) (flush 1)))
            (assert final (= C 2)))""",
    [entry for first, k in (("0", 0), ("end", 1)) for entry in (
        (f"{first} 3", "0 0", f"(= C {k})"),
        (f"{first} 5", "1 0", f"(and (= C {k}) (= e%%0 {k}))"),
        (f"{first} 5", "0 0", f"(= A {k})"),
        (f"{first} 6", "0 0", f"(= A {k})"),
        (f"{first} 7", "0 0", f"(= a {k})"),
        (f"{first} 8", "0 0", f"(= A {k + 1})"),
        (f"{first} 9", "0 1", f"(= e%%1 {k + 1})"),
        (f"{first} 9", "0 0", f"(= C {k + 1})"),
        (f"{first} end", "0 0", f"(= C {k + 1})"))] + [("2 3", "0 0", "(= c 0)"), ("2 end", "0 0", "(= c 1)")],
    [("(flush 1) (load", "skip (load"), ("(put C 1 A) (flush 1)", "(put C 1 A) skip"), ("(C 0)", "(C 1)"),
     ("(= C 2)", "(= C 3)"), ("(+ c 1)", "(+ c 2)"), ("(atomic (get A C 1)", "(while true (get A C 1)"),
     ("(atomic (load c C) (store C (+ c 1)))", "(if true ((load c C) (store C (+ c 1))))")])

FLAG = Example(
    """(rma (process 1 (shared (F false)) (local (f false)) [w (load f F)] (if f () ((goto w))) [cs skip])
            (process 2 (shared (T true)) (local (u 0)) (choose u 1 2) (assume (!= u 2)) (assert (= u 1)) (put F 1 T))
            (invariant (=> (at 1 cs) (= u 1))))""",
    [(f"{first} {second}", "0", f"(and (not F) {f} {u})")
     for first, f in ((0, "(not F)"), (1, "(not f)"), (2, "(not F)"))
     for second, u in ((4, "(not F)"), (5, "(or (= u 1) (= u 2))"), (6, "(= u 1)"), (7, "(= u 1)"))] +
    [("0 end", "1", "(and (not F) (= u 1))"), ("1 end", "1", "(and (not F) (not f) (= u 1))"),
     ("2 end", "1", "(and (not F) (= u 1))")] +
    [(f"{first} end", "0", "(= u 1)") for first in range(4)] + [("end end", "0", "true")],
    [("(choose u 1 2)", "(choose u 1 3)"), ("(!= u 2)", "true"), ("(F false)", "(F true)"),
     ("(if f ()", "(if (not f) ()"), ("(at 1 cs)", "(at 1 w)"), ("(assert (= u 1))", "(assert (= u 2))"),
     ("(goto w)", "skip"), ("(assert (= u 1))", "(u := 2)")])

# At any time the put may have arrived, also while process 1 is inside of its `atomic`, and when nobody moves.
PLACES = Example(
    """(rma (process 1 (shared (Y 0)) (local (x 0)) (atomic [a (x := 1)] (x := 2)))
            (process 2 (shared (X 1)) (put Y 1 X))
            (invariant (=> (at 1 a) (= x 0))) (invariant (<= Y 1)))""",
    [(f"{first} {second}", count, f"(and (<= Y 1) {x} {known})")
     for first, x in (("0", "(= x 0)"), ("2", "(<= Y 1)"), ("end", "(<= Y 1)"))
     for second, count, known in ((3, 0, "(= X 1)"), ("end", 1, "(<= e%%0 1)"), ("end", 0, "(<= Y 1)"))],
    [("(=> (at 1 a) (= x 0))", "(not (at 1 a))"), ("(<= Y 1)", "(<= Y 0)"), ("(x 0)", "(x 1)"), ("(X 1)", "(X 2)"),
     ("[a (x := 1)] (x := 2)", "(x := 1) [a (x := 2)]")])

# One statement is issued twice: its set is {1, 2} then.
ONE_OR_TWO = "(or (= e%%0 1) (= e%%0 2))"
TWICE = Example(
    """(rma (process 1 (shared (Y 0)))
            (process 2 (shared (X 0)) (local (n 0)) (while (< n 2) (n := (+ n 1)) (store X n) (put Y 1 X)))
            (assert final (or (= Y 1) (= Y 2))))""",
    [("end 0", "0", "(= n 0)"), ("end 1", "0", "(= n 0)"), ("end 2", "0", "(= n 1)"),
     ("end 3", "0", "(and (= n 1) (= X 1))"), ("end 0", "1", "(and (= n 1) (= e%%0 1))"),
     ("end 1", "1", "(and (= n 1) (= e%%0 1))"), ("end 2", "1", "(and (= n 2) (= e%%0 1))"),
     ("end 3", "1", f"(and (= n 2) (= X 2) {ONE_OR_TWO})"), ("end 0", "2", f"(and (= n 2) {ONE_OR_TWO})"),
     ("end end", "2", ONE_OR_TWO), ("end end", "1", ONE_OR_TWO), ("end end", "0", "(or (= Y 1) (= Y 2))")],
    [("(or (= Y 1) (= Y 2))", "(= Y 1)"), ("(or (= Y 1) (= Y 2))", "(= Y 2)"), ("(< n 2)", "(< n 3)"),
     ("(n 0)", "(n 1)"), ("(store X n)", "(store X 2)"), ("(+ n 1)", "(+ n 2)")])

EXAMPLES = {"figure2": FIGURE2, "counter": COUNTER, "atomic": ATOMIC, "flag": FLAG, "places": PLACES, "twice": TWICE}

# (program, entries, between which states it is refused): these would be accepted without a rule of the reduced program,
# or with another one.
STORE = """(rma (process 1 (shared (Y 0))) (process 2 (shared (X 1)) (put Y 1 X) (store X 2))
                (assert final {}))"""
CROSSED = """(rma (process 1 (shared (Z 0))) (process 2 (shared (X 1)) (put Z 1 X) (flush 1))
                  (process 3 (shared (W 2)) (put Z 1 W)) (assert final (!= Z 1)))"""
WRONG = {
    "a store joins": (
        STORE.format("(!= Y 2)"),
        [("end 0", "0", "(= X 1)"), ("end 1", "1", "(= e%%0 1)"), ("end end", "1", "(= e%%0 1)"),
         ("end end", "0", "(= Y 1)")],
        "from (pc end 1) (active 1) to (pc end end) (active 1)"),
    "a store resets nothing": (
        STORE.format("(!= Y 1)"),
        [("end 0", "0", "true"), ("end 1", "1", "true"), ("end end", "1", "(= e%%0 2)"), ("end end", "0", "(= Y 2)")],
        "from (pc end 1) (active 1) to (pc end end) (active 1)"),
    "a put joins": (
        TWICE.program.replace("(or (= Y 1) (= Y 2))", "(!= Y 1)"),
        TWICE.entries[:8] + [("end 0", "2", "(and (= n 2) (= e%%0 2))"), ("end end", "2", "(= e%%0 2)"),
                             ("end end", "1", "(= e%%0 2)"), ("end end", "0", "(= Y 2)")],
        "from (pc end 3) (active 1) to (pc end 0) (active 2)"),
    "many stay many": (
        TWICE.program,
        [(pc, active, f"(and (= Y 0) {formula})") for pc, active, formula in TWICE.entries[:-2]] + TWICE.entries[-2:],
        "from (pc end end) (active 2) to (pc end end) (active 2)"),
    "chains, by what is read": (
        """(rma (process 1 (shared (Y 0)))
                (process 2 (shared (X 1) (R 0)) (local (r 0)) (put Y 1 X) (get R Y 1) (load r R))
                (assert final (!= r 1)))""",
        [("end 0", "0 0", "(and (= Y 0) (= R 0))"), ("end 1", "1 0", "(and (= Y 0) (= R 0))"),
         ("end 2", "1 1", "(and (= R 0) (= e%%1 0))"), ("end 2", "1 0", "(= R 0)"),
         *[("end end", active, "(= r 0)") for active in ("1 1", "1 0", "0 1", "0 0")]],
        "from (pc end 2) (active 1 1) to (pc end 2) (active 0 1)"),
    "chains, by what is written": (
        CROSSED,
        [("end 0 2", "0 0", "(= W 2)"), ("end 1 2", "1 0", "(= W 2)"), ("end 1 2", "0 0", "(= W 2)"),
         ("end end 2", "0 0", "(= W 2)"), ("end 0 end", "0 1", "(= e%%1 2)"), ("end 1 end", "1 1", "(= e%%1 2)"),
         ("end 1 end", "0 1", "(= e%%1 2)"), ("end end end", "0 1", "(= e%%1 2)"), ("end end end", "0 0", "(= Z 2)")],
        "from (pc end 1 end) (active 1 1) to (pc end 1 end) (active 1 0)"),
    "before a store": (
        "(rma (process 1 (shared (Y 0)) (store Y 5)) (process 2 (shared (X 1)) (put Y 1 X)) (assert final (!= Y 5)))",
        [("0 1", "0", "(= X 1)"), ("end 1", "0", "(= X 1)"), ("0 end", "1", "(= e%%0 1)"),
         ("end end", "1", "(= e%%0 1)"), ("end end", "0", "(= Y 1)")],
        "from (pc 0 end) (active 1) to (pc 0 end) (active 0)")}


def proof_of(entries):
    states = [f"  (state (pc {pc}) (active {active}) {formula})" for pc, active, formula in entries]
    return "\n".join(["(rma-proof", *states]) + ")\n"


class Certificates(InFolder):
    def checked(self, program, proof, *arguments, own=None):
        self.write(program, "program.rma")
        self.write(proof, "proof.smt")
        own = self.write(program if own is None else own, "own.rma")
        return check(self.folder, own, *arguments, command=RMA_COMMAND)

    def refuses(self, program, proof, saying="refused: ", *arguments, own=None):
        code, said = self.checked(program, proof, *arguments, own=own)
        self.assertEqual(code, REFUSED, said)
        self.assertIn(saying, said)
        self.assertEqual(said.count("\n"), 1, said)
        return said


class MadeByHand(Certificates):
    def test_accepted(self):
        for name, example in EXAMPLES.items():
            with self.subTest(name):
                code, said = self.checked(example.program, proof_of(example.entries))
                self.assertEqual(code, ACCEPTED, said)
                self.assertRegex(said, r": accepted: safe: no run violates its .*; \d+ rules hold, say each of z3 and")
                self.assertIn(f"own.rma has SHA-256 {hashlib.sha256(example.program.encode()).hexdigest()}\n", said)

    def test_what_is_said(self):
        code, said = self.checked(FIGURE2.program, proof_of(FIGURE2.entries), "--solver", "cvc5")
        self.assertIn("no run violates its 1 final assertion; 11 rules hold, says cvc5; ", said)
        self.assertIn("the program asserts nothing", self.checked("(rma)", "(rma-proof (state (pc) (active) true))")[1])
        entries = [entry for entry in FIGURE2.entries if entry[:2] != ("end 3", "0 0")]
        said = self.refuses(FIGURE2.program, proof_of(entries))
        self.assertIn("rule 5 of 10 does not hold, say z3 and cvc5: process 2, line 11, (store X 3), "
                      "from (pc end 2) (active 0 0) to (pc end 3) (active 0 0), which is not listed", said)
        entries = [(*entry[:2], "true") if entry[:2] == ("end end", "0 1") else entry for entry in FIGURE2.entries]
        said = self.refuses(FIGURE2.program, proof_of(entries), "", "--solver", "z3")
        self.assertIn("says z3: all processes have finished: (get R Y 1), line 12, is executed, "
                      "from (pc end end) (active 0 1) to (pc end end) (active 0 0)\n", said)

    def refuted(self, wrong):
        """Expects that both solvers refute a rule of each of these, (what is wrong, program, proof). A process for each
        takes long."""
        texts, counts = [], []
        for _, text, proof in wrong:
            program = language.read(text.encode())
            rules = Rules(program, formulas.read(proof, program))
            all_rules = list(rules.all())
            texts.append(problem(rules, all_rules).replace("(exit)\n", ""))
            counts.append(len(all_rules))
        for solver in ("z3", "cvc5"):
            result = subprocess.run(command(solver), input="(reset)\n".join(texts), capture_output=True, text=True)
            answers = result.stdout.split()
            self.assertEqual((len(answers), set(answers)), (sum(counts), {"sat", "unsat"}), result.stderr)
            for (what, *_), count in zip(wrong, counts):
                with self.subTest(what, solver=solver):
                    self.assertIn("sat", answers[:count])
                answers = answers[count:]

    def test_entries_left_out(self):
        self.refuted([((name, entry), example.program, proof_of([other for other in example.entries if other != entry]))
                      for name, example in EXAMPLES.items() for entry in example.entries])

    def test_weaker_formulas(self):
        self.refuted([((name, entry), example.program,
                       proof_of([(*entry[:2], "true") if other == entry else other for other in example.entries]))
                      for name, example in EXAMPLES.items() for entry in example.entries if entry[2] != "true"])

    def test_other_counts(self):
        self.refuted([((a, b), FIGURE2.program,
                       proof_of([(pc, b, "true") if active == a else (pc, active, formula)
                                 for pc, active, formula in FIGURE2.entries]))
                      for a, b in (("1 0", "1 1"), ("0 1", "1 1"), ("1 0", "2 0"), ("0 1", "0 2"))])
        self.refuted([(count, COUNTER.program,
                       proof_of([(pc, active, "(<= Y n)" if active == count else formula)
                                 for pc, active, formula in COUNTER.entries])) for count in "12"])

    def test_other_programs(self):
        self.refuted([((name, text, instead), example.program.replace(text, instead), proof_of(example.entries))
                      for name, example in EXAMPLES.items() for text, instead in example.changes])
        for name, example in EXAMPLES.items():
            for text, instead in example.changes:
                with self.subTest(name, text=text, instead=instead):
                    self.assertIn(text, example.program)
                    self.refuses(example.program.replace(text, instead), proof_of(example.entries),
                                 "program.rma is another program than", own=example.program)

    def test_wrong_proofs(self):
        for name, (program, entries, states) in WRONG.items():
            with self.subTest(name):
                self.refuses(program, proof_of(entries), states)

    def test_the_same_program(self):
        own = "; a comment\n" + FIGURE2.program.replace("(shared (Y 1))", "[shared\n[Y +1]]").replace("bot", "")
        self.assertEqual(self.checked(FIGURE2.program, proof_of(FIGURE2.entries), own=own)[0], ACCEPTED)


class Attacks(Certificates):
    """None reaches a solver."""

    def formula(self, formula, saying, entry=1):
        entries = list(FIGURE2.entries)
        entries[entry] = (*entries[entry][:2], formula)
        self.refuses(FIGURE2.program, proof_of(entries), saying, "--solver", "not a solver")

    def test_formulas(self):
        for formula, saying in (
                ("true)) ((check-sat", "proof.smt is not one (rma-proof ...)"),
                ("true) (assert false", "this is not a (state"),
                ("true (exit)", "this is not a (state"),
                ("", "this is not a (state"),
                ("|Y|", "this character is in no term: |"),
                ("\"Y\"", "this character is in no term"),
                ("()", "this is not a term"),
                ("((and Y) true)", "this is not a term"),
                ("(f Y)", "this is not a known operator: f"),
                ("(forall ((x Real)) true)", "this sort is neither Int nor Bool"),
                ("(exists ((x (Int))) true)", "this sort is neither Int nor Bool"),
                ("(exists ((x Int) (x Int)) true)", "exists does not bind x"),
                ("(exists ((x Int)) x)", "a quantified term is an integer"),
                ("(exists (x Int) true)", "exists takes ((x ...) ...) and a term"),
                ("(and (exists ((x Int)) (= x 1)) (= x 1))", "this is not a symbol of this state: x"),
                ("(and (! true :named x) x)", "this is not a symbol of this state: x"),
                ("(! 1 :weight 0)", "this formula is an integer"),
                ("(!)", "this is not a term"),
                ("((_ divisible 2) Y)", "this is not a term"),
                ("(F0 Y X R)", "this is not a known operator: F0"),
                ("(= Z 1)", "this is not a symbol of this state: Z"),
                ("(= v0 1)", "this is not a symbol of this state: v0"),
                ("(= n0 1)", "this is not a symbol of this state: n0"),
                ("(= e0 1)", "this is not a symbol of this state: e0"),
                ("(= e%%1 1)", "this is not a symbol of this state: e%%1"),
                ("(= e%%2 1)", "this is not a symbol of this state: e%%2"),
                ("(= and 1)", "this is not a symbol of this state: and"),
                ("(= Y 1.0)", "this is not a symbol of this state: 1.0"),
                ("(= Y 01)", "this is not a symbol of this state: 01"),
                ("(= Y -1)", "this is not a symbol of this state: -1"),
                ("(= Y true)", "an operand of = has the wrong sort"),
                ("(and Y true)", "an operand of and has the wrong sort"),
                ("(and true (and true 1))", "an operand of and has the wrong sort"),
                ("(< true false)", "an operand of < has the wrong sort"),
                ("(ite Y true false)", "an operand of ite has the wrong sort"),
                ("(ite true 1 false)", "an operand of ite has the wrong sort"),
                ("(+ Y 1)", "this formula is an integer"),
                ("1", "this formula is an integer"),
                ("(= Y)", "= has 1 operands"),
                ("(and true)", "and has 1 operands"),
                ("(not true true)", "not has 2 operands"),
                ("(let ((x 1)) (= x y))", "this is not a symbol of this state: y"),
                ("(let ((x 1) (x 2)) (= x 2))", "let does not bind x"),
                ("(let ((true false)) true)", "let does not bind true"),
                ("(let ((1 2)) (= 1 2))", "let does not bind 1"),
                ("(let ((x 1) (y x)) (= x y))", "this is not a symbol of this state: x"),
                ("(and (let ((x 1)) (= x 1)) (= x 1))", "this is not a symbol of this state: x"),
                ("(let () true)", "let takes ((x ...) ...) and a term"),
                ("(let (x 1) true)", "let takes ((x ...) ...) and a term"),
                ("(let ((x 1)) true true)", "let takes ((x ...) ...) and a term")):
            with self.subTest(formula):
                self.formula(formula, saying)

    def test_entries(self):
        proof = proof_of(FIGURE2.entries)
        entry = FIGURE2.entries[0]
        for text, saying in (
                ("", "proof.smt is not one (rma-proof ...)"),
                (proof + proof, "proof.smt is not one (rma-proof ...)"),
                (proof.replace("rma-proof", "proof"), "proof.smt is not one (rma-proof ...)"),
                (proof[:-3], "this bracket is not closed"),
                (proof + ")", "this bracket closes nothing"),
                (proof.replace("pc end 1", "pc end end 1"), "line 3: expected (pc ...) with 2 words"),
                (proof.replace("pc end 1", "pc end"), "expected (pc ...) with 2 words"),
                (proof.replace("pc end 1", "pc end 5"), "this is not a statement of process 2: 5"),
                (proof.replace("pc end 1", "pc 1 end"), "this is not a statement of process 1: 1"),
                (proof.replace("pc end 1", "pc end 01"), "this is not a statement of process 2: 01"),
                (proof.replace("pc end 1", "pc end -1"), "this is not a statement of process 2: -1"),
                (proof.replace("active 1 0", "active 1"), "expected (active ...) with 2 words"),
                (proof.replace("active 1 0", "active 3 0"), "a count is 0, 1 or 2"),
                (proof.replace("active 1 0", "active one 0"), "a count is 0, 1 or 2"),
                (proof.replace("active 1 0", "active (1) 0"), "expected (active ...) with 2 words"),
                (proof_of([entry, *FIGURE2.entries]), "this state is listed twice"),
                (b"\xff", "proof.smt is not UTF-8")):
            with self.subTest(text):
                self.refuses(FIGURE2.program, text, saying, "--solver", "not a solver")

    def test_names(self):
        """Names that mean something to solvers, and names with every character."""
        for name, symbol in (("let", "let"), ("true-", "true-"), ("v1", "v1"), ("e%%0", "e%25%250"), ("@x", "%40x"),
                             (".x", "%2Ex"), ("a@.b", "a@.b"), ("|", "%7C"), ("1x", "1x"), ("ä", "%C3%A4"),
                             ("'#,`\\:", "%27%23%2C%60%5C%3A"),
                             ("F0", "F0"), ("n0", "n0"), ("Int", "Int"), ("check-sat", "check-sat")):
            with self.subTest(name):
                program = f"(rma (process 1 (local ({name} 7) (w 1))) (assert final (= {name} (+ w 6))))"
                proof = f"(rma-proof (state (pc end) (active) (let ((w {symbol}) (y w)) (and (= w 7) (= y 1)))))"
                code, said = self.checked(program, proof)
                self.assertEqual(code, ACCEPTED, said)

    def test_deep_formulas(self):
        deep = "(not " * 20000 + "true" + ")" * 20000
        shared = "true"
        for i in range(40):
            shared = f"(let ((x{i} {shared})) (and x{i} x{i}))"
        nested = "(and true " * 20000 + "true" + ")" * 20000
        program = "(rma (process 1) (assert final true))"
        for formula in (shared, nested):
            code, said = self.checked(program, f"(rma-proof (state (pc end) (active) {formula}))")
            self.assertEqual(code, ACCEPTED, said)
        code, said = self.checked(program, f"(rma-proof (state (pc end) (active) {deep}))")
        self.assertIn(code, (ACCEPTED, NO_ANSWER), said)  # a solver may be at its end

    def test_programs(self):
        for program, saying in (
                ("(rma (process 1 (shared (x 0) (x 1))))", "RS1"), ("(rma (process 1) (process 1))", "RS1"),
                ("(rma (process 1 [a skip] [a skip]))", "RS1"),
                ("(rma (process 1 (local (x 0)) (load x x)))", "RS2"), ("(rma (process 1 (x := 1)))", "RS2"),
                ("(rma (process 1 (shared (x 0)) (store x x)))", "RS2"), ("(rma (invariant x))", "RS2"),
                ("(rma (process 1 (flush 1)))", "RS3"), ("(rma (process 1 (flush 2)))", "RS3"),
                ("(rma (process 1 (shared (x 0)) (put x 2 x)) (process 2))", "RS3"),
                ("(rma (process 1 (goto a)))", "RS4"), ("(rma (invariant (at 1 a)))", "RS4"),
                ("(rma (process 1 (goto a) (atomic [a skip])))", "RS5"),
                ("(rma (process 1 (atomic (atomic skip))))", "RS5"),
                ("(rma (process 1 (local (x 0)) (x := true)))", "RS6"), ("(rma (assert final 1))", "RS6"),
                ("(rma (process 1 (local (x 0)) (choose x 1 true)))", "RS6"),
                ("(rma (assert final (and true)))", "S4"), ("(rma (process 1 (store)))", "expected a variable"),
                ("(rma", "expected `)`"), ("", "expected a program"), ("(rma) (rma)", "expected the end of the file"),
                (b"\xff", "this is not UTF-8")):
            with self.subTest(program):
                code, said = self.checked("(rma)", "(rma-proof)", own=program)
                self.assertEqual((code, said.count("\n")), (UNREADABLE, 1), said)
                self.assertRegex(said, r"check_rma_certificate: error\[file\]: .*own.rma: it is not a program: \d+:\d+")
                self.assertIn(saying, said)
                self.refuses(program, "(rma-proof)", "program.rma is not a program: ", own="(rma)")
        atomic = "(rma (process 1 (shared (x 0)) (accumulate x 1 + x)))"
        self.refuses(atomic, "(rma-proof)", "there are no certificates of programs with remote atomics")


class Environment(Certificates):
    def no_answer(self, saying, *arguments):
        code, said = self.checked(FIGURE2.program, proof_of(FIGURE2.entries), *arguments)
        self.assertEqual((code, said.count("\n")), (NO_ANSWER, 1), said)
        self.assertIn("check_rma_certificate: error[solver]: " + saying, said)

    def test_solvers(self):
        self.no_answer("no_such_solver cannot be started: No such file or directory", "--solver", "no_such_solver")
        self.no_answer("no_such_solver cannot be started", "--solver", "z3", "--solver", "no_such_solver")
        self.no_answer("sleep 9 timed out after 0.1 s, at rule 1 of 11", "--solver", "sleep 9", "--time", "0.1")
        self.no_answer("echo garbage has no answer about rule 1 of 11: garbage", "--solver", "echo garbage")
        self.no_answer("true ended with code 0 after 0 of 11 answers", "--solver", "true")
        self.no_answer("echo unsat ended with code 0 after 1 of 11 answers", "--solver", "echo unsat")
        self.no_answer("echo unknown has no answer about rule 1 of 11: unknown", "--solver", "echo unknown")
        failing = self.write("#!/bin/sh\ngrep check-sat | sed s/.*/unsat/\nexit 7\n", "failing")
        failing.chmod(0o755)
        self.no_answer(f"{failing} ended with code 7 after 11 of 11 answers", "--solver", failing)
        slow = self.write("#!/bin/sh\nsleep 60\necho unsat\n", "slow")  # a process that has another one
        slow.chmod(0o755)
        self.no_answer(f"{slow} timed out after 0.1 s, at rule 1 of 11", "--solver", slow, "--time", "0.1")
        # One that refutes outweighs another without an answer.
        entries = proof_of(FIGURE2.entries[1:])
        self.refuses(FIGURE2.program, entries, "rule 1 of 10 does not hold, says z3: the initial values, "
                     "at (pc end 0) (active 0 0), which is not listed", "--solver", "true", "--solver", "z3")

    def test_files(self):
        code, said = check(self.folder, self.folder / "none.rma", command=RMA_COMMAND)
        self.assertEqual((code, "none.rma: No such file or directory" in said), (UNREADABLE, True), said)
        own = self.write("(rma)", "own.rma")
        code, said = check(self.folder, own, command=RMA_COMMAND)
        self.assertEqual((code, "program.rma: No such file or directory" in said), (UNREADABLE, True), said)
        self.write("(rma)", "program.rma")
        os.mkfifo(self.folder / "proof.smt")
        code, said = check(self.folder, own, command=RMA_COMMAND)
        self.assertEqual((code, "it is not a regular file" in said), (UNREADABLE, True), said)

    def test_arguments(self):
        for arguments in ((), ("a",), ("a", "b", "c"), ("a", "b", "--time", "0"), ("a", "b", "--time", "x"),
                          ("a", "b", "--solver", "")):
            self.assertEqual(check(*arguments, command=RMA_COMMAND)[0], UNREADABLE, arguments)
        code, said = check("--help", command=RMA_COMMAND)
        self.assertEqual((code, "Exit codes: 0 accepted, 1 refused" in said), (ACCEPTED, True), said)


if __name__ == "__main__":
    unittest.main()
