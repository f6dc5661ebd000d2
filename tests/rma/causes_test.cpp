#include "rma/machine/causes.hpp"

#include <gtest/gtest.h>

#include "base/overloaded.hpp"
#include "rma/language/print.hpp"
#include "rma/machine/accesses.hpp"
#include "rma/machine/schedule.hpp"
#include "rma/programs/random.hpp"
#include "rma/search/check.hpp"
#include "tests/rma/program_of.hpp"

namespace matchpoint::rma {
namespace {

/// The steps of a run that are kept, counted from 1: "1 3 4".
std::string kept(std::string_view text, std::string_view schedule, std::optional<std::size_t> property = 0) {
    Program const program = program_of(text);
    Graph const graph(program);
    Machine const machine(graph);
    std::vector<Transition> run;
    EXPECT_FALSE(run_of(machine, *parse_schedule(graph, schedule), run)) << schedule;
    std::vector<bool> const all = causes(machine, run, Operations(machine, run), {property});
    std::string words;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i]) words += (words.empty() ? "" : " ") + std::to_string(i + 1);
    return words;
}

TEST(RmaCauses, ValuesComeFromTheLastWrites) {
    EXPECT_EQ(kept(two_processes("(store X 3) (s := 1) (store X 4) (load r X)", "(assert final (= r 3))"), "2 2 2 2"),
              "3 4");
    EXPECT_EQ(kept(two_processes("(s := 1) (r := (+ s 1)) (s := 2)", "(assert final (= r 3))"), "2 2 2"), "1 2");
    EXPECT_EQ(kept(two_processes("(s := 1)", "(assert final (= r 3))"), "2"), "");
}

TEST(RmaCauses, WhatACardDoesNeedsItsStatement) {
    std::string const text = two_processes("(put Y 1 X) (get R Z 1) (flush 1)", "(assert final (= Y 3))");
    EXPECT_EQ(kept(text, "2 2 rw:2#2 r:2#1 w:2#1 2"), "1 5 6");
    // A statement has issued two operations; the one that wrote last counts.
    std::string const twice =
        two_processes("(while (< s 2) (put Y 1 X) (s := (+ s 1)) (store X (+ s 5)))", "(assert final (= Y 3))");
    EXPECT_EQ(kept(twice, "2 2 r:2#1 2 2 2 2 2 2 2 r:2#1 w:2#1=2 w:2#1=7"), "1 4 6 7 8 9 11 13");
}

TEST(RmaCauses, AWriteThatAnotherProcessOverwrites) {
    std::string const text = "(rma (process 1 (shared (Y 1)) (store Y 5) (store Y 6))\n"
                             "(process 2 (shared (X 2)) (put Y 1 X)) (assert final (= Y 6)))";
    EXPECT_EQ(kept(text, "1 2 1 rw:2#1"), "2 3 4 5");
    EXPECT_EQ(kept(text, "2 rw:2#1 1 1"), "5");
}

TEST(RmaCauses, Conditions) {
    EXPECT_EQ(kept(two_processes("(s := 1) (if (= s 1) ((r := 5)))", "(assert final (= r 3))"), "2 2 2"), "1 2 3");
    EXPECT_EQ(kept(two_processes("(s := 1) (if (= s 1) (skip)) (r := 5)", "(assert final (= r 3))"), "2 2 2 2"), "4");
    // What could have repeated, waited or jumped decides what comes later, too.
    EXPECT_EQ(kept(two_processes("(s := 1) (while (= s 0)) (r := 5)", "(assert final (= r 3))"), "2 2 2"), "1 2 3");
    EXPECT_EQ(kept(two_processes("(s := 1) (assume (= s 1)) (r := 5)", "(assert final (= r 3))"), "2 2 2"), "1 2 3");
    EXPECT_EQ(
        kept(two_processes("(s := 1) (if (= s 0) ((assume (= s 1)))) (r := 5)", "(assert final (= r 3))"), "2 2 2"),
        "1 2 3");
    EXPECT_EQ(kept(two_processes("(s := 1) (if (= s 0) ((goto end))) (r := 5) [end skip]", "(assert final (= r 3))"),
                   "2 2 2 2"),
              "1 2 3");
    EXPECT_EQ(kept(two_processes("(while true (r := (+ r 1)))", "(invariant (< r 1))"), "2 2"), "2");
}

TEST(RmaCauses, AnAssertionAndAPlace) {
    EXPECT_EQ(kept(two_processes("(s := 1) (r := 2) (assert (= s 2))", ""), "2 2 2", {}), "1 3");
    EXPECT_EQ(kept(two_processes("(s := 1) (r := 2) [b skip]", "(invariant (not (at 2 b)))"), "2 2"), "2");
}

TEST(RmaCauses, Atomics) {
    std::string const text = "(rma (process 1 (shared (Y 1) (Z 0) (A 1) (B 2) (R 0))\n"
                             "(store Y 5) (store A 7) (fetch-and-op R Y 1 replace A) (accumulate Y 1 no-op B))\n"
                             "(assert final (= {} 3)))";
    auto const of = [&](std::string const& x) {
        return kept(std::string(text).replace(text.find("{}"), 2, x), "1 1 1 1 aw:1#1 a:1#2");
    };
    EXPECT_EQ(of("Y"), "2 3 5"); // a no-op changes nothing, and Y was replaced
    EXPECT_EQ(of("R"), "1 2 3 5 6");
    std::string const swap =
        "(rma (process 1 (shared (Y 1) (C 1) (Z 0) (R 0)) (store C 2) (store Z 4) (compare-and-swap R Y 1 C Z))\n"
        "(assert final (= Y 3)))";
    EXPECT_EQ(kept(swap, "1 1 1 aw:1#1"), "1 2 3 4");
}

/// The steps that are kept, one after the other, without the others: each process is moved to where it was before.
void expect_same_without_others(Machine const& machine, std::vector<Transition> const& run,
                                std::vector<bool> const& kept, std::optional<std::size_t> property) {
    State state = machine.initial();
    State alone = machine.initial();
    for (std::size_t i = 0; i < run.size(); ++i) {
        State const before = state;
        Effect const effect = machine.apply(state, run[i]);
        if (!kept[i]) continue;
        auto const* const step = std::get_if<ProcessStep>(&run[i]);
        if (step != nullptr) alone.pc[step->p] = before.pc[step->p];
        if (auto const* const read = std::get_if<NicRead>(&run[i])) {
            ASSERT_GT(alone.reads(read->s), 0U);
        }
        if (auto const* const atomic = std::get_if<NicAtomic>(&run[i])) {
            auto& queue = alone.A[machine.graph().remotes()[atomic->s].queue];
            auto const at = std::find(queue.begin(), queue.end(), atomic->s);
            ASSERT_NE(at, queue.end());
            std::rotate(queue.begin(), at, at + 1);
        }
        if (auto const* const write = std::get_if<NicWrite>(&run[i])) {
            ASSERT_TRUE(alone.remove_write(write->s, write->val));
            alone.add_write(write->s, write->val);
        }
        ASSERT_EQ(machine.apply(alone, run[i]), effect);
        if (step != nullptr) {
            ASSERT_EQ(alone.pc[step->p], state.pc[step->p]);
        }
    }
    if (!property) return;
    for (Variable const x : variables_in(machine.program(), machine.program().properties[*property].e)) {
        VariableInfo const& info = machine.program()[x];
        if (info.kind == VariableInfo::Kind::place)
            EXPECT_EQ(alone.pc[info.process], state.pc[info.process]);
        else
            EXPECT_EQ(alone.M[x.index], state.M[x.index]);
    }
}

TEST(RmaCauses, TheOtherStepsDoNotMatter) {
    std::size_t runs = 0;
    std::size_t left_out = 0;
    for (std::uint64_t i = 0; i < 2'000; ++i) {
        Program const program = random_program(5, i, {.properties = 100, .atomics = i % 2 == 0 ? 0U : 50U});
        CheckResult const result = check_program(program, {});
        if (!result.violation) continue;
        Graph const graph(program);
        Machine const machine(graph);
        auto const& run = result.violation->run;
        std::vector<bool> const kept = causes(machine, run, Operations(machine, run), {result.violation->property});
        SCOPED_TRACE(print(program) + "\n" + print_schedule(machine, run));
        expect_same_without_others(machine, run, kept, result.violation->property);
        if (HasFatalFailure()) return;
        ++runs;
        left_out += static_cast<std::size_t>(std::count(kept.begin(), kept.end(), false));
    }
    EXPECT_GT(runs, 50U);
    EXPECT_GT(left_out, runs);
}

} // namespace
} // namespace matchpoint::rma
