// Programs with shared variables: the checker against the naive exploration, and against itself on programs that have to agree.

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "tests/support/shared_verdicts.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::naive {
namespace {

/// All programs of two threads and up to four commands, and of three threads and up to four; a part of the larger ones. With
/// MATCHPOINT_EVERY=1, all of two threads up to seven commands, and of three up to six.
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
    for (std::size_t i = 0; i < cases(20'000); ++i) {
        Wrong const wrong = shared_is_right(1, i, tally);
        ASSERT_FALSE(wrong) << "case " << i << " of seed 1\n" << *wrong;
    }
    print(std::cout, tally);
    for (char const* const what :
         {"violated", "safe", "vacuous", "deadlock", "fault", "data race", "two switches or more"})
        EXPECT_GT(tally[what], 0U) << what;
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
        Program const program = shared_program(7, i);
        expect(program);
        ASSERT_FALSE(testing::Test::HasFailure()) << "case " << i << " of seed 7\n" << to_text(program, {});
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
