#include <gtest/gtest.h>

#include "base/limits.hpp"
#include "tests/support/all_rooms.hpp"

namespace matchpoint::test {
namespace {

constexpr std::uint64_t much = 1'000'000'000;

TEST(Watch, WithoutOneThereIsNoLimit) {
    for (int i = 0; i < 3; ++i) EXPECT_NO_THROW(spend(much));
    Watch const none({});
    EXPECT_NO_THROW(spend(much));
}

TEST(Watch, AsksNowAndThen) {
    int asked = 0;
    Watch const watch([&] { return ++asked == 3; });
    std::uint64_t steps = 0;
    EXPECT_THROW(for (;; ++steps) spend(), OutOfTime);
    EXPECT_EQ(asked, 3);
    EXPECT_GT(steps, 1'000U); // not at every step
}

TEST(Watch, AsksAtOnceAboutMuchWork) {
    Watch const watch([] { return true; });
    EXPECT_THROW(spend(much), OutOfTime);
    EXPECT_THROW(spend(much), OutOfTime); // and again
}

TEST(Watch, CountsAsLongAsItLives) {
    {
        Watch const watch([] { return true; });
        EXPECT_THROW(spend(much), OutOfTime);
    }
    EXPECT_NO_THROW(spend(much));
}

TEST(Watch, AsksTheOuterOnes) {
    bool is_up = false;
    Watch const outer([&] { return is_up; });
    Watch const inner([] { return false; });
    EXPECT_NO_THROW(spend(much));
    is_up = true;
    EXPECT_THROW(spend(much), OutOfTime);
}

TEST(Watch, OutOfTimeIsALimit) {
    try {
        throw OutOfTime();
    } catch (LimitReached const& e) {
        EXPECT_STREQ(e.what(), "out of time");
    }
}

} // namespace
} // namespace matchpoint::test
