// An execution, run once more by the reference machine, and shown in words.
#pragma once

#include "machine/machine.hpp"
#include "machine/schedule.hpp"
#include "report/findings.hpp"

namespace matchpoint::report {

class Replay {
public:
    Replay(IndexedProgram const& code, Buffering buffering, Schedule const& schedule);

    IndexedProgram const& code() const { return machine_.code(); }
    State const& state() const { return machine_.state(); }
    Outcome const& outcome() const { return outcome_; }
    Findings const& findings() const { return findings_; }

    /// Why each unfinished thread cannot go on, a sentence each.
    std::vector<std::string> stuck_threads();

private:
    Machine machine_;
    Findings findings_;
    Outcome outcome_;
};

/// "  assertion at 09, entry 15, does not hold: (assert (= a 4)) with a = 1", a line for each finding
std::string shown_findings(IndexedProgram const& code, Findings const& findings);

/// "07 (assert (= (/ a b) 1)): (/ 4 0) has no value": the command of a fault, and why no rule applies to it. The state is
/// the one before the command.
std::string shown_fault(IndexedProgram const& code, State const& state, RunError const& fault);

/// The trace in the trace language, on one line: ( (24 bot) (02 bot) (03 ((0 2) bot)) ).
std::string shown_trace(IndexedProgram const& code, Schedule const& schedule);
/// The same for a terminal, after a head such as "  trace: ": escaped, and on lines of 80 columns unless an entry is longer.
std::string wrapped_trace(IndexedProgram const& code, Schedule const& schedule, std::string_view head);

} // namespace matchpoint::report
