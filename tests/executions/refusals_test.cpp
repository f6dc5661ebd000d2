// Deadlocks under libraries that may or may not buffer each standard send and keep each collective: who refuses, who
// must not, and what is cut.

#include "executions/refusals.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/limits.hpp"
#include "check/confirmed.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/subjects.hpp"

namespace matchpoint::test {
namespace {

using Answer = RefusalSearch::Answer;

/// "none", or the sends and collectives that refuse in the deadlock, as the reference machine says: "A C".
std::string refusing(Subject const& s, Runs runs = Runs::executions) {
    RefusalSearch search(s.messages, runs);
    if (search.search() == Answer::none) return "none";
    Machine machine(s.code, infinite);
    auto const found = check::refusing_at_end(machine, search.schedule(), runs);
    if (!found) return "a deadlock that is none: " + s.text(search.schedule());
    std::string result;
    for (Action const a : *found) result += (result.empty() ? "" : " ") + s.name(a);
    return result;
}

constexpr std::string_view head_to_head = R"(
    ( ( [00 (sndi A 0 1 1)] [01 (wait A)] [02 (rcvi RB 0 x)] [03 (wait RB)] )
      ( [10 (sndi B 1 0 2)] [11 (wait B)] [12 (rcvi RA 1 y)] [13 (wait RA)] ) ))";

// A goes on only if it is buffered, and C must not be: then B comes before it.
constexpr std::string_view mixed = R"(
    ( ( [a1 (sndi A 0 1 1)] [a2 (wait A)] [a3 (sndi B 0 2 2)] [a4 (wait B)] )
      ( [b1 (sndi C 1 2 3)] [b2 (wait C)] [b3 (sndi D 1 12 4)] [b4 (wait D)] [b5 (rcvi RA 1 x)] [b6 (wait RA)] )
      ( [c1 (rcvi R1 2 y)] [c2 (wait R1)] [c3 (rcvi RD 12 z)] [c4 (wait RD)] [c5 (rcvi R2 2 u)] [c6 (wait R2)] ) ))";

TEST(RefusalSearch, HeadToHead) {
    Subject const s{std::string(head_to_head)};
    EXPECT_EQ(refusing(s), "A B");
    RefusalSearch search(s.messages, Runs::executions);
    EXPECT_EQ(search.search(), Answer::deadlock);
    EXPECT_EQ(s.text(search.schedule()), "00 10");
    EXPECT_EQ(search.schedule().movements(), 0U);
}

TEST(RefusalSearch, OneSendThatIsBufferedIsEnough) {
    for (auto const& [one, other] : {std::pair("bsndi", "sndi"), std::pair("sndi", "bsndi")})
        EXPECT_EQ(refusing(Subject(fmt::format("(([00 ({} A 0 1 1)] [01 (wait A)] [02 (rcvi RB 0 x)] [03 (wait RB)])"
                                               " ([10 ({} B 1 0 2)] [11 (wait B)] [12 (rcvi RA 1 y)] [13 (wait RA)]))",
                                               one, other))),
                  "none");
}

// Neither zero nor infinite buffering has this deadlock.
TEST(RefusalSearch, OneRefusesAndTheOtherMustNot) {
    Subject const s{std::string(mixed)};
    EXPECT_EQ(refusing(s), "C");
    for (Buffering const b : {infinite, zero}) {
        Explorer::Options options;
        options.buffering = b;
        Explorer explorer(s.messages, options);
        while (auto const end = explorer.next()) EXPECT_EQ(*end, End::complete) << to_string(b);
    }
}

// As above, but B is there first only if both A and E are buffered.
TEST(RefusalSearch, TwoMustNotRefuse) {
    Subject const s(R"(
    ( ( [a1 (sndi A 0 1 1)] [a2 (wait A)] [a3 (rcvi RG 0 g)] [a4 (wait RG)] [a5 (sndi B 0 2 2)] [a6 (wait B)] )
      ( [b1 (sndi C 1 2 3)] [b2 (wait C)] [b3 (sndi D 1 12 4)] [b4 (wait D)] [b5 (rcvi RA 1 x)] [b6 (wait RA)]
        [b7 (rcvi RE 1 v)] [b8 (wait RE)] )
      ( [c1 (rcvi R1 2 y)] [c2 (wait R1)] [c3 (rcvi RD 12 z)] [c4 (wait RD)] [c5 (rcvi R2 2 u)] [c6 (wait R2)] )
      ( [e1 (sndi E 3 1 5)] [e2 (wait E)] [e3 (sndi G 3 0 6)] ) ))");
    EXPECT_EQ(refusing(s), "C");
}

// The first receive without a message has one source only; R1 has two.
TEST(RefusalSearch, AChoiceOfALaterReceive) {
    Subject const s(R"(
    ( ( [a1 (sndi A 0 1 1)] [a2 (wait A)] [a3 (sndi B 0 2 2)] [a4 (wait B)] )
      ( [b1 (sndi C 1 2 3)] [b2 (wait C)] [b3 (sndi D 1 12 4)] [b4 (wait D)] [b5 (rcvi RA 1 x)] [b6 (wait RA)] )
      ( [c0 (rcvi R0 2 w (from 3))] [c1 (rcvi R1 2 y)] [c2 (wait R1)] [c3 (rcvi RD 12 z)] [c4 (wait RD)]
        [c5 (rcvi R2 2 u)] [c6 (wait R2)] [c7 (sndi K 2 13 1)] [c8 (wait R0)] )
      ( [k1 (rcvi RK 13 k)] [k2 (wait RK)] [k3 (sndi H 3 2 1)] ) ))");
    EXPECT_EQ(refusing(s), "C");
}

// Nobody receives B: its wait may return.
TEST(RefusalSearch, ASendToNobody) {
    EXPECT_EQ(refusing(Subject("(([00 (sndi B 0 1 1)] [01 (wait B)]))")), "B");
    EXPECT_EQ(refusing(Subject("(([00 (sndi B 0 1 1)]))")), "none"); // nobody waits for it
    EXPECT_EQ(refusing(Subject("(([00 (bsndi B 0 1 1)] [01 (wait B)]))")), "none");
    EXPECT_EQ(refusing(Subject("(([00 (ssndi B 0 1 1)] [01 (wait B)]))")), "");
    EXPECT_EQ(refusing(Subject("(([00 (rcvi B 0 x)] [01 (wait B)]))")), "");
}

// The message that is delivered first goes to r. That of the other is delivered without a receive.
TEST(RefusalSearch, AMessageWithoutReceiveIsUnmatched) {
    Subject const s("(([00 (sndi A 0 2 1)] [01 (wait A)]) ([10 (sndi B 1 2 2)])"
                    " ([20 (rcvi r 2 x)] [21 (wait r)]))");
    EXPECT_EQ(refusing(s), "A");
    RefusalSearch search(s.messages, Runs::executions);
    ASSERT_EQ(search.search(), Answer::deadlock);
    EXPECT_EQ(s.text(search.schedule()), "00 10 20 21(2 1)");
}

TEST(RefusalSearch, BarriersAndSelectors) {
    // The receive is posted after the barrier, and the sender waits in front of it.
    EXPECT_EQ(refusing(Subject("(([00 (sndi A 0 1 1)] [01 (wait A)] [02 (barrier b)])"
                               " ([10 (barrier b)] [11 (rcvi r 1 x)] [12 (wait r)]))")),
              "A");
    EXPECT_EQ(refusing(Subject("(([00 (sndi A 0 1 1)] [01 (wait A)] [02 (barrier b)])"
                               " ([10 (rcvi r 1 x)] [11 (barrier b)] [12 (wait r)]))")),
              "none");
    // The receives want the later message first.
    EXPECT_EQ(refusing(Subject("(([00 (sndi A 0 1 1 (tag 1))] [01 (wait A)] [02 (sndi B 0 1 2 (tag 2))] [03 (wait B)])"
                               " ([10 (rcvi r 1 x (tag 2))] [11 (wait r)] [12 (rcvi q 1 y (tag 1))] [13 (wait q)]))")),
              "A");
    EXPECT_EQ(refusing(Subject("(([00 (sndi A 0 1 1 (tag 1))] [01 (wait A)] [02 (sndi B 0 1 2 (tag 2))] [03 (wait B)])"
                               " ([10 (rcvi r 1 x (tag 2))] [11 (rcvi q 1 y (tag 1))] [12 (wait r)] [13 (wait q)]))")),
              "none");
}

// A thread that is kept in a call does not send.
TEST(RefusalSearch, ACollectiveMayBeKept) {
    EXPECT_EQ(refusing(Subject("(([00 (collective K0 w bcast (root 0))])"
                               " ([10 (rcvi r 1 x)] [11 (wait r)] [12 (collective K1 w bcast (root 0))])"
                               " ([20 (collective K2 w bcast (root 0))] [21 (bsndi S 2 1 1)]))")),
              "K0 K2"); // the root need not be
    EXPECT_EQ(refusing(Subject("(([00 (collective K0 w bcast (root 0))])"
                               " ([10 (rcvi r 1 x)] [11 (wait r)] [12 (collective K1 w bcast (root 0))])"
                               " ([21 (bsndi S 2 1 1)] [20 (collective K2 w bcast (root 0))]))")),
              "none");
    // Thread 1 calls a barrier, in which nobody can be kept beyond his needs.
    EXPECT_EQ(refusing(Subject("(([00 (collective K0 w barrier)]) ([10 (collective K1 w barrier)])"
                               " ([20 (collective K2 w barrier)]))")),
              "none");
}

TEST(RefusalSearch, TheWaitForACollectiveMayBeKept) {
    constexpr std::string_view others = " ([10 (rcvi r 1 x)] [11 (wait r)] [12 (icollective K1 w reduce (root 1))])"
                                        " ([20 (icollective K2 w reduce (root 1))]))";
    // A send in front of the wait does no harm.
    EXPECT_EQ(refusing(Subject("(([00 (icollective K0 w reduce (root 1))] [01 (wait K0)] [02 (bsndi S 0 1 1)])" +
                               std::string(others))),
              "K0");
    EXPECT_EQ(refusing(Subject("(([00 (icollective K0 w reduce (root 1))] [02 (bsndi S 0 1 1)] [01 (wait K0)])" +
                               std::string(others))),
              "none");
    EXPECT_EQ(
        refusing(Subject("(([00 (icollective K0 w reduce (root 1))] [02 (bsndi S 0 1 1)])" + std::string(others))),
        "none"); // nobody waits for it
}

// traces/buffering_mixed_collective.ctp: K1 must not be kept, or S1 comes after S0.
TEST(RefusalSearch, OneCollectiveIsKeptAndTheOtherMustNotBe) {
    Subject const s(
        "(([00 (rcvi R 0 x)] [01 (wait R)] [02 (collective K0 w gather (root 2))] [03 (rcvi Q 0 y)] [04 (wait Q)])"
        " ([10 (collective K1 w gather (root 2))] [11 (bsndi S1 1 0 1)])"
        " ([20 (ssndi S0 2 0 2)] [21 (wait S0)] [22 (collective K2 w gather (root 2))]))");
    EXPECT_EQ(refusing(s), "K0");
    std::vector<bool> only(s.program.symbols.actions.size());
    only[s.action("K1").index] = true;
    RefusalSearch search(s.messages, Runs::executions, only);
    EXPECT_EQ(search.search(), Answer::none);
}

// Both calls are made in no deadlock, whichever comes first. Without the disagreement there is one.
TEST(RefusalSearch, AMismatchIsNoDeadlock) {
    constexpr auto text = "(([00 (collective K0 w bcast (root 0))] [01 (bsndi S 0 1 1)])"
                          " ([10 (rcvi r 1 x)] [11 (wait r)] [12 (collective K1 w bcast (root 0))])"
                          " ([20 (collective K2 w {0})]))";
    EXPECT_EQ(refusing(Subject(fmt::format(text, "bcast (root 0)"))), "K0 K2");
    EXPECT_EQ(refusing(Subject(fmt::format(text, "scan"))), "none");
    EXPECT_EQ(refusing(Subject(fmt::format(text, "scan")), Runs::complete), "none");
}

// What nobody waits for is matched, too: no match is possible in a deadlock.
TEST(RefusalSearch, WhatNobodyWaitsForIsMatched) {
    Subject const s("(([00 (sndi A 0 2 1)]) ([10 (sndi B 1 2 1)] [11 (sndi C 1 3 1)] [12 (wait C)])"
                    " ([20 (rcvi r 2 x)] [21 (sndi D 2 4 1)] [22 (wait D)] [23 (wait r)]))");
    EXPECT_EQ(refusing(s), "C D");
    RefusalSearch search(s.messages, Runs::executions);
    ASSERT_EQ(search.search(), Answer::deadlock);
    EXPECT_EQ(search.schedule().trailing().size(), 1U);
}

TEST(RefusalSearch, OnThePath) {
    Subject const s("(([00 (rcvi r 0 x)] [01 (wait r)] [02 (assume (= x 2))] [03 (sndi A 0 3 1)] [04 (wait A)])"
                    " ([10 (sndi B 1 0 1)]))");
    EXPECT_EQ(refusing(s), "none");
    EXPECT_EQ(refusing(s, Runs::complete), "A");
    Subject const either("(([00 (rcvi r 0 x)] [01 (wait r)] [02 (assume (= x 2))] [03 (sndi A 0 3 1)] [04 (wait A)])"
                         " ([10 (sndi B 1 0 1)]) ([20 (sndi C 2 0 2)]))");
    EXPECT_EQ(refusing(either), "A");
    // Behind a fault there is nothing.
    Subject const fault("(([00 (x := 0)] [01 (x := (div 1 x))] [02 (sndi A 0 3 1)] [03 (wait A)]))");
    EXPECT_EQ(refusing(fault), "none");
    EXPECT_EQ(refusing(fault, Runs::complete), "none");
}

// States are not merged that differ in x, though the same messages are received.
TEST(RefusalSearch, ValuesThatLeadOffThePath) {
    Subject const s("(([00 (rcvi r 0 x)] [01 (wait r)] [02 (rcvi q 0 y)] [03 (wait q)] [04 (rcvi p 9 z)] [05 (wait p)]"
                    "  [06 (assume (= x 2))] [07 (sndi A 0 3 1)] [08 (wait A)])"
                    " ([10 (sndi a 1 0 1)]) ([20 (sndi b 2 0 2)]) ([30 (sndi c 4 9 0)]) ([40 (sndi d 5 9 0)]))");
    EXPECT_EQ(refusing(s), "A");
}

// In both ways the first messages of 1 and 2 are received. If that of 2 comes first, r2 gets none.
TEST(RefusalSearch, WhichReceivesAreMatched) {
    Subject const s(
        "(([00 (rcvi r0 0 x (from 1 2))] [01 (rcvi r1 0 y (from 1))] [02 (rcvi r2 0 z (from 2))] [03 (wait r0)]"
        "  [04 (rcvi p 9 u)] [05 (wait p)] [06 (bsndi T 0 1 0)] [07 (wait r1)] [08 (wait r2)])"
        " ([10 (sndi a 1 0 1)] [11 (rcvi t 1 v)] [12 (wait t)] [13 (sndi b 1 0 2)])"
        " ([20 (sndi c 2 0 3)]) ([30 (sndi d 4 9 0)]) ([40 (sndi e 5 9 0)]))");
    EXPECT_EQ(refusing(s), "");
}

/// So many threads that send so many messages each to one that receives them all.
std::string many_to_one(unsigned threads, unsigned messages, std::string_view last) {
    std::string text = "((";
    for (unsigned i = 0; i < threads * messages; ++i)
        text += fmt::format("[r{0} (rcvi R{0} 0 x{0})] [v{0} (wait R{0})]", i);
    text += fmt::format("{})", last);
    for (unsigned t = 1; t <= threads; ++t) {
        text += "(";
        for (unsigned i = 0; i < messages; ++i)
            text += fmt::format("[s{0}_{1} (sndi S{0}_{1} {0} 0 {1})] [w{0}_{1} (wait S{0}_{1})]", t, i);
        text += ")";
    }
    return text + ")";
}

// Values do not matter here, so states are merged that differ in who got what.
TEST(RefusalSearch, MergesStates) {
    Subject const s(many_to_one(3, 3, ""));
    RefusalSearch search(s.messages, Runs::executions);
    EXPECT_EQ(search.search(), Answer::none);
    // Each sender is at its n-th wait with less than n messages matched, or at its end with any number of them.
    EXPECT_LE(search.states(), (1U + 2 + 3 + 4) * (1 + 2 + 3 + 4) * (1 + 2 + 3 + 4));
    EXPECT_GT(search.merged(), 0U);
    Subject const read(many_to_one(4, 2, "[c (assume (> x0 x1))]"));
    Subject const unread(many_to_one(4, 2, ""));
    RefusalSearch of_read(read.messages, Runs::executions);
    RefusalSearch of_unread(unread.messages, Runs::executions);
    EXPECT_EQ(of_read.search(), Answer::none);
    EXPECT_EQ(of_unread.search(), Answer::none);
    EXPECT_GT(of_read.states(), of_unread.states());
}

// With one source for each receive, threads that may stay do, and nothing branches.
TEST(RefusalSearch, WithoutChoicesNothingBranches) {
    std::string text = "(";
    constexpr unsigned threads = 50;
    for (unsigned t = 0; t < threads; ++t)
        text += fmt::format(
            "([r{0} (rcvi R{0} {0} x{0})] [s{0} (sndi S{0} {0} {1} 1)] [w{0} (wait S{0})] [v{0} (wait R{0})])", t,
            (t + 1) % threads);
    Subject const s(text + ")");
    RefusalSearch search(s.messages, Runs::executions);
    EXPECT_EQ(search.search(), Answer::none);
    EXPECT_LE(search.states(), 1U);
    EXPECT_EQ(search.steps(), 5U * threads);
}

TEST(RefusalSearch, GoesOnAfterItsBudget) {
    Subject const s(many_to_one(3, 2, ""));
    RefusalSearch search(s.messages, Runs::executions);
    std::size_t calls = 1;
    while (search.search(10) == Answer::out_of_steps) ++calls;
    EXPECT_GT(calls, 5U);
    EXPECT_EQ(search.search(), Answer::none);
    RefusalSearch at_once(s.messages, Runs::executions);
    EXPECT_EQ(at_once.search(), Answer::none);
    EXPECT_EQ(search.states(), at_once.states());
}

TEST(RefusalSearch, StopsWhenTimeIsUp) {
    Subject const s(many_to_one(6, 6, ""));
    Watch const watch([] { return true; });
    RefusalSearch search(s.messages, Runs::executions);
    EXPECT_THROW(search.search(), OutOfTime);
}

} // namespace
} // namespace matchpoint::test
