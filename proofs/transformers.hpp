// What statements do to predicates in Boolean programs: assignments `p := choose(t, f)` (Sections 4.1 and 4.3).
//
//   Transformers transformers(cubes, rma::Model::rma, {});
//   for (Update const& u : transformers.assigned(x, e).V) ...      // x := e
//
// With the model `sc` this is BP(P, V), with `rma` EBP: p[set(s)] for each remote statement s and each p with src(s).
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

/// p[set(s)]
struct SetPredicate {
    rma::RemoteIndex s;
    std::uint32_t p;
};

/// p := choose(t, f): true if t is, false if f is and t is not, else unknown. Without covers: always unknown. In
/// a cover, the number of p[set(s)] comes after those of V.
struct Update {
    std::uint32_t p; // a predicate, or a set predicate
    Cover const* t = nullptr;
    Cover const* f = nullptr;
    rma::RemoteIndex from = rma::no_index; // reads p[set(from)] in place of each p that has one
};

/// All updates read what was before. Then the new value of a variable joins sets.
struct Transformer {
    std::vector<Update> V = {};
    std::vector<Update> sets = {};         // if their sets are active
    std::vector<std::uint32_t> joins = {}; // set predicates, if their sets are active
};

class Transformers {
public:
    using RemoteIndex = rma::RemoteIndex;

    Transformers(Cubes& cubes, rma::Model model, ReadingOfSets reading);

    std::vector<SetPredicate> const& set_predicates() const { return set_predicates_; }
    /// The number of p[set(s)]; no_index if p does not have src(s).
    std::uint32_t set_predicate(RemoteIndex s, std::uint32_t p) const {
        return s == rma::no_index ? rma::no_index : numbers_[s][p];
    }

    Bit initial(std::uint32_t p) const;

    // These throw SolverFailed and LimitReached. They stay where they are.
    /// x := e
    Transformer const& assigned(Symbol x, Formula e);
    /// trg(s) := an element of set(s)
    Transformer const& drawn(RemoteIndex s);
    /// F(taken => p) and F(taken => not p) of each p that shares a variable with a condition.
    std::vector<Update> const& strengthened(Formula taken);

private:
    std::vector<Update> changed(Symbol x, Formula e);
    Update compared(RemoteIndex s, std::uint32_t p);
    void join(Transformer& t, Symbol X) const;
    bool has(std::uint32_t p, Symbol x) const { return cubes_.formulas().has(cubes_.V()[p], x); }
    Symbol src(RemoteIndex s) const { return Formulas::symbol(cubes_.formulas().graph().remotes()[s].src); }

    Cubes& cubes_;
    ReadingOfSets reading_;
    std::unique_ptr<Cubes> relational_; // V, and the set predicates with e_s in place of src(s)
    std::vector<SetPredicate> set_predicates_;
    std::vector<std::vector<std::uint32_t>> numbers_; // by remote statement and predicate: into set_predicates_
    std::map<std::pair<Symbol, Formula>, Transformer> assigned_;
    std::map<RemoteIndex, Transformer> drawn_;
    std::map<Formula, std::vector<Update>> strengthened_;
};

} // namespace matchpoint::proofs
