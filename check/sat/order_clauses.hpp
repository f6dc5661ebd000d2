// Rule 4 of feasibility.hpp as clauses for a SAT solver: what happens before what has no cycle.
//
// A variable before(h, v) says that one command or instant comes before another one in the run. For each edge u -> v
// that every run has, before(h, u) implies before(h, v). For each edge that rests on a match, it does together with
// that match. An edge v -> h excludes before(h, v). Every cycle has an edge that rests on a match, so it is enough if h
// is a head, that is, the end of such an edge. What lies on no cycle of possible_order() needs no variables.
//
// One of two heads comes before the other, and three heads have no cycle. That follows, but without these clauses
// proofs of a few steps can become very long.
//
// Every clause excludes a cycle: of its matches, of program order, and of what its other literals say.
#pragma once

#include <functional>
#include <vector>

#include "matching/feasibility.hpp"
#include "matching/match_pairs.hpp"

namespace matchpoint::check {

/// How the clauses are written.
struct OrderVocabulary {
    using Literal = int;
    using Moment = Conflict::Moment;

    std::function<Literal(Pair)> match;                // the literal of a match
    std::function<Literal(Moment, Moment)> new_before; // a new variable
    std::function<void(std::vector<Literal> const&)> add;
};

/// Adds the clauses over the matches among the pairs. False: they would be more than `most`, and nothing was added.
/// There are, for each component of possible_order(), as many clauses as it has edges, times its heads. The clauses for
/// three heads are left out where they would be too many.
bool order_clauses(MessageIndex const& messages, MatchPairs const& pairs, Buffering buffering, std::size_t most,
                   OrderVocabulary const& vocabulary);

} // namespace matchpoint::check
