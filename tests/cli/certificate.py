#!/usr/bin/env python3
"""Certificates: good ones are accepted, by our checker and by minisat, and whatever is changed in one is refused."""

import itertools
import json
import os
import random
import re
import shutil
import subprocess
import unittest
from collections import Counter
from pathlib import Path

import jsonschema

from checker import CHECKER, check as checked
from support import (BAD_INPUT, DEADLOCK, DISAGREES, ERROR, FAILURE, HOLDS, INFEASIBLE, OUTPUT_FAILED, UNKNOWN, InFolder, has_collectives, has_probes, is_shared,
                     meaning, run)

ROOT = Path(__file__).resolve().parents[2]
ABOUT = jsonschema.Draft202012Validator(json.loads((ROOT / "docs/schema/certificate.schema.json").read_text()))
PROGRAMS = int(os.environ.get("MATCHPOINT_CERTIFICATES", "40"))
SEED = os.environ.get("MATCHPOINT_SEED", "1")
# The readings of "outcome" that the binary can be asked for.
RUNS = ("executions", "complete") if b"--runs" in run("check", "--help").out else ("",)
COMPLETE = ["--runs", "complete"] if len(RUNS) > 1 else []
NOT_LOWERED = ROOT / "traces/selectors_wildcard_deadlock.ctp"
BATCH = 200  # certificates that are there at the same time
# Numbers and knobs of `gen random`.
SHAPES = ([], ["9", "5", "3"], ["6", "4", "2", "--assumptions", "100", "--arithmetic", "100", "--dependencies", "100"],
          ["7", "3", "2", "--waits-out-of-order", "100", "--orphans", "100", "--unwaited-receives", "50"],
          ["5", "--divisions", "100", "--booleans", "60", "--large-numbers", "40", "--reuse", "100"],
          ["4", "3", "2", "--divisions", "100", "--booleans", "60", "--assumptions", "60", "--choices", "100"])
SHAPES_WITH_SHARED_VARIABLES = (["3", "3", "--shared", "70"], ["4", "3", "--shared", "100"], ["4", "4", "--shared", "40"],
                                ["3", "2", "--shared", "60", "--divisions", "60", "--booleans", "40"],
                                ["3", "3", "--shared", "60", "--divisions", "100", "--booleans", "60", "--choices", "100"])


def by_minisat(folder):
    result = subprocess.run(["minisat", "-verb=0", folder / "clauses.cnf"], capture_output=True, text=True, timeout=300)
    return result.stdout.split()[-1]


class Certificates(InFolder):
    def certified(self, *arguments, name="certificate"):
        folder = self.folder / name
        result = run("check", *arguments, "--certificate", folder)
        return result, folder

    def good(self, *arguments, name="certificate"):
        result, folder = self.certified(*arguments, name=name)
        self.assertIn(result.code, (HOLDS, INFEASIBLE, 11, 13), result.text + result.error_text)
        self.assertEqual(checked(folder)[0], 0, checked(folder))
        self.assertEqual(by_minisat(folder), "UNSATISFIABLE")
        ABOUT.validate(json.loads((folder / "certificate.json").read_text()))
        return folder

    def generated(self, *arguments):
        path = self.folder / (re.sub(r"\W+", "_", " ".join(arguments)) + ".ctp")
        path.write_bytes(run("gen", *arguments).out)
        return path

    def test_families(self):
        for i, arguments in enumerate((["scaling", "6", "--safe"], ["scaling", "6", "--distinct"], ["permutation-sum", "12"],
                                       ["hall", "12"], ["hall", "5", "--safe"], ["leader-election", "11", "--safe"],
                                       ["router", "3", "--safe"], ["multi-m", "2", "--safe"],
                                       ["pktuse", "12", "3", "--safe", "sums"], ["pktuse", "12", "3", "--safe", "order"],
                                       ["ring-dependencies", "3", "--safe"], ["dense-cycles", "3", "--safe"],
                                       ["ping-pong", "4", "--safe"], ["master-workers", "3", "--safe"], ["halo", "2", "2"],
                                       ["monte-carlo", "2", "3", "--safe"])):
            with self.subTest(arguments=arguments):
                folder = self.good(self.generated(*arguments), name=f"c{i}")
                about = json.loads((folder / "certificate.json").read_text())
                self.assertEqual("lowered_buffering" in about, arguments[0] in ("master-workers", "halo", "monte-carlo"))
                if about["verdict"] == "safe":
                    self.assertEqual(run("run", folder / "witness.ctp", "--trace", "1").code, HOLDS)

    def test_shared_memory(self):
        """Those of traces/shared_memory that are safe or vacuous. There is none where threads share an endpoint."""
        made = 0
        for path in sorted(ROOT.glob("traces/shared_memory/*.ctp")):
            if path.stat().st_size > 2500 or run("check", path).code in (BAD_INPUT, FAILURE):
                continue
            with self.subTest(path=path):
                if has_probes(path):
                    result, folder = self.certified(path)
                    self.assertIn("there is none: ", result.error_text)
                    self.assertEqual((result.code, folder.exists()), (UNKNOWN, False))
                    continue
                self.good(path, name=f"shared{made}")
            made += 1
        self.assertGreater(made, 10)

    def test_shared_memory_beside_selectors(self):
        program = self.folder / "both.ctp"
        program.write_text("(shared [x 0]) (([a (rcvi R 0 y (from 1))] [b (wait R)] [d (assert (= y 0))]) ([c (sndi S 1 0 x)]))\n")
        result = run("check", program, "--certificate", self.folder / "none")
        self.assertEqual(result.code, UNKNOWN)
        self.assertIn("shared variables beside selectors, modes, barriers or endpoints of several threads", result.error_text)
        self.assertFalse((self.folder / "none").exists())

    def test_traces(self):
        """Those of traces/ that are safe or vacuous: every seventh, or all in a campaign; and all with selectors, modes or
        barriers, probes or collectives. There is none if a program with probes or collectives is not lowered."""
        number = 0
        files = sorted(path for path in ROOT.glob("traces/**/*.ctp") if not is_shared(path))
        with_mpi = [path for path in files if path.name.startswith(("selectors", "modes", "barrier", "probes", "collectives", "e38"))]
        self.assertGreater(len(with_mpi), 20)
        for path in sorted({*files[::1 if PROGRAMS > 1000 else 7], *with_mpi} - {NOT_LOWERED}):
            for buffering in ("infinite", "zero"):
                verdict = run("check", path, "--buffering", buffering)
                if verdict.code in (BAD_INPUT, FAILURE):
                    continue
                if verdict.code == 13 and "rsndi" in path.read_text():
                    continue # some ready send may find no receive, so no solver can be asked
                with self.subTest(path=path, buffering=buffering):
                    if (has_probes(path) or has_collectives(path)) and checked("--lower", buffering, path)[0] != 0:
                        result, folder = self.certified(path, "--buffering", buffering)
                        self.assertIn("there is none: ", result.error_text)
                        self.assertEqual((result.code, folder.exists()), (UNKNOWN, False))
                        continue
                    self.good(path, "--buffering", buffering, name=f"c{number}")
                number += 1
        self.assertGreater(number, 10)

    def test_random_programs(self):
        self.check_random_programs(SHAPES)

    def test_random_programs_with_shared_variables(self):
        self.check_random_programs(SHAPES_WITH_SHARED_VARIABLES)

    def check_random_programs(self, shapes):
        """Programs 1, 2, 3 ... of a seed, shapes by turns, under both bufferings, until there are enough certificates.
        MATCHPOINT_CERTIFICATES=10000 is the campaign of docs/testing.md; MATCHPOINT_SEED chooses another seed."""
        kinds, reasons, batch, clauses = Counter(), Counter(), {}, 0
        made, number = 0, 0

        def judge():
            nonlocal clauses
            code, text = checked("--all", *batch)
            wrong = [line for line in text.splitlines() if ": good: " not in line]
            self.assertEqual((code, len(text.splitlines())), (0, len(batch)),
                             f"{wrong}\n" + "\n".join(batch.get(Path(line.split(": ")[0]), "") for line in wrong))
            for folder, command in batch.items():
                self.assertEqual(by_minisat(folder), "UNSATISFIABLE", command)
                why = [line.split(" ")[0] for line in (folder / "clauses.reasons").read_text().splitlines()]
                reasons.update(why)
                clauses += len(why)
                shutil.rmtree(folder)
            batch.clear()

        while made < PROGRAMS:
            number += 1
            program = self.folder / "random.ctp"
            arguments = [str(number), *shapes[number % len(shapes)], "--seed", SEED]
            self.assertEqual(run("gen", "random", *arguments, "-o", program).code, HOLDS)
            for buffering, runs in itertools.product(("infinite", "zero"), RUNS):
                options = ["--buffering", buffering, *(["--runs", runs] if runs else [])]
                command = f"matchpoint gen random {' '.join(arguments)} | matchpoint check {' '.join(options)} -"
                folder = self.folder / f"{number}.{buffering}.{runs}"
                result = run("check", *options, program, "--certificate", folder)
                verdict = meaning(result.text.split(": ")[1].split(" (")[0])
                kinds[verdict, " ".join([buffering, runs]).strip()] += 1
                self.assertEqual(folder.exists(), verdict != "violated", command)
                if verdict == "violated":
                    self.assertEqual(result.code, FAILURE, command)
                    continue
                self.assertIn(result.code, (HOLDS, INFEASIBLE, DEADLOCK, ERROR), command)
                batch[folder] = command
                made += 1
            if len(batch) >= BATCH:
                judge()
        if batch:
            judge()
        print(f"seed {SEED}: {made} certificates of programs 1 to {number}, {clauses} clauses")
        for (verdict, how), count in sorted(kinds.items()):
            print(f"  {verdict + ', ' + how:<30}{count:9}")
        for reason, count in sorted(reasons.items()):
            print(f"  {reason:<30}{count:9}")
        self.assertEqual({verdict for verdict, _ in kinds}, {"safe", "vacuous", "violated"})
        self.assertEqual(len(kinds), 3 * 2 * len(RUNS))
        self.assertGreater(min(kinds.values()), PROGRAMS // 50 // len(RUNS))

    def test_many_cycles(self):
        """What comes before what has variables of its own then."""
        for buffering in ("infinite", "zero"):
            folder = self.good(self.generated("dense-cycles", "5", "--safe"), "--buffering", buffering, name=buffering)
            clauses = (folder / "clauses.cnf").read_text()
            variables = re.findall(r"(?m)^c var (\d+) before .*$", clauses)
            self.assertGreater(len(variables), 50)
            # A moment that comes before itself would make any clause true.
            (folder / "clauses.cnf").write_text(re.sub(r"(?m)^(c var \d+ before )(\S+ \S+) .*$", r"\1\2 \2", clauses))
            code, text = checked(folder)
            self.assertEqual(code, 1)
            self.assertRegex(text, "clause [0-9]+ is not so for the reason that is given: cycle")
        # With zero buffering, and about executions, some of the clauses would be true with a literal less.
        self.all_changes_are_refused(self.good(self.generated("dense-cycles", "5", "--safe"), *COMPLETE, name="again"))

    def test_what_is_changed_is_refused(self):
        self.all_changes_are_refused(self.good(self.generated("dense-cycles", "3", "--safe")))

    def test_what_is_changed_of_mprobes_and_collectives_is_refused(self):
        """Two messages come before a call of the root, and two come after calls that need it."""
        path = self.write("""( ( [a (mprobe r 0 (source u))] [b (start r x)] [c (wait r)] [d (mprobe q 0)] [e (start q y)] [f (wait q)]
                                [g (icollective K C bcast (root 0))] [h (rcvi p 0 z)] [i (rcvi o 0 z)] [j (wait o)] [k (wait K)]
                                [l (assert (and (= (+ x y) 3) (= u x)))] )
                              ( [m (sndi s 1 0 1)] [n (icollective L C bcast (root 0))] [o (wait L)] [p (sndi v 1 0 1)] )
                              ( [q (sndi t 2 0 2)] [r (wait t)] [s (collective M D barrier)] )
                              ( [t (icollective N C bcast (root 0))] [u (wait N)] [v (sndi w 3 0 9)] [w (collective Z D barrier)] ) )""")
        for buffering in ("infinite", "zero"):
            folder = self.good(path, "--buffering", buffering, *COMPLETE, name=buffering)
            self.assertIn("call-receive{0,t}", (folder / "clauses.cnf").read_text())
            self.all_changes_are_refused(folder)

    def all_changes_are_refused(self, folder):
        """A literal or a clause less, another sign, another reason, a line of the proof that does not follow."""
        original = {name: (folder / name).read_text() for name in ("clauses.cnf", "clauses.reasons", "clauses.drat")}
        rng = random.Random(2)
        head = [line for line in original["clauses.cnf"].splitlines() if line[0] == "c"]
        clauses = [line.split() for line in original["clauses.cnf"].splitlines() if line[0] not in "cp"]
        reasons = original["clauses.reasons"].splitlines()
        proof = original["clauses.drat"].splitlines()
        about = json.loads((folder / "certificate.json").read_text())

        def refused(saying, cnf=clauses, why=reasons, lines=proof, top=head):
            promise = f"p cnf {len(head)} {len(cnf)}"
            about["clauses"] = len(cnf)
            (folder / "clauses.cnf").write_text("\n".join([*top, promise, *(" ".join(c) for c in cnf)]) + "\n")
            (folder / "clauses.reasons").write_text("\n".join(why) + "\n")
            (folder / "clauses.drat").write_text("".join(line + "\n" for line in lines))
            (folder / "certificate.json").write_text(json.dumps(about))
            code, text = checked(folder)
            self.assertEqual(code, 1, text)
            self.assertIn(saying, text)

        for _ in range(15):
            at = rng.randrange(len(clauses))
            fewer = list(map(list, clauses))
            del fewer[at][rng.randrange(len(fewer[at]) - 1)]
            refused(f"clause {at + 1} is not so", cnf=fewer)
            other = list(map(list, clauses))
            literal = rng.randrange(len(other[at]) - 1)
            other[at][literal] = str(-int(other[at][literal]))
            refused(f"clause {at + 1} is not so", cnf=other)
            wrong = list(reasons)
            wrong[at] = rng.choice([r for r in set(reasons) if r.split(" ")[0] != reasons[at].split(" ")[0]
                                    and r != "cycle"])
            refused(f"clause {at + 1} is not so", why=wrong)
        refused(f"{len(clauses) - 1} clauses and {len(reasons)} reasons", cnf=clauses[1:])
        refused("does not follow", lines=["0"])
        refused("does not end in the empty clause", lines=[])
        refused("two meanings", top=[head[0], *head])
        # Without a class of clauses there is nothing that could be proved.
        kept = [i for i, reason in enumerate(reasons) if reason != "cycle"]
        refused("does not follow", cnf=[clauses[i] for i in kept], why=[reasons[i] for i in kept])
        (folder / "program.ctp").write_text("( ( [a (x := 1)] ) )")
        self.assertEqual(checked(folder)[0], 1)

    def test_a_violated_program_has_none(self):
        result, folder = self.certified("traces/figure1.ctp")
        self.assertEqual(result.code, FAILURE)
        self.assertIn("no certificate for the verdict violated", result.error_text)
        self.assertFalse(folder.exists())

    def test_what_a_recording_does_not_know(self):
        """No folder says `safe` where `check` does not."""
        one = "1 assertion was only evaluated in the recorded run: whether it can be false in another run is not known"
        failed = "the recorded run failed: exit code 6. No command of the program says why, and the verdict is not about it"
        for head, claim, why in (
                ("", "(assert true)", one), ("; This run failed: exit code 6\n", "(assert (= x 7))", failed),
                ("; This run failed: exit code 6\n", "(assert true)", f"{one}. {failed[0].upper()}{failed[1:]}"),
                ("; This run deadlocked.\n", "(assert (= x 7))", "the recorded run deadlocked, and the verdict is not about that"),
                ("", "(assert (= x 7))", None), ("", "(y := x)", None)):
            with self.subTest(head=head, claim=claim):
                path = self.write(f"; A recorded run of: x\n{head}( ( [a (rcvi R 0 x)] [b (wait R)] [c {claim}] ) ( [d (sndi S 1 0 7)] [e (wait S)] ) )\n")
                result, folder = self.certified(path)
                self.assertEqual((result.code, folder.exists()), (HOLDS, True) if why is None else (UNKNOWN, False), result.error_text)
                if why is None:
                    shutil.rmtree(folder)
                else:
                    self.assertEqual(result.error_text.splitlines(), [f"matchpoint: error[certificate]: no certificate: {why}"])

    def test_too_large_for_clauses(self):
        """200 receives of 200 messages: a problem for solvers instead, and both are asked."""
        result, folder = self.certified(self.generated("permutation-sum", "200"), "--timeout", "5")
        self.assertEqual(result.code, HOLDS)
        self.assertEqual(json.loads((folder / "certificate.json").read_text())["kind"], "smt")
        self.assertRegex((folder / "answers.txt").read_text(), r"(?s)z3 problem.smt2: .*\ncvc5 problem.smt2: ")
        self.assertEqual(checked(folder)[0], 1)

    def test_programs_that_are_not_lowered(self):
        """The problem of the program itself, the answers, and no clauses."""
        for buffering, runs in itertools.product(("infinite", "zero"), RUNS):
            result, folder = self.certified(NOT_LOWERED, "--buffering", buffering, "--runs", runs, name=buffering + runs)
            self.assertEqual((result.code, "admit the same message" in result.error_text), (DEADLOCK, True))
            about = json.loads((folder / "certificate.json").read_text())
            ABOUT.validate(about)
            self.assertEqual((about["kind"], about["verdict"]), ("smt", "safe"))
            self.assertEqual((folder / "answers.txt").read_text(), "z3 problem.smt2: unsat\ncvc5 problem.smt2: unsat\n")
            self.assertIn("admit the same message", (folder / "README").read_text())
            self.assertEqual(run("run", folder / "witness.ctp", "--trace", "1", "--buffering", buffering).code, HOLDS)
            self.assertEqual(checked(folder)[0], 1)
        # A vacuous one has a second problem.
        path = self.write(NOT_LOWERED.read_text().replace("(from 1))]", "(from 1))] [no (assume false)]"))
        folder = self.certified(path)[1]
        self.assertEqual(len(set(re.findall("(?m)^(?:z3|cvc5) problem.*: unsat$", (folder / "answers.txt").read_text()))), 4)

    def test_a_solver_that_contradicts(self):
        """There is no evidence then, and it is said."""
        (self.folder / "bin").mkdir()
        liar = self.folder / "bin/cvc5"
        liar.write_text("#!/bin/sh\nwhile read -r line; do case $line in\n*check-sat*) echo sat ;;\n"
                        '*echo*) line=${line#*\\"}; echo "${line%%\\"*}" ;;\nesac; done\n')
        liar.chmod(0o755)
        folder = self.folder / "contradicted"
        result = run("check", NOT_LOWERED, "--certificate", folder,
                     env={**os.environ, "PATH": f"{liar.parent}:{os.environ['PATH']}"})
        self.assertEqual(result.code, DISAGREES)
        self.assertIn("there is none: cvc5 says that problem.smt2 is satisfiable, and the program is safe", result.error_text)
        self.assertFalse(folder.exists())

    def test_lowering_page(self):
        """The example of docs/lowering.md."""
        page = (ROOT / "docs/lowering.md").read_text()
        command, shown = re.search(r"(?m)^    \$ scripts/check_certificate (.*)\n((?:    .*\n)+)", page).groups()
        result = subprocess.run(["/usr/bin/python3", CHECKER, *command.split()], capture_output=True, text=True, cwd=ROOT, timeout=60)
        self.assertEqual((result.stderr, result.stdout), ("", re.sub("(?m)^    ", "", shown)))
        for arguments in ([], ["both", NOT_LOWERED], ["zero"]):
            self.assertEqual(checked("--lower", *arguments)[0], 2)
        self.assertRegex(checked("--lower", "zero", NOT_LOWERED)[1], "^; the program is not lowered: .*\n$")

    def test_where_it_cannot_be_written(self):
        safe = self.generated("hall", "3", "--safe")
        result, _ = self.certified(safe, name="no/such/folder")
        self.assertEqual(result.code, OUTPUT_FAILED)
        (self.folder / "full").mkdir()
        (self.folder / "full" / "file").write_text("mine")
        result, _ = self.certified(safe, name="full")
        self.assertEqual(result.code, BAD_INPUT)
        self.assertEqual(os.listdir(self.folder / "full"), ["file"])
        result = run("check", safe, safe, "--certificate", self.folder / "two")
        self.assertEqual(result.code, BAD_INPUT)

    def test_checker_says_what_it_cannot_read(self):
        code, text = checked(self.folder / "nothing")
        self.assertEqual((code, "cannot be read: certificate.json: No such file" in text), (2, True))
        folder = self.good(self.generated("hall", "2"))
        (folder / "clauses.cnf").write_text("p cnf 1 1\n1 hello 0\n")
        code, text = checked(folder)
        self.assertEqual((code, "cannot be read: clauses.cnf: this is no clause: 1 hello 0" in text), (2, True))
        self.assertEqual(checked()[0], 2)
        self.assertEqual(checked("--help")[0], 0)

    def test_safe_is_not_vacuous(self):
        """With a run that succeeds, which `matchpoint run` shows as README says; and not without it."""
        folder = self.good(self.generated("multi-m", "2", "--safe"), "--buffering", "zero")  # a deadlock, too
        self.assertRegex(checked(folder)[1], r"good: safe \(zero buffering, (complete runs|executions)\): ")
        command = re.search(r"`matchpoint (run witness.ctp .*)`", (folder / "README").read_text())[1].split(" ")
        self.assertEqual(run(*[folder / a if a == "witness.ctp" else a for a in command]).code, HOLDS)
        (folder / "witness.ctp").unlink()
        code, text = checked(folder)
        self.assertEqual((code, "without which it would be vacuous" in text), (1, True))

    def test_what_is_proved(self):
        """README, certificate.json and the checker say it in the same words, and whether executions leave the path beside it."""
        messages = "[a (rcvi R 0 x)] [b (wait R)] {}) ([s (sndi S 1 0 1)]) ([t (sndi T 2 0 2)]"
        no_execution, no_run = "no execution on this path fails", "no complete run that keeps the assumptions fails, and there is one"
        for number, (commands, options, proves, leaves) in enumerate((
                ("[c (assert (< x 3))]", [], f"{no_execution}, and one completes; assertions of the program: 1", "no"),
                ("[c (assert (< x 3))]", ["--runs", "complete"], f"{no_run}; assertions of the program: 1", None),
                ("", [], f"{no_execution}, and one completes; the program asserts nothing", "no"),
                ("[c (assume (= x 1))] [d (assert (= x 1))]", [], f"{no_execution}, and one completes; assertions of the program: 1", "yes"),
                ("[c (assume (= x 3))] [d (assert (= x 1))]", [], f"{no_execution}, and none completes; assertions of the program: 1", "yes"),
                ("[c (assume (= x 3))]", ["--runs", "complete"], "no complete run keeps the assumptions; the program asserts nothing", None),
                ("[c (assert true)] [d (assert (> x 0))] [e (assert true)]", [],
                 f"{no_execution}, and one completes; assertions of the program: 3, of which 2 only assert `true`", "no"))):
            with self.subTest(commands=commands, options=options):
                folder = self.good(self.write(f"(({messages.format(commands)}))"), *options, name=f"proved{number}")
                about = json.loads((folder / "certificate.json").read_text())
                self.assertEqual(about["proves"], proves)
                readme = (folder / "README").read_text()
                self.assertIn(f"\nIt proves: {proves}.\n", readme)
                self.assertIn(f"`leaves the path: {about['leaves_path']}`", readme)
                self.assertIn(f"; so {proves}; ", checked(folder)[1])
                if leaves is not None:
                    self.assertEqual(about["leaves_path"], leaves)
                (folder / "certificate.json").write_text(json.dumps({**about, "proves": proves + ", and none is stuck"}))
                code, text = checked(folder)
                self.assertEqual((code, "certificate.json says that it proves" in text), (1, True), text)

    def test_several_at_once(self):
        """A line for each, and the worst exit code, wherever it is."""
        good = [self.good(self.generated("hall", n), name=f"good{n}") for n in ("2", "3")]
        bad = self.good(self.generated("hall", "4"), name="bad")
        (bad / "clauses.reasons").write_text("")
        missing = self.folder / "missing"
        for folders, code, counts in (
                (good, 0, (2, 0, 0)), ([bad, *good], 1, (2, 1, 0)), ([*good, bad], 1, (2, 1, 0)),
                ([missing, good[0], bad], 2, (1, 1, 1)), ([good[0], missing], 2, (1, 0, 1))):
            done, text = checked("--all", *folders)
            self.assertEqual((done, text.count(": good: "), text.count(": refused: "), text.count(": cannot be read: ")),
                             (code, *counts))
            for folder in folders:
                self.assertEqual(text.count(f"{folder}: "), 1)


if __name__ == "__main__":
    unittest.main()
