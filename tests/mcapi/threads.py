#!/usr/bin/env python3
"""`matchpoint mcapi`: programs of threads with <matchpoint/mcapi.h>, recorded, replayed and verified."""

import ast
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, "tests/cli")
from support import BAD_INPUT, DEADLOCK, FAILURE, HOLDS, OUTPUT_FAILED, SOLVER_FAILED, UNKNOWN, InFolder, run  # noqa: E402

EXAMPLES = sorted(Path("examples/mcapi").glob("*.cpp"))
TRUTH = re.compile(r"^// verify(?: (.*))?: (failure|deadlock|buffering|nothing)$", re.MULTILINE)
CODES = {"failure": FAILURE, "deadlock": DEADLOCK, "buffering": DEADLOCK, "nothing": HOLDS}

HEAD = """
#include <matchpoint/mcapi.h>
#include <unistd.h>
static thread_local mcapi_status_t s;
static mcapi_endpoint_t make(mcapi_port_t port = 0) { return mcapi_endpoint_create(port, &s); }
static mcapi_endpoint_t of(mcapi_node_t node, mcapi_port_t port = 0) { return mcapi_endpoint_get(0, node, port, MCAPI_TIMEOUT_INFINITE, &s); }
static void send(mcapi_endpoint_t from, mcapi_endpoint_t to, matchpoint::value<int> const& x) { mcapi_msg_send(from, to, &x, sizeof(int), 0, &s); }
static void receive(mcapi_endpoint_t at, matchpoint::value<int>& x) { mcapi_msg_recv(at, &x, sizeof(int), nullptr, &s); }
"""


# <matchpoint/mcapi.h> takes seconds to compile. So all programs of this file are one, which does what the name says
# that it is called by. Each is in a namespace of its own.


def bodies():
    """What `self.program` is called with below."""
    for node in ast.walk(ast.parse(Path(__file__).read_text())):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "self.program" and isinstance(node.args[0], ast.Constant):
            yield node.args[0].value


def body_of(example):
    """All headers that it needs are there."""
    return f'#line 1 "{example}"\n' + re.sub(r"^#include .*$", "", example.read_text(), flags=re.MULTILINE)


def text_of_all(programs):
    """A function for each main function; the program is called `N-NAME`, with the number of the function."""
    text, cases = HEAD, ""
    for n, body in enumerate(programs):
        text += f"namespace p{n} {{\n{body.replace('int main(', 'static void entry(')}\n}}\n"
        cases += f"    case {n}: start(p{n}::entry, argc, argv); return 0;\n"
    return text + """
template <typename F> static void start(F f, int argc, char** argv) {
    if constexpr (std::is_invocable_v<F, int, char**>) f(argc, argv);
    else f();
}
int main(int argc, char** argv) {
    switch (std::stoi(argv[0] + std::string_view(argv[0]).rfind('/') + 1)) {
""" + cases + "    default: return 99;\n    }\n}\n"


class Threads(InFolder):
    compiled = None

    @classmethod
    def all_programs(cls):
        """The texts of the programs, and the file that has them."""
        if Threads.compiled is None:
            programs = list(bodies()) + [body_of(example) for example in EXAMPLES]
            cls.folder_of_all = tempfile.TemporaryDirectory()
            source, program = Path(cls.folder_of_all.name) / "program.cpp", Path(cls.folder_of_all.name) / "program"
            source.write_text(text_of_all(programs))
            subprocess.run(["g++", "-std=c++20", "-g", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wno-unused-function", "-Werror",
                            "-Irecord/values", "-Irecord/thread", str(source), "-o", str(program), "-pthread"], check=True)
            Threads.compiled = programs, program
        return Threads.compiled

    def program(self, body, name="program"):
        programs, program = self.all_programs()
        path = self.folder / f"{programs.index(body)}-{name}"
        path.symlink_to(program)
        return path

    def record(self, program, *arguments, code=HOLDS):
        result = run("mcapi", "record", "-o", self.folder / "run.ctp", "--", program, *arguments)
        self.assertEqual(result.code, code, result.error_text)
        return result

    def commands(self):
        """The commands of each thread, without locations and places."""
        text = run("fmt", self.folder / "run.ctp").text
        threads = re.findall(r"^  \(\n(.*?)^  \)", text, re.MULTILINE | re.DOTALL)
        return [re.findall(r"\[\S+ (\(.*?\))(?: \(at .*\))?\]$", thread, re.MULTILINE) for thread in threads]

    def verify(self, program, *options, code):
        result = run("mcapi", "verify", "--timeout", "60", *options, "--", program)
        self.assertEqual(result.code, code, result.text + result.error_text)
        return result


class Examples(Threads):
    def test_truths(self):
        self.assertTrue(EXAMPLES)
        for source in EXAMPLES:
            truths = TRUTH.findall(source.read_text())
            self.assertTrue(truths, f"{source} does not say what is true of it")
            program = self.program(body_of(source), source.stem)
            for arguments, truth in truths:
                result = run("mcapi", "verify", "--timeout", "60", "--", program, *arguments.split())
                self.assertEqual(result.code, CODES[truth], result.text + result.error_text)
                self.assertIn("; nothing left\n", result.text)


class Recording(Threads):
    def test_endpoints(self):
        """A node has several endpoints; what is sent from one may overtake what is sent from another."""
        self.record(self.program("""
            static void receiver() { auto const e = make(), f = make(3); matchpoint::value<int> x, y, z; receive(e, x); receive(e, y); receive(f, z); MATCHPOINT_ASSERT(x + 1 == y); }
            static void sender() { auto const e = make(), f = make(1); send(e, of(0), 1); send(f, of(0), 2); send(e, of(0, 3), 3); }
            int main() { matchpoint::run(receiver, sender); }"""))
        self.assertEqual(self.commands(), [
            ["(rcvi R0_0 0 x0_0)", "(wait R0_0)", "(rcvi R0_1 0 x0_1)", "(wait R0_1)", "(rcvi R0_2 3000 x0_2)", "(wait R0_2)", "(assert (= (+ x0_0 1) x0_1))"],
            ["(sndi S1_0 1 0 1)", "(wait S1_0)", "(sndi S1_1 1001 0 2)", "(wait S1_1)", "(sndi S1_2 1 3000 3)", "(wait S1_2)"]])
        self.assertEqual(run("check", self.folder / "run.ctp").code, FAILURE)
        self.assertEqual(run("run", self.folder / "run.ctp", "--trace", "1").code, HOLDS)

    def test_requests(self):
        """A wait for a later receive completes the earlier ones; mcapi_wait_any takes what is there; a test is a wait once it succeeds."""
        self.record(self.program("""
            static void receiver() {
                auto const e = make(), f = make(1); matchpoint::value<int> x[4]; mcapi_request_t r[4]; size_t size;
                for (int i = 0; i < 2; ++i) mcapi_msg_recv_i(e, &x[i], sizeof(int), &r[i], &s);
                mcapi_wait(&r[1], &size, MCAPI_TIMEOUT_INFINITE, &s);
                if (size != sizeof(int) || s != MCAPI_SUCCESS) _exit(9);
                for (int i = 2; i < 4; ++i) mcapi_msg_recv_i(i == 2 ? e : f, &x[i], sizeof(int), &r[i], &s);
                if (mcapi_test(&r[2], &size, &s) || s != MCAPI_PENDING) _exit(9);
                if (mcapi_wait(&r[2], &size, 1, &s) || s != MCAPI_TIMEOUT) _exit(9);
                mcapi_request_t* both[] = {&r[2], &r[3]};
                matchpoint::value<int> const go = 1;
                send(f, of(1, 1), go);
                if (mcapi_wait_any(2, both, &size, MCAPI_TIMEOUT_INFINITE, &s) != 1) _exit(9);
                send(f, of(1, 1), go);
                while (!mcapi_test(&r[2], &size, &s)) usleep(1000);
                if (x[0].concrete() != 1 || x[1].concrete() != 2 || x[2].concrete() != 4 || x[3].concrete() != 3) _exit(9);
            }
            static void sender() {
                auto const e = make(), f = make(1); matchpoint::value<int> go;
                send(e, of(0), 1); send(e, of(0), 2); receive(f, go); send(e, of(0, 1), 3); receive(f, go); send(e, of(0), 4);
            }
            int main() { matchpoint::run(receiver, sender); }"""))
        self.assertEqual(self.commands()[0], [
            "(rcvi R0_0 0 x0_0)", "(rcvi R0_1 0 x0_1)", "(wait R0_0)", "(wait R0_1)", "(rcvi R0_2 0 x0_2)", "(rcvi R0_3 1000 x0_3)",
            "(sndi S0_4 1000 1001 1)", "(wait S0_4)", "(wait R0_3)", "(sndi S0_5 1000 1001 1)", "(wait S0_5)", "(wait R0_2)"])

    def test_statuses(self):
        """What MCAPI refuses is refused, and not recorded."""
        self.record(self.program("""
            static void expect(mcapi_status_t wanted, int line) { if (s != wanted) { std::fprintf(stderr, "line %d: %d instead of %d\\n", line, s, wanted); _exit(9); } }
            static void first() {
                auto const e = make(); expect(MCAPI_SUCCESS, __LINE__);
                make(); expect(MCAPI_ERR_ENDP_EXISTS, __LINE__);
                make(99); expect(MCAPI_ERR_PORT_INVALID, __LINE__);
                make(MCAPI_PORT_ANY); expect(MCAPI_SUCCESS, __LINE__);
                int x = 0; mcapi_request_t r;
                mcapi_msg_recv_i(of(1), &x, sizeof x, &r, &s); expect(MCAPI_ERR_ENDP_NOTOWNER, __LINE__);
                mcapi_msg_send_i(of(1), e, &x, sizeof x, 0, &r, &s); expect(MCAPI_ERR_ENDP_NOTOWNER, __LINE__);
                mcapi_msg_send_i(e, {4}, &x, sizeof x, 0, &r, &s); expect(MCAPI_ERR_ENDP_INVALID, __LINE__);
                mcapi_msg_send_i(e, e, nullptr, 4, 0, &r, &s); expect(MCAPI_ERR_PARAMETER, __LINE__);
                r = {}; mcapi_wait(&r, nullptr, 0, &s); expect(MCAPI_ERR_REQUEST_INVALID, __LINE__);
                mcapi_endpoint_get(0, 1, 7, 1, &s); expect(MCAPI_TIMEOUT, __LINE__);
                mcapi_initialize(0, 0, nullptr, nullptr, nullptr, &s); expect(MCAPI_SUCCESS, __LINE__);
                mcapi_initialize(0, 1, nullptr, nullptr, nullptr, &s); expect(MCAPI_ERR_NODE_NOTINIT, __LINE__);
                if (mcapi_node_id_get(&s) != 0) _exit(9);
                long const wide = 7; mcapi_msg_send_i(e, e, &wide, sizeof wide, 0, &r, &s);
                size_t size; mcapi_msg_recv(e, &x, sizeof x, &size, &s); expect(MCAPI_ERR_MSG_TRUNCATED, __LINE__);
                if (size != sizeof x) _exit(9);
                mcapi_finalize(&s); expect(MCAPI_SUCCESS, __LINE__);
            }
            static void second() { make(); }
            int main() {
                int x = 0; mcapi_msg_recv({0}, &x, sizeof x, nullptr, &s); expect(MCAPI_ERR_NODE_NOTINIT, __LINE__);
                mcapi_wait_any(0, nullptr, nullptr, 0, &s); expect(MCAPI_ERR_PARAMETER, __LINE__);
                matchpoint::run(first, second);
            }"""))
        self.assertEqual(self.commands(), [["(sndi S0_0 0 0 7)", "(rcvi R0_1 0 x0_1)", "(wait R0_1)"], []])

    def test_incomplete(self):
        """What is not modelled is said."""
        result = self.record(self.program("""
            static void first() { auto const e = make(); matchpoint::value<int> x; receive(e, x); make(1); }
            static void second() { auto const e = make(); send(e, of(0), 1); send(e, of(0, 1), 2); }
            int main() { matchpoint::run(first, second); }"""), code=UNKNOWN)
        self.assertRegex(result.error_text, r"incomplete: .*program.cpp:\d+: mcapi_endpoint_get: the endpoint was created after calls of its node")
        result = self.record(self.program("""
            static matchpoint::value<int> shared;
            static void first() { auto const e = make(), f = make(1); receive(e, shared); send(f, of(1), 1); }
            static void second() { auto const e = make(); matchpoint::value<int> x; send(e, of(0), 1); receive(e, x); if (shared > 0) x = 2; }
            int main() { matchpoint::run(first, second); }"""), code=UNKNOWN)
        self.assertIn("incomplete: matchpoint::value: a thread uses a value of another thread that it did not receive", result.error_text)

    def test_how_runs_end(self):
        program = self.program("""
            static int arguments;
            static void f() { auto const e = make(); matchpoint::value<int> x; if (arguments > 1) { send(e, of(1 - mcapi_node_id_get(&s)), 1); receive(e, x); } receive(e, x); }
            int main(int n, char**) { arguments = n; matchpoint::run(f, f); }""")
        result = self.record(program, code=DEADLOCK)
        self.assertRegex(result.error_text, r"program.cpp:\d+: thread 1 waits for a receive")
        for more, said in (([], "confirmed: the deadlock happened"), (["send"], "thread 1 waits for a receive; in the trace it waits for R1_0 (")):
            result = run("mcapi", "replay", self.folder / "run.ctp", "--", program, *more)
            self.assertEqual(result.code, DEADLOCK, result.error_text)
            self.assertIn(said, result.error_text)
            self.assertEqual("matchpoint: another deadlock than that of the trace\n" in result.error_text, bool(more))
        crashing = self.program("int main() { matchpoint::run([] { make(); *(int volatile*)8 = 1; }); }")
        result = self.record(crashing, code=FAILURE)
        self.assertIn("killed by signal 11 (SEGV)", result.error_text)
        self.assertIn("thread 0 ended before its end", result.error_text)
        other = self.program("int main(int n, char**) { matchpoint::run([=] { make(); if (n > 1) _exit(3); }); }", "other")
        for command, code, said in (([crashing], FAILURE, "confirmed: the run failed as the recorded one did\n"),
                                    ([other, "3"], UNKNOWN, "not confirmed: the recorded run failed, killed by signal 11 (SEGV), and this one failed otherwise\n"),
                                    ([other], UNKNOWN, "and this one did not\n")):
            result = run("mcapi", "replay", self.folder / "run.ctp", "--", *command)
            self.assertEqual(result.code, code, result.error_text)
            self.assertIn("matchpoint: trace 1, the recorded run, which failed: killed by signal 11 (SEGV)\n", result.error_text)
            self.assertTrue(result.error_text.endswith(said), result.error_text)
        self.record(self.program("""
            static void f() { auto const e = make(); int x; mcapi_request_t r; mcapi_msg_recv_i(e, &x, sizeof x, &r, &s); if (mcapi_wait(&r, nullptr, 1500, &s)) _exit(9); }
            int main() { matchpoint::run(f, f); }"""))  # a wait with a time limit ends by itself
        self.record("/bin/true", code=BAD_INPUT)
        launcher = self.write("#!/bin/sh\nexec sleep 0.6\n", "mpirun")
        launcher.chmod(0o700)
        for task, command, code, more in (("record", ["sleep", "0.6"], BAD_INPUT, ""),
                                          ("verify", [launcher], BAD_INPUT, "; `matchpoint mpi` records programs of MPI")):
            result = run("mcapi", task, "--patience", "0.02", "--", *command)  # asked after 0.2 s
            self.assertEqual(result.code, code, result.error_text)
            self.assertEqual(result.error_text.count(
                f"matchpoint: nothing is recorded so far: no call of MCAPI was seen, as nobody has called matchpoint::run of <matchpoint/mcapi.h>{more}\n"), 1, result.error_text)
        self.record("/nowhere/program", code=SOLVER_FAILED)


    def test_outputs_that_cannot_be_written(self):
        """They are noticed before the program runs."""
        mark = self.folder / "it-ran"
        program = self.write("( ( [00 (rcvi R0_0 0 x0_0)] [01 (wait R0_0)] bot ) ( [10 (sndi S1_0 1 0 4)] [11 (wait S1_0)] bot ) )"
                             "( (10 bot) (11 bot) (00 bot) (01 ((0 1) bot)) )")
        for command in (["record"], ["replay", program], ["verify"]):
            for options, code, said in ((["-o", self.folder / "no/run.ctp"], OUTPUT_FAILED, "No such file or directory"),
                                        (["-o", self.folder], OUTPUT_FAILED, "it is not a regular file"),
                                        (["--keep", self.folder / "no/such"], OUTPUT_FAILED, "cannot make the folder"),
                                        (["--keep", program], BAD_INPUT, "it has to be an empty folder, or not to exist")):
                result = run("mcapi", *command, *options, "--", "touch", mark)
                self.assertEqual((result.code, result.text), (code, ""), result.error_text)
                self.assertIn(said, result.error_text)
        self.assertFalse(mark.exists())
        self.assertEqual([file.name for file in self.folder.iterdir()], [program.name])

    def test_usage(self):
        """What precedes `--` is ours."""
        hint = "hint: put `--` between our options and the command to run\n"
        for words, said, is_hinted in ((["record", "mpirun", "-n", "4", "x"], "there is no option `-n`", True), (["record"], "COMMAND is missing", True),
                                       (["replay", "run.ctp"], "COMMAND is missing", True), (["verify", "--runs", "0", "--", "x"], "`0` is not a number: 1, 2, 3 ...", False),
                                       (["replay", "traces/shared_memory/aba.ctp", "--", "x"], "error[usage]: traces/shared_memory/aba.ctp has shared variables", False)):
            error = self.refused("mcapi", *words, saying=said)
            self.assertEqual(hint in error, is_hinted, error)

    def test_words_of_the_command(self):
        """They are passed on as they are."""
        words = ["[a,b]", "--", "", " c", "--help", "-o"]
        program = self.program('int main(int argc, char** argv) { for (int i = 1; i < argc; ++i) std::printf("<%s>", argv[i]); matchpoint::run([] {}, [] {}); }')
        whole = run("mcapi", "record", "--", program, "a")  # without -o, the recording follows what the run printed
        self.assertRegex(whole.text, r"\A<a>; A recorded run of: ")
        self.assertEqual(whole.error_text, "matchpoint: recorded 2 threads: 0 commands\n")
        self.assertTrue(self.record(program, *words).text.startswith("".join(f"<{word}>" for word in words)))

    def test_full_disk(self):
        """A thread whose file cannot grow runs on. The recording says that it is incomplete."""
        program = self.program("""
            static void f() { auto const e = make(); for (int i = 0; i < 200; ++i) { matchpoint::value<int> x; send(e, e, i); receive(e, x); if (x.concrete() != i) _exit(9); } }
            int main() { matchpoint::run(f); }""")
        command = f"trap '' XFSZ; ulimit -f 4; exec {program}"
        result = run("mcapi", "record", "-o", self.folder / "run.ctp", "--", "sh", "-c", command)
        self.assertEqual(result.code, UNKNOWN, result.error_text)
        self.assertRegex(result.error_text, "the recording cannot grow: .*; this thread is not recorded from here on")
        self.assertIn("incomplete: recorder: the disk is full: the rest is missing", result.error_text)
        self.assertEqual(run("run", self.folder / "run.ctp", "--trace", "1").code, UNKNOWN)  # what the thread did next


class Verify(Threads):
    def test_buffering(self):
        """Head to head: a deadlock if sends wait. What `check -o` writes of it is replayed with the sends that it names."""
        program = self.program("""
            static void f() { mcapi_node_t const me = mcapi_node_id_get(&s); auto const e = make(); auto const other = of(1 - me); matchpoint::value<int> x; send(e, other, 1); receive(e, x); }
            int main() { matchpoint::run(f, f); }""")
        file, witness = self.folder / "stuck.ctp", self.folder / "witness.ctp"
        result = self.verify(program, "-o", file, code=DEADLOCK)
        self.assertRegex(result.text, r"the program deadlocks, if the sends at \S+ of thread [01] and at \S+ of thread [01] wait for their receives: it depends on the library\n")
        self.assertIn("\n  check it with --buffering any\n", result.text)
        self.assertEqual(self.verify(program, "--buffering", "infinite", code=HOLDS).text.count("run "), 1)
        self.assertIn("(infinite buffering)", run("check", file).text)
        self.assertEqual(run("check", file, "--buffering", "any", "-o", witness).code, DEADLOCK)
        self.assertIn("; trace 2, any buffering, refusing S0_0 S1_0: leads to a deadlock\n", witness.read_text())
        replayed = run("mcapi", "replay", witness, "--", program)
        self.assertEqual(replayed.code, DEADLOCK, replayed.error_text)
        self.assertIn("matchpoint: confirmed: the deadlock happened\n", replayed.error_text)
        replayed = run("mcapi", "replay", witness, "--buffering", "infinite", "--", program)
        self.assertEqual(replayed.code, HOLDS, replayed.error_text)

    def test_beside(self):
        """A run that fails is beside one that comes later, and that does not. It is trace 1 all the same."""
        program = self.program("""
            static void server() {
                auto const e = make(); matchpoint::value<int> x, y; receive(e, x); receive(e, y);
                if (x.concrete() == 1) { usleep(300000); abort(); }  // the others come to their end first
            }
            static void client() { int const me = static_cast<int>(mcapi_node_id_get(&s)); auto const e = make(); if (me == 2) usleep(300000); send(e, of(0), me); }
            int main() { matchpoint::run(server, client, client); }""")
        file = self.folder / "bug.ctp"
        result = self.verify(program, "-o", file, "--keep", self.folder / "runs", code=FAILURE)
        self.assertRegex(result.text, r"run 2: path 1, as in \S+ gets \S+ of thread 2, \S+( \(2nd\))? gets \S+ of thread 1: ended well\n")
        self.assertIn(f" --trace 1 --beside 2\n", result.text)
        text = file.read_text()
        self.assertIn("; This run failed: killed by signal 6 (ABRT)\n; thread 0 ended before its end\n"
                      "; Trace 1 is this run.\n; Trace 2 is a run that ended well.\n", text)
        self.assertEqual((self.folder / "runs" / "run-0001" / "run.ctp").read_text(), text)
        self.assertIn("  R0_0 gets S1_0 here, S2_0 there\n", run("draw", file, "--trace", "1", "--beside", "2", "--names").text)

    def test_paths(self):
        """A branch on what was received: two paths, one of which fails."""
        program = self.program("""
            static void server() {
                auto const e = make(); matchpoint::value<int> x, y; receive(e, x);
                if (x == 1) { receive(e, y); MATCHPOINT_ASSERT(y == 2); }
                else { receive(e, y); usleep(300000); MATCHPOINT_ASSERT(y != 1); }  // the others come to their end first
            }
            static void client() { int const me = static_cast<int>(mcapi_node_id_get(&s)); auto const e = make(); send(e, of(0), me); }
            int main() { matchpoint::run(server, client, client); }""")
        result = self.verify(program, code=FAILURE)
        self.assertRegex(result.text, r"(\d) of \1 match sets tried, on 2 paths, in 2 runs; nothing left\n")

    def test_every_order(self):
        """4 messages of 4 threads, in every order: each run takes what was wanted."""
        program = self.program("""
            static void sink() { auto const e = make(); for (int i = 0; i < 4; ++i) { matchpoint::value<int> x; receive(e, x); std::printf("%d", x.concrete()); } std::puts(""); }
            static void source() { auto const e = make(); send(e, of(0), static_cast<int>(mcapi_node_id_get(&s))); }
            int main() { matchpoint::run(sink, source, source, source, source); }""")
        runs = self.folder / "runs"
        result = self.verify(program, "--keep", runs, "--jobs", "2", code=HOLDS)
        self.assertIn("24 of 24 match sets tried, on 1 path, in 24 runs; nothing left\n", result.text)
        orders = {file.read_text() for file in runs.glob("run-*/output")}
        self.assertEqual(len(orders), 24, orders)
        for folder in sorted(runs.glob("run-*"))[1:]:
            wanted = "".join(re.findall(r"^match R0_\d+ S(\d)_0$", (folder / "run").read_text(), re.MULTILINE))
            self.assertEqual((folder / "output").read_text(), wanted + "\n")

    def test_nothing_to_receive(self):
        """No run goes wrong, so -o writes nothing, and says whether an older file is there."""
        program = self.program("""
            static void f() { make(); }
            int main() { matchpoint::run(f); }""")
        out = self.folder / "bug.ctp"
        said = f"no run failed or deadlocked, so {out} was not written"
        self.assertIn(f"{said}\n", self.verify(program, "-o", out, code=HOLDS).text)
        self.record(program)
        self.assertIn("no receive takes a message in trace 1\n", run("mcapi", "replay", self.folder / "run.ctp", "--", program).error_text)
        (self.folder / "run.ctp").rename(out)
        before = out.read_text()
        self.assertIn(f"{said}; the file there is from an earlier run\n", self.verify(program, "-o", out, code=HOLDS).text)
        self.assertEqual(out.read_text(), before)


if __name__ == "__main__":
    unittest.main()
