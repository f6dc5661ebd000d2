// What the engines of one check() work with: the question, what is known of the answer so far, and what they share on
// the way.
#pragma once

#include "check/known.hpp"
#include "counting/proofs.hpp"
#include "executions/shared/few_switches.hpp"
#include "executions/shared/staged_interleavings.hpp"

namespace matchpoint::check {

class Context : public Question {
public:
    Context(MessageIndex const& messages, CheckOptions const& options, State const* from = nullptr)
        : Question(messages, options, from), known(*this) {}

    Activity& activity() { return options().activity == nullptr ? unwatched_ : *options().activity; }
    /// The runs that a solver is asked about. Where every execution completes, the easier question has the same answer.
    Runs runs_to_ask() { return !values_steer() && is_extendable() ? Runs::complete : runs(); }
    /// Whether it is known that every execution can be completed if assumptions do not count, and nothing divides by
    /// zero. With zero buffering, by an exploration that looks for deadlocks whatever the values are, of a few steps.
    bool is_extendable();

    Known known;
    /// For a program with shared variables: where counting suspects a deadlock.
    counting::DeadlockSuspects deadlock_suspects{.cycles = {}, .are_all = false};
    /// For a program with shared variables: what counting knows. None if it was not asked, or had not enough time.
    std::optional<Proofs> proofs;
    /// For a program with shared variables: what can be one step, as far as counting knows, for what was open then.
    std::optional<executions::Movers> movers;
    bool movers_care_for_races = false;
    /// The same, but data races do not count; see movers_without_races().
    std::optional<executions::Movers> movers_without_races;
    /// For a program with shared variables: the exploration, which goes on where it stopped.
    std::optional<executions::StagedInterleavings> interleavings;
    /// For a program with shared variables: what an assertion needs, and the search for few context switches, which
    /// goes on where it stopped.
    std::optional<executions::AssertionNeeds> assertion_needs;
    std::optional<executions::FewSwitches> few_switches;
    /// No execution with so many context switches, or fewer, fails; none if that was not looked at.
    std::optional<std::uint32_t> explored_switches;
    /// The windows that were looked at, before some execution failed.
    std::optional<CheckResult::Windows> windows;
    /// By the word of the SMT solver, no execution with fewer context switches fails.
    std::uint32_t fewest_switches = 0;
    /// Whether an exploration has seen all executions.
    bool is_explored = false;
    /// The steps that were needed, and that CheckOptions::without leaves out.
    std::vector<std::string_view> left_out;
    /// Started when the first problem is solved.
    std::optional<Solver> solver;

private:
    bool never_gets_stuck();

    Activity unwatched_;
    std::optional<bool> extendable_;
};

} // namespace matchpoint::check
