// The command line as data: what its commands are called, what they take, and what `--help` says of them. Manual pages
// (manual.hpp) and the shells' completions (completion.hpp) are made of it, so that they cannot differ from the help.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace matchpoint::cli {

/// What a shell completes a word with.
enum class Words : std::uint8_t {
    none,    // nothing: it is a number, or has no word at all
    choices, // OptionDescription::choices
    program, // a file of the trace language
    formula, // a file in DIMACS format
    file,    // any file
    folder,
    solver,  // the name of a solver, or its command
    command, // a command of the shell, after `--`
};

/// An option, or an argument.
struct OptionDescription {
    bool is_argument = false;
    std::vector<std::string> names;   // "-o" and "--output"; of an argument "FILE"
    std::string type;                 // "OUT"; empty if the option takes no word
    std::string meaning;              // what `--help` says
    std::vector<std::string> choices; // the only words that it accepts; empty if it accepts others
    std::string group;                // the heading in `--help`; the common one if empty
    Words words = Words::none;
    bool is_required = false;
    bool is_repeated = false; // takes several words
};

struct CommandDescription {
    std::string name; // "check"
    std::string summary;
    std::string footer; // the text below the options in `--help`
    std::vector<OptionDescription> options;
    std::vector<CommandDescription> commands;
};

CommandDescription describe(CLI::App const& app);

/// A command of a command takes the options of both.
std::vector<OptionDescription> with_options_of(CommandDescription const& above, CommandDescription const& command);

/// Calls `visit(path, command, options)` for the command and every command below it; a path is "matchpoint gen
/// scaling".
template <typename Visit>
void for_each_command(CommandDescription const& top, Visit const& visit) {
    visit(top.name, top, top.options);
    for (CommandDescription const& command : top.commands) {
        std::string const path = top.name + " " + command.name;
        visit(path, command, command.options);
        for (CommandDescription const& inner : command.commands)
            visit(path + " " + inner.name, inner, with_options_of(command, inner));
    }
}

/// The first sentence, without its full stop, and at most `most` characters of it: what shells show beside a
/// completion.
std::string in_brief(std::string_view meaning, std::size_t most = 72);

} // namespace matchpoint::cli
