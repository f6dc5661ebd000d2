// How the traces of a file end, as the comment that it begins with says. `check -o` and `mpi record` write it; a trace
// without such a line is run by the paper's rule, by which it must not stop early.
//
//   ; trace 2, infinite buffering: leads to a deadlock
//   ; This run deadlocked.
//   ; This run failed: exit code 134
//   ; It said: mw.c:23: main: Assertion `result[1] == 100' failed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/check.hpp"
#include "cli/exit_code.hpp"
#include "explain/blocked.hpp"

namespace matchpoint::cli {

namespace trace_end {

inline constexpr std::string_view deadlock = "leads to a deadlock";
inline constexpr std::string_view fault = "leads to a fault";
inline constexpr std::string_view leaves_path = "leaves the path";
/// Behind a status.
inline constexpr std::string_view on_path_only = ", as far as it is on the path";

inline constexpr std::string_view so_far = " so far";

/// "trace 1, zero buffering: leads to a deadlock"
std::string words(std::size_t trace, Buffering buffering, std::string_view what);
/// The same as a line of a comment, with its end.
std::string line(std::size_t trace, Buffering buffering, std::string_view what);

} // namespace trace_end

struct TraceEnd {
    bool stops_early = false;
    std::optional<Buffering> buffering; // none if the comment does not say
    std::string failed;                 // how the recorded run failed as such, "exit code 134"; empty if it did not

    /// What the trace runs with. `asked` is what the user asked for, if anything.
    Buffering buffering_if(std::optional<Buffering> asked) const {
        return asked.value_or(buffering.value_or(Buffering::infinite));
    }
};
/// One for each trace of a file.
std::vector<TraceEnd> trace_ends(std::string_view text, std::size_t traces);

/// Where a trace that stopped early got stuck; none if it did not, or if that takes too long to tell.
std::optional<Blocked> deadlock_behind(Machine const& machine);

} // namespace matchpoint::cli
