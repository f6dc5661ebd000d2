#include "encode/problem_size.hpp"

#include <gtest/gtest.h>

#include "tests/support/all_rooms.hpp"

namespace matchpoint::test {
namespace {

constexpr std::string_view problem = R"((set-logic QF_LIA) ; (assert false)
(declare-const |a ; (assert| Int)(declare-fun f (Int) Int)
(define-fun g ((x Int)) Int (assert x))
(assert (! (= |a ; (assert| 1) :named |)|))
(echo "(assert ""x"" (")
(assert true)(check-sat)
)";

void expect_counts(ProblemSize const& size) {
    EXPECT_EQ(size.bytes(), problem.size());
    EXPECT_EQ(size.total().declarations, 2U);
    EXPECT_EQ(size.total().definitions, 1U);
    EXPECT_EQ(size.total().assertions, 2U);
    EXPECT_EQ(size.total().clauses, 2U);
}

// Comments, strings, quoted symbols and inner brackets begin no command.
TEST(ProblemSize, CountsCommands) {
    ProblemSize size;
    size.add(problem);
    expect_counts(size);
}

using Counts = ProblemSize::Counts;

/// Those of one assertion.
Counts counts_of(std::string_view formula) {
    ProblemSize size;
    size.add("(assert ");
    size.add(formula);
    size.add(")\n");
    return size.total();
}

TEST(ProblemSize, CountsClausesAtomsAndTerms) {
    for (auto const& [formula, clauses, atoms, terms] : {std::tuple("x", 1U, 0U, 0U),
                                                         {"|a b|", 1U, 0U, 0U},
                                                         {"(! x :named n)", 1U, 0U, 0U},
                                                         {"(< x 1)", 1U, 1U, 1U},
                                                         {"(and x (not y) (and (< x y) z))", 4U, 1U, 4U},
                                                         {"(! (and a (= b c)) :named |n|)", 2U, 1U, 2U},
                                                         {"(or (and a b) (and c d))", 1U, 0U, 3U},
                                                         {"(and (or a (and b c)) (distinct (+ x 1) y))", 2U, 1U, 5U},
                                                         {"(and (! a :named n) (! (and b c) :named m))", 3U, 0U, 2U}}) {
        Counts const counts = counts_of(formula);
        EXPECT_EQ(counts.clauses, clauses) << formula;
        EXPECT_EQ(counts.atoms, atoms) << formula;
        EXPECT_EQ(counts.terms, terms) << formula;
    }
}

TEST(ProblemSize, CountsByClass) {
    constexpr std::string_view text = "(declare-const x Int)\n; order\n(assert (< x 1))\n; nothing\n;matches\n"
                                      "(assert (and (= x 1)\n; not a class\n (= x 2)))\n; order\n(assert (> x 3))\n";
    for (std::size_t length = 1; length < 20; ++length) {
        ProblemSize size;
        for (std::size_t i = 0; i < text.size(); i += length) size.add(text.substr(i, length));
        auto const classes = size.classes();
        ASSERT_EQ(classes.size(), 3U);
        EXPECT_EQ(classes[0].name, "");
        EXPECT_EQ(classes[0].counts, (Counts{.declarations = 1}));
        EXPECT_EQ(classes[1].name, "order");
        EXPECT_EQ(classes[1].counts, (Counts{.assertions = 2, .clauses = 2, .atoms = 2, .terms = 2}));
        EXPECT_EQ(classes[2].name, "matches");
        EXPECT_EQ(classes[2].counts, (Counts{.assertions = 1, .clauses = 2, .atoms = 2, .terms = 3}));
    }
}

TEST(ProblemSize, PartsMayEndAnywhere) {
    for (std::size_t length = 1; length < 20; ++length) {
        ProblemSize size;
        for (std::size_t i = 0; i < problem.size(); i += length) size.add(problem.substr(i, length));
        expect_counts(size);
    }
}

} // namespace
} // namespace matchpoint::test
