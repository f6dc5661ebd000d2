// Windows of runs (check/shared/window.hpp), against the naive exploration of the same commands from the same state on.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <numeric>

#include <fmt/format.h>

#include "check/engines/engines.hpp"
#include "check/shared/window.hpp"
#include "tests/support/naive_shared.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/shared_programs.hpp"
#include "tests/support/shared_verdicts.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::naive {
namespace {

/// What the naive exploration finds in the windows of a run.
struct InWindows {
    bool fails = false;    // some window, or the run itself
    std::size_t count = 0; // windows
};

/// The first commands of each thread, so many more than the state has executed.
Program cut(Program program, State const& at, std::vector<std::size_t> const& commands) {
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
        auto& thread = program.threads[t];
        thread.resize(std::min(thread.size(), at.next[t] + commands[t]));
    }
    return program;
}

/// The next states of a run, which stays on the path.
State after(Program const& program, State state, Trace const& run, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) state = std::get<State>(step(program, std::move(state), run[i], false));
    return state;
}

std::size_t thread_of(Program const& program, std::string const& location) {
    for (std::size_t t = 0; t < program.threads.size(); ++t)
        for (auto const& command : program.threads[t])
            if (command.location == location) return t;
    throw std::logic_error("no such location");
}

/// None if a window is too large.
std::optional<InWindows> explore_windows(Program const& program, Trace const& run, std::size_t size,
                                         std::vector<std::size_t> const& starts) {
    InWindows result;
    State state = initial_state(program);
    std::size_t before = 0;
    for (std::size_t const first : starts) {
        state = after(program, std::move(state), run, before, first);
        before = first;
        // Then the run itself fails, and no later window is looked at.
        if (state.s != Status::success) return InWindows{true, result.count};
        std::size_t const last = std::min(run.size(), first + size);
        std::vector<std::size_t> commands(program.threads.size());
        for (std::size_t i = first; i < last; ++i) ++commands[thread_of(program, run[i].location)];
        ++result.count;
        auto const truth = explore_shared_from(cut(program, state, commands), false, state, 20'000);
        if (!truth) return std::nullopt;
        result.fails = result.fails || truth->fails;
    }
    return result;
}

/// Windows of so many events of a run: some execution fails in one exactly if the naive exploration says so, all of
/// them are looked at as a whole if none does, and what is found has been run on the reference machine.
void expect_right(Program const& program, Trace const& run, std::size_t size, Tally& tally) {
    Loaded const loaded = load(to_text(program, {run}));
    MessageIndex const messages(*loaded.code);
    std::vector<Location> events;
    for (TraceEntry const& entry : run) events.push_back(loaded.location(entry.location));
    auto const truth = explore_windows(program, run, size, window_starts(messages, events, size));
    ++tally[truth ? "runs" : "too large"];
    if (!truth) return;
    std::string const text = fmt::format("{}windows of {}", to_text(program, {run}), size);
    CheckOptions options;
    options.window = static_cast<std::uint32_t>(size);
    options.window_time = std::chrono::seconds(10);
    check::Context c(messages, options);
    look_through_windows(c);
    EXPECT_EQ(c.known.failure().has_value(), truth->fails) << text;
    if (c.known.failure()) {
        Machine machine(*loaded.code, options.buffering);
        auto const outcome = machine::run(machine, c.known.failure()->schedule, Extent::prefix);
        EXPECT_TRUE(outcome.s == machine::Status::failure && !outcome.error) << text;
        ++tally["windows that fail"];
    } else {
        ASSERT_TRUE(c.windows) << text;
        EXPECT_EQ(c.windows->all, truth->count) << text;
        EXPECT_EQ(c.windows->looked_at, truth->count) << text;
        EXPECT_EQ(c.windows->whole, truth->count) << text;
        EXPECT_FALSE(c.windows->switches) << text;
        if (truth->count > 1) ++tally["runs of several windows"];
    }
    // What these say was replayed when it was added.
    if (c.known.reached(Stop::deadlock).answer == check::Reached::Answer::yes) ++tally["deadlocks"];
    if (c.known.reached(Stop::fault).answer == check::Reached::Answer::yes &&
        check::Question(messages, options).can_fault())
        ++tally["faults"];
    if (!c.known.is_race_open()) ++tally["data races"];
}

/// Windows of one to three events, and half of the run.
void expect_right(Program const& program, Trace const& run, Tally& tally) {
    std::size_t const commands = std::accumulate(program.threads.begin(), program.threads.end(), std::size_t{0},
                                                 [](std::size_t n, auto const& t) { return n + t.size(); });
    if (run.empty()) return;
    for (std::size_t size = 1; size < std::min<std::size_t>(commands, 6); ++size)
        expect_right(program, run, size, tally);
}

bool has_messages(Program const& program) {
    return std::any_of(program.threads.begin(), program.threads.end(), [](auto const& thread) {
        return std::any_of(thread.begin(), thread.end(), [](auto const& command) {
            return std::holds_alternative<Sndi>(command.what) || std::holds_alternative<Rcvi>(command.what);
        });
    });
}

TEST(Windows, SmallPrograms) {
    Tally tally;
    auto const ask = [&](std::size_t threads, std::size_t commands, std::size_t thinned) {
        for_each_small_shared_program(threads, commands, every(thinned), [&](Program const& program) {
            std::size_t left = 3; // runs
            for_each_complete_trace(program, false, [&](Trace const& run) {
                Case const c{program, run, false};
                expect_right(program, on_path(c), tally);
                return --left > 0 && !testing::Test::HasFailure();
            });
        });
    };
    ask(2, 3, 1);
    ask(2, 4, 20);
    ask(3, 4, 20);
    print(std::cout, tally);
    for (char const* const what : {"windows that fail", "runs of several windows"}) EXPECT_GT(tally[what], 0U) << what;
}

/// Also with locks, guards that wait, divisions, and local variables that are set before the window.
TEST(Windows, RandomPrograms) {
    Tally tally;
    for (std::size_t i = 0; i < cases(1'500) && !testing::Test::HasFailure(); ++i) {
        Case const c = shared_case(seeded(81), i);
        if (!has_messages(c.program)) expect_right(c.program, on_path(c), tally);
    }
    print(std::cout, tally);
    if (every() > 1) return; // in a few programs, no rare kind is sure
    for (char const* const what : {"windows that fail", "runs of several windows", "deadlocks", "data races"})
        EXPECT_GT(tally[what], 0U) << what;
}

} // namespace
} // namespace matchpoint::naive
