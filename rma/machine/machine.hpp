// The machine: what can happen next in a state, as data, and what each of it does.
//
//   Graph const graph(program);
//   Machine const machine(graph);
//   State state = machine.initial();
//   for (Transition const& t : machine.enabled(state)) {
//       State next = state;
//       Effect const effect = machine.apply(next, t);
//   }
//
// rules.hpp has the rules. schedule.hpp runs a program, given what happens one after the other.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "rma/machine/rules.hpp"

namespace matchpoint::rma {

/// A process takes its next step; `choice` is the value of a `choose`, counted from 0.
struct ProcessStep {
    ProcessIndex p;
    std::uint32_t choice = 0;
    bool operator==(ProcessStep const&) const = default;
};
/// A network card executes a pending read.
struct NicRead {
    RemoteIndex s;
    bool operator==(NicRead const&) const = default;
};
/// A network card executes a pending write.
struct NicWrite {
    RemoteIndex s;
    Value val;
    bool operator==(NicWrite const&) const = default;
};
/// A network card executes a pending remote atomic, the first of its queue.
struct NicAtomic {
    RemoteIndex s;
    bool operator==(NicAtomic const&) const = default;
};
using Transition = std::variant<ProcessStep, NicRead, NicWrite, NicAtomic>;

/// Why a process does not step.
struct Blocked {
    enum class Why : std::uint8_t { finished, atomic, flush };
    Why why;
    ProcessIndex by = no_index;          // atomic: the process that is inside of one
    std::vector<RemoteIndex> waits = {}; // flush: the statements whose operations are pending
};

class Machine {
public:
    /// The graph has to outlive it.
    explicit Machine(Graph const& graph, Model model = Model::rma) : graph_(&graph), model_(model) {}

    Graph const& graph() const { return *graph_; }
    Program const& program() const { return graph_->program(); }
    Model model() const { return model_; }
    State initial() const { return initial_state(*graph_); }

    /// What can happen next: the steps of processes in their order, then reads, writes and atomics.
    void enabled(State const& state, std::vector<Transition>& result) const;
    std::vector<Transition> enabled(State const& state) const;
    /// The transition has to be enabled. If it discards the run or faults, the state stays what it was.
    Effect apply(State& state, Transition const& t) const;
    Rule rule(State const& state, Transition const& t) const;

    /// Whether a process steps, if the process that is inside of an `atomic` is known.
    bool steps(State const& state, ProcessIndex p, std::optional<ProcessIndex> inside) const;
    /// Why a process does not step; none if it does.
    std::optional<Blocked> blocked(State const& state, ProcessIndex p) const;
    /// The process that is inside of an `atomic`: no other one steps.
    std::optional<ProcessIndex> inside_atomic(State const& state) const;
    /// The statement that a process executes next; it has not finished.
    Statement const& next(State const& state, ProcessIndex p) const {
        return program().statements[graph_->at(state.pc[p]).executes];
    }
    /// Every process has finished, and R = W = A = {}.
    bool is_final(State const& state) const;

private:
    Effect step(State& state, ProcessStep const& t) const;

    Graph const* graph_;
    Model model_;
};

} // namespace matchpoint::rma
