// Every rule of machine/rule.hpp: once where it applies, with all that it changes and tells, once where it does not.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/all_rooms.hpp"
#include "tests/support/programs.hpp"

namespace matchpoint::test {
namespace {

using test::Bench;
using test::Lines;
using test::Reduction;

/// Whether a rule fired in what was recorded.
bool fired(test::Recorder const& recorder, Rule rule) {
    return std::find(recorder.rules.begin(), recorder.rules.end(), rule) != recorder.rules.end();
}

// ---------------------------------------------------------------------------------------------------------------------
// Figure 6

TEST(MachineStep, Applies) {
    Bench b("(([1 (assert true)] [2 (assert true)]) ([3 (assert true)])) ((3 bot) (1 bot))");
    EXPECT_EQ(b.state(), "ctp = (1 3); trace = 0; s = success");
    EXPECT_EQ(b.events_of_step(),
              (Lines{"EntryTaken 0 3 thread 1", "AssertExpressionsEvaluation true",
                     "AssertCommand true v = true s = success -> success", "MachineStep 0 3 thread 1"}));
    EXPECT_EQ(b.state(), "ctp = (1 bot); trace = 1; s = success");
    EXPECT_EQ(b.machine.state().commands_left, 2U);
    EXPECT_EQ(b.recorder.rules.back(), Rule::machine_step);
    // The event comes after the change.
    EXPECT_EQ(b.recorder.states.front(), "ctp = (1 3); trace = 0; s = success");
    EXPECT_EQ(b.recorder.states.back(), "ctp = (1 bot); trace = 1; s = success");
    b.steps(1);
    EXPECT_EQ(b.state(), "ctp = (2 bot); trace = 2; s = success");
}

TEST(MachineStep, DoesNotApply) {
    Bench b("(([1 (assert true)] [2 (assert true)])) ((2 bot) (1 bot))");
    Step const step = b.step();
    EXPECT_EQ(b.why(step), "MACHINE STEP: not next: 2 is no thread's next command: thread 0 is at 1");
    EXPECT_EQ(b.recorder.events, (Lines{"StuckAt 0 2 MACHINE STEP: not next before = success"}));
    EXPECT_EQ(b.state(), "ctp = (1); trace = 0; s = error");
}

// A thread's last command runs (errata E23), and nothing after it.
TEST(MachineStep, LastCommand) {
    Bench b("(([1 (assert true)])) ((1 bot) (1 bot))");
    b.steps(1);
    EXPECT_EQ(b.state(), "ctp = (bot); trace = 1; s = success");
    EXPECT_TRUE(b.machine.state().finished());
    EXPECT_EQ(b.why(b.step()), "MACHINE STEP: not next: 1 is no thread's next command: thread 0 is finished");
}

// ---------------------------------------------------------------------------------------------------------------------
// Figure 7

TEST(ProcessQueueMovement, Applies) {
    Bench b("(([1 (sndi S 1 0 4)] [2 (sndi T 1 0 5)] [3 (wait S)])) ((1 bot) (2 bot) (3 ((0 1) bot)))");
    b.steps(2);
    EXPECT_EQ(b.state(), "A(S) = 1; A(T) = 1; Pnd_s(0)(1) = [S 4] [T 5]; ctp = (3); trace = 2; s = success");
    EXPECT_EQ(b.events_of_step(), (Lines{"EntryTaken 2 3 thread 0", "QueueMovement (0 1) [S 4]", "WaitSndiCommand S",
                                         "MachineStep 2 3 thread 0"}));
    EXPECT_EQ(b.state(),
              "A(S) = 1; A(T) = 1; Pnd_s(0)(1) = [T 5]; Q_s(0) = [S 4]; ctp = (bot); trace = 3; s = success");
    EXPECT_EQ(b.recorder.states[1],
              "A(S) = 1; A(T) = 1; Pnd_s(0)(1) = [T 5]; Q_s(0) = [S 4]; ctp = (3); trace = 2; s = success");
    EXPECT_EQ(b.recorder.rules[1], Rule::process_queue_movement);
}

TEST(ProcessQueueMovement, DoesNotApply) {
    Bench b("(([1 (sndi S 1 0 4)] [2 (wait S)])) ((1 bot) (2 ((0 1) (0 1) bot)))");
    b.steps(1);
    std::string const before = b.state();
    EXPECT_EQ(before, "A(S) = 1; Pnd_s(0)(1) = [S 4]; ctp = (2); trace = 1; s = success");
    b.recorder.clear();
    EXPECT_EQ(b.why(b.step()), "PROCESS QUEUE MOVEMENT: nothing in transit: movement (0 1): no message from 1 to 0 is "
                               "in transit, Pnd_s(0)(1) is empty");
    EXPECT_EQ(b.recorder.events,
              (Lines{"EntryTaken 1 2 thread 0", "QueueMovement (0 1) [S 4]", "MovementsTakenBack (0 1)",
                     "StuckAt 1 2 PROCESS QUEUE MOVEMENT: nothing in transit before = success"}));
    EXPECT_EQ(b.state(), "A(S) = 1; Pnd_s(0)(1) = [S 4]; ctp = (2); trace = 1; s = error");
}

// With zero buffering a partner has to be posted (errata E14); with infinite buffering it need not be.
TEST(ProcessQueueMovement, DoesNotApplyWithoutPartner) {
    std::string const text = "(([1 (sndi S 1 0 4)] [2 (wait S)]) ([3 (rcvi R 0 x)])) ((1 bot) (2 ((0 1) bot)))";
    Bench zero(text, Buffering::zero);
    zero.steps(1);
    EXPECT_EQ(zero.why(zero.step()),
              "PROCESS QUEUE MOVEMENT: no posted partner: movement (0 1): with zero buffering no message moves before "
              "its receive is posted, and Q_s(0) has as many entries as Pnd_r(0)");
    Bench infinite(text);
    infinite.steps(2);
    EXPECT_EQ(infinite.state(), "A(S) = 1; Q_s(0) = [S 4]; ctp = (bot 3); trace = 2; s = success");
}

// ---------------------------------------------------------------------------------------------------------------------
// Figure 8: expressions

TEST(VariableLookup, Applies) {
    Bench b("(([1 (x := 4)] [2 (y := x)])) ((1 bot))");
    b.steps(1);
    Reduction r(b, "2");
    r.skip(1);
    EXPECT_EQ(r.e_and_k(), "e = x, k = (:= *) ret");
    EXPECT_FALSE(r.reduce().is_stuck());
    EXPECT_EQ(r.e_and_k(), "e = value 4, k = (:= *) ret");
    EXPECT_EQ(r.recorder.events, (Lines{"VariableLookup x = 4"}));
    EXPECT_EQ(r.recorder.rules, std::vector{std::optional(Rule::variable_lookup)});
    EXPECT_EQ(r.state, b.machine.state());
}

TEST(VariableLookup, DoesNotApply) {
    Bench b("(([1 (assert x)])) ((1 bot))");
    EXPECT_EQ(b.why(b.step()), "VARIABLE LOOKUP: no value: x has no value");
    EXPECT_EQ(b.recorder.events, (Lines{"EntryTaken 0 1 thread 0", "AssertExpressionsEvaluation x",
                                        "StuckAt 0 1 VARIABLE LOOKUP: no value before = success"}));
    EXPECT_EQ(b.state(), "ctp = (1); trace = 0; s = error");
}

TEST(LeftOperand, Applies) {
    Bench b("(([1 (x := (+ (* 2 3) (- 4 5)))]))");
    Reduction r(b, "1");
    r.skip(1);
    EXPECT_EQ(r.e_and_k(), "e = (+ (* 2 3) (- 4 5)), k = (:= *) ret");
    EXPECT_FALSE(r.reduce().is_stuck());
    EXPECT_EQ(r.e_and_k(), "e = (* 2 3), k = (+ * (- 4 5)) (:= *) ret");
    EXPECT_FALSE(r.reduce().is_stuck());
    EXPECT_EQ(r.e_and_k(), "e = 2, k = (* * 3) (+ * (- 4 5)) (:= *) ret");
    EXPECT_EQ(r.recorder.events, (Lines{"LeftOperand (+ (* 2 3) (- 4 5))", "LeftOperand (* 2 3)"}));
    EXPECT_EQ(r.recorder.rules, (std::vector<std::optional<Rule>>{Rule::left_operand, Rule::left_operand}));
    EXPECT_EQ(r.state, b.machine.state());
}

TEST(LeftOperand, DoesNotApply) {
    Bench b("(([1 (x := (not true))] [2 (x := 1)])) ((1 bot) (2 bot))");
    EXPECT_EQ(b.text(b.run()), "success after 2");
    EXPECT_TRUE(fired(b.recorder, Rule::not_operand));
    EXPECT_FALSE(fired(b.recorder, Rule::left_operand));
}

TEST(RightOperand, Applies) {
    Bench b("(([1 (x := (+ 2 (* 3 4)))]))");
    Reduction r(b, "1");
    r.skip(3);
    EXPECT_EQ(r.e_and_k(), "e = value 2, k = (+ * (* 3 4)) (:= *) ret");
    EXPECT_FALSE(r.reduce().is_stuck());
    EXPECT_EQ(r.e_and_k(), "e = (* 3 4), k = (+ 2 *) (:= *) ret");
    EXPECT_EQ(r.recorder.events, (Lines{"RightOperand (+ 2 (* 3 4)) v_l = 2"}));
    EXPECT_EQ(r.recorder.rules, std::vector{std::optional(Rule::right_operand)});
    EXPECT_EQ(r.state, b.machine.state());
}

// The left operand comes first: where it is stuck, the right one is not looked at.
TEST(RightOperand, DoesNotApply) {
    Bench b("(([1 (x := (+ y (div 1 0)))])) ((1 bot))");
    EXPECT_EQ(b.why(b.step()), "VARIABLE LOOKUP: no value: y has no value");
    EXPECT_FALSE(fired(b.recorder, Rule::right_operand));
}

TEST(BinaryOperation, Applies) {
    Bench b("(([1 (x := (- 3 5))]))");
    Reduction r(b, "1");
    r.skip(5);
    EXPECT_EQ(r.e_and_k(), "e = value 5, k = (- 3 *) (:= *) ret");
    EXPECT_FALSE(r.reduce().is_stuck());
    EXPECT_EQ(r.e_and_k(), "e = value -2, k = (:= *) ret");
    EXPECT_EQ(r.recorder.events, (Lines{"BinaryOperation (- 3 5) op(3, 5) = -2"}));
    EXPECT_EQ(r.recorder.rules, std::vector{std::optional(Rule::binary_operation)});
    EXPECT_EQ(r.state, b.machine.state());
}

TEST(BinaryOperation, DoesNotApply) {
    Bench b("(([1 (x := (+ true 1))])) ((1 bot))");
    EXPECT_EQ(b.why(b.step()), "BINARY OPERATION: wrong sort: `+` takes two integers, and true is a Bool");
    EXPECT_EQ(b.recorder.events, (Lines{"EntryTaken 0 1 thread 0", "AssignExpressionsEvaluation x := (+ true 1)",
                                        "LeftOperand (+ true 1)", "RightOperand (+ true 1) v_l = true",
                                        "StuckAt 0 1 BINARY OPERATION: wrong sort before = success"}));
    EXPECT_EQ(b.state(), "ctp = (1); trace = 0; s = error");
}

// ---------------------------------------------------------------------------------------------------------------------
// Figure 8: commands

TEST(AssumeExpressionsEvaluation, Applies) {
    Bench b("(([1 (assume (< 1 2))]))");
    Reduction r(b, "1");
    EXPECT_EQ(r.e_and_k(), "e = (assume (< 1 2)), k = ret");
    EXPECT_FALSE(r.reduce().is_stuck());
    EXPECT_EQ(r.e_and_k(), "e = (< 1 2), k = (assume *) ret");
    EXPECT_EQ(r.recorder.events, (Lines{"AssumeExpressionsEvaluation (< 1 2)"}));
    EXPECT_EQ(r.recorder.rules, std::vector{std::optional(Rule::assume_expressions_evaluation)});
    EXPECT_EQ(r.state, b.machine.state());
}

TEST(AssumeExpressionsEvaluation, DoesNotApply) {
    Bench b("(([1 (assert true)])) ((1 bot))");
    b.steps(1);
    EXPECT_TRUE(fired(b.recorder, Rule::assert_expressions_evaluation));
    EXPECT_FALSE(fired(b.recorder, Rule::assume_expressions_evaluation));
}

TEST(AssumeCommand, Applies) {
    Bench b("(([1 (assume false)] [2 (assume 0)] [3 (assume true)])) ((1 bot) (2 bot) (3 bot))");
    Reduction r(b, "1");
    r.skip(2);
    EXPECT_EQ(r.e_and_k(), "e = value false, k = (assume *) ret");
    EXPECT_FALSE(r.reduce().is_stuck());
    EXPECT_EQ(r.e_and_k(), "e = value false, k = ret");
    EXPECT_EQ(r.recorder.events, (Lines{"AssumeCommand false v = false s = success -> infeasible"}));
    EXPECT_EQ(r.recorder.rules, std::vector{std::optional(Rule::assume_command)});
    EXPECT_EQ(r.state.s, Status::infeasible);

    // Anything but false leaves s as it is, integers too.
    EXPECT_EQ(b.events_of_step()[2], "AssumeCommand false v = false s = success -> infeasible");
    EXPECT_EQ(b.events_of_step()[2], "AssumeCommand 0 v = 0 s = infeasible -> infeasible");
    EXPECT_EQ(b.events_of_step()[2], "AssumeCommand true v = true s = infeasible -> infeasible");
    EXPECT_EQ(b.state(), "ctp = (bot); trace = 3; s = infeasible");
}

TEST(AssumeCommand, DoesNotApply) {
    Bench b("(([1 (assume (= 1 (mod 1 0)))])) ((1 bot))");
    EXPECT_EQ(b.why(b.step()), "BINARY OPERATION: division by zero: (mod 1 0) has no value");
    EXPECT_FALSE(fired(b.recorder, Rule::assume_command));
    EXPECT_EQ(b.state(), "ctp = (1); trace = 0; s = error");
}

TEST(AssertExpressionsEvaluation, Applies) {
    Bench b("(([1 (assert (< 1 2))]))");
    Reduction r(b, "1");
    EXPECT_EQ(r.e_and_k(), "e = (assert (< 1 2)), k = ret");
    EXPECT_FALSE(r.reduce().is_stuck());
    EXPECT_EQ(r.e_and_k(), "e = (< 1 2), k = (assert *) ret");
    EXPECT_EQ(r.recorder.events, (Lines{"AssertExpressionsEvaluation (< 1 2)"}));
    EXPECT_EQ(r.recorder.rules, std::vector{std::optional(Rule::assert_expressions_evaluation)});
    EXPECT_EQ(r.state, b.machine.state());
}

TEST(AssertExpressionsEvaluation, DoesNotApply) {
    Bench b("(([1 (assume true)])) ((1 bot))");
    b.steps(1);
    EXPECT_TRUE(fired(b.recorder, Rule::assume_expressions_evaluation));
    EXPECT_FALSE(fired(b.recorder, Rule::assert_expressions_evaluation));
}

TEST(AssertCommand, Applies) {
    Bench b("(([1 (assert (= 1 2))] [2 (assert 0)] [3 (assert true)])) ((1 bot) (2 bot) (3 bot))");
    Reduction r(b, "2");
    r.skip(2);
    EXPECT_FALSE(r.reduce().is_stuck());
    EXPECT_EQ(r.e_and_k(), "e = value 0, k = ret");
    EXPECT_EQ(r.recorder.rules, std::vector{std::optional(Rule::assert_command)});
    EXPECT_EQ(r.state.s, Status::success);

    EXPECT_EQ(b.events_of_step()[5], "AssertCommand (= 1 2) v = false s = success -> failure");
    EXPECT_EQ(b.state(), "ctp = (2); trace = 1; s = failure");
    EXPECT_EQ(b.events_of_step()[2], "AssertCommand 0 v = 0 s = failure -> failure");
    EXPECT_EQ(b.events_of_step()[2], "AssertCommand true v = true s = failure -> failure");
    EXPECT_EQ(b.state(), "ctp = (bot); trace = 3; s = failure");
}

TEST(AssertCommand, DoesNotApply) {
    Bench b("(([1 (assert (and true 1))])) ((1 bot))");
    EXPECT_EQ(b.why(b.step()), "BINARY OPERATION: wrong sort: `and` takes two booleans, and 1 is an Int");
    EXPECT_FALSE(fired(b.recorder, Rule::assert_command));
    EXPECT_EQ(b.state(), "ctp = (1); trace = 0; s = error");
}

TEST(AssignExpressionsEvaluation, Applies) {
    Bench b("(([1 (x := (+ 1 2))]))");
    Reduction r(b, "1");
    EXPECT_FALSE(r.reduce().is_stuck());
    EXPECT_EQ(r.e_and_k(), "e = (+ 1 2), k = (:= *) ret");
    EXPECT_EQ(r.recorder.events, (Lines{"AssignExpressionsEvaluation x := (+ 1 2)"}));
    EXPECT_EQ(r.recorder.rules, std::vector{std::optional(Rule::assign_expressions_evaluation)});
    EXPECT_EQ(r.state, b.machine.state());
}

TEST(AssignExpressionsEvaluation, DoesNotApply) {
    Bench b("(([1 (rcvi R 0 x)])) ((1 bot))");
    b.steps(1);
    EXPECT_TRUE(fired(b.recorder, Rule::rcvi_command));
    EXPECT_FALSE(fired(b.recorder, Rule::assign_expressions_evaluation));
}

TEST(AssignCommand, Applies) {
    Bench b("(([1 (x := 4)] [2 (x := (= x 4))])) ((1 bot) (2 bot))");
    EXPECT_EQ(b.events_of_step(), (Lines{"EntryTaken 0 1 thread 0", "AssignExpressionsEvaluation x := 4",
                                         "AssignCommand x := 4 h = bot -> 4", "MachineStep 0 1 thread 0"}));
    EXPECT_EQ(b.recorder.rules[2], Rule::assign_command);
    EXPECT_EQ(b.state(), "h(x) = 4; ctp = (2); trace = 1; s = success");

    Reduction r(b, "2");
    r.skip(6);
    EXPECT_EQ(r.e_and_k(), "e = value true, k = (:= *) ret");
    EXPECT_FALSE(r.reduce().is_stuck());
    EXPECT_EQ(r.e_and_k(), "e = value true, k = ret");
    EXPECT_EQ(r.recorder.events, (Lines{"AssignCommand x := (= x 4) h = 4 -> true"}));
    b.steps(1);
    EXPECT_EQ(b.state(), "h(x) = true; ctp = (bot); trace = 2; s = success");
}

TEST(AssignCommand, DoesNotApply) {
    Bench b("(([1 (x := 1)] [2 (x := (+ x y))])) ((1 bot) (2 bot))");
    b.steps(1);
    b.recorder.clear();
    EXPECT_EQ(b.why(b.step()), "VARIABLE LOOKUP: no value: y has no value");
    EXPECT_FALSE(fired(b.recorder, Rule::assign_command));
    EXPECT_EQ(b.state(), "h(x) = 1; ctp = (2); trace = 1; s = error");
}

TEST(SndiCommand, Applies) {
    Bench b("(([1 (sndi S 2 0 (+ 1 2))] [2 (sndi T 2 0 true)])) ((1 bot) (2 bot))");
    Reduction r(b, "1");
    r.skip(6);
    EXPECT_EQ(r.e_and_k(), "e = value 3, k = (sndi *) ret");
    EXPECT_FALSE(r.reduce().is_stuck());
    EXPECT_EQ(r.e_and_k(), "e = value true, k = ret");
    EXPECT_EQ(r.recorder.events, (Lines{"SndiCommand S (0 2) (+ 1 2) v = 3"}));
    EXPECT_EQ(r.recorder.rules, std::vector{std::optional(Rule::sndi_command)});
    EXPECT_EQ(test::text_of(b.code, r.state), "A(S) = 2; Pnd_s(0)(2) = [S 3]; ctp = (1); trace = 0; s = success");
    EXPECT_TRUE(r.state.is_issued(b.action("S")));
    EXPECT_FALSE(r.state.is_issued(b.action("T")));

    b.steps(2); // the second one goes to the back (errata E1)
    EXPECT_EQ(b.state(), "A(S) = 2; A(T) = 2; Pnd_s(0)(2) = [S 3] [T true]; ctp = (bot); trace = 2; s = success");
}

TEST(SndiCommand, DoesNotApply) {
    Bench b("(([1 (sndi S 2 0 x)])) ((1 bot))");
    EXPECT_EQ(b.why(b.step()), "VARIABLE LOOKUP: no value: x has no value");
    EXPECT_FALSE(fired(b.recorder, Rule::sndi_command));
    EXPECT_EQ(b.state(), "ctp = (1); trace = 0; s = error");
    EXPECT_FALSE(b.machine.state().is_issued(b.action("S")));
}

TEST(RcviCommand, Applies) {
    Bench b("(([1 (rcvi R 0 x)] [2 (rcvi T 0 y)])) ((1 bot) (2 bot))");
    Reduction r(b, "1");
    EXPECT_EQ(r.e_and_k(), "e = (rcvi R 0 x), k = ret");
    EXPECT_FALSE(r.reduce().is_stuck());
    EXPECT_EQ(r.e_and_k(), "e = value true, k = ret");
    EXPECT_EQ(r.recorder.rules, std::vector{std::optional(Rule::rcvi_command)});
    EXPECT_EQ(b.events_of_step(), (Lines{"EntryTaken 0 1 thread 0", "RcviCommand R 0 x", "MachineStep 0 1 thread 0"}));
    EXPECT_EQ(b.state(), "A(R) = 0; Pnd_r(0) = [R x]; ctp = (2); trace = 1; s = success");
    b.steps(1);
    EXPECT_EQ(b.state(), "A(R) = 0; A(T) = 0; Pnd_r(0) = [R x] [T y]; ctp = (bot); trace = 2; s = success");
}

TEST(RcviCommand, DoesNotApply) {
    Bench b("(([1 (rcvi R 0 x)])) ((1 bot) (1 bot))");
    b.steps(1);
    b.recorder.clear();
    EXPECT_EQ(b.why(b.step()), "MACHINE STEP: not next: 1 is no thread's next command: thread 0 is finished");
    EXPECT_FALSE(fired(b.recorder, Rule::rcvi_command));
    EXPECT_EQ(b.state(), "A(R) = 0; Pnd_r(0) = [R x]; ctp = (bot); trace = 1; s = error");
}

TEST(WaitSndiCommand, Applies) {
    Bench b("(([1 (sndi S 1 0 4)] [2 (wait S)])) ((1 bot) (2 bot))");
    b.steps(1);
    Reduction r(b, "2");
    EXPECT_FALSE(r.reduce().is_stuck());
    EXPECT_EQ(r.e_and_k(), "e = value true, k = ret");
    EXPECT_EQ(r.recorder.events, (Lines{"WaitSndiCommand S"}));
    EXPECT_EQ(r.recorder.rules, std::vector{std::optional(Rule::wait_sndi_command)});
    EXPECT_EQ(r.state, b.machine.state()); // S stays in A until its receive is waited for
    b.steps(1);
    EXPECT_EQ(b.state(), "A(S) = 1; Pnd_s(0)(1) = [S 4]; ctp = (bot); trace = 2; s = success");
}

// With infinite buffering also a wait on a send that was never issued is consumed.
TEST(WaitSndiCommand, AppliesBeforeTheSend) {
    Bench b("(([1 (wait S)] [2 (sndi S 1 0 4)])) ((1 bot))");
    b.steps(1);
    EXPECT_EQ(b.state(), "ctp = (2); trace = 1; s = success");
}

TEST(WaitSndiCommand, DoesNotApply) {
    Bench b("(([1 (sndi S 1 0 4)] [2 (wait S)])) ((1 bot) (2 bot))", Buffering::zero);
    b.steps(1);
    b.recorder.clear();
    EXPECT_EQ(b.why(b.step()), "WAIT (SNDI) COMMAND: send not taken: with zero buffering the wait for S needs the "
                               "message to be taken, but the message is still in Pnd_s(0)(1)");
    EXPECT_EQ(b.recorder.events,
              (Lines{"EntryTaken 1 2 thread 0", "StuckAt 1 2 WAIT (SNDI) COMMAND: send not taken before = success"}));
    EXPECT_EQ(b.state(), "A(S) = 1; Pnd_s(0)(1) = [S 4]; ctp = (2); trace = 1; s = error");
}

// A wait on a receive is not consumed by this rule (errata E34).
TEST(WaitSndiCommand, DoesNotApplyToAReceive) {
    Bench b("(([1 (rcvi R 0 x)] [2 (wait R)])) ((1 bot) (2 bot))");
    b.steps(1);
    b.recorder.clear();
    EXPECT_EQ(b.why(b.step()), "WAIT (RCVI) COMMAND: message not there: no message has arrived for R at endpoint 0 "
                               "(Q_s(0) is empty)");
    EXPECT_FALSE(fired(b.recorder, Rule::wait_sndi_command));
}

TEST(WaitRcviCommand, Applies) {
    Bench b(R"((([1 (rcvi R 0 x)] [2 (rcvi T 0 y)] [3 (wait R)]) ([4 (sndi S 1 0 4)]))
               ((1 bot) (2 bot) (4 bot) (3 ((0 1) bot))))");
    b.steps(3);
    EXPECT_EQ(b.state(), "A(R) = 0; A(T) = 0; A(S) = 1; Pnd_s(0)(1) = [S 4]; Pnd_r(0) = [R x] [T y]; ctp = (3 bot); "
                         "trace = 3; s = success");
    EXPECT_EQ(b.events_of_step(),
              (Lines{"EntryTaken 3 3 thread 0", "QueueMovement (0 1) [S 4]",
                     "WaitRcviCommand R S 0 {R gets S, x = bot -> 4}", "MachineStep 3 3 thread 0"}));
    EXPECT_EQ(b.recorder.rules[2], Rule::wait_rcvi_command);
    EXPECT_EQ(b.state(), "h(x) = 4; A(T) = 0; Pnd_r(0) = [T y]; ctp = (bot bot); trace = 4; s = success");
}

TEST(WaitRcviCommand, DoesNotApply) {
    Bench b(R"((([1 (rcvi R 0 x)] [2 (rcvi T 0 y)] [3 (wait T)]) ([4 (sndi S 1 0 4)]))
               ((1 bot) (2 bot) (4 bot) (3 ((0 1) bot))))");
    b.steps(3);
    std::string const before = b.state();
    b.recorder.clear();
    EXPECT_EQ(b.why(b.step()), "WAIT (RCVI) COMMAND: message not there: no message has arrived for T: it is number 2 "
                               "of the receives pending at endpoint 0 (Pnd_r(0)), and 1 message has arrived for "
                               "these (Q_s(0))");
    EXPECT_EQ(b.recorder.events,
              (Lines{"EntryTaken 3 3 thread 0", "QueueMovement (0 1) [S 4]", "MovementsTakenBack (0 1)",
                     "StuckAt 3 3 WAIT (RCVI) COMMAND: message not there before = success"}));
    EXPECT_EQ(b.state(), before.substr(0, before.rfind("success")) + "error");
}

// ---------------------------------------------------------------------------------------------------------------------
// Beside Figure 8

TEST(NotOperand, Applies) {
    Bench b("(([1 (assert (not (= 1 2)))]))");
    Reduction r(b, "1");
    r.skip(1);
    EXPECT_EQ(r.e_and_k(), "e = (not (= 1 2)), k = (assert *) ret");
    EXPECT_FALSE(r.reduce().is_stuck());
    EXPECT_EQ(r.e_and_k(), "e = (= 1 2), k = (not *) (assert *) ret");
    EXPECT_EQ(r.recorder.events, (Lines{"NotOperand (not (= 1 2))"}));
    EXPECT_EQ(r.recorder.rules, std::vector{std::optional(Rule::not_operand)});
    EXPECT_EQ(r.state, b.machine.state());
}

TEST(NotOperand, DoesNotApply) {
    Bench b("(([1 (assert (or true false))])) ((1 bot))");
    b.steps(1);
    EXPECT_TRUE(fired(b.recorder, Rule::left_operand));
    EXPECT_FALSE(fired(b.recorder, Rule::not_operand));
}

TEST(NotOperation, Applies) {
    Bench b("(([1 (assert (not false))]))");
    Reduction r(b, "1");
    r.skip(3);
    EXPECT_EQ(r.e_and_k(), "e = value false, k = (not *) (assert *) ret");
    EXPECT_FALSE(r.reduce().is_stuck());
    EXPECT_EQ(r.e_and_k(), "e = value true, k = (assert *) ret");
    EXPECT_EQ(r.recorder.events, (Lines{"NotOperation (not false) not(false) = true"}));
    EXPECT_EQ(r.recorder.rules, std::vector{std::optional(Rule::not_operation)});
    EXPECT_EQ(r.state, b.machine.state());
}

TEST(NotOperation, DoesNotApply) {
    Bench b("(([1 (assert (not 0))])) ((1 bot))");
    EXPECT_EQ(b.why(b.step()), "NOT OPERATION: wrong sort: `not` takes a Bool, and 0 is an Int");
    EXPECT_EQ(b.recorder.events,
              (Lines{"EntryTaken 0 1 thread 0", "AssertExpressionsEvaluation (not 0)", "NotOperand (not 0)",
                     "StuckAt 0 1 NOT OPERATION: wrong sort before = success"}));
    EXPECT_EQ(b.state(), "ctp = (1); trace = 0; s = error");
}

TEST(IteCondition, Applies) {
    Bench b("(([1 (x := (ite (< 1 2) (+ 1 2) 4))]))");
    Reduction r(b, "1");
    r.skip(1);
    EXPECT_EQ(r.e_and_k(), "e = (ite (< 1 2) (+ 1 2) 4), k = (:= *) ret");
    EXPECT_FALSE(r.reduce().is_stuck());
    EXPECT_EQ(r.e_and_k(), "e = (< 1 2), k = (ite * (+ 1 2) 4) (:= *) ret");
    EXPECT_EQ(r.recorder.events, (Lines{"IteCondition (ite (< 1 2) (+ 1 2) 4)"}));
    EXPECT_EQ(r.recorder.rules, std::vector{std::optional(Rule::ite_condition)});
    EXPECT_EQ(r.state, b.machine.state());
}

// The condition comes first: where it is stuck, no operand is looked at.
TEST(IteCondition, DoesNotApply) {
    Bench b("(([1 (x := (+ 1 2))] [2 (x := (ite (= y 1) (div 1 0) 2))])) ((1 bot) (2 bot))");
    b.steps(1);
    EXPECT_FALSE(fired(b.recorder, Rule::ite_condition));
    EXPECT_EQ(b.why(b.step()), "VARIABLE LOOKUP: no value: y has no value");
    EXPECT_FALSE(fired(b.recorder, Rule::ite_operand));
}

TEST(IteOperand, Applies) {
    Bench b("(([1 (x := (ite true 3 (div 1 0)))] [2 (x := (ite false (div 1 0) x))]))");
    Reduction r(b, "1");
    r.skip(3);
    EXPECT_EQ(r.e_and_k(), "e = value true, k = (ite * 3 (div 1 0)) (:= *) ret");
    EXPECT_FALSE(r.reduce().is_stuck());
    EXPECT_EQ(r.e_and_k(), "e = 3, k = (:= *) ret");
    EXPECT_EQ(r.recorder.events, (Lines{"IteOperand (ite true 3 (div 1 0)) v = true k = 1"}));
    EXPECT_EQ(r.recorder.rules, std::vector{std::optional(Rule::ite_operand)});
    EXPECT_EQ(r.state, b.machine.state());
    Reduction other(b, "2");
    other.skip(3);
    EXPECT_FALSE(other.reduce().is_stuck());
    EXPECT_EQ(other.e_and_k(), "e = x, k = (:= *) ret");
    EXPECT_EQ(other.recorder.events, (Lines{"IteOperand (ite false (div 1 0) x) v = false k = 2"}));
}

TEST(IteOperand, DoesNotApply) {
    Bench b("(([1 (x := (ite 0 1 2))])) ((1 bot))");
    EXPECT_EQ(b.why(b.step()), "ITE OPERAND: wrong sort: `ite` takes a Bool first, and 0 is an Int");
    EXPECT_EQ(b.recorder.events,
              (Lines{"EntryTaken 0 1 thread 0", "AssignExpressionsEvaluation x := (ite 0 1 2)",
                     "IteCondition (ite 0 1 2)", "StuckAt 0 1 ITE OPERAND: wrong sort before = success"}));
    EXPECT_EQ(b.state(), "ctp = (1); trace = 0; s = error");
}

TEST(SndiExpressionEvaluation, Applies) {
    Bench b("(([1 (sndi S 2 0 (+ 1 2))]))");
    Reduction r(b, "1");
    EXPECT_EQ(r.e_and_k(), "e = (sndi S 2 0 (+ 1 2)), k = ret");
    EXPECT_FALSE(r.reduce().is_stuck());
    EXPECT_EQ(r.e_and_k(), "e = (+ 1 2), k = (sndi *) ret");
    EXPECT_EQ(r.recorder.events, (Lines{"SndiExpressionEvaluation S (+ 1 2)"}));
    EXPECT_EQ(r.recorder.rules, std::vector{std::optional(Rule::sndi_expression_evaluation)});
    EXPECT_EQ(r.state, b.machine.state());
}

TEST(SndiExpressionEvaluation, DoesNotApply) {
    Bench b("(([1 (rcvi R 0 x)])) ((1 bot))");
    EXPECT_EQ(b.events_of_step(), (Lines{"EntryTaken 0 1 thread 0", "RcviCommand R 0 x", "MachineStep 0 1 thread 0"}));
}

TEST(BarrierCommand, Applies) {
    Bench b("(([1 (barrier B)]) ([2 (barrier B)]) ([3 (x := 1)])) ((1 bot) (2 bot) (3 bot))");
    EXPECT_EQ(b.state(), "ctp = (1 2 3); trace = 0; s = success");
    EXPECT_EQ(b.events_of_step(), (Lines{"EntryTaken 0 1 thread 0", "BarrierCommand B", "MachineStep 0 1 thread 0"}));
    EXPECT_EQ(b.recorder.rules[1], Rule::barrier_command);
    EXPECT_EQ(b.state(), "ctp = (bot 2 3); trace = 1; s = success");
    // A thread that is past it does not stop the others.
    b.steps(2);
    EXPECT_EQ(b.state(), "h(x) = 1; ctp = (bot bot bot); trace = 3; s = success");
}

TEST(BarrierCommand, DoesNotApply) {
    Bench b("(([1 (barrier B)]) ([2 (x := 1)] [3 (barrier B)])) ((1 bot))");
    Step const step = b.step();
    ASSERT_TRUE(step.is_stuck());
    EXPECT_EQ(step.why().rule, Rule::barrier_command);
    EXPECT_EQ(b.recorder.events,
              (Lines{"EntryTaken 0 1 thread 0", "StuckAt 0 1 BARRIER COMMAND: not at barrier before = success"}));
    EXPECT_EQ(b.state(), "ctp = (1 2); trace = 0; s = error");
}

TEST(RsndiCommand, Applies) {
    Bench b("(([1 (rcvi R 0 x)]) ([2 (rsndi S 1 0 7)])) ((1 bot) (2 bot))");
    b.steps(1);
    b.events_of_step();
    EXPECT_EQ(b.recorder.rules.back(), Rule::machine_step);
    EXPECT_EQ(std::count(b.recorder.rules.begin(), b.recorder.rules.end(), Rule::rsndi_command), 1);
    EXPECT_EQ(b.state(), "A(R) = 0; A(S) = 1; Pnd_s(0)(1) = [S 7]; Pnd_r(0) = [R x]; ctp = (bot bot); trace = 2; "
                         "s = success");
}

TEST(RsndiCommand, DoesNotApply) {
    Bench b("(([1 (rcvi R 0 x)]) ([2 (rsndi S 1 0 7)])) ((2 bot))");
    Step const step = b.step();
    ASSERT_TRUE(step.is_stuck());
    EXPECT_EQ(step.why().rule, Rule::rsndi_command);
    EXPECT_EQ(b.state(), "ctp = (1 2); trace = 0; s = error");
    // A receive that does not admit the message is none for it; one that has a message is not, either.
    Bench other("(([1 (rcvi R 0 x (tag 3))]) ([2 (rsndi S 1 0 7)])) ((1 bot) (2 bot))");
    other.steps(1);
    EXPECT_TRUE(other.step().is_stuck());
    Bench taken("(([1 (rcvi R 0 x)]) ([2 (rsndi S 1 0 7)]) ([3 (sndi T 2 0 8)])) ((1 bot) (3 bot) (2 ((0 2) bot)))");
    taken.steps(2);
    EXPECT_TRUE(taken.step().is_stuck());
    // A message of another channel has not taken it yet.
    Bench open("(([1 (rcvi R 0 x)]) ([2 (rsndi S 1 0 7)]) ([3 (sndi T 2 0 8)])) ((1 bot) (3 bot) (2 bot))");
    open.steps(3);
}

// Messages that are in transit in the channel get their receives first.
TEST(RsndiCommand, EarlierMessagesOfTheChannelComeFirst) {
    std::string const sends = "([3 (sndi S 1 0 7 (tag 1))] [4 (rsndi T 1 0 8 (tag 2))])";
    Bench one("(([1 (rcvi R 0 x)]) " + sends + ") ((1 bot) (3 bot) (4 bot))");
    one.steps(2);
    EXPECT_TRUE(one.step().is_stuck());
    Bench two("(([1 (rcvi R 0 x)] [2 (rcvi Q 0 y)]) " + sends + ") ((1 bot) (2 bot) (3 bot) (4 bot))");
    two.steps(4);
    // The first one takes R, although only Q is for it alone.
    Bench greedy("(([1 (rcvi R 0 x)] [2 (rcvi Q 0 y (tag 1))]) " + sends + ") ((1 bot) (2 bot) (3 bot) (4 bot))");
    greedy.steps(3);
    EXPECT_TRUE(greedy.step().is_stuck());
    // Where the first one is admitted by another receive alone, R is left.
    Bench apart("(([1 (rcvi R 0 x (tag 2))] [2 (rcvi Q 0 y (tag 1))]) " + sends + ") ((1 bot) (3 bot) (4 bot))");
    apart.steps(3);
}

// The k-th occurrence in one thread meets with the k-th in each other one.
TEST(BarrierCommand, OccurrencesMeetInTurn) {
    std::string const program = "(([1 (barrier B)] [2 (barrier B)]) ([3 (barrier B)] [4 (barrier B)])) ";
    Bench early(program + "((1 bot) (2 bot))");
    early.steps(1);
    EXPECT_EQ(early.state(), "ctp = (2 3); trace = 1; s = success");
    ASSERT_TRUE(early.step().is_stuck());
    Bench in_turn(program + "((1 bot) (3 bot) (4 bot) (2 bot))");
    in_turn.steps(4);
    EXPECT_EQ(in_turn.state(), "ctp = (bot bot); trace = 4; s = success");
}

TEST(CollectiveCommand, Applies) {
    Bench b(
        "(([1 (collective K w bcast (root 0))]) ([2 (x := 1)] [3 (collective L w bcast (root 0))])) ((1 bot) (2 bot) "
        "(3 bot))");
    // The root needs nobody.
    EXPECT_EQ(b.events_of_step(), (Lines{"EntryTaken 0 1 thread 0", "CollectiveStep K", "MachineStep 0 1 thread 0"}));
    EXPECT_EQ(b.recorder.rules[1], Rule::collective_command);
    EXPECT_EQ(b.state(), "ctp = (bot 2); trace = 1; s = success");
    b.steps(2);
    EXPECT_EQ(b.state(), "h(x) = 1; ctp = (bot bot); trace = 3; s = success");
}

TEST(CollectiveCommand, DoesNotApply) {
    Bench b("(([1 (x := 1)] [2 (collective K w bcast (root 0))]) ([3 (collective L w bcast (root 0))])) ((3 bot))");
    Step const step = b.step();
    ASSERT_TRUE(step.is_stuck());
    EXPECT_EQ(step.why().rule, Rule::collective_command);
    EXPECT_EQ(b.recorder.events,
              (Lines{"EntryTaken 0 3 thread 1", "StuckAt 0 3 COLLECTIVE COMMAND: not called before = success"}));
    EXPECT_EQ(b.state(), "ctp = (1 3); trace = 0; s = error");
}

TEST(CollectiveCommand, DoesNotApplyToCallsThatDisagree) {
    Bench b("(([1 (collective K w bcast (root 0))]) ([2 (collective L w bcast (root 1))])) ((1 bot))");
    ASSERT_TRUE(b.step().is_stuck());
    EXPECT_EQ(b.recorder.events,
              (Lines{"EntryTaken 0 1 thread 0", "StuckAt 0 1 COLLECTIVE COMMAND: mismatch before = success"}));
}

TEST(IcollectiveCommand, Applies) {
    Bench b("(([1 (icollective K w barrier)]) ([2 (x := 1)] [3 (icollective L w barrier)])) ((1 bot))");
    EXPECT_EQ(b.events_of_step(), (Lines{"EntryTaken 0 1 thread 0", "CollectiveStep K", "MachineStep 0 1 thread 0"}));
    EXPECT_EQ(b.recorder.rules[1], Rule::icollective_command);
    EXPECT_EQ(b.state(), "ctp = (bot 2); trace = 1; s = success");
}

TEST(IcollectiveCommand, DoesNotApply) {
    Bench b("(([1 (icollective K w barrier)]) ([2 (icollective L w bcast (root 0))])) ((1 bot))");
    Step const step = b.step();
    ASSERT_TRUE(step.is_stuck());
    EXPECT_EQ(step.why().rule, Rule::icollective_command);
    EXPECT_EQ(b.recorder.events,
              (Lines{"EntryTaken 0 1 thread 0", "StuckAt 0 1 ICOLLECTIVE COMMAND: mismatch before = success"}));
}

TEST(WaitIcollectiveCommand, Applies) {
    Bench b(
        "(([1 (icollective K w barrier)] [2 (wait K)]) ([3 (x := 1)] [4 (icollective L w barrier)])) ((1 bot) (3 bot) "
        "(2 bot))");
    b.steps(2);
    EXPECT_EQ(b.events_of_step(), (Lines{"EntryTaken 2 2 thread 0", "CollectiveStep K", "MachineStep 2 2 thread 0"}));
    EXPECT_EQ(b.recorder.rules[1], Rule::wait_icollective_command);
}

TEST(WaitIcollectiveCommand, DoesNotApply) {
    std::string const program = "(([1 (icollective K w barrier)] [2 (wait K)]) ([3 (x := 1)] [4 (icollective L w ";
    Bench early(program + "barrier)])) ((1 bot) (2 bot))");
    early.steps(1);
    Step const step = early.step();
    ASSERT_TRUE(step.is_stuck());
    EXPECT_EQ(step.why().rule, Rule::wait_icollective_command);
    EXPECT_EQ(early.why(step),
              "WAIT (ICOLLECTIVE) COMMAND: not called: ibarrier K (1) of w needs thread 1, and thread 1 "
              "is at 3");
    Bench other(program + "scan)])) ((1 bot) (3 bot) (2 bot))");
    other.steps(2);
    EXPECT_EQ(other.why(other.step()),
              "WAIT (ICOLLECTIVE) COMMAND: mismatch: collective 1 of w: ibarrier K (1) in thread "
              "0, iscan L (4) in thread 1");
}

TEST(GuardEvaluation, Applies) {
    Bench b("(shared [x 3]) (([1 (assume (> x 2) (x := 1))]))");
    Reduction r(b, "1");
    EXPECT_EQ(r.e_and_k(), "e = (assume (> x 2) (x := 1)), k = ret");
    EXPECT_FALSE(r.reduce().is_stuck());
    EXPECT_EQ(r.e_and_k(), "e = (> x 2), k = (guard *) ret");
    EXPECT_EQ(r.recorder.events, (Lines{"GuardEvaluation assume (> x 2)"}));
    EXPECT_EQ(r.recorder.rules, std::vector{std::optional(Rule::guard_evaluation)});
    EXPECT_EQ(r.state, b.machine.state());
}

// An assumption that assigns nothing is the figure's.
TEST(GuardEvaluation, DoesNotApply) {
    Bench b("(shared [x 3]) (([1 (assume (> x 2))])) ((1 bot))");
    b.steps(1);
    EXPECT_TRUE(fired(b.recorder, Rule::assume_expressions_evaluation));
    EXPECT_FALSE(fired(b.recorder, Rule::guard_evaluation));
}

// From left to right, and the store stays as it is until all values are known.
TEST(RightHandSideEvaluation, Applies) {
    Bench b("(shared [x 3] [y 4]) (([1 (assume true (x := y) (y := x))]))");
    Reduction r(b, "1");
    r.skip(2);
    EXPECT_EQ(r.e_and_k(), "e = value true, k = (guard *) ret");
    EXPECT_FALSE(r.reduce().is_stuck());
    EXPECT_EQ(r.e_and_k(), "e = y, k = (true, x := *) ret");
    EXPECT_EQ(r.recorder.events, (Lines{"RightHandSideEvaluation x := y"}));
    r.skip(1);
    EXPECT_EQ(r.e_and_k(), "e = value 4, k = (true, x := *) ret");
    EXPECT_FALSE(r.reduce().is_stuck());
    EXPECT_EQ(r.e_and_k(), "e = x, k = (4, y := *) (true, x := *) ret");
    EXPECT_EQ(r.recorder.rules.back(), Rule::right_hand_side_evaluation);
    EXPECT_EQ(r.state, b.machine.state());
}

// A guard that is false: no right-hand side is evaluated, so its divisor does not count.
TEST(RightHandSideEvaluation, DoesNotApply) {
    Bench b("(shared [x 0]) (([1 (assume false (x := (div 1 x)))])) ((1 bot))");
    b.steps(1);
    EXPECT_FALSE(fired(b.recorder, Rule::right_hand_side_evaluation));
    EXPECT_EQ(b.state(), "h(x) = 0; ctp = (bot); trace = 1; s = infeasible");
}

TEST(GuardedAssignmentCommand, Applies) {
    Bench b("(shared [x 3] [y 4]) (([1 (assume true (x := y) (y := x) (t := (+ x y)))])) ((1 bot))");
    b.steps(1);
    EXPECT_EQ(b.recorder.events.at(b.recorder.events.size() - 2),
              "GuardedAssignment assume true v = true s = success -> success {x := y, h = 3 -> 4} {y := x, h = 4 -> 3} "
              "{t := (+ x y), h = bot -> 7}");
    EXPECT_TRUE(fired(b.recorder, Rule::guarded_assignment_command));
    EXPECT_EQ(b.state(), "h(x) = 4; h(y) = 3; h(t) = 7; ctp = (bot); trace = 1; s = success");
    // A guard that is false ends the path, and nothing is stored.
    Bench off("(shared [x 3]) (([1 (assume (= x 4) (x := 5))])) ((1 bot))");
    off.steps(1);
    EXPECT_EQ(off.recorder.events.at(off.recorder.events.size() - 2),
              "GuardedAssignment assume (= x 4) v = false s = success -> infeasible");
    EXPECT_EQ(off.state(), "h(x) = 3; ctp = (bot); trace = 1; s = infeasible");
}

TEST(GuardedAssignmentCommand, DoesNotApply) {
    Bench b("(shared [x 0]) (([1 (assume true (x := 1) (y := (div 1 x)))])) ((1 bot))");
    EXPECT_EQ(b.why(b.step()), "BINARY OPERATION: division by zero: (div 1 0) has no value");
    EXPECT_FALSE(fired(b.recorder, Rule::guarded_assignment_command));
    EXPECT_EQ(b.state(), "h(x) = 0; ctp = (1); trace = 0; s = error");
}

TEST(WhenCommand, Applies) {
    Bench b("(shared [l 1]) (([1 (when (> l 0) (l := (- l 1)))] [2 (when (= l 0))])) ((1 bot) (2 bot))");
    b.steps(1);
    EXPECT_EQ(b.recorder.events.at(b.recorder.events.size() - 2),
              "GuardedAssignment when (> l 0) v = true s = success -> success {l := (- l 1), h = 1 -> 0}");
    EXPECT_TRUE(fired(b.recorder, Rule::when_command));
    b.steps(1);
    EXPECT_EQ(b.state(), "h(l) = 0; ctp = (bot); trace = 2; s = success");
}

TEST(WhenCommand, DoesNotApply) {
    Bench b("(shared [l 0]) (([1 (when (> l 0) (l := (- l 1)))])) ((1 bot))");
    EXPECT_EQ(b.why(b.step()), "WHEN: guard false: the guard (> l 0) is false: l = 0");
    EXPECT_EQ(b.state(), "h(l) = 0; ctp = (1); trace = 0; s = error");
}

// ---------------------------------------------------------------------------------------------------------------------

TEST(Rules, AreNamedAsInThePaper) {
    std::string text;
    for (Rule const rule : all_rules())
        text += std::string(to_string(rule)) + " | " + std::string(info(rule).function) + " | " +
                std::string(info(rule).source) + "\n";
    EXPECT_EQ(text, R"(MACHINE STEP | machine_step | Figure 6
PROCESS QUEUE MOVEMENT | process_queue_movement | Figure 7
VARIABLE LOOKUP | variable_lookup | Figure 8
LEFT OPERAND | left_operand | Figure 8
RIGHT OPERAND | right_operand | Figure 8
BINARY OPERATION | binary_operation | Figure 8
ASSUME EXPRESSIONS EVALUATION | assume_expressions_evaluation | Figure 8
ASSUME COMMAND | assume_command | Figure 8
ASSERT EXPRESSIONS EVALUATION | assert_expressions_evaluation | Figure 8
ASSERT COMMAND | assert_command | Figure 8
ASSIGN EXPRESSIONS EVALUATION | assign_expressions_evaluation | Figure 8
ASSIGN COMMAND | assign_command | Figure 8
SNDI COMMAND | sndi_command | Figure 8
RCVI COMMAND | rcvi_command | Figure 8
WAIT (SNDI) COMMAND | wait_sndi_command | Figure 8
WAIT (RCVI) COMMAND | wait_rcvi_command | Figure 8
NOT OPERAND | not_operand | beside Figure 8
NOT OPERATION | not_operation | beside Figure 8
ITE CONDITION | ite_condition | beside Figure 8
ITE OPERAND | ite_operand | beside Figure 8
SNDI EXPRESSION EVALUATION | sndi_expression_evaluation | beside Figure 8
BARRIER COMMAND | barrier_command | beside Figure 8
RSNDI COMMAND | rsndi_command | beside Figure 8
PROBE COMMAND | probe_command | beside Figure 8
MPROBE COMMAND | mprobe_command | beside Figure 8
START COMMAND | start_command | beside Figure 8
COLLECTIVE COMMAND | collective_command | beside Figure 8
ICOLLECTIVE COMMAND | icollective_command | beside Figure 8
WAIT (ICOLLECTIVE) COMMAND | wait_icollective_command | beside Figure 8
GUARD EVALUATION | guard_evaluation | beside Figure 8
RIGHT-HAND SIDE EVALUATION | right_hand_side_evaluation | beside Figure 8
GUARDED ASSIGNMENT | guarded_assignment_command | beside Figure 8
WHEN | when_command | beside Figure 8
)");
}

} // namespace
} // namespace matchpoint::test
