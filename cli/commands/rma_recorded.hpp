// Recordings of MPI programs with windows: `rma check` says of their assertions what `check` says of those of messages
// (check/scope.hpp).
#pragma once

#include <string>
#include <vector>

#include "cli/commands/rma_commands.hpp"
#include "cli/commands/rma_json.hpp"

namespace matchpoint::cli {

/// "src/prog.c:7", the comment after a recorded statement; empty if there is none.
std::string recorded_place(Source const& source, rma::Statement const& s);

/// "src/prog.c:7", the call that a statement of a recording belongs to; empty if none is known.
std::string call_path(Source const& source, rma::Program const& program, rma::StatementIndex i);
/// "prog.c:7", the call that a statement of a recording belongs to; empty if none is known.
std::string call_place(Source const& source, rma::Program const& program, rma::StatementIndex i);

/// The assertions of a recorded run that are `true`: they were evaluated there, and nobody knows what they depend on.
class Evaluated {
public:
    explicit Evaluated(RmaInput const& input);

    bool has_any() const { return !found_.empty(); }
    /// Whether there are some, and the search found nothing wrong: then nobody knows whether the program is safe.
    bool decides(rma::CheckResult const& result) const;

    /// How many there are and where, line by line.
    std::vector<std::string> lines() const;
    /// An object for each.
    Json json() const;

    static constexpr auto reason = "some assertions were only evaluated in the recorded run";

private:
    /// "prog.c:7", as the comment after a recorded statement says; otherwise the line of the program.
    std::string place(rma::Statement const& s) const;

    RmaInput const& input_;
    std::vector<rma::StatementIndex> found_;
    std::size_t others_ = 0;
};

} // namespace matchpoint::cli
