// Receives and sends by their names, as users write them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/expected.hpp"
#include "matching/message_index.hpp"

namespace matchpoint::cli {

enum class Role : std::uint8_t { receive, send };

/// The number of a receive or of a send; or "there is no send `S9`; did you mean `S8`?".
Expected<std::uint32_t, std::string> message_named(MessageIndex const& messages, Role role, std::string_view name);

/// Why these are no match pair: "`S6` goes to endpoint 1, and `R2` receives at endpoint 0". None if they may be one.
std::optional<std::string> why_no_pair(MessageIndex const& messages, std::uint32_t r, std::uint32_t s);

} // namespace matchpoint::cli
