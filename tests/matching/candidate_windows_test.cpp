// Windows of places. That they leave out no pair of a run is tested on small programs
// (tests/properties/explore_test.cpp).
#include "matching/candidate_windows.hpp"

#include <gtest/gtest.h>

#include "tests/support/all_rooms.hpp"
#include "tests/support/subjects.hpp"

namespace matchpoint::test {
namespace {

using test::infinite;
using test::Subject;

/// Three receives; S0 and S1 of one channel, T of another one.
Subject three() {
    return Subject(
        R"((([a (rcvi R0 0 x)] [b (wait R0)] [c (rcvi R1 0 y)] [d (wait R1)] [e (rcvi R2 0 z)] [f (wait R2)] bot)
                       ([p (sndi S0 1 0 1)] [q (sndi S1 1 0 2)] bot)
                       ([r (sndi T 2 0 3)] bot)))");
}

TEST(CandidateWindows, BeginWithFigure15) {
    Subject const s = three();
    CandidateWindows const windows(s.messages, infinite);
    EXPECT_EQ(windows.pairs(), overapprox(s.messages));
    EXPECT_EQ(windows.size(), 7U);
}

TEST(CandidateWindows, AMatchNarrowsTheOthersByCounting) {
    Subject const s = three();
    CandidateWindows windows(s.messages, infinite);
    ASSERT_TRUE(windows.match({1, 2})); // R1 = T
    ASSERT_TRUE(windows.narrow(nullptr));
    // That R1 does not get S1 is for the caller to know, who has matched it.
    EXPECT_EQ(windows.pairs().of, (std::vector<std::vector<std::uint32_t>>{{0}, {1, 2}, {1}}));
    EXPECT_EQ(windows.size(), 4U);
}

TEST(CandidateWindows, AMatchMayBeImpossible) {
    Subject const s = three();
    CandidateWindows windows(s.messages, infinite);
    EXPECT_FALSE(windows.match({0, 1})); // R0 = S1
}

TEST(CandidateWindows, MatchesMayContradictEachOther) {
    Subject const s = three();
    CandidateWindows windows(s.messages, infinite);
    ASSERT_TRUE(windows.match({1, 0})); // R1 = S0
    ASSERT_TRUE(windows.match({1, 1})); // R1 = S1
    EXPECT_FALSE(windows.narrow(nullptr));
}

TEST(CandidateWindows, CountWhichInferencesApplied) {
    Subject const s = three();
    CandidateWindows windows(s.messages, infinite);
    ASSERT_TRUE(windows.match({0, 2})); // R0 = T
    InferenceCounts counts;
    ASSERT_TRUE(windows.narrow(&counts));
    EXPECT_GT(counts[Inference::counting] + counts[Inference::windows], 0U);
}

} // namespace
} // namespace matchpoint::test
