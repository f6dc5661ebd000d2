#include "record/choices.hpp"

#include <gtest/gtest.h>

#include "tests/support/recordings.hpp"

namespace matchpoint::record {

namespace {

/// Three ranks: this one, and two that each send it a message with tag 0.
Recording read_zero(std::string const& zero) {
    std::string const sends = "send 0 0 s 0 0 0 1\nwait 0 0\nsent 0\nend\n";
    test::NoLines lines;
    return read_recording(test::files_of_ranks({zero, sends, sends}), lines);
}

/// The commands of rank 0.
std::string commands_of_zero(Recording const& r) {
    EXPECT_TRUE(r.is_readable());
    std::string const text = draft::print({.threads = {r.program.threads[0]}});
    std::string result;
    for (std::size_t at = text.find('['); at != std::string::npos; at = text.find('[', at + 1)) {
        std::size_t const begin = text.find(' ', at) + 1;
        std::size_t end = text.find("]\n", at);
        if (end == std::string::npos) end = text.find("] bot", at);
        result += (result.empty() ? "" : " ") + text.substr(begin, end - begin);
    }
    return result;
}

constexpr std::uint64_t steps = 100'000;

/// What can come out otherwise, in words, as far as some execution gets there.
std::vector<std::string> possible(Recording const& r, std::uint64_t rounds = 1) {
    std::vector<std::string> result;
    for (Alternative const& a : alternatives(r.program, rounds).all)
        if (way_to(r.program, a, steps, nullptr).beginning) result.push_back(a.key);
    return result;
}

/// The lines of rank 0 about choices, in a schedule that leads to an alternative.
std::string scheduled(Recording const& r, std::size_t n) {
    Alternative const a = alternatives(r.program, 1).all[n];
    WayTo const way = way_to(r.program, a, steps, nullptr);
    if (!way.beginning) return "no way";
    std::string const text =
        MatchSchedule::of(r.program, way.matches, Buffering::infinite, {}, &*way.beginning)->text();
    std::string result;
    for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
        end = text.find('\n', at);
        std::string const line = text.substr(at, end - at);
        if (line.starts_with("poll 0") || line.starts_with("done 0") || line.starts_with("also 0"))
            result += line + "\n";
    }
    return result;
}

using Keys = std::vector<std::string>;

std::string const two_receives = "recv 0 0 0 1 0\nrecv 1 0 0 2 0\n";
std::string const waits = "wait 0 0 1\ngot 0 1 0 1\ngot 1 2 0 1\nend\n";

} // namespace

TEST(Choices, WhatIsRecorded) {
    EXPECT_EQ(commands_of_zero(read_zero(two_receives + "any 0 0 1\ngot 1 2 0 1\nwait 0 0\ngot 0 1 0 1\nend\n")),
              "(rcvi R0_0 0 x0_0 (from 1)) (rcvi R0_1 0 x0_1 (from 2)) (wait R0_1 (among R0_0 R0_1)) (wait R0_0)");
    EXPECT_EQ(commands_of_zero(read_zero(two_receives + "some 0 0 1\ngot 0 1 0 1\ngot 1 2 0 1\nend\n")),
              "(rcvi R0_0 0 x0_0 (from 1)) (rcvi R0_1 0 x0_1 (from 2)) (wait R0_0 (some R0_0 R0_1)) "
              "(wait R0_1 (some R0_0 R0_1))");
    EXPECT_EQ(commands_of_zero(
                  read_zero("recv 0 0 0 1 0\npoll 0 0 one 000000000007 0\npolled 0 0 one 0\ngot 0 1 0 1\nend\n")),
              "(rcvi R0_0 0 x0_0 (from 1)) (test R0_0 false 7) (test R0_0 true 7) (wait R0_0)");
    EXPECT_EQ(commands_of_zero(read_zero(
                  two_receives +
                  "poll 0 0 all 000000000001 0 1\npolled 1 0 among 0 1\ngot 0 1 0 1\nwait 0 1\ngot 1 2 0 1\nend\n")),
              "(rcvi R0_0 0 x0_0 (from 1)) (rcvi R0_1 0 x0_1 (from 2)) (test (all R0_0 R0_1) false) "
              "(test (among R0_0 R0_1) true) (wait R0_0 (among R0_0 R0_1)) (wait R0_1)");
    EXPECT_EQ(commands_of_zero(read_zero("poll 0 0 seen 000000000002 0 1 *\n" + two_receives + waits)).substr(0, 35),
              "(iprobe I0_0 0 (from 1) false 2) (r");
    // The line that counts was out of reach.
    EXPECT_EQ(
        commands_of_zero(read_zero(
            "recv 0 0 0 1 0\npoll 0 0 one 000000000007 0\npoll 0 0 one 000000000009 0\nwait 0 0\ngot 0 1 0 1\nend\n")),
        "(rcvi R0_0 0 x0_0 (from 1)) (test R0_0 false 9) (wait R0_0)");
    // The rank has left the schedule between two tests, or while it waits: that is no call.
    EXPECT_EQ(commands_of_zero(read_zero(
                  "recv 0 0 0 1 0\npoll 0 0 one 000000000001 0\noff 0 0\npolled 0 0 one 0\ngot 0 1 0 1\nend\n")),
              "(rcvi R0_0 0 x0_0 (from 1)) (test R0_0 false) (test R0_0 true 1) (wait R0_0)");
    EXPECT_EQ(
        commands_of_zero(read_zero(two_receives + "any 0 0 1\noff 1 0\ngot 1 2 0 1\nwait 0 0\ngot 0 1 0 1\nend\n")),
        "(rcvi R0_0 0 x0_0 (from 1)) (rcvi R0_1 0 x0_1 (from 2)) (wait R0_1 (among R0_0 R0_1)) (wait R0_0)");
}

TEST(Choices, AnotherRequest) {
    Recording const any = read_zero(two_receives + "any 0 0 1\ngot 1 2 0 1\nwait 0 0\ngot 0 1 0 1\nend\n");
    EXPECT_EQ(possible(any), Keys{"0 2 R0_0"});
    EXPECT_EQ(scheduled(any, 0), "done 0 0\n");
    Recording const some = read_zero(two_receives + "some 0 0 1\ngot 0 1 0 1\nwait 0 1\ngot 1 2 0 1\nend\n");
    EXPECT_EQ(possible(some), (Keys{"0 2 R0_1", "0 3 also R0_1"}));
    EXPECT_EQ(scheduled(some, 1), "done 0 0\nalso 0 1\n");
    Recording const both = read_zero(two_receives + "some 0 0 1\ngot 0 1 0 1\ngot 1 2 0 1\nend\n");
    EXPECT_EQ(possible(both), (Keys{"0 2 R0_1", "0 3 no more"}));
    EXPECT_EQ(scheduled(both, 1), "done 0 0\n");
}

/// A message that only comes after the choice cannot be chosen.
TEST(Choices, OnlyWhatAnExecutionHas) {
    std::string const late =
        "recv 0 0 0 1 0\nrecv 1 0 0 1 1\nany 0 0 1\ngot 0 1 0 1\nsend 2 0 s 0 1 0 1\nwait 0 1\ngot 1 1 1 1\nend\n";
    test::NoLines lines;
    Recording const r = read_recording(
        test::files_of_ranks(
            {late, "send 0 0 s 0 0 0 1\nrecv 1 0 0 0 0\nwait 0 1\ngot 1 0 0 1\nsend 2 0 s 0 0 1 1\nend\n"}),
        lines);
    EXPECT_EQ(alternatives(r.program, 1).all.size(), 1u);
    EXPECT_TRUE(possible(r).empty());
}

TEST(Choices, Tests) {
    Recording const failed = read_zero("recv 0 0 0 1 0\npoll 0 0 one 000000000007 0\nwait 0 0\ngot 0 1 0 1\nend\n");
    EXPECT_EQ(possible(failed), Keys{"0 1 true"});
    EXPECT_EQ(scheduled(failed, 0), "poll 0 0 0 succeeds\ndone 0 0\n");
    Recording const succeeded = read_zero("recv 0 0 0 1 0\npolled 0 0 one 0\ngot 0 1 0 1\nend\n");
    EXPECT_EQ(possible(succeeded, 2), (Keys{"0 1 false 1", "0 1 false 2"}));
    EXPECT_TRUE(possible(succeeded, 0).empty());
    EXPECT_EQ(scheduled(succeeded, 0), "poll 0 0 1 succeeds\n");
    Recording const later =
        read_zero("recv 0 0 0 1 0\npoll 0 0 one 000000000007 0\npolled 0 0 one 0\ngot 0 1 0 1\nend\n");
    EXPECT_EQ(possible(later), (Keys{"0 1 true", "0 2 false 1"}));
    EXPECT_EQ(scheduled(later, 1), "poll 0 0 7 free\npoll 0 0 8 succeeds\n");
    // Nobody sends such a message.
    EXPECT_TRUE(possible(read_zero("poll 0 0 seen 000000000001 0 1 5\n" + two_receives + waits)).empty());
    EXPECT_EQ(possible(read_zero("poll 0 0 seen 000000000001 0 1 0\n" + two_receives + waits)), Keys{"0 0 true"});
}

/// A replay of the path repeats what depended on time.
TEST(Choices, AreRepeated) {
    Recording const r =
        read_zero("recv 0 0 0 1 0\npoll 0 0 one 000000000007 0\npolled 0 0 one 0\ngot 0 1 0 1\npolled 1 0 seen 0 2 *\n"
                  "recv 1 0 0 2 0\npoll 2 0 one 000000000001 1\nwait 0 1\ngot 1 2 0 1\nend\n");
    std::string const text = MatchSchedule::of(r.program, {}, Buffering::infinite)->text();
    EXPECT_NE(text.find("poll 0 0 7 succeeds\npoll 0 1 0 succeeds\npoll 0 2 1 fails\n"), std::string::npos) << text;
}

/// How often a loop went round does not make another path, but whether its first test succeeded does.
TEST(Choices, Paths) {
    auto const of = [](std::string const& tests) {
        return read_zero("recv 0 0 0 1 0\n" + tests + "got 0 1 0 1\nend\n").program;
    };
    draft::Draft const at_once = of("polled 0 0 one 0\n");
    draft::Draft const later = of("poll 0 0 one 000000000001 0\npolled 0 0 one 0\n");
    EXPECT_FALSE(same_path(at_once, later));
    EXPECT_TRUE(same_path(later, of("poll 0 0 one 000000009999 0\npolled 0 0 one 0\n")));
    Alternative const a = alternatives(at_once, 1).all.at(0);
    WayTo const way = way_to(at_once, a, steps, nullptr);
    EXPECT_TRUE(has(at_once, later, a, *way.beginning));
    EXPECT_FALSE(has(at_once, at_once, a, *way.beginning));
    draft::Draft const one = read_zero(two_receives + "some 0 0 1\ngot 0 1 0 1\nsome 0 1\ngot 1 2 0 1\nend\n").program;
    draft::Draft const both = read_zero(two_receives + "some 0 0 1\ngot 0 1 0 1\ngot 1 2 0 1\nend\n").program;
    EXPECT_FALSE(same_path(one, both));
}

} // namespace matchpoint::record
