#!/usr/bin/env python3
"""Installs a build into an empty prefix, and builds other projects against what find_package(matchpoint) finds there: the
program in consumer/, and every C++ example of docs/library.md.

    install.py --build BUILD --work SCRATCH [--page PAGE]

An example is a ```cpp block whose first line is `// example: NAME`: a whole program. A ```text block that comes next holds its
output.
"""

import argparse
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BLOCK = re.compile(r"^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"// example: (\w+)\n")


class Wrong(Exception):
    pass


@dataclass
class Example:
    name: str
    source: str
    output: str


def examples(page):
    """The examples of a page, in order."""
    found, waiting = [], None
    for block in BLOCK.finditer(page):
        named = NAMED.match(block["text"]) if block["kind"] == "cpp" else None
        if waiting and block["kind"] == "text":
            found.append(Example(*waiting, block["text"]))
            waiting = None
        elif waiting:
            break
        elif named:
            waiting = named[1], block["text"]
    if waiting:
        raise Wrong(f"example {waiting[0]}: the next block is not a ```text block with its output")
    if len({example.name for example in found}) != len(found):
        raise Wrong("two examples have the same name")
    return found


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise Wrong(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def expect(what, printed, wanted):
    if printed != wanted:
        raise Wrong(f"{what} printed\n{printed}instead of\n{wanted}")


def no_generic_folders(include):
    """The prefix's include folder has one entry: others would get in the way of other packages' headers."""
    found = sorted(path.name for path in include.iterdir())
    if found != ["matchpoint"]:
        raise Wrong(f"{include} has {found}, and not only the folder matchpoint")
    left = [f"{path}: {line}" for path in include.rglob("*.hpp") for line in path.read_text().splitlines()
            if line.startswith('#include "') and not line.startswith('#include "matchpoint/')]
    if left:
        raise Wrong("includes that are not below matchpoint/:\n" + "\n".join(left))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True, help="the build to install")
    parser.add_argument("--work", type=Path, required=True, help="a folder to be emptied and used")
    parser.add_argument("--page", type=Path, default=ROOT / "docs/library.md", help="the page with examples")
    options = parser.parse_args()

    shutil.rmtree(options.work, ignore_errors=True)
    prefix, project, build = options.work / "prefix", options.work / "project", options.work / "build"
    run("cmake", "--install", options.build, "--prefix", prefix)
    no_generic_folders(prefix / "include")
    shutil.copytree(HERE / "consumer", project)
    found = examples(options.page.read_text())
    if not found:
        raise Wrong(f"{options.page}: no examples")
    for example in found:
        (project / f"example_{example.name}.cpp").write_text(example.source)
    run("cmake", "-S", project, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", build)

    expect("consumer", run(build / "consumer"), "failure, 2 matches: r1 = s1, r2 = s2\n")
    expect("matchpoint --version", run(prefix / "bin/matchpoint", "--version"), "matchpoint 0.1.0\n")
    for example in found:
        expect(f"example {example.name}", run(build / f"example_{example.name}"), example.output)
    print(f"{len(found)} examples")


if __name__ == "__main__":
    try:
        main()
    except Wrong as e:
        sys.exit(str(e))
