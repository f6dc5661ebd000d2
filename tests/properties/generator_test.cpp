// What the generator of programs for exploration makes, by the naive explorer.

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <iostream>
#include <set>

#include <fmt/format.h>

#include "grammar/discipline.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/generate.hpp"
#include "tests/support/naive_explore.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::naive {

namespace {

/// In how many orders the messages to one endpoint could be received, of which channels hold `left`, by so many
/// receives, if only the order within channels counted.
std::size_t arrival_orders(std::vector<std::size_t> left, std::size_t receives) {
    if (receives == 0) return 1;
    std::size_t orders = 0;
    for (std::size_t& channel : left) {
        if (channel == 0) continue;
        --channel;
        orders += arrival_orders(left, receives - 1);
        ++channel;
    }
    return orders;
}

/// How many match sets there were if only the order within channels counted.
std::size_t match_sets_without_cycles(Program const& program) {
    std::map<Endpoint, std::map<Endpoint, std::size_t>> sends;
    std::map<Endpoint, std::size_t> receives;
    for (Thread const& thread : program.threads) {
        for (Command const& command : thread) {
            if (auto const* const s = std::get_if<Sndi>(&command.what)) ++sends[s->beta][s->alpha];
            if (auto const* const r = std::get_if<Rcvi>(&command.what)) ++receives[r->beta];
        }
    }
    std::size_t all = 1;
    for (auto const& [beta, n] : receives) {
        std::vector<std::size_t> channels;
        for (auto const& [alpha, m] : sends[beta]) channels.push_back(m);
        all *= arrival_orders(channels, n);
    }
    return all;
}

bool any_of(Expression const& e, auto const& holds) {
    if (holds(e)) return true;
    for (Expression const& operand : e.operands)
        if (any_of(operand, holds)) return true;
    return false;
}

bool is_variable(Expression const& e) { return e.kind == Expression::Kind::variable; }
bool is_arithmetic(Expression const& e) {
    static std::set<std::string> const operators = {"+", "-", "*", "div", "mod"};
    return operators.contains(e.op) && any_of(e, is_variable);
}
bool is_boolean_value(Expression const& e) {
    return e.kind == Expression::Kind::value && std::holds_alternative<bool>(e.value);
}

/// What of a program can be seen without running it.
std::set<std::string> traits(Program const& program) {
    std::set<std::string> found;
    std::size_t assertions = 0;
    auto const look = [&](Expression const& e) {
        if (any_of(e, is_arithmetic)) found.insert("arithmetic on received values");
        if (any_of(e, is_boolean_value)) found.insert("booleans");
    };
    for (Thread const& thread : program.threads) {
        std::set<Endpoint> endpoints;
        std::vector<std::string> posted;
        std::vector<std::string> waited;
        std::set<std::string> sent;
        bool received = false;
        for (Command const& command : thread) {
            if (auto const* const s = std::get_if<Sndi>(&command.what)) {
                endpoints.insert(s->alpha);
                sent.insert(s->action);
                look(s->payload);
                if (any_of(s->payload, is_variable)) found.insert("received value sent");
                if (received) found.insert("send after a wait for a receive");
            } else if (auto const* const r = std::get_if<Rcvi>(&command.what)) {
                endpoints.insert(r->beta);
                posted.push_back(r->action);
            } else if (auto const* const w = std::get_if<Wait>(&command.what)) {
                if (sent.erase(w->action) == 0) waited.push_back(w->action), received = true;
            } else if (auto const* const a = std::get_if<Assert>(&command.what)) {
                ++assertions;
                look(a->condition);
            } else if (auto const* const b = std::get_if<Assume>(&command.what)) {
                look(b->condition);
            } else if (auto const* const d = std::get_if<Assign>(&command.what)) {
                look(d->value);
            }
        }
        if (endpoints.size() > 1) found.insert("several endpoints of a thread");
        if (!sent.empty()) found.insert("send without wait");
        if (posted != waited) found.insert("waits out of order, or fewer than receives");
    }
    if (assertions > 1) found.insert("several assertions");
    return found;
}

/// What of a program can be seen by running it.
std::set<std::string> traits(Program const& program, Truth const& truth) {
    std::set<Status> statuses;
    for (auto const& [matching, status] : truth.outcomes) statuses.insert(status);
    std::set<std::string> found = {to_text(truth.verdict)};
    if (truth.outcomes.size() > 1) found.insert("several match sets");
    if (truth.outcomes.size() > 10) found.insert("more than ten match sets");
    if (statuses.contains(Status::success) && statuses.contains(Status::failure)) found.insert("success and failure");
    if (truth.verdict == Verdict::vacuous && !truth.outcomes.empty()) found.insert("every run infeasible");
    if (!truth.orphans.empty()) found.insert("orphans");
    if (truth.deadlock) found.insert("deadlock");
    if (truth.fault) found.insert("fault");
    if (!truth.fault && !truth.outcomes.empty() && match_sets_without_cycles(program) > truth.outcomes.size())
        found.insert("match sets that a cycle forbids");
    return found;
}

} // namespace

TEST(Generator, ProgramsForExplorationShowEveryKind) {
    // Enough for percentages, under sanitizers too. Always the same programs: the percentages of a few hundred others
    // differ by more than a test can allow.
    std::size_t const cases = std::max<std::size_t>(naive::cases(2000), 400);
    std::map<std::string, std::size_t> of_program;
    std::map<std::string, std::array<std::size_t, 2>> of_truth;
    std::size_t zero_differs = 0;
    std::size_t deadlock_beside_runs = 0;
    std::size_t too_large = 0;
    std::chrono::duration<double, std::milli> time{};
    for (std::size_t i = 0; i < cases; ++i) {
        Program const program = program_to_explore(1, i);
        std::string const text = to_text(program, {});
        ASSERT_TRUE(check_discipline(*load(text).program).empty()) << text;
        for (std::string const& trait : traits(program)) ++of_program[trait];
        std::array<std::optional<Truth>, 2> truth;
        auto const begin = std::chrono::steady_clock::now();
        for (bool const zero : {false, true}) truth[zero] = explore_quickly(program, zero, 20'000);
        time += std::chrono::steady_clock::now() - begin;
        if (!truth[0] || !truth[1]) {
            ++too_large;
            continue;
        }
        for (bool const zero : {false, true})
            for (std::string const& trait : traits(program, *truth[zero])) ++of_truth[trait][zero];
        zero_differs += truth[0]->outcomes != truth[1]->outcomes;
        deadlock_beside_runs += truth[1]->deadlock && !truth[1]->outcomes.empty();
    }
    auto const percent = [&](std::size_t n) { return 100.0 * static_cast<double>(n) / static_cast<double>(cases); };
    std::cout << fmt::format("{} programs, explored in {:.2f} ms each under each buffering; {} too large\n", cases,
                             time.count() / (2 * static_cast<double>(cases)), too_large);
    for (auto const& [trait, n] : of_program) std::cout << fmt::format("  {:<44} {:>6.1f} %\n", trait, percent(n));
    for (auto const& [trait, n] : of_truth)
        std::cout << fmt::format("  {:<44} {:>6.1f} % {:>6.1f} %\n", trait, percent(n[0]), percent(n[1]));
    std::cout << fmt::format("  {:<44} {:>6.1f} %\n", "other outcomes with zero buffering", percent(zero_differs));
    std::cout << fmt::format("  {:<44} {:>15.1f} %\n", "deadlock beside complete runs", percent(deadlock_beside_runs));

    EXPECT_EQ(of_program.size(), 8U);
    EXPECT_EQ(of_truth.size(), 11U);
    for (auto const& [trait, n] : of_program) EXPECT_GE(percent(n), 5) << trait;
    for (auto const& [trait, n] : of_truth) {
        EXPECT_GE(percent(n[0]), 2) << trait;
        EXPECT_GE(percent(n[1]), 2) << trait;
    }
    EXPECT_GE(percent(zero_differs), 10);
    EXPECT_GE(percent(deadlock_beside_runs), 2);
    EXPECT_LE(percent(too_large), 0.5);
}

TEST(Generator, ProgramsKeepToTheirShape) {
    for (std::size_t i = 0; i < 2000; ++i) {
        Program const program = program_to_explore(seeded(2), i, 2, 3);
        std::size_t receives = 0;
        for (Thread const& thread : program.threads)
            for (Command const& command : thread) receives += std::holds_alternative<Rcvi>(command.what);
        ASSERT_LE(program.threads.size(), 2U);
        ASSERT_LE(receives, 4U) << to_text(program, {}); // three, and perhaps one too many
    }
}

/// Shrinking keeps the discipline, and every candidate is another program or has another trace.
TEST(Generator, SmallerFamiliesAreDisciplined) {
    for (std::size_t i = 0; i < naive::cases(50); ++i) {
        Family const whole = family(seeded(3), i);
        std::string const text = to_text(whole.program, whole.traces);
        std::vector<Family> const candidates = smaller(whole);
        ASSERT_FALSE(candidates.empty()) << text;
        for (Family const& f : candidates) {
            std::string const candidate = to_text(f.program, f.traces);
            ASSERT_NE(candidate, text);
            ASSERT_TRUE(check_discipline(*load(candidate).program).empty()) << text << candidate;
        }
    }
}

} // namespace matchpoint::naive
