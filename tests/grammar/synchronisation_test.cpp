// Which shared variables are locks, and what commands do with them.

#include <gtest/gtest.h>

#include "grammar/synchronisation.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/programs.hpp"

namespace matchpoint::test {
namespace {

/// "l: +a1 -a2 +b1 -b2": the locks of a program in the order of its variables, and the commands that take and give them
/// back.
std::string locks_of(std::string text) {
    Source const source("test.ctp", std::move(text));
    Program const program = parsed(source);
    auto const variables = static_cast<std::uint32_t>(program.symbols.variables.size());
    Locks const locks(program.ctp, variables);
    std::string result;
    for (std::uint32_t x = 0; x < variables; ++x) {
        if (!locks.is_lock({x})) continue;
        result += (result.empty() ? "" : "; ") + std::string(program.symbols(Variable{x})) + ":";
        for (std::uint32_t i = 0; i < program.ctp.commands.size(); ++i)
            for (Locks::Use const& use : locks.uses({i}))
                if (use.lock.index == x)
                    result += (use.takes ? " +" : " -") + std::string(program.symbols(Location{i}));
    }
    return result;
}

std::string const take_l = "(when (> l 0) (l := (- l 1)))";

TEST(Locks, Counts) {
    EXPECT_EQ(locks_of("(shared [l 1]) (([a1 " + take_l + "] [a2 (l := (+ l 1))]) ([b1 " + take_l +
                       "] [b2 (assume true (x := 1) (l := (+ l 1)))]))"),
              "l: +a1 -a2 +b1 -b2");
    EXPECT_EQ(locks_of("(shared [l 2] [w 0]) (([a1 (when (and (= w 0) (> l 0)) (l := (- l 1)))] [a2 (assume (= l 0))] "
                       "[a3 (assume (> l 0) (l := (- l 1)))] [a4 (l := (+ l 1))]))"),
              "l: +a1 +a3 -a4");
}

TEST(Locks, ReceivesAndOtherWritesMakeNone) {
    EXPECT_EQ(locks_of("(shared [l 1]) (([a1 " + take_l + "] [a2 (l := (+ l 2))]))"), "");
    EXPECT_EQ(locks_of("(shared [l 1]) (([a1 (when (>= l 0) (l := (- l 1)))] [a2 (l := (+ l 1))]))"), "");
    EXPECT_EQ(locks_of("(shared [l 1]) (([a1 (when (or (= x 1) (> l 0)) (l := (- l 1)))]) ([b (x := 1)]))"), "");
    EXPECT_EQ(
        locks_of("(shared [l 1]) (([a1 " + take_l + "]) ([b1 (rcvi R 0 l)] [b2 (wait R)]) ([c1 (sndi S 1 0 1)]))"), "");
    EXPECT_EQ(locks_of("(([a1 (l := 1)] [a2 " + take_l + "] [a3 (l := (+ l 1))]))"), "");
    // Nobody waits for it or gives it back.
    EXPECT_EQ(locks_of("(shared [l 1]) (([a1 (assume (> l 0) (l := (- l 1)))]))"), "");
    EXPECT_EQ(locks_of("(shared [l 0]) (([a1 (assume (= l 0) (l := 1))]) ([b1 (assume (= l 1) (l := 2))]))"), "");
}

// Threads may only try to take a lock.
TEST(Locks, Tried) {
    EXPECT_EQ(locks_of("(shared [l 1]) (([a1 (assume (> l 0) (l := (- l 1)))] [a2 (l := (+ l 1))]) "
                       "([b1 (assume (> l 0) (l := (- l 1)))] [b2 (l := (+ l 1))]))"),
              "l: +a1 -a2 +b1 -b2");
    EXPECT_EQ(locks_of("(shared [l 0]) (([a1 (assume (= l 0) (l := 1))] [a2 (l := 0)]))"), "l: +a1 -a2");
}

TEST(Locks, FlagsAreUsedUpOnce) {
    Source const source("test.ctp", "(shared [u false] [l 1] [o 0]) "
                                    "(([a1 (when (not u) (u := true))] [a2 (when (> l 0) (l := (- l 1)))] "
                                    "[a3 (when (= o 0) (o := 1))] [a4 (o := 0)]))");
    Program const program = parsed(source);
    Locks const locks(program.ctp, program.symbols.variables.size());
    EXPECT_EQ(locks_of(std::string(source.text())), "u: +a1; l: +a2; o: +a3 -a4");
    std::string flags;
    for (std::uint32_t x = 0; x < 3; ++x)
        if (locks.is_flag({x})) flags += std::string(program.symbols(Variable{x}));
    EXPECT_EQ(flags, "u");
}

// Nobody waits for them, or gives them back.
TEST(Locks, AreNotWhatIsUsedUpByTries) {
    Source const source("test.ctp", "(shared [u false] [s 2] [o 0] [n 0] [l 1]) "
                                    "(([a1 (assume (not u) (u := true))] [a2 (assume (> s 0) (s := (- s 1)))] "
                                    "[a3 (assume (= o 0) (o := 1))] [a4 (o := 0)] [a5 (assume true (n := (+ n 1)))] "
                                    "[a6 (when (> l 0) (l := (- l 1)))]) ([b (t := n)]))");
    Program const program = parsed(source);
    Locks const locks(program.ctp, program.symbols.variables.size());
    EXPECT_EQ(locks_of(std::string(source.text())), "o: +a3 -a4; l: +a6");
    std::string used_up;
    for (std::uint32_t x = 0; x < program.symbols.variables.size(); ++x)
        if (locks.is_used_up({x})) used_up += std::string(program.symbols(Variable{x}));
    EXPECT_EQ(used_up, "us");
}

// What one thread gives and another takes is a signal.
TEST(Locks, SignalsAreNone) {
    EXPECT_EQ(locks_of("(shared [l 0]) (([a1 " + take_l + "]) ([b1 (l := (+ l 1))]))"), "");
    EXPECT_EQ(locks_of("(shared [l 1]) (([a1 " + take_l + "] [a2 (l := (+ l 1))] [a3 (l := (+ l 1))]))"), "");
    EXPECT_EQ(locks_of("(shared [go 0]) (([a1 (go := 1)]) ([b1 (when (= go 1))]))"), "");
}

TEST(Locks, Owners) {
    EXPECT_EQ(locks_of("(shared [o -1] [c 0]) (([a1 (when (or (= o -1) (= o 0)) (o := 0) (c := (+ c 1)))] "
                       "[a2 (assume (= o 0) (c := (- c 1)))] [a3 (assume (= o 0) (c := (- c 1)) (o := -1))]) "
                       "([b1 (when (or (= o -1) (= o 1)) (o := 1) (c := (+ c 1)))] [b2 (o := -1)]))"),
              "o: +a1 -a3 +b1 -b2");
    // Two threads with one number can both be in.
    EXPECT_EQ(locks_of("(shared [o -1]) (([a1 (when (or (= o -1) (= o 0)) (o := 0))] [a2 (o := -1)]) "
                       "([b1 (when (or (= o -1) (= o 0)) (o := 0))] [b2 (o := -1)]))"),
              "");
    EXPECT_EQ(locks_of("(shared [b false]) (([a1 (when (not b) (b := true))] [a2 (b := false)]))"), "b: +a1 -a2");
}

TEST(Locks, Readers) {
    std::string const readers = "([b1 (when (= w 0) (r := (+ r 1)))] [b2 (r := (- r 1))])";
    EXPECT_EQ(
        locks_of("(shared [w 0] [r 0]) (([a1 (when (and (= w 0) (= r 0)) (w := 1))] [a2 (w := 0)]) " + readers + ")"),
        "w: +a1 -a2; r: +b1 -b2");
    // The writer does not look for readers.
    EXPECT_EQ(locks_of("(shared [w 0] [r 0]) (([a1 (when (= w 0) (w := 1))] [a2 (w := 0)]) " + readers + ")"),
              "w: +a1 -a2");
}

TEST(SynchronisationVariables, AreThoseThatAWhenNames) {
    Source const source(
        "test.ctp", "(shared [l 1] [x 0] [y 0] [z 0]) (([a1 (when (> l k) (x := y))] [a2 (z := 1)]) ([b (k := 1)]))");
    Program const program = parsed(source);
    std::string named;
    auto const is = synchronisation_variables(program.ctp, program.symbols.variables.size());
    for (std::uint32_t x = 0; x < is.size(); ++x)
        if (is[x]) named += std::string(program.symbols(Variable{x})) + " ";
    EXPECT_EQ(named, "l x y ");
}

} // namespace
} // namespace matchpoint::test
