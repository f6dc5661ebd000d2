#include "grammar/messages/positions.hpp"

#include "base/overloaded.hpp"
#include "grammar/messages/lexer.hpp"

namespace matchpoint::grammar {

namespace {

/// How many atoms come before a command's expression, from its location on.
std::size_t atoms_before_expression(Command const& c) {
    return std::visit(overloaded{
                          [](Assume const&) { return 2U; },
                          [](Assert const&) { return 2U; },
                          [](Assign const&) { return 3U; },
                          [](Sndi const&) { return 5U; },
                          [](Rcvi const&) { return 0U; },
                          [](Probe const&) { return 0U; },
                          [](Start const&) { return 0U; },
                          [](Wait const&) { return 0U; },
                          [](Meet const&) { return 0U; },
                          [](Collective const&) { return 0U; },
                          [](Guarded const&) { return 2U; },
                      },
                      c);
}

/// Reads an expression's atoms, in post-order.
std::vector<Token> read_expression(Lexer& lexer) {
    std::vector<Token> result;
    std::vector<Token> operators;
    do {
        Token const t = lexer.next();
        if (t.text.empty()) break;
        if (is_open(t)) {
            operators.push_back(lexer.next());
        } else if (is_close(t)) {
            result.push_back(operators.back());
            operators.pop_back();
        } else {
            result.push_back(t);
        }
    } while (!operators.empty());
    return result;
}

/// A lexer after the opening bracket of a guarded assignment's n-th assignment, counted from 1.
Lexer at_assignment(Source const& source, LocatedCommand const& command, std::size_t n) {
    Token const last = atom_at(source, command.offset, atoms_before_expression(command.c) - 1);
    Lexer lexer(source.text(), end_of(last));
    read_expression(lexer); // the guard
    for (std::size_t i = 1; i < n; ++i) {
        for (int skipped = 0; skipped < 3; ++skipped) lexer.next(); // ( x :=
        read_expression(lexer);
        lexer.next(); // )
    }
    lexer.next(); // (
    return lexer;
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

std::vector<Token> expression_atoms(Source const& source, LocatedCommand const& command, std::size_t n) {
    std::size_t const before = atoms_before_expression(command.c);
    if (before == 0) return {};
    if (n > 0) {
        Lexer lexer = at_assignment(source, command, n);
        lexer.next(); // x
        lexer.next(); // :=
        return read_expression(lexer);
    }
    Lexer lexer(source.text(), end_of(atom_at(source, command.offset, before - 1)));
    return read_expression(lexer);
}

Token assigned_variable(Source const& source, LocatedCommand const& command, std::size_t n) {
    return at_assignment(source, command, n).next();
}

} // namespace matchpoint::grammar
