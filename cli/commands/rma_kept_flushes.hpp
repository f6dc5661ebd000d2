// Some of a program's flushes: --everywhere and --flushes of the commands that follow a run. They follow what
// `rma flushes` found in a program with fewer flushes.
#pragma once

#include <string>
#include <vector>

#include "cli/commands/rma_commands.hpp"

namespace matchpoint::cli {

struct KeptFlushes {
    bool everywhere = false;
    std::string places; // "8:32,9:52" or "none"; empty if all are kept

    void declare(Command& command);
    /// Leaves the other flushes out of the program. False, after a complaint, if a place has no flush.
    bool apply(RmaInput& input, Terminal& terminal) const;
    /// The options that were given, with a blank before each: " --flushes 8:32,9:52".
    std::string text() const;
};

/// Where flushes are, as --flushes takes them.
std::string places_of(Source const& source, rma::Program const& program,
                      std::vector<rma::StatementIndex> const& flushes);

} // namespace matchpoint::cli
