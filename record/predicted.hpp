// What a trace of a recording does, by the reference machine: what a replay is compared with.
//
//   auto const predicted = predict(prepared, 0, Buffering::infinite, {});
//   if (predicted && predicted->is_deadlock) compare(predicted->waits, waits_of(recording));
#pragma once

#include <optional>
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
    std::vector<CallId> complete = {}; // the receives that a rank has learned to be complete, sorted
    struct Fault {
        std::string words;
        std::vector<std::string> calls; // two collectives that do not match; empty of a ready send that comes too early
    };
    std::optional<Fault> fault = {}; // that the trace ends in, or the commands after it
};

/// Whether a run made the two calls of a fault, and they do not match there either. Linear in its commands.
bool has_made(Recording const& run, Predicted::Fault const& fault);

/// Who got what in a state of a recorded program, sorted. Without the messages of collective calls, which cannot be
/// other ones.
std::vector<CallMatch> matches_in(Prepared const& prepared, State const& state);

/// Runs trace t as far as it goes, and then the commands that can still come, but for those of the sends and
/// collectives that refuse, which are given by name. A trace may end in a fault of MPI: collectives that do not match,
/// or a ready send that comes too early. The error says which entry is stuck otherwise, and why, or which name is
/// neither. Throws LimitReached.
Expected<Predicted, std::string> predict(Prepared const& prepared, std::size_t t, Buffering buffering,
                                         std::vector<std::string> const& refusing);

} // namespace matchpoint::record
