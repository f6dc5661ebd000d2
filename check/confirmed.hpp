// What the reference machine says of an execution that an engine has found. Context asks before it keeps anything, so
// that no engine can report what is not there.
//
//   Machine machine(code, buffering);
//   if (!ends_in_deadlock(machine, schedule, Runs::executions)) throw std::logic_error("...");
#pragma once

#include "check/check.hpp"

namespace matchpoint::check {

/// Whether some thread is unfinished, and none can go on, whatever is delivered next: each of them is at a wait, a
/// barrier or a `when`. Throws LimitReached if there are too many orders of deliveries to tell.
bool is_deadlock(Machine const& machine);

/// Runs the first entries of a schedule on a machine, from its state on, whichever that is. False: one of them is
/// stuck. Throws LimitReached.
bool follow(Machine& machine, Schedule const& schedule, std::size_t entries);

// Each of these runs a schedule on a machine, from its state on, with the deliveries that no command follows.

/// Whether it ends in a deadlock; under Runs::executions, on the path. Throws LimitReached.
bool ends_in_deadlock(Machine& machine, Schedule const& schedule, Runs runs);
/// Whether it ends in a deadlock if a library may refuse (docs/semantics.md, "Buffering"), under infinite buffering: no
/// match is possible, and each unfinished thread cannot go on, or is at a collective or at a wait for a standard send
/// that may refuse. If so, these collectives and sends, in the order of the threads; none of a deadlock under infinite
/// buffering.
std::optional<std::vector<Action>> refusing_at_end(Machine& machine, Schedule const& schedule, Runs runs);
/// The fault that it ends in: the last command is the next one of its thread and waits for nothing, and no rule applies
/// to it. None if it does not end in a fault, or under Runs::executions not in one on the path. Throws LimitReached.
std::optional<RunError> fault_at_end(Machine& machine, Schedule const& schedule, Runs runs);
/// The schedule up to the first assumption that is false, with that assumption as its last entry. Empty if all of them
/// hold.
std::optional<Schedule> way_off_path(Machine& machine, Schedule schedule);
/// Whether it leads to the data race, on the path (docs/shared_memory.md, "Data races"). Throws LimitReached.
bool ends_in_race(MessageIndex const& messages, Machine& machine, Race const& race);

} // namespace matchpoint::check
