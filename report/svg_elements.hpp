// The elements that SVG pictures of runs are made of: texts, bars, and the marks of rows. svg_style.hpp says how they
// look.
//
//   append_beginning(out, "640", "480", 640, 480, "figure1.ctp");
//   append_label(out, "dim", margin, 20, "trace 1");
#pragma once

#include <string>
#include <string_view>

#include "rooms.hpp"

namespace matchpoint::report::svg {

/// The opening tag and the title. `width` and `height` may have units; lengths in the picture are in those of the view.
void append_beginning(std::string& to, std::string_view width, std::string_view height, double view_width,
                      double view_height, std::string_view title);
void append_background(std::string& to, double width, double height);

/// `css` are classes, `more` is further attributes, each after a blank.
void append_label(std::string& to, std::string_view css, double x, double y, std::string_view text,
                  std::string_view more = "");

struct Bar {
    double left;
    double top;
    unsigned width;
    double height;
    unsigned radius = 3; // of its corners
};
/// `story` is its tooltip.
void append_bar(std::string& to, std::string_view css, Bar const& bar, std::string_view story);

// Marks, around a point.

void append_circle(std::string& to, std::string_view css, double x, double y);
void append_cross(std::string& to, double x, double y);
void append_square(std::string& to, double x, double y);

} // namespace matchpoint::report::svg
