#include "cli/executions.hpp"
#include "cli/files.hpp"

namespace matchpoint::cli {

ExitCode encode_command(EncodeOptions const& options, Terminal& terminal) {
    if (options.encoding == Encoding::section5 && options.buffering == Buffering::zero) {
        complain(terminal, "--encoding section5 is for infinite buffering");
        return bad_input;
    }
    if (options.encoding == Encoding::section5 && (options.asked != Asked::failure || options.no_order)) {
        complain(terminal, "--encoding section5 asks for a failure, with the order");
        return bad_input;
    }
    auto const read = read_subject(options.file, terminal);
    if (auto const* const code = std::get_if<ExitCode>(&read)) return *code;
    Messages const& messages = std::get<std::unique_ptr<Subject>>(read)->messages;
    Budget budget;
    budget.steps = options.limit.value_or(20'000'000);
    auto const pairs = pairs_by(messages, options.buffering, options.pairs, budget);
    if (!pairs) {
        complain(terminal, "the exact pairs were not found within the limit of machine steps (--limit)");
        return unknown;
    }
    EncoderOptions encoding;
    encoding.buffering = options.buffering;
    encoding.encoding = options.encoding;
    encoding.asked = options.asked;
    encoding.order = !options.no_order;
    encoding.models = true;
    std::string const text = encode(messages, *pairs, encoding);
    if (options.output.empty() || options.output == "-") {
        terminal.out(text);
        return holds;
    }
    FileError const failed = replace_file(options.output, text);
    if (!failed.empty()) complain(terminal, failed);
    return failed.empty() ? holds : output_failed;
}

} // namespace matchpoint::cli
