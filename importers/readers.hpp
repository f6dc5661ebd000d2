// One reader for each format. docs/formats.md has the grammars and the rules. A reader adds what it finds to the calls
// and what is wrong to the reports. It takes time linear in the size of the file.
#pragma once

#include <cstdint>

#include "base/source.hpp"
#include "importers/reading.hpp"

namespace matchpoint::importers {

/// `T2_0: snd(0, 4)`
void read_mp_trace(std::uint32_t file, Source const& source, Reading& reading);

/// `Thread 0`, `Send 1 5`
void read_mercury(std::uint32_t file, Source const& source, Reading& reading);

/// `Transition list for 0`, and its transitions; of ISP and MOPPER.
void read_transition_lists(std::uint32_t file, Source const& source, Reading& reading);

} // namespace matchpoint::importers
