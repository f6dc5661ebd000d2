#include "cli/cli.hpp"
#include "cli/command_line.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output.hpp"
#include "cli/program_input.hpp"
#include "grammar/print.hpp"

namespace matchpoint::cli {

namespace {

struct FmtOptions {
    std::string file;
    bool in_place = false;
};

constexpr auto fmt_examples = R"(Examples:
  matchpoint fmt program.ctp
  matchpoint fmt -i program.ctp
  generate | matchpoint fmt -

Exit codes: 0 done, 1 an integer beyond the limit, 2 the input cannot be read or
is not a program, 74 the output could not be written (the file is unchanged).
)";

ExitCode fmt_command(FmtOptions const& options, Terminal& terminal) {
    if (options.in_place && options.file == "-") {
        complain(terminal, "fmt -i needs a file: standard input cannot be replaced", ErrorKind::usage);
        return bad_input;
    }
    auto const input = read_program(options.file, terminal, Discipline::ignored, {.keep_comments = true});
    if (!input) return input.error();
    std::string const text = print(*input->program, &input->source);
    if (options.in_place)
        return text == input->source.text() ? holds : replace_or_complain(options.file, text, terminal);
    terminal.out(text);
    return holds;
}

} // namespace

void add_fmt(CommandLine& line) {
    auto const options = std::make_shared<FmtOptions>();
    Command command = line.add("fmt", "Print a program in canonical form, comments included", fmt_examples);
    command.argument("FILE", options->file, file_help);
    command.flag("-i,--in-place", options->in_place, "Replace the file, atomically");
    command.color();
    command.action([options](Terminal& terminal) { return fmt_command(*options, terminal); });
}

} // namespace matchpoint::cli
