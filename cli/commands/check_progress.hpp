// A check that shows on a terminal what it is doing.
#pragma once

#include "check/determinism.hpp"
#include "matching/prepared.hpp"

namespace matchpoint::cli {

/// check(), with a line of progress on standard error if that is a terminal: which engine, how far it is, for how long.
CheckResult check_with_progress(Prepared const& program, CheckOptions options);
/// The same of another question that check() answers.
check::Determinism determinism_with_progress(Prepared const& program, CheckOptions options,
                                             std::vector<Variable> const& variables);

} // namespace matchpoint::cli
