// A space-time diagram for a terminal.
//
//          thread 0                thread 1                thread 2
//    0 24  │                       ║                       ● sndi S4 2 0 4
//          ◄──────────────────── S4 = 4 ───────────────────┤
//    1 03  ● wait R2  A = 4        ║                       │
//
// Each entry has a line, preceded by a line for each message that it delivers. A lane is `│`, or `║` while the thread's
// next command is a wait, `┃` while the thread holds a lock, and ends with its thread. `◄ b5` after a command: it reads
// what b5, of another thread, has written to a shared variable that no `when` names. Marks: `●` the command ran, `✗` an
// assertion or assumption does not hold, `■` the run is stuck. Notes below the lanes explain the last two.
#pragma once

#include "base/columns.hpp"
#include "base/paint.hpp"
#include "report/diagram.hpp"

namespace matchpoint::report {

/// What to_text() shows of a diagram, and how.
struct TextOptions {
    unsigned columns = 80; // no less than 40 are used
    // The entries first to last, if there are so many.
    std::uint64_t first = 0;
    std::uint64_t last = UINT64_MAX;
    std::vector<std::uint32_t> threads = {}; // empty for all
    Paint paint = Paint();
    bool shared = true;                     // who wrote what is read, and who holds locks
    std::vector<std::uint32_t> marked = {}; // rows, in order: they have a ≠ in the margin
    std::vector<std::string> end = {};      // how the run ended, where the machine's status does not say it
    std::string_view whole = {}; // what shows commands that are cut, if there is something: "a wider terminal"
};

/// A sentence about each entry that failed, got stuck or reached a limit. Only the first 20 failures are listed.
std::vector<std::string> notes(Diagram const& diagram, IndexedProgram const& code);
/// The same for those of some rows.
std::vector<std::string> notes(std::vector<Diagram::Row const*> const& rows, IndexedProgram const& code);

/// "sndi S4 2 0 4", "wait R2  A = 4": the text of a row in all pictures, escaped.
std::string row_text(Diagram const& diagram, IndexedProgram const& code, std::uint32_t row);
/// The same in so many columns. If they are short, the command is cut before the values: "wait re…  A = 4".
std::string row_text(Diagram const& diagram, IndexedProgram const& code, std::uint32_t row, std::size_t columns);
/// "S4 = 4"
std::string message_text(IndexedProgram const& code, Diagram::Message const& m);
/// The same in so many columns. If they are short, the name is cut before the value.
std::string message_text(IndexedProgram const& code, Diagram::Message const& m, std::size_t columns);

/// Lines of at most so many columns. If the lanes would be too narrow, the result is a list. A message from or to a
/// thread that is not shown has a short arrow. Linear in the diagram.
std::string to_text(Diagram const& diagram, IndexedProgram const& code, TextOptions const& options);
std::string to_text(Diagram const& diagram, IndexedProgram const& code, unsigned columns = 80);

} // namespace matchpoint::report
