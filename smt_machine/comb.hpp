// COMB (Definition 17): one problem for several traces of one program.
#pragma once

#include <string>
#include <vector>

#include "base/expected.hpp"
#include "smt_machine/problem.hpp"

namespace matchpoint::smt_machine {

/// The problem whose ML is the union of the given problems' MLs. Takes at least one problem, and refuses problems that
/// differ in more than ML. Those of well-formed traces of one program under D1 to D6, with infinite buffering, never
/// do.
///
/// If one of them is satisfiable, so is the result. The converse, which Lemma 4 claims, does not hold (errata E18).
Expected<Problem, std::string> COMB(std::vector<Problem> problems, IndexedProgram const& code);

} // namespace matchpoint::smt_machine
