// Whether some execution leaves the recorded path: a thread reaches an assumption that is false.
//
//   CheckResult result = check(messages, options);   // which calls
//   decide_leaving(messages, options, left, result); // and sets result.leaves_path
//
// The question is the verdict of another program, so every engine answers it. In that program nothing asserted can
// fail, and each assumption is an assertion. Take an execution of it in which an assertion fails for the first time. Up
// to there all assumptions were true, so the program itself has the same execution, and a thread is at an assumption
// that is false. Conversely, an execution of the program itself that reaches such an assumption is one of the other
// program, and fails there.
#pragma once

#include "check/check.hpp"

namespace matchpoint::check {

/// Settles result.leaves_path if that is not known. `left`: the time that is left of options.time. Assertions that fail
/// do not end an execution: it can leave the path after that. Throws std::logic_error if the way that was found does
/// not replay.
void decide_leaving(MessageIndex const& messages, CheckOptions const& options,
                    std::optional<std::chrono::milliseconds> left, CheckResult& result);

} // namespace matchpoint::check
