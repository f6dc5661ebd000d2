// The commands that list and describe commands.

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/repl/repl.hpp"

namespace matchpoint::cli {

Refused Repl::misused(std::string_view command) {
    std::size_t const space = std::min(command.find(' '), command.size());
    std::string_view const first = command.substr(0, space);
    std::string_view usage = find(std::string(first)).usage;
    if (space < command.size()) usage = find_subcommand(first, command.substr(space + 1))->usage;
    return Refused(fmt::format("usage: {} {}", command, usage));
}

std::string Repl::example_line(std::string_view example) {
    return example.empty() ? std::string() : fmt::format("  For example: {}\n", example);
}

/// For "set variable": `arguments` follow the command.
void Repl::help_subcommand(Command const& c, std::string const& arguments) {
    Subcommand const* const s = find_subcommand(c.name, arguments);
    if (s == nullptr) {
        if (subcommands(c.name).empty())
            throw Refused(fmt::format("`{}` has no further help: help {}", c.name, c.name));
        throw Refused(fmt::format("there is no `{} {}`; usage: {} {}", c.name, printable(arguments), c.name, c.usage));
    }
    out(fmt::format("{}{}{}\n  {}.\n{}", paint()(Style::note, fmt::format("{} {}", c.name, s->name)),
                    s->usage.empty() ? "" : " ", s->usage, s->summary, example_line(s->example)));
}

void Repl::help(std::string const& arguments) {
    if (!arguments.empty()) {
        std::size_t const end = std::min(arguments.find_first_of(" \t"), arguments.size());
        Command const& c = find(arguments.substr(0, end));
        if (end < arguments.size()) return help_subcommand(c, std::string(trimmed(arguments.substr(end))));
        out(help_of(c, aliases(), paint()));
        return list_subcommands(c.name);
    }
    out(help_list(commands(), aliases(), std::min(80U, screen_.columns()), paint()));
}

void Repl::list_subcommands(std::string_view command) {
    for (Subcommand const& s : subcommands(command))
        out(fmt::format("  {} {}\n", paint()(Style::note, fmt::format("{} {:<12}", command, s.name)), s.summary));
}

void Repl::apropos(std::string const& arguments) {
    if (arguments.empty()) throw misused("apropos");
    out(apropos_list(commands(), arguments, paint()));
}

} // namespace matchpoint::cli
