// How far threads get with infinite buffering, whatever they receive.
#pragma once

#include <vector>

#include "machine/state.hpp"
#include "matching/message_index.hpp"

namespace matchpoint::matching {

/// Thread -> the command that it never gets past; Thread::last if it finishes. With infinite buffering a wait is for a
/// number of messages, never for certain ones. So every execution in which all assumptions hold, and nothing is divided by
/// zero, gets exactly so far, and no other execution gets further. Linear in the size of the program.
std::vector<std::uint32_t> reach(MessageIndex const& messages);

/// Whether all threads finish.
bool all_finish(MessageIndex const& messages, std::vector<std::uint32_t> const& reach);

/// Whether every execution, as far as it is on the path, can go on to a complete run without leaving the path: with infinite
/// buffering all threads finish, and there is neither an assumption nor a divisor that may be zero. Then both readings of a
/// program's outcomes (executions/runs.hpp) agree.
bool all_can_complete(MessageIndex const& messages, Buffering buffering);

} // namespace matchpoint::matching
