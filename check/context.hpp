// What the engines of one check() share: the question, what is known of the answer so far, and the time that is left.
#pragma once

#include <array>

#include "check/check.hpp"
#include "counting/deadlocks.hpp"
#include "encode/partial_runs.hpp"
#include "matching/match_pairs.hpp"

namespace matchpoint::check {

/// Who says something.
struct Engine {
    std::string name;
    bool is_solver = false; // it rests on the word of the SMT solver, which can be wrong
};

class Context {
public:
    Context(MessageIndex const& messages, CheckOptions const& options) : Context(messages, options, nullptr) {}
    /// About the executions that go on from a state that some execution reached (continuation.hpp), or about all if
    /// `from` is null.
    Context(MessageIndex const& messages, CheckOptions const& options, State const* from);

    MessageIndex const& messages() const { return messages_; }
    CheckOptions const& options() const { return options_; }
    State const* from() const { return from_; }
    Activity& activity() { return options_.activity == nullptr ? unwatched_ : *options_.activity; }
    /// Whether what was delivered before that state leaves room for a match.
    bool may_match(Pair p) const;
    /// Those pairs of overapprox().
    MatchPairs possible_pairs() const;
    /// Which runs count. Where both readings agree, that is `complete`, which is easier.
    Runs runs() const { return runs_; }
    /// The runs that a solver is asked about. Where every execution completes, the easier question has the same answer.
    Runs runs_to_ask() { return !values_steer() && is_extendable() ? Runs::complete : runs_; }
    bool is_on_path() const { return runs_ == Runs::executions; }
    /// Whether the program has a divisor that may be zero.
    bool can_fault() const { return can_fault_; }
    /// Whether values can change how far a thread gets.
    bool values_steer() const { return can_fault_ || (is_on_path() && has_assumptions_); }
    /// Whether every execution completes that keeps the assumptions and does not divide by zero. Zero buffering:
    /// `false` means that counting does not tell (matching/reach.hpp). It does not tell either where receives select.
    bool all_finish() const { return all_finish_; }
    /// Whether it is known that every execution can be completed if assumptions do not count, and nothing divides by
    /// zero. With zero buffering, by an exploration that looks for deadlocks whatever the values are, of a few steps.
    bool is_extendable();

    /// Machine steps that cost some hundredths of a second: the larger the program, the more a state costs.
    std::uint64_t few_steps() const;
    /// Samples that cost no more than the other engines: in a large program, a few.
    std::uint64_t few_samples() const;
    /// None if there is no limit.
    std::optional<std::chrono::milliseconds> time_left() const;
    /// Whether so much of the time or less is left.
    bool out_of_time(std::chrono::nanoseconds reserve = {}) const;
    /// While it lives, whatever runs out of time throws OutOfTime.
    Watch watch();
    /// Whether an engine has to look at the clock at all.
    bool is_limited() const { return deadline_.has_value() || options_.cancelled; }

    // What is found and what is ruled out goes through these. The reference machine runs what is found once more, and
    // std::logic_error is thrown if it comes to another end. If a finding contradicts what was known, that was wrong: a
    // trouble if it was the word of the solver, and std::logic_error if it was proved.

    /// Keeps the first execution of each kind.
    void record(Scheduler const& execution, End end);
    /// Keeps a run that an engine was asked for.
    void keep(Run run);
    /// Keeps how an execution gets stuck, if it is the first one that does.
    void found(Stop stop, Schedule schedule);
    void found(Race race);
    /// No execution gets stuck so.
    void rule_out(Stop stop, Engine const& by);
    void rule_out_race();
    /// No execution leaves the path, if that is asked.
    void rule_out_leaving();
    /// No assertion fails in any execution on the path.
    void rule_out_failure(Engine by);
    Reached const& reached(Stop stop) const { return stop == Stop::deadlock ? result.deadlock : result.fault; }
    bool is_open(Stop stop) const { return reached(stop).answer == Reached::Answer::unknown; }

    /// The schedule of an execution; if it ended in a fault, with the command that is stuck.
    static Schedule schedule_of(Scheduler const& execution);
    /// The run of an execution, as far as it got.
    Run run_of(Scheduler const& execution, End end) const;
    /// Runs a schedule on the reference machine, from the beginning.
    Outcome replay(Schedule const& schedule, Extent extent = Extent::complete) const;
    /// Notes a trouble once: a solver that is missing is missing for every problem.
    void report(Trouble trouble);

    /// The SMT solver.
    Engine by_smt() const { return {"smt (" + options_.solver.name + ")", true}; }
    /// Concludes a verdict, unless there is the same one already. `violated` needs a run that fails, `safe` one that
    /// succeeds; the reference machine runs it once more.
    void conclude(Verdict v, Engine const& engine);
    /// An engine says that no execution `does` something, and one does.
    void contradict(Engine const& engine, std::string_view does);
    bool has_verdict() const { return result.verdict != Verdict::unknown; }
    /// Whether everything that was asked is known.
    bool is_settled() const;

    CheckResult result;
    // The first run of each status. Runs::complete: a complete run. Runs::executions: `success` is complete, `failure`
    // may get stuck or leave the path after it has failed, and `infeasible` goes on to an assumption that is false.
    std::optional<Run> success;
    std::optional<Run> failure;
    std::optional<Run> infeasible;
    /// Whether it is known that no run completes on the path.
    bool none_completes = false;
    /// The engine that found out that no assertion fails in any execution on the path; none if that is not known.
    std::optional<Engine> fails_never_by;
    /// For a program with shared variables: where counting suspects a deadlock.
    counting::DeadlockSuspects deadlock_suspects{.cycles = {}, .are_all = false};
    /// Whether an exploration has seen all executions.
    bool is_explored = false;
    /// Started when the first problem is solved.
    std::optional<Solver> solver;

private:
    bool is_cancelled() const;
    bool asks_for_leaving() const;
    void record_leaving(Scheduler const& execution, End end);
    bool never_gets_stuck();
    bool knows_stops() const;
    std::optional<Run>& kept(Status s);
    void withdraw_what_is_contradicted();

    MessageIndex const& messages_;
    CheckOptions const& options_;
    Activity unwatched_;
    State const* from_;
    Matching delivered_;             // before that state
    std::vector<bool> is_delivered_; // send -> whether delivered_ has it; empty if none has been delivered
    Runs runs_;
    bool can_fault_;
    bool has_assumptions_;
    bool all_finish_;
    std::optional<bool> extendable_;
    std::array<Engine, 2> ruled_out_by_; // Stop -> who said `no`
    std::optional<std::chrono::steady_clock::time_point> deadline_;
};

} // namespace matchpoint::check
