// The searches that take chains as one step (executions/shared/movers.hpp), against the naive exploration.
#include <gtest/gtest.h>

#include <iostream>

#include <fmt/format.h>

#include "counting/assertion_needs.hpp"
#include "counting/movers.hpp"
#include "executions/shared/few_switches.hpp"
#include "executions/shared/staged_interleavings.hpp"
#include "tests/support/naive_shared.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/shared_programs.hpp"
#include "tests/support/shared_verdicts.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::naive {
namespace {

using executions::AssertionNeeds;
using executions::End;
using executions::FewSwitches;
using executions::Interleavings;
using executions::Movers;
using executions::StagedInterleavings;

Interleavings const& search_of(Interleavings const& all) { return all; }
Interleavings const& search_of(StagedInterleavings const& all) { return all.search(); }

/// What a search has found. It looks through all executions, in so many steps at a time.
template <typename Search>
SharedTruth found(Search& all, std::uint64_t steps = UINT64_MAX) {
    SharedTruth result;
    while (!all.done()) {
        auto const end = all.next(steps);
        if (!end) continue;
        bool const is_complete = *end == End::complete;
        machine::Status const s = search_of(all).state().s;
        bool const fails = s == machine::Status::failure;
        result.fails = result.fails || fails;
        result.fails_complete = result.fails_complete || (is_complete && fails);
        result.completes = result.completes || (is_complete && s == machine::Status::success);
        result.deadlock = result.deadlock || *end == End::deadlock;
        result.fault = result.fault || *end == End::fault;
        result.leaves = result.leaves || *end == End::off_path;
    }
    result.race = all.race() != nullptr;
    return result;
}

/// The search for few context switches finds the least number, whatever it knows, also if it stops every few steps; and
/// the execution that it shows fails with that number.
void expect_least(Program const& program, Subject const& subject, Buffering buffering, SharedTruth const& truth,
                  Movers const* movers, AssertionNeeds const* needs, Tally& tally) {
    for (Runs const runs : {Runs::executions, Runs::complete}) {
        auto const least = runs == Runs::complete ? truth.switches_complete : truth.switches;
        FewSwitches::Options options{.buffering = buffering, .runs = runs};
        options.movers = movers;
        options.needs = needs;
        FewSwitches few(subject.messages, options);
        auto answer = FewSwitches::Answer::stopped;
        for (std::uint32_t most = 0; answer != FewSwitches::Answer::found && !few.has_seen_all(); ++most) do {
                answer = few.search_on(most, [] { return true; });
            } while (answer == FewSwitches::Answer::stopped);
        tally["steps to the fewest switches"] += few.steps();
        std::string const text = fmt::format("{}{}, {}movers, {}needs", to_text(program, {}), to_string(runs),
                                             movers == nullptr ? "no " : "", needs == nullptr ? "no " : "");
        ASSERT_EQ(answer == FewSwitches::Answer::found, least.has_value()) << text;
        if (!least) continue;
        EXPECT_EQ(few.switches(), *least) << text;
        EXPECT_EQ(executions::context_switches(*subject.loaded.code, few.schedule()), *least) << text;
        Machine machine(*subject.loaded.code, buffering);
        auto const outcome = machine::run(machine, few.schedule(), Extent::prefix);
        EXPECT_TRUE(outcome.s == machine::Status::failure && !outcome.error) << text;
        if (*least > 0) ++tally["failures that need switches"];
    }
}

/// The same of the search that begins anew once it has met a data race, in so many steps at a time.
void expect_right_in_stages(Program const& program, Subject const& subject, Buffering buffering,
                            SharedTruth const& truth, Movers const& movers, Movers const& without_races, Tally& tally) {
    for (std::uint64_t const steps : {std::uint64_t{1}, UINT64_MAX}) {
        StagedInterleavings all(subject.messages, buffering);
        all.use(&movers, [&] { return movers == without_races ? nullptr : &without_races; });
        SharedTruth const answer = found(all, steps);
        EXPECT_EQ(answer, truth) << to_text(program, {}) << "in stages, " << steps << " steps: " << to_text(answer)
                                 << " instead of " << to_text(truth);
        EXPECT_TRUE(!all.has_begun_anew() || truth.race);
        if (all.has_begun_anew()) ++tally["begun anew"];
        if (all.has_begun_anew() && truth.deadlock) ++tally["begun anew, and a deadlock"];
    }
}

/// With movers for each purpose, every answer that was asked for is the truth.
void expect_right(Program const& program, bool zero, Tally& tally) {
    auto truth = explore_shared(program, zero);
    ++tally[truth ? "programs" : "too large"];
    if (!truth) return;
    Subject const subject(program);
    counting::Proofs const proofs(subject.messages);
    Buffering const buffering = zero ? Buffering::zero : Buffering::infinite;
    auto const needs = counting::assertion_needs(subject.messages, proofs);
    auto const without_races = counting::movers(subject.messages, proofs, {.races = false});
    expect_least(program, subject, buffering, *truth, nullptr, nullptr, tally);
    expect_least(program, subject, buffering, *truth, without_races ? &*without_races : nullptr,
                 needs ? &*needs : nullptr, tally);
    truth->switches = truth->switches_complete = std::nullopt;
    Interleavings plain(subject.messages, buffering);
    // An execution may also pass a false assumption that another thread makes true. Ends tell only where one stays.
    SharedTruth const without = found(plain);
    truth->leaves = without.leaves;
    EXPECT_EQ(without, *truth) << to_text(program, {}) << "without movers";
    for (bool const races : {false, true})
        for (bool const assertions : {false, true}) {
            if (!assertions && !proofs.no_assertion_fails()) continue;
            auto const movers = counting::movers(subject.messages, proofs, {.races = races, .assertions = assertions});
            if (!movers) continue;
            Interleavings all(subject.messages, buffering);
            all.use(&*movers);
            SharedTruth answer = found(all);
            SharedTruth expected = *truth;
            if (!races) answer.race = expected.race = false;
            EXPECT_EQ(answer, expected) << to_text(program, {}) << (zero ? "zero" : "infinite")
                                        << (races ? ", races" : "") << (assertions ? ", assertions: " : ": ")
                                        << to_text(answer) << " instead of " << to_text(expected);
            tally["states"] += plain.counts().states;
            tally["states with chains"] += all.counts().states;
            if (races && assertions && without_races)
                expect_right_in_stages(program, subject, buffering, *truth, *movers, *without_races, tally);
            bool const is_used = std::any_of(movers->chain_end.begin(), movers->chain_end.end(), [&](auto const& end) {
                return end != static_cast<std::uint32_t>(&end - movers->chain_end.data());
            });
            if (is_used) ++tally["with chains"];
            if (all.counts().states < plain.counts().states) ++tally["fewer states"];
        }
    if (truth->deadlock) ++tally["deadlock"];
    if (truth->leaves) ++tally["leaves the path"];
    if (truth->fault) ++tally["fault"];
    if (truth->race) ++tally["data race"];
}

/// A part of the programs of up to six commands; with MATCHPOINT_EVERY=1, all of them.
TEST(Movers, SmallProgramsWithLocks) {
    Tally tally;
    auto const ask = [&](std::size_t threads, std::size_t commands, std::size_t thinned) {
        for_each_small_program_with_locks(threads, commands, every(thinned), [&](Program const& program) {
            if (!HasFailure()) expect_right(program, false, tally);
        });
    };
    for (auto const& [commands, thinned] : {std::pair(2U, 1U), {3U, 1U}, {4U, 10U}, {5U, 150U}, {6U, 2000U}})
        ask(2, commands, thinned);
    for (auto const& [commands, thinned] : {std::pair(3U, 1U), {4U, 10U}, {5U, 200U}, {6U, 3000U}})
        ask(3, commands, thinned);
    print(std::cout, tally);
    if (every() > 1) return;
    for (char const* const what : {"with chains", "fewer states", "deadlock", "leaves the path", "data race",
                                   "begun anew, and a deadlock", "failures that need switches"})
        EXPECT_GT(tally[what], 0U) << what;
}

/// Kinds of random programs in turns.
TEST(Movers, RandomPrograms) {
    Tally tally;
    for (std::size_t i = 0; i < cases(4'000) && !HasFailure(); ++i) {
        std::size_t const n = i / 4;
        switch (i % 4) {
        case 0: expect_right(counting_program(seeded(31), n), false, tally); break;
        case 1: expect_right(locks_program(seeded(31), n), false, tally); break;
        case 2: expect_right(regions_program(seeded(31), n), n % 2 == 0, tally); break;
        default: expect_right(shared_program(seeded(31), n), n % 2 == 0, tally); break;
        }
    }
    print(std::cout, tally);
    if (every() > 1) return;
    for (char const* const what : {"with chains", "fewer states", "deadlock", "leaves the path", "data race", "fault",
                                   "begun anew", "failures that need switches"})
        EXPECT_GT(tally[what], 0U) << what;
    EXPECT_LT(tally["states with chains"], tally["states"]);
}

/// Two commands that are executed one after the other in this order, and the other way round.
TEST(Movers, Amounts) {
    using counting::Amount;
    Amount const take{-1, 1};
    Amount const give{1, {}};
    Amount const take_two{-2, 2};
    Amount const takes_if_three{-1, 3};
    Amount const subtract{-1, {}};
    EXPECT_TRUE(moves_right(take, take));
    EXPECT_TRUE(moves_right(take, give));
    EXPECT_TRUE(moves_right(take, take_two));
    EXPECT_TRUE(moves_right(give, give));
    EXPECT_FALSE(moves_right(give, take));           // it may have had to wait
    EXPECT_FALSE(moves_right(takes_if_three, take)); // two are left for the other one
    EXPECT_FALSE(moves_right(take, subtract));
    EXPECT_TRUE(moves_right(subtract, subtract));
}

} // namespace
} // namespace matchpoint::naive
