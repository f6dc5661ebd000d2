// Which shared variables data races are about (docs/shared_memory.md).
#pragma once

#include <vector>

#include "matching/message_index.hpp"

namespace matchpoint::executions {

/// Variable -> whether it is shared, and neither declared atomic nor for synchronisation: no `when` names it, and it is
/// not a lock that threads only try to take, that is, some command does with it what is not done with a lock.
std::vector<bool> raced_variables(MessageIndex const& messages);

} // namespace matchpoint::executions
