// Predicate abstraction against the naive oracle.
#include <iostream>

#include <gtest/gtest.h>

#include "rma/programs/small.hpp"
#include "tests/support/rma_proofs.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::naive {
namespace {

TEST(RmaProofs, SmallPrograms) {
    Tally tally;
    rma::SmallPrograms const programs(3);
    std::uint64_t choice = 0; // not of i: a stride may be even
    for (std::uint64_t i = 0; i < programs.size(); i += every())
        if (Wrong const wrong = rma_proofs_are_right(programs[i], choice++, tally); wrong) FAIL() << *wrong;
    print(std::cout, tally);
    EXPECT_GE(tally["with the final valuations"], (every() == 1 ? 500U : 0U));
}

TEST(RmaProofs, RandomPrograms) {
    Tally tally;
    for (std::uint64_t i = 0; i < cases(300); ++i)
        if (Wrong const wrong = rma_proofs_are_right(seeded(602), i, tally, {.statements = 8, .remote = 3}); wrong)
            FAIL() << *wrong;
    print(std::cout, tally);
    EXPECT_GE(tally["verified in mode K"], (every() == 1 ? 30U : 0U));
    EXPECT_GE(tally["verified in mode S"], (every() == 1 ? 30U : 0U));
    EXPECT_GE(tally["violated"], (every() == 1 ? 15U : 0U));
    EXPECT_GE(tally["with the final valuations"], (every() == 1 ? 30U : 0U));
}

} // namespace
} // namespace matchpoint::naive
