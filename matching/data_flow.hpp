// What the values of a program are computed from. Under D1 to D6 it is the same in every run:
//
//   DataFlow const flow(messages);
//   Evaluation value(flow);
//   value.receive(r, Value::integer(3));
//   if (value(flow.cone(node), node).is_true()) ...
//
// A node of an expression depends on the receives whose variables occur in it and, through assignments, on the receives
// that the assigned variables depend on. It stops there: what these receives get depends on the match set.
#pragma once

#include <optional>
#include <vector>

#include "grammar/fold.hpp"
#include "matching/definitions.hpp"
#include "matching/matching.hpp"
#include "matching/relevance.hpp"

namespace matchpoint::matching {

/// The receives that a node depends on, if they are no more than two.
struct Dependence {
    std::uint32_t first = unmatched;
    std::uint32_t second = unmatched; // greater than the first
    bool more = false;                // more than two; the other members mean nothing then

    std::size_t count() const { return more ? 3 : second != unmatched ? 2 : first != unmatched ? 1 : 0; }
    void join(Dependence const& other);
};

class DataFlow {
public:
    /// The messages have to outlive it. Linear in the size of the program.
    explicit DataFlow(MessageIndex const& messages);

    MessageIndex const& messages() const { return *m_; }
    Ctp const& ctp() const { return m_->code().ctp(); }

    /// The definition of a node that is a variable.
    Definition definition(std::uint32_t node) const { return definitions_[node]; }
    /// The node that a variable stands for, through assignments of plain variables: a value, an operation, or a
    /// variable that is received.
    std::uint32_t resolve(std::uint32_t node) const;
    bool is_boolean(std::uint32_t node) const { return boolean_[node]; }
    Dependence const& dependence(std::uint32_t node) const { return dependence_[node]; }
    /// The operation at a node; none if it is a value or a variable.
    std::optional<Op> operation(std::uint32_t node) const;
    /// The roots of its operands, in the order of the text.
    PerOperand<std::uint32_t> operands(std::uint32_t node) const { return operand_roots(ctp(), node); }
    /// The roots of its operands, resolved.
    PerOperand<std::uint32_t> resolved_operands(std::uint32_t node) const;

    /// All receives that a node depends on, and the assignments on the way to them; both ascending.
    struct Cone {
        std::vector<std::uint32_t> receives;
        std::vector<std::uint32_t> assignments; // locations
    };
    Cone cone(std::uint32_t node) const;

    /// The root of a send's payload.
    std::uint32_t payload(std::uint32_t send) const { return payload_[send]; }
    /// What a send carries in every run; none if the payload depends on a receive or divides by zero.
    std::optional<Value> const& constant(std::uint32_t send) const { return constant_[send]; }
    /// The divisors that may be zero, as roots of expressions.
    std::vector<std::uint32_t> const& divisors() const { return divisors_; }
    /// The conditions of all assumptions, and of all assertions, as roots of expressions.
    std::vector<std::uint32_t> const& assumptions() const { return assumptions_; }
    std::vector<std::uint32_t> const& assertions() const { return assertions_; }

    /// The command that a node belongs to.
    std::uint32_t command_of(std::uint32_t node) const { return command_[node]; }
    /// Whether the expression of a command can decide how a run ends (relevance.hpp).
    bool is_relevant(std::uint32_t command) const { return relevance_.commands[command]; }
    /// The same, of what is received at an endpoint.
    bool is_relevant(Endpoint beta) const { return relevance_.endpoints[beta.index]; }

private:
    void add_expression(std::uint32_t command, Expression const& e);
    void add_variable(std::uint32_t node);
    void add_operation(std::uint32_t node);

    MessageIndex const* m_;
    std::vector<Definition> definitions_;
    Relevance relevance_;
    std::vector<bool> boolean_of_endpoint_;
    // By node.
    std::vector<bool> boolean_;
    std::vector<Dependence> dependence_;
    std::vector<std::uint32_t> command_;
    // By send.
    std::vector<std::uint32_t> payload_;
    std::vector<std::optional<Value>> constant_;

    std::vector<std::uint32_t> divisors_;
    std::vector<std::uint32_t> assumptions_;
    std::vector<std::uint32_t> assertions_;
};

/// Computes the values of nodes from the values of receives. What depends on an unknown value, or divides by zero, is
/// bot, unless the other operand of `and`, `or` or `=>` decides: a run with a zero divisor does not complete, so it has
/// no status that this could falsify.
class Evaluation {
public:
    explicit Evaluation(DataFlow const& flow);

    /// Nothing is received or assigned.
    void forget();
    void receive(std::uint32_t receive, Value v) { received_[receive] = std::move(v); }
    Value const& received(std::uint32_t receive) const { return received_[receive]; }
    /// The value of a node whose variables are received or assigned already.
    Value operator()(std::uint32_t node);
    /// Evaluates the assignment at a location, for the commands after it.
    void assign(std::uint32_t location);
    /// The value of a node from its receives alone.
    Value operator()(DataFlow::Cone const& cone, std::uint32_t node);

private:
    DataFlow const* flow_;
    std::vector<Value> received_;
    std::vector<Value> assigned_; // by location
};

} // namespace matchpoint::matching
