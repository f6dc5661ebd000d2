// What one check() is asked, and what is plain of it before any engine runs: which runs count, whether anything can
// divide by zero, how much time is left. Engines read it; nothing in it changes.
//
//   Question const question(messages, options);
//   if (!question.can_fault()) ...
//
// A question is about all executions, or about those that go on from a state (continuation.hpp).
#pragma once

#include <string>

#include "check/check.hpp"
#include "matching/match_pairs.hpp"

namespace matchpoint::check {

/// Who says something.
struct Engine {
    std::string name;
    bool is_solver = false; // it rests on the word of the SMT solver, which can be wrong
};

class Question {
public:
    /// The messages, the options and the state have to outlive it. `from` is null for all executions.
    Question(MessageIndex const& messages, CheckOptions const& options, State const* from = nullptr);

    MessageIndex const& messages() const { return messages_; }
    CheckOptions const& options() const { return options_; }
    State const* from() const { return from_; }
    /// Whether what was delivered before that state leaves room for a match.
    bool may_match(Pair p) const;
    /// Those pairs of overapprox().
    MatchPairs possible_pairs() const;

    /// Which runs count. Where both readings agree, that is `complete`, which is easier.
    Runs runs() const { return runs_; }
    bool is_on_path() const { return runs_ == Runs::executions; }
    /// Whether the program has a divisor that may be zero.
    bool can_fault() const { return can_fault_; }
    /// Whether values can change how far a thread gets.
    bool values_steer() const { return can_fault_ || (is_on_path() && has_assumptions_); }
    /// Whether every execution completes that keeps the assumptions and does not divide by zero. Zero buffering:
    /// `false` means that counting does not tell (matching/reach.hpp). It does not tell either where receives select.
    bool all_finish() const { return all_finish_; }
    /// Whether it is asked if an execution leaves the path.
    bool asks_for_leaving() const;
    /// Whether it is asked if there is a data race.
    bool asks_for_races() const;

    /// Machine steps that cost some hundredths of a second: the larger the program, the more a state costs.
    std::uint64_t few_steps() const;
    /// Samples that cost no more than the other engines: in a large program, a few.
    std::uint64_t few_samples() const;
    /// None if there is no limit.
    std::optional<std::chrono::milliseconds> time_left() const;
    /// Whether so much of the time or less is left.
    bool out_of_time(std::chrono::nanoseconds reserve = {}) const;
    /// While it lives, whatever runs out of time throws OutOfTime.
    Watch watch() const;
    /// Whether an engine has to look at the clock at all.
    bool is_limited() const { return deadline_.has_value() || options_.cancelled; }

    /// The SMT solver.
    Engine by_smt() const { return {"smt (" + options_.solver.name + ")", true}; }
    /// Runs a schedule on the reference machine, from the beginning.
    Outcome replay(Schedule const& schedule, Extent extent = Extent::complete) const;

private:
    bool is_cancelled() const;

    MessageIndex const& messages_;
    CheckOptions const& options_;
    State const* from_;
    Matching delivered_;             // before that state
    std::vector<bool> is_delivered_; // send -> whether delivered_ has it; empty if none has been delivered
    Runs runs_;
    bool can_fault_;
    bool has_assumptions_;
    bool all_finish_;
    std::optional<std::chrono::steady_clock::time_point> deadline_;
};

} // namespace matchpoint::check
