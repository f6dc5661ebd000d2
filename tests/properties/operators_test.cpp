// Every operator of the language, on values of all sorts: the machine and the naive oracle, which has its own list of
// operators, agree on its value, and on why it has none.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "grammar/operators.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/compare.hpp"

#include <string>
#include <vector>

namespace matchpoint::naive {
namespace {

constexpr std::array<char const*, 8> values{"-7", "-2", "0", "1", "3", "12345678901234567890123", "true", "false"};

/// `f` gets all applications, such as "(+ 1 true)".
template <typename F>
void for_each_application(Op op, F const& f) {
    std::size_t count = 1;
    for (std::size_t k = 0; k < arity(op); ++k) count *= values.size();
    for (std::size_t i = 0; i < count; ++i) {
        std::string text = fmt::format("({}", to_string(op));
        for (std::size_t k = 0, rest = i; k < arity(op); ++k, rest /= values.size())
            text += fmt::format(" {}", values[rest % values.size()]);
        f(text + ")");
    }
}

/// Compares both on (x := e). Whether they have a value.
bool has_value(std::string const& e) {
    Case const c{read_program(fmt::format("(([a (x := {})]))", e)), {{"a", {}}}, false};
    Result const theirs = sorted(run(c.program, c.trace, c.zero));
    Result const ours = sorted(run_on_machine(*load(c).code, buffering(c)));
    EXPECT_EQ(ours, theirs) << e << "\nmachine:\n" << to_text(ours) << "\noracle:\n" << to_text(theirs);
    return theirs.status == Status::success;
}

TEST(Operators, MachineAgreesWithNaiveOracle) {
    std::size_t with_value = 0;
    for (Op const op : all_ops())
        for_each_application(op, [&](std::string const& e) { with_value += has_value(e) ? 1 : 0; });
    EXPECT_GT(with_value, 400U);
}

TEST(Operators, IteEvaluatesOnlyWhatItChooses) {
    for (char const* const e : {"(ite true 1 (div 1 0))", "(ite false (mod 1 0) true)", "(ite true 1 y)",
                                "(ite (ite false y true) (ite false (not 1) (ite true 5 (+ true 1))) y)"})
        EXPECT_TRUE(has_value(e)) << e;
    for (char const* const e : {"(ite false 1 (div 1 0))", "(ite true (mod 1 0) true)", "(ite (= 1 (div 1 0)) 1 2)",
                                "(ite true y 1)", "(ite y 1 1)", "(ite 1 y 1)", "(ite (ite true y true) 1 1)"})
        EXPECT_FALSE(has_value(e)) << e;
}

TEST(Operators, NaiveOracleHasNoValueOfWhatItDoesNotKnow) {
    Program const nand = read_program("(([a (x := (nand true false))]))");
    EXPECT_EQ(run(nand, {{"a", {}}}, false).status, Status::error);
    EXPECT_THROW(read_program("(([a (x := (not true false))]))"), std::runtime_error);
    EXPECT_THROW(read_program("(([a (x := (+ 1))]))"), std::runtime_error);
}

} // namespace
} // namespace matchpoint::naive
