// What collective calls carry: whether each rank receives the types and counts that are sent to it (MPI-3.1, 5.3 to
// 5.12).
#pragma once

#include <vector>

#include "record/recording.hpp"

namespace matchpoint::record {

/// Adds a finding for each pair of calls that do not fit together, for each pair of places once. Calls of which some
/// disagree in what the language compares (grammar::agree) are left out: that is a mismatch of the program. Linear in
/// the calls, for kinds with a count for each rank in the counts.
void compare_carried(Recording const& recording, std::vector<Finding>& found);

} // namespace matchpoint::record
