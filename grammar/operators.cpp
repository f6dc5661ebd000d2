#include "grammar/operators.hpp"

#include <algorithm>

#include "base/overloaded.hpp"

namespace matchpoint::grammar {

namespace {

constexpr std::array<std::string_view, 6> keywords{"assume", "assert", ":=", "sndi", "rcvi", "wait"};

} // namespace

constexpr std::array<OpRow, op_count> op_rows{{
    {"+", "+", Arithmetic::plus},
    {"-", "-", Arithmetic::minus},
    {"*", "*", Arithmetic::times},
    {"div", "div", Arithmetic::div},
    {"mod", "mod", Arithmetic::mod},
    {"=", "=", Relation{false, true, false}},
    {"!=", "distinct", Relation{true, false, true}},
    {"<", "<", Relation{true, false, false}},
    {"<=", "<=", Relation{true, true, false}},
    {">", ">", Relation{false, false, true}},
    {">=", ">=", Relation{false, true, true}},
    // The rows of a table of truth, the last operand first: 11, 10, 01, 00.
    {"and", "and", Connective{2, 0b1000}},
    {"or", "or", Connective{2, 0b1110}},
    {"=>", "=>", Connective{2, 0b1101}},
    {"xor", "xor", Connective{2, 0b0110}},
    {"not", "not", Connective{1, 0b01}},
    {"ite", "ite", Choice{}},
}};

static_assert(std::none_of(op_rows.begin(), op_rows.end(), [](OpRow const& r) { return r.name.empty(); }),
              "every operator has its row");

namespace {

constexpr unsigned operands_of(Meaning const& meaning) {
    return std::visit(overloaded{
                          [](Arithmetic) { return 2U; },
                          [](Relation const&) { return 2U; },
                          [](Connective const& c) { return unsigned{c.operands}; },
                          [](Choice) { return 3U; },
                      },
                      meaning);
}

} // namespace

static_assert(op_count <= detail::most_ops);
constexpr std::array<std::uint8_t, detail::most_ops> detail::arities = [] {
    std::array<std::uint8_t, most_ops> result{};
    for (std::size_t i = 0; i < op_count; ++i) result[i] = static_cast<std::uint8_t>(operands_of(op_rows[i].meaning));
    return result;
}();

constexpr std::array<bool, detail::most_ops> detail::divides = [] {
    std::array<bool, most_ops> result{};
    for (std::size_t i = 0; i < op_count; ++i) {
        auto const* const f = std::get_if<Arithmetic>(&op_rows[i].meaning);
        result[i] = f != nullptr && (*f == Arithmetic::div || *f == Arithmetic::mod);
    }
    return result;
}();

std::span<std::string_view const> reserved_names() { return keywords; }

std::optional<unsigned> Connective::only_row(bool result) const {
    std::optional<unsigned> found;
    for (unsigned i = 0; i < rows(); ++i) {
        if (holds(i) != result) continue;
        if (found) return std::nullopt;
        found = i;
    }
    return found;
}

std::optional<bool> Connective::of(std::span<std::optional<bool> const> operands) const {
    constexpr std::array<unsigned, most_operands> where_true{0b1010'1010, 0b1100'1100, 0b1111'0000};
    unsigned possible = (1U << rows()) - 1; // rows, as bits
    for (std::size_t k = 0; k < operands.size(); ++k)
        if (operands[k]) possible &= *operands[k] ? where_true[k] : ~where_true[k];
    unsigned const that_hold = possible & truth;
    if (that_hold != 0 && that_hold != possible) return std::nullopt;
    return that_hold != 0;
}

std::optional<Connective> as_connective(Op op) {
    if (auto const* const c = std::get_if<Connective>(&row(op).meaning)) return *c;
    auto const bit = [](bool holds, unsigned row) { return static_cast<unsigned>(holds) << row; };
    if (is_choice(op)) {
        unsigned truth = 0;
        for (unsigned i = 0; i < 8; ++i)
            truth |= bit(Connective::operand(i, Choice::operand(Connective::operand(i, 0))), i);
        return Connective{3, static_cast<std::uint8_t>(truth)};
    }
    Relation const* const r = as_relation(op);
    if (r == nullptr || !r->is_symmetric()) return std::nullopt;
    return Connective{2, static_cast<std::uint8_t>(bit(r->equal, 0b00) | bit(r->greater, 0b01) | bit(r->less, 0b10) |
                                                   bit(r->equal, 0b11))};
}

std::string_view to_string(Op op) { return row(op).name; }

std::optional<Op> parse_op(std::string_view atom) {
    auto const* const found =
        std::find_if(op_rows.begin(), op_rows.end(), [&](OpRow const& r) { return r.name == atom; });
    if (found == op_rows.end()) return std::nullopt;
    return static_cast<Op>(found - op_rows.begin());
}

OperandSort operand_sort(Op op, std::size_t k) {
    return std::visit(
        overloaded{
            [](Arithmetic) { return OperandSort::integer; },
            [](Relation const& r) { return r.is_symmetric() ? OperandSort::common : OperandSort::integer; },
            [](Connective const&) { return OperandSort::boolean; },
            [&](Choice) { return k == 0 ? OperandSort::boolean : OperandSort::common; },
        },
        row(op).meaning);
}

OperandSort result_sort(Op op) {
    return std::visit(overloaded{
                          [](Arithmetic) { return OperandSort::integer; },
                          [](Relation const&) { return OperandSort::boolean; },
                          [](Connective const&) { return OperandSort::boolean; },
                          [](Choice) { return OperandSort::common; },
                      },
                      row(op).meaning);
}

bool gives_boolean(Op op, bool last) {
    OperandSort const sort = result_sort(op);
    return sort == OperandSort::boolean || (sort == OperandSort::common && last);
}

bool has_sort_of_last(Op op) { return result_sort(op) == OperandSort::common; }

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
