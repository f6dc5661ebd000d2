// The exit codes of all commands (docs/cli.md).
#pragma once

#include "machine/state.hpp"

namespace matchpoint::cli {

enum ExitCode : int {
    holds = 0,         // every trace a success, or every execution; nothing wrong
    unknown = 1,       // unknown, or a limit reached
    bad_input = 2,     // usage, or an input that cannot be read or breaks a rule
    solver_failed = 3, // a solver is missing or failed
    failure = 10,      // an assertion fails
    deadlock = 11,     // no run fails, but some gets stuck
    infeasible = 12,   // an assumption does not hold, or no run completes
    error = 13,        // a trace does not complete, or some execution has a fault
    disagrees = 20,    // a solver and the machine disagree
    internal = 70,     // a bug in this program
    output_failed = 74 // the output could not be written
};

/// For a run that ended with this status.
inline ExitCode exit_code(Status s) {
    switch (s) {
    case Status::success: return holds;
    case Status::failure: return failure;
    case Status::infeasible: return infeasible;
    case Status::error: break;
    }
    return error;
}

} // namespace matchpoint::cli
