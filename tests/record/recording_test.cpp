#include "record/recording.hpp"

#include <gtest/gtest.h>

#include "record/schedule.hpp"
#include "record/standstill.hpp"
#include "record/verify.hpp"

namespace matchpoint::record {

namespace {

class NoLines : public Resolver {
public:
    SourceLine line(std::string const&, std::uint64_t) override { return {}; }
};

/// Recordings of ranks 0, 1, ... of one communicator.
Recording read(std::vector<std::string> const& ranks) {
    std::string members;
    for (std::size_t i = 0; i < ranks.size(); ++i) members += " " + std::to_string(i);
    std::vector<Source> files;
    for (std::size_t i = 0; i < ranks.size(); ++i)
        files.emplace_back("rank", "matchpoint-mpi 1\nrank " + std::to_string(i) + " " + std::to_string(ranks.size()) +
                                       "\ncomm 0 0" + members + "\n" + ranks[i]);
    NoLines lines;
    return read_recording(files, lines);
}

std::string program(Recording const& recording) { return draft::print(recording.program); }

std::string first_fault(Recording const& recording) {
    for (Diagnostics const& faults : recording.faults)
        if (!faults.empty()) return faults.front().message;
    return "";
}

} // namespace

TEST(Recording, ARaceOfTwoMessages) {
    Recording const r =
        read({"recv 0 0 0 * *\nwait 0 0\ngot 0 2 5 7\nrecv 1 0 0 * *\nwait 0 1\ngot 1 1 0 8\nend\n",
              "send 0 0 s 0 0 0 8\nwait 0 0\nsent 0\nend\n", "send 0 0 s 0 0 5 7\nwait 0 0\nsent 0\nend\n"});
    ASSERT_TRUE(r.is_readable()) << first_fault(r);
    EXPECT_EQ(program(r), "( ( [00 (rcvi R0_0 0 x0_0)]\n"
                          "    [01 (wait R0_0)]\n"
                          "    [02 (rcvi R0_1 0 x0_1)]\n"
                          "    [03 (wait R0_1)] bot )\n"
                          "  ( [10 (sndi S1_0 1 0 8)]\n"
                          "    [11 (wait S1_0)] bot )\n"
                          "  ( [20 (sndi S2_0 2 0 7 (tag 5))]\n"
                          "    [21 (wait S2_0)] bot ) )\n");
    EXPECT_TRUE(r.has_concrete_values);
    std::vector<NamedMatch> const expected{{"R0_0", "S2_0"}, {"R0_1", "S1_0"}};
    EXPECT_EQ(matches_of(r), expected);
}

/// Messages of one sender with one tag are taken in the order of the receives, whatever comes between them.
TEST(Recording, MatchesGoByTag) {
    Recording const r = read(
        {"recv 0 0 0 1 2\nrecv 1 0 0 1 *\nrecv 2 0 0 1 2\nwait 0 0 1 2\ngot 0 1 2 0\ngot 1 1 1 0\ngot 2 1 2 0\nend\n",
         "send 0 0 s 0 0 1 0\nsend 1 0 s 0 0 2 0\nsend 2 0 s 0 0 2 0\nend\n"});
    ASSERT_TRUE(r.is_readable()) << first_fault(r);
    std::vector<NamedMatch> const expected{{"R0_0", "S1_1"}, {"R0_1", "S1_0"}, {"R0_2", "S1_2"}};
    EXPECT_EQ(matches_of(r), expected);
}

TEST(Recording, ExpressionsStandWhereTheyAreUsed) {
    Recording const r =
        read({"recv 0 0 0 1 0\nwait 0 0\ngot 0 1 0 4\nlet 1 * 2 x0\nlet 2 + v1 -1\nlet 3 = v2 7\nassume 0 0 v3\n"
              "send 1 0 s 0 1 0 v2\nlet 4 not v3 0\nassert 0 1 v4\nassert 0 1 -\nassert 0 0 -\nend\n",
              "send 0 0 s 0 0 0 =4\nrecv 1 0 0 0 0\nwait 0 1\ngot 1 0 0 7\nend\n"});
    ASSERT_TRUE(r.is_readable()) << first_fault(r);
    std::string const text = program(r);
    EXPECT_NE(text.find("(assume (not (= (+ (* 2 x0_0) -1) 7)))"), std::string::npos) << text;
    EXPECT_NE(text.find("(sndi S0_1 0 1 (+ (* 2 x0_0) -1))"), std::string::npos) << text;
    EXPECT_NE(text.find("(assert (not (= (+ (* 2 x0_0) -1) 7)))"), std::string::npos) << text;
    EXPECT_NE(text.find("(assert false)"), std::string::npos) << text;
    EXPECT_FALSE(r.has_concrete_values);
    EXPECT_EQ(r.concrete_assertions, 1u);
}

/// Doubling a number thirty times is a small program, not an expression of a billion nodes.
TEST(Recording, LargeExpressionsGetVariables) {
    std::string rank = "recv 0 0 0 1 0\nwait 0 0\ngot 0 1 0 1\nlet 1 + x0 x0\n";
    for (int i = 2; i <= 30; ++i)
        rank += "let " + std::to_string(i) + " + v" + std::to_string(i - 1) + " v" + std::to_string(i - 1) + "\n";
    Recording const r = read({rank + "assert 0 1 v30\nend\n", "send 0 0 s 0 0 0 1\nend\n"});
    ASSERT_TRUE(r.is_readable()) << first_fault(r);
    EXPECT_LT(program(r).size(), 5000u);
}

TEST(Recording, WhatNothingWaitsForIsLeftOut) {
    // The first receive is completed by the wait for the second, the third by none.
    Recording const r = read({"recv 0 0 0 * *\nrecv 1 0 0 1 0\nwait 0 1\ngot 1 1 0 2\nrecv 2 0 0 * *\nend\n",
                              "send 0 0 s 0 0 0 1\nsend 1 0 s 0 0 0 2\nend\n"});
    ASSERT_TRUE(r.is_readable()) << first_fault(r);
    EXPECT_NE(program(r).find("R0_0"), std::string::npos);
    EXPECT_EQ(program(r).find("R0_2"), std::string::npos);
    ASSERT_EQ(r.remarks.size(), 1u);
    EXPECT_TRUE(r.gaps.empty());
}

TEST(Recording, AllRanksHaveToBeThere) {
    NoLines lines;
    Source const file("rank", "matchpoint-mpi 1\nrank 1 3\nend\n");
    EXPECT_EQ(first_fault(read_recording({&file, 1}, lines)), "1 of 3 ranks have a recording");
}

TEST(Recording, Faults) {
    EXPECT_EQ(first_fault(read({"what 1\n"})), "`what` is no line of a recording");
    EXPECT_EQ(first_fault(read({"got 3 0 0 0\n"})), "3 is no receive of this rank");
    EXPECT_EQ(first_fault(read({"send 0 0 s 4 0 0 1\n"})), "communicator 4 is not known");
    EXPECT_EQ(first_fault(read({"send 0 9 s 0 0 0 1\n"})), "place 9 is not known");
    EXPECT_EQ(first_fault(read({"let 1 ? 1 2\n"})), "`?` is no operator");
    EXPECT_EQ(first_fault(read({"seen 0 0\n"})), "`seen` without a probe");
    EXPECT_NE(first_fault(read({"send 0 0 s 0\n"})), "");
    EXPECT_NE(first_fault(read({"send 0 0 s 0 0 0 1 2\n"})), "");
}

/// Each prefix of a recording is one, and keeps the rules of discipline.
TEST(Recording, PrefixesAreRecordings) {
    std::string const whole =
        "recv 0 0 0 * *\nprobe 0 0 1 *\nseen 1 3\nrecv 1 0 0 1 3\nwait 0 1\ngot 1 1 3 0\nwait 0 0\ngot 0 1 0 0\n"
        "coll 2 0 MPI_Barrier 0 -1 -\ndone 2 -\ncoll 3 0 MPI_Reduce 0 0 -\ndone 3 -\nend\n";
    for (std::size_t size = 0; size <= whole.size(); ++size) {
        Recording const r = read({whole.substr(0, size) + std::string(7, '\0'),
                                  "send 0 0 s 0 0 3 0\nsend 1 0 s 0 0 0 0\ncoll 2 0 MPI_Barrier 0 -1 -\ndone 2 -\ncoll "
                                  "3 0 MPI_Reduce 0 0 5\ndone 3 -\nend\n"});
        ASSERT_TRUE(r.is_readable()) << size << ": " << first_fault(r);
        EXPECT_EQ(r.program.threads.size(), 2u);
    }
}

TEST(Standstill, OfTwoReceives) {
    Recording const r = read({"recv 0 0 0 1 0\nwait 0 0\n", "recv 0 0 0 0 0\nwait 0 0\n"});
    EXPECT_EQ(r.ranks[0].end, RankEnd::blocked);
    EXPECT_TRUE(is_stuck(r));
}

TEST(Recording, ManyReceivesThatNobodyWaitsFor) {
    constexpr int n = 100'000;
    std::string rank = "recv 0 0 0 1 0\nrecv 1 0 0 * 0\nrecv 2 0 0 1 *\n"; // completed by the wait for the last one
    for (int i = 3; i < n; ++i) rank += "recv " + std::to_string(i) + " 0 0 1 " + std::to_string(i) + "\n";
    std::string const last = "recv 100000 0 0 1 0\nwait 0 100000\ngot 100000 1 0 7\n";
    std::string const sends = "send 0 0 s 0 0 0 7\nwait 0 0\nsent 0\nend\n";
    Recording const r = read({rank + last + "recv 100001 0 0 1 0\nend\n", sends});
    EXPECT_EQ(r.gaps.size(), std::size_t{n - 3});
    EXPECT_EQ(r.remarks.size(), 1u); // behind the last one that is waited for
}

TEST(Standstill, NotWhereAMessageIsOnItsWay) {
    Recording const r = read({"recv 0 0 0 1 0\nwait 0 0\n", "send 0 0 s 0 0 0 1\nwait 0 0\nsent 0\nend\n"});
    EXPECT_FALSE(is_stuck(r));
}

TEST(Standstill, WhereTheMessageWasTakenByAnotherReceive) {
    Recording const r =
        read({"recv 0 0 0 * *\nwait 0 0\ngot 0 1 0 1\nrecv 1 0 0 1 *\nwait 0 1\n",
              "send 0 0 s 0 0 0 1\nwait 0 0\nsent 0\nend\n", "send 0 0 s 0 0 0 2\nwait 0 0\nsent 0\nend\n"});
    EXPECT_TRUE(is_stuck(r));
}

/// A send waits until a receive takes its message; that it could be buffered does not help it.
TEST(Standstill, OfSends) {
    std::string const head_to_head = "wait 0 0\n";
    Recording const stuck = read({"send 0 0 s 0 1 0 1\nwait 0 0\n", "send 0 0 s 0 0 0 1\nwait 0 0\n"});
    EXPECT_TRUE(is_stuck(stuck));
    Recording const slow = read({"send 0 0 s 0 1 0 1\nwait 0 0\n", "recv 0 0 0 0 *\nsend 1 0 s 0 0 0 1\nwait 0 1\n"});
    EXPECT_FALSE(is_stuck(slow));
}

TEST(Standstill, OfBarriers) {
    std::string const barrier = "coll 0 0 MPI_Barrier 0 -1 -\n";
    Recording const slow = read({barrier, barrier});
    EXPECT_FALSE(is_stuck(slow));
    Recording const stuck = read({barrier, "recv 0 0 0 0 0\nwait 0 0\n"});
    EXPECT_TRUE(is_stuck(stuck));
    Recording const finished = read({barrier, "end\n"});
    EXPECT_TRUE(is_stuck(finished));
}

/// A receive that is posted stays so, whatever the rank waits for.
TEST(Standstill, OfABarrierWithAReceivePosted) {
    Recording const r = read({"recv 0 0 0 * *\ncoll 1 0 MPI_Barrier 0 -1 -\n", "send 0 0 S 0 0 0 1\nwait 0 0\n"});
    ASSERT_TRUE(r.is_readable()) << first_fault(r);
    EXPECT_FALSE(is_stuck(r)); // the send can go on
    Recording const stuck = read({"recv 0 0 0 * *\ncoll 1 0 MPI_Barrier 0 -1 -\n", "recv 0 0 0 0 0\nwait 0 0\n"});
    ASSERT_TRUE(stuck.is_readable()) << first_fault(stuck);
    EXPECT_TRUE(is_stuck(stuck));
}

TEST(Standstill, NotWhereARankComputes) {
    Recording const r = read({"recv 0 0 0 1 0\nwait 0 0\n", "recv 0 0 0 0 0\n"});
    EXPECT_FALSE(is_stuck(r));
}

TEST(Paths, OfRecordings) {
    std::string const sender = "send 0 0 s 0 0 0 1\nend\n";
    auto const of = [&](std::string const& zero) { return read({zero, sender}).program; };
    draft::Draft const a = of("recv 0 0 0 * *\nwait 0 0\ngot 0 1 0 1\nsend 1 0 s 0 1 0 5\nend\n");
    EXPECT_TRUE(same_path(a, of("recv 0 0 0 * *\nwait 0 0\ngot 0 1 0 1\nsend 1 0 s 0 1 0 6\nend\n"))); // another number
    EXPECT_TRUE(same_path(a, of("recv 0 0 0 * *\nwait 0 0\n")));                                       // a beginning
    EXPECT_FALSE(same_path(a, of("recv 0 0 0 1 *\nwait 0 0\ngot 0 1 0 1\nend\n")));
    EXPECT_FALSE(same_path(a, of("recv 0 0 0 * *\nwait 0 0\ngot 0 1 0 1\nsend 1 0 s 0 1 3 5\nend\n")));
}

TEST(Schedules, OfARecording) {
    draft::Draft const program =
        read({"recv 0 0 0 * *\nwait 0 0\ngot 0 1 4 1\nend\n", "send 0 0 s 0 0 4 1\nend\n"}).program;
    auto const schedule = MatchSchedule::of(program, {{"R0_0", "S1_0"}}, Buffering::zero);
    ASSERT_TRUE(schedule);
    EXPECT_EQ(schedule->text(),
              "matchpoint-schedule 1\nsynchronous\nrecv 0 0 -1 -1\ntake 0 0 1 4\ndone 0 0\nsend 1 0 0 4\n");
    Recording const other = read({"recv 0 0 0 * *\nwait 0 0\ngot 0 1 3 1\nend\n", "send 0 0 s 0 0 3 1\nend\n"});
    auto const followed = schedule->followed_by(other);
    ASSERT_EQ(followed.differences.size(), 1u);
    EXPECT_EQ(followed.differences[0].tag, 3);
}

} // namespace matchpoint::record
