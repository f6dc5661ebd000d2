// Deadlocks of a program whose threads share memory. An assertion that fails ends its process, and the machine goes on
// after it: what gets stuck only then is not a deadlock.
#pragma once

#include "check/check.hpp"
#include "matching/prepared.hpp"

namespace matchpoint::record::threads {

/// The deadlock that check() has found with these options, if no assertion fails before. Otherwise it is looked for
/// once more, in the executions without a failure. Throws what check() does.
check::Reached deadlock_without_failure(check::Reached found, matching::Prepared const& program,
                                        check::CheckOptions options);

} // namespace matchpoint::record::threads
