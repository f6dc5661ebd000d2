#include "proofs/dead_predicates.hpp"

#include <algorithm>
#include <set>

#include "base/limits.hpp"
#include "rma/machine/accesses.hpp"

namespace matchpoint::proofs {

namespace {

using Variables = std::set<Variable>;

/// Local variables of one process that no property reads. What an operation on another process reads is shared.
std::vector<Variables> private_variables(rma::Program const& program) {
    Variables in_properties;
    for (rma::Property const& property : program.properties) {
        auto const read = rma::variables_in(program, property.e);
        in_properties.insert(read.begin(), read.end());
    }
    std::vector<Variables> result(program.processes.size());
    for (Variable const x : program.declared)
        if (program[x].kind == rma::VariableInfo::Kind::local && !in_properties.contains(x))
            result[program[x].process].insert(x);
    return result;
}

/// By statement of a process, then at its end: what is read before it is written.
std::vector<Variables> live_variables(rma::Graph const& graph, rma::ProcessIndex p) {
    rma::Machine const machine(graph);
    rma::StatementIndex const first = graph.program().processes[p].first;
    rma::StatementIndex const end = graph.end(p);
    std::vector<Variables> live(end - first + 1);
    for (bool changed = true; changed;) {
        changed = false;
        for (rma::StatementIndex pc = end; pc-- > first;) {
            rma::Successors const& at = graph.at(pc);
            Variables after;
            for (rma::StatementIndex const next : {at.next, at.otherwise})
                if (next != rma::no_index) after.insert(live[next - first].begin(), live[next - first].end());
            for (Variable const x : rma::written_by_step(machine, pc)) after.erase(x);
            auto const read = rma::read_by_step(machine, pc);
            after.insert(read.begin(), read.end());
            spend(16 + after.size());
            changed = changed || after != live[pc - first];
            live[pc - first] = std::move(after);
        }
    }
    return live;
}

/// Sets of variables that predicates connect.
std::vector<std::set<Symbol>> connected_variables(Formulas const& formulas, std::vector<Formula> const& V) {
    std::vector<std::set<Symbol>> result;
    for (Formula const p : V) {
        std::set<Symbol> joined(formulas.symbols(p).begin(), formulas.symbols(p).end());
        std::erase_if(result, [&](std::set<Symbol> const& other) {
            spend(other.size());
            bool const share = std::any_of(other.begin(), other.end(), [&](Symbol x) { return joined.contains(x); });
            if (share) joined.insert(other.begin(), other.end());
            return share;
        });
        result.push_back(std::move(joined));
    }
    return result;
}

} // namespace

DeadPredicates::DeadPredicates(Formulas const& formulas, std::vector<Formula> const& V) {
    rma::Graph const& graph = formulas.graph();
    auto const owned = private_variables(graph.program());
    auto const connected = connected_variables(formulas, V);
    for (rma::ProcessIndex p = 0; p < graph.program().processes.size(); ++p) {
        firsts_.push_back(graph.program().processes[p].first);
        auto const live = live_variables(graph, p);
        auto& dead = dead_.emplace_back(live.size());
        for (std::set<Symbol> const& together : connected) {
            if (!std::all_of(together.begin(), together.end(), [&](Symbol x) { return owned[p].contains({x.index}); }))
                continue;
            std::vector<std::uint32_t> predicates;
            for (std::uint32_t q = 0; q < V.size(); ++q)
                if (auto const& symbols = formulas.symbols(V[q]); !symbols.empty() && together.contains(symbols[0]))
                    predicates.push_back(q);
            for (std::size_t i = 0; i < live.size(); ++i) {
                spend(1 + together.size());
                if (std::none_of(together.begin(), together.end(),
                                 [&](Symbol x) { return live[i].contains({x.index}); }))
                    dead[i].insert(dead[i].end(), predicates.begin(), predicates.end());
            }
        }
    }
}

} // namespace matchpoint::proofs
