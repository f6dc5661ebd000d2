#include "grammar/operators.hpp"

#include <algorithm>

namespace matchpoint::grammar {

namespace {

struct OpRow {
    std::string_view name;
    Operands operands;
    bool gives_boolean;
};

// In the order of the enumeration.
constexpr std::array<OpRow, op_count> rows{{
    {"+", Operands::integers, false},
    {"-", Operands::integers, false},
    {"*", Operands::integers, false},
    {"div", Operands::integers, false},
    {"mod", Operands::integers, false},
    {"=", Operands::equal_sorts, true},
    {"!=", Operands::equal_sorts, true},
    {"<", Operands::integers, true},
    {"<=", Operands::integers, true},
    {">", Operands::integers, true},
    {">=", Operands::integers, true},
    {"and", Operands::booleans, true},
    {"or", Operands::booleans, true},
    {"xor", Operands::booleans, true},
    {"=>", Operands::booleans, true},
    {"not", Operands::booleans, true},
}};

constexpr std::array<std::string_view, 6> keywords{"assume", "assert", ":=", "sndi", "rcvi", "wait"};

OpRow const& row(Op op) { return rows[static_cast<std::size_t>(op)]; }

} // namespace

std::string_view to_string(Op op) { return row(op).name; }

std::optional<Op> parse_op(std::string_view atom) {
    auto const* const found = std::find_if(rows.begin(), rows.end(), [&](OpRow const& r) { return r.name == atom; });
    if (found == rows.end()) return std::nullopt;
    return static_cast<Op>(found - rows.begin());
}

unsigned arity(Op op) { return op == Op::not_ ? 1 : 2; }
Operands operands(Op op) { return row(op).operands; }
bool gives_boolean(Op op) { return row(op).gives_boolean; }

bool is_integer(std::string_view atom) {
    if (atom.starts_with('+') || atom.starts_with('-')) atom.remove_prefix(1);
    return !atom.empty() && std::all_of(atom.begin(), atom.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_bot(std::string_view atom) { return atom == "bot" || atom == "⊥"; }

bool is_variable_name(std::string_view atom) {
    return !is_integer(atom) && atom != "true" && atom != "false" && !is_bot(atom) && !parse_op(atom) &&
           std::find(keywords.begin(), keywords.end(), atom) == keywords.end();
}

} // namespace matchpoint::grammar
