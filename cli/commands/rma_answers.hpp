// What `rma check` and `rma prove` say beside the verdict: what no run of a safe program evaluates, and what nobody
// looked for.
#pragma once

#include <string>
#include <vector>

#include "cli/output.hpp"
#include "rma/language/program.hpp"
#include "rma/language/reduced_program.hpp"
#include "rma/search/check.hpp"

namespace matchpoint::cli {

/// How many of each a program has.
struct Claims {
    std::size_t finals = 0;
    std::size_t invariants = 0;
    std::size_t asserts = 0;
};
Claims claims_of(rma::Program const& program);
Claims claims_of(rma::reduced::Program const& program);

/// What no run of a safe program evaluates, a sentence each. The user may have another program in mind.
std::vector<std::string> never_evaluated(Claims const& claims, bool never_ends, bool never_asserts);
/// The same if the answers say `safe`, else nothing.
std::vector<std::string> never_evaluated(Claims const& claims, rma::CheckAnswers const& answers);

/// Whether the search looked for an answer: without --finals it ends with a run that goes wrong.
bool was_looked_for(rma::Known known, rma::CheckAnswers const& answers, rma::CheckOptions const& options);
/// Null if the search did not look for it.
Json to_json(rma::Known known, rma::CheckAnswers const& answers, rma::CheckOptions const& options);

} // namespace matchpoint::cli
