#include "grammar/operators.hpp"
#include "programs/expression.hpp"

#include <gtest/gtest.h>

#include "programs/family_parts.hpp"
#include "tests/support/drafts.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::programs::draft {
namespace {

Expression const x = variable("x");
Expression const y = variable("y");

std::vector<std::string> texts_of_subterms(Expression const& e) {
    std::vector<std::string> texts;
    for (Subterm const t : subterms(e)) texts.push_back(print(part(e, t)));
    return texts;
}

TEST(DraftExpression, IsBuiltAndPrinted) {
    EXPECT_EQ(print(x), "x");
    EXPECT_EQ(print(number(-5)), "-5");
    EXPECT_EQ(print(truth(false)), "false");
    EXPECT_EQ(print(constant(Value::parse_integer("12345678901234567890123"))), "12345678901234567890123");
    EXPECT_EQ(print(operation(Op::not_, x)), "(not x)");
    Expression const sum = operation(Op::plus, operation(Op::times, x, number(2)), y);
    EXPECT_EQ(print(sum), "(+ (* x 2) y)");
    EXPECT_EQ(print(operation(Op::implies, operation(Op::not_, operation(Op::less, x, sum)), truth(true))),
              "(=> (not (< x (+ (* x 2) y))) true)");
}

TEST(DraftExpression, IsWhatTheParserReads) {
    for (char const* const text : {"x", "true", "-7", "(not (not x))", "(and (or a b) (xor (not c) (=> d e)))",
                                   "(<= (+ 1 (- 2 (* 3 (div 4 (mod 5 x))))) (- (- (- 1 2) 3) 4))"})
        EXPECT_EQ(print(test::expression(text)), text);
    EXPECT_EQ(test::expression("(= (+ x 1) y)"), operation(Op::equal, operation(Op::plus, x, number(1)), y));
}

TEST(DraftExpression, SubtermsAreInTheOrderOfTheText) {
    EXPECT_EQ(texts_of_subterms(x), std::vector<std::string>{"x"});
    EXPECT_EQ(texts_of_subterms(test::expression("(=> (not (< x 1)) (= (+ x y) 2))")),
              (std::vector<std::string>{"(=> (not (< x 1)) (= (+ x y) 2))", "(not (< x 1))", "(< x 1)", "x", "1",
                                        "(= (+ x y) 2)", "(+ x y)", "x", "y", "2"}));
}

TEST(DraftExpression, ASubtermIsReplaced) {
    Expression const e = test::expression("(- (+ x 1) (not y))");
    std::vector<std::string> changed;
    for (Subterm const t : subterms(e)) changed.push_back(print(replaced(e, t, test::expression("(* 2 z)"))));
    EXPECT_EQ(changed, (std::vector<std::string>{"(* 2 z)", "(- (* 2 z) (not y))", "(- (+ (* 2 z) 1) (not y))",
                                                 "(- (+ x (* 2 z)) (not y))", "(- (+ x 1) (* 2 z))",
                                                 "(- (+ x 1) (not (* 2 z)))"}));
}

TEST(DraftExpression, VariablesAreVisitedAsOftenAsTheyOccur) {
    Expression e = test::expression("(+ x (- y (* x 3)))");
    std::string names;
    for_each_variable(e, [&](Variable& v) {
        names += v.text;
        if (v == Variable("x")) v = "z";
    });
    EXPECT_EQ(names, "xyx");
    EXPECT_EQ(print(e), "(+ z (- y (* z 3)))");
}

TEST(DraftExpression, OperatorsTakeTheirNumberOfOperands) {
    EXPECT_THROW(operation(Op::not_, x, y), std::logic_error);
    EXPECT_THROW(operation(Op::plus, x), std::logic_error);
    std::vector<std::uint32_t> first;
    for (std::vector<Node> const& nodes : {std::vector<Node>{}, {Op::not_}, {Value(), Op::plus}, {Value(), Value()}})
        EXPECT_THROW(find_first_nodes({nodes}, first), std::logic_error);
}

// One operator in the other, the operand on the left, on the right, and with no other one.
TEST(DraftExpression, MayBeAsDeepAsItIsLong) {
    std::size_t const depth = naive::every() == 1 ? 1'000'000 : 100'000;
    Expression left = x;
    Expression nots = x;
    Expression right;
    for (std::size_t i = 0; i < depth; ++i) {
        left = operation(Op::minus, std::move(left), number(1));
        nots = operation(Op::not_, std::move(nots));
        right.nodes.emplace_back(Value::integer(1));
    }
    right.nodes.emplace_back(Variable("x"));
    right.nodes.insert(right.nodes.end(), depth, Op::plus);
    for (Expression const* const e : {&left, &nots, &right}) {
        EXPECT_GT(print(*e).size(), depth);
        EXPECT_EQ(subterms(*e).size(), e->nodes.size());
        Draft const d{.threads = {{assume(*e)}}};
        Program const program = valid_program_of(d);
        EXPECT_EQ(*expression_of(draft_of(program).threads[0][0].c), *e);
        Source const source("deep", print(d));
        EXPECT_TRUE(program == test::parsed(source));
    }
}

/// Neighbours in pairs, these in pairs, and so on.
Expression in_pairs(std::vector<Expression> terms) {
    while (terms.size() > 1) {
        std::vector<Expression> pairs;
        for (std::size_t i = 0; i + 1 < terms.size(); i += 2)
            pairs.push_back(operation(Op::and_, terms[i], terms[i + 1]));
        if (terms.size() % 2 == 1) pairs.push_back(terms.back());
        terms = std::move(pairs);
    }
    return terms[0];
}

TEST(DraftExpression, ABalancedTreeHasNeighboursInPairs) {
    std::vector<Expression> terms;
    for (int n = 1; n <= 70; ++n) {
        terms.push_back(operation(Op::equal, variable("x" + std::to_string(n)), number(n)));
        EXPECT_EQ(families::balanced(Op::and_, terms), in_pairs(terms)) << n;
    }
    EXPECT_EQ(families::balanced(Op::plus, std::vector<Expression>(1'000'000, x)).nodes.size(), 1'999'999U);
}

} // namespace
} // namespace matchpoint::programs::draft
