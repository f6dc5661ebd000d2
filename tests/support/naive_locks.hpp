#pragma once

/// Which shared variables data races are about, for the naive exploration: written from "Data races" and "How to write
/// it" (docs/shared_memory.md), on strings.

#include <set>
#include <string>

#include "tests/support/all_rooms.hpp"
#include "tests/support/plain.hpp"

namespace matchpoint::naive {

/// The shared variables but for those that some `when` names, and the locks that threads only try to take.
std::set<std::string> raced_variables(Program const& program);

} // namespace matchpoint::naive
