// BP(P, V) and EBP: an RMA program as a Boolean program over predicates V, under sequential consistency and under RMA
// (Sections 4.1 to 4.3; docs/rma.md, "Proofs").
//
//   Abstraction system(cubes, {.model = rma::Model::rma, .mode = AbstractMode::K});
//   rma::SearchResult const result = rma::search(system, {.stop_at_violation = true, .reduced = false});
//   if (result.complete() && !result.violation) ...      // verified: the program is safe
//
// A state has where each process is, how many operations of each remote statement s are pending (0, 1, 2 for many), and
// bits with three values: p for each p in V, and p[set(s)] for each s and each p with src(s). p[set(s)] is true if p
// holds for all elements of set(s), and false if it holds for none. What a statement does to them comes from F_V. A
// remote atomic has a second count, of values that it has fetched and that are still to be written to X. These have the
// set.
//
// Mode K keeps the three values, and a condition that is unknown takes both branches. Mode S splits: after a statement,
// each unknown p takes both values, and a state that contains an inconsistent cube is dropped. Both forget dead
// predicates (dead_predicates.hpp).
#pragma once

#include <array>
#include <atomic>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "proofs/dead_predicates.hpp"
#include "proofs/transformers.hpp"
#include "rma/search/reduced.hpp"
#include "rma/search/search.hpp"

namespace matchpoint::proofs {

enum class AbstractMode : std::uint8_t { K, S };
std::string_view to_string(AbstractMode mode);

struct AbstractionOptions {
    rma::Model model = rma::Model::rma;
    AbstractMode mode = AbstractMode::K;
    ReadingOfSets sets = {};
    bool splits_many = false; // mode K splits, too, where many operations of a statement are pending
    std::atomic<std::uint64_t>* expanded = nullptr; // counts the states that are expanded
};

class Abstraction : public rma::System {
public:
    struct AbstractState {
        std::vector<rma::StatementIndex> pc;
        std::vector<std::uint8_t> active; // by unit
        std::vector<Bit> V;
        std::vector<Bit> sets; // p[set(u)], by SetPredicate
    };

    /// `cubes` has to outlive it.
    Abstraction(Cubes& cubes, AbstractionOptions options);

    void prepare() override {}
    std::size_t words() const override { return layout_.words(); }
    rma::Packed initial() override;
    /// Without reductions. Throws SolverFailed, LimitReached.
    bool expand(rma::Word const* state, bool reduced, rma::Expansion& result) override;
    /// A state of the abstraction is no valuation.
    rma::Packed memory_part(rma::Word const*) const override { return {}; }
    std::vector<Value> memory(rma::Packed const&) const override { return {}; }
    void widen() override {}

    /// What is known of these bits is forgotten in each state from now on, the initial one included: those of V, then
    /// those of sets. A proof without them is still a proof.
    void leave_out(std::vector<bool> bits) { left_out_ = std::move(bits); }
    std::size_t bits() const { return V_.size() + sets_.size(); }

    AbstractionOptions const& options() const { return options_; }
    std::vector<Formula> const& V() const { return cubes_.V(); }
    std::vector<rma::Unit> const& units() const { return units_; }
    std::vector<SetPredicate> const& set_predicates() const { return transformers_.set_predicates(); }
    /// An assertion that a process is about to execute, and that is not known to hold. Throws SolverFailed and
    /// LimitReached.
    std::optional<rma::StatementIndex> failing_assertion(AbstractState const& state);
    /// By predicate: whether it is dead where the processes are.
    std::vector<bool> dead(AbstractState const& state) const;
    void pack(AbstractState const& state, rma::Word* words) const;
    void unpack(rma::Word const* words, AbstractState& state) const;

private:
    using StatementIndex = rma::StatementIndex;
    using ProcessIndex = rma::ProcessIndex;
    using RemoteIndex = rma::RemoteIndex;
    using UnitIndex = rma::UnitIndex;
    using Expansion = rma::Expansion;

    /// A cube that nothing satisfies, without the literal that is chosen last. With u, of the set of u while it is
    /// active.
    struct Inconsistent {
        UnitIndex u;
        std::vector<Literal> others; // a predicate, or V.size() and the number of a set predicate
    };

    void look(Expansion& result);
    bool all_finished() const;
    bool any_active(std::vector<UnitIndex> const& S) const;
    bool is_atomic(UnitIndex u) const { return !units_[u].is_fetched && graph_.remotes()[units_[u].s].is_atomic(); }
    std::optional<ProcessIndex> holder() const;
    void step(ProcessIndex p, Expansion& result);
    void move(ProcessIndex p, StatementIndex next, Expansion& result, rma::Effect effect = rma::Effect::moved);
    void branch(ProcessIndex p, Formula taken, StatementIndex next, Expansion& result);
    void execute_any(std::vector<UnitIndex> const& S, Expansion& result);
    void execute(UnitIndex u, Expansion& result);
    void issue(RemoteIndex s);
    void fetch(RemoteIndex s);
    void count(UnitIndex u);
    void apply(Transformer const& t);
    void join(std::uint32_t set_predicate, Bit joining);
    void deactivate(UnitIndex u);
    void mark_dead(AbstractState const& state, std::vector<bool>& predicates) const;
    void forget(AbstractState& state);
    void emit(Expansion& result, rma::Effect effect = rma::Effect::moved);
    bool splits() const;
    void split(std::uint32_t p, Expansion& result);
    void add_inconsistent(Cube const& cube, UnitIndex u);
    bool contradicts(std::vector<Inconsistent> const& cubes) const;

    Bit bit(AbstractState const& state, std::uint32_t p, UnitIndex u) const;
    bool holds(Cube const& cube, AbstractState const& state, UnitIndex u = rma::no_index) const;
    bool holds(Cover const& cover, AbstractState const& state, UnitIndex u = rma::no_index) const;
    Bit chosen(Update const& u) const;
    Formula expression(Expression e);
    Formula with_places(Expression e);

    Cubes& cubes_;
    rma::Graph const& graph_;
    AbstractionOptions options_;
    Transformers transformers_;
    rma::Chains chains_;
    std::vector<rma::Unit> units_;
    std::vector<UnitIndex> fetched_;  // by remote statement: what it has fetched
    std::vector<UnitIndex> all_;      // none under sequential consistency
    std::vector<UnitIndex> observed_; // chain(write(X)) of all X in invariants
    DeadPredicates dead_;
    std::vector<std::array<std::vector<Inconsistent>, 2>> inconsistent_; // by their last predicate: it is no, or yes
    std::vector<Inconsistent> inconsistent_sets_;                        // without one
    std::map<std::uint32_t, Formula> expressions_;                       // by root

    std::vector<bool> left_out_;  // by bit; none if it is empty
    std::vector<bool> forgotten_; // by predicate: of there_

    rma::WordLayout layout_;
    std::vector<rma::Field> pc_;
    std::vector<rma::Field> active_;
    std::vector<rma::Field> V_;
    std::vector<rma::Field> sets_;
    AbstractState here_;
    AbstractState there_;
};

} // namespace matchpoint::proofs
