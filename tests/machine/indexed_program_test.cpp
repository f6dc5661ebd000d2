// A program made ready for the machine: threads, channels, endpoints, and the entries of its traces.

#include <gtest/gtest.h>

#include "tests/support/all_rooms.hpp"
#include "tests/support/programs.hpp"

namespace matchpoint::test {
namespace {

using test::Bench;

std::string const program_text =
    R"((([1 (rcvi R 0 x)] [2 (sndi S 5 1 true)]) () ([3 (sndi T 5 1 1)] [4 (sndi U 1 5 x)] [5 (wait R)]))
                            ((1 bot) (2 ((1 5) (9 8) bot)) (nowhere ((1 5) bot)))
                            ((3 ((8 9)))))";

std::string ranges(IndexedProgram const& code) {
    std::string result;
    for (auto const& c : code.channels())
        result += "Pnd_s(" + std::string(code.names()(c.beta)) + ")(" + std::string(code.names()(c.alpha)) + ") " +
                  std::to_string(c.Pnd_s.first) + "+" + std::to_string(c.Pnd_s.capacity) + "\n";
    for (std::uint32_t e = 0; e < code.endpoints().size(); ++e) {
        auto const& Pnd_r = code[Endpoint{e}].Pnd_r;
        auto const& Q_s = code[Endpoint{e}].Q_s;
        result += std::string(code.names()(Endpoint{e})) + ": Pnd_r " + std::to_string(Pnd_r.first) + "+" +
                  std::to_string(Pnd_r.capacity) + ", Q_s " + std::to_string(Q_s.first) + "+" +
                  std::to_string(Q_s.capacity) + "\n";
    }
    return result;
}

TEST(IndexedProgram, NumbersChannelsAndGivesQueuesTheirPlaces) {
    Bench const b(program_text);
    EXPECT_EQ(ranges(b.code),
              "Pnd_s(1)(5) 0+2\nPnd_s(5)(1) 2+1\nPnd_s(9)(8) 3+0\nPnd_s(8)(9) 3+0\n0: Pnd_r 0+1, Q_s 0+0\n5: Pnd_r "
              "1+0, Q_s 0+1\n1: Pnd_r 1+0, Q_s 1+2\n9: Pnd_r 1+0, Q_s 3+0\n8: Pnd_r 1+0, Q_s 3+0\n");
    EXPECT_EQ(b.channel("1", "5"), Channel{0});
    EXPECT_EQ(b.channel("5", "1"), Channel{1});
    EXPECT_EQ(b.channel("9", "8"), Channel{2});
    EXPECT_EQ(b.channel("8", "9"), Channel{3});
    EXPECT_EQ(b.code.find_channel(b.endpoint("0"), b.endpoint("5")), std::nullopt);
    EXPECT_EQ(b.code.find_channel(b.endpoint("1"), b.endpoint("1")), std::nullopt);
    EXPECT_EQ(b.code.channel_of(b.action("S")), b.channel("1", "5"));
    EXPECT_EQ(b.code.channel_of(b.action("T")), b.channel("1", "5"));
    EXPECT_EQ(b.code.channel_of(b.action("U")), b.channel("5", "1"));
    EXPECT_TRUE(b.code.channel_of(b.action("R")).is_none());
}

// Where some receive selects by tag, messages of different tags never wait for each other: each tag has a channel.
TEST(IndexedProgram, NumbersAChannelForEachTag) {
    std::string const senders = R"(([1 (sndi S 1 0 0 (tag 2))] [2 (sndi T 1 0 0)] [3 (sndi U 1 0 0 (tag 02))]
                                    [4 (sndi V 1 0 0 (tag 0))]) ([5 (sndi W 2 0 0 (tag 2))]))";
    Bench const by_tag("(([r (rcvi R 0 x (tag 1))] [q (rcvi Q 0 x)]) " + senders + ")");
    auto const channel = [](Bench const& b, std::string_view a) { return b.code.channel_of(b.action(a)); };
    EXPECT_EQ(channel(by_tag, "S"), channel(by_tag, "U"));
    EXPECT_EQ(channel(by_tag, "T"), channel(by_tag, "V"));
    EXPECT_NE(channel(by_tag, "S"), channel(by_tag, "T"));
    EXPECT_NE(channel(by_tag, "S"), channel(by_tag, "W"));
    for (char const* const selector : {"", "(from 1)", "(tagged y)"}) {
        Bench const other("(([r (rcvi R 0 x " + std::string(selector) + ")]) " + senders + ")");
        for (char const* const a : {"T", "U", "V"}) EXPECT_EQ(channel(other, "S"), channel(other, a)) << selector;
        EXPECT_NE(channel(other, "S"), channel(other, "W")) << selector;
    }
}

TEST(IndexedProgram, KnowsWhereThingsAre) {
    Bench const b(program_text);
    EXPECT_EQ(&b.code.program(), &b.program);
    EXPECT_EQ(&b.code.ctp(), &b.program.ctp);
    EXPECT_EQ(&b.code.names(), &b.program.symbols);
    EXPECT_EQ(b.code.thread_of(b.location("1")), 0U);
    EXPECT_EQ(b.code.thread_of(b.location("2")), 0U);
    EXPECT_EQ(b.code.thread_of(b.location("3")), 2U);
    EXPECT_TRUE(b.code.has(b.location("5")));
    EXPECT_FALSE(b.code.has(b.location("nowhere")));
    EXPECT_EQ(print(b.program, b.code.command_at(b.location("4"))), "(sndi U 1 5 x)");
    EXPECT_EQ(b.code.issued_at(b.action("R")), b.location("1"));
    EXPECT_EQ(b.code.issued_at(b.action("U")), b.location("4"));
    EXPECT_EQ(b.code.as_rcvi(b.action("R")), std::get_if<Rcvi>(&b.code.command_at(b.location("1"))));
    EXPECT_NE(b.code.as_rcvi(b.action("R")), nullptr);
    EXPECT_EQ(b.code.as_sndi(b.action("R")), nullptr);
    EXPECT_EQ(b.code.as_rcvi(b.action("S")), nullptr);
    EXPECT_EQ(b.code.as_sndi(b.action("S")), std::get_if<Sndi>(&b.code.command_at(b.location("2"))));
    EXPECT_NE(b.code.as_sndi(b.action("S")), nullptr);
}

TEST(IndexedProgram, HasTheEntriesOfEachTrace) {
    Bench const b(program_text);
    auto const movements = [](Entry const& e) { return std::vector<Channel>(e.m.begin(), e.m.end()); };
    EXPECT_EQ(b.code.entry(0, 0).rho, b.location("1"));
    EXPECT_EQ(movements(b.code.entry(0, 0)), std::vector<Channel>{});
    EXPECT_EQ(b.code.entry(0, 1).rho, b.location("2"));
    EXPECT_EQ(movements(b.code.entry(0, 1)), (std::vector{b.channel("1", "5"), b.channel("9", "8")}));
    EXPECT_EQ(b.code.entry(0, 2).rho, b.location("nowhere"));
    EXPECT_EQ(movements(b.code.entry(0, 2)), (std::vector{b.channel("1", "5")}));
    EXPECT_EQ(movements(b.code.entry(1, 0)), (std::vector{b.channel("8", "9")}));
}

// A channel that no send uses is a channel with nothing in transit.
TEST(IndexedProgram, AMovementOfAnUnknownChannelIsStuck) {
    Bench b("(([1 (x := 1)])) ((1 ((77 78) bot)))");
    EXPECT_EQ(b.why(b.step()), "PROCESS QUEUE MOVEMENT: nothing in transit: movement (77 78): no message from 78 to 77 "
                               "is in transit, Pnd_s(77)(78) is empty");
    EXPECT_EQ(b.state(), "ctp = (1); trace = 0; s = error");
}

TEST(IndexedProgram, OfAnEmptyProgram) {
    Bench const b("()");
    EXPECT_EQ(ranges(b.code), "");
    EXPECT_FALSE(b.code.has(Location{0}));
}

TEST(State, PrintsItsStatus) {
    EXPECT_EQ(to_string(Status::success), "success");
    EXPECT_EQ(to_string(Status::failure), "failure");
    EXPECT_EQ(to_string(Status::infeasible), "infeasible");
    EXPECT_EQ(to_string(Status::error), "error");
}

// Equality sees each component.
TEST(State, Equality) {
    Bench b(R"((([1 (x := 1)] [2 (rcvi R 0 x)] [3 (sndi S 1 0 1)] [4 (wait S)] [5 (assert false)]))
               ((1 bot) (2 bot) (3 bot) (4 ((0 1))) (5 bot)))");
    std::vector<State> states{b.machine.state()};
    for (int i = 0; i < 5; ++i) {
        b.steps(1);
        states.push_back(b.machine.state());
    }
    for (std::size_t i = 0; i < states.size(); ++i)
        for (std::size_t j = 0; j < states.size(); ++j) EXPECT_EQ(states[i] == states[j], i == j) << i << " " << j;
    State other = states[3];
    other.Q_s.completed[0] = 1;
    EXPECT_NE(other, states[3]);
}

} // namespace
} // namespace matchpoint::test
