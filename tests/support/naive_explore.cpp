#include "tests/support/naive_explore.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/naive_collectives.hpp"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>
#include <variant>

namespace matchpoint::naive {

// Names are atoms, so they have no white space.
std::string key_of(State const& state) {
    std::string key;
    auto const write = [&key](std::string const& word) {
        key += word;
        key += ' ';
    };
    for (std::size_t const index : state.next) {
        write(std::to_string(index));
    }
    write(std::to_string(static_cast<int>(state.s)));
    for (auto const& [name, value] : state.store) {
        write(name);
        write(to_text(value));
    }
    key += '\n';
    for (auto const& [action, endpoint] : state.A) {
        write(action);
    }
    key += '\n';
    for (auto const& [beta, by_source] : state.Pnd_s) {
        for (auto const& [alpha, sends] : by_source) {
            write(std::to_string(beta));
            write(std::to_string(alpha));
            for (PendingSend const& send : sends) {
                write(send.action);
                write(to_text(send.value));
            }
            key += '\n';
        }
    }
    key += '\n';
    for (auto const& [beta, receives] : state.Pnd_r) {
        write(std::to_string(beta));
        for (PendingReceive const& receive : receives) {
            write(receive.action);
        }
        key += '\n';
    }
    key += '\n';
    for (auto const& [beta, messages] : state.Q_s) {
        write(std::to_string(beta));
        for (Message const& message : messages) {
            write(message.action);
            write(message.value.has_value() ? to_text(*message.value) : "bot");
        }
        key += '\n';
    }
    key += '\n';
    for (auto const& [receive, send] : state.matches) {
        write(receive);
        write(send);
    }
    key += '\n';
    for (auto const& [receive, send] : state.got) {
        write(receive);
        write(send);
    }
    key += '\n';
    for (auto const& [probe, send] : state.saw) {
        write(probe);
        write(send);
        write(is_held(state, send) ? "held" : "free");
    }
    return key;
}

Command const& next_command(Program const& program, State const& state, std::size_t thread) {
    return program.threads[thread][state.next[thread]];
}

std::variant<State, Reason> step_of(Program const& program, State const& state, std::size_t thread, bool zero) {
    return step(program, state, TraceEntry{next_command(program, state, thread).location}, zero);
}

std::vector<std::pair<std::optional<Movement>, std::variant<State, Reason>>>
steps_of(Program const& program, State const& state, std::size_t thread, bool zero) {
    std::vector<std::pair<std::optional<Movement>, std::variant<State, Reason>>> result;
    Command const& command = next_command(program, state, thread);
    Probe const* const probe = std::get_if<Probe>(&command.what);
    auto const add = [&](std::optional<Movement> const& peek) {
        auto after = step(program, state, TraceEntry{command.location, {}, peek}, zero);
        if (!peek.has_value() || std::holds_alternative<State>(after)) {
            result.emplace_back(peek, std::move(after));
        }
    };
    if (probe != nullptr && state.Pnd_s.contains(probe->beta)) {
        for (auto const& [alpha, in_transit] : state.Pnd_s.at(probe->beta)) {
            std::set<Tag> tags;
            for (PendingSend const& send : in_transit) {
                tags.insert(send.tag);
            }
            for (Tag const tag : tags) {
                add(Movement{probe->beta, alpha, tag});
            }
        }
    }
    if (result.empty()) {
        add(std::nullopt);
    }
    return result;
}

Matching outcome_of(State const& state) {
    Matching result = state.matches;
    result.insert(state.saw.begin(), state.saw.end());
    return result;
}

namespace {

/// Whether some receive at beta selects by tag, and the program's sends from alpha to beta have several tags.
bool needs_tag(Program const& program, Endpoint beta, Endpoint alpha) {
    bool selects_by_tag = false;
    std::set<Tag> tags;
    for (Thread const& thread : program.threads) {
        for (Command const& command : thread) {
            if (Rcvi const* const rcvi = std::get_if<Rcvi>(&command.what)) {
                selects_by_tag = selects_by_tag || (rcvi->beta == beta && rcvi->sel.tags.has_value());
            }
            if (Probe const* const probe = std::get_if<Probe>(&command.what)) {
                selects_by_tag = selects_by_tag || (probe->beta == beta && probe->sel.tags.has_value());
            }
            Sndi const* const sndi = std::get_if<Sndi>(&command.what);
            if (sndi != nullptr && sndi->beta == beta && sndi->alpha == alpha) {
                tags.insert(sndi->tag.value_or(0));
            }
        }
    }
    return selects_by_tag && tags.size() > 1;
}

} // namespace

std::vector<std::pair<Movement, State>> movements_of(Program const& program, State const& state, bool zero) {
    std::vector<std::pair<Movement, State>> possible;
    for (auto const& [beta, by_source] : state.Pnd_s) {
        for (auto const& [alpha, sends] : by_source) {
            std::set<std::optional<Tag>> tags;
            bool const with_tag = needs_tag(program, beta, alpha);
            for (PendingSend const& send : sends) {
                tags.insert(with_tag ? std::optional(send.tag) : std::nullopt);
            }
            for (std::optional<Tag> const tag : tags) {
                Movement const movement{beta, alpha, tag};
                State moved = state;
                if (!queue_movement(program, moved, movement, zero).has_value()) {
                    possible.emplace_back(movement, std::move(moved));
                }
            }
        }
    }
    return possible;
}

bool all_waiting(Program const& program, State const& state) {
    std::vector<std::size_t> const unfinished = unfinished_threads(program, state);
    return !unfinished.empty() && std::all_of(unfinished.begin(), unfinished.end(), [&](std::size_t t) {
        Command const& next = next_command(program, state, t);
        Guarded const* const guarded = std::get_if<Guarded>(&next.what);
        Collective const* const collective = std::get_if<Collective>(&next.what);
        if (is_at_mismatch(program, state, t)) {
            return false;
        }
        return std::holds_alternative<Wait>(next.what) || std::holds_alternative<Meet>(next.what) ||
               std::holds_alternative<Probe>(next.what) || (collective != nullptr && collective->blocks) ||
               (guarded != nullptr && guarded->blocks);
    });
}

namespace {

/// The states of a program, each once, and what of them is needed to tell deadlocks.
class Graph {
public:
    struct Node {
        State state;
        bool steps = false;                  ///< some thread can step here
        std::vector<std::size_t> moved = {}; ///< the states one movement away
        std::optional<bool> can_step = {};   ///< some thread can step here or after some deliveries
    };

    /// The number of a state, which is new if it was not there.
    std::size_t add(State state) {
        auto const [place, fresh] = numbers_.emplace(key_of(state), nodes_.size());
        if (fresh) {
            nodes_.push_back(Node{std::move(state)});
        }
        return place->second;
    }

    std::size_t size() const { return nodes_.size(); }
    Node& operator[](std::size_t n) { return nodes_[n]; }

    /// Deliveries only use up what is in transit, so this ends.
    bool can_step(std::size_t n) {
        if (!nodes_[n].can_step.has_value()) {
            nodes_[n].can_step = nodes_[n].steps || std::any_of(nodes_[n].moved.begin(), nodes_[n].moved.end(),
                                                                [this](std::size_t next) { return can_step(next); });
        }
        return *nodes_[n].can_step;
    }

private:
    std::unordered_map<std::string, std::size_t> numbers_ = {};
    std::vector<Node> nodes_ = {};
};

bool visit_traces(Program const& program, State const& state, bool zero, Trace& trace, std::vector<Movement>& pending,
                  std::function<bool(Trace const&)> const& visit) {
    if (finished(program, state)) {
        // Movements after the last step belong to no entry: without them the trace is visited already.
        return !pending.empty() || visit(trace);
    }
    for (std::size_t const t : unfinished_threads(program, state)) {
        for (auto const& [peek, after] : steps_of(program, state, t, zero)) {
            State const* const next = std::get_if<State>(&after);
            if (next == nullptr) {
                continue;
            }
            trace.push_back(TraceEntry{next_command(program, state, t).location, pending, peek});
            std::vector<Movement> none;
            bool const going = visit_traces(program, *next, zero, trace, none, visit);
            trace.pop_back();
            if (!going) {
                return false;
            }
        }
    }
    for (auto const& [movement, moved] : movements_of(program, state, zero)) {
        pending.push_back(movement);
        bool const going = visit_traces(program, moved, zero, trace, pending, visit);
        pending.pop_back();
        if (!going) {
            return false;
        }
    }
    return true;
}

} // namespace

std::optional<Truth> explore_plainly(Program const& program, bool zero, std::size_t limit) {
    Truth truth;
    Graph graph;
    graph.add(initial_state(program));
    for (std::size_t n = 0; n < graph.size(); ++n) {
        if (graph.size() > limit) {
            return std::nullopt;
        }
        State const state = graph[n].state;
        bool const on_path = state.s < Status::infeasible;
        truth.on_path.fails = truth.on_path.fails || state.s == Status::failure;
        truth.on_path.leaves = truth.on_path.leaves || state.s == Status::infeasible;
        if (finished(program, state)) {
            truth.add_complete(program, outcome_of(state), state.s);
            truth.on_path.completes = truth.on_path.completes || state.s == Status::success;
        }
        for (std::size_t const t : unfinished_threads(program, state)) {
            for (auto& [peek, after] : steps_of(program, state, t, zero)) {
                if (State* const next = std::get_if<State>(&after)) {
                    graph.add(std::move(*next));
                    graph[n].steps = true;
                } else if (is_fault(std::get<Reason>(after))) {
                    truth.faults.insert(next_command(program, state, t).location);
                    truth.on_path.fault = truth.on_path.fault || on_path;
                }
            }
        }
        for (auto& [movement, moved] : movements_of(program, state, zero)) {
            std::size_t const next = graph.add(std::move(moved));
            graph[n].moved.push_back(next);
        }
    }
    for (std::size_t n = 0; n < graph.size(); ++n) {
        // A state in which a thread is not finished, no thread can step whatever is delivered next, and every
        // unfinished thread is at a command that waits.
        if (all_waiting(program, graph[n].state) && !graph.can_step(n)) {
            truth.deadlocks.insert(graph[n].state.next);
            truth.on_path.deadlock = truth.on_path.deadlock || graph[n].state.s < Status::infeasible;
        }
    }
    truth.conclude();
    return truth;
}

namespace {

/// What `explore_eagerly` does, of complete runs or on the path; false: there are too many states.
bool explore_eagerly(Program const& program, bool zero, std::size_t limit, bool on_path, Truth& truth) {
    Graph graph;
    graph.add(initial_state(program));
    for (std::size_t n = 0; n < graph.size(); ++n) {
        if (graph.size() > limit) {
            return false;
        }
        State const state = graph[n].state;
        truth.on_path.fails = truth.on_path.fails || (on_path && state.s == Status::failure);
        if (finished(program, state) && on_path) {
            truth.on_path.completes = truth.on_path.completes || state.s == Status::success;
        } else if (finished(program, state)) {
            truth.add_complete(program, outcome_of(state), state.s);
        }
        bool stepped = false;
        for (std::size_t const t : unfinished_threads(program, state)) {
            if (std::holds_alternative<Probe>(next_command(program, state, t).what)) {
                continue; // what it can see, movements and what other threads send can change
            }
            auto after = step_of(program, state, t, zero);
            if (State* const next = std::get_if<State>(&after)) {
                // A thread at an assumption can step, but not on the path.
                graph[n].steps = true;
                truth.on_path.leaves = truth.on_path.leaves || (on_path && next->s == Status::infeasible);
                if (!stepped && !(on_path && next->s == Status::infeasible)) {
                    graph.add(std::move(*next));
                    stepped = true;
                }
            } else if (is_fault(std::get<Reason>(after))) {
                truth.on_path.fault = truth.on_path.fault || on_path;
                if (!on_path) {
                    truth.faults.insert(next_command(program, state, t).location);
                }
            }
        }
        if (stepped) {
            continue;
        }
        for (std::size_t const t : unfinished_threads(program, state)) {
            if (!std::holds_alternative<Probe>(next_command(program, state, t).what)) {
                continue;
            }
            for (auto& [peek, after] : steps_of(program, state, t, zero)) {
                if (State* const next = std::get_if<State>(&after)) {
                    graph.add(std::move(*next));
                    graph[n].steps = true;
                }
            }
        }
        for (auto& [movement, moved] : movements_of(program, state, zero)) {
            std::size_t const next = graph.add(std::move(moved));
            graph[n].moved.push_back(next);
        }
    }
    for (std::size_t n = 0; n < graph.size(); ++n) {
        if (!all_waiting(program, graph[n].state) || graph.can_step(n)) {
            continue;
        }
        if (on_path) {
            truth.on_path.deadlock = true;
        } else {
            truth.deadlocks.insert(graph[n].state.next);
        }
    }
    return true;
}

} // namespace

std::optional<Truth> explore_eagerly(Program const& program, bool zero, std::size_t limit) {
    // Where collectives disagree, a thread that runs on can make the step of another one a mismatch.
    if (has_disagreement(program)) {
        return explore_plainly(program, zero, limit);
    }
    Truth truth;
    for (bool const on_path : {false, true}) {
        if (!explore_eagerly(program, zero, limit, on_path, truth)) {
            return std::nullopt;
        }
    }
    truth.conclude();
    return truth;
}

bool for_each_complete_trace(Program const& program, bool zero, std::function<bool(Trace const&)> const& visit) {
    Trace trace;
    std::vector<Movement> pending;
    return visit_traces(program, initial_state(program), zero, trace, pending, visit);
}

bool is_fault(Reason reason) {
    return reason != Reason::message_not_there && reason != Reason::send_not_taken &&
           reason != Reason::nothing_to_probe && reason != Reason::not_at_barrier && reason != Reason::guard_false &&
           reason != Reason::not_called;
}

void Truth::add_complete(Program const& program, Matching const& matching, Status status) {
    std::set<std::string> plain_probes; // they take nothing
    // D3: every receive is completed by some wait of its thread, so `matching` has them all.
    for (Thread const& thread : program.threads) {
        for (Command const& command : thread) {
            Rcvi const* const rcvi = std::get_if<Rcvi>(&command.what);
            if (rcvi != nullptr && !matching.contains(rcvi->action)) {
                throw std::logic_error("a complete run leaves receive " + rcvi->action + " without a partner");
            }
            Probe const* const probe = std::get_if<Probe>(&command.what);
            if (probe != nullptr && !probe->matches) {
                plain_probes.insert(probe->action);
            }
        }
    }
    auto const [outcome, fresh] = outcomes.emplace(matching, status);
    if (outcome->second != status) {
        throw std::logic_error("two complete runs with one match set differ in status");
    }
    if (!fresh) {
        return;
    }
    std::set<std::string> matched;
    for (auto const& [receive, send] : matching) {
        if (plain_probes.contains(receive)) {
            continue;
        }
        exact_pairs.emplace(receive, send);
        matched.insert(send);
    }
    for (Thread const& thread : program.threads) {
        for (Command const& command : thread) {
            Sndi const* const sndi = std::get_if<Sndi>(&command.what);
            if (sndi != nullptr && !matched.contains(sndi->action)) {
                orphans.insert(sndi->action);
            }
        }
    }
}

void Truth::conclude() {
    bool success = false;
    bool failure = false;
    for (auto const& [matching, status] : outcomes) {
        success = success || status == Status::success;
        failure = failure || status == Status::failure;
    }
    // "violated: some complete run has status failure; safe: no complete run has, and some complete run has status
    // success; vacuous: no complete run has status success or failure"
    verdict = failure ? Verdict::violated : success ? Verdict::safe : Verdict::vacuous;
    deadlock = !deadlocks.empty();
    fault = !faults.empty();
}

bool Truth::operator==(Truth const& other) const {
    return outcomes == other.outcomes && exact_pairs == other.exact_pairs && orphans == other.orphans &&
           deadlocks == other.deadlocks && faults == other.faults && deadlock == other.deadlock &&
           fault == other.fault && verdict == other.verdict;
}

std::string to_text(Verdict verdict) {
    switch (verdict) {
    case Verdict::violated: return "violated";
    case Verdict::safe: return "safe";
    case Verdict::vacuous: return "vacuous";
    }
    throw std::logic_error("no such verdict");
}

std::string to_text(OnPath const& on_path) {
    return to_text(on_path.verdict()) + " on the path" + (on_path.deadlock ? ", a deadlock" : "") +
           (on_path.fault ? ", a fault" : "") + (on_path.leaves ? ", and it is left" : "") + "\n";
}

std::string to_text(Truth const& truth) {
    std::string text = to_text(truth.verdict) + "\n";
    for (auto const& [matching, status] : truth.outcomes) {
        text += "  " + to_text(status) + ":";
        for (auto const& [receive, send] : matching) {
            text += " (" + receive + " " + send + ")";
        }
        text += "\n";
    }
    text += "orphans:";
    for (std::string const& send : truth.orphans) {
        text += " " + send;
    }
    text += "\ndeadlocks:";
    for (std::vector<std::size_t> const& next : truth.deadlocks) {
        text += " (";
        for (std::size_t t = 0; t < next.size(); ++t) {
            text += (t == 0 ? "" : " ") + std::to_string(next[t]);
        }
        text += ")";
    }
    text += "\nfaults:";
    for (std::string const& location : truth.faults) {
        text += " " + location;
    }
    return text + "\n";
}

} // namespace matchpoint::naive
