// op ::= + | - | * | div | mod | = | != | < | <= | > | >= | and | or | xor | =>   and not (docs/language.md).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "rooms.hpp"

namespace matchpoint::grammar {

enum class Op : std::uint8_t {
    plus,
    minus,
    times,
    div,
    mod,
    equal,
    not_equal,
    less,
    less_equal,
    greater,
    greater_equal,
    and_,
    or_,
    xor_,
    implies,
    not_,
};

inline constexpr std::size_t op_count = 16;

std::string_view to_string(Op op);
std::optional<Op> parse_op(std::string_view atom);

/// 2 for every operator but `not`.
unsigned arity(Op op);
inline constexpr std::size_t most_operands = 2;

/// The sorts of an operator's operands and result (rule D6; the sorts of BINARY OPERATION).
enum class Operands : std::uint8_t { integers, booleans, equal_sorts };
Operands operands(Op op);
bool gives_boolean(Op op);
/// `=`, `!=`, `<`, `<=`, `>`, `>=`
bool compares(Op op);
/// `div` and `mod`: their last operand must not be zero.
bool divides(Op op);

/// Whether an atom can be a variable: it is not an integer, `true`, `false`, `bot`, `⊥`, an operator, `not`, or
/// one of `assume assert := sndi rcvi wait`.
bool is_variable_name(std::string_view atom);

/// Decimal digits with an optional sign.
bool is_integer(std::string_view atom);

/// `bot` or `⊥`.
bool is_bot(std::string_view atom);

} // namespace matchpoint::grammar
