#include "tests/support/naive_shared.hpp"

#include <algorithm>
#include <set>

#include "tests/support/naive_locks.hpp"

namespace matchpoint::naive {

namespace {

void add_variables(Expression const& e, std::set<std::string>& to) {
    if (e.kind == Expression::Kind::variable) {
        to.insert(e.variable);
    }
    for (Expression const& operand : e.operands) {
        add_variables(operand, to);
    }
}

/// Whether some wait before a place is for a receive, or for a later one at its endpoint.
bool is_completed(Program const& program, std::size_t thread, std::size_t receive, std::size_t place) {
    Endpoint const beta = std::get<Rcvi>(program.threads[thread][receive].what).beta;
    for (std::size_t k = receive; k < place; ++k) {
        Wait const* const wait = std::get_if<Wait>(&program.threads[thread][k].what);
        ActionSite const site = wait == nullptr ? ActionSite() : find_action(program, wait->action);
        if (site.rcvi != nullptr && site.rcvi->beta == beta && site.index >= receive) {
            return true;
        }
    }
    return false;
}

} // namespace

Accesses accesses_of(Program const& program, std::size_t thread, std::size_t place) {
    Accesses result;
    auto const& what = program.threads[thread][place].what;
    if (auto const* const c = std::get_if<Assume>(&what)) {
        add_variables(c->condition, result.reads);
    } else if (auto const* const c = std::get_if<Assert>(&what)) {
        add_variables(c->condition, result.reads);
    } else if (auto const* const c = std::get_if<Assign>(&what)) {
        add_variables(c->value, result.reads);
        result.writes.insert(c->variable);
    } else if (auto const* const c = std::get_if<Sndi>(&what)) {
        add_variables(c->payload, result.reads);
    } else if (auto const* const c = std::get_if<Guarded>(&what)) {
        add_variables(c->guard, result.reads);
        for (Store const& store : c->stores) {
            add_variables(store.value, result.reads);
            result.writes.insert(store.variable);
        }
    } else if (auto const* const c = std::get_if<Probe>(&what)) {
        for (auto const& x : {c->sel.source, c->sel.tagged}) {
            if (x) {
                result.writes.insert(*x);
            }
        }
    } else if (auto const* const c = std::get_if<Wait>(&what)) {
        ActionSite const site = find_action(program, c->action);
        for (std::size_t k = 0; site.rcvi != nullptr && k <= site.index; ++k) {
            Rcvi const* const receive = std::get_if<Rcvi>(&program.threads[thread][k].what);
            if (receive != nullptr && receive->beta == site.rcvi->beta && !is_completed(program, thread, k, place)) {
                result.writes.insert(receive->variable);
            }
        }
    }
    return result;
}

std::set<std::string> shared_variables(Program const& program) {
    std::set<std::string> result;
    for (Store const& store : program.shared) {
        result.insert(store.variable);
    }
    return result;
}

std::set<std::string> synchronisation_variables(Program const& program) {
    std::set<std::string> const shared = shared_variables(program);
    std::set<std::string> result;
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
        for (std::size_t k = 0; k < program.threads[t].size(); ++k) {
            Guarded const* const guarded = std::get_if<Guarded>(&program.threads[t][k].what);
            if (guarded == nullptr || !guarded->blocks) {
                continue;
            }
            Accesses const named = accesses_of(program, t, k);
            for (std::set<std::string> const& names : {named.reads, named.writes}) {
                for (std::string const& x : names) {
                    if (shared.contains(x)) {
                        result.insert(x);
                    }
                }
            }
        }
    }
    return result;
}

namespace {

bool no_guard_is_stuck(Program const& program, State const& state, bool zero) {
    auto const threads = unfinished_threads(program, state);
    return std::none_of(threads.begin(), threads.end(), [&](std::size_t t) {
        auto const after = step_of(program, state, t, zero);
        Reason const* const reason = std::get_if<Reason>(&after);
        return reason != nullptr && is_fault(*reason);
    });
}

/// Whether some thread can step, now or after some movements.
bool can_step(Program const& program, State const& state, bool zero) {
    auto const threads = unfinished_threads(program, state);
    auto const moved = movements_of(program, state, zero);
    return std::any_of(threads.begin(), threads.end(),
                       [&](std::size_t t) {
                           auto const steps = steps_of(program, state, t, zero);
                           return std::any_of(steps.begin(), steps.end(), [](auto const& step) {
                               return std::holds_alternative<State>(step.second);
                           });
                       }) ||
           std::any_of(moved.begin(), moved.end(), [&](auto const& m) { return can_step(program, m.second, zero); });
}

} // namespace

bool is_deadlock(Program const& program, State const& state, bool zero) {
    return all_waiting(program, state) && !can_step(program, state, zero) && no_guard_is_stuck(program, state, zero);
}

namespace {

class SharedExploration {
public:
    SharedExploration(Program const& program, bool zero, std::size_t limit)
        : program_(program), zero_(zero), limit_(limit), data_(raced_variables(program)) {}

    std::optional<SharedTruth> run(State const& from) {
        visit(from, std::nullopt, 0);
        return seen_.size() > limit_ ? std::nullopt : std::optional(truth_);
    }

private:
    void visit(State const& state, std::optional<std::size_t> last, std::size_t switches) {
        if (seen_.size() > limit_) {
            return;
        }
        std::string const who = last ? std::to_string(*last) : "nobody";
        if (!seen_.insert(key_of(state) + who + " " + std::to_string(switches)).second) {
            return;
        }
        truth_.race = truth_.race || is_race(state);
        if (state.s == Status::failure) {
            truth_.fails = true;
            truth_.switches = std::min(truth_.switches.value_or(switches), switches);
        }
        if (finished(program_, state)) {
            if (state.s == Status::success) {
                truth_.completes = true;
            } else {
                truth_.fails_complete = true;
                truth_.switches_complete = std::min(truth_.switches_complete.value_or(switches), switches);
            }
        }
        for (std::size_t const t : unfinished_threads(program_, state)) {
            for (auto const& [peek, after] : steps_of(program_, state, t, zero_)) {
                if (Reason const* const reason = std::get_if<Reason>(&after)) {
                    truth_.fault = truth_.fault || is_fault(*reason);
                    continue;
                }
                State const& next = std::get<State>(after);
                truth_.leaves = truth_.leaves || next.s == Status::infeasible;
                if (next.s < Status::infeasible) {
                    visit(next, t, last && *last != t ? switches + 1 : switches);
                }
            }
        }
        for (auto const& [movement, moved] : movements_of(program_, state, zero_)) {
            visit(moved, last, switches);
        }
        if (is_deadlock(program_, state, zero_)) {
            truth_.deadlock = true;
        }
    }

    bool is_race(State const& state) const {
        std::vector<std::size_t> threads = unfinished_threads(program_, state);
        std::erase_if(threads, [&](std::size_t t) {
            auto const steps = steps_of(program_, state, t, zero_);
            Reason const* const reason = std::get_if<Reason>(&steps.front().second);
            return reason != nullptr && !is_fault(*reason);
        });
        for (std::size_t const t : threads) {
            for (std::size_t const u : threads) {
                Accesses const one = accesses_of(program_, t, state.next[t]);
                Accesses const other = accesses_of(program_, u, state.next[u]);
                for (std::string const& x : one.writes) {
                    if (t != u && data_.contains(x) && (other.reads.contains(x) || other.writes.contains(x))) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    Program const& program_;
    bool zero_;
    std::size_t limit_;
    std::set<std::string> data_; // what data races are about
    SharedTruth truth_;
    std::set<std::string> seen_;
};

} // namespace

std::optional<SharedTruth> explore_shared(Program const& program, bool zero, std::size_t limit) {
    return explore_shared_from(program, zero, initial_state(program), limit);
}

std::optional<SharedTruth> explore_shared_from(Program const& program, bool zero, State const& from,
                                               std::size_t limit) {
    return SharedExploration(program, zero, limit).run(from);
}

std::string to_text(SharedTruth const& truth) {
    auto const least = [](std::optional<std::size_t> n) { return n ? std::to_string(*n) : "none"; };
    return to_text(truth.verdict()) + ", complete runs " + to_text(truth.verdict_complete()) +
           (truth.deadlock ? ", deadlock" : "") + (truth.fault ? ", fault" : "") +
           (truth.leaves ? ", leaves the path" : "") + (truth.race ? ", data race" : "") + ", switches " +
           least(truth.switches) + ", of complete runs " + least(truth.switches_complete);
}

} // namespace matchpoint::naive
