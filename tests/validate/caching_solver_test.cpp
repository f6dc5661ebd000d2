// A CachingSolver answers as a Solver does, in whatever order it is asked.

#include "validate/caching_solver.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include <fmt/format.h>

namespace matchpoint::validate {
namespace {

SolverCommand const z3 = solver_command("z3").value();
constexpr std::chrono::seconds a_minute(60);

/// Problems of two logics, of others, of none; with the same names for other things; large, and wrong.
std::vector<std::string> problems() {
    std::string large = "(set-logic QF_LIA)(declare-const x0 Int)";
    for (int i = 1; i < 600; ++i) large += fmt::format("(declare-const x{} Int)(assert (< x{} x{}))", i, i - 1, i);
    return {
        "(set-logic QF_LIA)(declare-const x Int)(assert (< 1 x 3))",
        "(set-logic QF_LIA)(declare-const x Bool)(assert (and x (not x)))",
        "(set-logic QF_NIA)(declare-const x Int)(assert (= (* x x) 49))",
        "(set-logic QF_NIA)(declare-const y Int)(assert (= (* y y) 50))",
        "(set-info :source |x|)\n; (set-logic QF_NIA)\n(set-logic QF_LIA)\n(declare-const x Int)(assert (distinct x "
        "x))",
        "(set-logic QF_UF)(declare-const x Bool)(assert x)",
        "(declare-const x Int)(assert (< 1 x 2))",
        "(set-logic QF_LIA)(assert (= x 1))",                         // there is no x
        "(set-logic QF_LIA)(declare-const x Int)(assert (= x true))", // of another sort
        "(declare-const x Bool)(set-logic QF_LIA)(assert x)",         // too late
        large,
        large + "(assert (< x599 x0))",
    };
}

TEST(CachingSolver, AnswersAsASolver) {
    auto all = problems();
    std::vector<std::size_t> expected;
    for (std::string const& p : all) {
        Solver solver(z3, {.time = a_minute});
        expected.push_back(solver.check(p).index());
    }
    ASSERT_GE(std::count(expected.begin(), expected.end(), Answer(answer::Sat()).index()), 4);
    ASSERT_GE(std::count(expected.begin(), expected.end(), Answer(answer::Unsat()).index()), 4);
    ASSERT_GE(std::count(expected.begin(), expected.end(), Answer(answer::Crashed()).index()), 2);
    CachingSolver answers(z3, {.time = a_minute});
    // In orders in which each comes after several others.
    ASSERT_EQ(all.size(), 12U);
    for (std::size_t const step : {1U, 5U, 7U})
        for (std::size_t i = 0; i < all.size(); ++i) {
            std::size_t const j = i * step % all.size();
            EXPECT_EQ(answers.check(all[j]).index(), expected[j]) << all[j].substr(0, 200);
        }
    for (std::size_t i = 0; i < all.size(); ++i) {
        auto const sat = answers.is_sat(all[i]);
        EXPECT_EQ(sat.value_or(false), expected[i] == Answer(answer::Sat()).index());
        EXPECT_EQ(sat.has_value(), expected[i] <= Answer(answer::Unsat()).index());
    }
}

TEST(CachingSolver, ModelsAreOfOneProblem) {
    CachingSolver answers(z3, {.time = a_minute});
    for (char const* const name : {"a", "b", "c"}) {
        auto const answer = answers.check(
            fmt::format("(set-logic QF_LIA)(declare-const {} Int)(assert (= {} 7))", name, name), {.model = true});
        auto const* const sat = std::get_if<answer::Sat>(&answer);
        ASSERT_NE(sat, nullptr);
        EXPECT_NE(sat->model.find(fmt::format("define-fun {} () Int", name)), std::string::npos) << sat->model;
        EXPECT_EQ(sat->model.find("define-fun"), sat->model.rfind("define-fun")) << sat->model;
    }
}

/// In a scope a model that is late is not waited for, so it is asked for once more.
TEST(CachingSolver, ALateModelIsAskedForOnceMore) {
    SolverCommand late = z3;
    late.arguments = {
        "sh", "-c",
        "while read -r line; do case $line in *get-model*) sleep 0.5;; esac; echo \"$line\"; done | z3 -in"};
    CachingSolver answers(late, {.time = a_minute});
    auto const answer = answers.check("(set-logic QF_LIA)(declare-const a Int)(assert (= a 7))", {.model = true});
    auto const* const sat = std::get_if<answer::Sat>(&answer);
    ASSERT_NE(sat, nullptr);
    EXPECT_NE(sat->model.find("define-fun a () Int"), std::string::npos) << sat->model;
}

/// z3 needs about half a second, in a scope and without.
TEST(CachingSolver, WhatIsNotFoundSoonIsAskedOnceMore) {
    CachingSolver answers(z3, {.time = a_minute});
    std::string const pythagoras = "(set-logic QF_NIA)(declare-const x Int)(declare-const y Int)(declare-const z Int)"
                                   "(assert (= (+ (* x x) (* y y)) (* z z)))(assert (< 50 x y z))";
    for (int i = 0; i < 2; ++i) EXPECT_EQ(answers.is_sat(pythagoras), true);
    EXPECT_EQ(answers.is_sat("(set-logic QF_NIA)(declare-const x Int)(assert (= (* x x) 50))"), false);
}

TEST(CachingSolver, WithoutASolver) {
    CachingSolver missing(solver_command("/no/such/z3").value());
    for (std::string const& p : problems()) {
        EXPECT_TRUE(std::holds_alternative<answer::Missing>(missing.check(p)));
        EXPECT_EQ(missing.is_sat(p), std::nullopt);
    }
}

TEST(CachingSolver, OfAnotherSolver) {
    CachingSolver answers(solver_command("cvc5").value(), {.time = a_minute});
    for (int i = 0; i < 2; ++i) {
        EXPECT_EQ(answers.is_sat(problems()[0]), true);
        EXPECT_EQ(answers.is_sat(problems()[1]), false);
        EXPECT_EQ(answers.is_sat(problems()[3]), false);
    }
}

} // namespace
} // namespace matchpoint::validate
