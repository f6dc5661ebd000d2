// What is known of a program's messages without running it: places, ordinals, nearest-enclosing waits, owners.

#include <gtest/gtest.h>

#include "tests/support/all_rooms.hpp"
#include "tests/support/subjects.hpp"

namespace matchpoint::test {
namespace {

using test::Lines;
using test::Subject;

Lines receives(Subject const& s) {
    Lines result;
    for (auto const& r : s.messages.receives())
        result.push_back(s.name(r.a) + " at " + s.name(r.rho) + ": number " + std::to_string(r.ordinal) + " at " +
                         std::string(s.code.names()(r.beta)) + ", nw " + s.name(r.nw));
    return result;
}

Lines sends(Subject const& s) {
    Lines result;
    for (auto const& send : s.messages.sends()) {
        auto const& channel = s.code[send.channel];
        result.push_back(s.name(send.a) + " at " + s.name(send.rho) + ": number " + std::to_string(send.place) +
                         " from " + std::string(s.code.names()(channel.alpha)) + " to " +
                         std::string(s.code.names()(channel.beta)) + ", wait " + s.name(send.wait));
    }
    return result;
}

TEST(MessageIndex, Figure1) {
    Subject const s{std::string(test::figure_1)};
    EXPECT_EQ(receives(s), (Lines{"R2 at 02: number 0 at 0, nw 03", "R5 at 05: number 1 at 0, nw 06",
                                  "R3 at 13: number 0 at 1, nw 14"}));
    EXPECT_EQ(sends(s), (Lines{"S5 at 15: number 0 from 1 to 0, wait 16", "S4 at 24: number 0 from 2 to 0, wait 25",
                               "S6 at 26: number 0 from 2 to 1, wait 27"}));
}

// Definition 6, per endpoint (errata E24): the first wait after a receive, for it or for a later one at its endpoint.
TEST(MessageIndex, NearestEnclosingWaits) {
    Subject const s(
        "( ( [00 (rcvi a 0 x)] [01 (rcvi b 1 y)] [02 (rcvi c 0 z)] [03 (wait b)] [04 (wait c)] [05 (wait a)]"
        "    [06 (rcvi d 0 x)] [07 (rcvi e 0 y)] [08 (wait d)] [09 (wait e)] ) )");
    EXPECT_EQ(receives(s),
              (Lines{"a at 00: number 0 at 0, nw 04", "b at 01: number 0 at 1, nw 03", "c at 02: number 1 at 0, nw 04",
                     "d at 06: number 2 at 0, nw 08", "e at 07: number 3 at 0, nw 09"}));
}

TEST(MessageIndex, AReceiveThatIsNeverWaitedForItself) {
    Subject const s("( ( [00 (rcvi a 0 x)] [01 (rcvi b 0 y)] [02 (rcvi c 0 z)] [03 (wait c)] ) )");
    EXPECT_EQ(receives(s), (Lines{"a at 00: number 0 at 0, nw 03", "b at 01: number 1 at 0, nw 03",
                                  "c at 02: number 2 at 0, nw 03"}));
}

TEST(MessageIndex, PlacesAreThoseOfAChannel) {
    Subject const s(
        "( ( [00 (sndi a 1 0 1)] [01 (sndi b 2 0 1)] [02 (sndi c 1 3 1)] [03 (sndi d 1 0 1)] [04 (wait d)] )"
        "  ( [10 (rcvi r 0 x)] [11 (wait r)] ) )");
    EXPECT_EQ(sends(s), (Lines{"a at 00: number 0 from 1 to 0, wait none", "b at 01: number 0 from 2 to 0, wait none",
                               "c at 02: number 0 from 1 to 3, wait none", "d at 03: number 1 from 1 to 0, wait 04"}));
    EXPECT_EQ(s.messages.sends_to(s.endpoint("0")), 3U);
    EXPECT_EQ(s.messages.sends_to(s.endpoint("3")), 1U);
    EXPECT_EQ(s.messages.channels_to(s.endpoint("0")).size(), 2U);
    EXPECT_EQ(s.messages.channels_to(s.endpoint("1")).size(), 0U);
    auto const a_and_d = s.messages.sends_of(s.messages.send(s.action("a")).channel);
    EXPECT_EQ(std::vector<std::uint32_t>(a_and_d.begin(), a_and_d.end()),
              (std::vector<std::uint32_t>{s.send("a"), s.send("d")}));
    auto const r = s.messages.receives_at(s.endpoint("0"));
    EXPECT_EQ(std::vector<std::uint32_t>(r.begin(), r.end()), std::vector<std::uint32_t>{s.receive("r")});
}

// A trace may name channels that nobody sends on.
TEST(MessageIndex, ChannelsOfTracesAreNoChannelsOfSends) {
    Subject const s("( ( [00 (sndi a 1 0 1)] ) ( [10 (rcvi r 0 x)] [11 (wait r)] ) )\n( (00 ((0 0) (0 1) bot)) )");
    EXPECT_EQ(s.messages.channels_to(s.endpoint("0")).size(), 1U);
}

TEST(MessageIndex, Owners) {
    Subject const s("( ( [00 (sndi a 1 0 1)] ) ( [10 (rcvi r 0 x)] [11 (wait r)] [12 (sndi b 2 3 1)] ) )");
    EXPECT_EQ(s.messages.owner(s.endpoint("1")), 0U);
    EXPECT_EQ(s.messages.owner(s.endpoint("0")), 1U);
    EXPECT_EQ(s.messages.owner(s.endpoint("2")), 1U);
    EXPECT_EQ(s.messages.owner(s.endpoint("3")), MessageIndex::thread_none);
}

std::string refused(std::string text) {
    try {
        Subject const s(std::move(text));
    } catch (std::logic_error const& e) {
        return e.what();
    }
    return {};
}

TEST(MessageIndex, WantTheDiscipline) {
    EXPECT_EQ(refused("( ( [00 (sndi a 1 0 1)] ) ( [10 (sndi b 1 0 1)] ) )"),
              "MessageIndex: an endpoint of two threads (rule D1)");
    EXPECT_EQ(refused("( ( [00 (rcvi a 0 x)] ) )"), "MessageIndex: a receive without nearest-enclosing wait (rule D3)");
    EXPECT_EQ(refused("( ( [00 (rcvi a 0 x)] [01 (wait a)] [02 (rcvi b 0 x)] ) )"),
              "MessageIndex: a receive without nearest-enclosing wait (rule D3)");
}

// Where threads share variables, several may use an endpoint: each receive has the wait of its own thread.
TEST(MessageIndex, CommonEndpoints) {
    Subject const s(
        "(shared [v 0]) ( ( [00 (rcvi a 0 x)] [01 (rcvi b 0 y)] [02 (wait b)] )"
        "                  ( [10 (rcvi c 0 z)] [11 (wait c)] [12 (sndi s 0 0 1)] ) ( [20 (sndi t 0 0 2)] ) )");
    EXPECT_EQ(receives(s), (Lines{"a at 00: number 0 at 0, nw 02", "b at 01: number 1 at 0, nw 02",
                                  "c at 10: number 2 at 0, nw 11"}));
    EXPECT_EQ(sends(s),
              (Lines{"s at 12: number 0 from 0 to 0, wait none", "t at 20: number 1 from 0 to 0, wait none"}));
    EXPECT_FALSE(s.code.has_plain_messages());
    Subject const own("(shared [v 0]) ( ( [00 (rcvi a 0 x)] [01 (wait a)] ) ( [10 (sndi s 1 0 1)] ) )");
    EXPECT_TRUE(own.code.has_plain_messages());
}

TEST(MessageIndex, NoneAtAll) {
    Subject const s("( ( ) ( [00 (x := 1)] ) )");
    EXPECT_TRUE(s.messages.receives().empty());
    EXPECT_TRUE(s.messages.sends().empty());
}

} // namespace
} // namespace matchpoint::test
