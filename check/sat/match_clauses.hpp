// The match set as clauses: one boolean for each pair, each receive gets one send, each send goes to at most one
// receive, and channels are first in, first out.
//
// For the last of these, received(S, n) says that S is received by one of the first n receives at its endpoint. For
// consecutive sends S, S' of a channel, received(S', n) implies received(S, n - 1).
#pragma once

#include <vector>

#include "machine/extent.hpp"
#include "matching/match_pairs.hpp"
#include "solve/sat_solver.hpp"

namespace matchpoint::check {

class MatchClauses {
public:
    using Literal = SatSolver::Literal;

    /// Adds all clauses. The solver, the messages and the pairs have to outlive it. `prefix`: the match set is that of
    /// an execution that need not complete, so a receive may have no match, and no send has to be received.
    MatchClauses(SatSolver& sat, MessageIndex const& messages, MatchPairs const& pairs, Buffering buffering,
                 Extent extent = Extent::complete);

    /// The literal of one of the pairs.
    Literal operator()(Pair p) const;
    /// The literal of a receive's i-th candidate.
    Literal at(std::uint32_t r, std::size_t i) const { return first_[r] + static_cast<Literal>(i); }

    /// The match set of the last solution.
    void matching(Matching& m) const;

private:
    struct Candidate {
        std::uint32_t ordinal;
        Literal pair;
    };

    void add_variables();
    void add_receive(std::uint32_t r);
    void add_send(std::uint32_t s, Buffering buffering);
    bool must_be_received(std::uint32_t s, Buffering buffering) const;
    void add_consecutive(std::uint32_t s, std::uint32_t next);
    void add_at_most_one(std::vector<Literal> const& literals);
    void add_at_most_one_pairwise(std::vector<Literal> const& literals);

    SatSolver& sat_;
    MessageIndex const& m_;
    MatchPairs const& pairs_;
    Extent extent_;
    std::vector<Literal> first_;                     // receive -> the literal of its first candidate
    std::vector<std::vector<Candidate>> candidates_; // send -> the receives that may get it, by ordinal
    std::vector<std::vector<Literal>> received_;     // send -> by its first candidate, by one of its first two ...
    std::vector<Literal> clause_;
};

} // namespace matchpoint::check
