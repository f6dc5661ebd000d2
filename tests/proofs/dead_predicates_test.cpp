#include "proofs/dead_predicates.hpp"

#include <gtest/gtest.h>

#include "tests/rma/program_of.hpp"

namespace matchpoint::proofs {
namespace {

/// What is dead of the predicates, which are a program's last properties, before each statement of a process and at its
/// end.
std::vector<std::vector<std::uint32_t>> dead(std::string_view text, std::size_t predicates,
                                             rma::ProcessIndex process = 0) {
    rma::Program program = rma::program_of(text);
    std::vector<Expression> V;
    for (std::size_t i = program.properties.size() - predicates; i < program.properties.size(); ++i)
        V.push_back(program.properties[i].e);
    program.properties.resize(program.properties.size() - predicates);
    rma::Graph const graph(program);
    Formulas formulas(graph);
    std::vector<Formula> formulas_of_V;
    for (Expression const e : V) formulas_of_V.push_back(formulas.with_places(e));
    DeadPredicates const found(formulas, formulas_of_V);
    std::vector<std::vector<std::uint32_t>> result;
    for (rma::StatementIndex pc = program.processes[process].first; pc <= graph.end(process); ++pc)
        result.push_back(found.at(process, pc));
    return result;
}
using Dead = std::vector<std::vector<std::uint32_t>>;

TEST(DeadPredicates, BeforeTheVariableIsWritten) {
    EXPECT_EQ(dead("(rma (process 1 (shared (X 0)) (local (u 0)) skip (load u X) (assert (<= u 3)) skip)"
                   " (invariant (<= u 3)))",
                   1),
              (Dead{{0}, {0}, {}, {0}, {0}}));
}

TEST(DeadPredicates, NotIfALoopReadsTheVariable) {
    EXPECT_EQ(dead("(rma (process 1 (shared (X 0)) (local (u 0)) (while (<= u 3) (load u X) skip) skip)"
                   " (invariant (<= u 3)))",
                   1),
              (Dead{{}, {0}, {}, {0}, {0}}));
}

TEST(DeadPredicates, NotIfOneBranchReadsTheVariable) {
    EXPECT_EQ(dead("(rma (process 1 (local (u 0) (v 0)) (if (= v 0) ((v := u)) ((u := 1))) skip)"
                   " (invariant (<= u 3)))",
                   1),
              (Dead{{}, {}, {0}, {0}, {0}}));
}

TEST(DeadPredicates, NotIfAnAssignmentReadsTheVariableThatItWrites) {
    EXPECT_EQ(dead("(rma (process 1 (local (u 0)) (u := (+ u 1)) (assert (<= u 3))) (invariant (<= u 3)))", 1),
              (Dead{{}, {}, {0}}));
}

TEST(DeadPredicates, OnlyTogetherWithTheConnectedOnes) {
    auto const text = "(rma (process 1 (local (u 0) (v 0) (w 0)) (u := 1) (assert (<= v 3)) skip)"
                      " (invariant (<= u v)) (invariant (<= v 3)) (invariant (<= w 3)))";
    EXPECT_EQ(dead(text, 3), (Dead{{2}, {2}, {0, 1, 2}, {0, 1, 2}}));
}

TEST(DeadPredicates, OnlyOfLocalVariablesOfOneProcessAndOfNoProperty) {
    EXPECT_EQ(
        dead("(rma (process 1 (shared (X 0)) (local (u 0)) skip) (process 2 (shared (Y 0)) (local (v 0) (w 0)) skip)"
             " (invariant (<= w 3))"
             " (invariant (<= X 3)) (invariant (<= u v)) (invariant (<= w 3)))",
             3),
        (Dead{{}, {}}));
    EXPECT_EQ(dead("(rma (process 1 (local (u 0)) skip) (process 2 (local (v 0)) skip skip)"
                   " (invariant (<= u 3)) (invariant (<= v 3)))",
                   2, 1),
              (Dead{{1}, {1}, {1}}));
}

} // namespace
} // namespace matchpoint::proofs
