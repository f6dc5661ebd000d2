// Windows of long runs: which program a window is, and what check() says of them.
#include <gtest/gtest.h>

#include "check/engines/engines.hpp"
#include "check/shared/window.hpp"
#include "grammar/print.hpp"
#include "programs/families.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/subjects.hpp"

namespace matchpoint::check {
namespace {

using test::Subject;

std::string recorded_buffer(std::string variant, std::uint64_t each) {
    programs::families::Arguments arguments;
    arguments.numbers = {4, 4, each, 8};
    arguments.variant = std::move(variant);
    return programs::draft::print(make(*programs::families::find("recorded-buffer"), arguments)->draft);
}

/// The windows alone.
CheckOptions windows_only(std::uint32_t size) {
    CheckOptions options;
    options.stops = options.leaves_path = false;
    options.window = size;
    options.window_time = std::chrono::seconds(10);
    return options;
}

std::vector<Location> run_of(Subject const& s) {
    std::vector<Location> result;
    for (Sigma const& sigma : s.program.traces.front().entries) result.push_back(sigma.rho);
    return result;
}

/// They overlap by half or more, reach the end, and begin where nobody holds a lock.
TEST(Window, Starts) {
    Subject const s(recorded_buffer("--safe", 10));
    std::vector<Location> const run = run_of(s);
    for (std::size_t const size : {1U, 2U, 3U, 7U, 30U, 100U, 719U, 720U, 5000U}) {
        auto const starts = window_starts(s.messages, run, size);
        std::size_t const most = std::max<std::size_t>(1, size / 2);
        ASSERT_EQ(starts.front(), 0U) << size;
        EXPECT_GE(starts.back() + size, run.size()) << size;
        for (std::size_t i = 1; i < starts.size(); ++i) {
            EXPECT_GT(starts[i], starts[i - 1]) << size;
            EXPECT_LE(starts[i], starts[i - 1] + most) << size;
            EXPECT_LT(starts[i - 1] + size, run.size()) << size;
        }
    }
    Machine machine(s.code, Buffering::infinite);
    std::size_t at = 0;
    for (std::size_t const start : window_starts(s.messages, run, 100)) {
        for (; at < start; ++at) ASSERT_FALSE(machine.step({run[at], {}}).is_stuck());
        EXPECT_EQ(machine.state().h[*s.program.symbols.variables.find("lock")], Value::integer(1)) << start;
    }
}

/// Locks and values are those of the state. What nobody in the window writes is a constant.
TEST(Window, IsAProgram) {
    Subject const s(R"((shared [l 1] [x 0] atomic [y 5] [z 7])
        ( ( [a1 (when (> l 0) (l := (- l 1)))] [a2 (a := x)] [a3 (b := (+ a z))] [a4 (x := (+ a b))] [a5 (assert (= a y))]
            [a6 (l := (+ l 1))] [a7 (a2 := z)] )
          ( [b1 (assume true (c := x) (x := (+ c y)))] [b2 (x := c)] ) )
        ( (a1 bot) (a2 bot) (a3 bot) (a4 bot) (a5 bot) (a6 bot) (b1 bot) ))");
    Machine machine(s.code, Buffering::infinite);
    for (char const* const rho : {"a1", "a2"}) static_cast<void>(machine.step({s.location(rho), {}}));
    WindowTables tables(s.messages);
    std::vector<std::uint32_t> const commands{4, 9};
    Window const window(tables, machine.state(), commands);
    EXPECT_EQ(grammar::print(window.program()), R"((shared [x 0] atomic [l 0])
(
  (
    [a3 (b := (+ 0 7))]
    [a4 (x := (+ 0 b))]
    [a5 (assert (= 0 5))]
    [a6 (l := (+ l 1))]
    bot
  )
  (
    [b1 (assume true (c := x) (x := (+ c 5)))]
    [b2 (x := c)]
    bot
  )
)
)");
    EXPECT_EQ(s.name(window.original(Location{4})), "b1");
    // The tables can be used again.
    Window const all(tables, machine.state(), std::vector<std::uint32_t>{9, 0});
    EXPECT_EQ(all.program().ctp.commands.size(), 5U);
    EXPECT_EQ(all.program().ctp.threads.size(), 1U);
}

/// Three accesses by one thread between two of another one: many switches, and other engines are left out.
TEST(Windows, FindAFailureFarFromTheBegin) {
    Subject const s(recorded_buffer("", 40));
    CheckOptions options = windows_only(60);
    Context c(s.messages, options);
    look_through_windows(c);
    ASSERT_TRUE(c.known.failure());
    Machine machine(s.code, Buffering::infinite);
    EXPECT_EQ(machine::run(machine, c.known.failure()->schedule, Extent::prefix).s, Status::failure);
    EXPECT_EQ(c.known.verdict(), Verdict::violated);
}

TEST(Windows, SayWhatWasLookedAt) {
    Subject const s(recorded_buffer("--safe", 10));
    CheckOptions options = windows_only(30);
    Context c(s.messages, options);
    look_through_windows(c);
    EXPECT_FALSE(c.known.failure());
    ASSERT_TRUE(c.windows);
    EXPECT_EQ(c.windows->events, 30U);
    EXPECT_EQ(c.windows->all, window_starts(s.messages, run_of(s), 30).size());
    EXPECT_EQ(c.windows->looked_at, c.windows->all);
    EXPECT_EQ(c.windows->whole, c.windows->all);
    EXPECT_FALSE(c.windows->switches);
}

/// With messages, complete runs, or in a short program, there are no windows.
TEST(Windows, AreNotAlwaysThere) {
    Subject const s(recorded_buffer("--safe", 2));
    for (auto const& [size, runs] :
         {std::pair(0U, Runs::executions), {1000U, Runs::executions}, {10U, Runs::complete}}) {
        CheckOptions options = windows_only(size);
        options.runs = runs;
        Context c(s.messages, options);
        look_through_windows(c);
        EXPECT_FALSE(c.windows) << size;
    }
    Subject const sends(R"((shared [x 0]) ( ( [a1 (sndi S 0 1 x)] [a2 (wait S)] [a3 (x := 1)] ) ( [b1 (x := 2)] ) )
        ( (a1 bot) (b1 bot) (a2 bot) (a3 bot) ))");
    CheckOptions const options = windows_only(2);
    Context c(sends.messages, options);
    look_through_windows(c);
    EXPECT_FALSE(c.windows);
}

} // namespace
} // namespace matchpoint::check
