// What is wrong in a run beside its failures and deadlocks: what its ranks have seen (record/mpi/findings.c) and what
// only all of them together show. A finding is not a verdict.
//
//   for (Finding const& f : findings_of(recording)) print(in_words(f));
//
// docs/record.md has the kinds.
#pragma once

#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "record/recording.hpp"

namespace matchpoint::record {

/// What the ranks have seen, and what is wrong of the messages of the run; if `predicts`, also of those that it could
/// have had. In the order of kinds and places. Linear in the calls, times a logarithm. What could have been is looked
/// for within a limit, and only if some send does not fit a receive of the same rank and communicator. `forced` is what
/// the receives of a replay were to take: one of them can have ended its rank, as its message was too long.
std::vector<Finding> findings_of(Recording const& recording, bool predicts = true,
                                 std::vector<std::pair<CallId, CallId>> const& forced = {});

/// A match that a run had: the receiver, the line of the receive, and the calls.
using HadMatch = std::tuple<std::uint32_t, SourceLine, Finding::Match>;
/// Adds those of a run. Linear in the calls, times a logarithm. Nothing of one with so many messages that nothing is
/// predicted of it.
void add_matches(Recording const& run, std::set<HadMatch>& had);
/// Takes away the predictions that runs refute: the same receive got that message. Whether it fits is a finding of the
/// run that had it.
void refute(std::vector<Finding>& found, std::set<HadMatch> const& had);

/// Sorts findings, of several runs perhaps, and leaves out what is there twice, or is predicted of what happened.
std::vector<Finding> without_repetitions(std::vector<Finding> found);

/// "its request is never completed", with the function and the other place.
std::string in_words(Finding const& f);
/// "bs.c:12"
std::string place_in_words(SourceLine const& at);
/// "bs.c:10: rank 0: MPI_Isend: its request is never completed"; the same of several ranks once.
std::vector<std::string> in_words(std::vector<Finding> const& findings);

} // namespace matchpoint::record
