// Proofs by predicate abstraction: what is verified is safe.
#include "proofs/prove.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "proofs/predicates.hpp"
#include "rma/language/print.hpp"
#include "rma/programs/random.hpp"
#include "tests/rma/program_of.hpp"
#include "tests/support/seed.hpp"

namespace matchpoint::proofs {
namespace {

/// Takes the last properties from a program.
std::vector<Expression> last_properties(rma::Program& program, std::size_t count) {
    std::vector<Expression> result;
    for (std::size_t i = program.properties.size() - count; i < program.properties.size(); ++i)
        result.push_back(program.properties[i].e);
    program.properties.resize(program.properties.size() - count);
    return result;
}

/// The answer about a program whose last properties are the predicates, if there are any. F_V is the paper's.
Proof proof_of(std::string_view text, std::size_t predicates = 0) {
    rma::Program program = rma::program_of(text);
    ProofOptions options{.solver = *solve::solver_command("z3"), .cubes = {.domains = false}};
    if (predicates > 0) options.predicates = last_properties(program, predicates);
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

/// A predicate that begins with `not` says what it says without.
TEST(Prove, GivenNegations) {
    Proof const proof = proof_of("(rma (process 1 (local (u 0) (v 0)) (while true (u := v) (assert (>= u v))"
                                 "  (v := (+ v 1)))) (invariant (not (< u v))) (invariant (> v u)))",
                                 2);
    EXPECT_EQ(verdict(proof), "verified");
    EXPECT_EQ(proof.predicates, std::vector<std::string>{"(<= u (+ v -1))"});
    EXPECT_EQ(proof.questions, 0U);
}

/// Whether EBP alone, in mode K, verifies a program whose last properties are the predicates.
bool verified_by_EBP(std::string_view text, std::size_t predicates, ReadingOfSets sets) {
    rma::Program program = rma::program_of(text);
    std::vector<Expression> const V = last_properties(program, predicates);
    rma::Graph const graph(program);
    Formulas formulas(graph);
    std::vector<Formula> formulas_of_V;
    for (Expression const e : V) formulas_of_V.push_back(formulas.with_places(e));
    Cubes cubes(formulas, formulas_of_V, *solve::solver_command("z3"), {.domains = false});
    Abstraction system(cubes, {.sets = sets});
    auto const found = rma::search(system, {.stop_at_violation = true, .reduced = false});
    return found.complete() && !found.violation;
}

/// Errata N7: the smallest programs that EBP verifies wrongly if R9 and R10 are read literally. BP(P, V) does not.
TEST(Prove, N7) {
    auto const R9 = "(rma (process 1 (shared (X 0)) (put Y 2 X) (store X 1)) (process 2 (shared (Y 0)))"
                    " (assert final (= Y X)) (invariant (= Y X)))";
    EXPECT_TRUE(verified_by_EBP(R9, 1, {.literal = {.R9 = true}}));
    EXPECT_FALSE(verified_by_EBP(R9, 1, {}));
    EXPECT_FALSE(verified_by_EBP(R9, 1, {.relational = true}));
    auto const R10 = "(rma (process 1 (shared (X 0)) (local (u 0)) (put B 2 X) (u := 1)) (process 2 (shared (B 0)))"
                     " (assert final (= B u)) (invariant (= X u)) (invariant (= B u)))";
    EXPECT_TRUE(verified_by_EBP(R10, 2, {.literal = {.R10 = true}}));
    EXPECT_FALSE(verified_by_EBP(R10, 2, {}));
}

/// While predicates are made of remainders, the table of formulas may move.
TEST(Prove, PredicatesOfRemaindersDoNotDependOnOtherFormulas) {
    rma::Program const program =
        rma::program_of("(rma (process 1 (local (u 0) (v 0)) (while true (u := (+ u 1)) (v := (+ v 3))"
                        "  (assert (= (mod u 7) (mod v 7))))))");
    rma::Graph const graph(program);
    std::set<std::vector<std::string>> found;
    for (std::int64_t others = 0; others < 64; ++others) {
        Formulas formulas(graph);
        for (std::int64_t i = 0; i < others; ++i) formulas.value(Value::integer(1000 + i));
        std::vector<std::string> predicates;
        for (Formula const p : find_predicates(formulas)) predicates.push_back(formulas.text(p));
        found.insert(predicates);
    }
    EXPECT_EQ(found.size(), 1U);
}

/// Two elements of one set are there at once: one is written, and the other one stays.
TEST(Prove, ManyPendingOperationsAreCertified) {
    rma::Program const program = rma::program_of(
        "(rma (process 1 (shared (Y 0)))"
        " (process 2 (shared (X 0)) (local (x 0)) (while true (put Y 1 X) (load x X) (store X (- 1 x))))"
        " (invariant (<= Y 1)))");
    rma::Graph const graph(program);
    Proof const proof = prove(graph, {.solver = *solve::solver_command("z3"), .certifies = true});
    EXPECT_EQ(verdict(proof), "verified");
    EXPECT_TRUE(std::any_of(proof.certificate.begin(), proof.certificate.end(), [](CertificateEntry const& entry) {
        return std::find(entry.at.active.begin(), entry.at.active.end(), 2) != entry.at.active.end();
    })) << proof.no_certificate;
}

/// Predicates say how far the loop is, and the invariant holds whatever that is.
TEST(Prove, CertificatesLeaveOutWhatTheyDoNotNeed) {
    rma::Program const program =
        rma::program_of("(rma (process 1 (shared (Y 0)))"
                        " (process 2 (shared (X 0)) (local (x 0) (n 0))"
                        "  (while (< n 5) (n := (+ n 1)) (put Y 1 X) (load x X) (store X (- 1 x))))"
                        " (invariant (<= Y 1)))");
    rma::Graph const graph(program);
    Proof const proof = prove(graph, {.solver = *solve::solver_command("z3"), .certifies = true});
    ASSERT_EQ(verdict(proof), "verified");
    ASSERT_FALSE(proof.certificate.empty()) << proof.no_certificate;
    EXPECT_TRUE(std::any_of(proof.predicates.begin(), proof.predicates.end(),
                            [](std::string const& p) { return p.find(" n ") != std::string::npos; }));
    for (CertificateEntry const& entry : proof.certificate)
        EXPECT_EQ(entry.formula.find(" n "), std::string::npos) << entry.formula;
}

/// With and without flushes.
TEST(Prove, WhatIsVerifiedIsCertified) {
    std::size_t verified = 0;
    std::size_t certified = 0;
    for (std::uint64_t i = 0; i < 25; ++i) {
        rma::Program const program = rma::random_program(naive::seeded(604), i, {.statements = 8, .remote = 3});
        rma::Graph const graph(program);
        Proof const proof =
            prove(graph, {.solver = *solve::solver_command("z3"), .seeks_violation = false, .certifies = true});
        if (proof.verdict != ProofVerdict::verified) continue;
        ++verified;
        EXPECT_NE(proof.certificate.empty(), proof.no_certificate.empty());
        if (!proof.certificate.empty()) ++certified;
    }
    EXPECT_GT(certified, verified * 4 / 5) << verified;
}

} // namespace
} // namespace matchpoint::proofs
