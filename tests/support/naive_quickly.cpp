// The quick one of the two naive explorers. Everything is a number here, and a state a row of numbers, so that states
// are cheap to copy and to compare; the rules are those of naive_oracle.cpp, sentence by sentence, on rows. Expressions
// are left to the oracle: each is evaluated once for the values that its variables have.

#include "tests/support/all_rooms.hpp"
#include "tests/support/naive_explore.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <unordered_set>
#include <variant>

namespace matchpoint::naive {

namespace {

using Number = std::uint32_t;
constexpr Number nothing = std::numeric_limits<Number>::max();
using Row = std::vector<Number>;

/// Things by number, from 0 in the order in which they were met.
template <typename Thing>
class Numbering {
public:
    Number of(Thing const& thing) {
        auto const [place, fresh] = numbers_.emplace(thing, static_cast<Number>(things_.size()));
        if (fresh) {
            things_.push_back(thing);
        }
        return place->second;
    }
    Thing const& operator[](Number n) const { return things_[n]; }

private:
    std::map<Thing, Number> numbers_ = {};
    std::vector<Thing> things_ = {};
};

/// A part of a row. A queue has its entries first, from the oldest on, and `nothing` after them.
struct Part {
    Number first = 0;
    Number length = 0;
};

class Queue {
public:
    Queue(Row& row, Part part) : first_(row.data() + part.first), last_(first_ + part.length) {}

    std::size_t size() const { return place_of(nothing); }
    /// The place of an entry; the size, or more, if it is not there.
    std::size_t place_of(Number entry) const {
        return static_cast<std::size_t>(std::find(first_, last_, entry) - first_);
    }
    Number operator[](std::size_t i) const { return first_[i]; }

    void append(Number entry) {
        if (size() == capacity()) {
            throw std::logic_error("a queue is longer than the program has commands for");
        }
        first_[size()] = entry;
    }
    Number remove(std::size_t i) {
        Number const removed = first_[i];
        std::copy(first_ + i + 1, last_, first_ + i);
        *(last_ - 1) = nothing;
        return removed;
    }

private:
    std::size_t capacity() const { return static_cast<std::size_t>(last_ - first_); }

    Number* first_;
    Number* last_;
};

/// Adds the variables of an expression.
void find_variables(Expression const& expression, std::set<std::string>& variables) {
    if (expression.kind == Expression::Kind::variable) {
        variables.insert(expression.variable);
    }
    for (Expression const& operand : expression.operands) {
        find_variables(operand, variables);
    }
}

/// A program, numbered, with its rules. A row has, one after another,
///   - of each thread, the index of its next command;
///   - s;
///   - of each receive its partner send, once a wait has completed it;
///   - of each send its value, by number: from when it is issued until it is marked or removed;
///   - the queues of sends Pnd_s(beta)(alpha), of receives Pnd_r(beta) and of sends Q_s(beta). A queue has room for all
///     that the program's commands can append to it, as each of them runs once;
///   - of each variable its value, by number.
/// What is not there is `nothing`. `A` is left out: nothing reads it, and what is in it is what is in some queue. So
/// rows differ exactly where states do.
class NumberedProgram {
public:
    NumberedProgram(Program const& program, bool zero);

    Row const& initial() const { return initial_; }

    std::size_t threads() const { return threads_.size(); }
    bool finished(Row const& row, std::size_t t) const { return row[t] == threads_[t].size(); }
    bool finished(Row const& row) const;
    Command const& next_command(Row const& row, std::size_t t) const { return *threads_[t][row[t]].command; }
    bool at_wait(Row const& row, std::size_t t) const {
        return std::holds_alternative<Wait>(next_command(row, t).what);
    }
    /// The endpoint of the receive that a thread's next command waits for.
    Number awaited(Row const& row, std::size_t t) const { return receives_[threads_[t][row[t]].which].beta; }

    /// Runs a thread's next command; the reason if it cannot run, and then the row is as it was.
    std::optional<Reason> step(Row& row, std::size_t t);

    std::size_t channels() const { return channels_.size(); }
    Movement const& movement(std::size_t channel) const { return channels_[channel].movement; }
    Number beta(std::size_t channel) const { return channels_[channel].beta; }
    std::size_t endpoints() const { return endpoints_.size(); }

    /// Queue movement (Figure 7); the reason if it is not possible, and then the row is as it was.
    std::optional<Reason> move(Row& row, std::size_t channel) const;

    Status status(Row const& row) const { return static_cast<Status>(row[s_]); }
    /// The index of the next command of each thread.
    std::vector<std::size_t> next(Row const& row) const;
    /// The partner of each receive.
    Row partners(Row const& row) const;
    /// The same by name.
    Matching matching(Row const& row) const;

private:
    struct NumberedCommand {
        enum class Kind { assume, assertion, assign, sndi, rcvi, wait_on_send, wait_on_receive };

        Command const* command = nullptr;
        Kind kind = Kind::assume;
        Number which = nothing; ///< the send or the receive, or the place of the variable that is assigned
        Expression const* expression = nullptr;
        std::vector<std::pair<std::string, Number>> variables = {}; ///< the expression's, with their places in the row
        std::map<Row, std::variant<Number, Reason>> known = {};     ///< what the expression is, by their values
    };
    struct NumberedSend {
        std::string action;
        std::size_t thread = 0;
        std::size_t index = 0;
        Number channel = nothing;
    };
    struct NumberedReceive {
        std::string action;
        Number beta = nothing;
        Number variable = nothing; ///< its place in the row
    };
    struct NumberedChannel {
        Movement movement = {};
        Number beta = nothing;
        Part in_transit = {}; ///< Pnd_s(beta)(alpha)
    };
    struct NumberedEndpoint {
        Part receives = {}; ///< Pnd_r(beta)
        Part messages = {}; ///< Q_s(beta)
    };

    /// Lengthens all rows.
    Part append_part(std::size_t length, Number value = nothing);

    Number& partner(Row& row, Number receive) const { return row[partners_.first + receive]; }
    Number& value(Row& row, Number send) const { return row[sent_.first + send]; }

    std::variant<Number, Reason> evaluated(NumberedCommand& command, Row const& row);
    std::optional<Reason> reduce(Row& row, NumberedCommand& command);
    std::optional<Reason> wait_on_send(Row& row, Number send) const;
    std::optional<Reason> get_mark_remove(Row& row, Number receive) const;

    bool zero_;
    std::vector<std::vector<NumberedCommand>> threads_ = {};
    std::vector<NumberedSend> sends_ = {};
    std::vector<NumberedReceive> receives_ = {};
    std::vector<NumberedChannel> channels_ = {}; ///< by beta, then alpha
    std::vector<NumberedEndpoint> endpoints_ = {};
    Numbering<Value> values_ = {};
    Number false_;

    Row initial_ = {};
    Number s_; ///< its place in the row
    Part partners_ = {};
    Part sent_ = {}; ///< the values of sends
    Row looked_up_ = {};
};

NumberedProgram::NumberedProgram(Program const& program, bool zero)
    : zero_(zero), false_(values_.of(Value(false))), s_(static_cast<Number>(program.threads.size())) {
    std::map<std::string, Number> sends;
    std::map<std::string, Number> receives;
    std::map<Endpoint, Number> endpoints;                           // those that something is sent to or received at
    std::map<Endpoint, std::size_t> sends_to;                       // how many
    std::map<Endpoint, std::size_t> receives_at;                    // how many
    std::map<std::pair<Endpoint, Endpoint>, std::size_t> sends_via; // beta, alpha -> how many
    if (!is_plain(program)) {
        throw std::invalid_argument("explore_quickly: a program with selectors, modes or barriers");
    }
    for (Thread const& thread : program.threads) {
        for (Command const& command : thread) {
            if (Sndi const* const sndi = std::get_if<Sndi>(&command.what)) {
                sends.emplace(sndi->action, static_cast<Number>(sends.size()));
                endpoints.emplace(sndi->beta, static_cast<Number>(endpoints.size()));
                ++sends_to[sndi->beta];
                ++sends_via[{sndi->beta, sndi->alpha}];
            }
            if (Rcvi const* const rcvi = std::get_if<Rcvi>(&command.what)) {
                receives.emplace(rcvi->action, static_cast<Number>(receives.size()));
                endpoints.emplace(rcvi->beta, static_cast<Number>(endpoints.size()));
                ++receives_at[rcvi->beta];
            }
        }
    }

    append_part(program.threads.size(), 0);
    append_part(1, static_cast<Number>(Status::success));
    partners_ = append_part(receives.size());
    sent_ = append_part(sends.size());
    std::map<std::pair<Endpoint, Endpoint>, Number> channels;
    for (auto const& [ends, count] : sends_via) {
        channels.emplace(ends, static_cast<Number>(channels.size()));
        channels_.push_back({Movement{ends.first, ends.second}, endpoints.at(ends.first), append_part(count)});
    }
    endpoints_.resize(endpoints.size());
    for (auto const& [endpoint, number] : endpoints) {
        endpoints_[number].receives = append_part(receives_at[endpoint]);
        endpoints_[number].messages = append_part(sends_to[endpoint]);
    }

    std::map<std::string, Number> variables;
    auto const place_of = [&](std::string const& variable) {
        if (!variables.contains(variable)) {
            variables[variable] = append_part(1).first;
        }
        return variables.at(variable);
    };
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
        threads_.emplace_back();
        for (Command const& command : program.threads[t]) {
            NumberedCommand numbered;
            numbered.command = &command;
            if (Assume const* const assume = std::get_if<Assume>(&command.what)) {
                numbered.kind = NumberedCommand::Kind::assume;
                numbered.expression = &assume->condition;
            } else if (Assert const* const assertion = std::get_if<Assert>(&command.what)) {
                numbered.kind = NumberedCommand::Kind::assertion;
                numbered.expression = &assertion->condition;
            } else if (Assign const* const assign = std::get_if<Assign>(&command.what)) {
                numbered.kind = NumberedCommand::Kind::assign;
                numbered.which = place_of(assign->variable);
                numbered.expression = &assign->value;
            } else if (Sndi const* const sndi = std::get_if<Sndi>(&command.what)) {
                numbered.kind = NumberedCommand::Kind::sndi;
                numbered.which = static_cast<Number>(sends_.size());
                numbered.expression = &sndi->payload;
                sends_.push_back({sndi->action, t, threads_[t].size(), channels.at({sndi->beta, sndi->alpha})});
            } else if (Rcvi const* const rcvi = std::get_if<Rcvi>(&command.what)) {
                numbered.kind = NumberedCommand::Kind::rcvi;
                numbered.which = static_cast<Number>(receives_.size());
                receives_.push_back({rcvi->action, endpoints.at(rcvi->beta), place_of(rcvi->variable)});
            } else {
                // "what an action is, send or receive, is known from the CTP"
                std::string const& action = std::get<Wait>(command.what).action;
                bool const send = sends.contains(action);
                numbered.kind = send ? NumberedCommand::Kind::wait_on_send : NumberedCommand::Kind::wait_on_receive;
                numbered.which = send ? sends.at(action) : receives.at(action);
            }
            if (numbered.expression != nullptr) {
                std::set<std::string> mentioned;
                find_variables(*numbered.expression, mentioned);
                for (std::string const& variable : mentioned) {
                    numbered.variables.emplace_back(variable, place_of(variable));
                }
            }
            threads_[t].push_back(std::move(numbered));
        }
    }
}

Part NumberedProgram::append_part(std::size_t length, Number value) {
    Part const part{static_cast<Number>(initial_.size()), static_cast<Number>(length)};
    initial_.resize(initial_.size() + length, value);
    return part;
}

bool NumberedProgram::finished(Row const& row) const {
    for (std::size_t t = 0; t < threads(); ++t) {
        if (!finished(row, t)) {
            return false;
        }
    }
    return true;
}

std::vector<std::size_t> NumberedProgram::next(Row const& row) const { return {row.data(), row.data() + threads()}; }

Row NumberedProgram::partners(Row const& row) const {
    Number const* const first = row.data() + partners_.first;
    return {first, first + partners_.length};
}

Matching NumberedProgram::matching(Row const& row) const {
    Row const partner = partners(row);
    Matching result;
    for (std::size_t r = 0; r < partner.size(); ++r) {
        if (partner[r] != nothing) {
            result.emplace(receives_[r].action, sends_[partner[r]].action);
        }
    }
    return result;
}

/// The oracle's word on what the command's expression is in the row.
std::variant<Number, Reason> NumberedProgram::evaluated(NumberedCommand& command, Row const& row) {
    looked_up_.clear();
    for (auto const& [name, place] : command.variables) {
        looked_up_.push_back(row[place]);
    }
    auto const found = command.known.find(looked_up_);
    if (found != command.known.end()) {
        return found->second;
    }
    std::map<std::string, Value> store;
    for (auto const& [name, place] : command.variables) {
        if (row[place] != nothing) {
            store.emplace(name, values_[row[place]]);
        }
    }
    std::variant<Value, Reason> const value = evaluate(*command.expression, store);
    std::variant<Number, Reason> result;
    if (Reason const* const reason = std::get_if<Reason>(&value)) {
        result = *reason;
    } else {
        result = values_.of(std::get<Value>(value));
    }
    command.known.emplace(looked_up_, result);
    return result;
}

std::optional<Reason> NumberedProgram::step(Row& row, std::size_t t) {
    if (auto const reason = reduce(row, threads_[t][row[t]])) {
        return reason;
    }
    // "drop it from its thread"
    ++row[t];
    return std::nullopt;
}

/// "then reduce that command to a value"
std::optional<Reason> NumberedProgram::reduce(Row& row, NumberedCommand& command) {
    Number v = nothing;
    if (command.expression != nullptr) {
        auto const value_or_reason = evaluated(command, row);
        if (Reason const* const reason = std::get_if<Reason>(&value_or_reason)) {
            return *reason;
        }
        v = std::get<Number>(value_or_reason);
    }
    // "It only moves up."
    auto const lift = [&](Status status) { row[s_] = std::max(row[s_], static_cast<Number>(status)); };
    switch (command.kind) {
    case NumberedCommand::Kind::assume:
        // "assume: false lifts s to infeasible. [...] Any other value leaves s."
        if (v == false_) {
            lift(Status::infeasible);
        }
        return std::nullopt;
    case NumberedCommand::Kind::assertion:
        // "assert: false lifts s to failure. Any other value leaves s."
        if (v == false_) {
            lift(Status::failure);
        }
        return std::nullopt;
    case NumberedCommand::Kind::assign:
        // "x := e stores the value of e."
        row[command.which] = v;
        return std::nullopt;
    case NumberedCommand::Kind::sndi:
        // "sndi a alpha beta e: evaluate e to v, append [a v] to Pnd_s(beta)(alpha)"
        Queue(row, channels_[sends_[command.which].channel].in_transit).append(command.which);
        value(row, command.which) = v;
        return std::nullopt;
    case NumberedCommand::Kind::rcvi:
        // "rcvi a beta x: append [a x] to Pnd_r(beta)"
        Queue(row, endpoints_[receives_[command.which].beta].receives).append(command.which);
        return std::nullopt;
    case NumberedCommand::Kind::wait_on_send: return wait_on_send(row, command.which);
    case NumberedCommand::Kind::wait_on_receive: return get_mark_remove(row, command.which);
    }
    throw std::logic_error("no such kind of command");
}

/// "wait on a send [...]: consumes the command", and with zero buffering "a wait on a send needs that send to have left
/// Pnd_s".
std::optional<Reason> NumberedProgram::wait_on_send(Row& row, Number send) const {
    if (!zero_) {
        return std::nullopt;
    }
    // A send is issued exactly when its thread has passed its command.
    NumberedSend const& sndi = sends_[send];
    if (row[sndi.thread] <= sndi.index) {
        return Reason::send_not_issued;
    }
    Queue const in_transit(row, channels_[sndi.channel].in_transit);
    if (in_transit.place_of(send) < in_transit.size()) {
        return Reason::send_not_taken;
    }
    return std::nullopt;
}

/// "wait a_r on a receive at beta, `getMarkRemove`"
std::optional<Reason> NumberedProgram::get_mark_remove(Row& row, Number receive) const {
    NumberedEndpoint const& endpoint = endpoints_[receives_[receive].beta];
    Queue receives(row, endpoint.receives);
    Queue messages(row, endpoint.messages);

    // "let i be the place of a_r in Pnd_r(beta)"; "a wait for a receive that is not in its Pnd_r [...] is a case of no
    // rule"
    std::size_t const i = receives.place_of(receive);
    if (i >= receives.size()) {
        return Reason::receive_not_pending;
    }
    // "If Q_s(beta) has no entry at place i, s becomes error."
    if (i >= messages.size()) {
        return Reason::message_not_there;
    }
    // "Otherwise, for j = 0 .. i-1 in order, an entry j of Q_s(beta) that is not yet marked gives its value to its
    // partner's variable and is marked bot; then entry i, unless marked, gives its value to a_r's variable;" (and is
    // marked, too, which nobody sees, as it goes)
    for (std::size_t j = 0; j <= i; ++j) {
        Number const send = messages[j];
        if (value(row, send) != nothing) {
            row[receives_[receives[j]].variable] = value(row, send);
            partner(row, receives[j]) = send;
            value(row, send) = nothing;
        }
    }
    // "then both entries i are removed"
    receives.remove(i);
    messages.remove(i);
    return std::nullopt;
}

std::optional<Reason> NumberedProgram::move(Row& row, std::size_t channel) const {
    NumberedEndpoint const& endpoint = endpoints_[channels_[channel].beta];
    Queue in_transit(row, channels_[channel].in_transit);
    Queue messages(row, endpoint.messages);
    // "If there is none, s becomes error."
    if (in_transit.size() == 0) {
        return Reason::nothing_in_transit;
    }
    // zero: "a movement (beta alpha) needs a partner already posted, that is |Q_s(beta)| < |Pnd_r(beta)| before it"
    if (zero_ && !(messages.size() < Queue(row, endpoint.receives).size())) {
        return Reason::no_posted_partner;
    }
    // "take the oldest entry of Pnd_s(beta)(alpha), append it to Q_s(beta)"
    messages.append(in_transit.remove(0));
    return std::nullopt;
}

/// Rows of one length, each once, by number.
class Rows {
public:
    explicit Rows(std::size_t length) : length_(length) {}
    Rows(Rows const&) = delete;
    Rows& operator=(Rows const&) = delete;

    std::size_t size() const { return numbers_.size(); }
    /// Whether it was not there; then its number is the size before.
    bool add(Row const& row) {
        all_.insert(all_.end(), row.begin(), row.end());
        bool const fresh = numbers_.insert(size()).second;
        if (!fresh) {
            all_.resize(size() * length_);
        }
        return fresh;
    }
    Row operator[](std::size_t n) const {
        Number const* const first = all_.data() + n * length_;
        return {first, first + length_};
    }

private:
    /// A row's bytes.
    std::string_view bytes(std::size_t n) const {
        return {reinterpret_cast<char const*>(all_.data() + n * length_), length_ * sizeof(Number)};
    }
    struct Hash {
        Rows const* rows;
        std::size_t operator()(std::size_t n) const { return std::hash<std::string_view>()(rows->bytes(n)); }
    };
    struct Equal {
        Rows const* rows;
        bool operator()(std::size_t m, std::size_t n) const { return rows->bytes(m) == rows->bytes(n); }
    };

    std::size_t length_;
    Row all_ = {}; ///< one after another
    std::unordered_set<std::size_t, Hash, Equal> numbers_{16, Hash{this}, Equal{this}};
};

/// Lets every thread step until none can, and calls `took` with every command before it runs.
template <typename Took>
void step_all(NumberedProgram& program, Row& row, Took const& took) {
    bool going = true;
    while (going) {
        going = false;
        for (std::size_t t = 0; t < program.threads(); ++t) {
            while (!program.finished(row, t)) {
                Command const& command = program.next_command(row, t);
                if (program.step(row, t).has_value()) {
                    break;
                }
                took(command);
                going = true;
            }
        }
    }
}

} // namespace

// Why stepping early loses nothing. Under D1 to D6 threads share neither variables nor endpoints nor requests. Then a
// step of one thread leaves alone what another thread's step reads, and it does not take away a movement: a send
// appends to a channel that only its thread appends to, a receive makes room, and a wait on a receive takes one entry
// each from Pnd_r and Q_s of an endpoint, so that |Q_s| < |Pnd_r| is as before and so are the partners of the entries
// that stay or come. And a movement does not take away a step: it only appends to what a wait on a receive looks for,
// and takes from a channel what a wait on a send wants gone. So a step that is possible stays possible until it is
// taken, and taking it before a neighbour in the sequence leads to the same state: every execution has the same end as
// one that takes every step as soon as it can. And a fault, once reached, stays; every complete run, fault and deadlock
// is therefore found among the states in which no thread can step.
//
// Why, with infinite buffering, delivering late loses nothing: a movement to an endpoint is always possible once its
// message is in transit, and nothing but waits for receives at that endpoint looks at Q_s. So a movement can be put
// off, past steps and past movements to other endpoints, until the endpoint's own thread is at such a wait and
// wants more messages than there are. The order of the movements to one endpoint stays. Those that are put off forever
// bring messages that no receive gets.
std::optional<Truth> explore_quickly(Program const& program, bool zero, std::size_t limit) {
    Truth truth;
    NumberedProgram numbered(program, zero);
    Rows seen(numbered.initial().size());
    struct Origin {
        std::size_t before = 0;
        std::size_t channel = 0;
    };
    std::vector<Origin> origins; // of each row that was seen: from which one it was reached, by which movement
    std::vector<std::size_t> rest;
    std::map<Row, Status> complete; // by the receives' partners

    auto const add = [&](Row& row, Origin const& origin) {
        step_all(numbered, row, [](Command const&) {});
        if (seen.add(row)) {
            rest.push_back(origins.size());
            origins.push_back(origin);
        }
    };
    // A row's way is that of the row before it, a movement, and what could step then.
    auto const trace_of = [&](std::size_t n) {
        std::vector<std::size_t> channels;
        for (; n != 0; n = origins[n].before) {
            channels.insert(channels.begin(), origins[n].channel);
        }
        Trace trace;
        std::vector<Movement> pending;
        auto const took = [&](Command const& command) {
            trace.push_back(TraceEntry{command.location, pending});
            pending.clear();
        };
        Row row = numbered.initial();
        step_all(numbered, row, took);
        for (std::size_t const channel : channels) {
            numbered.move(row, channel);
            pending.push_back(numbered.movement(channel));
            step_all(numbered, row, took);
        }
        return trace;
    };

    Row row = numbered.initial();
    add(row, Origin{});
    while (!rest.empty()) {
        if (seen.size() > limit) {
            return std::nullopt;
        }
        std::size_t const n = rest.back();
        rest.pop_back();
        Row state = seen[n];
        if (numbered.finished(state)) {
            auto const [outcome, fresh] = complete.emplace(numbered.partners(state), numbered.status(state));
            if (outcome->second != numbered.status(state)) {
                throw std::logic_error("two complete runs with one match set differ in status");
            }
            if (fresh) {
                Matching const matching = numbered.matching(state);
                truth.add_complete(program, matching, numbered.status(state));
                truth.traces.emplace(matching, trace_of(n));
            }
            continue;
        }
        std::vector<bool> awaited(numbered.endpoints(), false);
        bool all_at_waits = true;
        for (std::size_t t = 0; t < numbered.threads(); ++t) {
            if (numbered.finished(state, t)) {
                continue;
            }
            Reason const reason = numbered.step(state, t).value();
            if (is_fault(reason)) {
                truth.faults.insert(numbered.next_command(state, t).location);
            }
            if (reason == Reason::message_not_there) {
                awaited[numbered.awaited(state, t)] = true;
            }
            all_at_waits = all_at_waits && numbered.at_wait(state, t);
        }
        bool moves = false;
        for (std::size_t c = 0; c < numbered.channels(); ++c) {
            if (!zero && !awaited[numbered.beta(c)]) {
                continue;
            }
            row = state;
            if (!numbered.move(row, c).has_value()) {
                moves = true;
                add(row, Origin{n, c});
            }
        }
        if (!moves && all_at_waits) {
            truth.deadlocks.insert(numbered.next(state));
        }
    }
    truth.conclude();
    return truth;
}

namespace {

/// Lets every thread step until none can, or its next step would make s infeasible.
void step_all_on_path(NumberedProgram& program, Row& row) {
    bool going = true;
    while (going) {
        going = false;
        for (std::size_t t = 0; t < program.threads(); ++t) {
            while (!program.finished(row, t)) {
                Row after = row;
                if (program.step(after, t).has_value() || program.status(after) >= Status::infeasible) {
                    break;
                }
                row = std::move(after);
                going = true;
            }
        }
    }
}

} // namespace

// Why it loses nothing that threads stop where s would become infeasible and step early otherwise. What comes after
// such a step is not on the path. The steps of an execution that never takes one commute as above, and s along the way
// is the same: failure once some assertion was false, whenever that was. So each is the beginning of one in which every
// thread has stepped as far as it can, and what failed in the beginning has failed in all of it.
std::optional<OnPath> explore_path_quickly(Program const& program, bool zero, std::size_t limit) {
    OnPath found;
    NumberedProgram numbered(program, zero);
    Rows seen(numbered.initial().size());
    std::vector<std::size_t> rest;
    std::size_t count = 0;
    auto const add = [&](Row row) {
        step_all_on_path(numbered, row);
        if (seen.add(row)) {
            rest.push_back(count++);
        }
    };
    add(numbered.initial());
    while (!rest.empty()) {
        if (seen.size() > limit) {
            return std::nullopt;
        }
        Row const state = seen[rest.back()];
        rest.pop_back();
        found.fails = found.fails || numbered.status(state) == Status::failure;
        if (numbered.finished(state)) {
            found.completes = found.completes || numbered.status(state) == Status::success;
            continue;
        }
        std::vector<bool> awaited(numbered.endpoints(), false);
        bool all_at_waits = true;
        for (std::size_t t = 0; t < numbered.threads(); ++t) {
            if (numbered.finished(state, t)) {
                continue;
            }
            Row after = state;
            auto const reason = numbered.step(after, t);
            found.fault = found.fault || (reason.has_value() && is_fault(*reason));
            found.leaves = found.leaves || (!reason.has_value() && numbered.status(after) == Status::infeasible);
            if (reason == Reason::message_not_there) {
                awaited[numbered.awaited(state, t)] = true;
            }
            all_at_waits = all_at_waits && numbered.at_wait(state, t);
        }
        bool moves = false;
        for (std::size_t c = 0; c < numbered.channels(); ++c) {
            Row moved = state;
            if ((zero || awaited[numbered.beta(c)]) && !numbered.move(moved, c).has_value()) {
                moves = true;
                add(std::move(moved));
            }
        }
        found.deadlock = found.deadlock || (!moves && all_at_waits);
    }
    return found;
}

} // namespace matchpoint::naive
