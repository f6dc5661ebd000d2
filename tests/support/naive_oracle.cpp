#include "tests/support/naive_oracle.hpp"
#include "tests/support/all_rooms.hpp"

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

/// "wait a_r on a receive at beta, `getMarkRemove`"
std::optional<Reason> get_mark_remove(State& state, std::string const& a_r, Endpoint beta) {
    std::vector<PendingReceive>& receives = state.Pnd_r[beta];
    std::vector<Message>& messages = state.Q_s[beta];

    // "let i be the place of a_r in Pnd_r(beta)"; "a wait for a receive that is not in its Pnd_r [...] is a case of no
    // rule"
    std::size_t i = 0;
    while (i < receives.size() && receives[i].action != a_r) {
        ++i;
    }
    if (i == receives.size()) {
        return Reason::receive_not_pending;
    }
    // "If Q_s(beta) has no entry at place i, s becomes error."
    if (i >= messages.size()) {
        return Reason::message_not_there;
    }
    // "Otherwise, for j = 0 .. i-1 in order, an entry j of Q_s(beta) that is not yet marked gives its value to its
    // partner's variable and is marked bot;"
    for (std::size_t j = 0; j < i; ++j) {
        if (messages[j].value.has_value()) {
            state.store[receives[j].variable] = *messages[j].value;
            state.matches[receives[j].action] = messages[j].action;
            messages[j].value = std::nullopt;
        }
    }
    // "then entry i, unless marked, gives its value to a_r's variable;"
    if (messages[i].value.has_value()) {
        state.store[receives[i].variable] = *messages[i].value;
        state.matches[receives[i].action] = messages[i].action;
    }
    // "then both entries i are removed, and a_r and the partner send leave A."
    state.A.erase(a_r);
    state.A.erase(messages[i].action);
    receives.erase(receives.begin() + static_cast<std::ptrdiff_t>(i));
    messages.erase(messages.begin() + static_cast<std::ptrdiff_t>(i));
    return std::nullopt;
}

/// "wait on a send [...]: consumes the command", and with zero buffering "a wait on a send needs that send to have left
/// Pnd_s".
std::optional<Reason> wait_on_send(State const& state, ActionSite const& site, bool zero) {
    if (!zero) {
        return std::nullopt;
    }
    // A send is issued exactly when its thread has passed its command.
    bool const issued = state.next[site.thread] > site.index;
    if (!issued) {
        return Reason::send_not_issued;
    }
    auto const to_beta = state.Pnd_s.find(site.sndi->beta);
    if (to_beta != state.Pnd_s.end()) {
        for (PendingSend const& send : queue(to_beta->second, site.sndi->alpha)) {
            if (send.action == site.sndi->action) {
                return Reason::send_not_taken;
            }
        }
    }
    return std::nullopt;
}

/// "then reduce that command to a value"
std::optional<Reason> reduce(Program const& program, State& state, Command const& command, bool zero) {
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
        state.Pnd_s[sndi->beta][sndi->alpha].push_back(PendingSend{sndi->action, std::get<Value>(value)});
        state.A[sndi->action] = sndi->alpha;
        return std::nullopt;
    }
    if (Rcvi const* const rcvi = std::get_if<Rcvi>(&command.what)) {
        // "rcvi a beta x: append [a x] to Pnd_r(beta), add [a beta] to A."
        state.Pnd_r[rcvi->beta].push_back(PendingReceive{rcvi->action, rcvi->variable});
        state.A[rcvi->action] = rcvi->beta;
        return std::nullopt;
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
    for (auto const& [beta, messages] : state.Q_s) {
        for (std::size_t k = 0; k < messages.size(); ++k) {
            if (messages[k].value.has_value()) {
                result.orphan_sends.push_back(messages[k].action);
            } else if (k >= queue(state.Pnd_r, beta).size()) {
                partners_still_there = false;
            }
        }
    }
    // "and nothing else is left in Pnd_r"
    for (auto const& [beta, receives] : state.Pnd_r) {
        std::vector<Message> const messages = queue(state.Q_s, beta);
        for (std::size_t k = 0; k < receives.size(); ++k) {
            bool const completed = k < messages.size() && !messages[k].value.has_value();
            if (!completed) {
                result.unmatched_receives.push_back(receives[k].action);
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
    return state;
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
                return {t, k, sndi, nullptr};
            }
            Rcvi const* const rcvi = std::get_if<Rcvi>(&program.threads[t][k].what);
            if (rcvi != nullptr && rcvi->action == action) {
                return {t, k, nullptr, rcvi};
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
    // "Expressions reduce left operand first"; every operand is reduced, whatever the operator.
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

std::optional<Reason> queue_movement(State& state, Movement const& movement, bool zero) {
    // "If there is none, s becomes error."
    std::vector<PendingSend>& in_transit = state.Pnd_s[movement.beta][movement.alpha];
    if (in_transit.empty()) {
        return Reason::nothing_in_transit;
    }
    std::vector<Message>& delivered = state.Q_s[movement.beta];
    // zero: "a movement (beta alpha) needs a partner already posted, that is |Q_s(beta)| < |Pnd_r(beta)| before it"
    if (zero && !(delivered.size() < queue(state.Pnd_r, movement.beta).size())) {
        return Reason::no_posted_partner;
    }
    // "take the oldest entry of Pnd_s(beta)(alpha), append it to Q_s(beta)"
    PendingSend const oldest = in_transit.front();
    in_transit.erase(in_transit.begin());
    delivered.push_back(Message{oldest.action, oldest.value});
    drop_empty_queues(state);
    return std::nullopt;
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
        if (auto const reason = queue_movement(state, movement, zero)) {
            return *reason;
        }
    }
    // "then reduce that command to a value"
    Command const& command = program.threads[*thread][state.next[*thread]];
    if (auto const reason = reduce(program, state, command, zero)) {
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
