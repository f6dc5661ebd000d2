#include "proofs/refine.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "proofs/prove.hpp"
#include "tests/rma/program_of.hpp"

namespace matchpoint::proofs {
namespace {

/// The atoms of the path on which an abstraction without predicates goes wrong.
std::vector<std::string> atoms(std::string_view text, rma::Model model) {
    rma::Program const program = rma::program_of(text);
    rma::Graph const graph(program);
    Formulas formulas(graph);
    Cubes cubes(formulas, {}, *solve::solver_command("z3"), {.domains = false});
    Abstraction system(cubes, {.model = model});
    rma::SearchResult const found = rma::search(system, {.stop_at_violation = true, .reduced = false});
    std::vector<std::string> texts;
    if (!found.violation) return texts;
    for (Formula const p : atoms_on_path(formulas, system, *found.violation)) texts.push_back(formulas.text(p));
    std::sort(texts.begin(), texts.end());
    return texts;
}
using Texts = std::vector<std::string>;

TEST(Refine, GoesBackOverStatements) {
    EXPECT_EQ(atoms("(rma (process 1 (shared (Y 0)) (local (y 0)) (load y Y) (y := (+ y 1)) (assert (<= y 3))))",
                    rma::Model::sc),
              (Texts{"(<= Y 2)", "(<= y 2)", "(<= y 3)"}));
    EXPECT_EQ(atoms("(rma (process 1 (local (u 0) (v 0)) (choose u 5 7) (assume (<= v 4)) (assert (<= v u))))",
                    rma::Model::sc),
              (Texts{"(<= v 4)", "(<= v 5)", "(<= v 7)", "(<= v u)"}));
}

TEST(Refine, GoesBackOverConditionsThatWereTaken) {
    Texts const found =
        atoms("(rma (process 1 (local (u 0) (v 0)) (if (<= v 4) ((u := v))) (assert (<= u 4))))", rma::Model::sc);
    EXPECT_EQ(found, (Texts{"(<= u 4)", "(<= v 4)"}));
}

/// An operation writes what its source was: under sequential consistency when it is issued, else when it is executed.
TEST(Refine, GoesBackOverOperations) {
    std::string const text = "(rma (process 1 (shared (Y 0)) (local (y 0)) (load y Y) (assert (<= y 3)))"
                             " (process 2 (shared (X 0)) (local (x 0)) (store X (+ x 1)) (put Y 1 X)))";
    Texts const sc = atoms(text, rma::Model::sc);
    EXPECT_TRUE(std::find(sc.begin(), sc.end(), "(<= Y 3)") != sc.end());
    EXPECT_FALSE(atoms(text, rma::Model::rma).empty());
    // The shortest path needs no step of process 2; a property of Y after all steps does.
    std::string const last = "(rma (process 1 (shared (Y 0)))"
                             " (process 2 (shared (X 0)) (local (x 0)) (store X (+ x 1)) (put Y 1 X))"
                             " (assert final (<= Y 3)))";
    for (rma::Model const model : {rma::Model::sc, rma::Model::rma})
        EXPECT_EQ(atoms(last, model), (Texts{"(<= X 3)", "(<= Y 3)", "(<= x 2)"}));
}

TEST(Refine, GoesBackOverAtomics) {
    Texts const found = atoms("(rma (process 1 (shared (Y 0)))"
                              " (process 2 (shared (X 0) (one 1)) (fetch-and-op X Y 1 + one))"
                              " (assert final (<= Y X)))",
                              rma::Model::sc);
    EXPECT_EQ(found, (Texts{"(<= Y X)"})); // Y + 1 <= Y is a constant
}

/// Twice what is put must be known; at first, what is put last.
TEST(Refine, ProvesMore) {
    rma::Program const program =
        rma::program_of("(rma (process 1 (shared (Y 0)) bot)"
                        " (process 2 (shared (X 0)) (local (x 0))"
                        "  (atomic (get X Y 1) (flush 1) (load x X) (store X (+ x 1)) (put Y 1 X) (flush 1)) bot)"
                        " (process 3 (shared (Z 0)) (local (z 0))"
                        "  (atomic (get Z Y 1) (flush 1) (load z Z) (store Z (+ z 1)) (put Y 1 Z) (flush 1)) bot)"
                        " (assert final (= Y 2)))");
    rma::Graph const graph(program);
    Proof const refined = prove(graph, {.solver = *solve::solver_command("z3")});
    EXPECT_EQ(refined.verdict, ProofVerdict::verified);
    EXPECT_GT(refined.refinements, 0U);
    EXPECT_EQ(refined.reason, "");
    Proof const first = prove(graph, {.solver = *solve::solver_command("z3"), .refines = false});
    EXPECT_EQ(first.verdict, ProofVerdict::unknown);
    EXPECT_EQ(first.refinements, 0U);
    EXPECT_LT(first.predicates.size(), refined.predicates.size());
}

} // namespace
} // namespace matchpoint::proofs
