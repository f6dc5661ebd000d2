// The libraries that a program needs, by its file (ELF): "libmpi.so.40".
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "rooms.hpp"

namespace matchpoint::record {

/// Empty if it needs none, or is not a program for this machine, such as a script.
std::vector<std::string> needed_libraries(std::filesystem::path const& program);

} // namespace matchpoint::record
