// check() on programs with selectors, modes and barriers: what it does about limits, and about executions of the
// lowered program that are not executions of the program.
#include "check/lowered_check.hpp"

#include <gtest/gtest.h>

#include "base/limits.hpp"
#include "lowering/lowered.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/subjects.hpp"

namespace matchpoint::test {
namespace {

TEST(LoweredCheck, ADeadlockThatIsNoneOfTheProgramIsAnInternalError) {
    auto const text = [](std::string const& source) {
        return "(([0 (rcvi r 0 x (from " + source + "))] [1 (wait r)]) ([2 (sndi s 1 0 1)]))";
    };
    Subject const program(text("1"));
    Subject const other(text("2")); // its receive gets nothing
    auto const lowered = Lowered::of(other.messages, Buffering::infinite);
    ASSERT_TRUE(lowered);
    EXPECT_EQ(check_lowered(other.messages, **lowered, {}).deadlock.answer, Reached::Answer::yes);
    EXPECT_THROW(static_cast<void>(check_lowered(program.messages, **lowered, {})), std::logic_error);
}

TEST(LoweredCheck, TimeThatIsUpWhileItIsLowered) {
    std::string text = "((";
    for (int i = 0; i < 200'000; ++i) text += "[c" + std::to_string(i) + " (x := 1)]";
    Subject const s(text + "[b (barrier b)]))");
    for (EngineChoice const engine : {EngineChoice::automatic, EngineChoice::sat, EngineChoice::smt}) {
        CheckOptions options;
        options.engine = engine;
        Watch const watch([] { return true; }); // of the caller
        CheckResult const result = check::check(s.messages, options);
        EXPECT_EQ(result.verdict, Verdict::unknown);
        ASSERT_FALSE(result.trouble.empty());
        EXPECT_EQ(result.trouble.front(), (Trouble{Trouble::Kind::limit, "out of time"}));
    }
}

/// Every second receive admits only what comes from endpoint 1, the others everything: so the program is not lowered.
std::string not_lowered(std::size_t receives, std::size_t sends) {
    std::string text = "((";
    for (std::size_t i = 0; i < receives; ++i) {
        std::string const n = std::to_string(i);
        text += "[r" + n + " (rcvi R" + n + " 0 x" + n + (i % 2 == 0 ? " (from 1)" : "") + ")] [w" + n + " (wait R" +
                n + ")]";
    }
    text += ") (";
    for (std::size_t i = 0; i < sends; ++i) {
        std::string const n = std::to_string(i);
        text += "[s" + n + " (sndi S" + n + " 1 0 1)]";
    }
    return text + "))";
}

TEST(LoweredCheck, ASolverIsNotAskedAboutTooMuch_AndItSaysSo) {
    Subject const s(not_lowered(20, 500));
    ASSERT_FALSE(Lowered::of(s.messages, Buffering::infinite));
    CheckOptions options;
    options.engine = EngineChoice::smt;
    CheckResult const result = check::check(s.messages, options);
    EXPECT_EQ(result.verdict, Verdict::unknown);
    EXPECT_EQ(result.work.solver_calls, 0u);
    ASSERT_EQ(result.trouble.size(), 1u);
    EXPECT_EQ(result.trouble.front().kind, Trouble::Kind::limit);
}

TEST(LoweredCheck, WhyAProgramIsNotLowered) {
    Subject const s(not_lowered(2, 1));
    auto const lowered = Lowered::of(s.messages, Buffering::infinite);
    ASSERT_FALSE(lowered);
    EXPECT_EQ(lowered.error(),
              "two receives at endpoint 0 admit the same message from endpoint 1, but not the same messages");
}

} // namespace
} // namespace matchpoint::test
