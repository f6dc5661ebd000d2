// The Boolean programs of Section 4 as text, in the paper's letters: BP(P, V), and EBP with p[set(s)] and active(s).
//
//   BooleanText const B = boolean_program(cubes, rma::Model::sc, {});
//   std::cout << B.lines << " lines\n" << B.text;
//
// abstraction.hpp executes them. Both ask transformers.hpp what statements do to predicates. A label is the number of a
// statement, and what belongs to it is one step: its assignments read what was before, and then values join sets.
#pragma once

#include <string>

#include "proofs/transformers.hpp"

namespace matchpoint::proofs {

struct BooleanText {
    std::size_t predicates;     // |V|
    std::size_t set_predicates; // p[set(s)]
    std::size_t counts;         // active(s)
    std::size_t lines;          // without comments
    std::string text;
};

/// Throws SolverFailed and LimitReached.
BooleanText boolean_program(Cubes& cubes, rma::Model model, ReadingOfSets sets);

} // namespace matchpoint::proofs
