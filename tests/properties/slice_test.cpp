// A slice comes to what its program comes to, by the naive explorations of both.
#include "programs/slice.hpp"

#include <gtest/gtest.h>

#include <iostream>

#include "tests/support/generate.hpp"
#include "tests/support/naive_shared.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/shared_verdicts.hpp"
#include "tests/support/thinning.hpp"
#include "tests/support/verdicts.hpp"

namespace matchpoint::naive {
namespace {

/// The slice of a program; none if nothing is gone.
std::optional<Program> slice_of(Program const& program, Tally& tally) {
    Subject const subject(program);
    auto const whole = programs::draft::draft_of(subject.messages.code().program());
    auto slice = programs::draft::slice(whole);
    if (slice.draft == whole) {
        ++tally["nothing is gone"];
        return std::nullopt;
    }
    tally["assignments"] += slice.assignments;
    tally["assumptions"] += slice.assumptions;
    tally["payloads"] += slice.payloads;
    tally["shared variables"] += slice.shared;
    EXPECT_EQ(programs::draft::slice(slice.draft).draft, slice.draft) << subject.loaded.text;
    return plain(std::move(slice.draft)).program;
}

template <typename Truth>
void expect_same(std::optional<Truth> const& truth, std::optional<Truth> const& of_slice, Program const& program,
                 bool zero, Tally& tally) {
    if (!truth || !of_slice) {
        ++tally["too large for the naive exploration"];
        return;
    }
    ++tally[to_text(truth->verdict())];
    ASSERT_EQ(to_text(*of_slice), to_text(*truth)) << "zero " << zero << '\n' << Subject(program).loaded.text;
}

void ask(Program const& program, Tally& tally) {
    auto const slice = slice_of(program, tally);
    if (!slice) return;
    for (bool const zero : {false, true}) {
        auto const truth = explore_eagerly(program, zero, 3'000);
        auto const of_slice = explore_eagerly(*slice, zero, 3'000);
        expect_same(truth ? std::optional(truth->on_path) : std::nullopt,
                    of_slice ? std::optional(of_slice->on_path) : std::nullopt, program, zero, tally);
        if (!truth || !of_slice) continue;
        // Of complete runs: the same match sets with the same status.
        ASSERT_EQ(of_slice->outcomes, truth->outcomes) << "zero " << zero << '\n' << Subject(program).loaded.text;
        ASSERT_EQ(of_slice->deadlock, truth->deadlock);
        ASSERT_EQ(of_slice->fault, truth->fault);
    }
}

/// A race of the slice is one of the program. There may be fewer switches in it.
void expect_same_sharing(Program const& program, Program const& slice, bool zero, Tally& tally) {
    auto truth = explore_shared(program, zero, 20'000);
    auto of_slice = explore_shared(slice, zero, 20'000);
    if (truth && of_slice) {
        ASSERT_TRUE(truth->race || !of_slice->race) << Subject(program).loaded.text;
        if (truth->race && !of_slice->race) ++tally["races that are gone"];
        for (auto* const t : {&*truth, &*of_slice}) {
            t->race = false;
            t->switches = {};
            t->switches_complete = {};
        }
    }
    expect_same(truth, of_slice, program, zero, tally);
}

TEST(Slice, RandomPrograms) {
    Tally tally;
    for (std::size_t i = 0; i < cases(1'500) && !HasFatalFailure(); ++i)
        ask(program_to_explore(seeded(70), i, 3, 4), tally);
    for (std::size_t i = 0; i < cases(700) && !HasFatalFailure(); ++i) ask(disciplined_program(seeded(71), i), tally);
    for (std::size_t i = 0; i < cases(300) && !HasFatalFailure(); ++i)
        ask(mpi_program_to_explore(seeded(72), i, 3, 3), tally);
    print(std::cout, tally);
    if (every() > 1) return;
    for (char const* const what : {"assignments", "payloads", "violated", "safe", "vacuous"})
        EXPECT_GT(tally[what], 0U) << what;
}

void ask_sharing(Program const& program, Tally& tally) {
    auto const slice = slice_of(program, tally);
    if (!slice) return;
    for (bool const zero : {false, true}) expect_same_sharing(program, *slice, zero, tally);
}

TEST(Slice, SmallProgramsWithSharedVariables) {
    Tally tally;
    for (auto const& [threads, commands, thinned] :
         {std::tuple(2U, 2U, 1U), {2U, 3U, 1U}, {2U, 4U, 12U}, {2U, 5U, 400U}, {3U, 3U, 2U}, {3U, 4U, 12U}})
        for_each_small_shared_program(threads, commands, thinned * every(), [&](Program const& program) {
            if (!HasFatalFailure()) ask_sharing(program, tally);
        });
    print(std::cout, tally);
    if (every() > 1) return;
    for (char const* const what : {"assignments", "violated", "safe", "vacuous"}) EXPECT_GT(tally[what], 0U) << what;
}

TEST(Slice, RandomProgramsWithSharedVariables) {
    Tally tally;
    for (std::size_t i = 0; i < cases(1'200) && !HasFatalFailure(); ++i)
        ask_sharing(shared_program(seeded(73), i), tally);
    print(std::cout, tally);
    if (every() > 1) return;
    for (char const* const what : {"assignments", "shared variables", "violated", "safe", "vacuous"})
        EXPECT_GT(tally[what], 0U) << what;
}

} // namespace
} // namespace matchpoint::naive
