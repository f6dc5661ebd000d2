// The receives of an endpoint that admit the same messages, and which messages these are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/expected.hpp"
#include "matching/message_index.hpp"

namespace matchpoint::lowering {

/// Messages of one source endpoint with one tag.
struct Kind {
    Endpoint alpha;
    Tag n;
    auto operator<=>(Kind const&) const = default;
};

struct Class {
    Selectors const* selectors; // of its receives; null if they have none
    std::vector<Kind> kinds;    // of the messages that they admit, ascending
    bool wants_source = false;  // some receive assigns the source
    bool wants_tag = false;

    /// Whether all its messages have one source, one tag.
    bool has_one_source() const;
    bool has_one_tag() const;
};

/// The classes of each endpoint, and the class of each message and each receive.
struct Classes {
    std::vector<std::vector<Class>> at;                // endpoint -> its classes
    std::vector<std::uint32_t> of_receive;             // receive -> its class at its endpoint
    std::vector<std::optional<std::uint32_t>> of_send; // send -> its class; none if no receive admits it
};

/// An error says why the classes do not have messages and waits of their own (lowered.hpp).
Expected<Classes, std::string> classes_of(MessageIndex const& messages);

} // namespace matchpoint::lowering
