// The characters of the trace language: what separates atoms, and what an atom can be.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/numbers.hpp"
#include "grammar/operators.hpp"

namespace matchpoint::grammar {

inline bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
inline bool is_open(char c) { return c == '(' || c == '['; }
inline bool is_close(char c) { return c == ')' || c == ']'; }
inline bool never_in_an_atom(char c) { return c == '"' || c == '{' || c == '}'; }

/// Which characters end an atom.
inline constexpr auto ends_atom = [] {
    std::array<bool, 256> table{};
    for (char const c : {' ', '\t', '\n', '\v', '\f', '\r', '(', ')', '[', ']', ';', '"', '{', '}'})
        table[static_cast<unsigned char>(c)] = true;
    return table;
}();

inline char const* atom_end(char const* first, char const* last) {
    while (first != last && !ends_atom[static_cast<unsigned char>(*first)]) ++first;
    return first;
}

/// The end of the string that begins with the quote at `first`; `first` itself if it is not closed on its line.
inline char const* string_end(char const* first, char const* last) {
    char const* const end = std::find_if(first + 1, last, [](char c) { return c == '"' || c == '\n'; });
    return end != last && *end == '"' ? end + 1 : first;
}

/// The name of an endpoint or of a tag: its number without sign and leading zeros. None if the atom is not a
/// non-negative integer.
inline std::optional<std::string_view> endpoint_name(std::string_view atom) {
    if (!is_integer(atom)) return std::nullopt;
    bool const negative = atom.starts_with('-');
    if (negative || atom.starts_with('+')) atom.remove_prefix(1);
    atom.remove_prefix(std::min(atom.find_first_not_of('0'), atom.size() - 1));
    if (negative && atom != "0") return std::nullopt;
    return atom;
}

/// A line number. None if the atom is not a non-negative integer of 32 bits.
inline std::optional<std::uint32_t> line_number(std::string_view atom) {
    auto const name = endpoint_name(atom);
    return name ? to_number<std::uint32_t>(*name) : std::nullopt;
}

/// A count of a collective. None if the atom is not a non-negative integer of 64 bits.
inline std::optional<std::uint64_t> count_number(std::string_view atom) {
    auto const name = endpoint_name(atom);
    return name ? to_number<std::uint64_t>(*name) : std::nullopt;
}

} // namespace matchpoint::grammar
