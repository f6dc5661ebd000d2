// The clauses of a certificate that are about matches alone: get, one, once, fifo, taken, and for executions sent,
// posted, queue (certificate.hpp says what they mean). There is a variable for each receive and each send to its
// endpoint.
#pragma once

#include <span>
#include <vector>

#include "check/sat/reasoned_clauses.hpp"
#include "matching/matching.hpp"

namespace matchpoint::check {

class MatchReasons {
public:
    using Literal = SatSolver::Literal;

    /// Adds the variables. Everything has to outlive it.
    MatchReasons(ReasonedClauses& clauses, MessageIndex const& messages, Buffering buffering);

    /// About how many clauses there are.
    static double size(MessageIndex const& messages);
    /// Adds get, one, once, fifo and taken. `executed`: of each command its variable, or 0 if it is executed in any
    /// case.
    void add(std::span<Literal const> executed);
    /// Adds sent, posted and queue.
    void add_progress(std::span<Literal const> executed);

    Literal match(Pair p) const { return first_[p.r] + static_cast<Literal>(number_[p.s]); }
    /// The sends to an endpoint, in the order of the program.
    std::span<std::uint32_t const> sends_to(Endpoint beta) const { return sends_to_[beta.index]; }
    /// What a receive gets in the last solution; unmatched: nothing.
    std::uint32_t chosen(std::uint32_t r) const;

private:
    void add_receive(std::uint32_t r, std::span<Literal const> executed);
    void add_send(std::uint32_t s, std::span<Literal const> executed);
    void add_delivery(Pair p, std::span<Literal const> executed);

    ReasonedClauses& clauses_;
    MessageIndex const& m_;
    Buffering buffering_;
    std::vector<std::vector<std::uint32_t>> sends_to_; // endpoint
    std::vector<std::uint32_t> number_;                // send -> its number among the sends to its endpoint
    std::vector<Literal> first_;                       // receive -> its match with the first send to its endpoint
};

/// A clause that holds once a command is executed. It adds no literal twice.
std::vector<SatSolver::Literal> unless_not_executed(SatSolver::Literal executed,
                                                    std::vector<SatSolver::Literal> clause);

} // namespace matchpoint::check
