// Several syntax errors of one text: where the parser goes on, and what it leaves out.

#include <gtest/gtest.h>

#include "base/diagnostics.hpp"
#include "grammar/parse.hpp"
#include "tests/support/all_rooms.hpp"

namespace matchpoint::test {
namespace {

/// "2:7 4:3": where the syntax errors of a text are. It has to be refused.
std::string places(std::string text) {
    Source const source("test.ctp", std::move(text));
    auto const result = parse(source);
    if (result) return "a program";
    std::string all;
    for (Diagnostic const& d : result.error()) {
        if (d.rule != "syntax") all += std::string(d.rule) + " ";
        auto const [line, column] = source.line_column(d.offset);
        all += (all.empty() ? "" : " ") + std::to_string(line) + ":" + std::to_string(column);
    }
    return all;
}

TEST(Recovery, EachCommandHasItsOwnError) {
    EXPECT_EQ(places("( ( [00 (send s 0 1 5)]\n"
                     "    [01 (x := 1)]\n"
                     "    [02 (asert true)]\n"
                     "    [03 (wait)]\n"
                     "    [04 (x := (1 + 2))] bot )\n"
                     "  ( [10 (assert true true)] bot ) )\n"),
              "1:15 3:16 4:14 5:16 6:22");
}

TEST(Recovery, RoundBracketsOnly) {
    EXPECT_EQ(places("( ( (00 (x = 1))\n"
                     "    (01 (y := ))\n"
                     "    (02 (z := 1)) bot ) )\n"),
              "1:12 2:15");
}

TEST(Recovery, BetweenCommandsAndThreads) {
    EXPECT_EQ(places("( ( [00 (x := 1)] junk more junk\n"
                     "    [01 (y := )] bot ) stray\n"
                     "  ( [10 (z := )] bot ) )\n"),
              "1:19 2:15 2:24 3:15");
}

TEST(Recovery, Traces) {
    EXPECT_EQ(places("( ( [00 (x := 1)] bot ) )\n"
                     "( (00 bot) (00) (00 bot bot) (00 (0 1)) (00 ((0 x))) )\n"
                     "junk ( (00 bot) )\n"
                     "( (00) )\n"),
              "2:15 2:25 2:35 2:49 3:1 4:6");
}

TEST(Recovery, ProgramAndTraces) {
    EXPECT_EQ(places("( ( [00 (x = 1)] bot ) )\n"
                     "( (00) )\n"),
              "1:12 2:6");
}

// One bracket too few, too many or of the wrong kind is one error.
TEST(Recovery, OneBracketIsOneError) {
    // The bracket of an expression, of a command, of a location.
    EXPECT_EQ(places("( ( [00 (x := (+ 1 2)] [01 (y := 2)] bot )\n ( [10 (z := 3)] bot ) )"), "1:22");
    EXPECT_EQ(places("( ( [00 (x := 1] [01 (y := 2)] bot )\n ( [10 (z := 3)] bot ) )"), "1:16");
    EXPECT_EQ(places("( ( [00 (x := 1) [01 (y := 2)] bot )\n ( [10 (z := 3)] bot ) )"), "1:18");
    EXPECT_EQ(places("( ( [00 (x := 1)) [01 (y := 2)] bot )\n ( [10 (z := 3)] bot ) )"), "1:17");
    EXPECT_EQ(places("( ( [00 (x := 1))] [01 (y := 2)] bot )\n ( [10 (z := 3)] bot ) )"), "1:17");
    EXPECT_EQ(places("( ( [00 (x := 1)]] [01 (y := 2)] bot )\n ( [10 (z := 3)] bot ) )"), "1:18");
    EXPECT_EQ(places("( ( (00 (x := 1) (01 (y := 2)) bot )\n ( (10 (z := 3)) bot ) )"), "1:18");
    // The bracket of a thread.
    EXPECT_EQ(places("( ( [00 (x := 1)] bot\n ( [10 (z := 3)] bot ) )"), "2:2");
    EXPECT_EQ(places("( [00 (x := 1)] [01 (y := 1)] bot )\n"), "1:4");
    EXPECT_EQ(
        places("( ( [00 (x := 1)] bot ) )\n ( [10 (z := 3)] [11 (z := 4)] bot ) )\n( (00 bot) (10 bot) (11 bot) )"),
        "2:9");
    // The bracket of the program.
    EXPECT_EQ(places("( ( [00 (x := 1)] bot )\n( (00 bot) (00 bot) )\n( (00 bot) (00 bot) )"), "2:7");
}

TEST(Recovery, ErrorsInsideCountAfterABadBracket) {
    EXPECT_EQ(places("( ( [00 (x := (+ 1 2)] [01 (y = 2)] bot )\n"
                     "  ( [10 (z = 3)] bot ) )\n"),
              "1:22 1:31 2:12");
}

// Selectors, tags and places begin with a bracket, too.
TEST(Recovery, BehindSelectorsTagsAndPlaces) {
    EXPECT_EQ(places("( ( [00 (rcvi R 0 x [01 (y := 2)] bot )\n ( [10 (z := 3)] bot ) )"), "1:21");
    EXPECT_EQ(places("( ( [00 (rcvi R 0 x (from 1) [01 (y := 2)] bot )\n ( [10 (z := 3)] bot ) )"), "1:30");
    EXPECT_EQ(places("( ( [00 (sndi S 1 0 1 [01 (y := 2)] bot )\n ( [10 (z := 3)] bot ) )"), "1:23");
    EXPECT_EQ(places("( ( [00 (rcvi R 0 x (src 1))]\n [01 (sndi S 0 1 1 (tag x))]\n [02 (y = 2)] bot ) )"),
              "1:22 2:25 3:9");
    EXPECT_EQ(places("( ( [00 (x := 1) (at main.c 1)]\n [01 (x := 1) (at \"main.c\" x)]\n [02 (y = 2)] bot ) )"),
              "1:22 2:28 3:9");
}

TEST(Recovery, SharedVariables) {
    // Each variable has its own error, and so has what follows.
    EXPECT_EQ(places("(shared [x] [y 1.5] [1 0] [z 0 1] [u := 2] [v (+ 1 2)] [w true])\n"
                     "( ( [00 (x = 1)] bot ) )\n( (00) )\n"),
              "1:11 1:16 1:22 1:32 1:38 1:47 2:12 3:6");
    EXPECT_EQ(places("(shared x 0 [y 0] z)\n( ( [00 (x = 1)] bot ) )"), "1:9 1:19 2:12");
    // A bracket that is missing, is too many or of the wrong kind is one error.
    EXPECT_EQ(places("(shared [x 0 [y] [z 0])\n( ( [00 (x = 1)] bot ) )"), "1:14 1:16 2:12");
    EXPECT_EQ(places("(shared [x 0) [y])\n( ( [00 (x = 1)] bot ) )"), "1:13 1:17 2:12");
    EXPECT_EQ(places("(shared [x 0] [y 0)\n( ( [00 (x = 1)] bot ) )"), "1:19 2:12");
    EXPECT_EQ(places("(shared [x 0]] [y])\n( ( [00 (x = 1)] bot ) )"), "1:14 1:18 2:12");
    EXPECT_EQ(places("(shared [x 0]\n( ( [00 (x = 1)] bot ) )"), "2:3 2:12");
    EXPECT_EQ(places("(shared [x 0\n( ( [00 (x = 1)] bot ) )"), "2:1 2:12");
    EXPECT_EQ(places("(shared ([x 0] [y 0]))\n( ( [00 (x = 1)] bot ) )"), "1:10 2:12");
    EXPECT_EQ(places("(shared atomic atomic [x 0] atomic y [atomic z 0] atomic)\n( ( [00 (x = 1)] bot ) )"),
              "1:16 1:36 1:46 1:57 2:12");
    EXPECT_EQ(places("(shared [x 0] [y"), "1:17");
}

TEST(Recovery, RulesAreCheckedOfWhatTheSyntaxAccepts) {
    EXPECT_EQ(places("( ( [00 (x := (+ 1))] [00 (wait a)] [01 (y = 2)] bot ) )"), "1:44");
}

TEST(Recovery, WhatIsNoProgramIsOneError) { EXPECT_EQ(places("# A page\n\n    ( ( [00 (x = 1)] bot ) )\n"), "1:1"); }

TEST(Recovery, ManyErrors) {
    std::string text = "( (";
    for (int i = 0; i < 3000; ++i) text += "[" + std::to_string(i) + " (x = 1)]\n";
    Source const source("test.ctp", text + "bot ) )");
    auto const result = parse(source);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().size(), max_diagnostics);
}

// Texts that make the parser start again and again end soon, too.
TEST(Recovery, ManyBrackets) {
    for (char const* const part :
         {"(", ")", "[", "]", "([", "(]", "([00(", "((00 bot", "[00 (x ", ") (00 bot", "bot)"}) {
        std::string text = "( (";
        for (int i = 0; i < 20'000; ++i) text += part;
        EXPECT_NE(places(text), "a program");
    }
}

} // namespace
} // namespace matchpoint::test
