// Terms for matches and order, as ProgramTerms has the terms for values: shared by the encodings of complete runs
// (exact.cpp) and of executions that stop somewhere (partial_runs.cpp).
//
// Only nodes on a cycle of possible_order() have an order: all others can always be ordered.
#pragma once

#include "encode/program_terms.hpp"
#include "matching/possible_order.hpp"

namespace matchpoint::encode {

/// The base class of an encoding. The messages and pairs must outlive it.
class MatchTerms {
protected:
    MatchTerms(MessageIndex const& messages, MatchPairs const& pairs, Buffering buffering);

    void line(std::string_view text);

    std::string place(std::uint32_t send) const;
    std::uint32_t instant_node(std::uint32_t receive) const;
    /// The name of a node's order or instant.
    std::string moment(std::uint32_t node) const;
    bool has_moment(std::uint32_t node) const { return cycles_.of[node] != StrongComponents::alone; }
    bool is_ordered(std::uint32_t from, std::uint32_t to) const { return cycles_.on_a_cycle(from, to); }
    /// ` (< from to)` if it can matter, otherwise empty.
    std::string before(std::uint32_t from, std::uint32_t to) const;
    std::uint32_t nodes() const { return static_cast<std::uint32_t>(cycles_.of.size()); }

    MessageIndex const& m_;
    IndexedProgram const& code_;
    MatchPairs const& pairs_;
    bool zero_;
    ProgramTerms values_;
    std::vector<std::vector<std::uint32_t>> candidates_; // send -> the receives that may get it
    std::string out_;

private:
    StrongComponents cycles_;
};

} // namespace matchpoint::encode
