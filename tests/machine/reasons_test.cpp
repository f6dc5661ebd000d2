// Every reason for which the machine is stuck, with its explanation.

#include <gtest/gtest.h>

#include "base/integer.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/programs.hpp"

namespace matchpoint::test {
namespace {

using test::Bench;
using test::Lines;

/// How the first trace of a program ends.
std::string end_of(std::string text, Buffering buffering = Buffering::infinite) {
    Bench b(std::move(text), buffering);
    return b.text(b.run());
}

TEST(Reasons, HaveLabels) {
    Lines labels;
    for (std::size_t i = 0; i < reason_count; ++i) labels.emplace_back(reason_label(i));
    EXPECT_EQ(labels,
              (Lines{"not next", "nothing in transit", "no posted partner", "message not there", "send not taken",
                     "send not issued", "receive not pending", "no value", "wrong sort", "division by zero",
                     "trace used up", "not at barrier", "guard false", "no receive for a ready send",
                     "nothing to probe", "wrong peek", "not matched", "not called", "mismatch"}));
    EXPECT_THROW(static_cast<void>(reason_label(reason_count)), std::out_of_range);
}

TEST(Reasons, NotNextCommand) {
    EXPECT_EQ(end_of("(([1 (x := 1)] [2 (x := 2)])) ((2 bot))"),
              "error after 0, entry 0 at 2, MACHINE STEP: not next: 2 is no thread's next command: thread 0 is at 1");
    EXPECT_EQ(end_of("(([1 (x := 1)]) ([2 (x := 2)] [3 (x := 3)])) ((2 bot) (1 bot) (2 bot))"),
              "error after 2, entry 2 at 2, MACHINE STEP: not next: 2 is no thread's next command: thread 1 is at 3");
    EXPECT_EQ(
        end_of("(([1 (x := 1)]) ([2 (x := 2)])) ((1 bot) (1 bot))"),
        "error after 1, entry 1 at 1, MACHINE STEP: not next: 1 is no thread's next command: thread 0 is finished");
    EXPECT_EQ(end_of("(([1 (x := 1)])) ((01 bot))"),
              "error after 0, entry 0 at 01, MACHINE STEP: not next: 01 is not a location of the program");
    EXPECT_EQ(end_of("() ((nowhere bot))"),
              "error after 0, entry 0 at nowhere, MACHINE STEP: not next: nowhere is not a location of the program");
}

TEST(Reasons, NothingInTransit) {
    EXPECT_EQ(end_of("(([1 (sndi S 1 0 4)] [2 (wait S)])) ((1 bot) (2 ((1 0) bot)))"),
              "error after 1, entry 1 at 2, PROCESS QUEUE MOVEMENT: nothing in transit: movement (1 0): no message "
              "from 0 to 1 is in transit, Pnd_s(1)(0) is empty");
    // The movements of an entry come before its command: a send cannot be moved with itself.
    EXPECT_EQ(end_of("(([1 (sndi S 1 0 4)])) ((1 ((0 1) bot)))"),
              "error after 0, entry 0 at 1, PROCESS QUEUE MOVEMENT: nothing in transit: movement (0 1): no message "
              "from 1 to 0 is in transit, Pnd_s(0)(1) is empty");
}

TEST(Reasons, NoPostedPartner) {
    // The one receive at 0 has a message already.
    EXPECT_EQ(end_of(R"((([1 (rcvi R 0 x)] [5 (wait R)]) ([2 (sndi S 7 0 4)] [3 (sndi T 7 0 5)] [4 (wait T)]))
                        ((1 bot) (2 bot) (3 bot) (4 ((0 7) (0 7) bot))))",
                     Buffering::zero),
              "error after 3, entry 3 at 4, PROCESS QUEUE MOVEMENT: no posted partner: movement (0 7): with zero "
              "buffering no message moves before its receive is posted, and Q_s(0) has as many entries as Pnd_r(0)");
}

TEST(Reasons, MessageNotThere) {
    EXPECT_EQ(end_of("(([1 (rcvi R 0 x)] [2 (wait R)])) ((1 bot) (2 bot))"),
              "error after 1, entry 1 at 2, WAIT (RCVI) COMMAND: message not there: no message has arrived for R at "
              "endpoint 0 (Q_s(0) is empty)");
    // Places do not count what has been removed: C is the fourth receive, and at place 2 after A and D.
    Bench b(R"((([1 (rcvi A 0 a)] [2 (rcvi B 0 b)] [3 (rcvi D 0 d)] [4 (rcvi C 0 c)] [5 (wait B)] [6 (wait C)])
                ([7 (sndi S 1 0 1)] [8 (sndi T 1 0 2)] [9 (sndi U 1 0 3)]))
               ((1 bot) (2 bot) (3 bot) (4 bot) (7 bot) (8 bot) (9 bot) (5 ((0 1) (0 1) bot)) (6 ((0 1) bot))))");
    b.steps(8);
    Step const step = b.step();
    EXPECT_EQ(b.why(step), "WAIT (RCVI) COMMAND: message not there: no message has arrived for C: it is number 3 of "
                           "the receives pending at endpoint 0 (Pnd_r(0)), and 2 messages have arrived for these "
                           "(Q_s(0))");
    auto const& reason = std::get<reason::MessageNotThere>(step.why().reason);
    EXPECT_EQ(reason.a_r, b.action("C"));
    EXPECT_EQ(reason.beta, b.endpoint("0"));
    EXPECT_EQ(reason.place, 2U);
    EXPECT_EQ(reason.delivered, 2U);
}

TEST(Reasons, SendNotTaken) {
    EXPECT_EQ(
        end_of("(([1 (sndi S 1 0 4)] [2 (wait S)]) ([3 (rcvi R 0 x)])) ((3 bot) (1 bot) (2 bot))", Buffering::zero),
        "error after 2, entry 2 at 2, WAIT (SNDI) COMMAND: send not taken: with zero buffering the wait for S needs "
        "the message to be taken, but the message is still in Pnd_s(0)(1)");
}

TEST(Reasons, SendNotIssued) {
    EXPECT_EQ(end_of("(([1 (wait S)] [2 (sndi S 1 0 4)])) ((1 bot))", Buffering::zero),
              "error after 0, entry 0 at 1, WAIT (SNDI) COMMAND: send not issued: with zero buffering the wait for S "
              "needs the message to be taken, but the send is not issued yet");
}

// The sender is exactly at its sndi, and another thread waits for it.
TEST(Reasons, SendNotIssuedWhileTheSenderStandsAtIt) {
    Bench b(R"((([1 (x := 1)] [2 (sndi S 1 0 x)]) ([3 (rcvi R 0 y)] [4 (wait S)]))
               ((1 bot) (3 bot) (4 bot)))",
            Buffering::zero);
    b.steps(2);
    EXPECT_EQ(b.state(), "h(x) = 1; A(R) = 0; Pnd_r(0) = [R y]; ctp = (2 4); trace = 2; s = success");
    EXPECT_EQ(b.why(b.step()), "WAIT (SNDI) COMMAND: send not issued: with zero buffering the wait for S needs the "
                               "message to be taken, but the send is not issued yet");
    EXPECT_EQ(b.state(), "h(x) = 1; A(R) = 0; Pnd_r(0) = [R y]; ctp = (2 4); trace = 2; s = error");
}

TEST(Reasons, ReceiveNotPending) {
    EXPECT_EQ(end_of("(([1 (wait R)] [2 (rcvi R 0 x)])) ((1 bot))"),
              "error after 0, entry 0 at 1, WAIT (RCVI) COMMAND: receive not pending: R is not in Pnd_r(0): it is not "
              "issued yet");
    EXPECT_EQ(
        end_of(
            "(([1 (rcvi R 0 x)] [2 (sndi S 0 0 1)] [3 (wait R)] [4 (wait R)])) ((1 bot) (2 bot) (3 ((0 0))) (4 bot))"),
        "error after 3, entry 3 at 4, WAIT (RCVI) COMMAND: receive not pending: R is not in Pnd_r(0): it was waited "
        "for already");
}

TEST(Reasons, VariableWithoutValue) {
    EXPECT_EQ(end_of("(([1 (rcvi R 0 x)] [2 (assert (= x 1))])) ((1 bot) (2 bot))"),
              "error after 1, entry 1 at 2, VARIABLE LOOKUP: no value: x has no value");
}

TEST(Reasons, OperandOfWrongSort) {
    auto const reason = [](std::string const& e) {
        std::string const text = end_of("(([1 (x := " + e + ")])) ((1 bot))");
        std::string const start = "error after 0, entry 0 at 1, ";
        EXPECT_EQ(text.substr(0, start.size()), start);
        return text.substr(std::min(start.size(), text.size()));
    };
    EXPECT_EQ(reason("(+ 1 true)"), "BINARY OPERATION: wrong sort: `+` takes two integers, and true is a Bool");
    EXPECT_EQ(reason("(< false 1)"), "BINARY OPERATION: wrong sort: `<` takes two integers, and false is a Bool");
    EXPECT_EQ(reason("(and true -7)"), "BINARY OPERATION: wrong sort: `and` takes two booleans, and -7 is an Int");
    EXPECT_EQ(reason("(=> 7 1)"), "BINARY OPERATION: wrong sort: `=>` takes two booleans, and 7 is an Int");
    EXPECT_EQ(
        reason("(= 1 true)"),
        "BINARY OPERATION: wrong sort: `=` compares two integers or two booleans, and 1 is an Int, true is a Bool");
    EXPECT_EQ(
        reason("(!= false 0)"),
        "BINARY OPERATION: wrong sort: `!=` compares two integers or two booleans, and false is a Bool, 0 is an Int");
    EXPECT_EQ(reason("(not 7)"), "NOT OPERATION: wrong sort: `not` takes a Bool, and 7 is an Int");
    // Sorts are looked at before a zero divisor is.
    EXPECT_EQ(reason("(div true 0)"), "BINARY OPERATION: wrong sort: `div` takes two integers, and true is a Bool");
}

TEST(Reasons, DivisionByZero) {
    EXPECT_EQ(end_of("(([1 (x := (div 5 (- 2 2)))])) ((1 bot))"),
              "error after 0, entry 0 at 1, BINARY OPERATION: division by zero: (div 5 0) has no value");
    EXPECT_EQ(end_of("(([1 (x := (mod -5 -0))])) ((1 bot))"),
              "error after 0, entry 0 at 1, BINARY OPERATION: division by zero: (mod -5 0) has no value");
    EXPECT_EQ(
        end_of("(([1 (x := (div 100000000000000000000 0))])) ((1 bot))"),
        "error after 0, entry 0 at 1, BINARY OPERATION: division by zero: (div 100000000000000000000 0) has no value");
}

TEST(Reasons, TraceUsedUp) {
    EXPECT_EQ(end_of("(([1 (x := 1)])) ()"), "error after 0, entry 0 at end, MACHINE STEP: trace used up: the trace is "
                                             "used up, but 1 command has not run: thread 0 is at 1");
    EXPECT_EQ(end_of("(([1 (x := 1)]) ([2 (x := 2)] [3 (x := 3)] [4 (x := 4)])) ((1 bot) (2 bot))"),
              "error after 2, entry 2 at end, MACHINE STEP: trace used up: the trace is used up, but 2 commands have "
              "not run: thread 1 is at 3");
}

TEST(Reasons, NotAtBarrier) {
    Bench b(
        "(([1 (barrier B)] [2 (barrier C)]) ([3 (barrier B)] [4 (x := 1)] [5 (barrier C)])) ((1 bot) (3 bot) (2 bot))");
    b.steps(2);
    Step const step = b.step();
    ASSERT_TRUE(step.is_stuck());
    auto const& reason = std::get<reason::NotAtBarrier>(step.why().reason);
    EXPECT_EQ(b.program.symbols(reason.b), "C");
    EXPECT_EQ(reason.thread, 1U);
}

TEST(Reasons, NotCalled) {
    EXPECT_EQ(
        end_of("(([1 (collective K w bcast (root 1))]) ([2 (x := 1)] [3 (collective L w bcast (root 1))])) ((1 bot))"),
        "error after 0, entry 0 at 1, COLLECTIVE COMMAND: not called: bcast K (1) of w needs thread 1, and thread 1 "
        "is at 2");
    // A thread that has no such call never calls.
    EXPECT_EQ(
        end_of("(([1 (icollective K w barrier)] [2 (icollective L w barrier)] [3 (wait L)])"
               " ([4 (collective M w barrier)])) ((1 bot) (2 bot) (3 bot))"),
        "error after 0, entry 0 at 1, ICOLLECTIVE COMMAND: mismatch: collective 1 of w: ibarrier K (1) in thread 0, "
        "barrier M (4) in thread 1");
    EXPECT_EQ(
        end_of("(([1 (icollective K w barrier)] [2 (icollective L w barrier)] [3 (wait L)])"
               " ([4 (icollective M w barrier)])) ((1 bot) (2 bot) (3 bot))"),
        "error after 2, entry 2 at 3, WAIT (ICOLLECTIVE) COMMAND: not called: ibarrier L (2) of w needs thread 1, "
        "and thread 1 has no such call");
    EXPECT_EQ(
        end_of("(([1 (collective K w barrier)]) ([2 (collective L w reduce (root 1))])) ((1 bot))"),
        "error after 0, entry 0 at 1, COLLECTIVE COMMAND: mismatch: collective 1 of w: barrier K (1) in thread 0, "
        "reduce L (2) in thread 1");
}

TEST(Reasons, Mismatch) {
    Bench b("(([1 (icollective K w barrier) (at \"m1.c\" 7)]) ([2 (x := 1)] [3 (icollective L w gather (root 0)) (at "
            "\"m1.c\" 8)])) ((1 bot) (2 bot) (3 bot))");
    b.steps(2);
    Step const step = b.step();
    ASSERT_TRUE(step.is_stuck());
    auto const& reason = std::get<reason::Mismatch>(step.why().reason);
    EXPECT_EQ(b.program.symbols(reason.call), "3");
    EXPECT_EQ(b.program.symbols(reason.other), "1");
    EXPECT_EQ(b.why(step),
              "ICOLLECTIVE COMMAND: mismatch: collective 1 of w: ibarrier K (m1.c:7) in thread 0, igather L "
              "(m1.c:8) in thread 1");
    // Of calls of one kind, what they say is told.
    EXPECT_EQ(
        end_of("(([1 (collective K w bcast (root 0) (count 1))]) ([2 (collective L w bcast (root 1))])) ((2 bot))"),
        "error after 0, entry 0 at 2, COLLECTIVE COMMAND: mismatch: collective 1 of w: bcast K (root 0) (count 1) "
        "(1) in thread 0, bcast L (root 1) (2) in thread 1");
}

TEST(Reasons, GuardFalse) {
    Bench b("(shared [l 0]) (([1 (when (and (> l 0) (= l 1)))])) ((1 bot))");
    Step const step = b.step();
    ASSERT_TRUE(step.is_stuck());
    Expression const guard = std::get<reason::GuardFalse>(step.why().reason).guard;
    EXPECT_EQ(print(b.program, guard), "(and (> l 0) (= l 1))");
    EXPECT_EQ(b.why(step), "WHEN: guard false: the guard (and (> l 0) (= l 1)) is false: l = 0");
}

TEST(Reasons, NoReceiveForReadySend) {
    EXPECT_EQ(
        end_of("(([1 (rcvi R 0 x)]) ([2 (rsndi S 1 0 7)])) ((2 bot))"),
        "error after 0, entry 0 at 2, RSNDI COMMAND: no receive for a ready send: S is a ready send, and no posted "
        "receive can get its message");
}

// Names in explanations are escaped and cut: they may come from anywhere.
// Every thread that has commands left is told of, up to eight.
TEST(Reasons, TraceUsedUpInSeveralThreads) {
    EXPECT_EQ(
        end_of("(([1 (x := 1)]) () ([2 (y := 2)] [3 (y := 3)]) ([4 (z := 4)])) ((2 bot) (4 bot))"),
        "error after 2, entry 2 at end, MACHINE STEP: trace used up: the trace is used up, but 2 commands have not "
        "run: thread 0 is at 1, thread 2 is at 3");
    std::string program;
    std::string threads;
    for (int i = 0; i < 10; ++i) {
        std::string const n = std::to_string(i);
        program += "([l" + n + " (x := 1)])";
        if (i < 8) threads += "thread " + n + " is at l" + n + ", ";
    }
    EXPECT_EQ(end_of("(" + program + ") ()"),
              "error after 0, entry 0 at end, MACHINE STEP: trace used up: the trace is "
              "used up, but 10 commands have not run: " +
                  threads + "... (2 more)");
}

TEST(Explain, EscapesNames) {
    EXPECT_EQ(end_of("(([1 (x := \xE2\x80\xAEy)])) ((1 bot))"),
              "error after 0, entry 0 at 1, VARIABLE LOOKUP: no value: \\u202ey has no value");
    std::string const name(70, 'x');
    EXPECT_EQ(end_of("(([1 (y := " + name + ")])) ((1 bot))"),
              "error after 0, entry 0 at 1, VARIABLE LOOKUP: no value: " + std::string(60, 'x') + "… has no value");
}

TEST(Explain, Shown) {
    Bench b("(([l\0011 (rcvi R 007 x)] [l2 (a := (+ x -3))])) ((l2 bot))");
    EXPECT_EQ(shown(b.code, Location{0}), "l\\x011");
    EXPECT_EQ(shown(b.code, b.action("R")), "R");
    EXPECT_EQ(shown(b.code, b.variable("x")), "x");
    EXPECT_EQ(shown(b.code, b.endpoint("7")), "7");
    EXPECT_EQ(shown(Value::integer(-5)), "-5");
    EXPECT_EQ(shown(Value{}), "bot");
    EXPECT_EQ(shown(b.code, b.code.command_at({0})), "(rcvi R 7 x)");
    EXPECT_EQ(shown(b.code, std::get<Assign>(b.code.command_at({1})).e), "(+ x -3)");
    // A value of many digits is cut at 60, a command at 120 code points.
    EXPECT_EQ(shown(Value::parse_integer(std::string(80, '7'))), std::string(60, '7') + "…");
    // One of very many digits is only measured.
    EXPECT_EQ(shown(to_value(Integer((Integer(1) << 4096U) - 1))).size(), 60 + std::string("…").size());
    EXPECT_EQ(shown(to_value(Integer(Integer(1) << 4096U))), "(an integer of 4097 bits)");
    EXPECT_EQ(shown(to_value(Integer(-(Integer(1) << 5000U)))), "(an integer of 5001 bits)");
    Bench wide("(([1 (" + std::string(200, 'v') + " := 1)]))");
    EXPECT_EQ(shown(wide.code, wide.code.command_at({0})), "(" + std::string(119, 'v') + "…");
}

TEST(Explain, Lists) {
    Bench b(R"((([1 (rcvi R 0 x)] [2 (rcvi T 0 y)] [3 (sndi S 0 0 1)] [4 (sndi U 0 0 true)] [5 (wait T)]))
               ((1 bot) (2 bot) (3 bot) (4 bot) (5 ((0 0) (0 0)))))");
    b.steps(5);
    auto const matches = match_set(b.code, b.machine.state());
    EXPECT_EQ(in_words(b.code, matches), "R = S, T = U");
    EXPECT_EQ(in_words(b.code, matches, 2), "R = S, T = U");
    EXPECT_EQ(in_words(b.code, matches, 1), "R = S, ... (1 more)");
    EXPECT_EQ(in_words(b.code, std::vector<Match>{}), "");
    std::vector<Action> const actions{b.action("R"), b.action("S"), b.action("T")};
    EXPECT_EQ(in_words(b.code, actions), "R, S, T");
    EXPECT_EQ(in_words(b.code, actions, 1), "R, ... (2 more)");
    std::vector<Finding::Binding> values{{b.variable("x"), Value::integer(1)}, {b.variable("y"), Value::boolean(true)}};
    EXPECT_EQ(in_words(b.code, values), "x = 1, y = true");
    values.resize(21, values[0]);
    std::string expected = "x = 1, y = true";
    for (int i = 2; i < 20; ++i) expected += ", x = 1";
    EXPECT_EQ(in_words(b.code, values), expected + ", ... (1 more)");
}

} // namespace
} // namespace matchpoint::test
