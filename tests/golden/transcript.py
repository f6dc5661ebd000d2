#!/usr/bin/env python3
"""Compares transcripts with what the binary prints, or writes them anew.

    transcript.py --check FILES...       compare, and show differences
    transcript.py --update FILES...      write what is printed now

FILES, or patterns of them, are
    x.expected   blocks of a line `$ matchpoint ...`, the exact standard output, and a line `[exit N]`
    x.md         the same in ```console blocks, with standard output followed by standard error, and an exit code
                 only where it is wanted; a line `...` stands for any lines; and ```rpc blocks, which are one session of
                 `matchpoint oracle`: requests behind `--> `, each with its answer behind `<-- `; other blocks are not
                 run. Lines `> command` below a `$ matchpoint step ...` or `$ matchpoint rma step ...` are what the session is given (--echo shows them)
    a folder     its x.expected files: one for each x.ctp, with both bufferings, and one for each x.rma, under both models
The commands are run without a shell, from the current folder. `$ matchpoint ... | matchpoint ...` gives the second one what
the first one prints; the exit code is that of the last.
"""

import argparse
import difflib
import glob
import re
import shlex
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "cli"))
from served import RELAY, encoder  # noqa: E402
from support import run, without_progress  # noqa: E402

EXIT = re.compile(r"\[exit (\d+)\]")
FENCE = re.compile(r"(?P<fence>```+)(?P<kind>console|rpc)\s*$")


class Refused(Exception):
    pass


def lines_of(text):
    """Without the end of the last line. (str.splitlines would also split at a lone carriage return and the like.)"""
    return text.removesuffix("\n").split("\n") if text else []


def served(words):
    """The words with an encoder of tests/encoders that answers from this process: it is asked thousands of times."""
    if "--" in words and Path(RELAY).exists():
        end = words.index("--") + 1
        if words[end:end + 1] == ["python3"] and words[end + 1].startswith("tests/encoders/"):
            return [*words[:end], *encoder(Path(words[end + 1]).stem, *words[end + 2:])]
    return words


def answer(command, with_errors, with_code, given=()):
    """The lines of a block: the command, its output, its exit code. `given` are lines for its standard input."""
    words = shlex.split(command)
    if not words or words[0] != "matchpoint":
        raise Refused(f"only `matchpoint` is run here: {command}")
    if any(word in (">", "<", ">>", "&&", "||", ";", "2>&1") for word in words):
        raise Refused(f"there is no shell here: {command}")
    for line in given:
        if saved := re.match(r"save \w+ ((?:build|/tmp)/\S+\.\w+)$", line):  # by an earlier run: no file is replaced
            Path(saved[1]).unlink(missing_ok=True)
    stdin, errors = "".join(line + "\n" for line in given).encode(), ""
    while "|" in words:
        first, words = words[:words.index("|")], words[words.index("|") + 1:]
        if first[:1] != ["matchpoint"] or words[:1] != ["matchpoint"]:
            raise Refused(f"only `matchpoint` is run here: {command}")
        before = run(*first[1:], stdin=stdin)
        stdin, errors = before.out, errors + before.error_text
    if words[1:2] == ["step"] or words[1:3] == ["rma", "step"]:
        with tempfile.TemporaryFile() as out:  # what goes wrong stands where it went wrong
            result = run(*words[1:], "--echo", stdin=stdin, stdout=out, stderr=out)
            out.seek(0)
            output = out.read().decode()
    else:
        result = run(*served(words)[1:], stdin=stdin)
        output = result.text + (errors + without_progress(result.error_text) if with_errors else "")
    lines = [f"$ {command}"] + lines_of(output)
    return lines + [f"[exit {result.code}]"] if with_code else lines


def agrees(told, lines):
    """Whether lines are as told, where `...` stands for any of them."""
    pattern = "".join("(?:.*\n)*?" if line == "..." else re.escape(line) + "\n" for line in told)
    return re.fullmatch(pattern, "".join(line + "\n" for line in lines)) is not None


def replay(lines, markdown):
    """What a transcript should say, given what it says: the same commands with their present output."""
    blocks = []
    for line in lines:
        if line.startswith("$ "):
            blocks.append([line])
        elif blocks:
            blocks[-1].append(line)
        else:
            raise Refused(f"a transcript begins with a command, not with: {line}")
    result = []
    for block in blocks:
        has_code = any(EXIT.fullmatch(line) for line in block)
        given = [line[2:] for line in block[1:] if line.startswith("> ")]
        now = answer(block[0][2:], with_errors=markdown, with_code=has_code or not markdown, given=given)
        result += block if markdown and "..." in block and agrees(block, now) else now
    return result


def replay_session(lines, session):
    """A part of a session, with its present answers; `session` are the requests so far."""
    result = []
    for line in lines:
        if line.startswith("--> "):
            before = session_answers(session)
            session.append(line.removeprefix("--> "))
            result += [line] + ["<-- " + answer for answer in session_answers(session)[len(before):]]
        elif not line.startswith("<-- "):
            raise Refused(f"in a session lines begin with `--> ` or `<-- `: {line}")
    return result


def session_answers(requests):
    return lines_of(run("oracle", stdin="".join(request + "\n" for request in requests).encode()).text)


def replay_markdown(lines):
    result, block, kind, fence, session = [], None, None, None, []
    for line in lines:
        if block is None:
            result.append(line)
            if match := FENCE.match(line):
                block, kind, fence = [], match["kind"], match["fence"]
        elif line == fence:
            result += (replay(block, markdown=True) if kind == "console" else replay_session(block, session)) + [line]
            block = None
        else:
            block.append(line)
    if block is not None:
        raise Refused("a block is not closed")
    return result


def commands_of(expected):
    """What the transcript of a program in a folder has to run."""
    program = expected.with_suffix(".rma")
    if program.exists():
        return [f"$ matchpoint rma check --finals {program}", f"$ matchpoint rma check --finals --sc {program}"]
    program = expected.with_suffix(".ctp")
    return [f"$ matchpoint run {program}", f"$ matchpoint run {program} --buffering zero"]


def present(path):
    """What the file should hold."""
    if path.suffix == ".expected":
        old = lines_of(path.read_text()) if path.exists() else []
        if not old:
            old = commands_of(path)
        new = replay(old, markdown=False)
    else:
        new = replay_markdown(lines_of(path.read_text()))
    return "".join(line + "\n" for line in new)


def in_folder(folder):
    programs = {p.with_suffix(".expected") for suffix in ("ctp", "rma") for p in folder.glob(f"*.{suffix}")}
    stray = set(folder.glob("*.expected")) - programs
    for path in sorted(stray):
        print(f"{path}: there is no {path.with_suffix('.ctp').name}")
    for path in sorted(programs):
        commands = commands_of(path)
        if path.exists() and not set(commands) <= set(lines_of(path.read_text())):
            print(f"{path}: it has to run {', '.join(command.removeprefix('$ ') for command in commands)}")
            stray.add(path)
    return sorted(programs), len(stray)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    mode = parser.add_mutually_exclusive_group(required=True)
    mode.add_argument("--check", action="store_true")
    mode.add_argument("--update", action="store_true")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()

    paths, wrong = [], 0
    for pattern in options.files:
        for path in map(Path, sorted(glob.glob(pattern)) or ([pattern] if options.update else [])):
            if path.is_dir():
                found, problems = in_folder(path)
                paths += found
                wrong += problems
            else:
                paths.append(path)
    if not paths:
        print("no files: run this from the root of the project")
        return 1

    for path in paths:
        try:
            new = present(path)
        except Refused as reason:
            print(f"{path}: {reason}")
            wrong += 1
            continue
        old = path.read_text() if path.exists() else ""
        if new == old:
            continue
        if options.update:
            path.write_text(new)
            print(f"{path}: written")
        else:
            wrong += 1
            sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), new.splitlines(True), str(path), "now"))
    print(f"{len(paths)} files, {wrong} of them wrong" if wrong else f"{len(paths)} files, all as they should be")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
