// How to mend what is wrong: for habits from other languages, and for parts of commands that are missing or too many.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/messages/syntax_error.hpp"
#include "grammar/operators.hpp"

namespace matchpoint::grammar {

/// `assume`, `assert`, `sndi`, `rcvi`, `wait`, `ssndi`, `bsndi`, `rsndi`, `barrier`, `probe`, `mprobe`,
/// `start` or `when`.
bool is_command_name(std::string_view atom);

/// The command whose name is, or is meant by, an atom: `sndi` for `send`.
std::optional<std::string_view> command_meant(std::string_view atom);

/// The operator that is meant by one of another language: `=` for `==`.
std::optional<Op> operator_meant(std::string_view atom);

/// For an operator with the wrong number of operands (rule S4).
std::string hint_for_operands(Op op, unsigned count);

/// For a name that nothing defines and that looks like something else: `1.5`, `a,`, `True`.
std::optional<std::string> hint_for_variable(std::string_view name);

/// "did you mean `R5`?"
std::optional<std::string> hint_for_name(std::string_view name, std::vector<std::string_view> const& known);

/// For a syntax error.
std::vector<std::string> hints_for(SyntaxFailure const& failure);

} // namespace matchpoint::grammar
