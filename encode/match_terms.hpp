// The part of an encoding that speaks of matches and of order, as ProgramTerms is the one that speaks of values: what
// complete runs (encoder.cpp) and executions that stop somewhere (partial_runs.cpp) have in common.
//
// An order is only spoken of between nodes that lie on a cycle of possible_order(): everything else can always be ordered.
#pragma once

#include "encode/program_terms.hpp"
#include "matching/possible_order.hpp"

namespace matchpoint::encode {

/// To be derived from by an encoding. MessageIndex and pairs have to outlive it.
class MatchTerms {
protected:
    MatchTerms(MessageIndex const& messages, MatchPairs const& pairs, Buffering buffering);

    /// Puts out a line.
    void line(std::string_view text);
    /// (set-logic ...), on a line.
    void logic();

    std::string place(std::uint32_t send) const;
    std::uint32_t instant_node(std::uint32_t receive) const;
    /// The name of a node's order.
    std::string moment(std::uint32_t node) const;
    bool has_moment(std::uint32_t node) const { return cycles_.of[node] != StrongComponents::alone; }
    bool is_ordered(std::uint32_t from, std::uint32_t to) const { return cycles_.on_a_cycle(from, to); }
    /// ` (< from to)`, where it can matter; else empty.
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
