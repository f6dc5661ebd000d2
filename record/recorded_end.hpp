// How the recorded run of a file ended, where no command of the program says it: it failed with an exit code or a C
// assertion, or we ended it. The machine takes such a run for a success, so those who meet its matches again ask here.
//
//   auto const end = recorded_end(messages, source.text());
//   if (end && end->is(matching)) std::cout << end->word() << ": " << end->how << '\n';
#pragma once

#include "matching/matching.hpp"

namespace matchpoint::record {

struct RecordedEnd {
    std::string how;  // "exit code 134: mw.c:23: main: Assertion `x == 1' failed.", "it was interrupted"
    bool has_failed;  // otherwise we ended it
    Matching matches; // of the receives that had completed when it ended
    bool is_complete; // it ended after the last command of the program

    std::string_view word() const { return has_failed ? "failed" : "ended"; }
    /// The field of JSON for `how`.
    std::string_view field() const { return has_failed ? "recorded_run_failed" : "recorded_run_ended"; }
    /// Whether a complete run is this one.
    bool is(Matching const& run) const { return is_complete && matches == run; }
    /// Whether a complete run is not this one, and begins as it did.
    bool begins(Matching const& run) const;
    /// Whether a complete run that the machine takes for a success is called word() instead. One that only begins as a
    /// run that failed is still called a success.
    bool renames(Matching const& run) const { return is(run) || (!has_failed && begins(run)); }
};

/// None if the program is no recording, if its run neither failed nor was ended or a command says why, or if threads
/// share variables: their matches do not tell runs apart. Throws LimitReached.
std::optional<RecordedEnd> recorded_end(MessageIndex const& messages, std::string_view text);

} // namespace matchpoint::record
