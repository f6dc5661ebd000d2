// Text in columns of a terminal: how many it takes, and how to make it fit.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "rooms.hpp"

namespace matchpoint::base {

/// The columns that a terminal needs for a text without control characters. Escape sequences of colors take none.
std::size_t display_width(std::string_view text);

inline constexpr std::string_view no_break_space = "\u00A0";

/// A text without colors, cut to so many columns. If anything is cut, it ends with an ellipsis.
std::string cut(std::string_view text, std::size_t columns);

/// The words of a text on lines of at most `columns` columns, each with a newline. All lines but the first are
/// indented. A longer word is cut. Line breaks of the text stay. A no-break space becomes a space that no line ends at.
std::string folded(std::string_view text, std::size_t columns, std::size_t indent);

/// Lines for a terminal of so many columns. A line that is longer goes on below, between two words, indented to the
/// last column of its table that begins in the left half, or else by two more than the line:
///
///       SNDI COMMAND                   A(S4) = 2;
///                                      Pnd_s(0)(2) = ([S4 4])
///
/// A longer word stays whole, on a line of its own. Short lines, blanks inside a line, and colors stay as they are, and
/// so do quoted lines of a source (`  12 | ...`) and the marks below them.
std::string wrapped(std::string_view text, std::size_t columns);

/// The lines of two texts beside each other, with a line between them. The first text has so many columns at most.
std::string beside(std::string_view left, std::string_view right, std::size_t columns);

} // namespace matchpoint::base
