#include "record/predicted.hpp"

#include <fmt/format.h>

#include "check/confirmed.hpp"
#include "executions/scheduler.hpp"
#include "explain/blocked.hpp"
#include "explain/words.hpp"
#include "record/provenance.hpp"

namespace matchpoint::record {

namespace {

/// Runs commands, which are no choice, until only deliveries can come next. False: a command is stuck, or changes the
/// status.
bool run_on(Machine& machine) {
    std::vector<Transition> next;
    while (true) {
        enabled(machine.code(), machine.state(), machine.buffering(), next);
        if (next.empty() || !std::holds_alternative<machine::Execute>(next.front())) return true;
        if (machine.apply(next.front()).is_stuck() || machine.state().s != Status::success) return false;
    }
}

} // namespace

Expected<Predicted, std::string> predict(Prepared const& prepared, std::size_t t, Buffering buffering) {
    IndexedProgram const& code = prepared.code;
    Symbols const& names = prepared.program.symbols;
    Machine machine(code, buffering);
    Outcome const outcome = machine::run(machine, t, Extent::prefix);
    if (outcome.error) {
        RunError const& e = *outcome.error;
        return Unexpected{fmt::format("trace {} is not a run of the program with {} buffering: entry {}: {}", t + 1,
                                      machine::to_string(buffering), e.entry,
                                      explain::in_words(code, machine.state(), e.stuck.reason))};
    }
    Predicted result;
    Matching m(prepared.messages);
    delivered(prepared.messages, machine.state(), m);
    for (std::uint32_t r = 0; r < m.size(); ++r)
        if (m[r] != unmatched) {
            auto const receive = importers::call_id_of(names(prepared.messages.receives()[r].a));
            auto const send = importers::call_id_of(names(prepared.messages.sends()[m[r]].a));
            if (receive && send) result.matches.emplace_back(*receive, *send);
        }
    result.s = outcome.s;
    if (result.s != Status::success || !run_on(machine)) return result;
    if (!check::is_deadlock(machine)) return result;
    auto why = blocked_behind_deliveries(code, buffering, machine.state());
    end_openly(*why, code, trace_endings(prepared.source.text(), prepared.program.traces.size())[t].cut_short);
    result.is_deadlock = why->kind != Blocked::Kind::ended;
    if (!result.is_deadlock) return result;
    for (Blocked::Halted const& h : why->threads) {
        std::string const place = shown_place(code, h.at);
        Predicted::Waiting w{{h.thread, h.at.index - code.ctp().threads[h.thread].first, {}}, "in a barrier"};
        if (!h.waits.is_none()) {
            if (auto const id = importers::call_id_of(names(h.waits))) w.waits.calls.push_back(*id);
            w.where = fmt::format("for {}", printable(names(h.waits)));
        }
        if (!place.empty()) w.where += fmt::format(" ({})", place);
        result.waits.push_back(std::move(w));
    }
    return result;
}

} // namespace matchpoint::record
