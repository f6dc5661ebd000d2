#include "grammar/positions.hpp"

#include "grammar/overloaded.hpp"

namespace matchpoint::grammar {

namespace {

/// Brackets and atoms of a text that has already been parsed.
class Lexer {
public:
    Lexer(std::string_view text, Offset offset) : text_(text), at_(offset) {}

    Token next() {
        at_ = std::min(text_.find_first_not_of(" \t\n\v\f\r", at_), text_.size());
        while (at_ < text_.size() && text_[at_] == ';') {
            at_ = std::min(text_.find('\n', at_), text_.size());
            at_ = std::min(text_.find_first_not_of(" \t\n\v\f\r", at_), text_.size());
        }
        std::size_t const begin = at_;
        if (at_ < text_.size()) {
            bool const bracket = std::string_view("()[]").find(text_[at_]) != std::string_view::npos;
            at_ = bracket ? at_ + 1 : std::min(text_.find_first_of(" \t\n\v\f\r()[];\"{}", at_), text_.size());
        }
        return {text_.substr(begin, at_ - begin), static_cast<Offset>(begin)};
    }

private:
    std::string_view text_;
    std::size_t at_;
};

bool is_bracket(Token t) { return t.text == "(" || t.text == ")" || t.text == "[" || t.text == "]"; }

/// How many atoms stand before a command's expression, from its location on.
std::size_t atoms_before_expression(Command const& c) {
    return std::visit(overloaded{
                          [](Assume const&) { return 2U; },
                          [](Assert const&) { return 2U; },
                          [](Assign const&) { return 3U; },
                          [](Sndi const&) { return 5U; },
                          [](Rcvi const&) { return 0U; },
                          [](Wait const&) { return 0U; },
                      },
                      c);
}

} // namespace

Token atom_at(Source const& source, Offset offset, std::size_t n) {
    Lexer lexer(source.text(), offset);
    while (true) {
        Token const t = lexer.next();
        if (t.text.empty()) return t;
        if (!is_bracket(t) && n-- == 0) return t;
    }
}

std::vector<Token> expression_atoms(Source const& source, LocatedCommand const& command) {
    std::size_t const before = atoms_before_expression(command.c);
    std::vector<Token> result;
    if (before == 0) return result;
    Token const last = atom_at(source, command.offset, before - 1);
    Lexer lexer(source.text(), last.offset + static_cast<Offset>(last.text.size()));
    std::vector<Token> operators;
    do {
        Token const t = lexer.next();
        if (t.text.empty()) break;
        if (t.text == "(" || t.text == "[") {
            operators.push_back(lexer.next());
        } else if (is_bracket(t)) {
            result.push_back(operators.back());
            operators.pop_back();
        } else {
            result.push_back(t);
        }
    } while (!operators.empty());
    return result;
}

} // namespace matchpoint::grammar
