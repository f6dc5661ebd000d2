// SAT: what each way of pruning decides by itself, what it must not, and what is left to cycles and values. That the
// answers are right is the subject of tests/properties/check_test.cpp.

#include "check/sat/sat_search.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "check/sat/domains.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/subjects.hpp"

namespace matchpoint::test {
namespace {

using test::Subject;
using Kind = SatAnswer::Kind;

SatAnswer solved(Subject const& s, Asked asked = Asked::failure, Buffering buffering = Buffering::infinite) {
    SatOptions options;
    options.asked = asked;
    options.buffering = buffering;
    return check::solve(s.messages, options);
}

/// One thread receives into x0, x1 ..., and has these commands at its end; each payload comes from a thread of its own.
Subject star(std::vector<std::string> const& payloads, std::size_t receives, std::string const& commands) {
    std::string text = "((";
    for (std::size_t i = 0; i < receives; ++i) text += fmt::format("[r{0} (rcvi R{0} 0 x{0})] [w{0} (wait R{0})] ", i);
    text += commands + " bot)\n";
    for (std::size_t i = 0; i < payloads.size(); ++i)
        text += fmt::format("([s{0} (sndi S{0} {1} 0 {2})] bot)\n", i, i + 1, payloads[i]);
    return Subject(text + ")");
}

/// Decided before there is a pair, let alone a clause.
void decided_at_once(Subject const& s, Asked asked = Asked::failure) {
    SatAnswer const answer = solved(s, asked);
    EXPECT_EQ(answer.kind, Kind::none);
    EXPECT_EQ(answer.solver_calls, 0U);
}

TEST(Domains, AConjunctOverOneReceiveLeavesItsMessage) {
    SatAnswer const answer =
        solved(star({"1", "2", "3"}, 3, "[p (assert (not (and (= x0 2) (and (> x1 2) (< x2 2)))))]"));
    EXPECT_EQ(answer.kind, Kind::found);
    EXPECT_EQ(answer.pairs, 3U);
}

TEST(Domains, ConjunctsGoThroughAssignmentsAndSingleChannels) {
    // What thread 1 reports is a part of what thread 0 asserts.
    Subject const s(R"((([a (rcvi R0 0 x)] [b (wait R0)] [c (y := (= x 1))]
                         [d (rcvi R1 1 z)] [e (wait R1)] [f (assert (not (and y z)))] bot)
                        ([g (sndi S0 2 0 1)] bot)
                        ([h (sndi S1 3 0 2)] bot)
                        ([i (rcvi R2 4 u)] [j (wait R2)] [k (sndi S2 4 1 (= u 5))] bot)
                        ([l (sndi S3 5 4 5)] bot)
                        ([m (sndi S4 6 4 6)] bot)))");
    SatAnswer const answer = solved(s);
    EXPECT_EQ(answer.kind, Kind::found);
    EXPECT_EQ(answer.pairs, 3U);
}

TEST(Domains, BoundsGoAlongChainsOfComparisons) {
    SatAnswer const answer =
        solved(star({"1", "2", "3", "4"}, 4, "[p (assert (not (and (> x0 x1) (and (> x1 x2) (> x2 x3)))))]"));
    EXPECT_EQ(answer.kind, Kind::found);
    EXPECT_EQ(answer.pairs, 4U);
}

TEST(Domains, ASumOfAllMessagesIsKnown) {
    decided_at_once(star({"1", "2", "4"}, 3, "[p (assert (= (+ (+ x0 x1) x2) 7))]"));
    // With coefficients it is not, but its greatest value is: 3 * 4 + 2 * 2 + 1.
    decided_at_once(star({"1", "2", "4"}, 3, "[p (assert (<= (+ (+ x0 (* 2 x1)) (* x2 3)) 17))]"));
    EXPECT_EQ(solved(star({"1", "2", "4"}, 3, "[p (assert (<= (+ (+ x0 (* 2 x1)) (* x2 3)) 16))]")).kind, Kind::found);
    // Negative coefficients take the smallest ones: 4 - 1.
    decided_at_once(star({"1", "2", "4"}, 2, "[p (assert (<= (- x0 x1) 3))]"));
    EXPECT_EQ(solved(star({"1", "2", "4"}, 2, "[p (assert (<= (- x0 x1) 2))]")).kind, Kind::found);
    // One message is left over, so it is not known which sum it is.
    EXPECT_EQ(solved(star({"1", "2", "4"}, 2, "[p (assert (= (+ x0 x1) 3))]")).kind, Kind::found);
}

TEST(Domains, OneMessageIsNotReceivedTwice) {
    decided_at_once(star({"1", "2", "3"}, 3, "[p (assert (!= x0 x1))] [q (assert (!= x1 x2))]"));
    EXPECT_EQ(solved(star({"1", "2", "2"}, 3, "[p (assert (!= x0 x1))] [q (assert (!= x1 x2))]")).kind, Kind::found);
}

TEST(Domains, HallsCondition) {
    char const* const positive = "[p (assume (> x0 0))] [q (assume (> x1 0))] [r (assume (> x2 0))] [s (assert false)]";
    decided_at_once(star({"1", "2", "0"}, 3, positive));
    decided_at_once(star({"1", "2", "0", "0"}, 3, positive), Asked::success);
    EXPECT_EQ(solved(star({"1", "2", "0", "3"}, 3, positive)).kind, Kind::found);
}

TEST(Domains, AnAssertionThatIsNoBooleanIsNotFalse) { decided_at_once(star({"1", "2"}, 1, "[p (assert x0)]")); }

TEST(Domains, LargeIntegersAreLeftAlone) {
    std::string const large(40, '9');
    std::string const property = fmt::format("[p (assert (< (+ x0 x1) {}))]", large);
    EXPECT_EQ(solved(star({large, "1"}, 2, property)).kind, Kind::found);
    EXPECT_EQ(solved(star({"1" + large, "-1" + large}, 2, property)).kind, Kind::none);
}

TEST(Domains, CandidatesAreThoseOfOverapproxWithoutARequirement) {
    Subject const s(R"((([a (rcvi R0 0 x)] [b (rcvi R1 0 y)] [c (rcvi R2 0 z)] [d (wait R2)] bot)
                        ([e (sndi S0 1 0 1)] [f (sndi S1 1 0 2)] bot)
                        ([g (sndi S2 2 0 11)] bot)))");
    DataFlow const flow(s.messages);
    Domains domains(flow);
    ASSERT_TRUE(domains.require({}));
    MatchPairs const all = overapprox(s.messages);
    EXPECT_EQ(all.size(), 7U);
    CandidateWindows const windows(s.messages, Buffering::infinite);
    EXPECT_EQ(domains.candidates(windows, 7), all);
    EXPECT_EQ(domains.candidates(windows, 6), std::nullopt);
}

TEST(Sat, SaysSoIfThereAreTooManyPairs) {
    SatOptions options;
    options.most_pairs = 8;
    EXPECT_EQ(check::solve(star({"1", "2", "2"}, 3, "[p (assert (!= (* x0 x1) 2))]").messages, options).kind,
              Kind::beyond);
    options.most_pairs = 9;
    EXPECT_EQ(check::solve(star({"1", "2", "2"}, 3, "[p (assert (!= (* x0 x1) 2))]").messages, options).kind,
              Kind::found);
}

TEST(Sat, Stops) {
    SatOptions options;
    options.stop = [](std::chrono::nanoseconds) { return true; };
    EXPECT_EQ(check::solve(star({"1", "2"}, 2, "[p (assert (!= (* x0 x1) 2))]").messages, options).kind, Kind::stopped);
    options.stop = [](std::chrono::nanoseconds to_free) { return to_free > std::chrono::nanoseconds(0); };
    EXPECT_EQ(check::solve(star({"1", "2"}, 2, "[p (assert (!= (* x0 x1) 2))]").messages, options).kind, Kind::stopped);
}

TEST(Sat, FirstInFirstOutOfAChannel) {
    Subject const s(R"((([a (rcvi R0 0 x)] [b (rcvi R1 0 y)] [c (rcvi R2 0 z)] [d (wait R2)]
                         [e (assert (=> (and (< x 10) (< z 10)) (< x z)))] bot)
                        ([f (sndi S0 1 0 1)] [g (sndi S1 1 0 2)] bot)
                        ([h (sndi S2 2 0 11)] bot)))");
    // Two receives of constants: a table that has only what can be together, and nothing is left.
    SatAnswer const answer = solved(s);
    EXPECT_EQ(answer.kind, Kind::none);
    EXPECT_EQ(answer.values, 0U);
}

// Each of two threads passes on what it got before it gets what the other one passes on: not both.
Subject crossing(std::string const& property) {
    return Subject(fmt::format(R"((([a (rcvi R0 0 x)] [b (wait R0)] [c (sndi S0 0 1 (+ x 1))] bot)
                                   ([d (rcvi R1 1 y)] [e (wait R1)] [f (sndi S1 1 0 (* y 2))]
                                    [g (rcvi R2 1 z)] [h (wait R2)] [i {}] bot)
                                   ([j (sndi S2 2 0 5)] bot)
                                   ([k (sndi S3 3 1 7)] bot)))",
                               property));
}

TEST(Sat, CyclesAreExcludedAsTheyAreFound) {
    // y is 7, or 6 if thread 0 got the 5 first.
    SatAnswer const answer = solved(crossing("(assert (or (= y 7) (= y 6)))"));
    EXPECT_EQ(answer.kind, Kind::none);
    EXPECT_EQ(solved(crossing("(assert (= y 7))")).kind, Kind::found);
    EXPECT_EQ(solved(crossing("(assert (= y 6))")).kind, Kind::found);
}

TEST(Sat, ValuesThatAreFewAreLiterals) {
    // x is 5 or 14; z is what is left.
    EXPECT_EQ(solved(crossing("(assert (!= z 15))")).kind, Kind::found);
    EXPECT_EQ(solved(crossing("(assert (!= (mod (* z z) 7) 1))")).kind, Kind::found); // 15 * 15 = 32 * 7 + 1
    SatAnswer const answer = solved(crossing("(assert (!= z 16))"));
    EXPECT_EQ(answer.kind, Kind::none);
    EXPECT_EQ(answer.values, 0U);
}

// What each comparison says where it holds, where it does not, and at its border.
TEST(Sat, ComparisonsOfValuesThatAreLiterals) {
    // x0 * x1 + x2 is from 1 * 2 + 4 to 8 * 4 + 2.
    std::vector<std::string> const sent{"1", "2", "4", "8"};
    auto const verdict = [&](std::string_view comparison) {
        SatAnswer const answer = solved(star(sent, 3, fmt::format("[p (assert {})]", comparison)));
        EXPECT_EQ(answer.values, 0U) << comparison;
        return answer.kind;
    };
    for (std::string_view const holds :
         {"(!= (+ (* x0 x1) x2) 5)", "(> (+ (* x0 x1) x2) 5)", "(>= (+ (* x0 x1) x2) 6)", "(< (+ (* x0 x1) x2) 35)",
          "(<= (+ (* x0 x1) x2) 34)", "(< 5 (+ (* x0 x1) x2))", "(!= (* x0 x1) (+ (* x2 x2) x2))"})
        EXPECT_EQ(verdict(holds), Kind::none) << holds;
    for (std::string_view const fails :
         {"(!= (+ (* x0 x1) x2) 6)", "(> (+ (* x0 x1) x2) 6)", "(>= (+ (* x0 x1) x2) 7)", "(< (+ (* x0 x1) x2) 34)",
          "(<= (+ (* x0 x1) x2) 33)", "(not (= (* x0 x1) (+ x2 x2)))", "(= (* x0 x1) x2)", "(< (* x0 x1) (+ x2 6))"})
        EXPECT_EQ(verdict(fails), Kind::found) << fails;
}

TEST(Sat, OtherValuesAreComputedAsTheyAreNeeded) {
    // Thousands of products.
    std::vector<std::string> sent;
    for (int n = 2; sent.size() < 40; ++n) {
        bool is_prime = true;
        for (int d = 2; d < n; ++d) is_prime = is_prime && n % d != 0;
        if (is_prime) sent.push_back(std::to_string(n));
    }
    Subject const s = star(sent, 3, "[p (assert (!= (* (* x0 x1) x2) 999))]");
    SatOptions options;
    options.most_calls = 5;
    SatAnswer const answer = check::solve(s.messages, options);
    EXPECT_EQ(answer.kind, Kind::beyond);
    EXPECT_GE(answer.values, 5U);
    EXPECT_EQ(solved(star(sent, 3, "[p (assert (< (* (* x0 x1) x2) 1000))]")).kind, Kind::found);
}

TEST(Sat, ManyCyclesAreExcludedAtOnce) {
    // Each of nine threads gets a message of another one first, so none can begin; but the channels allow it.
    std::string text = "((";
    constexpr int n = 9;
    for (int i = 0; i < n; ++i) text += fmt::format("[h{0} (sndi H{0} 99 {0} 0)] ", i);
    for (int i = 0; i < n; ++i) text += fmt::format("[p{0} (rcvi P{0} {1} f{0})] [q{0} (wait P{0})] ", i, 100 + i);
    std::string all = "(!= f0 0)";
    for (int i = 1; i < n; ++i) all = fmt::format("(and {} (!= f{} 0))", all, i);
    text += fmt::format("[z (assert (not {}))] bot)\n", all);
    for (int i = 0; i < n; ++i) {
        text += fmt::format("([t{0}r (rcvi R{0} {0} x{0})] [t{0}w (wait R{0})] ", i);
        for (int k = 0; k < n; ++k)
            if (k != i) text += fmt::format("[t{0}s{1} (sndi S{0}.{1} {0} {1} {2})] ", i, k, i + 1);
        text += fmt::format("[t{0}z (sndi Z{0} {0} {1} x{0})] bot)\n", i, 100 + i);
    }
    SatAnswer const answer = solved(Subject(text + ")"));
    EXPECT_EQ(answer.kind, Kind::none);
    // There are a hundred thousand cycles.
    EXPECT_GT(answer.cycles, 100U);
    EXPECT_LT(answer.cycles, 2000U);
}

TEST(Sat, ARunWithAZeroDivisorDoesNotComplete) {
    Subject const s = star({"1", "2"}, 1, "[p (y := (div 4 (- x0 1)))] [q (assert (= y 4))]");
    EXPECT_EQ(solved(s).kind, Kind::none);
    EXPECT_EQ(solved(s, Asked::success).kind, Kind::found);
    EXPECT_EQ(solved(star({"1", "1"}, 1, "[p (y := (div 4 (- x0 1)))]"), Asked::any).kind, Kind::none);
}

TEST(Sat, BooleansAreReceivedAndSentOn) {
    Subject const s(R"((([a (rcvi R0 0 b)] [c (wait R0)] [d (sndi S0 0 1 (not b))] bot)
                        ([e (rcvi R1 1 u)] [f (rcvi R2 1 v)] [g (wait R2)] [h (assert (xor u v))] bot)
                        ([i (sndi S1 2 0 true)] bot)
                        ([j (sndi S2 3 0 false)] bot)
                        ([k (sndi S3 4 1 true)] bot)))");
    SatAnswer const answer = solved(s);
    EXPECT_EQ(answer.kind, Kind::found);
    EXPECT_EQ(answer.values, 0U); // gates all the way
    EXPECT_EQ(solved(s, Asked::success).kind, Kind::found);
}

TEST(Sat, ZeroBufferingTakesWhatIsWaitedFor) {
    Subject const s(R"((([a (rcvi R0 0 x)] [b (wait R0)] [c (assert (= x 1))] bot)
                        ([d (sndi S0 1 0 1)] [e (wait S0)] bot)
                        ([f (sndi S1 2 0 2)] bot)))");
    EXPECT_EQ(solved(s).kind, Kind::found);
    EXPECT_EQ(solved(s, Asked::failure, Buffering::zero).kind, Kind::none);
    EXPECT_EQ(solved(s, Asked::success, Buffering::zero).kind, Kind::found);
}

// ---- Each inference of Domains, where it applies and where it does not ----

/// How often an inference applied while a question about failure was pruned.
std::uint64_t applied(Inference i, Subject const& s) { return solved(s).inferences[i]; }

TEST(Inference, Bounds) {
    EXPECT_GT(applied(Inference::bounds, star({"1", "2", "3"}, 2, "[p (assert (<= (+ x0 x1) 4))]")), 0U);
    EXPECT_EQ(applied(Inference::bounds, star({"1", "2", "3"}, 2, "[p (assert (<= (* x0 x1) 5))]")), 0U);
}

TEST(Inference, Disequality) {
    EXPECT_EQ(applied(Inference::disequality, star({"1", "2", "3"}, 1, "[p (assert (= x0 1))]")), 1U);
    EXPECT_EQ(applied(Inference::disequality, star({"1", "2", "3"}, 1, "[p (assert (= x0 2))]")), 0U);
}

TEST(Inference, Injection) {
    EXPECT_EQ(applied(Inference::injection, star({"1", "2", "4"}, 2, "[p (assert (<= (+ x0 x1) 6))]")), 1U);
    EXPECT_EQ(applied(Inference::injection, star({"1", "4", "4"}, 2, "[p (assert (<= (+ x0 x1) 6))]")), 0U);
}

TEST(Inference, Equality) {
    EXPECT_EQ(applied(Inference::equality, star({"1", "2", "3"}, 2, "[p (assert (!= x0 x1))]")), 1U);
    EXPECT_EQ(applied(Inference::equality, star({"1", "2", "2"}, 2, "[p (assert (!= x0 x1))]")), 0U);
}

TEST(Inference, Evaluation) {
    EXPECT_EQ(applied(Inference::evaluation, star({"1", "2"}, 1, "[p (assert (< (* x0 x0) 5))]")), 1U);
    EXPECT_EQ(applied(Inference::evaluation, star({"1", "2"}, 1, "[p (assert (< (* x0 x0) 4))]")), 0U);
}

TEST(Inference, Hall) {
    char const* const positive = "[p (assume (> x0 0))] [q (assume (> x1 0))] [r (assume (> x2 0))] [s (assert false)]";
    EXPECT_EQ(applied(Inference::hall, star({"1", "2", "0"}, 3, positive)), 1U);
    EXPECT_EQ(applied(Inference::hall, star({"1", "2", "0", "3"}, 3, positive)), 0U);
}

} // namespace
} // namespace matchpoint::test
