#pragma once

/// The executions of a small program with shared variables up to equivalence, by brute force: written from "Equivalent
/// executions" and "Causal models" (docs/shared_memory.md), and made of the naive oracle's own steps.

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/all_rooms.hpp"
#include "tests/support/naive_explore.hpp"

namespace matchpoint::naive {

/// One class of executions that cannot go on.
struct ExecutionClass {
    std::string end; ///< complete, deadlock, off path, fault
    Status s = Status::success;
    std::size_t switches = 0;                        ///< the least of its executions
    std::map<std::string, std::string> matches = {}; ///< receive -> send, of those that a wait has completed
    bool operator==(ExecutionClass const&) const = default;
};

/// Whether a thread may execute its next command, as far as a causal model is concerned.
using MayStep = std::function<bool(State const&, std::size_t thread)>;

/// By what tells a class from others: which commands are executed, how conflicting ones are ordered, and in which order
/// messages are delivered that some wait needs. Nothing if there are more than `limit` prefixes of such.
std::optional<std::map<std::string, ExecutionClass>>
classes_of(Program const& program, bool zero, MayStep const& may_step = {}, std::size_t limit = 20'000);

/// How many executions there are that cannot go on, in every order of their steps and movements: what a search without
/// any reduction would visit. A thread also stops in front of an assumption that is false, and may in front of a
/// command that no rule applies to.
double interleavings_of(Program const& program, bool zero);

/// The key of the class of the execution that a trace leads to, of commands that can be executed. `then`: what is
/// delivered after them. `ended`: the threads that stop for good, before a command that no rule applies to.
std::string class_of(Program const& program, Trace const& trace, bool zero, std::vector<Movement> const& then,
                     std::vector<std::size_t> const& ended);

/// mcm: every command that is not free reads what it read in the trace, and messages have the values they had. hb:
/// conflicting commands come in the order of the trace, and receives get what they got. The trace stays on the path.
MayStep maximal_causal_model(Program const& program, Trace const& trace, bool zero);
MayStep happens_before_model(Program const& program, Trace const& trace, bool zero);
/// ctp: every execution of the program, cut to the commands that the trace executes.
MayStep trace_program(Program const& program, Trace const& trace);

} // namespace matchpoint::naive
