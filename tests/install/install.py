#!/usr/bin/env python3
"""Installs a build into an empty prefix, and builds other projects against what find_package(matchpoint) finds there, and once
more against what pkg-config finds: the program in consumer/, and every C++ example of docs/library.md.

    install.py --build BUILD --work SCRATCH [--page PAGE] [--update]

An example is a ```cpp block whose first line is `// example: NAME`: a whole program. A ```text block that comes next holds its
output. --update writes it.
"""

import argparse
import os
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


def run(*command, codes=(0,), **environment):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          env={**os.environ, **environment})
    if done.returncode not in codes:
        raise Wrong(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def expect(what, printed, wanted):
    if printed != wanted:
        raise Wrong(f"{what} printed\n{printed}instead of\n{wanted}")


def update(path, outputs):
    page = path.read_text()
    for name, output in outputs.items():
        code = page.index(f"// example: {name}\n")
        begin = page.index("```text\n", code) + len("```text\n")
        page = page[:begin] + output + page[page.index("```", begin):]
    path.write_text(page)


def no_generic_folders(include):
    """The prefix's include folder has one entry: others would get in the way of other packages' headers."""
    found = sorted(path.name for path in include.iterdir())
    if found != ["matchpoint"]:
        raise Wrong(f"{include} has {found}, and not only the folder matchpoint")
    installed = sorted(path.relative_to(include) for path in include.rglob("*.hpp"))
    public = sorted(path.relative_to(ROOT / "include") for path in (ROOT / "include").rglob("*.hpp"))
    if installed != public:
        raise Wrong(f"{include} has {installed}, and include/ has {public}")


def everything_is_there(prefix):
    """What a user looks for, in the usual places."""
    share = prefix / "share"
    doc = share / "doc/matchpoint"
    commands = re.findall(r"^\| \[`(\w+)`\]", (ROOT / "docs/cli.md").read_text(), re.MULTILINE)
    wanted = [doc / name for name in ("README.md", "LICENSE", "CHANGELOG.md")]
    wanted += [doc / page.relative_to(ROOT) for page in (ROOT / "docs").glob("*.md")]
    wanted += [doc / "examples" / program.relative_to(ROOT) for program in (ROOT / "traces").rglob("*.ctp")]
    for schema in (ROOT / "docs/schema").iterdir():
        wanted += [share / "matchpoint/schema" / schema.name, doc / "docs/schema" / schema.name]
    wanted += [share / "man/man1/matchpoint.1", *(share / f"man/man1/matchpoint-{command}.1" for command in commands)]
    wanted += [share / "bash-completion/completions/matchpoint", share / "zsh/site-functions/_matchpoint",
               share / "fish/vendor_completions.d/matchpoint.fish"]
    wanted += [share / "matchpoint/scripts" / name for name in ("check_certificate", "check_rma_certificate")]
    missing = [str(path) for path in wanted if not path.is_file() or path.stat().st_size == 0]
    if len(commands) < 10 or missing:
        raise Wrong("not installed:\n" + "\n".join(missing))


def main_job(prefix, work):
    """The tool on an installed example; the installed checker of certificates on the tool's certificate."""
    tool, examples = prefix / "bin/matchpoint", prefix / "share/doc/matchpoint/examples/traces"
    if "violated (infinite buffering)" not in run(tool, "check", examples / "figure1.ctp", codes=(10,)):
        raise Wrong("the installed tool does not find Figure 1 violated")
    program = examples / "figure1.ctp"
    run(tool, "check", program, "--buffering", "zero", "--certificate", work / "certificate")
    checker = prefix / "share/matchpoint/scripts/check_certificate"
    if ": good: " not in run("/usr/bin/python3", checker, work / "certificate", program):
        raise Wrong("the installed checker refuses a certificate")


def with_pkg_config(prefix, project, build, names):
    """One command line for each program, as docs/library.md has it. Warnings are those of this compiler in system headers."""
    found = [path.parent for path in prefix.rglob("matchpoint.pc")]
    if len(found) != 1:
        raise Wrong(f"{len(found)} files matchpoint.pc below {prefix}")
    flags = run("pkg-config", "--cflags", "--libs", "--static", "matchpoint", PKG_CONFIG_PATH=str(found[0])).split()
    version = run("pkg-config", "--modversion", "matchpoint", PKG_CONFIG_PATH=str(found[0]))
    expect("pkg-config --modversion", version, project_version() + "\n")
    build.mkdir()
    for name in names:
        run("g++", "-std=c++20", project / f"{name}.cpp", "-o", build / name, *flags)


def project_version():
    return re.search(r"^project\(matchpoint VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True, help="the build to install")
    parser.add_argument("--work", type=Path, required=True, help="a folder to be emptied and used")
    parser.add_argument("--page", type=Path, default=ROOT / "docs/library.md", help="the page with examples")
    parser.add_argument("--update", action="store_true", help="write the outputs of the examples into the page")
    options = parser.parse_args()

    shutil.rmtree(options.work, ignore_errors=True)
    prefix, project, build = options.work / "prefix", options.work / "project", options.work / "build"
    run("cmake", "--install", options.build, "--prefix", prefix)
    no_generic_folders(prefix / "include")
    everything_is_there(prefix)
    main_job(prefix, options.work)
    shutil.copytree(HERE / "consumer", project)
    found = examples(options.page.read_text())
    if not found:
        raise Wrong(f"{options.page}: no examples")
    for example in found:
        (project / f"example_{example.name}.cpp").write_text(example.source)
    run("cmake", "-S", project, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", build)

    with_pkg_config(prefix, project, options.work / "pkg_config",
                    ["consumer", *(f"example_{example.name}" for example in found)])

    if options.update:
        update(options.page, {example.name: run(build / f"example_{example.name}") for example in found})
        return
    for folder in (build, options.work / "pkg_config"):
        expect("consumer", run(folder / "consumer"), "failure, 2 matches: r1 = s1 r2 = s2\n")
        for example in found:
            expect(f"example {example.name}", run(folder / f"example_{example.name}"), example.output)
    version = run(prefix / "bin/matchpoint", "--version").splitlines()[0]
    expect("matchpoint --version", version, f"matchpoint {project_version()}")
    print(f"{len(found)} examples")


if __name__ == "__main__":
    try:
        main()
    except Wrong as e:
        sys.exit(str(e))
