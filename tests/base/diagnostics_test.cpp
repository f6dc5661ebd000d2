// How messages are shown: the line, the caret, and what is cut.

#include <gtest/gtest.h>

#include "base/diagnostics.hpp"
#include "tests/support/all_rooms.hpp"

namespace matchpoint::test {
namespace {

Diagnostic at(Offset offset, std::uint32_t length = 1, std::string message = "wrong") {
    Diagnostic d;
    d.rule = "S2";
    d.message = std::move(message);
    d.offset = offset;
    d.length = length;
    return d;
}

/// One diagnostic at a place of a text, from a line of its own on.
std::string shown(std::string text, Offset offset, std::uint32_t length = 1) {
    return "\n" + render({at(offset, length)}, Source("f.ctp", std::move(text)));
}

TEST(Diagnostics, LineAndCaret) {
    EXPECT_EQ(shown("ab\n  cdef gh\nij", 5, 4), R"(
f.ctp:2:3: error[S2]: wrong
     2 |   cdef gh
       |   ^~~~
)");
    EXPECT_EQ(shown("ab", 2), R"(
f.ctp:1:3: error[S2]: wrong
     1 | ab
       |   ^
)");
    EXPECT_EQ(shown("ab\n", 3), "\nf.ctp:2:1: error[S2]: wrong\n     2 | \n       | ^\n");
    EXPECT_EQ(shown("ab\r\ncd", 2), R"(
f.ctp:1:3: error[S2]: wrong
     1 | ab
       |   ^
)");
    // The underline ends with the line.
    EXPECT_EQ(shown("ab cd\nef", 3, 100), R"(
f.ctp:1:4: error[S2]: wrong
     1 | ab cd
       |    ^~
)");
}

TEST(Diagnostics, CaretsCountCodePoints) {
    EXPECT_EQ(shown("⊥é \xF0\x9F\x98\x80⊥ x", 6, 7), "\nf.ctp:1:4: error[S2]: wrong\n     1 | ⊥é \xF0\x9F\x98\x80⊥ x\n"
                                                     "       |    ^~\n");
}

TEST(Diagnostics, TabsAndControlCharacters) {
    EXPECT_EQ(shown("\tab\x01\x1b[1m\xE2\x80\xAE\x7f z", 12), "\nf.ctp:1:11: error[S2]: wrong\n"
                                                              "     1 |  ab??[1m?? z\n"
                                                              "       |           ^\n");
}

TEST(Diagnostics, WideLineNumbers) {
    EXPECT_EQ(shown(std::string(1'234'567, '\n') + "x", 1'234'567), R"(
f.ctp:1234568:1: error[S2]: wrong
1234568 | x
        | ^
)");
}

// A line of more than 100 code points is shown around the place: from 50 before it on, if it is far from the beginning.
TEST(Diagnostics, LongLines) {
    std::string line;
    for (int i = 0; i < 30; ++i) line += "[" + std::to_string(1000 + i) + "567]"; // 270 characters
    auto const excerpt = [&](Offset offset, std::uint32_t length = 1) {
        std::string const text = shown(line, offset, length);
        return text.substr(text.find("wrong\n") + 6);
    };
    EXPECT_EQ(excerpt(0, 3), "     1 | " + line.substr(0, 100) + "…\n       | ^~~\n");
    EXPECT_EQ(excerpt(66), "     1 | " + line.substr(0, 100) + "…\n       | " + std::string(66, ' ') + "^\n");
    EXPECT_EQ(excerpt(67), "     1 | …" + line.substr(17, 100) + "…\n       |  " + std::string(50, ' ') + "^\n");
    EXPECT_EQ(excerpt(200, 4),
              "     1 | …" + line.substr(150, 100) + "…\n       |  " + std::string(50, ' ') + "^~~~\n");
    EXPECT_EQ(excerpt(220), "     1 | …" + line.substr(170) + "\n       |  " + std::string(50, ' ') + "^\n");
    EXPECT_EQ(excerpt(269), "     1 | …" + line.substr(219) + "\n       |  " + std::string(50, ' ') + "^\n");
    // Behind the line's end.
    EXPECT_EQ(excerpt(270), "     1 | …" + line.substr(220) + "\n       |  " + std::string(50, ' ') + "^\n");
    // The underline ends with the window.
    EXPECT_EQ(excerpt(90, 500), "     1 | …" + line.substr(40, 100) + "…\n       |  " + std::string(50, ' ') + "^" +
                                    std::string(49, '~') + "\n");
}

TEST(Diagnostics, LongLinesOfOtherScripts) {
    std::string line;
    for (int i = 0; i < 200; ++i) line += "⊥";
    std::string const text = shown(line, 3 * 150, 6);
    std::string window = "     1 | …";
    for (int i = 0; i < 100; ++i) window += "⊥";
    EXPECT_EQ(text, "\nf.ctp:1:151: error[S2]: wrong\n" + window + "\n       |  " + std::string(50, ' ') + "^~\n");
}

TEST(Diagnostics, NotesAndSeverities) {
    Diagnostic warning = at(3);
    warning.severity = Severity::warning;
    warning.rule = "D1";
    warning.notes.push_back({"here", 0, 2});
    warning.notes.push_back({"nowhere", no_offset, 1});
    Diagnostic placeless = at(no_offset);
    EXPECT_EQ("\n" + render({warning, placeless}, Source("f.ctp", "ab\ncd")), R"(
f.ctp:2:1: warning[D1]: wrong
     2 | cd
       | ^
f.ctp:1:1: note: here
     1 | ab
       | ^~
f.ctp: note: nowhere
f.ctp: error[S2]: wrong
)");
}

// Under the caret, before what is said of other positions.
TEST(Diagnostics, Hints) {
    Diagnostic d = at(3, 2);
    d.hints = {"do this", "or that"};
    d.notes.push_back({"here", 0, 2});
    EXPECT_EQ("\n" + render({d}, Source("f.ctp", "ab\ncd")), R"(
f.ctp:2:1: error[S2]: wrong
     2 | cd
       | ^~
       = hint: do this
       = hint: or that
f.ctp:1:1: note: here
     1 | ab
       | ^~
)");
    d.offset = 1'234'567;
    d.notes.clear();
    EXPECT_EQ("\n" + render({d}, Source("f.ctp", std::string(1'234'567, '\n') + "x")), R"(
f.ctp:1234568:1: error[S2]: wrong
1234568 | x
        | ^
        = hint: do this
        = hint: or that
)");
}

TEST(Diagnostics, Limit) {
    Source const source("f.ctp", "abc");
    Diagnostics const three{at(0), at(1), at(2)};
    std::string const first = "f.ctp:1:1: error[S2]: wrong\n     1 | abc\n       | ^\n";
    std::string const second = "f.ctp:1:2: error[S2]: wrong\n     1 | abc\n       |  ^\n";
    std::string const third = "f.ctp:1:3: error[S2]: wrong\n     1 | abc\n       |   ^\n";
    EXPECT_EQ(render(three, source, {.limit = 3}), first + second + third);
    EXPECT_EQ(render(three, source, {.limit = 2}), first + second + "f.ctp: 1 more not shown\n");
    EXPECT_EQ(render(three, source, {.limit = 1}), first + "f.ctp: 2 more not shown\n");
    EXPECT_EQ(render(three, source, {.limit = 0}), "f.ctp: 3 more not shown\n");
    EXPECT_EQ(render({}, source), "");
    Diagnostics const many(25, at(0));
    std::string expected;
    for (int i = 0; i < 20; ++i) expected += first;
    EXPECT_EQ(render(many, source), expected + "f.ctp: 5 more not shown\n");
}

// As many as are collected at most: there may be more than are counted.
TEST(Diagnostics, LimitOfWhatIsCollected) {
    Source const source("f.ctp", "abc");
    EXPECT_EQ(render(Diagnostics(max_diagnostics - 1, at(0)), source, {.limit = 0}), "f.ctp: 999 more not shown\n");
    EXPECT_EQ(render(Diagnostics(max_diagnostics, at(0)), source, {.limit = 0}),
              "f.ctp: at least 1000 more not shown\n");
}

TEST(Diagnostics, Color) {
    Diagnostic error = at(1, 2);
    error.notes.push_back({"note text", 0, 1});
    Diagnostic warning = at(no_offset);
    warning.severity = Severity::warning;
    EXPECT_EQ(render({error, warning}, Source("f.ctp", "abc"), {.color = true}),
              "\x1b[1mf.ctp:1:2:\x1b[0m \x1b[1;31merror[S2]:\x1b[0m \x1b[1mwrong\x1b[0m\n"
              "     1 | abc\n"
              "       | \x1b[1;32m ^~\x1b[0m\n"
              "\x1b[1mf.ctp:1:1:\x1b[0m \x1b[1;36mnote:\x1b[0m note text\n"
              "     1 | abc\n"
              "       | \x1b[1;32m^\x1b[0m\n"
              "\x1b[1mf.ctp:\x1b[0m \x1b[1;35mwarning[S2]:\x1b[0m \x1b[1mwrong\x1b[0m\n");
}

TEST(Diagnostics, Headline) {
    Source const source("f.ctp", "ab\ncd");
    EXPECT_EQ(headline(at(4), source), "f.ctp:2:2: error[S2]: wrong");
    EXPECT_EQ(headline(at(no_offset), source), "f.ctp: error[S2]: wrong");
    Diagnostic warning = at(0);
    warning.severity = Severity::warning;
    EXPECT_EQ(headline(warning, source), "f.ctp:1:1: warning[S2]: wrong");
}

TEST(Diagnostics, FileNamesAreEscaped) {
    EXPECT_EQ(headline(at(0), Source("a\x1b[1mb\n", "x")), "a\\x1b[1mb\\x0a:1:1: error[S2]: wrong");
    std::string const name(5000, 'x');
    EXPECT_EQ(headline(at(0), Source(name, "x")), std::string(4096, 'x') + "…:1:1: error[S2]: wrong");
}

TEST(Diagnostics, HasError) {
    Diagnostic warning;
    warning.severity = Severity::warning;
    EXPECT_FALSE(has_error({}));
    EXPECT_FALSE(has_error({warning, warning}));
    EXPECT_TRUE(has_error({warning, at(0)}));
}

} // namespace
} // namespace matchpoint::test
