#include "encode/problem_size.hpp"

#include <gtest/gtest.h>

#include "tests/support/all_rooms.hpp"

namespace matchpoint::test {
namespace {

constexpr std::string_view problem = R"((set-logic QF_LIA) ; (assert false)
(declare-const |a ; (assert| Int)(declare-fun f (Int) Int)
(define-fun g ((x Int)) Int (assert x))
(assert (! (= |a ; (assert| 1) :named |)|))
(echo "(assert ""x"" (")
(assert true)(check-sat)
)";

void expect_counts(ProblemSize const& size) {
    EXPECT_EQ(size.bytes(), problem.size());
    EXPECT_EQ(size.declarations(), 2U);
    EXPECT_EQ(size.definitions(), 1U);
    EXPECT_EQ(size.assertions(), 2U);
}

// Comments, strings, quoted symbols and inner brackets begin no command.
TEST(ProblemSize, CountsCommands) {
    ProblemSize size;
    size.add(problem);
    expect_counts(size);
}

TEST(ProblemSize, PartsMayEndAnywhere) {
    for (std::size_t length = 1; length < 20; ++length) {
        ProblemSize size;
        for (std::size_t i = 0; i < problem.size(); i += length) size.add(problem.substr(i, length));
        expect_counts(size);
    }
}

} // namespace
} // namespace matchpoint::test
