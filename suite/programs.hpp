// The programs of the conformance suite (docs/suite.md): all of the smallest, some larger ones of the same enumeration,
// the hand-written ones of traces/, families at small sizes, random ones; and traces of them that end in every way. Its
// second part are programs with selectors, modes and barriers; its third part are programs with shared variables.
//
// The set is frozen: on every platform and in every build it is the same one, to the byte, until `version` changes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rooms.hpp"

namespace matchpoint::suite {

/// The version of the set of programs, with their traces. It changes whenever a file of the suite does.
inline constexpr unsigned version = 7;
/// The set that a part came with; its programs and results are the same since.
inline constexpr unsigned came_with[] = {3, 7, 5};

struct SuiteProgram {
    std::string id;     // of letters, digits, `-` and `_`: "small-000017", "traces-figure1"
    std::string origin; // for people: "small program 17", "matchpoint gen scaling 3 --safe"
    std::string text;   // in the trace language, with its traces
    unsigned part = 1;  // 2: it has selectors, modes, barriers or places; 3: shared variables
};

/// In the order of the suite. Takes some seconds.
std::vector<SuiteProgram> programs();

/// A file that is compiled in: of those in hand_written.txt ("traces/figure1.ctp"), hand_written_of_mpi.txt or
/// hand_written_of_shared_memory.txt, or of those that the suite's folder gets as they are.
struct EmbeddedFile {
    std::string_view name;
    std::string_view text;
};
std::vector<EmbeddedFile> const& embedded_programs();
std::vector<EmbeddedFile> const& embedded_programs_of_mpi();
std::vector<EmbeddedFile> const& embedded_programs_of_shared_memory();
std::vector<EmbeddedFile> const& embedded_files();

} // namespace matchpoint::suite
