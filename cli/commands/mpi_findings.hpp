// Findings of `matchpoint mpi` (record/findings.hpp): in the report, and in a file as JSON or SARIF.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "cli/commands/mpi_runs.hpp"
#include "cli/exit_code.hpp"
#include "cli/terminal.hpp"
#include "record/findings.hpp"
#include "record/schedule.hpp"

namespace matchpoint::cli {

/// Before anything runs: complains if the file of --findings is there and is not an earlier one.
ExitCode check_findings_file(MpiOptions const& options, Terminal& terminal);

/// The lines of a report, "finding: bs.c:10: rank 0: ...", and how many more there are.
std::vector<std::string> lines_of(std::vector<record::Finding> const& findings);

/// The same without what `verify` says of the faults of a path: collective calls that do not match, early ready sends.
std::vector<std::string> lines_beside_faults(std::vector<record::Finding> findings);

/// Those of several runs of a program.
class FindingsOfRuns {
public:
    /// Adds those of a run, whose receives were forced to these matches. `predicts`: also what could be in other runs
    /// of its path.
    void add(record::Recording const& run, bool predicts, std::vector<record::CallMatch> const& forced);

    std::vector<record::Finding> all;

private:
    std::set<record::HadMatch> had_;
};

/// Writes the file of --findings, and returns the exit code: `code` is what it would be without findings. With --strict
/// they make it `error`, if nothing worse is known.
ExitCode conclude(std::vector<record::Finding> const& findings, MpiOptions const& options, ExitCode code,
                  Terminal& terminal);

} // namespace matchpoint::cli
