#!/usr/bin/env python3
"""What programs do is what their recordings say: every node has the value that the program had, every load reads what was stored last,
objects of synchronisation do what POSIX lets them, and the program itself does as it does without the recorder."""

import os
import resource
import signal
import subprocess
import time
import unittest
from pathlib import Path

from threads import compiled, compiler, plainly, recorded
from records import Run, problems
from support import InFolder

OPTIMISED = ("-O0", "-O1", "-O2", "-O3")


class Consistent(InFolder):
    """Programs that do the same in every run."""

    def check(self, program, name, *arguments):
        plain = plainly([program, *arguments])
        result, run = recorded([program, *arguments], self.folder / f"{Path(program).name}-{name}")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (plain.returncode, plain.stdout, plain.stderr), f"{program} {arguments}")
        found = problems(run)
        self.assertFalse(found, f"{program} {arguments}: {len(found)} problems, the first ones:\n" + "\n".join(found[:5]))
        return run

    def test_values(self):
        """Arithmetic of all sizes, structures, callbacks, calls with many arguments, floating-point numbers, bytes of several sizes."""
        for option in OPTIMISED:
            run = self.check(compiled("values.c", self.folder, option), "run")
            operators = {record.operator for record in run.all("operation")}
            self.assertGreaterEqual(operators, {"add", "sub", "mul", "sdiv", "udiv", "srem", "urem", "shl", "and", "trunc", "zext", "sext", "eq", "slt"})
            if option == "-O2":
                self.assertIn("select", operators)
            self.assertEqual(len(run.threads), 7)
            self.assertFalse(run.all("gap"))
            self.assertTrue(run.all("concrete", "branch", "switch"))

    def test_synchronisation(self):
        expected = {"mutexes": {"lock", "unlock", "lock_error", "unlock_error"}, "rwlocks": {"read_lock", "write_lock", "rw_unlock"}, "spins": {"lock"},
                    "conditions": {"wait_begins", "wait_ends", "signal", "broadcast"}, "timed conditions": {"wait_begins", "wait_ends"},
                    "semaphores": {"sem_init", "sem_wait", "sem_post"}, "barriers": {"barrier_init", "barrier_arrives", "barrier_leaves"},
                    "once": {"once_begins", "once_ends", "once_passes"}, "atomics": {"update_record", "exchange"},
                    "c11": {"lock", "broadcast", "once_begins", "create", "join"}, "detached": {"create", "exit"}, "cancelled": {"wait_begins", "gap"}}
        program = compiled("synchronisation.c", self.folder, "-O2")
        for name, kinds in expected.items():
            with self.subTest(name=name):
                run = self.check(program, name, name)
                self.assertLessEqual(kinds, {record.kind for record in run.all(*kinds)})

    def test_many_threads(self):
        program = compiled("synchronisation.c", self.folder, "-O2")
        self.assertEqual(len(self.check(program, "barriers", "barriers", "32").threads), 33)

    def test_cxx(self):
        """Exceptions, virtual functions, std::thread, std::future, containers."""
        for option in ("-O0", "-O2"):
            run = self.check(compiled("cxx.cpp", self.folder, option), "run")
            self.assertEqual(len(run.threads), 6)
            self.assertFalse(run.all("gap"))

    def test_loops(self):
        """What loops record again is counted; threads that only read have a turn together; a number that goes into a sum is concrete."""
        run = self.check(compiled("loops.c", self.folder, "-O2"), "loops")
        self.assertGreater(sum(record.n for record in run.all("again")), 2000)
        turns = {}
        for record in run.all("load"):
            if record.turn is not None:
                turns.setdefault((record.address // 8, record.turn), set()).add(record.thread)
        self.assertGreater(max(len(threads) for threads in turns.values()), 1)
        weights = run.globals()["weights"].address
        loads = [record for record in run.all("load") if record.address in range(weights, weights + 800)]
        nodes = {(record.thread, record.value_node) for record in run.all("concrete")}
        self.assertTrue(loads)
        self.assertLessEqual({(record.thread, record.node) for record in loads}, nodes)

    def test_names(self):
        """Global variables with the names of their parts, and lines."""
        run = self.check(compiled("values.c", self.folder, "-O2"), "names")
        variables = run.globals()
        self.assertEqual((variables["numbers"].size, variables["numbers"].type), (48, "[12 4 4]"))
        self.assertEqual(variables["first"].type, "{0 name [6 1 1]; 6 parts [3 4 {0 a 2; 2 b 2; }]; 24 weight 8; 32 next 8; 40 low 4; 40 high 4; }")
        source = Path("tests/threads/programs/values.c").read_text().splitlines()
        places = {run.line(record) for record in run.all("load") if record.address == variables["bit"].address}
        self.assertEqual({source[line - 1].strip() for line in places}, {"bit = !bit || i8 > 0;"})


class Ends(InFolder):
    """tests/threads/programs/ends.c has the programs."""

    def setUp(self):
        super().setUp()
        self.program = compiled("ends.c", self.folder, "-O1")

    def run_it(self, name):
        plain = plainly([self.program, name])
        result, run = recorded([self.program, name], self.folder / name)
        self.assertEqual((result.returncode, result.stdout), (plain.returncode, plain.stdout), name)
        self.assertFalse(problems(run), name)
        return result, run

    def test_failures(self):
        for name, how, text in (("assert", 1, 'value == 4 && "four"'), ("abort", 2, "abort"), ("exit code", 3, "exit code 7"), ("crash", 5, "signal 11"),
                                ("division", 5, "signal 8"), ("double free", 5, "signal 6")):
            with self.subTest(name=name):
                _, run = self.run_it(name)
                failures = run.all("failed")
                self.assertEqual([(failure.how, failure.text, failure.thread) for failure in failures], [(how, text, 1)])
                self.assertEqual(run.places[failures[0].place].function if failures[0].place else "fails", "stop" if name == "exit code" else "fails")

    def test_assertions(self):
        """Branches that lead only to a failure are marked, whether they are taken or not."""
        for name, taken in (("assert", 0), ("code", None)):
            _, run = self.run_it(name)
            self.assertEqual([branch.taken for branch in run.all("branch") if branch.asserts], [] if taken is None else [taken])

    def test_good_ends(self):
        for name, code in (("code", 3), ("many", 0), ("main leaves", 0), ("signal", 0)):
            _, run = self.run_it(name)
            self.assertEqual([end.code for end in run.all("end")], [code], name)
            self.assertFalse(run.all("failed"))
        self.assertEqual(len(self.run_it_again("many").threads), 65)

    def run_it_again(self, name):
        return recorded([self.program, name], self.folder / f"{name} again")[1]

    def test_fork(self):
        """The child is not recorded, and does not write into its parent's files."""
        _, run = self.run_it("fork")
        self.assertEqual([gap.function for gap in run.all("gap")], ["fork"])
        self.assertEqual(len(run.all("end")), 1)
        self.assertEqual(len(run.threads), 2)

    def killed(self, name, seconds, number=signal.SIGKILL):
        folder = self.folder / f"{name} killed"
        folder.mkdir()
        with subprocess.Popen([self.program, name], env={**os.environ, "MATCHPOINT_THREADS_RECORD": str(folder)}) as process:
            time.sleep(seconds)
            process.send_signal(number)
        return Run(folder)

    def test_killed(self):
        """What was recorded until then is there, and consistent."""
        run = self.killed("forever", 0.5)
        self.assertEqual(len(run.threads), 4)
        self.assertGreater(len(run.all("store")), 100)
        self.assertFalse(problems(run, is_cut=True))

    def test_stuck(self):
        """The last record of a thread that waits says for what."""
        run = self.killed("stuck", 0.5)
        self.assertEqual([thread[-1].kind for thread in run.threads], ["awaits", "awaits"])
        self.assertEqual(run.threads[1][-1].object, run.all("lock")[0].object)
        self.assertEqual(run.threads[0][-1].object, 1)

    def test_full_disk(self):
        """The program goes on, and says that it is not recorded."""
        program = compiled("synchronisation.c", self.folder, "-O1")
        plain = plainly([program, "mutexes", "8"])
        limit = 1 << 17  # what a file has from the beginning
        result, run = recorded([program, "mutexes", "8"], self.folder / "full", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        self.assertEqual((result.returncode, result.stdout), (0, plain.stdout))
        self.assertFalse(problems(run, is_cut=True))
        for number, thread in enumerate(run.threads):
            is_full = any(record.kind == "gap" for record in thread)
            self.assertEqual(is_full, f"matchpoint: thread {number} is not recorded from here on: File too large\n" in result.stderr.decode())

    def test_no_folder(self):
        result = plainly([self.program, "code"], env={**os.environ, "MATCHPOINT_THREADS_RECORD": str(self.folder / "none")})
        self.assertEqual(result.returncode, 3)
        self.assertRegex(result.stderr.decode(), "none/thread-00000.threads: No such file or directory; thread 0 is not recorded\n$")


class Compilers(InFolder):
    """matchpoint-cc and matchpoint-c++ stand in for cc and c++."""

    def test_as_any_compiler(self):
        """Objects, libraries, several files, a library that another program loads."""
        cc = compiler(".c")
        self.write("int twice(int x) { return 2 * x; }\n", "twice.c")
        self.write("#include <stdio.h>\nint twice(int);\nint value = 4;\nint main(void) { printf(\"%d\\n\", twice(value)); return 0; }\n", "main.c")
        at = str(self.folder)

        def run(*words):
            result = subprocess.run([cc, *words], cwd=at, capture_output=True, text=True, check=False)
            self.assertEqual((result.returncode, result.stderr), (0, ""), words)
            return result.stdout

        run("-Wall", "-Werror", "-O2", "-g", "-c", "twice.c", "-o", "twice.o")
        run("-Wall", "-Werror", "-O2", "-c", "main.c")
        run("-Wall", "-Werror", "main.o", "twice.o", "-o", "objects")
        run("-Wall", "-Werror", "-shared", "-fPIC", "-Wl,-z,defs", "twice.c", "-o", "libtwice.so")
        run("-Wall", "-Werror", "-O1", "main.c", "-L.", "-ltwice", "-Wl,-rpath," + at, "-o", "library")
        self.assertIn("int twice(int x)", run("-E", "twice.c"))
        self.assertIn("clang version 14", run("--version"))
        run("-MM", "twice.c")
        run("-S", "twice.c", "-o", "-")
        for name in ("objects", "library"):
            result, recording = recorded([self.folder / name], self.folder / f"{name} recorded")
            self.assertEqual(result.stdout, b"8\n")
            self.assertFalse(problems(recording))
            [product] = [record for record in recording.all("operation") if record.operator == "shl" or record.operator == "mul"]
            self.assertIn(1, [node for node, _ in product.operands])  # it came through the call
            self.assertEqual(sum(module.compiled for module in recording.all("module")), 2 if name == "library" else 1)

    def test_not_static(self):
        self.write("int main(void) { return 0; }\n", "main.c")
        result = subprocess.run([compiler(".c"), "-static", str(self.folder / "main.c")], capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 1)
        self.assertIn("-static: a program that is linked so cannot be recorded", result.stderr)


if __name__ == "__main__":
    unittest.main()
