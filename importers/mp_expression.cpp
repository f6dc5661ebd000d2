#include "importers/mp_expression.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "grammar/operators.hpp"

namespace matchpoint::importers {

namespace {

constexpr std::string_view ends_atom = "(),";

struct Operator {
    Op op;
    std::uint32_t least; // operands
    std::uint32_t most;
};
constexpr std::uint32_t any_number = UINT32_MAX;

std::optional<Operator> operator_of(std::string_view atom) {
    if (atom == "/=" || atom == "distinct") return Operator{Op::not_equal, 2, 2};
    auto const op = parse_op(atom);
    if (!op) return std::nullopt;
    bool const is_long = *op == Op::and_ || *op == Op::or_ || *op == Op::plus || *op == Op::minus || *op == Op::times;
    return is_long ? Operator{*op, 1, any_number} : Operator{*op, arity(*op), arity(*op)};
}

bool begins_number(std::string_view atom) {
    std::string_view const digits = atom.substr(atom.starts_with('-') || atom.starts_with('+') ? 1 : 0);
    return !digits.empty() && digits[0] >= '0' && digits[0] <= '9';
}

class Expressions {
public:
    explicit Expressions(Scanner& line) : line_(line) {}

    draft::Expression read() {
        std::string_view const first = line_.next_word(ends_atom);
        if (operator_of(first)) open(first, false);
        do {
            if (is_at_close() && !open_.empty())
                close();
            else
                operand();
        } while (!open_.empty() && !line_.fault());
        return std::move(e_);
    }

private:
    struct Frame {
        Operator op;
        std::string_view name;
        bool has_bracket;
        std::uint32_t operands = 0;
    };

    /// The end of the line counts as one, too: what follows the expression will find it missing.
    bool is_at_close() { return line_.at_end() || line_.rest()[0] == ')' || line_.rest()[0] == ','; }

    void open(std::string_view name, bool has_bracket) {
        line_.word(ends_atom);
        open_.push_back({*operator_of(name), name, has_bracket});
    }

    void operand() {
        if (line_.take("(")) {
            std::string_view const name = line_.next_word(ends_atom);
            if (operator_of(name)) return open(name, true);
            if (name.empty()) return line_.fail_here("an operator");
            return line_.fail("I5", name,
                              fmt::format("`{}` has no counterpart: operators are `+ - * div mod = /= < <= > >= and or "
                                          "xor => not`",
                                          printable(name)));
        }
        std::string_view const atom = line_.next_word(ends_atom);
        if (atom.empty()) return line_.fail_here("an expression");
        if (begins_number(atom) || atom == "true" || atom == "false")
            constant(atom);
        else
            e_.nodes.emplace_back(draft::Variable(read_mp_variable(line_)));
        if (!line_.fault()) finished();
    }

    void constant(std::string_view atom) {
        if (atom == "true" || atom == "false") {
            e_.nodes.emplace_back(Value::boolean(atom == "true"));
        } else if (!is_integer(atom)) {
            return line_.fail("syntax", atom, fmt::format("`{}` is not an integer", printable(atom)));
        } else {
            try {
                e_.nodes.emplace_back(Value::parse_integer(atom));
            } catch (LimitReached const& limit) {
                return line_.fail("limit", atom, limit.what());
            }
        }
        line_.word(ends_atom);
    }

    /// An operand of the innermost operation has ended: `(and a b c)` is `(and (and a b) c)`.
    void finished() {
        if (open_.empty()) return;
        Frame& frame = open_.back();
        ++frame.operands;
        if (frame.operands > frame.op.most)
            return line_.fail("syntax", frame.name,
                              fmt::format("`{}` has more than {}", frame.name, plural(frame.op.most, "operand")));
        if (frame.operands >= arity(frame.op.op)) e_.nodes.emplace_back(frame.op.op);
    }

    void close() {
        Frame const frame = open_.back();
        if (frame.has_bracket && !line_.take(")")) return line_.fail_here("`)`");
        if (frame.operands < frame.op.least)
            return line_.fail("syntax", frame.name,
                              fmt::format("`{}` has {}, and needs {}", frame.name, plural(frame.operands, "operand"),
                                          frame.op.least));
        if (frame.operands == 1 && frame.op.op == Op::minus) negate();
        open_.pop_back();
        finished();
    }

    /// `(- 5)` is -5, and `(- x)` is `(* x -1)`: the language has no minus sign.
    void negate() {
        auto* const value = std::get_if<Value>(&e_.nodes.back());
        if (auto const small = value == nullptr ? std::nullopt : value->small()) {
            *value = Value::integer(-*small);
            return;
        }
        e_.nodes.emplace_back(Value::integer(-1));
        e_.nodes.emplace_back(Op::times);
    }

    Scanner& line_;
    draft::Expression e_;
    std::vector<Frame> open_;
};

} // namespace

draft::Expression read_mp_expression(Scanner& line) { return Expressions(line).read(); }

std::string_view read_mp_variable(Scanner& line) {
    std::string_view const atom = line.next_word(ends_atom);
    if (atom.empty()) {
        line.fail_here("a variable");
        return {};
    }
    bool const is_taken = begins_number(atom) || atom == "true" || atom == "false" || operator_of(atom);
    if (is_taken || atom.find_first_of(";\"{}") != std::string_view::npos) {
        line.fail("syntax", atom, fmt::format("`{}` is not a name that a variable can have", printable(atom)));
        return {};
    }
    line.word(ends_atom);
    return atom;
}

} // namespace matchpoint::importers
