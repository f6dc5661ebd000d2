#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/cli.hpp"
#include "cli/command_line.hpp"
#include "cli/commands/commands.hpp"
#include "cli/program_input.hpp"
#include "cli/repl/repl.hpp"
#include "explain/told.hpp"
#include "explain/words.hpp"
#include "record/provenance.hpp"

namespace matchpoint::cli {

namespace {

struct StepOptions {
    std::string file;
    std::optional<std::size_t> trace;   // from 1; default: the first one, if there is one
    bool choose = false;                // follow none
    std::optional<Buffering> buffering; // default: what the file says
    SessionOptions session;
    bool names = false;
};

constexpr auto step_examples = R"(Commands have gdb's names where possible; `help` lists them (docs/guide.md).

Examples:
  matchpoint step traces/figure1.ctp             along the first trace
  matchpoint step traces/figure1.ctp --choose    by choosing what comes next
  echo "search failure
  continue
  why" | matchpoint step traces/figure1.ctp --choose --echo

Exit codes: 0 done, 2 the input cannot be read or breaks a rule, or a command in
a script or pipe cannot be run.
)";

ExitCode step_command(StepOptions const& options, Terminal& terminal) {
    if (!has_commands(options.file, options.session, terminal)) return bad_input;
    if (options.choose && options.trace) {
        complain(terminal, "--choose follows no trace: it goes without --trace", ErrorKind::usage);
        return bad_input;
    }
    auto input = read_program(options.file, terminal);
    if (!input) return input.error();
    std::string const name = printable(input->source.name(), 4096);
    std::size_t const count = input->program->traces.size();
    if (options.trace && *options.trace > count) {
        complain(terminal, fmt::format("{} has no trace {}: it has {}", name, *options.trace, count), ErrorKind::trace);
        return bad_input;
    }
    bool const follows = options.trace || (count > 0 && !options.choose);
    std::size_t const trace = options.trace.value_or(1) - 1;
    Buffering const buffering = follows
                                    ? trace_endings(input->source.text(), count)[trace].buffering_if(options.buffering)
                                    : options.buffering.value_or(Buffering::infinite);
    LoadedProgram loaded(options.file, std::move(*input));
    Repl repl(loaded, buffering, terminal);
    if (!options.buffering) repl.take_buffering_of_traces();
    if (options.names)
        repl.tell_by_names();
    else
        repl.tell_by_places();
    if (follows) repl.begin(trace);

    auto const greet = [&] {
        repl.screen().out(
            fmt::format("{}: {}, {}; {} buffering\n", name,
                        plural(loaded.code().ctp().threads.size(), explain::word_for_thread(loaded.code())),
                        plural(count, "trace"), to_string(buffering)));
        repl.screen().out(repl.following()
                              ? "Following a trace; `choices` shows what else can come. `help` lists commands.\n"
                              : "Nothing is planned: `choices` shows what can come. `help` lists commands.\n");
    };
    return hold_session(repl, options.session, options.file, greet, terminal);
}

} // namespace

void add_step(CommandLine& line) {
    auto const options = std::make_shared<StepOptions>();
    Command command =
        line.add("step", "Step through a run, forward and back, along a trace or by your choices", step_examples);
    command.argument("FILE", options->file, "The program, and its traces");
    command.trace(options->trace, "Follow trace N of the file, counted from 1. Default: 1");
    command.flag("--choose", options->choose, "Follow no trace; start by choosing");
    command.buffering(options->buffering);
    session_options(command, options->session);
    command.flag("--names", options->names, names_help);
    command.color();
    command.action([options](Terminal& terminal) { return step_command(*options, terminal); });
}

} // namespace matchpoint::cli
