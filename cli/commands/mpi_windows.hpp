// The one-sided part of a recorded run, for `mpi verify`: which accesses race, and whether assertions depend on when
// they are done. docs/record.md, "Windows", says what that means.
#pragma once

#include <vector>

#include "record/recording.hpp"

namespace matchpoint::cli {

/// Adds what is wrong in the one-sided part of a run, which is that of a path, and what is not known of it. Takes at
/// most 10 seconds, and a quarter of a GiB.
void add_windows(record::Recording const& run, std::vector<record::Finding>& findings, std::vector<record::Gap>& gaps);

} // namespace matchpoint::cli
