// Whether the outcome depends on the schedule, against the naive exploration.
#include "check/determinism.hpp"

#include <gtest/gtest.h>

#include <iostream>

#include "tests/support/generate.hpp"
#include "tests/support/naive_outcomes.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/shared_verdicts.hpp"
#include "tests/support/thinning.hpp"
#include "tests/support/verdicts.hpp"

namespace matchpoint::naive {
namespace {

using check::Determinism;

/// The values that the runs of the naive exploration end with, of these variables.
std::set<std::vector<std::string>> ends(std::set<std::map<std::string, std::string>> const& truth,
                                        IndexedProgram const& code, std::vector<Variable> const& variables) {
    std::set<std::vector<std::string>> result;
    for (auto const& values : truth) {
        std::vector<std::string> end;
        for (Variable const x : variables) end.push_back(values.at(std::string(code.names()(x))));
        result.insert(end);
    }
    return result;
}

std::vector<std::string> texts(Determinism::End const& end) {
    std::vector<std::string> result;
    for (auto const& v : end.values) result.push_back(v.to_string());
    return result;
}

/// What is wrong, with this engine.
std::string wrong_with(Subject const& subject, bool zero, std::set<std::map<std::string, std::string>> const& truth,
                       EngineChoice engine, Tally& tally) {
    auto const& code = *subject.loaded.code;
    auto const variables = check::outcome_variables(code);
    CheckOptions options;
    options.engine = engine;
    options.buffering = zero ? Buffering::zero : Buffering::infinite;
    options.solver = *solve::solver_command("z3");
    Determinism const found = check::determinism(subject.messages, options, variables);
    auto const all = ends(truth, code, variables);
    auto const expected = all.empty()       ? Determinism::Answer::no_run
                          : all.size() == 1 ? Determinism::Answer::same
                                            : Determinism::Answer::differs;
    ++tally[std::string(to_string(found.answer))];
    if (found.answer != expected)
        return fmt::format("{}, but the naive exploration says {}", to_string(found.answer), to_string(expected));
    for (auto const& end : {found.one, found.other})
        if (end && !all.contains(texts(*end))) return "no run ends with these values";
    return {};
}

void ask(Program const& program, std::size_t number, Tally& tally) {
    Subject const subject(program);
    for (bool const zero : {false, true}) {
        auto const truth = final_values(program, zero, 3'000);
        if (!truth) {
            ++tally["too large for the naive exploration"];
            continue;
        }
        // One engine for each program: the others get their turn.
        EngineChoice const engine = number % 3 == 0   ? EngineChoice::automatic
                                    : number % 3 == 1 ? EngineChoice::explore
                                                      : EngineChoice::sat;
        std::string const wrong = wrong_with(subject, zero, *truth, engine, tally);
        ASSERT_EQ(wrong, "") << "zero " << zero << ", number " << number << '\n' << subject.loaded.text;
    }
}

TEST(Determinism, RandomPrograms) {
    Tally tally;
    for (std::size_t i = 0; i < cases(600) && !HasFatalFailure(); ++i)
        ask(program_to_explore(seeded(65), i, 3, 4), i, tally);
    for (std::size_t i = 0; i < cases(400) && !HasFatalFailure(); ++i)
        ask(mpi_program_to_explore(seeded(66), i, 3, 3), i, tally);
    print(std::cout, tally);
    if (every() > 1) return;
    for (char const* const what : {"same", "differs", "no run"}) EXPECT_GT(tally[what], 0U) << what;
}

TEST(Determinism, RandomProgramsWithSharedVariables) {
    Tally tally;
    for (std::size_t i = 0; i < cases(2'000) && !HasFatalFailure(); ++i) ask(shared_program(seeded(67), i), i, tally);
    print(std::cout, tally);
    if (every() > 1) return;
    for (char const* const what : {"same", "differs", "no run"}) EXPECT_GT(tally[what], 0U) << what;
}

} // namespace
} // namespace matchpoint::naive
