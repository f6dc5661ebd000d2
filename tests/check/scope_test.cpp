// The first words of a report.
#include "check/scope.hpp"

#include <gtest/gtest.h>

#include "tests/support/all_rooms.hpp"

namespace matchpoint::test {
namespace {

using Answer = check::Reached::Answer;

check::Scope with_assertions(std::uint32_t count) {
    check::Scope scope;
    scope.assertions = count;
    return scope;
}

std::string words(Verdict v, Answer deadlock, Answer fault, Answer leaves_path = Answer::no,
                  check::Scope const& scope = with_assertions(1)) {
    check::CheckResult result;
    result.verdict = v;
    result.deadlock.answer = deadlock;
    result.fault.answer = fault;
    result.leaves_path.answer = leaves_path;
    return summary(result, scope);
}

TEST(Scope, WordsSayWhatTheyAreAbout) {
    EXPECT_EQ(words(Verdict::safe, Answer::no, Answer::no), "safe");
    EXPECT_EQ(words(Verdict::safe, Answer::no, Answer::unknown, Answer::yes), "safe on this path");
    EXPECT_EQ(words(Verdict::safe, Answer::no, Answer::no, Answer::yes, with_assertions(0)),
              "no assertion on this path");
    check::Scope evaluated = with_assertions(1);
    evaluated.evaluated = {{0}};
    EXPECT_EQ(words(Verdict::safe, Answer::no, Answer::no, Answer::yes, evaluated), "unknown");
    EXPECT_EQ(words(Verdict::violated, Answer::no, Answer::no, Answer::yes), "violated");
}

TEST(Scope, ADeadlockOrFaultIsNoAllClear) {
    EXPECT_EQ(words(Verdict::safe, Answer::yes, Answer::no), "safe, but a deadlock is possible");
    EXPECT_EQ(words(Verdict::safe, Answer::no, Answer::yes, Answer::yes), "safe on this path, but a fault is possible");
    EXPECT_EQ(words(Verdict::safe, Answer::yes, Answer::yes, Answer::no, with_assertions(0)),
              "no assertion, but a deadlock and a fault are possible");
    EXPECT_EQ(words(Verdict::vacuous, Answer::yes, Answer::yes), "deadlock");
    EXPECT_EQ(words(Verdict::vacuous, Answer::no, Answer::yes), "fault");
    EXPECT_EQ(words(Verdict::vacuous, Answer::no, Answer::unknown), "vacuous");
    EXPECT_EQ(words(Verdict::violated, Answer::yes, Answer::yes), "violated");
    EXPECT_EQ(words(Verdict::unknown, Answer::yes, Answer::no), "unknown");
}

} // namespace
} // namespace matchpoint::test
