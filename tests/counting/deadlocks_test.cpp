// Where counting suspects a deadlock.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "counting/proofs.hpp"
#include "tests/support/subjects.hpp"

namespace matchpoint::counting {
namespace {

std::string take(char name, char lock) { return fmt::format("[{0} (when (> {1} 0) ({1} := (- {1} 1)))] ", name, lock); }
std::string give(char name, char lock) { return fmt::format("[{0} ({1} := (+ {1} 1))] ", name, lock); }
/// Two locks, one inside of the other; the four commands have letters from `name` on.
std::string nested(char name, std::string_view locks) {
    auto const letter = [&](int i) { return static_cast<char>(name + i); };
    return take(letter(0), locks[0]) + take(letter(1), locks[1]) + give(letter(2), locks[1]) +
           give(letter(3), locks[0]);
}

/// "b<a f<e": the cycles, each command with its entry; "..." after them if there may be others.
std::string suspects(std::string const& threads) {
    test::Subject const subject("(shared [p 1] [q 1] [r 1] [g 1] [x 1] [n 0]) (" + threads + ")");
    auto const found = Proofs(subject.messages).deadlock_suspects();
    EXPECT_EQ(found.none(), found.cycles.empty() && found.are_all);
    EXPECT_EQ(Proofs(subject.messages).no_deadlock(), found.none());
    std::string text;
    for (auto const& cycle : found.cycles) {
        if (!text.empty()) text += ", ";
        for (std::size_t i = 0; i < cycle.size(); ++i)
            text += fmt::format("{}{}<{}", i == 0 ? "" : " ", subject.name(Location{cycle[i].command}),
                                subject.name(Location{cycle[i].entry}));
    }
    return text + (found.are_all ? "" : "...");
}

TEST(DeadlockSuspects, TwoLocksInBothOrders) {
    EXPECT_EQ(suspects("(" + nested('a', "pq") + ") (" + nested('k', "qp") + ")"), "b<a l<k");
    EXPECT_EQ(suspects("(" + nested('a', "pq") + ") (" + nested('k', "pq") + ")"), "");
}

TEST(DeadlockSuspects, TheEntryIsWhereNothingIsHeld) {
    EXPECT_EQ(suspects("(" + nested('a', "rg") + take('e', 'g') + nested('f', "pq") + give('j', 'g') + ") (" +
                       nested('k', "qp") + ")"),
              "g<e l<k");
}

TEST(DeadlockSuspects, NotBehindAnotherLock) {
    EXPECT_EQ(suspects("(" + take('e', 'g') + nested('a', "pq") + give('f', 'g') + ") (" + take('i', 'g') +
                       nested('k', "qp") + give('j', 'g') + ")"),
              "");
    // Two other locks.
    EXPECT_EQ(suspects("(" + take('e', 'g') + nested('a', "pq") + give('f', 'g') + ") (" + take('i', 'r') +
                       nested('k', "qp") + give('j', 'r') + ")"),
              "b<e l<i");
}

TEST(DeadlockSuspects, NotOneAfterTheOther) {
    EXPECT_EQ(suspects("(" + nested('a', "pq") + "[f (n := 1)]) ([j (when (= n 1))] " + nested('k', "qp") + ")"), "");
    EXPECT_EQ(suspects("(" + nested('a', "pq") + "[f (n := 1)]) (" + nested('k', "qp") + "[j (when (= n 1))])"),
              "b<a l<k");
}

TEST(DeadlockSuspects, ThreeThreadsInACircle) {
    std::string const circle = "(" + nested('a', "pq") + ") (" + nested('f', "qr") + ") (" + nested('k', "rp") + ")";
    EXPECT_EQ(suspects(circle), "b<a g<f l<k");
    // With a shorter one inside, that is enough.
    EXPECT_EQ(suspects("(" + nested('a', "pq") + nested('t', "qp") + ") (" + nested('f', "qr") + nested('p', "qp") +
                       ") (" + nested('k', "rp") + ")"),
              "b<a q<p, b<a g<f l<k");
}

TEST(DeadlockSuspects, WaitingForTwoThatAreNotThere) {
    EXPECT_EQ(suspects("([a (when (= n 1))] [b (x := 0)]) ([c (when (= x 0))] [d (n := 1)])"), "a<a c<c");
    // Nobody adds to n.
    EXPECT_EQ(suspects("([a (when (= n 1))])"), "...");
}

TEST(DeadlockSuspects, WhatDoesNotCountIsLeftOpen) {
    EXPECT_EQ(suspects("(" + nested('a', "pq") + "[e (x := (* x 2))]) (" + nested('k', "qp") + "[j (when (> x 1))])"),
              "b<a l<k...");
    EXPECT_EQ(suspects("(" + nested('a', "pq") + ") (" + nested('k', "qp") + "[i (rcvi R 0 y)] [j (wait R)])"),
              "b<a l<k...");
}

} // namespace
} // namespace matchpoint::counting
