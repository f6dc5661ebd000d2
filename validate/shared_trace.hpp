// What a trace of a program with shared variables did, command by command: what a causal model predicts from
// (shared_rules.hpp; Section 6 of Symbolic Predictive Analysis).
//
//   std::optional<SharedTrace> const trace = SharedTrace::of(program, schedule);
//   for (auto const& [variable, value] : trace->threads[t][i].reads) use(variable, value);
//
// It shares no code with CausalModel of executions/, of which it is the second opinion.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "machine/schedule.hpp"
#include "validate/shared_program.hpp"

namespace matchpoint::validate {

class SharedTrace {
public:
    /// A thread has to have executed so many of its commands.
    struct Needs {
        std::uint32_t thread;
        std::uint32_t commands;
    };
    struct Event {
        std::vector<std::pair<std::uint32_t, Value>> reads = {}; // shared variables, and what it read of them
        std::vector<Value> assigned = {};                        // as in SharedEvent::assigned
        /// It accesses at least one synchronisation variable, and no other shared variables.
        bool is_primitive = false;
        /// No local variable occurs in it either, or it is an assertion.
        bool is_free = false;
        std::vector<Needs> conflicts = {}; // all that came before it and conflicts with it
        std::vector<Needs> writers = {};   // of these, what wrote a variable that it reads
    };

    /// The program and the code have to outlive it. None if some entry cannot be executed on the path.
    static std::optional<SharedTrace> of(SharedProgram const& program, Schedule const& schedule);

    std::vector<std::vector<Event>> threads; // what each thread executed

private:
    static Event classified(SharedProgram const& program, SharedEvent const& event,
                            std::vector<bool> const& synchronises);
    void order(SharedProgram const& program, std::vector<std::uint32_t> const& steps);
};

} // namespace matchpoint::validate
