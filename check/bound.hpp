// A check with a bound on context switches.
#pragma once

#include "check/check.hpp"

namespace matchpoint::check {

/// What is known if no execution with so few context switches fails, and the proof needs that there are no more.
Trouble none_fails_with(std::uint32_t switches);

/// Whether that is what a check with CheckOptions::bound found out.
bool none_fails_within_bound(CheckResult const& result, CheckOptions const& options);

} // namespace matchpoint::check
