#include "cli/repl/session.hpp"

#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <sstream>

#include <fmt/format.h>

#include "base/files.hpp"
#include "base/limits.hpp"
#include "base/numbers.hpp"
#include "base/overloaded.hpp"
#include "base/text.hpp"
#include "cli/cli.hpp"
#include "cli/command_line.hpp"
#include "cli/repl/aside.hpp"

namespace matchpoint::cli {

Session::Words Session::words(std::string const& arguments) {
    std::istringstream in(arguments);
    Words result;
    for (std::string word; in >> word;) result.push_back(word);
    return result;
}

void Session::none(std::string const& arguments, std::string_view command) {
    if (!arguments.empty()) throw Refused(fmt::format("`{}` takes no arguments", command));
}

std::size_t Session::number(std::string const& word, std::string_view what) {
    constexpr std::uint64_t too_large = 1'000'000'000'000'000; // adding to it does not overflow
    auto const n = natural(word);
    if (!n || *n >= too_large) throw Refused(fmt::format("`{}` is not a {}", printable(word), what));
    return *n;
}

std::size_t Session::count(std::string const& arguments) {
    return arguments.empty() ? 1 : number(arguments, "number of steps");
}

void Session::write_new(std::string const& file, std::string_view text, std::string_view what) {
    std::error_code error;
    if (std::filesystem::is_regular_file(file, error))
        throw Refused(fmt::format("{} exists: choose another name, or remove it first", printable(file, 4096)));
    if (FileError const failed = replace_file(file, text); !failed.empty()) throw Refused(failed);
    out(fmt::format("written: {}{}\n", printable(file, 4096), what));
}

void Session::source(std::string const& file) {
    constexpr std::size_t deepest = 16;
    if (sources_ == deepest) throw Refused("scripts call scripts too deeply");
    auto const text = read_source(file);
    if (!text) throw Refused(text.error());
    std::istringstream lines{std::string(text->text())};
    ++sources_;
    std::size_t number = 0;
    try {
        for (std::string line; !quit_ && std::getline(lines, line);) {
            ++number;
            // An empty line repeats a command only at the prompt.
            if (!trimmed(line).empty()) execute(line);
        }
    } catch (RefusedInScript const&) {
        --sources_;
        throw;
    } catch (Refused const& e) {
        --sources_;
        throw RefusedInScript(fmt::format("{}:{}: error: {}", printable(text->name(), 4096), number, e.what()));
    } catch (...) {
        --sources_;
        throw;
    }
    --sources_;
}

namespace {

/// Runs a command, or says why it cannot be run and returns false.
bool execute(Session& session, std::string const& line, Terminal& terminal, std::string const& where) {
    std::string failed;
    try {
        session.execute(line);
    } catch (RefusedInScript const& e) {
        failed = e.what(); // with its own place
    } catch (Refused const& e) {
        failed = where + e.what();
    } catch (LimitReached const& e) {
        failed = fmt::format("{}limit reached: {}", where, e.what());
    }
    session.screen().end();
    if (failed.empty()) return true;
    terminal.tell(failed + '\n');
    return false;
}

ExitCode by_hand(Session& session, Terminal& terminal) {
    LineEditor editor([&] { return session.prompt(); },
                      [&](std::string const& line) { return session.completions(line); });
    bool at_end = false;
    while (!session.quit() && !at_end)
        std::visit(overloaded{
                       [&](std::string const& line) {
                           Screen::Turn const turn(session.screen());
                           execute(session, line, terminal, "");
                       },
                       [&](LineEditor::Interrupted) {
                           terminal.out("\n");
                           terminal.flush();
                       },
                       [&](LineEditor::EndOfInput) {
                           terminal.out("\n");
                           at_end = true;
                       },
                   },
                   editor.read());
    return holds;
}

ExitCode from_input(Session& session, Terminal& terminal, bool echo) {
    ExitCode code = holds;
    std::size_t number = 0;
    for (std::string line; !session.quit() && std::getline(std::cin, line);) {
        ++number;
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        if (echo) terminal.out(fmt::format("> {}\n", printable(line, 4096)));
        if (!execute(session, line, terminal, fmt::format("<stdin>:{}: error: ", number))) code = bad_input;
    }
    return code;
}

} // namespace

void session_options(Command& command, SessionOptions& options) {
    command.text("-x,--script", "SCRIPT", options.script, "First run the commands in a file");
    command.flag("--echo", options.echo, "Print each command that is read from a pipe, after `> `");
}

bool has_commands(std::string const& program_file, SessionOptions const& options, Terminal& terminal) {
    if (program_file != "-" || !options.script.empty()) return true;
    complain(terminal, "standard input has the commands: the program or the commands (-x) have to be in a file",
             ErrorKind::usage);
    return false;
}

ExitCode hold_session(Session& session, SessionOptions const& options, std::string const& program_file,
                      std::function<void()> const& greet, Terminal& terminal) {
    catch_interrupts();
    if (!options.script.empty()) {
        try {
            session.source(options.script);
        } catch (RefusedInScript const& e) {
            terminal.tell(fmt::format("{}\n", e.what()));
            return bad_input;
        } catch (Refused const& e) {
            complain(terminal, e.what(), ErrorKind::file);
            return bad_input;
        }
        terminal.flush();
    }
    if (session.quit() || program_file == "-") return holds;
    if (::isatty(STDIN_FILENO) != 1 || ::isatty(STDOUT_FILENO) != 1) return from_input(session, terminal, options.echo);
    greet();
    terminal.flush();
    return by_hand(session, terminal);
}

} // namespace matchpoint::cli
