// What an encoder can get wrong, rule by rule: the classes of constraints that make up the semantics of all executions
// (docs/encoding.md), and changes that drop, weaken or strengthen one of them. The rules of programs with shared
// variables and their changes have a form of their own, which is no encoding: shared_rules.hpp.
//
// The plain encoding has a Boolean for every pair and an instant for every delivery, and is not optimised: so each
// class is separate and can be changed alone. Without changes it is equivalent to the exact encoding. If some changes
// give the same wrong answer on a small program as an encoder does, they show which rule that encoder has wrong.
#pragma once

#include <array>
#include <bitset>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "encode/encoder.hpp"
#include "machine/schedule.hpp"

namespace matchpoint::validate {

/// Classes of constraints.
enum class Rule : std::uint8_t {
    program_order,        // consecutive commands of a thread
    a_send_per_receive,   // each receive gets exactly one message
    one_receive_per_send, // each send is received once
    channel_order,        // the sends of a channel are received in their order
    orphans,              // a send is received only if the one before it in its channel is
    endpoint_order,       // the receives at an endpoint are served in their order
    send_before_wait, // a message is sent before it is delivered, and that before its receive's nearest-enclosing wait
    rendezvous,       // zero buffering: a delivery comes after the receive is posted and before the wait of its send
    values,           // what is received is what was sent
    versions,         // each assignment and receive makes a new version of its variable
    divisors,         // are not zero
    assumptions,      // hold
    reading,          // which runs count
    property,         // not all assertions hold
    selectors,        // a receive gets only what it admits
    modes,            // some sends wait longer, or less, than the buffering says
    barriers,         // threads wait for each other
    // Of shared variables
    guards,    // hold
    reads,     // get the last write before them
    idle,      // what is not executed has no effect, and needs nothing
    atomicity, // of a command
    bound,     // on context switches
    causality, // which executions a causal model predicts from a trace
};
std::string_view to_string(Rule rule);

/// In which direction a change moves the answers.
enum class Direction : std::uint8_t {
    weaker,   // more problems are satisfiable: wrong answers are unsound
    stronger, // fewer are: wrong answers are incomplete
    either,   // some are that were not, and others no longer are
};

enum class Change : std::uint8_t {
    // Weaker
    no_program_order,
    order_of_steps_1_to_3,
    receive_without_message,
    receive_without_candidates,
    all_pairs,
    sends_twice,
    no_channel_order,
    overtaken_orphans,
    no_endpoint_order,
    no_send_before_wait,
    own_wait,
    no_rendezvous,
    posted_late,
    send_returns_early,
    not_taken,
    free_values,
    only_waited_for,
    divisor_zero,
    no_assumptions,
    no_property,
    no_assertion_fails,
    executions,
    // Stronger
    order_of_task,
    order_of_endpoint,
    order_of_waits,
    all_received,
    wait_of_task,
    send_before_receive,
    receive_before_send,
    as_zero,
    completed_before_next,
    completed_before_dependent,
    one_version,
    every_assertion_fails,
    first_assertion_fails,
    last_assertion_fails,
    one_assertion_fails,
    complete_runs,
    // Either: of programs that are not plain (ignoring.hpp)
    no_selectors,
    no_modes,
    no_barriers,
    // Of programs with shared variables (shared_rules.hpp). Weaker:
    first_guard,
    no_guards,
    total_division,
    split_commands,
    stale_reads,
    ties_in_a_thread,
    shared_times,
    bound_from_1,
    no_bound,
    no_model,
    not_cut,
    primitives_with_locals,
    locals_lost,
    read_after_write,
    // Stronger:
    no_initial_value,
    runs_on,
    idle_reads,
    idle_writes,
    each_assertion_negated,
    only_first_assertion,
    only_last_assertion,
    ends_at_failure,
    bound_of_all,
    assertions_end,
    assertions_read,
    // Either:
    one_by_one,
};
inline constexpr std::size_t change_count = 67;

/// What programs a change is about.
enum class About : std::uint8_t { messages, shared, any };

struct ChangeInfo {
    Change change;
    Rule rule;
    Direction direction;
    std::string_view name;   // "none": together with the rule, "channel order: none"
    std::string_view plain;  // for a stranger, after "your encoder": "lets two receives get the same message"
    std::string_view what;   // "the sends of a channel are received in any order"
    std::string_view right;  // the rule: "they are received in their order"
    std::string_view errata; // "E19", or empty; F1 to F20 are those of shared variables
    Bufferings bufferings;   // the bufferings in which it makes a difference
    bool alone = true;       // it makes a difference without another change, and without a bound on context switches
    About about = About::messages;
};
std::span<ChangeInfo const, change_count> changes();
ChangeInfo const& info(Change change);

using Changes = std::bitset<change_count>;
Changes only(Change change);
bool has(Changes const& changes, Change change);

/// The number of changes. `all_pairs` is not counted: an encoder without precomputed match pairs has nothing wrong.
std::size_t size(Changes const& changes);

/// "channel order: none; property: every assertion fails"
std::string to_string(Changes const& changes);

/// A program, for the plain encoding.
struct PlainInput {
    MessageIndex const* messages;
    Buffering buffering = Buffering::infinite;
    Matching const* only = nullptr; // only the executions with this match set; null for all
};

/// The plain encoding of complete runs as SMT-LIB 2.6, without (check-sat). Without changes it is satisfiable exactly
/// if some complete run fails. The program is plain. The changes of rule `reading`, and those of programs that are not
/// plain or share variables, are not in it. None if a change makes it ill-sorted (one version of a variable that has
/// values of two sorts).
std::optional<std::string> encode_with(PlainInput const& input, Changes const& changes);

} // namespace matchpoint::validate
