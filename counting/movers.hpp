// Which parts of threads can be one step (executions/shared/movers.hpp), by what counting knows.
//
//   auto const movers = counting::movers(messages, proofs);
//
// Two commands of different threads change places if neither writes what the other one accesses, or if all that they do
// to a shared variable is to add a constant to it, under a guard that only asks for enough (`Amount`). Locks count as
// such variables: one token, which is taken and given back.
//
// A command that may wait for ever must not be in the middle of a chain: threads that have each taken something could
// then not be stuck. A command waits in the middle only for *leaf locks*: a thread that holds one is at no command that
// waits. So somebody can go on, or has left the recorded path.
//
// If data races are asked for, a command that may race is not in the middle of a chain either: the search looks for
// them between chains. And if assertions cannot fail, it does not matter when they are executed.
#pragma once

#include <optional>

#include "counting/proofs.hpp"
#include "executions/shared/movers.hpp"

namespace matchpoint::counting {

/// What a command does to a shared variable that it accesses in no other way: it adds a constant, and is executed only
/// if the variable is at least `needs`; none if it is executed whatever the value is.
struct Amount {
    std::int64_t adds;
    std::optional<std::int64_t> needs;
};

/// Whether a command of another thread that is executed next after one can as well be executed before it: they do no
/// more than this to a variable.
bool moves_right(Amount const& first, Amount const& next);

/// What the executions are looked through for, beside deadlocks, faults, and whether one leaves the path.
struct MoversFor {
    bool races = true;
    bool assertions = true; // no: none can fail
};

/// None if the program is too large. Throws OutOfTime.
std::optional<executions::Movers> movers(MessageIndex const& messages, Proofs const& proofs, MoversFor asked);

} // namespace matchpoint::counting
