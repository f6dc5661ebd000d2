#include "programs/draft.hpp"

#include <gtest/gtest.h>

#include "tests/support/drafts.hpp"

namespace matchpoint::programs::draft {
namespace {

TEST(Draft, PrintsWhatTheParserReads) {
    Draft const d{
        .comment = "two lines\nof comment",
        .threads = {{rcvi("R", 0, "x"), wait("R"), assign("y", test::expression("(+ x 1)")), assume(truth(true)),
                     assert_(test::expression("(= y 2)"))},
                    {sndi("S", 1, 0, number(1)), wait("S")},
                    {}},
        .traces = {{{"10", {}}, {"00", {{"0", "1"}}}, {"01", {{"0", "1", "3"}, {"0", "1", "0"}}}}, {}},
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
  (00 ((0 1) bot))
  (01 ((0 1 3) (0 1 0) bot)) )

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

/// The rules that a draft breaks, with the messages.
std::vector<std::string> broken_by(Draft const& d) {
    auto const program = program_of(d);
    std::vector<std::string> messages;
    if (!program)
        for (Diagnostic const& fault : program.error())
            messages.push_back(std::string(fault.rule) + ": " + fault.message);
    return messages;
}

TEST(Draft, IsAProgramOnlyUnderTheRules) {
    EXPECT_EQ(broken_by({}), std::vector<std::string>());
    Draft const d{.threads = {{{rcvi("R", 0, "x"), "a"}, {wait("R"), "b"}, {wait("Q"), "a"}},
                              {sndi("R", 1, 0, number(1)), wait("R"), wait("P")}}};
    EXPECT_EQ(broken_by(d),
              (std::vector<std::string>{"S1: location `a` is used twice: locations are unique in the program",
                                        "S2: action `R` is issued twice: actions are unique in the program",
                                        "S3: `wait` names `Q`, which is not an action of the program",
                                        "S3: `wait` names `P`, which is not an action of the program"}));
    EXPECT_THROW(valid_program_of(d), std::logic_error);
}

TEST(Draft, HasNoSecondLocations) {
    Source const source("test.ctp", "(([a (rcvi R 0 x b)] [b (sndi S 0 0 x a)]))");
    Draft const d = draft_of(test::parsed(source));
    EXPECT_EQ(print(d), "( ( [a (rcvi R 0 x)]\n    [b (sndi S 0 0 x)] bot ) )\n");
}

TEST(Draft, PartsOfCommands) {
    Command c = sndi("S", 1, 0, variable("x"));
    EXPECT_EQ(*issued_action(c), Action("S"));
    *expression_of(c) = number(3);
    EXPECT_EQ(c, sndi("S", 1, 0, number(3)));
    EXPECT_EQ(*issued_action(rcvi("R", 0, "x")), Action("R"));
    for (Command const& other : {wait("R"), assign("x", number(1)), assume(truth(true)), assert_(truth(true))})
        EXPECT_EQ(issued_action(other), nullptr);
    for (Command const& other : {wait("R"), rcvi("R", 0, "x")}) EXPECT_EQ(expression_of(other), nullptr);
}

} // namespace
} // namespace matchpoint::programs::draft
