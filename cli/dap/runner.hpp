// Moving a program for a client, and why it stopped.
//
// A run follows a plan (a trace of the file, or a way that a search has found), or the client chooses. Where it
// follows, a move of a thread lets the others run along as the plan has it. Where the client chooses, only that thread
// moves.
#pragma once

#include <random>

#include "cli/dap/breakpoints.hpp"
#include "explain/findings.hpp"

namespace matchpoint::cli {

/// Which events stop the run (DAP calls them exceptions).
struct ExceptionFilters {
    bool failure = true;
    bool infeasible = false;
    bool fault = true;
    bool deadlock = true;
};

/// Why a run has stopped.
struct Stop {
    std::string reason; // as in DAP's event `stopped`
    std::string description = {};
    std::string text = {};
    std::optional<std::uint32_t> thread = {}; // to look at; default: the current one
    std::vector<std::int64_t> breakpoints = {};
    std::string exception = {}; // "failure", "infeasible", "fault", "deadlock", "limit"
    bool is_end = false;        // nothing can come next
};

class Runner {
public:
    /// The arguments have to outlive it. `interrupted`: whether the client wants the run to pause.
    Runner(Debuggee& debuggee, Breakpoints& breakpoints, ExceptionFilters const& filters,
           std::function<bool()> interrupted);

    /// Whether a move goes along the plan.
    bool follows() { return following_ && stepper().has_next(); }
    /// Nothing can come next.
    bool at_end();
    /// The thread whose command the user should see.
    std::optional<std::uint32_t> thread_in_focus();
    /// Where the run is, as the reason to stop there.
    Stop here(std::string reason, std::string description = {});

    // Each of these throws Refused if the move is impossible, and LimitReached.

    /// Runs from its beginning, breakpoints at the first command included; or goes on.
    Stop go_on(bool from_beginning = false);
    /// Until the thread has made a step; where the client chooses, its next command.
    Stop next(std::uint32_t thread);
    /// One rule: of the entry that comes next, or of the thread's next command.
    Stop rule(std::uint32_t thread);
    /// The rest of the entry that comes next; where the client chooses, the thread as far as it goes.
    Stop out(std::uint32_t thread);
    Stop choose(Transition const& what);
    /// To before the thread's last step.
    Stop back(std::uint32_t thread);
    Stop back_rule();
    /// To the previous breakpoint.
    Stop back_on();
    /// To so many steps of the plan, forward or back, past breakpoints.
    Stop jump(std::size_t steps);

    /// The stop at a limit of this implementation, wherever the run is by then.
    Stop limit(std::string const& why);

    /// Lets something else move the run, and says how it has moved; none if it has not.
    std::optional<Stop> moved_by(std::function<void()> const& mover);

private:
    class Watcher;
    class Watching;

    Stepper& stepper() { return debuggee_.stepper(); }
    std::optional<std::uint32_t> thread_of(std::optional<Location> rho);
    /// One transition or rule, and why the run stops after it. Throws LimitReached.
    std::optional<Stop> move(std::optional<Location> rho, std::function<void()> const& step);
    std::optional<Stop> found(Watcher const& watcher, std::optional<Location> rho, std::size_t entry);
    std::optional<Stop> fault(std::optional<Location> rho);
    Stop end();
    Stop halt();
    Stop moved_from(Stepper::Point before);
    std::optional<Stop> breakpoint(std::optional<Location> rho);
    std::optional<Stop> along(std::function<bool()> const& enough, bool stops_at_first, bool narrates);
    Transition pick();
    void must_be_possible(Transition const& what);
    bool comes_again(std::uint32_t thread);

    Debuggee& debuggee_;
    Breakpoints& breakpoints_;
    ExceptionFilters const& filters_;
    std::function<bool()> interrupted_;
    std::string narration_;
    Narrator narrator_;
    std::optional<std::mt19937_64> random_;
    bool following_;

public:
    /// What the moves since the last call have narrated, if the launch wants it.
    std::string narration() { return std::exchange(narration_, {}); }
};

/// How the run ended: 0 success, 10 failure, 11 deadlock, 12 infeasible, 13 error; 1 if a limit hides that.
ExitCode exit_code_of(Debuggee& debuggee);

} // namespace matchpoint::cli
