#include "tests/support/naive_shared.hpp"

#include <algorithm>
#include <set>

namespace matchpoint::naive {

namespace {

class SharedExploration {
public:
    SharedExploration(Program const& program, bool zero, std::size_t limit)
        : program_(program), zero_(zero), limit_(limit) {}

    std::optional<SharedTruth> run() {
        visit(initial_state(program_), std::nullopt, 0);
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
            auto const after = step_of(program_, state, t, zero_);
            if (Reason const* const reason = std::get_if<Reason>(&after)) {
                truth_.fault = truth_.fault || is_fault(*reason);
                continue;
            }
            State const& next = std::get<State>(after);
            if (next.s < Status::infeasible) {
                visit(next, t, last && *last != t ? switches + 1 : switches);
            }
        }
        for (auto const& [movement, moved] : movements_of(program_, state, zero_)) {
            visit(moved, last, switches);
        }
        if (all_waiting(program_, state) && !can_step(state) && no_guard_is_stuck(state)) {
            truth_.deadlock = true;
        }
    }

    struct Accesses {
        std::set<std::string> reads;
        std::set<std::string> writes;
    };

    static void add_variables(Expression const& e, std::set<std::string>& to) {
        if (e.kind == Expression::Kind::variable) {
            to.insert(e.variable);
        }
        for (Expression const& operand : e.operands) {
            add_variables(operand, to);
        }
    }

    /// What a command of a thread reads and writes.
    Accesses accesses(std::size_t thread, std::size_t place) const {
        Accesses result;
        auto const& what = program_.threads[thread][place].what;
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
        } else if (auto const* const c = std::get_if<Wait>(&what)) {
            // It completes the receives at its endpoint that no earlier wait has completed.
            ActionSite const site = find_action(program_, c->action);
            for (std::size_t k = 0; site.rcvi != nullptr && k < place; ++k) {
                Rcvi const* const receive = std::get_if<Rcvi>(&program_.threads[thread][k].what);
                if (receive != nullptr && receive->beta == site.rcvi->beta && k <= site.index) {
                    result.writes.insert(receive->variable);
                }
                Wait const* const wait = std::get_if<Wait>(&program_.threads[thread][k].what);
                ActionSite const other = wait == nullptr ? ActionSite() : find_action(program_, wait->action);
                if (other.rcvi != nullptr && other.rcvi->beta == site.rcvi->beta) {
                    result.writes.clear();
                }
            }
        }
        return result;
    }

    bool is_race(State const& state) const {
        std::set<std::string> data;
        for (Store const& store : program_.shared) {
            data.insert(store.variable);
        }
        for (std::size_t t = 0; t < program_.threads.size(); ++t) {
            for (std::size_t k = 0; k < program_.threads[t].size(); ++k) {
                Guarded const* const guarded = std::get_if<Guarded>(&program_.threads[t][k].what);
                if (guarded != nullptr && guarded->blocks) {
                    Accesses const named = accesses(t, k);
                    for (std::string const& x : named.reads) {
                        data.erase(x);
                    }
                    for (std::string const& x : named.writes) {
                        data.erase(x);
                    }
                }
            }
        }
        std::vector<std::size_t> threads = unfinished_threads(program_, state);
        std::erase_if(threads, [&](std::size_t t) {
            auto const after = step_of(program_, state, t, zero_);
            Reason const* const reason = std::get_if<Reason>(&after);
            return reason != nullptr && !is_fault(*reason);
        });
        for (std::size_t const t : threads) {
            for (std::size_t const u : threads) {
                Accesses const one = accesses(t, state.next[t]);
                Accesses const other = accesses(u, state.next[u]);
                for (std::string const& x : one.writes) {
                    if (t != u && data.contains(x) && (other.reads.contains(x) || other.writes.contains(x))) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /// Whether the guard of every `when` at which a thread stands is false, and not without a value.
    bool no_guard_is_stuck(State const& state) const {
        auto const threads = unfinished_threads(program_, state);
        return std::none_of(threads.begin(), threads.end(), [&](std::size_t t) {
            auto const after = step_of(program_, state, t, zero_);
            Reason const* const reason = std::get_if<Reason>(&after);
            return reason != nullptr && is_fault(*reason);
        });
    }

    /// Whether some thread can step, now or after some movements.
    bool can_step(State const& state) const {
        auto const threads = unfinished_threads(program_, state);
        auto const moved = movements_of(program_, state, zero_);
        return std::any_of(
                   threads.begin(), threads.end(),
                   [&](std::size_t t) { return std::holds_alternative<State>(step_of(program_, state, t, zero_)); }) ||
               std::any_of(moved.begin(), moved.end(), [&](auto const& m) { return can_step(m.second); });
    }

    Program const& program_;
    bool zero_;
    std::size_t limit_;
    SharedTruth truth_;
    std::set<std::string> seen_;
};

} // namespace

std::optional<SharedTruth> explore_shared(Program const& program, bool zero, std::size_t limit) {
    return SharedExploration(program, zero, limit).run();
}

std::string to_text(SharedTruth const& truth) {
    auto const least = [](std::optional<std::size_t> n) { return n ? std::to_string(*n) : "none"; };
    return to_text(truth.verdict()) + ", complete runs " + to_text(truth.verdict_complete()) +
           (truth.deadlock ? ", deadlock" : "") + (truth.fault ? ", fault" : "") + (truth.race ? ", data race" : "") +
           ", switches " + least(truth.switches) + ", of complete runs " + least(truth.switches_complete);
}

} // namespace matchpoint::naive
