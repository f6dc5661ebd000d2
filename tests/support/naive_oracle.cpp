#include "tests/support/naive_oracle.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/naive_collectives.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

namespace matchpoint::naive {

namespace {

/// What is read of a queue that may not be in its map: the empty one.
template <typename Entry>
std::vector<Entry> queue(std::map<Endpoint, std::vector<Entry>> const& queues, Endpoint endpoint) {
    auto const found = queues.find(endpoint);
    return found == queues.end() ? std::vector<Entry>() : found->second;
}

template <typename Entry>
void drop_empty(std::map<Endpoint, std::vector<Entry>>& queues) {
    std::erase_if(queues, [](auto const& queue_of) { return queue_of.second.empty(); });
}

void drop_empty_queues(State& state) {
    for (auto& [beta, by_source] : state.Pnd_s) {
        drop_empty(by_source);
    }
    std::erase_if(state.Pnd_s, [](auto const& channels_of) { return channels_of.second.empty(); });
    drop_empty(state.Pnd_r);
    drop_empty(state.Q_s);
}

/// "It only moves up."
void lift(State& state, Status status) {
    if (state.s < status) {
        state.s = status;
    }
}

/// "`div` and `mod` are SMT-LIB's (Euclidean)": m = n * (div m n) + (mod m n), and 0 <= (mod m n) < |n|.
Integer euclidean_mod(Integer const& m, Integer const& n) {
    Integer const size_of_n = n < 0 ? Integer(-n) : n;
    Integer const truncated = m % size_of_n;
    return truncated < 0 ? Integer(truncated + size_of_n) : truncated;
}

Integer euclidean_div(Integer const& m, Integer const& n) {
    Integer const exact = m - euclidean_mod(m, n);
    return exact / n;
}

std::variant<Value, Reason> of_integers(std::string const& op, Integer const& l, Integer const& r) {
    if (op == "+") return Value(Integer(l + r));
    if (op == "-") return Value(Integer(l - r));
    if (op == "*") return Value(Integer(l * r));
    if (op == "div" || op == "mod") {
        // "`div` and `mod` need a non-zero divisor. Otherwise no rule applies."
        if (r == 0) return Reason::division_by_zero;
        return Value(op == "div" ? euclidean_div(l, r) : euclidean_mod(l, r));
    }
    if (op == "=") return Value(l == r);
    if (op == "!=") return Value(l != r);
    if (op == "<") return Value(l < r);
    if (op == "<=") return Value(l <= r);
    if (op == ">") return Value(l > r);
    if (op == ">=") return Value(l >= r);
    return Reason::operand_of_wrong_sort;
}

std::variant<Value, Reason> of_booleans(std::string const& op, bool l, bool r) {
    if (op == "=") return Value(l == r);
    if (op == "!=") return Value(l != r);
    if (op == "and") return Value(l && r);
    if (op == "or") return Value(l || r);
    if (op == "xor") return Value(l != r);
    if (op == "=>") return Value(!l || r);
    return Reason::operand_of_wrong_sort;
}

/// "An operator needs operands of its sorts."
std::variant<Value, Reason> apply(std::string const& op, Value const& l, Value const& r) {
    if (std::holds_alternative<Integer>(l) && std::holds_alternative<Integer>(r)) {
        return of_integers(op, std::get<Integer>(l), std::get<Integer>(r));
    }
    if (std::holds_alternative<bool>(l) && std::holds_alternative<bool>(r)) {
        return of_booleans(op, std::get<bool>(l), std::get<bool>(r));
    }
    return Reason::operand_of_wrong_sort;
}

bool is_false(Value const& value) { return value == Value(false); }

bool admits(Selectors const& sel, Endpoint alpha, Tag tag) {
    auto const has = [](auto const& numbers, unsigned n) {
        return !numbers.has_value() || std::find(numbers->begin(), numbers->end(), n) != numbers->end();
    };
    return has(sel.from, alpha) && has(sel.tags, tag);
}

/// Whether the message is some receive's.
bool is_taken(State const& state, std::string const& send) {
    return std::any_of(state.got.begin(), state.got.end(), [&](auto const& pair) { return pair.second == send; });
}

/// The receives that are posted at an endpoint and have no message, in the order of issue.
std::vector<PendingReceive> waiting_receives(State const& state, Endpoint beta) {
    std::vector<PendingReceive> waiting = queue(state.Pnd_r, beta);
    std::erase_if(waiting, [&](PendingReceive const& receive) { return state.got.contains(receive.action); });
    return waiting;
}

// "the k-th entries of Pnd_r(beta) and Q_s(beta) are partners", event by event. Where receives select, no message is in
// Q_s that is not some receive's, so posting one finds none.

void arrive(State& state, Endpoint beta, Message const& message) {
    std::vector<PendingReceive> const waiting = waiting_receives(state, beta);
    if (!waiting.empty()) {
        state.got[waiting.front().action] = message.action;
    }
    state.Q_s[beta].push_back(message);
}

void post(State& state, Endpoint beta, PendingReceive const& receive) {
    for (Message const& message : queue(state.Q_s, beta)) {
        if (!is_taken(state, message.action)) {
            state.got[receive.action] = message.action;
            break;
        }
    }
    state.Pnd_r[beta].push_back(receive);
}

/// Where receives select: whether the r-th of the receives that wait may get the m-th message of a channel from alpha.
bool is_match(std::vector<PendingReceive> const& waiting, std::size_t r, Endpoint alpha,
              std::vector<PendingSend> const& in_transit, std::size_t m) {
    auto const fits = [&](std::size_t receive, std::size_t message) {
        return admits(waiting[receive].sel, alpha, in_transit[message].tag);
    };
    // "Of two messages of one channel that r admits, the first is taken first"
    for (std::size_t earlier = 0; earlier < m; ++earlier) {
        if (fits(r, earlier)) {
            return false;
        }
    }
    // "Of two posted receives that admit m, the first gets it"
    for (std::size_t earlier = 0; earlier < r; ++earlier) {
        if (fits(earlier, m)) {
            return false;
        }
    }
    return fits(r, m);
}

/// A movement where receives select. Among the matches that it may mean, it is that of the earliest receive: `(beta
/// alpha)` may mean each of the channel, `(beta alpha n)` those of messages with tag n, of which there is one at most.
std::optional<Reason> match(State& state, Movement const& movement) {
    auto const [beta, alpha, tag] = movement;
    std::vector<PendingSend>& in_transit = state.Pnd_s[beta][alpha];
    auto const is_meant = [&, n = tag](PendingSend const& send) { return !n.has_value() || send.tag == *n; };
    if (std::none_of(in_transit.begin(), in_transit.end(), is_meant)) {
        return Reason::nothing_in_transit;
    }
    std::vector<PendingReceive> const waiting = waiting_receives(state, beta);
    for (std::size_t r = 0; r < waiting.size(); ++r) {
        for (std::size_t m = 0; m < in_transit.size(); ++m) {
            if (!is_meant(in_transit[m]) || !is_match(waiting, r, alpha, in_transit, m)) {
                continue;
            }
            PendingSend const send = in_transit[m];
            state.got[waiting[r].action] = send.action;
            state.Q_s[beta].push_back(Message{send.action, send.value, alpha, send.tag});
            in_transit.erase(in_transit.begin() + static_cast<std::ptrdiff_t>(m));
            return std::nullopt;
        }
    }
    return Reason::no_posted_partner;
}

/// The oldest message of a channel is delivered.
std::optional<Reason> deliver(State& state, Movement const& movement, bool zero) {
    auto const [beta, alpha, tag] = movement;
    // "If there is none, s becomes error."; "if the channel is empty or its oldest message has another tag"
    std::vector<PendingSend>& in_transit = state.Pnd_s[beta][alpha];
    if (in_transit.empty() || in_transit.front().tag != tag.value_or(in_transit.front().tag)) {
        return Reason::nothing_in_transit;
    }
    PendingSend const oldest = in_transit.front();
    // zero: "a movement needs a posted receive that has no message yet"; "a synchronous send: a movement of its message
    // needs a receive posted for it"
    bool const is_rendezvous = zero || oldest.mode == Mode::synchronous;
    if (is_rendezvous && waiting_receives(state, beta).empty()) {
        return Reason::no_posted_partner;
    }
    // "take the oldest entry of Pnd_s(beta)(alpha), append it to Q_s(beta)"
    in_transit.erase(in_transit.begin());
    arrive(state, beta, Message{oldest.action, oldest.value, alpha, oldest.tag});
    return std::nullopt;
}

/// Whether every number that `few` has is in `many`. Nothing stands for all numbers.
bool includes(std::optional<std::vector<unsigned>> const& many, std::optional<std::vector<unsigned>> const& few) {
    if (!many.has_value()) {
        return true;
    }
    return few.has_value() && std::all_of(few->begin(), few->end(), [&](unsigned n) {
               return std::find(many->begin(), many->end(), n) != many->end();
           });
}

/// "the value goes to the variable, the source endpoint to the `source` variable, the tag to the `tagged` variable, if
/// there are such"; nothing if the receive is complete.
void complete(State& state, Endpoint beta, PendingReceive const& receive) {
    for (Message& message : state.Q_s[beta]) {
        if (message.action != state.got.at(receive.action) || !message.value.has_value()) {
            continue;
        }
        state.store[receive.variable] = *message.value;
        if (receive.sel.source.has_value()) {
            state.store[*receive.sel.source] = Integer(message.alpha);
        }
        if (receive.sel.tagged.has_value()) {
            state.store[*receive.sel.tagged] = Integer(message.tag);
        }
        state.matches[receive.action] = message.action;
        message.value = std::nullopt;
    }
}

/// What a probe can see: of each source, the first message in transit that it admits, if no receive that is posted and
/// has no message admits it. A receive like the probe, posted now, could match it.
std::vector<std::pair<Movement, PendingSend>> visible(State const& state, Probe const& probe) {
    std::vector<std::pair<Movement, PendingSend>> result;
    std::vector<PendingReceive> waiting = waiting_receives(state, probe.beta);
    waiting.push_back(PendingReceive{probe.action, "", probe.sel});
    auto const channels = state.Pnd_s.find(probe.beta);
    if (channels == state.Pnd_s.end()) {
        return result;
    }
    for (auto const& [alpha, in_transit] : channels->second) {
        for (std::size_t m = 0; m < in_transit.size(); ++m) {
            if (is_match(waiting, waiting.size() - 1, alpha, in_transit, m)) {
                result.emplace_back(Movement{probe.beta, alpha, in_transit[m].tag}, in_transit[m]);
            }
        }
    }
    return result;
}

/// "waits until a message m exists that a receive with these selectors, posted now, could match"; "matches m to P".
std::optional<Reason> probe(State& state, Probe const& probe, std::optional<Movement> const& peek) {
    auto const choices = visible(state, probe);
    if (choices.empty()) {
        return Reason::nothing_to_probe;
    }
    auto const chosen = std::find_if(choices.begin(), choices.end(), [&](auto const& choice) {
        return peek.has_value() && choice.first.beta == peek->beta && choice.first.alpha == peek->alpha &&
               peek->tag.value_or(*choice.first.tag) == *choice.first.tag;
    });
    if (chosen == choices.end()) {
        return Reason::wrong_peek;
    }
    auto const& [from, message] = *chosen;
    state.saw[probe.action] = message.action;
    // "give source and tag of m"
    if (probe.sel.source.has_value()) {
        state.store[*probe.sel.source] = Integer(from.alpha);
    }
    if (probe.sel.tagged.has_value()) {
        state.store[*probe.sel.tagged] = Integer(message.tag);
    }
    if (probe.matches) {
        Selectors admits = probe.sel;
        admits.source.reset(); // they have their values
        admits.tagged.reset();
        state.Pnd_r[probe.beta].push_back(PendingReceive{probe.action, "", admits, true});
        state.Q_s[probe.beta].push_back(Message{message.action, message.value, from.alpha, message.tag});
        state.got[probe.action] = message.action;
        std::erase_if(state.Pnd_s[probe.beta][from.alpha],
                      [name = message.action](PendingSend const& send) { return send.action == name; });
    }
    return std::nullopt;
}

/// "its receive starts"
std::optional<Reason> start(State& state, Start const& start) {
    for (auto& [beta, receives] : state.Pnd_r) {
        for (PendingReceive& receive : receives) {
            if (receive.action == start.action && receive.of_mprobe && receive.variable.empty()) {
                receive.variable = start.variable;
                state.A[start.action] = beta;
                return std::nullopt;
            }
        }
    }
    return Reason::not_matched;
}

/// "wait a_r on a receive at beta, `getMarkRemove`"
std::optional<Reason> get_mark_remove(State& state, std::string const& a_r, Endpoint beta) {
    std::vector<PendingReceive>& receives = state.Pnd_r[beta];
    auto const own =
        std::find_if(receives.begin(), receives.end(), [&](PendingReceive const& r) { return r.action == a_r; });
    // "a wait for a receive that is not in its Pnd_r [...] is a case of no rule"; one that has not started is not
    // pending
    if (own == receives.end() || own->variable.empty()) {
        return Reason::receive_not_pending;
    }
    // "wait a_r needs a_r's partner to be in Q_s(beta)."
    if (!state.got.contains(a_r)) {
        return Reason::message_not_there;
    }
    // "It first completes, in issue order, the earlier receives at beta that admit everything that a_r admits (their
    // partners are there, too), then a_r"
    // The receive of an mprobe is completed by its own wait, which completes no other.
    for (auto receive = receives.begin(); receive != own; ++receive) {
        if (!own->of_mprobe && !receive->of_mprobe && includes(receive->sel.from, own->sel.from) &&
            includes(receive->sel.tags, own->sel.tags)) {
            complete(state, beta, *receive);
        }
    }
    complete(state, beta, *own);
    // "then both entries [...] are removed, and a_r and the partner send leave A."
    std::string const partner = state.got.at(a_r);
    state.A.erase(a_r);
    state.A.erase(partner);
    receives.erase(own);
    std::erase_if(state.Q_s[beta], [&](Message const& message) { return message.action == partner; });
    return std::nullopt;
}

/// "A wait for a `ssndi` needs its message to have a posted partner, under either buffering [...]. A `bsndi` never
/// waits, under either. A plain `sndi` is as the buffering says."
std::optional<Reason> wait_on_send(State const& state, ActionSite const& site, bool zero) {
    Mode const mode = site.sndi->mode;
    if (mode == Mode::buffered || (mode != Mode::synchronous && !zero)) {
        return std::nullopt;
    }
    // A send is issued exactly when its thread has passed its command.
    bool const issued = state.next[site.thread] > site.index;
    if (!issued) {
        return Reason::send_not_issued;
    }
    bool const is_free = is_taken(state, site.sndi->action) && !is_held(state, site.sndi->action);
    return is_free ? std::nullopt : std::optional(Reason::send_not_taken);
}

/// The threads in which b occurs meet, the k-th occurrence in one with the k-th in each other: a thread's step is
/// enabled when every one of them is at its k-th occurrence or past it.
std::optional<Reason> meet(Program const& program, State const& state, std::size_t thread, std::string const& b) {
    auto const occurrences = [&](std::size_t t) {
        std::vector<std::size_t> places;
        for (std::size_t k = 0; k < program.threads[t].size(); ++k) {
            Meet const* const meet = std::get_if<Meet>(&program.threads[t][k].what);
            if (meet != nullptr && meet->barrier == b) {
                places.push_back(k);
            }
        }
        return places;
    };
    std::vector<std::size_t> const own = occurrences(thread);
    auto const k = std::find(own.begin(), own.end(), state.next[thread]) - own.begin();
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
        std::vector<std::size_t> const places = occurrences(t);
        if (!places.empty() && state.next[t] < places.at(static_cast<std::size_t>(k))) {
            return Reason::not_at_barrier;
        }
    }
    return std::nullopt;
}

/// GUARDED ASSIGNMENT and WHEN: "evaluation in the store before the command; the guard comes first, then right-hand
/// sides from left to right, then all stores at once".
std::optional<Reason> assign_if(State& state, Guarded const& guarded) {
    auto const guard = evaluate(guarded.guard, state.store);
    if (Reason const* const reason = std::get_if<Reason>(&guard)) {
        return *reason;
    }
    if (is_false(std::get<Value>(guard))) {
        if (guarded.blocks) {
            return Reason::guard_false;
        }
        lift(state, Status::infeasible);
        return std::nullopt;
    }
    std::map<std::string, Value> after = state.store;
    for (Store const& store : guarded.stores) {
        auto const value = evaluate(store.value, state.store);
        if (Reason const* const reason = std::get_if<Reason>(&value)) {
            return *reason;
        }
        after[store.variable] = std::get<Value>(value);
    }
    state.store = after;
    return std::nullopt;
}

/// Whether a receive that is posted can get the message of a send that has just been issued: whether some order of
/// movements to its endpoint ends with its own, and gives it to a receive.
bool can_be_received(Program const& program, State const& state, Sndi const& sndi, bool zero) {
    if (is_taken(state, sndi.action)) {
        return true;
    }
    auto const to_beta = state.Pnd_s.find(sndi.beta);
    if (to_beta == state.Pnd_s.end()) {
        return false;
    }
    for (auto const& [alpha, sends] : to_beta->second) {
        std::set<Tag> tags;
        for (PendingSend const& send : sends) {
            tags.insert(send.tag);
        }
        for (Tag const tag : tags) {
            State moved = state;
            if (!queue_movement(program, moved, Movement{sndi.beta, alpha, tag}, zero).has_value() &&
                can_be_received(program, moved, sndi, zero)) {
                return true;
            }
        }
    }
    return false;
}

/// "then reduce that command to a value"
std::optional<Reason> reduce(Program const& program, State& state, std::size_t thread,
                             std::optional<Movement> const& peek, bool zero) {
    Command const& command = program.threads[thread][state.next[thread]];
    if (Probe const* const probes = std::get_if<Probe>(&command.what)) {
        return probe(state, *probes, peek);
    }
    if (peek.has_value()) {
        return Reason::wrong_peek;
    }
    if (Start const* const starts = std::get_if<Start>(&command.what)) {
        return start(state, *starts);
    }
    if (Assume const* const assume = std::get_if<Assume>(&command.what)) {
        // "assume: false lifts s to infeasible. [...] Any other value leaves s."
        auto const value = evaluate(assume->condition, state.store);
        if (Reason const* const reason = std::get_if<Reason>(&value)) {
            return *reason;
        }
        if (is_false(std::get<Value>(value))) {
            lift(state, Status::infeasible);
        }
        return std::nullopt;
    }
    if (Assert const* const assertion = std::get_if<Assert>(&command.what)) {
        // "assert: false lifts s to failure. Any other value leaves s."
        auto const value = evaluate(assertion->condition, state.store);
        if (Reason const* const reason = std::get_if<Reason>(&value)) {
            return *reason;
        }
        if (is_false(std::get<Value>(value))) {
            lift(state, Status::failure);
        }
        return std::nullopt;
    }
    if (Assign const* const assign = std::get_if<Assign>(&command.what)) {
        // "x := e stores the value of e."
        auto const value = evaluate(assign->value, state.store);
        if (Reason const* const reason = std::get_if<Reason>(&value)) {
            return *reason;
        }
        state.store[assign->variable] = std::get<Value>(value);
        return std::nullopt;
    }
    if (Sndi const* const sndi = std::get_if<Sndi>(&command.what)) {
        // "sndi a alpha beta e: evaluate e to v, append [a v] to Pnd_s(beta)(alpha), add [a alpha] to A."
        auto const value = evaluate(sndi->payload, state.store);
        if (Reason const* const reason = std::get_if<Reason>(&value)) {
            return *reason;
        }
        // "a message without a tag has tag 0"
        state.Pnd_s[sndi->beta][sndi->alpha].push_back(
            PendingSend{sndi->action, std::get<Value>(value), sndi->tag.value_or(0), sndi->mode});
        state.A[sndi->action] = sndi->alpha;
        if (sndi->mode == Mode::ready && !can_be_received(program, state, *sndi, zero)) {
            return Reason::no_receive_for_ready_send;
        }
        return std::nullopt;
    }
    if (Rcvi const* const rcvi = std::get_if<Rcvi>(&command.what)) {
        // "rcvi a beta x: append [a x] to Pnd_r(beta), add [a beta] to A."
        post(state, rcvi->beta, PendingReceive{rcvi->action, rcvi->variable, rcvi->sel});
        state.A[rcvi->action] = rcvi->beta;
        return std::nullopt;
    }
    if (Meet const* const barrier = std::get_if<Meet>(&command.what)) {
        return meet(program, state, thread, barrier->barrier);
    }
    if (Guarded const* const guarded = std::get_if<Guarded>(&command.what)) {
        return assign_if(state, *guarded);
    }
    if (Collective const* const collective = std::get_if<Collective>(&command.what)) {
        CallSite const call{thread, state.next[thread]};
        if (collective->blocks) {
            return cannot_return(program, state, call, zero);
        }
        return is_mismatch(program, state, call) ? std::optional(Reason::mismatch) : std::nullopt;
    }
    // "what an action is, send or receive, is known from the CTP"
    Wait const& wait = std::get<Wait>(command.what);
    ActionSite const site = find_action(program, wait.action);
    if (site.sndi != nullptr) {
        return wait_on_send(state, site, zero);
    }
    if (site.rcvi != nullptr) {
        return get_mark_remove(state, wait.action, site.rcvi->beta);
    }
    if (site.probe != nullptr) {
        return get_mark_remove(state, wait.action, site.probe->beta);
    }
    if (site.collective != nullptr) {
        return cannot_return(program, state, CallSite{site.thread, site.index}, zero);
    }
    throw std::logic_error("rule S3 is broken: a wait names no action of the program");
}

/// Definition 2, with what breaks it.
void judge(Program const& program, Result& result) {
    State const& state = result.state;
    // "Sends left in Pnd_s or unmarked in Q_s are orphans"
    for (auto const& [beta, by_source] : state.Pnd_s) {
        for (auto const& [alpha, sends] : by_source) {
            for (PendingSend const& send : sends) {
                result.orphan_sends.push_back(send.action);
            }
        }
    }
    // "every entry left in Q_s is marked, with its partner still in Pnd_r"
    bool partners_still_there = true;
    std::set<std::string> marked;
    for (auto const& [beta, messages] : state.Q_s) {
        for (Message const& message : messages) {
            if (message.value.has_value()) {
                result.orphan_sends.push_back(message.action);
                continue;
            }
            marked.insert(message.action);
            auto const receives = queue(state.Pnd_r, beta);
            partners_still_there &= std::any_of(receives.begin(), receives.end(), [&](PendingReceive const& r) {
                return state.got.contains(r.action) && state.got.at(r.action) == message.action;
            });
        }
    }
    // "and nothing else is left in Pnd_r"
    for (auto const& [beta, receives] : state.Pnd_r) {
        for (PendingReceive const& receive : receives) {
            bool const completed = state.got.contains(receive.action) && marked.contains(state.got.at(receive.action));
            if (!completed) {
                result.unmatched_receives.push_back(receive.action);
            }
        }
    }
    // "the trace is used up, every thread is finished, s < error, and every send and receive is matched"
    result.well_formed = result.status < Status::error && finished(program, state) && partners_still_there &&
                         result.orphan_sends.empty() && result.unmatched_receives.empty();
}

} // namespace

State initial_state(Program const& program) {
    State state;
    state.next.assign(program.threads.size(), 0);
    for (Store const& store : program.shared) {
        state.store[store.variable] = store.value.value;
    }
    return state;
}

bool is_held(State const& state, std::string const& send) {
    for (auto const& [beta, receives] : state.Pnd_r) {
        for (PendingReceive const& receive : receives) {
            if (receive.of_mprobe && receive.variable.empty() && state.got.at(receive.action) == send) {
                return true;
            }
        }
    }
    return false;
}

bool finished(Program const& program, State const& state) {
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
        if (state.next[t] < program.threads[t].size()) {
            return false;
        }
    }
    return true;
}

ActionSite find_action(Program const& program, std::string const& action) {
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
        for (std::size_t k = 0; k < program.threads[t].size(); ++k) {
            Sndi const* const sndi = std::get_if<Sndi>(&program.threads[t][k].what);
            if (sndi != nullptr && sndi->action == action) {
                return {t, k, sndi, nullptr, nullptr};
            }
            Rcvi const* const rcvi = std::get_if<Rcvi>(&program.threads[t][k].what);
            if (rcvi != nullptr && rcvi->action == action) {
                return {t, k, nullptr, rcvi, nullptr};
            }
            Probe const* const probe = std::get_if<Probe>(&program.threads[t][k].what);
            if (probe != nullptr && probe->action == action) {
                return {t, k, nullptr, nullptr, probe};
            }
            Collective const* const collective = std::get_if<Collective>(&program.threads[t][k].what);
            if (collective != nullptr && collective->action == action) {
                return {t, k, nullptr, nullptr, nullptr, collective};
            }
        }
    }
    return {};
}

std::variant<Value, Reason> evaluate(Expression const& expression, std::map<std::string, Value> const& store) {
    if (expression.kind == Expression::Kind::value) {
        return expression.value;
    }
    if (expression.kind == Expression::Kind::variable) {
        // "Variable lookup needs a value in the store"
        auto const found = store.find(expression.variable);
        if (found == store.end()) {
            return Reason::variable_without_value;
        }
        return found->second;
    }
    // "`ite` evaluates its condition, and then only the operand that it chooses."
    if (expression.op == "ite") {
        auto const condition = evaluate(expression.operands.at(0), store);
        if (std::holds_alternative<Reason>(condition)) {
            return condition;
        }
        bool const* const chooses_left = std::get_if<bool>(&std::get<Value>(condition));
        if (chooses_left == nullptr) {
            return Reason::operand_of_wrong_sort;
        }
        return evaluate(expression.operands.at(*chooses_left ? 1 : 2), store);
    }
    // "Expressions reduce left operand first"; every operand is reduced, whatever the other operator.
    std::vector<Value> values;
    for (Expression const& operand : expression.operands) {
        auto const value = evaluate(operand, store);
        if (Reason const* const reason = std::get_if<Reason>(&value)) {
            return *reason;
        }
        values.push_back(std::get<Value>(value));
    }
    if (expression.op == "not") {
        if (!std::holds_alternative<bool>(values.at(0))) {
            return Reason::operand_of_wrong_sort;
        }
        return Value(!std::get<bool>(values.at(0)));
    }
    return apply(expression.op, values.at(0), values.at(1));
}

bool selects(Program const& program, Endpoint beta) {
    for (Thread const& thread : program.threads) {
        for (Command const& command : thread) {
            Rcvi const* const rcvi = std::get_if<Rcvi>(&command.what);
            if (rcvi != nullptr && rcvi->beta == beta && (rcvi->sel.from.has_value() || rcvi->sel.tags.has_value())) {
                return true;
            }
            Probe const* const probe = std::get_if<Probe>(&command.what);
            if (probe != nullptr && probe->beta == beta) {
                return true;
            }
        }
    }
    return false;
}

std::optional<Reason> queue_movement(Program const& program, State& state, Movement const& movement, bool zero) {
    auto const reason = selects(program, movement.beta) ? match(state, movement) : deliver(state, movement, zero);
    drop_empty_queues(state);
    return reason;
}

std::variant<State, Reason> step(Program const& program, State state, TraceEntry const& entry, bool zero) {
    // "if rho is the next command of some thread [...]. If rho is no thread's next command, no rule applies."
    std::optional<std::size_t> thread;
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
        if (state.next[t] < program.threads[t].size() && program.threads[t][state.next[t]].location == entry.location) {
            thread = t;
        }
    }
    if (!thread.has_value()) {
        return Reason::not_next_command;
    }
    // "apply Queue movement until m is used up"
    for (Movement const& movement : entry.movements) {
        if (auto const reason = queue_movement(program, state, movement, zero)) {
            return *reason;
        }
    }
    // "then reduce that command to a value"
    if (auto const reason = reduce(program, state, *thread, entry.peek, zero)) {
        return *reason;
    }
    // "drop it from its thread"
    ++state.next[*thread];
    drop_empty_queues(state);
    return state;
}

Result run(Program const& program, Trace const& trace, bool zero) {
    Result result;
    result.state = initial_state(program);
    for (std::size_t k = 0; k < trace.size() && !result.trouble.has_value(); ++k) {
        auto after = step(program, result.state, trace[k], zero);
        if (Reason const* const reason = std::get_if<Reason>(&after)) {
            // "execution stops there with status error"; "the state before that entry's movements stays inspectable"
            result.trouble = Trouble{k, trace[k].location, *reason};
        } else {
            result.state = std::get<State>(std::move(after));
            ++result.steps;
        }
    }
    // "A trace that is used up while a thread still has commands is also an error (it did not complete): its entry is
    // the trace's length, and it has no location."
    if (!result.trouble.has_value() && !finished(program, result.state)) {
        result.trouble = Trouble{trace.size(), std::nullopt, Reason::trace_used_up};
    }
    if (result.trouble.has_value()) {
        lift(result.state, Status::error);
    }
    result.status = result.state.s;
    judge(program, result);
    return result;
}

std::vector<std::size_t> unfinished_threads(Program const& program, State const& state) {
    std::vector<std::size_t> threads;
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
        if (state.next[t] < program.threads[t].size()) {
            threads.push_back(t);
        }
    }
    return threads;
}

std::string to_text(Status status) {
    switch (status) {
    case Status::success: return "success";
    case Status::failure: return "failure";
    case Status::infeasible: return "infeasible";
    case Status::error: return "error";
    }
    throw std::logic_error("no such status");
}

std::string to_text(Reason reason) {
    switch (reason) {
    case Reason::not_next_command: return "not_next_command";
    case Reason::nothing_in_transit: return "nothing_in_transit";
    case Reason::no_posted_partner: return "no_posted_partner";
    case Reason::message_not_there: return "message_not_there";
    case Reason::send_not_taken: return "send_not_taken";
    case Reason::send_not_issued: return "send_not_issued";
    case Reason::receive_not_pending: return "receive_not_pending";
    case Reason::variable_without_value: return "variable_without_value";
    case Reason::operand_of_wrong_sort: return "operand_of_wrong_sort";
    case Reason::division_by_zero: return "division_by_zero";
    case Reason::trace_used_up: return "trace_used_up";
    case Reason::not_at_barrier: return "not_at_barrier";
    case Reason::guard_false: return "guard_false";
    case Reason::no_receive_for_ready_send: return "no_receive_for_a_ready_send";
    case Reason::nothing_to_probe: return "nothing_to_probe";
    case Reason::wrong_peek: return "wrong_peek";
    case Reason::not_matched: return "not_matched";
    case Reason::not_called: return "not_called";
    case Reason::mismatch: return "mismatch";
    }
    throw std::logic_error("no such reason");
}

std::string to_text(Result const& result) {
    State const& state = result.state;
    std::string text = "status " + to_text(result.status) + ", " + std::to_string(result.steps) + " steps, " +
                       (result.well_formed ? "well-formed" : "not well-formed") + "\n";
    if (result.trouble.has_value()) {
        text += "entry " + std::to_string(result.trouble->entry);
        if (result.trouble->location.has_value()) {
            text += " at " + *result.trouble->location;
        }
        text += ": " + to_text(result.trouble->reason) + "\n";
    }
    text += "store:";
    for (auto const& [name, value] : state.store) {
        text += " " + name + "=" + to_text(value);
    }
    text += "\nA:";
    for (auto const& [action, endpoint] : state.A) {
        text += " [" + action + " " + std::to_string(endpoint) + "]";
    }
    text += "\n";
    for (auto const& [beta, by_source] : state.Pnd_s) {
        for (auto const& [alpha, sends] : by_source) {
            text += "Pnd_s(" + std::to_string(beta) + ")(" + std::to_string(alpha) + "):";
            for (PendingSend const& send : sends) {
                text += " [" + send.action + " " + to_text(send.value) + "]";
            }
            text += "\n";
        }
    }
    for (auto const& [beta, receives] : state.Pnd_r) {
        text += "Pnd_r(" + std::to_string(beta) + "):";
        for (PendingReceive const& receive : receives) {
            text += " [" + receive.action + " " + receive.variable + "]";
        }
        text += "\n";
    }
    for (auto const& [beta, messages] : state.Q_s) {
        text += "Q_s(" + std::to_string(beta) + "):";
        for (Message const& message : messages) {
            text += " [" + message.action + " " + (message.value ? to_text(*message.value) : std::string("bot")) + "]";
        }
        text += "\n";
    }
    text += "matches:";
    for (auto const& [receive, send] : state.matches) {
        text += " (" + receive + " " + send + ")";
    }
    text += "\ngot:";
    for (auto const& [receive, send] : state.got) {
        text += " (" + receive + " " + send + ")";
    }
    text += "\nnext:";
    for (std::size_t const index : state.next) {
        text += " " + std::to_string(index);
    }
    text += "\norphan sends:";
    for (std::string const& send : result.orphan_sends) {
        text += " " + send;
    }
    text += "\nunmatched receives:";
    for (std::string const& receive : result.unmatched_receives) {
        text += " " + receive;
    }
    return text + "\n";
}

} // namespace matchpoint::naive
