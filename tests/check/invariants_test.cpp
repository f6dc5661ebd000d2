// Inductive invariants: what they prove, what they leave open, and what they are. Blocks are tested in tests/counting/.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "check/shared/invariants.hpp"
#include "tests/support/subjects.hpp"

namespace matchpoint::check {
namespace {

/// A program, and what is proved of it.
class Proved {
public:
    explicit Proved(std::string const& text, bool has_solver = true)
        : subject_(text), proofs_(subject_.messages), solver_(*solver_command("z3")),
          invariants_(
              subject_.messages, proofs_,
              [this, has_solver](std::string const& problem) -> ModelAnswer {
                  ++problems;
                  if (!has_solver) return Unanswered{Trouble{Trouble::Kind::solver, "none"}};
                  Answer answer = solver_.check(problem, {.model = true});
                  if (auto* const sat = std::get_if<answer::Sat>(&answer)) return SolverModel{sat->model};
                  EXPECT_TRUE(std::holds_alternative<answer::Unsat>(answer))
                      << to_string(answer, solver_.command()) << "\n"
                      << problem;
                  return NoModel{};
              },
              "z3"),
          is_proved(invariants_.no_assertion_fails()) {}

    bool has(std::string const& text) const {
        auto const all = invariants_.found().conditions;
        return std::find(all.begin(), all.end(), text) != all.end();
    }
    bool has_trouble() const { return invariants_.trouble().has_value(); }

private:
    test::Subject subject_;
    counting::Proofs proofs_;
    Solver solver_;
    Invariants invariants_;

public:
    std::size_t problems = 0;
    bool is_proved;
};

/// Two threads do something in regions of a lock, and a third one asserts something, at any time.
std::string regions(std::string_view does, std::string_view asserted, std::string_view shared = "[x 1] [y 1]") {
    std::string threads;
    for (int t = 0; t < 2; ++t)
        threads += fmt::format("([a{0} (when (> l 0) (l := (- l 1)))] {1} [r{0} (l := (+ l 1))])", t,
                               fmt::format(fmt::runtime(does), t));
    return fmt::format("(shared [l 1] {}) ({} ([z0 (when (> l 0) (l := (- l 1)))] [z1 (assert {})]))", shared, threads,
                       asserted);
}

TEST(Invariants, WhatIsAssertedIsPreserved) {
    Proved const p(regions("[b{0} (t{0} := x)] [c{0} (x := (* t{0} 2))]", "(> x 0)"));
    EXPECT_TRUE(p.is_proved);
    EXPECT_TRUE(p.has("(> x 0)"));
    EXPECT_TRUE(p.has("(>= x 1)"));
    EXPECT_FALSE(p.has("(= x 1)"));
    EXPECT_FALSE(p.has("(<= x 1)"));
}

TEST(Invariants, InTheTraceLanguage) {
    Proved const p("(shared [x -5] [y 0] [b true]) (([a (x := (* x 2))]) ([c (assert (and (!= x -1) (and (= b true) "
                   "(<= x y))))]))");
    EXPECT_TRUE(p.is_proved);
    for (char const* const text : {"(!= x -1)", "(= b true)", "(<= x y)", "(<= x -5)", "(= y 0)"})
        EXPECT_TRUE(p.has(text)) << text;
}

TEST(Invariants, OfTwoVariables) {
    std::string const does = "[b{0} (t{0} := x)] [c{0} (x := (* t{0} 2))] [d{0} (y := (* t{0} 2))]";
    Proved const p(regions(does, "(= x y)"));
    EXPECT_TRUE(p.is_proved);
    EXPECT_TRUE(p.has("(= x y)"));
    // Inside a region they differ.
    EXPECT_FALSE(Proved("(shared [x 1] [y 1]) (([a (x := (* x 2))] [b (y := x)]) ([c (assert (= x y))]))").is_proved);
}

TEST(Invariants, NotWhatARegionBreaks) {
    EXPECT_FALSE(Proved(regions("[b{0} (t{0} := x)] [c{0} (x := (- t{0} 3))]", "(> x 0)")).is_proved);
    EXPECT_FALSE(Proved(regions("[b{0} (x := (* x 2))]", "(> x 1)")).is_proved); // not at first
}

TEST(Invariants, NotWithoutTheLock) {
    EXPECT_FALSE(Proved("(shared [x 0] [y 0]) (([a (t := x)] [b (x := (+ t 1))] [c (y := (+ t 1))])"
                        " ([d (x := 5)] [e (y := 5)] [f (assert (= x y))]))")
                     .is_proved);
}

TEST(Invariants, OneStepIsABlock) {
    EXPECT_TRUE(Proved("(shared [x 1]) (([a (x := (* x 2))]) ([b (x := (* x 3))]) ([c (assert (>= x 1))]))").is_proved);
}

TEST(Invariants, GuardsAreTrueWhereTheyWerePassed) {
    EXPECT_TRUE(Proved("(shared [x 1]) (([a (assume (< x 5) (x := (* x 2)))]) ([b (when (< x 4) (x := (* x 2)))])"
                       " ([c (assert (<= x 8))]))")
                    .is_proved);
    EXPECT_FALSE(Proved("(shared [x 1]) (([a (assume (< x 5) (x := (* x 3)))]) ([b (when (< x 4) (x := (* x 2)))])"
                        " ([c (assert (<= x 8))]))")
                     .is_proved);
}

TEST(Invariants, OfWhatALocalWasAssigned) {
    // What was read in the region still holds after it.
    EXPECT_TRUE(Proved("(shared [l 1] [x 1]) "
                       "(([a (when (> l 0) (l := (- l 1)))] [b (t := x)] [c (x := (* t 2))] [d (l := (+ l 1))])"
                       " ([e (when (> l 0) (l := (- l 1)))] [f (u := x)] [g (l := (+ l 1))] [h (assert (> u 0))]))")
                    .is_proved);
}

TEST(Invariants, OfWhatTheAssertedVariableIsComputedFrom) {
    Proved const p(regions("[b{0} (t{0} := x)] [c{0} (y := (+ y t{0}))] [d{0} (x := (* t{0} 2))]", "(> y 0)"));
    EXPECT_TRUE(p.is_proved);
    EXPECT_TRUE(p.has("(>= x 1)"));
}

TEST(Invariants, MessagesCarryAnything) {
    std::string const text = "(shared [x 1]) (([r (rcvi R 0 x)] [w (wait R)] [a (assert {})]) ([s (sndi S 1 0 5)]))";
    EXPECT_FALSE(Proved(fmt::format(fmt::runtime(text), "(> x 0)")).is_proved);
    EXPECT_TRUE(Proved(fmt::format(fmt::runtime(text), "(or (> x 0) (<= x 0))")).is_proved);
}

TEST(Invariants, DivisionsAreNotByZeroWhereTheyWereExecuted) {
    EXPECT_TRUE(Proved(regions("[b{0} (x := (+ x (div x x)))]", "(>= x 1)")).is_proved);
    // Nothing is said of an assertion whose divisor is zero.
    EXPECT_TRUE(
        Proved("(shared [x 0] [y 1]) (([a (assert (or (>= (div y x) 0) (< y 1)))]) ([b (x := (* x 2))]))").is_proved);
}

TEST(Invariants, OfDeepExpressions) {
    constexpr std::size_t depth = 20'000;
    std::string conjunction = "(>= x 1)";
    for (std::size_t i = 0; i < depth; ++i) conjunction = "(and " + conjunction + " (>= x 1))";
    Proved const deep("(shared [x 1]) (([a (x := (* x 2))]) ([c (assert " + conjunction + ")]))");
    EXPECT_TRUE(deep.is_proved);
    EXPECT_TRUE(deep.has("(>= x 1)"));
    std::string locals = "[t0 (t0 := x)]";
    for (std::size_t i = 1; i < depth; ++i) locals += fmt::format("[t{0} (t{0} := t{1})]", i, i - 1);
    EXPECT_TRUE(
        Proved(fmt::format("(shared [x 1]) (([a (x := (* x 2))]) ({} [c (assert (>= t{} 1))]))", locals, depth - 1))
            .is_proved);
    // Too long for a candidate.
    std::string sum = "x";
    for (std::size_t i = 0; i < depth; ++i) sum = "(+ " + sum + " 0)";
    EXPECT_FALSE(Proved("(shared [x 1]) (([a (x := (* x 2))]) ([c (assert (>= " + sum + " 1))]))").has("(>= x 2)"));
}

TEST(Invariants, WithoutAnAnswerNothingIsProved) {
    Proved const p(regions("[b{0} (x := (* x 2))]", "(> x 0)"), false);
    EXPECT_FALSE(p.is_proved);
    EXPECT_TRUE(p.has_trouble());
    EXPECT_EQ(p.problems, 1U);
}

/// What is said of a solver that answers one problem after another so. Its last answer stays.
std::string trouble_with(std::vector<ModelAnswer> const& answers) {
    test::Subject const subject(regions("[b{0} (x := (* x 2))]", "(> x 0)"));
    counting::Proofs const proofs(subject.messages);
    std::size_t next = 0;
    auto const ask = [&](std::string const&) { return answers[std::min(next++, answers.size() - 1)]; };
    Invariants invariants(subject.messages, proofs, ask, "fake");
    if (invariants.no_assertion_fails()) return "proved";
    if (!invariants.trouble()) return "not proved";
    EXPECT_EQ(invariants.trouble()->kind, Trouble::Kind::wrong_answer);
    return invariants.trouble()->what;
}

/// Every candidate that there can be is broken, or none.
SolverModel broken(bool are) {
    std::string text = "(";
    for (int i = 0; i < 100; ++i) text += fmt::format("(define-fun broken!{} () Bool {})\n", i, are);
    return {text + ")"};
}

TEST(Invariants, AModelThatBreaksNothingIsAWrongAnswer) {
    EXPECT_EQ(trouble_with({broken(false), NoModel{}}), "proved");
    EXPECT_EQ(trouble_with({broken(false), broken(false)}),
              "fake says sat, but its model breaks none of the conditions, and the problem says that it breaks one");
    EXPECT_EQ(trouble_with({broken(false), broken(true), SolverModel{"()"}}), "not proved");
    EXPECT_EQ(trouble_with({SolverModel{"()"}}), "fake says sat, but its model has no value for broken!0");
    EXPECT_EQ(trouble_with({NoModel{}}), "fake says unsat, but the problem has a model");
    // Neither true nor false.
    EXPECT_EQ(trouble_with({SolverModel{"((define-fun broken!0 () Bool (not true)))"}}),
              "fake says sat, but its model has no value for broken!0");
}

TEST(Invariants, NothingIsAskedWithoutAssertions) {
    Proved const p("(shared [x 1]) (([a (x := 2)]))");
    EXPECT_TRUE(p.is_proved);
    EXPECT_EQ(p.problems, 0U);
}

} // namespace
} // namespace matchpoint::check
