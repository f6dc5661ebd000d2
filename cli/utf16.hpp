// Clients count columns in UTF-16 code units. Our text is UTF-8.
#pragma once

#include <cstddef>
#include <string_view>

namespace matchpoint::cli {

/// UTF-16 code units of the character whose UTF-8 begins with this byte; 0 for a byte that continues one.
inline std::size_t utf16_units(char c) {
    auto const byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0U) == 0x80U) return 0;
    return byte >= 0xF0U ? 2 : 1;
}

inline std::size_t utf16_units(std::string_view text) {
    std::size_t units = 0;
    for (char const c : text) units += utf16_units(c);
    return units;
}

} // namespace matchpoint::cli
