#include "grammar/sharing_warnings.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "grammar/positions.hpp"

namespace matchpoint::grammar {

namespace {

/// Variable -> whether it is shared, and no `when` reads it in its guard or writes it.
std::vector<bool> plain_data(Program const& program) {
    Ctp const& ctp = program.ctp;
    std::vector<bool> result(program.symbols.variables.size());
    for (SharedVariable const& s : ctp.shared) result[s.x.index] = true;
    for (LocatedCommand const& c : ctp.commands) {
        Guarded const* const guarded = as_guarded(c.c);
        if (guarded == nullptr || !guarded->blocks) continue;
        for (Node const& node : std::span(ctp.nodes).subspan(guarded->e.first, guarded->e.size))
            if (node.kind == Node::Kind::variable) result[node.payload] = false;
        for (auto const& [x, e] : ctp.assigned(*guarded)) result[x.index] = false;
    }
    return result;
}

} // namespace

Diagnostics warn_of_atomic_updates(Program const& program, Source const& source) {
    Diagnostics result;
    if (program.ctp.shared.empty()) return result;
    std::vector<bool> const is_data = plain_data(program);
    for (LocatedCommand const& c : program.ctp.commands) {
        if (result.size() == max_diagnostics) break;
        auto const* const assign = std::get_if<Assign>(&c.c);
        if (assign == nullptr || !is_data[assign->x.index]) continue;
        auto const nodes = std::span(program.ctp.nodes).subspan(assign->e.first, assign->e.size);
        bool const reads_it = std::any_of(nodes.begin(), nodes.end(), [&](Node const& node) {
            return node.kind == Node::Kind::variable && node.payload == assign->x.index;
        });
        if (!reads_it) continue;
        std::string const x = printable(program.symbols(assign->x));
        Token const at = atom_at(source, c.offset, 1);
        Diagnostic d{
            Severity::warning,
            "atomic",
            fmt::format("this reads and writes the shared variable `{}` in one step, as real programs seldom do", x),
            at.offset,
            static_cast<std::uint32_t>(at.text.size()),
            {}};
        d.hints.push_back(
            fmt::format("two steps are `(t := {0})` and an assignment to `{0}` that reads `t`; if it is one step, as a "
                        "fetch-and-add is, write `(assume true ({0} := ...))`",
                        x));
        result.push_back(std::move(d));
    }
    return result;
}

} // namespace matchpoint::grammar
