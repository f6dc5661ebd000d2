#include "rma/search/races.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "rma/machine/schedule.hpp"
#include "tests/rma/program_of.hpp"

namespace matchpoint::rma {
namespace {

/// The races, and how to get there: "X is ... @ 2 r:2#1"; or whether there is none.
std::string races(std::string_view text, std::uint32_t pending = 3, std::size_t most = 100) {
    Program const program = program_of(text);
    CheckOptions options;
    options.pending = pending;
    RaceResult const found = find_races(program, options, most);
    if (found.races.empty()) return std::string(to_string(found.known));
    Graph const graph(program);
    Machine const machine(graph);
    std::string all;
    for (Race const& race : found.races)
        all += fmt::format("{}{} @ {}", all.empty() ? "" : "\n", print_race(machine, race),
                           print_schedule(machine, race.run));
    return all + (found.are_all ? "" : "\n...");
}

/// The first one.
std::string race(std::string_view text, std::uint32_t pending = 3) {
    std::string const all = races(text, pending);
    return all.substr(0, all.find('\n'));
}

/// Process 2 with the given statements, beside a process 1 with a shared Y.
std::string beside(std::string_view of_2, std::string_view of_1 = "") {
    return fmt::format("(rma (process 1 (shared (Y 1)) (local (y 0)) {})\n"
                       "(process 2 (shared (R 0) (X 2)) (local (r 0)) {}))",
                       of_1, of_2);
}

TEST(RmaRaces, ABufferIsUsedBeforeTheFlush) {
    EXPECT_EQ(race(beside("(put Y 1 X) (store X 3)")),
              "X is written by process 2, (store X 3), and read by 2#1, (put Y 1 X) @ 2");
    EXPECT_EQ(race(beside("(put Y 1 X) (load r X)")), "no");
    EXPECT_EQ(race(beside("(put Y 1 X) (flush 1) (store X 3)")), "no");
    EXPECT_EQ(race(beside("(get R Y 1) (load r R)")),
              "R is read by process 2, (load r R), and written by 2#1, (get R Y 1) @ 2 r:2#1");
}

TEST(RmaRaces, TheOwnerLooksAtWhatIsWritten) {
    EXPECT_EQ(race(beside("(put Y 1 X)", "(load y Y)")),
              "Y is read by process 1, (load y Y), and written by 2#1, (put Y 1 X) @ 2 r:2#1");
    EXPECT_EQ(race(beside("(get R Y 1)", "(load y Y)")), "no");
}

TEST(RmaRaces, TwoOperationsOfOneStatement) {
    EXPECT_EQ(race(beside("(while (< r 2) (put Y 1 X) (r := (+ r 1)))")),
              "Y is written by 2#1, (put Y 1 X), and written by 2#1, (put Y 1 X) @ 2 2 2 2 2 r:2#1 r:2#1");
    EXPECT_EQ(race(beside("(while (< r 2) (put Y 1 X) (flush 1) (r := (+ r 1)))")), "no");
    EXPECT_EQ(race(beside("(while (< r 2) (put Y 1 X) (r := (+ r 1)))"), 1), "unknown");
}

TEST(RmaRaces, TwoStatementsThatRaceForAVariableAreThereOnce) {
    std::string const two = beside("(put Y 1 X) (store X 3) (get R Y 1) (load r R)", "(load y Y)");
    EXPECT_EQ(races(two), "Y is read by process 1, (load y Y), and written by 2#1, (put Y 1 X) @ 2 r:2#1\n"
                          "X is written by process 2, (store X 3), and read by 2#1, (put Y 1 X) @ 2\n"
                          "R is read by process 2, (load r R), and written by 2#2, (get R Y 1) @ 2 2 2 r:2#2\n"
                          "Y is read by 2#2, (get R Y 1), and written by 2#1, (put Y 1 X) @ 2 2 2 r:2#1");
    EXPECT_EQ(races(two, 3, 2), "Y is read by process 1, (load y Y), and written by 2#1, (put Y 1 X) @ 2 r:2#1\n"
                                "X is written by process 2, (store X 3), and read by 2#1, (put Y 1 X) @ 2\n...");
}

TEST(RmaRaces, RemoteAtomicsDoNotRaceWithEachOther) {
    std::string const two_counters = beside("(fetch-and-op R Y 1 + X)", "(accumulate Y 1 + Y)");
    EXPECT_EQ(race(two_counters),
              "Y is read by 1#1, (accumulate Y 1 + Y), and written by 2#1, (fetch-and-op R Y 1 + X) @ 1 2")
        << "its operand is no atomic access";
    EXPECT_EQ(race(beside("(fetch-and-op R Y 1 + X) (accumulate Y 1 + X)")), "no");
    EXPECT_EQ(race(beside("(fetch-and-op R Y 1 + X) (get X Y 1)")).substr(0, 4), "Y is");
    EXPECT_EQ(race(beside("(accumulate Y 1 + X) (put Y 1 X)")),
              "Y is written by 2#2, (put Y 1 X), and written by 2#1, (accumulate Y 1 + X) @ 2 2 r:2#2");
    EXPECT_EQ(race(beside("(fetch-and-op R Y 1 no-op X) (get X Y 1)")), "no");
}

TEST(RmaRaces, AnAtomicHoldsUpAnotherProcess) {
    EXPECT_EQ(race(beside("(atomic (put Y 1 X) (flush 1))", "(atomic (load y Y))")), "no");
    EXPECT_EQ(race(beside("(put Y 1 X) (flush 1)", "(atomic (load y Y))")).substr(0, 4), "Y is");
}

} // namespace
} // namespace matchpoint::rma
