// The pictures of `matchpoint draw`. Each is a text, made from the diagrams of runs (diagram.hpp). docs/drawing.md
// shows them; docs/formats.md specifies the formats for other viewers.
//
//   Drawing drawing{"figure1.ctp", code, Buffering::infinite, {}};
//   drawing.runs.push_back({1, std::move(builder)}); // a DiagramBuilder that observed trace 1
//   std::string const page = draw_html(drawing);
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "explain/words.hpp"
#include "machine/machine.hpp"
#include "report/diagram_text.hpp"

namespace matchpoint::report {

/// A program, and those of its traces that are drawn.
struct Drawing {
    struct Run {
        std::size_t number; // of the trace in the file, from 1
        std::unique_ptr<DiagramBuilder> builder;
        Buffering buffering = Buffering::infinite;
        Extent extent = Extent::complete;
        /// How it ended, where the machine's status does not say it: "failed: exit code 134", "deadlock", "the run was
        /// ended: it was interrupted". Lines of text; the first says it all, the others where threads wait.
        std::vector<std::string> end = {};

        Diagram const& diagram() const { return builder->diagram(); }
        /// Whether the threads that are not finished can never go on.
        bool halts() const { return !end.empty() && end.front() == "deadlock"; }
        /// In a few words.
        std::string_view ending() const { return end.empty() ? to_string(diagram().s) : std::string_view(end.front()); }
        std::uint32_t rows() const { return static_cast<std::uint32_t>(diagram().rows.size()); }
    };

    std::string name; // the name of the file, as it is shown
    IndexedProgram const& code;
    std::vector<Run> runs;
    bool beside = false; // there are two runs, which are drawn beside each other, and what differs is marked
};

/// Runs a trace once more, for pictures that need more than its diagram.
void run_again(Drawing const& drawing, std::size_t number, Observer& observer);

/// The first run, or two beside each other.
std::string draw_svg(Drawing const& drawing);
std::string draw_svg_beside(Drawing const& drawing);

/// Paper to print on.
struct Paper {
    double width_mm;
    double height_mm;
};
/// SVG pictures of this size, one for each page.
std::vector<std::string> draw_pages(Drawing const& drawing, Paper const& paper);
/// The height of the texts on these pages, in points.
double text_points(Drawing const& drawing, Paper const& paper);

std::string draw_html(Drawing const& drawing);
std::string draw_dot(Drawing const& drawing);
std::string draw_tikz(Drawing const& drawing);
std::string draw_shiviz(Drawing const& drawing);
std::string draw_perfetto(Drawing const& drawing);
std::string draw_itf(Drawing const& drawing);

/// Appends a text with XML's special characters escaped.
void append_xml(std::string& to, std::string_view text);
std::string xml(std::string_view text);

/// 256 MiB. Some formats are quadratic in the run.
inline constexpr std::size_t largest_picture = std::size_t{1} << 28U;
/// Throws LimitReached if the picture is larger.
void check_size(std::string const& picture, std::string_view format);

} // namespace matchpoint::report
