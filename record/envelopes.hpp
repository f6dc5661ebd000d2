// What the messages of a recorded run are known by.
#pragma once

#include <cstdint>
#include <map>

#include "record/recording.hpp"

namespace matchpoint::record {

/// A message, or what a receive took, as far as the recording tells: receives that are complete and that the rank has
/// not learned of are not in it.
struct Envelope {
    std::uint32_t from; // as in Taken
    std::int64_t tag;
    bool operator==(Envelope const&) const = default;
};
/// Of sends, or of receives.
using Envelopes = std::map<CallId, Envelope>;

/// What all sends of the program send.
Envelopes sent_in(Recording const& recording);
/// What complete receives took, and what probes saw.
Envelopes taken_in(Recording const& recording);

} // namespace matchpoint::record
