// The rules of Section 2.1, one function each. A rule is called with the process that steps, or with the pending
// operation that a network card executes, and changes the state.
#pragma once

#include <string_view>

#include "rma/machine/state.hpp"

namespace matchpoint::rma {

enum class Model : std::uint8_t {
    rma,
    sc, // put and get are assignments, flush is skip
};

enum class Rule : std::uint8_t {
    put,
    get,
    nic_r,
    nic_w,
    load,
    store,
    flush,
    assign,
    choose,
    assume,
    assert_,
    skip,
    if_,
    while_,
    goto_,
    rmw,   // a remote atomic becomes pending
    nic_a, // a network card executes it
};
std::string_view to_string(Rule rule);

/// What a step did beside changing the state.
enum class Effect : std::uint8_t {
    moved,
    failed,    // passed a false assert
    discarded, // a false assume: the run does not count
    faulted,   // a zero divisor: the run ends there
};

/// A state, and where one process is in it.
struct Local {
    Graph const& graph;
    State& state;
    ProcessIndex p;

    Successors const& here() const { return graph.at(state.pc[p]); }
    void move_on() const { state.pc[p] = here().next; }
};

Effect put_rule(Local const& l);
Effect get_rule(Local const& l);
/// A remote statement under SC.
Effect remote_assignment(Local const& l);
Effect rmw_rule(Local const& l);
/// A remote atomic under SC.
Effect atomic_assignment(Local const& l);
Effect load_rule(Local const& l, Load const& c);
Effect store_rule(Local const& l, Store const& c);
/// Requires that flush_waits() does not hold.
Effect flush_rule(Local const& l);
Effect assign_rule(Local const& l, Assign const& c);
Effect choose_rule(Local const& l, Choose const& c, std::uint32_t choice);
Effect assume_rule(Local const& l, Assume const& c);
Effect assert_rule(Local const& l, Assert const& c);
Effect skip_rule(Local const& l);
/// `if`, and `while`.
Effect condition_rule(Local const& l, Expression e);
Effect goto_rule(Local const& l);

void nic_r_rule(Graph const& graph, State& state, RemoteIndex s);
void nic_w_rule(Graph const& graph, State& state, RemoteIndex s, Value val);
/// Requires that an atomic of s is the first of its queue.
void nic_a_rule(Graph const& graph, State& state, RemoteIndex s);
/// What Y becomes when an atomic of s is executed.
Value modified(Graph const& graph, State const& state, RemoteIndex s);

/// Whether the flush of a process to a target waits: an operation to it is pending, in R, W or A.
bool flush_waits(Graph const& graph, State const& state, ProcessIndex p, ProcessIndex target);
/// The statements whose operations it waits for.
std::vector<RemoteIndex> awaited(Graph const& graph, State const& state, ProcessIndex p, ProcessIndex target);

} // namespace matchpoint::rma
