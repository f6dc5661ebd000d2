#include "tests/support/naive_classes.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "tests/support/naive_shared.hpp"

namespace matchpoint::naive {

namespace {

/// A command that was executed, or the n-th delivery at an endpoint.
struct Event {
    std::string name;
    Accesses accesses;
    bool is_end = false; ///< not executed: its thread stops in front of it for good
};

bool have_common(std::set<std::string> const& a, std::set<std::string> const& b) {
    return std::any_of(a.begin(), a.end(), [&](std::string const& x) { return b.contains(x); });
}

/// Those that several threads receive at or send from.
std::set<Endpoint> endpoints_of_several_threads(Program const& program) {
    std::map<Endpoint, std::set<std::size_t>> users;
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
        for (Command const& command : program.threads[t]) {
            if (Rcvi const* const receive = std::get_if<Rcvi>(&command.what)) {
                users[receive->beta].insert(t);
            }
            if (Sndi const* const send = std::get_if<Sndi>(&command.what)) {
                users[send->alpha].insert(t);
            }
        }
    }
    std::set<Endpoint> result;
    for (auto const& [e, threads] : users) {
        if (threads.size() > 1) {
            result.insert(e);
        }
    }
    return result;
}

/// The execution so far, with what tells its class from others.
class History {
public:
    explicit History(Program const& program)
        : program_(&program), shared_(shared_variables(program)), common_(endpoints_of_several_threads(program)) {}

    void step(std::size_t thread, std::size_t place, bool is_end) {
        Event event{program_->threads[thread][place].location, accesses_of(*program_, thread, place), is_end};
        for (auto* const names : {&event.accesses.reads, &event.accesses.writes}) {
            std::erase_if(*names, [&](std::string const& x) { return !shared_.contains(x); });
        }
        if (!is_end) {
            note_message(program_->threads[thread][place], event.accesses);
        }
        if (is_end) {
            event.name += " is the end";
            event.accesses.writes.clear();
            ended_.push_back(thread);
            frozen_.insert(event.accesses.reads.begin(), event.accesses.reads.end());
        }
        for (Event const& before : events_) {
            if (have_common(before.accesses.writes, event.accesses.reads) ||
                have_common(before.accesses.reads, event.accesses.writes) ||
                have_common(before.accesses.writes, event.accesses.writes)) {
                orders_.insert(before.name + " < " + event.name);
            }
        }
        orders_.insert(event.name);
        events_.push_back(event);
    }
    void move(Movement const& m) { delivered_[m.beta].push_back(m.alpha); }

    bool has_ended(std::size_t thread) const { return std::find(ended_.begin(), ended_.end(), thread) != ended_.end(); }
    bool has_ended() const { return !ended_.empty(); }
    /// Whether it writes what a command reads at which a thread has stopped.
    bool is_frozen(std::size_t thread, std::size_t place) const {
        return have_common(accesses_of(*program_, thread, place).writes, frozen_);
    }

    /// With all deliveries.
    std::string key() const {
        return text([](Endpoint) { return SIZE_MAX; });
    }
    /// With those at each endpoint up to the last one that some wait needs.
    std::string key_at_end(State const& state, bool zero) const {
        return text([&](Endpoint beta) { return needed_at(state, beta, zero); });
    }

private:
    std::string text(std::function<std::size_t(Endpoint)> const& deliveries) const {
        std::string result;
        for (std::string const& order : orders_) {
            result += order + "; ";
        }
        for (auto const& [beta, sources] : delivered_) {
            for (std::size_t i = 0; i < std::min(sources.size(), deliveries(beta)); ++i) {
                result += "at " + std::to_string(beta) + " from " + std::to_string(sources[i]) + "; ";
            }
        }
        return result;
    }

    /// At an endpoint that several threads use, the order counts in which they receive there, and send from it. Names
    /// of variables have no spaces.
    void note_message(Command const& command, Accesses& accesses) {
        if (Rcvi const* const receive = std::get_if<Rcvi>(&command.what)) {
            posted_[receive->beta].push_back(receive->action);
            if (common_.contains(receive->beta)) {
                accesses.writes.insert("at " + std::to_string(receive->beta));
            }
        }
        if (Sndi const* const send = std::get_if<Sndi>(&command.what)) {
            sent_[{send->alpha, send->beta}].push_back(send->action);
            if (common_.contains(send->alpha)) {
                accesses.writes.insert("from " + std::to_string(send->alpha) + " to " + std::to_string(send->beta));
            }
        }
    }
    static std::size_t place_in(std::vector<std::string> const& actions, std::string const& action) {
        return static_cast<std::size_t>(std::find(actions.begin(), actions.end(), action) - actions.begin()) + 1;
    }

    /// How many messages are needed at an endpoint that takes them in the order of their arrival.
    std::size_t needed_at(State const& state, Endpoint beta, bool zero) const {
        std::size_t needed = 0;
        for (std::size_t t = 0; t < program_->threads.size(); ++t) {
            for (std::size_t k = 0; k < program_->threads[t].size() && k <= state.next[t]; ++k) {
                Wait const* const wait = std::get_if<Wait>(&program_->threads[t][k].what);
                if (wait == nullptr) {
                    continue;
                }
                ActionSite const site = find_action(*program_, wait->action);
                bool const is_done = k < state.next[t];
                if (site.rcvi != nullptr && site.rcvi->beta == beta) {
                    // More than that, a wait does not need. It may have that, and write what has to stay as it is.
                    needed = std::max(
                        needed, std::min(receives_up_to(site, beta), is_done ? SIZE_MAX : needed_of_stuck(t, beta)));
                }
                if (zero && site.sndi != nullptr && site.sndi->beta == beta) {
                    needed = std::max(needed, is_done ? arrival_of(site, beta) : needed_of_stuck(t, beta));
                }
            }
        }
        return needed;
    }
    /// A thread that is at a wait for good, and has not stopped for another reason, needs all.
    std::size_t needed_of_stuck(std::size_t thread, Endpoint beta) const {
        return has_ended(thread) ? 0 : delivered_.at(beta).size();
    }
    std::size_t receives_up_to(ActionSite const& site, Endpoint beta) const {
        return place_in(posted_.at(beta), site.rcvi->action);
    }
    /// How many messages were delivered up to this one.
    std::size_t arrival_of(ActionSite const& site, Endpoint beta) const {
        std::size_t place = place_in(sent_.at({site.sndi->alpha, beta}), site.sndi->action); // in its channel
        std::vector<Endpoint> const& sources = delivered_.at(beta);
        for (std::size_t i = 0; i < sources.size(); ++i) {
            place -= sources[i] == site.sndi->alpha ? 1 : 0;
            if (place == 0) {
                return i + 1;
            }
        }
        return sources.size();
    }

    Program const* program_;
    std::set<std::string> shared_;
    std::set<Endpoint> common_;
    std::map<Endpoint, std::vector<std::string>> posted_;                    // receives, in their order
    std::map<std::pair<Endpoint, Endpoint>, std::vector<std::string>> sent_; // by source and destination
    std::vector<Event> events_;
    std::set<std::string> orders_;
    std::vector<std::size_t> ended_;
    std::set<std::string> frozen_;
    std::map<Endpoint, std::vector<Endpoint>> delivered_;
};

class ClassSearch {
public:
    ClassSearch(Program const& program, bool zero, MayStep const& may_step, std::size_t limit)
        : program_(program), zero_(zero), may_step_(may_step), limit_(limit) {}

    std::optional<std::map<std::string, ExecutionClass>> run() {
        visit(initial_state(program_), History(program_), {});
        return seen_.size() > limit_ ? std::nullopt : std::optional(classes_);
    }

private:
    /// The thread that stepped last, and the switches so far.
    struct Switches {
        std::optional<std::size_t> last = {};
        std::size_t count = 0;
        Switches then(std::size_t t) const { return {t, last && *last != t ? count + 1 : count}; }
    };

    void visit(State const& state, History const& history, Switches const& switches) {
        std::string const who = switches.last ? std::to_string(*switches.last) : "nobody";
        if (seen_.size() > limit_ || !seen_.insert(history.key() + who + " " + std::to_string(switches.count)).second) {
            return;
        }
        bool goes_on = false;
        bool leaves_path = false;
        for (std::size_t const t : unfinished_threads(program_, state)) {
            if (history.has_ended(t) || (may_step_ && !may_step_(state, t))) {
                continue;
            }
            auto const after = step_of(program_, state, t, zero_);
            Reason const* const reason = std::get_if<Reason>(&after);
            bool const is_step = reason == nullptr;
            if (is_step ? history.is_frozen(t, state.next[t]) : !is_fault(*reason)) {
                continue;
            }
            if (is_step && std::get<State>(after).s >= Status::infeasible) {
                leaves_path = true;
                continue;
            }
            goes_on = true;
            History next = history;
            next.step(t, state.next[t], reason != nullptr);
            if (reason != nullptr) {
                visit(state, next, switches);
            } else {
                visit(std::get<State>(after), next, switches.then(t));
            }
        }
        for (auto const& [movement, moved] : movements_of(program_, state, zero_)) {
            goes_on = true;
            History next = history;
            next.move(movement);
            visit(moved, next, switches);
        }
        if (goes_on) {
            return;
        }
        std::string const end = history.has_ended()         ? "fault"
                                : finished(program_, state) ? "complete"
                                : leaves_path               ? "off path"
                                                            : "deadlock";
        auto const [it, is_new] = classes_.try_emplace(history.key_at_end(state, zero_),
                                                       ExecutionClass{end, state.s, switches.count, state.matches});
        it->second.switches = std::min(it->second.switches, switches.count);
    }

    Program const& program_;
    bool zero_;
    MayStep const& may_step_;
    std::size_t limit_;
    std::map<std::string, ExecutionClass> classes_;
    std::set<std::string> seen_;
};

/// What each command of a trace found.
struct FoundAtStep {
    State before;
    State after;
    std::size_t thread = 0;
    std::size_t place = 0;
};

std::vector<FoundAtStep> replayed(Program const& program, Trace const& trace, bool zero) {
    std::vector<FoundAtStep> result;
    State state = initial_state(program);
    for (TraceEntry const& entry : trace) {
        FoundAtStep found;
        for (std::size_t const t : unfinished_threads(program, state)) {
            if (next_command(program, state, t).location == entry.location) {
                found.thread = t;
                found.place = state.next[t];
            }
        }
        for (Movement const& m : entry.movements) {
            static_cast<void>(queue_movement(program, state, m, zero));
        }
        found.before = state;
        state = std::get<State>(step_of(program, state, found.thread, zero));
        found.after = state;
        result.push_back(found);
    }
    return result;
}

/// An assertion, or an assignment, guarded or not, that names synchronisation variables only.
bool is_free(Program const& program, std::size_t thread, std::size_t place) {
    auto const& what = program.threads[thread][place].what;
    if (std::holds_alternative<Assert>(what)) {
        return true;
    }
    if (!std::holds_alternative<Assign>(what) && !std::holds_alternative<Assume>(what) &&
        !std::holds_alternative<Guarded>(what)) {
        return false;
    }
    std::set<std::string> const synchronises = synchronisation_variables(program);
    Accesses const named = accesses_of(program, thread, place);
    auto const all = [&](std::set<std::string> const& names) {
        return std::includes(synchronises.begin(), synchronises.end(), names.begin(), names.end());
    };
    return all(named.reads) && all(named.writes);
}

/// Command -> what the trace found there.
using FoundAt = std::map<std::pair<std::size_t, std::size_t>, FoundAtStep>;

FoundAt by_command(std::vector<FoundAtStep> const& all) {
    FoundAt result;
    for (FoundAtStep const& found : all) {
        result[{found.thread, found.place}] = found;
    }
    return result;
}

/// The receives that were completed in between.
std::map<std::string, std::string> completed(State const& before, State const& after) {
    std::map<std::string, std::string> result;
    for (auto const& [receive, send] : after.matches) {
        if (!before.matches.contains(receive)) {
            result[receive] = send;
        }
    }
    return result;
}

/// What each wait would complete now; nothing if it cannot.
std::optional<State> after_wait(Program const& program, State const& state, std::size_t thread, bool zero) {
    if (!std::holds_alternative<Wait>(next_command(program, state, thread).what)) {
        return std::nullopt;
    }
    auto const after = step_of(program, state, thread, zero);
    return std::holds_alternative<State>(after) ? std::optional(std::get<State>(after)) : std::nullopt;
}

/// The value that a receive copies into its variable: by its send's payload in an execution that has completed it.
std::optional<Value> value_of(State const& before, std::string const& send) {
    for (auto const& [beta, messages] : before.Q_s) {
        for (Message const& m : messages) {
            if (m.action == send) {
                return m.value;
            }
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<std::map<std::string, ExecutionClass>> classes_of(Program const& program, bool zero,
                                                                MayStep const& may_step, std::size_t limit) {
    return ClassSearch(program, zero, may_step, limit).run();
}

namespace {

double count_from(Program const& program, State const& state, bool zero, std::map<std::string, double>& known) {
    auto const [it, is_new] = known.try_emplace(key_of(state), 0);
    if (!is_new) {
        return it->second;
    }
    double sum = 0;
    for (std::size_t const t : unfinished_threads(program, state)) {
        auto const after = step_of(program, state, t, zero);
        if (std::holds_alternative<State>(after) && std::get<State>(after).s < Status::infeasible) {
            sum += count_from(program, std::get<State>(after), zero, known);
        }
        if (std::holds_alternative<Reason>(after) && is_fault(std::get<Reason>(after))) {
            sum += 1;
        }
    }
    for (auto const& [movement, moved] : movements_of(program, state, zero)) {
        sum += count_from(program, moved, zero, known);
    }
    return known[key_of(state)] = std::max(sum, 1.0);
}

} // namespace

double interleavings_of(Program const& program, bool zero) {
    std::map<std::string, double> known;
    return count_from(program, initial_state(program), zero, known);
}

std::string class_of(Program const& program, Trace const& trace, bool zero, std::vector<Movement> const& then,
                     std::vector<std::size_t> const& ended) {
    History history(program);
    State state = initial_state(program);
    std::size_t at = 0;
    for (FoundAtStep const& found : replayed(program, trace, zero)) {
        for (Movement const& m : trace[at++].movements) {
            history.move(m);
        }
        history.step(found.thread, found.place, false);
        state = found.after;
    }
    for (Movement const& m : then) {
        history.move(m);
    }
    for (std::size_t const t : ended) {
        history.step(t, state.next[t], true);
    }
    return history.key_at_end(state, zero);
}

MayStep trace_program(Program const& program, Trace const& trace) {
    std::set<std::string> locations;
    for (TraceEntry const& entry : trace) {
        locations.insert(entry.location);
    }
    return [&program, locations](State const& state, std::size_t t) {
        return locations.contains(next_command(program, state, t).location);
    };
}

MayStep maximal_causal_model(Program const& program, Trace const& trace, bool zero) {
    return [&program, zero, found = by_command(replayed(program, trace, zero))](State const& state, std::size_t t) {
        auto const it = found.find({t, state.next[t]});
        if (it == found.end()) {
            return false;
        }
        State const& then = it->second.before;
        if (auto const after = after_wait(program, state, t, zero)) {
            auto const now = completed(state, *after);
            auto const recorded = completed(then, it->second.after);
            return now.size() == recorded.size() && std::all_of(now.begin(), now.end(), [&](auto const& match) {
                       return value_of(state, match.second) == value_of(then, recorded.at(match.first));
                   });
        }
        if (is_free(program, t, state.next[t])) {
            return true;
        }
        std::set<std::string> const reads = accesses_of(program, t, state.next[t]).reads;
        return std::all_of(reads.begin(), reads.end(), [&](std::string const& x) {
            bool const had = then.store.contains(x);
            return had == state.store.contains(x) && (!had || then.store.at(x) == state.store.at(x));
        });
    };
}

MayStep happens_before_model(Program const& program, Trace const& trace, bool zero) {
    std::vector<FoundAtStep> const found = replayed(program, trace, zero);
    std::set<std::string> const shared = shared_variables(program);
    auto const shared_accesses = [&](FoundAtStep const& f) {
        Accesses all = accesses_of(program, f.thread, f.place);
        for (auto* const names : {&all.reads, &all.writes}) {
            std::erase_if(*names, [&](std::string const& x) { return !shared.contains(x); });
        }
        return all;
    };
    std::map<std::pair<std::size_t, std::size_t>, std::vector<FoundAtStep>> before;
    for (std::size_t i = 0; i < found.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            Accesses const one = shared_accesses(found[j]);
            Accesses const other = shared_accesses(found[i]);
            if (have_common(one.writes, other.reads) || have_common(one.reads, other.writes) ||
                have_common(one.writes, other.writes)) {
                before[{found[i].thread, found[i].place}].push_back(found[j]);
            }
        }
    }
    return [&program, zero, before, recorded = by_command(found)](State const& state, std::size_t t) {
        auto const it = recorded.find({t, state.next[t]});
        if (it == recorded.end()) {
            return false;
        }
        if (auto const all = before.find(it->first); all != before.end()) {
            for (FoundAtStep const& f : all->second) {
                if (state.next[f.thread] <= f.place) {
                    return false;
                }
            }
        }
        auto const after = after_wait(program, state, t, zero);
        return !after || completed(state, *after) == completed(it->second.before, it->second.after);
    };
}

} // namespace matchpoint::naive
