// A run with windows, as a program with remote memory access (docs/record.md, "Windows"): a process for each rank, a
// statement for each call, in the order of the rank. Memory of windows and buffers become shared variables. Ranks meet,
// and lock each other out, with remote atomics on variables of one process more.
//
//   WindowProgram const program = window_program(events);
//   std::cout << program.text;
#pragma once

#include <span>

#include "record/window_lines.hpp"

namespace matchpoint::record {

/// Takes the events of all ranks, which are 0, 1, ...
WindowProgram window_program(std::span<RankEvents const> ranks);

} // namespace matchpoint::record
