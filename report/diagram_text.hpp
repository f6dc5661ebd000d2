// A space-time diagram for a terminal.
//
//          thread 0                thread 1                thread 2
//    0 24  │                       ║                       ● sndi S4 2 0 4
//          ◄──────────────────── S4 = 4 ───────────────────┤
//    1 03  ● wait R2  A = 4        ║                       │
//
// A line for each entry, and one before it for each message that is delivered with it. A lane is `│`, or `║` where the
// thread stands at a wait; it ends where the thread does. Marks: `●` ran, `✗` an assertion or assumption that does not
// hold, `■` where the run is stuck. Below the lanes stands what there is to say of those.
#pragma once

#include "report/diagram.hpp"

namespace matchpoint::report {

/// How many columns a terminal shows a text in (which has no control characters).
std::size_t display_width(std::string_view text);
/// The beginning of a text that fits into so many columns; if it is not the whole, with an ellipsis at the end.
std::string cut(std::string_view text, std::size_t columns);

/// The words of a text on lines of at most `columns`, with an end of line; later lines are indented.
std::string folded(std::string_view text, std::size_t columns, std::size_t indent);

/// What there is to say of entries that did not go well, a sentence each; of those that do not hold, the first 20.
std::vector<std::string> notes(Diagram const& diagram, IndexedProgram const& code);

/// "sndi S4 2 0 4", "wait R2  A = 4": what the pictures say of a row; escaped.
std::string row_text(Diagram const& diagram, IndexedProgram const& code, std::uint32_t row);
/// "S4 = 4"
std::string message_text(IndexedProgram const& code, Diagram::Message const& m);

/// Lines of at most `columns` columns. Where the lanes would be too narrow it is a list instead. Linear in the diagram.
std::string to_text(Diagram const& diagram, IndexedProgram const& code, unsigned columns = 80);

} // namespace matchpoint::report
