// An operator as a number. Code that carries operators without naming one needs only this header. Their names and
// meanings are in operators.hpp: a new row there rebuilds only what names operators.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "rooms.hpp"

namespace matchpoint::grammar {

enum class Op : std::uint8_t;

std::string_view to_string(Op op);
std::optional<Op> parse_op(std::string_view atom);

namespace detail {
inline constexpr std::size_t most_ops = 32;
extern std::array<std::uint8_t, most_ops> const arities;
extern std::array<bool, most_ops> const divides;
} // namespace detail

/// How many operands it has.
inline unsigned arity(Op op) { return detail::arities[static_cast<std::size_t>(op)]; }
inline constexpr std::size_t most_operands = 3;

/// Whether its result has the sort of its last operand, be that Int or Bool.
bool has_sort_of_last(Op op);

/// Whether its last operand must not be zero.
inline bool divides(Op op) { return detail::divides[static_cast<std::size_t>(op)]; }

/// Whether an atom can be a variable: it is not an integer, `true`, `false`, `bot`, `⊥`, an operator, or one of `assume
/// assert := sndi rcvi wait`.
bool is_variable_name(std::string_view atom);

/// Decimal digits with an optional sign.
bool is_integer(std::string_view atom);

/// `bot` or `⊥`.
bool is_bot(std::string_view atom);

} // namespace matchpoint::grammar
