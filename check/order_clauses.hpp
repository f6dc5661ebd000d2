// That what happens before what has no cycle, as clauses: rule 4 of feasibility.hpp for a SAT solver.
//
// A variable `before(h, v)` says that one command or instant comes before another one in the run. Then, for each edge
// u -> v that is there whatever is matched, before(h, u) implies before(h, v); for each that rests on a match, it does
// together with that match; and an edge v -> h excludes before(h, v). Every cycle goes through an edge that rests on a match,
// so the ends of such edges are all that h has to be; and nothing is said of what lies on no cycle of possible_order().
// Of two such ends one comes before the other one, and of three there is no cycle: it follows, but proofs of a few steps would
// take very many without (that not everybody can have somebody before him, for instance).
//
// Every clause excludes a cycle: of its matches, of program order, and of what its other literals say.
#pragma once

#include <functional>
#include <vector>

#include "matching/match_pairs.hpp"

namespace matchpoint::check {

struct OrderVocabulary {
    using Literal = int;
    using Moment = Conflict::Moment;

    std::function<Literal(Pair)> match;
    std::function<Literal(Moment, Moment)> new_before; // a variable that is none yet
    std::function<void(std::vector<Literal> const&)> add;
};

/// Of the matches among the pairs. False, and nothing is added, if these would be more than `most` clauses: for each
/// component of possible_order() there are as many as its edges times their ends. The clauses for three are left out
/// where that would be more.
bool order_clauses(MessageIndex const& messages, MatchPairs const& pairs, Buffering buffering, std::size_t most,
                   OrderVocabulary const& vocabulary);

} // namespace matchpoint::check
