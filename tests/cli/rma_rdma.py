#!/usr/bin/env python3
"""The programs of traces/rma/rdma under the paper's model and under the order of RDMA's queue pairs, by naive search.

docs/rdma.md has the rules. A program's first comment says its outcome: `; check rma: violated` by the paper's model, `; check rdma: safe`
by queue pairs, and `; check poll: safe` by queue pairs if each `flush` only polls for completions.

  tests/cli/rma_rdma.py --table      the table of docs/rdma.md
"""

import re
import sys
import unittest
from pathlib import Path

FOLDER = Path("traces/rma/rdma")
MODELS = ("rma", "rdma", "poll")
ATOMICS = ("accumulate", "compare-and-swap")
OPERATORS = {"=": lambda a, b: a == b, "!=": lambda a, b: a != b, "+": lambda a, b: a + b, "and": lambda *a: all(a), "or": lambda *a: any(a),
             "not": lambda a: not a, "replace": lambda _, b: b}


def read(text):
    """Nested tuples of words."""
    stack = [[]]
    for word in re.findall(r"[()]|[^\s()]+", re.sub(r";.*", "", text)):
        if word == "(":
            stack.append([])
        elif word == ")":
            done = tuple(stack.pop())
            stack[-1].append(done)
        else:
            stack[-1].append(word)
    return stack[0][0]


def promises(text):
    return dict(re.findall(r"^; check (\w+): (\w+)", text, re.MULTILINE))


def value(e, M):
    if isinstance(e, tuple):
        return OPERATORS[e[0]](*(value(x, M) for x in e[1:]))
    return M[e] if e in M else int(e)


class Program:
    def __init__(self, text):
        word, *parts = read(text)
        assert word == "rma"
        self.code, self.M, self.finals = {}, {}, []
        for part in parts:
            if part[0] == "assert":
                self.finals.append(part[2])
                continue
            _, pid, *rest = part
            for kind, *variables in (x for x in rest if x[0] in ("shared", "local")):
                assert kind in ("shared", "local")
                self.M.update((x, int(v)) for x, v in variables)
            self.code[pid] = tuple(x for x in rest if x != "bot" and x[0] not in ("shared", "local"))

    def outcome(self, model):
        """Looks at every state: (the statements that each process has left, memory, the pending operations in the order of issue).

        An operation is (process, statement, value). The value is what it has read, None before that.
        """
        begin = (tuple(self.code.items()), tuple(self.M.items()), ())
        seen, todo = {begin}, [begin]
        while todo:
            state = todo.pop()
            nexts = list(steps(state, model))
            if not nexts and not all(value(e, dict(state[1])) for e in self.finals):
                return "violated"
            for other in nexts:
                if other not in seen:
                    seen.add(other)
                    todo.append(other)
        return "safe"


def place(statement):
    """The variable that a remote statement names at the other process."""
    return statement[1 if statement[0] in ("put", "accumulate") else 2]


def target(statement):
    """The process that a remote statement names."""
    return statement[2 if statement[0] in ("put", "accumulate") else 3]


def steps(state, model):
    code, memory, pending = state
    M = dict(memory)
    for i, (p, statements) in enumerate(code):
        if statements:
            for rest, changes, operation in process_step(p, statements, M, pending, model):
                yield (*code[:i], (p, rest), *code[i + 1:]), tuple({**M, **changes}.items()), pending + operation
    for i, operation in enumerate(pending):
        if is_next(pending[:i], operation, model):
            after, changes = card_step(operation, M)
            yield code, tuple({**M, **changes}.items()), pending[:i] + after + pending[i + 1:]


def process_step(p, statements, M, pending, model):
    """(the statements left, what changes in memory, a new operation)."""
    s, *rest = statements
    rest = tuple(rest)
    mine = [(t, v) for q, t, v in pending if q == p]
    if s[0] in ("load", "store"):
        yield rest, {s[1]: value(s[2], M)}, ()
    elif s[0] == "if":
        yield (s[2] if value(s[1], M) else s[3] if len(s) > 3 else ()) + rest, {}, ()
    elif s[0] in ("put", "get", *ATOMICS):
        yield rest, {}, ((p, s, None),)
    elif s[0] == "flush":
        # A put is complete for a poll when its buffer can be used again.
        waits_for = [t for t, v in mine if target(t) == s[1] and not (model == "poll" and t[0] == "put" and v is not None)]
        if not waits_for:
            yield rest, {}, ()
    else:
        raise NotImplementedError(s[0])


def card_step(operation, M):
    """(the operation that is left, if any; what changes in memory)."""
    p, s, v = operation
    if s[0] == "accumulate":
        return (), {s[1]: OPERATORS[s[3]](M[s[1]], M[s[4]])}
    if s[0] == "compare-and-swap" and v is None:
        return ((p, s, M[s[2]]),), {s[2]: M[s[5]]} if M[s[2]] == M[s[4]] else {}
    if v is None:
        return ((p, s, M[s[3] if s[0] == "put" else place(s)]),), {}
    return (), {s[1]: v}


def is_next(earlier, operation, model):
    """Whether the next step of an operation may come before what is left of those that were issued earlier."""
    p, s, v = operation
    mine = [(t, w) for q, t, w in earlier if q == p]
    is_atomic = s[0] in ATOMICS and v is None
    if model == "rma":  # MPI orders the atomics of a process on one variable
        return not is_atomic or not any(t[0] in ATOMICS and w is None and place(t) == place(s) for t, w in mine)
    queue = [(t, w) for t, w in mine if target(t) == target(s)]
    if s[0] == "put" and v is None:  # Q2
        return not any(t[0] == "put" and w is None for t, w in queue)
    if s[0] != "put" and v is not None:  # the result comes back: nothing orders that
        return True
    return not any(t[0] == "put" or (t[0] in ATOMICS and w is None) for t, w in queue)  # Q1


def programs():
    return {path.stem: path.read_text() for path in sorted(FOLDER.glob("*.rma"))}


def table():
    rows = ["| program | paper | queue pairs | polls only | |", "|---|---|---|---|---|"]
    for name, text in programs().items():
        says = promises(text)
        title = text.splitlines()[0].removeprefix("; ")
        rows.append(f"| [`{name}`](../{FOLDER}/{name}.rma) | {' | '.join(says[model] for model in MODELS)} | {title} |")
    return "\n".join(rows) + "\n"


class Rdma(unittest.TestCase):
    def test_outcomes(self):
        for name, text in programs().items():
            program = Program(text)
            with self.subTest(program=name):
                self.assertEqual({model: program.outcome(model) for model in MODELS}, {model: promises(text)[model] for model in MODELS})

    def test_order_only_takes_away(self):
        """Queue pairs have some of the paper's runs, and all that polls have are more."""
        for name, text in programs().items():
            safe = {model for model in MODELS if promises(text)[model] == "safe"}
            self.assertTrue(not ("poll" in safe or "rma" in safe) or "rdma" in safe, name)

    def test_table(self):
        self.assertIn(table(), Path("docs/rdma.md").read_text())

    def test_both_answers(self):
        self.assertGreaterEqual(len(programs()), 12)
        differ = [name for name, text in programs().items() if promises(text)["rma"] != promises(text)["rdma"]]
        self.assertGreaterEqual(len(differ), 6)


if __name__ == "__main__":
    if sys.argv[1:] == ["--table"]:
        print(table(), end="")
    else:
        unittest.main()
