// All executions of a program with shared variables, on the reference machine, up to what check() asks for
// (docs/shared_memory.md).
//
//   Interleavings all(messages, Buffering::infinite);
//   while (auto const end = all.next()) use(*end, all.state(), all.schedule());
//
// Commands of different threads depend on each other here: what a read gets depends on when it comes. So the search
// branches on which thread steps next, and on the deliveries that some thread waits for. An execution ends where it
// leaves the recorded path: no false assumption is taken.
//
// Three reductions keep the verdict, deadlocks, faults and data races:
//
//   persistent sets  The search branches on the next transitions of some threads only (persistent_sets.hpp). A command
//                    that conflicts with none that the other threads have left runs as soon as its thread reaches it.
//   merged states    Two states are one if their threads are at the same commands, the same messages are on their way
//                    or delivered, s is equal, and every variable that is still to be read has the same value; or if
//                    that is so once threads that are alike have exchanged their places (symmetry.hpp).
//   chains           If movers are known (movers.hpp), a chain is one step. Persistent sets are then those of programs
//                    that have chains instead of commands. A thread may leave the path in the middle of a chain. Its
//                    part of the chain can as well come last, or not at all, so the others need not go on. But one
//                    choice of each state is followed to the end: after it comes what is independent of all of them.
#pragma once

#include <optional>
#include <string>

#include "executions/key_set.hpp"
#include "executions/shared/persistent_sets.hpp"

namespace matchpoint::executions {

/// next() shows classes of executions only as far as they can differ in what check() asks for.
class Interleavings : public PersistentSets {
public:
    /// The messages and the model have to outlive it. Without a model, all executions count. `from` is a state that
    /// some execution reached; null for the initial state.
    Interleavings(MessageIndex const& messages, Buffering buffering, CausalModel const* model = nullptr,
                  State const* from = nullptr)
        : PersistentSets(messages, buffering, model, from), symmetry_(messages.code(), model) {}

    /// Before the first execution, and without a model. The movers have to outlive it.
    using PersistentSets::use;

private:
    std::optional<End> examine() override;
    std::optional<End> follow(Choice const& choice) override;
    void run_all_local_commands();
    bool is_seen();
    enum class Chain { done, stopped, has_left_path };
    Chain take_chain(Choice const& choice);

    Symmetry symmetry_;
    KeySet seen_;
    std::string key_;
    bool has_left_path_ = false;           // in some execution, which went on to its end
    std::vector<bool> has_way_to_the_end_; // by frame: some choice before did not leave the path in its chain
};

} // namespace matchpoint::executions
