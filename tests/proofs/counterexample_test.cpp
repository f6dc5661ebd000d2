#include "proofs/counterexample.hpp"

#include <gtest/gtest.h>

#include "rma/language/print.hpp"
#include "tests/rma/program_of.hpp"

namespace matchpoint::proofs {
namespace {

/// The path of an abstraction with predicates that are the last invariants of a program.
struct Attempt {
    rma::Program program;
    rma::Graph graph;
    Counterexample found;
    Attempt(std::string_view text, std::size_t predicates, rma::Model model, AbstractMode mode)
        : program(rma::program_of(text)), graph(program) {
        Formulas formulas(graph);
        std::vector<Formula> V;
        for (std::size_t i = program.properties.size() - predicates; i < program.properties.size(); ++i)
            V.push_back(formulas.with_places(program.properties[i].e));
        program.properties.resize(program.properties.size() - predicates);
        Cubes cubes(formulas, V, *solve::solver_command("z3"), {.domains = false});
        Abstraction system(cubes, {.model = model, .mode = mode});
        auto const search = rma::search(system, {.stop_at_violation = true, .reduced = false});
        if (search.violation) found = counterexample(formulas, system, *search.violation, {});
    }
    std::string text(AbstractBit const& bit) const {
        std::string const set = bit.set.empty() ? "" : "[" + bit.set + "]";
        return bit.predicate + set + (bit.value == Bit::unknown ? " *" : bit.value == Bit::yes ? " yes" : " no");
    }
    std::vector<std::string> texts(std::vector<AbstractBit> const& bits) const {
        std::vector<std::string> all;
        for (AbstractBit const& bit : bits) all.push_back(text(bit));
        return all;
    }
    std::vector<std::string> statements() const {
        std::vector<std::string> all;
        for (AbstractStep const& step : found.steps)
            all.push_back((step.process ? "" : "execute ") + rma::print(program, step.statement));
        return all;
    }
};
using Texts = std::vector<std::string>;

TEST(Counterexample, HasWhatIsKnown) {
    Attempt const a("(rma (process 1 (local (u 0)) (assume (<= u 0)) (u := 1) (u := (+ u 1)) (assert (= u 2)))"
                    " (invariant (<= u 0)) (invariant (<= u 1)))",
                    2, rma::Model::sc, AbstractMode::K);
    EXPECT_EQ(a.statements(), (Texts{"(assume (<= u 0))", "(u := 1)", "(u := (+ u 1))"}));
    EXPECT_EQ(a.texts(a.found.initially), (Texts{"(<= u 0) yes", "(<= u 1) yes"}));
    EXPECT_EQ(a.texts(a.found.steps[0].becomes), Texts{}); // u is dead
    EXPECT_EQ(a.texts(a.found.steps[1].becomes), (Texts{"(<= u 0) no", "(<= u 1) yes"}));
    EXPECT_EQ(a.texts(a.found.steps[2].becomes), (Texts{"(<= u 1) no"}));
    // The machine follows, and the predicates do not say that u is at most 2.
    EXPECT_EQ(a.found.follows, 3U);
    EXPECT_TRUE(a.found.agrees_at_end);
    EXPECT_TRUE(a.found.differs.empty());
    EXPECT_FALSE(a.found.violation);
}

/// After a split, u is at most 2, or not.
TEST(Counterexample, SaysWhereTheMachineDisagrees) {
    Attempt const a("(rma (process 1 (local (u 0)) (u := (+ u 1)) (u := (+ u 1)) (assert (<= u 2)))"
                    " (invariant (<= u 2)))",
                    1, rma::Model::sc, AbstractMode::S);
    EXPECT_EQ(a.found.steps.size(), 2U);
    EXPECT_EQ(a.found.follows, 1U);
    EXPECT_FALSE(a.found.agrees_at_end);
    EXPECT_EQ(a.texts(a.found.differs), (Texts{"(<= u 2) no"}));
}

TEST(Counterexample, HasOperationsAndSets) {
    Attempt const a("(rma (process 1 (shared (Y 0)) (local (y 0)) (load y Y) (assert (<= y 1)))"
                    " (process 2 (shared (X 0)) (store X 1) (put Y 1 X)) (invariant (<= X 0)) (invariant (<= Y 0)))",
                    2, rma::Model::rma, AbstractMode::K);
    EXPECT_EQ(a.found.property, std::nullopt);
    EXPECT_EQ(a.found.assertion, 1U);
    ASSERT_FALSE(a.found.steps.empty());
    EXPECT_EQ(a.found.follows, a.found.steps.size()); // y is not known at all
    Attempt const b("(rma (process 1 (shared (Y 0))) (process 2 (shared (X 0)) (store X 1) (put Y 1 X))"
                    " (assert final (<= Y 1)) (invariant (<= X 0)) (invariant (<= Y 0)))",
                    2, rma::Model::rma, AbstractMode::K);
    EXPECT_EQ(b.statements(), (Texts{"(store X 1)", "(put Y 1 X)", "execute (put Y 1 X)"}));
    EXPECT_EQ(b.found.property, 0U);
    EXPECT_EQ(b.texts(b.found.steps[1].becomes), (Texts{"(<= X 0)[2#1] no"}));
    EXPECT_EQ(b.texts(b.found.steps[2].becomes), (Texts{"(<= Y 0) no"}));
    EXPECT_FALSE(b.found.steps[2].process);
}

/// The machine cannot wait for ever to execute an operation.
TEST(Counterexample, EndsWithNothingPending) {
    Attempt const a("(rma (process 1 (shared (Y 0))) (process 2 (shared (X 0) (Z 1)) (get X Y 1) (put Y 1 Z))"
                    " (assert final (<= X 3)) (invariant (<= X 0)))",
                    1, rma::Model::rma, AbstractMode::K);
    EXPECT_EQ(a.found.property, 0U);
    EXPECT_TRUE(a.found.agrees_at_end || !a.found.differs.empty());
    Attempt const b("(rma (process 1 (shared (Y 1) (u 0))) (process 2 (shared (X 1)) (put Y 1 X))"
                    " (assert final (= Y 1)) (invariant (<= Y 1)) (invariant (<= X 1)))",
                    2, rma::Model::rma, AbstractMode::K);
    EXPECT_TRUE(b.found.agrees_at_end); // no predicate says that Y is not 0
}

/// Under sequential consistency, the machine of that model follows; what goes wrong is a run under RMA.
TEST(Counterexample, FindsRunsThatGoWrong) {
    Attempt const a("(rma (process 1 (shared (Y 0))) (process 2 (shared (X 1)) (put Y 1 X) (store X 2))"
                    " (assert final (= Y 1)))",
                    0, rma::Model::sc, AbstractMode::K);
    ASSERT_TRUE(a.found.violation);
    EXPECT_EQ(a.found.violation->property, 0U);
}

} // namespace
} // namespace matchpoint::proofs
