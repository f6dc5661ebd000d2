// op ::= + | - | * | div | mod | = | != | < | <= | > | >= | and | or | => | xor   and not, ite (docs/language.md).
//
// An operator is one row of a table: its names and its meaning. Everything else that the rooms need to know of a
// comparison or a connective follows from its meaning: sorts, values, what is known of an operation if only some
// operands are known, clauses, bounds, negation. Of arithmetic each room has a switch over `Arithmetic` without a
// default.
#pragma once

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "grammar/op.hpp"

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
    implies,
    xor_,
    not_,
    ite,
};

inline constexpr std::size_t op_count = 17;

/// Words that begin commands, so that no variable has such a name.
std::span<std::string_view const> reserved_names();

/// All operators, in the order of the table.
constexpr std::array<Op, op_count> all_ops() {
    std::array<Op, op_count> ops{};
    for (std::size_t i = 0; i < op_count; ++i) ops[i] = static_cast<Op>(i);
    return ops;
}

/// An integer of two integers.
enum class Arithmetic : std::uint8_t { plus, minus, times, div, mod };

/// A comparison `l op r`: whether it holds where l < r, where l = r, and where l > r.
struct Relation {
    bool less;
    bool equal;
    bool greater;

    constexpr Relation negated() const { return {!less, !equal, !greater}; }
    /// Whether it does not ask which one is less. Then the operands may be booleans, too.
    constexpr bool is_symmetric() const { return less == greater; }
    bool operator==(Relation const&) const = default;
};

/// A boolean of booleans, as a table of truth: bit i of `truth` is the result of row i.
struct Connective {
    std::uint8_t operands;
    std::uint8_t truth;

    constexpr unsigned rows() const { return 1U << operands; }
    /// The value of operand k in a row.
    static constexpr bool operand(unsigned row, std::size_t k) { return ((row >> k) & 1U) != 0; }
    constexpr bool holds(unsigned row) const { return ((truth >> row) & 1U) != 0; }
    /// The only row with this result; none if several have it.
    std::optional<unsigned> only_row(bool result) const;
    /// The result if only some operands are known (Kleene); none if it depends on the others.
    std::optional<bool> of(std::span<std::optional<bool> const> operands) const;
};

/// `(ite c a b)`: a if c is true, else b. Only the condition and the operand that it chooses are evaluated; all other
/// operators evaluate all their operands.
struct Choice {
    /// Which operand it is then.
    static constexpr std::size_t operand(bool condition) { return condition ? 1 : 2; }
};

using Meaning = std::variant<Arithmetic, Relation, Connective, Choice>;

struct OpRow {
    std::string_view name;
    std::string_view smt_name; // SMT-LIB's, of the same meaning
    Meaning meaning;
};

/// In the order of the enumeration.
extern std::array<OpRow, op_count> const op_rows;
inline OpRow const& row(Op op) { return op_rows[static_cast<std::size_t>(op)]; }

/// Those that fit, in the order of the table, for generators: an operator of `again` comes twice, so that it is drawn
/// more often.
template <typename F>
std::vector<Op> ops_where(F const& fits, std::initializer_list<Op> again = {}) {
    std::vector<Op> ops;
    for (Op const op : all_ops())
        if (fits(op))
            ops.insert(ops.end(), static_cast<std::size_t>(std::count(again.begin(), again.end(), op)) + 1, op);
    return ops;
}

// The meaning, if it is of that kind; else null.
inline Arithmetic const* as_arithmetic(Op op) { return std::get_if<Arithmetic>(&row(op).meaning); }
inline Relation const* as_relation(Op op) { return std::get_if<Relation>(&row(op).meaning); }
inline bool is_connective(Op op) { return std::holds_alternative<Connective>(row(op).meaning); }
inline bool is_choice(Op op) { return std::holds_alternative<Choice>(row(op).meaning); }
/// Of booleans, symmetric relations are connectives, too (`=` and `!=`), and so is a choice.
std::optional<Connective> as_connective(Op op);

/// The sort of an operator's k-th operand (rule D6; the sorts of BINARY OPERATION). All operands that are `common` have
/// the same sort, Int or Bool. If some are, the last one is.
enum class OperandSort : std::uint8_t { integer, boolean, common };
OperandSort operand_sort(Op op, std::size_t k);
/// The sort of its result; `common`: that of the operands which are common.
OperandSort result_sort(Op op);
/// The same as one of the caller's own values; `common` is that of the operands which are common.
template <typename T>
T result_sort(Op op, T integer, T boolean, T common) {
    switch (result_sort(op)) {
    case OperandSort::integer: return integer;
    case OperandSort::boolean: return boolean;
    case OperandSort::common: break;
    }
    return common;
}
/// Whether the result is Bool. `last`: whether the last operand is.
bool gives_boolean(Op op, bool last);

} // namespace matchpoint::grammar
