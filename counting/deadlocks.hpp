// Where a program with shared variables can get stuck: sets of commands that wait for each other, by what variables
// count.
//
// Take a command that waits where every other thread may be finished, and its guard would be true then. If it is
// blocked all the same, some other thread is where it has added less (or more) than at its end: in a region of the
// lock, say. In a deadlock that thread is blocked, too. So every deadlock has a cycle of commands of different threads,
// with each thread at its command, and a shortest one has no shortcut.
//
// A command that waits for something else, such as a message, is no part of a cycle, and then there can be other
// deadlocks.
//
//   if (proofs.deadlock_suspects().none()) // there is no deadlock
#pragma once

#include <vector>

#include "counting/order.hpp"

namespace matchpoint::counting {

struct DeadlockSuspects {
    struct Stand {
        std::uint32_t command;
        /// The last command up to this one before which the thread has taken nothing from a semaphore that it has not
        /// given back.
        std::uint32_t entry;
    };
    using Cycle = std::vector<Stand>;

    std::vector<Cycle> cycles; // short ones first
    bool are_all = true;       // every deadlock on the path has threads at all commands of one of them
    bool none() const { return are_all && cycles.empty(); }
};

/// O(w^2) for w commands that wait, and what the cycles take. Throws OutOfTime.
DeadlockSuspects deadlock_suspects(MessageIndex const& messages, Sums const& sums, CountingVariables const& counts,
                                   Order const& order);

} // namespace matchpoint::counting
