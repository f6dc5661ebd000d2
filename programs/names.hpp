// Canonical names: two drafts that differ only in names get the same text.
#pragma once

#include <string>

#include "programs/draft.hpp"

namespace matchpoint::programs::draft {

/// x, y, z, u, v, w, x1, x2, ...
std::string small_variable(std::size_t i);

/// Renames everything, traces included, in the order of appearance: actions become R0, R1, ... and S0, S1, ...,
/// endpoints 0, 1, ..., variables as above. Locations become those of name_locations(), or empty if there is no trace.
/// The meaning stays the same, except for variables or actions that break rules S2, S3 or D2 anyway.
void canonical_names(Draft& draft);

} // namespace matchpoint::programs::draft
