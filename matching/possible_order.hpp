// What can come before what: the graph on whose cycles everything lies that an order has to be found for.
#pragma once

#include <functional>
#include <optional>

#include "matching/match_pairs.hpp"
#include "matching/strong_components.hpp"

namespace matchpoint::matching {

/// What can have to come before what.
struct PossibleEdge {
    std::uint32_t from;
    std::uint32_t to;
    std::optional<Pair> pair; // that it rests on, if it is not there whatever is matched
};

/// Each edge of possible_order(), once.
void possible_edges(MessageIndex const& messages, MatchPairs const& pairs, Buffering buffering,
                    std::function<void(PossibleEdge const&)> const& edge);

/// Which commands and instants can be ordered before which, whichever of the pairs are matched: the edges of feasibility.hpp.
/// Nodes are commands, then the instants of receives' rendezvous (zero buffering).
Graph possible_order(MessageIndex const& messages, MatchPairs const& pairs, Buffering buffering);

} // namespace matchpoint::matching
