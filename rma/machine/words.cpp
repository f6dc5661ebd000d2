#include "rma/machine/words.hpp"

#include <fmt/format.h>

#include "base/overloaded.hpp"
#include "base/text.hpp"
#include "rma/language/print.hpp"
#include "rma/machine/accesses.hpp"
#include "rma/machine/schedule.hpp"

namespace matchpoint::rma {

namespace {

/// What a step of a process did beside moving on.
std::string consequence(Machine const& machine, State const& before, ProcessStep t, Effect effect, State const& after) {
    Program const& p = machine.program();
    switch (effect) {
    case Effect::failed: return "does not hold";
    case Effect::discarded: return "does not hold: the run does not count";
    case Effect::faulted: return "divides by zero: the run ends here";
    case Effect::moved: break;
    }
    std::string written;
    for (Variable const x : written_by_step(machine, before.pc[t.p]))
        append_item(written, fmt::format("{} = {}", p.symbols(x), after.M[x.index].to_string()));
    if (!written.empty()) return written;
    RemoteIndex const s = machine.graph().at(before.pc[t.p]).remote;
    if (s != no_index && machine.model() == Model::rma)
        return machine.graph().remotes()[s].is_atomic()
                   ? fmt::format("A({}, {}) gets {}", p.pid(t.p), p.symbols(machine.graph().remotes()[s].src),
                                 name_of(machine.graph(), s))
                   : fmt::format("R({}) gets {}", p.pid(t.p), name_of(machine.graph(), s));
    if (std::holds_alternative<If>(machine.next(before, t.p).c) ||
        std::holds_alternative<While>(machine.next(before, t.p).c))
        return after.pc[t.p] == machine.graph().at(before.pc[t.p]).next ? "true" : "false";
    return "";
}

} // namespace

std::string statement_text(Program const& program, StatementIndex i) {
    Statement const& s = program.statements[i];
    std::string text = print(program, i);
    if (std::holds_alternative<If>(s.c) || std::holds_alternative<While>(s.c)) text += " ...)";
    return s.rho.is_none() ? text : fmt::format("[{} {}]", program.symbols(s.rho), text);
}

std::string next_text(Machine const& machine, State const& state, ProcessIndex p) {
    return statement_text(machine.program(), machine.graph().at(state.pc[p]).executes);
}

std::string narrate(Machine const& machine, State const& before, Transition const& t, Effect effect,
                    State const& after) {
    Program const& p = machine.program();
    auto const& remotes = machine.graph().remotes();
    std::string const rule(to_string(machine.rule(before, t)));
    return std::visit(
        overloaded{
            [&](ProcessStep const& x) {
                std::string const what = consequence(machine, before, x, effect, after);
                return fmt::format("{:<7} process {}: {}{}{}", rule, p.pid(x.p), next_text(machine, before, x.p),
                                   what.empty() ? "" : "; ", what);
            },
            [&](NicRead const& x) {
                Remote const& s = remotes[x.s];
                return fmt::format("{:<7} {}: {}; reads {} = {}", rule, name_of(machine.graph(), x.s),
                                   print(p, s.statement), p.symbols(s.src), before.M[s.src.index].to_string());
            },
            [&](NicAtomic const& x) {
                Remote const& s = remotes[x.s];
                return fmt::format("{:<7} {}: {}; reads {} = {}; {} = {}", rule, name_of(machine.graph(), x.s),
                                   print(p, s.statement), p.symbols(s.src), before.M[s.src.index].to_string(),
                                   p.symbols(s.src), after.M[s.src.index].to_string());
            },
            [&](NicWrite const& x) {
                Remote const& s = remotes[x.s];
                return fmt::format("{:<7} {}: {}; {} = {}", rule, name_of(machine.graph(), x.s), print(p, s.statement),
                                   p.symbols(s.trg), x.val.to_string());
            },
        },
        t);
}

std::string print_valuation(Program const& program, std::vector<Value> const& M) {
    std::string text;
    for (Variable const x : program.declared)
        append_item(text, fmt::format("{} = {}", program.symbols(x), M[x.index].to_string()));
    return text;
}

std::string print_memory(Program const& program, State const& state) { return print_valuation(program, state.M); }

std::string print_pending(Graph const& graph, State const& state) {
    Program const& program = graph.program();
    std::vector<std::string> R(program.processes.size());
    std::vector<std::string> W(program.processes.size());
    auto const add = [](std::string& list, std::string const& item, std::uint32_t count) {
        for (std::uint32_t i = 0; i < count; ++i) append_item(list, item);
    };
    for (auto const& [s, count] : state.R) add(R[graph.remotes()[s].process], name_of(graph, s), count);
    for (PendingWrites const& w : state.W) {
        Remote const& s = graph.remotes()[w.s];
        add(W[s.process], fmt::format("{}: {} := {}", name_of(graph, w.s), program.symbols(s.trg), w.val.to_string()),
            w.count);
    }
    std::string text;
    for (QueueIndex q = 0; q < state.A.size(); ++q) {
        if (state.A[q].empty()) continue;
        Queue const& queue = graph.queues()[q];
        std::string list;
        for (RemoteIndex const s : state.A[q]) add(list, name_of(graph, s), 1);
        text += fmt::format("{}A({}, {}) = <{}>", text.empty() ? "" : ", ", program.pid(queue.process),
                            program.symbols(queue.Y), list);
    }
    for (ProcessIndex p = 0; p < R.size(); ++p) {
        if (!R[p].empty()) text += fmt::format("{}R({}) = {{{}}}", text.empty() ? "" : ", ", program.pid(p), R[p]);
        if (!W[p].empty()) text += fmt::format("{}W({}) = {{{}}}", text.empty() ? "" : ", ", program.pid(p), W[p]);
    }
    return text;
}

} // namespace matchpoint::rma
