// The recorded run of a file, where it failed and no command of the program says why: an exit code, a C assertion. The
// machine sees no failure in such a run, so those who meet its matches again ask here how it ended.
//
//   auto const failure = recorded_failure(messages, source.text());
//   if (failure && failure->is(matching)) std::cout << "failed: " << failure->how << '\n';
#pragma once

#include "matching/matching.hpp"

namespace matchpoint::record {

struct RecordedFailure {
    std::string how;  // "exit code 134: mw.c:23: main: Assertion `x == 1' failed."
    Matching matches; // of the receives that had completed when it ended
    bool is_complete; // it ended after the last command of the program

    /// Whether a complete run is this one.
    bool is(Matching const& run) const { return is_complete && matches == run; }
    /// Whether a complete run is not this one, and begins as it did.
    bool begins(Matching const& run) const;
};

/// None if the program is no recording, if its run did not fail or a command says why, or if threads share variables:
/// their matches do not tell runs apart. Throws LimitReached.
std::optional<RecordedFailure> recorded_failure(MessageIndex const& messages, std::string_view text);

} // namespace matchpoint::record
