// The pictures of `matchpoint draw`, each from the diagram of a run (machine/diagram.hpp), in one file of text.
// docs/drawing.md shows them, docs/formats.md says what is in the ones for other people's viewers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "machine/machine.hpp"
#include "report/diagram_text.hpp"
#include "report/words.hpp"

namespace matchpoint::report {

/// What is drawn: a program, and traces of it that were run.
struct Drawing {
    struct Run {
        std::size_t number; // of the trace in its file, from 1
        std::unique_ptr<DiagramBuilder> builder;

        Diagram const& diagram() const { return builder->diagram(); }
        std::uint32_t rows() const { return static_cast<std::uint32_t>(diagram().rows.size()); }
    };

    std::string name; // of the file, as it is shown
    IndexedProgram const& code;
    Buffering buffering;
    std::vector<Run> runs;
};

/// Runs a trace once more, for those who need more of it than the diagram has.
void run_again(Drawing const& drawing, std::size_t number, Observer& observer);

std::string draw_svg(Drawing const& drawing);
std::string draw_html(Drawing const& drawing);
std::string draw_dot(Drawing const& drawing);
std::string draw_shiviz(Drawing const& drawing);
std::string draw_perfetto(Drawing const& drawing);
std::string draw_itf(Drawing const& drawing);

/// Appends a text with what XML reserves escaped.
void append_xml(std::string& to, std::string_view text);
std::string xml(std::string_view text);

/// Some formats are quadratic in the run: no more than 256 MiB of them.
inline constexpr std::size_t largest_picture = std::size_t{1} << 28U;
/// Throws LimitReached for a picture that has become larger.
void check_size(std::string const& picture, std::string_view format);

} // namespace matchpoint::report
