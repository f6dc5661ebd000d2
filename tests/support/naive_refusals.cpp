#include "tests/support/naive_refusals.hpp"

#include <algorithm>
#include <deque>
#include <set>
#include <stdexcept>

#include "tests/support/naive_collectives.hpp"
#include "tests/support/naive_explore.hpp"

namespace matchpoint::naive {

namespace {

/// By no receive, or by an mprobe whose receive has not started.
bool is_unmatched(State const& state, std::string const& send) {
    return is_held(state, send) ||
           std::none_of(state.got.begin(), state.got.end(), [&](auto const& pair) { return pair.second == send; });
}

/// Whether a message in transit or delivered can become the partner of a posted receive that has none.
bool is_match_possible(Program const& program, State const& state) {
    for (auto const& [movement, moved] : movements_of(program, state, false))
        if (selects(program, movement.beta)) return true;
    for (auto const& [beta, receives] : state.Pnd_r) {
        if (selects(program, beta) || !state.Pnd_s.contains(beta)) continue;
        for (PendingReceive const& receive : receives)
            if (!state.got.contains(receive.action)) return true;
    }
    return false;
}

/// Whether a library may keep a call whose needs are met.
bool has_not_been_called_by_all(Program const& program, State const& state, CallSite call) {
    return cannot_return(program, state, call, true) == Reason::not_called;
}

/// Whether a thread is at a command that cannot go on, or may refuse to.
bool may_stand(Program const& program, State const& state, std::size_t thread) {
    auto const after = steps_of(program, state, thread, false).front().second;
    if (Reason const* const reason = std::get_if<Reason>(&after)) return !is_fault(*reason);
    Command const& next = next_command(program, state, thread);
    Collective const* const collective = std::get_if<Collective>(&next.what);
    if (collective != nullptr && collective->blocks)
        return has_not_been_called_by_all(program, state, CallSite{thread, state.next[thread]});
    Wait const* const wait = std::get_if<Wait>(&next.what);
    if (wait == nullptr) return false;
    ActionSite const site = find_action(program, wait->action);
    if (site.collective != nullptr)
        return has_not_been_called_by_all(program, state, CallSite{site.thread, site.index});
    return site.sndi != nullptr && site.sndi->mode == Mode::standard && is_unmatched(state, wait->action);
}

/// "Those never refuse beyond their needs, since all have called when these are met."
bool needs_all(Collective const& c) { return c.kind == "barrier" || c.kind == "allreduce" || c.kind == "construct"; }

/// The sends that are standard and have a wait, and the collectives that block or have one.
struct MayRefuse {
    std::vector<Sndi*> sends;
    std::vector<Collective*> collectives;

    std::size_t count() const { return sends.size() + collectives.size(); }
};

MayRefuse calls_that_may_refuse(Program& program) {
    std::set<std::string> waited;
    for (Thread const& thread : program.threads)
        for (Command const& c : thread)
            if (auto const* const wait = std::get_if<Wait>(&c.what)) waited.insert(wait->action);
    MayRefuse result;
    for (Thread& thread : program.threads)
        for (Command& c : thread) {
            if (auto* const send = std::get_if<Sndi>(&c.what))
                if (send->mode == Mode::standard && waited.contains(send->action)) result.sends.push_back(send);
            if (auto* const call = std::get_if<Collective>(&c.what))
                if (!needs_all(*call) && (call->blocks || waited.contains(call->action)))
                    result.collectives.push_back(call);
        }
    return result;
}

} // namespace

std::optional<AnyDeadlock> deadlock_by_definition(Program const& program, std::size_t limit) {
    AnyDeadlock found;
    std::set<std::string> seen;
    std::deque<State> open;
    auto const add = [&](State state) {
        if (seen.insert(key_of(state)).second) open.push_back(std::move(state));
    };
    add(initial_state(program));
    while (!open.empty()) {
        if (seen.size() > limit) return std::nullopt;
        State const state = std::move(open.front());
        open.pop_front();
        auto const threads = unfinished_threads(program, state);
        bool const all_stand =
            std::all_of(threads.begin(), threads.end(), [&](std::size_t t) { return may_stand(program, state, t); });
        if (!threads.empty() && all_stand && !is_match_possible(program, state)) {
            found.anywhere = true;
            found.on_path = found.on_path || state.s < Status::infeasible;
        }
        for (std::size_t const t : threads) {
            for (auto& [peek, after] : steps_of(program, state, t, false))
                if (State* const next = std::get_if<State>(&after)) add(std::move(*next));
        }
        for (auto& [movement, moved] : movements_of(program, state, false)) add(std::move(moved));
    }
    return found;
}

std::size_t count_that_may_refuse(Program const& program) {
    Program copy = program;
    return calls_that_may_refuse(copy).count();
}

AnyDeadlock DeadlocksByModes::some() const {
    AnyDeadlock found;
    for (AnyDeadlock const& one : of) {
        found.on_path = found.on_path || one.on_path;
        found.anywhere = found.anywhere || one.anywhere;
    }
    return found;
}

AnyDeadlock const& DeadlocksByModes::with(std::vector<std::string> const& refusing) const {
    std::size_t index = 0;
    for (std::string const& call : refusing) {
        auto const it = std::find(calls.begin(), calls.end(), call);
        if (it == calls.end())
            throw std::logic_error(call + " is neither a standard send with a wait nor a collective that may refuse");
        index |= std::size_t{1} << static_cast<std::size_t>(it - calls.begin());
    }
    return of[index];
}

std::optional<DeadlocksByModes> deadlocks_by_modes(Program const& program, std::size_t limit) {
    Program changed = program;
    MayRefuse const may_refuse = calls_that_may_refuse(changed);
    std::size_t const sends = may_refuse.sends.size();
    DeadlocksByModes found;
    for (Sndi const* const send : may_refuse.sends) found.calls.push_back(send->action);
    for (Collective const* const call : may_refuse.collectives) found.calls.push_back(call->action);
    for (std::size_t refusing = 0; refusing < std::size_t{1} << may_refuse.count(); ++refusing) {
        for (std::size_t i = 0; i < sends; ++i)
            may_refuse.sends[i]->mode = (refusing >> i & 1U) != 0 ? Mode::synchronous : Mode::standard;
        for (std::size_t i = 0; i < may_refuse.collectives.size(); ++i)
            may_refuse.collectives[i]->waits_for_all = (refusing >> (sends + i) & 1U) != 0;
        auto const truth = explore_eagerly(changed, false, limit);
        if (!truth) return std::nullopt;
        AnyDeadlock one;
        one.on_path = truth->on_path.deadlock;
        one.anywhere = truth->deadlock;
        found.of.push_back(one);
    }
    return found;
}

} // namespace matchpoint::naive
