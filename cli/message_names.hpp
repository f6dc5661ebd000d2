// Receives and sends by their names, as users write them.
#pragma once

#include <string>
#include <string_view>

#include "base/expected.hpp"
#include "matching/message_index.hpp"

namespace matchpoint::cli {

enum class Role : std::uint8_t { receive, send };

/// The number of a receive or of a send; or "there is no send `S9`; did you mean `S8`?".
Expected<std::uint32_t, std::string> message_named(MessageIndex const& messages, Role role, std::string_view name);

} // namespace matchpoint::cli
