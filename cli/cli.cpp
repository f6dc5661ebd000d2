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

/// In the order of `matchpoint --help`.
constexpr void (*commands[])(CommandLine&) = {add_run,    add_step,     add_smt,    add_check, add_explore,  add_pairs,
                                              add_encode, add_draw,     add_oracle, add_dap,   add_validate, add_suite,
                                              add_gen,    add_import,   add_mpi,    add_mcapi, add_rma,      add_lint,
                                              add_fmt,    add_language, add_version};

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
    CommandLine line(summary, std::string(examples) + std::string(exit_codes_help));
    for (auto const add : commands) add(line);
    return line.run(arguments);
}

} // namespace matchpoint::cli
