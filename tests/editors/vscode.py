#!/usr/bin/env python3
"""The extension for Visual Studio Code in editors/vscode: its files fit together, and to the language and the binary.

    tests/editors/vscode.py                      without an editor; parts need Node.js, and are skipped without it
    tests/editors/vscode.py --npm MODULES        also: vscode-textmate finds the same tokens as this script does, and the
                                                 client that debug adapters are tested with gets along with ours (npm
                                                 install vscode-textmate vscode-oniguruma @vscode/debugadapter-testsupport;
                                                 MODULES is node_modules)
"""

import json
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "cli"))
from support import HOLDS, MATCHPOINT, InFolder, programs, run  # noqa: E402

FOLDER = Path("editors/vscode")
PACKAGE = json.loads((FOLDER / "package.json").read_text())
CONTRIBUTES = PACKAGE["contributes"]
GRAMMAR = json.loads((FOLDER / "syntaxes/ctp.tmLanguage.json").read_text())
LAUNCH = CONTRIBUTES["debuggers"][0]["configurationAttributes"]["launch"]["properties"]
HERE = Path(__file__).resolve().parent
MODULES = None


def rules(patterns=GRAMMAR["patterns"]):
    """The `match` rules of the grammar, in order; it has no others."""
    for pattern in patterns:
        if "include" in pattern:
            yield from rules([GRAMMAR["repository"][pattern["include"].removeprefix("#")]])
        elif "patterns" in pattern:
            yield from rules(pattern["patterns"])
        else:
            assert set(pattern) <= {"name", "match", "captures", "comment"}, pattern
            yield re.compile(pattern["match"]), pattern


RULES = list(rules())


def tokens(line):
    """(begin, end, scope) of a line, as TextMate has it: the first match counts, of several the rule that comes first."""
    result, at = [], 0
    while at < len(line):
        found = [(match.start(), number, match, rule) for number, (regex, rule) in enumerate(RULES)
                 if (match := regex.search(line, at))]
        if not found:
            break
        _, _, match, rule = min(found, key=lambda f: f[:2])
        assert match.end() > at, (line, rule)
        if "name" in rule:
            result.append((match.start(), match.end(), rule["name"]))
        for group, capture in rule.get("captures", {}).items():
            if match[int(group)]:
                result.append((*match.span(int(group)), capture["name"]))
        at = match.end()
    return result


def words(line):
    """(text, the first two parts of the scope), without brackets."""
    return [(line[begin:end], ".".join(scope.split(".")[:2])) for begin, end, scope in tokens(line)
            if not scope.startswith("punctuation")]


class Files(unittest.TestCase):
    def test_files_exist(self):
        for path in (PACKAGE["main"], CONTRIBUTES["languages"][0]["configuration"], CONTRIBUTES["grammars"][0]["path"],
                     CONTRIBUTES["snippets"][0]["path"], "README.md", "LICENSE"):
            self.assertTrue((FOLDER / path).is_file(), path)
        self.assertEqual((FOLDER / "LICENSE").read_text(), Path("LICENSE").read_text())

    def test_version(self):
        version = re.search(r"project\(matchpoint VERSION (\S+)", Path("CMakeLists.txt").read_text())[1]
        self.assertEqual(PACKAGE["version"], version)
        self.assertIn(f"matchpoint-{version}.vsix", (FOLDER / "README.md").read_text())

    def test_language(self):
        self.assertEqual(CONTRIBUTES["languages"][0]["extensions"], [".ctp"])
        configuration = json.loads((FOLDER / "language-configuration.json").read_text())
        self.assertEqual(configuration["comments"], {"lineComment": ";"})
        word = re.compile(configuration["wordPattern"])
        self.assertEqual(word.findall("[04 (a-b := (+ c' 1))]"), ["04", "a-b", ":=", "+", "c'", "1"])

    def test_launch_arguments(self):
        """The same in the manifest, the adapter and the page."""
        source = Path("cli/dap/debuggee.cpp").read_text()
        read = set(re.findall(r'(?:need_text|choice<\w+>|whole|flag)\((?:arguments, )?\s*"(\w+)"', source))
        self.assertEqual(set(LAUNCH), read - {"noDebug"})
        page = Path("docs/editors.md").read_text()
        self.assertEqual(set(re.findall(r"^\| `(\w+)` \|", re.search(r"## Launch arguments\n((?:.|\n)*?)\n## ", page)[1],
                                        re.MULTILINE)), set(LAUNCH))
        schedules = set(re.findall(r'\{"([\w-]+)", Schedule::', source))
        self.assertEqual(set(LAUNCH["schedule"]["enum"]), schedules)
        self.assertEqual(len(LAUNCH["schedule"]["enumDescriptions"]), len(schedules))

    def test_problem_matcher(self):
        pattern = CONTRIBUTES["problemMatchers"][0]["pattern"]
        result = run("lint", "traces/variables_shared_between_threads.ctp", "--color", "never")
        match = re.search(pattern["regexp"], result.text, re.MULTILINE)
        self.assertEqual([match[pattern[part]] for part in ("file", "line", "column", "severity", "code")],
                         ["traces/variables_shared_between_threads.ctp", "8", "10", "warning", "D4"])


class Grammar(unittest.TestCase):
    def test_tokens(self):
        location, action, variable = "entity.name", "entity.name", "variable.other"
        control, operator = "keyword.control", "keyword.operator"
        number, constant = "constant.numeric", "constant.language"
        for line, expected in (
                ("[02 (rcvi R2 0 A)]", [("02", location), ("rcvi", control), ("R2", action), ("0", number), ("A", variable)]),
                ("(x (sndi S 1 0 (+ a -2)))", [("x", location), ("sndi", control), ("S", action), ("1", number), ("0", number),
                                               ("+", operator), ("a", variable), ("-2", number)]),
                ("[04 (a := A)] ; [05", [("04", location), ("a", variable), (":=", operator), ("A", variable),
                                         ("; [05", "comment.line")]),
                ("[a (assert (=> (not b) true))]", [("a", location), ("assert", control), ("=>", operator), ("not", operator),
                                                    ("b", variable), ("true", constant)]),
                ("[a (x := (ite b (ite c 1 x) item))]", [("a", location), ("x", variable), (":=", operator), ("ite", operator), ("b", variable),
                                                         ("ite", operator), ("c", variable), ("1", number), ("x", variable),
                                                         ("item", variable)]),
                ("(03 ((0 2) bot))", [("03", location), ("0", number), ("2", number), ("bot", constant)]),
                ("(03 ((0 2 7)))", [("03", location), ("0", number), ("2", number), ("7", number)]),
                ("(24 bot) (x ⊥)", [("24", location), ("bot", constant), ("x", location), ("⊥", constant)]),
                ("(bot)", [("bot", constant)]),
                ("[wait (wait wait)]", [("wait", location), ("wait", control), ("wait", action)]),
                ("(= true1 1true)", [("=", operator), ("true1", variable), ("1true", variable)]),
                ("(shared [x 0])", [("shared", control), ("x", variable), ("0", number)]),
                ("(shared atomic [atomic 0])", [("shared", control), ("atomic", "keyword.other"), ("atomic", variable), ("0", number)]),
                ("[a (when (= x 1) (x := when))]", [("a", location), ("when", control), ("=", operator), ("x", variable), ("1", number),
                                                    ("x", variable), (":=", operator), ("when", variable)]),
                ("[a (when := 1)]", [("a", location), ("when", variable), (":=", operator), ("1", number)]),
                ("[+1 (assume x)]", [("+1", location), ("assume", control), ("x", variable)]),
                ('(a "b)', [("a", variable), ('"', "invalid.illegal"), ("b", variable)])):
            with self.subTest(line=line):
                self.assertEqual(words(line), expected)

    def test_programs(self):
        """In every program: nothing is illegal, and nothing but white space is left over."""
        for path in programs(shared=True):
            for line in path.read_text().splitlines():
                found = tokens(line)
                self.assertFalse([t for t in found if t[2].startswith("invalid")], path)
                rest = list(line)
                for begin, end, _ in found:
                    rest[begin:end] = " " * (end - begin)
                self.assertEqual("".join(rest).strip(), "", path)

    def test_textmate(self):
        if MODULES is None:
            self.skipTest("needs --npm")
        files = [str(path) for path in programs(shared=True)]
        node = subprocess.run(["node", HERE / "tokens.js", Path(MODULES).resolve(),
                               FOLDER / "syntaxes/ctp.tmLanguage.json", *files], capture_output=True, check=True)
        for file, lines in json.loads(node.stdout).items():
            for line, found in zip(Path(file).read_text().split("\n"), lines, strict=True):
                # It counts UTF-16 code units; programs have no characters beyond the basic plane.
                self.assertEqual([tuple(t) for t in found if t[0] < len(line)],
                                 [t for t in tokens(line) if t[0] < t[1]], (file, line))


class Snippets(InFolder):
    def test_snippets(self):
        """The program keeps all rules, and each command fits into a program."""
        snippets = json.loads((FOLDER / "snippets/ctp.json").read_text())
        text = {}
        for name, snippet in snippets.items():
            body = snippet["body"]
            joined = body if isinstance(body, str) else "\n".join(body)
            text[name] = re.sub(r"\$\d+", "", re.sub(r"\$\{\d+:([^}]*)\}", r"\1", joined))
        self.assertEqual(run("lint", "--strict", self.write(text.pop("Program"))).code, HOLDS)
        values = {"(sndi S from to value)": "(sndi S 0 1 2)", "(rcvi R at x)": "(rcvi R 1 x)",
                  "(ssndi S from to value)": "(ssndi T 0 1 2)", "(bsndi S from to value)": "(bsndi U 0 1 2)", "(rsndi S from to value)": "(rsndi V 0 1 2)",
                  "(rcvi R at x (from 1) (tag 0))": "(rcvi Q 1 x (from 0) (tag 0))", "(wait A)": "(wait S)",
                  "(probe P at (source y))": "(probe P 1 (source y))",
                  "(mprobe P at)] [loc (start P x)] [loc (wait P)": "(mprobe M 1)] [m0 (start M x)] [m1 (wait M)"}
        commands = [values.get(t[5:-1], t[5:-1]) for t in text.values()]
        located = "".join(f"[l{i} {c}]" for i, c in enumerate(commands))
        self.assertEqual(run("lint", self.write(f"(({located} bot))")).code, HOLDS, located)


@unittest.skipUnless(shutil.which("node"), "needs Node.js")
class Extension(InFolder):
    def extension(self, text, binary=MATCHPOINT):
        node = subprocess.run(["node", HERE / "run_extension.js", binary, self.write(text)], capture_output=True,
                              check=True)
        return json.loads(node.stdout)

    def test_good_program(self):
        text = Path("traces/figure1.ctp").read_text()
        result = self.extension(text)
        self.assertEqual((result["diagnostics"], result["errors"]), ([], []))
        [edit] = result["edits"]
        self.assertEqual((edit["range"], edit["text"]), ([0, len(text)], run("fmt", "traces/figure1.ctp").text))
        self.assertEqual(result["adapter"], {"command": MATCHPOINT, "args": ["dap"]})
        self.assertEqual(result["configuration"]["program"], "${file}")

    def test_warning(self):
        """Positions are UTF-16, and the range is a word; a note has its own."""
        result = self.extension("(([\U0001F600 (xx := 1)] bot) ([b (assert (= xx 1))] bot))")
        [diagnostic] = [d for d in result["diagnostics"] if d["code"] == "D4"]
        self.assertEqual(diagnostic["severity"], "warning")
        begin = len("(([.. (xx := 1)] bot) ([b (assert (= ")
        self.assertEqual(diagnostic["range"], [0, begin, 0, begin + 2])

    def test_error(self):
        result = self.extension("(([a (wait R9)] bot))")
        self.assertEqual([(d["code"], d["severity"], d["range"]) for d in result["diagnostics"]],
                         [("S3", "error", [0, 11, 0, 13])])
        self.assertEqual(result["edits"], [])

    def test_no_binary(self):
        result = self.extension("()", "/nowhere/matchpoint")
        self.assertEqual(len(result["errors"]), 1)
        self.assertIn("/nowhere/matchpoint", result["errors"][0])

    def test_client(self):
        """Sessions by the client that Microsoft tests debug adapters with."""
        if MODULES is None:
            self.skipTest("needs --npm")
        node = subprocess.run(["node", HERE / "client.js", Path(MODULES).resolve(), MATCHPOINT,
                               Path("traces/figure1.ctp").resolve()], capture_output=True, text=True)
        self.assertEqual(node.returncode, 0, node.stderr)


if __name__ == "__main__":
    if "--npm" in sys.argv:
        at = sys.argv.index("--npm")
        MODULES = sys.argv[at + 1]
        del sys.argv[at:at + 2]
    unittest.main()
