#include <fmt/format.h>

#include "cli/files.hpp"
#include "cli/program_input.hpp"
#include "report/replay.hpp"

namespace matchpoint::cli {

ExitCode encode_command(EncodeOptions const& options, Terminal& terminal) {
    BuiltIn const& encoding = *options.encoding;
    bool const exact = encoding.name == "exact";
    if (!encoding.speaks_of(options.buffering)) {
        complain(terminal, fmt::format("--encoding {} is for {} buffering", encoding.name,
                                       options.buffering == Buffering::zero ? "infinite" : "zero"));
        return bad_input;
    }
    if (!exact && (options.asked != Asked::failure || options.no_order)) {
        complain(terminal, fmt::format("--encoding {} asks for a failure, with the order", encoding.name));
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
        if (exact) {
            encode::encode(
                messages, *pairs,
                {.buffering = options.buffering, .asked = options.asked, .order = !options.no_order, .models = true},
                sink);
        } else {
            Question const question{.messages = messages,
                                    .buffering = options.buffering,
                                    .match_pairs = &*pairs,
                                    .check_sat = true,
                                    .models = true};
            sink(encoding.encode(question).value());
        }
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
