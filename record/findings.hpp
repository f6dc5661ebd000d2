// What is wrong in a run beside its failures and deadlocks: what its ranks have seen (record/mpi/findings.c) and what
// only all of them together show. A finding is not a verdict.
//
//   for (Finding const& f : findings_of(recording)) print(in_words(f));
//
// docs/record.md has the kinds.
#pragma once

#include <string>
#include <vector>

#include "record/recording.hpp"

namespace matchpoint::record {

/// What the ranks have seen, and what is wrong of the messages of the run; if `predicts`, also of those that it could
/// have had. In the order of kinds and places. Linear in the calls, times a logarithm. What could have been is looked
/// for within a limit, and only if some send does not fit a receive of the same rank and communicator.
std::vector<Finding> findings_of(Recording const& recording, bool predicts = true);

/// Sorts findings, of several runs perhaps, and leaves out what is there twice, or is predicted of what happened.
std::vector<Finding> without_repetitions(std::vector<Finding> found);

/// "its request is never completed", with the function and the other place.
std::string in_words(Finding const& f);
/// "bs.c:12"
std::string place_in_words(SourceLine const& at);
/// "bs.c:10: rank 0: MPI_Isend: its request is never completed"; the same of several ranks once.
std::vector<std::string> in_words(std::vector<Finding> const& findings);

} // namespace matchpoint::record
