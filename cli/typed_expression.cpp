#include "cli/typed_expression.hpp"

#include <fmt/format.h>

#include "cli/suggestion.hpp"
#include "explain/words.hpp"
#include "grammar/fold.hpp"
#include "grammar/messages/habits.hpp"
#include "grammar/messages/operator_hints.hpp"
#include "grammar/operators.hpp"
#include "grammar/parse.hpp"
#include "machine/machine_step.hpp"

namespace matchpoint::cli {

namespace {

constexpr std::string_view target = "value!of!the!expression";

std::string before() { return fmt::format("(([0 ({} := ", target); }
constexpr std::string_view after = "\n)]))"; // a comment ends at the end of the line

/// The closing brackets that a text needs at its end, the last one first. None if it closes one that it has not opened.
std::optional<std::string> unclosed(std::string_view text) {
    std::string open;
    bool comment = false;
    for (char const c : text) {
        if (c == '\n') comment = false;
        if (c == ';') comment = true;
        if (comment) continue;
        if (c == '(') open += ')';
        if (c == '[') open += ']';
        if (c != ')' && c != ']') continue;
        if (open.empty()) return std::nullopt;
        if (open.back() != c) return ""; // the parser says where
        open.pop_back();
    }
    return open;
}

[[noreturn]] void refuse_expression(std::string_view text, std::string_view why) {
    throw Refused(fmt::format("`{}` is not an expression: {}", printable(text), why));
}

/// What a word that names no variable may mean: "; did you mean `a`?"
std::string instead_of(std::string_view name, IndexedProgram const& code) {
    if (auto const hint = grammar::hint_for_expression_as_name(name)) return "; " + *hint;
    return name_suggestion(name, code.names().variables);
}

/// A hint may show the whole command; the expression in it is what was typed.
std::string without_target(std::string hint) {
    std::string const assigns = fmt::format("({} := ", target);
    std::size_t const at = hint.find(assigns);
    if (at == std::string::npos) return hint;
    hint.erase(at, assigns.size());
    if (std::size_t const close = hint.rfind(')'); close != std::string::npos) hint.erase(close, 1);
    return hint;
}

/// "; operators come first: `(= a 4)`" for `a = 4`
std::string in_other_words(std::string_view text) {
    auto const prefix = grammar::in_prefix_form(text, 0);
    return prefix ? fmt::format("; operators come first: `{}`", *prefix) : "";
}

} // namespace

void refuse_unclosed(std::string_view text) {
    auto const missing = unclosed(text);
    if (!missing) refuse_expression(text, "it closes a bracket that it does not open");
    if (!missing->empty()) refuse_expression(text, fmt::format("`{}` is missing at its end", missing->back()));
}

void refuse_as_condition(std::string const& text, IndexedProgram const& code) {
    if (TypedExpression(text, code).gives_integer())
        throw Refused(fmt::format("`{}` is an integer, and a condition is true or false", printable(text)));
}

TypedExpression::TypedExpression(std::string const& text, IndexedProgram const& code)
    : source_("", before() + text + std::string(after)), program_(parsed(text)), code_(program_) {
    auto const& names = program_.symbols.variables;
    for (std::uint32_t x = 0; x < names.size(); ++x) {
        if (names[x] == target) {
            result_ = x;
            continue;
        }
        auto const there = code.names().variables.find(names[x]);
        if (!there)
            throw Refused(fmt::format("there is no variable `{}`{}", printable(names[x]), instead_of(names[x], code)));
        variables_.emplace_back(x, *there);
    }
}

Expected<Value, std::string> TypedExpression::evaluated(State const& of) const {
    State state(code_);
    for (auto const& [x, there] : variables_) state.h[x] = of.h[there];
    Workspace workspace;
    try {
        Step const step = machine_step(state, code_, Buffering::infinite, {Location{0}, {}}, Observers(), workspace);
        if (step.is_stuck()) return Unexpected{in_words(code_, state, step.why().reason)};
        return state.h[result_];
    } catch (OutOfTime const&) {
        throw;
    } catch (LimitReached const& e) {
        return Unexpected{fmt::format("limit reached: {}", e.what())};
    }
}

std::string TypedExpression::value(State const& of) const {
    auto const result = evaluated(of);
    if (result) return shown(*result);
    return is_variable() ? "no value" : "no value: " + result.error();
}

bool TypedExpression::is_variable() const { return root().kind == Node::Kind::variable; }

bool TypedExpression::gives_integer() const {
    Expression const e = *expression_of(program_.ctp.commands.front().c);
    Node const& of = program_.ctp.nodes[sort_root(program_.ctp, e.root())];
    switch (of.kind) {
    case Node::Kind::value: return program_.ctp.values[of.payload].is_integer();
    case Node::Kind::variable: return false;
    case Node::Kind::operation: break;
    }
    return result_sort(of.op) == OperandSort::integer;
}

Node const& TypedExpression::root() const {
    return program_.ctp.nodes[expression_of(program_.ctp.commands.front().c)->root()];
}

std::string TypedExpression::complaint(std::string_view text, Diagnostic const& diagnostic) const {
    std::size_t const begin = before().size();
    if (diagnostic.offset < begin || diagnostic.offset >= begin + text.size()) return "it is not complete";
    std::size_t const at = diagnostic.offset - begin;
    std::string result = diagnostic.message;
    // Outside of all its brackets, the text has nothing to close.
    if (result.starts_with("expected `)`") && unclosed(text.substr(0, at)) == "")
        return fmt::format("it ends before `{}`{}", printable(text.substr(at, diagnostic.length)),
                           in_other_words(text));
    for (std::string const& hint : diagnostic.hints) result += "; " + without_target(hint);
    return result;
}

Program TypedExpression::parsed(std::string_view text) const {
    refuse_unclosed(text);
    auto program = parse(source_);
    if (!program) refuse_expression(text, complaint(text, program.error().front()));
    return std::move(*program);
}

} // namespace matchpoint::cli
