// The explorer and the match pairs against the naive exploration: the same ground truth.

#include <functional>

#include <gtest/gtest.h>

#include "executions/exact_pairs.hpp"
#include "executions/explorer.hpp"
#include "matching/candidate_windows.hpp"
#include "matching/match_pairs.hpp"
#include "matching/reach.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/all_runs.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/small_boxes.hpp"
#include "tests/support/thinning.hpp"
#include "tests/support/verdicts.hpp"

namespace matchpoint::naive {
namespace {

/// What the explorer finds, and what there is, of each small program under both bufferings; `what` says which. Every
/// one of them is compared, or every so manyth.
void compare_small_programs(
    bool verdicts_only,
    std::function<void(Found const& found, Found const& truth, std::string const& what)> const& compare) {
    std::size_t compared = 0;
    for_each_small_program(every(), 0, [&](Program const& program) {
        for (bool const zero : {false, true}) {
            if (testing::Test::HasFatalFailure()) return;
            auto const truth = explore_quickly(program, zero);
            ASSERT_TRUE(truth);
            Loaded const loaded = load(to_text(program, {}));
            MessageIndex const messages(*loaded.code);
            compare(explored(messages, zero, verdicts_only), as_found(*truth),
                    loaded.text + (zero ? "zero buffering" : "infinite buffering"));
            ++compared;
        }
    });
    if (every() == 1) {
        EXPECT_EQ(compared, 2 * 120'344U);
    } else {
        EXPECT_GE(compared, least(2 * 110'000));
    }
}

TEST(ExploreAgreesWithNaiveExploration, SmallPrograms) {
    compare_small_programs(false, [](Found const& found, Found const& truth, std::string const& what) {
        ASSERT_EQ(found, truth) << what;
    });
}

TEST(ExploreAgreesWithNaiveExploration, VerdictsOnly) {
    compare_small_programs(true, [](Found const& found, Found const& truth, std::string const& what) {
        ASSERT_EQ(found.statuses, truth.statuses) << what;
        ASSERT_EQ(found.deadlocks.empty(), truth.deadlocks.empty()) << what;
        ASSERT_EQ(found.fault, truth.fault) << what;
    });
}

/// exact is the truth's, and each set is within the next, for a buffering.
void pairs_are_right(Program const& program, bool zero, Truth const& truth) {
    Loaded const loaded = load(to_text(program, {}));
    MessageIndex const messages(*loaded.code);
    Buffering const buffering = zero ? Buffering::zero : Buffering::infinite;
    auto const exact = names(messages, *pairs_by(messages, buffering, PairsMethod::exact));
    auto const narrow = names(messages, tight(messages, buffering));
    auto const wide = names(messages, overapprox(messages));
    auto const wider = names(messages, overapprox(messages, true));
    ASSERT_EQ(exact, truth.exact_pairs) << loaded.text << "zero " << zero;
    // A reason for each of the others.
    std::vector<Exclusion> excluded;
    std::vector<Refuted> refuted;
    Budget budget;
    ASSERT_EQ(tight(messages, buffering, &excluded).size(), narrow.size());
    ASSERT_TRUE(exact_pairs(messages, buffering, budget, &refuted));
    ASSERT_EQ(excluded.size(), wide.size() - narrow.size()) << loaded.text << "zero " << zero;
    if (loaded.code->is_plain()) { // others are explored, and that gives no reasons
        ASSERT_EQ(refuted.size(), narrow.size() - exact.size()) << loaded.text << "zero " << zero;
    }
    auto const includes = [](auto const& all, auto const& some) {
        return std::includes(all.begin(), all.end(), some.begin(), some.end());
    };
    ASSERT_TRUE(includes(narrow, exact)) << loaded.text << "zero " << zero;
    ASSERT_TRUE(includes(wide, narrow)) << loaded.text << "zero " << zero;
    ASSERT_TRUE(includes(wider, wide)) << loaded.text << "zero " << zero;
}

/// The windows leave every pair that a complete run has, or an execution on the path.
void windows_are_right(Program const& program, bool zero, Truth const& truth) {
    Loaded const loaded = load(to_text(program, {}));
    MessageIndex const messages(*loaded.code);
    Buffering const buffering = zero ? Buffering::zero : Buffering::infinite;
    for (Extent const extent : {Extent::complete, Extent::prefix}) {
        CandidateWindows windows(messages, buffering, extent);
        ASSERT_EQ(windows.pairs(), overapprox(messages));
        if (!windows.narrow(nullptr)) {
            ASSERT_EQ(extent, Extent::complete);
            ASSERT_TRUE(truth.outcomes.empty()) << loaded.text << "zero " << zero;
            continue;
        }
        ASSERT_EQ(windows.size(), windows.pairs().size());
        Budget budget;
        auto const there = extent == Extent::complete
                               ? truth.exact_pairs
                               : names(messages, *exact_pairs(messages, buffering, budget, nullptr, Runs::executions));
        auto const left = names(messages, windows.pairs());
        ASSERT_TRUE(std::includes(left.begin(), left.end(), there.begin(), there.end()))
            << loaded.text << "zero " << zero;
    }
}

TEST(WindowsAreSupersets, SmallPrograms) {
    for_each_small_program(every(4), 0, [&](Program const& program) {
        for (bool const zero : {false, true})
            if (!HasFatalFailure()) windows_are_right(program, zero, *explore_quickly(program, zero));
    });
}

TEST(WindowsAreSupersets, RandomPrograms) {
    for (std::size_t i = 0; i < cases(5'000); ++i) {
        Program const program = verdict_program(seeded(7), i);
        for (bool const zero : {false, true})
            if (auto const truth = explore_quickly(program, zero, 20'000); truth && !HasFatalFailure())
                windows_are_right(program, zero, *truth);
    }
}

TEST(PairsAreSupersets, SmallPrograms) {
    for_each_small_program(every(), 0, [&](Program const& program) {
        for (bool const zero : {false, true})
            if (!HasFatalFailure()) pairs_are_right(program, zero, *explore_quickly(program, zero));
    });
}

TEST(PairsAreSupersets, RandomPrograms) {
    for (std::size_t i = 0; i < cases(5'000); ++i) {
        Program const program = verdict_program(seeded(7), i);
        for (bool const zero : {false, true})
            if (auto const truth = explore_quickly(program, zero, 20'000); truth && !HasFatalFailure())
                pairs_are_right(program, zero, *truth);
    }
}

/// No execution is stuck in front of where counting says that threads get; with infinite buffering, all are stuck
/// there.
void reach_is_right(Program const& program, bool zero, Truth const& truth, std::size_t& settled, std::size_t& open) {
    Loaded const loaded = load(to_text(program, {}));
    MessageIndex const messages(*loaded.code);
    for (bool const closely : {false, true}) {
        auto const least = reach(messages, zero ? Buffering::zero : Buffering::infinite, closely);
        bool const all = all_finish(messages, least);
        if (!truth.deadlock && !closely) ++(all ? settled : open);
        ASSERT_FALSE(all && truth.deadlock) << loaded.text << "zero " << zero << ", closely " << closely;
        for (std::vector<std::size_t> const& stuck : truth.deadlocks)
            for (std::size_t t = 0; t < stuck.size(); ++t) {
                std::size_t const at = least[t] - loaded.program->ctp.threads[t].first;
                ASSERT_TRUE(zero ? stuck[t] >= at : stuck[t] == at) << loaded.text << "zero " << zero << closely;
            }
    }
}

TEST(ReachIsSound, SmallPrograms) {
    std::size_t settled = 0;
    std::size_t open = 0;
    for_each_small_program(every(), 0, [&](Program const& program) {
        for (bool const zero : {false, true})
            if (!HasFatalFailure()) reach_is_right(program, zero, *explore_quickly(program, zero), settled, open);
    });
    std::cout << settled << " without deadlock are settled, " << open << " are not\n";
    EXPECT_GE(settled, 3 * open);
}

TEST(ReachIsSound, RandomPrograms) {
    std::size_t settled = 0;
    std::size_t open = 0;
    for (std::size_t i = 0; i < cases(5'000); ++i) {
        Program const program = verdict_program(seeded(13), i);
        for (bool const zero : {false, true})
            if (auto const truth = explore_quickly(program, zero, 20'000); truth && !HasFatalFailure())
                reach_is_right(program, zero, *truth, settled, open);
    }
    std::cout << settled << " without deadlock are settled, " << open << " are not\n";
    EXPECT_GE(settled, open);
}

} // namespace
} // namespace matchpoint::naive
