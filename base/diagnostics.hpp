// Messages about an input: what is wrong, where, and by which rule.
//
//   figure1.ctp:7:12: error[S3]: `wait` names `R9`, which is not an action of the program
//       7 |   [06 (wait R9)]
//         |             ^~
//         = hint: did you mean `R5`?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.hpp"

namespace matchpoint::base {

enum class Severity : std::uint8_t { error, warning };

/// A remark about another position.
struct Note {
    std::string message;
    Offset offset;
    std::uint32_t length;
};

struct Diagnostic {
    Severity severity = Severity::error;
    std::string_view rule; // a literal: "S2", "D6", "syntax", "limit"
    std::string message;
    Offset offset = no_offset; // no_offset: no position
    std::uint32_t length = 1;  // bytes to underline, from offset
    std::vector<Note> notes;
    std::vector<std::string> hints = {}; // how to mend it, each a sentence without a full stop
    bool notes_are_for_tools = false;    // text leaves them out
};

using Diagnostics = std::vector<Diagnostic>;

/// The most that are collected for one file. Further ones are not counted.
inline constexpr std::size_t max_diagnostics = 1000;

/// The most that are shown, unless somebody asks for more.
inline constexpr std::size_t shown_diagnostics = 20;

struct RenderOptions {
    bool color = false;
    std::size_t limit = shown_diagnostics; // a last line counts the rest
};

/// The form above, for all diagnostics in the given order. Long lines are cut around the position, and control
/// characters are shown as `?`.
std::string render(Diagnostics const& diagnostics, Source const& source, RenderOptions const& options = {});

/// The first line of that form: `file:line:col: error[S2]: message`.
std::string headline(Diagnostic const& diagnostic, Source const& source);

bool has_error(Diagnostics const& diagnostics);

/// What is wrong with the encoding of a text (it has to be UTF-8), if anything is.
std::optional<Diagnostic> encoding_fault(Source const& source);

} // namespace matchpoint::base
