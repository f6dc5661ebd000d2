// How large a program is, for shrinking.
#pragma once

#include <compare>
#include <cstdint>

#include "programs/draft.hpp"

namespace matchpoint::programs::draft {

/// Compared member by member, the first one first.
struct Size {
    std::size_t commands = 0;
    std::size_t threads = 0;
    std::size_t traces = 0;
    std::size_t movements = 0;
    std::size_t selectors = 0; // kinds of selectors and what they name, tags (of movements, too), modes
    std::size_t shared = 0;    // shared variables that are declared
    std::size_t terms = 0;     // operators, values and, counted twice, variables in expressions
    std::size_t endpoints = 0;
    std::size_t variables = 0;
    std::size_t digits = 0;  // of the numbers in expressions
    std::uint64_t value = 0; // their sum, roughly
    bool renamed = false;    // the names are not those of canonical_names()

    auto operator<=>(Size const&) const = default;
};
Size size(Draft const& draft);
/// The same with `renamed` left false.
Size size_without_names(Draft const& draft);
bool is_renamed(Draft const& draft);

/// Values from here on count as this one.
inline constexpr std::uint64_t large_value = 1'000'000'000'000;
/// How much a number counts: twice its absolute value, and one more if it is negative.
std::uint64_t weight(Value const& number);

} // namespace matchpoint::programs::draft
