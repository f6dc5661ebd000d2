#include "record/predicted.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/overloaded.hpp"
#include "check/confirmed.hpp"
#include "executions/scheduler.hpp"
#include "explain/blocked.hpp"
#include "explain/told.hpp"
#include "explain/words.hpp"
#include "machine/refusing_calls.hpp"
#include "record/choices.hpp"
#include "record/provenance.hpp"
#include "record/recorded_deadlock.hpp"
#include "record/refusing.hpp"

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

/// The fault of MPI that a command is stuck for, if it is one.
std::optional<Predicted::Fault> fault_of(Prepared const& prepared, Machine const& machine,
                                         machine::Stuck const& stuck) {
    IndexedProgram const& code = prepared.code;
    auto const name = [&](Location call) {
        return prepared.program.symbols(std::get<grammar::Collective>(code.command_at(call)).a);
    };
    std::string_view const word = provenance_of(prepared.source.text()).thread;
    ToldByPlaces const told(code, word, !word.empty());
    std::string words = explain::in_words(code, machine.state(), stuck.reason);
    if (auto const* const m = std::get_if<machine::reason::Mismatch>(&stuck.reason))
        return Predicted::Fault{fmt::format("collective calls do not match, a fault: {}", words),
                                {std::string(name(m->call)), std::string(name(m->other))}};
    if (std::holds_alternative<machine::reason::NoReceiveForReadySend>(stuck.reason))
        return Predicted::Fault{fmt::format("a ready send comes before its receive, a fault: {}", words), {}};
    return std::nullopt;
}

/// The receives that the ranks have waited for, sorted. A rank has learned nothing yet of a call that it is in.
std::vector<CallId> complete_in(Prepared const& prepared, State const& state) {
    draft::Draft const program = draft::draft_of(prepared.program);
    std::vector<CallId> result;
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
        draft::Thread const& thread = program.threads[t];
        std::size_t done = state.ctp[t] - prepared.program.ctp.threads[t].first;
        while (done != 0 && done < thread.size() && is_same_call(thread, done)) --done;
        for (std::size_t i = 0; i < done; ++i)
            if (auto const* const w = as_wait(thread[i].c))
                if (auto const id = importers::call_id_of(w->a.text)) result.push_back(*id);
    }
    std::sort(result.begin(), result.end());
    return result;
}

/// Runs commands, which are no choice, until only deliveries can come next. False: a command is stuck, which is told,
/// or changes the status.
bool run_on(Machine& machine, std::vector<Action> const& refusing, std::optional<machine::Stuck>& stuck) {
    std::vector<Transition> next;
    while (true) {
        enabled(machine.code(), machine.state(), machine.buffering(), next);
        auto const command = std::find_if(next.begin(), next.end(), [&](Transition const& t) {
            auto const* const execute = std::get_if<Execute>(&t);
            return execute != nullptr && !refuses(machine, *execute, refusing);
        });
        if (command == next.end()) return true;
        Step const step = machine.apply(*command);
        if (step.is_stuck()) stuck = step.why();
        if (step.is_stuck() || machine.state().s != Status::success) return false;
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
    Predicted result;
    if (outcome.error) {
        RunError const& e = *outcome.error;
        result.fault = fault_of(prepared, machine, e.stuck);
        if (!result.fault)
            return Unexpected{fmt::format("trace {} is not a run of the program with {} buffering: entry {}: {}", t + 1,
                                          machine::to_string(buffering), e.entry,
                                          explain::in_words(code, machine.state(), e.stuck.reason))};
    }
    result.matches = matches_in(prepared, machine.state());
    for (Action const a : *calls)
        if (auto const call = importers::call_id_of(names(a))) result.refusing.push_back(*call);
    result.s = outcome.s;
    std::optional<machine::Stuck> stuck;
    bool const is_over = result.s != Status::success || !run_on(machine, *calls, stuck);
    // When a ready send comes is left open.
    if (stuck && std::holds_alternative<machine::reason::Mismatch>(stuck->reason))
        result.fault = fault_of(prepared, machine, *stuck);
    result.complete = complete_in(prepared, machine.state());
    if (is_over) return result;
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

std::optional<check::Reached> recorded_deadlock(Prepared const& prepared, Buffering buffering,
                                                check::Refusals refusals) {
    IndexedProgram const& code = prepared.code;
    std::size_t const traces = prepared.program.traces.size();
    if (traces == 0) return std::nullopt;
    TraceEnding const end = trace_endings(prepared.source.text(), traces).front();
    bool const depends_on_library = !end.refusing.empty();
    Provenance const from = provenance_of(prepared.source.text());
    bool const is_of_run = (from.deadlocked || from.ended) && !from.is_predicted;
    if (depends_on_library ? refusals != check::Refusals::any : !is_of_run) return std::nullopt;
    Machine run(code, depends_on_library ? Buffering::infinite : buffering);
    if (machine::run(run, 0, Extent::prefix).s != Status::success) return std::nullopt;
    check::Reached found;
    found.answer = check::Reached::Answer::yes;
    for (std::size_t i = 0; i < prepared.program.traces.front().entries.size(); ++i)
        found.schedule.append(code.entry(0, i));
    if (!depends_on_library) {
        auto const blocked = deadlock_behind(run, end.cut_short);
        return blocked && blocked->kind == Blocked::Kind::deadlock ? std::optional(std::move(found)) : std::nullopt;
    }
    for (std::uint32_t c = 0; c < code.channels().size(); ++c)
        while (is_enabled(code, run.state(), Buffering::zero, Deliver{{c}})) {
            static_cast<void>(run.apply(Deliver{{c}}));
            found.schedule.move({c});
        }
    Machine machine(code, Buffering::infinite);
    auto refusing = check::refusing_at_end(machine, found.schedule, Runs::executions);
    auto why = blocked_by_refusals(code, run.state());
    if (!refusing || refusing->empty() || !why) return std::nullopt;
    end_openly(*why, code, end.cut_short);
    if (why->kind != Blocked::Kind::deadlock) return std::nullopt;
    found.refusing = std::move(*refusing);
    return found;
}

bool has_made(Recording const& run, Predicted::Fault const& fault) {
    draft::Draft draft = run.program;
    draft::name_locations(draft);
    auto const program = draft::program_of(draft);
    if (!program || fault.calls.size() != 2) return false;
    IndexedProgram const code(*program);
    std::vector<Location> made;
    for (std::uint32_t i = 0; i < program->ctp.commands.size(); ++i)
        if (auto const* const c = as_collective(program->ctp.commands[i].c))
            if (std::find(fault.calls.begin(), fault.calls.end(), program->symbols(c->a)) != fault.calls.end())
                made.push_back(Location{i});
    return made.size() == 2 && code.collectives()->disagree(made[0], made[1]);
}

} // namespace matchpoint::record
