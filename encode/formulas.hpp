// Formulas as SMT-LIB text, with the constants `true` and `false` folded: for problems in which much is known
// beforehand, as that a command is executed in every complete run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rooms.hpp"

namespace matchpoint::encode {

inline constexpr std::string_view truth = "true";
inline constexpr std::string_view falsehood = "false";

/// (and ...), of one formula that formula, of none `true`.
std::string conjunction(std::vector<std::string> const& formulas);
/// What the outermost `and`s of a formula join, however deep. Valid as long as the formula.
std::vector<std::string_view> conjuncts_of(std::string_view formula);
/// (or ...), of one formula that formula, of none `false`.
std::string disjunction(std::vector<std::string> const& formulas);
std::string negation(std::string const& formula);
std::string implication(std::string const& premise, std::string const& conclusion);

} // namespace matchpoint::encode
