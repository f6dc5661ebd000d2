// The naive explorer: truths known by thinking, and its two ways of going about it against each other.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/all_rooms.hpp"
#include "tests/support/generate.hpp"
#include "tests/support/naive_explore.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::naive {

namespace {

/// Both explorers' truth, which must be one.
Truth truth_of(std::string const& text, bool zero) {
    Program const program = read_program(text);
    std::optional<Truth> const plain = explore_plainly(program, zero);
    std::optional<Truth> const quick = explore_quickly(program, zero);
    EXPECT_TRUE(plain.has_value());
    EXPECT_TRUE(plain == quick) << to_text(*plain) << to_text(*quick);
    return *plain;
}

/// A truth in which everything but the given is empty.
Truth truth(Verdict verdict, std::map<Matching, Status> outcomes, std::set<std::string> orphans = {},
            std::set<std::vector<std::size_t>> deadlocks = {}, std::set<std::string> faults = {}) {
    Truth t{.outcomes = std::move(outcomes), .orphans = std::move(orphans), .verdict = verdict};
    t.deadlocks = std::move(deadlocks);
    t.faults = std::move(faults);
    t.deadlock = !t.deadlocks.empty();
    t.fault = !t.faults.empty();
    for (auto const& [matching, status] : t.outcomes) t.exact_pairs.insert(matching.begin(), matching.end());
    return t;
}

void expect(std::string const& text, bool zero, Truth const& expected) {
    Truth const found = truth_of(text, zero);
    EXPECT_TRUE(found == expected) << text << (zero ? "\nzero" : "\ninfinite") << " buffering, found\n"
                                   << to_text(found) << "expected\n"
                                   << to_text(expected);
}

char const* const figure1 = R"(
    ( ( [02 (rcvi R2 0 A)] [03 (wait R2)] [04 (a := A)] [05 (rcvi R5 0 B)] [06 (wait R5)] [07 (b := B)]
        [08 (assume (> b 0))] [09 (assert (= a 4))] bot )
      ( [13 (rcvi R3 1 C)] [14 (wait R3)] [15 (sndi S5 1 0 1)] [16 (wait S5)] bot )
      ( [24 (sndi S4 2 0 4)] [25 (wait S4)] [26 (sndi S6 2 1 7)] [27 (wait S6)] bot ) ))";

} // namespace

TEST(NaiveExplore, Figure1) {
    // Figures 2 and 3: with infinite buffering S5 may overtake S4; a rendezvous has S4 taken before S6 is sent.
    Matching const figure2 = {{"R2", "S4"}, {"R3", "S6"}, {"R5", "S5"}};
    Matching const figure3 = {{"R2", "S5"}, {"R3", "S6"}, {"R5", "S4"}};
    expect(figure1, false, truth(Verdict::violated, {{figure2, Status::success}, {figure3, Status::failure}}));
    expect(figure1, true, truth(Verdict::safe, {{figure2, Status::success}}));
}

TEST(NaiveExplore, HeadToHeadDeadlocksAsRendezvousOnly) {
    char const* const text = R"(
        ( ( [1 (sndi S1 0 1 1)] [2 (wait S1)] [3 (rcvi R1 0 x)] [4 (wait R1)] )
          ( [5 (sndi S2 1 0 2)] [6 (wait S2)] [7 (rcvi R2 1 y)] [8 (wait R2)] ) ))";
    expect(text, false, truth(Verdict::safe, {{{{"R1", "S2"}, {"R2", "S1"}}, Status::success}}));
    expect(text, true, truth(Verdict::vacuous, {}, {}, {{1, 1}}));
}

TEST(NaiveExplore, OneSendTooMany) {
    // Two senders race for one receive. As a rendezvous the one that is waited for must win.
    char const* const text = R"(
        ( ( [1 (rcvi R 0 x)] [2 (wait R)] [3 (assert (= x 1))] )
          ( [4 (sndi S1 1 0 1)] [5 (wait S1)] )
          ( [6 (sndi S2 2 0 2)] ) ))";
    Matching const first = {{"R", "S1"}};
    Matching const second = {{"R", "S2"}};
    expect(text, false, truth(Verdict::violated, {{first, Status::success}, {second, Status::failure}}, {"S1", "S2"}));
    expect(text, true, truth(Verdict::safe, {{first, Status::success}}, {"S2"}, {{3, 1, 1}}));
}

TEST(NaiveExplore, ReceivesCompletedByALaterWait) {
    // One channel: the first send goes to the first receive, though the waits are the other way round.
    expect(R"(( ( [1 (rcvi R1 0 x)] [2 (rcvi R2 0 y)] [3 (wait R2)] [4 (wait R1)] [5 (assert (< x y))] )
                ( [6 (sndi S1 1 0 1)] [7 (sndi S2 1 0 2)] ) ))",
           false, truth(Verdict::safe, {{{{"R1", "S1"}, {"R2", "S2"}}, Status::success}}));
    expect(R"(( ( [1 (rcvi R1 0 x)] [2 (rcvi R2 0 y)] [3 (wait R2)] [5 (assume (< y x))] )
                ( [6 (sndi S1 1 0 1)] [7 (sndi S2 1 0 2)] ) ))",
           true, truth(Verdict::vacuous, {{{{"R1", "S1"}, {"R2", "S2"}}, Status::infeasible}}));
}

TEST(NaiveExplore, FaultsAreNoDeadlocks) {
    // The thread that divides by the 0 is at no wait, so another thread's hopeless wait is no deadlock in that run.
    char const* const text = R"(
        ( ( [1 (rcvi R1 0 x)] [2 (wait R1)] [3 (y := (div 4 x))] [4 (sndi S3 0 1 y)] )
          ( [5 (rcvi R2 1 z)] [6 (wait R2)] [7 (assert (= z 2))] )
          ( [8 (sndi S1 2 0 0)] )
          ( [9 (sndi S2 3 0 2)] ) ))";
    expect(text, false, truth(Verdict::safe, {{{{"R1", "S2"}, {"R2", "S3"}}, Status::success}}, {"S1"}, {}, {"3"}));
}

TEST(NaiveExplore, NoThreadAtAll) {
    expect("()", false, truth(Verdict::safe, {{{}, Status::success}}));
    expect("( () ( [1 (assert false)] ) )", true, truth(Verdict::violated, {{{}, Status::failure}}));
}

TEST(NaiveExplore, TheLimitCountsStates) {
    Program const program = read_program("( ( [1 (x := 1)] [2 (x := 2)] ) ( [3 (y := 1)] ) )");
    EXPECT_TRUE(explore_plainly(program, false, 6).has_value());
    EXPECT_FALSE(explore_plainly(program, false, 5).has_value());
    EXPECT_TRUE(explore_quickly(program, false, 1).has_value());
}

TEST(NaiveExplore, EveryCompleteTrace) {
    // The movement is anywhere between the send and the wait.
    Program const program = read_program("( ( [1 (rcvi R 0 x)] [2 (wait R)] ) ( [3 (sndi S 1 0 1)] ) )");
    std::vector<std::string> traces;
    EXPECT_TRUE(for_each_complete_trace(program, false, [&](Trace const& trace) {
        traces.push_back(to_text(trace));
        return true;
    }));
    std::sort(traces.begin(), traces.end());
    EXPECT_EQ(traces,
              (std::vector<std::string>{"( (1 bot) (3 bot) (2 ((0 1) bot)) )", "( (3 bot) (1 ((0 1) bot)) (2 bot) )",
                                        "( (3 bot) (1 bot) (2 ((0 1) bot)) )"}));
    std::size_t visited = 0;
    EXPECT_FALSE(for_each_complete_trace(program, true, [&](Trace const&) { return ++visited < 2; }));
    EXPECT_EQ(visited, 2U);
}

namespace {

/// The movements that are possible when every thread has gone as far as it can without any.
std::vector<Movement> first_movements(std::string const& text) {
    Program const program = read_program(text);
    State state = initial_state(program);
    for (std::size_t t = 0; t < program.threads.size(); ++t)
        while (state.next[t] < program.threads[t].size()) {
            auto const after = step_of(program, state, t, false);
            if (!std::holds_alternative<State>(after)) break;
            state = std::get<State>(after);
        }
    std::vector<Movement> movements;
    for (auto const& [movement, after] : movements_of(program, state, false)) movements.push_back(movement);
    return movements;
}

} // namespace

// Where a receive selects by tag, a channel whose messages have several tags can have several movements.
TEST(NaiveExplore, MovementsHaveATagWhereItMatters) {
    std::string const senders = R"(( [3 (sndi S 1 0 1 (tag 1))] [4 (sndi T 1 0 2)] [5 (sndi U 1 0 3 (tag 1))] )
                                   ( [6 (sndi V 2 0 4 (tag 1))] [7 (sndi W 2 0 5 (tag 1))] ))";
    auto const receivers = [](std::string const& r, std::string const& q) {
        return "( ( [1 (rcvi R 0 x" + r + ")] [2 (rcvi Q 0 y" + q + ")] [8 (wait Q)] [9 (wait R)] )";
    };
    auto const movements = [&](std::string const& r, std::string const& q) {
        return first_movements(receivers(r, q) + senders + " )");
    };
    using Movements = std::vector<Movement>;
    EXPECT_EQ(movements("", ""), (Movements{{0, 1}, {0, 2}}));
    EXPECT_EQ(movements(" (from 1)", ""), (Movements{{0, 1}, {0, 2}}));
    EXPECT_EQ(movements(" (from 1)", " (from 1)"), (Movements{{0, 1}}));
    EXPECT_EQ(movements(" (tag 1)", " (tag 0)"), (Movements{{0, 1, 0}, {0, 1, 1}, {0, 2}})); // T to Q, S to R, V to R
    EXPECT_EQ(movements(" (tag 1)", ""), (Movements{{0, 1, 1}, {0, 2}})); // Q admits S, which comes before T
    EXPECT_EQ(movements("", " (tag 0)"), (Movements{{0, 1, 1}, {0, 2}})); // R admits T, but S comes first
    EXPECT_EQ(movements(" (tag 0)", " (tag 0)"), (Movements{{0, 1, 0}}));
    EXPECT_EQ(movements(" (tag 7)", " (from 3)"), Movements{});
}

TEST(NaiveExplore, QuicklyAsPlainlyOnRandomPrograms) {
    std::size_t compared = 0;
    auto const compare = [&](Program const& program, bool zero) {
        std::optional<Truth> const plain = explore_plainly(program, zero, 3000);
        if (!plain) return;
        ++compared;
        std::optional<Truth> const quick = explore_quickly(program, zero, 3000);
        ASSERT_TRUE(plain == quick) << (zero ? "zero" : "infinite") << " buffering\n"
                                    << to_text(program, {}) << "plainly\n"
                                    << to_text(*plain) << "quickly\n"
                                    << (quick ? to_text(*quick) : "nothing");
        // The quick one has rules of its own, so the oracle is asked what its runs come to.
        ASSERT_EQ(quick->traces.size(), quick->outcomes.size());
        for (auto const& [matching, trace] : quick->traces) {
            Result const result = run(program, trace, zero);
            ASSERT_TRUE(result.state.matches == matching && result.status == quick->outcomes.at(matching))
                << to_text(Case{program, trace, zero}) << to_text(result);
        }
    };
    for (std::size_t i = 0; i < cases(1000) && !HasFatalFailure(); ++i) {
        Case const c = disciplined_case(seeded(1), i);
        compare(c.program, c.zero);
        Program const program = program_to_explore(seeded(1), i, 3, 4);
        compare(program, false);
        compare(program, true);
    }
    EXPECT_GE(compared, 2 * least(1000));
}

} // namespace matchpoint::naive
