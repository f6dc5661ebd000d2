// Where an occurrence of a variable gets its value (rules D4 and D5): from the same command in every run.
#pragma once

#include <cstdint>
#include <vector>

#include "matching/message_index.hpp"

namespace matchpoint::matching {

struct Definition {
    enum class Kind : std::uint8_t { none, receive, assignment } kind = Kind::none;
    std::uint32_t index = 0; // the receive's number, or the assignment's location
};

/// For each node that is a variable, the definition that reaches it in its thread; none for all other nodes. A receive
/// defines its variable at its nearest-enclosing wait. If a wait completes several receives, they define their
/// variables in the order of their places. Linear in the size of the program.
std::vector<Definition> definitions(MessageIndex const& messages);

/// Wait -> the receives whose nearest-enclosing wait it is, in the order of the program; empty for other commands.
std::vector<std::vector<std::uint32_t>> completed_at(MessageIndex const& messages);

} // namespace matchpoint::matching
