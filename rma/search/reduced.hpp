// The reduction of Section 3 (Table 2), repaired (docs/rma.md, "The reduction"): the program as a sequentially
// consistent one with a set and a counter for each remote statement. What it does includes all that the program does
// under RMA.
//
//   set(s)      the values that a pending write of s may carry
//   active(s)   0, 1 or 2 (many): how many operations of s are pending
//
//   ReducedSystem system(graph, {});
//   SearchResult const result = search(system, {});      // no violation: the program is safe under RMA
#pragma once

#include <set>
#include <string_view>
#include <vector>

#include "rma/machine/machine.hpp"
#include "rma/search/packed_states.hpp"
#include "rma/search/search.hpp"

namespace matchpoint::rma {

/// What to read as the paper prints it, by its entry in docs/rma.md. For comparison only: most of it is unsound.
struct Literal {
    bool R2 = false;  // flush executes without adding to sets
    bool R3 = false;  // load does not begin with remoteOps
    bool R4 = false;  // one set for each variable
    bool R5 = false;  // nothing is executed at the end
    bool R7 = false;  // a flag instead of a count
    bool R8 = false;  // each printed statement is a step; only the text of the reduced program has it (reduced_run.hpp)
    bool R11 = false; // no chains
};
inline constexpr std::string_view literal_names[] = {"R2", "R3", "R4", "R5", "R7", "R8", "R11"};
/// False: there is no such name.
bool set_literal(Literal& literal, std::string_view name);
/// What is read literally, in the order of `literal_names`.
std::vector<std::string_view> entries_of(Literal const& literal);

/// What the reduction executes: a remote statement, or what an atomic has fetched, which is written to X later.
struct Unit {
    RemoteIndex s;
    bool is_fetched = false;
};
using UnitIndex = std::uint32_t;
/// The remote statements, in their order, and then what the atomics among them have fetched.
std::vector<Unit> units_of(Graph const& graph);

/// The sets of units that the reduction executes. An atomic reads several variables at once, so with one in the program
/// everything may be executed at any time.
class Chains {
public:
    Chains(Graph const& graph, Literal const& literal);
    /// chain(write(X)). With atomics none, since that is executed at any time.
    std::vector<UnitIndex> const& write(Variable X) const { return write_[X.index]; }
    /// remote(p, pid), and chain(remote(p, pid))
    std::vector<UnitIndex> remote(ProcessIndex p, ProcessIndex pid) const;
    std::vector<UnitIndex> of(std::vector<UnitIndex> const& S) const;
    /// chain(write(X)) of all X in invariants: Table 2 executes remote operations where a process looks at memory, and
    /// an invariant looks at it all the time. With atomics all units.
    std::vector<UnitIndex> observed() const;

private:
    Graph const& graph_;
    Literal literal_;
    std::vector<Unit> units_;
    std::vector<std::vector<UnitIndex>> write_;
};

/// Why `literal` does not suit a program; empty if it does.
std::string_view why_not_literal(Graph const& graph, Literal const& literal);
/// Many pending atomics are executed any number of times, and a counter grows without end. So the reduced program of
/// one with atomics is searched no further, unless it is asked for.
inline constexpr std::uint32_t most_states_with_atomics = 50'000;
inline constexpr ValueRange values_with_atomics{-1'000'000'000, 1'000'000'000};

class ReducedSystem : public System {
public:
    /// The graph has to outlive it. Without R8.
    ReducedSystem(Graph const& graph, Literal const& literal, std::optional<ValueRange> values = {});

    void prepare() override;
    std::size_t words() const override { return fields_->layout.words(); }
    Packed initial() override;
    bool expand(Word const* state, bool reduced, Expansion& result) override;
    Packed memory_part(Word const* state) const override { return fields_->memory_part(state); }
    std::vector<Value> memory(Packed const& memory_part) const override {
        return fields_->memory(memory_part, values_);
    }
    void widen() override;

private:
    using Set = SetTable::Set;
    struct ReducedState {
        State base;                       // R, W and A stay empty
        std::vector<std::uint8_t> active; // by unit
        std::vector<Set> sets;            // by unit, or literally by variable
    };

    void pack(ReducedState const& state, Word* words);
    void unpack(Word const* words, ReducedState& state) const;
    void look(Expansion& result);
    bool all_finished() const;
    bool any_active(std::vector<UnitIndex> const& S) const;
    bool ample(Expansion& result);
    void step(ProcessIndex p, Expansion& result);
    void execute_any(std::vector<UnitIndex> const& S, bool adds, Expansion& result);
    void execute(UnitIndex u, std::uint32_t e, bool adds, Expansion& result);
    void execute_atomic(RemoteIndex s, Expansion& result);
    void executed(UnitIndex u, Variable changed, Expansion& result);
    void count(ReducedState& state, UnitIndex u) const;
    void issue(ReducedState& state, UnitIndex u, std::uint32_t e) const;
    void join(ReducedState& state, Variable X, std::uint32_t e) const;
    void deactivate(ReducedState& state, UnitIndex u) const;
    std::size_t set_of(UnitIndex u) const { return set_of_[u]; }
    bool is_atomic(UnitIndex u) const { return !units_[u].is_fetched && graph_.remotes()[units_[u].s].is_atomic(); }
    void add(Effect effect, Variable changed, Expansion& result);

    Graph const& graph_;
    Machine machine_;
    Literal literal_;
    std::optional<ValueRange> range_;
    std::optional<Chains> chains_; // since it was prepared
    std::vector<Unit> units_;
    std::vector<UnitIndex> fetched_; // by remote statement: what it has fetched
    std::vector<UnitIndex> all_;
    std::vector<UnitIndex> observed_; // chain(write(X)) of all X in invariants
    ValueTable values_;
    SetTable sets_;
    std::optional<PackedStates> fields_;
    std::vector<Field> active_; // by unit
    std::vector<Field> set_;
    std::vector<std::size_t> set_of_; // by unit
    bool has_invariants_ = false;
    ReducedState here_;
    ReducedState there_;
};

} // namespace matchpoint::rma
