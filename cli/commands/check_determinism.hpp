// `check --deterministic`: whether the outcome of a program depends on the schedule, as text and as JSON.
#pragma once

#include "check/determinism.hpp"
#include "cli/exit_code.hpp"
#include "cli/terminal.hpp"
#include "matching/prepared.hpp"
#include "record/provenance.hpp"
#include "report/json.hpp"

namespace matchpoint::cli {

class DeterminismReport {
public:
    /// All of these have to outlive it.
    DeterminismReport(Prepared const& program, Buffering buffering, std::vector<Variable> const& variables,
                      check::Determinism const& found)
        : program_(program), buffering_(buffering), variables_(variables), found_(found),
          from_(provenance_of(program.source.text())) {}

    void print(Terminal& terminal) const;
    Json json() const;
    ExitCode code() const;

private:
    /// Nobody knows how the threads of a recording that was cut go on.
    bool is_open() const { return !from_.cut_short.empty() && found_.answer == check::Determinism::Answer::same; }
    check::Determinism::Answer answer() const {
        return is_open() ? check::Determinism::Answer::unknown : found_.answer;
    }
    std::string values(bool only_differing) const;
    Json json_of(std::optional<check::Determinism::End> const& end) const;

    Prepared const& program_;
    Buffering buffering_;
    std::vector<Variable> const& variables_;
    check::Determinism const& found_;
    Provenance from_;
};

} // namespace matchpoint::cli
