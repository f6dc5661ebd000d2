// What check, continuations and the oracle say when they may do almost nothing, against the naive explorations.

#include <gtest/gtest.h>

#include <iostream>

#include "tests/support/limited_verdicts.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::naive {
namespace {

/// `campaign --limits` has more of them.
TEST(Limits, AnswersAreRight) {
    constexpr std::size_t all = 1'500;
    Tally tally;
    for (std::size_t i = 0; i < cases(all); ++i) {
        Wrong const wrong = limits_are_right(given_seed(), i, tally);
        ASSERT_FALSE(wrong) << "case " << i << " of seed " << given_seed() << '\n' << *wrong;
    }
    print(std::cout, tally);
    // Each of them has a part in it.
    for (std::string const& few : engines_that_decided_few(tally, cases(all))) ADD_FAILURE() << few;
}

} // namespace
} // namespace matchpoint::naive
