#include "rma/programs/random.hpp"
#include "rma/programs/small.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "rma/language/print.hpp"
#include "tests/rma/program_of.hpp"

namespace matchpoint::rma {
namespace {

std::uint64_t power(std::uint64_t base, unsigned n) { return n == 0 ? 1 : base * power(base, n - 1); }

/// Burnside's lemma: there are as many programs of n statements as an exchange leaves as they are, on average. There
/// are 13 statements; of them, exchanging the two variables of one process leaves one of its own and five of the other
/// process's.
std::uint64_t so_many(unsigned n) {
    std::uint64_t one_process = 0;
    for (unsigned i = 0; i <= n; ++i) one_process += power(5, i);
    std::uint64_t const both_processes = n + 1; // flushes only
    std::uint64_t const processes = n % 2 == 0 ? power(13, n / 2) : 0;
    std::uint64_t const processes_and_one = n % 2 == 0 ? 1 : 0;
    return ((n + 1) * power(13, n) + 2 * one_process + both_processes + 2 * processes + 2 * processes_and_one) / 8;
}

TEST(SmallPrograms, AreCounted) {
    std::uint64_t count = 0;
    for (unsigned n = 0; n <= 4; ++n) EXPECT_EQ(SmallPrograms(n).size(), count += so_many(n));
    EXPECT_EQ(count, 19'308U);
    EXPECT_THROW(SmallPrograms(6), std::invalid_argument);
}

TEST(SmallPrograms, AreDifferentAndPrinted) {
    SmallPrograms const programs(3);
    std::set<std::string> texts;
    for (std::uint64_t i = 0; i < programs.size(); ++i) {
        EXPECT_TRUE(texts.insert(programs.text(i)).second) << programs.text(i);
        EXPECT_EQ(print(programs[i]), programs.text(i));
    }
}

TEST(RandomPrograms, ComeFromSeedAndNumber) {
    EXPECT_EQ(random_text(1, 7), random_text(1, 7));
    EXPECT_NE(random_text(1, 7), random_text(1, 8));
    EXPECT_NE(random_text(1, 7), random_text(2, 7));
}

TEST(RandomPrograms, TextsAreTheirs) {
    for (std::uint64_t i = 0; i < 2'000; ++i) {
        Program const program =
            random_program(1, i, {.atomics = i % 2 == 0 ? 0U : 50U, .choices = i % 4 < 2 ? 0U : 20U});
        Program const again = program_of(print(program));
        ASSERT_EQ(again, program) << print(program);
    }
}

TEST(RandomPrograms, HaveStatementsOfAllKinds) {
    std::map<std::size_t, unsigned> kinds;
    unsigned three = 0;
    unsigned invariants = 0;
    for (std::uint64_t i = 0; i < 1'000; ++i) {
        Program const program = random_program(1, i, {.atomics = 30});
        for (Statement const& s : program.statements) ++kinds[s.c.index()];
        three += program.processes.size() == 3 ? 1 : 0;
        for (Property const& p : program.properties) invariants += p.is_final ? 0 : 1;
    }
    for (std::size_t k = 0; k < std::variant_size_v<StatementKind>; ++k) EXPECT_GT(kinds[k], 15U) << k;
    EXPECT_GT(three, 150U);
    EXPECT_GT(invariants, 150U);
}

} // namespace
} // namespace matchpoint::rma
