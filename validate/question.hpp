// What a subject is asked about every program.
#pragma once

#include <cstdint>
#include <optional>

#include "executions/runs.hpp"
#include "executions/shared/causal_model.hpp"

namespace matchpoint::validate {

struct Question {
    Question(Runs which = Runs::complete, bool about_shared = false, std::optional<std::uint32_t> most = {},
             std::optional<executions::Model> predicting = {})
        : runs(which), shared(about_shared), switches(most), model(predicting) {}

    Runs runs;
    bool shared;                           // the programs have shared variables
    std::optional<std::uint32_t> switches; // only failures with at most so many context switches count; none if all do
    /// Only the executions count that this causal model predicts from the program's trace. None if all do.
    std::optional<executions::Model> model;
};

} // namespace matchpoint::validate
