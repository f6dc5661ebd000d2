#!/usr/bin/env python3
"""`matchpoint mpi record` of programs with windows: the program for `matchpoint rma`, and what the examples promise."""

import json
import re
import unittest
from pathlib import Path

from mpi import LIBRARIES, compiled, launcher
from support import FAILURE, HOLDS, UNKNOWN, InFolder, run

TRUTH = re.compile(r"^// windows -n (\d+)((?: -D\w+)*): (\w+)(?:, race: (\w+))?$", re.MULTILINE)
HEAD = """
#include <matchpoint/mpi.h>
#include <mpi.h>
#define WORLD MPI_COMM_WORLD
static int rank, memory[4] = {10, 11, 12, 13}, a = 1, b = 2, c = 3; static MPI_Win w;
int main(int argc, char** argv) { (void)a; (void)b; (void)c; MPI_Init(&argc, &argv); MPI_Comm_rank(WORLD, &rank);
MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, WORLD, &w);
"""
END = "\nMPI_Win_free(&w); MPI_Finalize(); return 0; }\n"
MEETING = ["(accumulate met0 2 + one_{0})", "(fetch-and-op seen_{0} met0 2 no-op one_{0})", "(flush 2)", "(load s_{0} seen_{0})"]


class Windows(InFolder):
    def record(self, library, body, options=()):
        source = self.folder / "program.c"
        source.write_text(HEAD + body + END)
        program = compiled(library, source, self.folder)
        return run("mpi", "record", *options, "-o", self.folder / "run.rma", "--", *launcher(library, 2), program)

    def processes(self, library, body, code=HOLDS):
        """Declarations and statements of each rank, without places and without meetings."""
        result = self.record(library, body)
        self.assertEqual(result.code, code, result.error_text)
        self.assertEqual(run("rma", "lint", self.folder / "run.rma").code, HOLDS)
        found = []
        for text in re.split(r"^  \(process \d+$", (self.folder / "run.rma").read_text(), flags=re.MULTILINE)[1:3]:
            rank = len(found)
            lines = [line.split(" ; ")[0].strip() for line in text.strip().splitlines()]
            meeting = [line.format(rank) for line in MEETING]
            lines = [line for line in lines if line not in ("bot", ")", "") and line not in meeting and "(assume (>= s_" not in line]
            found.append([line for line in lines if not line.startswith("(local")])
        return found

    def test_remote_statements(self):
        for library in LIBRARIES:
            zero, one = self.processes(library, """
                MPI_Win_lock_all(0, w);
                if (rank == 1) {
                    MPI_Put(&a, 1, MPI_INT, 0, 0, 1, MPI_INT, w); MPI_Get(&b, 1, MPI_INT, 0, 1, 1, MPI_INT, w); MPI_Win_flush(0, w);
                    MPI_Accumulate(&a, 1, MPI_INT, 0, 2, 1, MPI_INT, MPI_SUM, w); MPI_Win_flush_all(w);
                    MPI_Compare_and_swap(&a, &c, &b, MPI_INT, 0, 2, w); MPI_Win_flush(0, w);
                    MPI_Put(memory, 2, MPI_INT, 0, 0, 2, MPI_INT, w);
                }
                MPI_Win_unlock_all(w);""")
            self.assertEqual(zero, ["(shared (W0_0_0 10) (W0_0_1 11) (W0_0_2 12) (one_0 1) (seen_0 0))"])
            self.assertEqual(one, [
                "(shared (W0_1_0 10) (W0_1_1 11) (B1_0 1) (B1_1 2) (B1_2 3) (one_1 1) (seen_1 0))", "(put W0_0_0 0 B1_0)",
                "(get B1_1 W0_0_1 0)", "(flush 0)", "(accumulate W0_0_2 0 + B1_0)", "(flush 0)",
                "(compare-and-swap B1_1 W0_0_2 0 B1_2 B1_0)", "(flush 0)", "(put W0_0_0 0 W0_1_0)", "(put W0_0_1 0 W0_1_1)", "(flush 0)"])

    def test_fetches_of_several_elements(self):
        """MPI_Get_accumulate is a fetch of each; with MPI_NO_OP, it does not look at what is added."""
        for library in LIBRARIES:
            _, one = self.processes(library, """
                int got[2] = {0, 0}, more[2] = {3, 3};
                MPI_Win_lock_all(0, w);
                if (rank == 1) {
                    MPI_Get_accumulate(more, 2, MPI_INT, got, 2, MPI_INT, 0, 1, 2, MPI_INT, MPI_SUM, w); MPI_Win_flush(0, w);
                    MPI_Get_accumulate(NULL, 0, MPI_INT, got, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_NO_OP, w);
                }
                MPI_Win_unlock_all(w);""")
            self.assertEqual(one[1:], ["(fetch-and-op B1_1 W0_0_1 0 + B1_0)", "(fetch-and-op B1_3 W0_0_2 0 + B1_2)", "(flush 0)",
                                       "(fetch-and-op B1_1 W0_0_0 0 no-op none_1)", "(flush 0)"])

    def test_stores_between_calls(self):
        """Of buffers and of windows; not what others have written there."""
        zero, one = self.processes(LIBRARIES[0], """
                MPI_Win_lock_all(0, w);
                if (rank == 0) memory[1] = 5;
                MPI_Barrier(WORLD);
                if (rank == 1) { MPI_Put(&a, 1, MPI_INT, 0, 0, 1, MPI_INT, w); MPI_Get(&b, 1, MPI_INT, 0, 1, 1, MPI_INT, w);
                                 MPI_Win_flush(0, w); a = 7; MPI_Put(&a, 1, MPI_INT, 0, 0, 1, MPI_INT, w); }
                MPI_Win_unlock_all(w);""")
        self.assertEqual(zero[1:], ["(store W0_0_1 5)"])
        self.assertEqual(one[1:], ["(put W0_0_0 0 B1_0)", "(get B1_1 W0_0_1 0)", "(flush 0)", "(store B1_0 7)", "(put W0_0_0 0 B1_0)",
                                   "(flush 0)"])

    def test_locks_exclude_each_other(self):
        _, one = self.processes(LIBRARIES[-1], """
                MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1 - rank, 0, w); MPI_Put(&a, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, w);
                MPI_Win_unlock(1 - rank, w);
                MPI_Win_lock(MPI_LOCK_SHARED, 1 - rank, 0, w); MPI_Win_unlock(1 - rank, w);""")
        self.assertEqual(one[1:], ["(compare-and-swap got_1 lock0_0 2 free_1 held_1)", "(load g_1 got_1)", "(assume (= g_1 0))",
                                   "(put W0_0_0 0 B1_0)", "(flush 0)", "(accumulate lock0_0 2 replace free_1)",
                                   "(fetch-and-op got_1 lock0_0 2 + one_1)", "(load g_1 got_1)", "(assume (>= g_1 0))",
                                   "(accumulate lock0_0 2 + fewer_1)"])

    def test_fences_are_meetings_behind_flushes(self):
        result = self.record(LIBRARIES[0], """MPI_Win_fence(0, w); if (rank == 1) MPI_Put(&a, 1, MPI_INT, 0, 0, 1, MPI_INT, w); MPI_Win_fence(0, w);
            if (rank == 0) { memory[0] += 1; } MPI_Win_fence(0, w);""")
        self.assertEqual(result.code, HOLDS, result.error_text)
        checked = run("rma", "check", "--races", "--finals", self.folder / "run.rma")
        self.assertEqual(checked.code, HOLDS, checked.text)
        self.assertIn("races: none", checked.text)
        self.assertIn("W0_0_0 = 2", checked.text)

    def test_what_is_left_out_is_named(self):
        cases = {
            "MPI_Request q; MPI_Rput(&a, 1, MPI_INT, 0, 0, 1, MPI_INT, w, &q); MPI_Wait(&q, MPI_STATUS_IGNORE);":
                "MPI_Rput: one-sided communication with a request is not modelled",
            "double d = 1; MPI_Put(&d, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, w);": "MPI_Put: elements are integers, of the same type on both sides",
            "MPI_Put(&a, 1, MPI_INT, 0, 0, 1, MPI_INT, w);": "MPI_Put: a put or a get of a rank on itself is left out",
            "MPI_Accumulate(&a, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_BXOR, w);": "MPI_Accumulate: this operation is not modelled",
            "MPI_Put(&a, 1, MPI_INT, 1, 0, 1, MPI_INT, w); MPI_Win_flush_local(1, w);": "MPI_Win_flush_local: a local flush after a put",
        }
        body = "MPI_Win_lock_all(0, w); if (rank == 0) {" + "".join("{" + case + "}" for case in cases) + "} MPI_Win_unlock_all(w);"
        result = self.record(LIBRARIES[-1], body)
        self.assertEqual(result.code, UNKNOWN, result.error_text)
        for what in cases.values():
            self.assertIn(what, result.error_text)
            self.assertIn(what, (self.folder / "run.rma").read_text())

    def test_claims_that_are_only_evaluated(self):
        """They have their places, and nobody knows whether they can be false in another run."""
        for library in LIBRARIES:
            zero, one = self.processes(library, """if (rank == 0) { MATCHPOINT_ASSERT(memory[0] == 10);
                MATCHPOINT_ASSERT(a == 1); } else MATCHPOINT_ASSERT(rank == 1);""")
            self.assertEqual((zero[1:], one[1:]), (["(assert true)"] * 2, ["(assert true)"]))
            checked = run("rma", "check", self.folder / "run.rma")
            self.assertEqual(checked.code, UNKNOWN, checked.text)
            headline, first, second, *_ = checked.text.splitlines()
            self.assertTrue(headline.endswith(": unknown"), headline)
            self.assertRegex(first, "^  3 assertions were evaluated in the recorded run, and true there: .*program.c:8, .*program.c:9$")
            self.assertEqual(second, "  whether they can be false in another run is not known")
            report = json.loads(run("rma", "check", "--format", "json", self.folder / "run.rma").text)
            self.assertEqual((report["verdict"], [one["place"].split(":")[-1] for one in report["evaluated"]]), ("unknown", ["8", "9", "9"]))

    def test_a_false_claim_that_is_only_evaluated(self):
        result = self.record(LIBRARIES[0], """MATCHPOINT_ASSERT(a == 1); MPI_Win_fence(0, w);
            if (rank == 0) MPI_Accumulate(&a, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, w); MPI_Win_fence(0, w); MATCHPOINT_ASSERT(memory[0] == 10);""")
        self.assertNotEqual(result.code, HOLDS)
        checked = run("rma", "check", self.folder / "run.rma")
        self.assertEqual(checked.code, UNKNOWN, checked.text)
        self.assertIn(" evaluated in the recorded run, which failed: ", checked.text)

    def test_what_orders_ranks(self):
        """Messages and groups, as counters of the last process. (Barriers and fences are left out of what is compared.)"""
        zero, one = self.processes(LIBRARIES[0], """
                MPI_Group all, other; int const he = 1 - rank; MPI_Comm_group(WORLD, &all); MPI_Group_incl(all, 1, &he, &other);
                if (rank == 0) { MPI_Win_start(other, 0, w); MPI_Put(&a, 1, MPI_INT, 1, 0, 1, MPI_INT, w); MPI_Win_complete(w);
                                 MPI_Ssend(&a, 1, MPI_INT, 1, 5, WORLD); }
                else { MPI_Win_post(other, 0, w); MPI_Win_wait(w); MPI_Recv(&b, 1, MPI_INT, 0, MPI_ANY_TAG, WORLD, MPI_STATUS_IGNORE); }
                MPI_Bcast(&c, 1, MPI_INT, 1, WORLD);""")

        def signal(name, rank):
            return [f"(accumulate {name} 2 + one_{rank})"]

        def awaited(name, rank):
            return [f"(fetch-and-op seen_{rank} {name} 2 no-op one_{rank})"]

        self.assertEqual(zero[1:], [*awaited("post0_1_0", 0), "(put W0_1_0 1 B0_0)", "(flush 1)", *signal("done0_0_1", 0),
                                    *signal("sent0_0_1_5", 0), *awaited("posted_1_0", 0), *awaited("coll0_1", 0)])
        self.assertEqual(one[1:], [*signal("post0_1_0", 1), *awaited("done0_0_1", 1), *signal("posted_1_0", 1), *awaited("sent0_0_1_5", 1),
                                   *signal("coll0_1", 1)])


class Verify(InFolder):
    """What `verify` says of runs with windows; categories.py has the mistakes one by one."""

    def verify(self, library, body, ranks=2, *options):
        source = self.folder / "program.c"
        source.write_text(HEAD + body + END)
        return run("mpi", "verify", "--timeout", "30", *options, "--", *launcher(library, ranks), compiled(library, source, self.folder))

    def test_clean(self):
        """Nothing is left, and nothing is found, where fences, messages and groups order all accesses."""
        for library in LIBRARIES:
            result = self.verify(library, """
                MPI_Win_fence(MPI_MODE_NOPRECEDE, w); if (rank == 0) MPI_Put(&a, 1, MPI_INT, 1, 0, 1, MPI_INT, w); MPI_Win_fence(0, w);
                MPI_Accumulate(&b, 1, MPI_INT, 1 - rank, 1, 1, MPI_INT, MPI_SUM, w); MPI_Win_fence(MPI_MODE_NOSUCCEED, w);
                memory[0] = 3; memory[1] = 4; MPI_Barrier(WORLD); MPI_Win_lock_all(0, w); MPI_Get(&c, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, w);
                MPI_Win_flush(1 - rank, w); c = 9; MPI_Win_unlock_all(w); MATCHPOINT_ASSERT(c == 9);""", 2, "--strict")
            self.assertEqual(result.code, HOLDS, result.text + result.error_text)
            self.assertIn("no failure and no deadlock", result.text)

    def test_a_race_in_every_format(self):
        body = "\nif (rank != 1) MPI_Win_lock_all(0, w);\nif (rank != 1) MPI_Put(&a, 1, MPI_INT, 1, 0, 1, MPI_INT, w);\nif (rank != 1) MPI_Win_unlock_all(w);"
        for name in ("found.json", "found.sarif"):
            result = self.verify(LIBRARIES[0], body, 3, "--findings", self.folder / name)
            self.assertEqual(result.code, HOLDS, result.text + result.error_text)
            self.assertRegex(result.text, "finding: .*program.c:10: rank [02]: MPI_Put: it writes memory of rank 1 while MPI_Put of rank [02] may write it "
                                          r"\(see .*program.c:10 of rank [02]\) \[window-race\]")
        found = json.loads((self.folder / "found.json").read_text())["findings"]
        self.assertEqual([(f["kind"], f["level"], f["place"]["line"]) for f in found], [("window-race", "error", 10)])
        sarif = json.loads((self.folder / "found.sarif").read_text())["runs"][0]["results"]
        self.assertEqual([(r["ruleId"], r["level"], len(r["relatedLocations"])) for r in sarif], [("window-race", "error", 1)])

    def test_an_assertion_that_depends_on_a_flush(self):
        """It is predicted of a value that is followed. In C, nobody knows what it reads, and that is said."""
        body = "MPI_Win_lock_all(0, w);\nif (rank == 0) MPI_Put(&a, 1, MPI_INT, 1, 0, 1, MPI_INT, w);\nMPI_Barrier(WORLD);\n%s\nMPI_Win_unlock_all(w);"
        source = self.folder / "program.cpp"
        get = "matchpoint::value<int> got = 1; if (rank == 0) { MPI_Get(&got, 1, MPI_INT, 1, 0, 1, MPI_INT, w); MPI_Win_flush_all(w);\nMATCHPOINT_ASSERT(got != 10); }"
        source.write_text(HEAD + body % get + END)
        for library in LIBRARIES:
            result = run("mpi", "verify", "--timeout", "30", "--strict", "--", *launcher(library, 2), compiled(library, source, self.folder))
            self.assertNotEqual(result.code, HOLDS)
            self.assertRegex(result.text, r"program.cpp:12: rank 0: its assertion can be false: .*\[window-assertion, predicted\]")
            early = self.verify(library, body % "int got = 1; if (rank == 0) { MPI_Get(&got, 1, MPI_INT, 1, 1, 1, MPI_INT, w); MATCHPOINT_ASSERT(got != 7); }")
            self.assertEqual(early.code, UNKNOWN, early.text + early.error_text)
            self.assertIn("it is evaluated while a get is pending: whether it reads what has not come yet is not seen", early.error_text)

    def test_what_may_order_ranks_hides_races(self):
        """No race is invented where something is left out that ranks may wait for."""
        result = self.verify(LIBRARIES[0], """if (rank != 1) { MPI_Win_lock_all(0, w); MPI_Put(&a, 1, MPI_INT, 1, 0, 1, MPI_INT, w);
            MPI_Win_sync(w); MPI_Win_unlock_all(w); }""", 3)
        self.assertEqual(result.code, UNKNOWN, result.text + result.error_text)
        self.assertNotIn("window-race", result.text)
        self.assertIn("no races were looked for, as MPI_Win_sync may order ranks", result.error_text)

    def test_a_run_that_hangs(self):
        """What was found before is said."""
        result = self.verify(LIBRARIES[-1], """if (rank == 0) MPI_Put(&a, 1, MPI_INT, 1, 0, 1, MPI_INT, w);
            if (rank == 0) MPI_Recv(&b, 1, MPI_INT, 1, 0, WORLD, MPI_STATUS_IGNORE);""")
        self.assertNotEqual(result.code, HOLDS)
        self.assertIn("MPI_Put: no epoch is open in which it may access rank 1 [missing-epoch]", result.text)


class Examples(InFolder):
    def test_truths(self):
        seen = 0
        for source in sorted(Path("examples/mpi").iterdir()):
            for ranks, flags, verdict, race in TRUTH.findall(source.read_text()):
                seen += 1
                for library in LIBRARIES:
                    with self.subTest(library=library, example=source.name, flags=flags):
                        program = compiled(library, source, self.folder, *flags.split())
                        out = self.folder / "run.rma"
                        result = run("mpi", "record", "-o", out, "--", *launcher(library, ranks), program)
                        may_fail = (HOLDS, FAILURE) if verdict == "violated" else (HOLDS,)
                        self.assertIn(result.code, may_fail, result.error_text)
                        checked = run("rma", "check", *(["--races"] if race else []), out)
                        self.assertIn(f": {verdict}\n", checked.text)
                        if race:
                            self.assertRegex(checked.text, "  races: none\n" if race == "no" else "  races: [1-9]")
        self.assertEqual(seen, 4)


if __name__ == "__main__":
    unittest.main()
