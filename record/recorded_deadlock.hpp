// The deadlock of a recorded run. `check` may find executions that get stuck and of which it is not known whether they
// are deadlocks; the run itself shows one.
#pragma once

#include <optional>

#include "check/check.hpp"
#include "matching/prepared.hpp"

namespace matchpoint::record {

/// The deadlock that the recorded run of a file got stuck in, which is its first trace. If the file says that it
/// depends on the library, some calls refused, and it is one if `refusals` allows for that. None if the file does not
/// say that its run deadlocked or was ended, or if what is not recorded of threads could end it.
std::optional<check::Reached> recorded_deadlock(Prepared const& prepared, Buffering buffering,
                                                check::Refusals refusals);

} // namespace matchpoint::record
