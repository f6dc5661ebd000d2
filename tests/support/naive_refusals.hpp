#pragma once

/// Deadlocks under libraries that may or may not buffer each standard send, by brute force, in two ways: by the
/// definition (docs/semantics.md, "Buffering"), and as the theorem there says, over all ways to make standard sends
/// synchronous.

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

/// How many standard sends have a wait.
std::size_t standard_waits(Program const& program);

/// The deadlocks under infinite buffering of all programs in which some standard sends are synchronous.
struct DeadlocksByModes {
    std::vector<std::string> sends; ///< those that have a wait, and are standard
    std::vector<AnyDeadlock> of;    ///< bit i of the index: send i is synchronous

    /// Whether one of the programs has one.
    AnyDeadlock some() const;
    /// Whether the one has it in which exactly these sends are synchronous.
    AnyDeadlock const& with(std::vector<std::string> const& synchronous) const;
};

/// Nothing if one of the programs has more than `limit` states.
std::optional<DeadlocksByModes> deadlocks_by_modes(Program const& program, std::size_t limit);

} // namespace matchpoint::naive
