// Random executions of a program, as traces: which thread steps, and which message moves when. Unlike the executions of
// the scheduler, they move messages at any moment, and the program need not obey D1 to D6.
#pragma once

#include <cstdint>

#include "executions/scheduler.hpp"
#include "programs/dice.hpp"
#include "programs/draft.hpp"

namespace matchpoint::programs {

struct RandomTrace {
    draft::Trace trace;
    /// A deadlock: some thread is not finished, and nothing more can happen. A fault: the command that is stuck is the
    /// trace's last entry.
    End end = End::complete;
    Status s = Status::success; // of the trace, if it is complete
    bool well_formed = false;   // by Definition 2: the trace is complete, and there are no orphans
};

/// Number i of a seed is always the same trace. Throws LimitReached.
RandomTrace random_trace(IndexedProgram const& code, Buffering buffering, std::uint64_t seed, std::uint64_t number);
RandomTrace random_trace(IndexedProgram const& code, Buffering buffering, Dice& dice);

} // namespace matchpoint::programs
