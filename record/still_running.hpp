// Threads that were still running when we ended the recorded run. What they would have done next is not recorded, and
// may be what other threads wait for: such a wait is not a deadlock.
//
//   if (auto why = explain::blocked(code, buffering, state)) {
//       end_openly(*why, code, provenance_of(source.text()).still_running);
//       if (why->kind == Blocked::Kind::deadlock) ...
#pragma once

#include <string>
#include <vector>

#include "check/check.hpp"
#include "explain/blocked.hpp"

namespace matchpoint::record {

struct StillRunning {
    std::vector<std::uint32_t> threads;
    std::string word = "thread"; // what the recording calls a thread: "rank"

    bool empty() const { return threads.empty(); }
    /// "rank 2 was still running", "ranks 0, 1 were still running"
    std::string in_words() const;
    /// "rank 2 was still running when the recorded run was ended: what it would have done next is not recorded"
    std::string why_open() const;
};

/// Sets the kind of a deadlock to `ended` if what these threads would have done next could end all its waits. A thread
/// that waits itself does nothing next.
void end_openly(Blocked& blocked, IndexedProgram const& code, StillRunning const& running);

/// Whether the threads that are stuck in a state could go on so.
bool ends_openly(IndexedProgram const& code, Buffering buffering, State const& state, StillRunning const& running);
/// The same after a schedule, with the deliveries that no command follows.
bool ends_openly(Machine& machine, Schedule const& schedule, StillRunning const& running);

/// A deadlock that ends openly is not known to be one. Then the verdict `vacuous`, which rests on it, is not known
/// either.
void end_openly(check::CheckResult& result, IndexedProgram const& code, Buffering buffering,
                StillRunning const& running);

} // namespace matchpoint::record
