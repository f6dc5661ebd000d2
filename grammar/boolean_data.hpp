// Whether a program computes with booleans at all: a short cut of what rule D6 infers.
#pragma once

#include "grammar/ast.hpp"

namespace matchpoint::grammar {

/// Whether some value, message or variable can be Bool: false only if nothing is shared, no literal is Bool, nothing
/// that is sent or assigned is the result of a comparison or a connective, and no variable is where a Bool has to be.
/// Linear.
bool has_boolean_data(Ctp const& ctp);

} // namespace matchpoint::grammar
