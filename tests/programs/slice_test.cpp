#include "programs/slice.hpp"

#include <gtest/gtest.h>

#include "grammar/parse.hpp"

namespace matchpoint::programs::draft {
namespace {

Draft draft(std::string_view text) {
    Source const source("test.ctp", std::string(text));
    auto const program = grammar::parse(source);
    if (!program) throw std::invalid_argument(render(program.error(), source));
    return draft_of(*program);
}

/// The slice, as it is printed, is what `text` says.
void expect_slice(std::string_view program, std::string_view text) {
    EXPECT_EQ(print(slice(draft(program)).draft), print(draft(text)));
}
void expect_nothing_gone(std::string_view program) { expect_slice(program, program); }

TEST(Slice, AssignmentsThatNothingReads) {
    expect_slice("(([0 (x := 1)] [1 (y := (+ x 1))] [2 (z := 3)] [3 (assert (= z 3))]))",
                 "(([2 (z := 3)] [3 (assert (= z 3))]))");
}

TEST(Slice, AnAssignmentThatIsOverwritten) {
    expect_slice("(([0 (x := 1)] [1 (x := 2)] [2 (assert (= x 2))] [3 (x := 3)]))",
                 "(([1 (x := 2)] [2 (assert (= x 2))]))");
    expect_nothing_gone("(([0 (x := 1)] [1 (x := (+ x 2))] [2 (assert (= x 3))]))");
}

TEST(Slice, DivisionsThatMayHaveAFaultStay) {
    expect_nothing_gone("(([0 (x := 1)] [1 (y := (div 1 x))]))");
    expect_slice("(([0 (x := 1)] [1 (y := (div x 2))] [2 (y := (mod x 0))]))", "(([0 (x := 1)] [2 (y := (mod x 0))]))");
}

TEST(Slice, PayloadsThatNothingReads) {
    expect_slice("(([0 (rcvi r 0 x)] [1 (wait r)] [2 (rcvi q 0 y)] [3 (wait q)])"
                 " ([4 (a := 5)] [5 (sndi s 1 0 a)] [6 (sndi t 1 0 7)]))",
                 "(([0 (rcvi r 0 x)] [1 (wait r)] [2 (rcvi q 0 y)] [3 (wait q)])"
                 " ([5 (sndi s 1 0 0)] [6 (sndi t 1 0 0)]))");
    // Who gets which message is not decided yet.
    expect_nothing_gone("(([0 (rcvi r 0 x)] [1 (wait r)] [2 (rcvi q 0 y)] [3 (wait q)] [7 (assert (= y 7))])"
                        " ([4 (a := 5)] [5 (sndi s 1 0 a)] [6 (sndi t 1 0 7)]))");
}

TEST(Slice, APayloadThatMayHaveAFaultKeepsItsEndpoint) {
    expect_nothing_gone("(([0 (rcvi r 0 x)] [1 (wait r)] [2 (rcvi q 0 y)] [3 (wait q)])"
                        " ([4 (a := 5)] [5 (sndi s 1 0 (div 1 a))] [6 (sndi t 1 0 7)]))");
}

/// The message comes with the wait, so that the assignment before it does not count.
TEST(Slice, AReceiveThatIsPostedBeforeAnAssignment) {
    expect_nothing_gone("(([0 (rcvi r 0 x)] [1 (x := 1)] [2 (wait r)] [3 (assert (= x 5))])"
                        " ([5 (sndi s 1 0 5)]))");
}

TEST(Slice, SharedVariables) {
    expect_slice("(shared [x 0] [y 0] [z 0]) (([0 (x := 1)] [1 (y := 1)] [2 (z := 1)])"
                 " ([3 (a := y)] [4 (b := x)] [5 (assert (= b 0))] [6 (y := z)]))",
                 "(shared [x 0]) (([0 (x := 1)]) ([4 (b := x)] [5 (assert (= b 0))]))");
}

TEST(Slice, ChainsOfSharedVariables) {
    expect_nothing_gone("(shared [x 0] [y 0]) (([0 (x := 1)]) ([1 (a := x)] [2 (y := a)])"
                        " ([3 (b := y)] [4 (assert (= b 0))]))");
}

TEST(Slice, GuardedAssignments) {
    expect_slice("(shared [x 0] [y 0]) (([0 (assume (= x 0) (y := 1) (x := 2))] [1 (assume (= x 2) (y := 2))]"
                 " [2 (assume true (y := 3))] [3 (assume true)]))",
                 "(shared [x 0]) (([0 (assume (= x 0) (x := 2))] [1 (assume (= x 2))]))");
    // All of them read what was before.
    expect_nothing_gone("(shared [x 0] [y 0]) (([0 (assume true (x := y) (y := x))] [1 (assert (= x y))]))");
}

/// Without the second one, y and z would not be for synchronisation.
TEST(Slice, WhatBlocksStaysAsItIs) {
    expect_nothing_gone("(shared [y 0] [z 0]) (([0 (when (= y 0) (y := 1))] [1 (when true (z := y) (a := z))]))");
}

TEST(Slice, AReceiveIntoASharedVariable) {
    expect_nothing_gone("(shared [x 0]) (([0 (rcvi r 0 x)] [1 (wait r)]) ([2 (sndi s 1 0 5)]) ([3 (assert (= x 0))]))");
}

/// The variable keeps its sort.
TEST(Slice, ABooleanMessageIntoASharedVariable) {
    expect_slice("(shared [x true]) (([0 (rcvi r 0 x)] [1 (wait r)]) ([2 (sndi s 1 0 true)]))",
                 "(shared [x true]) (([0 (rcvi r 0 x)] [1 (wait r)]) ([2 (sndi s 1 0 false)]))");
    expect_slice("(([0 (rcvi r 0 x)] [1 (wait r)]) ([2 (sndi s 1 0 true)]))",
                 "(([0 (rcvi r 0 x)] [1 (wait r)]) ([2 (sndi s 1 0 0)]))");
}

TEST(Slice, MovementsOfRemovedEntriesComeLater) {
    expect_slice("(([0 (rcvi r 0 x)] [1 (y := 1)] [2 (wait r)]) ([3 (sndi s 1 0 0)]))"
                 " ((0 bot) (3 bot) (1 ((0 1) bot)) (2 bot))",
                 "(([0 (rcvi r 0 x)] [2 (wait r)]) ([3 (sndi s 1 0 0)])) ((0 bot) (3 bot) (2 ((0 1) bot)))");
    expect_slice("(([0 (rcvi r 0 x)] [1 (y := 1)] [2 (wait r)]) ([3 (sndi s 1 0 0 (tag 7))]))"
                 " ((0 bot) (3 bot) (1 ((0 1 7) bot)) (2 bot))",
                 "(([0 (rcvi r 0 x)] [2 (wait r)]) ([3 (sndi s 1 0 0 (tag 7))]))"
                 " ((0 bot) (3 bot) (2 ((0 1 7) bot)))");
}

TEST(Slice, CountsWhatIsGone) {
    Slice const s = slice(draft("(shared [x 0]) (([0 (assume true (x := 1) (a := 2))] [1 (b := 2)] [2 (assume true)]"
                                " [3 (rcvi r 0 c)] [4 (wait r)]) ([5 (sndi s 1 0 7)]))"));
    EXPECT_EQ(s.assignments, 3U);
    EXPECT_EQ(s.assumptions, 2U);
    EXPECT_EQ(s.payloads, 1U);
    EXPECT_EQ(s.shared, 1U);
}

} // namespace
} // namespace matchpoint::programs::draft
