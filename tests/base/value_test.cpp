// v: a word holds small integers, booleans and bot; a counted pointer leads to larger integers.

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "base/integer.hpp"
#include "base/value.hpp"
#include "tests/support/all_rooms.hpp"

namespace matchpoint::test {
namespace {

constexpr std::int64_t max_small = 4611686018427387903;  // 2^62 - 1
constexpr std::int64_t min_small = -4611686018427387904; // -2^62

Value large(int n = 0) { return Value::parse_integer("10000000000000000000" + std::to_string(n)); }

TEST(Value, Kinds) {
    Value const bot;
    EXPECT_TRUE(bot.is_bot());
    EXPECT_FALSE(bot.is_boolean() || bot.is_integer() || bot.is_true() || bot.is_false());
    Value const yes = Value::boolean(true);
    EXPECT_TRUE(yes.is_boolean() && yes.is_true());
    EXPECT_FALSE(yes.is_bot() || yes.is_integer() || yes.is_false());
    Value const no = Value::boolean(false);
    EXPECT_TRUE(no.is_boolean() && no.is_false());
    EXPECT_FALSE(no.is_bot() || no.is_integer() || no.is_true());
    for (Value const& i : {Value::integer(0), Value::integer(1), Value::integer(-1), large()}) {
        EXPECT_TRUE(i.is_integer()) << i.to_string();
        EXPECT_FALSE(i.is_bot() || i.is_boolean() || i.is_true() || i.is_false()) << i.to_string();
    }
}

TEST(Value, SmallIntegersEndAt63Bits) {
    EXPECT_EQ(Value::integer(max_small).small(), max_small);
    EXPECT_EQ(Value::integer(min_small).small(), min_small);
    EXPECT_EQ(Value::integer(0).small(), 0);
    EXPECT_EQ(Value::integer(-1).small(), -1);
    EXPECT_EQ(Value::integer(max_small + 1).small(), std::nullopt);
    EXPECT_EQ(Value::integer(min_small - 1).small(), std::nullopt);
    EXPECT_EQ(Value::boolean(true).small(), std::nullopt);
    EXPECT_EQ(Value{}.small(), std::nullopt);
    // The unbounded constructor chooses the same representation.
    EXPECT_EQ(to_value(Integer(max_small)).small(), max_small);
    EXPECT_EQ(to_value(Integer(min_small)).small(), min_small);
    EXPECT_EQ(to_value(Integer(max_small) + 1).small(), std::nullopt);
    EXPECT_EQ(to_value(Integer(min_small) - 1).small(), std::nullopt);
}

TEST(Value, IntegersComeBack) {
    for (std::int64_t const i :
         {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, max_small, max_small + 1, min_small, min_small - 1,
          std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()}) {
        EXPECT_EQ(to_integer(Value::integer(i)), Integer(i));
        EXPECT_EQ(Value::integer(i).to_string(), std::to_string(i));
        EXPECT_EQ(Value::integer(i), to_value(Integer(i)));
        EXPECT_EQ(Value::integer(i), Value::parse_integer(std::to_string(i)));
        EXPECT_EQ(Value::integer(i).hash(), Value::parse_integer(std::to_string(i)).hash());
    }
    EXPECT_THROW(static_cast<void>(to_integer(Value{})), std::logic_error);
    EXPECT_THROW(static_cast<void>(to_integer(Value::boolean(true))), std::logic_error);
}

TEST(Value, Bits) {
    EXPECT_EQ(Value::integer(0).bits(), 0U);
    EXPECT_EQ(Value::integer(1).bits(), 1U);
    EXPECT_EQ(Value::integer(-1).bits(), 1U);
    EXPECT_EQ(Value::integer(255).bits(), 8U);
    EXPECT_EQ(Value::integer(-256).bits(), 9U);
    EXPECT_EQ(Value::integer(min_small).bits(), 63U);
    EXPECT_EQ(Value::integer(max_small).bits(), 62U);
    EXPECT_EQ(to_value(Integer(Integer(1) << 100U)).bits(), 101U);
    EXPECT_EQ(to_value(Integer(-(Integer(1) << 100U))).bits(), 101U);
    EXPECT_EQ(Value{}.bits(), 0U);
    EXPECT_EQ(Value::boolean(true).bits(), 0U);
}

TEST(Value, ToString) {
    EXPECT_EQ(Value{}.to_string(), "bot");
    EXPECT_EQ(Value::boolean(true).to_string(), "true");
    EXPECT_EQ(Value::boolean(false).to_string(), "false");
    EXPECT_EQ(Value::integer(-5).to_string(), "-5");
    EXPECT_EQ(large(7).to_string(), "100000000000000000007");
    EXPECT_EQ(Value::parse_integer("-" + std::string(40, '9')).to_string(), "-" + std::string(40, '9'));
}

TEST(Value, Parse) {
    auto const parse = [](std::string_view digits) { return Value::parse_integer(digits).to_string(); };
    EXPECT_EQ(parse("0"), "0");
    EXPECT_EQ(parse("-0"), "0");
    EXPECT_EQ(parse("+0"), "0");
    EXPECT_EQ(parse("000"), "0");
    EXPECT_EQ(parse("+5"), "5");
    EXPECT_EQ(parse("-5"), "-5");
    EXPECT_EQ(parse("010"), "10"); // not octal
    EXPECT_EQ(parse("09"), "9");
    EXPECT_EQ(parse("-0010"), "-10");
    EXPECT_EQ(parse("999999999999999999"), "999999999999999999");   // 18 digits
    EXPECT_EQ(parse("1000000000000000000"), "1000000000000000000"); // 19
    EXPECT_EQ(parse("-9999999999999999999"), "-9999999999999999999");
    EXPECT_EQ(parse("+00000000000000000000000000000000000000000000000000001"), "1");
    EXPECT_EQ(parse("0100000000000000000000"), "100000000000000000000");
    EXPECT_EQ(Value::parse_integer("0000000000000000000000000000042").small(), 42);
    for (char const* const text : {"", "+", "-", "--5", "+-5", "5-", "0x10", "1 ", " 1", "1.0", "x", "1e5"})
        EXPECT_THROW(static_cast<void>(Value::parse_integer(text)), std::invalid_argument) << text;
}

TEST(Value, Equality) {
    EXPECT_EQ(large(1), large(1));
    EXPECT_NE(large(1), large(2));
    EXPECT_NE(large(1), Value::parse_integer("-100000000000000000001"));
    EXPECT_EQ(large(1).hash(), large(1).hash());
    EXPECT_NE(Value::integer(1), Value::boolean(true));
    EXPECT_NE(Value::integer(0), Value::boolean(false));
    EXPECT_NE(Value::integer(0), Value{});
    EXPECT_NE(Value::boolean(true), Value::boolean(false));
    EXPECT_NE(Value::boolean(false), Value{});
    EXPECT_NE(large(1), Value{});
    EXPECT_NE(large(1), Value::integer(1));
    EXPECT_EQ(Value{}, Value{});
    // Hashes of different values may be equal, but these should not be.
    EXPECT_NE(Value::integer(1).hash(), Value::integer(2).hash());
    EXPECT_NE(large(1).hash(), large(2).hash());
    EXPECT_NE(Value::boolean(true).hash(), Value::boolean(false).hash());
}

TEST(Value, CopiesAndMoves) {
    Value a = large(1);
    Value b = a;
    EXPECT_EQ(a, b);
    Value c = std::move(a);
    EXPECT_EQ(c, large(1));
    EXPECT_TRUE(a.is_bot()); // NOLINT(bugprone-use-after-move): the promise is tested
    a = c;
    EXPECT_EQ(a, large(1));
    a = Value::integer(3);
    EXPECT_EQ(a.small(), 3);
    EXPECT_EQ(b, large(1));
    b = large(2);
    EXPECT_EQ(b, large(2));
    EXPECT_EQ(c, large(1));
    Value const& alias = c;
    c = alias; // to itself
    EXPECT_EQ(c, large(1));
    c = Value{};
    EXPECT_TRUE(c.is_bot());
    b = std::move(c);
    EXPECT_TRUE(b.is_bot());
    std::vector<Value> many(100, large(5));
    many.erase(many.begin(), many.begin() + 50);
    EXPECT_EQ(many, std::vector<Value>(50, large(5)));
}

std::string limit_of(auto make) {
    try {
        static_cast<void>(make());
        return "no limit";
    } catch (LimitReached const& e) {
        return e.what();
    }
}

TEST(Value, LimitReached) {
    unsigned const bits = static_cast<unsigned>(Value::max_bits);
    Integer const beyond = Integer(1) << bits;
    EXPECT_EQ(to_integer(to_value(Integer(beyond - 1))), beyond - 1);
    EXPECT_EQ(to_integer(to_value(Integer(1 - beyond))), 1 - beyond);
    std::string const message = "an integer of more than 16777216 bits (about 5050445 digits)";
    EXPECT_EQ(limit_of([&] { return to_value(beyond); }), message);
    EXPECT_EQ(limit_of([&] { return to_value(Integer(-beyond)); }), message);
    EXPECT_EQ(limit_of([] { return Value::parse_integer(std::string(5'050'446, '9')); }), message);
    EXPECT_EQ(limit_of([] { return Value::parse_integer("-" + std::string(6'000'000, '1')); }), message);
    EXPECT_EQ(Value::parse_integer(std::string(6'000'000, '0') + "7").small(), 7);
}

// What is gone does not count.
TEST(Value, LargeIntegersAreReleased) {
    Integer const big = Integer(1) << (static_cast<unsigned>(Value::max_bits) - 1);
    std::size_t const bytes_each = Value::max_bits / 8;
    for (std::size_t total = 0; total <= Value::max_total_bytes + 10 * bytes_each; total += bytes_each) {
        Value const v = to_value(big);
        Value const copy = v; // copies share their digits
        ASSERT_TRUE(copy.is_integer());
    }
}

} // namespace
} // namespace matchpoint::test
