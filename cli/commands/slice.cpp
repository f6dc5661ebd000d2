#include <chrono>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/cli.hpp"
#include "cli/command_line.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output.hpp"
#include "cli/program_input.hpp"
#include "programs/slice.hpp"

namespace matchpoint::cli {

namespace {

struct SliceOptions {
    std::string file;
    bool statistics = false;
    std::string output;           // default: standard output
    Format format = Format::text; // of the statistics
};

constexpr auto slice_examples = R"(Examples:
  matchpoint slice program.ctp | matchpoint check -
  matchpoint slice program.ctp -o sliced.ctp
  matchpoint slice program.ctp --statistics    what is gone, and the time

The slice has the same verdict, deadlocks and faults. Messages stay. Data races
with a command that is removed are gone.

Exit codes: 0 done, 1 an integer beyond the limit, 2 the input cannot be read or
breaks a rule, 74 the output could not be written.
)";

/// The comment lines at the top of a file, without their `;`. They say where a recording came from.
std::string first_comment(std::string_view text) {
    std::string result;
    while (text.starts_with(';')) {
        std::size_t const end = text.find('\n');
        std::string_view const line = text.substr(1, end == std::string_view::npos ? end : end - 1);
        result += std::string(line.starts_with(' ') ? line.substr(1) : line) + "\n";
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    }
    return result;
}

struct Sliced {
    programs::draft::Slice slice;
    std::size_t commands; // of the program
    double seconds;
};

std::string statistics(Sliced const& s) {
    return fmt::format(
        "commands: {} of {} are left\n"
        "gone: {}, {}, {}\n"
        "payloads that are 0 or false now: {}\n"
        "seconds: {:.6f}\n",
        s.slice.draft.commands(), s.commands, plural(s.slice.assignments, "assignment"),
        plural(s.slice.assumptions, "assumption that is always true", "assumptions that are always true"),
        plural(s.slice.shared, "shared variable"), s.slice.payloads, s.seconds);
}

/// docs/schema/slice.schema.json
Json statistics_as_json(Sliced const& s, std::string_view file) {
    Json json = report_of("slice");
    json["file"] = file;
    json["commands"] = s.commands;
    json["commands_left"] = s.slice.draft.commands();
    json["assignments"] = s.slice.assignments;
    json["assumptions"] = s.slice.assumptions;
    json["shared"] = s.slice.shared;
    json["payloads"] = s.slice.payloads;
    json["seconds"] = s.seconds;
    return json;
}

ExitCode slice_command(SliceOptions const& options, Terminal& terminal) {
    if (options.format == Format::json && !options.statistics) {
        complain(terminal, "--format json is for --statistics: a program is in the trace language", ErrorKind::usage);
        return bad_input;
    }
    auto const input = read_prepared(options.file, terminal, KnowsSharing::yes);
    if (!input) return input.error();
    Prepared const& program = **input;
    programs::draft::Draft draft = programs::draft::draft_of(program.program);
    draft.comment = first_comment(program.source.text());
    std::size_t const commands = draft.commands();
    auto const begin = std::chrono::steady_clock::now();
    auto slice = programs::draft::slice(std::move(draft));
    std::chrono::duration<double> const seconds = std::chrono::steady_clock::now() - begin;
    Sliced const sliced{std::move(slice), commands, seconds.count()};
    std::string const text = !options.statistics              ? programs::draft::print(sliced.slice.draft)
                             : options.format == Format::json ? dump(statistics_as_json(sliced, program.source.name()))
                                                              : statistics(sliced);
    return write_output(options.output, text, terminal);
}

} // namespace

void add_slice(CommandLine& line) {
    auto const options = std::make_shared<SliceOptions>();
    Command command =
        line.add("slice", "Print a program without what no assertion, assumption or guard depends on", slice_examples);
    command.argument("FILE", options->file, file_help);
    command.flag("--statistics", options->statistics,
                 "Print what is gone and the time that it took, in place of the "
                 "program");
    command.output(Content::program, options->output, "Write the program to a file, atomically");
    command.format(options->format);
    command.color();
    command.action([options](Terminal& terminal) { return slice_command(*options, terminal); });
}

} // namespace matchpoint::cli
