#include "grammar/messages/operator_hints.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "grammar/messages/hints.hpp"
#include "grammar/operators.hpp"

namespace matchpoint::grammar {

namespace {

constexpr std::pair<std::string_view, Op> operator_aliases[] = {
    {"==", Op::equal},      {"===", Op::equal},       {"eq", Op::equal},
    {"iff", Op::equal},     {"<=>", Op::equal},       {"<->", Op::equal},
    {"<>", Op::not_equal},  {"/=", Op::not_equal},    {"=/=", Op::not_equal},
    {"!==", Op::not_equal}, {"≠", Op::not_equal},     {"distinct", Op::not_equal},
    {"neq", Op::not_equal}, {"=<", Op::less_equal},   {"≤", Op::less_equal},
    {"le", Op::less_equal}, {"≥", Op::greater_equal}, {"ge", Op::greater_equal},
    {"lt", Op::less},       {"gt", Op::greater},      {"&&", Op::and_},
    {"&", Op::and_},        {"∧", Op::and_},          {"||", Op::or_},
    {"|", Op::or_},         {"∨", Op::or_},           {"!", Op::not_},
    {"~", Op::not_},        {"¬", Op::not_},          {"^", Op::xor_},
    {"->", Op::implies},    {"==>", Op::implies},     {"→", Op::implies},
    {"⇒", Op::implies},     {"implies", Op::implies}, {"%", Op::mod},
    {"rem", Op::mod},       {"/", Op::div},           {"//", Op::div},
    {"add", Op::plus},      {"sub", Op::minus},       {"mul", Op::times},
    {"·", Op::times},       {"×", Op::times},
};

/// How tightly operators of most languages bind: those of a larger number are applied first.
int binds(Op op) {
    switch (op) {
    case Op::implies: return 0;
    case Op::or_:
    case Op::xor_: return 1;
    case Op::and_: return 2;
    case Op::not_: return 3;
    case Op::plus:
    case Op::minus: return 5;
    case Op::times:
    case Op::div:
    case Op::mod: return 6;
    case Op::equal:
    case Op::not_equal:
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
    case Op::ite: break; // nobody writes it between its operands
    }
    return 4;
}

/// An atom, or a group as it is written in prefix form.
struct InfixPart {
    std::string text;
    std::optional<Op> op;
};

/// `-1`, `+1`
bool is_signed(std::string_view atom) { return is_integer(atom) && (atom.front() == '-' || atom.front() == '+'); }

/// Reads what may have operators between operands.
class InfixReader {
public:
    InfixReader(std::string_view text, Offset begin) : lexer_(text, begin) {}

    /// The parts up to the closing bracket, `;` or the end of the text. None if there are too many, or too deep ones.
    std::optional<std::vector<InfixPart>> parts(unsigned depth = 0) {
        std::vector<InfixPart> found;
        for (Token t = lexer_.next(); !t.text.empty() && !is_close(t); t = lexer_.next()) {
            if (++read_ > 100 || depth > 4) return std::nullopt;
            if (is_open(t)) {
                auto const inner = parts(depth + 1);
                if (!inner) return std::nullopt;
                found.push_back({prefix(*inner).value_or("e"), std::nullopt});
            } else if (is_signed(t.text) && !found.empty() && !found.front().op && !found.back().op) {
                // `a -1` can only mean a difference; `(+ a -1)` has its operator.
                found.push_back({printable(t.text.substr(0, 1)), any_operator(t.text.substr(0, 1))});
                found.push_back({printable(t.text.substr(1)), std::nullopt});
            } else {
                found.push_back({printable(t.text), any_operator(t.text)});
            }
        }
        return found;
    }

    /// An atom, or a group in prefix form. None if a bracket closes first.
    std::optional<std::string> part() {
        Token const t = lexer_.next();
        if (is_atom(t)) return printable(t.text);
        auto const inner = is_open(t) ? parts(1) : std::nullopt;
        return inner ? prefix(*inner) : std::nullopt;
    }

    /// `(y := 1)`: the name and the value. None if something else follows.
    std::optional<std::pair<std::string, std::string>> assignment() {
        if (is_at_close() || !is_open(lexer_.next())) return std::nullopt;
        Token const x = lexer_.next();
        if (!is_atom(x) || lexer_.next().text != ":=") return std::nullopt;
        auto const value = parts(1);
        auto e = value ? prefix(*value) : std::nullopt;
        return e ? std::optional(std::pair(printable(x.text), std::move(*e))) : std::nullopt;
    }

    bool is_at_close() const {
        Lexer ahead = lexer_;
        return is_close(ahead.next());
    }

    /// One expression of all parts. None if they do not make one.
    std::optional<std::string> prefix(std::span<InfixPart const> parts) {
        if (parts.size() == 1) return parts[0].op ? std::nullopt : std::optional(parts[0].text);
        if (parts.size() < 2) return std::nullopt;
        bool const is_prefix = parts[0].op && parts.size() == 1 + arity(*parts[0].op) &&
                               std::none_of(parts.begin() + 1, parts.end(), [](InfixPart const& p) { return p.op; });
        if (is_prefix)
            return fmt::format("({}{})", to_string(*parts[0].op),
                               parts.size() == 2 ? " " + parts[1].text
                                                 : fmt::format(" {} {}", parts[1].text, parts[2].text));
        return around(parts, weakest(parts));
    }

    /// Whether some operator is between its operands.
    bool is_infix() const { return is_infix_; }

private:
    /// The operator that is applied last; 0 if none is between operands, or the first part is a `not` that is applied
    /// last.
    static std::size_t weakest(std::span<InfixPart const> parts) {
        std::size_t found = 0;
        int least = parts[0].op == Op::not_ ? binds(Op::not_) : 7;
        for (std::size_t i = 1; i + 1 < parts.size(); ++i)
            if (parts[i].op && arity(*parts[i].op) == 2 && binds(*parts[i].op) <= least) {
                found = i;
                least = binds(*parts[i].op);
            }
        return found;
    }

    std::optional<std::string> around(std::span<InfixPart const> parts, std::size_t at) {
        if (at == 0) {
            auto const negated = parts[0].op == Op::not_ ? prefix(parts.subspan(1)) : std::nullopt;
            return negated ? std::optional(fmt::format("(not {})", *negated)) : std::nullopt;
        }
        auto const left = prefix(parts.first(at));
        auto const right = prefix(parts.subspan(at + 1));
        if (!left || !right) return std::nullopt;
        is_infix_ = true;
        return fmt::format("({} {} {})", to_string(*parts[at].op), *left, *right);
    }

    Lexer lexer_;
    std::size_t read_ = 0;
    bool is_infix_ = false;
};

struct PrefixForm {
    std::optional<std::string> text; // none if it is not an expression
    bool is_right = false;           // it is written like this
};

PrefixForm read_expression(std::string_view text, Offset begin) {
    InfixReader reader(text, begin);
    auto const parts = reader.parts();
    if (!parts) return {};
    return {reader.prefix(*parts), !reader.is_infix() && parts->size() == 1};
}

} // namespace

std::optional<Op> operator_meant(std::string_view atom) {
    auto const* const found = std::find_if(std::begin(operator_aliases), std::end(operator_aliases),
                                           [&](auto const& row) { return row.first == atom; });
    return found == std::end(operator_aliases) ? std::nullopt : std::optional(found->second);
}

std::optional<Op> any_operator(std::string_view atom) {
    auto const op = parse_op(atom);
    return op ? op : operator_meant(atom);
}

std::string form_of(Op op) {
    std::string form = "(" + std::string(to_string(op));
    for (unsigned k = 0; k < arity(op); ++k) form += " e";
    return form + ")";
}

std::string hint_for_operands(Op op, unsigned count) {
    std::string_view const name = to_string(op);
    if (op == Op::minus && count == 1) return "a negative number is one word, `-1`; the negative of `e` is `(- 0 e)`";
    if (count <= arity(op) || op == Op::not_ || op == Op::implies)
        return fmt::format("`{}` is written `{}`", name, form_of(op));
    if (as_relation(op) != nullptr)
        return fmt::format("`{}` is written `{}`; for more, `(and ({} a b) ({} b c))`", name, form_of(op), name, name);
    return fmt::format("`{0}` is written `({0} e e)`; for more, `({0} ({0} a b) c)`", name);
}

std::optional<std::string> in_prefix_form(std::string_view text, Offset begin) {
    return read_expression(text, begin).text;
}

std::optional<std::string> command_in_prefix_form(std::string_view text, Offset open) {
    Lexer lexer(text, open + 1);
    Token const name = lexer.next();
    if (name.text == "assert" || name.text == "assume")
        if (auto const e = read_expression(text, end_of(name)); e.text && !e.is_right)
            return fmt::format("({} {})", name.text, *e.text);
    Token const sign = lexer.next();
    if (sign.text == ":=" && is_atom(name))
        if (auto const e = read_expression(text, end_of(sign)); e.text && !e.is_right)
            return fmt::format("({} := {})", printable(name.text), *e.text);
    return std::nullopt;
}

std::string hint_for_choice(std::string_view text, Offset begin, std::string_view location) {
    InfixReader reader(text, begin);
    auto const condition = reader.part();
    auto const first = condition ? reader.assignment() : std::nullopt;
    auto second = first ? reader.assignment() : std::nullopt;
    if (first && !second && reader.is_at_close()) second.emplace(first->first, first->first); // it keeps its value
    std::string const command =
        second && first->first == second->first
            ? fmt::format("({} := (ite {} {} {}))", first->first, *condition, first->second, second->second)
            : "(x := (ite e e e))";
    return fmt::format("`ite` is an expression, not a command: write `[{} {}]`", printable(location), command);
}

std::optional<std::string> hint_for_bare_infix(std::string_view text, Offset begin) {
    Lexer lexer(text, begin);
    Token const x = lexer.next();
    Token const sign = lexer.next();
    auto const op = any_operator(sign.text);
    if (!is_atom(x) || any_operator(x.text) || !op || arity(*op) != 2) return std::nullopt;
    auto const e = in_prefix_form(text, begin);
    if (!e) return std::nullopt;
    bool const may_assign = sign.text == "=" || sign.text == "==" || sign.text == "<=";
    auto const value = may_assign && is_variable_name(x.text) ? in_prefix_form(text, end_of(sign)) : std::nullopt;
    if (value)
        return fmt::format("an assignment is written `({} := {})`, a condition `(assert {})`", printable(x.text),
                           *value, *e);
    if (result_sort(*op) == OperandSort::boolean) return fmt::format("a condition is written `(assert {})`", *e);
    return fmt::format("operators come first, and a command keeps the value: `(x := {})`", *e);
}

} // namespace matchpoint::grammar
