#include <gtest/gtest.h>

#include "base/names.hpp"
#include "tests/support/all_rooms.hpp"

namespace matchpoint::test {
namespace {

TEST(Names, AreNumberedInTheOrderInWhichTheyCome) {
    Names names;
    EXPECT_EQ(names.size(), 0U);
    EXPECT_EQ(names.find("a"), std::nullopt);
    EXPECT_EQ(names.intern("a"), 0U);
    EXPECT_EQ(names.intern("bb"), 1U);
    EXPECT_EQ(names.intern("a"), 0U);
    EXPECT_EQ(names.intern(""), 2U);
    EXPECT_EQ(names.intern("02"), 3U);
    EXPECT_EQ(names.intern("2"), 4U);
    EXPECT_EQ(names.size(), 5U);
    EXPECT_EQ(names[0], "a");
    EXPECT_EQ(names[1], "bb");
    EXPECT_EQ(names[2], "");
    EXPECT_EQ(names[3], "02");
    EXPECT_EQ(names[4], "2");
    EXPECT_EQ(names.find("bb"), 1U);
    EXPECT_EQ(names.find(""), 2U);
    EXPECT_EQ(names.find("b"), std::nullopt);
    EXPECT_EQ(names.find("abb"), std::nullopt);
}

TEST(Names, Grow) {
    Names names;
    constexpr std::uint32_t count = 10'000;
    for (std::uint32_t i = 0; i < count; ++i) ASSERT_EQ(names.intern("name" + std::to_string(i)), i);
    EXPECT_EQ(names.size(), count);
    for (std::uint32_t i = 0; i < count; ++i) {
        std::string const name = "name" + std::to_string(i);
        ASSERT_EQ(names.find(name), i);
        ASSERT_EQ(names[i], name);
        ASSERT_EQ(names.intern(name), i);
    }
    EXPECT_EQ(names.find("name10000"), std::nullopt);
    EXPECT_EQ(names.size(), count);
}

TEST(Names, Equality) {
    Names a;
    Names b;
    EXPECT_EQ(a, b);
    a.intern("x");
    EXPECT_NE(a, b);
    b.intern("x");
    EXPECT_EQ(a, b);
    a.intern("ab");
    a.intern("c");
    b.intern("a");
    b.intern("bc");
    EXPECT_NE(a, b); // the same letters, cut elsewhere
    Names c;
    c.intern("y");
    c.intern("x");
    Names d;
    d.intern("x");
    d.intern("y");
    EXPECT_NE(c, d); // the same names, numbered otherwise
    Names const copy = a;
    EXPECT_EQ(copy, a);
    EXPECT_EQ(copy.find("ab"), 1U);
}

} // namespace
} // namespace matchpoint::test
