// Lemma 3, with the readings of encoding.md: for a well-formed state, status(m) = failure iff ANS(getSMT(m)) = SAT.

#include <gtest/gtest.h>

#include <iostream>
#include <random>

#include "tests/support/cases.hpp"
#include "tests/support/lemma3.hpp"
#include "tests/support/naive_oracle.hpp"

namespace matchpoint::naive {

namespace {

void lemma3(char const* solver_name, std::uint64_t seed, std::size_t cases) {
    Solver solver(solver_command(solver_name).value(), {.time = std::chrono::seconds(60)});
    std::mt19937_64 random(seed);
    Lemma3Histogram histogram;
    while (histogram.cases() < cases) {
        Case const c = elaborate_disciplined(random_skeleton(random));
        Lemma3Result const r = check_lemma3(c, solver);
        histogram.count(c, r);
        ASSERT_NE(r.verdict, Lemma3Verdict::broken) << r.explanation;
        ASSERT_NE(r.verdict, Lemma3Verdict::no_answer) << r.explanation;
    }
    std::cout << "Lemma 3 with " << solver_name << ", seed " << seed << ":\n";
    histogram.print(std::cout);
    for (std::size_t s = 0; s < 3; ++s)
        EXPECT_GE(histogram.status[0][s] + histogram.status[1][s], cases / 5) << to_text(static_cast<Status>(s));
}

} // namespace

TEST(Lemma3, SatIffFailureWithZ3) { lemma3("z3", 1, 4000); }
TEST(Lemma3, SatIffFailureWithCvc5) { lemma3("cvc5", 2, 1500); }

} // namespace matchpoint::naive
