#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "cli/cli.hpp"
#include "cli/command_line.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/draw_cssa.hpp"
#include "cli/output.hpp"
#include "cli/program_input.hpp"
#include "cli/range.hpp"
#include "executions/shared/causal_model.hpp"
#include "explain/told.hpp"
#include "record/provenance.hpp"
#include "report/compare.hpp"
#include "report/draw.hpp"

namespace matchpoint::cli {

namespace {

enum class Picture { text, svg, html, dot, tikz, shiviz, perfetto, itf };

struct DrawOptions {
    std::string file;
    std::optional<std::size_t> trace;   // from 1; default: all, or the first if the picture shows only one
    std::optional<std::size_t> beside;  // from 1; beside `trace`, or the first
    std::optional<Buffering> buffering; // default: what the file says
    std::optional<Picture> format;      // default: by the ending of `output`
    std::string output;                 // default: standard output
    std::optional<Paper> paper;         // SVG only
    std::optional<std::uint64_t> page;
    Range entries;
    std::vector<std::uint32_t> threads; // default: all
    bool names = false;
    bool cssa = false;
    std::optional<Model> model; // with `cssa`: the reduced model of a trace

    bool are_part() const { return entries.first > 0 || entries.last < UINT64_MAX; }
};

constexpr auto draw_examples = R"(Examples:
  matchpoint draw traces/figure1.ctp --trace 2         on the terminal
  matchpoint draw traces/figure1.ctp --entries 3..9 --threads 0,2
  matchpoint draw traces/figure1.ctp --trace 1 --beside 2
                                                       and what differs
  matchpoint draw traces/figure1.ctp -o figure1.html   step by step, all traces
  matchpoint draw traces/figure1.ctp --trace 2 -o figure3.svg
  matchpoint draw traces/figure1.ctp --paper a4 -o figure1.svg
                                                       to print
  matchpoint draw traces/figure1.ctp --trace 2 -o figure3.tex
                                                       TikZ, for a paper
  matchpoint draw traces/figure1.ctp -o run.json       for ui.perfetto.dev
  matchpoint draw traces/figure1.ctp --format shiviz -o run.log
                                                       docs/drawing.md has more
  matchpoint draw traces/errata/f11_figure_1.ctp --cssa
                                                       the CSSA form
  matchpoint draw traces/errata/f11b_figure_5.ctp --cssa --model mcm --trace 1
                                                       and a reduced model

A run that gets stuck is drawn as far as it went.

Exit codes: 0 drawn, 1 a limit reached, 2 the input cannot be read or breaks a
rule, 74 the output could not be written.
)";

struct Ending {
    std::string_view text;
    Picture picture;
};
constexpr Ending endings[] = {{".txt", Picture::text},     {".svg", Picture::svg},      {".html", Picture::html},
                              {".dot", Picture::dot},      {".tex", Picture::tikz},     {".log", Picture::shiviz},
                              {".itf.json", Picture::itf}, {".json", Picture::perfetto}}; // the longer ending first

std::optional<Picture> by_ending(std::string const& output) {
    if (!is_file(output)) return Picture::text;
    for (Ending const& e : endings)
        if (output.ends_with(e.text)) return e.picture;
    return std::nullopt;
}

/// Whether a picture can show several traces.
bool takes_all(Picture p) { return p == Picture::text || p == Picture::html || p == Picture::shiviz; }

/// The width of standard output, at most 400; 80 if that is not known.
unsigned columns_of(Terminal const& terminal) { return std::min(terminal.columns().value_or(80), 400U); }

std::string text_of(Drawing const& drawing, Drawing::Run const& r, TextOptions const& options) {
    TextOptions own = options;
    own.end = r.end;
    return options.paint(Style::heading, fmt::format("trace {} ({} buffering)", r.number, to_string(r.buffering))) +
           "\n" + to_text(r.diagram(), drawing.code, own);
}

std::string draw_text(Drawing const& drawing, TextOptions const& options) {
    std::string text;
    for (Drawing::Run const& r : drawing.runs) {
        if (!text.empty()) text += "\n";
        text += text_of(drawing, r, options);
    }
    return text;
}

/// What differs between two runs, below their pictures.
std::string told(RunDifference const& difference, Drawing::Run const& a, Drawing::Run const& b,
                 IndexedProgram const& code) {
    constexpr std::size_t most = 20;
    auto const& sentences = difference.sentences;
    bool const has_messages = code.names().actions.size() > 0;
    std::string text = sentences.empty() && has_messages ? "The same messages are received.\n" : "";
    if (!difference.first) return text;
    text += fmt::format("here: trace {}, there: trace {}\n  {}\n", a.number, b.number,
                        first_difference(difference, a.diagram(), b.diagram(), code));
    for (std::size_t i = 0; i < std::min(sentences.size(), most); ++i) text += fmt::format("  {}\n", sentences[i]);
    if (sentences.size() > most) text += fmt::format("  and {} more\n", sentences.size() - most);
    return text + fmt::format("  {}\n", legend_of_marks);
}

/// Two runs beside each other, if there are columns enough, and the messages that differ.
std::string draw_beside(Drawing const& drawing, TextOptions const& options) {
    constexpr unsigned between = 3;
    constexpr unsigned narrowest = 40;
    bool const fits = options.columns >= 2 * narrowest + between;
    TextOptions half = options;
    if (fits) half.columns = (options.columns - between) / 2;
    Drawing::Run const& a = drawing.runs[0];
    Drawing::Run const& b = drawing.runs[1];
    RunDifference const difference = compare(a.diagram(), b.diagram(), drawing.code);
    auto const picture = [&](Drawing::Run const& run, std::vector<std::uint32_t> const& marked) {
        half.marked = marked;
        return text_of(drawing, run, half);
    };
    std::string const left = picture(a, difference.here);
    std::string const right = picture(b, difference.there);
    return (fits ? beside(left, right, half.columns) : left + "\n" + right) + "\n" +
           told(difference, a, b, drawing.code);
}

std::string draw(Drawing const& drawing, Picture picture, TextOptions const& options) {
    switch (picture) {
    case Picture::text: return draw_text(drawing, options);
    case Picture::svg: return draw_svg(drawing);
    case Picture::html: return draw_html(drawing);
    case Picture::dot: return draw_dot(drawing);
    case Picture::tikz: return draw_tikz(drawing);
    case Picture::shiviz: return draw_shiviz(drawing);
    case Picture::perfetto: return draw_perfetto(drawing);
    case Picture::itf: break;
    }
    return draw_itf(drawing);
}

/// "run.svg" as "run-07.svg" if there are between 10 and 99 pages.
std::string page_file(std::string const& output, std::size_t page, std::size_t pages) {
    std::size_t const slash = output.rfind('/') + 1;
    std::size_t const dot = output.rfind('.');
    std::size_t const end = dot == std::string::npos || dot <= slash ? output.size() : dot;
    return fmt::format("{}-{:0{}}{}", output.substr(0, end), page, std::to_string(pages).size(), output.substr(end));
}

/// On paper: a file for each page, with its number in the name if there are several.
ExitCode write_pages(Drawing const& drawing, DrawOptions const& options, Terminal& terminal) {
    constexpr double least_points = 5;
    std::vector<std::string> const pages = draw_pages(drawing, *options.paper);
    if (options.page && *options.page > pages.size()) {
        complain(terminal, fmt::format("the picture has no page {}: it has {}", *options.page, pages.size()),
                 ErrorKind::usage);
        return bad_input;
    }
    if (double const points = text_points(drawing, *options.paper); points < least_points)
        warn(terminal,
             fmt::format("{} threads do not fit the paper well: texts are {:.1f} points high",
                         drawing.code.ctp().threads.size(), points),
             ErrorKind::usage);
    if (options.page) return write_output(options.output, pages[*options.page - 1], terminal);
    if (pages.size() == 1) return write_output(options.output, pages.front(), terminal);
    if (!is_file(options.output)) {
        complain(terminal,
                 fmt::format("the picture has {} pages: write them to files with --output, or choose one with "
                             "--page",
                             pages.size()),
                 ErrorKind::usage);
        return bad_input;
    }
    for (std::size_t p = 1; p <= pages.size(); ++p) {
        std::string const file = page_file(options.output, p, pages.size());
        if (std::error_code error; std::filesystem::equivalent(file, options.file, error)) {
            complain(terminal, fmt::format("page {} would replace the input: it is {}", p, printable(file, 4096)),
                     ErrorKind::usage);
            return bad_input;
        }
        if (ExitCode const code = check_output(file, Content::picture, terminal); code != holds) return code;
    }
    for (std::size_t p = 1; p <= pages.size(); ++p)
        if (ExitCode const written = write_output(page_file(options.output, p, pages.size()), pages[p - 1], terminal);
            written != holds)
            return written;
    return holds;
}

/// The numbers in a list such as "0,3"; none if it is no such list.
std::optional<std::vector<std::uint32_t>> numbers(std::string_view list) {
    std::vector<std::uint32_t> result;
    while (true) {
        std::size_t const end = std::min(list.find(','), list.size());
        auto const n = to_number<std::uint32_t>(list.substr(0, end));
        if (!n) return std::nullopt;
        result.push_back(*n);
        if (end == list.size()) return result;
        list.remove_prefix(end + 1);
    }
}

/// What is wrong with --threads; empty if nothing.
std::string wrong_threads(DrawOptions const& options, Program const& program) {
    for (std::uint32_t const t : options.threads)
        if (std::size_t const count = program.ctp.threads.size(); t >= count)
            return fmt::format("--threads: there is no thread {}: there are {}, from 0", t, count);
    return {};
}

/// What is wrong with --entries and --threads; empty if nothing.
std::string wrong_part(DrawOptions const& options, Picture picture, Program const& program, SelectedTraces traces) {
    bool const shows_two = picture == Picture::text || picture == Picture::svg || picture == Picture::html;
    if (options.beside && !shows_two) return "--beside is for --format text, svg and html";
    if (options.beside && options.paper) return "--beside does not go with --paper";
    if ((options.are_part() || !options.threads.empty()) && picture != Picture::text)
        return "--entries and --threads are for --format text";
    if (std::string wrong = wrong_threads(options, program); !wrong.empty()) return wrong;
    std::size_t most = 0;
    for (std::size_t t = traces.first; t < traces.last; ++t) most = std::max(most, program.traces[t].entries.size());
    if (options.entries.first > 0 && options.entries.first >= most)
        return fmt::format("--entries: there is no entry {}: there are {}, from 0", options.entries.first, most);
    return {};
}

/// What is wrong with options, whatever the program; empty if nothing.
std::string contradiction_in(DrawOptions const& options, Picture picture) {
    if (options.paper && picture != Picture::svg) return "--paper goes with svg only";
    if (options.page && !options.paper) return "--page goes with --paper only";
    if (!options.cssa) return options.model ? "--model goes with --cssa only" : "";
    if (picture != Picture::text) return "--cssa is text: it goes with --format text only";
    if (options.beside) return "--cssa does not go with --beside";
    if (options.are_part()) return "--cssa does not go with --entries";
    if (options.trace && !options.model) return "--cssa is about the program: --trace goes with --model mcm only";
    return {};
}

ExitCode cssa_command(DrawOptions const& options, Terminal& terminal) {
    auto const read = read_prepared(options.file, terminal, KnowsSharing::yes);
    if (!read) return read.error();
    std::string wrong = without_cssa((*read)->messages);
    if (wrong.empty()) wrong = wrong_threads(options, (*read)->program);
    if (!wrong.empty()) {
        complain(terminal, wrong, ErrorKind::usage);
        return bad_input;
    }
    if (!options.model) return draw_cssa(**read, options.threads, options.output, terminal);
    return draw_reduced_model(**read, options.trace, options.threads, options.output, terminal);
}

ExitCode draw_command(DrawOptions const& options, Terminal& terminal) {
    std::optional<Picture> const picture = options.format ? options.format : by_ending(options.output);
    if (!picture) {
        complain(terminal,
                 fmt::format("{} ends in none of .txt, .svg, .html, .dot, .tex, .log, .json, .itf.json: say --format",
                             printable(options.output, 4096)),
                 ErrorKind::usage);
        return bad_input;
    }
    if (std::string const wrong = contradiction_in(options, *picture); !wrong.empty()) {
        complain(terminal, wrong, ErrorKind::usage);
        return bad_input;
    }
    if (options.cssa) return cssa_command(options, terminal);
    auto const input = read_program(options.file, terminal);
    if (!input) return input.error();
    auto traces = select_traces(*input->program, input->source,
                                options.beside ? options.trace.value_or(1) : options.trace, " to draw", terminal);
    if (!traces) return traces.error();
    if (!takes_all(*picture) || options.beside) traces->last = traces->first + 1;
    std::optional<SelectedTraces> other;
    if (options.beside) {
        auto const selected = select_traces(*input->program, input->source, options.beside, " to draw", terminal);
        if (!selected) return selected.error();
        other = *selected;
    }

    if (std::string const wrong = wrong_part(options, *picture, *input->program, *traces); !wrong.empty()) {
        complain(terminal, wrong, ErrorKind::usage);
        return bad_input;
    }
    IndexedProgram const code(*input->program);
    Provenance const from = provenance_of(input->source.text());
    bool const is_for_people =
        *picture == Picture::text || *picture == Picture::svg || *picture == Picture::html || *picture == Picture::tikz;
    ToldByPlaces const told(code, from.thread, is_for_people && !options.names && from.is_recorded());
    Drawing drawing{printable(input->source.name(), 4096), code, {}};
    ExitCode result = holds;
    std::vector<TraceEnding> const ends = trace_endings(input->source.text(), input->program->traces.size());
    auto const add = [&](std::size_t t) {
        auto builder = std::make_unique<DiagramBuilder>(code);
        Buffering const buffering = ends[t].buffering_if(options.buffering);
        Machine machine(code, buffering);
        machine.observe(*builder);
        Extent const extent = ends[t].extent();
        std::vector<std::string> end;
        try {
            run(machine, t, extent);
            end = end_in_words(machine, ends[t]);
        } catch (LimitReached const& e) {
            builder->limit_reached(e.what());
            complain(terminal, fmt::format("trace {}, entry {}: {}", t + 1, machine.state().trace, e.what()),
                     ErrorKind::limit);
            result = unknown;
        }
        drawing.runs.push_back({t + 1, std::move(builder), buffering, extent, std::move(end)});
    };
    for (std::size_t t = traces->first; t < traces->last; ++t) add(t);
    if (other) add(other->first);
    drawing.beside = other.has_value();

    if (options.paper) {
        ExitCode const written = write_pages(drawing, options, terminal);
        return written == holds ? result : written;
    }
    bool const to_file = is_file(options.output);
    unsigned const columns = !to_file ? columns_of(terminal) : options.beside ? 120 : 80;
    TextOptions shown{columns, options.entries.first, options.entries.last, options.threads,
                      to_file ? Paint() : terminal.paint()};
    shown.whole = to_file           ? "-o FILE.svg shows more"
                  : terminal.size() ? "a wider terminal or -o FILE.svg shows more"
                                    : "COLUMNS=160 or -o FILE.svg shows more";
    bool const is_pair = options.beside && *picture == Picture::text;
    std::string const text = is_pair ? draw_beside(drawing, shown) : draw(drawing, *picture, shown);
    ExitCode const written = write_output(options.output, text, terminal);
    return written == holds ? result : written;
}

} // namespace

void add_draw(CommandLine& line) {
    static Choices<std::optional<Picture>> const pictures{
        {"text", Picture::text}, {"svg", Picture::svg},       {"html", Picture::html},         {"dot", Picture::dot},
        {"tikz", Picture::tikz}, {"shiviz", Picture::shiviz}, {"perfetto", Picture::perfetto}, {"itf", Picture::itf}};
    auto const options = std::make_shared<DrawOptions>();
    Command command = line.add("draw",
                               "Draw the traces of a program as space-time diagrams: for the terminal, as a page to "
                               "step through, or for other viewers",
                               draw_examples);
    command.argument("FILE", options->file, file_help);
    command.trace(options->trace,
                  "Only trace N of the file, counted from 1. Default: all for text, html and shiviz, else the first");
    command.number("--beside", options->beside,
                   "A second trace, beside the first, and what differs; for text, svg and html");
    command.buffering(options->buffering);
    command.choice("--format", options->format, pictures,
                   "Default: by the ending of OUT: .txt, .svg, .html, .dot, .tex (tikz), .log (shiviz), .json "
                   "(perfetto), .itf.json (itf); "
                   "text without OUT");
    static Choices<std::optional<Paper>> const papers{{"a4", Paper{210, 297}},
                                                      {"a4-landscape", Paper{297, 210}},
                                                      {"letter", Paper{215.9, 279.4}},
                                                      {"letter-landscape", Paper{279.4, 215.9}}};
    command.choice("--paper", options->paper, papers,
                   "svg: pages of this size; of several, page N goes to OUT with -N before its ending");
    command.number("--page", options->page, "With --paper: only page N");
    command.option({"--entries", "A..B",
                    "Only entries A to B of each trace, counted from 0; also A.., ..B and A. Only for text",
                    [options](std::string const& word) { options->entries = *parse_range(word); },
                    [](std::string const& word) {
                        return parse_range(word) ? "" : fmt::format("{} is not a range: 30..60, 30.., ..60, 30", word);
                    }});
    command.option({"--threads", "I,J,...", "Only some threads, counted from 0. Only for text",
                    [options](std::string const& word) { options->threads = *numbers(word); },
                    [](std::string const& word) {
                        return numbers(word) ? "" : fmt::format("{} is not a list of threads: 0,3", word);
                    }});
    command.flag("--names", options->names, names_help);
    command.flag("--cssa", options->cssa,
                 "In place of a run, the concurrent static single assignment form of a program without messages, with "
                 "the names of `encode`");
    static Choices<std::optional<Model>> const models{{"mcm", Model::mcm}};
    command.choice("--model", options->model, models,
                   "With --cssa: the concrete events of a trace (default: 1), and the program that they leave of it");
    command.output(Content::picture, options->output, "Write the picture to a file, atomically");
    command.color();
    command.action([options](Terminal& terminal) { return draw_command(*options, terminal); });
}

} // namespace matchpoint::cli
