#include "rma/language/parse.hpp"

#include <gtest/gtest.h>

#include "rma/language/print.hpp"
#include "tests/rma/program_of.hpp"

namespace matchpoint::rma {
namespace {

std::string headlines(std::string_view text) {
    Source const source("test.rma", std::string(text));
    auto const program = parse_rma(source);
    if (program) return "";
    std::string all;
    for (Diagnostic const& d : program.error()) all += headline(d, source) + "\n";
    return all;
}

/// A process 2 with a program of a few variables before its statements.
std::string with(std::string_view statements, std::string_view properties = "") {
    return "(rma (process 1 (shared (Y 0) (B true)) bot)\n"
           "(process 2 (shared (X 1) (R 0)) (local (r 0) (b false))\n" +
           std::string(statements) + ")\n" + std::string(properties) + ")";
}

constexpr std::string_view every_statement = R"((rma
  (process 1
    (shared (Y 1))
    bot
  )
  (process 2
    (shared (R 0) (X 2))
    (local (r 0) (b true))
    [a (put Y 1 X)]
    (get R Y 1)
    (fetch-and-op R Y 1 + X)
    [f (fetch-and-op R Y 1 no-op X)]
    (compare-and-swap R Y 1 X R)
    (accumulate Y 1 replace X)
    (accumulate X 2 max R)
    (store X (+ r 1))
    (load r R)
    (flush 1)
    (r := (* r -2))
    (choose r 1 2 3)
    (assume (and b (< r 3) (or (= r 1) (= r 2))))
    skip
    [s skip]
    (if (not b) (
      (goto a)
    ))
    [i (if b (
      skip
    ) (
      (assert b)
    ))]
    [w (while b
      (atomic
        (b := false)
        (if b (
        ) (
        ))
      )
    )]
    bot
  )
  (assert final (!= r 3))
  (invariant (=> (at 2 w) b))
)
)";

TEST(RmaPrint, CanonicalFormIsAFixedPoint) {
    Program const program = program_of(every_statement);
    EXPECT_EQ(print(program), every_statement);
    EXPECT_EQ(program_of(print(program)), program);
}

TEST(RmaPrint, DeepProgramsAreNotLong) {
    constexpr std::size_t depth = 20'000;
    std::string text = "skip";
    std::string close;
    for (std::size_t i = 0; i < depth; ++i) {
        text += " (while b";
        close += ")";
    }
    Program const program = program_of("(rma (process 1 (local (b false)) " + text + close + "))");
    std::string const printed = print(program);
    EXPECT_LT(printed.size(), depth * 220);
    EXPECT_EQ(program_of(printed), program);
}

TEST(RmaPrint, KeepsComments) {
    std::string const text = R"(; a program
(rma
  (process 1 ; the first
    (shared (Y 1))
    (local (y 0))
    (if (= y 0) (
      ; nothing
    ) ( ; or
      skip
    )) ; both
    bot
  )
  ; of all
  (assert final (= Y 1))
)
; the end
)";
    Source const source("test.rma", text);
    auto const program = parse_rma(source, {.keep_comments = true});
    ASSERT_TRUE(program);
    EXPECT_EQ(print(*program, &source), text);
}

TEST(RmaParse, BracketsAreInterchangeable) {
    EXPECT_EQ(program_of("[rma [process 1 [shared [Y 1]] (a [store Y 2])]]"),
              program_of("(rma (process 1 (shared (Y 1)) [a (store Y 2)] bot))"));
}

TEST(RmaParse, VariablesMayHaveTheNamesOfStatements) {
    EXPECT_EQ(headlines("(rma (process 1 (local (load 0) (if 1)) (load := 1) (if := (+ load if))))"), "");
}

TEST(RmaParse, AndTakesMoreThanTwoOperands) {
    Program const program = program_of(with("(b := (and b (and b b) b))"));
    EXPECT_EQ(print(program, std::get<Assign>(program.statements[0].c).e), "(and b (and b b) b)");
    EXPECT_EQ(program, program_of(with("(b := (and (and b (and b b)) b))")));
}

TEST(RmaParse, SyntaxErrors) {
    EXPECT_EQ(headlines("(process 1)"), "test.rma:1:2: error[syntax]: expected `rma`, found `process`\n");
    EXPECT_EQ(headlines("(rma (process 1 (shared (Y 1)) (lod r R)))"),
              "test.rma:1:33: error[syntax]: expected `load`, `store`, `put`, `get`, `flush`, `fetch-and-op`, "
              "`compare-and-swap`, `accumulate`, `choose`, `assume`, `assert`, `if`, `while`, `goto`, `atomic`, an "
              "assignment `u := e` or a location, found `lod`\n");
    EXPECT_EQ(headlines("(rma (process 1 (flush x)))"),
              "test.rma:1:24: error[syntax]: expected the number of a process (a non-negative integer), found `x`\n");
    EXPECT_EQ(headlines("(rma (process 1 (skip"),
              "test.rma:1:18: error[syntax]: expected `load`, `store`, `put`, `get`, `flush`, `fetch-and-op`, "
              "`compare-and-swap`, `accumulate`, `choose`, `assume`, `assert`, `if`, `while`, `goto`, `atomic`, an "
              "assignment "
              "`u := e` or a location, found `skip`\n");
    EXPECT_EQ(headlines("(rma (process 1 [a skip)))"), "test.rma:1:24: error[syntax]: expected `]`, found `)`\n");
    EXPECT_EQ(headlines("(rma (process 1)"),
              "test.rma:1:17: error[syntax]: expected a process `(process pid ...)`, a property `(assert final e)` or "
              "`(invariant e)` or `)`, found the end of the file\n");
    EXPECT_EQ(headlines("(rma (process 1 (if true skip)))"),
              "test.rma:1:26: error[syntax]: expected a list of statements `(stmt ...)`, found `skip`\n");
}

TEST(RmaRules, S4OperatorsHaveTheirNumberOfOperands) {
    EXPECT_EQ(headlines(with("(r := (+ r 1 2)) (b := (and b))")),
              "test.rma:3:8: error[S4]: `+` takes 2 operands, here it has 3\n"
              "test.rma:3:25: error[S4]: `and` takes 2 operands, here it has 1\n");
}

TEST(RmaRules, RS1NamesAreUnique) {
    EXPECT_EQ(headlines("(rma (process 1 (shared (Y 0)))\n(process 01 (local (Y 1)) [a skip] [a skip]))"),
              "test.rma:2:10: error[RS1]: there are two processes 1: the numbers of processes are unique\n"
              "test.rma:2:21: error[RS1]: variable `Y` is declared twice: a name is shared or local, of one process\n"
              "test.rma:2:37: error[RS1]: location `a` is used twice: locations are unique in their process\n");
    EXPECT_EQ(headlines("(rma (process 1 [a skip]) (process 2 [a skip]))"), "");
}

TEST(RmaRules, RS2TheLocalSideIsAVariableOfTheProcess) {
    EXPECT_EQ(
        headlines(with("(load r Y) (store r 1) (put Y 1 Z) (get r Y 1) (X := 1) (r := (+ X 1)) (choose q 1)")),
        "test.rma:3:9: error[RS2]: `load` takes a shared variable of process 2, not `Y`, which is a shared variable of "
        "process 1\n"
        "test.rma:3:19: error[RS2]: `store` takes a shared variable of process 2, not `r`, which is local\n"
        "test.rma:3:33: error[RS2]: `put` takes a shared variable of process 2, not `Z`, which is not declared\n"
        "test.rma:3:41: error[RS2]: `get` takes a shared variable of process 2, not `r`, which is local\n"
        "test.rma:3:49: error[RS2]: this assigns to a local variable of process 2, not `X`, which is shared\n"
        "test.rma:3:66: error[RS2]: expressions range over a local variable of process 2, not `X`, which is shared\n"
        "test.rma:3:80: error[RS2]: this assigns to a local variable of process 2, not `q`, which is not declared\n");
}

TEST(RmaRules, RS3TheRemoteSideIsOfAnotherProcess) {
    EXPECT_EQ(
        headlines(with("(put X 2 X) (put R 1 X) (get X Y 3) (flush 2) (flush 7)")),
        "test.rma:3:8: error[RS3]: process 2 names itself: `put` and `get` name another process\n"
        "test.rma:3:18: error[RS3]: the remote side is a shared variable of process 1, not `R`, which is a shared "
        "variable of process 2\n"
        "test.rma:3:34: error[RS3]: there is no process 3\n"
        "test.rma:3:44: error[RS3]: process 2 names itself: `flush` names another process, unless the process "
        "has remote atomics on its own variables\n"
        "test.rma:3:54: error[RS3]: there is no process 7\n");
}

TEST(RmaRules, RemoteAtomics) {
    EXPECT_EQ(headlines(with("(accumulate X 2 + X) (flush 2)")), "");
    EXPECT_EQ(
        headlines(
            with("(fetch-and-op Y Y 1 + r) (compare-and-swap X R 1 Y q) (accumulate X 1 + X) (accumulate Y 3 + X)")),
        "test.rma:3:15: error[RS2]: `fetch-and-op` takes a shared variable of process 2, not `Y`, which is a shared "
        "variable of process 1\n"
        "test.rma:3:23: error[RS2]: `fetch-and-op` takes a shared variable of process 2, not `r`, which is local\n"
        "test.rma:3:46: error[RS3]: the remote side is a shared variable of process 1, not `R`, which is a shared "
        "variable of process 2\n"
        "test.rma:3:50: error[RS2]: `compare-and-swap` takes a shared variable of process 2, not `Y`, which is a "
        "shared "
        "variable of process 1\n"
        "test.rma:3:52: error[RS2]: `compare-and-swap` takes a shared variable of process 2, not `q`, which is not "
        "declared\n"
        "test.rma:3:67: error[RS3]: the remote side is a shared variable of process 1, not `X`, which is a shared "
        "variable of process 2\n"
        "test.rma:3:90: error[RS3]: there is no process 3\n");
    EXPECT_EQ(headlines(with("(accumulate Y 1 and X) (accumulate B 1 + X) (fetch-and-op X B 1 no-op X) "
                             "(compare-and-swap X Y 1 X X)")),
              "test.rma:3:17: error[RS6]: an operand of `and` is Int: it takes Bool\n"
              "test.rma:3:40: error[RS6]: an operand of `+` is Bool: it takes Int\n"
              "test.rma:3:42: error[RS6]: `X` is Int, and `B` is Bool\n"
              "test.rma:3:59: error[RS6]: `X` is Int, and `B` is Bool\n"
              "test.rma:3:71: error[RS6]: `X` is Int, and `B` is Bool\n");
    EXPECT_EQ(
        headlines("(rma (process 1 (shared (Y 0)) (accumulate Y 1 plus Y)))"),
        "test.rma:1:48: error[syntax]: expected `+`, `*`, `min`, `max`, `and`, `or`, `xor`, `replace` or `no-op`, "
        "found `plus`\n");
}

TEST(RmaRules, RS4JumpsAndPlacesNameALocation) {
    EXPECT_EQ(headlines(with("[a skip] (goto c)", "(invariant (and (at 2 a) (at 1 a) (at 3 a)))")),
              "test.rma:3:16: error[RS4]: `c` is not a location of process 2\n"
              "test.rma:4:32: error[RS4]: `a` is not a location of process 1\n"
              "test.rma:4:39: error[RS4]: there is no process 3\n");
}

TEST(RmaRules, RS5NothingCrossesAnAtomic) {
    EXPECT_EQ(headlines(with("(goto in) [out (atomic [in skip] (goto out) (atomic skip) (goto in))]")),
              "test.rma:3:7: error[RS5]: this `goto` crosses the border of an `atomic`: `in` is inside of it\n"
              "test.rma:3:40: error[RS5]: this `goto` crosses the border of an `atomic`: `out` is outside of it\n"
              "test.rma:3:45: error[RS5]: an `atomic` inside of another one\n");
}

TEST(RmaRules, RS6Sorts) {
    EXPECT_EQ(headlines(with("(load b X) (store X b) (put B 1 X) (b := 1) (choose b true 0) (if r (skip)) (assert (+ r "
                             "1)) (r := (+ r b))",
                             "(invariant Y)")),
              "test.rma:3:7: error[RS6]: `b` is Bool, and `X` is Int\n"
              "test.rma:3:19: error[RS6]: `X` is Int, and what is assigned is Bool\n"
              "test.rma:3:29: error[RS6]: `B` is Bool, and `X` is Int\n"
              "test.rma:3:37: error[RS6]: `b` is Bool, and what is assigned is Int\n"
              "test.rma:3:60: error[RS6]: `b` is Bool, and this value is Int\n"
              "test.rma:3:67: error[RS6]: a condition is Bool, not Int\n"
              "test.rma:3:86: error[RS6]: what is asserted is Bool, not Int\n"
              "test.rma:3:101: error[RS6]: an operand of `+` is Bool: it takes Int\n"
              "test.rma:4:12: error[RS6]: a property is Bool, not Int\n");
}

TEST(RmaParse, AMillionStatementsAndLevels) {
    std::string text = "(rma (process 1 (local (x 0)) ";
    for (int i = 0; i < 1'000'000; ++i) text += "(x := 1) ";
    EXPECT_EQ(program_of(text + "))").statements.size(), 1'000'000U);
    std::string deep = "(rma (process 1 (local (x 0)) ";
    for (int i = 0; i < 500'000; ++i) deep += "(while true (if true (";
    for (int i = 0; i < 500'000; ++i) deep += ")))";
    Program const program = program_of(deep + "))");
    EXPECT_EQ(program.statements.size(), 1'000'000U);
    EXPECT_EQ(std::get<If>(program.statements[1].c).otherwise, 1'000'000U);
}

} // namespace
} // namespace matchpoint::rma
