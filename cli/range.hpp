// A part of a run, as users write it: "30..60", "30..", "..60", "30".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace matchpoint::cli {

/// The numbers first to last.
struct Range {
    std::uint64_t first = 0;
    std::uint64_t last = UINT64_MAX;
};

/// None if the word is not a range, or if its end comes before its beginning.
std::optional<Range> parse_range(std::string_view word);

} // namespace matchpoint::cli
