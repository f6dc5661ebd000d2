#include "grammar/messages/spelling.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <variant>

#include <fmt/format.h>

#include "base/nearest_name.hpp"
#include "grammar/messages/hints.hpp"
#include "grammar/messages/positions.hpp"
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

/// Variable -> whether it is shared, or some expression reads it.
std::vector<bool> read_variables(Program const& program) {
    std::vector<bool> result(program.symbols.variables.size());
    for (SharedVariable const& s : program.ctp.shared) result[s.x.index] = true;
    for (Node const& node : program.ctp.nodes)
        if (node.kind == Node::Kind::variable) result[node.payload] = true;
    return result;
}

std::string without_digits(std::string_view name) {
    std::string result;
    std::copy_if(name.begin(), name.end(), std::back_inserter(result), [](char c) { return c < '0' || c > '9'; });
    return result;
}

/// Whether one name is nearly the other, so that a warning is worth its line: one edit for every four characters.
/// Names such as `sum1` and `sum2` are meant to differ.
bool is_nearly(std::string_view name, std::string_view other) {
    std::size_t const longer = std::max(name.size(), other.size());
    if (longer < 4 || longer > 100 || without_digits(name) == without_digits(other)) return false;
    return edit_distance(name, other) <= longer / 4;
}

/// The shared variable that may be meant by one that is never read.
std::optional<Variable> shared_meant(Program const& program, Variable x) {
    auto const& shared = program.ctp.shared;
    auto const end = shared.begin() + static_cast<std::ptrdiff_t>(std::min(shared.size(), most_compared));
    auto const found = std::find_if(shared.begin(), end, [&](SharedVariable const& s) {
        return is_nearly(program.symbols(x), program.symbols(s.x));
    });
    return found == end ? std::nullopt : std::optional(found->x);
}

Diagnostic unread(Program const& program, Variable x, Variable meant, Token at) {
    return {Severity::warning,
            "unread",
            fmt::format("`{}` is assigned and never read; did you mean shared variable `{}`?",
                        printable(program.symbols(x)), printable(program.symbols(meant))),
            at.offset,
            static_cast<std::uint32_t>(at.text.size()),
            {}};
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

Diagnostics warn_of_unread_variables(Program const& program, Source const& source) {
    Diagnostics result;
    if (program.ctp.shared.empty()) return result;
    std::vector<bool> is_done = read_variables(program);
    std::size_t compared = 0;
    for (LocatedCommand const& at : program.ctp.commands)
        for_each_assigned(program.ctp, at.c, [&](Variable x, std::size_t n) {
            if (is_done[x.index] || ++compared > most_compared) return;
            is_done[x.index] = true;
            auto const meant = shared_meant(program, x);
            if (!meant) return;
            Token const target = n == 0 ? atom_at(source, at.offset, 1) : assigned_variable(source, at, n);
            result.push_back(unread(program, x, *meant, target));
        });
    return result;
}

} // namespace matchpoint::grammar
