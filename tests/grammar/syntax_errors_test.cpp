// Syntax errors: at the deepest point reached, with what was expected there in the grammar's words, and how to mend it.
// recovery_test.cpp has those that follow.

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
       = hint: a file begins with a program: `( ( [00 (x := 1)] bot ) )`, or with `(shared [x 0])` in front of it
)");
    EXPECT_EQ(told("   ; only a comment"), R"(
test.ctp:1:20: error[syntax]: expected a concurrent trace program `(t ...)`, found the end of the file
     1 |    ; only a comment
       |                    ^
       = hint: a file begins with a program: `( ( [00 (x := 1)] bot ) )`, or with `(shared [x 0])` in front of it
)");
    EXPECT_EQ(told("x"), R"(
test.ctp:1:1: error[syntax]: expected a concurrent trace program `(t ...)`, found `x`
     1 | x
       | ^
       = hint: a file begins with a program: `( ( [00 (x := 1)] bot ) )`, or with `(shared [x 0])` in front of it
)");
    EXPECT_EQ(told(")"), R"(
test.ctp:1:1: error[syntax]: expected a concurrent trace program `(t ...)`, found `)`
     1 | )
       | ^
       = hint: a file begins with a program: `( ( [00 (x := 1)] bot ) )`, or with `(shared [x 0])` in front of it
)");
    EXPECT_EQ(told("("), R"(
test.ctp:1:2: error[syntax]: expected a thread `([rho c] ... bot)` or `)`, found the end of the file
     1 | (
       |  ^
test.ctp:1:1: note: opened here
     1 | (
       | ^
)");
    EXPECT_EQ(told("(x)"), R"(
test.ctp:1:2: error[syntax]: expected a thread `([rho c] ... bot)` or `)`, found `x`
     1 | (x)
       |  ^
       = hint: every thread has its own brackets: `( [00 (x := 1)] bot )`
)");
    EXPECT_EQ(told("(()"), R"(
test.ctp:1:4: error[syntax]: expected a thread `([rho c] ... bot)` or `)`, found the end of the file
     1 | (()
       |    ^
test.ctp:1:1: note: opened here
     1 | (()
       | ^
)");
    EXPECT_EQ(told("(() x)"), R"(
test.ctp:1:5: error[syntax]: expected a thread `([rho c] ... bot)` or `)`, found `x`
     1 | (() x)
       |     ^
       = hint: every thread has its own brackets: `( [00 (x := 1)] bot )`
)");
}

TEST(SyntaxError, Thread) {
    EXPECT_EQ(told("(("), R"(
test.ctp:1:3: error[syntax]: expected a located command `[rho c]`, `bot` or `)`, found the end of the file
     1 | ((
       |   ^
test.ctp:1:2: note: opened here
     1 | ((
       |  ^
)");
    EXPECT_EQ(told("((1 (assume true)))"), R"(
test.ctp:1:3: error[syntax]: expected a located command `[rho c]`, `bot` or `)`, found `1`
     1 | ((1 (assume true)))
       |   ^
       = hint: a thread has brackets of its own around its commands: `( [00 (x := 1)] bot )`
)");
    EXPECT_EQ(told("(([1 (assume true)] bot [2 (assume true)]))"), R"(
test.ctp:1:25: error[syntax]: expected `)`, found `[`
     1 | (([1 (assume true)] bot [2 (assume true)]))
       |                         ^
       = hint: `bot` ends the thread: nothing follows it but the closing bracket
)");
    EXPECT_EQ(told("(([1 (assume true)] bot bot))"), R"(
test.ctp:1:25: error[syntax]: expected `)`, found `bot`
     1 | (([1 (assume true)] bot bot))
       |                         ^~~
       = hint: `bot` ends the thread: nothing follows it but the closing bracket
)");
}

TEST(SyntaxError, LocatedCommand) {
    EXPECT_EQ(told("((["), R"(
test.ctp:1:4: error[syntax]: expected a location, found the end of the file
     1 | (([
       |    ^
       = hint: a command follows its location: `[00 (assert true)]`
)");
    EXPECT_EQ(told("(([() (assume true)]))"), R"(
test.ctp:1:4: error[syntax]: expected a location, found `(`
     1 | (([() (assume true)]))
       |    ^
       = hint: every command has a location before it: `[00 (assert true)]`
)");
    EXPECT_EQ(told("(([1"), R"(
test.ctp:1:5: error[syntax]: expected a command `(...)`, found the end of the file
     1 | (([1
       |     ^
       = hint: a location is followed by its command: `[00 (x := 1)]`
)");
    EXPECT_EQ(told("(([1 x"), R"(
test.ctp:1:6: error[syntax]: expected a command `(...)`, found `x`
     1 | (([1 x
       |      ^
       = hint: a command has brackets of its own: `[1 (x ...)]`
)");
    EXPECT_EQ(told("(([1 assume]))"), R"(
test.ctp:1:6: error[syntax]: expected a command `(...)`, found `assume`
     1 | (([1 assume]))
       |      ^~~~~~
       = hint: a command has brackets of its own: `[1 (assume ...)]`
)");
    EXPECT_EQ(told("(([1 (assert true) x]))"), R"(
test.ctp:1:20: error[syntax]: expected `]` to close `[1`, found `x`
     1 | (([1 (assert true) x]))
       |                    ^
test.ctp:1:3: note: opened here
     1 | (([1 (assert true) x]))
       |   ^
)");
}

TEST(SyntaxError, Command) {
    EXPECT_EQ(told("(([1 ("), R"(
test.ctp:1:7: error[syntax]: expected `assume`, `assert`, `sndi`, `rcvi`, `wait`, `ssndi`, `bsndi`, `rsndi`, `barrier`, `probe`, `mprobe`, `start`, `collective`, `icollective`, `when` or a variable to assign to, found the end of the file
     1 | (([1 (
       |       ^
       = hint: a command is `(assume e)`, `(assert e)`, `(x := e)`, `(sndi a alpha beta e)`, `(rcvi a beta x)`, `(wait a)`, `(barrier b)`, `(probe a beta)`, `(mprobe a beta)`, `(start a x)`, `(collective a comm kind ...)`, `(icollective a comm kind ...)` or `(when e (x := e) ...)`
)");
    EXPECT_EQ(told("(([1 (5 := 1)]))"), R"(
test.ctp:1:7: error[syntax]: expected `assume`, `assert`, `sndi`, `rcvi`, `wait`, `ssndi`, `bsndi`, `rsndi`, `barrier`, `probe`, `mprobe`, `start`, `collective`, `icollective`, `when` or a variable to assign to, found `5`
     1 | (([1 (5 := 1)]))
       |       ^
       = hint: a variable's name is not a number
)");
    EXPECT_EQ(told("(([1 (true := 1)]))"), R"(
test.ctp:1:7: error[syntax]: expected `assume`, `assert`, `sndi`, `rcvi`, `wait`, `ssndi`, `bsndi`, `rsndi`, `barrier`, `probe`, `mprobe`, `start`, `collective`, `icollective`, `when` or a variable to assign to, found `true`
     1 | (([1 (true := 1)]))
       |       ^~~~
       = hint: a command is `(assume e)`, `(assert e)`, `(x := e)`, `(sndi a alpha beta e)`, `(rcvi a beta x)`, `(wait a)`, `(barrier b)`, `(probe a beta)`, `(mprobe a beta)`, `(start a x)`, `(collective a comm kind ...)`, `(icollective a comm kind ...)` or `(when e (x := e) ...)`
)");
    EXPECT_EQ(told("(([1 (+ := 1)]))"), R"(
test.ctp:1:7: error[syntax]: expected `assume`, `assert`, `sndi`, `rcvi`, `wait`, `ssndi`, `bsndi`, `rsndi`, `barrier`, `probe`, `mprobe`, `start`, `collective`, `icollective`, `when` or a variable to assign to, found `+`
     1 | (([1 (+ := 1)]))
       |       ^
       = hint: an expression is not a command: `(assert e)` states it, `(x := e)` keeps its value
)");
    EXPECT_EQ(told("(([1 (x"), R"(
test.ctp:1:8: error[syntax]: expected `:=` (commands are `assume`, `assert`, `x :=`, `sndi`, `ssndi`, `bsndi`, `rsndi`, `rcvi`, `wait`, `barrier`, `probe`, `mprobe`, `start`, `collective`, `icollective` and `when`), found the end of the file
     1 | (([1 (x
       |        ^
       = hint: an assignment is written `(x := e)`
test.ctp:1:7: note: `x` is not a command's name, so this is read as an assignment to it
     1 | (([1 (x
       |       ^
)");
    EXPECT_EQ(told("(([1 (x 5)]))"), R"(
test.ctp:1:9: error[syntax]: expected `:=` (commands are `assume`, `assert`, `x :=`, `sndi`, `ssndi`, `bsndi`, `rsndi`, `rcvi`, `wait`, `barrier`, `probe`, `mprobe`, `start`, `collective`, `icollective` and `when`), found `5`
     1 | (([1 (x 5)]))
       |         ^
       = hint: an assignment is written `(x := e)`
test.ctp:1:7: note: `x` is not a command's name, so this is read as an assignment to it
     1 | (([1 (x 5)]))
       |       ^
)");
    EXPECT_EQ(told("(([1 (x :=1)]))"), R"(
test.ctp:1:9: error[syntax]: expected `:=` (commands are `assume`, `assert`, `x :=`, `sndi`, `ssndi`, `bsndi`, `rsndi`, `rcvi`, `wait`, `barrier`, `probe`, `mprobe`, `start`, `collective`, `icollective` and `when`), found `:=1`
     1 | (([1 (x :=1)]))
       |         ^~~
       = hint: `:=` has blanks around it: `(x := e)`
test.ctp:1:7: note: `x` is not a command's name, so this is read as an assignment to it
     1 | (([1 (x :=1)]))
       |       ^
)");
    EXPECT_EQ(told("(([1 (x:= 1)]))"), R"(
test.ctp:1:11: error[syntax]: expected `:=` (commands are `assume`, `assert`, `x :=`, `sndi`, `ssndi`, `bsndi`, `rsndi`, `rcvi`, `wait`, `barrier`, `probe`, `mprobe`, `start`, `collective`, `icollective` and `when`), found `1`
     1 | (([1 (x:= 1)]))
       |           ^
       = hint: `:=` has blanks around it: `(x := e)`
test.ctp:1:7: note: `x:=` is not a command's name, so this is read as an assignment to it
     1 | (([1 (x:= 1)]))
       |       ^~~
)");
    EXPECT_EQ(told("(([1 (wait := 1)]))"), R"(
test.ctp:1:15: error[syntax]: expected `)`, found `1`
     1 | (([1 (wait := 1)]))
       |               ^
       = hint: `wait` is written `(wait a)`: the action of a send or receive
)");
}

TEST(SyntaxError, Assume) {
    EXPECT_EQ(told("(([1 (assume)]))"), R"(
test.ctp:1:13: error[syntax]: expected an expression: `(op e e)`, `(not e)`, a variable, an integer, `true` or `false`, found `)`
     1 | (([1 (assume)]))
       |             ^
       = hint: `assume` is written `(assume e)`: a condition
)");
    EXPECT_EQ(told("(([1 (assert)]))"), R"(
test.ctp:1:13: error[syntax]: expected an expression: `(op e e)`, `(not e)`, a variable, an integer, `true` or `false`, found `)`
     1 | (([1 (assert)]))
       |             ^
       = hint: `assert` is written `(assert e)`: a condition
)");
    EXPECT_EQ(told("(([1 (assert true true)]))"), R"(
test.ctp:1:19: error[syntax]: expected `)`, found `true`
     1 | (([1 (assert true true)]))
       |                   ^~~~
       = hint: `assert` is written `(assert e)`: a condition
)");
}

TEST(SyntaxError, Assign) {
    EXPECT_EQ(told("(([1 (foo := )]))"), R"(
test.ctp:1:14: error[syntax]: expected an expression: `(op e e)`, `(not e)`, a variable, an integer, `true` or `false`, found `)`
     1 | (([1 (foo := )]))
       |              ^
       = hint: an assignment is written `(foo := e)`
)");
    EXPECT_EQ(told("(([1 (x := bot)]))"), R"(
test.ctp:1:12: error[syntax]: expected an expression: `(op e e)`, `(not e)`, a variable, an integer, `true` or `false`, found `bot`
     1 | (([1 (x := bot)]))
       |            ^~~
       = hint: `bot` ends threads and lists of movements; it is not a value
)");
    EXPECT_EQ(told("(([1 (x := and)]))"), R"(
test.ctp:1:12: error[syntax]: expected an expression: `(op e e)`, `(not e)`, a variable, an integer, `true` or `false`, found `and`
     1 | (([1 (x := and)]))
       |            ^~~
       = hint: an operation has brackets of its own: `(and e e)`
)");
    EXPECT_EQ(told("(([1 (x := assume)]))"), R"(
test.ctp:1:12: error[syntax]: expected an expression: `(op e e)`, `(not e)`, a variable, an integer, `true` or `false`, found `assume`
     1 | (([1 (x := assume)]))
       |            ^~~~~~
       = hint: `assume` is a reserved word: no variable can have this name
)");
    EXPECT_EQ(told("(([1 (x := 1 2)]))"), R"(
test.ctp:1:14: error[syntax]: expected `)`, found `2`
     1 | (([1 (x := 1 2)]))
       |              ^
       = hint: an assignment is written `(x := e)`
)");
}

TEST(SyntaxError, Sndi) {
    EXPECT_EQ(told("(([1 (sndi)]))"), R"(
test.ctp:1:11: error[syntax]: expected an action, found `)`
     1 | (([1 (sndi)]))
       |           ^
       = hint: `sndi` is written `(sndi a alpha beta e)`: the action, the source endpoint, the destination endpoint, the value
)");
    EXPECT_EQ(told("(([1 (sndi S)]))"), R"(
test.ctp:1:13: error[syntax]: expected a source endpoint (a non-negative integer), found `)`
     1 | (([1 (sndi S)]))
       |             ^
       = hint: `sndi` is written `(sndi a alpha beta e)`: the action, the source endpoint, the destination endpoint, the value
)");
    EXPECT_EQ(told("(([1 (sndi S x 0 1)]))"), R"(
test.ctp:1:14: error[syntax]: expected a source endpoint (a non-negative integer), found `x`
     1 | (([1 (sndi S x 0 1)]))
       |              ^
       = hint: `sndi` is written `(sndi a alpha beta e)`: the action, the source endpoint, the destination endpoint, the value
)");
    EXPECT_EQ(told("(([1 (sndi S -1 0 1)]))"), R"(
test.ctp:1:14: error[syntax]: expected a source endpoint (a non-negative integer), found `-1`
     1 | (([1 (sndi S -1 0 1)]))
       |              ^~
       = hint: endpoints are the numbers 0, 1, 2 ...
)");
    EXPECT_EQ(told("(([1 (sndi S 1 x 1)]))"), R"(
test.ctp:1:16: error[syntax]: expected a destination endpoint (a non-negative integer), found `x`
     1 | (([1 (sndi S 1 x 1)]))
       |                ^
       = hint: `sndi` is written `(sndi a alpha beta e)`: the action, the source endpoint, the destination endpoint, the value
)");
    EXPECT_EQ(told("(([1 (sndi S 1 0)]))"), R"(
test.ctp:1:17: error[syntax]: expected an expression: `(op e e)`, `(not e)`, a variable, an integer, `true` or `false`, found `)`
     1 | (([1 (sndi S 1 0)]))
       |                 ^
       = hint: `sndi` is written `(sndi a alpha beta e)`: the action, the source endpoint, the destination endpoint, the value
)");
    EXPECT_EQ(told("(([1 (sndi S 1 0 1 ()]))"), R"(
test.ctp:1:21: error[syntax]: expected `tag`, found `)`
     1 | (([1 (sndi S 1 0 1 ()]))
       |                     ^
       = hint: the tag of a message is written `(tag n)`
)");
    EXPECT_EQ(told("(([1 (sndi S 1 0 1 2 3)]))"), R"(
test.ctp:1:22: error[syntax]: expected a tag `(tag n)` or `)`, found `3`
     1 | (([1 (sndi S 1 0 1 2 3)]))
       |                      ^
       = hint: `sndi` is written `(sndi a alpha beta e)`: the action, the source endpoint, the destination endpoint, the value
)");
}

TEST(SyntaxError, Rcvi) {
    EXPECT_EQ(told("(([1 (rcvi)]))"), R"(
test.ctp:1:11: error[syntax]: expected an action, found `)`
     1 | (([1 (rcvi)]))
       |           ^
       = hint: `rcvi` is written `(rcvi a beta x)`: the action, the destination endpoint, the variable
)");
    EXPECT_EQ(told("(([1 (rcvi R)]))"), R"(
test.ctp:1:13: error[syntax]: expected a destination endpoint (a non-negative integer), found `)`
     1 | (([1 (rcvi R)]))
       |             ^
       = hint: `rcvi` is written `(rcvi a beta x)`: the action, the destination endpoint, the variable
)");
    EXPECT_EQ(told("(([1 (rcvi R 1.5 x)]))"), R"(
test.ctp:1:14: error[syntax]: expected a destination endpoint (a non-negative integer), found `1.5`
     1 | (([1 (rcvi R 1.5 x)]))
       |              ^~~
       = hint: endpoints are the numbers 0, 1, 2 ...
)");
    EXPECT_EQ(told("(([1 (rcvi R 0)]))"), R"(
test.ctp:1:15: error[syntax]: expected a variable, found `)`
     1 | (([1 (rcvi R 0)]))
       |               ^
       = hint: `rcvi` is written `(rcvi a beta x)`: the action, the destination endpoint, the variable
)");
    EXPECT_EQ(told("(([1 (rcvi R 0 5)]))"), R"(
test.ctp:1:16: error[syntax]: expected a variable, found `5`
     1 | (([1 (rcvi R 0 5)]))
       |                ^
       = hint: `rcvi` is written `(rcvi a beta x)`: the action, the destination endpoint, the variable
)");
    EXPECT_EQ(told("(([1 (rcvi R 0 and)]))"), R"(
test.ctp:1:16: error[syntax]: expected a variable, found `and`
     1 | (([1 (rcvi R 0 and)]))
       |                ^~~
       = hint: `rcvi` is written `(rcvi a beta x)`: the action, the destination endpoint, the variable
)");
    EXPECT_EQ(told("(([1 (rcvi R 0 x ())]))"), R"(
test.ctp:1:19: error[syntax]: expected `from`, `tag`, `source` or `tagged`, found `)`
     1 | (([1 (rcvi R 0 x ())]))
       |                   ^
       = hint: selectors are `(from alpha ...)`, `(tag n ...)`, `(source y)` and `(tagged z)`
)");
}

TEST(SyntaxError, Wait) {
    EXPECT_EQ(told("(([1 (wait)]))"), R"(
test.ctp:1:11: error[syntax]: expected an action, found `)`
     1 | (([1 (wait)]))
       |           ^
       = hint: `wait` is written `(wait a)`: the action of a send or receive
)");
    EXPECT_EQ(told("(([1 (wait R S)]))"), R"(
test.ctp:1:14: error[syntax]: expected `)`, found `S`
     1 | (([1 (wait R S)]))
       |              ^
       = hint: `wait` is written `(wait a)`: the action of a send or receive
)");
}

TEST(SyntaxError, Expression) {
    EXPECT_EQ(told("(([1 (assume (x 1 2))]))"), R"(
test.ctp:1:15: error[syntax]: expected an operator, found `x`
     1 | (([1 (assume (x 1 2))]))
       |               ^
       = hint: operators are `+ - * div mod = != < <= > >= and or => xor not ite`
)");
    EXPECT_EQ(told("(([1 (assume ("), R"(
test.ctp:1:15: error[syntax]: expected an operator, found the end of the file
     1 | (([1 (assume (
       |               ^
       = hint: an operation is written `(op e e)`, with the operator first
)");
    EXPECT_EQ(told("(([1 (x := (+ 1 bot))]))"), R"(
test.ctp:1:17: error[syntax]: expected an operand: an expression, found `bot`
     1 | (([1 (x := (+ 1 bot))]))
       |                 ^~~
       = hint: `bot` ends threads and lists of movements; it is not a value
)");
    EXPECT_EQ(told("(([1 (x := (+ 1 "), R"(
test.ctp:1:17: error[syntax]: expected an operand: an expression, found the end of the file
     1 | (([1 (x := (+ 1 
       |                 ^
       = hint: `+` is written `(+ e e)`
)");
    EXPECT_EQ(told("(([1 (x := (+ 1 2 bot))]))"), R"(
test.ctp:1:19: error[syntax]: expected `)`, found `bot`
     1 | (([1 (x := (+ 1 2 bot))]))
       |                   ^~~
       = hint: `+` is written `(+ e e)`
)");
    EXPECT_EQ(told("(([1 (x := (not 1 bot))]))"), R"(
test.ctp:1:19: error[syntax]: expected `)`, found `bot`
     1 | (([1 (x := (not 1 bot))]))
       |                   ^~~
       = hint: `not` is written `(not e)`
)");
    EXPECT_EQ(told("(([1 (assume (= 1 2) 3)]))"), R"(
test.ctp:1:22: error[syntax]: expected an assignment `(x := e)` or `)`, found `3`
     1 | (([1 (assume (= 1 2) 3)]))
       |                      ^
       = hint: `assume` is written `(assume e)`: a condition
)");
}

TEST(SyntaxError, Trace) {
    EXPECT_EQ(told("() x"), R"(
test.ctp:1:4: error[syntax]: expected a trace `((rho m) ...)` or the end of the file, found `x`
     1 | () x
       |    ^
       = hint: a trace is a list of entries: `( (00 bot) (03 ((0 2) bot)) )`
)");
    EXPECT_EQ(told("() (x)"), R"(
test.ctp:1:5: error[syntax]: expected a trace entry `(rho m)` or `)`, found `x`
     1 | () (x)
       |     ^
       = hint: a trace is a list of entries: `( (00 bot) (03 ((0 2) bot)) )`
)");
    EXPECT_EQ(told("() (1 bot)"), R"(
test.ctp:1:5: error[syntax]: expected a trace entry `(rho m)` or `)`, found `1`
     1 | () (1 bot)
       |     ^
       = hint: a trace is a list of entries: `( (00 bot) (03 ((0 2) bot)) )`
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
       = hint: an entry names a location and its movements: `(00 bot)`, `(03 ((0 2) bot))`
)");
    EXPECT_EQ(told("() ((1 x))"), R"(
test.ctp:1:8: error[syntax]: expected `bot` or a movement list `((beta alpha) ... bot)`, found `x`
     1 | () ((1 x))
       |        ^
       = hint: an entry names a location and its movements: `(00 bot)`, `(03 ((0 2) bot))`
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
       = hint: this bracket closes nothing: remove it
test.ctp:1:2: note: the program ends here
     1 | ())
       |  ^
)");
    EXPECT_EQ(told("() ]"), R"(
test.ctp:1:4: error[syntax]: expected a trace `((rho m) ...)` or the end of the file, found `]`
     1 | () ]
       |    ^
       = hint: this bracket closes nothing: remove it
test.ctp:1:2: note: the program ends here
     1 | () ]
       |  ^
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
       = hint: a movement is `(beta alpha)`: the destination endpoint, then the source endpoint; `(beta alpha n)` also says the tag of the message
)");
    EXPECT_EQ(told("() ((1 ((0))))"), R"(
test.ctp:1:11: error[syntax]: expected a source endpoint (a non-negative integer), found `)`
     1 | () ((1 ((0))))
       |           ^
       = hint: a movement is `(beta alpha)`: the destination endpoint, then the source endpoint; `(beta alpha n)` also says the tag of the message
)");
    EXPECT_EQ(told("() ((1 ((0 -1))))"), R"(
test.ctp:1:12: error[syntax]: expected a source endpoint (a non-negative integer), found `-1`
     1 | () ((1 ((0 -1))))
       |            ^~
       = hint: a movement is `(beta alpha)`: the destination endpoint, then the source endpoint; `(beta alpha n)` also says the tag of the message
)");
    EXPECT_EQ(told("() ((1 ((0 1 -1))))"), R"(
test.ctp:1:14: error[syntax]: expected a tag (a non-negative integer) or `)`, found `-1`
     1 | () ((1 ((0 1 -1))))
       |              ^~
       = hint: a movement is `(beta alpha)`: the destination endpoint, then the source endpoint; `(beta alpha n)` also says the tag of the message
)");
    EXPECT_EQ(told("() ((1 ((0 1 2 3))))"), R"(
test.ctp:1:16: error[syntax]: expected `)`, found `3`
     1 | () ((1 ((0 1 2 3))))
       |                ^
       = hint: a movement is `(beta alpha)`: the destination endpoint, then the source endpoint; `(beta alpha n)` also says the tag of the message
)");
    EXPECT_EQ(told("() ((1 ((0 1 (tag 2)))))"), R"(
test.ctp:1:14: error[syntax]: expected a tag (a non-negative integer) or `)`, found `(`
     1 | () ((1 ((0 1 (tag 2)))))
       |              ^
       = hint: a movement names the tag of its message without brackets: `(beta alpha n)`
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
test.ctp:1:2: error[syntax]: expected `)` to close `(`, found `]`
     1 | (]
       |  ^
test.ctp:1:1: note: opened here
     1 | (]
       | ^
)");
    EXPECT_EQ(told("([)]"), R"(
test.ctp:1:3: error[syntax]: expected `]` to close `[`, found `)`
     1 | ([)]
       |   ^
test.ctp:1:2: note: opened here
     1 | ([)]
       |  ^
)");
    EXPECT_EQ(told("(([1 (assert true]))"), R"(
test.ctp:1:18: error[syntax]: expected `)` to close `(assert`, found `]`
     1 | (([1 (assert true]))
       |                  ^
test.ctp:1:6: note: opened here
     1 | (([1 (assert true]))
       |      ^
)");
    EXPECT_EQ(told("(([1 (assert true)))"), R"(
test.ctp:1:19: error[syntax]: expected `]` to close `[1`, found `)`
     1 | (([1 (assert true)))
       |                   ^
test.ctp:1:3: note: opened here
     1 | (([1 (assert true)))
       |   ^
)");
    EXPECT_EQ(told("(([1 (assume (+ 1 ]))"), R"(
test.ctp:1:19: error[syntax]: expected `)` to close `(+`, found `]`
     1 | (([1 (assume (+ 1 ]))
       |                   ^
test.ctp:1:14: note: opened here
     1 | (([1 (assume (+ 1 ]))
       |              ^
)");
    EXPECT_EQ(told("(([1 (assume [= 1 2)]))"), R"(
test.ctp:1:20: error[syntax]: expected `]` to close `[=`, found `)`
     1 | (([1 (assume [= 1 2)]))
       |                    ^
test.ctp:1:14: note: opened here
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
test.ctp:4:15: error[syntax]: expected `)` to close `(+`, found `]`
     4 |              2])
       |               ^
test.ctp:3:13: note: opened here
     3 |    [2 (x := (+ 1
       |             ^
)");
}

TEST(SyntaxError, EndOfFile) {
    EXPECT_EQ(told("(([1 (assume (+ 1 2)"), R"(
test.ctp:1:21: error[syntax]: expected an assignment `(x := e)` or `)`, found the end of the file
     1 | (([1 (assume (+ 1 2)
       |                     ^
test.ctp:1:6: note: opened here
     1 | (([1 (assume (+ 1 2)
       |      ^
)");
    EXPECT_EQ(told("(([1 (assume (+ 1 2"), R"(
test.ctp:1:20: error[syntax]: expected `)`, found the end of the file
     1 | (([1 (assume (+ 1 2
       |                    ^
test.ctp:1:14: note: opened here
     1 | (([1 (assume (+ 1 2
       |              ^
)");
    EXPECT_EQ(told("(([1 (sndi S 1 0 1 "), R"(
test.ctp:1:20: error[syntax]: expected a location, a tag `(tag n)` or `)`, found the end of the file
     1 | (([1 (sndi S 1 0 1 
       |                    ^
test.ctp:1:6: note: opened here
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
test.ctp:2:3: note: opened here
     2 |   ([1 (wait R)]
       |   ^
)");
    EXPECT_EQ(told("() ((1 bot)"), R"(
test.ctp:1:12: error[syntax]: expected a trace entry `(rho m)` or `)`, found the end of the file
     1 | () ((1 bot)
       |            ^
test.ctp:1:4: note: opened here
     1 | () ((1 bot)
       |    ^
)");
    EXPECT_EQ(told("() ((1 (bot"), R"(
test.ctp:1:12: error[syntax]: expected `)`, found the end of the file
     1 | () ((1 (bot
       |            ^
test.ctp:1:8: note: opened here
     1 | () ((1 (bot
       |        ^
)");
}

TEST(SyntaxError, WhatTheLanguageHasNot) {
    EXPECT_EQ(told(R"x((([1 (x := "a")])))x"), R"(
test.ctp:1:12: error[syntax]: expected an expression: `(op e e)`, `(not e)`, a variable, an integer, `true` or `false`, found `"a"`
     1 | (([1 (x := "a")]))
       |            ^~~
       = hint: strings belong in places only, `(at "main.c" 12)`: values are integers, `true` and `false`; names have no quotes
)");
    EXPECT_EQ(told("(([1 (x := {1})]))"), R"(
test.ctp:1:12: error[syntax]: expected an expression: `(op e e)`, `(not e)`, a variable, an integer, `true` or `false`, found `{` (the language has no `{`)
     1 | (([1 (x := {1})]))
       |            ^
       = hint: brackets are `( )` and `[ ]`
)");
    EXPECT_EQ(told("(([1 (x := 1})]))"), R"(
test.ctp:1:13: error[syntax]: expected `)`, found `}` (the language has no `}`)
     1 | (([1 (x := 1})]))
       |             ^
       = hint: brackets are `( )` and `[ ]`
)");
    EXPECT_EQ(told(R"x((([1 (x := a"b)])))x"), R"(
test.ctp:1:13: error[syntax]: expected `)`, found `"`
     1 | (([1 (x := a"b)]))
       |             ^
       = hint: strings belong in places only, `(at "main.c" 12)`: values are integers, `true` and `false`; names have no quotes
)");
    EXPECT_EQ(told(R"x(")x"), R"(
test.ctp:1:1: error[syntax]: expected a concurrent trace program `(t ...)`, found `"`
     1 | "
       | ^
       = hint: strings belong in places only, `(at "main.c" 12)`: values are integers, `true` and `false`; names have no quotes
)");
    EXPECT_EQ(told("{"), R"(
test.ctp:1:1: error[syntax]: expected a concurrent trace program `(t ...)`, found `{` (the language has no `{`)
     1 | {
       | ^
       = hint: brackets are `( )` and `[ ]`
)");
}

// Selectors of a receive: other names, no brackets, before the extra location; what each one lists.
TEST(SyntaxError, Selectors) {
    EXPECT_EQ(told(R"x((([1 (rcvi R 0 x (src 1))])))x"), R"(
test.ctp:1:19: error[syntax]: expected `from`, `tag`, `source` or `tagged`, found `src`
     1 | (([1 (rcvi R 0 x (src 1))]))
       |                   ^~~
       = hint: did you mean `(from 1)`?
)");
    EXPECT_EQ(told(R"x((([1 (rcvi R 0 x (src y))])))x"), R"(
test.ctp:1:19: error[syntax]: expected `from`, `tag`, `source` or `tagged`, found `src`
     1 | (([1 (rcvi R 0 x (src y))]))
       |                   ^~~
       = hint: did you mean `(source y)`?
)");
    EXPECT_EQ(told(R"x((([1 (rcvi R 0 x (frm 1 2))])))x"), R"(
test.ctp:1:19: error[syntax]: expected `from`, `tag`, `source` or `tagged`, found `frm`
     1 | (([1 (rcvi R 0 x (frm 1 2))]))
       |                   ^~~
       = hint: did you mean `(from 1)`?
)");
    EXPECT_EQ(told(R"x((([1 (rcvi R 0 x (1))])))x"), R"(
test.ctp:1:19: error[syntax]: expected `from`, `tag`, `source` or `tagged`, found `1`
     1 | (([1 (rcvi R 0 x (1))]))
       |                   ^
       = hint: selectors are `(from alpha ...)`, `(tag n ...)`, `(source y)` and `(tagged z)`
)");
    EXPECT_EQ(told(R"x((([1 (rcvi R 0 x ((from 1)))])))x"), R"(
test.ctp:1:19: error[syntax]: expected `from`, `tag`, `source` or `tagged`, found `(`
     1 | (([1 (rcvi R 0 x ((from 1)))]))
       |                   ^
       = hint: selectors follow one another: `(from 1 2) (tag 3)`
)");
    EXPECT_EQ(told(R"x((([1 (rcvi R 0 x from 1)])))x"), R"(
test.ctp:1:23: error[syntax]: expected a selector `(from alpha ...)`, `(tag n ...)`, `(source y)` or `(tagged z)` or `)`, found `1`
     1 | (([1 (rcvi R 0 x from 1)]))
       |                       ^
       = hint: a selector has brackets of its own: `(from 1)`
)");
    EXPECT_EQ(told(R"x((([1 (rcvi R 0 x (from 1) 02)])))x"), R"(
test.ctp:1:27: error[syntax]: expected a selector `(from alpha ...)`, `(tag n ...)`, `(source y)` or `(tagged z)` or `)`, found `02`
     1 | (([1 (rcvi R 0 x (from 1) 02)]))
       |                           ^~
       = hint: the location at the end of a `rcvi` comes before its selectors
)");
    EXPECT_EQ(told(R"x((([1 (rcvi R 0 x (from x))])))x"), R"(
test.ctp:1:24: error[syntax]: expected a source endpoint (a non-negative integer) or `)`, found `x`
     1 | (([1 (rcvi R 0 x (from x))]))
       |                        ^
       = hint: `from` lists the source endpoints that the receive admits, by their numbers: `(from 1 2)`
)");
    EXPECT_EQ(told(R"x((([1 (rcvi R 0 x (from MPI_ANY_SOURCE))])))x"), R"(
test.ctp:1:24: error[syntax]: expected a source endpoint (a non-negative integer) or `)`, found `MPI_ANY_SOURCE`
     1 | (([1 (rcvi R 0 x (from MPI_ANY_SOURCE))]))
       |                        ^~~~~~~~~~~~~~
       = hint: a receive without `(from ...)` admits every source
)");
    EXPECT_EQ(told(R"x((([1 (rcvi R 0 x (tag any))])))x"), R"(
test.ctp:1:23: error[syntax]: expected a tag (a non-negative integer) or `)`, found `any`
     1 | (([1 (rcvi R 0 x (tag any))]))
       |                       ^~~
       = hint: a receive without `(tag ...)` admits every tag
)");
    EXPECT_EQ(told(R"x((([1 (rcvi R 0 x (source))])))x"), R"(
test.ctp:1:25: error[syntax]: expected a variable, found `)`
     1 | (([1 (rcvi R 0 x (source))]))
       |                         ^
       = hint: `(source y)` assigns the number of the message's source endpoint to the variable y
)");
    EXPECT_EQ(told(R"x((([1 (rcvi R 0 x (source 1))])))x"), R"(
test.ctp:1:26: error[syntax]: expected a variable, found `1`
     1 | (([1 (rcvi R 0 x (source 1))]))
       |                          ^
       = hint: `(source y)` assigns the number of the message's source endpoint to the variable y; to admit no other, write `(from 1)`
)");
    EXPECT_EQ(told(R"x((([1 (rcvi R 0 x (tagged y z))])))x"), R"(
test.ctp:1:28: error[syntax]: expected `)`, found `z`
     1 | (([1 (rcvi R 0 x (tagged y z))]))
       |                            ^
       = hint: `(tagged z)` assigns the message's tag to the variable z
)");
    EXPECT_EQ(told(R"x((([1 (rcvi R 0 x (tag 1)])))x"), R"(
test.ctp:1:25: error[syntax]: expected `)` to close `(rcvi`, found `]`
     1 | (([1 (rcvi R 0 x (tag 1)]))
       |                         ^
test.ctp:1:6: note: opened here
     1 | (([1 (rcvi R 0 x (tag 1)]))
       |      ^
)");
}

// A send has a tag and no selectors.
TEST(SyntaxError, TagOfASend) {
    EXPECT_EQ(told(R"x((([1 (sndi S 1 0 1 (from 1 2))])))x"), R"(
test.ctp:1:21: error[syntax]: expected `tag`, found `from`
     1 | (([1 (sndi S 1 0 1 (from 1 2))]))
       |                     ^~~~
       = hint: `(from ...)` belongs in a receive; a send has a source endpoint, alpha, and perhaps a tag: `(sndi a alpha beta e (tag n))`
)");
    EXPECT_EQ(told(R"x((([1 (sndi S 1 0 1 (tga 1))])))x"), R"(
test.ctp:1:21: error[syntax]: expected `tag`, found `tga`
     1 | (([1 (sndi S 1 0 1 (tga 1))]))
       |                     ^~~
       = hint: the tag of a message is written `(tag n)`
)");
    EXPECT_EQ(told(R"x((([1 (sndi S 1 0 1 (1))])))x"), R"(
test.ctp:1:21: error[syntax]: expected `tag`, found `1`
     1 | (([1 (sndi S 1 0 1 (1))]))
       |                     ^
       = hint: the tag of a message is written `(tag 1)`
)");
    EXPECT_EQ(told(R"x((([1 (sndi S 1 0 1 (tag 1 2))])))x"), R"(
test.ctp:1:27: error[syntax]: expected `)`, found `2`
     1 | (([1 (sndi S 1 0 1 (tag 1 2))]))
       |                           ^
       = hint: a message has one tag: `(tag n)`
)");
    EXPECT_EQ(told(R"x((([1 (sndi S 1 0 1 (tag 1) (tag 2))])))x"), R"(
test.ctp:1:28: error[syntax]: expected `)`, found `(`
     1 | (([1 (sndi S 1 0 1 (tag 1) (tag 2))]))
       |                            ^
       = hint: a message has one tag: `(tag n)`
)");
    // Nothing is said about the tags of a receive that is not closed, nor of a send after which something else begins.
    EXPECT_EQ(told(R"x((([1 (rcvi R 0 x (from 1) [2 (wait R)])))x"), R"(
test.ctp:1:27: error[syntax]: expected a selector `(from alpha ...)`, `(tag n ...)`, `(source y)` or `(tagged z)` or `)`, found `[`
     1 | (([1 (rcvi R 0 x (from 1) [2 (wait R)]))
       |                           ^
       = hint: `rcvi` is written `(rcvi a beta x)`: the action, the destination endpoint, the variable
)");
    EXPECT_EQ(told(R"x((([1 (sndi S 1 0 1 (tag 1) [2 (wait S)])))x"), R"(
test.ctp:1:28: error[syntax]: expected `)`, found `[`
     1 | (([1 (sndi S 1 0 1 (tag 1) [2 (wait S)]))
       |                            ^
       = hint: `sndi` is written `(sndi a alpha beta e)`: the action, the source endpoint, the destination endpoint, the value
)");
    EXPECT_EQ(told(R"x((([1 (sndi S 1 0 1 (tag x))])))x"), R"(
test.ctp:1:25: error[syntax]: expected a tag (a non-negative integer), found `x`
     1 | (([1 (sndi S 1 0 1 (tag x))]))
       |                         ^
       = hint: the tag of a message is a number: `(tag n)`
)");
    EXPECT_EQ(told(R"x((([1 (sndi S 1 0 1 tag 1)])))x"), R"(
test.ctp:1:24: error[syntax]: expected a tag `(tag n)` or `)`, found `1`
     1 | (([1 (sndi S 1 0 1 tag 1)]))
       |                        ^
       = hint: the tag has brackets of its own: `(tag 1)`
)");
    EXPECT_EQ(told(R"x((([1 (sndi S 1 0 1 (tag 1) 05)])))x"), R"(
test.ctp:1:28: error[syntax]: expected `)`, found `05`
     1 | (([1 (sndi S 1 0 1 (tag 1) 05)]))
       |                            ^~
       = hint: the location at the end of a `sndi` comes before its tag
)");
}

// The names of the other sends and of the barrier, and what they are written like.
TEST(SyntaxError, ModesAndBarriers) {
    EXPECT_EQ(told(R"x((([1 (ssndi S)])))x"), R"(
test.ctp:1:14: error[syntax]: expected a source endpoint (a non-negative integer), found `)`
     1 | (([1 (ssndi S)]))
       |              ^
       = hint: `ssndi` is written `(ssndi a alpha beta e)`: like `sndi`; its wait waits until a receive has the message
)");
    EXPECT_EQ(told(R"x((([1 (MPI_Issend S 1 0 1)])))x"), R"(
test.ctp:1:18: error[syntax]: expected `:=` (commands are `assume`, `assert`, `x :=`, `sndi`, `ssndi`, `bsndi`, `rsndi`, `rcvi`, `wait`, `barrier`, `probe`, `mprobe`, `start`, `collective`, `icollective` and `when`), found `S`
     1 | (([1 (MPI_Issend S 1 0 1)]))
       |                  ^
       = hint: did you mean `ssndi`? `ssndi` is written `(ssndi a alpha beta e)`: like `sndi`; its wait waits until a receive has the message
test.ctp:1:7: note: `MPI_Issend` is not a command's name, so this is read as an assignment to it
     1 | (([1 (MPI_Issend S 1 0 1)]))
       |       ^~~~~~~~~~
)");
    EXPECT_EQ(told(R"x((([1 (bsndi S 1 0)])))x"), R"(
test.ctp:1:18: error[syntax]: expected an expression: `(op e e)`, `(not e)`, a variable, an integer, `true` or `false`, found `)`
     1 | (([1 (bsndi S 1 0)]))
       |                  ^
       = hint: `bsndi` is written `(bsndi a alpha beta e)`: like `sndi`; its wait never waits
)");
    EXPECT_EQ(told(R"x((([1 (barrier)])))x"), R"(
test.ctp:1:14: error[syntax]: expected the name of a barrier, found `)`
     1 | (([1 (barrier)]))
       |              ^
       = hint: `barrier` is written `(barrier b)`: the barrier's name; the threads that have it wait for each other
)");
    EXPECT_EQ(told(R"x((([1 (MPI_Barrier B)])))x"), R"(
test.ctp:1:19: error[syntax]: expected `:=` (commands are `assume`, `assert`, `x :=`, `sndi`, `ssndi`, `bsndi`, `rsndi`, `rcvi`, `wait`, `barrier`, `probe`, `mprobe`, `start`, `collective`, `icollective` and `when`), found `B`
     1 | (([1 (MPI_Barrier B)]))
       |                   ^
       = hint: did you mean `barrier`? `barrier` is written `(barrier b)`: the barrier's name; the threads that have it wait for each other
test.ctp:1:7: note: `MPI_Barrier` is not a command's name, so this is read as an assignment to it
     1 | (([1 (MPI_Barrier B)]))
       |       ^~~~~~~~~~~
)");
    EXPECT_EQ(told(R"x((([1 (barrier B C)])))x"), R"(
test.ctp:1:17: error[syntax]: expected `)`, found `C`
     1 | (([1 (barrier B C)]))
       |                 ^
       = hint: `barrier` is written `(barrier b)`: the barrier's name; the threads that have it wait for each other
)");
}

// Where a command came from.
TEST(SyntaxError, SharedMemory) {
    EXPECT_EQ(told("(shared [x 0] y) (([1 (x := 1)]))"), R"(
test.ctp:1:15: error[syntax]: expected a shared variable and its initial value, `[x v]` or `)`, found `y`
     1 | (shared [x 0] y) (([1 (x := 1)]))
       |               ^
       = hint: each shared variable has brackets of its own, and a value: `[y 0]`
)");
    EXPECT_EQ(told("(shared [atomic x 0]) (([1 (x := 1)]))"), R"(
test.ctp:1:17: error[syntax]: expected a value: an integer, `true` or `false`, found `x`
     1 | (shared [atomic x 0]) (([1 (x := 1)]))
       |                 ^
       = hint: `atomic` comes before the bracket: `atomic [x 0]`
)");
    EXPECT_EQ(told("(shared [x 0 atomic]) (([1 (x := 1)]))"), R"(
test.ctp:1:14: error[syntax]: expected `]` to close `[x`, found `atomic`
     1 | (shared [x 0 atomic]) (([1 (x := 1)]))
       |              ^~~~~~
       = hint: `atomic` comes before the bracket: `atomic [x 0]`
test.ctp:1:9: note: opened here
     1 | (shared [x 0 atomic]) (([1 (x := 1)]))
       |         ^
)");
    EXPECT_EQ(told("(shared atomic atomic [x 0]) (([1 (x := 1)]))"), R"(
test.ctp:1:16: error[syntax]: expected a shared variable and its initial value, `[x v]`, found `atomic`
     1 | (shared atomic atomic [x 0]) (([1 (x := 1)]))
       |                ^~~~~~
       = hint: `atomic` comes once before each variable: `(shared atomic [x 0])`
)");
    EXPECT_EQ(told("(shared _Atomic [x 0]) (([1 (x := 1)]))"), R"(
test.ctp:1:9: error[syntax]: expected a shared variable and its initial value, `[x v]` or `)`, found `_Atomic`
     1 | (shared _Atomic [x 0]) (([1 (x := 1)]))
       |         ^~~~~~~
       = hint: did you mean `atomic`? `(shared atomic [x 0])`
)");
    EXPECT_EQ(told("(shared [x y]) (([1 (x := 1)]))"), R"(
test.ctp:1:12: error[syntax]: expected a value: an integer, `true` or `false`, found `y`
     1 | (shared [x y]) (([1 (x := 1)]))
       |            ^
       = hint: an initial value is an integer, `true` or `false`, and no name: `[x 0]`
)");
    EXPECT_EQ(told("(shared [x]) (([1 (x := 1)]))"), R"(
test.ctp:1:11: error[syntax]: expected a value: an integer, `true` or `false`, found `]`
     1 | (shared [x]) (([1 (x := 1)]))
       |           ^
       = hint: a shared variable has an initial value: `[x 0]`, or `[x false]`
)");
    EXPECT_EQ(told("(shared [x 1.5]) (([1 (x := 1)]))"), R"(
test.ctp:1:12: error[syntax]: expected a value: an integer, `true` or `false`, found `1.5`
     1 | (shared [x 1.5]) (([1 (x := 1)]))
       |            ^~~
       = hint: numbers are integers
)");
    EXPECT_EQ(told("(shared [x False]) (([1 (x := 1)]))"), R"(
test.ctp:1:12: error[syntax]: expected a value: an integer, `true` or `false`, found `False`
     1 | (shared [x False]) (([1 (x := 1)]))
       |            ^~~~~
       = hint: did you mean `false`?
)");
    EXPECT_EQ(told("(shared [x := 2]) (([1 (x := 1)]))"), R"(
test.ctp:1:12: error[syntax]: expected a value: an integer, `true` or `false`, found `:=`
     1 | (shared [x := 2]) (([1 (x := 1)]))
       |            ^~
       = hint: the initial value follows the name: `[x 2]`
)");
    EXPECT_EQ(told("(shared [1 0]) (([1 (x := 1)]))"), R"(
test.ctp:1:10: error[syntax]: expected a variable, found `1`
     1 | (shared [1 0]) (([1 (x := 1)]))
       |          ^
       = hint: a variable's name is not a number: `[x 0]`
)");
    EXPECT_EQ(told("(shared [not 0]) (([1 (x := 1)]))"), R"(
test.ctp:1:10: error[syntax]: expected a variable, found `not`
     1 | (shared [not 0]) (([1 (x := 1)]))
       |          ^~~
       = hint: `not` is a reserved word: no variable can have this name
)");
    EXPECT_EQ(told("(shared [x 0 [y 0]) (([1 (x := 1)]))"), R"(
test.ctp:1:14: error[syntax]: expected `]` to close `[x`, found `[`
     1 | (shared [x 0 [y 0]) (([1 (x := 1)]))
       |              ^
       = hint: each shared variable has brackets of its own: `[x 0] [y 0]`
test.ctp:1:9: note: opened here
     1 | (shared [x 0 [y 0]) (([1 (x := 1)]))
       |         ^
)");
    EXPECT_EQ(told("(shared [x 0]\n(([1 (x := 1)]))"), R"(
test.ctp:2:2: error[syntax]: the program begins here, but `(shared` before it is not closed
     2 | (([1 (x := 1)]))
       |  ^
       = hint: a closing bracket ends the shared variables: `(shared [x 0] [y 0])`
test.ctp:1:1: note: opened here
     1 | (shared [x 0]
       | ^
)");
    EXPECT_EQ(told("(shared [x 0]) (([1 (when (= x 0) (x = 1))]))"), R"(
test.ctp:1:38: error[syntax]: expected `:=`, found `=`
     1 | (shared [x 0]) (([1 (when (= x 0) (x = 1))]))
       |                                      ^
       = hint: an assignment is written `(x := 1)`
)");
}

TEST(SyntaxError, Place) {
    EXPECT_EQ(told(R"x((([1 (x := 1) (at main.c 12)])))x"), R"(
test.ctp:1:19: error[syntax]: expected the name of a file, as in `"main.c"`, found `main.c`
     1 | (([1 (x := 1) (at main.c 12)]))
       |                   ^~~~~~
       = hint: the name of the file is in quotes: `(at "main.c" 12)`
)");
    EXPECT_EQ(told(R"x((([1 (x := 1) (at "main.c")])))x"), R"(
test.ctp:1:27: error[syntax]: expected a line number (at most 4294967295), found `)`
     1 | (([1 (x := 1) (at "main.c")]))
       |                           ^
       = hint: a place is written `(at "main.c" 12)`: a file, in quotes, and a line
)");
    EXPECT_EQ(told(R"x((([1 (x := 1) (at "main.c" x)])))x"), R"(
test.ctp:1:28: error[syntax]: expected a line number (at most 4294967295), found `x`
     1 | (([1 (x := 1) (at "main.c" x)]))
       |                            ^
       = hint: a place is written `(at "main.c" 12)`: a file, in quotes, and a line
)");
    EXPECT_EQ(told(R"x((([1 (x := 1) (at "main.c" 5000000000)])))x"), R"(
test.ctp:1:28: error[syntax]: expected a line number (at most 4294967295), found `5000000000`
     1 | (([1 (x := 1) (at "main.c" 5000000000)]))
       |                            ^~~~~~~~~~
       = hint: a place is written `(at "main.c" 12)`: a file, in quotes, and a line
)");
    EXPECT_EQ(told(R"x((([1 (x := 1) (at 12 "main.c")])))x"), R"(
test.ctp:1:19: error[syntax]: expected the name of a file, as in `"main.c"`, found `12`
     1 | (([1 (x := 1) (at 12 "main.c")]))
       |                   ^~
       = hint: a place is written `(at "main.c" 12)`: a file, in quotes, and a line
)");
    EXPECT_EQ(told(R"x((([1 (x := 1) (at "main.c 12)])))x"), R"(
test.ctp:1:19: error[syntax]: expected the name of a file, as in `"main.c"`, found `"`
     1 | (([1 (x := 1) (at "main.c 12)]))
       |                   ^
       = hint: a string ends on its line
)");
    EXPECT_EQ(told(R"x((([1 (at "main.c" 12) (x := 1)])))x"), R"(
test.ctp:1:10: error[syntax]: expected `:=` (commands are `assume`, `assert`, `x :=`, `sndi`, `ssndi`, `bsndi`, `rsndi`, `rcvi`, `wait`, `barrier`, `probe`, `mprobe`, `start`, `collective`, `icollective` and `when`), found `"main.c"`
     1 | (([1 (at "main.c" 12) (x := 1)]))
       |          ^~~~~~~~
       = hint: a place follows the command: `[00 (x := 1) (at "main.c" 12)]`
test.ctp:1:7: note: `at` is not a command's name, so this is read as an assignment to it
     1 | (([1 (at "main.c" 12) (x := 1)]))
       |       ^~
)");
    EXPECT_EQ(told(R"x((([1 (x := 1) (y := 2)])))x"), R"(
test.ctp:1:15: error[syntax]: expected a place `(at "file" line)` or `]`, found `(`
     1 | (([1 (x := 1) (y := 2)]))
       |               ^
       = hint: a location has one command: `[00 (x := 1)] [01 (y := 2)]`
)");
}

// What is expected is what was tried at the deepest place, in a text of several lines too.
TEST(SyntaxError, DeepestPoint) {
    EXPECT_EQ(told(R"x((
  ([1 (x := 1)]
   [2 (y : 3)]))
)x"),
              R"(
test.ctp:3:10: error[syntax]: expected `:=` (commands are `assume`, `assert`, `x :=`, `sndi`, `ssndi`, `bsndi`, `rsndi`, `rcvi`, `wait`, `barrier`, `probe`, `mprobe`, `start`, `collective`, `icollective` and `when`), found `:`
     3 |    [2 (y : 3)]))
       |          ^
       = hint: an assignment is written `(y := 3)`
test.ctp:3:8: note: `y` is not a command's name, so this is read as an assignment to it
     3 |    [2 (y : 3)]))
       |        ^
)");
    EXPECT_EQ(told("(([1 (⊥⊥ := 1 (2))]))"), R"(
test.ctp:1:15: error[syntax]: expected `)`, found `(`
     1 | (([1 (⊥⊥ := 1 (2))]))
       |               ^
       = hint: an assignment is written `(⊥⊥ := e)`
)");
}

// The offending byte is the one that is marked, whatever it is.
TEST(SyntaxError, InvalidUtf8) {
    EXPECT_EQ(told("(([1 (x := \xFF)]))"), R"(
test.ctp:1:12: error[syntax]: byte 0xFF is not UTF-8
     1 | (([1 (x := ?)]))
       |            ^
       = hint: save the file as UTF-8
)");
    EXPECT_EQ(told("; \xC3(\n()"), R"(
test.ctp:1:3: error[syntax]: byte 0xC3 is not UTF-8
     1 | ; ?(
       |   ^
       = hint: save the file as UTF-8
)");
    EXPECT_EQ(told("()\n; ab\xE2\x82"), R"(
test.ctp:2:5: error[syntax]: byte 0xE2 is not UTF-8
     2 | ; ab??
       |     ^
       = hint: save the file as UTF-8
)");
}

TEST(SyntaxError, InvalidUtf8ContinuationByte) {
    EXPECT_EQ(told("(([1 (x := a\x80)]))"), R"(
test.ctp:1:13: error[syntax]: byte 0x80 is not UTF-8
     1 | (([1 (x := a?)]))
       |             ^
       = hint: save the file as UTF-8
)");
}

// Invalid UTF-8 comes first, even in a comment after other errors.
TEST(SyntaxError, InvalidUtf8BeforeAllElse) {
    EXPECT_EQ(told("(x)\n; \xC0\x80"), R"(
test.ctp:2:3: error[syntax]: byte 0xC0 is not UTF-8
     2 | ; ??
       |   ^
       = hint: save the file as UTF-8
)");
}

TEST(SyntaxError, NamesAreEscapedAndCut) {
    EXPECT_EQ(told("(\x1b[31mx)"), R"(
test.ctp:1:2: error[syntax]: expected a thread `([rho c] ... bot)` or `)`, found `\x1b`
     1 | (?[31mx)
       |  ^
       = hint: every thread has its own brackets: `( [00 (x := 1)] bot )`
)");
    EXPECT_EQ(told("(" + std::string(70, 'x') + ")"), R"(
test.ctp:1:2: error[syntax]: expected a thread `([rho c] ... bot)` or `)`, found `)" +
                                                          std::string(60, 'x') + R"(…`
     1 | ()" + std::string(70, 'x') + R"()
       |  ^)" + std::string(69, '~') +
                                                          "\n       = hint: every thread has its own brackets: "
                                                          "`( [00 (x := 1)] bot )`\n");
}

// White space is ASCII's: a no-break space belongs to an atom.
TEST(SyntaxError, NoBreakSpaceIsNoWhiteSpace) {
    EXPECT_EQ(told("\xC2\xA0()"), "\ntest.ctp:1:1: error[syntax]: expected a concurrent trace program `(t ...)`, found "
                                  "`\xC2\xA0`\n     1 | \xC2\xA0()\n       | ^\n"
                                  "       = hint: there is a no-break space (U+00A0) in it: write a blank\n");
}

// Rules are checked only of what the syntax accepts.
TEST(SyntaxError, ComesWithoutFaultsOfRules) {
    Source const source("test.ctp", "(([1 (x := (+ 1))] [1 (y := 2)] x))");
    auto const result = parse(source);
    ASSERT_FALSE(result);
    ASSERT_EQ(result.error().size(), 1U);
    EXPECT_EQ(result.error()[0].rule, "syntax");
    EXPECT_EQ(result.error()[0].severity, Severity::error);
}

} // namespace
} // namespace matchpoint::test
