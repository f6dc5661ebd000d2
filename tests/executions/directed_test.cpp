// One execution that keeps to given pairs.
#include "executions/directed.hpp"

#include <gtest/gtest.h>

#include "tests/support/all_rooms.hpp"
#include "tests/support/subjects.hpp"

namespace matchpoint::test {
namespace {

using test::infinite;
using test::Subject;
using test::zero;

Subject two() {
    return Subject(R"((([a (rcvi R0 0 x)] [b (wait R0)] [c (rcvi R1 0 y)] [d (wait R1)] [e (assert (= x 1))] bot)
                       ([p (sndi S 1 0 1)] bot)
                       ([q (sndi T 2 0 2)] bot)))");
}

std::vector<std::uint32_t> matches(Subject const& s, Directed const& execution) {
    Matching m(s.messages);
    execution.matching(m);
    std::vector<std::uint32_t> result;
    for (std::uint32_t r = 0; r < m.size(); ++r) result.push_back(m[r]);
    return result;
}

TEST(Directed, KeepsToThePairs) {
    Subject const s = two();
    for (Buffering const buffering : {infinite, zero}) {
        MatchPairs const pairs{{{1}, {0}}};
        Directed const execution(s.messages, buffering, Runs::complete, pairs);
        EXPECT_EQ(execution.end(), End::complete);
        EXPECT_EQ(execution.state().s, Status::failure);
        EXPECT_EQ(matches(s, execution), (std::vector<std::uint32_t>{1, 0}));
    }
}

// If R0 took S, nothing would be left for R1.
TEST(Directed, TakesWhatWillNotDoLater) {
    Subject const s = two();
    MatchPairs const pairs{{{0, 1}, {0}}};
    Directed const execution(s.messages, infinite, Runs::complete, pairs);
    EXPECT_EQ(matches(s, execution), (std::vector<std::uint32_t>{1, 0}));
}

TEST(Directed, IsStuckWhereThePairsAllowNothing) {
    Subject const s = two();
    MatchPairs const pairs{{{1}, {1}}};
    Directed const execution(s.messages, infinite, Runs::complete, pairs);
    EXPECT_EQ(execution.end(), End::pruned);
    EXPECT_EQ(matches(s, execution), (std::vector<std::uint32_t>{1, unmatched}));
}

TEST(Directed, StopsInFrontOfAFalseAssumption) {
    Subject const s(R"((([a (rcvi R 0 x)] [b (wait R)] [c (assume (= x 2))] bot) ([p (sndi S 1 0 1)] bot)))");
    MatchPairs const pairs{{{0}}};
    EXPECT_EQ(Directed(s.messages, infinite, Runs::executions, pairs).end(), End::off_path);
    EXPECT_EQ(Directed(s.messages, infinite, Runs::complete, pairs).end(), End::complete);
}

} // namespace
} // namespace matchpoint::test
