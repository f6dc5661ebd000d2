#include "grammar/positions.hpp"

#include "grammar/lexer.hpp"
#include "grammar/overloaded.hpp"

namespace matchpoint::grammar {

namespace {

/// How many atoms stand before a command's expression, from its location on.
std::size_t atoms_before_expression(Command const& c) {
    return std::visit(overloaded{
                          [](Assume const&) { return 2U; },
                          [](Assert const&) { return 2U; },
                          [](Assign const&) { return 3U; },
                          [](Sndi const&) { return 5U; },
                          [](Rcvi const&) { return 0U; },
                          [](Wait const&) { return 0U; },
                          [](Meet const&) { return 0U; },
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

Token selected_variable(Source const& source, Offset offset, std::string_view kind) {
    Lexer lexer(source.text(), offset);
    Token before = lexer.next();
    while (true) {
        Token const t = lexer.next();
        if (t.text.empty()) return t;
        if (is_open(before) && t.text == kind) return lexer.next();
        before = t;
    }
}

Offset closing_bracket(Source const& source, Offset inside) {
    Lexer lexer(source.text(), inside);
    std::size_t open = 0;
    while (true) {
        Token const t = lexer.next();
        if (t.text.empty()) return t.offset;
        if (is_open(t)) ++open;
        if (is_close(t) && open-- == 0) return t.offset;
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
