// op(v_l, v_r): every operator, on small and large integers and on booleans.

#include <gtest/gtest.h>

#include <array>

#include "base/integer.hpp"
#include "grammar/operators.hpp"
#include "machine/operation.hpp"
#include "tests/support/all_rooms.hpp"

namespace matchpoint::test {
namespace {

Value v(std::string_view text) {
    if (text == "true" || text == "false") return Value::boolean(text == "true");
    return Value::parse_integer(text);
}

std::string text_of(std::variant<Value, Reason> const& result) {
    if (auto const* const reason = std::get_if<Reason>(&result)) return std::string(to_string(*reason));
    return std::get<Value>(result).to_string();
}

std::string op(std::string_view name, std::string_view l, std::string_view r) {
    return text_of(apply(parse_op(name).value(), v(l), v(r)));
}

struct Row {
    char const* op;
    char const* l;
    char const* r;
    char const* result;
};

void check(std::initializer_list<Row> rows) {
    for (auto const& [name, l, r, result] : rows)
        EXPECT_EQ(op(name, l, r), result) << "(" << name << " " << l << " " << r << ")";
}

TEST(Operation, OnSmallIntegers) {
    check({{"+", "2", "3", "5"},     {"+", "2", "-3", "-1"},    {"-", "2", "3", "-1"},    {"-", "-2", "-3", "1"},
           {"*", "2", "3", "6"},     {"*", "-2", "3", "-6"},    {"*", "0", "-3", "0"},    {"=", "2", "2", "true"},
           {"=", "2", "3", "false"}, {"!=", "2", "2", "false"}, {"!=", "2", "3", "true"}, {"<", "2", "3", "true"},
           {"<", "3", "3", "false"}, {"<", "4", "3", "false"},  {"<", "-4", "3", "true"}, {"<=", "2", "3", "true"},
           {"<=", "3", "3", "true"}, {"<=", "4", "3", "false"}, {">", "2", "3", "false"}, {">", "3", "3", "false"},
           {">", "4", "3", "true"},  {">=", "2", "3", "false"}, {">=", "3", "3", "true"}, {">=", "4", "3", "true"}});
}

// SMT-LIB's: the remainder is never negative.
TEST(Operation, DivisionIsEuclidean) {
    check({{"div", "7", "2", "3"},   {"mod", "7", "2", "1"},   {"div", "-7", "2", "-4"}, {"mod", "-7", "2", "1"},
           {"div", "7", "-2", "-3"}, {"mod", "7", "-2", "1"},  {"div", "-7", "-2", "4"}, {"mod", "-7", "-2", "1"},
           {"div", "8", "2", "4"},   {"mod", "8", "2", "0"},   {"div", "-8", "2", "-4"}, {"mod", "-8", "2", "0"},
           {"div", "8", "-2", "-4"}, {"mod", "8", "-2", "0"},  {"div", "-8", "-2", "4"}, {"mod", "-8", "-2", "0"},
           {"div", "0", "5", "0"},   {"mod", "0", "-5", "0"},  {"div", "2", "7", "0"},   {"mod", "2", "7", "2"},
           {"div", "-2", "7", "-1"}, {"mod", "-2", "7", "5"},  {"div", "2", "-7", "0"},  {"mod", "2", "-7", "2"},
           {"div", "-2", "-7", "1"}, {"mod", "-2", "-7", "5"}, {"div", "-1", "1", "-1"}, {"mod", "-1", "1", "0"}});
}

TEST(Operation, DivisionOfLargeIntegersIsEuclidean) {
    // 10^30 + 1 and 10^15, with all signs.
    check({{"div", "1000000000000000000000000000001", "1000000000000000", "1000000000000000"},
           {"mod", "1000000000000000000000000000001", "1000000000000000", "1"},
           {"div", "-1000000000000000000000000000001", "1000000000000000", "-1000000000000001"},
           {"mod", "-1000000000000000000000000000001", "1000000000000000", "999999999999999"},
           {"div", "1000000000000000000000000000001", "-1000000000000000", "-1000000000000000"},
           {"mod", "1000000000000000000000000000001", "-1000000000000000", "1"},
           {"div", "-1000000000000000000000000000001", "-1000000000000000", "1000000000000001"},
           {"mod", "-1000000000000000000000000000001", "-1000000000000000", "999999999999999"},
           // Without a remainder.
           {"div", "-1000000000000000000000000000000", "1000000000000000", "-1000000000000000"},
           {"mod", "-1000000000000000000000000000000", "1000000000000000", "0"},
           {"div", "-1000000000000000000000000000000", "-1000000000000000", "1000000000000000"},
           {"mod", "-1000000000000000000000000000000", "-1000000000000000", "0"},
           // A large divisor of a small number.
           {"div", "5", "1000000000000000000000000000000", "0"},
           {"mod", "5", "1000000000000000000000000000000", "5"},
           {"div", "-5", "1000000000000000000000000000000", "-1"},
           {"mod", "-5", "1000000000000000000000000000000", "999999999999999999999999999995"},
           {"div", "-5", "-1000000000000000000000000000000", "1"},
           {"mod", "-5", "-1000000000000000000000000000000", "999999999999999999999999999995"}});
}

// For a divisor d: n = d * (div n d) + (mod n d) and 0 <= (mod n d) < |d|.
TEST(Operation, DivisionAndRemainderBelongTogether) {
    std::array<std::string_view, 14> const numbers{"0",
                                                   "1",
                                                   "-1",
                                                   "2",
                                                   "-2",
                                                   "3",
                                                   "-3",
                                                   "10",
                                                   "-10",
                                                   "4611686018427387903",
                                                   "-4611686018427387904",
                                                   "9223372036854775807",
                                                   "-9223372036854775808",
                                                   "-170141183460469231731687303715884105728"};
    int checked = 0;
    for (auto const n : numbers)
        for (auto const d : numbers) {
            if (d == "0") continue;
            Integer const q = to_integer(std::get<Value>(apply(Op::div, v(n), v(d))));
            Integer const m = to_integer(std::get<Value>(apply(Op::mod, v(n), v(d))));
            EXPECT_EQ(to_integer(v(d)) * q + m, to_integer(v(n))) << n << " by " << d;
            EXPECT_TRUE(m >= 0 && m < abs(to_integer(v(d)))) << n << " by " << d;
            ++checked;
        }
    EXPECT_EQ(checked, 14 * 13);
}

TEST(Operation, OverflowsIntoLargeIntegers) {
    check({// 63 bits: what fits into the word.
           {"+", "4611686018427387903", "1", "4611686018427387904"},
           {"-", "-4611686018427387904", "1", "-4611686018427387905"},
           {"+", "4611686018427387903", "4611686018427387903", "9223372036854775806"},
           {"-", "-4611686018427387904", "4611686018427387903", "-9223372036854775807"},
           {"+", "-4611686018427387904", "-4611686018427387904", "-9223372036854775808"},
           {"div", "-4611686018427387904", "-1", "4611686018427387904"},
           {"mod", "-4611686018427387904", "-1", "0"},
           // Products that fit into 63 bits, into 64, and into no word.
           {"*", "2147483648", "2147483648", "4611686018427387904"},
           {"*", "2147483647", "2147483647", "4611686014132420609"},
           {"*", "3037000499", "3037000499", "9223372030926249001"},
           {"*", "4294967296", "2147483648", "9223372036854775808"},
           {"*", "-4294967296", "2147483648", "-9223372036854775808"},
           {"*", "4294967296", "4294967296", "18446744073709551616"},
           {"*", "-4611686018427387904", "-4611686018427387904", "21267647932558653966460912964485513216"},
           // INT64's borders.
           {"+", "9223372036854775807", "1", "9223372036854775808"},
           {"-", "-9223372036854775808", "1", "-9223372036854775809"},
           {"div", "-9223372036854775808", "-1", "9223372036854775808"},
           {"mod", "-9223372036854775808", "-1", "0"},
           {"*", "-9223372036854775808", "-1", "9223372036854775808"}});
    // And back into the word.
    auto const sum = apply(Op::plus, v("4611686018427387904"), v("-1"));
    EXPECT_EQ(std::get<Value>(sum).small(), 4611686018427387903);
    auto const product = apply(Op::times, v("18446744073709551616"), v("0"));
    EXPECT_EQ(std::get<Value>(product).small(), 0);
}

TEST(Operation, OnLargeIntegers) {
    char const* const big = "100000000000000000000";
    char const* const more = "100000000000000000001";
    check({{"+", big, "1", more},
           {"-", big, more, "-1"},
           {"-", more, big, "1"},
           {"*", big, big, "10000000000000000000000000000000000000000"},
           {"*", big, "-1", "-100000000000000000000"},
           {"=", big, big, "true"},
           {"=", big, more, "false"},
           {"=", big, "1", "false"},
           {"!=", big, more, "true"},
           {"!=", big, big, "false"},
           {"<", big, more, "true"},
           {"<", more, big, "false"},
           {"<", big, big, "false"},
           {"<", "1", big, "true"},
           {"<=", big, big, "true"},
           {"<=", more, big, "false"},
           {">", more, big, "true"},
           {">", big, big, "false"},
           {">=", big, big, "true"},
           {">=", big, more, "false"},
           {"<", "-100000000000000000000", "0", "true"}});
}

TEST(Operation, OnBooleans) {
    check({{"and", "true", "true", "true"},    {"and", "true", "false", "false"}, {"and", "false", "true", "false"},
           {"and", "false", "false", "false"}, {"or", "true", "true", "true"},    {"or", "true", "false", "true"},
           {"or", "false", "true", "true"},    {"or", "false", "false", "false"}, {"xor", "true", "true", "false"},
           {"xor", "true", "false", "true"},   {"xor", "false", "true", "true"},  {"xor", "false", "false", "false"},
           {"=>", "true", "true", "true"},     {"=>", "true", "false", "false"},  {"=>", "false", "true", "true"},
           {"=>", "false", "false", "true"},   {"=", "true", "true", "true"},     {"=", "true", "false", "false"},
           {"=", "false", "false", "true"},    {"!=", "true", "true", "false"},   {"!=", "true", "false", "true"}});
    EXPECT_EQ(text_of(apply(Op::not_, Value::boolean(true))), "false");
    EXPECT_EQ(text_of(apply(Op::not_, Value::boolean(false))), "true");
}

// Every operator with every pair of sorts: a value exactly where its sorts fit.
TEST(Operation, WantsItsSorts) {
    std::array<std::string_view, 3> const samples{"1", "100000000000000000000", "true"};
    for (std::size_t i = 0; i < op_count; ++i) {
        Op const o = static_cast<Op>(i);
        if (arity(o) != 2) continue;
        for (auto const l : samples)
            for (auto const r : samples) {
                bool const bl = l == "true";
                bool const br = r == "true";
                OperandSort const wanted = operand_sort(o, 0);
                bool const fits = wanted == OperandSort::integer   ? !bl && !br
                                  : wanted == OperandSort::boolean ? bl && br
                                                                   : bl == br;
                auto const result = apply(o, v(l), v(r));
                ASSERT_EQ(std::holds_alternative<Value>(result), fits) << to_string(o) << " " << l << " " << r;
                if (fits) {
                    EXPECT_EQ(std::get<Value>(result).is_boolean(), gives_boolean(o, br)) << to_string(o);
                    continue;
                }
                auto const& reason = std::get<reason::OperandOfWrongSort>(std::get<Reason>(result));
                EXPECT_EQ(reason.op, o);
                EXPECT_EQ(reason.v_l, v(l));
                EXPECT_EQ(reason.v_r, v(r));
            }
    }
    for (auto const a : samples)
        for (auto const b : samples) {
            std::array const chosen{v("true"), v(a), v(b)};
            EXPECT_EQ(std::get<Value>(machine::apply(Op::ite, chosen)), v(a));
            std::array const other{v("false"), v(a), v(b)};
            EXPECT_EQ(std::get<Value>(machine::apply(Op::ite, other)), v(b));
            std::array const no_condition{v("1"), v(a), v(b)};
            auto const result = machine::apply(Op::ite, no_condition);
            EXPECT_EQ(std::get<reason::OperandOfWrongSort>(std::get<Reason>(result)).v_l, v("1"));
        }
    auto const not_integer = apply(Op::not_, v("1"));
    auto const& reason = std::get<reason::OperandOfWrongSort>(std::get<Reason>(not_integer));
    EXPECT_EQ(reason.op, Op::not_);
    EXPECT_EQ(reason.v_l, v("1"));
    EXPECT_TRUE(reason.v_r.is_bot());
}

TEST(Operation, WantsADivisor) {
    for (Op const o : {Op::div, Op::mod})
        for (auto const l : {"0", "7", "-7", "100000000000000000000"}) {
            auto const result = apply(o, v(l), v("0"));
            auto const& reason = std::get<reason::DivisionByZero>(std::get<Reason>(result));
            EXPECT_EQ(reason.op, o);
            EXPECT_EQ(reason.v_l, v(l));
        }
    EXPECT_EQ(op("*", "7", "0"), "0"); // others do without
}

TEST(Operation, LimitReached) {
    auto const power_of_two = [](unsigned bits) { return to_value(Integer(Integer(1) << bits)); };
    unsigned const max_bits = static_cast<unsigned>(Value::max_bits);
    Value const largest = to_value(Integer((Integer(1) << max_bits) - 1));
    EXPECT_THROW(static_cast<void>(apply(Op::plus, largest, v("1"))), LimitReached);
    EXPECT_THROW(static_cast<void>(apply(Op::minus, v("-1"), largest)), LimitReached);
    EXPECT_EQ(std::get<Value>(apply(Op::minus, largest, largest)), v("0"));
    EXPECT_EQ(to_integer(std::get<Value>(apply(Op::times, largest, v("-1")))), -to_integer(largest));
    try {
        static_cast<void>(apply(Op::times, largest, largest));
        FAIL();
    } catch (LimitReached const& e) {
        EXPECT_STREQ(e.what(), "a product of more than 16777216 bits");
    }
    // 2^k * 2^l has k + l + 1 bits.
    EXPECT_EQ(std::get<Value>(apply(Op::times, power_of_two(max_bits - 64), power_of_two(63))),
              power_of_two(max_bits - 1));
    // What has k and l bits multiplies to k + l bits, or one less: known only afterwards at the border.
    Value const three_quarters = to_value(Integer(Integer(3) << (max_bits - 65)));
    try {
        static_cast<void>(apply(Op::times, three_quarters, to_value(Integer(Integer(3) << 62U))));
        FAIL();
    } catch (LimitReached const& e) {
        EXPECT_STREQ(e.what(), "an integer of more than 16777216 bits (about 5050445 digits)");
    }
}

} // namespace
} // namespace matchpoint::test
