// Lemma 3, with the readings of docs/smt.md: for a well-formed state, status(m) = failure iff ANS(getSMT(m)) = SAT.

#include <gtest/gtest.h>

#include <iostream>

#include "tests/support/all_rooms.hpp"
#include "tests/support/lemma3.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/shared_verdicts.hpp"
#include "tests/support/shown_case.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::naive {

namespace {

/// Mostly programs that obey D1 to D6: more of their runs are well-formed. The lemma needs no discipline.
rc::Gen<ShownCase> lemma3_cases() {
    return rc::gen::weightedOneOf<ShownCase>({{9, shown_cases(well_formed_case)}, {1, shown_cases(any_case)}});
}

void lemma3(char const* solver_name, std::size_t cases) {
    Solver solver(solver_command(solver_name).value(), {.time = std::chrono::seconds(60)});
    Lemma3Histogram histogram;
    check_property(cases, [&, generator = lemma3_cases()] {
        ShownCase const shown = *generator;
        Lemma3Result const r = check_lemma3(shown.c, solver);
        histogram.count(shown.c, r);
        if (r.verdict != Lemma3Verdict::not_well_formed) RC_LOG() << r.explanation;
        RC_ASSERT(r.verdict != Lemma3Verdict::broken);
        RC_ASSERT(r.verdict != Lemma3Verdict::no_answer);
    });
    std::cout << "Lemma 3 with " << solver_name << ":\n";
    histogram.print(std::cout);
    EXPECT_GE(histogram.cases(), of_property(cases) * 7 / 10);
    for (std::size_t s = 0; s < 3; ++s)
        EXPECT_GE(5 * (histogram.status[0][s] + histogram.status[1][s]), histogram.cases())
            << to_text(static_cast<Status>(s));
    for (auto const& [name, count] : histogram.rows()) EXPECT_GT(count, 0U) << name;
}

} // namespace

TEST(Lemma3_SatIffFailure, Z3) { lemma3("z3", 5800); }
TEST(Lemma3_SatIffFailure, Cvc5) { lemma3("cvc5", 2200); }

namespace {

void holds_of(Case (*case_of)(std::uint64_t, std::uint64_t), std::size_t count) {
    Solver solver(solver_command("z3").value(), {.time = std::chrono::seconds(60)});
    Lemma3Histogram histogram;
    for (std::size_t i = 0; i < cases(count); ++i) {
        Case const c = case_of(seeded(1), i);
        Lemma3Result const r = check_lemma3(c, solver);
        histogram.count(c, r);
        ASSERT_TRUE(r.verdict == Lemma3Verdict::holds || r.verdict == Lemma3Verdict::not_well_formed)
            << "case " << i << "\n"
            << to_text(c) << r.explanation;
    }
    histogram.print(std::cout);
    for (std::size_t s = 0; s < 3; ++s) EXPECT_GT(histogram.status[0][s] + histogram.status[1][s], 0U);
}

} // namespace

TEST(Lemma3_SatIffFailure, Choices) { holds_of(choice_case, 1'000); }

// With shared variables the problem is that of one run: versions along its trace, and guards as assumptions.
TEST(Lemma3_SatIffFailure, SharedMemory) { holds_of(shared_case, 2'000); }

} // namespace matchpoint::naive
