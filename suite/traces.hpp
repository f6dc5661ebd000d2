// The traces of the suite's programs: random executions, and broken copies of them.
//
//   add_traces(draft, 17, Breaks::general);
#pragma once

#include <cstdint>

#include "programs/draft.hpp"

namespace matchpoint::suite {

/// In which ways traces are broken.
enum class Breaks : std::uint8_t {
    general, // movements and entries that are left out, repeated, too early or too late
    // and, where the program has such things: a barrier that is passed too early, a wait for a synchronous send before
    // its
    of_mpi,
    // message is taken, messages in an order in which a receive does not admit the one that it needs
    of_shared_memory, // and a `when` too early
};

/// Random executions until they have ended in several ways, and broken copies of some. The number of the program
/// decides which.
void add_traces(draft::Draft& draft, std::uint64_t number, Breaks breaks);

} // namespace matchpoint::suite
