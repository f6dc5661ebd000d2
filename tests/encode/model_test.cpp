// Reading a match set out of what solvers print as a model: z3's and cvc5's ways, and texts that are not models.

#include "encode/model.hpp"

#include <gtest/gtest.h>

#include "encode/exact.hpp"
#include "solve/solver.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/subjects.hpp"

namespace matchpoint::test {
namespace {

using test::Subject;

// Sends are numbered S5 1, S4 2, S6 3.
Subject const& figure_1() {
    static Subject const s{std::string(test::figure_1)};
    return s;
}

/// The match set, or what is wrong.
std::string read(std::string_view model, bool partial = false) {
    auto const m = matching_of_model(figure_1().messages, model, partial);
    return m ? figure_1().text(*m) : m.error();
}

TEST(Model, AsZ3PrintsIt) {
    EXPECT_EQ(read("(\n  (define-fun place_S4 () Int\n    1)\n  (define-fun M_R3 () Int\n    3)\n"
                   "  (define-fun M_R2 () Int\n    1)\n  (define-fun value_R2 () Int\n    (- 7))\n"
                   "  (define-fun M_R5 () Int\n    2)\n)"),
              "R2 = S5, R5 = S4, R3 = S6");
}

TEST(Model, AsCvc5PrintsIt) {
    EXPECT_EQ(read("(\n(define-fun value_R2 () Int 4)\n(define-fun M_R2 () Int 2)\n(define-fun M_R5 () Int 1)\n"
                   "(define-fun M_R3 () Int 3)\n(define-fun order_02 () Int (- 1))\n)"),
              "R2 = S4, R5 = S5, R3 = S6");
}

TEST(Model, AsOlderSolversPrintIt) {
    EXPECT_EQ(read("(model\n(define-fun |M_R2| () Int 2) ; a comment ) (\n(define-fun M_R5 () Int 1)"
                   "(define-fun x () String \"(define-fun M_R3 () Int 1)\")(define-fun M_R3 () Int 3))"),
              "R2 = S4, R5 = S5, R3 = S6");
}

TEST(Model, WhatRealSolversPrint) {
    for (char const* name : {"z3", "cvc5"}) {
        Solver solver(*solver_command(name));
        Answer const answer = solver.check(
            encode_exact(figure_1().messages, overapprox(figure_1().messages), {.check_sat = false}), {.model = true});
        ASSERT_TRUE(std::holds_alternative<answer::Sat>(answer)) << name;
        EXPECT_EQ(read(std::get<answer::Sat>(answer).model), "R2 = S5, R5 = S4, R3 = S6") << name;
    }
}

// Quoted symbols, with what the program's names are mangled to.
TEST(Model, QuotedNames) {
    Subject const s("( ( [00 (rcvi |r,\\ 0 x)] [01 (wait |r,\\)] ) ( [10 (sndi s 1 0 2)] ) )");
    auto const m = matching_of_model(s.messages, "((define-fun |M_%7Cr%2C%5C| () Int 1))");
    ASSERT_TRUE(m) << m.error();
    EXPECT_EQ(s.text(*m), "|r,\\ = s");
}

TEST(Model, SomethingIsMissing) {
    EXPECT_EQ(read(""), "the model has no value for M_R2");
    EXPECT_EQ(read("()"), "the model has no value for M_R2");
    EXPECT_EQ(read("((define-fun M_R2 () Int 1)(define-fun M_R5 () Int 2))"), "the model has no value for M_R3");
    EXPECT_EQ(read("unknown"), "the model has no value for M_R2");
}

TEST(Model, NoNumberOfASend) {
    auto const with = [](std::string const& value) { return read("((define-fun M_R2 () Int " + value + "))"); };
    for (std::string const value : {"0", "4", "99", "1.0", "true", "x", "1x", "#x01", "+1", "4294967297",
                                    "18446744073709551617", "123456789012345678901234567890"})
        EXPECT_EQ(with(value), "M_R2 is `" + value + "` in the model, which is not the number of a send");
    EXPECT_EQ(with("(- 1)"), "M_R2 is `(- 1)` in the model, which is not the number of a send");
    // Shown as names are: escaped and cut.
    EXPECT_EQ(with("\x7f"), "M_R2 is `\\x7f` in the model, which is not the number of a send");
    EXPECT_LT(with(std::string(1'000'000, '9')).size(), 300U);
}

// With `partial`, 0 says that a receive gets nothing.
TEST(Model, Partial) {
    std::string const model = "((define-fun M_R2 () Int 2)(define-fun M_R5 () Int 0)(define-fun M_R3 () Int 0))";
    EXPECT_EQ(read(model, true), "R2 = S4");
    EXPECT_EQ(read(model), "M_R5 is `0` in the model, which is not the number of a send");
    EXPECT_EQ(read("((define-fun M_R2 () Int 2))", true), "the model has no value for M_R5");
    EXPECT_EQ(read("((define-fun M_R2 () Int 4))", true),
              "M_R2 is `4` in the model, which is not the number of a send");
}

TEST(Model, TextsThatEndTooSoon) {
    std::string const model = "(\n  (define-fun M_R2 () Int 2)\n  (define-fun |M_R5| () Int 1) ; \"\n"
                              "  (define-fun s () String \"a\")\n  (define-fun M_R3 () Int 3)\n)";
    ASSERT_EQ(read(model), "R2 = S4, R5 = S5, R3 = S6");
    std::size_t const whole = model.rfind('3') + 1;
    for (std::size_t size = 0; size < model.size(); ++size) {
        std::string const text = read(std::string_view(model).substr(0, size));
        EXPECT_EQ(text == "R2 = S4, R5 = S5, R3 = S6", size >= whole) << size;
    }
}

// Nothing recurses on the depth of a text.
TEST(Model, DeepNesting) {
    EXPECT_EQ(read(std::string(1'000'000, '(')), "the model has no value for M_R2");
    EXPECT_EQ(read(std::string(1'000'000, '(') + "define-fun M_R2 () Int 1"), "the model has no value for M_R5");
    EXPECT_EQ(read(std::string(1'000'000, '|')), "the model has no value for M_R2");
    EXPECT_EQ(read(std::string(1'000'001, '"')), "the model has no value for M_R2");
}

} // namespace
} // namespace matchpoint::test
