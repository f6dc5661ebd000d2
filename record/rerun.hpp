// What a recording did, done again by the reference machine: each rank goes as far as it has come, and its receives take what
// they took.
//
//   is_stuck(recording)             no rank can ever go on: the run is not slow, it is stuck
//   program_with_run(recording)     the program, and the run as its trace
#pragma once

#include "record/recording.hpp"

namespace matchpoint::record {

/// Whether no rank can ever go on: every rank waits or is done, and nothing that was sent or called so far lets any of them go
/// on. A send that waits goes on once a receive that is posted takes its message, whatever the library buffers. False too if
/// the machine cannot follow the recording.
bool is_stuck(Recording const& recording);

/// The program of a recording. Its one trace is the run, with infinite buffering; it has none if the machine cannot follow the
/// recording: something is missing there. Linear in the commands, times the number of channels that have messages on the way
/// at once.
draft::Draft program_with_run(Recording const& recording);

} // namespace matchpoint::record
