#include <memory>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/cli.hpp"
#include "cli/commands/rma_kept_flushes.hpp"
#include "cli/rma_repl/repl.hpp"

namespace matchpoint::cli {

namespace {

struct RmaStepOptions {
    std::string file;
    std::string schedule;
    bool sc = false;
    KeptFlushes kept;
    SessionOptions session;
};

constexpr auto rma_step_examples = R"(Commands have the names of `matchpoint step` where possible; `help` lists them
(docs/rma.md).

Examples:
  matchpoint rma step traces/rma/figure2.rma
  matchpoint rma step traces/rma/figure2.rma --schedule "2 2 2 rw:2#1"
                                         along a schedule
  echo "search
  continue
  history" | matchpoint rma step traces/rma/figure2.rma --echo

Exit codes: 0 done, 2 the input cannot be read or breaks a rule, or a command in
a script or pipe cannot be run, 13 a word of the schedule does not apply.
)";

ExitCode rma_step_command(RmaStepOptions const& options, Terminal& terminal) {
    if (!has_commands(options.file, options.session, terminal)) return bad_input;
    auto input = read_rma(options.file, terminal);
    if (!input) return input.error();
    if (!options.kept.apply(*input, terminal)) return bad_input;
    rma::Graph const graph(input->program);
    rma::Machine const machine(graph, options.sc ? rma::Model::sc : rma::Model::rma);
    RmaRepl repl(input->source, machine, terminal);
    if (!options.schedule.empty()) {
        std::vector<rma::Transition> run;
        if (ExitCode const code = follow_schedule(machine, options.schedule, run, terminal); code != holds) return code;
        repl.plan(std::move(run));
    }
    auto const greet = [&] {
        std::size_t const n = input->program.processes.size();
        repl.screen().out(
            fmt::format("{}{}: {}{}\n{}", printable(input->source.name(), 4096), options.kept.text(),
                        plural(n, "process", "processes"), options.sc ? ", sequentially consistent" : "",
                        options.schedule.empty()
                            ? "Nothing is planned: `choices` shows what can come, `search` finds a run that goes "
                              "wrong. `help` lists "
                              "commands.\n"
                            : "Following a schedule; `choices` shows what else can come. `help` lists commands.\n"));
    };
    return hold_session(repl, options.session, options.file, greet, terminal);
}

} // namespace

RmaAction add_rma_step(Command& rma) {
    auto const options = std::make_shared<RmaStepOptions>();
    Command command =
        rma.add("step", "Step through a run, forward and back, by your choices or along a schedule", rma_step_examples);
    command.argument("FILE", options->file, rma_file_help);
    command.text("--schedule", "WORDS", options->schedule, "What is planned to happen. Default: nothing; you choose");
    command.flag("--sc", options->sc, sc_help);
    options->kept.declare(command);
    session_options(command, options->session);
    return [options](Terminal& terminal) { return rma_step_command(*options, terminal); };
}

} // namespace matchpoint::cli
