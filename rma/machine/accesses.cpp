#include "rma/machine/accesses.hpp"

#include "base/overloaded.hpp"

namespace matchpoint::rma {

std::vector<Variable> variables_in(Program const& program, Expression e) {
    std::vector<Variable> result;
    for (std::uint32_t n = e.first; n < e.first + e.size; ++n)
        if (program.nodes[n].kind == Node::Kind::variable) result.push_back({program.nodes[n].payload});
    return result;
}

Variable assigned_by(StatementKind const& c) {
    return std::visit(overloaded{
                          [](Load const& l) { return l.u; },
                          [](Store const& s) { return s.X; },
                          [](Assign const& a) { return a.u; },
                          [](Choose const& x) { return x.u; },
                          [](Put const&) { return Variable(); },
                          [](Get const&) { return Variable(); },
                          [](Flush const&) { return Variable(); },
                          [](Assume const&) { return Variable(); },
                          [](Assert const&) { return Variable(); },
                          [](Skip const&) { return Variable(); },
                          [](If const&) { return Variable(); },
                          [](While const&) { return Variable(); },
                          [](Goto const&) { return Variable(); },
                          [](Atomic const&) { return Variable(); },
                          [](FetchAndOp const&) { return Variable(); },
                          [](CompareAndSwap const&) { return Variable(); },
                          [](Accumulate const&) { return Variable(); },
                      },
                      c);
}

std::vector<Variable> read_by_step(Machine const& machine, StatementIndex pc) {
    using Variables = std::vector<Variable>;
    Graph const& graph = machine.graph();
    Successors const& here = graph.at(pc);
    auto const in = [&](Expression e) { return variables_in(machine.program(), e); };
    auto const remote = [&] { return machine.model() == Model::sc ? read_by_card(graph, here.remote) : Variables(); };
    return std::visit(overloaded{
                          [&](Load const& c) { return Variables{c.X}; },
                          [&](Store const& c) { return in(c.e); },
                          [&](Put const&) { return remote(); },
                          [&](Get const&) { return remote(); },
                          [&](Flush const&) { return Variables(); },
                          [&](Assign const& c) { return in(c.e); },
                          [&](Choose const&) { return Variables(); },
                          [&](Assume const& c) { return in(c.e); },
                          [&](Assert const& c) { return in(c.e); },
                          [&](Skip const&) { return Variables(); },
                          [&](If const& c) { return in(c.e); },
                          [&](While const& c) { return in(c.e); },
                          [&](Goto const&) { return Variables(); },
                          [&](Atomic const&) { return Variables(); },
                          [&](FetchAndOp const&) { return remote(); },
                          [&](CompareAndSwap const&) { return remote(); },
                          [&](Accumulate const&) { return remote(); },
                      },
                      machine.program().statements[here.executes].c);
}

std::vector<Variable> written_by_step(Machine const& machine, StatementIndex pc) {
    Successors const& here = machine.graph().at(pc);
    if (here.remote == no_index) {
        Variable const x = assigned_by(machine.program().statements[here.executes].c);
        return x.is_none() ? std::vector<Variable>() : std::vector{x};
    }
    if (machine.model() == Model::rma) return {};
    Remote const& remote = machine.graph().remotes()[here.remote];
    if (!remote.is_atomic()) return {remote.trg};
    return remote.fetches ? std::vector{remote.src, remote.trg} : std::vector{remote.src};
}

std::vector<Variable> read_by_card(Graph const& graph, RemoteIndex s) {
    Remote const& remote = graph.remotes()[s];
    std::vector<Variable> result{remote.src};
    StatementKind const& c = graph.program().statements[remote.statement].c;
    if (auto const* const fetch = std::get_if<FetchAndOp>(&c)) result.push_back(fetch->Z);
    if (auto const* const accumulate = std::get_if<Accumulate>(&c)) result.push_back(accumulate->Z);
    if (auto const* const swap = std::get_if<CompareAndSwap>(&c)) result.insert(result.end(), {swap->C, swap->Z});
    return result;
}

} // namespace matchpoint::rma
