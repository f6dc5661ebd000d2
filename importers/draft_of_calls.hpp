// From calls to a program: each process is a thread, with its number.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "importers/calls.hpp"
#include "importers/reports.hpp"
#include "programs/draft.hpp"

namespace matchpoint::importers {

/// Reports I3, I4 and I6, and the draft is worth nothing then. `files` are those that the calls are from: a call
/// without an original line comes from its place there, or from nowhere if its file has no name.
/// `lines`, if not null, gets the line of the file that each command comes from, for each thread.
draft::Draft draft_of_calls(Calls const& calls, std::span<Source const> files, std::optional<Value> const& undefined,
                            Reports& reports, std::vector<std::vector<std::uint32_t>>* lines = nullptr);

} // namespace matchpoint::importers
