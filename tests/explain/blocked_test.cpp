// Why nothing can come next: who waits for whom, and for what that will not come.
#include "explain/blocked.hpp"

#include <gtest/gtest.h>

#include "explain/told.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/programs.hpp"

namespace matchpoint::test {
namespace {

/// The kind and the text of what blocks the state after so many entries of trace 0; "nothing" if nothing does.
std::string behind(std::size_t entries, std::string const& program, Buffering buffering = Buffering::infinite) {
    Bench b(program, buffering);
    b.steps(entries);
    auto const why = blocked(b.code, buffering, b.machine.state());
    return why ? std::string(to_string(why->kind)) + "\n" + shown(b.code, *why) : "nothing";
}

constexpr auto crossed = R"((([00 (rcvi r1 0 x)] [01 (wait r1)] [02 (sndi s1 0 1 x)])
                            ([10 (rcvi r2 1 y)] [11 (wait r2)] [12 (sndi s2 1 0 y)]))
                           ((00 bot) (10 bot)))";

TEST(Blocked, ThreadsThatWaitForEachOther) {
    EXPECT_EQ(behind(1, crossed), "nothing");
    EXPECT_EQ(behind(2, crossed), R"(deadlock
  thread 0: at 01 (wait r1)
            r1 waits for message 1 to endpoint 0; 0 are delivered; thread 1 would send s2 at 12
  thread 1: at 11 (wait r2)
            r2 waits for message 1 to endpoint 1; 0 are delivered; thread 0 would send s1 at 02
  a cycle: thread 0 waits for thread 1, thread 1 waits for thread 0
)");
}

TEST(Blocked, AMessageThatNobodySends) {
    // Thread 1 is no part of the cause: it waits for thread 0.
    EXPECT_EQ(behind(4, R"((([a (rcvi R 0 x)] [b (wait R)] [c (rcvi Q 0 y)] [d (wait Q)] [e (sndi T 0 1 1)])
                            ([f (rcvi P 1 z)] [g (wait P)])
                            ([h (sndi S 2 0 1)]))
                           ((h bot) (a bot) (b ((0 2) bot)) (c bot) (f bot)))"),
              "nothing");
    EXPECT_EQ(behind(5, R"((([a (rcvi R 0 x)] [b (wait R)] [c (rcvi Q 0 y)] [d (wait Q)] [e (sndi T 0 1 1)])
                            ([f (rcvi P 1 z)] [g (wait P)])
                            ([h (sndi S 2 0 1)]))
                           ((h bot) (a bot) (b ((0 2) bot)) (c bot) (f bot)))"),
              R"(deadlock
  thread 0: at d (wait Q)
            Q waits for message 2 to endpoint 0; 1 is delivered; no send to it is left
  thread 1: at g (wait P)
            P waits for message 1 to endpoint 1; 0 are delivered; thread 0 would send T at e
  nobody will send what Q waits for: thread 0 at d
)");
}

TEST(Blocked, TooFewMessages) {
    // The only send left is one too few, and it is the thread's own.
    EXPECT_EQ(behind(2, "(([a (rcvi R 0 x)] [b (rcvi Q 0 y)] [c (wait Q)] [d (sndi S 0 0 1)])) ((a bot) (b bot))"),
              R"(deadlock
  thread 0: at c (wait Q)
            Q waits for message 2 to endpoint 0; 0 are delivered; it takes 2, and the threads have 1 send left
  nobody will send what Q waits for: thread 0 at c
)");
    EXPECT_EQ(behind(1, "(([a (rcvi R 0 x)] [c (wait R)] [d (sndi S 0 0 1)])) ((a bot))"), R"(deadlock
  thread 0: at c (wait R)
            R waits for message 1 to endpoint 0; 0 are delivered; thread 0 would send S at d
  a cycle: thread 0 waits for itself
)");
}

TEST(Blocked, SendsWithZeroBuffering) {
    constexpr auto ring = R"((([00 (sndi s0 0 1 1)] [01 (wait s0)] [02 (rcvi r0 0 x)] [03 (wait r0)])
                              ([10 (sndi s1 1 0 2)] [11 (wait s1)] [12 (rcvi r1 1 y)] [13 (wait r1)]))
                             ((00 bot) (10 bot)))";
    EXPECT_EQ(behind(2, ring), "nothing");
    EXPECT_EQ(behind(2, ring, Buffering::zero), R"(deadlock
  thread 0: at 01 (wait s0)
            with zero buffering s0 waits for a receive at endpoint 1; thread 1 would post r1 at 12
  thread 1: at 11 (wait s1)
            with zero buffering s1 waits for a receive at endpoint 0; thread 0 would post r0 at 02
  a cycle: thread 0 waits for thread 1, thread 1 waits for thread 0
)");
    EXPECT_EQ(behind(2, "(([a (sndi S 0 1 1)] [b (sndi T 0 1 2)] [c (wait T)])) ((a bot) (b bot))", Buffering::zero),
              R"(deadlock
  thread 0: at c (wait T)
            with zero buffering T waits for a receive at endpoint 1, after 1 other message; no receive at it is left
  nobody will receive what T waits for: thread 0 at c
)");
}

// The recording of a rank that got stuck ends there, whatever it would have done next.
TEST(Blocked, RanksWhoseRecordingsEndThere) {
    auto const told = [](std::string const& program, Buffering buffering) {
        Bench b(program, buffering);
        b.steps(2);
        ToldByPlaces const by_places(b.code, "rank");
        auto const why = blocked(b.code, buffering, b.machine.state());
        return why ? shown(b.code, *why) : "nothing";
    };
    EXPECT_EQ(told(R"((([a (sndi S 0 1 1 (tag 1)) (at "x.c" 2)] [b (wait S) (at "x.c" 2)])
                       ([c (rcvi R 1 x (from 0) (tag 2)) (at "x.c" 3)] [d (wait R) (at "x.c" 3)])) ((a bot) (c bot)))",
                   Buffering::zero),
              R"(  rank 0: at x.c:2 (wait)
            with zero buffering x.c:2 of rank 0 waits for a receive at rank 1 that admits it; rank 1 had come to no such receive when it got stuck
  rank 1: at x.c:3 (wait)
            x.c:3 of rank 1 admits messages from rank 0 with tag 2, and got no message: x.c:2 of rank 0 has tag 1; rank 0 had come to no such send when it got stuck
  a cycle: rank 0 waits for rank 1, rank 1 waits for rank 0
)");
    // It would go on with something else.
    EXPECT_NE(told(R"((([a (rcvi R 0 x (from 1)) (at "x.c" 2)] [b (wait R) (at "x.c" 2)])
                       ([c (rcvi Q 1 y (from 0)) (at "x.c" 3)] [d (wait Q) (at "x.c" 3)] [e (y := 1)])) ((a bot) (c bot)))",
                   Buffering::infinite)
                  .find("no send that it admits is left in the recording"),
              std::string::npos);
}

// The threads that have not reached a barrier, and what they wait for.
TEST(Blocked, Barriers) {
    constexpr auto crossed_barriers = R"((([00 (barrier A)] [01 (barrier B)])
                                          ([10 (barrier B)] [11 (barrier A)])
                                          ([20 (rcvi r 2 x)] [21 (wait r)] [22 (barrier A)]))
                                         ((20 bot)))";
    EXPECT_EQ(behind(1, crossed_barriers), R"(deadlock
  thread 0: at 00 (barrier A)
            the barrier A waits: thread 1 has not reached 11, thread 2 has not reached 22
  thread 1: at 10 (barrier B)
            the barrier B waits: thread 0 has not reached 01
  thread 2: at 21 (wait r)
            r waits for message 1 to endpoint 2; 0 are delivered; no send to it is left
  nobody will send what r waits for: thread 2 at 21
  a cycle: thread 0 waits for thread 1, thread 1 waits for thread 0
)");
    EXPECT_EQ(behind(1, "(([a (barrier A)] [b (barrier B)]) ([c (barrier A)] [d (barrier B)])) ((a bot))"), "nothing");
}

// At an endpoint that selects, what counts is which sends a receive admits.
TEST(Blocked, ReceivesThatSelect) {
    constexpr auto any_then_one = R"((([00 (rcvi r 0 x)] [01 (wait r)] [02 (rcvi q 0 y (from 1))] [03 (wait q)])
                                      ([10 (sndi s 1 0 1)])
                                      ([20 (sndi t 2 0 2)] [21 (rcvi p 2 z (tag 5))] [22 (wait p)]
                                       [23 (sndi u 2 0 3)]))
                                     ((10 bot) (20 bot) (00 bot) (01 ((0 1) bot)) (02 bot) (21 bot)))";
    EXPECT_EQ(behind(6, any_then_one), R"(deadlock
  thread 0: at 03 (wait q)
            q admits messages from 1, and got no message: t comes from 2; no send that it admits is left
  thread 2: at 22 (wait p)
            p admits messages with tag 5, and no message to 2 is in transit; no send that it admits is left
  nobody will send what q waits for: thread 0 at 03
  nobody will send what p waits for: thread 2 at 22
)");
    constexpr auto tags = R"((([00 (rcvi r 0 x (tag 2))] [01 (wait r)] [02 (sndi v 0 1 1 (tag 7))])
                              ([10 (sndi s 1 0 1 (tag 1))] [11 (rcvi q 1 y)] [12 (wait q)] [13 (sndi t 1 0 1 (tag 2))]))
                             ((00 bot) (10 bot) (11 bot)))";
    EXPECT_EQ(behind(3, tags), R"(deadlock
  thread 0: at 01 (wait r)
            r admits messages with tag 2, and got no message: s has tag 1; thread 1 would send t at 13
  thread 1: at 12 (wait q)
            q waits for message 1 to endpoint 1; 0 are delivered; thread 0 would send v at 02
  a cycle: thread 0 waits for thread 1, thread 1 waits for thread 0
)");
}

// They wait under infinite buffering, too, and nothing speaks of zero buffering.
TEST(Blocked, SynchronousSends) {
    constexpr auto head_to_head = R"((([00 (ssndi s0 0 1 1)] [01 (wait s0)] [02 (rcvi r0 0 x)] [03 (wait r0)])
                                      ([10 (ssndi s1 1 0 2)] [11 (wait s1)] [12 (rcvi r1 1 y)] [13 (wait r1)]))
                                     ((00 bot) (10 bot)))";
    EXPECT_EQ(behind(2, head_to_head), R"(deadlock
  thread 0: at 01 (wait s0)
            s0, which is synchronous, waits for a receive at endpoint 1; thread 1 would post r1 at 12
  thread 1: at 11 (wait s1)
            s1, which is synchronous, waits for a receive at endpoint 0; thread 0 would post r0 at 02
  a cycle: thread 0 waits for thread 1, thread 1 waits for thread 0
)");
    constexpr auto unwanted = R"((([00 (ssndi s 0 1 1 (tag 1))] [01 (wait s)] [02 (sndi t 0 1 2 (tag 2))])
                                  ([10 (rcvi r 1 x (tag 2))] [11 (wait r)] [12 (rcvi q 1 y (tag 1))] [13 (wait q)]))
                                 ((00 bot) (10 bot)))";
    EXPECT_EQ(behind(2, unwanted), R"(deadlock
  thread 0: at 01 (wait s)
            s, which is synchronous, waits for a receive at endpoint 1 that admits it; thread 1 would post q at 12
  thread 1: at 11 (wait r)
            r admits messages with tag 2, and got no message: s has tag 1; thread 0 would send t at 02
  a cycle: thread 0 waits for thread 1, thread 1 waits for thread 0
)");
}

TEST(Blocked, Faults) {
    EXPECT_EQ(behind(2, "(([a (x := 0)] [b (y := (div 1 x))]) ([c (rcvi R 0 z)] [d (wait R)])) ((a bot) (c bot))"),
              R"(fault
  thread 0: at b (y := (div 1 x))
            (div 1 0) has no value
  thread 1: at d (wait R)
            R waits for message 1 to endpoint 0; 0 are delivered; no send to it is left
  a fault: thread 0 at b
  nobody will send what R waits for: thread 1 at d
)");
}

TEST(Blocked, NotAtTheEnd) {
    EXPECT_EQ(behind(1, "(([a (x := 0)])) ((a bot))"), "nothing");
    Bench b("(([a (x := y)])) ((a bot))");
    EXPECT_TRUE(b.step().is_stuck());
    EXPECT_FALSE(blocked(b.code, Buffering::infinite, b.machine.state()));
}

TEST(Blocked, SeveralCycles) {
    std::string program = "(";
    std::string trace = "(";
    for (int i = 0; i < 6; ++i) {
        // 0 and 3 wait for each other, 1 and 4, 2 and 5.
        std::string const n = std::to_string(i);
        program += "([a" + n + " (rcvi R" + n + " " + n + " x" + n + ")] [b" + n + " (wait R" + n + ")] [c" + n +
                   " (sndi S" + n + " " + n + " " + std::to_string((i + 3) % 6) + " 1)])";
        trace += "(a" + n + " bot)";
    }
    Bench b(program + ") " + trace + ")");
    b.steps(6);
    auto const why = blocked(b.code, Buffering::infinite, b.machine.state());
    ASSERT_TRUE(why);
    EXPECT_EQ(why->cycles, (std::vector<std::vector<std::uint32_t>>{{0, 3}, {1, 4}, {2, 5}}));
}

TEST(Blocked, LocksTakenInOppositeOrders) {
    EXPECT_EQ(behind(2, R"((shared [l 1] [m 1])
                           (([a (when (> l 0) (l := 0))] [b (when (> m 0) (m := 0))] [c (m := 1)] [d (l := 1)])
                            ([e (when (> m 0) (m := 0))] [f (when (> l 0) (l := 0))] [g (l := 1)] [h (m := 1)]))
                           ((a bot) (e bot)))"),
              R"(deadlock
  thread 0: at b (when (> m 0) (m := 0))
            the guard (> m 0) is false: m = 0; thread 1 would write m at h
  thread 1: at f (when (> l 0) (l := 0))
            the guard (> l 0) is false: l = 0; thread 0 would write l at d
  a cycle: thread 0 waits for thread 1, thread 1 waits for thread 0
)");
}

// Thread 1 is about to take more; it gives back only after that.
TEST(Blocked, ASemaphoreIsGivenBackBehindWhereItIsTaken) {
    EXPECT_EQ(behind(2, R"((shared [s 2])
                           (([a (when (> s 0) (s := (- s 1)))] [b (when (> s 0) (s := (- s 1)))] [c (s := (+ s 2))])
                            ([d (when (> s 0) (s := (- s 1)))] [e (when (> s 0) (s := (- s 1)))] [f (s := (+ s 2))]))
                           ((a bot) (d bot)))"),
              R"(deadlock
  thread 0: at b (when (> s 0) (s := (- s 1)))
            the guard (> s 0) is false: s = 0; thread 1 would write s at f
  thread 1: at e (when (> s 0) (s := (- s 1)))
            the guard (> s 0) is false: s = 0; thread 0 would write s at c
  a cycle: thread 0 waits for thread 1, thread 1 waits for thread 0
)");
}

// Each of them holds one of two. It is the other one's that it waits for.
TEST(Blocked, HoldersOfASemaphoreWaitForEachOther) {
    EXPECT_EQ(behind(2, R"((shared [s 2])
                           (([a (when (> s 0) (s := (- s 1)))] [b (when (> s 0) (s := (- s 1)))] [c (s := (+ s 1))] [g (s := (+ s 1))])
                            ([d (when (> s 0) (s := (- s 1)))] [e (when (> s 0) (s := (- s 1)))] [f (s := (+ s 1))] [h (s := (+ s 1))]))
                           ((a bot) (d bot)))"),
              R"(deadlock
  thread 0: at b (when (> s 0) (s := (- s 1)))
            the guard (> s 0) is false: s = 0; thread 0 has held s since a and would give it back at c, thread 1 has held s since d and would give it back at f
  thread 1: at e (when (> s 0) (s := (- s 1)))
            the guard (> s 0) is false: s = 0; thread 0 has held s since a and would give it back at c, thread 1 has held s since d and would give it back at f
  a cycle: thread 0 waits for thread 1, thread 1 waits for thread 0
)");
}

constexpr auto locks = R"((shared [l 1] [m 1])
    (([a (when (> l 0) (l := (- l 1)))] [b (when (> m 0) (m := (- m 1)))] [c (m := (+ m 1))] [d (l := (+ l 1))])
     ([e (when (> m 0) (m := (- m 1)))] [f (m := (+ m 1))])
     ([g (when (> m 0) (m := (- m 1)))] [h (when (> l 0) (l := (- l 1)))] [i (l := (+ l 1))] [j (m := (+ m 1))]))
    ((a bot) (g bot)))";

// Thread 1 would write m, too, but it holds no lock: it is not to blame.
TEST(Blocked, WhoHoldsALock) {
    EXPECT_EQ(behind(2, locks), R"(deadlock
  thread 0: at b (when (> m 0) (m := (- m 1)))
            the guard (> m 0) is false: m = 0; thread 2 has held m since g and would give it back at j
  thread 1: at e (when (> m 0) (m := (- m 1)))
            the guard (> m 0) is false: m = 0; thread 2 has held m since g and would give it back at j
  thread 2: at h (when (> l 0) (l := (- l 1)))
            the guard (> l 0) is false: l = 0; thread 0 has held l since a and would give it back at d
  a cycle: thread 0 waits for thread 2, thread 2 waits for thread 0
)");
}

TEST(Blocked, WhatAGuardReads) {
    Bench b(locks);
    b.steps(2);
    auto const why = blocked(b.code, Buffering::infinite, b.machine.state());
    ASSERT_TRUE(why);
    Blocked::Halted const& h = why->threads.front();
    ASSERT_TRUE(h.guard);
    ASSERT_EQ(h.guard->size(), 1U);
    Blocked::Read const& m = h.guard->front();
    EXPECT_EQ(b.code.names()(m.x), "m");
    EXPECT_EQ(m.v, Value::integer(0));
    EXPECT_TRUE(m.is_lock);
    ASSERT_EQ(m.holders.size(), 1U);
    EXPECT_EQ(m.holders.front().thread, 2U);
    EXPECT_EQ(b.code.names()(m.holders.front().since), "g");
    EXPECT_EQ(h.waits_for, 2U);
    EXPECT_EQ(h.awaited, m.x);
}

TEST(Blocked, ALockThatIsNotGivenBack) {
    EXPECT_EQ(behind(2, R"((shared [m 1]) (([a (when (> m 0) (m := (- m 1)))] [b (when (> m 0) (m := (- m 1)))])
                            ([c (x := 1)])) ((a bot) (c bot)))"),
              R"(deadlock
  thread 0: at b (when (> m 0) (m := (- m 1)))
            the guard (> m 0) is false: m = 0; thread 0 took m at a, and no command of the program gives it back
  nobody will give back m: thread 0 at b
)");
    EXPECT_EQ(behind(1, R"((shared [m 1]) (([a (when (> m 0) (m := (- m 1)))])
                            ([b (when (> m 0) (m := (- m 1)))] [c (m := (+ m 1))])) ((a bot)))"),
              R"(deadlock
  thread 1: at b (when (> m 0) (m := (- m 1)))
            the guard (> m 0) is false: m = 0; thread 0 has held m since a and never gives it back
  nobody will give back m: thread 1 at b
)");
    EXPECT_EQ(behind(1, R"((shared [m 1]) (([a (when (> m 0) (m := (- m 1)))] [b (when (> m 0) (m := (- m 1)))]
                                           [c (m := (+ m 1))])) ((a bot)))"),
              R"(deadlock
  thread 0: at b (when (> m 0) (m := (- m 1)))
            the guard (> m 0) is false: m = 0; thread 0 has held m since a and would give it back at c
  a cycle: thread 0 waits for itself
)");
}

// A writer waits for the owner and the readers of a read-write lock.
TEST(Blocked, ReadersOfALock) {
    EXPECT_EQ(behind(1, R"((shared [w 0] [r 0])
                           (([a (when (= w 0) (r := (+ r 1)))] [b (when (and (= w 0) (= r 0)) (w := 1))] [c (w := 0)]
                             [d (r := (- r 1))])) ((a bot)))"),
              R"(deadlock
  thread 0: at b (when (and (= w 0) (= r 0)) (w := 1))
            the guard (and (= w 0) (= r 0)) is false: w = 0, r = 1; thread 0 has held r since a and would give it back at d
  a cycle: thread 0 waits for itself
)");
}

TEST(Blocked, AssumptionsThatWereFalseTakeNoLock) {
    EXPECT_EQ(behind(1, R"((shared [m 0] [go 0]) (([a (assume (> m 0) (m := (- m 1)))] [b (when (> m 0) (m := (- m 1)))]
                                                  [c (m := (+ m 1))])) ((a bot)))"),
              R"(deadlock
  thread 0: at b (when (> m 0) (m := (- m 1)))
            the guard (> m 0) is false: m = 0; no other thread has a write to it left
  nobody will write what the guard reads: thread 0 at b
)");
}

// Nobody waits for the message: that it can still be delivered changes nothing.
TEST(Blocked, BehindDeliveries) {
    Bench b(R"((shared [x 0]) (([a (sndi S 0 1 5)] [b (wait S)] [c (when (= x 1))])
                               ([d (rcvi R 1 y)] [e (when (= x 1))] [f (wait R)])) ((a bot) (b bot) (d bot)))");
    b.steps(3);
    EXPECT_FALSE(blocked(b.code, Buffering::infinite, b.machine.state()));
    auto const why = blocked_behind_deliveries(b.code, Buffering::infinite, b.machine.state());
    ASSERT_TRUE(why);
    EXPECT_EQ(why->kind, Blocked::Kind::deadlock);
    EXPECT_EQ(why->threads.size(), 2U);
}

TEST(Blocked, AGuardThatNobodyMakesTrue) {
    EXPECT_EQ(behind(1, "(shared [x 0]) (([a (when (= x 1))] [b (x := 1)]) ([c (t := x)])) ((c bot))"),
              R"(deadlock
  thread 0: at a (when (= x 1))
            the guard (= x 1) is false: x = 0; no other thread has a write to it left
  nobody will write what the guard reads: thread 0 at a
)");
}

TEST(Blocked, AGuardThatReadsNothing) {
    EXPECT_EQ(behind(1, "(shared [x 0]) (([a (when false (x := 1))]) ([b (x := 2)])) ((b bot))"),
              R"(deadlock
  thread 0: at a (when false (x := 1))
            the guard false is never true
  a guard that is never true: thread 0 at a
)");
}

} // namespace
} // namespace matchpoint::test
