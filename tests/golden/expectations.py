#!/usr/bin/env python3
"""Compares what the first comment of each program below traces/ and tests/regressions/ promises with what the binary says.

The promises are lines of the first comment block. Of the file's traces, that is, of `matchpoint run`:
    ; expect infinite: success (well-formed); error entry 2 at 01: send not taken     one item for each trace
    ; expect zero: error entry 3: trace used up; infeasible (not well-formed)
    ; store infinite 1: x = 2, y = true                                               all of the store after trace 1
    ; matches zero 2: r1 = s2, r2 = s1                                                all matches of trace 2, in any order
Of all executions, that is, of `matchpoint check` with each engine:
    ; check infinite: violated
    ; check zero: safe, deadlock
    ; check infinite: violated, 2 switches          of a program with shared variables: the fewest context switches to a failure
    ; check infinite --limit 1: safe                with these options beside --engine auto: this, or unknown
    ; complete zero: vacuous                        the same with --runs complete
    ; models infinite 1: ctp violated, mcm safe, hb safe      what the causal models of trace 1 say
As a grammar, where an outcome is as in the first two lines above:
    expect  = "; expect " buffering ": " outcome { "; " outcome }
    check   = "; check " buffering [ " " options ] ": " verdict [ ", deadlock" ] [ ", fault" ] [ ", data race" ] [ switches ]
    complete = "; complete " buffering ": " verdict [ switches ]
    models  = "; models " buffering " " trace ": ctp " verdict ", mcm " verdict ", hb " verdict
    verdict = "violated" | "safe" | "vacuous"
    switches = ", " number ( " switch" | " switches" )
    store   = "; store " buffering " " trace ": " variable " = " value { ", " variable " = " value }
    matches = "; matches " buffering " " trace ": " receive " = " send { ", " receive " = " send }
    buffering = "infinite" | "zero"
A program has `expect` for both bufferings, and `check` without options for both exactly if it obeys D1 to D6; `check` refuses
the others. A regression needs no `expect`. Where deadlock and fault are not named, there are none.

JSON is looked at for each program; text and exit code of `check` too, all programs in one process; the text of `run` for every
fourth program.
"""

import dataclasses
import json
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "cli"))
from support import (BAD_INPUT, BUFFERINGS, DEADLOCK, FAILURE, HOLDS, INFEASIBLE, STATUS_CODE, has_probes, is_shared,  # noqa: E402
                     meaning, programs, run)

REGRESSIONS = Path("tests/regressions")
VERDICT_CODE = {"violated": FAILURE, "safe": HOLDS, "vacuous": INFEASIBLE}
# Who decides, and which programs: a solver is a process for each program, and other tests ask it about all of them.
ENGINES = {
    "explore": (["--engine", "explore"], slice(None)),
    "auto": (["--engine", "auto"], slice(None)),
    "smt, z3": (["--engine", "smt", "--solver", "z3"], slice(0, None, 6)),
    "smt, cvc5": (["--engine", "smt", "--solver", "cvc5"], slice(2, None, 12)),
    "refinement, z3": (["--engine", "smt", "--refine"], slice(4, None, 12)),
}

EXPECT = re.compile(r"; expect (infinite|zero): (.*)")
FACTS = re.compile(r"; (store|matches) (infinite|zero) (\d+): (.*)")
SWITCHES = r"(?:, (\d+) switch(?:es)?)?"
CHECK = re.compile(r"; check (infinite|zero)((?: -\S+(?: [^-\s]\S*)?)*): (violated|safe|vacuous)(, deadlock)?(, fault)?(, data race)?" + SWITCHES)
COMPLETE = re.compile(r"; complete (infinite|zero): (violated|safe|vacuous)" + SWITCHES)
MODELS = re.compile(r"; models (infinite|zero) (\d+): ctp (violated|safe), mcm (violated|safe), hb (violated|safe)")
LOOKS_LIKE_ONE = re.compile(r"; *(expect|check|complete|models|store|matches)\b.*:")
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


@dataclass(frozen=True)
class Answer:
    """What is promised of all executions, or found."""

    verdict: str
    deadlock: str  # yes, no, unknown
    fault: str
    race: str = "no"  # also of a program without shared variables
    switches: int = None

    def contradicts(self, other):
        """Whether both know something, and not the same."""
        return any({a, b}.isdisjoint({"unknown", None}) and a != b
                   for a, b in zip(dataclasses.astuple(self), dataclasses.astuple(other)))

    def code(self):
        """The worst that there is: a failure, a deadlock, an error, infeasible."""
        if self.verdict == "violated":
            return FAILURE
        if self.deadlock == "yes":
            return DEADLOCK
        return STATUS_CODE["error"] if self.fault == "yes" else VERDICT_CODE[self.verdict]


def promises(path):
    """buffering -> the outcomes of the traces, buffering -> the answer of check, buffering -> verdict and switches of complete runs,
    (buffering, trace) -> the verdicts of ctp, mcm, hb, (buffering, options) -> what check does not contradict."""
    promised, checks, complete, models, optional = {}, {}, {}, {}, {}
    for line in path.read_text().splitlines():
        if not line.startswith(";"):
            break
        if match := EXPECT.fullmatch(line):
            if match[1] in promised:
                raise ValueError(f"two lines `expect {match[1]}`")
            promised[match[1]] = [parse_outcome(item) for item in match[2].split("; ")]
        elif match := CHECK.fullmatch(line):
            to, key = (optional, (match[1], match[2])) if match[2] else (checks, match[1])
            if key in to:
                raise ValueError(f"two lines `check {match[1]}{match[2]}`")
            to[key] = Answer(match[3], *("yes" if match[i] else "no" for i in (4, 5, 6)), int(match[7]) if match[7] else None)
        elif match := COMPLETE.fullmatch(line):
            complete[match[1]] = (match[2], int(match[3]) if match[3] else None)
        elif match := MODELS.fullmatch(line):
            models[match[1], match[2]] = match.groups()[2:]
        elif match := FACTS.fullmatch(line):
            outcomes = promised.get(match[2], [])
            if not 0 < int(match[3]) <= len(outcomes):
                raise ValueError(f"no trace {match[3]} is expected before `{line}`")
            outcomes[int(match[3]) - 1].facts[match[1]] = pairs(match[4])
        elif LOOKS_LIKE_ONE.match(line):
            raise ValueError(f"cannot read `{line}`")
    if (missing := set(BUFFERINGS) - set(promised)) and (promised or REGRESSIONS not in path.parents):
        raise ValueError(f"no line `expect {missing.pop()}`")
    if len(checks) == 1:
        raise ValueError("`check` for one buffering only")
    return promised, checks, complete, models, optional


def switches_of(result):
    """Of an answer in JSON: the fewest context switches, if they are known."""
    found = result.get("context_switches", {"least": None, "most": None})
    assert found["least"] == found["most"], result
    return found["least"]


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
        elif match := re.fullmatch(r"  at entry (\d+), location ([^\s,]+)(?: \([^)]*:\d+\))?(, thread \d+: .*)?", line):
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


def checked_in_text(text):
    """What `check` says of some programs: (file, buffering) -> answer."""
    head = re.compile(r"^(\S.*): (\w[\w ,]*) \((infinite|zero) buffering\)\n", re.MULTILINE)
    found = {}
    for file, verdict, buffering, rest in zip(*[iter(head.split(text)[1:])] * 4):
        switches = re.search(r"^  context switches: (\d+), and no failing execution has fewer$", rest, re.MULTILINE)
        race = re.search(r"^  data race: (\w+)$", rest, re.MULTILINE)
        found[file, buffering] = Answer(meaning(verdict), *(re.search(rf"^  {what}: (\w+)$", rest, re.MULTILINE)[1]
                                                   for what in ("deadlock", "fault")), race[1] if race else "no",
                                        int(switches[1]) if switches else None)
    return found


def is_for_solvers(path):
    """Whether solvers know all of a program. They do not where collectives disagree, or a ready send finds no receive."""
    faults = (": mismatch", ": no receive for a ready send")
    return not (is_shared(path) or has_probes(path) or any(fault in path.read_text() for fault in faults))


def problems_of_checks(checks):
    """path -> buffering -> the answer promised; empty if the program breaks a rule of the discipline."""
    refused = {path for path, answers in checks.items() if not answers}
    for path in refused:
        result = run("check", path)
        if (result.code, result.out) != (BAD_INPUT, b"") or "error[D" not in result.error_text:
            yield path, "no promise for `check`, and it is not refused for a rule of the discipline"
    checks = {path: answers for path, answers in checks.items() if answers}

    for name, (options, part) in ENGINES.items():
        paths = [p for p in checks if name in ("explore", "auto") or is_for_solvers(p)][part]
        result = run("check", *paths, *options, "--buffering", "both", "--format", "json")
        found = {}
        for answer in json.loads(result.text)["results"]:
            found[answer["file"], answer["buffering"]] = answer_in_json(answer)
            if answer["trouble"]:
                yield answer["file"], f"check, {name}, {answer['buffering']}: {answer['trouble']}"
        for path in paths:
            for buffering in BUFFERINGS:
                want, have = checks[path][buffering], found.get((str(path), buffering))
                if want != have:
                    yield path, f"check, {name}, {buffering}:\n    promised {want}\n    found    {have}"
        if result.code != FAILURE:
            yield "all together", f"check, {name}: exit code {result.code} instead of {FAILURE}"
    # In text, and the exit code of each answer that can be.
    found = checked_in_text(run("check", *checks, "--buffering", "both").text)
    codes = set()
    for path, answers in checks.items():
        for buffering, want in answers.items():
            if want != (have := found.get((str(path), buffering))):
                yield path, f"check, {buffering}, text:\n    promised {want}\n    found    {have}"
            kind = (is_shared(path), want.verdict, want.deadlock, want.fault, buffering)
            if kind in codes:
                continue
            codes.add(kind)
            code = run("check", path, "--buffering", buffering).code
            if code != want.code():
                yield path, f"check, {buffering}: exit code {code} instead of {want.code()}"


def answer_in_json(result):
    """What `check` says in JSON of one program."""
    return Answer(meaning(result["verdict"]), result["deadlock"]["answer"], result["fault"]["answer"],
                  result.get("data_race", {"answer": "no"})["answer"], switches_of(result))


def problems_with_options(path, optional):
    for (buffering, options), want in optional.items():
        result = run("check", path, "--buffering", buffering, *options.split(), "--format", "json")
        if not result.text:
            yield f"check {buffering}{options}: exit code {result.code}, {result.error_text}"
        elif want.contradicts(have := answer_in_json(json.loads(result.text)["results"][0])):
            yield f"check {buffering}{options}:\n    promised {want}\n    found    {have}"


def problems_of_complete(path, complete):
    for buffering, want in complete.items():
        result = run("check", path, "--runs", "complete", "--buffering", buffering, "--format", "json")
        answer = json.loads(result.text)["results"][0]
        have = (meaning(answer["verdict"]), switches_of(answer))
        if have != want:
            yield f"complete, {buffering}: promised {want}, found {have}"


def problems_of_models(path, models):
    for (buffering, trace), want in models.items():
        result = run("check", path, "--model", "all", "--trace", trace, "--buffering", buffering, "--format", "json")
        have = {r["model"]["name"]: meaning(r["verdict"]) for r in json.loads(result.text)["results"]}
        if tuple(have.get(name) for name in ("ctp", "mcm", "hb")) != want:
            yield f"models of trace {trace}, {buffering}: promised {want}, found {have}"
        code = FAILURE if "violated" in want else HOLDS
        if result.code != code:
            yield f"models of trace {trace}, {buffering}: exit code {result.code} instead of {code}"


def problems_of_classes(path, checks, complete):
    """Of a program with shared variables: its executions, one of each class, come to what `check` says of it."""
    few = "500"  # classes
    for buffering in BUFFERINGS if is_shared(path) and checks else ():
        result = run("explore", path, "--buffering", buffering, "--limit", few, "--format", "json")
        found = json.loads(result.text)
        verdict, verdict_of_complete = meaning(found["verdict"]), meaning(found["verdict_of_complete_runs"])
        have = (verdict, found["deadlock"], found["fault"], verdict_of_complete)
        of_complete = complete[buffering][0] if buffering in complete else verdict_of_complete
        want = (checks[buffering].verdict, checks[buffering].deadlock, checks[buffering].fault, of_complete)
        if found["complete"] and have != want:
            yield f"explore, {buffering}: {have} instead of {want}"


def problems_of(path, promised, forms):
    for buffering in promised:
        expected = promised[buffering]
        code = max(STATUS_CODE[outcome.status] for outcome in expected)
        for form, read in forms:
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
    wrong, checks = 0, {}

    def complain(path, problem):
        nonlocal wrong
        wrong += 1
        print(f"{path}: {problem}")

    paths = [*programs(shared=True), *sorted(REGRESSIONS.glob("*.ctp"))]
    for number, path in enumerate(paths):
        forms = [("json", found_in_json), ("text", found_in_text)][:2 if number % 4 == 0 else 1]
        try:
            promised, checks[path], complete, models, optional = promises(path)
        except ValueError as reason:
            complain(path, f"its promises: {reason}")
            continue
        for problem in [*problems_of(path, promised, forms), *problems_of_complete(path, complete), *problems_of_models(path, models),
                        *problems_of_classes(path, checks[path], complete), *problems_with_options(path, optional)]:
            complain(path, problem)
    for path, problem in problems_of_checks(checks):
        complain(path, problem)
    print(f"{len(paths)} programs, {wrong} promises not kept")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
