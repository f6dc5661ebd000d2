"""What the tests of `matchpoint validate` share: campaigns, and checks that hold for every campaign."""

import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema

sys.path.insert(0, "tests/encoders")
import ctp  # noqa: E402
from support import BUFFERINGS, DISAGREES, FAILURE, HOLDS, MATCHPOINT, SOLVER_FAILED, UNKNOWN, InFolder, run, without_progress  # noqa: E402

VALIDATOR = jsonschema.Draft202012Validator(json.loads(Path("docs/schema/validate.schema.json").read_text()))
ERRATA = Path("traces/errata")


def commands(text):
    """How many commands a program has."""
    return sum(len(thread) for thread in ctp.parse(text.encode()))


def likeliest(finding):
    """The errata of the explanations that agree with the encoder on most programs."""
    best = [e for e in finding["why"] if e["of"] - e["agrees"] == finding["why"][0]["of"] - finding["why"][0]["agrees"]]
    return {erratum for e in best for change in e["changes"] for erratum in change["errata"].split(", ") if erratum}


class Validation(InFolder):
    def validate(self, *options, encoder, output="-", **popen):
        """The checked JSON, and the exit code. Programs for single rules are included only with `--rules`, which is no
        option of `validate`."""
        options = [o for o in options if o != "--rules"] if "--rules" in options else ["--skip-rules", *options]
        result = run("validate", "--format", "json", "-o", output, *options, "--", *encoder, **popen)
        self.assertTrue(result.out, f"no JSON, exit code {result.code}; standard error says {result.err}")
        self.assertEqual(without_progress(result.error_text), "")
        document = json.loads(result.text)
        self.assertEqual([f"{e.json_path}: {e.message[:300]}" for e in VALIDATOR.iter_errors(document)], [])
        self.assertEqual(document["encoder"], [os.fsencode(word).decode(errors="replace") for word in encoder])
        self.check_sums(document, result.code)
        return document, result.code

    def check_sums(self, document, code):
        """What can be said of any campaign."""
        asked = cases = agrees = wrong = 0
        for buffering in BUFFERINGS:
            counts = document[buffering]
            answered = counts["agrees"] + counts["unsound"] + counts["incomplete"]
            self.assertLessEqual(counts["failing"] + counts["unsettled"], counts["cases"])
            self.assertLessEqual(counts["known"], counts["unsound"] + counts["incomplete"])
            self.assertLessEqual(answered + sum(counts["trouble"].values()), counts["cases"])
            self.assertEqual(answered + sum(counts["trouble"].values()) + counts["unsettled"], counts["cases"])
            if buffering not in document["bufferings"]:
                self.assertEqual(counts["cases"], 0)
            asked = max(asked, counts["cases"])
            cases, agrees, wrong = cases + counts["cases"], agrees + counts["agrees"], wrong + answered - counts["agrees"]
        self.assertEqual(sum(document["sources"].values()), document["programs"])
        self.assertEqual(sum(document["sizes"].values()), document["programs"] - len(document["unreadable"]))
        self.assertLessEqual(asked, document["programs"] - len(document["unreadable"]))
        self.assertEqual(document["complete"], document["programs"] == document["of"])
        self.assertEqual(document["disagreement"], "")
        self.assertLessEqual(len(document["findings"]), wrong)
        self.assertEqual({t["kind"] for t in document["troubles"]},
                         {kind for b in BUFFERINGS for kind in document[b]["trouble"]})
        if wrong:
            self.assertEqual(code, DISAGREES)
        elif cases and not agrees:
            self.assertEqual(code, SOLVER_FAILED)
        else:
            everything = cases == agrees and document["complete"] and cases and not document["unreadable"]
            self.assertEqual(code, HOLDS if everything else UNKNOWN)

    def is_right(self, document, code, programs):
        self.assertEqual((code, document["programs"], document["complete"]), (HOLDS, programs, True))
        for buffering in document["bufferings"]:
            counts = document[buffering]
            self.assertEqual((counts["cases"], counts["agrees"]), (programs, programs))
            self.assertGreater(counts["failing"], 0)
            self.assertLess(counts["failing"], programs)
        self.assertEqual((document["findings"], document["troubles"], document["unreadable"]), ([], [], []))


    def finding_is_whole(self, finding, buffering="infinite"):
        """The folder of a finding has what its reader needs, and what is in it is so."""
        folder = Path(finding["folder"])
        files = {"program.ctp", "smallest.ctp", "ours.smt2", "theirs.smt2", "why.txt", "again.sh"}
        incomplete = finding["kind"] == "incomplete"
        self.assertEqual({p.name for p in folder.iterdir()}, files | ({"fails.ctp"} if incomplete else set()))
        smallest = (folder / "smallest.ctp").read_text()
        self.assertEqual(smallest.split("\n", 1)[1], finding["smallest"])
        self.assertLessEqual(commands(smallest), commands((folder / "program.ctp").read_text()))
        # The machine, our problem and their problem say what the finding says: of all runs, or of the one that is
        # there.
        of_trace = len(ctp.lists(ctp.tokens(smallest.encode()))) > 1
        asked = ["run"] if of_trace else ["check", "--runs", "complete"]
        known = run(*asked, folder / "smallest.ctp", "--buffering", buffering)
        self.assertEqual(known.code == FAILURE, incomplete)
        for name, answer in (("ours.smt2", incomplete), ("theirs.smt2", not incomplete)):
            said = subprocess.run(["z3", folder / name], capture_output=True, text=True, check=False).stdout
            self.assertEqual(said, "sat\n" if answer else "unsat\n", f"{folder / name}")
        if incomplete:
            fails = run("run", folder / "fails.ctp", "--buffering", buffering)
            self.assertEqual(fails.code, FAILURE)
            self.assertTrue(fails.text.startswith("trace 1: failure"))
        why = (folder / "why.txt").read_text()
        self.assertTrue(why.startswith(f"{finding['kind']}, {buffering} buffering, found on {finding['origin']}"))
        self.assertIn(finding["smallest"], why)
        for erratum in likeliest(finding):
            self.assertRegex(why, rf"errata .*\b{erratum}\b")
        return why

    def again(self, finding, code=DISAGREES):
        """From anywhere, and as often as one likes."""
        again = subprocess.run([Path(finding["folder"]) / "again.sh"], env={**os.environ, "MATCHPOINT": MATCHPOINT},
                               cwd="/", capture_output=True, text=True, check=False)
        self.assertEqual((again.returncode, again.stderr), (code, ""))
        self.assertRegex(again.stdout, r"\A1 of 1 program asked: ")
