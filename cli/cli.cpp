#include "cli/cli.hpp"

#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/command_line.hpp"
#include "cli/commands/commands.hpp"

namespace matchpoint::cli {

namespace {

constexpr auto summary = "Matchpoint: the reference semantics of asynchronous message passing.\n";

constexpr auto examples = R"(Examples:
  matchpoint run traces/figure1.ctp      every trace, and why it ended so
  matchpoint run traces/figure1.ctp --trace 2 --steps
                                         one trace, rule by rule
  matchpoint check traces/figure1.ctp    could any execution have failed?
  matchpoint step traces/figure1.ctp     step through it
  matchpoint draw traces/figure1.ctp     who sent what to whom, and when
  matchpoint lint my_program.ctp         is it well written?
  matchpoint fmt -i my_program.ctp       in canonical form

`matchpoint COMMAND --help` describes a command.

)";

struct NamedCommand {
    std::string_view name;
    void (*add)(CommandLine&);
};

/// In the order of `matchpoint --help`.
constexpr NamedCommand commands[] = {
    {"run", add_run},         {"step", add_step},         {"smt", add_smt},           {"check", add_check},
    {"explore", add_explore}, {"pairs", add_pairs},       {"encode", add_encode},     {"draw", add_draw},
    {"oracle", add_oracle},   {"dap", add_dap},           {"validate", add_validate}, {"suite", add_suite},
    {"gen", add_gen},         {"import", add_import},     {"mpi", add_mpi},           {"mcapi", add_mcapi},
    {"threads", add_threads}, {"rma", add_rma},           {"lint", add_lint},         {"fmt", add_fmt},
    {"slice", add_slice},     {"language", add_language}, {"version", add_version},
};

} // namespace

namespace {

std::string_view name_of(ErrorKind kind) {
    switch (kind) {
    case ErrorKind::usage: return "usage";
    case ErrorKind::file: return "file";
    case ErrorKind::trace: return "trace";
    case ErrorKind::limit: return "limit";
    case ErrorKind::solver: return "solver";
    case ErrorKind::launcher: return "launcher";
    case ErrorKind::certificate: return "certificate";
    case ErrorKind::internal: break;
    }
    return "internal";
}

} // namespace

void complain(Terminal& terminal, std::string_view message, ErrorKind kind, std::vector<std::string> const& hints) {
    std::string text = fmt::format("matchpoint: error[{}]: {}\n", name_of(kind), message);
    for (std::string const& hint : hints) text += fmt::format("  = hint: {}\n", hint);
    terminal.tell(text);
}

void warn(Terminal& terminal, std::string_view message, ErrorKind kind) {
    terminal.tell(fmt::format("matchpoint: warning[{}]: {}\n", name_of(kind), message));
}

int cli_main(int argc, char const* const* argv) {
    std::vector<std::string> arguments(argv, argv + argc);
    // `matchpoint help run` is `matchpoint run --help`.
    if (argc >= 2 && arguments[1] == "help") {
        arguments.erase(arguments.begin() + 1);
        arguments.emplace_back("--help");
    }
    // `matchpoint --version` is `matchpoint version`, and takes its options.
    if (argc >= 2 && arguments[1] == "--version") arguments[1] = "version";
    std::string const footer = std::string(examples) + std::string(exit_codes_help);
    // Declaring all commands takes longer than most of them run on a small program. So at first only the command that
    // is named is declared. Descriptions and complaints may be about all of them.
    if (argc >= 2)
        for (auto const& [name, add] : commands)
            if (arguments[1] == name) {
                CommandLine line(summary, footer);
                add(line);
                if (auto const code = line.run_command(arguments)) return *code;
            }
    CommandLine line(summary, footer);
    for (auto const& [name, add] : commands) add(line);
    return line.run(arguments);
}

} // namespace matchpoint::cli
