#!/usr/bin/env python3
"""Compares what the first comment of each program in traces/ and traces/errata/ promises with what `matchpoint run` says.

The promises are lines of the first comment block:
    ; expect infinite: success (well-formed); error entry 2 at 01: send not taken     one item for each trace
    ; expect zero: error entry 3: trace used up; infeasible (not well-formed)
    ; store infinite 1: x = 2, y = true                                               all of the store after trace 1
    ; matches zero 2: r1 = s2, r2 = s1                                                all matches of trace 2, in any order
Text and JSON are both looked at, the exit code included.
"""

import json
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "cli"))
from support import BUFFERINGS, STATUS_CODE, programs, run  # noqa: E402

EXPECT = re.compile(r"; expect (infinite|zero): (.*)")
FACTS = re.compile(r"; (store|matches) (infinite|zero) (\d+): (.*)")
LOOKS_LIKE_ONE = re.compile(r"; *(expect|store|matches)\b.*:")
COMPLETED = re.compile(r"(success|failure|infeasible) \((well-formed|not well-formed)\)")
ERROR = re.compile(r"error entry (\d+)(?: at (\S+))?: (.+)")


@dataclass
class Outcome:
    """What is promised of a trace, or found."""

    status: str
    well_formed: bool = False
    entry: int = None
    location: str = None
    reason: str = None
    facts: dict = field(default_factory=dict, compare=False)  # "store", "matches": name -> text


def parse_outcome(text):
    if match := COMPLETED.fullmatch(text):
        return Outcome(match[1], match[2] == "well-formed")
    if match := ERROR.fullmatch(text):
        return Outcome("error", False, int(match[1]), match[2], match[3])
    raise ValueError(f"cannot read `{text}`")


def pairs(text):
    return dict(item.split(" = ") for item in text.split(", "))


def promises(path):
    """buffering -> the outcomes of the traces."""
    promised = {}
    for line in path.read_text().splitlines():
        if not line.startswith(";"):
            break
        if match := EXPECT.fullmatch(line):
            if match[1] in promised:
                raise ValueError(f"two lines `expect {match[1]}`")
            promised[match[1]] = [parse_outcome(item) for item in match[2].split("; ")]
        elif match := FACTS.fullmatch(line):
            outcomes = promised.get(match[2], [])
            if not 0 < int(match[3]) <= len(outcomes):
                raise ValueError(f"no trace {match[3]} is expected before `{line}`")
            outcomes[int(match[3]) - 1].facts[match[1]] = pairs(match[4])
        elif LOOKS_LIKE_ONE.match(line):
            raise ValueError(f"cannot read `{line}`")
    if missing := set(BUFFERINGS) - set(promised):
        raise ValueError(f"no line `expect {missing.pop()}`")
    return promised


def found_in_text(text):
    outcomes = []
    for line in text.splitlines():
        if match := re.fullmatch(r"trace (\d+): (\w+) \((.*)\)", line):
            assert int(match[1]) == len(outcomes) + 1, line
            if match[2] == "error":
                outcomes.append(Outcome("error", reason=match[3]))
            else:
                outcomes.append(Outcome(match[2], match[3] == "well-formed"))
            outcomes[-1].facts["matches"] = {}
        elif match := re.fullmatch(r"  at entry (\d+), location ([^\s,]+)(, thread \d+: .*)?", line):
            outcomes[-1].entry, outcomes[-1].location = int(match[1]), match[2]
        elif match := re.fullmatch(r"  at the end of the trace, which has (\d+) entr(?:y|ies)", line):
            outcomes[-1].entry = int(match[1])
        elif match := re.fullmatch(r"  matches: (.*)", line):
            outcomes[-1].facts["matches"] = pairs(match[1])
    return outcomes


def found_in_json(text):
    def as_text(value):
        return str(value).lower() if isinstance(value, bool) else str(value)

    outcomes = []
    for trace in json.loads(text)["traces"]:
        assert trace["trace"] == len(outcomes) + 1
        error = trace["error"] or {}
        found = Outcome(trace["status"], trace["well_formed"], error.get("entry"), error.get("location"),
                        error.get("reason"))
        found.facts["matches"] = {m["receive"]: m["send"] for m in trace["matches"]}
        found.facts["store"] = {name: as_text(value) for name, value in trace["store"].items()}
        outcomes.append(found)
    return outcomes


def problems_of(path):
    try:
        promised = promises(path)
    except ValueError as reason:
        yield f"its promises: {reason}"
        return
    for buffering in BUFFERINGS:
        expected = promised[buffering]
        code = max(STATUS_CODE[outcome.status] for outcome in expected)
        for form, read in (("text", found_in_text), ("json", found_in_json)):
            where = f"{buffering}, {form}"
            result = run("run", path, "--buffering", buffering, "--format", form)
            if result.code != code:
                yield f"{where}: exit code {result.code} instead of {code}"
            found = read(result.text)
            if len(found) != len(expected):
                yield f"{where}: {len(found)} traces instead of {len(expected)}"
            for n, (want, have) in enumerate(zip(expected, found), 1):
                if want != have:
                    yield f"{where}, trace {n}:\n    promised {want}\n    found    {have}"
                for kind, facts in want.facts.items():
                    if kind in have.facts and facts != have.facts[kind]:
                        yield f"{where}, trace {n}, {kind}:\n    promised {facts}\n    found    {have.facts[kind]}"


def main():
    wrong = 0
    for path in programs():
        for problem in problems_of(path):
            wrong += 1
            print(f"{path}: {problem}")
    print(f"{len(programs())} programs, {wrong} promises not kept")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
