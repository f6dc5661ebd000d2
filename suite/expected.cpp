#include "suite/expected.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "executions/explorer.hpp"
#include "grammar/discipline.hpp"
#include "machine/well_formed.hpp"

namespace matchpoint::suite {

namespace {

std::vector<std::pair<std::string, Value>> store_of(IndexedProgram const& code, State const& state) {
    std::vector<std::pair<std::string, Value>> store;
    for (std::uint32_t x = 0; x < state.h.size(); ++x)
        if (!state.h[x].is_bot()) store.emplace_back(code.names()(grammar::Variable{x}), state.h[x]);
    std::sort(store.begin(), store.end(), [](auto const& a, auto const& b) { return a.first < b.first; });
    return store;
}

TraceEnd trace_end(IndexedProgram const& code, Buffering buffering, std::size_t t) {
    Machine machine(code, buffering);
    Outcome const outcome = run(machine, t);
    TraceEnd end;
    end.status = outcome.s;
    end.well_formed = static_cast<bool>(well_formedness(code, machine.state()));
    end.steps = outcome.steps;
    for (Match const& m : match_set(code, machine.state()))
        end.matches.emplace_back(code.names()(m.a_r), code.names()(m.a_s));
    end.store = store_of(code, machine.state());
    if (outcome.error) {
        TraceError& e = end.error.emplace(TraceError{outcome.error->entry, {}, {}});
        if (outcome.error->rho) e.location = code.names()(*outcome.error->rho);
        e.reason = to_string(outcome.error->stuck.reason);
    }
    return end;
}

} // namespace

std::vector<TraceEnd> trace_ends(IndexedProgram const& code, Buffering buffering) {
    std::vector<TraceEnd> ends;
    for (std::size_t t = 0; t < code.program().traces.size(); ++t) ends.push_back(trace_end(code, buffering, t));
    return ends;
}

std::optional<Executions> executions(IndexedProgram const& code, Buffering buffering, std::size_t most_match_sets) {
    constexpr std::uint64_t most_steps = 1'000'000;
    MessageIndex const messages(code);
    Explorer::Options options;
    options.buffering = buffering;
    Explorer explorer(messages, options);
    Executions result;
    std::map<Matching, Status> runs;
    while (explorer.steps() < most_steps) {
        auto const end = explorer.next(most_steps - explorer.steps());
        if (!end) break;
        result.deadlock |= end == End::deadlock;
        result.fault |= end == End::fault;
        if (end != End::complete) continue;
        Matching m(messages);
        explorer.matching(m);
        runs.emplace(std::move(m), explorer.state().s);
        if (runs.size() > most_match_sets) return std::nullopt;
    }
    if (!explorer.done()) return std::nullopt;

    auto const receive = [&](std::uint32_t r) { return std::string(code.names()(messages.receives()[r].a)); };
    auto const send = [&](std::uint32_t s) { return std::string(code.names()(messages.sends()[s].a)); };
    std::vector<std::set<std::uint32_t>> pairs(messages.receives().size());
    std::set<Status> statuses;
    for (auto const& [m, status] : runs) {
        MatchSet& set = result.match_sets.emplace_back(MatchSet{status, {}});
        statuses.insert(status);
        for (std::uint32_t r = 0; r < m.size(); ++r) {
            if (m[r] == unmatched) continue;
            set.matches.emplace_back(receive(r), send(m[r]));
            pairs[r].insert(m[r]);
        }
    }
    for (std::uint32_t r = 0; r < pairs.size(); ++r) {
        auto& [name, sends] = result.match_pairs.emplace_back(receive(r), std::vector<std::string>());
        for (std::uint32_t const s : pairs[r]) sends.push_back(send(s));
    }
    result.verdict = statuses.contains(Status::failure)   ? "violated"
                     : statuses.contains(Status::success) ? "safe"
                                                          : "vacuous";
    return result;
}

ExpectedResults expected(IndexedProgram const& code, Buffering buffering) {
    ExpectedResults result;
    result.traces = trace_ends(code, buffering);
    if (!check_discipline(code.program(), nullptr, Severity::warning, 1).empty()) return result;
    if (code.shares())
        result.shared_executions = shared_executions(code, buffering);
    else
        result.executions = executions(code, buffering);
    if (!result.executions && !result.shared_executions)
        throw std::logic_error("a program of the suite has too many executions");
    return result;
}

} // namespace matchpoint::suite
