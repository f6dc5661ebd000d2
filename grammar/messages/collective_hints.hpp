// Hints for mistakes in `collective` and `icollective`.
#pragma once

#include <optional>
#include <string>

#include "grammar/messages/syntax_error.hpp"

namespace matchpoint::grammar {

std::optional<std::string> hint_for_collectives(Surroundings const& here);

} // namespace matchpoint::grammar
