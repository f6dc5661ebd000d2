#!/usr/bin/env python3
"""Compares an implementation's answers with what the conformance suite expects. README.md says what is asked.

    check.py --command 'my_checker {ctp} {buffering}'              all executions of each program
    check.py --command 'my_interpreter {ctp} {buffering} {trace}'  each trace
    check.py --answers FILE                                        answers as JSON, one a line; `-` is standard input

Exit codes: 0 all answers are right, 1 some are wrong, 2 usage, 3 none is wrong and some are missing.
"""

import argparse
import collections
import concurrent.futures
import fnmatch
import json
import shlex
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUFFERINGS = ("infinite", "zero")
STATUSES = ("success", "failure", "infeasible", "error")
VERDICTS = ("violated", "safe", "vacuous")
# What is compared, of a trace and of all executions.
TRACE_FIELDS = ("status", "well_formed", "steps", "matches", "store", "error")
EXECUTION_FIELDS = ("verdict", "verdict_of_complete_runs", "deadlock", "fault", "data_race", "switches", "match_pairs",
                    "match_pairs_of_executions", "match_sets", "outcomes")
# Fields whose null is an answer: there is none.
MAY_BE_NONE = ("error", "switches")


def as_set(match_sets):
    return {(m.get("status"), frozenset(m["matches"].items())) for m in match_sets}


def as_outcomes(outcomes):
    # A command that reads nothing may be left out.
    def reads(of):
        return frozenset((command, frozenset(writes.items())) for command, writes in of.items() if writes)
    return {(o.get("status"), frozenset(o["matches"].items()), reads(o["reads"])) for o in outcomes}


def is_answer(field, answer):
    if answer.get(field) == "unknown":
        return False
    return answer.get(field) is not None or (field in MAY_BE_NONE and field in answer)


def same(field, answer, expected):
    """Whether an answer is right. One that has another form is not."""
    try:
        if field in ("verdict", "verdict_of_complete_runs") and answer in ("sat", "unsat"):
            return (answer == "sat") == (expected == "violated")
        if field in ("match_pairs", "match_pairs_of_executions"):
            # A receive that gets nothing may be left out.
            def pairs(of):
                return {receive: set(sends) for receive, sends in of.items() if sends}
            return pairs(answer) == pairs(expected)
        if field == "match_sets":
            return same_sets(answer, expected, as_set)
        if field == "outcomes":
            return same_sets(answer, expected, as_outcomes)
        if field == "error" and isinstance(answer, dict) and isinstance(expected, dict):
            return all(answer[key] == expected[key] for key in answer if key in expected)
        if field == "store":  # 1 is not true
            return json.dumps(answer, sort_keys=True) == json.dumps(expected, sort_keys=True)
        return type(answer) is type(expected) and answer == expected
    except (AttributeError, KeyError, TypeError):
        return False


def same_sets(answer, expected, as_of):
    if len(as_of(answer)) != len(answer):
        return False
    if all("status" not in each for each in answer):  # only who gets and reads what
        return {each[1:] for each in as_of(answer)} == {each[1:] for each in as_of(expected)}
    return as_of(answer) == as_of(expected)


class Report:
    def __init__(self, show):
        self.right, self.wrong, self.missing = (collections.Counter() for _ in range(3))
        self.show = show
        self.shown = 0

    def compare(self, what, answer, expected, fields):
        """An object's answers. Of what it does not speak of only the first field is missed."""
        fields = [field for field in fields if field in expected]
        for field in fields:
            if not is_answer(field, answer):
                if field == fields[0] and not any(is_answer(f, answer) for f in fields):
                    self.missing[field] += 1
                continue
            if same(field, answer[field], expected[field]):
                self.right[field] += 1
                continue
            self.wrong[field] += 1
            if self.shown < self.show:
                print(f"{what}: {field} is {json.dumps(answer[field])}, and should be {json.dumps(expected[field])}")
            self.shown += 1

    def miss(self, what, field, why):
        self.missing[field] += 1
        if self.shown < self.show:
            print(f"{what}: no answer: {why}")
        self.shown += 1

    def end(self):
        if self.shown > self.show:
            print(f"... and {self.shown - self.show} more")
        for field in (*TRACE_FIELDS, *EXECUTION_FIELDS):
            if self.right[field] + self.wrong[field] + self.missing[field]:
                print(f"{field}: {self.right[field]} right, {self.wrong[field]} wrong, {self.missing[field]} missing")
        if self.wrong:
            return 1
        return 3 if self.missing or not self.right else 0


class Suite:
    """The questions: (id, buffering, number of the trace or None), with what is expected."""

    def __init__(self, options):
        index = json.loads((HERE / "suite.json").read_text(encoding="utf-8"))
        self.traces = options.traces
        self.bufferings = BUFFERINGS if options.buffering == "both" else (options.buffering,)
        self.expected = {}
        for program in index["programs"]:
            if fnmatch.fnmatch(program["id"], options.only) and options.part in (None, program["part"]):
                path = HERE / "expected" / (program["id"] + ".json")
                self.expected[program["id"]] = json.loads(path.read_text(encoding="utf-8"))

    def programs(self):
        for name, document in self.expected.items():
            for buffering in self.bufferings:
                if document[buffering]["executions"] is not None:
                    yield name, buffering, None

    def runs(self):
        for name, document in self.expected.items():
            for buffering in self.bufferings:
                for number, trace in enumerate(document[buffering]["traces"], 1):
                    if self.traces == "all" or trace["well_formed"]:
                        yield name, buffering, number

    def __getitem__(self, question):
        name, buffering, number = question
        part = self.expected[name][buffering]
        return part["executions"] if number is None else part["traces"][number - 1]


def shown(question):
    name, buffering, number = question
    return f"{name}, {buffering}" + ("" if number is None else f", trace {number}")


def asked(command, question, seconds):
    """What a command answers: an object, or why there is none."""
    name, buffering, number = question
    for key, value in (("{ctp}", str(HERE / "programs" / (name + ".ctp"))), ("{buffering}", buffering),
                       ("{trace}", str(number))):
        command = [word.replace(key, value) for word in command]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return f"none after {seconds:g} seconds"
    text = done.stdout.decode(errors="replace").strip()
    if text in ("sat", "unsat") or text in VERDICTS:
        return {"verdict": text}
    if text in STATUSES:
        return {"status": text}
    try:
        answer = json.loads(text)
    except ValueError:
        answer = None
    return answer if isinstance(answer, dict) else f"it printed {text[:100]!r}"


def run_commands(options, suite, report):
    command = shlex.split(options.command)
    of_traces = any("{trace}" in word for word in command)
    fields = TRACE_FIELDS if of_traces else EXECUTION_FIELDS
    questions = list(suite.runs() if of_traces else suite.programs())
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for question, answer in zip(questions, pool.map(lambda q: asked(command, q, options.time), questions)):
            if isinstance(answer, dict):
                report.compare(shown(question), answer, suite[question], fields)
            else:
                report.miss(shown(question), fields[0], answer)


def read_answers(options, suite, report):
    """Later lines about the same thing add to earlier ones."""
    answers = collections.defaultdict(dict)
    with (sys.stdin if options.answers == "-" else open(options.answers, encoding="utf-8")) as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                answer = json.loads(line)
                question = answer["id"], answer["buffering"], answer.get("trace")
            except (ValueError, KeyError, TypeError) as reason:
                sys.exit(f"check.py: line {number} is no answer: {reason!r}")
            answers[question].update(answer)
    speaks_of_traces = any(number is not None for _, _, number in answers)
    speaks_of_programs = any(number is None for _, _, number in answers) or not answers
    for wanted, questions, fields in ((speaks_of_programs, suite.programs(), EXECUTION_FIELDS),
                                      (speaks_of_traces, suite.runs(), TRACE_FIELDS)):
        for question in questions if wanted else ():
            report.compare(shown(question), answers.get(question, {}), suite[question], fields)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--command", help="run for each program, or with {trace} for each trace, and buffering")
    source.add_argument("--answers", metavar="FILE", help="answers as JSON, one a line")
    parser.add_argument("--only", metavar="PATTERN", default="*", help="programs whose IDs are such: 'small-*'")
    parser.add_argument("--part", metavar="N", type=int, choices=(1, 2, 3),
                        help="programs of a part: 1 is plain; 2 has selectors, modes, barriers or places; 3 has shared variables (all)")
    parser.add_argument("--buffering", choices=(*BUFFERINGS, "both"), default="both")
    parser.add_argument("--traces", choices=("all", "well-formed"), default="all")
    parser.add_argument("--jobs", metavar="N", type=int, default=1, help="commands that run at a time")
    parser.add_argument("--time", metavar="SECONDS", type=float, default=60, help="that a command may take (60)")
    parser.add_argument("--show", metavar="N", type=int, default=20, help="wrong answers that are shown (20)")
    options = parser.parse_args()
    suite, report = Suite(options), Report(options.show)
    try:
        (run_commands if options.command else read_answers)(options, suite, report)
    except OSError as reason:
        print(f"check.py: {reason}", file=sys.stderr)
        return 2
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
