// Recorded runs, and deadlocks of recorded programs, that depend on which sends a library buffers.
#include "record/refusing.hpp"

#include <gtest/gtest.h>

#include "explain/told.hpp"
#include "record/predicted.hpp"
#include "record/provenance.hpp"
#include "record/recorded_deadlock.hpp"
#include "record/rerun.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/programs.hpp"
#include "tests/support/recordings.hpp"

namespace matchpoint::record {

namespace {

/// Places are lines of one file.
class OneFile : public Resolver {
public:
    SourceLine line(std::string const&, std::uint64_t offset) override {
        return {"a.c", static_cast<std::uint32_t>(offset)};
    }
};

/// Recordings of ranks 0, 1, ... of one communicator. Place n is line n.
Recording recorded(std::vector<std::string> const& ranks) {
    std::string places = "object 0 /a\n";
    for (char const n : {'1', '2', '3'}) places += std::string("place ") + n + " 0 " + n + "\n";
    OneFile lines;
    Recording recording = read_recording(test::files_of_ranks(ranks, places), lines);
    EXPECT_TRUE(recording.is_readable());
    return recording;
}

std::vector<std::string> names(std::vector<CallId> const& sends) {
    std::vector<std::string> result;
    for (CallId const& send : sends) result.push_back(name_of(send));
    return result;
}

std::vector<std::string> refusing(std::vector<std::string> const& ranks) { return names(refusing_in(recorded(ranks))); }

using Names = std::vector<std::string>;

/// The program of traces/buffering_mixed.ctp, in a run in which every rank reaches its end.
Recording mixed() {
    return recorded({"send 0 1 s 0 1 0 1\nwait 1 0\nsent 0\nsend 1 2 s 0 2 0 2\nwait 2 1\nsent 1\nend\n",
                     "send 0 1 s 0 2 0 3\nwait 1 0\nsent 0\nsend 1 2 s 0 2 9 4\nwait 2 1\nsent 1\n"
                     "recv 2 3 0 0 0\nwait 3 2\ngot 2 0 0 1\nend\n",
                     "recv 0 1 0 * 0\nwait 1 0\ngot 0 1 0 3\nrecv 1 2 0 1 9\nwait 2 1\ngot 1 1 9 4\n"
                     "recv 2 3 0 * 0\nwait 3 2\ngot 2 0 0 2\nend\n"});
}

Prepared prepared(draft::Draft const& program) {
    std::string const text = draft::print(program);
    return {Source("recording", text), draft::valid_program_of(program)};
}

/// With its comment.
Prepared prepared_text(std::string text) {
    Source source("test.ctp", std::move(text));
    Program program = test::parsed(source);
    return {std::move(source), std::move(program)};
}

} // namespace

TEST(RefusingSends, OfARunThatGotStuck) {
    std::string const sends = "send 0 0 s 0 1 0 1\nwait 0 0\n";
    EXPECT_EQ(refusing({sends, "send 0 0 s 0 0 0 1\nwait 0 0\n"}), (Names{"S0_0", "S1_0"}));
    // Rank 1 waits for rank 0, which a library that buffers would let go on.
    EXPECT_EQ(refusing({sends, "recv 0 0 0 0 7\nwait 0 0\n"}), (Names{"S0_0"}));
    EXPECT_EQ(refusing({sends + "sent 0\nend\n", "recv 0 0 0 0 0\nwait 0 0\ngot 0 0 0 1\nend\n"}), Names());
}

TEST(RefusingSends, OfADeadlockUnderEveryLibrary) {
    EXPECT_EQ(refusing({"recv 0 0 0 1 0\nwait 0 0\n", "recv 0 0 0 0 0\nwait 0 0\n"}), Names());
    EXPECT_EQ(refusing({"send 0 0 S 0 1 0 1\nwait 0 0\n", "send 0 0 S 0 0 0 1\nwait 0 0\n"}), Names());
    // Its rank waits for a receive in the same call.
    EXPECT_EQ(refusing({"send 0 0 s 0 1 0 1\nrecv 1 0 0 1 5\nwait 0 0 1\n", "recv 0 0 0 0 7\nwait 0 0\n"}), Names());
    // Ranks 0 and 1 wait for each other, whatever rank 2 does.
    EXPECT_EQ(refusing({"recv 0 0 0 1 0\nwait 0 0\n", "recv 0 0 0 0 0\nwait 0 0\n", "send 0 0 s 0 0 9 1\nwait 0 0\n"}),
              Names());
    EXPECT_EQ(refusing({"recv 0 0 0 2 0\nwait 0 0\n", "recv 0 0 0 0 0\nwait 0 0\n", "send 0 0 s 0 0 9 1\nwait 0 0\n"}),
              (Names{"S2_0"}));
}

/// A rank that has posted a receive, which it would wait for later, is at its send.
TEST(RefusingSends, BesideReceivesThatArePosted) {
    EXPECT_EQ(refusing({"recv 0 0 0 1 5\nsend 1 0 s 0 1 0 1\nwait 0 1\n", "recv 0 0 0 0 7\nwait 0 0\n"}),
              (Names{"S0_1"}));
}

TEST(RefusingSends, InADeadlockThatAnotherRunCanHave) {
    Recording const run = mixed();
    Prepared const program = prepared(run.program);
    DeadlockOfLibrary const found = deadlock_of_library(program, {}, nullptr);
    EXPECT_TRUE(found.is_known);
    ASSERT_TRUE(found.end);
    EXPECT_EQ(names(found.refusing), (Names{"S1_0"}));
    auto const why = blocked_by_refusals(program.code, *found.end);
    ASSERT_TRUE(why);
    std::string const words = explain::shown(program.code, *why);
    EXPECT_NE(words.find("S1_0 waits for a receive at endpoint 2"), std::string::npos) << words;
    EXPECT_EQ(words.find("zero buffering"), std::string::npos) << words;
    EXPECT_EQ(matches_in(program, *found.end),
              (std::vector<CallMatch>{{*importers::call_id_of("R2_0"), *importers::call_id_of("S0_1")}}));
    // The message that is sent first is the one that is received first.
    Recording const repaired =
        recorded({"send 0 0 s 0 1 0 1\nwait 0 0\nsent 0\nend\n", "recv 0 0 0 * 0\nwait 0 0\ngot 0 0 0 1\nend\n"});
    DeadlockOfLibrary const none = deadlock_of_library(prepared(repaired.program), {}, nullptr);
    EXPECT_TRUE(none.is_known && !none.end && none.refusing.empty());
}

/// Rank 0 sends after it has got the message of rank 1 first, for which rank 2 must not wait. If rank 0 could not get
/// the message of rank 2, a library that lets rank 2 wait would deadlock before.
TEST(RefusingSends, InTheExecutionsThatReceiveWhatARunDid) {
    Recording const run =
        recorded({"recv 0 1 0 * 0\nwait 1 0\ngot 0 1 0 1\nrecv 1 2 0 * 0\nwait 2 1\ngot 1 2 0 2\n"
                  "send 2 3 s 0 1 5 1\nwait 3 2\nsent 2\nend\n",
                  "recv 0 1 0 2 0\nwait 1 0\ngot 0 2 0 3\nsend 1 2 s 0 0 0 1\nwait 2 1\nsent 1\nend\n",
                  "send 0 1 s 0 0 0 2\nwait 1 0\nsent 0\nsend 1 2 s 0 1 0 3\nwait 2 1\nsent 1\nend\n"});
    std::vector<CallMatch> const matches = matches_of(run);
    draft::Draft const only = only_as_in_run(run.program, matches, {});
    std::string const text = draft::print(only);
    EXPECT_NE(text.find("(source source_R0_0))"), std::string::npos) << text;
    EXPECT_NE(text.find("(wait R0_0) (at \"a.c\" 1)]\n    [02 (assume (= source_R0_0 1))]"), std::string::npos) << text;
    EXPECT_EQ(text.find("source_R1_0"), std::string::npos) << text;
    DeadlockOfLibrary const found = deadlock_of_library(prepared(only), {}, nullptr);
    ASSERT_TRUE(found.end);
    EXPECT_EQ(names(found.refusing), (Names{"S0_2"}));
    std::set<CallId> receives;
    for (CallMatch const& m : matches) receives.insert(m.first);
    EXPECT_EQ(draft::print(only_as_in_run(run.program, matches, receives)),
              draft::print(as_in_run(run.program, matches)));
}

/// Only the last wait of a call is followed by what has to hold.
TEST(RefusingSends, InTheExecutionsThatReceiveWhatARunDidInACallForSeveral) {
    std::string const send = "send 0 1 s 0 0 0 1\nwait 1 0\nsent 0\nend\n";
    Recording const run = recorded({"recv 0 1 0 * *\nrecv 1 2 0 * *\nwait 3 0 1\ngot 0 1 0 1\ngot 1 2 7 1\nend\n", send,
                                    "send 0 1 s 0 0 7 1\nwait 1 0\nsent 0\nend\n"});
    std::string const text = draft::print(only_as_in_run(run.program, matches_of(run), {}));
    EXPECT_NE(text.find("[03 (wait R0_1) (at \"a.c\" 3)]\n"
                        "    [04 (assume (and (= source_R0_0 1) (= tag_R0_0 0)))]\n"
                        "    [05 (assume (and (= source_R0_1 2) (= tag_R0_1 7)))]"),
              std::string::npos)
        << text;
}

TEST(RefusingSends, WhereTheRecordingIsCutShort) {
    // Rank 1 was still running, and may have received.
    Recording const run = recorded({"send 0 0 s 0 1 0 1\nwait 0 0\nsent 0\nend\n", ""});
    Prepared const program = prepared(run.program);
    EXPECT_TRUE(deadlock_of_library(program, {}, nullptr).end);
    DeadlockOfLibrary const open = deadlock_of_library(program, {.running = {1}, .dead = {}, .word = "rank"}, nullptr);
    EXPECT_TRUE(open.is_known);
    EXPECT_FALSE(open.end);
}

TEST(RefusingSends, InWords) {
    Recording const run = mixed();
    auto const words = [&](Names const& sends, std::string_view word) {
        std::vector<CallId> ids;
        for (std::string const& send : sends) ids.push_back(*importers::call_id_of(send));
        return waiting_in_words(run.program, ids, word);
    };
    EXPECT_EQ(words({"S1_0"}, "rank"), "the send at a.c:1 of rank 1 waits for its receive");
    EXPECT_EQ(words({"S1_0", "S0_1"}, "rank"),
              "the sends at a.c:1 of rank 1 and at a.c:2 of rank 0 wait for their receives");
    EXPECT_EQ(words({"S1_0", "S0_1"}, ""), "the sends S1_0 and S0_1 wait for their receives");
    EXPECT_EQ(words({"S0_0", "S0_1", "S1_0", "S1_1", "S2_7", "S2_8"}, ""),
              "the sends S0_0, S0_1, S1_0, S1_1 and 2 more wait for their receives");
}

/// A call that others have not made.
TEST(RefusingSends, OfCollectiveCalls) {
    Names const ranks{"coll 0 1 MPI_Bcast 0 0 5\n", "recv 0 2 0 0 7\nwait 2 0\n", "recv 0 2 0 0 7\nwait 2 0\n"};
    Recording const run = recorded(ranks);
    auto const sends = refusing_in(run);
    EXPECT_EQ(names(sends), (Names{"C0_0"}));
    EXPECT_EQ(waiting_in_words(run.program, sends, "rank"),
              "the collective call at a.c:1 of rank 0 waits for other ranks");
    EXPECT_EQ(waiting_in_words(run.program, sends, ""), "the collective call C0_0 waits for other ranks");
    std::vector<CallId> both = sends;
    both.push_back(*importers::call_id_of("S2_4"));
    EXPECT_EQ(waiting_in_words(run.program, both, ""),
              "the send S2_4 waits for its receive, and the collective call C0_0 waits for other ranks");
}

/// What `check -o` writes is what `mpi replay` reads.
TEST(RefusingSends, InTheCommentOfATrace) {
    std::string const words = provenance::words(2, Buffering::infinite, provenance::to_deadlock, {"S0_1", "S1_0"});
    EXPECT_EQ(words, "trace 2, any buffering, refusing S0_1 S1_0: leads to a deadlock");
    auto const endings = trace_endings("; " + words + "\n; trace 3, zero buffering: leads to a deadlock\n", 3);
    EXPECT_EQ(endings[1].refusing, (Names{"S0_1", "S1_0"}));
    EXPECT_TRUE(endings[1].stops_early);
    EXPECT_EQ(endings[1].buffering_if(std::nullopt), Buffering::infinite);
    EXPECT_TRUE(endings[0].refusing.empty() && endings[2].refusing.empty());
    EXPECT_EQ(endings[2].buffering, Buffering::zero);
}

/// The waits of sends that refuse do not return; those of the others do.
TEST(RefusingSends, InAPrediction) {
    draft::Draft program = mixed().program;
    program.traces = {{{"00", {}}, {"01", {}}, {"02", {}}, {"20", {}}, {"21", {{"2", "0"}}}}};
    Prepared const prepared_program = prepared(program);
    auto const predicted = predict(prepared_program, 0, Buffering::infinite, {"S1_0"});
    ASSERT_TRUE(predicted) << predicted.error();
    EXPECT_TRUE(predicted->is_deadlock);
    ASSERT_EQ(predicted->waits.size(), 2U);
    EXPECT_EQ(names(predicted->waits[0].waits.calls), (Names{"S1_0"}));
    EXPECT_EQ(names(predicted->waits[1].waits.calls), (Names{"R2_1"}));
    auto const buffered = predict(prepared_program, 0, Buffering::infinite, {});
    ASSERT_TRUE(buffered);
    EXPECT_FALSE(buffered->is_deadlock);
    auto const wrong = predict(prepared_program, 0, Buffering::infinite, {"R2_0"});
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error(), "trace 1: `R2_0`, which is to refuse, is neither a send nor a collective of the program");
}

/// A rank that was in a call when the run got stuck would go on after it: the wait for it is no deadlock for sure, but
/// the run is one.
TEST(RefusingCollectives, OfTheRecordedRun) {
    auto const of = [](std::string const& comment) {
        return prepared_text(
            "; A recorded run of: mpirun -n 2 ./x\n; 2 ranks; MPI\n; This run deadlocked.\n" + comment +
            "(communicators [w 0 1 2])"
            "(([00 (collective C0_0 w bcast (root 0))]) ([10 (rcvi R1_0 1 x (from 2))] [11 (wait R1_0)])"
            " ([20 (collective C2_0 w bcast (root 0))])) ((00 bot) (10 bot))");
    };
    std::string const waits = "; a.c:1: rank 1 waits for a receive from rank 2, tag 0\n; rank 2 waits in MPI_Bcast\n";
    for (std::string const& refusing :
         {std::string(), std::string("; trace 1, any buffering, refusing C2_0: leads to a deadlock\n")}) {
        Prepared const program = of(refusing + waits);
        CutShort const cut = provenance_of(program.source.text()).cut_short;
        EXPECT_EQ(cut.blocked, (std::vector<std::uint32_t>{1, 2}));
        EXPECT_EQ(cut.why_open(), "ranks 1, 2 were blocked when the recorded run deadlocked: what they would have done "
                                  "next is not recorded");
        // A file of predictions says so, too.
        std::string const head = provenance::head_of_predictions(provenance_of(program.source.text()));
        EXPECT_EQ(provenance_of(head).cut_short.blocked, cut.blocked) << head;
        check::CheckOptions options;
        options.refusals = check::Refusals::any;
        auto result = check::check(program.messages, options);
        EXPECT_EQ(result.deadlock.answer, check::Reached::Answer::yes);
        end_openly(result, program.code, Buffering::infinite, cut);
        EXPECT_EQ(result.deadlock.answer, check::Reached::Answer::unknown);
        auto const of_run = recorded_deadlock(program, Buffering::infinite, check::Refusals::any);
        EXPECT_EQ(of_run.has_value(), !refusing.empty());
        if (!of_run) continue;
        ASSERT_EQ(of_run->refusing.size(), 1U);
        EXPECT_EQ(program.program.symbols(of_run->refusing[0]), "C2_0");
    }
    // Both wait for each other, whatever they would do then.
    Prepared const certain =
        prepared_text("; A recorded run of: mpirun -n 2 ./x\n; This run deadlocked.\n; rank 0 waits for a receive\n"
                      "; rank 1 waits for a receive\n(([00 (rcvi R0_0 0 x (from 1))] [01 (wait R0_0)])"
                      " ([10 (rcvi R1_0 1 y (from 0))] [11 (wait R1_0)])) ((00 bot) (10 bot))");
    auto result = check::check(certain.messages, {});
    end_openly(result, certain.code, Buffering::infinite, provenance_of(certain.source.text()).cut_short);
    EXPECT_EQ(result.deadlock.answer, check::Reached::Answer::yes);
}

/// A trace, or what comes after it, ends in a fault of MPI. A run has made it if the two calls do not match there.
TEST(Predictions, EndInFaults) {
    auto const of = [](std::string calls, std::string const& trace) {
        return prepared(draft::draft_of(
            test::parsed(Source("test.ctp", "(([00 (collective C0_0 w " + calls +
                                                ")]) ([10 (collective C1_0 w reduce (root 1))]))" + trace))));
    };
    for (std::string const trace : {"()", "((00 bot))", "((10 bot))"}) {
        Prepared const program = of("bcast (root 1)", trace);
        auto const predicted = predict(program, 0, Buffering::infinite, {});
        ASSERT_TRUE(predicted) << predicted.error();
        ASSERT_TRUE(predicted->fault);
        EXPECT_NE(predicted->fault->words.find("collective 1 of w: bcast"), std::string::npos);
        Recording run;
        for (bool const is_other : {false, true}) {
            run.program =
                draft::draft_of(is_other ? of("reduce (root 1)", "").program : of("bcast (root 1)", "").program);
            EXPECT_EQ(has_made(run, *predicted->fault), !is_other);
        }
    }
    Prepared const ready = prepared(draft::draft_of(test::parsed(
        Source("test.ctp", "(([00 (rsndi S0_0 0 1 1)]) ([10 (rcvi R1_0 1 x)] [11 (wait R1_0)])) ((00 bot))"))));
    auto const early = predict(ready, 0, Buffering::infinite, {});
    ASSERT_TRUE(early) << early.error();
    ASSERT_TRUE(early->fault);
    EXPECT_TRUE(early->fault->calls.empty());
}

/// Of traces/buffering_mixed_collective.ctp: K0 waits for all, and K1 returns.
TEST(RefusingCollectives, InAPrediction) {
    Source const source(
        "test.ctp",
        "(([00 (rcvi R 0 x)] [01 (wait R)] [02 (collective K0 w gather (root 2))] [03 (rcvi Q 0 y)] [04 (wait Q)])"
        " ([10 (collective K1 w gather (root 2))] [11 (sndi S1 1 0 1)] [12 (wait S1)])"
        " ([20 (ssndi S0 2 0 2)] [21 (wait S0)] [22 (collective K2 w gather (root 2))]))"
        "( (00 bot) (10 bot) (11 bot) (20 bot) (01 ((0 1) bot)) )");
    Prepared const program = prepared(draft::draft_of(test::parsed(source)));
    auto const predicted = predict(program, 0, Buffering::infinite, {"K0"});
    ASSERT_TRUE(predicted) << predicted.error();
    EXPECT_TRUE(predicted->is_deadlock);
    ASSERT_EQ(predicted->waits.size(), 2U);
    EXPECT_EQ(predicted->waits[0].where, "in gather");
    EXPECT_EQ(predicted->waits[1].where, "for S0");
    auto const early = predict(program, 0, Buffering::infinite, {});
    ASSERT_TRUE(early);
    EXPECT_FALSE(early->is_deadlock);
    auto const other = predict(program, 0, Buffering::infinite, {"K1"}); // it has returned
    ASSERT_TRUE(other);
    EXPECT_FALSE(other->is_deadlock);
}

} // namespace matchpoint::record
