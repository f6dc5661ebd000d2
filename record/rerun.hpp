// What a recording did, done again by the reference machine: each rank goes as far as it has come, and its receives
// take what they took.
//
//   standstill(recording)           whether any rank can go on: a run that does not move is stuck, or only slow
//   program_with_run(recording)     the program, and the run as its trace
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "machine/state.hpp"
#include "record/recording.hpp"

namespace matchpoint::record {

/// Whether no rank can ever go on: every rank waits or is done, and nothing that was sent or called so far lets any of
/// them go on. A send that waits goes on once a receive that is posted takes its message, whatever the library buffers.
/// What a receive took is not recorded before its rank waits for it: the run may be stuck for some of the messages that
/// it can have, and not for others.
enum class Standstill : std::uint8_t {
    no,       // or the machine cannot follow the recording
    possible, // it depends on messages, or on what a call for windows waits for
    certain,
};
Standstill standstill(Recording const& recording);

/// Whether ranks of a run that we ended wait for ever, whatever those would have done that were still running. False if
/// that is not certain, or if the recording is incomplete.
bool has_deadlock(Recording const& recording);

inline bool is_stuck(Recording const& recording) { return standstill(recording) == Standstill::certain; }

/// Whether the next step of a thread, at rho, is a mismatch: its collective disagrees with one that was called.
bool is_mismatch(IndexedProgram const& code, State const& state, Location rho);

/// Where a rank waits in the end: after so many of its commands, for these calls or for one of them.
struct Waits {
    std::uint32_t rank = 0;
    std::size_t behind = 0;
    std::vector<CallId> calls; // empty at a barrier
};
/// One for each rank that waits when a run ends, in order.
std::vector<Waits> waits_of(Recording const& recording);
/// Whether a rank of a run waits where the machine says that it does, at one call or at a barrier. They are the same
/// calls, but that a barrier that not all came to, and a probe, are recorded as receives with other names.
bool waits_there(Waits const& predicted, Waits const& run);

/// The program of a recording. Its one trace is the run; it has none if the machine cannot follow the recording:
/// something is missing there, or the run has not had this buffering. Linear in the commands, times the number of
/// channels.
draft::Draft program_with_run(Recording const& recording, Buffering buffering = Buffering::infinite);

} // namespace matchpoint::record
