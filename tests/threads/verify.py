#!/usr/bin/env python3
"""`matchpoint threads verify`: it finds all paths, and says `confirmed` of what runs of the real program did. Its paths are compared with those
of all interleavings of random programs, which a naive interpreter runs."""

import json
import os
import random
import re
import signal
import subprocess
import time
import unittest
from pathlib import Path

import jsonschema

from threads import compiled, compiler
from support import BAD_INPUT, DEADLOCK, FAILURE, HOLDS, MATCHPOINT, InFolder, run

UNKNOWN = 1

#: program -> exit code, paths, what is said
PROGRAMS = {"lost update": (FAILURE, 1, ["the run failed: counter == 2", r"data race on counter: thread \d \w+ it at .*verified\.c:\d+, thread \d",
                                         r"  a run that passed \(path 1\) +this run\n", r"    thread 2 writes counter, .*verified.c:\d+ "]),
            "locked update": (HOLDS, 1, []),
            "check then act": (FAILURE, None, ["the run failed: fills == 1"]),
            "check and act": (HOLDS, 2, []),
            "lock order": (DEADLOCK, 1, ["the run deadlocked\n", r"thread 1 waits for other\n", r"thread 2 waits for lock\n"]),
            "try": (FAILURE, 3, ["the run failed: tried == 2"]),
            "timed": (FAILURE, 3, ["the run failed: was_late == 0"]),
            "index": (HOLDS, 3, []),
            "barrier": (HOLDS, 1, []),
            "returned": (FAILURE, 2, ["the run failed: exit code 1"]),
            "once": (FAILURE, 2, ["the run failed: initialised_by == 1"]),
            # The exit does not come before what threads do that nobody waits for.
            "leave alone": (HOLDS, 2, []),
            # Nobody waits for a thread that has ended the program.
            "exit": (HOLDS, 2, []),
            "exit and join": (HOLDS, 2, []),
            "exit or deadlock": (DEADLOCK, None, [r"thread 1 waits for lock\n", r"thread 2 waits for other\n"])}


def found_in(file):
    report = json.loads(file.read_text())
    jsonschema.Draft202012Validator(json.loads(Path("docs/schema/threads-findings.schema.json").read_text())).validate(report)
    return report


class Programs(InFolder):
    def verified(self, *command, options=()):
        return run("threads", "verify", "--timeout", "30", *options, "--", *command, env=dict(os.environ))

    def test_programs(self):
        program = compiled("verified.c", self.folder, "-O1")
        for name, (code, paths, words) in PROGRAMS.items():
            with self.subTest(name):
                result = self.verified(program, name)
                said = result.text
                self.assertEqual(result.code, code, said + result.error_text)
                for text in words:
                    self.assertRegex(said, text)
                self.assertNotIn("not confirmed", said)
                self.assertEqual("confirmed by run" in said, code in (FAILURE, DEADLOCK), said)
                last = said.rstrip("\n").rsplit("\n", 1)[-1]
                self.assertRegex(last, rf"^({paths or '[0-9]+'}) of \1 paths? in \d+ runs?; nothing left that the schedule decides$", said)

    def test_witness(self):
        """What is written is the run that failed: it is replayed, and fails again."""
        program, file = compiled("verified.c", self.folder, "-O1"), str(self.folder / "bad.ctp")
        kept = self.folder / "runs"
        result = self.verified(program, "check then act", options=("--first", "--keep", str(kept), "-o", file))
        self.assertEqual(result.code, FAILURE, result)
        self.assertIn(f"repeat it: matchpoint threads replay {file} -- {program} check then act\n", result.text)
        self.assertIn("; stopped: a run went wrong", result.text)
        self.assertRegex(result.text.rstrip("\n").rsplit("\n", 1)[-1], "of at least")
        again = run("threads", "replay", file, "--", program, "check then act")
        self.assertEqual(again.code, FAILURE, again)
        self.assertIn("confirmed: the run failed: fills == 1", again.error_text)
        number = re.search(r"confirmed by run (\d+)", result.text)[1]
        self.assertEqual(run("run", "--prefix", str(kept / f"run-{int(number):04}" / "run.ctp")).code, FAILURE)

    def test_findings(self):
        """What the file says is what the report says."""
        program, file = compiled("verified.c", self.folder, "-O1"), self.folder / "found.json"
        for name, kinds in (("lost update", ["failure", "data-race"]), ("lock order", ["deadlock"]), ("check and act", [])):
            with self.subTest(name):
                result = self.verified(program, name, options=("--findings", str(file)))
                report = found_in(file)
                found = report["findings"]
                self.assertEqual([f["kind"] for f in found], kinds)
                self.assertEqual((report["complete"], report["left"], report["summary"] + "\n"), (True, [], result.text[-len(report["summary"]) - 1:]))
                for f in found:
                    self.assertTrue(f["places"], f)
                    for p in f["places"]:
                        self.assertTrue(p["place"]["file"].endswith("verified.c"), p)
                    if f["kind"] != "data-race":
                        self.assertIn(f"confirmed by run{'s' if len(f['runs']) > 1 else ''} {', '.join(map(str, f['runs']))}: {f['text']}\n", result.text)
        sarif = self.folder / "found.sarif"
        result = self.verified(program, "lock order", options=("--findings", str(sarif)))
        document = json.loads(sarif.read_text())
        jsonschema.Draft202012Validator(json.loads(Path("docs/schema/sarif.schema.json").read_text())).validate(document)
        [run_of_it] = document["runs"]
        self.assertEqual(run_of_it["invocations"][0]["exitCode"], result.code)
        [found] = run_of_it["results"]
        self.assertEqual(found["ruleId"], "deadlock")
        lines = [at["physicalLocation"]["region"]["startLine"] for at in found["locations"] + found["relatedLocations"]]
        self.assertEqual(lines, [int(line) for line in re.findall(r"verified\.c:(\d+): thread \d waits for", result.text)])

    def test_bounds(self):
        program = compiled("verified.c", self.folder, "-O1")
        result = self.verified(program, "check and act", options=("--runs", "1"))
        self.assertEqual(result.code, UNKNOWN, result)
        self.assertRegex(result.text, r"\d of at least 1 path in 1 run; stopped: the limit of 1 run was reached\n$")
        file = self.folder / "found.json"
        result = self.verified(program, "index", options=("--switches", "1", "--findings", str(file)))
        self.assertEqual(result.code, UNKNOWN, result)
        last = "executions with more than 1 context switch are left out"
        self.assertRegex(result.text, rf"\d of at least \d paths? in \d+ runs?; {last}\n$")
        self.assertEqual(found_in(file)["left"], [last])
        result = self.verified(program, "check and act", options=("--switches", "20"))
        self.assertEqual(result.code, HOLDS, result) # z3's proofs do not need the bound
        self.assertEqual(self.verified("true").code, BAD_INPUT)
        self.assertEqual(self.verified("/nothing/there").code, 3)

    def test_interrupted(self):
        """Ctrl-C ends it at once, and it says how far it came. Nothing is left of the run."""
        program = self.folder / "sleeps"
        source = self.write("#include <unistd.h>\nint main(void) { for (;;) sleep(1); }\n", "sleeps.c")
        subprocess.run([compiler(".c"), str(source), "-o", str(program), "-pthread"], check=True)
        temporary = self.folder / "tmp"
        temporary.mkdir()
        child = subprocess.Popen([MATCHPOINT, "threads", "verify", "--", str(program)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                 env={**os.environ, "TMPDIR": str(temporary)})
        time.sleep(1)
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=20)
        self.assertEqual(child.returncode, UNKNOWN, out)
        self.assertIn(b"stopped: it was interrupted", out)
        self.assertEqual(list(temporary.iterdir()), [])


class Naive:
    """All executions of threads of statements: who went which way, and the last values. A load, a store and a call are a step each."""

    def __init__(self, threads):
        self.threads = threads
        self.paths, self.sums = set(), set()

    def run(self):
        seen, rest = set(), [(tuple((thread, (0, 0), ()) for thread in map(tuple, self.threads)), (0, 0, 0, 0), None)]
        while rest:
            state = rest.pop()
            if state in seen:
                continue
            seen.add(state)
            threads, memory, owner = state
            if not any(thread[0] for thread in threads):
                self.paths.add(tuple(way for _, _, way in threads))
                self.sums.add(10 * memory[0] + memory[1])
            for t in range(len(threads)):
                after = self.step(threads[t], memory, owner, t)
                if after is not None:
                    thread, *others = after
                    rest.append((threads[:t] + (thread,) + threads[t + 1:], *others))
        return self

    @staticmethod
    def step(thread, memory, owner, t):
        statements, registers, way = thread
        if not statements:
            return None
        (kind, *words), rest = statements[0], statements[1:]
        if kind == "load":
            register, variable = words
            registers = tuple(memory[variable] if r == register else v for r, v in enumerate(registers))
        elif kind == "store":
            variable, register, plus = words
            memory = tuple((registers[register] + plus if x == variable else v) for x, v in enumerate(memory))
        elif kind == "if":
            register, limit, yes, no = words
            taken = registers[register] > limit
            rest, way = (yes if taken else no) + rest, (*way, taken)
        elif kind == "index":
            (register,) = words
            chosen = registers[register] & 1
            memory, way = tuple(5 if x == 2 + chosen else v for x, v in enumerate(memory)), (*way, chosen)
        elif kind == "lock":
            if owner is not None:
                return None
            owner = t
        elif kind == "unlock":
            owner = None
        elif kind == "try":
            (body,) = words
            free = owner is None
            rest, way, owner = (body + (("unlock",),) if free else ()) + rest, (*way, free), t if free else owner
        return (rest, registers, way), memory, owner


class Generator:
    def __init__(self, dice):
        self.dice = dice

    def statements(self, length, depth=0):
        dice, result = self.dice, []
        for _ in range(length):
            kind = dice.randrange(6)
            register = dice.randrange(2)
            if kind == 0:
                result.append(("load", register, dice.randrange(2)))
            elif kind == 1:
                result.append(("store", dice.randrange(2), register, dice.randrange(1, 3)))
            elif kind == 2 and depth == 0:
                result += [("load", register, dice.randrange(2)), ("if", register, dice.randrange(3), self.statements(1, 1), self.statements(dice.randrange(2), 1))]
            elif kind == 3 and depth == 0:
                result += [("lock",), *self.statements(1, 1), ("unlock",)]
            elif kind == 4 and depth == 0:
                result.append(("try", self.statements(1, 1)))
            else:
                result += [("load", register, dice.randrange(2)), ("index", register)]
        return tuple(result)

    @classmethod
    def text(cls, statements):
        lines = []
        for kind, *words in statements:
            if kind == "load":
                lines.append(f"r{words[0]} = x{words[1]};")
            elif kind == "store":
                lines.append(f"x{words[0]} = r{words[1]} + {words[2]};")
            elif kind == "if":
                lines.append(f"if (r{words[0]} > {words[1]}) {{ {cls.text(words[2])} }} else {{ {cls.text(words[3])} }}")
            elif kind == "index":
                lines.append(f"a[r{words[0]} & 1] = 5;")
            elif kind == "try":
                lines.append(f"if (pthread_mutex_trylock(&m) == 0) {{ {cls.text(words[0])} pthread_mutex_unlock(&m); }}")
            else:
                lines.append(f"pthread_mutex_{kind}(&m);")
        return " ".join(lines)


class Random(InFolder):
    def test_all_paths(self):
        seed, paths, failures = os.environ.get("MATCHPOINT_SEED", "1"), 0, 0
        for number in range(int(os.environ.get("PROGRAMS", "12"))):
            dice = random.Random(f"{seed} {number}")
            generator = Generator(dice)
            count = 2 if number % 4 else 3
            threads = [generator.statements(dice.randrange(1, 5 - count + 1)) for _ in range(count)]
            naive = Naive(threads).run()
            if len(naive.paths) > int(os.environ.get("PATHS", "12")):
                continue
            claim = dice.choice([*sorted(naive.sums), 99])
            fails = claim in naive.sums
            source = "#include <assert.h>\n#include <pthread.h>\nstatic int x0, x1, a[2];\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
            for t, thread in enumerate(threads):
                source += f"static void* f{t}(void* p) {{ int r0 = 0, r1 = 0; (void)r0; (void)r1; {generator.text(thread)} return p; }}\n"
            source += f"int main(void) {{ pthread_t t[{count}]; {' '.join(f'pthread_create(&t[{t}], 0, f{t}, 0);' for t in range(count))} "
            source += f"{' '.join(f'pthread_join(t[{t}], 0);' for t in range(count))} assert(10 * x0 + x1 != {claim}); return 0; }}\n"
            program = self.folder / f"random{number}"
            subprocess.run([compiler(".c"), "-w", "-O0", str(self.write(source, f"random{number}.c")), "-o", str(program), "-pthread"], check=True)
            result = run("threads", "verify", "--timeout", "30", "--runs", "60", "--", str(program))
            what = f"MATCHPOINT_SEED={seed}, program {number}: {threads}, {claim}\n{result.text}{result.error_text}"
            self.assertEqual(result.code, FAILURE if fails else HOLDS, what)
            last = result.text.rstrip("\n").rsplit("\n", 1)[-1]
            self.assertRegex(last, rf"^{len(naive.paths)} of {len(naive.paths)} paths? in \d+ runs?; nothing left that the schedule decides$", what)
            paths += len(naive.paths)
            failures += fails
        self.assertGreater(paths, 20)
        self.assertGreater(failures, 1)


if __name__ == "__main__":
    unittest.main()
