// The machine as a system to search (search.hpp), with reductions that keep every outcome:
//
// - Fused operations. A pending read is executed together with its write, or just before the variable that it reads changes.
//   At any other time it would read the same value, and nothing but a flush can tell a pending read from a pending write.
// - Ample sets. A step of one process that neither depends on what others can do nor is seen by an invariant is taken alone:
//   the steps on local variables, put and get (they only add a pending operation), and a flush that waits for nothing.
#pragma once

#include <vector>

#include "rma/machine.hpp"
#include "rma/search.hpp"

namespace matchpoint::rma {

struct ExploreOptions {
    bool fused = true;
    /// At most so many pending operations of one statement. A put or get beyond that is left out.
    std::uint32_t pending = 250;
    /// A step to an integer outside is left out.
    std::optional<ValueRange> values = std::nullopt;
};

class MachineSystem : public System {
public:
    static constexpr std::uint32_t most_pending = 250; // a byte counts them

    /// The machine has to outlive it.
    MachineSystem(Machine const& machine, ExploreOptions const& options);

    std::string initial() override;
    bool expand(std::string_view state, bool reduced, Expansion& result) override;
    std::string_view memory_part(std::string_view state) const override;
    std::vector<Value> memory(std::string_view memory_part) const override;
    void widen() override;

    /// The state that a text stands for; `state` is one of this machine.
    void unpack(std::string_view text, State& state) const;

    /// What happens on the way through states of a search, up to a state or, if `fails`, a step behind it that passes a false
    /// assertion.
    std::vector<Transition> way(std::vector<std::string> const& path, bool fails);

private:
    using Way = std::vector<Transition>;

    void pack(State const& state, std::string& out);
    void look(Expansion& result);
    bool ample(Expansion& result);
    bool is_local(ProcessIndex p) const;
    bool is_seen(StatementIndex before, StatementIndex after, Variable changed) const;
    void expand_all(Expansion& result);
    void add_step(ProcessStep t, Expansion& result);
    /// Adds what `way_` leads to, and what it leads to after some reads that it would make late.
    void add(Variable changes, Expansion& result);
    void add_with_early_reads(Variable changes, Expansion& result);
    void add_edge(Effect effect, Variable changed, Expansion& result);
    bool in_range(Variable changed) const;
    bool in_range(Value const& v) const;

    Machine const& machine_;
    Graph const& graph_;
    ExploreOptions options_;
    unsigned pc_width_;
    unsigned remote_width_;
    ValueTable values_;
    std::vector<Variable> packed_variables_; // all but places
    std::vector<char> is_in_invariant_;      // by variable
    std::vector<char> is_place_;             // by statement: an invariant asks whether a process stands there
    bool has_invariants_ = false;

    State here_;  // the state that is expanded
    State there_; // the next one
    Way way_;
    std::string packed_;
    std::vector<PendingWrites> sorted_; // scratch
    std::vector<Way>* ways_ = nullptr;  // of the edges, if somebody asks
};

} // namespace matchpoint::rma
