// Match pairs: Figure 15 on the paper's Figure 16, what is left out of it and why, and the exact ones.

#include "executions/exact_pairs.hpp"
#include "explain/matching_words.hpp"
#include "matching/match_pairs.hpp"

#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/all_rooms.hpp"
#include "tests/support/subjects.hpp"

namespace matchpoint::test {
namespace {

using test::infinite;
using test::Lines;
using test::Subject;
using test::zero;

/// "R01: S11 S21"
Lines text(Subject const& s, MatchPairs const& pairs) {
    Lines result;
    for (std::uint32_t r = 0; r < pairs.of.size(); ++r) {
        std::string line = s.name(s.messages.receives()[r].a) + ":";
        for (std::uint32_t const send : pairs.of[r]) line += " " + s.name(s.messages.sends()[send].a);
        result.push_back(line);
    }
    return result;
}

std::optional<MatchPairs> exact(Subject const& s, Buffering buffering, std::uint64_t steps = UINT64_MAX) {
    Budget budget;
    budget.steps = steps;
    return exact_pairs(s.messages, buffering, budget);
}

/// Chains lead from the wait to what cannot come after it. Each step is in program order or by matches of one receive
/// or one send, and each of these matches has a chain of its own.
void check_chains(Subject const& s, Exclusion const& e, Buffering buffering) {
    if (e.why != Exclusion::Why::order) {
        EXPECT_TRUE(e.chains.empty());
        return;
    }
    auto const& receive = s.messages.receives()[e.pair.r];
    auto const& send = s.messages.sends()[e.pair.s];
    Location const from = e.chains.front().front().rho;
    Location const to = e.chains.front().back().rho;
    EXPECT_TRUE((from == receive.nw && to == send.rho) ||
                (buffering == zero && from == send.wait && to == receive.rho));
    std::set<std::uint32_t> behind{from.index};
    for (std::size_t c = e.chains.size(); c-- > 0;) // the first chain may need the others
        for (auto const& step : e.chains[c]) behind.insert(step.rho.index);
    for (auto const& chain : e.chains) {
        EXPECT_GE(chain.size(), 2U);
        EXPECT_TRUE(chain.front().by.empty());
        for (std::size_t i = 1; i < chain.size(); ++i) {
            Location const before = chain[i - 1].rho;
            Location const rho = chain[i].rho;
            if (chain[i].by.empty()) {
                EXPECT_EQ(s.code.thread_of(before), s.code.thread_of(rho));
                EXPECT_LT(before.index, rho.index);
                continue;
            }
            bool const by_sends = s.messages.receives()[chain[i].by[0].r].nw == rho;
            EXPECT_TRUE(by_sends || buffering == zero);
            for (Pair const p : chain[i].by) {
                auto const& r = s.messages.receives()[p.r];
                auto const& sent = s.messages.sends()[p.s];
                EXPECT_EQ(by_sends ? r.nw : sent.wait, rho);
                if (e.more > 0) continue;
                EXPECT_EQ(behind.count(by_sends ? sent.rho.index : r.rho.index), 1U);
            }
            EXPECT_EQ(before, by_sends ? s.messages.sends()[chain[i].by[0].s].rho
                                       : s.messages.receives()[chain[i].by[0].r].rho);
        }
    }
}

Lines excluded(Subject const& s, Buffering buffering) {
    std::vector<Exclusion> exclusions;
    MatchPairs const left = tight(s.messages, buffering, &exclusions);
    Lines result;
    for (Exclusion const& e : exclusions) {
        EXPECT_FALSE(left.contains(e.pair));
        check_chains(s, e, buffering);
        result.push_back(in_words(s.messages, e));
    }
    EXPECT_EQ(left.size() + result.size(), overapprox(s.messages).size());
    return result;
}

// ---- overapprox ----

// Section 7: "R01 is matched with S11 or S21, but it cannot be matched with S13 ... The match between R04 and S11 is
// also precluded"; and (S21 R04) is among the pairs, though it is not feasible.
TEST(Overapprox, Figure16) {
    Subject const s{std::string(test::figure_16)};
    MatchPairs const pairs = overapprox(s.messages);
    EXPECT_EQ(text(s, pairs), (Lines{"R01: S11 S21", "R02: S11 S13 S21", "R04: S13 S21", "R12: S03"}));
    EXPECT_FALSE(pairs.contains({s.receive("R01"), s.send("S13")}));
    EXPECT_FALSE(pairs.contains({s.receive("R04"), s.send("S11")}));
    EXPECT_TRUE(pairs.contains({s.receive("R04"), s.send("S21")}));
    EXPECT_EQ(pairs.size(), 8U);
}

// errata E16: counting all sends of the program, S03 makes room for one more.
TEST(Overapprox, AllSends) {
    Subject const s{std::string(test::figure_16)};
    EXPECT_EQ(text(s, overapprox(s.messages, true)),
              (Lines{"R01: S11 S21", "R02: S11 S13 S21", "R04: S11 S13 S21", "R12: S03"}));
}

TEST(Overapprox, OneChannelIsInOrder) {
    Subject const s("( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (wait r2)] )"
                    "  ( [10 (sndi s1 1 0 1)] [11 (sndi s2 1 0 2)] [12 (sndi s3 1 0 3)] ) )");
    EXPECT_EQ(text(s, overapprox(s.messages)), (Lines{"r1: s1", "r2: s2"}));
}

TEST(Overapprox, NobodySends) {
    Subject const s("( ( [00 (rcvi r1 0 x)] [01 (wait r1)] ) )");
    EXPECT_EQ(text(s, overapprox(s.messages)), (Lines{"r1:"}));
}

// ---- tight ----

TEST(Tight, Figure16) {
    Subject const s{std::string(test::figure_16)};
    EXPECT_EQ(text(s, tight(s.messages, infinite)), (Lines{"R01: S11 S21", "R02: S11 S21", "R04: S13", "R12: S03"}));
    EXPECT_EQ(excluded(s, infinite),
              (Lines{"R02 = S13: 14 comes after 03 in every run: 03 -> 04 -> (R12 = S03) -> 13 -> 14",
                     "R04 = S21: R04 is receive number 3 at its endpoint, and S21 cannot be received later than as "
                     "number 2"}));
}

TEST(Tight, LeavesOutWhatIsAgainstTheOrder) {
    Subject const own("( ( [00 (rcvi r 0 x)] [01 (wait r)] [02 (sndi s 0 0 1)] ) )");
    EXPECT_EQ(excluded(own, infinite), (Lines{"r = s: 02 comes after 01 in every run: 01 -> 02"}));
    // Zero buffering: a send that is waited for before the receive is posted.
    Subject const first("( ( [00 (sndi s 0 0 1)] [01 (wait s)] [02 (rcvi r 0 x)] [03 (wait r)] ) )");
    EXPECT_EQ(excluded(first, infinite), Lines());
    EXPECT_EQ(excluded(first, zero), (Lines{"r = s: 02 comes after 01 in every run: 01 -> 02"}));
}

// Each of two sends comes after the wait, one by way of another thread.
TEST(Tight, OrderThroughAllThatAReceiveCanGet) {
    Subject const s("( ( [00 (rcvi r 0 x)] [01 (wait r)] [02 (sndi k 0 1 1)] )"
                    "  ( [10 (rcvi q 1 y)] [11 (wait q)] [12 (sndi t 1 0 1)] ) ( [20 (sndi u 2 0 1)] ) )");
    EXPECT_EQ(excluded(s, infinite), (Lines{"r = t: 12 comes after 01 in every run: 01 -> 02 -> (q = k) -> 11 -> 12"}));
}

// q gets one of two messages, and both come after the wait.
TEST(Tight, OrderThroughSeveralMatches) {
    Subject const s("( ( [00 (rcvi r 0 x)] [01 (wait r)] [02 (sndi k 0 1 1)] [03 (sndi l 9 1 1)] )"
                    "  ( [10 (rcvi q 1 y)] [11 (wait q)] [12 (sndi t 1 0 1)] ) ( [20 (sndi u 2 0 1)] ) )");
    for (Buffering const b : {infinite, zero})
        EXPECT_EQ(excluded(s, b), (Lines{"r = t: 12 comes after 01 in every run: 01 -> 03 -> (q = k or l) -> 11 -> 12; "
                                         "k: 01 -> 02"}));
}

// The second round's messages are sent after the first round's wait, whichever receive gets which question.
TEST(Tight, OrderThroughMoreMatchesThanAreShown) {
    constexpr int n = 30;
    std::string questions = "[rw (wait r)] ";
    for (int i = 0; i < n; ++i) questions += fmt::format("[k{0} (sndi K{0} {1} 1 1)] ", i, 10 + i);
    Subject const s(fmt::format("( ( [r0 (rcvi r 0 x)] {}) ( [q0 (rcvi q 1 y)] [q1 (wait q)] [t0 (sndi t 1 0 1)] )"
                                " ( [u0 (sndi u 2 0 1)] ) )",
                                questions));
    Lines const lines = excluded(s, infinite);
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_TRUE(lines[0].starts_with("r = t: t0 comes after rw in every run: rw -> k29 -> (q = K0 or K1 or "))
        << lines[0];
    EXPECT_NE(lines[0].find(" or K19 or ... (10 more)) -> q1 -> t0; K0: rw -> k0; "), std::string::npos) << lines[0];
    EXPECT_TRUE(lines[0].ends_with("; K18: k17 -> k18; ... (10 more)")) << lines[0];
}

// Zero buffering: a receive after the wait, or one of two there, takes what is waited for.
TEST(Tight, OrderThroughARendezvous) {
    Subject const one("( ( [00 (rcvi r 0 x)] [01 (wait r)] [02 (rcvi q 1 y)] [03 (wait q)] )"
                      "  ( [10 (sndi s 3 1 1)] [11 (wait s)] [12 (sndi t 3 0 1)] ) ( [20 (sndi u 4 0 1)] ) )");
    EXPECT_EQ(excluded(one, infinite), Lines());
    EXPECT_EQ(excluded(one, zero), (Lines{"r = t: 12 comes after 01 in every run: 01 -> 02 -> (q = s) -> 11 -> 12"}));
    Subject const two("( ( [00 (rcvi r 0 x)] [01 (wait r)] [02 (rcvi p 1 y)] [03 (rcvi q 1 z)] [04 (wait q)] )"
                      "  ( [10 (sndi s 3 1 1)] [11 (wait s)] [12 (sndi t 3 0 1)] )"
                      "  ( [20 (sndi u 4 0 1)] [21 (sndi v 4 1 1)] ) )");
    EXPECT_EQ(excluded(two, infinite), Lines());
    EXPECT_EQ(excluded(two, zero),
              (Lines{"r = t: 12 comes after 01 in every run: 01 -> 03 -> (p or q = s) -> 11 -> 12; "
                     "p: 01 -> 02"}));
}

TEST(Tight, LeavesNothingOutThatCanBe) {
    Subject const s("( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (wait r2)] )"
                    "  ( [10 (sndi s1 1 0 1)] ) ( [20 (sndi s2 2 0 2)] ) )");
    for (Buffering const b : {infinite, zero}) {
        EXPECT_EQ(excluded(s, b), Lines());
        EXPECT_EQ(text(s, tight(s.messages, b)), (Lines{"r1: s1 s2", "r2: s1 s2"}));
    }
}

// t cannot be first: its sender waits for what the receiver sends after the first message.
TEST(Tight, LeavesOutWhatIsTooLate) {
    Subject const s("( ( [00 (rcvi r1 0 x)] [01 (wait r1)] [02 (sndi k 0 1 1)] [03 (rcvi r2 0 y)] [04 (wait r2)] )"
                    "  ( [10 (rcvi q 1 z)] [11 (wait q)] [12 (sndi t 1 0 1)] ) ( [20 (sndi u 2 0 1)] ) )");
    EXPECT_EQ(
        excluded(s, infinite),
        (Lines{"r1 = t: 12 comes after 01 in every run: 01 -> 02 -> (q = k) -> 11 -> 12",
               "r2 = u: r2 is receive number 2 at its endpoint, and u cannot be received later than as number 1"}));
}

// u1 has to be received before u2, and cannot be first.
TEST(Tight, LeavesOutWhatIsTooSoon) {
    Subject const s("( ( [00 (rcvi r1 0 x)] [01 (wait r1)] [02 (sndi k 0 1 1)] [03 (rcvi r2 0 y)] [04 (rcvi r3 0 z)]"
                    "    [05 (wait r3)] ) ( [10 (rcvi q 1 w)] [11 (wait q)] [12 (sndi u1 1 0 1)] [13 (sndi u2 1 0 2)] )"
                    "  ( [20 (sndi t 2 0 3)] ) )");
    EXPECT_EQ(
        excluded(s, infinite),
        (Lines{"r1 = u1: 12 comes after 01 in every run: 01 -> 02 -> (q = k) -> 11 -> 12",
               "r2 = u2: r2 is receive number 2 at its endpoint, and u2 cannot be received sooner than as number 3",
               "r2 = t: r2 is receive number 2 at its endpoint, and t cannot be received later than as number 1",
               "r3 = t: r3 is receive number 3 at its endpoint, and t cannot be received later than as number 1"}));
}

// ---- exact ----

// What commands take counts, too, not only deliveries.
TEST(ExactPairs, StepsOfAProgramThatIsNotLoweredAreLimited) {
    std::string program = "( ( [r (rcvi R 0 x (from 1))] [q (rcvi Q 0 y)] [w (wait R)] [v (wait Q)]";
    for (int i = 0; i < 1000; ++i) program += fmt::format(" [c{} (z := 1)]", i);
    Subject const s(program + " ) ( [s (sndi S 1 0 1)] [t (sndi T 1 0 1)] ) ( [u (sndi U 2 0 1)] ) )");
    auto const within = [&](std::uint64_t steps) {
        Budget budget;
        budget.steps = steps;
        return pairs_by(s.messages, infinite, PairsMethod::exact, budget);
    };
    auto const all = within(UINT64_MAX);
    ASSERT_TRUE(all);
    EXPECT_EQ(text(s, *all), (Lines{"R: S", "Q: T U"}));
    EXPECT_TRUE(within(10'000));
    EXPECT_FALSE(within(1'500)); // enough for one execution
}

TEST(ExactPairs, Figures1And16) {
    Subject const one{std::string(test::figure_1)};
    EXPECT_EQ(text(one, *exact(one, infinite)), (Lines{"R2: S5 S4", "R5: S5 S4", "R3: S6"}));
    EXPECT_EQ(text(one, *exact(one, zero)), (Lines{"R2: S4", "R5: S5", "R3: S6"}));
    Subject const s{std::string(test::figure_16)};
    EXPECT_EQ(*exact(s, infinite), tight(s.messages, infinite));
}

// Nothing completes: no pairs.
TEST(ExactPairs, OfAProgramThatNeverCompletes) {
    Subject const s("( ( [00 (rcvi r 0 x)] [01 (wait r)] [02 (rcvi q 0 y)] [03 (wait q)] ) ( [10 (sndi s 1 0 1)] ) )");
    EXPECT_EQ(text(s, *exact(s, infinite)), (Lines{"r:", "q:"}));
}

// A fault is no complete run.
TEST(ExactPairs, WithoutFaults) {
    Subject const s("( ( [00 (rcvi r 0 x)] [01 (wait r)] [02 (y := (div 1 x))] )"
                    "  ( [10 (sndi a 1 0 0)] ) ( [20 (sndi b 2 0 1)] ) )");
    EXPECT_EQ(text(s, tight(s.messages, infinite)), (Lines{"r: a b"}));
    EXPECT_EQ(text(s, *exact(s, infinite)), (Lines{"r: b"}));
}

// What only a search leaves out, with what is in its place.
TEST(ExactPairs, WhatIsRefuted) {
    auto const refuted = [](Subject const& s, Buffering buffering) {
        std::vector<Refuted> pairs;
        Budget budget;
        MatchPairs const exact = *exact_pairs(s.messages, buffering, budget, &pairs);
        EXPECT_EQ(exact.size() + pairs.size(), tight(s.messages, buffering).size());
        Lines result;
        for (Refuted const& r : pairs) {
            EXPECT_FALSE(exact.contains(r.pair));
            result.push_back(in_words(s.messages, exact, r));
        }
        return result;
    };
    Subject const one{std::string(test::figure_1)};
    EXPECT_EQ(refuted(one, infinite), Lines());
    EXPECT_EQ(refuted(one, zero), (Lines{"R2 = S5: the one execution tried for it does not complete; in complete runs "
                                         "R2 gets S4, and S5 goes to R5",
                                         "R5 = S4: the one execution tried for it does not complete; in complete runs "
                                         "R5 gets S5, and S4 goes to R2"}));
    // A zero divisor wherever the first one is c, whatever is second.
    Subject const fault("( ( [00 (rcvi q 0 x)] [01 (rcvi r 0 y)] [02 (wait r)] [03 (z := (div 1 (+ x (* 10 y))))]"
                        "    [04 (w := (div 1 x))] )"
                        "  ( [10 (sndi a 1 0 1)] ) ( [20 (sndi b 2 0 2)] ) ( [30 (sndi c 3 0 0)] ) )");
    EXPECT_EQ(refuted(fault, infinite), (Lines{"q = c: none of 2 executions tried for it completes; in complete runs q "
                                               "gets one of a, b, and c goes to r"}));
    Subject const nobody("( ( [00 (rcvi q 0 x)] [01 (wait q)] [02 (z := (div 1 x))] )"
                         "  ( [10 (sndi a 1 0 1)] ) ( [20 (sndi b 2 0 0)] ) )");
    EXPECT_EQ(refuted(nobody, infinite), (Lines{"q = b: the one execution tried for it does not complete; in complete "
                                                "runs q gets a, and nobody gets b"}));
    Subject const never("( ( [00 (rcvi q 0 x)] [01 (wait q)] [02 (z := (div 1 0))] ) ( [10 (sndi a 1 0 1)] ) )");
    EXPECT_EQ(refuted(never, infinite), (Lines{"q = a: no run completes"}));
}

TEST(ExactPairs, WithinALimit) {
    Subject const s{std::string(test::figure_16)};
    EXPECT_FALSE(exact(s, infinite, 1));
    EXPECT_TRUE(exact(s, infinite, 10'000));
}

TEST(PairsBy, EachMethod) {
    Subject const s{std::string(test::figure_16)};
    EXPECT_EQ(pairs_by(s.messages, infinite, PairsMethod::overapprox), overapprox(s.messages));
    EXPECT_EQ(pairs_by(s.messages, infinite, PairsMethod::overapprox_all_sends), overapprox(s.messages, true));
    EXPECT_EQ(pairs_by(s.messages, zero, PairsMethod::tight), tight(s.messages, zero));
    EXPECT_EQ(pairs_by(s.messages, zero, PairsMethod::exact), exact(s, zero));
    EXPECT_EQ(pairs_by(s.messages, zero, PairsMethod::exact, Budget{1, nullptr}), std::nullopt);
}

// ---- Each inference, where it applies and where it does not ----

InferenceCounts counts(Subject const& s, MatchPairs const& pairs) {
    InferenceCounts result;
    static_cast<void>(tight(s.messages, infinite, pairs, &result));
    return result;
}

TEST(Inference, Order) {
    // s comes after the wait for k, and k after the wait for a.
    Subject const s("( ( [00 (rcvi a 0 x)] [01 (wait a)] [02 (sndi k 0 5 1)] )"
                    "  ( [10 (rcvi q 5 y)] [11 (wait q)] [12 (sndi s 1 0 2)] ) ( [20 (sndi t 2 0 1)] ) )");
    EXPECT_EQ(counts(s, overapprox(s.messages))[Inference::order], 1U);
    Subject const free("( ( [00 (rcvi a 0 x)] [01 (wait a)] ) ( [12 (sndi s 1 0 2)] ) ( [20 (sndi t 2 0 1)] ) )");
    EXPECT_EQ(counts(free, overapprox(free.messages))[Inference::order], 0U);
}

/// R0 to R2 get S0 and S1 of one channel, and S2 of another one; these pairs, by receive.
InferenceCounts counts(std::vector<std::vector<std::uint32_t>> pairs) {
    Subject const s("( ( [00 (rcvi R0 0 x)] [01 (rcvi R1 0 y)] [02 (rcvi R2 0 z)] [03 (wait R2)] )"
                    "  ( [10 (sndi S0 1 0 1)] [11 (sndi S1 1 0 2)] ) ( [20 (sndi S2 2 0 3)] ) )");
    return counts(s, {std::move(pairs)});
}

TEST(Inference, Windows) {
    // S1 is received at place 1 at the latest, so S0 is received before that.
    EXPECT_GT(counts({{0, 2}, {0, 1, 2}, {2}})[Inference::windows], 0U);
    EXPECT_EQ(counts({{0, 2}, {0, 1, 2}, {1, 2}})[Inference::windows], 0U);
}

TEST(Inference, Counting) {
    // S2 is not received at place 0, so nothing comes before S0.
    EXPECT_GT(counts({{0}, {0, 1, 2}, {1, 2}})[Inference::counting], 0U);
    EXPECT_EQ(counts({{0, 2}, {0, 1, 2}, {1, 2}})[Inference::counting], 0U);
}

} // namespace
} // namespace matchpoint::test
