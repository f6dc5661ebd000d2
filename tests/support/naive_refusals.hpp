#pragma once

/// Deadlocks under libraries that may or may not buffer each standard send, and may or may not keep each collective
/// until all members have called, by brute force, in two ways: by the definition (docs/semantics.md, "Buffering"), and
/// as the theorem there says, over all ways to make standard sends synchronous and to let collectives wait for all.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/all_rooms.hpp"
#include "tests/support/plain.hpp"

namespace matchpoint::naive {

/// Whether there is a deadlock: of executions on the path, and of all executions.
struct AnyDeadlock {
    bool on_path = false;
    bool anywhere = false;
    bool operator==(AnyDeadlock const&) const = default;
};

/// By the definition, over every interleaving; nothing if there are more than `limit` states.
std::optional<AnyDeadlock> deadlock_by_definition(Program const& program, std::size_t limit);

/// How many calls may refuse: standard sends that have a wait, and collectives that do not need all members, and block
/// or have a wait.
std::size_t count_that_may_refuse(Program const& program);

/// The deadlocks under infinite buffering of all programs in which some of these calls refuse: sends are synchronous,
/// and collectives wait for all members.
struct DeadlocksByModes {
    std::vector<std::string> calls; ///< those that may refuse
    std::vector<AnyDeadlock> of;    ///< bit i of the index: call i refuses

    /// Whether one of the programs has one.
    AnyDeadlock some() const;
    /// Whether the one has it in which exactly these calls refuse.
    AnyDeadlock const& with(std::vector<std::string> const& refusing) const;
};

/// Nothing if one of the programs has more than `limit` states.
std::optional<DeadlocksByModes> deadlocks_by_modes(Program const& program, std::size_t limit);

} // namespace matchpoint::naive
