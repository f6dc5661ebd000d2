// What counting proves of random programs whose threads count, against the naive exploration; and the facts that it
// rests on, in random executions.
#include <gtest/gtest.h>

#include <iostream>

#include "counting/proofs.hpp"
#include "machine/transition.hpp"
#include "programs/dice.hpp"
#include "tests/support/naive_shared.hpp"
#include "tests/support/random_walk.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/shared_programs.hpp"
#include "tests/support/thinning.hpp"
#include "tests/support/verdicts.hpp"

namespace matchpoint::naive {
namespace {

using programs::Dice;

/// One question: a proof is never wrong. Counts how often there is one where there could be.
void expect_right(bool is_proved, bool is_so, std::string const& what, Tally& tally) {
    if (is_so) ++tally[what];
    if (is_proved) ++tally[what + ", proved"];
    EXPECT_TRUE(is_so || !is_proved) << what;
}

TEST(Counting, ProofsAreRight) {
    Tally tally;
    for (std::size_t i = 0; i < cases(4'000) && !HasFailure(); ++i) {
        Program const program = counting_program(seeded(23), i);
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

/// In every state of an execution, variables have the values that their counts say, semaphores are not negative, and
/// what comes first has come.
TEST(Counting, FactsHoldInExecutions) {
    Tally tally;
    for (std::size_t i = 0; i < cases(4'000) && !HasFailure(); ++i) {
        Program const program = counting_program(seeded(23), i);
        Subject const subject(program);
        IndexedProgram const& code = *subject.loaded.code;
        counting::Proofs const proofs(subject.messages);
        SCOPED_TRACE(to_text(program, {}));
        Machine machine(code, Buffering::infinite);
        Dice dice(seeded(29), i);
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
            auto const before = state.ctp;
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
