// What the words after `mpirun` say, as far as we can tell without knowing all options of all launchers.
//
//   launcher_words({"mpirun", "-n", "4", "./prog", "-n", "7"})    4 ranks of ./prog
//
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "rooms.hpp"

namespace matchpoint::record {

struct LauncherWords {
    std::optional<std::uint64_t> ranks; // none if it is not given, or if there are several programs
    std::filesystem::path program;      // the first word that can be run; empty if there is none
};

LauncherWords launcher_words(std::vector<std::string> const& command);

} // namespace matchpoint::record
