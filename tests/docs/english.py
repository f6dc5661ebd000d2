#!/usr/bin/env python3
"""Comments and pages are in plain English: no phrase of the list in DIALECT.

    tests/docs/english.py              the test
    tests/docs/english.py FILES...     what is found in these files

The list has phrases that this project once used a hundred times each, and that nobody else uses. CONTRIBUTING.md says what to write
instead in general, this list says it for each phrase. Code, strings and examples in pages are not looked at.
"""

import re
import subprocess
import sys
import tokenize
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

# (what not to write, what to write instead, an example that is found)
DIALECT = [
    (r"\b[Nn]one: (?!\[)", "`None if ...`", "/// None: it did not exit."),
    (r"(?<!is )(?<!are )\b[Ee]mpty: ", "`Empty if ...`", "// empty: nothing is wrong"),
    (r"\b[Nn]ull: ", "`Null if ...`", "/// Null: never."),
    (r"\bstand(?:s|ing)?\b(?! for\b| in for\b)", "is, is at, is in, has", "the program that stands in the comment"),
    (r"\bstood\b", "was, was at", "where it stood"),
    (r"\bbehind\b", "after, beyond, next to, of", "the commands behind the failure"),
    (r"(?:^|[.;:!?] )Of (?:a|an|the|what|whom|those|all|each|such|it|its|them|one|these|this|every|several|many|some|two)\b",
     "begin with the subject", "Of a number that is too large, the largest."),
    (r"\b(?:that|which|it) (?:is|are) none\b", "is not one", "a number that is none"),
    (r"\btime is over\b|\bruns? (?:is|are) over\b", "timed out, reached the run limit", "until the time is over"),
    (r"\bended for (?:its|their|lack of) time\b", "timed out", "it was ended for its time"),
    (r"\bc[oa]mes? to (?:a|an|the|its|their|it|them|that|this|every|each|one|such|where)\b", "reaches",
     "a thread comes to the assertion"),
    (r"\bnothing of (?:it|them|this|that)\b", "none of it", "nothing of it is recorded"),
    (r"\b[Ww]hoever\b", "anyone who, the one who", "whoever asks"),
    (r"\bany more\b(?! than\b)", "any longer, no longer", "it is not needed any more"),
    (r"\bin vain\b", "without success, to no effect", "it was asked in vain"),
    (r"\bat one time\b", "at the same time", "both at one time"),
]


def comments(path):
    """(line, text) of the comments of a file of C, C++, Python, shell or CMake, and of the prose of a page."""
    text = path.read_text(errors="replace")
    if path.suffix in (".cpp", ".hpp", ".c", ".h"):
        return list(comments_of_cpp(text))
    if path.suffix == ".md":
        return list(prose(text))
    if path.suffix == ".py" or text.startswith("#!/usr/bin/env python3"):
        return list(comments_of_python(path))
    return [(number, line.partition("#")[2]) for number, line in enumerate(text.splitlines(), 1)
            if re.match(r"\s*#(?!!)|.*\s# ", line)]


def comments_of_cpp(text):
    tokens = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/', re.S)
    for found in tokens.finditer(text):
        if found[0].startswith(("//", "/*")):
            first = text.count("\n", 0, found.start()) + 1
            for number, line in enumerate(found[0].splitlines(), first):
                yield number, re.sub(r"^\s*(?://+<?|/?\*+)\s?", "", line)


def comments_of_python(path):
    with tokenize.open(path) as file:
        after = None
        for token in tokenize.generate_tokens(file.readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string.lstrip("#! ")
            elif token.type == tokenize.STRING and after in (None, tokenize.INDENT, tokenize.NEWLINE, tokenize.NL, tokenize.COMMENT):
                for number, line in enumerate(token.string.splitlines(), token.start[0]):
                    yield number, line.strip('" ')
            if token.type not in (tokenize.NL, tokenize.COMMENT):
                after = token.type


def prose(text):
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced and not line.startswith("    "):
            yield number, re.sub(r"`[^`]*`", "``", line)


def found_in(path):
    for number, line in comments(path):
        line = re.sub(r"`[^`]*`", "``", line)
        for pattern, instead, _ in DIALECT:
            for phrase in re.finditer(pattern, line):
                yield f"{path.relative_to(ROOT)}:{number}: `{phrase[0].strip()}`: {instead}: {line.strip()}"


def files():
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    for name in names:
        path = ROOT / name
        known = path.suffix in (".cpp", ".hpp", ".c", ".h", ".py", ".md", ".cmake") or path.name == "CMakeLists.txt" or (
            name.startswith("scripts/") and path.suffix == "")
        # Golden pages are output, the conformance suite is frozen, and the list of phrases is here.
        other = name.startswith("tests/golden/") or name in ("suite/README.md", "suite/check.py")
        if known and path.is_file() and not other and path != Path(__file__).resolve():
            yield path


class English(unittest.TestCase):
    def test_comments_and_pages(self):
        found = [line for path in files() for line in found_in(path)]
        self.assertEqual(found, [], "\n" + "\n".join(found))

    def test_comments_wrap(self):
        """At 120 columns, but for drawings, tables and quotations, which are indented."""
        found = [f"{path.relative_to(ROOT)}:{number}: {len(line)} columns" for path in files()
                 if path.suffix in (".cpp", ".hpp", ".c", ".h")
                 for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1)
                 if len(line) > 120 and re.match(r"\s*//[/<]? \S", line)]
        self.assertEqual(found, [], "\n" + "\n".join(found))

    def test_each_phrase_is_found(self):
        for pattern, _, example in DIALECT:
            with self.subTest(pattern):
                self.assertRegex(re.sub(r"^/+ ", "", example), pattern)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit("\n".join(line for name in sys.argv[1:] for line in found_in(Path(name).resolve())) or 0)
    unittest.main()
