// A long computation of a command, aside: in a child process. The session is in this process and stays as it is. What
// the child does ends at once, wherever it is: on Ctrl-C, after a time, or when it takes too much memory.
//
//   AsideResult const result = run_aside(terminal, limits, [&](Progress const& progress) { return ...; });
//
// A solver that the child starts dies with it (base/child_process.hpp).
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "cli/terminal.hpp"
#include "machine/schedule.hpp"

namespace matchpoint::cli {

/// Whether Ctrl-C was pressed since the last clear_interrupt(). Long commands ask this.
bool interrupted();
void clear_interrupt();
/// From now on Ctrl-C does not end the program.
void catch_interrupts();
/// interrupted() asks this, too: whether a session without a terminal was told to stop. Empty if nobody else is asked.
void also_interrupted_by(std::function<bool()> told);

struct AsideLimits {
    std::chrono::seconds time{60};
    std::size_t memory = std::size_t{4} << 30U; // bytes in use, with a solver, and beyond those of the session
};

/// What a computation came to.
struct AsideResult {
    std::string text;             // to be printed
    std::optional<Schedule> plan; // the entries to be planned
};

/// To be told what is being done. A terminal shows it, with the time and the memory so far, on a line that is
/// overwritten.
using Progress = std::function<void(std::string_view what)>;

/// The child process could not be started, or ended without a result.
class AsideFailed : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The task's result; if it was ended, a text that says why. Throws AsideFailed; LimitReached, if the task does; and
/// std::logic_error, if the task throws anything else.
AsideResult run_aside(Terminal& terminal, AsideLimits const& limits,
                      std::function<AsideResult(Progress const&)> const& task);

} // namespace matchpoint::cli
