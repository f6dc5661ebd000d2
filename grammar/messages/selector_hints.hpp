// How to mend what is wrong in or near a selector, the tag of a send, or a place. A part of hints.cpp.
#pragma once

#include <optional>
#include <string>

#include "grammar/messages/syntax_error.hpp"

namespace matchpoint::grammar {

/// Whether a word is the name of a send, of any mode.
bool is_send(std::string_view command);

/// Nothing: the error is elsewhere.
std::optional<std::string> hint_for_selectors(Surroundings const& s);
std::optional<std::string> hint_for_place(Surroundings const& s);

} // namespace matchpoint::grammar
