// What is left to do in a state: which values count, when nothing can change any longer, and which states are one.

#include "executions/state_abstraction.hpp"

#include <gtest/gtest.h>

#include "executions/scheduler.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/subjects.hpp"

namespace matchpoint::test {
namespace {

using test::Subject;

/// A program that is driven by hand.
class AdvanceAll : public Scheduler {
public:
    explicit AdvanceAll(Subject const& s) : Scheduler(s.messages, Buffering::infinite), s_(s) { advance_all(); }
    AdvanceAll& deliver(std::string_view alpha, std::string_view beta = "0") {
        EXPECT_TRUE(Scheduler::deliver(*s_.code.find_channel(s_.endpoint(beta), s_.endpoint(alpha))));
        return *this;
    }

private:
    Subject const& s_;
};

/// Two receives, with what follows the second one, and three messages from endpoints 1 to 3.
std::string three(std::string const& between, std::string const& behind) {
    return "( ( [00 (rcvi a 0 x)] [01 (wait a)] " + between + " [02 (rcvi b 0 y)] [03 (wait b)] " + behind +
           " [08 (rcvi c 0 z)] [09 (wait c)] ) ( [10 (sndi s 1 0 1)] ) ( [20 (sndi t 2 0 2)] )"
           "  ( [30 (sndi u 3 0 3)] ) )";
}

/// Whether the states after s, t and after t, s are one.
bool merges(std::string const& text) {
    Subject const s(text);
    StateAbstraction abstraction(s.messages);
    EXPECT_TRUE(abstraction.remember(AdvanceAll(s).deliver("1").deliver("2").state()));
    return !abstraction.remember(AdvanceAll(s).deliver("2").deliver("1").state());
}

bool settled(std::string const& text, std::string_view first) {
    Subject const s(text);
    StateAbstraction abstraction(s.messages);
    abstraction.remember(AdvanceAll(s).deliver(first).state());
    return abstraction.is_settled();
}

// ---- Relevance ----

TEST(StateAbstraction, RelevantIsWhatFlowsIntoAConditionOrADivisor) {
    auto const relevant = [](std::string const& command) {
        Subject const s("( ( [00 (rcvi a 0 x)] [01 (wait a)] " + command + " ) ( [10 (sndi s 1 0 1)] ) )");
        return StateAbstraction(s.messages).is_relevant(s.endpoint("0"));
    };
    EXPECT_TRUE(relevant("[02 (assert (= x 1))]"));
    EXPECT_TRUE(relevant("[02 (assume (= x 1))]"));
    EXPECT_TRUE(relevant("[02 (q := (div 1 x))]"));
    EXPECT_TRUE(relevant("[02 (q := (mod x 2))]")); // an operand of a division is looked at as a whole
    EXPECT_TRUE(relevant("[02 (q := (+ x 1))] [03 (r := q)] [04 (assert (> r 0))]"));
    EXPECT_FALSE(relevant("[02 (q := (+ x 1))]"));
    EXPECT_FALSE(relevant("[02 (assert true)]"));
    // Another definition is what is asserted.
    EXPECT_FALSE(relevant("[02 (x := 2)] [03 (assert (= x 2))]"));
}

// Through a message to another endpoint.
TEST(StateAbstraction, RelevantThroughMessages) {
    Subject const s("( ( [00 (rcvi a 0 x)] [01 (wait a)] [02 (sndi k 0 5 (+ x 1))] )"
                    "  ( [10 (sndi s 1 0 1)] ) ( [20 (rcvi q 5 y)] [21 (wait q)] [22 (assert (= y 2))] )"
                    "  ( [30 (rcvi p 6 z)] [31 (wait p)] ) ( [40 (sndi m 7 6 1)] ) )");
    StateAbstraction const abstraction(s.messages);
    EXPECT_TRUE(abstraction.is_relevant(s.endpoint("5")));
    EXPECT_TRUE(abstraction.is_relevant(s.endpoint("0")));
    EXPECT_FALSE(abstraction.is_relevant(s.endpoint("6")));
}

// ---- Merged states ----

TEST(StateAbstraction, AStateIsRememberedOnce) {
    Subject const s{std::string(test::figure_1)};
    StateAbstraction abstraction(s.messages);
    EXPECT_TRUE(abstraction.remember(AdvanceAll(s).state()));
    EXPECT_FALSE(abstraction.remember(AdvanceAll(s).state()));
    EXPECT_TRUE(abstraction.remember(AdvanceAll(s).deliver("2").state()));
    EXPECT_GT(abstraction.bytes(), 0U);
}

TEST(StateAbstraction, MergesWhatDoesNotMatterAnyMore) {
    // Nothing is asked, nothing of x and y, or it is over.
    EXPECT_TRUE(merges(three("", "")));
    EXPECT_TRUE(merges(three("", "[04 (assert (< (+ x y) 9))]")));
    EXPECT_TRUE(merges(three("[05 (assert (< x 9))]", "")));
    // The same is left of what is asked at the end: 3 < z.
    std::string const end = "[08 (rcvi c 0 z)] [09 (wait c)] ";
    auto const asked = [&](std::string const& condition) {
        std::string text = three("", "");
        return text.replace(text.find(end), end.size(), end + "[0a (assert " + condition + ")] ");
    };
    EXPECT_TRUE(merges(asked("(< (+ x y) z)")));
    EXPECT_TRUE(merges(asked("(or (= z 3) (> (* x y) 5))")));
}

TEST(StateAbstraction, DoesNotMergeWhatMatters) {
    std::string const end = "[08 (rcvi c 0 z)] [09 (wait c)] ";
    auto const asked = [&](std::string const& condition) {
        std::string text = three("", "");
        return text.replace(text.find(end), end.size(), end + "[0a (assert " + condition + ")] ");
    };
    EXPECT_FALSE(merges(asked("(< x z)")));
    EXPECT_FALSE(merges(asked("(= (- x y) z)")));
    // The status.
    EXPECT_FALSE(merges(three("[05 (assert (= x 1))]", "")));
    EXPECT_FALSE(merges(three("[05 (assume (= x 1))]", "")));
}

// `and` is decided by one false operand, `or` by a true one.
TEST(StateAbstraction, OneOperandDecides) {
    std::string const end = "[08 (rcvi c 0 z)] [09 (wait c)] ";
    auto const asked = [&](std::string const& condition) {
        std::string text = three("", "");
        return text.replace(text.find(end), end.size(), end + "[0a (assert " + condition + ")] ");
    };
    // y > 5 is false in both, whatever x and z are.
    EXPECT_TRUE(merges(asked("(and (and (= x 1) (= z 3)) (> y 5))")));
    EXPECT_TRUE(merges(asked("(or (or (= x 1) (= z 3)) (< y 5))")));
    EXPECT_TRUE(merges(asked("(=> (and (= x 1) (= z 3)) (< y 5))")));
    EXPECT_FALSE(merges(asked("(and (and (= x 1) (= z 3)) (< y 5))")));
    // A divisor that can still be zero has to be evaluated, so nothing is decided.
    EXPECT_FALSE(merges(asked("(and (= (div x z) 1) (> y 5))")));
}

// MessageIndex in transit with a value of their own.
TEST(StateAbstraction, ValuesInTransitCount) {
    auto const text = [](std::string const& payload) {
        return "( ( [00 (rcvi a 0 x)] [01 (wait a)] [02 (sndi k 0 5 " + payload +
               ")] [03 (rcvi b 0 y)] [04 (wait b)] )"
               "  ( [10 (sndi s 1 0 1)] ) ( [20 (sndi t 2 0 2)] ) ( [30 (sndi u 3 0 3)] )"
               "  ( [40 (rcvi q 5 z)] [41 (wait q)] [42 (assert (= z 1))] ) )";
    };
    EXPECT_FALSE(merges(text("x")));
    EXPECT_TRUE(merges(text("4")));
}

// With control only, values and status are nothing.
TEST(StateAbstraction, ControlOnly) {
    Subject const s(three("[05 (assert (= x 1))]", ""));
    StateAbstraction abstraction(s.messages, Runs::complete, true);
    EXPECT_TRUE(abstraction.remember(AdvanceAll(s).deliver("1").deliver("2").state()));
    EXPECT_FALSE(abstraction.remember(AdvanceAll(s).deliver("2").deliver("1").state()));
    EXPECT_TRUE(abstraction.remember(AdvanceAll(s).deliver("2").deliver("3").state()));
}

// ---- Settled ----

TEST(StateAbstraction, Settled) {
    EXPECT_TRUE(settled(three("", ""), "1"));
    EXPECT_TRUE(settled(three("[05 (assert (= x 1))]", ""), "1"));
    // x = 1 decides.
    EXPECT_TRUE(settled(three("", "[04 (assert (or (= x 1) (= y 2)))]"), "1"));
    // Above failure no assertion counts.
    EXPECT_TRUE(settled(three("[05 (assert (= x 1))]", "[04 (assert (= y 1))]"), "2"));
}

TEST(StateAbstraction, NotSettled) {
    EXPECT_FALSE(settled(three("", "[04 (assert (= y 2))]"), "1"));
    EXPECT_FALSE(settled(three("", "[04 (assert (or (= x 1) (= y 2)))]"), "2"));
    EXPECT_FALSE(settled(three("[05 (assert (= x 1))]", "[04 (assert (= y 1))]"), "1"));
    // An assumption counts above failure, and a divisor always does.
    EXPECT_FALSE(settled(three("[05 (assert (= x 1))]", "[04 (assume (= y 1))]"), "2"));
    EXPECT_FALSE(settled(three("[05 (assume (= x 1))]", "[04 (q := (div 1 y))]"), "2"));
}

} // namespace
} // namespace matchpoint::test
