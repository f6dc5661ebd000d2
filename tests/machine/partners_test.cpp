// Who gets what where receives select, when waits wait, and that all of it can be undone (docs/semantics.md,
// "Selectors, modes, barriers").

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <utility>

#include "machine/partners.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/programs.hpp"

namespace matchpoint::test {
namespace {

using test::Bench;
using test::Lines;

std::string all_queues(Bench const& b) {
    std::string const state = b.state();
    return state.substr(0, state.find("; ctp"));
}

/// "R = S, Q = -": each receive issued at an endpoint with its partner, in issue order.
std::string partners(Bench const& b, std::string_view endpoint) {
    Endpoint const beta = b.endpoint(endpoint);
    State const& state = b.machine.state();
    auto const& names = b.program.symbols;
    std::string text;
    for (std::uint32_t n = 0; n < state.Pnd_r.issued[beta.index]; ++n) {
        auto const m = message_for(state, b.code, beta, n);
        if (m) {
            EXPECT_EQ(receive_for(state, b.code, beta, *m), n);
        }
        text += (n == 0 ? "" : ", ") + std::string(names(state.Pnd_r.entries[b.code[beta].Pnd_r.first + n].a)) + " = " +
                (m ? std::string(names(state.Q_s.entries[b.code[beta].Q_s.first + *m].a)) : "-");
    }
    return text;
}

// S1 and S2 have tag 1, S3 has tag 2, S4 is of another source and has tag 2, S5 has none.
constexpr std::string_view sender = R"(
    ([5 (sndi S1 9 0 1 (tag 1))] [6 (sndi S2 9 0 2 (tag 1))] [7 (sndi S3 9 0 3 (tag 2))] [8 (sndi S4 8 0 4 (tag 2))]
     [9 (sndi S5 8 0 5)] [m (x := 1)] [n (x := 2)]) )";
constexpr std::string_view all_sent = "((5 bot) (6 bot) (7 bot) (8 bot) (9 bot) ";

std::string with_sender(std::string const& receiver, std::string const& rest) {
    return "((" + receiver + ")" + std::string(sender) + ") " + std::string(all_sent) + rest + ")";
}

bool is_without_partner(Step const& step) {
    return step.is_stuck() && std::holds_alternative<reason::NoPostedPartner>(step.why().reason);
}
bool is_of_nothing(Step const& step) {
    return step.is_stuck() && std::holds_alternative<reason::NothingInTransit>(step.why().reason);
}

// Posting a receive matches nothing. A movement is the match of the first receive that admits something in the channel.
TEST(Partners, AReceiveGetsTheFirstMessageThatItAdmits) {
    Bench b(with_sender(R"([1 (rcvi R1 0 a (tag 2))] [2 (rcvi R2 0 b (from 8))] [3 (rcvi R3 0 c (from 8) (tag 2))]
                           [4 (rcvi R4 0 d)])",
                        "(1 bot) (2 bot) (3 bot) (4 bot) (m ((0 9))) (n ((0 9)))"));
    b.steps(9);
    EXPECT_TRUE(b.code[b.endpoint("0")].selects);
    EXPECT_EQ(partners(b, "0"), "R1 = -, R2 = -, R3 = -, R4 = -");
    b.steps(1);
    EXPECT_EQ(partners(b, "0"), "R1 = S3, R2 = -, R3 = -, R4 = -"); // past S1 and S2
    b.steps(1);
    EXPECT_EQ(partners(b, "0"), "R1 = S3, R2 = -, R3 = -, R4 = S1"); // past R2 and R3, which want S4
}

// A message goes to the first receive that admits it and has none.
TEST(Partners, AMessageGoesToTheFirstReceive) {
    Bench b(with_sender(R"([1 (rcvi R1 0 a (tag 2))] [2 (rcvi R2 0 b (from 8))] [3 (rcvi R3 0 c (tag 0 1))]
                           [4 (rcvi R4 0 d)])",
                        "(1 bot) (2 bot) (3 bot) (4 bot) (m ((0 8) (0 8))) (n ((0 9) (0 9)))"));
    b.steps(10);
    // R2 admits S4, too, but R1 came first.
    EXPECT_EQ(partners(b, "0"), "R1 = S4, R2 = S5, R3 = -, R4 = -");
    b.steps(1);
    EXPECT_EQ(partners(b, "0"), "R1 = S4, R2 = S5, R3 = S1, R4 = S2");
}

// A message that was passed over stays in transit, and one of another channel can pass it, too.
TEST(Partners, AMessageIsPassedOverMoreThanOnce) {
    Bench b(with_sender("[1 (rcvi R1 0 a (tag 2))] [2 (rcvi R2 0 b)] [3 (rcvi R3 0 c)]",
                        "(1 bot) (m ((0 9))) (2 bot) (3 bot) (n ((0 8) (0 9)))"));
    b.steps(10);
    EXPECT_EQ(partners(b, "0"), "R1 = S3, R2 = S4, R3 = S1");
}

// A message without a tag has tag 0.
TEST(Partners, TheTagOfASendIsZeroUnlessItSaysOne) {
    Bench b(with_sender("[1 (rcvi R1 0 a (tag 00))]", "(1 bot) (m ((0 8)))"));
    b.steps(7);
    EXPECT_EQ(partners(b, "0"), "R1 = S5");
}

TEST(Partners, AMovementWithATag) {
    std::string const receivers = "[1 (rcvi R1 0 a (tag 2))] [2 (rcvi R2 0 b)]";
    Bench b(with_sender(receivers, "(1 bot) (2 bot) (m ((0 9 01))) (n ((0 9 2) (0 9 2)))"));
    b.steps(8);
    EXPECT_EQ(partners(b, "0"), "R1 = -, R2 = S1"); // `(0 9)` would be R1's match
    EXPECT_TRUE(is_of_nothing(b.step()));           // only one message has tag 2
    EXPECT_EQ(partners(b, "0"), "R1 = -, R2 = S1");
    for (auto const& [movement, expected] : {std::pair{"(0 9 2)", "R1 = S3, R2 = -"},
                                             {"(0 9)", "R1 = S3, R2 = -"},
                                             {"(0 8 2)", "R1 = S4, R2 = -"},
                                             {"(0 8 2) (0 8 0)", "R1 = S4, R2 = S5"},
                                             {"(0 9 2) (0 9 1)", "R1 = S3, R2 = S1"},
                                             {"(0 9 2) (0 8 2)", "R1 = S3, R2 = S4"}}) {
        Bench other(with_sender(receivers, "(1 bot) (2 bot) (m (" + std::string(movement) + "))"));
        other.steps(8);
        EXPECT_EQ(partners(other, "0"), expected) << movement;
    }
}

TEST(Partners, AMovementThatIsNotAMatch) {
    std::string const any = "[1 (rcvi R1 0 a)] [2 (rcvi R2 0 b (tag 2))]";
    std::string const from_8 = "[1 (rcvi R1 0 a (from 8))] [2 (rcvi R2 0 b (from 8))]";
    for (auto const& [receivers, movement] : {std::pair{any, "(0 9 2)"}, // R1 admits S3, but S1 comes first
                                              {any, "(0 8 0)"},          // R1 admits S5, but S4 comes first
                                              {from_8, "(0 9)"},
                                              {from_8, "(0 9 1)"},
                                              {from_8, "(0 8 0)"},
                                              {any, "(0 9) (0 9) (0 9)"}}) {
        Bench b(with_sender(receivers, "(1 bot) (2 bot) (m (" + std::string(movement) + "))"));
        b.steps(7);
        EXPECT_TRUE(is_without_partner(b.step())) << movement;
        EXPECT_EQ(partners(b, "0"), "R1 = -, R2 = -") << movement;
    }
    for (char const* const movement : {"(0 9 0)", "(0 9 7)", "(0 7)", "(0 7 1)", "(0 8 2) (0 8 2)"}) {
        Bench b(with_sender(any, "(1 bot) (2 bot) (m (" + std::string(movement) + "))"));
        b.steps(7);
        EXPECT_TRUE(is_of_nothing(b.step())) << movement;
    }
    // A receive that is not posted yet gets nothing.
    Bench b(with_sender(any, "(m ((0 9)))"));
    b.steps(5);
    EXPECT_TRUE(is_without_partner(b.step()));
}

// Where no receive selects, the oldest message moves, and a tag only says which one that is.
TEST(Partners, AMovementWithATagWhereNoReceiveSelects) {
    for (auto const& [movement, is_possible] : {std::pair{"(0 9 1)", true},
                                                {"(0 9 1) (0 9) (0 9 2)", true},
                                                {"(0 8 2) (0 8 0)", true},
                                                {"(0 9 2)", false},
                                                {"(0 8 0)", false},
                                                {"(0 7 0)", false}}) {
        Bench b(with_sender("[1 (rcvi R1 0 a (source y) (tagged z))]", "(m (" + std::string(movement) + "))"));
        b.steps(5);
        Step const step = b.step();
        EXPECT_EQ(step.is_stuck(), !is_possible) << movement;
        EXPECT_EQ(is_of_nothing(step), !is_possible) << movement;
    }
}

TEST(Partners, AWaitNeedsAPartner) {
    Bench b(with_sender("[1 (rcvi R1 0 a (tag 2))] [2 (wait R1)]", "(1 bot) (2 bot)"));
    b.steps(6);
    std::string const before = b.state();
    Step const step = b.step();
    ASSERT_TRUE(step.is_stuck());
    EXPECT_EQ(step.why().rule, Rule::wait_rcvi_command);
    auto const& reason = std::get<reason::MessageNotThere>(step.why().reason);
    EXPECT_EQ(reason.a_r, b.action("R1"));
    EXPECT_EQ(reason.place, 0U);
    EXPECT_EQ(reason.delivered, 0U);
    EXPECT_EQ(b.state(), before.substr(0, before.rfind("success")) + "error");
}

TEST(Partners, SourceAndTagAreAssigned) {
    Bench b(with_sender("[1 (rcvi R1 0 a (tag 2) (tagged z) (source y))] [2 (rcvi R2 0 b (source v) (tagged w))] "
                        "[3 (wait R1)] [4 (wait R2)]",
                        "(1 bot) (2 bot) (m ((0 8) (0 8))) (3 bot) (4 bot)"));
    b.steps(8);
    EXPECT_EQ(b.events_of_step()[1], "WaitRcviCommand R1 S4 0 {R1 gets S4, a = bot -> 4, y = bot -> 8, z = bot -> 2}");
    EXPECT_EQ(b.events_of_step()[1], "WaitRcviCommand R2 S5 0 {R2 gets S5, b = bot -> 5, v = bot -> 8, w = bot -> 0}");
    EXPECT_EQ(b.matches(), "R1 = S4, R2 = S5");
}

// The value comes first, then the source, then the tag: the last one stays.
TEST(Partners, OneVariableForAll) {
    Bench b(with_sender("[1 (rcvi R1 0 a (source a) (tagged a))] [2 (wait R1)]", "(1 bot) (m ((0 8))) (2 bot)"));
    b.steps(7);
    EXPECT_EQ(b.events_of_step()[1], "WaitRcviCommand R1 S4 0 {R1 gets S4, a = bot -> 4, a = 4 -> 8, a = 8 -> 2}");
}

// A wait completes the earlier receives that admit all that its own admits. Their partners are there, too.
TEST(Partners, AWaitCompletesTheEarlierReceivesThatAdmitAsMuch) {
    Bench b(with_sender(R"([1 (rcvi R1 0 a)] [2 (rcvi R2 0 b (tag 2))] [3 (rcvi R3 0 c (tag 1 2 3))]
                           [4 (rcvi R4 0 d (from 9) (tag 1))] [w (wait R4)] [v (wait R2)])",
                        "(1 bot) (2 bot) (3 bot) (4 bot) (m ((0 8) (0 9) (0 9) (0 9))) (w bot) (v bot)"));
    b.steps(10);
    // One after the other: S4 goes to R1, S3 to R2, S1 to R3, S2 to R4. S5 stays in transit.
    EXPECT_EQ(partners(b, "0"), "R1 = S4, R2 = S3, R3 = S1, R4 = S2");
    EXPECT_EQ(b.events_of_step()[1], "WaitRcviCommand R4 S2 0 {R1 gets S4, a = bot -> 4} {R3 gets S1, c = bot -> 1} "
                                     "{R4 gets S2, d = bot -> 2}");
    EXPECT_EQ(all_queues(b),
              "h(a) = 4; h(c) = 1; h(d) = 2; h(x) = 1; A(R1) = 0; A(R2) = 0; A(R3) = 0; A(S1) = 9; A(S3) = "
              "9; A(S4) = 8; A(S5) = 8; Pnd_s(0)(8) = [S5 5]; Pnd_r(0) = [R1 a] [R2 b] [R3 c]; Q_s(0) = [S4 bot] "
              "[S3 3] [S1 bot]");
    EXPECT_EQ(b.events_of_step()[1], "WaitRcviCommand R2 S3 0 {R2 gets S3, b = bot -> 3}");
    EXPECT_EQ(b.matches(), "R1 = S4, R2 = S3, R3 = S1, R4 = S2");
    EXPECT_EQ(partners(b, "0"), "R1 = S4, R2 = S3, R3 = S1, R4 = S2"); // once found they stay
}

// A receive can be complete, and its wait come, before that of an earlier one whose message is not there.
TEST(Partners, ALaterReceiveCanComeFirst) {
    Bench b(with_sender("[1 (rcvi R1 0 a (tag 2))] [2 (rcvi R2 0 b (tag 1))] [3 (wait R2)] [4 (wait R1)]",
                        "(1 bot) (2 bot) (3 ((0 9 1))) (4 ((0 8)))"));
    b.steps(8);
    EXPECT_EQ(b.matches(), "R2 = S1");
    EXPECT_EQ(Pnd_r(b.code, b.machine.state(), b.endpoint("0")).size(), 1U);
    b.steps(1);
    EXPECT_EQ(b.matches(), "R1 = S4, R2 = S1");
    EXPECT_TRUE(Pnd_r(b.code, b.machine.state(), b.endpoint("0")).empty());
    EXPECT_TRUE(Q_s(b.code, b.machine.state(), b.endpoint("0")).empty());
}

// ---------------------------------------------------------------------------------------------------------------------

/// The wait for a send in a state: enabled, and it does not get stuck; or neither.
bool may_wait(Bench& b, std::string_view wait) {
    Execute const t{b.location(wait)};
    bool const enabled = is_enabled(b.code, b.machine.state(), b.machine.buffering(), t);
    auto const why = b.machine.why_not(t);
    EXPECT_EQ(enabled, !why.has_value());
    if (why) {
        EXPECT_EQ(why->rule, Rule::wait_sndi_command);
        EXPECT_TRUE(std::holds_alternative<reason::SendNotTaken>(why->reason));
    }
    return enabled;
}
bool may_move(Bench& b, Channel channel) {
    Deliver const t{channel};
    bool const enabled = is_enabled(b.code, b.machine.state(), b.machine.buffering(), t);
    EXPECT_EQ(enabled, !b.machine.why_not(t).has_value());
    return enabled;
}

/// One send of a mode, and a receive. `sel`: selectors of the receive.
std::string one_message(std::string const& mode, std::string const& sel) {
    return "(([1 (" + mode + " S 1 0 4)] [2 (wait S)]) ([3 (rcvi R 0 x" + sel +
           ")] [4 (wait R)])) ((1 bot) (3 bot) (2 ((0 1))) (4 bot))";
}

TEST(Modes, AWaitForASynchronousSend) {
    for (Buffering const buffering : {Buffering::infinite, Buffering::zero})
        for (char const* const sel : {"", " (from 1)"}) {
            SCOPED_TRACE(std::string(to_string(buffering)) + sel);
            Bench b(one_message("ssndi", sel), buffering);
            b.steps(1);
            EXPECT_FALSE(may_wait(b, "2"));
            b.steps(1);
            EXPECT_FALSE(may_wait(b, "2"));
            ASSERT_FALSE(b.machine.apply(Deliver{b.channel("0", "1")}).is_stuck());
            EXPECT_TRUE(may_wait(b, "2"));
        }
}

TEST(Modes, AWaitForABufferedSendNeverWaits) {
    for (Buffering const buffering : {Buffering::infinite, Buffering::zero})
        for (char const* const sel : {"", " (from 1)"}) {
            SCOPED_TRACE(std::string(to_string(buffering)) + sel);
            Bench b(one_message("bsndi", sel), buffering);
            b.steps(1);
            EXPECT_TRUE(may_wait(b, "2"));
        }
}

TEST(Modes, AWaitForAStandardSendIsAsTheBufferingSays) {
    for (Buffering const buffering : {Buffering::infinite, Buffering::zero})
        for (char const* const sel : {"", " (from 1)"}) {
            SCOPED_TRACE(std::string(to_string(buffering)) + sel);
            Bench b(one_message("sndi", sel), buffering);
            b.steps(1);
            EXPECT_EQ(may_wait(b, "2"), buffering == Buffering::infinite);
        }
}

TEST(Modes, ASynchronousSendMovesToAPostedReceive) {
    Bench b(one_message("ssndi", ""));
    b.steps(1);
    EXPECT_FALSE(may_move(b, b.channel("0", "1")));
    b.steps(1);
    EXPECT_TRUE(may_move(b, b.channel("0", "1")));
    Bench stuck("(([1 (ssndi S 1 0 4)] [2 (wait S)]) ([3 (rcvi R 0 x)])) ((1 bot) (2 ((0 1))))");
    stuck.steps(1);
    Step const step = stuck.step();
    ASSERT_TRUE(step.is_stuck());
    EXPECT_EQ(step.why().rule, Rule::process_queue_movement);
    EXPECT_TRUE(std::holds_alternative<reason::NoPostedPartner>(step.why().reason));
    for (char const* const mode : {"sndi", "bsndi"}) {
        Bench other(one_message(mode, ""));
        other.steps(1);
        EXPECT_TRUE(may_move(other, other.channel("0", "1"))) << mode;
        Bench zero(one_message(mode, ""), Buffering::zero);
        zero.steps(1);
        EXPECT_FALSE(may_move(zero, zero.channel("0", "1"))) << mode;
    }
}

// Only the message at the head of its channel counts: one that need not meet a receive may move in front of one that
// has to.
TEST(Modes, OnlyTheHeadHasToMeetAReceive) {
    Bench b("(([1 (sndi S 1 0 4)] [2 (ssndi T 1 0 5)]) ([3 (rcvi R 0 x)] [4 (rcvi Q 0 y)])) ((1 bot) (2 bot) (3 bot) "
            "(4 bot))");
    b.steps(2);
    EXPECT_TRUE(may_move(b, b.channel("0", "1")));
    ASSERT_FALSE(b.machine.apply(Deliver{b.channel("0", "1")}).is_stuck());
    EXPECT_FALSE(may_move(b, b.channel("0", "1")));
    b.steps(1);
    EXPECT_FALSE(may_move(b, b.channel("0", "1"))); // R is S's
    b.steps(1);
    EXPECT_TRUE(may_move(b, b.channel("0", "1")));
}

// At an endpoint that selects every movement needs its receive, under either buffering and for every mode.
TEST(Modes, WhereReceivesSelectAMovementNeedsItsReceive) {
    for (Buffering const buffering : {Buffering::infinite, Buffering::zero})
        for (char const* const mode : {"sndi", "ssndi", "bsndi"}) {
            SCOPED_TRACE(std::string(to_string(buffering)) + mode);
            Bench b(one_message(mode, " (from 1)"), buffering);
            b.steps(1);
            EXPECT_FALSE(may_move(b, b.channel("0", "1")));
            b.steps(1);
            EXPECT_TRUE(may_move(b, b.channel("0", "1")));
            Bench other(one_message(mode, " (from 2)"), buffering);
            other.steps(2);
            EXPECT_FALSE(may_move(other, other.channel("0", "1")));
        }
}

// The message in front may be one that the receive does not admit: it stays, and the wait for its send waits.
TEST(Modes, WhereReceivesSelectNoMessageIsInFront) {
    for (Buffering const buffering : {Buffering::infinite, Buffering::zero}) {
        SCOPED_TRACE(to_string(buffering));
        Bench b(R"((([1 (ssndi S 1 0 4 (tag 1))] [2 (sndi T 1 0 5 (tag 2))] [3 (wait S)] [4 (wait T)])
                    ([5 (rcvi R 0 x (tag 2))] [6 (wait R)] [7 (rcvi Q 0 y (tag 1))] [8 (wait Q)]))
                   ((1 bot) (2 bot) (5 bot) (6 ((0 1))) (7 bot) (8 ((0 1))) (3 bot) (4 bot)))",
                buffering);
        Channel const of_S = b.code.channel_of(b.action("S"));
        Channel const of_T = b.code.channel_of(b.action("T"));
        EXPECT_NE(of_S, of_T);
        b.steps(2);
        EXPECT_FALSE(may_move(b, of_S));
        EXPECT_FALSE(may_move(b, of_T));
        b.steps(1);
        EXPECT_FALSE(may_move(b, of_S));
        EXPECT_TRUE(may_move(b, of_T));
        b.steps(1);
        EXPECT_FALSE(may_wait(b, "3"));
        b.steps(1);
        EXPECT_TRUE(may_move(b, of_S));
        EXPECT_FALSE(may_wait(b, "3")); // Q admits it, but does not have it
        b.steps(1);
        EXPECT_TRUE(may_wait(b, "3"));
        b.steps(2);
        EXPECT_EQ(b.state(), "h(x) = 5; h(y) = 4; ctp = (bot bot); trace = 8; s = success");
    }
}

// ---------------------------------------------------------------------------------------------------------------------

/// Goes every way, one transition after the other, and back; every state has to be what it was. The number of
/// transitions.
std::size_t there_and_back(Bench& b) {
    State const here = b.machine.state();
    std::size_t count = 0;
    for (Transition const& t : enabled(b.code, here, b.machine.buffering())) {
        EXPECT_FALSE(b.machine.apply(t).is_stuck());
        count += 1 + there_and_back(b);
        EXPECT_TRUE(b.machine.undo());
        EXPECT_EQ(b.machine.state(), here);
    }
    return count;
}

// The numbers are those of the naive oracle.
TEST(History, WhereReceivesSelect) {
    for (
        auto const& [text, transitions] : std::initializer_list<std::pair<char const*, std::size_t>>{
            {R"((([1 (rcvi R 0 x (tag 1) (source y) (tagged x))] [2 (rcvi Q 0 x (source y))] [3 (wait Q)] [4 (wait R)])
                  ([5 (sndi S 1 0 1)] [6 (ssndi T 1 0 2 (tag 1))] [7 (wait T)])))",
             330},
            {R"((([1 (rcvi R 0 x)] [2 (rcvi Q 0 x (from 1))] [3 (rcvi P 0 z (from 1) (tag 0))] [4 (wait P)] [5 (wait R)])
                  ([6 (sndi S 1 0 1)] [7 (sndi T 1 0 2)]) ([8 (sndi U 2 0 3)])))",
             3363},
            {R"((([1 (barrier B)] [2 (rcvi R 0 x (from 2))] [3 (wait R)] [4 (barrier B)])
                  ([5 (sndi S 1 0 1)] [6 (barrier B)] [7 (barrier B)]) ([8 (ssndi U 2 0 3)] [9 (wait U)])))",
             630},
        })
        for (Buffering const buffering : {Buffering::infinite, Buffering::zero}) {
            SCOPED_TRACE(text);
            Bench b(text, buffering);
            b.machine.keep_history();
            EXPECT_EQ(there_and_back(b), transitions);
        }
}

// A match is taken back with its movement.
TEST(History, OfPartners) {
    Bench b(with_sender("[1 (rcvi R1 0 a (tag 2))] [2 (rcvi R2 0 b)]", "(1 bot) (2 bot) (m ((0 9 1))) (n ((0 8)))"));
    b.machine.keep_history();
    b.steps(9);
    EXPECT_EQ(partners(b, "0"), "R1 = S4, R2 = S1");
    ASSERT_TRUE(b.machine.back());
    EXPECT_EQ(partners(b, "0"), "R1 = -, R2 = S1");
    ASSERT_TRUE(b.machine.back());
    EXPECT_EQ(partners(b, "0"), "R1 = -, R2 = -");
    ASSERT_TRUE(b.machine.back());
    ASSERT_TRUE(b.machine.back());
    EXPECT_EQ(partners(b, "0"), "");
}

} // namespace
} // namespace matchpoint::test
