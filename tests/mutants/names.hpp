// The names of the mutants.
#pragma once

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

#include "tests/mutants/mutants.hpp"

namespace matchpoint::mutants {

inline constexpr std::string_view names[] = {
#include "mutants.inc"
};

/// From 1, in the order of generate.py; 0 for `none`.
inline unsigned number_of(std::string_view name) {
    if (name == "none") return 0;
    auto const* const it = std::find(std::begin(names), std::end(names), name);
    if (it == std::end(names)) throw std::runtime_error("there is no mutant " + std::string(name));
    return static_cast<unsigned>(it - std::begin(names)) + 1;
}

} // namespace matchpoint::mutants
