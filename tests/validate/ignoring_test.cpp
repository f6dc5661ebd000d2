// Changed rules on programs with selectors, modes and barriers: without a change they are the semantics, with one that
// ignores something they are the semantics of the program without it.

#include "validate/ignoring.hpp"

#include <gtest/gtest.h>

#include "programs/random.hpp"
#include "programs/small_mpi.hpp"
#include "tests/support/thinning.hpp"
#include "validate/observations.hpp"

namespace matchpoint::validate {
namespace {

/// Small programs and random ones with something of MPI in them.
std::vector<std::shared_ptr<Case const>> programs_with_mpi(std::size_t random) {
    std::vector<std::shared_ptr<Case const>> result;
    for (SmallMpi const kinds : {SmallMpi{.selectors = true}, {.modes = true}, {.barrier = true}}) {
        SmallMpiPrograms small(small_bound(5), kinds, naive::every(37));
        while (auto const draft = small.next()) result.push_back(make_case(*draft, false));
    }
    // The smallest one in which a barrier matters with zero buffering.
    result.push_back(make_case(R"(( ( [00 (barrier B0)] [01 (rcvi R0 0 x)] [02 (wait R0)] )
        ( [10 (sndi S0 1 0 0)] [11 (wait S0)] [12 (barrier B0)] [13 (assert false)] ) ))",
                               false));
    RandomShape few;
    few.messages = 3, few.threads = 3, few.no_assertion = 0;
    for (std::size_t i = 0; i < naive::cases(random); ++i)
        result.push_back(make_case(random_program(11, i, with_mpi(few)).draft, false));
    return result;
}

bool some_run_fails(Case const& c, Buffering b, Runs runs) {
    return *truth(c, {.buffering = b, .question = runs}).fails;
}

} // namespace

TEST(Ignoring, PredictionsAreOfWhatIsLeft) {
    CachingSolver solver(solver_command("z3").value(), {.time = std::chrono::seconds(60)});
    std::map<Change, std::size_t> noticed;
    for (auto const& c : programs_with_mpi(60))
        for (Buffering const b : {Buffering::infinite, Buffering::zero})
            for (Runs const runs : {Runs::complete, Runs::executions}) {
                bool const right = some_run_fails(*c, b, runs);
                ASSERT_EQ(predicted(*c, b, {}, solver, runs), right) << c->text();
                for (Change const change : {Change::no_selectors, Change::no_modes, Change::no_barriers}) {
                    auto const left = without(*c, only(change));
                    ASSERT_TRUE(left) << c->text();
                    bool const should = some_run_fails(*left, b, runs);
                    ASSERT_EQ(predicted(*c, b, only(change), solver, runs), should) << c->text();
                    if (should != right) ++noticed[change];
                }
            }
    EXPECT_GE(noticed.size(), naive::every() == 1 ? 3U : 1U); // a part of the programs shows a part of it
}

// A program that has none of it is what it was.
TEST(Ignoring, PlainProgramsStay) {
    CachingSolver solver(solver_command("z3").value(), {.time = std::chrono::seconds(60)});
    for (std::uint64_t i = 0; i < naive::cases(20); ++i) {
        auto const c = make_case(random_program(12, i).draft, false);
        EXPECT_EQ(without(*c, of_mpi())->text(), c->text());
        for (Buffering const b : {Buffering::infinite, Buffering::zero})
            EXPECT_EQ(predicted(*c, b, of_mpi(), solver), predicted(*c, b, {}, solver)) << c->text();
    }
}

// What is not asked because it follows is what the solver would say.
TEST(Ignoring, WhatFollowsIsSo) {
    CachingSolver solver(solver_command("z3").value(), {.time = std::chrono::seconds(60)});
    Observations observed(Runs::complete);
    for (auto const& c : programs_with_mpi(10)) observed.add({c, Buffering::infinite, true});
    EXPECT_TRUE(observed.has_mpi());
    Changes const sets[] = {{},
                            only(Change::no_selectors),
                            only(Change::no_modes),
                            only(Change::no_barriers),
                            of_mpi(),
                            only(Change::no_channel_order),
                            only(Change::no_channel_order) | only(Change::no_selectors),
                            only(Change::every_assertion_fails) | only(Change::no_barriers),
                            only(Change::every_assertion_fails)};
    for (Changes const& set : sets)
        for (std::size_t i = 0; i < observed.size(); ++i) {
            Says const said = says(*observed[i].c, Buffering::infinite, set, solver);
            if (said == Says::no_problem) continue; // it can follow all the same
            EXPECT_EQ(observed.says(i, set, solver), said) << to_string(set) << "\n" << observed[i].c->text();
        }
}

} // namespace matchpoint::validate
