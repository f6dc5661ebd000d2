// The SHA-256 of a text, by libmd.
#pragma once

#include <string>
#include <string_view>

#include "rooms.hpp"

namespace matchpoint::cli {

/// Lower-case hexadecimal.
std::string sha256(std::string_view text);

} // namespace matchpoint::cli
