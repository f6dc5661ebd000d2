// What can come before what: the graph on whose cycles everything lies that an order has to be found for.
#pragma once

#include "smt_machine/match_pairs.hpp"
#include "smt_machine/strong_components.hpp"

namespace matchpoint {

/// Which commands and instants can be ordered before which, whichever of the pairs are matched: the edges of feasibility.hpp.
/// Nodes are commands, then the instants of receives' rendezvous (zero buffering).
Graph possible_order(Messages const& messages, MatchPairs const& pairs, Buffering buffering);

} // namespace matchpoint
