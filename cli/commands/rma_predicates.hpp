// The predicates that commands about proofs are given, and what else says how programs are abstracted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/commands/rma_commands.hpp"
#include "proofs/transformers.hpp"

namespace matchpoint::cli {

struct PredicateOptions {
    std::string file; // of predicates
    unsigned cube = 6;
    unsigned hops = 1;
    bool plain = false;
    std::string solver = "z3";
    proofs::ReadingOfSets sets;

    proofs::CubeOptions cubes() const { return {.size = cube, .hops = hops, .domains = !plain}; }
};
void add_predicate_options(Command& command, PredicateOptions& options);

/// A program that can be abstracted.
struct AbstractedProgram {
    rma::Program program;
    std::optional<std::vector<Expression>> predicates; // that are given; of this program
    solve::SolverCommand solver;
};
/// Complains about what is wrong.
Expected<AbstractedProgram, ExitCode> abstracted_program(RmaInput const& input, PredicateOptions const& options,
                                                         Terminal& terminal);

} // namespace matchpoint::cli
