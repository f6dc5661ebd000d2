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
    for (std::uint64_t i = 0; i < programs.size(); i += every())
        if (Wrong const wrong = rma_proofs_are_right(programs[i], i, tally); wrong) FAIL() << *wrong;
    print(std::cout, tally);
    EXPECT_GE(tally["with the final valuations"], least(500));
}

TEST(RmaProofs, RandomPrograms) {
    Tally tally;
    for (std::uint64_t i = 0; i < cases(300); ++i)
        if (Wrong const wrong = rma_proofs_are_right(seeded(602), i, tally, {.statements = 8, .remote = 3}); wrong)
            FAIL() << *wrong;
    print(std::cout, tally);
    EXPECT_GE(tally["verified in mode K"], least(30));
    EXPECT_GE(tally["verified in mode S"], least(30));
    EXPECT_GE(tally["violated"], least(15));
    EXPECT_GE(tally["with the final valuations"], least(30));
}

} // namespace
} // namespace matchpoint::naive
