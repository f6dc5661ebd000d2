// `set variable`, and what it means for a run: from then on it is not a run of the program.

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/repl/repl.hpp"
#include "cli/suggestion.hpp"
#include "explain/words.hpp"

namespace matchpoint::cli {

namespace {

struct Assignment {
    Variable x;
    std::string value;
};

/// "X = EXPR", "X=EXPR" or "X := EXPR". Names may contain `=`: the longest known one counts. None if there is no `=`.
std::optional<Assignment> assignment(IndexedProgram const& code, std::string const& text) {
    auto const& variables = code.names().variables;
    for (std::size_t i = text.rfind('='); i != std::string::npos && i > 0; i = text.rfind('=', i - 1)) {
        std::string const left = text.substr(0, i);
        auto x = variables.find(trimmed(left));
        if (!x && left.ends_with(':')) x = variables.find(trimmed(left.substr(0, i - 1)));
        if (x) return Assignment{{*x}, std::string(trimmed(text.substr(i + 1)))};
    }
    std::string const name(trimmed(text.substr(0, std::min(text.find_first_of(" \t="), text.size()))));
    if (name.empty() || text.find('=') == std::string::npos) return std::nullopt;
    throw Refused(fmt::format("there is no variable `{}`{}", printable(name), name_suggestion(name, variables)));
}

} // namespace

void Repl::set_variable(std::string const& arguments) {
    auto const given = assignment(code_, arguments);
    if (!given || given->value.empty()) throw misused("set variable");
    auto const& [x, expression] = *given;
    if (state().s == Status::error) throw Refused("the run ended in error: `undo` or `reverse-step` first");
    if (stepper_.command_begun()) throw Refused("the next command has begun: `step` or `reverse-step` first");
    TypedExpression const typed(expression, code_);
    auto const value = typed.evaluated(state());
    if (!value)
        throw Refused(typed.is_variable() ? value.error()
                                          : fmt::format("`{}` has no value: {}", printable(expression), value.error()));
    Value const was = state().h[x.index];
    if (was == *value) {
        out(fmt::format("{} = {} already: nothing changes\n", shown(code_, x), shown(was)));
        return;
    }
    bool const first = !is_modified();
    look_again();
    stepper_.overwrite(x, *value);
    out(fmt::format("{} = {}, {}\n", shown(code_, x), shown(*value),
                    was.is_bot() ? "which had no value" : "not " + shown(was)));
    if (first) out("from here on this is not a run of the program; `undo` goes back to it\n");
    out(stops_after());
}

/// `a = 3 after step 5, b = 1 after step 7`
std::string Repl::overwrites_text() const {
    constexpr std::size_t most = 20;
    auto const all = stepper_.overwrites();
    std::string text;
    for (auto const& o : all.first(std::min(most, all.size())))
        text +=
            fmt::format("{}{} = {} after step {}", text.empty() ? "" : ", ", shown(code_, o.x), shown(o.v), o.steps);
    return all.size() > most ? text + fmt::format(", ... ({} more)", all.size() - most) : text;
}

/// A failed assertion, for example, is about the values before those that were set after the last step.
std::string Repl::not_a_run() const {
    bool const is_last = stepper_.overwrites().back().steps == stepper_.at().steps;
    return fmt::format("set by hand: {}{}; this is not a run of the program\n", overwrites_text(),
                       is_last ? ", and no step has followed" : "");
}

void Repl::refuse_if_modified(std::string_view command) const {
    if (is_modified())
        throw Refused(fmt::format("{} needs a run of the program, and this one has values set by hand: {}", command,
                                  overwrites_text()));
}

} // namespace matchpoint::cli
