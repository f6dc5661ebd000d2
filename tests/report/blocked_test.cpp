// Why nothing can come next: who waits for whom, and for what that will not come.
#include "report/blocked.hpp"

#include <gtest/gtest.h>

#include "tests/support/all_rooms.hpp"
#include "tests/support/programs.hpp"

namespace matchpoint::test {
namespace {

/// The text of what blocks the state behind the first so many entries of trace 0, behind its kind; "nothing" if nothing does.
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
            with zero buffering T waits for a receive at endpoint 1, behind 1 other message; no receive at it is left
  nobody will receive what T waits for: thread 0 at c
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

} // namespace
} // namespace matchpoint::test
