// An execution, run once more by the reference machine, and shown.
#pragma once

#include "machine/machine.hpp"
#include "matching/match_pairs.hpp"
#include "report/findings.hpp"
#include "report/json.hpp"

namespace matchpoint::report {

/// An execution, run once more by the reference machine.
class Replay {
public:
    Replay(IndexedProgram const& code, Buffering buffering, Schedule const& schedule);

    IndexedProgram const& code() const { return machine_.code(); }
    State const& state() const { return machine_.state(); }
    Outcome const& outcome() const { return outcome_; }
    Findings const& findings() const { return findings_; }

    /// For an execution that ended with unfinished threads: why each cannot go on, a sentence each.
    std::vector<std::string> stuck_threads();

private:
    Machine machine_;
    Findings findings_;
    Outcome outcome_;
};

/// "  assertion at 09, entry 15, does not hold: (assert (= a 4)) with a = 1", each on a line
std::string shown_findings(IndexedProgram const& code, Findings const& findings);

/// "R2 = S5, R5 = S4"
std::string shown(MessageIndex const& messages, Matching const& m, std::size_t limit = 20);
std::vector<Match> matches(MessageIndex const& messages, Matching const& m);

/// "R2 = S5 instead of S4, ...": in what a match set differs from another one.
std::string shown_difference(MessageIndex const& messages, Matching const& m, Matching const& from);

/// The trace in the trace language, on one line: ( (24 bot) (02 bot) (03 ((0 2) bot)) ).
std::string shown_trace(IndexedProgram const& code, Schedule const& schedule);
/// The same for a terminal, behind a head of its own ("  trace: "), on lines of 80 columns where the entries allow it: what
/// could disturb it is escaped.
std::string wrapped_trace(IndexedProgram const& code, Schedule const& schedule, std::string_view head);

Json to_json(MessageIndex const& messages, Matching const& m);
Json pair_to_json(MessageIndex const& messages, Pair p);

} // namespace matchpoint::report
