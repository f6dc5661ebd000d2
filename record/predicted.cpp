#include "record/predicted.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "check/confirmed.hpp"
#include "executions/scheduler.hpp"
#include "explain/blocked.hpp"
#include "explain/words.hpp"
#include "machine/refusing_calls.hpp"
#include "record/provenance.hpp"

namespace matchpoint::record {

namespace {

/// Whether a thread is at one of these collectives, which not all members have called, or at the wait for one of these
/// sends, which is unmatched.
bool refuses(Machine const& machine, Execute next, std::vector<Action> const& refusing) {
    IndexedProgram const& code = machine.code();
    Action const a = awaited_at(code, next.rho);
    if (a.is_none() || std::find(refusing.begin(), refusing.end(), a) == refusing.end()) return false;
    return code.as_sndi(a) != nullptr ? !is_taken(machine.state(), code, a)
                                      : may_refuse(code, machine.state(), next.rho);
}

/// Runs commands, which are no choice, until only deliveries can come next. False: a command is stuck, or changes the
/// status.
bool run_on(Machine& machine, std::vector<Action> const& refusing) {
    std::vector<Transition> next;
    while (true) {
        enabled(machine.code(), machine.state(), machine.buffering(), next);
        auto const command = std::find_if(next.begin(), next.end(), [&](Transition const& t) {
            auto const* const execute = std::get_if<Execute>(&t);
            return execute != nullptr && !refuses(machine, *execute, refusing);
        });
        if (command == next.end()) return true;
        if (machine.apply(*command).is_stuck() || machine.state().s != Status::success) return false;
    }
}

/// The sends and collectives of these names, or a name that none of them has.
Expected<std::vector<Action>, std::string> calls_of(IndexedProgram const& code, std::vector<std::string> const& names) {
    std::vector<Action> result;
    for (std::string const& name : names) {
        auto const a = code.names().actions.find(name);
        if (!a || (code.as_sndi(Action{*a}) == nullptr && code.as_collective(Action{*a}) == nullptr))
            return Unexpected{name};
        result.push_back(Action{*a});
    }
    return result;
}

} // namespace

std::vector<CallMatch> matches_in(Prepared const& prepared, State const& state) {
    Symbols const& names = prepared.program.symbols;
    Matching m(prepared.messages);
    delivered(prepared.messages, state, m);
    std::vector<CallMatch> result;
    for (std::uint32_t r = 0; r < m.size(); ++r) {
        if (m[r] == unmatched) continue;
        auto const receive = importers::call_id_of(names(prepared.messages.receives()[r].a));
        auto const send = importers::call_id_of(names(prepared.messages.sends()[m[r]].a));
        if (receive && send && is_point_to_point(*receive)) result.emplace_back(*receive, *send);
    }
    for (grammar::LocatedCommand const& at : prepared.program.ctp.commands) {
        auto const* const probe = as_probe(at.c);
        if (probe == nullptr || probe->matches || state.saw[probe->a.index].is_none()) continue;
        auto const id = importers::call_id_of(names(probe->a));
        auto const send = importers::call_id_of(names(state.saw[probe->a.index]));
        if (id && send) result.emplace_back(*id, *send);
    }
    std::sort(result.begin(), result.end());
    return result;
}

Expected<Predicted, std::string> predict(Prepared const& prepared, std::size_t t, Buffering buffering,
                                         std::vector<std::string> const& refusing) {
    IndexedProgram const& code = prepared.code;
    Symbols const& names = prepared.program.symbols;
    auto const calls = calls_of(code, refusing);
    if (!calls)
        return Unexpected{fmt::format("trace {}: `{}`, which is to refuse, is neither a send nor a collective of the "
                                      "program",
                                      t + 1, printable(calls.error()))};
    Machine machine(code, buffering);
    Outcome const outcome = machine::run(machine, t, Extent::prefix);
    if (outcome.error) {
        RunError const& e = *outcome.error;
        return Unexpected{fmt::format("trace {} is not a run of the program with {} buffering: entry {}: {}", t + 1,
                                      machine::to_string(buffering), e.entry,
                                      explain::in_words(code, machine.state(), e.stuck.reason))};
    }
    Predicted result;
    result.matches = matches_in(prepared, machine.state());
    for (Action const a : *calls)
        if (auto const call = importers::call_id_of(names(a))) result.refusing.push_back(*call);
    result.s = outcome.s;
    if (result.s != Status::success || !run_on(machine, *calls)) return result;
    // No match is possible in a deadlock in which calls refuse: the same threads are stuck under zero buffering.
    Buffering const at_end = calls->empty() ? buffering : Buffering::zero;
    if (!check::is_deadlock(Machine(code, at_end, machine.state()))) return result;
    auto why = blocked_behind_deliveries(code, at_end, machine.state());
    end_openly(*why, code, trace_endings(prepared.source.text(), prepared.program.traces.size())[t].cut_short);
    result.is_deadlock = why->kind != Blocked::Kind::ended;
    if (!result.is_deadlock) return result;
    for (Blocked::Halted const& h : why->threads) {
        std::string const place = shown_place(code, h.at);
        Predicted::Waiting w{{h.thread, h.at.index - code.ctp().threads[h.thread].first, {}}, "in a barrier"};
        if (!h.call.is_none()) {
            Action const call = std::get<grammar::Collective>(code.command_at(h.call)).a;
            if (auto const id = importers::call_id_of(names(call))) w.waits.calls.push_back(*id);
        }
        if (!h.waits.is_none()) {
            if (auto const id = importers::call_id_of(names(h.waits))) w.waits.calls.push_back(*id);
            w.where = fmt::format("for {}", printable(names(h.waits)));
        } else if (!h.call.is_none()) {
            w.where = fmt::format("in {}",
                                  shown_kind(code.ctp().call(std::get<grammar::Collective>(code.command_at(h.call)))));
        }
        if (!place.empty()) w.where += fmt::format(" ({})", place);
        result.waits.push_back(std::move(w));
    }
    return result;
}

} // namespace matchpoint::record
