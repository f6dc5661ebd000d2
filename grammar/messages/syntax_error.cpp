#include "grammar/messages/syntax_error.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "grammar/messages/hints.hpp"

namespace matchpoint::grammar {

namespace {

/// "`wait`, `sndi` or `)`"
std::string expected(SyntaxFailure const& failure) {
    std::vector<std::string> all;
    for (std::string_view const w : failure.wanted) {
        std::string text(w);
        if (w == wanted::close) text = fmt::format("`{}`", closing(failure.open.back().kind));
        if (std::find(all.begin(), all.end(), text) == all.end()) all.push_back(std::move(text));
    }
    std::string list;
    for (std::size_t i = 0; i < all.size(); ++i) list += (i == 0 ? "" : i + 1 == all.size() ? " or " : ", ") + all[i];
    return list;
}

/// What a bracket begins: "(assert", "[05"; "(" if something else follows it.
std::string opener(SyntaxFailure const& failure, Bracket bracket) {
    Token const first = Lexer(failure.text, bracket.at + 1).next();
    return bracket.kind + (is_atom(first) ? printable(first.text) : std::string());
}

void add_notes(Diagnostic& d, SyntaxFailure const& failure, Token found) {
    bool const is_end = found.text.empty();
    if (failure.begins_program_in_shared()) d.notes.push_back({"opened here", failure.open.front().at, 1});
    if (failure.begins_thread_in_thread()) d.notes.push_back({"opened here", failure.open[1].at, 1});
    if (failure.wants(wanted::close) &&
        (is_end || is_close(found) || failure.is_behind_command() || failure.is_behind_shared_value()))
        d.notes.push_back({"opened here", failure.open.back().at, 1});
    // `(recv a 0 x)` may be meant as a command.
    if (failure.wants(wanted::assignment_sign)) {
        Token const x = Lexer(failure.text, failure.open.back().at + 1).next();
        d.notes.push_back(
            {fmt::format("`{}` is not a command's name, so this is read as an assignment to it", printable(x.text)),
             x.offset, static_cast<std::uint32_t>(x.text.size())});
    }
    // A command among the traces, or a bracket after everything: there was a closing bracket too many.
    bool const is_command = failure.in_traces() && failure.wants(wanted::movement) && failure.is_at_command();
    bool const is_behind = failure.in_traces() && is_close(found) && failure.wants(wanted::end) &&
                           Lexer(failure.text, failure.ctp_close + 1).next().offset == found.offset;
    if (is_command || is_behind) d.notes.push_back({"the program ends here", failure.ctp_close, 1});
    // An entry of a trace among the threads: there was one too few.
    bool const is_entry = !failure.in_traces() && failure.wants(wanted::command) && is_bot(found.text);
    if (is_entry) d.notes.push_back({"the program opens here, and is not closed", failure.ctp_open, 1});
}

} // namespace

bool SyntaxFailure::wants(std::string_view what) const {
    return std::find(wanted.begin(), wanted.end(), what) != wanted.end();
}

bool SyntaxFailure::is_at_command() const {
    Lexer lexer(text, at);
    return command_meant(lexer.next().text) || lexer.next().text == ":=";
}

bool SyntaxFailure::is_behind_command() const {
    return !in_traces() && open.size() == located_command_depth && wants(wanted::close) &&
           Lexer(text, at).next().text != "(";
}

bool SyntaxFailure::in_communicators() const {
    return in_declarations() && Lexer(text, open.front().at + 1).next().text == "communicators";
}

bool SyntaxFailure::is_behind_shared_value() const { return in_shared() && open.size() == 2 && wants(wanted::close); }

bool SyntaxFailure::begins_thread_in_thread() const {
    if (in_traces() || open.size() != 3 || !wants(wanted::location) || open.back().kind != '(') return false;
    bool const is_first = Lexer(text, open[1].at + 1).next().offset == open.back().at;
    Lexer lexer(text, at);
    return !is_first && lexer.next().text == "[" && is_atom(lexer.next()) && is_open(lexer.next());
}

bool SyntaxFailure::begins_program_in_shared() const {
    return in_shared() && open.size() == 2 && wants(wanted::variable) &&
           begins_program(Lexer(text, open.back().at + 1));
}

bool begins_program(Lexer lexer) {
    if (!is_open(lexer.next())) return false;
    Token const first = lexer.next();
    return is_open(first) || is_close(first) || is_bot(first.text) || (is_atom(first) && is_open(lexer.next()));
}

Diagnostic syntax_error(SyntaxFailure const& failure) {
    Token const token = Lexer(failure.text, failure.at).next();
    std::string const found = token.text.empty() ? "the end of the file" : fmt::format("`{}`", printable(token.text));
    Diagnostic d;
    d.rule = "syntax";
    d.offset = failure.at;
    d.length = std::max<std::uint32_t>(static_cast<std::uint32_t>(token.text.size()), 1);
    if (failure.begins_thread_in_thread())
        d.message = "a thread begins here, but the thread before it is not closed";
    else if (failure.begins_program_in_shared())
        d.message = "the program begins here, but `(shared` before it is not closed";
    else if (failure.wants(wanted::close) && (is_close(token) || failure.is_behind_shared_value() ||
                                              (failure.is_behind_command() && !token.text.empty())))
        d.message = fmt::format("expected `{}` to close `{}`, found {}", closing(failure.open.back().kind),
                                opener(failure, failure.open.back()), found);
    else
        d.message = fmt::format("expected {}, found {}", expected(failure), found);
    if (token.text.size() == 1 && never_in_an_atom(token.text[0]) && token.text != "\"")
        d.message += fmt::format(" (the language has no `{}`)", token.text[0]);
    d.hints = hints_for(failure);
    add_notes(d, failure, token);
    return d;
}

} // namespace matchpoint::grammar
