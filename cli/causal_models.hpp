// The options `--model` and `--trace` of check and explore.
#pragma once

#include <optional>

#include "cli/command_line.hpp"
#include "cli/exit_code.hpp"
#include "cli/terminal.hpp"
#include "executions/shared/causal_model.hpp"
#include "matching/prepared.hpp"

namespace matchpoint::cli {

/// The words for models on the command line.
Choices<std::optional<Model>> const& causal_models();

/// A trace of the program (from 1, by default 1), or the exit code after complaining that there is no such trace.
Expected<Schedule, ExitCode> schedule_to_predict_from(Prepared const& program, std::optional<std::size_t> trace,
                                                      Terminal& terminal);

/// The causal model of a trace (from 1), or the exit code after complaining that there is no such trace, or that the
/// trace has no model. Throws LimitReached.
Expected<CausalModel, ExitCode> causal_model(Prepared const& program, Buffering buffering, Model model,
                                             std::optional<std::size_t> trace, Terminal& terminal);

} // namespace matchpoint::cli
