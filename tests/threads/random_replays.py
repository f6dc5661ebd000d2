#!/usr/bin/env python3
"""Random executions of recorded programs, each replayed by the real program: it does all events in that order, and what is recorded of it
ends with the same values. The interpreter of executions is naive, and shares no code with the machine."""

import operator
import os
import random
import unittest

from executions import parsed
from threads import compiled
from support import HOLDS, InFolder, run

#: Programs whose executions stay on the recorded path often, and end well or in a failing assertion.
PROGRAMS = {"predicted.c": ("lost update", "account", "semaphores", "bytes", "condition variables"),
            "replayed.c": ("signals", "slot", "late slot", "barrier", "timed", "spin", "atomics"),
            "synchronisation.c": ("rwlocks", "conditions", "semaphores", "barriers")}

OPERATORS = {"=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "*": operator.mul,
             "div": operator.floordiv, "mod": operator.mod, "not": operator.not_, "xor": operator.xor}


class Program:
    def __init__(self, text):
        declared, threads, *self.traces = parsed(text)
        self.initial = {words[0]: self.value(words[1]) for words in declared[1:] if words != "atomic"}
        self.threads = [[command for command in thread if command != "bot"] for thread in threads]

    @staticmethod
    def value(word):
        return word == "true" if word in ("true", "false") else int(word)

    def evaluate(self, e, state):
        if isinstance(e, str):
            return state[e] if e in state else self.value(e)
        if e[0] == "ite":
            return self.evaluate(e[2] if self.evaluate(e[1], state) else e[3], state)
        if e[0] in ("and", "or"):
            values = (self.evaluate(part, state) for part in e[1:])
            return all(values) if e[0] == "and" else any(values)
        values = [self.evaluate(part, state) for part in e[1:]]
        if e[0] == "+":
            return sum(values)
        if e[0] == "-":
            return values[0] - sum(values[1:]) if len(values) > 1 else -values[0]
        return OPERATORS[e[0]](*values)

    def step(self, command, state):
        """Whether the command can go on: None, and nothing is done, if it waits; False if it leaves the path."""
        if command[1] == ":=":
            state[command[0]] = self.evaluate(command[2], state)
            return True
        holds = self.evaluate(command[1], state)
        if not holds:
            return None if command[0] == "when" else False
        values = [(a[0], self.evaluate(a[2], state)) for a in command[2:]]
        state.update(values)
        return True

    def execution(self, chooser):
        """Names of commands in the order of a random execution, and its last values; None if it leaves the path or gets stuck."""
        state, at, names = dict(self.initial), [0] * len(self.threads), []
        while True:
            waiting = [t for t, thread in enumerate(self.threads) if at[t] < len(thread)]
            if not waiting:
                return names, state
            chooser.shuffle(waiting)
            for t in waiting:
                name, command = self.threads[t][at[t]][:2]
                result = self.step(command, state)
                if result is None:
                    continue
                names.append(name)
                at[t] += 1
                if not result:
                    return (names, state) if command[0] == "assert" else None
                break
            else:
                return None


def shared_values(program, names):
    """The values of shared variables after commands in this order."""
    state = dict(program.initial)
    commands = {command[0]: command[1] for thread in program.threads for command in thread}
    for name in names:
        program.step(commands[name], state)
    return {name: value for name, value in state.items() if name in program.initial}


class RandomReplays(InFolder):
    def replay(self, program, name, recorded, names, values):
        trace = " ".join(f"({entry} bot)" for entry in names)
        file = self.write(f"{recorded}( {trace} )\n", "random.ctp")
        again = self.folder / "again.ctp"
        result = run("threads", "replay", "--timeout", "60", "--trace", "2", "-o", str(again), str(file), "--", program, name, env=dict(os.environ))
        said = result.err.decode()
        self.assertRegex(said, r"(\d+) of \1 events done as in the trace", (name, trace))
        self.assertNotIn("not confirmed", said)
        done = Program(again.read_text())
        after = shared_values(done, [entry[0] for entry in done.traces[0]])
        common = set(after) & set(values)
        self.assertEqual({x: after[x] for x in common}, {x: values[x] for x in common}, (name, trace))
        return len(common)

    def test_random(self):
        replayed = compared = 0
        for source, names in PROGRAMS.items():
            program = compiled(source, self.folder, "-O2")
            for name in names:
                file = self.folder / "run.ctp"
                self.assertEqual(run("threads", "record", "-o", str(file), "--", program, name).code, HOLDS)
                recorded = Program(file.read_text())
                chooser = random.Random(f"replays {name}")
                found = [e for e in (recorded.execution(chooser) for _ in range(int(os.environ.get("TRIES", "40")))) if e is not None]
                for names_of_run, values in found[: int(os.environ.get("REPLAYS", "2"))]:
                    with self.subTest(name):
                        compared += self.replay(program, name, file.read_text(), names_of_run, values)
                        replayed += 1
        self.assertGreater(replayed, 20)
        self.assertGreater(compared, 100)


if __name__ == "__main__":
    unittest.main()
