#include "proofs/formula.hpp"

#include <gtest/gtest.h>

#include "proofs/predicates.hpp"
#include "tests/rma/program_of.hpp"

namespace matchpoint::proofs {
namespace {

/// Formulas as a program's assertions, where `u` to `w` are integers and `a`, `b` are Boolean.
class FormulaTest : public testing::Test {
protected:
    std::string normal(std::string const& e) {
        program_ = rma::program_of("(rma (process 1 (local (u 0) (v 0) (w 0) (a true) (b true)) (assert " + e + ")))");
        graph_.emplace(program_);
        formulas_.emplace(*graph_);
        f_ = formulas_->with_places(std::get<rma::Assert>(program_.statements[0].c).e);
        return formulas_->text(f_);
    }
    Symbol symbol(std::string_view name) const { return {program_.symbols.variables.find(name).value()}; }

    rma::Program program_;
    std::optional<rma::Graph> graph_;
    std::optional<Formulas> formulas_;
    Formula f_;
};

TEST_F(FormulaTest, Comparisons) {
    EXPECT_EQ(normal("(<= u 3)"), "(<= u 3)");
    EXPECT_EQ(normal("(< u 3)"), "(<= u 2)");
    EXPECT_EQ(normal("(> u 3)"), "(not (<= u 3))");
    EXPECT_EQ(normal("(>= u 3)"), "(not (<= u 2))");
    EXPECT_EQ(normal("(<= 3 u)"), "(not (<= u 2))");
    EXPECT_EQ(normal("(= 3 (+ u 1))"), "(= u 2)");
    EXPECT_EQ(normal("(!= u v)"), "(not (= u v))");
    EXPECT_EQ(normal("(and (<= u v) (< v u))"), "false");
    EXPECT_EQ(normal("(= (+ v 1) (- u 1))"), "(= v (+ u -2))");
    EXPECT_EQ(normal("(<= (+ u 1) (+ u 1))"), "true");
    EXPECT_EQ(normal("(< (+ u 1) (+ u 1))"), "false");
    EXPECT_EQ(normal("(<= (* 2 u) 7)"), "(<= (* 2 u) 7)");
}

TEST_F(FormulaTest, Connectives) {
    EXPECT_EQ(normal("(and a true)"), "a");
    EXPECT_EQ(normal("(and a (not a))"), "false");
    EXPECT_EQ(normal("(or a (not a))"), "true");
    EXPECT_EQ(normal("(=> a b)"), "(or b (not a))");
    EXPECT_EQ(normal("(xor a b)"), "(not (= a b))");
    EXPECT_EQ(normal("(= a false)"), "(not a)");
    EXPECT_EQ(normal("(ite true a b)"), "a");
    EXPECT_EQ(normal("(ite a b b)"), "b");
    EXPECT_EQ(normal("(= u (div 7 0))"), "(= u (div 7 0))"); // has no value
}

TEST_F(FormulaTest, Replace) {
    normal("(and (<= u (+ v 1)) (or a (= w 3)))");
    auto const replaced = [&](std::string_view x, std::int64_t c) {
        return formulas_->text(formulas_->replace(f_, {symbol(x), formulas_->value(Value::integer(c))}));
    };
    EXPECT_EQ(replaced("w", 3), "(<= u (+ v 1))");
    EXPECT_EQ(replaced("u", 5), "(and (or a (= w 3)) (not (<= v 3)))");
    std::vector<Formulas::Replacement> const swap{{symbol("u"), formulas_->of(symbol("v"))},
                                                  {symbol("v"), formulas_->of(symbol("u"))}};
    EXPECT_EQ(formulas_->text(formulas_->replace(f_, swap)), "(and (or a (= w 3)) (not (<= u (+ v -2))))");
}

TEST_F(FormulaTest, Atoms) {
    normal("(and (<= u (+ v 1)) (ite a (= w 3) (= b (< u 2))))");
    std::string all;
    for (Formula const p : formulas_->atoms(f_)) all += formulas_->text(p) + "; ";
    EXPECT_EQ(all, "(<= u (+ v 1)); a; (= w 3); b; (<= u 1); ");
}

std::string predicates_of(std::string_view text, bool domains = false) {
    rma::Program const program = rma::program_of(text);
    rma::Graph const graph(program);
    Formulas formulas(graph);
    std::string all;
    for (Formula const p : find_predicates(formulas, domains)) all += formulas.text(p) + "; ";
    return all;
}

TEST(Predicates, AreFoundBackwards) {
    EXPECT_EQ(predicates_of("(rma (process 1 (shared (Y 0))) (process 2 (shared (X 0)) (local (u 0))"
                            "  (store X (+ u 1)) (put Y 1 X)) (assert final (< Y 3)))"),
              "(<= Y 2); (<= Y 1); (<= X 2); (<= X 1); (<= u 1); (<= u 0); ");
}

TEST(Predicates, OfAssignmentsAreSubstitutedOnce) {
    EXPECT_EQ(predicates_of("(rma (process 1 (local (u 0)) (while (< u 9) (u := (+ u 1)))))"),
              "(<= u 8); (<= u 7); (<= u 6); ");
}

TEST(Predicates, OfConstantsThatAreStored) {
    EXPECT_EQ(predicates_of("(rma (process 1 (local (u 0)) (choose u 4 7) (assert (!= u 2))))"),
              "(<= u 2); (<= u 1); (<= u 4); (<= u 3); (<= u 7); (<= u 6); ");
}

TEST(Predicates, TellFewValuesApart) {
    EXPECT_EQ(predicates_of("(rma (process 1 (local (u 0) (v 0) (a true)) (choose u 1 5) (choose v 1)"
                            "  (assert (<= u v)) (assert (<= (+ u (ite a v 1)) v))))",
                            true),
              "(<= v 0); (<= u 1); (<= u 0); (<= u 4); a; ");
}

TEST(Predicates, OrderVariablesWithoutEnd) {
    auto const u_v_w = [](std::string const& tests) {
        return predicates_of("(rma (process 1 (local (u 0) (v 0) (w 0)) (while true (u := (+ u 1)) (v := (+ v 1))"
                             " (w := (+ w 1)) " +
                                 tests + ")))",
                             true);
    };
    EXPECT_EQ(u_v_w("(assert (<= u v)) (assert (= w (+ v 7)))"),
              "(<= u v); (<= u (+ v -1)); (<= v (+ w -7)); (<= v (+ w -8)); (<= u w); (<= u (+ w -1)); (<= v w); "
              "(<= v (+ w -1)); ");
    EXPECT_EQ(u_v_w("(assert (<= u 3)) (assert (<= v w))"),
              "(<= u 3); (<= u 2); (<= v w); (<= v (+ w -1)); (<= u 1); ");
}

TEST(Predicates, OfRemainders) {
    EXPECT_EQ(predicates_of("(rma (process 1 (local (u 0) (v 0)) (while true (u := (+ u 1)) (v := (+ v 1))"
                            "  (if (= (mod u 2) (mod v 2)) ((assert (= u v)))))))",
                            true),
              "(= (mod u 2) 0); (= (mod v 2) 0); (<= u v); (<= u (+ v -1)); (<= u (+ v -2)); (<= u (+ v 1)); ");
}

TEST(Predicates, HaveNoPlaces) {
    EXPECT_EQ(predicates_of("(rma (process 1 (local (b true)) [here skip]) (invariant (=> (at 1 here) b)))"), "b; ");
}

} // namespace
} // namespace matchpoint::proofs
