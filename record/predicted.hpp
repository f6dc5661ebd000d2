// What a trace of a recording does, by the reference machine: what a replay is compared with.
//
//   auto const predicted = predict(prepared, 0, Buffering::infinite, {});
//   if (predicted && predicted->is_deadlock) compare(predicted->waits, waits_of(recording));
#pragma once

#include <string>
#include <vector>

#include "base/expected.hpp"
#include "matching/prepared.hpp"
#include "record/rerun.hpp"
#include "record/schedule.hpp"

namespace matchpoint::record {

struct Predicted {
    std::vector<CallMatch> matches;
    Status s = Status::success;
    bool is_deadlock = false; // not if ranks were still running that could end it when the recorded run was ended
    struct Waiting {
        Waits waits;
        std::string where; // "at R0_1 (main.c:12)"
    };
    std::vector<Waiting> waits = {};   // in the deadlock
    std::vector<CallId> refusing = {}; // the sends and collectives that refuse to return
};

/// Who got what in a state of a recorded program, sorted. Without the messages of collective calls, which cannot be
/// other ones.
std::vector<CallMatch> matches_in(Prepared const& prepared, State const& state);

/// Runs trace t as far as it goes, and then the commands that can still come, but for those of the sends and
/// collectives that refuse, which are given by name. The error says which entry is stuck, and why, or which name is
/// neither. Throws LimitReached.
Expected<Predicted, std::string> predict(Prepared const& prepared, std::size_t t, Buffering buffering,
                                         std::vector<std::string> const& refusing);

} // namespace matchpoint::record
