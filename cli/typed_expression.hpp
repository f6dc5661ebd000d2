// An expression that a user types while a program runs. The machine evaluates it, as the right side of an assignment in
// a program of its own.
//
//   TypedExpression const e("(+ A 1)", code);
//   out(e.value(stepper.state()));
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostics.hpp"
#include "base/expected.hpp"
#include "base/source.hpp"
#include "cli/refused.hpp"
#include "machine/state.hpp"

namespace matchpoint::cli {

/// Throws Refused if a text closes a bracket that it does not open, or leaves one open.
void refuse_unclosed(std::string_view text);

/// Throws Refused if a text is no expression, or an integer wherever it has a value: no condition of a breakpoint.
void refuse_as_condition(std::string const& text, IndexedProgram const& code);

class TypedExpression {
public:
    /// Over the variables of a program. Throws Refused: it is not an expression, or names a variable that does not
    /// exist.
    TypedExpression(std::string const& text, IndexedProgram const& code);
    TypedExpression(TypedExpression const&) = delete;
    TypedExpression& operator=(TypedExpression const&) = delete;

    /// Its value in a state of that program, or why it has no value: a limit is a reason, too.
    Expected<Value, std::string> evaluated(State const& of) const;
    /// The value's text, or "no value: " and the reason; of a variable that has none just "no value".
    std::string value(State const& of) const;
    /// Whether its value is an integer wherever it has one, as its operator or its literal says.
    bool gives_integer() const;
    /// Whether it is a variable alone.
    bool is_variable() const;

private:
    Node const& root() const;
    Program parsed(std::string_view text) const;
    /// What is wrong with the text, in words that know nothing of the program around it.
    std::string complaint(std::string_view text, Diagnostic const& diagnostic) const;

    Source source_;
    Program program_;
    IndexedProgram code_;
    std::uint32_t result_ = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> variables_; // here, and in the program
};

} // namespace matchpoint::cli
