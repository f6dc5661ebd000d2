// The programs that a campaign asks about first: each shows the change that it is there for, and each change that shows
// alone has one.

#include "validate/rule_programs.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "validate/observations.hpp"
#include "validate/shared_rules.hpp"

namespace matchpoint::validate {
namespace {

/// Whether the encoding of some question says something else with the change; with the pairs of Figure 15, or with all.
bool shows_in_messages(Case const& c, Change change, CachingSolver& solver) {
    for (Buffering const b : {Buffering::infinite, Buffering::zero}) {
        auto const right = truth(c, {.buffering = b}).fails;
        for (Changes const& base : {Changes(), only(Change::all_pairs)}) {
            auto const said = predicted(c, b, base | only(change), solver);
            if (said && right && *said != *right) return true;
        }
    }
    return false;
}

bool shows_in_shared(Case const& c, Change change) {
    for (Runs const runs : {Runs::executions, Runs::complete})
        for (std::optional<std::uint32_t> const most : {std::optional<std::uint32_t>(), {0}, {1}}) {
            Question const question(runs, true, most);
            auto const right = some_run_fails(c.code, question, {});
            auto const said = some_run_fails(c.code, question, only(change));
            if (said && right && *said != *right) return true;
        }
    return false;
}

bool has_program(std::vector<RuleProgram> const& programs, Change change) {
    return std::any_of(programs.begin(), programs.end(), [&](RuleProgram const& p) { return p.change == change; });
}

TEST(RulePrograms, EachShowsItsChange) {
    CachingSolver solver(solver_command("z3").value(), {.time = std::chrono::seconds(60)});
    for (RuleProgram const& p : rule_programs_of(false, true)) {
        auto const c = make_case(std::string(p.text), false);
        ASSERT_TRUE(c) << p.text;
        EXPECT_TRUE(shows_in_messages(*c, p.change, solver)) << to_string(only(p.change)) << '\n' << p.text;
    }
    for (RuleProgram const& p : rule_programs_of(true, false)) {
        auto const c = make_case(std::string(p.text), false);
        ASSERT_TRUE(c) << p.text;
        EXPECT_TRUE(shows_in_shared(*c, p.change)) << to_string(only(p.change)) << '\n' << p.text;
    }
}

/// A change may show on a program that is there for another one.
TEST(RulePrograms, EachChangeOfMessagesShowsOnOne) {
    CachingSolver solver(solver_command("z3").value(), {.time = std::chrono::seconds(60)});
    std::vector<RuleProgram> const programs = rule_programs_of(false, true);
    for (ChangeInfo const& i : changes()) {
        bool const counts = i.about == About::messages && i.change != Change::all_pairs;
        if (!counts || has_program(programs, i.change)) continue;
        bool const is_shown = std::any_of(programs.begin(), programs.end(), [&](RuleProgram const& p) {
            return shows_in_messages(*make_case(std::string(p.text), false), i.change, solver);
        });
        EXPECT_TRUE(is_shown) << to_string(only(i.change));
    }
}

TEST(RulePrograms, TheyAreAllThereIs) {
    EXPECT_EQ(rule_programs_of(false, true).size() + rule_programs_of(true, false).size(), rule_programs().size());
    EXPECT_LT(rule_programs_of(false, false).size(), rule_programs_of(false, true).size());
    for (RuleProgram const& p : rule_programs_of(false, false)) {
        auto const c = make_case(std::string(p.text), false);
        ASSERT_TRUE(c);
        EXPECT_TRUE(c->code.is_plain() && !c->code.shares()) << p.text;
    }
}

/// What a stranger reads.
TEST(RulePrograms, EachChangeHasPlainWords) {
    for (ChangeInfo const& i : changes()) {
        EXPECT_GT(i.plain.size(), 20U) << i.name;
        EXPECT_EQ(i.plain.find("Figure"), std::string_view::npos) << i.plain;
    }
}

} // namespace
} // namespace matchpoint::validate
