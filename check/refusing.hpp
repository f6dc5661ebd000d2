// Whether a program can deadlock under a library that buffers what it likes (docs/semantics.md, "Buffering").
#pragma once

#include "check/check.hpp"

namespace matchpoint::check {

/// Decides about deadlocks, of a result for infinite buffering, in the time that is left, if it is limited. A
/// deadlock under infinite buffering is one here. One that is found depends on the library if Reached::refusing is not
/// empty.
void decide_refusing(MessageIndex const& messages, CheckOptions const& options,
                     std::optional<std::chrono::milliseconds> left, CheckResult& result);

} // namespace matchpoint::check
