// Deadlocks under libraries that buffer what they like, as clauses: who may refuse, which orders and values there are.
// That the answers are right is the subject of tests/properties/refusals_test.cpp.

#include "check/sat/stuck_search.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "check/check.hpp"
#include "check/confirmed.hpp"
#include "executions/refusals.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/subjects.hpp"

namespace matchpoint::test {
namespace {

using check::StuckProgram;
using check::StuckSearch;
using Found = StuckSearch::Answer;

/// A plain program, and what is asked of it, again and again.
class Problem {
public:
    explicit Problem(std::string text, StuckSearch::Options options = {})
        : s(std::move(text)), runs_(options.runs), program_{s.messages, standard(), s.messages, infinite},
          search(program_, std::move(options)) {}

    /// "none", or the sends that refuse in the deadlock, as the reference machine says: "A C".
    std::string refusing(std::vector<char const*> const& may_refuse) {
        std::vector<bool> sends(s.messages.sends().size());
        for (char const* const name : may_refuse) sends[s.send(name)] = true;
        switch (search.run(sends)) {
        case Found::none: return "none";
        case Found::stopped: return "stopped";
        case Found::beyond: return "beyond";
        case Found::deadlock: break;
        }
        Machine machine(s.code, infinite);
        auto const found = check::refusing_at_end(machine, search.schedule(), runs_);
        if (!found) return "a deadlock that is none: " + s.text(search.schedule());
        std::string result;
        for (Action const a : *found) result += (result.empty() ? "" : " ") + s.name(a);
        return result;
    }

    Subject s;

private:
    std::vector<bool> standard() const {
        auto const by_action = executions::all_that_may_refuse(s.messages);
        std::vector<bool> result;
        for (auto const& send : s.messages.sends()) result.push_back(by_action[send.a.index]);
        return result;
    }

    Runs runs_;
    StuckProgram program_;

public:
    StuckSearch search;
};

// A goes on only if it is buffered, and C must not be: then B comes before it.
constexpr char const* mixed = R"(
    ( ( [a1 (sndi A 0 1 1)] [a2 (wait A)] [a3 (sndi B 0 2 2)] [a4 (wait B)] )
      ( [b1 (sndi C 1 2 3)] [b2 (wait C)] [b3 (sndi D 1 12 4)] [b4 (wait D)] [b5 (rcvi RA 1 x)] [b6 (wait RA)] )
      ( [c1 (rcvi R1 2 y)] [c2 (wait R1)] [c3 (rcvi RD 12 z)] [c4 (wait RD)] [c5 (rcvi R2 2 u)] [c6 (wait R2)] ) ))";

TEST(StuckSearch, WhoMayRefuse) {
    Problem q(mixed);
    EXPECT_EQ(q.refusing({"C"}), "C");
    EXPECT_EQ(q.refusing({"A", "B", "D"}), "none");
    EXPECT_EQ(q.refusing({"A", "B", "C", "D"}), "C"); // the others need not
    EXPECT_EQ(q.refusing({}), "none");
    EXPECT_EQ(q.search.calls(), 4U);
    EXPECT_EQ(q.search.refinements(), 0U);
}

TEST(StuckSearch, EachOfTwoHasTo) {
    Problem q("(([00 (sndi A 0 1 1)] [01 (wait A)] [02 (rcvi RB 0 x)] [03 (wait RB)])"
              " ([10 (sndi B 1 0 2)] [11 (wait B)] [12 (rcvi RA 1 y)] [13 (wait RA)]))");
    EXPECT_EQ(q.refusing({"A", "B"}), "A B");
    EXPECT_EQ(q.refusing({"A"}), "none");
    EXPECT_EQ(q.refusing({"B"}), "none");
    EXPECT_EQ(q.refusing({"A", "B"}), "A B");
}

// Infinite buffering has this one.
TEST(StuckSearch, NobodyHasTo) {
    Problem q("(([00 (rcvi R 0 x)] [01 (wait R)] [02 (sndi A 0 1 1)] [03 (wait A)]) ([10 (sndi B 1 2 1)]))");
    EXPECT_EQ(q.refusing({}), "");
    EXPECT_EQ(q.refusing({"A"}), "");
}

// Nobody receives it, or the other message is received.
TEST(StuckSearch, AMessageWithoutReceive) {
    EXPECT_EQ(Problem("(([00 (sndi A 0 1 1)] [01 (wait A)]))").refusing({"A"}), "A");
    Problem q("(([00 (sndi A 0 2 1)] [01 (wait A)]) ([10 (sndi B 1 2 2)]) ([20 (rcvi R 2 x)] [21 (wait R)]))");
    EXPECT_EQ(q.refusing({"A"}), "A");
}

// What nobody waits for is matched, too: no match is possible in a deadlock.
TEST(StuckSearch, NothingIsLeftToMatch) {
    EXPECT_EQ(Problem("(([00 (sndi A 0 1 1)] [01 (wait A)]) ([10 (rcvi R 1 x)] [11 (sndi B 1 0 1)] [12 (wait B)]"
                      " [13 (wait R)]))")
                  .refusing({"A", "B"}),
              "B");
}

// R gets B only if thread 1 has S, which is sent after R was received.
TEST(StuckSearch, NoCycles) {
    Problem q("(([00 (rcvi R 0 x)] [01 (wait R)] [02 (sndi S 0 1 1)])"
              " ([10 (rcvi T 1 z)] [11 (wait T)] [12 (sndi B 1 0 1)])"
              " ([20 (sndi A 2 0 2)] [21 (wait A)]))");
    EXPECT_EQ(q.refusing({"A"}), "none");
}

TEST(StuckSearch, OnThePath) {
    constexpr char const* text =
        "(([00 (rcvi R 0 x)] [01 (wait R)] [02 (assume (= x 2))] [03 (sndi A 0 3 1)] [04 (wait A)])"
        " ([10 (sndi B 1 0 {})]))";
    EXPECT_EQ(Problem(fmt::format(fmt::runtime(text), 1)).refusing({"A"}), "none");
    EXPECT_EQ(Problem(fmt::format(fmt::runtime(text), 2)).refusing({"A"}), "A");
    EXPECT_EQ(Problem(fmt::format(fmt::runtime(text), 1), {.runs = Runs::complete}).refusing({"A"}), "A");
}

// Values that are computed on the way become clauses on demand.
TEST(StuckSearch, ValuesOnDemand) {
    std::string text = "(([p (rcvi P 0 x)] [q (wait P)] [r (rcvi R 0 y)] [s (wait R)] [t (rcvi T 0 z)] [u (wait T)]"
                       " [a (assume (= (+ (* x x) (* y z)) {}))] [b (sndi A 0 9 1)] [c (wait A)])";
    for (int i = 1; i <= 3; ++i) text += fmt::format("([s{0} (sndi S{0} {0} 0 {1})])", i, i + 1);
    text += ")";
    Problem q(fmt::format(fmt::runtime(text), 4 * 4 + 2 * 3));
    EXPECT_EQ(q.refusing({"A"}), "A");
    EXPECT_EQ(Problem(fmt::format(fmt::runtime(text), 23)).refusing({"A"}), "none");
}

TEST(StuckSearch, Divisors) {
    constexpr char const* text =
        "(([00 (rcvi R 0 x)] [01 (wait R)] [02 (y := (div 1 (- x 2)))] [03 (sndi A 0 3 1)] [04 (wait A)])"
        " ([10 (sndi B 1 0 {})]))";
    for (Runs const runs : {Runs::executions, Runs::complete}) {
        EXPECT_EQ(Problem(fmt::format(fmt::runtime(text), 1), {.runs = runs}).refusing({"A"}), "A");
        EXPECT_EQ(Problem(fmt::format(fmt::runtime(text), 2), {.runs = runs}).refusing({"A"}), "none");
    }
}

TEST(StuckSearch, Limits) {
    EXPECT_EQ(Problem(mixed, {.most_pairs = 1}).refusing({"C"}), "beyond");
    EXPECT_EQ(Problem(mixed, {.most_calls = 0}).refusing({"C"}), "beyond");
    EXPECT_EQ(Problem(mixed, {.stop = [](auto) { return true; }}).refusing({"C"}), "stopped");
}

/// What check() says by SAT alone: the sends, or who decided that there is no deadlock.
std::string by_sat(std::string text) {
    Subject const s(std::move(text));
    CheckOptions options;
    options.refusals = check::Refusals::any;
    options.without = {"counting", "short-exploration", "exploration"};
    CheckResult const result = check::check(s.messages, options);
    if (result.deadlock.answer != Reached::Answer::yes) return "no, by " + result.deadlock.engine;
    std::string sends;
    for (Action const a : result.deadlock.refusing) sends += (sends.empty() ? "" : " ") + s.name(a);
    return sends;
}

TEST(StuckSearch, OfLoweredPrograms) {
    // The receive is posted after the barrier, and the sender waits in front of it.
    EXPECT_EQ(by_sat("(([00 (sndi A 0 1 1)] [01 (wait A)] [02 (barrier b)])"
                     " ([10 (barrier b)] [11 (rcvi r 1 x)] [12 (wait r)]))"),
              "A");
    EXPECT_EQ(by_sat("(([00 (sndi A 0 1 1)] [01 (wait A)] [02 (barrier b)])"
                     " ([10 (rcvi r 1 x)] [11 (barrier b)] [12 (wait r)]))"),
              "no, by sat");
    // The receives want the later message first.
    EXPECT_EQ(by_sat("(([00 (sndi A 0 1 1 (tag 1))] [01 (wait A)] [02 (sndi B 0 1 2 (tag 2))] [03 (wait B)])"
                     " ([10 (rcvi r 1 x (tag 2))] [11 (wait r)] [12 (rcvi q 1 y (tag 1))] [13 (wait q)]))"),
              "A");
    // A synchronous send waits in any library, and a buffered one in none.
    EXPECT_EQ(by_sat("(([00 (ssndi A 0 1 1)] [01 (wait A)] [02 (rcvi RB 0 x)] [03 (wait RB)])"
                     " ([10 (sndi B 1 0 2)] [11 (wait B)] [12 (rcvi RA 1 y)] [13 (wait RA)]))"),
              "B");
    EXPECT_EQ(by_sat("(([00 (bsndi A 0 1 1)] [01 (wait A)] [02 (rcvi RB 0 x)] [03 (wait RB)])"
                     " ([10 (sndi B 1 0 2)] [11 (wait B)] [12 (rcvi RA 1 y)] [13 (wait RA)]))"),
              "no, by sat");
}

// B cannot be there before A is received: A is synchronous.
TEST(StuckSearch, ASynchronousSendOrdersWhatFollows) {
    for (auto const& [mode, sends] : {std::pair("ssndi", "no, by sat"), std::pair("bsndi", "C")})
        EXPECT_EQ(by_sat(fmt::format("(([a1 ({} A 0 1 1)] [a2 (wait A)] [a3 (bsndi B 0 2 2)])"
                                     " ([b1 (sndi C 1 2 3)] [b2 (wait C)] [b3 (ssndi D 1 12 4)] [b4 (wait D)] [b5 "
                                     "(rcvi RA 1 x)] [b6 (wait RA)])"
                                     " ([c1 (rcvi R1 2 y)] [c2 (wait R1)] [c3 (rcvi RD 12 z)] [c4 (wait RD)] [c5 (rcvi "
                                     "R2 2 u)] [c6 (wait R2)]))",
                                     mode)),
                  sends);
}

} // namespace
} // namespace matchpoint::test
