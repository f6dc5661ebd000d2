// A space-time diagram for a terminal.
//
//          thread 0                thread 1                thread 2
//    0 24  │                       ║                       ● sndi S4 2 0 4
//          ◄──────────────────── S4 = 4 ───────────────────┤
//    1 03  ● wait R2  A = 4        ║                       │
//
// Each entry has a line, preceded by a line for each message that it delivers. A lane is `│`, or `║` while the thread's next
// command is a wait, and ends with its thread. Marks: `●` the command ran, `✗` an assertion or assumption does not hold,
// `■` the run is stuck. Notes below the lanes explain the last two.
#pragma once

#include "report/diagram.hpp"

namespace matchpoint::report {

/// The columns that a terminal needs for a text without control characters.
std::size_t display_width(std::string_view text);
/// A text cut to so many columns. If anything is cut, it ends with an ellipsis.
std::string cut(std::string_view text, std::size_t columns);

/// The words of a text on lines of at most `columns` columns, each with a newline. All lines but the first are indented.
std::string folded(std::string_view text, std::size_t columns, std::size_t indent);

/// A sentence about each entry that failed, got stuck or reached a limit. Only the first 20 failures are listed.
std::vector<std::string> notes(Diagram const& diagram, IndexedProgram const& code);

/// "sndi S4 2 0 4", "wait R2  A = 4": the text of a row in all pictures, escaped.
std::string row_text(Diagram const& diagram, IndexedProgram const& code, std::uint32_t row);
/// "S4 = 4"
std::string message_text(IndexedProgram const& code, Diagram::Message const& m);

/// Lines of at most `columns` columns. If the lanes would be too narrow, the result is a list. Linear in the diagram.
std::string to_text(Diagram const& diagram, IndexedProgram const& code, unsigned columns = 80);

} // namespace matchpoint::report
