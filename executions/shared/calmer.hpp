// A failing execution with fewer context switches than one that is known, by moving what a thread does in one go.
//
// Where a thread is interrupted, either what it has done before can come later, or what it does afterwards can come
// earlier, if the execution still fails. That is tried for each interruption, again and again, as long as there are
// fewer switches then. The result need not have the fewest of all: few_switches.hpp finds these, but can take long.
#pragma once

#include <functional>

#include "executions/runs.hpp"
#include "machine/schedule.hpp"
#include "matching/message_index.hpp"

namespace matchpoint::executions {

/// The schedule, which must fail, or a calmer one. Runs::executions: it ends with the failure. Every candidate is run
/// on the reference machine. In each round there are at most two for each block, which is what a thread does in one go.
/// `stop` is asked before each block; it may be empty. Throws LimitReached.
Schedule calmer(MessageIndex const& messages, Buffering buffering, Runs runs, Schedule failing,
                std::function<bool()> const& stop);

} // namespace matchpoint::executions
