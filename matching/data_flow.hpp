// What values of a program are made of, in all its runs: under D1 to D6 the same expressions, of received values.
//
// A node of an expression depends on receives: on those whose variables stand in it, and through assignments on those that
// the assigned variables depend on. What these receive is another matter, for that depends on the match set.
#pragma once

#include <optional>
#include <vector>

#include "matching/definitions.hpp"
#include "matching/feasibility.hpp"

namespace matchpoint::matching {

/// The receives that a node depends on, if they are no more than two.
struct Dependence {
    std::uint32_t first = unmatched;
    std::uint32_t second = unmatched; // above the first
    bool more = false;                // than two; the other fields mean nothing then

    std::size_t count() const { return more ? 3 : second != unmatched ? 2 : first != unmatched ? 1 : 0; }
    void join(Dependence const& other);
};

class DataFlow {
public:
    /// The messages have to outlive it. Linear in the size of the program.
    explicit DataFlow(MessageIndex const& messages);

    MessageIndex const& messages() const { return *m_; }
    Ctp const& ctp() const { return m_->code().ctp(); }

    /// Of a node that is a variable.
    Definition definition(std::uint32_t node) const { return definitions_[node]; }
    /// The node that a variable's value is, through assignments of nothing but variables: a value, an operation, or a
    /// variable that is received.
    std::uint32_t resolve(std::uint32_t node) const;
    /// The first node of the subexpression with this root.
    std::uint32_t first(std::uint32_t node) const { return first_[node]; }
    bool is_boolean(std::uint32_t node) const { return boolean_[node]; }
    Dependence const& dependence(std::uint32_t node) const { return dependence_[node]; }
    /// Both operands' roots of a binary operation.
    std::uint32_t left(std::uint32_t node) const { return node - 1 - ctp().nodes[node].payload; }
    std::uint32_t right(std::uint32_t node) const { return node - 1; }

    /// All receives that a node depends on, and the assignments through which, both ascending.
    struct Cone {
        std::vector<std::uint32_t> receives;
        std::vector<std::uint32_t> assignments; // locations
    };
    Cone cone(std::uint32_t node) const;

    /// The payload's root.
    std::uint32_t payload(std::uint32_t send) const { return payload_[send]; }
    /// What every run sends, if the payload depends on no receive and has no zero divisor.
    std::optional<Value> const& constant(std::uint32_t send) const { return constant_[send]; }
    /// The divisors that may be zero, as roots of expressions.
    std::vector<std::uint32_t> const& divisors() const { return divisors_; }
    std::vector<std::uint32_t> const& assumptions() const { return assumptions_; }
    std::vector<std::uint32_t> const& assertions() const { return assertions_; }

    /// The command in which a node stands.
    std::uint32_t command_of(std::uint32_t node) const { return command_[node]; }
    /// Whether a command's expression can decide how a run ends: it is an assumption or an assertion, has a divisor, or
    /// flows into such a one. Through messages wherever an endpoint is the same.
    bool is_relevant(std::uint32_t command) const { return relevant_[command]; }

private:
    void relevance();

    MessageIndex const* m_;
    std::vector<Definition> definitions_;
    std::vector<std::uint32_t> first_;
    std::vector<bool> boolean_;
    std::vector<Dependence> dependence_;
    std::vector<std::uint32_t> command_;
    std::vector<std::uint32_t> payload_;
    std::vector<std::optional<Value>> constant_;
    std::vector<std::uint32_t> divisors_;
    std::vector<std::uint32_t> assumptions_;
    std::vector<std::uint32_t> assertions_;
    std::vector<bool> relevant_; // command
};

/// Values of nodes, for values of receives. What depends on what is not known, or divides by zero, is bot, unless the other
/// operand of `and`, `or`, `=>` decides: a run with a zero divisor does not complete, and so has no status anyway.
class Evaluation {
public:
    explicit Evaluation(DataFlow const& flow);

    void receive(std::uint32_t receive, Value v) { received_[receive] = std::move(v); }
    Value const& received(std::uint32_t receive) const { return received_[receive]; }
    /// Of a node whose variables' assignments were done.
    Value operator()(std::uint32_t node);
    /// Of the expression at a location, an assignment's, for those behind it.
    void assign(std::uint32_t location);
    /// Of a node from its receives alone.
    Value operator()(DataFlow::Cone const& cone, std::uint32_t node);

private:
    DataFlow const* flow_;
    std::vector<Value> received_;
    std::vector<Value> assigned_; // by location
    std::vector<Value> stack_;
};

} // namespace matchpoint::matching
