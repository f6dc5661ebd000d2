// Inference `channels`: where it applies, and where it does not.
#include "check/sat/channel_cases.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/all_rooms.hpp"
#include "tests/support/subjects.hpp"

namespace matchpoint::test {
namespace {

/// Whether the assertion may fail if a thread receives x, y and z, and two threads send these values.
bool may_fail(std::string const& assertion, std::vector<std::string> const& first,
              std::vector<std::string> const& second) {
    auto const sends = [](char name, int alpha, std::vector<std::string> const& values) {
        std::string text;
        for (std::size_t i = 0; i < values.size(); ++i)
            text += fmt::format("[{}{} (sndi S{}{} {} 0 {})] ", name, i, name, i, alpha, values[i]);
        return text;
    };
    Subject const s(
        fmt::format("(([a (rcvi R0 0 x)] [b (wait R0)] [c (rcvi R1 0 y)] [d (wait R1)] [e (rcvi R2 0 z)] [f "
                    "(wait R2)] [w (w := (+ x 1))] [g (assert {})] bot) ({}bot) ({}bot))",
                    assertion, sends('p', 1, first), sends('q', 2, second)));
    DataFlow const flow(s.messages);
    ChannelCases cases(flow);
    bool const result = cases.may_hold({flow.assertions().at(0), false});
    EXPECT_EQ(cases.counts()[Inference::channels], result ? 0U : 1U);
    return result;
}

constexpr auto in_order = "(=> (= (mod x 3) (mod y 3)) (< x y))";

TEST(ChannelCases, AppliesToChannelsThatAscend) { EXPECT_FALSE(may_fail(in_order, {"0", "3", "6"}, {"1", "4"})); }

TEST(ChannelCases, DoesNotIfOneDoesNotAscend) {
    EXPECT_TRUE(may_fail(in_order, {"0", "6", "3"}, {"1", "4"}));
    EXPECT_TRUE(may_fail(in_order, {"0", "3", "3"}, {"1", "4"}));
}

TEST(ChannelCases, DoesNotIfTheRemaindersDoNotTellChannelsApart) {
    EXPECT_TRUE(may_fail(in_order, {"0", "3", "6"}, {"9", "12"}));
    EXPECT_TRUE(may_fail(in_order, {"0", "3", "5"}, {"1", "4"}));
}

TEST(ChannelCases, AppliesToChannelsThatDescend) {
    EXPECT_FALSE(may_fail("(=> (= (mod x 3) (mod y 3)) (> x y))", {"6", "3", "0"}, {"-2", "-5"}));
    EXPECT_TRUE(may_fail(in_order, {"6", "3", "0"}, {"4", "1"}));
}

TEST(ChannelCases, KnowsWhichReceiveIsEarlier) {
    EXPECT_TRUE(may_fail("(=> (= (mod x 3) (mod y 3)) (< y x))", {"0", "3", "6"}, {"1", "4"}));
    EXPECT_FALSE(may_fail("(=> (= (mod x 3) (mod z 3)) (<= x z))", {"0", "3", "6"}, {"1", "4"}));
}

TEST(ChannelCases, AppliesByIntervals) {
    EXPECT_FALSE(may_fail("(or (< x 10) (or (< y 2) (< x y)))", {"0", "1"}, {"10", "11", "19"}));
    EXPECT_FALSE(may_fail("(!= (+ x 7) y)", {"0", "1"}, {"0", "2"}));
    EXPECT_TRUE(may_fail("(!= (+ x 2) y)", {"0", "1"}, {"0", "2"}));
}

TEST(ChannelCases, AppliesByRemainders) {
    EXPECT_FALSE(may_fail("(!= (+ x 1) y)", {"0", "10"}, {"4", "12"}));
    EXPECT_FALSE(may_fail("(!= w y)", {"0", "10"}, {"4", "12"})); // w = x + 1
    EXPECT_TRUE(may_fail("(!= (+ x 2) y)", {"0", "10"}, {"4", "12"}));
}

TEST(ChannelCases, AppliesUnderNegations) {
    EXPECT_FALSE(may_fail("(not (= (+ x 1) y))", {"0", "10"}, {"4", "12"}));
    EXPECT_TRUE(may_fail("(not (not (= (+ x 1) y)))", {"0", "10"}, {"4", "12"}));
    EXPECT_TRUE(may_fail("(xor (not (= (+ x 1) y)) (not (= (+ y 1) x)))", {"0", "10"}, {"4", "12"}));
}

TEST(ChannelCases, DoesNotApplyToThreeReceives) {
    EXPECT_TRUE(may_fail("(=> (= (mod x 3) (mod y 3)) (and (< x y) (< z 99)))", {"0", "3", "6"}, {"1", "4"}));
}

TEST(ChannelCases, DoesNotApplyToWhatIsNotKnown) {
    EXPECT_TRUE(may_fail("(=> (= (mod x 3) (mod y 3)) (< x y))", {"0", std::string(40, '9')}, {"1", "4"}));
}

} // namespace
} // namespace matchpoint::test
