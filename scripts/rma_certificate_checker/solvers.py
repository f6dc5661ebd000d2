"""Asks solvers whether rules hold: child processes that read SMT-LIB from standard input."""

import os
import shlex
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor

ARGUMENTS = {"z3": ["-in", "-smt2"], "cvc5": ["--lang", "smt2", "--incremental"]}
ANSWERS = ("sat", "unsat", "unknown")


running = set()  # processes, each of which leads a group


class NoAnswer(Exception):
    """A solver is not there, or did not do what it should."""


def problem(rules, all_rules):
    """What is asked, as text: a question for each rule, to which `unsat` means that it holds."""
    lines = ["(set-logic ALL)"]
    for symbol, sort in rules.sorts.items():
        lines.append(f"(declare-const {symbol} {sort})")
        if symbol[0] == "e":
            lines.append(f"(declare-const n{symbol[1:]} {sort})")
    for state, entry in rules.entries.items():
        parameters = " ".join(f"({symbol} {rules.sorts[symbol]})" for symbol in entry.symbols)
        lines.append(f"(define-fun F{rules.number[state]} ({parameters}) Bool {entry.formula})")
    for rule in all_rules:
        premise = [] if rule.before is None else [rules.holds(rule.before, {})]
        lines += ["(push 1)", *(f"(assert {e})" for e in premise + rule.assumptions),
                  f"(assert (not {rule.conclusion}))", "(check-sat)", "(pop 1)"]
    return "\n".join([*lines, "(exit)", ""])


def command(solver):
    """The words that start a solver. `z3` and `cvc5`, also with their folders, are known by their names."""
    words = shlex.split(solver)
    if len(words) == 1:
        words += ARGUMENTS.get(os.path.basename(words[0]), [])
    return words


def asked(solver, text, count, seconds):
    """The answers of a solver: of all questions, or up to the first one that it refutes. Raises NoAnswer."""
    try:
        process = subprocess.Popen(command(solver), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
    except OSError as e:
        raise NoAnswer(f"{solver} cannot be started: {e.strerror}") from None
    running.add(process)
    timed_out = False
    try:
        out, _ = process.communicate(text, timeout=seconds)
    except subprocess.TimeoutExpired:
        timed_out = True
        kill(process)
        out, _ = process.communicate()
    running.discard(process)
    answers = out.split("\n")[:-1]
    first = next((i for i, answer in enumerate(answers) if answer != "unsat"), len(answers))
    if first < len(answers) and answers[first] == "sat":
        return answers[:first + 1]
    if first < len(answers) and not (timed_out and answers[first] not in ANSWERS):
        raise NoAnswer(f"{solver} has no answer about rule {first + 1} of {count}: {answers[first][:200]}")
    if timed_out:
        raise NoAnswer(f"{solver} timed out after {seconds:g} s, at rule {first + 1} of {count}")
    if len(answers) != count or process.returncode != 0:
        raise NoAnswer(f"{solver} ended with code {process.returncode} after {len(answers)} of {count} answers")
    return answers


def kill(process):
    """With what it has started, such as a solver that a script calls."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def kill_all():
    for process in list(running):
        kill(process)


def first_refuted(solvers, text, count, seconds):
    """The first rule that a solver refutes, and which solvers do; None if all say that all rules hold. Raises
    NoAnswer."""
    def one(solver):
        try:
            return asked(solver, text, count, seconds)
        except NoAnswer as e:
            return e
    with ThreadPoolExecutor(len(solvers)) as pool:
        results = list(pool.map(one, solvers))
    refuted = [(len(answers) - 1, solver) for solver, answers in zip(solvers, results)
               if not isinstance(answers, NoAnswer) and answers and answers[-1] == "sat"]
    if refuted:
        at = min(refuted)[0]
        return at, [solver for i, solver in refuted if i == at]
    for result in results:
        if isinstance(result, NoAnswer):
            raise result
    return None
