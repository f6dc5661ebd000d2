#pragma once

/// The reference semantics once more, for tests: written sentence by sentence from the specification, with lists and
/// maps only, to be evidently right rather than fast. It shares no code with the machine it checks.

#include "tests/support/all_rooms.hpp"
#include "tests/support/plain.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace matchpoint::naive {

/// "s: success < failure < infeasible < error. It only moves up."
enum class Status { success, failure, infeasible, error };

/// Why a run stopped with status error.
enum class Reason {
    not_next_command,          ///< the entry's location is no thread's next command
    nothing_in_transit,        ///< a movement of an empty Pnd_s(beta)(alpha)
    no_posted_partner,         ///< a movement that needs a posted receive, and there is none that may get the message
    message_not_there,         ///< a wait on a receive that has no message
    send_not_taken,            ///< a wait on a send that waits, and no receive has the message
    send_not_issued,           ///< a wait on a send that waits, and that was never issued
    receive_not_pending,       ///< a wait on a receive that is not in Pnd_r of its endpoint
    variable_without_value,    ///< a variable is looked up that has no value in the store
    operand_of_wrong_sort,     ///< an operator is given values that are not of its sorts
    division_by_zero,          ///< div or mod by zero
    trace_used_up,             ///< the trace ended before every thread did
    not_at_barrier,            ///< a barrier that some thread has not reached
    guard_false,               ///< a `when` whose guard is false
    no_receive_for_ready_send, ///< a `rsndi` whose message no posted receive may get
    nothing_to_probe,          ///< a probe, and no message that a receive like it, posted now, could match
    wrong_peek,                ///< a probe whose peek is missing or says another message, or a peek at another command
    not_matched,               ///< a start of what no mprobe has matched, or that has started
    not_called,                ///< a collective, or a wait for one, that needs a thread which has not called it
    mismatch                   ///< a collective, or a wait for one, that disagrees with one that was called
};

inline constexpr std::size_t reason_count = 19;

/// [a v], an entry of Pnd_s(beta)(alpha): a send in transit.
struct PendingSend {
    std::string action;
    Value value;
    Tag tag = 0;
    Mode mode = Mode::standard;
    bool operator==(PendingSend const&) const = default;
};

/// [a x], an entry of Pnd_r(beta): a receive issued.
struct PendingReceive {
    std::string action;
    std::string variable; ///< empty as long as an mprobe's receive has not started
    Selectors sel = {};
    bool of_mprobe = false;
    bool operator==(PendingReceive const&) const = default;
};

/// [a alpha tag v-or-bot], an entry of Q_s(beta): a message delivered, or matched where receives select; without a
/// value (bot) when its value has been copied.
struct Message {
    std::string action;
    std::optional<Value> value;
    Endpoint alpha = 0;
    Tag tag = 0;
    bool operator==(Message const&) const = default;
};

/// A state of the machine, between two machine steps. Queues that are empty are not in their maps.
struct State {
    std::map<std::string, Value> store = {}; ///< eta and h together: variable -> value
    std::map<std::string, Endpoint> A = {};  ///< requests issued and not yet completed by a wait on a receive
    std::map<Endpoint, std::map<Endpoint, std::vector<PendingSend>>> Pnd_s = {}; ///< by beta, then alpha; oldest first
    std::map<Endpoint, std::vector<PendingReceive>> Pnd_r = {};                  ///< oldest first
    std::map<Endpoint, std::vector<Message>> Q_s = {};                           ///< oldest first
    std::vector<std::size_t> next = {}; ///< of each thread, the index of its next command (its length when finished)
    Status s = Status::success;
    std::map<std::string, std::string> matches = {}; ///< receive -> send, of the receives completed by a wait so far
    std::map<std::string, std::string> got = {};     ///< receive -> send, of the receives that ever had a message
    std::map<std::string, std::string> saw = {};     ///< probe or mprobe -> the send whose message it saw

    bool operator==(State const&) const = default;
};

/// Where and why a run stopped.
struct Trouble {
    std::size_t entry = 0;               ///< counted from 0; the trace's length when it was used up
    std::optional<std::string> location; ///< none when the trace was used up
    Reason reason = Reason::trace_used_up;
    bool operator==(Trouble const&) const = default;
};

/// What a run came to.
struct Result {
    Status status = Status::success; ///< the same as state.s
    std::size_t steps = 0;           ///< "machine steps completed with s below error"
    bool well_formed = false;        ///< Definition 2
    /// Sends left in Pnd_s (by destination, by source, oldest first), then those left unmarked in Q_s (by endpoint,
    /// oldest first).
    std::vector<std::string> orphan_sends = {};
    /// Receives left in Pnd_r whose partner in Q_s is not there or not marked (by endpoint, oldest first).
    std::vector<std::string> unmatched_receives = {};
    std::optional<Trouble> trouble = std::nullopt; ///< exactly when the status is error
    /// The last state; when the status is error, the state before the movements of the entry that erred, with s =
    /// error.
    State state = {};

    bool operator==(Result const&) const = default;
};

/// The state before the first step of `program`: nothing issued, nothing stored, every thread at its beginning.
State initial_state(Program const& program);

/// Whether a message is matched to an mprobe whose receive has not started.
bool is_held(State const& state, std::string const& send);

/// Whether every thread of `program` is finished in `state`.
bool finished(Program const& program, State const& state);

/// The sndi, rcvi or icollective command whose request `action` is, with its place; null if the program has none.
struct ActionSite {
    std::size_t thread = 0;
    std::size_t index = 0;
    Sndi const* sndi = nullptr;
    Rcvi const* rcvi = nullptr;
    Probe const* probe = nullptr;
    Collective const* collective = nullptr;
};
ActionSite find_action(Program const& program, std::string const& action);

/// Whether some receive at the endpoint does not admit every message.
bool selects(Program const& program, Endpoint beta);

/// The value of an expression in a store, or why no rule applies.
std::variant<Value, Reason> evaluate(Expression const& expression, std::map<std::string, Value> const& store);

/// Queue movement (Figure 7), or a match, in place; the reason if it makes s error (and `state` is then of no use).
std::optional<Reason> queue_movement(Program const& program, State& state, Movement const& movement, bool zero);

/// One machine step (Figure 6): the next state, or why there is none.
std::variant<State, Reason> step(Program const& program, State state, TraceEntry const& entry, bool zero);

/// Runs a trace from the initial state to its end or to its first error.
Result run(Program const& program, Trace const& trace, bool zero);

/// The threads with commands that have not run.
std::vector<std::size_t> unfinished_threads(Program const& program, State const& state);

/// The name of a status, as in the specification.
std::string to_text(Status status);
/// The name of a reason, as in the enum.
std::string to_text(Reason reason);
/// A result in words, several lines, for the messages of failing tests.
std::string to_text(Result const& result);

} // namespace matchpoint::naive
