// Programs with shared variables in which several threads use one endpoint, and probes beside shared variables: the
// checker, the searches for classes and for few context switches, and the oracle against the naive exploration. No
// other engine knows such programs.

#include <gtest/gtest.h>

#include <iostream>
#include <random>

#include "executions/shared/interleaved_sample.hpp"
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

/// All of two parts, and a part of those of three and four; with MATCHPOINT_EVERY=1, all of them.
TEST(CommonEndpoints, SmallPrograms) {
    Tally tally;
    std::size_t programs = 0;
    for (auto const& [parts, thinned] : {std::pair(2U, 1U), {3U, 3U}, {4U, 150U}})
        for_each_small_program_with_common_endpoint(parts, every(thinned), [&](Program const& program) {
            ++programs;
            if (HasFatalFailure()) return;
            Wrong const wrong = is_right(program, tally);
            ASSERT_FALSE(wrong) << *wrong;
        });
    std::cout << programs << " programs:\n";
    print(std::cout, tally);
    if (programs > 100) // in a few programs, no kind is sure
        for (char const* const what : {"violated", "safe", "vacuous", "deadlock"}) EXPECT_GT(tally[what], 0U) << what;
    EXPECT_EQ(tally["too large for the naive exploration"], 0U);
}

TEST(CommonEndpoints, RandomPrograms) {
    Tally tally;
    for (std::size_t i = 0; i < cases(250); ++i) {
        Wrong const wrong = is_right(common_endpoints_program(seeded(1), i, i % 2 == 0), tally);
        ASSERT_FALSE(wrong) << "case " << i << " of seed " << seeded(1) << '\n' << *wrong;
    }
    print(std::cout, tally);
    if (every() > 1) return; // in a few programs, no rare kind is sure
    for (char const* const what :
         {"violated", "safe", "vacuous", "deadlock", "leaves the path", "data race", "two switches or more"})
        EXPECT_GT(tally[what], 0U) << what;
    EXPECT_LE(tally["too large for the naive exploration"], cases(250) / 10);
}

/// Random executions do what some execution does. `check` asks for them only where programs are large.
TEST(CommonEndpoints, RandomExecutionsOfRandomPrograms) {
    Tally tally;
    for (std::size_t i = 0; i < cases(300); ++i) {
        Program const program = common_endpoints_program(seeded(3), i, i % 3 == 0);
        bool const zero = i % 2 == 0;
        auto const truth = explore_shared(program, zero);
        if (!truth) continue;
        Subject const subject(program);
        std::mt19937_64 random(i);
        for (std::uint32_t n = 0; n < 10; ++n) {
            executions::InterleavedSample const sample(subject.messages, zero ? Buffering::zero : Buffering::infinite,
                                                       random, 1 + n % 4);
            bool const fails = sample.state().s == machine::Status::failure;
            bool const completes = sample.end() == executions::End::complete && !fails;
            ++tally[fails ? "fails" : completes ? "completes" : "ends elsewhere"];
            EXPECT_LE(fails, truth->fails) << to_text(program, {});
            EXPECT_LE(completes, truth->completes) << to_text(program, {});
            EXPECT_LE(sample.end() == executions::End::deadlock, truth->deadlock) << to_text(program, {});
            EXPECT_LE(sample.end() == executions::End::off_path, truth->leaves) << to_text(program, {});
            Machine machine(*subject.loaded.code, zero ? Buffering::zero : Buffering::infinite);
            Outcome const outcome = machine::run(machine, sample.schedule(), Extent::prefix);
            ASSERT_TRUE(!outcome.error && outcome.s == sample.state().s) << to_text(program, {});
        }
    }
    print(std::cout, tally);
    if (every() > 1) return; // in a few programs, no rare kind is sure
    for (char const* const what : {"fails", "completes", "ends elsewhere"}) EXPECT_GT(tally[what], 0U) << what;
}

/// The naive search for classes knows no selectors and probes.
TEST(CommonEndpoints, ClassesOfRandomPrograms) {
    Tally tally;
    for (std::size_t i = 0; i < cases(120); ++i)
        for (bool const zero : {false, true}) {
            Program const program = common_endpoints_program(seeded(2), i, true);
            Wrong wrong = classes_are_right(program, zero, tally);
            if (!wrong) wrong = oracle_is_right(program, zero, seeded(2) + i, tally);
            ASSERT_FALSE(wrong) << "case " << i << " of seed " << seeded(2) << '\n' << *wrong;
        }
    print(std::cout, tally);
    EXPECT_GT(tally["programs whose classes are counted"], least(200));
    if (every() > 1) return; // in a few programs, no rare kind is sure
    EXPECT_GT(tally["states left"], 0U);
    for (char const* const what :
         {"oracle: a match", "oracle: no such match", "oracle: an order", "oracle: no such order"})
        EXPECT_GT(tally[what], 0U) << what;
}

} // namespace
} // namespace matchpoint::naive
