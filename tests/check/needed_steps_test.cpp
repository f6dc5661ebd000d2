#include "check/needed_steps.hpp"

#include <gtest/gtest.h>

#include "check/confirmed.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/subjects.hpp"

namespace matchpoint::check {
namespace {

using test::infinite;
using test::Subject;

/// The steps that a race on the first shared variable needs, by the names of their locations.
std::string needed(std::string_view program, std::vector<std::string_view> const& steps, std::string_view first,
                   std::string_view second, std::function<bool()> const& stop = {}) {
    Subject const s((std::string(program)));
    Schedule schedule;
    for (std::string_view const step : steps) {
        if (!step.starts_with('('))
            schedule.step(s.location(step));
        else // "(0 1)"
            schedule.move(*s.code.find_channel(s.endpoint(step.substr(1, 1)), s.endpoint(step.substr(3, 1))));
    }
    auto const leads_there = [&](Schedule const& to) {
        Machine machine(s.code, infinite);
        return ends_in_race(
            s.messages, machine,
            {Reached::Answer::yes, s.location(first), s.location(second), s.code.ctp().shared[0].x, to});
    };
    EXPECT_TRUE(leads_there(schedule));
    Schedule const shortest = needed_steps(Machine(s.code, infinite), schedule, leads_there, stop);
    EXPECT_TRUE(leads_there(shortest));
    std::string names;
    for (std::size_t i = 0; i < shortest.size(); ++i) names += (i == 0 ? "" : " ") + s.name(shortest.entry(i).rho);
    return names;
}

constexpr auto beside = "(shared [x 0] [y 0]) (([0 (a := 1)] [1 (x := 1)]) ([2 (b := x)])"
                        " ([3 (y := 1)] [4 (y := 2)] [5 (y := 3)] [6 (y := 4)] [7 (y := 5)]))";

TEST(NeededSteps, WithoutThreadsThatHaveNoEffect) {
    EXPECT_EQ(needed(beside, {"3", "0", "4", "5", "6", "7"}, "1", "2"), "0");
}

TEST(NeededSteps, AThreadStopsWhereItIsNeededNoLonger) {
    auto const program = "(shared [x 0] [y 0]) (([0 (when (>= y 2) (a := 1))] [1 (x := 1)]) ([2 (b := x)])"
                         " ([3 (y := 1)] [4 (y := 2)] [5 (y := 3)] [6 (y := 4)] [7 (y := 5)]))";
    EXPECT_EQ(needed(program, {"3", "4", "5", "6", "7", "0"}, "1", "2"), "3 4 0");
}

/// Each of two threads reads what the other one wrote.
TEST(NeededSteps, NorStepsThatOnlyNeedEachOther) {
    auto const program = "(shared [x 0] [y 0] [z 0]) (([0 (x := 1)]) ([1 (b := x)])"
                         " ([2 (when (= z 0) (y := 1))] [3 (when (= z 1) (y := 2))])"
                         " ([4 (when (= y 1) (z := 1))] [5 (when (= y 2) (z := 2))]))";
    EXPECT_EQ(needed(program, {"2", "4", "3", "5"}, "0", "1"), "");
}

/// The message comes after the sender's wait, and is still there without that.
TEST(NeededSteps, MovementsStay) {
    auto const program =
        "(shared [x 0]) (([0 (rcvi r 0 x)] [1 (wait r)]) ([2 (sndi s 1 0 3)] [3 (wait s)] [4 (k := 3)])"
        " ([5 (b := x)]))";
    EXPECT_EQ(needed(program, {"0", "2", "3", "(0 1)", "4"}, "1", "5"), "0 2");
    EXPECT_EQ(needed(program, {"0", "2", "3", "4", "(0 1)"}, "1", "5"), "0 2");
}

TEST(NeededSteps, StopsWhenItIsTold) {
    EXPECT_EQ(needed(beside, {"3", "0", "4"}, "1", "2", [] { return true; }), "3 0 4");
}

} // namespace
} // namespace matchpoint::check
