// How far threads get by counting. That it is never too far is tested on all small programs
// (tests/properties/explore_test.cpp).
#include "matching/reach.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/all_rooms.hpp"
#include "tests/support/subjects.hpp"

namespace matchpoint::test {
namespace {

using test::infinite;
using test::Subject;
using test::zero;

/// A master gets two requests from each of two workers, and hands out work after so many of them.
Subject master(int requests) {
    std::string text = "( (";
    for (int i = 0; i < 4; ++i) {
        if (i == requests) text += "[t (sndi T 0 1 1)] [u (wait T)] [v (sndi U 0 2 2)] [w (wait U)] ";
        text += fmt::format("[q{} (rcvi Q{} 0 x{})] [r{} (wait Q{})] ", i, i, i, i, i);
    }
    if (requests == 4) text += "[t (sndi T 0 1 1)] [u (wait T)] [v (sndi U 0 2 2)] [w (wait U)] ";
    text += "bot )";
    for (int i = 1; i <= 2; ++i)
        text += fmt::format(
            " ( [a{0} (sndi A{0} {0} 0 1)] [b{0} (wait A{0})] [c{0} (sndi B{0} {0} 0 2)] [d{0} (wait B{0})] "
            "[e{0} (rcvi R{0} {0} y{0})] [f{0} (wait R{0})] bot )",
            i);
    return Subject(text + " )");
}

bool finishes(Subject const& s, Buffering buffering) { return all_finish(s.messages, reach(s.messages, buffering)); }

TEST(Reach, AWorkerIsStuckOnlyIfTheMasterTakesNoMoreRequests) {
    Subject const s = master(4);
    EXPECT_TRUE(finishes(s, infinite));
    EXPECT_TRUE(finishes(s, zero));
}

// The master waits for a worker that waits for the master.
TEST(Reach, WorkIsHandedOutTooEarly) {
    Subject const s = master(2);
    EXPECT_TRUE(finishes(s, infinite));
    EXPECT_FALSE(finishes(s, zero));
    auto const least = reach(s.messages, zero);
    EXPECT_EQ(s.name(Location{least[0]}), "u");
}

/// In each round a master sends a task to each worker and gets their results; each worker sends one result too few in
/// round `missing`.
Subject rounds(int workers, int count, int missing = -1) {
    std::string text = "( (", others;
    for (int k = 0; k < count; ++k) {
        for (int i = 1; i <= workers; ++i)
            text += fmt::format("[t{0}_{1} (sndi T{0}_{1} 0 {1} 1)] [u{0}_{1} (wait T{0}_{1})] ", k, i);
        for (int i = 1; i <= workers; ++i)
            text += fmt::format("[q{0}_{1} (rcvi Q{0}_{1} 0 x)] [r{0}_{1} (wait Q{0}_{1})] ", k, i);
    }
    for (int i = 1; i <= workers; ++i) {
        others += "( ";
        for (int k = 0; k < count; ++k) {
            others += fmt::format("[a{0}_{1} (rcvi A{0}_{1} {1} y{1})] [b{0}_{1} (wait A{0}_{1})] ", k, i);
            if (k != missing)
                others += fmt::format("[c{0}_{1} (sndi C{0}_{1} {1} 0 1)] [d{0}_{1} (wait C{0}_{1})] ", k, i);
        }
        others += ")";
    }
    return Subject(text + ")" + others + ")");
}

bool finishes_closely(Subject const& s) { return all_finish(s.messages, reach(s.messages, zero, true)); }

// A result of a round is received in this round: the others send no other one before the next.
TEST(Reach, ResultsAreReceivedBeforeTheNextRound) {
    for (int const workers : {2, 3, 7})
        for (int const count : {2, 4}) {
            Subject const s = rounds(workers, count);
            EXPECT_FALSE(finishes(s, zero));
            EXPECT_TRUE(finishes_closely(s));
        }
    Subject const s = rounds(3, 3, 1);
    EXPECT_FALSE(finishes_closely(s));
    auto const least = reach(s.messages, zero, true);
    EXPECT_EQ(s.name(Location{least[0]}), "r1_1"); // no result comes in that round
}

// The first result can be received in the place of the one of a worker that does not wait for its task.
TEST(Reach, AResultThatCanComeEarly) {
    std::string text =
        "( ( [t (sndi T 0 1 1)] [u (wait T)] [q (rcvi Q 0 x)] [r (wait Q)] [v (sndi V 0 1 1)] [w (wait V)]"
        "    [q1 (rcvi Q1 0 x)] [r1 (wait Q1)] [q2 (rcvi Q2 0 x)] [r2 (wait Q2)] )"
        "  ( [a (rcvi A 1 y)] [b (wait A)] [c (sndi C 1 0 1)] [d (wait C)] [e (rcvi E 1 y)] [f (wait E)]"
        "    [g (sndi G 1 0 1)] [h (wait G)] )"
        "  ( [s (sndi S 2 0 1)] [z (wait S)] ) )";
    EXPECT_FALSE(finishes_closely(Subject(text))); // the master gets S first, and C waits
    EXPECT_TRUE(finishes_closely(
        Subject("( ( [t (sndi T 0 1 1)] [u (wait T)] [q (rcvi Q 0 x)] [r (wait Q)] [v (sndi V 0 1 1)] [w (wait V)]"
                "    [q1 (rcvi Q1 0 x)] [r1 (wait Q1)] [z1 (sndi Z 0 2 1)] [q2 (rcvi Q2 0 x)] [r2 (wait Q2)] )"
                "  ( [a (rcvi A 1 y)] [b (wait A)] [c (sndi C 1 0 1)] [d (wait C)] [e (rcvi E 1 y)] [f (wait E)]"
                "    [g (sndi G 1 0 1)] [h (wait G)] )"
                "  ( [y (rcvi Y 2 k)] [x (wait Y)] [s (sndi S 2 0 1)] [z (wait S)] ) )")));
}

} // namespace
} // namespace matchpoint::test
