// Programs with selectors, modes and barriers as an encoder sees them that ignores some of that, and what changed rules
// say of them.
//
//   Changes const ignored = only(Change::no_selectors);
//   std::unique_ptr<Case> const seen = without(c, ignored); // its receives admit every message
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "validate/case.hpp"
#include "validate/changes.hpp"

namespace matchpoint::validate {

/// no_selectors, no_modes and no_barriers.
Changes of_mpi();

/// The program without what the changes ignore. What a receive assigns of the source and the tag stays, and tags of
/// sends do. Null if it breaks a rule then.
std::unique_ptr<Case> without(Case const& c, Changes const& ignored);

/// A problem of complete runs for a program that is not plain: the exact encoding without changes, the changed rules of
/// the plain program that it is lowered to (lowering/lowered.hpp) otherwise. None if it is not lowered.
std::optional<std::string> encode_lowered_with(MessageIndex const& messages, Buffering buffering,
                                               Changes const& changes);

} // namespace matchpoint::validate
