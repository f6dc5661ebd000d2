#pragma once

/// The rules of collectives once more (docs/semantics.md, "Collectives"), sentence by sentence.

#include <optional>

#include "tests/support/all_rooms.hpp"
#include "tests/support/naive_oracle.hpp"

namespace matchpoint::naive {

/// Where a collective is.
struct CallSite {
    std::size_t thread = 0;
    std::size_t index = 0;
};

/// Whether a member has made a call that belongs to this one and disagrees with it.
bool is_mismatch(Program const& program, State const& state, CallSite call);

/// Why a call that blocks, or the wait for another one, cannot step; nullopt if it can.
std::optional<Reason> cannot_return(Program const& program, State const& state, CallSite call, bool zero);

/// Whether the next command of a thread is about a collective that disagrees with one that was called.
bool is_at_mismatch(Program const& program, State const& state, std::size_t thread);

/// Whether two calls of the program that belong together disagree.
bool has_disagreement(Program const& program);

} // namespace matchpoint::naive
