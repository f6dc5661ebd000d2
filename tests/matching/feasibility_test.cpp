// Which match sets some execution has: each kind of conflict where it applies and where it does not, whole
// explanations, and schedules that the reference machine runs.

#include <gtest/gtest.h>

#include <algorithm>

#include "explain/matching_words.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/subjects.hpp"

namespace matchpoint::test {
namespace {

using test::infinite;
using test::Subject;
using test::zero;

/// The conflict in words, or "none". That breaks_a_rule() says the same is looked at, too, and that the core is a
/// smallest one.
std::string why(Subject const& s, Buffering buffering, Matching const& m) {
    Feasibility feasibility(s.messages, buffering);
    auto const conflict = feasibility.conflict(m);
    EXPECT_EQ(feasibility.breaks_a_rule(m), conflict.has_value());
    if (!conflict) return "none";
    Matching core(s.messages);
    for (Pair const& p : conflict->core) core[p.r] = p.s;
    EXPECT_TRUE(feasibility.breaks_a_rule(core));
    for (Pair const& p : conflict->core) {
        Matching less = core;
        less[p.r] = unmatched;
        EXPECT_FALSE(feasibility.breaks_a_rule(less)) << s.text(p);
    }
    for (std::size_t i = 0; i < conflict->cycle.size(); ++i)
        EXPECT_EQ(conflict->cycle[i].to, conflict->cycle[(i + 1) % conflict->cycle.size()].from);
    return in_words(s.messages, *conflict);
}

/// The schedule of a match set, which has to have these matches and end with the status.
std::string schedule(Subject const& s, Buffering buffering, Matching const& m, Status status) {
    Feasibility feasibility(s.messages, buffering);
    EXPECT_FALSE(feasibility.breaks_a_rule(m));
    Schedule result;
    feasibility.schedule(m, result);
    Machine machine(s.code, buffering);
    EXPECT_EQ(matchpoint::run(machine, result).s, status);
    auto const found = match_set(s.code, machine.state());
    EXPECT_EQ(found.size(), std::size_t{m.size()});
    for (Match const& match : found)
        EXPECT_EQ(m[s.messages.receive_number(match.a_r)], s.messages.send_number(match.a_s));
    return s.text(result);
}

Subject const& two_endpoints() {
    static Subject const s("( ( [00 (rcvi r 0 x)] [01 (wait r)] [02 (rcvi q 1 y)] [03 (wait q)] )"
                           "  ( [10 (sndi s 2 0 1)] [11 (sndi t 2 1 2)] ) )");
    return s;
}

// Three receives, three sends of one channel, and one of another.
Subject const& overtaken() {
    static Subject const s("( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (rcvi r3 0 z)] [03 (wait r3)] )"
                           "  ( [10 (sndi s1 1 0 1)] [11 (sndi s2 1 0 2)] [12 (sndi s3 1 0 3)] )"
                           "  ( [20 (sndi t 2 0 4)] ) )");
    return s;
}

// ---- Rule 1 ----

TEST(Feasibility, EndpointsApplies) {
    EXPECT_EQ(why(two_endpoints(), infinite, two_endpoints().matching({{"r", "t"}})),
              "r = t: the send goes to another endpoint");
    EXPECT_EQ(why(two_endpoints(), zero, two_endpoints().matching({{"r", "s"}, {"q", "s"}})),
              "q = s: the send goes to another endpoint");
}

TEST(Feasibility, EndpointsDoesNotApply) {
    for (Buffering const b : {infinite, zero})
        EXPECT_EQ(why(two_endpoints(), b, two_endpoints().matching({{"r", "s"}, {"q", "t"}})), "none");
}

TEST(Feasibility, SendTwiceApplies) {
    Subject const& s = overtaken();
    for (Buffering const b : {infinite, zero})
        EXPECT_EQ(why(s, b, s.matching({{"r1", "t"}, {"r2", "t"}, {"r3", "s1"}})),
                  "r1 = t, r2 = t: a send is received once");
}

TEST(Feasibility, SendTwiceDoesNotApply) {
    Subject const& s = overtaken();
    EXPECT_EQ(why(s, infinite, s.matching({{"r1", "t"}, {"r2", "s1"}})), "none");
}

// ---- Rule 2 ----

TEST(Feasibility, OvertakingApplies) {
    Subject const& s = overtaken();
    for (Buffering const b : {infinite, zero})
        EXPECT_EQ(why(s, b, s.matching({{"r2", "s2"}, {"r3", "s1"}})),
                  "r2 = s2, r3 = s1: the messages of a channel arrive in the order sent");
}

TEST(Feasibility, OvertakingDoesNotApply) {
    Subject const& s = overtaken();
    for (Buffering const b : {infinite, zero})
        for (auto const& m : {s.matching({{"r1", "s1"}, {"r2", "s2"}, {"r3", "s3"}}),
                              s.matching({{"r1", "t"}, {"r2", "s1"}, {"r3", "s2"}}),
                              s.matching({{"r1", "s1"}, {"r2", "t"}, {"r3", "s2"}})})
            EXPECT_EQ(why(s, b, m), "none");
}

TEST(Feasibility, LeftOutApplies) {
    Subject const& s = overtaken();
    EXPECT_EQ(why(s, infinite, s.matching({{"r1", "s2"}})),
              "r1 = s2: s1 is left without a receive that it could have, and a later send of its channel is received");
    // There is a receive before r2, but t has it.
    EXPECT_EQ(why(s, infinite, s.matching({{"r1", "t"}, {"r2", "s2"}})),
              "r1 = t, r2 = s2: s1 is left without a receive that it could have, and a later send of its channel is "
              "received");
    EXPECT_EQ(why(s, infinite, s.matching({{"r1", "s1"}, {"r2", "s3"}})),
              "r2 = s3: s1 is left without a receive that it could have, and a later send of its channel is received");
}

TEST(Feasibility, LeftOutDoesNotApply) {
    Subject const& s = overtaken();
    EXPECT_EQ(why(s, infinite, s.matching({{"r2", "s2"}})), "none");
    EXPECT_EQ(why(s, infinite, s.matching({{"r3", "s3"}})), "none");
    EXPECT_EQ(why(s, infinite, s.matching({{"r1", "s1"}, {"r3", "s2"}})), "none");
}

// ---- Rule 3 ----

TEST(Feasibility, LeftOutOfAWaitApplies) {
    Subject const s("( ( [00 (rcvi r 0 x)] [01 (wait r)] )"
                    "  ( [10 (sndi s 1 0 1)] [11 (wait s)] ) ( [20 (sndi t 2 0 2)] ) )");
    EXPECT_EQ(why(s, zero, s.matching({{"r", "t"}})),
              "r = t: s is left without a receive that it could have, and it is waited for, or a later send of its "
              "channel is received");
    Subject const nobody("( ( [10 (sndi s 1 0 1)] [11 (wait s)] ) )");
    EXPECT_EQ(why(nobody, zero, nobody.matching({})),
              "whatever is matched: s is left without a receive that it could have, and it is waited for, or a later "
              "send of its channel is received");
    // A later one that is waited for counts, too.
    Subject const later("( ( [00 (rcvi r 0 x)] [01 (wait r)] )"
                        "  ( [10 (sndi s 1 0 1)] [11 (sndi u 1 0 1)] [12 (wait u)] ) )");
    EXPECT_EQ(why(later, zero, later.matching({})),
              "whatever is matched: s is left without a receive that it could have, and a later send of its channel is "
              "received");
}

TEST(Feasibility, LeftOutOfAWaitDoesNotApply) {
    Subject const s("( ( [00 (rcvi r 0 x)] [01 (wait r)] )"
                    "  ( [10 (sndi s 1 0 1)] [11 (wait s)] ) ( [20 (sndi t 2 0 2)] ) )");
    EXPECT_EQ(why(s, zero, s.matching({{"r", "s"}})), "none");
    EXPECT_EQ(why(s, infinite, s.matching({{"r", "t"}})), "none");
    EXPECT_EQ(why(s, zero, s.matching({})), "none");
}

// ---- Rule 4 ----

TEST(Feasibility, CycleAppliesInfinite) {
    // errata E11: the only send comes after the wait.
    Subject const own("( ( [00 (rcvi r 0 x)] [01 (wait r)] [02 (sndi s 0 0 1)] ) )");
    EXPECT_EQ(why(own, infinite, own.matching({{"r", "s"}})),
              "r = s: each of these would have to come before the next, and the last before the first\n"
              "  01 (wait r) -> 02 (sndi s 0 0 1): program order\n"
              "  02 (sndi s 0 0 1) -> 01 (wait r): a send precedes the wait that completes its receive (r = s)");
    Subject const two("( ( [00 (rcvi r 0 x)] [01 (wait r)] [02 (sndi s 0 1 1)] )"
                      "  ( [10 (rcvi q 1 y)] [11 (wait q)] [12 (sndi t 1 0 1)] ) )");
    EXPECT_EQ(why(two, infinite, two.matching({{"r", "t"}, {"q", "s"}})),
              "r = t, q = s: each of these would have to come before the next, and the last before the first\n"
              "  01 (wait r) -> 02 (sndi s 0 1 1): program order\n"
              "  02 (sndi s 0 1 1) -> 11 (wait q): a send precedes the wait that completes its receive (q = s)\n"
              "  11 (wait q) -> 12 (sndi t 1 0 1): program order\n"
              "  12 (sndi t 1 0 1) -> 01 (wait r): a send precedes the wait that completes its receive (r = t)");
}

// The wait that completes a receive need not be its own.
TEST(Feasibility, CycleThroughTheNearestEnclosingWait) {
    Subject const s("( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (wait r2)] [03 (sndi k 0 1 1)] [04 (wait r1)] )"
                    "  ( [10 (rcvi q 1 z)] [11 (wait q)] [12 (sndi s 1 0 z)] ) ( [20 (sndi t 2 0 2)] ) )");
    EXPECT_EQ(why(s, infinite, s.matching({{"r1", "s"}, {"r2", "t"}, {"q", "k"}})),
              "r1 = s, q = k: each of these would have to come before the next, and the last before the first\n"
              "  02 (wait r2) -> 03 (sndi k 0 1 1): program order\n"
              "  03 (sndi k 0 1 1) -> 11 (wait q): a send precedes the wait that completes its receive (q = k)\n"
              "  11 (wait q) -> 12 (sndi s 1 0 z): program order\n"
              "  12 (sndi s 1 0 z) -> 02 (wait r2): a send precedes the wait that completes its receive (r1 = s)");
}

TEST(Feasibility, CycleDoesNotApplyInfinite) {
    Subject const s{std::string(test::figure_1)};
    EXPECT_EQ(why(s, infinite, s.matching({{"R2", "S5"}, {"R5", "S4"}, {"R3", "S6"}})), "none");
    EXPECT_EQ(why(s, infinite, s.matching({{"R2", "S4"}, {"R5", "S5"}, {"R3", "S6"}})), "none");
}

TEST(Feasibility, CycleAppliesZero) {
    Subject const s("( ( [00 (sndi s1 0 1 1)] [01 (wait s1)] [02 (rcvi r1 0 x)] [03 (wait r1)] )"
                    "  ( [10 (sndi s2 1 0 2)] [11 (wait s2)] [12 (rcvi r2 1 y)] [13 (wait r2)] ) )");
    EXPECT_EQ(why(s, infinite, s.matching({{"r1", "s2"}, {"r2", "s1"}})), "none");
    EXPECT_EQ(why(s, zero, s.matching({{"r1", "s2"}, {"r2", "s1"}})),
              "r1 = s2, r2 = s1: each of these would have to come before the next, and the last before the first\n"
              "  01 (wait s1) -> 02 (rcvi r1 0 x): program order\n"
              "  02 (rcvi r1 0 x) -> the rendezvous of r1: a receive precedes its rendezvous\n"
              "  the rendezvous of r1 -> 11 (wait s2): a rendezvous precedes the wait for its send (r1 = s2)\n"
              "  11 (wait s2) -> 12 (rcvi r2 1 y): program order\n"
              "  12 (rcvi r2 1 y) -> the rendezvous of r2: a receive precedes its rendezvous\n"
              "  the rendezvous of r2 -> 01 (wait s1): a rendezvous precedes the wait for its send (r2 = s1)");
}

// Every kind of edge that there is with zero buffering, in one cycle or the other.
TEST(Feasibility, CyclesOfZeroBuffering) {
    Subject const s{std::string(test::figure_1)};
    EXPECT_EQ(why(s, zero, s.matching({{"R2", "S5"}, {"R5", "S4"}, {"R3", "S6"}})),
              "R2 = S5, R5 = S4, R3 = S6: each of these would have to come before the next, and the last before the "
              "first\n"
              "  14 (wait R3) -> 15 (sndi S5 1 0 1): program order\n"
              "  15 (sndi S5 1 0 1) -> the rendezvous of R2: a send precedes its rendezvous (R2 = S5)\n"
              "  the rendezvous of R2 -> the rendezvous of R5: receives at an endpoint are served in their order\n"
              "  the rendezvous of R5 -> 25 (wait S4): a rendezvous precedes the wait for its send (R5 = S4)\n"
              "  25 (wait S4) -> 26 (sndi S6 2 1 7): program order\n"
              "  26 (sndi S6 2 1 7) -> the rendezvous of R3: a send precedes its rendezvous (R3 = S6)\n"
              "  the rendezvous of R3 -> 14 (wait R3): a rendezvous precedes the wait that completes its receive");
    EXPECT_EQ(why(s, zero, s.matching({{"R2", "S4"}, {"R5", "S5"}, {"R3", "S6"}})), "none");
}

// ---- Schedules ----

TEST(Feasibility, Schedules) {
    Subject const s{std::string(test::figure_1)};
    Matching const figure_2 = s.matching({{"R2", "S4"}, {"R5", "S5"}, {"R3", "S6"}});
    Matching const figure_3 = s.matching({{"R2", "S5"}, {"R5", "S4"}, {"R3", "S6"}});
    EXPECT_EQ(schedule(s, infinite, figure_2, Status::success),
              "02 13 24 25 26 27 14(1 2) 15 16 03(0 2) 04 05 06(0 1) 07 08 09");
    EXPECT_EQ(schedule(s, infinite, figure_3, Status::failure),
              "02 13 24 25 26 27 14(1 2) 15 16 03(0 1) 04 05 06(0 2) 07 08 09");
    EXPECT_EQ(schedule(s, zero, figure_2, Status::success),
              "02 13 24 25(0 2) 26 27(1 2) 14 15 03 04 05 06(0 1) 07 08 09 16");
}

// A wait that completes several receives has all their movements, in the order of their places.
TEST(Feasibility, AScheduleMovesInTheOrderOfPlaces) {
    Subject const& s = overtaken();
    EXPECT_EQ(schedule(s, infinite, s.matching({{"r1", "s1"}, {"r2", "t"}, {"r3", "s2"}}), Status::success),
              "00 01 02 10 11 12 20 03(0 1)(0 2)(0 1)");
}

TEST(Feasibility, AProgramWithoutMessages) {
    Subject const s("( ( [00 (x := 1)] ) ( ) ( [10 (assert false)] ) )");
    EXPECT_EQ(schedule(s, zero, s.matching({}), Status::failure), "00 10");
}

} // namespace
} // namespace matchpoint::test
