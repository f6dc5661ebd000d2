#include <unistd.h>

#include <sys/ioctl.h>

#include <fmt/format.h>

#include "cli/cli.hpp"
#include "cli/files.hpp"
#include "grammar/discipline.hpp"
#include "report/draw.hpp"

namespace matchpoint::cli {

namespace {

struct Ending {
    std::string_view text;
    Picture picture;
};
constexpr Ending endings[] = {{".txt", Picture::text},     {".svg", Picture::svg},    {".html", Picture::html},
                              {".dot", Picture::dot},      {".log", Picture::shiviz}, {".itf.json", Picture::itf},
                              {".json", Picture::perfetto}}; // the longer ending first

std::optional<Picture> by_ending(std::string_view output) {
    if (output.empty() || output == "-") return Picture::text;
    for (Ending const& e : endings)
        if (output.ends_with(e.text)) return e.picture;
    return std::nullopt;
}

/// Whether a picture has room for several traces.
bool takes_all(Picture p) { return p == Picture::text || p == Picture::html || p == Picture::shiviz; }

/// Of the terminal that standard output is, within reason; else 80.
unsigned terminal_columns() {
    winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
    return std::min<unsigned>(size.ws_col, 400);
}

std::string draw_text(Drawing const& drawing, unsigned columns) {
    std::string text;
    for (Drawing::Run const& r : drawing.runs) {
        if (!text.empty()) text += "\n";
        text += fmt::format("trace {}\n", r.number) + to_text(r.diagram(), drawing.code, columns);
    }
    return text;
}

std::string draw(Drawing const& drawing, Picture picture, bool to_file) {
    switch (picture) {
    case Picture::text: return draw_text(drawing, to_file ? 80 : terminal_columns());
    case Picture::svg: return draw_svg(drawing);
    case Picture::html: return draw_html(drawing);
    case Picture::dot: return draw_dot(drawing);
    case Picture::shiviz: return draw_shiviz(drawing);
    case Picture::perfetto: return draw_perfetto(drawing);
    case Picture::itf: break;
    }
    return draw_itf(drawing);
}

} // namespace

ExitCode draw_command(DrawOptions const& options, Terminal& terminal) {
    std::optional<Picture> const picture = options.format ? options.format : by_ending(options.output);
    if (!picture) {
        complain(terminal,
                 fmt::format("{} ends in none of .txt, .svg, .html, .dot, .log, .json, .itf.json: say --format",
                             printable(options.output, 4096)));
        return bad_input;
    }
    auto const source = read_source(options.file);
    if (!source) {
        complain(terminal, source.error());
        return bad_input;
    }
    auto const program = parse(*source);
    Diagnostics const diagnostics = program ? check_discipline(*program, &*source) : program.error();
    show(terminal, diagnostics, *source);
    if (!program) return refused(diagnostics);

    std::string const name = printable(source->name(), 4096);
    std::size_t const count = program->traces.size();
    if (count == 0 || options.trace.value_or(1) > count) {
        complain(terminal,
                 count == 0
                     ? fmt::format("{} has no trace to draw: traces stand behind the program, in the same file", name)
                     : fmt::format("{} has no trace {}: it has {}", name, *options.trace, count));
        return bad_input;
    }

    IndexedProgram const code(*program);
    Drawing drawing{name, code, options.buffering, {}};
    bool const all = !options.trace && takes_all(*picture);
    std::size_t const first = options.trace.value_or(1);
    ExitCode result = holds;
    for (std::size_t t = first; t <= (all ? count : first); ++t) {
        auto builder = std::make_unique<DiagramBuilder>(code);
        Machine machine(code, options.buffering);
        machine.observe(*builder);
        try {
            run(machine, t - 1);
        } catch (LimitReached const& e) {
            builder->limit_reached(e.what());
            complain(terminal, fmt::format("trace {}, entry {}: {}", t, machine.state().trace, e.what()));
            result = unknown;
        }
        drawing.runs.push_back({t, std::move(builder)});
    }

    bool const to_file = !options.output.empty() && options.output != "-";
    std::string const text = draw(drawing, *picture, to_file);
    if (!to_file) {
        terminal.out(text);
        return result;
    }
    FileError const failed = replace_file(options.output, text);
    if (!failed.empty()) complain(terminal, failed);
    return failed.empty() ? result : output_failed;
}

} // namespace matchpoint::cli
