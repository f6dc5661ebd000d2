#pragma once

/// How much of a long test is done: all of it, a part under sanitizers, or what MATCHPOINT_EVERY (environment) says.

#include <cstddef>
#include <cstdlib>
#include <string>

#include "tests/support/all_rooms.hpp"

namespace matchpoint::naive {

/// Every so manyth program of an enumeration, instead of every n-th. MATCHPOINT_EVERY=1: all, for as long as that takes.
inline std::size_t every(std::size_t n = 1) {
#if defined(MATCHPOINT_SANITIZED)
    constexpr std::size_t under_sanitizers = 60;
#else
    constexpr std::size_t under_sanitizers = 1;
#endif
    char const* const given = std::getenv("MATCHPOINT_EVERY");
    return given == nullptr ? n * under_sanitizers : std::stoul(given);
}

/// So many random cases, or their part.
inline std::size_t cases(std::size_t n) { return (n + every() - 1) / every(); }

/// Of counts that a test expects to exceed. In a part of the cases, what is rare may be missing: a third of its share will do.
inline std::size_t least(std::size_t n) { return every() == 1 ? n : n / every() / 3; }

} // namespace matchpoint::naive
