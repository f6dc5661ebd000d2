// Programs with shared variables: the checker against the naive exploration, and against itself on programs that have
// to agree.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iostream>

#include "grammar/discipline.hpp"
#include "grammar/parse.hpp"
#include "grammar/print.hpp"
#include "programs/random.hpp"
#include "programs/smaller.hpp"
#include "tests/support/generate.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/shared_classes.hpp"
#include "tests/support/shared_verdicts.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::naive {
namespace {

/// All programs of two threads and up to four commands, and of three threads and up to four; a part of the larger ones.
/// With MATCHPOINT_EVERY=1, all of two threads up to seven commands, and of three up to six.
TEST(SharedMemory, SmallPrograms) {
    Tally tally;
    std::size_t programs = 0;
    auto const ask = [&](std::size_t threads, std::size_t commands, std::size_t thinned) {
        for_each_small_shared_program(threads, commands, every(thinned), [&](Program const& program) {
            ++programs;
            if (HasFatalFailure()) return;
            Wrong const wrong = shared_check_is_right(program, false, tally);
            ASSERT_FALSE(wrong) << *wrong;
        });
    };
    for (auto const& [commands, thinned] : {std::pair(2U, 1U), {3U, 1U}, {4U, 1U}, {5U, 40U}, {6U, 400U}, {7U, 4000U}})
        ask(2, commands, thinned);
    for (auto const& [commands, thinned] : {std::pair(3U, 1U), {4U, 1U}, {5U, 40U}, {6U, 400U}})
        ask(3, commands, thinned);
    std::cout << programs << " programs:\n";
    print(std::cout, tally);
    for (char const* const what : {"violated", "safe", "vacuous", "deadlock", "data race"})
        EXPECT_GT(tally[what], 0U) << what;
}

TEST(SharedMemory, RandomPrograms) {
    Tally tally;
    for (std::size_t i = 0; i < cases(10'000); ++i) {
        Wrong const wrong = shared_is_right(seeded(1), i, tally);
        ASSERT_FALSE(wrong) << "case " << i << " of seed " << seeded(1) << '\n' << *wrong;
    }
    print(std::cout, tally);
    if (every() > 1) return; // in a few programs, no rare kind is sure
    for (char const* const what : {"violated", "safe", "vacuous", "deadlock", "fault", "data race",
                                   "two switches or more", "searches that find a way", "what could come no longer can"})
        EXPECT_GT(tally[what], 0U) << what;
}

/// Classes of executions, and what causal models predict from a random trace (P2).
TEST(SharedMemory, ClassesAndModelsOfRandomPrograms) {
    Tally tally;
    for (std::size_t i = 0; i < cases(1'000); ++i) {
        Wrong const wrong = shared_classes_are_right(seeded(1), i, tally);
        ASSERT_FALSE(wrong) << "case " << i << " of seed " << seeded(1) << '\n' << *wrong;
    }
    print(std::cout, tally);
    if (every() > 1) return; // in a few programs, no rare kind is sure
    for (char const* const what :
         {"classes that end in: complete", "classes that end in: deadlock", "classes that end in: fault",
          "classes that end in: off path", "data race", "hb fails", "mcm predicts a failure",
          "only ctp predicts a failure", "oracle: a match", "oracle: no such match", "oracle: an order",
          "oracle: no such order"})
        EXPECT_GT(tally[what], 0U) << what;
}

/// What `gen random --shared` writes.
programs::RandomShape generated_shape(std::size_t i) {
    static constexpr std::array<unsigned, 4> shares{50, 70, 90, 100};
    programs::RandomShape shape{
        .threads = 3, .messages = 3, .divisions = 25, .assumptions = 50, .several_assertions = 50};
    shape.shared = shares[i % shares.size()];
    if (i % 4 == 3) shape.choices = 80;
    if (i % 5 == 4) shape.atomics = 40;
    return shape;
}

/// They obey the rules, and their text is theirs.
void expect_text_is_right(programs::draft::Draft draft) {
    std::string const text = programs::draft::print(draft);
    Source const source("generated", text);
    auto const read = grammar::parse(source);
    ASSERT_TRUE(read) << render(read.error(), source);
    Diagnostics const faults = check_discipline(*read, &source);
    ASSERT_TRUE(faults.empty()) << render(faults, source) << text;
    auto const made = programs::draft::program_of(draft);
    ASSERT_TRUE(made && *made == *read) << text;
    Source const again("printed", grammar::print(*read));
    auto const printed = grammar::parse(again);
    ASSERT_TRUE(printed && *printed == *read) << text << again.text();
}

/// What is wrong with the smallest program that still has something wrong.
std::string smallest(programs::draft::Draft const& draft, bool zero) {
    Tally ignored;
    auto const wrong = [&](programs::draft::Draft const& d) {
        return shared_check_is_right(naive::plain(d).program, zero, ignored);
    };
    auto const shrunk = programs::draft::shrink(
        draft, [&](auto const& d) { return wrong(d).has_value(); }, 2000);
    return wrong(shrunk.draft).value_or("");
}

TEST(SharedMemory, GeneratedPrograms) {
    Tally tally;
    for (std::size_t i = 0; i < cases(1'000); ++i) {
        programs::draft::Draft const draft = programs::random_program(seeded(13), i, generated_shape(i)).draft;
        expect_text_is_right(draft);
        if (HasFatalFailure()) return;
        if (draft.shared.empty()) continue; // others test messages alone
        bool const zero = i / 4 % 2 == 1;
        Wrong const wrong = shared_check_is_right(naive::plain(draft).program, zero, tally);
        ASSERT_FALSE(wrong) << "program " << i << " of seed " << seeded(13) << '\n' << smallest(draft, zero);
    }
    print(std::cout, tally);
    if (every() > 1) return; // in a few programs, no rare kind is sure
    for (char const* const what : {"violated", "safe", "vacuous", "deadlock", "fault", "data race"})
        EXPECT_GT(tally[what], 0U) << what;
    EXPECT_LE(tally["too large for the naive exploration"], cases(1'000) / 20);
}

// Shrinking takes guards, assignments and declarations away.
TEST(SharedMemory, ShrinkingGetsRidOfThem) {
    using namespace programs;
    std::size_t rid = 0;
    for (std::size_t i = 0; i < cases(100); ++i) {
        draft::Draft const start = random_program(seeded(19), i, generated_shape(i)).draft;
        auto const shrunk = draft::shrink(
            start, [&](draft::Draft const& d) { return d.commands() + 2 >= start.commands(); }, 2000);
        if (!shrunk.finished || start.shared.empty()) continue;
        ++rid;
        EXPECT_EQ(draft::print(shrunk.draft).find("(assume true ("), std::string::npos) << draft::print(shrunk.draft);
        draft::Draft used = shrunk.draft;
        draft::drop_unused_shared_variables(used);
        EXPECT_EQ(used.shared, shrunk.draft.shared) << draft::print(shrunk.draft);
        for (draft::Thread const& t : shrunk.draft.threads)
            for (draft::LocatedCommand const& c : t) {
                auto const* const guarded = std::get_if<grammar::GuardedOf<draft::Text>>(&c.c);
                EXPECT_TRUE(guarded == nullptr || guarded->assigned.empty()) << draft::print(shrunk.draft);
            }
    }
    EXPECT_GT(rid, least(30));
}

/// Beside everything else that programs may have, these too obey the rules.
TEST(SharedMemory, GeneratedProgramsOfAllKinds) {
    for (std::size_t i = 0; i < cases(3'000); ++i) {
        programs::RandomShape shape = programs::with_mpi({.threads = 5, .messages = 12, .reuse = 60, .booleans = 60});
        shape.large_numbers = 20;
        shape.shared = 10 + static_cast<unsigned>(i % 91);
        shape.atomics = 30;
        expect_text_is_right(programs::random_program(seeded(17), i, shape).draft);
        ASSERT_FALSE(HasFatalFailure()) << "program " << i << " of seed " << seeded(17);
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Without an oracle: larger programs

struct Checked {
    std::string verdict;
    std::optional<std::size_t> switches;
    bool operator==(Checked const&) const = default;
};

Checked checked(Program const& program, bool zero = false, Runs runs = Runs::executions) {
    Subject const subject(program);
    CheckOptions options;
    options.buffering = zero ? Buffering::zero : Buffering::infinite;
    options.runs = runs;
    CheckResult const result = check::check(subject.messages, options);
    Checked found{std::string(to_string(result.verdict)), {}};
    EXPECT_NE(found.verdict, "unknown");
    if (!result.switches) return found;
    EXPECT_EQ(result.switches->least, result.switches->most);
    found.switches = result.switches->least;
    return found;
}

void expect_of_random_programs(std::function<void(Program const&)> const& expect) {
    for (std::size_t i = 0; i < cases(3'000); ++i) {
        Program const program = shared_program(seeded(7), i);
        expect(program);
        ASSERT_FALSE(testing::Test::HasFailure()) << "case " << i << " of seed " << seeded(7) << '\n'
                                                  << to_text(program, {});
    }
}

/// P4: a complete run that fails is an execution that fails, and has no fewer switches.
TEST(SharedMemory, ACompleteRunThatFailsIsAnExecutionThatFails) {
    expect_of_random_programs([](Program const& program) {
        Checked const complete = checked(program, false, Runs::complete);
        if (complete.verdict != "violated") return;
        Checked const executions = checked(program);
        EXPECT_EQ(executions.verdict, "violated");
        EXPECT_LE(executions.switches, complete.switches);
    });
}

/// P5: what fails under zero buffering fails under infinite buffering.
TEST(SharedMemory, WhatFailsWithoutBuffersFailsWithThem) {
    expect_of_random_programs([](Program const& program) {
        if (checked(program, true).verdict == "violated") {
            EXPECT_EQ(checked(program).verdict, "violated");
        }
    });
}

/// P6: an assumption that waits, or a `when` that does not, changes deadlocks and infeasible runs only.
TEST(SharedMemory, AnAssumptionCanAsWellWait) {
    expect_of_random_programs([](Program const& program) {
        Program waiting = program;
        Program going = program;
        for (std::size_t t = 0; t < program.threads.size(); ++t)
            for (std::size_t k = 0; k < program.threads[t].size(); ++k) {
                auto const& what = program.threads[t][k].what;
                if (auto const* const assume = std::get_if<Assume>(&what))
                    waiting.threads[t][k].what = Guarded{assume->condition, {}, true};
                auto const* const guarded = std::get_if<Guarded>(&what);
                if (guarded == nullptr) continue;
                waiting.threads[t][k].what = Guarded{guarded->guard, guarded->stores, true};
                if (guarded->stores.empty())
                    going.threads[t][k].what = Assume{guarded->guard};
                else
                    going.threads[t][k].what = Guarded{guarded->guard, guarded->stores, false};
            }
        Checked const as_it_is = checked(program);
        EXPECT_EQ(checked(waiting), as_it_is);
        EXPECT_EQ(checked(going), as_it_is);
    });
}

/// P7: the order of the threads does not matter.
TEST(SharedMemory, ThreadsInAnotherOrder) {
    expect_of_random_programs([](Program const& program) {
        Program other = program;
        std::reverse(other.threads.begin(), other.threads.end());
        for (bool const zero : {false, true}) EXPECT_EQ(checked(other, zero), checked(program, zero));
    });
}

} // namespace
} // namespace matchpoint::naive
