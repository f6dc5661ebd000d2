// Variables that threads can share, with their names and types, for the runtime.
#pragma once

#include "record/threads/pass/sites.hpp"

namespace matchpoint::record {

/// Adds a constructor to the module that tells the runtime about the module and its variables.
void record_variables(Runtime const& runtime, Sites& sites);

/// Whether a call may create threads: what the function has on its stack may be theirs, too.
bool may_create_threads(llvm::CallBase const& call);
/// In front of the call: tells the runtime about the variables on the stack of the function whose addresses others may
/// know.
void record_locals(Runtime const& runtime, Sites& sites, llvm::CallBase& call);

} // namespace matchpoint::record
