// What is tested on all small programs: that they are all there, the naive explorer, and Lemma 3.
//
// Builds with sanitizers take a part, and MATCHPOINT_EVERY (environment) sets how large it is
// (tests/support/thinning.hpp).

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <iostream>
#include <set>

#include <fmt/format.h>

#include "grammar/discipline.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/lemma3.hpp"
#include "tests/support/naive_explore.hpp"
#include "tests/support/small_boxes.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::naive {

namespace {

std::string const& buffering_name(bool zero) {
    static std::array<std::string, 2> const names = {"infinite", "zero"};
    return names[zero];
}

std::string const deadlock_beside_runs = "a deadlock, and complete runs";

/// How many programs of the enumeration show what, by buffering.
struct Kinds {
    std::map<std::string, std::array<std::size_t, 2>> count = {};
    std::size_t programs = 0;

    void add(Truth const& truth, bool zero) {
        bool infeasible = false;
        for (auto const& [matching, status] : truth.outcomes) infeasible |= status == Status::infeasible;
        count[to_text(truth.verdict)][zero] += 1;
        count["several match sets"][zero] += truth.outcomes.size() > 1;
        count["both success and failure"][zero] +=
            statuses(truth).contains(Status::success) && statuses(truth).contains(Status::failure);
        count["an infeasible run"][zero] += infeasible;
        count["an orphan"][zero] += !truth.orphans.empty();
        count["a deadlock"][zero] += truth.deadlock;
        count[deadlock_beside_runs][zero] += truth.deadlock && !truth.outcomes.empty();
        count["a fault"][zero] += truth.fault;
    }

    static std::set<Status> statuses(Truth const& truth) {
        std::set<Status> found;
        for (auto const& [matching, status] : truth.outcomes) found.insert(status);
        return found;
    }

    void print(std::ostream& out) const {
        out << fmt::format("  {:<32} {:>9} {:>9}\n", "", "infinite", "zero");
        for (auto const& [name, n] : count) out << fmt::format("  {:<32} {:>9} {:>9}\n", name, n[0], n[1]);
    }
};

} // namespace

TEST(Exhaustive, SmallProgramsCountedByHand) {
    // One message and one endpoint a thread, of size 5: each odd thing counts as a command. Without a receiver: S or S
    // W to nobody. Without a sender: R W. Two threads: the receiver is R W, the sender S or S W.
    programs::SmallBound const one{.size = 5, .endpoints = 1, .sends = 1, .receives = 1, .locals = 0};
    std::size_t const apart = 2 + 1 + 2;
    // To the own thread: S anywhere in R W, or one of the 4! / (2! 2!) = 6 ways to mix S W and R W. Behind the wait for
    // R, which is one of either, S may also send what was received.
    std::size_t const to_itself = (3 + 1) + (6 + 1);
    // One thread that waits for nobody and sends to nobody: S anywhere in R W, where two things are odd.
    std::size_t const to_nobody = 3 + 1;
    EXPECT_EQ(programs::count_small_programs(one), apart + to_itself + to_nobody);
}

TEST(Exhaustive, SmallProgramsAreAllThere) {
    std::vector<std::size_t> const counts = {23777, 31803, 4250, 32497, 28017};
    ASSERT_EQ(small_boxes().size(), counts.size());
    std::set<std::string> texts;
    Kinds kinds;
    std::size_t total = 0;
    std::size_t zero_differs = 0;
    for (std::size_t b = 0; b < counts.size(); ++b) {
        std::size_t const count = for_each_small_program(small_boxes()[b], every(), 0, [&](Program const& program) {
            ++total;
            std::string const text = to_text(program, {});
            ASSERT_TRUE(texts.insert(text).second) << "twice:\n" << text;
            Loaded const loaded = load(text);
            ASSERT_TRUE(check_discipline(*loaded.program).empty()) << text;
            std::array<std::optional<Truth>, 2> truth;
            for (bool const zero : {false, true}) {
                truth[zero] = explore_quickly(program, zero);
                kinds.add(*truth[zero], zero);
            }
            zero_differs += truth[0]->outcomes != truth[1]->outcomes;
        });
        if (every() == 1) {
            EXPECT_EQ(count, counts[b]) << "box " << b;
        } else {
            EXPECT_NEAR(static_cast<double>(count), static_cast<double>(counts[b]),
                        0.1 * static_cast<double>(counts[b]))
                << "box " << b;
        }
    }
    std::cout << total << " programs, under zero buffering other outcomes for " << zero_differs << "\n";
    kinds.print(std::cout);
    // With infinite buffering a wait wants a number of messages, whichever they are. So whether a run completes does
    // not depend on its matches, unless it faults.
    EXPECT_EQ(kinds.count.at(deadlock_beside_runs)[0], 0U);
    for (auto const& [name, n] : kinds.count)
        for (bool const zero : {false, true})
            if (zero || name != deadlock_beside_runs) {
                EXPECT_GE(n[zero], total / (every() == 1 ? 100 : 200)) << name << ", " << buffering_name(zero);
            }
    EXPECT_GE(zero_differs, total / 20);
}

class ExhaustiveBox : public testing::TestWithParam<std::size_t> {};

std::string box_name(testing::TestParamInfo<std::size_t> const& info) {
    static std::array<std::string, 5> const names = {"TwoMessages", "TwoMessagesTwoEndpoints", "TwoChecks",
                                                     "ThreeMessages", "ThreeMessagesTwoEndpoints"};
    return names.at(info.param);
}

class Explorers : public ExhaustiveBox {};
TEST_P(Explorers, QuicklyAsPlainly) {
    std::size_t compared = 0;
    std::size_t const programs =
        for_each_small_program(small_boxes()[GetParam()], every(3), 0, [&](Program const& program) {
            for (bool const zero : {false, true}) {
                std::optional<Truth> const plain = explore_plainly(program, zero);
                std::optional<Truth> const quick = explore_quickly(program, zero);
                ASSERT_TRUE(plain && plain == quick) << buffering_name(zero) << " buffering\n"
                                                     << to_text(program, {}) << "plainly\n"
                                                     << to_text(*plain) << "quickly\n"
                                                     << to_text(*quick);
                auto const on_path = explore_path_quickly(program, zero);
                ASSERT_TRUE(on_path == plain->on_path) << buffering_name(zero) << " buffering\n"
                                                       << to_text(program, {}) << "plainly\n"
                                                       << to_text(plain->on_path) << "quickly\n"
                                                       << to_text(*on_path);
                ASSERT_EQ(quick->traces.size(), quick->outcomes.size());
                for (auto const& [matching, trace] : quick->traces) {
                    Result const result = run(program, trace, zero);
                    ASSERT_TRUE(result.state.matches == matching && result.status == quick->outcomes.at(matching))
                        << to_text(Case{program, trace, zero}) << to_text(result);
                }
                ++compared;
            }
        });
    EXPECT_EQ(compared, 2 * ((programs + every(3) - 1) / every(3)));
}

/// Every match set of every small program, by one run each. Every third program of three messages is taken: asking the
/// solver is slow.
class Lemma3_EveryMatchSet : public ExhaustiveBox {};
TEST_P(Lemma3_EveryMatchSet, SatIffFailure) {
    Solver solver(solver_command("z3").value(), {.time = std::chrono::seconds(60)});
    Lemma3Histogram histogram;
    for_each_small_program(small_boxes()[GetParam()], every(GetParam() >= 3 ? 3 : 1), 0, [&](Program const& program) {
        for (bool const zero : {false, true}) {
            std::optional<Truth> const truth = explore_quickly(program, zero);
            ASSERT_TRUE(truth.has_value());
            for (auto const& [matching, trace] : truth->traces) {
                Case const c{program, trace, zero};
                Lemma3Result const r = check_lemma3(c, solver);
                histogram.count(c, r);
                ASSERT_TRUE(r.verdict == Lemma3Verdict::holds || r.verdict == Lemma3Verdict::not_well_formed)
                    << r.explanation;
                if (r.verdict == Lemma3Verdict::holds) {
                    ASSERT_EQ(r.status, static_cast<std::size_t>(truth->outcomes.at(matching))) << to_text(c);
                }
            }
        }
    });
    histogram.print(std::cout);
    EXPECT_GE(histogram.cases(), 20U);
}

INSTANTIATE_TEST_SUITE_P(Exhaustive, Explorers, testing::Values(0, 1, 2, 3, 4), box_name);
INSTANTIATE_TEST_SUITE_P(Exhaustive, Lemma3_EveryMatchSet, testing::Values(0, 1, 2, 3, 4), box_name);

/// Every complete run of every program of two messages, one local command and size 7, movements at any moment.
TEST(Exhaustive, Lemma3_Exhaustive) {
    SmallBox const box{.most = {.size = 7, .sends = 2, .receives = 2, .locals = 1}};
    Solver solver(solver_command("z3").value(), {.time = std::chrono::seconds(60)});
    Lemma3Answers answers;
    Lemma3Histogram histogram;
    std::size_t programs = 0;
    std::array<std::size_t, 2> traces{};
    std::size_t const all = for_each_small_program(box, every() == 1 ? 1 : every(2), 0, [&](Program const& program) {
        ++programs;
        for (bool const zero : {false, true}) {
            for_each_complete_trace(program, zero, [&](Trace const& trace) {
                ++traces[zero];
                Case const c{program, trace, zero};
                Loaded const loaded = load(c);
                Result const theirs = sorted(run(program, trace, zero));
                Result const ours = sorted(run_on_machine(*loaded.code, buffering(c)));
                EXPECT_TRUE(ours == theirs) << loaded.text << "machine:\n"
                                            << to_text(ours) << "\noracle:\n"
                                            << to_text(theirs);
                Lemma3Result const r = check_lemma3(c, solver, &answers);
                histogram.count(c, r);
                EXPECT_EQ(theirs.well_formed, r.verdict == Lemma3Verdict::holds) << loaded.text << r.explanation;
                return !testing::Test::HasFailure();
            });
            ASSERT_FALSE(HasFailure());
        }
    });
    std::cout << programs << " programs, " << traces[0] << " traces with infinite and " << traces[1]
              << " with zero buffering, " << answers.size() << " different problems\n";
    histogram.print(std::cout);
    if (every() == 1) {
        EXPECT_EQ(all, 9430U);
        EXPECT_EQ(traces[0], 615462U);
        EXPECT_EQ(traces[1], 172461U);
        EXPECT_EQ(histogram.cases(), 560975U);
    }
    EXPECT_GE(histogram.cases(), traces[0] / 2);
}

} // namespace matchpoint::naive
