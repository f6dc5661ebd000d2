// How a run ends, in the words of `step` and of `dap`.
#pragma once

#include <string>

#include "base/paint.hpp"
#include "explain/blocked.hpp"
#include "record/cut_short.hpp"

namespace matchpoint::cli {

/// "the run is complete: success (well-formed)", of a state in which every thread is finished. `modified`: values were
/// set by hand, so it is not a run of the program.
std::string complete_text(IndexedProgram const& code, State const& state, bool modified = false,
                          Paint const& paint = Paint());

/// "nothing can come next: a deadlock"
std::string blocked_text(Blocked::Kind why, Paint const& paint = Paint());

/// "the recording ends here; rank 2 was still running"
std::string open_end_text(CutShort const& cut);

/// "rule WAIT (RCVI) COMMAND: ...", of a run that ended in error. The state is the one before the entry.
std::string stuck_text(IndexedProgram const& code, State const& state, RunError const& error);

} // namespace matchpoint::cli
