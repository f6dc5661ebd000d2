#include "proofs/horn.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "proofs/spacer.hpp"
#include "rma/programs/random.hpp"
#include "rma/search/reduced.hpp"
#include "tests/rma/program_of.hpp"

namespace matchpoint::proofs {
namespace {

constexpr auto put = "(rma (process 1 (shared (Y 0))) (process 2 (shared (X 1)) (put Y 1 X)) (assert final (= Y 1)))";
constexpr auto puts_in_a_loop =
    "(rma (process 1 (shared (Y 0))) (process 2 (shared (X 1)) (while true (put Y 1 X))) (invariant (= Y 0)))";

/// A program, and all that refers to it.
struct Horn {
    explicit Horn(rma::Program p) : program(std::move(p)) {}
    explicit Horn(std::string_view text) : Horn(rma::program_of(text)) {}

    rma::Program program;
    rma::Graph graph{program};
    Formulas formulas{graph};
    HornClauses clauses = horn_clauses(formulas);

    std::string text() const { return print_horn(formulas, clauses); }
    bool has(std::string_view part) const { return text().find(part) != std::string::npos; }
    std::string relations(std::string_view model) const {
        auto const found = relations_of_model(formulas, clauses, model);
        if (!found) return found.error();
        std::string all;
        for (std::string const& f : *found) all += f + "\n";
        return all;
    }
};

TEST(Horn, Clauses) {
    EXPECT_EQ(Horn(put).text(), R"((set-logic HORN)
; (pc end 0) (active 0): Y X
(declare-fun s%%0 (Int Int) Bool)
; (pc end end) (active 1): Y X e%%0
(declare-fun s%%1 (Int Int Int) Bool)
; (pc end end) (active 0): Y X
(declare-fun s%%2 (Int Int) Bool)
(assert (s%%0 0 1))
(assert (forall ((X Int) (Y Int)) (=> (s%%0 Y X) (s%%1 Y X X))))
(assert (forall ((X Int) (Y Int) (e%%0 Int)) (=> (s%%1 Y X e%%0) (s%%2 e%%0 X))))
(assert (forall ((X Int) (Y Int)) (=> (and (s%%2 Y X) (not (= Y 1))) false)))
)");
}

TEST(Horn, TwoElementsOfOneSet) {
    Horn const horn(puts_in_a_loop);
    EXPECT_TRUE(horn.has(" Y X e%%0) (s%%4 Y X v%%0))")) << horn.text();
    EXPECT_TRUE(horn.has("(ite new%%e%%0 X e%%0)")) << horn.text();
}

TEST(Horn, ControlAlone) {
    EXPECT_EQ(Horn("(rma (process 1 (while true skip) skip))").clauses.states.size(), 2U);
    EXPECT_EQ(Horn("(rma (process 1 (atomic skip skip)) (process 2 skip))").clauses.clauses.size(), 7U);
    EXPECT_EQ(Horn("(rma (process 1 skip skip) (process 2 skip))").clauses.clauses.size(), 8U);
    EXPECT_THROW(Horn("(rma (process 1 (shared (X 0) (Z 0)) (accumulate X 1 + Z)))"), std::logic_error);
}

TEST(Horn, RelationsOfAModel) {
    Horn const horn(put);
    std::string const two =
        "(define-fun s%%0 ((a Int) (b Int)) Bool true) (define-fun s%%2 ((a Int) (b Int)) Bool false)";
    auto const with = [&](std::string const& body) {
        return horn.relations("(" + two + "(define-fun s%%1 ((x!0 Int) (x!1 Int) (x!2 Int)) Bool " + body + "))");
    };
    EXPECT_EQ(with("(and (= x!0 1)\n   (<= x!1 x!2))"), "true\n(and (= Y 1) (<= X e%%0))\nfalse\n");
    EXPECT_EQ(with("(let ((Y (+ x!0 1))) (= Y x!1))"),
              "true\n(let ((x!0 Y) (x!1 X) (x!2 e%%0)) (let ((Y (+ x!0 1))) (= Y x!1)))\nfalse\n");
    EXPECT_EQ(with("(let ((x!0 3)) (= x!0 x!1))"),
              "true\n(let ((x!0 Y) (x!1 X) (x!2 e%%0)) (let ((x!0 3)) (= x!0 x!1)))\nfalse\n");
    EXPECT_EQ(horn.relations("(" + two + ")"), "its model lacks s%%1");
    EXPECT_EQ(horn.relations("((define-fun s%%0 ((a Int)) Bool true))"), "its model gives s%%0 other parameters");
    EXPECT_EQ(horn.relations("sat"), "its model cannot be read");
}

TEST(Horn, NotEveryModelIsAProof) {
    Horn const horn(put);
    auto const answer = [&](std::vector<std::string> const& relations) {
        Solver z3(*solver_command("z3"));
        return is_sat(check_relations(horn.formulas, horn.clauses, relations,
                                      [&](std::string const& problem) { return z3.check(problem); }));
    };
    EXPECT_EQ(answer({"(= X 1)", "(= e%%0 1)", "(= Y 1)"}), false);
    EXPECT_EQ(answer({"(= X 1)", "(= e%%0 1)", "(= Y 2)"}), true);
    EXPECT_EQ(answer({"true", "true", "true"}), true);
}

TEST(Horn, AgreesWithTheSearchOfTheReducedProgram) {
    int sat = 0;
    int unsat = 0;
    for (std::uint64_t i = 0; i < 12; ++i) {
        Horn const horn(rma::random_program(11, i, {.statements = 6, .remote = 2, .unbounded = 0, .properties = 100}));
        rma::ReducedSystem system(horn.graph, {});
        auto const found = rma::search(system, {.stop_at_violation = true});
        auto const result = run_spacer(horn.formulas, horn.clauses, std::chrono::milliseconds(500));
        if (!is_sat(result.answer)) continue;
        ++(*is_sat(result.answer) ? sat : unsat);
        EXPECT_EQ(*is_sat(result.answer), !found.violation) << horn.text();
    }
    EXPECT_GT(sat, 1);
    EXPECT_GT(unsat, 1);
}

} // namespace
} // namespace matchpoint::proofs
