// Shrinking: what becomes of movements.

#include "programs/smaller.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/drafts.hpp"

namespace matchpoint::programs::draft {
namespace {

Draft parsed_draft(std::string_view text) {
    Source const source("test.ctp", std::string(text));
    return draft_of(test::parsed(source));
}

/// Whether what `text` says is a candidate.
bool becomes(Draft const& d, std::string_view text) {
    std::vector<Draft> const candidates = smaller(d);
    return std::any_of(candidates.begin(), candidates.end(),
                       [wanted = print(parsed_draft(text))](Draft const& c) { return print(c) == wanted; });
}

TEST(Smaller, AMovementLosesItsTag) {
    Draft const d =
        parsed_draft("(([0 (rcvi r 0 x)] [1 (wait r)]) ([2 (sndi s 1 0 5)])) ((0 bot) (2 bot) (1 ((0 1 0))))");
    EXPECT_TRUE(becomes(d, "(([0 (rcvi r 0 x)] [1 (wait r)]) ([2 (sndi s 1 0 5)])) ((0 bot) (2 bot) (1 ((0 1))))"));
    Draft without = d;
    without.traces[0][2].m[0].n = {};
    EXPECT_LT(size(without), size(d));
}

TEST(Smaller, MovementsGoWithTheirSends) {
    Draft const d =
        parsed_draft("(([0 (rcvi r 0 x)] [1 (rcvi q 0 y)] [2 (wait q)]) ([3 (sndi s 1 0 5)] [4 (sndi t 1 0 6)]))"
                     " ((0 bot) (1 bot) (3 bot) (4 ((0 1))) (2 ((0 1))))");
    EXPECT_TRUE(becomes(d, "(([0 (rcvi r 0 x)] [1 (rcvi q 0 y)] [2 (wait q)]) ([4 (sndi t 1 0 6)]))"
                           " ((0 bot) (1 bot) (4 bot) (2 ((0 1))))"));
}

// The later message moves first, with or without its tag.
TEST(Smaller, MatchesGoWithTheirSends) {
    for (std::string const m : {"(0 1)", "(0 1 7)"}) {
        Draft const d = parsed_draft("(([0 (rcvi r 0 x (tag 7))] [1 (rcvi q 0 y (from 1))] [2 (wait r)] [3 (wait q)])"
                                     " ([4 (sndi s 1 0 5)] [5 (sndi t 1 0 6 (tag 7))]))"
                                     " ((0 bot) (1 bot) (4 bot) (5 bot) (2 (" +
                                     m + ")) (3 ((0 1))))");
        EXPECT_TRUE(becomes(d, "(([1 (rcvi q 0 y (from 1))] [3 (wait q)]) ([4 (sndi s 1 0 5)]))"
                               " ((1 bot) (4 bot) (3 ((0 1))))"));
        EXPECT_TRUE(becomes(d, "(([0 (rcvi r 0 x (tag 7))] [2 (wait r)]) ([5 (sndi t 1 0 6 (tag 7))]))"
                               " ((0 bot) (5 bot) (2 (" +
                                   m + ")))"));
    }
}

// The message with tag 0 moves first, since the other one is sent later; and then since its tag says so.
TEST(Smaller, MatchesAreOfMessagesThatAreSent) {
    std::string const threads = "(([0 (rcvi r 0 x (tag 7))] [1 (rcvi q 0 y)] [2 (y := 1)])"
                                " ([3 (sndi s 1 0 5)] [4 (sndi t 1 0 6 (tag 7))]))";
    std::string const without_s = "(([0 (rcvi r 0 x (tag 7))] [1 (rcvi q 0 y)] [2 (y := 1)])"
                                  " ([4 (sndi t 1 0 6 (tag 7))]))";
    EXPECT_TRUE(becomes(parsed_draft(threads + " ((0 bot) (1 bot) (3 bot) (4 ((0 1))) (2 ((0 1))))"),
                        without_s + " ((0 bot) (1 bot) (4 bot) (2 ((0 1))))"));
    EXPECT_TRUE(becomes(parsed_draft(threads + " ((0 bot) (1 bot) (3 bot) (4 bot) (2 ((0 1 0) (0 1))))"),
                        without_s + " ((0 bot) (1 bot) (4 bot) (2 ((0 1))))"));
}

} // namespace
} // namespace matchpoint::programs::draft
