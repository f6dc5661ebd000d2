// Whether a run that does not move is stuck, or only slow: the reference machine decides. It runs what the ranks have done
// so far, with the messages that they took, and asks whether any rank can get on from there.
#pragma once

#include <cstdint>

#include "record/recording.hpp"

namespace matchpoint::record {

/// Whether no rank can ever go on: every rank waits or is done, and nothing that was sent or called so far lets any of them go
/// on. A send that waits goes on once a receive that is posted takes its message, whatever the library buffers. What a receive
/// took is not recorded before its rank waits for it: the run may be stuck for some of the messages that it can have, and not
/// for others.
enum class Standstill : std::uint8_t {
    no, // or the machine cannot follow the recording
    possible,
    certain,
};
Standstill standstill(Recording const& recording);

inline bool is_stuck(Recording const& recording) { return standstill(recording) == Standstill::certain; }

} // namespace matchpoint::record
