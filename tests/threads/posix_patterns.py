#!/usr/bin/env python3
"""The patterns of docs/shared_memory.md against a naive model of what POSIX says: mutexes, condition variables and barriers of small
programs. `check` has to find the same runs: no other values of a log that the threads write, each of these, or eight of many, and a deadlock where there is one. No pattern has
a data race of its own.

A part of the programs; with MATCHPOINT_EVERY=1 all of them. More arguments go to `check`: `posix_patterns.py --limit 1` asks the engines
that follow exploration. With a limit an answer may be `unknown`, and never the opposite.
"""

import json
import sys
import tempfile
from collections import Counter
from itertools import islice
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent / "cli"), str(Path(__file__).resolve().parent)]
from naive_posix import Posix  # noqa: E402
from patterns import Program, conjunction, disjunction  # noqa: E402
from small_programs import families  # noqa: E402
from support import part, run  # noqa: E402

BATCH = 400  # files that one process checks


def questions(threads, objects):
    """Texts of programs, each with the verdict and the answer about a deadlock that `check` has to give."""
    logs, deadlock = Posix(threads, **objects).outcomes()
    program = Program(threads, **objects)
    values = sorted(map(program.value, logs))
    stuck = "yes" if deadlock else "no"
    yield program.text(disjunction(f"(= log {v})" for v in values)), "safe" if values else "vacuous", stuck
    for value in values[::1 + len(values) // 8]:
        yield program.text(f"(!= log {value})"), "violated", stuck


def answers(texts, options):
    """What `check` says of the programs, all in one process."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{n}.ctp" for n in range(len(texts))]
        for path, text in zip(paths, texts):
            path.write_text(text)
        result = run("check", "--format", "json", *options, *paths)
        found = json.loads(result.text)["results"]
        assert len(found) == len(texts), result.error_text[:2000]
        return [(r["verdict"], r["deadlock"]["answer"], r["data_race"].get("variable")) for r in found]


def verdict_on(found, promised, options):
    """Whether an answer is "right", "wrong" or, if there is a limit, "unknown"."""
    *answers, race = found
    if race not in (None, "log") or any(a not in (p, "unknown") for a, p in zip(answers, promised)):
        return "wrong"
    if "unknown" in answers:
        return "unknown" if options else "wrong"
    return "right"


def compare(family, thinned, options):
    """How many programs there were, how many answers of each kind, and the questions that were answered wrong."""
    programs, count, wrong = part(family.programs, thinned), Counter(), []
    asked = (question for threads in programs for question in questions(threads, family.objects))
    while batch := list(islice(asked, BATCH)):
        for (text, *promised), found in zip(batch, answers([text for text, *_ in batch], options)):
            kind = verdict_on(found, promised, options)
            count[kind] += 1
            if kind == "wrong":
                wrong.append(f"; POSIX: {promised}, check: {list(found)}\n{text}")
    return len(programs), count, wrong


def main(options):
    failures = 0
    for family, thinned in families():
        programs, count, wrong = compare(family, thinned, options)
        print(f"{family.name}: {programs} programs, answers:", ", ".join(f"{n} {kind}" for kind, n in count.items()), flush=True)
        if wrong:
            print(min(wrong, key=len))
        failures += len(wrong)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
