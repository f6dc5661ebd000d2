#include "record/findings.hpp"

#include <gtest/gtest.h>

#include "record/signatures.hpp"
#include "tests/support/recordings.hpp"

namespace matchpoint::record {

namespace {

/// Recordings of ranks 0, 1, ... of one communicator, with three types.
Recording recording_of(std::vector<std::string> const& ranks) {
    constexpr char const* head = "source 1 7 a.c\nsource 2 8 a.c\ntype 0 4 1 MPI_INT 1\ntype 1 4 1 MPI_FLOAT 1\n"
                                 "type 2 12 2 MPI_INT 1 MPI_SHORT 1\n";
    test::NoLines lines;
    return read_recording(test::files_of_ranks(ranks, head), lines);
}

std::vector<std::string> found(std::vector<std::string> const& ranks) {
    Recording const r = recording_of(ranks);
    EXPECT_TRUE(r.is_readable());
    return in_words(findings_of(r));
}

std::string fault_of(std::string const& lines) {
    Recording const r = recording_of({lines});
    return r.faults.at(0).empty() ? "" : r.faults.at(0).front().message;
}

/// The basic types of a message, one after the other.
std::vector<std::string> spelled_out(Elements const& e) {
    std::vector<std::string> all;
    for (std::uint64_t k = 0; k < e.of.times * e.count; ++k)
        for (auto const& [name, n] : e.of.runs) all.insert(all.end(), n, name);
    return all;
}

Fit naive(Elements const& sent, Elements const& room) {
    auto const a = spelled_out(sent);
    auto const b = spelled_out(room);
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (i == b.size()) return Fit::too_long;
        if (a[i] != b[i]) return Fit::differs;
    }
    return Fit::fits;
}

} // namespace

TEST(Signatures, AreComparedAsIfSpelledOut) {
    std::vector<Signature> all;
    for (std::uint64_t times : {1, 2, 3})
        for (std::uint64_t a : {1, 2})
            for (std::uint64_t b : {0, 1, 2}) {
                Signature s{0, times, {{"MPI_INT", a}}};
                if (b != 0) s.runs.emplace_back("MPI_CHAR", b);
                s.bytes = times * (4 * a + b);
                all.push_back(s);
            }
    std::size_t seen[3] = {};
    for (Signature const& sent : all)
        for (Signature const& room : all)
            for (std::uint64_t n : {0, 1, 2, 3})
                for (std::uint64_t m : {0, 1, 2, 3}) {
                    Fit const expected = naive({sent, n}, {room, m});
                    ++seen[static_cast<int>(expected)];
                    EXPECT_EQ(fits({sent, n}, {room, m}), expected)
                        << in_words({sent, n}) << ", " << in_words({room, m});
                    bool const are_equal = spelled_out({sent, n}) == spelled_out({room, m});
                    EXPECT_EQ(is_same({sent, n}, {room, m}) == Fit::fits, are_equal)
                        << in_words({sent, n}) << ", " << in_words({room, m});
                }
    for (std::size_t const n : seen) EXPECT_GT(n, 100U);
}

TEST(Signatures, UnknownAndPackedOnesAreComparedByLength) {
    Signature const unknown{12, 0, {}};
    Signature const packed{1, 1, {{"MPI_PACKED", 1}}};
    Signature const three{12, 1, {{"MPI_INT", 3}}};
    EXPECT_EQ(fits({unknown, 1}, {three, 1}), Fit::fits);
    EXPECT_EQ(fits({three, 2}, {unknown, 1}), Fit::too_long);
    EXPECT_EQ(fits({packed, 12}, {three, 1}), Fit::fits);
    EXPECT_EQ(fits({three, 1}, {packed, 11}), Fit::too_long);
    EXPECT_EQ(is_same({unknown, 1}, {three, 1}), Fit::fits);
    EXPECT_EQ(is_same({unknown, 1}, {three, 2}), Fit::too_long);
    EXPECT_EQ(is_same({three, 1}, {packed, 20}), Fit::fits);
    EXPECT_EQ(is_same({packed, 20}, {packed, 24}), Fit::too_long);
    EXPECT_EQ(in_words({unknown, 2}), "24 bytes");
    EXPECT_EQ(in_words({three, 2}), "6 MPI_INT");
}

TEST(Findings, MessagesThatNobodyReceives) {
    std::string const two = "send 0 1 s 0 1 5 1 of 0 1\nsent 0\nsend 1 2 s 0 1 5 1 of 0 1\nsent 1\nend\n";
    std::string const line = "a.c:8: rank 0: its message to rank 1 with tag 5 is never received [unreceived-message]";
    EXPECT_EQ(found({two, "recv 0 1 0 0 * of 0 1\nwait 1 0\ngot 0 0 5 1\nend\n"}), std::vector{line});
    // A receive that is never completed may have taken it; one that asks for another tag has not.
    std::string const taken = "recv 0 1 0 0 * of 0 1\nwait 1 0\ngot 0 0 5 1\n";
    EXPECT_EQ(found({two, taken + "recv 1 1 0 * 5 of 0 1\nend\n"}), std::vector<std::string>());
    EXPECT_EQ(found({two, taken + "recv 1 1 0 * 6 of 0 1\nend\n"}), std::vector{line});
    // Nothing is known if a rank does not reach its end, or if calls are missing.
    EXPECT_EQ(found({two, taken}), std::vector<std::string>());
    EXPECT_EQ(found({two, taken + "gap 0 MPI_Irecv_c calls with large counts are not modelled\nend\n"}),
              std::vector<std::string>());
}

TEST(Findings, MatchesOfTheRunAndOthers) {
    std::string const sends_int = "send 0 1 s 0 0 0 1 of 0 1\nsent 0\nend\n";
    std::string const sends_float = "send 0 1 s 0 0 0 1 of 1 1\nsent 0\nend\n";
    std::string const any =
        "recv 0 1 0 * * of 0 1\nwait 1 0\ngot 0 1 0 1\nrecv 1 2 0 * * of 1 1\nwait 2 1\ngot 1 2 0 1\nend\n";
    EXPECT_EQ(
        found({any, sends_int, sends_float}),
        (std::vector<std::string>{
            "a.c:7: rank 0: its receive of 1 MPI_INT can get a message of rank 2 with 1 MPI_FLOAT: the types differ "
            "(see a.c:7 of rank 2) [type-mismatch, predicted]",
            "a.c:8: rank 0: its receive of 1 MPI_FLOAT can get a message of rank 1 with 1 MPI_INT: the types differ "
            "(see a.c:7 of rank 1) [type-mismatch, predicted]"}));
    // One has happened, and the other one could.
    EXPECT_EQ(found({any, sends_int, "send 0 1 s 0 0 0 1 of 0 1\nsent 0\nend\n"}).size(), 2U);
    std::string const in_order =
        "recv 0 1 0 1 * of 0 1\nwait 1 0\ngot 0 1 0 1\nrecv 1 2 0 2 * of 1 1\nwait 2 1\ngot 1 2 0 1\nend\n";
    EXPECT_EQ(found({in_order, sends_int, sends_float}), std::vector<std::string>());
}

TEST(Findings, NothingIsPredictedOfWhatWasProbed) {
    std::string const send = "sent 0\nend\n";
    std::vector<std::string> const senders = {"send 0 1 s 0 0 0 1 of 0 1\n" + send,
                                              "send 0 1 s 0 0 0 1 of 0 2\n" + send};
    auto const all = [&](std::string const& receiver) { return found({receiver, senders[0], senders[1]}); };
    std::string const rest = "recv 1 2 0 2 0 of 0 2\nwait 2 1\ngot 1 2 0 1\nend\n";
    EXPECT_EQ(all("recv 0 1 0 * 0 of 0 1\nwait 1 0\ngot 0 1 0 1\n" + rest).size(), 0U); // the second names its sender
    std::string const other = "recv 1 2 0 * 0 of 0 2\nwait 2 1\ngot 1 2 0 1\nend\n";
    EXPECT_EQ(all("recv 0 1 0 * 0 of 0 1\nwait 1 0\ngot 0 1 0 1\n" + other).size(), 1U);
    EXPECT_EQ(all("probe 1 0 * 0\nseen 1 0\nrecv 0 1 0 1 0 of 0 1\nwait 1 0\ngot 0 1 0 1\n" + other).size(), 0U);
    EXPECT_EQ(all("mprobe 0 1 0 * 0\nmatched 0 1 0\nstart 0 of 0 1 1\nwait 1 0\ngot 0 1 0 1\n" + other).size(), 0U);
    // The receive asks for whom it likes, whatever was probed.
    EXPECT_EQ(all("probe 1 0 * 0\nseen 1 0\nrecv 0 1 0 * 0 of 0 1\nwait 1 0\ngot 0 1 0 1\n" + other).size(), 1U);
}

TEST(Findings, OtherRunsRefuteWhatOneIsPredicted) {
    // A receive of any length, whose room is what it was told before.
    auto const run = [](int room, int first, std::string const& place = "1") {
        auto const receive = [](int n, int room, int from, std::string const& at) {
            std::string const number = std::to_string(n);
            return "recv " + number + " " + at + " 0 * 0 of 0 " + std::to_string(room) + "\nwait 1 " + number +
                   "\ngot " + number + " " + std::to_string(from) + " 0 1\n";
        };
        return recording_of({receive(0, room, first, place) + receive(1, 3, 3 - first, "2") + "end\n",
                             "send 0 1 s 0 0 0 1 of 0 2\nsent 0\nend\n", "send 0 1 s 0 0 0 1 of 0 3\nsent 0\nend\n"});
    };
    auto const left = [](std::vector<Recording> const& others, Recording const& first) {
        std::vector<Finding> all = findings_of(first);
        std::set<HadMatch> had;
        for (Recording const& other : others) add_matches(other, had);
        refute(all, had);
        return all.size();
    };
    EXPECT_EQ(left({}, run(2, 1)), 1U);
    EXPECT_EQ(left({run(2, 1)}, run(2, 1)), 1U); // it says nothing of the other message
    EXPECT_EQ(left({run(3, 2)}, run(2, 1)), 0U);
    EXPECT_EQ(left({run(3, 2, "2")}, run(2, 1)), 1U); // another receive
    // If it did not fit, it is a finding of that run.
    EXPECT_EQ(in_words(findings_of(run(2, 2))).size(), 1U);
    // It holds of each match by itself.
    std::vector<Finding> twice = findings_of(run(2, 1));
    twice[0].matches.push_back({7, 2, 0});
    std::set<HadMatch> had;
    add_matches(run(3, 2), had);
    refute(twice, had);
    ASSERT_EQ(twice.size(), 1U);
    EXPECT_EQ(twice[0].matches, (std::vector<Finding::Match>{{7, 2, 0}}));
    // Two paths predict the same of two matches.
    std::vector<Finding> both = findings_of(run(2, 1));
    both.push_back(both[0]);
    both[1].matches[0].receive = 7;
    both = without_repetitions(std::move(both));
    ASSERT_EQ(both.size(), 1U);
    EXPECT_EQ(both[0].matches.size(), 2U);
}

TEST(Findings, AMessageThatEndsItsRank) {
    Recording const r =
        recording_of({"recv 0 1 0 * 0 of 0 1\nwait 1 0\nerror 1 MPI_Recv fatal MPI_ERR_TRUNCATE too long\n",
                      "send 0 1 s 0 0 0 1 of 0 1\nsent 0\nend\n", "send 0 2 s 0 0 0 1 of 0 3\nsent 0\nend\n"});
    ASSERT_TRUE(r.is_readable());
    auto const text = [&](std::string const& verb, std::string const& more) {
        return std::vector{"a.c:7: rank 0: its receive of 1 MPI_INT " + verb +
                           " a message of rank 2 with 3 MPI_INT, which is too long "
                           "(see a.c:8 of rank 2) [truncation" +
                           more + "]"};
    };
    CallId const receive{0, 0, CallId::Kind::receive};
    CallId const from_1{1, 0, CallId::Kind::send};
    CallId const from_2{2, 0, CallId::Kind::send};
    EXPECT_EQ(in_words(findings_of(r)), text("can get", ", predicted"));
    EXPECT_EQ(in_words(findings_of(r, true, {{receive, from_2}})), text("gets", ""));
    EXPECT_EQ(in_words(findings_of(r, true, {{receive, from_1}})), text("can get", ", predicted")); // that fits
}

TEST(Findings, WhatCollectiveCallsCarry) {
    auto const call = [](std::string const& rest) { return "coll 0 1 MPI_" + rest + "\ndone 0 -\nend\n"; };
    auto const both = [&](std::string const& zero, std::string const& one) { return found({call(zero), call(one)}); };
    std::string const from_1 = " (see a.c:7 of rank 1)";
    EXPECT_EQ(both("Gather 0 0 - sends 0 4 gets 0 4", "Gather 0 0 - sends 1 4"),
              std::vector{"a.c:7: rank 0: MPI_Gather: it receives 4 MPI_INT from rank 1, which sends 4 MPI_FLOAT: the "
                          "types differ" +
                          from_1 + " [type-mismatch]"});
    EXPECT_EQ(
        both("Igatherv 0 0 - gets 2 0 1", "Igatherv 0 0 - sends 2 2"),
        std::vector{"a.c:7: rank 0: MPI_Igatherv: it receives 2 (1 MPI_INT, 1 MPI_SHORT) from rank 1, which sends "
                    "4 (1 MPI_INT, 1 MPI_SHORT): the counts differ" +
                    from_1 + " [count-mismatch]"});
    // Each gets what the other one has for it.
    EXPECT_TRUE(both("Alltoallv 0 -1 - sends 0 1 2 gets 0 1 3", "Alltoallv 0 -1 - sends 0 3 4 gets 0 2 4").empty());
    EXPECT_EQ(both("Alltoallv 0 -1 - sends 0 1 2 gets 0 1 2", "Alltoallv 0 -1 - sends 0 3 4 gets 0 2 4").size(), 1U);
    EXPECT_TRUE(
        both("Alltoallw 0 -1 - sends 0 0 1 2 gets 0 0 0 3", "Alltoallw 0 -1 - sends 0 3 9 0 gets 1 2 9 0").empty());
    // In place: what is received says what is sent.
    EXPECT_TRUE(both("Allgatherv 0 -1 - gets 0 1 2", "Allgatherv 0 -1 - sends 0 2 gets 0 1 2").empty());
    EXPECT_EQ(both("Allgatherv 0 -1 - gets 0 1 2", "Allgatherv 0 -1 - gets 1 1 2").size(), 2U);
    EXPECT_TRUE(both("Scatter 0 0 - sends 0 3", "Scatter 0 0 - gets 0 3").empty());
    EXPECT_EQ(both("Scan 0 -1 - sends 0 3", "Scan 0 -1 - sends 1 3"),
              std::vector<std::string>{
                  "a.c:7: rank 1: MPI_Scan: it gives 3 MPI_FLOAT, and rank 0 gives 3 MPI_INT: the types differ "
                  "(see a.c:7 of rank 0) [type-mismatch]"});
    // Nothing is nothing, and what is not known fits.
    EXPECT_TRUE(both("Bcast 0 0 - sends 0 0", "Bcast 0 0 - gets 1 0").empty());
    EXPECT_TRUE(both("Bcast 0 0 -", "Bcast 0 0 - gets 1 4").empty());
    // Of calls that the language tells apart, one finding says so; what follows them does not belong together.
    EXPECT_EQ(both("Bcast 0 0 - type MPI_INT count 1 sends 0 1", "Bcast 0 0 - type MPI_FLOAT count 1 gets 1 1").size(),
              1U);
    auto const more = [&](std::string const& rest) { return "\ncoll 1 2 MPI_Bcast 0 0 - " + rest; };
    EXPECT_EQ(both("Barrier 0 -1 -" + more("sends 0 1"), "Bcast 0 0 - gets 0 1" + more("gets 1 1")).size(), 1U);
    EXPECT_EQ(both("Barrier 0 -1 -" + more("sends 0 1"), "Barrier 0 -1 -" + more("gets 1 1")).size(), 1U);
    EXPECT_EQ(fault_of("coll 0 1 MPI_Bcast 0 0 - sends 9 1\n"), "type 9 is not known");
}

TEST(Findings, LinesOfRanks) {
    Recording const r = recording_of({"found buffer-changed 1 2 MPI_Isend the buffer has changed\nend\n"});
    ASSERT_TRUE(r.is_readable());
    EXPECT_EQ(
        in_words(findings_of(r)),
        std::vector<std::string>{"a.c:7: rank 0: MPI_Isend: the buffer has changed (see a.c:8) [buffer-changed]"});
    EXPECT_EQ(fault_of("found nonsense 1 2 MPI_Isend x\n"), "`nonsense` is not a kind of finding");
    EXPECT_EQ(fault_of("send 0 1 s 0 0 0 1 of 9 1\n"), "type 9 is not known");
    for (std::size_t i = 0; i < finding_kinds; ++i)
        EXPECT_EQ(finding_kind(info(static_cast<FindingKind>(i)).id), static_cast<FindingKind>(i));
}

} // namespace matchpoint::record
