// Values as literals of a SAT solver, of receives and integer expressions of which reachable_values.hpp knows what they can be:
// one literal for each value, and for comparisons one for each `it is no more than this`.
//
// What has a value has its literal; that it has no other one is only said where it is compared. So clauses go from matches
// to values, from values of operands to those of operations, and from there to what is compared; and with a match, bounds of
// what is sent are bounds of what is received.
#pragma once

#include <functional>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "check/reachable_values.hpp"
#include "solve/sat_solver.hpp"

namespace matchpoint::check {

class ValueLiterals {
public:
    using Literal = SatSolver::Literal;

    /// All have to outlive it. `match`: of a receive and its i-th candidate.
    ValueLiterals(SatSolver& sat, DataFlow const& flow, MatchPairs const& pairs,
                  std::function<Literal(std::uint32_t, std::size_t)> match);

    /// In every complete run, the literal says whether the node, an integer, is zero. False: it does not, and nothing was
    /// added; what the node can be is not known, or too much.
    bool is_zero(std::uint32_t node, Literal literal);
    /// The same, whether the node, a comparison of integers, holds; of another node false.
    bool holds(std::uint32_t node, Literal literal);

    /// That a receive gets a value, if there is a literal for it; else 0.
    Literal received(std::uint32_t receive, Value const& v) const;

private:
    struct Known {
        std::vector<Literal> is;         // by value
        std::vector<std::size_t> order;  // the values, ascending; empty until it is asked for
        std::vector<Literal> is_at_most; // in that order
    };

    std::uint32_t key(std::uint32_t resolved) const;
    std::uint32_t left(std::uint32_t node) const { return flow_.resolve(flow_.left(node)); }
    std::uint32_t right(std::uint32_t node) const { return flow_.resolve(flow_.right(node)); }
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
