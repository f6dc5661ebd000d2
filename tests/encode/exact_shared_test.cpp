// The exact encoding of programs with shared variables: whole texts of small programs, what is sliced away, what is
// refused, and the programs of traces/ with the answers of exploration. That it is right on all programs is the subject
// of tests/properties/shared_encoding_test.cpp.

#include "encode/exact_shared.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "check/check.hpp"
#include "encode/registry.hpp"
#include "executions/shared/sharing.hpp"
#include "grammar/discipline.hpp"
#include "solve/solver.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/subjects.hpp"

namespace matchpoint::test {
namespace {

std::string shared_problem(Subject const& s, EncoderOptions const& options, CausalModel const* model = nullptr) {
    return SharedQuestion(s.messages, overapprox(s.messages), options, model).text();
}
constexpr EncoderOptions of_executions{.runs = Runs::executions};

std::vector<std::string> lines_of(std::string const& text) {
    std::vector<std::string> result;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) result.push_back(line);
    return result;
}

bool has_line(std::string const& text, std::string const& line) {
    auto const all = lines_of(text);
    return std::find(all.begin(), all.end(), line) != all.end();
}

// Thread 1 fails if it reads x between the two writes.
Subject const& between_two_writes() {
    static Subject const s("(shared [x 0]) ( ( [a1 (x := 1)] [a2 (x := 2)] ) ( [b1 (assert (!= x 1))] ) )");
    return s;
}

TEST(ExactShared, WholeText) {
    EXPECT_EQ(
        lines_of(shared_problem(between_two_writes(), of_executions)),
        (std::vector<std::string>{
            "(set-info :smt-lib-version 2.6)",
            "(set-logic QF_LIA)",
            "; definitions",
            "(declare-const var_x!0 Int)",
            "(declare-const var_x!1 Int)",
            "(declare-const var_x!2 Int)",
            "(declare-const pi_x!1 Int)",
            "(declare-const from_x!1 Int)",
            "(declare-const clock_x!1 Int)",
            "; events",
            "(declare-const x_a1 Bool)",
            "(declare-const order_a1 Int)",
            "(declare-const x_a2 Bool)",
            "(declare-const order_a2 Int)",
            "(declare-const x_b1 Bool)",
            "(declare-const order_b1 Int)",
            "; values",
            "(assert (= var_x!0 0))",
            "(assert (! (= var_x!1 1) :named |a1 ASSIGN EXPRESSIONS EVALUATION|))",
            "(assert (! (= var_x!2 2) :named |a2 ASSIGN EXPRESSIONS EVALUATION|))",
            "; program order",
            "(assert (! (<= 1 order_a1) :named |a1 MACHINE STEP|))",
            "(assert (! (and (=> x_a2 x_a1) (< order_a1 order_a2)) :named |a2 MACHINE STEP|))",
            "(assert (! (<= 1 order_b1) :named |b1 MACHINE STEP|))",
            "; guards",
            "; reads",
            "(assert (! (=> x_b1 (or (and (= from_x!1 0) (= pi_x!1 var_x!0) (= clock_x!1 0)) (and (= from_x!1 1) (= "
            "pi_x!1 var_x!1) (= clock_x!1 order_a1) x_a1 (< order_a1 order_b1)) (and (= from_x!1 2) (= pi_x!1 var_x!2) "
            "(= clock_x!1 order_a2) x_a2 (< order_a2 order_b1)))) :named |b1 READ x|))",
            "(assert (! (=> x_b1 (or (not x_a1) (= from_x!1 1) (< order_a1 clock_x!1) (< order_b1 order_a1))) :named "
            "|b1 READ x BESIDE a1|))",
            "(assert (! (=> x_b1 (or (not x_a2) (= from_x!1 2) (< order_a2 clock_x!1) (< order_b1 order_a2))) :named "
            "|b1 READ x BESIDE a2|))",
            "; property: not all executed assertions hold",
            "(assert (! (and x_b1 (not (distinct pi_x!1 1))) :named |property|))",
            "(check-sat)"}));
}

TEST(ExactShared, OfCompleteRunsEverythingIsExecuted) {
    std::string const text = shared_problem(between_two_writes(), {});
    EXPECT_EQ(text.find("x_"), text.find("x_x!"));
    EXPECT_TRUE(has_line(text, "(assert (! (< order_a1 order_a2) :named |a2 MACHINE STEP|))")) << text;
}

TEST(ExactShared, OrderOfWritesInPairs) {
    std::string const text = shared_problem(between_two_writes(), {.writes = OrderOfWrites::pairs});
    EXPECT_TRUE(has_line(text,
                         "(assert (! (or (and (= from_x!1 0) (= pi_x!1 var_x!0) (< order_b1 order_a1) (< order_b1 "
                         "order_a2)) (and (= from_x!1 1) (= pi_x!1 var_x!1) (< order_a1 order_b1) (< order_b1 "
                         "order_a2)) (and (= from_x!1 2) (= pi_x!1 var_x!2) (< order_a2 order_b1))) :named |b1 "
                         "READ x|))"))
        << text;
    EXPECT_EQ(text.find("clock_"), std::string::npos);
}

TEST(ExactShared, Segments) {
    std::string const text = shared_problem(between_two_writes(), {.switches = 1});
    for (char const* const line : {"(assert (<= 0 start_1))",
                                   "(assert (! (or (and (= running_0 0) (< order_a2 start_1)) (and (= running_1 0) (<= "
                                   "start_1 order_a2))) :named "
                                   "|a2 SEGMENT|))",
                                   "(assert (! (or (and (= running_0 1) (< order_b1 start_1)) (and (= running_1 1) (<= "
                                   "start_1 order_b1))) :named "
                                   "|b1 SEGMENT|))"})
        EXPECT_TRUE(has_line(text, line)) << text;
    // Two switches are all that three commands can have.
    EXPECT_EQ(shared_problem(between_two_writes(), {.switches = 2}), shared_problem(between_two_writes(), {}));
}

TEST(ExactShared, Owners) {
    std::string const text =
        shared_problem(between_two_writes(), {.switches = 1, .switches_by = SwitchesBy::owner, .check_sat = false});
    for (char const* const line :
         {"(set-logic QF_UFLIA)", "(declare-fun owner (Int) Int)",
          "(assert (! (<= 1 order_a1) :named |a1 MACHINE STEP|))",
          "(assert (! (<= order_a1 order_a2) :named |a2 MACHINE STEP|))",
          "(assert (! (= (owner order_a1) 0) :named |a1 OWNER|))",
          "(assert (! (= (owner order_b1) 1) :named |b1 OWNER|))",
          "(assert (! (<= order_a2 2) :named |a2 CONTEXT BOUND|))",
          "(assert (! (<= order_b1 2) :named |b1 CONTEXT BOUND|))",
          "(assert (! (or (and (= order_a1 clock_x!1) (<= 1 from_x!1)) (< order_a1 clock_x!1) (< order_b1 order_a1)) "
          ":named |b1 READ x BESIDE a1|))"})
        EXPECT_TRUE(has_line(text, line)) << line << '\n' << text;
    EXPECT_EQ(text.find("a1 CONTEXT BOUND"), std::string::npos);
    // Two switches are all that three commands can have.
    EXPECT_EQ(shared_problem(between_two_writes(), {.switches = 2, .switches_by = SwitchesBy::owner}),
              shared_problem(between_two_writes(), {}));
}

/// The names of a problem that belong to the bound.
std::vector<std::string> names_of_bound(std::string const& problem) {
    std::vector<std::string> result;
    for (std::string const& line : lines_of(problem)) {
        std::size_t const at = line.find(":named |");
        if (at == std::string::npos) continue;
        std::string const name = line.substr(at + 8, line.rfind('|') - at - 8);
        if (SharedQuestion::is_of_bound(name)) result.push_back(name);
    }
    return result;
}

TEST(ExactShared, NamesOfTheBound) {
    EXPECT_EQ(names_of_bound(shared_problem(between_two_writes(), {.switches = 1})),
              (std::vector<std::string>{"a1 SEGMENT", "a2 SEGMENT", "b1 SEGMENT"}));
    EXPECT_EQ(names_of_bound(shared_problem(between_two_writes(), {.switches = 1, .switches_by = SwitchesBy::owner})),
              (std::vector<std::string>{"a2 CONTEXT BOUND", "b1 CONTEXT BOUND"}));
    EXPECT_EQ(names_of_bound(shared_problem(between_two_writes(), {})), std::vector<std::string>{});
    EXPECT_FALSE(SharedQuestion::is_of_bound("b1 READ SEGMENT")); // of a variable
}

// A message to the thread itself is sent and received in one segment; so is a value written and read.
TEST(ExactShared, OwnersOfWhatAThreadDoesAlone) {
    Solver solver(*solver_command("z3"));
    for (auto const& [last, sat] : {std::pair("(assert (= u 2))", true), {"(assert (= u 1))", false}}) {
        Subject const s(
            std::string("(shared [x 1]) ( ( [a1 (rcvi r 0 u)] [a2 (sndi s 0 0 x)] [a3 (x := 2)] [a4 (wait r)] [a5 ") +
            last + "] ) ( [b1 (assume (> x 5))] [b2 (x := 7)] ) )");
        std::string const text = shared_problem(
            s, {.runs = Runs::executions, .switches = 0, .switches_by = SwitchesBy::owner, .check_sat = false});
        EXPECT_EQ(std::holds_alternative<answer::Sat>(solver.check(text, {})), sat) << text;
    }
}

// CONTEXT BOUND is the whole bound: without it the problem is about all executions. So if a core has none of it,
// nothing fails at all.
TEST(ExactShared, TheBoundByOwnerIsOneLineForEachThread) {
    Solver solver(*solver_command("z3"));
    EncoderOptions const options{
        .runs = Runs::executions, .switches = 0, .switches_by = SwitchesBy::owner, .check_sat = false};
    Subject const safe("(shared [x 0]) ( ( [a1 (x := 1)] [a2 (x := 2)] ) ( [b1 (assert (!= x 3))] ) )");
    for (auto const& [s, sat] : {std::pair(&between_two_writes(), true), {&safe, false}}) {
        std::string const text = shared_problem(*s, options);
        std::string without;
        std::size_t bounds = 0;
        for (std::string const& line : lines_of(text)) {
            bool const is_bound = line.find("CONTEXT BOUND") != std::string::npos;
            bounds += is_bound ? 1 : 0;
            if (!is_bound) without += line + '\n';
        }
        EXPECT_EQ(bounds, 2U) << text;
        EXPECT_TRUE(std::holds_alternative<answer::Unsat>(solver.check(text, {}))) << text;
        EXPECT_EQ(std::holds_alternative<answer::Sat>(solver.check(without, {})), sat) << without;
    }
}

TEST(ExactShared, ReceivesWriteAtTheirWait) {
    Subject const s("(shared [x 0]) ( ( [a1 (rcvi r 0 x)] [a2 (rcvi q 0 x)] [a3 (wait q)] )"
                    "  ( [b1 (sndi s 1 0 (+ x 1))] [b2 (sndi t 1 0 2)] [b3 (assert (!= x 2))] ) )");
    std::string const text = shared_problem(s, of_executions);
    for (char const* const line : {"(assert (! (= var_x!1 value_q) :named |a3 RECEIVED x|))", // not value_r
                                   "(assert (! (or (and (not x_a3) (= M_r 0)) (and x_a3 (= M_r 1) (= place_s 0) x_a1 "
                                   "x_b1 (< order_b1 order_a3))) "
                                   ":named |a1 MATCH r|))",
                                   "(assert (! (or (and (not x_a3) (= M_q 0)) (and x_a3 (= M_q 2) (= place_t 1) x_a2 "
                                   "x_b2 (= value_q 2) (< order_b2 "
                                   "order_a3))) :named |a2 MATCH q|))",
                                   "(assert (! (< place_s place_t) :named |b2 CHANNEL ORDER|))"})
        EXPECT_TRUE(has_line(text, line)) << line << '\n' << text;
}

// Nothing depends on y and t, on what r receives, and so on what s reads.
TEST(ExactShared, SlicesAwayWhatDoesNotCount) {
    Subject const s(
        "(shared [x 0] [y 0]) ( ( [a1 (rcvi r 0 u)] [a2 (wait r)] [a3 (y := 5)] )"
        "  ( [b1 (y := 1)] [b2 (t := y)] [b3 (sndi s 1 0 (+ x y))] [b4 (assert (= x 0))] [b5 (x := 1)] ) )");
    std::string const text = shared_problem(s, of_executions);
    for (char const* const gone : {"var_y", "pi_y", "var_t", "value_r", "value_s", "x_a3", "x_b1", "x_b2", "order_b4"})
        EXPECT_EQ(text.find(gone), std::string::npos) << gone << '\n' << text;
    // With a bound, every thread that steps counts.
    EXPECT_NE(shared_problem(s, {.runs = Runs::executions, .switches = 1}).find("order_b1"), std::string::npos);
}

// Nothing after a1, b2 and c2 can help d3 to fail; complete runs have to execute everything.
TEST(ExactShared, SlicesAwayWhatThreadsDoBehindThat) {
    Subject const s("(shared [x 0] [y 0] [z 0]) ( ( [a1 (x := 1)] [a2 (when (= x 2))] [a3 (z := 1)] )"
                    "  ( [b1 (assume (= x 1))] [b2 (sndi s 1 0 1)] [b3 (assume (= z 1))] [b4 (sndi t 1 0 2)] )"
                    "  ( [c1 (y := 1)] [c2 (y := 2)] [c3 (assume false)] )"
                    "  ( [d1 (rcvi r 0 u)] [d2 (wait r)] [d3 (assert (= y 0))] [d4 (assume (= z 3))] ) )");
    std::string const text = shared_problem(s, of_executions);
    for (char const* const gone : {"x_a2", "x_a3", "x_b3", "x_b4", "x_c3", "x_d4", "pi_z"})
        EXPECT_EQ(text.find(gone), std::string::npos) << gone << '\n' << text;
    for (char const* const there : {"x_a1", "x_b1", "x_b2", "x_c2", "x_d3"})
        EXPECT_NE(text.find(there), std::string::npos) << there << '\n' << text;
    EXPECT_NE(shared_problem(s, {}).find("order_a3"), std::string::npos);
    // Without an assertion there is nothing.
    Subject const none("(shared [x 0]) ( ( [a1 (x := 1)] ) ( [b1 (assume (= x 1))] ) )");
    EXPECT_EQ(shared_problem(none, of_executions).find("x_"), std::string::npos);
}

// b2 is executed only if a2 receives the send of b1; and a2 comes after all that a thread is asked about.
TEST(ExactShared, RendezvousAreNotSlicedAway) {
    Subject const s("(shared [x 0]) ( ( [a1 (assume true)] [a2 (rcvi r 0 u)] [a3 (wait r)] )"
                    "  ( [b1 (sndi s 1 0 1)] [b2 (wait s)] [b3 (assert false)] ) )");
    std::string const zero = shared_problem(s, {.buffering = Buffering::zero, .runs = Runs::executions});
    EXPECT_NE(zero.find("x_a2"), std::string::npos) << zero;
    EXPECT_EQ(zero.find("x_a3"), std::string::npos) << zero;
    EXPECT_EQ(shared_problem(s, of_executions).find("x_a"), std::string::npos);
}

TEST(ExactShared, Models) {
    Subject const s(
        "(shared [x 0]) ( ( [a1 (x := 1)] [a2 (x := 2)] [a3 (x := 3)] ) ( [b1 (t := x)] [b2 (assert (= t 1))] ) )");
    Schedule trace;
    for (char const* const rho : {"a1", "b1", "a2", "b2"}) trace.step(s.location(rho));
    auto const text = [&](Model name) {
        auto const model = CausalModel::of(s.messages, infinite, trace, name);
        return shared_problem(s, of_executions, &*model);
    };
    EXPECT_EQ(text(Model::ctp).find("a3"), std::string::npos); // the program is cut
    EXPECT_EQ(text(Model::ctp).find("AS IN THE TRACE"), std::string::npos);
    EXPECT_TRUE(has_line(text(Model::mcm), "(assert (! (=> x_b1 (= pi_x!1 1)) :named |b1 AS IN THE TRACE x|))"))
        << text(Model::mcm);
    EXPECT_TRUE(has_line(text(Model::hb), "(assert (=> x_b1 (and x_a1 (< order_a1 order_b1))))")) << text(Model::hb);
    EXPECT_TRUE(has_line(text(Model::hb), "(assert (=> x_a2 (and x_b1 (< order_b1 order_a2))))")) << text(Model::hb);
}

// ---- Answers ----

std::optional<std::string> model_of(Solver& solver, std::string const& problem) {
    Answer const answer = solver.check(problem, {.model = true});
    auto const* const sat = std::get_if<answer::Sat>(&answer);
    EXPECT_TRUE(sat != nullptr || std::holds_alternative<answer::Unsat>(answer)) << to_string(answer, solver.command());
    return sat == nullptr ? std::nullopt : std::optional(sat->model);
}

/// As exploration says, and its model replays.
void expect_as_explored(Subject const& s, EncoderOptions options, Solver& solver, std::string const& name) {
    options.check_sat = false;
    MatchPairs const pairs = overapprox(s.messages);
    CheckOptions exploring;
    exploring.buffering = options.buffering;
    exploring.runs = options.runs;
    exploring.switches = true;
    CheckResult const explored = check::check(s.messages, exploring);
    ASSERT_NE(explored.verdict, Verdict::unknown) << name;
    auto const ask = [&](std::optional<std::uint32_t> switches, SwitchesBy by = SwitchesBy::segments) {
        options.switches = switches;
        options.switches_by = by;
        SharedQuestion const question(s.messages, pairs, options);
        auto const model = model_of(solver, question.text());
        if (!model) return false;
        auto const schedule = question.schedule(*model);
        EXPECT_TRUE(schedule) << name;
        if (!schedule) return true;
        Machine machine(s.code, options.buffering);
        EXPECT_EQ(matchpoint::run(machine, *schedule, Extent::prefix).s, Status::failure) << name;
        EXPECT_LE(context_switches(s.code, *schedule), switches.value_or(UINT32_MAX)) << name;
        return true;
    };
    EXPECT_EQ(ask({}), explored.verdict == Verdict::violated) << name;
    if (explored.verdict != Verdict::violated) return;
    std::uint32_t const least = explored.switches->least;
    for (SwitchesBy const by : {SwitchesBy::segments, SwitchesBy::owner}) {
        if (by == SwitchesBy::owner && options.buffering == Buffering::zero) continue;
        EXPECT_TRUE(ask(least, by)) << name;
        EXPECT_FALSE(least > 0 && ask(least - 1, by)) << name;
    }
}

TEST(ExactShared, Traces) {
    Solver solver(*solver_command("z3"));
    std::size_t programs = 0;
    for (auto const& entry : std::filesystem::recursive_directory_iterator(source_dir() / "traces")) {
        if (entry.path().extension() != ".ctp") continue;
        std::ifstream in(entry.path());
        std::string const text{std::istreambuf_iterator<char>(in), {}};
        if (Source const source("a trace", text); !check_discipline(parsed(source)).empty()) continue;
        Subject const s(text);
        if (!s.code.shares() || !s.code.has_plain_messages()) continue;
        ++programs;
        for (Buffering const buffering : {infinite, zero})
            for (Runs const runs : {Runs::executions, Runs::complete})
                expect_as_explored(s, {.buffering = buffering, .runs = runs}, solver, entry.path());
    }
    EXPECT_GE(programs, 53U);
}

TEST(ExactShared, ModelsMayBeBroken) {
    MatchPairs const none;
    SharedQuestion const question(between_two_writes().messages, none, of_executions);
    EXPECT_EQ(question.schedule("()").error(), "the model has no value for x_a1");
    Subject const s(
        "(shared [x 0]) ( ( [a1 (rcvi r 0 x)] [a2 (wait r)] [a3 (assert (= x 0))] ) ( [b1 (sndi s 1 0 1)] ) )");
    MatchPairs const pairs = overapprox(s.messages);
    SharedQuestion const with_messages(s.messages, pairs, of_executions);
    EXPECT_EQ(with_messages
                  .schedule("((define-fun x_a1 () Bool true) (define-fun x_a2 () Bool true) (define-fun M_r () Int 7))")
                  .error(),
              "M_r is not a number of a send in the model");
}

TEST(ExactShared, NamesCannotBreakOut) {
    Subject const s(
        "(shared [|x 0] [y| 1])\n"
        "( ( [a| (when (> y| 0) (y| := (- y| 1)))] [|b (|x := (+ y| 1))] [r| (rcvi |R 0 |x)] [w| (wait |R)] )\n"
        "  ( [|c (assert (= |x 0))] [s| (sndi |S 1 0 |x)] ) )");
    for (Runs const runs : {Runs::executions, Runs::complete}) {
        std::string text = shared_problem(s, {.runs = runs, .switches = 2, .check_sat = false});
        std::size_t names = 0;
        for (std::string const& line : lines_of(text)) names += line.find(" :named |") != std::string::npos ? 1 : 0;
        EXPECT_EQ(std::count(text.begin(), text.end(), '|'), 2 * static_cast<std::ptrdiff_t>(names)) << text;
        for (char const* const name : {"z3", "cvc5"}) {
            Solver solver(*solver_command(name));
            EXPECT_TRUE(model_of(solver, text)) << name << '\n' << text;
        }
    }
}

// ---- What is refused ----

TEST(ExactShared, Refusals) {
    Encoder const& exact = *find_encoder("exact");
    Subject const& s = between_two_writes();
    EXPECT_EQ(exact.refuses(s.messages), std::nullopt);
    EXPECT_EQ(exact.refuses(s.messages, {.order = false}),
              "exact cannot leave out the order of a program with shared variables: what is read depends on it");
    EXPECT_EQ(exact.refuses(s.messages, {.asked = Asked::success, .switches = 1}),
              "few context switches are those of a failure");
    EXPECT_EQ(exact.refuses({.buffering = Buffering::zero, .switches = 1, .switches_by = SwitchesBy::owner}),
              "exact counts context switches by owner with infinite buffering only: with zero buffering a message is "
              "received at an instant between commands, and segments have no such instants");
    EXPECT_EQ(find_encoder("fusion-bounded")->refuses({.switches = 1, .switches_by = SwitchesBy::owner}),
              "fusion-bounded has its own form of the bound on context switches");
    EXPECT_EQ(exact.refuses(s.messages, {}, true),
              "a causal model is asked for failures of executions, not for complete runs");
    EXPECT_EQ(exact.refuses(s.messages, of_executions, true), std::nullopt);
    Subject const selecting("(shared [x 0]) ( ( [a1 (rcvi r 0 x (from 1))] [a2 (wait r)] ) ( [b1 (sndi s 1 0 1)] ) )");
    EXPECT_EQ(exact.refuses(selecting.messages),
              "exact knows no selectors, modes, barriers or endpoints of several threads beside shared "
              "variables");
    Subject const barrier("( ( [a1 (barrier b)] ) ( [b1 (barrier b)] ) )");
    EXPECT_EQ(exact.refuses(barrier.messages, {.switches = 1}),
              "exact knows no bound on context switches of programs with selectors, modes or barriers");
    Subject const plain("( ( [00 (rcvi r 0 x)] [01 (wait r)] [02 (assert (= x 1))] ) ( [10 (sndi s 1 0 2)] ) )");
    EXPECT_EQ(exact.refuses(plain.messages, {.switches = 1, .order = false}),
              "exact cannot leave out the order that it counts context switches by");
    // A program of messages alone has switches, too: its send has to come first.
    Solver solver(*solver_command("z3"));
    auto const is_sat = [&](std::uint32_t most) {
        return model_of(solver,
                        exact.encode({.messages = plain.messages}, {.switches = most, .check_sat = false}).value())
            .has_value();
    };
    EXPECT_FALSE(is_sat(0));
    EXPECT_TRUE(is_sat(1));
}

} // namespace
} // namespace matchpoint::test
