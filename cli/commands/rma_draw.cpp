#include <memory>

#include <fmt/format.h>

#include "cli/cli.hpp"
#include "cli/commands/rma_kept_flushes.hpp"
#include "cli/output.hpp"
#include "report/lane_picture.hpp"
#include "rma/machine/picture.hpp"
#include "rma/machine/schedule.hpp"

namespace matchpoint::cli {

namespace {

enum class RmaPicture { text, svg };

struct RmaDrawOptions {
    std::string file;
    std::optional<std::string> schedule; // default: the run that `rma check` finds
    bool sc = false;
    KeptFlushes kept;
    std::optional<RmaPicture> format; // default: by the ending of `output`
    std::string output;               // default: standard output
    Limits limits;
};

constexpr auto rma_draw_examples = R"(Examples:
  matchpoint rma draw traces/rma/figure2.rma       the run that goes wrong
  matchpoint rma draw traces/rma/figure2.rma --schedule "2 2 2 rw:2#1"
  matchpoint rma draw traces/rma/figure2.rma -o figure2.svg

Time runs down. `matchpoint rma run --help` describes the words of a schedule,
and docs/rma.md the picture.

Exit codes: 0 drawn, 1 a limit reached, 2 usage, or no program, 13 a word of the
schedule does not apply: the picture ends there, 74 the output could not be
written.
)";

std::optional<RmaPicture> picture_by_ending(std::string const& output) {
    if (!is_file(output) || output.ends_with(".txt")) return RmaPicture::text;
    if (output.ends_with(".svg")) return RmaPicture::svg;
    return std::nullopt;
}

/// The run that goes wrong.
ExitCode find(rma::Machine const& machine, Limits const& limits, std::vector<rma::Transition>& run,
              Terminal& terminal) {
    rma::CheckOptions options;
    options.model = machine.model();
    options.engine = rma::Engine::search;
    if (limits.memory) options.max_bytes = (*limits.memory << 20U) / 2;
    auto result = rma::check_program(machine.program(), options);
    if (result.violation) {
        run = std::move(result.violation->run);
        return holds;
    }
    complain(terminal,
             fmt::format("{}: say with --schedule which run to draw", result.verdict == rma::Verdict::safe
                                                                          ? "no run goes wrong"
                                                                          : "no run that goes wrong was found"),
             ErrorKind::usage);
    return result.verdict == rma::Verdict::safe ? bad_input : unknown;
}

ExitCode rma_draw_command(RmaDrawOptions const& options, Terminal& terminal) {
    auto const format = options.format ? options.format : picture_by_ending(options.output);
    if (!format) {
        complain(terminal, fmt::format("{} ends in none of .txt, .svg: say --format", printable(options.output, 4096)),
                 ErrorKind::usage);
        return bad_input;
    }
    auto input = read_rma(options.file, terminal);
    if (!input) return input.error();
    if (!options.kept.apply(*input, terminal)) return bad_input;
    rma::Graph const graph(input->program);
    rma::Machine const machine(graph, options.sc ? rma::Model::sc : rma::Model::rma);
    std::vector<rma::Transition> run;
    ExitCode const code = options.schedule ? follow_schedule(machine, *options.schedule, run, terminal)
                                           : find(machine, options.limits, run, terminal);
    if (code != holds && code != error) return code;
    LanePicture const picture =
        rma::picture_of(machine, run, printable(input->source.name(), 4096) + options.kept.text());
    bool const to_file = is_file(options.output);
    auto const size = terminal.size();
    unsigned const columns = to_file || !size ? 80 : std::min<unsigned>(size->columns, 400);
    std::string const text = *format == RmaPicture::svg
                                 ? draw_svg(picture)
                                 : draw_text(picture, columns, to_file ? Paint() : terminal.paint());
    ExitCode const written = write_output(options.output, text, terminal);
    return written == holds ? code : written;
}

} // namespace

ExitCode follow_schedule(rma::Machine const& machine, std::string const& words, std::vector<rma::Transition>& run,
                         Terminal& terminal) {
    auto const schedule = rma::parse_schedule(machine.graph(), words);
    if (!schedule) {
        complain(terminal, "--schedule: " + schedule.error(), ErrorKind::usage);
        return bad_input;
    }
    auto const wrong = rma::run_of(machine, *schedule, run);
    if (!wrong) return holds;
    complain(terminal, rma::in_words(*schedule, *wrong), ErrorKind::trace);
    return error;
}

RmaAction add_rma_draw(Command& rma) {
    static Choices<std::optional<RmaPicture>> const pictures{{"text", RmaPicture::text}, {"svg", RmaPicture::svg}};
    auto const options = std::make_shared<RmaDrawOptions>();
    Command command =
        rma.add("draw", "Draw a run: processes, their network cards, and what is pending from issue to landing",
                rma_draw_examples);
    command.argument("FILE", options->file, rma_file_help);
    command.option(
        {"--schedule", "WORDS",
         "What happens, one after the other. Default: the shortest run that goes wrong, as `rma check` finds it",
         [options](std::string const& words) { options->schedule = words; },
         [](std::string const&) { return std::string(); }});
    command.flag("--sc", options->sc, sc_help);
    options->kept.declare(command);
    command.choice("--format", options->format, pictures,
                   "Default: by the ending of OUT: .txt, .svg; text without OUT");
    command.output(Content::picture, options->output, "Write the picture to a file, atomically");
    command.limits(options->limits);
    return [options](Terminal& terminal) {
        return within(options->limits, terminal, [&] { return rma_draw_command(*options, terminal); });
    };
}

} // namespace matchpoint::cli
