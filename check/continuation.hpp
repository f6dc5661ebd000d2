// What can come of a state that some execution reached, by the engines of check().
//
//   Continuation const c = continuation(messages, state, Goal::Kind::failure, options);
//   if (c.answer == Reached::Answer::yes) follow(c.schedule);
//
// With shared variables, exploration alone decides (executions/shared/interleavings.hpp): what a thread reads depends
// on all that came before, and no set of matches says that.
//
// Of other programs, samples and exploration go on from the state itself. The solvers are asked about executions from
// the initial state, with what was delivered so far as the matches of these receives and sends. Why that is the same
// question:
//
// Let P be the execution so far, and E an execution that gives none of these receives another send, and none of these
// sends to another receive. Under D1 to D6 the order of deliveries at an endpoint is all that P and E could disagree
// about, and there one of them begins as the other does. So what P and E did together is an execution E', too. What has
// to come before a step of P is in P, so E' can do all of P first. Its commands have the values that they have in P or
// in E. So
//
//   path       E' is on the path if P and E are
//   failure    E' fails if E does
//   deadlock   if no thread can go on after E, P has no command that E has not, for the first one could follow E
//   fault      if a thread cannot pass a zero divisor after E, P has not passed it
//
// Conversely, what comes after P is such an E, together with P.
#pragma once

#include "check/check.hpp"
#include "executions/breadth_first.hpp"

namespace matchpoint::check {

struct Continuation {
    Reached::Answer answer = Reached::Answer::unknown;
    /// yes: the way, from the state on; the reference machine has run it. To a failure, it ends with the assertion that
    /// fails; to a fault, with the command that is stuck. It leaves out deliveries that no command follows.
    Schedule schedule;
    std::string engine; // which engine decided: "samples", "exploration", "sat", "smt (z3)"; empty if none had to
    std::string why;    // then, in words: "no divisor can be zero"
    std::vector<Trouble> trouble; // unknown: why
};

/// Whether an execution that goes on from the state gets there. Any kind but `match`. The messages and the state have
/// to outlive the call. The options `runs` and `stops` do not count; EngineChoice::sat explores for deadlocks and
/// faults. `enters` is told what is tried, and how far it is.
Continuation continuation(MessageIndex const& messages, State const& from, Goal::Kind goal, CheckOptions const& options,
                          std::function<void(std::string_view)> const& enters = {});

} // namespace matchpoint::check
