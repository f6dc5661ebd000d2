#include <fmt/format.h>

#include "cli/files.hpp"
#include "cli/program_input.hpp"
#include "report/replay.hpp"

namespace matchpoint::cli {

ExitCode encode_command(EncodeOptions const& options, Terminal& terminal) {
    Encoder const& encoder = *options.encoding;
    EncoderOptions const encoder_options{
        .buffering = options.buffering, .asked = options.asked, .order = !options.no_order, .models = true};
    if (auto const refusal = encoder.refuses(encoder_options)) {
        complain(terminal, "--encoding " + *refusal);
        return bad_input;
    }
    auto const read = read_prepared(options.file, terminal);
    if (auto const* const code = std::get_if<ExitCode>(&read)) return *code;
    MessageIndex const& messages = std::get<std::unique_ptr<Prepared>>(read)->messages;
    Budget budget;
    budget.steps = options.limit.value_or(20'000'000);
    auto const pairs = pairs_by(messages, options.buffering, options.pairs, budget);
    if (!pairs) {
        complain(terminal, "the exact pairs were not found within the limit of machine steps (--limit)");
        return unknown;
    }
    auto const problem = [&](Sink const& sink) {
        if (auto const refusal = encoder.write({.messages = messages, .pairs = &*pairs}, encoder_options, sink))
            throw std::logic_error(*refusal); // it takes all programs
    };
    if (options.output.empty() || options.output == "-") {
        problem([&](std::string_view text) { terminal.out(text); });
        return holds;
    }
    FileError const failed = replace_file(options.output, problem);
    if (!failed.empty()) complain(terminal, failed);
    return failed.empty() ? holds : output_failed;
}

} // namespace matchpoint::cli
