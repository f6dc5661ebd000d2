#include "base/digits.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/support/all_rooms.hpp"

namespace matchpoint::test {
namespace {

std::string in_base(std::string_view integer, int base) { return digits(Value::parse_integer(integer), base); }

TEST(Digits, InEveryBase) {
    EXPECT_EQ(in_base("255", 16), "0xff");
    EXPECT_EQ(in_base("255", 2), "0b11111111");
    EXPECT_EQ(in_base("255", 8), "0377");
    EXPECT_EQ(in_base("255", 10), "255");
}

TEST(Digits, OfZeroAndOfNegativeNumbers) {
    EXPECT_EQ(in_base("0", 16), "0x0");
    EXPECT_EQ(in_base("0", 8), "0");
    EXPECT_EQ(in_base("-31", 16), "-0x1f");
    EXPECT_EQ(in_base("-8", 8), "-010");
    EXPECT_EQ(in_base("-5", 2), "-0b101");
}

TEST(Digits, BeyondAMachineWord) {
    EXPECT_EQ(in_base("340282366920938463463374607431768211456", 16), "0x1" + std::string(32, '0'));
    EXPECT_EQ(in_base("-340282366920938463463374607431768211456", 10), "-340282366920938463463374607431768211456");
}

TEST(Digits, OfNothingElse) {
    EXPECT_THROW(digits(Value::boolean(true), 16), std::logic_error);
    EXPECT_THROW(in_base("1", 7), std::logic_error);
}

} // namespace
} // namespace matchpoint::test
