// F_V(phi), Section 4.1: what predicates must hold so that phi does. The disjunction of all minimal satisfiable cubes
// of at most k predicates that imply phi.
//
//   Cubes cubes(formulas, V, *solver_command("z3"), {});
//   Cover const& F = cubes.F(phi);
//   for (Cube const& cube : F) std::cout << cubes.text(cube) << "\n";
//
// Cubes are found as hitting sets. A state in which phi is false is a model of `not phi`; it says which predicates hold
// there. A cube that implies phi has at least one literal that is false in each such state. So the search extends a
// cube, smallest cubes first, by a literal that is false in the first known state which the cube does not exclude. When
// it excludes all that are known, the solver is asked for another one; if there is none, the cube implies phi. Most
// cubes are never asked about. The answers are kept for each phi. The models are kept for all: where another phi is
// false in one, the solver need not find it again. Cubes with comparisons that contradict each other are known from the
// beginning.
//
// No solver is needed where the variables have few values (domains.hpp), since then all states are known, and where all
// comparisons are differences (differences.hpp). What differences and remainders settle is not asked either. With the
// values that variables can have, more cubes imply phi. Where a bound on the work is reached, cubes are left out: a
// state then knows less, and what is verified is still true.
#pragma once

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "proofs/domains.hpp"
#include "proofs/formula.hpp"
#include "solve/solver.hpp"

namespace matchpoint::proofs {

/// A predicate of V, or its negation.
struct Literal {
    std::uint32_t predicate;
    bool negated;
    auto operator<=>(Literal const&) const = default;
};
using Cube = std::vector<Literal>; // sorted
using Cover = std::vector<Cube>;   // a disjunction; the empty cube is true

inline bool is_part(Cube const& part, Cube const& cube) {
    return std::includes(cube.begin(), cube.end(), part.begin(), part.end());
}

struct CubeOptions {
    std::uint32_t size = 6; // k; 0: any
    std::uint32_t hops = 1; // predicates that share a variable with phi, with those, ...
    bool domains = true;    // use which values variables can have; the paper does not
};

/// What kept the solver from answering.
struct SolverFailed {
    std::string what;
};

class Cubes {
public:
    Cubes(Formulas& formulas, std::vector<Formula> V, solve::SolverCommand command, CubeOptions options);

    /// With more predicates, after those of V.
    Cubes(Cubes const& of, std::vector<Formula> const& more);

    Formulas& formulas() const { return formulas_; }
    std::vector<Formula> const& V() const { return V_; }
    CubeOptions const& options() const { return options_; }
    /// Throws SolverFailed, LimitReached. The cover stays where it is. If the solver does not know within half a second
    /// whether a cube implies phi, the cube is left out.
    Cover const& F(Formula phi);
    /// All minimal cubes of at most three predicates that nothing satisfies: the same of `false`. If there are many
    /// predicates, only those of comparisons.
    Cover const& inconsistent();

    std::string text(Literal l) const;
    std::string text(Cube const& cube) const;
    std::string text(Cover const& cover) const;
    std::uint64_t questions() const { return *questions_; }

private:
    class Search;
    enum class Reply : std::uint8_t { sat, unsat, unknown };
    using State = std::uint64_t; // a bit for each of some predicates: those that hold

    /// A model that the solver found, for all formulas.
    struct Known {
        std::vector<Value> values;              // by symbol
        std::vector<std::optional<bool>> holds; // by predicate of V; nothing where a divisor is zero
    };

    std::vector<std::uint32_t> near(Formula phi) const;
    std::vector<std::uint32_t> useful(std::vector<std::uint32_t> predicates, Formula phi) const;
    std::vector<std::uint32_t> of_few_values(std::vector<std::uint32_t> predicates, Formula phi) const;
    Formula within_bounds(Formula phi);
    std::vector<std::uint32_t> comparisons(std::vector<std::uint32_t> predicates) const;
    Cover by_solver(std::vector<std::uint32_t> const& predicates, Formula phi, std::size_t size);
    std::optional<Cover> by_domains(std::vector<std::uint32_t> const& predicates, Formula phi, std::size_t size);
    Reply ask(Cube const& cube, Formula phi, std::vector<std::uint32_t> const& predicates, State* state);
    solve::Answer question(Cube const& cube, Formula phi, std::vector<std::uint32_t> const& predicates);
    Reply reply(solve::Answer const& answer) const;
    State state_of(solve::answer::Sat const& sat, std::vector<std::uint32_t> const& predicates) const;
    Cover const& contradictions();
    bool is_satisfiable(Cube const& cube, std::vector<std::uint32_t> const& predicates);
    Known const* keep(std::string_view model);
    void look_at_predicates(Known& k);
    static std::optional<State> state_in(Known const& k, std::vector<std::uint32_t> const& predicates);
    std::vector<State> known_states(Formula phi, std::vector<std::uint32_t> const& predicates) const;

    Formulas& formulas_;
    std::vector<Formula> V_;
    Domains domains_;
    solve::Solver solver_;
    CubeOptions options_;
    std::map<Formula, Cover> covers_;
    std::map<Cube, bool> satisfiable_;
    std::optional<Cover> inconsistent_;
    std::optional<Cover> contradictions_;
    std::vector<Symbol> symbols_; // all
    std::map<std::string, Symbol, std::less<>> smt_names_;
    Evaluation evaluation_; // of V
    std::vector<Known> known_;
    Known latest_;                                                                  // the last model
    std::shared_ptr<std::uint64_t> questions_ = std::make_shared<std::uint64_t>(0); // with those with more predicates
};

} // namespace matchpoint::proofs
