// Which changes explain wrong answers: what is told without the solver is what the solver says, the search finds single
// changes and pairs, and the words say how much an explanation explains.

#include "validate/explanations.hpp"

#include <gtest/gtest.h>

#include <random>

#include "programs/random.hpp"
#include "programs/small.hpp"
#include "tests/support/thinning.hpp"
#include "tests/validate/one_solver.hpp"
#include "validate/explain.hpp"

namespace matchpoint::validate {
namespace {

using naive::cases;

std::vector<std::shared_ptr<Case const>> few_programs(unsigned level, std::size_t nth, std::size_t random) {
    std::vector<std::shared_ptr<Case const>> result;
    SmallPrograms small(small_bound(level), nth);
    while (auto draft = small.next()) result.push_back(make_case(*draft, false));
    RandomShape few;
    few.messages = 3, few.threads = 3, few.unwaited_receives = 50, few.orphans = 50, few.several_assertions = 60;
    for (std::size_t i = 0; i < random; ++i) result.push_back(make_case(random_program(7, i, few).draft, false));
    return result;
}

/// What an encoder with some changes says of programs, and the number of one that it has wrong.
struct Subject {
    Observations observed{Runs::complete};
    std::optional<std::size_t> wrong;

    Subject(Changes const& changes, Buffering buffering, std::size_t random) {
        for (auto const& c : few_programs(6, 61, random)) {
            auto const sat = predicted(*c, buffering, changes, solver());
            if (!sat) continue;
            std::size_t const i = observed.add({c, buffering, *sat});
            if (!wrong && *sat != predicted(*c, buffering, {}, solver())) wrong = i;
        }
    }
};

/// With fewer or more changes problems become satisfiable in one direction only, so that many need not be asked about.
TEST(Observations, WhatIsToldIsWhatTheSolverSays) {
    std::mt19937_64 random(1);
    Changes const of_reading = only(Change::executions) | only(Change::complete_runs);
    std::size_t sat = 0;
    for (auto const& c : few_programs(6, 211, cases(60)))
        for (Buffering const b : {Buffering::infinite, Buffering::zero}) {
            Observations observed(Runs::complete);
            std::size_t const i = observed.add({c, b, true});
            for (int n = 0; n < 60; ++n) {
                Changes changes;
                for (unsigned k = 0; k < 1 + static_cast<unsigned>(n) % 4; ++k) changes.set(random() % change_count);
                changes &= ~of_reading;
                Says const told = observed.says(i, changes, solver());
                ASSERT_EQ(told, says(*c, b, changes, solver())) << to_string(changes) << '\n' << c->text();
                sat += told == Says::sat;
            }
        }
    EXPECT_GT(sat, 0U);
}

TEST(Observations, OneForAProgramAndBuffering) {
    auto const c = few_programs(3, 20, 0).front();
    Observations observed(Runs::complete);
    EXPECT_EQ(observed.add({c, Buffering::infinite, true}), 0U);
    EXPECT_EQ(observed.add({c, Buffering::zero, true}), 1U);
    EXPECT_EQ(observed.add({c, Buffering::infinite, false}), 0U);
    EXPECT_EQ(observed.size(), 2U);
    EXPECT_TRUE(observed[0].sat);
}

bool is_among_the_first(std::vector<Explanation> const& why, Changes const& changes) {
    return std::any_of(why.begin(), why.end(),
                       [&](Explanation const& e) { return e.changes == changes && misses(e) == misses(why.front()); });
}

TEST(Explanations, SingleChanges) {
    for (Change const change :
         {Change::free_values, Change::divisor_zero, Change::no_property, Change::no_assumptions,
          Change::receive_without_message, Change::send_before_receive, Change::every_assertion_fails}) {
        Subject subject(only(change), Buffering::infinite, 40);
        ASSERT_TRUE(subject.wrong) << to_string(only(change));
        auto const why = explanations(subject.observed, *subject.wrong, solver());
        EXPECT_TRUE(is_among_the_first(why, only(change))) << shown(Reason{why});
        EXPECT_EQ(misses(why.front()), 0U);
        EXPECT_EQ(size(why.front().changes), 1U);
        EXPECT_TRUE(is_explained(why));
    }
}

TEST(Explanations, Pairs) {
    for (auto const& [one, other] : {std::pair(Change::no_assumptions, Change::every_assertion_fails),
                                     std::pair(Change::divisor_zero, Change::no_assertion_fails),
                                     std::pair(Change::sends_twice, Change::all_pairs),
                                     std::pair(Change::receive_without_message, Change::last_assertion_fails)}) {
        Changes const both = only(one) | only(other);
        Subject subject(both, Buffering::infinite, 80);
        ASSERT_TRUE(subject.wrong) << to_string(both);
        auto const why = explanations(subject.observed, *subject.wrong, solver());
        EXPECT_TRUE(is_among_the_first(why, both)) << to_string(both) << '\n' << shown(Reason{why});
        EXPECT_EQ(misses(why.front()), 0U);
        EXPECT_TRUE((why.front().here & ~why.front().changes).none());
        EXPECT_TRUE(why.front().here.any());
        if (naive::every() > 1 && one == Change::divisor_zero) return;
    }
}

TEST(Explanations, HintsAreEnough) {
    Changes const both = only(Change::no_assumptions) | only(Change::every_assertion_fails);
    Subject subject(both, Buffering::infinite, 40);
    auto const why = explanations(subject.observed, *subject.wrong, solver(), {}, std::array{both});
    ASSERT_FALSE(why.empty());
    EXPECT_EQ(why.front().changes, both);
    // The others are parts of it, to compare it with.
    for (Explanation const& e : std::span(why).subspan(1)) {
        EXPECT_TRUE((e.changes & ~both).none());
        EXPECT_GT(misses(e), 0U);
    }
    // What is known is not shown again.
    Changes const known = why.front().here;
    ASSERT_NE(known, both);
    auto const again = explanations(subject.observed, *subject.wrong, solver(), both & ~known, std::array{both});
    EXPECT_EQ(again.front().here, known);
}

TEST(Explanations, OfExecutions) {
    Observations observed(Runs::executions);
    std::optional<std::size_t> wrong;
    for (auto const& c : few_programs(6, 61, 30)) {
        auto const sat = predicted(*c, Buffering::infinite, {}, solver());
        std::size_t const i = observed.add({c, Buffering::infinite, *sat});
        if (!wrong && *sat != predicted(*c, Buffering::infinite, {}, solver(), Runs::executions)) wrong = i;
    }
    ASSERT_TRUE(wrong);
    auto const why = explanations(observed, *wrong, solver());
    EXPECT_EQ(why.front().changes, only(Change::complete_runs)) << shown(Reason{why});
    EXPECT_EQ(misses(why.front()), 0U);
}

/// A set that does not give the wrong answer at hand explains nothing, whatever else it predicts.
TEST(Explanations, NothingExplainsIt) {
    Observations observed(Runs::complete);
    for (auto const& c : few_programs(6, 61, 10))
        observed.add({c, Buffering::infinite, *predicted(*c, Buffering::infinite, {}, solver())});
    std::shared_ptr<Case const> const c = make_case("( ( [00 (assert false)] ) )", false);
    std::size_t const wrong = observed.add({c, Buffering::infinite, false});
    auto const why = explanations(observed, wrong, solver(), {}, {}, {.largest = 2});
    EXPECT_TRUE(why.empty()) << shown(Reason{why});
    EXPECT_FALSE(is_explained(why));
    EXPECT_EQ(shown(Reason{}), "No explanation found: no changes to the rules that were tried give this answer.\n");
    EXPECT_EQ(shown(Reason{.is_cut_short = true}), "No explanation found in the time given (--time).\n");
    EXPECT_EQ(cause(Reason{.is_cut_short = true}), "  no cause found in the time given (--time)\n");
    Reason const always{.always = OnlyAnswer{true, 12}};
    EXPECT_EQ(cause(always),
              "  cause: your encoder said sat to all 12 programs that it was asked about to\n      find the cause\n");
    EXPECT_TRUE(is_explained(always));
}

TEST(Explanations, TooLittle) {
    Changes const one = only(Change::no_property);
    EXPECT_TRUE(is_explained(std::array{Explanation{one, one, 95, 100}}));
    EXPECT_FALSE(is_explained(std::array{Explanation{one, one, 94, 100}}));
    EXPECT_FALSE(is_explained(std::array{Explanation{one, one, 95, 100, false}}));
    EXPECT_EQ(shown(Reason{.why = {{one, one, 94, 100}}}),
              "No explanation found: the closest explains 94 of 100.\n  property: none\n");
}

TEST(Explanations, InWords) {
    Changes const none = only(Change::no_property), order = only(Change::no_channel_order),
                  pairs = only(Change::all_pairs);
    Reason const reason{.why = {{none | order, none, 9, 9}, {none | order | pairs, none, 9, 9}, {order, order, 8, 9}},
                        .apart = {{{"( )", Buffering::zero, false}, true}}};
    EXPECT_EQ(shown(reason), "  property (missing): none\n"
                             "    any complete run is enough\n"
                             "    the rule: some assertion fails\n"
                             "    beside it: channel order: none\n"
                             "    with match pairs by Figure 15 and with all pairs alike\n"
                             "    so changed, the rules agree with the encoder on 9 of 9 cases\n"
                             "Less likely, for they agree with it on fewer cases:\n"
                             "  channel order: none (8 of 9)\n"
                             "The first is told from the next by:\n"
                             "  zero buffering: the encoder says unsat, and so does the first\n"
                             "( )\n");
}

} // namespace
} // namespace matchpoint::validate
