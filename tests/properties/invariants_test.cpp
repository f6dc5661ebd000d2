// Inductive invariants of random programs against the naive exploration: what is proved of them holds, and blocks are atomic.
#include <gtest/gtest.h>

#include <iostream>

#include "check/invariants.hpp"
#include "machine/transition.hpp"
#include "programs/dice.hpp"
#include "solve/solver.hpp"
#include "tests/support/naive_shared.hpp"
#include "tests/support/random_walk.hpp"
#include "tests/support/shared_verdicts.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::naive {
namespace {

using programs::Dice;

/// Threads that compute in regions of a lock what is no counting, and assert something about it. Every now and then one forgets
/// the lock. Some send what they have to a thread that receives into a shared variable.
class RegionGenerator {
public:
    explicit RegionGenerator(std::uint64_t i) : dice_(31, i) {}

    Program take() {
        program_.shared = {{"x", number(some(3))},
                           {"y", number(some(3))},
                           {"b", truth(dice_.percent(50))},
                           {"l", number(1)},
                           {"n", number(0)}};
        std::size_t const threads = 2 + dice_.below(2);
        for (std::size_t t = 0; t < threads; ++t) {
            program_.threads.emplace_back();
            bool const is_last = t + 1 == threads;
            if (is_last && dice_.percent(50))
                add(Guarded{operation("=", variable("n"), number(static_cast<int>(threads) - 1)), {}, true});
            region(is_last && dice_.percent(40));
            if (!is_last) add(Assign{"n", operation("+", variable("n"), number(1))});
            if (is_last || dice_.percent(20)) assertion();
        }
        return program_;
    }

private:
    using Command_ = decltype(Command::what);

    void add(Command_ what) { program_.threads.back().push_back({"c" + std::to_string(next_++), std::move(what)}); }
    int some(std::size_t below) { return static_cast<int>(dice_.below(below)); }
    Expression operand() {
        switch (dice_.below(4)) {
        case 0: return number(some(3));
        case 1: return variable("y");
        default: return variable("x");
        }
    }
    Expression value() {
        static std::array<std::string, 5> const ops{"+", "*", "-", "div", "+"};
        if (dice_.percent(20)) return operand();
        std::string const& op = dice_.one_of(ops);
        bool const is_linear = op == "+" || op == "-" || dice_.percent(90); // solvers are slow with what is not
        return operation(op, operand(), is_linear && op != "+" && op != "-" ? number(some(3)) : operand());
    }
    Expression condition() {
        static std::array<std::string, 6> const ops{"<=", ">=", "=", "!=", ">=", "<="};
        Expression const compared =
            operation(dice_.one_of(ops), operand(), dice_.percent(60) ? number(some(3)) : operand());
        return dice_.percent(15) ? operation("=", variable("b"), compared) : compared;
    }
    void region(bool reads_only) {
        bool const locks = dice_.percent(90);
        if (locks)
            add(Guarded{
                operation(">", variable("l"), number(0)), {{"l", operation("-", variable("l"), number(1))}}, true});
        if (dice_.percent(20)) add(Guarded{condition(), {}, dice_.percent(50)});
        std::string const t = "t" + std::to_string(next_);
        add(Assign{t, dice_.percent(70) ? variable("x") : value()});
        if (!reads_only) {
            if (dice_.percent(50)) add(Assign{dice_.percent(50) ? "x" : "y", value()});
            add(Assign{dice_.percent(60) ? "x" : "y",
                       operation(dice_.percent(50) ? "*" : "+", variable(t), number(1 + some(2)))});
            if (dice_.percent(20)) add(Assign{"b", condition()});
        }
        if (dice_.percent(30)) add(Assert{operation(">=", variable(t), number(some(2)))});
        if (locks) add(Assign{"l", operation("+", variable("l"), number(1))});
    }
    void assertion() { add(Assert{dice_.percent(25) ? operation("and", condition(), condition()) : condition()}); }

    Dice dice_;
    Program program_;
    std::size_t next_ = 0;
};

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

TEST(Invariants, OfRandomRegionsAreRight) {
    Tally tally;
    Solver solver(solver_command("z3").value(), {.time = std::chrono::milliseconds(200)});
    for (std::size_t i = 0; i < cases(200) && !HasFailure(); ++i)
        if (!expect_proofs_are_right(RegionGenerator(i).take(), solver, tally)) ++tally["too large"];
    print(std::cout, tally);
    // They are of use.
    EXPECT_GT(tally["proved, but not by counting"], cases(200) / 20);
}

/// Messages among them.
TEST(Invariants, OfRandomProgramsAreRight) {
    Tally tally;
    Solver solver(solver_command("z3").value(), {.time = std::chrono::milliseconds(200)});
    for (std::size_t i = 0; i < cases(200) && !HasFailure(); ++i) {
        Program const program = shared_program(3, i);
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
        Program const program = RegionGenerator(i).take();
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
        Dice dice(37, i);
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
            std::vector<std::uint32_t> const before = machine.state().ctp;
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
