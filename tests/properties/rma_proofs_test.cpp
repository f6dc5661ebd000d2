// Predicate abstraction against the naive oracle. Only here are final valuations compared: they show a predicate that a
// transformer gets wrong also where no property depends on it.
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
    std::uint64_t choice = 0; // not i: with an even stride, all predicates would be found ones
    for (std::uint64_t i = 0; i < programs.size(); i += every())
        if (Wrong const wrong = rma_proofs_are_right(programs[i], choice++, tally); wrong) FAIL() << *wrong;
    print(std::cout, tally);
    EXPECT_GE(tally["with the final valuations"], least(1000));
    // Among them are programs that refute R9 and R10 as the paper prints them.
    EXPECT_GE(tally["R9: a final valuation is missing"], least(1));
    EXPECT_GE(tally["R10: a final valuation is missing"], least(1));
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
    EXPECT_GE(tally["with the final valuations"], least(100));
}

} // namespace
} // namespace matchpoint::naive
