// How a run of `verify` ended, in words.
#pragma once

#include <string>

#include "record/verify.hpp"

namespace matchpoint::cli {

/// "ended well", "failed, exit code 134", "deadlocked"
std::string outcome(record::Tried const& t);
/// The last line that the program wrote to standard error, to be printed; empty if it wrote none. Leaves out what
/// launchers and libraries say there.
std::string said(record::Tried const& t);
/// Lines about the ranks that were still running when we ended a run.
std::string still_running(record::Tried const& t);
/// Lines about how a run failed: the errors of MPI, or else what the program said last; and the ranks that ended by
/// themselves, with those that wait for them. If none of it is known, all that did not finish.
std::string how_failed(record::Tried const& t);
/// Lines about where the ranks were that had not finished.
std::string unfinished(record::Tried const& t);

} // namespace matchpoint::cli
