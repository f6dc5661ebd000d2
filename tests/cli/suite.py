#!/usr/bin/env python3
"""`matchpoint suite`: the folder that it writes, to the byte; that it leaves nothing where it cannot write; that
Matchpoint passes it; and check.py, on answers that are right, wrong and missing.
"""

import collections
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import jsonschema

from support import BAD_INPUT, BUFFERINGS, HOLDS, MATCHPOINT, OUTPUT_FAILED, STATUSES, InFolder, meaning, part, run

# The hash of all files of the suite. Increment suite::version (suite/programs.hpp) if you change the suite on purpose.
VERSION = 7
SHA256 = "b0b94f014cbb3e8ae17aaf47a271b857ae457d6530128adbb44f4003de1b896b"
# The hashes of the programs and expected results of each part, which came with these sets.
CAME_WITH = {1: 3, 2: 7, 3: 5}
PARTS = {1: "7323153be0d9097e921075ed35d7612dd9629345c52aeff41e763ef2fcd69ec9",
         2: "19620ee9042ac312ec86e51a0a0f2e9f0f18bb47d39cbefb70a387a0d957298e",
         3: "afb47474f9a5066c5b87fed21412b9e699cafe6fe0f8e19d835edab52726e74a"}

REASONS = ["not next", "nothing in transit", "no posted partner", "message not there", "send not taken", "send not issued",
           "receive not pending", "no value", "wrong sort", "division by zero", "trace used up",
           "not at barrier", "guard false"]
VERDICTS = ["violated", "safe", "vacuous"]
OF_EXECUTIONS = ("verdict", "verdict_of_complete_runs", "deadlock", "fault", "data_race", "switches", "match_pairs",
                 "match_pairs_of_executions", "match_sets", "outcomes")
SHARED = "traces-shared_memory-hybrid_receive_race"


def files(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def digest(contents):
    """Of names and contents, each with its length before it."""
    sha = hashlib.sha256()
    for name, data in sorted(contents.items()):
        for part in (name.encode(), data):
            sha.update(len(part).to_bytes(8, "big") + part)
    return sha.hexdigest()


def setUpModule():
    global FOLDER, SECONDS, SUITE, EXPECTED, PART
    place = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(place.cleanup)
    FOLDER = Path(place.name) / "suite"
    done = run("suite", FOLDER)
    assert (done.code, done.err) == (HOLDS, b""), done
    SECONDS = done.seconds
    SUITE = json.loads((FOLDER / "suite.json").read_text())
    assert done.text == (f"suite {VERSION} in {FOLDER}: {len(SUITE['programs'])} programs, {SUITE['traces']} traces of them\n")
    PART = {p["id"]: p["part"] for p in SUITE["programs"]}
    EXPECTED = {p["id"]: json.loads((FOLDER / "expected" / f"{p['id']}.json").read_text()) for p in SUITE["programs"]}


def validator(name):
    return jsonschema.Draft202012Validator(json.loads(Path(f"docs/schema/{name}.schema.json").read_text()))


class Contents(unittest.TestCase):
    def test_frozen(self):
        contents = files(FOLDER)
        self.assertEqual(SUITE["suite"], VERSION)
        self.assertEqual(digest(contents), SHA256)
        self.assertLess(SECONDS, 10)
        self.assertLess(sum(map(len, contents.values())), 8_000_000)

    def test_parts_are_frozen(self):
        """Each for itself: what a part has stays when another one comes."""
        contents = files(FOLDER)
        for part, sha in PARTS.items():
            ids = [p["id"] for p in SUITE["programs"] if p["part"] == part]
            names = [name for i in ids for name in (f"programs/{i}.ctp", f"expected/{i}.json")]
            self.assertEqual(digest({name: contents[name] for name in names}), sha, part)
        # The first part comes first.
        self.assertEqual([p["part"] for p in SUITE["programs"]], sorted(p["part"] for p in SUITE["programs"]))

    def test_parts(self):
        """The second and the third one have what the first one has not. Places are in both."""
        of_mpi = re.compile(r"\((?:from|tag|source|tagged|barrier|ssndi|bsndi) ")
        for p in SUITE["programs"]:
            lines = (FOLDER / "programs" / f"{p['id']}.ctp").read_text().split("\n")
            text = "\n".join(line.split(";")[0] for line in lines)
            self.assertEqual("(shared " in text, p["part"] == 3, p["id"])
            if p["part"] == 2:
                self.assertTrue(of_mpi.search(text) or "(at " in text, p["id"])
            else:
                self.assertFalse(of_mpi.search(text), p["id"])
                self.assertFalse("(at " in text and p["part"] == 1, p["id"])

    def test_files(self):
        """Those that the index has, and no others."""
        ids = [p["id"] for p in SUITE["programs"]]
        self.assertEqual(len(set(ids)), len(ids))
        self.assertEqual(set(files(FOLDER)),
                         {"README.md", "check.py", "suite.json", "suite.schema.json", "expected.schema.json",
                          *(f"programs/{i}.ctp" for i in ids), *(f"expected/{i}.json" for i in ids)})
        for name, source in (("README.md", "suite/README.md"), ("check.py", "suite/check.py"),
                             ("suite.schema.json", "docs/schema/suite.schema.json"),
                             ("expected.schema.json", "docs/schema/suite_expected.schema.json")):
            self.assertEqual((FOLDER / name).read_bytes(), Path(source).read_bytes())
        self.assertTrue(os.access(FOLDER / "check.py", os.X_OK))

    def test_schemas(self):
        validator("suite").validate(SUITE)
        of_program = validator("suite_expected")
        for schema in (validator("suite").schema, of_program.schema):
            jsonschema.Draft202012Validator.check_schema(schema)
        for name, document in EXPECTED.items():
            of_program.validate(document)
            self.assertEqual((document["id"], document["suite"], document["schema"]["version"]),
                             (name, CAME_WITH[PART[name]], PART[name]))

    def test_schema_is_strict(self):
        """No field can be missing, and none be added."""
        def changed(value, free=False):
            if isinstance(value, dict):
                for key in list(value):
                    yield from ({**value, key: item}
                                for item in changed(value[key], key in free_keys))
                    if not free:
                        yield {k: v for k, v in value.items() if k != key}
                if not free:
                    yield {**value, "more": 1}
            elif isinstance(value, list):
                for i, item in enumerate(value):
                    yield from (value[:i] + [other] + value[i + 1:] for other in changed(item))

        free_keys = ("matches", "store", "match_pairs", "match_pairs_of_executions", "reads")
        for name in ("traces-figure1", "traces-stuck_message_not_there", "traces-shared_memory-hybrid_receive_race"):
            wrong = [v for v in changed(EXPECTED[name]) if validator("suite_expected").is_valid(v)]
            self.assertEqual(wrong, [])

    def test_no_path_of_this_machine(self):
        here = str(Path.cwd()).encode()
        for name, data in files(FOLDER).items():
            self.assertNotIn(here, data, name)

    def test_hand_written(self):
        listed = [name for kind in ("", "_of_mpi", "_of_shared_memory") for name in Path(f"suite/hand_written{kind}.txt").read_text().split()]
        # ID=file: a program that has changed in traces/ since.
        sources = dict(line.split("=") if "=" in line else (line, line) for line in listed)
        self.assertEqual([p["origin"] for p in SUITE["programs"] if p["origin"].endswith(".ctp")], list(sources))
        for name, source in sources.items():
            copy = FOLDER / "programs" / name.replace("suite/programs", "written").replace("/", "-")
            self.assertEqual(copy.read_bytes(), Path(source).read_bytes())

    def test_everything_is_there(self):
        """Every way to end, every reason, every verdict, often enough."""
        seen = collections.Counter()
        for document in EXPECTED.values():
            for buffering in BUFFERINGS:
                for trace in document[buffering]["traces"]:
                    seen[buffering, trace["status"], trace["well_formed"]] += 1
                    if trace["error"]:
                        seen[trace["error"]["reason"]] += 1
                executions = document[buffering]["executions"]
                if executions is None:
                    seen["not for executions"] += 1
                    continue
                seen[buffering, executions["verdict"]] += 1
                for what in ("deadlock", "fault"):
                    seen[buffering, what] += executions[what]
                seen[buffering, "several match sets"] += len(executions.get("match_sets", [])) > 1
        for buffering in BUFFERINGS:
            for status in STATUSES[:3]:
                self.assertGreater(seen[buffering, status, True], 50, (buffering, status))
                self.assertGreater(seen[buffering, status, False], 5, (buffering, status))
            self.assertGreater(seen[buffering, "error", False], 500)
            for what in (*VERDICTS, "deadlock", "fault", "several match sets"):
                self.assertGreater(seen[buffering, what], 20, (buffering, what))
        for reason in REASONS:
            self.assertGreater(seen[reason], 0, reason)
        self.assertGreater(seen["not for executions"], 10)

    def test_everything_of_the_second_part_is_there(self):
        seen = collections.Counter()
        for p in SUITE["programs"]:
            if p["part"] != 2:
                continue
            text = (FOLDER / "programs" / f"{p['id']}.ctp").read_text()
            for what in ("(from ", "(tag ", "(source ", "(tagged ", "(ssndi ", "(bsndi ", "(barrier "):
                seen[what] += what in text
            for buffering in BUFFERINGS:
                for trace in EXPECTED[p["id"]][buffering]["traces"]:
                    seen[buffering, trace["error"]["reason"] if trace["error"] else trace["status"]] += 1
                executions = EXPECTED[p["id"]][buffering]["executions"]
                if executions is not None:
                    seen[buffering, executions["verdict"]] += 1
                    seen[buffering, "deadlock"] += executions["deadlock"]
                    seen[buffering, "several match sets"] += len(executions["match_sets"]) > 1
        for what in ("(from ", "(tag ", "(source ", "(tagged ", "(ssndi ", "(bsndi ", "(barrier "):
            self.assertGreater(seen[what], 30, what)
        for buffering in BUFFERINGS:
            for what in (*STATUSES[:3], *VERDICTS, "deadlock", "several match sets", "not at barrier", "message not there"):
                self.assertGreater(seen[buffering, what], 50, (buffering, what))
            self.assertGreater(seen[buffering, "send not taken"], 10)

    def test_everything_of_the_third_part_is_there(self):
        seen = collections.Counter()
        for name, document in EXPECTED.items():
            if PART[name] != 3:
                continue
            text = (FOLDER / "programs" / f"{name}.ctp").read_text()
            for what in ("(when ", "(assume ", "(rcvi "):
                seen[what] += what in text
            for buffering in BUFFERINGS:
                for trace in document[buffering]["traces"]:
                    seen[buffering, trace["error"]["reason"] if trace["error"] else trace["status"]] += 1
                executions = document[buffering]["executions"]
                outcomes = executions["outcomes"]
                self.assertLessEqual(len(outcomes), 40)
                of_match_set = collections.defaultdict(set)
                for outcome in outcomes:
                    of_match_set[json.dumps(outcome["matches"])].add(outcome["status"])
                seen[buffering, executions["verdict"]] += 1
                seen["switches", executions["switches"]] += 1
                for what, is_so in (
                        ("deadlock", executions["deadlock"]), ("data_race", executions["data_race"]),
                        ("no data_race", not executions["data_race"]), ("several outcomes", len(outcomes) > 1),
                        ("two statuses of one match set", any(len(s) > 1 for s in of_match_set.values())),
                        ("two verdicts", executions["verdict"] != executions["verdict_of_complete_runs"]),
                        ("other pairs", executions["match_pairs"] != executions["match_pairs_of_executions"])):
                    seen[buffering, what] += is_so
                seen["fault"] += executions["fault"]
        for what in ("(when ", "(assume ", "(rcvi "):
            self.assertGreater(seen[what], 50, what)
        for buffering in BUFFERINGS:
            for what in (*STATUSES[:3], *VERDICTS, "deadlock", "data_race", "no data_race", "several outcomes", "guard false",
                         "two statuses of one match set", "two verdicts", "other pairs"):
                self.assertGreater(seen[buffering, what], 15, (buffering, what))
        for switches in range(4):
            self.assertGreater(seen["switches", switches], 10, switches)
        self.assertGreater(seen["fault"], 5)

    def test_documented(self):
        """The numbers in docs/suite.md; the programs and fields that the README shows."""
        page = Path("docs/suite.md").read_text()
        kinds = collections.Counter((re.match(r"[a-z]+", p["id"])[0], str(p["part"])) for p in SUITE["programs"])
        self.assertEqual({(kind, part): int(n)
                          for kind, part, n in re.findall(r"^\| `([a-z]+)-.*?` \| (\d) \| (\d+) \|", page, re.MULTILINE)}, kinds)
        seen = collections.Counter()
        for name, document in EXPECTED.items():
            for buffering in BUFFERINGS:
                seen.update((PART[name], buffering, trace["status"]) for trace in document[buffering]["traces"])
                if document[buffering]["executions"]:
                    seen[PART[name], buffering, document[buffering]["executions"]["verdict"]] += 1
        for what in (*STATUSES, *VERDICTS):
            cells = [what, *(str(seen[part, buffering, what]) for part in PARTS for buffering in BUFFERINGS)]
            self.assertIn(f"| {' | '.join(cells)} |", page)
        shown = EXPECTED["traces-figure1"]["infinite"]
        readme = (FOLDER / "README.md").read_text()
        self.assertIn(json.dumps(shown["executions"]["match_pairs"]), readme)
        for match_set in shown["executions"]["match_sets"]:
            self.assertIn(json.dumps(match_set), readme)
        shown = EXPECTED["traces-shared_memory-hybrid_receive_race"]["infinite"]["executions"]
        for field, value in shown.items():
            for part in value if field == "outcomes" else [{field: value}]:
                self.assertIn(json.dumps(part).strip("{}"), readme)
        for reason in REASONS:
            self.assertIn(f"`{reason}`", re.sub(r"`wrong\s+sort`", "`wrong sort`", readme))


class Written(InFolder):
    def left(self):
        return sorted(path.name for path in self.folder.iterdir())

    def test_what_is_there_stays(self):
        (self.folder / "full").mkdir()
        self.write("mine", "full/file")
        self.write("mine", "file")
        for name in ("full", "file"):
            self.refused("suite", self.folder / name, saying="exists already, and is not an empty folder")
        self.assertEqual(self.left(), ["file", "full"])
        self.assertEqual((self.folder / "full/file").read_text(), "mine")

    def test_empty_folder_and_link(self):
        (self.folder / "empty").mkdir()
        (self.folder / "link").symlink_to("empty")
        done = run("suite", f"{self.folder}/link/")
        self.assertEqual((done.code, done.err), (HOLDS, b""))
        self.assertEqual(self.left(), ["empty", "link"])
        self.assertTrue((self.folder / "link").is_symlink())
        self.assertEqual(digest(files(self.folder / "empty")), digest(files(FOLDER)))
        self.assertEqual((self.folder / "empty").stat().st_mode & 0o777, 0o777 & ~self.umask())

    def umask(self):
        mask = os.umask(0)
        os.umask(mask)
        return mask

    def test_nothing_is_left(self):
        done = run("suite", self.folder / "nowhere" / "suite")
        self.assertEqual((done.code, done.out), (OUTPUT_FAILED, b""))
        self.assertIn("No such file or directory", done.error_text)
        # A disk that is full, or rather a file that may not be large.
        done = subprocess.run(["sh", "-c", 'ulimit -f 8; trap "" XFSZ; exec "$0" suite "$1"', MATCHPOINT, self.folder / "suite"],
                              capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (OUTPUT_FAILED, b""))
        self.assertIn(b"cannot write", done.stderr)
        self.assertEqual(self.left(), [])

    def test_usage(self):
        self.refused("suite", saying="DIR")
        self.refused("suite", "a", "b")


class Checked(InFolder):
    """check.py."""

    def check(self, *arguments, **options):
        return subprocess.run([sys.executable, FOLDER / "check.py", *map(str, arguments)], capture_output=True, text=True,
                              check=False, **options)

    def answers(self, lines):
        return self.write("".join(json.dumps(line) + "\n" for line in lines), "answers")

    def expected(self, fields=("status", *OF_EXECUTIONS)):
        """All right answers, of these fields."""
        for name, document in EXPECTED.items():
            for buffering in BUFFERINGS:
                about = {"id": name, "buffering": buffering}
                for number, trace in enumerate(document[buffering]["traces"], 1):
                    yield {**about, "trace": number, **{k: v for k, v in trace.items() if k in fields}}
                if document[buffering]["executions"]:
                    yield {**about, **{k: v for k, v in document[buffering]["executions"].items() if k in fields}}

    def test_right(self):
        done = self.check("--answers", self.answers(self.expected()))
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout[:1000])
        self.assertRegex(done.stdout, r"(?m)^status: \d{4,} right, 0 wrong, 0 missing$")
        self.assertRegex(done.stdout, r"(?m)^match_sets: \d{4} right, 0 wrong, 0 missing$")
        self.assertRegex(done.stdout, r"(?m)^outcomes: 388 right, 0 wrong, 0 missing$")

    def test_every_field(self):
        """One wrong answer is found, whatever it is about."""
        outcome, other_outcome = EXPECTED[SHARED]["infinite"]["executions"]["outcomes"]
        for name, field, other in (
                ("traces-figure1", "status", "infeasible"), ("traces-figure1", "well_formed", False),
                ("traces-figure1", "matches", {}), ("traces-figure1", "store", {}), ("traces-figure1", "steps", 1),
                ("traces-figure1", "error", {"entry": 0}), ("traces-figure1", "verdict", "safe"),
                ("traces-figure1", "verdict", "unsat"), ("traces-figure1", "deadlock", True),
                ("traces-figure1", "fault", 0), ("traces-figure1", "match_pairs", {"R2": ["S4"]}),
                ("traces-figure1", "match_sets", []), ("traces-figure1", "match_sets", 7),
                ("traces-figure1", "match_sets", [{"matches": {"R2": "S4", "R5": "S5", "R3": "S6"}}]),
                ("traces-stuck_message_not_there", "error", {"reason": "not next"}),
                (SHARED, "verdict", "safe"), (SHARED, "verdict_of_complete_runs", "vacuous"), (SHARED, "data_race", False),
                (SHARED, "switches", 1), (SHARED, "switches", None), (SHARED, "match_pairs_of_executions", {}),
                (SHARED, "outcomes", []), (SHARED, "outcomes", [outcome]), (SHARED, "outcomes", [outcome, outcome]),
                (SHARED, "outcomes", [outcome, {**other_outcome, "status": "failure"}]),
                (SHARED, "outcomes", [outcome, {**other_outcome, "reads": {"b1": {"x": "a1"}}}]),
                (SHARED, "outcomes", [outcome, {**other_outcome, "reads": {}}]),
                (SHARED, "outcomes", [{"matches": outcome["matches"]}, {"matches": outcome["matches"]}]),
                ("traces-shared_memory-mutex", "switches", 0)):
            with self.subTest(field=field, other=other):
                of_trace = field not in OF_EXECUTIONS
                answer = {"id": name, "buffering": "infinite", field: other, **({"trace": 1} if of_trace else {})}
                done = self.check("--only", name, "--answers", self.answers([answer]))
                self.assertEqual(done.returncode, 1, done.stdout)
                self.assertIn(f"{name}, infinite{', trace 1' if of_trace else ''}: {field} is {json.dumps(other)}, and should be",
                              done.stdout)
                self.assertIn(f"{field}: 0 right, 1 wrong, ", done.stdout)

    def test_other_forms_of_right(self):
        about = {"id": "traces-figure1", "buffering": "infinite"}
        sets = EXPECTED["traces-figure1"]["infinite"]["executions"]["match_sets"]
        for answer in ({"verdict": "sat"}, {"match_sets": sets[::-1]},
                       {"match_sets": [{"matches": m["matches"]} for m in sets]},
                       {"match_pairs": {"R5": ["S4", "S5"], "R2": ["S4", "S5"], "R3": ["S6"], "R9": []}},
                       {"verdict": "violated", "and": ["more"]}):
            done = self.check("--only", "traces-figure1", "--buffering", "infinite", "--answers",
                              self.answers([{**about, **answer}]))
            self.assertEqual(done.returncode, 0, done.stdout)

    def test_other_forms_of_right_outcomes(self):
        outcomes = EXPECTED[SHARED]["infinite"]["executions"]["outcomes"]
        without_status = [{"matches": o["matches"], "reads": o["reads"]} for o in outcomes]
        more_reads = [{**o, "reads": {**o["reads"], "a1": {}}} for o in outcomes]
        for name, answer in ((SHARED, {"outcomes": outcomes[::-1]}), (SHARED, {"outcomes": without_status}),
                             (SHARED, {"outcomes": more_reads}), (SHARED, {"verdict_of_complete_runs": "sat"}),
                             (SHARED, {"verdict": "violated", "switches": "unknown", "match_sets": []}),
                             ("traces-shared_memory-mutex", {"switches": None})):
            done = self.check("--only", name, "--buffering", "infinite", "--answers",
                              self.answers([{"id": name, "buffering": "infinite", **answer}]))
            self.assertEqual(done.returncode, 0, done.stdout)

    def test_part(self):
        """Who knows the first part only is right with it, and misses the second."""
        first = self.answers(line for line in self.expected(("status", "verdict")) if PART[line["id"]] == 1)
        self.assertEqual(self.check("--answers", first).returncode, 3)
        done = self.check("--part", "1", "--answers", first)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout[:1000])
        self.assertEqual(self.check("--part", "2", "--answers", first).returncode, 3)
        self.assertEqual(self.check("--part", "2", "--only", "small-mpi-*", "--answers", self.answers(self.expected())).returncode, 0)
        self.assertEqual(self.check("--part", "3", "--answers", self.answers(self.expected())).returncode, 0)
        self.assertEqual(self.check("--part", "4", "--answers", first).returncode, 2)

    def test_missing(self):
        lines = list(self.expected())
        done = self.check("--answers", self.answers(lines[:-1]))
        self.assertEqual(done.returncode, 3)
        unknown = [{**line, "verdict": "unknown"} for line in self.expected(("verdict",)) if "verdict" in line]
        done = self.check("--answers", self.answers(unknown))
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stdout, r"(?m)^verdict: 0 right, 0 wrong, \d{4} missing$")
        self.assertEqual(self.check("--answers", self.write("", "none")).returncode, 3)

    def test_usage(self):
        for arguments in ([], ["--answers"], ["--command", "a", "--answers", "b"], ["--answers", self.folder / "nothing"],
                          ["--command", "nothing-of-this-name"]):
            self.assertEqual(self.check(*arguments).returncode, 2, arguments)
        done = self.check("--answers", self.write("{}\n", "answers"))
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("line 1 is no answer", done.stderr)

    def test_commands(self):
        """Words and objects that a command prints; what else it prints is no answer."""
        def said(text, *arguments, only="traces-figure1"):
            return self.check("--only", only, *arguments, "--command", f"sh -c 'echo \"$1\"' sh '{text}'")
        self.assertEqual(said("violated", "--buffering", "infinite").returncode, 0)
        self.assertEqual(said("violated").returncode, 1)
        self.assertEqual(said("nonsense").returncode, 3)
        self.assertEqual(said("[1]").returncode, 3)
        self.assertEqual(said('{"verdict": "safe"}', "--buffering", "zero").returncode, 0)
        self.assertIn("none after 0.5 seconds", self.check("--only", "traces-figure1", "--time", "0.5", "--command", "sleep 5").stdout)

    def test_an_encoder_with_a_solver(self):
        command = f"sh -c '{MATCHPOINT} encode \"$0\" --buffering $1 | z3 -in' {{ctp}} {{buffering}}"
        done = self.check("--only", "small-00002*", "--jobs", "2", "--command", command)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_an_explorer_in_python(self):
        """Another implementation, which shares nothing with ours."""
        command = f"sh -c '{sys.executable} tests/encoders/explorer.py $1 < $0' {{ctp}} {{buffering}}"
        done = self.check("--only", "small-0000[0-4]*", "--jobs", "2", "--command", command)
        self.assertEqual(done.returncode, 0, done.stdout)


class Matchpoint(InFolder):
    """What the binary says of the programs is what the suite says: one program in so many."""
    EVERY = 12

    def test_run(self):
        for name in part(EXPECTED, self.EVERY):
            for buffering in BUFFERINGS:
                should = EXPECTED[name][buffering]["traces"]
                if not should:
                    continue
                done = json.loads(run("run", FOLDER / "programs" / f"{name}.ctp", "--buffering", buffering, "--format", "json").text)
                is_ = [{"status": t["status"], "well_formed": t["well_formed"], "steps": t["steps"],
                        "matches": {m["receive"]: m["send"] for m in t["matches"]}, "store": t["store"],
                        "error": t["error"] and {k: t["error"][k] for k in ("entry", "location", "reason")}}
                       for t in done["traces"]]
                self.assertEqual(is_, should, (name, buffering))

    def test_explore_and_pairs(self):
        for name in part(EXPECTED, self.EVERY):
            for buffering in BUFFERINGS:
                should = EXPECTED[name][buffering]["executions"]
                path = FOLDER / "programs" / f"{name}.ctp"
                if should is None:
                    self.assertEqual(run("explore", path).code, BAD_INPUT)
                    continue
                if PART[name] == 3:
                    self.compare_shared(path, buffering, should)
                    continue
                done = json.loads(run("explore", path, "--buffering", buffering, "--format", "json").text)
                self.assertEqual([meaning(done["verdict"]), done["deadlock"] == "yes", done["fault"] == "yes"],
                                 [should["verdict"], should["deadlock"], should["fault"]])
                sets = [{"status": e["status"], "matches": {m["receive"]: m["send"] for m in e["matches"]}}
                        for e in done["executions"] if e["status"] in STATUSES]
                def order(match_set):
                    return sorted(match_set["matches"].items())
                self.assertEqual(sorted(sets, key=order), sorted(should["match_sets"], key=order))
                exact = json.loads(run("pairs", path, "--buffering", buffering, "--method", "exact", "--format", "json").text)
                pairs = {receive: [] for receive in should["match_pairs"]}
                for pair in exact["pairs"]:
                    pairs[pair["receive"]].append(pair["send"])
                self.assertEqual(pairs, should["match_pairs"])

    def compare_shared(self, path, buffering, should):
        done = json.loads(run("explore", path, "--buffering", buffering, "--format", "json").text)
        self.assertEqual([meaning(done["verdict"]), meaning(done["verdict_of_complete_runs"]), done["deadlock"] == "yes", done["fault"] == "yes"],
                         [should[field] for field in ("verdict", "verdict_of_complete_runs", "deadlock", "fault")])
        outcomes = []  # of several classes they may be the same
        for execution in done["executions"]:
            if execution["end"] != "complete":
                continue
            reads = collections.defaultdict(dict)
            for read in execution["reads"]:
                reads[read["command"]][read["variable"]] = read["from"]
            outcome = {"status": execution["status"], "matches": {m["receive"]: m["send"] for m in execution["matches"]},
                       "reads": reads}
            if outcome not in outcomes:
                outcomes.append(outcome)
        def order(outcome):
            return json.dumps(outcome, sort_keys=True)
        self.assertEqual(sorted(outcomes, key=order), sorted(should["outcomes"], key=order))
        pairs = {receive: [] for receive in should["match_pairs_of_executions"]}
        for pair in done["pairs"]:
            pairs[pair["receive"]].append(pair["send"])
        self.assertEqual(pairs, should["match_pairs_of_executions"])
        done = json.loads(run("check", path, "--buffering", buffering, "--switches", "--format", "json").text)["results"][0]
        self.assertEqual([meaning(done["verdict"]), done["data_race"]["answer"] == "yes"], [should["verdict"], should["data_race"]])
        switches = (done.get("context_switches") or {}).get("most")
        self.assertEqual(switches, should["switches"])


if __name__ == "__main__":
    unittest.main()
