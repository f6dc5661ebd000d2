// Driving a program without a trace: how far threads go, what is served, and random executions.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include <fmt/format.h>

#include "executions/sample.hpp"
#include "executions/slow_channel.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/subjects.hpp"

namespace matchpoint::test {
namespace {

using test::infinite;
using test::Subject;
using test::zero;

/// Every step is the test's.
class Drive : public Scheduler {
public:
    Drive(Subject const& s, Buffering buffering) : Scheduler(s.messages, buffering), s_(s) {}
    using Scheduler::advance;
    using Scheduler::advance_all;
    bool deliver(std::string_view beta, std::string_view alpha) {
        return Scheduler::deliver(*s_.code.find_channel(s_.endpoint(beta), s_.endpoint(alpha)));
    }
    bool is_served(std::string_view beta) const { return Scheduler::is_served(s_.endpoint(beta)); }
    std::string path() const { return s_.text(schedule()); }
    std::string matches() const {
        Matching m(s_.messages);
        matching(m);
        return s_.text(m);
    }

private:
    Subject const& s_;
};

TEST(Scheduler, ThreadsGoAsFarAsTheyCan) {
    Subject const s{std::string(test::figure_1)};
    Drive d(s, infinite);
    EXPECT_TRUE(d.advance(2));
    EXPECT_EQ(d.path(), "24 25 26 27");
    EXPECT_TRUE(d.advance_all());
    EXPECT_EQ(d.path(), "24 25 26 27 02 13");
    EXPECT_EQ(d.steps(), 6U);
    // Nothing is left that any of them could do.
    EXPECT_TRUE(d.advance_all());
    EXPECT_EQ(d.path(), "24 25 26 27 02 13");
}

TEST(Scheduler, WithZeroBufferingWaitsForSendsBlock) {
    Subject const s{std::string(test::figure_1)};
    Drive d(s, zero);
    EXPECT_TRUE(d.advance_all());
    EXPECT_EQ(d.path(), "02 13 24");
    // The delivery releases both: first the receiver, then the sender.
    EXPECT_TRUE(d.deliver("0", "2"));
    EXPECT_EQ(d.path(), "02 13 24 03(0 2) 04 05 25 26");
    EXPECT_EQ(d.matches(), "R2 = S4");
}

TEST(Scheduler, DeliveriesReleaseTheReceiver) {
    Subject const s{std::string(test::figure_1)};
    Drive d(s, infinite);
    d.advance_all();
    EXPECT_TRUE(d.deliver("1", "2"));
    EXPECT_EQ(d.path(), "02 13 24 25 26 27 14(1 2) 15 16");
    EXPECT_TRUE(d.deliver("0", "1"));
    EXPECT_TRUE(d.deliver("0", "2"));
    EXPECT_EQ(d.path(), "02 13 24 25 26 27 14(1 2) 15 16 03(0 1) 04 05 06(0 2) 07 08 09");
    EXPECT_EQ(d.matches(), "R2 = S5, R5 = S4, R3 = S6");
    EXPECT_TRUE(d.state().finished());
    EXPECT_EQ(d.state().s, Status::failure);
    EXPECT_EQ(s.run(d.schedule(), infinite).s, Status::failure);
}

TEST(Scheduler, DeliverWantsAMessage) {
    Subject const s{std::string(test::figure_1)};
    Drive d(s, infinite);
    EXPECT_THROW(d.deliver("0", "1"), std::logic_error);
    Drive z(s, zero);
    z.advance_all();
    z.deliver("0", "2");
    EXPECT_THROW(z.deliver("0", "2"), std::logic_error);
}

TEST(Scheduler, IsServedInfinite) {
    Subject const s("( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (wait r2)] )"
                    "  ( [10 (sndi a 1 0 1)] ) ( [20 (rcvi q 2 z)] [21 (wait q)] [22 (sndi b 2 0 1)] )"
                    "  ( [30 (sndi k 3 2 1)] ) )");
    Drive d(s, infinite);
    EXPECT_FALSE(d.is_served("0")); // nobody is at a wait
    d.advance_all();
    EXPECT_FALSE(d.is_served("0")); // two messages are needed, one is there
    EXPECT_TRUE(d.is_served("2"));
    d.deliver("2", "3");
    EXPECT_TRUE(d.is_served("0"));
    EXPECT_FALSE(d.is_served("2")); // finished
    d.deliver("0", "1");
    EXPECT_TRUE(d.is_served("0")); // one more
    d.deliver("0", "2");
    EXPECT_FALSE(d.is_served("0"));
    EXPECT_TRUE(d.state().finished());
}

TEST(Scheduler, IsServedZero) {
    Subject const s(
        "( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (wait r2)] ) ( [10 (sndi a 1 0 1)] [11 (sndi b 1 0 1)] ) )");
    Drive d(s, zero);
    EXPECT_FALSE(d.is_served("0")); // not posted
    d.advance(0);
    EXPECT_TRUE(d.is_served("0")); // posted, whether anything is sent or not
    d.advance(1);
    d.deliver("0", "1");
    EXPECT_TRUE(d.is_served("0"));
    d.deliver("0", "1");
    EXPECT_FALSE(d.is_served("0"));
}

TEST(Scheduler, Faults) {
    Subject const s("( ( [00 (rcvi r 0 x)] [01 (wait r)] [02 (y := (div 1 x))] ) ( [10 (sndi a 1 0 0)] ) )");
    Drive d(s, infinite);
    EXPECT_TRUE(d.advance_all());
    EXPECT_FALSE(d.fault());
    EXPECT_FALSE(d.deliver("0", "1"));
    ASSERT_TRUE(d.fault());
    EXPECT_EQ(s.name(*d.fault()->rho), "02");
    // The schedule ends with it, and the machine finds the same.
    EXPECT_EQ(d.path(), "00 10 01(0 1) 02");
    EXPECT_EQ(s.run(d.schedule(), infinite).error->rho, d.fault()->rho);
}

std::string ended(Subject const& s, Buffering buffering, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    Sample const sample(s.messages, buffering, random);
    Matching m(s.messages);
    sample.matching(m);
    switch (sample.end()) {
    case End::complete: return std::string(to_string(sample.state().s)) + ": " + s.text(m);
    case End::deadlock: return "deadlock: " + s.text(m);
    case End::fault: return "fault: " + s.text(m);
    case End::off_path: return "off the path: " + s.text(m);
    case End::pruned: break;
    }
    return "pruned";
}

std::set<std::string> all_ends(Subject const& s, Buffering buffering) {
    std::set<std::string> result;
    for (std::uint64_t seed = 0; seed < 100; ++seed) result.insert(ended(s, buffering, seed));
    return result;
}

using Ends = std::set<std::string>;

TEST(Sample, HasEveryChoice) {
    Subject const s{std::string(test::figure_1)};
    EXPECT_EQ(all_ends(s, infinite),
              (Ends{"failure: R2 = S5, R5 = S4, R3 = S6", "success: R2 = S4, R5 = S5, R3 = S6"}));
    EXPECT_EQ(all_ends(s, zero), (Ends{"success: R2 = S4, R5 = S5, R3 = S6"}));
}

TEST(Sample, EndsInDeadlocks) {
    Subject const s("( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (wait r2)] )"
                    "  ( [10 (sndi a 1 0 1)] ) ( [20 (sndi b 2 0 7)] [21 (wait b)] ) ( [30 (sndi c 3 0 2)] ) )");
    EXPECT_EQ(all_ends(s, zero),
              (Ends{"deadlock: r1 = a, r2 = c", "deadlock: r1 = c, r2 = a", "success: r1 = a, r2 = b",
                    "success: r1 = b, r2 = a", "success: r1 = b, r2 = c", "success: r1 = c, r2 = b"}));
    EXPECT_EQ(all_ends(s, infinite).size(), 6U);
}

TEST(Sample, EndsInFaults) {
    Subject const s("( ( [00 (rcvi r 0 x)] [01 (wait r)] [02 (y := (mod 1 x))] ) ( [10 (sndi a 1 0 0)] )"
                    "  ( [20 (sndi b 2 0 1)] ) )");
    EXPECT_EQ(all_ends(s, infinite), (Ends{"fault: r = a", "success: r = b"}));
    Subject const at_once("( ( [00 (y := (mod 1 0))] ) )");
    EXPECT_EQ(all_ends(at_once, zero), (Ends{"fault: "}));
}

// The same seed, the same execution.
TEST(Sample, IsDeterministic) {
    Subject const s{std::string(test::figure_16)};
    for (std::uint64_t seed = 0; seed < 10; ++seed) EXPECT_EQ(ended(s, infinite, seed), ended(s, infinite, seed));
}

// Thread 0 sends to the last thread, directly and through 20 others. Random choices let the direct message come first,
// but in one of 2^21 executions.
TEST(SlowChannel, IsOvertakenOnALongWay) {
    constexpr int hops = 20;
    std::string text = "( ( [a (sndi direct 1000 2000 1)] [b (sndi s0 1001 1 2)] )";
    for (int i = 1; i <= hops; ++i)
        text += fmt::format(" ( [r{0} (rcvi R{0} {0} x{0})] [w{0} (wait R{0})] [s{0} (sndi s{0} {1} {2} x{0})] )", i,
                            2000 + i, i == hops ? 2000 : i + 1);
    Subject const s(text + " ( [c (rcvi first 2000 x)] [d (wait first)] [e (assert (= x 1))] ) )");
    auto const channel = [&](std::string_view beta, std::string_view alpha) {
        return *s.code.find_channel(s.endpoint(beta), s.endpoint(alpha));
    };
    EXPECT_EQ(SlowChannel(s.messages, infinite, channel("2000", "1000")).state().s, Status::failure);
    EXPECT_EQ(SlowChannel(s.messages, infinite, channel("2000", "2020")).state().s, Status::success);
    SlowChannel const needed(s.messages, infinite,
                             channel("7", "2006")); // everything after it waits, and nothing is lost
    EXPECT_EQ(needed.end(), End::complete);
    EXPECT_EQ(needed.state().s, Status::success);
}

TEST(SlowChannel, OthersDeliverInTheOrderOfTheirSends) {
    Subject const s("( ( [a (sndi s1 1 9 1)] [b (sndi s2 2 9 2)] [c (sndi s3 3 9 3)] [d (sndi s4 2 9 4)] )"
                    "  ( [e (rcvi r1 9 w)] [f (rcvi r2 9 x)] [g (rcvi r3 9 y)] [h (rcvi r4 9 z)] [i (wait r4)] ) )");
    auto const matches = [&](std::string_view slow, Buffering buffering) {
        Matching m(s.messages);
        SlowChannel(s.messages, buffering, *s.code.find_channel(s.endpoint("9"), s.endpoint(slow))).matching(m);
        return s.text(m);
    };
    for (Buffering const buffering : {infinite, zero}) {
        EXPECT_EQ(matches("1", buffering), "r1 = s2, r2 = s3, r3 = s4, r4 = s1");
        EXPECT_EQ(matches("2", buffering), "r1 = s1, r2 = s3, r3 = s2, r4 = s4");
        EXPECT_EQ(matches("3", buffering), "r1 = s1, r2 = s2, r3 = s4, r4 = s3");
    }
}

TEST(SlowChannel, AimsAtAMatch) {
    // Three channels of two messages each: every message can be the partner of every receive, but for first in, first
    // out.
    Subject const s("( ( [a (rcvi r0 9 v0)] [b (rcvi r1 9 v1)] [c (rcvi r2 9 v2)] [d (rcvi r3 9 v3)] [e (rcvi r4 9 v4)]"
                    "    [f (rcvi r5 9 v5)] [g (wait r5)] )"
                    "  ( [h (sndi s0 1 9 1)] [i (sndi s1 1 9 1)] ) ( [j (sndi t0 2 9 2)] [k (sndi t1 2 9 2)] )"
                    "  ( [l (sndi u0 3 9 3)] [m (sndi u1 3 9 3)] ) )");
    std::size_t met = 0;
    for (Buffering const buffering : {infinite, zero})
        for (std::uint32_t r = 0; r < 6; ++r)
            for (std::uint32_t send = 0; send < 6; ++send) {
                SlowChannel const run(s.messages, buffering, Pair{r, send});
                EXPECT_EQ(run.end(), End::complete);
                Matching m(s.messages);
                run.matching(m);
                std::uint32_t const place = s.messages.sends()[send].place;
                bool const is_possible = place <= r && r <= place + 4; // the others send four
                EXPECT_EQ(m[r] == send, is_possible) << s.text(Pair{r, send});
                met += m[r] == send ? 1 : 0;
            }
    EXPECT_EQ(met, 2U * 6U * 5U);
}

// The message that the receive is to get is sent after the one that it must not get has come.
TEST(SlowChannel, WaitsForTheMessageThatItAimsAt) {
    Subject const s("( ( [a (rcvi r 9 x)] [b (wait r)] ) ( [c (sndi s 1 9 1)] [d (sndi t 1 8 1)] )"
                    "  ( [e (rcvi q 8 y)] [f (wait q)] [g (sndi u 2 9 2)] ) )");
    SlowChannel const run(s.messages, infinite, Pair{s.receive("r"), s.send("u")});
    Matching m(s.messages);
    run.matching(m);
    EXPECT_EQ(s.text(m), "r = u, q = t");
}

// The message that it aims at is sent when the receive has got another one.
TEST(SlowChannel, GivesUpAnAimThatIsImpossible) {
    Subject const s("( ( [a (rcvi r 9 x)] [b (wait r)] [c (sndi s 9 8 1)] ) ( [d (sndi t 1 9 1)] )"
                    "  ( [e (rcvi q 8 y)] [f (wait q)] [g (sndi u 2 9 2)] ) )");
    for (Buffering const buffering : {infinite, zero}) {
        SlowChannel const run(s.messages, buffering, Pair{s.receive("r"), s.send("u")});
        EXPECT_EQ(run.end(), End::complete);
        Matching m(s.messages);
        run.matching(m);
        EXPECT_EQ(s.text(m), "r = t, q = s");
    }
}

TEST(SlowChannel, EndsWhereExecutionsEnd) {
    Subject const stuck("( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (wait r2)] ) ( [10 (sndi a 1 0 1)] ) )");
    EXPECT_EQ(SlowChannel(stuck.messages, infinite, Channel{0}).end(), End::deadlock);
    Subject const faulty("( ( [00 (rcvi r 0 x)] [01 (wait r)] [02 (y := (mod 1 x))] ) ( [10 (sndi a 1 0 0)] ) )");
    EXPECT_EQ(SlowChannel(faulty.messages, infinite, Channel{0}).end(), End::fault);
    Subject const assumed("( ( [00 (rcvi r 0 x)] [01 (wait r)] [02 (assume (= x 1))] ) ( [10 (sndi a 1 0 0)] ) )");
    EXPECT_EQ(SlowChannel(assumed.messages, infinite, Channel{0}, Runs::executions).end(), End::off_path);
    // A thread waits where all messages have been delivered.
    Subject const last("( ( [1 (rcvi r 0 x)] [2 (rcvi q 0 y)] [3 (wait q)] ) ( [4 (bsndi a 1 0 1)] )"
                       "  ( [5 (sndi b 2 3 1)] ) )");
    for (auto const& send : last.messages.sends())
        EXPECT_EQ(SlowChannel(last.messages, infinite, send.channel).end(), End::deadlock);
}

/// Random executions and those with a slow channel, under both bufferings, all have to complete.
void all_complete(Subject const& s) {
    std::mt19937_64 random(1);
    for (Buffering const buffering : {infinite, zero}) {
        for (int i = 0; i < 20; ++i) EXPECT_EQ(Sample(s.messages, buffering, random).end(), End::complete);
        for (auto const& send : s.messages.sends())
            EXPECT_EQ(SlowChannel(s.messages, buffering, send.channel).end(), End::complete);
    }
}

// T lets more than its receiver go on: a thread that was at the barrier sends S.
TEST(Serving, ADeliveryCanLetAnyThreadGoOn) {
    all_complete(Subject("( ( [1 (rcvi R 0 x)] [2 (wait R)] [3 (barrier B)] ) ( [4 (barrier B)] [5 (sndi S 1 2 1)] )"
                         "  ( [6 (rcvi Q 2 y)] [7 (wait Q)] ) ( [8 (sndi T 3 0 1)] ) )"));
}

// A thread waits for S, which cannot move before T has come elsewhere.
TEST(Serving, ASynchronousSendWaitsForItsReceive) {
    all_complete(Subject("( ( [1 (ssndi S 0 1 1)] [2 (wait S)] )"
                         "  ( [3 (rcvi Q 2 y)] [4 (wait Q)] [5 (rcvi R 1 x)] [6 (wait R)] ) ( [7 (sndi T 3 2 1)] ) )"));
}

// Of 64 channels, the last quarter gets two draws of three.
TEST(SlowChannel, IsProbablyALateOne) {
    std::string text = "( (";
    for (int i = 0; i < 64; ++i) text += fmt::format(" [{0} (sndi s{0} {1} 0 0)]", i, i + 1);
    Subject const s(text + " ) )");
    std::mt19937_64 random(1);
    std::vector<int> drawn(64);
    for (int i = 0; i < 6000; ++i) {
        Channel const c = some_late_channel(s.messages, random);
        ++drawn[std::stoul(s.name(Location{static_cast<std::uint32_t>(
            std::find_if(s.messages.sends().begin(), s.messages.sends().end(), [&](auto const& send) {
                return send.channel == c;
            })->rho.index)}))];
    }
    EXPECT_GT(std::accumulate(drawn.begin() + 48, drawn.end(), 0), 3500);
    EXPECT_LT(std::accumulate(drawn.begin() + 48, drawn.end(), 0), 4500);
    EXPECT_EQ(std::count(drawn.begin(), drawn.end(), 0), 0); // and any of them is possible
}

} // namespace
} // namespace matchpoint::test
