// The paper's SMT machine taken to the letter, refuted: for each erratum (docs/smt.md) a search of random programs that
// does not know it finds a counterexample to the paper's claim and shrinks it to no more commands than the program
// in traces/errata/ has. On both the letter is wrong, per z3, and SmtMachine is right.

#include <gtest/gtest.h>

#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

#include "grammar/discipline.hpp"
#include "smt_machine/comb.hpp"
#include "smt_machine/smt_machine.hpp"
#include "solve/solver.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/literal_smt.hpp"
#include "tests/support/naive_explore.hpp"
#include "tests/support/shown_case.hpp"
#include "tests/support/source_dir.hpp"

namespace matchpoint::naive {

namespace {

/// Programs under D1 to D6 with a trace.
rc::Gen<Family> traces() {
    return shown_families([](std::uint64_t seed, std::uint64_t i) {
        Case c = well_formed_case(seed, i);
        return Family{std::move(c.program), {std::move(c.trace)}};
    });
}

/// A family on the machine; nothing if it does not obey D1 to D6, as a shrunk one may.
std::optional<Loaded> disciplined(Family const& f) {
    Loaded loaded = load(to_text(f.program, f.traces));
    if (!check_discipline(*loaded.program).empty()) return std::nullopt;
    return loaded;
}

Loaded golden(std::string const& name) {
    std::ifstream in(test::source_dir().string() + "/traces/errata/" + name);
    if (!in) throw std::runtime_error("there is no " + name);
    std::ostringstream text;
    text << in.rdbuf();
    return load(text.str());
}

class Z3 {
public:
    /// A search need not wait long for an answer.
    explicit Z3(std::chrono::seconds limit = std::chrono::seconds(60))
        : solver_(solver_command("z3").value(), {.time = limit}) {}

    /// Nothing if it does not know, or has an error to report.
    std::optional<bool> is_sat(std::string const& problem) {
        Answer const answer = solver_.check(problem);
        if (std::holds_alternative<answer::Sat>(answer)) return true;
        if (std::holds_alternative<answer::Unsat>(answer)) return false;
        return std::nullopt;
    }
    std::optional<bool> is_sat(Problem const& problem, IndexedProgram const& code) {
        return is_sat(print(problem, code, {.check_sat = false}));
    }

private:
    Solver solver_;
};

/// Gives families to a claim until one is found for which it is false; the smallest to which that one can be shrunk, as
/// rapidcheck shows it.
template <typename Claim>
std::string counterexample(rc::Gen<Family> const& generator, Claim const& claim) {
    rc::detail::TestParams params = rc::detail::configuration().testParams;
    params.maxSuccess = 50'000;
    auto const result = rc::detail::checkTestable(
        [&] {
            Family const family = *generator;
            RC_ASSERT(claim(family));
        },
        rc::detail::TestMetadata{}, params);
    if (!result.template is<rc::detail::FailureResult>()) {
        std::ostringstream what;
        rc::detail::printResultMessage(result, what);
        throw std::runtime_error("no counterexample was found: " + what.str());
    }
    auto const& failure = result.template get<rc::detail::FailureResult>();
    std::string const text = failure.counterExample.back().second;
    std::cout << "found after " << failure.numSuccess << " cases, in " << failure.reproduce.shrinkPath.size()
              << " steps of shrinking:\n"
              << text;
    return text;
}

matchpoint::Status status_of(IndexedProgram const& code, std::size_t t) {
    Machine machine(code, Buffering::infinite);
    return run(machine, t).s;
}

/// Whether some complete run of the program, whatever is scheduled and delivered when, ends in failure.
bool some_run_fails(Program const& program) {
    std::vector<State> rest{initial_state(program)};
    std::set<std::string> seen;
    while (!rest.empty()) {
        State const state = rest.back();
        rest.pop_back();
        if (!seen.insert(to_text(Result{.state = state})).second) continue;
        if (finished(program, state) && state.s == Status::failure) return true;
        for (auto const& [movement, moved] : movements_of(program, state, false)) rest.push_back(moved);
        for (std::size_t t = 0; t < program.threads.size(); ++t) {
            if (state.next[t] == program.threads[t].size()) continue;
            auto next = step(program, state, {program.threads[t][state.next[t]].location}, false);
            if (auto* const after = std::get_if<State>(&next)) rest.push_back(std::move(*after));
        }
    }
    return false;
}

// Lemma 3: one trace

/// A row of the table: the letter's problem is satisfiable (or not) although the status is this one.
struct WrongLetter {
    Letter letter;
    matchpoint::Status status;
    bool sat;
};

/// Whether the letter is wrong on the first trace in this way.
bool is_wrong(WrongLetter const& wrong, IndexedProgram const& code, Z3& z3) {
    if (status_of(code, 0) != wrong.status) return false;
    auto const smt = literal_getSMT(code, 0, Buffering::infinite, wrong.letter);
    return smt && z3.is_sat(print(*smt, wrong.letter)) == wrong.sat;
}

void refute_lemma3(WrongLetter const& wrong, std::string const& file) {
    Z3 hasty(std::chrono::seconds(2));
    Loaded const found = load(counterexample(traces(), [&](Family const& family) {
        auto const loaded = disciplined(family);
        return !loaded || !is_wrong(wrong, *loaded->code, hasty);
    }));
    Z3 z3;
    Loaded const known = golden(file);
    EXPECT_LE(found.program->ctp.commands.size(), known.program->ctp.commands.size());
    for (Loaded const* const loaded : {&found, &known}) {
        EXPECT_TRUE(is_wrong(wrong, *loaded->code, z3)) << loaded->text;
        Problem const ours = getSMT(*loaded->code, 0, Buffering::infinite).value();
        EXPECT_EQ(z3.is_sat(ours, *loaded->code), wrong.status == matchpoint::Status::failure) << loaded->text;
    }
}

// COMB: several traces

std::optional<Problem> comb_of_all(IndexedProgram const& code) {
    std::vector<Problem> problems;
    for (std::size_t t = 0; t < code.program().traces.size(); ++t) {
        auto problem = getSMT(code, t, Buffering::infinite);
        if (!problem) return std::nullopt;
        problems.push_back(std::move(*problem));
    }
    auto result = COMB(std::move(problems), code);
    if (!result) return std::nullopt;
    return std::move(*result);
}

std::optional<LiteralProblem> literal_comb_of_all(IndexedProgram const& code, Letter letter) {
    std::optional<LiteralProblem> result;
    for (std::size_t t = 0; t < code.program().traces.size(); ++t) {
        auto const smt = literal_getSMT(code, t, Buffering::infinite, letter);
        if (!smt) return std::nullopt;
        result = result ? literal_COMB(*result, *smt) : *smt;
    }
    return result;
}

/// Whether the letter's COMB is satisfiable, although no run of the program fails, in whatever order.
bool comb_is_wrong(Letter letter, Family const& family, Z3& z3) {
    auto const loaded = disciplined(family);
    if (!loaded || family.traces.size() < 2) return false;
    auto const smt = literal_comb_of_all(*loaded->code, letter);
    return smt && z3.is_sat(print(*smt, letter)) == true && !some_run_fails(family.program);
}

void refute_comb(Letter letter, std::string const& file) {
    Z3 hasty(std::chrono::seconds(2));
    Loaded const found = load(counterexample(
        shown_families(race), [&](Family const& family) { return !comb_is_wrong(letter, family, hasty); }));
    Z3 z3;
    Loaded const known = golden(file);
    EXPECT_LE(found.program->ctp.commands.size(), known.program->ctp.commands.size());
    for (Loaded const* const loaded : {&found, &known}) {
        auto const literal = literal_comb_of_all(*loaded->code, letter);
        ASSERT_TRUE(literal) << loaded->text;
        EXPECT_EQ(z3.is_sat(print(*literal, letter)), true) << loaded->text;
        EXPECT_EQ(z3.is_sat(comb_of_all(*loaded->code).value(), *loaded->code), false) << loaded->text;
    }
}

constexpr auto success = matchpoint::Status::success;
constexpr auto failure = matchpoint::Status::failure;

} // namespace

TEST(LetterOfThePaper, NothingButTheErrataIsWrongWithIt) {
    // With no switch set, Lemma 3 holds: each test below is about its switch alone.
    Z3 z3;
    std::size_t problems = 0;
    auto const generator = traces();
    check_property(2000, [&] {
        Family const family = *generator;
        Loaded const loaded = load(to_text(family.program, family.traces));
        auto const smt = literal_getSMT(*loaded.code, 0, Buffering::infinite, {});
        if (!smt) return;
        ++problems;
        RC_ASSERT(z3.is_sat(print(*smt, {})) == (status_of(*loaded.code, 0) == failure));
    });
    EXPECT_GE(problems, of_property(1000));
}

TEST(LetterOfThePaper, E5_SeveralAssertions) {
    refute_lemma3({{.E5 = true}, failure, false}, "e05_two_assertions_one_fails.ctp");
}

TEST(LetterOfThePaper, E6_NoAssertion) { refute_lemma3({{.E6 = true}, success, true}, "e06_no_assertion.ctp"); }

TEST(LetterOfThePaper, E7_DefinedTwice) { refute_lemma3({{.E7 = true}, failure, false}, "e07_assigned_twice.ctp"); }

TEST(LetterOfThePaper, E27_WaitsOutOfOrder) {
    refute_lemma3({{.E27 = true}, failure, false}, "e27_waits_out_of_order.ctp");
}

TEST(LetterOfThePaper, E28_MatchOnlyForTheWaitedReceive) {
    refute_lemma3({{.E28 = true}, success, true}, "e28_match_only_for_the_waited_receive.ctp");
}

TEST(LetterOfThePaper, E31_Divisor) { refute_comb({.E31 = true}, "e31b_divisor_combined.ctp"); }

TEST(LetterOfThePaper, E32_LocationsNotTiedToActions) {
    refute_comb({.E32 = true}, "e32_locations_not_tied_to_actions.ctp");
}

TEST(LetterOfThePaper, E18_CombOfSuccesses) {
    // Lemma 4, "SAT iff one of them is", of our own problems: all are unsatisfiable, their COMB is satisfiable.
    Z3 hasty(std::chrono::seconds(2));
    auto const refutes = [](IndexedProgram const& code, Z3& solver) {
        for (std::size_t t = 0; t < code.program().traces.size(); ++t) {
            auto const smt = getSMT(code, t, Buffering::infinite);
            if (!smt || status_of(code, t) != success || solver.is_sat(*smt, code) != false) return false;
        }
        auto const comb = comb_of_all(code);
        return comb && solver.is_sat(*comb, code) == true;
    };
    Loaded const found = load(counterexample(shown_families(race), [&](Family const& family) {
        auto const loaded = disciplined(family);
        return !loaded || !refutes(*loaded->code, hasty);
    }));
    Z3 z3;
    Loaded const known = golden("e18b_comb_of_three.ctp");
    EXPECT_LE(found.program->ctp.commands.size(), known.program->ctp.commands.size());
    EXPECT_TRUE(refutes(*found.code, z3)) << found.text;
    EXPECT_TRUE(refutes(*known.code, z3)) << known.text;
}

TEST(LetterOfThePaper, E30_RangesWithoutDomains) {
    // Theorem 4: range({}) is a part of range(ML), so "UNSAT > SAT" would have the smaller problem unsatisfiable
    // whenever the larger one is.
    Z3 z3;
    Letter const letter{.E30 = true};
    auto const refutes = [&](IndexedProgram const& code) {
        auto const smt = literal_getSMT(code, 0, Buffering::infinite, letter);
        if (!smt || status_of(code, 0) != success) return false;
        LiteralProblem smt_phi = *smt;
        smt_phi.ML.clear();
        return z3.is_sat(print(smt_phi, letter)) == true && z3.is_sat(print(*smt, letter)) == false;
    };
    Loaded const found = load(counterexample(traces(), [&](Family const& family) {
        auto const loaded = disciplined(family);
        return !loaded || !refutes(*loaded->code);
    }));
    Loaded const known = golden("e30_theorem4_empty_match_list.ctp");
    EXPECT_LE(found.program->ctp.commands.size(), known.program->ctp.commands.size());
    for (Loaded const* const loaded : {&found, &known}) {
        EXPECT_TRUE(refutes(*loaded->code)) << loaded->text;
        // Here a receive without a pair has no value (errata E26), so the smaller problem is unsatisfiable too.
        Problem ours = getSMT(*loaded->code, 0, Buffering::infinite).value();
        EXPECT_EQ(z3.is_sat(ours, *loaded->code), false);
        for (auto& sends : ours.ML) sends.clear();
        EXPECT_EQ(z3.is_sat(ours, *loaded->code), false);
    }
}

TEST(LetterOfThePaper, E22_Figure14WhichTraceIsSat) {
    // Section 5.6 says (a), the trace of Figure 2. It is (b), that of Figure 3; even to the letter.
    Z3 z3;
    Letter const every{
        .E5 = true, .E6 = true, .E7 = true, .E27 = true, .E28 = true, .E30 = true, .E31 = true, .E32 = true};
    Loaded const figure = golden("e22_fig14_a_and_b_swapped.ctp");
    for (std::size_t const t : {0U, 1U}) {
        bool const is_b = t == 1;
        EXPECT_EQ(status_of(*figure.code, t), is_b ? failure : success);
        EXPECT_EQ(z3.is_sat(getSMT(*figure.code, t, Buffering::infinite).value(), *figure.code), is_b);
        for (Letter const letter : {Letter{}, every})
            EXPECT_EQ(z3.is_sat(print(literal_getSMT(*figure.code, t, Buffering::infinite, letter).value(), letter)),
                      is_b);
    }
}

} // namespace matchpoint::naive
