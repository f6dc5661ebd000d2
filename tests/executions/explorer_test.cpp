// The explorer: every match set once, deadlocks, faults, restrictions, limits, and what it leaves out for verdicts.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "executions/explorer.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/subjects.hpp"

namespace matchpoint::test {
namespace {

using test::infinite;
using test::Lines;
using test::Subject;
using test::zero;

/// The end that an explorer has just found, in words; that the machine runs its schedule to it is looked at.
std::string found(Subject const& s, Explorer const& explorer, End end, Buffering buffering) {
    Matching m(s.messages);
    explorer.matching(m);
    Outcome const outcome = s.run(explorer.schedule(), buffering);
    switch (end) {
    case End::complete:
        EXPECT_EQ(outcome.s, explorer.state().s);
        return std::string(to_string(outcome.s)) + ": " + s.text(m);
    case End::deadlock:
        EXPECT_FALSE(outcome.error->rho); // used up
        return "deadlock: " + s.text(m);
    case End::fault:
        EXPECT_EQ(outcome.error->rho, explorer.fault()->rho);
        return "fault at " + s.name(*explorer.fault()->rho) + ": " + s.text(m);
    case End::off_path:
    case End::pruned: break;
    }
    return "pruned: " + s.text(m);
}

Lines ends(Subject const& s, Explorer::Options const& options) {
    Explorer explorer(s.messages, options);
    Lines result;
    while (auto const end = explorer.next()) result.push_back(found(s, explorer, *end, options.buffering));
    EXPECT_TRUE(explorer.done());
    EXPECT_EQ(explorer.counts().executions, result.size());
    EXPECT_FALSE(explorer.next());
    std::sort(result.begin(), result.end());
    return result;
}

Explorer::Options with(Buffering buffering, bool verdicts_only = false, bool control_only = false) {
    Explorer::Options options;
    options.buffering = buffering;
    options.verdicts_only = verdicts_only;
    options.control_only = control_only;
    return options;
}

Lines ends(Subject const& s, Buffering buffering) { return ends(s, with(buffering)); }

/// n messages of as many threads, in any order.
std::string race(int n, std::string const& condition) {
    std::string text = "( (";
    for (int i = 0; i < n; ++i)
        text += " [r" + std::to_string(i) + " (rcvi R" + std::to_string(i) + " 0 x" + std::to_string(i) + ")]";
    text += " [w (wait R" + std::to_string(n - 1) + ")] [a (assert " + condition + ")] )";
    for (int i = 1; i <= n; ++i) {
        std::string const k = std::to_string(i);
        text += " ( [s" + k + " (sndi S" + k + " " + k + " 0 " + k + ")] )";
    }
    return text + " )";
}

TEST(Explorer, Figure1) {
    Subject const s{std::string(test::figure_1)};
    EXPECT_EQ(ends(s, infinite), (Lines{"failure: R2 = S5, R5 = S4, R3 = S6", "success: R2 = S4, R5 = S5, R3 = S6"}));
    EXPECT_EQ(ends(s, zero), (Lines{"success: R2 = S4, R5 = S5, R3 = S6"}));
}

TEST(Explorer, Figure16) {
    Subject const s{std::string(test::figure_16)};
    for (Buffering const b : {infinite, zero})
        EXPECT_EQ(ends(s, b), (Lines{"success: R01 = S11, R02 = S21, R04 = S13, R12 = S03",
                                     "success: R01 = S21, R02 = S11, R04 = S13, R12 = S03"}));
}

// Independent races are not interleaved: four match sets, four executions.
TEST(Explorer, EveryMatchSetOnce) {
    Subject const s(
        "( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 u)] [02 (wait r2)] )"
        "  ( [03 (rcvi q1 1 y)] [04 (rcvi q2 1 v)] [05 (wait q2)] )"
        "  ( [10 (sndi s1 10 0 1)] [11 (sndi t1 10 1 3)] ) ( [20 (sndi s2 20 0 2)] [21 (sndi t2 20 1 4)] ) )");
    for (Buffering const b : {infinite, zero})
        EXPECT_EQ(
            ends(s, b),
            (Lines{"success: r1 = s1, r2 = s2, q1 = t1, q2 = t2", "success: r1 = s1, r2 = s2, q1 = t2, q2 = t1",
                   "success: r1 = s2, r2 = s1, q1 = t1, q2 = t2", "success: r1 = s2, r2 = s1, q1 = t2, q2 = t1"}));
    EXPECT_EQ(ends(Subject(race(5, "true")), infinite).size(), 120U);
    EXPECT_EQ(ends(Subject(race(5, "true")), zero).size(), 120U);
}

// One channel: nothing to choose.
TEST(Explorer, ChannelsAreNotReordered) {
    Subject const s("( ( [00 (rcvi r1 0 x)] [01 (wait r1)] [02 (rcvi r2 0 y)] [03 (wait r2)] )"
                    "  ( [10 (sndi s1 1 0 1)] [11 (sndi s2 1 0 2)] ) )");
    for (Buffering const b : {infinite, zero}) EXPECT_EQ(ends(s, b), (Lines{"success: r1 = s1, r2 = s2"}));
}

TEST(Explorer, Orphans) {
    Subject const s("( ( [00 (rcvi r 0 x)] [01 (wait r)] [02 (assert (= x 1))] )"
                    "  ( [10 (sndi s 1 0 1)] ) ( [20 (sndi t 2 0 2)] ) )");
    for (Buffering const b : {infinite, zero}) EXPECT_EQ(ends(s, b), (Lines{"failure: r = t", "success: r = s"}));
}

TEST(Explorer, Deadlocks) {
    Subject const circle("( ( [00 (rcvi r1 0 x)] [01 (wait r1)] [02 (sndi s1 0 1 x)] )"
                         "  ( [10 (rcvi r2 1 y)] [11 (wait r2)] [12 (sndi s2 1 0 y)] ) )");
    for (Buffering const b : {infinite, zero}) EXPECT_EQ(ends(circle, b), (Lines{"deadlock: "}));
    Subject const left("( ( [00 (rcvi r 0 x)] [01 (wait r)] )"
                       "  ( [10 (sndi s 1 0 1)] [11 (wait s)] ) ( [20 (sndi t 2 0 2)] ) )");
    EXPECT_EQ(ends(left, infinite), (Lines{"success: r = s", "success: r = t"}));
    EXPECT_EQ(ends(left, zero), (Lines{"deadlock: r = t", "success: r = s"}));
}

TEST(Explorer, Faults) {
    Subject const s("( ( [00 (rcvi r 0 x)] [01 (wait r)] [02 (y := (div 1 x))] )"
                    "  ( [10 (sndi a 1 0 0)] ) ( [20 (sndi b 2 0 1)] ) )");
    for (Buffering const b : {infinite, zero}) EXPECT_EQ(ends(s, b), (Lines{"fault at 02: r = a", "success: r = b"}));
    EXPECT_EQ(ends(Subject("( ( [00 (assert false)] [01 (y := (div 1 0))] ) )"), infinite), (Lines{"fault at 01: "}));
}

TEST(Explorer, NothingToDo) {
    EXPECT_EQ(ends(Subject("( )"), infinite), (Lines{"success: "}));
    EXPECT_EQ(ends(Subject("( ( [00 (assume false)] ) ( ) )"), zero), (Lines{"infeasible: "}));
}

// ---- Restrictions ----

TEST(Explorer, MayMatch) {
    Subject const s{std::string(test::figure_1)};
    Pair const wanted{s.receive("R2"), s.send("S5")};
    Explorer::Options options;
    options.may_match = [&](Pair p) { return p.r != wanted.r || p == wanted; };
    EXPECT_EQ(ends(s, options), (Lines{"failure: R2 = S5, R5 = S4, R3 = S6"}));
}

// Stuck because of the restriction: no deadlock.
TEST(Explorer, Barred) {
    Subject const s{std::string(test::figure_1)};
    Explorer::Options options;
    options.may_match = [](Pair) { return false; };
    for (Buffering const b : {infinite, zero}) {
        options.buffering = b;
        EXPECT_EQ(ends(s, options), (Lines{"pruned: "}));
    }
    options.buffering = zero;
    Pair const unwanted{s.receive("R5"), s.send("S5")};
    options.may_match = [&](Pair p) { return p != unwanted; };
    EXPECT_EQ(ends(s, options), (Lines{"pruned: R2 = S4, R3 = S6"}));
}

// A deadlock stays one where the restriction has nothing against any delivery.
TEST(Explorer, ADeadlockIsNotBarred) {
    Subject const s("( ( [00 (rcvi r1 0 x)] [01 (wait r1)] ) )");
    Explorer::Options options;
    options.may_match = [](Pair) { return false; };
    EXPECT_EQ(ends(s, options), (Lines{"deadlock: "}));
}

// ---- Limits ----

TEST(Explorer, GoesOnWhereALimitEndedIt) {
    Subject const s(race(4, "true"));
    Lines const all = ends(s, infinite);
    for (std::uint64_t const limit : {1U, 2U, 7U, 1000U}) {
        Explorer explorer(s.messages, with(infinite));
        Lines result;
        std::size_t nothing = 0;
        while (!explorer.done()) {
            std::uint64_t const before = explorer.steps();
            if (auto const end = explorer.next(limit))
                result.push_back(found(s, explorer, *end, infinite));
            else if (!explorer.done())
                ++nothing;
            // A step of the search is a delivery and all that it releases.
            EXPECT_LE(explorer.steps() - before, limit + 10);
        }
        std::sort(result.begin(), result.end());
        EXPECT_EQ(result, all);
        EXPECT_EQ(nothing > 0, limit < 1000) << limit;
    }
}

TEST(Explorer, NoStepsAtAll) {
    Subject const s(race(3, "true"));
    Explorer explorer(s.messages, with(infinite));
    EXPECT_FALSE(explorer.next(0));
    EXPECT_FALSE(explorer.done());
    EXPECT_EQ(explorer.counts().executions, 0U);
    EXPECT_TRUE(explorer.next());
}

// ---- Verdicts only ----

std::set<std::string> kinds(Lines const& ends) {
    std::set<std::string> result;
    for (std::string const& end : ends) result.insert(end.substr(0, end.find(':')));
    return result;
}

TEST(Explorer, VerdictsOnlyHasEachKind) {
    for (char const* condition : {"true", "(= x0 1)", "(not (= x0 4))", "(< (+ x0 x1) 7)", "(= 1 (div 1 (- x0 2)))"}) {
        Subject const s(race(4, condition));
        for (Buffering const b : {infinite, zero}) {
            Lines const all = ends(s, b);
            Lines const some = ends(s, with(b, true));
            EXPECT_EQ(kinds(some), kinds(all)) << condition;
            EXPECT_LT(some.size(), all.size()) << condition;
            for (std::string const& end : some) EXPECT_EQ(std::count(all.begin(), all.end(), end), 1) << end;
        }
    }
}

// Values that nothing asks for make no difference: one execution.
TEST(Explorer, VerdictsOnlyWithoutAssertions) {
    EXPECT_EQ(ends(Subject(race(6, "true")), with(infinite, true)).size(), 1U);
    EXPECT_EQ(ends(Subject(race(6, "true")), infinite).size(), 720U);
}

TEST(Explorer, ControlOnly) {
    Subject const left("( ( [00 (rcvi r 0 x)] [01 (wait r)] [02 (assert (= x 1))] )"
                       "  ( [10 (sndi s 1 0 1)] [11 (wait s)] ) ( [20 (sndi t 2 0 2)] ) )");
    Lines const some = ends(left, with(zero, true, true));
    EXPECT_EQ(kinds(some), (std::set<std::string>{"deadlock", "success"}));
}

// ---- The bound ----

TEST(AtMostMatchSets, CountsWordsOfChannels) {
    EXPECT_EQ(at_most_match_sets(Subject(std::string(test::figure_1)).messages), "2");
    EXPECT_EQ(at_most_match_sets(Subject("( )").messages), "1");
    EXPECT_EQ(at_most_match_sets(Subject(race(5, "true")).messages), "120");
    // Three of s1, s2, t1, t2 in the order of their channels: sst, sts, tss, and so with t; of two and two, none is
    // sss.
    EXPECT_EQ(at_most_match_sets(Subject("( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (rcvi r3 0 z)] [03 (wait r3)] )"
                                         "  ( [10 (sndi s1 1 0 1)] [11 (sndi s2 1 0 2)] )"
                                         "  ( [20 (sndi t1 2 0 1)] [21 (sndi t2 2 0 2)] ) )")
                                     .messages),
              "6");
    // Two endpoints: a product.
    EXPECT_EQ(
        at_most_match_sets(
            Subject("( ( [00 (rcvi r1 0 x)] [01 (wait r1)] ) ( [02 (rcvi q1 1 y)] [03 (wait q1)] )"
                    "  ( [10 (sndi s1 2 0 1)] [11 (sndi t1 2 1 1)] ) ( [20 (sndi s2 3 0 1)] [21 (sndi t2 3 1 1)] ) )")
                .messages),
        "4");
}

TEST(AtMostMatchSets, TooFewSends) {
    EXPECT_EQ(at_most_match_sets(Subject("( ( [00 (rcvi r1 0 x)] [01 (wait r1)] ) )").messages), "0");
}

TEST(AtMostMatchSets, LargeNumbers) {
    EXPECT_EQ(at_most_match_sets(Subject(race(14, "true")).messages), "87178291200");
    EXPECT_EQ(at_most_match_sets(Subject(race(20, "true")).messages), "about 10^18");
}

} // namespace
} // namespace matchpoint::test
