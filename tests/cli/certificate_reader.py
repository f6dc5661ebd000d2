#!/usr/bin/env python3
"""The certificate checker's reader of the language against Matchpoint's: the same tree, or a fault at the same place; and the
same programs keep D1 to D6. For all of traces/, for odd programs made here, and for random mutations of random programs.

MATCHPOINT_CERTIFICATES=10000 asks about more mutations, MATCHPOINT_SEED about others."""

import itertools
import json
import os
import random
import re
import subprocess
import sys
import unittest
from pathlib import Path

from support import BAD_INPUT, HOLDS, UNKNOWN, InFolder, run

ROOT = Path(__file__).resolve().parents[2]
CHECKER = ROOT / "scripts" / "check_certificate"
sys.path.insert(0, str(CHECKER.parent))

from certificate_checker import Refused, language, printing  # noqa: E402
from certificate_checker.program import Program  # noqa: E402

MUTATIONS = 800 if int(os.environ.get("MATCHPOINT_CERTIFICATES", "0")) < 10000 else 100000
SEED = int(os.environ.get("MATCHPOINT_SEED", "1"))
BATCH = 500

# Pieces of text that a reader may take for something else.
PIECES = ["(", ")", "[", "]", "bot", "⊥", " ", "\t", "\n", "\v", "\f", "\r", "\r\n", ";", "; x\r\n", ";(\n", "\"", "{", "}", "\ufeff",
          "\u00a0", "\u2028", "\u0085", "\u001c", "\u3000", "\u200b", "\0", "'", ".", "é", "e\u0301", "０", "٣", "1_0", "+", "-", "+5", "-0",
          "00", "+00", "-00", "-1", "0x1", "1e3", "99999999999999999999", "true", "false", "assume", "assert", ":=", "sndi", "rcvi",
          "wait", "not", "and", "or", "xor", "=>", "=", "!=", "<", "<=", ">", ">=", "*", "div", "mod", "x", "00", "S1", "(wait S1)",
          "(+ 1)", "(not 1 2)", "(and)", "ite", "(ite true 1 2)", "(ite", "(ite b x)", "[a (wait b)]", "(x := (+ 1 2))", "((0 1) bot)", "((0 1 2) bot)", " 0 1 2) ", "(00 bot)", "()", "[)", "(assert true)",
          "ssndi", "bsndi", "barrier", "from", "tag", "source", "tagged", "at", "(barrier b)", "[c (barrier b)]", "(from 1 2)", "(from)",
          "probe", "mprobe", "start", "collective", "icollective", "(probe p 0)", "(mprobe q 0)", "[m (start q x)]", "root", "op", "type", "count", "bcast",
          "(root 0)", "(count 1 2)", "(collective K C barrier)", "[k (icollective L C bcast (root 0))]", "(peek 0 1)", "peek",
          "(tag +01)", "[tag 0 1]", "(tag)", "(source y)", "[tagged z]", "(at \"f.c\" 7)", "(at \"\" -0)", "\"a;b\"", "4294967295", "4294967296"]

# Selectors, modes, barriers and places: %s is what follows the variable or the value.
RECEIVE = "( ( [a (rcvi r 0 x%s)] [b (wait r)] ) )"
SEND = "( ( [a (sndi s 0 1 5%s)] [b (wait s)] ) )"
MPI = [*(RECEIVE % what for what in (
           " (from)", " (from 1)", " (from 1 +02 1)", " (from -1)", " (from x)", " (from", " (from (", " [from 1)", " (tag 1)(tag 2)", "(tag)",
           " (tag 00 +0 -0)", " (source y)", " (source x)", " (source 5)", " (source)", " (source y z)", " (source and)", " (tagged z)",
           " (tagged z) (from 1) (source y) (tag 2)", " a (from 1)", " (from 1) a", " z (from 1)", " (from 1) (source y) (from 2) (source z)",
           " (at 1)", " (tags 1)", " ()", " (\"from\" 1)", " ((from 1))", " (from 1) bot", " (tagged barrier)", " (tag 1) (tagged z) (tag)")),
       *(SEND % what for what in (
           " (tag 3)", " (tag +03)", " (tag -0)", " (tag -1)", " (tag)", " (tag 1 2)", " (tag x)", " (from 1)", " (tag 1) (tag 2)", " a (tag 1)",
           " (tag 1) a", " [tag 1]", " (at \"f\" 1)", " (tag", " tag", " z (tag 1)", " (tag 99999999999999999999999)")),
       "( ( [a (sndi s 0 1 5] [b (wait s)] ) )", "( ( [a (sndi s 0 1 5 [b (wait s)] ) )", "( ( [a (rcvi r 0 x [b (wait r)] ) )",
       "( ( [a (rcvi r 0 x (from 1) [b (wait r)] ) )", "( ( [a (sndi s 0 1 5 (b (wait s)) ) )", "( ( [a (rcvi r 0 x) [b (wait r)] ) )",
       *(f"( ( [a ({kind} s 0 1 5)] [b (wait s)] ) )" for kind in ("ssndi", "bsndi", "rsndi", "Ssndi", "isndi")),
       *(f"( ( [a ({what})] ) )" for what in (
           "ssndi := 1", "bsndi := 1", "rsndi := 1", "barrier := 1", "barrier ; :=\n := 1", "barrier", "barrier (", "barrier b c", "barrier :=", "ssndi",
           "ssndi := 0 1 5", "barrier \"b\"", "barrier barrier", "barrier 5", "barrier bot", "barrier ⊥", "from := 1", "at := 1", "tag := tag",
           "source := 1", "barrier := barrier", "assert barrier", "ssndi s 0 1 5 (tag 1)", "bsndi s 0 1 (+ 1 2) a (tag 1)")),
       "( ( [a (barrier := 1)] [b (x := (+ barrier 1))] [c (barrier b)] [d (barrier := x)] ) )",
       # S9
       "( ( [a (barrier b)] ) ( [c (barrier b)] ) )", "( ( [a (barrier b)] ) ( [c (barrier b)] [d (barrier b)] ) )",
       "( ( [a (barrier b)] [e (barrier b)] ) ( [c (barrier b)] ) )", "( ( [a (barrier b)] ) ( ) ( [c (barrier B)] ) )",
       "( ( [a (barrier b)] [e (barrier c)] ) ( [f (barrier b)] ) ( [g (barrier b)] [h (barrier c)] [i (barrier c)] [j (barrier b)] ) )",
       "( ( [a (barrier b)] [a (barrier b)] ) ( [c (barrier b)] ) )", "( ( [a (barrier b)] ) ( [c (barrier b)] [d (wait z)] [e (barrier b)] ) )",
       # places
       *(f"( ( [a (x := 1){place}] ) )" for place in (
           " (at \"main.c\" 12)", "(at \"\" 0)", " (at \"a b;c(\" +007)", " (at \"f\" -0)", " (at \"f\" -1)", " (at \"f\" 4294967295)",
           " (at \"f\" 4294967296)", " (at \"f\" 99999999999999999999)", " (at \"f\" x)", " (at \"f\")", " (at f 1)", " (at 1 \"f\")", " (at)", " (at",
           " (at \"f\n\" 1)", " (at \"f)", " (\"at\" \"f\" 1)", " (to \"f\" 1)", " (at \"f\" 1) (at \"g\" 2)", " [at \"f\" 1]", " [at \"f\" 1)",
           " (at \"\u2028\r\" 1)", " (at ; \"x\n \"f\" ; 7\n 8)", " (at \"f\" 1 2)", " \"f\"", " at", " (at \"f\" 0000000000000000000012)",
           f" (at \"f\" {'7' * 5000})", f" (at \"f\" {'0' * 5000}7)")),
       "( ( [a (rcvi r 0 x (from 1) (at \"f\" 1))] [b (wait r)] ) )", "( ( [a (rcvi r 0 x (from 1)) (at \"f\" 1)] [b (wait r) (at \"f\" 2)] ) )",
       # D3, D4, D5 and D6 of receives that select
       *(f"( ( [a (rcvi r 0 x{one})] [b (rcvi q 0 y{other})] [c (wait q)] [d (wait {waited})] ) )".replace("[d (wait q)] ", "")
         for waited in "rq" for one, other in itertools.product(
             ("", " (from 1)", " (from 2 1)", " (tag 1)", " (tag 1 0) (from 1)", " (from)", " (tag) (from 1)", " (source u)"), repeat=2)),
       *(f"( ( [a (rcvi r 0 x (from 1))] [b (rcvi q 0 y{other})] [c (rcvi p 0 z)] [d (wait q)] [e (assert (= x y))] [f (wait p)] [g (wait r)] ) )"
         for other in ("", " (from 1)", " (from 1 1)", " (from 1 2)", " (from 1) (tag 1)")),
       *(f"( ( [a (rcvi r 0 x (source y) (tagged z))] [c (assert {before})] [b (wait r)] [d (assert {behind})] [e (v := {then})] ) {other} )"
         for before, behind, then, other in (
             ("true", "(= y z)", "(+ y z)", ""), ("(= y 1)", "true", "1", ""), ("true", "y", "1", ""), ("true", "(= y x)", "1", ""),
             ("true", "x", "(+ y z)", ""), ("true", "(and x (= y 1))", "x", "( [f (sndi s 1 0 true)] )"),
             ("true", "(= x y)", "1", "( [f (sndi s 1 0 true)] )"), ("true", "true", "1", "( [f (y := 1)] )"),
             ("true", "true", "1", "( [f (rcvi q 1 w (tagged z))] [g (wait q)] )"), ("true", "true", "z", "( [f (rcvi q 1 z)] [g (wait q)] )"))),
       "( ( [a (rcvi r 0 x (source x) (tagged x))] [b (wait r)] [c (assert (= x 1))] ) ( [d (sndi s 1 0 true)] ) )",
       "( ( [a (rcvi r 0 x (source x))] [b (wait r)] [c (assert x)] ) ( [d (sndi s 1 0 true)] ) )"]

# Probes and peeks: %s is what follows the endpoint.
PROBE = "( ( [a (probe p 0%s)] [b (x := 1)] ) ( [c (sndi s 1 0 true)] ) )"
MPROBE = "( ( %s ) ( [z (sndi s 1 0 5)] ) )"
PROBES = [*(PROBE % what for what in (
              "", " (from 1)", " (source y)", " (source x)] [d (y := x)", " (source y) (tagged z)] [d (assert (= y z))", " (source y)] [d (assert y)", " x",
              " a", " (tag 1) (tag 2)", " (tags 1)", ")] [d (wait p)", ")] [d (start p x)", " (tagged b)] [b2 (w := b)", "]", " (from", " (from 1 -0 +01)")),
          *(MPROBE % what for what in (
              "[a (mprobe p 0)] [b (start p x)] [c (wait p)] [d (assert (= x 5))]", "[a (mprobe p 0)] [b (start p x)] [c (wait p)] [d (assert x)]",
              "[a (mprobe p 0)] [b (start p x)]", "[a (mprobe p 0)] [c (wait p)]", "[a (mprobe p 0)]", "[b (start p x)] [a (mprobe p 0)] [c (wait p)]",
              "[a (mprobe p 0)] [c (wait p)] [b (start p x)]", "[a (mprobe p 0)] [b (start p x)] [b2 (start p x)] [c (wait p)]",
              "[a (mprobe p 0)] [b (start p x)] [c (wait p)] [c2 (wait p)]", "[a (mprobe p 0)] [b (start p x)] [d (assert (= x 5))] [c (wait p)]",
              "[a (mprobe p 0 (source y))] [d (assert (= y 5))] [b (start p x)] [c (wait p)]", "[a (mprobe p 0)] [b (start q x)] [c (wait p)]",
              "[a (mprobe p 0)] [b (start p x)] [c (wait p)] ) ( [d (x := 1)]", "[a (mprobe p 0)] [b (start p x)] ) ( [c (wait p)]",
              "[a (mprobe p 0)] ) ( [b (start p x)] [c (wait p)]", "[a (mprobe p 0)] [b (start p x)] [c (wait p)] ) ( [d (probe q 0)]",
              "[a (mprobe p 0)] [b (start p)] [c (wait p)]", "[a (mprobe p 0)] [b (start p 5)] [c (wait p)]", "[a (mprobe s 0)] [b (start s x)] [c (wait s)]",
              "[a (rcvi r 0 x)] [b (start r y)] [c (wait r)]", "[a (rcvi r 0 x)] [a2 (mprobe p 0)] [b (start p y)] [c (wait p)]",
              "[a (rcvi r 0 x)] [a2 (mprobe p 0)] [b (start p y)] [c (wait p)] [d (wait r)] [e (assert (= x y))]", "[a (probe := 1)] [b (mprobe := probe)] [c (start := mprobe)]",
              "[a (probe)]", "[a (start)]", "[a (mprobe p)]", "[a (probe p -1)]", "[a (probe p x)]")),
          *(f"() ((a {what}))" for what in (
              "((peek 0 1))", "((peek 0 1 2) bot)", "((0 1) (peek 0 1))", "((peek 0 1) (0 1))", "((peek 0 1) (peek 0 1))", "(peek 0 1)", "((peek 0))",
              "((peek 0 1 2 3))", "((peek))", "([peek +0 -0 007] bot)", "((peek 0 1) bot bot)", "((peek -1 0))", "((peek peek 0 1))", "((0 peek 1))")),
          *(f"(shared [x 0] [b true]) ( ( [a {what}] ) ( [z (sndi s 1 0 5)] ) )" for what in (
              "(probe p 0 (source x))", "(probe p 0 (source b))", "(mprobe p 0)] [b2 (start p x)] [c (wait p)", "(mprobe p 0)] [b2 (start p b)] [c (wait p)"))]

# Collectives: what follows the communicator, in one thread and in two.
PARTS = ["barrier", "barrier (root 0)", "barrier (op sum)", "barrier (type int)", "barrier (count 1)", "construct", "bcast", "bcast (root 0)", "bcast (root 1)",
         "bcast (root 2)", "bcast (root -0) (type int) (count 5)", "bcast (root 0) (op sum)", "bcast (root 0) (root 0)", "bcast (root x)", "bcast (root)",
         "bcast (root 4294967296)", "bcast (root +000) (count 1 2)", "bcast (root 0) (count)", "bcast (root 0) (count -1)", "bcast (root 0) (count 18446744073709551615)",
         "bcast (root 0) (count 18446744073709551616)", "gatherv (root 0) (count 1 2)", "gatherv (root 0) (count 1)", "gatherv (root 0) (count 1 2 3)",
         "scatter (root 0) (count 1 2)", "scatterv (root 0) (count 00 +2)", "gather (root 0)", "reduce (root 0) (op and)", "reduce (op sum)", "reduce (root 0) (op)",
         "reduce (root 0) (op sum) (op sum)", "allreduce (op ()", "allreduce (type \"int\")", "allreduce (type bot) (op true)", "allreduce (count 1) (count 1)",
         "allgather (count 0)", "allgatherv (count 1 0)", "alltoall (type t) (type u)", "alltoallv (count 1 0)", "alltoallw (type x) (count 1 1)",
         "reduce_scatter (count 1 1)", "reduce_scatter_block (count 1 1)", "scan (op f)", "exscan (root 0)", "gossip", "", "barrier barrier", "barrier (kind 1)",
         "bcast [root 0]", "bcast (root 0", "bcast (root 0] ", "bcast (root 0) (at \"f\" 1)", "alltoallv (count 18446744073709551615 0)", "5"]
COLLECTIVES = [*(f"( ( [a ({kind} K C {parts})] ) ( [b ({kind} L C {parts})] ) )" for parts in PARTS for kind in ("collective", "icollective")),
               *(f"( ( [a (collective K C {parts})] ) )" for parts in PARTS),
               *(f"( ( [a {what}] ) ( [z (collective Z C barrier)] ) )" for what in (
                   "(icollective K C barrier)] [b (wait K)", "(collective K C barrier)] [b (wait K)", "(icollective K C barrier)] [b (wait K)] [c (wait K)",
                   "(icollective K C barrier)", "(wait K)] [b (icollective K C barrier)", "(wait Z)", "(icollective K C barrier)] [b (start K x)",
                   "(collective Z C barrier)", "(collective := 1)] [b (icollective := collective)", "(collective)", "(collective K)", "(collective K C)",
                   "(collective K C barrier)] [b (collective L C bcast (root 1)", "(collective K D bcast (root 1))", "(collective K D bcast (root 0))",
                   "(collective K C barrier)] [b (start K x)", "(icollective K C barrier)] ) ( [b (wait K)", "(collective bot barrier barrier)"))]

# Each keeps the static rules, unless the comment says something else.
ODD = ["", " ", "\ufeff", "()", "\ufeff()", " \ufeff()", "()\ufeff", "(())", "(([))", "((]", "[[]]", "([bot])", "((⊥))", "((bot bot))",
       "()()", "()(bot)", "() ((a bot))", "() ((a ()))", "() ((a (bot)))", "() ((a ((0 1))))", "() ((a ((0 1) bot)))",
       "() ((a ((+0 -0) (00 007))))", "() ((a ((0 1 2) (0 1) [+0 -0 +007] bot)))", "() ((a ((0 1 -0))))", "() ((a ((0 1 -1))))",
       "() ((a ((0 1 x))))", "() ((a ((0 1 bot))))", "() ((a ((0 1 2 3))))", "() ((a ((0 1 (tag 2)))))", "() ((a ((0 1 2 bot))))",
       f"() ((a ((0 1 {'0' * 5000}{'7' * 5000}))))", "() ((a ((-1 0))))", "() ((a 0))", "() ((bot bot))", "() (bot)", "(()) ; end", "(()) ;",
       "( ( [a (x := 1)] [\u00a0 (y := x)] ) )", "( ( [a (x\u2028y := 1)] ) )", "( ( [a (\ufeff := 1)] [b (\ufeffx := \ufeff)] ) )",
       "( ( [bot (x := 1)] ) )", "( ( [⊥ (x := +5)] ) )", "( ( [( (x := 1)] ) )", "( ( [a (x := -)] ) )", "( ( [a (x := +)] ) )",
       "( ( [a (x := -0)] [b (y := +007)] [c (z := -00012)] ) )", "( ( [a (x := 1_0)] ) )", "( ( [a (x := ٣)] ) )",
       "( ( [a (assert := 1)] ) )", "( ( [a (:= := 1)] ) )", "( ( [a (true := 1)] ) )", "( ( [a (5 := 1)] ) )", "( ( [a (x = 1)] ) )",
       "( ( [a (assert (= 1 1) )] ) )", "( ( [a (assert (= 1))] ) )", "( ( [a (assert (not))] ) )", "( ( [a (assert (1 2))] ) )",
       "( ( [a (assert (not (= 1 2 3)))] [a (assert true)] ) )", "( ( [a (assert ((= 1 2)))] ) )", "( ( [a (assert )] ) )",
       "( ( [a (wait b)] ) )", "( ( [a (wait b)] [c (rcvi b 0 x)] ) )", "( ( [a (rcvi b 0 x c)] [d (wait b)] ) )",
       "( ( [a (rcvi b 0 x d)] [d (wait b d)] ) )", "( ( [a (rcvi b 0 x d)] [d (wait b)] ) )", "( ( [a (rcvi b -1 x)] ) )",
       "( ( [a (sndi b 0 00 1 a)] ) )", "( ( [a (sndi b 0 0 1 a a)] ) )", "( ( [a (sndi b 0 x 1)] ) )", "( ( [a (rcvi b 0 wait)] ) )",
       "( ( [a (rcvi b 0 x)] [c (rcvi b 0 y)] [d (wait b)] ) )", "( ( [a [x := 1]] ) )", "( ( (a [x := (+ 1 [- 2 3])]) ] )",
       "( ( [a(x := 1)][b(y := x)]bot) )", "( ( [a(x := 1)];c\n[b(y := x)] bot;d\n) )", "( ( [a (x := 1)] bot [b (y := 2)] ) )",
       "( ( [a (x := 1\v)]\f) )", "( ( [a\r\n(x\t:= 1)] ) )\r\n", "( ( [a (x := 1)] ) ) \"", "( ( [a\"b (x := 1)] ) )", "( ( {a} ) )",
       "( ; \"{}\n )", "( ; \u2028 ) )\n )", "( ; \r )\n )", "(\u0085)", "(\u00a0)", "(\0)",
       *(f"( ( [a (assert {e})] ) )" for e in ("(= 1 true)", "(= true false)", "(and 1 true)", "(not 1)", "1", "x", "(< true 1)")),
       *(f"( ( [a (b := (= 1 2))] [x (x := 3)] [c (y := {e})] [d (assert {what})] ) )" for e, what in (
           ("(ite b x 2)", "(= y 2)"), ("(ite b x 2)", "y"), ("(ite b b (not b))", "y"), ("(ite b b (not b))", "(= y 1)"), ("(ite x x 2)", "true"),
           ("(ite b x b)", "true"), ("(ite b b x)", "true"), ("(ite b x)", "true"), ("(ite b x 1 2)", "true"), ("(ite)", "true"), ("(ite b)", "true"),
           ("(ite b (ite (ite b b false) (ite b x 1) (+ x (ite b 1 2))) (ite (not b) 1 (div x 0)))", "(= y (ite b x (ite b y 1)))"),
           ("(ite b (ite b x b) 1)", "true"), ("(ite b x (ite b z 1))", "true"), ("(ite true 1 (+ 1 true))", "true"), ("ite", "true"),
           ("(ite b (ite b b b) (ite b b true))", "(ite y y (ite b y false))"), ("((ite b x 2))", "true"), ("(ite b [ite b x 1] 2)", "true"))),
       "( ( [a (ite := 1)] ) )", "( ( [a (rcvi r 0 ite)] [b (wait r)] ) )", "( ( [ite (sndi ite 0 1 (ite true 1 2) ite)] [b (wait ite)] ) )",
       "(shared [ite 1]) ( )", "(shared [x 0] [b true]) ( ( [a (when (ite b b (= x 1)) (x := (ite b x 1)) (b := (ite (= x 1) b false)))] ) )",
       "( ( [a (rcvi r 0 x)] [b (wait r)] [c (y := (ite true x 1))] ) ( [d (sndi s 1 0 true)] ) )",
       "( ( [a (rcvi r 0 x)] [b (wait r)] [c (y := (ite true x x))] [e (assert y)] ) ( [d (sndi s 1 0 true)] ) )",
       "( ( [a (rcvi r 0 x)] [b (wait r)] [c (y := (ite true x x))] [e (assert y)] ) ( [d (sndi s 1 0 (ite true 1 2))] ) )",
       "( ( [a (rcvi r 0 x)] [b (wait r)] [f (rcvi q 2 z)] [g (wait q)] [c (y := (ite x x z))] ) ( [d (sndi s 1 2 1)] ) )",
       *MPI, *PROBES, *COLLECTIVES,
       "(shared [x 0] [y true]) ( ( [a (x := 1)] ) )", "(shared) ( )", "(shared [x 0] [x 1]) ( ( [a (x := 1)] ) )", "(shared [x y]) ( )",
       "(shared [x 0) ( )", "(shared [x +07] [y -0]) ( ( [a (when (= x 1) (x := 2) (t := x))] [b (assume t [x := 3])] ) )",
       "(shared [x 0]) ( ( [a (when)] ) )", "( ( [a (when := 1)] ) )", "( ( [a (when x := 1)] ) )", "( ( [a (when true (x := 1) (x := 2))] ) )",
       "( ( [a (when true (x = 1))] ) )", "( ( [a (assume true (5 := 1))] ) )", "( ( [a (assert true (x := 1))] ) )", "(shared [x 0])",
       "[shared [x 0]] ( ) (shared [y 1])", "(shared [shared 1]) ( ( [a (shared := 2)] ) )",
       "(shared atomic [x 0] [atomic 1] ;\n atomic[y true]) ( ( [a (atomic := 2)] ) )", "(shared atomic) ( )", "(shared atomic x) ( )",
       "(shared atomic atomic [x 0]) ( )", "(shared [atomic x 0]) ( )", "(shared [x 0] atomic [x 0]) ( )",
       *("(shared [x 0] [b true]) ( ( [a (u := 1)] [c %s] ) ( [d (x := 1)] [e (v := x)] ) )" % c for c in (
           "(x := 2)", "(x := b)", "(b := x)", "(b := (= x u))", "(u := x)", "(u := v)", "(v := 1)", "(assume x)", "(when b)", "(when u)",
           "(when b (x := u))", "(when b (x := b))", "(when b (b := x) (x := b))", "(when b (w := x) (x := w))", "(when w (w := b))",
           "(assume b (w := 1) (x := 2))] [f (x := w)", "(assume b (w := b))] [f (x := w)", "(when b (w := 1))] [f (w := b)] [g (assume w)",
           "(when b (v := 1))", "(when b (x := 1) (v := 2))", "(assert b)", "(assert (+ x 1))", "(when (= x b))", "(when (> x b))",
           "(rcvi r 0 x)] [f (wait r)] [g (sndi s 1 0 7)", "(rcvi r 0 x)] [f (wait r)] [g (sndi s 1 0 b)", "(rcvi r 0 b)] [f (wait r)] [g (sndi s 1 0 b)",
           "(rcvi r 0 b)] [f (wait r)", "(rcvi r 0 x)] [f (rcvi q 0 b)] [g (wait q)", "(rcvi r 0 w)] [f (wait r)] [g (x := w)] [h (b := w)",
           "(rcvi r 0 x (source x))] [f (wait r)", "(rcvi r 0 x (source b))] [f (wait r)", "(rcvi r 0 x (tagged b))] [f (wait r)",
           "(rcvi r 0 v)] [f (wait r)", "(rcvi r 0 u (source v))] [f (wait r)", "(rcvi r 0 x)", "(wait x)")),
       # D1 to D6, kept and broken
       "( ( [a (rcvi r 0 x)] [b (wait r)] ) ( [c (sndi s 00 1 1)] ) )", "( ( [a (sndi s 0 1 1)] [b (wait s)] ) ( [c (sndi t 00 1 true)] ) )",
       "( ( [a (sndi s 0 1 1)] ) ( [b (wait s)] ) )", "( ( [b (wait s)] [a (sndi s 0 1 1)] ) )",
       "( ( [a (sndi s 0 1 1)] [b (wait s)] [c (wait s)] ) )", "( ( [a (rcvi r 0 x)] ) )",
       "( ( [a (rcvi r 0 x)] [b (rcvi q 0 x)] [c (wait q)] ) )", "( ( [a (rcvi r 0 x)] [b (rcvi q 0 x)] [c (wait r)] ) )",
       "( ( [a (rcvi r 0 x)] [b (rcvi q 1 x)] [c (wait q)] ) )", "( ( [a (x := 1)] ) ( [b (x := 2)] ) )",
       "( ( [a (x := 1)] ) ( [b (assert (= x 1))] ) )", "( ( [a (x := x)] ) )", "( ( [a (rcvi r 0 x)] [b (assert x)] [c (wait r)] ) )",
       "( ( [a (rcvi r 0 x)] [c (wait r)] [b (assert x)] [d (x := (+ x 1))] ) )",
       "( ( [a (rcvi r 0 x)] [c (wait r)] [b (assert x)] [d (x := 1)] [e (assert (= x 1))] ) )",
       "( ( [a (rcvi r 0 x)] [c (wait r)] [b (assert x)] ) ( [d (sndi s 1 0 5)] ) )",
       "( ( [a (rcvi r 0 x)] [c (wait r)] [d (sndi s 0 1 x)] ) ( [e (rcvi q 1 y)] [f (wait q)] [g (assert y)] [h (assert (= y 1))] ) )",
       "( ( [a (rcvi r 0 x)] [c (wait r)] [d (rcvi q 1 y)] [e (wait q)] [f (assert (= x y))] [g (assert x)] [h (y := (+ y 1))] ) )"]


def checkers(data):
    """What the certificate checker reads: (None, lines of the tree, whether D1 to D6 are kept) or (where, None, None)."""
    try:
        file = language.read(data)
    except language.NotAProgram as e:
        return str(e).split(": ")[0], None, None
    try:
        Program(file)
        return None, printing.printed(file), True
    except Refused:
        return None, printing.printed(file), False


# A string, which may have a `;`, or a comment.
STRING_OR_COMMENT = re.compile(r'("[^"]*")| *;.*', flags=re.DOTALL)


class Readers(InFolder):
    def linted(self, paths):
        """What Matchpoint finds in each file: (where the first error of syntax or of a static rule is, whether D1 to D6 are
        kept)."""
        decoder, at, found = json.JSONDecoder(), 0, []
        text = run("lint", "--strict", "--format", "json", *paths).text
        for _ in paths:
            about, at = decoder.raw_decode(text, at)
            while at < len(text) and text[at] == "\n":
                at += 1
            faults = [f for f in about["diagnostics"] if f["rule"] not in ("selector", "atomic")]  # these are only warnings
            first = [f for f in faults if not f["rule"].startswith("D")][:1]
            found.append((f"{first[0]['line']}:{first[0]['column']}" if first else None, not faults))
        return found

    def compare(self, texts, name):
        """Writes the texts, and compares what both readers say. Returns how many were programs."""
        paths = [self.write(text, f"{name}{i}.ctp") for i, text in enumerate(texts)]
        programs = 0
        for path, (where, disciplined) in zip(paths, self.linted(paths)):
            data = path.read_bytes()
            place, lines, keeps = checkers(data)
            self.assertEqual(place, where, data)
            if where is None:
                programs += 1
                self.assertEqual(keeps, disciplined, data)
                self.assertEqual(lines, self.formatted(path), data)
            path.unlink()
        return programs

    def formatted(self, path):
        """The lines that `matchpoint fmt` prints, without comments."""
        result = run("fmt", path)
        self.assertEqual(result.code, HOLDS)
        lines = [STRING_OR_COMMENT.sub(lambda m: m[1] or "", line) for line in result.text.split("\n")]
        return [line for line in lines if line]

    def test_traces(self):
        files = [path.read_bytes() for path in sorted(ROOT.glob("traces/**/*.ctp"))]
        self.assertGreater(len(files), 150)
        self.compare(files, "trace")

    def test_odd_programs(self):
        programs = self.compare(ODD, "odd")
        self.assertGreater(programs, 40)
        self.assertGreater(len(ODD) - programs, 40)

    def test_what_is_not_utf_8(self):
        for bad in (b"\x80", b"\xc0\x80", b"\xc3", b"\xe2\x8a", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80", b"\xff\xfe",
                    b"\xe0\x80\x80", b"\xf0\x80\x80\x80", b"\xef\xbb"):
            self.compare([b"( ( [" + bad + b" (x := 1)] ) )", "( ; é\n(é ".encode() + bad, bad], "bytes")

    def test_random_mutations(self):
        rng = random.Random(SEED)
        count = programs = number = 0
        while count < MUTATIONS:
            number += 1
            shape = [[], ["7", "5", "3"], ["5", "--divisions", "100", "--booleans", "60", "--large-numbers", "60"]][number % 3]
            original = run("gen", "random", str(number), *shape, "--seed", str(SEED)).out
            if number % 2 == 0:
                original = self.with_mpi(rng, original)
            texts = [self.mutated(rng, original) for _ in range(50)]
            programs += self.compare(texts, "mutation")
            count += len(texts)
        print(f"seed {SEED}: {count} mutations of {number} programs, {programs} of them programs")
        self.assertGreater(min(programs, count - programs), count // 10)

    def with_mpi(self, rng, text):
        """The program with selectors, modes, barriers, probes, collectives and places here and there."""
        def anything(choices):
            return lambda m: m[0] if rng.random() < 0.5 else rng.choice(choices)(m)
        text = re.sub(rb"\((rcvi \S+ \S+ [^\s()]+)\)", anything((
            lambda m: b"(%s (from 1 %d))" % (m[1], rng.randrange(5)), lambda m: b"(%s (tag 0 %d))" % (m[1], rng.randrange(3)),
            lambda m: b"(%s (source a) (tagged b))" % m[1])), text)
        text = re.sub(rb"\[(\S+) \(rcvi (\S+) (\S+) ([^\s()]+)\)\]", anything((
            lambda m: b"[%s (mprobe %s %s)] [%sst (start %s %s)]" % (*m.group(1, 2, 3, 1, 2, 4),),
            lambda m: b"[%spr (probe p%s %s (source u%s))] %s" % (*m.group(1, 2, 3, 2), m[0]))), text)
        text = re.sub(rb"\(sndi ([^()]*)\)", anything((lambda m: b"(ssndi %s (tag 1))" % m[1], lambda m: b"(bsndi %s)" % m[1])), text)
        text = re.sub(rb"(?m)^    \[\S+ .*\]$", anything((
            lambda m: m[0] + b"\n    [z%d (barrier b)]" % rng.randrange(10**9),
            lambda m: m[0] + b"\n    [z%d (collective K%d C bcast (root 0) (count 1))]" % ((rng.randrange(10**9),) * 2),
            lambda m: m[0] + b"\n    [z%d (icollective K%d C alltoallv (type t))]" % ((rng.randrange(10**9),) * 2), lambda m: m[0][:-1] + b" (at \"f;.c\" %d)]" % rng.randrange(99))), text)
        return text

    def mutated(self, rng, text):
        for _ in range(rng.choice((1, 1, 1, 2, 4))):
            at = rng.randrange(len(text) + 1)
            words = [m.span() for m in re.finditer(rb"[^\s()\[\]]+", text)] or [(0, 0)]
            kind = rng.randrange(7)
            if kind == 0:  # another byte
                text = text[:at] + bytes([rng.randrange(256)]) + text[at + 1:]
            elif kind == 1:  # some bytes less
                text = text[:at] + text[at + rng.choice((1, 1, 3, 20)):]
            elif kind == 2:
                text = text[:at] + rng.choice(PIECES).encode() + text[at:]
            elif kind == 3:  # another word
                begin, end = rng.choice(words)
                text = text[:begin] + rng.choice(PIECES).encode() + text[end:]
            elif kind == 4:  # a word of the program in place of another one
                (begin, end), (first, last) = rng.choice(words), rng.choice(words)
                text = text[:begin] + text[first:last] + text[end:]
            elif kind == 5:  # two lines the other way round
                lines = text.split(b"\n")
                i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
                lines[i], lines[j] = lines[j], lines[i]
                text = b"\n".join(lines)
            else:
                text = text.replace(*rng.choice(((b"\n", b"\r\n"), (b" ", b"\t"), (b"[", b"("), (b"bot", "⊥".encode()), (b"0", b"00"),
                                                 (b" ", "\u00a0".encode()), (b"(", b"[", 1), (b"bot", b""))))
        return text

    def test_deep_and_long(self):
        """Nothing recurses, and numbers are as long as Matchpoint's."""
        depth = 150_000
        self.compare(["( ( [a (assert " + "(not " * depth + "true" + ")" * depth + ")] ) )",
                      "( ( [a (x := " + "(+ 1 " * depth + "1" + ")" * depth + ")] ) )", "(" * depth,
                      "( ( [a (x := " + "7" * 5000 + ")] [b (y := (- x -00" + "8" * 100_000 + "))] ) )"], "deep")
        path = self.write("( ( [a (x := " + "1" * 5_050_446 + ")] ) )")
        self.assertEqual((run("lint", path).code, checkers(path.read_bytes())[0]), (UNKNOWN, "1:14"))

    def test_parse_mode(self):
        """The same by the script's own option."""
        good = self.write("\ufeff( ( [a (x := +007)] ) ) ; end\n((a ((00 +1))))", "good.ctp")
        bad = self.write("( ( [a (x := +007)] [a (y := 1)] ) )", "bad.ctp")
        unruly = self.write("( ( [a (assert x)] ) )", "unruly.ctp")

        def parsed(*files):
            result = subprocess.run(["/usr/bin/python3", CHECKER, "--parse", *files], capture_output=True, text=True, timeout=60)
            self.assertEqual(result.stderr, "")
            return result.returncode, result.stdout
        self.assertEqual(parsed(good), (0, run("fmt", good).text.replace(" ; end", "")))
        self.assertEqual(parsed(bad), (1, f"{bad}: refused: 1:22: S1: this location is used twice\n"))
        self.assertRegex(parsed(unruly)[1], "; the program breaks D5: ")
        self.assertEqual(run("lint", bad).code, BAD_INPUT)


if __name__ == "__main__":
    unittest.main()
