// What counting proves of random programs whose threads count, against the naive exploration; and the facts behind it, in random
// executions.
#include <gtest/gtest.h>

#include <iostream>

#include "counting/proofs.hpp"
#include "machine/transition.hpp"
#include "programs/dice.hpp"
#include "tests/support/naive_shared.hpp"
#include "tests/support/random_walk.hpp"
#include "tests/support/thinning.hpp"
#include "tests/support/verdicts.hpp"

namespace matchpoint::naive {
namespace {

using programs::Dice;

/// Threads that count in regions of locks, start each other, wait for each other and assert what becomes of it. Every now and then one
/// forgets something.
class CountingGenerator {
public:
    explicit CountingGenerator(std::uint64_t i) : dice_(23, i) {}

    Program take() {
        program_.shared = {{"x", number(0)}, {"y", number(4)},
                           {"k", number(1)}, {"l", number(dice_.percent(80) ? 1 : 2)},
                           {"n", number(0)}, {"go", number(0)}};
        std::size_t const threads = 2 + dice_.below(2);
        for (std::size_t t = 0; t < threads; ++t) {
            program_.threads.emplace_back();
            bool const is_last = t + 1 == threads;
            if (dice_.percent(25))
                add(t == 0 ? Command_(Assign{"go", number(1)}) : Command_(Guarded{is("go", 1), {}, true}));
            if (is_last && dice_.percent(70)) add(Guarded{is("n", static_cast<int>(threads) - 1), {}, true});
            std::size_t const parts = 1 + dice_.below(threads == 2 ? 2 : 1);
            for (std::size_t n = 0; n < parts; ++n) some_part();
            if (!is_last && !forgets()) add(Assign{"n", plus("n", 1)});
            if (dice_.percent(is_last ? 80 : 20)) add(Assert{assertion()});
        }
        return program_;
    }

private:
    using Command_ = decltype(Command::what);

    void add(Command_ what) {
        program_.threads.back().push_back({"c" + std::to_string(next_location_++), std::move(what)});
    }
    bool forgets() { return dice_.percent(6); }
    static Expression is(std::string x, int v) { return operation("=", variable(std::move(x)), number(v)); }
    static Expression plus(std::string x, int v) {
        return operation(v < 0 ? "-" : "+", variable(std::move(x)), number(v < 0 ? -v : v));
    }

    void some_part() {
        switch (dice_.below(5)) {
        case 0: add(Guarded{truth(true), {{"x", plus("x", some_step())}, {"y", plus("y", some_step())}}, false}); break;
        case 1: in_two_steps(); break;
        default: in_regions(1 + dice_.below(2)); break;
        }
    }
    int some_step() { return std::array{1, -1, 2, 1}[dice_.below(4)]; }
    void in_two_steps() {
        std::string const x = dice_.percent(50) ? "x" : "y";
        std::string const t = "t" + std::to_string(next_local_++);
        add(Assign{t, variable(x)});
        add(Assign{x, plus(t, some_step())});
    }
    void in_regions(std::size_t depth) {
        std::string const l = dice_.percent(60) ? "l" : "k";
        if (!forgets()) add(Guarded{operation(">", variable(l), number(0)), {{l, plus(l, -1)}}, true});
        if (depth == 1 || dice_.percent(50)) in_two_steps();
        if (depth > 1) in_regions(depth - 1);
        if (!forgets()) add(Assign{l, plus(l, 1)});
    }
    Expression assertion() {
        Expression const sum = dice_.percent(50) ? variable("x") : operation("+", variable("x"), variable("y"));
        static std::array<std::string, 4> const ops{"=", "<=", ">=", "!="};
        return operation(dice_.one_of(ops), sum, number(static_cast<int>(dice_.below(7))));
    }

    Dice dice_;
    Program program_;
    std::size_t next_location_ = 0;
    std::size_t next_local_ = 0;
};

/// One question: a proof is never wrong. Counts how often there is one where there could be.
void expect_right(bool is_proved, bool is_so, std::string const& what, Tally& tally) {
    if (is_so) ++tally[what];
    if (is_proved) ++tally[what + ", proved"];
    EXPECT_TRUE(is_so || !is_proved) << what;
}

TEST(Counting, ProofsAreRight) {
    Tally tally;
    for (std::size_t i = 0; i < cases(4'000) && !HasFailure(); ++i) {
        Program const program = CountingGenerator(i).take();
        auto const truth = explore_shared(program, false);
        if (!truth) {
            ++tally["too large"];
            continue;
        }
        Subject const subject(program);
        counting::Proofs const proofs(subject.messages);
        SCOPED_TRACE(to_text(program, {}));
        expect_right(proofs.no_assertion_fails(), !truth->fails, "no assertion fails", tally);
        expect_right(proofs.no_deadlock(), !truth->deadlock, "no deadlock", tally);
        expect_right(proofs.no_data_race(), !truth->race, "no data race", tally);
    }
    print(std::cout, tally);
    // They are of use.
    for (char const* const what : {"no assertion fails", "no deadlock", "no data race"})
        EXPECT_GT(3 * tally[std::string(what) + ", proved"], tally[what]) << what;
}

/// In every state of an execution, variables have the values that their counts say, semaphores are not negative, and what comes first has come.
TEST(Counting, FactsHoldInExecutions) {
    Tally tally;
    for (std::size_t i = 0; i < cases(4'000) && !HasFailure(); ++i) {
        Program const program = CountingGenerator(i).take();
        Subject const subject(program);
        IndexedProgram const& code = *subject.loaded.code;
        counting::Proofs const proofs(subject.messages);
        SCOPED_TRACE(to_text(program, {}));
        Machine machine(code, Buffering::infinite);
        Dice dice(29, i);
        for (;;) {
            machine::State const& state = machine.state();
            if (state.s >= machine::Status::infeasible) break;
            for (SharedVariable const& s : code.ctp().shared) {
                if (!proofs.counts().is_count(s.x)) continue;
                counting::Wide value = proofs.counts().initial(s.x);
                for (auto const& of : proofs.counts().additions(s.x)) value += of.at(state.ctp[of.thread]);
                EXPECT_EQ(state.h[s.x.index].small(), static_cast<std::int64_t>(value)) << code.names()(s.x);
                ++tally["values"];
            }
            for (Variable const s : proofs.counts().semaphores()) EXPECT_GE(*state.h[s.index].small(), 0);
            auto const chosen = some_next_command(machine, dice);
            if (!chosen) break;
            std::vector<std::uint32_t> const before = state.ctp;
            if (!stays_on_path(machine, *chosen)) break;
            for (std::uint32_t u = 0; u < before.size(); ++u) {
                EXPECT_GE(before[u], proofs.order().before(chosen->index, u)) << code.names()(*chosen);
                EXPECT_LE(before[u], proofs.order().last_before(chosen->index, u)) << code.names()(*chosen);
            }
            ++tally["steps"];
        }
    }
    print(std::cout, tally);
    EXPECT_GT(tally["values"], 0U);
}

} // namespace
} // namespace matchpoint::naive
