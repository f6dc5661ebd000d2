// Observers hear of every rule, in order, after the change; findings are what lifted the status.

#include <gtest/gtest.h>

#include "explain/findings.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/programs.hpp"

namespace matchpoint::test {
namespace {

using test::Bench;
using test::Lines;

TEST(Observers, HearTheRulesInOrder) {
    Bench b(
        R"((([1 (rcvi R 0 x)] [2 (wait R)] [3 (assert (not (> x (- y 1))))]) ([4 (sndi S 1 0 (+ 1 2))] [5 (wait S)]))
               ((1 bot) (4 bot) (2 ((0 1))) (5 bot) (3 bot)))");
    EXPECT_TRUE(b.run().error);
    EXPECT_EQ(b.recorder.events, (Lines{
                                     "EntryTaken 0 1 thread 0",
                                     "RcviCommand R 0 x",
                                     "MachineStep 0 1 thread 0",
                                     "EntryTaken 1 4 thread 1",
                                     "SndiExpressionEvaluation S (+ 1 2)",
                                     "LeftOperand (+ 1 2)",
                                     "RightOperand (+ 1 2) v_l = 1",
                                     "BinaryOperation (+ 1 2) op(1, 2) = 3",
                                     "SndiCommand S (0 1) (+ 1 2) v = 3",
                                     "MachineStep 1 4 thread 1",
                                     "EntryTaken 2 2 thread 0",
                                     "QueueMovement (0 1) [S 3]",
                                     "WaitRcviCommand R S 0 {R gets S, x = bot -> 3}",
                                     "MachineStep 2 2 thread 0",
                                     "EntryTaken 3 5 thread 1",
                                     "WaitSndiCommand S",
                                     "MachineStep 3 5 thread 1",
                                     "EntryTaken 4 3 thread 0",
                                     "AssertExpressionsEvaluation (not (> x (- y 1)))",
                                     "NotOperand (not (> x (- y 1)))",
                                     "LeftOperand (> x (- y 1))",
                                     "VariableLookup x = 3",
                                     "RightOperand (> x (- y 1)) v_l = 3",
                                     "LeftOperand (- y 1)",
                                     "StuckAt 4 3 VARIABLE LOOKUP: no value before = success",
                                 }));
    // An event's state is the one after the rule.
    EXPECT_EQ(b.recorder.states[8],
              "A(R) = 0; A(S) = 1; Pnd_s(0)(1) = [S 3]; Pnd_r(0) = [R x]; ctp = (2 4); trace = 1; s = success");
    EXPECT_EQ(b.recorder.states[12], "h(x) = 3; ctp = (2 5); trace = 2; s = success");
    EXPECT_EQ(b.recorder.states[13], "h(x) = 3; ctp = (3 5); trace = 3; s = success");
    EXPECT_EQ(b.recorder.states.back(), "h(x) = 3; ctp = (3 bot); trace = 4; s = error");
}

TEST(Observers, AreToldTheRuleOfEachEvent) {
    EXPECT_EQ(rule_of(event::EntryTaken{}), std::nullopt);
    EXPECT_EQ(rule_of(event::MovementsTakenBack{}), std::nullopt);
    EXPECT_EQ(rule_of(event::MachineStep{}), Rule::machine_step);
    Stuck const stuck{Rule::not_operation, reason::VariableWithoutValue{}};
    EXPECT_EQ(rule_of(event::StuckAt{0, std::nullopt, stuck, Status::success}), Rule::not_operation);
}

TEST(Observers, AllHearTheSame) {
    Bench b("(([1 (x := 1)])) ((1 bot))");
    test::Recorder second(b.code);
    b.machine.observe(second);
    b.steps(1);
    EXPECT_EQ(second.events, b.recorder.events);
    EXPECT_EQ(second.events.size(), 4U);
}

TEST(Observers, MakeNoEventWhenNobodyListens) {
    Observers nobody;
    EXPECT_TRUE(nobody.empty());
    Bench b("() ()");
    int made = 0;
    auto const make = [&] {
        ++made;
        return event::MachineStep{};
    };
    nobody.fire(b.machine.state(), make);
    EXPECT_EQ(made, 0);

    Observers somebody;
    somebody.add(b.recorder);
    EXPECT_FALSE(somebody.empty());
    somebody.fire(b.machine.state(), [&] {
        ++made;
        return event::MovementsTakenBack{};
    });
    EXPECT_EQ(made, 1);
    EXPECT_EQ(b.recorder.events, (Lines{"MovementsTakenBack"}));
}

// ---------------------------------------------------------------------------------------------------------------------

std::string text_of(Bench const& b, std::vector<Finding> const& findings) {
    std::string text;
    for (Finding const& f : findings)
        text += std::string(f.kind == Finding::Kind::assertion ? "assertion" : "assumption") + " at " +
                std::to_string(f.entry) + " " + std::string(b.program.symbols(f.rho)) + " " + print(b.program, f.e) +
                " with " + in_words(b.code, f.values) + "\n";
    return text;
}

TEST(Findings, HaveTheValuesOfTheMoment) {
    Bench b(R"((([1 (x := 1)] [2 (y := 2)] [3 (assert (= (+ y x) (* x 5)))] [4 (assert (= x 1))] [5 (x := 7)]
                 [6 (assume (< x y))] [7 (assert false)] [8 (assume 0)]))
               ((1 bot) (2 bot) (3 bot) (4 bot) (5 bot) (6 bot) (7 bot) (8 bot)))");
    Findings findings(b.code);
    b.machine.observe(findings);
    EXPECT_EQ(b.text(b.run()), "infeasible after 8");
    // Variables in the order in which they occur in the expression, each once.
    EXPECT_EQ(text_of(b, findings.assertions()), "assertion at 2 3 (= (+ y x) (* x 5)) with y = 2, x = 1\n"
                                                 "assertion at 6 7 false with \n");
    EXPECT_EQ(text_of(b, findings.assumptions()), "assumption at 5 6 (< x y) with x = 7, y = 2\n");
    EXPECT_EQ(findings.assertion_count(), 2U);
    EXPECT_EQ(findings.assumption_count(), 1U);
}

TEST(Findings, KeepTheFirstAndCountAll) {
    Bench b(R"((([1 (x := false)] [2 (y := false)] [3 (z := false)]
                 [4 (assert (and (and x y) z))] [5 (assert y)] [6 (assert z)]
                 [7 (assume z)] [8 (assume y)] [9 (assume (or x (or x (or y z))))]))
               ((1 bot) (2 bot) (3 bot) (4 bot) (5 bot) (6 bot) (7 bot) (8 bot) (9 bot)))");
    Findings findings(b.code, 2);
    b.machine.observe(findings);
    b.steps(9);
    EXPECT_EQ(text_of(b, findings.assertions()), "assertion at 3 4 (and (and x y) z) with x = false, y = false\n"
                                                 "assertion at 4 5 y with y = false\n");
    EXPECT_EQ(text_of(b, findings.assumptions()), "assumption at 6 7 z with z = false\n"
                                                  "assumption at 7 8 y with y = false\n");
    EXPECT_EQ(findings.assertion_count(), 3U);
    EXPECT_EQ(findings.assumption_count(), 3U);

    Findings none(b.code, 0);
    Machine machine(b.code, Buffering::infinite);
    machine.observe(none);
    static_cast<void>(run(machine, 0));
    EXPECT_TRUE(none.assertions().empty());
    EXPECT_TRUE(none.assumptions().empty());
    EXPECT_EQ(none.assertion_count(), 3U);
    EXPECT_EQ(none.assumption_count(), 3U);
}

TEST(Findings, AreNoneWhereEverythingHolds) {
    Bench b("(([1 (assert true)] [2 (assume true)] [3 (assert 0)])) ((1 bot) (2 bot) (3 bot))");
    Findings findings(b.code);
    b.machine.observe(findings);
    b.steps(3);
    EXPECT_EQ(findings.assertion_count() + findings.assumption_count(), 0U);
}

} // namespace
} // namespace matchpoint::test
