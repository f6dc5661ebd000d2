// Whether a trace goes to the end.
#pragma once

#include <cstdint>

#include "rooms.hpp"

namespace matchpoint::machine {

/// complete: a trace uses up every thread; one that is used up before that ends in error. prefix: it may stop early.
enum class Extent : std::uint8_t { complete, prefix };

} // namespace matchpoint::machine
