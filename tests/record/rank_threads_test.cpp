#include "record/rank_threads.hpp"

#include <gtest/gtest.h>

#include "record/findings.hpp"
#include "record/rerun.hpp"
#include "tests/support/recordings.hpp"

namespace matchpoint::record {

namespace {

/// Recordings of ranks 0, 1, ... of one communicator. What they did begins in line 4.
Recording read_apart(std::vector<std::string> const& ranks, Threads threads = Threads::apart) {
    test::NoLines lines;
    return read_recording(test::files_of_ranks(ranks), lines, Missing::refused, Tests::move, std::size_t{1} << 20U,
                          threads);
}

std::string const one_send = "send 0 0 s 0 0 0 8\nwait 0 0\nsent 0\nend\n";
std::string const first_calls = "probe 0 0 * 0\nstarted 1 0 3\nthread 1 0\nothers 0\nprobe 0 0 * 0\n";

std::string text_of(Recording const& r) { return draft::print(r.program); }
bool text_has(Recording const& r, std::string_view text) { return text_of(r).find(text) != std::string::npos; }

} // namespace

/// A thread of the program for each; it begins where it was created, and its probe saw what it saw.
TEST(RankThreads, TwoProbes) {
    Recording const r = read_apart(
        {first_calls + "thread 0 0\nseen 1 0\nrecv 0 0 0 1 0\nwait 0 0\ngot 0 1 0 8\njoins 0 1 0\nthread 1 0\n"
                       "seen 2 0\nrecv 1 0 0 2 0\nwait 0 1\ngot 1 2 0 8\nended 1\nthread 0 0\njoined 0 1\nend\n",
         one_send, one_send});
    ASSERT_TRUE(r.is_readable());
    EXPECT_TRUE(text_has(r, "(shared [started_0_1 0] [ended_0_1 0])")) << text_of(r);
    EXPECT_TRUE(text_has(r, "( ( [00 (started_0_1 := 1)]\n    [01 (probe P0_0 0 (source source0_0))]\n"
                            "    [02 (assume (= source0_0 1))]\n    [03 (rcvi R0_0 0 x0_0 (from 1))]\n"
                            "    [04 (wait R0_0)]\n    [05 (when (= ended_0_1 1))] bot )"))
        << text_of(r);
    EXPECT_TRUE(text_has(r, "( [30 (when (= started_0_1 1))]\n    [31 (probe P0_1 0 (source source0_1))]\n"
                            "    [32 (assume (= source0_1 2))]\n    [33 (rcvi R0_1 0 x0_1 (from 2))]\n"
                            "    [34 (wait R0_1)]\n    [35 (ended_0_1 := 1)] bot )"))
        << text_of(r);
    EXPECT_EQ(program_with_run(r).traces.size(), 1U);
    ASSERT_EQ(r.ranks[0].further.size(), 1U);
    EXPECT_EQ(r.ranks[0].further[0].thread, 3U);
    EXPECT_FALSE(r.seen.empty());
    EXPECT_EQ(r.seen.front().kind, FindingKind::probe_race);
    EXPECT_TRUE(r.seen.front().is_predicted);
}

/// Both saw the only message of a rank. One of them waits for ever, and the other one for its end.
TEST(RankThreads, Stuck) {
    std::string const both_have_seen = first_calls + "seen 1 0\nthread 0 0\nseen 1 0\nrecv 0 0 0 1 0\nwait 0 0\n"
                                                     "got 0 1 0 8\njoins 0 1 0\nthread 1 0\nrecv 1 0 0 1 0\nwait 0 1\n";
    Recording const r = read_apart({both_have_seen, one_send, one_send});
    ASSERT_TRUE(r.is_readable());
    EXPECT_EQ(r.ranks[0].end, RankEnd::blocked);
    EXPECT_EQ(r.ranks[0].blocked_in, "for the end of thread 3");
    EXPECT_EQ(r.ranks[0].further[0].blocked_in, "for a receive from rank 1, tag 0");
    EXPECT_EQ(standstill(r), Standstill::certain);
    bool is_said = false;
    for (Finding const& f : r.seen) is_said = is_said || (f.kind == FindingKind::probe_race && !f.is_predicted);
    EXPECT_TRUE(is_said);
    // A thread that has not called could send the message.
    Recording const helped = read_apart({both_have_seen + "others 1\n", one_send, one_send});
    EXPECT_EQ(helped.ranks[0].end, RankEnd::elsewhere);
    EXPECT_EQ(standstill(helped), Standstill::no);
}

/// What comes before the thread, or after its end, is no race.
TEST(RankThreads, OrderedProbes) {
    Recording const r =
        read_apart({"started 1 0 3\nthread 1 0\nothers 0\nprobe 0 0 * 0\nseen 1 0\nrecv 0 0 0 1 0\nwait 0 0\n"
                    "got 0 1 0 8\nended 1\njoins 0 1 0\njoined 0 1\nthread 0 0\nprobe 0 0 * 0\nseen 2 0\n"
                    "recv 1 0 0 2 0\nwait 0 1\ngot 1 2 0 8\nend\n",
                    one_send, one_send});
    ASSERT_TRUE(r.is_readable());
    EXPECT_TRUE(r.seen.empty());
}

/// Replays know one thread of each rank.
TEST(RankThreads, OneOnly) {
    Recording const r =
        read_apart({"probe 0 0 * 0\nseen 1 0\nrecv 0 0 0 1 0\nwait 0 0\ngot 0 1 0 8\nstarted 1 0 3\nthread 1 0\n"
                    "others 0\nprobe 0 0 * 0\nseen 2 0\nend\n",
                    one_send, one_send},
                   Threads::one_only);
    ASSERT_TRUE(r.is_readable());
    EXPECT_TRUE(r.ranks[0].breaks_off);
    EXPECT_FALSE(r.has_further_threads());
    ASSERT_EQ(r.gaps.size(), 1U);
    EXPECT_EQ(r.gaps[0].function, "recorder");
    EXPECT_EQ(r.program.threads.size(), 3U);
}

/// A value of another thread is that of the run. A request of another one cannot be told.
TEST(RankThreads, WhatThreadsShare) {
    std::string const one_sender = "send 0 0 s 0 0 0 8\nwait 0 0\nsent 0\nrecv 1 0 0 0 0\nwait 0 1\ngot 1 0 0 8\nend\n";
    Recording const handed_on =
        read_apart({"recv 0 0 0 1 0\nwait 0 0\ngot 0 1 0 8\nstarted 1 0 6\nthread 1 0\nothers 0\n"
                    "send 1 0 s 0 1 0 x0\nwait 0 1\nsent 1\nended 1\nthread 0 0\nend\n",
                    one_sender});
    ASSERT_TRUE(handed_on.is_readable());
    EXPECT_TRUE(text_has(handed_on, "(sndi S0_1 0 1 8)")) << text_of(handed_on);
    EXPECT_TRUE(handed_on.gaps.empty());
    Recording const request =
        read_apart({"recv 0 0 0 1 0\nstarted 1 0 4\nthread 1 0\nothers 0\nwait 0 0\ngot 0 1 0 8\nend\n",
                    "send 0 0 s 0 0 0 8\nwait 0 0\nsent 0\nend\n"});
    ASSERT_TRUE(request.is_readable());
    ASSERT_FALSE(request.gaps.empty());
    EXPECT_EQ(request.gaps[0].function, "recorder");
}

/// Collective calls match by their turns. A communicator has one thread of each rank in the program.
TEST(RankThreads, CollectiveCalls) {
    std::string const one = "coll 0 0 MPI_Barrier 0 -1 -\ndone 0 -\n";
    std::string const two = "coll 1 0 MPI_Barrier 0 -1 -\ndone 1 -\n";
    Recording const r = read_apart(
        {one + "started 1 0 5\nthread 1 0\nothers 0\n" + two + "ended 1\nthread 0 0\nend\n", one + two + "end\n"});
    ASSERT_TRUE(r.is_readable());
    EXPECT_TRUE(text_has(r, "(communicators [0/2 2 1])")) << text_of(r);
    EXPECT_TRUE(text_has(r, "(collective C0_1 0/2 barrier)")) << text_of(r);
    EXPECT_EQ(program_with_run(r).traces.size(), 1U);
}

TEST(RankThreads, WrongFiles) {
    for (char const* const lines :
         {"started 1 0 99\nthread 1 0\n", "started 0 0 3\nthread 0 0\n", "started 2 1 3\nthread 2 0\n", "thread 1 0\n",
          "started 1 0 3\nthread 1 0\njoins 0 2 0\n", "thread x 0\n"})
        EXPECT_FALSE(read_apart({lines, one_send}).is_readable()) << lines;
}

} // namespace matchpoint::record
