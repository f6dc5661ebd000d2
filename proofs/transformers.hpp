// What statements do to predicates in Boolean programs: assignments `p := choose(t, f)` (Sections 4.1 and 4.3).
//
//   Transformers transformers(cubes, rma::Model::rma, {});
//   for (Update const& u : transformers.assigned(x, e).V) ...      // x := e
//
// With the model `sc` this is BP(P, V), with `rma` EBP: p[set(s)] for each put or get s and each p with src(s), and
// p[set(s-fetched)] for each remote atomic s that fetches Y to X and each p with X.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "proofs/cubes.hpp"
#include "rma/machine/machine.hpp"

namespace matchpoint::proofs {

/// What to read as the paper prints it. Both are unsound.
struct LiteralAbstraction {
    bool R9 = false;  // drawing Y from set(s): a predicate over Y and X is abstracted as `Y := X`
    bool R10 = false; // an assignment to x does not change predicates of sets that have x
};

/// How set(s) is abstracted.
struct ReadingOfSets {
    LiteralAbstraction literal = {};
    bool relational = false; // drawing Y from set(s): F of predicates over Y and X, by what holds for X and for the set
};

/// The value of a predicate, or of one for a set.
enum class Bit : std::uint8_t { unknown, yes, no };

/// p[set(u)]: p with an element of the set in place of src(s), or in place of X for what an atomic fetches.
struct SetPredicate {
    rma::UnitIndex u;
    std::uint32_t p;
};
/// By unit, then by predicate.
std::vector<SetPredicate> set_predicates_of(Formulas& formulas, std::vector<Formula> const& V);

/// p := choose(t, f): true if t is, false if f is and t is not, else unknown. Without covers: always unknown. In
/// a cover, the number of p[set(u)] comes after those of V.
struct Update {
    std::uint32_t p; // a predicate, or a set predicate
    Cover const* t = nullptr;
    Cover const* f = nullptr;
    rma::UnitIndex from = rma::no_index; // reads p[set(from)] in place of each p that has one
};

/// All updates read what was before. Then the new value of a variable joins sets.
struct Transformer {
    std::vector<Update> V = {};
    std::vector<Update> sets = {};         // if their sets are active
    std::vector<Update> fetched = {};      // set predicates: of the value that joins its set, or becomes it
    std::vector<std::uint32_t> joins = {}; // set predicates, if their sets are active
};

class Transformers {
public:
    using RemoteIndex = rma::RemoteIndex;
    using UnitIndex = rma::UnitIndex;

    Transformers(Cubes& cubes, rma::Model model, ReadingOfSets reading);

    std::vector<SetPredicate> const& set_predicates() const { return set_predicates_; }
    /// The number of p[set(u)]; no_index if there is none.
    std::uint32_t set_predicate(UnitIndex u, std::uint32_t p) const {
        return u == rma::no_index ? rma::no_index : numbers_[u][p];
    }

    Bit initial(std::uint32_t p) const;

    // These throw SolverFailed and LimitReached. They stay where they are.
    /// x := e
    Transformer const& assigned(Symbol x, Formula e);
    /// trg(s) := an element of set(u)
    Transformer const& drawn(UnitIndex u);
    /// A remote atomic is executed: Y := Y op Z, and the old Y is fetched.
    Transformer const& modified(RemoteIndex s);
    /// The same under sequential consistency, where the old Y is in X at once.
    Transformer const& exchanged(RemoteIndex s);
    /// F(taken => p) and F(taken => not p) of each p that shares a variable with a condition.
    std::vector<Update> const& strengthened(Formula taken);

private:
    Update updated(std::uint32_t number, Formula wp);
    std::vector<Update> changed(Symbol x, Formula e);
    std::vector<Update> landed(UnitIndex u);
    Update compared(RemoteIndex s, std::uint32_t p);
    void forget(Transformer& t, Symbol Y) const;
    void join(Transformer& t, Symbol X) const;
    bool has(std::uint32_t p, Symbol x) const { return cubes_.formulas().has(cubes_.V()[p], x); }
    rma::Remote const& remote(UnitIndex u) const { return cubes_.formulas().graph().remotes()[units_[u].s]; }
    /// What elements of set(u) take the place of.
    Symbol read(UnitIndex u) const { return Formulas::symbol(units_[u].is_fetched ? remote(u).trg : remote(u).src); }

    Cubes& cubes_;
    ReadingOfSets reading_;
    std::vector<rma::Unit> units_;
    std::unique_ptr<Cubes> relational_; // V, and the set predicates about elements
    std::vector<SetPredicate> set_predicates_;
    std::vector<std::vector<std::uint32_t>> numbers_; // by unit and predicate: into set_predicates_
    std::vector<std::pair<Cover, Cover>> itself_;     // by predicate: it, and its negation
    std::map<std::pair<Symbol, Formula>, Transformer> assigned_;
    std::map<UnitIndex, Transformer> drawn_;
    std::map<RemoteIndex, Transformer> modified_; // or exchanged
    std::map<Formula, std::vector<Update>> strengthened_;
};

} // namespace matchpoint::proofs
