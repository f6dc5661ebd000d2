// What a recording's calls become once all ranks have been read: calls that say nothing are left out, the members of
// communicators are known, and what broadcasts hand out are messages, as far as the program's expressions read it. A
// collective of the language carries no value.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "record/recording.hpp"

namespace matchpoint::record {

using importers::Call;

/// The part of a rank in a broadcast.
struct Broadcast {
    std::uint32_t communicator = 0;
    std::uint32_t turn = 0;   // the how manieth collective of the communicator it is in this rank
    std::uint32_t number = 0; // of the call
    std::uint32_t root = 0;
    std::uint32_t call = 0; // at the root the collective; elsewhere an assignment after it, of what this run handed out
    std::optional<draft::Expression> value = {}; // that the root gives; none elsewhere
};

/// What one rank's calls become.
struct Mending {
    std::map<std::uint32_t, std::vector<Call>> by = {}; // call -> what takes its place
    std::vector<Broadcast> broadcasts = {};
};

/// `all` has an element for each process of the recording's calls, in the order of reading. `members`: communicator ->
/// its ranks. Linear in the calls.
void mend_calls(Recording& recording, std::vector<Mending> all,
                std::map<std::uint32_t, std::vector<std::uint32_t>> const& members);

} // namespace matchpoint::record
