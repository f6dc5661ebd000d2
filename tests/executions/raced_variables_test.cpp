// Which shared variables data races are about.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "executions/shared/raced_variables.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/naive_locks.hpp"
#include "tests/support/programs.hpp"

namespace matchpoint::executions {
namespace {

/// "l x ", in the order of their names.
std::string raced(std::string const& text) {
    Source const source("test.ctp", text);
    grammar::Program const program = test::parsed(source);
    IndexedProgram const code(program);
    auto const is = raced_variables(MessageIndex(code));
    std::set<std::string> names;
    for (std::uint32_t x = 0; x < is.size(); ++x)
        if (is[x]) names.insert(std::string(program.symbols(grammar::Variable{x})));
    std::string result;
    for (std::string const& x : names) result += x + " ";
    return result;
}

std::string naively_raced(std::string const& text) {
    std::string result;
    for (std::string const& x : naive::raced_variables(naive::read_program(text))) result += x + " ";
    return result;
}

/// One thread for each argument.
std::string with(std::string_view shared, std::vector<std::string_view> const& threads) {
    std::string text = fmt::format("(shared {}) (", shared);
    for (std::string_view const thread : threads) text += fmt::format("({})", thread);
    return text + ")";
}

constexpr std::string_view tries = "[a (assume (> l 0) (l := (- l 1)))] [b (x := 1)] [c (l := (+ l 1))]";

TEST(RacedVariables, AreNotThoseThatAWhenNames) {
    EXPECT_EQ(raced(with("[l 1] [x 0] [y 0]", {"[a (when (> l 0) (y := 1))] [b (x := l)]", "[c (l := x)]"})), "x ");
}

TEST(RacedVariables, AreNotAtomic) {
    std::string const text = with("atomic [x 0] [y 0] atomic [l 1]", {"[a (x := y)] [b (y := x)]", "[c (l := x)]"});
    EXPECT_EQ(raced(text), "y ");
    EXPECT_EQ(naively_raced(text), "y ");
    // Not even where a lock is read as if it were data.
    EXPECT_EQ(raced(with("atomic [l 1]", {"[a (assume (> l 0) (l := (- l 1)))] [b (l := (+ l 1))]", "[c (t := l)]"})),
              "");
}

TEST(RacedVariables, AreNoLocksThatThreadsTryToTake) {
    EXPECT_EQ(raced(with("[l 1] [x 0]", {tries, "[d (assume (= l 0))]"})), "x ");
    EXPECT_EQ(raced(with("[l 1] [x 0]", {tries, "[d (assume (not (> l 0)))]"})), "x ");
    EXPECT_EQ(raced(with("[o -1]", {"[a (assume (= o -1) (o := 7))] [b (o := -1)]", "[c (assume (!= o -1))]"})), "");
    // Readers and a writer.
    EXPECT_EQ(raced(with("[w 0] [r 0]", {"[a (assume (and (= w 0) (= r 0)) (w := 1))] [b (w := 0)]",
                                         "[c (assume (= w 0) (r := (+ r 1)))] [d (r := (- r 1))]",
                                         "[e (assume (or (!= w 0) (!= r 0)))] [f (assume (= w 1))]"})),
              "");
    // They are used up.
    EXPECT_EQ(raced(with("[u false]", {"[a (assume (not u) (u := true))]", "[b (assume u)]"})), "");
    EXPECT_EQ(raced(with("[s 3]", {"[a (assume (> s 0) (s := (- s 1)))]", "[b (assume (= s 0))]"})), "");
}

TEST(RacedVariables, AreLocksWithWhichMoreIsDone) {
    EXPECT_EQ(raced(with("[l 1] [x 0]", {tries, "[d (t := l)]"})), "l x ");
    EXPECT_EQ(raced(with("[l 1] [x 0]", {tries, "[d (assert (= l 0))]"})), "l x ");
    EXPECT_EQ(raced(with("[l 1] [x 0]", {tries, "[d (assume (> l 0))]"})), "l x ");
    EXPECT_EQ(raced(with("[l 1] [x 0]", {tries, "[d (assume (and (= l 0) (= x 0)))]"})), "l x ");
    EXPECT_EQ(raced(with("[l 1] [x 0]", {tries, "[d (l := 1)]"})), "l x ");
    EXPECT_EQ(raced(with("[l 1] [x 0]", {tries, "[d (l := (+ l 1))]"})), "l x "); // it has not taken it
    EXPECT_EQ(raced(with("[l 1] [x 0]", {tries, "[d (rcvi R 0 l)] [e (wait R)]", "[f (sndi S 1 0 1)]"})), "l x ");
    // A thread counts, and a compare-and-swap is not from a value that is free.
    EXPECT_EQ(raced(with("[n 0]", {"[a (assume true (n := (+ n 1)))]", "[b (assume true (n := (+ n 1)))]"})), "n ");
    EXPECT_EQ(raced(with("[n 0]", {"[a (assume (= n 0) (n := 1))]", "[b (assume (= n 1) (n := 2))]"})), "n ");
}

/// All programs of two threads with two of these commands each.
void expect_naive(std::vector<std::string_view> const& commands, std::map<std::string, std::uint64_t>& seen) {
    std::size_t const n = commands.size();
    for (std::size_t i = 0; i < n * n * n * n; ++i) {
        std::string const first = fmt::format("[a {}] [b {}]", commands[i % n], commands[i / n % n]);
        std::string const second = fmt::format("[c {}] [d {}]", commands[i / n / n % n], commands[i / n / n / n]);
        std::string const text = with("[l 1] [r 0]", {first, second});
        std::string const is = raced(text);
        ++seen[is];
        ASSERT_EQ(is, naively_raced(text)) << text;
    }
}

TEST(RacedVariables, AreThoseOfTheNaiveDefinition) {
    std::map<std::string, std::uint64_t> seen;
    expect_naive({"(assume (> l 0) (l := (- l 1)))", "(l := (+ l 1))", "(assume (= l 0))", "(assume (> l 0))",
                  "(when (= l 1) (l := (- l 1)))", "(when (= r 1))", "(t := l)", "(assume (= l r))",
                  "(assume (and (= r 0) (> l 0)) (r := 1) (l := (- l 1)))"},
                 seen);
    expect_naive({"(assume (= l 1) (l := 2))", "(l := 1)", "(assume (or (= l 1) (= l 3)) (l := 3))",
                  "(assume (and (= l 1) (= r 0)) (l := 3))", "(assume (= l 1) (r := (+ r 1)))", "(r := (- r 1))",
                  "(assume (and (= l 2) (!= r 0)))", "(assume (and (!= l 1) (!= l 3)))", "(assume (= r t))"},
                 seen);
    EXPECT_EQ(seen.size(), 4U);
    for (auto const& [is, times] : seen) EXPECT_GT(times, 20U) << is;
}

} // namespace
} // namespace matchpoint::executions
