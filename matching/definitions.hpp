// Where an occurrence of a variable in a program gets its value (rules D4 and D5): from the same command in every run.
#pragma once

#include <cstdint>
#include <vector>

#include "matching/message_index.hpp"

namespace matchpoint::matching {

struct Definition {
    enum class Kind : std::uint8_t { none, receive, assignment } kind = Kind::none;
    std::uint32_t index = 0; // receive number; location
};

/// For each node of the program that is a variable, the definition in front of it in its thread; none for other nodes. A
/// receive defines its variable at its nearest-enclosing wait; several that one wait completes, in the order of their
/// places. Linear in the size of the program.
std::vector<Definition> definitions(MessageIndex const& messages);

/// Wait -> the receives whose nearest-enclosing wait it is, in the order of the program; empty for other commands.
std::vector<std::vector<std::uint32_t>> completed_at(MessageIndex const& messages);

} // namespace matchpoint::matching
