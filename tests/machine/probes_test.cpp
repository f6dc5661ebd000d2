// Probes: what they see, what an mprobe takes, who waits for whom, and that all of it can be undone (docs/semantics.md,
// "Probes").

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "machine/partners.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/programs.hpp"

namespace matchpoint::test {
namespace {

// S1 has tag 1, S2 has tag 2, S3 is of another source and has tag 2.
std::string with_sends(std::string const& receiver, std::string const& rest) {
    return "((" + receiver +
           ") ([5 (sndi S1 9 0 1 (tag 1))] [6 (sndi S2 9 0 2 (tag 2))]) ([7 (sndi S3 8 0 3 (tag 2))])) "
           "((5 bot) (6 bot) (7 bot) " +
           rest + ")";
}

std::string reason_of(Bench const& b, Step const& step) {
    return step.is_stuck() ? std::string(to_string(step.why().reason)) : b.why(step);
}

/// What the probe at a location can see, as movements.
std::vector<std::string> visible(Bench const& b, std::string_view rho) {
    std::vector<std::string> result;
    for_each_peek(b.machine.state(), b.code, b.location(rho), [&](Channel lane) {
        result.emplace_back(b.program.symbols(Pnd_s(b.code, b.machine.state(), lane).front().a));
    });
    return result;
}

TEST(ProbeCommand, Applies) {
    Bench b(with_sends("[1 (probe P 0 (tag 2) (source y) (tagged z))]", "(1 ((peek 0 8 2) bot))"));
    b.steps(3);
    EXPECT_EQ(b.state(), "A(S1) = 9; A(S2) = 9; A(S3) = 8; Pnd_s(0)(9) = [S1 1]; Pnd_s(0)(9) = [S2 2]; Pnd_s(0)(8) = "
                         "[S3 3]; ctp = (1 bot bot); trace = 3; s = success");
    EXPECT_EQ(b.events_of_step(),
              (Lines{"EntryTaken 3 1 thread 0", "ProbeCommand P 0 sees S3 v = 3, y = bot -> 8, z = bot -> 2",
                     "MachineStep 3 1 thread 0"}));
    EXPECT_EQ(b.recorder.rules[1], Rule::probe_command);
    // It takes nothing.
    EXPECT_EQ(b.state(), "h(y) = 8; h(z) = 2; A(S1) = 9; A(S2) = 9; A(S3) = 8; Pnd_s(0)(9) = [S1 1]; Pnd_s(0)(9) = "
                         "[S2 2]; Pnd_s(0)(8) = [S3 3]; ctp = (bot bot bot); trace = 4; s = success");
    EXPECT_EQ(b.machine.state().saw[b.action("P").index], b.action("S3"));
}

TEST(ProbeCommand, DoesNotApply) {
    Bench b("(([1 (probe P 0)])) ((1 ((peek 0 9) bot)))");
    Step const step = b.step();
    ASSERT_TRUE(step.is_stuck());
    EXPECT_EQ(step.why().rule, Rule::probe_command);
    EXPECT_EQ(b.recorder.events,
              (Lines{"EntryTaken 0 1 thread 0", "StuckAt 0 1 PROBE COMMAND: nothing to probe before = success"}));
    EXPECT_EQ(b.state(), "ctp = (1); trace = 0; s = error");
}

TEST(MprobeCommand, Applies) {
    Bench b(with_sends("[1 (mprobe P 0 (from 9) (source y))]", "(1 ((peek 0 9) bot))"));
    b.steps(3);
    EXPECT_EQ(b.events_of_step(), (Lines{"EntryTaken 3 1 thread 0", "MprobeCommand P 0 sees S1 v = 1, y = bot -> 9",
                                         "MachineStep 3 1 thread 0"}));
    EXPECT_EQ(b.recorder.rules[1], Rule::mprobe_command);
    // The message has left the channel, and its receive waits for its start.
    EXPECT_EQ(b.state(), "h(y) = 9; A(S1) = 9; A(S2) = 9; A(S3) = 8; Pnd_s(0)(9) = [S2 2]; Pnd_s(0)(8) = [S3 3]; "
                         "Pnd_r(0) = [P -]; Q_s(0) = [S1 1]; ctp = (bot bot bot); trace = 4; s = success");
    EXPECT_TRUE(is_held(b.machine.state(), b.code, b.action("P")));
    EXPECT_EQ(b.machine.state().saw[b.action("S1").index], b.action("P"));
}

TEST(MprobeCommand, DoesNotApply) {
    Bench b(with_sends("[0 (rcvi R 0 x)] [1 (mprobe P 0)]", "(0 bot) (1 ((peek 0 9) bot))"));
    b.steps(4);
    Step const step = b.step();
    ASSERT_TRUE(step.is_stuck());
    EXPECT_EQ(step.why().rule, Rule::mprobe_command);
    EXPECT_EQ(b.text(step.why()), "MPROBE COMMAND: nothing to probe: P admits every message, and S1 is for R");
    EXPECT_TRUE(b.machine.state().saw[b.action("P").index].is_none());
}

TEST(StartCommand, Applies) {
    Bench b(with_sends("[1 (mprobe P 0)] [2 (start P x)] [3 (wait P)]", "(1 ((peek 0 9) bot)) (2 bot) (3 bot)"));
    b.steps(4);
    EXPECT_EQ(b.events_of_step(),
              (Lines{"EntryTaken 4 2 thread 0", "StartCommand P 0 x gets S1", "MachineStep 4 2 thread 0"}));
    EXPECT_EQ(b.recorder.rules[1], Rule::start_command);
    EXPECT_EQ(b.state(), "A(P) = 0; A(S1) = 9; A(S2) = 9; A(S3) = 8; Pnd_s(0)(9) = [S2 2]; Pnd_s(0)(8) = [S3 3]; "
                         "Pnd_r(0) = [P x]; Q_s(0) = [S1 1]; ctp = (3 bot bot); trace = 5; s = success");
    b.steps(1);
    EXPECT_EQ(b.state(), "h(x) = 1; A(S2) = 9; A(S3) = 8; Pnd_s(0)(9) = [S2 2]; Pnd_s(0)(8) = [S3 3]; ctp = (bot bot "
                         "bot); trace = 6; s = success");
    EXPECT_EQ(b.matches(), "P = S1");
}

// Also what breaks D2: a start before its mprobe, a second one, one of a probe that takes nothing, one of a receive.
TEST(StartCommand, DoesNotApply) {
    for (auto const& [commands, entries, why] :
         {std::tuple{"[1 (start P x)] [2 (mprobe P 0)]", "(1 bot)", "no `mprobe` has matched a message to P"},
          {"[1 (mprobe P 0)] [2 (start P x)] [3 (start P y)]", "(1 ((peek 0 9) bot)) (2 bot) (3 bot)",
           "no `mprobe` has matched a message to P that has not started"},
          {"[1 (probe P 0)] [2 (start P x)]", "(1 ((peek 0 9) bot)) (2 bot)", "no `mprobe` has matched a message to P"},
          {"[1 (rcvi P 0 y)] [2 (probe Q 0)] [3 (start P x)]", "(1 ((0 9) bot))",
           "movement (0 9): no unmatched receive that is posted at 0 admits S1"},
          {"[1 (rcvi P 0 y)] [2 (start P x)]", "(1 bot) (2 bot)", "no `mprobe` has matched a message to P"}}) {
        Bench b(with_sends(commands, entries));
        Outcome const outcome = b.run();
        ASSERT_TRUE(outcome.error) << commands;
        EXPECT_EQ(in_words(b.code, b.machine.state(), outcome.error->stuck.reason), why) << commands;
    }
}

// A receive like the probe, posted now, could match what it sees: at most one message of each source.
TEST(Probes, SeeTheFirstMessageOfEachSourceThatTheyAdmit) {
    using Sees = std::vector<std::string>;
    for (auto const& [receiver, sees] : {std::pair{"[1 (probe P 0)]", Sees{"S1", "S3"}},
                                         {"[1 (probe P 0 (tag 2))]", Sees{"S2", "S3"}},
                                         {"[1 (probe P 0 (from 9))]", Sees{"S1"}},
                                         {"[1 (probe P 0 (from 8) (tag 1))]", Sees{}},
                                         {"[1 (mprobe P 0 (tag 1 2))]", Sees{"S1", "S3"}}}) {
        Bench b(with_sends(receiver, ""));
        b.steps(3);
        EXPECT_EQ(visible(b, "1"), sees) << receiver;
    }
    // What an earlier receive is to get, it does not see; a receive that is matched is in no one's way.
    Bench b(with_sends("[0 (rcvi R 0 x (tag 2))] [1 (probe P 0)]", "(0 bot)"));
    b.steps(4);
    EXPECT_EQ(visible(b, "1"), Sees{"S1"});
    ASSERT_FALSE(b.machine.apply(Deliver{*b.code.find_channel(b.endpoint("0"), b.endpoint("8"))}).is_stuck());
    EXPECT_EQ(visible(b, "1"), Sees{"S1"});
    Bench c(with_sends("[0 (rcvi R 0 x (tag 2))] [1 (probe P 0 (tag 2))]", "(0 bot)"));
    c.steps(4);
    EXPECT_EQ(visible(c, "1"), Sees{});
    ASSERT_FALSE(c.machine.apply(Deliver{*c.code.find_channel(c.endpoint("0"), c.endpoint("8"))}).is_stuck());
    EXPECT_EQ(visible(c, "1"), Sees{"S2"});
}

TEST(Probes, ThePeekSaysWhichMessage) {
    for (auto const& [peek, why] : {std::pair{"((peek 0 9) bot)", "reduced"},
                                    {"((peek 0 9 1) bot)", "reduced"},
                                    {"((peek 0 8 2) bot)", "reduced"},
                                    {"((peek 0 9 2) bot)", "wrong peek"}, // S1 comes first
                                    {"((peek 0 8 1) bot)", "wrong peek"},
                                    {"((peek 0 7) bot)", "wrong peek"},
                                    {"((peek 7 9) bot)", "wrong peek"},
                                    {"bot", "wrong peek"}}) {
        for (std::string const probe : {"[1 (probe P 0)]", "[1 (mprobe P 0)]", "[1 (probe P 0 (tag 1 2))]"}) {
            Bench b(with_sends(probe, "(1 " + std::string(peek) + ")"));
            b.steps(3);
            std::string const before = b.state();
            Step const step = b.step();
            EXPECT_EQ(reason_of(b, step), why) << probe << peek;
            EXPECT_EQ(step.is_stuck(), b.state() == before.substr(0, before.size() - 7) + "error") << probe << peek;
        }
    }
    // Of another command.
    Bench b(with_sends("[1 (rcvi R 0 x)] [2 (probe P 0)]", "(1 ((peek 0 9) bot))"));
    b.steps(3);
    EXPECT_EQ(b.why(b.step()), "MACHINE STEP: wrong peek: (peek 0 9) is for a probe, and this is none");
}

// Movements come first: the probe sees what they leave.
TEST(Probes, MovementsOfTheEntryComeFirst) {
    Bench b(with_sends("[0 (rcvi R 0 x (tag 1))] [1 (mprobe P 0 (from 9))]", "(0 bot) (1 ((0 9 1) (peek 0 9 2) bot))"));
    b.steps(5);
    EXPECT_EQ(b.machine.state().saw[b.action("P").index], b.action("S2"));
    Bench stuck(
        with_sends("[0 (rcvi R 0 x (tag 1))] [1 (mprobe P 0 (from 9))]", "(0 bot) (1 ((0 9 1) (peek 0 9 1) bot))"));
    stuck.steps(4);
    EXPECT_EQ(reason_of(stuck, stuck.step()), "wrong peek");
    EXPECT_EQ(stuck.recorder.events.end()[-2], "MovementsTakenBack (0 9)");
}

// Each request completes alone: the wait of a later receive that admits no more does not complete that of an mprobe.
TEST(Probes, AnMprobeIsCompletedByItsOwnWaitAlone) {
    Bench b(with_sends("[0 (rcvi Q 0 u)] [1 (mprobe P 0)] [2 (start P x)] [3 (rcvi R 0 y)] [4 (wait P)] [9 (wait R)]",
                       "(0 bot) (1 ((0 9) (peek 0 9) bot)) (2 bot) (3 bot) (4 bot) (9 ((0 8) bot))"));
    b.steps(7);
    b.steps(1);
    EXPECT_EQ(b.state(),
              "h(x) = 2; A(Q) = 0; A(R) = 0; A(S1) = 9; A(S3) = 8; Pnd_s(0)(8) = [S3 3]; Pnd_r(0) = [Q u] [R y]; "
              "Q_s(0) = [S1 1]; ctp = (9 bot bot); trace = 8; s = success");
    b.steps(1);
    EXPECT_EQ(b.matches(), "Q = S1, P = S2, R = S3"); // R completes Q, as it would without P
    Bench other(with_sends("[1 (mprobe P 0)] [2 (start P x)] [3 (rcvi R 0 y)] [4 (wait R)]",
                           "(1 ((peek 0 8) bot)) (2 bot) (3 bot) (4 ((0 9) bot))"));
    other.steps(7);
    EXPECT_EQ(other.matches(), "R = S1");
}

TEST(Probes, AWaitBeforeTheStartIsNotPending) {
    Bench b(with_sends("[1 (mprobe P 0)] [2 (wait P)]", "(1 ((peek 0 8) bot)) (2 bot)"));
    b.steps(4);
    EXPECT_FALSE(is_enabled(b.code, b.machine.state(), Buffering::infinite, Execute{b.location("2")}));
    EXPECT_EQ(reason_of(b, b.step()), "receive not pending");
    Bench plain(with_sends("[1 (probe P 0)] [2 (wait P)]", "(1 ((peek 0 8) bot)) (2 bot)"));
    plain.steps(4);
    EXPECT_EQ(reason_of(plain, plain.step()), "receive not pending");
}

TEST(Probes, ASynchronousSendWaitsForTheStart) {
    for (auto const& [send, buffering] :
         {std::pair{"ssndi", Buffering::infinite}, {"ssndi", Buffering::zero}, {"sndi", Buffering::zero}}) {
        Bench b("(([1 (mprobe P 0)] [2 (start P x)]) ([3 (" + std::string(send) +
                    " S 9 0 1)] [4 (wait S)])) ((3 bot) (1 ((peek 0 9) bot)) (4 bot))",
                buffering);
        b.steps(2);
        EXPECT_FALSE(is_enabled(b.code, b.machine.state(), buffering, Execute{b.location("4")}));
        auto const why = b.machine.why_not(Execute{b.location("4")});
        ASSERT_TRUE(why);
        EXPECT_TRUE(b.text(*why).ends_with("needs the receive of P to start, which has matched the message"));
        ASSERT_FALSE(b.machine.apply(Execute{b.location("2")}).is_stuck());
        EXPECT_TRUE(is_enabled(b.code, b.machine.state(), buffering, Execute{b.location("4")}));
    }
}

TEST(Probes, EnabledTransitionsAreOneForEachMessageInSight) {
    Bench b(with_sends("[1 (probe P 0)]", ""));
    b.steps(3);
    std::vector<std::string> found;
    for (Transition const& t : enabled(b.code, b.machine.state(), Buffering::infinite))
        if (auto const* const e = std::get_if<Execute>(&t))
            found.emplace_back(b.program.symbols(b.code[e->peek].alpha));
    EXPECT_EQ(found, (Lines{"9", "8"}));
    EXPECT_FALSE(is_enabled(b.code, b.machine.state(), Buffering::infinite, Execute{b.location("1")}));
    EXPECT_TRUE(can_go_on(b.code, b.machine.state(), Buffering::infinite, b.location("1")));
}

// Every step of a run, back to the beginning.
TEST(Probes, AreUndone) {
    Bench b(with_sends("[0 (probe Q 0 (tag 2) (source y))] [1 (mprobe P 0 (tag 2) (source y) (tagged z))] "
                       "[2 (start P x)] [3 (rcvi R 0 w)] [4 (wait P)] [9 (wait R)]",
                       "(0 ((peek 0 8) bot)) (1 ((peek 0 9 2) bot)) (2 bot) (3 bot) (4 ((0 8) bot)) (9 bot)"));
    b.machine.keep_history();
    std::vector<State> states{b.machine.state()};
    for (int i = 0; i < 9; ++i) {
        b.steps(1);
        states.push_back(b.machine.state());
    }
    EXPECT_EQ(b.matches(), "P = S2, R = S3");
    for (std::size_t i = states.size() - 1; i-- > 0;) {
        ASSERT_TRUE(b.machine.back());
        EXPECT_EQ(b.machine.state(), states[i]) << i;
    }
}

} // namespace
} // namespace matchpoint::test
