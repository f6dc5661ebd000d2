#!/usr/bin/env python3
"""Random programs of C with arithmetic of 8 to 64 bits, arrays, structures and calls on what threads share, under locks: recorded, they are
consistent. It finds operators, widths and optimised forms that the written programs do not have.

    random_programs.py [--programs N]       other seeds with MATCHPOINT_SEED
"""

import argparse
import os
import random
import sys
import unittest

from threads import PROGRAMS, compiler, plainly, recorded
from records import problems
from support import InFolder
import subprocess

TYPES = ("int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t")
HEAD = """#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
"""
PROGRAM_COUNT = 3


class Generator:
    """A program with `functions` functions of what is shared; all of it is defined, whatever the values are."""

    def __init__(self, dice):
        self.dice = dice
        self.variables = {f"v{i}": dice.choice(TYPES) for i in range(8)}
        self.arrays = {f"a{i}": (dice.choice(TYPES), dice.choice((4, 7, 16))) for i in range(3)}

    def leaf(self, depth):
        dice = self.dice
        kind = dice.randrange(8)
        if kind < 3:
            return dice.choice(list(self.variables))
        if kind == 3:
            name, (_, size) = dice.choice(list(self.arrays.items()))
            return f"{name}[(uint32_t)({self.expression(depth + 2)}) % {size}]"
        if kind == 4:
            return f"s.{dice.choice(('a', 'b', 'c', 'd'))}"
        if kind == 5:
            return dice.choice(("x", "y"))
        return str(dice.choice((0, 1, 2, 3, 7, 10, 100, 127, 128, 255, 1000, 65535, 2147483647, dice.randrange(1 << 31))))

    def expression(self, depth=0):
        dice = self.dice
        if depth > 3 or dice.random() < 0.2:
            return self.leaf(depth)
        a, b = self.expression(depth + 1), self.expression(depth + 1)
        kind = dice.randrange(12)
        unsigned = dice.choice(("uint8_t", "uint16_t", "uint32_t", "uint64_t"))
        if kind < 3:
            return f"(({unsigned})({a}) {dice.choice(('+', '-', '&', '|', '^'))} ({unsigned})({b}))"
        if kind == 3:
            return f"((uint64_t)({a}) * (uint64_t)({b}))"
        if kind == 4:
            return f"(({a}) {dice.choice(('<', '<=', '==', '!=', '>', '>='))} ({b}))"
        if kind == 5:
            return f"(({a}) ? ({b}) : ({self.expression(depth + 1)}))"
        if kind == 6:
            return f"(({unsigned})({a}) {dice.choice(('/', '%'))} (({unsigned})({b}) | 1))"
        if kind == 7:
            return f"((int64_t)(int32_t)({a}) {dice.choice(('/', '%'))} ((int64_t)(uint16_t)({b}) + 1))"
        if kind == 8:
            return f"(({unsigned})({a}) {dice.choice(('<<', '>>'))} (({b}) & 7))"
        if kind == 9:
            return f"(({dice.choice(TYPES)})({a}))"
        if kind == 10:
            return f"(({a}) {dice.choice(('&&', '||'))} ({b}))"
        return f"((int64_t)(int16_t)({a}) >> (({b}) & 3))"

    def place(self):
        dice = self.dice
        kind = dice.randrange(4)
        if kind == 0:
            name, (_, size) = dice.choice(list(self.arrays.items()))
            return f"{name}[(uint32_t)({self.expression(2)}) % {size}]"
        return f"s.{dice.choice(('a', 'b', 'c', 'd'))}" if kind == 1 else dice.choice(list(self.variables))

    def statements(self, callable_functions, depth=0):
        dice = self.dice
        lines = []
        for _ in range(dice.randrange(2, 5)):
            kind = dice.randrange(8)
            if kind < 4:
                lines.append(f"{self.place()} = {self.expression()};")
            elif kind == 4 and depth < 2:
                lines.append(f"if ({self.expression()}) {{ {self.statements(callable_functions, depth + 1)} }}")
            elif kind == 5 and depth < 2:
                lines.append(f"for (int i = 0; i < {dice.randrange(1, 5)}; ++i) {{ x += (uint32_t)i; {self.statements(callable_functions, depth + 1)} }}")
            elif kind == 6 and callable_functions:
                lines.append(f"{self.place()} = {dice.choice(callable_functions)}((uint32_t)({self.expression()}), (int16_t)({self.expression()}));")
            elif kind == 7:
                cases = " ".join(f"case {value}: y ^= {value}; break;" for value in sorted(dice.sample(range(12), 4)))
                lines.append(f"switch ((unsigned)({self.expression()}) % 12) {{ {cases} default: x += 3; }}")
        return " ".join(lines)

    def program(self):
        dice = self.dice
        text = HEAD + "static struct { int32_t a; uint8_t b; int16_t c; uint64_t d; } s;\n"
        for name, kind in self.variables.items():
            text += f"static {kind} {name} = ({kind}){dice.randrange(1 << 62)};\n"
        for name, (kind, size) in self.arrays.items():
            text += f"static {kind} {name}[{size}];\n"
        names = [f"f{i}" for i in range(4)]
        for i, name in enumerate(names):
            text += f"static {'__attribute__((noinline)) ' if dice.random() < 0.5 else ''}int32_t {name}(uint32_t x, int16_t y) {{ {self.statements(names[:i])} return (int32_t)({self.expression()}); }}\n"
        text += "static void* run(void* n) { uint32_t x = (uint32_t)(uintptr_t)n; int16_t y = 0; for (int k = 0; k < 2; ++k) { pthread_mutex_lock(&mutex); "
        text += " ".join(f"y += (int16_t){name}(x + (uint32_t)k, y);" for name in names) + " pthread_mutex_unlock(&mutex); } return NULL; }\n"
        text += "int main(void) { pthread_t t[2]; for (uintptr_t i = 0; i < 2; ++i) pthread_create(&t[i], NULL, run, (void*)i); for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL); return 0; }\n"
        return text


class Random(InFolder):
    def test_consistent(self):
        seed, operations = int(os.environ.get("MATCHPOINT_SEED", "1")), 0
        for number in range(PROGRAM_COUNT):
            dice = random.Random(f"{seed} {number}")
            source = self.write(Generator(dice).program(), f"random{number}.c")
            option = ("-O0", "-O1", "-O2", "-O3")[number % 4]
            program = self.folder / f"random{number}"
            subprocess.run([compiler(".c"), "-w", option, str(source), "-o", str(program), "-pthread"], check=True)
            result, run = recorded([program], self.folder / f"run{number}")
            found = problems(run)
            what = f"MATCHPOINT_SEED={seed}, program {number}, {option}"
            self.assertEqual(result.returncode, plainly([program]).returncode, what)
            self.assertFalse(found, f"{what}: {len(found)} problems:\n" + "\n".join(found[:5]))
            operations += len(run.all("operation"))
        self.assertGreater(operations, 20 * PROGRAM_COUNT)


if __name__ == "__main__":
    PARSER = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    PARSER.add_argument("--programs", type=int, default=PROGRAM_COUNT)
    OPTIONS, REST = PARSER.parse_known_args()
    PROGRAM_COUNT = OPTIONS.programs
    unittest.main(argv=[sys.argv[0], *REST])
