// Where MPI allows more than the machine. In MPI a receive from anybody may take the first message of any rank that it
// admits, whatever came first. The machine lets messages arrive in one order, and a receive takes the oldest that it
// admits. For most programs that is the same: let messages arrive as they are taken. It is not where a receive takes a
// message past an older one of the same rank, because of its tag. The older one has arrived then, and the machine gives
// it to the next receive that admits it. MPI may give that a message of another rank, which came later.
//
//   rank 0: recv(any, tag 1); recv(any, any); recv(any, any)     the second can take the message of rank 2
//   rank 1: send(tag 2); send(tag 1)
//   rank 2: send(tag 1)
#pragma once

#include <optional>
#include <string>

#include "programs/draft.hpp"

namespace matchpoint::record {

/// A receive that may pass over a message in this way. None if MPI allows no more than the machine. Time: linear in the
/// commands, times the kinds of receives at an endpoint and the tags that are sent to it. If these are too many, the
/// result is the first receive that selects by tag.
std::optional<draft::LocatedCommand> passes_over(draft::Draft const& program);

} // namespace matchpoint::record
