// What `check` says of one program under one buffering: as text, as JSON, and the traces that back it.
#pragma once

#include <string>

#include "check/check.hpp"
#include "check/scope.hpp"
#include "cli/terminal.hpp"
#include "explain/blocked.hpp"
#include "matching/prepared.hpp"
#include "record/provenance.hpp"
#include "report/json.hpp"
#include "report/replay.hpp"

namespace matchpoint::cli {

/// "limit", "solver failed", "wrong answer"
std::string_view label(Trouble::Kind kind);

class CheckReport {
public:
    /// With `statistics`, it also says how often each inference applied.
    CheckReport(Prepared const& subject, CheckOptions const& options, CheckResult const& result, bool statistics);
    /// For a program that could not be read because of a limit.
    CheckReport(std::string name, CheckOptions const& options, CheckResult const& result, bool statistics);
    /// The program is a recording. `of_run` is what the file says of its run.
    void set_recorded(Provenance const& from, TraceEnding const& of_run);
    /// Whether the recorded run went wrong, or was ended, in a way that the verdict is not about.
    bool is_beside_the_run() const {
        bool const misses_deadlock = has_deadlocked_ && r_.deadlock.answer != Reached::Answer::yes;
        return (!end_.empty() || misses_deadlock) && r_.verdict != Verdict::violated;
    }
    /// How the recorded run went wrong or was ended, if the verdict is not about that; otherwise empty.
    std::string beside_the_run() const;
    /// Whether the deadlock of the verdict is the one that the recorded run got stuck in: it needs no confirmation.
    bool is_recorded_deadlock() const;
    /// What keeps the verdict from being about every run of the recorded program, in sentences without a full stop at
    /// the end. Empty if nothing does.
    std::string not_known() const;
    /// The report is about a causal model of a trace; traces count from 1.
    void set_model(Model model, std::size_t trace) { model_ = {model, trace}; }
    /// The report is about complete runs whose matches are among so many pairs.
    void set_pairs(std::size_t count) { pairs_ = count; }
    /// Whether the verdict is about a part of the executions. Then nobody asks about deadlocks and faults.
    bool is_about_a_part() const { return model_ || pairs_; }
    std::optional<Model> model() const { return model_ ? std::optional(model_->model) : std::nullopt; }

    void print(Terminal& terminal) const;
    Json json() const;
    /// What the verdict speaks about.
    Scope const& scope() const { return scope_; }
    /// The program with the traces that back the answer: a run that fails or succeeds, and runs that get stuck. Empty
    /// if there are none.
    std::string witnesses() const;

private:
    bool on_path() const { return runs_ == Runs::executions; }
    bool some_complete() const { return r_.verdict == Verdict::safe || (r_.run && r_.run->extent == Extent::complete); }
    Replay replay(Run const& run) const { return {s_->code, buffering_, run.schedule, run.extent}; }

    Style verdict_style() const;
    void safe(Terminal& terminal) const;
    void asserts_nothing(Terminal& terminal) const;
    void evaluated(Terminal& terminal) const;
    void received(Terminal& terminal) const;
    void violated(Terminal& terminal) const;
    void vacuous(Terminal& terminal) const;
    /// What the answers do not cover.
    void other_paths(Terminal& terminal) const;
    /// Why threads do not finish.
    void after_that(Terminal& terminal, std::vector<Replay::Halt> const& halts) const;
    void race(Terminal& terminal) const;
    void lifted(Terminal& terminal) const;
    void switches(Terminal& terminal) const;
    void matches(Terminal& terminal) const;
    void reached(Terminal& terminal, std::string_view what, Reached const& r) const;
    void trace(Terminal& terminal, Schedule const& schedule, std::string_view head = "  trace: ") const;
    /// ((0 3) bot): the movements that no entry follows.
    std::string shown_movements(Schedule const& schedule) const;
    std::vector<std::string> why(Reached const& r) const;
    /// "S1 at 03 and S2 at 13": the sends of a deadlock that depends on the library.
    std::string shown_broken(Schedule const& schedule) const;
    void inductive(Terminal& terminal) const;
    std::string work() const;

    Json complete(std::optional<Run> const& run) const;
    /// What keeps the threads from finishing.
    Json after(Run const& run) const;
    Json reached(Reached const& r) const;

    std::string name_;
    Prepared const* s_ = nullptr;
    Buffering buffering_;
    std::string_view shown_buffering_;
    bool may_refuse_; // sends, as the library likes
    Runs runs_;
    CheckResult const& r_;
    bool statistics_;
    Scope scope_;
    std::string end_;         // a sentence on how the recorded run failed as such or was ended by us, or empty
    std::string why_;         // "exit code 134", "it was interrupted"
    bool has_failed_ = false; // as such
    bool is_known_who_died_ = false;
    bool has_deadlocked_ = false;
    bool sends_waited_ = false; // in the recorded run: all of them
    bool some_waited_ = false;  // that another library would have buffered
    bool is_cut_ = false;       // it is a recording of a run that broke off
    std::string verify_;        // the command that runs all orders, between backquotes; empty if it is no recording
    bool searched_on_ = false;  // for fewer context switches
    struct OfTrace {
        Model model;
        std::size_t trace;
    };
    std::optional<OfTrace> model_;
    std::optional<std::size_t> pairs_; // given ones
};

} // namespace matchpoint::cli
