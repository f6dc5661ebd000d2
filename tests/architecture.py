#!/usr/bin/env python3
"""Checks that the tree keeps to rooms.hpp: a folder is a room, and includes headers only of the rooms listed for it.

    tests/architecture.py            the checks, and that each of them fails on a tree that breaks its rule

Every complaint names the file and line to change. When a room needs one more room, add the arrow to rooms.hpp (and to DEPENDS in the
room's CMakeLists.txt); when its last #include of a room goes, remove the arrow.
"""

import graphlib
import re
import shutil
import tempfile
import unittest
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROOMS = "rooms.hpp"
NOT_ROOMS = ("tests", "bench", "build", "examples")
FACE = "include"  # the public headers of the room api
X3 = "grammar/parse.cpp"  # the only translation unit that includes Spirit X3
GENERATED = {("report/draw_html.cpp", "page.hpp")}  # made by CMake
# What public headers may include: themselves, and the standard library.
PUBLIC = re.compile(r"matchpoint/\w+\.hpp|[a-z_]+")
RECORDER = "record/mpi"  # in C, and in layers
C_HEADERS = {"record/threads/format.h"}  # what C and C++ share
# Files that switch over characters, numbers and dice.
OPEN_SWITCHES = ("base/source.cpp", "base/digits.cpp", "smt_machine/s_expressions.cpp", "programs/random_shared.cpp",
                 "programs/random_expressions.cpp", "rma/programs/random.cpp", "report/draw.cpp", "report/latex.cpp", "cli/describe/manual.cpp")
NAIVE = re.compile(r"tests/support/(naive_\w+|plain)\.[ch]pp")
NAIVE_MAY_INCLUDE = re.compile(r"tests/support/(naive_\w+|plain|all_rooms)\.hpp")


@dataclass(frozen=True)
class Include:
    file: str  # relative to the root
    line: int
    name: str
    quoted: bool

    @property
    def place(self):
        return f"{self.file}:{self.line}"


class Tree:
    """The parts of a checkout that the rules speak about."""

    def __init__(self, root):
        self.root = Path(root)
        self.arrows, self.arrow_line = rooms_file(self.root / ROOMS)
        self.files = sorted(str(path.relative_to(self.root)) for suffix in ("cpp", "hpp")
                            for path in self.root.glob(f"*/**/*.{suffix}")
                            if path.relative_to(self.root).parts[0] != "build")
        self.includes = [include for file in self.files for include in includes_of(self.root, file)]
        self.libraries = self.cmake()

    def of_rooms(self):
        return [file for file in self.files if room(file) in self.arrows]

    def cmake(self):
        """The rooms that each room's target links."""
        libraries = {}
        for name in self.arrows:
            path = self.root / name / "CMakeLists.txt"
            text = path.read_text() if path.exists() else ""
            library = re.search(r"matchpoint_library\((\w+)([^)]*)\)", text)
            if library:
                depends = sections(library[2], ("SOURCES", "DEPENDS"))["DEPENDS"]
            else:
                linked = re.search(r"target_link_libraries\(matchpoint_cli PRIVATE([^)]*)\)", text)
                depends = linked[1].split() if linked else []
            libraries[name] = {word.removeprefix("matchpoint_") for word in depends if word.startswith("matchpoint_")}
        return libraries


def rooms_file(path):
    """The arrows of rooms.hpp, {room: [rooms]}, and the line of each."""
    arrows, lines, current = {}, {}, None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if opened := re.match(r"namespace (\w+) \{", line):
            if opened[1] != "matchpoint":
                current = opened[1]
                arrows.setdefault(current, [])
                lines[current] = number
        elif used := re.match(r"using namespace (\w+);|namespace (?:\w+) = matchpoint::(\w+);", line):
            arrows[current].append(used[1] or used[2])
            lines[current, arrows[current][-1]] = number
    return arrows, lines


def includes_of(root, file):
    for number, line in enumerate((root / file).read_text().splitlines(), 1):
        if found := re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line):
            yield Include(file, number, found[2], found[1] == '"')


def recorder_layers(text):
    """{file: its layer} of the recorder's files, from the first comment of recorder.h. Layers are numbered from the lowest one."""
    layer_of, layer = {}, 0
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        if listed := re.match(r"//   (\w+\.h)? +(\w+\.c) ", line):
            layer += listed[1] is not None
            layer_of.update({file: layer for file in listed.groups() if file})
    return layer_of


def sections(text, keywords):
    """{keyword: its words} of the arguments of a CMake function."""
    found, current = {keyword: [] for keyword in keywords}, None
    for word in re.sub(r"#.*", "", text).split():
        if word in found:
            current = word
        elif current:
            found[current].append(word)
    return found


def room(file):
    folder = file.split("/")[0]
    return "api" if folder == FACE else folder


def reachable(graph, start):
    found, todo = set(), [start]
    while todo:
        for other in graph.get(todo.pop(), ()):
            if other not in found:
                found.add(other)
                todo.append(other)
    return found


# ---- the rules ---------------------------------------------------------------------------------------------------------

def every_folder_is_a_room(tree):
    for folder in sorted({room(file) for file in tree.files} - set(tree.arrows) - set(NOT_ROOMS)):
        yield f"{folder}/: has C++ files, but {ROOMS} has no such room"
    for name in tree.arrows:
        if not any(room(file) == name for file in tree.files):
            yield f"{ROOMS}:{tree.arrow_line[name]}: no folder {name}/ with C++ files"


def arrows_have_no_cycle(tree):
    for name, others in tree.arrows.items():
        for other in others:
            if other not in tree.arrows:
                yield f"{ROOMS}:{tree.arrow_line[name, other]}: {name} builds on {other}, which is not a room"
    try:
        graphlib.TopologicalSorter(tree.arrows).prepare()
    except graphlib.CycleError as cycle:
        yield f"{ROOMS}: the arrows go round: {' -> '.join(reversed(cycle.args[1]))}"


def includes_are_arrows(tree):
    used = set()
    for include in tree.includes:
        name = room(include.file)
        if name not in tree.arrows or include.name == ROOMS or (include.file, include.name) in GENERATED:
            continue
        other = room(include.name)
        if not include.quoted:
            if other in tree.arrows or include.name == ROOMS:
                yield f'{include.place}: write #include "{include.name}"'
            continue
        if include.name in C_HEADERS:
            continue
        if include.name not in tree.files:
            yield f"{include.place}: no file {include.name}; name headers from the root of the tree"
            continue
        if other != name and other not in tree.arrows[name]:
            yield f"{include.place}: {name} includes {include.name}, but {ROOMS} does not let {name} build on {other}"
        used.add((name, other))
    for name, others in tree.arrows.items():
        for other in others:
            if (name, other) not in used:
                yield (f"{ROOMS}:{tree.arrow_line[name, other]}: {name} lists {other}, but includes none of its headers; "
                       f"remove the line (the names of {other} stay visible through the other rooms)")


def namespaces_are_rooms(tree):
    for file in tree.of_rooms():
        name, found = room(file), False
        for number, line in enumerate((tree.root / file).read_text().splitlines(), 1):
            opened = re.match(r"(?:inline )?namespace (matchpoint\b[\w:]*) \{", line)
            if opened and opened[1] != f"matchpoint::{name}" and not opened[1].startswith(f"matchpoint::{name}::"):
                yield f"{file}:{number}: namespace {opened[1]} in the folder of matchpoint::{name}"
            found = found or opened is not None
        if not found and not file.endswith(("/main.cpp", f"{FACE}/matchpoint/matchpoint.hpp")):
            yield f"{file}:1: nothing in namespace matchpoint::{name}"


def libraries_link_their_arrows(tree):
    for name, others in tree.arrows.items():
        linked = reachable(tree.libraries, name)
        for other in others:
            if other not in linked:
                yield f"{name}/CMakeLists.txt: the target of {name} does not link {other}, whose headers it includes"
        for other in sorted(tree.libraries[name] - set(others)):
            if other in tree.arrows:
                yield f"{name}/CMakeLists.txt: the target of {name} links {other}, but {ROOMS} lists no such arrow"


def sources_are_compiled(tree):
    for file in tree.of_rooms():
        name, _, path = file.partition("/")
        if file.endswith(".cpp") and path not in re.split(r"[\s()]+", (tree.root / name / "CMakeLists.txt").read_text()):
            yield f"{name}/CMakeLists.txt: {path} is not compiled"


def x3_is_in_one_source(tree):
    for include in tree.includes:
        if "boost/spirit" in include.name and include.file != X3:
            yield f"{include.place}: includes Spirit X3, which belongs in {X3} alone"


def public_headers_stand_alone(tree):
    for include in tree.includes:
        if include.file.startswith(FACE) and (include.quoted or not PUBLIC.fullmatch(include.name)):
            yield f"{include.place}: a public header includes {include.name}, which outsiders do not have"


def the_house_does_not_use_its_face(tree):
    for include in tree.includes:
        if PUBLIC.fullmatch(include.name) and "/" in include.name and room(include.file) not in ("api", "tests"):
            yield f"{include.place}: {room(include.file)} includes <{include.name}>, which is for outsiders"


def the_binary_takes_no_step(tree):
    """It runs traces, and asks steppers and replays. What a step does, and which can come next, rooms with semantics know."""
    for file in tree.of_rooms():
        if room(file) != "cli":
            continue
        for number, line in enumerate((tree.root / file).read_text().splitlines(), 1):
            if found := re.search(r"\bmachine\w*\.(apply|step|undo|back|preview)\(|\bis_enabled\(|(?<![.\w])enabled\(", line):
                yield f"{file}:{number}: cli calls {found[0]}...): a room with semantics has to"


def recorder_is_in_layers(tree):
    """A function that a header declares is defined in the layer of that header. So what includes no higher headers calls nothing
    higher."""
    texts = {path.name: path.read_text() for path in sorted((tree.root / RECORDER).glob("*.[ch]"))}
    layer_of = recorder_layers(texts["recorder.h"])
    for file in sorted(layer_of.keys() ^ texts.keys()):
        yield f"{RECORDER}/recorder.h:1: the list of layers and the folder do not both have {file}"
    for file in sorted(layer_of.keys() & texts.keys()):
        highest = layer_of[file] - file.endswith(".h")
        for include in includes_of(tree.root, f"{RECORDER}/{file}"):
            if include.quoted and "/" not in include.name and layer_of.get(include.name, highest + 1) > highest:
                yield f"{include.place}: includes {include.name}, which is in no layer below"
        if file.endswith(".h"):
            continue
        defined = set(re.findall(r"^(?!static)[\w *]+?\b(\w+)\([^;{}]*\) \{", texts[file], re.M))
        for header, layer in layer_of.items():
            if header not in texts or not header.endswith(".h") or layer == layer_of[file]:
                continue
            for name in re.findall(r"^(?!static)[\w *]+?\b(\w+)\([^;{}]*\);", texts[header], re.M):
                if name in defined:
                    yield f"{RECORDER}/{file}: defines {name}, which {header} of another layer declares"


def switches_name_every_case(tree):
    """So the compiler finds each place that a new operator, command, event or answer is missing from."""
    for file in tree.of_rooms():
        for number, line in enumerate((tree.root / file).read_text().splitlines(), 1):
            if re.match(r"\s*default:", line) and file not in OPEN_SWITCHES:
                yield f"{file}:{number}: `default:` hides cases that are missing; if these are characters or numbers, add the file to OPEN_SWITCHES"


def naive_oracles_share_nothing(tree):
    for include in tree.includes:
        if NAIVE.fullmatch(include.file) and include.quoted and not NAIVE_MAY_INCLUDE.fullmatch(include.name):
            yield f"{include.place}: a naive oracle includes {include.name}, and would share code with what it checks"
        if include.file == "tests/support/all_rooms.hpp" and include.name != ROOMS:
            yield f"{include.place}: every naive oracle includes this file, which may include {ROOMS} only"


RULES = (every_folder_is_a_room, arrows_have_no_cycle, includes_are_arrows, namespaces_are_rooms, libraries_link_their_arrows,
         sources_are_compiled, x3_is_in_one_source, public_headers_stand_alone, the_house_does_not_use_its_face,
         the_binary_takes_no_step, recorder_is_in_layers, switches_name_every_case, naive_oracles_share_nothing)


def complaints(root):
    tree = Tree(root)
    return [complaint for rule in RULES for complaint in rule(tree)]


# ---- tests -------------------------------------------------------------------------------------------------------------

class TheTree(unittest.TestCase):
    def test_keeps_to_the_rules(self):
        found = complaints(ROOT)
        self.assertFalse(found, "\n" + "\n".join(found))


class Provoked(unittest.TestCase):
    """Every rule complains about a copy of the tree that breaks it."""

    @classmethod
    def setUpClass(cls):
        cls.root = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        for name in {*Tree(ROOT).arrows, "tests", "bench", FACE}:
            shutil.copytree(ROOT / name, cls.root / name, ignore=lambda folder, names: [
                name for name in names if "." in name and not name.endswith((".cpp", ".hpp", ".c", ".h", ".txt"))])
        shutil.copyfile(ROOT / ROOMS, cls.root / ROOMS)
        cls.before = set(complaints(cls.root))

    def write(self, file, text):
        """Replaces a file until the test is over."""
        path = self.root / file
        self.addCleanup(*((path.write_text, path.read_text()) if path.exists() else (path.unlink,)))
        path.write_text(text)

    def edit(self, file, old, new):
        text = (self.root / file).read_text()
        self.assertIn(old, text, file)
        self.write(file, text.replace(old, new, 1))

    def append(self, file, text):
        self.write(file, (self.root / file).read_text() + text)

    def expect(self, *patterns):
        found = sorted(set(complaints(self.root)) - self.before)
        for pattern in patterns:
            self.assertTrue(any(re.search(pattern, line) for line in found), f"no {pattern} in {found}")

    def test_include_upwards(self):
        self.append("machine/machine.hpp", '#include "check/check.hpp"\n')
        self.expect(r"machine/machine.hpp:\d+: machine includes check/check.hpp, but rooms.hpp does not let")

    def test_include_in_a_subfolder(self):
        self.append("explain/words.cpp", '#include "cli/cli.hpp"\n')
        self.append("cli/repl/repl.cpp", '#include "tests/support/plain.hpp"\n')
        self.expect(r"explain/words.cpp:\d+: explain includes cli/cli.hpp", r"cli/repl/repl.cpp:\d+: cli includes tests/")

    def test_include_not_from_the_root(self):
        self.append("cli/repl/repl.cpp", '#include "../cli.hpp"\n#include <grammar/parse.hpp>\n')
        self.expect(r"no file ../cli.hpp; name headers from the root", r'write #include "grammar/parse.hpp"')

    def test_cycle(self):
        self.edit(ROOMS, "namespace base {}", "namespace base {\nusing namespace check;\n} // namespace base")
        self.append("base/source.hpp", '#include "check/check.hpp"\n')
        self.expect(r"rooms.hpp: the arrows go round: .*check.*base")

    def test_unused_arrow(self):
        self.edit(ROOMS, "namespace machine {\n", "namespace machine {\nusing namespace unheard_of;\n")
        self.expect(r"rooms.hpp:\d+: machine lists unheard_of, but includes none", "which is not a room")

    def test_unlisted_room(self):
        (self.root / "attic").mkdir()
        self.addCleanup((self.root / "attic").rmdir)
        self.write("attic/old.cpp", "namespace matchpoint::attic {\n} // namespace matchpoint::attic\n")
        self.edit(ROOMS, "namespace base {}", "namespace base {}\nnamespace cellar {}")
        self.expect(r"attic/: has C\+\+ files, but", r"rooms.hpp:\d+: no folder cellar/")

    def test_wrong_namespace(self):
        self.append("matching/feasibility.cpp", "namespace matchpoint::machine {\n} // namespace matchpoint::machine\n")
        self.write("matching/odd.hpp", "#pragma once\nint odd();\n")
        self.expect(r"matching/feasibility.cpp:\d+: namespace matchpoint::machine in the folder of matchpoint::matching",
                    r"matching/odd.hpp:1: nothing in namespace")

    def test_library_that_is_not_linked(self):
        self.edit("machine/CMakeLists.txt", "matchpoint_grammar", "")
        self.expect("machine/CMakeLists.txt: the target of machine does not link grammar")

    def test_library_that_is_linked_upwards(self):
        self.edit("machine/CMakeLists.txt", "matchpoint_grammar", "matchpoint_grammar matchpoint_check")
        self.expect("machine/CMakeLists.txt: the target of machine links check, but")

    def test_source_that_is_not_compiled(self):
        self.write("cli/commands/odd.cpp", "namespace matchpoint::cli {\n} // namespace matchpoint::cli\n")
        self.expect("cli/CMakeLists.txt: commands/odd.cpp is not compiled")

    def test_x3(self):
        self.append("base/source.hpp", "#include <boost/spirit/home/x3.hpp>\n")
        self.append("tests/grammar/parse_test.cpp", "#include <boost/spirit/home/x3.hpp>\n")
        self.expect(r"base/source.hpp:\d+: includes Spirit X3", r"tests/grammar/parse_test.cpp:\d+: includes Spirit X3")

    def test_binary_with_semantics(self):
        self.append("cli/commands/run.cpp", "// machine.apply(t);\n")
        self.append("cli/repl/repl.cpp", "// for (auto t : enabled(code, state))\n")
        self.expect(r"cli/commands/run.cpp:\d+: cli calls machine.apply\(", r"cli/repl/repl.cpp:\d+: cli calls enabled\(")

    def test_default(self):
        self.append("check/plan.cpp", "void f(int n) {\n    switch (n) {\n    default: break;\n    }\n}\n")
        self.expect(r"check/plan.cpp:\d+: `default:` hides cases")

    def test_public_headers_of_others(self):
        self.append("include/matchpoint/check.hpp", "#include <boost/container/small_vector.hpp>\n")
        self.append("include/matchpoint/step.hpp", '#include "machine/machine.hpp"\n')
        self.append("check/check.hpp", "#include <matchpoint/check.hpp>\n")
        self.expect(r"include/matchpoint/check.hpp:\d+: a public header includes boost/container",
                    r"include/matchpoint/step.hpp:\d+: a public header includes machine/machine.hpp",
                    r"check/check.hpp:\d+: check includes <matchpoint/check.hpp>, which is for outsiders")

    def test_recorder_upwards(self):
        self.append("record/mpi/values.c", '#include "calls.h"\n')
        self.append("record/mpi/output.h", '#include "output.h"\nvoid above(int n);\n')
        self.append("record/mpi/requests.c", "\nvoid above(int n) {\n    (void)n;\n}\n")
        self.write("record/mpi/odd.c", "int odd;\n")
        self.expect(r"record/mpi/values.c:\d+: includes calls.h, which is in no layer below",
                    r"record/mpi/output.h:\d+: includes output.h, which is in no layer below",
                    "record/mpi/requests.c: defines above, which output.h of another layer declares",
                    "record/mpi/recorder.h:1: the list of layers and the folder do not both have odd.c")

    def test_naive_oracle_with_product_code(self):
        self.append("tests/support/naive_explore.cpp", '#include "executions/explorer.hpp"\n')
        self.append("tests/support/plain.hpp", '#include "tests/support/compare.hpp"\n')
        self.append("tests/support/all_rooms.hpp", '#include "machine/machine.hpp"\n')
        self.expect("a naive oracle includes executions/explorer.hpp", "a naive oracle includes tests/support/compare.hpp",
                    r"tests/support/all_rooms.hpp:\d+: every naive oracle")


if __name__ == "__main__":
    unittest.main()
