// A schedule as a trace can say it: a trace has no place for deliveries that no command follows.
#pragma once

#include "machine/schedule.hpp"

namespace matchpoint::check {

/// The same execution with its last deliveries before some command, if there is such an order of its steps: the state
/// at the end is the same. Otherwise the schedule as it is. Tries a bounded number of orders, each of which is run.
Schedule written_out(IndexedProgram const& code, Buffering buffering, Schedule schedule);

} // namespace matchpoint::check
