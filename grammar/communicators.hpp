// The members of communicators (docs/semantics.md, "Collectives").
#pragma once

#include <cstdint>
#include <vector>

#include "grammar/ast.hpp"

namespace matchpoint::grammar {

/// Communicator -> its members, which are threads, in their order: as declared, otherwise the threads in which it
/// occurs, by their numbers. `communicators`: how many there are. Linear.
std::vector<std::vector<std::uint32_t>> members_of_communicators(Ctp const& ctp, std::size_t communicators);

} // namespace matchpoint::grammar
