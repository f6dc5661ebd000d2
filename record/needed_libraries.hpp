// The libraries that a program needs, by its file (ELF): "libmpi.so.40".
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "rooms.hpp"

namespace matchpoint::record {

/// Empty: it needs none, or it is no program of this machine, such as a script.
std::vector<std::string> needed_libraries(std::filesystem::path const& program);

} // namespace matchpoint::record
