// The deadlock of a recorded run, where its file says that it depends on the library.
#pragma once

#include <optional>

#include "check/check.hpp"
#include "matching/prepared.hpp"

namespace matchpoint::record {

/// The deadlock that the recorded run of a file got stuck in, which is its first trace, if the file says that it
/// depends on the library: so some calls refused. None if it does not say so, or if what is not recorded of ranks could
/// end it.
std::optional<check::Reached> recorded_deadlock(Prepared const& prepared);

} // namespace matchpoint::record
