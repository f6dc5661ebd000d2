// Receives that select, and admit no message that the program sends.
#pragma once

#include "base/diagnostics.hpp"
#include "grammar/ast.hpp"

namespace matchpoint::grammar {

/// A warning, rule "selector", for each receive with selectors to whose endpoint messages are sent, none of which it
/// admits. Time: linear in the size of the program, and for each warning in the kinds of messages to its endpoint.
Diagnostics warn_of_selectors(Program const& program, Source const& source);

} // namespace matchpoint::grammar
