// Receives that admit no message of the program, and why.
#include "grammar/messages/selector_warnings.hpp"

#include <gtest/gtest.h>

#include "tests/support/all_rooms.hpp"
#include "tests/support/programs.hpp"

namespace matchpoint::test {
namespace {

/// The warnings about a receive with these selectors at endpoint 0.
std::string warned(std::string const& selectors) {
    Source const source("test.ctp", "(([00 (rcvi R 0 x " + selectors +
                                        ")] [01 (wait R)])\n"
                                        " ([10 (sndi S 1 0 1)] [11 (sndi T 1 0 2 (tag 5))] [12 (sndi U 2 3 2)]))");
    return "\n" + render(warn_of_selectors(parsed(source), source), source);
}

TEST(SelectorWarnings, ASourceThatNeverSendsThere) {
    EXPECT_EQ(warned("(from 2)"), R"(
test.ctp:1:13: warning[selector]: receive `R` admits no message of the program: what is sent to 0 comes from 1
     1 | (([00 (rcvi R 0 x (from 2))] [01 (wait R)])
       |             ^
)");
    EXPECT_EQ(warned("(from 2 1)"), "\n");
    EXPECT_EQ(warned("(from)"), R"(
test.ctp:1:13: warning[selector]: receive `R` admits no message of the program: what is sent to 0 comes from 1
     1 | (([00 (rcvi R 0 x (from))] [01 (wait R)])
       |             ^
)");
}

TEST(SelectorWarnings, ATagThatNoMessageHas) {
    EXPECT_EQ(warned("(tag 4)"), R"(
test.ctp:1:13: warning[selector]: receive `R` admits no message of the program: what is sent to 0 from 1 has tag 0 and 5
     1 | (([00 (rcvi R 0 x (tag 4))] [01 (wait R)])
       |             ^
)");
    EXPECT_EQ(warned("(tag 0)"), "\n");
    EXPECT_EQ(warned("(from 1) (tag 1 2)"), R"(
test.ctp:1:13: warning[selector]: receive `R` admits no message of the program: what is sent to 0 from 1 has tag 0 and 5
     1 | (([00 (rcvi R 0 x (from 1) (tag 1 2))] [01 (wait R)])
       |             ^
)");
    EXPECT_EQ(warned("(tag 05)"), "\n");
}

TEST(SelectorWarnings, ASourceAndATagThatAreNotThoseOfOneMessage) {
    Source const source("test.ctp", "(([00 (rcvi R 0 x (from 1) (tag 3))] [01 (wait R)])\n"
                                    " ([10 (sndi S 1 0 1 (tag 4))] [11 (sndi T 2 0 2 (tag 3))]))");
    EXPECT_EQ("\n" + render(warn_of_selectors(parsed(source), source), source), R"(
test.ctp:1:13: warning[selector]: receive `R` admits no message of the program: what is sent to 0 from 1 has tag 4
     1 | (([00 (rcvi R 0 x (from 1) (tag 3))] [01 (wait R)])
       |             ^
)");
}

TEST(SelectorWarnings, AreLimited) {
    std::string text = "((";
    for (std::size_t i = 0; i < max_diagnostics + 1; ++i) {
        std::string const n = std::to_string(i);
        text += "[r" + n + " (rcvi R" + n + " 0 x (tag 1))] [w" + n + " (wait R" + n + ")]";
    }
    Source const source("test.ctp", text + ") ([10 (sndi S 1 0 1)]))");
    EXPECT_EQ(warn_of_selectors(parsed(source), source).size(), max_diagnostics);
}

// What a receive assigns admits everything, and nobody has to use it.
TEST(SelectorWarnings, AssignedVariablesAreNoRestriction) { EXPECT_EQ(warned("(source y) (tagged z)"), "\n"); }

// Without any send to the endpoint, the selectors are not to blame.
TEST(SelectorWarnings, NobodySendsThere) {
    Source const source("test.ctp", "(([00 (rcvi R 0 x (from 1))] [01 (wait R)]))");
    EXPECT_TRUE(warn_of_selectors(parsed(source), source).empty());
}

} // namespace
} // namespace matchpoint::test
