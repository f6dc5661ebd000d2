// The unrolled encoding: its copies of the state, what each step says of a command, and what it refuses.
// tests/properties/shared_encoding_test.cpp tests that it is exact.

#include <gtest/gtest.h>

#include "encode/registry.hpp"
#include "encode/schedule.hpp"
#include "solve/solver.hpp"
#include "tests/encode/constraints.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/subjects.hpp"

namespace matchpoint::test {
namespace {

Encoder const& the_encoder() { return *find_encoder("schedule"); }

std::string unrolled(Subject const& s, EncoderOptions const& options) {
    return the_encoder().encode({.messages = s.messages}, options).value();
}

std::size_t occurrences(std::string const& text, std::string_view what) {
    std::size_t n = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
    return n;
}

/// With z3 and with cvc5.
bool is_satisfiable(std::string const& problem) {
    static Solver z3(*solver_command("z3"));
    static Solver cvc5(*solver_command("cvc5"));
    Answer const answer = z3.check(problem);
    bool const sat = std::holds_alternative<answer::Sat>(answer);
    EXPECT_TRUE(sat || std::holds_alternative<answer::Unsat>(answer)) << problem;
    EXPECT_EQ(std::holds_alternative<answer::Sat>(cvc5.check(problem)), sat) << problem;
    return sat;
}

bool can_fail(std::string const& program, EncoderOptions options) {
    options.check_sat = false;
    Subject const s(program);
    return is_satisfiable(unrolled(s, options));
}

constexpr EncoderOptions executions_only{.runs = Runs::executions};

/// Two increments; the last command of the first thread follows all that an assertion depends on.
constexpr char const* two_increments = "(shared [c 0])"
                                       "( ( [a1 (x := c)] [a2 (c := (+ x 1))] [a3 (x := 7)] )"
                                       "  ( [b1 (y := c)] [b2 (c := (+ y 1))] [b3 (assert (= c 2))] ) )";

// ---- The text ----

TEST(Schedule, OneCopyForEachCommandThatCanMatter) {
    Subject const s(two_increments);
    std::string const executions = unrolled(s, executions_only);
    EXPECT_EQ(occurrences(executions, "(declare-const turn!"), 5U);
    EXPECT_EQ(occurrences(executions, "(declare-const done_"), 2U * 6U);
    EXPECT_EQ(occurrences(executions, "(declare-const var_c!"), 6U);
    EXPECT_EQ(occurrences(executions, "(declare-const fails!"), 3U); // b3 is third at the earliest
    EXPECT_EQ(occurrences(executions, "x_a3!"), 0U);
    EXPECT_EQ(occurrences(unrolled(s, {}), "(declare-const turn!"), 6U); // of a complete run
    EXPECT_TRUE(executions.ends_with("(assert (! (or fails!3 fails!4 fails!5) :named |property|))\n(check-sat)\n"));
}

TEST(Schedule, StepsOfACommand) {
    Subject const s(two_increments);
    std::string const text = unrolled(s, executions_only);
    EXPECT_EQ(constraints(text, "a2 "), (Lines{"a2 TURN AT 2: (= x_a2!2 (and (= turn!2 0) (= done_0!1 1)))",
                                               "a2 ASSIGN c AT 2: (=> x_a2!2 (= var_c!2 (+ var_x!1 1)))",
                                               "a2 TURN AT 3: (= x_a2!3 (and (= turn!3 0) (= done_0!2 1)))",
                                               "a2 ASSIGN c AT 3: (=> x_a2!3 (= var_c!3 (+ var_x!2 1)))",
                                               "a2 TURN AT 4: (= x_a2!4 (and (= turn!4 0) (= done_0!3 1)))",
                                               "a2 ASSIGN c AT 4: (=> x_a2!4 (= var_c!4 (+ var_x!3 1)))",
                                               "a2 TURN AT 5: (= x_a2!5 (and (= turn!5 0) (= done_0!4 1)))",
                                               "a2 ASSIGN c AT 5: (=> x_a2!5 (= var_c!5 (+ var_x!4 1)))"}));
    for (char const* const line :
         {"(assert (= var_c!0 0))", "(assert (<= 0 turn!1 2))", "(assert (=> (= turn!2 2) (= turn!3 2)))",
          "(assert (=> (= turn!3 0) (< done_0!2 2)))",
          "(assert (= done_1!4 (ite (= turn!4 1) (+ done_1!3 1) done_1!3)))",
          "(assert (or x_a2!3 x_b2!3 (= var_c!3 var_c!2)))", "(assert (= fails!3 (and x_b3!3 (not (= var_c!2 2)))))"})
        EXPECT_NE(text.find(std::string(line) + "\n"), std::string::npos) << line << '\n' << text;
}

TEST(Schedule, NamesOfConstraintsAreUnique) {
    Subject const s("(shared [c 1] [d 2])"
                    "( ( [a1 (assume (> (div c d) 0) (c := (div 4 (div d c))) (d := 1))] [a2 (assert (= c d))] )"
                    "  ( [b1 (when (> c 0) (c := 0))] ) )");
    std::string const text = unrolled(s, {.runs = Runs::executions, .cores = true});
    std::vector<std::string> names;
    for (std::string const& line : constraints(text, "")) names.push_back(line.substr(0, line.find(": ")));
    std::size_t const all = names.size();
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    EXPECT_EQ(names.size(), all);
    EXPECT_NE(text.find("|a1 DIVISOR 3 IS NOT ZERO AT 2|"), std::string::npos) << text;
    EXPECT_EQ(occurrences(text, "(declare-const divisor_a1!"), 3U);
}

// ---- What it says ----

/// Two threads have to precede the third one; a complete run of two increments needs one switch, whatever happens.
TEST(Schedule, Switches) {
    char const* const three = "(shared [x 0] [y 0]) ( ( [a1 (x := 1)] ) ( [b1 (y := 1)] )"
                              "  ( [c1 (assert (not (and (= x 1) (= y 1))))] ) )";
    for (std::uint32_t most = 0; most < 4; ++most) {
        for (Runs const runs : {Runs::executions, Runs::complete})
            EXPECT_EQ(can_fail(three, {.runs = runs, .switches = most}), most >= 2) << most;
        EXPECT_TRUE(can_fail(two_increments, {.runs = Runs::executions, .switches = most})) << most;
        EXPECT_EQ(can_fail(two_increments, {.runs = Runs::complete, .switches = most}), most >= 1) << most;
    }
}

TEST(Schedule, AFailureThatCannotGoOn) {
    char const* const program = "(shared [c 0]) ( ( [a1 (assert (= c 1))] [a2 (assume (= c 2))] ) ( [b1 (c := 1)] ) )";
    EXPECT_TRUE(can_fail(program, executions_only));
    EXPECT_FALSE(can_fail(program, {}));
}

TEST(Schedule, GuardsOfAllThreadsHold) {
    EXPECT_FALSE(can_fail("(shared [c 0]) ( ( [a1 (assume (= c 1))] [a2 (c := 2)] ) ( [b1 (assert (= c 0))] ) )",
                          executions_only));
    EXPECT_TRUE(
        can_fail("(shared [c 1]) ( ( [a1 (when (= c 1) (c := 2))] ) ( [b1 (assert (= c 1))] ) )", executions_only));
}

TEST(Schedule, ADivisorIsNotZero) {
    for (char const* const a1 : {"(x := (div 1 c))", "(assert (= (mod 1 c) 5))", "(assume (= (div 1 c) (div 1 c)))"})
        EXPECT_FALSE(
            can_fail(std::string("(shared [c 0]) ( ( [a1 ") + a1 + "] [a2 (assert false)] ) )", executions_only))
            << a1;
    EXPECT_TRUE(can_fail("(shared [c 0]) ( ( [a1 (x := (ite (= c 0) 3 (div 1 c)))] [a2 (assert (= x 4))] ) )", {}));
}

/// All right-hand sides are evaluated before anything is stored.
TEST(Schedule, AssignmentsAtOnce) {
    char const* const swap = "(shared [c 1] [d 2]) ( ( [a1 (assume true (c := d) (d := c))] [a2 (assert {})] ) )";
    auto const with = [&](std::string const& assertion) {
        std::string text = swap;
        return can_fail(text.replace(text.find("{}"), 2, assertion), {});
    };
    EXPECT_FALSE(with("(and (= c 2) (= d 1))"));
    EXPECT_TRUE(with("(= c d)"));
}

/// Rule D6: another definition of a local variable may have the other sort.
TEST(Schedule, SortsOfALocalVariable) {
    char const* const program = "(shared [c 1] [f false]) ( ( [a1 (x := c)] [a2 (c := (+ x 1))] [a3 (x := (= c 2))]"
                                "    [a4 (f := x)] [a5 (assert {})] ) )";
    auto const with = [&](std::string const& assertion) {
        std::string text = program;
        return can_fail(text.replace(text.find("{}"), 2, assertion), {});
    };
    EXPECT_FALSE(with("(and x f)"));
    EXPECT_TRUE(with("(not x)"));
}

TEST(Schedule, NothingToViolate) {
    EXPECT_FALSE(can_fail("(shared [c 1]) ( ( [a1 (c := 2)] ) )", {}));
    EXPECT_FALSE(can_fail("(shared [c 1]) ( ( [a1 (c := 2)] ) )", executions_only));
}

/// Without one class of constraint, a program can fail that cannot.
TEST(Schedule, EachClassIsNeeded) {
    struct Row {
        char const* left_out; // all lines with this
        char const* program;
        EncoderOptions options;
    };
    char const* const guarded = "(shared [c 0]) ( ( [a1 (assume (= c 1))] [a2 (assert false)] ) )";
    char const* const guarded_beside_another =
        "(shared [c 0]) ( ( [a1 (assume (= c 1))] [a2 (assert false)] ) ( [b1 (assert true)] ) )";
    EncoderOptions const complete;
    EncoderOptions const without_switches{.runs = Runs::executions, .switches = 0};
    for (Row const& row :
         {Row{" GUARD AT ", guarded, executions_only}, Row{" TURN AT ", guarded, executions_only},
          Row{"(ite (= turn!", guarded_beside_another, executions_only},
          Row{" ASSIGN c AT ", "(shared [c 0]) ( ( [a1 (c := 1)] [a2 (assert (= c 1))] ) )", executions_only},
          Row{"(= var_c!1 var_c!0)", "(shared [c 0]) ( ( [a1 (assume true)] [a2 (assert (= c 0))] ) )",
              executions_only},
          Row{"(assert (= var_c!0 0))", "(shared [c 0]) ( ( [a1 (assert (= c 0))] ) )", executions_only},
          Row{" DIVISOR 1 AT ", "(shared [c 1]) ( ( [a1 (assert (= (div 4 c) 4))] ) )", executions_only},
          Row{" IS NOT ZERO AT ", "(shared [c 0]) ( ( [a1 (x := (div 1 c))] [a2 (assert false)] ) )", executions_only},
          Row{"(<= 0 turn!", "( ( [a1 (assert false)] [a2 (assume false)] ) )", complete},
          Row{"(< done_", "( ( [a1 (assert false)] ) ( [b1 (assume false)] ) )", complete},
          Row{"|CONTEXT BOUND|", "(shared [c 0]) ( ( [a1 (c := 1)] ) ( [b1 (assert (= c 0))] ) )", without_switches},
          Row{"|property|", "(shared [c 0]) ( ( [a1 (assert (= c 0))] ) )", executions_only}}) {
        EncoderOptions options = row.options;
        options.check_sat = false;
        Subject const s(row.program);
        std::string all;
        std::string some;
        for (std::string const& line : lines(unrolled(s, options))) {
            all += line + "\n";
            if (line.find(row.left_out) == std::string::npos) some += line + "\n";
        }
        EXPECT_LT(some.size(), all.size()) << row.left_out << '\n' << all;
        EXPECT_FALSE(is_satisfiable(all)) << row.left_out << '\n' << all;
        EXPECT_TRUE(is_satisfiable(some)) << row.left_out << '\n' << some;
    }
}

// ---- What it refuses ----

TEST(Schedule, Refusals) {
    Subject const messages("( ( [00 (rcvi r 0 x)] [01 (wait r)] ) ( [10 (sndi s 1 0 1)] ) )");
    Subject const barrier("( ( [a1 (barrier b)] ) ( [b1 (barrier b)] ) )");
    Subject const s(two_increments);
    EXPECT_EQ(the_encoder().refuses(s.messages), std::nullopt);
    EXPECT_EQ(the_encoder().refuses(messages.messages), "schedule knows no messages");
    EXPECT_EQ(the_encoder().refuses(barrier.messages), "schedule knows no barriers");
    EXPECT_EQ(the_encoder().refuses(EncoderOptions{.buffering = zero, .switches = 1}), std::nullopt);
    EXPECT_EQ(the_encoder().refuses(EncoderOptions{.asked = Asked::any}),
              "schedule asks for a failure, with the order");
    EXPECT_EQ(the_encoder().refuses({.switches = 1, .switches_by = SwitchesBy::owner}),
              "schedule has its own form of the bound on context switches");
    EXPECT_EQ(the_encoder().refuses(s.messages, executions_only, true), "schedule knows no causal models");
    EXPECT_THROW(encode_schedule(s.messages, {.order = false}, [](std::string_view) {}), std::logic_error);
}

/// What it writes is quadratic: a limit is noticed while it writes.
TEST(Schedule, KeepsToTheTimeLimit) {
    std::string text = "(shared [c 0]) (";
    for (int t = 0; t < 2; ++t) {
        text += " (";
        for (int i = 0; i < 1000; ++i) text += " [a" + std::to_string(t) + "_" + std::to_string(i) + " (c := (+ c 1))]";
        text += " [b" + std::to_string(t) + " (assert (= c 0))] )";
    }
    Subject const s(text + " )");
    bool is_up = false;
    Watch const watch([&] { return is_up; });
    std::size_t bytes = 0;
    EXPECT_THROW(encode_schedule(s.messages, {},
                                 [&](std::string_view part) {
                                     bytes += part.size();
                                     is_up = bytes > 1'000'000;
                                 }),
                 OutOfTime);
    EXPECT_LT(bytes, 100'000'000U);
}

} // namespace
} // namespace matchpoint::test
