#pragma once

/// How much of a long test is done: the part that the test itself takes, a part of that under sanitizers, all of it
/// with MATCHPOINT_EVERY=1 (environment), or with MATCHPOINT_EVERY=n an n-th of what is done without.

#include <cstddef>
#include <cstdlib>
#include <string>

#include "tests/support/all_rooms.hpp"

namespace matchpoint::naive {

/// The distance between the programs that a test takes from an enumeration, if it takes every n-th by itself. An
/// enumeration that is too large for a night takes more than 1 with MATCHPOINT_EVERY=1, too.
inline std::size_t every(std::size_t n = 1, std::size_t in_a_night = 1) {
#if defined(MATCHPOINT_SANITIZED)
    constexpr std::size_t under_sanitizers = 60;
#else
    constexpr std::size_t under_sanitizers = 1;
#endif
    char const* const given = std::getenv("MATCHPOINT_EVERY");
    std::size_t const part = given == nullptr ? 1 : std::stoul(given);
    return given != nullptr && part == 1 ? in_a_night : n * under_sanitizers * part;
}

/// So many random cases, or their part.
inline std::size_t cases(std::size_t n) { return (n + every() - 1) / every(); }

/// Of counts that a test expects to exceed. In a part of the cases, what is rare may be missing: a third of its share
/// will do.
inline std::size_t least(std::size_t n) { return every() == 1 ? n : n / every() / 3; }

} // namespace matchpoint::naive
