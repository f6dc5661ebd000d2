// Rules D1 to D6, each with its whole message, and programs that obey.

#include <gtest/gtest.h>

#include "grammar/discipline.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/programs.hpp"

namespace matchpoint::test {
namespace {

/// What check_discipline says of a text.
std::string faults(std::string text) {
    Source const source("test.ctp", std::move(text));
    return render(check_discipline(test::parsed(source), &source), source);
}
/// The same, from a line of its own on.
std::string told_of_faults(std::string text) { return "\n" + faults(std::move(text)); }

TEST(Discipline, D1) {
    EXPECT_EQ(told_of_faults(R"x((([1 (sndi S 1 0 1)])
 ([2 (sndi T 1 0 2)] [3 (sndi U 1 0 2)])
 ([4 (rcvi Q 1 y)] [5 (wait Q)])))x"),
              R"(
test.ctp:2:14: warning[D1]: endpoint 1 belongs to thread 0, but thread 1 sends from it
     2 |  ([2 (sndi T 1 0 2)] [3 (sndi U 1 0 2)])
       |              ^
test.ctp:3:14: warning[D1]: endpoint 1 belongs to thread 0, but thread 2 receives at it
     3 |  ([4 (rcvi Q 1 y)] [5 (wait Q)]))
       |              ^
)");
    EXPECT_EQ(told_of_faults(R"x((([1 (rcvi R 0 x)] [2 (wait R)])
 ([3 (sndi S 0 1 1)])))x"),
              R"(
test.ctp:2:14: warning[D1]: endpoint 0 belongs to thread 0, but thread 1 sends from it
     2 |  ([3 (sndi S 0 1 1)]))
       |              ^
)");
}

// Where threads share variables, they may share endpoints. All other rules are about each thread as before.
TEST(Discipline, D1AndSharedVariables) {
    EXPECT_EQ(
        faults(
            "(shared [v 0]) (([1 (rcvi R 0 x)] [2 (wait R)] [3 (sndi S 0 1 1)]) ([4 (probe P 0)] [5 (sndi T 0 1 2)]))"),
        "");
    EXPECT_EQ(told_of_faults("(shared [v 0]) (([1 (rcvi R 0 x)])\n ([2 (rcvi Q 0 y)] [3 (wait Q)]))"), R"(
test.ctp:1:27: warning[D3]: receive `R` has no nearest-enclosing wait: no later wait in its thread is for it or for a later receive at endpoint 0
     1 | (shared [v 0]) (([1 (rcvi R 0 x)])
       |                           ^
)");
}

TEST(Discipline, D2) {
    EXPECT_EQ(told_of_faults("(([1 (rcvi R 0 x)] [2 (wait R)] [3 (wait R)]))"), R"(
test.ctp:1:42: warning[D2]: action `R` is waited for twice
     1 | (([1 (rcvi R 0 x)] [2 (wait R)] [3 (wait R)]))
       |                                          ^
test.ctp:1:29: note: the first wait for it
     1 | (([1 (rcvi R 0 x)] [2 (wait R)] [3 (wait R)]))
       |                             ^
)");
    EXPECT_EQ(told_of_faults(R"x((([1 (sndi S 1 0 1)] [2 (wait S)]
  [3 (wait S)] [4 (wait S)])))x"),
              R"(
test.ctp:2:12: warning[D2]: action `S` is waited for twice
     2 |   [3 (wait S)] [4 (wait S)]))
       |            ^
test.ctp:1:31: note: the first wait for it
     1 | (([1 (sndi S 1 0 1)] [2 (wait S)]
       |                               ^
test.ctp:2:25: warning[D2]: action `S` is waited for twice
     2 |   [3 (wait S)] [4 (wait S)]))
       |                         ^
test.ctp:1:31: note: the first wait for it
     1 | (([1 (sndi S 1 0 1)] [2 (wait S)]
       |                               ^
)");
    EXPECT_EQ(told_of_faults(R"x((([1 (wait S)])
 ([2 (sndi S 1 0 1)])))x"),
              R"(
test.ctp:1:12: warning[D2]: the wait for `S` is in thread 0, its action in thread 1
     1 | (([1 (wait S)])
       |            ^
test.ctp:2:12: note: the action
     2 |  ([2 (sndi S 1 0 1)]))
       |            ^
)");
    EXPECT_EQ(told_of_faults("(([1 (wait S)] [2 (sndi S 1 0 1)]))"), R"(
test.ctp:1:12: warning[D2]: the wait for `S` comes before its action
     1 | (([1 (wait S)] [2 (sndi S 1 0 1)]))
       |            ^
test.ctp:1:25: note: the action
     1 | (([1 (wait S)] [2 (sndi S 1 0 1)]))
       |                         ^
)");
    EXPECT_EQ(told_of_faults("(([1 (wait S)] [2 (sndi S 1 0 1)] [3 (wait S)]))"), R"(
test.ctp:1:12: warning[D2]: the wait for `S` comes before its action
     1 | (([1 (wait S)] [2 (sndi S 1 0 1)] [3 (wait S)]))
       |            ^
test.ctp:1:25: note: the action
     1 | (([1 (wait S)] [2 (sndi S 1 0 1)] [3 (wait S)]))
       |                         ^
test.ctp:1:44: warning[D2]: action `S` is waited for twice
     1 | (([1 (wait S)] [2 (sndi S 1 0 1)] [3 (wait S)]))
       |                                            ^
test.ctp:1:12: note: the first wait for it
     1 | (([1 (wait S)] [2 (sndi S 1 0 1)] [3 (wait S)]))
       |            ^
)");
}

TEST(Discipline, D3) {
    EXPECT_EQ(told_of_faults("(([1 (rcvi R 0 x)]))"), R"(
test.ctp:1:12: warning[D3]: receive `R` has no nearest-enclosing wait: no later wait in its thread is for it or for a later receive at endpoint 0
     1 | (([1 (rcvi R 0 x)]))
       |            ^
)");
    EXPECT_EQ(told_of_faults("(([1 (rcvi R 0 x)] [2 (rcvi T 1 y)] [3 (wait T)]))"), R"(
test.ctp:1:12: warning[D3]: receive `R` has no nearest-enclosing wait: no later wait in its thread is for it or for a later receive at endpoint 0
     1 | (([1 (rcvi R 0 x)] [2 (rcvi T 1 y)] [3 (wait T)]))
       |            ^
)");
    EXPECT_EQ(told_of_faults("(([1 (rcvi R 0 x)] [2 (rcvi T 0 y)] [3 (wait R)]))"), R"(
test.ctp:1:29: warning[D3]: receive `T` has no nearest-enclosing wait: no later wait in its thread is for it or for a later receive at endpoint 0
     1 | (([1 (rcvi R 0 x)] [2 (rcvi T 0 y)] [3 (wait R)]))
       |                             ^
)");
    // A wait that breaks D2 is told once: neither D3 nor, where x is used, D5 says so again.
    EXPECT_EQ(told_of_faults(R"x((([1 (wait R)]
  [2 (rcvi R 0 x)] [3 (assert (= x 1))])))x"),
              R"(
test.ctp:1:12: warning[D2]: the wait for `R` comes before its action
     1 | (([1 (wait R)]
       |            ^
test.ctp:2:12: note: the action
     2 |   [2 (rcvi R 0 x)] [3 (assert (= x 1))]))
       |            ^
)");
    EXPECT_EQ(told_of_faults(R"x((([1 (rcvi T 0 y)] [2 (rcvi R 0 x)] [3 (assert (= y x))])
 ([4 (wait R)])))x"),
              R"(
test.ctp:2:12: warning[D2]: the wait for `R` is in thread 1, its action in thread 0
     2 |  ([4 (wait R)]))
       |            ^
test.ctp:1:29: note: the action
     1 | (([1 (rcvi T 0 y)] [2 (rcvi R 0 x)] [3 (assert (= y x))])
       |                             ^
)");
    EXPECT_EQ(told_of_faults(R"x((([1 (rcvi R 0 x)] [2 (rcvi T 0 y)])
 ([3 (wait R)])))x"),
              R"(
test.ctp:1:29: warning[D3]: receive `T` has no nearest-enclosing wait: no later wait in its thread is for it or for a later receive at endpoint 0
     1 | (([1 (rcvi R 0 x)] [2 (rcvi T 0 y)])
       |                             ^
test.ctp:2:12: warning[D2]: the wait for `R` is in thread 1, its action in thread 0
     2 |  ([3 (wait R)]))
       |            ^
test.ctp:1:12: note: the action
     1 | (([1 (rcvi R 0 x)] [2 (rcvi T 0 y)])
       |            ^
)");
}

TEST(Discipline, D4) {
    EXPECT_EQ(told_of_faults(R"x((([1 (x := 1)] [2 (y := x)])
 ([3 (x := 2)] [4 (x := (+ x 1))])
 ([5 (rcvi R 0 y)] [6 (wait R)])))x"),
              R"(
test.ctp:2:7: warning[D4]: variable `x` belongs to thread 0, but thread 1 uses it (`(shared [x 0])` in front of the program declares it shared)
     2 |  ([3 (x := 2)] [4 (x := (+ x 1))])
       |       ^
test.ctp:3:16: warning[D4]: variable `y` belongs to thread 0, but thread 2 uses it (`(shared [y 0])` in front of the program declares it shared)
     3 |  ([5 (rcvi R 0 y)] [6 (wait R)]))
       |                ^
)");
    // A lock that nobody holds at the beginning.
    std::string const locked = told_of_faults(R"x((([1 (m := 1)])
 ([2 (when (> m 0) (m := (- m 1)))])))x");
    EXPECT_NE(locked.find("(`(shared [m 1])` in front of the program declares it shared)"), std::string::npos)
        << locked;
    EXPECT_EQ(told_of_faults(R"x((([1 (x := 1)])
 ([2 (assert (< 0 (* 2 x)))])))x"),
              R"(
test.ctp:2:24: warning[D4]: variable `x` belongs to thread 0, but thread 1 uses it (`(shared [x 0])` in front of the program declares it shared)
     2 |  ([2 (assert (< 0 (* 2 x)))]))
       |                        ^
test.ctp:2:24: warning[D5]: variable `x` is used before an assignment to it, or a wait that completes a receive into it, in thread 1
     2 |  ([2 (assert (< 0 (* 2 x)))]))
       |                        ^
)");
}

TEST(Discipline, D5OfAMisspeltVariable) {
    EXPECT_EQ(told_of_faults("(([1 (balance := 4)] [2 (assert (= balence 4))]))"), R"(
test.ctp:1:36: warning[D5]: variable `balence` is used before an assignment to it, or a wait that completes a receive into it, in thread 0
     1 | (([1 (balance := 4)] [2 (assert (= balence 4))]))
       |                                    ^~~~~~~
       = hint: did you mean `balance`?
)");
    auto const hinted = [](std::string const& text) {
        std::string const told = told_of_faults(text);
        std::size_t const at = told.find("did you mean ");
        return at == std::string::npos ? "" : told.substr(at, told.find('\n', at) - at);
    };
    EXPECT_EQ(hinted("(shared [balance 4]) (([1 (assert (= balence 4))]))"), "did you mean `balance`?");
    // It has no value there, or only another thread has it.
    EXPECT_EQ(hinted("(([1 (assert (= balence 4))] [2 (balance := 4)]))"), "");
    EXPECT_EQ(hinted("(([1 (balance := 4)]) ([2 (assert (= balence 4))]))"), "");
    // It is written, but too late.
    EXPECT_EQ(hinted("(([1 (balance := 4)] [2 (assert (= balence 4))] [3 (balence := 4)]))"), "");
    // One that is misspelt, too, is not suggested.
    EXPECT_EQ(hinted("(([1 (assert (= balence 4))] [2 (assert (= balense 4))]))"), "");
}

TEST(Discipline, D5) {
    EXPECT_EQ(told_of_faults("(([1 (x := (+ y 1))] [2 (x := (+ y z))]))"), R"(
test.ctp:1:15: warning[D5]: variable `y` is used before an assignment to it, or a wait that completes a receive into it, in thread 0
     1 | (([1 (x := (+ y 1))] [2 (x := (+ y z))]))
       |               ^
test.ctp:1:36: warning[D5]: variable `z` is used before an assignment to it, or a wait that completes a receive into it, in thread 0
     1 | (([1 (x := (+ y 1))] [2 (x := (+ y z))]))
       |                                    ^
)");
    EXPECT_EQ(told_of_faults("(([1 (rcvi R 0 w)] [2 (assert (= w 1))] [3 (wait R)] [4 (assert (= w 1))]))"), R"(
test.ctp:1:34: warning[D5]: variable `w` is used before an assignment to it, or a wait that completes a receive into it, in thread 0
     1 | (([1 (rcvi R 0 w)] [2 (assert (= w 1))] [3 (wait R)] [4 (assert (= w 1))]))
       |                                  ^
)");
    EXPECT_EQ(told_of_faults("(([1 (v := v)]))"), R"(
test.ctp:1:12: warning[D5]: variable `v` is used before an assignment to it, or a wait that completes a receive into it, in thread 0
     1 | (([1 (v := v)]))
       |            ^
)");
    EXPECT_EQ(told_of_faults("(([1 (sndi S 1 0 x)] [2 (assume (not b))] [3 (assert c)]))"), R"(
test.ctp:1:18: warning[D5]: variable `x` is used before an assignment to it, or a wait that completes a receive into it, in thread 0
     1 | (([1 (sndi S 1 0 x)] [2 (assume (not b))] [3 (assert c)]))
       |                  ^
test.ctp:1:38: warning[D5]: variable `b` is used before an assignment to it, or a wait that completes a receive into it, in thread 0
     1 | (([1 (sndi S 1 0 x)] [2 (assume (not b))] [3 (assert c)]))
       |                                      ^
test.ctp:1:54: warning[D5]: variable `c` is used before an assignment to it, or a wait that completes a receive into it, in thread 0
     1 | (([1 (sndi S 1 0 x)] [2 (assume (not b))] [3 (assert c)]))
       |                                                      ^
)");
}

TEST(Discipline, D6Operators) {
    EXPECT_EQ(told_of_faults("(([1 (x := (+ 1 true))] [2 (x := (and 1 (< true false)))]))"), R"(
test.ctp:1:17: warning[D6]: `+` takes operands of sort Int, this one is Bool
     1 | (([1 (x := (+ 1 true))] [2 (x := (and 1 (< true false)))]))
       |                 ^~~~
test.ctp:1:39: warning[D6]: `and` takes operands of sort Bool, this one is Int
     1 | (([1 (x := (+ 1 true))] [2 (x := (and 1 (< true false)))]))
       |                                       ^
test.ctp:1:44: warning[D6]: `<` takes operands of sort Int, this one is Bool
     1 | (([1 (x := (+ 1 true))] [2 (x := (and 1 (< true false)))]))
       |                                            ^~~~
test.ctp:1:49: warning[D6]: `<` takes operands of sort Int, this one is Bool
     1 | (([1 (x := (+ 1 true))] [2 (x := (and 1 (< true false)))]))
       |                                                 ^~~~~
)");
    EXPECT_EQ(told_of_faults("(([1 (x := (= 1 true))] [2 (x := (!= (= 1 1) 2))]))"), R"(
test.ctp:1:13: warning[D6]: `=` compares Int with Bool
     1 | (([1 (x := (= 1 true))] [2 (x := (!= (= 1 1) 2))]))
       |             ^
test.ctp:1:35: warning[D6]: `!=` compares Bool with Int
     1 | (([1 (x := (= 1 true))] [2 (x := (!= (= 1 1) 2))]))
       |                                   ^~
)");
    EXPECT_EQ(told_of_faults("(([1 (x := (not 1))] [2 (x := (not (+ 1 2)))]))"), R"(
test.ctp:1:17: warning[D6]: `not` takes operands of sort Bool, this one is Int
     1 | (([1 (x := (not 1))] [2 (x := (not (+ 1 2)))]))
       |                 ^
test.ctp:1:37: warning[D6]: `not` takes operands of sort Bool, this one is Int
     1 | (([1 (x := (not 1))] [2 (x := (not (+ 1 2)))]))
       |                                     ^
)");
    EXPECT_EQ(told_of_faults("(([1 (assume 1)] [2 (assert (+ 1 2))]))"), R"(
test.ctp:1:14: warning[D6]: what is assumed has to be Bool, this is Int
     1 | (([1 (assume 1)] [2 (assert (+ 1 2))]))
       |              ^
test.ctp:1:30: warning[D6]: what is asserted has to be Bool, this is Int
     1 | (([1 (assume 1)] [2 (assert (+ 1 2))]))
       |                              ^
)");
}

TEST(Discipline, D6Variables) {
    EXPECT_EQ(told_of_faults(R"x((([1 (x := 1)] [2 (x := true)] [3 (assert x)]
  [4 (assert (< x 1))])))x"),
              R"(
test.ctp:2:17: warning[D6]: `<` takes operands of sort Int, this one is Bool
     2 |   [4 (assert (< x 1))]))
       |                 ^
)");
    EXPECT_EQ(told_of_faults("(([1 (x := true)] [2 (y := x)] [3 (z := (* y 2))]))"), R"(
test.ctp:1:44: warning[D6]: `*` takes operands of sort Int, this one is Bool
     1 | (([1 (x := true)] [2 (y := x)] [3 (z := (* y 2))]))
       |                                            ^
)");
}

TEST(Discipline, D6Messages) {
    EXPECT_EQ(told_of_faults(R"x((([1 (rcvi R 0 x)] [2 (wait R)] [3 (x := (+ x 1))])
 ([4 (sndi S 1 0 true)] [5 (sndi T 1 0 (= 1 1))] [6 (sndi U 1 0 3)])))x"),
              R"(
test.ctp:2:18: warning[D6]: messages to endpoint 0 are Int, this one is Bool
     2 |  ([4 (sndi S 1 0 true)] [5 (sndi T 1 0 (= 1 1))] [6 (sndi U 1 0 3)]))
       |                  ^~~~
test.ctp:1:45: note: Int because `x`, received at 1:16, is used as an Int here
     1 | (([1 (rcvi R 0 x)] [2 (wait R)] [3 (x := (+ x 1))])
       |                                             ^
test.ctp:2:41: warning[D6]: messages to endpoint 0 are Int, this one is Bool
     2 |  ([4 (sndi S 1 0 true)] [5 (sndi T 1 0 (= 1 1))] [6 (sndi U 1 0 3)]))
       |                                         ^
test.ctp:1:45: note: Int because `x`, received at 1:16, is used as an Int here
     1 | (([1 (rcvi R 0 x)] [2 (wait R)] [3 (x := (+ x 1))])
       |                                             ^
)");
    EXPECT_EQ(told_of_faults(R"x((([1 (sndi S 1 0 true)])
 ([2 (sndi T 2 0 3)])
 ([3 (rcvi R 0 x)] [4 (wait R)] [5 (assert (< x 1))])))x"),
              R"(
test.ctp:2:18: warning[D6]: messages to endpoint 0 are Bool, this one is Int
     2 |  ([2 (sndi T 2 0 3)])
       |                  ^
test.ctp:1:18: note: Bool because this message is
     1 | (([1 (sndi S 1 0 true)])
       |                  ^~~~
test.ctp:3:47: warning[D6]: `<` takes operands of sort Int, this one is Bool
     3 |  ([3 (rcvi R 0 x)] [4 (wait R)] [5 (assert (< x 1))]))
       |                                               ^
test.ctp:1:18: note: Bool because this message is
     1 | (([1 (sndi S 1 0 true)])
       |                  ^~~~
)");
    EXPECT_EQ(told_of_faults("(([1 (rcvi R 0 x)] [2 (rcvi Q 0 y)] [3 (wait Q)] [4 (assume x)] [5 (assert (> y 1))]))"),
              R"(
test.ctp:1:79: warning[D6]: `>` takes operands of sort Int, this one is Bool
     1 | …Q 0 y)] [3 (wait Q)] [4 (assume x)] [5 (assert (> y 1))]))
       |                                                    ^
test.ctp:1:61: note: Bool because `x`, received at 1:16, is used as a Bool here
     1 | (([1 (rcvi R 0 x)] [2 (rcvi Q 0 y)] [3 (wait Q)] [4 (assume x)] [5 (assert (> y 1))]))
       |                                                             ^
)");
    EXPECT_EQ(told_of_faults(R"x((([1 (rcvi R 0 x)] [2 (wait R)] [3 (assume x)])
 ([4 (rcvi Q 1 y)] [5 (wait Q)] [6 (sndi S 2 0 y)] [7 (assert (> y 1))])))x"),
              R"(
test.ctp:2:66: warning[D6]: `>` takes operands of sort Int, this one is Bool
     2 |  ([4 (rcvi Q 1 y)] [5 (wait Q)] [6 (sndi S 2 0 y)] [7 (assert (> y 1))]))
       |                                                                  ^
test.ctp:2:48: note: Bool because `y`, received at 2:16, is used as a Bool here
     2 |  ([4 (rcvi Q 1 y)] [5 (wait Q)] [6 (sndi S 2 0 y)] [7 (assert (> y 1))]))
       |                                                ^
)");
}

// D3 is found at a thread's end, but is reported in the order of the text all the same.
TEST(Discipline, InTheOrderOfTheText) {
    EXPECT_EQ(told_of_faults(R"x((([1 (rcvi R 0 x)] [2 (x := (+ true 1))] [3 (y := z)])
 ([4 (x := 1)])))x"),
              R"(
test.ctp:1:12: warning[D3]: receive `R` has no nearest-enclosing wait: no later wait in its thread is for it or for a later receive at endpoint 0
     1 | (([1 (rcvi R 0 x)] [2 (x := (+ true 1))] [3 (y := z)])
       |            ^
test.ctp:1:32: warning[D6]: `+` takes operands of sort Int, this one is Bool
     1 | (([1 (rcvi R 0 x)] [2 (x := (+ true 1))] [3 (y := z)])
       |                                ^~~~
test.ctp:1:51: warning[D5]: variable `z` is used before an assignment to it, or a wait that completes a receive into it, in thread 0
     1 | (([1 (rcvi R 0 x)] [2 (x := (+ true 1))] [3 (y := z)])
       |                                                   ^
test.ctp:2:7: warning[D4]: variable `x` belongs to thread 0, but thread 1 uses it (`(shared [x 0])` in front of the program declares it shared)
     2 |  ([4 (x := 1)]))
       |       ^
)");
}

TEST(Discipline, D1Obeyed) {
    EXPECT_EQ(faults(R"((([1 (sndi S 1 0 1)] [2 (rcvi R 1 x)] [3 (wait R)] [4 (sndi T 2 0 1)])
                         ([5 (rcvi Q 0 y)] [6 (wait Q)] [7 (sndi U 0 1 5)]))
                        ((1 ((9 9)))))"),
              "");
}

TEST(Discipline, D2Obeyed) {
    EXPECT_EQ(faults("(([1 (sndi S 1 0 1)] [2 (rcvi R 1 x)] [3 (wait R)] [4 (wait S)] [5 (sndi T 1 0 2)]))"), "");
}

// A wait for a later receive at the same endpoint is enough, and waits may come in any order.
TEST(Discipline, D3Obeyed) {
    EXPECT_EQ(faults("(([1 (rcvi R 0 x)] [2 (rcvi T 0 y)] [3 (rcvi U 1 z)] [4 (wait T)] [5 (wait U)]))"), "");
    EXPECT_EQ(faults("(([1 (rcvi R 0 x)] [2 (rcvi T 0 y)] [3 (wait T)] [4 (wait R)]))"), "");
}

TEST(Discipline, D4Obeyed) { EXPECT_EQ(faults("(([1 (x := 1)] [2 (y := x)]) ([3 (z := 1)] [4 (w := z)]))"), ""); }

// A wait completes the earlier receives at its endpoint, too.
TEST(Discipline, D5Obeyed) {
    EXPECT_EQ(faults(R"((([1 (rcvi R 0 x)] [2 (rcvi T 0 y)] [3 (wait T)] [4 (z := (+ x y))] [5 (assert (< z x))]
                          [6 (rcvi U 0 z)] [7 (z := (+ z 1))] [8 (wait U)]))
                        ())"),
              "");
}

// Another definition of a variable may have another sort; an endpoint that nobody sends to has the sort of its use.
TEST(Discipline, D6Obeyed) {
    EXPECT_EQ(faults(R"((([1 (x := 1)] [2 (x := (< x 2))] [3 (assert x)] [4 (x := (= x true))] [5 (assume (!= x false))]
                          [6 (rcvi R 0 x)] [7 (wait R)] [8 (assert (=> x (not x)))]
                          [9 (rcvi Q 1 x)] [10 (wait Q)] [11 (assert (or (= x 3) (xor (>= x 1) (<= (mod x 2) (div x 2)))))]
                          [12 (rcvi T 2 x)] [13 (wait T)] [14 (y := x)] [15 (assert (= y x))])
                         ([16 (sndi S 5 1 (- 1 (* 2 3)))] [17 (sndi U 5 0 (and true (> 1 2)))])))"),
              "");
}

TEST(Discipline, SeverityIsTheCallers) {
    Source const source("test.ctp", "(([1 (assert 1)]))");
    Program const program = test::parsed(source);
    EXPECT_EQ(headline(check_discipline(program, &source).at(0), source),
              "test.ctp:1:14: warning[D6]: what is asserted has to be Bool, this is Int");
    EXPECT_EQ(headline(check_discipline(program, &source, Severity::error).at(0), source),
              "test.ctp:1:14: error[D6]: what is asserted has to be Bool, this is Int");
}

// Without the source there are no places, and no notes, which are only places.
TEST(Discipline, WithoutTheSource) {
    Source const source("test.ctp", "(([1 (wait S)] [2 (sndi S 1 0 1)] [3 (x := (+ y true))] [4 (wait S)]))");
    Program const program = test::parsed(source);
    EXPECT_EQ("\n" + render(check_discipline(program), source), R"(
test.ctp: warning[D2]: the wait for `S` comes before its action
test.ctp: warning[D5]: variable `y` is used before an assignment to it, or a wait that completes a receive into it, in thread 0
test.ctp: warning[D6]: `+` takes operands of sort Int, this one is Bool
test.ctp: warning[D2]: action `S` is waited for twice
)");
}

TEST(Discipline, KeepsUpToALimit) {
    Source const source("test.ctp", "(([1 (assert 1)] [2 (wait S)] [3 (wait S)] [4 (assert 2)] [5 (sndi S 1 0 1)]))");
    Program const program = test::parsed(source);
    auto const rules = [&](std::size_t limit) {
        std::string text;
        for (Diagnostic const& d : check_discipline(program, &source, Severity::warning, limit))
            text += std::string(d.rule) + "+" + std::to_string(d.notes.size()) + " ";
        return text;
    };
    EXPECT_EQ(rules(1000), "D6+0 D2+1 D2+1 D6+0 ");
    EXPECT_EQ(rules(4), "D6+0 D2+1 D2+1 D6+0 ");
    EXPECT_EQ(rules(2), "D6+0 D2+1 ");
    EXPECT_EQ(rules(1), "D6+0 ");
    EXPECT_EQ(rules(0), "");
}

TEST(Discipline, SharedVariables) {
    // All threads may use them, from the beginning; a guarded assignment defines its locals for what follows it.
    EXPECT_EQ(
        faults("(shared [x 0] [b true]) (([1 (x := (+ x 1))] [2 (assume b (t := x) (x := 2))] [3 (assert (= t x))])"
               "([4 (when (and b (> x 0)) (b := false))] [5 (rcvi R 0 x)] [6 (wait R)]) ([7 (sndi S 1 0 x)]))"),
        "");
    EXPECT_EQ(told_of_faults("(shared [x 0]) (([1 (assume true (t := 1) (u := t))]) ([2 (t := 2)]))"), R"(
test.ctp:1:49: warning[D5]: variable `t` is used before an assignment to it, or a wait that completes a receive into it, in thread 0
     1 | (shared [x 0]) (([1 (assume true (t := 1) (u := t))]) ([2 (t := 2)]))
       |                                                 ^
test.ctp:1:60: warning[D4]: variable `t` belongs to thread 0, but thread 1 uses it (`(shared [t 0])` in front of the program declares it shared)
     1 | (shared [x 0]) (([1 (assume true (t := 1) (u := t))]) ([2 (t := 2)]))
       |                                                            ^
)");
    EXPECT_EQ(told_of_faults("(shared [x 0]) (([1 (when x (x := (= x 1)))]))"), R"(
test.ctp:1:27: warning[D6]: what is waited for has to be Bool, this is Int
     1 | (shared [x 0]) (([1 (when x (x := (= x 1)))]))
       |                           ^
test.ctp:1:36: warning[D6]: shared variable `x` is Int, what is assigned is Bool
     1 | (shared [x 0]) (([1 (when x (x := (= x 1)))]))
       |                                    ^
)");
    EXPECT_EQ(told_of_faults("(shared [x 0]) (([1 (rcvi R 0 x)] [2 (wait R)]) ([3 (sndi S 1 0 true)]))"), R"(
test.ctp:1:65: warning[D6]: messages to endpoint 0 are Int, this one is Bool
     1 | (shared [x 0]) (([1 (rcvi R 0 x)] [2 (wait R)]) ([3 (sndi S 1 0 true)]))
       |                                                                 ^~~~
test.ctp:1:31: note: Int because they are received into shared variable `x` here
     1 | (shared [x 0]) (([1 (rcvi R 0 x)] [2 (wait R)]) ([3 (sndi S 1 0 true)]))
       |                               ^
)");
}

/// `endpoints_of_booleans` of a program in which thread 0 sends e to endpoint 0, after an assignment to b, and thread 1
/// receives it as x.
std::vector<bool> endpoints_of_booleans_of(std::string const& assigned, std::string const& e, std::string const& use) {
    Source const source("test.ctp", "(([1 (b := " + assigned + ")] [2 (sndi S 1 0 " + e +
                                        ")]) ([3 (rcvi R 0 x)] [4 (wait R)] [5 " + use + "]))");
    return endpoints_of_booleans(test::parsed(source));
}

TEST(Discipline, EndpointsOfBooleans) {
    std::vector<bool> const none = {false, false};
    // Endpoint 1 is named first.
    std::vector<bool> const zero = {false, true};
    EXPECT_EQ(endpoints_of_booleans_of("1", "(+ b 1)", "(assert (= x 2))"), none);
    EXPECT_EQ(endpoints_of_booleans_of("1", "b", "(assert (not (or (< x 2) (= x b))))"), none);
    EXPECT_EQ(endpoints_of_booleans_of("1", "true", "(y := x)"), zero);
    EXPECT_EQ(endpoints_of_booleans_of("1", "(= b 1)", "(y := x)"), zero);
    EXPECT_EQ(endpoints_of_booleans_of("(< 1 2)", "b", "(y := x)"), zero);
    EXPECT_EQ(endpoints_of_booleans_of("1", "b", "(assume x)"), none) << "it is Int by what is sent";
    EXPECT_EQ(endpoints_of_booleans_of("b", "b", "(assume x)"), zero);
    EXPECT_EQ(endpoints_of_booleans_of("b", "b", "(assert (and (= 1 1) x))"), zero);
    EXPECT_EQ(endpoints_of_booleans_of("b", "b", "(assert (not x))"), zero);
    EXPECT_EQ(endpoints_of_booleans_of("b", "b", "(assert (= x (= 1 1)))"), zero);
}

TEST(Discipline, OfAnEmptyProgram) {
    EXPECT_EQ(faults("()"), "");
    EXPECT_EQ(faults("(() ())"), "");
}

} // namespace
} // namespace matchpoint::test
