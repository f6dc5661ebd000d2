// The key under which the explorer merges states: what a verdict can still depend on.
//
// Two states of a program with the same messages taken have the same commands left; under Runs::executions, if also the
// same threads have stopped for good, at the same commands. They differ in values: of variables,
// and of messages in transit. But the commands that are left do not need all of these values. In each expression that
// is still to be evaluated, every part whose variables are all defined is replaced by its value, and `and`, `or` and
// `=>` are decided by one operand where that is enough and the other one cannot divide by zero. The key is what
// remains.
//
//   (and (= a 1) (= b 2))   with a = 1:  (and true (= b 2))
//                           with a = 3:  false
#pragma once

#include <string>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "executions/key_set.hpp"
#include "executions/runs.hpp"
#include "grammar/fold.hpp"
#include "machine/state.hpp"
#include "matching/relevance.hpp"

namespace matchpoint::executions {

class StateAbstraction {
public:
    /// The messages have to outlive it. With `control_only`, states differ only in how far threads and messages are,
    /// not in values or status.
    explicit StateAbstraction(MessageIndex const& messages, Runs runs = Runs::complete, bool control_only = false);

    /// Whether a value received at an endpoint can ever flow into an assumption, an assertion or a division.
    bool is_relevant(Endpoint beta) const { return relevant_[beta.index]; }

    /// Remembers a state in which every thread has run as far as it can. False: an equal state is known already. Takes
    /// about one byte for each channel and two for each value that still counts, plus a slot of the table. Throws
    /// LimitReached.
    bool remember(State const& state);
    /// Whether, in the last state, no value that is still unknown can change the status or be a zero divisor.
    bool is_settled() const { return settled_; }

    /// The memory that all remembered states take.
    std::uint64_t bytes() const { return seen_.bytes() + bytes_; }

private:
    /// A node of an expression in a state.
    struct Part {
        bool touched = false; // some variable in it is defined
        bool may_fault = false;
        Value v; // what it is in every continuation; bot if that is not known

        bool is_known() const { return !v.is_bot(); }
    };

    /// What counts of the root of an expression.
    struct Root {
        bool is_known;
        bool may_fault;
    };

    /// A command with a variable in its expression.
    struct Open {
        std::uint32_t command;
        Expression e;
        Root untouched; // while no variable in it is defined
    };

    void find_open_commands();
    Value const& known_value(State const& state, Node const& node, std::uint32_t index) const;
    bool look_up(State const& state, Expression e);
    Root evaluate(Expression e);
    template <std::size_t operand_count>
    void evaluate_operation(Node const* nodes, std::uint32_t i);
    void append(State const& state, Open const& open);
    void append_parts(Expression e);
    void append_halts(State const& state);
    void append(std::uint64_t n);
    void append(Value const& v);

    MessageIndex const* messages_;
    IndexedProgram const* code_;
    std::vector<Definition> definition_;  // by node
    std::vector<bool> relevant_;          // by endpoint
    std::vector<std::vector<Open>> open_; // by thread
    std::vector<std::uint32_t> sends_;    // those with a variable in their payload
    Runs runs_;
    bool control_only_;
    bool settled_ = false;

    std::vector<Part> parts_;
    std::vector<std::uint32_t> todo_;
    std::string key_;
    KeySet seen_;
    boost::unordered_flat_map<Value, std::uint32_t> values_;
    std::uint64_t bytes_ = 0; // of values_
};

} // namespace matchpoint::executions
