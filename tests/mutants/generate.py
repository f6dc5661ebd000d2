#!/usr/bin/env python3
"""Writes copies of the sources that have mutants, each with all its mutants: generate.py FOLDER.

An expression becomes (mutant(7) ? (changed) : (original)), a statement an if. FOLDER gets the copies under their names, and
mutants.inc with the names of the mutants, in the order of their numbers. A file is written only if it changes.
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from operators import EXCHANGES  # noqa: E402
from table import MUTANTS  # noqa: E402

ALL = [*MUTANTS, *(exchange.mutant for exchange in EXCHANGES)]
ROOT = Path(__file__).resolve().parent.parent.parent


class Wrong(Exception):
    pass


def place(text, edit, name):
    """The place of an edit's part: any white space matches any other."""
    def pattern(piece):
        return r"\s+".join(re.escape(word) for word in re.split(r"\s+", piece))
    before, _, rest = edit.site.partition("«")
    part, _, after = rest.partition("»")
    found = list(re.finditer(f"{pattern(before.lstrip())}({pattern(part)}){pattern(after)}", text))
    if len(found) != 1:
        raise Wrong(f"{name}: {edit.file} has this {len(found)} times instead of once:\n  {edit.context.strip()}\n"
                    "tests/mutants/table.py, or operators.py, has to follow the sources")
    return found[0].span(1)


def is_statement(text):
    return re.sub(r"//[^\n]*$", "", text).rstrip().endswith((";", "}"))


def hooked(text, first, last, places):
    """text[first:last] with the questions of the places in it: place -> [(number, instead)], each within or outside another."""
    outermost = [p for p in places if not any(q != p and q[0] <= p[0] and p[1] <= q[1] for q in places)]
    out, at = "", first
    for begin, end in sorted(outermost):
        inside = {p: edits for p, edits in places.items() if p != (begin, end) and begin <= p[0] and p[1] <= end}
        if begin < at:
            raise Wrong(f"two places overlap: {text[begin:end]}")
        was = hooked(text, begin, end, inside)
        statement = is_statement(text[begin:end])
        for number, instead in reversed(places[begin, end]):
            if statement != is_statement(instead):
                raise Wrong(f"a statement and an expression: {text[begin:end]}, {instead}")
            if statement:
                was = f"{{ if (mutants::is_on({number})) {{ {instead}\n}} else {{ {was}\n}} }}"
            else:
                was = f"(mutants::is_on({number}) ? ({instead}) : ({was}))"
        out += text[at:begin] + was
        at = end
    return out + text[at:last]


# The rows of operators are constants, and a constant cannot ask which mutant is on. The copy calls them otherwise, and computes
# what the rooms read from them once, before all other objects. So only the binaries that MATCHPOINT_MUTANT makes a mutant of have
# other rows.
COMPUTED = "[[gnu::init_priority(102)]] "
ROWS = COMPUTED + """std::array<OpRow, op_count> const op_rows = [] {
    [[maybe_unused]] auto const at = [](Op op) { return static_cast<std::size_t>(op); };
    auto rows = constant_rows;
    return rows;
}();

"""


def source(file):
    text = (ROOT / file).read_text()
    if file != "grammar/operators.cpp":
        return text
    before, reads, after = text.partition("std::string_view to_string(Op op)")
    before = re.sub(r"constexpr (std::array<[^>]*>) (detail::\w+ = \[\])", COMPUTED + r"\1 const \2", before)
    return before.replace("op_rows", "constant_rows") + ROWS + reads + after


def generated():
    """file -> its text with all mutants."""
    files = {}
    for number, mutant in enumerate(ALL, 1):
        for edit in mutant.edits:
            text, places = files.setdefault(edit.file, (source(edit.file), {}))
            places.setdefault(place(text, edit, mutant.name), []).append((number, edit.to))
    return {file: '#include "tests/mutants/mutants.hpp"\n' + hooked(text, 0, len(text), places)
            for file, (text, places) in files.items()}


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main():
    names = [mutant.name for mutant in ALL]
    if len(set(names)) < len(names):
        raise Wrong("two mutants have one name")
    folder = Path(sys.argv[1])
    for file, text in generated().items():
        write(folder / file, text)
    write(folder / "mutants.inc", "".join(f'"{name}",\n' for name in names))


if __name__ == "__main__":
    try:
        main()
    except Wrong as reason:
        sys.exit(f"{reason}")
