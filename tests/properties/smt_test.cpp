// The SMT machine beyond Lemma 3: COMB, match lists, names, and what Figure 14 says of Figure 1.

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "grammar/parse.hpp"
#include "smt_machine/comb.hpp"
#include "smt_machine/smt_machine.hpp"
#include "smt_machine/smtlib.hpp"
#include "smt_machine/solver.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/compare.hpp"

namespace matchpoint::naive {

namespace {

/// A program under D1 to D6 and well-formed traces of it, with infinite buffering.
struct Family {
    Program program;
    std::vector<Trace> traces;
};

/// The program is read from the front of a skeleton and the trace from its back: other numbers there, other traces.
Family family(std::mt19937_64& random, std::size_t tries) {
    std::vector<std::uint16_t> skeleton = random_skeleton(random);
    Family result{elaborate_disciplined(skeleton).program, {}};
    for (std::size_t i = 0; i < tries; ++i) {
        Case const c = elaborate_disciplined(skeleton);
        if (c.program == result.program && run(c.program, c.trace, false).well_formed &&
            std::find(result.traces.begin(), result.traces.end(), c.trace) == result.traces.end())
            result.traces.push_back(c.trace);
        for (std::size_t k = 0; k < std::min<std::size_t>(skeleton.size() / 3, 12); ++k)
            skeleton[skeleton.size() - 1 - k] = static_cast<std::uint16_t>(random());
    }
    return result;
}

bool is_sat(Solver& solver, Problem const& problem, Code const& code) {
    Answer const answer = solver.check(print(problem, code, {.check_sat = false}));
    bool const sat = std::holds_alternative<answer::Sat>(answer);
    EXPECT_TRUE(sat || std::holds_alternative<answer::Unsat>(answer))
        << to_string(answer, solver.command()) << "\n" << print(problem, code);
    return sat;
}



} // namespace

TEST(Smt, Lemma4_OneSatMakesCombSat) {
    Solver solver(solver_command("z3").value(), {.time = std::chrono::seconds(60)});
    std::mt19937_64 random(1);
    std::size_t combined = 0;
    std::size_t satisfiable = 0;
    while (combined < 400) {
        Family const f = family(random, 6);
        if (f.traces.size() < 2) continue;
        Loaded const loaded = load(to_text(f.program, f.traces));
        std::vector<Problem> problems;
        bool one_sat = false;
        for (std::size_t t = 0; t < f.traces.size(); ++t) {
            problems.push_back(getSMT(*loaded.code, t, Buffering::infinite).value());
            one_sat |= is_sat(solver, problems.back(), *loaded.code);
        }
        auto const comb = COMB(std::move(problems), *loaded.code);
        ASSERT_TRUE(comb.has_value()) << comb.error() << "\n" << loaded.text;
        bool const sat = is_sat(solver, *comb, *loaded.code);
        ASSERT_TRUE(sat || !one_sat) << loaded.text;
        ++combined;
        satisfiable += one_sat;
    }
    EXPECT_GE(satisfiable, combined / 10);
}

TEST(Smt, Lemma4_TheOtherDirectionDoesNotHold) {
    // errata E18: two successes, whose mixture fails
    Loaded const loaded = load(R"(
        ( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 u)] [02 (wait r2)] [03 (rcvi q1 1 y)] [04 (rcvi q2 1 v)] [05 (wait q2)]
            [06 (assert (not (and (= x 1) (= y 4))))] bot )
          ( [10 (sndi s1 10 0 1)] [11 (sndi t1 10 1 3)] bot )
          ( [20 (sndi s2 20 0 2)] [21 (sndi t2 20 1 4)] bot ) )
        ( (10 bot) (11 bot) (20 bot) (21 bot) (00 bot) (01 bot) (02 ((0 10) (0 20) bot)) (03 bot) (04 bot)
          (05 ((1 10) (1 20) bot)) (06 bot) )
        ( (10 bot) (11 bot) (20 bot) (21 bot) (00 bot) (01 bot) (02 ((0 20) (0 10) bot)) (03 bot) (04 bot)
          (05 ((1 20) (1 10) bot)) (06 bot) ))");
    Solver solver(solver_command("z3").value(), {.time = std::chrono::seconds(60)});
    std::vector<Problem> problems;
    for (std::size_t t = 0; t < 2; ++t) {
        problems.push_back(getSMT(*loaded.code, t, Buffering::infinite).value());
        EXPECT_FALSE(is_sat(solver, problems.back(), *loaded.code));
    }
    EXPECT_TRUE(is_sat(solver, COMB(std::move(problems), *loaded.code).value(), *loaded.code));
}

TEST(Smt, Theorem4_MorePairsMoreSat) {
    // Match lists with equal domains (errata E30): what has more pairs has no fewer models.
    Solver solver(solver_command("z3").value(), {.time = std::chrono::seconds(60)});
    std::mt19937_64 random(2);
    std::size_t compared = 0;
    while (compared < 200) {
        Family const f = family(random, 6);
        if (f.traces.size() < 3) continue;
        Loaded const loaded = load(to_text(f.program, f.traces));
        std::vector<Problem> problems;
        for (std::size_t t = 0; t < f.traces.size(); ++t)
            problems.push_back(getSMT(*loaded.code, t, Buffering::infinite).value());
        std::vector<Problem> fewer(problems.begin(), problems.begin() + 2);
        Problem const small = COMB(std::move(fewer), *loaded.code).value();
        Problem const large = COMB(std::move(problems), *loaded.code).value();
        ASSERT_LE(is_sat(solver, small, *loaded.code), is_sat(solver, large, *loaded.code)) << loaded.text;
        ++compared;
    }
}

TEST(Smt, Figure14_TheTracesOfFigure1DifferInTheirMatchesOnly) {
    Loaded const loaded = load(R"(
        ( ( [02 (rcvi R2 0 A)] [03 (wait R2)] [04 (a := A)] [05 (rcvi R5 0 B)] [06 (wait R5)] [07 (b := B)]
            [08 (assume (> b 0))] [09 (assert (= a 4))] bot )
          ( [13 (rcvi R3 1 C)] [14 (wait R3)] [15 (sndi S5 1 0 1)] [16 (wait S5)] bot )
          ( [24 (sndi S4 2 0 4)] [25 (wait S4)] [26 (sndi S6 2 1 7)] [27 (wait S6)] bot ) )
        ( (24 bot) (25 bot) (02 bot) (03 ((0 2) bot)) (26 bot) (27 bot) (04 bot) (13 bot) (14 ((1 2) bot)) (15 bot)
          (16 bot) (05 bot) (06 ((0 1) bot)) (07 bot) (08 bot) (09 bot) )
        ( (24 bot) (25 bot) (26 bot) (27 bot) (13 bot) (14 ((1 2) bot)) (15 bot) (16 bot) (02 bot) (03 ((0 1) bot))
          (04 bot) (05 bot) (06 ((0 2) bot)) (07 bot) (08 bot) (09 bot) ))");
    Problem const a = getSMT(*loaded.code, 0, Buffering::infinite).value();
    Problem const b = getSMT(*loaded.code, 1, Buffering::infinite).value();
    EXPECT_EQ(print_without_matches(a, *loaded.code), print_without_matches(b, *loaded.code));
    EXPECT_NE(print(a, *loaded.code), print(b, *loaded.code));
    Solver solver(solver_command("z3").value(), {.time = std::chrono::seconds(60)});
    EXPECT_FALSE(is_sat(solver, a, *loaded.code));
    EXPECT_TRUE(is_sat(solver, b, *loaded.code));
}

TEST(Smt, SymbolsSurvive) {
    // Hostile names: mangling has an inverse, and what it gives is a symbol wherever it stands.
    std::vector<std::string> const names{"|",  "\\",  "'",    "#",      "@x",    ".x",      "!",     ",",        "`",
                                         ":=", "x!1", "%7C",  "let",    "true!", "order_x", "assert", "\x01\x7f", "é",
                                         "𝔸",  "-",   "a%b!", "|a| |b|"};
    std::string program = "( (";
    std::string trace = "(";
    std::set<std::string> mangled;
    for (std::string const& name : names) {
        if (name.find(' ') != std::string::npos) continue;
        EXPECT_EQ(unmangle(mangle(name)), name);
        EXPECT_TRUE(mangled.insert(mangle(name)).second) << name;
        if (name == ":=" || name == "-") continue; // no variables, but fine as locations and actions
        program += "[" + name + " (sndi " + name + " 0 0 1)] [r" + name + " (rcvi r" + name + " 0 " + name + "v)] [w" +
                   name + " (wait r" + name + ")] [a" + name + " (assert (= " + name + "v 1))]\n";
        trace += "(" + name + " bot) (r" + name + " bot) (w" + name + " ((0 0) bot)) (a" + name + " bot)\n";
    }
    Loaded const loaded = load(program + ") )\n" + trace + ")");
    Problem const problem = getSMT(*loaded.code, 0, Buffering::infinite).value();
    for (char const* const name : {"z3", "cvc5", "cvc4"}) {
        Solver solver(solver_command(name).value(), {.time = std::chrono::seconds(60)});
        EXPECT_FALSE(is_sat(solver, problem, *loaded.code)) << name;
    }
}

} // namespace matchpoint::naive
