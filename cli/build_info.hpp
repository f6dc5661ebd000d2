// Which Matchpoint this is. CMake writes the definitions. No other file depends on the commit, so that a new one does
// not recompile the others.
#pragma once

#include <string_view>

#include "rooms.hpp"

namespace matchpoint::cli::build_info {

extern std::string_view const version;    // "0.1.0": project(VERSION) in CMakeLists.txt
extern std::string_view const commit;     // "350106cd4c5e", or "v0.1.0-3-g350106cd4c5e" after a tag; empty if unknown
extern std::string_view const date;       // of the commit, or else of the build: "2026-11-22"
extern std::string_view const compiler;   // "GNU 12.2.0"
extern std::string_view const build_type; // "Release"

} // namespace matchpoint::cli::build_info
