// Intervals of what is computed: operators, what grows from constants, what requirements leave, and what they must not.
// That no run is lost is the subject of tests/properties/check_test.cpp.

#include "check/sat/value_bounds.hpp"
#include "grammar/operators.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "machine/operation.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/subjects.hpp"

namespace matchpoint::test {
namespace {

using test::Subject;
using Interval = ValueBounds::Interval;
constexpr std::int64_t far = Interval::far;

struct Bounds {
    explicit Bounds(std::string program, std::size_t budget = 5'000'000)
        : s(std::move(program)), flow(s.messages), bounds(flow, overapprox(s.messages), budget) {}

    bool require_assumptions() {
        std::vector<Requirement> required;
        for (std::uint32_t const n : flow.assumptions()) required.push_back({n, true});
        return bounds.require(required);
    }
    /// Whether assertion i may fail, and whether it may hold.
    bool may_fail(std::size_t i) { return bounds.may_hold({flow.assertions()[i], false}); }
    bool may_hold(std::size_t i) { return bounds.may_hold({flow.assertions()[i], true}); }
    bool has(std::string_view r, std::string_view send) {
        return bounds.pairs().contains({s.receive(r), s.send(send)});
    }

    Subject s;
    DataFlow flow;
    ValueBounds bounds;
};

Interval applied(Op op, Interval a, Interval b) { return ValueBounds::apply(op, std::array{a, b}); }

bool contains(Interval i, Value const& v) {
    std::int64_t const n = v.is_boolean() ? (v.is_true() ? 1 : 0) : v.small().value();
    return i.lo <= n && n <= i.hi;
}

TEST(ValueBounds, OperatorsHaveAllTheirResults) {
    constexpr int n = 4;
    std::size_t results = 0;
    for (Op const op : {Op::plus, Op::minus, Op::times, Op::div, Op::mod, Op::equal, Op::not_equal, Op::less,
                        Op::less_equal, Op::greater, Op::greater_equal})
        for (int a = -n; a <= n; ++a)
            for (int b = a; b <= n; ++b)
                for (int c = -n; c <= n; ++c)
                    for (int d = c; d <= n; ++d) {
                        Interval const all = applied(op, {a, b}, {c, d});
                        for (int i = a; i <= b; ++i)
                            for (int k = c; k <= d; ++k) {
                                auto const v = apply(op, Value::integer(i), Value::integer(k));
                                if (auto const* const value = std::get_if<Value>(&v)) {
                                    ++results;
                                    ASSERT_TRUE(contains(all, *value)) << to_string(op) << ' ' << i << ' ' << k;
                                }
                            }
                    }
    for (Op const op : {Op::equal, Op::not_equal, Op::and_, Op::or_, Op::xor_, Op::implies})
        for (int a = 0; a < 2; ++a)
            for (int b = 0; b < 2; ++b) {
                auto const v = std::get<Value>(apply(op, Value::boolean(a == 1), Value::boolean(b == 1)));
                std::int64_t const is = v.is_true() ? 1 : 0;
                EXPECT_EQ(applied(op, {a, a}, {b, b}), (Interval{is, is})) << to_string(op);
                EXPECT_TRUE(contains(applied(op, {0, 1}, {b, b}), v)) << to_string(op);
                EXPECT_TRUE(contains(applied(op, {a, a}, {0, 1}), v)) << to_string(op);
            }
    EXPECT_EQ(ValueBounds::apply(Op::not_, std::array{Interval{0, 0}}), (Interval{1, 1}));
    EXPECT_EQ(ValueBounds::apply(Op::not_, std::array{Interval{1, 1}}), (Interval{0, 0}));
    EXPECT_GT(results, 200'000U);
}

TEST(ValueBounds, OperatorsAreExactWhereTheyCanBe) {
    EXPECT_EQ(applied(Op::plus, {1, 2}, {10, 20}), (Interval{11, 22}));
    EXPECT_EQ(applied(Op::minus, {1, 2}, {10, 20}), (Interval{-19, -8}));
    EXPECT_EQ(applied(Op::times, {-1, 2}, {-10, 20}), (Interval{-20, 40}));
    EXPECT_EQ(applied(Op::less, {1, 2}, {3, 4}), (Interval{1, 1}));
    EXPECT_EQ(applied(Op::less, {1, 3}, {3, 4}), (Interval{0, 1}));
    EXPECT_EQ(applied(Op::less, {3, 4}, {1, 3}), (Interval{0, 0}));
    EXPECT_EQ(applied(Op::less_equal, {1, 3}, {3, 4}), (Interval{1, 1}));
    EXPECT_EQ(applied(Op::equal, {1, 3}, {4, 4}), (Interval{0, 0}));
    EXPECT_EQ(applied(Op::equal, {4, 4}, {4, 4}), (Interval{1, 1}));
    EXPECT_TRUE(applied(Op::plus, {}, {1, 1}).is_empty());
}

TEST(ValueBounds, WhatIsFarIsNoNumber) {
    Interval const most{far, far}, least{-far, -far}, none = Interval::all(), above{3, far};
    for (Interval const& i : {most, least, none, above}) {
        EXPECT_EQ(applied(Op::equal, i, i), (Interval{0, 1}));
        EXPECT_EQ(applied(Op::less_equal, i, i), (Interval{0, 1}));
        EXPECT_EQ(applied(Op::less, i, i), (Interval{0, 1}));
    }
    EXPECT_EQ(applied(Op::less, least, most), (Interval{1, 1}));
    EXPECT_EQ(applied(Op::less, {0, 2}, above), (Interval{1, 1}));
    EXPECT_EQ(applied(Op::plus, above, {-3, 1}), (Interval{0, far}));
    EXPECT_EQ(applied(Op::plus, most, {-3, 1}), (Interval{far - 3, far}));
    EXPECT_EQ(applied(Op::minus, {0, 0}, above), (Interval{-far, -3}));
    EXPECT_EQ(applied(Op::times, above, {0, 1}), none);
    EXPECT_EQ(ValueBounds::of(Value::integer(far + 5)), most);
    EXPECT_EQ(ValueBounds::of(std::get<Value>(apply(Op::times, Value::integer(far), Value::integer(far)))), none);
    EXPECT_EQ(ValueBounds::of(Value::boolean(true)), (Interval{1, 1}));
}

// A value goes from a to b to c and back, one more each time; where it goes in is d's and e's matter.
constexpr char const* growing_circle =
    R"((([a (rcvi R0 0 x)] [b (wait R0)] [c (sndi S0 0 1 (+ x 1))] [d (assert (>= x 5))]
                                    [e (assert (<= x 8))] bot)
                                   ([f (rcvi R1 1 y)] [g (wait R1)] [h (z := (+ y 1))] [i (sndi S1 1 2 z)]
                                    [j (assert (>= z 7))] [k (assert (>= z 8))] bot)
                                   ([l (rcvi R2 2 u)] [m (wait R2)] [n (sndi S2 2 0 (+ u 1))] bot)
                                   ([o (sndi S3 3 0 5)] bot)
                                   ([p (sndi S4 4 1 7)] bot)))";

TEST(ValueBounds, GrowFromConstants) {
    Bounds b(growing_circle);
    ASSERT_TRUE(b.bounds.require({}));
    EXPECT_FALSE(b.may_fail(0)); // 5 is the least that comes in
    EXPECT_TRUE(b.may_hold(0));
    EXPECT_TRUE(b.may_fail(1)); // by 7 + 1 + 1 ..., as far as the circle goes
    EXPECT_FALSE(b.may_fail(2));
    EXPECT_TRUE(b.may_fail(3));
    EXPECT_EQ(b.bounds.pairs(), overapprox(b.s.messages));
}

TEST(ValueBounds, WhatNothingLeadsToIsInNoRun) {
    constexpr char const* both = R"((([a (rcvi R0 0 x)] [b (wait R0)] [c (sndi S0 0 1 x)] [d (assert (= x 0))] bot)
                                     ([e (rcvi R1 1 y)] [f (wait R1)] [g (sndi S1 1 0 y)] bot){}))";
    EXPECT_FALSE(Bounds(fmt::format(both, "")).bounds.require({}));
    Bounds b(fmt::format(both, "([h (sndi S2 2 1 4)] bot)"));
    ASSERT_TRUE(b.bounds.require({}));
    EXPECT_TRUE(b.may_fail(0));
    EXPECT_FALSE(b.may_hold(0)); // it is 4
}

/// What is received first is no more than what is received next: by a branch.
std::string least_of_two(std::string_view first, std::string_view second, bool assumed) {
    return fmt::format(R"((([a (rcvi R0 0 x)] [b (wait R0)] [c (rcvi R1 0 y)] [d (wait R1)] {}
                            [e (assert (= x 1))] [f (assert (= y 1))] bot)
                           ([g (rcvi R2 1 u)] [h (wait R2)] [i (sndi S0 1 0 {})] bot)
                           ([j (rcvi R3 2 v)] [k (wait R3)] [l (sndi S1 2 0 {})] bot)
                           ([m (sndi S2 3 1 1)] bot)
                           ([n (sndi S3 4 2 2)] bot)))",
                       assumed ? "[z (assume (>= y x))]" : "", first, second);
}

TEST(ValueBounds, TheOtherMessageIsTheOneThatIsLeft) {
    // That x <= y excludes R0 = S1, although R1 alone may get as much.
    Bounds b(least_of_two("u", "v", true));
    ASSERT_TRUE(b.require_assumptions());
    EXPECT_TRUE(b.has("R0", "S0"));
    EXPECT_FALSE(b.has("R0", "S1"));
    EXPECT_FALSE(b.has("R1", "S0")); // as R0 has it
    EXPECT_TRUE(b.has("R1", "S1"));
    EXPECT_FALSE(b.may_fail(0));
    EXPECT_FALSE(b.may_hold(1));
}

TEST(ValueBounds, WithoutAnAssumptionAllIsLeft) {
    Bounds b(least_of_two("u", "v", false));
    ASSERT_TRUE(b.require_assumptions());
    EXPECT_EQ(b.bounds.pairs(), overapprox(b.s.messages));
    EXPECT_TRUE(b.may_fail(0));
    EXPECT_TRUE(b.may_hold(1));
}

TEST(ValueBounds, AnAssumptionThatDecidesNothingLeavesAll) {
    Bounds b(least_of_two("(+ u 1)", "v", true)); // both are 2
    ASSERT_TRUE(b.require_assumptions());
    EXPECT_EQ(b.bounds.pairs(), overapprox(b.s.messages));
    EXPECT_FALSE(b.may_hold(0));
}

TEST(ValueBounds, WhatIsLeftGoesOn) {
    // x <= y leaves x = 1, so w is 2, and the next thread cannot have 3 first.
    Bounds b(R"((([a (rcvi R0 0 x)] [b (wait R0)] [c (rcvi R1 0 y)] [d (wait R1)] [z (assume (>= y x))]
                  [w (w := (+ x 1))] [s (sndi S4 0 5 w)] bot)
                 ([g (rcvi R2 1 u)] [h (wait R2)] [i (sndi S0 1 0 u)] bot)
                 ([j (rcvi R3 2 v)] [k (wait R3)] [l (sndi S1 2 0 v)] bot)
                 ([m (sndi S2 3 1 1)] bot)
                 ([n (sndi S3 4 2 9)] bot)
                 ([o (rcvi R4 5 p)] [q (wait R4)] [r (rcvi R5 5 t)] [t (wait R5)] [y (assume (>= t p))]
                  [e (assert (= p 2))] bot)
                 ([f (sndi S5 6 5 3)] bot)))");
    ASSERT_TRUE(b.require_assumptions());
    EXPECT_FALSE(b.has("R4", "S5"));
    EXPECT_FALSE(b.may_fail(0));
}

TEST(ValueBounds, NoRunIsLeft) {
    Bounds b(least_of_two("u", "v", true));
    EXPECT_TRUE(b.require_assumptions());
    Requirement const fails{b.flow.assertions()[0], false};
    EXPECT_FALSE(b.bounds.require(std::span(&fails, 1)));
}

TEST(ValueBounds, WithoutABudgetNothingIsFoundOut) {
    for (std::size_t const budget : {0U, 1U, 5U, 20U, 40U}) {
        Bounds b(least_of_two("u", "v", true), budget);
        ASSERT_TRUE(b.require_assumptions()) << budget;
        if (b.has("R0", "S1")) {
            EXPECT_TRUE(b.may_fail(0)) << budget;
        }
        EXPECT_TRUE(b.has("R0", "S0"));
    }
    Bounds b(least_of_two("u", "v", true), 1);
    EXPECT_TRUE(b.require_assumptions());
    EXPECT_EQ(b.bounds.pairs(), overapprox(b.s.messages));
    EXPECT_TRUE(b.may_fail(0));
}

TEST(ValueBounds, AreOfUseWhereSomethingIsComputed) {
    auto const is_of_use = [](std::string program) {
        Subject const s(std::move(program));
        return ValueBounds::is_of_use(DataFlow(s.messages));
    };
    EXPECT_TRUE(is_of_use(growing_circle));
    EXPECT_FALSE(is_of_use("(([a (rcvi R 0 x)] [b (wait R)] [c (assert (= x 0))] bot) ([d (sndi S 1 0 1)] bot))"));
    // Nobody looks at what is computed.
    EXPECT_FALSE(is_of_use("(([a (rcvi R 0 x)] [b (wait R)] [c (sndi T 0 1 x)] bot)"
                           " ([d (sndi S 1 0 1)] [e (rcvi Q 1 y)] [f (wait Q)] bot))"));
}

// ---- Each inference, where it applies and where it does not ----

TEST(Inference, Reach) {
    constexpr char const* both = R"((([a (rcvi R0 0 x)] [b (wait R0)] [c (sndi S0 0 1 x)] [d (assert (= x 0))] bot)
                                     ([e (rcvi R1 1 y)] [f (wait R1)] [g (sndi S1 1 0 y)] bot){}))";
    Bounds unreached(fmt::format(both, ""));
    EXPECT_FALSE(unreached.bounds.require({}));
    EXPECT_EQ(unreached.bounds.counts()[Inference::reach], 1U);
    Bounds reached(fmt::format(both, "([h (sndi S2 2 1 4)] bot)"));
    EXPECT_TRUE(reached.bounds.require({}));
    EXPECT_EQ(reached.bounds.counts()[Inference::reach], 0U);
}

TEST(Inference, FilterAndSoleSend) {
    Bounds applies(least_of_two("u", "v", true));
    ASSERT_TRUE(applies.require_assumptions());
    EXPECT_EQ(applies.bounds.counts()[Inference::filter], 1U);    // R0 = S1
    EXPECT_EQ(applies.bounds.counts()[Inference::sole_send], 1U); // R1 = S0
    Bounds does_not(least_of_two("(+ u 1)", "v", true));
    ASSERT_TRUE(does_not.require_assumptions());
    EXPECT_EQ(does_not.bounds.counts()[Inference::filter], 0U);
    EXPECT_EQ(does_not.bounds.counts()[Inference::sole_send], 0U);
}

} // namespace
} // namespace matchpoint::test
