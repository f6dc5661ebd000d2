// What is wrong with an input, where, and by which rule:
//
//   figure1.ctp:7:12: error[S3]: `wait` names `R9`, which is no action of the program
//       7 |   [06 (wait R9)]
//         |             ^~
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/source.hpp"

namespace matchpoint::grammar {

enum class Severity : std::uint8_t { error, warning };

/// A remark to a diagnostic, about another place.
struct Note {
    std::string message;
    Offset offset;
    std::uint32_t length;
};

struct Diagnostic {
    Severity severity = Severity::error;
    std::string_view rule; // "S2", "D6", "syntax", "limit": a literal
    std::string message;
    Offset offset = no_offset; // no_offset: no place
    std::uint32_t length = 1;  // bytes to underline, from offset
    std::vector<Note> notes;
};

using Diagnostics = std::vector<Diagnostic>;

/// How many are collected for one file; the rest is not even counted.
inline constexpr std::size_t max_diagnostics = 1000;

struct RenderOptions {
    bool color = false;
    std::size_t limit = 20; // how many are shown; the rest is counted in a last line
};

/// In the form above, one behind the other, in the order given. Long lines are shown around the place only; control
/// characters in them are shown as `?`.
std::string render(Diagnostics const& diagnostics, Source const& source, RenderOptions const& options = {});

/// The first line of that form, for one diagnostic: `file:line:col: error[S2]: message`.
std::string headline(Diagnostic const& diagnostic, Source const& source);

bool has_error(Diagnostics const& diagnostics);

} // namespace matchpoint::grammar
