// Which commands and which endpoints can decide how a run ends.
#pragma once

#include <vector>

#include "matching/definitions.hpp"

namespace matchpoint::matching {

struct Relevance {
    std::vector<bool> commands;  // by location
    std::vector<bool> endpoints; // endpoint -> whether a value received there reaches a relevant command
};

/// A command is relevant if it is an assumption or an assertion, if it divides, or if its value flows into a relevant
/// command: through an assignment, or through a message to an endpoint where a relevant command's variable is received.
/// Linear in the size of the program.
Relevance relevance(MessageIndex const& messages, std::vector<Definition> const& definitions);

/// Whether a command is an assumption or an assertion.
bool is_condition(Command const& c);
bool is_assumption(Command const& c);
bool has_assumptions(Ctp const& ctp);

} // namespace matchpoint::matching
