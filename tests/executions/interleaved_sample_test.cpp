// Random executions of programs with shared variables.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "executions/shared/interleaved_sample.hpp"
#include "tests/support/subjects.hpp"

namespace matchpoint::executions {
namespace {

using test::Subject;

TEST(InterleavedSample, IsAnExecution) {
    Subject const subject("(shared [x 0]) (([a (t := x)] [b (x := (+ t 1))] [s (sndi S 0 1 x)]) ([c (x := 5)] [r (rcvi "
                          "R 1 x)] [w (wait R)])"
                          " ([d (when (> x 0))] [e (assert (< x 6))]))");
    std::mt19937_64 random(1);
    std::set<std::string> seen;
    for (Buffering const buffering : {test::infinite, test::zero})
        for (std::uint32_t i = 0; i < 200; ++i) {
            InterleavedSample const sample(subject.messages, buffering, random, 1 + i % 4);
            ASSERT_EQ(sample.end(), End::complete);
            Outcome const outcome = subject.run(sample.schedule(), buffering);
            ASSERT_FALSE(outcome.error);
            EXPECT_EQ(outcome.s, sample.state().s);
            seen.insert(subject.text(sample.schedule()));
        }
    EXPECT_GT(seen.size(), 50U);
}

TEST(InterleavedSample, Ends) {
    auto const ends = [](std::string const& text) {
        Subject const subject(text);
        std::mt19937_64 random(1);
        std::set<End> result;
        for (int i = 0; i < 100; ++i)
            result.insert(InterleavedSample(subject.messages, test::infinite, random, 2).end());
        return result;
    };
    EXPECT_EQ(
        ends("(shared [k 1] [l 1]) (([a (when (> k 0) (k := 0))] [b (when (> l 0) (l := 0))] [e (k := 1)] [f (l := 1)])"
             " ([c (when (> l 0) (l := 0))] [d (when (> k 0) (k := 0))] [g (k := 1)] [h (l := 1)]))"),
        (std::set{End::complete, End::deadlock}));
    EXPECT_EQ(ends("(shared [x 1]) (([a (x := 0)]) ([b (y := (div 1 x))]))"), (std::set{End::complete, End::fault}));
    EXPECT_EQ(ends("(shared [x 1]) (([a (x := 0)]) ([b (assume (= x 1))]))"), (std::set{End::complete, End::off_path}));
}

TEST(InterleavedSample, LongTurnsAreSwitchesNowAndThen) {
    std::string threads;
    for (int t = 0; t < 2; ++t) {
        threads += "(";
        for (int i = 0; i < 50; ++i)
            threads += "[c" + std::to_string(50 * t + i) + " (x := " + std::to_string(i) + ")]";
        threads += ")";
    }
    Subject const subject("(shared [x 0]) (" + threads + ")");
    std::mt19937_64 random(1);
    auto const switches = [&](std::uint32_t turn) {
        std::size_t all = 0;
        for (int i = 0; i < 50; ++i)
            all += context_switches(subject.code,
                                    InterleavedSample(subject.messages, test::infinite, random, turn).schedule());
        return all / 50;
    };
    EXPECT_GT(switches(1), 30U); // of 99 steps, about half
    EXPECT_LT(switches(16), 10U);
    EXPECT_GT(switches(16), 0U);
}

} // namespace
} // namespace matchpoint::executions
