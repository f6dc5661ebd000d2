#!/usr/bin/env python3
"""Everything that pages and comments cite exists: links, headings, pages, source files and folders.

In pages:     [text](page.md#heading), and paths in code spans, such as `machine/state.hpp` or `traces/*.expected`
In comments:  page.md, page.md, "Heading", and source files with or without their folder

Code blocks are left out: other tests run them. A path is relative to the top of the repository, a link to its page.
"""

import io
import os
import re
import tokenize
import unittest
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
IGNORED = re.compile(r"build.*|findings|__pycache__|\..*")
PAGE_SUFFIX = ".md"
SOURCE_SUFFIXES = (".cpp", ".hpp", ".py", ".cmake", ".js", ".css", ".html")
SCRIPT_FOLDERS = ("scripts", "bench")

LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE_SPAN = re.compile(r"`([^`\n]+)`")
PAGE_CITATION = re.compile(r'(?<![\w/.*-])((?:[\w.-]+/)*[\w-]{2,}\.md)(?:[,;:(]?\s*"([^"]+)")?')
FILE_CITATION = re.compile(r"(?<![\w/.<*-])((?:[\w-]+/)*[\w-]{2,}\.(?:cpp|hpp|py|ctp))\b(?![\w-])")
OUTSIDE = re.compile(r"shared/spec|\bspec(?:ification)?: ")
STRING_OR_COMMENT = re.compile(r'R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*(?:.|\n)*?\*/')


@cache
def files():
    """The files of the repository, as paths from its top."""
    found = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [f for f in folders if not IGNORED.fullmatch(f)]
        found += [(Path(folder) / name).relative_to(ROOT).as_posix() for name in names]
    return frozenset(found)


@cache
def names():
    return frozenset(path.rpartition("/")[2] for path in files())


@cache
def top_folders():
    return frozenset(path.partition("/")[0] for path in files() if "/" in path)


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def blanked(text, pattern):
    """The text with every match replaced by as many empty lines, so that line numbers stay."""
    return re.sub(pattern, lambda m: "\n" * m[0].count("\n"), text, flags=re.MULTILINE)


def prose(page):
    """A page without its code blocks."""
    return blanked(blanked(page, r"^```[^\n]*\n(?:.*\n)*?^```$"), r"^ {4,}\S.*$")


def slug(heading):
    """The fragment of a heading, as GitHub makes it."""
    text = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


@cache
def headings(path):
    """The headings of a page, as they are written."""
    return [heading.strip() for heading in re.findall(r"^#+ (.*)$", prose((ROOT / path).read_text()), re.MULTILINE)]


def is_there(path):
    """Whether a path from the top exists; it may have wildcards."""
    return any(ROOT.glob(path)) if "*" in path else (ROOT / path).exists()


def bad_links(path, text):
    without_blocks = prose(text)
    for m in LINK.finditer(without_blocks):
        target, _, fragment = m[1].partition("#")
        if re.match(r"[a-z]+:", target):
            continue
        to = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
        if not (ROOT / to).exists():
            yield line_of(without_blocks, m.start()), f"link to {m[1]}: there is no {to}"
        elif fragment and to.endswith(PAGE_SUFFIX) and fragment not in map(slug, headings(to)):
            yield line_of(without_blocks, m.start()), f"link to {m[1]}: {to} has no such heading"


def bad_paths(text):
    """Words in a page's code spans that begin with one of our folders and name no file."""
    without_blocks = prose(text)
    for span in CODE_SPAN.finditer(without_blocks):
        for word in span[1].split():
            path = word.rstrip(",;:")
            if path.partition("/")[0] in top_folders() and re.fullmatch(r"[\w./*-]+/[\w.*-]*", path) and not is_there(path):
                yield line_of(without_blocks, span.start()), f"there is no {path}"
        if re.fullmatch(r"[\w-]+\.(cpp|hpp)", span[1]) and span[1] not in names() and not span[1].startswith("example"):
            yield line_of(without_blocks, span.start()), f"there is no file {span[1]}"


def page_of(cited, path):
    """The page that a comment means: from the top, beside the file, or in docs/."""
    for candidate in (cited, f"{os.path.dirname(path)}/{cited}", f"docs/{cited}"):
        if candidate in files():
            return candidate
    return None


def bad_citations(path, comment):
    """Pages, headings and source files that a comment names and that do not exist."""
    for m in PAGE_CITATION.finditer(comment):
        page = page_of(m[1], path)
        if page is None:
            yield line_of(comment, m.start()), f"there is no page {m[1]}"
        elif m[2] and " ".join(m[2].split()) not in headings(page):
            yield line_of(comment, m.start()), f'{page} has no heading "{m[2]}"'
    for m in FILE_CITATION.finditer(comment):
        folder, _, name = m[1].rpartition("/")
        if "generated" in folder or (not folder and name.endswith(".ctp")):
            continue
        if m[1] not in files() and not any(f.endswith("/" + m[1]) for f in files()):
            yield line_of(comment, m.start()), f"there is no {m[1]}"
    for m in OUTSIDE.finditer(comment):
        yield line_of(comment, m.start()), f"`{m[0].strip()}` cites what is not in this repository"


def comments_of_cpp(text):
    """The text with everything but comments blanked, and each comment's lines joined so that citations may wrap."""
    out, end = [], 0
    for m in STRING_OR_COMMENT.finditer(text):
        out.append("\n" * text.count("\n", end, m.start()))
        out.append(m[0].strip("/*") if m[0].startswith(("//", "/*")) else "\n" * m[0].count("\n"))
        end = m.end()
    return "".join(out)


def comments_of_python(text):
    lines = [""] * (text.count("\n") + 2)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and token.string.lstrip("rf").startswith('"""')):
            for i, line in enumerate(token.string.split("\n")):
                lines[token.start[0] - 1 + i] += line.lstrip("#")
    return "\n".join(lines)


def comments_of_script(text):
    return "\n".join(line.partition("#")[2] if "#" in line else "" for line in text.split("\n"))


def comments(path, text):
    if path.endswith((".cpp", ".hpp", ".js", ".css")):
        return comments_of_cpp(text)
    if path.endswith(".py") or text.startswith("#!/usr/bin/env python3"):
        return comments_of_python(text)
    return comments_of_script(text)


def bad_pages_anywhere(path, text):
    """`docs/x.md` in any text of a source, such as a help text."""
    for m in re.finditer(r"\bdocs/\w+\.md\b", text):
        if page_of(m[0], path) is None:
            yield line_of(text, m.start()), f"there is no page {m[0]}"


def is_source(path):
    return (path.endswith(SOURCE_SUFFIXES) or path.endswith("CMakeLists.txt") or
            (path.partition("/")[0] in SCRIPT_FOLDERS and "." not in path))


class Citations(unittest.TestCase):
    def check(self, found):
        self.assertEqual(found, [], "\n" + "\n".join(found))

    def test_pages(self):
        pages = [path for path in files() if path.endswith(PAGE_SUFFIX)]
        self.assertIn("docs/architecture.md", pages)
        found = []
        for path in sorted(pages):
            text = (ROOT / path).read_text()
            # The suite's README describes the folder that `matchpoint suite` writes, not ours.
            for line, what in [*bad_links(path, text), *(bad_paths(text) if path != "suite/README.md" else [])]:
                found.append(f"{path}:{line}: {what}")
        self.check(found)

    def test_sources(self):
        sources = [path for path in files() if is_source(path)]
        self.assertIn("machine/state.hpp", sources)
        self.assertIn("scripts/check_certificate", sources)
        found = []
        for path in sorted(sources):
            if path == "tests/docs/links.py":
                continue
            text = (ROOT / path).read_text()
            for line, what in {*bad_citations(path, comments(path, text)), *bad_pages_anywhere(path, text)}:
                found.append(f"{path}:{line}: {what}")
        self.check(found)


class Provoked(unittest.TestCase):
    """Faults are found, on their lines, and nothing else is."""

    def test_links(self):
        page = ("# A `b` page\n[here](#a-b-page) [there](../README.md#two-commands) [out](https://example.org/x.md)\n"
                "```\n[no](link.md)\n```\n[a](nothing.md)\n[b](cli.md#nothing)\n[c](#nothing)\n")
        self.assertEqual(list(bad_links("docs/cli.md", page.replace("#a-b-page", "#exit-codes"))),
                         [(6, "link to nothing.md: there is no docs/nothing.md"),
                          (7, "link to cli.md#nothing: docs/cli.md has no such heading"),
                          (8, "link to #nothing: docs/cli.md has no such heading")])

    def test_slugs(self):
        self.assertEqual(slug("How `check` decides, in [C++](x.md): 1.2"), "how-check-decides-in-c-12")

    def test_paths(self):
        page = "`machine/state.hpp` `traces/*.expected` `tests/cli/ -x` `build/x` `a/b`\n`machine/nothing.hpp`\n`tests/nothing/`\n`nothing.cpp`\n"
        self.assertEqual(list(bad_paths(page)), [(2, "there is no machine/nothing.hpp"), (3, "there is no tests/nothing/"),
                                                 (4, "there is no file nothing.cpp")])

    def test_comments(self):
        right = ('// (semantics.md, "Outcomes of a program"), docs/cli.md, state.hpp and machine/state.hpp, x.md\n'
                 '/// wraps (encoding.md,\n/// "The CTP encoder")\nauto s = "nothing.hpp";\n')
        self.assertEqual(list(bad_citations("machine/x.hpp", comments_of_cpp(right))), [])
        for line, what in (('cli.md, "Nothing"', 'docs/cli.md has no heading "Nothing"'),
                           ("docs/nothing.md", "there is no page docs/nothing.md"),
                           ("nothing.hpp", "there is no nothing.hpp"),
                           ("machine/nothing.cpp", "there is no machine/nothing.cpp"),
                           ('spec: encoding, "The CTP encoder"', "`spec:` cites what is not in this repository")):
            for comment in (comments_of_cpp(f"int x;\n// ({line})\n"), comments_of_python(f"x = 1\n# ({line})\n"),
                            comments_of_python(f'x = 1\n"""({line})"""\n'.replace(f'"""({line})"""', f"'''x'''  # ({line})")),
                            comments_of_script(f"x\n# ({line})\n")):
                self.assertEqual(list(bad_citations("machine/x.hpp", comment)), [(2, what)])

    def test_help_texts(self):
        self.assertEqual(list(bad_pages_anywhere("cli/x.cpp", '"see docs/cli.md"\n"and docs/nothing.md"')),
                         [(2, "there is no page docs/nothing.md")])


if __name__ == "__main__":
    unittest.main(verbosity=1)
