// What is left to do in a state, told as shortly as verdicts allow: the key under which the explorer merges states.
//
// Two states of a program with the same messages taken have the same commands left. They differ in values: of variables,
// of messages in transit. But what is left to evaluate does not need all of them. Of each expression that is still to
// come, the parts whose variables have all got their values are replaced by these parts' values; `and`, `or` and `=>`
// are decided by one operand where that is enough (and the other one cannot divide by zero). The key is what remains.
//
//   (and (= a 1) (= b 2))   with a = 1:  (and true (= b 2))
//                           with a = 3:  false
#pragma once

#include <string>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "executions/key_set.hpp"
#include "machine/state.hpp"
#include "matching/definitions.hpp"

namespace matchpoint::executions {

class StateAbstraction {
public:
    /// The messages have to outlive it.
    /// With `control_only`, states are told apart by how far threads and messages are, not by values or status.
    explicit StateAbstraction(MessageIndex const& messages, bool control_only = false);

    /// Whether what is received at an endpoint can ever flow into an assumption, an assertion or a divisor.
    bool is_relevant(Endpoint beta) const { return relevant_[beta.index]; }

    /// Remembers a state in which every thread has run as far as it can. False: an equal one was there. About one byte
    /// a channel and two a value that still counts, and the table's slot. Throws LimitReached.
    bool remember(State const& state);
    /// Of the state that was last looked at: no value that is not known yet can change the status or be a zero divisor.
    bool is_settled() const { return settled_; }

    /// What the remembered states take, all in all.
    std::uint64_t bytes() const { return seen_.bytes() + bytes_; }

private:
    struct Part {
        bool known = false;   // the value is, or would be if nothing were left out
        bool touched = false; // some variable in it is known
        bool may_fault = false;
        Value v;
    };

    void variables();
    void relevance();
    bool is_known(State const& state, Node const& node, std::uint32_t index, Value& v) const;
    void tell(State const& state, Command const& c);
    void evaluate(State const& state, Expression e);
    void put(std::uint64_t n);
    void put(Value const& v);

    MessageIndex const* messages_;
    IndexedProgram const* code_;
    std::vector<Definition> definition_;           // node -> of the variable there
    std::vector<bool> relevant_;                   // endpoint
    std::vector<std::vector<std::uint32_t>> open_; // thread -> its commands with a variable in an expression
    std::vector<std::uint32_t> sends_;             // those whose payload has a variable
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
