// The printer: the canonical form, comments in their places, and the parser's inverse.

#include <gtest/gtest.h>

#include "tests/support/all_rooms.hpp"
#include "tests/support/programs.hpp"

namespace matchpoint::test {
namespace {

using test::parsed;

/// With its comments.
std::string formatted(std::string text) {
    Source const source("test.ctp", std::move(text));
    return print(parsed(source, {.keep_comments = true}), &source);
}

/// What printing gives; printing that again has to give the same, and an equal program.
std::string reprinted(std::string const& text) {
    std::string const once = formatted(text);
    EXPECT_EQ(formatted(once), once);
    EXPECT_EQ(parsed(Source("test.ctp", once)), parsed(Source("test.ctp", text)));
    return once;
}

TEST(Print, CanonicalForm) {
    EXPECT_EQ(
        reprinted("[([1 [x := [+ +01 (not true)]]] [ 2 (assume (= a -05))]) () ([3 (assert b)] [4 (sndi S 01 00 7)]\n"
                  "[5 (rcvi R 2 z)] [6 (wait S)])] ((1 ((0 1)(2 +3))) (2 ()) (9 ⊥)) ()"),
        R"((
  (
    [1 (x := (+ 1 (not true)))]
    [2 (assume (= a -5))]
    bot
  )
  (
    bot
  )
  (
    [3 (assert b)]
    [4 (sndi S 1 0 7)]
    [5 (rcvi R 2 z)]
    [6 (wait S)]
    bot
  )
)
(
  (1 ((0 1) (2 3) bot))
  (2 bot)
  (9 bot)
)
(
)
)");
    EXPECT_EQ(reprinted("()"), "(\n)\n");
}

TEST(Print, SharedMemory) {
    EXPECT_EQ(
        reprinted(
            "[shared (x +1)[b true]] ; why\n(([1 (when (not b) [b := true] (x := (+ x 1)))] [2 (assume b [t := x])] [3 "
            "(when b)] [4 (when := 1)]))"),
        R"((shared [x 1] [b true]) ; why
(
  (
    [1 (when (not b) (b := true) (x := (+ x 1)))]
    [2 (assume b (t := x))]
    [3 (when b)]
    [4 (when := 1)]
    bot
  )
)
)");
    EXPECT_EQ(reprinted("(shared [atomic 1] atomic\n[x 0] [y 0]) (([1 (atomic := 1)]))"),
              "(shared [atomic 1] atomic [x 0] [y 0])\n(\n  (\n    [1 (atomic := 1)]\n    bot\n  )\n)\n");
    EXPECT_EQ(reprinted("(shared) (([1 (x := 1)]))"), "(shared)\n(\n  (\n    [1 (x := 1)]\n    bot\n  )\n)\n");
}

TEST(Print, Communicators) {
    EXPECT_EQ(reprinted("(shared [x 1]) [communicators (w 1 +0) [v]] ; why\n (([1 (collective K w scan)]) ())"),
              "(shared [x 1])\n(communicators [w 1 0] [v]) ; why\n(\n  (\n    [1 (collective K w scan)]\n    bot\n  )\n"
              "  (\n    bot\n  )\n)\n");
    EXPECT_EQ(reprinted("(communicators) (([1 (communicators := 1)]))"),
              "(communicators)\n(\n  (\n    [1 (communicators := 1)]\n    bot\n  )\n)\n");
}

TEST(Print, ExtraLocations) {
    EXPECT_EQ(reprinted("(([1 (sndi S 1 0 (+ x 1) 2)] [2 (rcvi R 2 z 1)]))"), R"((
  (
    [1 (sndi S 1 0 (+ x 1) 2)]
    [2 (rcvi R 2 z 1)]
    bot
  )
)
)");
}

TEST(Print, TagsOfMovements) {
    EXPECT_EQ(reprinted("() [[1 [[0 1 +07](2 3)[4 5 0]]]]"), R"((
)
(
  (1 ((0 1 7) (2 3) (4 5 0) bot))
)
)");
}

TEST(Print, ChoicesOfTime) {
    EXPECT_EQ(
        reprinted(
            R"(([[1 (rcvi R 0 x)] [2 (test R false)] [3 (test R true 05)] [4 (wait R (among R Q))] [5 (wait Q (some Q))]
        [6 (test (some Q) true)] [7 (test (all Q R) false 2)] [8 (iprobe P 07 (tag 3) (from 1 2) false) (at "a" 3)]
        [9 (test := 1)] [10 (iprobe := test)] [11 (iprobe P 0 true 0)] [12 (test (among R) false 1)] [13 (rcvi Q 0 y)]]))"),
        R"((
  (
    [1 (rcvi R 0 x)]
    [2 (test R false)]
    [3 (test R true 5)]
    [4 (wait R (among R Q))]
    [5 (wait Q (some Q))]
    [6 (test (some Q) true)]
    [7 (test (all Q R) false 2)]
    [8 (iprobe P 7 (from 1 2) (tag 3) false) (at "a" 3)]
    [9 (test := 1)]
    [10 (iprobe := test)]
    [11 (iprobe P 0 true)]
    [12 (test (among R) false)]
    [13 (rcvi Q 0 y)]
    bot
  )
)
)");
}

TEST(Print, Parts) {
    Source const source("test.ctp", "(([1 (x := (+ (* 2 y) (- 3 z)))])) ((1 ((0 1) (2 0))) (1 bot))");
    Program const p = parsed(source);
    EXPECT_EQ(print(p, p.ctp.commands[0].c), "(x := (+ (* 2 y) (- 3 z)))");
    EXPECT_EQ(print(p, Expression{0, 7}), "(+ (* 2 y) (- 3 z))");
    EXPECT_EQ(print(p, Expression{0, 3}), "(* 2 y)");
    EXPECT_EQ(print(p, Expression{1, 1}), "y");
    EXPECT_EQ(print(p, p.traces[0].m(0)), "((0 1) (2 0) bot)");
    EXPECT_EQ(print(p, p.traces[0].m(1)), "bot");
    EXPECT_EQ(print(p, p.traces[0], 0), "(1 ((0 1) (2 0) bot))");
    EXPECT_EQ(print(p, p.traces[0], 1), "(1 bot)");
}

TEST(Print, WithoutTheSourceThereAreNoComments) {
    Source const source("test.ctp", "; a\n() ; b");
    EXPECT_EQ(print(parsed(source, {.keep_comments = true})), "(\n)\n");
    EXPECT_EQ(print(parsed(source), &source), "(\n)\n"); // not kept
}

// Those on a line of their own come before what follows them, the others at the end of the line that they followed.
TEST(Print, Comments) {
    EXPECT_EQ(reprinted(R"(; first
   ; second
( ; the program
; thread 0
( ; its begin
[1 (x := 1)] ; behind 1
      ; before 2
[2 (x := 2)] [3 (x := 3)] ; behind 3
; before bot
) ; end of thread 0
; before thread 1
([4 (x := 4)])
; before the end
) ; end of the program
; before the trace
( ; the trace
(1 bot) ; entry 1
; before entry 2
(2 bot)(3 ((0 1))) ; entry 3
) ; end of the trace
; the very end
)"),
              R"(; first
; second
( ; the program
  ; thread 0
  ( ; its begin
    [1 (x := 1)] ; behind 1
    ; before 2
    [2 (x := 2)]
    [3 (x := 3)] ; behind 3
    ; before bot
    bot
  ) ; end of thread 0
  ; before thread 1
  (
    [4 (x := 4)]
    bot
  )
; before the end
) ; end of the program
; before the trace
( ; the trace
  (1 bot) ; entry 1
  ; before entry 2
  (2 bot)
  (3 ((0 1) bot)) ; entry 3
) ; end of the trace
; the very end
)");
}

// A comment inside a command goes after it; a line takes one.
TEST(Print, CommentsInsideOfACommand) {
    EXPECT_EQ(reprinted("(([1 (x ; in 1\n := ; also in 1\n 2)] ; behind 1\n [2 (x := 3)]))\n((1 ; in entry\nbot))"),
              R"((
  (
    [1 (x := 2)] ; in 1
    ; also in 1
    ; behind 1
    [2 (x := 3)]
    bot
  )
)
(
  (1 bot) ; in entry
)
)");
}

TEST(Print, ACommentBehindBot) {
    std::string const text = R"((
  (
    [1 (x := 1)]
    ; before bot
    bot ; behind bot
  ; before the end of thread 0
  ) ; end of thread 0
)
)";
    EXPECT_EQ(reprinted(text), text);
}

TEST(Print, CommentsAreTrimmed) {
    EXPECT_EQ(reprinted("() ; a \t \r\n;b\t\n;"), "(\n) ; a\n;b\n;\n");
    EXPECT_EQ(reprinted("\xEF\xBB\xBF; mark\n()"), "; mark\n(\n)\n");
    EXPECT_EQ(reprinted("; only\n\n\n()"), "; only\n(\n)\n");
}

TEST(Print, DeepExpressions) {
    std::string e = "0";
    for (int i = 0; i < 10'000; ++i) e = i % 2 == 0 ? "(- " + e + " 1)" : "(+ 1 " + e + ")";
    Program const p = parsed(Source("test.ctp", "(([1 (x := " + e + ")]))"));
    EXPECT_EQ(print(p, p.ctp.commands[0].c), "(x := " + e + ")");
}

} // namespace
} // namespace matchpoint::test
