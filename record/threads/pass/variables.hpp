// Global variables of a module, with their names and types, for the runtime.
#pragma once

#include "record/threads/pass/sites.hpp"

namespace matchpoint::record {

/// Adds a constructor to the module that tells the runtime about the module and its variables.
void record_variables(Runtime const& runtime, Sites& sites);

} // namespace matchpoint::record
