// What counting proves, what it leaves open, and the facts that it rests on.
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "counting/proofs.hpp"
#include "tests/support/subjects.hpp"

namespace matchpoint::counting {
namespace {

/// A program, and what is proved of it.
struct Proved {
    explicit Proved(std::string const& text) : subject(text), proofs(subject.messages) {}

    Variable variable(std::string_view name) const {
        auto const& names = subject.code.names().variables;
        for (std::uint32_t x = 0; x < names.size(); ++x)
            if (names[x] == name) return {x};
        throw std::invalid_argument("no such variable");
    }
    std::uint32_t at(std::string_view name) const { return subject.location(name).index; }
    bool counts(std::string_view name) const { return proofs.counts().is_count(variable(name)); }
    bool is_semaphore(std::string_view name) const {
        auto const& all = proofs.counts().semaphores();
        return std::find(all.begin(), all.end(), variable(name)) != all.end();
    }

    test::Subject subject;
    Proofs proofs;
};

TEST(CountingVariables, AFetchAndAdd) {
    Proved const p("(shared [x 3]) (([a (assume true (t := x) (x := (+ x 2)))]) ([b (x := (- x 1))]))");
    EXPECT_TRUE(p.counts("x"));
    EXPECT_FALSE(p.is_semaphore("x")); // nothing keeps it from being negative
    auto const& all = p.proofs.counts().additions(p.variable("x"));
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(static_cast<int>(all[0].at_end()), 2);
    EXPECT_EQ(static_cast<int>(all[1].at_end()), -1);
}

TEST(CountingVariables, NotAReadAndAWriteThatOthersComeBetween) {
    EXPECT_FALSE(Proved("(shared [x 0]) (([a (t := x)] [b (x := (+ t 1))]) ([c (x := (+ x 1))]))").counts("x"));
    EXPECT_FALSE(
        Proved("(shared [x 0]) (([a (t := x)] [b (x := 5)] [c (x := (+ t 1))]) ([d (x := (+ x 1))]))").counts("x"));
}

TEST(CountingVariables, AReadAndAWriteInARegion) {
    std::string const region = "[{0}a (when (> l 0) (l := (- l 1)))] [{0}b (t{0} := x)] [{0}c (x := (+ t{0} 1))] "
                               "[{0}d (l := (+ l 1))]";
    auto const of = [&](std::string_view other) {
        return Proved(fmt::format("(shared [x 0] [l 1]) (({}) ({}))", fmt::format(fmt::runtime(region), 0), other));
    };
    EXPECT_TRUE(of(fmt::format(fmt::runtime(region), 1)).counts("x"));
    // Without the lock; in a region that ends too early; with a lock that both can take.
    EXPECT_FALSE(of("[e (x := (+ x 1))]").counts("x"));
    EXPECT_FALSE(of("[e (when (> l 0) (l := (- l 1)))] [f (l := (+ l 1))] [g (x := (+ x 1))]").counts("x"));
    EXPECT_FALSE(Proved(fmt::format("(shared [x 0] [l 2]) (({}) ({}))", fmt::format(fmt::runtime(region), 0),
                                    fmt::format(fmt::runtime(region), 1)))
                     .counts("x"));
}

TEST(CountingVariables, ConstantsOfOneThread) {
    Proved const p("(shared [x 1] [y 0]) (([a (x := 4)] [b (x := (+ x 1))] [c (x := 2)] [d (y := 1)]) ([e (y := 2)]))");
    EXPECT_TRUE(p.counts("x"));
    EXPECT_EQ(static_cast<int>(p.proofs.counts().additions(p.variable("x"))[0].at_end()), 1);
    EXPECT_FALSE(p.counts("y"));
}

TEST(CountingVariables, NotWhatIsReceived) {
    EXPECT_FALSE(
        Proved("(shared [x 0]) (([a (rcvi R 0 x)] [b (wait R)]) ([c (sndi S 1 0 1)] [d (x := (+ x 1))]))").counts("x"));
}

TEST(CountingVariables, Semaphores) {
    auto const with = [](std::string_view guard) {
        return Proved(fmt::format("(shared [x 1]) (([a (assume {} (x := (- x 1)))] [b (x := (+ x 1))]) )", guard));
    };
    for (char const* const guard :
         {"(> x 0)", "(>= x 1)", "(= x 1)", "(< 0 x)", "(and (> x 0) (< x 9))", "(not (<= x 0))", "(= 2 x)"})
        EXPECT_TRUE(with(guard).is_semaphore("x")) << guard;
    for (char const* const guard : {"(>= x 0)", "true", "(or (> x 0) (= x 0))", "(< x 1)", "(!= x 0)", "(> (* x x) 0)"})
        EXPECT_FALSE(with(guard).is_semaphore("x")) << guard;
}

TEST(Order, WhatAJoinNeeds) {
    Proved const p("(shared [done 0]) (([a (done := (+ done 1))] [b (u := 1)]) ([c (done := (+ done 1))] [d (v := 2)])"
                   " ([e (when (= done 2))] [f (w := 3)]))");
    Order const& order = p.proofs.order();
    EXPECT_TRUE(order.comes_first(p.at("a"), p.at("e")));
    EXPECT_TRUE(order.comes_first(p.at("c"), p.at("f")));
    EXPECT_FALSE(order.comes_first(p.at("b"), p.at("f")));
    EXPECT_FALSE(order.comes_first(p.at("a"), p.at("c")));
}

TEST(Order, WhatAFlagNeeds) {
    Proved const p("(shared [go false]) (([a (x := 1)] [b (go := true)]) ([c (when go)] [d (y := 2)]))");
    EXPECT_TRUE(p.proofs.order().comes_first(p.at("a"), p.at("d")));
    EXPECT_FALSE(Proved("(shared [go 0]) (([a (go := 1)]) ([b (go := 1)]) ([c (when (= go 1))]))").counts("go"));
}

TEST(Order, OneOfManyIsNotNeeded) {
    Proved const p(
        "(shared [n 0]) (([a (n := (+ n 1))]) ([b (n := (+ n 1))]) ([c (when (>= n 1))] [d (when (>= n 2))]))");
    EXPECT_FALSE(p.proofs.order().comes_first(p.at("a"), p.at("c")));
    EXPECT_TRUE(p.proofs.order().comes_first(p.at("a"), p.at("d")));
}

TEST(Proofs, AssertionBehindAJoin) {
    auto const with = [](std::string_view assertion) {
        return Proved(fmt::format("(shared [x 0] [y 5] [done 0])"
                                  "(([a (assume true (x := (+ x 1)) (y := (- y 1)))] [b (done := (+ done 1))])"
                                  " ([c (assume true (x := (+ x 2)) (y := (- y 2)))] [d (done := (+ done 1))])"
                                  " ([e (when (= done 2))] [f (assert {})]))",
                                  assertion))
            .proofs.no_assertion_fails();
    };
    for (char const* const holds : {"(= x 3)", "(= (+ x y) 5)", "(and (= x 3) (= y 2))", "(or (= x 4) (= y 2))",
                                    "(=> (= x 9) (= y 9))", "(not (= x 4))", "(!= x y)"})
        EXPECT_TRUE(with(holds)) << holds;
    for (char const* const fails : {"(= x 2)", "(and (= x 3) (= y 3))", "(= (* x y) 6)", "false"})
        EXPECT_FALSE(with(fails)) << fails;
}

TEST(Proofs, AssertionWithoutAJoin) {
    auto const with = [](std::string_view assertion) {
        return Proved(fmt::format("(shared [x 0] [y 5]) (([a (assume true (x := (+ x 1)) (y := (- y 1)))])"
                                  " ([b (assert {})]))",
                                  assertion))
            .proofs.no_assertion_fails();
    };
    EXPECT_TRUE(with("(= (+ x y) 5)"));
    EXPECT_TRUE(with("(<= x 1)"));
    EXPECT_FALSE(with("(= x 1)"));
    EXPECT_FALSE(with("(= x 0)"));
}

/// What locals have read at two moments need not fit together.
TEST(Proofs, ValuesOfTwoMoments) {
    auto const with = [](std::string_view reads) {
        return Proved(fmt::format("(shared [x 0] [y 5]) (([a (assume true (x := (+ x 1)) (y := (- y 1)))])"
                                  " ({} [z (assert (= (+ t u) 5))]))",
                                  reads))
            .proofs.no_assertion_fails();
    };
    EXPECT_TRUE(with("[b (assume true (t := x) (u := y))]"));
    EXPECT_FALSE(with("[b (t := x)] [c (u := y)]"));
}

// The only message that a receive can get, and what it can get of two threads.
TEST(Order, Messages) {
    Proved const p("(shared [x 0]) (([a (rcvi R 0 m)] [b (wait R)] [c (x := 1)]) ([d (x := 2)] [e (sndi S 1 0 x)]))");
    EXPECT_TRUE(p.proofs.order().comes_first(p.at("e"), p.at("b")));
    EXPECT_TRUE(p.proofs.order().comes_first(p.at("d"), p.at("c")));
    EXPECT_FALSE(p.proofs.order().comes_first(p.at("d"), p.at("a")));
    EXPECT_FALSE(p.proofs.order().comes_first(p.at("b"), p.at("e")));
    EXPECT_TRUE(p.proofs.no_data_race());
    Proved const two("(shared [x 0]) (([a (rcvi R 0 m)] [b (wait R)] [c (x := 1)]) ([d (x := 2)] [e (sndi S 1 0 1)])"
                     " ([f (sndi T 2 0 1)]))");
    EXPECT_FALSE(two.proofs.order().comes_first(two.at("e"), two.at("b")));
    EXPECT_FALSE(two.proofs.no_data_race());
    // With selectors, receives do not get messages in their order.
    Proved const tagged("(shared [x 0]) (([a (rcvi R 0 m (tag 1))] [b (wait R)] [c (x := 1)])"
                        " ([d (sndi S 1 0 1 (tag 2))] [e (sndi T 1 0 1 (tag 1))]))");
    EXPECT_FALSE(tagged.proofs.order().comes_first(tagged.at("d"), tagged.at("b")));
}

TEST(Proofs, WhatSemaphoresLeave) {
    auto const with = [](int slots) {
        return Proved(fmt::format("(shared [items 0] [free {}]) (([a (when (> free 0) (free := (- free 1)))] "
                                  "[b (items := (+ items 1))] [c (when (> free 0) (free := (- free 1)))] [d (items := "
                                  "(+ items 1))])"
                                  " ([e (assert (<= items 1))]))",
                                  slots))
            .proofs.no_assertion_fails();
    };
    EXPECT_TRUE(with(1));
    EXPECT_FALSE(with(2));
}

TEST(Proofs, AChoiceWhoseConditionIsKnown) {
    auto const proves = [](std::string_view condition, int otherwise) {
        return Proved(fmt::format("(shared [x 0]) (([a (x := (+ x 1))]) ([b (assert (ite {} (<= x 1) (<= x {})))]))",
                                  condition, otherwise))
            .proofs.no_assertion_fails();
    };
    EXPECT_TRUE(proves("(< 1 2)", 0));
    EXPECT_TRUE(proves("(<= x 1)", 0));
    EXPECT_FALSE(proves("(< 2 1)", 0));
    EXPECT_FALSE(proves("(= x 0)", 0));
}

std::string lock(char const* l) { return fmt::format("(when (> {0} 0) ({0} := (- {0} 1)))", l); }
std::string unlock(char const* l) { return fmt::format("({0} := (+ {0} 1))", l); }

bool two_locks_are_free_of_deadlock(char const* first, char const* second) {
    return Proved(fmt::format("(shared [k 1] [l 1]) (([a {}] [b {}] [c {}] [d {}]) ([e {}] [f {}] [g {}] [h {}]))",
                              lock("k"), lock("l"), unlock("l"), unlock("k"), lock(first), lock(second), unlock(second),
                              unlock(first)))
        .proofs.no_deadlock();
}

TEST(Proofs, Deadlocks) {
    EXPECT_TRUE(two_locks_are_free_of_deadlock("k", "l"));
    EXPECT_FALSE(two_locks_are_free_of_deadlock("l", "k"));
    // A lock that is never given back; one that its own thread takes twice; a join that waits for one too many.
    EXPECT_FALSE(Proved(fmt::format("(shared [l 1]) (([a {}]) ([b {}]))", lock("l"), lock("l"))).proofs.no_deadlock());
    EXPECT_FALSE(Proved(fmt::format("(shared [l 1]) (([a {}] [b {}] [c {}]))", lock("l"), lock("l"), unlock("l")))
                     .proofs.no_deadlock());
    EXPECT_FALSE(Proved("(shared [n 0]) (([a (n := (+ n 1))]) ([b (when (= n 2))]))").proofs.no_deadlock());
    EXPECT_TRUE(Proved("(shared [n 0]) (([a (n := (+ n 1))]) ([b (when (= n 1))]))").proofs.no_deadlock());
    // A join of a thread that waits for the one that joins.
    EXPECT_FALSE(
        Proved("(shared [n 0] [go 0]) (([a (when (= go 1))] [b (n := (+ n 1))]) ([c (when (= n 1))] [d (go := 1)]))")
            .proofs.no_deadlock());
    EXPECT_TRUE(
        Proved("(shared [n 0] [go 0]) (([a (when (= go 1))] [b (n := (+ n 1))]) ([d (go := 1)] [c (when (= n 1))]))")
            .proofs.no_deadlock());
    // A flag that is taken back.
    EXPECT_FALSE(Proved("(shared [go 0]) (([a (go := 1)] [b (go := 0)]) ([c (when (= go 1))]))").proofs.no_deadlock());
    EXPECT_FALSE(Proved("(shared [x 0]) (([a (rcvi R 0 y)] [b (wait R)]) ([c (sndi S 1 0 x)]))").proofs.no_deadlock());
}

TEST(Proofs, DataRaces) {
    auto const with = [](std::string_view first, std::string_view second) {
        return Proved(fmt::format("(shared [x 0] [l 1] [go 0]) (({}) ({}))", first, second)).proofs.no_data_race();
    };
    std::string const region = fmt::format("[{{0}}a {}] [{{0}}b (x := {{0}})] [{{0}}c {}]", lock("l"), unlock("l"));
    auto const in_region = [&](int n) { return fmt::format(fmt::runtime(region), n); };
    EXPECT_TRUE(with(in_region(1), in_region(2)));
    EXPECT_FALSE(with(in_region(1), "[d (x := 1)]"));
    EXPECT_TRUE(with("[a (t := x)]", "[b (u := x)]")); // reads
    EXPECT_TRUE(with("[a (x := 1)] [b (go := 1)]", "[c (when (= go 1))] [d (t := x)]"));
    EXPECT_FALSE(with("[b (go := 1)] [a (x := 1)]", "[c (when (= go 1))] [d (t := x)]"));
    // An assumption comes next whether it holds or not; a guard that waits does not.
    EXPECT_FALSE(with("[a (x := 1)] [b (go := 1)]", "[c (assume (= go 1) (x := 2))] [d (when (= go 0))]"));
    EXPECT_TRUE(with("[a (x := 1)] [b (go := 1)]", "[c (when (= go 1) (x := 2))]"));
    // The lock is only tried.
    EXPECT_TRUE(with("[a (assume (> l 0) (l := (- l 1)))] [b (l := (+ l 1))]", "[c (assume (= l 0))]"));
    EXPECT_FALSE(with("[a (assume (> l 0) (l := (- l 1)))] [b (l := (+ l 1))]", "[c (t := l)]"));
}

} // namespace
} // namespace matchpoint::counting
