// The verdict of a program that is not plain, from that of the plain program that it is lowered to
// (lowering/lowered.hpp).
#pragma once

#include "check/check.hpp"
#include "lowering/lowered.hpp"

namespace matchpoint::check {

/// Every execution in the result is one of the program itself, and the reference machine has run it. Throws
/// std::logic_error if it runs one to another end.
CheckResult check_lowered(MessageIndex const& messages, Lowered const& lowered, CheckOptions options);

} // namespace matchpoint::check
