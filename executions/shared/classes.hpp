// The executions of a program with shared variables, up to equivalence, on the reference machine: the ground truth
// (docs/shared_memory.md, "Equivalent executions").
//
//   Classes classes(messages, Buffering::infinite);
//   while (auto const end = classes.next()) use(*end, classes.state(), classes.schedule());
//
// Two executions are equivalent if one becomes the other when neighbours are swapped that are independent: commands of
// different threads that do not conflict on a shared variable, deliveries at different endpoints, and a delivery and a
// command. They are one Mazurkiewicz trace: all reads read the same writes, all receives get the same messages, and s
// is equal. The search visits each class of executions that cannot go on once.
//
// Two partial order reductions, both explained by Godefroid (Partial-Order Methods for the Verification of Concurrent
// Systems):
//
//   sleep sets        A transition that was explored in a sibling branch is skipped until one that depends on it has
//                     happened. No class is visited twice.
//   persistent sets   persistent_sets.hpp. Where all of a set sleep, every execution that goes on has been visited.
//
// Sleep sets keep data races, too: what a transition that sleeps leads to was reached in the sibling branch that
// explored it.
#pragma once

#include "executions/shared/persistent_sets.hpp"

namespace matchpoint::executions {

class Classes : public PersistentSets {
public:
    /// The messages and the model have to outlive it. Without a model, all executions count. `from` is a state that
    /// some execution reached; null for the initial state.
    Classes(MessageIndex const& messages, Buffering buffering, CausalModel const* model = nullptr,
            State const* from = nullptr)
        : PersistentSets(messages, buffering, model, from) {}

private:
    std::optional<End> examine() override;
    std::optional<End> follow(Choice const& choice) override;
    bool is_asleep(Choice const& choice) const;
    bool depend(Choice const& a, Choice const& b) const;
    bool takes_from(Deliver t, Location rho) const;
    void wake(Choice const& choice);

    std::vector<Choice> sleep_;
};

} // namespace matchpoint::executions
