#!/usr/bin/env python3
"""Recordings of random programs with threads are faithful: the recorded trace ends with the values that the run printed; the real program prints
in a replay what a naive interpreter finds at the end of that execution; traces that are no executions are refused.

    faithful.py [--programs N] [--from N]       other programs with MATCHPOINT_SEED

The programs have locks, condition variables, semaphores, barriers, atomics, arrays, and arithmetic of 8 to 64 bits. It finds synchronisation
that is recorded with too little or too much order, and values that a replay in another order has and the terms have not."""

import argparse
import os
import random
import re
import subprocess
import sys
import unittest
from collections import Counter

from random_replays import Program
from support import ERROR, HOLDS, InFolder, run
from threads import compiler

TYPES = ("int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t")
HEAD = """#include <inttypes.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore;
static _Atomic uint32_t c0;
static _Atomic int64_t c1;
"""
PROGRAM_COUNT, FIRST = 4, 0
REPLAYS, TRIES = 10, 60


class Generator:
    """Every execution ends, whatever the order: what a thread waits for, another one does before it waits itself."""

    def __init__(self, dice):
        self.dice = dice
        self.variables = {f"v{i}": dice.choice(TYPES) for i in range(4)}
        self.element = dice.choice(TYPES)
        self.threads = dice.choice((2, 2, 3))

    def leaf(self):
        kind = self.dice.randrange(6)
        if kind < 3:
            return self.dice.choice(list(self.variables))
        return "x" if kind == 3 else f"a[{self.dice.randrange(4)}]" if kind == 4 else str(self.dice.choice((1, 2, 3, 7, 100, 127, 255, 256, 65535, 1 << 31)))

    def expression(self, depth=0):
        if depth > 1 or self.dice.random() < 0.3:
            return self.leaf()
        a, b = self.expression(depth + 1), self.expression(depth + 1)
        kind, unsigned = self.dice.randrange(10), self.dice.choice(("uint8_t", "uint16_t", "uint32_t", "uint64_t"))
        if kind < 4:
            return f"(({unsigned})({a}) {self.dice.choice(('+', '-', '+', '-', '*'))} ({unsigned})({b}))"
        if kind < 6:
            return f"(({self.dice.choice(TYPES)})({a}))"
        if kind == 6:
            return f"(({unsigned})({a}) {self.dice.choice(('/', '%'))} {self.dice.choice((2, 3, 10, 256))})"
        if kind == 7:
            return f"(({a}) {self.dice.choice(('<', '<=', '==', '!='))} ({b}))"
        if kind == 8:
            return f"(({unsigned})({a}) {self.dice.choice(('<<', '>>'))} {self.dice.randrange(8)})"
        return f"(({unsigned})({a}) {self.dice.choice(('&', '|', '^'))} ({unsigned})({b}))"

    def place(self):
        return f"a[{self.dice.randrange(4)}]" if self.dice.random() < 0.2 else self.dice.choice(list(self.variables))

    def assignment(self):
        return f"{self.place()} = {self.expression()};"

    def statement(self):
        kind = self.dice.randrange(12)
        if kind < 3:
            m = self.dice.choice(("m0", "m1"))
            return f"pthread_mutex_lock(&{m}); {self.assignment()} {self.assignment()} pthread_mutex_unlock(&{m});"
        if kind < 5:
            return self.assignment()
        if kind == 5:
            return f"x += {self.expression()};"
        if kind == 6:
            return f"{self.place()} = atomic_fetch_{self.dice.choice(('add', 'sub'))}(&c0, {self.dice.randrange(1, 100)});"
        if kind == 7:
            return f"x = (uint32_t)atomic_exchange(&c1, {self.expression()});"
        if kind == 8:
            return (f"{{ uint32_t expected = {self.dice.randrange(2)}; {self.dice.choice(list(self.variables))} = "
                    f"atomic_compare_exchange_strong(&c0, &expected, {self.dice.randrange(9)}); }}")
        if kind == 9:
            return f"for (int i = 0; i < {self.dice.randrange(1, 4)}; ++i) {self.assignment()}"
        if kind == 10:
            return f"if (({self.expression()}) {self.dice.choice(('<', '!='))} {self.dice.choice((0, 1, 50, 1000))}) {self.assignment()}"
        return f"if (pthread_mutex_trylock(&m1) == 0) {{ {self.assignment()} pthread_mutex_unlock(&m1); }}"

    def body(self, thread, meeting):
        """Thread 0 makes ready what the others wait for."""
        lines = [self.statement() for _ in range(self.dice.randrange(2, 5))]
        if "condition" in meeting:
            lines.insert(self.dice.randrange(len(lines) + 1), "pthread_mutex_lock(&m0); is_ready = 1; pthread_cond_broadcast(&condition); pthread_mutex_unlock(&m0);"
                         if thread == 0 else "pthread_mutex_lock(&m0); while (!is_ready) pthread_cond_wait(&condition, &m0); pthread_mutex_unlock(&m0);")
        if "semaphore" in meeting:
            lines.insert(self.dice.randrange(len(lines) + 1), "sem_post(&semaphore); " * (self.threads - 1) if thread == 0 else "sem_wait(&semaphore);")
        if "barrier" in meeting:
            lines.append("pthread_barrier_wait(&barrier);")
            lines += [self.statement() for _ in range(2)]
        return "\n    ".join(lines)

    def program(self):
        meeting = self.dice.sample(("condition", "semaphore", "barrier"), self.dice.choice((0, 1, 1, 2)))
        text = HEAD + "static int is_ready;\n"
        for name, kind in self.variables.items():
            text += f"static {kind} {name} = ({kind}){self.dice.randrange(1 << 62)};\n"
        text += f"static {self.element} a[4] = {{1, 2, 3, 4}};\n"
        for t in range(self.threads):
            text += f"static void* run{t}(void* n) {{\n    uint32_t x = {t};\n    {self.body(t, meeting)}\n    return n;\n}}\n"
        shown = {**self.variables, **{f"a[{i}]": self.element for i in range(4)}, "c0": "uint32_t", "c1": "int64_t"}
        text += f"int main(void) {{\n    pthread_t t[{self.threads}];\n    sem_init(&semaphore, 0, 0);\n    pthread_barrier_init(&barrier, NULL, {self.threads});\n"
        text += "".join(f"    pthread_create(&t[{t}], NULL, run{t}, NULL);\n" for t in range(self.threads))
        text += f"    for (int i = 0; i < {self.threads}; ++i) pthread_join(t[i], NULL);\n"
        # In recordings, values are signed numbers.
        text += "".join(f'    printf("{name} %" PRIdMAX "\\n", (intmax_t)({kind.removeprefix("u")}){name});\n' for name, kind in shown.items())
        return text + "    return 0;\n}\n"


def printed(result):
    """{a.3: value}, as the recording calls variables."""
    return {re.sub(r"\[(\d+)\]", r".\1", name): int(value) for name, value in (line.split() for line in result.out.decode().splitlines())}


class Faithful(InFolder):
    def differences(self, values, shown):
        """Shared variables whose values at the end are others than those that were printed."""
        return {name: (values[name], shown[name]) for name in shown if name in values and values[name] != shown[name]}

    def replay(self, program, recorded, names, *options):
        file = self.write(f"{recorded}( {' '.join(f'({name} bot)' for name in names)} )\n", "chosen.ctp")
        return run("threads", "replay", "--timeout", "60", "--trace", "2", *options, str(file), "--", program, env=dict(os.environ))

    def no_execution(self, program, chooser):
        """An order in which some command comes before it can: commands of one thread stay in their order. None if none was found."""
        for _ in range(TRIES):
            left = [[command[0] for command in thread] for thread in program.threads]
            names, state, is_stuck = [], dict(program.initial), False
            commands = {command[0]: command[1] for thread in program.threads for command in thread}
            while any(left):
                thread = chooser.choice([t for t in left if t])
                names.append(thread.pop(0))
                if not is_stuck:
                    is_stuck = not program.step(commands[names[-1]], state)
            if is_stuck:
                return names
        return None

    def one(self, number, counts):
        seed = int(os.environ.get("MATCHPOINT_SEED", "1"))
        dice = random.Random(f"faithful {seed} {number}")
        source = self.write(Generator(dice).program(), "program.c")
        program, option = str(self.folder / "program"), ("-O0", "-O1", "-O2", "-O3")[number % 4]
        what = f"MATCHPOINT_SEED={seed}, --from {number} --programs 1"
        subprocess.run([compiler(".c"), "-w", option, str(source), "-o", program, "-pthread"], check=True)
        file = self.folder / "run.ctp"
        result = run("threads", "record", "--timeout", "60", "-o", str(file), "--", program)
        self.assertEqual(result.code, HOLDS, (what, result))
        self.assertIn("\nmatchpoint: complete", result.error_text, what)
        self.assertIn("trace 1: success", run("run", str(file)).text, what)
        text = file.read_text()
        recorded = Program(text)
        state = dict(recorded.initial)
        commands = {command[0]: command[1] for thread in recorded.threads for command in thread}
        for (name, *_) in recorded.traces[0]:
            self.assertTrue(recorded.step(commands[name], state), (what, name))
        self.assertEqual(self.differences(state, printed(result)), {}, what)
        counts["programs"] += 1
        counts["values of recorded runs"] += sum(name in state for name in printed(result))
        chooser, seen = random.Random(number), set()
        for _ in range(TRIES):
            execution = recorded.execution(chooser)
            if execution is None or tuple(execution[0]) in seen:
                continue
            names, values = execution
            seen.add(tuple(names))
            again = self.replay(program, text, names)
            self.assertEqual(again.code, HOLDS, (what, names, again))
            self.assertRegex(again.error_text, r"(\d+) of \1 events done as in the trace", (what, names))
            self.assertEqual(self.differences(values, printed(again)), {}, (what, names))
            counts["replays"] += 1
            counts["values of replays"] += sum(name in values for name in printed(again))
            if len(seen) == REPLAYS:
                break
        names = self.no_execution(recorded, chooser)
        if names is not None:
            self.assertEqual(self.replay(program, text, names).code, ERROR, (what, names))
            counts["refused"] += 1

    def test_programs(self):
        counts = Counter()
        for number in range(FIRST, FIRST + PROGRAM_COUNT):
            self.one(number, counts)
        for name, n in sorted(counts.items()):
            print(f"{name:<30}{n:>8}")
        self.assertGreater(counts["replays"], PROGRAM_COUNT)
        self.assertGreater(counts["values of replays"], counts["replays"])
        self.assertGreater(counts["refused"], PROGRAM_COUNT / 2)


if __name__ == "__main__":
    PARSER = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    PARSER.add_argument("--programs", type=int, default=PROGRAM_COUNT)
    PARSER.add_argument("--from", type=int, default=FIRST, dest="first")
    OPTIONS, REST = PARSER.parse_known_args()
    PROGRAM_COUNT, FIRST = OPTIONS.programs, OPTIONS.first
    unittest.main(argv=[sys.argv[0], *REST])
