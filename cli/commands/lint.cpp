#include <algorithm>

#include "cli/cli.hpp"
#include "cli/command_line.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output.hpp"
#include "cli/program_input.hpp"
#include "report/json.hpp"

namespace matchpoint::cli {

namespace {

struct LintOptions {
    std::vector<std::string> files;
    bool strict = false;
    Format format = Format::text;
};

constexpr auto lint_examples = R"(Examples:
  matchpoint lint traces/*.ctp
  matchpoint lint --strict program.ctp || echo "not for check"

Exit codes: 0 no error (with --strict no warning either), 1 an integer beyond
the limit, 2 otherwise.
)";

ExitCode lint_file(std::string const& file, LintOptions const& options, Terminal& terminal) {
    auto source = read_or_complain(file, terminal);
    if (!source) return source.error();
    ProgramInput input = examine(std::move(*source), options.strict ? Discipline::as_errors : Discipline::as_warnings);
    warn_of_sharing(input);
    if (options.format == Format::json) {
        Json json = report_of("lint", input.source);
        json["diagnostics"] = to_json(input.diagnostics, input.source);
        terminal.out(dump(json));
    } else {
        terminal.print(render(input.diagnostics, input.source, {terminal.out_has_color()}));
    }
    return has_error(input.diagnostics) ? refused(input.diagnostics) : holds;
}

ExitCode lint_command(LintOptions const& options, Terminal& terminal) {
    ExitCode code = holds;
    for (std::string const& file : options.files) code = std::max(code, lint_file(file, options, terminal));
    return code;
}

} // namespace

void add_lint(CommandLine& line) {
    auto const options = std::make_shared<LintOptions>();
    Command command = line.add("lint", "Check the static rules (errors) and rules D1 to D6 (warnings)", lint_examples);
    command.argument("FILE", options->files, file_help);
    command.flag("--strict", options->strict, "Rules D1 to D6 are errors too");
    command.format(options->format);
    command.color();
    command.action([options](Terminal& terminal) { return lint_command(*options, terminal); });
}

} // namespace matchpoint::cli
