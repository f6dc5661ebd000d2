#include <gtest/gtest.h>

#include "base/numbers.hpp"
#include "tests/support/all_rooms.hpp"

namespace matchpoint::test {
namespace {

TEST(Numbers, AreWholeTexts) {
    EXPECT_EQ(to_number<std::uint32_t>("42"), 42U);
    EXPECT_EQ(to_number<int>("-42"), -42);
    EXPECT_EQ(to_number<unsigned>("ff", 16), 255U);
    for (char const* const wrong : {"", "-", "+1", " 1", "1 ", "1x", "x"})
        EXPECT_EQ(to_number<int>(wrong), std::nullopt) << wrong;
    EXPECT_EQ(to_number<unsigned>("-1"), std::nullopt);
}

TEST(Numbers, FitIntoTheirTypes) {
    EXPECT_EQ(to_number<std::uint8_t>("255"), 255);
    EXPECT_EQ(to_number<std::uint8_t>("256"), std::nullopt);
    EXPECT_EQ(to_number<std::int64_t>("-9223372036854775808"), INT64_MIN);
    EXPECT_EQ(to_number<std::int64_t>("9223372036854775808"), std::nullopt);
}

TEST(Numbers, AreTakenFromTheBeginning) {
    std::string_view text = "12.5";
    EXPECT_EQ(take_number<int>(text), 12);
    EXPECT_EQ(text, ".5");
    EXPECT_EQ(take_number<int>(text), std::nullopt);
    EXPECT_EQ(text, ".5");
    text = "999x";
    EXPECT_EQ(take_number<std::uint8_t>(text), std::nullopt);
    EXPECT_EQ(text, "999x");
}

TEST(Numbers, AreNaturalUpToTheLargest) {
    EXPECT_EQ(natural("007"), 7U);
    EXPECT_EQ(natural("18446744073709551615"), UINT64_MAX);
    EXPECT_EQ(natural("99999999999999999999"), UINT64_MAX);
    for (char const* const wrong : {"", "-1", "+1", "1.0"}) EXPECT_EQ(natural(wrong), std::nullopt) << wrong;
}

} // namespace
} // namespace matchpoint::test
