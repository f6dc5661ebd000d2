#include <gtest/gtest.h>

#include "base/nearest_name.hpp"
#include "tests/support/all_rooms.hpp"

namespace matchpoint::test {
namespace {

std::vector<std::string> const families{"figure1", "scaling", "pktuse", "router", "hall"};

TEST(NearestName, CountsEdits) {
    EXPECT_EQ(edit_distance("", ""), 0U);
    EXPECT_EQ(edit_distance("", "abc"), 3U);
    EXPECT_EQ(edit_distance("abc", ""), 3U);
    EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
    EXPECT_EQ(edit_distance("scaling", "scalling"), 1U);
    EXPECT_EQ(edit_distance("abcd", "abdc"), 1U); // neighbours exchanged
    EXPECT_EQ(edit_distance("ca", "abc"), 3U);    // no edit between the exchanged ones
}

TEST(NearestName, FindsATypingError) {
    EXPECT_EQ(nearest_name("scalling", families), "scaling");
    EXPECT_EQ(nearest_name("ruoter", families), "router");
    EXPECT_EQ(nearest_name("Hall", families), "hall");
    EXPECT_EQ(nearest_name("pkt", families), "pktuse"); // a beginning
}

TEST(NearestName, IsSilentAboutAnythingElse) {
    EXPECT_EQ(nearest_name("bank", families), std::nullopt);
    EXPECT_EQ(nearest_name("", families), std::nullopt);
    EXPECT_EQ(nearest_name("p", std::vector<std::string>{"q"}), std::nullopt);
    EXPECT_EQ(nearest_name("scaling", std::vector<std::string>{}), std::nullopt);
    EXPECT_EQ(nearest_name(std::string(1'000'000, 's'), std::vector<std::string>{std::string(1'000'000, 's')}),
              std::nullopt);
}

TEST(NearestName, TakesTheFirstOfSeveral) {
    EXPECT_EQ(nearest_name("ac", std::vector<std::string>{"ab", "ad"}), "ab");
    EXPECT_EQ(nearest_name("router", std::vector<std::string>{"rooter", "router"}), "router");
}

TEST(NearestName, AsksInAMessage) {
    EXPECT_EQ(did_you_mean("scalling", families), "; did you mean `scaling`?");
    EXPECT_EQ(did_you_mean("bank", families), "");
    EXPECT_EQ(did_you_mean("scaling", families), ""); // something else is wrong
}

} // namespace
} // namespace matchpoint::test
