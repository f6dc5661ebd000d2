// How far threads get in every execution, by counting messages and receives.
//
// Let an execution end where no thread can go on, whatever is delivered, with every thread finished or at a wait. Count
// what is certainly there: the sends to an endpoint, and the receives at it, before commands that threads may not get
// past.
//
//   receive  A thread can be stuck at a wait for the receive with ordinal n only if no more than n messages are sent to
//            its endpoint, for all of these have been delivered.
//   send     Zero buffering. A thread can be stuck at a wait for send S only if every posted receive at its endpoint
//            has got another message. These are not S, nor sends after it in its channel. Nor is the endpoint's thread
//            at a wait for a receive there: that would get S, or another message in transit. So its receives count up
//            to the first other wait that it may not get past.
//
//   early    Zero buffering, if asked for. A thread cannot be stuck at a wait for send S if the endpoint's thread is past
//            a wait by which S was received: one for the receive with ordinal n, before which no more than n messages
//            can be sent there, other than S and those after it in its channel. How many can be sent before a wait is
//            counted by a run of all threads as far as they get with infinite buffering, with this thread held there.
//
// A wait at which that cannot be is passed, and more sends and receives are certain.
//
// Why that is right. At first nothing is certain but what comes before the first wait of each thread. A thread gets
// there in every execution that keeps the assumptions and does not divide by zero. Suppose that all that is certain so
// far is there in every state in which an execution is stuck. Then no thread is stuck at a wait that the rules pass, so
// what follows, up to the thread's next wait, is there, too. An endpoint belongs to one thread (D1), so a wait needs a
// number of messages there, whichever they are. The rules never look at values or at who gets what, so the result does
// not depend on them.
//
// With infinite buffering the converse holds: no thread gets further in any execution. Some thread would be the first
// to pass a wait that counting does not pass. But it needs more messages than the threads send up to where counting
// stops them. So all executions that go on as long as they can end in the same place. Petri nets with this property are
// called persistent (Landweber and Robertson, Properties of Conflict-Free and Persistent Petri Nets). With zero
// buffering it does not hold: who meets whom can decide who gets stuck (docs/checker.md, "The question").
//
// Each thread runs once. A wait that is not passed is put in a queue of its endpoint, sorted by the count that it
// needs, so it is looked at again only when that count is reached: O(n log n) for n commands. For the second rule, the
// thread of an endpoint is run ahead once more for each endpoint where others are at waits for sends, up to 20,000,000
// steps. For the third rule all threads are, for each endpoint with several channels, up to 20,000,000 commands.
#pragma once

#include <vector>

#include "machine/state.hpp"
#include "matching/message_index.hpp"

namespace matchpoint::matching {

/// Thread -> the first command at which it may be stuck; Thread::last if there is none. Every execution that keeps the
/// assumptions, and does not divide by zero, gets at least so far. With infinite buffering none gets further.
/// `closely`: also by the rule `early`.
std::vector<std::uint32_t> reach(MessageIndex const& messages, Buffering buffering = Buffering::infinite,
                                 bool closely = false);

/// Whether all threads finish.
bool all_finish(MessageIndex const& messages, std::vector<std::uint32_t> const& reach);

/// Whether every execution, as far as it is on the path, can go on to a complete run without leaving the path: all
/// threads finish, and there is neither an assumption nor a divisor that may be zero. Then both readings of a program's
/// outcomes (executions/runs.hpp) agree. `false`: it is not known.
bool all_can_complete(MessageIndex const& messages, Buffering buffering);

} // namespace matchpoint::matching
