#!/usr/bin/env python3
"""What `matchpoint mpi` finds beside failures and deadlocks: each kind at its line and rank, and none in programs that are right."""

import json
import os
import re
import unittest
from pathlib import Path

import jsonschema

from mpi import LIBRARIES, compiled, launcher, libraries
from support import ERROR, FAILURE, HOLDS, OUTPUT_FAILED, UNKNOWN, InFolder, run

SOURCE = Path("tests/mpi/findings.c")
KINDS = ("argument", "unfinished-request", "freed-request", "never-started", "persistent-leak", "communicator-leak", "group-leak", "type-leak",
         "operation-leak", "window-leak", "unreceived-message", "type-mismatch", "count-mismatch", "truncation", "buffer-changed", "buffer-overlap",
         "collective-mismatch", "ready-send")
MARK = re.compile(r"// ([a-z-]+)((?: \d)+)$")
RANKS = {"predicted": 3, "probed": 3}


def expected(scene):
    """(kind, line, rank) of the mistakes of a scene: of its functions, which are called as it is."""
    functions = {"own": ("requests", "leaks", "matches", "buffers", "collective_buffers"), "dies": ("main",)}.get(scene, (scene,))
    found, function = set(), None
    for number, line in enumerate(SOURCE.read_text().splitlines(), 1):
        if begins := re.match(r"[\w ]+ (\w+)\(.*\) \{$", line):
            function = begins[1]
        if function in functions:
            found |= {(kind, number, int(rank)) for kind, ranks in MARK.findall(line) for rank in ranks.split()}
    return found


def findings(file):
    report = json.loads(Path(file).read_text())
    jsonschema.Draft202012Validator(json.loads(Path("docs/schema/mpi-findings.schema.json").read_text())).validate(report)
    return report["findings"]


def places(found):
    return {(f["kind"], f["place"]["line"], f["rank"]) for f in found}


class Findings(InFolder):
    def record(self, library, scene, wrong, *options):
        program = compiled(library, SOURCE, self.folder)
        return run("mpi", "record", "-o", self.folder / "run.ctp", "--timeout", "60", *options, "--findings", self.folder / "found.json", "--",
                   *launcher(library, RANKS.get(scene, 2)), program, scene, str(wrong))

    def test_every_kind_has_a_program(self):
        all_of_them = set.union(*(expected(scene) for scene in ("own", "windows", "arguments", "predicted", "collectives", "carried", "ready", "dies")))
        self.assertEqual({kind for kind, _, _ in all_of_them}, set(KINDS))

    def test_own(self):
        """What ranks see, and recorded matches. Nothing is said of the repaired twin, and only --strict changes the exit code."""
        for library in LIBRARIES:
            with self.subTest(library=library):
                result = self.record(library, "own", 1)
                self.assertEqual(result.code, UNKNOWN, result.error_text)  # freed while it was active: the recording is incomplete
                found = findings(self.folder / "found.json")
                self.assertEqual(places(found), expected("own"), result.error_text)
                self.assertFalse([f for f in found if f["predicted"]])
                self.assertIn(f"finding: {SOURCE}:", result.error_text)
                merged = self.record(library, "own", 0, "--strict")
                self.assertEqual(merged.code, HOLDS, merged.error_text)
                self.assertEqual(findings(self.folder / "found.json"), [])
                self.assertNotIn("finding:", merged.error_text)

    def test_scenes(self):
        for scene in ("windows", "arguments", "parts", "collectives", "carried", "ready", "predicted"):
            for library in libraries(scene):
                with self.subTest(library=library, scene=scene):
                    result = self.record(library, scene, 1, "--strict")
                    if scene != "windows":  # MPICH can end a program that leaves a window
                        self.assertEqual(result.code, ERROR, result.error_text)
                    found = findings(self.folder / "found.json")
                    self.assertEqual({f["predicted"] for f in found}, {scene == "predicted"})
                    self.assertEqual(places(found), expected(scene))
                    self.assertEqual(self.record(library, scene, 0, "--strict").code, HOLDS)
                    self.assertEqual(findings(self.folder / "found.json"), [])

    def test_topologies(self):
        """Open MPI makes a communicator of ranks that the old one has not, which nobody frees: only arguments count."""
        for library in LIBRARIES:
            with self.subTest(library=library):
                self.record(library, "topologies", 1)
                found = {place for place in places(findings(self.folder / "found.json")) if place[0] == "argument"}
                self.assertEqual(found, expected("topologies"))
                repaired = self.record(library, "topologies", 0, "--strict")
                self.assertEqual(repaired.code, HOLDS, repaired.error_text)
                self.assertEqual(findings(self.folder / "found.json"), [])

    def test_dies(self):
        """The library ends the program for a wrong rank: the call is named all the same."""
        for library in LIBRARIES:
            with self.subTest(library=library):
                result = self.record(library, "dies", 1, "--strict")
                self.assertEqual(result.code, FAILURE, result.error_text)
                self.assertEqual(places(findings(self.folder / "found.json")), expected("dies"))
                self.assertIn("MPI_Send: its destination is 9, and its communicator has the ranks 0 to 1 [argument]\n", result.error_text)

    def test_libraries_crash(self):
        """Libraries return an error, or crash. The call is named, and the recorder is not blamed."""
        for scene in ("translates", "frees_operation", "frees_type", "frees_communicator"):
            for library in LIBRARIES:
                with self.subTest(library=library, scene=scene):
                    result = self.record(library, scene, 1, "--strict")
                    self.assertIn(result.code, (ERROR, FAILURE), result.error_text)
                    self.assertEqual(places(findings(self.folder / "found.json")), expected(scene), result.error_text)
                    self.assertEqual(self.record(library, scene, 0, "--strict").code, HOLDS)
                    self.assertEqual(findings(self.folder / "found.json"), [])

    def test_verify(self):
        """Findings of all runs, once; what was predicted and happened is no longer predicted. As SARIF, and in a file of another kind not."""
        library = LIBRARIES[-1]
        program, file = compiled(library, SOURCE, self.folder), self.folder / "found.sarif"
        verify = ("mpi", "verify", "--timeout", "60", "--findings", file)
        result = run(*verify, "--strict", "--", *launcher(library, 3), program, "predicted", "1")
        self.assertEqual(result.code, ERROR, result.text + result.error_text)
        self.assertEqual(len(re.findall("^finding: .* rank 0: .*type-mismatch", result.text, re.MULTILINE)), 2, result.text)
        self.assertNotIn("predicted]", result.text)
        self.assertIn("\n2 findings; no failure and no deadlock: all 2 message orders were run\nfinding: ", result.text)
        sarif = json.loads(file.read_text())
        jsonschema.Draft202012Validator(json.loads(Path("docs/schema/sarif.schema.json").read_text())).validate(sarif)
        self.assertEqual({(r["ruleId"], r["locations"][0]["physicalLocation"]["region"]["startLine"], 0) for r in sarif["runs"][0]["results"]},
                         expected("predicted"))
        for line in re.findall("^finding: .*$", result.text, re.MULTILINE):
            self.assertIn(line, Path("README.md").read_text())
        self.assertEqual(run(*verify, "--", *launcher(library, 3), program, "predicted", "0").code, HOLDS)
        file.write_text("int main(void) { return 0; }\n")
        self.assertEqual(run(*verify, "--", *launcher(library, 3), program, "predicted", "0").code, OUTPUT_FAILED)
        self.assertTrue(file.read_text().startswith("int main"))

    def test_a_receive_follows_its_probe(self):
        """Nothing is predicted of a receive whose type and length may come from the probe. What happens is found in a run."""
        library = libraries("probed")[0]
        program = compiled(library, SOURCE, self.folder)
        recorded = self.record(library, "probed", 0, "--strict")
        self.assertEqual(recorded.code, HOLDS, recorded.error_text)
        verify = ("mpi", "verify", "--strict", "--timeout", "60", "--findings", self.folder / "found.json", "--", *launcher(library, 3), program)
        result = run(*verify, "probed", "0")
        self.assertEqual(result.code, HOLDS, result.text + result.error_text)
        result = run(*verify, "probed", "1")
        self.assertNotEqual(result.code, HOLDS, result.text + result.error_text)
        found = findings(self.folder / "found.json")
        self.assertEqual(places(found), expected("probed"))
        self.assertFalse(found[0]["predicted"])

    def test_a_truncation_ends_a_run(self):
        """The run had it, so it is not predicted. What another run refutes, as the receive had room there, is gone."""
        for library in LIBRARIES:
            with self.subTest(library=library):
                program = compiled(library, SOURCE, self.folder)
                result = run("mpi", "verify", "--timeout", "60", "--findings", self.folder / "found.json", "--", *launcher(library, 3), program,
                             "sized", "1")
                self.assertEqual(result.code, FAILURE, result.text + result.error_text)
                found = findings(self.folder / "found.json")
                self.assertEqual(places(found), expected("sized"), result.text)
                self.assertEqual([(f["predicted"], f["other"]["rank"]) for f in found], [(False, 1), (False, 2)], result.text)
                self.assertRegex(result.text, "its receive of 1 MPI_INT gets a message of rank 2 with 3 MPI_INT, which is too long")


if __name__ == "__main__":
    unittest.main()
