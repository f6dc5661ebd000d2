// The order of the engines: every step of a plan can be left out, and each engine decides when it is alone.
#include "check/plan.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "check/engines/engines.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/subjects.hpp"

namespace matchpoint::check {
namespace {

using test::Subject;

/// What check() says of a program with these steps only.
CheckResult with_only(Subject const& s, std::vector<std::string> const& steps, Buffering buffering = test::infinite) {
    CheckOptions options;
    options.buffering = buffering;
    options.solver = solver_command("z3").value();
    options.stops = false;
    for (std::string_view const name : step_names())
        if (std::find(steps.begin(), steps.end(), name) == steps.end()) options.without.emplace_back(name);
    return check::check(s.messages, options);
}

/// Either sender may come first. The assertion fails if s1 does.
constexpr auto race = "(([0 (rcvi r 0 x)] [1 (wait r)] [2 (assert (= x 2))] [3 (rcvi q 0 y)] [4 (wait q)])"
                      " ([5 (sndi s1 1 0 1)]) ([6 (sndi s2 2 0 2)]))";

TEST(Plan, EachStepDecidesAlone) {
    Subject const s(race);
    for (auto const& [step, engine] : std::vector<std::pair<std::string, std::string>>{{"samples", "samples"},
                                                                                       {"short-exploration", "explore"},
                                                                                       {"suspects", "samples"},
                                                                                       {"sat", "sat"},
                                                                                       {"smt", "smt (z3)"},
                                                                                       {"exploration", "explore"}}) {
        CheckResult const result = with_only(s, {step});
        EXPECT_EQ(result.verdict, Verdict::violated) << step;
        EXPECT_EQ(result.engine, engine) << step;
    }
}

TEST(Plan, SlowChannelsAreForExecutionsThatNeedNotComplete) {
    Subject const s("(([0 (rcvi r 0 x)] [1 (wait r)] [2 (assert (= x 2))] [3 (rcvi q 0 y)] [4 (wait q)]"
                    "  [7 (rcvi p 0 z)] [8 (wait p)]) ([5 (sndi s1 1 0 1)]) ([6 (sndi s2 2 0 2)]))");
    CheckResult const result = with_only(s, {"slow-channels"});
    EXPECT_EQ(result.verdict, Verdict::violated);
    EXPECT_EQ(result.engine, "samples");
}

TEST(Plan, EachStepDecidesAloneWhereThreadsShare) {
    // Two threads double x in regions of a lock, and a third one looks at it.
    Subject const safe("(shared [l 1] [x 1])"
                       " (([0 (when (> l 0) (l := (- l 1)))] [1 (x := (* x 2))] [2 (l := (+ l 1))])"
                       "  ([3 (when (> l 0) (l := (- l 1)))] [4 (x := (* x 2))] [5 (l := (+ l 1))])"
                       "  ([6 (when (> l 0) (l := (- l 1)))] [7 (assert (> x 0))]))");
    for (auto const& [step, engine] : std::vector<std::pair<std::string, std::string>>{
             {"invariants", "invariants (z3)"}, {"sat", "sat"}, {"exploration", "explore"}}) {
        CheckResult const result = with_only(safe, {step});
        EXPECT_EQ(result.verdict, Verdict::safe) << step;
        EXPECT_EQ(result.engine, engine) << step;
    }
    Subject const counted("(shared [c 0]) (([0 (c := (+ c 1))]) ([1 (assert (>= c 0))]))");
    EXPECT_EQ(with_only(counted, {"counting"}).engine, "counting");
    Subject const violated("(shared [c 0]) (([0 (c := (+ c 1))]) ([1 (assert (= c 0))]))");
    EXPECT_EQ(with_only(violated, {"interleavings"}).engine, "samples");
}

TEST(Plan, NothingIsSaidWithoutEngines) {
    for (char const* const text : {race, "(shared [c 0]) (([0 (c := 1)]) ([1 (assert (= c 0))]))"}) {
        CheckResult const result = with_only(Subject(text), {});
        EXPECT_EQ(result.verdict, Verdict::unknown);
        ASSERT_FALSE(result.trouble.empty());
        EXPECT_EQ(result.trouble.front().what.rfind("left out: ", 0), 0U) << result.trouble.front().what;
    }
}

TEST(Plan, ThatNoRunFailsIsKeptForTheNextEngine) {
    Subject const s("(([0 (x := 1)] [1 (assert (= x 1))]))");
    CheckOptions const options;
    auto const without_success = [](std::optional<Trouble> trouble) {
        return [=](Asked asked) { return asked == Asked::failure ? RunAnswer(NoRun{}) : Unanswered{trouble}; };
    };
    Context c(s.messages, options);
    decide_by_runs(c, {"sat"}, without_success({}));
    EXPECT_FALSE(c.known.has_verdict());
    ASSERT_TRUE(c.known.fails_never_by());
    explore(c, {.steps = 100});
    EXPECT_EQ(c.known.verdict(), Verdict::safe);
    EXPECT_EQ(c.known.take().engine, "sat");

    Context of_liar(s.messages, options);
    decide_by_runs(of_liar, {"smt (z3)", true}, without_success(Trouble{Trouble::Kind::wrong_answer, "says sat"}));
    EXPECT_FALSE(of_liar.known.fails_never_by());
}

TEST(Plan, StepsHaveNames) {
    auto names = step_names();
    EXPECT_GE(names.size(), 10U);
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

} // namespace
} // namespace matchpoint::check
