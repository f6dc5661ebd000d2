// The reduced language: what is refused, and what its statements do.

#include "rma/language/parse_reduced.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "rma/language/print.hpp"
#include "rma/programs/smaller.hpp"
#include "rma/search/reduced_run.hpp"
#include "tests/rma/program_of.hpp"

namespace matchpoint::rma {
namespace {

std::string fault_of(std::string const& text) {
    Source const source("r", text);
    auto const program = parse_reduced(source);
    return program ? "none" : headline(program.error().front(), source);
}

TEST(ParseReduced, SaysWhatIsWrong) {
    auto const in_process = [](std::string const& c) {
        return "(reduced (process 1 (shared (X 0) (b true)) (sets S T) " + c + "))";
    };
    std::pair<std::string, std::string> const wrong[] = {
        {"", "a program `(reduced ...)` is wanted"},
        {"(rma)", "a program `(reduced ...)` is wanted"},
        {"(reduced (process 1)", "this bracket is not closed"},
        {"(reduced (process 1])", "`]` closes nothing"},
        {"(reduced) x", "a program `(reduced ...)` is wanted"},
        {"(reduced (process one))", "expected a process"},
        {"(reduced (process 1) (process 01))", "error[RS1]: the numbers of processes are unique"},
        {"(reduced (process 1 (shared (X 0))) (process 2 (local (X 1))))", "error[RS1]: the names of variables"},
        {"(reduced (process 1 (sets S S)))", "error[RS1]: the names of sets"},
        {"(reduced (sometimes x))", "expected `process`, `define`"},
        {in_process("(put X 2 X)"), "`put` begins no statement"},
        {in_process("(store Y 1)"), "error[RS2]: no variable `Y` is declared"},
        {in_process("(join U X)"), "error[RS2]: no set `U` is declared"},
        {in_process("(execute-one s)"), "error[RS2]: no `(execute s)` is defined"},
        {in_process("(store X true)"), "error[RS6]: `X` has another sort"},
        {in_process("(join S X) (join S b)"), "error[RS6]: the set `S` has another sort"},
        {in_process("(assume X)"), "error[RS6]: a condition is Bool"},
        {in_process("(assume (= X b))"), "error[RS6]: `=` has operands of the wrong sort"},
        {in_process("(assume (not b b))"), "error[S4]: `not` takes 1 operand, here it has 2"},
        {in_process("(assume (and))"), "error[S4]: `and` takes 2 operands, here it has 0"},
        {in_process("(store X (f 1))"), "expected an expression"},
        {in_process("(goto there)"), "error[RS4]: the process has no location `there`"},
        {in_process("[a skip] [a skip]"), "error[RS1]: the locations of a process are unique"},
        {in_process("(goto a) (atomic [a skip])"), "error[RS5]: `goto` crosses the border"},
        {in_process("(atomic [a skip]) (atomic (goto a))"), "error[RS5]: `goto` crosses the border"},
        {in_process("(atomic (atomic skip))"), "error[RS5]"},
        {in_process("(step (step skip))"), "a step cannot contain another one"},
        {in_process("(step (execute-one))"), "a step cannot contain a `execute-one`"},
        {in_process("(remote-ops (if b (skip)))"), "expected a simple statement or a `step`"},
        {in_process("(choose X 1 true)"), "error[RS6]: `X` has another sort"},
        {"(reduced (define (execute s)))", "expected `(define (execute s) c ...)`"},
        {"(reduced (define (execute s) skip) (define (execute s) skip))", "error[RS1]: the names of procedures"},
        {"(reduced (process 1) (assert (= 1 1)))", "expected `(assert final e)`"},
        {"(reduced (process 1) (invariant (at 2 a)))", "error[RS4]: no process has this number"},
        {"(reduced \"x\")", "has no place here"},
    };
    for (auto const& [text, message] : wrong)
        EXPECT_NE(fault_of(text).find(message), std::string::npos) << text << "\n" << fault_of(text);
    EXPECT_EQ(fault_of(in_process("(while b) (if b () (skip)) [a (atomic)] bot")), "none");
}

/// The final values of X, and what else came up.
std::string outcome(std::string const& text) {
    Source const source("r", text);
    auto const program = parse_reduced(source);
    if (!program) return headline(program.error().front(), source);
    rma::Program const original = program_of("(rma (process 1 (shared (X 0))))");
    TextSystem system(*program, *names_of(original, *program));
    SearchResult const found = search(system, {.finals = true});
    std::set<std::string> values;
    for (Packed const& part : found.finals) values.insert(system.memory(part)[0].to_string());
    std::string all = found.violation ? "violated" : "safe";
    if (found.faulted) all += ", fault";
    if (found.discarded) all += ", discarded";
    for (std::string const& v : values) all += " " + v;
    return all;
}

TEST(RunReduced, Statements) {
    std::pair<std::string, std::string> const programs[] = {
        {"(process 1 (shared (X 0)) (store X 1))", "safe 1"},
        {"(process 1 (shared (X 0)) (choose X 1 2) (assume (= X 2)))", "safe, discarded 2"},
        {"(process 1 (shared (X 0)) (assert (= X 1)))", "violated 0"},
        {"(process 1 (shared (X 0)) (step (assert (= X 1)) (store X 2)))", "violated 2"},
        {"(process 1 (shared (X 0)) (store X (div 1 0)))", "safe, fault"},
        // Sets.
        {"(process 1 (shared (X 0)) (sets S) (draw X S))", "safe, fault"},
        {"(process 1 (shared (X 0)) (sets S) (join S X) (store X 1) (join S X) (draw X S))", "safe 0 1"},
        {"(process 1 (shared (X 0)) (sets S) (join S X) (store X 1) (reset S X) (draw X S))", "safe 1"},
        // Steps: an invariant sees what is between them.
        {"(process 1 (shared (X 0)) (store X 1) (store X 0)) (invariant (= X 0))", "violated 0"},
        {"(process 1 (shared (X 0)) (step (store X 1) (store X 0))) (invariant (= X 0))", "safe 0"},
        {"(process 1 (shared (X 0)) (step (while (< X 3) (store X (+ X 1)))))", "safe 3"},
        // What calls procedures.
        {"(define (execute s) (assume (< X 2)) (X := (+ X 1))) (process 1 (shared (X 0)) (remote-ops s skip))",
         "safe 0 1 2"},
        {"(define (execute s) (assume (< X 2)) (X := (+ X 1))) (process 1 (shared (X 0)) (execute-one s))", "safe 1"},
        {"(define (execute s) (assume (< X 2)) (X := (+ X 1))) (process 1 (shared (X 0)) (execute-until (= X 2) s))",
         "safe 2"},
        {"(define (execute s) (X := 1) (X := 2)) (process 1 (shared (X 0)) (execute-one s)) (invariant (!= X 1))",
         "safe 2"},
        {"(define-steps (execute s) (X := 1) (X := 2)) (process 1 (shared (X 0)) (execute-one s)) (invariant (!= X 1))",
         "violated 2"},
        {"(define-steps (execute s) (assume (= X 0)) (X := 1)) (process 1 (shared (X 0)) (remote-ops s (store X 5)))",
         "safe 5"},
        // Beside the processes.
        {"(process 1 (shared (X 0)) (store X 1)) (finally (X := (+ X 1)))", "safe 2"},
        {"(define (execute s) (assume (= X 0)) (X := 7)) (process 1 (shared (X 0)) skip) (always (execute-one s))",
         "safe 0 7"},
        {"(process 1 (shared (X 0)) skip) (always (assume (= X 0)) (X := 1) (X := 2))", "safe, discarded 0 2"},
        // No other process steps while one is inside of an `atomic`.
        {"(process 1 (shared (X 0)) (store X 1)) (process 2 (local (u 0)) (atomic (u := X) (X := (+ u 1))))",
         "safe 1 2"},
        {"(process 1 (shared (X 0)) (store X 1)) (process 2 (local (u 0)) (u := X) (X := (+ u 1)))", "safe 1 2"},
        {"(process 1 (shared (X 0)) [a skip] [b (store X 1)] skip) (invariant (not (at 1 b)))", "violated 1"},
        {"(process 1 (shared (X 0)) (goto b) (store X 1) [b (atomic)] skip) (assert final (= X 0))", "safe 0"},
    };
    for (auto const& [text, expected] : programs) EXPECT_EQ(outcome("(reduced " + text + ")"), expected) << text;
}

TEST(RunReduced, AStepThatDoesNotEnd) {
    EXPECT_THROW(outcome("(reduced (process 1 (shared (X 0)) (step (while true))))"), LimitReached);
}

TEST(RunReduced, NeedsTheVariablesOfTheProgram) {
    rma::Program const original = program_of("(rma (process 1 (shared (X 0))))");
    auto const names = [&](std::string const& text) { return names_of(original, *parse_reduced(Source("r", text))); };
    EXPECT_EQ(names("(reduced)").error(), "it has no variable `X`");
    EXPECT_EQ(names("(reduced (process 1 (shared (X true))))").error(), "its variable `X` has another sort");
}

TEST(Shrink, LeavesWhatMatters) {
    rma::Program const program = program_of("(rma (process 1 (shared (X 0) (Z 5)) (local (u 0)) (while (< u 3) (u := "
                                            "(+ u 1)) (if (= u 2) ((store X (+ u 7)))))) "
                                            "(process 2 (shared (Y 3)) (local (v 0)) [a (put X 1 Y)] (flush 1) (choose "
                                            "v 1 2)) (assert final (and (= X 0) (= v 1))))");
    auto const has_put = [](rma::Program const& p) {
        return std::any_of(p.statements.begin(), p.statements.end(),
                           [](Statement const& s) { return std::holds_alternative<Put>(s.c); });
    };
    rma::Program const small = shrink(program, has_put, 1000);
    EXPECT_EQ(print(small),
              print(program_of("(rma (process 1 (shared (X 0))) (process 2 (shared (Y 0)) (put X 1 Y)))")));
    EXPECT_EQ(shrink(program, has_put, 0), program);
}

} // namespace
} // namespace matchpoint::rma
