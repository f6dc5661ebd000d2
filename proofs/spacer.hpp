// z3's engine for Horn clauses, Spacer.
//
//   SpacerResult const result = run_spacer(formulas, horn, std::chrono::seconds(60));
//   if (std::get_if<answer::Sat>(&result.answer)) write_certificate(folder, text, graph, result.proof);
#pragma once

#include <chrono>
#include <optional>
#include <string_view>
#include <vector>

#include "base/expected.hpp"
#include "proofs/certificate.hpp"
#include "proofs/horn.hpp"
#include "solve/solver.hpp"

namespace matchpoint::proofs {

struct SpacerResult {
    /// Sat: no bad state is reachable. Unsat: one is, in the reduced program; the program itself need not reach it.
    Answer answer;
    std::vector<CertificateEntry> proof = {}; // if `sat`
    bool gave_wrong_model = false;            // z3 said `sat`, with a model in which a clause is false
};

/// Runs z3 twice side by side, with and without inlining of clauses: each solves programs on which the other one takes
/// forever. Whichever answers first ends the other. The time is a limit for both. A model counts only if z3, asked
/// again, says that all clauses are true in it: with inlining, z3 4.8.12 gives wrong ones. One that is wrong is no
/// answer (Unknown).
SpacerResult run_spacer(Formulas const& formulas, HornClauses const& horn,
                        std::optional<std::chrono::milliseconds> time);

/// The relations of a model, by state and over the names of the program, or what is wrong with the model.
Expected<std::vector<std::string>, std::string> relations_of_model(Formulas const& formulas, HornClauses const& horn,
                                                                   std::string_view model);

} // namespace matchpoint::proofs
