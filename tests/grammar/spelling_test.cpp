// Variables that are assigned and never read, and may be meant for shared ones.
#include "grammar/messages/spelling.hpp"

#include <gtest/gtest.h>

#include "tests/support/all_rooms.hpp"
#include "tests/support/programs.hpp"

namespace matchpoint::test {
namespace {

/// The warnings about a program with shared variables `items`, `total` and `sum1`.
std::string warned_of_spelling(std::string const& threads) {
    Source const source("test.ctp", "(shared [items 3] [total 0] [sum1 0]) (" + threads + ")");
    return render(warn_of_unread_variables(parsed(source), source), source);
}

TEST(Spelling, UnreadAndNearlyShared) {
    EXPECT_EQ(
        warned_of_spelling("([a (itmes := 2)] [b (itmes := 3)])"),
        R"(test.ctp:1:45: warning[unread]: `itmes` is assigned and never read; did you mean shared variable `items`?
     1 | (shared [items 3] [total 0] [sum1 0]) (([a (itmes := 2)] [b (itmes := 3)]))
       |                                             ^~~~~
)");
    EXPECT_EQ(
        warned_of_spelling("([a (when (> items 0) (items := 1) (totl := 2))])"),
        R"(test.ctp:1:76: warning[unread]: `totl` is assigned and never read; did you mean shared variable `total`?
     1 | …0] [sum1 0]) (([a (when (> items 0) (items := 1) (totl := 2))]))
       |                                                    ^~~~
)");
}

TEST(Spelling, ReadOrNamedOtherwise) {
    EXPECT_EQ(warned_of_spelling("([a (itmes := 2)] [b (assert (= itmes 2))])"), "");
    EXPECT_EQ(warned_of_spelling("([a (items := 2)] [b (number := items)] [c (t := total)])"), "");
    EXPECT_EQ(warned_of_spelling("([a (sum2 := 2)])"), ""); // names that differ in their numbers are meant to
    Source const source("test.ctp", "(([a (itmes := 2)]))");
    EXPECT_EQ(warn_of_unread_variables(parsed(source), source).size(), 0U);
}

} // namespace
} // namespace matchpoint::test
