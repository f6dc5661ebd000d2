#include "check/confirmed.hpp"

#include <algorithm>
#include <map>

#include "base/limits.hpp"
#include "executions/shared/accesses.hpp"
#include "executions/shared/raced_variables.hpp"
#include "executions/shared/until_end.hpp"
#include "machine/refusing_calls.hpp"

namespace matchpoint::check {

namespace {

/// Tries every order of deliveries that can make a difference to the threads that wait. Endpoints do not depend on each
/// other.
class Waiting {
public:
    explicit Waiting(Machine const& at) : code_(at.code()), machine_(at.code(), at.buffering(), at.state()) {
        machine_.keep_history();
    }

    /// Whether no thread can go on, and some are unfinished.
    bool is_for_ever() {
        if (state().finished() || state().s == Status::error) return false;
        for (std::uint32_t t = 0; t < state().ctp.size(); ++t) {
            Location const next{state().ctp[t]};
            if (next.index == code_.ctp().threads[t].last) continue;
            if (can_go_on(next)) return false;
            if (Probe const* const probe = as_probe(code_.command_at(next)))
                at_[probe->beta.index].waits.push_back(next);
            if (Wait const* const wait = code_.wait_for_message(next))
                at_[executions::endpoint_of(code_, *wait).index].waits.push_back(next);
        }
        for (std::uint32_t c = 0; c < code_.channels().size(); ++c)
            if (auto const it = at_.find(code_[Channel{c}].beta.index); it != at_.end())
                it->second.channels.push_back({c});
        return std::none_of(at_.begin(), at_.end(), [&](auto const& at) { return is_helped(at.second); });
    }

private:
    struct AtEndpoint {
        std::vector<Location> waits;
        std::vector<Channel> channels;
    };

    State const& state() const { return machine_.state(); }
    bool can_go_on(Location rho) const { return machine::can_go_on(code_, state(), machine_.buffering(), rho); }
    bool is_enabled(Deliver t) const { return machine::is_enabled(code_, state(), machine_.buffering(), t); }

    /// Whether some deliveries let one of the threads go on. Leaves the state as it was.
    bool is_helped(AtEndpoint const& at) {
        std::size_t deliveries = deliver_what_is_free(at);
        bool is_helped = std::any_of(at.waits.begin(), at.waits.end(), [&](Location rho) { return can_go_on(rho); });
        for (std::size_t i = 0; i < at.channels.size() && !is_helped; ++i) {
            if (!is_enabled(Deliver{at.channels[i]})) continue;
            if (orders_left_-- == 0)
                throw LimitReached("too many orders of deliveries to tell whether an execution is stuck");
            deliver(at.channels[i]);
            is_helped = this->is_helped(at);
            machine_.undo();
        }
        for (; deliveries > 0; --deliveries) machine_.undo();
        return is_helped;
    }

    std::size_t deliver_what_is_free(AtEndpoint const& at) {
        std::size_t count = 0;
        for (bool again = true; again;) {
            again = false;
            for (Channel const c : at.channels)
                for (; is_enabled(Deliver{c}) && is_free(c); ++count, again = true) deliver(c);
        }
        return count;
    }

    void deliver(Channel c) {
        spend(8);
        static_cast<void>(machine_.apply(Deliver{c}));
    }

    /// Whether it makes no difference when the oldest message of a channel is delivered, as long as no command is
    /// executed.
    bool is_free(Channel c) const {
        Endpoint const beta = code_[c].beta;
        if (code_[beta].selects) return false;
        bool const is_rendezvous = machine_.buffering() == Buffering::zero || code_.synchronizes();
        return !is_rendezvous || !has_posted_partner(state(), beta);
    }

    IndexedProgram const& code_;
    Machine machine_;
    std::map<std::uint32_t, AtEndpoint> at_;
    std::uint32_t orders_left_ = 100'000;
};

// A library that may refuse. The receive of a message is looked up in the queues, wherever the message is.

/// Whether some posted receive has the message of a send as its partner, and it is not that of an mprobe that has not
/// started.
bool is_matched(IndexedProgram const& code, State const& state, Action a_s) {
    Endpoint const beta = code.as_sndi(a_s)->beta;
    if (code.has_probes() && !state.saw[a_s.index].is_none() && is_held(state, code, state.saw[a_s.index]))
        return false;
    for (std::uint32_t m = 0; m < state.Q_s.delivered[beta.index]; ++m)
        if (state.Q_s.entries[code[beta].Q_s.first + m].a == a_s) return receive_for(state, code, beta, m).has_value();
    return false; // it is in transit
}

/// Whether a message in transit or delivered can become the partner of a posted receive that has none. Where no receive
/// selects, any message can, and one that is delivered already is.
bool is_match_possible(IndexedProgram const& code, State const& state) {
    for (std::uint32_t c = 0; c < code.channels().size(); ++c) {
        Endpoint const beta = code[Channel{c}].beta;
        if (!in_transit(state, {c})) continue;
        bool const is_possible = code[beta].selects ? is_enabled(code, state, Buffering::infinite, Deliver{{c}})
                                                    : state.Q_s.delivered[beta.index] < state.Pnd_r.issued[beta.index];
        if (is_possible) return true;
    }
    return false;
}

/// Whether a library may keep a thread at a command that comes next, and that can go on.
bool refuses(IndexedProgram const& code, State const& state, Location rho) {
    Action const a = awaited_at(code, rho);
    if (a.is_none()) return false;
    Sndi const* const send = code.as_sndi(a);
    if (send != nullptr) return depends_on_library(send->mode) && !is_matched(code, state, a);
    return machine::may_refuse(code, state, rho);
}

void deliver_trailing(Machine& machine, Schedule const& schedule) {
    for (Channel const c : schedule.trailing()) static_cast<void>(machine.apply(Deliver{c}));
}

bool is_on_path(Machine const& machine, Runs runs) {
    return runs == Runs::complete || machine.state().s < Status::infeasible;
}

} // namespace

bool follow(Machine& machine, Schedule const& schedule, std::size_t entries) {
    for (std::size_t i = 0; i < entries; ++i)
        if (machine.step(schedule.entry(i)).is_stuck()) return false;
    return true;
}

bool is_deadlock(Machine const& machine) { return Waiting(machine).is_for_ever(); }

bool ends_in_deadlock(Machine& machine, Schedule const& schedule, Runs runs) {
    if (!follow(machine, schedule, schedule.size())) return false;
    deliver_trailing(machine, schedule);
    return is_on_path(machine, runs) && is_deadlock(machine);
}

std::optional<std::vector<Action>> refusing_at_end(Machine& machine, Schedule const& schedule, Runs runs) {
    if (!follow(machine, schedule, schedule.size())) return std::nullopt;
    deliver_trailing(machine, schedule);
    IndexedProgram const& code = machine.code();
    State const& state = machine.state();
    if (state.finished() || !is_on_path(machine, runs) || is_match_possible(code, state)) return std::nullopt;
    std::vector<Action> refusing;
    for (std::uint32_t t = 0; t < state.ctp.size(); ++t) {
        Location const next{state.ctp[t]};
        if (next.index == code.ctp().threads[t].last) continue;
        if (!can_go_on(code, state, machine.buffering(), next)) continue;
        if (!refuses(code, state, next)) return std::nullopt;
        refusing.push_back(awaited_at(code, next));
    }
    return refusing;
}

std::optional<RunError> fault_at_end(Machine& machine, Schedule const& schedule, Runs runs) {
    if (schedule.size() == 0) return std::nullopt;
    if (!follow(machine, schedule, schedule.size() - 1) || !is_on_path(machine, runs)) return std::nullopt;
    Entry const last = schedule.entry(schedule.size() - 1);
    for (Channel const c : last.m)
        if (machine.apply(Deliver{c}).is_stuck()) return std::nullopt;
    Execute const next{last.rho};
    if (!is_enabled(machine.code(), machine.state(), machine.buffering(), next)) return std::nullopt;
    std::uint64_t const entry = machine.state().trace;
    Step const step = machine.apply(next);
    return step.is_stuck() ? std::optional(RunError{entry, last.rho, step.why()}) : std::nullopt;
}

std::optional<Schedule> way_off_path(Machine& machine, Schedule schedule) {
    for (std::size_t i = 0; i < schedule.size(); ++i) {
        if (machine.step(schedule.entry(i)).is_stuck()) return std::nullopt;
        if (machine.state().s != Status::infeasible) continue;
        schedule.cut(i + 1);
        return schedule;
    }
    return std::nullopt;
}

bool ends_in_race(MessageIndex const& messages, Machine& machine, Race const& race) {
    IndexedProgram const& code = messages.code();
    if (!follow(machine, race.schedule, race.schedule.size())) return false;
    deliver_trailing(machine, race.schedule);
    auto const is_next = [&](Location rho) {
        return is_enabled(code, machine.state(), machine.buffering(), Execute{rho});
    };
    bool const are_next = is_on_path(machine, Runs::executions) && is_next(race.first) && is_next(race.second) &&
                          code.thread_of(race.first) != code.thread_of(race.second);
    if (!are_next) return false;
    auto const of_x = [&, all = executions::shared_accesses(messages)](Location rho) {
        executions::Accesses accesses = all[rho.index];
        std::erase_if(accesses, [&](executions::Access const& a) { return a.x != race.x; });
        return accesses;
    };
    return executions::conflict(of_x(race.first), of_x(race.second)) &&
           executions::raced_variables(messages)[race.x.index];
}

} // namespace matchpoint::check
