#include "cli/causal_models.hpp"

#include <fmt/format.h>

#include "cli/cli.hpp"
#include "cli/program_input.hpp"

namespace matchpoint::cli {

Choices<std::optional<Model>> const& causal_models() {
    static Choices<std::optional<Model>> const models{{"ctp", Model::ctp}, {"mcm", Model::mcm}, {"hb", Model::hb}};
    return models;
}

Expected<Schedule, ExitCode> schedule_to_predict_from(Prepared const& program, std::optional<std::size_t> trace,
                                                      Terminal& terminal) {
    std::size_t const number = trace.value_or(1);
    auto const selected = select_traces(program.program, program.source, number, " to predict from", terminal);
    if (!selected) return Unexpected{selected.error()};
    Schedule schedule;
    for (std::size_t i = 0; i < program.program.traces[number - 1].entries.size(); ++i)
        schedule.append(program.code.entry(number - 1, i));
    return schedule;
}

Expected<CausalModel, ExitCode> causal_model(Prepared const& program, Buffering buffering, Model model,
                                             std::optional<std::size_t> trace, Terminal& terminal) {
    auto const schedule = schedule_to_predict_from(program, trace, terminal);
    if (!schedule) return Unexpected{schedule.error()};
    auto result = CausalModel::of(program.messages, buffering, *schedule, model);
    if (result) return std::move(*result);
    complain(terminal,
             fmt::format("{}: nothing can be predicted from trace {}: {}", printable(program.source.name(), 4096),
                         trace.value_or(1), result.error()),
             ErrorKind::trace);
    return Unexpected{bad_input};
}

} // namespace matchpoint::cli
