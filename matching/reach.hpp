// How far threads get in every execution, by counting messages and receives.
//
// Let an execution end where no thread can go on, whatever is delivered, with every thread finished or at a wait. Count
// what is certainly there: the sends to an endpoint, and the receives at it, before commands that threads may not get
// past.
//
//   receive   A thread can be stuck at a wait for the receive with ordinal n only if no more than n messages are sent
//             to its endpoint, for all of these have been delivered.
//   send      Zero buffering. A thread can be stuck at a wait for send S only if every posted receive at its endpoint
//             has got another message. These are not S, nor sends after it in its channel. Nor is the endpoint's thread
//             at a wait for a receive there: that would get S, or another message in transit. So its receives count up
//             to the first other wait that it may not get past.
//
// A wait at which that cannot be is passed, and more sends and receives are certain.
#pragma once

#include <vector>

#include "machine/state.hpp"
#include "matching/message_index.hpp"

namespace matchpoint::matching {

/// Thread -> the first command at which it may be stuck; Thread::last if there is none. Every execution that keeps the
/// assumptions, and does not divide by zero, gets at least so far. With infinite buffering none gets further: a wait is
/// for a number of messages, never for certain ones. Linear in the size of the program, and of the threads that receive
/// where others may be stuck, for each such endpoint.
std::vector<std::uint32_t> reach(MessageIndex const& messages, Buffering buffering = Buffering::infinite);

/// Whether all threads finish.
bool all_finish(MessageIndex const& messages, std::vector<std::uint32_t> const& reach);

/// Whether every execution, as far as it is on the path, can go on to a complete run without leaving the path: all
/// threads finish, and there is neither an assumption nor a divisor that may be zero. Then both readings of a program's
/// outcomes (executions/runs.hpp) agree. `false`: it is not known.
bool all_can_complete(MessageIndex const& messages, Buffering buffering);

} // namespace matchpoint::matching
