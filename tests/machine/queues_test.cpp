// The queues: getMarkRemove, the match set, well-formedness (Definition 2), and the queues as the paper has them.

#include <gtest/gtest.h>

#include "machine/get_mark_remove.hpp"
#include "machine/well_formed.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/programs.hpp"

namespace matchpoint::test {
namespace {

using test::Bench;
using test::Lines;

// Four receives at 0, four messages delivered; waits in the order that the trace wants.
std::string four(std::string const& waits) {
    return R"((([1 (rcvi R1 0 a)] [2 (rcvi R2 0 b)] [3 (rcvi R3 0 c)] [4 (rcvi R4 0 d)]
                [w1 (wait R1)])
               ([x2 (wait R2)]) ([x3 (wait R3)]) ([x4 (wait R4)])
               ([5 (sndi S1 9 0 1)] [6 (sndi S2 9 0 2)] [7 (sndi S3 9 0 3)] [8 (sndi S4 9 0 4)]
                [m (assert true)]))
              ((1 bot) (2 bot) (3 bot) (4 bot) (5 bot) (6 bot) (7 bot) (8 bot)
               (m ((0 9) (0 9) (0 9) (0 9) bot)) )" +
           waits + ")";
}

std::string queues(Bench const& b) {
    std::string const state = b.state();
    return state.substr(0, state.find("; ctp"));
}

// Section 4.2's example: a wait marks what precedes its receive, copies values, and removes its own entries.
TEST(GetMarkRemove, MarksWhatStandsBefore) {
    Bench b(four("(x3 bot) (w1 bot) (x2 bot) (x4 bot)"));
    b.steps(9);
    EXPECT_EQ(queues(b), "A(R1) = 0; A(R2) = 0; A(R3) = 0; A(R4) = 0; A(S1) = 9; A(S2) = 9; A(S3) = 9; A(S4) = 9; "
                         "Pnd_r(0) = [R1 a] [R2 b] [R3 c] [R4 d]; Q_s(0) = [S1 1] [S2 2] [S3 3] [S4 4]");
    EXPECT_EQ(
        b.events_of_step()[1],
        "WaitRcviCommand R3 S3 0 {R1 gets S1, a = bot -> 1} {R2 gets S2, b = bot -> 2} {R3 gets S3, c = bot -> 3}");
    EXPECT_EQ(queues(b), "h(a) = 1; h(b) = 2; h(c) = 3; A(R1) = 0; A(R2) = 0; A(R4) = 0; A(S1) = 9; A(S2) = 9; A(S4) = "
                         "9; Pnd_r(0) = [R1 a] [R2 b] [R4 d]; Q_s(0) = [S1 bot] [S2 bot] [S4 4]");
    EXPECT_EQ(b.events_of_step()[1], "WaitRcviCommand R1 S1 0");
    EXPECT_EQ(queues(b), "h(a) = 1; h(b) = 2; h(c) = 3; A(R2) = 0; A(R4) = 0; A(S2) = 9; A(S4) = 9; Pnd_r(0) = [R2 b] "
                         "[R4 d]; Q_s(0) = [S2 bot] [S4 4]");
    EXPECT_EQ(b.events_of_step()[1], "WaitRcviCommand R2 S2 0");
    EXPECT_EQ(queues(b), "h(a) = 1; h(b) = 2; h(c) = 3; A(R4) = 0; A(S4) = 9; Pnd_r(0) = [R4 d]; Q_s(0) = [S4 4]");
    EXPECT_EQ(b.events_of_step()[1], "WaitRcviCommand R4 S4 0 {R4 gets S4, d = bot -> 4}");
    EXPECT_EQ(queues(b), "h(a) = 1; h(b) = 2; h(c) = 3; h(d) = 4");
    EXPECT_EQ(b.matches(), "R1 = S1, R2 = S2, R3 = S3, R4 = S4");
}

TEST(GetMarkRemove, InOrder) {
    Bench b(four("(w1 bot) (x2 bot) (x3 bot) (x4 bot)"));
    b.steps(10);
    EXPECT_EQ(queues(b), "h(a) = 1; A(R2) = 0; A(R3) = 0; A(R4) = 0; A(S2) = 9; A(S3) = 9; A(S4) = 9; Pnd_r(0) = [R2 "
                         "b] [R3 c] [R4 d]; Q_s(0) = [S2 2] [S3 3] [S4 4]");
    b.steps(3);
    EXPECT_EQ(b.state(),
              "h(a) = 1; h(b) = 2; h(c) = 3; h(d) = 4; ctp = (bot bot bot bot bot); trace = 13; s = success");
}

// The last wait comes first; removed entries in the middle; the front jumps over all of them at the end.
TEST(GetMarkRemove, BackToFront) {
    Bench b(four("(x4 bot) (x3 bot) (x2 bot) (w1 bot)"));
    b.steps(9);
    EXPECT_EQ(b.events_of_step()[1], "WaitRcviCommand R4 S4 0 {R1 gets S1, a = bot -> 1} {R2 gets S2, b = bot -> 2} "
                                     "{R3 gets S3, c = bot -> 3} {R4 gets S4, d = bot -> 4}");
    EXPECT_EQ(b.machine.state().Q_s.front, (Array<std::uint32_t>{0, 0}));
    EXPECT_EQ(b.machine.state().Q_s.completed[b.endpoint("0").index], 4U);
    b.steps(1);
    EXPECT_EQ(queues(b), "h(a) = 1; h(b) = 2; h(c) = 3; h(d) = 4; A(R1) = 0; A(R2) = 0; A(S1) = 9; A(S2) = 9; Pnd_r(0) "
                         "= [R1 a] [R2 b]; Q_s(0) = [S1 bot] [S2 bot]");
    b.steps(1);
    EXPECT_EQ(queues(b),
              "h(a) = 1; h(b) = 2; h(c) = 3; h(d) = 4; A(R1) = 0; A(S1) = 9; Pnd_r(0) = [R1 a]; Q_s(0) = [S1 bot]");
    EXPECT_EQ(b.machine.state().Q_s.front[b.endpoint("0").index], 0U);
    b.steps(1);
    EXPECT_EQ(queues(b), "h(a) = 1; h(b) = 2; h(c) = 3; h(d) = 4");
    EXPECT_EQ(b.machine.state().Q_s.front[b.endpoint("0").index], 4U);
}

// Places are counted without removed entries: a wait after one that was removed in the middle still gets its partner.
TEST(GetMarkRemove, ARemovedEntryInTheMiddle) {
    Bench b(four("(x2 bot) (x4 bot)"));
    b.steps(10);
    auto const place = [&](std::uint32_t n) { return place_in_Pnd_r(b.machine.state(), b.code, b.endpoint("0"), n); };
    EXPECT_EQ((std::vector{place(0), place(2), place(3)}), (std::vector<std::size_t>{0, 1, 2}));
    EXPECT_EQ(queues(b), "h(a) = 1; h(b) = 2; A(R1) = 0; A(R3) = 0; A(R4) = 0; A(S1) = 9; A(S3) = 9; A(S4) = 9; "
                         "Pnd_r(0) = [R1 a] [R3 c] [R4 d]; Q_s(0) = [S1 bot] [S3 3] [S4 4]");
    EXPECT_EQ(b.events_of_step()[1], "WaitRcviCommand R4 S4 0 {R3 gets S3, c = bot -> 3} {R4 gets S4, d = bot -> 4}");
    EXPECT_EQ((std::vector{place(0), place(2)}), (std::vector<std::size_t>{0, 1}));
}

// Two receives into one variable: the later one's value stays.
TEST(GetMarkRemove, TheSameVariableTwice) {
    Bench b(R"((([1 (rcvi R 0 x)] [2 (rcvi T 0 x)] [3 (wait T)] [4 (wait R)] [5 (assert (= x 2))])
                ([6 (sndi S 1 0 1)] [7 (sndi U 1 0 2)]))
               ((1 bot) (2 bot) (6 bot) (7 bot) (3 ((0 1) (0 1) bot)) (4 bot) (5 bot)))");
    b.steps(4);
    EXPECT_EQ(b.events_of_step()[3], "WaitRcviCommand T U 0 {R gets S, x = bot -> 1} {T gets U, x = 1 -> 2}");
    EXPECT_EQ(b.events_of_step()[1], "WaitRcviCommand R S 0"); // marked: does not copy again
    b.steps(1);
    EXPECT_EQ(b.state(), "h(x) = 2; ctp = (bot bot); trace = 7; s = success");
}

TEST(GetMarkRemove, AnAssignmentStaysWhenAMarkedReceiveIsWaitedFor) {
    Bench b(R"((([1 (rcvi R 0 x)] [2 (rcvi T 0 y)] [3 (wait T)] [4 (x := 9)] [5 (wait R)])
                ([6 (sndi S 1 0 1)] [7 (sndi U 1 0 2)]))
               ((1 bot) (2 bot) (6 bot) (7 bot) (3 ((0 1) (0 1) bot)) (4 bot) (5 bot)))");
    b.steps(7);
    EXPECT_EQ(b.state(), "h(x) = 9; h(y) = 2; ctp = (bot bot); trace = 7; s = success");
}

// Marking is per endpoint (errata E24).
TEST(GetMarkRemove, LeavesOtherEndpointsAlone) {
    Bench b(R"((([1 (rcvi R 0 x)] [2 (rcvi T 1 y)] [3 (wait T)])
                ([6 (sndi S 2 0 1)] [7 (sndi U 2 1 2)]))
               ((1 bot) (2 bot) (6 bot) (7 bot) (3 ((0 2) (1 2) bot))))");
    b.steps(5);
    EXPECT_EQ(
        b.state(),
        "h(y) = 2; A(R) = 0; A(S) = 2; Pnd_r(0) = [R x]; Q_s(0) = [S 1]; ctp = (bot bot); trace = 5; s = success");
}

// Without a listener the completions are not made, and the state is the same.
TEST(GetMarkRemove, WithoutObservers) {
    Bench b(four("(x3 bot) (w1 bot) (x2 bot) (x4 bot)"));
    Machine silent(b.code, Buffering::infinite);
    EXPECT_EQ(run(silent, 0).s, Status::success);
    EXPECT_EQ(b.run().s, Status::success);
    EXPECT_EQ(silent.state(), b.machine.state());
}

TEST(GetMarkRemove, ChangesNothingWhenStuck) {
    Bench b("(([1 (rcvi R 0 x)] [2 (wait R)])) ((1 bot))");
    b.steps(1);
    State state = b.machine.state();
    std::vector<event::Completion> completions;
    auto const result = get_mark_remove(state, b.code, b.endpoint("0"), b.action("R"), &completions);
    EXPECT_TRUE(std::holds_alternative<reason::MessageNotThere>(std::get<Reason>(result)));
    EXPECT_EQ(state, b.machine.state());
    EXPECT_TRUE(completions.empty());
}

// ---------------------------------------------------------------------------------------------------------------------

TEST(MatchSet, IsInTheOrderOfTheProgram) {
    Bench b(R"((([1 (rcvi R 0 x)] [2 (wait R)]) ([3 (rcvi T 1 y)] [4 (wait T)])
                ([5 (sndi S 2 0 1)] [6 (sndi U 2 1 2)]))
               ((5 bot) (6 bot) (3 bot) (4 ((1 2))) (1 bot) (2 ((0 2)))))");
    b.steps(4);
    EXPECT_EQ(match_set(b.code, b.machine.state()), (std::vector<Match>{{b.action("T"), b.action("U")}}));
    b.steps(2);
    EXPECT_EQ(match_set(b.code, b.machine.state()),
              (std::vector<Match>{{b.action("R"), b.action("S")}, {b.action("T"), b.action("U")}}));
}

// Delivered is not matched: only what a wait has completed counts, by itself or by marking.
TEST(MatchSet, HasWhatAWaitHasCompleted) {
    Bench b(R"((([1 (rcvi R 0 x)] [2 (rcvi T 0 y)] [3 (rcvi V 0 z)] [4 (wait T)])
                ([5 (sndi S 1 0 1)] [6 (sndi U 1 0 2)] [7 (sndi W 1 0 3)] [8 (assert true)]))
               ((1 bot) (2 bot) (3 bot) (5 bot) (6 bot) (7 bot) (8 ((0 1) (0 1) (0 1))) (4 bot)))");
    b.steps(7);
    EXPECT_EQ(b.matches(), "");
    b.steps(1);
    EXPECT_EQ(b.matches(), "R = S, T = U");
}

// ---------------------------------------------------------------------------------------------------------------------

/// What keeps a state from being well-formed.
std::string offenders(Bench const& b) {
    WellFormedness const w = well_formedness(b.code, b.machine.state());
    std::string text = w ? "well-formed" : "not well-formed";
    if (!w.ran_to_completion) text += "; did not run to completion";
    if (!w.in_transit.empty()) text += "; in transit: " + in_words(b.code, w.in_transit);
    if (!w.delivered.empty()) text += "; delivered: " + in_words(b.code, w.delivered);
    if (!w.without_message.empty()) text += "; without message: " + in_words(b.code, w.without_message);
    return text;
}

std::string offenders_after(std::string text) {
    Bench b(std::move(text));
    static_cast<void>(b.run());
    return offenders(b);
}

TEST(WellFormed, EverythingMatched) {
    EXPECT_EQ(offenders_after("(([1 (rcvi R 0 x)] [2 (sndi S 0 0 1)] [3 (wait R)])) ((1 bot) (2 bot) (3 ((0 0))))"),
              "well-formed");
    EXPECT_EQ(offenders_after("(([1 (assume false)])) ((1 bot))"), "well-formed"); // infeasible is below error
    EXPECT_EQ(offenders_after("() ()"), "well-formed");
}

// A receive that a later wait completed and nobody waits for counts as matched (errata E15).
TEST(WellFormed, MarkedLeftovers) {
    Bench b(R"((([1 (rcvi R 0 x)] [2 (rcvi T 0 y)] [3 (sndi S 0 0 1)] [4 (sndi U 0 0 2)] [5 (wait T)]))
               ((1 bot) (2 bot) (3 bot) (4 bot) (5 ((0 0) (0 0)))))");
    b.steps(5);
    EXPECT_EQ(b.state(), "h(x) = 1; h(y) = 2; A(R) = 0; A(S) = 0; Pnd_r(0) = [R x]; Q_s(0) = [S bot]; ctp = (bot); "
                         "trace = 5; s = success");
    EXPECT_EQ(offenders(b), "well-formed");
}

TEST(WellFormed, InTransit) {
    EXPECT_EQ(offenders_after(R"((([1 (sndi S 1 0 1)] [2 (sndi T 1 0 2)] [3 (sndi U 2 0 3)]))
                                 ((1 bot) (2 bot) (3 bot)))"),
              "not well-formed; in transit: S, T, U");
}

TEST(WellFormed, Delivered) {
    EXPECT_EQ(offenders_after(R"((([1 (sndi S 1 0 1)] [2 (sndi T 1 0 2)] [3 (wait S)]))
                                 ((1 bot) (2 bot) (3 ((0 1)))))"),
              "not well-formed; in transit: T; delivered: S");
}

TEST(WellFormed, WithoutMessage) {
    EXPECT_EQ(offenders_after("(([1 (rcvi R 0 x)] [2 (rcvi T 0 y)])) ((1 bot) (2 bot))"),
              "not well-formed; without message: R, T");
    // Its partner is there, but nothing has completed it.
    EXPECT_EQ(offenders_after(R"((([1 (rcvi R 0 x)] [2 (sndi S 0 0 1)] [3 (wait S)])) ((1 bot) (2 bot) (3 ((0 0)))))"),
              "not well-formed; delivered: S; without message: R");
}

TEST(WellFormed, NotCompleted) {
    EXPECT_EQ(offenders_after("(([1 (x := 1)])) ()"), "not well-formed; did not run to completion");
    EXPECT_EQ(offenders_after("(([1 (x := 1)])) ((1 bot) (1 bot))"), "not well-formed; did not run to completion");
    Bench running("(([1 (x := 1)])) ((1 bot))");
    EXPECT_EQ(offenders(running), "not well-formed; did not run to completion");
    running.steps(1);
    EXPECT_EQ(offenders(running), "well-formed");
}

// ---------------------------------------------------------------------------------------------------------------------

// No more than the first slots are looked at, removed ones among them.
TEST(Queues, AreCut) {
    Bench b(four(""));
    b.steps(9);
    Endpoint const beta = b.endpoint("0");
    State const& state = b.machine.state();
    EXPECT_EQ(Pnd_r(b.code, state, beta, 2),
              (std::vector<PendingReceive>{{b.action("R1"), b.variable("a")}, {b.action("R2"), b.variable("b")}}));
    EXPECT_EQ(Q_s(b.code, state, beta, 1),
              (std::vector<DeliveredSend>{{b.action("S1"), DeliveredSend::Mark::unmarked, Value::integer(1)}}));
    EXPECT_EQ(Pnd_r(b.code, state, beta, 0), std::vector<PendingReceive>{});
    EXPECT_EQ(Q_s(b.code, state, beta, 0), std::vector<DeliveredSend>{});
    EXPECT_EQ(Pnd_r(b.code, state, beta).size(), 4U);
    EXPECT_EQ(Q_s(b.code, state, beta).size(), 4U);
    EXPECT_EQ(Pnd_r(b.code, state, beta, 100).size(), 4U);

    Bench removed(four("(x2 bot) (x3 bot)"));
    removed.steps(11);
    auto const receives = [&](std::uint32_t looks) {
        std::string text;
        for (auto const& p : Pnd_r(removed.code, removed.machine.state(), beta, looks))
            text += std::string(removed.program.symbols(p.a)) + " ";
        for (auto const& d : Q_s(removed.code, removed.machine.state(), beta, looks))
            text += std::string(removed.program.symbols(d.a)) + " ";
        return text;
    };
    EXPECT_EQ(receives(1), "R1 S1 ");
    EXPECT_EQ(receives(3), "R1 S1 ");
    EXPECT_EQ(receives(4), "R1 R4 S1 S4 ");
}

TEST(Queues, OfTheInitialState) {
    Bench b("(([1 (rcvi R 0 x)]) ([2 (sndi S 1 0 4)] [3 (sndi T 2 0 4)])) ((1 ((5 6))))");
    State const initial(b.code);
    EXPECT_EQ(initial, b.machine.state());
    EXPECT_EQ(initial.s, Status::success);
    EXPECT_EQ(initial.commands_left, 3U);
    EXPECT_FALSE(initial.finished());
    EXPECT_EQ(initial.trace, 0U);
    EXPECT_EQ(initial.h, Array<Value>(1));
    EXPECT_EQ(initial.A, Array<Endpoint>(3));
    EXPECT_EQ(initial.ctp, (Array<std::uint32_t>{0, 1}));
    EXPECT_FALSE(initial.is_issued(b.action("R")));
    EXPECT_EQ(Pnd_s(b.code, initial, b.channel("0", "1")).size(), 0U);
    EXPECT_EQ(Pnd_s(b.code, initial, b.channel("5", "6")).size(), 0U);
    EXPECT_EQ(Pnd_r(b.code, initial, b.endpoint("0")), std::vector<PendingReceive>{});
    EXPECT_EQ(Q_s(b.code, initial, b.endpoint("0")), std::vector<DeliveredSend>{});
    EXPECT_EQ(initial.Pnd_s.entries.size(), 2U);
    EXPECT_EQ(initial.Pnd_r.entries.size(), 1U);
    EXPECT_EQ(initial.Q_s.entries.size(), 2U);
}

// MessageIndex of one channel arrive in the order sent; those of another may overtake them.
TEST(Queues, ChannelsAreFifo) {
    Bench b(R"((([1 (sndi S 1 0 1)] [2 (sndi T 1 0 2)] [3 (sndi U 2 0 3)] [4 (assert true)]))
               ((1 bot) (2 bot) (3 bot) (4 ((0 2) (0 1) (0 1)))))");
    b.steps(4);
    EXPECT_EQ(b.state(),
              "A(S) = 1; A(T) = 1; A(U) = 2; Q_s(0) = [U 3] [S 1] [T 2]; ctp = (bot); trace = 4; s = success");
}

} // namespace
} // namespace matchpoint::test
