// Syntax errors: the one at the deepest point reached, with what was expected there in the grammar's words.

#include <gtest/gtest.h>

#include "tests/support/all_rooms.hpp"
#include "tests/support/programs.hpp"

namespace matchpoint::test {
namespace {

using test::told;

TEST(SyntaxError, Program) {
    EXPECT_EQ(told(""), R"(
test.ctp:1:1: error[syntax]: expected a concurrent trace program `(t ...)`, found the end of the file
     1 | 
       | ^
)");
    EXPECT_EQ(told("   ; only a comment"), R"(
test.ctp:1:20: error[syntax]: expected a concurrent trace program `(t ...)`, found the end of the file
     1 |    ; only a comment
       |                    ^
)");
    EXPECT_EQ(told("x"), R"(
test.ctp:1:1: error[syntax]: expected a concurrent trace program `(t ...)`, found `x`
     1 | x
       | ^
)");
    EXPECT_EQ(told(")"), R"(
test.ctp:1:1: error[syntax]: expected a concurrent trace program `(t ...)`, found `)`
     1 | )
       | ^
)");
    EXPECT_EQ(told("("), R"(
test.ctp:1:2: error[syntax]: expected a thread `([rho c] ... bot)` or `)`, found the end of the file
     1 | (
       |  ^
test.ctp:1:1: note: the bracket that is open
     1 | (
       | ^
)");
    EXPECT_EQ(told("(x)"), R"(
test.ctp:1:2: error[syntax]: expected a thread `([rho c] ... bot)` or `)`, found `x`
     1 | (x)
       |  ^
)");
    EXPECT_EQ(told("(()"), R"(
test.ctp:1:4: error[syntax]: expected a thread `([rho c] ... bot)` or `)`, found the end of the file
     1 | (()
       |    ^
test.ctp:1:1: note: the bracket that is open
     1 | (()
       | ^
)");
    EXPECT_EQ(told("(() x)"), R"(
test.ctp:1:5: error[syntax]: expected a thread `([rho c] ... bot)` or `)`, found `x`
     1 | (() x)
       |     ^
)");
}

TEST(SyntaxError, Thread) {
    EXPECT_EQ(told("(("), R"(
test.ctp:1:3: error[syntax]: expected a located command `[rho c]`, `bot` or `)`, found the end of the file
     1 | ((
       |   ^
test.ctp:1:2: note: the bracket that is open
     1 | ((
       |  ^
)");
    EXPECT_EQ(told("((1 (assume true)))"), R"(
test.ctp:1:3: error[syntax]: expected a located command `[rho c]`, `bot` or `)`, found `1`
     1 | ((1 (assume true)))
       |   ^
)");
    EXPECT_EQ(told("(([1 (assume true)] bot [2 (assume true)]))"), R"(
test.ctp:1:25: error[syntax]: expected `)`, found `[`
     1 | (([1 (assume true)] bot [2 (assume true)]))
       |                         ^
)");
    EXPECT_EQ(told("(([1 (assume true)] bot bot))"), R"(
test.ctp:1:25: error[syntax]: expected `)`, found `bot`
     1 | (([1 (assume true)] bot bot))
       |                         ^~~
)");
}

TEST(SyntaxError, LocatedCommand) {
    EXPECT_EQ(told("((["), R"(
test.ctp:1:4: error[syntax]: expected a location, found the end of the file
     1 | (([
       |    ^
)");
    EXPECT_EQ(told("(([() (assume true)]))"), R"(
test.ctp:1:4: error[syntax]: expected a location, found `(`
     1 | (([() (assume true)]))
       |    ^
)");
    EXPECT_EQ(told("(([1"), R"(
test.ctp:1:5: error[syntax]: expected a command `(...)`, found the end of the file
     1 | (([1
       |     ^
)");
    EXPECT_EQ(told("(([1 x"), R"(
test.ctp:1:6: error[syntax]: expected a command `(...)`, found `x`
     1 | (([1 x
       |      ^
)");
    EXPECT_EQ(told("(([1 assume]))"), R"(
test.ctp:1:6: error[syntax]: expected a command `(...)`, found `assume`
     1 | (([1 assume]))
       |      ^~~~~~
)");
    EXPECT_EQ(told("(([1 (assert true) x]))"), R"(
test.ctp:1:20: error[syntax]: expected `]`, found `x`
     1 | (([1 (assert true) x]))
       |                    ^
)");
}

TEST(SyntaxError, Command) {
    EXPECT_EQ(told("(([1 ("), R"(
test.ctp:1:7: error[syntax]: expected `assume`, `assert`, `sndi`, `rcvi`, `wait` or a variable to assign to, found the end of the file
     1 | (([1 (
       |       ^
)");
    EXPECT_EQ(told("(([1 (5 := 1)]))"), R"(
test.ctp:1:7: error[syntax]: expected `assume`, `assert`, `sndi`, `rcvi`, `wait` or a variable to assign to, found `5`
     1 | (([1 (5 := 1)]))
       |       ^
)");
    EXPECT_EQ(told("(([1 (true := 1)]))"), R"(
test.ctp:1:7: error[syntax]: expected `assume`, `assert`, `sndi`, `rcvi`, `wait` or a variable to assign to, found `true`
     1 | (([1 (true := 1)]))
       |       ^~~~
)");
    EXPECT_EQ(told("(([1 (+ := 1)]))"), R"(
test.ctp:1:7: error[syntax]: expected `assume`, `assert`, `sndi`, `rcvi`, `wait` or a variable to assign to, found `+`
     1 | (([1 (+ := 1)]))
       |       ^
)");
    EXPECT_EQ(told("(([1 (x"), R"(
test.ctp:1:8: error[syntax]: expected `:=` (commands are `assume`, `assert`, `x :=`, `sndi`, `rcvi` and `wait`), found the end of the file
     1 | (([1 (x
       |        ^
test.ctp:1:7: note: `x` is no command's name, so this is read as an assignment to it
     1 | (([1 (x
       |       ^
)");
    EXPECT_EQ(told("(([1 (x 5)]))"), R"(
test.ctp:1:9: error[syntax]: expected `:=` (commands are `assume`, `assert`, `x :=`, `sndi`, `rcvi` and `wait`), found `5`
     1 | (([1 (x 5)]))
       |         ^
test.ctp:1:7: note: `x` is no command's name, so this is read as an assignment to it
     1 | (([1 (x 5)]))
       |       ^
)");
    EXPECT_EQ(told("(([1 (x :=1)]))"), R"(
test.ctp:1:9: error[syntax]: expected `:=` (commands are `assume`, `assert`, `x :=`, `sndi`, `rcvi` and `wait`), found `:=1`
     1 | (([1 (x :=1)]))
       |         ^~~
test.ctp:1:7: note: `x` is no command's name, so this is read as an assignment to it
     1 | (([1 (x :=1)]))
       |       ^
)");
    EXPECT_EQ(told("(([1 (x:= 1)]))"), R"(
test.ctp:1:11: error[syntax]: expected `:=` (commands are `assume`, `assert`, `x :=`, `sndi`, `rcvi` and `wait`), found `1`
     1 | (([1 (x:= 1)]))
       |           ^
test.ctp:1:7: note: `x:=` is no command's name, so this is read as an assignment to it
     1 | (([1 (x:= 1)]))
       |       ^~~
)");
    EXPECT_EQ(told("(([1 (wait := 1)]))"), R"(
test.ctp:1:15: error[syntax]: expected `)`, found `1`
     1 | (([1 (wait := 1)]))
       |               ^
)");
}

TEST(SyntaxError, Assume) {
    EXPECT_EQ(told("(([1 (assume)]))"), R"(
test.ctp:1:13: error[syntax]: expected an expression: `(op e e)`, `(not e)`, a variable, an integer, `true` or `false`, found `)`
     1 | (([1 (assume)]))
       |             ^
)");
    EXPECT_EQ(told("(([1 (assert)]))"), R"(
test.ctp:1:13: error[syntax]: expected an expression: `(op e e)`, `(not e)`, a variable, an integer, `true` or `false`, found `)`
     1 | (([1 (assert)]))
       |             ^
)");
    EXPECT_EQ(told("(([1 (assert true true)]))"), R"(
test.ctp:1:19: error[syntax]: expected `)`, found `true`
     1 | (([1 (assert true true)]))
       |                   ^~~~
)");
}

TEST(SyntaxError, Assign) {
    EXPECT_EQ(told("(([1 (foo := )]))"), R"(
test.ctp:1:14: error[syntax]: expected an expression: `(op e e)`, `(not e)`, a variable, an integer, `true` or `false`, found `)`
     1 | (([1 (foo := )]))
       |              ^
)");
    EXPECT_EQ(told("(([1 (x := bot)]))"), R"(
test.ctp:1:12: error[syntax]: expected an expression: `(op e e)`, `(not e)`, a variable, an integer, `true` or `false`, found `bot`
     1 | (([1 (x := bot)]))
       |            ^~~
)");
    EXPECT_EQ(told("(([1 (x := and)]))"), R"(
test.ctp:1:12: error[syntax]: expected an expression: `(op e e)`, `(not e)`, a variable, an integer, `true` or `false`, found `and`
     1 | (([1 (x := and)]))
       |            ^~~
)");
    EXPECT_EQ(told("(([1 (x := assume)]))"), R"(
test.ctp:1:12: error[syntax]: expected an expression: `(op e e)`, `(not e)`, a variable, an integer, `true` or `false`, found `assume`
     1 | (([1 (x := assume)]))
       |            ^~~~~~
)");
    EXPECT_EQ(told("(([1 (x := 1 2)]))"), R"(
test.ctp:1:14: error[syntax]: expected `)`, found `2`
     1 | (([1 (x := 1 2)]))
       |              ^
)");
}

TEST(SyntaxError, Sndi) {
    EXPECT_EQ(told("(([1 (sndi)]))"), R"(
test.ctp:1:11: error[syntax]: expected an action, found `)`
     1 | (([1 (sndi)]))
       |           ^
)");
    EXPECT_EQ(told("(([1 (sndi S)]))"), R"(
test.ctp:1:13: error[syntax]: expected a source endpoint (a non-negative integer), found `)`
     1 | (([1 (sndi S)]))
       |             ^
)");
    EXPECT_EQ(told("(([1 (sndi S x 0 1)]))"), R"(
test.ctp:1:14: error[syntax]: expected a source endpoint (a non-negative integer), found `x`
     1 | (([1 (sndi S x 0 1)]))
       |              ^
)");
    EXPECT_EQ(told("(([1 (sndi S -1 0 1)]))"), R"(
test.ctp:1:14: error[syntax]: expected a source endpoint (a non-negative integer), found `-1`
     1 | (([1 (sndi S -1 0 1)]))
       |              ^~
)");
    EXPECT_EQ(told("(([1 (sndi S 1 x 1)]))"), R"(
test.ctp:1:16: error[syntax]: expected a destination endpoint (a non-negative integer), found `x`
     1 | (([1 (sndi S 1 x 1)]))
       |                ^
)");
    EXPECT_EQ(told("(([1 (sndi S 1 0)]))"), R"(
test.ctp:1:17: error[syntax]: expected an expression: `(op e e)`, `(not e)`, a variable, an integer, `true` or `false`, found `)`
     1 | (([1 (sndi S 1 0)]))
       |                 ^
)");
    EXPECT_EQ(told("(([1 (sndi S 1 0 1 ()]))"), R"(
test.ctp:1:20: error[syntax]: expected a location or `)`, found `(`
     1 | (([1 (sndi S 1 0 1 ()]))
       |                    ^
)");
    EXPECT_EQ(told("(([1 (sndi S 1 0 1 2 3)]))"), R"(
test.ctp:1:22: error[syntax]: expected `)`, found `3`
     1 | (([1 (sndi S 1 0 1 2 3)]))
       |                      ^
)");
}

TEST(SyntaxError, Rcvi) {
    EXPECT_EQ(told("(([1 (rcvi)]))"), R"(
test.ctp:1:11: error[syntax]: expected an action, found `)`
     1 | (([1 (rcvi)]))
       |           ^
)");
    EXPECT_EQ(told("(([1 (rcvi R)]))"), R"(
test.ctp:1:13: error[syntax]: expected a destination endpoint (a non-negative integer), found `)`
     1 | (([1 (rcvi R)]))
       |             ^
)");
    EXPECT_EQ(told("(([1 (rcvi R 1.5 x)]))"), R"(
test.ctp:1:14: error[syntax]: expected a destination endpoint (a non-negative integer), found `1.5`
     1 | (([1 (rcvi R 1.5 x)]))
       |              ^~~
)");
    EXPECT_EQ(told("(([1 (rcvi R 0)]))"), R"(
test.ctp:1:15: error[syntax]: expected a variable, found `)`
     1 | (([1 (rcvi R 0)]))
       |               ^
)");
    EXPECT_EQ(told("(([1 (rcvi R 0 5)]))"), R"(
test.ctp:1:16: error[syntax]: expected a variable, found `5`
     1 | (([1 (rcvi R 0 5)]))
       |                ^
)");
    EXPECT_EQ(told("(([1 (rcvi R 0 and)]))"), R"(
test.ctp:1:16: error[syntax]: expected a variable, found `and`
     1 | (([1 (rcvi R 0 and)]))
       |                ^~~
)");
    EXPECT_EQ(told("(([1 (rcvi R 0 x ())]))"), R"(
test.ctp:1:18: error[syntax]: expected a location or `)`, found `(`
     1 | (([1 (rcvi R 0 x ())]))
       |                  ^
)");
}

TEST(SyntaxError, Wait) {
    EXPECT_EQ(told("(([1 (wait)]))"), R"(
test.ctp:1:11: error[syntax]: expected an action, found `)`
     1 | (([1 (wait)]))
       |           ^
)");
    EXPECT_EQ(told("(([1 (wait R S)]))"), R"(
test.ctp:1:14: error[syntax]: expected `)`, found `S`
     1 | (([1 (wait R S)]))
       |              ^
)");
}

TEST(SyntaxError, Expression) {
    EXPECT_EQ(told("(([1 (assume (x 1 2))]))"), R"(
test.ctp:1:15: error[syntax]: expected an operator, found `x`
     1 | (([1 (assume (x 1 2))]))
       |               ^
)");
    EXPECT_EQ(told("(([1 (assume ("), R"(
test.ctp:1:15: error[syntax]: expected an operator, found the end of the file
     1 | (([1 (assume (
       |               ^
)");
    EXPECT_EQ(told("(([1 (x := (+ 1 bot))]))"), R"(
test.ctp:1:17: error[syntax]: expected an operand: an expression, found `bot`
     1 | (([1 (x := (+ 1 bot))]))
       |                 ^~~
)");
    EXPECT_EQ(told("(([1 (x := (+ 1 "), R"(
test.ctp:1:17: error[syntax]: expected an operand: an expression, found the end of the file
     1 | (([1 (x := (+ 1 
       |                 ^
)");
    EXPECT_EQ(told("(([1 (x := (+ 1 2 bot))]))"), R"(
test.ctp:1:19: error[syntax]: expected `)`, found `bot`
     1 | (([1 (x := (+ 1 2 bot))]))
       |                   ^~~
)");
    EXPECT_EQ(told("(([1 (x := (not 1 bot))]))"), R"(
test.ctp:1:19: error[syntax]: expected `)`, found `bot`
     1 | (([1 (x := (not 1 bot))]))
       |                   ^~~
)");
    EXPECT_EQ(told("(([1 (assume (= 1 2) 3)]))"), R"(
test.ctp:1:22: error[syntax]: expected `)`, found `3`
     1 | (([1 (assume (= 1 2) 3)]))
       |                      ^
)");
}

TEST(SyntaxError, Trace) {
    EXPECT_EQ(told("() x"), R"(
test.ctp:1:4: error[syntax]: expected a trace `((rho m) ...)` or the end of the file, found `x`
     1 | () x
       |    ^
)");
    EXPECT_EQ(told("() (x)"), R"(
test.ctp:1:5: error[syntax]: expected a trace entry `(rho m)` or `)`, found `x`
     1 | () (x)
       |     ^
)");
    EXPECT_EQ(told("() (1 bot)"), R"(
test.ctp:1:5: error[syntax]: expected a trace entry `(rho m)` or `)`, found `1`
     1 | () (1 bot)
       |     ^
)");
    EXPECT_EQ(told("() (("), R"(
test.ctp:1:6: error[syntax]: expected a location, found the end of the file
     1 | () ((
       |      ^
)");
    EXPECT_EQ(told("() ((1"), R"(
test.ctp:1:7: error[syntax]: expected `bot` or a movement list `((beta alpha) ... bot)`, found the end of the file
     1 | () ((1
       |       ^
)");
    EXPECT_EQ(told("() ((1))"), R"(
test.ctp:1:7: error[syntax]: expected `bot` or a movement list `((beta alpha) ... bot)`, found `)`
     1 | () ((1))
       |       ^
)");
    EXPECT_EQ(told("() ((1 x))"), R"(
test.ctp:1:8: error[syntax]: expected `bot` or a movement list `((beta alpha) ... bot)`, found `x`
     1 | () ((1 x))
       |        ^
)");
    EXPECT_EQ(told("() ((1 bot bot))"), R"(
test.ctp:1:12: error[syntax]: expected `)`, found `bot`
     1 | () ((1 bot bot))
       |            ^~~
)");
    EXPECT_EQ(told("())"), R"(
test.ctp:1:3: error[syntax]: expected a trace `((rho m) ...)` or the end of the file, found `)`
     1 | ())
       |   ^
)");
    EXPECT_EQ(told("() ]"), R"(
test.ctp:1:4: error[syntax]: expected a trace `((rho m) ...)` or the end of the file, found `]`
     1 | () ]
       |    ^
)");
}

TEST(SyntaxError, Movement) {
    EXPECT_EQ(told("() ((1 (x)))"), R"(
test.ctp:1:9: error[syntax]: expected a movement `(beta alpha)`, `bot` or `)`, found `x`
     1 | () ((1 (x)))
       |         ^
)");
    EXPECT_EQ(told("() ((1 ((x))))"), R"(
test.ctp:1:10: error[syntax]: expected a destination endpoint (a non-negative integer), found `x`
     1 | () ((1 ((x))))
       |          ^
)");
    EXPECT_EQ(told("() ((1 ((0))))"), R"(
test.ctp:1:11: error[syntax]: expected a source endpoint (a non-negative integer), found `)`
     1 | () ((1 ((0))))
       |           ^
)");
    EXPECT_EQ(told("() ((1 ((0 -1))))"), R"(
test.ctp:1:12: error[syntax]: expected a source endpoint (a non-negative integer), found `-1`
     1 | () ((1 ((0 -1))))
       |            ^~
)");
    EXPECT_EQ(told("() ((1 ((0 1 2))))"), R"(
test.ctp:1:14: error[syntax]: expected `)`, found `2`
     1 | () ((1 ((0 1 2))))
       |              ^
)");
    EXPECT_EQ(told("() ((1 (bot (0 1))))"), R"(
test.ctp:1:13: error[syntax]: expected `)`, found `(`
     1 | () ((1 (bot (0 1))))
       |             ^
)");
}

// A bracket of the other kind: the one that is open is shown.
TEST(SyntaxError, WrongClosingBracket) {
    EXPECT_EQ(told("(]"), R"(
test.ctp:1:2: error[syntax]: `]` does not close the `(` that is open here
     1 | (]
       |  ^
test.ctp:1:1: note: the bracket that is open
     1 | (]
       | ^
)");
    EXPECT_EQ(told("([)]"), R"(
test.ctp:1:3: error[syntax]: `)` does not close the `[` that is open here
     1 | ([)]
       |   ^
test.ctp:1:2: note: the bracket that is open
     1 | ([)]
       |  ^
)");
    EXPECT_EQ(told("(([1 (assert true]))"), R"(
test.ctp:1:18: error[syntax]: `]` does not close the `(` that is open here
     1 | (([1 (assert true]))
       |                  ^
test.ctp:1:6: note: the bracket that is open
     1 | (([1 (assert true]))
       |      ^
)");
    EXPECT_EQ(told("(([1 (assert true)))"), R"(
test.ctp:1:19: error[syntax]: `)` does not close the `[` that is open here
     1 | (([1 (assert true)))
       |                   ^
test.ctp:1:3: note: the bracket that is open
     1 | (([1 (assert true)))
       |   ^
)");
    EXPECT_EQ(told("(([1 (assume (+ 1 ]))"), R"(
test.ctp:1:19: error[syntax]: `]` does not close the `(` that is open here
     1 | (([1 (assume (+ 1 ]))
       |                   ^
test.ctp:1:14: note: the bracket that is open
     1 | (([1 (assume (+ 1 ]))
       |              ^
)");
    EXPECT_EQ(told("(([1 (assume [= 1 2)]))"), R"(
test.ctp:1:20: error[syntax]: `)` does not close the `[` that is open here
     1 | (([1 (assume [= 1 2)]))
       |                    ^
test.ctp:1:14: note: the bracket that is open
     1 | (([1 (assume [= 1 2)]))
       |              ^
)");
    EXPECT_EQ(told(R"x((
  ([1 (x := 1)]
   [2 (x := (+ 1
             2])
  )
)
)x"),
              R"(
test.ctp:4:15: error[syntax]: `]` does not close the `(` that is open here
     4 |              2])
       |               ^
test.ctp:3:13: note: the bracket that is open
     3 |    [2 (x := (+ 1
       |             ^
)");
}

TEST(SyntaxError, EndOfFile) {
    EXPECT_EQ(told("(([1 (assume (+ 1 2)"), R"(
test.ctp:1:21: error[syntax]: expected `)`, found the end of the file
     1 | (([1 (assume (+ 1 2)
       |                     ^
test.ctp:1:6: note: the bracket that is open
     1 | (([1 (assume (+ 1 2)
       |      ^
)");
    EXPECT_EQ(told("(([1 (assume (+ 1 2"), R"(
test.ctp:1:20: error[syntax]: expected `)`, found the end of the file
     1 | (([1 (assume (+ 1 2
       |                    ^
test.ctp:1:14: note: the bracket that is open
     1 | (([1 (assume (+ 1 2
       |              ^
)");
    EXPECT_EQ(told("(([1 (sndi S 1 0 1 "), R"(
test.ctp:1:20: error[syntax]: expected a location or `)`, found the end of the file
     1 | (([1 (sndi S 1 0 1 
       |                    ^
test.ctp:1:6: note: the bracket that is open
     1 | (([1 (sndi S 1 0 1 
       |      ^
)");
    EXPECT_EQ(told(R"x((
  ([1 (wait R)]
  ; more to come
)x"),
              R"(
test.ctp:4:1: error[syntax]: expected a located command `[rho c]`, `bot` or `)`, found the end of the file
     4 | 
       | ^
test.ctp:2:3: note: the bracket that is open
     2 |   ([1 (wait R)]
       |   ^
)");
    EXPECT_EQ(told("() ((1 bot)"), R"(
test.ctp:1:12: error[syntax]: expected a trace entry `(rho m)` or `)`, found the end of the file
     1 | () ((1 bot)
       |            ^
test.ctp:1:4: note: the bracket that is open
     1 | () ((1 bot)
       |    ^
)");
    EXPECT_EQ(told("() ((1 (bot"), R"(
test.ctp:1:12: error[syntax]: expected `)`, found the end of the file
     1 | () ((1 (bot
       |            ^
test.ctp:1:8: note: the bracket that is open
     1 | () ((1 (bot
       |        ^
)");
}

TEST(SyntaxError, WhatTheLanguageHasNot) {
    EXPECT_EQ(told(R"x((([1 (x := "a")])))x"), R"(
test.ctp:1:12: error[syntax]: expected an expression: `(op e e)`, `(not e)`, a variable, an integer, `true` or `false`, found `"` (the language has no `"`)
     1 | (([1 (x := "a")]))
       |            ^
)");
    EXPECT_EQ(told("(([1 (x := {1})]))"), R"(
test.ctp:1:12: error[syntax]: expected an expression: `(op e e)`, `(not e)`, a variable, an integer, `true` or `false`, found `{` (the language has no `{`)
     1 | (([1 (x := {1})]))
       |            ^
)");
    EXPECT_EQ(told("(([1 (x := 1})]))"), R"(
test.ctp:1:13: error[syntax]: expected `)`, found `}` (the language has no `}`)
     1 | (([1 (x := 1})]))
       |             ^
)");
    EXPECT_EQ(told(R"x((([1 (x := a"b)])))x"), R"(
test.ctp:1:13: error[syntax]: expected `)`, found `"` (the language has no `"`)
     1 | (([1 (x := a"b)]))
       |             ^
)");
    EXPECT_EQ(told(R"x(")x"), R"(
test.ctp:1:1: error[syntax]: expected a concurrent trace program `(t ...)`, found `"` (the language has no `"`)
     1 | "
       | ^
)");
    EXPECT_EQ(told("{"), R"(
test.ctp:1:1: error[syntax]: expected a concurrent trace program `(t ...)`, found `{` (the language has no `{`)
     1 | {
       | ^
)");
}

// What is expected is what was tried at the deepest place, in a text of several lines too.
TEST(SyntaxError, DeepestPoint) {
    EXPECT_EQ(told(R"x((
  ([1 (x := 1)]
   [2 (y : 3)]))
)x"),
              R"(
test.ctp:3:10: error[syntax]: expected `:=` (commands are `assume`, `assert`, `x :=`, `sndi`, `rcvi` and `wait`), found `:`
     3 |    [2 (y : 3)]))
       |          ^
test.ctp:3:8: note: `y` is no command's name, so this is read as an assignment to it
     3 |    [2 (y : 3)]))
       |        ^
)");
    EXPECT_EQ(told("(([1 (⊥⊥ := 1 (2))]))"), R"(
test.ctp:1:15: error[syntax]: expected `)`, found `(`
     1 | (([1 (⊥⊥ := 1 (2))]))
       |               ^
)");
}

// The offending byte is the one that is marked, whatever it is.
TEST(SyntaxError, InvalidUtf8) {
    EXPECT_EQ(told("(([1 (x := \xFF)]))"), R"(
test.ctp:1:12: error[syntax]: byte 0xFF is not UTF-8
     1 | (([1 (x := ?)]))
       |            ^
)");
    EXPECT_EQ(told("; \xC3(\n()"), R"(
test.ctp:1:3: error[syntax]: byte 0xC3 is not UTF-8
     1 | ; ?(
       |   ^
)");
    EXPECT_EQ(told("()\n; ab\xE2\x82"), R"(
test.ctp:2:5: error[syntax]: byte 0xE2 is not UTF-8
     2 | ; ab??
       |     ^
)");
}

TEST(SyntaxError, InvalidUtf8ContinuationByte) {
    EXPECT_EQ(told("(([1 (x := a\x80)]))"), R"(
test.ctp:1:13: error[syntax]: byte 0x80 is not UTF-8
     1 | (([1 (x := a?)]))
       |             ^
)");
}

// Invalid UTF-8 comes first, even in a comment behind other errors.
TEST(SyntaxError, InvalidUtf8BeforeAllElse) {
    EXPECT_EQ(told("(x)\n; \xC0\x80"), R"(
test.ctp:2:3: error[syntax]: byte 0xC0 is not UTF-8
     2 | ; ??
       |   ^
)");
}

TEST(SyntaxError, NamesAreEscapedAndCut) {
    EXPECT_EQ(told("(\x1b[31mx)"), R"(
test.ctp:1:2: error[syntax]: expected a thread `([rho c] ... bot)` or `)`, found `\x1b`
     1 | (?[31mx)
       |  ^
)");
    EXPECT_EQ(told("(" + std::string(70, 'x') + ")"), R"(
test.ctp:1:2: error[syntax]: expected a thread `([rho c] ... bot)` or `)`, found `)" +
                                                          std::string(60, 'x') + R"(…`
     1 | ()" + std::string(70, 'x') + R"()
       |  ^)" + std::string(69, '~') + "\n");
}

// White space is ASCII's: a no-break space belongs to an atom.
TEST(SyntaxError, NoBreakSpaceIsNoWhiteSpace) {
    EXPECT_EQ(told("\xC2\xA0()"), "\ntest.ctp:1:1: error[syntax]: expected a concurrent trace program `(t ...)`, found "
                                  "`\xC2\xA0`\n     1 | \xC2\xA0()\n       | ^\n");
}

TEST(SyntaxError, IsTheOnlyOne) {
    Source const source("test.ctp", "(([1 (x := (+ 1))] [1 (y := 2)] x))");
    auto const result = parse(source);
    ASSERT_FALSE(result);
    ASSERT_EQ(result.error().size(), 1U);
    EXPECT_EQ(result.error()[0].rule, "syntax");
    EXPECT_EQ(result.error()[0].severity, Severity::error);
}

} // namespace
} // namespace matchpoint::test
