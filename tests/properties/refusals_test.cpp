// Deadlocks under libraries that may or may not buffer each standard send, and may or may not keep each collective
// until all members have called: the definition, the theorem (docs/semantics.md, "Buffering"), the search and the
// checker, on small and on random programs.

#include <gtest/gtest.h>

#include <iostream>

#include "programs/small_collectives.hpp"
#include "programs/small_mpi.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/generate.hpp"
#include "tests/support/refusal_verdicts.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/small_boxes.hpp"
#include "tests/support/thinning.hpp"
#include "tests/support/verdicts.hpp"

namespace matchpoint::naive {
namespace {

class Refusals : public testing::Test {
protected:
    void look_at(Program const& program, std::size_t limit, bool by_definition) {
        if (HasFailure() || count_that_may_refuse(program) > 6) return;
        ++tally["programs"];
        Wrong const wrong = refusals_are_wrong(program, limit, by_definition, tally);
        ASSERT_FALSE(wrong) << *wrong;
    }
    void TearDown() override { print(std::cout, tally); }
    /// The small programs are the same in every run, and have both. A few may be all alike.
    void expect_both_answers() {
        if (tally["programs"] < 100) return;
        EXPECT_GT(tally["a deadlock that depends on the library"], 0U);
        EXPECT_GT(tally["no deadlock"], 0U);
    }

    Tally tally;
};

// The least programs: what each clause and each rule of counting says alone.
TEST_F(Refusals, SmallPrograms) {
    std::size_t number = 0;
    for_each_small_program(every(97), 0, [&](Program const& program) { look_at(program, 100'000, number++ % 5 == 0); });
    EXPECT_EQ(tally["too large"], 0U);
    expect_both_answers();
}

// The least programs with each mode, selector and barrier, lowered and not: the two lowered programs of SAT, and
// schedules that are raised.
TEST_F(Refusals, SmallMpiPrograms) {
    using programs::SmallMpi;
    std::size_t number = 0;
    struct Part {
        SmallMpi kinds;
        std::uint32_t size;
        std::size_t nth;
    };
    for (auto const& [kinds, size, nth] :
         {Part{{.selectors = true}, 6, 31}, Part{{.modes = true}, 6, 31}, Part{{.barrier = true}, 6, 31},
          Part{{.selectors = true, .modes = true, .barrier = true}, 5, 61}}) {
        programs::SmallMpiPrograms all({.size = size, .locals = 0}, kinds, every(nth));
        while (auto const draft = all.next()) look_at(plain(*draft).program, 100'000, number++ % 5 == 0);
    }
    EXPECT_EQ(tally["too large"], 0U);
    expect_both_answers();
}

// Where some sends must refuse and others must not: the branches of the search, and which sends are named.
TEST_F(Refusals, NearlyMixedPrograms) {
    for (std::uint64_t i = 0; i < cases(150); ++i) look_at(nearly_mixed(seeded(33), i, false), 5000, i % 20 == 0);
    if (tally["programs"] >= 50) {
        EXPECT_GT(tally["mixed buffering only"], 0U); // about a third of them
    }
}

TEST_F(Refusals, NearlyMixedMpiPrograms) {
    for (std::uint64_t i = 0; i < cases(150); ++i) look_at(nearly_mixed(seeded(34), i, true), 5000, i % 20 == 0);
}

// Values, divisors and assumptions decide which of these deadlocks are on the path: lazy clauses of SAT, states that
// the search must not merge.
TEST_F(Refusals, RandomPrograms) {
    for (std::uint64_t i = 0; i < cases(200); ++i) look_at(program_to_explore(seeded(31), i, 3, 5), 3000, i % 10 == 0);
}

// Several selectors, modes and barriers together with values.
TEST_F(Refusals, RandomMpiPrograms) {
    for (std::uint64_t i = 0; i < cases(500); ++i)
        look_at(mpi_program_to_explore(seeded(32), i, 4, 4), 3000, i % 10 == 0);
}

/// A few cases of `campaign --any`: what is said when a step is left out or a limit is reached, at any moment, also
/// while sends are left out of a deadlock that was found.
TEST_F(Refusals, UnderLimits) {
    for (std::uint64_t i = 0; i < cases(300); ++i) {
        Wrong const wrong = any_is_right(seeded(35), i, tally);
        ASSERT_FALSE(wrong) << "case " << i << ": " << *wrong;
    }
}

// A library may also keep a send whose message is matched to an mprobe until its receive has started.
TEST_F(Refusals, RandomProgramsWithProbes) {
    for (std::uint64_t i = 0; i < cases(200); ++i)
        look_at(probe_program_to_explore(seeded(35), i, 3, 4), 3000, i % 5 == 0);
}

// All pairs of kinds, blocking and not, with a message among them: who may be kept, who must not be, and where a
// mismatch comes first.
TEST_F(Refusals, SmallProgramsWithCollectives) {
    using programs::SmallCollectivePrograms;
    std::size_t number = 0;
    for (auto const& [bound, nth] :
         {std::pair(programs::SmallCollectives{.threads = 2, .length = 2}, every(11)),
          std::pair(programs::SmallCollectives{.threads = 3, .length = 1}, every(11)),
          std::pair(programs::SmallCollectives{.threads = 3, .length = 2}, every(3001, 101)),
          std::pair(programs::SmallCollectives{.threads = 2, .length = 3}, every(2003, 101))}) {
        SmallCollectivePrograms all(bound, nth, given_seed() % nth);
        while (auto const draft = all.next()) look_at(plain(*draft).program, 100'000, number++ % 5 == 0);
    }
    EXPECT_EQ(tally["too large"], 0U);
    expect_both_answers();
}

TEST_F(Refusals, ProgramsWithEarlyCalls) {
    for (std::uint64_t i = 0; i < cases(200); ++i) look_at(with_early_calls(seeded(36), i), 5000, i % 5 == 0);
    if (tally["programs"] >= 50) {
        EXPECT_GT(tally["collectives refuse"], 0U);
    }
    if (tally["programs"] >= 150) {                   // with MATCHPOINT_EVERY=1
        EXPECT_GT(tally["mixed buffering only"], 0U); // one in thirty
    }
}

// Collectives among messages, assumptions and divisions.
TEST_F(Refusals, RandomProgramsWithCollectives) {
    for (std::uint64_t i = 0; i < cases(300); ++i)
        look_at(collective_program_to_explore(seeded(37), i, 3, 2), 3000, i % 10 == 0);
}

} // namespace
} // namespace matchpoint::naive
