// One of two runs that are drawn beside each other as SVG.
#pragma once

#include <string>
#include <vector>

#include "report/draw.hpp"

namespace matchpoint::report::svg {

struct Part {
    std::size_t run = 0;                    // its index in Drawing::runs
    std::vector<std::uint32_t> marked = {}; // rows, in order
    std::string suffix;                     // of the ids of its elements
};
struct DrawnPart {
    std::string text; // an element svg
    double width;
    double height;
};
DrawnPart draw_part(Drawing const& drawing, Part part);

} // namespace matchpoint::report::svg
