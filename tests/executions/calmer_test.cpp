// Failing executions with fewer context switches: what is moved, and what has to stay.
#include <gtest/gtest.h>

#include "executions/shared/calmer.hpp"
#include "executions/shared/sharing.hpp"
#include "tests/support/subjects.hpp"

namespace matchpoint::executions {
namespace {

/// The locations of a program's first trace, when it is calmer.
std::string calmed(std::string const& text, Runs runs = Runs::executions) {
    test::Subject const subject(text);
    Schedule schedule;
    for (std::size_t i = 0; i < subject.program.traces.front().entries.size(); ++i)
        schedule.append(subject.code.entry(0, i));
    Schedule const result = calmer(subject.messages, test::infinite, runs, schedule, {});
    std::string names;
    for (std::size_t i = 0; i < result.size(); ++i) names += (i == 0 ? "" : " ") + subject.name(result.entry(i).rho);
    return names;
}

TEST(Calmer, WhatComesEarlierComesLater) {
    EXPECT_EQ(calmed("(shared [x 0]) (([a (t := 1)] [b (assert (= x 0))]) ([c (x := 1)] [d (u := 1)]))"
                     "((a bot) (c bot) (d bot) (b bot))"),
              "c d a b");
}

TEST(Calmer, WhatIsNotNeededGoes) {
    EXPECT_EQ(calmed("(shared [x 1]) (([a (t := 1)] [b (assert (= x 0))]) ([c (u := 1)]))((a bot) (c bot) (b bot))"),
              "a b");
}

TEST(Calmer, TheRestBehindTheFailureGoes) {
    EXPECT_EQ(calmed("(shared [x 1]) (([a (assert (= x 0))] [b (t := 1)]))((a bot) (b bot))"), "a");
}

TEST(Calmer, OfACompleteRunNothingGoes) {
    EXPECT_EQ(calmed("(shared [x 1]) (([a (t := 1)] [b (assert (= x 0))]) ([c (u := 1)]))((a bot) (c bot) (b bot))",
                     Runs::complete),
              "c a b");
}

TEST(Calmer, WhatTheFailureNeedsStays) {
    std::string const lost = "(shared [x 0] [n 0])"
                             "(([a (t := x)] [b (x := (+ t 1))] [c (n := (+ n 1))])"
                             " ([d (u := x)] [e (x := (+ u 1))] [f (n := (+ n 1))])"
                             " ([g (when (= n 2))] [h (assert (= x 2))]))";
    EXPECT_EQ(calmed(lost + "((a bot) (d bot) (b bot) (e bot) (c bot) (f bot) (g bot) (h bot))"), "d a b c e f g h");
}

TEST(Calmer, MessagesMoveWithTheirWaits) {
    EXPECT_EQ(
        calmed("(shared [x 0]) (([a (rcvi R 0 y)] [b (wait R)] [c (assert (= x 1))]) ([d (sndi S 1 0 1)] [e (t := 1)]))"
               "((a bot) (d bot) (b ((0 1) bot)) (e bot) (c bot))"),
        "d e a b c");
}

} // namespace
} // namespace matchpoint::executions
