// Transitions as data: what is enabled, and what depends on what.

#include <gtest/gtest.h>

#include "base/overloaded.hpp"
#include "machine/machine.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/subjects.hpp"

namespace matchpoint::test {
namespace {

using test::Bench;

/// "2 13 (0 2)": commands by location, deliveries by channel.
std::string text(IndexedProgram const& code, std::vector<Transition> const& transitions) {
    auto const& names = code.names();
    std::string result;
    for (Transition const& t : transitions)
        result += (result.empty() ? "" : " ") +
                  std::visit(overloaded{
                                 [&](Execute e) { return std::string(names(e.rho)); },
                                 [&](Deliver d) {
                                     return "(" + std::string(names(code[d.channel].beta)) + " " +
                                            std::string(names(code[d.channel].alpha)) + ")";
                                 },
                             },
                             t);
    return result;
}
std::string enabled_in(Bench const& b) {
    return text(b.code, enabled(b.code, b.machine.state(), b.machine.buffering()));
}

/// Asks for two transitions by name: a location, or "beta alpha" for a delivery.
class Depends {
public:
    explicit Depends(std::string text, Buffering buffering = infinite)
        : b_(std::move(text), buffering), dependence_(b_.code, buffering) {}

    bool operator()(std::string const& t, std::string const& u) const {
        bool const result = dependence_.dependent(named(t), named(u));
        EXPECT_EQ(dependence_.dependent(named(u), named(t)), result) << t << ", " << u;
        return result;
    }

private:
    Transition named(std::string const& name) const {
        auto const space = name.find(' ');
        if (space == std::string::npos) return Execute{b_.location(name)};
        return Deliver{b_.channel(name.substr(0, space), name.substr(space + 1))};
    }

    Bench b_;
    DependenceRelation dependence_;
};

constexpr std::string_view exchange = R"(
    ( ( [1 (rcvi R 0 x)] [2 (wait R)] [3 (assert (= x 4))] ) ( [4 (sndi S 1 0 4)] [5 (wait S)] ) )
    ( (4 bot) (1 bot) (5 bot) (2 ((0 1) bot)) (3 bot) ))";

TEST(Enabled, InfiniteBuffering) {
    Bench b{std::string(exchange)};
    EXPECT_EQ(enabled_in(b), "1 4");
    b.steps(1); // the send can be delivered before its receive is posted
    EXPECT_EQ(enabled_in(b), "1 5 (0 1)");
    b.steps(1); // the wait has no message yet
    EXPECT_EQ(enabled_in(b), "5 (0 1)");
    b.steps(3);
    EXPECT_EQ(enabled_in(b), "");
}

TEST(Enabled, ZeroBuffering) {
    Bench b(std::string(exchange), zero);
    b.steps(1); // no receive is posted, and the wait lasts until the rendezvous
    EXPECT_EQ(enabled_in(b), "1");
    b.steps(1);
    EXPECT_EQ(enabled_in(b), "(0 1)");
    EXPECT_FALSE(b.machine.apply(Deliver{b.channel("0", "1")}).is_stuck());
    EXPECT_EQ(enabled_in(b), "2 5");
}

TEST(Enabled, ACommandThatIsNotNextIsNot) {
    Bench b{std::string(exchange)};
    EXPECT_FALSE(is_enabled(b.code, b.machine.state(), infinite, Execute{b.location("3")}));
}

TEST(Enabled, ACommandWithAFaultIs) {
    Bench b("(([1 (x := (div 1 0))])) ((1 bot))");
    EXPECT_EQ(enabled_in(b), "1");
    auto const why = b.machine.why_not(Execute{b.location("1")});
    ASSERT_TRUE(why.has_value());
    EXPECT_EQ(to_string(why->reason), "division by zero");
    EXPECT_EQ(b.machine.state(), State(b.code)); // asking changes nothing
}

TEST(Apply, ADeliveryThatIsNotEnabledChangesNothing) {
    Bench b{std::string(exchange)};
    EXPECT_TRUE(b.machine.apply(Transition(Deliver{b.channel("0", "1")})).is_stuck());
    EXPECT_EQ(b.machine.state(), State(b.code));
}

TEST(Apply, AWaitThatIsNotEnabledIsAnError) {
    Bench b{std::string(exchange)};
    b.machine.keep_history();
    b.steps(2);
    State const before = b.machine.state();
    EXPECT_TRUE(b.machine.apply(Transition(Execute{b.location("2")})).is_stuck());
    EXPECT_EQ(b.machine.state().s, Status::error);
    EXPECT_TRUE(b.machine.undo());
    EXPECT_EQ(b.machine.state(), before);
}

TEST(Dependence, CommandsOfOneThread) {
    Depends const d("(([1 (x := 1)] [2 (y := 2)]) ([3 (z := 3)])) ()");
    EXPECT_TRUE(d("1", "2"));
    EXPECT_FALSE(d("1", "3"));
}

TEST(Dependence, SharedVariables) {
    Depends const d("(([1 (x := 1)]) ([2 (assume (= x 1))]) ([3 (assert (= x y))]) ([4 (y := x)])) ()");
    EXPECT_TRUE(d("1", "2"));  // a write and a read
    EXPECT_FALSE(d("2", "3")); // two reads
    EXPECT_TRUE(d("3", "4"));
    EXPECT_TRUE(d("1", "4"));
    EXPECT_FALSE(d("2", "4"));
}

TEST(Dependence, AReceiveWritesItsVariableAtItsWait) {
    Depends const d("(([1 (rcvi R 0 x)] [2 (wait R)]) ([3 (assert (= x 1))]) ([4 (sndi S 1 0 x)])) ()");
    EXPECT_FALSE(d("1", "3"));
    EXPECT_TRUE(d("2", "3"));
    EXPECT_TRUE(d("2", "4"));
}

TEST(Dependence, Deliveries) {
    Depends const d(R"(( ([1 (sndi S 1 0 1)] [2 (sndi T 1 5 1)]) ([3 (sndi U 2 0 1)]) ) ())");
    EXPECT_TRUE(d("0 1", "0 2"));
    EXPECT_TRUE(d("0 1", "0 1"));
    EXPECT_FALSE(d("0 1", "5 1"));
}

TEST(Dependence, ADeliveryAndItsCommands) {
    for (Buffering const buffering : {infinite, zero}) {
        Depends const d(R"(( ([1 (rcvi R 0 x)] [2 (wait R)] [3 (assert (= x 1))])
                             ([4 (sndi S 1 0 1)] [5 (wait S)]) ([6 (sndi T 2 7 1)] [8 (wait T)]) ) ())",
                        buffering);
        EXPECT_TRUE(d("0 1", "4")); // the send enables it
        EXPECT_TRUE(d("0 1", "2")); // it enables the wait
        EXPECT_FALSE(d("0 1", "6"));
        EXPECT_FALSE(d("0 1", "8"));
        EXPECT_FALSE(d("0 1", "3"));
        // A rendezvous needs a posted receive, and the wait for a send needs the rendezvous.
        EXPECT_EQ(d("0 1", "1"), buffering == zero);
        EXPECT_EQ(d("0 1", "5"), buffering == zero);
    }
}

TEST(Dependence, SharedEndpointsAndChannels) {
    Depends const d(R"(( ([1 (rcvi R 0 x)] [2 (wait R)]) ([3 (rcvi Q 0 y)] [4 (wait Q)])
                         ([5 (sndi S 1 0 1)]) ([6 (sndi T 1 0 2)]) ([7 (sndi U 2 0 2)]) ([8 (wait S)]) ) ())");
    EXPECT_TRUE(d("1", "3")); // the order in Pnd_r(0)
    EXPECT_TRUE(d("2", "4"));
    EXPECT_TRUE(d("1", "4"));
    EXPECT_TRUE(d("5", "6")); // the order in a channel
    EXPECT_FALSE(d("5", "7"));
    EXPECT_FALSE(d("1", "5"));
    EXPECT_TRUE(d("5", "8")); // a thread that waits for another one's send
}

} // namespace
} // namespace matchpoint::test
