#!/usr/bin/env python3
"""`matchpoint validate` on encoders of other people (tests/encoders/): those that are right, those that are wrong as the papers
are, and those that misbehave; its files, its reports, and what it does in parts. (errata.py asks the built-in ones.)
"""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from served import Served, encoder
from support import BUFFERINGS, DISAGREES, HOLDS, MATCHPOINT, OUTPUT_FAILED, SOLVER_FAILED, UNKNOWN, long_test, run, without_progress
from validation import ERRATA, Validation, commands, likeliest

sys.path.insert(0, "tests/encoders")
import ctp  # noqa: E402
import faulty  # noqa: E402

# For encoders that misbehave as processes: without site-packages, and compiled once. The folder goes when the script
# ends.
CACHE = tempfile.TemporaryDirectory()
PYTHON = [sys.executable, "-E", "-S", "-X", f"pycache_prefix={CACHE.name}"]
OURSELVES = [MATCHPOINT, "encode", "{ctp}", "--buffering", "{buffering}"]
OURSELVES_WRONG = [MATCHPOINT, "encode", "{ctp}", "--encoding", "section5"]
# A wrong encoder whose fault is explained soon: a run has fewer answers that are possible than a program.
SOON = ["--traces", "--level", "1", "--cases", "0"]
WRONG_SOON = "figures-9-10"
ALL_PAIRS = "from more sends than Figure 15 has"  # no fault: it is not named
LEVELS = {1: 3, 2: 14, 3: 76, 4: 154, 5: 567}  # small programs


def misbehaving(mode):
    return [*PYTHON, "tests/encoders/misbehaving.py", mode, "{buffering}"]


def saying(text):
    """An encoder that always says the same."""
    return ["sh", "-c", 'cat > /dev/null; printf "%s\\n" "$0"', text]


def corpus(*names, level=0, cases=0):
    """Options for programs of traces/errata/, and perhaps others before them."""
    options = ["--level", str(level), "--cases", str(cases)]
    for name in names:
        options += ["--corpus", str(ERRATA / f"{name}.ctp")]
    return options


def without_time(document):
    return {key: value for key, value in document.items() if key != "seconds"}


def running(word):
    """The processes that have the word in their command."""
    found = []
    for process in Path("/proc").iterdir():
        try:
            if process.name.isdigit() and word.encode() in (process / "cmdline").read_bytes():
                found.append(process.name)
        except (FileNotFoundError, ProcessLookupError):
            pass
    return found


class Right(Validation):
    def test_other_people_s(self):
        # An eighth of: all small programs of level 5, and 250 random ones.
        options = ["--level", "5", "--cases", "250", "--shard", "2/8", "--jobs", "2"]
        document, code = self.validate(*options, encoder=encoder("right", "{buffering}"))
        self.is_right(document, code, 102)
        self.assertEqual(document["sources"], {"small": 71, "random": 31})
        for trait in ("orphans", "receives too many", "divisions", "waits out of order", "several assertions",
                      "variables with several definitions", "a thread receives at several endpoints"):
            self.assertIn(trait, document["traits"])

    def test_without_smt(self):
        options = ["--level", "5", "--cases", "150", "--shard", "4/6", "--jobs", "2"]
        self.is_right(*self.validate(*options, encoder=encoder("explorer", "{buffering}")), 119)

    def test_ours(self):
        self.is_right(*self.validate("--level", "5", "--cases", "200", encoder=["exact"]), 767)

    def test_ours_from_outside(self):
        options = ["--level", "5", "--cases", "90", "--shard", "2/3"]
        outside, code = self.validate(*options, "--jobs", "2", encoder=OURSELVES)
        self.is_right(outside, code, 219)
        inside, _ = self.validate(*options, "--solver", "cvc5", encoder=["exact"])
        self.assertEqual({**without_time(inside), "encoder": OURSELVES}, without_time(outside))

    @long_test
    def test_ours_of_single_runs(self):
        smt = [MATCHPOINT, "smt", "{ctp}", "--trace", "1", "--buffering", "{buffering}"]
        document, code = self.validate("--level", "4", "--cases", "150", "--traces", encoder=smt)
        self.assertEqual((code, document["programs"], document["findings"]), (HOLDS, 304, []))
        for buffering in BUFFERINGS:
            self.assertGreater(document[buffering]["cases"], 100)
            self.assertGreater(document[buffering]["failing"], 20)

    def test_limit(self):
        """Who does not know everything is not wrong, but not all right either."""
        document, code = self.validate(*corpus("e19b_004_swaps_a_channel", "e31_divisor"), "--buffering", "infinite",
                                       encoder=encoder("explorer", "{buffering}", "5"))
        counts = document["infinite"]
        self.assertEqual((code, counts["agrees"], counts["trouble"]), (UNKNOWN, 1, {"no answer from the solver": 1}))
        [trouble] = document["troubles"]
        self.assertEqual(trouble["what"], f"{ERRATA}/e19b_004_swaps_a_channel.ctp: it says `unknown`")


class Wrong(Validation):
    def test_short_paper(self):
        """An encoder written from the prose of the short paper, and asked about the errata that name it."""
        golden = {"e19b_004_swaps_a_channel": "E19", "e31_divisor": "E31"}
        output = self.folder / "findings"
        document, code = self.validate(*corpus(*golden), "--buffering", "infinite", output=output,
                                       encoder=encoder("short_paper", "{ctp}", "{pairs}"))
        self.assertEqual((code, document["infinite"]["unsound"]), (DISAGREES, 2))
        for number, (finding, (name, erratum)) in enumerate(zip(document["findings"], golden.items(), strict=True), 1):
            with self.subTest(name):
                self.assertEqual(finding["origin"], f"{ERRATA}/{name}.ctp")
                self.assertEqual(finding["folder"], f"{output}/{number:03}-unsound-infinite")
                self.assertIn(erratum, likeliest(finding))
                self.assertLessEqual(commands(finding["smallest"]), commands((ERRATA / f"{name}.ctp").read_text()))
                self.finding_is_whole(finding)
        self.again(finding)

    def test_findings_are_counted_only(self):
        """As many are wrong as with findings, and there is no search for why."""
        document, code = self.validate("--level", "3", "--cases", "0", "--findings", "0", encoder=["section5"],
                                       output=self.folder / "findings")
        self.assertEqual((code, document["complete"], document["findings"]), (DISAGREES, True, []))
        counts = document["infinite"]
        self.assertEqual(counts["known"], 0)
        self.assertGreater(min(counts["unsound"], counts["incomplete"], counts["agrees"]), 0)
        self.assertFalse((self.folder / "findings").exists())

    @long_test
    def test_end_of_findings(self):
        document, code = self.validate("--level", "4", "--cases", "0", "--findings", "2", encoder=["section5"])
        self.assertEqual((code, len(document["findings"]), document["complete"]), (DISAGREES, 2, False))
        self.assertLess(document["programs"], 154)

    def test_always_the_same(self):
        """An encoder that has nothing to do with the program: that is its cause, without a search for rules."""
        document, code = self.validate(*corpus("e05_two_assertions_one_fails", level=2), "--buffering", "zero",
                                       output=self.folder / "findings", encoder=saying("unsat"))
        self.assertEqual((code, document["zero"]["unsound"]), (DISAGREES, 0))
        self.assertEqual(document["zero"]["incomplete"], document["zero"]["failing"])
        [finding] = document["findings"]
        self.assertEqual((finding["explained"], finding["why"], commands(finding["smallest"])), (True, [], 1))
        self.assertFalse(finding["always"]["sat"])
        why = (Path(finding["folder"]) / "why.txt").read_text()
        self.assertIn(f"\nIt said unsat to all {finding['always']['programs']} programs that it was asked about to find the cause.\n", why)
        self.assertFalse((Path(finding["folder"]) / "theirs.smt2").exists())
        self.assertNotIn("Its matches", why)

    def test_always_the_same_in_words(self):
        for said, command in (("sat", saying("sat")), ("unsat", [*saying("unsat"), "{ctp}"])):
            with self.subTest(said):
                result = run("validate", *SOON, "-o", "-", "--", *command)
                self.assertEqual(result.code, DISAGREES)
                hint = "    its command has no {ctp}, so the program is its standard input\n" if said == "sat" else ""
                self.assertRegex(result.text, rf"\n  cause: your encoder said {said} to all \d+ programs that it was asked about\s+to\s+find the cause\n{hint}  found on ")
                self.assertEqual(result.text.count("found on"), 1)
                self.assertNotIn("{buffering}", result.text)

    def test_not_always_the_same_after_all(self):
        """It said the same while it was explained, and later it did not."""
        def answer(program, _):
            return "sat" if b"division" in program else "unsat"
        program = self.write("( ( [division (assert true)] bot ) ) ( (division bot) )")
        document, _ = self.validate(*SOON, "--buffering", "zero", "--corpus", program, encoder=Served(answer)("{buffering}"))
        self.assertEqual([f["always"] for f in document["findings"]], [None] * len(document["findings"]))
        self.assertTrue(document["findings"])

    def test_one_rule_is_not_always_the_same(self):
        """One that has only one rule wrong has several answers."""
        document, _ = self.validate(*SOON, "--findings", "1", encoder=[WRONG_SOON])
        self.assertEqual([f["always"] for f in document["findings"]], [None] * len(document["findings"]))

    @long_test
    def test_closest(self):
        """Too little to be an explanation: it says sat where a send follows an assertion."""
        odd = encoder("misbehaving", "is_odd_about_sends", "{buffering}")  # only its answers matter here
        document, code = self.validate("--level", "4", "--cases", "0", "--buffering", "infinite", "--findings", "1", encoder=odd,
                                       output=self.folder / "findings")
        self.assertEqual(code, DISAGREES)
        finding = document["findings"][0]
        best = finding["why"][0]
        self.assertFalse(finding["explained"])
        self.assertLess(best["agrees"], 0.95 * best["of"])
        why = (Path(finding["folder"]) / "why.txt").read_text()
        self.assertIn(f"No explanation found: the closest explains {best['agrees']} of {best['of']}.\n  ", why)

    @long_test
    def test_told_apart(self):
        """By answers of the encoder that the first explanation predicts and the next does not, or the other way round."""
        document, _ = self.validate("--level", "3", "--cases", "0", "--findings", "2", encoder=["section5"])
        for finding in document["findings"]:
            best = finding["why"][0]
            self.assertTrue(any(e["agrees"] < best["agrees"] for e in finding["why"]))
            self.assertTrue(finding["apart"])
            for apart in finding["apart"]:
                program = self.write(apart["program"], "apart.ctp")
                said = subprocess.run([*OURSELVES_WRONG[:2], program, *OURSELVES_WRONG[3:], "--pairs", "overapprox"],
                                      capture_output=True, check=False)
                solved = subprocess.run(["z3", "-in"], input=said.stdout, capture_output=True, check=False)
                self.assertEqual(solved.stdout.split()[0] == b"sat", apart["sat"])


class Plainly(Validation):
    """What somebody reads who knows no names of rules."""

    def overtaking(self, *options, faults=("no_channel_order", "overtaken_orphans", "all_pairs")):
        def answer(_, buffering, program, pairs):
            return faulty.answer(ctp.read(program), buffering, faulty.read_pairs(pairs), frozenset(faults))
        return run("validate", "--buffering", "infinite", "--cases", "0", "-o", "-", *options, "--",
                   *Served(answer)("{buffering}", "{ctp}", "{pairs}"))

    def test_one_cause(self):
        """On the first program that shows it, without what changes no answer, and without what else would be possible."""
        result = self.overtaking("--level", "1", "--findings", "1")
        self.assertEqual((result.code, without_progress(result.error_text)), (DISAGREES, ""))
        lines = result.text.splitlines()
        self.assertEqual(lines[0], "your encoder says sat (some run fails); the semantics says unsat (no run fails), infinite buffering")
        self.assertEqual(result.text.count("cause: "), 1)
        self.assertRegex(result.text, r"\n  (possible )?cause: your encoder lets two messages of one channel overtake each\s+other")
        self.assertRegex(result.text, r"\n  found on rule program \d+: orphans\n")
        self.assertNotRegex(result.text, "Figure 15|beside it|Less likely|with: ")
        self.assertRegex(lines[-1], r"\A\d+ of \d+ programs asked: \d+ answers right, 1 wrong\Z")

    def test_the_rest(self):
        result = self.overtaking("--level", "1", "--findings", "1", "--verbose")
        self.assertIn("so changed, the rules agree with the encoder on", result.text)
        self.assertIn("\nprograms: ", result.text)
        self.assertNotIn("from more sends than Figure 15 has", result.text)

    def test_small_programs_come_late_to_it(self):
        """Two sends, a receive, its wait and an assertion: none of the programs of level 4."""
        self.assertEqual(self.overtaking("--level", "4", "--skip-rules").code, HOLDS)

    def test_first_programs(self):
        """They come before the others, unless there are no small ones, and are shared among shards."""
        document, code = self.validate("--rules", "--level", "2", "--cases", "3", encoder=["exact"])
        rules = document["sources"]["rule"]
        self.assertEqual((code, document["sources"]), (HOLDS, {"rule": rules, "small": LEVELS[2], "random": 3}))
        self.assertGreater(rules, 25)
        parts = [self.validate("--rules", "--level", "2", "--cases", "3", "--shard", f"{i}/3", encoder=["exact"])[0] for i in (1, 2, 3)]
        for key in ("sources", "sizes", "traits"):
            for name, value in document[key].items():
                self.assertEqual(sum(p[key].get(name, 0) for p in parts), value, (key, name))
        document, _ = self.validate("--rules", *corpus("e31_divisor"), encoder=["exact"])
        self.assertEqual(document["sources"], {"corpus": 1})

    def test_asked_once_about_both_bufferings(self):
        """Its command does not say which one is meant, so there is one question."""
        questions = []
        def answer(*given):
            questions.append(given)
            return "unsat"
        served = Served(answer)
        for words, each, how in (([], 1, ", and each answer compared with both bufferings"), (["{buffering}"], 2, ", each about both bufferings")):
            questions.clear()
            result = run("validate", "--skip-rules", "--level", "1", "--cases", "0", "--findings", "0", "-o", "-", "--", *served(*words))
            self.assertEqual((result.code, len(questions)), (DISAGREES, each * LEVELS[1]))
            self.assertIn(f"{LEVELS[1]} of {LEVELS[1]} programs asked{how}: ", result.text)

    def test_buffering_is_no_cause_without_messages(self):
        """It has no {buffering}, but what it is wrong about has no messages."""
        def answer(program):
            return "unsat" if b"assert false" in program and program.count(b"[") == 1 else "unknown"
        result = run("validate", *SOON, "--skip-rules", "--findings", "1", "-o", "-", "--", *Served(answer)())
        self.assertEqual(result.code, DISAGREES)
        self.assertNotIn("sndi", result.text)
        self.assertIn("\n  no cause found", result.text)
        self.assertNotIn("{buffering}", result.text)

    @long_test
    def test_slow_encoder(self):
        """A cause is found in half of the time, though not all can be asked for it. Meanwhile there is a line every ten seconds."""
        def answer(_, buffering, program, pairs):
            time.sleep(0.2)
            return faulty.answer(ctp.read(program), buffering, faulty.read_pairs(pairs), frozenset({"first_assertion_fails"}))
        result = run("validate", "--time", "25", "--cases", "0", "-o", "-", "--", *Served(answer)("{buffering}", "{ctp}", "{pairs}"))
        self.assertEqual(result.code, DISAGREES)
        self.assertRegex(result.text, r"cause: your encoder wants the first assertion to fail")
        self.assertRegex(result.text, r"\na cause is known for 1 of 1 finding; at 0\.\d\d s an answer, about \d+ s more are needed .*: --time \d+\n")
        self.assertNotEqual(result.error_text, "")
        self.assertEqual(without_progress(result.error_text), "")

    @long_test
    def test_command_without_buffering(self):
        """It is asked the same about both, so it cannot be right about both."""
        result = run("validate", "--buffering", "both", "--level", "1", "--cases", "0", "-o", "-", "--", MATCHPOINT, "encode", "{ctp}",
                     "--buffering", "infinite")
        self.assertEqual(result.code, DISAGREES)
        self.assertIn("zero buffering\n", result.text)
        unaware = "its command has no {buffering}, so it is asked the same about both"
        self.assertRegex(result.text, rf"\n(    |  possible cause: ){re.escape(unaware)}")
        self.assertNotIn("no cause found", result.text)


class Misbehaving(Validation):
    def campaign(self, mode, code, trouble, what, *options, output="-"):
        """All programs are asked, and all answers are missing for the same reason."""
        document, found = self.validate("--level", "1", "--cases", "0", "--buffering", "infinite", *options,
                                        encoder=misbehaving(mode), output=output)
        self.assertEqual((found, document["infinite"]["cases"], document["complete"]), (code, LEVELS[1], True))
        self.assertEqual(document["infinite"]["trouble"], {trouble: LEVELS[1]})
        [first] = document["troubles"]
        self.assertEqual(first["kind"], trouble)
        self.assertRegex(first["what"], rf"\Asmall program 0: {what}\Z")

    def test_what_has_no_answer_is_kept(self):
        """The first program of each kind of trouble, to ask again by hand."""
        output = self.folder / "findings"
        for encoder, kind, files in ((misbehaving("crashes"), "no-answer-crashed", []),
                                     (saying("(assert (= x 1))"), "no-answer-from-the-solver", ["theirs.smt2"])):
            result = run("validate", "--level", "1", "--cases", "0", "--buffering", "zero", "-o", output, "--", *encoder)
            self.assertEqual(result.code, SOLVER_FAILED)
            [folder] = output.iterdir()
            self.assertEqual(folder.name, kind)
            self.assertIn(f"\n  {folder}\n", "\n" + result.text)
            self.assertEqual(sorted(p.name for p in folder.iterdir()), ["again.sh", "program.ctp", *files, "why.txt"])
            self.assertIn("zero buffering: rule program 0: ", (folder / "why.txt").read_text())
            again = subprocess.run([folder / "again.sh"], env={**os.environ, "MATCHPOINT": MATCHPOINT}, capture_output=True, check=False)
            self.assertEqual(again.returncode, SOLVER_FAILED, again.stderr)

    def are_gone(self):
        """No encoder of ours is left; those that were killed may take a moment."""
        end = time.monotonic() + 30
        while (left := running(CACHE.name)) and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(left, [])

    def test_never_answers(self):
        """Not all programs are asked then."""
        for mode, trouble in (("fails", "crashed"), ("rambles", "nonsense")):
            with self.subTest(mode):
                document, code = self.validate("--level", "4", "--cases", "0", encoder=misbehaving(mode))
                self.assertEqual((code, document["programs"], document["complete"]), (SOLVER_FAILED, 10, False))
                self.assertEqual(document["stopped"], "no answer about any of the first 20 cases")
                self.assertEqual(document["infinite"]["trouble"], {trouble: 10})

    def test_no_answer(self):
        for mode, trouble, what in (
                ("fails", "crashed", "exited with code 1; its standard error ends: it has no licence for this machine"),
                ("crashes", "crashed", r"killed by signal 11 \(SIGSEGV\)"),
                ("wants_memory", "out of memory", r"exited with code 1 \(it may have 1024 MiB\); .* MemoryError"),
                ("says_nothing", "nonsense", "it printed nothing"),
                ("rambles", "nonsense", r"it printed `perhaps \\x1b\[31m\\x07`"),
                ("is_not_text", "nonsense", r"it printed `\\x00\\x01.*`"),
                ("is_unsure", "no answer from the solver", "it says `unknown`"),
                ("has_no_verdict", "nonsense", r'its JSON object has no "verdict": `{"matches": \[\]}`'),
                ("has_another_verdict", "nonsense", "its verdict is `maybe`"),
                ("is_half_a_problem", "nonsense", r"its SMT-LIB ends in the middle of a command: `\(assert \(= x 1\)`"),
                ("uses_an_unknown_symbol", "no answer from the solver", r"z3 failed: .*unknown constant y.*"),
                ("asks_twice", "nonsense", r"it asks \(check-sat\) more than once"),
                ("asks_in_a_scope", "nonsense", r"one problem is wanted, and it printed `\(push 1\)`"),
                ("asks_nothing", "nonsense", "its problem has no commands: `; there is nothing to say of this one`")):
            with self.subTest(mode):
                self.campaign(mode, SOLVER_FAILED, trouble, what)

    def test_no_end(self):
        for mode, trouble, what in (
                ("hangs", "out of time", "no answer within 0.7 s"),
                ("will_not_die", "out of time", "no answer within 0.7 s"),
                # A busy machine takes a while to start it.
                ("is_too_hard", "no answer from the solver", "timeout after 2000 ms")):
            with self.subTest(mode):
                limit = "2" if mode == "is_too_hard" else "0.7"
                self.campaign(mode, SOLVER_FAILED, trouble, what, "--encoder-time", limit)
        for mode in ("prints_without_end", "complains_without_end"):
            with self.subTest(mode):
                self.campaign(mode, SOLVER_FAILED, "too much output", "printed more than 64 MiB", "--encoder-time", "60")
        self.are_gone()

    def test_right_in_their_way(self):
        for mode in ("leaves_a_child", "talks_much"):
            with self.subTest(mode):
                self.is_right(*self.validate("--level", "1", "--cases", "0", encoder=misbehaving(mode)), LEVELS[1])
        self.are_gone()
        # It does not read the program, which is too large for a pipe.
        large = self.write("( (" + "".join(f" [{i} (x := {i})]" for i in range(20_000)) + " ) )")
        document, code = self.validate("--level", "0", "--cases", "0", "--corpus", large,
                                       encoder=misbehaving("does_not_listen"))
        self.assertEqual((code, document["infinite"]["agrees"], document["zero"]["agrees"]), (HOLDS, 1, 1))

    def test_left_out_of_the_corpus(self):
        """The report says why, and where; not every program was asked about."""
        shared = "traces/shared_memory/lost_update.ctp"
        for text, why, options in (("( [", r"{0}:1:\d+: error\[syntax\]: .+", []),
                                   ("( ( [0 (assert 1)] ) )", r"{0}:1:\d+: error\[D6\]: .+", []),
                                   (Path(shared).read_text(), "{0} has shared variables or guarded assignments, which are for `--shared`", []),
                                   ("( ( [0 (assert true)] ) )", "{0} has no trace", ["--traces"])):
            path = self.write(text)
            result = run("validate", "--buffering", "infinite", "--level", "0", "--cases", "0", *options,
                         "--corpus", "traces/figure1.ctp", "--corpus", path, "-o", "-", "--", "figures-9-10" if options else "exact")
            self.assertRegex(result.text, rf"(?m)^left out: {why.format(re.escape(str(path)))}$")
            self.assertIn("1 of 2 programs asked, 1 left out: 1 answer right, 0 wrong\n", result.text)
            self.assertEqual(result.code, UNKNOWN)

    def test_answers_sometimes(self):
        document, code = self.validate("--level", "2", "--cases", "10", "--buffering", "zero",
                                       encoder=misbehaving("answers_sometimes"))
        counts = document["zero"]
        self.assertEqual((code, document["complete"]), (UNKNOWN, True))
        self.assertEqual(counts["agrees"] + counts["trouble"]["nonsense"], LEVELS[2] + 10)
        self.assertGreater(counts["agrees"], 5)
        [trouble] = document["troubles"]
        self.assertRegex(trouble["what"], r"\Asmall program \d+: it printed `sorry`\Z")

    @long_test
    def test_lies_sometimes(self):
        """The same lies again and again: they are found, made smaller, and shown not to be."""
        document, code = self.validate("--level", "2", "--cases", "0", "--buffering", "infinite", "--findings", "2",
                                       output=self.folder / "findings",
                                       encoder=encoder("misbehaving", "lies_sometimes", "{buffering}"))
        self.assertEqual(code, DISAGREES)
        unsound = [f for f in document["findings"] if f["kind"] == "unsound"]
        self.assertTrue(unsound)
        for finding in unsound:
            why = (Path(finding["folder"]) / "why.txt").read_text()
            self.assertRegex(why, "(With them t|T)he reference machine ends in (success|infeasible)|A complete run has a message")
            self.assertFalse((Path(finding["folder"]) / "theirs.smt2").exists())

    def test_says_something_else_every_time(self):
        """Nothing can be said of it but that it is wrong, and how often."""
        coin = ["sh", "-c", "cat > /dev/null; [ $(($(od -An -N1 -tu1 /dev/urandom) % 2)) = 1 ] && echo sat || echo unsat"]
        document, code = self.validate("--traces", "--level", "2", "--cases", "0", "--findings", "1", encoder=coin)
        self.assertEqual(document["programs"] == LEVELS[2], document["complete"])
        wrong = sum(document[b]["unsound"] + document[b]["incomplete"] for b in BUFFERINGS)
        self.assertEqual(code, DISAGREES if wrong else HOLDS)

    def test_blanks(self):
        document, _ = self.validate(*corpus("e31_divisor"), encoder=["sh", "-c", "echo"])
        self.assertRegex(document["troubles"][0]["what"], r": it printed blanks only\Z")

    def test_hint_what_to_print(self):
        for said, hints in (("Loading\nsat", 1), ("unsat", 0)):
            result = run("validate", *corpus("e31_divisor"), "--findings", "0", "-o", "-", "--", *saying(said))
            self.assertEqual(result.text.count("\nhint: an encoder prints an SMT-LIB problem, or `sat` or `unsat`, or a JSON object"), hints)
            self.assertEqual(result.text.count("nonsense (2 times): "), hints)

    def test_slow(self):
        """A hint tells how to start it less often."""
        result = run("validate", *corpus("e31_divisor"), "--buffering", "zero", "-o", "-", "--", "sh", "-c", "sleep 0.9; echo unsat")
        self.assertEqual(result.code, HOLDS)
        self.assertRegex(result.text, r"\nhint: your encoder takes [01]\.\d s for an answer on average; docs/validate.md, \"A slow encoder\", says how")
        result = run("validate", *corpus("e31_divisor"), "--buffering", "zero", "-o", "-", "--", *saying("unsat"))
        self.assertNotIn("hint", result.text)

    def test_one_problem(self):
        """What a problem may look like, and what it may not have in it."""
        symbol = '(declare-const |a"b;( | Bool)(assert (and false |a"b;( |))(set-info :source "a "" ( b")'
        for text in ("(assert false)", "( check-sat ) (assert false)", "(assert false) ; and so on (",
                     "; first\n(assert (; here\n and false true))", symbol, f"(set-logic QF_UF){symbol}(exit)",
                     "(set-option :print-success true)(assert false)(check-sat)(get-model)", "unsat", "  safe\n", "vacuous",
                     "(set-info :status sat)(assert false)", "(assert false)(set-info :status sat)(check-sat)",
                     '{"status": "unsat"}', '{"answer": "safe", "matches": [["no", "such"], 3], "more": {}}'):
            with self.subTest(text):
                document, _ = self.validate(*corpus("e31_divisor"), encoder=saying(text))
                self.assertEqual((document["infinite"]["agrees"], document["zero"]["agrees"]), (1, 1))
        for text in ("(check-sat)", "(declare-const x Int)", "(set-info :status unsat)(check-sat)", "sat", "violated", '{"verdict": "violated"}'):
            with self.subTest(text):
                document, _ = self.validate(*corpus("e31_divisor"), "--findings", "0", encoder=saying(text))
                self.assertEqual((document["infinite"]["unsound"], document["zero"]["unsound"]), (1, 1))
        for text in ("(reset)", "(check-sat-assuming (true))", "(assert false))", "[]", "SAT", "sat\nsat", '{"verdict": 1}',
                     "{", "((assert false))", "false"):
            with self.subTest(text):
                document, code = self.validate(*corpus("e31_divisor"), encoder=saying(text))
                self.assertEqual(code, SOLVER_FAILED)
                self.assertEqual(sum(document["infinite"]["trouble"].values()), 1)


class Arguments(Validation):
    def test_encoder(self):
        for command in (["/no/such/encoder"], ["no-such-encoder"], [str(self.write("#!/bin/sh\n"))],
                        [str(self.folder)], ["\x1b[31m"]):
            with self.subTest(command):
                result = run("validate", "-o", self.folder / "findings", "--", *command)
                self.assertEqual((result.code, result.text), (SOLVER_FAILED, ""))
                self.assertRegex(result.error_text, r"\Amatchpoint: error\[solver\]: cannot start [^\x00-\x09\x0b-\x1f\x7f]+\n\Z")
                self.assertFalse((self.folder / "findings").exists())

    def test_a_file_that_is_not_in_the_path(self):
        self.write("", "no-program.ctp")
        result = run("validate", "-o", "-", "--", "no-program.ctp", cwd=self.folder)
        self.assertEqual(result.error_text, "matchpoint: error[solver]: cannot start no-program.ctp: PATH has no executable of "
                                            "this name\n  = hint: `./no-program.ctp` is the file in this folder\n")

    def test_hints(self):
        script = self.write("#!/bin/sh\n", "encode.sh")
        for command, hint in (([f"{script} {{ctp}}"], "this is one word; write the words of a command after `--` without quotes around them all"),
                              ([str(script)], "`chmod +x` makes a script executable; or name what runs it, as in `python3 encoder.py`"),
                              (["exakt"], "did you mean `exact`? It is built in")):
            result = run("validate", "-o", "-", "--", *command)
            self.assertTrue(result.error_text.endswith(f"\n  = hint: {hint}\n"), result.error_text)

    def test_refused(self):
        for arguments, saying_so in (
                ([], "ENCODER"),
                (["--"], "ENCODER"),
                (["--buffering", "zero", "--", "section5"], "section5 does not speak of zero buffering"),
                (["--buffering", "infinite", "--", "section5-zero"], "section5-zero does not speak of infinite buffering"),
                (["--level", "9", "--", "exact"], "--level"),
                (["--cases", "-1", "--", "exact"], "--cases"),
                (["--findings", "-1", "--", "exact"], "--findings"),
                (["--seed", "-1", "--", "exact"], "--seed"),
                (["--memory", "0", "--", "exact"], "--memory"),
                (["--memory", "99999999999999", "--", "exact"], "--memory"),
                (["--encoder-time", "0", "--", "exact"], "--encoder-time"),
                (["--encoder-time", "1e300", "--", "exact"], "--encoder-time"),
                (["--level", "1", "--level", "2", "--", "exact"], "--level"),
                (["--jobs", "0", "--", "exact"], "--jobs"),
                (["--solver", "", "--", "exact"], "--solver"),
                (["--corpus", "no/such/corpus", "--", "exact"], "cannot read no/such/corpus: No such file or directory"),
                (["--corpus", "no/\x1b[31m", "--", "exact"], r"cannot read no/\x1b[31m: No such file or directory"),
                (["--level", "0", "--cases", "0", "--", "exact"], "there is nothing to ask"),
                (["--junit", "-", "--", "exact"], "--junit needs the name of a file"),
                (["--mpi", "--mcapi", "--", "exact"], "--mpi and --mcapi exclude each other"),
                (["--", "./encode", "{file}"], "the encoder's {file} means nothing; {pairs}, {buffering}, {runs}, {switches}, {model} do, and {ctp} for the file with the program"),
                *((["--mpi", "--", name], f"{name} knows no selectors, modes or barriers")
                  for name in ("section5", "short-paper", "figures-9-10")),
                *((["--shard", shard, "--", "exact"], "--shard")
                  for shard in ("", "1", "0/2", "3/2", "1/0", "1/2/3", "a/b", "1/2 ", "-1/2"))):
            with self.subTest(arguments):
                self.refused("validate", *arguments, saying=saying_so)

    def test_what_stands_in_the_command(self):
        """{ctp}, {pairs} and {buffering}, within words too, and more than once."""
        script = self.write("""
            [ "$1" = "--buffering=zero,zero" ] && cmp -s "$2" "$3" && [ -z "$(cat)" ] &&
            grep -q '(rcvi R5 0 B)' "$2" && [ "$(sort "${4#pairs=}" | tr '\\n' ,)" = "R2 S4,R2 S5,R3 S6,R5 S4,R5 S5," ] &&
            echo unsat""", "look.sh")
        document, code = self.validate(
            "--level", "0", "--cases", "0", "--corpus", "traces/figure1.ctp", "--buffering", "zero",
            encoder=["sh", str(script), "--buffering={buffering},{buffering}", "{ctp}", "{ctp}", "pairs={pairs}"])
        self.assertEqual((code, document["zero"]["agrees"]), (HOLDS, 1))

    def test_the_program_is_standard_input(self):
        text = self.write(Path("traces/figure1.ctp").read_text() + "; \u00a0 is no white space\n")
        document, code = self.validate("--level", "0", "--cases", "0", "--corpus", text, "--buffering", "zero",
                                       encoder=["sh", "-c", f"cmp -s - '{text}' && echo unsat"])
        self.assertEqual((code, document["zero"]["agrees"]), (HOLDS, 1))

    def test_corpus(self):
        """A folder's programs in the order of their names; what breaks a rule is left out, and named."""
        folder = self.folder / "\x1b[31m it's \"a\" folder"
        folder.mkdir()
        for name in ("b.ctp", "a.ctp"):
            (folder / name).write_text("( ( [0 (assert true)] ) )")
        (folder / "broken.ctp").write_text("( ( [0 (assert 1)] ) )")
        (folder / "no program.txt").write_text("(")
        document, code = self.validate("--level", "0", "--cases", "0", "--corpus", folder, encoder=["exact"])
        self.assertEqual((code, document["sources"]), (UNKNOWN, {"corpus": 3}))
        self.assertEqual(document["unreadable"], [str(folder / "broken.ctp")])
        text = run("validate", "--level", "0", "--cases", "0", "--corpus", folder, "-o", "-", "--findings", "0", "--",
                   *saying("sat"))
        self.assertEqual(text.code, DISAGREES)
        self.assertIn(r"\x1b[31m it's", text.text)
        self.assertNotIn("\x1b", text.text)
        # Nothing that could be asked is not all right.
        (folder / "a.ctp").unlink()
        (folder / "b.ctp").unlink()
        document, code = self.validate("--level", "0", "--cases", "0", "--corpus", folder, encoder=["exact"])
        self.assertEqual((code, document["infinite"]["cases"]), (UNKNOWN, 0))

    def test_no_solver(self):
        document, code = self.validate("--level", "1", "--cases", "0", "--solver", "/no/such/z3", encoder=OURSELVES)
        self.assertEqual((code, document["infinite"]["trouble"]), (SOLVER_FAILED, {"no answer from the solver": 3}))
        document, code = self.validate("--level", "1", "--cases", "0", "--solver", "/no/such/z3",
                                       encoder=misbehaving("talks_much"))
        self.is_right(document, code, LEVELS[1])


class Parts(Validation):
    def test_shards(self):
        options = ["--level", "4", "--cases", "41", "--findings", "0", *corpus("e05_two_assertions_one_fails",
                                                                             "e06_no_assertion")[4:]]
        whole, _ = self.validate(*options, encoder=["section5"])
        for shards in (2, 5):
            parts = [self.validate(*options, "--shard", f"{i}/{shards}", encoder=["section5"])[0]
                     for i in range(1, shards + 1)]
            self.assertLessEqual(max(p["of"] for p in parts) - min(p["of"] for p in parts), 1)
            for key in ("programs", "of"):
                self.assertEqual(sum(p[key] for p in parts), whole[key])
            for key in ("sources", "sizes", "traits", "infinite"):
                for name, value in whole[key].items():
                    if isinstance(value, int):
                        self.assertEqual(sum(p[key].get(name, 0) for p in parts), value, (key, name))

    def resumed(self, state, *options, encoder):
        """Interrupted again and again, until it is complete; and how often that took. Each turn is given more time: a busy
        machine may need all of the first ones to start."""
        seconds = 0.03
        for turn in range(1, 1000):
            document, _ = self.validate("--state", state, *options, "--time", f"{seconds:.3f}", encoder=encoder)
            if document["complete"]:
                return document, turn
            seconds *= 1.3
        raise AssertionError("it does not end")

    @long_test
    def test_state(self):
        for options, command in ((["--traces", "--level", "2", "--cases", "6"], [WRONG_SOON]),
                                 (["--level", "2", "--cases", "20"], ["exact"])):
            with self.subTest(command):
                state = self.folder / f"{command[0]}.json"
                at_once, code = self.validate(*options, encoder=command)
                document, turns = self.resumed(state, *options, encoder=command)
                self.assertGreater(turns, 1)
                self.assertEqual(without_time(document), without_time(at_once))
                # Once more, with nothing left to do.
                again, code_again = self.validate("--state", state, *options, encoder=command)
                self.assertEqual((without_time(again), code_again), (without_time(document), code))

    def test_killed(self):
        """A state is good at any moment, with several encoders at a time too."""
        state = self.folder / "state.json"
        options = ["--level", "3", "--cases", "0", "--jobs", "2", "--buffering", "infinite"]
        slow = ["sh", "-c", 'sleep 0.01; exec "$@"', "sh", *OURSELVES]
        arguments = ["validate", "--skip-rules", "-o", "-", "--state", str(state), *options, "--", *slow]
        with subprocess.Popen([MATCHPOINT, *arguments], stdout=subprocess.DEVNULL) as process:
            # With two at a time, the second may be done before the first, which the state waits for.
            while process.poll() is None and not (state.exists() and json.loads(state.read_text())["result"]["programs"]):
                time.sleep(0.01)
            process.send_signal(signal.SIGKILL)
        kept = json.loads(state.read_text())["result"]
        self.assertGreater(kept["programs"], 0)
        self.assertEqual((kept["infinite"]["cases"], sum(kept["sizes"].values())), (kept["programs"],) * 2)
        document, code = self.validate("--state", state, *options, encoder=slow)
        self.is_right(document, code, LEVELS[3])

    def test_interrupted(self):
        """The summary comes at once, no encoder is left, and the campaign can go on."""
        state, began = self.folder / "state.json", self.folder / "began"
        slow = ["sh", "-c", 'touch "$0"; [ ! -e "$0.slow" ] || { touch "$0.sleeps"; sleep 1000; }; exec "$@"', str(began), *OURSELVES]
        options = ["--level", "3", "--cases", "0", "--buffering", "infinite", "--state", str(state), "--format", "json"]
        command = [MATCHPOINT, "validate", "--skip-rules", "-o", "-", *options, "--encoder-time", "2000", "--", *slow]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            while not began.exists():
                time.sleep(0.01)
            (self.folder / "began.slow").touch()
            while not (self.folder / "began.sleeps").exists() and process.poll() is None:
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            document = json.loads(process.communicate()[0])
        self.assertEqual((process.returncode, document["complete"], document["stopped"]), (UNKNOWN, False, "interrupted"))
        self.assertEqual(document["infinite"]["agrees"], document["programs"])
        self.assertEqual(running(str(began)), [])
        (self.folder / "began.slow").unlink()
        document, code = self.validate("--level", "3", "--cases", "0", "--buffering", "infinite", "--state", state,
                                       encoder=slow)
        self.is_right(document, code, LEVELS[3])

    def test_interrupted_with_findings(self):
        """What was found is in the summary, and in the exit code; after SIGTERM, too."""
        seen = self.folder / "seen"
        slow = ["sh", "-c", '[ ! -e "$0" ] || sleep 1000; exec "$@"', str(seen), *saying("(assert true)")]
        state = self.folder / "state.json"
        command = [MATCHPOINT, "validate", "-o", "-", "--traces", "--level", "6", "--cases", "0", "--buffering", "infinite", "--state",
                   str(state), "--encoder-time", "2000", "--", *slow]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            while not (state.exists() and json.loads(state.read_text())["result"]["findings"]):
                time.sleep(0.05)
            seen.touch()
            process.send_signal(signal.SIGTERM)
            text = process.communicate()[0]
        self.assertEqual(process.returncode, DISAGREES)
        self.assertTrue(text.startswith("your encoder says sat (the run fails); the semantics says unsat (the run does not fail), "
                                        "infinite buffering\n"), text)
        # The next wrong answer may be being explained by then.
        self.assertRegex(text, r"\nstopped: interrupted(\n| while a wrong answer was explained: )")
        self.assertEqual(running(str(seen)), [])

    def test_interrupted_while_explaining(self):
        """A wrong answer is one, even if its cause was not found. timeout(1) sends SIGTERM twice."""
        seen = self.folder / "seen"
        slow = ["sh", "-c", '[ ! -e "$0" ] || sleep 1000; touch "$0"; exec "$@"', str(seen), *saying("(assert true)")]
        command = [MATCHPOINT, "validate", "-o", self.folder / "out", "--skip-rules", "--level", "1", "--cases", "0", "--buffering", "infinite",
                   "--encoder-time", "2000", "--", *slow]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            while not seen.exists():
                time.sleep(0.05)
            time.sleep(0.5)
            for _ in range(2):
                process.send_signal(signal.SIGTERM)
            text = process.communicate()[0]
        self.assertEqual(process.returncode, DISAGREES, text)
        self.assertRegex(text, r"stopped: interrupted while a wrong answer was explained: small program \d+, infinite buffering: it says "
                               rf"sat, and no run fails\n  {self.folder}/out/unexplained\n.* 0 wrong; a further program has a wrong answer that is not explained\n")
        seen.unlink()
        again = subprocess.run(self.folder / "out/unexplained/again.sh", env={**os.environ, "MATCHPOINT": str(MATCHPOINT)}, capture_output=True)
        self.assertEqual(again.returncode, DISAGREES)
        self.assertTrue((self.folder / "out/unexplained/why.txt").read_text().startswith("A wrong answer that is not explained. small program"))
        quick = command[1:command.index("--")]
        self.assertEqual(run(*quick, "--findings", "1", "--", *saying("(assert true)")).code, DISAGREES)
        self.assertEqual(os.listdir(self.folder / "out"), ["001-unsound-infinite"])
        self.assertEqual(running(str(seen)), [])

    def test_stopped(self):
        """Time in which the machine is stopped does not count."""
        slow = ["sh", "-c", 'sleep 0.4; exec "$@"', "sh", *OURSELVES]
        options = ["--level", "1", "--cases", "0", "--buffering", "infinite", "--encoder-time", "2", "--format", "json"]
        with subprocess.Popen([MATCHPOINT, "validate", "--skip-rules", "-o", "-", *options, "--", *slow], stdout=subprocess.PIPE) as process:
            time.sleep(0.2)
            process.send_signal(signal.SIGSTOP)
            time.sleep(3)
            process.send_signal(signal.SIGCONT)
            self.is_right(json.loads(process.communicate()[0]), process.returncode, LEVELS[1])

    def test_another_campaign_s_state(self):
        state = self.folder / "state.json"
        options = ["--level", "2", "--cases", "3"]
        self.validate("--state", state, *options, encoder=["exact"])
        before = state.read_bytes()
        for others in (["--level", "3", "--cases", "3"], ["--level", "2", "--cases", "4"],
                       *([*options, *more] for more in (
                           ["--seed", "2"], ["--buffering", "zero"], ["--shard", "1/2"],
                           ["--corpus", "traces/figure1.ctp"], ["--solver", "cvc5"], ["--traces"]))):
            with self.subTest(others):
                self.refused("validate", "--state", state, *others, "--", "exact",
                             saying=f"{state} is not the state of this campaign")
        self.refused("validate", "--state", state, *options, "--", "section5", saying="is not the state of this campaign")
        self.assertEqual(state.read_bytes(), before)
        same = {"identity": json.loads(before)["identity"]}
        for text in ("", "{", "[]", "null", '{"identity": 1}', json.dumps(same), json.dumps({**same, "result": {}}),
                     json.dumps({**same, "result": {**json.loads(before)["result"], "programs": "all"}})):
            with self.subTest(text):
                self.refused("validate", "--state", self.write(text, "broken.json"), *options, "--", "exact",
                             saying="is not the state of this campaign")
        self.refused("validate", "--state", self.folder, *options, "--", "exact", saying=f"cannot read {self.folder}: ")

    def test_state_with_names_that_are_no_text(self):
        path = os.path.join(os.fsencode(self.folder), b"\xff.ctp")
        Path(os.fsdecode(path)).write_text("( ( [0 (assert true)] ) )")
        state = self.folder / "state.json"
        for _ in range(2):
            document, code = self.validate("--level", "0", "--cases", "0", "--corpus", path, "--state", state,
                                           encoder=["exact"])
            self.assertEqual((code, document["programs"]), (HOLDS, 1))

    def test_time(self):
        document, code = self.validate("--level", "4", "--cases", "0", "--time", "0.0001", encoder=["exact"])
        self.assertEqual((code, document["complete"]), (UNKNOWN, False))
        self.assertLess(document["programs"], LEVELS[4])


class Reports(Validation):
    WRONG = ["--level", "3", "--cases", "8", "--corpus", str(ERRATA / "e10_one_task_two_source_endpoints.ctp")]

    def test_text(self):
        """The text says what the JSON says."""
        state, junit, output = (self.folder / name for name in ("state.json", "junit.xml", "findings"))
        command = ["section5"]
        document, code = self.validate("--state", state, "--junit", junit, *self.WRONG, encoder=command, output=output)
        self.assertEqual(code, DISAGREES)
        result = run("validate", "--skip-rules", "--verbose", "--state", state, *self.WRONG, "-o", output, "--", *command)
        self.assertEqual((result.code, without_progress(result.error_text)), (DISAGREES, ""))
        text = re.sub(r",\n +", ", ", result.text)
        rest = text
        for finding in document["findings"]:
            like_it = finding["like_it"]
            more = f" and {like_it} more program{'s' if like_it > 1 else ''} like it" if like_it else ""
            theirs, ours = ("sat (some run fails)", "unsat (no run fails)")[::1 if finding["kind"] == "unsound" else -1]
            head = (f"your encoder says {theirs}; the semantics says {ours}, {finding['buffering']} buffering\n"
                    f"{finding['smallest']}  ")
            self.assertTrue(rest.startswith(head), f"{head}\n{rest}")
            shown, rest = rest.removeprefix(head).split("\n\n", 1)
            is_possible = re.search(r"other explanations? fits? as well", shown) is not None
            self.assertTrue(shown.startswith(f"{'possible ' if is_possible else ''}cause: your encoder "), shown)
            self.assertIn(f"\n  found on {finding['origin']}{more}\n  {finding['kind']}:\n", shown)
            self.assertEqual(shown.splitlines()[-1], f"  {finding['folder']}")
            for explanation in finding["why"]:
                if explanation["agrees"] < finding["why"][0]["agrees"]:
                    continue
                for change in explanation["changes"]:
                    if change["change"] == ALL_PAIRS:
                        continue
                    self.assertIn(f"  {change['rule']} ({change['direction']}): {change['change']}\n", shown)
            for apart in finding["apart"]:
                self.assertIn(apart["program"], shown)
            best = finding["why"][0]
            self.assertIn(f"agree with the encoder on {best['agrees']} of {best['of']} cases\n", shown + "\n")
            self.assertEqual({e for line in re.findall(r"^    errata (.*)$", shown, re.MULTILINE) for e in line.split(", ")},
                             likeliest(finding))
        counts = document["infinite"]
        lines = iter(rest.splitlines())
        self.assertEqual(next(lines), f"infinite: {counts['cases']} cases, a run fails in {counts['failing']}; "
                                      f"{counts['agrees']} agree, {counts['unsound']} unsound, "
                                      f"{counts['incomplete']} incomplete")
        self.assertEqual(next(lines), f"  {counts['known']} of the wrong answers follow from what was found before them")
        sources = ", ".join(f"{n} {source}" for source, n in sorted(document["sources"].items()))
        self.assertEqual(next(lines), f"programs: {document['programs']} of {document['of']}: {sources}")
        sizes = sorted(map(int, document["sizes"]))
        self.assertEqual(next(lines), f"commands: {sizes[0]} to {sizes[-1]}")
        self.assertEqual(next(lines), "with: " + ", ".join(f"{n} {t}" for t, n in sorted(document["traits"].items())))
        self.assertEqual(list(lines), [])
        self.assertLessEqual(max(map(len, result.text.splitlines())), 300)
        self.junit(junit, document)

    def junit(self, path, document):
        """A test case for each buffering and for each finding; what is missing is an error. Those that do not pass."""
        root = ElementTree.fromstring(path.read_bytes())
        self.assertEqual((root.tag, [suite.tag for suite in root]), ("testsuites", ["testsuite"]))
        cases = root.findall("testsuite/testcase")
        count = {what: len(root.findall(f"testsuite/testcase/{what}")) for what in ("failure", "error", "skipped")}
        for key, value in (("tests", len(cases)), ("failures", count["failure"]), ("errors", count["error"]),
                           ("skipped", count["skipped"])):
            self.assertEqual(root[0].get(key), str(value))
        number = len(document["bufferings"])
        for case, finding in zip(cases[number:], document["findings"], strict=True):
            self.assertTrue(case.get("name").startswith(f"{finding['kind']}, {finding['buffering']} buffering, "))
            self.assertIn(finding["smallest"], case.find("failure").text)
        for case, buffering in zip(cases, document["bufferings"]):
            counts = document[buffering]
            self.assertEqual(case.get("name"), f"{buffering} buffering: {counts['agrees']} of {counts['cases']} cases agree")
            wrong = counts["unsound"] + counts["incomplete"] > 0
            missing = not wrong and (counts["agrees"] < counts["cases"] or not document["complete"])
            self.assertEqual([child.tag for child in case], ["failure"] if wrong else ["error"] if missing else [])
        return [case.get("name") for case in cases if len(case)]

    @long_test
    def test_junit_of_odd_things(self):
        junit = self.folder / "junit.xml"
        hostile = self.write("( ( [0 (assert true)] ) )", "<&\"'> ]]> \x1b \u2028 \ufffe.ctp")
        options = ["--level", "1", "--cases", "0", "--corpus", hostile, "--junit", junit]
        for command, missing in ((saying("]]> <&\"'> \x01 \ufffe"), 2), (saying("unsat \udcff"), 2), (["exact"], 0)):
            with self.subTest(command):
                document, _ = self.validate(*options, encoder=command)
                self.assertEqual(len(self.junit(junit, document)), missing)
        for findings, failures in (("0", 1), ("1", 2)):
            document, code = self.validate(*options, "--buffering", "infinite", "--findings", findings, encoder=saying("sat"))
            self.assertEqual((code, len(self.junit(junit, document))), (DISAGREES, failures))
        document, _ = self.validate(*options, "--time", "0.00001", encoder=["exact"])
        self.junit(junit, document)

    def test_no_output(self):
        """Nothing is written that was not asked for; what was found is in `findings` unless another place is given."""
        with tempfile.TemporaryDirectory() as temporary:
            for output, names in ((["-o", "-"], []), ([], ["findings"])):
                result = run("validate", *SOON, *output, "--", WRONG_SOON, cwd=self.folder,
                             env={**os.environ, "TMPDIR": temporary})
                self.assertEqual(result.code, DISAGREES)
                self.assertEqual([p.name for p in self.folder.iterdir()], names)
            self.assertEqual(os.listdir(temporary), [])
        self.assertIn("\n  findings/001-unsound-infinite\n", result.text)

    def test_hostile_folders(self):
        # An encoder that gives no problem, and one that does.
        for name, command in (("-rf it's $(touch x) `touch x` \"q\" \\ ;#&|<>*?", saying("sat")),
                              ("-\x1b[31m\nfolder \udcff ü 𝔸 ", [WRONG_SOON])):
            with self.subTest(name):
                folder = self.folder / name
                folder.mkdir()
                result = run("validate", *SOON, "--buffering", "infinite", "--findings", "1", "-o", folder, "--", *command, cwd=folder)
                self.assertEqual((result.code, without_progress(result.error_text)), (DISAGREES, ""))
                self.assertNotIn(b"\x1b", result.out)
                [finding] = folder.glob("001-*")
                again = subprocess.run(["sh", finding / "again.sh"], env={**os.environ, "MATCHPOINT": MATCHPOINT},
                                       capture_output=True, check=False)
                self.assertEqual((again.returncode, again.stderr), (DISAGREES, b""))
        self.assertFalse(list(self.folder.rglob("x")))

    @long_test
    def test_a_folder_of_a_run_before(self):
        """What is found there is of this campaign, or no campaign's at all."""
        output = self.folder / "findings"

        def campaign(*options, encoder):
            self.validate(*SOON, "--buffering", "infinite", *options, output=output, encoder=encoder)
            return sorted(p.name for p in output.iterdir())

        self.assertEqual(campaign("--findings", "1", encoder=saying("(assert true)")), ["001-unsound-infinite"])
        self.assertTrue((output / "001-unsound-infinite" / "theirs.smt2").exists())
        # What a larger campaign left, and what the owner of the folder put there.
        left = ["002-unsound-zero", "0123-incomplete-infinite", "004-unsound-infinite"]
        others = ["001-unsound-infinite.txt", "05-unsound-zero", "mine", "x01-unsound-zero"]
        for name in left + others:
            (output / name).mkdir()
            (output / name / "why.txt").write_text("because")
        (output / left[-1] / "notes.txt").write_text("mine")
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        (elsewhere / "why.txt").write_text("because")
        (output / "007-unsound-zero").symlink_to(elsewhere)
        self.assertEqual(campaign("--findings", "1", encoder=saying("sat")),
                         sorted(["001-unsound-infinite", left[-1], "007-unsound-zero", *others]))
        self.assertFalse((output / "001-unsound-infinite" / "theirs.smt2").exists())
        self.assertEqual([p.name for p in (output / left[-1]).iterdir()], ["notes.txt"])
        for name in others:
            self.assertTrue((output / name / "why.txt").exists())
        self.assertTrue((elsewhere / "why.txt").exists())
        # With a state what was found before is this campaign's, too; one that cannot be run finds nothing, and takes
        # nothing.
        state = self.folder / "state.json"
        for _ in range(2):
            self.assertIn("001-unsound-infinite", campaign("--findings", "1", "--state", state, encoder=saying("sat")))
        self.assertEqual(run("validate", "-o", output, "--", "/no/such/encoder").code, SOLVER_FAILED)
        self.assertIn("001-unsound-infinite", [p.name for p in output.iterdir()])
        self.assertNotIn("001-unsound-infinite", campaign(encoder=["exact"]))

    def test_output_that_cannot_be_written(self):
        file = self.write("")
        folder = self.folder / "folder"
        folder.mkdir()
        for options in (["-o", file], ["-o", file / "below"], ["-o", "/proc/nowhere"],
                        ["-o", "-", "--state", self.folder / "no" / "state"], ["-o", "-", "--junit", folder],
                        ["-o", "-", "--junit", self.folder / "no" / "junit"]):
            with self.subTest(options):
                count_only = ["--findings", "0"] if "-" in options else []
                result = run("validate", *SOON, *count_only, *options, "--", WRONG_SOON)
                self.assertEqual(result.code, OUTPUT_FAILED)
                self.assertRegex(result.error_text, r"\Amatchpoint: error\[\w+\]: [^\n]+\n\Z")
        self.assertEqual(run("validate", "--level", "1", "--cases", "0", "-o", file, "--", "exact").code, HOLDS)
        with open("/dev/full", "wb") as full:
            result = run("validate", "--level", "1", "--cases", "0", "-o", "-", "--", "exact", stdout=full)
        self.assertEqual(result.code, OUTPUT_FAILED)


if __name__ == "__main__":
    unittest.main()
