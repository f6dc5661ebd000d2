// What the engines of one check() share: the question, what is known of the answer so far, and the time that is left.
#pragma once

#include "check/check.hpp"

namespace matchpoint::check {

class Context {
public:
    Context(MessageIndex const& messages, CheckOptions const& options);

    MessageIndex const& messages() const { return messages_; }
    CheckOptions const& options() const { return options_; }
    /// Whether the program has a divisor that may be zero.
    bool can_fault() const { return can_fault_; }

    /// Machine steps that cost some hundredths of a second: the larger the program, the more a state costs.
    std::uint64_t few_steps() const;
    /// None: there is no limit.
    std::optional<std::chrono::milliseconds> time_left() const;
    bool out_of_time() const;

    /// Keeps the first execution of each kind.
    void record(Scheduler const& execution, End end);
    /// Keeps where an execution got stuck, if it is the first one.
    static void record(Reached& reached, Scheduler const& execution);
    /// Runs a schedule on the reference machine, from the beginning.
    Outcome replay(Schedule const& schedule) const;
    /// Notes a trouble once: a solver that is missing is missing for every problem.
    void report(Trouble trouble);

    /// Concludes a verdict, unless there is one already. `violated` needs a run that fails, `safe` one that succeeds.
    void conclude(Verdict v, std::string engine);
    /// Takes the verdict back.
    void withdraw();
    bool has_verdict() const { return result.verdict != Verdict::unknown; }
    /// Whether the verdict, deadlocks and faults are all known.
    bool is_settled() const;

    CheckResult result;
    // The first complete run of each status.
    std::optional<Run> success;
    std::optional<Run> failure;
    std::optional<Run> infeasible;
    /// Whether an exploration has seen all executions.
    bool is_explored = false;
    /// Started when the first problem is solved.
    std::optional<Solver> solver;

private:
    MessageIndex const& messages_;
    CheckOptions const& options_;
    bool can_fault_;
    std::optional<std::chrono::steady_clock::time_point> deadline_;
};

} // namespace matchpoint::check
