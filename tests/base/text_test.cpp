#include <gtest/gtest.h>

#include "base/text.hpp"
#include "tests/support/all_rooms.hpp"

namespace matchpoint::test {
namespace {

TEST(Text, IsTrimmed) {
    EXPECT_EQ(trimmed(" \t a b\r\n"), "a b");
    EXPECT_EQ(trimmed("a"), "a");
    EXPECT_EQ(trimmed(" \n"), "");
    EXPECT_EQ(trimmed(""), "");
}

TEST(Text, CountsThings) {
    EXPECT_EQ(plural(1, "step"), "1 step");
    EXPECT_EQ(plural(0, "step"), "0 steps");
    EXPECT_EQ(plural(1, "entry", "entries"), "1 entry");
    EXPECT_EQ(plural(2, "entry", "entries"), "2 entries");
}

TEST(Text, MakesLists) {
    std::string list;
    append_item(list, "a");
    EXPECT_EQ(list, "a");
    append_item(list, "b");
    EXPECT_EQ(list, "a, b");
    append_item(list, "c", " ");
    EXPECT_EQ(list, "a, b c");
}

TEST(Text, AddsSentences) {
    std::string text;
    append_sentence(text, "");
    append_sentence(text, "a is so");
    EXPECT_EQ(text, "a is so");
    append_sentence(text, "");
    append_sentence(text, "b is not: c");
    append_sentence(text, "2 are");
    EXPECT_EQ(text, "a is so. B is not: c. 2 are");
}

} // namespace
} // namespace matchpoint::test
