// What pictures show of shared variables: arrows from a write to the reads of other threads that get it, and bars for
// the locks that threads hold.
//
//   thread 0                 thread 1
//   a1 takes l  ┃
//   a2 (x := 1) ┃---- x --.
//   a3 gives l  ┃          `-->  b1 (t := x)
#pragma once

#include <string>
#include <vector>

#include "report/diagram.hpp"

namespace matchpoint::report {

struct SharedDiagram {
    /// A row reads what a row of another thread has written. There is none for locks: their bars say as much.
    struct Arrow {
        std::uint32_t from; // rows
        std::uint32_t to;
        std::vector<Variable> variables;
        bool synchronises; // all of them are synchronisation variables (grammar/synchronisation.hpp)
    };
    /// A thread holds a lock.
    struct Held {
        Variable lock;
        std::uint32_t thread;
        std::uint32_t from; // the row that took it
        std::uint32_t to;   // the row that gave it back, or Diagram::none
        std::uint32_t slot; // the lowest number that no lock has which the thread held already
    };
    std::vector<Arrow> arrows; // in the order of `to`
    std::vector<Held> held;    // in the order of `from`
};

/// Empty for a program without shared variables. O(n log n) in the program and the run.
SharedDiagram shared_diagram(Diagram const& d, IndexedProgram const& code);

/// "balance", "x, y"
std::string arrow_text(IndexedProgram const& code, SharedDiagram::Arrow const& arrow);
/// "balance, from entry 9, b5 (account.c:16), to entry 13, a5 (account.c:16)"
std::string arrow_story(Diagram const& d, IndexedProgram const& code, SharedDiagram::Arrow const& arrow);
/// "holds lock from entry 1, a1, to entry 3, a3"
std::string held_story(Diagram const& d, IndexedProgram const& code, SharedDiagram::Held const& held);

/// For each thread whose next command takes a lock that is not free: the thread, and "║ thread 0 waits at a2 for f1,
/// which thread 1 has held since entry 1, b1"; or "used up in entry 1, b1" of a flag, which nobody holds.
std::vector<std::pair<std::uint32_t, std::string>> waiting_notes(Diagram const& d, IndexedProgram const& code,
                                                                 SharedDiagram const& shared);

} // namespace matchpoint::report
