// How to mend what is wrong in or near a selector, the tag of a send, or a place. A part of hints.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grammar/messages/syntax_error.hpp"
#include "grammar/static_rules.hpp"

namespace matchpoint::grammar {

/// Where a syntax error is.
struct Surroundings {
    SyntaxFailure const& failure;
    std::vector<Token> const& before; // the parts of the innermost bracket before it, groups by their bracket
    Token found;
    Token next; // after `found`
};

/// Nothing: the error is elsewhere.
std::optional<std::string> hint_for_selectors(Surroundings const& s);
std::optional<std::string> hint_for_place(Surroundings const& s);

} // namespace matchpoint::grammar
