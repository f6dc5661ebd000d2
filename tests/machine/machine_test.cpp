// MACHINE STEP as a whole: what is taken back, what ends a run, how s moves, and the two bufferings.

#include <gtest/gtest.h>

#include "base/integer.hpp"
#include "machine/well_formed.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/programs.hpp"

namespace matchpoint::test {
namespace {

using test::Bench;
using test::Lines;

// A square of 2^23 bits has 2^24 bits and one more: beyond the limit.
std::string repeated_squaring(int squares) {
    std::string program = "(([0 (sndi S 0 0 1)] [b (x := 2)] ";
    std::string trace = "((0 bot) (b bot) ";
    for (int i = 1; i <= squares; ++i) {
        std::string const l = "s" + std::to_string(i);
        program += "[" + l + " (x := (* x x))] ";
        trace += "(" + l + (i == squares ? " ((0 0) bot)) " : " bot) ");
    }
    return program + ")) " + trace + ")";
}

/// The kinds of the events, without their values: writing millions of digits down takes long.
class Kinds final : public Observer {
public:
    void on(State const&, Event const& event) override {
        auto const rule = rule_of(event);
        if (std::holds_alternative<event::EntryTaken>(event))
            kinds.emplace_back("EntryTaken");
        else if (std::holds_alternative<event::MovementsTakenBack>(event))
            kinds.emplace_back("MovementsTakenBack");
        else if (std::holds_alternative<event::StuckAt>(event))
            kinds.emplace_back("StuckAt");
        else
            kinds.emplace_back(to_string(*rule));
    }
    Lines kinds;
};

TEST(MachineStepSafety, LimitReachedLeavesTheStateAsItWas) {
    Bench b(repeated_squaring(24));
    Kinds log;
    Machine machine(b.code, Buffering::infinite);
    machine.observe(log);
    for (std::size_t i = 0; i < 25; ++i) ASSERT_FALSE(machine.step(b.code.entry(0, i)).is_stuck());
    EXPECT_EQ(to_integer(machine.state().h[b.variable("x").index]), Integer(1) << (1U << 23U));
    State const before = machine.state();
    log.kinds.clear();
    EXPECT_THROW(static_cast<void>(machine.step(b.code.entry(0, 25))), LimitReached);
    EXPECT_EQ(machine.state(), before);
    EXPECT_EQ(machine.state().s, Status::success);
    // The movement was taken back, and told of; there is no StuckAt.
    EXPECT_EQ(log.kinds, (Lines{"EntryTaken", "PROCESS QUEUE MOVEMENT", "ASSIGN EXPRESSIONS EVALUATION", "LEFT OPERAND",
                                "VARIABLE LOOKUP", "RIGHT OPERAND", "VARIABLE LOOKUP", "MovementsTakenBack"}));
    // It is no error: the same entry can be tried again.
    EXPECT_THROW(static_cast<void>(run(machine, 0)), LimitReached);
    EXPECT_EQ(machine.state(), before);
}

TEST(MachineStepSafety, HistoryForgetsAnEntryThatReachedALimit) {
    Bench b(repeated_squaring(24));
    Machine machine(b.code, Buffering::infinite);
    machine.keep_history();
    for (std::size_t i = 0; i < 24; ++i) ASSERT_FALSE(machine.step(b.code.entry(0, i)).is_stuck());
    State const before = machine.state();
    ASSERT_FALSE(machine.step(b.code.entry(0, 24)).is_stuck());
    EXPECT_THROW(static_cast<void>(machine.step(b.code.entry(0, 25))), LimitReached);
    EXPECT_TRUE(machine.back());
    EXPECT_EQ(machine.state(), before);
}

TEST(MachineStepSafety, AStuckCommandTakesItsMovementsBack) {
    Bench b(R"((([1 (rcvi R 0 x)] [2 (rcvi T 0 y)] [3 (rcvi U 0 z)] [4 (wait U)])
                ([5 (sndi S 1 0 1)] [6 (sndi V 2 0 2)]))
               ((1 bot) (2 bot) (3 bot) (5 bot) (6 bot) (4 ((0 2) (0 1) bot))))");
    b.steps(5);
    State before = b.machine.state();
    b.recorder.clear();
    EXPECT_EQ(b.why(b.step()), "WAIT (RCVI) COMMAND: message not there: no message has arrived for U: it is number 3 "
                               "of the receives pending at endpoint 0 (Pnd_r(0)), and 2 messages have arrived for "
                               "these (Q_s(0))");
    EXPECT_EQ(b.recorder.events, (Lines{"EntryTaken 5 4 thread 0", "QueueMovement (0 2) [V 2]",
                                        "QueueMovement (0 1) [S 1]", "MovementsTakenBack (0 2) (0 1)",
                                        "StuckAt 5 4 WAIT (RCVI) COMMAND: message not there before = success"}));
    EXPECT_NE(b.machine.state(), before);
    before.s = Status::error;
    EXPECT_EQ(b.machine.state(), before);
}

TEST(MachineStepSafety, AStuckMovementTakesTheEarlierOnesBack) {
    Bench b(R"((([1 (sndi S 1 0 1)] [2 (sndi T 1 0 2)] [3 (assert true)]))
               ((1 bot) (2 bot) (3 ((0 1) (0 1) (0 1) bot))))");
    b.steps(2);
    State before = b.machine.state();
    b.recorder.clear();
    EXPECT_EQ(b.why(b.step()), "PROCESS QUEUE MOVEMENT: nothing in transit: movement (0 1): no message from 1 to 0 is "
                               "in transit, Pnd_s(0)(1) is empty");
    EXPECT_EQ(b.recorder.events[3], "MovementsTakenBack (0 1) (0 1)");
    before.s = Status::error;
    EXPECT_EQ(b.machine.state(), before);
}

// The rules of a location that is not next come first: no movement is made for it.
TEST(MachineStepSafety, NothingMovesForALocationThatIsNotNext) {
    Bench b("(([1 (sndi S 1 0 1)] [2 (wait S)] [3 (assert true)])) ((1 bot) (3 ((0 1) bot)))");
    b.steps(1);
    State before = b.machine.state();
    b.recorder.clear();
    EXPECT_EQ(b.why(b.step()), "MACHINE STEP: not next: 3 is no thread's next command: thread 0 is at 2");
    EXPECT_EQ(b.recorder.events, (Lines{"StuckAt 1 3 MACHINE STEP: not next before = success"}));
    before.s = Status::error;
    EXPECT_EQ(b.machine.state(), before);
}

TEST(Machine, AnErrorDoesNotEnd) {
    Bench b("(([1 (x := y)])) ((1 bot))");
    EXPECT_TRUE(b.step().is_stuck());
    State const before = b.machine.state();
    EXPECT_THROW(static_cast<void>(b.step()), std::logic_error);
    EXPECT_THROW(static_cast<void>(b.machine.end_of_trace()), std::logic_error);
    EXPECT_THROW(static_cast<void>(b.run()), std::logic_error);
    EXPECT_EQ(b.machine.state(), before);
}

TEST(Machine, HasItsCodeAndBuffering) {
    Bench const infinite("()");
    Bench const zero("()", Buffering::zero);
    EXPECT_EQ(&infinite.machine.code(), &infinite.code);
    EXPECT_EQ(infinite.machine.buffering(), Buffering::infinite);
    EXPECT_EQ(zero.machine.buffering(), Buffering::zero);
    EXPECT_EQ(to_string(Buffering::infinite), "infinite");
    EXPECT_EQ(to_string(Buffering::zero), "zero");
}

TEST(Machine, EndOfTrace) {
    Bench b("(([1 (x := 1)] [2 (x := 2)])) ((1 bot))");
    b.steps(1);
    b.recorder.clear();
    EXPECT_EQ(b.why(b.machine.end_of_trace()),
              "MACHINE STEP: trace used up: the trace is used up, but 1 command has not run: thread 0 is at 2");
    EXPECT_EQ(b.recorder.events, (Lines{"StuckAt 1 end MACHINE STEP: trace used up before = success"}));
    EXPECT_EQ(b.state(), "h(x) = 1; ctp = (2); trace = 1; s = error");

    Bench finished("(([1 (x := 1)])) ((1 bot))");
    finished.steps(1);
    finished.recorder.clear();
    EXPECT_FALSE(finished.machine.end_of_trace().is_stuck());
    EXPECT_EQ(finished.recorder.events, Lines{});
    EXPECT_EQ(finished.state(), "h(x) = 1; ctp = (bot); trace = 1; s = success");
}

TEST(Machine, OfAnEmptyProgram) {
    Bench b("() ()");
    EXPECT_TRUE(b.machine.state().finished());
    EXPECT_EQ(b.text(b.run()), "success after 0");
    EXPECT_TRUE(well_formedness(b.code, b.machine.state()));
    Bench empty_threads("(() () ()) ()");
    EXPECT_EQ(empty_threads.text(empty_threads.run()), "success after 0");
    EXPECT_EQ(empty_threads.state(), "ctp = (bot bot bot); trace = 0; s = success");
}

TEST(Machine, RunGoesOnFromTheMachinesState) {
    Bench b("(([1 (x := 1)] [2 (x := 2)] [3 (assert false)])) ((1 bot) (2 bot) (3 bot)) ((1 bot))");
    b.steps(2);
    b.recorder.clear();
    Outcome const outcome = b.run();
    EXPECT_EQ(outcome.s, Status::failure);
    EXPECT_EQ(outcome.steps, 3U);
    EXPECT_FALSE(outcome.error);
    EXPECT_EQ(b.recorder.events.front(), "EntryTaken 2 3 thread 0");

    Bench second("(([1 (x := 1)] [2 (x := 2)])) ((1 bot) (2 bot)) ((1 bot))");
    EXPECT_EQ(second.text(second.run(1)), "error after 1, entry 1 at end, MACHINE STEP: trace used up: the trace is "
                                          "used up, but 1 command has not run: thread 0 is at 2");
}

TEST(Machine, RunTellsWhereItEnded) {
    Bench b("(([1 (x := 1)] [2 (y := z)])) ((1 bot) (2 bot))");
    Outcome const outcome = b.run();
    EXPECT_EQ(outcome.s, Status::error);
    EXPECT_EQ(outcome.steps, 1U);
    EXPECT_EQ(outcome.error->entry, 1U);
    EXPECT_EQ(outcome.error->rho, b.location("2"));
    EXPECT_EQ(outcome.error->stuck.rule, Rule::variable_lookup);
}

// ---------------------------------------------------------------------------------------------------------------------
// success < failure < infeasible < error

TEST(StatusLattice, OnlyMovesUp) {
    Lines passed;
    Bench b(R"((([1 (assert true)] [2 (assert false)] [3 (assert true)] [4 (assume true)] [5 (assume false)]
                 [6 (assert false)] [7 (assume true)] [8 (assert 0)] [9 (x := y)]))
               ((1 bot) (2 bot) (3 bot) (4 bot) (5 bot) (6 bot) (7 bot) (8 bot) (9 bot)))");
    for (int i = 0; i < 9; ++i) {
        Step const ignored = b.step();
        passed.emplace_back(to_string(b.machine.state().s));
    }
    EXPECT_EQ(passed, (Lines{"success", "failure", "failure", "failure", "infeasible", "infeasible", "infeasible",
                             "infeasible", "error"}));
}

TEST(StatusLattice, InfeasibleFromSuccess) {
    Bench b("(([1 (assume (= 1 2))] [2 (assert false)])) ((1 bot) (2 bot))");
    EXPECT_EQ(b.text(b.run()), "infeasible after 2");
}

TEST(StatusLattice, IsOrdered) {
    EXPECT_LT(Status::success, Status::failure);
    EXPECT_LT(Status::failure, Status::infeasible);
    EXPECT_LT(Status::infeasible, Status::error);
}

TEST(StatusLattice, AnErrorComesFromAnywhere) {
    Bench b("(([1 (assert false)] [2 (assume false)])) ((1 bot) (2 bot) (2 bot))");
    b.steps(2);
    b.recorder.clear();
    EXPECT_TRUE(b.step().is_stuck());
    EXPECT_EQ(b.recorder.events, (Lines{"StuckAt 2 2 MACHINE STEP: not next before = infeasible"}));
    EXPECT_EQ(b.machine.state().s, Status::error);
}

// ---------------------------------------------------------------------------------------------------------------------
// Zero buffering

std::string const figure1 = R"(
( ( [02 (rcvi R2 0 A)] [03 (wait R2)] [04 (a := A)]
    [05 (rcvi R5 0 B)] [06 (wait R5)] [07 (b := B)]
    [08 (assume (> b 0))] [09 (assert (= a 4))] bot )
  ( [13 (rcvi R3 1 C)] [14 (wait R3)]
    [15 (sndi S5 1 0 1)] [16 (wait S5)] bot )
  ( [24 (sndi S4 2 0 4)] [25 (wait S4)]
    [26 (sndi S6 2 1 7)] [27 (wait S6)] bot ) )
( (24 bot) (25 bot) (02 bot) (03 ((0 2) bot)) (26 bot) (27 bot)
  (04 bot) (13 bot) (14 ((1 2) bot)) (15 bot) (16 bot)
  (05 bot) (06 ((0 1) bot)) (07 bot) (08 bot) (09 bot) )
( (02 bot) (24 bot) (25 ((0 2) bot)) (03 bot) (04 bot) (13 bot) (26 bot) (27 ((1 2) bot)) (14 bot)
  (05 bot) (15 bot) (16 ((0 1) bot)) (06 bot) (07 bot) (08 bot) (09 bot) ))";

TEST(ZeroBuffering, Figure1) {
    Bench infinite(figure1);
    EXPECT_EQ(infinite.text(infinite.run(0)), "success after 16");
    EXPECT_EQ(infinite.matches(), "R2 = S4, R5 = S5, R3 = S6");
    EXPECT_TRUE(well_formedness(infinite.code, infinite.machine.state()));

    Bench zero(figure1, Buffering::zero);
    EXPECT_EQ(zero.text(zero.run(0)),
              "error after 1, entry 1 at 25, WAIT (SNDI) COMMAND: send not taken: with zero "
              "buffering the wait for S4 needs the message to be taken, but the message is still in Pnd_s(0)(2)");

    Bench rendezvous(figure1, Buffering::zero);
    EXPECT_EQ(rendezvous.text(rendezvous.run(1)), "success after 16");
    EXPECT_EQ(rendezvous.matches(), "R2 = S4, R5 = S5, R3 = S6");
    EXPECT_EQ(rendezvous.state(),
              "h(A) = 4; h(a) = 4; h(B) = 1; h(b) = 1; h(C) = 7; ctp = (bot bot bot); trace = 16; s = success");
}

// A send need not be waited for; that it is not taken shows only at its wait.
TEST(ZeroBuffering, ASendWithoutWaitMayStayInTransit) {
    Bench b("(([1 (sndi S 1 0 4)] [2 (x := 1)])) ((1 bot) (2 bot))", Buffering::zero);
    EXPECT_EQ(b.text(b.run()), "success after 2");
    EXPECT_EQ(b.state(), "h(x) = 1; A(S) = 1; Pnd_s(0)(1) = [S 4]; ctp = (bot); trace = 2; s = success");
}

// Entries that were removed count on both sides: the second message needs a second receive.
TEST(ZeroBuffering, PartnersAfterARemoval) {
    std::string const program = R"((([1 (rcvi R 0 x)] [2 (wait R)] [3 (rcvi T 0 y)] [4 (wait T)])
                                    ([5 (sndi S 1 0 1)] [6 (wait S)] [7 (sndi U 1 0 2)] [8 (wait U)])))";
    Bench too_early(program + "((1 bot) (5 bot) (6 ((0 1))) (2 bot) (7 bot) (8 ((0 1))))", Buffering::zero);
    EXPECT_EQ(too_early.text(too_early.run()),
              "error after 5, entry 5 at 8, PROCESS QUEUE MOVEMENT: no posted partner: movement (0 1): with zero "
              "buffering no message moves before its receive is posted, and Q_s(0) has as many entries as Pnd_r(0)");
    Bench good(program + "((1 bot) (5 bot) (6 ((0 1))) (2 bot) (7 bot) (3 bot) (8 ((0 1))) (4 bot))", Buffering::zero);
    EXPECT_EQ(good.text(good.run()), "success after 8");
    EXPECT_EQ(good.matches(), "R = S, T = U");
}

// Two receives are posted: two messages of two channels may go, in either order, and no third.
TEST(ZeroBuffering, SeveralChannelsToOneEndpoint) {
    Bench b(R"((([1 (rcvi R 0 x)] [2 (rcvi T 0 y)] [3 (wait T)])
                ([5 (sndi S 1 0 1)] [6 (wait S)]) ([7 (sndi U 2 0 2)] [8 (wait U)] [9 (sndi V 2 0 3)] [10 (wait V)]))
               ((1 bot) (2 bot) (5 bot) (7 bot) (9 bot) (3 bot)))",
            Buffering::zero);
    b.steps(4);
    EXPECT_FALSE(b.machine.step({b.location("6"), std::vector{b.channel("0", "2"), b.channel("0", "1")}}).is_stuck());
    EXPECT_EQ(b.state(), "A(R) = 0; A(T) = 0; A(S) = 1; A(U) = 2; Pnd_r(0) = [R x] [T y]; Q_s(0) = [U 2] [S 1]; ctp = "
                         "(3 bot 8); trace = 5; s = success");
    EXPECT_FALSE(b.machine.step({b.location("8"), {}}).is_stuck());
    EXPECT_FALSE(b.machine.step({b.location("9"), {}}).is_stuck());
    EXPECT_EQ(b.why(b.machine.step({b.location("10"), std::vector{b.channel("0", "2")}})),
              "PROCESS QUEUE MOVEMENT: no posted partner: movement (0 2): with zero buffering no message moves before "
              "its receive is posted, and Q_s(0) has as many entries as Pnd_r(0)");
}

} // namespace
} // namespace matchpoint::test
