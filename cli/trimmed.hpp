// Text without the white space around it.
#pragma once

#include <string>
#include <string_view>

#include "rooms.hpp"

namespace matchpoint::cli {

inline std::string trimmed(std::string_view text) {
    std::size_t const first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

} // namespace matchpoint::cli
