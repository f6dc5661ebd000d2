#include "record/match_sets.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "check/confirmed.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/programs.hpp"

namespace matchpoint::record {

namespace {

/// Rank 0 receives a message from each of ranks 1, ..., n in any order, and then executes `last`. The k-th message that
/// it receives is V<k>; rank i sends i.
std::string from_anybody(int n, std::string const& last) {
    std::string zero;
    std::string others;
    for (int i = 0; i < n; ++i) {
        zero += fmt::format("[r{0} (rcvi R0_{0} 0 V{0})] [w{0} (wait R0_{0})]\n", i);
        others += fmt::format("([s{0} (sndi S{0}_0 {0} 0 {0})] [t{0} (wait S{0}_0)] bot)\n", i + 1);
    }
    return "(\n(" + zero + last + " bot)\n" + others + ")";
}

struct Searched {
    Prepared prepared;
    MatchSets sets;

    explicit Searched(std::string text, MatchSets::Options options = {})
        : prepared(Source("test.ctp", text), test::parsed(Source("test.ctp", text))),
          sets(prepared, std::move(options), [this](Matches matches, State const& end) {
              Wanted w{1, std::move(matches), {}, Prediction::passes, {}};
              if (end.s == Status::failure)
                  w.prediction = Prediction::fails;
              else if (check::is_deadlock(Machine(prepared.code, Buffering::infinite, end)))
                  w.prediction = Prediction::gets_stuck;
              return w;
          }) {}
};

/// The sender of a receive's message.
std::uint32_t sender(Wanted const& w, std::uint32_t receive) {
    for (auto const& [r, s] : w.matches)
        if (r.number == receive) return s.rank;
    return UINT32_MAX;
}

} // namespace

TEST(MatchSets, EachComesOnce) {
    Searched s(from_anybody(4, ""));
    std::set<Matches> seen;
    while (auto const next = s.sets.peek(Worth::some)) {
        EXPECT_TRUE(seen.insert(next->wanted.matches).second);
        EXPECT_EQ(next->wanted.matches.size(), 4U);
        s.sets.take(next->wanted.matches);
    }
    EXPECT_EQ(seen.size(), 24U);
    EXPECT_TRUE(s.sets.all_found());
    EXPECT_EQ(s.sets.found(), seen);
    EXPECT_EQ(s.sets.trouble(), "");
}

TEST(MatchSets, WhatGoesWrongIsFirst) {
    // The explorer finds one of the two late, whichever way it goes.
    for (char const* const last : {"[a (assert (not (= V3 1)))]", "[a (assert (not (= V3 4)))]"}) {
        Searched s(from_anybody(4, last));
        auto const next = s.sets.peek(Worth::goes_wrong);
        ASSERT_TRUE(next);
        EXPECT_EQ(next->worth, Worth::goes_wrong);
        EXPECT_EQ(next->wanted.prediction, Prediction::fails);
        s.sets.take(next->wanted.matches);
        // Others that fail are no more urgent than the rest.
        EXPECT_FALSE(s.sets.peek(Worth::new_path));
        EXPECT_TRUE(s.sets.peek(Worth::new_matches));
    }
    Searched stuck(
        "( ([r (rcvi R0_0 0 V0)] [w (wait R0_0)] [a (assume (= V0 1))] [x (rcvi R0_1 0 V1)] [y (wait R0_1)]\n"
        "   [z (rcvi R0_2 0 V2)] [q (wait R0_2)] bot)\n"
        "  ([s (sndi S1_0 1 0 1)] [t (wait S1_0)] bot) ([u (sndi S2_0 2 0 2)] [v (wait S2_0)] bot) )");
    auto next = stuck.sets.peek(Worth::some);
    ASSERT_TRUE(next);
    EXPECT_EQ(next->wanted.prediction, Prediction::gets_stuck);
    stuck.sets.take(next->wanted.matches);
    next = stuck.sets.peek(Worth::some);
    ASSERT_TRUE(next);
    EXPECT_EQ(next->worth, Worth::new_path); // the assumption is false
    EXPECT_EQ(sender(next->wanted, 0), 2U);
}

TEST(MatchSets, WhatNoRunHasShownIsNext) {
    Searched s(from_anybody(4, ""));
    std::set<CallMatch> seen;
    std::size_t runs = 0;
    while (auto const next = s.sets.peek(Worth::new_matches)) {
        EXPECT_EQ(next->new_matches, 4U); // a Latin square: each run gets four that none had before
        s.sets.take(next->wanted.matches);
        seen.insert(next->wanted.matches.begin(), next->wanted.matches.end());
        ++runs;
    }
    EXPECT_EQ(seen.size(), 16U);
    EXPECT_EQ(runs, 4U);
    EXPECT_TRUE(s.sets.peek(Worth::some));
}

TEST(MatchSets, OneOfManyFails) {
    // It fails in one of 3,628,800 match sets, which is not among the first that are found: the checker knows it.
    std::string all = "true";
    for (int i = 0; i < 10; ++i) all = fmt::format("(and {} (= V{} {}))", all, i, i % 2 == 0 ? i + 2 : i);
    Searched s(from_anybody(10, "[a (assert (not " + all + "))]"));
    auto const next = s.sets.peek(Worth::goes_wrong);
    ASSERT_TRUE(next);
    EXPECT_EQ(next->wanted.prediction, Prediction::fails);
    for (std::uint32_t i = 0; i < 10; ++i) EXPECT_EQ(sender(next->wanted, i), i % 2 == 0 ? i + 2 : i);
    EXPECT_FALSE(s.sets.all_found());
}

TEST(MatchSets, RunsThatNobodyAskedFor) {
    Searched s(from_anybody(3, ""));
    auto const next = s.sets.peek(Worth::some);
    ASSERT_TRUE(next);
    s.sets.was_run(next->wanted.matches);
    std::size_t others = 0;
    while (auto const other = s.sets.peek(Worth::some)) {
        EXPECT_NE(other->wanted.matches, next->wanted.matches);
        s.sets.take(other->wanted.matches);
        ++others;
    }
    EXPECT_EQ(others, 5U);
}

TEST(MatchSets, Counted) {
    Searched s(from_anybody(7, ""));
    ASSERT_TRUE(s.sets.peek(Worth::some));
    EXPECT_FALSE(s.sets.all_found());
    s.sets.count([] { return false; });
    EXPECT_TRUE(s.sets.all_found());
    EXPECT_EQ(s.sets.found().size(), 5040U);
}

TEST(MatchSets, Limits) {
    Searched steps(from_anybody(4, ""), {.steps = 3});
    EXPECT_FALSE(steps.sets.peek(Worth::some));
    EXPECT_EQ(steps.sets.trouble(), "a search for match sets reached its limit");
    Searched memory(from_anybody(8, ""), {.memory = std::size_t{1} << 20U});
    memory.sets.count([] { return false; });
    EXPECT_EQ(memory.sets.trouble(), "a search for match sets needed more than 1 MiB");
    EXPECT_FALSE(memory.sets.all_found());
    EXPECT_LT(memory.sets.found().size(), 40'320U);
    Searched stopped(from_anybody(4, ""), {.stop = [] { return true; }});
    EXPECT_FALSE(stopped.sets.peek(Worth::some));
    EXPECT_EQ(stopped.sets.trouble(), "");
}

} // namespace matchpoint::record
