// A data race, in the words and in the JSON of `check` and of `explore`.
#pragma once

#include <string>
#include <vector>

#include "check/check.hpp"
#include "report/json.hpp"

namespace matchpoint::cli {

/// "thread 0 is about to execute a2 (x := (+ a 1))", the same of the other thread, "both access x, and nothing orders
/// them".
std::vector<std::string> race_sentences(IndexedProgram const& code, Race const& race);

/// "answer", and of a race that is there the variable, the two commands and a trace.
Json json_of_race(IndexedProgram const& code, Race const& race);

} // namespace matchpoint::cli
