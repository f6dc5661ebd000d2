// SAT on programs with shared variables: what each kind of clause decides, and what it must not. That the answers are
// right is the subject of tests/properties/shared_test.cpp.
#include "check/shared/search.hpp"

#include <gtest/gtest.h>

#include "tests/support/subjects.hpp"

namespace matchpoint::test {
namespace {

using Kind = SatAnswer::Kind;
using Wanted = SharedSearch::Wanted;

/// The locations of the execution that is found; or `none`.
std::string found(std::string const& text, Wanted wanted = Wanted::failure, Buffering buffering = infinite,
                  Runs runs = Runs::executions) {
    Subject const subject(text);
    SharedSearch search(subject.messages, {.buffering = buffering, .runs = runs, .wanted = wanted});
    Kind const kind = search.run();
    if (kind != Kind::found) return kind == Kind::none ? "none" : "?";
    Schedule const& schedule = search.found()->schedule;
    std::string names;
    for (std::size_t i = 0; i < schedule.size(); ++i)
        names += (i == 0 ? "" : " ") + std::string(subject.code.names()(schedule.entry(i).rho));
    return names;
}

TEST(SharedSearch, AReadGetsAWriteThatComesBeforeIt) {
    EXPECT_EQ(found("(shared [x 0]) (([a (x := 1)]) ([b (assert (= x 0))]))"), "a b");
    EXPECT_EQ(found("(shared [x 0]) (([a (x := 0)]) ([b (assert (= x 0))]))"), "none");
}

TEST(SharedSearch, OfItsOwnThreadAReadGetsTheLastWrite) {
    EXPECT_EQ(found("(shared [x 0]) (([a (x := 1)] [b (x := 2)] [c (assert (= x 2))]))"), "none");
    EXPECT_EQ(found("(shared [x 0]) (([a (x := 1)] [b (x := 2)] [c (assert (= x 1))]))"), "a b c");
}

TEST(SharedSearch, AnotherWriteIsNotInBetween) {
    // Both reads of one thread: once it has read 2, the write of 1 is over.
    EXPECT_EQ(found("(shared [x 0]) (([a (x := 1)] [b (x := 2)])"
                    " ([c (t := x)] [d (u := x)] [e (assert (not (and (= t 2) (= u 1))))]))"),
              "none");
    EXPECT_EQ(found("(shared [x 0]) (([a (x := 1)] [b (x := 2)])"
                    " ([c (t := x)] [d (u := x)] [e (assert (not (and (= t 1) (= u 2))))]))"),
              "a c b d e");
}

TEST(SharedSearch, OrdersHaveNoCycle) {
    // Store buffering: one of two reads sees the other thread's write.
    std::string const threads = "(shared [x 0] [y 0] [r 0] [s 0] [n 0])"
                                "(([a (x := 1)] [b (r := y)] [c (n := (+ n 1))])"
                                " ([d (y := 1)] [e (s := x)] [f (n := (+ n 1))])"
                                " ([g (when (= n 2))] [h (assert ";
    EXPECT_EQ(found(threads + "(not (and (= r 0) (= s 0))))]))"), "none");
    EXPECT_NE(found(threads + "(not (and (= r 1) (= s 1))))]))"), "none");
}

TEST(SharedSearch, GuardsHold) {
    EXPECT_EQ(found("(shared [x 0]) (([a (when (= x 1))] [b (assert false)]) ([c (x := 2)]))"), "none");
    EXPECT_EQ(found("(shared [x 0]) (([a (when (= x 1))] [b (assert false)]) ([c (x := 1)]))"), "c a b");
    EXPECT_EQ(found("(shared [x 0]) (([a (assume (= x 1) (x := 2))] [b (assert false)]) ([c (x := 1)]))"), "c a b");
}

TEST(SharedSearch, DivisorsAreNotZero) {
    EXPECT_EQ(found("(shared [x 0]) (([a (t := (div 1 x))] [b (assert false)]))"), "none");
    EXPECT_EQ(found("(shared [x 0]) (([a (t := (div 1 x))] [b (assert false)]) ([c (x := 1)]))"), "c a b");
}

TEST(SharedSearch, ValuesGoThroughLocalsAndMessages) {
    std::string const program = "(shared [x 0]) (([a (t := x)] [b (sndi S 1 0 (+ t 1))]) ([c (x := 5)])"
                                " ([d (rcvi R 0 y)] [e (wait R)] [f (assert (!= y ";
    EXPECT_EQ(found(program + "6))]))"), "c a b d e f");
    EXPECT_EQ(found(program + "7))]))"), "none");
    EXPECT_EQ(found(program + "6))]))", Wanted::failure, zero), "c a b d e f");
}

TEST(SharedSearch, AReceiveIntoASharedVariableIsAWriteOfItsWait) {
    EXPECT_EQ(found("(shared [x 0]) (([a (sndi S 1 0 3)]) ([b (rcvi R 0 x)] [c (wait R)]) ([d (assert (= x 0))]))"),
              "a b c d");
    EXPECT_EQ(found("(shared [x 0]) (([b (rcvi R 0 x)] [d (assert (= x 0))] [c (wait R)]) ([a (sndi S 1 0 3)]))"),
              "none");
}

TEST(SharedSearch, CompleteRunsExecuteEverything) {
    std::string const stops = "(shared [x 0]) (([a (assert (= x 1))] [b (when (= x 1))]))";
    EXPECT_EQ(found(stops), "a");
    EXPECT_EQ(found(stops, Wanted::failure, infinite, Runs::complete), "none");
    EXPECT_EQ(found(stops, Wanted::completion), "none");
    EXPECT_EQ(found("(shared [x 1]) (([a (assert (= x 0))] [b (when (= x 1))]))", Wanted::completion), "a b");
    EXPECT_EQ(found("(shared [x 1]) (([a (assert (= x 0))] [b (when (= x 1))]))", Wanted::success), "none");
    EXPECT_EQ(found("(shared [x 1]) (([a (assert (= x 1))] [b (when (= x 1))]))", Wanted::failure_or_completion),
              "a b");
}

TEST(SharedSearch, GivesUpAfterSoManyCalls) {
    Subject const subject("(shared [x 0]) (([a (x := 1)] [b (x := 2)])"
                          " ([c (t := x)] [d (u := x)] [e (assert (not (and (= t 2) (= u 1))))]))");
    SharedSearch search(subject.messages, {.most_calls = 1});
    EXPECT_EQ(search.run(), Kind::beyond);
}

TEST(SharedSearch, ACertificateHasAReasonForEachClauseAndAMeaningForEachVariable) {
    Subject const subject("(shared [x 0]) (([a (x := 0)]) ([b (assert (= x 0))]))");
    SharedSearch search(subject.messages, {.certifies = true});
    ASSERT_EQ(search.run(), Kind::none);
    std::string const reasons = search.certificate().reasons();
    for (char const* const reason :
         {"reads b x\n", "written b x a\n", "input b x\n", "output a x\n", "holds b\n", "some\n"})
        EXPECT_NE(reasons.find(reason), std::string::npos) << reason << "is not in\n" << reasons;
    for (auto const& clause : search.certificate().clauses)
        for (int const l : clause.literals)
            ASSERT_LE(static_cast<std::size_t>(std::abs(l)), search.certificate().variables.size());
}

} // namespace
} // namespace matchpoint::test
