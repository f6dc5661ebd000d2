// The static rules, each with its whole message.

#include <gtest/gtest.h>

#include "tests/support/all_rooms.hpp"
#include "tests/support/programs.hpp"

namespace matchpoint::test {
namespace {

using test::told;

TEST(StaticRules, S1) {
    EXPECT_EQ(told("(([1 (x := 1)] [1 (x := 2)]))"), R"(
test.ctp:1:17: error[S1]: location `1` is used twice: locations are unique in the program
     1 | (([1 (x := 1)] [1 (x := 2)]))
       |                 ^
test.ctp:1:4: note: it is here already
     1 | (([1 (x := 1)] [1 (x := 2)]))
       |    ^
)");
    EXPECT_EQ(told(R"x((([1 (x := 1)] [2 (x := 1)])
 ([1 (y := 2)] [2 (y := 3)]
  [3 (z := 1)] [1 (z := 2)])))x"),
              R"(
test.ctp:2:4: error[S1]: location `1` is used twice: locations are unique in the program
     2 |  ([1 (y := 2)] [2 (y := 3)]
       |    ^
test.ctp:1:4: note: it is here already
     1 | (([1 (x := 1)] [2 (x := 1)])
       |    ^
test.ctp:2:17: error[S1]: location `2` is used twice: locations are unique in the program
     2 |  ([1 (y := 2)] [2 (y := 3)]
       |                 ^
test.ctp:1:17: note: it is here already
     1 | (([1 (x := 1)] [2 (x := 1)])
       |                 ^
test.ctp:3:17: error[S1]: location `1` is used twice: locations are unique in the program
     3 |   [3 (z := 1)] [1 (z := 2)]))
       |                 ^
test.ctp:1:4: note: it is here already
     1 | (([1 (x := 1)] [2 (x := 1)])
       |    ^
)");
    EXPECT_EQ(told(R"x((([1 (x := 1)] [3 (x := 1)] [3 (x := 1)]
  [4 (x := 1)] [⊥a (x := 1)] [4 (x := 1)] [⊥a (x := 1)])))x"),
              R"(
test.ctp:1:30: error[S1]: location `3` is used twice: locations are unique in the program
     1 | (([1 (x := 1)] [3 (x := 1)] [3 (x := 1)]
       |                              ^
test.ctp:1:17: note: it is here already
     1 | (([1 (x := 1)] [3 (x := 1)] [3 (x := 1)]
       |                 ^
test.ctp:2:31: error[S1]: location `4` is used twice: locations are unique in the program
     2 |   [4 (x := 1)] [⊥a (x := 1)] [4 (x := 1)] [⊥a (x := 1)]))
       |                               ^
test.ctp:2:4: note: it is here already
     2 |   [4 (x := 1)] [⊥a (x := 1)] [4 (x := 1)] [⊥a (x := 1)]))
       |    ^
test.ctp:2:44: error[S1]: location `⊥a` is used twice: locations are unique in the program
     2 |   [4 (x := 1)] [⊥a (x := 1)] [4 (x := 1)] [⊥a (x := 1)]))
       |                                            ^~
test.ctp:2:17: note: it is here already
     2 |   [4 (x := 1)] [⊥a (x := 1)] [4 (x := 1)] [⊥a (x := 1)]))
       |                 ^~
)");
}

TEST(StaticRules, S2) {
    EXPECT_EQ(told("(([1 (sndi S 1 0 1)] [2 (rcvi S 0 x)]))"), R"(
test.ctp:1:31: error[S2]: action `S` is issued twice: actions are unique in the program
     1 | (([1 (sndi S 1 0 1)] [2 (rcvi S 0 x)]))
       |                               ^
test.ctp:1:12: note: it is issued here already
     1 | (([1 (sndi S 1 0 1)] [2 (rcvi S 0 x)]))
       |            ^
)");
    EXPECT_EQ(told(R"x((([1 (rcvi R 0 x)])
 ([22 (rcvi Q 0 y)] [3 (sndi R 1 0 2)] [4 (rcvi Q 0 x)] [5 (sndi Q 1 0 2)])))x"),
              R"(
test.ctp:2:30: error[S2]: action `R` is issued twice: actions are unique in the program
     2 |  ([22 (rcvi Q 0 y)] [3 (sndi R 1 0 2)] [4 (rcvi Q 0 x)] [5 (sndi Q 1 0 2)]))
       |                              ^
test.ctp:1:12: note: it is issued here already
     1 | (([1 (rcvi R 0 x)])
       |            ^
test.ctp:2:49: error[S2]: action `Q` is issued twice: actions are unique in the program
     2 |  ([22 (rcvi Q 0 y)] [3 (sndi R 1 0 2)] [4 (rcvi Q 0 x)] [5 (sndi Q 1 0 2)]))
       |                                                 ^
test.ctp:2:13: note: it is issued here already
     2 |  ([22 (rcvi Q 0 y)] [3 (sndi R 1 0 2)] [4 (rcvi Q 0 x)] [5 (sndi Q 1 0 2)]))
       |             ^
test.ctp:2:66: error[S2]: action `Q` is issued twice: actions are unique in the program
     2 |  ([22 (rcvi Q 0 y)] [3 (sndi R 1 0 2)] [4 (rcvi Q 0 x)] [5 (sndi Q 1 0 2)]))
       |                                                                  ^
test.ctp:2:13: note: it is issued here already
     2 |  ([22 (rcvi Q 0 y)] [3 (sndi R 1 0 2)] [4 (rcvi Q 0 x)] [5 (sndi Q 1 0 2)]))
       |             ^
)");
}

TEST(StaticRules, S3) {
    EXPECT_EQ(told("(([1 (wait R)]))"), R"(
test.ctp:1:12: error[S3]: `wait` names `R`, which is not an action of the program
     1 | (([1 (wait R)]))
       |            ^
)");
    EXPECT_EQ(told("(([1 (wait R)] [2 (wait S)] [3 (rcvi R 0 x)] [4 (wait T)]) ([5 (wait S)]))"), R"(
test.ctp:1:25: error[S3]: `wait` names `S`, which is not an action of the program
     1 | (([1 (wait R)] [2 (wait S)] [3 (rcvi R 0 x)] [4 (wait T)]) ([5 (wait S)]))
       |                         ^
test.ctp:1:55: error[S3]: `wait` names `T`, which is not an action of the program
     1 | (([1 (wait R)] [2 (wait S)] [3 (rcvi R 0 x)] [4 (wait T)]) ([5 (wait S)]))
       |                                                       ^
test.ctp:1:70: error[S3]: `wait` names `S`, which is not an action of the program
     1 | …wait S)] [3 (rcvi R 0 x)] [4 (wait T)]) ([5 (wait S)]))
       |                                                    ^
)");
}

TEST(StaticRules, S4) {
    EXPECT_EQ(told("(([1 (x := (+ 1))]))"), R"(
test.ctp:1:13: error[S4]: `+` takes 2 operands, here it has 1
     1 | (([1 (x := (+ 1))]))
       |             ^
       = hint: `+` is written `(+ e e)`
)");
    EXPECT_EQ(told("(([1 (x := (* 1 2 3))]))"), R"(
test.ctp:1:13: error[S4]: `*` takes 2 operands, here it has 3
     1 | (([1 (x := (* 1 2 3))]))
       |             ^
       = hint: `*` is written `(* e e)`; for more, `(* (* a b) c)`
)");
    EXPECT_EQ(told("(([1 (x := (not true false))]))"), R"(
test.ctp:1:13: error[S4]: `not` takes 1 operand, here it has 2
     1 | (([1 (x := (not true false))]))
       |             ^~~
       = hint: `not` is written `(not e)`
)");
    EXPECT_EQ(told("(([1 (x := (- ))]))"), R"(
test.ctp:1:13: error[S4]: `-` takes 2 operands, here it has 0
     1 | (([1 (x := (- ))]))
       |             ^
       = hint: `-` is written `(- e e)`
)");
    EXPECT_EQ(told("(([1 (x := (not))]))"), R"(
test.ctp:1:13: error[S4]: `not` takes 1 operand, here it has 0
     1 | (([1 (x := (not))]))
       |             ^~~
       = hint: `not` is written `(not e)`
)");
    EXPECT_EQ(told("(([1 (assert (and (= 1) (not (or)) (=> 1 2 3 4)))]))"), R"(
test.ctp:1:15: error[S4]: `and` takes 2 operands, here it has 3
     1 | (([1 (assert (and (= 1) (not (or)) (=> 1 2 3 4)))]))
       |               ^~~
       = hint: `and` is written `(and e e)`; for more, `(and (and a b) c)`
test.ctp:1:20: error[S4]: `=` takes 2 operands, here it has 1
     1 | (([1 (assert (and (= 1) (not (or)) (=> 1 2 3 4)))]))
       |                    ^
       = hint: `=` is written `(= e e)`
test.ctp:1:31: error[S4]: `or` takes 2 operands, here it has 0
     1 | (([1 (assert (and (= 1) (not (or)) (=> 1 2 3 4)))]))
       |                               ^~
       = hint: `or` is written `(or e e)`
test.ctp:1:37: error[S4]: `=>` takes 2 operands, here it has 4
     1 | (([1 (assert (and (= 1) (not (or)) (=> 1 2 3 4)))]))
       |                                     ^~
       = hint: `=>` is written `(=> e e)`
)");
}

TEST(StaticRules, S5) {
    EXPECT_EQ(told("(([1 (sndi S 1 0 1 nowhere)]))"), R"(
test.ctp:1:20: error[S5]: `nowhere` is not a location of the program (the last atom of a `sndi` or `rcvi`, after its payload or variable, has to be one)
     1 | (([1 (sndi S 1 0 1 nowhere)]))
       |                    ^~~~~~~
)");
    EXPECT_EQ(told("(([1 (rcvi R 0 x bot)] [2 (rcvi T 0 x 01)]))"), R"(
test.ctp:1:18: error[S5]: `bot` is not a location of the program (the last atom of a `sndi` or `rcvi`, after its payload or variable, has to be one)
     1 | (([1 (rcvi R 0 x bot)] [2 (rcvi T 0 x 01)]))
       |                  ^~~
test.ctp:1:39: error[S5]: `01` is not a location of the program (the last atom of a `sndi` or `rcvi`, after its payload or variable, has to be one)
     1 | (([1 (rcvi R 0 x bot)] [2 (rcvi T 0 x 01)]))
       |                                       ^~
       = hint: did you mean `1`?
)");
}

// In the order of the text, whatever the rule.
TEST(StaticRules, SeveralAtOnce) {
    EXPECT_EQ(told(R"x((([1 (rcvi R 0 x)] [1 (wait S)]
  [2 (rcvi R 0 y 9)] [3 (x := (+ 1 (not)))])
 ([2 (assert (< 1))])))x"),
              R"(
test.ctp:1:21: error[S1]: location `1` is used twice: locations are unique in the program
     1 | (([1 (rcvi R 0 x)] [1 (wait S)]
       |                     ^
test.ctp:1:4: note: it is here already
     1 | (([1 (rcvi R 0 x)] [1 (wait S)]
       |    ^
test.ctp:1:29: error[S3]: `wait` names `S`, which is not an action of the program
     1 | (([1 (rcvi R 0 x)] [1 (wait S)]
       |                             ^
test.ctp:2:12: error[S2]: action `R` is issued twice: actions are unique in the program
     2 |   [2 (rcvi R 0 y 9)] [3 (x := (+ 1 (not)))])
       |            ^
test.ctp:1:12: note: it is issued here already
     1 | (([1 (rcvi R 0 x)] [1 (wait S)]
       |            ^
test.ctp:2:18: error[S5]: `9` is not a location of the program (the last atom of a `sndi` or `rcvi`, after its payload or variable, has to be one)
     2 |   [2 (rcvi R 0 y 9)] [3 (x := (+ 1 (not)))])
       |                  ^
test.ctp:2:37: error[S4]: `not` takes 1 operand, here it has 0
     2 |   [2 (rcvi R 0 y 9)] [3 (x := (+ 1 (not)))])
       |                                     ^~~
       = hint: `not` is written `(not e)`
test.ctp:3:4: error[S1]: location `2` is used twice: locations are unique in the program
     3 |  ([2 (assert (< 1))]))
       |    ^
test.ctp:2:4: note: it is here already
     2 |   [2 (rcvi R 0 y 9)] [3 (x := (+ 1 (not)))])
       |    ^
test.ctp:3:15: error[S4]: `<` takes 2 operands, here it has 1
     3 |  ([2 (assert (< 1))]))
       |               ^
       = hint: `<` is written `(< e e)`
)");
}

// What obeys: names as written (`02` is not `2`), an action before its issue, an extra location further down.
TEST(StaticRules, Obeyed) {
    EXPECT_EQ(test::messages("(([02 (wait R)] [2 (rcvi R 0 x 7)]) ([+2 (sndi r 1 0 (- 1 (* 2 3)) 02)] [7 (wait r)]))"),
              "");
}

// Kinds of names do not mix: a location, an action and a variable may have one name.
TEST(StaticRules, KindsOfNamesDoNotMix) { EXPECT_EQ(test::messages("(([x (rcvi x 0 x)] [y (wait x)]))"), ""); }

TEST(StaticRules, AreKeptUpToALimit) {
    std::string text = "((";
    for (std::size_t i = 0; i < max_diagnostics + 50; ++i) text += "[1 (x := 1)]\n";
    Source const source("test.ctp", text + "))");
    auto const result = parse(source);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().size(), max_diagnostics);
    EXPECT_EQ(source.line_column(result.error().front().offset), (LineColumn{2, 2}));
    EXPECT_EQ(source.line_column(result.error().back().offset), (LineColumn{max_diagnostics + 1, 2}));
}

// Each fault that is kept is kept whole.
TEST(StaticRules, KeepTheirNotesUpToTheLimit) {
    std::string locations = "((";
    std::string actions = "((";
    for (std::size_t i = 0; i < max_diagnostics + 50; ++i) {
        locations += "[1 (x := 1)]\n";
        actions += "[" + std::to_string(i) + " (rcvi R 0 x)]\n";
    }
    for (std::string const& text : {locations, actions}) {
        Source const source("test.ctp", text + "))");
        auto const result = parse(source);
        ASSERT_FALSE(result);
        ASSERT_EQ(result.error().size(), max_diagnostics);
        for (std::size_t i = 0; i < max_diagnostics; ++i)
            ASSERT_EQ(result.error()[i].notes.size(), 1U) << "fault " << i;
    }
}

TEST(StaticRules, S8) {
    EXPECT_EQ(told("(([1 (rcvi R 0 x (from 1) (tag 2) (from 3))] [2 (wait R)]))"), R"(
test.ctp:1:35: error[S8]: a second `(from ...)`: a receive has at most one selector of each kind
     1 | (([1 (rcvi R 0 x (from 1) (tag 2) (from 3))] [2 (wait R)]))
       |                                   ^
)");
    EXPECT_EQ(told("(([1 (rcvi R 0 x (source y) (source z))] [2 (wait R)]))"), R"(
test.ctp:1:29: error[S8]: a second `(source ...)`: a receive has at most one selector of each kind
     1 | (([1 (rcvi R 0 x (source y) (source z))] [2 (wait R)]))
       |                             ^
)");
}

namespace {

/// The first lines of the errors of a program of three threads whose first command is this one.
std::string about_call(std::string const& command) {
    std::string const text = told("(([0 " + command +
                                  "] [1 (wait V)]) ([2 (collective M w barrier)] [3 (icollective V w "
                                  "barrier)]) ([4 (collective N v barrier)]))");
    std::string result;
    for (std::size_t at = text.find("error"); at != std::string::npos; at = text.find("error", at + 1))
        result += text.substr(at, text.find('\n', at) - at) + "\n";
    return result;
}

} // namespace

TEST(StaticRules, S10) {
    EXPECT_EQ(told("(([1 (collective K w bcast (root 0) (root 0))]))"), R"(
test.ctp:1:37: error[S10]: a second `(root ...)`: a collective has each part at most once
     1 | (([1 (collective K w bcast (root 0) (root 0))]))
       |                                     ^
)");
    EXPECT_EQ(told("(([1 (collective K w bcast)]))"), R"(
test.ctp:1:22: error[S10]: `bcast` has a root: `(root k)` with the number of a thread
     1 | (([1 (collective K w bcast)]))
       |                      ^~~~~
)");
    EXPECT_EQ(about_call("(collective K w gatherv (root 0) (op sum))"),
              "error[S10]: `gatherv` reduces nothing: it has no `(op o)`\n");
    EXPECT_EQ(about_call("(collective K w barrier (root 0))"), "error[S10]: `barrier` has no root\n");
    EXPECT_EQ(about_call("(collective K w reduce (root 2))"), "error[S10]: the root 2 is not a member of `w`\n");
    EXPECT_EQ(about_call("(collective K w construct (type int))"),
              "error[S10]: `construct` moves no data: it has no `(type t)` and no `(count n)`\n");
    EXPECT_EQ(about_call("(collective K w allreduce (count 1 2))"),
              "error[S10]: `allreduce` has one count, here it has 2\n");
    EXPECT_EQ(about_call("(collective K w alltoallv (count 1 2 3))"),
              "error[S10]: `alltoallv` has one count, or one for each of the 2 members of `w`, here it has 3\n");
    EXPECT_EQ(about_call("(collective K w alltoallv (type int) (count 1 2))"), "");
}

TEST(StaticRules, S10OfMembers) {
    EXPECT_EQ(told("(communicators [w 1 0] [w 0]) (([1 (collective K w barrier)]) ())"), R"(
test.ctp:1:25: error[S10]: communicator `w` is declared twice
     1 | (communicators [w 1 0] [w 0]) (([1 (collective K w barrier)]) ())
       |                         ^
test.ctp:1:17: note: it is declared here already
     1 | (communicators [w 1 0] [w 0]) (([1 (collective K w barrier)]) ())
       |                 ^
)");
    EXPECT_EQ(told("(communicators [w 0 2 0]) (([1 (x := 1)]) ())"), R"(
test.ctp:1:17: error[S10]: the member 2 of communicator `w` is no thread: the program has 2 threads
     1 | (communicators [w 0 2 0]) (([1 (x := 1)]) ())
       |                 ^
       = hint: members are threads, which are numbered from 0 on, each of them once
test.ctp:1:17: error[S10]: the member 0 of communicator `w` is named twice
     1 | (communicators [w 0 2 0]) (([1 (x := 1)]) ())
       |                 ^
       = hint: members are threads, which are numbered from 0 on, each of them once
)");
    EXPECT_EQ(told("(communicators [w 1]) (([1 (collective K w bcast (root 0))]) ())"), R"(
test.ctp:1:42: error[S10]: thread 0 is not a member of `w`
     1 | (communicators [w 1]) (([1 (collective K w bcast (root 0))]) ())
       |                                          ^
test.ctp:1:17: note: its members are declared here
     1 | (communicators [w 1]) (([1 (collective K w bcast (root 0))]) ())
       |                 ^
test.ctp:1:44: error[S10]: the root 0 is not a member of `w`
     1 | (communicators [w 1]) (([1 (collective K w bcast (root 0))]) ())
       |                                            ^~~~~
)");
    EXPECT_EQ(told("(communicators [w 1 0]) (([1 (collective K w gatherv (root 1) (count 1 2))]) ())"), "\n");
}

TEST(StaticRules, S3OfCollectives) {
    EXPECT_EQ(told("(([1 (collective K w barrier)] [2 (wait K)]))"), R"(
test.ctp:1:41: error[S3]: `K` is a collective that blocks: only an `icollective` has a wait
     1 | (([1 (collective K w barrier)] [2 (wait K)]))
       |                                         ^
)");
    EXPECT_EQ(told("(([1 (icollective K w barrier)] [2 (wait K)]))"), "\n");
}

TEST(StaticRules, S9) {
    EXPECT_EQ(told(R"x((
 ([1 (barrier B)] [2 (barrier C)] [3 (barrier B)])
 ([4 (barrier B)])))x"),
              R"(
test.ctp:3:15: error[S9]: barrier `B` occurs 2 times in one thread and once in another: it has to occur equally often in each thread that has it
     3 |  ([4 (barrier B)]))
       |               ^
test.ctp:2:47: note: the last occurrence in the first thread
     2 |  ([1 (barrier B)] [2 (barrier C)] [3 (barrier B)])
       |                                               ^
)");
    EXPECT_EQ(messages("(([1 (barrier B)] [2 (barrier B)]) ([3 (x := 1)]) ([4 (barrier B)] [5 (barrier B)]))"), "");
}

TEST(StaticRules, AnIntegerTooLongIsALimit) {
    std::string const digits(6'000'000, '7');
    Source const source("test.ctp", "(([1 (x := (+ 1 -" + digits + "))]))");
    auto const result = parse(source);
    ASSERT_FALSE(result);
    ASSERT_EQ(result.error().size(), 1U);
    EXPECT_EQ(headline(result.error()[0], source), "test.ctp:1:17: error[limit]: an integer of more than 16777216 bits "
                                                   "(about 5050445 digits)");
}

TEST(StaticRules, S6) {
    EXPECT_EQ(told("(shared [x 0] [y 1] [x 2]) (([1 (x := 1)]))"), R"(
test.ctp:1:22: error[S6]: shared variable `x` is declared twice
     1 | (shared [x 0] [y 1] [x 2]) (([1 (x := 1)]))
       |                      ^
test.ctp:1:10: note: it is declared here already
     1 | (shared [x 0] [y 1] [x 2]) (([1 (x := 1)]))
       |          ^
)");
}

TEST(StaticRules, S7) {
    EXPECT_EQ(told("(shared [x 0]) (([1 (when true (x := 1) (y := 2) (x := 3))] [2 (assume true (x := 4))]))"), R"(
test.ctp:1:51: error[S7]: `x` is assigned twice in one command: its assignments all happen at once
     1 | (shared [x 0]) (([1 (when true (x := 1) (y := 2) (x := 3))] [2 (assume true (x := 4))]))
       |                                                   ^
)");
}

} // namespace
} // namespace matchpoint::test
