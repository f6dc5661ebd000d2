// Values as literals of a SAT solver. A receive or an integer expression whose values are all known
// (reachable_values.hpp) has one literal for each value and, for comparisons, one for each "it is at most this value".
//
// Clauses go one way: from matches to the values received, from the values of operands to those of operations, and from
// there to comparisons. With a match, bounds of the send are bounds of the receive. That a node has no second value is
// only said where the node is compared.
#pragma once

#include <functional>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "check/sat/reachable_values.hpp"
#include "solve/sat_solver.hpp"

namespace matchpoint::check {

class ValueLiterals {
public:
    using Literal = SatSolver::Literal;

    /// Everything has to outlive it. `match` gives the literal of a receive's i-th candidate.
    ValueLiterals(SatSolver& sat, DataFlow const& flow, MatchPairs const& pairs,
                  std::function<Literal(std::uint32_t, std::size_t)> match);

    /// Defines the literal: in every complete run it says whether an integer node is zero. False: nothing was added,
    /// because the node's values are not known, or too many.
    bool is_zero(std::uint32_t node, Literal literal);
    /// The same for whether a comparison of integers holds. False for any other node.
    bool holds(std::uint32_t node, Literal literal);

    /// The literal that says that a receive gets a value; 0 if there is none.
    Literal received(std::uint32_t receive, Value const& v) const;

private:
    struct Known {
        std::vector<Literal> is;         // by value
        std::vector<std::size_t> order;  // the values, ascending; empty until ascending() is called
        std::vector<Literal> is_at_most; // in that order
    };

    std::uint32_t key(std::uint32_t resolved) const;
    std::vector<Value> const& values(std::uint32_t resolved) { return *reachable_.of(resolved); }
    std::vector<Literal> const& literals(std::uint32_t resolved) const { return known_.at(key(resolved)).is; }
    std::optional<std::size_t> cost(std::uint32_t resolved);
    bool afford(std::vector<std::uint32_t> nodes);
    std::optional<std::uint32_t> shifted(std::uint32_t resolved);
    void define(std::uint32_t resolved);
    void define_receive(std::uint32_t resolved);
    Known const& ascending(std::uint32_t resolved);
    void link(Literal match, std::uint32_t sent, std::uint32_t received);
    void at_most(std::uint32_t a, std::uint32_t b, Literal literal);
    void same(std::uint32_t a, std::uint32_t b, Literal literal);

    SatSolver& sat_;
    DataFlow const& flow_;
    MatchPairs const& pairs_;
    std::function<Literal(std::uint32_t, std::size_t)> match_;
    ReachableValues reachable_;
    boost::unordered_flat_map<std::uint32_t, Known> known_;            // key()
    boost::unordered_flat_map<std::uint32_t, std::uint32_t> shift_of_; // key() -> node
    std::size_t clauses_left_ = 3'000'000;
    Literal true_;
};

} // namespace matchpoint::check
