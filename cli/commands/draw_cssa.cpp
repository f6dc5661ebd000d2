#include "cli/commands/draw_cssa.hpp"

#include <fmt/format.h>

#include "cli/causal_models.hpp"
#include "cli/cli.hpp"
#include "cli/output.hpp"
#include "encode/cssa_text.hpp"
#include "encode/registry.hpp"

namespace matchpoint::cli {

std::string without_cssa(MessageIndex const& messages) {
    auto const refusal = find_encoder("fusion")->refuses(messages);
    return refusal ? fmt::format("--cssa shows what `encode --encoding fusion` encodes, and {}", *refusal) : "";
}

ExitCode draw_cssa(Prepared const& program, std::span<std::uint32_t const> threads, std::string const& output,
                   Terminal& terminal) {
    Cssa const cssa(program.messages);
    auto const text = [&](Write const& write) {
        write("CSSA form\n"); // is_picture() knows it
        print_cssa(program.code, cssa, threads, write);
    };
    return write_output(output, text, terminal);
}

ExitCode draw_reduced_model(Prepared const& program, std::optional<std::size_t> trace,
                            std::span<std::uint32_t const> threads, std::string const& output, Terminal& terminal) {
    auto const schedule = schedule_to_predict_from(program, trace, terminal);
    if (!schedule) return schedule.error();
    auto const events = concrete_events(program.code, *schedule);
    auto const model = constrained_model(program.code, *schedule);
    if (!events || !model) {
        complain(terminal,
                 fmt::format("{}: trace {} has no reduced model: {}", printable(program.source.name(), 4096),
                             trace.value_or(1), events ? model.error() : events.error()),
                 ErrorKind::trace);
        return bad_input;
    }
    IndexedProgram const code(*model);
    MessageIndex const messages(code);
    Cssa const cssa(messages);
    auto const text = [&](Write const& write) {
        write(fmt::format("trace {}: its events\n", trace.value_or(1)));
        print_events(program.code, *events, threads, write);
        write("\nits reduced model (** differs from the program)\n");
        print_model(program.code, *events, *model, threads, write);
        write("\nCSSA form of the reduced model\n");
        print_cssa(code, cssa, threads, write);
    };
    return write_output(output, text, terminal);
}

} // namespace matchpoint::cli
