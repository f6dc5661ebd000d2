// Text in columns: what it takes, and how lines are wrapped.

#include <gtest/gtest.h>

#include "base/columns.hpp"
#include "base/paint.hpp"

namespace matchpoint::test {
namespace {

using namespace grammar;
using namespace report;

TEST(Columns, ColorsTakeNone) {
    Paint const paint(true);
    EXPECT_EQ(display_width(paint(Style::bad, "failure")), 7U);
    EXPECT_EQ(display_width("a" + paint(Style::dim, "\u6F22") + "b"), 4U);
    EXPECT_EQ(paint(Style::plain, "x"), "x");
    EXPECT_EQ(paint(Style::good, ""), "");
    EXPECT_EQ(Paint(false)(Style::good, "x"), "x");
    EXPECT_EQ(escape_length("\x1b[1;31mx"), 7U);
    EXPECT_EQ(escape_length("\x1b[31"), 0U);
    EXPECT_EQ(escape_length("\x1b]0;x"), 0U);
}

TEST(Wrapped, BetweenWords) {
    EXPECT_EQ(wrapped("one two three\n", 80), "one two three\n");
    EXPECT_EQ(wrapped("one two three\n", 13), "one two three\n");
    EXPECT_EQ(wrapped("one two three\n", 12), "one two\n  three\n");
    EXPECT_EQ(wrapped("one two three", 12), "one two\n  three");
    EXPECT_EQ(wrapped("\n\na\n", 12), "\n\na\n");
    EXPECT_EQ(wrapped("one two three\n", 0), "one two three\n") << "no terminal";
}

TEST(Wrapped, LongWordsStayWhole) {
    EXPECT_EQ(wrapped("a_word_that_is_longer_than_that\n", 12), "a_word_that_is_longer_than_that\n");
    EXPECT_EQ(wrapped("a a_word_that_is_longer b\n", 12), "a\n  a_word_that_is_longer\n  b\n");
}

TEST(Wrapped, Indents) {
    EXPECT_EQ(wrapped("    four five six seven\n", 16), "    four five\n      six seven\n");
    EXPECT_EQ(wrapped("  RULE    one two three four five\n", 24), "  RULE    one two three\n          four five\n");
    // A column in the right half has no room for a text.
    EXPECT_EQ(wrapped("  A LONG RULE    one two three\n", 24), "  A LONG RULE    one two\n    three\n");
    EXPECT_EQ(wrapped("                one two\n", 20), "                one\n  two\n");
}

TEST(Wrapped, Colors) {
    Paint const paint(true);
    std::string const line = "s = " + paint(Style::good, "success") + " and more";
    EXPECT_EQ(wrapped(line, 20), line);
    EXPECT_EQ(wrapped(line, 15), "s = " + paint(Style::good, "success") + " and\n  more");
}

TEST(Wrapped, WideCharacters) { EXPECT_EQ(wrapped("\u6F22\u5B57 \u6F22\u5B57", 8), "\u6F22\u5B57\n  \u6F22\u5B57"); }

} // namespace
} // namespace matchpoint::test
