// Programs with shared variables: the checker against the naive exploration.

#include <gtest/gtest.h>

#include <iostream>

#include "tests/support/shared_verdicts.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::naive {
namespace {

/// All programs of two threads over eight commands: two to four commands each, and a part of those of five.
TEST(SharedMemory, SmallPrograms) {
    Tally tally;
    std::size_t programs = 0;
    for (std::size_t const commands : {2U, 3U, 4U, 5U})
        for_each_small_shared_program(commands, commands == 5 ? every(40) : every(), 0, [&](Program const& program) {
            ++programs;
            if (HasFatalFailure()) return;
            Wrong const wrong = shared_check_is_right(program, false, tally);
            ASSERT_FALSE(wrong) << *wrong;
        });
    std::cout << programs << " programs:\n";
    print(std::cout, tally);
    for (char const* const what : {"violated", "safe", "vacuous", "deadlock"}) EXPECT_GT(tally[what], 0U) << what;
}

TEST(SharedMemory, RandomPrograms) {
    Tally tally;
    for (std::size_t i = 0; i < cases(20'000); ++i) {
        Wrong const wrong = shared_is_right(1, i, tally);
        ASSERT_FALSE(wrong) << "case " << i << " of seed 1\n" << *wrong;
    }
    print(std::cout, tally);
    for (char const* const what : {"violated", "safe", "vacuous", "deadlock", "fault", "two switches or more"})
        EXPECT_GT(tally[what], 0U) << what;
}

} // namespace
} // namespace matchpoint::naive
