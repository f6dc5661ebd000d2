// The machine against the naive oracle, on random programs and traces, broken ones included.
//
// MATCHPOINT_CASES and MATCHPOINT_SEED (environment) make other runs: 100,000 cases of seed 1 otherwise.

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <iostream>

#include <fmt/format.h>

#include "tests/support/all_rooms.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/generate.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/shared_verdicts.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::naive {

namespace {

std::uint64_t environment(char const* name, std::uint64_t otherwise) {
    char const* const value = std::getenv(name);
    return value == nullptr ? otherwise : std::strtoull(value, nullptr, 10);
}

struct Histogram {
    std::array<std::array<std::size_t, 4>, 2> status{}; // buffering, status
    std::array<std::array<std::size_t, reason_count>, 2> reason{};
    std::array<std::size_t, 2> well_formed{};

    void count(Result const& r, bool zero) {
        ++status[zero][static_cast<std::size_t>(r.status)];
        if (r.trouble) ++reason[zero][static_cast<std::size_t>(r.trouble->reason)];
        well_formed[zero] += r.well_formed;
    }

    std::size_t of_status(std::size_t i) const { return status[0][i] + status[1][i]; }
    std::size_t of_reason(std::size_t i) const { return reason[0][i] + reason[1][i]; }

    void print(std::ostream& out) const {
        auto const row = [&](std::string_view name, std::size_t infinite, std::size_t zero) {
            out << fmt::format("  {:<22} {:>9} {:>9}\n", name, infinite, zero);
        };
        out << fmt::format("  {:<22} {:>9} {:>9}\n", "", "infinite", "zero");
        for (std::size_t i = 0; i < 4; ++i) row(to_text(static_cast<Status>(i)), status[0][i], status[1][i]);
        row("well-formed", well_formed[0], well_formed[1]);
        for (std::size_t i = 0; i < reason_count; ++i) row(to_text(static_cast<Reason>(i)), reason[0][i], reason[1][i]);
    }
};

void compare(Case (*generate)(std::uint64_t seed, std::uint64_t i), std::uint64_t seed, std::uint64_t cases,
             Histogram& histogram) {
    for (std::uint64_t i = 0; i < cases; ++i) {
        Case const c = generate(seed, i);
        Result const theirs = sorted(run(c.program, c.trace, c.zero));
        Loaded const loaded = load(c);
        Result const ours = sorted(run_on_machine(*loaded.code, buffering(c)));
        histogram.count(theirs, c.zero);
        ASSERT_TRUE(ours == theirs) << "case " << i << " of seed " << seed << "\n"
                                    << loaded.text << "machine:\n"
                                    << to_text(ours) << "\noracle:\n"
                                    << to_text(theirs);
    }
}

} // namespace

TEST(Agreement, MachineAgreesWithNaiveOracle) {
    std::uint64_t const cases = environment("MATCHPOINT_CASES", std::max<std::uint64_t>(naive::cases(100'000), 2'500));
    Histogram histogram;
    compare(any_case, given_seed(), cases, histogram);
    std::cout << cases << " random programs with a trace, many of them broken:\n";
    histogram.print(std::cout);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_GE(histogram.of_status(i), cases / 200) << "status " << i;
    for (std::size_t i = 0; i < reason_count; ++i)
        if (static_cast<Reason>(i) < Reason::not_at_barrier) {
            EXPECT_GE(histogram.of_reason(i), cases / 200) << "reason " << i;
        }
}

TEST(Agreement, MachineAgreesWithNaiveOracleOnMpi) {
    std::uint64_t const cases = environment("MATCHPOINT_CASES", std::max<std::uint64_t>(naive::cases(50'000), 2'500));
    Histogram histogram;
    compare(any_mpi_case, given_seed(), cases, histogram);
    std::cout << cases << " random programs with selectors, modes and barriers, and a trace, many of them broken:\n";
    histogram.print(std::cout);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_GE(histogram.of_status(i), cases / 200) << "status " << i;
    for (std::size_t i = 0; i < reason_count; ++i)
        if (static_cast<Reason>(i) < Reason::guard_false) {
            EXPECT_GE(histogram.of_reason(i), cases / 200) << "reason " << i;
        }
}

TEST(Agreement, MachineAgreesWithNaiveOracleOnSharedMemory) {
    std::uint64_t const cases = environment("MATCHPOINT_CASES", std::max<std::uint64_t>(naive::cases(20'000), 2'500));
    Histogram histogram;
    compare(shared_case, given_seed(), cases, histogram);
    std::cout << cases << " random programs with shared variables, and a trace:\n";
    histogram.print(std::cout);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_GE(histogram.of_status(i), cases / 200) << "status " << i;
    EXPECT_GE(histogram.of_reason(static_cast<std::size_t>(Reason::guard_false)), cases / 200);
}

TEST(Agreement, MachineAgreesWithNaiveOracleOnProbes) {
    std::uint64_t const cases = environment("MATCHPOINT_CASES", std::max<std::uint64_t>(naive::cases(10'000), 2'500));
    Histogram histogram;
    compare(probe_case, given_seed(), cases, histogram);
    std::cout << cases << " random programs with probes, and a trace, some of them broken:\n";
    histogram.print(std::cout);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_GE(histogram.of_status(i), cases / 200) << "status " << i;
    EXPECT_GE(histogram.of_reason(static_cast<std::size_t>(Reason::wrong_peek)), cases / 200);
}

TEST(Agreement, MachineAgreesWithNaiveOracleUnderTheDiscipline) {
    std::uint64_t const cases = environment("MATCHPOINT_CASES", std::max<std::uint64_t>(naive::cases(50'000), 2'500));
    Histogram histogram;
    compare(disciplined_case, given_seed(), cases, histogram);
    std::cout << cases << " random programs that obey D1 to D6, with a trace:\n";
    histogram.print(std::cout);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_GE(histogram.of_status(i), cases / 20) << "status " << i;
}

TEST(Agreement, MachineAgreesWithNaiveOracleOnMpiUnderTheDiscipline) {
    std::uint64_t const cases = environment("MATCHPOINT_CASES", std::max<std::uint64_t>(naive::cases(50'000), 2'500));
    Histogram histogram;
    compare(disciplined_mpi_case, given_seed(), cases, histogram);
    std::cout << cases << " random programs with selectors, modes and barriers that obey D1 to D6, with a trace:\n";
    histogram.print(std::cout);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_GE(histogram.of_status(i), cases / 20) << "status " << i;
}

} // namespace matchpoint::naive
