// --timeout and --memory of commands that do one thing. (`check` has limits for each program, check/check.hpp.)
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

#include "cli/exit_code.hpp"
#include "cli/terminal.hpp"

namespace matchpoint::cli {

struct Limits {
    std::optional<double> timeout;       // seconds
    std::optional<std::uint64_t> memory; // MiB
};

/// The time that an option gives in seconds.
inline std::chrono::milliseconds milliseconds(double seconds) {
    return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

/// Limits the address space of this process. Its children have limits of their own. False: it cannot be limited to
/// that.
bool limit_memory(std::uint64_t mebibytes);

/// Runs a command within the limits. Beyond them it throws OutOfTime or std::bad_alloc (cli/main.cpp).
ExitCode within(Limits const& limits, Terminal& terminal, std::function<ExitCode()> const& run);

} // namespace matchpoint::cli
