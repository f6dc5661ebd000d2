// Two runs beside each other as SVG. Each is a picture of its own within the whole one; below them is what differs.

#include <algorithm>

#include <fmt/format.h>

#include "report/compare.hpp"
#include "report/svg_elements.hpp"
#include "report/svg_part.hpp"
#include "report/svg_style.hpp"

namespace matchpoint::report {

namespace {

constexpr double between = 24;
constexpr std::size_t most_sentences = 20;

std::vector<std::string> what_differs(Drawing const& drawing, RunDifference const& difference) {
    Drawing::Run const& here = drawing.runs[0];
    Drawing::Run const& there = drawing.runs[1];
    if (!difference.first) return {"The runs do not differ."};
    std::vector<std::string> lines{fmt::format("here: trace {}, there: trace {}", here.number, there.number),
                                   first_difference(difference, here.diagram(), there.diagram(), drawing.code)};
    auto const& all = difference.sentences;
    for (std::size_t i = 0; i < std::min(all.size(), most_sentences); ++i) lines.push_back(all[i]);
    if (all.size() > most_sentences) lines.push_back(fmt::format("and {} more", all.size() - most_sentences));
    lines.emplace_back(legend_of_marks);
    return lines;
}

/// A part where it belongs: `<svg` becomes `<svg x="..."`.
std::string placed(std::string part, double x) {
    part.insert(std::string_view("<svg").size(), fmt::format(" x=\"{:.0f}\"", x));
    return part;
}

} // namespace

std::string draw_svg_beside(Drawing const& drawing) {
    Drawing::Run const& here = drawing.runs[0];
    Drawing::Run const& there = drawing.runs[1];
    RunDifference const difference = compare(here.diagram(), there.diagram(), drawing.code);
    svg::DrawnPart const left = svg::draw_part(drawing, {0, difference.here, ""});
    svg::DrawnPart const right = svg::draw_part(drawing, {1, difference.there, "-2"});
    std::vector<std::string> const lines = what_differs(drawing, difference);
    double const begin = std::max(left.height, right.height);
    double const width = left.width + between + right.width;
    double const height = begin + svg::line_height * static_cast<double>(lines.size()) + svg::margin;
    std::string out;
    svg::append_beginning(out, fmt::format("{:.0f}", width), fmt::format("{:.0f}", height), width, height,
                          fmt::format("{}, traces {} and {}", drawing.name, here.number, there.number));
    out += fmt::format("{}{}</style>\n", svg::style, svg::dark_style);
    svg::append_background(out, width, height);
    out += placed(left.text, 0) + placed(right.text, left.width + between);
    double y = begin + 10;
    for (std::string const& line : lines) {
        out += fmt::format("<text x=\"{:.0f}\" y=\"{:.1f}\">{}</text>\n", svg::margin, y, xml(line));
        y += svg::line_height;
    }
    return out + "</svg>\n";
}

} // namespace matchpoint::report
