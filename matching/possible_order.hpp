// The possible order: which command or instant can have to come before which, whichever pairs are matched. Only what
// lies on a cycle of this graph needs an order; everything else can always be ordered.
#pragma once

#include <functional>
#include <optional>

#include "matching/match_pairs.hpp"
#include "matching/ordinal_windows.hpp"
#include "matching/strong_components.hpp"

namespace matchpoint::matching {

struct PossibleEdge {
    std::uint32_t from;
    std::uint32_t to;
    std::optional<Pair> pair; // the match that it rests on; none if every match set has the edge
};

/// Each edge of possible_order(), once.
void possible_edges(MessageIndex const& messages, MatchPairs const& pairs, Buffering buffering,
                    std::function<void(PossibleEdge const&)> const& edge);

/// The edges of rule 4 of feasibility.hpp, for all pairs at once. Nodes are the commands, then the instants of the
/// receives' rendezvous (zero buffering).
Graph possible_order(MessageIndex const& messages, MatchPairs const& pairs, Buffering buffering);
/// The same of all pairs in windows that are intervals, without edges that follow from others. Linear.
Graph possible_order(MessageIndex const& messages, OrdinalWindows const& windows, Buffering buffering);

} // namespace matchpoint::matching
