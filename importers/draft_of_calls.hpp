// From calls to a program: each process is a thread, with its number.
#pragma once

#include <optional>
#include <span>

#include "importers/calls.hpp"
#include "importers/reports.hpp"
#include "programs/draft.hpp"

namespace matchpoint::importers {

/// Reports I3, I4 and I6, and the draft is worth nothing then. `files` are those that the calls are from: a call
/// without an original line comes from its place there, or from nowhere if its file has no name.
draft::Draft draft_of_calls(Calls const& calls, std::span<Source const> files, std::optional<Value> const& undefined,
                            Reports& reports);

} // namespace matchpoint::importers
