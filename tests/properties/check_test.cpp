// The encodings, the checker and its engines against the naive exploration.

#include <gtest/gtest.h>

#include <iostream>

#include "smt_machine/check.hpp"
#include "smt_machine/encoder.hpp"
#include "smt_machine/model.hpp"
#include "tests/support/all_runs.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/small_programs.hpp"

namespace matchpoint::naive {
namespace {

Buffering buffering(bool zero) { return zero ? Buffering::zero : Buffering::infinite; }

/// What the cases were, to be seen.
struct Histogram {
    std::size_t verdicts[2][3] = {};
    std::size_t deadlocks[2] = {};
    std::size_t faults[2] = {};
    std::size_t too_large = 0;

    void count(Truth const& truth, bool zero) {
        ++verdicts[zero ? 1 : 0][static_cast<std::size_t>(truth.verdict)];
        if (truth.deadlock) ++deadlocks[zero ? 1 : 0];
        if (truth.fault) ++faults[zero ? 1 : 0];
    }
    void print() const {
        for (bool const zero : {false, true})
            std::cout << (zero ? "zero" : "infinite") << ": violated " << verdicts[zero][0] << ", safe "
                      << verdicts[zero][1] << ", vacuous " << verdicts[zero][2] << ", deadlock " << deadlocks[zero]
                      << ", fault " << faults[zero] << '\n';
        std::cout << "too large for the naive exploration: " << too_large << '\n';
    }
};

/// Random programs, and their truths.
void for_each_random_program(std::size_t count, std::uint64_t seed,
                             std::function<void(Program const&, bool, Truth const&)> const& visit) {
    std::mt19937_64 random(seed);
    Histogram histogram;
    for (std::size_t i = 0; i < count; ++i) {
        Program const program = elaborate_disciplined(random_skeleton(random)).program;
        for (bool const zero : {false, true}) {
            auto const truth = explore_quickly(program, zero, 20'000);
            if (!truth) {
                ++histogram.too_large;
                continue;
            }
            histogram.count(*truth, zero);
            visit(program, zero, *truth);
        }
    }
    histogram.print();
}

void check_agrees(Program const& program, bool zero, Truth const& truth, CheckOptions options) {
    Loaded const loaded = load(to_text(program, {}));
    Messages const messages(*loaded.code);
    options.buffering = buffering(zero);
    CheckResult const result = check(messages, options);
    std::string const what = loaded.text + (zero ? "zero\n" : "infinite\n") + to_text(truth);
    ASSERT_EQ(to_string(result.verdict), to_text(truth.verdict)) << what;
    ASSERT_EQ(result.deadlock.answer == Reached::Answer::yes, truth.deadlock) << what;
    ASSERT_EQ(result.fault.answer == Reached::Answer::yes, truth.fault) << what;
    ASSERT_NE(result.deadlock.answer, Reached::Answer::unknown) << what;
    ASSERT_NE(result.fault.answer, Reached::Answer::unknown) << what;
    ASSERT_TRUE(result.trouble.empty()) << what << result.trouble.front().what;
    for (auto const& run : {result.run, result.safe}) {
        if (!run) continue;
        auto const it = truth.outcomes.find(names(messages, run->matching));
        ASSERT_NE(it, truth.outcomes.end()) << what;
        ASSERT_EQ(static_cast<int>(it->second), static_cast<int>(run->s)) << what;
    }
    if (truth.verdict == Verdict::violated) {
        ASSERT_TRUE(result.run) << what;
        Machine machine(*loaded.code, options.buffering);
        ASSERT_EQ(run(machine, result.run->schedule).s, matchpoint::Status::failure) << what;
    }
}

/// Every superset of the exact pairs gives the right answer, and every model is an execution (Theorems 2, 3 and 5).
void encoding_agrees(Program const& program, bool zero, Truth const& truth, Solver& solver, std::size_t number) {
    Loaded const loaded = load(to_text(program, {}));
    Messages const messages(*loaded.code);
    PairsMethod const method = std::array{PairsMethod::overapprox, PairsMethod::tight, PairsMethod::exact,
                                          PairsMethod::overapprox_all_sends}[number % 4];
    EncoderOptions options;
    options.buffering = buffering(zero);
    options.asked = number / 4 % 3 == 0 ? Asked::success : Asked::failure;
    options.check_sat = false;
    MatchPairs const pairs = *pairs_by(messages, options.buffering, method);
    std::string const problem = encode(messages, pairs, options);
    Answer const answer = solver.check(problem, {.model = true});
    Status const wanted = options.asked == Asked::failure ? Status::failure : Status::success;
    bool const expected = std::any_of(truth.outcomes.begin(), truth.outcomes.end(),
                                      [&](auto const& outcome) { return outcome.second == wanted; });
    std::string const what = loaded.text + (zero ? "zero\n" : "infinite\n") + to_text(truth) + problem;
    auto const* const sat = std::get_if<answer::Sat>(&answer);
    ASSERT_TRUE(sat != nullptr || std::holds_alternative<answer::Unsat>(answer))
        << what << to_string(answer, solver.command());
    ASSERT_EQ(sat != nullptr, expected) << what;
    if (sat == nullptr) return;
    auto const matching = matching_of_model(messages, sat->model);
    ASSERT_TRUE(matching) << what << matching.error();
    auto const it = truth.outcomes.find(names(messages, *matching));
    ASSERT_NE(it, truth.outcomes.end()) << what << sat->model;
    ASSERT_EQ(it->second, wanted) << what << sat->model;
    Feasibility feasibility(messages, options.buffering);
    Schedule schedule;
    feasibility.schedule(*matching, schedule);
    Machine machine(*loaded.code, options.buffering);
    ASSERT_EQ(static_cast<int>(run(machine, schedule).s), static_cast<int>(wanted)) << what;
}

void encoding_agrees_on_small_programs(std::string const& name, std::size_t every) {
    Solver solver(*solver_command(name));
    std::size_t number = 0;
    for_each_small_program(every, 0, [&](Program const& program) {
        for (bool const zero : {false, true})
            if (!::testing::Test::HasFatalFailure())
                encoding_agrees(program, zero, *explore_quickly(program, zero), solver, number++);
    });
    std::cout << number << " problems\n";
}

void encoding_agrees_on_random_programs(std::string const& name, std::size_t count) {
    Solver solver(*solver_command(name));
    std::size_t number = 0;
    for_each_random_program(count, 3, [&](Program const& program, bool zero, Truth const& truth) {
        if (!::testing::Test::HasFatalFailure()) encoding_agrees(program, zero, truth, solver, number++);
    });
}

TEST(EncodingAgreesWithExplore, SmallProgramsZ3) { encoding_agrees_on_small_programs("z3", 3); }
TEST(EncodingAgreesWithExplore, SmallProgramsCvc5) { encoding_agrees_on_small_programs("cvc5", 11); }
TEST(EncodingAgreesWithExplore, RandomProgramsZ3) { encoding_agrees_on_random_programs("z3", 20'000); }
TEST(EncodingAgreesWithExplore, RandomProgramsCvc5) { encoding_agrees_on_random_programs("cvc5", 20'000); }

CheckOptions engine(EngineChoice choice, bool refine = false) {
    CheckOptions options;
    options.engine = choice;
    options.refine = refine;
    options.solver = *solver_command("z3");
    return options;
}

TEST(CheckAgreesWithExplore, ExploreEngineOnSmallPrograms) {
    for_each_small_program(1, 0, [&](Program const& program) {
        for (bool const zero : {false, true})
            if (!HasFatalFailure())
                check_agrees(program, zero, *explore_quickly(program, zero), engine(EngineChoice::explore));
    });
}

TEST(CheckAgreesWithExplore, AutomaticOnSmallPrograms) {
    for_each_small_program(2, 1, [&](Program const& program) {
        for (bool const zero : {false, true})
            if (!HasFatalFailure())
                check_agrees(program, zero, *explore_quickly(program, zero), engine(EngineChoice::automatic));
    });
}

TEST(CheckAgreesWithExplore, ExploreEngineOnRandomPrograms) {
    for_each_random_program(20'000, 1, [&](Program const& program, bool zero, Truth const& truth) {
        if (!HasFatalFailure()) check_agrees(program, zero, truth, engine(EngineChoice::explore));
    });
}

TEST(CheckAgreesWithExplore, AutomaticOnRandomPrograms) {
    for_each_random_program(20'000, 2, [&](Program const& program, bool zero, Truth const& truth) {
        if (!HasFatalFailure()) check_agrees(program, zero, truth, engine(EngineChoice::automatic));
    });
}

// A solver process for each program, so fewer.
TEST(CheckAgreesWithExplore, SmtEngineOnRandomPrograms) {
    for_each_random_program(300, 4, [&](Program const& program, bool zero, Truth const& truth) {
        if (HasFatalFailure()) return;
        check_agrees(program, zero, truth, engine(EngineChoice::smt));
        if (!HasFatalFailure()) check_agrees(program, zero, truth, engine(EngineChoice::smt, true));
    });
}

} // namespace
} // namespace matchpoint::naive
