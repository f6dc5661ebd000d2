// How to mend what is wrong among the shared variables, which come before a program. A part of hints.cpp.
#pragma once

#include <optional>
#include <string>

#include "grammar/messages/syntax_error.hpp"

namespace matchpoint::grammar {

/// For a syntax error inside `(shared ...)`: `[x]`, `[x 1.5]`, `[x 0`, `[1 0]`, `[x := 0]`, `x 0`, `[atomic x 0]`.
std::optional<std::string> hint_for_shared(Surroundings const& s);

} // namespace matchpoint::grammar
