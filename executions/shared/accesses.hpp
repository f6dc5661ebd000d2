// Which shared variables each command of a program accesses (docs/shared_memory.md).
#pragma once

#include <vector>

#include "matching/message_index.hpp"

namespace matchpoint::executions {

struct Access {
    Variable x;
    bool writes;
};
using Accesses = std::vector<Access>;

/// The accesses of each command to shared variables: reads before writes, a variable as often as it is named. The wait
/// that completes a receive writes what is received. Linear in the size of the program.
std::vector<Accesses> shared_accesses(MessageIndex const& messages);

/// A variable that is accessed in both, and written in one. None if they do not conflict.
std::optional<Variable> conflict(Accesses const& a, Accesses const& b);

} // namespace matchpoint::executions
