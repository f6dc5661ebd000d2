// Deadlocks of random programs with locks, against the naive exploration: threads can be where counting suspects a
// deadlock if there is one, and what check says is right.
#include <gtest/gtest.h>

#include <iostream>

#include <fmt/format.h>

#include "check/engines/meeting.hpp"
#include "counting/proofs.hpp"
#include "tests/support/naive_shared.hpp"
#include "tests/support/shared_programs.hpp"
#include "tests/support/shared_verdicts.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::naive {
namespace {

/// Whether threads can be at all commands of a cycle, by the program that fails exactly then; the execution is one of
/// the original program.
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
        Program const program = locks_program(41, i);
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
        auto const wrong = shared_check_is_right(locks_program(41, i), false, tally);
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
        Program const program = locks_program(41, i);
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
