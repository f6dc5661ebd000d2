// An execution, run once more by the reference machine, and shown in words.
#pragma once

#include <span>

#include "base/paint.hpp"
#include "explain/blocked.hpp"
#include "explain/findings.hpp"
#include "explain/words.hpp"
#include "machine/machine.hpp"
#include "machine/schedule.hpp"

namespace matchpoint::report {

class Replay {
public:
    Replay(IndexedProgram const& code, Buffering buffering, Schedule const& schedule, Extent extent = Extent::complete);

    IndexedProgram const& code() const { return machine_.code(); }
    State const& state() const { return machine_.state(); }
    Outcome const& outcome() const { return outcome_; }
    Findings const& findings() const { return findings_; }

    /// Where an unfinished thread is, and why it does not go on.
    struct Halt {
        enum class Kind : std::uint8_t { waits, leaves_path, fault };
        Kind kind;
        std::uint32_t thread;
        Location at;
        std::string why; // "A = 2", "(/ 4 0) has no value", what a wait needs
    };
    /// One for each unfinished thread that is stuck or about to execute a false assumption, after the movements at the
    /// end of the schedule that no entry follows. `refusing`: sends and collectives that refuse to return.
    std::vector<Halt> halts(std::span<Action const> refusing = {});
    /// Why nothing can come next after the movements at the end of the schedule; none if something can.
    std::optional<explain::Blocked> blocked();
    /// Why each unfinished thread cannot go on, a sentence each.
    std::vector<std::string> stuck_threads(std::span<Action const> refusing = {});

private:
    /// As far as the schedule goes, and without the error of one that is used up too early.
    void go_to_end();

    Machine machine_;
    Findings findings_;
    Outcome outcome_;
    std::vector<Channel> trailing_; // movements at the end of the schedule
    std::size_t delivered_ = 0;     // of these
};

using explain::shown; // and of what a replay finds:

/// "assertion at 09, entry 15, does not hold: (assert (= a 4)) with a = 1"
std::string shown(IndexedProgram const& code, Finding const& finding, Paint const& paint = Paint());

/// The same, indented, a line for each finding.
std::string shown_findings(IndexedProgram const& code, Findings const& findings, Paint const& paint = Paint());

/// "thread 0 leaves the path at d (assume (= A 1)): A = 2"
std::string shown(IndexedProgram const& code, Replay::Halt const& halt);

/// "07 (assert (= (/ a b) 1)): (/ 4 0) has no value": the command of a fault, and why no rule applies to it. The state
/// is the one before the command.
std::string shown_fault(IndexedProgram const& code, State const& state, RunError const& fault);

/// The trace in the trace language, on one line: ( (24 bot) (02 bot) (03 ((0 2) bot)) ).
std::string shown_trace(IndexedProgram const& code, Schedule const& schedule);
/// The same for a terminal, after a head such as "  trace: ": escaped, and on lines of 80 columns unless an entry is
/// longer.
std::string wrapped_trace(IndexedProgram const& code, Schedule const& schedule, std::string_view head);

} // namespace matchpoint::report
