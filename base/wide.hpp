// Integers that hold every sum of products of small ones.
#pragma once

#include "rooms.hpp"

namespace matchpoint::base {

__extension__ using Wide = __int128;

} // namespace matchpoint::base
