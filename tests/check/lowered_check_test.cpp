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

/// "K0: 0, K1: never": the collectives that may refuse, with the meeting of each.
std::string returns(std::string const& text, Buffering buffering) {
    Subject const s(text);
    auto const lowered = Lowered::of(s.messages, buffering, lowering::Calls::may_refuse);
    if (!lowered) return lowered.error();
    std::string result;
    for (Lowered::Return const& r : (*lowered)->returns()) {
        auto const& send = (*lowered)->messages().sends()[r.send];
        EXPECT_EQ((*lowered)->raised_send(r.send), std::nullopt);
        EXPECT_EQ(send.wait.is_none(), (*lowered)->buffering() == zero && buffering == infinite);
        result += (result.empty() ? "" : ", ") + s.name(r.call) + ": " +
                  (r.meeting ? std::to_string(*r.meeting) : std::string("never"));
        if (!r.meeting) continue;
        for (Location const rho : (*lowered)->meetings()[*r.meeting]) result += " " + s.name((*lowered)->raised(rho));
    }
    return result;
}

// A collective that may return early waits for a send to nobody, as long as some member has not reached its first
// command. One that needs all does not.
TEST(LoweredCheck, CollectivesThatMayRefuse) {
    for (Buffering const b : {infinite, zero}) {
        EXPECT_EQ(returns("(([00 (collective K0 w gather (root 2))] [01 (sndi S 0 1 1)] [02 (wait S)])"
                          " ([10 (collective K1 w gather (root 2))] [11 (rcvi R 1 x)] [12 (wait R)])"
                          " ([20 (collective K2 w gather (root 2))]))",
                          b),
                  "K0: 0 00 10 20, K1: 0 00 10 20");
        EXPECT_EQ(returns("(([00 (icollective K0 w bcast (root 0))] [01 (wait K0)] [02 (icollective L0 w scan)])"
                          " ([10 (icollective K1 w bcast (root 0))] [11 (collective M1 v barrier)])"
                          " ([20 (collective M2 v barrier)] [21 (ssndi S 2 3 1)] [22 (wait S)]))",
                          b),
                  "K0: 0 00 10");
        EXPECT_EQ(
            returns("(([00 (collective K0 w scan)] [01 (collective L0 w scan)]) ([10 (collective K1 w scan)]))", b),
            "K0: 0 00 10, L0: never");
    }
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
