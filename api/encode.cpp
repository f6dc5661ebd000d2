#include <matchpoint/encode.hpp>

#include "api/impl.hpp"
#include "base/overloaded.hpp"
#include "encode/registry.hpp"
#include "smt_machine/smt_machine.hpp"
#include "solve/solver.hpp"

namespace matchpoint::api {

std::vector<EncoderInfo> encoders() {
    std::vector<EncoderInfo> result;
    for (encode::Encoder const& e : encode::encoders())
        result.push_back({e.name, e.source, e.handles(machine::Buffering::infinite),
                          e.handles(machine::Buffering::zero), e.is_of_one_trace()});
    return result;
}

Result<std::string> encode(Program const& program, EncodeOptions const& options) {
    if (auto error = undisciplined(program)) return std::move(*error);
    encode::Encoder const* const encoder = encode::find_encoder(options.encoder);
    if (encoder == nullptr) return usage_error(fmt::format("there is no encoder `{}`", options.encoder));
    auto const& impl = program.impl();
    std::optional<machine::Schedule> trace;
    if (options.trace) {
        if (*options.trace >= impl.program.traces.size()) return no_such_trace(program, *options.trace);
        trace = encode::schedule_of(impl.code, *options.trace);
    }
    encode::EncoderOptions asked{.buffering = in_room(options.buffering),
                                 .runs =
                                     options.complete_runs ? executions::Runs::complete : executions::Runs::executions,
                                 .switches = options.switches,
                                 .order = options.order,
                                 .check_sat = options.check_sat,
                                 .models = true};
    encode::EncoderInput const input{.messages = *impl.messages, .trace = trace ? &*trace : nullptr};
    if (auto const refusal = encoder->refuses(asked)) return usage_error(*refusal);
    if (encoder->is_of_one_trace() && !trace)
        return usage_error(fmt::format("{} predicts from a trace: say which", options.encoder));
    return within_limits([&]() -> Result<std::string> {
        auto problem = encoder->encode(input, asked);
        if (!problem) return usage_error(problem.error());
        return std::move(*problem);
    });
}

Result<std::string> smt(Execution const& run) {
    auto const& impl = run.impl();
    return within_limits([&]() -> Result<std::string> {
        if (!run.is_complete()) return usage_error("the run is not complete: a thread of it is unfinished");
        machine::Machine machine(impl.code(), in_room(impl.buffering));
        smt_machine::SmtMachine smt_machine(impl.code());
        machine.observe(smt_machine);
        machine::run(machine, impl.schedule, Extent::complete);
        auto const problem = smt_machine.getSMT(machine.state());
        if (!problem) return usage_error(problem.error());
        return smt_machine::print(*problem, impl.code());
    });
}

Solved solve(std::string_view problem, std::string_view solver, std::optional<std::chrono::milliseconds> time,
             bool model) {
    auto command = solve::solver_command(solver);
    if (!command) return {Solved::Answer::failed, command.error(), {}};
    constexpr std::string_view check_sat = "(check-sat)";
    std::string_view text = problem.substr(0, problem.find_last_not_of(" \t\r\n") + 1);
    if (text.ends_with(check_sat)) text.remove_suffix(check_sat.size());
    solve::Solver process(*command, {.time = time});
    solve::Answer const answer = process.check(text, {.model = model});
    Solved result{Solved::Answer::failed, solve::to_string(answer, *command), {}};
    std::visit(overloaded{
                   [&](solve::answer::Sat const& sat) {
                       result.answer = Solved::Answer::sat;
                       result.model = sat.model;
                   },
                   [&](solve::answer::Unsat const&) { result.answer = Solved::Answer::unsat; },
                   [&](solve::answer::Unknown const&) { result.answer = Solved::Answer::unknown; },
                   [&](solve::answer::Timeout const&) { result.answer = Solved::Answer::unknown; },
                   [](solve::answer::Crashed const&) {},
                   [](solve::answer::Missing const&) {},
               },
               answer);
    return result;
}

} // namespace matchpoint::api
