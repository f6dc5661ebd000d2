#include "executions/shared/accesses.hpp"

#include "grammar/selectors.hpp"

namespace matchpoint::executions {

namespace {

/// By variable, up to the last shared one.
std::vector<bool> shared_variables(Ctp const& ctp) {
    std::vector<bool> result;
    for (SharedVariable const& s : ctp.shared) {
        if (s.x.index >= result.size()) result.resize(s.x.index + 1);
        result[s.x.index] = true;
    }
    return result;
}

} // namespace

std::vector<Accesses> shared_accesses(MessageIndex const& messages) {
    Ctp const& ctp = messages.code().ctp();
    std::vector<bool> const is_shared = shared_variables(ctp);
    std::vector<Accesses> result(ctp.commands.size());
    auto const add = [&](std::size_t command, Variable x, bool writes) {
        if (x.index < is_shared.size() && is_shared[x.index]) result[command].push_back({x, writes});
    };
    for (std::size_t i = 0; i < ctp.commands.size(); ++i) {
        Command const& command = ctp.commands[i].c;
        for_each_expression(ctp, command, [&](Expression e) {
            for (Node const& n : std::span(ctp.nodes).subspan(e.first, e.size))
                if (n.kind == Node::Kind::variable) add(i, {n.payload}, false);
        });
        if (Assign const* const assign = std::get_if<Assign>(&command)) add(i, assign->x, true);
        if (Probe const* const probe = as_probe(command)) {
            Selectors const* const sel = selectors_of(ctp, *probe);
            if (sel != nullptr && sel->source) add(i, *sel->source, true);
            if (sel != nullptr && sel->tagged) add(i, *sel->tagged, true);
        }
        if (Guarded const* const guarded = as_guarded(command))
            for (auto const& [x, e] : ctp.assigned(*guarded)) add(i, x, true);
    }
    for (auto const& receive : messages.receives()) {
        Rcvi const& rcvi = *messages.code().as_rcvi(receive.a);
        Selectors const* const sel = selectors_of(ctp, rcvi);
        add(receive.nw.index, rcvi.x, true);
        if (sel != nullptr && sel->source) add(receive.nw.index, *sel->source, true);
        if (sel != nullptr && sel->tagged) add(receive.nw.index, *sel->tagged, true);
    }
    return result;
}

std::optional<Variable> conflict(Accesses const& a, Accesses const& b) {
    for (Access const& one : a)
        for (Access const& other : b)
            if (one.x == other.x && (one.writes || other.writes)) return one.x;
    return std::nullopt;
}

} // namespace matchpoint::executions
