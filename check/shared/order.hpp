// What comes before what in a solution of clauses about a program with shared variables: an order of its commands and
// rendezvous, or why there is none.
//
// The edges are those of feasibility.hpp, for what is executed, and
//   from a definition to the read that gets it;
//   what `before` literals say.
#pragma once

#include <cstdint>
#include <vector>

#include "check/shared/vocabulary.hpp"

namespace matchpoint::check {

/// What a solution says.
struct SharedSolution {
    std::vector<std::uint32_t> end;   // thread -> one past its last command that is executed
    std::vector<std::uint32_t> reads; // read -> its candidate; none if it is not executed, or not relevant
    std::vector<std::uint32_t> sends; // receive -> what it gets; unmatched: nothing
    std::vector<bool> fails;          // command: an assertion that is to fail
};

class SharedOrder {
public:
    using Literal = SatSolver::Literal;

    /// A command, or the rendezvous of a receive: zero buffering.
    struct Moment {
        std::uint32_t index;
        bool is_command;
    };

    /// Everything has to outlive it.
    SharedOrder(SharedVocabulary& words, Buffering buffering);

    /// Puts what is executed in an order, thread by thread as far as possible, and returns true. If there is a cycle,
    /// adds clauses against some of the cycles, and returns false.
    bool find(SharedSolution const& solution);
    std::vector<Moment> const& moments() const { return moments_; }

    std::uint64_t cycles() const { return cycles_; }

private:
    struct Edge {
        std::uint32_t to;
        Literal literal; // 0: it is there in any case
    };

    std::uint32_t instant(std::uint32_t receive) const { return commands_ + receive; }
    bool is_executed(Location rho) const;
    void add(std::uint32_t from, std::uint32_t to, Literal literal);
    void add_edges();
    void add_matches();
    void sort();
    void exclude_cycles();
    bool exclude_cycle(std::uint32_t from, Edge const& edge);

    SharedVocabulary& words_;
    MessageIndex const& m_;
    Ctp const& ctp_;
    bool is_zero_;
    std::uint32_t commands_;
    SharedSolution const* solution_ = nullptr;
    std::vector<std::vector<Edge>> edges_; // moment -> to later ones; program order is not among them
    std::vector<std::uint32_t> open_;      // moment -> edges to it from moments that are not in the order yet
    std::vector<bool> is_there_;           // moment: in the execution
    std::vector<Moment> moments_;
    std::uint64_t cycles_ = 0;
    // For the search for a short cycle.
    struct Step {
        std::uint32_t from;
        Literal literal;
    };
    std::vector<std::uint32_t> distance_;
    std::vector<Step> step_;
    std::vector<std::uint32_t> touched_;
};

} // namespace matchpoint::check
