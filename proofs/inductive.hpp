// Certificates of proofs by abstraction: the states that an abstraction reaches, as formulas.
//
//   auto const proof = certified(cubes, {.mode = AbstractMode::K}, solver);
//   if (proof) write_certificate(folder, text, graph, *proof); else std::cout << "no certificate: " << proof.error();
//
// The formula of a control state is the disjunction of its abstract states: literals about the variables, and for each
// s that is active, literals about e_s, some element of set(s). Where many operations of s are pending, a Horn clause
// has the relation twice, for two elements of set(s), and each might be in another abstract state. So the abstraction
// is searched once more. States in which many are pending are split, as in mode S, so that only one choice of the bits
// of V is true of the variables; and of those with equal bits there is one, which knows of sets what all of them know.
// Before that, searches without some of the bits find those that the proof does not need.
#pragma once

#include "base/expected.hpp"
#include "proofs/abstraction.hpp"
#include "proofs/certificate.hpp"

namespace matchpoint::proofs {

/// A formula for each control state that the abstraction reaches, or why there are none. The solver has confirmed that
/// they make all Horn clauses true. Throws SolverFailed, LimitReached.
Expected<std::vector<CertificateEntry>, std::string> certified(Cubes& cubes, AbstractionOptions options,
                                                               solve::SolverCommand const& solver);

} // namespace matchpoint::proofs
