#include "report/svg_elements.hpp"

#include <fmt/format.h>

#include "report/draw.hpp"

namespace matchpoint::report::svg {

void append_beginning(std::string& to, std::string_view width, std::string_view height, double view_width,
                      double view_height, std::string_view title) {
    to += fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" "
                      "viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\">\n",
                      width, height, view_width, view_height);
    to += "<title>" + xml(title) + "</title>\n";
}

void append_background(std::string& to, double width, double height) {
    to += fmt::format("<rect class=\"bg\" width=\"{:.0f}\" height=\"{:.0f}\"/>\n", width, height);
}

void append_label(std::string& to, std::string_view css, double x, double y, std::string_view text,
                  std::string_view more) {
    to += fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" xml:space=\"preserve\"{}>", css, x, y, more);
    append_xml(to, text);
    to += "</text>\n";
}

void append_bar(std::string& to, std::string_view css, Bar const& bar, std::string_view story) {
    to += fmt::format("<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{:.1f}\" rx=\"{}\"><title>",
                      css, bar.left, bar.top, bar.width, bar.height, bar.radius);
    append_xml(to, story);
    to += "</title></rect>\n";
}

void append_circle(std::string& to, std::string_view css, double x, double y) {
    to += fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/>", css, x, y);
}

void append_cross(std::string& to, double x, double y) {
    to += fmt::format("<path class=\"cross\" d=\"M{:.1f} {:.1f}l10 10m0 -10l-10 10\"/>", x - 5, y - 5);
}

void append_square(std::string& to, double x, double y) {
    to += fmt::format("<rect class=\"stuck\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"10\" height=\"10\"/>", x - 5, y - 5);
}

} // namespace matchpoint::report::svg
