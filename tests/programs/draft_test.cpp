#include "programs/draft.hpp"

#include <gtest/gtest.h>

#include "tests/support/programs.hpp"

namespace matchpoint::programs::draft {
namespace {

TEST(Draft, PrintsWhatTheParserReads) {
    Draft const d{
        .comment = "two lines\nof comment",
        .threads = {{rcvi("R", 0, "x"), wait("R"), assign("y", "(+ x 1)"), assume("true"), assert_("(= y 2)")},
                    {sndi("S", 1, 0, "1"), wait("S")},
                    {}},
        .traces = {{{"10", {}}, {"00", {{"0", "1"}}}}, {}},
    };
    EXPECT_EQ(print(d), R"(; two lines
; of comment
( ( [00 (rcvi R 0 x)]
    [01 (wait R)]
    [02 (y := (+ x 1))]
    [03 (assume true)]
    [04 (assert (= y 2))] bot )
  ( [10 (sndi S 1 0 1)]
    [11 (wait S)] bot )
  ( bot ) )

( (10 bot)
  (00 ((0 1) bot)) )

( )
)");
    Draft named = d;
    name_locations(named);
    named.comment = "";
    Source const source("test.ctp", print(d));
    Draft const read = draft_of(test::parsed(source));
    EXPECT_EQ(read, named);
    EXPECT_EQ(print(read), print(named));
    EXPECT_EQ(d.commands(), 7U);
}

TEST(Draft, LocationsAreNamedApart) {
    Draft d{.threads = {{wait("a"), wait("b"), wait("c")}}};
    d.threads[0][1].rho = "02";
    name_locations(d);
    EXPECT_EQ(d.threads[0][0].rho, "00");
    EXPECT_EQ(d.threads[0][1].rho, "02");
    EXPECT_EQ(d.threads[0][2].rho, "02'");
    Draft many{.threads = {Thread(11, wait("a"))}};
    name_locations(many);
    EXPECT_EQ(many.threads[0][10].rho, "t0.c10");
}

} // namespace
} // namespace matchpoint::programs::draft
