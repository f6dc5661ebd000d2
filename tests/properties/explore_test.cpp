// The explorer and the match pairs against the naive exploration: the same ground truth.

#include <gtest/gtest.h>

#include "machine/explore.hpp"
#include "smt_machine/match_pairs.hpp"
#include "tests/support/all_runs.hpp"
#include "tests/support/small_programs.hpp"
#include "tests/support/thinning.hpp"
#include "tests/support/verdicts.hpp"

namespace matchpoint::naive {
namespace {

TEST(ExploreAgreesWithNaiveExploration, SmallPrograms) {
    std::size_t compared = 0;
    for_each_small_program(every(), 0, [&](Program const& program) {
        for (bool const zero : {false, true}) {
            auto const truth = explore_quickly(program, zero);
            ASSERT_TRUE(truth);
            Loaded const loaded = load(to_text(program, {}));
            Messages const messages(*loaded.code);
            ASSERT_EQ(explored(messages, zero, false), as_found(*truth)) << loaded.text << "zero " << zero;
            ++compared;
        }
    });
    EXPECT_GT(compared, 9'000U);
}

TEST(ExploreAgreesWithNaiveExploration, VerdictsOnly) {
    for_each_small_program(every(), 0, [&](Program const& program) {
        for (bool const zero : {false, true}) {
            auto const truth = explore_quickly(program, zero);
            ASSERT_TRUE(truth);
            Loaded const loaded = load(to_text(program, {}));
            Messages const messages(*loaded.code);
            Found const found = explored(messages, zero, true);
            Found const expected = as_found(*truth);
            ASSERT_EQ(found.statuses, expected.statuses) << loaded.text << "zero " << zero;
            ASSERT_EQ(found.deadlocks.empty(), expected.deadlocks.empty()) << loaded.text << "zero " << zero;
            ASSERT_EQ(found.fault, expected.fault) << loaded.text << "zero " << zero;
        }
    });
}

/// exact is the truth's, and each set is within the next, for a buffering.
void pairs_are_right(Program const& program, bool zero, Truth const& truth) {
    Loaded const loaded = load(to_text(program, {}));
    Messages const messages(*loaded.code);
    Buffering const buffering = zero ? Buffering::zero : Buffering::infinite;
    auto const exact = names(messages, *pairs_by(messages, buffering, PairsMethod::exact));
    auto const narrow = names(messages, tight(messages, buffering));
    auto const wide = names(messages, overapprox(messages));
    auto const wider = names(messages, overapprox(messages, true));
    ASSERT_EQ(exact, truth.exact_pairs) << loaded.text << "zero " << zero;
    auto const includes = [](auto const& all, auto const& some) {
        return std::includes(all.begin(), all.end(), some.begin(), some.end());
    };
    ASSERT_TRUE(includes(narrow, exact)) << loaded.text << "zero " << zero;
    ASSERT_TRUE(includes(wide, narrow)) << loaded.text << "zero " << zero;
    ASSERT_TRUE(includes(wider, wide)) << loaded.text << "zero " << zero;
}

TEST(PairsAreSupersets, SmallPrograms) {
    for_each_small_program(every(), 0, [&](Program const& program) {
        for (bool const zero : {false, true})
            if (!HasFatalFailure()) pairs_are_right(program, zero, *explore_quickly(program, zero));
    });
}

TEST(PairsAreSupersets, RandomPrograms) {
    for (std::size_t i = 0; i < cases(5'000); ++i) {
        Program const program = random_program(7, i);
        for (bool const zero : {false, true})
            if (auto const truth = explore_quickly(program, zero, 20'000); truth && !HasFatalFailure())
                pairs_are_right(program, zero, *truth);
    }
}

} // namespace
} // namespace matchpoint::naive
