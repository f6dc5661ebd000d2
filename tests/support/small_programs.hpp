#pragma once

/// All small programs under rules D1 to D6, up to a bound and up to renaming: so that what is tested on them is tested
/// on everything of that size.
///
/// A program of the enumeration is a tuple of threads; a thread is a sequence of
///   - a receive at one of the thread's endpoints, into a variable of its own or (`reuse`) into that of the receive
///     before it;
///   - a send from one of the thread's endpoints to any endpoint at which some receive is posted (with `loose`, also to
///     one where none is, and which no thread has); its payload is the number of the send, counted from 1 through the threads in order, or the
///     thread's latest value plus 1;
///   - a wait for any earlier request of the thread that is not waited for yet;
///   - a check: (assert (> x 1)), (assume (> x 1)), (z := (div 6 (- x 1))) or (assert (< y x)), where x is the variable
///     of the last receive that was completed and y that of the one before, if it is another variable.
/// Every such sequence is a thread in which rule D3 holds, so waits stand in every order and place, receives are
/// completed by later waits, and sends are or are not waited for.
///
/// Programs that differ only in the order of threads or in names are one. Which of two like threads sends the smaller
/// number is no difference either.

#include <cstddef>
#include <functional>
#include <vector>

#include "tests/support/all_rooms.hpp"
#include "tests/support/plain.hpp"

namespace matchpoint::naive {

/// A box of programs: at most so many of each, and at least so many.
struct SmallBound {
    std::size_t threads = 3; ///< none of them empty
    std::size_t sends = 2;
    std::size_t receives = 2;
    std::size_t commands = 9;        ///< in the program, without closing checks
    std::size_t thread_commands = 6; ///< in a thread, without a closing check
    std::size_t endpoints = 2;       ///< of one thread: those it receives at or sends from
    std::size_t checks = 1;
    bool reuse = false;
    /// Only programs with a send to an endpoint where nothing is received, or a receive where nothing is sent; without
    /// it only the others.
    bool loose = false;
    /// Every thread that receives ends in one more check, of the three that need no second variable by turns.
    bool closing = false;

    std::size_t least_messages = 0;  ///< sends or receives, whichever are more
    std::size_t least_endpoints = 0; ///< of some thread
    std::size_t least_checks = 0;
};

/// The boxes of `for_each_small_program` without a bound: no program is in two of them.
std::vector<SmallBound> const& small_bounds();

/// Calls `visit` with programs number offset, offset + every, ... of the bound, in an order that is always the same.
/// Returns the number of all programs of the bound.
std::size_t for_each_small_program(SmallBound const& bound, std::size_t every, std::size_t offset,
                                   std::function<void(Program const&)> const& visit);

/// As above, through all of `small_bounds()`, counted on.
std::size_t for_each_small_program(std::size_t every, std::size_t offset,
                                   std::function<void(Program const&)> const& visit);

} // namespace matchpoint::naive
