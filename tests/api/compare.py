#!/usr/bin/env python3
"""Compares the public face with that of the last release: the declarations of include/matchpoint/, and the symbols of the library.

    compare.py --library libmatchpoint_api.a [--update]

tests/api/VERSION.txt has the face of a release, a line for each declaration and symbol. Until the project has another version, the
newest of these files is the face as it is now, and --update writes it. After that, a version with the same first two
numbers has every line of it; only the second number may take something away.
"""

import argparse
import re
import subprocess
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\w+|::|->|<=>|[^\s\w]')


def declarations(text):
    """The declarations of a header, each with the scopes that it is in: "Program: static Result<Program> parse(...)"."""
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r"^\s*#[^\n]*", "", text, flags=re.MULTILINE)
    scopes, words, round_ = [], [], 0
    private = [False]
    for token in TOKEN.findall(text):
        if token in "()":
            round_ += 1 if token == "(" else -1
        is_body = token == "{" and not round_
        if is_body and re.search(r"\b(namespace|class|struct|enum)\b", " ".join(words)) and "=" not in words:
            scopes.append(" ".join(words))
            private.append(" ".join(words).find("class") >= 0 and "enum" not in words)
            words = []
        elif token == "}" and not round_ and words[:1] != ["{"] and scopes and words.count("{") == 0:
            if words:
                yield from named(scopes, words, private)  # the last enumerator
            scopes.pop()
            private.pop()
            words = []
        elif token == ";" and not round_ and words.count("{") == words.count("}"):
            if words:
                yield from named(scopes, words, private)
            words = []
        elif token == "," and not round_ and scopes and "enum" in scopes[-1]:
            yield from named(scopes, words, private)
            words = []
        elif token == ":" and words in (["public"], ["private"]):
            private[-1] = words == ["private"]
            words = []
        else:
            words.append(token)
            if token == "}" and not round_ and words.count("{") == words.count("}"):
                yield from named(scopes, words[:words.index("{")], private)  # a function that is defined here
                words = []


def named(scopes, words, private):
    if not any(private):
        yield " / ".join([scope for scope in scopes] + [" ".join(words)])


def symbols(library):
    """The functions of the library that outsiders call."""
    listed = subprocess.run(["nm", "-C", "--defined-only", "--extern-only", library], capture_output=True, text=True, check=True)
    found = set()
    for line in listed.stdout.splitlines():
        kind_and_name = re.match(r"[0-9a-f]+ ([TDRB]) (matchpoint::api::.*)", line)
        if kind_and_name and "Impl" not in kind_and_name[2] and not re.search(r"\[clone|base::|grammar::|machine::|matching::|executions::",
                                                                                kind_and_name[2]):
            found.add("symbol " + kind_and_name[2])
    return found


def face(library):
    lines = set(symbols(library))
    for header in sorted((ROOT / "include/matchpoint").glob("*.hpp")):
        lines |= {f"{header.name}: {line}" for line in declarations(header.read_text())}
    return lines


def project_version():
    return re.search(r"^project\(matchpoint VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)[1]


def numbers(version):
    return [int(number) for number in version.split(".")]


def complaints(now, version, then, released):
    """What of a release is gone that may not be gone."""
    if version == released:
        gone, new = then - now, now - then
        return ([f"gone since the list was written: {line}" for line in sorted(gone)] +
                [f"not in the list: {line}" for line in sorted(new)])
    if numbers(version)[:2] == numbers(released)[:2]:
        return [f"{released} has it: {line}" for line in sorted(then - now)]
    return []


class Rules(unittest.TestCase):
    def test_declarations(self):
        found = list(declarations("""
            #pragma once
            namespace a {
            enum class E : char { x, y };  // words
            struct S { int i = f(1, {2}); bool is() const { return i == 1; } bool operator==(S const&) const = default; };
            class C { int hidden; public: static C make(S s = {}); private: int also; };
            std::string_view to_string(E e);
            } // namespace a
        """))
        self.assertEqual(found, [
            "namespace a / enum class E : char / x", "namespace a / enum class E : char / y",
            "namespace a / struct S / int i = f ( 1 , { 2 } )", "namespace a / struct S / bool is ( ) const",
            "namespace a / struct S / bool operator = = ( S const & ) const = default",
            "namespace a / class C / static C make ( S s = { } )", "namespace a / std :: string_view to_string ( E e )"])

    def test_what_may_go(self):
        self.assertEqual(complaints({"f"}, "0.2.0", {"f"}, "0.2.0"), [])
        self.assertEqual(complaints({"f", "g"}, "0.2.0", {"f"}, "0.2.0"), ["not in the list: g"])
        self.assertEqual(complaints({"f", "g"}, "0.2.1", {"f"}, "0.2.0"), [])
        self.assertEqual(complaints({"g"}, "0.2.1", {"f"}, "0.2.0"), ["0.2.0 has it: f"])
        self.assertEqual(complaints({"g"}, "0.3.0", {"f"}, "0.2.0"), [])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--update", action="store_true", help="write the list of the project's version")
    options = parser.parse_args()
    now = face(options.library)
    if options.update:
        (HERE / f"{project_version()}.txt").write_text("".join(f"{line}\n" for line in sorted(now)))
        return
    if not unittest.TextTestRunner().run(unittest.defaultTestLoader.loadTestsFromTestCase(Rules)).wasSuccessful():
        sys.exit(1)
    newest = max((numbers(path.stem), path) for path in HERE.glob("*.txt"))[1]
    wrong = complaints(now, project_version(), set(newest.read_text().splitlines()), newest.stem)
    print(f"{len(now)} declarations and symbols; compared with {newest.stem}")
    if wrong:
        sys.exit("\n".join(wrong) + "\nIf this is meant, change the second number of the version, or write the list with --update.")


if __name__ == "__main__":
    main()
