// Collectives (docs/semantics.md): the machine, the explorer and the checker against the naive oracle, on small
// programs and on random ones; and what the specification says of them.

#include <gtest/gtest.h>

#include <iostream>

#include "grammar/discipline.hpp"
#include "grammar/parse.hpp"
#include "grammar/print.hpp"
#include "programs/random_collectives.hpp"
#include "programs/small_collectives.hpp"
#include "programs/smaller.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/generate.hpp"
#include "tests/support/mpi.hpp"
#include "tests/support/mpi_verdicts.hpp"
#include "tests/support/naive_collectives.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/shared_verdicts.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::naive {

namespace {

using programs::SmallCollectivePrograms;

/// Calls `visit` with every n-th small program.
void for_each_small_collective_program(programs::SmallCollectives const& bound, std::size_t nth,
                                       std::function<void(Program const&)> const& visit) {
    SmallCollectivePrograms all(bound, nth, given_seed() % nth);
    while (auto const draft = all.next()) {
        visit(plain(*draft).program);
        if (testing::Test::HasFailure()) break;
    }
}

void print_collective_tally(std::string const& what, Tally const& tally) {
    std::cout << what << "\n";
    print(std::cout, tally);
}

} // namespace

// Every program of two threads with two commands each, and a part of those of three threads. Three seconds: nothing
// else goes through all pairs of kinds, and through all places of a message among them.
TEST(Collectives, SmallProgramsAreExploredAsByTheOracle) {
    Tally tally;
    auto const compare = [&](Program const& program) {
        for (bool const zero : {false, true}) {
            Wrong const wrong = exploration_is_right(program, zero, tally);
            ASSERT_FALSE(wrong) << *wrong;
        }
        tally["that disagree"] += has_disagreement(program) ? 1U : 0U;
        ++tally["programs"];
    };
    for_each_small_collective_program({.threads = 2, .length = 2}, every(), compare);
    for_each_small_collective_program({.threads = 3, .length = 2}, every(501, 7), compare);
    for_each_small_collective_program({.threads = 2, .length = 3}, every(401, 7), compare);
    print_collective_tally("small programs", tally);
    EXPECT_GT(tally["explored"], 0U);
    EXPECT_EQ(tally["too large"], 0U);
}

// Traces, the explorer, random executions and those with a slow channel, searches, the checker, match pairs, and walks
// there and back. Ten seconds: nothing else has collectives among all kinds of messages, assumptions and divisions.
TEST(Collectives, RandomPrograms) {
    Tally tally;
    std::size_t const count = cases(400);
    for (std::uint64_t i = 0; i < count && !HasFailure(); ++i) {
        Wrong const wrong = collectives_are_right(seeded(61), i, tally);
        ASSERT_FALSE(wrong) << *wrong;
    }
    print_collective_tally("random programs", tally);
    EXPECT_GT(tally["explored"], least(count));
}

// A second: only here are programs and traces with collectives broken, so that every reason occurs beside them.
TEST(Collectives, RandomTraces) {
    for (std::uint64_t i = 0; i < cases(2000) && !HasFailure(); ++i)
        for (Case const& c : {disciplined_collective_case(seeded(62), i), any_collective_case(seeded(62), i)}) {
            Wrong const wrong = trace_is_right(c);
            ASSERT_FALSE(wrong) << *wrong;
        }
}

// The verdict, deadlocks and faults of the checker, and match pairs.
TEST(Collectives, SmallProgramsAreChecked) {
    Tally tally;
    for_each_small_collective_program({.threads = 2, .length = 2}, every(13), [&](Program const& program) {
        for (bool const zero : {false, true}) {
            auto const truth = explore_eagerly(program, zero);
            ++tally[to_text(truth->on_path.verdict())];
            Wrong wrong = mpi_checks_are_right(program, zero, *truth, tally);
            if (!wrong) wrong = mpi_pairs_are_right(program, zero, *truth);
            ASSERT_FALSE(wrong) << to_text(program, {}) << "zero " << zero << ": " << *wrong;
        }
    });
    print_collective_tally("small programs", tally);
}

// Beside shared variables every order of steps counts, and the searches have reductions of their own. Two seconds:
// nothing else compares these with collectives.
TEST(Collectives, BesideSharedVariables) {
    Tally tally;
    for (std::uint64_t i = 0; i < cases(100) && !HasFailure(); ++i) {
        Program const program = shared_program(seeded(70), i);
        programs::draft::Draft draft = programs::draft::draft_of(*load(to_text(program, {})).program);
        programs::Dice dice(seeded(71), i);
        programs::add_collectives(draft, {.communicators = 1, .calls = 2, .disagree = 25}, dice);
        Program const with_calls = plain(draft).program;
        tally["that disagree"] += has_disagreement(with_calls) ? 1U : 0U;
        for (bool const zero : {false, true}) {
            Wrong const wrong = shared_check_is_right(with_calls, zero, tally);
            ASSERT_FALSE(wrong) << *wrong;
        }
    }
    print_collective_tally("shared variables", tally);
}

// Drafts, texts and programs are the same in every direction, and generated programs obey the rules.
TEST(Collectives, TextsAndDrafts) {
    for (std::uint64_t i = 0; i < cases(1500); ++i) {
        programs::draft::Draft const draft = programs::random_collectives(seeded(67), i);
        std::string const text = programs::draft::print(draft);
        Loaded const loaded = load(text);
        EXPECT_TRUE(check_discipline(*loaded.program).empty()) << text;
        EXPECT_TRUE(*loaded.program == programs::draft::valid_program_of(draft)) << text;
        EXPECT_TRUE(*load(print(*loaded.program)).program == *loaded.program) << text;
        EXPECT_EQ(programs::draft::print(programs::draft::draft_of(*loaded.program)), text);
        EXPECT_EQ(to_text(read_program(text), {}), to_text(read_program(print(*loaded.program)), {}));
    }
}

// What is cut keeps its roots, and some cut of every program is smaller.
TEST(Collectives, ShrinkingKeepsRoots) {
    for (std::uint64_t i = 0; i < cases(60); ++i) {
        programs::draft::Draft const draft = programs::random_collectives(seeded(68), i, {.threads = 3, .messages = 2});
        std::size_t valid = 0;
        for (programs::draft::Draft const& smaller : programs::draft::smaller(draft))
            if (programs::draft::program_of(smaller)) ++valid;
        EXPECT_GT(valid, 0U) << programs::draft::print(draft);
    }
}

// An old barrier and a collective one are the same, where all members have as many.
TEST(Collectives, ABarrierIsABarrier) {
    for (std::uint64_t i = 0; i < cases(300) && !HasFailure(); ++i) {
        Program program = mpi_program_to_explore(seeded(69), i, 3, 3);
        auto const meant = explore_eagerly(program, false, 4'000);
        std::size_t calls = 0;
        for (Thread& thread : program.threads)
            for (Command& c : thread)
                if (Meet const* const meet = std::get_if<Meet>(&c.what))
                    c.what = Collective{"K" + std::to_string(calls++), meet->barrier, "barrier"};
        if (calls == 0) continue;
        auto const made = explore_eagerly(program, false, 4'000);
        ASSERT_EQ(meant.has_value(), made.has_value());
        if (meant) {
            ASSERT_TRUE(*meant == *made && meant->on_path == made->on_path) << to_text(program, {});
        }
    }
}

} // namespace matchpoint::naive
