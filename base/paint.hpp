// The palette: every color that Matchpoint's text has, in diagnostics, runs and diagrams.
//
//   Paint const paint(is_terminal);
//   paint(Style::good, "success")
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "rooms.hpp"

namespace matchpoint::base {

/// What a text is, not how it looks.
enum class Style : std::uint8_t {
    plain,
    heading, // of a section; the position of a run
    dim,     // what is the same on every line: lanes, names of rules
    good,    // success, safe, holds
    bad,     // failure, violated, an error
    broken,  // infeasible, vacuous: an assumption is false
    stuck,   // error, unknown, deadlock, a warning
    note,
    message, // on its way from a send to a receive
    added,
    removed,
};

/// Colors text with SGR escape sequences, or leaves it as it is.
class Paint {
public:
    explicit Paint(bool color = false) : color_(color) {}

    bool has_color() const { return color_; }
    /// A text without line breaks.
    std::string operator()(Style style, std::string_view text) const;

private:
    bool color_;
};

/// The length of the SGR escape sequence that a text begins with; 0 if it begins with none.
std::size_t escape_length(std::string_view text);

} // namespace matchpoint::base
