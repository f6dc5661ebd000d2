// Expressions of drafts as flat sequences of terms, each operator before its operands.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "programs/draft.hpp"

namespace matchpoint::programs::draft {

struct Term {
    std::string text; // an operator, a variable or a value
    std::uint32_t operands = 0;
    std::uint32_t size = 1; // in terms, with the operands
};
using Terms = std::vector<Term>;

/// The terms of an expression; none if the text is not an expression. Linear.
Terms terms_of(std::string_view text);
/// The expression in the trace language. Linear.
std::string text_of(Terms const& terms);
/// The expression with other terms instead of term `at` and its operands.
std::string replaced(Terms const& terms, std::uint32_t at, std::span<Term const> by);
std::string replaced(Terms const& terms, std::uint32_t at, std::string const& by);

bool is_truth(std::string_view atom);
bool is_variable(Term const& t);
bool is_number(Term const& t);

bool has_expression(Command::Kind kind);

} // namespace matchpoint::programs::draft
