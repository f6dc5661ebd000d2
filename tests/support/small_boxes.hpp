#pragma once

/// The small programs that tests go through: all of programs/small.hpp within five boxes, as plain data, so that what
/// is tested on them is tested on everything of that size.

#include <cstddef>
#include <functional>
#include <vector>

#include "programs/small.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/plain.hpp"

namespace matchpoint::naive {

/// The programs of a bound that have at least so much.
struct SmallBox {
    programs::SmallBound most;
    std::size_t least_messages = 0;  ///< sends or receives, whichever are more
    std::size_t least_endpoints = 0; ///< of some thread
    std::size_t least_locals = 0;
    /// Every thread that gets a value from a message ends in one more check of it, of three kinds by turns.
    bool closing = false;
};

/// No program is in two of them.
std::vector<SmallBox> const& small_boxes();

/// Calls `visit` with programs number offset, offset + every, ... of the box, in an order that is always the same.
/// Returns the number of all programs of the box.
std::size_t for_each_small_program(SmallBox const& box, std::size_t every, std::size_t offset,
                                   std::function<void(Program const&)> const& visit);

/// The same through all of `small_boxes()`, counted on.
std::size_t for_each_small_program(std::size_t every, std::size_t offset,
                                   std::function<void(Program const&)> const& visit);

} // namespace matchpoint::naive
