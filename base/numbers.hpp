// Numbers out of text.
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>

#include "rooms.hpp"

namespace matchpoint::base {

/// Whether the text is digits and nothing else, at least one.
inline bool is_digits(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// The number at the beginning of a text, which is removed from it. None if no number is there, or if it does not fit
/// into the type; the text is left alone then. Like std::from_chars, this knows `-` but not `+`.
template <std::integral Number>
std::optional<Number> take_number(std::string_view& text, int base = 10) {
    Number n{};
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), n, base);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return n;
}

/// The number that a whole text is. None if it is not one, or does not fit into the type.
template <std::integral Number>
std::optional<Number> to_number(std::string_view text, int base = 10) {
    auto const n = take_number<Number>(text, base);
    return text.empty() ? n : std::nullopt;
}

/// The number that a text of digits is, or the largest one if it does not fit. None if the text is not only digits.
inline std::optional<std::uint64_t> natural(std::string_view text) {
    if (!is_digits(text)) return std::nullopt;
    return to_number<std::uint64_t>(text).value_or(UINT64_MAX);
}

} // namespace matchpoint::base
