// Integers in other bases than ten, for people who look at bits.
#pragma once

#include <string>

#include "base/value.hpp"

namespace matchpoint::base {

/// "-0x1f": the digits of an integer in base 2, 8, 10 or 16, after the prefix `0b`, `0` (octal; zero is "0") or `0x`.
/// Throws std::logic_error if the value is not an integer.
std::string digits(Value const& integer, int base);

} // namespace matchpoint::base
