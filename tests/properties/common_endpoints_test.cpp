// Programs with shared variables in which several threads use one endpoint, and probes beside shared variables: the
// checker, the searches for classes and for few context switches, and the oracle against the naive exploration. No other
// engine knows such programs.

#include <gtest/gtest.h>

#include <iostream>

#include "tests/support/common_endpoints.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/shared_classes.hpp"
#include "tests/support/shared_verdicts.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::naive {
namespace {

Wrong is_right(Program const& program, Tally& tally) {
    for (bool const zero : {false, true}) {
        if (Wrong w = shared_check_is_right(program, zero, tally)) return w;
        if (Wrong w = shared_search_is_right(program, zero, tally)) return w;
    }
    return std::nullopt;
}

/// All of two and three parts, and a part of those of four.
TEST(CommonEndpoints, SmallPrograms) {
    Tally tally;
    std::size_t programs = 0;
    for (auto const& [parts, thinned] : {std::pair(2U, 1U), {3U, 2U}, {4U, 60U}})
        for_each_small_program_with_common_endpoint(parts, every(thinned), [&](Program const& program) {
            ++programs;
            if (HasFatalFailure()) return;
            Wrong const wrong = is_right(program, tally);
            ASSERT_FALSE(wrong) << *wrong;
        });
    std::cout << programs << " programs:\n";
    print(std::cout, tally);
    for (char const* const what : {"violated", "safe", "vacuous", "deadlock"}) EXPECT_GT(tally[what], 0U) << what;
    EXPECT_EQ(tally["too large for the naive exploration"], 0U);
}

TEST(CommonEndpoints, RandomPrograms) {
    Tally tally;
    for (std::size_t i = 0; i < cases(600); ++i) {
        Wrong const wrong = is_right(common_endpoints_program(seeded(1), i, i % 2 == 0), tally);
        ASSERT_FALSE(wrong) << "case " << i << " of seed " << seeded(1) << '\n' << *wrong;
    }
    print(std::cout, tally);
    if (every() > 1) return; // in a few programs, no rare kind is sure
    for (char const* const what :
         {"violated", "safe", "vacuous", "deadlock", "leaves the path", "data race", "two switches or more"})
        EXPECT_GT(tally[what], 0U) << what;
    EXPECT_LE(tally["too large for the naive exploration"], cases(600) / 10);
}

/// The naive search for classes knows no selectors and probes.
TEST(CommonEndpoints, ClassesOfRandomPrograms) {
    Tally tally;
    for (std::size_t i = 0; i < cases(300); ++i)
        for (bool const zero : {false, true}) {
            Program const program = common_endpoints_program(seeded(2), i, true);
            Wrong wrong = classes_are_right(program, zero, tally);
            if (!wrong) wrong = oracle_is_right(program, zero, seeded(2) + i, tally);
            ASSERT_FALSE(wrong) << "case " << i << " of seed " << seeded(2) << '\n' << *wrong;
        }
    print(std::cout, tally);
    EXPECT_GT(tally["programs whose classes are counted"], least(200));
    EXPECT_GT(tally["states left"], 0U);
    if (every() > 1) return; // in a few programs, no rare kind is sure
    for (char const* const what :
         {"oracle: a match", "oracle: no such match", "oracle: an order", "oracle: no such order"})
        EXPECT_GT(tally[what], 0U) << what;
}

} // namespace
} // namespace matchpoint::naive
