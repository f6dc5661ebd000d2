#include "record/recording.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "record/findings.hpp"
#include "record/launcher_words.hpp"
#include "record/rerun.hpp"
#include "record/run_file.hpp"
#include "record/schedule.hpp"
#include "record/verify.hpp"
#include "tests/support/recordings.hpp"

namespace matchpoint::record {

namespace {

using test::NoLines;

/// Recordings of ranks 0, 1, ... of one communicator.
Recording read(std::vector<std::string> const& ranks, Tests tests = Tests::move) {
    NoLines lines;
    return read_recording(test::files_of_ranks(ranks), lines, Missing::refused, tests);
}

/// Recordings of threads 0, 1, ...
Recording read_threads(std::vector<std::string> const& threads) {
    std::vector<Source> files;
    for (std::size_t i = 0; i < threads.size(); ++i)
        files.emplace_back("thread", "matchpoint-mcapi 1\nrank " + std::to_string(i) + " " +
                                         std::to_string(threads.size()) + "\n" + threads[i]);
    NoLines lines;
    return read_recording(files, lines);
}

CallId id(std::string_view name) { return importers::call_id_of(name).value(); }

std::string program(Recording const& recording) { return draft::print(recording.program); }

/// The entries of the only trace of a program; empty if it has none.
std::string trace(draft::Draft const& program) {
    std::string text = draft::print(program);
    std::size_t const begin = text.find("\n\n( ");
    if (begin == std::string::npos) return "";
    text = text.substr(begin + 4, text.rfind(" )") - begin - 4);
    for (std::size_t at = text.find("\n  "); at != std::string::npos; at = text.find("\n  ")) text.replace(at, 3, " ");
    return text;
}

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
    EXPECT_EQ(named(matches_of(r)), expected);
}

/// A buffered send is complete at once; the detach of its buffer may wait for its receive.
TEST(Recording, BufferedSends) {
    std::string const receiver = "recv 0 0 0 0 *\nwait 0 0\ngot 0 0 0 8\nend\n";
    Recording const r = read({"send 0 0 b 0 1 0 8\nwait 0 0\nsent 0\ndetach 0\ndetached\nend\n", receiver});
    ASSERT_TRUE(r.is_readable()) << first_fault(r);
    EXPECT_NE(program(r).find("( [00 (sndi S0_0 0 1 8)]\n    [01 (wait S0_0)] bot )"), std::string::npos) << program(r);
    Recording const kept = read({"send 0 0 b 0 1 0 8\nwait 0 0\nsent 0\nend\n", receiver});
    EXPECT_NE(program(kept).find("( [00 (bsndi S0_0 0 1 8)] bot )"), std::string::npos) << program(kept);
    Recording const stuck = read({"send 0 0 b 0 1 0 8\nwait 0 0\nsent 0\ndetach 0\n", "recv 0 0 0 0 7\nwait 0 0\n"});
    EXPECT_TRUE(is_stuck(stuck));
}

/// The wait for a send that is cancelled returns, whatever other ranks do.
TEST(Recording, CancelledSends) {
    Recording const r = read({"send 0 0 s 0 1 0 8\ncancel 0\nwait 0 0\nsent 0\nend\n", "end\n"});
    ASSERT_TRUE(r.is_readable()) << first_fault(r);
    EXPECT_NE(program(r).find("( [00 (bsndi S0_0 0 1 8)] bot )"), std::string::npos) << program(r);
    EXPECT_TRUE(findings_of(r, true).empty());
    Recording const wrong = read({"send 0 0 s 0 1 0 8\ncancel 1\n", "end\n"});
    EXPECT_EQ(first_fault(wrong), "1 is not a pending send or receive of this rank");
}

/// MPI_Cancel of a receive is a test whether a message is there. If it comes in time, the receive is not there.
TEST(Recording, CancelledReceives) {
    std::string const sender = "send 0 0 s 0 0 3 8\nwait 0 0\nsent 0\nend\n";
    std::string const posted = "recv 0 0 0 * 3\n";
    Recording const in_time =
        read({posted + "cancel 0 0 0\nwait 0 0\nrecv 1 0 0 1 3\nwait 0 1\ngot 1 1 3 8\nend\n", sender});
    ASSERT_TRUE(in_time.is_readable()) << first_fault(in_time);
    EXPECT_NE(program(in_time).find(
                  "( [00 (assume true)]\n    [01 (iprobe cancel_R0_0 0 (tag 3) false)]\n    [02 (rcvi R0_1 "),
              std::string::npos)
        << program(in_time);
    EXPECT_TRUE(in_time.gaps.empty());
    Recording const late = read({posted + "cancel 0 0 1\nwait 0 0\ngot 0 1 3 8\nend\n", sender});
    ASSERT_TRUE(late.is_readable()) << first_fault(late);
    EXPECT_NE(program(late).find("    [01 (iprobe cancel_R0_0 0 (tag 3) true)]\n    [02 (wait R0_0)] bot )"),
              std::string::npos)
        << program(late);
    EXPECT_EQ(common_calls(in_time.program, late.program)[0], 1U);
    // A receive got what the cancelled one could have got, in another execution.
    Recording const passed_over = read({posted + "recv 1 0 0 1 *\nwait 0 1\ngot 1 1 4 8\ncancel 0 0 0\nend\n",
                                        "send 0 0 s 0 0 4 8\nwait 0 0\nsent 0\nend\n"});
    EXPECT_EQ(passed_over.gaps.size(), 1U);
    EXPECT_EQ(first_fault(read({posted + "cancel 0 0 2\n", sender})),
              "2 is too large: no more than 1 is possible here");
    EXPECT_EQ(first_fault(read({posted + "wait 0 0\ngot 0 1 3 8\ncancel 0 0 1\n", sender})),
              "0 is not a pending send or receive of this rank");
}

/// Both ways of a cancel lead to the other one. The rank is on the path of the other recording up to there.
TEST(Recording, ChoicesOfCancels) {
    std::string const sender = "send 0 0 s 0 0 3 8\nwait 0 0\nsent 0\nend\n";
    Recording const in_time = read({"recv 0 0 0 * 3\ncancel 0 0 0\nwait 0 0\nend\n", sender});
    Recording const late = read({"recv 0 0 0 * 3\ncancel 0 0 1\nwait 0 0\ngot 0 1 3 8\nend\n", sender});
    auto const stop = [] { return false; };
    for (auto const& [run, other, schedule] :
         {std::tuple(&in_time, &late, "poll 0 0 0 succeeds\n"), std::tuple(&late, &in_time, "withdraw 0 0\n")}) {
        Alternatives const all = alternatives(run->program, 1);
        ASSERT_EQ(all.all.size(), 1U);
        WayTo const way = way_to(run->program, all.all[0], 1000, stop);
        ASSERT_TRUE(way.beginning);
        EXPECT_TRUE(has(run->program, other->program, all.all[0], *way.beginning));
        EXPECT_FALSE(has(run->program, run->program, all.all[0], *way.beginning));
        auto const planned = MatchSchedule::of(run->program, way.matches, Buffering::infinite, {}, &*way.beginning);
        EXPECT_NE(planned->text().find(schedule), std::string::npos) << planned->text();
    }
    EXPECT_NE(MatchSchedule::of(in_time.program, {}, Buffering::infinite)->text().find("withdraw 0 0\n"),
              std::string::npos);
    // The message has to have come: its send is over.
    Recording const synchronous =
        read({"recv 0 0 0 1 3\nrecv 1 0 0 1 4\nwait 0 1\ngot 1 1 4 8\ncancel 0 0 1\ngot 0 1 3 8\nend\n",
              "send 0 0 S 0 0 3 8\nwait 0 0\nsent 0\nsend 1 0 s 0 0 4 8\nwait 0 1\nsent 1\nend\n"});
    Alternatives const none = alternatives(synchronous.program, 1);
    ASSERT_EQ(none.all.size(), 1U);
    EXPECT_FALSE(way_to(synchronous.program, none.all[0], 1000, stop).beginning);
}

/// A run that we ended deadlocked if no rank that was still running could end all waits.
TEST(Recording, DeadlocksOfSomeRanks) {
    std::string const waits_for_1 = "recv 0 0 0 1 *\nwait 0 0\n";
    std::string const waits_for_0 = "recv 0 0 0 0 *\nwait 0 0\n";
    std::string const waits_for_2 = "recv 0 0 0 2 *\nwait 0 0\n";
    std::string const waits_for_any = "recv 0 0 0 * *\nwait 0 0\n";
    EXPECT_TRUE(has_deadlock(read({waits_for_1, waits_for_0, ""})));
    EXPECT_TRUE(has_deadlock(read({waits_for_1, waits_for_0, "end\n"})));
    EXPECT_TRUE(has_deadlock(read({waits_for_1, waits_for_0, waits_for_0, ""})));
    EXPECT_FALSE(has_deadlock(read({waits_for_1, waits_for_2, ""})));
    EXPECT_FALSE(has_deadlock(read({waits_for_1, waits_for_any, ""})));
    EXPECT_FALSE(has_deadlock(read({waits_for_1, "send 0 0 s 0 0 0 8\n", ""})));
    EXPECT_FALSE(has_deadlock(read({"end\n", "end\n", ""})));
    EXPECT_FALSE(has_deadlock(read({"end\n", "end\n"})));
    EXPECT_FALSE(has_deadlock(read({waits_for_1, waits_for_0, "abort 3\n"})));
}

/// A rank that an error of MPI ends is still in its call, and does nothing more.
TEST(Recording, ErrorsOfMpi) {
    std::string const error = "recv 0 0 0 1 *\nwait 0 0\nerror 0 MPI_Recv fatal MPI_ERR_TRUNCATE message truncated\n";
    for (std::string const& last : {error, error + "left\n"}) {
        Recording const r = read({last, "send 0 0 s 0 0 0 8\nwait 0 0\nsent 0\nrecv 1 0 0 0 *\nwait 0 1\n"});
        ASSERT_TRUE(r.is_readable()) << first_fault(r);
        EXPECT_EQ(r.ranks[0].end, RankEnd::blocked);
        ASSERT_TRUE(r.ranks[0].error && r.ranks[0].is_gone());
        EXPECT_EQ(r.ranks[0].error->function, "MPI_Recv");
        EXPECT_EQ(r.ranks[0].error->what, "MPI_ERR_TRUNCATE: message truncated");
        EXPECT_TRUE(is_stuck(r)); // the message is there, but rank 0 does not take it
    }
    Recording const r = read(
        {"recv 0 0 0 1 *\nwait 0 0\nerror 0 MPI_Recv returned MPI_ERR_TRUNCATE message truncated\ngot 0 1 0 8\nend\n",
         "send 0 0 s 0 0 0 8\nwait 0 0\nsent 0\nend\n"});
    ASSERT_TRUE(r.is_readable()) << first_fault(r);
    EXPECT_FALSE(r.ranks[0].error);
    ASSERT_EQ(r.errors.size(), 1U);
    EXPECT_EQ(r.errors[0].what, "it returned MPI_ERR_TRUNCATE: message truncated");
    EXPECT_FALSE(read({"error 0 MPI_Recv often MPI_ERR_RANK no\n"}).is_readable());
}

/// Who waits for a rank that has left waits for ever.
TEST(Recording, RanksThatLeave) {
    std::string const waits_for_0 = "recv 0 0 0 0 *\nwait 0 0\n";
    EXPECT_TRUE(is_stuck(read({"left\n", waits_for_0})));
    EXPECT_FALSE(is_stuck(read({"", waits_for_0})));
    EXPECT_FALSE(is_stuck(read({"send 0 0 b 0 1 0 8\nleft\n", waits_for_0})));
}

/// A rank that only tests may be busy. If nobody has moved for long, it waits.
TEST(Recording, LoopsOfTests) {
    std::string const waits_for_0 = "recv 0 0 0 0 *\nwait 0 0\n";
    std::string const test = "recv 0 0 0 1 7\nrecv 1 0 0 1 *\n";
    for (auto const& [last, words] :
         {std::pair("poll 0 0 one 000000000009 0\n", "for a receive from rank 1, tag 7 in a loop of tests"),
          std::pair(
              "poll 0 0 among 000000000009 0 1\n",
              "for several requests: a receive from rank 1, tag 7; a receive from rank 1, any tag in a loop of tests"),
          std::pair("poll 0 0 seen 000000000009 0 * 3\n", "for a message from any rank, tag 3 in a loop of probes")}) {
        EXPECT_EQ(read({test + last, waits_for_0}).ranks[0].end, RankEnd::elsewhere) << last;
        Recording const r = read({test + last, waits_for_0}, Tests::wait);
        ASSERT_TRUE(r.is_readable()) << first_fault(r);
        EXPECT_EQ(r.ranks[0].end, RankEnd::blocked) << last;
        EXPECT_EQ(r.ranks[0].blocked_in, words);
        EXPECT_TRUE(is_stuck(r)) << last;
    }
    // In a replay a test can wait until it succeeds.
    Recording const r = read({test + "awaits 0 0 one 0\n", waits_for_0});
    EXPECT_EQ(r.ranks[0].end, RankEnd::blocked);
    EXPECT_TRUE(is_stuck(r));
    std::string const polled = "polled 0 0 one 0\ngot 0 1 7 8\nend\n";
    std::string const sends = "send 0 0 s 0 0 7 8\nwait 0 0\nsent 0\nend\n";
    EXPECT_EQ(program(read({test + "awaits 0 0 one 0\n" + polled, sends})), program(read({test + polled, sends})));
    EXPECT_FALSE(is_stuck(read({test + "poll 0 0 one 000000000009 0\n",
                                "send 0 0 s 0 0 7 8\nwait 0 0\nsent 0\n" + std::string("recv 1 0 0 0 *\nwait 0 1\n")},
                               Tests::wait)));
}

/// A receive that nobody waited for, but that the wait for a later one completes, took the first message.
TEST(Recording, MatchesOfReceivesThatNobodyWaitedFor) {
    Recording const r = read({"recv 0 0 0 1 *\nrecv 1 0 0 1 3\nrecv 2 0 0 1 3\nwait 0 2\ngot 2 1 3 8\nend\n",
                              "send 0 0 s 0 0 4 6\nsend 1 0 s 0 0 3 7\nsend 2 0 s 0 0 3 8\nend\n"});
    ASSERT_TRUE(r.is_readable()) << first_fault(r);
    std::vector<NamedMatch> const expected{{"R0_2", "S1_2"}};
    EXPECT_EQ(named(matches_of(r)), expected);
}

/// Messages of one sender with one tag are taken in the order of the receives, whatever comes between them.
TEST(Recording, MatchesGoByTag) {
    Recording const r = read(
        {"recv 0 0 0 1 2\nrecv 1 0 0 1 *\nrecv 2 0 0 1 2\nwait 0 0 1 2\ngot 0 1 2 0\ngot 1 1 1 0\ngot 2 1 2 0\nend\n",
         "send 0 0 s 0 0 1 0\nsend 1 0 s 0 0 2 0\nsend 2 0 s 0 0 2 0\nend\n"});
    ASSERT_TRUE(r.is_readable()) << first_fault(r);
    std::vector<NamedMatch> const expected{{"R0_0", "S1_1"}, {"R0_1", "S1_0"}, {"R0_2", "S1_2"}};
    EXPECT_EQ(named(matches_of(r)), expected);
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
    // What was only evaluated predicts nothing, true or false.
    EXPECT_NE(text.find("(assert true)"), std::string::npos) << text;
    EXPECT_EQ(text.find("(assert false)"), std::string::npos) << text;
    EXPECT_FALSE(r.has_concrete_values);
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

/// A wait for a later receive completes an earlier one that admits no less.
TEST(Recording, WhatALaterReceiveCompletes) {
    for (auto const& [source, tag, is_kept] : {std::tuple("*", "*", true),
                                               {"1", "*", true},
                                               {"*", "0", true},
                                               {"1", "0", true},
                                               {"0", "*", false},
                                               {"*", "3", false},
                                               {"1", "3", false},
                                               {"0", "0", false}}) {
        Recording const r =
            read({std::string("recv 0 0 0 ") + source + " " + tag + "\nrecv 1 0 0 1 0\nwait 0 1\ngot 1 1 0 2\nend\n",
                  "send 0 0 s 0 0 0 1\nsend 1 0 s 0 0 0 2\nend\n"});
        ASSERT_TRUE(r.is_readable()) << first_fault(r);
        EXPECT_EQ(program(r).find("R0_0") != std::string::npos, is_kept) << source << " " << tag;
        EXPECT_EQ(r.gaps.empty(), is_kept); // it could take messages of others
    }
}

TEST(Recording, AllRanksHaveToBeThere) {
    NoLines lines;
    Source const file("rank", "matchpoint-mpi 1\nrank 1 3\nend\n");
    EXPECT_EQ(first_fault(read_recording({&file, 1}, lines)), "1 of 3 ranks have a recording");
    // A run that failed can have killed the others before they wrote anything.
    Source const empty("rank", "matchpoint-m");
    Recording const r = read_recording(std::vector<Source>{empty, file}, lines, Missing::did_nothing);
    ASSERT_TRUE(r.is_readable()) << first_fault(r);
    ASSERT_EQ(r.ranks.size(), 3u);
    EXPECT_EQ(r.ranks[0].end, RankEnd::elsewhere);
    EXPECT_EQ(r.ranks[1].end, RankEnd::finalized);
    EXPECT_EQ(r.ranks[2].number, 2u);
    EXPECT_EQ(r.program.threads.size(), 3u);
}

/// Threads name endpoints. Nobody receives at endpoint 1002.
TEST(Recording, OfThreads) {
    Recording const r = read_threads({"recv 0 0 0\nwait 0 0\ngot 0 1001 0 5\nend\n",
                                      "send 0 0 1 1002 =1\nsend 1 0 1001 0 5\nwait 0 1\nsent 1\nend\n"});
    ASSERT_TRUE(r.is_readable()) << first_fault(r);
    EXPECT_EQ(program(r), "( ( [00 (rcvi R0_0 0 x0_0)]\n"
                          "    [01 (wait R0_0)] bot )\n"
                          "  ( [10 (sndi S1_0 1 1002 1)]\n"
                          "    [11 (sndi S1_1 1001 0 5)]\n"
                          "    [12 (wait S1_1)] bot ) )\n");
    std::vector<NamedMatch> const expected{{"R0_0", "S1_1"}};
    EXPECT_EQ(named(matches_of(r)), expected);
    EXPECT_EQ(first_fault(read_threads({"send 0 0 s 0 0 0 1\n"})), "`s` where an endpoint was expected");
    EXPECT_EQ(first_fault(read_threads({"probe 0 0 * *\n"})), "`probe` is not a line of a recording");
}

TEST(Recording, OfMpiAndThreadsTogether) {
    NoLines lines;
    std::vector<Source> const files{Source("rank", "matchpoint-mpi 1\nrank 0 2\nend\n"),
                                    Source("thread", "matchpoint-mcapi 1\nrank 1 2\nend\n")};
    Recording const r = read_recording(files, lines);
    EXPECT_FALSE(r.is_readable());
    EXPECT_EQ(r.faults[1].front().message, "these are recordings of MPI and of MCAPI");
}

TEST(Recording, Faults) {
    EXPECT_EQ(first_fault(read({"what 1\n"})), "`what` is not a line of a recording");
    EXPECT_EQ(first_fault(read({"got 3 0 0 0\n"})), "3 is not a receive of this rank");
    EXPECT_EQ(first_fault(read({"send 0 0 s 4 0 0 1\n"})), "communicator 4 is not known");
    EXPECT_EQ(first_fault(read({"send 0 9 s 0 0 0 1\n"})), "place 9 is not known");
    EXPECT_EQ(first_fault(read({"let 1 ? 1 2\n"})), "`?` is not an operator");
    EXPECT_EQ(first_fault(read({"seen 0 0\n"})), "`seen` without a probe");
    EXPECT_NE(first_fault(read({"send 0 0 s 0\n"})), "");
    EXPECT_NE(first_fault(read({"send 0 0 s 0 0 0 1 2\n"})), "");
}

/// Each prefix of a recording is one, and keeps the rules of discipline.
TEST(Recording, PrefixesAreRecordings) { // of ranks that were killed: zeros follow
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

/// Where the file of a rank is cut, the recording is incomplete, and what is there is a prefix. It says neither that
/// the rank waits for ever nor that it has finished.
TEST(Recording, CutFilesAreIncomplete) {
    std::string const head = "matchpoint-mpi 1\nrank 0 2\ncomm 0 0 0 1\n";
    std::string const whole = head +
                              "recv 0 0 0 * *\nwait 0 0\ngot 0 1 0 7\nsend 1 0 s 0 1 0 3\nwait 0 1\nsent 1\nprobe "
                              "0 0 1 *\nseen 1 3\nrecv 2 0 0 1 3\nwait 0 2\ngot 2 1 3 0\nend\n";
    std::string const other =
        "matchpoint-mpi 1\nrank 1 2\ncomm 0 0 0 1\nsend 0 0 s 0 0 0 7\nrecv 1 0 0 0 0\nwait 0 1\ngot "
        "1 0 0 3\nsend 2 0 s 0 0 3 0\nwait 0 2\nsent 2\nend\n";
    NoLines lines;
    auto const read_cut = [&](std::size_t size) {
        std::vector<Source> const files{Source("rank", whole.substr(0, size)), Source("rank", other)};
        return read_recording(files, lines);
    };
    Recording const all = read_cut(whole.size());
    ASSERT_TRUE(all.is_readable()) << first_fault(all);
    EXPECT_TRUE(all.gaps.empty());
    std::size_t most = 0;
    for (std::size_t size = 0; size < whole.size(); ++size) {
        Recording const r = read_cut(size);
        ASSERT_TRUE(r.is_readable()) << size << ": " << first_fault(r);
        ASSERT_EQ(r.ranks.size(), 2u) << size;
        EXPECT_TRUE(r.ranks[0].breaks_off) << size;
        EXPECT_EQ(r.ranks[0].end, RankEnd::elsewhere) << size;
        EXPECT_EQ(std::count_if(r.gaps.begin(), r.gaps.end(), [](Gap const& g) { return g.function == "recorder"; }), 1)
            << size;
        EXPECT_FALSE(has_deadlock(r)) << size;
        EXPECT_GE(r.ranks[0].taken.size(), most) << size;
        most = r.ranks[0].taken.size();
        ASSERT_LE(most, all.ranks[0].taken.size());
        for (std::size_t i = 0; i < most; ++i) EXPECT_EQ(r.ranks[0].taken[i].from, all.ranks[0].taken[i].from);
    }
    // One that is too large is as one that is cut, but for the reason. Zeros do not count.
    ASSERT_GT(whole.size(), other.size());
    std::vector<Source> const files{Source("rank", whole + std::string(999, '\0')), Source("rank", other)};
    Recording const part = read_recording(files, lines, Missing::refused, Tests::move, 2 * other.size());
    ASSERT_EQ(part.gaps.size(), 1U);
    EXPECT_EQ(part.gaps[0].what, "the file of this rank is too large, and was not read to its end");
    EXPECT_TRUE(part.ranks[0].breaks_off);
    EXPECT_FALSE(part.ranks[1].breaks_off);
    EXPECT_TRUE(read_recording(files, lines, Missing::refused, Tests::move, 2 * whole.size()).gaps.empty());
    std::vector<Source> const torn{Source("rank", "matchp"), Source("rank", "")};
    EXPECT_EQ(first_fault(read_recording(torn, lines)), "the file breaks off before it says of which rank it is");
}

/// With its rank's calls, without places and traces.
std::string program_text(Recording const& r) {
    draft::Draft d = r.program;
    return draft::print(d);
}

/// The receive of what a probe saw belongs to the probe, unless another call could take the message.
TEST(Recording, Probes) {
    std::string const sends = "send 0 0 s 0 0 3 0\nwait 0 0\nsent 0\nsend 1 0 s 0 0 3 0\nwait 0 1\nsent 1\nend\n";
    std::string const probe = "probe 0 0 * *\nseen 1 3\n";
    auto const zero = [&](std::string const& calls) {
        Recording const r = read({calls + "end\n", sends});
        EXPECT_TRUE(r.is_readable()) << first_fault(r);
        EXPECT_EQ(program_with_run(r).traces.size(), 1U) << program_text(r);
        std::string text = program_text(r);
        return text.substr(3, text.find(" bot )") - 3);
    };
    std::string const take = "wait 0 0\ngot 0 1 3 0\n";
    EXPECT_EQ(zero(probe + "recv 0 0 0 1 3\n" + take),
              " [00 (mprobe R0_0.P0 0)]\n    [01 (start R0_0.P0 x0_0)]\n    [02 (wait R0_0.P0)]");
    EXPECT_EQ(zero(probe + "recv 0 0 0 1 *\n" + take),
              " [00 (mprobe R0_0.P0 0)]\n    [01 (start R0_0.P0 x0_0)]\n    [02 (wait R0_0.P0)]");
    EXPECT_EQ(zero(probe + "recv 0 0 0 * 3\n" + take),
              " [00 (probe P0_0 0)]\n    [01 (rcvi R0_0 0 x0_0 (tag 3))]\n    [02 (wait R0_0)]");
    // The same look again is none; another receive in between takes the message.
    EXPECT_EQ(zero(probe + probe + "recv 0 0 0 1 3\n" + take),
              " [00 (mprobe R0_0.P0 0)]\n    [01 (start R0_0.P0 x0_0)]\n    [02 (wait R0_0.P0)]");
    EXPECT_EQ(zero(probe + "recv 0 0 0 * *\n" + take + "recv 1 0 0 1 3\nwait 0 1\ngot 1 1 3 0\n"),
              " [00 (probe P0_0 0)]\n    [01 (rcvi R0_0 0 x0_0)]\n    [02 (wait R0_0)]\n"
              "    [03 (rcvi R0_1 0 x0_1 (from 1) (tag 3))]\n    [04 (wait R0_1)]");
    EXPECT_EQ(zero("mprobe 0 0 0 * 3\nwait 0 0\nmatched 0 1 3\nstart 0\n" + take),
              " [00 (mprobe R0_0 0 (tag 3))]\n    [01 (start R0_0 x0_0)]\n    [02 (wait R0_0)]");
}

/// What a broadcast hands out is a message if the root gives an expression, and somebody reads it.
TEST(Recording, Broadcasts) {
    std::string const one = "recv 0 0 0 0 0\nwait 0 0\ngot 0 0 0 7\ncoll 1 0 MPI_Bcast 0 1 x0 type MPI_INT count 1\n"
                            "done 1 -\nend\n";
    auto const text = [&](std::string const& gives, std::string const& reads) {
        Recording const r =
            read({"send 0 0 s 0 1 0 7\nwait 0 0\nsent 0\ncoll 1 0 MPI_Bcast 0 1 - type MPI_INT count 1\n"
                  "done 1 7\n" +
                      reads + "end\n",
                  one.substr(0, one.find("x0")) + gives + one.substr(one.find("x0") + 2)});
        EXPECT_TRUE(r.is_readable()) << first_fault(r);
        EXPECT_EQ(program_with_run(r).traces.size(), 1U);
        return program_text(r);
    };
    std::string const assertion = "assert 0 1 x1\n";
    std::string const message = text("x0", assertion);
    EXPECT_NE(message.find("(bsndi S1_1.0 3 2 x1_0)]\n    [13 (collective C1_1"), std::string::npos) << message;
    EXPECT_NE(message.find("(rcvi R0_1.1 2 x0_1 (from 3))"), std::string::npos) << message;
    EXPECT_NE(message.find("(assert x0_1)"), std::string::npos) << message;
    EXPECT_EQ(text("x0", "").find("bsndi"), std::string::npos);
    std::string const constant = text("=7", assertion);
    EXPECT_EQ(constant.find("bsndi"), std::string::npos);
    EXPECT_NE(constant.find("(x0_1 := 7)"), std::string::npos) << constant;
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
    EXPECT_EQ(r.remarks.size(), 1u); // after the last one that is waited for
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

/// A rank that waits for all of several requests goes on with all of them.
TEST(Standstill, WhereSomethingIsMissing) {
    std::string const all = "recv 0 0 0 1 0\nrecv 1 0 0 1 1\nrecv 2 0 0 1 2\nwait 0 0 1\n";
    std::string const first = "send 0 0 s 0 0 0 1\nwait 0 0\nsent 0\n";
    std::string const second = "send 1 0 s 0 0 1 1\nwait 0 1\nsent 1\n";
    EXPECT_TRUE(is_stuck(read({all, first + "end\n"})));
    EXPECT_TRUE(is_stuck(read({all, first + "send 1 0 s 0 0 2 1\nwait 0 1\nsent 1\nend\n"})));
    EXPECT_FALSE(is_stuck(read({all, first + second + "end\n"}))); // the third it would have waited for later
    EXPECT_FALSE(is_stuck(read({"recv 0 0 0 1 0\nwait 0 0\ngot 0 1 0 1\nend\n", "send 0 0 s 0 0 0 1\nwait 0 0\n"})));
}

/// A message that is there may have gone to a receive that the rank has not waited for.
TEST(Standstill, WhereAMessageMayHaveBeenTaken) {
    std::string const send = "send 0 0 s 0 0 0 1\nwait 0 0\nsent 0\nend\n";
    std::string const posted = "recv 0 0 0 * *\nrecv 1 0 0 1 *\nwait 0 1\n";
    EXPECT_EQ(standstill(read({posted, send, "end\n"})), Standstill::certain);
    EXPECT_EQ(standstill(read({posted, send, send})), Standstill::possible);
    EXPECT_EQ(standstill(read({posted, "end\n", send})), Standstill::certain);
    EXPECT_EQ(standstill(read({"recv 0 0 0 * *\nrecv 1 0 0 * *\nwait 0 1\n", send, send})), Standstill::no);
    // The message of rank 1 came before those of rank 2, or after them.
    std::string const early = "send 0 0 s 0 0 0 1\nwait 0 0\nsent 0\nsend 1 0 s 0 0 1 1\nwait 0 1\nsent 1\nend\n";
    std::string const by_tag = "recv 0 0 0 * 1\nwait 0 0\ngot 0 ";
    std::string const then = " 1 1\nrecv 1 0 0 * *\nrecv 2 0 0 * 0\nwait 0 2\ngot 2 ";
    std::string const last = " 0 1\nrecv 3 0 0 * *\nwait 0 3\n";
    EXPECT_EQ(standstill(read({by_tag + "2" + then + "2" + last, send, early})), Standstill::certain);
    EXPECT_EQ(standstill(read({by_tag + "1" + then + "1" + last, early, send})), Standstill::certain);
    // The first receive has the first message: the second took the other one, by its tag.
    std::string const both = "send 0 0 s 0 0 2 1\nwait 0 0\nsent 0\nsend 1 0 s 0 0 2 1\nwait 0 1\nsent 1\nend\n";
    EXPECT_EQ(
        standstill(read({"recv 0 0 0 * *\nrecv 1 0 0 * *\nwait 0 1\ngot 1 1 2 1\nrecv 2 0 0 * 2\nwait 0 2\n", both})),
        Standstill::certain);
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
    // Without a send that has a tag, a receive of tag 0 says none.
    std::string const first = "recv 0 0 0 1 0\nwait 0 0\ngot 0 1 0 1\n";
    EXPECT_TRUE(same_path(of(first), of(first + "send 1 0 s 0 1 3 5\nend\n")));
    EXPECT_FALSE(same_path(of(first), of("recv 0 0 0 1 3\nwait 0 0\ngot 0 1 3 1\nsend 1 0 s 0 1 3 5\nend\n")));
    EXPECT_FALSE(same_path(a, of("recv 0 0 0 * *\nwait 0 0\ngot 0 1 0 1\nsend 1 0 s 0 1 3 5\nend\n")));
}

TEST(Schedules, OfARecording) {
    draft::Draft const program =
        read({"recv 0 0 0 * *\nwait 0 0\ngot 0 1 4 1\nend\n", "send 0 0 s 0 0 4 1\nend\n"}).program;
    auto const schedule = MatchSchedule::of(program, {{id("R0_0"), id("S1_0")}}, Buffering::zero);
    ASSERT_TRUE(schedule);
    EXPECT_EQ(schedule->text(), "matchpoint-schedule 1\nsynchronous\nrecv 0 0 -1 -1 0\ntake 0 0 1 4 1\ndone 0 0\nsend "
                                "1 0 0 4 1 0\nrefuse 1 0\n");
    EXPECT_EQ(MatchSchedule::of(program, {}, Buffering::infinite, {id("S1_0"), id("S1_0.1")})->text(),
              "matchpoint-schedule 1\nrecv 0 0 -1 -1 0\ndone 0 0\nsend 1 0 0 4 1 0\nrefuse 1 0\n");
    draft::Draft const together = read({"send 0 0 s 0 1 0 1\nsend 1 0 s 0 1 0 1\nsome 0 0 1\nsent 1\nsent 0\nend\n",
                                        "recv 0 0 0 * *\nwait 0 0\ngot 0 0 0 1\n"
                                        "recv 1 0 0 * *\nwait 0 1\ngot 1 0 0 1\nend\n"})
                                      .program;
    EXPECT_NE(MatchSchedule::of(together, {}, Buffering::infinite)->text().find("done 0 1\nalso 0 0\n"),
              std::string::npos);
    Recording const other = read({"recv 0 0 0 * *\nwait 0 0\ngot 0 1 3 1\nend\n", "send 0 0 s 0 0 3 1\nend\n"});
    auto const followed = schedule->followed_by(other);
    ASSERT_EQ(followed.differences.size(), 1u);
    EXPECT_EQ(followed.differences[0].tag, 3);
}

/// The second call of rank 0 waits until rank 1 has made its first of that communicator, too.
TEST(Schedules, OfCollectiveCallsThatWait) {
    draft::Draft const program =
        read({"send 0 0 s 0 1 0 1\nwait 0 0\nsent 0\ncoll 1 0 MPI_Bcast 0 0 5\ndone 1 -\nend\n",
              "recv 0 0 0 0 0\nwait 0 0\ngot 0 0 0 1\ncoll 1 0 MPI_Bcast 0 0 -\ndone 1 5\nend\n"})
            .program;
    std::string const text = MatchSchedule::of(program, {}, Buffering::infinite, {id("C0_1")})->text();
    EXPECT_TRUE(text.ends_with("\nmeet 0 1 1 0\nmet 1 1 0 0\n")) << text;
    EXPECT_EQ(text.find("refuse"), std::string::npos) << text;
}

/// From the first call that does not match those of other ranks on, a rank makes its calls as the program does.
TEST(Schedules, OfCollectiveCallsThatDoNotMatch) {
    auto const text = [](std::string_view second) {
        std::string const first = "coll 0 0 MPI_Barrier 0 -1 -\ndone 0 -\n";
        draft::Draft const program = read({first + "coll 1 0 MPI_Bcast 0 0 5\ndone 1 -\nend\n",
                                           first + "send 1 0 s 0 0 0 1\nwait 0 1\nsent 1\n" +
                                               fmt::format("coll 2 0 {} 0 0 -\ndone 2 5\nend\n", second)})
                                         .program;
        return MatchSchedule::of(program, {}, Buffering::infinite)->text();
    };
    EXPECT_TRUE(text("MPI_Reduce").ends_with("\nwritten 0 1\nwritten 1 2\n")) << text("MPI_Reduce");
    EXPECT_EQ(text("MPI_Bcast").find("written"), std::string::npos);
}

/// The run is a trace of the program: here the second message comes first.
TEST(Rerun, OfARace) {
    Recording const r =
        read({"recv 0 0 0 * *\nwait 0 0\ngot 0 2 0 7\nrecv 1 0 0 * *\nwait 0 1\ngot 1 1 0 8\nend\n",
              "send 0 0 s 0 0 0 8\nwait 0 0\nsent 0\nend\n", "send 0 0 s 0 0 0 7\nwait 0 0\nsent 0\nend\n"});
    draft::Draft const program = program_with_run(r);
    ASSERT_EQ(program.traces.size(), 1u);
    draft::Trace const expected{{"00", {}}, {"10", {}},           {"11", {}}, {"20", {}},
                                {"21", {}}, {"01", {{"0", "2"}}}, {"02", {}}, {"03", {{"0", "1"}}}};
    EXPECT_EQ(program.traces[0], expected);
}

/// A message that no receive takes stays where it is, though it was sent before one that is taken.
TEST(Rerun, OfMessagesThatOvertake) {
    Recording const r = read({"recv 0 0 0 1 5\nwait 0 0\ngot 0 1 5 7\nend\n",
                              "send 0 0 s 0 0 4 8\nsend 1 0 s 0 0 5 7\nwait 0 1\nsent 1\nend\n"});
    EXPECT_EQ(trace(program_with_run(r)), "(00 bot) (10 bot) (11 bot) (12 bot) (01 ((0 1 5) bot))");
}

/// Rank 1 sends with tag 2, then with tag 1. A receive of tag 1 takes the second message past the first one, and the
/// next receive one of rank 2.
TEST(Rerun, OfAMessagePassedOver) {
    Recording const r = read({"recv 0 0 0 * 1\nwait 0 0\ngot 0 1 1 8\nrecv 1 0 0 * *\nwait 0 1\ngot 1 2 1 9\n"
                              "recv 2 0 0 * *\nwait 0 2\ngot 2 1 2 7\nend\n",
                              "send 0 0 s 0 0 2 7\nsend 1 0 s 0 0 1 8\nend\n", "send 0 0 s 0 0 1 9\nend\n"});
    EXPECT_TRUE(r.gaps.empty());
    EXPECT_EQ(trace(program_with_run(r)), "(00 bot) (10 bot) (11 bot) (20 bot) (01 ((0 1 1) bot)) (02 bot) (03 ((0 2) "
                                          "bot)) (04 bot) (05 ((0 1 2) bot))");
}

/// The rank waits only for its second receive. The first one took the first message.
TEST(Rerun, OfAReceiveThatNobodyWaitedFor) {
    Recording const r = read({"recv 0 0 0 1 *\nrecv 1 0 0 1 5\nwait 0 1\ngot 1 1 5 8\nend\n",
                              "send 0 0 s 0 0 5 7\nsend 1 0 s 0 0 5 8\nend\n"});
    EXPECT_EQ(trace(program_with_run(r)), "(00 bot) (01 bot) (10 bot) (11 bot) (02 ((0 1) (0 1) bot))");
}

/// A run that the machine cannot follow has no trace: rank 1 took a message that nobody sent.
TEST(Rerun, OfARecordingThatLacksSomething) {
    Recording const r = read({"end\n", "recv 0 0 0 * *\nwait 0 0\ngot 0 0 0 7\nend\n"});
    ASSERT_TRUE(r.is_readable()) << first_fault(r);
    EXPECT_TRUE(program_with_run(r).traces.empty());
}

TEST(Standstill, InTheSameCalls) {
    // Rank 0 waits for both receives, rank 1 in a probe, rank 2 in a barrier that rank 3 does not come to.
    Recording const r =
        read({"recv 0 0 0 * *\nrecv 1 0 0 * *\nwait 0 0 1\n", "send 0 0 s 0 0 0 8\nwait 0 0\nsent 0\nprobe 0 0 * 1\n",
              "send 0 0 s 0 0 0 8\nwait 0 0\nsent 0\ncoll 1 0 MPI_Barrier 0 -1 -\n", "end\n"});
    ASSERT_TRUE(r.is_readable()) << first_fault(r);
    auto const waits = waits_of(r);
    ASSERT_EQ(waits.size(), 3U);
    EXPECT_EQ(waits[0].calls, (std::vector<CallId>{id("R0_0"), id("R0_1")}));
    EXPECT_TRUE(waits_there({0, 3, {id("R0_1")}}, waits[0])); // the machine is at the second one
    EXPECT_FALSE(waits_there({0, 2, {id("R0_2")}}, waits[0]));
    EXPECT_FALSE(waits_there({1, 3, {id("R0_1")}}, waits[0]));
    EXPECT_FALSE(waits_there({0, 2, {}}, waits[0]));
    EXPECT_TRUE(waits_there({1, 2, {id("R1_1.P0")}}, waits[1])); // if a receive follows
    EXPECT_TRUE(waits_there({1, 2, {id("P1_0")}}, waits[1]));
    EXPECT_FALSE(waits_there({1, 3, {id("P1_1")}}, waits[1]));
    EXPECT_FALSE(waits_there({1, 1, {id("S1_0")}}, waits[1]));
    EXPECT_TRUE(waits_there({2, 2, {id("C2_1")}}, waits[2]));
    EXPECT_FALSE(waits_there({2, 2, {id("C2_0")}}, waits[2]));
    EXPECT_FALSE(waits_there({2, 3, {}}, waits[2]));
    EXPECT_FALSE(waits_there({2, 1, {id("S2_0")}}, waits[2]));
}

TEST(LauncherWords, OfRanksAndTheirProgram) {
    auto const ranks = [](std::vector<std::string> const& words) { return launcher_words(words).ranks; };
    EXPECT_EQ(ranks({"mpirun", "-n", "4", "/bin/sh", "-n", "7"}), 4U);
    EXPECT_EQ(ranks({"mpirun", "--bind-to", "none", "-np", "4", "/bin/sh"}), 4U);
    EXPECT_EQ(ranks({"mpirun", "sh", "-n", "7"}), std::nullopt); // of the program
    EXPECT_EQ(ranks({"mpirun", "--oversubscribe", "/bin/sh", "-n", "7"}), std::nullopt);
    EXPECT_EQ(ranks({"mpirun", "-n", "1", "/bin/sh", ":", "-n", "2", "/bin/sh"}), std::nullopt);
    EXPECT_EQ(ranks({"mpirun", "-n"}), std::nullopt);
    EXPECT_EQ(launcher_words({"mpirun", "--host", "nowhere.invalid", "-n", "4", "/bin/sh", "/bin/ls"}).program,
              "/bin/sh");
    EXPECT_EQ(launcher_words({"mpirun", "-n", "4", "sh"}).program.filename(), "sh");
    EXPECT_EQ(launcher_words({"mpirun", "-n", "4", "/nowhere/x"}).program, "");
}

TEST(RunFiles, AreReadAsTheyWereWritten) {
    RunFile file;
    file.result.end = LaunchResult::End::killed;
    file.result.signal = 6;
    EXPECT_EQ(to_text(file), "matchpoint-run 1\nkilled 6\n");
    file.wanted = Wanted{2,
                         {{id("R0_0"), id("S1_1")}, {id("R0_1"), id("S2_0")}},
                         {id("S1_1"), id("S2_0")},
                         Prediction::gets_stuck,
                         "  thread 0 waits\n    for thread 1\n"};
    std::string const text = to_text(file);
    EXPECT_EQ(text,
              "matchpoint-run 1\nwanted 2 any gets-stuck\nrefuse S1_1\nrefuse S2_0\nmatch R0_0 S1_1\nmatch R0_1 S2_0\n"
              "why   thread 0 waits\nwhy     for thread 1\nkilled 6\n");
    auto const again = run_file(text);
    ASSERT_TRUE(again && again->wanted);
    EXPECT_EQ(to_text(*again), text);
    EXPECT_EQ(again->wanted->matches, file.wanted->matches);
    EXPECT_EQ(again->wanted->refusing, file.wanted->refusing);
    EXPECT_EQ(again->wanted->why_stuck, file.wanted->why_stuck);
    // Matches are written in the order of their names.
    file.wanted->matches = {{id("R0_2"), id("S1_0")}, {id("R0_10"), id("S1_1")}};
    EXPECT_NE(to_text(file).find("match R0_10 S1_1\nmatch R0_2 S1_0\n"), std::string::npos);
    EXPECT_EQ(run_file(to_text(file))->wanted->matches, file.wanted->matches);
    // What is damaged is no run.
    for (std::size_t size = 0; size < text.size(); ++size) EXPECT_FALSE(run_file(text.substr(0, size))) << size;
    for (char const* const damaged :
         {"matchpoint-run 1\nkilled x\n", "matchpoint-run 1\nmatch R0_0 S1_1\nkilled 6\n",
          "matchpoint-run 1\nwanted 0 any passes\nexited 0\n", "matchpoint-run 1\nwanted 1 some passes\nexited 0\n",
          "matchpoint-run 2\nexited 0\n", "matchpoint-run 1\nexited 256\n",
          "matchpoint-run 1\nwanted 1 zero passes\nexited 0\n",
          "matchpoint-run 1\nwanted 1 any passes\nrefuse S\nexited 0\n",
          "matchpoint-run 1\nwanted 1 any passes\nmatch R0_0 R\nexited 0\n"})
        EXPECT_FALSE(run_file(damaged)) << damaged;
}

} // namespace matchpoint::record
