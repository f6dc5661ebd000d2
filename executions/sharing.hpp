// What the searches of programs with shared variables (interleavings.hpp, few_switches.hpp) have in common.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "executions/scheduler.hpp"

namespace matchpoint::executions {

/// Which commands access shared variables, and which variables of a state can still be read.
class Sharing {
public:
    /// The messages have to outlive it. Linear in the size of the program.
    explicit Sharing(MessageIndex const& messages);

    /// Whether the next command of a thread conflicts with no command that other threads have left: it accesses no shared
    /// variable, or only such as none of them writes any more and, where it writes, none of them reads. Nothing that the others do
    /// can change what it does, or tell when it runs.
    bool is_local(State const& state, Location rho) const;
    /// The next commands of two threads, and a variable that both access and one writes.
    struct Conflict {
        Location first;
        Location second;
        Variable x;
    };
    /// The first conflict in a state between commands that are enabled, on a shared variable that is no synchronisation variable:
    /// one that no `when` names. None: there is none.
    std::optional<Conflict> data_race(State const& state, Buffering buffering) const;
    /// Appends what tells a state from others, as far as it can still count.
    void append_key(State const& state, std::string& key) const;

private:
    struct Access {
        Variable x;
        bool writes;
    };
    /// The last commands of a thread that access and that write a variable; none: it never does.
    struct LastAccess {
        std::uint32_t thread;
        std::optional<std::uint32_t> any;
        std::optional<std::uint32_t> write;
    };
    /// The last command of a thread that reads a variable.
    struct LastRead {
        std::uint32_t thread;
        std::uint32_t command;
    };

    std::optional<Variable> conflict(Location a, Location b) const;
    void append_queues(State const& state, std::string& key) const;

    MessageIndex const& messages_;
    std::vector<std::vector<Access>> accesses_;          // command -> to shared variables
    std::vector<std::vector<Access>> data_;              // the same, but for synchronisation variables
    std::vector<std::vector<LastAccess>> last_accesses_; // shared variable -> by each thread
    std::vector<std::vector<LastRead>> last_reads_;      // variable -> by each thread
};

/// How many pairs of consecutive steps of a schedule are of different threads.
std::uint32_t context_switches(IndexedProgram const& code, Schedule const& schedule);

/// A scheduler that chooses which thread steps next. It stays on the recorded path.
class SharedScheduler : public Scheduler {
protected:
    /// The messages have to outlive it.
    SharedScheduler(MessageIndex const& messages, Buffering buffering)
        : Scheduler(messages, buffering, Runs::executions), sharing_(messages) {
        machine_.keep_history();
    }

    /// Executes the local commands that a thread stands at, one after another, until it stands at another one or halts, or s
    /// becomes failure. False: there was none.
    bool run_local_commands(std::uint32_t thread);
    /// The deliveries that some thread waits for.
    void add_deliveries(std::vector<Transition>& to) const;

    Sharing sharing_;
};

} // namespace matchpoint::executions
