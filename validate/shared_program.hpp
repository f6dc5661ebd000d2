// A program with shared variables and without messages, as shared_rules.hpp searches it: what each command reads and
// writes.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "machine/indexed_program.hpp"

namespace matchpoint::validate {

inline constexpr std::uint32_t no_number = UINT32_MAX;

/// A command of a thread.
struct SharedEvent {
    Expression const* guard = nullptr; // null if always true
    std::vector<std::pair<Variable, Expression const*>> assigned = {};
    std::optional<std::uint32_t> assertion = {}; // its number; the guard is what it asserts
    std::vector<std::uint32_t> reads = {};       // shared variables, each once
    std::vector<std::uint32_t> writes = {};
    bool touches_locals = false;
};

class SharedProgram {
public:
    /// The code has to outlive it. It has no messages and no barriers. Linear in the size of the program.
    explicit SharedProgram(IndexedProgram const& program);

    /// Locals by variable, shared variables by their number. `zero` is the value of a division by zero; without one it
    /// has none, and neither has the expression.
    std::optional<Value> evaluate(Expression const& e, std::vector<Value> const& locals,
                                  std::vector<Value> const& shared, std::optional<Value> const& zero) const;

    /// Numbers around those of the program, for what can have any value.
    std::vector<Value> values_around() const;
    /// Whether some guard or assertion reads a variable.
    bool is_tested(Variable x) const;

    bool is_shared(Variable x) const { return number_of[x.index] != no_number; }

    IndexedProgram const& code;
    std::vector<std::uint32_t> number_of; // variable -> its number among the shared ones
    std::vector<Value> initial;           // of these
    std::vector<std::vector<SharedEvent>> threads;
    std::uint32_t assertions = 0;

private:
    SharedEvent event(Command const& c);
    void add_reads(Expression const& e, SharedEvent& to) const;
};

} // namespace matchpoint::validate
