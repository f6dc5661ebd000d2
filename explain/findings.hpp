// The assertions that failed and the assumptions that did not hold in a run, with the values of their variables.
#pragma once

#include <vector>

#include "machine/observer.hpp"

namespace matchpoint::explain {

/// An assertion or assumption that was false.
struct Finding {
    enum class Kind : std::uint8_t { assertion, assumption };
    struct Binding {
        Variable x;
        Value v;
    };

    Kind kind;
    std::uint64_t entry; // of the trace, from 0
    Location rho;
    Expression e;
    std::vector<Binding> values; // of the variables of e, in the order of their first occurrence
};

/// The values of the variables of an expression, in the order of their first occurrence; the first `limit` variables.
std::vector<Finding::Binding> bindings(IndexedProgram const& code, State const& state, Expression e, std::size_t limit);

class Findings final : public Observer {
public:
    /// Keeps the first `limit` findings of each kind, with the first `limit` variables of each, and counts all
    /// findings.
    explicit Findings(IndexedProgram const& code, std::size_t limit = 100) : code_(&code), limit_(limit) {}

    void on(State const& state, Event const& event) override;

    std::vector<Finding> const& assertions() const { return assertions_; }
    std::vector<Finding> const& assumptions() const { return assumptions_; }
    std::size_t assertion_count() const { return assertion_count_; }
    std::size_t assumption_count() const { return assumption_count_; }

private:
    Finding finding(State const& state, Finding::Kind kind, Expression e) const;

    IndexedProgram const* code_;
    std::size_t limit_;
    event::EntryTaken at_{};
    std::vector<Finding> assertions_;
    std::vector<Finding> assumptions_;
    std::size_t assertion_count_ = 0;
    std::size_t assumption_count_ = 0;
};

} // namespace matchpoint::explain
