#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/expected.hpp"
#include "tests/support/all_rooms.hpp"

namespace matchpoint::test {
namespace {

using Result = Expected<std::string, int>;

TEST(Expected, AValue) {
    Result r("text");
    EXPECT_TRUE(r.has_value());
    EXPECT_TRUE(static_cast<bool>(r));
    EXPECT_EQ(r.value(), "text");
    EXPECT_EQ(*r, "text");
    EXPECT_EQ(r->size(), 4U);
    EXPECT_THROW(static_cast<void>(r.error()), std::bad_variant_access);
    *r = "other";
    Result const c = r;
    EXPECT_EQ(c.value(), "other");
    EXPECT_EQ(*c, "other");
    EXPECT_EQ(c->size(), 5U);
    EXPECT_THROW(static_cast<void>(c.error()), std::bad_variant_access);
    EXPECT_EQ(std::move(r).value(), "other");
}

TEST(Expected, AnError) {
    Result r = Unexpected{7};
    EXPECT_FALSE(r.has_value());
    EXPECT_FALSE(static_cast<bool>(r));
    EXPECT_EQ(r.error(), 7);
    r.error() = 8;
    Result const c = r;
    EXPECT_EQ(c.error(), 8);
    EXPECT_THROW(static_cast<void>(c.value()), std::bad_variant_access);
    EXPECT_THROW(static_cast<void>(r.value()), std::bad_variant_access);
    EXPECT_EQ(std::move(r).error(), 8);
}

TEST(Expected, TheSameTypeTwice) {
    Expected<int, int> const value(1);
    Expected<int, int> const error(Unexpected{1});
    EXPECT_TRUE(value.has_value());
    EXPECT_FALSE(error.has_value());
    EXPECT_EQ(value.value(), error.error());
}

TEST(Expected, OfWhatOnlyMoves) {
    Expected<std::unique_ptr<int>, std::unique_ptr<int>> value(std::make_unique<int>(1));
    std::unique_ptr<int> const taken = std::move(value).value();
    EXPECT_EQ(*taken, 1);
    Expected<int, std::unique_ptr<int>> error(Unexpected{std::make_unique<int>(2)});
    std::unique_ptr<int> const taken_error = std::move(error).error();
    EXPECT_EQ(*taken_error, 2);
}

} // namespace
} // namespace matchpoint::test
