// Programs with selectors, modes and barriers, lowered (lowering/lowered.hpp) and as they are (encode/selecting.hpp),
// against the naive exploration.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iostream>

#include <fmt/format.h>

#include "check/check.hpp"
#include "encode/selecting.hpp"
#include "grammar/discipline.hpp"
#include "lowering/lowered.hpp"
#include "programs/small_mpi.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/drafts.hpp"
#include "tests/support/generate.hpp"
#include "tests/support/mpi_verdicts.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/thinning.hpp"
#include "tests/support/verdicts.hpp"

namespace matchpoint::naive {

namespace {

using MpiJudge = std::function<Wrong(Program const&, bool zero, Truth const&, Tally&)>;

/// Some small programs of each kind, and so many random ones, under both bufferings.
void on_mpi_programs(std::size_t nth, std::size_t random, MpiJudge const& judge) {
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
        // There are 25 times as many of size 6 with all kinds as of size 5. A part has programs that are smaller by
        // one: passing over the others takes most of the time.
        bool const mixed = kinds.modes && kinds.barrier, part = every() > 1;
        std::size_t const n = every(mixed ? (nth + 24) / 25 : nth);
        programs::SmallMpiPrograms all({.size = 6U - mixed - part}, kinds, part ? (n + 7) / 8 : n);
        while (auto const draft = all.next()) {
            look_at(plain(*draft).program);
            if (testing::Test::HasFatalFailure()) return;
        }
    }
    for (std::size_t i = 0; i < cases(random); ++i) {
        look_at(mpi_program_to_explore(seeded(5), i));
        if (testing::Test::HasFatalFailure()) return;
    }
    print(std::cout, tally);
}

Buffering of(bool zero) { return zero ? Buffering::zero : Buffering::infinite; }

} // namespace

TEST(Lowering, ChecksAreRight) { on_mpi_programs(600, 600, mpi_checks_are_right); }

TEST(Lowering, Traces) {
    std::size_t programs = 0;
    for (auto const& entry : std::filesystem::recursive_directory_iterator(test::source_dir() / "traces")) {
        if (entry.path().extension() != ".ctp") continue;
        std::ifstream in(entry.path());
        std::string const text{std::istreambuf_iterator<char>(in), {}};
        if (!check_discipline(*load(text).program).empty()) continue;
        Program const program = read_program(text);
        Subject const subject(program);
        IndexedProgram const& code = subject.messages.code();
        if (code.is_plain() || subject.messages.order_matters()) continue; // ReadySends.*
        ++programs;
        for (bool const zero : {false, true}) {
            auto const truth = explore_eagerly(program, zero);
            ASSERT_TRUE(truth) << entry.path();
            for (EngineChoice const engine : {EngineChoice::explore, EngineChoice::automatic, EngineChoice::smt}) {
                // Solvers do not know collectives that disagree, and probes of programs that are not lowered.
                bool const needs_machine =
                    code.has_contested_calls() || (code.has_probes() && !Lowered::of(subject.messages, of(zero)));
                if (engine == EngineChoice::smt && needs_machine) continue;
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

/// In the plain program nothing waits for a receive, so messages may come before theirs is posted. In the program they
/// may not, and neither may those after them.
TEST(Lowering, MovementsWaitForTheirReceives) {
    Program const program =
        read_program("( ( [00 (x := 1)] [01 (rcvi R0 0 a)] [02 (wait R0)] [03 (rcvi R1 0 b)] [04 (wait R1)] )"
                     "  ( [10 (ssndi S0 1 0 7)] ) ( [20 (sndi S1 2 0 8)] ) )");
    Subject const subject(program);
    for (Buffering const buffering : {Buffering::infinite, Buffering::zero}) {
        auto const lowered = lowering::Lowered::of(subject.messages, buffering);
        ASSERT_TRUE(lowered);
        IndexedProgram const& plain = (*lowered)->messages().code();
        ASSERT_EQ((*lowered)->buffering(), Buffering::infinite);
        auto const at = [&](std::string_view name) {
            std::uint32_t i = 0;
            while (plain.program().symbols(Location{i}) != name) ++i;
            return Location{i};
        };
        Schedule early;
        for (std::string_view const first : {"10", "20"}) early.step(at(first));
        for (std::uint32_t c = 0; c < plain.channels().size(); ++c) early.move({c});
        for (std::string_view const later : {"00", "01", "02", "03", "04"}) early.step(at(later));
        for (bool const to_the_end : {false, true}) {
            Machine machine(subject.messages.code(), buffering);
            Outcome const outcome = run(machine, (*lowered)->raised(early, to_the_end));
            EXPECT_FALSE(outcome.error);
            EXPECT_TRUE(machine.state().finished());
        }
    }
}

/// The wait that an mprobe becomes completes earlier receives, whose variables keep their values until their own waits.
TEST(Lowering, ValuesComeAfterTheirWaits) {
    char const* const others = "( [10 (sndi s 1 0 1)] [11 (wait s)] ) ( [20 (sndi t 2 0 2)] ) ( [30 (sndi u 3 0 3)] )";
    for (char const* const first :
         {"[00 (x := 9)] [01 (rcvi r 0 x)] [02 (mprobe p 0)] [03 (start p y)] [04 (assert (= x 9))] [05 (wait p)] "
          "[06 (wait r)] [07 (assert (!= x y))]",
          "[01 (rcvi r 0 x)] [02 (mprobe p 0)] [03 (start p x)] [04 (wait p)] [05 (z := x)] [06 (wait r)] "
          "[07 (assert (!= x z))] [08 (assert (= z 2))]",
          "[01 (rcvi r 0 x)] [02 (mprobe p 0)] [03 (start p y)] [04 (rcvi q 0 x)] [05 (wait p)] [06 (wait q)] "
          "[07 (assert (= (+ x y) 5))]",
          "[01 (rcvi r 0 x (source a))] [02 (mprobe p 0 (source b))] [03 (start p y)] [04 (assert (!= b 0))] "
          "[05 (wait r)] [06 (wait p)] [07 (assert (and (= x a) (and (= y b) (!= a b))))]"}) {
        Program const program = read_program(fmt::format("( ( {} ) {} )", first, others));
        Subject const subject(program);
        for (bool const zero : {false, true}) {
            ASSERT_TRUE(Lowered::of(subject.messages, of(zero))) << first;
            auto const truth = explore_eagerly(program, zero);
            ASSERT_TRUE(truth);
            Tally tally;
            Wrong const wrong = mpi_checks_are_right(program, zero, *truth, tally);
            EXPECT_FALSE(wrong) << first << *wrong;
        }
    }
}

/// A wait for a send may wait for the start of an mprobe. If that comes later, the program is not lowered.
TEST(Lowering, StartsThatComeLate) {
    auto const is_lowered = [](std::string_view between, std::string_view send, bool zero) {
        Program const program = read_program(
            fmt::format("( ( [00 (mprobe p 0)] {} [01 (start p x)] [02 (wait p)] ) ( {} ) )", between, send));
        return Lowered::of(Subject(program).messages, of(zero)).has_value();
    };
    char const* const late = "[03 (y := 1)]";
    for (bool const zero : {false, true}) {
        EXPECT_TRUE(is_lowered("", "[10 (ssndi s 1 0 1)] [11 (wait s)]", zero));
        EXPECT_FALSE(is_lowered(late, "[10 (ssndi s 1 0 1)] [11 (wait s)]", zero));
        EXPECT_TRUE(is_lowered(late, "[10 (ssndi s 1 0 1)]", zero));
        EXPECT_TRUE(is_lowered(late, "[10 (bsndi s 1 0 1)] [11 (wait s)]", zero));
        EXPECT_EQ(is_lowered(late, "[10 (sndi s 1 0 1)] [11 (wait s)]", zero), !zero);
    }
}

TEST(Lowering, PairsAreRight) {
    on_mpi_programs(2'000, 300, [](Program const& program, bool zero, Truth const& truth, Tally&) {
        return mpi_pairs_are_right(program, zero, truth);
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
