// The oracle against the naive exploration, the naive rules and the naive machine.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h> // after gtest.h: it does not include it

#include <cstdlib>
#include <iostream>
#include <random>

#include "programs/small_mpi.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/drafts.hpp"
#include "tests/support/examined_oracle.hpp"
#include "tests/support/generate.hpp"
#include "tests/support/plain.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/shown_case.hpp"
#include "tests/support/small_boxes.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::naive {
namespace {

using Why = Oracle::Refusal::Why;

/// Every part of every assignment of sends to receives, whether it makes sense or not.
void for_each_part(MessageIndex const& messages, std::function<void(std::vector<Pair> const&)> const& visit) {
    auto const receives = static_cast<std::uint32_t>(messages.receives().size());
    auto const sends = static_cast<std::uint32_t>(messages.sends().size());
    std::vector<std::uint32_t> choice(receives, 0); // 0: none
    while (true) {
        std::vector<Pair> part;
        for (std::uint32_t r = 0; r < receives; ++r)
            if (choice[r] > 0) part.push_back({r, choice[r] - 1});
        visit(part);
        std::uint32_t r = 0;
        while (r < receives && choice[r] == sends) choice[r++] = 0;
        if (r == receives) return;
        ++choice[r];
    }
}

TEST(OracleAgreesWithMachine, SmallPrograms) {
    OracleAnswers tally;
    std::mt19937 random(1);
    auto const number = [&] { return static_cast<std::size_t>(random()); };
    for_each_small_program(every(17), 0, [&](Program const& program) {
        for (bool const zero : {false, true}) {
            auto truth = explore_quickly(program, zero);
            ASSERT_TRUE(truth);
            Examined examined(program, zero, std::move(*truth));
            std::string wrong;
            for_each_part(examined.messages(), [&](std::vector<Pair> const& part) {
                if (wrong.empty()) wrong = examined.set(part, tally);
            });
            if (wrong.empty()) wrong = examined.exact();
            ASSERT_EQ(wrong, "");
            for (std::size_t i = 0; i < 4; ++i) {
                Oracle::Wanted const first{some_pairs(examined.messages(), number() % 3, number),
                                           some_pairs(examined.messages(), number() % 3, number)};
                // Others than the first: what is assumed twice counts once, and would be missed by pop.
                Oracle::Wanted second{{}, some_pairs(examined.messages(), number() % 2, number)};
                std::erase_if(second.forbidden, [&](Pair p) {
                    return std::find(first.forbidden.begin(), first.forbidden.end(), p) != first.forbidden.end();
                });
                ASSERT_EQ(examined.assumptions(first, second), "");
            }
        }
    });
    EXPECT_GT(tally.runs, least(10'000));
    for (Why const why : {Why::rules, Why::fault, Why::search})
        EXPECT_GT(tally.refusals[why], least(100)) << static_cast<int>(why);
    for (std::size_t const size : {0U, 1U, 2U}) EXPECT_GT(tally.core_sizes[size], least(100)) << size;
}

TEST(OracleAgreesWithMachine, OrdersOfSmallPrograms) {
    OracleAnswers tally;
    std::mt19937 random(2);
    for_each_small_program(every(307), 0, [&](Program const& program) {
        std::vector<std::string> all;
        for (Thread const& t : program.threads)
            for (Command const& c : t) all.push_back(c.location);
        for (bool const zero : {false, true}) {
            auto truth = explore_quickly(program, zero);
            ASSERT_TRUE(truth);
            Examined examined(program, zero, std::move(*truth));
            if (!examined.all_orders()) continue;
            for (std::size_t i = 0; i < 12; ++i) {
                std::vector<std::string> sequence = all;
                std::shuffle(sequence.begin(), sequence.end(), random);
                // Two or three places are often possible, all hardly ever.
                if (i > 0) sequence.resize(std::min<std::size_t>(sequence.size(), 1 + i % 4));
                ASSERT_EQ(examined.order(sequence, tally), "");
            }
        }
    });
    // Under sanitizers there are a dozen programs, and no rare kind is sure.
    std::size_t const part = every() == 1 ? 1 : 4 * every();
    EXPECT_GE(tally.order_runs, 301U / part);
    EXPECT_GE(tally.orders_by_counting, 301U / part);
    EXPECT_GE(tally.orders_by_search, 11U / part);
}

RC_GTEST_PROP(OracleAgreesWithMachine, RandomPrograms, ()) {
    ShownCase const shown = *shown_cases(disciplined_case).as("case");
    auto truth = explore_quickly(shown.c.program, shown.c.zero, 3000);
    RC_CLASSIFY(truth.has_value(), "small enough for the truth");
    if (!truth) return;
    Examined examined(shown.c.program, shown.c.zero, std::move(*truth));
    std::size_t i = 0;
    auto const number = [&] { return shown.choose(i++, 1000); };
    OracleAnswers tally;
    for (std::size_t const size : {0U, 1U, 2U, 3U, 5U})
        RC_ASSERT(examined.set(some_pairs(examined.messages(), size, number), tally) == "");
    // Sets that are feasible, and nearly so.
    Oracle::Wanted nearly{};
    if (auto const some = examined.oracle().feasible({}); auto const* const run = std::get_if<Run>(&some)) {
        for (std::uint32_t r = 0; r < run->matching.size(); ++r) nearly.required.push_back({r, run->matching[r]});
        RC_ASSERT(examined.set(nearly.required, tally) == "");
        if (nearly.required.size() > 1) {
            std::swap(nearly.required[number() % nearly.required.size()].s, nearly.required[0].s);
            RC_ASSERT(examined.set(nearly.required, tally) == "");
        }
    }
    RC_ASSERT(examined.exact() == "");
    // What is forbidden second is not what was forbidden first: assumed twice, it would count once.
    RC_ASSERT(examined.assumptions(
                  {some_pairs(examined.messages(), 1, number), some_pairs(examined.messages(), 2, number)}, {}) == "");
    RC_TAG(tally.refusals.size());
}

/// All parts of match sets, pairs and assumptions of programs with selectors, modes and barriers; and orders.
void of_mpi_programs(std::size_t nth, std::size_t random_programs, std::size_t orders_nth) {
    OracleAnswers tally;
    std::size_t programs = 0, refused = 0, asked_for_orders = 0;
    std::mt19937 random(3);
    auto const number = [&] { return static_cast<std::size_t>(random()); };
    auto const look_at = [&](Program const& program, bool is_small) {
        for (bool const zero : {false, true}) {
            {
                Loaded const loaded = load(to_text(program, {}));
                MessageIndex const messages(*loaded.code);
                if (Oracle::refuses(messages, zero ? Buffering::zero : Buffering::infinite)) {
                    ++refused;
                    continue;
                }
            }
            auto truth = explore_eagerly(program, zero, 20'000);
            if (!truth) continue;
            ++programs;
            Examined examined(program, zero, std::move(*truth));
            MessageIndex const& m = examined.messages();
            std::string wrong;
            double parts = 1;
            for (std::size_t r = 0; r < m.receives().size(); ++r) parts *= static_cast<double>(m.sends().size() + 1);
            if (parts <= 300)
                for_each_part(m, [&](std::vector<Pair> const& part) {
                    if (wrong.empty()) wrong = examined.set(part, tally);
                });
            for (std::size_t const size : {0U, 1U, 2U, 3U})
                if (wrong.empty()) wrong = examined.set(some_pairs(m, size, number), tally);
            if (wrong.empty()) wrong = examined.exact();
            if (wrong.empty())
                wrong = examined.assumptions({some_pairs(m, number() % 2, number), some_pairs(m, number() % 2, number)},
                                             {});
            ASSERT_EQ(wrong, "");
            if (!is_small || programs % orders_nth != 0 || !examined.all_orders()) continue;
            ++asked_for_orders;
            std::vector<std::string> all;
            for (Thread const& t : program.threads)
                for (Command const& c : t) all.push_back(c.location);
            for (std::size_t i = 0; i < 6; ++i) {
                std::vector<std::string> sequence = all;
                std::shuffle(sequence.begin(), sequence.end(), random);
                if (i > 0) sequence.resize(std::min<std::size_t>(sequence.size(), 1 + i % 4));
                ASSERT_EQ(examined.order(sequence, tally), "");
            }
        }
    };
    for (auto const kinds : {programs::SmallMpi{.selectors = true},
                             {.modes = true},
                             {.barrier = true},
                             {.selectors = true, .modes = true, .barrier = true}}) {
        programs::SmallMpiPrograms small({.size = 5}, kinds, nth * every());
        while (auto const draft = small.next()) {
            look_at(plain(*draft).program, true);
            if (testing::Test::HasFatalFailure()) return;
        }
    }
    for (std::size_t i = 0; i < cases(random_programs); ++i) {
        look_at(mpi_program_to_explore(seeded(7), i), false);
        if (testing::Test::HasFatalFailure()) return;
    }
    std::cout << programs << " programs, " << refused << " refused, " << tally.runs << " runs, " << asked_for_orders
              << " asked for orders: " << tally.order_runs << " possible, " << tally.orders_by_search << " not\n";
    EXPECT_GT(tally.runs, programs);
    EXPECT_GT(tally.order_runs + tally.orders_by_search, 0U);
    for (Why const why : {Why::rules, Why::search})
        EXPECT_GT(tally.refusals[why], programs / 20) << static_cast<int>(why);
}

TEST(OracleAgreesWithMachine, MpiPrograms) { of_mpi_programs(400, 150, 7); }

/// A trace of a case, perhaps broken.
Trace mutated(ShownCase const& shown) {
    Trace trace = shown.c.trace;
    if (trace.empty()) return trace;
    TraceEntry& entry = trace[shown.choose(1, trace.size())];
    switch (shown.choose(0, 6)) {
    case 0: entry.location = "nowhere"; break;
    case 1: entry.movements.push_back({77, 78}); break;
    case 2: entry.movements.clear(); break;
    case 3: trace.erase(trace.begin()); break;
    case 4: trace.pop_back(); break;
    case 5: break;
    }
    return trace;
}

RC_GTEST_PROP(OracleAgreesWithMachine, Traces, ()) {
    ShownCase const shown = *shown_cases(disciplined_case).as("case");
    Loaded const loaded = load(to_text(shown.c.program, {}));
    MessageIndex const messages(*loaded.code);
    Oracle const oracle(messages, buffering(shown.c));
    Trace const trace = mutated(shown);
    std::vector<Oracle::TraceEntry> entries;
    for (TraceEntry const& entry : trace) {
        entries.push_back({entry.location, {}});
        for (Movement const& m : entry.movements)
            entries.back().m.push_back(
                {std::to_string(m.beta), std::to_string(m.alpha), m.tag ? std::to_string(*m.tag) : ""});
    }
    Result const expected = naive::run(shown.c.program, trace, shown.c.zero);
    auto const replay = oracle.trace(entries);
    RC_TAG(to_text(expected.status));
    RC_ASSERT(static_cast<Status>(replay.s) == expected.status);
    RC_ASSERT(replay.steps == expected.steps);
    RC_ASSERT(replay.well_formed == expected.well_formed);
    RC_ASSERT(replay.error.has_value() == expected.trouble.has_value());
    if (replay.error) {
        RC_ASSERT(replay.error->entry == expected.trouble->entry);
        RC_ASSERT(replay.error->location == expected.trouble->location);
    }
}

TEST(OracleAgreesWithMachine, CancelledAndOutOfSteps) {
    // Eight senders race for eight receives, and what one asks for none of the 8! match sets has.
    std::string text = "( (";
    for (int i = 0; i < 8; ++i) {
        auto const n = std::to_string(i);
        text += "[r" + n + " (rcvi r" + n + " 0 x" + n + ")] [w" + n + " (wait r" + n + ")] ";
    }
    std::string sum = "0";
    for (int i = 0; i < 8; ++i) sum = "(+ (* " + std::to_string(i + 1) + " x" + std::to_string(i) + ") " + sum + ")";
    text += "[d (z := (div 1 (- " + sum + " " + sum + ")))] bot ) ";
    for (int i = 0; i < 8; ++i) {
        auto const n = std::to_string(i);
        text += "( [s" + n + " (sndi s" + n + " " + std::to_string(i + 1) + " 0 " + n + ")] bot ) ";
    }
    Loaded const loaded = load(text + ")");
    MessageIndex const messages(*loaded.code);
    std::atomic<bool> cancelled = false;
    Oracle oracle(messages, Buffering::infinite, &cancelled);
    oracle.limit_steps(1000);
    auto const out_of_steps = oracle.feasible({{{0, 3}}, {}});
    ASSERT_TRUE(std::holds_alternative<Oracle::Unknown>(out_of_steps));
    EXPECT_FALSE(std::get<Oracle::Unknown>(out_of_steps).cancelled);
    auto const next = oracle.next();
    ASSERT_TRUE(next && std::holds_alternative<Oracle::Unknown>(*next));

    cancelled = true;
    oracle.limit_steps(UINT64_MAX);
    auto const stopped = oracle.feasible({{{0, 3}}, {}});
    ASSERT_TRUE(std::holds_alternative<Oracle::Unknown>(stopped));
    EXPECT_TRUE(std::get<Oracle::Unknown>(stopped).cancelled);
    auto const pairs = oracle.exact();
    EXPECT_TRUE(std::holds_alternative<Oracle::Unknown>(pairs));

    // And then it is as if nothing had been.
    cancelled = false;
    auto const refused = oracle.feasible({{{0, 3}}, {}}, Oracle::Means::search);
    ASSERT_TRUE(std::holds_alternative<Oracle::Refusal>(refused));
    EXPECT_EQ(std::get<Oracle::Refusal>(refused).core, Oracle::Wanted());
    EXPECT_FALSE(oracle.next());
}

} // namespace
} // namespace matchpoint::naive
