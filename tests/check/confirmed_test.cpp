// What the reference machine says of findings, and what becomes of findings that contradict each other.
#include "check/confirmed.hpp"

#include <gtest/gtest.h>

#include "check/context.hpp"
#include "executions/explorer.hpp"
#include "executions/shared/thread_by_thread.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/subjects.hpp"

namespace matchpoint::check {
namespace {

using test::infinite;
using test::Subject;
using test::zero;

/// Steps of a program, by the names of its locations and channels: "24 02 (0 2) 25".
class Steps {
public:
    Steps(Subject const& s, std::string_view text) : s_(s) {
        while (!text.empty()) {
            bool const is_movement = text.front() == '(';
            std::string_view const word = text.substr(0, text.find(is_movement ? ')' : ' '));
            if (is_movement)
                move(word.substr(1));
            else
                schedule.step(s_.location(word));
            text.remove_prefix(std::min(text.size(), word.size() + (is_movement ? 2 : 1)));
        }
    }
    Schedule schedule;

private:
    void move(std::string_view to_and_from) {
        auto const space = to_and_from.find(' ');
        schedule.move(*s_.code.find_channel(s_.endpoint(to_and_from.substr(0, space)),
                                            s_.endpoint(to_and_from.substr(space + 1))));
    }
    Subject const& s_;
};

bool is_deadlock_behind(Subject const& s, std::string_view steps, Buffering buffering = infinite,
                        Runs runs = Runs::executions) {
    Machine machine(s.code, buffering);
    return ends_in_deadlock(machine, Steps(s, steps).schedule, runs);
}

TEST(Confirmed, ADeadlockIsWhereNobodyCanGoOn) {
    Subject const s("(([0 (rcvi r 0 x)] [1 (wait r)] [2 (rcvi q 0 y)] [3 (wait q)]) ([4 (sndi a 1 0 1)]))");
    EXPECT_TRUE(is_deadlock_behind(s, "4 0 (0 1) 1 2"));
    EXPECT_FALSE(is_deadlock_behind(s, "4 0 (0 1) 1")); // it can post q
    EXPECT_FALSE(is_deadlock_behind(s, "4 0"));         // the message is on its way
    EXPECT_FALSE(is_deadlock_behind(s, "4 0 (0 1)"));   // the wait can go on
    EXPECT_FALSE(is_deadlock_behind(s, "0"));           // the other thread can send
    EXPECT_FALSE(is_deadlock_behind(s, "4 0 1"));       // it does not run
    EXPECT_FALSE(is_deadlock_behind(Subject("(([0 (x := 1)]))"), "0"));
}

TEST(Confirmed, ADeadlockNeedsMoreMessagesThanThereAre) {
    Subject const s("(([0 (rcvi r 0 x)] [1 (rcvi q 0 y)] [2 (wait q)]) ([3 (sndi a 1 0 1)]) ([4 (sndi b 2 0 1)]))");
    EXPECT_FALSE(is_deadlock_behind(s, "3 4 0 1"));
    Subject const one("(([0 (rcvi r 0 x)] [1 (rcvi q 0 y)] [2 (wait q)]) ([3 (sndi a 1 0 1)]))");
    EXPECT_TRUE(is_deadlock_behind(one, "3 0 1"));
}

TEST(Confirmed, ADeadlockIsOnThePath) {
    Subject const s("(([0 (assume (= 1 2))] [1 (rcvi r 0 x)] [2 (wait r)]))");
    EXPECT_FALSE(is_deadlock_behind(s, "")); // a thread at an assumption can step
    EXPECT_FALSE(is_deadlock_behind(s, "0 1"));
    EXPECT_TRUE(is_deadlock_behind(s, "0 1", infinite, Runs::complete));
}

// r takes a, unless b comes first. Then q takes a, which it waits for.
TEST(Confirmed, EveryOrderOfDeliveriesIsTried) {
    Subject const s("(([0 (rcvi r 0 x)] [1 (rcvi q 0 y (from 1))] [2 (wait q)])"
                    " ([3 (sndi a 1 0 1)]) ([4 (sndi b 2 0 1)]))");
    EXPECT_FALSE(is_deadlock_behind(s, "3 4 0 1"));
    EXPECT_FALSE(is_deadlock_behind(s, "3 4 0 1 (0 2)"));
    EXPECT_TRUE(is_deadlock_behind(s, "3 4 0 1 (0 1)")); // b is of no use
    // With one receive that is posted, either the synchronous send takes it, or the other one.
    Subject const t("(([0 (rcvi r 0 x)] [4 (wait r)]) ([1 (ssndi a 2 0 1)] [2 (wait a)]) ([3 (sndi b 1 0 1)]))");
    EXPECT_FALSE(is_deadlock_behind(t, "0 1 3"));
    EXPECT_TRUE(is_deadlock_behind(t, "0 1 3 (0 1) 4"));
    EXPECT_FALSE(is_deadlock_behind(t, "0 1 3 (0 2)"));
}

// None of ten channels of ten messages each has what the thread waits for.
TEST(Confirmed, OrdersThatMakeNoDifferenceAreNotTried) {
    std::string text = "(([0 (rcvi r 0 x (tag 7))] [1 (wait r)])";
    std::string steps = "0";
    for (int t = 1; t <= 10; ++t) {
        text += " (";
        for (int i = 0; i < 10; ++i) {
            std::string const n = std::to_string(t) + "_" + std::to_string(i);
            text += "[s" + n + " (sndi S" + n + " " + std::to_string(t) + " 0 1 (tag 8))]";
            steps += " s" + n;
        }
        text += ")";
    }
    EXPECT_TRUE(is_deadlock_behind(Subject(text + ")"), steps));
}

/// "none", or the sends that refuse: "a b".
std::string refusing_behind(Subject const& s, std::string_view steps, Runs runs = Runs::executions) {
    Machine machine(s.code, infinite);
    auto const found = refusing_at_end(machine, Steps(s, steps).schedule, runs);
    if (!found) return "none";
    std::string result;
    for (Action const a : *found) result += (result.empty() ? "" : " ") + s.name(a);
    return result;
}

TEST(Confirmed, ASendMayRefuseWhileItsMessageIsUnmatched) {
    Subject const s(
        "(([0 (sndi a 0 1 1)] [1 (wait a)]) ([2 (rcvi r 1 x)] [3 (wait r)] [4 (sndi b 1 0 1)] [5 (wait b)]))");
    EXPECT_EQ(refusing_behind(s, "0 1 2 (1 0) 3 4"), "b");
    EXPECT_EQ(refusing_behind(s, "0 2 (1 0) 3 4"), "none");     // a is received
    EXPECT_EQ(refusing_behind(s, "0 2"), "none");               // a match is possible
    EXPECT_EQ(refusing_behind(s, "0 2 (1 0)"), "none");         // r can go on
    EXPECT_EQ(refusing_behind(s, "0"), "none");                 // r can be posted
    EXPECT_EQ(refusing_behind(s, "0 1 2 (1 0) 3 4 5"), "none"); // all is done
    EXPECT_EQ(refusing_behind(s, "1"), "none");                 // it does not run
}

TEST(Confirmed, ACollectiveMayRefuseWhileSomeMemberHasNotCalled) {
    Subject const s("(([0 (collective K w bcast (root 0))] [1 (collective L w barrier)])"
                    " ([2 (rcvi r 1 x)] [3 (wait r)] [4 (collective M w bcast (root 0))] [5 (collective N w barrier)])"
                    " ([6 (icollective O v bcast (root 2))] [7 (wait O)]) ([8 (rcvi q 3 y)] [9 (wait q)]"
                    "  [10 (icollective P v bcast (root 2))]))");
    EXPECT_EQ(refusing_behind(s, "2 6 8"), "K O");
    EXPECT_EQ(refusing_behind(s, "2 6 8 0"), "O");  // L needs all
    EXPECT_EQ(refusing_behind(s, "2 6 8 0 7"), ""); // nothing refuses
    EXPECT_EQ(refusing_behind(s, "2 8"), "none");   // O can be issued
    // Two calls that disagree are no deadlock.
    EXPECT_EQ(
        refusing_behind(Subject("(([0 (collective K w bcast (root 0))]) ([1 (collective L w bcast (root 1))]))"), ""),
        "none");
}

// Under infinite buffering messages are delivered to nobody. The first one is the partner of a receive that is posted
// later.
TEST(Confirmed, AMessageDeliveredToNobodyIsUnmatched) {
    Subject const s(
        "(([0 (sndi a 0 2 1)] [1 (wait a)]) ([2 (sndi b 1 2 1)] [3 (wait b)]) ([4 (rcvi r 2 x)] [5 (wait r)]))");
    EXPECT_EQ(refusing_behind(s, "0 2 (2 1) (2 0) 4 5 3"), "a");
    EXPECT_EQ(refusing_behind(s, "0 2 (2 1) (2 0) 4 5"), "none"); // b is received
    EXPECT_EQ(refusing_behind(s, "0 2 (2 0) (2 1) 4 5 1"), "b");
}

TEST(Confirmed, OnlyStandardSendsRefuse) {
    for (auto const& [mode, found] : {std::pair("sndi", "a"), std::pair("bsndi", "none"), std::pair("ssndi", "")})
        EXPECT_EQ(refusing_behind(Subject("(([0 (" + std::string(mode) + " a 0 1 1)] [1 (wait a)]))"), "0"), found);
    EXPECT_EQ(refusing_behind(Subject("(([0 (rcvi r 1 x)] [1 (wait r)]))"), "0"), "");
}

TEST(Confirmed, SendsRefuseOnThePath) {
    Subject const s("(([0 (sndi a 0 1 1)] [1 (wait a)]) ([2 (assume (= 1 2))]))");
    EXPECT_EQ(refusing_behind(s, "0"), "none"); // a thread at an assumption can step
    EXPECT_EQ(refusing_behind(s, "0 2"), "none");
    EXPECT_EQ(refusing_behind(s, "0 2", Runs::complete), "a");
}

// The movements that no command follows count: without them a match is possible.
TEST(Confirmed, MatchesAtAnEndpointThatSelects) {
    Subject const s("(([0 (sndi a 0 1 1 (tag 1))] [1 (sndi b 0 1 1 (tag 2))] [2 (wait b)])"
                    " ([3 (rcvi r 1 x (tag 1))] [4 (rcvi q 1 y (tag 3))] [5 (wait q)] [6 (wait r)]))");
    EXPECT_EQ(refusing_behind(s, "0 1 3 4"), "none");
    Steps steps(s, "0 1 3 4");
    for (std::uint32_t c = 0; c < s.code.channels().size(); ++c)
        if (s.code.tag_of(s.action("a")) == s.code[Channel{c}].n) steps.schedule.move({c});
    Machine machine(s.code, infinite);
    auto const found = refusing_at_end(machine, steps.schedule, Runs::executions);
    ASSERT_TRUE(found);
    EXPECT_EQ(*found, std::vector{s.action("b")});
}

std::string fault_behind(Subject const& s, std::string_view steps, Runs runs = Runs::executions) {
    Machine machine(s.code, infinite);
    auto const fault = fault_at_end(machine, Steps(s, steps).schedule, runs);
    return fault ? s.name(*fault->rho) + " " + std::string(machine::to_string(fault->stuck.reason)) : "none";
}

TEST(Confirmed, AFaultIsACommandThatWaitsForNothing) {
    Subject const s(
        "(([0 (rcvi r 0 x)] [1 (wait r)] [2 (y := (mod 1 x))]) ([3 (sndi a 1 0 0)]) ([4 (assume (= 1 2))]))");
    EXPECT_EQ(fault_behind(s, "0 3 (0 1) 1 2"), "2 division by zero");
    EXPECT_EQ(fault_behind(s, "0 3 (0 1) 1"), "none");
    EXPECT_EQ(fault_behind(s, "0 1"), "none"); // it waits
    EXPECT_EQ(fault_behind(s, "2"), "none");   // it is not next
    EXPECT_EQ(fault_behind(s, ""), "none");
    EXPECT_EQ(fault_behind(s, "4 0 3 (0 1) 1 2"), "none"); // off the path
    EXPECT_EQ(fault_behind(s, "4 0 3 (0 1) 1 2", Runs::complete), "2 division by zero");
}

bool is_race(Subject const& s, std::string_view steps, std::string_view first, std::string_view second, Variable x) {
    Machine machine(s.code, infinite);
    return ends_in_race(s.messages, machine,
                        {Reached::Answer::yes, s.location(first), s.location(second), x, Steps(s, steps).schedule});
}

TEST(Confirmed, ADataRaceIsOfTwoCommandsThatAreNext) {
    Subject const s("(shared [x 0] [l 1]) (([0 (x := 1)] [1 (t := 1)]) ([2 (u := x)] [3 (v := x)])"
                    " ([4 (when (> l 0) (l := 0))] [5 (l := 1)]) ([6 (assume (= 1 2))]) ([7 (w := x)]))");
    Variable const x = s.code.ctp().shared[0].x;
    Variable const l = s.code.ctp().shared[1].x;
    EXPECT_TRUE(is_race(s, "", "0", "2", x));
    EXPECT_TRUE(is_race(s, "2", "0", "3", x));
    EXPECT_FALSE(is_race(s, "2", "0", "2", x)); // it is past
    EXPECT_FALSE(is_race(s, "", "0", "3", x));  // it is not next
    EXPECT_FALSE(is_race(s, "0", "1", "2", x)); // no access
    EXPECT_FALSE(is_race(s, "", "2", "7", x));  // nobody writes
    EXPECT_FALSE(is_race(s, "", "0", "0", x));
    EXPECT_FALSE(is_race(s, "", "0", "2", l));
    EXPECT_FALSE(is_race(s, "4", "0", "5", l));
    EXPECT_FALSE(is_race(s, "6", "0", "2", x)); // off the path
    EXPECT_FALSE(is_race(s, "1", "0", "2", x)); // it does not run
}

TEST(Confirmed, WhatAWhenNamesIsNoData) {
    Subject const s("(shared [l 1]) (([0 (l := 0)]) ([1 (l := 1)]) ([2 (when (> l 0))]))");
    EXPECT_FALSE(is_race(s, "", "0", "1", s.code.ctp().shared[0].x));
}

// ---- What contradicts what ----

Subject safe_or_stuck() {
    return Subject("(([0 (rcvi r 0 x)] [1 (wait r)] [2 (assert (= x 1))]) ([3 (sndi a 1 0 1)]))");
}

TEST(Findings, AreRunOnTheMachine) {
    Subject const s = safe_or_stuck();
    CheckOptions const options;
    Context c(s.messages, options);
    EXPECT_THROW(c.known.add(fact::Stuck{Stop::deadlock, Steps(s, "3 0").schedule}), std::logic_error);
    EXPECT_THROW(c.known.add(fact::Stuck{Stop::fault, Steps(s, "3 0 (0 1) 1").schedule}), std::logic_error);
    EXPECT_EQ(c.known.reached(Stop::deadlock).answer, Reached::Answer::unknown); // as before
    c.known.add(fact::Execution{{Matching(s.messages), Steps(s, "3 0 (0 1) 1 2").schedule, Status::failure}});
    EXPECT_THROW(c.known.conclude(Verdict::violated, {"test"}), std::logic_error);
}

TEST(Findings, OfADeadlockThatWasRuledOut) {
    Subject const s("(([0 (rcvi r 0 x)] [1 (wait r)]))");
    CheckOptions const options;
    for (bool const by_solver : {false, true}) {
        Context c(s.messages, options);
        c.known.add(fact::NeverStuck{Stop::deadlock}, {"test", by_solver});
        if (!by_solver) {
            EXPECT_THROW(c.known.add(fact::Stuck{Stop::deadlock, Steps(s, "0").schedule}), std::logic_error);
            EXPECT_EQ(c.known.reached(Stop::deadlock).answer, Reached::Answer::no);
            continue;
        }
        c.known.add(fact::Stuck{Stop::deadlock, Steps(s, "0").schedule});
        EXPECT_EQ(c.known.reached(Stop::deadlock).answer, Reached::Answer::yes);
        ASSERT_EQ(c.known.trouble().size(), 1U);
        EXPECT_EQ(c.known.trouble()[0].kind, Trouble::Kind::wrong_answer);
    }
}

TEST(Findings, ADeadlockIsNotRuledOutAfterwards) {
    Subject const s("(([0 (rcvi r 0 x)] [1 (wait r)]))");
    CheckOptions const options;
    Context c(s.messages, options);
    c.known.add(fact::Stuck{Stop::deadlock, Steps(s, "0").schedule});
    EXPECT_THROW(c.known.add(fact::NeverStuck{Stop::deadlock}, {"test"}), std::logic_error);
    c.known.add(fact::NeverStuck{Stop::deadlock}, {"test", true});
    EXPECT_EQ(c.known.reached(Stop::deadlock).answer, Reached::Answer::yes);
    EXPECT_EQ(c.known.trouble().size(), 1U);
}

TEST(Findings, AVerdictIsNotReplacedByAnother) {
    Subject const s = safe_or_stuck();
    Subject const failing("(([0 (rcvi r 0 x)] [1 (wait r)] [2 (assert (= x 2))]) ([3 (sndi a 1 0 1)]))");
    executions::Run const success{Matching(s.messages), Steps(s, "3 0 (0 1) 1 2").schedule, Status::success};
    executions::Run const failure{Matching(s.messages), success.schedule, Status::failure};
    CheckOptions const options;
    {
        Context c(s.messages, options);
        c.known.add(fact::Execution{success});
        c.known.conclude(Verdict::safe, {"test"});
        EXPECT_THROW(c.known.conclude(Verdict::vacuous, {"test"}), std::logic_error);
        EXPECT_THROW(c.known.add(fact::Execution{failure}), std::logic_error);
    }
    Context c(failing.messages, options);
    c.known.conclude(Verdict::vacuous, {"smt (z3)", true});
    c.known.add(fact::Execution{failure}); // the solver was wrong
    EXPECT_FALSE(c.known.has_verdict());
    EXPECT_EQ(c.known.trouble().size(), 1U);
    c.known.conclude(Verdict::safe, {"smt (z3)", true}); // and again
    EXPECT_FALSE(c.known.has_verdict());
    c.known.conclude(Verdict::violated, {"test"});
    EXPECT_EQ(c.known.verdict(), Verdict::violated);
    EXPECT_THROW(c.known.conclude(Verdict::safe, {"test"}), std::logic_error);
    EXPECT_THROW(c.known.add(fact::NeverFails{}, {"test"}), std::logic_error);
    EXPECT_EQ(c.known.verdict(), Verdict::violated);
}

} // namespace
} // namespace matchpoint::check
