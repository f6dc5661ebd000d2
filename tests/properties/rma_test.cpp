// Programs with remote memory access against the naive oracle: all small ones, and random ones.

#include <algorithm>

#include <gtest/gtest.h>

#include "rma/language/parse.hpp"
#include "rma/language/print.hpp"
#include "rma/programs/edit.hpp"
#include "rma/programs/small.hpp"
#include "rma/search/check.hpp"
#include "rma/search/flushes.hpp"
#include "tests/support/rma_promises.hpp"
#include "tests/support/rma_verdicts.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::naive {
namespace {

/// A tenth of the 19,308 programs; with MATCHPOINT_EVERY=1, all.
TEST(Rma, SmallPrograms) {
    rma::SmallPrograms const programs(4);
    Tally tally;
    for (std::uint64_t i = 0; i < programs.size(); i += every(10)) {
        Wrong const wrong = rma_is_right(programs[i], tally);
        ASSERT_FALSE(wrong) << "program " << i << ": " << *wrong;
    }
    print(std::cout, tally);
    EXPECT_EQ(tally["too large for the oracle"], 0U);
}

/// The location of an `atomic` and that of its first statement are one place.
TEST(Rma, InvariantsWhereAnAtomicBegins) {
    Tally tally;
    for (std::string const inside :
         {"(load v Y) skip", "[b (load v Y)] (u := 2)", "(get Y X 1) [b (u := 2)]", "[b (flush 1)]",
          "(if (= u 0) ((u := 1))) [b skip]", "(assume (= u 1)) [b skip]", "[b (accumulate X 1 + Y)]"})
        for (std::string const property : {"(or (at 2 a) (> u 0))", "(=> (at 2 b) (at 2 a))", "(=> (at 2 a) (= v 0))",
                                           "(not (and (at 2 a) (> u 0)))"}) {
            if (inside.find("[b ") == std::string::npos && property.find("(at 2 b)") != std::string::npos) continue;
            std::string const text = "(rma (process 1 (shared (X 1)) (store X 2) (store X 3))"
                                     "(process 2 (shared (Y 4)) (local (u 0) (v 0)) (get Y X 1) [a (atomic " +
                                     inside + ")] (u := 0)) (invariant " + property + "))";
            Source const source("an atomic", text);
            auto const program = rma::parse_rma(source);
            ASSERT_TRUE(program) << render(program.error(), source);
            Wrong const wrong = rma_is_right(*program, tally);
            EXPECT_FALSE(wrong) << *wrong;
        }
    EXPECT_GT(tally["RMA: violated"], 5U);
    EXPECT_GT(tally["RMA: safe"], 5U);
}

TEST(Rma, RandomPrograms) {
    Tally tally;
    for (std::size_t i = 0; i < cases(2'000); ++i) {
        Wrong const wrong = rma_is_right(seeded(1), i, tally);
        ASSERT_FALSE(wrong) << "case " << i << " of seed " << seeded(1) << '\n' << *wrong;
    }
    print(std::cout, tally);
    EXPECT_LT(tally["too large for the oracle"], cases(100));
    if (every() > 1) return; // in a few programs, no rare kind is sure
    for (char const* const what :
         {"RMA: violated", "RMA: safe", "RMA: discarded", "RMA: fault", "RMA: no final state",
          "more final valuations under RMA", "flushes taken away", "a race", "several races", "no race"})
        EXPECT_GT(tally[what], 20U) << what;
}

TEST(Rma, RandomProgramsWithAtomics) {
    Tally tally;
    for (std::size_t i = 0; i < cases(2'000); ++i) {
        Wrong const wrong = rma_is_right(seeded(3), i, tally, {.atomics = 60, .choices = i % 4 == 3 ? 20U : 0U});
        ASSERT_FALSE(wrong) << "case " << i << " of seed " << seeded(3) << '\n' << *wrong;
    }
    print(std::cout, tally);
    EXPECT_LT(tally["too large for the oracle"], cases(100));
    if (every() > 1) return;
    for (char const* const what :
         {"with remote atomics", "RMA: violated", "RMA: safe", "RMA: discarded", "more final valuations under RMA",
          "flushes taken away", "a race", "several races", "no race"})
        EXPECT_GT(tally[what], 20U) << what;
}

TEST(Rma, FewestFlushesOfRandomProgramsWithAtomics) {
    Tally tally;
    for (std::size_t i = 0; i < cases(1'000); ++i) {
        Wrong const wrong =
            rma_flushes_are_right(seeded(3), i, tally, {.atomics = 60, .choices = i % 4 == 3 ? 20U : 0U});
        ASSERT_FALSE(wrong) << "case " << i << " of seed " << seeded(3) << '\n' << *wrong;
    }
    print(std::cout, tally);
    if (every() > 1) return;
    for (char const* const what : {"least: 0", "least: 1", "no placement"}) EXPECT_GT(tally[what], 5U) << what;
}

TEST(Rma, FewestFlushesOfRandomPrograms) {
    Tally tally;
    for (std::size_t i = 0; i < cases(1'000); ++i) {
        Wrong const wrong = rma_flushes_are_right(seeded(1), i, tally);
        ASSERT_FALSE(wrong) << "case " << i << " of seed " << seeded(1) << '\n' << *wrong;
    }
    print(std::cout, tally);
    if (every() > 1) return;
    for (char const* const what : {"least: 0", "least: 1", "no placement"}) EXPECT_GT(tally[what], 10U) << what;
}

std::vector<std::vector<base::Value>> finals(rma::Program const& program, rma::Engine engine,
                                             rma::Literal const& literal) {
    rma::CheckOptions options;
    options.engine = engine;
    options.finals = true;
    options.pending = 6;
    options.literal = literal;
    return rma::check_program(program, options).finals;
}

bool within(std::vector<std::vector<base::Value>> const& some, std::vector<std::vector<base::Value>> const& all) {
    return std::all_of(some.begin(), some.end(),
                       [&](auto const& M) { return std::find(all.begin(), all.end(), M) != all.end(); });
}

/// The smallest program that has a final valuation which its reduced program, to the letter, has not: how many
/// statements.
std::optional<std::size_t> smallest_refutation(std::string const& name) {
    rma::Literal literal;
    EXPECT_TRUE(rma::set_literal(literal, name));
    rma::SmallPrograms const programs(3);
    for (std::uint64_t i = 0; i < programs.size(); ++i) {
        rma::Program const program = programs[i];
        if (within(finals(program, rma::Engine::both, {}), finals(program, rma::Engine::reduced, literal))) continue;
        std::cout << name << " is refuted by program " << i << ":\n" << rma::print(program);
        return program.statements.size();
    }
    return std::nullopt;
}

TEST(Rma, LiteralReductionsAreUnsound) {
    EXPECT_EQ(smallest_refutation("R2"), 3U);
    EXPECT_EQ(smallest_refutation("R3"), 2U);
    EXPECT_EQ(smallest_refutation("R4"), 3U);
    EXPECT_EQ(smallest_refutation("R5"), 1U);
    EXPECT_EQ(smallest_refutation("R11"), 3U);
}

/// R7: with a flag instead of a count, one operation is executed twice.
TEST(Rma, AFlagInsteadOfACountAddsFinalValuations) {
    rma::SmallPrograms const programs(4);
    for (std::uint64_t i = 0; i < programs.size(); ++i) {
        rma::Program const program = programs[i];
        auto const truth = finals(program, rma::Engine::both, {});
        if (within(finals(program, rma::Engine::reduced, {.R7 = true}), truth)) continue;
        if (!within(finals(program, rma::Engine::reduced, {}), truth)) continue; // not because of R7
        std::cout << "R7 is refuted by program " << i << ":\n" << rma::print(program);
        return;
    }
    FAIL() << "no small program shows it";
}

/// R8: with a step for each printed statement, an operation is executed after the flush that waited for it, or twice.
TEST(Rma, ReducedProgramsWithFinerStepsHaveMoreFinalValuations) {
    rma::SmallPrograms const programs(4);
    for (std::uint64_t i = 0; i < programs.size(); ++i) {
        rma::Program const program = programs[i];
        auto const truth = finals(program, rma::Engine::both, {});
        auto const finer = finals(program, rma::Engine::reduced, {.R8 = true});
        ASSERT_TRUE(within(truth, finer)) << i;
        if (within(finer, truth)) continue;
        if (!within(finals(program, rma::Engine::reduced, {}), truth)) continue; // not because of R8
        std::cout << "R8 is refuted by program " << i << ":\n" << rma::print(program);
        EXPECT_EQ(program.statements.size(), 4U);
        return;
    }
    FAIL() << "no small program shows it";
}

/// The programs of traces/rma that say how many flushes they need, without the ones that take long.
TEST(Rma, FewestFlushesOfTraces) {
    std::size_t asked = 0;
    for (auto const& [name, text] : naive_rma::programs_below(test::source_dir() / "traces/rma")) {
        auto const promised = naive_rma::promises_of(text).flushes;
        if (!promised || name.find("szymanski") == 0) continue;
        Source const source(name, text);
        auto const program = rma::parse_rma(source);
        ASSERT_TRUE(program) << render(program.error(), source);
        rma::FlushResult const found = rma::least_flushes(*program, {});
        bool const none = found.answer == rma::FlushResult::Answer::none;
        EXPECT_TRUE(none || found.answer == rma::FlushResult::Answer::found) << name;
        std::string const all = std::to_string(rma::flushes_of(*program).size());
        EXPECT_EQ(none ? "none" : std::to_string(found.least) + " of " + all, *promised) << name;
        ++asked;
    }
    EXPECT_GE(asked, 17U);
}

} // namespace
} // namespace matchpoint::naive
