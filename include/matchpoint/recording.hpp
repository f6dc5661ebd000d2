// Recordings of real programs: `matchpoint mpi record` writes a program whose first comment says what was run and how
// it ended, and whose commands say which line of the source they came from.
//
//   if (auto const recording = recording_of(program)) std::cout << recording->command << '\n';
//   std::cout << in_source(program, match);      // "mw.c:20 gets mw.c:28 of rank 3"
//
// A recording is one path through a program. What check() says of it is about this path: an assertion of C that was
// true in the run is `(assert true)`, and only running the program again (`matchpoint mpi verify`) tells more.
#pragma once

#include <matchpoint/program.hpp>

namespace matchpoint::api {

struct Recording {
    std::string command;               // "mpirun -n 4 ./mw"
    std::string thread;                // what a thread is called: "rank", or "thread" of MCAPI
    std::optional<std::string> failed; // how the run failed: "exit code 134"
    std::optional<std::string> said;   // the last line that it wrote to standard error then
    std::optional<std::string> ended;  // why `mpi record` ended the run: "the time limit of 5 s was reached"
    bool has_deadlocked = false;
    /// Messages carry numbers as they were in this run: what is sent may depend on what was received.
    bool has_concrete_values = false;
};
/// None if the program was not recorded.
std::optional<Recording> recording_of(Program const& program);

/// As people know it: "mw.c:20 gets mw.c:28 of rank 3". Without a recording, by the names of the program: "R2 = S5".
std::string in_source(Program const& program, Match const& match);

} // namespace matchpoint::api
