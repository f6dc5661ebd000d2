#include "grammar/operators.hpp"

#include <algorithm>

namespace matchpoint::grammar {

namespace {

struct OpRow {
    std::string_view name;
    unsigned arity;
    Operands operands;
    bool gives_boolean;
    bool divides = false;
};

// In the order of the enumeration.
constexpr std::array<OpRow, op_count> rows{{
    {"+", 2, Operands::integers, false},
    {"-", 2, Operands::integers, false},
    {"*", 2, Operands::integers, false},
    {"div", 2, Operands::integers, false, true},
    {"mod", 2, Operands::integers, false, true},
    {"=", 2, Operands::equal_sorts, true},
    {"!=", 2, Operands::equal_sorts, true},
    {"<", 2, Operands::integers, true},
    {"<=", 2, Operands::integers, true},
    {">", 2, Operands::integers, true},
    {">=", 2, Operands::integers, true},
    {"and", 2, Operands::booleans, true},
    {"or", 2, Operands::booleans, true},
    {"xor", 2, Operands::booleans, true},
    {"=>", 2, Operands::booleans, true},
    {"not", 1, Operands::booleans, true},
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

unsigned arity(Op op) { return row(op).arity; }
Operands operands(Op op) { return row(op).operands; }
bool gives_boolean(Op op) { return row(op).gives_boolean; }
bool compares(Op op) { return row(op).gives_boolean && row(op).operands != Operands::booleans; }
bool divides(Op op) { return row(op).divides; }

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
