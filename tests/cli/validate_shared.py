#!/usr/bin/env python3
"""`matchpoint validate --shared` on encoders of other people (tests/encoders/): one written from the prose of Symbolic Predictive
Analysis is wrong as the paper is, one that is right agrees in every case.

    validate_shared.py --cases 100000    asks the one that is right about so many programs instead: small ones, and as many random
                                         ones as there are then left
"""

import re
import subprocess
import sys
import unittest
from pathlib import Path

from served import encoder
from support import BAD_INPUT, DISAGREES, FAILURE, HOLDS, MATCHPOINT, long_test, part, run
from validation import Validation, likeliest

sys.path.insert(0, "tests/encoders")
import ctp_shared  # noqa: E402

RIGHT = encoder("cssa_right", "{runs}")
RIGHT_BOUNDED = [*RIGHT, "{switches}"]
PROSE = encoder("cssa_prose")
PROSE_BOUNDED = [*PROSE, "{switches}"]
MODELS = encoder("causal_models")

# The smallest programs on which the paper goes wrong, to the letter (docs/errata.md).
SMALLEST = {
    "F2": "(shared [x 0]) (([c1 (assume (= x 1))] [c2 (assert false)]))",
    "F3": "(shared [x 0] [y 0]) (([c1 (assert false)] [c2 (assume false (x := 1))] [c3 (y := x)]))",
    "F4": "(shared [x 0] [y 0]) (([a1 (b := x)] [a2 (assume false (x := 1))] [a3 (a := y)]) "
          "([b1 (c := y)] [b2 (assume false (y := 1))] [b3 (b4 := x)]) ([c1 (assert false)]))",
    "F7": "(shared [x 0] [y 0]) (([c1 (x := 1)]) ([c2 (y := 1)]) "
          "([c3 (assert (not (and (= x 1) (= y 1))))]))",
    "F8": "(shared [x 0]) (([c1 (x := 1)]) ([c2 (assert (= x 1))]))",
}


def events(text):
    return sum(len(thread) for thread in ctp_shared.parse(text.encode()).threads)


class Shared(Validation):
    def corpus(self, *errata):
        """Options for these programs, and no others."""
        options = ["--level", "0", "--cases", "0"]
        for name in errata:
            path = self.folder / f"{name}.ctp"
            path.write_text(SMALLEST[name] + "\n")
            options += ["--corpus", str(path)]
        return options

    def agrees(self, document, code, programs):
        counts = document["infinite"]
        self.assertEqual((code, document["programs"], document["findings"]), (HOLDS, programs, []))
        self.assertEqual((counts["cases"], counts["agrees"], counts["unsettled"]), (programs, programs, 0))
        self.assertTrue(0 < counts["failing"] < programs)


class Right(Shared):
    def test_executions(self):
        document, code = self.validate("--shared", "--cases", "40", "--level", "2", "--jobs", "2", encoder=RIGHT)
        self.agrees(document, code, 46)
        self.assertEqual(document["bufferings"], ["infinite"])
        for trait in ("guarded assignments", "divisions", "several assertions", "commands that block",
                      "shared variables"):
            self.assertIn(trait, document["traits"])

    def test_small_programs(self):
        options = ["--shared", "--level", "4", "--cases", "0", "--shard", "3/64", "--jobs", "2"]
        self.agrees(*self.validate(*options, encoder=RIGHT), 30)

    def test_complete_runs(self):
        options = ["--shared", "--runs", "complete", "--level", "2", "--cases", "30", "--jobs", "2"]
        self.agrees(*self.validate(*options, encoder=RIGHT), 36)

    def test_few_switches(self):
        for runs, switches in (("executions", 0), ("executions", 1), ("complete", 2)):
            with self.subTest(runs=runs, switches=switches):
                options = ["--shared", "--runs", runs, "--switches", str(switches), "--level", "2", "--cases", "20"]
                self.agrees(*self.validate(*options, "--jobs", "2", encoder=RIGHT_BOUNDED), 26)

    def test_ours(self):
        """With messages, with both readings, and with a bound."""
        for options, programs in ((["--hybrid"], 36), (["--runs", "complete"], 36), (["--switches", "1"], 36)):
            with self.subTest(options):
                document, code = self.validate("--shared", *options, "--level", "2", "--cases", "30", encoder=["exact"])
                self.assertEqual((code, document["programs"], document["findings"]), (HOLDS, programs, []))

    def test_schedule(self):
        """The same, with a copy of the state for each step."""
        for options, programs in (([], 36), (["--runs", "complete"], 36), (["--switches", "1"], 36)):
            with self.subTest(options):
                self.agrees(*self.validate("--shared", *options, "--level", "2", "--cases", "30", encoder=["schedule"]), programs)

    def test_one_reading_is_not_the_other(self):
        """Held against complete runs, an encoder of executions is wrong (F1)."""
        document, code = self.validate("--shared", "--runs", "complete", "--level", "3", "--cases", "0",
                                       encoder=encoder("cssa_right", "executions"))
        self.assertEqual(code, DISAGREES)
        [finding] = document["findings"]
        self.assertEqual((finding["kind"], events(finding["smallest"])), ("unsound", 2))
        self.assertIn("F1", likeliest(finding))


class Wrong(Shared):
    @long_test
    def test_prose(self):
        """What the prose has wrong is found, explained, and shrunk to programs as small as ours."""
        output = self.folder / "findings"
        document, code = self.validate("--shared", "--level", "3", "--cases", "60", encoder=PROSE, output=output)
        self.assertEqual(code, DISAGREES)
        found = {}
        for finding in document["findings"]:
            self.assertTrue(finding["explained"])
            for erratum in likeliest(finding):
                found[erratum] = min(found.get(erratum, 99), events(finding["smallest"]))
            self.finding_is_whole(finding)
        for erratum in ("F2", "F3"):
            self.assertLessEqual(found[erratum], events(SMALLEST[erratum]), erratum)
        self.again(document["findings"][0])

    @long_test
    def test_ours_to_the_letter(self):
        """The paper's own formulas are wrong as its prose is."""
        for name, options, errata in (("fusion", [], ("F2", "F3")), ("fusion-bounded", ["--switches", "1"], ("F7", "F8"))):
            with self.subTest(name):
                document, code = self.validate("--shared", *options, *self.corpus(*errata), encoder=[name])
                self.assertEqual(code, DISAGREES)
                found = set().union(*map(likeliest, document["findings"]))
                self.assertLessEqual(set(errata[:1]), found)

    def test_faults_planted_in_schedule(self):
        """Without a class of its constraints, `schedule` is wrong, and what is said to be missing is that class."""
        for left_out, switches, rule, change in ((" GUARD AT ", None, "guards", "none"),
                                                 (" IS NOT ZERO AT ", None, "divisors", "any may be zero"),
                                                 ("CONTEXT BOUND", 1, "bound on switches", "none")):
            with self.subTest(left_out):
                command = f'"$0" encode --encoding schedule --runs executions "$1" ${{2:+--switches $2}} | grep -v "{left_out}"'
                bound = [] if switches is None else ["--switches", str(switches)]
                document, code = self.validate("--rules", "--shared", *bound, "--level", "1", "--cases", "0",
                                               encoder=["sh", "-c", command, MATCHPOINT, "{ctp}", *(["{switches}"] if bound else [])])
                self.assertEqual(code, DISAGREES)
                [finding] = document["findings"]
                self.assertEqual(finding["kind"], "unsound")
                self.assertEqual([(c["rule"], c["change"]) for c in finding["why"][0]["changes"]], [(rule, change)])

    def finding_is_whole(self, finding):
        folder = Path(finding["folder"])
        smallest = (folder / "smallest.ctp").read_text()
        self.assertEqual(smallest.split("\n", 1)[1], finding["smallest"])
        incomplete = finding["kind"] == "incomplete"
        self.assertEqual(run("check", folder / "smallest.ctp").code == FAILURE, incomplete)
        said = subprocess.run(["z3", folder / "theirs.smt2"], capture_output=True, text=True, check=False).stdout
        self.assertEqual(said, "unsat\n" if incomplete else "sat\n")
        if incomplete:
            self.assertTrue(run("run", "--prefix", folder / "fails.ctp").text.startswith("trace 1: failure"))
        why = (folder / "why.txt").read_text()
        for erratum in likeliest(finding):
            self.assertRegex(why, rf"errata .*\b{erratum}\b")

    def test_unexecuted_cycle(self):
        """Where what is found first does not explain it."""
        document, code = self.validate("--shared", *self.corpus("F2", "F3", "F4"), encoder=PROSE)
        self.assertEqual(code, DISAGREES)
        for finding, erratum in zip(document["findings"], ("F2", "F3", "F4"), strict=True):
            with self.subTest(erratum):
                self.assertIn(erratum, likeliest(finding))
                self.assertLessEqual(events(finding["smallest"]), events(SMALLEST[erratum]))

    def test_bounds(self):
        """Times that threads share, and commands after the failure."""
        for erratum, switches in part((("F7", 1), ("F8", 0)), 2):
            with self.subTest(erratum):
                document, code = self.validate("--shared", "--switches", str(switches), *self.corpus(erratum),
                                               encoder=PROSE_BOUNDED)
                self.assertEqual(code, DISAGREES)
                [finding] = document["findings"]
                self.assertIn(erratum, likeliest(finding))
                self.assertLessEqual(events(finding["smallest"]), events(SMALLEST[erratum]))


class Models(Shared):
    """What causal models predict from traces."""

    def test_right(self):
        for model in ("mcm", "hb"):
            with self.subTest(model):
                options = ["--shared", "--model", model, "--level", "2", "--cases", "30", "--jobs", "2"]
                document, code = self.validate(*options, encoder=[*MODELS, "right", "{model}"])
                counts = document["infinite"]
                self.assertEqual((code, document["findings"], counts["unsettled"]), (HOLDS, [], 0))
                self.assertEqual(counts["cases"], counts["agrees"])
                self.assertTrue(0 < counts["failing"] < counts["cases"] <= document["programs"])

    def test_ours(self):
        for model in ("ctp", "mcm", "hb"):
            with self.subTest(model):
                document, code = self.validate("--shared", "--model", model, "--level", "3", "--cases", "60", encoder=["exact"])
                self.assertEqual((code, document["findings"]), (HOLDS, []))

    def explained(self, erratum, largest, *options, encoder):
        """A finding that the erratum explains, and nothing else."""
        document, code = self.validate("--shared", *options, encoder=encoder)
        self.assertEqual(code, DISAGREES)
        finding = next(f for f in document["findings"] if erratum in likeliest(f))
        self.assertTrue(finding["explained"])
        self.assertEqual(finding["kind"], "unsound")
        self.assertLessEqual(events(finding["smallest"]), largest)
        return finding

    def test_prose(self):
        """What it has wrong is found, explained, and shrunk to programs as small as ours."""
        corpus = lambda name: ["--level", "0", "--cases", "0", "--corpus", f"traces/errata/{name}.ctp"]
        prose = [*MODELS, "prose", "{model}"]
        # What is found there shrinks to F15, and F14 is beside it.
        finding = self.explained("F15", 3, "--model", "mcm", *corpus("f14_fetch_add"), encoder=prose)
        self.assertEqual([change["errata"] for change in finding["why"][0]["beside"]], ["F14"])
        for erratum, model in part((("F15", "mcm"), ("F16", "hb")), 3):
            self.explained(erratum, 3, "--model", model, *corpus("f15_assert_local"), encoder=prose)

    def test_ours_to_the_letter(self):
        """Figure 6 as printed has F14; it is about mcm, and refuses programs that lose a definition (F15)."""
        corpus = ["--level", "0", "--cases", "0", "--corpus", "traces/errata/f14_fetch_add.ctp"]
        self.explained("F14", 4, *corpus, encoder=["fusion-mcm"])
        result = run("validate", "--shared", "--model", "hb", "--", "fusion-mcm")
        self.assertEqual(result.code, BAD_INPUT)
        self.assertIn("fusion-mcm is about --model mcm", result.error_text)

    def test_assertions_of_the_maximal_causal_model(self):
        """An encoder that does not go on after an assertion that reads something else misses what we predict (F13)."""
        corpus = ["--level", "0", "--cases", "0", "--corpus", "traces/errata/f13_assertion_reads.ctp"]
        document, code = self.validate("--shared", "--model", "mcm", *corpus, encoder=[*MODELS, "maximal", "{model}"])
        self.assertEqual(code, DISAGREES)
        [finding] = document["findings"]
        self.assertEqual((finding["kind"], likeliest(finding)), ("incomplete", {"F13"}))


class Programs(Shared):
    def test_messages_beside_shared_variables(self):
        """An encoder that knows none gives no answer about them."""
        document, code = self.validate("--shared", "--hybrid", "--level", "2", "--cases", "60", encoder=RIGHT)
        self.assertEqual(document["bufferings"], ["infinite", "zero"])
        for buffering in document["bufferings"]:
            counts = document[buffering]
            self.assertEqual((counts["unsound"], counts["incomplete"]), (0, 0))
            self.assertGreater(counts["trouble"].get("crashed", 0), 10)
            self.assertGreater(counts["agrees"], 6)

    def test_campaigns_of_messages_leave_them_out(self):
        document, _ = self.validate(*self.corpus("F2"), encoder=["exact"])
        self.assertEqual(len(document["unreadable"]), 1)

    def test_state(self):
        """A campaign with other options is another one."""
        state = self.folder / "state"
        options = ["--level", "3", "--cases", "0", "--state", str(state)]
        self.validate("--shared", *options, encoder=RIGHT)
        result = run("validate", "--shared", "--switches", "1", *options, "--", *RIGHT)
        self.assertEqual(result.code, BAD_INPUT)
        self.agrees(*self.validate("--shared", *options, encoder=RIGHT), 127)

    def test_usage(self):
        for options, complaint in ((["--shared", "--mpi"], "--shared and --mpi exclude each other"),
                                   (["--shared", "--traces"], "--traces is about single runs"),
                                   (["--shared", "--level", "7"], "--level is at most 6"),
                                   (["--hybrid"], "--hybrid is for --shared"),
                                   (["--switches", "2"], "--switches is for --shared"),
                                   (["--model", "mcm"], "--model is for --shared"),
                                   (["--shared", "--model", "mcm", "--switches", "2"], "exclude each other"),
                                   (["--shared", "--model", "hb", "--runs", "complete"], "not about complete runs")):
            result = run("validate", *options, "--", "exact")
            self.assertEqual(result.code, BAD_INPUT)
            self.assertRegex(result.err.decode(), re.escape(complaint))
        result = run("validate", "--shared", "--", "fusion-bounded")
        self.assertEqual((result.code, result.error_text),
                         (BAD_INPUT, "matchpoint: error[usage]: fusion-bounded needs a bound on context switches: --switches N\n"))


def many(cases):
    """A long run of the encoder that is right; it prints what was asked."""
    level, small = next((level, n) for level, n in ((5, 34438), (4, 1865), (3, 127)) if n <= cases)
    command = [MATCHPOINT, "validate", "--shared", "--level", str(level), "--cases", str(cases - small), "-o", "-", "--"]
    return subprocess.run([*command, *RIGHT], check=False).returncode


if __name__ == "__main__":
    if "--cases" in sys.argv:
        sys.exit(many(int(sys.argv[sys.argv.index("--cases") + 1])))
    unittest.main()
