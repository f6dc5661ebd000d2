// What came of a replay of threads: whether what its trace ends in has happened.
//
//   switch (confirmation(prepared, schedule, predicted, report, end, run)) ...
//
// A failure or a deadlock is confirmed only if the run followed the trace to its end, and then failed or deadlocked.
#pragma once

#include <set>
#include <string>
#include <utility>

#include "record/predicted.hpp"
#include "record/threads/reading.hpp"
#include "record/threads/replay.hpp"

namespace matchpoint::record::threads {

/// How a run ended.
enum class RunEnd : std::uint8_t {
    passed,
    failed,
    deadlocked,
    ended, // by us, while it could have gone on
};

enum class Confirmation : std::uint8_t {
    confirmed,      // also of a trace that ends well, and of a run that did
    another_end,    // than the trace has
    other_deadlock, // than the trace has: other threads wait, or in other events
    too_early,      // the run ended before the trace
    diverged,
    cut_off, // we ended the run
};

/// The threads that wait in a deadlock, each with the number of the event that it waits in.
using WaitsAtEnd = std::set<std::pair<std::uint32_t, std::uint64_t>>;
WaitsAtEnd waits_of(ThreadRecording const& run);
/// The same of a trace. Threads that it does not create wait in no event, as they are not in the run.
WaitsAtEnd waits_of(matching::Prepared const& prepared, Predicted const& predicted);

Confirmation confirmation(matching::Prepared const& prepared, ThreadSchedule const& schedule,
                          Predicted const& predicted, ReplayReport const& report, RunEnd end,
                          ThreadRecording const& run);

/// Where and how a run left its trace: "diverged at x.c:8: thread 1 does a store; the trace has t1.4 (x := 1), at
/// line 7".
std::string divergence_in_words(matching::Prepared const& prepared, ThreadSchedule const& schedule,
                                ReplayReport::Divergence const& d);

} // namespace matchpoint::record::threads
