// What two programs have in common when they differ only in names and in the order of threads.
#pragma once

#include <string>

#include "programs/draft.hpp"

namespace matchpoint::programs::draft {

/// A text of the program, without comments, locations and traces. If two shapes are equal, the programs differ only in
/// names and in the order of threads. The converse holds too, unless more than 720 orders are left of threads that can
/// be distinguished neither by their commands nor by the threads that they exchange messages with.
std::string shape(Draft const& draft);

} // namespace matchpoint::programs::draft
