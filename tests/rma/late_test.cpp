#include "rma/machine/late.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "rma/machine/schedule.hpp"
#include "rma/programs/random.hpp"
#include "rma/search/check.hpp"
#include "tests/rma/program_of.hpp"

namespace matchpoint::rma {
namespace {

using Answer = Lateness::Answer;

std::string words(Machine const& machine, std::vector<Transition> const& run, std::optional<std::size_t> property) {
    static constexpr std::string_view answers[] = {"late", "together", "in between", "as well", "open"};
    Operations const operations(machine, run);
    Lateness const found = lateness(machine, run, operations, property);
    std::string text(answers[static_cast<std::size_t>(found.answer)]);
    for (Late const& late : found.late)
        text += fmt::format(" {}<{}", name_of(machine.graph(), operations.all()[late.operation].s), late.passed + 1);
    return text;
}

/// "late 2#1<4" if the first operation of process 2 should have been executed before step 4.
std::string of_run(std::string_view text, std::string_view schedule, std::optional<std::size_t> property = 0) {
    Program const program = program_of(text);
    Graph const graph(program);
    Machine const machine(graph);
    std::vector<Transition> run;
    EXPECT_FALSE(run_of(machine, *parse_schedule(graph, schedule), run)) << schedule;
    return words(machine, run, property);
}

TEST(RmaLate, TheLastStepThatAFlushHasToComeBefore) {
    std::string const text = two_processes("(put Y 1 X) (r := 1) (store X 3) (r := 2)", "(assert final (= Y 2))");
    EXPECT_EQ(of_run(text, "2 2 2 2 rw:2#1"), "late 2#1<3");
    EXPECT_EQ(of_run(text, "2 2 2 rw:2#1 2"), "late 2#1<3");
}

TEST(RmaLate, TheWriteAlone) {
    std::string const text = two_processes("(get R Y 1) (load r R)", "(assert final (= r 1))");
    EXPECT_EQ(of_run(text, "2 r:2#1 2 w:2#1"), "late 2#1<3");
    EXPECT_EQ(of_run(text, "2 2 rw:2#1"), "late 2#1<2");
}

TEST(RmaLate, WhatIsStillPendingAtTheEnd) {
    EXPECT_EQ(
        of_run(two_processes("(put Y 1 X) (get R Y 1) (flush 1) (load r R)", "(invariant (!= R 1))"), "2 2 rw:2#2"),
        "late 2#1<2");
    EXPECT_EQ(of_run(two_processes("(get R Y 1) (load r R) (assert (= r 1))", ""), "2 2 2", {}), "late 2#1<2");
}

TEST(RmaLate, OneOfTwoIsEnoughOrBothAreNeeded) {
    EXPECT_EQ(of_run(two_processes("(put Y 1 X) (put Z 1 X) (store X 5)", "(assert final (or (< Y 5) (< Z 5)))"),
                     "2 2 2 rw:2#1 rw:2#2"),
              "late 2#1<3 2#2<3");
    EXPECT_EQ(of_run(two_processes("(put Y 1 X) (put Z 1 X) (store X 5)", "(assert final (and (< Y 5) (< Z 5)))"),
                     "2 2 2 rw:2#1 rw:2#2"),
              "together 2#1<3 2#2<3");
}

TEST(RmaLate, WhatLeavesAnAtomic) {
    std::string const text = "(rma (process 1 (shared (Y 1)) (local (y 0)) (load y Y))\n"
                             "(process 2 (shared (X 2)) (local (r 0)) (atomic (r := 1) (put Y 1 X)))\n"
                             "(assert final (or (= r 0) (= y 2))))";
    EXPECT_EQ(of_run(text, "2 2 1 rw:2#1"), "late 2#1<3");
    EXPECT_EQ(of_run(text, "1 2 2 rw:2#1"), "as well");
}

TEST(RmaLate, NothingIsLate) {
    std::string const crossed = "(rma (process 1 (shared (X 1)) (put Y 2 X) (flush 2))\n"
                                "(process 2 (shared (Y 2)) (put X 1 Y) (flush 1))\n(assert final (= X Y)))";
    EXPECT_EQ(of_run(crossed, "1 2 r:1#1 r:2#1 w:1#1 w:2#1 1 2"), "in between");
    EXPECT_EQ(of_run(two_processes("(put Y 1 X) (store X 3)", "(assert final (= Y 9))"), "2 2 rw:2#1"), "as well");
    EXPECT_EQ(of_run(two_processes("(r := 1)", "(assert final (= r 9))"), "2"), "open") << "there are no operations";
}

TEST(RmaLate, ARunWithoutAnEnd) {
    std::string const text =
        two_processes("(put Y 1 X) (store X 3) (while true (r := (- 1 r)))", "(invariant (< Y 3))");
    EXPECT_EQ(of_run(text, "2 2 rw:2#1"), "late 2#1<2");
}

TEST(RmaLate, ARunThatDoesNotCountProvesNothing) {
    EXPECT_EQ(
        of_run(two_processes("(get R Y 1) (load r R) (assume (= r 0))", "(assert final (= r 1))"), "2 2 2 rw:2#1"),
        "open");
}

TEST(RmaLate, NothingIsLateUnderSc) {
    Program const program = program_of(two_processes("(put Y 1 X)", "(assert final (= Y 1))"));
    Graph const graph(program);
    EXPECT_EQ(words(Machine(graph, Model::sc), {ProcessStep{1}}, 0), "open");
}

/// If each operation is executed at once, the run is one of SC.
TEST(RmaLate, RandomProgramsThatAreRightUnderSc) {
    std::size_t late = 0;
    for (std::uint64_t i = 0; i < 2'000; ++i) {
        Program const program = random_program(9, i, {.properties = 100, .atomics = i % 2 == 0 ? 0U : 50U});
        CheckResult const result = check_program(program, {});
        if (!result.violation) continue;
        Graph const graph(program);
        Machine const machine(graph);
        std::string const found = words(machine, result.violation->run, result.violation->property);
        CheckResult const sc = check_program(program, {.model = Model::sc});
        if (sc.verdict != Verdict::safe || sc.faulted != Known::no) continue;
        EXPECT_NE(found, "as well") << i;
        late += found.starts_with("late") ? 1U : 0U;
    }
    EXPECT_GT(late, 20U);
}

} // namespace
} // namespace matchpoint::rma
