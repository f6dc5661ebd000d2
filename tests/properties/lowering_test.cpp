// Programs with selectors, modes and barriers, lowered (lowering/lowered.hpp) and as they stand (encode/selecting.hpp), against the
// naive exploration.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iostream>

#include <fmt/format.h>

#include "check/check.hpp"
#include "encode/selecting.hpp"
#include "executions/exact_pairs.hpp"
#include "grammar/discipline.hpp"
#include "lowering/lowered.hpp"
#include "programs/small_mpi.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/drafts.hpp"
#include "tests/support/generate.hpp"
#include "tests/support/thinning.hpp"
#include "tests/support/verdicts.hpp"

namespace matchpoint::naive {

namespace {

using Judge = std::function<Wrong(Program const&, bool zero, Truth const&, Tally&)>;

/// Some small programs of each kind, and so many random ones, under both bufferings.
void on_mpi_programs(std::size_t nth, std::size_t random, Judge const& judge) {
    Tally tally;
    auto const look_at = [&](Program const& program) {
        for (bool const zero : {false, true}) {
            auto const truth = explore_eagerly(program, zero, 20'000);
            ++tally[truth ? to_text(truth->on_path.verdict()) : "too large for the naive exploration"];
            if (!truth) continue;
            if (truth->deadlock) ++tally["with a deadlock"];
            Wrong const wrong = judge(program, zero, *truth, tally);
            ASSERT_FALSE(wrong) << to_text(program, {}) << *wrong;
        }
    };
    for (auto const kinds : {programs::SmallMpi{.selectors = true},
                             {.modes = true},
                             {.barrier = true},
                             {.selectors = true, .modes = true, .barrier = true}}) {
        programs::SmallMpiPrograms all({.size = 6}, kinds, nth * every());
        while (auto const draft = all.next()) {
            look_at(plain(*draft).program);
            if (testing::Test::HasFatalFailure()) return;
        }
    }
    for (std::size_t i = 0; i < cases(random); ++i) {
        look_at(mpi_program_to_explore(5, i));
        if (testing::Test::HasFatalFailure()) return;
    }
    print(std::cout, tally);
}

Buffering of(bool zero) { return zero ? Buffering::zero : Buffering::infinite; }

} // namespace

TEST(Lowering, ChecksAreRight) {
    on_mpi_programs(400, 1'000, [](Program const& program, bool zero, Truth const& truth, Tally& tally) -> Wrong {
        Subject const subject(program);
        bool const is_lowered = Lowered::of(subject.messages, of(zero)).has_value();
        ++tally[is_lowered ? "lowered" : "not lowered"];
        if (is_lowered)
            if (Wrong w = engines_are_right_on_path(subject, zero, truth.on_path)) return w;
        CheckOptions options;
        for (EngineChoice const engine : {EngineChoice::explore, EngineChoice::automatic}) {
            options.engine = engine;
            if (Wrong w = check_is_right(subject, zero, truth, options)) return w;
            if (Wrong w = check_on_path_is_right(subject, zero, truth.on_path, options)) return w;
        }
        return std::nullopt;
    });
}

TEST(Lowering, Traces) {
    std::size_t programs = 0;
    for (auto const& entry :
         std::filesystem::recursive_directory_iterator(std::filesystem::path(MATCHPOINT_SOURCE_DIR) / "traces")) {
        if (entry.path().extension() != ".ctp") continue;
        std::ifstream in(entry.path());
        std::string const text{std::istreambuf_iterator<char>(in), {}};
        if (!check_discipline(*load(text).program).empty()) continue;
        Program const program = read_program(text);
        Subject const subject(program);
        if (subject.messages.code().is_plain()) continue;
        ++programs;
        for (bool const zero : {false, true}) {
            auto const truth = explore_eagerly(program, zero);
            ASSERT_TRUE(truth) << entry.path();
            for (EngineChoice const engine : {EngineChoice::explore, EngineChoice::automatic, EngineChoice::smt}) {
                CheckOptions options;
                options.engine = engine;
                options.solver = *solver_command("z3");
                Wrong const complete = check_is_right(subject, zero, *truth, options);
                EXPECT_FALSE(complete) << entry.path() << *complete;
                Wrong const on_path = check_on_path_is_right(subject, zero, truth->on_path, options);
                EXPECT_FALSE(on_path) << entry.path() << *on_path;
            }
        }
    }
    EXPECT_GE(programs, 10U);
}

TEST(Lowering, PairsAreRight) {
    on_mpi_programs(2'000, 300, [](Program const& program, bool zero, Truth const& truth, Tally&) -> Wrong {
        Subject const subject(program);
        auto const names = [&](MatchPairs const& pairs) {
            std::set<std::pair<std::string, std::string>> result;
            for (std::uint32_t r = 0; r < pairs.of.size(); ++r)
                for (std::uint32_t const s : pairs.of[r])
                    result.emplace(subject.messages.code().names()(subject.messages.receives()[r].a),
                                   subject.messages.code().names()(subject.messages.sends()[s].a));
            return result;
        };
        if (names(*pairs_by(subject.messages, of(zero), PairsMethod::exact)) != truth.exact_pairs) return "exact pairs";
        auto const tight = names(*pairs_by(subject.messages, of(zero), PairsMethod::tight));
        if (!std::includes(tight.begin(), tight.end(), truth.exact_pairs.begin(), truth.exact_pairs.end()))
            return "tight pairs leave out some that a complete run has";
        auto const all = names(*pairs_by(subject.messages, of(zero), PairsMethod::overapprox));
        if (!std::includes(all.begin(), all.end(), tight.begin(), tight.end())) return "tight pairs beyond overapprox";
        return std::nullopt;
    });
}

TEST(Selecting, EncodingIsRight) {
    Solver solver(*solver_command("z3"));
    on_mpi_programs(40'000, 60, [&](Program const& program, bool zero, Truth const& truth, Tally& tally) -> Wrong {
        Subject const subject(program);
        auto const asks = [&](Runs runs, SelectingGoal goal, bool expected) -> Wrong {
            std::string problem;
            encode_selecting(subject.messages, {of(zero), runs, goal}, {.check_sat = false, .models = true},
                             [&](std::string_view part) { problem += part; });
            Answer const answer = solver.check(problem, {.model = true});
            auto const sat = is_sat(answer);
            if (!sat || *sat != expected)
                return fmt::format("goal {}, runs {}: {}", static_cast<int>(goal), static_cast<int>(runs),
                                   to_string(answer, *solver_command("z3")));
            ++tally[expected ? "sat" : "unsat"];
            if (!expected) return std::nullopt;
            auto const schedule = schedule_of_model(subject.messages, of(zero), std::get<answer::Sat>(answer).model);
            if (!schedule) return schedule.error();
            Machine machine(subject.messages.code(), of(zero));
            Outcome const outcome = run(machine, *schedule, Extent::prefix);
            bool const is_there = goal == SelectingGoal::failure   ? outcome.s == matchpoint::Status::failure
                                  : goal == SelectingGoal::success ? outcome.s == matchpoint::Status::success
                                                                   : !outcome.error.has_value();
            if (!is_there) return fmt::format("the model's execution ends as {}", to_string(outcome.s));
            return std::nullopt;
        };
        bool fails = false;
        bool succeeds = false;
        for (auto const& [m, s] : truth.outcomes) {
            fails |= s == Status::failure;
            succeeds |= s == Status::success;
        }
        if (Wrong w = asks(Runs::executions, SelectingGoal::failure, truth.on_path.fails)) return w;
        if (Wrong w = asks(Runs::complete, SelectingGoal::failure, fails)) return w;
        if (Wrong w = asks(Runs::complete, SelectingGoal::success, succeeds)) return w;
        if (Wrong w = asks(Runs::complete, SelectingGoal::any, !truth.outcomes.empty())) return w;
        if (Wrong w = asks(Runs::executions, SelectingGoal::deadlock, truth.on_path.deadlock)) return w;
        if (Wrong w = asks(Runs::complete, SelectingGoal::deadlock, truth.deadlock)) return w;
        if (Wrong w = asks(Runs::executions, SelectingGoal::fault, truth.on_path.fault)) return w;
        return asks(Runs::complete, SelectingGoal::fault, truth.fault);
    });
}

} // namespace matchpoint::naive
