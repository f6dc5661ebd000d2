// What is debugged: a program that was read, and the session of `matchpoint step` that runs it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli/dap/arguments.hpp"
#include "cli/places.hpp"
#include "cli/program_input.hpp"
#include "cli/repl/loaded_program.hpp"
#include "cli/repl/repl.hpp"

namespace matchpoint::cli {

/// The arguments of a launch (docs/editors.md).
struct LaunchOptions {
    enum class Schedule { automatic, trace, choose, first_failure, first_deadlock, first_fault };

    std::string program;
    Schedule schedule = Schedule::automatic; // the trace, if there is one; otherwise choose
    std::optional<std::size_t> trace;        // from 1
    std::optional<Buffering> buffering;      // without one, that of the trace as the file says it
    std::optional<std::size_t> seed;    // `continue` chooses at random by it; without one, it takes the first choice
    std::optional<std::size_t> timeout; // of searches, in seconds
    bool stop_on_entry = true;
    bool stop_at_end = true;
    bool narrate = true;
    bool no_debug = false;

    /// Throws RequestError. Clients add arguments of their own, so others are no error.
    static LaunchOptions from(Parameters const& arguments);
};

/// Its members refer to each other, so it cannot be copied.
struct Debuggee {
    /// Reads the program. Throws RequestFailed.
    static std::unique_ptr<Debuggee> load(LaunchOptions const& options);
    Debuggee(LaunchOptions options, ProgramInput read);
    Debuggee(Debuggee const&) = delete;
    Debuggee& operator=(Debuggee const&) = delete;

    /// Plans what the launch wants to be run. Throws RequestFailed.
    void begin();
    /// What the session has said since the last call.
    std::string said() { return std::exchange(said_, {}); }

    Stepper& stepper() { return repl.stepper(); }
    State const& state() { return repl.stepper().state(); }
    /// The next command of a thread that is not finished.
    std::optional<Location> at(std::uint32_t thread);

    LaunchOptions const options;
    Diagnostics const diagnostics;
    LoadedProgram loaded;
    IndexedProgram const& code;
    Places places;

private:
    void search(Goal::Kind goal, std::string_view name);
    Buffering buffering() const;

    std::string said_;
    Terminal terminal_;

public:
    Repl repl;
};

} // namespace matchpoint::cli
