// Places in a text, UTF-8, and names as messages show them.

#include <gtest/gtest.h>

#include "base/source.hpp"
#include "tests/support/all_rooms.hpp"

namespace matchpoint::test {
namespace {

TEST(Source, HasItsNameAndText) {
    Source const s("a/b.ctp", "x\ny");
    EXPECT_EQ(s.name(), "a/b.ctp");
    EXPECT_EQ(s.text(), "x\ny");
}

TEST(Source, LineColumn) {
    Source const s("s", "ab\nc\n\nde");
    EXPECT_EQ(s.line_column(0), (LineColumn{1, 1}));
    EXPECT_EQ(s.line_column(1), (LineColumn{1, 2}));
    EXPECT_EQ(s.line_column(2), (LineColumn{1, 3})); // the end of the line belongs to it
    EXPECT_EQ(s.line_column(3), (LineColumn{2, 1}));
    EXPECT_EQ(s.line_column(5), (LineColumn{3, 1}));
    EXPECT_EQ(s.line_column(6), (LineColumn{4, 1}));
    EXPECT_EQ(s.line_column(8), (LineColumn{4, 3})); // after the last character
    EXPECT_EQ(s.line_column(100), (LineColumn{4, 3}));
    EXPECT_EQ(s.line_column(no_offset), (LineColumn{4, 3}));
    EXPECT_EQ(Source("s", "").line_column(0), (LineColumn{1, 1}));
    EXPECT_EQ(Source("s", "a\n").line_column(2), (LineColumn{2, 1}));
}

TEST(Source, ColumnsCountCodePoints) {
    Source const s("s", "é⊥x\n\xF0\x9F\x98\x80y\xFFz");
    EXPECT_EQ(s.line_column(0), (LineColumn{1, 1}));
    EXPECT_EQ(s.line_column(2), (LineColumn{1, 2}));
    EXPECT_EQ(s.line_column(5), (LineColumn{1, 3}));
    EXPECT_EQ(s.line_column(7), (LineColumn{2, 1}));
    EXPECT_EQ(s.line_column(11), (LineColumn{2, 2}));
    EXPECT_EQ(s.line_column(13), (LineColumn{2, 4})); // a byte that is not UTF-8 counts as one
}

TEST(Source, LineAt) {
    Source const s("s", "ab\r\nc\n\r\nde");
    auto const line = [&](Offset offset) {
        auto const [text, begin] = s.line_at(offset);
        return std::string(text) + "@" + std::to_string(begin);
    };
    EXPECT_EQ(line(0), "ab@0");
    EXPECT_EQ(line(2), "ab@0");
    EXPECT_EQ(line(3), "ab@0");
    EXPECT_EQ(line(4), "c@4");
    EXPECT_EQ(line(5), "c@4");
    EXPECT_EQ(line(6), "@6");
    EXPECT_EQ(line(8), "de@8");
    EXPECT_EQ(line(10), "de@8");
    EXPECT_EQ(line(1000), "de@8");
    auto const [text, begin] = Source("s", "").line_at(0);
    EXPECT_EQ(text, "");
    EXPECT_EQ(begin, 0U);
}

TEST(Utf8, WellFormed) {
    for (std::string_view const text :
         {std::string_view("", 0), std::string_view("plain"), std::string_view("\0", 1), std::string_view("\x7F"),
          std::string_view("\xC2\x80"),         // U+0080
          std::string_view("\xDF\xBF"),         // U+07FF
          std::string_view("\xE0\xA0\x80"),     // U+0800
          std::string_view("\xED\x9F\xBF"),     // U+D7FF
          std::string_view("\xEE\x80\x80"),     // U+E000
          std::string_view("\xEF\xBF\xBF"),     // U+FFFF
          std::string_view("\xF0\x90\x80\x80"), // U+10000
          std::string_view("\xF3\xBF\xBF\xBF"),
          std::string_view("\xF4\x8F\xBF\xBF"), // U+10FFFF
          std::string_view("(sndi S 1 0 7) ⊥ and some more text of ASCII")})
        EXPECT_EQ(find_invalid_utf8(text), std::nullopt) << text;
}

TEST(Utf8, Malformed) {
    for (std::string_view const bad : {"\x80",
                                       "\xBF", // continuation bytes alone
                                       "\xC0\x80",
                                       "\xC1\xBF", // overlong, two bytes
                                       "\xC2",
                                       "\xC2(",
                                       "\xDF\xC0",
                                       "\xE0\x80\x80",
                                       "\xE0\x9F\xBF", // overlong, three bytes
                                       "\xE1\x80",
                                       "\xE1\x80(",
                                       "\xE1(\x80",
                                       "\xED\xA0\x80",
                                       "\xED\xBF\xBF", // surrogates
                                       "\xF0\x80\x80\x80",
                                       "\xF0\x8F\xBF\xBF", // overlong, four bytes
                                       "\xF1\x80\x80",
                                       "\xF1\x80\x80(",
                                       "\xF1(\x80\x80",
                                       "\xF1\x80(\x80",
                                       "\xF4\x90\x80\x80", // above U+10FFFF
                                       "\xF5\x80\x80\x80",
                                       "\xF8\x88\x80\x80\x80",
                                       "\xFE",
                                       "\xFF"}) {
        // It is found anywhere: alone, after ASCII of any length, before more.
        for (std::size_t before = 0; before < 20; ++before) {
            std::string const text = std::string(before, 'a') + std::string(bad);
            EXPECT_EQ(find_invalid_utf8(text), before) << testing::PrintToString(text);
            EXPECT_EQ(find_invalid_utf8(text + " behind it"), before) << testing::PrintToString(text);
        }
        EXPECT_EQ(find_invalid_utf8("⊥" + std::string(bad)), 3U) << testing::PrintToString(bad);
    }
}

TEST(Utf8, CountCodePoints) {
    EXPECT_EQ(count_code_points(""), 0U);
    EXPECT_EQ(count_code_points("abc"), 3U);
    EXPECT_EQ(count_code_points("é⊥\xF0\x9F\x98\x80"), 3U);
}

TEST(Printable, LeavesNamesAlone) {
    EXPECT_EQ(printable(""), "");
    EXPECT_EQ(printable("R2"), "R2");
    EXPECT_EQ(printable("é⊥\xF0\x9F\x98\x80"), "é⊥\xF0\x9F\x98\x80");
}

TEST(Printable, Escapes) {
    EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
    EXPECT_EQ(printable("\x1b[31m"), "\\x1b[31m");
    EXPECT_EQ(printable("\t\n\x7f"), "\\x09\\x0a\\x7f");
    EXPECT_EQ(printable("\xC2\x85"), "\\x85");            // a control character of Latin-1
    EXPECT_EQ(printable("\xC2\xA0"), "\xC2\xA0");         // no-break space is none
    EXPECT_EQ(printable("\xE2\x80\xAE"), "\\u202e");      // right-to-left override
    EXPECT_EQ(printable("\xE2\x80\x8B"), "\\u200b");      // zero-width space
    EXPECT_EQ(printable("\xE2\x80\x90"), "\xE2\x80\x90"); // hyphen
    EXPECT_EQ(printable("\xE2\x81\xA6"), "\\u2066");      // left-to-right isolate
    EXPECT_EQ(printable("\xEF\xBB\xBF"), "\\ufeff");
    EXPECT_EQ(printable("\xD8\x9C"), "\\u061c"); // Arabic letter mark
    EXPECT_EQ(printable("a\xFF"
                        "b"),
              "a\\xffb"); // not UTF-8
    EXPECT_EQ(printable("\xE2\x80"), "\\xe2\\x80");
}

TEST(Printable, Cuts) {
    EXPECT_EQ(printable("abcd", 4), "abcd");
    EXPECT_EQ(printable("abcde", 4), "abcd…");
    EXPECT_EQ(printable("⊥⊥⊥", 2), "⊥⊥…");
    EXPECT_EQ(printable("\x01\x02\x03", 2), "\\x01\\x02…");
    EXPECT_EQ(printable("a", 0), "…");
    EXPECT_EQ(printable(std::string(60, 'x')), std::string(60, 'x'));
    EXPECT_EQ(printable(std::string(61, 'x')), std::string(60, 'x') + "…");
}

} // namespace
} // namespace matchpoint::test
