#!/usr/bin/env python3
"""`slice`: the verdict stays, under both bufferings, and traces still run; what is printed is a program, its own slice."""

import json
import unittest
from pathlib import Path

from support import BAD_INPUT, BUFFERINGS, HOLDS, InFolder, run

ACCOUNT = "traces/shared_memory/account.ctp"


class Slice(InFolder):
    def sliced(self, path):
        result = run("slice", path)
        self.assertEqual(result.code, HOLDS, result.error_text)
        return result.text

    def answers(self, path, buffering):
        result = json.loads(run("check", path, "--buffering", buffering, "--format", "json").text)["results"][0]
        return result["verdict"], result["deadlock"]["answer"], result["fault"]["answer"], result.get("leaves_path", {}).get("answer")

    def test_answers_stay(self):
        gone = 0
        for path in sorted([*Path("traces").glob("*.ctp"), *Path("traces/shared_memory").glob("*.ctp")]):
            if run("slice", path).code == BAD_INPUT:  # it breaks a rule on purpose
                self.assertEqual(run("check", path).code, BAD_INPUT)
                continue
            with self.subTest(path=path):
                text = self.sliced(path)
                file = self.write(text, "slice.ctp")
                self.assertEqual(self.sliced(file), text)
                counts = json.loads(run("slice", path, "--statistics", "--format", "json").text)
                if counts["commands"] == counts["commands_left"] and not counts["payloads"] and not counts["assignments"]:
                    continue
                gone += 1
                for buffering in BUFFERINGS:
                    self.assertEqual(self.answers(file, buffering), self.answers(path, buffering))
                before, after = ([t["status"] for t in json.loads(run("run", p, "--format", "json").text)["traces"]] for p in (path, file))
                # What is wrong with a trace can be in a part that is gone.
                self.assertEqual([s for s, b in zip(after, before, strict=True) if b != "error"], [b for b in before if b != "error"])
        self.assertGreater(gone, 10)

    def test_output(self):
        out = self.folder / "out.ctp"
        self.assertEqual(run("slice", ACCOUNT, "-o", out).code, HOLDS)
        self.assertEqual(out.read_text(), self.sliced(ACCOUNT))
        self.assertTrue(out.read_text().startswith(Path(ACCOUNT).read_text().partition("\n")[0] + "\n"))

    def test_statistics(self):
        path = self.write("(([0 (x := 1)] [1 (assume true)] [2 (rcvi r 0 y)] [3 (wait r)]) ([4 (sndi s 1 0 7)]))")
        text = run("slice", path, "--statistics").text
        self.assertRegex(text, r"\Acommands: 3 of 5 are left\n"
                               r"gone: 1 assignment, 1 assumption that is always true, 0 shared variables\n"
                               r"payloads that are 0 or false now: 1\nseconds: \d+\.\d{6}\n\Z")

    def test_usage(self):
        self.assertIn("--format json is for --statistics", run("slice", ACCOUNT, "--format", "json").error_text)
        broken = self.write("(([0 (assert (= x 1))]))", "broken.ctp")
        result = run("slice", broken)
        self.assertEqual((result.code, result.text), (BAD_INPUT, ""))
        self.assertIn("error[D5]", result.error_text)


if __name__ == "__main__":
    unittest.main()
