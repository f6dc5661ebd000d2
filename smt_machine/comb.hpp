// COMB (Definition 17): one problem for several traces of one program.
#pragma once

#include <string>
#include <vector>

#include "grammar/expected.hpp"
#include "smt_machine/problem.hpp"

namespace matchpoint::smt_machine {

/// The problem whose ML unites those of all the given ones; the rest has to be the same in all of them. It is for
/// well-formed traces, with infinite buffering, of one program under rules D1 to D6 (for others the rest may differ,
/// which is refused). At least one problem.
///
/// If one of them is satisfiable, so is the result. The other direction of Lemma 4 does not hold (errata E18).
Expected<Problem, std::string> COMB(std::vector<Problem> problems, IndexedProgram const& code);

} // namespace matchpoint::smt_machine
