#include "proofs/cubes.hpp"

#include <random>

#include <gtest/gtest.h>

#include "proofs/differences.hpp"
#include "tests/rma/program_of.hpp"
#include "tests/support/seed.hpp"

namespace matchpoint::proofs {
namespace {

/// Formulas about the integers u, v, w, which can have any value, and the Boolean a.
class CubesTest : public testing::Test {
protected:
    rma::Program program_ = rma::program_of(
        "(rma (process 1 (local (u 0) (v 0) (w 0) (a true)) (u := (+ u 1)) (v := (+ v 1)) (w := (+ w 1))))");
    rma::Graph graph_{program_};
    Formulas formulas_{graph_};
    std::vector<Formula> const integers_{variable("u"), variable("v"), variable("w")};
    Formula const a_ = variable("a");

    Formula variable(std::string_view name) {
        return formulas_.of(Symbol{program_.symbols.variables.find(name).value()});
    }
    Formula number(std::int64_t n) { return formulas_.value(Value::integer(n)); }
    Formula at_most(Formula x, Formula y) { return formulas_.apply(Op::less_equal, x, y); }
    Cubes cubes(std::vector<Formula> V, CubeOptions options = {}) {
        return Cubes(formulas_, std::move(V), *solve::solver_command("z3"), options);
    }
    /// Whether each literal of `weaker` follows from one of the cube.
    bool implies(std::vector<Formula> const& V, Cube const& cube, Cube const& weaker) {
        auto const of = [&](Literal l) { return l.negated ? formulas_.negated(V[l.predicate]) : V[l.predicate]; };
        return std::all_of(weaker.begin(), weaker.end(), [&](Literal w) {
            return std::any_of(cube.begin(), cube.end(), [&](Literal l) {
                auto const cover = implicants_by_cycles(formulas_, {V[l.predicate]}, {0}, of(w), 1);
                return l == w || (cover && *cover == Cover{{{0, l.negated}}});
            });
        });
    }
    std::string F(std::vector<Formula> const& V, Formula phi, CubeOptions options = {}) {
        Cubes all = cubes(V, options);
        return all.text(all.F(phi));
    }
};

TEST_F(CubesTest, ImplyByCycles) {
    Formula const u = integers_[0], v = integers_[1], w = integers_[2];
    std::vector<Formula> const V{at_most(u, v), at_most(v, number(3)), at_most(u, number(3)), a_};
    EXPECT_EQ(F(V, at_most(u, number(4)), {.hops = 2}), "(or (<= u 3) (and (<= u v) (<= v 3)))");
    EXPECT_EQ(F(V, at_most(u, number(2))), "false");
    EXPECT_EQ(F(V, formulas_.apply(Op::or_, a_, at_most(w, number(0)))), "a");
    EXPECT_EQ(F(V, formulas_.truth(true)), "true");
    EXPECT_EQ(F(V, formulas_.negated(a_)), "(not a)");
    EXPECT_EQ(F(V, at_most(u, number(4)), {.size = 1, .hops = 2}), "(<= u 3)");
}

TEST_F(CubesTest, AreTheWeakest) {
    Formula const u = integers_[0], v = integers_[1];
    std::vector<Formula> const V{at_most(u, number(3)), at_most(u, number(2)), at_most(u, v), at_most(v, number(1))};
    EXPECT_EQ(F(V, at_most(u, number(4))), "(<= u 3)");
    EXPECT_EQ(F(V, at_most(u, number(1)), {.hops = 2}), "(and (<= u v) (<= v 1))");
    Cubes all = cubes(V);
    EXPECT_EQ(all.inconsistent().size(), 4U) << all.text(all.inconsistent()); // `u <= 2` without `u <= 3`, for example
}

/// What must hold contradicts each conjunct's negation: `w <= 1` is enough for the first one, `w <= 0` for both. Both
/// together count as one predicate, so that the cube has three.
TEST_F(CubesTest, CountTheStrongestComparisons) {
    Formula const u = integers_[0], v = integers_[1], w = integers_[2];
    std::vector<Formula> const V{at_most(w, number(0)), at_most(w, number(1)), at_most(v, w), at_most(u, number(-1))};
    auto const more = [&](Formula x, std::int64_t c) {
        return formulas_.negated(at_most(x, formulas_.apply(Op::plus, w, number(c))));
    };
    Formula const phi = formulas_.apply(Op::and_, more(u, -2), formulas_.apply(Op::and_, more(u, -1), more(v, -2)));
    EXPECT_EQ(F(V, phi, {.size = 3, .hops = 2}), "(and (<= w 0) (not (<= v w)) (not (<= u -1)))");
    EXPECT_EQ(F(V, phi, {.size = 2, .hops = 2}), "false");
}

TEST_F(CubesTest, AskTheSolver) {
    Formula const u = integers_[0];
    Formula const even = formulas_.apply(Op::equal, formulas_.apply(Op::mod, u, number(2)), number(0));
    std::vector<Formula> const V{even, at_most(u, number(3)), at_most(u, number(2))};
    EXPECT_EQ(F(V, at_most(u, number(2))), "(or (<= u 2) (and (= (mod u 2) 0) (<= u 3)))");
    Cubes all = cubes(V);
    EXPECT_EQ(all.text(all.inconsistent()),
              "(or (and (not (<= u 3)) (<= u 2)) (and (= (mod u 2) 0) (<= u 3) (not (<= u 2))))");
    EXPECT_GT(all.questions(), 0U);
}

/// The solver is asked about few of them.
TEST_F(CubesTest, OfManyPredicates) {
    Formula const u = integers_[0], v = integers_[1], w = integers_[2];
    std::vector<Formula> V;
    for (Formula const x : integers_)
        V.push_back(formulas_.apply(Op::equal, formulas_.apply(Op::mod, x, number(2)), number(0)));
    for (std::int64_t c = -3; c <= 3; ++c)
        for (auto const& [x, y] : {std::pair(u, v), std::pair(v, w), std::pair(u, w)})
            V.push_back(at_most(x, formulas_.apply(Op::plus, y, number(c))));
    Cubes all = cubes(V);
    std::string const at_most_w = all.text(all.F(at_most(u, w)));
    EXPECT_NE(at_most_w.find(" (<= u w) "), std::string::npos) << at_most_w;
    EXPECT_NE(at_most_w.find(" (and (<= u v) (<= v w))"), std::string::npos) << at_most_w;
    EXPECT_EQ(all.questions(), 0U);
    Formula const are_even = formulas_.apply(Op::and_, V[0], V[2]);
    std::string const if_even = all.text(all.F(formulas_.apply(Op::implies, are_even, at_most(u, w))));
    EXPECT_NE(if_even.find(" (<= u (+ w 1)) "), std::string::npos) << if_even;
    EXPECT_NE(if_even.find(" (not (= (mod u 2) 0)) "), std::string::npos) << if_even;
    EXPECT_LT(all.questions(), 100U);
    EXPECT_FALSE(all.inconsistent().empty());
}

TEST_F(CubesTest, NoSolver) {
    Formula const square = formulas_.apply(Op::times, integers_[0], integers_[0]);
    Cubes all(formulas_, {at_most(square, number(3))}, {"none", {"./no-such-solver"}}, {});
    EXPECT_THROW(all.F(at_most(integers_[0], number(3))), SolverFailed);
}

/// Cycles of edges against a solver: with a predicate that is no comparison of two variables, the solver has to answer.
TEST_F(CubesTest, CyclesAgreeWithTheSolver) {
    std::mt19937_64 random(naive::seeded(601));
    auto const pick = [&](std::uint64_t n) { return static_cast<std::int64_t>(random() % n); };
    auto const atom = [&]() -> Formula {
        if (pick(6) == 0) return a_;
        Formula const x = integers_[static_cast<std::size_t>(pick(3))];
        Formula const y = integers_[static_cast<std::size_t>(pick(3))];
        Formula const c = number(pick(3) - 1);
        return at_most(x, pick(2) == 0 ? c : formulas_.apply(Op::plus, y, c));
    };
    Formula sum = integers_[0];
    for (Formula const x : integers_) sum = formulas_.apply(Op::plus, sum, x);
    Formula const other = at_most(sum, number(100));
    std::size_t found = 0;
    for (int i = 0; i < 60; ++i) {
        std::set<Formula> atoms;
        for (int k = 0; k < 5; ++k)
            for (Formula const p : formulas_.atoms(atom())) atoms.insert(p);
        std::vector<Formula> V(atoms.begin(), atoms.end());
        Formula phi = pick(2) == 0 ? atom() : formulas_.negated(atom());
        for (std::int64_t k = pick(3); k > 0; --k)
            phi = formulas_.apply(pick(2) == 0 ? Op::or_ : Op::and_, phi,
                                  pick(4) == 0 ? formulas_.negated(atom()) : atom());
        std::vector<std::uint32_t> near;
        for (std::uint32_t p = 0; p < V.size(); ++p) near.push_back(p);
        auto by_cycles = implicants_by_cycles(formulas_, V, near, phi, 3);
        ASSERT_TRUE(by_cycles) << formulas_.text(phi);
        V.push_back(other);
        // All integers are near, and so are all predicates about them.
        Formula const all = formulas_.apply(Op::or_, phi, formulas_.negated(at_most(sum, number(1'000'000'000))));
        Cubes with_solver = cubes(V, {.size = 3, .hops = 3});
        Cover answers = with_solver.F(all);
        std::erase_if(answers,
                      [&](Cube const& cube) { return !cube.empty() && cube.back().predicate == V.size() - 1; });
        // Comparisons that imply weaker ones of the same variables may be missing, or be together with these.
        for (Cube const& cube : *by_cycles)
            EXPECT_TRUE(std::any_of(answers.begin(), answers.end(),
                                    [&](Cube const& answer) { return implies(V, cube, answer); }))
                << "case " << i << ": " << formulas_.text(phi) << ", " << with_solver.text(cube);
        for (Cube const& cube : answers)
            EXPECT_TRUE(std::any_of(by_cycles->begin(), by_cycles->end(),
                                    [&](Cube const& weaker) { return implies(V, cube, weaker); }))
                << "case " << i << ": " << formulas_.text(phi) << ", " << with_solver.text(cube);
        found += answers.size();
    }
    EXPECT_GT(found, 20U);
}

TEST_F(CubesTest, ContradictByCyclesAndResidues) {
    Formula const u = integers_[0], v = integers_[1];
    auto const plus = [&](Formula x, std::int64_t k) { return formulas_.apply(Op::plus, x, number(k)); };
    auto const equal = [&](Formula x, Formula y) { return formulas_.apply(Op::equal, x, y); };
    auto const mod = [&](Formula x, std::int64_t c) { return formulas_.apply(Op::mod, x, number(c)); };
    Formula const u_is_v = formulas_.apply(Op::and_, at_most(u, v), at_most(v, u));
    EXPECT_TRUE(contradict_by_cycles(formulas_, {u_is_v, at_most(plus(u, 1), v)}));
    EXPECT_FALSE(contradict_by_cycles(formulas_, {u_is_v}));
    // Equal numbers have equal residues; u = v + 1 would be one even, one odd; v = (mod u 2) is at most 1.
    EXPECT_TRUE(contradict_by_cycles(formulas_, {u_is_v, formulas_.negated(equal(mod(u, 2), mod(v, 2)))}));
    EXPECT_TRUE(contradict_by_cycles(formulas_,
                                     {equal(u, plus(v, 1)), equal(mod(u, 2), number(0)), equal(mod(v, 2), number(0))}));
    EXPECT_FALSE(contradict_by_cycles(
        formulas_, {equal(u, plus(v, 2)), equal(mod(u, 2), number(0)), equal(mod(v, 2), number(0))}));
    EXPECT_TRUE(contradict_by_cycles(formulas_, {equal(v, mod(u, 2)), at_most(number(2), v)}));
    EXPECT_TRUE(contradict_by_cycles(formulas_, {a_, formulas_.negated(a_)}));
    EXPECT_FALSE(contradict_by_cycles(formulas_, {equal(mod(u, 1000), number(0)), formulas_.truth(false)}));
}

/// Where small numbers satisfy all formulas, these do not contradict each other.
TEST_F(CubesTest, ContradictionsHaveNoSolution) {
    std::mt19937_64 random(naive::seeded(612));
    auto const below = [&](std::uint64_t n) { return random() % n; };
    auto const some = [&](std::int64_t least, std::int64_t most) {
        return least + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(most - least + 1)));
    };
    std::vector<Symbol> symbols;
    for (Formula const x : integers_) symbols.push_back(formulas_.symbols(x).front());
    auto const term = [&] {
        Formula const x = formulas_.apply(Op::plus, integers_[below(3)], number(some(-2, 2)));
        return below(2) == 0 ? x : formulas_.apply(Op::mod, x, number(some(2, 3)));
    };
    std::size_t contradictions = 0;
    std::size_t satisfiable = 0;
    for (int i = 0; i < 500; ++i) {
        std::vector<Formula> all;
        for (std::size_t k = 2 + below(4); k > 0; --k) {
            Formula const f = formulas_.apply(below(2) == 0 ? Op::equal : Op::less_equal, term(),
                                              below(3) == 0 ? number(some(-1, 2)) : term());
            all.push_back(below(3) == 0 ? formulas_.negated(f) : f);
        }
        Evaluation evaluation(formulas_, all);
        bool has_solution = false;
        for (std::int64_t n = 0; n < 1000 && !has_solution; ++n) {
            evaluation.at(symbols,
                          {Value::integer(n % 10 - 5), Value::integer(n / 10 % 10 - 5), Value::integer(n / 100 - 5)});
            has_solution = std::all_of(all.begin(), all.end(), [&](Formula f) { return evaluation[f].is_true(); });
        }
        bool const contradict = contradict_by_cycles(formulas_, all);
        EXPECT_FALSE(contradict && has_solution);
        contradictions += contradict ? 1 : 0;
        satisfiable += has_solution ? 1 : 0;
    }
    EXPECT_GT(contradictions, 50U);
    EXPECT_GT(satisfiable, 50U);
    EXPECT_GT(contradictions + satisfiable, 475U) << contradictions; // few are missed
}

} // namespace
} // namespace matchpoint::proofs
