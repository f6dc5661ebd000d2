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

} // namespace
} // namespace matchpoint::test
