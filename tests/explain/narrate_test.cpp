// A run told rule by rule: the whole text.

#include <gtest/gtest.h>

#include "explain/narrate.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/programs.hpp"

namespace matchpoint::test {
namespace {

using test::Bench;

/// Trace 0 of a program as the narrator tells it.
std::string narrated(std::string text, Buffering buffering = Buffering::infinite, std::size_t queue_limit = 8) {
    Bench b(std::move(text), buffering);
    std::string result = "\n";
    Narrator narrator(
        b.code, [&](std::string_view lines) { result += lines; }, queue_limit);
    b.machine.observe(narrator);
    static_cast<void>(b.run());
    return result;
}

TEST(Narrate, EveryRule) {
    EXPECT_EQ(
        narrated(R"((([1 (rcvi R 0 x)] [2 (wait R)] [3 (assume (not (= x 5)))] [4 (assert (> x 4))] [5 (y := (+ x 1))])
                       ([6 (sndi S 1 0 (* 2 2))] [7 (wait S)]))
                      ((1 bot) (6 bot) (7 bot) (2 ((0 1))) (3 bot) (4 bot) (5 bot)))"),
        R"(
    0 1  thread 0: (rcvi R 0 x)
      RCVI COMMAND                   A(R) = 0; Pnd_r(0) = ([R x])
      MACHINE STEP                   s = success
    1 6  thread 1: (sndi S 1 0 (* 2 2))
      SNDI EXPRESSION EVALUATION     k = (sndi S 1 0 * -> ret)
      LEFT OPERAND                   k = (* * e -> k)
      RIGHT OPERAND                  k = (* 2 * -> k)
      BINARY OPERATION               (* 2 2) = 4
      SNDI COMMAND                   A(S) = 1; Pnd_s(0)(1) = ([S 4])
      MACHINE STEP                   s = success
    2 7  thread 1: (wait S)
      WAIT (SNDI) COMMAND            S is a send: nothing changes
      MACHINE STEP                   s = success
    3 2  thread 0: (wait R)
      PROCESS QUEUE MOVEMENT         (0 1): Pnd_s(0)(1) = (), Q_s(0) = ([S 4])
      WAIT (RCVI) COMMAND            R gets S: h(eta(x)) = 4; R and S leave A; Pnd_r(0) = (), Q_s(0) = ()
      MACHINE STEP                   s = success
    4 3  thread 0: (assume (not (= x 5)))
      ASSUME EXPRESSIONS EVALUATION  k = (assume * -> ret)
      NOT OPERAND                    k = (not * -> k)
      LEFT OPERAND                   k = (= * e -> k)
      VARIABLE LOOKUP                h(eta(x)) = 4
      RIGHT OPERAND                  k = (= 4 * -> k)
      BINARY OPERATION               (= 4 5) = false
      NOT OPERATION                  (not false) = true
      ASSUME COMMAND                 assume(true, success) = success
      MACHINE STEP                   s = success
    5 4  thread 0: (assert (> x 4))
      ASSERT EXPRESSIONS EVALUATION  k = (assert * -> ret)
      LEFT OPERAND                   k = (> * e -> k)
      VARIABLE LOOKUP                h(eta(x)) = 4
      RIGHT OPERAND                  k = (> 4 * -> k)
      BINARY OPERATION               (> 4 4) = false
      ASSERT COMMAND                 assert(false, success) = failure
      MACHINE STEP                   s = failure
    6 5  thread 0: (y := (+ x 1))
      ASSIGN EXPRESSIONS EVALUATION  k = (y := * -> ret)
      LEFT OPERAND                   k = (+ * e -> k)
      VARIABLE LOOKUP                h(eta(x)) = 4
      RIGHT OPERAND                  k = (+ 4 * -> k)
      BINARY OPERATION               (+ 4 1) = 5
      ASSIGN COMMAND                 h(eta(y)) = 5
      MACHINE STEP                   s = failure
)");
}

TEST(Narrate, Marking) {
    EXPECT_EQ(
        narrated(
            R"((([1 (rcvi R 0 x)] [2 (rcvi T 0 y)] [3 (sndi S 1 0 1)] [4 (sndi U 1 0 2)] [5 (wait T)] [6 (wait R)]))
                      ((1 bot) (2 bot) (3 bot) (4 bot) (5 ((0 1) (0 1))) (6 bot)))"),
        R"(
    0 1  thread 0: (rcvi R 0 x)
      RCVI COMMAND                   A(R) = 0; Pnd_r(0) = ([R x])
      MACHINE STEP                   s = success
    1 2  thread 0: (rcvi T 0 y)
      RCVI COMMAND                   A(T) = 0; Pnd_r(0) = ([R x] [T y])
      MACHINE STEP                   s = success
    2 3  thread 0: (sndi S 1 0 1)
      SNDI EXPRESSION EVALUATION     k = (sndi S 1 0 * -> ret)
      SNDI COMMAND                   A(S) = 1; Pnd_s(0)(1) = ([S 1])
      MACHINE STEP                   s = success
    3 4  thread 0: (sndi U 1 0 2)
      SNDI EXPRESSION EVALUATION     k = (sndi U 1 0 * -> ret)
      SNDI COMMAND                   A(U) = 1; Pnd_s(0)(1) = ([S 1] [U 2])
      MACHINE STEP                   s = success
    4 5  thread 0: (wait T)
      PROCESS QUEUE MOVEMENT         (0 1): Pnd_s(0)(1) = ([U 2]), Q_s(0) = ([S 1])
      PROCESS QUEUE MOVEMENT         (0 1): Pnd_s(0)(1) = (), Q_s(0) = ([S 1] [U 2])
      WAIT (RCVI) COMMAND            R gets S: h(eta(x)) = 1; T gets U: h(eta(y)) = 2; T and U leave A; Pnd_r(0) = ([R x]), Q_s(0) = ([S bot])
      MACHINE STEP                   s = success
    5 6  thread 0: (wait R)
      WAIT (RCVI) COMMAND            R has S already; R and S leave A; Pnd_r(0) = (), Q_s(0) = ()
      MACHINE STEP                   s = success
)");
}

TEST(Narrate, Stuck) {
    EXPECT_EQ(narrated("(([1 (sndi S 1 0 1)] [2 (x := y)])) ((1 bot) (2 ((0 1))))"),
              R"(
    0 1  thread 0: (sndi S 1 0 1)
      SNDI EXPRESSION EVALUATION     k = (sndi S 1 0 * -> ret)
      SNDI COMMAND                   A(S) = 1; Pnd_s(0)(1) = ([S 1])
      MACHINE STEP                   s = success
    1 2  thread 0: (x := y)
      PROCESS QUEUE MOVEMENT         (0 1): Pnd_s(0)(1) = (), Q_s(0) = ([S 1])
      ASSIGN EXPRESSIONS EVALUATION  k = (x := * -> ret)
      (movements taken back)         ((0 1))
      VARIABLE LOOKUP                stuck: y has no value; s = error
)");
    EXPECT_EQ(narrated("(([1 (x := 1)])) ((2 bot))"), R"(
    0 2
      MACHINE STEP                   stuck: 2 is not a location of the program; s = error
)");
    EXPECT_EQ(narrated("(([1 (x := 1)])) ()"), R"(
      MACHINE STEP                   stuck: the trace is used up, but 1 command has not run: thread 0 is at 1; s = error
)");
    EXPECT_EQ(narrated("(([1 (sndi S 1 0 1)] [2 (wait S)])) ((1 bot) (2 bot))", Buffering::zero), R"(
    0 1  thread 0: (sndi S 1 0 1)
      SNDI EXPRESSION EVALUATION     k = (sndi S 1 0 * -> ret)
      SNDI COMMAND                   A(S) = 1; Pnd_s(0)(1) = ([S 1])
      MACHINE STEP                   s = success
    1 2  thread 0: (wait S)
      WAIT (SNDI) COMMAND            stuck: with zero buffering the wait for S needs the message to be taken, but the message is still in Pnd_s(0)(1); s = error
)");
}

// Queues are cut at the limit, completions too; movements taken back at eight.
TEST(Narrate, CutsWhatIsLong) {
    EXPECT_EQ(narrated(R"((([1 (rcvi R1 0 x)] [2 (rcvi R2 0 y)] [3 (rcvi R3 0 z)]
                        [4 (sndi S1 1 0 1)] [5 (sndi S2 1 0 2)] [6 (sndi S3 1 0 3)] [7 (wait R3)] [8 (wait R1)]))
                      ((1 bot) (2 bot) (3 bot) (4 bot) (5 bot) (6 bot) (7 ((0 1) (0 1) (0 1))) (8 bot)))",
                       Buffering::infinite, 1),
              R"(
    0 1  thread 0: (rcvi R1 0 x)
      RCVI COMMAND                   A(R1) = 0; Pnd_r(0) = ([R1 x])
      MACHINE STEP                   s = success
    1 2  thread 0: (rcvi R2 0 y)
      RCVI COMMAND                   A(R2) = 0; Pnd_r(0) = ([R1 x] ...)
      MACHINE STEP                   s = success
    2 3  thread 0: (rcvi R3 0 z)
      RCVI COMMAND                   A(R3) = 0; Pnd_r(0) = ([R1 x] ...)
      MACHINE STEP                   s = success
    3 4  thread 0: (sndi S1 1 0 1)
      SNDI EXPRESSION EVALUATION     k = (sndi S1 1 0 * -> ret)
      SNDI COMMAND                   A(S1) = 1; Pnd_s(0)(1) = ([S1 1])
      MACHINE STEP                   s = success
    4 5  thread 0: (sndi S2 1 0 2)
      SNDI EXPRESSION EVALUATION     k = (sndi S2 1 0 * -> ret)
      SNDI COMMAND                   A(S2) = 1; Pnd_s(0)(1) = ([S1 1] ... 1 more)
      MACHINE STEP                   s = success
    5 6  thread 0: (sndi S3 1 0 3)
      SNDI EXPRESSION EVALUATION     k = (sndi S3 1 0 * -> ret)
      SNDI COMMAND                   A(S3) = 1; Pnd_s(0)(1) = ([S1 1] ... 2 more)
      MACHINE STEP                   s = success
    6 7  thread 0: (wait R3)
      PROCESS QUEUE MOVEMENT         (0 1): Pnd_s(0)(1) = ([S2 2] ... 1 more), Q_s(0) = ([S1 1])
      PROCESS QUEUE MOVEMENT         (0 1): Pnd_s(0)(1) = ([S3 3]), Q_s(0) = ([S1 1] ...)
      PROCESS QUEUE MOVEMENT         (0 1): Pnd_s(0)(1) = (), Q_s(0) = ([S1 1] ...)
      WAIT (RCVI) COMMAND            R1 gets S1: h(eta(x)) = 1; ... 2 more; R3 and S3 leave A; Pnd_r(0) = ([R1 x] ...), Q_s(0) = ([S1 bot] ...)
      MACHINE STEP                   s = success
    7 8  thread 0: (wait R1)
      WAIT (RCVI) COMMAND            R1 has S1 already; R1 and S1 leave A; Pnd_r(0) = ([R2 y]), Q_s(0) = ([S2 bot])
      MACHINE STEP                   s = success
)");

    std::string program = "((";
    std::string trace = "(";
    std::string movements = "((0 1)";
    for (int i = 0; i < 10; ++i) {
        program += "[" + std::to_string(i) + " (sndi S" + std::to_string(i) + " 1 0 1)] ";
        trace += "(" + std::to_string(i) + " bot) ";
        movements += " (0 1)";
    }
    std::string const text = narrated(program + "[w (assert true)])) " + trace + "(w " + movements + ")))");
    EXPECT_EQ(text.substr(text.find("      (movements")),
              R"(      (movements taken back)         ((0 1) (0 1) (0 1) (0 1) (0 1) (0 1) (0 1) (0 1) ... 2 more)
      PROCESS QUEUE MOVEMENT         stuck: movement (0 1): no message from 1 to 0 is in transit, Pnd_s(0)(1) is empty; s = error
)");
    EXPECT_NE(text.find("Pnd_s(0)(1) = ([S0 1] [S1 1] [S2 1] [S3 1] [S4 1] [S5 1] [S6 1] [S7 1] ... 2 more)"),
              std::string::npos);
}

// Only the first 64 slots of a queue are looked at, removed ones among them: `...` says that there may be more.
TEST(Narrate, LooksAtTheBeginningOfAQueue) {
    auto const last_wait = [](int removed) {
        std::string receives = "([r0 (rcvi R0 0 x)]";
        std::string sends = "([s0 (sndi S0 1 0 0)]";
        std::string waits;
        std::string issued = "(r0 bot) (s0 bot) ";
        std::string movements = "(0 1)";
        std::string waited;
        for (int i = 1; i <= removed; ++i) {
            std::string const n = std::to_string(i);
            receives += " [r" + n + " (rcvi R" + n + " 0 x)]";
            sends += " [s" + n + " (sndi S" + n + " 1 0 " + n + ")]";
            waits += " [w" + n + " (wait R" + n + ")]";
            issued += "(r" + n + " bot) (s" + n + " bot) ";
            movements += " (0 1)";
            waited += "(w" + n + " bot) ";
        }
        std::string const text = narrated("(" + receives + waits + ") " + sends + " [m (assert true)])) (" + issued +
                                          "(m (" + movements + ")) " + waited + ")");
        std::string const line = text.substr(text.rfind("WAIT (RCVI)"));
        return line.substr(0, line.find('\n'));
    };
    EXPECT_EQ(last_wait(63),
              "WAIT (RCVI) COMMAND            R63 gets S63: h(eta(x)) = 63; R63 and S63 leave A; Pnd_r(0) = "
              "([R0 x]), Q_s(0) = ([S0 bot])");
    EXPECT_EQ(last_wait(64),
              "WAIT (RCVI) COMMAND            R64 gets S64: h(eta(x)) = 64; R64 and S64 leave A; Pnd_r(0) = "
              "([R0 x] ...), Q_s(0) = ([S0 bot] ...)");
}

// What a wait assigns, and the sources and tags in queues at an endpoint that selects.
TEST(Narrate, SelectorsAndBarriers) {
    EXPECT_EQ(narrated(R"((([1 (rcvi R 0 x (tag 2) (source y) (tagged z))] [2 (wait R)] [3 (barrier B)] [4 (rcvi Q 0 w)]
                        [5 (wait Q)])
                       ([6 (sndi S 1 0 7)] [7 (sndi T 1 0 8 (tag 2))] [8 (barrier B)]))
                      ((1 bot) (6 bot) (7 bot) (2 ((0 1) bot)) (3 bot) (8 bot) (4 bot) (5 ((0 1) bot))))"),
              R"(
    0 1  thread 0: (rcvi R 0 x (tag 2) (source y) (tagged z))
      RCVI COMMAND                   A(R) = 0; Pnd_r(0) = ([R x])
      MACHINE STEP                   s = success
    1 6  thread 1: (sndi S 1 0 7)
      SNDI EXPRESSION EVALUATION     k = (sndi S 1 0 * -> ret)
      SNDI COMMAND                   A(S) = 1; Pnd_s(0)(1) = ([S 7])
      MACHINE STEP                   s = success
    2 7  thread 1: (sndi T 1 0 8 (tag 2))
      SNDI EXPRESSION EVALUATION     k = (sndi T 1 0 * -> ret)
      SNDI COMMAND                   A(T) = 1; Pnd_s(0)(1) = ([S 7] [T 8 tag 2])
      MACHINE STEP                   s = success
    3 2  thread 0: (wait R)
      PROCESS QUEUE MOVEMENT         (0 1 2): Pnd_s(0)(1) = ([S 7]), Q_s(0) = ([T 8 from 1 tag 2])
      WAIT (RCVI) COMMAND            R gets T: h(eta(x)) = 8, h(eta(y)) = 1, h(eta(z)) = 2; R and T leave A; Pnd_r(0) = (), Q_s(0) = ()
      MACHINE STEP                   s = success
    4 3  thread 0: (barrier B)
      BARRIER COMMAND                B: every thread that has it has come
      MACHINE STEP                   s = success
    5 8  thread 1: (barrier B)
      BARRIER COMMAND                B: every thread that has it has come
      MACHINE STEP                   s = success
    6 4  thread 0: (rcvi Q 0 w)
      RCVI COMMAND                   A(Q) = 0; Pnd_r(0) = ([Q w])
      MACHINE STEP                   s = success
    7 5  thread 0: (wait Q)
      PROCESS QUEUE MOVEMENT         (0 1 0): Pnd_s(0)(1) = (), Q_s(0) = ([S 7 from 1])
      WAIT (RCVI) COMMAND            Q gets S: h(eta(w)) = 7; Q and S leave A; Pnd_r(0) = (), Q_s(0) = ()
      MACHINE STEP                   s = success
)");
}

TEST(Narrate, WhyAReceiveThatSelectsHasNoMessage) {
    EXPECT_EQ(narrated(R"((([1 (rcvi R 0 x (from 1))] [2 (rcvi Q 0 y (from 1) (tag 5 6))] [3 (wait Q)] [4 (wait R)])
                       ([6 (sndi S 1 0 7)] [7 (sndi T 1 0 8 (tag 2))])
                       ([8 (sndi U 2 0 9)]))
                      ((1 bot) (2 bot) (6 bot) (7 bot) (8 bot) (3 ((0 1) bot))))"),
              R"(
    0 1  thread 0: (rcvi R 0 x (from 1))
      RCVI COMMAND                   A(R) = 0; Pnd_r(0) = ([R x])
      MACHINE STEP                   s = success
    1 2  thread 0: (rcvi Q 0 y (from 1) (tag 5 6))
      RCVI COMMAND                   A(Q) = 0; Pnd_r(0) = ([R x] [Q y])
      MACHINE STEP                   s = success
    2 6  thread 1: (sndi S 1 0 7)
      SNDI EXPRESSION EVALUATION     k = (sndi S 1 0 * -> ret)
      SNDI COMMAND                   A(S) = 1; Pnd_s(0)(1) = ([S 7])
      MACHINE STEP                   s = success
    3 7  thread 1: (sndi T 1 0 8 (tag 2))
      SNDI EXPRESSION EVALUATION     k = (sndi T 1 0 * -> ret)
      SNDI COMMAND                   A(T) = 1; Pnd_s(0)(1) = ([S 7] [T 8 tag 2])
      MACHINE STEP                   s = success
    4 8  thread 2: (sndi U 2 0 9)
      SNDI EXPRESSION EVALUATION     k = (sndi U 2 0 * -> ret)
      SNDI COMMAND                   A(U) = 2; Pnd_s(0)(2) = ([U 9])
      MACHINE STEP                   s = success
    5 3  thread 0: (wait Q)
      PROCESS QUEUE MOVEMENT         (0 1 0): Pnd_s(0)(1) = ([T 8 tag 2]), Q_s(0) = ([S 7 from 1])
      (movements taken back)         ((0 1))
      WAIT (RCVI) COMMAND            stuck: Q admits messages from 1 with tag 5 or 6, and got no message: S has tag 0, T has tag 2, U comes from 2; s = error
)");
    EXPECT_EQ(narrated("(([1 (rcvi R 0 x (from 1))] [2 (wait R)])) ((1 bot) (2 bot))"), R"(
    0 1  thread 0: (rcvi R 0 x (from 1))
      RCVI COMMAND                   A(R) = 0; Pnd_r(0) = ([R x])
      MACHINE STEP                   s = success
    1 2  thread 0: (wait R)
      WAIT (RCVI) COMMAND            stuck: R admits messages from 1, and no message to 0 is in transit; s = error
)");
}

TEST(Narrate, WhyASynchronousSendWaits) {
    EXPECT_EQ(narrated("(([1 (ssndi S 0 1 x)] [2 (wait S)])) ((2 bot))"), R"(
    0 2
      MACHINE STEP                   stuck: 2 is no thread's next command: thread 0 is at 1; s = error
)");
    EXPECT_EQ(narrated("(([1 (ssndi S 0 1 1)] [2 (wait S)])) ((1 bot) (2 bot))"), R"(
    0 1  thread 0: (ssndi S 0 1 1)
      SNDI EXPRESSION EVALUATION     k = (sndi S 0 1 * -> ret)
      SNDI COMMAND                   A(S) = 0; Pnd_s(1)(0) = ([S 1])
      MACHINE STEP                   s = success
    1 2  thread 0: (wait S)
      WAIT (SNDI) COMMAND            stuck: S is synchronous: the wait for it needs the message to be taken, but the message is still in Pnd_s(1)(0); s = error
)");
    EXPECT_EQ(narrated("(([1 (ssndi S 0 1 1)] [2 (wait S)])) ((1 bot) (2 ((1 0) bot)))"), R"(
    0 1  thread 0: (ssndi S 0 1 1)
      SNDI EXPRESSION EVALUATION     k = (sndi S 0 1 * -> ret)
      SNDI COMMAND                   A(S) = 0; Pnd_s(1)(0) = ([S 1])
      MACHINE STEP                   s = success
    1 2  thread 0: (wait S)
      PROCESS QUEUE MOVEMENT         stuck: movement (1 0): S is synchronous and does not move before its receive is posted, and Q_s(1) has as many entries as Pnd_r(1); s = error
)");
}

TEST(Narrate, Places) {
    EXPECT_EQ(
        narrated(R"((([a (rcvi R 0 x) (at "main.c" 3)] [d (rcvi T 1 y) (at "main+0x12" 0)] [b (wait R) (at "main.c" 4)]
                      [e (wait T)])) ((a bot) (d bot) (c bot)))"),
        R"(
    0 a (main.c:3)  thread 0: (rcvi R 0 x)
      RCVI COMMAND                   A(R) = 0; Pnd_r(0) = ([R x])
      MACHINE STEP                   s = success
    1 d (main+0x12)  thread 0: (rcvi T 1 y)
      RCVI COMMAND                   A(T) = 1; Pnd_r(1) = ([T y])
      MACHINE STEP                   s = success
    2 c
      MACHINE STEP                   stuck: c is not a location of the program; s = error
)");
}

} // namespace
} // namespace matchpoint::test
