#pragma once

/// All executions of a plain program under rules D1 to D6, by brute force: its ground truth, written from "Outcomes of
/// a program", in two ways. The plain one is made of the naive oracle's own steps, to be evidently right rather than
/// fast; the quick one is for large programs and many, and is tested against the plain one.

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tests/support/all_rooms.hpp"
#include "tests/support/naive_oracle.hpp"

namespace matchpoint::naive {

/// Receive -> send, by action: every receive of the program with its partner.
using Matching = std::map<std::string, std::string>;

enum class Verdict { violated, safe, vacuous };

/// What the executions of a program come to as long as they are on the path, that is, before an assumption is false.
struct OnPath {
    bool fails = false;     ///< some execution reaches s = failure
    bool completes = false; ///< some complete run has status success
    bool deadlock = false;
    bool fault = false;
    bool leaves = false; ///< some execution reaches an assumption that is false

    Verdict verdict() const { return fails ? Verdict::violated : completes ? Verdict::safe : Verdict::vacuous; }
    bool operator==(OnPath const&) const = default;
};

/// What a program can come to under one buffering.
struct Truth {
    std::map<Matching, Status> outcomes = {};                    ///< (match set, status) over all complete runs
    std::set<std::pair<std::string, std::string>> exact_pairs{}; ///< (receive, send) that occur in some complete run
    std::set<std::string> orphans = {};                          ///< sends that some complete run leaves unmatched
    std::set<std::vector<std::size_t>> deadlocks = {}; ///< of each deadlock, the index of every thread's next command
    std::set<std::string> faults = {};                 ///< locations of commands that a fault stops at
    bool deadlock = false;                             ///< whether there are deadlocks
    bool fault = false;                                ///< whether there are faults
    Verdict verdict = Verdict::vacuous;

    std::map<Matching, Trace> traces = {}; ///< a complete run of each match set; only `explore_quickly` has them
    OnPath on_path = {};                   ///< `explore_quickly` does not have it

    /// Takes up a complete run with what it adds to `outcomes`, `exact_pairs` and `orphans`; throws as
    /// `explore_plainly` does.
    void add_complete(Program const& program, Matching const& matching, Status status);
    /// When all that there is was taken up: sets what follows from it.
    void conclude();

    /// Whether all but the traces and `on_path` are equal.
    bool operator==(Truth const& other) const;
};

/// A state, all of it, as text: no two states have the same.
std::string key_of(State const& state);
/// The next command of an unfinished thread.
Command const& next_command(Program const& program, State const& state, std::size_t thread);
/// One step of a thread, without movements.
std::variant<State, Reason> step_of(Program const& program, State const& state, std::size_t thread, bool zero);
/// Every step of a thread: one, or of a probe one for each message that it can see, with its peek; or why there is
/// none.
std::vector<std::pair<std::optional<Movement>, std::variant<State, Reason>>>
steps_of(Program const& program, State const& state, std::size_t thread, bool zero);
/// The partners of a complete run, and the messages that its probes saw: what its outcome follows from.
Matching outcome_of(State const& state);
/// Every movement that is possible, with the state after it. It has a tag where `(beta alpha)` could mean another
/// match: some receive at beta selects by tag, and the program's sends from alpha to beta have several.
std::vector<std::pair<Movement, State>> movements_of(Program const& program, State const& state, bool zero);
/// Every unfinished thread is at a command that waits (a wait, a barrier or a `when`), and there is one.
bool all_waiting(Program const& program, State const& state);

/// "no rule applies to for another reason" than that a wait is not satisfied yet.
bool is_fault(Reason reason);

/// The ground truth of `program`, which obeys D1 to D6, over every interleaving of single thread steps and single
/// movements, movements at any moment; nothing if there are more than `limit` states.
///
/// Throws std::logic_error if two complete runs with one match set differ in status, or a complete run leaves a receive
/// without a partner: under D1 to D6 neither is possible.
std::optional<Truth> explore_plainly(Program const& program, bool zero, std::size_t limit = 1'000'000);

/// As `explore_plainly`, but where threads can step only the first of them does, and nothing moves. That loses nothing
/// under D1 to D6: what a thread does next, no step of another and no movement prevents or changes; and a movement that
/// is possible stays possible, and stays the same, whatever threads do, as what they send and post comes later.
std::optional<Truth> explore_eagerly(Program const& program, bool zero, std::size_t limit = 1'000'000);

/// As `explore_plainly`, but threads step as soon as they can, and with infinite buffering nothing is delivered before
/// some thread is at a wait for it (why that loses nothing is said at its definition). The number of states,
/// compared with `limit`, is that of the states in which no thread can step. States are rows of numbers, and the rules
/// are written once more, for rows; expressions are evaluated by the oracle. The rules are those without selectors,
/// modes and barriers: throws std::invalid_argument if the program has some.
std::optional<Truth> explore_quickly(Program const& program, bool zero, std::size_t limit = 1'000'000);

/// The `on_path` of `explore_plainly`, as quickly as `explore_quickly`.
std::optional<OnPath> explore_path_quickly(Program const& program, bool zero, std::size_t limit = 1'000'000);

/// Calls `visit` with every trace of `program` that completes, each once, movements at any moment, until it returns
/// false; true if it never did. Movements that would come after the last step belong to no trace.
bool for_each_complete_trace(Program const& program, bool zero, std::function<bool(Trace const&)> const& visit);

/// The name of a verdict, as in the specification.
std::string to_text(Verdict verdict);
std::string to_text(OnPath const& on_path);
/// A truth in words, several lines, for the messages of failing tests.
std::string to_text(Truth const& truth);

} // namespace matchpoint::naive
