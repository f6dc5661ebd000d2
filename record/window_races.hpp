// Races of a run with windows by the order that was recorded: two accesses of one element, not both reads, and neither
// is complete before the other is issued, whatever signals, locks and flushes came between. Linear in the steps and
// ranks, and quadratic in the accesses of an element; `rma` looks at all orders, and gives up sooner.
//
//   for (Finding const& f : races_by_order(run.windows->steps)) print(in_words(f));
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record/finding.hpp"

namespace matchpoint::record {

/// What a rank does, as far as it matters for races.
struct WindowStep {
    enum class Kind : std::uint8_t {
        access,
        flush,          // waits for accesses of a rank
        signal,         // others may wait for it, by name
        await,          // waits until so many signals of this name came
        acquire,        // a lock, by name
        acquire_shared, // the same, together with others
        release,
    };
    Kind kind;
    std::string name;       // of the element, the signal or the lock
    std::uint32_t rank = 0; // whose memory an access or a flush is about
    std::size_t n = 0;      // signals to wait for
    bool is_remote = false; // it is complete with a flush; otherwise at once
    bool writes = false;
    bool is_atomic = false;    // accumulate operations do not race with each other
    std::string function = {}; // empty if it is a store
    SourceLine at = {};
};
using WindowSteps = std::vector<std::vector<WindowStep>>; // by rank

/// One of the two sides of a race.
struct RacingAccess {
    std::uint32_t rank;
    SourceLine at;
    std::string function; // empty if it is a store, before the call at this place
    bool writes;
};
/// Both access memory of a rank.
Finding race_between(RacingAccess first, RacingAccess second, std::uint32_t rank);

/// Each pair of places once. Throws OutOfTime.
std::vector<Finding> races_by_order(WindowSteps const& ranks);

} // namespace matchpoint::record
