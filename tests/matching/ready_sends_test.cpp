// Which ready sends certainly find a posted receive.
#include <gtest/gtest.h>

#include "matching/ready_sends.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/subjects.hpp"

namespace matchpoint::test {
namespace {

bool certain(std::string const& text) { return matching::all_find_receives(Subject(text).messages); }

TEST(ReadySends, OfPlainPrograms) { EXPECT_TRUE(certain("(([1 (rcvi r 0 x)] [2 (wait r)]) ([3 (sndi s 1 0 1)]))")); }

TEST(ReadySends, AReceiveMayBePostedTooLate) {
    EXPECT_FALSE(certain("(([1 (rcvi r 0 x)] [2 (wait r)]) ([3 (rsndi s 1 0 1)]))"));
    EXPECT_FALSE(certain("(([0 (barrier b)] [1 (rcvi r 0 x)] [2 (wait r)]) ([4 (barrier b)] [3 (rsndi s 1 0 1)]))"));
    EXPECT_FALSE(certain("(([1 (rsndi s 1 0 1)]))")); // nobody receives there
}

TEST(ReadySends, ABarrierComesBetween) {
    EXPECT_TRUE(certain("(([1 (rcvi r 0 x)] [0 (barrier b)] [2 (wait r)]) ([4 (barrier b)] [3 (rsndi s 1 0 1)]))"));
    // Through a third thread.
    EXPECT_TRUE(certain("(([1 (rcvi r 0 x)] [0 (barrier b)] [2 (wait r)]) ([4 (barrier b)] [5 (barrier c)])"
                        " ([6 (barrier c)] [3 (rsndi s 1 0 1)]))"));
    EXPECT_FALSE(certain("(([1 (rcvi r 0 x)] [0 (barrier b)] [2 (wait r)]) ([5 (barrier c)] [4 (barrier b)])"
                         " ([6 (barrier c)] [3 (rsndi s 1 0 1)]))"));
    // Barriers that come first in their threads, and threads that never get past theirs.
    EXPECT_FALSE(certain("(([0 (barrier b)] [1 (rcvi r 0 x)] [2 (wait r)]) ([4 (barrier b)] [3 (rsndi s 1 0 1)]))"));
    // Collectives: that of the sender has to need that of the receiver.
    auto const behind = [](std::string const& kind, std::string const& word = "collective",
                           std::string const& wait = "") {
        return certain("(([1 (rcvi r 0 x)] [0 (" + word + " K0 w " + kind + ")] [2 (wait r)]) ([4 (" + word + " K1 w " +
                       kind + ")]" + wait + " [3 (rsndi s 1 0 1)]))");
    };
    EXPECT_TRUE(behind("barrier"));
    EXPECT_TRUE(behind("bcast (root 0)"));
    EXPECT_FALSE(behind("bcast (root 1)"));
    EXPECT_TRUE(behind("reduce (root 1)"));
    EXPECT_FALSE(behind("reduce (root 0)"));
    EXPECT_TRUE(behind("barrier", "icollective", " [5 (wait K1)]"));
    EXPECT_FALSE(behind("barrier", "icollective"));
    EXPECT_TRUE(certain("(([1 (rcvi r 0 x)] [0 (barrier b)] [7 (barrier c)] [2 (wait r)])"
                        " ([8 (barrier c)] [4 (barrier b)] [3 (rsndi s 1 0 1)]))"));
}

TEST(ReadySends, AMessageComesBetween) {
    std::string const receiver = "([1 (rcvi r 0 x)] [2 (sndi go 0 1 1)] [3 (wait r)])";
    EXPECT_TRUE(certain("(" + receiver + " ([4 (rcvi g 1 z)] [5 (wait g)] [6 (rsndi s 1 0 1)]))"));
    EXPECT_FALSE(certain("(" + receiver + " ([4 (rcvi g 1 z)] [6 (rsndi s 1 0 1)] [5 (wait g)]))"));
    // It may be another message that was received.
    EXPECT_FALSE(certain("(" + receiver +
                         " ([4 (rcvi g 1 z)] [5 (wait g)] [6 (rsndi s 1 0 1)])"
                         " ([7 (sndi t 2 1 1)]))"));
    EXPECT_TRUE(certain("(" + receiver +
                        " ([4 (rcvi g 1 z (from 0))] [5 (wait g)] [6 (rsndi s 1 0 1)])"
                        " ([7 (sndi t 2 1 1)]))"));
}

TEST(ReadySends, OtherMessagesTakeReceives) {
    std::string const ready = " ([4 (barrier b)] [5 (rsndi s 1 0 1 (tag 1))])";
    std::string const other = " ([6 (sndi t 2 0 1 (tag 2))])";
    auto const receiver = [](std::string const& receives) { return "(" + receives + " [0 (barrier b)] [8 (wait r)])"; };
    EXPECT_FALSE(certain("(" + receiver("[1 (rcvi r 0 x)]") + ready + other + ")"));
    EXPECT_TRUE(certain("(" + receiver("[1 (rcvi r 0 x (tag 1))]") + ready + other + ")"));
    EXPECT_TRUE(certain("(" + receiver("[1 (rcvi r 0 x (from 1))]") + ready + other + ")"));
    EXPECT_TRUE(certain("(" + receiver("[2 (rcvi q 0 y)] [1 (rcvi r 0 x)]") + ready + other + ")"));
}

// A receive of an earlier round has an earlier message, and a message that is sent later takes nothing.
TEST(ReadySends, InRounds) {
    EXPECT_TRUE(certain("(([1 (rcvi r 0 x)] [2 (barrier b)] [3 (wait r)] [4 (rcvi q 0 y)] [5 (barrier b)] [6 (wait q)])"
                        " ([7 (barrier b)] [8 (rsndi s 1 0 1)] [9 (barrier b)] [10 (rsndi t 1 0 2)]))"));
    EXPECT_FALSE(certain("(([1 (rcvi r 0 x)] [2 (barrier b)] [3 (wait r)] [4 (rcvi q 0 y)] [5 (wait q)])"
                         " ([7 (barrier b)] [8 (rsndi s 1 0 1)] [10 (rsndi t 1 0 2)]))"));
}

} // namespace
} // namespace matchpoint::test
