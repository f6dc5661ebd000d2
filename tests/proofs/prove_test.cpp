// Proofs by predicate abstraction: what is verified is safe.
#include "proofs/prove.hpp"

#include <random>

#include <gtest/gtest.h>

#include "proofs/predicates.hpp"
#include "rma/language/print.hpp"
#include "rma/programs/random.hpp"
#include "tests/rma/program_of.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::proofs {
namespace {

/// The answer about a program with the last properties as predicates, if there are any. F_V is the paper's.
Proof proof_of(std::string_view text, std::size_t predicates = 0, LiteralAbstraction literal = {}) {
    rma::Program program = rma::program_of(text);
    ProofOptions options{.solver = *solve::solver_command("z3")};
    options.literal = literal;
    options.cubes.domains = false;
    if (predicates > 0) {
        options.predicates.emplace();
        for (std::size_t i = program.properties.size() - predicates; i < program.properties.size(); ++i)
            options.predicates->push_back(program.properties[i].e);
        program.properties.resize(program.properties.size() - predicates);
    }
    rma::Graph const graph(program);
    return prove(graph, options);
}

std::string verdict(Proof const& proof) { return std::string(to_string(proof.verdict)); }

TEST(Prove, Put) {
    Proof const proof =
        proof_of("(rma (process 1 (shared (Y 0))) (process 2 (shared (X 1)) (put Y 1 X)) (assert final (= Y 1)))");
    EXPECT_EQ(verdict(proof), "verified") << proof.reason;
    ASSERT_EQ(proof.attempts.size(), 2U);
    EXPECT_EQ(proof.attempts[0].model, rma::Model::sc);
    EXPECT_EQ(proof.set_predicates, 2U);
}

TEST(Prove, APutThatReadsLate) {
    Proof const proof = proof_of("(rma (process 1 (shared (Y 0))) (process 2 (shared (X 1)) (put Y 1 X) (store X 2))"
                                 "     (assert final (= Y 1)))");
    EXPECT_EQ(verdict(proof), "violated");
    EXPECT_TRUE(proof.violation);
}

TEST(Prove, UnboundedCounter) {
    EXPECT_EQ(verdict(proof_of("(rma (process 1 (shared (Y 0)) (local (y 0) (z 0))"
                               "  (while true (load y Y) (assert (<= z y)) (z := y)))"
                               " (process 2 (shared (X 0)) (local (x 0))"
                               "  (while true (x := (+ x 1)) (store X x) (put Y 1 X) (flush 1))))")),
              "verified");
}

/// Errata R9: an element of set(s) is not X.
TEST(Prove, R9) {
    auto const text = "(rma (process 1 (shared (Y 0))) (process 2 (shared (X 1)) (put Y 1 X) (store X 2) (put Y 1 X))"
                      " (assert final (= Y X)) (invariant (= Y X)))";
    EXPECT_EQ(verdict(proof_of(text, 1)), "violated");
    EXPECT_EQ(verdict(proof_of(text, 1, {.R9 = true})), "verified");
}

/// Errata R10: an assignment changes what holds for the elements of sets, too.
TEST(Prove, R10) {
    auto const text = "(rma (process 1 (shared (Z 0)))"
                      " (process 2 (shared (X 1) (Y 2)) (put Z 1 X) (store Y 1) (store X 0) (put Z 1 X))"
                      " (assert final (< Z Y))"
                      " (invariant (< Z Y)) (invariant (< X Y)) (invariant (< X 1)) (invariant (<= Y 0)))";
    EXPECT_EQ(verdict(proof_of(text, 4)), "violated");
    EXPECT_EQ(verdict(proof_of(text, 4, {.R10 = true})), "verified");
}

/// Errata N1: where there is an invariant, remote operations execute at any time.
TEST(Prove, N1) {
    EXPECT_EQ(
        verdict(proof_of("(rma (process 1 (shared (Y 0))) (process 2 (shared (X 1)) (put Y 1 X) (while true skip))"
                         " (invariant (= Y 0)))")),
        "violated");
}

/// Errata N2: a condition that is unknown is too weak in mode K.
TEST(Prove, N2) {
    auto const proof =
        proof_of("(rma (process 1 (shared (X 0)) (local (u 0) (v 0))"
                 "  (load u X) (v := u) (if (= u 0) ((assert (= v 0)))))"
                 " (process 2 (shared (Z 0)) (local (z 0))"
                 "  (while true (get Z X 1) (flush 1) (load z Z) (store Z (- 1 z)) (put X 1 Z) (flush 1))))");
    EXPECT_EQ(verdict(proof), "verified");
    EXPECT_EQ(proof.attempts.back().mode, AbstractMode::S);
}

/// Errata N3: equalities are not closed under sets, thresholds are.
TEST(Prove, N3) {
    std::string const program = "(rma (process 1 (shared (Y 0))) (process 2 (shared (X 0)) (put Y 1 X) (store X 1))"
                                " (assert final (or (= Y 0) (= Y 1)))";
    EXPECT_EQ(verdict(proof_of(
                  program + "(invariant (= X 0)) (invariant (= X 1)) (invariant (= Y 0)) (invariant (= Y 1)))", 4)),
              "unknown");
    EXPECT_EQ(verdict(proof_of(program + ")")), "verified");
}

/// Predicates that are found, with the values that variables can have; and others, without; in both modes.
TEST(Prove, WhatIsVerifiedIsSafe) {
    std::size_t verified = 0;
    std::size_t violated = 0;
    for (std::uint64_t i = 0; i < naive::cases(150); ++i) {
        rma::Program const program = rma::random_program(naive::seeded(602), i, {.statements = 8, .remote = 3});
        rma::Graph const graph(program);
        rma::Verdict const verdict = rma::check_program(program, {}).verdict;
        violated += verdict == rma::Verdict::violated ? 1 : 0;
        std::mt19937_64 random(naive::seeded(603) + i);
        for (bool const all : {true, false}) {
            Formulas formulas(graph);
            std::vector<Formula> V = find_predicates(formulas, all);
            if (!all) std::erase_if(V, [&](Formula) { return random() % 3 == 0; });
            std::erase_if(V, [&](Formula p) { return !formulas.difference(p) && !formulas.is_symbol(p); });
            Cubes cubes(formulas, V, *solve::solver_command("z3"), {.size = 3, .domains = all});
            for (AbstractMode const mode : {AbstractMode::K, AbstractMode::S}) {
                Abstraction system(cubes, {.mode = mode});
                auto const found =
                    rma::search(system, {.stop_at_violation = true, .reduced = false, .max_states = 20'000});
                if (!found.complete() || found.violation) continue;
                ++verified;
                EXPECT_NE(verdict, rma::Verdict::violated) << "case " << i << ", mode " << to_string(mode) << '\n'
                                                           << rma::print(program);
            }
        }
    }
    EXPECT_GT(verified, naive::cases(150) / 2);
    EXPECT_GT(violated, naive::cases(150) / 10);
}

} // namespace
} // namespace matchpoint::proofs
