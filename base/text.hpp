// Small things done to text that people read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "rooms.hpp"

namespace matchpoint::base {

/// Without the white space around it.
std::string_view trimmed(std::string_view text);

/// "1 step", "2 steps"
std::string plural(std::uint64_t n, std::string_view what);
/// "1 entry", "2 entries"
std::string plural(std::uint64_t n, std::string_view one, std::string_view many);

/// Appends an item to a list: "a", "a, b".
void append_item(std::string& list, std::string_view item, std::string_view separator = ", ");
/// Appends a sentence, which begins with a capital letter unless it is the first: "a is so", "a is so. B is not". An
/// empty one adds nothing.
void append_sentence(std::string& text, std::string_view sentence);

} // namespace matchpoint::base
