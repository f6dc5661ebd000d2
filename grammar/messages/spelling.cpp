#include "grammar/messages/spelling.hpp"

#include <string_view>
#include <variant>

#include "grammar/messages/hints.hpp"
#include "grammar/selectors.hpp"

namespace matchpoint::grammar {

namespace {

/// Variables that are compared by name. Programs with more are not written by hand.
constexpr std::size_t most_compared = 300;

/// Calls `f` with the variable of each assignment of a command, and its number (assigned_variable()); an assignment
/// that is the whole command has number 0.
template <typename F>
void for_each_assigned(Ctp const& ctp, Command const& c, F f) {
    if (auto const* const assign = std::get_if<Assign>(&c)) f(assign->x, std::size_t{0});
    Guarded const* const guarded = as_guarded(c);
    if (guarded == nullptr) return;
    std::size_t n = 0;
    for (auto const& [x, e] : ctp.assigned(*guarded)) f(x, ++n);
}

/// Variable -> whether it is shared, or some command writes it.
std::vector<bool> written_variables(Program const& program) {
    std::vector<bool> result(program.symbols.variables.size());
    for (SharedVariable const& s : program.ctp.shared) result[s.x.index] = true;
    for (LocatedCommand const& at : program.ctp.commands) {
        for_each_assigned(program.ctp, at.c, [&](Variable x, std::size_t) { result[x.index] = true; });
        Rcvi const* const receive = as_rcvi(at.c);
        if (receive == nullptr) continue;
        result[receive->x.index] = true;
        if (Selectors const* const selectors = selectors_of(program.ctp, *receive))
            for (auto const y : {selectors->source, selectors->tagged})
                if (y) result[y->index] = true;
    }
    return result;
}

} // namespace

std::optional<std::string> hint_for_unwritten(Program const& program, Variable x, std::vector<bool> const& has_value) {
    std::vector<bool> const is_written = written_variables(program);
    if (is_written[x.index]) return std::nullopt;
    std::vector<std::string_view> known;
    for (std::uint32_t i = 0; i < is_written.size() && known.size() < most_compared; ++i)
        if (is_written[i] && has_value[i]) known.push_back(program.symbols.variables[i]);
    return hint_for_name(program.symbols(x), known);
}

} // namespace matchpoint::grammar
