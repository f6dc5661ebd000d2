// Which accesses of a thread are one block to all others.
#include <gtest/gtest.h>

#include <algorithm>

#include "counting/blocks.hpp"
#include "tests/support/subjects.hpp"

namespace matchpoint::counting {
namespace {

std::vector<bool> chosen(test::Subject const& subject, std::vector<std::string_view> const& names) {
    auto const& all = subject.code.names().variables;
    std::vector<bool> result(all.size());
    for (std::uint32_t x = 0; x < all.size(); ++x)
        result[x] = std::find(names.begin(), names.end(), all[x]) != names.end();
    return result;
}

/// The blocks of all threads, of the variables named: "b-c! d | e": first and last command, `!` if it writes; `|`
/// between threads.
std::string blocks_of(std::string const& text, std::vector<std::string_view> const& names) {
    test::Subject const subject(text);
    Proofs const proofs(subject.messages);
    auto const accesses = executions::shared_accesses(subject.messages);
    Blocks const blocks(subject.messages, proofs, accesses, chosen(subject, names));
    std::string result;
    for (std::uint32_t t = 0; t < subject.code.ctp().threads.size(); ++t) {
        if (t > 0) result += " |";
        for (Block const& b : blocks.of(t)) {
            result += (result.empty() ? "" : " ") + subject.name(Location{b.first});
            if (b.last != b.first) result += "-" + subject.name(Location{b.last});
            if (b.writes) result += "!";
        }
    }
    return result;
}

std::string const region = "([a (when (> l 0) (l := (- l 1)))] [b (t := x)] [c (y := t)] [d (l := (+ l 1))])";

TEST(Blocks, ARegionIsOne) {
    std::string const other = "([e (when (> l 0) (l := (- l 1)))] [f (x := 1)] [g (y := 2)] [h (l := (+ l 1))])";
    std::string const text = "(shared [x 0] [y 0] [l 1]) (" + region + other + ")";
    EXPECT_EQ(blocks_of(text, {"x", "y"}), "b-c! | f-g!");
    EXPECT_EQ(blocks_of(text, {"x"}), "b | f!");
}

TEST(Blocks, WithoutTheLockCommandsAreBlocks) {
    EXPECT_EQ(blocks_of("(shared [x 0] [y 0] [l 1]) (" + region + "([f (x := 1)] [g (y := 2)]))", {"x", "y"}),
              "b c! | f! g!");
}

TEST(Blocks, WhatOthersOnlyReadDoesNotComeBetweenReads) {
    EXPECT_EQ(blocks_of("(shared [x 0] [y 0]) (([a (t := x)] [b (u := y)]) ([c (v := x)]))", {"x", "y"}), "a-b | c");
    EXPECT_EQ(blocks_of("(shared [x 0] [y 0]) (([a (t := x)] [b (u := y)]) ([c (y := 1)]))", {"x", "y"}), "a b | c!");
}

TEST(Blocks, AWriteAtTheEndIsSeenInTheMiddle) {
    // The other thread reads between a and b, which does not matter until c writes.
    EXPECT_EQ(blocks_of("(shared [x 0] [y 0]) (([a (t := x)] [b (u := x)] [c (y := 1)]) ([d (v := x)]))", {"x", "y"}),
              "a-b c! | d");
}

TEST(Blocks, WhatIsBehindAJoinComesBetweenNothing) {
    EXPECT_EQ(blocks_of("(shared [x 0] [done 0]) (([a (t := x)] [b (x := (+ t 1))] [c (done := 1)])"
                        " ([d (when (= done 1))] [e (x := 7)] [f (x := (* x 2))]))",
                        {"x"}),
              "a-b! | e-f!");
}

TEST(Blocks, Cover) {
    test::Subject const subject("(shared [x 0] [y 0]) (([a (t := x)] [b (u := y)]) ([c (y := 1)]))");
    Proofs const proofs(subject.messages);
    auto const accesses = executions::shared_accesses(subject.messages);
    auto const of = [&](std::vector<std::string_view> const& names) {
        return Blocks(subject.messages, proofs, accesses, chosen(subject, names));
    };
    EXPECT_TRUE(of({"x", "y"}).cover(of({"x"}))); // each is a block
    EXPECT_TRUE(of({"x", "y"}).cover(of({"y"})));
    EXPECT_FALSE(of({"x"}).cover(of({"y"})));
    EXPECT_EQ(of({"x"}).at(subject.location("c").index), nullptr);
}

} // namespace
} // namespace matchpoint::counting
