// The SMT machine beyond Lemma 3: it is the reference machine, its problems are SMT-LIB, COMB, match lists, names, and
// what Figure 14 says of Figure 1.

#include <gtest/gtest.h>

#include <array>
#include <iostream>
#include <set>

#include "grammar/discipline.hpp"
#include "smt_machine/comb.hpp"
#include "smt_machine/smt_machine.hpp"
#include "smt_machine/smtlib.hpp"
#include "solve/solver.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/shown_case.hpp"

namespace matchpoint::naive {

namespace {

Solver make(char const* name) { return Solver(solver_command(name).value(), {.time = std::chrono::seconds(60)}); }

/// For properties: what is neither an answer makes them fail.
bool is_sat(Solver& solver, std::string const& problem) {
    Answer const answer = solver.check(problem);
    bool const sat = std::holds_alternative<answer::Sat>(answer);
    if (!sat && !std::holds_alternative<answer::Unsat>(answer))
        throw std::runtime_error(to_string(answer, solver.command()) + "\n" + problem);
    return sat;
}
bool is_sat(Solver& solver, Problem const& problem, IndexedProgram const& code) {
    return is_sat(solver, print(problem, code, {.check_sat = false}));
}

/// The problems of all traces; none if the program does not obey D1 to D6 or a trace is not well-formed, as with shrunk
/// ones.
std::vector<Problem> problems_of(Loaded const& loaded) {
    std::vector<Problem> problems;
    if (!check_discipline(*loaded.program).empty()) return problems;
    for (std::size_t t = 0; t < loaded.program->traces.size(); ++t) {
        auto problem = getSMT(*loaded.code, t, Buffering::infinite);
        if (!problem) return {};
        problems.push_back(std::move(*problem));
    }
    return problems;
}

/// Whether the one is a receive and the other a send to its endpoint.
bool may_match(IndexedProgram const& code, Action r, Action s) {
    auto const* const receive = code.as_rcvi(r);
    auto const* const send = code.as_sndi(s);
    return receive != nullptr && send != nullptr && receive->beta == send->beta;
}

rc::Gen<Family> families() { return rc::gen::oneOf(shown_families(family), shown_families(race)); }

/// Solvers that have nothing to say but their answer: what they write to standard error is a part of it.
std::array<SolverCommand, 2> strict_solvers() {
    return {SolverCommand{"z3", {"sh", "-c", "exec z3 -in -smt2 2>&1"}},
            SolverCommand{"cvc5", {"sh", "-c", "exec cvc5 --lang smt2 --incremental --strict-parsing 2>&1"}}};
}

} // namespace

RC_GTEST_PROP(Smt, SmtMachineAgreesWithReference, ()) {
    // The same machine, listened to or not.
    ShownCase const shown = *all_cases();
    Loaded const loaded = load(shown.c);
    Machine reference(*loaded.code, buffering(shown.c));
    Machine observed(*loaded.code, buffering(shown.c));
    SmtMachine smt(*loaded.code);
    observed.observe(smt);
    Outcome const expected = run(reference, 0);
    Outcome const outcome = run(observed, 0);
    RC_ASSERT(outcome.s == expected.s);
    RC_ASSERT(outcome.steps == expected.steps);
    RC_ASSERT(outcome.error.has_value() == expected.error.has_value());
    RC_ASSERT(snapshot(*loaded.code, observed.state()) == snapshot(*loaded.code, reference.state()));
}

TEST(Smt, ProblemIsAccepted) {
    // No error and no warning, of the problem of a trace or of COMB, with and without what an unsatisfiable core wants.
    auto const [z3, cvc5] = strict_solvers();
    SolverLimits const limits{.time = std::chrono::seconds(60)};
    Solver first(z3, limits);
    Solver second(cvc5, limits);
    std::size_t of_traces = 0;
    std::size_t of_comb = 0;
    auto const accepted = [&](Problem const& problem, IndexedProgram const& code) {
        for (bool const core : {false, true}) {
            std::string const text = print(problem, code, {.check_sat = false, .unsat_core = core});
            if (is_sat(first, text) != is_sat(second, text)) return false;
        }
        return true;
    };
    check_property(60, [&, cases = all_cases()] {
        ShownCase const shown = *cases;
        Loaded const loaded = load(shown.c);
        auto const problem = getSMT(*loaded.code, 0, buffering(shown.c));
        if (!problem) return;
        ++of_traces;
        RC_ASSERT(accepted(*problem, *loaded.code));
    });
    check_property(60, [&, generator = families()] {
        Family const f = *generator;
        Loaded const loaded = load(to_text(f.program, f.traces));
        std::vector<Problem> problems = problems_of(loaded);
        if (problems.size() < 2) return;
        ++of_comb;
        auto const comb = COMB(std::move(problems), *loaded.code);
        RC_ASSERT(comb.has_value());
        RC_ASSERT(accepted(*comb, *loaded.code));
    });
    std::size_t const enough = of_property(60) == 60 ? 30 : 4;
    EXPECT_GE(of_traces, enough);
    EXPECT_GE(of_comb, enough);

    // It would be noticed, be it a mere warning.
    Solver warning({"z3", {"sh", "-c", "(echo WARNING >&2; exec z3 -in -smt2) 2>&1"}}, limits);
    EXPECT_THROW(is_sat(warning, "(set-logic QF_LIA)\n(assert false)\n"), std::runtime_error);
    for (SolverCommand const& command : strict_solvers()) {
        Solver solver(command, limits);
        EXPECT_NO_THROW(is_sat(solver, "(set-logic QF_LIA)\n(assert false)\n"));
        EXPECT_THROW(is_sat(solver, "(set-logic QF_LIA)\n(assert (= x 0))\n"), std::runtime_error) << command.name;
    }
}

TEST(Smt, Lemma4_OneSatMakesCombSat) {
    Solver solver = make("z3");
    std::size_t combined = 0;
    std::size_t satisfiable = 0;
    check_property(1000, [&, generator = families()] {
        Family const f = *generator;
        Loaded const loaded = load(to_text(f.program, f.traces));
        std::vector<Problem> problems = problems_of(loaded);
        if (problems.size() < 2) return;
        bool one_sat = false;
        for (Problem const& problem : problems) one_sat |= is_sat(solver, problem, *loaded.code);
        auto const comb = COMB(std::move(problems), *loaded.code);
        RC_ASSERT(comb.has_value());
        ++combined;
        satisfiable += one_sat;
        RC_ASSERT(is_sat(solver, *comb, *loaded.code) || !one_sat);
    });
    EXPECT_GE(combined, of_property(400));
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
    Solver solver = make("z3");
    std::vector<Problem> problems;
    for (std::size_t t = 0; t < 2; ++t) {
        problems.push_back(getSMT(*loaded.code, t, Buffering::infinite).value());
        EXPECT_FALSE(is_sat(solver, problems.back(), *loaded.code));
    }
    EXPECT_TRUE(is_sat(solver, COMB(std::move(problems), *loaded.code).value(), *loaded.code));
}

TEST(Smt, CombOfRunsThatDivideInAnotherOrder) {
    // The runs declare their divisors in another order, and differ in nothing else.
    Loaded const loaded = load(R"(
        ( ( [00 (assert (> (div 0 (- 0 1)) 0))] bot )
          ( [10 (x := 1)] [11 (assert (= (div 0 x) 0))] bot ) )
        ( (10 bot) (11 bot) (00 bot) )
        ( (00 bot) (10 bot) (11 bot) ))");
    Solver solver = make("z3");
    auto const comb = COMB(problems_of(loaded), *loaded.code);
    ASSERT_TRUE(comb) << comb.error();
    EXPECT_TRUE(is_sat(solver, *comb, *loaded.code));
}

TEST(Smt, Theorem4_MorePairsMoreSat) {
    // Match lists with equal domains (errata E30): what has more pairs has no fewer models. The pairs may be any.
    Solver solver = make("z3");
    std::array<std::array<std::size_t, 2>, 2> answers{}; // of the problem with fewer pairs, of the one with more
    check_property(1000, [&, generator = families()] {
        Family const f = *generator;
        auto const more = *rc::gen::container<std::vector<bool>>(64, rc::gen::arbitrary<bool>());
        Loaded const loaded = load(to_text(f.program, f.traces));
        std::vector<Problem> problems = problems_of(loaded);
        if (problems.empty()) return;
        Problem const& fewer_pairs = problems.front();
        Problem more_pairs = fewer_pairs;
        more_pairs.satisfiable = std::nullopt;
        std::size_t choice = 0;
        for (std::uint32_t r = 0; r < more_pairs.ML.size(); ++r)
            for (std::uint32_t s = 0; s < more_pairs.ML.size(); ++s)
                if (may_match(*loaded.code, Action{r}, Action{s}) && Action{s} != more_pairs.ML[r].front() &&
                    more[choice++ % more.size()])
                    more_pairs.ML[r].push_back(Action{s});
        bool const fewer_sat = is_sat(solver, fewer_pairs, *loaded.code);
        bool const more_sat = is_sat(solver, more_pairs, *loaded.code);
        ++answers[fewer_sat][more_sat];
        RC_ASSERT(fewer_sat <= more_sat);
    });
    std::cout << "unsat and unsat: " << answers[false][false] << ", unsat and sat: " << answers[false][true]
              << ", sat and sat: " << answers[true][true] << '\n';
    EXPECT_GE(answers[false][false], of_property(100));
    EXPECT_GE(answers[false][true], of_property(10));
    EXPECT_GE(answers[true][true], of_property(100));
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
    Solver solver = make("z3");
    EXPECT_FALSE(is_sat(solver, a, *loaded.code));
    EXPECT_TRUE(is_sat(solver, b, *loaded.code));
}

TEST(Smt, SymbolsSurvive) {
    // Names of any make: mangling has an inverse, and what it gives is a symbol in every place.
    static std::vector<std::string> const pieces{
        "a", "|",      "\\",     "'",    "#",    "@", ".", "!", ",", "`", ":=", "x!1", "%7C",  "%", "let", "true",
        "é", "order_", "assert", "\x01", "\x7f", "𝔸", "-", "0", "?", "^", "_",  "=>",  "var_", "$", "1.5", "\u00a0"};
    Solver z3 = make("z3");
    Solver cvc5 = make("cvc5");
    auto const piece = rc::gen::elementOf(pieces);
    auto const names = rc::gen::resize(4, rc::gen::container<std::vector<std::string>>(rc::gen::map(
                                              rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(piece)),
                                              [](std::vector<std::string> const& all) {
                                                  std::string name;
                                                  for (std::string const& part : all) name += part;
                                                  return name;
                                              })));
    check_property(500, [&] {
        auto const given = *names;
        std::set<std::string> const different(given.begin(), given.end());
        std::set<std::string> mangled;
        std::string program = "( (";
        std::string trace = "(";
        for (std::string const& name : different) {
            RC_ASSERT(unmangle(mangle(name)) == name);
            RC_ASSERT(mangled.insert(mangle(name)).second);
            // The last letter keeps them apart, and variables from integers and operators.
            program += "[" + name + "l (sndi " + name + "s 0 0 1)] [" + name + "m (rcvi " + name + "r 0 " + name +
                       "v)] [" + name + "n (wait " + name + "r)] [" + name + "o (assert (= " + name + "v 1))]\n";
            trace += "(" + name + "l bot) (" + name + "m bot) (" + name + "n ((0 0) bot)) (" + name + "o bot)\n";
        }
        Loaded const loaded = load(program + ") )\n" + trace + ")");
        Problem const problem = getSMT(*loaded.code, 0, Buffering::infinite).value();
        RC_ASSERT(!is_sat(z3, problem, *loaded.code));
        RC_ASSERT(!is_sat(cvc5, problem, *loaded.code));
    });
}

TEST(Smt, SymbolsSurvive_InEverySolver) {
    // Hostile names: mangling has an inverse, and what it gives is a symbol in every place.
    std::vector<std::string> const names{"|",        "\\", "'",   "#",   "@x",   ".x",     "!",       ",",
                                         "`",        ":=", "x!1", "%7C", "let",  "true!",  "order_x", "assert",
                                         "\x01\x7f", "é",  "𝔸",   "-",   "a%b!", "|a| |b|"};
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
        Solver solver = make(name);
        EXPECT_FALSE(is_sat(solver, problem, *loaded.code)) << name;
    }
}

} // namespace matchpoint::naive
