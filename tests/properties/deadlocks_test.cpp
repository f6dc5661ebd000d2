// Deadlocks of random programs with locks, against the naive exploration: threads can stand where counting suspects one if there is
// one, and what check says is right.
#include <gtest/gtest.h>

#include <iostream>

#include <fmt/format.h>

#include "check/meeting.hpp"
#include "counting/proofs.hpp"
#include "programs/dice.hpp"
#include "tests/support/naive_shared.hpp"
#include "tests/support/shared_verdicts.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::naive {
namespace {

using programs::Dice;

/// Threads with regions of three locks in each other. Some come after another one, by a flag that counts or by a value that does not;
/// some forget to give a lock back; some assume or assert something on the way.
class LockGenerator {
public:
    explicit LockGenerator(std::uint64_t i) : dice_(41, i) {}

    Program take() {
        program_.shared = {{"p", number(1)},
                           {"q", number(1)},
                           {"r", number(dice_.percent(85) ? 1 : 2)},
                           {"n", number(0)},
                           {"x", number(1)}};
        std::size_t const threads = 2 + dice_.below(2);
        for (std::size_t t = 0; t < threads; ++t) {
            program_.threads.emplace_back();
            if (t > 0 && dice_.percent(40)) begin_later();
            std::size_t const regions = 1 + dice_.below(threads == 2 ? 2 : 1);
            for (std::size_t n = 0; n < regions; ++n) {
                region(1 + dice_.below(3), {"p", "q", "r"});
                if (dice_.percent(t == 0 ? 60 : 10)) say();
            }
        }
        return program_;
    }

private:
    using Command_ = decltype(Command::what);

    void add(Command_ what) { program_.threads.back().push_back({"c" + std::to_string(next_++), std::move(what)}); }
    void region(std::size_t depth, std::vector<std::string> locks) {
        std::size_t const chosen = dice_.below(locks.size());
        std::string const l = locks[chosen];
        if (!dice_.percent(3)) locks.erase(locks.begin() + static_cast<std::ptrdiff_t>(chosen));
        add(Guarded{operation(">", variable(l), number(0)), {{l, operation("-", variable(l), number(1))}}, true});
        if (depth > 1) region(depth - 1, locks);
        if (!dice_.percent(3)) add(Assign{l, operation("+", variable(l), number(1))});
    }
    /// What others can wait for, or not.
    void say() {
        switch (dice_.below(4)) {
        case 0: add(Assign{"n", operation("+", variable("n"), number(1))}); break;
        case 1: add(Assert{operation("=", variable("x"), number(1))}); break;
        default: add(Assign{"x", operation("*", variable("x"), number(2))}); break;
        }
    }
    void begin_later() {
        switch (dice_.below(4)) {
        case 0: add(Guarded{operation(">", variable("n"), number(0)), {}, true}); break;
        case 1: add(Guarded{operation(">", variable("x"), number(1)), {}, true}); break;
        default: add(Guarded{operation(">", variable("x"), number(1)), {}, false}); break;
        }
    }

    Dice dice_;
    Program program_;
    std::size_t next_ = 0;
};

/// Whether threads can stand at all commands of a cycle, by the program that fails exactly then; the execution is one of the program.
bool can_meet(Subject const& subject, counting::DeadlockSuspects::Cycle const& cycle) {
    IndexedProgram const& code = *subject.loaded.code;
    std::vector<std::uint32_t> commands;
    for (auto const& stand : cycle) commands.push_back(stand.command);
    check::Meeting const meeting(code, commands);
    CheckOptions options;
    options.engine = EngineChoice::explore;
    options.stops = false;
    CheckResult const found = check::check(meeting.messages(), options);
    if (found.verdict != check::Verdict::violated) return false;
    Machine machine(code, Buffering::infinite);
    auto const outcome = machine::run(machine, meeting.raised(found.run->schedule), Extent::prefix);
    EXPECT_FALSE(outcome.error);
    for (auto const& stand : cycle) EXPECT_EQ(machine.state().ctp[code.thread_of({stand.command})], stand.command);
    return true;
}

TEST(Deadlocks, StandWhereTheyAreSuspected) {
    Tally tally;
    for (std::size_t i = 0; i < cases(3'000) && !HasFailure(); ++i) {
        Program const program = LockGenerator(i).take();
        auto const truth = explore_shared(program, false);
        if (!truth) {
            ++tally["too large"];
            continue;
        }
        Subject const subject(program);
        SCOPED_TRACE(to_text(program, {}));
        auto const suspects = counting::Proofs(subject.messages).deadlock_suspects();
        bool is_met = false;
        for (auto const& cycle : suspects.cycles) is_met |= can_meet(subject, cycle);
        if (truth->deadlock) ++tally["deadlock"];
        if (suspects.none()) ++tally["nothing suspected"];
        if (!suspects.are_all) {
            ++tally["more may be suspected"];
            continue;
        }
        EXPECT_FALSE(truth->deadlock && !is_met);
        if (truth->deadlock) ++tally["deadlock, suspected"];
        if (!suspects.cycles.empty() && !is_met) ++tally["suspected, ruled out"];
    }
    print(std::cout, tally);
    for (char const* const what : {"deadlock, suspected", "nothing suspected", "suspected, ruled out"})
        EXPECT_GE(tally[what], least(10)) << what;
}

TEST(Deadlocks, CheckIsRight) {
    Tally tally;
    for (std::size_t i = 0; i < cases(1'000) && !HasFailure(); ++i) {
        auto const wrong = shared_check_is_right(LockGenerator(i).take(), false, tally);
        EXPECT_FALSE(wrong) << *wrong;
    }
    print(std::cout, tally);
}

/// Locks that are not given back are no cycle; and the other threads have too many states.
TEST(Deadlocks, BesideManyStates) {
    Program program;
    program.shared = {{"l", number(1)}, {"x", number(1)}};
    auto const take =
        Guarded{operation(">", variable("l"), number(0)), {{"l", operation("-", variable("l"), number(1))}}, true};
    program.threads = {{{"a", take}, {"b", Assign{"l", operation("+", variable("l"), number(1))}}}, {{"c", take}}};
    for (int t = 2; t < 6; ++t) {
        program.threads.emplace_back();
        for (int i = 0; i < 8; ++i)
            program.threads.back().push_back(
                {fmt::format("n{}.{}", t, i),
                 Assign{"x", operation("+", operation("*", number(t), variable("x")), number(i))}});
    }
    Subject const subject(program);
    EXPECT_EQ(check::check(subject.messages, {}).deadlock.answer, Reached::Answer::yes);
}

/// Without samples, and with an exploration that ends at once. What is said then is right.
TEST(Deadlocks, ProblemsOfTheirOwnAreRight) {
    Tally tally;
    for (std::size_t i = 0; i < cases(1'000) && !HasFailure(); ++i) {
        Program const program = LockGenerator(i).take();
        auto const truth = explore_shared(program, false);
        if (!truth) continue;
        Subject const subject(program);
        SCOPED_TRACE(to_text(program, {}));
        CheckOptions options;
        options.samples = 0;
        options.steps = 10;
        auto const deadlock = check::check(subject.messages, options).deadlock.answer;
        EXPECT_NE(deadlock, truth->deadlock ? Reached::Answer::no : Reached::Answer::yes);
        ++tally[std::string(to_string(deadlock))];
        bool const is_proved = counting::Proofs(subject.messages).no_deadlock();
        if (deadlock == Reached::Answer::no && !is_proved) ++tally["no, and not by counting"];
    }
    print(std::cout, tally);
    for (char const* const what : {"yes", "no, and not by counting"}) EXPECT_GE(tally[what], least(10)) << what;
}

} // namespace
} // namespace matchpoint::naive
