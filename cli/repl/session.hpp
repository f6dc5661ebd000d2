// A session at a prompt, as `step` and `rma step` have it. A line is a command; what the commands are is the derived
// class's business. Lines come from a script, from a pipe, or from a terminal with a line editor.
//
//   session_options(command, options->session); // where the command is declared
//   return hold_session(session, options.session, file, greet, terminal);
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/exit_code.hpp"
#include "cli/refused.hpp"
#include "cli/repl/line_editor.hpp"
#include "cli/repl/screen.hpp"
#include "cli/terminal.hpp"

namespace matchpoint::cli {

class Command; // cli/command_line.hpp

/// Why a command of a script cannot be run. It says where: `script:3: error: ...`.
class RefusedInScript : public Refused {
public:
    using Refused::Refused;
};

class Session {
public:
    explicit Session(Terminal& terminal) : screen_(terminal) {}
    Session(Session const&) = delete;
    Session& operator=(Session const&) = delete;
    virtual ~Session() = default;

    /// Runs the command in a line. An empty line repeats the last command or runs the default. Throws Refused,
    /// LimitReached, OutputFailed.
    virtual void execute(std::string const& line) = 0;
    virtual std::string prompt() = 0;
    /// What can replace the end of the beginning of a line.
    virtual LineCompletion completions(std::string const& line) const = 0;

    /// Runs a script up to its first error, which says where it is. Throws like execute().
    void source(std::string const& file);
    bool quit() const { return quit_; }
    Screen& screen() { return screen_; }

protected:
    using Words = std::vector<std::string>;

    // Arguments of commands. These throw Refused.
    static Words words(std::string const& arguments);
    static void none(std::string const& arguments, std::string_view command);
    /// If the word is not a number, throws Refused, which says that it is not a `what`.
    static std::size_t number(std::string const& word, std::string_view what);
    /// How many steps; 1 if nothing is said.
    static std::size_t count(std::string const& arguments);

    void out(std::string_view text) { screen_.out(text); }
    /// Writes a file that must not exist yet, and says so: "written: a.ctp, as trace 2".
    void write_new(std::string const& file, std::string_view text, std::string_view what = {});
    Paint const& paint() const { return screen_.paint(); }

    Screen screen_;
    bool quit_ = false;

private:
    std::size_t sources_ = 0; // how deeply scripts are nested
};

struct SessionOptions {
    std::string script = {}; // comes first; empty if none
    bool echo = false;       // print each command that is read from a pipe
};
/// Declares --script and --echo.
void session_options(Command& command, SessionOptions& options);

/// False, after a complaint, if standard input would have both the program and the commands.
bool has_commands(std::string const& program_file, SessionOptions const& options, Terminal& terminal);

/// Runs the commands that come, up to `quit` or the end of the input. A command that cannot be run is told of, and the
/// session goes on. If the program was on standard input, nothing follows the script. Calls `greet` before the first
/// prompt on a terminal.
ExitCode hold_session(Session& session, SessionOptions const& options, std::string const& program_file,
                      std::function<void()> const& greet, Terminal& terminal);

} // namespace matchpoint::cli
