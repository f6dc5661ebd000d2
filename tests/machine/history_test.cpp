// Going back: after every kind of step the state is the one before it.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/all_rooms.hpp"
#include "tests/support/programs.hpp"

namespace matchpoint::test {
namespace {

using test::Bench;

/// Runs trace 0 to its end (the error included), then goes all the way back, comparing every state.
void there_and_back(std::string const& text, std::string const& end, Buffering buffering = Buffering::infinite) {
    SCOPED_TRACE(text);
    Bench b(text, buffering);
    b.machine.keep_history();
    std::vector<State> states{b.machine.state()};
    std::size_t const length = b.program.traces[0].entries.size();
    while (b.machine.state().trace < length && b.machine.state().s != Status::error) {
        Step const ignored = b.step();
        states.push_back(b.machine.state());
    }
    if (b.machine.state().s != Status::error)
        if (b.machine.end_of_trace().is_stuck()) states.push_back(b.machine.state());
    EXPECT_EQ(std::string(to_string(b.machine.state().s)) + " in " + std::to_string(states.size() - 1), end);
    for (std::size_t i = states.size() - 1; i-- > 0;) {
        ASSERT_TRUE(b.machine.back());
        EXPECT_EQ(b.machine.state(), states[i]) << "back at " << i;
    }
    EXPECT_FALSE(b.machine.back());
    EXPECT_EQ(b.machine.state(), states.front());

    // And there again, one step ahead and one back before each.
    for (std::size_t i = 1; i < states.size(); ++i) {
        for (int twice = 0; twice < 2; ++twice) {
            if (twice == 1) {
                EXPECT_TRUE(b.machine.back());
            }
            Step const ignored = b.machine.state().trace < length ? b.step() : b.machine.end_of_trace();
            EXPECT_EQ(b.machine.state(), states[i]) << "there at " << i;
        }
    }
}

TEST(History, OfEachCommand) {
    there_and_back("(([1 (x := 1)])) ((1 bot))", "success in 1");
    there_and_back("(([1 (x := 1)] [2 (x := (+ x true))])) ((1 bot) (2 bot))", "error in 2");
    there_and_back("(([1 (x := 1)] [2 (x := 2)] [3 (x := true)])) ((1 bot) (2 bot) (3 bot))", "success in 3");
    there_and_back("(([1 (assert true)] [2 (assert false)] [3 (assert false)])) ((1 bot) (2 bot) (3 bot))",
                   "failure in 3");
    there_and_back("(([1 (assert false)] [2 (assume false)] [3 (assume true)])) ((1 bot) (2 bot) (3 bot))",
                   "infeasible in 3");
    there_and_back("(([1 (sndi S 1 0 1)] [2 (sndi T 1 0 true)])) ((1 bot) (2 bot))", "success in 2");
    there_and_back("(([1 (rcvi R 0 x)] [2 (rcvi T 0 y)])) ((1 bot) (2 bot))", "success in 2");
    there_and_back("(([1 (sndi S 1 0 1)] [2 (wait S)])) ((1 bot) (2 ((0 1))))", "success in 2");
    there_and_back("(([1 (x := (not (not (= 1 2))))])) ((1 bot))", "success in 1");
}

TEST(History, OfWaits) {
    std::string const program = R"((([1 (x := 7)] [2 (rcvi R1 0 x)] [3 (rcvi R2 0 x)] [4 (rcvi R3 0 y)])
                                    ([w1 (wait R1)]) ([w2 (wait R2)]) ([w3 (wait R3)])
                                    ([5 (sndi S1 1 0 1)] [6 (sndi S2 1 0 2)] [7 (sndi S3 2 0 3)])) )";
    std::string const start = "((1 bot) (2 bot) (3 bot) (4 bot) (5 bot) (6 bot) (7 bot) ";
    std::vector<std::string> waits{"w1", "w2", "w3"};
    do {
        there_and_back(program + start + "(" + waits[0] + " ((0 1) (0 2) (0 1))) (" + waits[1] + " bot) (" + waits[2] +
                           " bot))",
                       "success in 10");
    } while (std::next_permutation(waits.begin(), waits.end()));
    // Message by message.
    there_and_back(program + start + "(w1 ((0 2))) (w2 ((0 1))) (w3 ((0 1))))", "success in 10");
    there_and_back(program + start + "(w2 ((0 2) (0 1))) (w1 bot) (w3 ((0 1))))", "success in 10");
}

TEST(History, OfErrors) {
    there_and_back("(([1 (x := 1)])) ()", "error in 1");
    there_and_back("(([1 (x := 1)])) ((1 bot) (2 bot))", "error in 2");
    there_and_back("(([1 (x := y)])) ((1 bot))", "error in 1");
    there_and_back("(([1 (assert false)] [2 (sndi S 1 0 1)] [3 (wait S)])) ((1 bot) (2 bot) (3 ((0 1) (0 1))))",
                   "error in 3");
    there_and_back("(([1 (rcvi R 0 x)] [2 (sndi S 1 0 1)] [3 (rcvi T 0 y)] [4 (wait T)])) "
                   "((1 bot) (2 bot) (3 bot) (4 ((0 1))))",
                   "error in 4");
    there_and_back("(([1 (sndi S 1 0 1)] [2 (wait S)])) ((1 bot) (2 ((0 1))))", "error in 2", Buffering::zero);
    there_and_back("(([1 (sndi S 1 0 1)] [2 (wait S)])) ((1 bot) (2 bot))", "error in 2", Buffering::zero);
}

TEST(History, OfLargeIntegers) {
    there_and_back("(([1 (x := 100000000000000000000)] [2 (x := (* x x))] [3 (sndi S 0 0 x)] [4 (rcvi R 0 x)] "
                   "[5 (wait R)])) ((1 bot) (2 bot) (3 bot) (4 bot) (5 ((0 0))))",
                   "success in 5");
}

TEST(History, IsKeptOnlyWhenAskedFor) {
    Bench b("(([1 (x := 1)] [2 (x := 2)] [3 (x := 3)])) ((1 bot) (2 bot) (3 bot))");
    b.steps(1);
    EXPECT_FALSE(b.machine.back());
    b.machine.keep_history();
    b.machine.keep_history(); // once is enough
    EXPECT_FALSE(b.machine.back());
    b.steps(2);
    EXPECT_TRUE(b.machine.back());
    EXPECT_EQ(b.state(), "h(x) = 2; ctp = (3); trace = 2; s = success");
    EXPECT_TRUE(b.machine.back());
    EXPECT_EQ(b.state(), "h(x) = 1; ctp = (2); trace = 1; s = success");
    EXPECT_FALSE(b.machine.back()); // what came before keep_history stays
    EXPECT_EQ(b.state(), "h(x) = 1; ctp = (2); trace = 1; s = success");
}

TEST(History, ThrowsNothingAfterAnErrorWasTakenBack) {
    Bench b("(([1 (x := 1)] [2 (x := 2)])) ((2 bot)) ((1 bot) (2 bot))");
    b.machine.keep_history();
    EXPECT_TRUE(b.step(0).is_stuck());
    EXPECT_TRUE(b.machine.back());
    EXPECT_EQ(b.text(b.run(1)), "success after 2");
}

TEST(History, UndoesTransitions) {
    Bench b("(([1 (x := 1)] [2 (x := y)])) ((1 bot) (2 bot))");
    History history(b.code);
    b.machine.observe(history);
    b.steps(1);
    EXPECT_TRUE(b.step().is_stuck());
    State state = b.machine.state();
    EXPECT_TRUE(history.undo(state));
    EXPECT_EQ(test::text_of(b.code, state), "h(x) = 1; ctp = (2); trace = 1; s = success");
    EXPECT_TRUE(history.undo(state));
    EXPECT_FALSE(history.undo(state));
    EXPECT_EQ(state, State(b.code));
}

TEST(History, UndoesADeliveryByItself) {
    Bench b("(([1 (rcvi R 0 x)] [2 (wait R)]) ([3 (sndi S 1 0 4)])) ((1 bot) (3 bot) (2 ((0 1) bot)))");
    b.machine.keep_history();
    b.steps(2);
    State const sent = b.machine.state();
    Deliver const delivery{*b.code.find_channel(b.endpoint("0"), b.endpoint("1"))};
    EXPECT_FALSE(b.machine.apply(delivery).is_stuck());
    State const delivered = b.machine.state();
    EXPECT_FALSE(b.machine.apply(Execute{b.code.ctp().threads[0].first + 1}).is_stuck());
    EXPECT_TRUE(b.machine.undo()); // the command ...
    EXPECT_EQ(b.machine.state(), delivered);
    EXPECT_TRUE(b.machine.undo()); // ... and the delivery
    EXPECT_EQ(b.machine.state(), sent);
    // An entry takes its deliveries along.
    b.steps(1);
    EXPECT_TRUE(b.machine.back());
    EXPECT_EQ(b.machine.state(), sent);
}

TEST(History, UndoesAnOverwriteByItself) {
    Bench b("(([1 (x := 1)] [2 (x := (+ x 1))])) ((1 bot) (2 bot))");
    b.machine.keep_history();
    b.steps(1);
    State const before = b.machine.state();
    b.machine.overwrite(Variable{0}, Value::integer(7));
    State const after = b.machine.state();
    EXPECT_EQ(after.h[0], Value::integer(7));
    b.steps(1);
    EXPECT_EQ(b.machine.state().h[0], Value::integer(8));
    EXPECT_TRUE(b.machine.back());
    EXPECT_EQ(b.machine.state(), after);
    EXPECT_TRUE(b.machine.back());
    EXPECT_EQ(b.machine.state(), before);
}

TEST(History, TellsWhoWroteWhat) {
    Bench b("(([1 (rcvi R 0 x)] [2 (wait R)] [3 (y := x)]) ([4 (sndi S 1 0 4)]))"
            "((4 bot) (1 bot) (2 ((0 1) bot)) (3 bot))");
    b.machine.keep_history();
    b.steps(4);
    std::string text;
    b.machine.history()->each_write(b.machine.state(), [&](History::Write const& w) {
        text += std::to_string(w.entry) + " " + shown(b.code, w.rho) + " " + shown(b.code, w.x) +
                (w.a_r.is_none() ? "" : " " + shown(b.code, w.a_r)) + "; ";
        return true;
    });
    EXPECT_EQ(text, "3 3 y; 2 2 x R; ");
}

} // namespace
} // namespace matchpoint::test
