// Where the parser goes on after a syntax error, so that one reading of a file finds several.
//
//   if (auto const next = resumption(failure)) parse_from(*next);
//
// It goes on at the next shared variable, command, thread, trace entry or trace. If the brackets are right, that is
// after the closing bracket of the command or entry with the error. If they are not, what looks like the beginning of a
// command, or of another of these, says more than the brackets do.
#pragma once

#include <optional>
#include <vector>

#include "grammar/messages/syntax_error.hpp"

namespace matchpoint::grammar {

/// What the parser is in the middle of.
enum class Place : std::uint8_t {
    shared,  // among the shared variables
    program, // before the program
    file,    // before a trace, or at the end
    ctp,
    thread,
    trace,
};

struct Resumption {
    Place place;
    Offset at;
    std::vector<Bracket> open; // the brackets of `place`
    Offset ctp_open;           // no_offset: not yet
    Offset ctp_close;
    /// Whether the brackets are as they should be. If not, later errors outside of commands and entries may only be
    /// consequences of this one.
    bool is_certain;
};

/// Nothing: there is nothing left that looks like a part of a program. Time: linear in the distance to the place.
std::optional<Resumption> resumption(SyntaxFailure const& failure);

} // namespace matchpoint::grammar
