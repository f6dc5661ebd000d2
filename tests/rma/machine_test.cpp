#include "rma/machine/machine.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "rma/machine/schedule.hpp"
#include "rma/machine/words.hpp"
#include "tests/rma/program_of.hpp"

namespace matchpoint::rma {
namespace {

/// A program with its machine, and a state that a schedule leads to.
struct Played {
    Program program;
    Graph graph;
    Machine machine;
    State state;
    Effect effect = Effect::moved;

    explicit Played(std::string_view text, std::string_view schedule = "", Model model = Model::rma)
        : program(program_of(text)), graph(program), machine(graph, model), state(machine.initial()) {
        play(schedule);
    }

    /// Ends at the first word that does not apply; what it says is the result.
    std::string play(std::string_view schedule) {
        auto const words = parse_schedule(graph, schedule);
        if (!words) return words.error();
        for (ScheduleWord const& word : *words) {
            auto const transitions = transitions_of(machine, state, word);
            if (!transitions) return transitions.error();
            for (Transition const& t : *transitions) effect = machine.apply(state, t);
        }
        return "";
    }
    std::string memory() const { return print_memory(program, state); }
    std::string pending() const { return print_pending(graph, state); }
    std::string why_not(ProcessIndex p) const {
        auto const blocked = machine.blocked(state, p);
        return blocked ? in_words(machine, *blocked) : "";
    }
};

/// Process 2 with the given statements, beside a process 1 with a shared Y.
std::string two(std::string_view statements, std::string_view of_1 = "") {
    return fmt::format("(rma (process 1 (shared (Y 1)) (local (y 0)) {})\n"
                       "(process 2 (shared (R 0) (X 2)) (local (r 0) (b false)) {}))",
                       of_1, statements);
}

constexpr std::string_view initial = "Y = 1, y = 0, R = 0, X = 2, r = 0, b = false";

TEST(RmaPut, AddsAPendingRead) {
    Played const run(two("(put Y 1 X)"), "2");
    EXPECT_EQ(run.pending(), "R(2) = {2#1}");
    EXPECT_EQ(run.memory(), initial);
    EXPECT_EQ(run.why_not(1), "it has finished");
}

TEST(RmaGet, AddsAPendingRead) {
    Played const run(two("(get R Y 1)"), "2");
    EXPECT_EQ(run.pending(), "R(2) = {2#1}");
    EXPECT_EQ(run.memory(), initial);
}

TEST(RmaPut, IsOneStepUnderSc) {
    Played const run(two("(put Y 1 X) (get R Y 1)"), "2 2", Model::sc);
    EXPECT_EQ(run.memory(), "Y = 2, y = 0, R = 2, X = 2, r = 0, b = false");
    EXPECT_EQ(run.pending(), "");
}

TEST(RmaNicR, ReadsTheValueOfNow) {
    Played const run(two("(put Y 1 X) (store X 3)"), "2 2 r:2#1");
    EXPECT_EQ(run.pending(), "W(2) = {2#1: Y := 3}");
    EXPECT_EQ(run.memory(), "Y = 1, y = 0, R = 0, X = 3, r = 0, b = false");
}

TEST(RmaNicR, DoesNotApplyWhereNoReadIsPending) {
    Played run(two("(put Y 1 X)"));
    EXPECT_EQ(run.play("r:2#1"), "no read is pending of 2#1, (put Y 1 X)");
    EXPECT_EQ(run.play("2 r:2#1 r:2#1"), "no read is pending of 2#1, (put Y 1 X)");
}

TEST(RmaNicW, WritesWhatWasRead) {
    Played const run(two("(get R Y 1)"), "2 r:2#1 w:2#1");
    EXPECT_EQ(run.memory(), "Y = 1, y = 0, R = 1, X = 2, r = 0, b = false");
    EXPECT_TRUE(run.machine.enabled(run.state).size() == 0 && run.machine.is_final(run.state));
}

TEST(RmaNicW, DoesNotApplyBeforeItsRead) {
    Played run(two("(get R Y 1)"), "2");
    EXPECT_EQ(run.play("w:2#1"), "no write is pending of 2#1, (get R Y 1)");
}

TEST(RmaNicW, EqualOperationsOfOneStatementOvertakeEachOther) {
    std::string const loop = two("[a (put Y 1 X)] (store X (+ r 5)) (goto a)");
    Played run(loop, "2 r:2#1 2 2 2 r:2.a");
    EXPECT_EQ(run.pending(), "W(2) = {2#1: Y := 2, 2#1: Y := 5}");
    EXPECT_EQ(run.play("w:2#1"), "several values are pending of 2#1, (put Y 1 X): write `w:2#1=v`");
    EXPECT_EQ(run.play("w:2#1=5 w:2#1"), "");
    EXPECT_EQ(run.memory(), "Y = 2, y = 0, R = 0, X = 5, r = 0, b = false");
    EXPECT_EQ(Played(loop, "2 2 2 2 2 2 2").pending(), "R(2) = {2#1, 2#1, 2#1}");
}

TEST(RmaLoad, ReadsMemory) {
    EXPECT_EQ(Played(two("(load r X)"), "2").memory(), "Y = 1, y = 0, R = 0, X = 2, r = 2, b = false");
}

TEST(RmaStore, WritesMemoryAndNoPendingOperation) {
    Played const run(two("(put Y 1 X) (store X (* 2 (- r 4)))"), "2 2");
    EXPECT_EQ(run.memory(), "Y = 1, y = 0, R = 0, X = -8, r = 0, b = false");
    EXPECT_EQ(run.pending(), "R(2) = {2#1}");
}

TEST(RmaFlush, PassesWhenNothingToTheTargetIsPending) {
    EXPECT_EQ(Played(two("(put Y 1 X) (flush 1) skip"), "2 rw:2#1 2").why_not(1), "");
}

// errata R1: both halves of put and get.
TEST(RmaFlush, WaitsForReadsAndWritesOfPutsAndGets) {
    Played run(two("(put Y 1 X) (get R Y 1) (flush 1)"), "2 2");
    EXPECT_EQ(run.why_not(1), "its flush waits for 2#1, (put Y 1 X); 2#2, (get R Y 1)");
    EXPECT_EQ(run.play("rw:2#1 r:2#2 2"), "its flush waits for 2#2, (get R Y 1)");
    EXPECT_EQ(run.play("w:2#2 2"), "");
}

TEST(RmaFlush, DoesNotWaitForOthers) {
    std::string const three =
        "(rma (process 1 (shared (Y 1))) (process 2 (shared (X 2)) (put Y 1 X) (put Z 3 X) (flush 3))"
        "(process 3 (shared (Z 0)) (put Y 1 Z)))";
    Played run(three, "2 2 3 rw:2#2");
    EXPECT_EQ(run.why_not(1), "");
    EXPECT_EQ(run.pending(), "R(2) = {2#1}, R(3) = {3#1}");
}

TEST(RmaFlush, IsSkipUnderSc) {
    EXPECT_EQ(Played(two("(put Y 1 X) (flush 1)"), "2 2", Model::sc).why_not(1), "it has finished");
}

TEST(RmaAssign, SetsALocalVariable) {
    EXPECT_EQ(Played(two("(r := (+ r 7))"), "2").memory(), "Y = 1, y = 0, R = 0, X = 2, r = 7, b = false");
}

TEST(RmaAssign, FaultsOnAZeroDivisor) {
    Played const run(two("(r := (div 1 r))"), "2");
    EXPECT_EQ(run.effect, Effect::faulted);
    EXPECT_EQ(run.why_not(1), "") << "it stays where it is";
}

TEST(RmaChoose, TakesOneOfTheValues) {
    Played run(two("(choose r 4 5)"));
    EXPECT_EQ(run.machine.enabled(run.state).size(), 2U);
    EXPECT_EQ(run.play("2"), "process 2 chooses here: write `2=v` with one of the values of (choose r 4 5)");
    EXPECT_EQ(run.play("2=5"), "");
    EXPECT_EQ(run.memory(), "Y = 1, y = 0, R = 0, X = 2, r = 5, b = false");
}

TEST(RmaAssume, DiscardsTheRunOrNot) {
    EXPECT_EQ(Played(two("(assume b)"), "2").effect, Effect::discarded);
    EXPECT_EQ(Played(two("(assume (not b))"), "2").effect, Effect::moved);
}

TEST(RmaAssert, FailsAndMovesOn) {
    Played const run(two("(assert b)"), "2");
    EXPECT_EQ(run.effect, Effect::failed);
    EXPECT_TRUE(run.machine.is_final(run.state));
    EXPECT_EQ(Played(two("(assert (not b))"), "2").effect, Effect::moved);
}

TEST(RmaIf, TakesABranch) {
    EXPECT_EQ(Played(two("(if b ((r := 1)) ((r := 2)))"), "2 2").memory(),
              "Y = 1, y = 0, R = 0, X = 2, r = 2, b = false");
    EXPECT_EQ(Played(two("(if (not b) ((r := 1)) ((r := 2)))"), "2 2").memory(),
              "Y = 1, y = 0, R = 0, X = 2, r = 1, b = false");
    EXPECT_EQ(Played(two("(if b ((r := 1)))"), "2").why_not(1), "it has finished");
    EXPECT_EQ(Played(two("(if (not b) ())"), "2").why_not(1), "it has finished");
}

TEST(RmaWhile, Repeats) {
    EXPECT_EQ(Played(two("(while (< r 2) (r := (+ r 1)))"), "2 2 2 2 2").memory(),
              "Y = 1, y = 0, R = 0, X = 2, r = 2, b = false");
    EXPECT_EQ(Played(two("(while true)"), "2 2 2").why_not(1), "");
}

TEST(RmaGoto, Jumps) {
    EXPECT_EQ(Played(two("(goto end) (r := 1) [end (if b ((r := 2)))]"), "2 2").why_not(1), "it has finished");
}

TEST(RmaSkip, DoesNothing) { EXPECT_EQ(Played(two("skip"), "2").memory(), initial); }

TEST(RmaAtomic, NoOtherProcessStepsInside) {
    std::string const text = two("(atomic (put Y 1 X) (r := 1)) skip", "skip");
    EXPECT_EQ(Played(text, "").why_not(0), "") << "it is not inside yet";
    EXPECT_EQ(Played(text, "2").why_not(0), "process 2 is inside of an `atomic`, so no other one steps");
    EXPECT_EQ(Played(text, "2 rw:2#1").memory(), "Y = 2, y = 0, R = 0, X = 2, r = 0, b = false")
        << "network cards step";
    EXPECT_EQ(Played(text, "2 2").why_not(0), "") << "it has left";
}

TEST(RmaAtomic, ALoopThatComesBackStaysInside) {
    std::string const text = two("(atomic (while (< r 2) (r := (+ r 1))))", "skip");
    EXPECT_EQ(Played(text, "2 2").why_not(0), "process 2 is inside of an `atomic`, so no other one steps");
    EXPECT_EQ(Played(text, "2 2 2 2 2").why_not(0), "");
    EXPECT_EQ(Played(two("(atomic)"), "2").why_not(1), "it has finished");
}

TEST(RmaSchedule, WrongWords) {
    auto const error = [](std::string_view schedule) {
        Played const run(two("[a (put Y 1 X)] [b skip]"));
        return parse_schedule(run.graph, schedule).error();
    };
    EXPECT_EQ(error("2 3"), "`3`: there is no process 3");
    EXPECT_EQ(error("x"),
              "`x`: a word is a process, or `r:`, `w:`, `rw:`, `a:` or `aw:` and a remote statement such as `2#1`");
    EXPECT_EQ(error("r:2"),
              "`r:2`: a remote statement is `2#1`, the first one of process 2, or `2.rho`, the one at location rho");
    EXPECT_EQ(error("rw:2#2"), "`rw:2#2`: process 2 has 1 remote statement");
    EXPECT_EQ(error("w:1#1"), "`w:1#1`: process 1 has 0 remote statements");
    EXPECT_EQ(error("r:2.b"), "`r:2.b`: `b` is not a location of a remote statement of process 2");
    EXPECT_EQ(error("2=x"), "`2=x`: `x` is not a value");
}

TEST(RmaAtomics, AreReadAndWrittenInOneStep) {
    Played run(two("(fetch-and-op R Y 1 + X) (store X 5) (flush 1)"), "2");
    EXPECT_EQ(run.pending(), "A(2, Y) = <2#1>");
    EXPECT_EQ(run.play("2 a:2#1"), ""); // the card reads X when it executes the operation
    EXPECT_EQ(run.memory(), "Y = 6, y = 0, R = 0, X = 5, r = 0, b = false");
    EXPECT_EQ(run.pending(), "W(2) = {2#1: R := 1}");
    EXPECT_EQ(run.why_not(1), "its flush waits for 2#1, (fetch-and-op R Y 1 + X)");
    EXPECT_EQ(run.play("w:2#1 2"), "");
    EXPECT_EQ(run.memory(), "Y = 6, y = 0, R = 1, X = 5, r = 0, b = false");
    EXPECT_TRUE(run.machine.is_final(run.state));
}

TEST(RmaAtomics, AreExecutedInTheOrderOfTheirIssueOnEachVariable) {
    std::string const text = "(rma (process 1 (shared (Y 1) (Z 1)) bot) (process 2 (shared (X 2) (R 0))\n"
                             "(accumulate Y 1 + X) (accumulate Z 1 * X) (compare-and-swap R Y 1 X X) (flush 1) bot))";
    Played run(text, "2 2 2");
    EXPECT_EQ(run.pending(), "A(2, Y) = <2#1, 2#3>, A(2, Z) = <2#2>");
    EXPECT_EQ(run.play("a:2#3"), "2#1, (accumulate Y 1 + X) comes first");
    EXPECT_EQ(run.play("aw:2#1"), "2#1, (accumulate Y 1 + X) fetches nothing: write `a:`");
    EXPECT_EQ(run.play("r:2#1"), "no read is pending of 2#1, (accumulate Y 1 + X)");
    EXPECT_FALSE(run.machine.is_final(run.state));
    EXPECT_EQ(run.play("a:2#2 a:2#1 aw:2#3 2"), "");
    EXPECT_EQ(run.memory(), "Y = 3, Z = 2, X = 2, R = 3"); // Y was 3, and not X
    EXPECT_EQ(run.play("a:2#2"), "no atomic is pending of 2#2, (accumulate Z 1 * X)");
}

TEST(RmaAtomics, Operators) {
    auto const after = [](std::string_view op, std::string_view Y, std::string_view Z) {
        Played const run(fmt::format("(rma (process 1 (shared (Y {}) (Z {})) (accumulate Y 1 {} Z) bot))", Y, Z, op),
                         "1 a:1#1");
        return run.state.M[0].to_string();
    };
    EXPECT_EQ(after("+", "3", "4"), "7");
    EXPECT_EQ(after("*", "3", "4"), "12");
    EXPECT_EQ(after("min", "3", "4"), "3");
    EXPECT_EQ(after("min", "4", "3"), "3");
    EXPECT_EQ(after("max", "3", "4"), "4");
    EXPECT_EQ(after("max", "4", "3"), "4");
    EXPECT_EQ(after("replace", "3", "4"), "4");
    EXPECT_EQ(after("no-op", "3", "4"), "3");
    EXPECT_EQ(after("and", "true", "false"), "false");
    EXPECT_EQ(after("or", "true", "false"), "true");
    EXPECT_EQ(after("xor", "true", "true"), "false");
}

TEST(RmaAtomics, CompareAndSwap) {
    std::string const text = "(rma (process 1 (shared (Y 1) (C 1) (Z 7) (R 0)) (compare-and-swap R Y 1 C Z) "
                             "(compare-and-swap R Y 1 C C) bot))";
    EXPECT_EQ(Played(text, "1 1 aw:1#1").memory(), "Y = 7, C = 1, Z = 7, R = 1");
    EXPECT_EQ(Played(text, "1 1 aw:1#1 aw:1#2").memory(), "Y = 7, C = 1, Z = 7, R = 7");
    EXPECT_EQ(Played(text, "1 1", Model::sc).memory(), "Y = 7, C = 1, Z = 7, R = 7");
}

TEST(RmaAtomics, AreOneStepUnderSc) {
    Played const run(two("(fetch-and-op X Y 1 + X)"), "2", Model::sc);
    EXPECT_EQ(run.memory(), "Y = 3, y = 0, R = 0, X = 1, r = 0, b = false");
    EXPECT_TRUE(run.machine.is_final(run.state));
}

TEST(RmaSchedule, PrintingIsTheInverse) {
    std::string const text =
        two("(put Y 1 X) (choose r 1 2) (store X 5) (get R Y 1) (fetch-and-op R Y 1 + X) (accumulate Y 1 + X)");
    std::string const schedule = "2 2=2 r:2#1 2 2 rw:2#2 w:2#1=2 2 2 aw:2#3 a:2#4";
    Played run(text);
    std::vector<Transition> all;
    auto const words = parse_schedule(run.graph, schedule);
    ASSERT_TRUE(words);
    for (ScheduleWord const& word : *words) {
        auto const transitions = transitions_of(run.machine, run.state, word);
        ASSERT_TRUE(transitions) << transitions.error();
        for (Transition const& t : *transitions) run.machine.apply(run.state, t);
        all.insert(all.end(), transitions->begin(), transitions->end());
    }
    EXPECT_EQ(print_schedule(run.machine, all), schedule);
}

} // namespace
} // namespace matchpoint::rma
