// Inductive invariants of random programs against the naive exploration: what is proved of them holds, and blocks are
// atomic.
#include <gtest/gtest.h>

#include <iostream>

#include "check/shared/invariants.hpp"
#include "machine/transition.hpp"
#include "programs/dice.hpp"
#include "solve/solver.hpp"
#include "tests/support/naive_shared.hpp"
#include "tests/support/random_walk.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/shared_programs.hpp"
#include "tests/support/shared_verdicts.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::naive {
namespace {

using programs::Dice;

check::Invariants::Ask asks(Solver& solver) {
    return [&](std::string const& problem) -> check::ModelAnswer {
        Answer answer = solver.check(problem, {.model = true});
        if (auto* const sat = std::get_if<solve::answer::Sat>(&answer))
            return check::SolverModel{std::move(sat->model)};
        if (std::holds_alternative<solve::answer::Unsat>(answer)) return check::NoModel{};
        if (!std::holds_alternative<solve::answer::Unknown>(answer) &&
            !std::holds_alternative<solve::answer::Timeout>(answer))
            throw std::runtime_error(to_string(answer, solver.command()) + "\n" + problem);
        return check::Unanswered{};
    };
}

/// No proof is wrong. Returns whether there is a truth to compare with.
bool expect_proofs_are_right(Program const& program, Solver& solver, Tally& tally) {
    auto const truth = explore_shared(program, false);
    if (!truth) return false;
    Subject const subject(program);
    counting::Proofs const proofs(subject.messages);
    check::Invariants invariants(subject.messages, proofs, asks(solver), "z3");
    SCOPED_TRACE(to_text(program, {}));
    bool const is_proved = invariants.no_assertion_fails();
    EXPECT_FALSE(is_proved && truth->fails);
    if (!truth->fails) ++tally["no assertion fails"];
    if (is_proved) ++tally["proved"];
    if (is_proved && !proofs.no_assertion_fails()) ++tally["proved, but not by counting"];
    return true;
}

/// Of z3, for one question. On a busy machine it is no limit of what is easy.
constexpr std::chrono::seconds patience{5};

TEST(Invariants, OfRandomRegionsAreRight) {
    Tally tally;
    Solver solver(solver_command("z3").value(), {.time = patience});
    for (std::size_t i = 0; i < cases(200) && !HasFailure(); ++i)
        if (!expect_proofs_are_right(regions_program(seeded(31), i), solver, tally)) ++tally["too large"];
    print(std::cout, tally);
    // They are of use.
    if (cases(200) >= 100) {
        EXPECT_GT(tally["proved, but not by counting"], cases(200) / 20);
    }
}

/// Messages among them.
TEST(Invariants, OfRandomProgramsAreRight) {
    Tally tally;
    Solver solver(solver_command("z3").value(), {.time = patience});
    for (std::size_t i = 0; i < cases(200) && !HasFailure(); ++i) {
        Program const program = shared_program(seeded(3), i);
        Subject const subject(program);
        if (!subject.loaded.code->has_plain_messages()) continue;
        if (!expect_proofs_are_right(program, solver, tally)) ++tally["too large"];
    }
    print(std::cout, tally);
    EXPECT_GT(tally["proved"], 0U);
}

/// Whether a command that another thread executes conflicts with a block that is begun and not ended.
TEST(Blocks, AreAtomicInExecutions) {
    Tally tally;
    for (std::size_t i = 0; i < cases(4'000) && !HasFailure(); ++i) {
        Program const program = regions_program(seeded(31), i);
        Subject const subject(program);
        IndexedProgram const& code = *subject.loaded.code;
        counting::Proofs const proofs(subject.messages);
        auto const accesses = executions::shared_accesses(subject.messages);
        std::vector<bool> variables(code.names().variables.size());
        for (SharedVariable const& s : code.ctp().shared)
            variables[s.x.index] = code.names()(s.x) == "x" || code.names()(s.x) == "y";
        counting::Blocks const blocks(subject.messages, proofs, accesses, variables);
        SCOPED_TRACE(to_text(program, {}));
        Machine machine(code, Buffering::infinite);
        Dice dice(seeded(37), i);
        while (machine.state().s < machine::Status::infeasible) {
            auto const chosen = some_next_command(machine, dice);
            if (!chosen) break;
            bool touches = false;
            bool writes = false;
            for (auto const& a : accesses[chosen->index])
                if (variables[a.x.index]) {
                    touches = true;
                    writes |= a.writes;
                }
            auto const before = machine.state().ctp;
            if (!stays_on_path(machine, *chosen)) break;
            for (std::uint32_t u = 0; u < before.size(); ++u)
                for (counting::Block const& b : blocks.of(u)) {
                    if (u == code.thread_of(*chosen) || before[u] <= b.first || before[u] > b.last) continue;
                    ++tally["commands of others while a block is open"];
                    EXPECT_FALSE(touches && (writes || b.writes)) << code.names()(*chosen);
                }
        }
    }
    print(std::cout, tally);
    EXPECT_GT(tally["commands of others while a block is open"], 0U);
}

} // namespace
} // namespace matchpoint::naive
