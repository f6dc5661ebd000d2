// `draw --cssa`: what Symbolic Predictive Analysis makes of a program, and of a trace.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "cli/exit_code.hpp"
#include "cli/terminal.hpp"
#include "matching/prepared.hpp"

namespace matchpoint::cli {

/// The CSSA form of a program (Figure 3). The threads are all if there are none.
ExitCode draw_cssa(Prepared const& program, std::span<std::uint32_t const> threads, std::string const& output,
                   Terminal& terminal);

/// The events of a trace (from 1, by default 1), the reduced causal model, and its CSSA form (Figures 5 and 6).
ExitCode draw_reduced_model(Prepared const& program, std::optional<std::size_t> trace,
                            std::span<std::uint32_t const> threads, std::string const& output, Terminal& terminal);

/// Why a program has no CSSA form, as a complaint; empty if it has one.
std::string without_cssa(MessageIndex const& messages);

} // namespace matchpoint::cli
