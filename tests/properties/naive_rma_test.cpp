// The naive oracle of remote memory access, held against what is known: Figure 2, the errata, and what the programs of
// traces/rma/ promise, which was thought out by hand.

#include "tests/support/naive_rma.hpp"
#include "tests/support/rma_promises.hpp"
#include "tests/support/source_dir.hpp"

#include <gtest/gtest.h>

namespace matchpoint::naive_rma {
namespace {

using Values = std::set<std::string>;

Found found(std::string const& text, Model model) { return explore(read(text), model).value(); }

std::string figure2(std::string const& behind_put, std::string const& behind_get) {
    return "(rma (process 1 (shared (Y 1)) bot)"
           "  (process 2 (shared (R 0) (X 2)) (local (r 0))"
           "    (put Y 1 X) " +
           behind_put + " (store X 3) (get R Y 1) " + behind_get + " (load r R) bot)" + "  (assert final (!= r 3)))";
}

TEST(NaiveRma, Figure2) {
    std::string const text = figure2("", "");
    EXPECT_EQ(final_values(found(text, Model::sc), "r"), (Values{"2"}));
    EXPECT_EQ(final_values(found(text, Model::rma), "r"), (Values{"0", "1", "2", "3"}));
    EXPECT_FALSE(found(text, Model::sc).violated);
    EXPECT_TRUE(found(text, Model::rma).violated);
}

TEST(NaiveRma, Figure2WithFlushes) {
    EXPECT_EQ(final_values(found(figure2("(flush 1)", ""), Model::rma), "r"), (Values{"0", "2"}));
    EXPECT_EQ(final_values(found(figure2("(flush 1)", "(flush 1)"), Model::rma), "r"), (Values{"2"}));
    // The flush after the get waits for the put, too, but X has changed by then.
    EXPECT_EQ(final_values(found(figure2("", "(flush 1)"), Model::rma), "r"), (Values{"1", "2", "3"}));
}

TEST(NaiveRma, WhatIsReadAndHowItIsEvaluated) {
    auto const of = [](std::string const& e) {
        Found const f = found("(rma (process 1 (local (u 7) (b true) (v 0) (w false)) (" + e + ")))", Model::rma);
        return f.faulted ? std::string("fault") : *f.finals.begin();
    };
    EXPECT_EQ(of("v := (- (* u 3) (div u 2))"), "b = true, u = 7, v = 18, w = false");
    EXPECT_EQ(of("v := (div -7 2)"), "b = true, u = 7, v = -4, w = false");
    EXPECT_EQ(of("v := (mod -7 -2)"), "b = true, u = 7, v = 1, w = false");
    EXPECT_EQ(of("v := (div -7 -2)"), "b = true, u = 7, v = 4, w = false");
    EXPECT_EQ(of("w := (and b (< u 8) (or w (>= u 7)) (=> w b) (xor w b))"), "b = true, u = 7, v = 0, w = true");
    EXPECT_EQ(of("w := (and w (= 1 (mod u v)))"), "fault");
}

TEST(NaiveRma, LocationsLoopsAndAtomics) {
    // Process 2 sees x = 1 only between two steps of process 1, which `atomic` forbids. The cards work in between.
    auto const seen = [](std::string const& open, std::string const& close) {
        return final_values(found("(rma (process 1 (shared (x 0)) (local (i 0)) " + open +
                                      "[again (i := (+ i 1))] (store x i) (if (< i 2) ((goto again)))" + close + ")" +
                                      "(process 2 (shared (X 0)) (get X x 1)) (process 3 (shared (Y 0))"
                                      "  (local (y 0)) (load y Y)))",
                                  Model::sc),
                            "X");
    };
    EXPECT_EQ(seen("", ""), (Values{"0", "1", "2"}));
    EXPECT_EQ(seen("(atomic ", ")"), (Values{"0", "2"}));
    std::string const at =
        "(rma (process 1 [a skip] [b skip]) (process 2 [c skip]) (invariant (not (and (at 1 b) (at 2 c)))))";
    EXPECT_TRUE(found(at, Model::rma).violated);
    // An `atomic` is no step: a process before it is before its first statement.
    std::string const entering = "(rma (process 1 (local (u 0)) [a (atomic [b (u := 1)] skip)] (u := 2)) (invariant ";
    EXPECT_FALSE(found(entering + "(or (at 1 a) (> u 0))))", Model::rma).violated);
    EXPECT_FALSE(found(entering + "(= (at 1 a) (at 1 b))))", Model::rma).violated);
    EXPECT_TRUE(found(entering + "(or (at 1 a) (> u 1))))", Model::rma).violated);
    EXPECT_EQ(found("(rma (process 1 (atomic skip) (atomic)))", Model::rma).states, 3U);
    std::string const endless = "(rma (process 1 (shared (x 0)) (while true (put y 2 x))) (process 2 (shared (y 0))))";
    EXPECT_TRUE(explore(read(endless), Model::rma)->cut);
    EXPECT_TRUE(explore(read(endless), Model::rma)->no_final_state());
    EXPECT_FALSE(explore(read(endless), Model::sc)->cut);
}

TEST(NaiveRma, LeastFlushes) {
    using Placements = std::vector<std::set<std::size_t>>;
    std::string const text = figure2("(flush 1)", "(flush 1)");
    EXPECT_EQ(flushes(read(text)), 2U);
    EXPECT_EQ(least_flushes(read(text)), (Placements{{0}})); // Section 2.3
    std::string exact = text;
    exact.replace(exact.find("(!= r 3)"), 8, "(= r 2)");
    EXPECT_EQ(least_flushes(read(exact)), (Placements{{0, 1}}));
    exact.replace(exact.find("(= r 2)"), 7, "(= r 9)");
    EXPECT_EQ(least_flushes(read(exact)), Placements{});
    exact.replace(exact.find("(= r 9)"), 7, "(< r 9)");
    EXPECT_EQ(least_flushes(read(exact)), (Placements{{}}));
}

/// "safe, discarded, fault, no final state"
std::string outcome(Found const& f) {
    std::string text = f.violated ? "violated" : "safe";
    if (f.discarded) text += ", discarded";
    if (f.faulted) text += ", fault";
    if (f.no_final_state()) text += ", no final state";
    return text;
}

TEST(NaiveRma, ProgramsOfTraces) {
    auto const programs = programs_below(test::source_dir() / "traces/rma");
    std::size_t decided = 0;
    for (auto const& [name, text] : programs) {
        SCOPED_TRACE(name);
        Promises const promised = promises_of(text);
        for (auto const& [word, model] : {std::pair("rma", Model::rma), {"sc", Model::sc}}) {
            ASSERT_TRUE(promised.check.count(word)) << "no line `check " << word << "`";
            auto const f = explore(read(text), model, {4, 60'000});
            if (!f || f->cut) continue; // too large for it
            ++decided;
            EXPECT_EQ(outcome(*f), promised.check.at(word)) << word;
            for (auto const& [what, values] : promised.finals) {
                if (what.first == word) {
                    EXPECT_EQ(final_values(*f, what.second), values) << word << ": " << what.second;
                }
            }
        }
    }
    EXPECT_GT(decided, 70U);
}

} // namespace
} // namespace matchpoint::naive_rma
