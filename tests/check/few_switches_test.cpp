// How far check() gets with programs whose executions are too many: context switches, and deadlocks beside data races.
#include <gtest/gtest.h>

#include "check/check.hpp"
#include "programs/families.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/subjects.hpp"

namespace matchpoint::check {
namespace {

using test::Subject;

/// A generated program.
std::string family(std::string_view name, std::vector<std::uint64_t> numbers, std::string variant = {}) {
    programs::families::Arguments arguments;
    arguments.numbers = std::move(numbers);
    arguments.variant = std::move(variant);
    auto const made = make(*programs::families::find(name), arguments);
    return programs::draft::print(made->draft);
}

/// Five context switches are needed, and few executions with fewer are tried: each thread has to finish before the
/// assertion can fail.
TEST(FewSwitches, ThreadsThatHaveToGoOn) {
    Subject const s(family("counter", {4, 50}));
    CheckOptions options;
    options.switches = true;
    options.steps = 20'000;
    CheckResult const result = check(s.messages, options);
    EXPECT_EQ(result.verdict, Verdict::violated);
    ASSERT_TRUE(result.switches);
    EXPECT_EQ(result.switches->least, 5U);
    EXPECT_EQ(result.switches->most, 5U);
}

/// Three context switches of 10,800 commands: all other steps are left out.
TEST(FewSwitches, OfARecording) {
    Subject const s(family("recorded-buffer", {4, 4, 150, 8}, "--safe"));
    CheckOptions options;
    options.stops = options.leaves_path = false;
    options.steps = 100'000;
    options.window = 0;
    options.without = {"short-exploration", "interleavings", "invariants", "sat", "exploration", "races"};
    CheckResult const result = check(s.messages, options);
    EXPECT_EQ(result.verdict, Verdict::unknown);
    ASSERT_FALSE(result.trouble.empty());
    auto const last = result.trouble.back().what;
    std::string const begins = "no execution with at most ";
    ASSERT_TRUE(last.starts_with(begins)) << last;
    EXPECT_GE(std::stoul(last.substr(begins.size())), 3U) << last;
}

/// All threads race for the number of items. With short steps, the exploration takes millions of them.
TEST(FewSwitches, DeadlocksBesideARace) {
    Subject const s(family("bounded-buffer", {4, 4, 20}, "--safe"));
    CheckOptions options;
    options.steps = 300'000;
    CheckResult const result = check(s.messages, options);
    EXPECT_EQ(result.deadlock.answer, Reached::Answer::no);
    EXPECT_EQ(result.race->answer, Reached::Answer::yes);
}

} // namespace
} // namespace matchpoint::check
