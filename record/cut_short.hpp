// Threads that did not reach their ends in the recorded run: they were still running when we ended it, they died in a
// run that failed, or they were in calls when the run got stuck that return in other runs. What they would have done
// next is not recorded, and may be what other threads wait for: such a wait is not a deadlock.
//
//   if (auto why = explain::blocked(code, buffering, state)) {
//       end_openly(*why, code, provenance_of(source.text()).cut_short);
//       if (why->kind == Blocked::Kind::deadlock) ...
#pragma once

#include <string>
#include <vector>

#include "check/check.hpp"
#include "explain/blocked.hpp"

namespace matchpoint::record {

struct CutShort {
    std::vector<std::uint32_t> running; // when we ended the run
    std::vector<std::uint32_t> dead;
    std::string word = "thread";             // what the recording calls a thread: "rank"
    std::vector<std::uint32_t> blocked = {}; // in a call that may return in another run, when this one ended
    bool is_stuck = false;                   // the run got stuck, and was not ended

    bool empty() const { return running.empty() && dead.empty() && blocked.empty(); }
    /// "MPI_Finalize", which a rank did not come to
    std::string_view end() const { return word == "rank" ? "MPI_Finalize" : "its end"; }
    /// "rank 2 was still running", "ranks 0, 1 ended before MPI_Finalize", or both. If there are none, "rank 1 was
    /// blocked".
    std::string in_words() const;
    /// "was still running when the recording ended", "was blocked when ...", "ended before MPI_Finalize"; empty if the
    /// thread is none of these
    std::string of(std::uint32_t thread) const;
    /// "rank 1 ended before MPI_Finalize: what it would have done next is not recorded"
    std::string why_open() const;
};

/// Sets the kind of a deadlock to `ended` if what these threads would have done next could end all its waits. A thread
/// that waits itself does nothing next.
void end_openly(Blocked& blocked, IndexedProgram const& code, CutShort const& cut);

/// Whether the threads that are stuck in a state could go on so.
bool ends_openly(IndexedProgram const& code, Buffering buffering, State const& state, CutShort const& cut);
/// The same after a schedule, with the deliveries that no command follows. `at_end`: the buffering of its last state,
/// under which waits for sends that refuse wait.
bool ends_openly(Machine& machine, Schedule const& schedule, Buffering at_end, CutShort const& cut);

/// A deadlock that ends openly is not known to be one. If the recording has none, there may be one beyond its end.
/// The verdict `vacuous` is not known either, unless it is known that the recording has none.
void end_openly(check::CheckResult& result, IndexedProgram const& code, Buffering buffering, CutShort const& cut);

} // namespace matchpoint::record
