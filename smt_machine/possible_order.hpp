// What can come before what: the graph on whose cycles everything lies that an order has to be found for.
#pragma once

#include <functional>
#include <optional>

#include "smt_machine/match_pairs.hpp"
#include "smt_machine/strong_components.hpp"

namespace matchpoint {

/// What can have to come before what.
struct PossibleEdge {
    std::uint32_t from;
    std::uint32_t to;
    std::optional<Pair> pair; // that it rests on, if it is not there whatever is matched
};

/// Each edge of possible_order(), once.
void possible_edges(Messages const& messages, MatchPairs const& pairs, Buffering buffering,
                    std::function<void(PossibleEdge const&)> const& edge);

/// Which commands and instants can be ordered before which, whichever of the pairs are matched: the edges of feasibility.hpp.
/// Nodes are commands, then the instants of receives' rendezvous (zero buffering).
Graph possible_order(Messages const& messages, MatchPairs const& pairs, Buffering buffering);

} // namespace matchpoint
