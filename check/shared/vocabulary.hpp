// The variables of clauses about a program with shared variables, made when they are asked for (docs/certificates.md).
//
//   executed RHO, fails RHO, complete       from the beginning, as far as the question is about them
//   match R S, read RHO x RHO2, read RHO x  from the beginning
//   before command RHO1 command RHO2        of two commands of different threads
//   in RHO x V, out RHO x V, payload S V
#pragma once

#include <string>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "check/sat/match_reasons.hpp"
#include "check/shared/uses.hpp"

namespace matchpoint::check {

class SharedVocabulary {
public:
    using Literal = SatSolver::Literal;

    /// Everything has to outlive it. `has_extent`: whether executions need not complete; then there is `executed`.
    SharedVocabulary(ReasonedClauses& clauses, MessageIndex const& messages, SharedUses const& uses,
                     Buffering buffering, bool has_extent);

    ReasonedClauses& clauses() { return clauses_; }
    MatchReasons& matches() { return matches_; }
    MatchReasons const& matches() const { return matches_; }
    MessageIndex const& messages() const { return m_; }
    SharedUses const& uses() const { return uses_; }

    /// 0: it is executed in any case.
    Literal executed(Location rho) const { return executed_[rho.index]; }
    std::vector<Literal> const& executed() const { return executed_; }
    /// The candidate is one of a relevant read.
    Literal read(std::uint32_t read, std::uint32_t candidate) const {
        return first_read_[read] + static_cast<Literal>(candidate);
    }
    /// The commands are of different threads.
    Literal before(Location a, Location b);
    Literal in(std::uint32_t read, Value const& v);
    Literal out(std::uint32_t definition, Value const& v);
    Literal payload(std::uint32_t send, Value const& v);

    /// The pairs of commands that have `before`: the literal says that the first one comes before the second one.
    struct Order {
        Location first;
        Location second;
        Literal literal;
    };
    std::vector<Order> const& orders() const { return orders_; }

    std::string name(auto id) const { return std::string(m_.code().names()(id)); }
    /// `RHO x RHO2` or `RHO x` of a candidate.
    std::string read_words(std::uint32_t read, std::uint32_t candidate) const;

private:
    enum class Kind : std::uint8_t { in, out, payload };
    struct Key {
        Kind kind;
        std::uint32_t index;
        Value v;
        bool operator==(Key const&) const = default;
        friend std::size_t hash_value(Key const& key) {
            constexpr std::size_t odd = 0x9E37'79B9'7F4A'7C15;
            return (key.v.hash() * odd + key.index) * odd + static_cast<std::size_t>(key.kind);
        }
    };
    template <typename F>
    Literal valued(Kind kind, std::uint32_t index, Value const& v, F meaning);

    ReasonedClauses& clauses_;
    MessageIndex const& m_;
    SharedUses const& uses_;
    MatchReasons matches_;
    std::vector<Literal> executed_;   // command
    std::vector<Literal> first_read_; // read -> its first candidate; 0: it is not relevant
    std::vector<Order> orders_;
    boost::unordered_flat_map<std::uint64_t, Literal> order_of_; // two commands, the smaller one first
    boost::unordered_flat_map<Key, Literal> values_;
};

} // namespace matchpoint::check
