// Values that are set by hand (tests/properties/stepper_test.cpp compares all moves with a model).
#include "executions/stepper.hpp"

#include <gtest/gtest.h>

#include "tests/support/all_rooms.hpp"
#include "tests/support/programs.hpp"

namespace matchpoint::test {
namespace {

constexpr auto one_two_three = "(([1 (x := 1)] [2 (x := (+ x 1))] [3 (x := (+ x 1))] [4 (assert (= x 3))]))"
                               "((1 bot) (2 bot) (3 bot) (4 bot))";

class Overwriting : public testing::Test {
protected:
    Overwriting() { stepper.follow(0); }
    std::string x() const { return stepper.state().h[0].to_string(); }
    void set(int v) { stepper.overwrite(Variable{0}, Value::integer(v)); }

    Bench b{one_two_three};
    Stepper stepper{b.code, Buffering::infinite};
};

TEST_F(Overwriting, GoesOnWithTheValue) {
    stepper.jump(2);
    set(10);
    EXPECT_EQ(x(), "10");
    EXPECT_EQ(stepper.at().steps, 2U);
    EXPECT_FALSE(stepper.trace()) << "it is no run of the trace any longer";
    stepper.jump(4);
    EXPECT_EQ(x(), "11");
    EXPECT_EQ(stepper.state().s, Status::failure);
}

TEST_F(Overwriting, IsAMoveOfItsOwn) {
    stepper.jump(2);
    set(10);
    EXPECT_TRUE(stepper.last_overwrite());
    EXPECT_TRUE(stepper.back());
    EXPECT_EQ(x(), "2");
    EXPECT_EQ(stepper.at().steps, 2U);
    EXPECT_TRUE(stepper.overwrites().empty());
    ASSERT_TRUE(stepper.next_overwrite());
    EXPECT_EQ(stepper.next_overwrite()->v, Value::integer(10));
    EXPECT_FALSE(stepper.next()) << "the next command comes behind it";
    EXPECT_TRUE(stepper.step());
    EXPECT_EQ(x(), "10");
    EXPECT_TRUE(stepper.back());
    EXPECT_TRUE(stepper.back());
    EXPECT_EQ(x(), "1");
    stepper.jump(3);
    EXPECT_EQ(x(), "11");
    stepper.jump(2);
    EXPECT_EQ(x(), "10") << "a jump goes to what the run has behind so many steps";
}

TEST_F(Overwriting, AtTheBeginning) {
    set(7);
    EXPECT_FALSE(stepper.at_beginning());
    EXPECT_TRUE(stepper.back());
    EXPECT_TRUE(stepper.at_beginning());
    EXPECT_FALSE(stepper.back());
    stepper.follow(0);
    EXPECT_FALSE(stepper.next_overwrite()) << "the trace knows nothing of it";
}

TEST_F(Overwriting, BookmarksLeadToBothRuns) {
    stepper.jump(2);
    auto const before = stepper.bookmark();
    set(10);
    auto const after = stepper.bookmark();
    EXPECT_FALSE(before == after);
    stepper.jump(4);
    auto const end = stepper.bookmark();
    stepper.restore(before);
    EXPECT_EQ(x(), "2");
    EXPECT_TRUE(stepper.trace());
    stepper.jump(4);
    EXPECT_EQ(stepper.state().s, Status::success);
    stepper.restore(after);
    EXPECT_EQ(x(), "10");
    stepper.restore(end);
    EXPECT_EQ(stepper.state().s, Status::failure);
    EXPECT_EQ(x(), "11");
}

TEST_F(Overwriting, LaterOnesAreDropped) {
    stepper.jump(3);
    set(30);
    stepper.jump(1);
    set(10);
    stepper.jump(4);
    EXPECT_EQ(x(), "12");
    EXPECT_EQ(stepper.overwrites().size(), 1U);
}

TEST_F(Overwriting, TellsWhoWroteLast) {
    auto const last = [&] {
        std::vector<std::string> all;
        stepper.each_write([&](History::Write const& w) {
            all.push_back(std::to_string(w.entry) + (w.rho.is_none() ? " by hand" : ""));
            return all.size() < 3;
        });
        return all;
    };
    stepper.jump(2);
    set(10);
    stepper.jump(3);
    EXPECT_EQ(last(), (std::vector<std::string>{"2", "2 by hand", "1"}));
    stepper.back();
    stepper.back();
    EXPECT_EQ(last(), (std::vector<std::string>{"1", "0"}));
}

TEST_F(Overwriting, NotWhereACommandHasBegun) {
    stepper.jump(1);
    stepper.step_rule();
    EXPECT_TRUE(stepper.command_begun());
    EXPECT_THROW(set(1), std::logic_error);
}

TEST(Stepper, StartsAgainWithAnotherProgram) {
    Source const old("old.ctp", one_two_three);
    Source const other("other.ctp", "(([a (y := 5)])) ((a bot))");
    Program program = parsed(old);
    IndexedProgram code(program);
    Stepper stepper(code, Buffering::infinite);
    stepper.follow(0);
    stepper.jump(3);
    stepper.overwrite(Variable{0}, Value::integer(1));
    program = parsed(other);
    code = IndexedProgram(program);
    stepper.start_again();
    EXPECT_TRUE(stepper.at_beginning());
    EXPECT_FALSE(stepper.has_next());
    EXPECT_EQ(stepper.state(), State(code));
    stepper.follow(0);
    EXPECT_TRUE(stepper.step());
    EXPECT_EQ(stepper.state().h[0], Value::integer(5));
    EXPECT_TRUE(stepper.back());
    EXPECT_FALSE(stepper.back());
}

TEST(Stepper, ACommandBeyondALimitCanBeTakenUntilItIsTried) {
    std::string program = "(([i (x := 2)]";
    std::string trace = "((i bot)";
    for (char c = 'a'; c < 'a' + 8; ++c) { // by 8: 2 to the power of 8^8 has 2^24 bits and one more
        std::string const l = "s" + std::string(1, c);
        program += "[" + l + " (x := (* (* (* x x) (* x x)) (* (* x x) (* x x))))]";
        trace += "(" + l + " bot)";
    }
    Bench b(program + "))" + trace + ")");
    Stepper stepper(b.code, Buffering::infinite);
    stepper.follow(0);
    EXPECT_THROW(stepper.jump(9), LimitReached);
    EXPECT_EQ(stepper.at().steps, 8U);
    Location const rho{stepper.state().ctp[0]};
    EXPECT_FALSE(stepper.why_not(Execute{rho}));
    EXPECT_FALSE(stepper.choices().empty());
    auto const here = stepper.bookmark();
    EXPECT_THROW(static_cast<void>(stepper.choose(Execute{rho})), LimitReached);
    EXPECT_EQ(stepper.bookmark(), here) << "nothing happens, and the plan stays";
}

TEST(Stepper, ChoicesDoNotCopyThePlan) {
    // A copy for each choice would make a long run quadratic.
    constexpr std::uint32_t count = 1000;
    std::string text = "((";
    for (std::uint32_t i = 0; i < count; ++i) text += "[" + std::to_string(i) + " (x := 1)]";
    Bench b(text + "))");
    Stepper stepper(b.code, Buffering::infinite);
    auto const begin = stepper.bookmark();
    ASSERT_FALSE(stepper.choose(Execute{{0}}));
    Schedule const* const plan = &stepper.plan();
    for (std::uint32_t i = 1; i < count; ++i) ASSERT_FALSE(stepper.choose(Execute{{i}}));
    EXPECT_EQ(&stepper.plan(), plan);
    EXPECT_TRUE(stepper.state().finished());
    auto const end = stepper.bookmark();
    stepper.restore(begin);
    EXPECT_EQ(stepper.plan().size(), 0U) << "a bookmark keeps its plan";
    stepper.restore(end);
    EXPECT_EQ(stepper.plan().size(), count);
    EXPECT_TRUE(stepper.state().finished());
}

} // namespace
} // namespace matchpoint::test
