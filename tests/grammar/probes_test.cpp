// Probes in the grammar: what is read and printed, what is wrong, and the rules of starts.

#include <gtest/gtest.h>

#include "grammar/discipline.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/programs.hpp"

namespace matchpoint::test {
namespace {

std::string broken_rules(std::string const& text) {
    Source const source("test.ctp", text);
    std::string result;
    for (Diagnostic const& d : check_discipline(test::parsed(source), &source))
        result += std::string(d.rule) + ": " + d.message + "\n";
    return result;
}

TEST(ProbesInText, AreReadAndPrinted) {
    std::string const text = R"((
  (
    [1 (probe P 0 (from 1 2) (tag 3) (source y) (tagged z))]
    [2 (mprobe Q 0)]
    [3 (start Q x)]
    [4 (wait Q)]
    bot
  )
)
(
  (1 ((0 1 3) (0 2) (peek 0 1 3) bot))
  (2 ((peek 0 2) bot))
  (3 bot)
)
)";
    Program const program = parsed(Source("test.ctp", text));
    EXPECT_EQ(print(program, nullptr), text);
    Trace const& trace = program.traces.front();
    ASSERT_EQ(trace.peeks.size(), 2U);
    EXPECT_EQ(trace.m(0).size(), 2U);
    EXPECT_EQ(trace.peek_at(0), trace.peeks.data());
    EXPECT_EQ(trace.peek_at(1), &trace.peeks[1]);
    EXPECT_EQ(trace.peek_at(2), nullptr);
    EXPECT_EQ(parsed(Source("test.ctp", "(([1 (probe := 1)] [2 (mprobe := probe)] [3 (start := mprobe)]))"))
                  .ctp.commands.size(),
              3U);
}

TEST(ProbesInText, SyntaxErrors) {
    EXPECT_EQ(told("(([1 (probe P)]))"), R"(
test.ctp:1:14: error[syntax]: expected a destination endpoint (a non-negative integer), found `)`
     1 | (([1 (probe P)]))
       |              ^
       = hint: `probe` is written `(probe a beta)`: the action, the endpoint; it waits for a message and takes nothing
)");
    EXPECT_EQ(told("(([1 (iprobe P 0)]))"), R"(
test.ctp:1:17: error[syntax]: expected a selector `(from alpha ...)` or `(tag n ...)` or `true` or `false`, found `)`
     1 | (([1 (iprobe P 0)]))
       |                 ^
)");
    EXPECT_EQ(told("(([1 (mprobe P 0 (src 1))]))"), R"(
test.ctp:1:19: error[syntax]: expected `from`, `tag`, `source` or `tagged`, found `src`
     1 | (([1 (mprobe P 0 (src 1))]))
       |                   ^~~
       = hint: did you mean `(from 1)`?
)");
    // The peek is the last thing of an entry, and there is one at most.
    EXPECT_NE(messages("(([1 (probe P 0)])) ((1 ((peek 0 1) (0 1) bot)))"), "");
    EXPECT_NE(messages("(([1 (probe P 0)])) ((1 ((peek 0 1) (peek 0 1) bot)))"), "");
    EXPECT_NE(messages("(([1 (probe P 0)])) ((1 ((peek 0) bot)))"), "");
}

TEST(ProbesInText, StaticRules) {
    EXPECT_EQ(told("(([1 (probe P 0)] [2 (mprobe P 0)]))"), R"(
test.ctp:1:30: error[S2]: action `P` is issued twice: actions are unique in the program
     1 | (([1 (probe P 0)] [2 (mprobe P 0)]))
       |                              ^
test.ctp:1:13: note: it is issued here already
     1 | (([1 (probe P 0)] [2 (mprobe P 0)]))
       |             ^
)");
    EXPECT_EQ(told("(([1 (start P x)]))"), R"(
test.ctp:1:13: error[S3]: `start` names `P`, which is not an action of the program
     1 | (([1 (start P x)]))
       |             ^
)");
    EXPECT_EQ(told("(([1 (probe P 0 (tag 1) (tag 2))]))"), R"(
test.ctp:1:25: error[S8]: a second `(tag ...)`: a receive has at most one selector of each kind
     1 | (([1 (probe P 0 (tag 1) (tag 2))]))
       |                         ^
)");
}

TEST(ProbesInText, D1) {
    EXPECT_EQ(broken_rules("(([1 (probe P 0)]) ([2 (rcvi R 0 x)] [3 (wait R)]))"),
              "D1: endpoint 0 belongs to thread 0, but thread 1 receives at it\n");
    EXPECT_EQ(broken_rules("(([1 (rcvi R 0 x)] [2 (wait R)]) ([3 (probe P 0)]))"),
              "D1: endpoint 0 belongs to thread 0, but thread 1 probes at it\n");
}

TEST(ProbesInText, D2) {
    EXPECT_EQ(broken_rules("(([1 (probe P 0)] [2 (wait P)]))"),
              "D2: the wait for `P` is for a `probe`, which receives nothing\n");
    EXPECT_EQ(broken_rules("(([1 (probe P 0)] [2 (start P x)]))"), "D2: `P` is started, but no `mprobe` issues it\n");
    EXPECT_EQ(broken_rules("(([1 (rcvi P 0 y)] [2 (start P x)] [3 (wait P)]))"),
              "D2: `P` is started, but no `mprobe` issues it\n");
    EXPECT_EQ(broken_rules("(([1 (mprobe P 0)] [2 (start P x)] [3 (start P x)] [4 (wait P)]))"),
              "D2: receive `P` is started twice\n");
    EXPECT_EQ(broken_rules("(([1 (start P x)] [2 (mprobe P 0)] [4 (wait P)]))"),
              "D2: the start of `P` comes before its `mprobe`\n");
    EXPECT_EQ(
        broken_rules("(([1 (mprobe P 0)] [2 (wait P)]) ([3 (start P x)]))"),
        "D2: the wait for `P` comes before its start\nD2: the start of `P` is in thread 1, its `mprobe` in thread 0\n");
    EXPECT_EQ(broken_rules("(([1 (mprobe P 0)] [2 (wait P)] [3 (start P x)]))"),
              "D2: the wait for `P` comes before its start\n");
}

TEST(ProbesInText, D3) {
    EXPECT_EQ(broken_rules("(([1 (mprobe P 0)]))"), "D3: no `start` receives what `P` matches\n");
    EXPECT_EQ(broken_rules("(([1 (mprobe P 0)] [2 (start P x)]))"),
              "D3: no wait completes the receive that the start of `P` begins\n");
    // Its own wait, and no other; and that completes no other receive.
    EXPECT_EQ(broken_rules("(([1 (mprobe P 0)] [2 (start P x)] [3 (rcvi R 0 y)] [4 (wait R)]))"),
              "D3: no wait completes the receive that the start of `P` begins\n");
    EXPECT_EQ(
        broken_rules("(([1 (rcvi R 0 y)] [2 (mprobe P 0)] [3 (start P x)] [4 (wait P)]))"),
        "D3: receive `R` has no nearest-enclosing wait: no later wait in its thread is for it or for a later receive "
        "at endpoint 0\n");
    EXPECT_EQ(broken_rules("(([1 (probe P 0)]))"), "");
}

TEST(ProbesInText, D4AndD5) {
    EXPECT_EQ(broken_rules("(([1 (probe P 0 (source y))] [2 (assert (= y 1))]))"), "");
    EXPECT_EQ(broken_rules("(([1 (mprobe P 0 (tagged z))] [2 (assert (= z 1))] [3 (start P x)] [4 (wait P)] "
                           "[5 (assert (= x z))]))"),
              "");
    EXPECT_EQ(
        broken_rules("(([1 (mprobe P 0)] [2 (start P x)] [3 (assert (= x 1))] [4 (wait P)]))"),
        "D5: variable `x` is used before an assignment to it, or a wait that completes a receive into it, in thread "
        "0\n");
    EXPECT_EQ(broken_rules("(([1 (probe P 0 (source y))]) ([2 (y := 1)]))"),
              "D4: variable `y` belongs to thread 0, but thread 1 uses it (`(shared [y 0])` in front of the program "
              "declares it shared)\n");
}

TEST(ProbesInText, D6) {
    EXPECT_EQ(broken_rules("(([1 (sndi S 1 0 true)]) ([2 (mprobe P 0)] [3 (start P x)] [4 (wait P)] [5 (assert x)]))"),
              "");
    EXPECT_EQ(broken_rules("(([1 (sndi S 1 0 1)]) ([2 (mprobe P 0)] [3 (start P x)] [4 (wait P)] [5 (assert x)]))"),
              "D6: what is asserted has to be Bool, this is Int\n");
    EXPECT_EQ(broken_rules("(shared [b true]) (([1 (sndi S 1 0 1)]) ([2 (mprobe P 0 (source b))] [3 (start P b)] "
                           "[4 (wait P)]))"),
              "D6: shared variable `b` is Bool, numbers of endpoints and tags are Int\n"
              "D6: shared variable `b` is Bool, messages to endpoint 0 are Int\n");
}

} // namespace
} // namespace matchpoint::test
