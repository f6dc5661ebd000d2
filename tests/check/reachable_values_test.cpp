// Which values receives and expressions can have.

#include "check/sat/reachable_values.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/support/all_rooms.hpp"
#include "tests/support/subjects.hpp"

namespace matchpoint::test {
namespace {

using test::Subject;

/// Ascending, as text; "unknown" if that is what they are.
std::string text(std::vector<Value> const* values) {
    if (values == nullptr) return "unknown";
    std::vector<std::int64_t> each;
    for (Value const& v : *values) each.push_back(v.small().value());
    std::sort(each.begin(), each.end());
    return fmt::format("{}", fmt::join(each, " "));
}

struct Values {
    explicit Values(std::string program)
        : s(std::move(program)), flow(s.messages), pairs(overapprox(s.messages)), values(flow, pairs) {}

    std::string of(std::string_view receive) { return text(values.of_receive(s.receive(receive))); }
    /// The values of the left operand of assertion number i.
    std::string asserted(std::size_t i) {
        return text(values.of(flow.resolved_operands(flow.assertions()[i]).front()));
    }

    Subject s;
    DataFlow flow;
    MatchPairs pairs;
    ReachableValues values;
};

TEST(ReachableValues, OfReceivesAndOperations) {
    Values v(R"((([a (rcvi R0 0 x)] [b (wait R0)] [c (rcvi R1 0 y)] [d (wait R1)] [e (z := (* x y))]
                  [f (assert (= (+ x y) 0))] [g (assert (= z 0))] [h (assert (= (- z 1) 0))]
                  [i (assert (= (div 12 (- x 1)) 0))] bot)
                 ([j (sndi S0 1 0 1)] bot)
                 ([k (sndi S1 2 0 2)] bot)
                 ([l (sndi S2 3 0 5)] bot)))");
    EXPECT_EQ(v.of("R0"), "1 2 5");
    EXPECT_EQ(v.asserted(0), "2 3 4 6 7 10"); // of each operand any, though not both the same message
    EXPECT_EQ(v.asserted(1), "1 2 4 5 10 25");
    EXPECT_EQ(v.asserted(2), "0 1 3 4 9 24");
    EXPECT_EQ(v.asserted(3), "3 12"); // nothing is divided by zero
}

// As far as pairs go, what A sends can come back to it.
constexpr char const* circle = R"((([a (rcvi R0 0 x)] [b (wait R0)] [c (sndi S0 0 1 (+ x 1))]
                                    [d (rcvi R1 0 y)] [e (wait R1)] [f (assert (= y 0))] bot)
                                   ([g (rcvi R2 1 z)] [h (wait R2)] [i (sndi S1 1 0 (+ z 1))] bot)
                                   ([j (sndi S2 2 0 1)] bot)))";

TEST(ReachableValues, GoRoundACircleAsOftenAsTheyCan) {
    Values v(circle);
    // 1, and what went round once; one round too many is no harm, but there is an end.
    std::string const x = v.of("R0");
    EXPECT_TRUE(x.starts_with("1 3")) << x;
    EXPECT_LT(x.size(), std::string("1 3 5 7 9").size()) << x;
    EXPECT_TRUE(v.of("R1").starts_with("1 3"));
}

TEST(ReachableValues, AreNotKnownIfTheyAreMany) {
    std::string text =
        "(([a (rcvi R0 0 x)] [b (wait R0)] [c (rcvi R1 1 y)] [d (wait R1)] [e (assert (= (+ x 1) 0))] bot)\n";
    for (int i = 0; i < 301; ++i) text += fmt::format("([s{0} (sndi S{0} {1} 0 {0})] bot)\n", i, i + 2);
    text += "([z (sndi Z 1000 1 5)] bot))";
    Values v(text);
    EXPECT_EQ(v.of("R0"), "unknown");
    EXPECT_EQ(v.of("R1"), "5");
    EXPECT_EQ(v.asserted(0), "unknown");
}

TEST(ReachableValues, AreNotKnownWithoutABudget) {
    Subject const s(circle);
    DataFlow const flow(s.messages);
    MatchPairs const pairs = overapprox(s.messages);
    ReachableValues values(flow, pairs, 3);
    EXPECT_EQ(values.of_receive(0), nullptr);
}

} // namespace
} // namespace matchpoint::test
